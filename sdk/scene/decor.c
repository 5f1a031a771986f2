// SPDX-License-Identifier: Apache-2.0
//
// What explains a model: joints, actuators, inertia, centers of mass, cameras, lights, constraints.
// Sizes are those of visual/scale times the mean size of the bodies.

#include <math.h>
#include <string.h>

#include "parts.h"

static double scaled(const update *u, double factor) {
  return factor * u->s->statistic.meansize;
}

static sn_scene_geom *add_shape(const update *u, int32_t type, const double *pos, const double *mat,
                                double x, double y, double z, const double *rgba) {
  sn_scene_geom *g = scene_new_geom(u->s, type, SN_SCENE_DECOR);
  if (g) {
    scene_set_pose(g, pos, mat);
    scene_set_size(g, x, y, z);
    scene_set_rgba(g, rgba);
  }
  return g;
}

static sn_scene_geom *add_ball(const update *u, const double *pos, double radius,
                               const double *rgba) {
  static const double axes[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  return add_shape(u, SN_DRAW_SPHERE, pos, axes, radius, radius, radius, rgba);
}

static void mark(sn_scene_geom *g, int32_t object, int32_t id) {
  if (g) {
    g->object = object;
    g->id = id;
  }
}

// ------------------------------------------------------------------ joints

static void add_joint_shape(const update *u, int32_t j, double length, double width,
                            const double *rgba, int32_t object, int32_t id) {
  const int32_t type = snm_jnt_type(u->m)[j];
  const double *anchor = snd_xanchor(u->d) + 3 * (int64_t)j;
  const double *axis = snd_xaxis(u->d) + 3 * (int64_t)j;
  const double *mat = snd_xmat(u->d) + 9 * (int64_t)snm_jnt_bodyid(u->m)[j];
  sn_scene_geom *g;
  if (type == SN_JOINT_BALL) {
    g = add_ball(u, anchor, 1.5 * width, rgba);
  } else if (type == SN_JOINT_FREE) {
    g = add_shape(u, SN_DRAW_BOX, anchor, mat, width, width, width, rgba);
  } else {
    double end[3];
    sn_addscale3(end, anchor, length, axis);
    g = scene_new_link(u->s, SN_DRAW_ARROW, width, anchor, end, rgba);
  }
  mark(g, object, id);
}

static void add_joints(const update *u) {
  const sn_visual *v = &u->s->visual;
  for (int32_t j = 0; j < snm_njnt(u->m) && u->options->show[SN_SHOW_JOINT]; j++) {
    if (scene_in_group(u->options->joints, snm_jnt_group(u->m)[j])) {
      add_joint_shape(u, j, scaled(u, v->scale_jointlength), scaled(u, v->scale_jointwidth),
                      v->rgba_joint, SN_OBJECT_JOINT, j);
    }
  }
}

// ------------------------------------------------------------------ actuators

// How much an actuator does, -1 to 1: its activation or its control, within its range.
static double effort(const update *u, int32_t i) {
  const sn_model *m = u->m;
  const int32_t adr = snm_actuator_actadr(m)[i];
  const int is_activation = u->options->show[SN_SHOW_ACTIVATION] && adr >= 0;
  const double *range = is_activation ? snm_actuator_actrange(m) : snm_actuator_ctrlrange(m);
  const int32_t limited = (is_activation ? snm_actuator_actlimited(m)
                                         : snm_actuator_ctrllimited(m))[i];
  const double value = is_activation ? snd_act(u->d)[adr] : snd_ctrl(u->d)[i];
  const double *r = range + 2 * (int64_t)i, largest = fmax(fabs(r[0]), fabs(r[1]));
  return sn_clamp(limited && largest > 0 ? value / largest : value, -1, 1);
}

static void effort_color(const update *u, int32_t i, double *rgba) {
  const sn_visual *v = &u->s->visual;
  const double x = effort(u, i);
  const double *full = x < 0 ? v->rgba_actuatornegative : v->rgba_actuatorpositive;
  for (int k = 0; k < 4; k++) {
    rgba[k] = (1 - fabs(x)) * v->rgba_actuator[k] + fabs(x) * full[k];
  }
}

typedef struct actuated {
  const update *u;
  double width, rgba[4];
  int32_t actuator;
} actuated;

static void add_actuated_piece(void *context, const double *from, const double *to) {
  const actuated *a = context;
  mark(scene_new_link(a->u->s, SN_DRAW_CAPSULE, a->width, from, to, a->rgba), SN_OBJECT_ACTUATOR,
       a->actuator);
}

// The path of the tendon, wider than the tendon itself.
static void add_actuated_tendon(const update *u, int32_t tendon, const double *rgba, int32_t i) {
  actuated a = { .u = u,
                 .width = snm_tendon_width(u->m)[tendon] * u->s->visual.map_actuatortendon,
                 .actuator = i };
  memcpy(a.rgba, rgba, sizeof a.rgba);
  sn_scene_trace_tendon(u->m, u->d, tendon, add_actuated_piece, &a);
}

static void add_actuator(const update *u, int32_t i) {
  const sn_visual *v = &u->s->visual;
  const double length = scaled(u, v->scale_actuatorlength);
  const double width = scaled(u, v->scale_actuatorwidth);
  const int32_t type = snm_actuator_trntype(u->m)[i];
  const int32_t id = snm_actuator_trnid(u->m)[2 * (int64_t)i];
  double rgba[4];
  effort_color(u, i, rgba);
  if (type == SN_TRN_JOINT || type == SN_TRN_JOINTINPARENT) {
    add_joint_shape(u, id, length, width, rgba, SN_OBJECT_ACTUATOR, i);
  } else if (type == SN_TRN_TENDON) {
    add_actuated_tendon(u, id, rgba, i);
  } else if (type == SN_TRN_BODY) {
    mark(add_ball(u, snd_xipos(u->d) + 3 * (int64_t)id, width, rgba), SN_OBJECT_ACTUATOR, i);
  } else {   // a site, or the pin of a slider-crank
    mark(add_ball(u, snd_site_xpos(u->d) + 3 * (int64_t)id, width, rgba), SN_OBJECT_ACTUATOR, i);
  }
}

static void add_actuators(const update *u) {
  const int32_t *show = u->options->show;
  for (int32_t i = 0; i < snm_nu(u->m) && (show[SN_SHOW_ACTUATOR] || show[SN_SHOW_ACTIVATION]);
       i++) {
    if (scene_in_group(u->options->actuators, snm_actuator_group(u->m)[i])) {
      add_actuator(u, i);
    }
  }
}

// ------------------------------------------------------------------ bodies

// Half lengths of the box, or radii of the ellipsoid, of uniform density with these principal
// moments: I_x = (m / k) (b^2 + c^2), so that a^2 = (k / 2m) (I_y + I_z - I_x), where k is 3 for a
// box and 5 for an ellipsoid.
static void inertia_size(const sn_model *m, int32_t body, int ellipsoid, double *size) {
  const double mass = snm_body_mass(m)[body], *I = snm_body_inertia(m) + 3 * (int64_t)body;
  const double sum = I[0] + I[1] + I[2];
  for (int k = 0; k < 3; k++) {
    size[k] = mass > 0 ? sqrt(fmax(0, (ellipsoid ? 5 : 3) / (2 * mass) * (sum - 2 * I[k]))) : 0;
  }
}

static sn_scene_geom *add_inertia(const update *u, int32_t body, const double *pos,
                                  const double *mat, const double *rgba) {
  const int ellipsoid = u->options->show[SN_SHOW_ELLIPSOID];
  double size[3];
  inertia_size(u->m, body, ellipsoid, size);
  sn_scene_geom *g = add_shape(u, ellipsoid ? SN_DRAW_ELLIPSOID : SN_DRAW_BOX, pos, mat, size[0],
                               size[1], size[2], rgba);
  mark(g, SN_OBJECT_BODY, body);
  return g;
}

static void connect(const update *u, const double *from, const double *to) {
  const sn_visual *v = &u->s->visual;
  if (sn_dist3(from, to) > 0) {
    scene_new_link(u->s, SN_DRAW_CAPSULE, scaled(u, v->scale_connect), from, to, v->rgba_connect);
  }
}

// Lines from the parent's center of mass through the joints to that of the body.
static void add_skeleton(const update *u, int32_t body) {
  const sn_model *m = u->m;
  const int32_t parent = snm_body_parentid(m)[body];
  const double *at = parent > 0 ? snd_xipos(u->d) + 3 * (int64_t)parent : NULL;
  for (int32_t k = 0; k < snm_body_jntnum(m)[body]; k++) {
    const double *anchor = snd_xanchor(u->d) + 3 * (int64_t)(snm_body_jntadr(m)[body] + k);
    if (at) {
      connect(u, at, anchor);
    }
    at = anchor;
  }
  if (at) {
    connect(u, at, snd_xipos(u->d) + 3 * (int64_t)body);
  }
}

static void add_bodies(const update *u) {
  const int32_t *show = u->options->show;
  const sn_visual *v = &u->s->visual;
  for (int32_t b = 1; b < snm_nbody(u->m); b++) {
    const double *com = snd_xipos(u->d) + 3 * (int64_t)b;
    if (show[SN_SHOW_INERTIA] && snm_body_mass(u->m)[b] > 0) {
      add_inertia(u, b, com, snd_ximat(u->d) + 9 * (int64_t)b, v->rgba_inertia);
    }
    if (show[SN_SHOW_COM] && snm_body_rootid(u->m)[b] == b) {
      mark(
          add_ball(u, snd_subtree_com(u->d) + 3 * (int64_t)b, scaled(u, v->scale_com), v->rgba_com),
          SN_OBJECT_BODY, b);
    }
    if (show[SN_SHOW_AUTOCONNECT]) {
      add_skeleton(u, b);
    }
  }
}

// ------------------------------------------------------------------ forces and perturbations

// An arrow as long as the force times visual/map force, divided by the mean mass.
static void add_applied_force(const update *u, int32_t body) {
  const sn_visual *v = &u->s->visual;
  const double *f = snd_xfrc_applied(u->d) + 6 * (int64_t)body;
  const double *from = snd_xipos(u->d) + 3 * (int64_t)body;
  const double mass = u->s->statistic.meanmass;
  double to[3];
  if (sn_norm3(f) > 0 && mass > 0) {
    sn_addscale3(to, from, v->map_force / mass, f);
    mark(scene_new_link(u->s, SN_DRAW_ARROW, scaled(u, v->scale_forcewidth), from, to,
                        v->rgba_force),
         SN_OBJECT_BODY, body);
  }
}

static void add_perturbation(const update *u) {
  const sn_perturbation *p = u->perturbation;
  const sn_visual *v = &u->s->visual;
  if (!p || p->body <= 0 || p->body >= snm_nbody(u->m)) {
    return;
  }
  double point[3], radius = scaled(u, v->scale_selectpoint);
  sn_mul_mat_vec3(point, snd_xmat(u->d) + 9 * (int64_t)p->body, p->localpos);
  sn_add3(point, point, snd_xpos(u->d) + 3 * (int64_t)p->body);
  if (u->options->show[SN_SHOW_SELECT]) {
    add_ball(u, point, radius, v->rgba_selectpoint);
  }
  if (!u->options->show[SN_SHOW_PERTOBJECT] || (!p->translate && !p->rotate)) {
    return;
  }
  if (p->translate) {
    scene_new_link(u->s, SN_DRAW_CAPSULE, radius / 4, point, p->refpos, v->rgba_force);
    add_ball(u, p->refpos, radius / 2, v->rgba_force);
  }
  if (p->rotate) {
    double quat[4], mat[9];
    sn_mul_quat(quat, p->refquat, snm_body_iquat(u->m) + 4 * (int64_t)p->body);
    sn_quat_mat(mat, quat);
    sn_scene_geom *g = add_inertia(u, p->body, snd_xipos(u->d) + 3 * (int64_t)p->body, mat,
                                   v->rgba_force);
    if (g) {
      g->rgba[3] = (float)v->map_alpha;
    }
  }
}

// ------------------------------------------------------------------ constraints

static void add_anchor(const update *u, int32_t eq, int32_t body, const double *local,
                       const double *rgba) {
  double point[3];
  sn_mul_mat_vec3(point, snd_xmat(u->d) + 9 * (int64_t)body, local);
  sn_add3(point, point, snd_xpos(u->d) + 3 * (int64_t)body);
  mark(add_ball(u, point, scaled(u, u->s->visual.scale_constraint), rgba), SN_OBJECT_EQUALITY, eq);
}

// The two anchors of a constraint, which coincide where it holds. Those of the second body have the
// color of connections.
static void add_constraints(const update *u) {
  const sn_model *m = u->m;
  const sn_visual *v = &u->s->visual;
  const int64_t ndata = snm_neq(m) ? 11 : 0;
  for (int32_t i = 0; i < snm_neq(m) && u->options->show[SN_SHOW_CONSTRAINT]; i++) {
    const int32_t type = snm_eq_type(m)[i];
    const double *data = snm_eq_data(m) + ndata * i;
    if (!snm_eq_active(m)[i] || (type != SN_EQUALITY_CONNECT && type != SN_EQUALITY_WELD)) {
      continue;
    }
    const int is_weld = type == SN_EQUALITY_WELD;   // whose first anchor is in the second body
    add_anchor(u, i, snm_eq_obj1id(m)[i], data + (is_weld ? 3 : 0), v->rgba_constraint);
    add_anchor(u, i, snm_eq_obj2id(m)[i], data + (is_weld ? 0 : 3), v->rgba_connect);
  }
}

// ------------------------------------------------------------------ cameras and lights

static void add_cameras(const update *u) {
  const sn_visual *v = &u->s->visual;
  const double r = scaled(u, v->scale_camera);
  for (int32_t i = 0; i < snm_ncam(u->m) && u->options->show[SN_SHOW_CAMERA]; i++) {
    const double *pos = snd_cam_xpos(u->d) + 3 * (int64_t)i;
    const double *mat = snd_cam_xmat(u->d) + 9 * (int64_t)i;
    double front[3];
    for (int k = 0; k < 3; k++) {
      front[k] = pos[k] - 1.2 * r * mat[3 * k + 2];
    }
    mark(add_shape(u, SN_DRAW_BOX, pos, mat, 0.6 * r, 0.4 * r, r, v->rgba_camera), SN_OBJECT_CAMERA,
         i);
    mark(scene_new_link(u->s, SN_DRAW_CONE, 0.7 * r, front, pos, v->rgba_camera), SN_OBJECT_CAMERA,
         i);
  }
}

static void add_light_shapes(const update *u) {
  const sn_visual *v = &u->s->visual;
  const double r = scaled(u, v->scale_light);
  for (int32_t i = 0; i < snm_nlight(u->m) && u->options->show[SN_SHOW_LIGHT]; i++) {
    const double *pos = snd_light_xpos(u->d) + 3 * (int64_t)i;
    double end[3];
    sn_addscale3(end, pos, r, snd_light_xdir(u->d) + 3 * (int64_t)i);
    const int32_t type = snm_light_directional(u->m)[i] ? SN_DRAW_CYLINDER : SN_DRAW_CONE;
    mark(scene_new_link(u->s, type, 0.6 * r, end, pos, v->rgba_light), SN_OBJECT_LIGHT, i);
  }
}

void scene_add_decor(const update *u) {
  add_joints(u);
  add_actuators(u);
  add_bodies(u);
  add_constraints(u);
  add_cameras(u);
  add_light_shapes(u);
  for (int32_t b = 1; b < snm_nbody(u->m) && u->options->show[SN_SHOW_PERTFORCE]; b++) {
    add_applied_force(u, b);
  }
  add_perturbation(u);
}
