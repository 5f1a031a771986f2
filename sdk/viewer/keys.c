// SPDX-License-Identifier: Apache-2.0
//
// The keys: one table, from which the help of the window, its tests and docs/viewing.md are made.
// The letters of what is shown are those of scene.h. Most keys are those of MuJoCo's viewer.

#include <GLFW/glfw3.h>
#include <stdio.h>
#include <string.h>

#include "parts.h"

// ------------------------------------------------------------------ actions

static void toggle_help(sn_viewer *v, int32_t unused) {
  (void)unused;
  v->show_help = !v->show_help;
}

static void toggle_info(sn_viewer *v, int32_t unused) {
  (void)unused;
  v->show_info = !v->show_info;
}

static void toggle_plots(sn_viewer *v, int32_t unused) {
  (void)unused;
  v->show_plots = !v->show_plots;
}

static void toggle_panel(sn_viewer *v, int32_t right) {
  int *shown = right ? &v->show_right : &v->show_left;
  *shown = !*shown;
}

static void toggle_full(sn_viewer *v, int32_t unused) {
  (void)unused;
  window_toggle_full(v);
}

static void next_sensor(sn_viewer *v, int32_t unused) {
  const int64_t n = snm_nsensor(v->m);
  (void)unused;
  v->plots.sensor_of = n > 0 ? (int32_t)((v->plots.sensor_of + 1) % n) : 0;
  v->plots.count = 0;
  v->show_plots = 1;
}

static void next_frame(sn_viewer *v, int32_t unused) {
  int32_t *frame = &v->image.options.frame;
  (void)unused;
  *frame = (*frame + 1) % SN_NFRAMES;
  viewer_say(v, "frames: %s", sn_scene_frame_word(*frame));
}

static void next_label(sn_viewer *v, int32_t unused) {
  int32_t *label = &v->image.options.label;
  (void)unused;
  *label = (*label + 1) % SN_NLABELS;
  viewer_say(v, "labels: %s", sn_scene_label_word(*label));
}

static void toggle_pause(sn_viewer *v, int32_t unused) {
  (void)unused;
  v->pace.paused = !v->pace.paused;
}

// Forward, or back to states of the past.
static void make_steps(sn_viewer *v, int32_t n) {
  v->pace.paused = 1;
  if (n > 0) {
    v->pace.single += n;
  } else if (v->is_passive) {
    viewer_say(v, "the program steps the simulation itself, so earlier states are not available");
  } else {
    history_go(v, v->history.at + n);
  }
}

static void change_speed(sn_viewer *v, int32_t by) {
  const int speed = v->pace.speed + by;
  v->pace.speed = speed < 0 ? 0 : speed >= pace_speeds() ? pace_speeds() - 1 : speed;
  viewer_say(v, "speed: %g %%", pace_speed[v->pace.speed]);
}

static void reset(sn_viewer *v, int32_t key) {
  viewer_reset(v, key);
}

static void next_key(sn_viewer *v, int32_t unused) {
  const int n = (int)snm_nkey(v->m) + v->nkey;
  (void)unused;
  if (n == 0) {
    viewer_say(v, "the model has no keyframes; Ctrl+K saves one");
    return;
  }
  viewer_reset(v, v->next_key % n);
  v->next_key = (v->next_key + 1) % n;
}

static void select_parent(sn_viewer *v, int32_t unused) {
  const int32_t body = v->image.pull.body;
  (void)unused;
  if (body > 0) {
    mouse_select(v, snm_body_parentid(v->m)[body], -1);
  }
}

static void free_camera(sn_viewer *v, int32_t unused) {
  (void)unused;
  v->image.camera.mode = SN_CAMERA_FREE;
}

// Free, and each camera of the model.
static void next_camera(sn_viewer *v, int32_t by) {
  sn_scene_camera *c = &v->image.camera;
  const int32_t n = (int32_t)snm_ncam(v->m) + 1;
  const int32_t at = c->mode == SN_CAMERA_FIXED ? c->camera + 1 : 0;
  const int32_t next = (at + by + n) % n;
  c->mode = next ? SN_CAMERA_FIXED : SN_CAMERA_FREE;
  c->camera = next - 1;
  if (n == 1) {
    viewer_say(v, "the model has no cameras");
  }
}

static void reload(sn_viewer *v, int32_t unused) {
  (void)unused;
  if (v->path && load_is_offered(v)) {
    load_file(v, v->path);
  } else {
    viewer_say(v, "this model was not read from a file that can be loaded again");
  }
}

static void quit(sn_viewer *v, int32_t unused) {
  (void)unused;
  v->closing = 1;
}

static void toggle_group(sn_viewer *v, int32_t group) {
  v->image.options.geoms ^= 1u << group;
}

static void toggle_sites(sn_viewer *v, int32_t group) {
  v->image.options.sites ^= 1u << group;
}

static void toggle_show(sn_viewer *v, int32_t show) {
  const char *meaning;
  int32_t *on = &v->image.options.show[show];
  *on = !*on;
  sn_scene_show_word(show, NULL, &meaning);
  viewer_say(v, "%s: %s", meaning, *on ? "on" : "off");
}

// ------------------------------------------------------------------ the table

enum { SHIFT = GLFW_MOD_SHIFT, CONTROL = GLFW_MOD_CONTROL };

static const key_row rows[] = {
  { GLFW_KEY_F1, 0, "F1", "help", "all keys", toggle_help, 0 },
  { GLFW_KEY_F2, 0, "F2", "info", "time, speed and sizes", toggle_info, 0 },
  { GLFW_KEY_F3, 0, "F3", "plots", "plots of energy, sensors, solver and stages", toggle_plots, 0 },
  { GLFW_KEY_F4, 0, "F4", "sensor", "plot the next sensor", next_sensor, 0 },
  { GLFW_KEY_F5, 0, "F5", "full screen", "full screen, or a window", toggle_full, 0 },
  { GLFW_KEY_F6, 0, "F6", "frames", "show the frames of the next kind of element", next_frame, 0 },
  { GLFW_KEY_F7, 0, "F7", "labels", "show the names of the next kind of element", next_label, 0 },
  { GLFW_KEY_TAB, 0, "Tab", "left panel", "show or hide the left panel", toggle_panel, 0 },
  { GLFW_KEY_TAB, SHIFT, "Shift+Tab", "right panel", "show or hide the right panel", toggle_panel,
    1 },
  { GLFW_KEY_SPACE, 0, "Space", "pause", "pause, or run", toggle_pause, 0 },
  { GLFW_KEY_RIGHT, 0, "Right", "step", "one step", make_steps, 1 },
  { GLFW_KEY_LEFT, 0, "Left", "back", "back to the state before", make_steps, -1 },
  { GLFW_KEY_DOWN, 0, "Down", "100 steps", "100 steps", make_steps, 100 },
  { GLFW_KEY_UP, 0, "Up", "far back", "back by 100 states", make_steps, -100 },
  { GLFW_KEY_EQUAL, 0, "+", "faster", "faster", change_speed, 1 },
  { GLFW_KEY_MINUS, 0, "-", "slower", "slower", change_speed, -1 },
  { GLFW_KEY_BACKSPACE, 0, "Backspace", "reset", "back to the start", reset, -1 },
  { GLFW_KEY_N, CONTROL, "Ctrl+N", "next keyframe", "reset to the next keyframe", next_key, 0 },
  { GLFW_KEY_K, CONTROL, "Ctrl+K", "save keyframe", "save the state as a keyframe", save_key, 0 },
  { GLFW_KEY_C, CONTROL, "Ctrl+C", "copy keyframe", "copy the state as a keyframe of MJCF",
    save_copy_key, 0 },
  { GLFW_KEY_L, CONTROL, "Ctrl+L", "reload", "load the file again", reload, 0 },
  { GLFW_KEY_P, CONTROL, "Ctrl+P", "screenshot", "write the image to a file", save_image, 0 },
  { GLFW_KEY_R, CONTROL, "Ctrl+R", "video", "start or end the recording of a video", video_toggle,
    0 },
  { GLFW_KEY_A, CONTROL, "Ctrl+A", "align", "see the whole model", image_free_camera, 0 },
  { GLFW_KEY_Q, CONTROL, "Ctrl+Q", "quit", "close the window", quit, 0 },
  { GLFW_KEY_ESCAPE, 0, "Esc", "free camera", "the free camera", free_camera, 0 },
  { GLFW_KEY_LEFT_BRACKET, 0, "[", "previous camera", "the previous camera", next_camera, -1 },
  { GLFW_KEY_RIGHT_BRACKET, 0, "]", "next camera", "the next camera", next_camera, 1 },
  { GLFW_KEY_PAGE_UP, 0, "Page Up", "parent", "select the parent of the selected body",
    select_parent, 0 },
};
enum { NROWS = sizeof rows / sizeof rows[0], NGROUPS = 6 };

// The index-th of what is shown that has a key.
static int show_key_at(int index, key_row *row) {
  const char *key, *meaning, *word;
  for (int32_t i = 0; (word = sn_scene_show_word(i, &key, &meaning)) != NULL; i++) {
    if (*key && index-- == 0) {
      *row = (key_row){ .key = *key, .act = toggle_show, .value = i };
      snprintf(row->name, sizeof row->name, "%s", key);
      snprintf(row->word, sizeof row->word, "%s", word);
      snprintf(row->meaning, sizeof row->meaning, "%s", meaning);
      return 1;
    }
  }
  return 0;
}

static void group_key_at(int index, key_row *row) {
  const int sites = index >= NGROUPS, group = index % NGROUPS;
  *row = (key_row){ .key = GLFW_KEY_0 + group,
                    .mods = sites ? SHIFT : 0,
                    .act = sites ? toggle_sites : toggle_group,
                    .value = group };
  snprintf(row->name, sizeof row->name, "%s%d", sites ? "Shift+" : "", group);
  snprintf(row->word, sizeof row->word, "%s %d", sites ? "sites" : "geoms", group);
  snprintf(row->meaning, sizeof row->meaning, "%s of group %d", sites ? "sites" : "geoms", group);
}

int key_at(int index, key_row *row) {
  if (index < 0) {
    return 0;
  }
  if (index < NROWS) {
    *row = rows[index];
    return 1;
  }
  index -= NROWS;
  if (index < 2 * NGROUPS) {
    group_key_at(index, row);
    return 1;
  }
  return show_key_at(index - 2 * NGROUPS, row);
}

int keys_press(sn_viewer *v, int key, int mods) {
  static const struct {
    int key, same;
  } keypad[] = { { GLFW_KEY_KP_ADD, GLFW_KEY_EQUAL },
                 { GLFW_KEY_KP_SUBTRACT, GLFW_KEY_MINUS },
                 { GLFW_KEY_KP_ENTER, GLFW_KEY_ENTER } };
  key_row row;
  for (size_t i = 0; i < sizeof keypad / sizeof keypad[0]; i++) {
    key = key == keypad[i].key ? keypad[i].same : key;
  }
  mods &= SHIFT | CONTROL;
  mods = key == GLFW_KEY_EQUAL ? mods & ~SHIFT : mods;   // + is above =
  for (int i = 0; key_at(i, &row); i++) {
    if (row.key == key && row.mods == mods) {
      row.act(v, row.value);
      return 1;
    }
  }
  return 0;
}
