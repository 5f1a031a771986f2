// SPDX-License-Identifier: Apache-2.0
//
// What came into the format after 2.2.2 (frames, replication, equality of sites), what the format
// says about itself, several problems in one report, and what saving needs a class for. Expected
// numbers of newer elements are those of the format's reference engine, version 3.

#include <stdlib.h>
#include <unistd.h>

#include "data/data.h"
#include "default_engine.h"
#include "model_file.h"
#include "settings.h"
#include "spec/spec.h"
#include "suite.h"

static void near(const double *found, int n, const double *expected) {
  for (int i = 0; i < n; i++) {
    ck_assert_double_eq_tol(found[i], expected[i], 1e-6);
  }
}
#define NEAR(found, ...)                                                 \
  near(found, (int)(sizeof((double[]){ __VA_ARGS__ }) / sizeof(double)), \
       (const double[]){ __VA_ARGS__ })

// ------------------------------------------------------------------ frames

START_TEST(frames_move_what_is_in_them) {
  sn_model *m = model_of(model_file("loaders/mjcf/frames"));
  NEAR(snm_body_pos(m) + 3, -1, 1, 3);
  NEAR(snm_body_quat(m) + 4, 0.70710678, 0, 0, 0.70710678);
  NEAR(snm_jnt_pos(m), 0, 0, 0, 0, 1, 0);
  NEAR(snm_jnt_axis(m), 0, 0, 1, 0, 0, -1);
  NEAR(snm_geom_pos(m), 1, 1, 0, 0, 0, 0, 0, 0, 0.5);
  NEAR(snm_geom_quat(m), 0.6830127, 0.1830127, 0.1830127, 0.6830127);
  NEAR(snm_site_pos(m), 0, 0, 0, 0, 0, 0);
  NEAR(snm_site_quat(m), 0.70710678, 0, 0, 0.70710678, 0.70710678, 0, 0.70710678, 0);
  NEAR(snm_cam_quat(m), 0.5, -0.5, 0.5, 0.5);
  NEAR(snm_light_dir(m), 0, 1, 0);
  sn_model_free(m);
}
END_TEST

START_TEST(frame_has_a_class) {
  sn_model *m = model_of(
      "<mujoco><default><default class='big'><geom size='3'/></default>"
      "<geom size='1'/></default><worldbody><frame childclass='big'><geom/></frame>"
      "<geom/></worldbody></mujoco>");
  ck_assert_double_eq(snm_geom_size(m)[0], 3);
  ck_assert_double_eq(snm_geom_size(m)[3], 1);
  sn_model_free(m);
}
END_TEST

START_TEST(frames_rejected) {
  reject_text("<mujoco><worldbody><body><frame><inertial pos='0 0 0' mass='1'/></frame></body>"
              "</worldbody></mujoco>",
              "inertial");
  reject_text("<mujoco><compiler coordinate='global'/><worldbody><frame/></worldbody></mujoco>",
              "global");
  reject_text("<mujoco><worldbody><frame zaxis='0 0 0'/></worldbody></mujoco>", "zaxis is zero");
}
END_TEST

// ------------------------------------------------------------------ names of plugins

// They are found when the model is compiled, and reported with the place where they were read.
START_TEST(unknown_algorithms_have_a_place) {
  reject_text("<mujoco>\n<option timestep='.01'\n solver='Newtn'/></mujoco>",
              ".xml:3:2: no solver is named 'Newtn'; did you mean 'newton'?");
  reject_text("<mujoco>\n<option integrator='implict'/><option timestep='.01'/></mujoco>",
              ".xml:2:9: no integrator is named 'implict'; did you mean 'implicit'?");

  // a copy knows it too; a name that is set afterwards was not read there
  sn_spec *spec = spec_of("<mujoco>\n<option solver='Newtn'/></mujoco>");
  sn_spec *copy = sn_spec_copy(spec, error);
  ck_assert_ptr_null(sn_compile(copy, error));
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), ":2:9: no solver"));
  sn_option option;
  sn_default_option(&option);
  OK(sn_spec_get_option(copy, &option));
  strcpy(option.solver, "nwton");
  OK(sn_spec_set_option(copy, &option, error));
  ck_assert_ptr_null(sn_compile(copy, error));
  ck_assert_int_eq(sn_error_line(error), 0);
  sn_spec_free(copy);
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ orientations

// Four zeros load, with a warning; other orientations that are none do not.
START_TEST(zero_is_no_orientation) {
  sn_model *m = model_of("<mujoco>\n<worldbody><body quat='0 0 0 0'><geom size='.1'/>\n"
                         "<geom quat='0 0 0 0' type='box' size='.1 .2 .3'/></body></worldbody>"
                         "</mujoco>");
  NEAR(snm_body_quat(m) + 4, 1, 0, 0, 0);
  NEAR(snm_geom_quat(m) + 4, 1, 0, 0, 0);
  ck_assert_ptr_nonnull(strstr(sn_model_warning(m, 0), ".xml:2:12: body: quat is zero"));
  ck_assert_ptr_nonnull(strstr(sn_model_warning(m, 1), ".xml:3:1: geom: quat is zero"));
  sn_model_free(m);
#define TURNED(attribute) \
  "<mujoco>\n<worldbody><body " attribute "><geom size='.1'/></body></worldbody></mujoco>"
  reject_text(TURNED("axisangle='0 0 0 30'"),
              ":2:12: body 1: the axis of axisangle is zero; set it");
  reject_text(TURNED("zaxis='0 0 0'"), ":2:12: body 1: zaxis is zero; set it");
  reject_text(TURNED("xyaxes='0 0 0 0 1 0'"),
              ":2:12: body 1: the x axis of xyaxes is zero; set it");
  reject_text(TURNED("xyaxes='1 0 0 2 0 0'"), ":2:12: body 1: the axes of xyaxes are parallel");
  reject_text(TURNED("xyaxes='1 0 0 0 0 0'"), "or the second is zero; specify");
  reject_text("<mujoco>\n<worldbody><geom type='capsule' size='.1' fromto='1 2 3 1 2 3'/>"
              "</worldbody></mujoco>",
              ":2:12: geom 0: the two ends of fromto coincide; move");
}
END_TEST

// ------------------------------------------------------------------ replication

START_TEST(replicate_advances_each_copy) {
  sn_model *m = model_of("<mujoco><worldbody><replicate count='10' offset='1 0 0'><site name='s'/>"
                         "</replicate><replicate count='3' offset='0 1 0' euler='90 0 0'>"
                         "<site pos='1 1 0'/></replicate></worldbody></mujoco>");
  ck_assert_int_eq(snm_nsite(m), 13);
  ck_assert_str_eq(sn_name(m, "site", 0), "s00");
  ck_assert_str_eq(sn_name(m, "site", 9), "s09");
  NEAR(snm_site_pos(m) + 3 * 9, 9, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1);
  NEAR(snm_site_quat(m) + 4 * 12, 0, 1, 0, 0);
  sn_model_free(m);
}
END_TEST

START_TEST(replicate_nested_copies_come_first) {
  sn_model *m = model_of("<mujoco><worldbody><body><geom size='.1'/><replicate count='2' sep='A'>"
                         "<replicate count='11' offset='0 1 0' sep='B'><site name='s'/></replicate>"
                         "</replicate></body></worldbody>"
                         "<sensor><touch name='t' site='s'/></sensor></mujoco>");
  ck_assert_int_eq(snm_nsite(m), 22);
  ck_assert_str_eq(sn_name(m, "site", 0), "sB00A0");
  ck_assert_str_eq(sn_name(m, "site", 12), "sB01A1");
  ck_assert_str_eq(sn_name(m, "sensor", 11), "tB00A1");
  sn_model_free(m);
}
END_TEST

START_TEST(replicate_copies_references) {
  sn_model *m = model_of(model_file("loaders/mjcf/replicas"));
  static const char *const tendons[] = { "t2", "t1_0", "t1_1" };
  static const char *const actuators[] = { "a0", "a1_0", "a1_1" };
  static const char *const sensors[] = { "q", "p_0", "tc_0", "af_0", "p_1", "tc_1", "af_1" };
  ck_assert_int_eq(snm_nsensor(m), 7);
  for (int i = 0; i < 3; i++) {
    ck_assert_str_eq(sn_name(m, "tendon", i), tendons[i]);
    ck_assert_str_eq(sn_name(m, "actuator", i), actuators[i]);
  }
  for (int i = 0; i < 7; i++) {
    ck_assert_str_eq(sn_name(m, "sensor", i), sensors[i]);
  }
  ck_assert_int_eq(snm_sensor_objid(m)[6], 2);
  ck_assert_int_eq(snm_eq_obj1id(m)[2], 2);
  sn_model_free(m);
}
END_TEST

START_TEST(replicate_is_bounded) {
  reject_text(
      "<mujoco><worldbody><replicate count='100000000'><site/></replicate></worldbody></mujoco>",
      "replicate: the copies exceed the limit");
  reject_text(
      "<mujoco><worldbody><replicate count='2000'><replicate count='2000'><site/></replicate>"
      "</replicate></worldbody></mujoco>",
      "replicate: the copies exceed the limit");
  reject_text("<mujoco><worldbody><replicate count='0'><site/></replicate></worldbody></mujoco>",
              "must be positive");
  reject_text("<mujoco><worldbody><replicate><site/></replicate></worldbody></mujoco>",
              "attribute \"count\" is required");
}
END_TEST

// ------------------------------------------------------------------ equality of sites

START_TEST(equality_of_sites) {
  sn_model *m = model_of(
      "<mujoco><worldbody><body><joint type='free' damping='1'/><geom size='.1'/><site name='a' "
      "pos='0 0 1'/></body><body pos='1 0 0'><joint type='free' damping='1'/><geom size='.1'/>"
      "<site name='b' pos='0 0 2' euler='90 0 0'/></body></worldbody><equality>"
      "<connect site1='a' site2='b'/><weld site1='a' site2='b'/></equality></mujoco>");
  const double *data = snm_eq_data(m);
  ck_assert_int_eq(snm_eq_obj1id(m)[0], 1);
  ck_assert_int_eq(snm_eq_obj2id(m)[1], 2);
  NEAR(data, 0, 0, 1, 0, 0, 2);
  NEAR(data + 11, 0, 0, 2, 0, 0, 1, 0.70710678, -0.70710678, 0, 0);

  // after a while the two frames are one
  sn_data *d = sn_data_new(m, error);
  sn_option opt = option_of(m);
  opt.gravity[2] = 0;
  ck_assert_int_eq(sn_model_set_option(m, &opt, NULL), SN_OK);
  for (int i = 0; i < 3000; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  ck_assert_int_ge(sn_forward(m, d), 0);
  for (int i = 0; i < 3; i++) {
    ck_assert_double_eq_tol(snd_site_xpos(d)[i], snd_site_xpos(d)[3 + i], 1e-2);
  }
  for (int i = 0; i < 9; i++) {
    ck_assert_double_eq_tol(snd_site_xmat(d)[i], snd_site_xmat(d)[9 + i], 1e-2);
  }
  sn_data_free(d);
  sn_model_free(m);
  reject_text("<mujoco><equality><connect site1='a'/></equality></mujoco>",
              "site1 and site2 must be specified together");
  reject_text("<mujoco><equality><connect body1='a'/></equality></mujoco>",
              "\"anchor\" is required");
  reject_text("<mujoco><equality><weld/></equality></mujoco>", "\"body1\" is required");
  reject_text(
      "<mujoco><equality><weld site1='a' site2='b' relpose='0 0 0 1 0 0 0'/></equality></mujoco>",
      "cannot be combined with site1");
}
END_TEST

// ------------------------------------------------------------------ attributes

// The numbers are those that version 3.14 of a reference engine compiles.
START_TEST(position_dampratio) {
  sn_model *m = model_of(
      "<mujoco><default><position kv='7'/></default><worldbody><body><joint name='j'/>"
      "<geom size='.1'/></body></worldbody><actuator><position joint='j' kp='30' kv='2'/>"
      "<velocity joint='j'/><position joint='j'/>"
      "<intvelocity joint='j' kp='3' kv='1' actrange='-1 1'/></actuator></mujoco>");
  const double *bias = snm_actuator_biasprm(m);
  const int64_t width = 10;
  NEAR(bias, 0, -30, -2);
  NEAR(bias + width, 0, 0, -1);
  NEAR(bias + 2 * width, 0, -1, -7);
  NEAR(bias + 3 * width, 0, -3, -1);
  sn_model_free(m);

  m = model_of(
      "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator>"
      "<position joint='j' timeconst='.3'/></actuator></mujoco>");
  ck_assert_int_eq(sn_size(m, "na"), 1);
  NEAR(snm_actuator_dynprm(m), 0.3);
  sn_model_free(m);
}
END_TEST

// The time constant of a position servo counts by its value, wherever it is set: 0 is no filter.
START_TEST(time_constants_are_inherited) {
  static const struct {
    const char *class, *own;
    double constant;   // 0: there is no filter
  } cases[] = {
    { "<position timeconst='.1'/>", "", .1 },
    { "<position timeconst='.1'/>", "timeconst='.7'", .7 },
    { "<position timeconst='.1'/>", "timeconst='0'", 0 },
    { "<general dyntype='filterexact' dynprm='.2'/>", "", .2 },
    { "<general dynprm='.3'/>", "", 0 },
    { "", "timeconst='0'", 0 },
    { "<position timeconst='0'/>", "timeconst='.5'", .5 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "<mujoco><default>%s</default><worldbody><body><joint name='j'/><geom size='.1'/>"
             "</body></worldbody><actuator><position joint='j' %s/></actuator></mujoco>",
             cases[i].class, cases[i].own);
    sn_model *m = model_of(text);
    ck_assert_msg(sn_size(m, "na") == (cases[i].constant > 0), "%s", text);
    if (cases[i].constant > 0) {
      NEAR(snm_actuator_dynprm(m), cases[i].constant);
    }
    sn_model_free(m);
  }
}
END_TEST

// Two lengths of a spring are as given, of fixed tendons also below zero; -1 twice and one negative
// length are that at the start.
START_TEST(springlength_has_two_numbers) {
  static const struct {
    const char *text;
    double low, high;
  } cases[] = { { "-.1 .1", -.1, .1 }, { "-1 .1", -1, .1 },   { "-.2 -.2", -.2, -.2 },
                { "0 .1", 0, .1 },     { "-1 -1", .25, .25 }, { "-.3", .25, .25 } };
#define SPRING(length)                                                                      \
  "<mujoco><worldbody><body><joint name='j' type='slide' springref='.25'/><geom size='1'/>" \
  "</body></worldbody><tendon><fixed springlength='%s'><joint joint='j' coef='1'/></fixed>" \
  "</tendon></mujoco>",                                                                     \
      length
  char text[512];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    snprintf(text, sizeof text, SPRING(cases[i].text));
    sn_model *m = model_of(text);
    NEAR(snm_tendon_lengthspring(m), cases[i].low);
    NEAR(snm_tendon_lengthspring1(m), cases[i].high);
    sn_model_free(m);
  }
  snprintf(text, sizeof text, SPRING(".2 .1"));
  reject_text(text, "tendon 0: springlength 0.2 0.1: the first number");

  // one length of an element is all of it, whatever its class has
  sn_model *m = model_of(
      "<mujoco><default><tendon springlength='.1 .2'/></default><worldbody><body>"
      "<joint name='j' type='slide'/><geom size='1'/></body></worldbody><tendon>"
      "<fixed springlength='.3'><joint joint='j' coef='1'/></fixed>"
      "<fixed><joint joint='j' coef='1'/></fixed></tendon></mujoco>");
  NEAR(snm_tendon_lengthspring(m), .3, .1);
  NEAR(snm_tendon_lengthspring1(m), .3, .2);
  sn_model_free(m);
}
END_TEST

START_TEST(range_implies_limited) {
  sn_model *m = model_of("<mujoco><worldbody><body><joint range='-1 2'/><geom size='1'/></body>"
                         "</worldbody></mujoco>");
  ck_assert_int_eq(snm_jnt_limited(m)[0], 1);
  sn_model_free(m);
  reject_text("<mujoco><compiler autolimits='false'/><worldbody><body><joint range='-1 2'/>"
              "<geom size='1'/></body></worldbody></mujoco>",
              "does not specify whether it is limited");
}
END_TEST

START_TEST(size_memory_is_a_hint) {
  static const char *const good[] = { "1.5M", "-1", "1000", "2g" };
  static const char *const bad[] = { "x", "-2", "0", "1.5", "1 MB", "-1M", "1M2", "nan" };
  char text[200];
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    snprintf(text, sizeof text, "<mujoco><size memory='%s'/></mujoco>", good[i]);
    sn_model_free(model_of(text));
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    snprintf(text, sizeof text, "<mujoco><size memory='%s'/></mujoco>", bad[i]);
    reject_text(text, "size: memory is");
  }
}
END_TEST

#define L_SHAPE(inertia)                                                                          \
  "<mesh name='" inertia "' inertia='" inertia "' vertex='0 0 0 2 0 0 2 1 0 1 1 0 1 2 0 0 2 0 0 " \
  "0 1 2 0 1 2 1 1 1 1 1 1 2 1 0 2 1' face='0 2 1 0 3 2 0 4 3 0 5 4 6 7 8 6 8 9 6 9 10 6 10 11 "  \
  "0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11'/>"
#define BODY_OF(mesh) "<body><joint/><geom type='mesh' mesh='" mesh "'/></body>"

// The numbers are those that version 3.14 of a reference engine compiles.
START_TEST(mesh_inertia_attribute) {
  sn_model *m = model_of("<mujoco><asset>" L_SHAPE("exact") L_SHAPE("convex") L_SHAPE("shell")
                             L_SHAPE("legacy") "</asset><worldbody>" BODY_OF("exact")
                                 BODY_OF("convex") BODY_OF("shell")
                                     BODY_OF("legacy") "</worldbody></mujoco>");
  NEAR(snm_body_mass(m), 0, 3000, 3500, 14000, 3000);
  NEAR(snm_body_ipos(m) + 3, 5. / 6, 5. / 6, 0.5, 0.9047619047619, 0.9047619047619, 0.5,
       0.8571428571429, 0.8571428571429, 0.5, 5. / 6, 5. / 6, 0.5);
  NEAR(snm_body_inertia(m) + 3, 1833.3333333333, 1500, 833.3333333333, 2103.1746031746,
       1583.3333333333, 1103.1746031746, 12095.2380952381, 10000, 6428.5714285714, 1833.3333333333,
       1500, 833.3333333333);
  sn_model_free(m);
}
END_TEST

START_TEST(heights_are_written_from_the_far_row) {
  sn_model *m = model_of(
      "<mujoco><asset><hfield name='h' nrow='2' ncol='3' size='1 2 .3 .4' "
      "elevation='0 1 2 3 4 5'/></asset><worldbody><geom type='hfield' hfield='h'/>"
      "</worldbody></mujoco>");
  NEAR(snm_hfield_data(m), 0.6, 0.8, 1, 0, 0.2, 0.4);
  sn_model_free(m);
  reject_text("<mujoco><asset><hfield name='h' nrow='2' ncol='3' size='1 2 .3 .4' "
              "elevation='0 1 2 3 4'/></asset></mujoco>",
              "5 heights for 2 rows and 3 columns");
}
END_TEST

// ------------------------------------------------------------------ messages

START_TEST(newer_names_say_since_when) {
  reject_text("<mujoco><worldbody><flexcomp/></worldbody></mujoco>", "introduced in version 3.0");
  reject_text("<mujoco><asset><material name='m'><layer/></material></asset></mujoco>",
              "introduced in version 3.2");
  reject_text("<mujoco><worldbody><body><freejoint align='true'/></body></worldbody></mujoco>",
              "introduced in version 3.2");
}
END_TEST

START_TEST(problems_are_reported_together) {
  sn_spec *spec = spec_of("<mujoco>\n<worldbody>\n<geom colour='1'/>\n<gem/>\n<body naem='x'/>\n"
                          "</worldbody>\n<sensor>\n<touch/>\n</sensor>\n</mujoco>");
  ck_assert_ptr_null(spec);
  ck_assert_int_eq(sn_error_line(error), 3);
  const char *text = sn_error_text(error);
  int lines = 1;
  for (const char *p = text; *p; p++) {
    lines += *p == '\n';
  }
  ck_assert_int_eq(lines, 4);
  ck_assert_ptr_nonnull(strstr(text, ":3:7: geom: unknown attribute \"colour\""));
  ck_assert_ptr_nonnull(
      strstr(text, ":4:1: <worldbody> cannot contain <gem>; did you mean <geom>?"));
  ck_assert_ptr_nonnull(strstr(text, ":5:7: body: unknown attribute \"naem\""));
  ck_assert_ptr_nonnull(strstr(text, ":8:1: touch: attribute \"site\" is required"));
}
END_TEST

START_TEST(wrong_values_are_reported_together) {
  ck_assert_ptr_null(spec_of("<mujoco>\n<worldbody>\n<geom size='x'/>\n<site pos='1 2'/>\n"
                             "<joint type='hing'/>\n</worldbody>\n</mujoco>"));
  const char *text = sn_error_text(error);
  ck_assert_ptr_nonnull(strstr(text, ":3:7: geom: size: expected a number, found \"x\" "
                                     "(in mujoco/worldbody/geom)\n"));
  ck_assert_ptr_nonnull(strstr(text, ":4:7: site: pos takes 3 numbers, found 2"));
  ck_assert_ptr_nonnull(strstr(text, ":5:8: joint: type is \"hing\""));
}
END_TEST

START_TEST(reported_problems_have_a_limit) {
  char text[4096] = "<mujoco><worldbody>";
  for (int i = 0; i < 40; i++) {
    strcat(text, "\n<geom a='1'/>");
  }
  strcat(text, "</worldbody></mujoco>");
  ck_assert_ptr_null(spec_of(text));
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "\n30 more"));
}
END_TEST

// ------------------------------------------------------------------ the schema

typedef struct text {
  char *p;
  size_t n;
} text;

static sn_status append(sn_sink *sink, const void *bytes, int64_t count) {
  text *t = sink->context;
  t->p = realloc(t->p, t->n + (size_t)count + 1);
  memcpy(t->p + t->n, bytes, (size_t)count);
  t->n += (size_t)count;
  t->p[t->n] = 0;
  return SN_OK;
}

START_TEST(documentation_is_up_to_date) {
  text t = { NULL, 0 };
  sn_sink sink = { .size = sizeof sink, .context = &t, .write = append };
  ck_assert_int_ge(sn_engine_describe(engine, "mjcf", &sink, error), 0);
  FILE *file = fopen(SN_TEST_SOURCE "/docs/mjcf.md", "rb");
  ck_assert_ptr_nonnull(file);
  char *committed = calloc(1, t.n + 2);
  size_t n = fread(committed, 1, t.n + 1, file);
  fclose(file);
  ck_assert_msg(n == t.n && memcmp(committed, t.p, n) == 0,
                "docs/mjcf.md is not what the schema says; run ./dev docs");
  free(committed);
  free(t.p);
}
END_TEST

// ------------------------------------------------------------------ saving

START_TEST(looks_of_fixed_tendons_are_saved) {
  sn_spec *spec = spec_of(
      "<mujoco><default><tendon width='0.01' rgba='1 0 0 1'/></default><asset><material name='m'/>"
      "</asset><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><tendon>"
      "<fixed name='t'><joint joint='j' coef='2'/></fixed></tendon><equality/></mujoco>");
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  char path[] = "/tmp/sinew-look-XXXXXX";
  int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  close(fd);
  ck_assert_msg(sn_spec_save(spec, "mjcf", path, error) >= 0, "%s", sn_error_text(error));
  sn_spec_free(spec);
  spec = sn_spec_load(engine, path, error);
  unlink(path);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  sn_model *m = sn_compile(spec, error);
  ck_assert_double_eq(snm_tendon_width(m)[0], 0.01);
  NEAR(snm_tendon_rgba(m), 1, 0, 0, 1);
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// Not where they are the default.
START_TEST(pyramids_are_noted_where_a_model_asks_for_them) {
  sn_model *m = model_of("<mujoco><option cone='pyramidal'/></mujoco>");
  ck_assert_ptr_nonnull(sn_model_note(m, 0));
  ck_assert_ptr_nonnull(strstr(sn_model_note(m, 0), "29 % weaker"));
  ck_assert_ptr_null(sn_model_warning(m, 0));
  sn_model_free(m);
  m = model_of("<mujoco><option cone='elliptic'/></mujoco>");
  ck_assert_ptr_null(sn_model_note(m, 0));
  sn_model_free(m);
  m = model_of("<mujoco/>");
  ck_assert_ptr_null(sn_model_note(m, 0));
  sn_model_free(m);
}
END_TEST

// Once for each model, however often a program or the configuration asks for them.
START_TEST(pyramids_are_noted_where_others_ask_for_them) {
  sn_model *m = model_of("<mujoco/>");
  sn_option option = { .def_size = sizeof option };
  for (int i = 0; i < 3; i++) {
    OK(sn_model_parse_option(m, "cone", i == 1 ? "elliptic" : "pyramidal", error));
  }
  ck_assert_ptr_nonnull(strstr(sn_model_note(m, 0), "set cone to elliptic"));
  ck_assert_ptr_null(sn_model_note(m, 1));
  sn_model_free(m);
  m = model_of("<mujoco><option cone='elliptic'/></mujoco>");
  OK(sn_model_get_option(m, &option));
  option.cone = SN_CONE_PYRAMIDAL;
  OK(sn_model_set_option(m, &option, error));
  OK(sn_model_set_option(m, &option, error));
  ck_assert_ptr_nonnull(strstr(sn_model_note(m, 0), "set cone to elliptic"));
  ck_assert_ptr_null(sn_model_note(m, 1));
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(frames_move_what_is_in_them);
  TEST(frame_has_a_class);
  TEST(frames_rejected);
  TEST(unknown_algorithms_have_a_place);
  TEST(zero_is_no_orientation);
  TEST(pyramids_are_noted_where_a_model_asks_for_them);
  TEST(pyramids_are_noted_where_others_ask_for_them);
  TEST(replicate_advances_each_copy);
  TEST(replicate_nested_copies_come_first);
  TEST(replicate_copies_references);
  TEST(replicate_is_bounded);
  TEST(equality_of_sites);
  TEST(position_dampratio);
  TEST(springlength_has_two_numbers);
  TEST(time_constants_are_inherited);
  TEST(range_implies_limited);
  TEST(size_memory_is_a_hint);
  TEST(mesh_inertia_attribute);
  TEST(heights_are_written_from_the_far_row);
  TEST(newer_names_say_since_when);
  TEST(problems_are_reported_together);
  TEST(wrong_values_are_reported_together);
  TEST(reported_problems_have_a_limit);
  TEST(documentation_is_up_to_date);
  TEST(looks_of_fixed_tendons_are_saved);
}
