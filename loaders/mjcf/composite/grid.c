// SPDX-License-Identifier: Apache-2.0
//
// Points that move without turning: each is a body with three sliders. Particles are free of each
// other; a grid holds together by tendons between neighbors, of fixed length up to softness:
//
//    o--T1--o--T1--o      T0 from a point along x, T1 along y, TS (where the object has tendons of
//    |  \TS |  \TS |      kind shear) across the cell
//   T0      T0     T0
//    |      |      |      pinned points have no sliders: they are fixed to the parent
//    o--T1--o--T1--o
//
// The point (x, y, z) is at offset + spacing * (coord - count / 2).

#include <string.h>

#include "mjcf/composite/composite.h"

static const double origin[3];
static const double axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

static int is_pinned(const mjcf_composite *c, const int32_t *coord) {
  for (const composite_pin *pin = c->pin; pin; pin = pin->next) {
    if (pin->coord[0] == coord[0] && pin->coord[1] == coord[1]) {
      return 1;
    }
  }
  return 0;
}

// a body at coord, with sliders that have names when words are given
static sn_status add_point(mjcf_reader *r, const mjcf_composite *c, const char *name,
                           const int32_t *coord, int32_t naxis, const char *const *words,
                           int is_free, int32_t *id) {
  sn_body_def body;
  sn_default_body(&body);
  body.parent = c->parent;
  body.name = name;
  memcpy(body.pos, c->offset, sizeof body.pos);
  for (int i = 0; i < naxis; i++) {
    body.pos[i] += c->spacing * (coord[i] - 0.5 * c->count[i]);
  }
  SN_TRY(mjcf_in_frame(r, c->node, body.pos, &body.orient));
  SN_TRY(composite_add_body(r, c, &body, id));
  for (int i = 0; i < 3 && is_free; i++) {
    SN_TRY(composite_add_joint(r, c, COMPOSITE_MAIN, *id, words ? words[i] : NULL, coord,
                               SN_JOINT_SLIDE, origin, axes[i], NULL));
  }
  return SN_OK;
}

// ------------------------------------------------------------------ particles

sn_status composite_particle(mjcf_reader *r, mjcf_composite *c) {
  c->geom.type = SN_GEOM_SPHERE;
  int32_t p[3], id;
  for (p[0] = 0; p[0] < c->count[0]; p[0]++) {
    for (p[1] = 0; p[1] < c->count[1]; p[1]++) {
      for (p[2] = 0; p[2] < c->count[2]; p[2]++) {
        SN_TRY(add_point(r, c, NULL, p, 3, NULL, 1, &id));
        SN_TRY(composite_add_geom(r, c, id, NULL, NULL));
      }
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ grids

static sn_status add_points(mjcf_reader *r, const mjcf_composite *c) {
  static const char *const words[3] = { "J0_", "J1_", "J2_" };
  int32_t p[2], id;
  for (p[0] = 0; p[0] < c->count[0]; p[0]++) {
    for (p[1] = 0; p[1] < c->count[1]; p[1]++) {
      const char *name = composite_name(r, c, "B", 2, p);
      if (!name) {
        return SN_ENOMEM;
      }
      SN_TRY(add_point(r, c, name, p, 2, words, !is_pinned(c, p), &id));
      SN_TRY(composite_add_geom(r, c, id, p, NULL));
      SN_TRY(composite_add_site(r, c, id, p));
    }
  }
  return SN_OK;
}

// tendons from all points to those `dx` and `dy` away
static sn_status add_strings(mjcf_reader *r, const mjcf_composite *c, int32_t kind,
                             const char *word, int32_t dx, int32_t dy) {
  int32_t p[2];
  for (p[0] = 0; p[0] + dx < c->count[0]; p[0]++) {
    for (p[1] = 0; p[1] + dy < c->count[1]; p[1]++) {
      const int32_t to[2] = { p[0] + dx, p[1] + dy };
      const char *name = composite_name(r, c, word, 2, p);
      if (!name) {
        return SN_ENOMEM;
      }
      SN_TRY(composite_add_string(r, c, kind, name, p, to));
    }
  }
  return SN_OK;
}

sn_status composite_grid(mjcf_reader *r, mjcf_composite *c) {
  c->geom.type = SN_GEOM_SPHERE;
  SN_TRY(add_points(r, c));
  SN_TRY(add_strings(r, c, COMPOSITE_MAIN, "T0_", 1, 0));
  SN_TRY(add_strings(r, c, COMPOSITE_MAIN, "T1_", 0, 1));
  if (c->tendon[COMPOSITE_SHEAR].given) {
    SN_TRY(add_strings(r, c, COMPOSITE_SHEAR, "TS", 1, 1));
  }
  return c->skin.given ? composite_net_skin(r, c) : SN_OK;
}
