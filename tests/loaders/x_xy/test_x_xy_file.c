// SPDX-License-Identifier: Apache-2.0
//
// The loader of x_xy: what it reads of each element, the axes that it draws, parameters, joints of
// a user's file, and that the page for users tells the truth.

#include "loaders/x_xy/x_xy_text.h"
#include "settings.h"
#include "suite.h"

static void setup(void) {
  open_engine("");
}

// ------------------------------------------------------------------ elements
START_TEST(elements_are_read) {
  sn_spec *spec = spec_of(
      "<x_xy name='t'>\n<options gravity='.1 2 3' dt='.03'/>\n"
      "<defaults><body damping='.7'/><geom mass='2.7' color='red'/></defaults>\n<worldbody>\n"
      "<geom type='xyz' dim='.5'/>"
      "<body name='a' joint='ry' euler='30 30 30' armature='.8' spring_stiff='1'"
      " spring_zero='.9'>\n"
      "<geom type='box' size='.2  .3\t.4' edge_color='blue'/>\n"
      "<geom type='sphere' dim='1' color='.1 .2 .3' mass='0'/>\n"
      "<omc name='m' pos_marker='2' pos='1 2 3'/></body>\n"
      "<body name='q' joint='frozen' quat='1 0 1 0' damping=''/>\n</worldbody></x_xy>");
  ck_assert_msg(spec == NULL, "a frozen body has no damping");
  spec = spec_of(
      "<x_xy name='t'>\n<options gravity='.1 2 3' dt='.03'/>\n"
      "<defaults><geom mass='2.7' color='red'/></defaults>\n<worldbody>\n"
      "<geom type='xyz' dim='.5'/>"
      "<body name='a' joint='ry' euler='30 30 30' armature='.8' spring_stiff='1' spring_zero='.9'"
      " damping='.7' pos_min='0 0 0' pos_max='1 0 0'>\n"
      "<geom type='box' size='.2  .3\t.4' edge_color='blue'/>\n"
      "<geom type='sphere' dim='1' color='.1 .2 .3' mass='0'/>\n"
      "<omc name='m' pos_marker='2' pos='1 2 3'/></body>\n"
      "<body name='q' joint='frozen' quat='1 0 1 0'/>\n</worldbody></x_xy>");
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "'size' is read as 'dim'"));
  ck_assert(warned(spec, "was normalized"));
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  close_to(option_of(m).gravity, (const double[]){ -.1, -2, -3 }, 3, 0, "gravity");
  ck_assert_double_eq(option_of(m).timestep, .03);
  ck_assert_double_eq(snm_dof_damping(m)[0], .7);
  ck_assert_double_eq(snm_dof_armature(m)[0], .8 + 1e-6);
  ck_assert_double_eq(snm_jnt_stiffness(m)[0], 1);
  ck_assert_double_eq(snm_qpos_spring(m)[0], .9);
  ck_assert_double_eq(snm_body_mass(m)[1], 2.7);
  close_to(snm_body_pos(m) + 3, (const double[]){ 0, 0, 0 }, 3, 0, "pos is not drawn");
  // three bars of the marker, the box, the sphere
  ck_assert_int_eq(snm_ngeom(m), 5);
  close_to(snm_geom_size(m) + 9, (const double[]){ .1, .15, .2 }, 3, 1e-15, "box");
  close_to(snm_geom_rgba(m) + 12, (const double[]){ .8, .2, .2, 1 }, 4, 1e-7, "red");
  close_to(snm_geom_rgba(m) + 16, (const double[]){ .1, .2, .3, 1 }, 4, 1e-7, "numbers");
  ck_assert_int_eq(snm_geom_contype(m)[3] | snm_geom_conaffinity(m)[3], 0);
  close_to(snm_site_pos(m), (const double[]){ 1, 2, 3 }, 3, 0, "omc");
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// A moving body without mass is legal, and its joint is still regular.
START_TEST(long_names_are_kept) {
  char name[701], text[1500], part[720], path[512];
  memset(name, 'n', 700);
  name[700] = '\0';
  snprintf(text, sizeof text, X("<body name='%s' joint='p3d'>" BOX "<omc pos_marker='2'/></body>"),
           name);
  sn_spec *spec = spec_of(text);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  snprintf(path, sizeof path, "%s/none.xml", folder);
  ck_assert_int_eq(sn_spec_save(spec, "x_xy", path, error), SN_EUNSUPPORTED);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "names of more than 250 bytes"));
  sn_model *m = sn_compile(spec, error);
  for (int i = 0; i < 3; i++) {
    snprintf(part, sizeof part, "%s.%c", name, 'x' + i);
    ck_assert_str_eq(sn_name(m, "joint", i), part);
  }
  snprintf(part, sizeof part, "%s.omc2", name);
  ck_assert_str_eq(sn_name(m, "site", 0), part);
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

START_TEST(bodies_may_have_no_mass) {
  sn_model *m = model_of(X("<body name='a' joint='rx'><body name='b' joint='ry' pos='0 0 1'>" BOX
                           "</body></body><body name='c' joint='pz'/>"));
  sn_data *d = data_of(m);
  steps(m, d, 100);
  ck_assert(isfinite(snd_qpos(d)[0]) && isfinite(snd_qpos(d)[2]));
  done_with(m, d);
}
END_TEST

START_TEST(size_comes_before_the_dim_of_the_defaults) {
  sn_model *m = model_of("<x_xy><defaults><geom dim='1 1 1' type='box' mass='1'/></defaults>"
                         "<worldbody><body name='a' joint='rx'><geom/><geom size='4 4 4'/></body>"
                         "</worldbody></x_xy>");
  close_to(snm_geom_size(m), (const double[]){ .5, .5, .5, 2, 2, 2 }, 6, 0, "size");
  sn_model_free(m);
}
END_TEST

START_TEST(numbers_beyond_those_needed) {
  // box, cylinder and capsule take the first ones
  sn_model *m = model_of(X("<body name='a' joint='rx'><geom type='box' mass='1' dim='2 2 2 9'/>"
                           "</body>"));
  close_to(snm_geom_size(m), (const double[]){ 1, 1, 1 }, 3, 0, "size");
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ drawn axes, seed 1

static void axes_are(const char *joint, int n, int each, const double *want) {
  char text[1000] = "<x_xy><worldbody>";
  for (int i = 0; i < n; i++) {
    sprintf(text + strlen(text), "<body name='b%d' joint='%s'>" BOX "</body>", i, joint);
  }
  strcat(text, "</worldbody></x_xy>");
  sn_model *m = model_of(text);
  ck_assert_int_eq(snm_njnt(m), n * each);
  close_to(snm_jnt_axis(m), want, 3 * n * each, 1e-5, joint);
  sn_model_free(m);
}

START_TEST(axes_of_seed_1_are_those_of_the_original) {
  axes_are("rr", 1, 1, (const double[]){ 0.412784, -0.632991, 0.654928 });
  axes_are("rr_imp", 1, 2,
           (const double[]){ -0.533908, 0.792565, 0.294589, 0.620224, 0.130298, 0.773528 });
  axes_are("rsaddle", 1, 2,
           (const double[]){ -0.612819, 0.669742, -0.419402, -0.561374, -0.792757, 0.237478 });
  axes_are("rr", 2, 1,
           (const double[]){ -0.996028, -0.010911, -0.088367, 0.769013, 0.462701, -0.441051 });
  axes_are("rr", 3, 1,
           (const double[]){ -0.648217, -0.672804, 0.356582, 0.37389, -0.765664, -0.523417,
                             -0.591425, 0.787138, 0.175015 });
}
END_TEST

// ------------------------------------------------------------------ parameters

START_TEST(parameters_say_what_is_drawn_and_what_collides) {
  close_engine();
  open_engine("[plugin.x_xy]\nseed = 2\nrandomize_pos = true\ncollide = true\n");
  sn_model *m = model_of(
      X("<body name='a' joint='rr' pos='9 9 9' pos_min='0 1 2' pos_max='1 1 4'>" BOX "</body>"));
  ck_assert_double_gt(fabs(snm_jnt_axis(m)[0] - 0.412784), 1e-3);
  const double *pos = snm_body_pos(m) + 3;
  ck_assert(pos[0] >= 0 && pos[0] <= 1 && pos[1] == 1 && pos[2] >= 2 && pos[2] <= 4);
  ck_assert_int_eq(snm_geom_contype(m)[0] & snm_geom_conaffinity(m)[0], 1);
  sn_model_free(m);
}
END_TEST

START_TEST(joint_file_adds_joints) {
  close_engine();
  open_engine("[plugin.x_xy]\njoints = more.txt\n");
  write_file("more.txt", "# joints of a leg\n\nhip = rz rx ry # three\nguide = p:0,0.6,0.8\n"
                         "ankle= px spherical\n");
  sn_model *m = model_of(X("<body name='a' joint='hip' damping='1 2 3'>" BOX "</body>"
                           "<body name='g' joint='guide'>" BOX "</body>"
                           "<body name='k' joint='ankle' spring_stiff='1 2 3 4'"
                           " spring_zero='.5 0 0 0 1'>" BOX "</body>"));
  ck_assert_int_eq(snm_nq(m), 3 + 1 + 5);
  ck_assert_int_eq(sn_find(m, "joint", "a.3"), 2);
  ck_assert_int_eq(sn_find(m, "joint", "g"), 3);
  close_to(snm_jnt_axis(m), (const double[]){ 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, .6, .8 }, 12, 1e-12,
           "axes");
  close_to(snm_dof_damping(m), (const double[]){ 1, 2, 3 }, 3, 0, "damping");
  close_to(snm_qpos_spring(m) + 4, (const double[]){ .5, 0, 0, 0, -1 }, 5, 1e-12, "zero");
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ the page for users

START_TEST(documentation_trajectory_is_reproduced) {
  char *xml = block_of("x_xy.md", "xml", 0), *csv = block_of("x_xy.md", "csv", 0),
       *program = block_of("x_xy.md", "c", 0);
  char *sample = read_file(SN_TEST_SOURCE "/samples/models/x_xy/inv_pendulum.xml");
  char *source = read_file(SN_TEST_SOURCE "/samples/programs/x_xy.c");
  ck_assert_ptr_nonnull(strstr(sample, xml));
  ck_assert_ptr_nonnull(strstr(source, program));
  sn_model *m = model_of(xml);
  sn_data *d = data_of(m);
  snd_qpos(d)[0] = 0.1;
  snd_qpos(d)[1] = 0.2;
  int lines = 0;
  for (char *line = strchr(csv, '\n'); line && line[1]; line = strchr(line + 1, '\n'), lines++) {
    double t, q[2], v[2];
    ck_assert_int_eq(sscanf(line, "%lf,%lf,%lf,%lf,%lf", &t, &q[0], &q[1], &v[0], &v[1]), 5);
    while (snd_time(d)[0] < t - 1e-9) {
      ck_assert_int_ge(sn_step(m, d), 0);
    }
    close_to(snd_qpos(d), q, 2, 1e-10, "qpos");
    close_to(snd_qvel(d), v, 2, 1e-10, "qvel");
  }
  ck_assert_int_eq(lines, 3);
  done_with(m, d);
  free(xml);
  free(csv);
  free(program);
  free(sample);
  free(source);
}
END_TEST

START_TEST(documentation_joints_work) {
  char *first = block_of("x_xy.md", "ini", 0), *second = block_of("x_xy.md", "ini", 1),
       *joints = block_of("x_xy.md", "text", 0);
  char *leg = block_of("x_xy.md", "xml", 1), both[1000];
  snprintf(both, sizeof both, "%s%s", first, strchr(second, '\n') + 1);
  close_engine();
  open_engine(both);
  write_file("more_joints.txt", joints);
  sn_model *m = model_of(leg);
  ck_assert_int_eq(snm_nv(m), 3);
  ck_assert_int_eq(sn_find(m, "joint", "thigh.3"), 2);
  close_to(snm_jnt_axis(m), (const double[]){ 0, 0, 1, 1, 0, 0, 0, 1, 0 }, 9, 0, "axes");
  close_to(snm_dof_damping(m), (const double[]){ 1, 1, .5 }, 3, 0, "damping");
  sn_model_free(m);
  free(first);
  free(second);
  free(joints);
  free(leg);
}
END_TEST

// Every joint of the page's table exists and has the sizes that the table says.
START_TEST(documentation_table_of_joints_is_right) {
  char *page = read_file(SN_TEST_SOURCE "/docs/x_xy.md"), *at = strstr(page, "| joint | nq nv |");
  int rows = 0;
  ck_assert_ptr_nonnull(at);
  for (at = strchr(strchr(at, '\n') + 1, '\n'); at && at[1] == '|'; at = strchr(at + 1, '\n')) {
    char names[40], name[16], text[300];
    int nq, nv, used;
    ck_assert_int_eq(sscanf(at, "\n| %39[^|]| %d %d", names, &nq, &nv), 3);
    for (const char *p = names; sscanf(p, "%15s%n", name, &used) == 1; p += used, rows++) {
      snprintf(text, sizeof text, X("<body name='a' joint='%s'>" BOX "</body>"), name);
      sn_model *m = model_of(text);
      ck_assert_msg(snm_nq(m) == nq && snm_nv(m) == nv, "%s: %lld %lld", name, (long long)snm_nq(m),
                    (long long)snm_nv(m));
      sn_model_free(m);
    }
  }
  ck_assert_int_eq(rows, 16);
  free(page);
}
END_TEST

// ------------------------------------------------------------------ without the plugin

START_TEST(ini_without_x_xy_names_the_plugin) {
  char path[512];
  snprintf(path, sizeof path, "%s/sinew.ini", folder);
  char *ini = read_file(path), *line = strstr(ini, "\nx_xy ");
  ck_assert_ptr_nonnull(line);
  memset(line + 1, ';', strcspn(line + 1, "\n"));
  sn_engine *without = sn_engine_open(write_file("without.ini", ini), error);
  ck_assert_msg(without != NULL, "%s", sn_error_text(error));
  sn_model *m = sn_load(without, SN_TEST_SOURCE "/samples/models/x_xy/inv_pendulum.xml", error);
  ck_assert_ptr_null(m);
  static const char *const parts[] = { "<x_xy>", "mjcf", "urdf", "loaders/x_xy.so", "[plugins]" };
  for (int i = 0; i < 5; i++) {
    ck_assert_msg(strstr(sn_error_message(error), parts[i]) != NULL, "no %s in: %s", parts[i],
                  sn_error_message(error));
  }
  sn_engine_close(without);

  // with the line it runs, without a build in between
  m = sn_load(engine, SN_TEST_SOURCE "/samples/models/x_xy/inv_pendulum.xml", error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_model_free(m);
  free(ini);
}
END_TEST

TESTS() {
  FIXTURE(setup, close_engine);
  TEST(long_names_are_kept);
  TEST(elements_are_read);
  TEST(bodies_may_have_no_mass);
  TEST(size_comes_before_the_dim_of_the_defaults);
  TEST(numbers_beyond_those_needed);
  TEST(axes_of_seed_1_are_those_of_the_original);
  TEST(parameters_say_what_is_drawn_and_what_collides);
  TEST(joint_file_adds_joints);
  TEST(documentation_trajectory_is_reproduced);
  TEST(documentation_joints_work);
  TEST(documentation_table_of_joints_is_right);
  TEST(ini_without_x_xy_names_the_plugin);
}
