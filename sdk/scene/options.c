// SPDX-License-Identifier: Apache-2.0
//
// Options of a scene and their words.

#include <stddef.h>

#include "sinew/scene.h"

static const struct {
  const char *word, *key, *meaning;
  int32_t value;
} shows[] = {
#define ROW(name, word, key, value, meaning) { word, key, meaning, value },
  SN_SCENE_SHOWS(ROW)
#undef ROW
};
static const char *const labels[SN_NLABELS] = { "none",     "body",         "joint", "geom",
                                                "site",     "camera",       "light", "tendon",
                                                "actuator", "constraint",   "skin",  "selection",
                                                "point",    "contact-force" };
static const char *const frames[SN_NFRAMES] = { "none",   "body",  "geom",    "site",
                                                "camera", "light", "contact", "world" };
enum { FIRST_GROUPS = 7 };   // groups 0, 1, 2

sn_scene_options sn_scene_default_options(void) {
  sn_scene_options o = { .size = sizeof o,
                         .geoms = FIRST_GROUPS,
                         .sites = FIRST_GROUPS,
                         .joints = FIRST_GROUPS,
                         .tendons = FIRST_GROUPS,
                         .actuators = FIRST_GROUPS,
                         .skins = FIRST_GROUPS };
  for (int i = 0; i < SN_NSHOWS; i++) {
    o.show[i] = shows[i].value;
  }
  return o;
}

const char *sn_scene_show_word(int32_t show, const char **key, const char **meaning) {
  if (show < 0 || show >= SN_NSHOWS) {
    return NULL;
  }
  if (key) {
    *key = shows[show].key;
  }
  if (meaning) {
    *meaning = shows[show].meaning;
  }
  return shows[show].word;
}

const char *sn_scene_label_word(int32_t label) {
  return label >= 0 && label < SN_NLABELS ? labels[label] : NULL;
}

const char *sn_scene_frame_word(int32_t frame) {
  return frame >= 0 && frame < SN_NFRAMES ? frames[frame] : NULL;
}
