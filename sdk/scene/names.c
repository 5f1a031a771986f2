// SPDX-License-Identifier: Apache-2.0
//
// Frames and labels. A label belongs to a geom of the scene where one shows the element, else to a
// geom that is the text alone.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parts.h"

// ------------------------------------------------------------------ frames

static void add_frame(const update *u, const double *pos, const double *mat) {
  const sn_visual *v = &u->s->visual;
  const double length = v->scale_framelength * u->s->statistic.meansize;
  const double width = v->scale_framewidth * u->s->statistic.meansize;
  for (int k = 0; k < 3; k++) {
    const double axis[3] = { mat[k], mat[3 + k], mat[6 + k] };
    const double rgba[4] = { k == 0 ? 0.9 : 0.1, k == 1 ? 0.9 : 0.1, k == 2 ? 0.9 : 0.1, 1 };
    double to[3];
    sn_addscale3(to, pos, length, axis);
    scene_new_link(u->s, SN_DRAW_CYLINDER, width, pos, to, rgba);
  }
}

static void add_each_frame(const update *u, int64_t n, const double *pos, const double *mat) {
  for (int64_t i = 0; i < n; i++) {
    add_frame(u, pos + 3 * i, mat + 9 * i);
  }
}

// The z axis is where the light shines.
static void add_light_frames(const update *u) {
  for (int64_t i = 0; i < snm_nlight(u->m); i++) {
    double quat[4], mat[9];
    sn_z_to_quat(quat, snd_light_xdir(u->d) + 3 * i);
    sn_quat_mat(mat, quat);
    add_frame(u, snd_light_xpos(u->d) + 3 * i, mat);
  }
}

// The rows of a contact frame are its axes.
static void add_contact_frames(const update *u) {
  for (int64_t i = 0; i < snd_ncon(u->d); i++) {
    double mat[9];
    sn_transpose3(mat, snd_contact_frame(u->d) + 9 * i);
    add_frame(u, snd_contact_pos(u->d) + 3 * i, mat);
  }
}

void scene_add_frames(const update *u) {
  static const double origin[3] = { 0, 0, 0 }, axes[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  const sn_model *m = u->m;
  sn_data *d = u->d;
  const int32_t frame = u->options->frame;
  if (frame == SN_FRAME_BODY) {
    add_each_frame(u, snm_nbody(m) - 1, snd_xpos(d) + 3, snd_xmat(d) + 9);
  } else if (frame == SN_FRAME_GEOM) {
    add_each_frame(u, snm_ngeom(m), snd_geom_xpos(d), snd_geom_xmat(d));
  } else if (frame == SN_FRAME_SITE) {
    add_each_frame(u, snm_nsite(m), snd_site_xpos(d), snd_site_xmat(d));
  } else if (frame == SN_FRAME_CAMERA) {
    add_each_frame(u, snm_ncam(m), snd_cam_xpos(d), snd_cam_xmat(d));
  } else if (frame == SN_FRAME_LIGHT) {
    add_light_frames(u);
  } else if (frame == SN_FRAME_CONTACT) {
    add_contact_frames(u);
  } else if (frame == SN_FRAME_WORLD) {
    add_frame(u, origin, axes);
  }
}

// ------------------------------------------------------------------ texts

enum { TEXT_SIZE = 64 };   // bytes of a text, the zero included

// Room for n texts, before the first one is written. False: no memory.
static int reserve_texts(scenery *s, int64_t n) {
  if (n <= s->labels_capacity) {
    return 1;
  }
  char *grown = realloc(s->labels, (size_t)n * TEXT_SIZE);
  if (!grown) {
    s->out_of_memory = 1;
    return 0;
  }
  s->labels = grown;
  s->labels_capacity = n;
  return 1;
}

static char *next_text(scenery *s) {
  return s->labels + TEXT_SIZE * s->nlabels++;
}

// The name of an element, or its kind and number.
static const char *element_text(const update *u, const char *kind, int32_t id) {
  const char *name = sn_name(u->m, kind, id);
  if (*name) {
    return name;
  }
  char *text = next_text(u->s);
  snprintf(text, TEXT_SIZE, "%.20s %d", kind, id);
  return text;
}

static sn_scene_geom *add_text(const update *u, const double *pos, const char *text) {
  sn_scene_geom *g = scene_new_geom(u->s, SN_DRAW_TEXT, SN_SCENE_DECOR);
  if (g) {
    for (int k = 0; k < 3; k++) {
      g->pos[k] = (float)pos[k];
    }
    g->label = text;
  }
  return g;
}

// ------------------------------------------------------------------ labels

// Elements that are drawn as geoms of the scene; of several geoms of one element the first.
static void label_geoms(const update *u, int32_t object, const char *kind) {
  const int64_t n = u->s->out.ngeom;
  int32_t last = -1;
  for (int64_t i = 0; i < n; i++) {
    sn_scene_geom *g = &u->s->geom[i];
    if (g->object == object && g->id != last) {
      last = g->id;
      g->label = element_text(u, kind, g->id);
    }
  }
}

// Elements at points of their own.
static void label_points(const update *u, const char *kind, int64_t first, int64_t n,
                         const double *pos) {
  for (int64_t i = first; i < n; i++) {
    add_text(u, pos + 3 * i, element_text(u, kind, (int32_t)i));
  }
}

static void label_selection(const update *u) {
  const sn_perturbation *p = u->perturbation;
  if (!p || p->body <= 0 || p->body >= snm_nbody(u->m)) {
    return;
  }
  double point[3];
  sn_mul_mat_vec3(point, snd_xmat(u->d) + 9 * (int64_t)p->body, p->localpos);
  sn_add3(point, point, snd_xpos(u->d) + 3 * (int64_t)p->body);
  if (u->options->label == SN_LABEL_SELECTION) {
    add_text(u, point, element_text(u, "body", p->body));
  } else {
    char *text = next_text(u->s);
    snprintf(text, TEXT_SIZE, "%.4g %.4g %.4g", point[0], point[1], point[2]);
    add_text(u, point, text);
  }
}

static void label_contact_forces(const update *u) {
  for (int64_t i = 0; i < snd_ncon(u->d); i++) {
    double force[6];
    char *text = next_text(u->s);
    sn_contact_force(u->m, u->d, i, force);
    snprintf(text, TEXT_SIZE, "%.3g N", sn_norm3(force));
    add_text(u, snd_contact_pos(u->d) + 3 * i, text);
  }
}

static void label_elements(const update *u) {
  const sn_model *m = u->m;
  sn_data *d = u->d;
  const int32_t label = u->options->label;
  if (label == SN_LABEL_BODY) {
    label_points(u, "body", 1, snm_nbody(m), snd_xipos(d));
  } else if (label == SN_LABEL_JOINT) {
    label_points(u, "joint", 0, snm_njnt(m), snd_xanchor(d));
  } else if (label == SN_LABEL_CAMERA) {
    label_points(u, "camera", 0, snm_ncam(m), snd_cam_xpos(d));
  } else if (label == SN_LABEL_LIGHT) {
    label_points(u, "light", 0, snm_nlight(m), snd_light_xpos(d));
  } else if (label == SN_LABEL_GEOM) {
    label_geoms(u, SN_OBJECT_GEOM, "geom");
  } else if (label == SN_LABEL_SITE) {
    label_geoms(u, SN_OBJECT_SITE, "site");
  } else if (label == SN_LABEL_TENDON) {
    label_geoms(u, SN_OBJECT_TENDON, "tendon");
  } else if (label == SN_LABEL_ACTUATOR) {
    label_geoms(u, SN_OBJECT_ACTUATOR, "actuator");
  } else if (label == SN_LABEL_CONSTRAINT) {
    label_geoms(u, SN_OBJECT_EQUALITY, "equality");
  } else if (label == SN_LABEL_SKIN) {
    label_geoms(u, SN_OBJECT_SKIN, "skin");
  } else if (label == SN_LABEL_CONTACTFORCE) {
    label_contact_forces(u);
  } else {
    label_selection(u);
  }
}

void scene_add_labels(const update *u) {
  const sn_model *m = u->m;
  const int64_t most = u->s->out.ngeom + snm_nbody(m) + snm_njnt(m) + snm_ncam(m) + snm_nlight(m) +
                       snd_ncon(u->d) + 1;
  if (u->options->label != SN_LABEL_NONE && reserve_texts(u->s, most)) {
    label_elements(u);
  }
}
