// SPDX-License-Identifier: Apache-2.0
//
// The derivatives of every law that the engine has, of plugins too, against finite differences:
// the tests walk the registry, so that a new law is in them. A law without a derivative must not
// depend on what it would be of.

#include "model_file.h"
#include "random_state.h"
#include "suite.h"

static const double step = 1e-6;
enum { N = 7, STATES = 3 };   // actuators of a batch; most states of a law

// ------------------------------------------------------------------ batches

// Numbers that a law accepts; a law that is not listed gets `any`.
static const struct {
  const char *name;
  double prm[SN_NACTPRM];
} rows[] = {
  { "muscle", { 0.75, 1.05, 30, 200, 0.5, 1.6, 1.5, 1.3, 1.2 } },
  { NULL, { 1.3, -0.7, 0.4, 0.9, 1.1, 0.6, 0.3, 0.2, 1.7, 0.8 } },
};
static const double dynamics_row[SN_NACTPRM] = { 0.7, 1.3, 0.4, 9, 1.1, 0.6, 0.3, 0.2, 1.7, 0.8 };

typedef struct numbers {
  double prm[N * SN_NACTPRM], ctrl[N], act[N * STATES], length[N], velocity[N];
  double lengthrange[2 * N], acc0[N];
} numbers;

static const double *row_of(const char *name) {
  size_t k = 0;
  while (rows[k].name && strcmp(rows[k].name, name) != 0) {
    k++;
  }
  return rows[k].prm;
}

// Activations and controls on both sides of where muscles clamp them.
static void draw(numbers *x, const double *prm, uint32_t seed) {
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < SN_NACTPRM; k++) {
      x->prm[SN_NACTPRM * i + k] = prm[k] * (1 + 0.01 * i);
    }
    x->ctrl[i] = 1.5 * uniform(&seed);
    x->length[i] = 0.9 + 0.7 * uniform(&seed);
    x->velocity[i] = 0.8 * uniform(&seed);
    x->lengthrange[2 * i] = 0.4;
    x->lengthrange[2 * i + 1] = 0.8;
    x->acc0[i] = 2;
  }
  for (int i = 0; i < N * STATES; i++) {
    x->act[i] = 0.5 + 0.8 * uniform(&seed);
  }
}

static sn_actuators batch_of(const numbers *x, int32_t nstate) {
  return (sn_actuators){ .size = sizeof(sn_actuators),
                         .nstate = nstate,
                         .n = N,
                         .prm = x->prm,
                         .ctrl = x->ctrl,
                         .act = x->act,
                         .length = x->length,
                         .velocity = x->velocity,
                         .lengthrange = x->lengthrange,
                         .acc0 = x->acc0,
                         .h = 0.002 };
}

// ------------------------------------------------------------------ gain and bias

typedef sn_status slope_fn(const void *self, const sn_actuators *batch, double *out,
                           sn_scratch *scratch);

static void check_slope(const si_provider *law, slope_fn *derivative, int by_length,
                        sn_scratch *scratch, uint32_t seed) {
  const sn_force_ops *ops = law->ops;
  numbers x;
  double slope[N] = { 0 }, value[2][N];
  draw(&x, row_of(law->name), seed);
  sn_actuators b = batch_of(&x, 1);
  if (derivative) {
    ck_assert_int_ge(derivative(law->self, &b, slope, scratch), 0);
  }
  for (int side = 0; side < 2; side++) {
    numbers moved = x;
    for (int i = 0; i < N; i++) {
      (by_length ? moved.length : moved.velocity)[i] += side ? step : -step;
    }
    b = batch_of(&moved, 1);
    ck_assert_int_ge(ops->value(law->self, &b, value[side], scratch), 0);
  }
  for (int i = 0; i < N; i++) {
    double difference = (value[1][i] - value[0][i]) / (2 * step);
    ck_assert_msg(fabs(slope[i] - difference) <= 1e-6 * (1 + fabs(difference)),
                  "%s '%s' by %s: %.9g, differences say %.9g", law->kind, law->name,
                  by_length ? "length" : "velocity", slope[i], difference);
  }
}

// A law without a derivative by velocity does not depend on it; by length it is not known, but for
// those of muscles.
static void check_force(const si_provider *law, sn_scratch *scratch, uint32_t seed) {
  const sn_force_ops *ops = law->ops;
  check_slope(law, ops->dvelocity, 0, scratch, seed);
  ck_assert(ops->dlength || strcmp(law->name, "muscle") != 0);
  if (ops->dlength) {
    check_slope(law, ops->dlength, 1, scratch, seed);
  }
}

START_TEST(forces_have_their_slopes) {
  static const char *const kinds[] = { SN_KIND_GAIN, SN_KIND_BIAS };
  sn_model *m = model_of("<mujoco/>");
  sn_data *d = data_of(m);
  int laws = 0;
  for (int k = 0; k < 2; k++) {
    const si_provider *law;
    for (int64_t i = 0; (law = si_engine_each(engine, kinds[k], i)); i++, laws++) {
      for (uint32_t seed = 1; seed <= 30; seed++) {
        check_force(law, &d->worker->scratch.scratch, seed);
      }
    }
  }
  ck_assert_int_ge(laws, 5);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ dynamics

// One of the inputs of a rate: entry k of every actuator.
typedef struct input {
  const char *name;
  double *(*at)(numbers *x, int i, int k, int nstate);
} input;

static double *at_act(numbers *x, int i, int k, int nstate) {
  return &x->act[i * nstate + k];
}
static double *at_ctrl(numbers *x, int i, int k, int n) {
  return (void)k, (void)n, &x->ctrl[i];
}
static double *at_length(numbers *x, int i, int k, int n) {
  return (void)k, (void)n, &x->length[i];
}
static double *at_velocity(numbers *x, int i, int k, int n) {
  return (void)k, (void)n, &x->velocity[i];
}

static void check_input(const si_provider *law, const numbers *x, int nstate, const input *in,
                        int k, const double *found, int stride, sn_scratch *scratch) {
  const sn_dynamics_ops *ops = law->ops;
  double value[2][N * STATES];
  for (int side = 0; side < 2; side++) {
    numbers moved = *x;
    for (int i = 0; i < N; i++) {
      *in->at(&moved, i, k, nstate) += side ? step : -step;
    }
    sn_actuators b = batch_of(&moved, nstate);
    ck_assert_int_ge(ops->rate(law->self, &b, value[side], scratch), 0);
  }
  for (int i = 0; i < N * nstate; i++) {
    double difference = (value[1][i] - value[0][i]) / (2 * step), slope = found[i * stride + k];
    ck_assert_msg(fabs(slope - difference) <= 1e-6 * (1 + fabs(difference)),
                  "dynamics '%s' by %s: %.9g, differences say %.9g", law->name, in->name, slope,
                  difference);
  }
}

static void check_dynamics(const si_provider *law, sn_scratch *scratch, uint32_t seed) {
  static const input act = { "act", at_act };
  static const input others[] = { { "ctrl", at_ctrl },
                                  { "length", at_length },
                                  { "velocity", at_velocity } };
  const sn_dynamics_ops *ops = law->ops;
  numbers x;
  double by[4][N * STATES * STATES] = { { 0 } };
  draw(&x, dynamics_row, seed);
  int nstate = ops->states(law->self, x.prm);
  ck_assert(nstate >= 0 && nstate <= STATES);
  sn_actuators b = batch_of(&x, nstate);
  if (ops->derivative) {
    ck_assert_int_ge(ops->derivative(law->self, &b, by[3], by[0], by[1], by[2], scratch), 0);
  }
  for (int k = 0; k < nstate; k++) {
    check_input(law, &x, nstate, &act, k, by[3], nstate, scratch);
  }
  for (int k = 0; k < 3; k++) {
    check_input(law, &x, nstate, &others[k], 0, by[k], 1, scratch);
  }
}

// A rule of its own goes where the rate says, for a short while.
static void check_advance(const si_provider *law, sn_scratch *scratch) {
  const sn_dynamics_ops *ops = law->ops;
  numbers x;
  double rate[N * STATES], next[N * STATES];
  draw(&x, dynamics_row, 9);
  int nstate = ops->states(law->self, x.prm);
  sn_actuators b = batch_of(&x, nstate);
  ck_assert_int_ge(ops->rate(law->self, &b, rate, scratch), 0);
  ck_assert_int_ge(ops->advance(law->self, &b, rate, 1e-7, next, scratch), 0);
  for (int i = 0; i < N * nstate; i++) {
    CLOSE((next[i] - x.act[i]) / 1e-7, rate[i], 1e-6);
  }
}

START_TEST(rates_have_their_derivatives) {
  sn_model *m = model_of("<mujoco/>");
  sn_data *d = data_of(m);
  const si_provider *law;
  int laws = 0;
  for (int64_t i = 0; (law = si_engine_each(engine, SN_KIND_DYNAMICS, i)); i++, laws++) {
    for (uint32_t seed = 1; seed <= 30; seed++) {
      check_dynamics(law, &d->worker->scratch.scratch, seed);
    }
    if (((const sn_dynamics_ops *)law->ops)->advance) {
      check_advance(law, &d->worker->scratch.scratch);
    }
  }
  ck_assert_int_ge(laws, 4);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ passive forces

enum { NV = 11 };

static const sn_sparse *dense_pattern(void) {
  static int32_t nnz[NV], adr[NV], col[NV * NV];
  static sn_sparse pattern;
  for (int32_t i = 0; i < NV * NV; i++) {
    nnz[i / NV] = NV;
    adr[i / NV] = i / NV * NV;
    col[i] = i % NV;
  }
  pattern = (sn_sparse){ .nnz = nnz, .adr = adr, .col = col, .nrow = NV, .ncol = NV };
  return &pattern;
}

static void apply_at(const sn_model *m, sn_data *d, const si_binding *force, double *qfrc) {
  const sn_passive_ops *ops = force->provider->ops;
  memset(qfrc, 0, NV * sizeof *qfrc);
  ck_assert_int_ge(sn_forward(m, d), 0);
  ck_assert_int_ge(ops->apply(force->provider->self, force->bound, &d->view, d->force_state, qfrc,
                              &d->worker->scratch.scratch),
                   0);
}

static void check_passive(const sn_model *m, sn_data *d, const si_binding *force) {
  const sn_passive_ops *ops = force->provider->ops;
  double D[NV * NV] = { 0 }, value[2][NV];
  ck_assert_int_ge(sn_forward(m, d), 0);
  if (ops->derivative) {
    ck_assert_int_ge(ops->derivative(force->provider->self, force->bound, &d->view, d->force_state,
                                     dense_pattern(), D, &d->worker->scratch.scratch),
                     0);
  }
  for (int k = 0; k < NV; k++) {
    double at = d->qvel[k];
    for (int side = 0; side < 2; side++) {
      d->qvel[k] = at + (side ? step : -step);
      apply_at(m, d, force, value[side]);
    }
    d->qvel[k] = at;
    for (int i = 0; i < NV; i++) {
      double difference = (value[1][i] - value[0][i]) / (2 * step), slope = D[NV * i + k];
      ck_assert_msg(fabs(slope - difference) <= 1e-6 * (1 + fabs(difference)),
                    "passive '%s', %d by %d: %.9g, differences say %.9g", force->provider->name, i,
                    k, slope, difference);
    }
  }
}

START_TEST(passive_forces_have_their_derivatives) {
  sn_model *m = model_of(model_file("plugins/passive_forces"));
  sn_data *d = data_of(m);
  ck_assert_int_eq(m->nv, NV);
  const si_provider *p;
  int64_t own = 0;
  for (int64_t i = 0; (p = si_engine_each(engine, SN_KIND_PASSIVE, i)); i++) {
    own += !(((const sn_passive_ops *)p->ops)->head.flags & SN_PASSIVE_NAMED);
  }
  ck_assert_msg(m->bound.passive.n == own, "the model has nothing for one of the passive forces");
  for (int64_t k = 0; k < own; k++) {
    for (uint32_t seed = 1; seed <= 10; seed++) {
      scramble(m, d, seed);
      check_passive(m, d, &m->bound.passive.at[k]);
    }
  }
  done_with(m, d);
}
END_TEST

// A model that has nothing for a force does not pay for it: it is not called at all.
START_TEST(forces_that_have_nothing_to_do_cost_nothing) {
  sn_model *m = model_of("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body>"
                         "</worldbody></mujoco>");
  for (int64_t k = 0; k < m->bound.passive.n; k++) {
    // the medium may come later, sn_model_parse_option; the others have what they need in the model
    ck_assert_str_eq(m->bound.passive.at[k].provider->name, "fluid_inertia");
  }
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(forces_have_their_slopes);
  TEST(rates_have_their_derivatives);
  TEST(passive_forces_have_their_derivatives);
  TEST(forces_that_have_nothing_to_do_cost_nothing);
}
