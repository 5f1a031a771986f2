// SPDX-License-Identifier: Apache-2.0
//
// Models to hold smooth dynamics against its laws, built in code, and random states of them. The
// engine has the plugins that smooth dynamics needs, and no collider.

#ifndef SN_TEST_ROBOTS_H
#define SN_TEST_ROBOTS_H

#include <check.h>
#include <math.h>
#include <stdio.h>

#include "dynamics/dynamics.h"
#include "sinew/math.h"
#include "suite.h"

enum { NV = 32 };   // room for the dofs of the models

static sn_engine *engine;
static sn_error *error;

#define OK(call)                                           \
  do {                                                     \
    if ((call) < 0) {                                      \
      ck_abort_msg("%s: %s", #call, sn_error_text(error)); \
    }                                                      \
  } while (0)

static inline void open_engine(void) {
  static const char *const plugins[] = { "newton", "rk4", "passive", "actuators" };
  error = sn_error_new();
  engine = sn_engine_open("", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  for (size_t i = 0; i < sizeof plugins / sizeof *plugins; i++) {
    char path[1024];
    snprintf(path, sizeof path, SN_TEST_BUILD "/plugins/%s.so", plugins[i]);
    OK(sn_engine_load_plugin(engine, plugins[i], path, error));
  }
}

static inline void close_engine(void) {
  sn_engine_close(engine);
  sn_error_free(error);
}

// ------------------------------------------------------------------ models

static inline int32_t add_body(sn_spec *spec, int32_t parent, double x, double y, double z) {
  sn_body_def body;
  int32_t id;
  sn_default_body(&body);
  body.parent = parent;
  SN_SET(body.pos, x, y, z);
  SN_SET(body.orient.quat, 0.9, 0.1 * x, -0.3, 0.2);
  OK(sn_spec_add_body(spec, &body, NULL, &id, error));
  return id;
}

static inline void add_joint(sn_spec *spec, const char *name, int32_t body, int32_t type, double x,
                             double y, double z) {
  sn_joint_def joint;
  sn_default_joint(&joint);
  joint.name = name;
  joint.body = body;
  joint.type = type;
  SN_SET(joint.axis, x, y, z);
  if (type != SN_JOINT_FREE) {
    SN_SET(joint.pos, 0.05, -0.1, 0.02);
    joint.armature = 0.03;
  }
  OK(sn_spec_add_joint(spec, &joint, NULL, NULL, error));
}

static inline void add_box(sn_spec *spec, int32_t body, double x, double y, double z) {
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.body = body;
  geom.type = SN_GEOM_BOX;
  geom.contype = geom.conaffinity = 0;
  SN_SET(geom.size, 0.1, 0.15, 0.2);
  SN_SET(geom.pos, x, y, z);
  SN_SET(geom.orient.quat, 0.8, 0.3, 0.1, 0.2);
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
}

static inline void add_site(sn_spec *spec, const char *name, int32_t body, double x, double y,
                            double z) {
  sn_site_def site;
  sn_default_site(&site);
  site.name = name;
  site.body = body;
  SN_SET(site.pos, x, y, z);
  OK(sn_spec_add_site(spec, &site, NULL, NULL, error));
}

static inline void add_wrapped(sn_spec *spec, const char *name, int32_t body, int32_t type) {
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.name = name;
  geom.body = body;
  geom.type = type;
  geom.contype = geom.conaffinity = 0;
  geom.mass = 0.1;
  SN_SET(geom.size, 0.25, 0.3, 0);
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
}

static inline void add_tendon(sn_spec *spec, const char *name, const sn_wrap_def *wrap, int64_t n) {
  sn_tendon_def tendon;
  sn_default_tendon(&tendon);
  tendon.name = name;
  tendon.wrap = wrap;
  tendon.nwrap = n;
  OK(sn_spec_add_tendon(spec, &tendon, NULL, NULL, error));
}

static inline void add_actuator(sn_spec *spec, int32_t type, const char *target, const char *ref) {
  sn_actuator_def actuator;
  sn_default_actuator(&actuator);
  actuator.trntype = type;
  actuator.target = target;
  actuator.refsite = ref;
  actuator.cranklength = 3;
  SN_SET(actuator.gear, 1.5, -0.5, 0.7, 0, 0, 0);
  OK(sn_spec_add_actuator(spec, &actuator, NULL, NULL, error));
}

static inline sn_model *compile(sn_spec *spec, const double *gravity) {
  sn_option option;
  sn_default_option(&option);
  sn_copy3(option.gravity, gravity);
  strcpy(option.integrator, "rk4");
  OK(sn_spec_set_option(spec, &option, error));
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_spec_free(spec);
  ck_assert_int_le(m->nv, NV);
  return m;
}

// Every joint, a branch, a body between without joints; tendons and transmissions if asked for.
static inline sn_model *robot(const double *gravity, int strings) {
  sn_spec *spec = sn_spec_new(engine, error);
  int32_t base = add_body(spec, 0, 0.3, 0.2, 1);
  add_joint(spec, "free", base, SN_JOINT_FREE, 0, 0, 1);
  add_box(spec, base, 0.1, 0.05, 0);
  int32_t arm = add_body(spec, base, 0.4, 0.1, 0.1);
  add_joint(spec, "hinge", arm, SN_JOINT_HINGE, 0.3, 1, 0.2);
  add_joint(spec, "slide", arm, SN_JOINT_SLIDE, 1, 0.2, -0.4);
  add_box(spec, arm, 0.2, 0, 0.1);
  int32_t plate = add_body(spec, arm, 0.2, 0.2, 0);
  add_box(spec, plate, 0, 0.1, 0);
  int32_t hand = add_body(spec, plate, 0.3, 0, 0.1);
  add_joint(spec, "ball", hand, SN_JOINT_BALL, 0, 0, 1);
  add_box(spec, hand, 0.2, 0.1, 0.1);
  int32_t tail = add_body(spec, base, -0.5, 0, 0);
  add_joint(spec, "tail", tail, SN_JOINT_HINGE, 0, 1, 0);
  add_box(spec, tail, -0.2, 0, 0);
  if (strings) {
    add_site(spec, "b", base, 0.1, 0.4, 0.2);
    add_site(spec, "h", hand, 0.5, 0.2, 0.3);
    add_site(spec, "t", tail, -0.4, 0.3, 0.1);
    add_site(spec, "w", 0, 1, 1, 0);
    add_wrapped(spec, "ball", arm, SN_GEOM_SPHERE);
    add_wrapped(spec, "drum", tail, SN_GEOM_CYLINDER);
    const sn_wrap_def path[] = {
      { .type = SN_WRAP_SITE, .object = "b" }, { .type = SN_WRAP_SPHERE, .object = "ball" },
      { .type = SN_WRAP_SITE, .object = "h" }, { .type = SN_WRAP_PULLEY, .prm = 2 },
      { .type = SN_WRAP_SITE, .object = "h" }, { .type = SN_WRAP_SITE, .object = "w" },
      { .type = SN_WRAP_SITE, .object = "t" }, { .type = SN_WRAP_PULLEY, .prm = 3 },
      { .type = SN_WRAP_SITE, .object = "b" }, { .type = SN_WRAP_SPHERE, .object = "drum" },
      { .type = SN_WRAP_SITE, .object = "t" },
    };
    const sn_wrap_def sum[] = {
      { .type = SN_WRAP_JOINT, .object = "tail", .prm = 2 },
      { .type = SN_WRAP_JOINT, .object = "hinge", .prm = -0.5 },
    };
    add_tendon(spec, "string", path, sizeof path / sizeof *path);
    add_tendon(spec, "sum", sum, sizeof sum / sizeof *sum);
    add_actuator(spec, SN_TRN_JOINT, "hinge", NULL);
    add_actuator(spec, SN_TRN_TENDON, "string", NULL);
    add_actuator(spec, SN_TRN_TENDON, "sum", NULL);
    add_actuator(spec, SN_TRN_SLIDERCRANK, "h", "t");
    add_actuator(spec, SN_TRN_SITE, "h", "w");
  }
  return compile(spec, gravity);
}

// Hinges and slides only: coordinates in which the Lagrange equations can be written down.
static inline sn_model *mechanism(const double *gravity) {
  sn_spec *spec = sn_spec_new(engine, error);
  int32_t body = 0;
  for (int i = 0; i < 5; i++) {
    body = add_body(spec, i == 3 ? 1 : body, 0.3, 0.1 * i, 0.2);
    add_joint(spec, NULL, body, i == 1 ? SN_JOINT_SLIDE : SN_JOINT_HINGE, 1, 0.5 * i, -0.3);
    if (i == 2) {
      add_joint(spec, NULL, body, SN_JOINT_HINGE, 0, 1, 0.3);
    }
    add_box(spec, body, 0.1, 0.1 * i, -0.1);
  }
  return compile(spec, gravity);
}

// ------------------------------------------------------------------ states

static const double none[3] = { 0, 0, 0 };
static const double gravity[3] = { 0.5, -1, -9.81 };

static uint64_t seed;

static inline double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return 2 * (double)(seed >> 11) / 9007199254740992.0 - 1;
}

static inline void stages(const sn_model *m, sn_data *d) {
  si_dyn_kinematics(m, d);
  si_dyn_com(m, d);
  si_dyn_tendon(m, d);
  si_dyn_inertia(m, d, d->worker);
  si_dyn_factor(m, d, d->worker);
  si_dyn_transmission(m, d, d->worker);
  si_dyn_velocity(m, d);
  si_dyn_comvel(m, d);
  si_dyn_rne(m, d, d->worker, NULL, d->qfrc_bias);
}

static inline sn_data *random_state(const sn_model *m, uint64_t number) {
  sn_data *d = sn_data_new(m, error);
  double step[NV];
  seed = number;
  for (int64_t i = 0; i < m->nv; i++) {
    step[i] = uniform();
    d->qvel[i] = uniform();
  }
  sn_integrate_position(m, d->qpos, step, 1);
  stages(m, d);
  return d;
}

// The same state with dof i moved by h.
static inline void moved(const sn_model *m, const sn_data *from, int64_t i, double h, sn_data *to) {
  double v[NV] = { 0 };
  v[i] = 1;
  memcpy(to->qpos, from->qpos, (size_t)m->nq * sizeof(double));
  memcpy(to->qvel, from->qvel, (size_t)m->nv * sizeof(double));
  sn_integrate_position(m, to->qpos, v, h);
  stages(m, to);
}

static const double h = 1e-5;

#endif
