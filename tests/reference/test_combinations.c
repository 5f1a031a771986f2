// SPDX-License-Identifier: Apache-2.0
//
// Every solver, with every integrator, cone and Jacobian, a thousand steps of a
// humanoid that falls onto the floor and of a model with every kind of row, against the reference
// engine with Newton's method. The problem of a step has one solution, so that every solver must
// find the reference's.
//
//   on the path    from the states that the reference goes through: one step of both, with the same
//                  contacts and rows, to the same velocity and position
//   free           beside it from the first state on, never corrected
//
// Free runs stay together for as long as contacts let them. On the humanoid a difference of one
// rounding grows about tenfold every 120 steps, to 3e-5 at the thousandth in the worst combination;
// on the model of all rows it does not grow (6e-14 of newton, 4e-11 of cg, which solves as far).
//
// The reference knows no implicitfast. In these models joint damping is all that depends on
// velocity, where implicitfast is euler by definition: its path and its free runs are those of
// euler. On the path it is also held to its definition, with derivatives by differences of the
// reference's own forces.

#include "reference/pair.h"
#include "suite.h"

static const char *const models[] = { "/usr/share/mujoco/model/humanoid/humanoid.xml",
                                      SN_TEST_SOURCE "/samples/models/rows.xml" };
static const char *const model_names[] = { "humanoid", "rows" };
static const char *const integrators[] = { "euler", "implicit", "rk4", "implicitfast" };
static const int their_integrator[] = { mjINT_EULER, mjINT_IMPLICIT, mjINT_RK4 };
static const char *const cones[] = { "pyramidal", "elliptic" };
static const char *const jacobians[] = { "dense", "sparse" };
enum { NMODEL = 2, NTHEIRS = 3, NCONE = 2, NJACOBIAN = 2, EULER = 0, IMPLICITFAST = 3 };
enum { NCOURSE = NMODEL * NTHEIRS * NCONE, MOST_LANES = 2 * NJACOBIAN };
enum { STEPS = 1000, EVERY_DEFINITION = 50 };

// How one solver is run and judged.
typedef struct contest {
  const char *solver;
  const char *tolerance, *iterations;   // on the path and, when `together`, of free runs
  int every;        // on the path: every so many steps, a divisor of EVERY_DEFINITION
  double on_path;   // most difference of velocity / timestep, relative to the largest qacc
  int together;     // free runs are compared; else they run with the model's own tolerance
} contest;

static const contest contests[] = {
  { "newton", "0", "100", 5, 1e-8, 1 },
  { "cg", "1e-22", "2000", 10, 1e-8, 1 },
  { "pgs", "1e-22", "10000", 25, 1e-8, 0 },
};
enum { NCONTEST = sizeof contests / sizeof contests[0] };

// Free runs: difference relative to the largest number, up to a step.
static const struct {
  int until;
  double allowed[NMODEL];
} apart[] = { { 40, { 1e-11, 1e-10 } }, { 500, { 1e-6, 1e-9 } }, { STEPS, { 1e-3, 1e-9 } } };

// A course is one run of the reference, along which one or two of our integrators run.
typedef struct course {
  int model, theirs, cone;
} course;

typedef struct lane {
  int integrator;
  pair path;   // steps from the reference's states
  pair free;   // runs on its own
  char name[128];
} lane;

// ------------------------------------------------------------------ both sides

static void open_lane(lane *r, const pair *reference, const contest *c, const course *k, int n) {
  int j = n % NJACOBIAN;
  r->integrator = n < NJACOBIAN ? k->theirs : IMPLICITFAST;
  const char *const common[][2] = { { "solver", c->solver },
                                    { "integrator", integrators[r->integrator] },
                                    { "cone", cones[k->cone] },
                                    { "jacobian", jacobians[j] } };
  const char *const strict[][2] = { { "tolerance", c->tolerance },
                                    { "iterations", c->iterations } };
  snprintf(r->name, sizeof r->name, "%s, %s, %s, %s, %s", model_names[k->model], c->solver,
           integrators[r->integrator], cones[k->cone], jacobians[j]);
  pair *both[] = { &r->path, &r->free };
  for (int i = 0; i < 2; i++) {
    *both[i] = *reference;
    both[i]->model = sn_load(reference->engine, models[k->model], reference->error);
    ck_assert_msg(both[i]->model != NULL, "%s", sn_error_text(reference->error));
    for (int o = 0; o < 4; o++) {
      set_ours(both[i], common[o][0], common[o][1]);
    }
    for (int o = 0; o < 2 && (i == 0 || c->together); o++) {
      set_ours(both[i], strict[o][0], strict[o][1]);
    }
    both[i]->data = sn_data_new(both[i]->model, reference->error);
    ck_assert_ptr_nonnull(both[i]->data);
  }
  follow(&r->free);
}

static void close_lane(lane *r) {
  sn_data_free(r->path.data);
  sn_data_free(r->free.data);
  sn_model_free(r->path.model);
  sn_model_free(r->free.model);
}

static void open_reference(pair *p, const course *k) {
  ck_assert(open_pair(p, models[k->model]));
  ck_assert_int_eq(p->m->na, 0);
  p->m->opt.integrator = their_integrator[k->theirs];
  p->m->opt.cone = k->cone ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  p->m->opt.solver = mjSOL_NEWTON;
  p->m->opt.tolerance = 0;
  p->m->opt.iterations = 100;
  if (p->m->nkey) {
    mj_resetDataKeyframe(p->m, p->d, 0);
  }
}

// ------------------------------------------------------------------ implicitfast by definition

// D_ij = d(passive + actuator force)_i / d v_j of the reference, by centered differences: the
// forces are linear in velocity here, so that a large step is exact.
static void differentiate(const mjModel *m, mjData *d, double *D) {
  const double step = 1e-2;
  int nv = m->nv;
  for (int j = 0; j < nv; j++) {
    double v = d->qvel[j];
    for (int side = -1; side <= 1; side += 2) {
      d->qvel[j] = v + side * step;
      mj_fwdVelocity(m, d);
      mj_fwdActuation(m, d);
      for (int i = 0; i < nv; i++) {
        double force = side * (d->qfrc_passive[i] + d->qfrc_actuator[i]) / (2 * step);
        D[i * nv + j] = side < 0 ? force : D[i * nv + j] + force;
      }
    }
    d->qvel[j] = v;
  }
}

// D has the sparsity of M: dofs on one path to the root.
static int related(const mjModel *m, int i, int j) {
  int low = i < j ? i : j, high = i < j ? j : i;
  while (high > low) {
    high = m->dof_parentid[high];
  }
  return high == low;
}

// v <- v + h (M - h (D + D') / 2)^-1 M qacc, q <- q + h v, in a copy of the reference's state.
static void step_by_definition(const mjModel *m, mjData *d) {
  int nv = m->nv;
  size_t square = (size_t)nv * (size_t)nv;
  double h = m->opt.timestep, *M = calloc(square, sizeof *M), *D = calloc(square, sizeof *D);
  double *a = calloc((size_t)nv, sizeof *a);
  mj_forward(m, d);
  mj_fullM(m, M, d->qM);
  for (int i = 0; i < nv; i++) {
    a[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
  }
  differentiate(m, d, D);
  for (int i = 0; i < nv; i++) {
    for (int j = 0; j < nv; j++) {
      M[i * nv + j] -= related(m, i, j) ? 0.5 * h * (D[i * nv + j] + D[j * nv + i]) : 0;
    }
  }
  ck_assert_int_eq(mju_cholFactor(M, nv, 0), nv);
  mju_cholSolve(a, M, a, nv);
  for (int i = 0; i < nv; i++) {
    d->qvel[i] += h * a[i];
  }
  mj_integratePos(m, d->qpos, d->qvel, h);
  free(M);
  free(D);
  free(a);
}

// ------------------------------------------------------------------ one step, compared

// d: where the reference went from the state that `r` follows.
static void compare_on_path(const contest *c, lane *r, const mjData *d, int step) {
  const mjModel *m = r->path.m;
  sn_data *ours = r->path.data;
  double h = m->opt.timestep, scale = fmax(1, largest(d->qacc, m->nv));
  ck_assert_msg(snd_ncon(ours) == d->ncon && snd_nefc(ours) == d->nefc,
                "%s, step %d: %d contacts and %d rows, not %d and %d", r->name, step,
                (int)snd_ncon(ours), (int)snd_nefc(ours), d->ncon, d->nefc);
  double acceleration = difference(snd_qvel(ours), d->qvel, m->nv) / h / scale;
  double position = difference(snd_qpos(ours), d->qpos, m->nq) / (h * h) / scale;
  ck_assert_msg(acceleration <= c->on_path,
                "%s, step %d: acceleration differs by %g of the largest, %g is allowed", r->name,
                step, acceleration, c->on_path);
  // positions are larger than what a step adds: they carry its rounding
  double rounding = 1e-15 * fmax(1, largest(d->qpos, m->nq)) / (h * h) / scale;
  ck_assert_msg(position <= c->on_path + rounding, "%s, step %d: position differs by %g h^2 a",
                r->name, step, position);
}

static void step_on_path(lane *r, int step) {
  follow(&r->path);
  ck_assert_msg(sn_step(r->path.model, r->path.data) == SN_OK, "%s, step %d: %s", r->name, step,
                sn_error_message(sn_data_error(r->path.data)));
}

static void step_free(const contest *c, lane *r, const course *k, int step) {
  const mjModel *m = r->free.m;
  const mjData *d = r->free.d;
  sn_data *ours = r->free.data;
  ck_assert_msg(sn_step(r->free.model, ours) == SN_OK, "%s, step %d: %s", r->name, step,
                sn_error_message(sn_data_error(ours)));
  if (c->together) {
    char where[160];
    int part = 0;
    while (step > apart[part].until) {
      part++;
    }
    snprintf(where, sizeof where, "%s, free, step %d", r->name, step);
    same_array(where, "qpos", snd_qpos(ours), d->qpos, m->nq, apart[part].allowed[k->model]);
    same_array(where, "qvel", snd_qvel(ours), d->qvel, m->nv, apart[part].allowed[k->model]);
  }
}

static void finish(lane *r) {
  double speed = largest(snd_qvel(r->free.data), r->free.m->nv);
  for (int w = 0; w < SN_NWARNINGS; w++) {
    ck_assert_msg(sn_data_warning_count(r->free.data, w) == 0 &&
                      sn_data_warning_count(r->path.data, w) == 0,
                  "%s: %s", r->name, sn_data_warning_name(w));
  }
  ck_assert_msg(speed < 100, "%s: thrown about, velocity %g", r->name, speed);
  close_lane(r);
}

// A step of all lanes and of the reference.
static void step_all(const contest *c, const course *k, int nlane, lane *r, const pair *reference,
                     mjData *defined, int step) {
  const mjModel *m = reference->m;
  mjData *d = reference->d;
  int on_path = step % c->every == 0, define = defined && step % EVERY_DEFINITION == 0;
  move_controls(m, d->ctrl, step);
  for (int n = 0; n < nlane; n++) {
    move_controls(m, snd_ctrl(r[n].free.data), step);
    if (on_path) {
      step_on_path(&r[n], step);
    }
  }
  if (define) {
    mj_copyData(defined, m, d);
    step_by_definition(m, defined);
  }
  mj_step(m, d);
  for (int n = 0; n < nlane; n++) {
    if (on_path) {
      compare_on_path(c, &r[n], d, step);
    }
    if (define && r[n].integrator == IMPLICITFAST) {
      compare_on_path(c, &r[n], defined, step);
    }
    step_free(c, &r[n], k, step);
  }
}

static course course_of(int index) {
  return (course){ .model = index % NMODEL,
                   .theirs = index / NMODEL % NTHEIRS,
                   .cone = index / (NMODEL * NTHEIRS) };
}

// A thousand steps of one model, integrator of the reference and cone, both Jacobians.
static void run_course(const contest *c, int index) {
  const course k = course_of(index);
  int nlane = k.theirs == EULER ? MOST_LANES : NJACOBIAN, rows = 0, touching = 0;
  pair reference;
  lane r[MOST_LANES];
  open_reference(&reference, &k);
  for (int n = 0; n < nlane; n++) {
    open_lane(&r[n], &reference, c, &k, n);
  }
  mjData *defined = k.theirs == EULER ? mj_makeData(reference.m) : NULL;
  ck_assert_int_eq(EVERY_DEFINITION % c->every, 0);
  for (int step = 1; step <= STEPS; step++) {
    step_all(c, &k, nlane, r, &reference, defined, step);
    rows = reference.d->nefc > rows ? reference.d->nefc : rows;
    touching += reference.d->ncon > 0;
  }
  ck_assert_int_gt(rows, 20);
  ck_assert_int_gt(touching, STEPS / 2);
  for (int n = 0; n < nlane; n++) {
    finish(&r[n]);
  }
  mj_deleteData(defined);
  close_pair(&reference);
}

START_TEST(thousand_steps_agree) {
  run_course(&contests[_i / NCOURSE], _i % NCOURSE);
}
END_TEST

// "newton-rk4-elliptic-rows"
static const char *course_name(int i) {
  static char name[64];
  course k = course_of(i % NCOURSE);
  snprintf(name, sizeof name, "%s-%s-%s-%s", contests[i / NCOURSE].solver, integrators[k.theirs],
           cones[k.cone], model_names[k.model]);
  return name;
}

TESTS() {
  EACH_NAMED(thousand_steps_agree, 0, NCONTEST * NCOURSE, course_name);
}
