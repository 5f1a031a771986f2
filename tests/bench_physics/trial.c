// SPDX-License-Identifier: Apache-2.0
//
// Runs: a model with the settings of a row and of a column.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_physics.h"

void quit(const sn_error *error) {
  fprintf(stderr, "bench_physics: %s\n", sn_error_text(error));
  exit(1);
}

void set_option(trial *t, const char *name, const char *value) {
  if (sn_model_parse_option(t->m, name, value, t->error) < 0) {
    quit(t->error);
  }
}

double *edit_field(trial *t, const char *name) {
  sn_view view = { .size = sizeof view };
  if (sn_model_field(t->m, name, &view) < 0) {
    fprintf(stderr, "bench_physics: models have no field '%s'\n", name);
    exit(1);
  }
  return view.p;
}

// ------------------------------------------------------------------ settings

typedef void setting_fn(trial *t, const char *name, const char *value);

static void for_each_setting(trial *t, const char *settings, setting_fn *apply) {
  char copy[512], *save = NULL;
  snprintf(copy, sizeof copy, "%s", settings ? settings : "");
  for (char *word = strtok_r(copy, ";", &save); word; word = strtok_r(NULL, ";", &save)) {
    char *value = strchr(word, '=');
    *value = '\0';
    apply(t, word, value + 1);
  }
}

static const char *profile;

static void find_profile(trial *t, const char *name, const char *value) {
  static char text[64];
  (void)t;
  if (strcmp(name, "profile") == 0) {
    snprintf(text, sizeof text, "%s", value);
    profile = text;
  }
}

static void set_engine(trial *t, const char *name, const char *value) {
  if (strchr(name, '.') && sn_engine_set(t->engine, name, value, t->error) < 0) {
    quit(t->error);
  }
}

// Twice the time step is the shortest time constant that solref can have; 0.9999 the largest
// impedance.
static void stiffen_equalities(trial *t) {
  sn_option option = { .def_size = sizeof option };
  sn_model_get_option(t->m, &option);
  double *solref = edit_field(t, "eq_solref"), *solimp = edit_field(t, "eq_solimp");
  for (int64_t i = 0; i < snm_neq(t->m); i++) {
    solref[2 * i] = 2 * option.timestep;
    solref[2 * i + 1] = 1;
    solimp[5 * i] = solimp[5 * i + 1] = 0.9999;
  }
}

static void set_contacts(trial *t, const char *value) {
  double *solref = edit_field(t, "geom_solref"), *solimp = edit_field(t, "geom_solimp");
  double x[4] = { 0 };
  if (sscanf(value, "%lf,%lf,%lf,%lf", &x[0], &x[1], &x[2], &x[3]) != 4) {
    fprintf(stderr, "bench_physics: contacts=%s: four numbers are needed\n", value);
    exit(1);
  }
  for (int64_t i = 0; i < snm_ngeom(t->m); i++) {
    memcpy(solref + 2 * i, x, 2 * sizeof *x);
    memcpy(solimp + 5 * i, x + 2, 2 * sizeof *x);
  }
}

static void set_restitution(trial *t, const char *value) {
  double *restitution = edit_field(t, "geom_restitution");
  for (int64_t i = 0; i < snm_ngeom(t->m); i++) {
    restitution[i] = strtod(value, NULL);
  }
}

static void set_model(trial *t, const char *name, const char *value) {
  if (strcmp(name, "equality") == 0) {
    stiffen_equalities(t);
  } else if (strcmp(name, "contacts") == 0) {
    set_contacts(t, value);
  } else if (strcmp(name, "restitution") == 0) {
    set_restitution(t, value);
  } else if (!strchr(name, '.') && strcmp(name, "profile") != 0) {
    set_option(t, name, value);
  }
}

// ------------------------------------------------------------------ a run

static sn_model *load_model(const trial *t, const row *r) {
  if (r->scene) {
    const char *text = r->scene(r->parameter);
    if (sn_engine_add_resource(t->engine, "scene.xml", text, (int64_t)strlen(text), t->error) < 0) {
      quit(t->error);
    }
    return sn_load(t->engine, "scene.xml", t->error);
  }
  char path[512];
  snprintf(path, sizeof path, SN_TEST_SOURCE "/%s%s.xml",
           strchr(r->model, '/') ? "" : "tests/models/physics/", r->model);
  return sn_load(t->engine, path, t->error);
}

trial open_trial(const row *r, const char *settings) {
  trial t = { .error = sn_error_new(), .parameter = r->parameter };
  profile = "none";
  for_each_setting(&t, r->settings, find_profile);
  for_each_setting(&t, settings, find_profile);
  const sn_engine_request request = { .size = sizeof request,
                                      .config = SN_TEST_BUILD "/sinew.ini",
                                      .profile = profile };
  t.engine = sn_engine_open_with(&request, t.error);
  if (!t.engine) {
    quit(t.error);
  }
  for_each_setting(&t, r->settings, set_engine);
  for_each_setting(&t, settings, set_engine);
  t.m = load_model(&t, r);
  if (!t.m) {
    quit(t.error);
  }
  for_each_setting(&t, r->settings, set_model);
  for_each_setting(&t, settings, set_model);
  t.d = sn_data_new(t.m, t.error);
  sn_option option = { .def_size = sizeof option };
  if (!t.d || sn_model_get_option(t.m, &option) < 0) {
    quit(t.error);
  }
  t.h = option.timestep;
  return t;
}

void close_trial(trial *t) {
  sn_data_free(t->d);
  sn_model_free(t->m);
  sn_engine_close(t->engine);
  sn_error_free(t->error);
}

void step(trial *t) {
  t->diverged |= sn_step(t->m, t->d) < 0;
}

void simulate(trial *t, double time) {
  for (int64_t n = llround(time / t->h); n > 0 && !t->diverged; n--) {
    step(t);
  }
}

double energy(trial *t) {
  sn_forward(t->m, t->d);
  sn_compute_energy(t->m, t->d);
  return snd_energy(t->d)[0] + snd_energy(t->d)[1];
}

double cpu_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void incline(trial *t, double tangent) {
  const double gravity = 9.81, c = 1 / sqrt(1 + tangent * tangent);
  char text[96];
  snprintf(text, sizeof text, "%.17g 0 %.17g", gravity * tangent * c, -gravity * c);
  set_option(t, "gravity", text);
}
