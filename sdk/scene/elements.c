// SPDX-License-Identifier: Apache-2.0
//
// What of the model is always there to see: geoms, sites, tendons, slider-cranks, rays of
// rangefinders.

#include <math.h>

#include "parts.h"

// ------------------------------------------------------------------ geoms

// Size of a shape in a drawing, by that of the model.
static void set_model_size(sn_scene_geom *g, int32_t type, const double *size) {
  if (type == SN_GEOM_SPHERE) {
    scene_set_size(g, size[0], size[0], size[0]);
  } else if (type == SN_GEOM_CAPSULE || type == SN_GEOM_CYLINDER) {
    scene_set_size(g, size[0], size[0], size[1]);
  } else if (type != SN_GEOM_MESH && type != SN_GEOM_HFIELD && type != SN_GEOM_USER) {
    scene_set_size(g, size[0], size[1], size[2]);
  }
}

// nuser: how many of the geoms before it have shapes of plugins.
static void set_shape(const update *u, sn_scene_geom *g, int32_t i, int32_t nuser) {
  const int32_t type = snm_geom_type(u->m)[i], data = snm_geom_dataid(u->m)[i];
  set_model_size(g, type, snm_geom_size(u->m) + 3 * (int64_t)i);
  g->type = type;
  if (type == SN_GEOM_MESH || type == SN_GEOM_HFIELD || type == SN_GEOM_USER) {
    g->type = SN_DRAW_MESH;
    g->mesh = scene_mesh_of(u->s, type, type == SN_GEOM_USER ? nuser : data,
                            u->options->show[SN_SHOW_CONVEXHULL]);
  }
}

static void add_geoms(const update *u) {
  const sn_model *m = u->m;
  const int32_t *show = u->options->show;
  int32_t nuser = 0;
  for (int32_t i = 0; i < snm_ngeom(m); i++) {
    const int32_t before = nuser;
    nuser += snm_geom_type(m)[i] == SN_GEOM_USER;
    const int fixed = scene_is_static(m, snm_geom_bodyid(m)[i]);
    if (!scene_in_group(u->options->geoms, snm_geom_group(m)[i]) ||
        (fixed && !show[SN_SHOW_STATIC])) {
      continue;
    }
    sn_scene_geom *g = scene_new_geom(u->s, SN_DRAW_SPHERE,
                                      fixed ? SN_SCENE_STATIC : SN_SCENE_DYNAMIC);
    if (!g) {
      return;
    }
    g->object = SN_OBJECT_GEOM;
    g->id = i;
    g->group = snm_geom_group(m)[i];
    set_shape(u, g, i, before);
    scene_set_pose(g, snd_geom_xpos(u->d) + 3 * (int64_t)i, snd_geom_xmat(u->d) + 9 * (int64_t)i);
    scene_set_look(u, g, snm_geom_matid(m)[i], snm_geom_rgba(m) + 4 * (int64_t)i);
    if (!fixed && show[SN_SHOW_TRANSPARENT]) {
      g->rgba[3] *= (float)u->s->visual.map_alpha;
    }
    if (g->rgba[3] == 0) {
      u->s->out.ngeom--;
    }
  }
}

// ------------------------------------------------------------------ sites

static int has_sensor(const sn_model *m, int32_t site) {
  for (int64_t k = 0; k < snm_nsensor(m); k++) {
    if (snm_sensor_objtype(m)[k] == SN_OBJECT_SITE && snm_sensor_objid(m)[k] == site) {
      return 1;
    }
  }
  return 0;
}

static void add_sites(const update *u) {
  const sn_model *m = u->m;
  for (int32_t i = 0; i < snm_nsite(m); i++) {
    const int shown = scene_in_group(u->options->sites, snm_site_group(m)[i]);
    if (!shown && !(u->options->show[SN_SHOW_SENSOR] && has_sensor(m, i))) {
      continue;
    }
    const int fixed = scene_is_static(m, snm_site_bodyid(m)[i]);
    sn_scene_geom *g = scene_new_geom(u->s, snm_site_type(m)[i],
                                      fixed ? SN_SCENE_STATIC : SN_SCENE_DYNAMIC);
    if (!g) {
      return;
    }
    g->object = SN_OBJECT_SITE;
    g->id = i;
    g->group = snm_site_group(m)[i];
    set_model_size(g, g->type, snm_site_size(m) + 3 * (int64_t)i);
    scene_set_pose(g, snd_site_xpos(u->d) + 3 * (int64_t)i, snd_site_xmat(u->d) + 9 * (int64_t)i);
    scene_set_look(u, g, snm_site_matid(m)[i], snm_site_rgba(m) + 4 * (int64_t)i);
    if (g->rgba[3] == 0) {
      u->s->out.ngeom--;
    }
  }
}

// ------------------------------------------------------------------ tendons

static sn_scene_geom *add_link(const update *u, int32_t type, double width, const double *from,
                               const double *to, int32_t object, int32_t id) {
  sn_scene_geom *g = scene_new_geom(u->s, type, SN_SCENE_DYNAMIC);
  if (g) {
    g->object = object;
    g->id = id;
    sn_scene_connect(g, type, width, from, to);
  }
  return g;
}

typedef struct traced {
  const update *u;
  int32_t tendon;
} traced;

static void add_tendon_piece(void *context, const double *from, const double *to) {
  const traced *t = context;
  const sn_model *m = t->u->m;
  const int32_t i = t->tendon;
  sn_scene_geom *g = add_link(t->u, SN_DRAW_CAPSULE, snm_tendon_width(m)[i], from, to,
                              SN_OBJECT_TENDON, i);
  if (!g) {
    return;
  }
  g->group = snm_tendon_group(m)[i];
  scene_set_look(t->u, g, snm_tendon_matid(m)[i], snm_tendon_rgba(m) + 4 * (int64_t)i);
  if (g->rgba[3] == 0) {
    t->u->s->out.ngeom--;
  }
}

static void add_tendons(const update *u) {
  for (int32_t i = 0; i < snm_ntendon(u->m) && u->options->show[SN_SHOW_TENDON]; i++) {
    if (scene_in_group(u->options->tendons, snm_tendon_group(u->m)[i])) {
      traced t = { u, i };
      sn_scene_trace_tendon(u->m, u->d, i, add_tendon_piece, &t);
    }
  }
}

// ------------------------------------------------------------------ slider-cranks

// The slider moves along the z axis of the slider site, the rod has the length of the crank: the
// end of the rod is the intersection of the axis with a sphere around the pin.
static void add_slidercrank(const update *u, int32_t i) {
  const sn_model *m = u->m;
  const sn_visual *v = &u->s->visual;
  const int64_t crank = snm_actuator_trnid(m)[2 * i], slider = snm_actuator_trnid(m)[2 * i + 1];
  const double *pin = snd_site_xpos(u->d) + 3 * crank;
  const double *start = snd_site_xpos(u->d) + 3 * slider;
  const double *mat = snd_site_xmat(u->d) + 9 * slider;
  const double axis[3] = { mat[2], mat[5], mat[8] }, rod = snm_actuator_cranklength(m)[i];
  double to_pin[3], end[3];
  sn_sub3(to_pin, pin, start);
  const double along = sn_dot3(to_pin, axis);
  const double det = along * along + rod * rod - sn_dot3(to_pin, to_pin);
  const double width = v->scale_slidercrank * u->s->statistic.meansize;
  sn_addscale3(end, start, along - (det > 0 ? sqrt(det) : 0), axis);
  sn_scene_geom *g = add_link(u, SN_DRAW_CYLINDER, width, start, end, SN_OBJECT_ACTUATOR, i);
  if (g) {
    scene_set_rgba(g, v->rgba_slidercrank);
  }
  g = add_link(u, SN_DRAW_CAPSULE, width / 2, end, pin, SN_OBJECT_ACTUATOR, i);
  if (g) {
    scene_set_rgba(g, det > 0 ? v->rgba_slidercrank : v->rgba_crankbroken);
  }
}

static void add_slidercranks(const update *u) {
  for (int32_t i = 0; i < snm_nu(u->m); i++) {
    if (snm_actuator_trntype(u->m)[i] == SN_TRN_SLIDERCRANK) {
      add_slidercrank(u, i);
    }
  }
}

// ------------------------------------------------------------------ rangefinders

static void add_rangefinders(const update *u) {
  const sn_model *m = u->m;
  for (int32_t i = 0; i < snm_nsensor(m) && u->options->show[SN_SHOW_RANGEFINDER]; i++) {
    if (snm_sensor_type(m)[i] != SN_SENSOR_RANGEFINDER) {
      continue;
    }
    const double distance = snd_sensordata(u->d)[snm_sensor_adr(m)[i]];
    const int64_t site = snm_sensor_objid(m)[i];
    const double *pos = snd_site_xpos(u->d) + 3 * site, *mat = snd_site_xmat(u->d) + 9 * site;
    const double axis[3] = { mat[2], mat[5], mat[8] };
    double end[3];
    if (distance < 0) {   // nothing is hit
      continue;
    }
    sn_addscale3(end, pos, distance, axis);
    sn_scene_geom *g = add_link(u, SN_DRAW_LINE, 3, pos, end, SN_OBJECT_SENSOR, i);
    if (g) {
      scene_set_rgba(g, u->s->visual.rgba_rangefinder);
    }
  }
}

void scene_add_elements(const update *u) {
  add_geoms(u);
  add_sites(u);
  add_tendons(u);
  add_slidercranks(u);
  add_rangefinders(u);
  scene_add_skins(u);
}
