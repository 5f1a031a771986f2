// SPDX-License-Identifier: Apache-2.0
//
// Every joint of x_xy beside the reference engine: the file as x_xy in Sinew, and what its rules
// say that it means, written by hand as MJCF, in the other. Trajectories of 200 steps agree to
// rounding; where axes are drawn, to the six digits that are known of them.
//
// The rules: gravity with the other sign; quaternions conjugated; Euler angles of the order XYZ;
// lengths halved; cylinders and capsules along x; 1e-6 more armature everywhere; no contact.

#include <math.h>
#include <mujoco/mujoco.h>

#include "loading.h"
#include "suite.h"

static void setup(void) {
  open_engine("");
}

#define X(body) "<x_xy><options gravity='1 -2 9' dt='.01'/><worldbody>" body "</worldbody></x_xy>"
#define M(body)                                                                                \
  "<mujoco><compiler eulerseq='XYZ' angle='degree'/><option timestep='.01' gravity='-1 2 -9'>" \
  "<flag contact='disable'/></option><worldbody>" body "</worldbody></mujoco>"

// a body that is turned and off its joint, and a hinge on it
#define X_BOX "<geom type='box' mass='2' dim='.3 .4 .5' pos='.2 .1 -.3' euler='10 20 30'/>"
#define M_BOX "<geom type='box' mass='2' size='.15 .2 .25' pos='.2 .1 -.3' euler='10 20 30'/>"
#define X_TIP \
  "<body name='tip' joint='ry' pos='.5 0 0' quat='.8 0 .6 0' damping='.1'>" X_BOX "</body>"
#define M_TIP                                                                        \
  "<body name='tip' pos='.5 0 0' quat='.8 0 -.6 0'><joint axis='0 1 0' damping='.1'" \
  " armature='1e-6'/>" M_BOX "</body>"
#define X_BODY(joint, more) \
  X("<body name='a' joint='" joint "' pos='1 2 3' euler='30 40 50' " more ">" X_BOX X_TIP "</body>")
#define M_BODY(joints) \
  M("<body name='a' pos='1 2 3' euler='30 40 50'>" joints M_BOX M_TIP "</body>")
#define SLIDE(axis, more) "<joint type='slide' axis='" axis "' " more "/>"
#define HINGE(axis, more) "<joint type='hinge' axis='" axis "' " more "/>"
#define BALL(more) "<joint type='ball' " more "/>"
#define ALONE "armature='1e-6'"
#define SIX "armature='.200001' damping='.5' stiffness='3'"

static const struct {
  const char *x_xy, *mjcf;
  double tolerance;
} pairs[] = {
  { X_BODY("frozen", ""), M_BODY(""), 1e-9 },
  { X_BODY("px", "damping='.3' armature='.2' spring_stiff='7' spring_zero='.1'"),
    M_BODY(SLIDE("1 0 0", "damping='.3' armature='.200001' stiffness='7' springref='.1'")), 1e-9 },
  { X_BODY("py", ""), M_BODY(SLIDE("0 1 0", ALONE)), 1e-9 },
  { X_BODY("pz", ""), M_BODY(SLIDE("0 0 1", ALONE)), 1e-9 },
  { X_BODY("rx", ""), M_BODY(HINGE("1 0 0", ALONE)), 1e-9 },
  { X_BODY("ry", "spring_stiff='3' spring_zero='.5235987755982988'"),
    M_BODY(HINGE("0 1 0", ALONE " stiffness='3' springref='30'")), 1e-9 },
  { X_BODY("rz", ""), M_BODY(HINGE("0 0 1", ALONE)), 1e-9 },
  { X_BODY("saddle", "damping='.1 .2'"),
    M_BODY(HINGE("0 1 0", ALONE " damping='.1'") HINGE("0 0 1", ALONE " damping='.2'")), 1e-9 },
  { X_BODY("p3d", "damping='1 2 3'"),
    M_BODY(SLIDE("1 0 0", ALONE " damping='1'") SLIDE("0 1 0", ALONE " damping='2'")
               SLIDE("0 0 1", ALONE " damping='3'")),
    1e-9 },
  // in the file the rotation stands first
  { X_BODY("free_2d", "damping='1 2 3' spring_stiff='0 5 6' spring_zero='0 .7 .8'"),
    M_BODY(SLIDE("0 1 0", ALONE " damping='2' stiffness='5' springref='.7'")
               SLIDE("0 0 1", ALONE " damping='3' stiffness='6' springref='.8'")
                   HINGE("1 0 0", ALONE " damping='1'")),
    1e-9 },
  { X_BODY("spherical", "damping='.5 .5 .5' armature='.2 .2 .2' spring_stiff='3 3 3'"),
    M_BODY(BALL(SIX)), 1e-9 },
  { X_BODY("free", "damping='.5 .5 .5 1 2 3' armature='.2 .2 .2 0 0 0' spring_stiff='3 3 3 4 5 6'"
                   " spring_zero='1 0 0 0 .1 .2 .3'"),
    M_BODY(SLIDE("1 0 0", ALONE " damping='1' stiffness='4' springref='.1'")
               SLIDE("0 1 0", ALONE " damping='2' stiffness='5' springref='.2'")
                   SLIDE("0 0 1", ALONE " damping='3' stiffness='6' springref='.3'") BALL(SIX)),
    1e-9 },
  // a free body that hangs in another
  { X("<body name='a' joint='ry'>" X_BOX
      "<body name='b' joint='free' pos='.1 .2 .3' quat='.6 0 0 .8'>" X_BOX "</body></body>"),
    M("<body name='a'>" HINGE("0 1 0", ALONE) M_BOX
      "<body name='b' pos='.1 .2 .3' quat='.6 0 0 -.8'>" SLIDE("1 0 0", ALONE) SLIDE("0 1 0", ALONE)
          SLIDE("0 0 1", ALONE) BALL(ALONE) M_BOX "</body></body>"),
    1e-9 },
  { X_BODY("cor", "damping='1 1 1 2 3 4 5 6 7' armature='.1 .1 .1 .1 .1 .1 .1 .1 .1'"),
    M("<body pos='1 2 3' euler='30 40 50'>"
      "<inertial pos='0 0 0' mass='1e-12' diaginertia='1e-12 1e-12 1e-12'/>" SLIDE(
          "1 0 0", "armature='.100001' damping='2'")
          SLIDE("0 1 0", "armature='.100001' damping='3'")
              SLIDE("0 0 1", "armature='.100001' damping='4'")
                  BALL("armature='.100001' damping='1'") "<body>" SLIDE(
                      "1 0 0", "armature='.100001' damping='5'")
                      SLIDE("0 1 0", "armature='.100001' damping='6'") SLIDE(
                          "0 0 1", "armature='.100001' damping='7'") M_BOX M_TIP "</body></body>"),
    1e-9 },
  // drawn axes: those of two links, of which one draws, are not those of one
  { X("<body name='a' joint='rr' pos='1 2 3' euler='30 40 50'>" X_BOX "</body>"),
    M("<body pos='1 2 3' euler='30 40 50'>" HINGE("0.412784 -0.632991 0.654928", ALONE) M_BOX
      "</body>"),
    1e-4 },
  { X("<body name='a' joint='rr_imp' pos='1 2 3' euler='30 40 50'>" X_BOX "</body>"),
    M("<body pos='1 2 3' euler='30 40 50'>" HINGE("-0.533908 0.792565 0.294589", ALONE)
          HINGE("0.620224 0.130298 0.773528", ALONE) M_BOX "</body>"),
    1e-4 },
  { X("<body name='a' joint='rsaddle' pos='1 2 3' euler='30 40 50'>" X_BOX "</body>"),
    M("<body pos='1 2 3' euler='30 40 50'>" HINGE("-0.612819 0.669742 -0.419402", ALONE)
          HINGE("-0.561374 -0.792757 0.237478", ALONE) M_BOX "</body>"),
    1e-4 },
  // several shapes on one body, whose principal axes the reference finds to about 1e-7
  { X("<body name='a' joint='spherical'><geom type='sphere' mass='1' dim='.2' pos='1 0 0'/>"
      "<geom type='cylinder' mass='2' dim='.2 .5' euler='0 30 0'/><geom type='xyz'/>"
      "<geom type='capsule' mass='.5' dim='.1 .3' pos='0 1 0' quat='.6 .8 0 0'/></body>"),
    M("<body>" BALL(
        ALONE) "<geom mass='1' size='.2' pos='1 0 0'/>"
               "<geom type='cylinder' mass='2' size='.2 .25' zaxis='.8660254037844387 0 -.5'/>"
               "<geom type='capsule' mass='.5' size='.1 .15' pos='0 1 0' zaxis='1 0 0'/></body>"),
    1e-5 },
  // a body without mass between
  { X("<body name='a' joint='rz' damping='.1'><body name='b' joint='ry' armature='.01'>" X_BOX
      "</body></body>"),
    M("<body><inertial pos='0 0 0' mass='1e-12' diaginertia='1e-12 1e-12 1e-12'/>" HINGE(
        "0 0 1", ALONE " damping='.1'") "<body>" HINGE("0 1 0", "armature='.010001'") M_BOX
      "</body></body>"),
    1e-9 },
};
enum { NPAIRS = sizeof pairs / sizeof pairs[0] };

// Small numbers of no particular pattern; quaternions get their length back.
static void start(const mjModel *b, mjData *db, sn_data *da) {
  for (int i = 0; i < b->nq; i++) {
    db->qpos[i] += 0.2 * sin(1.7 * i + 0.4);
  }
  for (int j = 0; j < b->njnt; j++) {
    if (b->jnt_type[j] == mjJNT_BALL) {
      mju_normalize4(db->qpos + b->jnt_qposadr[j]);
    }
  }
  for (int i = 0; i < b->nv; i++) {
    db->qvel[i] = 0.5 * sin(1.3 * i + 0.5);
  }
  memcpy(snd_qpos(da), db->qpos, (size_t)b->nq * sizeof(double));
  memcpy(snd_qvel(da), db->qvel, (size_t)b->nv * sizeof(double));
}

START_TEST(joints_move_as_in_the_reference) {
  char why[300] = "";
  mjModel *b = mj_loadXML(write_file("model.xml", pairs[_i].mjcf), NULL, why, sizeof why);
  ck_assert_msg(b != NULL, "%s", why);
  sn_model *a = model_of(pairs[_i].x_xy);
  ck_assert_int_eq(snm_nq(a), b->nq);
  ck_assert_int_eq(snm_nv(a), b->nv);
  sn_data *da = data_of(a);
  mjData *db = mj_makeData(b);
  start(b, db, da);
  for (int step = 0; step < 200; step++) {
    ck_assert_int_ge(sn_step(a, da), 0);
    mj_step(b, db);
    for (int i = 0; i < b->nq; i++) {
      double error_of = fabs(snd_qpos(da)[i] - db->qpos[i]);
      ck_assert_msg(error_of <= pairs[_i].tolerance * fmax(1, fabs(db->qpos[i])),
                    "step %d, qpos[%d]: %.15g instead of %.15g", step, i, snd_qpos(da)[i],
                    db->qpos[i]);
    }
  }
  mj_deleteData(db);
  mj_deleteModel(b);
  done_with(a, da);
}
END_TEST

TESTS() {
  FIXTURE(setup, close_engine);
  EACH(joints_move_as_in_the_reference, 0, NPAIRS);
}
