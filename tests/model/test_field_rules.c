// SPDX-License-Identifier: Apache-2.0
//
// A binary model that breaks the rule of an array is rejected with the name of the array. One
// number at a time is broken, in each array that a model with a bit of everything fills, in every
// way that its rule forbids.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/binary.h"
#include "api/load.h"
#include "model/field_rules.h"
#include "model/fields.h"
#include "model_file.h"
#include "suite.h"

static sn_engine *engine;
static sn_error *error;
static sn_model *model;

static void setup(void) {
  error = sn_error_new();
  engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  sn_engine_set_log(engine, NULL, NULL);
  model = sn_load(engine, MODEL("model/every_asset"), error);
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
}

static void teardown(void) {
  sn_model_free(model);
  sn_engine_close(engine);
  sn_error_free(error);
}

// ------------------------------------------------------------------ written and read

typedef struct bytes {
  uint8_t *p;
  size_t n;
} bytes;

static sn_status keep(sn_sink *sink, const void *more, int64_t count) {
  bytes *b = sink->context;
  b->p = realloc(b->p, b->n + (size_t)count);
  memcpy(b->p + b->n, more, (size_t)count);
  b->n += (size_t)count;
  return SN_OK;
}

// Is the model, written as it is now, read again?
static int reads(void) {
  bytes b = { 0 };
  sn_sink sink = { .size = sizeof sink, .context = &b, .write = keep };
  ck_assert_int_eq(si_model_write(model, &sink, error), SN_OK);
  si_error_clear(error);
  sn_model *copy = si_model_load(engine, b.p, (int64_t)b.n, "copy.snb", error);
  free(b.p);
  sn_model_free(copy);
  return copy != NULL;
}

static void rejects(const char *field, int64_t row) {
  ck_assert_msg(!reads(), "%s[%lld] is taken", field, (long long)row);
  ck_assert_int_eq(sn_error_code(error), SN_EPARSE);
  ck_assert_msg(strstr(sn_error_message(error), field) != NULL, "%s: %s", field,
                sn_error_text(error));
}

static void breaks_int(const char *field, int64_t i, int32_t value) {
  sn_view view = { .size = sizeof view };
  ck_assert_int_eq(sn_model_field(model, field, &view), SN_OK);
  ck_assert_int_lt(i, view.rows * view.cols);
  int32_t *p = (int32_t *)view.p + i, kept = *p;
  *p = value;
  rejects(field, i);
  *p = kept;
}

static void breaks_real(const char *field, int64_t i, double value) {
  sn_view view = { .size = sizeof view };
  ck_assert_int_eq(sn_model_field(model, field, &view), SN_OK);
  ck_assert_int_lt(i, view.rows * view.cols);
  double *p = (double *)view.p + i, kept = *p;
  *p = value;
  rejects(field, i);
  *p = kept;
}

// ------------------------------------------------------------------ tests

// The words of reals stand beside reals only, and those of integers beside integers.
START_TEST(rules_fit_types) {
  for (int i = 0; i < SI_NMODELFIELD; i++) {
    const si_field_rule *rule = &si_model_field_rules[i];
    const si_field_info *info = &si_model_field_table[i];
    const int real = rule->kind >= SI_RULE_FINITE, any = rule->kind == SI_RULE_ANY;
    if (rule->kind != SI_RULE_OTHER) {
      ck_assert_msg(info->type == SN_REAL   ? real
                    : info->type >= SN_BYTE ? any
                                            : !real,
                    "%s has a rule of another type", info->name);
    }
    if (rule->kind == SI_RULE_ADR_OF) {   // the rule of the count rejects negative numbers
      ck_assert_int_eq(si_model_field_rules[rule->partner].kind, SI_RULE_RANGE);
      ck_assert_int_ge(si_model_field_rules[rule->partner].least, 0);
    }
    if (rule->kind == SI_RULE_OF) {
      ck_assert_int_eq(si_model_field_table[rule->partner].type, SN_INT);
    }
  }
}
END_TEST

START_TEST(intact) {
  ck_assert_msg(reads(), "%s", sn_error_text(error));
}
END_TEST

START_TEST(rule_of_a_field) {
  int64_t broken = 0;
  sn_view view = { .size = sizeof view };
  for (int64_t i = 0; sn_model_field_at(model, i, &view); i++) {
    const si_field_rule *rule = &si_model_field_rules[i];
    const int64_t last = view.rows * view.cols - 1;
    int64_t size;
    memcpy(&size, (const char *)model + rule->size, sizeof size);
    if (last < 0) {
      continue;
    }
    broken++;
    if (rule->kind == SI_RULE_ID) {
      breaks_int(view.name, last, (int32_t)rule->least - 1);
      breaks_int(view.name, last, (int32_t)size);
    } else if (rule->kind == SI_RULE_RANGE) {
      breaks_int(view.name, last, (int32_t)rule->least - 1);
      if (rule->end < INT32_MAX) {
        breaks_int(view.name, last, (int32_t)rule->end);
      }
    } else if (rule->kind == SI_RULE_CONDIM) {
      breaks_int(view.name, last, 2);
      breaks_int(view.name, last, 5);
      breaks_int(view.name, last, 7);
    } else if (rule->kind == SI_RULE_OF) {
      breaks_int(view.name, last, -2);
      breaks_int(view.name, last, INT32_MAX);
    } else if (rule->kind == SI_RULE_ADR_OF) {
      const int32_t *n = model->field[rule->partner];
      if (n[last] > 0) {
        breaks_int(view.name, last, -1);
        breaks_int(view.name, last, (int32_t)size);
      }
    } else if (rule->kind == SI_RULE_FINITE || rule->kind == SI_RULE_POSITIVE ||
               rule->kind == SI_RULE_DIRECTION) {
      breaks_real(view.name, last, NAN);
      breaks_real(view.name, last, -INFINITY);
      if (rule->kind == SI_RULE_POSITIVE) {
        breaks_real(view.name, last, 0);
      }
    } else {
      broken--;
    }
  }
  ck_assert_int_gt(broken, 100);
  ck_assert(reads());
}
END_TEST

// What depends on other arrays.
START_TEST(rule_between_arrays) {
  breaks_int("eq_obj2id", 0, -1);   // of a connect: the world is body 0
  breaks_int("tex_adr", 0, 1);
  breaks_int("tex_adr", 0, -1);
  breaks_int("hfield_adr", 0, 1);
  breaks_int("geom_condim", 0, 2);
  breaks_int("geom_dataid", 0, -1);
  breaks_int("wrap_objid", 1, 1000);
  breaks_int("mesh_texcoordadr", 0, 1);
  breaks_int("skin_texcoordadr", 0, 1);
  breaks_int("text_size", 0, 3);   // "abc" without its end
  breaks_int("tuple_objid", 0, -1);
  breaks_int("tuple_objid", 0, 4);   // of four sites
  breaks_int("mesh_face", 0, 4);
  breaks_int("actuator_trnid", 0, -1);
  breaks_int("sensor_objid", 0, 1000);
  breaks_real("geom_size", 3 * 3, 0);   // of a capsule
  breaks_real("wrap_prm", 1, NAN);
}
END_TEST

// A program may write what it likes into the arrays of a model. A height field without extent has
// no cells; nothing is read outside of it.
START_TEST(flat_field_in_memory) {
  for (int k = 0; k < 2; k++) {
    sn_view view = { .size = sizeof view };
    ck_assert_int_eq(sn_model_field(model, "hfield_size", &view), SN_OK);
    ((double *)view.p)[k] = 0;
    sn_data *data = sn_data_new(model, error);
    ck_assert_ptr_nonnull(data);
    double *qpos = snd_qpos(data) + snm_jnt_qposadr(model)[0];
    qpos[0] = qpos[1] = 0.1;   // a box whose lower bound is 0 in the frame of the field
    qpos[2] = 0.05;
    ck_assert_int_ge(sn_forward(model, data), 0);
    const double from[3] = { 0, 0, 3 }, down[3] = { 0, 0, -1 };
    int32_t geom = -1;
    double distance;
    sn_ray(model, data, from, down, UINT32_MAX, 1, -1, &distance, &geom, NULL);
    sn_geom_distance(model, data, sn_find(model, "geom", "ground"), sn_find(model, "geom", "box"),
                     10, &distance, NULL);
    sn_data_free(data);
  }
}
END_TEST

// What a program wrote is held against the rules before it goes back into a spec.
START_TEST(update_rejects) {
  sn_spec *spec = sn_spec_load(engine, MODEL("model/every_asset"), error);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  sn_view view = { .size = sizeof view };
  ck_assert_int_eq(sn_model_field(model, "numeric_adr", &view), SN_OK);
  ((int32_t *)view.p)[0] = 1000000;
  ck_assert_int_eq(sn_spec_update(spec, model, error), SN_EINVAL);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "numeric_adr[0]"));
  sn_spec_free(spec);
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(rules_fit_types);
  TEST(intact);
  TEST(rule_of_a_field);
  TEST(rule_between_arrays);
  TEST(flat_field_in_memory);
  TEST(update_rejects);
}
