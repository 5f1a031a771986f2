// SPDX-License-Identifier: Apache-2.0
//
// Cables: composite objects of version 2.3 of the format. Expected numbers are those of the
// format's reference engine, version 3.14, as measured on the text that stands beside them.

#include <math.h>

#include "data/data.h"
#include "default_engine.h"
#include "spec/spec.h"
#include "suite.h"

enum { NO_JOINT = -1, MOST = 5 };

// The reference keeps the points in single precision: for coordinates up to 8 that is 5e-7 at most,
// and twice that in a length.
static const double TOLERANCE = 1e-6;

// ------------------------------------------------------------------ measured

typedef struct link {
  double pos[3], quat[4], half, mass;   // half: of the length of the geom
} link;

// clang-format off
static const struct {
  const char *name, *attributes, *parts;
  int geom, first_joint, n;
  link link[MOST];
} cables[] = {
  { "straight", "count='4 1 1' size='1' curve='s 0 0'",
    "<geom type='capsule' size='.02'/>", SN_GEOM_CAPSULE, SN_JOINT_BALL, 3,
    { { { 0, 0, 0 }, { 1, 0, 0, 0 }, .1666667, .4523894 },
      { { .3333333, 0, 0 }, { 1, 0, 0, 0 }, .1666667, .4523894 },
      { { .3333333, 0, 0 }, { 1, 0, 0, 0 }, .1666667, .4523893 } } },
  { "the curve alone", "count='4' curve='s'",
    "<geom type='capsule' size='.02'/>", SN_GEOM_CAPSULE, SN_JOINT_BALL, 3,
    { { { 0, 0, 0 }, { 1, 0, 0, 0 }, .1666667, .4523894 },
      { { .3333333, 0, 0 }, { 1, 0, 0, 0 }, .1666667, .4523894 },
      { { .3333333, 0, 0 }, { 1, 0, 0, 0 }, .1666667, .4523893 } } },
  { "along y", "count='4' size='2' curve='0 s' initial='none'",
    "<geom type='cylinder' size='.02'/>", SN_GEOM_CYLINDER, NO_JOINT, 3,
    { { { 0, 0, 0 }, { .7071068, 0, 0, .7071068 }, .3333333, .8377581 },
      { { .6666667, 0, 0 }, { 1, 0, 0, 0 }, .3333333, .8377581 },
      { { .6666667, 0, 0 }, { 1, 0, 0, 0 }, .3333333, .837758 } } },
  { "along z", "count='4' curve='0 0 sin(s)' size='1 2 .3' initial='free'",
    "<geom type='capsule' size='.02'/>", SN_GEOM_CAPSULE, SN_JOINT_FREE, 3,
    { { { 0, 0, 0 }, { 0, .7071068, 0, .7071068 }, .309017, .8101548 },
      { { .618034, 0, 0 }, { 1, 0, 0, 0 }, .2787682, .7341313 },
      { { .5575365, 0, 0 }, { 1, 0, 0, 0 }, .2212318, .5895264 } } },
  { "backwards", "count='4' size='-1' curve='s 0 0' initial='free'",
    "<geom type='box' size='.02 .03 .04'/>", SN_GEOM_BOX, SN_JOINT_FREE, 3,
    { { { 0, 0, 0 }, { 0, 0, 0, 1 }, .1666667, 1.6000001 },
      { { .3333333, 0, 0 }, { 1, 0, 0, 0 }, .1666667, 1.6000001 },
      { { .3333333, 0, 0 }, { 1, 0, 0, 0 }, .1666667, 1.5999999 } } },
  { "helix", "count='5' size='1 2 3' curve='s cos(s) sin(s)' offset='1 2 3'",
    "<geom type='capsule' size='.02'/>", SN_GEOM_CAPSULE, SN_JOINT_BALL, 4,
    { { { 1, 4, 3 }, { -.4535729, .5727296, -.3323177, .5965043 }, 1.8519824, 4.6880497 },
      { { 3.7039647, 0, 0 }, { -.3877307, 0, 0, -.9217727 }, 1.8519824, 4.6880497 },
      { { 3.7039647, 0, 0 }, { .3877306, 0, -.2926319, .8740889 }, 1.8519824, 4.6880497 },
      { { 3.7039647, 0, 0 }, { -.3877307, 0, .5549879, -.735971 }, 1.8519824, 4.6880497 } } },
  { "spiral stairs", "count='6' size='1 2 .3' curve='cos(s) sin(s) s'",
    "<geom type='box' size='.02 .03 .04'/>", SN_GEOM_BOX, SN_JOINT_BALL, 5,
    { { { 2, 0, 0 }, { .648924, .1932465, -.1467693, .7211187 }, .2131326, 2.0460728 },
      { { .4262652, 0, 0 }, { .9965407, 0, 0, .08310661 }, .2131326, 2.0460727 },
      { { .4262651, 0, 0 }, { .9965407, 0, -.007357341, .08278045 }, .2131326, 2.046073 },
      { { .4262652, 0, 0 }, { .9965407, 0, -.01465692, .08180405 }, .2131326, 2.0460729 },
      { { .4262652, 0, 0 }, { .9965407, 0, -.02184147, .08018529 }, .2131326, 2.0460727 } } },
  { "right angles", "vertex='0 0 0 1 0 0 1 1 0 1 1 1'",
    "<geom type='cylinder' size='.02'/>", SN_GEOM_CYLINDER, SN_JOINT_BALL, 3,
    { { { 0, 0, 0 }, { 1, 0, 0, 0 }, .5, 1.2566371 },
      { { 1, 0, 0 }, { .7071068, 0, 0, .7071068 }, .5, 1.2566371 },
      { { 1, 0, 0 }, { .7071068, 0, -.7071068, 0 }, .5, 1.2566371 } } },
  { "vertices", "vertex='0 0 0 1 2 0 2 3 1 4 4 4 5 6 4' initial='free'",
    "<geom type='capsule' size='.02'/>", SN_GEOM_CAPSULE, SN_JOINT_FREE, 4,
    { { { 0, 0, 0 }, { .462707, .713799, .441152, .2859687 }, 1.118034, 2.8434362 },
      { { 2.236068, 0, 0 }, { .9419651, 0, 0, .3357107 }, .8660254, 2.2100696 },
      { { 1.7320508, 0, 0 }, { .9812798, 0, 0, .1925875 }, 1.8708287, 4.7354157 },
      { { 3.7416574, 0, 0 }, { .8596777, 0, 0, -.5108368 }, 1.118034, 2.8434362 } } },
  { "moved", "vertex='1 2 3 1 3 3 1 3 4 2 5 4' offset='10 0 0'",
    "<geom type='capsule' size='.02'/>", SN_GEOM_CAPSULE, SN_JOINT_BALL, 3,
    { { { 11, 2, 3 }, { .5, .5, .5, .5 }, .5, 1.2901474 },
      { { 1, 0, 0 }, { .7071068, 0, 0, .7071068 }, .5, 1.2901474 },
      { { 1, 0, 0 }, { .7071068, 0, -.3162278, -.6324555 }, 1.118034, 2.8434362 } } },
  { "folded", "vertex='0 0 0 1 0 0 2 0 0 1 0 0 0 0 0'",
    "<geom type='capsule' size='.02'/>", SN_GEOM_CAPSULE, SN_JOINT_BALL, 4,
    { { { 0, 0, 0 }, { 1, 0, 0, 0 }, .5, 1.2901474 },
      { { 1, 0, 0 }, { 1, 0, 0, 0 }, .5, 1.2901474 },
      { { 1, 0, 0 }, { 0, 0, 0, 1 }, .5, 1.2901474 },
      { { 1, 0, 0 }, { 1, 0, 0, 0 }, .5, 1.2901474 } } },
  { "one link", "count='2' curve='s'",
    "<geom type='capsule' size='.02'/>", SN_GEOM_CAPSULE, SN_JOINT_BALL, 1,
    { { { 0, 0, 0 }, { 1, 0, 0, 0 }, .5, 1.2901474 } } },
  { "one oblique link", "vertex='0 0 0 0 1 1'",
    "<geom type='capsule' size='.02'/>", SN_GEOM_CAPSULE, SN_JOINT_BALL, 1,
    { { { 0, 0, 0 }, { .5, .5, 0, .7071068 }, .7071068, 1.8106635 } } },
  { "one link back", "vertex='0 0 0 -1 3 .1'",
    "<geom type='capsule' size='.02'/>", SN_GEOM_CAPSULE, SN_JOINT_BALL, 1,
    { { { 0, 0, 0 }, { .5844532, .01948177, 0, .8111935 }, 1.5819292, 4.0093321 } } },
  { "one link down", "vertex='0 0 0 0 0 -1'",
    "<geom type='capsule' size='.02'/>", SN_GEOM_CAPSULE, SN_JOINT_BALL, 1,
    { { { 0, 0, 0 }, { 0, -.7071068, 0, .7071068 }, .5, 1.2901474 } } },
  { "slightly bent", "vertex='0 0 0 1 0 0 2 .0001 .0001 3 0 0'",
    "<geom type='capsule' size='.02'/>", SN_GEOM_CAPSULE, SN_JOINT_BALL, 3,
    { { { 0, 0, 0 }, { .9238795, .3826834, 0, 0 }, .5, 1.2901474 },
      { { 1, 0, 0 }, { 1, 0, 0, 7.071068e-05 }, .5, 1.2901474 },
      { { 1, 0, 0 }, { 1, 0, 0, -.0001414214 }, .5, 1.2901474 } } },
};
// clang-format on
enum { CABLES = sizeof cables / sizeof *cables };

// ------------------------------------------------------------------ models

// a cable with a prefix in a frame of the world
static sn_model *load(const char *before, const char *attributes, const char *parts,
                      const char *after) {
  char text[1024];
  snprintf(text, sizeof text,
           "<mujoco><worldbody>%s<composite type='cable' prefix='a' %s>%s</composite>%s"
           "</worldbody></mujoco>",
           before, attributes, parts, after);
  return model_of(text);
}

static void rejected(const char *attributes, const char *parts, const char *word) {
  char text[1024];
  snprintf(text, sizeof text,
           "<mujoco><worldbody><composite type='cable' %s>%s</composite></worldbody></mujoco>",
           attributes, parts);
  reject_text(text, word);
}

static void near(const char *what, const double *found, int n, const double *expected) {
  for (int i = 0; i < n; i++) {
    ck_assert_msg(fabs(found[i] - expected[i]) < TOLERANCE, "%s: [%d] is %.9g, not %.9g", what, i,
                  found[i], expected[i]);
  }
}
#define NEAR(what, found, ...)                                                 \
  near(what, found, (int)(sizeof((double[]){ __VA_ARGS__ }) / sizeof(double)), \
       (const double[]){ __VA_ARGS__ })

// q and -q are the same rotation
static void near_quat(const char *what, const double *found, const double *expected) {
  double dot = 0, q[4];
  for (int i = 0; i < 4; i++) {
    dot += found[i] * expected[i];
  }
  for (int i = 0; i < 4; i++) {
    q[i] = dot < 0 ? -found[i] : found[i];
  }
  near(what, q, 4, expected);
}

static void named(const sn_model *m, const char *kind, int32_t id, const char *word, int i, int n) {
  char name[32];
  snprintf(name, sizeof name,
           i > 0 && i < n - 1 ? "a%s_%d"
           : i == 0           ? "a%s_first"
                              : "a%s_last",
           word, i);
  ck_assert_str_eq(sn_name(m, kind, id), name);
}

// ------------------------------------------------------------------ the table

START_TEST(cable_bodies_and_geoms) {
  sn_model *m = load("", cables[_i].attributes, cables[_i].parts, "");
  const char *name = cables[_i].name;
  int n = cables[_i].n;
  ck_assert_int_eq(snm_nbody(m), n + 1);
  ck_assert_int_eq(snm_ngeom(m), n);
  for (int i = 0; i < n; i++) {
    const link *l = &cables[_i].link[i];
    const double *size = snm_geom_size(m) + 3 * i, *quat = snm_geom_quat(m) + 4 * i;
    char geom[16];
    snprintf(geom, sizeof geom, "aG%d", i);
    named(m, "body", i + 1, "B", i, n);
    ck_assert_str_eq(sn_name(m, "geom", i), geom);
    ck_assert_int_eq(snm_body_parentid(m)[i + 1], i);
    ck_assert_int_eq(snm_geom_bodyid(m)[i], i + 1);
    ck_assert_int_eq(snm_geom_type(m)[i], cables[_i].geom);
    near(name, snm_body_pos(m) + 3 * (i + 1), 3, l->pos);
    near_quat(name, snm_body_quat(m) + 4 * (i + 1), l->quat);
    near(name, snm_body_mass(m) + i + 1, 1, &l->mass);
    NEAR(name, snm_geom_pos(m) + 3 * i, l->half, 0, 0);
    if (cables[_i].geom == SN_GEOM_BOX) {
      NEAR(name, size, l->half, 0.03, 0.04);
      NEAR(name, quat, 1, 0, 0, 0);
    } else {
      NEAR(name, size, 0.02, l->half);
      NEAR(name, quat, 0.707106781, 0, -0.707106781, 0);
    }
  }
  sn_model_free(m);
}
END_TEST

START_TEST(cable_joints_sites_and_pairs) {
  sn_model *m = load("", cables[_i].attributes, cables[_i].parts, "");
  int n = cables[_i].n, fixed = cables[_i].first_joint == NO_JOINT;
  ck_assert_int_eq(snm_njnt(m), n - fixed);
  for (int j = 0; j < n - fixed; j++) {
    int i = j + fixed;
    named(m, "joint", j, "J", i, n);
    ck_assert_int_eq(snm_jnt_bodyid(m)[j], i + 1);
    ck_assert_int_eq(snm_jnt_type(m)[j], i == 0 ? cables[_i].first_joint : SN_JOINT_BALL);
    ck_assert_int_eq(snm_jnt_group(m)[j], 3);
    NEAR("joint", snm_jnt_pos(m) + 3 * j, 0, 0, 0);
  }

  // at both ends; a single link has the one of its end
  int nsite = n > 1 ? 2 : 1;
  ck_assert_int_eq(snm_nsite(m), nsite);
  for (int s = 0; s < nsite; s++) {
    int i = s > 0 ? n - 1 : 0;
    named(m, "site", s, "S", i, n);
    ck_assert_int_eq(snm_site_bodyid(m)[s], i + 1);
    ck_assert_int_eq(snm_site_group(m)[s], 3);
    NEAR("site", snm_site_pos(m) + 3 * s, i == n - 1 ? 2 * cables[_i].link[i].half : 0, 0, 0);
  }

  // neighbors do not collide
  ck_assert_int_eq(snm_nexclude(m), n - 1);
  for (int i = 0; i < n - 1; i++) {
    ck_assert_int_eq(snm_exclude_body1(m)[i], i + 1);
    ck_assert_int_eq(snm_exclude_body2(m)[i], i + 2);
  }
  ck_assert_int_eq(snm_ntext(m), 1);
  ck_assert_str_eq(sn_name(m, "text", 0), "composite_a");
  ck_assert_str_eq(snm_text_data(m), "rope_a");
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ parts

static const char capsule[] = "<geom type='capsule' size='.02'/>";

START_TEST(cable_parts_have_attributes) {
  sn_model *m = load("", "count='4' curve='s' initial='free'",
                     "<joint kind='main' damping='.1' armature='.2' stiffness='.3' "
                     "frictionloss='.4' group='1' limited='true' range='0 40'/>"
                     "<geom type='capsule' size='.02' group='2' condim='4' friction='.5' "
                     "density='500'/><site size='.1 .2 .3' group='4'/>",
                     "");
  // what is free has stiffness only
  NEAR("stiffness", snm_jnt_stiffness(m), 0.3, 0.3, 0.3);
  NEAR("damping", snm_dof_damping(m) + 5, 0, 0.1, 0.1);
  NEAR("armature", snm_dof_armature(m) + 5, 0, 0.2, 0.2);
  NEAR("friction", snm_dof_frictionloss(m) + 5, 0, 0.4, 0.4);
  NEAR("range", snm_jnt_range(m) + 2, 0, 0.6981317, 0, 0.6981317);
  ck_assert_int_eq(snm_jnt_group(m)[0], 1);
  ck_assert_int_eq(snm_geom_group(m)[0], 2);
  ck_assert_int_eq(snm_geom_condim(m)[2], 4);
  NEAR("slip", snm_geom_friction(m), 0.5, 0.005, 0.0001);
  NEAR("mass", snm_body_mass(m) + 1, 0.5 * 0.452389355);
  NEAR("site", snm_site_size(m), 0.1, 0.2, 0.3);
  ck_assert_int_eq(snm_site_group(m)[1], 4);
  sn_model_free(m);
}
END_TEST

START_TEST(classes_do_not_act) {
  sn_model *m = model_of("<mujoco><default><geom density='3'/><joint damping='7'/><site size='.3'/>"
                         "</default><worldbody><composite type='cable' count='4' curve='s'>"
                         "<geom type='capsule' size='.02'/></composite></worldbody></mujoco>");
  NEAR("mass", snm_body_mass(m) + 1, 0.452389355);
  NEAR("damping", snm_dof_damping(m), 0);
  NEAR("site", snm_site_size(m), 0.005);
  sn_model_free(m);
}
END_TEST

START_TEST(cable_in_a_body_and_a_frame) {
  sn_model *m = load("<body euler='0 0 90'><frame pos='5 5 5' euler='0 90 0'>",
                     "vertex='1 2 3 1 3 3 1 3 4 2 5 4' offset='10 0 0' initial='none'", capsule,
                     "</frame></body>");
  NEAR("pos", snm_body_pos(m) + 6, 8, 7, -6, 1, 0, 0);
  NEAR("quat", snm_body_quat(m) + 8, 0, 0.707106781, 0.707106781, 0, 0.707106781, 0, 0,
       0.707106781);
  sn_model_free(m);
}
END_TEST

// The reference rejects a cable of two links, whose second it does not find by the number.
START_TEST(cable_links_next_to_each_other_do_not_collide) {
  sn_model *m = load("", "vertex='0 0 0 1 0 0 1 1 0'", capsule, "");
  ck_assert_int_eq(snm_nbody(m), 3);
  ck_assert_str_eq(sn_name(m, "body", 2), "aB_last");
  ck_assert_int_eq(snm_exclude_body1(m)[0], 1);
  ck_assert_int_eq(snm_exclude_body2(m)[0], 2);
  NEAR("quat", snm_body_quat(m) + 8, 0.707106781, 0, 0, 0.707106781);
  sn_model_free(m);
}
END_TEST

// In the world the bodies are where the points are, whatever the frames: an independent law.
START_TEST(cable_bodies_start_at_the_points) {
  enum { POINTS = 40 };
  double point[POINTS][3];
  char attributes[4096] = "vertex='";
  uint32_t state = 7;
  for (int i = 0; i < POINTS; i++) {
    for (int k = 0; k < 3; k++) {
      state = state * 1664525u + 1013904223u;
      point[i][k] = (state >> 8) / (double)(1 << 24) - 0.5;
      sprintf(attributes + strlen(attributes), "%.17g ", point[i][k]);
    }
  }
  strcat(attributes, "'");
  char text[8192];
  snprintf(text, sizeof text,
           "<mujoco><worldbody><composite type='cable' %s>%s</composite></worldbody></mujoco>",
           attributes, capsule);
  sn_model *m = model_of(text);
  sn_data *d = sn_data_new(m, error);
  ck_assert_ptr_nonnull(d);
  ck_assert_int_ge(sn_forward(m, d), 0);
  for (int i = 0; i + 1 < POINTS; i++) {
    const double *quat = snm_body_quat(m) + 4 * (i + 1);
    for (int k = 0; k < 3; k++) {
      ck_assert_double_eq_tol(snd_xpos(d)[3 * (i + 1) + k], point[i][k], 1e-13);
      ck_assert_double_eq_tol(snd_site_xpos(d)[3 + k], point[POINTS - 1][k], 1e-13);
    }
    ck_assert(i == 0 || fabs(quat[1]) < 1e-13);   // no twist about the link
  }
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ rejected

START_TEST(cable_mistakes_are_named) {
  rejected("count='4' size='2 2 .3' curve='l 0 s'", capsule, "not \"l\"");
  rejected("count='4' curve='-s'", capsule, "not \"-s\"");
  rejected("count='4' curve='s 0 0 s'", capsule, "three functions");
  rejected("count='4'", capsule, "needs the attribute vertex");
  rejected("curve='s'", capsule, "needs the attribute vertex");
  rejected("", capsule, "needs the attribute vertex");
  rejected("count='4' curve='0 0 0'", capsule, "points 0 and 1");
  rejected("vertex='0 0 0 1 0 0 1 0 0 1 1 1'", capsule,
           "points 1 and 2 of the cable (numbered 0 to 3)");
  rejected("vertex='0 0 0 1e300 0 0'", capsule, "too far apart");
  rejected("vertex='0 0 0'", capsule, "found 3");
  rejected("vertex='0 0 0 1 0 0 1 1'", capsule, "found 8");
  rejected("vertex='0 0 0 1 0 0' count='2'", capsule, "both vertex and count");
  rejected("count='1' curve='s'", capsule, "one dimension");
  rejected("count='4 2 1' curve='s'", capsule, "one dimension");
  rejected("count='2000000000' curve='s'", capsule, "one dimension");
  rejected("count='-4' curve='s'", capsule, "one dimension");
  rejected("count='4' curve='s' initial='hinge'", capsule, "hinge");
  rejected("count='4' curve='s'", "", "capsule, cylinder or box");
  rejected("count='4' curve='s'", "<geom size='.1'/>", "capsule, cylinder or box");
  rejected("count='4' curve='s'", "<geom type='box' size='.1'/>", "size");
  rejected("count='4' curve='s'", "<geom type='capsule'/>", "size");
}
END_TEST

START_TEST(cable_with_other_plugins_is_rejected) {
  char text[256];
  snprintf(text, sizeof text,
           "%s<plugin plugin='mujoco.elasticity.shell'><config key='twist' "
           "value='1e6'/></plugin>",
           capsule);
  rejected("count='4' curve='s'", text, "\"mujoco.elasticity.shell\" is not supported");
}
END_TEST

// what the others require is required of them still
START_TEST(grids_need_count_and_spacing) {
  static const char *const texts[][2] = { { "count='2'", "\"spacing\" is required" },
                                          { "spacing='1'", "\"count\" is required" } };
  for (int i = 0; i < 2; i++) {
    char text[256];
    snprintf(text, sizeof text,
             "<mujoco><worldbody><composite type='grid' %s/></worldbody></mujoco>", texts[i][0]);
    reject_text(text, texts[i][1]);
  }
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(cable_bodies_and_geoms, 0, CABLES);
  EACH(cable_joints_sites_and_pairs, 0, CABLES);
  TEST(cable_parts_have_attributes);
  TEST(classes_do_not_act);
  TEST(cable_in_a_body_and_a_frame);
  TEST(cable_links_next_to_each_other_do_not_collide);
  TEST(cable_bodies_start_at_the_points);
  TEST(cable_mistakes_are_named);
  TEST(cable_with_other_plugins_is_rejected);
  TEST(grids_need_count_and_spacing);
}
