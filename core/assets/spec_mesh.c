// SPDX-License-Identifier: Apache-2.0
//
// The triangles of a mesh that a spec has as a file: for loaders that write a format whose readers
// do not know files of that kind.

#include <string.h>

#include "assets/mesh.h"

// One block for the lists of the definition, which starts with the vertices.
static sn_status copy_lists(const sn_spec *spec, const si_mesh_result *r, sn_mesh_def *def,
                            sn_error *error) {
  const sn_host *host = spec->builder.host;
  const int64_t nreal = 3 * r->nvert + 3 * r->nnormal + 2 * r->ntexcoord;
  double *at = host->alloc(host, nreal * (int64_t)sizeof *at +
                                     (3 * r->nface + 1) * (int64_t)sizeof(int32_t));
  if (!at) {
    return si_fail(error, SN_ENOMEM, "out of memory for the triangles of a mesh");
  }
  struct {
    sn_reals *list;
    const double *from;
    int64_t n;
  } lists[] = { { &def->vert, r->vert, 3 * r->nvert },
                { &def->normal, r->normal, 3 * r->nnormal },
                { &def->texcoord, r->texcoord, 2 * r->ntexcoord } };
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    *lists[i].list = (sn_reals){ at, lists[i].n };
    if (lists[i].n) {
      memcpy(at, lists[i].from, (size_t)lists[i].n * sizeof *at);
    }
    at += lists[i].n;
  }
  int32_t *face = (int32_t *)(void *)at;
  def->face = (sn_ints){ face, 3 * r->nface };
  if (r->nface) {
    memcpy(face, r->face, (size_t)(3 * r->nface) * sizeof *face);
  }
  return SN_OK;
}

sn_status si_spec_decode_mesh(const sn_spec *spec, int32_t id, sn_mesh_def *def, sn_error *error) {
  SN_TRY(sn_spec_get_mesh(spec, id, def, error));
  if (!def->bytes) {
    return si_fail(error, SN_EINVAL, "the mesh %d has no file to decode", id);
  }
  // errors find the element by its number, which is the same in both lists here
  si_build b = {
    .spec = (sn_spec *)(uintptr_t)spec, .given = spec, .engine = spec->engine, .error = error
  };
  int32_t same[1] = { id };
  b.number[SI_ELEMENT_mesh].spec = same;
  si_mesh_result r;
  si_mesh_result_init(&r);
  sn_status status = si_mesh_decode(&b, SI_ELEMENT_mesh, 0, def->file ? def->file : "", def->bytes,
                                    def->nbytes, &r);
  status = status < 0 ? status : copy_lists(spec, &r, def, error);
  si_mesh_result_free(&r);
  def->name = si_element_name(&spec->list[SI_ELEMENT_mesh].at[id]);
  def->file = NULL;
  def->bytes = NULL;
  def->nbytes = 0;
  return status;
}
