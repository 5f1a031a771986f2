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

static void same_names(const sn_model *a, const sn_model *b) {
  static const char *const kinds[][2] = {
    { "body", "nbody" },     { "joint", "njnt" },       { "geom", "ngeom" },
    { "site", "nsite" },     { "camera", "ncam" },      { "light", "nlight" },
    { "mesh", "nmesh" },     { "hfield", "nhfield" },   { "texture", "ntex" },
    { "material", "nmat" },  { "tendon", "ntendon" },   { "actuator", "nu" },
    { "sensor", "nsensor" }, { "equality", "neq" },     { "key", "nkey" },
    { "tuple", "ntuple" },   { "numeric", "nnumeric" }, { "text", "ntext" },
  };
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    for (int64_t i = 0; i < sn_size(a, kinds[k][1]); i++) {
      ck_assert_str_eq(sn_name(a, kinds[k][0], (int32_t)i), sn_name(b, kinds[k][0], (int32_t)i));
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
  same_names(a, b);
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

static const char rich[] =
    "<mujoco model='a &lt;b&gt; &quot;c&quot;'><compiler angle='radian' eulerseq='zyx' "
    "boundmass='.01' inertiagrouprange='0 3' autolimits='false' settotalmass='7'/>"
    "<option timestep='0.004' wind='1 2 3' density='1.2' viscosity='.1' cone='elliptic' "
    "integrator='implicitfast' noslip_iterations='3'><flag warmstart='disable' energy='enable'/>"
    "</option><size nuser_body='2' njmax='500' nconmax='100'/><visual><headlight ambient='.1 .2 .3'/>"
    "<map znear='.02'/><quality shadowsize='2048'/></visual><statistic extent='3' center='1 2 3'/>"
    "<default><default class='k'><geom rgba='1 0 0 .5' friction='.3'/><joint armature='.02'/>"
    "</default></default><asset><texture type='2d' name='t' builtin='checker' width='8' height='8' "
    "rgb1='1 0 0' mark='cross'/><material name='m' texture='t' texrepeat='2 1' emission='.3'/>"
    "<hfield name='h' nrow='2' ncol='3' size='1 2 .3 .4' elevation='0 1 2 3 4 5'/><mesh name='v' "
    "vertex='0 0 0 1 0 0 0 1.1 0 0 0 1.3' scale='1 2 .5' refpos='.1 0 0'/></asset><worldbody>"
    "<geom name='fh' type='plane' size='9 9 9' pos='0 0 -4'/><geom type='hfield' hfield='h' pos='0 0 -3'/><light directional='true' cutoff='30'/>"
    "<body name='a' childclass='k' user='1 2' gravcomp='.5' pos='0 0 1' axisangle='0 1 0 .3'><freejoint/>"
    "<geom type='mesh' mesh='v' material='m'/><site name='s' zaxis='1 1 0'/>"
    "<camera name='c' fovy='60' mode='targetbody' target='b'/>"
    "<frame pos='1 0 0' euler='.1 .2 .3'><geom name='fg' type='capsule' size='.1' fromto='0 0 0 1 0 0'/>"
    "</frame><body name='b' pos='0 0 1'><joint name='j' type='slide' axis='1 0 1' springdamper='.1 1' "
    "range='0 1' limited='true' solimplimit='.8 .9'/><geom name='w' size='.1' mass='2'/><body name='c' "
    "euler='.1 .2 .3'><joint name='k' type='ball' damping='.3'/><inertial pos='0 0 .1' mass='1' "
    "fullinertia='2 2 2 .1 .2 .3'/><site name='q'/></body></body></body>"
    "<body name='mo' mocap='true'><geom size='.1' contype='0' conaffinity='0'/></body>"
    "<replicate count='3' offset='0 1 0'><body name='r' pos='4 0 0'><geom size='.1'/></body></replicate>"
    "</worldbody><contact><pair geom1='fg' geom2='fh' friction='1 .9 .1 .2 .3'/><exclude body1='a' "
    "body2='c'/></contact><equality><connect site1='s' site2='q'/><weld body1='a' body2='mo' "
    "torquescale='2'/><joint joint1='j' polycoef='0 2 0 0 0' active='false'/></equality><tendon>"
    "<spatial name='sp' range='0 3' limited='true' springlength='.1 .2'><site site='s'/><site site='q'/><pulley "
    "divisor='2'/><site site='s'/><geom geom='w'/><site site='q'/></spatial><fixed name='fx'><joint "
    "joint='j' coef='-2'/></fixed></tendon><actuator><position joint='j' kp='30' kv='2'/><muscle tendon='sp' "
    "lengthrange='.1 2'/><general site='s' refsite='q' gear='1 2 3 4 5 6' dyntype='filterexact' "
    "dynprm='.2' actearly='true'/><intvelocity joint='j' actrange='-1 1'/></actuator><sensor><framepos "
    "objtype='site' objname='s' reftype='body' refname='b' noise='.1'/><user dim='3' objtype='site' objname='q' needstage='vel' "
    "datatype='axis'/><rangefinder site='q' cutoff='4'/></sensor><custom><numeric name='n' size='4' "
    "data='1 2'/><text name='x' data='a&amp;b'/><tuple name='tt'><element objtype='geom' objname='fg' "
    "prm='.5'/></tuple></custom><keyframe><key name='home' time='1' qpos='0 0 1 1 0 0 0 .2 1 0 0 0' "
    "act='.1 .2 .3' ctrl='1 2 3 4' mpos='1 1 1'/></keyframe></mujoco>";

START_TEST(rich_text_comes_back) {
  ck_assert_int_ge(sn_engine_add_resource(engine, "rich.xml", rich, (int64_t)strlen(rich), error),
                   0);
  round_trip("rich.xml");
}
END_TEST

// What a pair leaves unset is mixed from its geoms, which a file cannot say.
START_TEST(pair_with_unset_numbers_is_refused) {
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
  TEST(rich_text_comes_back);
  TEST(pair_with_unset_numbers_is_refused);
}
