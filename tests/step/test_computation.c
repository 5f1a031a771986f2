// SPDX-License-Identifier: Apache-2.0
//
// docs/computation.md, the sections on softness and on the constraint problem: its formulas,
// written out once more on dense matrices, against what a step computes. With z = J a - aref and
// tau - c = M a0, at the solution:
//
//   M (a - a0) = J' f
//   f in Omega and s(z) = -z' f - 1/2 f' R f   for each row or cone: so f = -grad s(z)
//   P(a) + 1/2 f' (A + R) f + f' (J a0 - aref) = 0

#include <math.h>
#include <stdlib.h>

#include "default_engine.h"
#include "scenes.h"
#include "sinew/sinew.h"
#include "suite.h"

static const struct scene_case {
  const char *path, *cone;
} cases[] = {
  { SAMPLE("rows"), "pyramidal" }, { SAMPLE("rows"), "elliptic" },
  { SAMPLE("tray"), "pyramidal" }, { SAMPLE("tray"), "elliptic" },
  { SAMPLE("stack"), "elliptic" }, { SAMPLE("figure"), "elliptic" },
};
enum { CASES = sizeof cases / sizeof *cases };

static const double impratio = 5;

static void set_option(sn_model *m, const char *name, const char *value) {
  OK(sn_model_parse_option(m, name, value, error));
}

static sn_model *scene_of(int i) {
  sn_model *m = sn_load(engine, cases[i].path, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  set_option(m, "cone", cases[i].cone);
  set_option(m, "impratio", "5");
  set_option(m, "tolerance", "0");
  set_option(m, "noslip_iterations", "0");
  return m;
}

// Two numbers agree, relative to the size of the terms that they are made of.
static void same(double a, double b, double size, const char *what, int64_t row) {
  ck_assert_msg(fabs(a - b) <= 1e-8 * (size + fabs(a) + fabs(b)), "%s %lld: %.12g, %.12g", what,
                (long long)row, a, b);
}

// ------------------------------------------------------------------ a problem, dense

typedef struct problem {
  const sn_model *m;
  sn_data *d;
  int64_t nv, n;
  double *J;             // n x nv
  double *z, *z0;        // n: J a - aref, J a0 - aref
  const double *f, *R;   // n
} problem;

static double *reals(int64_t n) {
  double *x = calloc((size_t)n + 1, sizeof *x);
  ck_assert(x != NULL);
  return x;
}

static problem problem_of(const sn_model *m, sn_data *d) {
  problem p = {
    .m = m, .d = d, .nv = snm_nv(m), .n = snd_nefc(d), .f = snd_efc_force(d), .R = snd_efc_R(d)
  };
  p.J = reals(p.n * p.nv);
  p.z = reals(p.n);
  p.z0 = reals(p.n);
  sn_full_constraint_jacobian(m, d, p.J);
  for (int64_t i = 0; i < p.n; i++) {
    p.z[i] = p.z0[i] = -snd_efc_aref(d)[i];
    for (int64_t k = 0; k < p.nv; k++) {
      p.z[i] += p.J[i * p.nv + k] * snd_qacc(d)[k];
      p.z0[i] += p.J[i * p.nv + k] * snd_qacc_smooth(d)[k];
    }
  }
  return p;
}

static void drop(problem *p) {
  free(p->J);
  free(p->z);
  free(p->z0);
}

// J' f
static double *generalized(const problem *p) {
  double *out = reals(p->nv);
  for (int64_t i = 0; i < p->n; i++) {
    for (int64_t k = 0; k < p->nv; k++) {
      out[k] += p->J[i * p->nv + k] * p->f[i];
    }
  }
  return out;
}

// ------------------------------------------------------------------ the penalty, row by row

static int is_row(const problem *p, int64_t i, int32_t type) {
  return snd_efc_type(p->d)[i] == type;
}

static double unilateral(double z, double D) {
  return z < 0 ? 0.5 * D * z * z : 0;
}

static double huber(double z, double D, double eta) {
  return fabs(z) < eta / D ? 0.5 * D * z * z : eta * fabs(z) - 0.5 * eta * eta / D;
}

// s of the elliptic contact whose first row is i.
static double cone(const problem *p, int64_t i, int32_t dim, double mu) {
  double y[6], sum = 0;
  for (int k = 0; k < dim; k++) {
    y[k] = p->z[i + k] / sqrt(p->R[i + k]);
    sum += k ? y[k] * y[k] : 0;
  }
  const double N = -y[0], T = sqrt(sum);
  if (T <= mu * N) {
    return 0.5 * (y[0] * y[0] + sum);
  }
  return N + mu * T <= 0 ? 0 : (N + mu * T) * (N + mu * T) / (2 * (1 + mu * mu));
}

// The force of the rows is in Omega, and the maximum of -z' f - 1/2 f' R f there is s.
static void check_force(const problem *p, int64_t i, int dim, double s) {
  double value = 0, size = 0;
  for (int64_t k = i; k < i + dim; k++) {
    value -= p->z[k] * p->f[k] + 0.5 * p->R[k] * p->f[k] * p->f[k];
    size += fabs(p->z[k] * p->f[k]) + p->R[k] * p->f[k] * p->f[k];
  }
  same(value, s, size + 1e-9, "s", i);
}

static void check_in_cone(const problem *p, int64_t i, int32_t dim, const double *friction) {
  double sum = 0;
  for (int k = 1; k < dim; k++) {
    sum += p->f[i + k] * p->f[i + k] / (friction[k - 1] * friction[k - 1]);
  }
  ck_assert_double_ge(p->f[i], 0);
  ck_assert_double_le(sqrt(sum), p->f[i] * (1 + 1e-9));
}

// s(z) of all rows; each is checked against its force.
static double penalty(const problem *p) {
  double sum = 0;
  for (int64_t i = 0, next; i < p->n; i = next) {
    const double z = p->z[i], D = 1 / p->R[i], eta = snd_efc_frictionloss(p->d)[i];
    double s;
    next = i + 1;
    if (is_row(p, i, SN_ROW_EQUALITY)) {
      s = 0.5 * D * z * z;
    } else if (is_row(p, i, SN_ROW_FRICTION_DOF) || is_row(p, i, SN_ROW_FRICTION_TENDON)) {
      s = huber(z, D, eta);
      ck_assert_double_le(fabs(p->f[i]), eta);
    } else if (is_row(p, i, SN_ROW_CONTACT_ELLIPTIC)) {
      const int32_t id = snd_efc_id(p->d)[i];
      const double *friction = snd_contact_friction(p->d) + 5 * id;
      next = i + snd_contact_dim(p->d)[id];
      s = cone(p, i, (int32_t)(next - i), friction[0] / sqrt(impratio));
      check_in_cone(p, i, (int32_t)(next - i), friction);
    } else {
      s = unilateral(z, D);
      ck_assert_double_ge(p->f[i], 0);
    }
    check_force(p, i, (int)(next - i), s);
    sum += s;
  }
  return sum;
}

// ------------------------------------------------------------------ primal, dual, motion

static void check_problem(const problem *p) {
  double *force = generalized(p), *moved = reals(p->nv), *back = reals(p->nv);
  double primal = penalty(p), dual = 0, bend = 0, size = 0;
  for (int64_t k = 0; k < p->nv; k++) {
    size = fmax(size, fabs(snd_qacc_smooth(p->d)[k]));
    back[k] = force[k];
    moved[k] = snd_qacc(p->d)[k] - snd_qacc_smooth(p->d)[k];
  }
  sn_solve_inertia(p->m, p->d, back);   // M^-1 J' f
  for (int64_t k = 0; k < p->nv; k++) {
    same(moved[k], back[k], size, "qacc", k);
    bend += force[k] * back[k];   // f' A f
  }
  primal += 0.5 * bend;
  for (int64_t i = 0; i < p->n; i++) {
    dual += p->f[i] * (p->z0[i] + 0.5 * p->R[i] * p->f[i]);
  }
  dual += 0.5 * bend;
  same(primal, -dual, bend, "primal and dual, rows", p->n);
  free(force);
  free(moved);
  free(back);
}

// ------------------------------------------------------------------ softness of contacts

static double limited(double d) {
  return fmin(fmax(d, 1e-4), 0.9999);
}

static double impedance(const double *solimp, double r) {
  const double x = fmin(fabs(r) / solimp[2], 1), m = solimp[3], p = solimp[4];
  const double y = x <= m ? pow(x, p) / pow(m, p - 1) : 1 - pow(1 - x, p) / pow(1 - m, p - 1);
  return limited(solimp[0]) + y * (limited(solimp[1]) - limited(solimp[0]));
}

// Checks R and aref of row i against its impedance, spring and weight.
static void check_softness(const problem *p, int64_t i, double d, const double *solref, double dmax,
                           double r, double R) {
  sn_option option = { .def_size = sizeof option };
  OK(sn_model_get_option(p->m, &option));
  const double T = fmax(solref[0], 2 * option.timestep), z = solref[1];
  const double b = 2 / (dmax * T), k = 1 / (dmax * T * z * dmax * T * z);
  double v = 0, size = 0;
  for (int64_t j = 0; j < p->nv; j++) {
    const double part = p->J[i * p->nv + j] * snd_qvel(p->d)[j];
    v += part;
    size += fabs(part);
  }
  same(p->R[i], R, 0, "R", i);
  same(snd_efc_aref(p->d)[i], -b * v - k * d * r, b * size, "aref", i);
}

static void check_contact(const problem *p, int64_t contact) {
  sn_data *data = p->d;
  const int64_t row = snd_contact_efc_address(data)[contact];
  const double *solimp = snd_contact_solimp(data) + 5 * contact;
  const double *solref = snd_contact_solref(data) + 2 * contact;
  const double *mu = snd_contact_friction(data) + 5 * contact;
  const double r = snd_contact_dist(data)[contact] - snd_contact_includemargin(data)[contact];
  const double d = impedance(solimp, r), dmax = limited(solimp[1]);
  double weight = 0;
  weight += snm_body_invweight0(p->m)[2 * snm_geom_bodyid(p->m)[snd_contact_geom1(data)[contact]]];
  weight += snm_body_invweight0(p->m)[2 * snm_geom_bodyid(p->m)[snd_contact_geom2(data)[contact]]];
  const double R1 = (1 - d) / d * weight;
  const int32_t dim = snd_contact_dim(data)[contact];
  if (is_row(p, row, SN_ROW_CONTACT_PYRAMIDAL)) {
    const double edge = 2 * mu[0] * mu[0] / impratio * R1 * (1 + mu[0] * mu[0]);
    for (int64_t i = row; i < row + 2 * (dim - 1); i++) {
      check_softness(p, i, d, solref, dmax, r, edge);
    }
    return;
  }
  check_softness(p, row, d, solref, dmax, r, R1);
  for (int k = 1; k < dim; k++) {
    const double R = R1 / impratio * mu[0] * mu[0] / (mu[k - 1] * mu[k - 1]);
    check_softness(p, row + k, d, solref, dmax, 0, R);
  }
}

// ------------------------------------------------------------------ cases

START_TEST(step_solves_the_problem_of_the_page) {
  sn_model *m = scene_of(_i);
  sn_data *d = data_of(m);
  int64_t rows = 0, contacts = 0;
  for (int step = 0; step < 300; step++) {
    OK(sn_step(m, d));
    if (step % 20 != 19) {
      continue;
    }
    OK(sn_forward(m, d));
    problem p = problem_of(m, d);
    check_problem(&p);
    for (int64_t i = 0; i < snd_ncon(d); i++) {
      if (snd_contact_efc_address(d)[i] >= 0) {
        check_contact(&p, i);
        contacts++;
      }
    }
    rows += p.n;
    drop(&p);
  }
  ck_assert_int_gt(rows, 0);
  ck_assert_int_gt(contacts, 0);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(step_solves_the_problem_of_the_page, 0, CASES);
}
