// SPDX-License-Identifier: Apache-2.0
//
// A plugin that gets less memory than it requests: its functions return as usual, nothing jumps
// over them; the step fails with an error that names the plugin, also when the plugin takes no
// notice, and leaves the state unchanged.

#include <math.h>
#include <string.h>

#include "sinew/collider.h"
#include "sinew/integrator.h"
#include "sinew/passive.h"
#include "sinew/sinew.h"
#include "suite.h"

static const char scene[] =
    "<mujoco><option timestep='0.005'/><worldbody>"
    "<body pos='0 0 2'><freejoint/><geom type='box' size='.1 .2 .15'/></body>"
    "<body pos='1 0 1'><joint name='h' axis='0 1 0' damping='.1'/><geom size='.1' pos='.2 0 0'/>"
    "</body></worldbody>"
    "<actuator><general joint='h' dyntype='filter' dynprm='.05'/></actuator></mujoco>";
enum { BOX = 0, BALL = 1 };

static sn_error *error;
static sn_engine *engine;
static sn_model *m;
static sn_data *d;

// ------------------------------------------------------------------ plugins

static int inside;         // functions of plugins that were entered and not left
static int calls, fatal;   // the passive force requests too much in its call number `fatal`
static void (*query)(void);
static int something;

static sn_status bind_force(const void *self, const sn_model_view *model, const sn_value *values,
                            void **bound, sn_error *e) {
  (void)self, (void)model, (void)values, (void)e;
  *bound = &something;
  return SN_OK;
}

static void unbind(const void *self, void *bound) {
  (void)self, (void)bound;
}

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

static const sn_passive_ops hungry = {
  .head = { .size = sizeof(sn_passive_ops) }, .bind = bind_force, .unbind = unbind, .apply = apply
};

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

static sn_status collide_nothing(const void *self, const sn_batch *batch, sn_contact_list *out,
                                 sn_scratch *scratch) {
  (void)self, (void)batch, (void)out, (void)scratch;
  return SN_OK;
}

static sn_status measure(const void *self, const sn_shape *first, const sn_shape *second,
                         double limit, double *distance, double *point1, double *point2,
                         sn_scratch *scratch) {
  (void)self, (void)first, (void)second, (void)limit, (void)point1, (void)point2;
  double *much;
  SN_TAKE(much, scratch, (int64_t)1 << 40);
  *distance = much[0];
  return SN_OK;
}

static const sn_collider_pair sphere_box[] = { { "sphere", "box" }, { NULL, NULL } };
static const sn_collider_ops greedy = { .head = { .size = sizeof(sn_collider_ops) },
                                        .pairs = sphere_box,
                                        .max_points = 1,
                                        .collide = collide_nothing,
                                        .distance = measure };

// ------------------------------------------------------------------ fixture

static void set(const char *name, const char *value) {
  ck_assert_msg(sn_model_parse_option(m, name, value, error) >= 0, "%s", sn_error_text(error));
}

static void open_model(void) {
  calls = fatal = inside = 0;
  query = NULL;
  error = sn_error_new();
  engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_PASSIVE, "hungry", &hungry, error), SN_OK);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_INTEGRATOR, "heedless", &heedless, error), SN_OK);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_COLLIDER, "greedy", &greedy, error), SN_OK);
  ck_assert_int_eq(sn_select(engine, "sphere-box", "greedy", error), SN_OK);
  ck_assert_int_eq(sn_engine_add_resource(engine, "m.xml", scene, (int64_t)strlen(scene), error),
                   SN_OK);
  m = sn_load(engine, "m.xml", error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  set("memory", "1e7");
  d = sn_data_new(m, error);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
}

static void close_model(void) {
  ck_assert_int_eq(inside, 0);   // no function was left by a jump
  sn_data_free(d);
  sn_model_free(m);
  sn_engine_close(engine);
  sn_error_free(error);
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
  ck_assert(isnan(sn_geom_distance(m, d, BALL, BOX, 10, points)));
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
