// SPDX-License-Identifier: Apache-2.0
//
// Controls, positions of joints and keyframes: what the user sets in the state.

#include <math.h>
#include <stdio.h>

#include "parts.h"
#include "sinew/math.h"

enum { MOST_SLIDERS = 200 };

static void tell_rest(int64_t n) {
  if (n > MOST_SLIDERS) {
    gui_dim("and %lld more", (long long)(n - MOST_SLIDERS));
  }
}

// A name may occur as well for another element.
static const char *numbered(const sn_model *m, const char *kind, int32_t id, char *out, size_t n) {
  char name[64];
  snprintf(out, n, "%s##%d", viewer_label(m, kind, id, name, sizeof name), id);
  return out;
}

void panel_controls(sn_viewer *v) {
  const sn_model *m = v->m;
  const int64_t n = snm_nu(m);
  char label[96];
  if (n == 0 || !gui_section("controls", 1)) {
    return;
  }
  if (gui_button("all to zero")) {
    for (int64_t i = 0; i < n; i++) {
      snd_ctrl(v->d)[i] = 0;
    }
    viewer_moved(v);
  }
  for (int32_t i = 0; i < n && i < MOST_SLIDERS; i++) {
    const double *range = snm_actuator_ctrlrange(m) + 2 * (int64_t)i;
    const int limited = snm_actuator_ctrllimited(m)[i] && range[0] < range[1];
    double value = snd_ctrl(v->d)[i];
    if (gui_slider(numbered(m, "actuator", i, label, sizeof label), &value, limited ? range[0] : -1,
                   limited ? range[1] : 1, "%.3f")) {
      snd_ctrl(v->d)[i] = value;
      viewer_moved(v);
    }
  }
  tell_rest(n);
  gui_section_end();
}

static void show_joint(sn_viewer *v, int32_t i, double extent) {
  const sn_model *m = v->m;
  const int32_t type = snm_jnt_type(m)[i];
  const double *range = snm_jnt_range(m) + 2 * (int64_t)i;
  const int limited = snm_jnt_limited(m)[i] && range[0] < range[1];
  const double most = type == SN_JOINT_SLIDE ? extent : SN_PI;
  char label[96];
  double value = snd_qpos(v->d)[snm_jnt_qposadr(m)[i]];
  if (gui_slider(numbered(m, "joint", i, label, sizeof label), &value, limited ? range[0] : -most,
                 limited ? range[1] : most, "%.3f")) {
    snd_qpos(v->d)[snm_jnt_qposadr(m)[i]] = value;
    viewer_moved(v);
  }
}

void panel_joints(sn_viewer *v) {
  sn_statistic s = { .def_size = sizeof s };
  int64_t n = 0;
  if (snm_njnt(v->m) == 0 || !gui_section("joints", 0)) {
    return;
  }
  sn_model_get_statistic(v->m, &s);
  for (int32_t i = 0; i < snm_njnt(v->m); i++) {
    const int32_t type = snm_jnt_type(v->m)[i];
    if (type == SN_JOINT_HINGE || type == SN_JOINT_SLIDE) {
      if (n++ < MOST_SLIDERS) {
        show_joint(v, i, fmax(s.extent, 1e-6));
      }
    }
  }
  tell_rest(n);
  gui_section_end();
}

void panel_keys(sn_viewer *v) {
  const int32_t n = (int32_t)snm_nkey(v->m);
  char label[96];
  if (!gui_section("keyframes", 1)) {
    return;
  }
  for (int32_t i = 0; i < n && i < MOST_SLIDERS; i++) {
    if (gui_row(numbered(v->m, "key", i, label, sizeof label), 0)) {
      viewer_reset(v, i);
    }
  }
  for (int32_t i = 0; i < v->nkey; i++) {
    snprintf(label, sizeof label, "saved %d", i + 1);
    if (gui_row(label, 0)) {
      viewer_reset(v, n + i);
    }
  }
  if (gui_button("save")) {
    save_key(v, 0);
  }
  gui_tooltip("keeps the state, and writes it to a file as a keyframe of MJCF");
  gui_same_line();
  if (gui_button("copy")) {
    save_copy_key(v, 0);
  }
  gui_tooltip("copies the state to the clipboard, as an element key of MJCF");
  gui_section_end();
}
