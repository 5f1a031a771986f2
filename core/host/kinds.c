// SPDX-License-Identifier: Apache-2.0
//
// The kinds that this host knows, and what each requires of an operations struct. A plugin's table
// may be shorter than the host's (an older plugin) as long as it reaches every required member,
// or longer (a newer plugin); the host works on its own copy and never reads past either.

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/character.h"
#include "base/words.h"
#include "host/engine_state.h"

#define REQUIRED(type, member) \
  { #member, offsetof(type, member), SI_OPS_REQUIRED, NULL, 0 }
#define TEXT(type, member) \
  { #member, offsetof(type, member), SI_OPS_TEXT, NULL, 0 }
#define PARAMS(type, member) \
  { #member, offsetof(type, member), SI_OPS_PARAMS, NULL, 0 }
#define VALUES(type, member) \
  { #member, offsetof(type, member), SI_OPS_VALUES, NULL, 0 }
#define NUMBERS(type, member) \
  { #member, offsetof(type, member), SI_OPS_NUMBERS, NULL, 0 }
#define WORDS(type, member, words) \
  { #member, offsetof(type, member), SI_OPS_WORDS, words, 0 }
#define PREFIXES(type, member) \
  { #member, offsetof(type, member), SI_OPS_PREFIXES, NULL, 0 }
#define RANGE(type, member, most) \
  { #member, offsetof(type, member), SI_OPS_RANGE, NULL, most }
#define PAIRS(type, member) \
  { #member, offsetof(type, member), SI_OPS_PAIRS, NULL, 0 }
#define NEEDS(type, member, other) \
  { #member, offsetof(type, member), SI_OPS_NEEDS, #other, offsetof(type, other) }
#define RESERVED(type, member) \
  { #member, offsetof(type, member), SI_OPS_RESERVED, NULL, 0 }
#define SUMMARY(type) \
  { "summary", offsetof(type, head.summary), SI_OPS_TEXT, NULL, 0 }
#define END \
  { NULL, 0, 0, NULL, 0 }

// The words of tables.
static const char objects[] =
    "body|xbody|joint|geom|site|camera|light|mesh|skin|hfield|texture|material|pair|exclude|"
    "equality|tendon|actuator|sensor|numeric|text|tuple|key";
static const char transmissions[] = "joint|jointinparent|slidercrank|tendon|site|refsite|body";

static const si_ops_member solver_members[] = {
  SUMMARY(sn_solver_ops),
  REQUIRED(sn_solver_ops, solve),
  END,
};

static const si_ops_member collider_members[] = {
  SUMMARY(sn_collider_ops),
  REQUIRED(sn_collider_ops, pairs),
  RANGE(sn_collider_ops, max_points, INT32_MAX),
  RESERVED(sn_collider_ops, reserved),
  REQUIRED(sn_collider_ops, collide),
  PAIRS(sn_collider_ops, pairs),
  END,
};

static const si_ops_member integrator_members[] = {
  SUMMARY(sn_integrator_ops),
  REQUIRED(sn_integrator_ops, step),
  RANGE(sn_integrator_ops, order, INT32_MAX),
  RANGE(sn_integrator_ops, evaluations, INT32_MAX),
  RANGE(sn_integrator_ops, rotation_order, INT32_MAX),
  NEEDS(sn_integrator_ops, bind, unbind),
  END,
};

static const si_ops_member dynamics_members[] = {
  SUMMARY(sn_dynamics_ops),
  REQUIRED(sn_dynamics_ops, states),
  REQUIRED(sn_dynamics_ops, rate),
  NUMBERS(sn_dynamics_ops, numbers),
  PARAMS(sn_dynamics_ops, attributes),
  WORDS(sn_dynamics_ops, transmissions, transmissions),
  NEEDS(sn_dynamics_ops, attributes, bind),
  NEEDS(sn_dynamics_ops, bind, unbind),
  END,
};

static const si_ops_member force_members[] = {
  SUMMARY(sn_force_ops),
  REQUIRED(sn_force_ops, value),
  NUMBERS(sn_force_ops, numbers),
  PARAMS(sn_force_ops, attributes),
  WORDS(sn_force_ops, transmissions, transmissions),
  NEEDS(sn_force_ops, attributes, bind),
  NEEDS(sn_force_ops, bind, unbind),
  END,
};

static const si_ops_member sensor_members[] = {
  SUMMARY(sn_sensor_ops),
  WORDS(sn_sensor_ops, objects, objects),
  WORDS(sn_sensor_ops, references, objects),
  WORDS(sn_sensor_ops, needs, "cacc|subtree_vel"),
  RANGE(sn_sensor_ops, stage, SN_NSTAGES - 1),
  RANGE(sn_sensor_ops, datatype, SN_NDATATYPES - 1),
  RANGE(sn_sensor_ops, dim, SN_MAX_STATES),
  RESERVED(sn_sensor_ops, reserved),
  REQUIRED(sn_sensor_ops, bind),
  REQUIRED(sn_sensor_ops, unbind),
  REQUIRED(sn_sensor_ops, evaluate),
  PARAMS(sn_sensor_ops, attributes),
  END,
};

static const si_ops_member passive_members[] = {
  SUMMARY(sn_passive_ops),
  REQUIRED(sn_passive_ops, bind),
  REQUIRED(sn_passive_ops, unbind),
  REQUIRED(sn_passive_ops, apply),
  PARAMS(sn_passive_ops, attributes),
  TEXT(sn_passive_ops, implements),
  END,
};

static const si_ops_member constraint_members[] = {
  SUMMARY(sn_constraint_ops),
  REQUIRED(sn_constraint_ops, bind),
  REQUIRED(sn_constraint_ops, unbind),
  REQUIRED(sn_constraint_ops, rows),
  REQUIRED(sn_constraint_ops, dofs),
  REQUIRED(sn_constraint_ops, evaluate),
  PARAMS(sn_constraint_ops, attributes),
  END,
};

static const si_ops_member filter_members[] = {
  SUMMARY(sn_filter_ops),
  REQUIRED(sn_filter_ops, bind),
  REQUIRED(sn_filter_ops, unbind),
  REQUIRED(sn_filter_ops, select),
  END,
};

static const si_ops_member contact_members[] = {
  SUMMARY(sn_contact_ops),
  REQUIRED(sn_contact_ops, bind),
  REQUIRED(sn_contact_ops, unbind),
  REQUIRED(sn_contact_ops, modify),
  PARAMS(sn_contact_ops, attributes),
  END,
};

static const si_ops_member controller_members[] = {
  SUMMARY(sn_controller_ops),
  REQUIRED(sn_controller_ops, bind),
  REQUIRED(sn_controller_ops, unbind),
  REQUIRED(sn_controller_ops, control),
  PARAMS(sn_controller_ops, attributes),
  END,
};

static const si_ops_member shape_members[] = {
  SUMMARY(sn_shape_ops),           REQUIRED(sn_shape_ops, make),     REQUIRED(sn_shape_ops, drop),
  REQUIRED(sn_shape_ops, support), VALUES(sn_shape_ops, attributes), END,
};

static const si_ops_member loader_members[] = {
  SUMMARY(sn_loader_ops),
  TEXT(sn_loader_ops, extensions),
  REQUIRED(sn_loader_ops, probe),
  REQUIRED(sn_loader_ops, load),
  END,
};

static const si_ops_member resource_members[] = {
  SUMMARY(sn_resource_ops),         PREFIXES(sn_resource_ops, prefixes),
  REQUIRED(sn_resource_ops, open),  REQUIRED(sn_resource_ops, read),
  REQUIRED(sn_resource_ops, close), END,
};

static const si_ops_member mesh_members[] = {
  SUMMARY(sn_mesh_ops),
  TEXT(sn_mesh_ops, extensions),
  TEXT(sn_mesh_ops, images),
  END,
};

static const si_ops_member executor_members[] = {
  SUMMARY(sn_executor_ops),
  REQUIRED(sn_executor_ops, workers),
  REQUIRED(sn_executor_ops, run),
  END,
};

static const si_ops_member renderer_members[] = {
  SUMMARY(sn_renderer_ops),
  REQUIRED(sn_renderer_ops, open),
  REQUIRED(sn_renderer_ops, close),
  TEXT(sn_renderer_ops, extensions),
  END,
};

static const si_kind kinds[] = {
  { SN_KIND_SOLVER, "solver", 48, sizeof(sn_solver_ops), solver_members,
    "SN_SOLVER_NO_ISLANDS|SN_SOLVER_DUAL|SN_SOLVER_POST|SN_SOLVER_COULOMB|"
    "SN_SOLVER_RECURSIVE" },
  { SN_KIND_COLLIDER, "collider", 80, sizeof(sn_collider_ops), collider_members, NULL },
  { SN_KIND_INTEGRATOR, "integrator", 96, sizeof(sn_integrator_ops), integrator_members,
    "SN_INTEGRATOR_LANES" },
  { SN_KIND_DYNAMICS, "dynamics", 128, sizeof(sn_dynamics_ops), dynamics_members,
    "SN_ACTUATOR_LENGTHRANGE" },
  { SN_KIND_GAIN, "gain", 120, sizeof(sn_force_ops), force_members, "SN_ACTUATOR_LENGTHRANGE" },
  { SN_KIND_BIAS, "bias", 120, sizeof(sn_force_ops), force_members, "SN_ACTUATOR_LENGTHRANGE" },
  { SN_KIND_SENSOR, "sensor", 136, sizeof(sn_sensor_ops), sensor_members, NULL },
  { SN_KIND_PASSIVE, "passive", 136, sizeof(sn_passive_ops), passive_members,
    "SN_PASSIVE_NAMED|SN_PASSIVE_GRAVCOMP|SN_PASSIVE_TREE_ONLY|SN_PASSIVE_INTERNAL" },
  { SN_KIND_CONSTRAINT, "constraint", 104, sizeof(sn_constraint_ops), constraint_members, NULL },
  { SN_KIND_FILTER, "filter", 64, sizeof(sn_filter_ops), filter_members, NULL },
  { SN_KIND_CONTACT, "contact", 72, sizeof(sn_contact_ops), contact_members, "SN_CONTACT_NAMED" },
  { SN_KIND_CONTROLLER, "controller", 96, sizeof(sn_controller_ops), controller_members,
    "SN_CONTROLLER_NAMED" },
  { SN_KIND_SHAPE, "shape", 80, sizeof(sn_shape_ops), shape_members, NULL },
  { SN_KIND_LOADER, "loader", 80, sizeof(sn_loader_ops), loader_members, NULL },
  { SN_KIND_RESOURCE, "resource", 88, sizeof(sn_resource_ops), resource_members, NULL },
  { SN_KIND_MESH, "mesh", 88, sizeof(sn_mesh_ops), mesh_members, NULL },
  { SN_KIND_EXECUTOR, "executor", 64, sizeof(sn_executor_ops), executor_members, NULL },
  { SN_KIND_RENDERER, "renderer", 88, sizeof(sn_renderer_ops), renderer_members,
    "SN_RENDERER_OPENGL" },
};

enum { NKIND = sizeof kinds / sizeof kinds[0] };

const si_kind *si_kind_at(int64_t index) {
  return index >= 0 && index < NKIND ? &kinds[index] : NULL;
}

// Ids are compared by their words, since all begin and end alike: "sinew.solvr/1", "solver". A
// known word with another revision is that of another version of Sinew.
static void fail_unknown(const char *id, sn_error *error) {
  const char *words[NKIND], *ids[NKIND];
  for (int i = 0; i < NKIND; i++) {
    words[i] = kinds[i].word;
    ids[i] = kinds[i].id;
  }
  char asked[SN_NAME_MAX], all[SI_SUGGESTION];
  const char *dot = strchr(id, '.'), *word = dot ? dot + 1 : id;
  snprintf(asked, sizeof asked, "%.*s", (int)strcspn(word, "/"), word);
  const char *near = si_nearest(asked, words, NKIND);
  const si_kind *kind = NULL;
  for (int i = 0; near && i < NKIND; i++) {
    kind = kinds[i].word == near ? &kinds[i] : kind;
  }
  if (!kind) {
    si_fail(error, SN_ENOTFOUND, "unknown kind " SI_QUOTED "; this engine supports: %s", id,
            si_join(all, sizeof all, ids, NKIND));
  } else if (word[strlen(asked)] == '/' && strcmp(asked, near) == 0) {
    si_fail(error, SN_ENOTFOUND,
            "unknown kind '%s'; this engine supports '%s', another version of Sinew may support "
            "this one",
            id, kind->id);
  } else {
    si_fail(error, SN_ENOTFOUND, "unknown kind " SI_QUOTED "; did you mean '%s'?", id, kind->id);
  }
}

const si_kind *si_kind_find(const char *id, sn_error *error) {
  for (int i = 0; i < NKIND; i++) {
    if (id && strcmp(kinds[i].id, id) == 0) {
      return &kinds[i];
    }
  }
  fail_unknown(id ? id : "", error);
  return NULL;
}

int si_kind_same(const si_kind *a, const si_kind *b) {
  return a == b || (a->word[0] == b->word[0] && strcmp(a->word, b->word) == 0);
}

int32_t si_kind_revision(const si_kind *kind) {
  return (int32_t)strtol(strchr(kind->id, '/') + 1, NULL, 10);
}

// ------------------------------------------------------------------ checks of a table

static sn_status check_words(const si_ops_member *m, const char *text, const char *subject,
                             sn_error *error) {
  for (si_word word; si_next_word(&text, &word);) {
    if (word.n > SI_LONGEST_WORD || !si_is_listed(m->words, word.text)) {
      char cure[SI_SUGGESTION];
      return si_fail(error, SN_EPLUGIN, "%s: its '%s' contains '%s', which is unknown%s", subject,
                     m->name, word.text,
                     si_suggest_listed(cure, sizeof cure, word.text, "known are", m->words));
    }
  }
  return SN_OK;
}

// Bits of sn_ops.flags that this host does not know, and so cannot respect.
static sn_status check_flags(const si_kind *kind, uint32_t flags, const char *subject,
                             sn_error *error) {
  uint32_t known = SN_OPS_WEAK | SN_OPS_SERIAL, bit = 1;
  const char *names = kind->flags;
  for (si_word word; si_next_word(&names, &word); bit <<= 1) {
    known |= bit;
  }
  return flags & ~known
             ? si_fail(error, SN_EPLUGIN,
                       "%s: its flags 0x%x contain 0x%x, which is unknown to this engine; a %s has "
                       "the flags %s%sSN_OPS_WEAK and SN_OPS_SERIAL",
                       subject, flags, flags & ~known, kind->word, kind->flags ? kind->flags : "",
                       kind->flags ? ", " : "")
             : SN_OK;
}

static sn_status check_range(const si_ops_member *m, const uint8_t *copy, const char *subject,
                             sn_error *error) {
  int32_t value;
  memcpy(&value, copy + m->offset, sizeof value);
  return value >= 0 && value <= m->most
             ? SN_OK
             : si_fail(error, SN_EPLUGIN, "%s: its '%s' is %d; from 0 to %d are allowed", subject,
                       m->name, (int)value, (int)m->most);
}

static sn_status check_reserved(const si_ops_member *m, const uint8_t *copy, const char *subject,
                                sn_error *error) {
  int32_t value;
  memcpy(&value, copy + m->offset, sizeof value);
  return value == 0 ? SN_OK
                    : si_fail(error, SN_EPLUGIN,
                              "%s: its '%s' is %d, and in this version it must be 0; set it to 0 "
                              "(was the plugin compiled for another version of Sinew?)",
                              subject, m->name, (int)value);
}

static sn_status check_no_references(const sn_param *table, const char *subject, sn_error *error) {
  for (const sn_param *p = table; p && p->name; p++) {
    if (p->type == SN_PARAM_REFERENCE) {
      return si_fail(
          error, SN_EPLUGIN,
          "%s: its parameter '%s' is a reference; only attributes of elements of a model can be "
          "references, but not those of a shape",
          subject, p->name);
    }
  }
  return SN_OK;
}

static const void *pointer_at(const uint8_t *copy, uint32_t offset) {
  const void *pointer;
  memcpy(&pointer, copy + offset, sizeof pointer);
  return pointer;
}

enum { SHORTEST_PREFIX = 3 };

static int is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Rejects a list of prefixes, "a://|b:", that is malformed.
static sn_status check_prefixes(const char *list, const char *subject, sn_error *error) {
  for (si_word prefix; si_next_word(&list, &prefix);) {
    const size_t n = prefix.n;
    const char *text = prefix.text;
    if (n < SHORTEST_PREFIX || n > SI_LONGEST_WORD || !is_letter(text[0]) || !strchr(text, ':') ||
        (text[n - 1] != ':' && text[n - 1] != '/')) {
      return si_fail(error, SN_EPLUGIN,
                     "%s: the prefix '%s' is invalid; a prefix is like 'package://' or 'zip:', "
                     "with %d to %d characters",
                     subject, text, SHORTEST_PREFIX, SI_LONGEST_WORD);
    }
  }
  return SN_OK;
}

// The flags, lists of words and tables of parameters in a copy.
static sn_status check_tables(const si_kind *kind, const uint8_t *copy, const char *subject,
                              sn_error *error) {
  const sn_ops *head = (const sn_ops *)(const void *)copy;
  SN_TRY(check_flags(kind, head->flags, subject, error));
  SN_TRY(si_params_check(head->params, subject, error));
  SN_TRY(check_no_references(head->params, subject, error));
  for (const si_ops_member *m = kind->members; m->name; m++) {
    if (m->rule == SI_OPS_WORDS || m->rule == SI_OPS_PREFIXES) {
      const char *text = NULL;
      memcpy(&text, copy + m->offset, sizeof text);
      SN_TRY(m->rule == SI_OPS_WORDS ? check_words(m, text, subject, error)
                                     : check_prefixes(text, subject, error));
    }
    if (m->rule == SI_OPS_NEEDS && pointer_at(copy, m->offset) &&
        !pointer_at(copy, (uint32_t)m->most)) {
      return si_fail(error, SN_EPLUGIN, "%s: the member '%s' requires '%s', which is NULL", subject,
                     m->name, m->words);
    }
    if (m->rule == SI_OPS_RANGE) {
      SN_TRY(check_range(m, copy, subject, error));
    } else if (m->rule == SI_OPS_RESERVED) {
      SN_TRY(check_reserved(m, copy, subject, error));
    } else if (m->rule == SI_OPS_PAIRS) {
      const sn_collider_pair *pairs = NULL;
      memcpy(&pairs, copy + m->offset, sizeof pairs);
      SN_TRY(si_pairs_check(pairs, subject, error));
    }
    if (m->rule != SI_OPS_PARAMS && m->rule != SI_OPS_NUMBERS && m->rule != SI_OPS_VALUES) {
      continue;
    }
    const sn_param *table = NULL;
    memcpy(&table, copy + m->offset, sizeof table);
    SN_TRY(si_params_check(table, subject, error));
    SN_TRY(m->rule == SI_OPS_VALUES ? check_no_references(table, subject, error) : SN_OK);
    for (const sn_param *p = table; m->rule == SI_OPS_NUMBERS && p && p->name; p++) {
      if (p->type >= SN_PARAM_TEXT || p - table >= SN_NACTPRM) {
        return si_fail(error, SN_EPLUGIN, "%s: '%s' of its %s is %s", subject, p->name, m->name,
                       p->type >= SN_PARAM_TEXT
                           ? "not a number; parameters of this kind are numbers"
                           : "beyond the limit of 10 numbers");
      }
    }
  }
  return SN_OK;
}

// No table of a kind has been shorter than in ABI 1.0, and only a newer ABI has longer ones than
// this host. Any other size is that of another table: it was listed under the wrong kind. An
// application does not say its ABI: its longer table is taken for a newer one, unless it is exactly
// as long as that of another kind.
static sn_status check_size(const si_kind *kind, uint32_t size, si_age age, const char *subject,
                            sn_error *error) {
  const si_kind *like = NULL;
  for (int i = 0; i < NKIND && !like; i++) {
    like = kinds[i].size == size ? &kinds[i] : NULL;
  }
  if (size >= kind->least &&
      (size <= kind->size || age == SI_AGE_NEWER || (age == SI_AGE_UNKNOWN && !like))) {
    return SN_OK;
  }
  return si_fail(
      error, SN_EPLUGIN,
      "%s: the operation table has %u bytes%s%s, and that of the kind %s has %u; list it "
      "with the macro of its own kind, SN_PROVIDE_*, and set head.size to the sizeof of its type",
      subject, size, like ? ", like that of the kind " : "", like ? like->word : "", kind->word,
      kind->size);
}

// Has the table a size of its kind, and all required members? *size: of the table.
static sn_status check_required(const si_kind *kind, const void *ops, si_age age,
                                const char *subject, uint32_t *size, sn_error *error) {
  if (!ops) {
    return si_fail(error, SN_EPLUGIN, "%s: the operation table is NULL", subject);
  }
  memcpy(size, ops, sizeof *size);
  if (*size < sizeof(sn_ops)) {
    return si_fail(error, SN_EPLUGIN,
                   "%s: the size of the operation table is %u bytes, less than that of its head, "
                   "%zu; set head.size to the sizeof of the operations struct",
                   subject, *size, sizeof(sn_ops));
  }
  if (*size % sizeof(void *)) {
    return si_fail(
        error, SN_EPLUGIN,
        "%s: the size of the operation table, %u bytes, is not a multiple of %zu; set head.size to "
        "the sizeof of the operations struct",
        subject, *size, sizeof(void *));
  }
  SN_TRY(check_size(kind, *size, age, subject, error));
  for (const si_ops_member *m = kind->members; m->name; m++) {
    const void *pointer = NULL;
    if (m->rule != SI_OPS_REQUIRED) {
      continue;
    }
    memcpy(&pointer, (const uint8_t *)ops + m->offset, sizeof pointer);
    if (!pointer) {
      return si_fail(error, SN_EPLUGIN, "%s: the required operation '%s' is NULL", subject,
                     m->name);
    }
  }
  return SN_OK;
}

void *si_kind_copy_ops(const si_kind *kind, const void *ops, si_age age, const char *subject,
                       sn_error *error) {
  uint32_t size = 0;
  if (check_required(kind, ops, age, subject, &size, error) < 0) {
    return NULL;
  }
  uint8_t *copy = calloc(1, kind->size);
  if (!copy) {
    si_no_memory(error);
    return NULL;
  }
  memcpy(copy, ops, size < kind->size ? size : kind->size);

  // texts that were not given are empty
  static const char *const empty = "";
  for (const si_ops_member *m = kind->members; m->name; m++) {
    const char *text = NULL;
    memcpy(&text, copy + m->offset, sizeof text);
    const int is_text = m->rule == SI_OPS_TEXT || m->rule == SI_OPS_WORDS ||
                        m->rule == SI_OPS_PREFIXES;
    if (is_text && !text) {
      memcpy(copy + m->offset, &empty, sizeof empty);
    }
  }
  if (check_tables(kind, copy, subject, error) < 0) {
    free(copy);
    return NULL;
  }
  return copy;
}
