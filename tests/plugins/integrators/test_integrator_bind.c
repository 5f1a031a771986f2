// SPDX-License-Identifier: Apache-2.0
//
// Integrators that are bound to a model: semi-implicit Euler whose velocities of slides get a drag,
// found by the types of joints in the model. What is bound is unbound, also when the integrator of
// a model is changed, and a change that `bind` rejects changes nothing.

#include <math.h>

#include "sinew/instance.h"
#include "sinew/integrator.h"

#include "data/data.h"
#include "default_engine.h"
#include "suite.h"

enum { MOST = 16 };
static const double drag = 0.5;   // 1/s
static int bound_now, is_rejected;

typedef struct slides {
  int32_t n, dof[MOST];
} slides;

static sn_status bind_slides(const void *self, const sn_model_view *model, void **bound,
                             sn_error *e) {
  if (is_rejected) {
    return sn_instance_fail(self, e, SN_EUNSUPPORTED, "this model has no slides");
  }
  sn_lookup l = sn_lookup_start(self, model, e);
  const int32_t *type = sn_lookup_ints(&l, "jnt_type"), *dof = sn_lookup_ints(&l, "jnt_dofadr");
  const int64_t njnt = sn_lookup_size(&l, "njnt");
  SN_TRY(l.status);
  slides found = { 0 };
  for (int64_t i = 0; i < njnt && i < MOST; i++) {
    if (type[i] == SN_JOINT_SLIDE) {
      found.dof[found.n++] = dof[i];
    }
  }
  SN_TRY(sn_instance_keep(self, &found, sizeof found, bound, e));
  bound_now++;
  return SN_OK;
}

static void unbind_slides(const void *self, void *bound) {
  bound_now--;
  sn_instance_unbind(self, bound);
}

static sn_status step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  const slides *found = s->bound;
  (void)self, (void)scratch;
  for (int64_t i = 0; i < s->nv; i++) {
    s->qvel[i] += s->h * s->qacc[i];
  }
  for (int32_t i = 0; i < found->n; i++) {
    s->qvel[found->dof[i]] *= exp(-drag * s->h);
  }
  s->advance_position(s, s->qvel, s->h);
  *s->time += s->h;
  return SN_OK;
}

static sn_integrator_ops ops = {
  .head = { .size = sizeof ops, .create = sn_instance_create, .destroy = sn_instance_destroy },
  .order = 1,
  .evaluations = 1,
  .step = step,
  .bind = bind_slides,
  .unbind = unbind_slides,
};

static void open_with_method(void) {
  bound_now = is_rejected = 0;
  ops.unbind = unbind_slides;
  open_engine();
}

static void add_method(void) {
  OK(sn_engine_add(engine, SN_KIND_INTEGRATOR, "dragged", &ops, error));
}

static void close_with_method(void) {
  close_engine();
  ck_assert_int_eq(bound_now, 0);
}

static const char model_text[] =
    "<mujoco><option gravity='0 0 0' integrator='dragged' timestep='0.01'/><worldbody>"
    "<body><joint/><geom size='.1' pos='.1 0 0'/></body>"
    "<body pos='2 0 0'><joint type='slide'/><geom size='.1'/></body></worldbody></mujoco>";

START_TEST(step_has_what_bind_found) {
  add_method();
  OK(sn_engine_set(engine, "check_plugins", _i ? "yes" : "no", error));
  sn_model *m = model_of(model_text);
  sn_data *d = data_of(m);
  d->qvel[0] = d->qvel[1] = 1;
  for (int k = 0; k < 100; k++) {
    ck_assert_msg(sn_step(m, d) >= 0, "%s", sn_error_text(sn_data_error(d)));
  }
  ck_assert_double_eq_tol(d->qvel[0], 1, 1e-12);
  ck_assert_double_eq_tol(d->qvel[1], exp(-drag), 1e-12);
  OK(sn_model_refresh(m, error));   // binds again
  ck_assert_int_eq(bound_now, 1);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  done_with(m, d);
}
END_TEST

START_TEST(change_of_the_integrator_unbinds) {
  add_method();
  sn_model *m = model_of(model_text);
  sn_data *d = data_of(m);
  ck_assert_int_eq(bound_now, 1);
  OK(sn_model_parse_option(m, "integrator", "euler", error));
  ck_assert_int_eq(bound_now, 0);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  is_rejected = 1;
  ck_assert_int_eq(sn_model_parse_option(m, "integrator", "dragged", error), SN_EUNSUPPORTED);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "this model has no slides"));
  ck_assert_str_eq(sn_model_selected(m, "integrator"), "euler");
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  is_rejected = 0;
  OK(sn_model_parse_option(m, "integrator", "dragged", error));
  ck_assert_int_eq(bound_now, 1);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  done_with(m, d);
}
END_TEST

START_TEST(model_that_bind_rejects_is_rejected) {
  add_method();
  is_rejected = 1;
  ck_assert_ptr_null(try_text(model_text));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "this model has no slides"));
}
END_TEST

START_TEST(bind_without_unbind_is_rejected) {
  ops.unbind = NULL;
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_INTEGRATOR, "dragged", &ops, error), SN_EINVAL);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "'bind' requires 'unbind'"));
}
END_TEST

TESTS() {
  FIXTURE(open_with_method, close_with_method);
  EACH(step_has_what_bind_found, 0, 2);
  TEST(change_of_the_integrator_unbinds);
  TEST(model_that_bind_rejects_is_rejected);
  TEST(bind_without_unbind_is_rejected);
}
