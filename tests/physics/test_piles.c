// SPDX-License-Identifier: Apache-2.0
//
// Piles in motion with the default settings, held against the laws of the soft contact model, each
// written here from its definition, in every step:
//
//   dynamics          M a = Q + J' f, and J' f moves a pile only where it touches the floor
//   complementarity   with w = J a - aref + R f: a force in the friction cone, w in its dual cone,
//                     and f w = 0
//   energy            contacts take it, and return only what their springs hold
//
// Models: models/physics and bench_physics/scenes.c.

#include <math.h>

#include "bench_physics/scenes.h"
#include "data/data.h"
#include "default_engine.h"
#include "model_file.h"
#include "sinew/math.h"
#include "sinew/sinew.h"
#include "suite.h"

static const char *boxes(void) {
  return model_file("physics/pile");
}

static const char *heap(void) {
  return heap_scene(20, 1);
}

static const char *scaled_heap(void) {
  return heap_scene(20, 1000);
}

static const char *balls(void) {
  return balls_scene(0.8);
}

static const struct {
  const char *(*text)(void);
  int steps;
} piles[] = { { boxes, 1000 }, { heap, 500 }, { scaled_heap, 500 }, { balls, 250 } };
enum { PILES = sizeof piles / sizeof *piles };

static sn_model *pile_model(int index) {
  sn_model *m = model_of(piles[index].text());
  OK(sn_model_parse_option(m, "energy", "enable", error));
  ck_assert_int_eq(m->opt.cone, SN_CONE_ELLIPTIC);
  return m;
}

// ------------------------------------------------------------------ complementarity

// w = J a - aref + R f of a row.
static double rate(const sn_data *d, int64_t row) {
  double sum = d->efc_R[row] * d->efc_force[row] - d->efc_aref[row];
  for (int32_t k = 0; k < d->efc_J_rownnz[row]; k++) {
    const int32_t at = d->efc_J_rowadr[row] + k;
    sum += d->efc_J[at] * d->qacc[d->efc_J_colind[at]];
  }
  return sum;
}

// How far a force f and w of a contact are from the law, relative to their sizes.
static double contact_error(const sn_data *d, const sn_cone *c) {
  const double *f = d->efc_force + c->row, w0 = rate(d, c->row);
  double gg = 0, ww = 0, power = f[0] * w0;
  for (int32_t i = 1; i < c->dim; i++) {
    const double w = rate(d, c->row + i);
    gg += f[i] * f[i] / (c->friction[i - 1] * c->friction[i - 1]);
    ww += w * w * c->friction[i - 1] * c->friction[i - 1];
    power += f[i] * w;
  }
  const double outside = sqrt(gg) - f[0], below = sqrt(ww) - w0;
  const double force = f[0] + sqrt(gg), speed = fabs(w0) + sqrt(ww) + fabs(d->efc_aref[c->row]);
  return fmax(fmax(outside / fmax(force, 1e-9), below / speed),
              fabs(power) / fmax(force * speed, 1e-9));
}

START_TEST(contacts_are_complementary) {
  sn_model *m = pile_model(_i);
  sn_data *d = data_of(m);
  int64_t slipping = 0, sticking = 0, open = 0;
  for (int i = 0; i < piles[_i].steps; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    ck_assert_int_eq(d->nunconverged, 0);
    for (int64_t k = 0; k < d->ncone; k++) {
      const double wrong = contact_error(d, &d->cone[k]);
      ck_assert_msg(wrong < 1e-9, "step %d, contact %d: off by %g", i, (int)k, wrong);
      const int32_t state = d->efc_state[d->cone[k].row];
      slipping += state == SN_ROWSTATE_CONE;
      sticking += state == SN_ROWSTATE_QUADRATIC;
      open += state == SN_ROWSTATE_SATISFIED;
    }
  }
  ck_assert_int_gt(slipping, 0);
  ck_assert_int_gt(sticking, 0);
  ck_assert_int_gt(open, 0);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ momentum

// The change of momentum of all bodies in a step is that of gravity and of the contacts with what
// does not move, but for what the tolerance of the solver leaves; contacts between bodies cancel.
START_TEST(momentum_comes_from_gravity_and_floor) {
  sn_model *m = pile_model(_i);
  sn_data *d = data_of(m);
  const int64_t bodies = m->nbody - 1;
  for (int i = 0; i < piles[_i].steps; i++) {
    double before[3] = { 0 }, push[3] = { 0 }, weight = 0;
    for (int64_t b = 0; b < bodies; b++) {
      sn_addscale3(before, before, m->body_mass[b + 1], d->qvel + 6 * b);
      sn_addscale3(push, push, m->body_mass[b + 1], m->opt.gravity);
    }
    weight = sn_norm3(push);
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    for (int64_t k = 0; k < d->ncon; k++) {
      double force[6], world[3];
      const int32_t first = m->geom_bodyid[d->contact_geom1[k]];
      const int32_t second = m->geom_bodyid[d->contact_geom2[k]];
      OK(sn_contact_force(m, d, k, force));
      if (first == 0 || second == 0) {   // the force on the second geom; rows of the frame are axes
        sn_mul_matT_vec3(world, d->contact_frame + 9 * k, force);
        sn_addscale3(push, push, first == 0 ? 1 : -1, world);
      }
    }
    for (int64_t b = 0; b < bodies; b++) {
      sn_addscale3(before, before, -m->body_mass[b + 1], d->qvel + 6 * b);
    }
    sn_addscale3(before, before, m->opt.timestep, push);
    ck_assert_msg(sn_norm3(before) < 1e-6 * m->opt.timestep * weight,
                  "step %d: a force of %g N has no source, of a weight of %g N", i,
                  sn_norm3(before) / m->opt.timestep, weight);
  }
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ energy

// A contact is a spring with a damper, so within a bounce it takes energy and returns a part of it;
// the most that a pile has within a time longer than that can only fall.
START_TEST(piles_gain_no_energy) {
  enum { WINDOW = 50 };   // steps
  sn_model *m = pile_model(_i);
  sn_data *d = data_of(m);
  double before = HUGE_VAL, start = 0;
  for (int i = 0; i < piles[_i].steps; i += WINDOW) {
    double most = 0;
    for (int k = 0; k < WINDOW; k++) {
      ck_assert_int_eq(sn_step(m, d), SN_OK);
      most = fmax(most, d->energy[0] + d->energy[1]);
    }
    start = i ? start : most;
    ck_assert_msg(most < before + 1e-9 * start, "step %d: %g J more than before", i, most - before);
    before = most;
  }
  ck_assert_double_lt(before, 0.9 * start);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(contacts_are_complementary, 0, PILES);
  EACH(momentum_comes_from_gravity_and_floor, 0, PILES);
  EACH(piles_gain_no_energy, 0, PILES);
}
