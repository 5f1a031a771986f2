// SPDX-License-Identifier: Apache-2.0
//
// What computes the simulation, chosen while it runs: solver, integrator, profile, colliders; the
// options and flags of the model.

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "sinew/collider.h"
#include "sinew/integrator.h"
#include "sinew/number.h"

// ------------------------------------------------------------------ solver and integrator

// The providers of a kind. flags: those that have one of them are left out.
static int list_providers(const sn_engine *engine, const char *kind, uint32_t without,
                          const char **names) {
  sn_provider_info info = { .size = sizeof info };
  int n = 0;
  for (int64_t i = 0; n < MAX_CHOICES && sn_engine_provider(engine, i, &info); i++) {
    const sn_ops *ops = info.ops;
    if (strcmp(info.kind, kind) == 0 && !(ops && (ops->flags & without))) {
      names[n++] = info.name;
    }
  }
  return n;
}

static int index_of(const char *const *names, int n, const char *name) {
  for (int i = 0; i < n; i++) {
    if (name && strcmp(names[i], name) == 0) {
      return i;
    }
  }
  return -1;
}

// The choice holds for this model, and for those that are loaded after it.
static void choose_provider(sn_viewer *v, const char *what, const char *kind, uint32_t without) {
  sn_engine *engine = sn_model_engine(v->m);
  const char *names[MAX_CHOICES];
  const int n = list_providers(engine, kind, without, names);
  int at = index_of(names, n, sn_model_selected(v->m, what));
  if (!gui_choice(what, names, n, &at)) {
    return;
  }
  const char *name = names[at];
  if (sn_model_parse_option(v->m, what, name, v->error) < 0) {
    viewer_complain_of(v, "this choice cannot be made");
    return;
  }
  if (load_is_offered(v)) {
    sn_select(engine, what, name, NULL);
  }
  viewer_say(v, "%s: %s", what, name);
}

// ------------------------------------------------------------------ the profile

// Of the engine: the name of its file, or "none".
static void current_profile(const sn_engine *engine, char *out, size_t n) {
  sn_layer_info info = { .size = sizeof info };
  snprintf(out, n, "none");
  for (int64_t i = 0; sn_engine_layer(engine, i, &info); i++) {
    if (strcmp(info.name, "profile") == 0) {
      const char *slash = strrchr(info.path, '/');
      snprintf(out, n, "%s", slash ? slash + 1 : info.path);
      char *dot = strstr(out, ".ini");
      if (dot) {
        *dot = '\0';
      }
    }
  }
}

// Adds the names of the folder profiles/ beside an ini.
static int list_folder(const char *ini, char names[][64], int n) {
  char folder[PATH_MAX];
  const char *slash = strrchr(ini, '/');
  snprintf(folder, sizeof folder, "%.*s/profiles", slash ? (int)(slash - ini) : 0, ini);
  DIR *dir = opendir(folder);
  for (struct dirent *e; dir && n < MAX_CHOICES && (e = readdir(dir)) != NULL;) {
    const char *dot = strrchr(e->d_name, '.');
    if (dot && strcmp(dot, ".ini") == 0 && dot - e->d_name < 60) {
      snprintf(names[n], 64, "%.*s", (int)(dot - e->d_name), e->d_name);
      int k = 0;
      while (strcmp(names[k], names[n]) != 0) {
        k++;
      }
      n += k == n;   // not one of before
    }
  }
  if (dir) {
    closedir(dir);
  }
  return n;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(a, b);
}

// Beside the ini of the user, which need not exist.
static int list_of_user(char names[][64], int n) {
  const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  char ini[PATH_MAX];
  if (xdg && *xdg) {
    snprintf(ini, sizeof ini, "%s/sinew/sinew.ini", xdg);
  } else {
    snprintf(ini, sizeof ini, "%s/.config/sinew/sinew.ini", home ? home : "");
  }
  return list_folder(ini, names, n);
}

static void find_profiles(sn_viewer *v) {
  profiles *p = &v->profiles;
  const sn_engine *engine = sn_model_engine(v->m);
  sn_layer_info info = { .size = sizeof info };
  p->engine = engine;
  p->n = 1;
  snprintf(p->name[0], sizeof p->name[0], "none");
  for (int64_t i = 0; sn_engine_layer(engine, i, &info); i++) {
    p->n = list_folder(info.path, p->name, p->n);
  }
  p->n = list_of_user(p->name, p->n);
  qsort(p->name[1], (size_t)(p->n - 1), sizeof p->name[0], compare_names);
  current_profile(engine, p->current, sizeof p->current);
}

static void choose_profile(sn_viewer *v) {
  profiles *p = &v->profiles;
  const char *names[MAX_CHOICES];
  if (p->engine != sn_model_engine(v->m)) {
    find_profiles(v);
  }
  for (int i = 0; i < p->n; i++) {
    names[i] = p->name[i];
  }
  int at = index_of(names, p->n, p->current);
  if (gui_choice("profile", names, p->n, &at)) {
    snprintf(v->wants_profile, sizeof v->wants_profile, "%s", names[at]);
  }
  gui_tooltip("loads the model again, with the settings of this profile");
}

// ------------------------------------------------------------------ colliders

static const char *const type_names[] = { "plane",     "hfield",   "sphere", "capsule",
                                          "ellipsoid", "cylinder", "box",    "mesh" };
enum { NTYPES = sizeof type_names / sizeof type_names[0] };

// Does the model have geoms of both types of a pair, "box-mesh"?
static int pair_occurs(const sn_model *m, const char *pair) {
  const char *dash = strchr(pair, '-');
  int seen[2] = { 0, 0 };
  for (int64_t i = 0; dash && i < snm_ngeom(m); i++) {
    const int32_t type = snm_geom_type(m)[i];
    if (type < 0 || type >= NTYPES) {
      continue;
    }
    const char *name = type_names[type];
    const size_t first = (size_t)(dash - pair);
    seen[0] |= strlen(name) == first && strncmp(name, pair, first) == 0;
    seen[1] |= strcmp(name, dash + 1) == 0;
  }
  return seen[0] && seen[1];
}

static void choose_collider(sn_viewer *v, const char *pair, const char *current) {
  sn_engine *engine = sn_model_engine(v->m);
  const char *names[MAX_CHOICES];
  const int n = list_providers(engine, SN_KIND_COLLIDER, 0, names);
  int at = index_of(names, n, current);
  if (!gui_choice(pair, names, n, &at) || strcmp(names[at], current) == 0) {
    return;
  }
  if (sn_select(engine, pair, names[at], v->error) < 0) {
    viewer_complain_of(v, "this choice cannot be made");
  } else {
    viewer_say(v, "%s: %s", pair, names[at]);
    v->wants_rebuild = 1;
  }
}

// Of the pairs of types that the model has.
void panel_colliders(sn_viewer *v) {
  sn_config_info info = { .size = sizeof info };
  if (!load_is_offered(v) || snm_ngeom(v->m) == 0 || !gui_section("colliders", 0)) {
    return;
  }
  for (int64_t i = 0; sn_engine_config(sn_model_engine(v->m), i, &info); i++) {
    if (strcmp(info.section, "collision") == 0 && pair_occurs(v->m, info.key)) {
      choose_collider(v, info.key, info.value);
    }
  }
  gui_section_end();
}

void panel_physics(sn_viewer *v) {
  if (!gui_section("physics", 1)) {
    return;
  }
  choose_provider(v, "solver", SN_KIND_SOLVER, SN_SOLVER_POST);
  choose_provider(v, "integrator", SN_KIND_INTEGRATOR, 0);
  if (load_is_offered(v)) {
    choose_profile(v);
  }
  gui_section_end();
}

// ------------------------------------------------------------------ options

static void set_option(sn_viewer *v, const char *name, const char *value) {
  if (sn_model_parse_option(v->m, name, value, v->error) < 0) {
    viewer_complain_of(v, "this value cannot be used");
  }
  viewer_moved(v);
}

static void edit_number(sn_viewer *v, const char *name, double value) {
  char text[SN_NUMBER_ROOM];
  if (gui_number(name, &value, "%.6g")) {
    sn_write_number(text, value, 0);
    set_option(v, name, text);
  }
}

// An option whose values have names.
static void edit_choice(sn_viewer *v, const char *name, int value) {
  const char *names[MAX_CHOICES];
  int n = 0;
  while (n < MAX_CHOICES && (names[n] = sn_option_choice(name, n)) != NULL) {
    n++;
  }
  if (gui_choice(name, names, n, &value)) {
    set_option(v, name, names[value]);
  }
}

void panel_options(sn_viewer *v) {
  sn_option o = { .def_size = sizeof o };
  double gravity;
  if (!gui_section("options", 0)) {
    return;
  }
  sn_model_get_option(v->m, &o);
  edit_number(v, "timestep", o.timestep);
  edit_number(v, "iterations", (double)o.iterations);
  edit_number(v, "tolerance", o.tolerance);
  edit_number(v, "noslip_iterations", (double)o.noslip_iterations);
  edit_number(v, "impratio", o.impratio);
  edit_choice(v, "cone", (int)o.cone);
  edit_choice(v, "jacobian", (int)o.jacobian);
  edit_number(v, "density", o.density);
  edit_number(v, "viscosity", o.viscosity);
  gravity = o.gravity[2];
  if (gui_number("gravity z", &gravity, "%.6g")) {
    o.gravity[2] = gravity;
    if (sn_model_set_option(v->m, &o, v->error) < 0) {
      viewer_complain_of(v, "this value cannot be used");
    }
    viewer_moved(v);
  }
  gui_section_end();
}

// ------------------------------------------------------------------ flags

static const struct {
  const char *name;
  int32_t bit;
  int disables;
} flags[] = {
  { "constraint", SN_DISABLE_CONSTRAINT, 1 },
  { "equality", SN_DISABLE_EQUALITY, 1 },
  { "frictionloss", SN_DISABLE_FRICTIONLOSS, 1 },
  { "limit", SN_DISABLE_LIMIT, 1 },
  { "contact", SN_DISABLE_CONTACT, 1 },
  { "passive", SN_DISABLE_PASSIVE, 1 },
  { "gravity", SN_DISABLE_GRAVITY, 1 },
  { "clampctrl", SN_DISABLE_CLAMPCTRL, 1 },
  { "warmstart", SN_DISABLE_WARMSTART, 1 },
  { "filterparent", SN_DISABLE_FILTERPARENT, 1 },
  { "actuation", SN_DISABLE_ACTUATION, 1 },
  { "refsafe", SN_DISABLE_REFSAFE, 1 },
  { "sensor", SN_DISABLE_SENSOR, 1 },
  { "eulerdamp", SN_DISABLE_EULERDAMP, 1 },
  { "override", SN_ENABLE_OVERRIDE, 0 },
  { "energy", SN_ENABLE_ENERGY, 0 },
  { "fwdinv", SN_ENABLE_FWDINV, 0 },
  { "sensornoise", SN_ENABLE_SENSORNOISE, 0 },
  { "multiccd", SN_ENABLE_MULTICCD, 0 },
  { "exactequality", SN_ENABLE_EXACTEQUALITY, 0 },
  { "sleep", SN_ENABLE_SLEEP, 0 },
};

void panel_flags(sn_viewer *v) {
  sn_option o = { .def_size = sizeof o };
  if (!gui_section("flags", 0)) {
    return;
  }
  sn_model_get_option(v->m, &o);
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
    int64_t *bits = flags[i].disables ? &o.disableflags : &o.enableflags;
    const int on = ((*bits & flags[i].bit) != 0) != flags[i].disables;
    gui_column((int)(i % 2), 2);
    if (gui_check(flags[i].name, on)) {
      *bits ^= flags[i].bit;
      if (sn_model_set_option(v->m, &o, v->error) < 0) {
        viewer_complain_of(v, "this flag cannot be changed");
      }
      viewer_moved(v);
    }
  }
  gui_section_end();
}
