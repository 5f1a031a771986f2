// SPDX-License-Identifier: Apache-2.0
//
// Laws that hold for whatever model, on the scenes of scenes.h and on every model in the folder
// that SINEW_TEST_MODELS names (with its subfolders):
//
//   - the derivatives by velocity of bias, passive and actuator forces are those of differences;
//   - where the solver converged, inverse dynamics gives back what was applied and actuated.
//
// With SINEW_TEST_MODELS a line per model says how far they are off.

#include <dirent.h>
#include <sys/stat.h>

#include "dynamics/derivative.h"
#include "random_state.h"
#include "scenes.h"
#include "suite.h"

enum { MOST_MODELS = 4096, COLUMNS = 40, SEEDS = 2, SETTLE = 120 };

typedef struct entry {
  char path[1024];
  int key, flags;   // as in scenes.h; flags -1: found in a folder, may be no model at all
} entry;

static entry models[MOST_MODELS];
static int nmodel, verbose;

// ------------------------------------------------------------------ the models

static void add(const char *path, int key, int flags) {
  if (nmodel < MOST_MODELS) {
    entry *e = &models[nmodel++];
    snprintf(e->path, sizeof e->path, "%s", path);
    e->key = key;
    e->flags = flags;
  }
}

static void add_folder(const char *folder) {
  DIR *dir = opendir(folder);
  for (struct dirent *f = dir ? readdir(dir) : NULL; f; f = readdir(dir)) {
    char path[1024];
    struct stat about;
    int n = snprintf(path, sizeof path, "%s/%s", folder, f->d_name);
    const char *ending = strrchr(f->d_name, '.');
    if (f->d_name[0] == '.' || n >= (int)sizeof path || stat(path, &about) != 0) {
      continue;
    }
    if (S_ISDIR(about.st_mode)) {
      add_folder(path);
    } else if (ending && (strcmp(ending, ".xml") == 0 || strcmp(ending, ".urdf") == 0)) {
      add(path, -1, -1);
    }
  }
  if (dir) {
    closedir(dir);
  }
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const entry *)a)->path, ((const entry *)b)->path);
}

static void find_models(void) {
  nmodel = 0;
  for (int i = 0; i < NSCENES; i++) {
    add(scenes[i].path, scenes[i].key, scenes[i].flags);
  }
  add(SAMPLE("rows"), 0, SCENE_REQUIRED);
  const char *folder = getenv("SINEW_TEST_MODELS");
  int own = nmodel;
  if (folder && *folder) {
    verbose = 1;
    add_folder(folder);
    qsort(models + own, (size_t)(nmodel - own), sizeof *models, by_path);
  }
}

// NULL: not there, or no model of ours.
static sn_model *open_model(const entry *e) {
  sn_model *m = sn_load(engine, e->path, error);
  if (!m) {
    ck_assert_msg(e->flags < 0 || !(e->flags & SCENE_REQUIRED), "%s", sn_error_text(error));
    if (verbose) {
      printf("- %s: %s\n", e->path, sn_error_message(error));
    }
  }
  return m;
}

// ------------------------------------------------------------------ derivatives by velocity

enum { BIAS, PASSIVE, ACTUATOR, NFORCES };
static const char *const force_name[NFORCES] = { "bias", "passive", "actuator" };

typedef struct derivatives {
  sn_unsymmetric D[NFORCES];      // analytic, of the force as it acts
  double *column[NFORCES];   // nv; differences by one velocity
  double off[NFORCES];       // the largest deviation, relative to the column, at least 1
} derivatives;

static double *reals(int64_t n) {
  double *x = calloc((size_t)n + 1, sizeof *x);
  ck_assert_ptr_nonnull(x);
  return x;
}

static void forces_at(const sn_model *m, sn_data *d, const double *force[NFORCES]) {
  ck_assert_int_ge(sn_forward_velocity(m, d), 0);
  ck_assert_int_ge(si_dyn_actuation(m, d, d->worker), 0);
  force[BIAS] = d->qfrc_bias;
  force[PASSIVE] = d->qfrc_passive;
  force[ACTUATOR] = d->qfrc_actuator;
}

// Central differences of order 4.
static void difference(const sn_model *m, sn_data *d, int64_t j, derivatives *t) {
  static const double at[4] = { -2, -1, 1, 2 }, weight[4] = { 1, -8, 8, -1 };
  const double eps = 1e-3, v = d->qvel[j];
  const double *force[NFORCES];
  for (int f = 0; f < NFORCES; f++) {
    memset(t->column[f], 0, (size_t)m->nv * sizeof(double));
  }
  for (int k = 0; k < 4; k++) {
    d->qvel[j] = v + at[k] * eps;
    forces_at(m, d, force);
    for (int f = 0; f < NFORCES; f++) {
      double w = (f == BIAS ? -1 : 1) * weight[k] / (12 * eps);
      for (int64_t i = 0; i < m->nv; i++) {
        t->column[f][i] += w * force[f][i];
      }
    }
  }
  d->qvel[j] = v;
}

static void keep_worst(double *worst, double off) {
  *worst = off <= *worst ? *worst : off;   // keeps NaN
}

// Column j where M has numbers: the dofs between j and its root, and those that j carries.
static void compare_column(const sn_model *m, int32_t j, derivatives *t) {
  for (int f = 0; f < NFORCES; f++) {
    const double *want = t->column[f];
    double scale = 1;
    for (int64_t i = 0; i < m->nv; i++) {
      scale = fmax(scale, fabs(want[i]));
    }
    int32_t k = m->dof_Madr[j];
    for (int32_t i = j; i >= 0; i = m->dof_parentid[i], k++) {
      keep_worst(&t->off[f], fabs(t->D[f].upper[k] - want[i]) / scale);
    }
    for (int32_t i = 0; i < (int32_t)m->nv; i++) {
      k = m->dof_Madr[i];
      for (int32_t a = i; a >= j; a = m->dof_parentid[a], k++) {
        if (a == j) {
          keep_worst(&t->off[f], fabs(t->D[f].lower[k] - want[i]) / scale);
        }
      }
    }
  }
}

static void derive(const sn_model *m, sn_data *d, derivatives *t) {
  const double *force[NFORCES];
  forces_at(m, d, force);
  for (int f = 0; f < NFORCES; f++) {
    memset(t->D[f].lower, 0, (size_t)m->nM * sizeof(double));
    memset(t->D[f].upper, 0, (size_t)m->nM * sizeof(double));
  }
  si_derive_bias(m, d, d->worker, t->D[BIAS]);
  const si_elimination own = si_elimination_tree(m);
  si_derive_passive(m, d, d->worker, &own, SI_BY_VELOCITY, t->D[PASSIVE]);
  si_derive_actuation(m, d, d->worker, &own, SI_BY_VELOCITY, t->D[ACTUATOR]);
}

START_TEST(velocity_derivatives_are_right) {
  const entry *e = &models[_i];
  sn_model *m = open_model(e);
  if (m) {
    sn_data *d = data_of(m);
    // the derivatives are those of the laws: a force that forcerange holds has the same
    for (int64_t i = 0; i < m->nu; i++) {
      m->actuator_forcelimited[i] = 0;
    }
    derivatives t = { .off = { 0 } };
    for (int f = 0; f < NFORCES; f++) {
      t.D[f] = (sn_unsymmetric){ reals(m->nM), reals(m->nM) };
      t.column[f] = reals(m->nv);
    }
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
      scramble(m, d, seed);
      ck_assert_int_ge(sn_forward_position(m, d), 0);
      derive(m, d, &t);
      // of a large model not every column
      int64_t every = m->nv / COLUMNS + 1;
      for (int64_t j = (int64_t)seed % every; j < m->nv; j += every) {
        difference(m, d, j, &t);
        compare_column(m, (int32_t)j, &t);
      }
    }
    if (verbose) {
      printf("%.1e %.1e %.1e  %s\n", t.off[BIAS], t.off[PASSIVE], t.off[ACTUATOR], e->path);
    }
    for (int f = 0; f < NFORCES; f++) {
      ck_assert_msg(t.off[f] < 1e-6, "%s: the derivative of %s forces is off by %g", e->path,
                    force_name[f], t.off[f]);
      free(t.D[f].lower);
      free(t.D[f].upper);
      free(t.column[f]);
    }
    done_with(m, d);
  }
}
END_TEST

// ------------------------------------------------------------------ inverse dynamics

static void move_controls(const sn_model *m, sn_data *d, int step) {
  for (int64_t i = 0; i < m->nu; i++) {
    double s = 0.3 * sin(0.1 * step + (double)i), low = m->actuator_ctrlrange[2 * i];
    double high = m->actuator_ctrlrange[2 * i + 1];
    d->ctrl[i] = m->actuator_ctrllimited[i] ? 0.5 * (low + high + s * (high - low)) : s;
  }
}

// To where there are contacts, when there ever are; pushed and pulled.
static void settle(const entry *e, sn_model *m, sn_data *d) {
  if (e->key >= 0) {
    ck_assert_int_ge(sn_reset_key(m, d, e->key), 0);
  }
  for (int k = 0; k < SETTLE; k++) {
    move_controls(m, d, k);
    sn_status status = sn_step(m, d);
    ck_assert_msg(status >= 0 || (status == SN_EDIVERGED && e->flags < 0), "%s: %s", e->path,
                  sn_error_message(sn_data_error(d)));
  }
  for (int64_t k = 0; k < m->nv; k++) {
    d->qfrc_applied[k] = 0.1 * sin((double)k);
  }
  for (int64_t k = 6; k < 6 * m->nbody; k++) {
    d->xfrc_applied[k] = 0.05 * cos((double)k);
  }
}

static double inverse_is_off(const sn_model *m, sn_data *d, int64_t *iterations) {
  double *want = reals(m->nv), scale = 1, off = 0;
  ck_assert_int_ge(sn_forward(m, d), 0);
  *iterations = d->solver_iter;
  for (int64_t i = 0; i < m->nv; i++) {
    want[i] = d->qfrc_applied[i] + d->qfrc_actuator[i];
    scale = fmax(scale, fabs(d->qfrc_constraint[i]));
  }
  for (int32_t b = 1; b < (int32_t)m->nbody; b++) {
    const double *f = d->xfrc_applied + 6 * b;
    sn_apply_force(m, d, f, f + 3, d->xipos + 3 * b, b, want);
  }
  ck_assert_int_ge(sn_inverse(m, d), 0);
  for (int64_t i = 0; i < m->nv; i++) {
    keep_worst(&off, fabs(d->qfrc_inverse[i] - want[i]));
  }
  free(want);
  return off / scale;
}

START_TEST(inverse_gives_back_what_was_applied) {
  const entry *e = &models[_i / 2];
  sn_model *m = open_model(e);
  if (m) {
    const char *cone = _i % 2 ? "elliptic" : "pyramidal";
    set_option(m, "cone", cone);
    sn_data *d = data_of(m);
    settle(e, m, d);
    set_option(m, "solver", "newton");
    set_option(m, "tolerance", "0");
    set_option(m, "iterations", "100");
    set_option(m, "noslip_iterations", "0");
    int64_t iterations;
    double off = inverse_is_off(m, d, &iterations);
    if (verbose) {
      printf("%.1e %-9s %5lld rows %3lld iterations  %s\n", off, cone, (long long)d->nefc,
             (long long)iterations, e->path);
    }
    ck_assert_msg(off < 1e-8, "%s, %s: off by %g of the largest force", e->path, cone, off);
    // it knows when there is nothing left but rounding
    ck_assert_msg(iterations < 30, "%s, %s: %d iterations", e->path, cone, (int)iterations);
    done_with(m, d);
  }
}
END_TEST

TESTS() {
  find_models();
  FIXTURE(open_engine, close_engine);
  EACH(velocity_derivatives_are_right, 0, nmodel);
  EACH(inverse_gives_back_what_was_applied, 0, 2 * nmodel);
}
