// SPDX-License-Identifier: Apache-2.0
//
// What changes while the window is open: the file of the model, solver, integrator, colliders and
// profile, the state by going back in time; and what is saved.

#include <math.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "suite.h"
#include "viewer/screen.h"

static const char *const one =
    "<mujoco model='one'><visual><quality shadowsize='0' offsamples='0'/></visual><worldbody>"
    "<geom name='floor' type='plane' size='2 2 .1'/>"
    "<body name='a' pos='0 0 .3'><freejoint name='free'/><geom type='box' size='.1 .1 .1'/></body>"
    "<body name='b' pos='.5 0 1'><joint name='hinge' axis='0 1 0'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/></body></worldbody></mujoco>";

static const char *const two =
    "<mujoco model='one'><visual><quality shadowsize='0' offsamples='0'/></visual><worldbody>"
    "<geom name='floor' type='plane' size='2 2 .1'/>"
    "<body name='b' pos='.5 0 1'><joint name='hinge' axis='0 1 0'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/></body></worldbody></mujoco>";

static const char *const wrong =
    "<mujoco model='one'><worldbody>\n<body name='b'><geom type='potato'/></body></worldbody>"
    "</mujoco>";

// Writes the file, and waits until the window has seen it.
static void change_file(const char *text, int64_t nbody, int is_broken) {
  put_text("model.xml", text);
  for (int i = 0; i < 2000; i++) {
    frames(1);
    if ((*v->broken != '\0') == is_broken && snm_nbody(v->m) == nbody) {
      return;
    }
  }
  ck_abort_msg("the file was not loaded again");
}

static double *state_of(const sn_viewer *w) {
  double *x = calloc((size_t)sn_state_size(w->m, SN_STATE_INTEGRATION), sizeof *x);
  sn_state_get(w->m, w->d, SN_STATE_INTEGRATION, x);
  return x;
}

static uint64_t hash_of(const sn_viewer *w) {
  return sn_state_hash(w->m, w->d, SN_STATE_INTEGRATION);
}

// ------------------------------------------------------------------ files

START_TEST(changed_file) {
  view_text(one);
  press_key(GLFW_KEY_DOWN, 0);
  const double angle = snd_qpos(v->d)[7], time = snd_time(v->d)[0];
  ck_assert_double_ne(angle, 0);
  change_file(two, 2, 0);
  ck_assert_double_eq(snd_qpos(v->d)[0], angle);
  ck_assert_double_eq(snd_time(v->d)[0], time);
  ck_assert_int_eq(snm_nbody(m), 3);   // that of the program is as it was
  press_key(GLFW_KEY_BACKSPACE, 0);
  ck_assert_double_eq(snd_qpos(v->d)[0], 0);
}
END_TEST

START_TEST(broken_file) {
  view_text(one);
  change_file(wrong, 3, 1);
  ck_assert_msg(strstr(v->broken, "model.xml:2:") != NULL, "%s", v->broken);
  ck_assert_msg(strstr(v->broken, "potato") != NULL, "%s", v->broken);
  press_key(GLFW_KEY_DOWN, 0);   // the old model goes on
  ck_assert_double_eq_tol(snd_time(v->d)[0], 0.2, 1e-12);
  change_file(two, 2, 0);
}
END_TEST

START_TEST(dropped_file) {
  view_text(one);
  put_text("other.xml", two);
  input_drop(v, in_folder("other.xml"));
  ck_assert_int_eq(snm_nbody(v->m), 2);
  ck_assert_str_eq(v->path, in_folder("other.xml"));
  frames(2);
  input_drop(v, "/nowhere.xml");
  ck_assert_msg(strstr(v->broken, "/nowhere.xml") != NULL, "%s", v->broken);
  ck_assert_int_eq(snm_nbody(v->m), 2);
  frames(2);
}
END_TEST

// ------------------------------------------------------------------ what computes

START_TEST(solver_and_integrator) {
  view_text(one);
  press_key(GLFW_KEY_DOWN, 0);
  choose("left/physics/solver", "pgs");
  ck_assert_str_eq(sn_model_selected(v->m, "solver"), "pgs");
  choose("left/physics/integrator", "rk4");
  ck_assert_str_eq(sn_model_selected(v->m, "integrator"), "rk4");
  press_key(GLFW_KEY_DOWN, 0);
  ck_assert_double_eq_tol(snd_time(v->d)[0], 0.4, 1e-12);
  ck_assert_ptr_eq(v->m, m);   // the same model
  // and also after it is loaded again
  press_key(GLFW_KEY_L, GLFW_MOD_CONTROL);
  ck_assert_ptr_ne(v->m, m);
  ck_assert_str_eq(sn_model_selected(v->m, "solver"), "pgs");
}
END_TEST

static const char *collider_of(const char *pair) {
  sn_config_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_config(sn_model_engine(v->m), i, &info); i++) {
    if (strcmp(info.section, "collision") == 0 && strcmp(info.key, pair) == 0) {
      return info.value;
    }
  }
  return "";
}

START_TEST(collider) {
  view_text(one);
  press_key(GLFW_KEY_DOWN, 0);
  open_section("left/colliders");
  const uint64_t hash = hash_of(v);
  choose("left/colliders/capsule-box", "gjk");
  frames(1);
  ck_assert_str_eq(collider_of("capsule-box"), "gjk");
  ck_assert_ptr_ne(v->m, m);
  ck_assert_uint_eq(hash_of(v), hash);
  // one that does not support the pair is rejected, and the window goes on
  choose("left/colliders/capsule-box", "hfield");
  ck_assert(v->is_wrong);
  ck_assert_str_eq(collider_of("capsule-box"), "gjk");
  press_key(GLFW_KEY_DOWN, 0);
}
END_TEST

// The message is that of the temporary file, not of an error before.
START_TEST(no_temporary_file) {
  struct rlimit limit;
  view_text(one);
  input_drop(v, "/nowhere.xml");
  ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const int next = dup(0);
  const struct rlimit none = { (rlim_t)next, limit.rlim_max };
  close(next);
  ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
  load_rebuild(v);
  ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
  ck_assert_str_eq(v->message, "the model cannot be made again: no file can be made in /tmp: Too "
                               "many open files");
}
END_TEST

// A profile of the user, as the program of these tests is not beside the installed ones.
START_TEST(profile) {
  ck_assert_int_eq(mkdir("sinew", 0755) | mkdir("sinew/profiles", 0755), 0);
  put_text("sinew/profiles/gentle.ini", "[select]\nsolver = cg\n");
  setenv("XDG_CONFIG_HOME", folder, 1);
  view_text(one);
  press_key(GLFW_KEY_DOWN, 0);
  const uint64_t hash = hash_of(v);
  choose("left/physics/profile", "gentle");
  frames(1);
  ck_assert_msg(v->own_engine != NULL, "%s", v->message);
  ck_assert_str_eq(v->profiles.current, "gentle");
  ck_assert_str_eq(sn_model_selected(v->m, "solver"), "cg");
  ck_assert_uint_eq(hash_of(v), hash);
  choose("left/physics/profile", "none");
  frames(1);
  ck_assert_str_eq(v->profiles.current, "none");
  ck_assert_str_eq(sn_model_selected(v->m, "solver"), "newton");
  press_key(GLFW_KEY_DOWN, 0);
  ck_assert_double_eq_tol(snd_time(v->d)[0], 0.4, 1e-12);
  // one that cannot be read is no end of the simulation
  put_text("sinew/profiles/gentle.ini", "[select]\nsolver = potato\n");
  choose("left/physics/profile", "gentle");
  frames(1);
  ck_assert_msg(v->is_wrong && strstr(v->message, "potato"), "%s", v->message);
  press_key(GLFW_KEY_DOWN, 0);
  ck_assert_double_eq_tol(snd_time(v->d)[0], 0.6, 1e-12);
  unsetenv("XDG_CONFIG_HOME");
}
END_TEST

START_TEST(options) {
  view_text(one);
  open_section("left/options");
  click_widget("left/options/timestep");
  press_key(GLFW_KEY_A, GLFW_MOD_CONTROL);
  for (const char *p = "0.004"; *p; p++) {
    input_char(v, (unsigned int)*p);
    frames(1);
  }
  press_key(GLFW_KEY_ENTER, 0);
  sn_option o = { .def_size = sizeof o };
  sn_model_get_option(v->m, &o);
  ck_assert_double_eq(o.timestep, 0.004);
  choose("left/options/cone", "elliptic");
  sn_model_get_option(v->m, &o);
  ck_assert_int_eq((int)o.cone, SN_CONE_ELLIPTIC);
}
END_TEST

// ------------------------------------------------------------------ time

START_TEST(past) {
  uint64_t hash[11];
  view_text(one);
  for (int i = 0; i <= 10; i++) {
    hash[i] = hash_of(v);
    press_key(GLFW_KEY_RIGHT, 0);
  }
  for (int i = 10; i >= 5; i--) {
    press_key(GLFW_KEY_LEFT, 0);
    ck_assert_uint_eq(hash_of(v), hash[i]);
  }
  // a step from the past makes the same state again, and what followed is gone
  press_key(GLFW_KEY_RIGHT, 0);
  ck_assert_uint_eq(hash_of(v), hash[6]);
  ck_assert_int_eq(v->history.at, v->history.count - 1);
  gui_widget w = show_widget("left/simulation/history");
  click((double)w.left + 1, (double)w.y);
  ck_assert_uint_eq(hash_of(v), hash[0]);
}
END_TEST

// The images are no part of the simulation.
START_TEST(images_change_no_bit) {
  view_text(one);
  press_key(GLFW_KEY_F3, 0);
  sn_data *direct = data_of(m);
  for (int i = 0; i < 50; i++) {
    OK(sn_step(m, direct));
    v->pace.single = 1;
    frames(i % 3 + 1);
  }
  ck_assert_uint_eq(hash_of(v), sn_state_hash(m, direct, SN_STATE_INTEGRATION));
  sn_data_free(direct);
}
END_TEST

START_TEST(ring_of_states) {
  view_text(one);
  v->history.capacity = 8;
  for (int i = 0; i < 30; i++) {
    press_key(GLFW_KEY_RIGHT, 0);
  }
  ck_assert_int_eq(v->history.count, 8);
  press_key(GLFW_KEY_UP, 0);
  ck_assert_double_eq_tol(snd_time(v->d)[0], 23 * 0.002, 1e-12);
}
END_TEST

START_TEST(diverging) {
  view_text(one);
  snd_qvel(v->d)[0] = 1e11;
  press_key(GLFW_KEY_RIGHT, 0);
  ck_assert_msg(v->is_wrong && strstr(v->message, "diverged"), "%s", v->message);
}
END_TEST

// ------------------------------------------------------------------ pulls

static void release(void) {
  input_button(v, GLFW_MOUSE_BUTTON_RIGHT, 0, 0);
}

static void select_the_parent(void) {
  press_key(GLFW_KEY_PAGE_UP, 0);
}

static void select_a_contact(void) {   // a row of the list of contacts
  mouse_select(v, 2, 2);
}

static void load_again(void) {
  press_key(GLFW_KEY_L, GLFW_MOD_CONTROL);
}

static void make_again(void) {
  v->wants_rebuild = 1;
  frames(1);
}

static void take_a_profile(void) {
  load_profile(v, "none");
}

static void go_back(void) {
  press_key(GLFW_KEY_RIGHT, 0);
  release();
  select_the_parent();
  press_key(GLFW_KEY_LEFT, 0);
}

static void reset_to_saved_key(void) {
  press_key(GLFW_KEY_K, GLFW_MOD_CONTROL);
  release();
  select_the_parent();
  press_key(GLFW_KEY_N, GLFW_MOD_CONTROL);
}

// Whatever happens while a body is pulled: once the button is released, the force is gone.
static void (*const while_pulling[])(void) = {
  release,    select_the_parent, select_a_contact, load_again,
  make_again, take_a_profile,    go_back,          reset_to_saved_key,
};

START_TEST(pull_leaves_no_force) {
  view_text(one);
  pull_body();
  press_key(GLFW_KEY_RIGHT, 0);
  press_key(GLFW_KEY_RIGHT, 0);
  ck_assert_double_gt(fabs(snd_xfrc_applied(v->d)[6]), 1);
  while_pulling[_i]();
  release();
  frames(1);
  ck_assert_msg(!v->is_wrong && !*v->broken, "%s %s", v->message, v->broken);
  for (int i = 0; i < 6 * (int)snm_nbody(v->m); i++) {
    ck_assert_msg(snd_xfrc_applied(v->d)[i] == 0, "%d: %g N remain", i, snd_xfrc_applied(v->d)[i]);
  }
}
END_TEST

// The window of a program that goes on without it.
START_TEST(closed_window_leaves_no_force) {
  put_text("model.xml", one);
  view_file(in_folder("model.xml"), 1);
  pull_body();
  frames(1);
  ck_assert_double_ne(snd_xfrc_applied(d)[6], 0);
  sn_viewer_close(v);
  v = NULL;
  ck_assert_double_eq(snd_xfrc_applied(d)[6], 0);
}
END_TEST

// ------------------------------------------------------------------ files that are written

static void expect_start(const char *name, const void *bytes, size_t n) {
  char start[64] = "";
  FILE *f = fopen(in_folder(name), "rb");
  ck_assert_msg(f != NULL, "%s was not written", name);
  ck_assert_uint_eq(fread(start, 1, n, f), n);
  ck_assert_int_eq(memcmp(start, bytes, n), 0);
  fclose(f);
}

START_TEST(images) {
  view_text(one);
  press_key(GLFW_KEY_P, GLFW_MOD_CONTROL);
  press_key(GLFW_KEY_P, GLFW_MOD_CONTROL);
  expect_start("one-0001.png", "\x89PNG\r\n\x1a\n", 8);
  expect_start("one-0002.png", "\x89PNG\r\n\x1a\n", 8);
}
END_TEST

START_TEST(ten_thousand_images) {
  char path[64], name[64];
  view_text(one);
  for (int i = 1; i < 10000; i++) {
    snprintf(name, sizeof name, "one-%04d.png", i);
    ck_assert_int_eq(link(in_folder("model.xml"), name), 0);
  }
  save_name(v, ".png", path, sizeof path);
  ck_assert_str_eq(path, "one-10000.png");
}
END_TEST

// The file of a keyframe is included by another model, and has the same state.
START_TEST(saved_keyframe) {
  view_text(one);
  press_key(GLFW_KEY_DOWN, 0);
  double *state = state_of(v);
  press_key(GLFW_KEY_K, GLFW_MOD_CONTROL);
  press_key(GLFW_KEY_DOWN, 0);
  press_key(GLFW_KEY_N, GLFW_MOD_CONTROL);   // the saved one is the only one
  double *back = state_of(v);
  ck_assert_mem_eq(back, state, sizeof *state * 16);
  free(back);
  char text[2048];
  snprintf(text, sizeof text, "%.*s<include file='one-0001.key.xml'/></mujoco>",
           (int)(strlen(one) - strlen("</mujoco>")), one);
  put_text("keyed.xml", text);
  sn_model *keyed = sn_load(engine, in_folder("keyed.xml"), error);
  ck_assert_msg(keyed != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(snm_nkey(keyed), 1);
  ck_assert_mem_eq(snm_key_qpos(keyed), snd_qpos(v->d), 8 * sizeof(double));
  ck_assert_mem_eq(snm_key_qvel(keyed), snd_qvel(v->d), 7 * sizeof(double));
  sn_model_free(keyed);
  free(state);
}
END_TEST

// A model of another size takes the place: the kept state has what both of them have.
START_TEST(keyframe_of_a_changed_file) {
  view_text(one);
  press_key(GLFW_KEY_DOWN, 0);
  const double angle = snd_qpos(v->d)[7], time = snd_time(v->d)[0];
  press_key(GLFW_KEY_K, GLFW_MOD_CONTROL);
  press_key(GLFW_KEY_DOWN, 0);
  change_file(two, 2, 0);
  ck_assert_double_ne(snd_qpos(v->d)[0], angle);
  press_key(GLFW_KEY_N, GLFW_MOD_CONTROL);
  ck_assert_double_eq(snd_qpos(v->d)[0], angle);
  ck_assert_double_eq(snd_time(v->d)[0], time);
}
END_TEST

START_TEST(recorded_video) {
  view_text(one);
  frames(1);
  press_key(GLFW_KEY_R, GLFW_MOD_CONTROL);
  if (!v->video.encoder.process) {
    ck_assert_msg(strstr(v->message, "ffmpeg") != NULL, "%s", v->message);
    puts("recorded_video is skipped: ffmpeg is not installed");
    return;
  }
  while (v->video.frames < 5) {
    frames(1);
  }
  press_key(GLFW_KEY_R, GLFW_MOD_CONTROL);
  ck_assert_msg(strstr(v->message, "video: one-0001.mp4"), "%s", v->message);
  expect_start("one-0001.mp4", "\0\0\0", 3);
}
END_TEST

TESTS() {
  NEEDS(have_screen(), "Xvfb is not installed");
  FIXTURE(open_screen, close_screen);
  TEST(changed_file);
  TEST(broken_file);
  TEST(dropped_file);
  TEST(solver_and_integrator);
  TEST(collider);
  TEST(no_temporary_file);
  TEST(profile);
  TEST(options);
  TEST(past);
  TEST(images_change_no_bit);
  TEST(ring_of_states);
  TEST(diverging);
  EACH(pull_leaves_no_force, 0, sizeof while_pulling / sizeof while_pulling[0]);
  TEST(closed_window_leaves_no_force);
  TEST(images);
  TEST(ten_thousand_images);
  TEST(saved_keyframe);
  TEST(keyframe_of_a_changed_file);
  TEST(recorded_video);
}
