// SPDX-License-Identifier: Apache-2.0
//
// A program with a German locale, whose numbers have a decimal comma, reads and writes what one in
// the C locale does, byte for byte: every format, messages, and all that the command prints. The
// locale is made by the build, with localedef; without it, and without a German locale of the
// system, the test is skipped.

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/binary.h"
#include "default_engine.h"
#include "german_locale.h"
#include "model/model.h"
#include "model_file.h"
#include "scenes.h"
#include "sinew/number.h"
#include "suite.h"
#include "temporary_folder.h"
#include "tools/calling.h"

// ------------------------------------------------------------------ what is read

static const char tetrahedron_stl[] =
    "solid t\n"
    "facet normal 0 0 -1.0\nouter loop\nvertex 0.25 0.125 0.5\nvertex 0.25 1.125 0.5\n"
    "vertex 1.25 0.125 0.5\nendloop\nendfacet\n"
    "facet normal 0 -1 0\nouter loop\nvertex 0.25 0.125 0.5\nvertex 1.25 0.125 0.5\n"
    "vertex 0.25 0.125 1.5\nendloop\nendfacet\n"
    "facet normal -1 0 0\nouter loop\nvertex 0.25 0.125 0.5\nvertex 0.25 0.125 1.5\n"
    "vertex 0.25 1.125 0.5\nendloop\nendfacet\n"
    "facet normal 1 1 1\nouter loop\nvertex 1.25 0.125 0.5\nvertex 0.25 1.125 0.5\n"
    "vertex 0.25 0.125 1.5\nendloop\nendfacet\n"
    "endsolid t\n";

static const char tetrahedron_obj[] =
    "v 0.5 0.5 0.5\nv 1.25 0.5 0.5\nv 0.5 1.75 0.5\nv 0.5 0.5 2.5\n"
    "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static const char *const files[] = {
  "german.xml",     "german.urdf",       SAMPLE("arm"),
  SAMPLE("figure"), SAMPLE("rows"),      SAMPLE("chain"),
  SAMPLE("paddle"), SAMPLE("cart_pole"), SAMPLE("x_xy/inv_pendulum"),
};
enum { NFILES = sizeof files / sizeof files[0] };

// ------------------------------------------------------------------ what is written

typedef struct written {
  char *text;
  size_t n;
} written;

static sn_status keep(sn_sink *sink, const void *bytes, int64_t n) {
  return fwrite(bytes, 1, (size_t)n, sink->context) == (size_t)n ? SN_OK : SN_EIO;
}

static void keep_log(void *context, int32_t level, const char *topic, const char *text) {
  fprintf(context, "%d %s: %s\n", level, topic, text);
}

// A limit with a fraction, what is rejected for it, and what is logged of a step.
static void write_simulation(const sn_model *model, FILE *f) {
  OK(sn_engine_set(engine, "limits.memory", "1.5K", error));
  ck_assert_ptr_null(sn_data_new(model, error));
  fprintf(f, "%s\n", sn_error_text(error));
  OK(sn_engine_set(engine, "limits.memory", "none", error));
  sn_data *d = sn_data_new(model, error);
  ck_assert_ptr_nonnull(d);
  if (snm_nu(model) > 0) {
    snd_ctrl(d)[0] = -1.5e30;
  }
  sn_engine_set_log(engine, keep_log, f);
  ck_assert_int_ge(sn_step(model, d), 0);
  sn_engine_set_log(engine, NULL, NULL);
  sn_data_free(d);
}

// The model as MJCF, x_xy and a binary file, the messages about it, and why another is rejected.
static written write_everything(const char *path) {
  written w = { 0 };
  FILE *f = open_memstream(&w.text, &w.n);
  sn_sink sink = { .size = sizeof sink, .context = f, .write = keep };
  open_engine();
  const struct {
    const char *name, *text;
  } resources[] = {
    { "t.stl", tetrahedron_stl },
    { "t.obj", tetrahedron_obj },
    { "german.xml", model_file("platform/numbers_mjcf") },
    { "german.urdf", model_file("platform/numbers_urdf") },
    { "bad.xml", "<mujoco><worldbody><body><joint range='1.5 0.5' limited='true'/>"
                 "<geom size='0.1'/></body></worldbody></mujoco>" },
    { "bad.urdf", "<robot name='r'><link name='a'><inertial><mass value='-1.5'/></inertial></link>"
                  "</robot>" },
  };
  for (size_t i = 0; i < sizeof resources / sizeof resources[0]; i++) {
    const char *text = resources[i].text;
    OK(sn_engine_add_resource(engine, resources[i].name, text, (int64_t)strlen(text), error));
  }
  sn_spec *spec = sn_spec_load(engine, path, error);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  static const char *const formats[] = { "mjcf", "x_xy" };
  for (size_t i = 0; i < 2; i++) {
    si_error_clear(error);
    const sn_status status = sn_spec_write(spec, formats[i], &sink, error);
    fprintf(f, "\n%d %s\n", status, sn_error_text(error));
  }
  for (int64_t i = 0; sn_spec_warning(spec, i); i++) {
    fprintf(f, "%s\n", sn_spec_warning(spec, i));
  }
  sn_model *model = sn_compile(spec, error);
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(sn_model_parse_option(model, "gravity", "0.5 0 -9.5", error), SN_OK);
  ck_assert_int_lt(sn_model_parse_option(model, "timestep", "-0.5", error), 0);
  fprintf(f, "%s\n", sn_error_text(error));
  OK(si_model_write(model, &sink, error));
  write_simulation(model, f);
  ck_assert_ptr_null(sn_load(engine, "bad.xml", error));
  fprintf(f, "%s\n", sn_error_text(error));
  ck_assert_ptr_null(sn_load(engine, "bad.urdf", error));
  fprintf(f, "%s\n", sn_error_text(error));
  OK(sn_engine_describe(engine, "mjcf", &sink, error));
  sn_model_free(model);
  sn_spec_free(spec);
  close_engine();
  fclose(f);
  return w;
}

START_TEST(library_in_a_locale) {
  setlocale(LC_ALL, "C");
  written expected = write_everything(files[_i]);
  ck_assert(set_german());
  written found = write_everything(files[_i]);
  char text[16];
  snprintf(text, sizeof text, "%.1f", 0.5);   // the program's locale is what it was
  ck_assert_str_eq(text, "0,5");
  setlocale(LC_ALL, "C");
  ck_assert_uint_eq(found.n, expected.n);
  ck_assert_mem_eq(found.text, expected.text, expected.n);
  free(found.text);
  free(expected.text);
}
END_TEST

START_TEST(numbers_in_a_locale) {
  char text[SN_NUMBER_ROOM];
  double x;
  ck_assert(set_german());
  ck_assert_str_eq(sn_read_number("-12.5e-3,", &x), ",");
  sn_write_number(text, x, 0);
  setlocale(LC_ALL, "C");
  ck_assert(x == -0.0125);
  ck_assert_str_eq(text, "-0.0125");
}
END_TEST

// ------------------------------------------------------------------ the command

// A library that sets the user's locale, as those of windows and images do, is loaded into it.
START_TEST(command_in_a_locale) {
  static const char *const calls[] = {
    "inspect " SAMPLE("arm") " --json",
    "inspect " SAMPLE("arm"),
    "state " SAMPLE("arm") " --json",
    "state " SAMPLE("arm"),
    "trace " SAMPLE("arm") " --steps 3 --json",
    "run " SAMPLE("arm") " --time 0.5 --out /dev/stdout --set timestep=0.0125 | grep '^0'",
    "convert " SAMPLE("figure") " -o %s/figure.xml; cat %s/figure.xml",
    "convert " SAMPLE("x_xy/inv_pendulum") " -o %s/cart.xml; cat %s/cart.xml",
    "run " SAMPLE("arm") " --time 0.5.5 2>&1",
    "config",
    "plugins inspect newton",
    "schema",
  };
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    char arguments[512];
    snprintf(arguments, sizeof arguments, calls[i], folder, folder);
    output expected = call("%s", arguments);
    output found = call(
        "--version >/dev/null; LC_ALL=de_DE.UTF-8 LD_PRELOAD=%s/tests/set_locale.so "
        "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 %s/sinew %s",
        SN_TEST_BUILD, SN_TEST_BUILD, arguments);
    ck_assert_int_eq(found.status, expected.status);
    ck_assert_msg(strcmp(found.text, expected.text) == 0, "%s: %.2000s", arguments, found.text);
    done(&expected);
    done(&found);
  }
}
END_TEST

// A plugin sets the locale of the program, or of its thread, in a step.
START_TEST(plugin_sets_a_locale) {
  static const char *const faults[] = { "locale", "thread_locale" };
  char ini[128];
  snprintf(ini, sizeof ini, "%s/locale.ini", folder);
  FILE *f = fopen(ini, "w");
  ck_assert_ptr_nonnull(f);
  fprintf(f,
          "[plugins]\nm = %s/tests/abi/plugins/misbehaving.so\n"
          "[plugin.misbehaves]\nfault = %s\noperation = %s\n",
          SN_TEST_BUILD, faults[_i % 2], _i < 2 ? "apply" : "create");
  fclose(f);
  static const char *const calls[] = {
    "state " SAMPLE("arm") " --json",
    "trace " SAMPLE("arm") " --steps 3 --json",
    "trace " SAMPLE("arm") " --steps 3",
    "run " SAMPLE("arm") " --time 0.5 --out /dev/stdout --set timestep=0.0125 | grep '^0'",
  };
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    output expected = call("%s", calls[i]);
    output found = call(
        "--version >/dev/null; ASAN_OPTIONS=detect_leaks=0 SINEW_CONFIG=%s %s/sinew %s", ini,
        SN_TEST_BUILD, calls[i]);
    ck_assert_int_eq(found.status, expected.status);
    ck_assert_msg(strcmp(found.text, expected.text) == 0, "%s: %.2000s", calls[i], found.text);
    done(&expected);
    done(&found);
  }
}
END_TEST

TESTS() {
  NEEDS(find_german(), "no German locale, and none can be made (Debian: apt-get install locales)");
  FIXTURE(open_folder, close_folder);
  TEST(numbers_in_a_locale);
  EACH(library_in_a_locale, 0, NFILES);
  TEST(command_in_a_locale);
  EACH(plugin_sets_a_locale, 0, 4);
}
