// SPDX-License-Identifier: Apache-2.0
//
// What one file may ask for in total: a few bytes that ask for gigabytes or hours are rejected at
// once, with the name of the limit and how to raise it; what is below the limits loads.

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "default_engine.h"
#include "sanitized.h"
#include "suite.h"

#define GEOMS "<geom size='.1'/><geom size='.1'/><geom size='.1'/><geom size='.1'/>"

static sn_model *load(const char *text) {
  return sn_load(engine, hold_text(text), error);
}

// Rejected for a limit; the message explains how to raise it.
static void rejects(const char *text, const char *limit) {
  char key[64];
  const clock_t start = clock();
  sn_model *model = load(text);
  ck_assert_ptr_null(model);
  ck_assert_int_eq(sn_error_code(error), SN_ENOMEM);
  snprintf(key, sizeof key, "limits.%s", limit);
  ck_assert_msg(strstr(sn_error_message(error), key) != NULL, "%s", sn_error_text(error));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "[limits]"));
  ck_assert_msg((double)(clock() - start) < 5.0 * CLOCKS_PER_SEC, "it took long");
}

static void limit(const char *name, const char *value) {
  char key[32];
  snprintf(key, sizeof key, "limits.%s", name);
  OK(sn_engine_set(engine, key, value, error));
}

// ------------------------------------------------------------------ memory

START_TEST(height_field) {
  static const char text[] = "<mujoco><asset><hfield name='h' nrow='20000' ncol='20000' "
                             "size='1 1 1 1'/></asset><worldbody><geom type='hfield' hfield='h'/>"
                             "</worldbody></mujoco>";
  rejects(text, "memory");
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "hfield 'h'"));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "6.0 GiB"));   // 2 * 8 * 4e8 bytes
}
END_TEST

START_TEST(many_small_ones) {
  static char text[8192];
  char *at = text + sprintf(text, "<mujoco><asset>");
  for (int i = 0; i < 40; i++) {   // of 16 MB each, and as much in the model
    at += sprintf(at, "<hfield name='h%d' nrow='1000' ncol='2000' size='1 1 1 1'/>", i);
  }
  sprintf(at, "</asset></mujoco>");
  limit("memory", "100M");
  rejects(text, "memory");
  limit("memory", "2G");
  sn_model *model = load(text);
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
  sn_model_free(model);
}
END_TEST

START_TEST(textures) {
  static char text[8192];
  char *at = text + sprintf(text, "<mujoco><asset>");
  for (int i = 0; i < 4; i++) {
    at += sprintf(at, "<texture name='t%d' type='2d' builtin='flat' width='4000' height='4000'/>",
                  i);
  }
  sprintf(at, "</asset></mujoco>");
  limit("memory", "100M");
  rejects(text, "memory");
}
END_TEST

// 30,000 x 30,000 pixels are claimed before there is one.
START_TEST(image) {
  static const uint8_t png[] = { 0x89, 'P',  'N', 'G', '\r', '\n', 0x1a, '\n', 0,    0,    0,
                                 13,   'I',  'H', 'D', 'R',  0,    0,    0x75, 0x30, 0,    0,
                                 0x75, 0x30, 8,   0,   0,    0,    0,    0x43, 0x4c, 0xa7, 0x66 };
  static const char text[] = "<mujoco><asset><hfield name='h' file='big.png' size='1 1 1 1'/>"
                             "</asset></mujoco>";
  OK(sn_engine_add_resource(engine, "big.png", png, sizeof png, error));
  rejects(text, "memory");
}
END_TEST

// A compressed file of a megabyte holds millions of elements, each of which takes more memory than
// text; so may several files together that one includes.
START_TEST(elements_of_a_file) {
  enum { TAGS = 50000 };   // about 10 MB
  static char part[4 * TAGS + 64], whole[8 * TAGS + 64];
  char *at = part + sprintf(part, "<mujoco>");
  for (int i = 0; i < TAGS; i++) {
    at = stpcpy(at, "<a/>");
  }
  strcpy(at, "</mujoco>");
  static const char both[] =
      "<mujoco><include file='part1.xml'/><include file='part2.xml'/></mujoco>";
  OK(sn_engine_add_resource(engine, "part1.xml", part, (int64_t)strlen(part), error));
  OK(sn_engine_add_resource(engine, "part2.xml", part, (int64_t)strlen(part), error));
  limit("memory", "5M");
  rejects(part, "memory");
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "the elements of this file"));
  limit("memory", "15M");
  ck_assert_ptr_null(load(part));
  ck_assert_int_eq(sn_error_code(error), SN_EPARSE);   // the format has no element <a>
  rejects(both, "memory");
  ck_assert_ptr_nonnull(strstr(sn_error_file(error), "part2.xml"));

  // URDF too
  at = whole + sprintf(whole, "<robot name='r'><link name='l'/>");
  for (int i = 0; i < TAGS; i++) {
    at = stpcpy(at, "<a/>");
  }
  strcpy(at, "</robot>");
  limit("memory", "5M");
  rejects(whole, "memory");
}
END_TEST

// What a simulation takes beside its model.
START_TEST(simulation) {
  sn_model *model = load("<mujoco><size nuserdata='1000000'/></mujoco>");
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
  limit("memory", "1M");
  ck_assert_ptr_null(sn_data_new(model, error));
  ck_assert_int_eq(sn_error_code(error), SN_ENOMEM);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "limits.memory"));
  limit("memory", "none");
  sn_data *data = sn_data_new(model, error);
  ck_assert_ptr_nonnull(data);
  sn_data_free(data);
  sn_model_free(model);
}
END_TEST

// A spec that is edited for ever does not grow.
START_TEST(edits_are_no_growth) {
  limit("memory", "1M");
  sn_spec *spec = sn_spec_new(engine, error);
  sn_body_def body;
  sn_default_body(&body);
  for (int i = 0; i < 20000; i++) {
    int32_t id;
    OK(sn_spec_add_body(spec, &body, NULL, &id, error));
    OK(sn_spec_set_body(spec, id, &body, error));
    OK(sn_spec_remove(spec, "body", id, 1, error));
  }
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ elements and time

START_TEST(elements) {
  static const char text[] = "<mujoco><worldbody>" GEOMS GEOMS GEOMS "</worldbody></mujoco>";
  limit("elements", "10");
  rejects(text, "elements");
  limit("elements", "20");
  sn_model *model = load(text);
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
  sn_model_free(model);
}
END_TEST

START_TEST(time_limit) {
  limit("time", "1e-9");
  rejects("<mujoco><worldbody>" GEOMS "</worldbody></mujoco>", "time");
}
END_TEST

#ifndef SANITIZED   // it takes long to build, and does nothing that others do not

// The inertia of a chain of 20,000 hinges has 2e8 numbers, and 1e12 steps to its factorization.
START_TEST(long_chain) {
  sn_spec *spec = sn_spec_new(engine, error);
  sn_body_def body;
  sn_joint_def joint;
  sn_geom_def geom;
  sn_default_body(&body);
  sn_default_joint(&joint);
  sn_default_geom(&geom);
  geom.size[0] = 0.1;
  body.pos[0] = 0.1;
  for (int i = 0; i < 20000; i++) {
    int32_t id;
    OK(sn_spec_add_body(spec, &body, NULL, &id, error));
    body.parent = joint.body = geom.body = id;
    OK(sn_spec_add_joint(spec, &joint, NULL, NULL, error));
    OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
  }
  const clock_t start = clock();
  ck_assert_ptr_null(sn_compile(spec, error));
  ck_assert_msg(strstr(sn_error_message(error), "limits.time") != NULL, "%s", sn_error_text(error));
  ck_assert_msg((double)(clock() - start) < 20.0 * CLOCKS_PER_SEC, "it took long");
  sn_spec_free(spec);
}
END_TEST

#endif

// ------------------------------------------------------------------ values

START_TEST(values) {
  ck_assert(sn_engine_limit(engine, "memory") == 4.0 * 1024 * 1024 * 1024);
  ck_assert(sn_engine_limit(engine, "elements") == 1e7);
  ck_assert(sn_engine_limit(engine, "time") == 600);
  ck_assert(isnan(sn_engine_limit(engine, "speed")));
  limit("memory", "1.5K");
  ck_assert(sn_engine_limit(engine, "memory") == 1536);
  limit("time", "none");
  ck_assert(isinf(sn_engine_limit(engine, "time")));
  static const char *const wrong[][2] = { { "memory", "0" },   { "memory", "-1" },
                                          { "memory", "4X" },  { "memory", "4GG" },
                                          { "memory", "" },    { "time", "4G" },
                                          { "memory", "nan" }, { "memroy", "4G" } };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    char key[32];
    snprintf(key, sizeof key, "limits.%s", wrong[i][0]);
    ck_assert_int_eq(sn_engine_set(engine, key, wrong[i][1], error), SN_EINVAL);
  }
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "did you mean 'memory'"));
}
END_TEST

// Lines of [limits], and where `sinew config` says they come from.
START_TEST(configuration) {
  char path[] = "/tmp/sinew-limits-XXXXXX";
  const int descriptor = mkstemp(path);
  ck_assert_int_ge(descriptor, 0);
  static const char text[] = "[limits]\nmemory = 2G\ntime = none\n";
  ck_assert_int_eq(write(descriptor, text, sizeof text - 1), sizeof text - 1);
  close(descriptor);
  sn_engine *own = sn_engine_open(path, error);
  ck_assert_msg(own != NULL, "%s", sn_error_text(error));
  ck_assert(sn_engine_limit(own, "memory") == 2.0 * 1024 * 1024 * 1024);
  int seen = 0;
  sn_config_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_config(own, i, &info); i++) {
    if (strcmp(info.section, "limits") == 0) {
      seen++;
      if (strcmp(info.key, "memory") == 0) {
        ck_assert_str_eq(info.value, "2G");
        ck_assert_ptr_nonnull(strstr(info.origin, ":2"));
      } else if (strcmp(info.key, "elements") == 0) {
        ck_assert_str_eq(info.origin, "default");
      }
    }
  }
  ck_assert_int_eq(seen, 3);
  sn_engine_close(own);
  unlink(path);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(height_field);
  TEST(many_small_ones);
  TEST(textures);
  TEST(image);
  TEST(elements_of_a_file);
  TEST(simulation);
  TEST(edits_are_no_growth);
  TEST(elements);
  TEST(time_limit);
#ifndef SANITIZED
  TEST(long_chain);
#endif
  TEST(values);
  TEST(configuration);
}
