// SPDX-License-Identifier: Apache-2.0
//
// Which collider a pair of geom types gets.
//
//   1  the one that the strongest layer of the configuration selects; within a layer, the pair
//      itself before type-*, that before `convex`, and that before *-*; within these, the last one
//      set. A group applies only where the collider that it names supports the pair
//   2  else a collider that names both types, else one that names "convex", each in the order of
//      registration
//
// `convex` are the general pairs: two convex shapes that no collider of particular pairs names, so
// that those which support any two convex shapes share them.
//
// A collider may decline a batch; the next in line gets it then (si_collider_next).

#include <stdio.h>
#include <string.h>

#include "base/character.h"
#include "base/same.h"
#include "host/calling.h"
#include "host/engine_state.h"

// the documented names of geom types, and any
static const char *const types[] = { "plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                     "cylinder", "box",    "mesh",   "user",    "*" };
enum { NTYPE = sizeof types / sizeof types[0] };
static const char group[] = "convex";
_Static_assert(NTYPE == SN_NGEOMTYPES + 1, "geom types, and * for any");

const char *si_geom_type_name(int32_t type) {
  return type >= 0 && type < SN_NGEOMTYPES ? types[type] : NULL;
}

#define ROW(a)                                                                                   \
  {                                                                                              \
    a "-plane", a "-hfield", a "-sphere", a "-capsule", a "-ellipsoid", a "-cylinder", a "-box", \
        a "-mesh", a "-user"                                                                     \
  }
static const char *const names[SN_NGEOMTYPES][SN_NGEOMTYPES] = {
  ROW("plane"),    ROW("hfield"), ROW("sphere"), ROW("capsule"), ROW("ellipsoid"),
  ROW("cylinder"), ROW("box"),    ROW("mesh"),   ROW("user"),
};

const char *si_pair_name(int first, int second) {
  return names[first][second];
}

// ------------------------------------------------------------------ keys

// "mesh-*" to its two names; 0 when there is no dash or a name is too long.
static int split_pair(const char *pair, char first[32], char second[32]) {
  const char *dash = strchr(pair, '-');
  size_t n = dash ? (size_t)(dash - pair) : 0;
  if (n == 0 || n >= 32 || strlen(dash + 1) >= 32) {
    return 0;
  }
  memcpy(first, pair, n);
  first[n] = '\0';
  memcpy(second, dash + 1, strlen(dash + 1) + 1);
  return 1;
}

static sn_status check_type(const char *type, const char *pair, const sn_location *location,
                            sn_error *error) {
  for (int i = 0; i < NTYPE; i++) {
    if (strcmp(types[i], type) == 0) {
      return SN_OK;
    }
  }
  char cure[SI_SUGGESTION];
  return si_fail_at(error, SN_EINVAL, location, "'%s': there is no geom type '%s'%s", pair, type,
                    si_suggest(cure, sizeof cure, type, "available", types, NTYPE));
}

int si_pair_is(const char *what) {
  return strchr(what, '-') != NULL || strcmp(what, group) == 0;
}

sn_status si_pair_check(const char *pair, const sn_location *location, sn_error *error) {
  char first[32], second[32];
  if (strcmp(pair, group) == 0) {
    return SN_OK;
  }
  if (!split_pair(pair, first, second)) {
    return si_fail_at(error, SN_EINVAL, location,
                      "'%s' is not a pair of geom types; write "
                      "sphere-box, mesh-* or convex",
                      pair);
  }
  SN_TRY(check_type(first, pair, location, error));
  return check_type(second, pair, location, error);
}

static int type_index(const char *name) {
  int i = 0;
  while (i < SN_NGEOMTYPES && strcmp(types[i], name) != 0) {
    i++;
  }
  return i;
}

// Types that this host does not know are those of a newer plugin.
sn_status si_pairs_check(const sn_collider_pair *pairs, const char *subject, sn_error *error) {
  for (const sn_collider_pair *p = pairs; p->first; p++) {
    if (!p->second) {
      return si_fail(error, SN_EPLUGIN,
                     "%s: the second type of its pair with " SI_QUOTED " is NULL", subject,
                     p->first);
    }
    const int first = type_index(p->first), second = type_index(p->second);
    if (first < SN_NGEOMTYPES && second < SN_NGEOMTYPES && first > second) {
      return si_fail(error, SN_EPLUGIN,
                     "%s: its pair '%s-%s' is in the wrong order; list it as \"%s\", \"%s\"",
                     subject, p->first, p->second, p->second, p->first);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the collider of a pair

// The one that is registered at *at or after it, which moves on; NULL: there are no more.
static const si_provider *next_collider(const sn_engine *engine, int64_t *at) {
  while (*at < engine->nrow) {
    const si_row *row = engine->row[(*at)++];
    if (si_same(row->kind->word, "collider")) {
      return &row->provider;
    }
  }
  return NULL;
}

static int names_type(const char *name, int type) {
  return si_same(name, group) ? type >= SN_GEOM_SPHERE && type <= SN_GEOM_MESH
                              : si_same(name, types[type]);
}

int si_collider_supports(const si_provider *provider, int type1, int type2) {
  const sn_collider_ops *ops = provider->ops;
  int best = 0;
  for (const sn_collider_pair *p = ops->pairs; p && p->first; p++) {
    if (names_type(p->first, type1) && names_type(p->second, type2)) {
      int exact = !si_same(p->first, group) && !si_same(p->second, group);
      best = exact ? 2 : best ? best : 1;
    }
  }
  return best;
}

void si_pairs_supported(const sn_engine *engine, uint8_t supported[SN_NGEOMTYPES][SN_NGEOMTYPES]) {
  const si_provider *collider;
  memset(supported, 0, SN_NGEOMTYPES * sizeof *supported);
  for (int64_t k = 0; (collider = next_collider(engine, &k));) {
    const sn_collider_ops *ops = collider->ops;
    for (const sn_collider_pair *p = ops->pairs; p && p->first; p++) {
      for (int i = 0; i < SN_NGEOMTYPES; i++) {
        for (int j = i; j < SN_NGEOMTYPES && names_type(p->first, i); j++) {
          supported[i][j] |= (uint8_t)names_type(p->second, j);
        }
      }
    }
  }
}

enum { RANK_CHOSEN, RANK_OF_SHAPE, RANK_NAMED, RANK_CONVEX, RANK_NONE };

static int rank_of(const si_provider *p, const si_collider_line *line) {
  const int grade = si_collider_supports(p, line->type1, line->type2);
  if (p == line->chosen || grade == 0) {
    return p == line->chosen ? RANK_CHOSEN : RANK_NONE;
  }
  for (int i = 0; i < 2; i++) {
    if (p->plugin && line->shape[i] && line->shape[i]->plugin == p->plugin) {
      return RANK_OF_SHAPE;
    }
  }
  return grade == 2 ? RANK_NAMED : RANK_CONVEX;
}

const si_provider *si_collider_next(const sn_engine *engine, const si_collider_line *line,
                                    const si_provider *after) {
  const si_provider *p;
  int past = after == NULL;
  for (int rank = RANK_CHOSEN; rank < RANK_NONE; rank++) {
    for (int64_t i = 0; (p = next_collider(engine, &i));) {
      if (rank_of(p, line) == rank) {
        if (past) {
          return p;
        }
        past = p == after;
      }
    }
  }
  return NULL;
}

const si_provider *si_engine_ray_collider(const sn_engine *engine, int type,
                                          const si_provider *after) {
  const si_provider *p;
  int past = after == NULL;
  for (int64_t i = 0; (p = next_collider(engine, &i));) {
    for (int other = 0; past && other < SN_NGEOMTYPES; other++) {
      const int low = type < other ? type : other, high = type < other ? other : type;
      if (((const sn_collider_ops *)p->ops)->ray && si_collider_supports(p, low, high)) {
        return p;
      }
    }
    past |= p == after;
  }
  return NULL;
}

static int supports_any_convex(const si_provider *provider) {
  const sn_collider_ops *ops = provider->ops;
  for (const sn_collider_pair *p = ops->pairs; p && p->first; p++) {
    if (si_same(p->first, group) && si_same(p->second, group)) {
      return 1;
    }
  }
  return 0;
}

static int is_general(const sn_engine *engine, int type1, int type2) {
  const si_provider *p;
  for (int64_t i = 0; (p = next_collider(engine, &i));) {
    if (!supports_any_convex(p) && si_collider_supports(p, type1, type2)) {
      return 0;
    }
  }
  return type1 >= SN_GEOM_SPHERE && type2 >= SN_GEOM_SPHERE;
}

// ------------------------------------------------------------------ selections

enum { MATCH_NOTHING, MATCH_ANY, MATCH_GROUP, MATCH_TYPE, MATCH_PAIR };

// How exactly a key matches two types.
static int match_grade(const sn_engine *engine, const char *key, int type1, int type2) {
  char a[32], b[32];
  if (strcmp(key, group) == 0) {
    return is_general(engine, type1, type2) ? MATCH_GROUP : MATCH_NOTHING;
  }
  if (!split_pair(key, a, b)) {
    return MATCH_NOTHING;
  }
  const char *first = types[type1], *second = types[type2];
  const int any_a = strcmp(a, "*") == 0, any_b = strcmp(b, "*") == 0;
  const int straight = (any_a || strcmp(a, first) == 0) && (any_b || strcmp(b, second) == 0);
  const int crossed = (any_a || strcmp(a, second) == 0) && (any_b || strcmp(b, first) == 0);
  if (!straight && !crossed) {
    return MATCH_NOTHING;
  }
  return any_a && any_b ? MATCH_ANY : any_a || any_b ? MATCH_TYPE : MATCH_PAIR;
}

// A setting that applies to a pair: of which layer, how exactly, which collider, and its origin.
typedef struct selection {
  int layer, grade;
  const char *name, *origin;
} selection;

// A group, or *, does not apply to a pair that its collider does not support. If there is no such
// collider, that is not known; finding it fails later.
static int applies(const sn_engine *engine, int grade, const char *name, int type1, int type2) {
  const si_provider *p = grade && grade < MATCH_PAIR
                             ? si_engine_find(engine, SN_KIND_COLLIDER, name, NULL)
                             : NULL;
  return grade && (!p || si_collider_supports(p, type1, type2));
}

static selection find_selection(const sn_engine *engine, int type1, int type2) {
  selection best = { 0 };
  for (int64_t i = 0; i < engine->nentry; i++) {
    const si_entry *e = &engine->entry[i];
    const int ours = si_same(e->section, "collision");
    const int grade = ours ? match_grade(engine, e->key, type1, type2) : MATCH_NOTHING;
    const int stronger = e->layer == best.layer ? grade >= best.grade : e->layer > best.layer;
    if (stronger && applies(engine, grade, e->value, type1, type2)) {
      best = (selection){ e->layer, grade, e->value, e->origin };
    }
  }
  return best;
}

sn_status si_pair_check_served(const sn_engine *engine, const char *key,
                               const si_provider *collider, const sn_location *location,
                               sn_error *error) {
  for (int i = 0; i < SN_NGEOMTYPES; i++) {
    for (int j = i; j < SN_NGEOMTYPES; j++) {
      if (match_grade(engine, key, i, j) && si_collider_supports(collider, i, j)) {
        return SN_OK;
      }
    }
  }
  char list[256] = "";
  const sn_collider_ops *ops = collider->ops;
  for (const sn_collider_pair *p = ops->pairs; p && p->first; p++) {
    size_t n = strlen(list);
    snprintf(list + n, sizeof list - n, "%s%s-%s", n ? ", " : "", p->first, p->second);
  }
  return si_fail_at(error, SN_EINVAL, location,
                    "the collider '%s' does not support %s; it supports %s", collider->name, key,
                    list);
}

sn_status si_engine_collider(const sn_engine *engine, int type1, int type2,
                             const si_provider **collider, const char **origin, sn_error *error) {
  const selection s = find_selection(engine, type1, type2);
  *collider = NULL;
  *origin = "default";
  if (s.name) {
    const si_provider *p = si_engine_find(engine, SN_KIND_COLLIDER, s.name, error);
    if (!p) {
      return SN_ENOTFOUND;
    }
    if (si_collider_supports(p, type1, type2)) {
      *collider = p;
      *origin = s.origin;
      return SN_OK;
    }
    if (s.grade == MATCH_PAIR) {
      return si_fail(error, SN_EINVAL,
                     "%s: the collider '%s' does not support %s-%s; choose another in [collision]",
                     s.origin, s.name, types[type1], types[type2]);
    }
  }
  int best = 0;
  const si_provider *p;
  for (int64_t i = 0; (p = next_collider(engine, &i));) {
    int grade = si_collider_supports(p, type1, type2);
    if (grade > best) {
      best = grade;
      *collider = p;
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ unused colliders

// The first pair for which another collider was taken only because it was registered before. 0: the
// collider is used for a pair, or another choice was made by the configuration.
static int is_superseded(const sn_engine *engine, const si_provider *collider, int *type1,
                         int *type2, const si_provider **other) {
  *other = NULL;
  for (int i = 0; i < SN_NGEOMTYPES; i++) {
    for (int j = i; j < SN_NGEOMTYPES; j++) {
      const int grade = si_collider_supports(collider, i, j);
      const si_provider *used = NULL;
      const char *origin = "";
      if (!grade || si_engine_collider(engine, i, j, &used, &origin, NULL) < 0 || !used) {
        continue;
      }
      if (used == collider) {
        return 0;
      }
      if (!*other && strcmp(origin, "default") == 0 && si_collider_supports(used, i, j) == grade) {
        *other = used;
        *type1 = i;
        *type2 = j;
      }
    }
  }
  return *other != NULL;
}

void si_pairs_warn_unused(const sn_engine *engine) {
  const si_provider *p, *other;
  int i, j;
  for (int64_t k = 0; (p = next_collider(engine, &k));) {
    if (is_superseded(engine, p, &i, &j, &other)) {
      char subject[SI_PROVIDER_TITLE];
      si_engine_log(engine, SN_LOG_WARNING, "plugin",
                    "%s is used for no pair of geom types: '%s', which was registered before it, "
                    "supports them too; to use it, write '%s = %s' in section [collision] of the "
                    "configuration",
                    si_provider_title(p, subject), other->name,
                    si_collider_supports(p, i, j) == 2 ? si_pair_name(i, j) : group, p->name);
    }
  }
}
