// SPDX-License-Identifier: Apache-2.0
//
// One line of an ini changes the collider of a pair: the listing and `sinew config` show it,
// and the contacts of a model are those of the other collider.

#include <stdio.h>

#include "random_state.h"
#include "ray_distance.h"
#include "suite.h"

static char path[512];

// A copy of the configuration of the build, beside it, with a line more in [collision], which may
// replace that of the convex pairs.
static void write_ini(const char *line) {
  char text[512];
  snprintf(path, sizeof path, SN_TEST_BUILD "/pairs.ini");
  FILE *from = fopen(SN_TEST_BUILD "/sinew.ini", "r"), *to = fopen(path, "w");
  ck_assert(from && to);
  while (fgets(text, sizeof text, from)) {
    if (!(strncmp(text, "convex ", 7) == 0 && strstr(line, "convex"))) {
      fputs(text, to);
    }
    if (strcmp(text, "[collision]\n") == 0) {
      fprintf(to, "%s\n", line);
    }
  }
  fclose(from);
  fclose(to);
}

// The collider of a pair, by the listing of the engine; origin: 512 bytes.
static void find_pair(const char *pair, char name[64], char *origin) {
  sn_config_info info = { .size = sizeof info };
  int found = 0;
  for (int64_t i = 0; sn_engine_config(engine, i, &info); i++) {
    if (strcmp(info.section, "collision") == 0 && strcmp(info.key, pair) == 0) {
      snprintf(name, 64, "%s", info.value);
      snprintf(origin, 512, "%s", info.origin);
      found++;
    }
  }
  ck_assert_msg(found == 1, "%s is listed %d times", pair, found);
}

static int64_t contacts_of_boxes(void) {
  sn_model *m = model_of(
      "<mujoco><worldbody><geom type='box' size='.3 .3 .1'/><body pos='0 0 .19'>"
      "<freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>");
  sn_data *d = data_of(m);
  sn_forward(m, d);
  int64_t n = d->ncon;
  done_with(m, d);
  return n;
}

static void expect_pair(const char *line, const char *collider, const char *said_in,
                        int64_t contacts) {
  char name[64], origin[512], command[700], text[16384], wanted[128];
  write_ini(line);
  error = sn_error_new();
  engine = sn_engine_open(path, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  find_pair("box-box", name, origin);
  ck_assert_str_eq(name, collider);
  ck_assert_msg(strstr(origin, said_in) != NULL, "%s", origin);
  ck_assert_int_eq(contacts_of_boxes(), contacts);
  close_engine();

  snprintf(command, sizeof command, SN_TEST_BUILD "/sinew config --config %s", path);
  FILE *output = popen(command, "r");
  ck_assert_ptr_nonnull(output);
  text[fread(text, 1, sizeof text - 1, output)] = '\0';
  ck_assert_int_eq(pclose(output), 0);
  snprintf(wanted, sizeof wanted, "\n%-20s = %s ", "box-box", collider);
  ck_assert_msg(strstr(text, wanted) != NULL, "%s", text);
  remove(path);
}

START_TEST(ini_line_changes_the_collider) {
  expect_pair("; nothing is said", "primitive", "default", 4);
  expect_pair("box-box = gjk", "gjk", "pairs.ini:", 4);
  expect_pair("box-* = ccd", "ccd", "pairs.ini:", 4);
  expect_pair("*-* = gjk\nbox-box = primitive", "primitive", "pairs.ini:", 4);
  expect_pair("*-* = gjk\nbox-* = hfield", "gjk", "pairs.ini:", 4);   // which does not support it
  // a wildcard counts where the pair is supported
  expect_pair("*-* = hfield", "primitive", "default", 4);
}
END_TEST

// What `sinew config` prints is an ini: read again it gives the same selection.
START_TEST(listing_can_be_read) {
  static const char *const said[] = { "; nothing", "mesh-* = gjk\nmesh-mesh = ccd", "*-* = hfield",
                                      "convex = gjk\ncapsule-mesh = ccd" };
  for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
    char command[1200];
    write_ini(said[i]);
    snprintf(command, sizeof command,
             "cd " SN_TEST_BUILD " && ./sinew config --config %s --set box-box=gjk --set "
             "convex=ccd > listed.ini && ./sinew config --config listed.ini > again.ini && "
             "for f in listed again; do sed 's/ *;.*//' $f.ini > $f.txt; done; "
             "cmp listed.txt again.txt && grep -q '^box-box *= gjk' again.txt && "
             "rm listed.ini again.ini listed.txt again.txt",
             path);
    ck_assert_int_eq(system(command), 0);
    remove(path);
  }
}
END_TEST

// The general pairs have one name, which leaves those with a closed form alone.
START_TEST(convex_pairs_have_a_name) {
  static const struct {
    const char *line, *mesh_mesh, *capsule_mesh, *box_box, *hfield_mesh;
  } cases[] = {
    { "; nothing", "gjk", "gjk", "primitive", "hfield" },
    { "convex = gjk", "gjk", "gjk", "primitive", "hfield" },
    { "convex = ccd", "ccd", "ccd", "primitive", "hfield" },
    { "mesh-* = gjk\nconvex = ccd", "gjk", "gjk", "primitive", "hfield" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char name[64], origin[512];
    write_ini(cases[i].line);
    error = sn_error_new();
    engine = sn_engine_open(path, error);
    ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
    find_pair("mesh-mesh", name, origin);
    ck_assert_str_eq(name, cases[i].mesh_mesh);
    find_pair("capsule-mesh", name, origin);
    ck_assert_str_eq(name, cases[i].capsule_mesh);
    find_pair("box-box", name, origin);
    ck_assert_str_eq(name, cases[i].box_box);
    find_pair("hfield-mesh", name, origin);
    ck_assert_str_eq(name, cases[i].hfield_mesh);
    close_engine();
    remove(path);
  }
}
END_TEST

// Every pair that is listed has the collider that a model is bound to.
START_TEST(listing_is_what_models_get) {
  open_engine();
  sn_model *m = model_of("<mujoco/>");
  int served = 0;
  for (int i = 0; i < SN_NGEOMTYPES; i++) {
    for (int k = i; k < SN_NGEOMTYPES; k++) {
      const si_provider *p = m->bound.collider[i][k];
      if (p) {
        char name[64], origin[512];
        find_pair(si_pair_name(i, k), name, origin);
        ck_assert_str_eq(name, p->name);
        served++;
      }
    }
  }
  // all 45 but those of planes and height fields among themselves
  ck_assert_int_eq(served, 42);
  sn_model_free(m);
  close_engine();
}
END_TEST

START_TEST(pair_without_a_collider_is_rejected) {
  write_ini("plane-box = gjk");
  error = sn_error_new();
  engine = sn_engine_open(path, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  ck_assert_int_ge(sn_engine_add_resource(engine, "x.xml", "<mujoco/>", 9, error), 0);
  ck_assert_ptr_null(sn_load(engine, "x.xml", error));
  ck_assert_msg(strstr(sn_error_text(error), "'gjk' does not support plane-box") != NULL, "%s",
                sn_error_text(error));
  // and its line
  ck_assert_msg(strstr(sn_error_text(error), ".ini:") != NULL, "%s", sn_error_text(error));
  remove(path);
  close_engine();
}
END_TEST

// `sinew config` lists it too.
START_TEST(listing_names_unsupported_pairs) {
  static const char *const lines[] = { "box-box = gjkk", "box-box = newton", "convex = primitive" };
  for (int i = 0; i < 3; i++) {
    char command[700], text[2048];
    write_ini(lines[i]);
    snprintf(command, sizeof command, SN_TEST_BUILD "/sinew config --config %s 2>&1", path);
    FILE *output = popen(command, "r");
    ck_assert_ptr_nonnull(output);
    text[fread(text, 1, sizeof text - 1, output)] = '\0';
    ck_assert_int_ne(pclose(output), 0);
    ck_assert_msg(strstr(text, "pairs.ini:") && strstr(text, "[collision]"), "%s", text);
    remove(path);
  }
}
END_TEST

// ------------------------------------------------------------------ unused colliders

static sn_status collide_nothing(const void *self, const sn_batch *batch, sn_contact_list *out,
                                 sn_scratch *scratch) {
  (void)self, (void)batch, (void)scratch;
  out->count = 0;
  return SN_OK;
}

static const struct {
  sn_collider_pair pair;
  const char *select;   // "": the configuration has no line for the convex pairs
  const char *warning;
} colliders[] = {
  { { "plane", "user" },
    NULL,
    "'mine' (sinew.collider/1) is used for no pair of geom types: "
    "'primitive', which was registered before it, supports them too; to "
    "use it, write 'plane-user = mine' in section [collision]" },
  { { "convex", "convex" }, NULL, NULL },   // another choice of the configuration, here and below
  { { "convex", "convex" }, "", "write 'convex = mine' in section [collision]" },
  { { "plane", "user" }, "plane-user=mine", NULL },
  { { "plane", "user" }, "plane-user=primitive", NULL },
  // used, as it is the only one, or names a pair that others have among `convex`
  { { "hfield", "hfield" }, NULL, NULL },
  { { "mesh", "mesh" }, NULL, NULL },
};
enum { NCOLLIDERS = sizeof colliders / sizeof colliders[0] };

START_TEST(unused_collider_is_a_warning) {
  const sn_collider_pair list[] = { colliders[_i].pair, { NULL, NULL } };
  const sn_collider_ops ops = {
    .head = { .size = sizeof ops }, .pairs = list, .max_points = 1, .collide = collide_nothing
  };
  char key[64] = "";
  const int is_bare = colliders[_i].select && !colliders[_i].select[0];
  write_ini(is_bare ? "; no line for convex pairs" : "; nothing");
  error = sn_error_new();
  engine = sn_engine_open(path, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  hear_warnings();
  OK(sn_engine_add(engine, SN_KIND_COLLIDER, "mine", &ops, error));
  if (colliders[_i].select && !is_bare) {
    const char *equals = strchr(colliders[_i].select, '=');
    snprintf(key, sizeof key, "%.*s", (int)(equals - colliders[_i].select), colliders[_i].select);
    OK(sn_select(engine, key, equals + 1, error));
  }
  sn_model_free(model_of("<mujoco/>"));
  if (colliders[_i].warning) {
    ck_assert_msg(strstr(heard(), colliders[_i].warning) != NULL, "%s", heard());
  } else {
    ck_assert_str_eq(heard(), "");
  }
  close_engine();
}
END_TEST

static void expect_line(const char *command, const char *line) {
  char text[16384];
  FILE *output = popen(command, "r");
  ck_assert_ptr_nonnull(output);
  text[fread(text, 1, sizeof text - 1, output)] = '\0';
  ck_assert_int_eq(pclose(output), 0);
  ck_assert_msg(strstr(text, line) != NULL, "%s", text);
}

START_TEST(inspection_shows_the_pairs_of_a_collider) {
  expect_line(SN_TEST_BUILD "/sinew plugins inspect hfield", "\n  supports hfield-convex");
  expect_line(SN_TEST_BUILD "/sinew plugins inspect gjk",
              "\n  used for sphere-ellipsoid, sphere-mesh");
  expect_line(SN_TEST_BUILD "/sinew plugins inspect ccd --set convex=gjk",
              "\n  used for no pair; select it in [collision]");
  expect_line(SN_TEST_BUILD "/sinew plugins inspect hfield --json", "\"used_for\"");
}
END_TEST

// Rays are cast by a collider that has them for the type, whichever was loaded first.
START_TEST(rays_find_their_collider) {
  error = sn_error_new();
  engine = sn_engine_open("", error);
  static const char *const names[] = { "gjk",    "hfield", "primitive", "qhull",
                                       "newton", "euler",  "mjcf" };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    snprintf(path, sizeof path, SN_TEST_BUILD "/%s/%s.so", i == 6 ? "loaders" : "plugins",
             names[i]);
    ck_assert_msg(sn_engine_load_plugin(engine, names[i], path, error) >= 0, "%s",
                  sn_error_text(error));
  }
  sn_model *m = model_of(
      "<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset>"
      "<worldbody><geom type='hfield' hfield='h'/><geom size='.5' pos='0 0 3'/>"
      "</worldbody></mujoco>");
  sn_data *d = data_of(m);
  const double from[3] = { 0.1, 0.2, 9 }, aside[3] = { 0.9, 0.2, 9 }, down[3] = { 0, 0, -1 };
  int32_t geom;
  sn_forward_position(m, d);
  CLOSE(ray_distance(m, d, from, down, 0, 1, -1, &geom), 6 - sqrt(0.25 - 0.05), 1e-14);
  ck_assert_int_eq(geom, 1);
  CLOSE(ray_distance(m, d, aside, down, 0, 1, -1, &geom), 9, 1e-14);
  ck_assert_int_eq(geom, 0);
  done_with(m, d);
  close_engine();
}
END_TEST

TESTS() {
  TEST(ini_line_changes_the_collider);
  TEST(listing_can_be_read);
  TEST(convex_pairs_have_a_name);
  TEST(listing_is_what_models_get);
  TEST(pair_without_a_collider_is_rejected);
  TEST(listing_names_unsupported_pairs);
  EACH(unused_collider_is_a_warning, 0, NCOLLIDERS);
  TEST(inspection_shows_the_pairs_of_a_collider);
  TEST(rays_find_their_collider);
}
