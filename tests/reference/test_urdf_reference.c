// SPDX-License-Identifier: Apache-2.0
//
// URDF, and the reductions of specs that URDF asks for by default, against the reference engine:
// the tree and its inertia, the inertia matrix and the bias at some states, and a trajectory.

#include <math.h>
#include <mujoco/mujoco.h>

#include "loading.h"
#include "suite.h"

static void setup(void) {
  open_engine("[plugin.urdf]\nmimic = false\n");   // as the reference: nothing is repaired
}

#define I(m, xx, yy, zz, xy, xz, yz)                                                         \
  "<inertial><origin xyz='.1 .2 -.1' rpy='.1 .2 .3'/><mass value='" m "'/><inertia ixx='" xx \
  "' iyy='" yy "' izz='" zz "' ixy='" xy "' ixz='" xz "' iyz='" yz "'/></inertial>"
#define BODY I("2", ".1", ".2", ".25", ".01", ".02", ".03")
#define LINK(name) "<link name='" name "'>" BODY "</link>"
#define BARE(name, inside) "<link name='" name "'>" inside "</link>"
#define BOX \
  "<collision><origin xyz='.3 0 .1' rpy='.3 0 .1'/><geometry><box size='.1 .2 .3'/></geometry></collision>"
#define SEEN "<visual><geometry><sphere radius='.5'/></geometry></visual>"
#define JOINT(name, type, parent, child, more)                                                  \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" \
  "<origin xyz='.5 .1 0' rpy='.3 -.2 .1'/>" more "</joint>"
#define ROBOT(more) "<robot name='r'>" more "</robot>"
#define EXTEND(compiler) \
  "<mujoco><compiler " compiler "/><option><flag contact='disable'/></option></mujoco>"
#define FREE EXTEND("")   // without contact, which has tests of its own

#define TREE                                                                              \
  LINK("a")                                                                               \
  LINK("b")                                                                               \
  LINK("c") LINK("d") LINK("e") LINK("f")                                                 \
      JOINT("j1", "revolute", "a", "b",                                                   \
            "<axis xyz='0 1 1'/><limit lower='-.3' upper='.2' effort='1' velocity='1'/>") \
          JOINT("j2", "fixed", "b", "c", "")                                              \
              JOINT("j3", "prismatic", "c", "d",                                          \
                    "<axis xyz='1 2 0'/><dynamics damping='.5' friction='.1'/>")          \
                  JOINT("j4", "continuous", "b", "e", "") JOINT("j5", "fixed", "e", "f", "")

static const char *const models[] = {
  ROBOT(FREE TREE),
  ROBOT(EXTEND("fusestatic='false'") TREE),
  ROBOT(EXTEND("discardvisual='false'") TREE BARE("g", BOX SEEN)
            JOINT("j6", "fixed", "d", "g", "")),
  ROBOT(FREE LINK("a") LINK("b")
            JOINT("j", "planar", "a", "b", "<axis xyz='1 2 3'/><dynamics damping='2'/>")),
  ROBOT(FREE LINK("a") LINK("b") JOINT("j", "floating", "a", "b", "<dynamics damping='2'/>")),
  // inertia from shapes, alone and together with numbers
  ROBOT(FREE LINK("a") BARE("b", BOX SEEN) BARE("c", BOX) LINK("d")
            JOINT("j", "revolute", "a", "b", "") JOINT("k", "fixed", "b", "c", "")
                JOINT("l", "fixed", "c", "d", "")),
  ROBOT(EXTEND("inertiafromgeom='true'") LINK("a") BARE("b", BODY BOX) LINK("c") BARE("d", BODY BOX)
            JOINT("j", "revolute", "a", "b", "") JOINT("k", "fixed", "b", "c", "")
                JOINT("l", "revolute", "c", "d", "")),
  ROBOT(EXTEND("balanceinertia='true' boundinertia='.01'") LINK("a")
            BARE("b", I("1", ".1", ".1", ".5", ".05", "0", "0"))
                BARE("c", I("1", ".1", ".1", ".1", ".2", "0", "0"))
                    JOINT("j", "revolute", "a", "b", "") JOINT("k", "revolute", "b", "c", "")),
  ROBOT(EXTEND("settotalmass='5'") TREE),
  ROBOT(FREE BARE("world", BOX) LINK("a") LINK("b") LINK("c")
            JOINT("j", "revolute", "world", "a", "") JOINT("k", "revolute", "a", "c", "")),
  ROBOT(FREE LINK("a") BARE("b", "") LINK("c") JOINT("j", "revolute", "a", "b", "")
            JOINT("k", "fixed", "b", "c", "")),
  // what the reference passes over: mimic, transmissions, velocities, elements of other programs
  ROBOT(
      EXTEND("discardvisual='false'") "<material name='m'><color rgba='1 0 0 1'/></material>" LINK(
          "a") LINK("b") BARE("c", BODY BOX SEEN)
          JOINT("j", "continuous", "a", "b",
                "<axis xyz='0 1 0'/><limit lower='-.2' upper='.3' effort='1' velocity='1'/>"
                "<safety_controller k_velocity='1'/>")
              JOINT(
                  "k", "prismatic", "b", "c",
                  "<mimic joint='j' multiplier='2'/>") "<transmission name='t'><type>transmission_interface/SimpleTransmission</type>"
                                                       "<joint name='j'/><actuator name='m'/></transmission><gazebo/>"),
  ROBOT("<mujoco><compiler fusestatic='false'/><option timestep='.003' integrator='RK4' "
        "gravity='1 2 -5'><flag contact='disable'/></option><size nuserdata='3'/></mujoco>" TREE),
// the same reductions of MJCF
#define M(compiler, world, more)                                                                 \
  "<mujoco><compiler autolimits='true' " compiler "/><option><flag contact='disable'/></option>" \
  "<worldbody>" world "</worldbody>" more "</mujoco>"
#define G "<geom type='box' size='.1 .2 .3' pos='.1 0 0'/>"
#define NEST \
  "<body name='r' pos='0 0 1'><joint name='h' axis='1 0 0'/>" G                                         \
  "<body name='s' pos='1 0 0' euler='0 0 90'><geom type='capsule' size='.1' fromto='0 0 0 1 1 0'/>"     \
  "<site name='st' pos='.1 0 0' euler='10 20 30'/><body name='t' pos='0 1 0'>" G                        \
  "<body name='m' pos='0 2 0'><joint name='q' pos='.1 0 0'/>" G "</body></body></body>"                 \
  "<geom size='.2'/><body name='e' pos='0 0 1'><inertial pos='.1 0 0' mass='2' diaginertia='1 1 1'/>" G \
  "</body><geom size='.3' contype='0' conaffinity='0'/></body>"
  M("fusestatic='true'", NEST, ""),
  M("fusestatic='true' discardvisual='true'", NEST, ""),
  M("discardvisual='true'", NEST, ""),
  M("fusestatic='true'", NEST, "<sensor><jointpos joint='h'/></sensor>"),
  M("fusestatic='true'", NEST, "<actuator><motor joint='h'/></actuator>"),
  M("fusestatic='true' inertiafromgeom='true' settotalmass='3'", NEST, ""),
  M("fusestatic='true' boundmass='10' boundinertia='.5'", NEST, ""),
};
enum { NMODELS = sizeof models / sizeof models[0] };

// ------------------------------------------------------------------ comparing

// Its search for principal axes stops at about 1e-7, relative; so far do moments, and what follows
// from them, agree. All else agrees to rounding.
static const double searched = 1e-6, followed = 1e-5;

static void same(const char *what, const double *got, const double *want, int64_t n, double rtol) {
  double scale = 1e-12;
  for (int64_t i = 0; i < n; i++) {
    scale = fmax(scale, fabs(want[i]));
  }
  for (int64_t i = 0; i < n; i++) {
    ck_assert_msg(fabs(got[i] - want[i]) <= rtol * scale, "%s[%lld]: %.15g instead of %.15g", what,
                  (long long)i, got[i], want[i]);
  }
}

// R diag(I) R', since the axes of equal moments are anybody's choice
static void tensor(const double *quat, const double *moments, double *out) {
  double R[9], D[9] = { moments[0], 0, 0, 0, moments[1], 0, 0, 0, moments[2] }, T[9];
  sn_quat_mat(R, quat);
  sn_mul_mat3(T, R, D);
  sn_transpose3(D, R);
  sn_mul_mat3(out, T, D);
}

static void same_model(const sn_model *a, const mjModel *b) {
  ck_assert_int_eq(snm_nbody(a), b->nbody);
  ck_assert_int_eq(snm_njnt(a), b->njnt);
  ck_assert_int_eq(snm_nv(a), b->nv);
  ck_assert_int_eq(snm_ngeom(a), b->ngeom);
  ck_assert_int_eq(snm_nsite(a), b->nsite);
  for (int i = 1; i < b->nbody; i++) {
    double got[9], want[9];
    const char *name = mj_id2name(b, mjOBJ_BODY, i);
    ck_assert_str_eq(sn_name(a, "body", i), name ? name : "");
    ck_assert_int_eq(snm_body_parentid(a)[i], b->body_parentid[i]);
    tensor(snm_body_iquat(a) + 4 * i, snm_body_inertia(a) + 3 * i, got);
    tensor(b->body_iquat + 4 * i, b->body_inertia + 3 * i, want);
    same("inertia", got, want, 9, searched);
  }
  same("body_mass", snm_body_mass(a), b->body_mass, b->nbody, 1e-14);
  same("body_ipos", snm_body_ipos(a), b->body_ipos, 3 * b->nbody, 1e-14);
  same("body_pos", snm_body_pos(a), b->body_pos, 3 * b->nbody, 1e-14);
  same("body_quat", snm_body_quat(a), b->body_quat, 4 * b->nbody, 1e-14);
  same("geom_pos", snm_geom_pos(a), b->geom_pos, 3 * b->ngeom, 1e-14);
  same("geom_quat", snm_geom_quat(a), b->geom_quat, 4 * b->ngeom, 1e-14);
  same("geom_size", snm_geom_size(a), b->geom_size, 3 * b->ngeom, 1e-14);
  same("site_pos", snm_site_pos(a), b->site_pos, 3 * b->nsite, 1e-14);
  same("site_quat", snm_site_quat(a), b->site_quat, 4 * b->nsite, 1e-14);
  same("jnt_axis", snm_jnt_axis(a), b->jnt_axis, 3 * b->njnt, 1e-14);
  same("jnt_range", snm_jnt_range(a), b->jnt_range, 2 * b->njnt, 1e-14);
  for (int j = 0; j < b->njnt; j++) {
    ck_assert_int_eq(snm_jnt_limited(a)[j], b->jnt_limited[j]);
  }
  same("dof_damping", snm_dof_damping(a), b->dof_damping, b->nv, 1e-14);
  same("dof_frictionloss", snm_dof_frictionloss(a), b->dof_frictionloss, b->nv, 1e-14);
  for (int g = 0; g < b->ngeom; g++) {
    ck_assert_int_eq(snm_geom_type(a)[g], b->geom_type[g]);
    ck_assert_int_eq(snm_geom_bodyid(a)[g], b->geom_bodyid[g]);
    ck_assert_int_eq(snm_geom_contype(a)[g], b->geom_contype[g]);
    ck_assert_int_eq(snm_geom_group(a)[g], b->geom_group[g]);
  }
}

static void same_motion(sn_model *a, mjModel *b) {
  sn_model_parse_option(a, "tolerance", "0", error);
  b->opt.tolerance = 0;
  b->opt.solver = mjSOL_NEWTON;
  sn_data *da = data_of(a);
  mjData *db = mj_makeData(b);
  for (int i = 0; i < b->nv; i++) {
    snd_qvel(da)[i] = db->qvel[i] = sin(1.3 * i + .5);
  }
  double *M = calloc((size_t)b->nv * (size_t)b->nv * 2 + 1, sizeof *M), *W = M + b->nv * b->nv;
  for (int step = 0; step < 100; step++) {
    if (step % 25 == 0) {
      ck_assert_int_ge(sn_forward(a, da), 0);
      mj_forward(b, db);
      sn_full_inertia(a, da, M);
      mj_fullM(b, W, db->qM);
      same("M", M, W, b->nv * b->nv, searched);
      same("qfrc_bias", snd_qfrc_bias(da), db->qfrc_bias, b->nv, followed);
    }
    ck_assert_int_ge(sn_step(a, da), 0);
    mj_step(b, db);
    same("qpos", snd_qpos(da), db->qpos, b->nq, followed);
  }
  free(M);
  mj_deleteData(db);
  sn_data_free(da);
}

START_TEST(robots_are_those_of_the_reference) {
  char why[300] = "";
  const char *path = write_file("model.xml", models[_i]);
  mjModel *b = mj_loadXML(path, NULL, why, sizeof why);
  ck_assert_msg(b != NULL, "%s", why);
  sn_model *a = sn_load(engine, path, error);
  ck_assert_msg(a != NULL, "%s", sn_error_text(error));
  same_model(a, b);
  same_motion(a, b);
  sn_model_free(a);
  mj_deleteModel(b);
}
END_TEST

// ------------------------------------------------------------------ what neither takes

static const char *const bad_robots[] = {
  ROBOT(LINK("a") BARE("b", "") JOINT("j", "revolute", "a", "b", "")),
  ROBOT(LINK("a") LINK("b") JOINT("j", "revolute", "a", "b", "<axis xyz='0 0 0'/>")),
  ROBOT(LINK("a") LINK("b") JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "b", "a", "")),
  ROBOT(LINK("a") LINK("a")),
  ROBOT(LINK("a") LINK("b") LINK("c") JOINT("j", "fixed", "a", "c", "")
            JOINT("k", "fixed", "b", "c", "")),
  ROBOT(LINK("a") BARE("b", I("1", ".1", ".1", ".5", "0", "0", "0"))
            JOINT("j", "revolute", "a", "b", "")),
  ROBOT(LINK("a") BARE("b", BODY "<collision/>") JOINT("j", "revolute", "a", "b", "")),
  ROBOT(LINK("a") BARE("b", BODY BODY) JOINT("j", "revolute", "a", "b", "")),
  ROBOT(LINK("a") LINK("b") LINK("c") JOINT("j", "revolute", "a", "b", "")
            JOINT("j", "revolute", "a", "c", "")),
  ROBOT(LINK("a") JOINT("j", "revolute", "a", "b", "")),
  ROBOT(EXTEND("fusestatic='false'") LINK("a") LINK("b") JOINT("j", "floating", "a", "b", "")),
  ROBOT("<mujoco/><mujoco/>" LINK("a")),
};
enum { NREJECTED = sizeof bad_robots / sizeof bad_robots[0] };

START_TEST(robots_rejected_by_the_reference_are_rejected) {
  char why[300] = "";
  const char *path = write_file("model.xml", bad_robots[_i]);
  mjModel *b = mj_loadXML(path, NULL, why, sizeof why);
  ck_assert_ptr_null(b);
  sn_model *a = sn_load(engine, path, error);
  ck_assert_msg(a == NULL, "loaded; the reference: %s", why);
  ck_assert_uint_gt(strlen(sn_error_message(error)), 20);
}
END_TEST

TESTS() {
  FIXTURE(setup, close_engine);
  EACH(robots_are_those_of_the_reference, 0, NMODELS);
  EACH(robots_rejected_by_the_reference_are_rejected, 0, NREJECTED);
}
