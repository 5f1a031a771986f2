// SPDX-License-Identifier: Apache-2.0
//
// Meshes and height fields as colliders see them. A mesh gets a bounding-volume tree of its faces,
// so that a ray tests few of them.

#include <stdlib.h>
#include <string.h>

#include "bind/bind.h"
#include "contact/bvh.h"
#include "sinew/math.h"

enum { FEW_FACES = 16 };   // a mesh of as many has no tree

static void find_face_boxes(const sn_mesh_view *mesh, double *box) {
  for (int64_t i = 0; i < mesh->nface; i++, box += 6) {
    for (int k = 0; k < 3; k++) {
      double lo = INFINITY, hi = -INFINITY;
      for (int v = 0; v < 3; v++) {
        const double x = mesh->vert[3 * (int64_t)mesh->face[3 * i + v] + k];
        lo = x < lo ? x : lo;
        hi = x > hi ? x : hi;
      }
      // a ray that grazes a face is not lost to rounding
      const double slack = 1e-9 * (fabs(lo) + fabs(hi)) + SN_TINY;
      box[k] = lo - slack;
      box[3 + k] = hi + slack;
    }
  }
}

static sn_status add_tree(si_bvh *tree, sn_mesh_view *mesh, sn_error *error) {
  if (mesh->nface <= FEW_FACES) {
    return SN_OK;
  }
  const size_t n = (size_t)mesh->nface;
  double *box = calloc(6 * n, sizeof *box);
  int32_t *number = calloc(n, sizeof *number);
  sn_status status = SN_OK;
  if (!box || !number) {
    status = si_fail(error, SN_ENOMEM, "out of memory for the boxes of %lld faces of a mesh",
                     (long long)mesh->nface);
  } else {
    for (int32_t i = 0; i < mesh->nface; i++) {
      number[i] = i;
    }
    find_face_boxes(mesh, box);
    status = si_bvh_new(tree, (int32_t)mesh->nface, number, box, SI_BVH_FACES, error);
  }
  free(box);
  free(number);
  SN_TRY(status);
  mesh->nnode = tree->nnode;
  mesh->node = tree->node;
  mesh->node_face = tree->item;
  return SN_OK;
}

static sn_status add_meshes(sn_model *m, sn_error *error) {
  for (int64_t i = 0; i < m->nmesh; i++) {
    const int32_t graph = m->mesh_graphadr[i];
    m->bound.mesh_view[i] = (sn_mesh_view){ .size = sizeof(sn_mesh_view),
                                            .nvert = m->mesh_vertnum[i],
                                            .nface = m->mesh_facenum[i],
                                            .vert = m->mesh_vert + 3 * m->mesh_vertadr[i],
                                            .face = m->mesh_face + 3 * m->mesh_faceadr[i],
                                            .ngraph = graph < 0 ? 0 : m->mesh_graphnum[i],
                                            .graph = graph < 0 ? NULL : m->mesh_graph + graph };
    SN_TRY(add_tree(&m->bound.mesh_tree[i], &m->bound.mesh_view[i], error));
  }
  return SN_OK;
}

static void add_hfields(sn_model *m) {
  for (int64_t i = 0; i < m->nhfield; i++) {
    m->bound.hfield_view[i] = (sn_hfield_view){ .size = sizeof(sn_hfield_view),
                                                .nrow = m->hfield_nrow[i],
                                                .ncol = m->hfield_ncol[i],
                                                .data = m->hfield_data + m->hfield_adr[i] };
    memcpy(m->bound.hfield_view[i].extent, m->hfield_size + 4 * i, 4 * sizeof(double));
  }
}

sn_status si_bind_assets(sn_model *m, sn_error *error) {
  si_bound *b = &m->bound;
  b->mesh_view = calloc((size_t)m->nmesh + 1, sizeof *b->mesh_view);
  b->mesh_tree = calloc((size_t)m->nmesh + 1, sizeof *b->mesh_tree);
  b->hfield_view = calloc((size_t)m->nhfield + 1, sizeof *b->hfield_view);
  if (!b->mesh_view || !b->mesh_tree || !b->hfield_view) {
    return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  }
  add_hfields(m);
  return add_meshes(m, error);
}

void si_unbind_assets(sn_model *m) {
  si_bound *b = &m->bound;
  for (int64_t i = 0; b->mesh_tree && i < m->nmesh; i++) {
    si_bvh_free(&b->mesh_tree[i]);
  }
  free(b->mesh_tree);
  free(b->mesh_view);
  free(b->hfield_view);
  b->mesh_tree = NULL;
  b->mesh_view = NULL;
  b->hfield_view = NULL;
}
