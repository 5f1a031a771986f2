// SPDX-License-Identifier: Apache-2.0
//
// Saved problems: all solvers find the same solution of each, and it satisfies the conditions of
// optimality; noslip refines it; files that were cut or altered are rejected.

#include "plugins/solvers/saved_problems.h"
#include "suite.h"

// ------------------------------------------------------------------ solving

START_TEST(problem_files_exist) {
  int64_t n = 0, rows[8] = { 0 }, cones[7] = { 0 }, equality = 0;
  for (int i = 0; i < nfile; i++) {
    sn_problems *problems = load(file[i]);
    n += sn_problems_count(problems);
    for (int64_t k = 0; k < sn_problems_count(problems); k++) {
      const sn_problem *p = sn_problems_at(problems, k);
      equality += p->ne;
      for (int64_t r = 0; r < p->nefc; r++) {
        rows[p->type[r]]++;
      }
      for (int64_t c = 0; c < p->ncone; c++) {
        cones[p->cone[c].dim]++;
      }
    }
    ck_assert_ptr_null(sn_problems_at(problems, sn_problems_count(problems)));
    sn_problems_free(problems);
  }
  ck_assert_int_ge(n, 50);
  ck_assert_int_gt(equality, 0);
  for (int type = 0; type < 8; type++) {
    ck_assert_msg(rows[type] > 0, "there is no row of type %d", type);
  }
  ck_assert(cones[3] > 0 && cones[4] > 0 && cones[6] > 0);
}
END_TEST

typedef struct contender {
  const char *name;
  double tolerance, accuracy;   // of the problem; of forces and residuals, relative
  int32_t iterations;
} contender;

static const contender contenders[] = {
  { "newton", 0, 1e-11, 100 },
  { "cg", 0, 1e-9, 20000 },
  { "pgs", 0, 1e-9, 20000 },
  { "admm", 1e-12, 1e-5, 1000 },
};
enum { NCONTENDERS = sizeof contenders / sizeof contenders[0] };

START_TEST(solvers_agree) {
  const contender *c = &contenders[_i];
  for (int i = 0; i < nfile; i++) {
    sn_problems *problems = load(file[i]);
    for (int64_t k = 0; k < sn_problems_count(problems); k++) {
      sn_problem p = *sn_problems_at(problems, k);
      p.tolerance = 0;
      p.iterations = 100;
      result truth = solve("newton", &p);
      p.tolerance = c->tolerance;
      p.iterations = c->iterations;
      result r = solve(c->name, &p);
      for (int64_t row = 0; row < p.nefc; row++) {
        double off = fabs(r.solution.force[row] - truth.solution.force[row]) / truth.scale;
        ck_assert_msg(off <= fmax(1e-8, c->accuracy),
                      "%s, problem %lld: %s is off by %g at row %lld, after %d iterations", file[i],
                      (long long)k, c->name, off, (long long)row, r.solution.iterations);
      }
      double worst = fmax(r.residual[0], r.residual[1]) / truth.scale;
      ck_assert_msg(worst <= c->accuracy, "%s, problem %lld: %s leaves a residual of %g", file[i],
                    (long long)k, c->name, worst);
      ck_assert_double_le(fabs(r.cost - truth.cost), 1e-9 * fabs(truth.cost) + c->accuracy);
      done(&r);
      done(&truth);
    }
    sn_problems_free(problems);
  }
}
END_TEST

// Rows of friction: z = J a - aref of the answer.
static double slip(const sn_problem *p, const result *r, int64_t row) {
  double z = -p->aref[row];
  for (int32_t k = 0; k < p->J.nnz[row]; k++) {
    z += p->J.val[p->J.adr[row] + k] * r->solution.qacc[p->J.col[p->J.adr[row] + k]];
  }
  return fabs(z);
}

// Normal forces stay; friction stays within its cone, and where it is strictly within it nothing
// slips any more.
static int64_t check_cone(const sn_problem *p, const sn_cone *c, const result *before,
                          const result *after) {
  const double *f = after->solution.force + c->row;
  ck_assert_double_eq(f[0], before->solution.force[c->row]);
  double share = 0;
  for (int i = 1; i < c->dim; i++) {
    share += f[i] * f[i] / (c->friction[i - 1] * c->friction[i - 1]);
  }
  share = sqrt(share);
  ck_assert_double_le(share, f[0] + 1e-9 * before->scale);
  if (f[0] < 1e-3 || share > 0.999 * f[0]) {
    return 0;
  }
  for (int i = 1; i < c->dim; i++) {
    double left = slip(p, after, c->row + i);
    ck_assert_msg(left < 1e-5, "row %d still slips by %g (%g before)", c->row + i, left,
                  slip(p, before, c->row + i));
  }
  return 1;
}

START_TEST(noslip_refines) {
  static const char *const names[] = { "rows_noslip", "stack_elliptic", "tray_elliptic" };
  char path[600];
  int64_t sticking = 0;
  snprintf(path, sizeof path, "%s/%s.problems", folder, names[_i]);
  sn_problems *problems = load(path);
  for (int64_t k = 0; k < sn_problems_count(problems); k++) {
    sn_problem p = *sn_problems_at(problems, k);
    p.tolerance = 0;
    p.iterations = 100;
    result before = solve("newton", &p);
    p.force_start = before.solution.force;
    p.noslip_iterations = 50000;
    p.noslip_tolerance = 1e-30;
    result after = solve("noslip", &p);
    ck_assert_double_lt(after.residual[0], 1e-9 * before.scale);   // the dynamics hold
    for (int64_t c = 0; c < p.ncone; c++) {
      sticking += check_cone(&p, &p.cone[c], &before, &after);
    }
    done(&before);
    done(&after);
  }
  ck_assert_int_gt(sticking, 0);
  sn_problems_free(problems);
}
END_TEST

START_TEST(overflow_is_no_answer) {
  static const char *const names[] = { "newton", "cg", "pgs" };
  char path[600];
  snprintf(path, sizeof path, "%s/tray_elliptic.problems", folder);
  sn_problems *problems = load(path);
  sn_problem p = *sn_problems_at(problems, 0);
  double *J = malloc((size_t)(p.J.adr[p.nefc - 1] + p.J.nnz[p.nefc - 1]) * sizeof *J);
  memcpy(J, p.J.val, (size_t)(p.J.adr[p.nefc - 1] + p.J.nnz[p.nefc - 1]) * sizeof *J);
  for (int32_t k = 0; k < p.J.nnz[0]; k++) {
    J[p.J.adr[0] + k] = 1e200;   // its square is no number
  }
  p.J.val = J;
  sn_solution s = { .size = sizeof s };
  s.qacc = calloc((size_t)p.nv, sizeof(double));
  s.force = calloc((size_t)p.nefc, sizeof(double));
  s.state = calloc((size_t)p.nefc, sizeof(int32_t));
  ck_assert_int_lt(sn_problem_solve(engine, names[_i], &p, &s, error), 0);
  free(s.qacc);
  free(s.force);
  free(s.state);
  free(J);
  sn_problems_free(problems);
}
END_TEST

START_TEST(noslip_needs_another) {
  sn_problems *problems = load(file[0]);
  sn_solution none = { .size = sizeof none };
  ck_assert_int_eq(sn_problem_solve(engine, "noslip", sn_problems_at(problems, 0), &none, error),
                   SN_EINVAL);
  ck_assert_int_eq(sn_problem_solve(engine, "newtn", sn_problems_at(problems, 0), &none, error),
                   SN_ENOTFOUND);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "newton"));
  sn_problems_free(problems);
}
END_TEST

// ------------------------------------------------------------------ files

static char *read_bytes(const char *path, size_t *n) {
  FILE *f = fopen(path, "rb");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_eq(fseek(f, 0, SEEK_END), 0);
  *n = (size_t)ftell(f);
  rewind(f);
  char *bytes = malloc(*n);
  ck_assert_uint_eq(fread(bytes, 1, *n, f), *n);
  fclose(f);
  return bytes;
}

static void write_bytes(const char *path, const char *bytes, size_t n) {
  FILE *f = fopen(path, "wb");
  ck_assert_ptr_nonnull(f);
  ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
  fclose(f);
}

static void rejected(const char *path, const char *what, size_t at) {
  sn_problems *problems = sn_problems_load(path, error);
  ck_assert_msg(problems == NULL, "a file %s at byte %zu is taken", what, at);
  ck_assert_int_eq(sn_error_code(error), SN_EPARSE);
  ck_assert_str_eq(sn_error_file(error), path);
}

START_TEST(files_are_checked) {
  size_t n;
  char *bytes = read_bytes(file[0], &n), path[] = "/tmp/sinew_problems_XXXXXX";
  close(mkstemp(path));
  // cut: everywhere at the start, then now and then
  for (size_t at = 0; at < n; at += at < 400 ? 1 : 997) {
    write_bytes(path, bytes, at);
    rejected(path, "cut", at);
  }
  for (size_t at = 0; at < n; at += at < 400 ? 1 : 499) {
    char old = bytes[at];
    bytes[at] = (char)(old ^ (1 << at % 8));
    write_bytes(path, bytes, n);
    rejected(path, "altered", at);
    bytes[at] = (char)~old;
    write_bytes(path, bytes, n);
    rejected(path, "altered", at);
    bytes[at] = old;
  }
  char *longer = calloc(n + 8, 1);
  memcpy(longer, bytes, n);
  write_bytes(path, longer, n + 8);
  rejected(path, "longer", n);
  unlink(path);
  ck_assert_ptr_null(sn_problems_load(path, error));
  ck_assert_int_eq(sn_error_code(error), SN_EIO);
  free(longer);
  free(bytes);
}
END_TEST

START_TEST(files_come_back) {
  char path[] = "/tmp/sinew_problems_XXXXXX";
  close(mkstemp(path));
  for (int i = 0; i < nfile; i++) {
    sn_problems *problems = load(file[i]);
    ck_assert_int_eq(sn_problems_save(problems, path, error), SN_OK);
    sn_problems_free(problems);
    size_t n, m;
    char *a = read_bytes(file[i], &n), *b = read_bytes(path, &m);
    ck_assert_uint_eq(n, m);
    ck_assert_mem_eq(a, b, n);
    free(a);
    free(b);
  }
  unlink(path);
}
END_TEST

// A cone that begins a row early, in the block of the contact before, has rows of other columns.
START_TEST(cones_stay_in_their_blocks) {
  char path[] = "/tmp/sinew_problems_XXXXXX";
  close(mkstemp(path));
  int seen = 0;
  for (int i = 0; i < nfile && !seen; i++) {
    sn_problems *problems = load(file[i]);
    for (int64_t k = 0; k < sn_problems_count(problems) && !seen; k++) {
      const sn_problem *p = sn_problems_at(problems, k);
      sn_cone *cone = (sn_cone *)(uintptr_t)p->cone;
      if (p->ncone && cone[0].row > p->ne + p->nf) {
        cone[0].row--;
        seen = 1;
      }
    }
    if (seen) {
      ck_assert_int_eq(sn_problems_save(problems, path, error), SN_OK);
      rejected(path, "with a cone in two blocks", 0);
    }
    sn_problems_free(problems);
  }
  ck_assert(seen);
  unlink(path);
}
END_TEST

// ------------------------------------------------------------------ from a simulation

// What the rows belong to is captured, and goes through a file.
START_TEST(rows_keep_their_ids) {
  char path[] = "/tmp/sinew_problems_XXXXXX";
  close(mkstemp(path));
  sn_model *m = sn_load(engine, SN_TEST_SOURCE "/samples/models/rows.xml", error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_data *d = sn_data_new(m, error);
  sn_problems *problems = sn_problems_new(error);
  for (int i = 0; i < 200; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
  ck_assert_int_gt(snd_ncon(d), 0);
  ck_assert_int_eq(sn_problems_add(problems, m, d, error), SN_OK);
  ck_assert_int_eq(sn_problems_save(problems, path, error), SN_OK);
  sn_problems *again = sn_problems_load(path, error);
  ck_assert_msg(again != NULL, "%s", sn_error_text(error));
  const sn_problem *p = sn_problems_at(again, 0);
  ck_assert_int_eq(p->ncontact, snd_ncon(d));
  ck_assert_mem_eq(p->id, snd_efc_id(d), (size_t)p->nefc * sizeof *p->id);
  ck_assert_mem_eq(p->geom1, snd_contact_geom1(d), (size_t)p->ncontact * sizeof *p->geom1);
  ck_assert_mem_eq(p->geom2, snd_contact_geom2(d), (size_t)p->ncontact * sizeof *p->geom2);
  ck_assert_mem_eq(p->feature, snd_contact_feature(d), (size_t)p->ncontact * sizeof *p->feature);
  sn_problems_free(again);
  sn_problems_free(problems);
  sn_data_free(d);
  sn_model_free(m);
  unlink(path);
}
END_TEST

// The problem that a step solved, solved again by itself, gives the same accelerations.
START_TEST(captured_problem_is_that_of_the_step) {
  sn_model *m = sn_load(engine, SN_TEST_SOURCE "/samples/models/rows.xml", error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  ck_assert_int_ge(sn_model_parse_option(m, "tolerance", "0", error), 0);
  sn_data *d = sn_data_new(m, error);
  sn_problems *problems = sn_problems_new(error);
  for (int i = 0; i < 200; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
  ck_assert_int_eq(sn_forward(m, d), SN_OK);
  ck_assert_int_eq(sn_problems_add(problems, m, d, error), SN_OK);
  ck_assert_int_eq(sn_problems_count(problems), 1);
  const sn_problem *p = sn_problems_at(problems, 0);
  result r = solve("newton", p);
  for (int64_t i = 0; i < p->nefc; i++) {
    ck_assert_double_eq_tol(r.solution.force[i], snd_efc_force(d)[i], 1e-9 * r.scale);
  }
  done(&r);
  sn_problems_free(problems);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// A step keeps what the solver did.
START_TEST(step_has_a_solver_log) {
  sn_model *m = sn_load(engine, SN_TEST_SOURCE "/samples/models/stack.xml", error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_data *d = sn_data_new(m, error), *copy = sn_data_new(m, error);
  int64_t n, most = 0, seen;
  for (int i = 0; i < 200; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    const sn_iteration *log = sn_solver_log(d, &n);
    ck_assert_int_eq(n, snd_solver_iter(d));
    ck_assert(n == 0 || (log[n - 1].neval > 0 && log[n - 1].gradient < 1e-3));
    most = n > most ? n : most;
  }
  ck_assert_int_gt(most, 2);
  ck_assert_int_eq(sn_data_copy(m, copy, d), SN_OK);
  const sn_iteration *a = sn_solver_log(d, &n), *b = sn_solver_log(copy, &seen);
  ck_assert_int_eq(seen, n);
  ck_assert_mem_eq(a, b, (size_t)n * sizeof *a);
  // more iterations than are kept
  ck_assert_int_ge(sn_model_parse_option(m, "solver", "pgs", error), 0);
  ck_assert_int_ge(sn_model_parse_option(m, "tolerance", "0", error), 0);
  ck_assert_int_ge(sn_model_parse_option(m, "iterations", "150", error), 0);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  sn_solver_log(d, &n);
  ck_assert_int_eq(snd_solver_iter(d), 150);
  ck_assert_int_eq(n, SN_SOLVER_LOG);
  sn_reset(m, d);
  sn_solver_log(d, &n);
  ck_assert_int_eq(n, 0);
  sn_data_free(copy);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// Two lines of the ini choose the solver from outside; it stands the robot up as newton does.
START_TEST(ini_line_selects_admm) {
  char path[] = "/tmp/sinew_ini_XXXXXX";
  size_t n;
  char *ini = read_bytes(SN_TEST_BUILD "/sinew.ini", &n);
  ini = realloc(ini, n + 1);
  ini[n] = 0;
  FILE *f = fdopen(mkstemp(path), "w");
  int plugins = 0;
  for (char *line = strtok(ini, "\n"); line; line = strtok(NULL, "\n")) {
    char *relative = plugins && line[0] != ';' ? strstr(line, "= ") : NULL;
    if (relative) {
      fprintf(f, "%.*s= %s/%s\n", (int)(relative - line), line, SN_TEST_BUILD, relative + 2);
    } else {
      fprintf(f, "%s\n", line);
    }
    if (strcmp(line, "[plugins]") == 0) {
      fprintf(f, "admm = %s/samples/admm.so\n", SN_TEST_BUILD);
    }
    plugins = line[0] == '[' ? strcmp(line, "[plugins]") == 0 : plugins;
  }
  fprintf(f, "[select]\nsolver = admm\n");
  fclose(f);
  free(ini);

  sn_engine *own = sn_engine_open(path, error);
  ck_assert_msg(own != NULL, "%s", sn_error_text(error));
  sn_engine *engines[2] = { engine, own };
  double qpos[2][64];
  int64_t nq = 0;
  for (int k = 0; k < 2; k++) {
    sn_model *m = sn_load(engines[k], SN_TEST_SOURCE "/samples/models/figure.xml", error);
    ck_assert_msg(m != NULL, "%s", sn_error_text(error));
    ck_assert_int_ge(sn_model_parse_option(m, "tolerance", "1e-11", error), 0);
    sn_data *d = sn_data_new(m, error);
    nq = snm_nq(m);
    ck_assert_int_le(nq, 64);
    for (int i = 0; i < 400; i++) {
      ck_assert_int_eq(sn_step(m, d), SN_OK);
    }
    ck_assert_int_gt(snd_nefc(d), 0);
    // many more iterations than newton ever makes
    ck_assert(k == 0 ? snd_solver_iter(d) < 20 : snd_solver_iter(d) > 20);
    memcpy(qpos[k], snd_qpos(d), (size_t)nq * sizeof(double));
    sn_data_free(d);
    sn_model_free(m);
  }
  for (int64_t i = 0; i < nq; i++) {
    ck_assert_double_eq_tol(qpos[1][i], qpos[0][i], 1e-4);
  }
  sn_engine_close(own);
  unlink(path);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(problem_files_exist);
  EACH(solvers_agree, 0, NCONTENDERS);
  EACH(noslip_refines, 0, 3);
  EACH(overflow_is_no_answer, 0, 3);
  TEST(noslip_needs_another);
  TEST(files_are_checked);
  TEST(files_come_back);
  TEST(cones_stay_in_their_blocks);
  TEST(rows_keep_their_ids);
  TEST(captured_problem_is_that_of_the_step);
  TEST(step_has_a_solver_log);
  TEST(ini_line_selects_admm);
}
