// SPDX-License-Identifier: Apache-2.0
//
// Contacts: points, forces, friction cones. A force is that on the second geom; the first row of
// the contact frame is the normal, from the first geom to the second one.

#include <math.h>

#include "parts.h"

typedef struct contact {
  int64_t id;
  const double *pos, *frame;
  double force[6];   // in the contact frame
} contact;

static void add_point(const update *u, const contact *c) {
  const sn_visual *v = &u->s->visual;
  const double h = v->scale_contactheight * u->s->statistic.meansize;
  const int in_gap = snd_contact_exclude(u->d)[c->id] == 1;
  double from[3], to[3];
  sn_addscale3(from, c->pos, -h, c->frame);
  sn_addscale3(to, c->pos, h, c->frame);
  scene_new_link(u->s, SN_DRAW_CYLINDER, v->scale_contactwidth * u->s->statistic.meansize, from, to,
                 in_gap ? v->rgba_contactgap : v->rgba_contactpoint);
}

// x, y, z in the contact frame, as an arrow. scale: m per unit.
static void add_arrow(const update *u, const contact *c, double x, double y, double z, double scale,
                      const double *rgba) {
  const double local[3] = { x, y, z };
  double global[3], to[3];
  sn_mul_matT_vec3(global, c->frame, local);
  if (sn_norm3(global) > 0 && isfinite(scale)) {
    sn_addscale3(to, c->pos, scale, global);
    scene_new_link(u->s, SN_DRAW_ARROW, u->s->visual.scale_forcewidth * u->s->statistic.meansize,
                   c->pos, to, rgba);
  }
}

static void add_force(const update *u, const contact *c) {
  const sn_visual *v = &u->s->visual;
  const double *f = c->force, mass = u->s->statistic.meanmass;
  const double scale = v->map_force / mass;
  if (u->options->show[SN_SHOW_CONTACTSPLIT]) {
    add_arrow(u, c, f[0], 0, 0, scale, v->rgba_contactforce);
    add_arrow(u, c, 0, f[1], f[2], scale, v->rgba_contactfriction);
    add_arrow(u, c, f[3], f[4], f[5], v->map_torque / mass, v->rgba_contacttorque);
  } else {
    add_arrow(u, c, f[0], f[1], f[2], scale, v->rgba_contactforce);
  }
}

// The cone of forces of sliding friction, as high as the arrow of a unit of weight of a body.
static void add_cone(const update *u, const contact *c) {
  static const float alpha = 0.3F;
  const double mu = snd_contact_friction(u->d)[5 * c->id];
  const double height = u->s->statistic.meansize;
  double base[3];
  sn_addscale3(base, c->pos, height, c->frame);
  sn_scene_geom *g = snd_contact_dim(u->d)[c->id] > 1
                         ? scene_new_link(u->s, SN_DRAW_CONE, mu * height, base, c->pos,
                                          u->s->visual.rgba_contactfriction)
                         : NULL;
  if (g) {
    g->rgba[3] = alpha;
  }
}

void scene_add_contacts(const update *u) {
  const int32_t *show = u->options->show;
  if (!show[SN_SHOW_CONTACTPOINT] && !show[SN_SHOW_CONTACTFORCE] && !show[SN_SHOW_FRICTIONCONE]) {
    return;
  }
  for (int64_t i = 0; i < snd_ncon(u->d); i++) {
    contact c = { .id = i,
                  .pos = snd_contact_pos(u->d) + 3 * i,
                  .frame = snd_contact_frame(u->d) + 9 * i };
    sn_contact_force(u->m, u->d, i, c.force);
    if (show[SN_SHOW_CONTACTPOINT]) {
      add_point(u, &c);
    }
    if (show[SN_SHOW_CONTACTFORCE]) {
      add_force(u, &c);
    }
    if (show[SN_SHOW_FRICTIONCONE]) {
      add_cone(u, &c);
    }
  }
}
