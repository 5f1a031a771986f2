// SPDX-License-Identifier: Apache-2.0
//
// See sinew/viewer.h. Start from viewer_frame.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

static const double message_time = 4, wrong_time = 15;   // s

// ------------------------------------------------------------------ messages

static void set_message(sn_viewer *v, int is_wrong, const char *format, va_list list) {
  vsnprintf(v->message, sizeof v->message, format, list);
  v->is_wrong = is_wrong;
  v->message_until = viewer_now() + (is_wrong ? wrong_time : message_time);
}

void viewer_say(sn_viewer *v, const char *format, ...) {
  va_list list;
  va_start(list, format);
  set_message(v, 0, format, list);
  va_end(list);
}

void viewer_complain(sn_viewer *v, const char *format, ...) {
  va_list list;
  va_start(list, format);
  set_message(v, 1, format, list);
  va_end(list);
}

void viewer_complain_of(sn_viewer *v, const char *what) {
  viewer_complain(v, "%s: %s", what, sn_error_text(v->error));
}

const char *viewer_label(const sn_model *m, const char *kind, int32_t id, char *out, size_t n) {
  const char *name = sn_name(m, kind, id);
  if (*name) {
    snprintf(out, n, "%s", name);
  } else {
    snprintf(out, n, "%s %d", kind, id);
  }
  return out;
}

// ------------------------------------------------------------------ state

void viewer_get_state(sn_viewer *v, double *state) {
  const sn_perturbation *pull = &v->image.pull;
  double *force = snd_xfrc_applied(v->d) + 6 * (int64_t)pull->body, now[6];
  memcpy(now, force, sizeof now);
  if (pull->translate || pull->rotate) {
    memset(force, 0, sizeof now);
  }
  sn_state_get(v->m, v->d, SN_STATE_INTEGRATION, state);
  memcpy(force, now, sizeof now);
}

void viewer_moved(sn_viewer *v) {
  if (v->pace.paused) {
    sn_forward(v->m, v->d);
  }
}

void viewer_reset(sn_viewer *v, int32_t key) {
  const int64_t n = snm_nkey(v->m);
  char name[64];
  if (key < 0) {
    sn_reset(v->m, v->d);
    sn_state_set(v->m, v->d, SN_STATE_INTEGRATION, v->start);
  } else if (key < n) {
    sn_reset_key(v->m, v->d, key);
    viewer_say(v, "keyframe %s", viewer_label(v->m, "key", key, name, sizeof name));
  } else if (key - n < v->nkey) {
    sn_reset(v->m, v->d);
    sn_state_set(v->m, v->d, SN_STATE_INTEGRATION, v->key[key - n].state);
    viewer_say(v, "saved keyframe %d", (int)(key - n) + 1);
  }
  v->pace.backlog = 0;
  v->plots.count = 0;
  viewer_moved(v);
  history_add(v);
}

// ------------------------------------------------------------------ frames

sn_status viewer_frame(sn_viewer *v, sn_error *error) {
  window_poll(v);
  if (v->window.width < 1 || v->window.height < 1) {   // it is minimized
    return SN_OK;
  }
  load_check(v);
  if (v->is_passive) {
    sn_scene_apply_perturbation(v->m, v->d, &v->image.pull);
  } else {
    pace_run(v);
  }
  const double start = viewer_now();
  plots_add(v);
  SN_TRY(image_draw(v, error));
  save_wanted_image(v);
  video_add(v);
  gui_begin(v->gui, v->window.width, v->window.height, v->window.pixels, v->window.refresh);
  panels_show(v);
  gui_end(v->gui);
  v->pace.draw = 0.9 * v->pace.draw + 0.1 * (viewer_now() - start);
  window_swap(v);
  return SN_OK;
}

// ------------------------------------------------------------------ open and close

static char *copy_of(const char *text) {
  return text ? strdup(text) : NULL;
}

static int take_request(sn_viewer *v, const sn_viewer_request *request) {
  if (request) {
    const size_t n = request->size < sizeof v->ask ? request->size : sizeof v->ask;
    memcpy(&v->ask, request, n);
  }
  v->path = copy_of(v->ask.path);
  v->ask.title = copy_of(v->ask.title);
  v->ask.config = copy_of(v->ask.config);
  v->start = malloc((size_t)sn_state_size(v->m, SN_STATE_INTEGRATION) * sizeof(double) + 1);
  v->error = sn_error_new();
  return v->start && v->error;
}

sn_viewer *viewer_open(sn_model *model, sn_data *data, const sn_viewer_request *request,
                       int is_passive, sn_error *error) {
  sn_viewer *v = calloc(1, sizeof *v);
  if (!v) {
    return NULL;
  }
  v->m = model;
  v->d = data;
  v->is_passive = is_passive;
  v->image.options = sn_scene_default_options();
  v->image.camera = sn_scene_default_camera(model);
  v->show_info = v->show_left = v->show_right = 1;
  if (!take_request(v, request) || window_open(v, error) < 0 || image_open(v, error) < 0) {
    sn_viewer_close(v);
    return NULL;
  }
  sn_state_get(model, data, SN_STATE_INTEGRATION, v->start);
  sn_forward(model, data);
  history_open(v);
  load_watch(v);
  pace_start(v);
  viewer_say(v, "F1: all keys");
  return v;
}

sn_viewer *sn_viewer_open(sn_model *model, sn_data *data, const sn_viewer_request *request,
                          sn_error *error) {
  return viewer_open(model, data, request, 1, error);
}

sn_status sn_viewer_draw(sn_viewer *v, sn_error *error) {
  const sn_status status = v->closing ? SN_OK : viewer_frame(v, error);
  return status < 0 ? status : !v->closing;
}

int32_t sn_viewer_runs(sn_viewer *v) {
  if (v->pace.paused && v->pace.single > 0) {
    v->pace.single--;
    return 1;
  }
  return !v->pace.paused;
}

void sn_viewer_close(sn_viewer *v) {
  if (!v) {
    return;
  }
  mouse_end_pull(v);
  video_close(v);
  image_close(v);
  window_close(v);
  history_close(v);
  save_close(v);
  load_close(v);
  free((void *)(uintptr_t)v->ask.title);
  free((void *)(uintptr_t)v->ask.config);
  free(v->path);
  free(v->start);
  sn_error_free(v->error);
  free(v);
}

sn_status sn_viewer_run(sn_model *model, sn_data *data, const sn_viewer_request *request,
                        sn_error *error) {
  sn_error *own = error ? NULL : sn_error_new();
  error = error ? error : own;
  sn_viewer *v = viewer_open(model, data, request, 0, error);
  sn_status status = v ? SN_OK : sn_error_code(error) < 0 ? sn_error_code(error) : SN_ENOMEM;
  while (v && status >= 0 && !v->closing &&
         !(v->ask.time > 0 && snd_time(v->d)[0] >= v->ask.time)) {
    status = viewer_frame(v, error);
  }
  sn_viewer_close(v);
  sn_error_free(own);
  return status;
}
