// SPDX-License-Identifier: Apache-2.0
//
// The state by mask: sizes, parts, hash; a saved integration state continues bit for bit with every
// integrator and solver, and so does a copy of the data.

#include "model_file.h"
#include "random_state.h"
#include "suite.h"

#define SCENE model_file("model/state")

static const uint32_t bits[] = {
  SN_STATE_TIME,       SN_STATE_QPOS,      SN_STATE_QVEL,         SN_STATE_ACT,
  SN_STATE_WARMSTART,  SN_STATE_CTRL,      SN_STATE_QFRC_APPLIED, SN_STATE_XFRC_APPLIED,
  SN_STATE_EQ_ENABLED, SN_STATE_MOCAP_POS, SN_STATE_MOCAP_QUAT,   SN_STATE_USERDATA,
  SN_STATE_PLUGIN,
};
enum { NBITS = sizeof bits / sizeof bits[0] };

static void fill(const sn_model *m, sn_data *d) {
  scramble(m, d, 5);
  uint32_t seed = 11;
  for (int64_t i = 0; i < m->nv; i++) {
    d->qfrc_applied[i] = 0.1 * uniform(&seed);
  }
  for (int64_t i = 6; i < 6 * m->nbody; i++) {
    d->xfrc_applied[i] = 0.1 * uniform(&seed);
  }
  d->eq_enabled[1] = 1;
  d->mocap_pos[2] += 0.05;
  d->userdata[1] = 7;
  for (int i = 0; i < 20; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
}

START_TEST(sizes_add_up) {
  sn_model *m = model_of(SCENE);
  const int64_t want[NBITS] = { 1,     m->nq,        m->nv,  m->na,         m->nv,         m->nu,
                                m->nv, 6 * m->nbody, m->neq, 3 * m->nmocap, 4 * m->nmocap, 3,
                                0 };
  int64_t sum = 0;
  for (int i = 0; i < NBITS; i++) {
    ck_assert_int_eq(sn_state_size(m, bits[i]), want[i]);
    sum += want[i];
  }
  ck_assert_int_eq(sn_state_size(m, SN_STATE_INTEGRATION), sum);
  ck_assert_int_eq(sn_state_size(m, 0), 0);
  ck_assert_int_eq(sn_state_size(m, SN_STATE_FULLPHYSICS), 1 + m->nq + m->nv + m->na);
  ck_assert_int_eq(sn_state_size(m, SN_STATE_FULLPHYSICS | SN_STATE_USER | SN_STATE_WARMSTART),
                   sum);
  sn_model_free(m);
}
END_TEST

// A part that is set is what was got, everything else stays, and only its own hash changes.
START_TEST(parts_are_independent) {
  sn_model *m = model_of(SCENE);
  sn_data *d = data_of(m);
  fill(m, d);
  double before[512], part[512], after[512];
  int64_t n = sn_state_size(m, SN_STATE_INTEGRATION), np = sn_state_size(m, bits[_i]);
  ck_assert_int_le(n, 512);
  sn_state_get(m, d, SN_STATE_INTEGRATION, before);
  int64_t at = 0;
  for (int i = 0; i < _i; i++) {
    at += sn_state_size(m, bits[i]);
  }
  sn_state_get(m, d, bits[_i], part);
  ck_assert_mem_eq(part, before + at, (size_t)np * sizeof(double));

  for (int64_t k = 0; k < np; k++) {
    uint64_t own = sn_state_hash(m, d, bits[_i]);
    uint64_t others = sn_state_hash(m, d, SN_STATE_INTEGRATION & ~bits[_i]);
    double old = part[k];
    part[k] = bits[_i] == SN_STATE_EQ_ENABLED ? 1 - old : old + 1;
    sn_state_set(m, d, bits[_i], part);
    ck_assert_uint_ne(sn_state_hash(m, d, bits[_i]), own);
    ck_assert_uint_eq(sn_state_hash(m, d, SN_STATE_INTEGRATION & ~bits[_i]), others);
    sn_state_get(m, d, SN_STATE_INTEGRATION, after);
    for (int64_t j = 0; j < n; j++) {
      ck_assert_double_eq(after[j], j == at + k ? part[k] : before[j]);
    }
    part[k] = old;
    sn_state_set(m, d, bits[_i], part);
    ck_assert_uint_eq(sn_state_hash(m, d, bits[_i]), own);
  }
  done_with(m, d);
}
END_TEST

static const char *const integrators[] = { "euler", "implicit", "implicitfast", "rk4" };
static const char *const solvers[] = { "newton", "cg", "pgs" };
enum { NCOMBINATION = 4 * 3 * 2 };

static sn_model *combination(int i) {
  sn_model *m = model_of(SCENE);
  set_option(m, "integrator", integrators[i % 4]);
  set_option(m, "solver", solvers[i / 4 % 3]);
  set_option(m, "cone", i / 12 ? "elliptic" : "pyramidal");
  return m;
}

static void step_both(const sn_model *m, sn_data *a, sn_data *b, const char *what) {
  for (int i = 0; i < 100; i++) {
    ck_assert_int_eq(sn_step(m, a), SN_OK);
    ck_assert_int_eq(sn_step(m, b), SN_OK);
    ck_assert_msg(sn_state_hash(m, a, SN_STATE_INTEGRATION) ==
                      sn_state_hash(m, b, SN_STATE_INTEGRATION),
                  "%s goes elsewhere in step %d", what, i);
  }
  ck_assert_int_gt(a->nefc, 0);
}

// What a failed step restores is the whole state: whichever part was written meanwhile has its
// numbers again.
START_TEST(copy_within_a_call_is_whole) {
  sn_model *m = model_of(SCENE);
  sn_data *d = data_of(m);
  fill(m, d);
  const uint32_t all = SN_STATE_INTEGRATION;
  const uint64_t hash = sn_state_hash(m, d, all);
  double *copy = calloc((size_t)si_state_copy_size(m, d), sizeof *copy);
  si_state_copy(m, d, all, copy);
  for (int i = 0; i < NBITS; i++) {
    const int64_t n = sn_state_size(m, bits[i]);
    double *part = calloc((size_t)n + 1, sizeof *part);
    sn_state_get(m, d, bits[i], part);
    for (int64_t k = 0; k < n; k++) {
      part[k] = bits[i] == SN_STATE_EQ_ENABLED ? part[k] == 0 : part[k] + 0.125;
    }
    ck_assert_int_eq(sn_state_set(m, d, bits[i], part), SN_OK);
    ck_assert(n == 0 || sn_state_hash(m, d, all) != hash);
    si_state_restore(m, d, all, copy);
    ck_assert_uint_eq(sn_state_hash(m, d, all), hash);
    free(part);
  }
  free(copy);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

START_TEST(saved_state_continues) {
  sn_model *m = combination(_i);
  sn_data *d = data_of(m), *other = data_of(m);
  double state[512];
  fill(m, d);
  sn_state_get(m, d, SN_STATE_INTEGRATION, state);
  // the other has been elsewhere
  scramble(m, other, 9);
  for (int i = 0; i < 7; i++) {
    ck_assert_int_eq(sn_step(m, other), SN_OK);
  }
  sn_state_set(m, other, SN_STATE_INTEGRATION, state);
  step_both(m, d, other, "the state");
  sn_data_free(other);
  done_with(m, d);
}
END_TEST

START_TEST(copy_continues) {
  sn_model *m = combination(_i);
  sn_data *d = data_of(m), *other = data_of(m);
  fill(m, d);
  scramble(m, other, 9);
  ck_assert_int_eq(sn_step(m, other), SN_OK);
  ck_assert_int_eq(sn_data_copy(m, other, d), SN_OK);
  ck_assert_int_eq(other->nefc, d->nefc);
  ck_assert_mem_eq(other->efc_force, d->efc_force, (size_t)d->nefc * sizeof(double));
  // what was computed is copied, not shared
  ck_assert(d->nefc > 0 && other->efc_J != d->efc_J && other->qpos != d->qpos);
  step_both(m, d, other, "the copy");
  // and back, over what the target had
  ck_assert_int_eq(sn_data_copy(m, d, other), SN_OK);
  step_both(m, d, other, "the copy of the copy");
  sn_data_free(other);
  done_with(m, d);
}
END_TEST

START_TEST(copies_stay_within_a_model) {
  sn_model *m = model_of(SCENE), *n = model_of(SCENE);
  sn_data *d = data_of(m), *e = data_of(n);
  ck_assert_int_eq(sn_data_copy(m, d, e), SN_EINVAL);
  ck_assert_int_eq(sn_data_copy(m, d, d), SN_OK);
  sn_data_free(e);
  sn_model_free(n);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(sizes_add_up);
  EACH(parts_are_independent, 0, NBITS);
  TEST(copy_within_a_call_is_whole);
  EACH(saved_state_continues, 0, NCOMBINATION);
  EACH(copy_continues, 0, NCOMBINATION);
  TEST(copies_stay_within_a_model);
}
