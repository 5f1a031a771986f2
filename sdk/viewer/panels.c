// SPDX-License-Identifier: Apache-2.0
//
// Where the panels are, the texts on the image, and the section "simulation".
//
//   +------+--------------------+-------+
//   | left | image            | right |
//   |      | info      messages |       |
//   |      +--------------------+       |
//   |      | plots              |       |
//   +------+--------------------+-------+

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "parts.h"

enum { LEFT = 13, RIGHT = 14, PLOTS = 11 };   // in lines

static const uint32_t wrong_color = 0xff7b7bffu, plain_color = 0xffe8e8e8u;

float panels_left(const sn_viewer *v) {
  return v->show_left ? LEFT * gui_line(v->gui) : 0;
}

float panels_right(const sn_viewer *v) {
  return v->show_right ? RIGHT * gui_line(v->gui) : 0;
}

float panels_bottom(const sn_viewer *v) {
  const float wanted = PLOTS * gui_line(v->gui);
  const float most = 0.5F * (float)v->window.height;
  return !v->show_plots ? 0 : wanted < most ? wanted : most;
}

// ------------------------------------------------------------------ texts on the image

static const char *camera_name(const sn_viewer *v, char *out, size_t n) {
  const sn_scene_camera *c = &v->image.camera;
  char body[64];
  if (c->mode == SN_CAMERA_FIXED) {
    return viewer_label(v->m, "camera", c->camera, out, n);
  }
  if (c->mode == SN_CAMERA_TRACK) {
    snprintf(out, n, "follows %s", viewer_label(v->m, "body", c->body, body, sizeof body));
    return out;
  }
  return "free";
}

static void tell(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void tell(const char *name, const char *format, ...) {
  char text[128];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  gui_next_cell();
  gui_dim("%s", name);
  gui_cell("%s", text);
}

static void show_info(sn_viewer *v) {
  const image *p = &v->image;
  const pace *t = &v->pace;
  char name[96];
  gui_overlay("info", p->x + 8, p->y + p->height - 8, 0, 1);
  if (gui_table("info", 2, NULL, 0)) {
    tell("time", "%.3f s%s", snd_time(v->d)[0], t->paused ? ", paused" : "");
    if (!v->is_passive) {
      tell("speed", "%.0f %% of %g %%", 100 * t->factor, pace_speed[t->speed]);
      tell("step", "%.3g ms", 1000 * t->step);
    }
    tell("contacts", "%lld", (long long)snd_ncon(v->d));
    tell("rows", "%lld", (long long)snd_nefc(v->d));
    tell("solver", "%s, %lld iterations", sn_model_selected(v->m, "solver"),
         (long long)snd_solver_iter(v->d));
    tell("camera", "%s", camera_name(v, name, sizeof name));
    gui_table_end();
  }
  if (v->video.encoder.process) {
    gui_colored(wrong_color, "recording");
  }
  gui_overlay_end();
}

static void show_help(sn_viewer *v) {
  const image *p = &v->image;
  const char *gesture, *meaning;
  key_row row;
  gui_overlay("help", p->x + 0.5F * p->width, p->y + 0.5F * p->height, 0.5F, 0.5F);
  if (gui_table("keys", 4, NULL, 0)) {
    int n = 0;
    while (key_at(n, &row)) {
      n++;
    }
    for (int i = 0; i < (n + 1) / 2; i++) {   // two keys a line
      for (int k = i; k < n; k += (n + 1) / 2) {
        key_at(k, &row);
        gui_next_cell();
        gui_colored(0xffffd08au, row.name);
        gui_cell("%s", row.meaning);
      }
      if (i + (n + 1) / 2 >= n) {
        gui_next_cell();
        gui_next_cell();
      }
    }
    gui_table_end();
  }
  gui_separator();
  if (gui_table("mouse", 2, NULL, 0)) {
    for (int i = 0; mouse_help_at(i, &gesture, &meaning); i++) {
      gui_next_cell();
      gui_colored(0xffffd08au, gesture);
      gui_cell("%s", meaning);
    }
    gui_table_end();
  }
  gui_overlay_end();
}

static void show_messages(sn_viewer *v) {
  const image *p = &v->image;
  if (*v->broken) {
    gui_overlay("broken", p->x + 0.5F * p->width, p->y + 8, 0.5F, 0);
    gui_colored(wrong_color, "The file cannot be loaded; the previous model is kept.");
    gui_colored(plain_color, v->broken);
    gui_overlay_end();
  }
  if (viewer_now() < v->message_until) {
    gui_overlay("message", p->x + p->width - 8, p->y + p->height - 8, 1, 1);
    gui_colored(v->is_wrong ? wrong_color : plain_color, v->message);
    gui_overlay_end();
  }
}

// ------------------------------------------------------------------ the simulation

static void show_speed(sn_viewer *v) {
  char text[16][16];
  const char *names[16];
  const int n = pace_speeds();
  for (int i = 0; i < n; i++) {
    snprintf(text[i], sizeof text[i], "%g %%", pace_speed[i]);
    names[i] = text[i];
  }
  gui_choice("speed", names, n, &v->pace.speed);
}

static void show_past(sn_viewer *v) {
  history *h = &v->history;
  double at = h->at - (h->count - 1);
  if (h->count > 1 && gui_slider("history", &at, 1 - h->count, 0, "%.0f")) {
    history_go(v, (int)(at + h->count - 0.5));
  }
  gui_tooltip("back to the states of the last frames");
}

void panel_simulation(sn_viewer *v) {
  if (!gui_section("simulation", 1)) {
    return;
  }
  if (gui_button(v->pace.paused ? "run##pause" : "pause##pause")) {
    v->pace.paused = !v->pace.paused;
  }
  gui_same_line();
  if (gui_button("step")) {
    v->pace.paused = 1;
    v->pace.single++;
  }
  if (!v->is_passive) {
    gui_same_line();
    if (gui_button("back")) {
      history_go(v, v->history.at - 1);
    }
  }
  gui_same_line();
  if (gui_button("reset")) {
    viewer_reset(v, -1);
  }
  if (!v->is_passive) {
    show_speed(v);
    show_past(v);
  }
  if (gui_button("image")) {
    save_image(v, 0);
  }
  gui_same_line();
  if (gui_button(v->video.encoder.process ? "end video##video" : "video##video")) {
    video_toggle(v, 0);
  }
  if (v->path && load_is_offered(v)) {
    gui_same_line();
    if (gui_button("reload")) {
      v->wants_reload = 1;
    }
  }
  gui_same_line();
  if (gui_button("keys")) {
    v->show_help = !v->show_help;
  }
  gui_section_end();
}

void panels_show(sn_viewer *v) {
  const float height = (float)v->window.height, width = (float)v->window.width;
  const float left = panels_left(v), right = panels_right(v), bottom = panels_bottom(v);
  if (v->show_left) {
    gui_panel("left", 0, 0, left, height);
    panel_simulation(v);
    panel_physics(v);
    panel_colliders(v);
    panel_options(v);
    panel_flags(v);
    panel_scene(v);
    gui_panel_end();
  }
  if (v->show_right) {
    gui_panel("right", width - right, 0, right, height);
    panel_selection(v);
    panel_controls(v);
    panel_joints(v);
    panel_keys(v);
    panel_contacts(v);
    panel_watch(v);
    gui_panel_end();
  }
  if (v->show_plots && width - left - right > 1) {
    gui_panel("plots", left, height - bottom, width - left - right, bottom);
    panel_plots(v);
    gui_panel_end();
  }
  if (v->show_info) {
    show_info(v);
  }
  show_messages(v);
  if (v->show_help) {
    show_help(v);
  }
}
