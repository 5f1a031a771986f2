// SPDX-License-Identifier: Apache-2.0
//
// What the stepper offers to integrators: methods written with it against solutions with small
// steps. A method of Munthe-Kaas keeps order 4 on a ball joint, a two-step method keeps its past in
// the state of the simulation.

#include "dynamics/dynamics.h"
#include "random_state.h"
#include "sinew/math.h"
#include "suite.h"

// ------------------------------------------------------------------ Munthe-Kaas, order 4

enum { MOST = 16 };

// u' = dexpinv(u, v), v' = a, from u = 0; the position is q0 advanced by u.
static sn_status mk4_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  static const double node[4] = { 0, 0.5, 0.5, 1 }, weight[4] = { 1, 2, 2, 1 };
  double q0[MOST], v0[MOST], u[MOST] = { 0 }, ku[MOST], kv[MOST], du[MOST] = { 0 },
                             dv[MOST] = { 0 };
  const double t0 = *s->time;
  (void)self, (void)scratch;
  memcpy(q0, s->qpos, (size_t)s->nq * sizeof *q0);
  memcpy(v0, s->qvel, (size_t)s->nv * sizeof *v0);
  for (int stage = 0; stage < 4; stage++) {
    if (stage > 0) {
      memcpy(s->qpos, q0, (size_t)s->nq * sizeof *q0);
      for (int64_t i = 0; i < s->nv; i++) {
        u[i] = node[stage] * s->h * ku[i];
        s->qvel[i] = v0[i] + node[stage] * s->h * kv[i];
      }
      s->advance_position(s, u, 1);
      *s->time = t0 + node[stage] * s->h;
      SN_TRY(s->evaluate(s));
    }
    s->dexpinv(s, u, s->qvel, ku);
    memcpy(kv, s->qacc, (size_t)s->nv * sizeof *kv);
    for (int64_t i = 0; i < s->nv; i++) {
      du[i] += s->h / 6 * weight[stage] * ku[i];
      dv[i] += s->h / 6 * weight[stage] * kv[i];
    }
  }
  memcpy(s->qpos, q0, (size_t)s->nq * sizeof *q0);
  s->advance_position(s, du, 1);
  for (int64_t i = 0; i < s->nv; i++) {
    s->qvel[i] = v0[i] + dv[i];
  }
  *s->time = t0 + s->h;
  return SN_OK;
}

static const sn_integrator_ops mk4_ops = {
  .head = { .size = sizeof(sn_integrator_ops) }, .order = 4, .evaluations = 4, .step = mk4_step
};

// ------------------------------------------------------------------ Adams-Bashforth, order 2

// state: whether there is a past step, its velocity and acceleration
static int64_t ab2_states(const void *self, const sn_model_view *model) {
  (void)self;
  return 1 + 2 * snm_nv(model->model);
}

static sn_status ab2_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  double *past = s->state, rate[MOST];
  (void)self, (void)scratch;
  ck_assert_int_eq(s->nstate, 1 + 2 * s->nv);
  const double now = past[0] != 0 ? 1.5 : 1, before = past[0] != 0 ? -0.5 : 0;
  for (int64_t i = 0; i < s->nv; i++) {
    const double v = s->qvel[i], a = s->qacc[i];
    rate[i] = now * v + before * past[1 + i];
    s->qvel[i] += s->h * (now * a + before * past[1 + s->nv + i]);
    past[1 + i] = v;
    past[1 + s->nv + i] = a;
  }
  past[0] = 1;
  s->advance_position(s, rate, s->h);
  *s->time += s->h;
  return SN_OK;
}

static const sn_integrator_ops ab2_ops = { .head = { .size = sizeof(sn_integrator_ops) },
                                           .order = 2,
                                           .rotation_order = 1,
                                           .evaluations = 1,
                                           .step = ab2_step,
                                           .states = ab2_states };

static int64_t absurd;
static int64_t absurd_states(const void *self, const sn_model_view *model) {
  (void)self, (void)model;
  return absurd;
}

static const sn_integrator_ops absurd_ops = { .head = { .size = sizeof(sn_integrator_ops) },
                                              .step = ab2_step,
                                              .states = absurd_states };

static void open_with_methods(void) {
  open_engine();
  OK(sn_engine_add(engine, SN_KIND_INTEGRATOR, "mk4", &mk4_ops, error));
  OK(sn_engine_add(engine, SN_KIND_INTEGRATOR, "ab2", &ab2_ops, error));
  OK(sn_engine_add(engine, SN_KIND_INTEGRATOR, "absurd", &absurd_ops, error));
}

// ------------------------------------------------------------------ orders

#define TOP                                                                             \
  "<mujoco><worldbody><body><joint type='ball'/><inertial pos='.1 .05 .2' mass='1' "    \
  "diaginertia='.02 .03 .045'/></body></worldbody></mujoco>"
#define PENDULUMS                                                                              \
  "<mujoco><worldbody><body><joint axis='0 1 0'/><inertial pos='0 0 -.3' mass='1' "            \
  "diaginertia='.02 .02 .02'/><body pos='0 0 -.5'><joint axis='0 1 0'/><inertial pos='0 0 "    \
  "-.2' mass='.5' diaginertia='.01 .01 .01'/></body></body></worldbody></mujoco>"

// The state after a quarter of a second in n steps: positions relative to those after a reset, and
// velocities.
static void run(sn_model *m, const char *integrator, int n, double *out) {
  char h[32];
  snprintf(h, sizeof h, "%.17g", 0.25 / n);
  set_option(m, "integrator", integrator);
  set_option(m, "timestep", h);
  sn_data *d = data_of(m);
  for (int64_t i = 0; i < m->nv; i++) {
    d->qvel[i] = 3 - 2 * (double)i;
  }
  for (int k = 0; k < n; k++) {
    ck_assert_msg(sn_step(m, d) >= 0, "%s", sn_error_text(sn_data_error(d)));
  }
  sn_differentiate_position(m, out, 1, m->qpos0, d->qpos);
  memcpy(out + m->nv, d->qvel, (size_t)m->nv * sizeof *out);
  sn_data_free(d);
}

static double order_of(const char *xml, const char *integrator, int n) {
  sn_model *m = model_of(xml);
  double truth[2 * MOST], x[2][2 * MOST], error_of[2] = { 0, 0 };
  run(m, "mk4", 4000, truth);
  run(m, integrator, n, x[0]);
  run(m, integrator, 2 * n, x[1]);
  for (int k = 0; k < 2; k++) {
    for (int64_t i = 0; i < 2 * m->nv; i++) {
      error_of[k] = fmax(error_of[k], fabs(x[k][i] - truth[i]));
    }
  }
  sn_model_free(m);
  return log2(error_of[0] / error_of[1]);
}

START_TEST(munthe_kaas_keeps_its_order_on_a_ball) {
  const double ball = order_of(TOP, "mk4", 20), hinges = order_of(PENDULUMS, "mk4", 20);
  ck_assert_msg(fabs(ball - 4) < 0.35 && fabs(hinges - 4) < 0.35, "%g %g", ball, hinges);
}
END_TEST

// What an integrator declares for joints with a changing axis of rotation is what it does.
START_TEST(declared_orders_on_a_ball_are_measured) {
  static const char *const names[] = { "euler", "implicit", "implicitfast",
                                       "rk4",   "momentum", "backward_euler" };
  const si_provider *p = si_engine_find(engine, SN_KIND_INTEGRATOR, names[_i], error);
  const sn_integrator_ops *ops = p->ops;
  const double declared = ops->rotation_order ? ops->rotation_order : ops->order;
  const double ball = order_of(TOP, names[_i], 100), hinges = order_of(PENDULUMS, names[_i], 50);
  ck_assert_msg(fabs(ball - declared) < 0.35, "%s: declared %g, measured %g", names[_i], declared,
                ball);
  ck_assert_msg(fabs(hinges - ops->order) < 0.5, "%s: declared %d, measured %g", names[_i],
                ops->order, hinges);
}
END_TEST

START_TEST(two_step_method_keeps_its_past) {
  const double order = order_of(PENDULUMS, "ab2", 200);
  ck_assert_msg(fabs(order - 2) < 0.3, "%g", order);

  // saved and restored: the same bits; without the past it starts again with a step of order 1
  sn_model *m = model_of(PENDULUMS);
  set_option(m, "integrator", "ab2");
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_state_size(m, SN_STATE_PLUGIN), 5);
  double saved[64], end[64];
  ck_assert_int_le(sn_state_size(m, SN_STATE_INTEGRATION), 64);
  d->qvel[0] = 2;
  for (int k = 0; k < 20; k++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  sn_state_get(m, d, SN_STATE_INTEGRATION, saved);
  for (int k = 0; k < 20; k++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  sn_state_get(m, d, SN_STATE_INTEGRATION, end);
  const uint64_t hash = sn_state_hash(m, d, SN_STATE_INTEGRATION);
  sn_reset(m, d);
  CLOSE(d->integrator_state[0], 0, 0);
  sn_state_set(m, d, SN_STATE_INTEGRATION, saved);
  for (int k = 0; k < 20; k++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  ck_assert(sn_state_hash(m, d, SN_STATE_INTEGRATION) == hash);

  // data of before a change of the integrator is rejected, new data is not
  set_option(m, "integrator", "euler");
  ck_assert_int_eq(sn_step(m, d), SN_EINVAL);
  ck_assert_msg(strstr(sn_error_text(sn_data_error(d)), "integrator"), "%s",
                sn_error_text(sn_data_error(d)));
  ck_assert_int_eq(sn_state_size(m, SN_STATE_PLUGIN), 0);
  sn_data *fresh = data_of(m);
  ck_assert_int_ge(sn_step(m, fresh), 0);
  ck_assert_int_eq(sn_data_copy(m, fresh, d), SN_EINVAL);
  sn_data_free(fresh);
  done_with(m, d);
}
END_TEST

START_TEST(absurd_integrator_state_is_rejected) {
  static const int64_t sizes[] = { INT32_MAX, -1 };
  absurd = sizes[_i];
  sn_model *m = model_of(PENDULUMS);
  ck_assert_int_eq(sn_model_parse_option(m, "integrator", "absurd", error), SN_EPLUGIN);
  ck_assert_msg(strstr(sn_error_text(error), "'absurd'"), "%s", sn_error_text(error));
  sn_model_free(m);
}
END_TEST

// Transport against differences: q0 advanced by u + e du/dt is, to first order, q advanced by e v.
START_TEST(transport_is_the_rate_of_displacements) {
  sn_model *m = model_of("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body><body>"
                         "<joint type='ball'/><geom size='.1'/><body><joint/><geom size='.1'/>"
                         "</body></body></worldbody></mujoco>");
  uint32_t seed = 5;
  for (int k = 0; k < 40; k++) {
    double u[MOST], v[MOST], rate[MOST], back[MOST], q0[MOST], a[MOST], b[MOST];
    const double scale = k < 10 ? 0.01 : k < 20 ? 0.1 : 1.5, e = 1e-6;
    sn_data *d = data_of(m);
    for (int64_t i = 0; i < m->nv; i++) {
      u[i] = scale * uniform(&seed);
      v[i] = uniform(&seed);
    }
    memcpy(q0, m->qpos0, (size_t)m->nq * sizeof *q0);
    si_transport(m, u, v, rate);
    for (int side = 0; side < 2; side++) {
      // from q0 by u +- e rate, and from there back along v
      const double s = side ? e : -e;
      memcpy(side ? b : a, q0, (size_t)m->nq * sizeof *q0);
      for (int64_t i = 0; i < m->nv; i++) {
        back[i] = u[i] + s * rate[i];
      }
      sn_integrate_position(m, side ? b : a, back, 1);
    }
    sn_differentiate_position(m, back, 2 * e, a, b);
    for (int64_t i = 0; i < m->nv; i++) {
      CLOSE(back[i], v[i], 1e-8);
    }
    sn_data_free(d);
  }
  sn_model_free(m);
}
END_TEST

// At half a turn, where sine and 1 + cosine vanish, the coefficient is 1 / pi^2; at a whole one
// there is no inverse.
START_TEST(transport_near_half_and_whole_turns) {
  sn_model *m = model_of("<mujoco><worldbody><body><joint type='ball'/><geom size='.1'/></body>"
                         "</worldbody></mujoco>");
  for (int k = -8; k <= 8; k++) {
    const double half[3] = { 0, 0, SN_PI + k * 4.44e-16 }, whole[3] = { 0, 0, 2 * SN_PI + 1e-3 };
    const double v[3] = { 1, 0, 2 };
    double out[3];
    si_transport(m, half, v, out);
    CLOSE(out[0], 0, 1e-14);
    CLOSE(out[1], SN_PI / 2, 1e-14);
    CLOSE(out[2], 2, 1e-14);
    si_transport(m, whole, v, out);
    ck_assert(memcmp(out, v, sizeof v) == 0);
  }
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_with_methods, close_engine);
  TEST(munthe_kaas_keeps_its_order_on_a_ball);
  EACH(declared_orders_on_a_ball_are_measured, 0, 6);
  TEST(two_step_method_keeps_its_past);
  EACH(absurd_integrator_state_is_rejected, 0, 2);
  TEST(transport_is_the_rate_of_displacements);
  TEST(transport_near_half_and_whole_turns);
}
