// SPDX-License-Identifier: Apache-2.0
//
// Builds a humanoid-like figure without a model file, and lets it land on its feet with the help of
// springs and servos. See docs/models_in_code.md.
//
//   figure [INI]        prints the height of the pelvis every tenth of a second

#include <math.h>
#include <stdio.h>

#include "sinew/sinew.h"

typedef struct maker {
  sn_spec *spec;
  sn_error *error;
  int failed;   // set by the first failure; the functions below then do nothing
} maker;

static int32_t add_body(maker *m, const char *name, int32_t parent, double x, double y, double z) {
  sn_body_def body;
  sn_default_body(&body);
  body.name = name;
  body.parent = parent;
  SN_SET(body.pos, x, y, z);
  int32_t id = -1;
  m->failed |= m->failed || sn_spec_add_body(m->spec, &body, NULL, &id, m->error) < 0;
  return id;
}

// Adds a capsule between two points of a body.
static void add_bone(maker *m, int32_t body, const double *fromto, double radius) {
  sn_geom_def bone;
  sn_default_geom(&bone);
  bone.body = body;
  bone.type = SN_GEOM_CAPSULE;
  bone.size[0] = radius;
  sn_set_reals(bone.fromto, 6, fromto);
  m->failed |= m->failed || sn_spec_add_geom(m->spec, &bone, NULL, NULL, m->error) < 0;
}

// Adds a hinge with a spring and a position servo. target: rest angle of the spring, in radians.
static void add_hinge(maker *m, int32_t body, const char *name, double low, double high,
                      double strength, double target) {
  sn_joint_def hinge;
  sn_default_joint(&hinge);
  hinge.name = name;
  hinge.body = body;
  SN_SET(hinge.axis, 0, 1, 0);
  hinge.limited = SN_TRUE;
  SN_SET(hinge.range, low, high);
  hinge.damping = 0.05 * strength;
  hinge.armature = 0.02;
  hinge.springref = target;
  m->failed |= m->failed || sn_spec_add_joint(m->spec, &hinge, NULL, NULL, m->error) < 0;

  sn_actuator_def servo;
  sn_default_actuator(&servo);
  servo.name = name;
  servo.target = name;
  servo.trntype = SN_TRN_JOINT;
  servo.gaintype = "fixed";
  servo.biastype = "affine";
  servo.gainprm[0] = strength;
  servo.biasprm[1] = -strength;
  m->failed |= m->failed || sn_spec_add_actuator(m->spec, &servo, NULL, NULL, m->error) < 0;
}

static void add_leg(maker *m, int32_t pelvis, double side) {
  const char *hip = side > 0 ? "left_hip" : "right_hip";
  const char *knee = side > 0 ? "left_knee" : "right_knee";
  const char *ankle = side > 0 ? "left_ankle" : "right_ankle";
  int32_t thigh = add_body(m, side > 0 ? "left_thigh" : "right_thigh", pelvis, 0, 0.1 * side, -0.1);
  add_hinge(m, thigh, hip, -2, 1, 300, 0);
  add_bone(m, thigh, (const double[]){ 0, 0, 0, 0, 0, -0.4 }, 0.06);

  int32_t shin = add_body(m, side > 0 ? "left_shin" : "right_shin", thigh, 0, 0, -0.4);
  add_hinge(m, shin, knee, 0, 2.5, 300, 0);
  add_bone(m, shin, (const double[]){ 0, 0, 0, 0, 0, -0.4 }, 0.045);

  int32_t foot = add_body(m, side > 0 ? "left_foot" : "right_foot", shin, 0, 0, -0.42);
  add_hinge(m, foot, ankle, -0.8, 0.8, 200, 0);
  add_bone(m, foot, (const double[]){ -0.08, 0.03, 0, 0.18, 0.03, 0 }, 0.03);
  add_bone(m, foot, (const double[]){ -0.08, -0.03, 0, 0.18, -0.03, 0 }, 0.03);
}

static void add_arm(maker *m, int32_t chest, double side) {
  int32_t arm = add_body(m, side > 0 ? "left_arm" : "right_arm", chest, 0, 0.2 * side, 0.35);
  add_hinge(m, arm, side > 0 ? "left_shoulder" : "right_shoulder", -2, 2, 60, 0);
  add_bone(m, arm, (const double[]){ 0, 0.02 * side, 0, 0, 0.06 * side, -0.28 }, 0.04);
  int32_t hand = add_body(m, side > 0 ? "left_hand" : "right_hand", arm, 0, 0.06 * side, -0.28);
  add_hinge(m, hand, side > 0 ? "left_elbow" : "right_elbow", -2.5, 0, 40, 0);
  add_bone(m, hand, (const double[]){ 0, 0, 0, 0, 0, -0.25 }, 0.035);
}

static void add_world(maker *m) {
  sn_geom_def floor;
  sn_default_geom(&floor);
  floor.name = "floor";
  floor.type = SN_GEOM_PLANE;
  SN_SET(floor.size, 5, 5, 0.1);
  m->failed |= m->failed || sn_spec_add_geom(m->spec, &floor, NULL, NULL, m->error) < 0;

  int32_t pelvis = add_body(m, "pelvis", 0, 0, 0, 1.1);
  sn_joint_def root;
  sn_default_joint(&root);
  root.name = "root";
  root.body = pelvis;
  root.type = SN_JOINT_FREE;
  m->failed |= m->failed || sn_spec_add_joint(m->spec, &root, NULL, NULL, m->error) < 0;
  add_bone(m, pelvis, (const double[]){ 0, -0.1, 0, 0, 0.1, 0 }, 0.09);
  add_leg(m, pelvis, 1);
  add_leg(m, pelvis, -1);

  int32_t chest = add_body(m, "chest", pelvis, 0, 0, 0.15);
  add_hinge(m, chest, "waist", -0.5, 1, 400, 0);
  add_bone(m, chest, (const double[]){ 0, 0, 0, 0, 0, 0.3 }, 0.11);
  int32_t head = add_body(m, "head", chest, 0, 0, 0.55);
  add_hinge(m, head, "neck", -0.5, 0.5, 40, 0);
  add_bone(m, head, (const double[]){ 0, 0, -0.02, 0, 0, 0.05 }, 0.09);
  add_arm(m, chest, 1);
  add_arm(m, chest, -1);
}

static int run(const sn_model *m, sn_error *error) {
  sn_data *d = sn_data_new(m, error);
  if (!d) {
    return 1;
  }
  int32_t pelvis = sn_find(m, "body", "pelvis");
  int failed = 0;
  for (int i = 0; i <= 500 && !failed; i++) {
    if (i % 50 == 0) {
      printf("%.1f s: pelvis at %.3f m, %lld contacts\n", snd_time(d)[0],
             i ? snd_xpos(d)[3 * pelvis + 2] : snd_qpos(d)[2], (long long)snd_ncon(d));
    }
    failed = sn_step(m, d) != SN_OK;
  }
  failed |= !(snd_xpos(d)[3 * pelvis + 2] > 0.7);   // it must still stand
  sn_data_free(d);
  return failed;
}

int main(int argc, char **argv) {
  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open(argc > 1 ? argv[1] : NULL, error);
  maker m = { engine ? sn_spec_new(engine, error) : NULL, error, 0 };
  m.failed = !m.spec;
  if (!m.failed) {
    sn_option option;
    sn_default_option(&option);
    option.timestep = 0.002;
    m.failed = sn_spec_set_option(m.spec, &option, error) < 0;
    add_world(&m);
  }
  sn_model *model = m.failed ? NULL : sn_compile(m.spec, error);
  int failed = !model || run(model, error);
  if (sn_error_code(error) < 0) {
    fprintf(stderr, "figure: %s\n", sn_error_text(error));
  }
  sn_model_free(model);
  sn_spec_free(m.spec);
  sn_engine_close(engine);
  sn_error_free(error);
  return failed;
}
