// SPDX-License-Identifier: Apache-2.0
//
// A plugin that gets less memory than it requests: its functions return as usual, nothing jumps
// over them; the step fails with an error that names the plugin, also when the plugin takes no
// notice, and leaves the state unchanged.

#include <math.h>
#include <string.h>

#include "default_engine.h"
#include "ray_distance.h"
#include "sinew/integrator.h"
#include "suite.h"
#include "toy_plugin.h"

static const char scene[] =
    "<mujoco><option timestep='0.005'/><worldbody>"
    "<body pos='0 0 2'><freejoint/><geom type='box' size='.1 .2 .15'/></body>"
    "<body pos='1 0 1'><joint name='h' axis='0 1 0' damping='.1'/><geom size='.1' pos='.2 0 0'/>"
    "</body></worldbody>"
    "<actuator><general joint='h' dyntype='filter' dynprm='.05'/></actuator></mujoco>";
enum { BOX = 0, BALL = 1 };

static sn_model *m;
static sn_data *d;

// ------------------------------------------------------------------ plugins

static int inside;         // functions of plugins that were entered and not left
static int calls, fatal;   // the passive force requests too much in its call number `fatal`
static void (*query)(void);

// takes no notice of what it gets
static sn_status apply(const void *self, const void *bound, const sn_data_view *data,
                       const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)qfrc;
  inside++;
  if (++calls == fatal) {
    ck_assert_ptr_null(scratch->alloc(scratch, (int64_t)1 << 40, 64));
  }
  if (query) {
    query();
  }
  inside--;
  return SN_OK;
}

static const sn_passive_ops hungry = TOY_FORCE(apply);

// goes on after a failed evaluation
static sn_status answer, answer_later;

static sn_status heedless_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self, (void)scratch;
  inside++;
  answer = s->evaluate(s);
  s->advance_activation(s, s->act_dot, s->h);
  answer_later = s->evaluate(s);
  *s->time += s->h;
  inside--;
  return SN_OK;
}

static const sn_integrator_ops heedless = {
  .head = { .size = sizeof(sn_integrator_ops) }, .order = 1, .evaluations = 3, .step = heedless_step
};

static const sn_collider_pair sphere_box[] = { { "sphere", "box" }, { NULL, NULL } };
static const sn_collider_ops greedy = TOY_COLLIDER(sphere_box);

// ------------------------------------------------------------------ fixture

static void set(const char *name, const char *value) {
  OK(sn_model_parse_option(m, name, value, error));
}

static void open_model(void) {
  calls = fatal = inside = 0;
  query = NULL;
  toy_request = (int64_t)1 << 40;
  open_engine();
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "hungry", &hungry, error));
  OK(sn_engine_add(engine, SN_KIND_INTEGRATOR, "heedless", &heedless, error));
  OK(sn_engine_add(engine, SN_KIND_COLLIDER, "greedy", &greedy, error));
  OK(sn_select(engine, "sphere-box", "greedy", error));
  m = model_of(scene);
  set("memory", "1e7");
  d = data_of(m);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
}

static void close_model(void) {
  ck_assert_int_eq(inside, 0);   // no function was left by a jump
  done_with(m, d);
  close_engine();
}

static void step_fails(const char *culprit) {
  const uint64_t before = sn_state_hash(m, d, SN_STATE_INTEGRATION);
  ck_assert_int_eq(sn_step(m, d), SN_ENOMEM);
  const char *message = sn_error_message(sn_data_error(d));
  ck_assert_msg(strstr(message, culprit) != NULL, "'%s' is not in: %s", culprit, message);
  ck_assert_int_eq(inside, 0);
  ck_assert(sn_state_hash(m, d, SN_STATE_INTEGRATION) == before);
}

// ------------------------------------------------------------------ cases

// In each evaluation of a step.
START_TEST(failed_request_ignored) {
  set("integrator", "rk4");
  for (fatal = 1; fatal <= 4; fatal++) {
    calls = 0;
    step_fails("'hungry' (sinew.passive/1) requested 1099511627776 bytes");
    ck_assert_int_eq(calls, fatal);   // nothing is computed after the failure
  }
  fatal = 0;
  ck_assert_int_eq(sn_step(m, d), SN_OK);
}
END_TEST

START_TEST(failed_evaluation_ignored) {
  set("integrator", "heedless");
  fatal = 2;   // in the first evaluation that the integrator requests
  calls = 0;
  step_fails("'hungry' (sinew.passive/1)");
  ck_assert_int_eq(answer, SN_ENOMEM);
  ck_assert_int_eq(answer_later, SN_ENOMEM);
  ck_assert_int_eq(calls, 2);
  fatal = 0;
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  ck_assert_int_eq(answer, SN_OK);
}
END_TEST

static void query_distance(void) {
  double points[6];
  ck_assert(isnan(geom_distance(m, d, BALL, BOX, 10, points)));
}

// A query from within a step fails, and the step when the plugin that made the query has returned.
START_TEST(failed_query_within_a_step) {
  query = query_distance;
  step_fails("'greedy' (sinew.collider/1)");
  query = NULL;
  ck_assert_int_eq(sn_step(m, d), SN_OK);
}
END_TEST

TESTS() {
  FIXTURE(open_model, close_model);
  TEST(failed_request_ignored);
  TEST(failed_evaluation_ignored);
  TEST(failed_query_within_a_step);
}
