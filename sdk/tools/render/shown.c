// SPDX-License-Identifier: Apache-2.0
//
// The options of images: --camera, --size, --show, --hide, --label, --frame, --groups.

#include "shown.h"

#include <stdlib.h>
#include <string.h>

#include "sinew/suggest.h"

enum { LARGEST_SIDE = 16384, DEFAULT_WIDTH = 640, DEFAULT_HEIGHT = 480 };

// ------------------------------------------------------------------ words

typedef const char *word_at(int32_t index);

static const char *show_at(int32_t index) {
  return sn_scene_show_word(index, NULL, NULL);
}

// The index of a word of a table; -1 after reporting, with the nearest one and all of them.
static int32_t find_word(const options *o, const char *option, const char *word, word_at *at) {
  const char *words[SN_SHOWS_CAPACITY];
  int n = 0;
  for (; n < SN_SHOWS_CAPACITY && at(n); n++) {
    if (strcmp(at(n), word) == 0) {
      return n;
    }
    words[n] = at(n);
  }
  char list[1024] = "", hint[1200];
  for (int i = 0; i < n; i++) {
    strncat(list, i ? ", " : "choices are ", sizeof list - strlen(list) - 1);
    strncat(list, words[i], sizeof list - strlen(list) - 1);
  }
  usage_error(o->command, "--%s: there is no '%s'%s", option, word,
              sn_suggest_text(hint, sizeof hint, nearest_word(word, words, n), list));
  return -1;
}

// Words, separated by commas.
static int set_shows(shown *x, const options *o, const char *option, const char *list,
                     int32_t value) {
  while (list && *list) {
    const size_t n = strcspn(list, ",");
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(n < 63 ? n : 63), list);
    const int32_t i = find_word(o, option, word, show_at);
    if (i < 0) {
      return USAGE;
    }
    x->options.show[i] = value;
    list += n + (list[n] == ',');
  }
  return DONE;
}

// ------------------------------------------------------------------ groups

static uint32_t *mask_named(sn_scene_options *o, const char *word, size_t n) {
  const struct {
    const char *name;
    uint32_t *mask;
  } masks[] = { { "geom", &o->geoms },     { "site", &o->sites },         { "joint", &o->joints },
                { "tendon", &o->tendons }, { "actuator", &o->actuators }, { "skin", &o->skins } };
  for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
    if (strlen(masks[i].name) == n && strncmp(masks[i].name, word, n) == 0) {
      return masks[i].mask;
    }
  }
  return NULL;
}

// "geom=013,site=": the groups of geoms and of sites.
static int set_groups(shown *x, const options *o) {
  for (const char *p = o->groups; p && *p;) {
    const size_t n = strcspn(p, "=,");
    uint32_t *mask = p[n] == '=' ? mask_named(&x->options, p, n) : NULL;
    const char *digits = p + n + 1;
    const size_t count = mask ? strspn(digits, "012345") : 0;
    if (!mask || (digits[count] && digits[count] != ',')) {
      return usage_error(o->command,
                         "--groups takes KIND=DIGITS,... such as geom=013,site=4, not '%s'; kinds: "
                         "geom, site, joint, tendon, actuator, skin; groups: 0 to 5",
                         o->groups);
    }
    *mask = 0;
    for (size_t i = 0; i < count; i++) {
      *mask |= 1u << (digits[i] - '0');
    }
    p = digits + count + (digits[count] == ',');
  }
  return DONE;
}

// ------------------------------------------------------------------ size

static int set_size(shown *x, const options *o) {
  x->image.size = sizeof x->image;
  x->image.width = DEFAULT_WIDTH;
  x->image.height = DEFAULT_HEIGHT;
  if (!o->size) {
    return DONE;
  }
  char *end;
  const long w = strtol(o->size, &end, 10);
  const long h = *end == 'x' && end[1] >= '0' && end[1] <= '9' ? strtol(end + 1, &end, 10) : 0;
  if (*end || w < 1 || h < 1 || w > LARGEST_SIDE || h > LARGEST_SIDE) {
    return usage_error(o->command, "--size takes WIDTHxHEIGHT, 1 to %d pixels each, not '%s'",
                       LARGEST_SIDE, o->size);
  }
  x->image.width = (int32_t)w;
  x->image.height = (int32_t)h;
  return DONE;
}

static int set_options(shown *x, const options *o) {
  x->options = sn_scene_default_options();
  int status = set_size(x, o);
  status = status == DONE ? set_shows(x, o, "show", o->show, 1) : status;
  status = status == DONE ? set_shows(x, o, "hide", o->hide, 0) : status;
  for (int i = 0; i < SN_NSHOWS; i++) {
    x->options.show[i] = o->shown[i] ? o->shown[i] > 0 : x->options.show[i];
  }
  status = status == DONE ? set_groups(x, o) : status;
  if (status == DONE && o->label) {
    x->options.label = find_word(o, "label", o->label, sn_scene_label_word);
    status = x->options.label < 0 ? USAGE : DONE;
  }
  if (status == DONE && o->frame) {
    x->options.frame = find_word(o, "frame", o->frame, sn_scene_frame_word);
    status = x->options.frame < 0 ? USAGE : DONE;
  }
  return status;
}

// ------------------------------------------------------------------ drawing

int shown_open(shown *x, const options *o, const session *s) {
  const void *ops = NULL;
  *x = (shown){ .o = o, .error = s->error, .image = { .size = sizeof x->image } };
  const int status = set_options(x, o);
  if (status != DONE) {
    return status;
  }
  if (sn_engine_use(s->engine, SN_KIND_RENDERER, NULL, &ops, &x->self, s->error) < 0 ||
      sn_scene_find_camera(s->model, o->camera ? o->camera : "free", &x->camera, s->error) < 0) {
    return report(o, s->error);
  }
  x->ops = ops;
  x->scene = sn_scene_new(s->model, s->error);
  if (!x->scene || x->ops->open(x->self, SN_CANVAS_OFFSCREEN, &x->canvas, s->error) < 0) {
    return report(o, s->error);
  }
  return DONE;
}

void shown_close(shown *x) {
  if (x->canvas) {
    x->ops->close(x->self, x->canvas);
  }
  sn_scene_free(x->scene);
  free(x->image.rgb);
  free(x->image.depth);
  free(x->image.segment);
}

int shown_draw(shown *x, const sn_model *m, sn_data *d) {
  if (!x->ops->render) {
    return report_text(x->o, NULL, 0, 0,
                       "the selected renderer makes no pixels; write a file of "
                       "one of its formats (%s), or select another renderer",
                       x->ops->extensions);
  }
  if (sn_scene_update(x->scene, m, d, &x->options, &x->camera, NULL, x->error) < 0 ||
      x->ops->render(x->self, x->canvas, x->scene, &x->image, x->error) < 0) {
    return report(x->o, x->error);
  }
  return DONE;
}
