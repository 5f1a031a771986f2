// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the fault of contact filters and contact modifiers with one fault each,
// and those of Sinew and of the samples have none.

#include "conformance.h"
#include "default_engine.h"
#include "german_locale.h"
#include "sinew/contact.h"
#include "sinew/filter.h"

enum {
  // of both
  WRITES_BEHIND = NKINDFAULTS,
  WRITES_PAIRS,   // of a filter
  COUNTS_DOWN,    // changes the struct of the contacts
  MOVES_GEOMS,
  // of filters
  KEEPS_TWICE,
  BY_PLACE,
  BY_FIRST,
  // of modifiers
  NEGATIVE,
  NOT_A_NUMBER,
  TWO_DIRECTIONS,
  KEEPS_HALF,
  BOUNCES_HIGHER,
  BY_VELOCITY,
  BY_CONTROL,
  MOVES_CONTACTS,
};

static int something;
static sn_field xpos, qvel, ctrl;

static sn_status find_fields(const sn_model_view *model, void **bound, sn_error *e) {
  const sn_host *host = sn_engine_host(sn_model_engine(model->model));
  const sn_fields_service *fields = host->query(host, SN_SERVICE_FIELDS);
  *bound = &something;
  SN_TRY(fields->data_field(model, "geom_xpos", SN_REAL, &xpos, e));
  SN_TRY(fields->data_field(model, "ctrl", SN_REAL, &ctrl, e));
  return fields->data_field(model, "qvel", SN_REAL, &qvel, e);
}

static void unbind(const void *self, void *bound) {
  (void)self, (void)bound;
}

// ------------------------------------------------------------------ a filter

static sn_status bind_filter(const void *self, const sn_model_view *model, void **bound,
                             sn_error *e) {
  (void)self;
  return find_fields(model, bound, e);
}

// Pairs whose centers are at nearly the same height collide.
static sn_status select_pairs(const void *self, const void *bound, const sn_data_view *data,
                              int64_t n, const int32_t *geom1, const int32_t *geom2, int32_t *keep,
                              sn_scratch *scratch) {
  (void)self, (void)bound, (void)scratch;
  double *pos = (double *)(uintptr_t)sn_field_reals(data->fields, xpos);
  const double wrong = common_fault();
  for (int64_t i = 0; i < n; i++) {
    const double apart = fabs(pos[3 * geom1[i] + 2] - pos[3 * geom2[i] + 2]);
    keep[i] = apart < 0.5;
    keep[i] = fault == BY_PLACE ? i % 2 == 0 : fault == BY_FIRST ? geom1[i] < geom2[i] : keep[i];
    keep[i] *= fault == KEEPS_TWICE ? 2 : 1;
  }
  keep[0] = wrong != 0 ? (int)wrong & 1 : keep[0];
  keep[1] = wrong != 0 ? ~(int)wrong & 1 : keep[1];
  if (fault == WRITES_BEHIND) {
    keep[n] = 0;
  } else if (fault == MOVES_GEOMS) {
    pos[0] += 1;
  } else if (fault == WRITES_PAIRS) {
    ((int32_t *)(uintptr_t)geom1)[0] = 0;
  }
  return common_status();
}

static const sn_filter_ops filter = {
  .head = { .size = sizeof filter, .summary = "a toy" },
  .bind = bind_filter,
  .unbind = unbind,
  .select = select_pairs,
};

// ------------------------------------------------------------------ a modifier

static sn_status bind_modifier(const void *self, const sn_model_view *model, const sn_value *values,
                               void **bound, sn_error *e) {
  (void)self, (void)values;
  return find_fields(model, bound, e);
}

// More friction where geoms are high; contacts that are deep are removed.
static sn_status modify(const void *self, const void *bound, const sn_data_view *data,
                        sn_contacts *c, sn_scratch *scratch) {
  (void)self, (void)bound, (void)scratch;
  double *pos = (double *)(uintptr_t)sn_field_reals(data->fields, xpos);
  for (int64_t i = 0; i < c->n; i++) {
    c->friction[5 * i] *= 1 + fabs(pos[3 * c->geom1[i] + 2]);
    c->keep[i] = c->dist[i] > -0.02;
  }
  c->friction[1] += common_fault();
  c->keep[0] = 1;
  switch (fault) {
    case WRITES_BEHIND: c->friction[5 * c->n] = 1; break;
    case MOVES_GEOMS: pos[0] += 1; break;
    case COUNTS_DOWN: c->n = 0; break;
    case NEGATIVE: c->friction[3] = -1; break;
    case NOT_A_NUMBER: c->solref[1] = NAN; break;
    case TWO_DIRECTIONS: c->dim[0] = 2; break;
    case KEEPS_HALF: c->keep[0] = 7; break;
    case BOUNCES_HIGHER: c->restitution[0] = 1.5; break;
    case BY_VELOCITY: c->margin[0] += sn_field_reals(data->fields, qvel)[0]; break;
    case BY_CONTROL: c->margin[0] += sn_field_reals(data->fields, ctrl)[0]; break;
    case MOVES_CONTACTS: ((double *)(uintptr_t)c->pos)[0] += 1; break;
    default: break;
  }
  return common_status();
}

static const sn_contact_ops modifier = {
  .head = { .size = sizeof modifier, .summary = "a toy" },
  .bind = bind_modifier,
  .unbind = unbind,
  .modify = modify,
};

// ------------------------------------------------------------------ what is found

#define FILTER SN_KIND_FILTER, &filter
#define MODIFIER SN_KIND_CONTACT, &modifier
static const planted faults[] = {
  { FILTER, NO_FAULT, NULL, NULL, NULL },
  { FILTER, FAILS, "calls", "select returns SN_EINVAL", NULL },
  { FILTER, FORGETS_NOTHING, "same bits", "keep differs", "|order|swapped|" },
  { FILTER, COLLIDES, "threads", "keep differs", NULL },
  { FILTER, LOCALIZED, "locale", "keep differs", NULL },
  { FILTER, WRITES_PAIRS, "inputs", "select changes geom1", "|same bits|symmetric|order|" },
  { FILTER, WRITES_BEHIND, "outputs", "past the end of keep", NULL },
  { FILTER, MOVES_GEOMS, "inputs", "changes geom_xpos", NULL },
  { FILTER, KEEPS_TWICE, "keep", "", NULL },
  { FILTER, BY_PLACE, "order", "the order of the pairs", NULL },
  { FILTER, BY_FIRST, "swapped", "which is first", NULL },
  { MODIFIER, NO_FAULT, NULL, NULL, NULL },
  { MODIFIER, FAILS, "calls", "modify returns SN_EINVAL", NULL },
  { MODIFIER, FORGETS_NOTHING, "same bits", "friction differs", "|positions only|" },
  { MODIFIER, COLLIDES, "threads", "friction differs", NULL },
  { MODIFIER, LOCALIZED, "locale", "friction differs", NULL },
  { MODIFIER, COUNTS_DOWN, "inputs", "modify changes a struct of its arguments", NULL },
  { MODIFIER, WRITES_BEHIND, "outputs", "past the end of friction", NULL },
  { MODIFIER, MOVES_GEOMS, "inputs", "changes geom_xpos", "|positions only|" },
  { MODIFIER, NEGATIVE, "contacts", "friction coefficient is negative", NULL },
  { MODIFIER, NOT_A_NUMBER, "contacts", "solref is not finite", NULL },
  { MODIFIER, BOUNCES_HIGHER, "contacts", "restitution is not from 0 to 1", NULL },
  { MODIFIER, TWO_DIRECTIONS, "contacts", "dim is not 1, 3, 4 or 6", NULL },
  { MODIFIER, KEEPS_HALF, "contacts", "keep is neither 0 nor 1", NULL },
  { MODIFIER, BY_VELOCITY, "positions only", "margin depends on velocities", NULL },
  { MODIFIER, BY_CONTROL, "positions only", "margin depends on velocities", NULL },
  { MODIFIER, MOVES_CONTACTS, "inputs", "changes geoms, pos", NULL },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(kit_finds_the_fault) {
  fault = faults[_i].fault;
  if (fault != LOCALIZED || find_german()) {
    expect_finding(&faults[_i]);
  }
}
END_TEST

START_TEST(modifiers_of_sinew_and_samples_pass) {
  open_engine();
  OK(sn_engine_load_plugin(engine, "fp", SN_TEST_BUILD "/samples/friction_pair.so", error));
  ck_assert_int_eq(expect_all_pass(engine, SN_KIND_CONTACT), 4);
  close_engine();
}
END_TEST

START_TEST(each_requirement_has_a_fault) {
  open_engine();
  fault = NO_FAULT;
  expect_covered(engine, SN_KIND_FILTER, faults, NFAULTS, sizeof faults[0]);
  expect_covered(engine, SN_KIND_CONTACT, faults, NFAULTS, sizeof faults[0]);
  close_engine();
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
  TEST(modifiers_of_sinew_and_samples_pass);
  TEST(each_requirement_has_a_fault);
}
