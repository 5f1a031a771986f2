// SPDX-License-Identifier: Apache-2.0
//
// sinew problem: saves the constraint problems that a simulation meets, and solves saved ones
// again, without the model, by any solvers.
//
// A solver that refines (noslip) starts from what the last main solver before it in the list
// found. Its answer is another one by intention, so its residual says how far it went. Solvers of
// Coulomb's law are judged by that law.

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fields.h"
#include "sinew/number.h"
#include "sinew/suggest.h"

// ------------------------------------------------------------------ save

static int capture(session *s, sn_problems *problems) {
  int64_t every = s->o->every > 0 ? s->o->every : 1, steps = 1;
  if (s->o->steps >= 0 || s->o->time >= 0) {
    const int status = session_steps(s, -1, -1, &steps);
    if (status != DONE) {
      return status;
    }
  }
  signals_catch();
  for (int64_t k = 0; k < steps && !signals_came(); k++) {
    sn_status status = SN_OK;
    if (k % every == 0) {
      status = sn_forward(s->model, s->data);
      if (status >= 0 && sn_problems_add(problems, s->model, s->data, s->error) < 0) {
        return report(s->o, s->error);
      }
    }
    status = status < 0 ? status : sn_step(s->model, s->data);
    if (status < 0) {
      return report_data(s->o, s->data, status);
    }
  }
  return DONE;
}

static int print_saved(const session *s, const sn_problems *problems) {
  int64_t n = sn_problems_count(problems), rows = 0;
  for (int64_t i = 0; i < n; i++) {
    rows += sn_problems_at(problems, i)->nefc;
  }
  if (!s->o->json) {
    fprintf(report_stream(s->o), "%s: %lld problem%s, %lld rows\n", s->o->out, (long long)n,
            n == 1 ? "" : "s", (long long)rows);
    return DONE;
  }
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_text(&j, "file", s->o->out);
  json_integer(&j, "problems", n);
  json_integer(&j, "rows", rows);
  loading_json(&j, "load_", s->model);
  json_bool(&j, "interrupted", signals_came());
  return json_finish(&j) ? DONE : FAILED;
}

static int save(const options *o) {
  if (!o->out) {
    return usage_error(o->command, "--out FILE is missing");
  }
  if (o->solver) {
    return usage_error(o->command, "use --set solver=NAME with save; --solver is an option of "
                                   "solve");
  }
  session s;
  sn_problems *problems = NULL;
  int status = session_open(&s, o);
  status = status == DONE ? session_load(&s, o->operand[1]) : status;
  status = status == DONE ? session_start(&s) : status;
  status = status == DONE && o->input ? input_apply(&s, o->input, NULL, NULL) : status;
  if (status == DONE) {
    problems = sn_problems_new(s.error);
    status = problems ? capture(&s, problems) : report(o, s.error);
  }
  if (status == DONE && sn_problems_save(problems, out_path(o), s.error) < 0) {
    status = report(o, s.error);
  }
  status = status == DONE ? print_saved(&s, problems) : status;
  sn_problems_free(problems);
  session_close(&s);
  return signals_status(status);
}

// ------------------------------------------------------------------ solve

enum { MOST_SOLVERS = 16, RUNS = 5 };

typedef struct solver {
  char name[64];
  uint32_t flags;   // SN_SOLVER_*
  // over the problems: iterations, seconds, the worst residual, how many did not converge
  int64_t iterations, open, softened;
  double seconds, worst;
} solver;

typedef struct answer {
  sn_status status;
  int32_t iterations;
  int64_t nsoftened;
  double cost, residual[2], seconds;
  sn_iteration log[SN_SOLVER_LOG];   // of the first iterations
} answer;

typedef struct contest {
  const options *o;
  sn_engine *engine;
  sn_error *error;
  solver solver[MOST_SOLVERS];
  int nsolver;
} contest;

static uint32_t flags_of(const sn_provider_info *info) {
  return ((const sn_solver_ops *)info->ops)->head.flags;
}

static uint32_t solver_flags(const sn_engine *engine, const char *name) {
  sn_provider_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_provider(engine, i, &info); i++) {
    if (strcmp(info.kind, SN_KIND_SOLVER) == 0 && strcmp(info.name, name) == 0) {
      return flags_of(&info);
    }
  }
  return 0;
}

// Without --solver: all but the post-solvers.
static int all_solvers(contest *c) {
  sn_provider_info info = { .size = sizeof info };
  for (int64_t i = 0; c->nsolver < MOST_SOLVERS && sn_engine_provider(c->engine, i, &info); i++) {
    if (strcmp(info.kind, SN_KIND_SOLVER) == 0 && !(flags_of(&info) & SN_SOLVER_POST)) {
      solver *s = &c->solver[c->nsolver++];
      snprintf(s->name, sizeof s->name, "%s", info.name);
      s->flags = flags_of(&info);
    }
  }
  return DONE;
}

// A name that does not exist is found before the first problem is solved.
static int check_solver(contest *c, const char *name) {
  enum { MOST = 64 };
  const char *names[MOST];
  char list[512] = "available: ";
  int n = 0;
  sn_provider_info info = { .size = sizeof info };
  for (int64_t i = 0; n < MOST && sn_engine_provider(c->engine, i, &info); i++) {
    if (strcmp(info.kind, SN_KIND_SOLVER) == 0) {
      if (strcmp(info.name, name) == 0) {
        return DONE;
      }
      const size_t used = strlen(list);
      snprintf(list + used, sizeof list - used, "%s%s", n ? ", " : "", info.name);
      names[n++] = info.name;
    }
  }
  char hint[SN_SUGGEST_TEXT + sizeof list];
  const char *near = nearest_word(name, names, n);
  return report_text(c->o, NULL, 0, 0, "no solver is named '%s'%s", name,
                     sn_suggest_text(hint, sizeof hint, near, list));
}

static int read_solvers(contest *c) {
  const char *text = c->o->solver;
  int main_before = 0;
  if (!text) {
    return all_solvers(c);
  }
  while (*text) {
    size_t n = strcspn(text, ",");
    if (n == 0 || n >= sizeof c->solver[0].name || c->nsolver == MOST_SOLVERS) {
      return usage_error(c->o->command,
                         "--solver takes up to %d names separated by commas, not '%s'",
                         MOST_SOLVERS, c->o->solver);
    }
    solver *s = &c->solver[c->nsolver++];
    memcpy(s->name, text, n);
    if (check_solver(c, s->name) != DONE) {
      return FAILED;
    }
    s->flags = solver_flags(c->engine, s->name);
    if ((s->flags & SN_SOLVER_POST) && !main_before) {
      return usage_error(c->o->command,
                         "'%s' is a post-solver: name the solver whose result it "
                         "improves before it, --solver newton,%s",
                         s->name, s->name);
    }
    main_before |= !(s->flags & SN_SOLVER_POST);
    text += n + (text[n] == ',');
  }
  return DONE;
}

// Names with a dot, as of parameters of plugins, are of the configuration.
static int is_of_engine(const char *set) {
  return memchr(set, '.', strcspn(set, "=")) != NULL;
}

// What --set says of a problem.
static int adjust(const contest *c, sn_problem *p) {
  for (int i = 0; i < c->o->nset; i++) {
    const char *text = c->o->set[i], *value = strchr(text, '=') + 1;
    size_t n = (size_t)(value - text) - 1;
    double x;
    if (is_of_engine(text)) {
      continue;
    }
    if (n == 6 && strncmp(text, "solver", n) == 0) {
      return usage_error(c->o->command, "use --solver %s: it may name several", value);
    }
    const char *end = sn_read_number(value, &x);
    if (end == value || *end || !(fabs(x) <= 1e9)) {
      return usage_error(c->o->command, "--set %.*s takes a number, not '%s'", (int)n, text, value);
    }
    if (strncmp(text, "tolerance", n) == 0 && n == 9) {
      p->tolerance = x;
    } else if (strncmp(text, "iterations", n) == 0 && n == 10) {
      p->iterations = (int32_t)x;
    } else if (strncmp(text, "noslip_tolerance", n) == 0 && n == 16) {
      p->noslip_tolerance = x;
    } else if (strncmp(text, "noslip_iterations", n) == 0 && n == 17) {
      p->noslip_iterations = (int32_t)x;
    } else {
      return usage_error(c->o->command,
                         "a saved problem has no option '%.*s'; it has tolerance, "
                         "iterations, noslip_tolerance and noslip_iterations",
                         (int)n, text);
    }
  }
  return DONE;
}

static double *take_reals(int64_t n) {
  return calloc((size_t)(n > 0 ? n : 1), sizeof(double));
}

// Solves one problem by one solver: the middle time of several runs, the answer of the last.
static int solve_one(contest *c, const solver *s, const sn_problem *problem, const double *start,
                     double *force, answer *out) {
  sn_problem p = *problem;
  double seconds[RUNS];
  double *qacc = take_reals(p.nv);
  int32_t *state = calloc((size_t)p.nefc, sizeof *state);
  sn_solution solution = { .size = sizeof solution,
                           .qacc = qacc,
                           .force = force,
                           .state = state,
                           .iteration = out->log,
                           .ncapacity = SN_SOLVER_LOG };
  p.force_start = s->flags & SN_SOLVER_POST ? start : NULL;
  *out = (answer){ .status = qacc && state ? SN_OK : SN_ENOMEM };
  for (int i = 0; i < RUNS && out->status >= 0; i++) {
    double begin = wall_clock();
    out->status = sn_problem_solve(c->engine, s->name, &p, &solution, c->error);
    seconds[i] = wall_clock() - begin;
  }
  if (out->status >= 0) {
    out->seconds = median(seconds, RUNS);
    out->iterations = solution.iterations;
    out->nsoftened = solution.nsoftened;
    sn_problem_evaluate(&p, &solution, &out->cost, out->residual);
    if (s->flags & SN_SOLVER_COULOMB) {
      sn_problem_evaluate_coulomb(&p, &solution, out->residual);
    }
  }
  free(qacc);
  free(state);
  return out->status >= 0 ? DONE : report(c->o, qacc && state ? c->error : NULL);
}

static void add_up(solver *s, const answer *a) {
  s->iterations += a->iterations;
  s->seconds += a->seconds;
  s->worst = fmax(s->worst, fmax(a->residual[0], a->residual[1]));
  s->open += a->status != SN_OK;
  s->softened += a->nsoftened > 0;
}

static void print_log(json *j, const answer *a) {
  json_list(j, "log");
  for (int32_t i = 0; i < a->iterations && i < SN_SOLVER_LOG; i++) {
    const sn_iteration *k = &a->log[i];
    json_object(j, NULL);
    json_real(j, "improvement", k->improvement);
    json_real(j, "gradient", k->gradient);
    json_real(j, "lineslope", k->lineslope);
    json_integer(j, "nactive", k->nactive);
    json_integer(j, "nchange", k->nchange);
    json_integer(j, "neval", k->neval);
    json_end(j);
  }
  json_end(j);
}

static void print_answer(const sn_problem *p, int64_t index, const solver *s, const answer *a,
                         json *j) {
  if (!j) {
    printf("%7lld %5lld %5lld  %-10s %21.14g %10.2e %10.2e %6d %10.1f%s%s\n", (long long)index,
           (long long)p->nv, (long long)p->nefc, s->name, a->cost, a->residual[0], a->residual[1],
           a->iterations, 1e6 * a->seconds, a->status == SN_OK ? "" : "  not converged",
           a->nsoftened > 0 ? "  softer contacts" : "");
    return;
  }
  json_object(j, NULL);
  json_text(j, "solver", s->name);
  json_bool(j, "converged", a->status == SN_OK);
  json_real(j, "cost", a->cost);
  json_vector(j, "residual", a->residual, 2);
  json_integer(j, "iterations", a->iterations);
  json_integer(j, "nsoftened", a->nsoftened);
  json_real(j, "seconds", a->seconds);
  print_log(j, a);
  json_end(j);
}

static int solve_problem(contest *c, const sn_problem *problem, int64_t index, json *j) {
  sn_problem p = *problem;
  int status = adjust(c, &p);
  double *force = take_reals(p.nefc), *start = take_reals(p.nefc);
  if (status == DONE && !(force && start)) {
    status = report(c->o, NULL);
  }
  if (j) {
    json_object(j, NULL);
    json_integer(j, "nv", p.nv);
    json_integer(j, "nefc", p.nefc);
    json_integer(j, "ne", p.ne);
    json_integer(j, "nf", p.nf);
    json_integer(j, "ncone", p.ncone);
    json_list(j, "solvers");
  }
  for (int i = 0; i < c->nsolver && status == DONE; i++) {
    answer a;
    status = solve_one(c, &c->solver[i], &p, start, force, &a);
    if (status == DONE) {
      add_up(&c->solver[i], &a);
      if (j || !c->o->quiet) {
        print_answer(&p, index, &c->solver[i], &a, j);
      }
    }
    if (!(c->solver[i].flags & SN_SOLVER_POST)) {
      memcpy(start, force, (size_t)p.nefc * sizeof *start);
    }
  }
  if (j) {
    json_end(j);
    json_end(j);
  }
  free(force);
  free(start);
  return status;
}

static void print_sums(const contest *c, int64_t n) {
  printf("%s%-10s %9s %16s %12s %15s\n", c->o->quiet ? "" : "\n", "solver", "problems",
         "worst residual", "iterations", "microseconds");
  for (int i = 0; i < c->nsolver; i++) {
    const solver *s = &c->solver[i];
    printf("%-10s %9lld %16.2e %12lld %15.1f", s->name, (long long)n, s->worst,
           (long long)s->iterations, 1e6 * s->seconds);
    if (s->open) {
      printf("  %lld not converged", (long long)s->open);
    }
    if (s->softened) {
      printf("  %lld with softer contacts", (long long)s->softened);
    }
    putchar('\n');
  }
}

static int solve_all(contest *c, const sn_problems *problems) {
  int64_t n = sn_problems_count(problems);
  int status = DONE;
  signals_catch();
  if (!c->o->json) {
    if (n > 0 && !c->o->quiet) {
      printf("%7s %5s %5s  %-10s %21s %10s %10s %6s %10s\n", "problem", "nv", "rows", "solver",
             "cost", "|Ma-J'f|", "|f+grad s|", "iter", "us");
    }
    int64_t done = 0;
    for (; done < n && status == DONE && !signals_came(); done++) {
      status = solve_problem(c, sn_problems_at(problems, done), done, NULL);
    }
    if (n == 0) {
      printf("the file has no problems: the run that was saved met no contact, limit or other "
             "constraint\n");
    } else if (status == DONE) {
      print_sums(c, done);
    }
    return signals_status(status);
  }
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_list(&j, "problems");
  for (int64_t i = 0; i < n && status == DONE && !signals_came(); i++) {
    status = solve_problem(c, sn_problems_at(problems, i), i, &j);
  }
  if (status != DONE) {
    return status;
  }
  json_end(&j);
  json_bool(&j, "interrupted", signals_came());
  return signals_status(json_finish(&j) ? DONE : FAILED);
}

// The problems of a file; those of standard input or a descriptor are copied to a file in memory.
// NULL after reporting.
static sn_problems *load(session *s, const char *name) {
  char path[64];
  if (!is_descriptor(name)) {
    sn_problems *problems = sn_problems_load(name, s->error);
    return problems ? problems : (report(s->o, s->error), NULL);
  }
  int64_t n;
  char *bytes = read_whole(s->o, name, &n);
  const int file = bytes ? memfd_create("problems", MFD_CLOEXEC) : -1;
  sn_problems *problems = NULL;
  if (file >= 0 && write(file, bytes, (size_t)n) == n) {
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    problems = sn_problems_load(path, s->error);
  }
  if (bytes && !problems) {
    report_text(s->o, "standard input", 0, 0, "%s",
                file >= 0 ? sn_error_message(s->error) : strerror(errno));
  }
  if (file >= 0) {
    close(file);
  }
  free(bytes);
  return problems;
}

static int solve(const options *o) {
  options engine_only = *o;   // what else --set says changes the problems
  engine_only.nset = 0;
  for (int i = 0; i < o->nset; i++) {
    if (is_of_engine(o->set[i])) {
      engine_only.set[engine_only.nset++] = o->set[i];
    }
  }
  session s;
  sn_problems *problems = NULL;
  int status = session_open(&s, &engine_only);
  contest c = { .o = o, .engine = s.engine, .error = s.error };
  status = status == DONE ? read_solvers(&c) : status;
  if (status == DONE) {
    problems = load(&s, o->operand[1]);
    status = problems ? solve_all(&c, problems) : FAILED;
  }
  sn_problems_free(problems);
  session_close(&s);
  return status;
}

// ------------------------------------------------------------------ the subcommand

static int problem(const options *o) {
  if (strcmp(o->operand[0], "save") == 0) {
    return save(o);
  }
  if (strcmp(o->operand[0], "solve") == 0) {
    return solve(o);
  }
  return usage_error(o->command, "the first argument must be save or solve, not '%s'",
                     o->operand[0]);
}

static const option_meaning meanings[] = {
  { "every", "save the problem of every Nth step" },
  { NULL, NULL },
};

const command problem_command = {
  .name = "problem",
  .operands = "save MODEL | solve FILE",
  .summary = "saves the constraint problems of a run, solves saved ones again",
  .meanings = meanings,
  .accepts = "time steps every key input out solver strict json",
  .story =
      "save runs a model and writes the problem of each step, or of each that --every names.\n"
      "solve needs no model: it prints the cost, how far the answer is from the conditions of\n"
      "optimality, iterations and the time for each of the solvers that --solver names, or for\n"
      "all; with --json also what each of the first iterations did. The columns |Ma-J'f| and\n"
      "|f+grad s| are the largest residuals of the dynamics, M (a - a0) = J' f, and of the force\n"
      "law: f = -grad s of the convex model, or Coulomb's law for solvers like coulomb. --set\n"
      "changes tolerance and iterations. After Ctrl-C, both keep the results so far.\n",
  .examples = "sinew problem save stack -o stack.problems --steps 100 --every 20\n"
              "sinew problem save stack --steps 50 --every 10 --out - | "
              "sinew problem solve - --solver newton,cg,pgs --set tolerance=0\n",
  .min = 2,
  .max = 2,
  .takes_model = 1,
  .run = problem,
};
