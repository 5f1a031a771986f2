// SPDX-License-Identifier: Apache-2.0
//
// What is shown: the switches of the scene, labels, frames, groups, the camera.

#include <stdio.h>

#include "parts.h"

static void choose_word(const char *label, const char *(*at)(int32_t), int n, int32_t *value) {
  const char *names[MAX_CHOICES];
  int index = *value;
  for (int i = 0; i < n; i++) {
    names[i] = at(i);
  }
  if (gui_choice(label, names, n, &index)) {
    *value = index;
  }
}

static void choose_camera(sn_viewer *v) {
  sn_scene_camera *c = &v->image.camera;
  char text[MAX_CHOICES][48];
  const char *names[MAX_CHOICES] = { "free", "follows a body" };
  int n = 2;
  int at = c->mode == SN_CAMERA_FIXED ? c->camera + 2 : c->mode == SN_CAMERA_TRACK;
  for (int32_t i = 0; i < snm_ncam(v->m) && n < MAX_CHOICES; i++, n++) {
    names[n] = viewer_label(v->m, "camera", i, text[n], sizeof text[n]);
  }
  if (gui_choice("camera", names, n, &at)) {
    c->mode = at == 0 ? SN_CAMERA_FREE : at == 1 ? SN_CAMERA_TRACK : SN_CAMERA_FIXED;
    c->camera = at - 2;
    if (at == 1) {
      c->body = v->image.pull.body > 0 ? v->image.pull.body : snm_nbody(v->m) > 1;
    }
  }
}

static void choose_groups(const char *label, uint32_t *mask) {
  char text[32];
  for (int k = 0; k < 6; k++) {
    snprintf(text, sizeof text, "%d##%s", k, label);
    gui_column(k, 7);
    if (gui_check(text, (int)(*mask >> k & 1u))) {
      *mask ^= 1u << k;
    }
  }
  gui_column(6, 7);
  gui_text("%s", label);
}

void panel_scene(sn_viewer *v) {
  sn_scene_options *o = &v->image.options;
  const char *word, *meaning;
  if (gui_section("view", 1)) {
    choose_camera(v);
    choose_word("labels", sn_scene_label_word, SN_NLABELS, &o->label);
    choose_word("frames", sn_scene_frame_word, SN_NFRAMES, &o->frame);
    for (int32_t i = 0; (word = sn_scene_show_word(i, NULL, &meaning)) != NULL; i++) {
      gui_column(i % 2, 2);
      if (gui_check(word, o->show[i])) {
        o->show[i] = !o->show[i];
      }
      gui_tooltip(meaning);
    }
    gui_section_end();
  }
  if (gui_section("groups", 0)) {
    choose_groups("geoms", &o->geoms);
    choose_groups("sites", &o->sites);
    choose_groups("joints", &o->joints);
    choose_groups("tendons", &o->tendons);
    choose_groups("actuators", &o->actuators);
    choose_groups("skins", &o->skins);
    gui_section_end();
  }
}
