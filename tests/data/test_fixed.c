// SPDX-License-Identifier: Apache-2.0
//
// What never moves is computed once (core/data/runs.c). Whatever happens between two evaluations,
// the second has the bits of one in a simulation that is in the same state and leaves nothing out.

#include <string.h>

#include "data/data.h"
#include "default_engine.h"
#include "step/pipeline.h"
#include "suite.h"

enum { STEPS = 20 };

// What is fixed before, between and behind what moves; with a mocap body; a tendon with armature
// from a fixed body; a body without a joint of its own in a tree that moves; a mocap body that
// carries a joint.
static const char scene[] =
    "<mujoco><compiler autolimits='true'/><option timestep='.004'/><worldbody>"
    "<geom name='floor' type='plane' size='5 5 .1'/>"
    "<geom name='block' type='box' size='.2 .2 .05' pos='.3 0 .05'/>"
    "<site name='mark' pos='0 1 0'/><light name='lamp' pos='0 0 3'/>"
    "<camera name='still' pos='0 -3 1'/>"
    "<camera name='chase' mode='targetbody' target='ball' pos='0 -2 1'/>"
    "<camera name='center' mode='trackcom' pos='0 -2 2'/>"
    "<body name='shelf' pos='-1 .1 .3' euler='10 20 30'><geom type='box' size='.3 .2 .02'/>"
    "  <body name='cup' pos='.1 0 .1' euler='0 5 0'><geom name='cup' type='cylinder' size='.05 .06'/>"
    "    <site name='rim' pos='0 0 .06'/><camera mode='targetbody' target='shelf'/></body></body>"
    "<body name='wrist' mocap='true' pos='-.9 .9 .6'><geom size='.08'/>"
    "  <body name='thumb' pos='0 0 -.1'><joint axis='0 1 0'/><geom size='.05' pos='.1 0 0'/></body></body>"
    "<body name='ball' pos='.3 .05 .4'><freejoint/><geom size='.1'/>"
    "  <body pos='.1 0 0'><geom size='.05'/><light dir='0 1 0'/></body></body>"
    "<body name='table' pos='1 1 .2'><geom type='box' size='.3 .3 .1'/></body>"
    "<body name='stone' pos='2 1 .2' euler='5 0 0'><geom type='ellipsoid' size='.3 .2 .1'/></body>"
    "<body name='stand' pos='0 -1 1'><geom name='foot' size='.02' pos='0 0 -.1'/>"
    "  <body><joint name='hinge' axis='0 1 0'/>"
    "  <geom type='capsule' size='.03' fromto='0 0 0 .4 0 -.1'/><site name='tip' pos='.4 0 0'/>"
    "  </body></body>"
    "<body name='hand' mocap='true' pos='.9 .9 .6'><geom size='.08'/>"
    "  <body name='finger' pos='0 0 -.1'><geom size='.05'/><site pos='0 0 .1'/></body></body>"
    "<body name='drop' pos='1 1.1 .45'><freejoint/><geom type='box' size='.05 .06 .07'/></body>"
    "<body name='wall' pos='-2 0 0'><geom type='box' size='.1 1 1'/></body>"
    "</worldbody><tendon><spatial armature='.3'><site site='rim'/><site site='tip'/></spatial>"
    "</tendon><sensor><subtreecom body='shelf'/><framepos objtype='site' objname='rim'/></sensor>"
    "<keyframe><key mpos='-1 1 1 .5 .5 .7' mquat='1 0 .3 0 1 0 0 .5'/></keyframe></mujoco>";

static void run(const sn_model *m, sn_data *d, int steps) {
  for (int i = 0; i < steps; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
}

static sn_status forward(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  return si_forward_all(m, d, w, 0);
}

// As in a step: sn_forward leaves nothing out.
static void evaluate(const sn_model *m, sn_data *d) {
  ck_assert_int_eq(si_guarded(forward, m, d, SI_EVALUATION_WRITES, NULL), SN_OK);
  ck_assert_int_eq(sn_body_forces(m, d), SN_OK);
  ck_assert_int_eq(sn_subtree_velocities(m, d), SN_OK);
  ck_assert_int_eq(sn_compute_energy(m, d), SN_OK);
}

// All arrays of an evaluation against those of a simulation in the same state that leaves nothing
// out, because it seems to be made for other fixed bodies.
static void expect_as_new(const sn_model *m, sn_data *d) {
  static double state[4096];
  sn_data *fresh = data_of(m);
  fresh->sleep.nfixed = -1;
  ck_assert_int_le(sn_state_size(m, SN_STATE_INTEGRATION), 4096);
  sn_state_get(m, d, SN_STATE_INTEGRATION, state);
  ck_assert_int_eq(sn_state_set(m, fresh, SN_STATE_INTEGRATION, state), SN_OK);
  evaluate(m, fresh);
  evaluate(m, d);
  ck_assert_int_eq(fresh->sleep.is_fixed, 0);
  ck_assert_int_eq(d->sleep.is_fixed, 1);
  sn_view x = { .size = sizeof x }, y = { .size = sizeof y };
  for (int64_t i = 0; sn_data_field_at(m, d, i, &x); i++) {
    ck_assert_int_eq(sn_data_field_at(m, fresh, i, &y), 1);
    ck_assert_msg(x.rows == y.rows, "%s has %lld rows, not %lld", x.name, (long long)x.rows,
                  (long long)y.rows);
    const int64_t bytes = x.rows * x.cols * (x.type == SN_REAL ? 8 : x.type == SN_INT ? 4 : 1);
    ck_assert_msg(bytes == 0 || memcmp(x.p, y.p, (size_t)bytes) == 0, "%s differs", x.name);
  }
  sn_data_free(fresh);
}

static int32_t find(const sn_model *m, const char *kind, const char *name) {
  const int32_t id = sn_find(m, kind, name);
  ck_assert_int_ge(id, 0);
  return id;
}

// A simulation in which everything that never moves was computed and left out since.
static sn_data *settled(const sn_model *m) {
  sn_data *d = data_of(m);
  run(m, d, STEPS);
  ck_assert_int_eq(d->sleep.is_fixed, 1);
  ck_assert_int_gt(d->sleep.nfixed, 0);
  return d;
}

static void refresh(sn_model *m) {
  ck_assert_msg(sn_model_refresh(m, error) >= 0, "%s", sn_error_text(error));
}

// ------------------------------------------------------------------ what is left out

START_TEST(what_never_moves_is_not_in_the_runs) {
  sn_model *m = model_of(scene);
  sn_data *d = settled(m);
  const int32_t left_out[] = { find(m, "body", "shelf"), find(m, "body", "cup"),
                               find(m, "body", "table"), find(m, "body", "stone"),
                               find(m, "body", "wall") };
  const int32_t computed[] = { find(m, "body", "ball"), find(m, "body", "stand"),
                               find(m, "body", "hand"), find(m, "body", "finger"),
                               find(m, "body", "drop") };
  int bodies = 1, found = 0;
  for (int32_t k = 0; k < d->sleep.nrun; k++) {
    const si_run *r = &d->sleep.run[k];
    bodies += r->end.body - r->begin.body;
    for (int i = 0; i < 5; i++) {
      ck_assert(left_out[i] < r->begin.body || left_out[i] >= r->end.body);
      found += computed[i] >= r->begin.body && computed[i] < r->end.body;
    }
  }
  ck_assert_int_eq(found, 5);
  ck_assert_int_eq(bodies + 5, m->nbody);
  expect_as_new(m, d);
  done_with(m, d);
}
END_TEST

START_TEST(every_step_is_as_of_a_new_simulation) {
  sn_model *m = model_of(scene);
  m->opt.enableflags |= _i == 1 ? SN_ENABLE_SLEEP : 0;
  m->opt.threads = _i == 2 ? 3 : 1;
  sn_data *d = settled(m);
  for (int i = 0; i < 150; i++) {
    run(m, d, 1);
    if (_i != 1) {   // a sum of what sleeps has another order
      expect_as_new(m, d);
    }
  }
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ edits of the model

// Fields with poses of what never moves, and an element.
static const struct {
  const char *field, *kind, *name;
} edits[] = {
  { "geom_pos", "geom", "block" },  { "geom_pos", "geom", "cup" },
  { "body_pos", "body", "shelf" },  { "body_pos", "body", "cup" },
  { "body_pos", "body", "wall" },   { "body_ipos", "body", "table" },
  { "body_mass", "body", "stone" }, { "body_inertia", "body", "cup" },
  { "body_pos", "body", "stand" },  { "geom_pos", "geom", "foot" },
  { "site_pos", "site", "mark" },   { "site_pos", "site", "rim" },
  { "cam_pos", "camera", "still" }, { "light_pos", "light", "lamp" },
};
enum { NEDITS = sizeof edits / sizeof edits[0] };

static double *number(sn_model *m, int i) {
  sn_view view = { .size = sizeof view };
  ck_assert_int_eq(sn_model_field(m, edits[i].field, &view), SN_OK);
  return (double *)view.p + find(m, edits[i].kind, edits[i].name) * view.cols;
}

// An edit takes effect when the model is refreshed, also in a copy that was made before.
START_TEST(edits_count_from_the_refresh_on) {
  sn_model *m = model_of(scene);
  sn_data *d = settled(m), *copy = data_of(m), *untouched = settled(m);
  ck_assert_int_eq(sn_data_copy(m, copy, d), SN_OK);
  *number(m, _i) += 0.03125;
  refresh(m);
  expect_as_new(m, d);
  expect_as_new(m, copy);
  // one that has seen the edit becomes a copy of one that has not
  ck_assert_int_eq(sn_data_copy(m, copy, untouched), SN_OK);
  expect_as_new(m, copy);
  run(m, untouched, 1);
  expect_as_new(m, untouched);
  sn_data_free(copy);
  sn_data_free(untouched);
  done_with(m, d);
}
END_TEST

// What a program calls after an edit looks at the poses anew, and later steps keep what it found.
START_TEST(edits_count_in_a_forward_evaluation) {
  sn_model *m = model_of(scene);
  sn_data *d = settled(m);
  const int32_t mark = find(m, "site", "mark");
  m->site_pos[3 * mark] = 0.75;
  run(m, d, 1);
  ck_assert_double_eq(d->site_xpos[3 * mark], 0);
  ck_assert_int_eq(sn_forward(m, d), SN_OK);
  ck_assert_double_eq(d->site_xpos[3 * mark], 0.75);
  m->site_pos[3 * mark] = 0.5;
  ck_assert_int_eq(sn_forward_position(m, d), SN_OK);
  ck_assert_double_eq(d->site_xpos[3 * mark], 0.5);
  run(m, d, STEPS);
  ck_assert_double_eq(d->site_xpos[3 * mark], 0.5);
  expect_as_new(m, d);
  done_with(m, d);
}
END_TEST

// The margin of a fixed geom is read in each step, also by the broad phase, which looks at few of
// many geoms.
START_TEST(margins_count_at_once) {
  static char text[8192];
  int n = snprintf(text, sizeof text, "<mujoco><worldbody>");
  for (int i = 0; i < 43; i++) {
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "<geom type='box' size='.1 .1 .1' pos='%d 0 0'/>", i);
  }
  snprintf(text + n, sizeof text - (size_t)n,
           "<body pos='0 0 .5'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  for (int i = 0; i < 43; i++) {
    d->qpos[0] = i;
    evaluate(m, d);
    ck_assert_int_eq(d->ncon, 0);
    m->geom_margin[i] = 0.5;
    evaluate(m, d);
    ck_assert_int_eq(d->ncon, 1);
    ck_assert_int_eq(d->contact_geom1[0] + d->contact_geom2[0], i + 43);
    m->geom_margin[i] = 0;
  }
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ edits of the simulation

START_TEST(mocap_bodies_move_what_hangs_from_them) {
  sn_model *m = model_of(scene);
  sn_data *d = settled(m);
  const int32_t carried[] = { find(m, "body", "thumb"), find(m, "body", "finger") };
  for (int i = 0; i < 10; i++) {
    for (int k = 0; k < 2; k++) {
      const double before = d->xpos[3 * carried[k]];
      d->mocap_pos[3 * k] -= 0.01;
      d->mocap_quat[4 * k + 3] += 0.1;
      expect_as_new(m, d);
      ck_assert_double_lt(d->xpos[3 * carried[k]], before);
    }
    run(m, d, 1);
  }
  done_with(m, d);
}
END_TEST

START_TEST(resets_and_copies) {
  sn_model *m = model_of(scene);
  sn_data *d = settled(m), *other = data_of(m);
  ck_assert_int_eq(sn_reset(m, d), SN_OK);
  expect_as_new(m, d);
  ck_assert_int_eq(sn_reset_key(m, d, 0), SN_OK);
  expect_as_new(m, d);
  d->qvel[0] = 1e30;   // the next step resets
  ck_assert_int_eq(sn_step(m, d), SN_EDIVERGED);
  expect_as_new(m, d);
  // one in which nothing was computed over one that is settled
  ck_assert_int_eq(sn_data_copy(m, d, other), SN_OK);
  expect_as_new(m, d);
  run(m, d, STEPS);
  ck_assert_int_eq(sn_data_copy(m, other, d), SN_OK);
  expect_as_new(m, other);
  sn_data_free(other);
  done_with(m, d);
}
END_TEST

// A simulation belongs to one model: a step with another one is an error, and changes nothing.
START_TEST(another_model_is_rejected) {
  sn_model *m = model_of(scene), *other = model_of(scene);
  sn_data *d = settled(m);
  ck_assert_int_eq(sn_step(other, d), SN_EINVAL);
  expect_as_new(m, d);
  sn_data_free(d);
  sn_model_free(other);
  sn_model_free(m);
}
END_TEST

// Forces applied to a fixed body have no effect, and those on other bodies behind it have.
START_TEST(applied_forces) {
  sn_model *m = model_of(scene);
  sn_data *d = settled(m);
  for (int64_t i = 6; i < 6 * m->nbody; i++) {
    d->xfrc_applied[i] = 0.1 * (double)(i % 7);
  }
  run(m, d, 3);
  expect_as_new(m, d);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(what_never_moves_is_not_in_the_runs);
  EACH(every_step_is_as_of_a_new_simulation, 0, 3);
  EACH(edits_count_from_the_refresh_on, 0, NEDITS);
  TEST(edits_count_in_a_forward_evaluation);
  TEST(margins_count_at_once);
  TEST(mocap_bodies_move_what_hangs_from_them);
  TEST(resets_and_copies);
  TEST(another_model_is_rejected);
  TEST(applied_forces);
}
