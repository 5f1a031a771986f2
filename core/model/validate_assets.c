// SPDX-License-Identifier: Apache-2.0
//
// Checks of the arrays of height fields, textures, meshes, skins and texts that depend on each
// other: every element lies within the numbers of all, and faces, graphs and bones point to
// vertices of their own mesh or skin.

#include "model/validate.h"

// ------------------------------------------------------------------ grids

static sn_status check_grids(const sn_model *m, const sn_location *location, sn_error *error) {
  for (int64_t i = 0; i < m->nhfield; i++) {
    const int64_t n = (int64_t)m->hfield_nrow[i] * m->hfield_ncol[i];
    if (m->hfield_adr[i] < 0 || n > m->nhfielddata - m->hfield_adr[i]) {
      return si_model_bad(location, error, "hfield_adr", i);
    }
  }
  for (int64_t i = 0; i < m->ntex; i++) {
    const int64_t n = (int64_t)m->tex_height[i] * m->tex_width[i],
                  left = m->ntexdata - m->tex_adr[i];
    if (m->tex_adr[i] < 0 || n > left / 3) {
      return si_model_bad(location, error, "tex_adr", i);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ meshes

// Are all n integers from `low` to below `high`?
static int are_between(const int32_t *x, int64_t n, int64_t low, int64_t high) {
  for (int64_t i = 0; i < n; i++) {
    if (x[i] < low || x[i] >= high) {
      return 0;
    }
  }
  return 1;
}

int si_is_hull_graph(int64_t nvert, int64_t ngraph, const int32_t *graph) {
  if (ngraph < 2 || graph[0] < 4 || graph[1] < 4) {
    return 0;
  }
  int64_t n = graph[0], f = graph[1];
  if (n > nvert || ngraph != 2 + 3 * n + 6 * f) {
    return 0;
  }
  const int64_t nedge = n + 3 * f;
  const int32_t *start = graph + 2, *vertex = start + n, *edge = vertex + n, *face = edge + nedge;
  return are_between(start, n, 0, nedge) && are_between(vertex, n, 0, nvert) &&
         are_between(edge, nedge, -1, n) && edge[nedge - 1] == -1 &&
         are_between(face, 3 * f, 0, nvert);
}

// Are `n` rows of ids, from row `first` on, ids of `count` things?
static int are_below(const int32_t *ids, int64_t first, int64_t n, int64_t cols, int64_t count) {
  return are_between(ids + first * cols, n * cols, 0, count);
}

// Is there a texture coordinate for each vertex from row `first` on? -1: there are none.
static int are_coordinates(int64_t first, int64_t nvert, int64_t count) {
  return first < 0 || nvert <= count - first;
}

// Faces point to the vertices of their mesh; the hull's graph too.
static sn_status check_meshes(const sn_model *m, const sn_location *location, sn_error *error) {
  for (int64_t i = 0; i < m->nmesh; i++) {
    if (!are_below(m->mesh_face, m->mesh_faceadr[i], m->mesh_facenum[i], 3, m->mesh_vertnum[i])) {
      return si_model_bad(location, error, "mesh_face", i);
    }
    if (!are_coordinates(m->mesh_texcoordadr[i], m->mesh_vertnum[i], m->nmeshtexvert)) {
      return si_model_bad(location, error, "mesh_texcoordadr", i);
    }
    const int64_t adr = m->mesh_graphadr[i], num = m->mesh_graphnum[i];
    if (num > 0 && !si_is_hull_graph(m->mesh_vertnum[i], num, m->mesh_graph + adr)) {
      return si_model_bad(location, error, "mesh_graph", i);
    }
  }
  return SN_OK;
}

static sn_status check_skins(const sn_model *m, const sn_location *location, sn_error *error) {
  for (int64_t i = 0; i < m->nskin; i++) {
    const int64_t nvert = m->skin_vertnum[i];
    if (!are_below(m->skin_face, m->skin_faceadr[i], m->skin_facenum[i], 3, nvert)) {
      return si_model_bad(location, error, "skin_face", i);
    }
    if (!are_coordinates(m->skin_texcoordadr[i], nvert, m->nskintexvert)) {
      return si_model_bad(location, error, "skin_texcoordadr", i);
    }
    for (int64_t k = 0; k < m->skin_bonenum[i]; k++) {
      const int64_t bone = m->skin_boneadr[i] + k;
      if (!are_below(m->skin_bonevertid, m->skin_bonevertadr[bone], m->skin_bonevertnum[bone], 1,
                     nvert)) {
        return si_model_bad(location, error, "skin_bonevertid", m->skin_bonevertadr[bone]);
      }
    }
  }
  return SN_OK;
}

static sn_status check_texts(const sn_model *m, const sn_location *location, sn_error *error) {
  for (int64_t i = 0; i < m->ntext; i++) {
    if (m->text_data[m->text_adr[i] + m->text_size[i] - 1] != 0) {
      return si_model_bad(location, error, "text_size", i);   // no zero at its end
    }
  }
  return SN_OK;
}

sn_status si_model_validate_assets(const sn_model *model, const sn_location *location,
                                   sn_error *error) {
  SN_TRY(check_grids(model, location, error));
  SN_TRY(check_meshes(model, location, error));
  SN_TRY(check_skins(model, location, error));
  return check_texts(model, location, error);
}
