// SPDX-License-Identifier: Apache-2.0
//
// Saved and loaded again, a model is the same model to 1e-12: every array, option, statistic and
// name, of every scene and of a text with what the scenes lack. Saved once more, the file is the
// same file: the form is canonical.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "element_names.h"
#include "model_file.h"
#include "scenes.h"
#include "settings.h"
#include "sinew/sinew.h"
#include "suite.h"

static sn_error *error;
static sn_engine *engine;
static char first[64], second[64];   // the files

static void name_file(char *path) {
  strcpy(path, "/tmp/sinew-round-XXXXXX.xml");
  int fd = mkstemps(path, 4);
  ck_assert_int_ge(fd, 0);
  close(fd);
}

static void setup(void) {
  error = sn_error_new();
  engine = sn_engine_open(NULL, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  name_file(first);
  name_file(second);
}

static void teardown(void) {
  unlink(first);
  unlink(second);
  sn_engine_close(engine);
  sn_error_free(error);
}

static double number(const sn_view *view, int64_t i) {
  return view->type == SN_REAL  ? ((const double *)view->p)[i]
         : view->type == SN_INT ? ((const int32_t *)view->p)[i]
                                : ((const uint8_t *)view->p)[i];
}

static int is_same(double a, double b) {
  return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= 1e-12 * fmax(1, fmax(fabs(a), fabs(b)));
}

static void same_fields(const sn_model *a, const sn_model *b) {
  sn_view x = { .size = sizeof x }, y = { .size = sizeof y };
  for (int64_t k = 0; sn_model_field_at(a, k, &x); k++) {
    ck_assert(sn_model_field_at(b, k, &y));
    ck_assert_msg(x.rows == y.rows && x.cols == y.cols, "%s: %lld instead of %lld rows", x.name,
                  (long long)y.rows, (long long)x.rows);
    for (int64_t i = 0; i < x.rows * x.cols; i++) {
      if (!is_same(number(&x, i), number(&y, i))) {   // an assertion for each would be slow
        ck_abort_msg("%s[%lld] is %.17g instead of %.17g", x.name, (long long)i, number(&y, i),
                     number(&x, i));
      }
    }
  }
}

// the options and the statistics are structs of doubles, integers and names
static void same_settings(const sn_model *a, const sn_model *b) {
  const sn_option options[] = { option_of(a), option_of(b) };
  ck_assert_mem_eq(&options[0], &options[1], sizeof(sn_option));
  const sn_statistic s = statistic_of(a), t = statistic_of(b);
  ck_assert(is_same(s.meaninertia, t.meaninertia));
  ck_assert(is_same(s.meanmass, t.meanmass));
  ck_assert(is_same(s.meansize, t.meansize));
  ck_assert(is_same(s.extent, t.extent));
  for (int k = 0; k < 3; k++) {
    ck_assert(is_same(s.center[k], t.center[k]));
  }
}

static char *read_file(const char *path) {
  struct stat s;
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fstat(fileno(file), &s), 0);
  char *text = calloc(1, (size_t)s.st_size + 1);
  ck_assert_uint_eq(fread(text, 1, (size_t)s.st_size, file), (size_t)s.st_size);
  fclose(file);
  return text;
}

static sn_model *load_and_save(const char *from, const char *to) {
  sn_spec *spec = sn_spec_load(engine, from, error);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  ck_assert_msg(sn_spec_save(spec, "mjcf", to, error) >= 0, "%s", sn_error_text(error));
  sn_spec_free(spec);
  return m;
}

static void round_trip(const char *path) {
  sn_model *a = load_and_save(path, first), *b = load_and_save(first, second);
  same_fields(a, b);
  same_element_names(path, a, b);
  same_settings(a, b);
  char *text = read_file(first), *again = read_file(second);
  ck_assert_msg(strcmp(text, again) == 0, "%s: saved twice, it is not the same file", path);
  free(text);
  free(again);
  sn_model_free(a);
  sn_model_free(b);
}

START_TEST(scenes_come_back) {
  if (access(scenes[_i].path, R_OK) == 0) {   // the reference's are not everywhere
    round_trip(scenes[_i].path);
  } else {
    ck_assert(!(scenes[_i].flags & SCENE_REQUIRED) || strncmp(scenes[_i].path, "/usr/", 5) == 0);
  }
}
END_TEST

START_TEST(one_of_everything_comes_back) {
  round_trip(MODEL("loaders/mjcf/one_of_everything"));
}
END_TEST

// What a pair leaves unset is mixed from its geoms, which a file cannot say.
START_TEST(pair_with_unset_numbers_is_rejected) {
  static const char text[] = "<mujoco><worldbody><geom name='a' size='1'/><body><freejoint/>"
                             "<geom name='b' size='1'/></body></worldbody></mujoco>";
  ck_assert_int_ge(sn_engine_add_resource(engine, "two.xml", text, sizeof text - 1, error), 0);
  sn_spec *spec = sn_spec_load(engine, "two.xml", error);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  sn_pair_def pair;
  int32_t id;
  sn_default_pair(&pair);
  pair.name = "p";
  pair.geom1 = "a";
  pair.geom2 = "b";
  const struct {
    const char *name;
    double *value;
    int n;
  } lists[] = { { "friction", pair.friction, 5 },
                { "solref", pair.solref, 2 },
                { "solimp", pair.solimp, 5 },
                { "margin", &pair.margin, 1 },
                { "gap", &pair.gap, 1 } };
  ck_assert_int_ge(sn_spec_add_pair(spec, &pair, NULL, &id, error), 0);
  for (int i = 0; i < 6; i++) {
    char part[64];
    snprintf(part, sizeof part, "leaves its %s unset", i < 5 ? lists[i].name : "condim");
    ck_assert_int_eq(sn_spec_save(spec, "mjcf", second, error), SN_EUNSUPPORTED);
    const char *said = sn_error_message(error);
    ck_assert_msg(strstr(said, "pair 'p' (0) of the geoms 'a' and 'b'") && strstr(said, part) &&
                      strstr(said, "set condim, friction, solref, solimp, margin and gap"),
                  "no \"%s\" in: %s", part, said);
    for (int k = 0; i < 5 && k < lists[i].n; k++) {
      lists[i].value[k] = i == 2 ? 0.5 : 0.01;
    }
    pair.condim = i < 5 ? 0 : 3;
    ck_assert_int_ge(sn_spec_set_pair(spec, id, &pair, error), 0);
  }
  ck_assert_msg(sn_spec_save(spec, "mjcf", second, error) >= 0, "%s", sn_error_text(error));
  sn_spec_free(spec);
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  EACH(scenes_come_back, 0, NSCENES);
  TEST(one_of_everything_comes_back);
  TEST(pair_with_unset_numbers_is_rejected);
}
