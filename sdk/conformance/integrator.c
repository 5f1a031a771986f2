// SPDX-License-Identifier: Apache-2.0
//
// Tests an integrator with two damped pendulums and a decaying activation,
//
//   q'' = -sin q - c q'      a' = -a
//
// with a stepper of the kit's own; and a free top, a rigid body on a ball joint whose axis of
// rotation changes, with moments of inertia 1, 2 and 3.5:
//
//   I w' = -w x I w       q' = q (0, w) / 2
//
// Orders are measured from two step sizes against a solution with a very small one.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "conformance/world/world.h"
#include "sinew/math.h"

enum { N = 2, NSTATE = 2 * N + 1 };
static const double pendulum_damping = 0.3;
static const double inertia[3] = { 1, 2, 3.5 };   // of the top
static const double order_tolerance = 0.35;   // of the measured order
static const double act_low = 0.9;            // of actrange, where the world is ranged

typedef struct world {
  sn_stepper stepper;
  double time, qpos[4], qvel[3], act[1], qacc[3], act_dot[1];
  int evaluations;
  int ranged;           // act has a range
  double damping, stiffness;   // q'' = -stiffness sin q - damping q'
  uint32_t implicit;    // the SN_DERIV_* that `implicit` got
} world;

// ------------------------------------------------------------------ the dynamics

static sn_status evaluate(sn_stepper *stepper) {
  world *w = stepper->context;
  for (int i = 0; i < N; i++) {
    w->qacc[i] = -w->stiffness * sin(stepper->qpos[i]) - w->damping * stepper->qvel[i];
  }
  w->act_dot[0] = -stepper->act[0];
  w->evaluations++;
  return SN_OK;
}

static void advance_position(sn_stepper *stepper, const double *v, double h) {
  for (int i = 0; i < N; i++) {
    stepper->qpos[i] += h * v[i];
  }
}

static void advance_activation(sn_stepper *stepper, const double *act_dot, double h) {
  for (int64_t i = 0; i < stepper->na; i++) {
    stepper->act[i] += h * act_dot[i];
  }
  stepper->clamp_activation(stepper);
}

static void clamp_activation(sn_stepper *stepper) {
  const world *w = stepper->context;
  for (int64_t i = 0; i < stepper->na && w->ranged; i++) {
    stepper->act[i] = fmax(stepper->act[i], act_low);
  }
}

static void subtract(sn_stepper *stepper, const double *from, const double *to, double *v) {
  (void)stepper;
  for (int i = 0; i < N; i++) {
    v[i] = to[i] - from[i];
  }
}

static void dexpinv(sn_stepper *stepper, const double *u, const double *v, double *out) {
  (void)stepper;
  (void)u;
  memmove(out, v, N * sizeof *out);
}

// M = 1, D = -c, and by position K = -k cos q
static sn_status implicit(sn_stepper *stepper, uint32_t derivatives, double h, double *out) {
  world *w = stepper->context;
  int damped = (derivatives & (SN_DERIV_DAMPING | SN_DERIV_PASSIVE)) != 0;
  w->implicit |= derivatives;
  for (int i = 0; i < N; i++) {
    const double D = damped ? -w->damping : 0;
    const double slope = -w->stiffness * cos(stepper->qpos[i]);
    const double K = derivatives & SN_DERIV_POSITION ? slope : 0;
    out[i] = (w->qacc[i] + h * K * stepper->qvel[i]) / (1 - h * D - h * h * K);
  }
  return SN_OK;
}

// There are no centrifugal and Coriolis forces.
static sn_status free_motion(sn_stepper *stepper, double h) {
  advance_position(stepper, stepper->qvel, h);
  return SN_OK;
}

static void world_init(world *w, double h) {
  *w = (world){ .qpos = { 1, -0.4 },
                .qvel = { 0, 0.8 },
                .act = { 1 },
                .damping = pendulum_damping,
                .stiffness = 1 };
  w->stepper = (sn_stepper){ .size = sizeof(sn_stepper),
                             .context = w,
                             .h = h,
                             .nq = N,
                             .nv = N,
                             .na = 1,
                             .time = &w->time,
                             .qpos = w->qpos,
                             .qvel = w->qvel,
                             .act = w->act,
                             .qacc = w->qacc,
                             .act_dot = w->act_dot,
                             .evaluate = evaluate,
                             .advance_position = advance_position,
                             .advance_activation = advance_activation,
                             .implicit = implicit,
                             .clamp_activation = clamp_activation,
                             .subtract = subtract,
                             .dexpinv = dexpinv,
                             .free_motion = free_motion };
}

// ------------------------------------------------------------------ the top

static sn_status top_evaluate(sn_stepper *stepper) {
  world *w = stepper->context;
  const double *v = stepper->qvel;
  const double L[3] = { inertia[0] * v[0], inertia[1] * v[1], inertia[2] * v[2] };
  double torque[3];
  sn_cross(torque, L, v);
  for (int i = 0; i < 3; i++) {
    w->qacc[i] = torque[i] / inertia[i];
  }
  w->evaluations++;
  return SN_OK;
}

static void top_advance_position(sn_stepper *stepper, const double *v, double h) {
  sn_integrate_quat(stepper->qpos, v, h);
}

static void top_subtract(sn_stepper *stepper, const double *from, const double *to, double *v) {
  (void)stepper;
  double turn[4];
  sn_conj_quat(turn, from);
  sn_mul_quat(turn, turn, to);
  sn_quat_vec(v, turn);
}

static void top_dexpinv(sn_stepper *stepper, const double *u, const double *v, double *out) {
  (void)stepper;
  const double t2 = sn_dot3(u, u), t = sqrt(t2);
  const double c = t < 0.05 ? 1.0 / 12 + t2 / 720 : 1 / t2 - (1 + cos(t)) / (2 * t * sin(t));
  double once[3], twice[3];
  sn_cross(once, u, v);
  sn_cross(twice, u, once);
  for (int i = 0; i < 3; i++) {
    out[i] = v[i] + 0.5 * once[i] + c * twice[i];
  }
}

// No damping, and no other forces than gyroscopic ones.
static sn_status top_implicit(sn_stepper *stepper, uint32_t derivatives, double h, double *out) {
  const world *w = stepper->context;
  const double scale = derivatives & SN_DERIV_NO_INERTIAL ? 0 : 1;
  (void)h;
  for (int i = 0; i < 3; i++) {
    out[i] = scale * w->qacc[i];
  }
  return SN_OK;
}

// The velocity from the angular momentum, which stays the same in space.
static void top_keep(const double *momentum, const double *quat, double *velocity) {
  sn_rotate_inverse(velocity, momentum, quat);
  for (int i = 0; i < 3; i++) {
    velocity[i] /= inertia[i];
  }
}

// Half a step with the velocity at its start, half a step with that at its end.
static sn_status top_free_motion(sn_stepper *stepper, double h) {
  enum { ITERATIONS = 60 };
  double *q = stepper->qpos, *v = stepper->qvel, momentum[3], middle[4];
  for (int i = 0; i < 3; i++) {
    momentum[i] = inertia[i] * v[i];
  }
  sn_rotate(momentum, momentum, q);
  sn_integrate_quat(q, v, h / 2);
  sn_copy4(middle, q);
  for (int i = 0; i < ITERATIONS; i++) {
    top_keep(momentum, q, v);
    sn_copy4(q, middle);
    sn_integrate_quat(q, v, h / 2);
  }
  top_keep(momentum, q, v);
  return SN_OK;
}

static void top_init(world *w, double h) {
  world_init(w, h);
  static const double q[4] = { 1, 0, 0, 0 }, v[3] = { 0.9, 1.3, 0.6 };
  memcpy(w->qpos, q, sizeof q);
  memcpy(w->qvel, v, sizeof v);
  w->stepper.nq = 4;
  w->stepper.nv = 3;
  w->stepper.na = 0;
  w->stepper.evaluate = top_evaluate;
  w->stepper.advance_position = top_advance_position;
  w->stepper.subtract = top_subtract;
  w->stepper.dexpinv = top_dexpinv;
  w->stepper.implicit = top_implicit;
  w->stepper.free_motion = top_free_motion;
}

static void top_state(const world *w, double *out) {
  memcpy(out, w->qpos, sizeof w->qpos);
  memcpy(out + 4, w->qvel, sizeof w->qvel);
}

enum { NTOP = 7 };

static void top_rates(const double *x, double *out) {
  const double *q = x, *v = x + 4, half[4] = { 0, v[0] / 2, v[1] / 2, v[2] / 2 };
  const double L[3] = { inertia[0] * v[0], inertia[1] * v[1], inertia[2] * v[2] };
  sn_mul_quat(out, q, half);
  sn_cross(out + 4, L, v);
  for (int i = 0; i < 3; i++) {
    out[4 + i] /= inertia[i];
  }
}

static void world_state(const world *w, double *out) {
  memcpy(out, w->qpos, N * sizeof *out);
  memcpy(out + N, w->qvel, N * sizeof *out);
  out[2 * N] = w->act[0];
}

// ------------------------------------------------------------------ the exact solution

static void rates(const double *x, double *out) {
  for (int i = 0; i < N; i++) {
    out[i] = x[N + i];
    out[N + i] = -sin(x[i]) - pendulum_damping * x[N + i];
  }
  out[2 * N] = -x[2 * N];
}

// one second by the classical method of Runge and Kutta, in x (n numbers): exact to rounding
static void exact(void (*f)(const double *x, double *out), int n, double *x) {
  enum { STEPS = 2000 };
  const double h = 1.0 / STEPS;
  for (int s = 0; s < STEPS; s++) {
    static const double at[4] = { 0, 0.5, 0.5, 1 }, weight[4] = { 1, 2, 2, 1 };
    double k[NTOP] = { 0 }, sum[NTOP] = { 0 }, y[NTOP];
    for (int stage = 0; stage < 4; stage++) {
      for (int i = 0; i < n; i++) {
        y[i] = x[i] + at[stage] * h * k[i];
      }
      f(y, k);
      for (int i = 0; i < n; i++) {
        sum[i] += weight[stage] / 6 * k[i];
      }
    }
    for (int i = 0; i < n; i++) {
      x[i] += h * sum[i];
    }
  }
}

// ------------------------------------------------------------------ tests

// What the host keeps for the integrator in a model of one of the motions, which is made for this:
// state variables, and what `bind` returned.
typedef struct own {
  kit_world world;
  double *number;
  int64_t n;
  void *bound;
} own;

static void test_states(kit *k, own *o) {
  const sn_integrator_ops *ops = k->provider->ops;
  o->n = KIT_CALL(ops, states)(k->self, &o->world.model_view);
  const int64_t again = KIT_CALL(ops, states)(k->self, &o->world.model_view);
  const int is_good = o->n >= 0 && o->n <= SN_MAX_STATES && o->n == again;
  if (!is_good || o->world.kind == KIT_PENDULUMS) {   // each requirement once
    kit_require(k, "states", is_good, "always the same number of state variables",
                "states returns %lld, then %lld; the same number from 0 to %d is required",
                (long long)o->n, (long long)again, SN_MAX_STATES);
  }
  o->number = is_good ? calloc((size_t)o->n + 1, sizeof(double)) : NULL;
}

// True: it is bound, or has no `bind`.
static int test_bind(kit *k, own *o, sn_error *error) {
  const sn_integrator_ops *ops = k->provider->ops;
  if (!ops->bind) {
    return 1;
  }
  void *kept = kit_world_keep(&o->world);
  const sn_status status = KIT_CALL(ops, bind)(k->self, &o->world.model_view, &o->bound, error);
  const char *changed = kit_world_changed(&o->world, kept);
  const int is_good = status == SN_OK && !changed;
  if (is_good && o->world.kind != KIT_PENDULUMS) {
    return 1;
  }
  if (changed) {
    kit_report(k, "bind", KIT_FAILED, "bind changes %s of the model, which it may only read",
               changed);
  } else {
    kit_check(k, "bind", is_good, "bind returns %s%s%s", sn_status_name(status),
              status < 0 ? ": " : "", status < 0 ? sn_error_message(error) : "");
  }
  return status == SN_OK;
}

// False: the rest cannot be tested. To be freed in either case.
static int own_new(kit *k, own *o, int kind) {
  const sn_integrator_ops *ops = k->provider->ops;
  *o = (own){ .n = 0 };
  if (!ops->states && !ops->bind) {
    return 1;
  }
  sn_error *error = sn_error_new();
  int is_ready = kit_world_new_kind(k, &o->world, kind, error);
  if (!is_ready) {
    kit_report(k, "bind", KIT_SKIPPED, "the model of the kit cannot be made: %s",
               sn_error_message(error));
  }
  if (is_ready && ops->states) {
    test_states(k, o);
    is_ready = o->number != NULL;
  }
  is_ready = is_ready && test_bind(k, o, error);
  sn_error_free(error);
  return is_ready;
}

static void own_free(kit *k, own *o) {
  const sn_integrator_ops *ops = k->provider->ops;
  if (o->bound) {
    KIT_CALL(ops, unbind)(k->self, o->bound);
  }
  free(o->number);
  kit_world_free(&o->world);
}

// As after a reset.
static void start(sn_stepper *stepper, const own *o) {
  stepper->state = o->n > 0 ? o->number : NULL;
  stepper->nstate = o->n;
  stepper->bound = o->bound;
  for (int64_t i = 0; i < o->n; i++) {
    o->number[i] = 0;
  }
}

// One of the two motions.
typedef struct motion {
  void (*init)(world *w, double h);
  void (*state)(const world *w, double *out);
  void (*rates)(const double *x, double *out);
  int n;   // numbers of the state
} motion;

static const motion pendulums = { world_init, world_state, rates, NSTATE };
static const motion top = { top_init, top_state, top_rates, NTOP };

// One step. KIT_STRUCT_CHANGED: it changed the stepper itself, which is put back.
static sn_status step(const kit *k, sn_stepper *stepper, sn_scratch *scratch) {
  const sn_integrator_ops *ops = k->provider->ops;
  const sn_stepper before = *stepper;
  sn_status status = KIT_CALL(ops, step)(k->self, stepper, scratch);
  status = kit_same_struct(status, stepper, &before, sizeof before);
  *stepper = before;
  return status;
}

// One second in n steps. The status, and the evaluations of the first step.
static sn_status integrate(kit *k, const motion *of, const own *o, int n, double *x, double *time,
                           int *evaluations) {
  world w;
  sn_status status = SN_OK;
  of->init(&w, 1.0 / n);
  start(&w.stepper, o);
  for (int s = 0; s < n && status >= 0; s++) {
    w.stepper.evaluate(&w.stepper);
    status = step(k, &w.stepper, &k->scratch);
    kit_scratch_clear(k);
    *evaluations = s == 0 ? w.evaluations : *evaluations;
  }
  of->state(&w, x);
  *time = w.time;
  return status;
}

static double distance(const double *a, const double *b, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    most = a[i] == a[i] ? fmax(most, fabs(a[i] - b[i])) : INFINITY;
  }
  return most;
}

// The measured order; NAN: a step failed, which was reported.
static double measure(kit *k, const motion *of, const own *o, double *fine, double *time,
                      int *evaluations) {
  world w;
  double truth[NTOP], coarse[NTOP];
  of->init(&w, 1);
  of->state(&w, truth);
  exact(of->rates, of->n, truth);
  sn_status status = integrate(k, of, o, 32, coarse, time, evaluations);
  status = status < 0 ? status : integrate(k, of, o, 64, fine, time, evaluations);
  if (status == KIT_STRUCT_CHANGED) {
    kit_report(k, "inputs", KIT_FAILED,
               "step changes a number or a pointer of the struct sn_stepper, which it may only "
               "read; the state is what the pointers point to");
    return NAN;
  }
  if (status < 0) {
    kit_report(k, "steps", KIT_FAILED, "step returned %s", sn_status_name(status));
    return NAN;
  }
  const double error = distance(fine, truth, of->n);
  return isfinite(error) ? log2(distance(coarse, truth, of->n) / error) : -INFINITY;
}

// ------------------------------------------------------------------ the same step again

typedef struct again {
  const motion *of;
  const own *o;
} again;

enum { TIME, QPOS, QVEL, ACT, STATE };

// A step from the state in the outputs.
static sn_status run_step(const kit_call *call, sn_scratch *scratch) {
  const again *a = call->context;
  world w;
  a->of->init(&w, 0.01);
  w.stepper.bound = a->o->bound;
  w.stepper.time = call->output[TIME].memory;
  w.stepper.qpos = call->output[QPOS].memory;
  w.stepper.qvel = call->output[QVEL].memory;
  w.stepper.act = call->output[ACT].memory;
  w.stepper.nstate = call->output[STATE].bytes / 8;
  w.stepper.state = w.stepper.nstate > 0 ? call->output[STATE].memory : NULL;
  w.stepper.evaluate(&w.stepper);
  return step(call->kit, &w.stepper, scratch);
}

static void call_again(kit *k, kit_calls *calls, const motion *of, const own *o) {
  world w;
  of->init(&w, 0.01);
  sn_stepper *s = &w.stepper;
  start(s, o);
  const again context = { of, o };
  kit_call call = { .operation = "step",
                    .run = run_step,
                    .context = &context,
                    .noutput = 5,
                    .output = { [TIME] = { "time", 8, s->time, NULL },
                                [QPOS] = { "qpos", 8 * s->nq, s->qpos, NULL },
                                [QVEL] = { "qvel", 8 * s->nv, s->qvel, NULL },
                                [ACT] = { "act", 8 * s->na, s->act, NULL },
                                [STATE] = { "state", 8 * o->n, o->number, NULL } } };
  kit_calls_make(k, calls, &call);
  kit_call_free(&call);
}

// ------------------------------------------------------------------ requirements

// A step in which the activation leaves its range, and in which `implicit` is called.
static void test_services(kit *k, const own *o) {
  const sn_integrator_ops *ops = k->provider->ops;
  const uint32_t declared = ops->uses ? KIT_CALL(ops, uses)(k->self) : ops->derivatives;
  world w;
  world_init(&w, 0.25);
  w.ranged = 1;
  start(&w.stepper, o);
  w.stepper.evaluate(&w.stepper);
  if (step(k, &w.stepper, &k->scratch) >= 0) {
    kit_require(k, "activation range", w.act[0] == act_low, "activations stay in their range",
                "of an activation that falls below its range from %g, a step makes %g; call "
                "advance_activation or clamp_activation",
                act_low, w.act[0]);
  }
  kit_scratch_clear(k);
  kit_check(
      k, "derivatives", w.implicit == declared,
      "the derivatives that it declares are 0x%x (SN_DERIV_*); those passed to implicit are 0x%x",
      declared, w.implicit);
}

// What `implicit` is for: with derivatives by velocity, damping of any strength makes the velocity
// smaller; with those by position, too, a spring of any strength keeps the energy bounded.
static void test_stability(kit *k, const own *o) {
  enum { STEPS = 50 };
  const sn_integrator_ops *ops = k->provider->ops;
  const uint32_t declared = ops->uses ? KIT_CALL(ops, uses)(k->self) : ops->derivatives;
  const int is_stiff = (declared & SN_DERIV_POSITION) != 0;
  if (!(declared & (SN_DERIV_DAMPING | SN_DERIV_PASSIVE))) {
    return;
  }
  world w;
  world_init(&w, 0.1);
  w.damping = is_stiff ? 0 : 1e4;
  w.stiffness = is_stiff ? 1e4 : 0;
  w.qpos[0] = is_stiff ? 1e-3 : 0;
  w.qpos[1] = 0;
  w.qvel[0] = is_stiff ? 0 : 1;
  start(&w.stepper, o);
  const double first = fabs(w.qvel[0]) + 100 * fabs(w.qpos[0]);
  double last = first;
  for (int i = 0; i < STEPS && last <= 2 * first; i++) {
    w.stepper.evaluate(&w.stepper);
    if (step(k, &w.stepper, &k->scratch) < 0) {
      last = INFINITY;
    }
    kit_scratch_clear(k);
    last = fmax(fabs(w.qvel[0]), is_stiff ? 100 * fabs(w.qpos[0]) : 0);
  }
  kit_check(k, "stability", last <= first,
            "it declares derivatives by %s; with strong %s, a velocity of %g becomes %g%s",
            is_stiff ? "position" : "velocity", is_stiff ? "springs" : "damping", first, last,
            last <= first ? "" : "; it must not grow, use `implicit`");
}

static void test_motions(kit *k, const own *swinging, const own *spinning) {
  const sn_integrator_ops *ops = k->provider->ops;
  kit_calls calls = { .made = 0 };
  double fine[NTOP], spun[NTOP], time = 0, after;
  int evaluations = 0, ignored;
  const double order = measure(k, &pendulums, swinging, fine, &time, &evaluations);
  if (order != order) {
    return;
  }
  kit_require(k, "finite", kit_finite(fine, pendulums.n), "all numbers are finite",
              "positions, velocities and activations of pendulums after one second are not finite");
  if (!kit_finite(fine, pendulums.n)) {
    return;
  }
  kit_check(k, "order", order > ops->order - order_tolerance,
            "declared %d, measured %.2f (at least %.2f)", ops->order, order,
            ops->order - order_tolerance);
  const double ball = measure(k, &top, spinning, spun, &after, &ignored);
  const int declared = ops->rotation_order ? ops->rotation_order : ops->order;
  kit_check(k, "order on a ball joint", ball > declared - order_tolerance,
            "declared %d, measured %.2f (at least %.2f)", declared, ball,
            declared - order_tolerance);
  kit_check(k, "evaluations", evaluations == ops->evaluations, "declared %d, counted %d",
            ops->evaluations, evaluations);
  test_services(k, swinging);
  test_stability(k, swinging);
  kit_check(k, "time", fabs(time - 1) < 1e-12, "after one second, time is %.17g s%s", time,
            fabs(time - 1) < 1e-12 ? "" : "; add h to it in each step");
  call_again(k, &calls, &pendulums, swinging);
  call_again(k, &calls, &top, spinning);
  kit_calls_report(k, &calls);
}

void kit_integrator(kit *k) {
  const sn_integrator_ops *ops = k->provider->ops;
  if (!ops->step || ops->order < 1 || ops->evaluations < 1 || ops->rotation_order < 0) {
    kit_report(k, "operations", KIT_FAILED, "step, order or evaluations is missing");
    return;
  }
  own swinging, spinning = { .n = 0 };
  if (own_new(k, &swinging, KIT_PENDULUMS) && own_new(k, &spinning, KIT_TOP)) {
    test_motions(k, &swinging, &spinning);
  }
  own_free(k, &spinning);
  own_free(k, &swinging);
}
