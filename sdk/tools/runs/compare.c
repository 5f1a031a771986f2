// SPDX-License-Identifier: Apache-2.0
//
// sinew compare: the same run under each combination of choices (solvers, integrators, colliders,
// profiles, values of a setting), side by side. Up to SAMPLES + 1 instants of a run are compared.
// What is measured there is computed on a copy of the state, so that no run depends on it.
//
//   difference   the largest of the nv components of the positions (in the tangent space: a ball
//                joint has three) and of the velocities, from the run that is the reference
//   energy       its change since the start; that of the momentum and of the angular momentum about
//                the center of mass of the whole model
//   violation    the largest |residual| of equality rows, and depth beyond a limit
//   penetration  the largest depth of a contact

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "compare.h"
#include "tools/fields.h"

static const struct {
  const char *name, *title, *unit;
  int is_log;
} measures[NMEASURES] = {
  [POSITION] = { "position_difference", "difference of positions", "m, rad", 1 },
  [VELOCITY] = { "velocity_difference", "difference of velocities", "m/s, rad/s", 1 },
  [ENERGY] = { "energy_change", "change of the energy", "J", 0 },
  [MOMENTUM] = { "momentum_change", "change of the momentum", "kg m/s", 0 },
  [ANGULAR] = { "angular_momentum_change", "change of the angular momentum", "kg m^2/s", 0 },
  [VIOLATION] = { "violation", "violation of equalities and limits", "m, rad", 1 },
  [PENETRATION] = { "penetration", "penetration", "m", 1 },
  [CONTACTS] = { "contacts", "contacts", "", 0 },
};

// ------------------------------------------------------------------ measuring

static double length3(const double *a, const double *b) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}

static double largest_violation(sn_data *d) {
  const int64_t ne = snd_ne(d), nefc = snd_nefc(d);
  const int32_t *type = snd_efc_type(d);
  const double *residual = snd_efc_pos(d);
  double most = 0;
  for (int64_t i = 0; i < nefc; i++) {
    if (i < ne) {
      most = fmax(most, fabs(residual[i]));
    } else if (type[i] == SN_ROW_LIMIT_JOINT || type[i] == SN_ROW_LIMIT_TENDON) {
      most = fmax(most, -residual[i]);
    }
  }
  return most;
}

static double deepest_contact(sn_data *d) {
  const double *distance = snd_contact_dist(d);
  double most = 0;
  for (int64_t i = 0; i < snd_ncon(d); i++) {
    most = fmax(most, -distance[i]);
  }
  return most;
}

static sn_status evaluate(const sn_model *m, sn_data *d) {
  sn_status status = sn_forward_position(m, d);
  status = status < 0 ? status : sn_forward_velocity(m, d);
  status = status < 0 ? status : sn_compute_energy(m, d);
  return status < 0 ? status : sn_subtree_velocities(m, d);
}

// Measures the present state as instant k. DONE, or FAILED after reporting.
static int measure(choice *c, int64_t k) {
  const sn_model *m = c->s.model;
  sn_data *d = c->copy;
  if (sn_data_copy(m, d, c->s.data) < 0) {
    return report_text(&c->o, NULL, 0, 0, "the state cannot be copied");
  }
  const sn_status status = evaluate(m, d);
  if (status < 0) {
    return report_data(&c->o, d, status);
  }
  const double mass = snm_body_subtreemass(m)[0];
  double now[7] = { snd_energy(d)[0] + snd_energy(d)[1] };
  for (int i = 0; i < 3; i++) {
    now[1 + i] = mass * snd_subtree_linvel(d)[i];
    now[4 + i] = snd_subtree_angmom(d)[i];
  }
  if (k == 0) {
    memcpy(c->start, now, sizeof now);
  }
  c->samples = k;
  c->time[k] = snd_time(d)[0];
  memcpy(c->qpos + k * snm_nq(m), snd_qpos(d), (size_t)snm_nq(m) * sizeof(double));
  memcpy(c->qvel + k * snm_nv(m), snd_qvel(d), (size_t)snm_nv(m) * sizeof(double));
  c->value[ENERGY][k] = now[0] - c->start[0];
  c->value[MOMENTUM][k] = length3(now + 1, c->start + 1);
  c->value[ANGULAR][k] = length3(now + 4, c->start + 4);
  c->value[VIOLATION][k] = largest_violation(d);
  c->value[PENETRATION][k] = deepest_contact(d);
  c->value[CONTACTS][k] = (double)snd_ncon(d);
  return DONE;
}

// Seconds from the start to instant k; the last one is the end.
static double instant(const choice *c, int64_t k) {
  return fmin((double)k * c->interval, c->end);
}

// The step that is nearest to it.
static int64_t step_of(const choice *c, int64_t k) {
  return llround(instant(c, k) / c->timestep);
}

static int64_t next_instant(void *context, int64_t step) {
  const choice *c = context;
  const int64_t next = step_of(c, c->samples + 1);
  return c->samples >= c->planned || next < step ? -1 : next;
}

// A long step may be the nearest one to several instants; an interrupted run ends at none.
static int observe_instant(void *context, session *s, int64_t step) {
  choice *c = context;
  (void)s;
  while (c->samples < c->planned && step == step_of(c, c->samples + 1) && !c->failed) {
    c->failed = measure(c, c->samples + 1) != DONE;
  }
  return !c->failed;
}

// ------------------------------------------------------------------ a run

static double *reals(int64_t n) {
  return calloc((size_t)n + 1, sizeof(double));
}

static int reserve(choice *c) {
  const sn_model *m = c->s.model;
  int ok = 1;
  c->copy = sn_data_new(m, c->s.error);
  c->qpos = reals((SAMPLES + 1) * snm_nq(m));
  c->qvel = reals((SAMPLES + 1) * snm_nv(m));
  c->time = reals(SAMPLES + 1);
  for (int i = 0; i < NMEASURES; i++) {
    c->value[i] = reals(SAMPLES + 1);
    ok &= c->value[i] != NULL;
  }
  return c->copy && c->qpos && c->qvel && c->time && ok ? DONE : report(&c->o, c->s.error);
}

// The first choice sets the time and the instants of all: every Nth of its steps.
static void plan_all(comparison *all, const choice *c, int64_t steps) {
  const int64_t stride = (steps + SAMPLES - 1) / SAMPLES;
  all->samples = stride ? (steps + stride - 1) / stride : 0;
  all->interval = (double)stride * c->timestep;
  all->time = (double)steps * c->timestep;
}

static int check_like_first(const comparison *all, const choice *c, const double *controls) {
  const choice *first = &all->choice[0];
  if (snm_nq(c->s.model) != snm_nq(first->s.model) ||
      snm_nv(c->s.model) != snm_nv(first->s.model)) {
    return report_text(&c->o, NULL, 0, 0,
                       "'%s' makes another model: %lld degrees of freedom instead of %lld", c->name,
                       (long long)snm_nv(c->s.model), (long long)snm_nv(first->s.model));
  }
  return !controls || c->timestep == first->timestep
             ? DONE
             : report_text(
                   &c->o, NULL, 0, 0,
                   "ctrl_sequence has controls for steps of one length, so runs with different "
                   "timesteps cannot use it; remove it from the input, or compare runs with the "
                   "same timestep");
}

static int run_steps(comparison *all, choice *c, const double *controls, int64_t sequence) {
  int64_t steps = 0;
  int status = DONE;
  c->timestep = model_options(c->s.model).timestep;
  if (c == all->choice) {
    status = session_steps(&c->s, 10, sequence, &steps);
    plan_all(all, c, steps);
  }
  status = status == DONE ? check_like_first(all, c, controls) : status;
  status = status == DONE ? reserve(c) : status;
  c->interval = all->interval;
  c->end = all->time;
  c->planned = all->samples;
  status = status == DONE ? measure(c, 0) : status;
  if (status != DONE) {
    return status;
  }
  observe_instant(c, &c->s, 0);   // where a step is longer than two intervals
  c->sum.planned = step_of(c, all->samples);
  const plan p = {
    .controls = controls, .context = c, .next = next_instant, .observe = observe_instant
  };
  status = simulate(&c->s, &c->sum, &p);
  c->is_done = status == DONE && !c->failed && !c->sum.interrupted;
  return c->failed ? FAILED : status;
}

static int run_choice(comparison *all, choice *c) {
  double *controls = NULL;
  int64_t sequence = -1;
  int status = session_open(&c->s, &c->o);
  status = status == DONE ? session_load(&c->s, c->o.operand[0]) : status;
  status = status == DONE ? session_start(&c->s) : status;
  status = status == DONE ? input_apply(&c->s, c->o.input, &controls, &sequence) : status;
  status = status == DONE ? run_steps(all, c, controls, sequence) : status;
  free(controls);
  return status;
}

static int run_all(comparison *all) {
  int status = run_choice(all, &all->choice[0]);
  if (status == DONE && all->o->fine) {
    status = choices_add_fine(all);
  }
  for (int i = 1; i < all->n && status == DONE && !signals_came(); i++) {
    status = run_choice(all, &all->choice[i]);
  }
  return status;
}

// ------------------------------------------------------------------ differences

static int measure_differences(comparison *all) {
  const choice *r = &all->choice[all->reference];
  if (!r->is_done) {
    return DONE;   // interrupted
  }
  const sn_model *m = r->s.model;
  const int64_t nq = snm_nq(m), nv = snm_nv(m);
  double *v = reals(nv);
  for (int i = 0; v && i < all->n; i++) {
    const choice *c = &all->choice[i];
    for (int64_t k = 0; c->is_done && k <= all->samples; k++) {
      double position = 0, velocity = 0;
      if (i == all->reference) {
        continue;   // exactly zero
      }
      sn_differentiate_position(m, v, 1, r->qpos + k * nq, c->qpos + k * nq);
      for (int64_t j = 0; j < nv; j++) {
        position = fmax(position, fabs(v[j]));
        velocity = fmax(velocity, fabs(c->qvel[k * nv + j] - r->qvel[k * nv + j]));
      }
      c->value[POSITION][k] = position;
      c->value[VELOCITY][k] = velocity;
    }
  }
  free(v);
  return v ? DONE : report(all->o, NULL);
}

// The value of the largest size.
static double most(const comparison *all, const choice *c, int what) {
  double out = 0;
  for (int64_t k = 0; k <= all->samples; k++) {
    out = fabs(c->value[what][k]) > fabs(out) ? c->value[what][k] : out;
  }
  return out;
}

// Whether instants of choices with different timesteps lie apart.
static int are_apart(const comparison *all) {
  for (int i = 0; i < all->n; i++) {
    const choice *c = &all->choice[i];
    for (int64_t k = 0; c->is_done && k <= all->samples; k++) {
      if (fabs(c->time[k] - c->time[0] - instant(c, k)) > 1e-6 * c->timestep) {
        return 1;
      }
    }
  }
  return 0;
}

// ------------------------------------------------------------------ printing

static int name_width(const comparison *all) {
  size_t n = 12;
  for (int i = 0; i < all->n; i++) {
    const size_t length = strlen(all->choice[i].name);
    n = length > n ? length : n;
  }
  return (int)(n < 60 ? n : 60);
}

static void print_text(const comparison *all) {
  const int w = name_width(all);
  const choice *r = &all->choice[all->reference];
  printf("model       %s\nsimulated   %g s, compared at %lld instant%s with '%s'\n\n",
         all->o->operand[0], all->time, (long long)all->samples + 1, all->samples ? "s" : "",
         r->name);
  printf("%s%-*s %9s %9s %9s %9s %9s %11s%s\n", styled(stdout, BOLD), w, "largest", "position",
         "velocity", "energy", "momentum", "violation", "penetration", styled(stdout, PLAIN));
  for (int i = 0; i < all->n; i++) {
    const choice *c = &all->choice[i];
    if (c->is_done) {
      printf("%-*s %9.2e %9.2e %+9.1e %9.2e %9.2e %11.2e\n", w, c->name, most(all, c, POSITION),
             most(all, c, VELOCITY), most(all, c, ENERGY), most(all, c, MOMENTUM),
             most(all, c, VIOLATION), most(all, c, PENETRATION));
    }
  }
  printf("\n%s%-*s %9s %9s %11s %10s %9s %9s %11s %6s%s\n", styled(stdout, BOLD), w, "", "steps",
         "contacts", "constraints", "iterations", "us/step", "at end", "unconverged", "softer",
         styled(stdout, PLAIN));
  for (int i = 0; i < all->n; i++) {
    const choice *c = &all->choice[i];
    const double n = fmax((double)c->sum.steps, 1);
    if (c->is_done) {
      printf("%-*s %9lld %9.1f %11.1f %10.1f %9.2f %9.2e %11lld %6lld%s\n", w, c->name,
             (long long)c->sum.steps, c->sum.contacts / n, c->sum.rows / n, c->sum.iterations / n,
             1e6 * c->sum.seconds / n, c->value[POSITION][all->samples],
             (long long)c->sum.unconverged, (long long)c->sum.softened,
             *verdict(c->s.data) ? "  diverged" : "");
    }
  }
  puts("\nposition, at end: m or rad, from the run compared with; energy: J, change since the "
       "start; unconverged: steps; softer: steps in which the solver made contacts softer");
}

static void print_choice(json *j, const comparison *all, const choice *c) {
  const double n = fmax((double)c->sum.steps, 1);
  json_object(j, NULL);
  json_text(j, "name", c->name);
  json_bool(j, "reference", c == &all->choice[all->reference]);
  json_text(j, "solver", sn_model_selected(c->s.model, "solver"));
  json_text(j, "integrator", sn_model_selected(c->s.model, "integrator"));
  json_text(j, "profile", c->o.profile);
  json_real(j, "timestep", c->timestep);
  json_integer(j, "steps", c->sum.steps);
  json_real(j, "seconds_per_step", c->sum.seconds / n);
  json_real(j, "contacts_per_step", c->sum.contacts / n);
  json_real(j, "rows_per_step", c->sum.rows / n);
  json_real(j, "iterations_per_step", c->sum.iterations / n);
  json_integer(j, "unconverged_steps", c->sum.unconverged);
  json_integer(j, "softened_steps", c->sum.softened);
  json_text(j, "error", *verdict(c->s.data) ? verdict(c->s.data) : NULL);
  for (int i = 0; i < NMEASURES; i++) {
    json_object(j, measures[i].name);
    json_real(j, "max", most(all, c, i));
    json_real(j, "end", c->value[i][all->samples]);
    json_vector(j, "at", c->value[i], all->samples + 1);
    json_end(j);
  }
  json_end(j);
}

static int print_json(const comparison *all) {
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_text(&j, "model", all->o->operand[0]);
  json_real(&j, "simulated", all->time);
  const choice *r = &all->choice[all->reference];
  json_vector(&j, "time", r->time, r->is_done ? all->samples + 1 : 0);
  json_list(&j, "choices");
  for (int i = 0; i < all->n && r->is_done; i++) {
    if (all->choice[i].is_done) {
      print_choice(&j, all, &all->choice[i]);
    }
  }
  json_end(&j);
  if (all->choice[0].s.model) {
    loading_json(&j, "load_", all->choice[0].s.model);
  }
  json_bool(&j, "interrupted", signals_came());
  return json_finish(&j) ? DONE : FAILED;
}

// ------------------------------------------------------------------ the chart

// Whether there is something to see.
static int is_zero(const comparison *all, int what) {
  for (int i = 0; i < all->n; i++) {
    if (all->choice[i].is_done && most(all, &all->choice[i], what) != 0) {
      return 0;
    }
  }
  return 1;
}

static int draw(const comparison *all) {
  series lines[NMEASURES][MOST_CHOICES + 1];
  panel panels[NMEASURES];
  char label[NMEASURES][80];
  int n = 0;
  for (int what = 0; what < NMEASURES; what++) {
    if (is_zero(all, what) && what != POSITION) {
      continue;
    }
    const char *unit = measures[what].unit;
    snprintf(label[n], sizeof label[n], "%s", *unit ? unit : "number");
    panels[n] = (panel){ .title = measures[what].title,
                         .x = "time (s)",
                         .y = label[n],
                         .is_log = measures[what].is_log,
                         .series = lines[n] };
    for (int i = 0; i < all->n; i++) {
      const choice *c = &all->choice[i];
      if (c->is_done) {
        lines[n][panels[n].nseries++] = (series){ c->name, c->time, c->value[what],
                                                  all->samples + 1 };
      }
    }
    n++;
  }
  return chart_draw(all->o, all->o->plot, all->o->operand[0], panels, n);
}

// ------------------------------------------------------------------ the subcommand

static int print(comparison *all) {
  int status = measure_differences(all);
  const int is_complete = all->choice[all->reference].is_done;
  if (status == DONE && all->o->plot && is_complete) {
    status = draw(all);
  }
  if (status != DONE) {
    return status;
  }
  if (are_apart(all)) {
    note(all->o, "the time between two samples is not a multiple of every timestep: states of "
                 "slightly different times are compared");
  }
  if (all->o->json) {
    return print_json(all);
  }
  if (is_complete) {
    print_text(all);
  } else {
    printf("interrupted after %lld of %lld steps of '%s'\n", (long long)all->choice[0].sum.steps,
           (long long)all->choice[0].sum.planned, all->choice[0].name);
  }
  return DONE;
}

static int compare(const options *o) {
  comparison all = { .o = o, .choice = calloc(MOST_CHOICES + 1, sizeof *all.choice) };
  if (!all.choice) {
    return report(o, NULL);
  }
  int status = choices_make(&all);
  status = status == DONE ? run_all(&all) : status;
  status = status == DONE ? print(&all) : status;
  for (int i = 0; i < all.n; i++) {
    choice_free(&all.choice[i]);
  }
  free(all.choice);
  return signals_status(status);
}

const command compare_command = {
  .name = "compare",
  .operands = "MODEL",
  .summary = "compares runs under different solvers, integrators, colliders, settings",
  .accepts = "solver integrator collision vary fine time steps key input plot strict json",
  .story =
      "Performs the same run under each combination of the lists: --solver newton,pgs with\n"
      "--integrator euler,rk4 are four runs. --profile may be a list as well. The states are\n"
      "compared with those of the first run, or with --fine N with those of the first choice at\n"
      "an Nth of its timestep. The table has the largest values over the time: differences of\n"
      "positions and velocities (of one component, in m or rad), change of energy and momentum\n"
      "since the start, violation of equalities and limits, penetration; then the means of a\n"
      "step. The time of a step is that of one run; `sinew bench` measures it better. --json\n"
      "lists the values at up to 201 instants, --plot draws them.\n",
  .examples = "sinew compare stack --solver newton,cg,pgs --time 1\n"
              "sinew compare pendulum --integrator euler,implicit,rk4 --fine 20 --time 2\n"
              "sinew compare pendulum --vary timestep=0.001,0.002,0.004 --time 2 --json\n",
  .min = 1,
  .max = 1,
  .takes_model = 1,
  .run = compare,
};
