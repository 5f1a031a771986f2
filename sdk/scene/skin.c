// SPDX-License-Identifier: Apache-2.0
//
// Skins: each vertex is moved by its bones, the bodies, with weights. Bone k was bound at
// position b and orientation q of the skin's frame, so a vertex v goes to
//
//   sum over k of w_k (x_k + R_k R(q_k)^T (v - b_k)),   x, R: pose of the body now
//
// Normals are those of the faces around the vertex, weighted by area; the vertices are then moved
// along them by the inflation.

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "parts.h"

static void move_bone(const update *u, int32_t skin, int64_t bone, float *vertex) {
  const sn_model *m = u->m;
  const int32_t body = snm_skin_bonebodyid(m)[bone];
  const int64_t first = snm_skin_bonevertadr(m)[bone], n = snm_skin_bonevertnum(m)[bone];
  const double *rest = snm_skin_vert(m) + 3 * (int64_t)snm_skin_vertadr(m)[skin];
  const double *bind = snm_skin_bonebindpos(m) + 3 * bone, *x = snd_xpos(u->d) + 3 * body;
  double conj[4], turn[4], R[9];
  sn_conj_quat(conj, snm_skin_bonebindquat(m) + 4 * bone);
  sn_mul_quat(turn, snd_xquat(u->d) + 4 * body, conj);
  sn_quat_mat(R, turn);
  for (int64_t i = first; i < first + n; i++) {
    const int32_t id = snm_skin_bonevertid(m)[i];
    const double w = snm_skin_bonevertweight(m)[i];
    double v[3], moved[3];
    sn_sub3(v, rest + 3 * (int64_t)id, bind);
    sn_mul_mat_vec3(moved, R, v);
    for (int k = 0; k < 3; k++) {
      vertex[3 * (int64_t)id + k] += (float)(w * (x[k] + moved[k]));
    }
  }
}

static void face_normals(const sn_scene_mesh *mesh, float *normal) {
  memset(normal, 0, (size_t)(3 * mesh->nvertex) * sizeof *normal);
  for (int64_t f = 0; f < mesh->nface; f++) {
    const int32_t *face = mesh->face + 3 * f;
    double p[3][3], a[3], b[3], n[3];
    for (int k = 0; k < 9; k++) {
      p[k / 3][k % 3] = (double)mesh->vertex[3 * (int64_t)face[k / 3] + k % 3];
    }
    sn_sub3(a, p[1], p[0]);
    sn_sub3(b, p[2], p[0]);
    sn_cross(n, a, b);
    for (int k = 0; k < 9; k++) {
      normal[3 * (int64_t)face[k / 3] + k % 3] += (float)n[k % 3];
    }
  }
  for (int64_t i = 0; i < mesh->nvertex; i++) {
    float *n = normal + 3 * i;
    const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++) {
      n[k] = length > 0 ? n[k] / length : (float)(k == 2);
    }
  }
}

static void update_skin(const update *u, int32_t skin, sn_scene_mesh *mesh) {
  const sn_model *m = u->m;
  float *vertex = (float *)(uintptr_t)mesh->vertex, *normal = (float *)(uintptr_t)mesh->normal;
  const int64_t first = snm_skin_boneadr(m)[skin], n = snm_skin_bonenum(m)[skin];
  memset(vertex, 0, (size_t)(3 * mesh->nvertex) * sizeof *vertex);
  for (int64_t bone = first; bone < first + n; bone++) {
    move_bone(u, skin, bone, vertex);
  }
  face_normals(mesh, normal);
  const float inflate = (float)snm_skin_inflate(m)[skin];
  for (int64_t i = 0; inflate != 0 && i < 3 * mesh->nvertex; i++) {
    vertex[i] += inflate * normal[i];
  }
  mesh->version++;
}

void scene_add_skins(const update *u) {
  const sn_model *m = u->m;
  const int64_t base = 2 * snm_nmesh(m) + snm_nhfield(m);
  for (int32_t i = 0; i < snm_nskin(m) && u->options->show[SN_SHOW_SKIN]; i++) {
    if (!scene_in_group(u->options->skins, snm_skin_group(m)[i])) {
      continue;
    }
    sn_scene_geom *g = scene_new_geom(u->s, SN_DRAW_MESH, SN_SCENE_DYNAMIC);
    if (!g) {
      return;
    }
    g->object = SN_OBJECT_SKIN;
    g->id = i;
    g->group = snm_skin_group(m)[i];
    g->mesh = (int32_t)base + i;
    scene_set_look(u, g, snm_skin_matid(m)[i], snm_skin_rgba(m) + 4 * (int64_t)i);
    update_skin(u, i, &u->s->mesh[g->mesh]);
  }
}
