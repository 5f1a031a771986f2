// SPDX-License-Identifier: Apache-2.0
//
// Contact filters that are plugins: they see what the model's own filters left, and what they
// reject never collides.

#include "random_state.h"
#include "suite.h"

// Which geoms touch nothing below a height, and what the filter saw.
typedef struct fog {
  const double *height;
  int64_t asked, pairs;
} fog;

static fog fog_state;
static const double fog_height = 0.5;
static sn_field fog_xpos;

static sn_status fog_bind(const void *self, const sn_model_view *m, void **bound, sn_error *e) {
  (void)self;
  fog_state = (fog){ .height = &fog_height };
  *bound = &fog_state;
  const sn_fields_service *fields = sn_engine_host(engine)->query(sn_engine_host(engine),
                                                                  SN_SERVICE_FIELDS);
  return fields->data_field(m, "geom_xpos", SN_REAL, &fog_xpos, e);
}

static void fog_unbind(const void *self, void *bound) {
  (void)self;
  ((fog *)bound)->height = NULL;
}

static sn_status fog_select(const void *self, const void *bound, const sn_data_view *view,
                            int64_t n, const int32_t *geom1, const int32_t *geom2, int32_t *keep,
                            sn_scratch *scratch) {
  (void)self, (void)scratch;
  const fog *f = bound;
  const double *xpos = sn_field_reals(view->fields, fog_xpos);
  fog_state.asked++;
  fog_state.pairs += n;
  for (int64_t i = 0; i < n; i++) {
    ck_assert_int_eq(keep[i], 1);
    keep[i] = fmin(xpos[3 * geom1[i] + 2], xpos[3 * geom2[i] + 2]) >= *f->height;
  }
  return SN_OK;
}

static sn_status failing_select(const void *self, const void *bound, const sn_data_view *view,
                                int64_t n, const int32_t *geom1, const int32_t *geom2,
                                int32_t *keep, sn_scratch *scratch) {
  (void)self, (void)bound, (void)view, (void)n, (void)geom1, (void)geom2, (void)keep, (void)scratch;
  return SN_EINVAL;
}

static sn_status idle_bind(const void *self, const sn_model_view *m, void **bound, sn_error *e) {
  (void)self, (void)m, (void)bound, (void)e;
  return SN_OK;
}

static const sn_filter_ops fog_ops = {
  .head = { .size = sizeof fog_ops }, .bind = fog_bind, .unbind = fog_unbind, .select = fog_select
};
static const sn_filter_ops failing_ops = { .head = { .size = sizeof failing_ops },
                                           .bind = fog_bind,
                                           .unbind = fog_unbind,
                                           .select = failing_select };
// it has nothing to do, so that its select is never called
static const sn_filter_ops idle_ops = { .head = { .size = sizeof idle_ops },
                                        .bind = idle_bind,
                                        .unbind = fog_unbind,
                                        .select = failing_select };

// An engine with a filter, and a filter that has nothing to do before it.
static void open_with(const char *name, const sn_filter_ops *ops) {
  open_engine();
  ck_assert_int_ge(sn_engine_add(engine, SN_KIND_FILTER, "test.idle", &idle_ops, error), 0);
  ck_assert_msg(sn_engine_add(engine, SN_KIND_FILTER, name, ops, error) >= 0, "%s",
                sn_error_text(error));
}

#define BALL(name, x, z) \
  "<body pos='" x " 0 " z "'><freejoint/><geom name='" name "' size='.1'/></body>"

// three couples, at the heights 0, 0.4 and 0.8; the first is an explicit pair
static const char couples[] = "<mujoco><worldbody>" BALL("a", "0", "0") BALL("b", ".1", "0")
    BALL("c", "0", ".4") BALL("d", ".1", ".4") BALL("e", "0", ".8")
        BALL("f", ".1", ".8") "</worldbody><contact><pair geom1='a' geom2='b'/></contact></mujoco>";

// A filter takes out dynamic and explicit pairs by where they are now; what is left keeps its
// order.
START_TEST(filter_rejects_a_pair) {
  open_with("test.fog", &fog_ops);
  sn_model *m = model_of(couples);
  sn_data *d = data_of(m);
  sn_forward(m, d);
  ck_assert_int_eq(d->ncon, 1);
  ck_assert_int_eq(d->contact_geom1[0], sn_find(m, "geom", "e"));
  ck_assert_int_eq(fog_state.asked, 1);
  ck_assert_int_eq(fog_state.pairs, 3);   // the explicit one too; those far away are not shown

  for (int i = 0; i < 6; i++) {
    d->qpos[7 * i + 2] += 1;
  }
  sn_forward(m, d);
  ck_assert_int_eq(d->ncon, 3);
  for (int64_t i = 0; i < d->ncon; i++) {
    ck_assert_int_eq(d->contact_geom1[i], 2 * i);
  }
  done_with(m, d);
  ck_assert_ptr_null(fog_state.height);   // it was unbound
  close_engine();
}
END_TEST

START_TEST(filter_that_fails_is_named) {
  open_with("test.failing", &failing_ops);
  sn_model *m = model_of(couples);
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_forward_position(m, d), SN_EPLUGIN);
  const char *message = sn_error_message(sn_data_error(d));
  ck_assert_msg(
      strstr(message, "'test.failing' (sinew.filter/1): its operation 'select' returned SN_") !=
          NULL,
      "%s", message);
  done_with(m, d);
  close_engine();
}
END_TEST

TESTS() {
  TEST(filter_rejects_a_pair);
  TEST(filter_that_fails_is_named);
}
