// SPDX-License-Identifier: Apache-2.0
//
// The lights: the headlight of the camera, which is directional, and those of the model that are
// on.

#include "parts.h"

static void set3(float *to, const double *from) {
  for (int i = 0; i < 3; i++) {
    to[i] = (float)from[i];
  }
}

static void add_headlight(scenery *s) {
  const sn_visual *v = &s->visual;
  sn_scene_light *l = &s->light[s->out.nlight++];
  *l = (sn_scene_light){
    .attenuation = { 1, 0, 0 }, .cutoff = 180, .directional = 1, .headlight = 1, .id = -1
  };
  for (int i = 0; i < 3; i++) {
    l->pos[i] = s->out.eye.pos[i];
    l->dir[i] = s->out.eye.forward[i];
  }
  set3(l->ambient, v->headlight_ambient);
  set3(l->diffuse, v->headlight_diffuse);
  set3(l->specular, v->headlight_specular);
}

void scene_add_lights(scenery *s, sn_data *d) {
  const sn_model *m = s->model;
  s->out.nlight = 0;
  if (s->visual.headlight_active) {
    add_headlight(s);
  }
  for (int32_t i = 0; i < snm_nlight(m); i++) {
    const int64_t k = 3 * (int64_t)i;
    if (!snm_light_active(m)[i]) {
      continue;
    }
    sn_scene_light *l = &s->light[s->out.nlight++];
    *l = (sn_scene_light){ .cutoff = (float)snm_light_cutoff(m)[i],
                           .exponent = (float)snm_light_exponent(m)[i],
                           .directional = snm_light_directional(m)[i],
                           .castshadow = snm_light_castshadow(m)[i],
                           .id = i };
    set3(l->pos, snd_light_xpos(d) + k);
    set3(l->dir, snd_light_xdir(d) + k);
    set3(l->ambient, snm_light_ambient(m) + k);
    set3(l->diffuse, snm_light_diffuse(m) + k);
    set3(l->specular, snm_light_specular(m) + k);
    set3(l->attenuation, snm_light_attenuation(m) + k);
  }
}
