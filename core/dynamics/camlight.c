// SPDX-License-Identifier: Apache-2.0
//
// Poses of cameras and lights. A mode says what they follow:
//   fixed            the body, rigidly
//   track            keeps the offset from the body and the orientation that it had at qpos0
//   trackcom         the same, from the center of mass of the body's subtree
//   targetbody       fixed, turned to the target body
//   targetbodycom    fixed, turned to the center of mass of the target's subtree
// A camera looks along -z of its frame, with x to the right and y up.

#include "dynamics/dynamics.h"
#include "sinew/math.h"

// The point that a camera or light of this mode is turned to; NULL: none.
static const double *target_point(const sn_data *d, int32_t mode, int32_t target) {
  if (target < 0) {
    return NULL;
  }
  if (mode == SN_TRACK_TARGETBODY) {
    return d->xpos + 3 * target;
  }
  return mode == SN_TRACK_TARGETBODYCOM ? d->subtree_com + 3 * target : NULL;
}

// Position of the tracking modes; false: the mode does not track.
static int track_position(const sn_data *d, int32_t mode, int32_t body, const double *pos0,
                          const double *poscom0, double *xpos) {
  if (mode == SN_TRACK_TRACK) {
    sn_add3(xpos, d->xpos + 3 * body, pos0);
  } else if (mode == SN_TRACK_TRACKCOM) {
    sn_add3(xpos, d->subtree_com + 3 * body, poscom0);
  } else {
    return 0;
  }
  return 1;
}

// The frame at `from` whose -z points to `to` and whose x is horizontal.
static void look_at(double *mat, const double *from, const double *to) {
  const double up[3] = { 0, 0, 1 };
  double x[3], y[3], z[3];
  sn_sub3(z, from, to);
  sn_normalize3(z);
  sn_cross(x, up, z);
  sn_normalize3(x);
  sn_cross(y, z, x);
  sn_normalize3(y);
  for (int i = 0; i < 3; i++) {
    mat[3 * i] = x[i];
    mat[3 * i + 1] = y[i];
    mat[3 * i + 2] = z[i];
  }
}

static void place_camera(const sn_model *m, sn_data *d, int32_t i) {
  int32_t body = m->cam_bodyid[i], mode = m->cam_mode[i];
  double *pos = d->cam_xpos + 3 * i, *mat = d->cam_xmat + 9 * i;

  if (track_position(d, mode, body, m->cam_pos0 + 3 * i, m->cam_poscom0 + 3 * i, pos)) {
    memcpy(mat, m->cam_mat0 + 9 * i, 9 * sizeof(double));
    return;
  }
  double quat[4];
  sn_mul_mat_vec3(pos, d->xmat + 9 * body, m->cam_pos + 3 * i);
  sn_add3(pos, pos, d->xpos + 3 * body);
  sn_mul_quat(quat, d->xquat + 4 * body, m->cam_quat + 4 * i);
  sn_quat_mat(mat, quat);
  const double *target = target_point(d, mode, m->cam_targetbodyid[i]);
  if (target) {
    look_at(mat, pos, target);
  }
}

static void place_light(const sn_model *m, sn_data *d, int32_t i) {
  int32_t body = m->light_bodyid[i], mode = m->light_mode[i];
  double *pos = d->light_xpos + 3 * i, *dir = d->light_xdir + 3 * i;

  if (track_position(d, mode, body, m->light_pos0 + 3 * i, m->light_poscom0 + 3 * i, pos)) {
    sn_copy3(dir, m->light_dir0 + 3 * i);
  } else {
    sn_mul_mat_vec3(pos, d->xmat + 9 * body, m->light_pos + 3 * i);
    sn_add3(pos, pos, d->xpos + 3 * body);
    sn_mul_mat_vec3(dir, d->xmat + 9 * body, m->light_dir + 3 * i);
    const double *target = target_point(d, mode, m->light_targetbodyid[i]);
    if (target) {
      sn_sub3(dir, target, pos);
    }
  }
  sn_normalize3(dir);
}

static void place_all(const sn_model *m, sn_data *d) {
  for (int32_t i = 0; i < (int32_t)m->ncam; i++) {
    place_camera(m, d, i);
  }
  for (int32_t i = 0; i < (int32_t)m->nlight; i++) {
    place_light(m, d, i);
  }
}

void si_dyn_camlight(const sn_model *m, sn_data *d) {
  const si_roots *roots = &m->bound.roots;
  if (!d->sleep.is_fixed) {
    place_all(m, d);
    return;
  }
  for (int32_t k = 0; k < roots->ncam; k++) {
    place_camera(m, d, roots->cam[k]);
  }
  for (int32_t k = 0; k < roots->nlight; k++) {
    place_light(m, d, roots->light[k]);
  }
}
