// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the fault of passive forces with one fault each; those of Sinew have
// none.

#include <fenv.h>
#include <locale.h>

#include "conformance.h"
#include "default_engine.h"
#include "german_locale.h"
#include "sinew/kinematics.h"
#include "sinew/math.h"
#include "sinew/passive.h"

enum {
  WRONG_SIGN = NKINDFAULTS,   // of the derivative
  FORGETS_CORNER,             // of the derivative
  UNDECLARED,                 // a coupling
  UNDECLARED_BUT_WRITTEN,     // into a dense derivative
  BAD_COUPLING,
  DENSE_ONLY,                 // ignores the pattern
  REPLACES_FORCES,
  NOT_A_NUMBER,
  WRITES_BEHIND,
  WRITES_STATE,
  STATE_BEHIND,
  MOVES_JOINTS,
  ENDLESS_STATE,
  NEGATIVE_STATES,
  CHANGING_STATES,
  NO_ADVANCE,
  RESETS_AT_RANDOM,
  NO_REACTION,   // on the second body
  OFF_THE_LINE,  // force and reaction do not lie on one line
  TURNS,         // one body, without a reaction
  SCRATCH_BEHIND,
  CHANGES_LOCALE,
  UNKNOWN_STATUS,
  BIND_WRITES,
  BIND_ODDLY,   // returns no status
  ROUNDS_UP,    // in advance
  WRITES_PATTERN,
  DAMAGES_SCRATCH,
  STIFF_UNDECLARED,   // an entry of the stiffness
  STIFF_REPLACED,     // what was there
  STIFF_SIGN,         // of the stiffness
  STIFF_TWICE,
  JUMPS,              // in advance, whatever the time step
  SITES_UNDECLARED,   // a coupling between the branches of two sites that the model names
  ONE_FOR_ALL,        // several simulations get the velocities of the first
  LANES_REPLACED,     // forces of several simulations replace those before
  LANES_ROUND,        // in another way than those of one
  LANES_BEHIND        // are written behind qfrc, too
};

enum { FIRST = 0, SECOND = 11 };   // dofs in different trees

// A damper between two dofs in different trees, -c (v0 - v1), and a force that is kept as a state.
typedef struct toy {
  sn_field qpos, qvel;
  int64_t nv;
} toy;

static const double damping = 0.7;

static sn_status bind(const void *self, const sn_model_view *model, const sn_value *values,
                      void **bound, sn_error *e) {
  const sn_host *host = sn_engine_host(sn_model_engine(model->model));
  const sn_fields_service *fields = host->query(host, SN_SERVICE_FIELDS);
  toy *t = calloc(1, sizeof *t);
  (void)self, (void)values;
  t->nv = snm_nv(model->model);
  *bound = t;
  sn_view mass = { .size = sizeof mass };
  if (fault == BIND_WRITES &&
      sn_model_field((sn_model *)(uintptr_t)model->model, "body_mass", &mass) >= 0) {
    ((double *)mass.p)[1] *= 1.5;
  }
  SN_TRY(fields->data_field(model, "qpos", SN_REAL, &t->qpos, e));
  SN_TRY(fields->data_field(model, "qvel", SN_REAL, &t->qvel, e));
  return fault == BIND_ODDLY ? 7 : SN_OK;
}

static void unbind(const void *self, void *bound) {
  (void)self;
  free(bound);
}

static int64_t states(const void *self, const void *bound) {
  static int64_t n;
  (void)self, (void)bound;
  return fault == NEGATIVE_STATES ? -1 : fault == CHANGING_STATES ? ++n % 2 : 1;
}

static sn_status reset(const void *self, const void *bound, const sn_data_view *data,
                       double *state) {
  static int resets;
  (void)self, (void)bound, (void)data;
  state[0] = fault == RESETS_AT_RANDOM ? ++resets : 0.25;
  return SN_OK;
}

static sn_status couples(const void *self, const void *bound, sn_couplings *couplings) {
  const int32_t dofs[] = { FIRST, fault == BAD_COUPLING ? 1000 : SECOND };
  (void)self, (void)bound;
  const int is_declared = fault != UNDECLARED && fault != UNDECLARED_BUT_WRITTEN;
  return is_declared ? couplings->add(couplings, 2, dofs) : SN_OK;
}

static sn_status apply(const void *self, const void *bound, const sn_data_view *data,
                       const double *state, double *qfrc, sn_scratch *scratch) {
  const toy *t = bound;
  double *v = (double *)(uintptr_t)sn_field_reals(data->fields, t->qvel);
  const double force = -damping * (v[FIRST] - v[SECOND]) + state[0] + common_fault();
  (void)self;
  qfrc[FIRST] = (fault == REPLACES_FORCES ? 0 : qfrc[FIRST]) + force;
  qfrc[SECOND] -= force;
  if (fault == NOT_A_NUMBER) {
    qfrc[1] = NAN;
  } else if (fault == WRITES_BEHIND) {
    qfrc[t->nv] = 0;
  } else if (fault == WRITES_STATE) {
    ((double *)(uintptr_t)state)[0] += 1;
  } else if (fault == MOVES_JOINTS) {
    v[1] += 1;
  } else if (fault == SCRATCH_BEHIND) {
    double *room = scratch->alloc(scratch, 3 * sizeof *room, 8);
    ck_assert_ptr_nonnull(room);
    room[3] = 1;
  } else if (fault == DAMAGES_SCRATCH) {
    scratch->alloc = NULL;
  } else if (fault == CHANGES_LOCALE) {
    setlocale(LC_ALL, "C.UTF-8");
  }
  return fault == UNKNOWN_STATUS ? 777 : common_status();
}

static void add(const sn_sparse *pattern, double *D, int32_t row, int32_t col, double x) {
  for (int32_t k = 0; k < pattern->nnz[row]; k++) {
    if (pattern->col[pattern->adr[row] + k] == col) {
      D[pattern->adr[row] + k] += x;
    }
  }
}

static sn_status derivative(const void *self, const void *bound, const sn_data_view *data,
                            const double *state, const sn_sparse *pattern, double *D,
                            sn_scratch *scratch) {
  const toy *t = bound;
  const double c = fault == WRONG_SIGN ? -damping : damping;
  (void)self, (void)data, (void)state, (void)scratch;
  if (fault == UNDECLARED) {
    add(pattern, D, FIRST, FIRST, -c);
    add(pattern, D, SECOND, SECOND, -c);
    return SN_OK;
  }
  add(pattern, D, FIRST, FIRST, -c);
  add(pattern, D, FIRST, SECOND, c);
  if (fault != FORGETS_CORNER) {
    add(pattern, D, SECOND, FIRST, c);
  }
  if (fault == WRITES_PATTERN) {
    ((int32_t *)(uintptr_t)pattern->col)[pattern->adr[0]] ^= 1;
  }
  if (fault == DENSE_ONLY) {   // finds the diagonal by its column, where all columns are there
    D[pattern->adr[SECOND] + (pattern->nnz[SECOND] == t->nv ? SECOND : 0)] -= c;
  } else {
    add(pattern, D, SECOND, SECOND, -c);
  }
  return SN_OK;
}

static sn_status advance(const void *self, const void *bound, const sn_data_view *data, double h,
                         double *state, sn_scratch *scratch) {
  const toy *t = bound;
  (void)self, (void)scratch;
  state[0] += h * sn_field_reals(data->fields, t->qvel)[FIRST] + (fault == JUMPS ? 0.1 : 0);
  if (fault == ENDLESS_STATE) {
    state[0] = INFINITY;
  } else if (fault == STATE_BEHIND) {
    state[1] = 0;
  } else if (fault == ROUNDS_UP) {
    fesetround(FE_UPWARD);
  }
  return SN_OK;
}

static const sn_passive_ops ops = {
  .head = { .size = sizeof ops, .flags = SN_PASSIVE_NAMED, .summary = "a toy" },
  .bind = bind,
  .unbind = unbind,
  .states = states,
  .reset = reset,
  .couples = couples,
  .apply = apply,
  .derivative = derivative,
  .advance = advance,
};

static const sn_passive_ops without_advance = {
  .head = { .size = sizeof ops, .flags = SN_PASSIVE_NAMED, .summary = "a toy" },
  .bind = bind,
  .unbind = unbind,
  .states = states,
  .apply = apply,
};

// ------------------------------------------------------------------ an internal force

// Pulls the bodies "base" and "cart" towards each other, f = -k (p1 - p2).
typedef struct pull {
  int32_t body[2];
  sn_field xpos;
  const sn_kinematics_service *kinematics;
} pull;

static sn_status bind_pull(const void *self, const sn_model_view *model, const sn_value *values,
                           void **bound, sn_error *e) {
  const sn_host *host = sn_engine_host(sn_model_engine(model->model));
  const sn_fields_service *fields = host->query(host, SN_SERVICE_FIELDS);
  pull *p = calloc(1, sizeof *p);
  (void)self, (void)values;
  p->kinematics = host->query(host, SN_SERVICE_KINEMATICS);
  p->body[0] = sn_find(model->model, "body", "base");
  p->body[1] = sn_find(model->model, "body", "cart");
  *bound = p;
  return fields->data_field(model, "xpos", SN_REAL, &p->xpos, e);
}

static sn_status apply_pull(const void *self, const void *bound, const sn_data_view *data,
                            const double *state, double *qfrc, sn_scratch *scratch) {
  const pull *p = bound;
  const double *xpos = sn_field_reals(data->fields, p->xpos), turn[3] = { 0, 0, 1 };
  double force[3];
  (void)self, (void)state, (void)scratch;
  sn_sub3(force, xpos + 3 * p->body[1], xpos + 3 * p->body[0]);
  for (int i = 0; i < 2; i++) {
    double point[3];
    sn_scale3(force, force, i == 0 ? 1 : -1);
    sn_copy3(point, xpos + 3 * p->body[i]);
    point[1] += fault == OFF_THE_LINE ? 1e-3 * i : 0;
    if (fault != NO_REACTION || i == 0) {
      p->kinematics->apply(data, p->body[i], point, force, NULL, qfrc);
    }
  }
  if (fault == TURNS) {
    p->kinematics->apply(data, p->body[0], xpos, NULL, turn, qfrc);
  }
  return SN_OK;
}

static const sn_passive_ops internal = {
  .head = { .size = sizeof internal,
            .flags = SN_PASSIVE_NAMED | SN_PASSIVE_INTERNAL,
            .summary = "a toy" },
  .bind = bind_pull,
  .unbind = unbind,
  .apply = apply_pull,
};

// The same, not declared as internal.
static const sn_passive_ops external = {
  .head = { .size = sizeof external, .flags = SN_PASSIVE_NAMED, .summary = "a toy" },
  .bind = bind_pull,
  .unbind = unbind,
  .apply = apply_pull,
};

// ------------------------------------------------------------------ two sites

// A damper between the points of two sites, -c (v1 - v2).
typedef struct damper {
  int64_t nv;
  int32_t site[2], body[2];
  double damping;
  sn_field site_xpos, qvel;
  const sn_model_view *model;
  const sn_kinematics_service *kinematics;
} damper;

static sn_status bind_damper(const void *self, const sn_model_view *model, const sn_value *values,
                             void **bound, sn_error *e) {
  const sn_host *host = sn_engine_host(sn_model_engine(model->model));
  const sn_fields_service *fields = host->query(host, SN_SERVICE_FIELDS);
  (void)self;
  if (values[0].integer < 0 || values[1].integer < 0) {
    return SN_OK;
  }
  damper *d = calloc(1, sizeof *d);
  d->nv = snm_nv(model->model);
  d->damping = values[2].real;
  d->model = model;
  d->kinematics = host->query(host, SN_SERVICE_KINEMATICS);
  for (int i = 0; i < 2; i++) {
    d->site[i] = (int32_t)values[i].integer;
    d->body[i] = snm_site_bodyid(model->model)[d->site[i]];
  }
  *bound = d;
  SN_TRY(fields->data_field(model, "site_xpos", SN_REAL, &d->site_xpos, e));
  return fields->data_field(model, "qvel", SN_REAL, &d->qvel, e);
}

static sn_status couple_sites(const void *self, const void *bound, sn_couplings *couplings) {
  const damper *d = bound;
  int32_t dof[64];
  (void)self;
  int64_t n = d->kinematics->chain(d->model, d->body[0], dof);
  n += d->kinematics->chain(d->model, d->body[1], dof + n);
  return fault == SITES_UNDECLARED ? SN_OK : couplings->add(couplings, n, dof);
}

// The Jacobian of the difference of the points, 3 x nv.
static void difference(const damper *d, const sn_data_view *data, double *J) {
  const double *xpos = sn_field_reals(data->fields, d->site_xpos);
  memset(J, 0, (size_t)(3 * d->nv) * sizeof *J);
  for (int i = 0; i < 2; i++) {
    d->kinematics->jacobian(data, d->body[i], xpos + 3 * d->site[i], i == 0 ? 1 : -1, J, NULL);
  }
}

static sn_status apply_damper(const void *self, const void *bound, const sn_data_view *data,
                              const double *state, double *qfrc, sn_scratch *scratch) {
  const damper *d = bound;
  const double *qvel = sn_field_reals(data->fields, d->qvel);
  double J[3 * 64];
  (void)self, (void)state, (void)scratch;
  difference(d, data, J);
  for (int k = 0; k < 3; k++) {
    const double *row = J + k * d->nv;
    double v = 0;
    for (int64_t i = 0; i < d->nv; i++) {
      v += row[i] * qvel[i];
    }
    for (int64_t i = 0; i < d->nv; i++) {
      qfrc[i] -= d->damping * row[i] * v;
    }
  }
  return SN_OK;
}

static sn_status derive_damper(const void *self, const void *bound, const sn_data_view *data,
                               const double *state, const sn_sparse *pattern, double *D,
                               sn_scratch *scratch) {
  const damper *d = bound;
  double J[3 * 64];
  (void)self, (void)state, (void)scratch;
  difference(d, data, J);
  for (int64_t i = 0; i < d->nv; i++) {
    for (int32_t n = 0; n < pattern->nnz[i]; n++) {
      const int64_t at = pattern->adr[i] + n, j = pattern->col[at];
      for (int64_t k = 0; k < 3 * d->nv; k += d->nv) {
        D[at] -= d->damping * J[k + i] * J[k + j];
      }
    }
  }
  return SN_OK;
}

#define SITE(key) \
  { .name = key, .default_value = "", .choices = "site", .type = SN_PARAM_REFERENCE, .summary = key }
static const sn_param damper_attributes[] = {
  SITE("site1"),
  SITE("site2"),
  { .name = "damping",
    .default_value = "0",
    .type = SN_PARAM_REAL,
    .min = 0,
    .max = 1e6,
    .summary = "c, N s/m" },
  { .name = NULL },
};

static const sn_passive_ops sites = {
  .head = { .size = sizeof sites, .flags = SN_PASSIVE_NAMED, .summary = "a toy" },
  .attributes = damper_attributes,
  .bind = bind_damper,
  .unbind = unbind,
  .couples = couple_sites,
  .apply = apply_damper,
  .derivative = derive_damper,
};

// ------------------------------------------------------------------ stiffness

static sn_status couples_stiff(const void *self, const void *bound, sn_couplings *couplings) {
  static const int32_t pair[2] = { FIRST, SECOND };
  (void)self, (void)bound;
  return fault == STIFF_UNDECLARED ? SN_OK : couplings->add_stiff(couplings, 2, pair);
}

static const double spring = 3;   // N/m

// Addresses of the dofs in qpos.
enum { FIRST_QPOS = 0, SECOND_QPOS = 13 };

static sn_status apply_spring(const void *self, const void *bound, const sn_data_view *data,
                              const double *state, double *qfrc, sn_scratch *scratch) {
  const toy *t = bound;
  const double *qpos = sn_field_reals(data->fields, t->qpos);
  const double force = -spring * (qpos[FIRST_QPOS] - qpos[SECOND_QPOS]);
  (void)self, (void)state, (void)scratch;
  qfrc[FIRST] += force;
  qfrc[SECOND] -= force;
  return SN_OK;
}

static sn_status stiffness(const void *self, const void *bound, const sn_data_view *data,
                           const double *state, const sn_sparse *pattern, double *K,
                           sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)scratch;
  const double k = spring * (fault == STIFF_SIGN ? -1 : fault == STIFF_TWICE ? 2 : 1);
  add(pattern, K, FIRST, FIRST, -k);
  add(pattern, K, FIRST, SECOND, k);
  add(pattern, K, SECOND, FIRST, k);
  add(pattern, K, SECOND, SECOND, -k);
  if (fault == STIFF_REPLACED) {
    K[pattern->adr[FIRST]] = -k;
  }
  return SN_OK;
}

// Does not depend on velocity.
static const sn_passive_ops stiff = {
  .head = { .size = sizeof stiff, .flags = SN_PASSIVE_NAMED, .summary = "a toy" },
  .bind = bind,
  .unbind = unbind,
  .couples = couples_stiff,
  .apply = apply_spring,
  .stiffness = stiffness,
};

// ------------------------------------------------------------------ several simulations

static sn_status drag(const void *self, const void *bound, const sn_data_view *data,
                      const double *state, double *qfrc, sn_scratch *scratch) {
  const toy *t = bound;
  const double *v = sn_field_reals(data->fields, t->qvel);
  (void)self, (void)state, (void)scratch;
  for (int64_t i = 0; i < t->nv; i++) {
    qfrc[i] -= damping * v[i] * 3;
  }
  return SN_OK;
}

static sn_status drag_lanes(const void *self, const void *bound, const sn_data_view *data,
                            int64_t width, double *qfrc, sn_scratch *scratch) {
  const toy *t = bound;
  const double *v = sn_field_reals(data->fields, t->qvel);
  (void)self, (void)scratch;
  for (int64_t i = 0; i < t->nv * width; i++) {
    const double speed = v[fault == ONE_FOR_ALL ? i - i % width : i];
    const double force = fault == LANES_ROUND ? damping * (speed * 3) : damping * speed * 3;
    qfrc[i] = (fault == LANES_REPLACED ? 0 : qfrc[i]) - force;
  }
  if (fault == LANES_BEHIND) {
    qfrc[t->nv * width] = 0;
  }
  return SN_OK;
}

static const sn_passive_ops several = {
  .head = { .size = sizeof several, .flags = SN_PASSIVE_NAMED, .summary = "a toy" },
  .bind = bind,
  .unbind = unbind,
  .apply = drag,
  .apply_lanes = drag_lanes,
};

// ------------------------------------------------------------------ what is found

#define TOY SN_KIND_PASSIVE, &ops
#define INTERNAL SN_KIND_PASSIVE, &internal
#define SEVERAL SN_KIND_PASSIVE, &several
static const planted faults[] = {
  { TOY, NO_FAULT, NULL, NULL, NULL },
  { TOY, FAILS, "calls", "apply returns SN_EINVAL", NULL },
  { TOY, FORGETS_NOTHING, "same bits", "apply: qfrc differs", NULL },
  { TOY, COLLIDES, "threads", "apply: qfrc differs", NULL },
  { TOY, LOCALIZED, "locale", "apply: qfrc differs", NULL },
  { TOY, WRONG_SIGN, "derivative", "is 0.7; differences of apply give -0.7", NULL },
  { TOY, FORGETS_CORNER, "derivative", "d qfrc[11] / d qvel[0] is 0; differences", NULL },
  { TOY, DAMAGES_SCRATCH, "inputs", "apply changes the struct sn_scratch", NULL },
  { TOY, WRITES_PATTERN, "inputs", "derivative changes the pattern",
    "|derivative|pattern|same bits|couplings|" },
  { TOY, UNDECLARED, "couplings", "declare both dofs in `couples`", NULL },
  { TOY, UNDECLARED_BUT_WRITTEN, "couplings", "declare both dofs in `couples`", NULL },
  { TOY, BAD_COUPLING, "couplings", "a dof that the model does not have", "|derivative|" },
  { TOY, DENSE_ONLY, "pattern", "of D on a dense pattern", NULL },
  { TOY, REPLACES_FORCES, "forces", "apply overwrites what is in qfrc", NULL },
  { TOY, NOT_A_NUMBER, "finite", "apply writes nan to qfrc[1]", NULL },
  { TOY, WRITES_BEHIND, "outputs", "past the end of qfrc", NULL },
  { TOY, WRITES_STATE, "inputs", "apply changes the state", "|same bits|forces|derivative|" },
  { TOY, STATE_BEHIND, "outputs", "past the end of state", NULL },
  { TOY, MOVES_JOINTS, "inputs", "apply changes qvel", "|same bits|derivative|" },
  { TOY, ENDLESS_STATE, "finite", "advance writes inf to state[0]", NULL },
  { TOY, JUMPS, "advance", "state[0] changes by 0.1", NULL },
  { TOY, NEGATIVE_STATES, "states", "states returns -1", NULL },
  { TOY, CHANGING_STATES, "states", "states returns 1, then 0; the number must not", NULL },
  { SN_KIND_PASSIVE, &without_advance, NO_ADVANCE, "states", "the operation 'advance' is missing",
    NULL },
  { TOY, RESETS_AT_RANDOM, "same bits", "reset: state differs", NULL },
  { TOY, SCRATCH_BEHIND, "outputs", "apply writes byte 1 past the scratch memory", NULL },
  { TOY, CHANGES_LOCALE, "locale", "apply changes the locale of the process from", NULL },
  { TOY, UNKNOWN_STATUS, "calls", "apply returns 777, which is not a status", NULL },
  { TOY, BIND_ODDLY, "bind", "bind returns 7, which is not a status", NULL },
  { TOY, ROUNDS_UP, "outputs", "advance changes the floating-point environment", NULL },
  { TOY, BIND_WRITES, "bind", "bind changes body_mass", NULL },
  { SN_KIND_PASSIVE, &stiff, NO_FAULT, NULL, NULL, NULL },
  { SN_KIND_PASSIVE, &stiff, STIFF_UNDECLARED, "couplings", "stiffness writes entry (0, 11)",
    NULL },
  { SN_KIND_PASSIVE, &stiff, STIFF_REPLACED, "pattern", "of K on a dense pattern", NULL },
  { SN_KIND_PASSIVE, &stiff, STIFF_SIGN, "stiffness", "it is 6; differences of apply give -6",
    NULL },
  { SN_KIND_PASSIVE, &stiff, STIFF_TWICE, "stiffness", "it is -12; differences of apply give -6",
    NULL },
  { SN_KIND_PASSIVE, &sites, NO_FAULT, NULL, NULL, NULL },
  { SN_KIND_PASSIVE, &sites, SITES_UNDECLARED, "couplings", "declare both dofs in `couples`",
    NULL },
  { SEVERAL, NO_FAULT, NULL, NULL, NULL },
  { SEVERAL, ONE_FOR_ALL, "lanes", "of simulation 1 of 3", NULL },
  { SEVERAL, LANES_REPLACED, "lanes", "apply_lanes makes qfrc", NULL },
  { SEVERAL, LANES_ROUND, "lanes", "apply_lanes makes qfrc", NULL },
  { SEVERAL, LANES_BEHIND, "outputs", "apply_lanes", "|lanes|" },
  { INTERNAL, NO_FAULT, NULL, NULL, NULL },
  { INTERNAL, NO_REACTION, "momentum", "SN_PASSIVE_INTERNAL declares that both sums are zero",
    NULL },
  { INTERNAL, OFF_THE_LINE, "momentum", "the sum of its forces is 0 and that of its torques",
    NULL },
  { INTERNAL, TURNS, "momentum", "the sum of its forces is 0 and that of its torques", NULL },
  { SN_KIND_PASSIVE, &external, TURNS, NULL, NULL, NULL },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(kit_finds_the_fault) {
  fault = faults[_i].fault;
  if (fault != LOCALIZED || find_german()) {
    expect_finding(&faults[_i]);
  }
  setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(forces_of_sinew_pass) {
  open_engine();
  ck_assert_int_eq(expect_all_pass(engine, SN_KIND_PASSIVE), 4);
  close_engine();
}
END_TEST

static void take_threads(void *context, const char *requirement, int result, const char *detail) {
  if (strcmp(requirement, "threads") == 0) {
    ck_assert_str_eq(detail, "the plugin has the flag SN_OPS_SERIAL");
    *(int *)context = result;
  }
}

// A force that must not be called from several threads at once says so, and is not.
START_TEST(serial_force_is_called_by_one_thread) {
  sn_passive_ops serial = ops;
  serial.head.flags |= SN_OPS_SERIAL;
  const sn_provider_info provider = {
    .size = sizeof provider, .kind = SN_KIND_PASSIVE, .name = "toy", .ops = &serial
  };
  int threads = KIT_FAILED;
  fault = COLLIDES;
  open_engine();
  ck_assert_int_eq(kit_test(engine, &provider, take_threads, &threads), 0);
  ck_assert_int_eq(threads, KIT_SKIPPED);
  close_engine();
}
END_TEST

START_TEST(each_requirement_has_a_fault) {
  open_engine();
  fault = NO_FAULT;
  expect_covered(engine, SN_KIND_PASSIVE, faults, NFAULTS, sizeof faults[0]);
  close_engine();
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
  TEST(forces_of_sinew_pass);
  TEST(serial_force_is_called_by_one_thread);
  TEST(each_requirement_has_a_fault);
}
