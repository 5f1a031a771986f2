// SPDX-License-Identifier: Apache-2.0
//
// The window: every sample model opens in it, every key and every widget is pressed, the mouse
// moves camera and bodies, the window is resized and closed.

#include <dirent.h>

#include "sanitized.h"
#include "suite.h"
#include "viewer/screen.h"

// A box that floats in front of the camera, with all that panels show.
static const char *const busy =
    "<mujoco model='busy'><visual><global azimuth='90' elevation='-20'/>"
    "<quality shadowsize='0' offsamples='0'/></visual>"
    "<worldbody><light pos='0 0 3'/><camera name='side' pos='2 0 1' xyaxes='0 1 0 -1 0 1'/>"
    "<geom name='floor' type='plane' size='2 2 .1' pos='0 0 -.5'/>"
    "<body name='box'><freejoint/><geom name='cube' type='box' size='.2 .2 .2'/></body>"
    "<body name='arm' pos='.6 0 .3'><joint name='elbow' axis='0 1 0' range='-57 57' "
    "limited='true'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .2 0 0'/><site name='tip' pos='.2 0 0'/></body>"
    "<body name='hand' mocap='true' pos='-.6 0 0'><geom size='.05' contype='0' conaffinity='0'/>"
    "</body></worldbody>"
    "<actuator><motor name='pull' joint='elbow' ctrlrange='-1 1' ctrllimited='true'/></actuator>"
    "<sensor><jointpos name='angle' joint='elbow'/><framepos objtype='site' "
    "objname='tip'/></sensor>"
    "<keyframe><key name='bent' qpos='0 0 0 1 0 0 0 .5'/></keyframe></mujoco>";

// ------------------------------------------------------------------ models

enum { MOST_MODELS = 64 };
static char models[MOST_MODELS][300];

static int by_name(const void *a, const void *b) {
  return strcmp(a, b);
}

static int list_models(void) {
  int n = 0;
  DIR *dir = opendir(SN_TEST_SOURCE "/samples/models");
  for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
    const char *dot = strrchr(e->d_name, '.');
    if (dot && strcmp(dot, ".xml") == 0 && n < MOST_MODELS) {
      snprintf(models[n++], sizeof models[0], SN_TEST_SOURCE "/samples/models/%s", e->d_name);
    }
  }
  if (dir) {
    closedir(dir);
  }
  qsort(models, (size_t)n, sizeof models[0], by_name);
  return n;
}

static int differing_pixels(void) {
  int width, height, n = 0;
  uint8_t *rgb = save_pixels(v, &width, &height);
  ck_assert_ptr_nonnull(rgb);
  for (int i = 3; i < 3 * width * height; i += 3) {
    n += memcmp(rgb + i, rgb, 3) != 0;
  }
  free(rgb);
  return n;
}

START_TEST(sample_models) {
  ck_assert_int_gt(list_models(), _i);
  view_file(models[_i], 0);
  frames(2);
  const double start = snd_time(v->d)[0];
  press_key(GLFW_KEY_SPACE, 0);
  for (int i = 0; i < 500 && snd_time(v->d)[0] == start; i++) {
    frames(1);
  }
  ck_assert_double_gt(snd_time(v->d)[0], start);
  ck_assert_int_ge(v->image.frames, 4);
  ck_assert_msg(!v->is_wrong && !*v->broken, "%s %s", v->message, v->broken);
  // what was drawn last is still there, without the panels and texts of the next frame
  OK(image_draw(v, error));
  ck_assert_int_gt(differing_pixels(), 500);
}
END_TEST

// ------------------------------------------------------------------ keys

START_TEST(every_key) {
  key_row row, other;
  view_text(busy);
  for (int i = 0; key_at(i, &row); i++) {
    for (int k = 0; k < i && key_at(k, &other); k++) {
      ck_assert_msg(row.key != other.key || row.mods != other.mods, "%s twice", row.name);
    }
    ck_assert_msg(keys_press(v, row.key, row.mods), "%s does nothing", row.name);
    frames(2);
    ck_assert_int_eq(v->closing, strcmp(row.word, "quit") == 0);
    v->closing = 0;
  }
  ck_assert_msg(!keys_press(v, GLFW_KEY_F12, 0), "F12 is no key of the table");
}
END_TEST

START_TEST(keys_of_the_simulation) {
  view_text(busy);
  const double h = 0.002;
  press_key(GLFW_KEY_RIGHT, 0);
  ck_assert_double_eq(snd_time(v->d)[0], h);
  press_key(GLFW_KEY_DOWN, 0);
  ck_assert_double_eq_tol(snd_time(v->d)[0], 101 * h, 1e-12);
  press_key(GLFW_KEY_LEFT, 0);
  ck_assert_double_eq_tol(snd_time(v->d)[0], 100 * h, 1e-12);
  press_key(GLFW_KEY_UP, 0);
  ck_assert_double_eq(snd_time(v->d)[0], 0);
  press_key(GLFW_KEY_N, GLFW_MOD_CONTROL);
  ck_assert_double_eq(snd_qpos(v->d)[7], 0.5);
  press_key(GLFW_KEY_BACKSPACE, 0);
  ck_assert_double_eq(snd_qpos(v->d)[7], 0);
  const int speed = v->pace.speed;
  press_key(GLFW_KEY_KP_SUBTRACT, 0);
  ck_assert_int_eq(v->pace.speed, speed - 1);
  press_key(GLFW_KEY_EQUAL, GLFW_MOD_SHIFT);
  ck_assert_int_eq(v->pace.speed, speed);
  press_key(GLFW_KEY_SPACE, 0);
  ck_assert(!v->pace.paused);
}
END_TEST

START_TEST(keys_of_the_view) {
  view_text(busy);
  const sn_scene_options *o = &v->image.options;
  press_key(GLFW_KEY_RIGHT_BRACKET, 0);
  ck_assert_int_eq(v->image.camera.mode, SN_CAMERA_FIXED);
  press_key(GLFW_KEY_ESCAPE, 0);
  ck_assert_int_eq(v->image.camera.mode, SN_CAMERA_FREE);
  press_key(GLFW_KEY_C, 0);
  ck_assert(o->show[SN_SHOW_CONTACTPOINT]);
  press_key(GLFW_KEY_2, 0);
  ck_assert_uint_eq(o->geoms, 3);
  press_key(GLFW_KEY_1, GLFW_MOD_SHIFT);
  ck_assert_uint_eq(o->sites, 5);
  press_key(GLFW_KEY_F7, 0);
  ck_assert_int_eq(o->label, SN_LABEL_BODY);
  press_key(GLFW_KEY_TAB, 0);
  ck_assert(!v->show_left && v->show_right);
}
END_TEST

// The help and the page list the same keys, as both are read from the table.
START_TEST(page_lists_every_key) {
  FILE *page = fopen(SN_TEST_SOURCE "/docs/viewing.md", "r");
  static char text[1 << 16];
  char line[256];
  const char *gesture, *meaning;
  key_row row;
  ck_assert_ptr_nonnull(page);
  text[fread(text, 1, sizeof text - 1, page)] = '\0';
  fclose(page);
  for (int i = 0; key_at(i, &row); i++) {
    snprintf(line, sizeof line, "| `%s` | %s |\n", row.name, row.meaning);
    ck_assert_msg(strstr(text, line) != NULL, "docs/viewing.md lacks: %s", line);
  }
  for (int i = 0; mouse_help_at(i, &gesture, &meaning); i++) {
    snprintf(line, sizeof line, "| %s | %s |\n", gesture, meaning);
    ck_assert_msg(strstr(text, line) != NULL, "docs/viewing.md lacks: %s", line);
  }
}
END_TEST

// ------------------------------------------------------------------ widgets

enum { MOST_WIDGETS = 400 };
static char pressed[MOST_WIDGETS][160];
static int npressed;

static int was_pressed(const char *path) {
  for (int i = 0; i < npressed; i++) {
    if (strcmp(pressed[i], path) == 0) {
      return 1;
    }
  }
  return 0;
}

// A widget that was not pressed yet; not those that move others away.
static int next_widget(gui_widget *w) {
  for (int i = 0; gui_widget_at(v->gui, i, w); i++) {
    if (w->kind != 'h' && !was_pressed(w->path)) {
      return 1;
    }
  }
  return 0;
}

static const char *const sections[] = { "left/simulation", "left/physics",    "left/colliders",
                                        "left/options",    "left/flags",      "left/view",
                                        "left/groups",     "right/selection", "right/controls",
                                        "right/joints",    "right/keyframes", "right/contacts",
                                        "right/watch" };

START_TEST(every_widget) {
  gui_widget w;
  view_text(busy);
  v->show_plots = 1;
  press_key(GLFW_KEY_DOWN, 0);
  move_to(0.5, 0.5);
  double_click(GLFW_MOUSE_BUTTON_LEFT, 0);
  for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
    open_section(sections[i]);
  }
  npressed = 0;
  while (next_widget(&w) && npressed < MOST_WIDGETS) {
    memcpy(pressed[npressed++], w.path, sizeof w.path);
#ifndef SANITIZED   // under sanitizers all of them, here each third: most of the time is drawing
    if (npressed % 3 != 1) {
      continue;
    }
#endif
    click_widget(w.path);
  }
  // one of each kind of panel was there
  static const char *const some[] = { "left/simulation/step",     "left/physics/solver",
                                      "left/colliders/plane-box", "left/options/timestep",
                                      "left/flags/contact",       "left/view/contact-force",
                                      "left/groups/5##skins",     "right/controls/pull##0",
                                      "right/joints/elbow##1",    "right/keyframes/bent##0",
                                      "right/watch/##name",       "plots/next sensor" };
  for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
    ck_assert_msg(was_pressed(some[i]), "%s was not there", some[i]);
  }
  ck_assert_int_gt(npressed, 120);
}
END_TEST

// All flags that options have.
START_TEST(every_flag) {
  const char *name;
  char path[128];
  gui_widget w;
  int n = 0;
  view_text(busy);
  open_section("left/flags");
  frames(1);
  for (int64_t i = 0; (name = sn_option_name(i)) != NULL; i++) {
    const char *choice = sn_option_choice(name, 1);
    if (choice && strcmp(choice, "disable") == 0) {
      snprintf(path, sizeof path, "left/flags/%s", name);
      ck_assert_msg(find_widget(path, &w), "no flag %s", name);
      n++;
    }
  }
  ck_assert_int_gt(n, 15);
  sn_option o = { .def_size = sizeof o };
  click_widget("left/flags/gravity");
  click_widget("left/flags/energy");
  sn_model_get_option(v->m, &o);
  ck_assert(o.disableflags & SN_DISABLE_GRAVITY);
  ck_assert(o.enableflags & SN_ENABLE_ENERGY);
}
END_TEST

START_TEST(sliders) {
  view_text(busy);
  gui_widget w = show_widget("right/controls/pull##0");
  click((double)w.right - 1, (double)w.y);
  ck_assert_double_gt(snd_ctrl(v->d)[0], 0.9);
  open_section("right/joints");
  w = show_widget("right/joints/elbow##1");
  click((double)w.left + 1, (double)w.y);
  ck_assert_double_lt(snd_qpos(v->d)[7], -0.9);
  click_widget("right/controls/all to zero");
  ck_assert_double_eq(snd_ctrl(v->d)[0], 0);
}
END_TEST

START_TEST(watched_field) {
  view_text(busy);
  open_section("right/watch");
  click_widget("right/watch/##name");
  for (const char *p = "sensordata"; *p; p++) {
    input_char(v, (unsigned int)*p);
    input_key(v, GLFW_KEY_A + *p - 'a', 1, 0);   // is text, not a key of the image
    input_key(v, GLFW_KEY_A + *p - 'a', 0, 0);
    frames(1);
  }
  ck_assert_int_eq(v->image.options.show[SN_SHOW_SHADOW], 1);
  press_key(GLFW_KEY_ENTER, 0);
  ck_assert_int_eq(v->nwatched, 1);
  ck_assert_str_eq(v->watched[0], "sensordata");
}
END_TEST

// ------------------------------------------------------------------ mouse

START_TEST(mouse_moves_the_camera) {
  view_text(busy);
  frames(1);
  const sn_scene_camera start = v->image.camera, *c = &v->image.camera;
  move_to(0.5, 0.5);
  drag(GLFW_MOUSE_BUTTON_LEFT, 0, 0.6, 0.5);
  ck_assert_double_ne(c->azimuth, start.azimuth);
  ck_assert_double_eq(c->elevation, start.elevation);
  drag(GLFW_MOUSE_BUTTON_RIGHT, 0, 0.6, 0.7);
  ck_assert_double_gt(c->lookat[2], start.lookat[2]);
  drag(GLFW_MOUSE_BUTTON_MIDDLE, 0, 0.6, 0.5);
  ck_assert_double_ne(c->distance, start.distance);
  const double distance = c->distance;
  input_wheel(v, 0, 1);
  ck_assert_double_lt(c->distance, distance);
}
END_TEST

START_TEST(mouse_selects_and_follows) {
  view_text(busy);
  press_key(GLFW_KEY_A, GLFW_MOD_CONTROL);
  for (int i = 0; i < 3; i++) {
    v->image.camera.lookat[i] = snd_xpos(d)[3 + i];
  }
  move_to(0.5, 0.5);
  double_click(GLFW_MOUSE_BUTTON_LEFT, 0);
  ck_assert_int_eq(v->image.pull.body, 1);
  ck_assert_int_eq(v->image.pull.geom, 1);
  double_click(GLFW_MOUSE_BUTTON_RIGHT, GLFW_MOD_CONTROL);
  ck_assert_int_eq(v->image.camera.mode, SN_CAMERA_TRACK);
  ck_assert_int_eq(v->image.camera.body, 1);
  double_click(GLFW_MOUSE_BUTTON_RIGHT, 0);
  ck_assert_int_eq(v->image.camera.mode, SN_CAMERA_FREE);
  press_key(GLFW_KEY_PAGE_UP, 0);
  ck_assert_int_eq(v->image.pull.body, 0);
}
END_TEST

START_TEST(mouse_pulls_a_body) {
  view_text(busy);
  pull_body();
  const double x = snd_qpos(v->d)[0], z = snd_qpos(v->d)[2];
  press_key(GLFW_KEY_DOWN, 0);
  ck_assert_double_gt(fabs(snd_qpos(v->d)[0] - x), 0.01);
  ck_assert_double_gt(snd_qpos(v->d)[2], z);   // against gravity
  ck_assert_double_ne(snd_xfrc_applied(v->d)[6], 0);
  input_button(v, GLFW_MOUSE_BUTTON_RIGHT, 0, 0);
  for (int i = 0; i < 6; i++) {
    ck_assert_double_eq(snd_xfrc_applied(v->d)[6 + i], 0);
  }
}
END_TEST

// ------------------------------------------------------------------ the window

// On a floor without anything above it there is no shadow, in any part of the window.
START_TEST(light_in_all_of_the_image) {
  view_text("<mujoco><visual><quality offsamples='0'/></visual><worldbody>"
            "<light directional='true' pos='0 0 3' dir='0 0 -1'/>"
            "<geom type='plane' size='2 2 .1'/></worldbody></mujoco>");
  int width, height, n = 0;
  uint8_t *rgb[2];
  frames(2);   // until the panels have their sizes
  for (int shadow = 0; shadow < 2; shadow++) {
    v->image.options.show[SN_SHOW_SHADOW] = shadow;
    frames(1);
    rgb[shadow] = save_pixels(v, &width, &height);
    ck_assert_ptr_nonnull(rgb[shadow]);
  }
  for (int i = 0; i < 3 * width * height; i++) {
    n += abs(rgb[0][i] - rgb[1][i]) > 2;
  }
  ck_assert_int_eq(n, 0);
  free(rgb[0]);
  free(rgb[1]);
}
END_TEST

// Events of the X server, by its extension XTEST, come through GLFW: a key, a drag in the middle of
// the image, and the wheel.
START_TEST(events_of_the_system) {
  char line[256];
  if (system("command -v xdotool >/dev/null") != 0) {
    puts("events_of_the_system is skipped: xdotool is not installed");
    return;
  }
  view_text(busy);
  frames(2);
  const sn_scene_camera start = v->image.camera, *c = &v->image.camera;
  const int x = (int)(v->image.x + v->image.width / 2), y = (int)(v->image.height / 2);
  snprintf(line, sizeof line,
           "xdotool search --class sinew windowfocus %%@ key space mousemove --window %%1 %d %d", x,
           y);
  ck_assert_int_eq(system(line), 0);
  for (int i = 0; i < 100 && v->pace.paused; i++) {
    frames(1);
  }
  ck_assert_int_eq(v->pace.paused, 0);
  ck_assert_int_eq(system("xdotool mousedown 1 mousemove_relative -- 60 0 mouseup 1"), 0);
  for (int i = 0; i < 100 && !(c->azimuth < start.azimuth || c->azimuth > start.azimuth); i++) {
    frames(1);
  }
  ck_assert_double_ne(c->azimuth, start.azimuth);
  const double distance = c->distance;
  ck_assert_int_eq(system("xdotool click 4"), 0);
  for (int i = 0; i < 100 && c->distance >= distance; i++) {
    frames(1);
  }
  ck_assert_double_lt(c->distance, distance);
}
END_TEST

START_TEST(resizing) {
  view_text(busy);
  frames(2);
  const float width = v->image.width;
  glfwSetWindowSize(v->window.glfw, 860, 500);
  for (int i = 0; i < 100 && v->window.width != 860; i++) {
    frames(1);
  }
  ck_assert_int_eq(v->window.width, 860);
  frames(1);
  ck_assert_float_eq(v->image.width, width + 120);
  glfwSetWindowSize(v->window.glfw, 40, 20);   // less than the panels
  for (int i = 0; i < 100 && v->window.width != 40; i++) {
    frames(1);
  }
  frames(2);
  press_key(GLFW_KEY_F3, 0);
  frames(2);
}
END_TEST

START_TEST(closing) {
  view_text(busy);
  glfwSetWindowShouldClose(v->window.glfw, 1);
  ck_assert_int_eq(sn_viewer_draw(v, error), 0);
  ck_assert_int_eq(sn_viewer_draw(v, error), 0);
}
END_TEST

START_TEST(passive) {
  put_text("model.xml", busy);
  view_file(in_folder("model.xml"), 1);
  ck_assert_int_eq(sn_viewer_runs(v), 0);
  press_key(GLFW_KEY_RIGHT, 0);
  ck_assert_int_eq(sn_viewer_runs(v), 1);
  ck_assert_int_eq(sn_viewer_runs(v), 0);
  press_key(GLFW_KEY_SPACE, 0);
  ck_assert_int_eq(sn_viewer_runs(v), 1);
  for (int i = 0; i < 3; i++) {
    OK(sn_step(m, d));
    ck_assert_int_eq(sn_viewer_draw(v, error), 1);
  }
  ck_assert_double_eq_tol(snd_time(d)[0], 3 * 0.002, 1e-12);   // it did not step
  input_drop(v, "other.xml");
  ck_assert_ptr_nonnull(strstr(v->message, "steps its own model"));
}
END_TEST

static void count_steps(void *context, const sn_model *model, sn_data *data) {
  (void)model;
  keep_driver();
  snd_ctrl(data)[0] = 0.25;
  ++*(int *)context;
}

START_TEST(run_until_a_time) {
  int n = 0;
  put_text("model.xml", busy);
  m = sn_load(engine, in_folder("model.xml"), error);
  d = data_of(m);
  const sn_viewer_request request = { .size = sizeof request,
                                      .width = 300,
                                      .height = 200,
                                      .time = 0.02,
                                      .context = &n,
                                      .control = count_steps };
  OK(sn_viewer_run(m, d, &request, error));
  ck_assert_double_ge(snd_time(d)[0], 0.02);
  ck_assert_int_ge(n, 10);
  ck_assert_double_eq(snd_ctrl(d)[0], 0.25);
}
END_TEST

START_TEST(no_display) {
  put_text("model.xml", busy);
  m = sn_load(engine, in_folder("model.xml"), error);
  d = data_of(m);
  unsetenv("DISPLAY");
  ck_assert_int_eq(sn_viewer_run(m, d, NULL, error), SN_EUNSUPPORTED);
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "a window needs a display"));
  ck_assert_ptr_null(sn_viewer_open(m, d, NULL, NULL));
}
END_TEST

TESTS() {
  NEEDS(have_screen(), "Xvfb is not installed");
  FIXTURE(open_screen, close_screen);
  EACH(sample_models, 0, SOME(list_models()));
  TEST(every_key);
  TEST(keys_of_the_simulation);
  TEST(keys_of_the_view);
  TEST(page_lists_every_key);
  TEST(every_widget);
  TEST(every_flag);
  TEST(sliders);
  TEST(watched_field);
  TEST(mouse_moves_the_camera);
  TEST(mouse_selects_and_follows);
  TEST(mouse_pulls_a_body);
  TEST(light_in_all_of_the_image);
  TEST(events_of_the_system);
  TEST(resizing);
  TEST(closing);
  TEST(passive);
  TEST(run_until_a_time);
  TEST(no_display);
}
