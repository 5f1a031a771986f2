// SPDX-License-Identifier: Apache-2.0
//
// Selecting with the mouse, and pulling at what is selected.
//
// The springs of a perturbation act on the selected point p of a body, with the target p*, as if
// all of the body's inertia were a mass m = 1 / invweight0 at p: f = m (k (p* - p) - 2 sqrt(k) v).
// With this damping the mass alone would move to the target without overshooting. Rotations
// likewise, with the rotation vector from the orientation of the body to that of the target.

#include <math.h>

#include "parts.h"

static void eye_axes(const sn_scene *s, double *pos, double *forward, double *up, double *right) {
  for (int i = 0; i < 3; i++) {
    pos[i] = (double)s->eye.pos[i];
    forward[i] = (double)s->eye.forward[i];
    up[i] = (double)s->eye.up[i];
  }
  sn_cross(right, forward, up);
}

// ------------------------------------------------------------------ selecting

sn_status sn_scene_pick(const sn_scene *scene, const sn_model *model, const sn_data *data,
                        const sn_scene_options *options, double aspect, double x, double y,
                        int32_t *geom, double *distance, double *point, sn_error *error) {
  double pos[3], direction[3], up[3], right[3];
  const double half = tan((double)scene->eye.fovy * M_PI / 360);
  eye_axes(scene, pos, direction, up, right);
  sn_addscale3(direction, direction, (2 * x - 1) * half * aspect, right);
  sn_addscale3(direction, direction, (1 - 2 * y) * half, up);
  sn_normalize3(direction);
  const uint32_t groups = options->geoms & 63u;   // none: the mask 0 would mean all
  *geom = -1;
  *distance = -1;
  if (groups) {
    SN_TRY(sn_ray(model, data, pos, direction, groups, options->show[SN_SHOW_STATIC], -1, distance,
                  geom, error));
  }
  if (*distance >= 0) {
    sn_addscale3(point, pos, *distance, direction);
  }
  return SN_OK;
}

sn_perturbation sn_scene_no_perturbation(const sn_model *model) {
  sn_visual v = { .def_size = sizeof v };
  sn_model_get_visual(model, &v);
  return (sn_perturbation){ .size = sizeof(sn_perturbation),
                            .geom = -1,
                            .skin = -1,
                            .refquat = { 1, 0, 0, 0 },
                            .stiffness = v.map_stiffness,
                            .stiffnessrot = v.map_stiffnessrot };
}

sn_status sn_scene_select(const sn_scene *scene, const sn_model *model, const sn_data *data,
                          const sn_scene_options *options, double aspect, double x, double y,
                          sn_perturbation *p, sn_error *error) {
  sn_data *d = (sn_data *)(uintptr_t)data;   // the accessors of a constant data
  double point[3], offset[3], distance;
  int32_t geom;
  *p = sn_scene_no_perturbation(model);
  SN_TRY(sn_scene_pick(scene, model, data, options, aspect, x, y, &geom, &distance, point, error));
  if (geom < 0) {
    return SN_OK;
  }
  p->geom = geom;
  p->body = snm_geom_bodyid(model)[geom];
  sn_sub3(offset, point, snd_xpos(d) + 3 * p->body);
  sn_mul_matT_vec3(p->localpos, snd_xmat(d) + 9 * p->body, offset);
  return SN_OK;
}

// ------------------------------------------------------------------ the target

static void selected_point(sn_data *d, const sn_perturbation *p, double *point) {
  sn_mul_mat_vec3(point, snd_xmat(d) + 9 * p->body, p->localpos);
  sn_add3(point, point, snd_xpos(d) + 3 * p->body);
}

void sn_scene_start_perturbation(const sn_model *model, sn_data *data, sn_perturbation *p,
                                 int32_t translate, int32_t rotate) {
  const int is_body = p->body > 0 && p->body < snm_nbody(model);
  p->translate = is_body && translate;
  p->rotate = is_body && rotate;
  if (is_body) {
    selected_point(data, p, p->refpos);
    sn_copy4(p->refquat, snd_xquat(data) + 4 * p->body);
  }
}

void sn_scene_move_perturbation(const sn_scene *scene, const sn_model *model, sn_data *data,
                                sn_perturbation *p, int32_t move, double dx, double dy) {
  double pos[3], forward[3], up[3], right[3], to_point[3];
  if (p->body <= 0 || p->body >= snm_nbody(model)) {
    return;
  }
  eye_axes(scene, pos, forward, up, right);
  if (move == SN_MOVE_ROTATE || move == SN_MOVE_ROTATE_HORIZONTAL) {
    const double z[3] = { 0, 0, 1 };
    double turn[4];
    sn_axisangle_quat(turn, move == SN_MOVE_ROTATE ? up : z, M_PI * dx);
    sn_mul_quat(p->refquat, turn, p->refquat);
    if (move == SN_MOVE_ROTATE) {
      sn_axisangle_quat(turn, right, M_PI * dy);
      sn_mul_quat(p->refquat, turn, p->refquat);
    }
    return;
  }
  // the mouse moves the point in the plane of the image, at the distance of the point
  selected_point(data, p, to_point);
  sn_sub3(to_point, to_point, pos);
  const double height = 2 * tan((double)scene->eye.fovy * M_PI / 360) *
                        fabs(sn_dot3(to_point, forward));
  if (move == SN_MOVE_PAN_HORIZONTAL) {
    sn_cross(up, (const double[]){ 0, 0, 1 }, right);   // away from the camera
  }
  sn_addscale3(p->refpos, p->refpos, height * dx, right);
  sn_addscale3(p->refpos, p->refpos, -height * dy, up);
}

// ------------------------------------------------------------------ the springs

// Velocities of the body: angular, and that of the point. cvel is that at the center of mass of the
// tree.
static void velocities(const sn_model *m, sn_data *d, int32_t body, const double *point,
                       double *angular, double *linear) {
  const double *cvel = snd_cvel(d) + 6 * (int64_t)body;
  const double *com = snd_subtree_com(d) + 3 * (int64_t)snm_body_rootid(m)[body];
  double arm[3], turning[3];
  sn_copy3(angular, cvel);
  sn_sub3(arm, point, com);
  sn_cross(turning, cvel, arm);
  sn_add3(linear, cvel + 3, turning);
}

static void pull(const sn_model *m, sn_data *d, const sn_perturbation *p, double *xfrc) {
  const double *invweight = snm_body_invweight0(m) + 2 * (int64_t)p->body;
  double point[3], angular[3], linear[3], f[3], arm[3], torque[3];
  selected_point(d, p, point);
  velocities(m, d, p->body, point, angular, linear);
  if (p->translate && invweight[0] > 0) {
    sn_sub3(f, p->refpos, point);
    sn_scale3(f, f, p->stiffness);
    sn_addscale3(f, f, -2 * sqrt(p->stiffness), linear);
    sn_scale3(f, f, 1 / invweight[0]);
    sn_sub3(arm, point, snd_xipos(d) + 3 * (int64_t)p->body);   // xfrc acts at the center of mass
    sn_cross(torque, arm, f);
    sn_add3(xfrc, xfrc, f);
    sn_add3(xfrc + 3, xfrc + 3, torque);
  }
  if (p->rotate && invweight[1] > 0) {
    double back[4], turn[4];
    sn_conj_quat(back, snd_xquat(d) + 4 * (int64_t)p->body);
    sn_mul_quat(turn, p->refquat, back);
    sn_quat_vec(torque, turn);
    sn_scale3(torque, torque, p->stiffnessrot);
    sn_addscale3(torque, torque, -2 * sqrt(p->stiffnessrot), angular);
    sn_scale3(torque, torque, 1 / invweight[1]);
    sn_add3(xfrc + 3, xfrc + 3, torque);
  }
}

static void move_mocap(sn_data *d, const sn_perturbation *p, int32_t mocap) {
  double *pos = snd_mocap_pos(d) + 3 * (int64_t)mocap;
  double *quat = snd_mocap_quat(d) + 4 * (int64_t)mocap, offset[3];
  if (p->rotate) {
    sn_copy4(quat, p->refquat);
  }
  if (p->translate) {   // the selected point goes to the target
    sn_rotate(offset, p->localpos, quat);
    sn_sub3(pos, p->refpos, offset);
  }
}

void sn_scene_apply_perturbation(const sn_model *model, sn_data *data, const sn_perturbation *p) {
  if (p->body <= 0 || p->body >= snm_nbody(model)) {
    return;
  }
  const int32_t mocap = snm_body_mocapid(model)[p->body];
  double *xfrc = snd_xfrc_applied(data) + 6 * (int64_t)p->body;
  if (mocap >= 0) {
    move_mocap(data, p, mocap);
    return;
  }
  for (int i = 0; i < 6; i++) {
    xfrc[i] = 0;
  }
  pull(model, data, p, xfrc);
}
