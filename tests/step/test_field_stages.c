// SPDX-License-Identifier: Apache-2.0
//
// Column `stage` of fields_data.h is true. The stages of a step run one by one, on a model in which
// every array has numbers. What a stage changes names that stage, and what a stage is named for
// changes in it.

#include <stdlib.h>

#include "constraint/constraint.h"
#include "contact/contact.h"
#include "data/fields.h"
#include "data/sleep.h"
#include "random_state.h"
#include "sinew/controller.h"
#include "step/pipeline.h"
#include "step/sensors.h"
#include "suite.h"
#include "toy_plugin.h"

// ------------------------------------------------------------------ the stages

static void kinematics(const sn_model *m, sn_data *d) {
  si_dyn_kinematics(m, d);
}
static void com(const sn_model *m, sn_data *d) {
  si_dyn_com(m, d);
}
static void camlight(const sn_model *m, sn_data *d) {
  si_dyn_camlight(m, d);
}
static void tendon(const sn_model *m, sn_data *d) {
  si_dyn_tendon(m, d);
}
static void inertia(const sn_model *m, sn_data *d) {
  si_dyn_inertia(m, d, d->worker);
}
static void factor(const sn_model *m, sn_data *d) {
  si_dyn_factor(m, d, d->worker);
}
static void collide(const sn_model *m, sn_data *d) {
  OK(si_collide(m, d, d->worker));
}
static void constraint(const sn_model *m, sn_data *d) {
  OK(si_constraint_make(m, d, d->worker));
}
static void island(const sn_model *m, sn_data *d) {
  si_constraint_islands(m, d, d->worker);
}
static void transmission(const sn_model *m, sn_data *d) {
  si_dyn_transmission(m, d, d->worker);
}
static void sense_position(const sn_model *m, sn_data *d) {
  d->computed = 0;
  OK(si_sense(m, d, d->worker, SN_STAGE_POSITION));
}
static void velocity(const sn_model *m, sn_data *d) {
  si_dyn_velocity(m, d);
}
static void comvel(const sn_model *m, sn_data *d) {
  si_dyn_comvel(m, d);
}
static void passive(const sn_model *m, sn_data *d) {
  OK(si_dyn_passive(m, d, d->worker));
}
static void reference(const sn_model *m, sn_data *d) {
  si_constraint_reference(m, d, d->worker);
}
static void rne(const sn_model *m, sn_data *d) {
  si_dyn_rne(m, d, d->worker, NULL, d->qfrc_bias);
}
static void subtree(const sn_model *m, sn_data *d) {
  si_dyn_subtree(m, d);
  d->computed |= SI_HAS_SUBTREE;   // so that sensors do not compute it
}
static void energy(const sn_model *m, sn_data *d) {
  si_dyn_energy_position(m, d);
  si_dyn_energy_velocity(m, d, d->worker);
}
static void sense_velocity(const sn_model *m, sn_data *d) {
  OK(si_sense(m, d, d->worker, SN_STAGE_VELOCITY));
}
static void control(const sn_model *m, sn_data *d) {
  OK(si_dyn_control(m, d, d->worker));
}
static void actuation(const sn_model *m, sn_data *d) {
  OK(si_dyn_actuation(m, d, d->worker));
}
static void smooth(const sn_model *m, sn_data *d) {
  si_dyn_smooth(m, d);
}
static void solve(const sn_model *m, sn_data *d) {
  OK(si_solve(m, d, d->worker));
}
static void rnepost(const sn_model *m, sn_data *d) {
  si_dyn_rne_post(m, d);
  d->computed |= SI_HAS_BODY_FORCES;
}
static void sense_acceleration(const sn_model *m, sn_data *d) {
  OK(si_sense(m, d, d->worker, SN_STAGE_ACCELERATION));
}
static void inverse(const sn_model *m, sn_data *d) {
  si_compare_inverse(m, d, d->worker);
}
static void integrate(const sn_model *m, sn_data *d) {
  OK(si_integrate(m, d, d->worker));
}
static void sleep_first(const sn_model *m, sn_data *d) {
  d->sleep.count[0] = 0;   // a list of one root
  si_sleep_update(m, d);
}

static const struct {
  const char *word;   // in column `stage`
  void (*run)(const sn_model *m, sn_data *d);
} stages[] = {
  { "kinematics", kinematics },
  { "com", com },
  { "camlight", camlight },
  { "tendon", tendon },
  { "inertia", inertia },
  { "factor", factor },
  { "collide", collide },
  { "constraint", constraint },
  { "island", island },
  { "transmission", transmission },
  { "sensors", sense_position },
  { "velocity", velocity },
  { "comvel", comvel },
  { "passive", passive },
  { "reference", reference },
  { "rne", rne },
  { "subtree", subtree },
  { "energy", energy },
  { "sensors", sense_velocity },
  { "control", control },
  { "actuation", actuation },
  { "smooth", smooth },
  { "solve", solve },
  { "rnepost", rnepost },
  { "sensors", sense_acceleration },
  { "inverse", inverse },
  { "state", integrate },
  { "sleep", sleep_first },
};
enum { NSTAGES = sizeof stages / sizeof *stages, NFIELDS = SI_NDATAFIELD + SI_NSTEPFIELD };

// ------------------------------------------------------------------ the column

#define COUNT(name, stage, meaning) stage,
#define FIELD(type, name, rows, cols, stage, unit, meaning) stage,
static const char *const count_stage[] = { SN_DATA_COUNTS(COUNT) };
static const char *const field_stage[] = { SN_DATA_FIELDS(FIELD) SN_STEP_FIELDS(FIELD) };

// Is a word in a list like "input, kinematics"?
static int is_named(const char *list, const char *word) {
  const size_t n = strlen(word);
  for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 2 : NULL) {
    if (strncmp(p, word, n) == 0 && (p[n] == ',' || p[n] == '\0')) {
      return 1;
    }
  }
  return 0;
}

// ------------------------------------------------------------------ before and after a stage

typedef struct snapshot {
  int64_t count[SI_NDATACOUNT];
  uint8_t *bytes[NFIELDS];   // NULL: no memory
  size_t n[NFIELDS];
} snapshot;

static void take(const sn_model *m, const sn_data *d, snapshot *s) {
  si_extent extent[NFIELDS];
  si_data_extents(m, extent);
  si_step_extents(d, extent + SI_NDATAFIELD);
  for (int i = 0; i < SI_NDATACOUNT; i++) {
    memcpy(&s->count[i], (const char *)d + si_data_count_table[i].offset, sizeof(int64_t));
  }
  for (int i = 0; i < NFIELDS; i++) {
    s->n[i] = (size_t)(extent[i].rows * extent[i].cols * si_data_field_table[i].bytes);
    s->bytes[i] = d->field[i] ? malloc(s->n[i] + 1) : NULL;
    if (s->bytes[i]) {
      memcpy(s->bytes[i], d->field[i], s->n[i]);
    }
  }
}

static void drop(snapshot *s) {
  for (int i = 0; i < NFIELDS; i++) {
    free(s->bytes[i]);
  }
}

static int count_changed[SI_NDATACOUNT][NSTAGES], field_changed[NFIELDS][NSTAGES];

// To make a field, or to set a count to zero, is not to compute it: other stages may do that. But
// it is work enough for a stage that the column names.
static void compare(int stage, const snapshot *a, const snapshot *b) {
  const char *word = stages[stage].word;
  for (int i = 0; i < SI_NDATACOUNT; i++) {
    if (a->count[i] != b->count[i] && b->count[i] != 0) {
      ck_assert_msg(is_named(count_stage[i], word), "%s is written by %s, not only by %s",
                    si_data_count_table[i].name, word, count_stage[i]);
      count_changed[i][stage]++;
    }
  }
  for (int i = 0; i < NFIELDS; i++) {
    const int made = !a->bytes[i] && b->bytes[i] && b->n[i] > 0;
    const int kept = a->bytes[i] && b->bytes[i] && a->n[i] == b->n[i];
    if (kept && memcmp(a->bytes[i], b->bytes[i], a->n[i]) != 0) {
      ck_assert_msg(is_named(field_stage[i], word), "%s is written by %s, not only by %s",
                    si_data_field_table[i].name, word, field_stage[i]);
      field_changed[i][stage]++;
    }
    field_changed[i][stage] += made;
  }
}

static void run_stages(const sn_model *m, sn_data *d) {
  si_data_clear_step(d);
  si_sleep_wake_all(m, d);
  for (int k = 0; k < NSTAGES; k++) {
    snapshot before, after;
    take(m, d, &before);
    stages[k].run(m, d);
    take(m, d, &after);
    compare(k, &before, &after);
    drop(&before);
    drop(&after);
  }
}

// Every stage that the column names was seen at work. Words that are no stage: the user writes
// inputs, and warnings may come from anywhere.
static void check_named(const char *name, const char *list, const int *changed) {
  for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 2 : NULL) {
    const size_t n = strcspn(p, ",");
    int known = strncmp(p, "input", n) == 0 || strncmp(p, "any", n) == 0, seen = known;
    for (int k = 0; k < NSTAGES; k++) {
      if (strlen(stages[k].word) == n && strncmp(stages[k].word, p, n) == 0) {
        known = 1;
        seen |= changed[k] > 0;
      }
    }
    ck_assert_msg(known, "%s: there is no stage '%s'", name, p);
    ck_assert_msg(seen, "%s: '%s' writes nothing there", name, p);
  }
}

// ------------------------------------------------------------------ a controller

// It brakes a dof, so that there are forces of controllers as well as controls.
static sn_status brake(const void *self, const void *bound, const sn_data_view *data,
                       const double *state, sn_controls *controls, sn_scratch *scratch) {
  (void)self;
  (void)bound;
  (void)state;
  (void)scratch;
  controls->qfrc[0] -= 0.1 * data->data->qvel[0];
  return SN_OK;
}

static const sn_controller_ops brake_ops = {
  .head = { .size = sizeof brake_ops, .flags = SN_CONTROLLER_NAMED, .summary = "a brake" },
  .bind = toy_bind,
  .unbind = toy_unbind,
  .control = brake,
};

// ------------------------------------------------------------------ a solver

// It reports contacts that it made softer.
static sn_status soften(const void *self, const sn_problem *problem, sn_solution *solution,
                        sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  memcpy(solution->qacc, problem->qacc_smooth, (size_t)problem->nv * sizeof(double));
  memset(solution->force, 0, (size_t)problem->nefc * sizeof(double));
  memset(solution->state, 0, (size_t)problem->nefc * sizeof(int32_t));
  solution->iterations = 1;
  solution->nsoftened = 1;
  return SN_OK;
}

static const sn_solver_ops soften_ops = {
  .head = { .size = sizeof soften_ops, .summary = "softens contacts" }, .solve = soften
};

// ------------------------------------------------------------------ tests

START_TEST(stages_write_their_fields) {
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_CONTROLLER, "brake", &brake_ops, error), SN_OK);
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_SOLVER, "soften", &soften_ops, error), SN_OK);
  sn_model *m = sn_load(engine, SN_TEST_SOURCE "/tests/step/every_field.xml", error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_data *d = sn_data_new(m, error);
  ck_assert_msg(d != NULL, "%s", sn_error_text(error));
  uint32_t seed = 1;
  for (int round = 0; round < 30; round++) {
    m->opt.iterations = round < 20 ? 100 : 0;   // the solver cannot converge
    if (round == 10 || round == 12) {
      const char *solver = round == 10 ? "soften" : "newton";
      ck_assert_int_eq(sn_model_parse_option(m, "solver", solver, error), SN_OK);
    }
    for (int64_t i = 0; i < m->nv; i++) {
      d->qvel[i] += 0.1 * uniform(&seed);
    }
    for (int64_t i = 0; i < m->nu; i++) {
      d->ctrl[i] = uniform(&seed);
    }
    d->mocap_quat[0] = 1 + 0.1 * uniform(&seed);
    run_stages(m, d);
  }
  si_extent extent[NFIELDS];
  si_data_extents(m, extent);
  for (int i = 0; i < SI_NDATACOUNT; i++) {
    check_named(si_data_count_table[i].name, count_stage[i], count_changed[i]);
  }
  for (int i = 0; i < NFIELDS; i++) {
    if (i >= SI_NDATAFIELD || extent[i].rows > 0) {   // sensors that keep a state are in a sample
      check_named(si_data_field_table[i].name, field_stage[i], field_changed[i]);
    }
  }
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(stages_write_their_fields);
}
