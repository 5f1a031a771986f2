// SPDX-License-Identifier: Apache-2.0
//
// What the user keeps: images, and states as keyframes of MJCF. Files go to the working folder,
// under a name that is new.

#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parts.h"
#include "sinew/number.h"
#include "tools/render/png.h"

void save_name(const sn_viewer *v, const char *ending, char *out, size_t n) {
  const char *name = sn_model_name(v->m);
  char safe[32] = "sinew";
  size_t k = 0;
  for (; name[k] && k < sizeof safe - 1; k++) {
    const char c = name[k];
    safe[k] = (char)((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
                         ? c
                         : '_');
    safe[k + 1] = '\0';
  }
  int i = 1;
  do {
    snprintf(out, n, "%s-%04d%s", safe, i++, ending);
  } while (access(out, F_OK) == 0);
}

static sn_status write_whole(sn_viewer *v, const char *path, const void *bytes, size_t n) {
  sn_output *out = sn_output_open(path, v->error);
  if (!out) {
    return SN_EIO;
  }
  sn_sink *sink = sn_output_sink(out);
  return sn_output_close(out, sink->write(sink, bytes, (int64_t)n), v->error);
}

// ------------------------------------------------------------------ images

uint8_t *save_pixels(const sn_viewer *v, int *width, int *height) {
  const image *p = &v->image;
  const float pixels = v->window.pixels;
  const int x = (int)(p->x * pixels), w = (int)(p->width * pixels), h = (int)(p->height * pixels);
  const int below = (int)((float)v->window.height * pixels) - h;
  const size_t row = 3 * (size_t)w;
  uint8_t *upside_down = malloc(row * (size_t)h + 1), *rgb = malloc(row * (size_t)h + 1);
  if (upside_down && rgb) {
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(x, below, w, h, GL_RGB, GL_UNSIGNED_BYTE, upside_down);
    for (int i = 0; i < h; i++) {
      memcpy(rgb + row * (size_t)i, upside_down + row * (size_t)(h - 1 - i), row);
    }
  } else {
    free(rgb);
    rgb = NULL;
  }
  free(upside_down);
  *width = w;
  *height = h;
  return rgb;
}

void save_image(sn_viewer *v, int32_t unused) {
  (void)unused;
  v->wants_image = 1;
}

void save_wanted_image(sn_viewer *v) {
  int width, height;
  char path[64];
  unsigned char *png = NULL;
  size_t size = 0;
  if (!v->wants_image) {
    return;
  }
  v->wants_image = 0;
  uint8_t *rgb = save_pixels(v, &width, &height);
  const char *wrong = rgb ? png_encode(rgb, (uint32_t)width, (uint32_t)height, &png, &size)
                          : "out of memory";
  save_name(v, ".png", path, sizeof path);
  if (wrong) {
    viewer_complain(v, "no image: %s", wrong);
  } else if (write_whole(v, path, png, size) < 0) {
    viewer_complain_of(v, "no image");
  } else {
    viewer_say(v, "image: %s", path);
  }
  free(png);
  free(rgb);
}

// ------------------------------------------------------------------ keyframes

static void write_numbers(FILE *out, const char *name, const double *x, int64_t n) {
  char text[SN_NUMBER_ROOM];
  if (n < 1) {
    return;
  }
  fprintf(out, " %s=\"", name);
  for (int64_t i = 0; i < n; i++) {
    sn_write_number(text, x[i], 0);
    fprintf(out, "%s%s", i ? " " : "", text);
  }
  fputc('"', out);
}

// An element `key` of MJCF. To be freed; NULL: out of memory.
static char *key_text(sn_viewer *v, const char *name) {
  const sn_model *m = v->m;
  sn_data *d = v->d;
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  if (!out) {
    return NULL;
  }
  fprintf(out, "<key");
  if (name) {
    fprintf(out, " name=\"%s\"", name);
  }
  write_numbers(out, "time", snd_time(d), 1);
  write_numbers(out, "qpos", snd_qpos(d), snm_nq(m));
  write_numbers(out, "qvel", snd_qvel(d), snm_nv(m));
  write_numbers(out, "act", snd_act(d), snm_na(m));
  write_numbers(out, "ctrl", snd_ctrl(d), snm_nu(m));
  write_numbers(out, "mpos", snd_mocap_pos(d), 3 * snm_nmocap(m));
  write_numbers(out, "mquat", snd_mocap_quat(d), 4 * snm_nmocap(m));
  fprintf(out, "/>\n");
  return fclose(out) == 0 ? text : NULL;
}

void save_copy_key(sn_viewer *v, int32_t unused) {
  char *text = key_text(v, NULL);
  (void)unused;
  if (text) {
    window_copy(v, text);
    viewer_say(v, "copied: <key qpos=... />, for the element keyframe of MJCF");
  }
  free(text);
}

// The file is a model of keyframes alone, which other models include.
static sn_status write_key(sn_viewer *v, const char *path) {
  char name[32], *text = NULL;
  size_t n = 0;
  snprintf(name, sizeof name, "saved%d", v->nkey + 1);
  char *key = key_text(v, name);
  FILE *out = key ? open_memstream(&text, &n) : NULL;
  if (out) {
    fprintf(out, "<mujoco>\n  <keyframe>\n    %s  </keyframe>\n</mujoco>\n", key);
  }
  const int ok = out && fclose(out) == 0;
  const sn_status status = ok ? write_whole(v, path, text, n) : SN_ENOMEM;
  free(text);
  free(key);
  return status;
}

void save_key(sn_viewer *v, int32_t unused) {
  const size_t n = (size_t)sn_state_size(v->m, SN_STATE_INTEGRATION);
  saved_key *more = realloc(v->key, (size_t)(v->nkey + 1) * sizeof *more);
  char path[64];
  (void)unused;
  if (!more) {
    return;
  }
  v->key = more;
  more[v->nkey].state = malloc(n * sizeof(double) + 1);
  if (!more[v->nkey].state) {
    return;
  }
  viewer_get_state(v, more[v->nkey].state);
  save_name(v, ".key.xml", path, sizeof path);
  if (write_key(v, path) < 0) {
    viewer_complain_of(v, "the keyframe is kept until the window is closed, but not written");
  } else {
    viewer_say(v, "keyframe: %s", path);
  }
  v->nkey++;
}

// Another model took the place of that of the kept states: each is transferred as far as elements
// have the same names.
int save_transfer(sn_viewer *v, const sn_model *before) {
  const size_t n = (size_t)sn_state_size(v->m, SN_STATE_INTEGRATION);
  sn_data *old = v->nkey > 0 ? sn_data_new(before, v->error) : NULL;
  int kept = 0;
  for (int i = 0; i < v->nkey && old; i++) {
    double *state = malloc(n * sizeof(double) + 1);
    sn_state_set(before, old, SN_STATE_INTEGRATION, v->key[i].state);
    sn_data *now = state ? sn_data_transfer(v->m, before, old, v->error) : NULL;
    if (!now) {
      free(state);
      break;
    }
    sn_state_get(v->m, now, SN_STATE_INTEGRATION, state);
    sn_data_free(now);
    free(v->key[i].state);
    v->key[i].state = state;
    kept++;
  }
  sn_data_free(old);
  return kept == v->nkey;
}

void save_close(sn_viewer *v) {
  for (int i = 0; i < v->nkey; i++) {
    free(v->key[i].state);
  }
  free(v->key);
  v->key = NULL;
  v->nkey = 0;
}
