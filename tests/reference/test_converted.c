// SPDX-License-Identifier: Apache-2.0
//
// Models written as MJCF. Every model of the samples, of the tests' seeds and of the reference
// engine is saved and loaded again by both engines:
//
//   Sinew              every array, name and setting is that of the original, bit for bit
//   reference engine   loads it, unless the model has what is newer than that engine; its arrays
//                      are those that it makes of the original, or where it cannot read that,
//                      those of Sinew, as same_model.h says
//
// SINEW_MODELS, a list of folders with ':' between them, adds the models in them and below.

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "default_engine.h"
#include "element_names.h"
#include "reference/same_model.h"
#include "settings.h"
#include "suite.h"

// ------------------------------------------------------------------ which models

#define SAMPLES SN_TEST_SOURCE "/samples/models"

enum { MOST_MODELS = 4000, MOST_PATH = 1024 };

static char *models[MOST_MODELS];
static int nmodel;

static int ends_with(const char *text, const char *ending) {
  size_t n = strlen(text), k = strlen(ending);
  return n > k && strcmp(text + n - k, ending) == 0;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_folder(const char *folder) {
  DIR *dir = opendir(folder);
  for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
    char path[MOST_PATH];
    struct stat s;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] == '.' || stat(path, &s) != 0) {
      continue;
    }
    if (S_ISDIR(s.st_mode)) {
      add_folder(path);
    } else if (nmodel < MOST_MODELS && (ends_with(path, ".xml") || ends_with(path, ".urdf"))) {
      models[nmodel++] = strdup(path);
    }
  }
  if (dir) {
    closedir(dir);
  }
}

static void find_models(void) {
  if (nmodel) {
    return;
  }
  char list[4 * MOST_PATH];
  const char *more = getenv("SINEW_MODELS");
  snprintf(list, sizeof list, "%s", more ? more : "");
  add_folder(SAMPLES);
  add_folder(SN_TEST_SOURCE "/tests/fuzz/seeds");
  add_folder("/usr/share/mujoco/model");
  for (char *folder = strtok(list, ":"); folder; folder = strtok(NULL, ":")) {
    add_folder(folder);
  }
  qsort(models, (size_t)nmodel, sizeof models[0], by_name);
}

// ------------------------------------------------------------------ the same in Sinew

// Limits of what actuators do are not written for a model that has no actuators.
static int is_idle(const sn_model *m, const char *field) {
  return snm_nu(m) == 0 && strncmp(field, "jnt_actfrc", strlen("jnt_actfrc")) == 0;
}

static void same_bits(const char *what, const sn_model *a, const sn_model *b) {
  sn_view x = { .size = sizeof x }, y = { .size = sizeof y };
  for (int64_t k = 0; sn_model_field_at(a, k, &x); k++) {
    ck_assert(sn_model_field_at(b, k, &y));
    if (is_idle(a, x.name)) {
      continue;
    }
    ck_assert_msg(x.rows == y.rows && x.cols == y.cols, "%s: %s has %lld instead of %lld rows",
                  what, x.name, (long long)y.rows, (long long)x.rows);
    for (int64_t i = 0; i < x.rows * x.cols; i++) {
      double before = number_of(&x, i), after = number_of(&y, i);
      if (before != after && !(isnan(before) && isnan(after))) {
        ck_abort_msg("%s: %s[%lld] is %.17g instead of %.17g", what, x.name, (long long)i, after,
                     before);
      }
    }
  }
}

static void same_settings(const sn_model *a, const sn_model *b) {
  const sn_option options[] = { option_of(a), option_of(b) };
  const sn_statistic statistics[] = { statistic_of(a), statistic_of(b) };
  const sn_visual visuals[] = { visual_of(a), visual_of(b) };
  ck_assert_mem_eq(&options[0], &options[1], sizeof(sn_option));
  ck_assert_mem_eq(&statistics[0], &statistics[1], sizeof(sn_statistic));
  ck_assert_mem_eq(&visuals[0], &visuals[1], sizeof(sn_visual));
}

// ------------------------------------------------------------------ the same in the reference

static const closeness rounded = { 1e-12, 1e-12 };   // other words for an orientation
// inertia, and what follows from it: the reference's principal axes are those to a microradian
static const closeness derived = { 1e-9, 1e-6 };

static void same_numbers(const char *what, const char *name, const double *a, const double *b,
                         int64_t n) {
  const int follows = strstr(name, "invweight") || strcmp(name, "dof_M0") == 0 ||
                      strncmp(name, "body_i", 6) == 0;
  const closeness how = follows ? derived : rounded;
  for (int64_t i = 0; i < n; i++) {
    ck_assert_msg(is_close(b[i], a[i], a[i], how),
                  "%s: the reference has %s[%lld] %.17g instead of %.17g", what, name, (long long)i,
                  b[i], a[i]);
  }
}

static double *doubles(int64_t n) {
  double *p = malloc((size_t)(n + 1) * sizeof *p);
  ck_assert_ptr_nonnull(p);
  return p;
}

// Where two moments are equal, or the order of all is another, the axes differ and the tensor is
// the same.
static void same_tensors_in_reference(const char *what, const mjModel *a, const mjModel *b) {
  for (int i = 0; i < a->nbody; i++) {
    double x[9], y[9];
    tensor_of(a->body_iquat + 4 * i, a->body_inertia + 3 * i, x);
    tensor_of(b->body_iquat + 4 * i, b->body_inertia + 3 * i, y);
    for (int k = 0; k < 9; k++) {
      const double scale = fmax(x[0], fmax(x[4], x[8]));
      ck_assert_msg(is_close(y[k], x[k], scale, tensors_of_meshes),
                    "%s: the reference has inertia %.17g instead of %.17g in body %d", what, y[k],
                    x[k], i);
    }
  }
}

// Every array; names are compared in Sinew, and of skins this engine keeps weights of zero.
static void same_in_reference(const char *what, const mjModel *a, const mjModel *b) {
  MJMODEL_POINTERS_PREAMBLE(a)
#define X(type, name, nr, nc)                                                                      \
  if (!is_ignored(#name)) {                                                                        \
    ck_assert_msg(a->nr == b->nr, "%s: the reference has %d instead of %d " #nr, what, (int)b->nr, \
                  (int)a->nr);                                                                     \
    const int64_t n = (int64_t)a->nr * (nc);                                                       \
    double *x = doubles(n), *y = doubles(n);                                                       \
    for (int64_t i = 0; i < n; i++) {                                                              \
      x[i] = (double)a->name[i];                                                                   \
      y[i] = (double)b->name[i];                                                                   \
    }                                                                                              \
    same_numbers(what, #name, x, y, n);                                                            \
    free(x);                                                                                       \
    free(y);                                                                                       \
  }
  MJMODEL_POINTERS
#undef X
  same_tensors_in_reference(what, a, b);
}

// ------------------------------------------------------------------ what is newer

static int differs(const sn_model *m, const char *field, double usual_value) {
  sn_view view = { .size = sizeof view };
  ck_assert_int_eq(sn_model_field(m, field, &view), SN_OK);
  for (int64_t i = 0; i < view.rows * view.cols; i++) {
    if (number_of(&view, i) != usual_value) {
      return 1;
    }
  }
  return 0;
}

// Do the degrees of freedom of one joint have different numbers?
static int differs_in_joint(const sn_model *m, const char *field) {
  sn_view view = { .size = sizeof view };
  const int32_t *joint = snm_dof_jntid(m);
  ck_assert_int_eq(sn_model_field(m, field, &view), SN_OK);
  for (int64_t i = 1; i < view.rows; i++) {
    if (joint[i] == joint[i - 1] && number_of(&view, i) != number_of(&view, i - 1)) {
      return 1;
    }
  }
  return 0;
}

// What the model has and the reference engine does not; NULL: nothing.
static const char *newer_part(const sn_model *m) {
  static const char *const unusual[] = { "body_gravcomp",      "jnt_actfrclimited",
                                         "jnt_actfrcrange",    "jnt_actgravcomp",
                                         "tendon_armature",    "tendon_actfrclimited",
                                         "tendon_actfrcrange", "actuator_actearly" };
  static const char *const one_number[] = { "dof_armature", "dof_damping", "dof_frictionloss",
                                            "dof_stiffness" };
  for (size_t k = 0; k < sizeof unusual / sizeof unusual[0]; k++) {
    if (differs(m, unusual[k], 0) && !is_idle(m, unusual[k])) {
      return unusual[k];
    }
  }
  for (size_t k = 0; k < sizeof one_number / sizeof one_number[0]; k++) {
    if (differs_in_joint(m, one_number[k])) {
      return one_number[k];
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ there and back

static char folder[64], written[96];

static void open_folder(void) {
  snprintf(folder, sizeof folder, "/tmp/sinew-converted-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(written, sizeof written, "%s/model.xml", folder);
  open_engine();
}

// Number of files in the folder, which are removed.
static int clear_folder(void) {
  int n = 0;
  DIR *dir = opendir(folder);
  ck_assert_ptr_nonnull(dir);
  for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
    char path[MOST_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    n += unlink(path) == 0;
  }
  closedir(dir);
  return n;
}

static void close_folder(void) {
  close_engine();
  clear_folder();
  rmdir(folder);
}

// The reference's model of a file; NULL, and why, when it rejects.
static mjModel *reference_model(const char *path, char *why) {
  why[0] = 0;
  return mj_loadXML(path, NULL, why, 1000);
}

// The original, compiled, is saved and loaded again. What is newer in it, or NULL.
static const char *there_and_back(const char *path, sn_spec *spec, const sn_model *m) {
  ck_assert_msg(sn_spec_save(spec, "mjcf", written, error) >= 0, "%s: cannot be written: %s", path,
                sn_error_text(error));
  sn_model *again = sn_load(engine, written, error);
  ck_assert_msg(again != NULL, "%s: Sinew cannot read it: %s", path, sn_error_text(error));
  same_bits(path, m, again);
  same_element_names(path, m, again);
  same_settings(m, again);

  char why[1000], why_not[1000];
  mjModel *before = reference_model(path, why_not), *after = reference_model(written, why);
  const char *newer = after ? NULL : newer_part(m);
  ck_assert_msg(after || newer, "%s: the reference cannot read it: %s", path, why);
  if (after && before) {
    same_in_reference(path, before, after);
  } else if (after) {
    same_model(path, again, after);
  }
  mj_deleteModel(before);
  mj_deleteModel(after);
  sn_model_free(again);
  return newer;
}

// ------------------------------------------------------------------ models

START_TEST(model_comes_back) {
  const char *path = models[_i];
  sn_spec *spec = sn_spec_load(engine, path, error);
  if (spec) {
    fuse_as_the_reference(spec);
  }
  sn_model *m = spec ? sn_compile(spec, error) : NULL;
  if (m) {
    const char *newer = there_and_back(path, spec, m);
    printf("%s: %s%s\n", path, newer ? "newer: " : "same", newer ? newer : "");
  } else {   // seeds name files that are not there; folders hold parts of models
    ck_assert_msg(strncmp(path, SAMPLES, strlen(SAMPLES)) != 0, "%s: %s", path,
                  sn_error_text(error));
    printf("%s: cannot be loaded\n", path);
  }
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ texts

static const struct {
  const char *name, *text;
} texts[] = {
  // principal axes that are turned twice: by the frame, and in it
  { "turned.urdf",
    "<robot name='turned'><link name='base'/><link name='a'><inertial><origin xyz='.1 .2 .3' "
    "rpy='.3 -.7 1.1'/><mass value='2'/><inertia ixx='.03' iyy='.04' izz='.05' ixy='.002' "
    "ixz='-.003' iyz='.001'/></inertial></link><link name='b'><inertial><origin rpy='0 0 1.5'/>"
    "<mass value='1'/><inertia ixx='.03' iyy='.03' izz='.05' ixy='1e-9' ixz='0' iyz='0'/>"
    "</inertial></link><joint name='j' type='revolute'><parent link='base'/><child link='a'/>"
    "<axis xyz='0 1 0'/><limit lower='-1' upper='2' effort='3' velocity='4'/></joint>"
    "<joint name='k' type='continuous'><parent link='a'/><child link='b'/></joint></robot>" },
  // every kind of joint, without a word about limits
  { "joints.urdf",
    "<robot name='joints'><link name='world'/><link name='a'><inertial><mass value='1'/><inertia "
    "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='b'><inertial>"
    "<mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='f' type='floating'><parent link='world'/><child link='a'/></joint>"
    "<joint name='p' type='prismatic'><parent link='a'/><child link='b'/><limit lower='0' "
    "upper='0' effort='0' velocity='0'/></joint></robot>" },
  { "joints.xml",
    "<x_xy model='joints'><options gravity='0 0 9.81' dt='0.01'/><worldbody><body name='a' "
    "joint='free' damping='1 1 1 2 2 2'><geom type='box' mass='1' dim='.1 .2 .3'/><body name='b' "
    "joint='spherical' damping='.1 .1 .1' armature='1 1 1' spring_stiff='.3 .3 .3'><geom "
    "type='sphere' mass='1' dim='.1'/><body name='c' joint='rx' armature='.2'><geom "
    "type='capsule' mass='1' dim='.1 .2'/></body></body></body></worldbody></x_xy>" },
  { "joints.mjcf.xml",
    "<mujoco><worldbody><body><freejoint/><geom size='.1'/><body><joint type='ball' "
    "limited='false' range='0 10'/><geom size='.1'/><body><joint type='slide' limited='false' "
    "range='-1 1'/><geom size='.1'/><body><joint limited='true' range='-1 1'/><geom size='.1'/>"
    "</body></body></body></body></worldbody></mujoco>" },
};

START_TEST(text_comes_back) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, texts[_i].name);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(texts[_i].text, file);
  fclose(file);
  sn_spec *spec = sn_spec_load(engine, path, error);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  sn_model *m = compiled(spec);
  const char *newer = there_and_back(path, spec, m);
  unlink(path);
  ck_assert_msg(!newer, "%s: the reference cannot read %s", path, newer);
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ files

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_ge(fputs(text, file), 0);
  ck_assert_int_eq(fclose(file), 0);
}

// What a model names relative to a relative path is found from the folder that it is saved to.
START_TEST(files_are_found_from_another_folder) {
  char path[128], here[MOST_PATH];
  snprintf(path, sizeof path, "%s/from", folder);
  ck_assert_ptr_nonnull(getcwd(here, sizeof here));
  ck_assert_int_eq(mkdir(path, 0777), 0);
  ck_assert_int_eq(chdir(folder), 0);
  write_text("from/m.obj",
             "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  write_text("from/robot.xml", "<mujoco><asset><mesh file='m.obj'/></asset><worldbody>"
                               "<geom type='mesh' mesh='m'/></worldbody></mujoco>");
  sn_spec *spec = sn_spec_load(engine, "from/robot.xml", error);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  sn_model *m = compiled(spec);
  ck_assert_ptr_null(there_and_back("from/robot.xml", spec, m));
  sn_model_free(m);
  sn_spec_free(spec);
  unlink("from/m.obj");
  unlink("from/robot.xml");
  ck_assert_int_eq(rmdir("from"), 0);
  ck_assert_int_eq(chdir(here), 0);
}
END_TEST

// ------------------------------------------------------------------ deep trees

// A chain of bodies, and another one from body `fork` of it on.
static sn_spec *chain_spec(int n, int fork) {
  sn_spec *spec = sn_spec_new(engine, error);
  ck_assert_ptr_nonnull(spec);
  int32_t last = 0, forked = 0, id;
  for (int i = 0; i < 2 * n - fork; i++) {
    char name[32];
    sn_body_def body;
    sn_joint_def joint;
    sn_geom_def geom;
    sn_default_body(&body);
    sn_default_joint(&joint);
    sn_default_geom(&geom);
    snprintf(name, sizeof name, "b%d", i);
    body.name = name;
    body.parent = i == n ? forked : last;
    body.pos[2] = 0.1 + 0.001 * i;
    OK(sn_spec_add_body(spec, &body, NULL, &last, error));
    forked = i == fork ? last : forked;
    joint.body = geom.body = last;
    geom.size[0] = 0.01;
    OK(sn_spec_add_joint(spec, &joint, NULL, &id, error));
    OK(sn_spec_add_geom(spec, &geom, NULL, &id, error));
  }
  return spec;
}

// Trees deeper than the reference reads in one file: each part is a file that it includes. Bodies
// 88 of both chains go to the first two, and those 89 later to two more.
START_TEST(tree_that_is_deep_comes_back) {
  sn_spec *spec = chain_spec(200, 50);
  sn_model *m = compiled(spec);
  ck_assert_ptr_null(there_and_back("a deep tree", spec, m));
  ck_assert_int_eq(clear_folder(), 5);
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

typedef struct page {
  char *text;
  size_t n;
} page;

static sn_status append(sn_sink *sink, const void *bytes, int64_t count) {
  page *p = sink->context;
  p->text = realloc(p->text, p->n + (size_t)count + 1);
  memcpy(p->text + p->n, bytes, (size_t)count);
  p->n += (size_t)count;
  p->text[p->n] = 0;
  return SN_OK;
}

// A sink that opens no more files gets it in one.
START_TEST(tree_that_is_deep_fits_one_stream) {
  page p = { 0 };
  sn_sink sink = { .size = sizeof sink, .context = &p, .write = append };
  sn_spec *spec = chain_spec(1000, 999);
  OK(sn_spec_write(spec, "mjcf", &sink, error));
  ck_assert_ptr_null(strstr(p.text, "<include"));
  sn_spec *again = good_spec(p.text);
  ck_assert_int_eq(sn_spec_count(again, "body"), sn_spec_count(spec, "body"));
  sn_spec_free(again);
  sn_spec_free(spec);
  free(p.text);
}
END_TEST

// A failure behind the tree leaves none of its files.
START_TEST(failure_leaves_no_parts) {
  sn_spec *spec = chain_spec(200, 50);
  sn_pair_def pair;
  int32_t id;
  sn_default_pair(&pair);   // mixed from its geoms, which the format cannot say
  pair.geom1 = pair.geom2 = "g";
  OK(sn_spec_add_pair(spec, &pair, NULL, &id, error));
  ck_assert_int_eq(sn_spec_save(spec, "mjcf", written, error), SN_EUNSUPPORTED);
  ck_assert_int_eq(clear_folder(), 0);
  sn_spec_free(spec);
}
END_TEST

TESTS() {
  find_models();
  FIXTURE(open_folder, close_folder);
  EACH(model_comes_back, 0, nmodel);
  EACH(text_comes_back, 0, (int)(sizeof texts / sizeof texts[0]));
  TEST(files_are_found_from_another_folder);
  TEST(tree_that_is_deep_comes_back);
  TEST(tree_that_is_deep_fits_one_stream);
  TEST(failure_leaves_no_parts);
}
