// SPDX-License-Identifier: Apache-2.0
//
// The kinds that this host knows, and what each asks of an operations struct. A plugin's table
// may be shorter than the host's (an older plugin) as long as it reaches every required member,
// or longer (a newer plugin); the host works on its own copy and never reads past either.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "host/engine_state.h"

#define REQUIRED(type, member) \
  { #member, offsetof(type, member), SI_OPS_REQUIRED }
#define TEXT(type, member) \
  { #member, offsetof(type, member), SI_OPS_TEXT }
#define PARAMS(type, member) \
  { #member, offsetof(type, member), SI_OPS_PARAMS }
#define NUMBERS(type, member) \
  { #member, offsetof(type, member), SI_OPS_NUMBERS }
#define SUMMARY(type) \
  { "summary", offsetof(type, head.summary), SI_OPS_TEXT }
#define END \
  { NULL, 0, 0 }

static const si_ops_member solver_members[] = {
  SUMMARY(sn_solver_ops),
  REQUIRED(sn_solver_ops, solve),
  END,
};

static const si_ops_member collider_members[] = {
  SUMMARY(sn_collider_ops),
  REQUIRED(sn_collider_ops, pairs),
  REQUIRED(sn_collider_ops, collide),
  END,
};

static const si_ops_member integrator_members[] = {
  SUMMARY(sn_integrator_ops),
  REQUIRED(sn_integrator_ops, step),
  END,
};

static const si_ops_member dynamics_members[] = {
  SUMMARY(sn_dynamics_ops),
  REQUIRED(sn_dynamics_ops, states),
  REQUIRED(sn_dynamics_ops, rate),
  NUMBERS(sn_dynamics_ops, numbers),
  TEXT(sn_dynamics_ops, transmissions),
  END,
};

static const si_ops_member force_members[] = {
  SUMMARY(sn_force_ops),
  REQUIRED(sn_force_ops, value),
  NUMBERS(sn_force_ops, numbers),
  TEXT(sn_force_ops, transmissions),
  END,
};

static const si_ops_member sensor_members[] = {
  SUMMARY(sn_sensor_ops),
  TEXT(sn_sensor_ops, objects),
  TEXT(sn_sensor_ops, references),
  TEXT(sn_sensor_ops, needs),
  REQUIRED(sn_sensor_ops, bind),
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
  TEXT(sn_passive_ops, realizes),
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

static const si_ops_member loader_members[] = {
  SUMMARY(sn_loader_ops),
  TEXT(sn_loader_ops, extensions),
  REQUIRED(sn_loader_ops, probe),
  REQUIRED(sn_loader_ops, load),
  END,
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

static const si_kind kinds[] = {
  { SN_KIND_SOLVER, "solver", sizeof(sn_solver_ops), solver_members },
  { SN_KIND_COLLIDER, "collider", sizeof(sn_collider_ops), collider_members },
  { SN_KIND_INTEGRATOR, "integrator", sizeof(sn_integrator_ops), integrator_members },
  { SN_KIND_DYNAMICS, "dynamics", sizeof(sn_dynamics_ops), dynamics_members },
  { SN_KIND_GAIN, "gain", sizeof(sn_force_ops), force_members },
  { SN_KIND_BIAS, "bias", sizeof(sn_force_ops), force_members },
  { SN_KIND_SENSOR, "sensor", sizeof(sn_sensor_ops), sensor_members },
  { SN_KIND_PASSIVE, "passive", sizeof(sn_passive_ops), passive_members },
  { SN_KIND_FILTER, "filter", sizeof(sn_filter_ops), filter_members },
  { SN_KIND_CONTACT, "contact", sizeof(sn_contact_ops), contact_members },
  { SN_KIND_LOADER, "loader", sizeof(sn_loader_ops), loader_members },
  { SN_KIND_MESH, "mesh", sizeof(sn_mesh_ops), mesh_members },
  { SN_KIND_EXECUTOR, "executor", sizeof(sn_executor_ops), executor_members },
};

enum { NKIND = sizeof kinds / sizeof kinds[0] };

const si_kind *si_kind_at(int64_t index) {
  return index >= 0 && index < NKIND ? &kinds[index] : NULL;
}

const si_kind *si_kind_find(const char *id, sn_error *error) {
  const char *ids[NKIND];
  for (int i = 0; i < NKIND; i++) {
    if (id && strcmp(kinds[i].id, id) == 0) {
      return &kinds[i];
    }
    ids[i] = kinds[i].id;
  }
  char cure[SI_SUGGESTION];
  si_fail(error, SN_ENOTFOUND, "unknown kind '%s'%s", id ? id : "",
          si_suggest(cure, sizeof cure, id, "this engine knows", ids, NKIND));
  return NULL;
}

// The tables of parameters in a copy.
static sn_status check_tables(const si_kind *kind, const uint8_t *copy, const char *who,
                              sn_error *error) {
  const sn_ops *head = (const sn_ops *)(const void *)copy;
  SN_TRY(si_params_check(head->params, who, error));
  for (const si_ops_member *m = kind->members; m->name; m++) {
    if (m->rule != SI_OPS_PARAMS && m->rule != SI_OPS_NUMBERS) {
      continue;
    }
    const sn_param *table = NULL;
    memcpy(&table, copy + m->offset, sizeof table);
    SN_TRY(si_params_check(table, who, error));
    for (const sn_param *p = table; m->rule == SI_OPS_NUMBERS && p && p->name; p++) {
      if (p->type == SN_PARAM_TEXT || p - table >= SN_NACTPRM) {
        return si_fail(error, SN_EPLUGIN, "%s: '%s' of its %s is %s", who, p->name, m->name,
                       p->type == SN_PARAM_TEXT ? "a text; parameters of this kind are numbers"
                                                : "beyond the limit of 10 numbers");
      }
    }
  }
  return SN_OK;
}

void *si_kind_copy_ops(const si_kind *kind, const void *ops, const char *who, sn_error *error) {
  uint32_t size = 0;
  if (!ops) {
    si_fail(error, SN_EPLUGIN, "%s: the operation table is NULL", who);
    return NULL;
  }
  memcpy(&size, ops, sizeof size);
  if (size < sizeof(sn_ops)) {
    si_fail(error, SN_EPLUGIN,
            "%s: the size of the operation table is %u bytes, less than that of its head, %zu; set "
            "head.size to the sizeof of the operations struct",
            who, size, sizeof(sn_ops));
    return NULL;
  }

  // required members first: the size is trusted only as far as they need
  for (const si_ops_member *m = kind->members; m->name; m++) {
    if (m->rule != SI_OPS_REQUIRED) {
      continue;
    }
    if (size < m->offset + sizeof(void *)) {
      si_fail(error, SN_EPLUGIN,
              "%s: the operation table has %u bytes and ends before the required operation '%s' "
              "(byte %u)",
              who, size, m->name, m->offset);
      return NULL;
    }
    const void *pointer = NULL;
    memcpy(&pointer, (const uint8_t *)ops + m->offset, sizeof pointer);
    if (!pointer) {
      si_fail(error, SN_EPLUGIN, "%s: the required operation '%s' is NULL", who, m->name);
      return NULL;
    }
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
    if (m->rule == SI_OPS_TEXT && !text) {
      memcpy(copy + m->offset, &empty, sizeof empty);
    }
  }
  if (check_tables(kind, copy, who, error) < 0) {
    free(copy);
    return NULL;
  }
  return copy;
}
