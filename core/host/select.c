// SPDX-License-Identifier: Apache-2.0
//
// What is selected: lines of [select] and [collision], and calls of sn_select, which are lines of
// the strongest layer. (A model's own options come before both; bind/bind.c.) Pairs of geom types:
// pairs.c.

#include <stdlib.h>
#include <string.h>

#include "host/engine_state.h"

static const si_selectable selectables[] = {
  { "solver", SN_KIND_SOLVER },      { "integrator", SN_KIND_INTEGRATOR },
  { "executor", SN_KIND_EXECUTOR },  { "post_solver", SN_KIND_SOLVER },
  { "decomposition", SN_KIND_MESH }, { "renderer", SN_KIND_RENDERER },
};
enum { NSELECTABLE = sizeof selectables / sizeof selectables[0] };

const si_selectable *si_selectable_at(int64_t index) {
  return index >= 0 && index < NSELECTABLE ? &selectables[index] : NULL;
}

static const si_selectable *find_selectable(const char *what) {
  for (int i = 0; i < NSELECTABLE; i++) {
    if (strcmp(selectables[i].what, what) == 0) {
      return &selectables[i];
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ shapes of keys

static sn_status check_what(const char *what, const sn_location *location, sn_error *error) {
  if (find_selectable(what)) {
    return SN_OK;
  }
  const char *names[NSELECTABLE];
  for (int i = 0; i < NSELECTABLE; i++) {
    names[i] = selectables[i].what;
  }
  char cure[SI_SUGGESTION];
  return si_fail_at(error, SN_EINVAL, location, "%s '%s'%s%s%s",
                    location ? "unknown key" : "unknown selection", what,
                    location ? " in [select]" : "",
                    si_suggest(cure, sizeof cure, what, "available", names, NSELECTABLE),
                    location ? "" : ", and pairs of geom types such as sphere-box");
}

static sn_status check_override(const char *key, const sn_location *location, sn_error *error) {
  const char *dot = strchr(key, '.');
  const si_kind *kind;
  const char *words[32];
  int64_t n = 0;
  for (; (kind = si_kind_at(n)) && n < 32; n++) {
    words[n] = kind->word;
    if (dot && dot[1] && strlen(kind->word) == (size_t)(dot - key) &&
        strncmp(kind->word, key, (size_t)(dot - key)) == 0) {
      return SN_OK;
    }
  }
  char list[256];
  return si_fail_at(error, SN_EPARSE, location,
                    "[override] %s: write KIND.NAME = name of a plugin, as "
                    "in solver.newton = mine; kinds: %s",
                    key, si_join(list, sizeof list, words, n));
}

static sn_status check_nothing(const char *key, const sn_location *location, sn_error *error) {
  (void)key;
  (void)location;
  (void)error;
  return SN_OK;
}

sn_status si_select_check_key(const char *section, const char *key, const sn_location *location,
                              sn_error *error) {
  static const struct {
    const char *section;
    sn_status (*check)(const char *key, const sn_location *location, sn_error *error);
  } checks[] = {
    { "plugins", check_nothing },
    { "select", check_what },
    { "collision", si_pair_check },
    { "override", check_override },
  };
  for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
    if (strcmp(section, checks[i].section) == 0) {
      return checks[i].check(key, location, error);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ selecting

// A plugin for meshes; among the others, those that decompose are suggested.
static const si_provider *find_decomposition(const sn_engine *engine, const char *name,
                                             sn_error *error) {
  enum { MOST = 32 };
  const char *names[MOST];
  const si_provider *p;
  int64_t n = 0;
  for (int64_t i = 0; (p = si_engine_each(engine, SN_KIND_MESH, i)); i++) {
    if (strcmp(p->name, name) == 0) {
      return p;
    }
    names[n] = p->name;
    n += n < MOST - 1 && ((const sn_mesh_ops *)p->ops)->decompose != NULL;
  }
  char cure[SI_SUGGESTION];
  si_fail(error, SN_ENOTFOUND, "no loaded plugin '%s' decomposes meshes%s", name,
          si_suggest(cure, sizeof cure, name, "available", names, n));
  return NULL;
}

// Finds the selected provider, and checks that it has the role it is selected for.
static const si_provider *find_selected(const sn_engine *engine, const char *kind, const char *what,
                                        const char *name, sn_error *error) {
  if (strcmp(kind, SN_KIND_MESH) == 0) {
    return find_decomposition(engine, name, error);
  }
  if (strcmp(kind, SN_KIND_SOLVER) != 0) {
    return si_engine_find(engine, kind, name, error);
  }
  const uint32_t wanted = strcmp(what, "post_solver") == 0 ? SN_SOLVER_POST : 0;
  const si_provider *p = si_engine_find_among(engine, kind, name, SN_SOLVER_POST, wanted, error);
  if (!p) {
    return NULL;
  }
  const uint32_t is_post = ((const sn_solver_ops *)p->ops)->head.flags & SN_SOLVER_POST;
  if (is_post == wanted) {
    return p;
  }
  si_fail(error, SN_EINVAL,
          is_post ? "'%s' is a post-solver, not a main solver; set noslip_iterations to run it "
                    "after the main solver"
                  : "'%s' is a main solver, not a post-solver; set the option solver to use it",
          name);
  return NULL;
}

sn_status sn_select(sn_engine *engine, const char *what, const char *name, sn_error *error) {
  if (!what || !name) {
    return si_fail(error, SN_EINVAL, "sn_select requires what to select, and a name");
  }
  const int pair = si_pair_is(what);
  SN_TRY(pair ? si_pair_check(what, NULL, error) : check_what(what, NULL, error));
  const char *kind = pair ? SN_KIND_COLLIDER : find_selectable(what)->kind;
  sn_error inner = { 0 };
  const si_provider *p = find_selected(engine, kind, what, name, &inner);
  if (!p) {
    return si_fail(error, inner.code, "%s", inner.message);
  }
  if (pair) {
    SN_TRY(si_pair_check_served(engine, what, p, NULL, error));
  }
  return si_config_set(engine, pair ? "collision" : "select", what, p->name, "sn_select", error);
}

const si_entry *si_select_entry(const sn_engine *engine, const char *what) {
  for (int64_t i = 0; i < engine->nentry; i++) {
    const si_entry *e = &engine->entry[i];
    if (strcmp(e->section, "select") == 0 && strcmp(e->key, what) == 0) {
      return e;
    }
  }
  return NULL;
}

const char *si_engine_selected(const sn_engine *engine, const char *what) {
  const si_entry *entry = si_select_entry(engine, what);
  return entry ? entry->value : NULL;
}

int si_engine_option(const sn_engine *engine, int64_t index, const char **key, const char **value,
                     sn_location *location) {
  for (int64_t i = 0; engine && i < engine->nentry; i++) {
    const si_entry *e = &engine->entry[i];
    if (strcmp(e->section, "option") == 0 && index-- == 0) {
      *key = e->key;
      *value = e->value;
      *location = si_config_location(e);
      return 1;
    }
  }
  return 0;
}

// ------------------------------------------------------------------ checking

sn_status si_select_check(const sn_engine *engine, sn_error *error) {
  for (int64_t i = 0; i < engine->nentry; i++) {
    const si_entry *e = &engine->entry[i];
    const char *kind = NULL;
    if (strcmp(e->section, "select") == 0) {
      kind = find_selectable(e->key)->kind;
    } else if (strcmp(e->section, "collision") == 0) {
      kind = SN_KIND_COLLIDER;
    }
    sn_error inner = { 0 };
    const si_provider *p = kind ? find_selected(engine, kind, e->key, e->value, &inner) : NULL;
    if (p && strcmp(kind, SN_KIND_COLLIDER) == 0) {
      si_pair_check_served(engine, e->key, p, NULL, &inner);
    }
    if (inner.code < 0) {
      const sn_location location = si_config_location(e);
      return si_fail_at(error, inner.code, &location, "[%s] %s: %s", e->section, e->key,
                        inner.message);
    }
  }
  return SN_OK;
}
