// SPDX-License-Identifier: Apache-2.0
//
// Checks of a model that was read from a file: each array against its rule (field_rules.h), then
// what depends on several arrays. A model that passes cannot make a step read outside of its
// arrays.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/address.h"
#include "model/element.h"
#include "model/field_rules.h"
#include "model/fields.h"
#include "model/validate.h"
#include "spec/correspondence.h"

sn_status si_model_bad(const sn_location *location, sn_error *error, const char *array, int64_t i) {
  if (!location) {
    return si_fail(error, SN_EINVAL,
                   "%s[%lld] of the model is out of range; undo the change of that number", array,
                   (long long)i);
  }
  return si_fail_at(error, SN_EPARSE, location,
                    "this model file is corrupt: %s[%lld] is out of range; compile it again from "
                    "its source",
                    array, (long long)i);
}

// ------------------------------------------------------------------ one array at a time

// An array, its rule, and the numbers of its partner.
typedef struct column {
  const si_field_rule *rule;
  int64_t cols;
  int64_t size;   // that ids and addresses stay below
  const int32_t *ints, *partner;
  const double *reals;
} column;

static inline int is_id(const column *c, int64_t i) {
  return c->ints[i] >= c->rule->least && c->ints[i] < c->size;
}

static inline int is_first(const column *c, int64_t i) {
  const int64_t x = c->ints[i], n = c->partner[i];
  return n <= 0 || (x >= 0 && x + n <= c->size);
}

static inline int is_in_range(const column *c, int64_t i) {
  return c->ints[i] >= c->rule->least && c->ints[i] < c->rule->end;
}

static inline int is_condim(const column *c, int64_t i) {
  const int32_t x = c->ints[i];
  return x == 1 || x == 3 || x == 4 || x == 6;
}

static inline int is_finite(const column *c, int64_t i) {
  return isfinite(c->reals[i]);
}

static inline int is_positive(const column *c, int64_t i) {
  return isfinite(c->reals[i]) && c->reals[i] > 0;
}

static inline int is_nonnegative(const column *c, int64_t i) {
  return isfinite(c->reals[i]) && c->reals[i] >= 0;
}

// At its first number, also whether another than zero is in the row.
static inline int is_direction(const column *c, int64_t i) {
  int zero = i % c->cols == 0;
  for (int64_t k = 0; zero && k < c->cols; k++) {
    zero = c->reals[i + k] == 0;
  }
  return isfinite(c->reals[i]) && !zero;
}

// The first of n numbers that breaks a rule; n: all are good.
#define FIRST_BAD(rule)                                 \
  static int64_t first_not_##rule(const column *c, int64_t n) { \
    int64_t i = 0;                                         \
    while (i < n && is_##rule(c, i)) {                      \
      i++;                                                 \
    }                                                      \
    return i;                                              \
  }
FIRST_BAD(id)
FIRST_BAD(first)
FIRST_BAD(in_range)
FIRST_BAD(condim)
FIRST_BAD(finite)
FIRST_BAD(positive)
FIRST_BAD(nonnegative)
FIRST_BAD(direction)
#undef FIRST_BAD

static int64_t (*const first_bad[SI_NRULES])(const column *c, int64_t n) = {
  [SI_RULE_ID] = first_not_id,
  [SI_RULE_ADR_OF] = first_not_first,
  [SI_RULE_RANGE] = first_not_in_range,
  [SI_RULE_CONDIM] = first_not_condim,
  [SI_RULE_FINITE] = first_not_finite,
  [SI_RULE_POSITIVE] = first_not_positive,
  [SI_RULE_NONNEGATIVE] = first_not_nonnegative,
  [SI_RULE_DIRECTION] = first_not_direction,
};

// What real numbers must be, for messages about edited models.
static const char *const wanted[SI_NRULES] = {
  [SI_RULE_FINITE] = "a finite number",
  [SI_RULE_POSITIVE] = "greater than 0",
  [SI_RULE_NONNEGATIVE] = "0 or greater",
  [SI_RULE_DIRECTION] = "finite, with a number other than 0 in its row",
};

static sn_status wrong_number(const sn_model *m, const double *x, const char *must,
                              sn_error *error) {
  char place[192];
  si_model_address_name(m, (const uint8_t *)x, place, sizeof place);
  return si_fail(error, SN_EINVAL, "%s is %g; it must be %s", place, *x, must);
}

static sn_status check_field(const sn_model *m, int k, si_extent extent,
                             const sn_location *location, sn_error *error) {
  const si_field_rule *rule = &si_model_field_rules[k];
  column c = { .rule = rule, .cols = extent.cols, .ints = m->field[k], .reals = m->field[k] };
  memcpy(&c.size, (const char *)m + rule->size, sizeof c.size);
  c.partner = m->field[rule->partner];
  const int64_t n = extent.rows * extent.cols,
                i = first_bad[rule->kind] ? first_bad[rule->kind](&c, n) : n;
  return i == n ? SN_OK
         : wanted[rule->kind] && !location
             ? wrong_number(m, c.reals + i, wanted[rule->kind], error)
             : si_model_bad(location, error, si_model_field_table[k].name, i);
}

// Every array against its rule, in their order.
static sn_status check_fields(const sn_model *m, const sn_location *location, sn_error *error) {
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(m, extent);
  for (int k = 0; k < SI_NMODELFIELD; k++) {
    SN_TRY(check_field(m, k, extent[k], location, error));
  }
  return SN_OK;
}

sn_status si_model_validate_field(const sn_model *m, int32_t field, const sn_location *location,
                                  sn_error *error) {
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(m, extent);
  return check_field(m, field, extent[field], location, error);
}

// ------------------------------------------------------------------ ids of several kinds

// least <= id < end
typedef struct bounds {
  int64_t least, end;
} bounds;

// Number i of an array whose ids are of the kind that another array says.
typedef bounds bounds_of(const sn_model *m, int64_t i);

static int64_t equality_objects(const sn_model *m, int64_t i) {
  const int64_t count[SN_NEQUALITYTYPES] = { [SN_EQUALITY_CONNECT] = m->nbody,
                                             [SN_EQUALITY_WELD] = m->nbody,
                                             [SN_EQUALITY_JOINT] = m->njnt,
                                             [SN_EQUALITY_TENDON] = m->ntendon };
  return count[m->eq_type[i]];
}

// That of a plugin has no objects.
static bounds of_eq_obj1id(const sn_model *m, int64_t i) {
  return (bounds){ m->eq_type[i] == SN_EQUALITY_PLUGIN ? -1 : 0, equality_objects(m, i) };
}

// A joint or a tendon may be alone; of bodies, the world is the second one.
static bounds of_eq_obj2id(const sn_model *m, int64_t i) {
  const int bodies = m->eq_type[i] == SN_EQUALITY_CONNECT || m->eq_type[i] == SN_EQUALITY_WELD;
  return (bounds){ bodies ? 0 : -1, equality_objects(m, i) };
}

static bounds of_wrap_objid(const sn_model *m, int64_t i) {
  const bounds list[SN_NWRAPTYPES] = { [SN_WRAP_JOINT] = { 0, m->njnt },
                                       [SN_WRAP_PULLEY] = { INT32_MIN, INT64_MAX },
                                       [SN_WRAP_SITE] = { 0, m->nsite },
                                       [SN_WRAP_SPHERE] = { 0, m->ngeom },
                                       [SN_WRAP_CYLINDER] = { 0, m->ngeom } };
  return list[m->wrap_type[i]];
}

// Two numbers a transmission: the target, and a site that only a slider-crank must have.
static bounds of_actuator_trnid(const sn_model *m, int64_t i) {
  const int64_t count[SN_NTRNTYPES] = {
    [SN_TRN_JOINT] = m->njnt,     [SN_TRN_JOINTINPARENT] = m->njnt, [SN_TRN_SLIDERCRANK] = m->nsite,
    [SN_TRN_TENDON] = m->ntendon, [SN_TRN_SITE] = m->nsite,         [SN_TRN_BODY] = m->nbody,
  };
  const int32_t type = m->actuator_trntype[i / 2];
  if (i % 2 == 0) {
    return (bounds){ 0, count[type] };
  }
  return (bounds){ type == SN_TRN_SLIDERCRANK ? 0 : -1, m->nsite };
}

// The kind is a name; none has it when it is empty.
static bounds of_kind(const sn_model *m, int32_t name) {
  int64_t n;
  si_model_names(m, m->names + name, &n);
  return (bounds){ -1, n };
}

static bounds of_sensor_objid(const sn_model *m, int64_t i) {
  return of_kind(m, m->sensor_objtypename[i]);
}

static bounds of_sensor_refid(const sn_model *m, int64_t i) {
  return of_kind(m, m->sensor_reftypename[i]);
}

static bounds of_tuple_objid(const sn_model *m, int64_t i) {
  const char *kind = si_object_kind(m->tuple_objtype[i]);
  int64_t n = INT32_MAX;   // of kinds that have no documented integer
  if (kind) {
    si_model_names(m, kind, &n);
  }
  return (bounds){ 0, n };
}

static bounds of_geom_dataid(const sn_model *m, int64_t i) {
  const bounds none = { -1, INT32_MAX }, mesh = { 0, m->nmesh }, hfield = { 0, m->nhfield };
  return m->geom_type[i] == SN_GEOM_MESH ? mesh : m->geom_type[i] == SN_GEOM_HFIELD ? hfield : none;
}

static bounds_of *const bounds_by_kind[SI_NMODELFIELD] = {
#define ROW(name) [SI_FIELD_##name] = of_##name
  ROW(eq_obj1id),    ROW(eq_obj2id),    ROW(wrap_objid),  ROW(actuator_trnid),
  ROW(sensor_objid), ROW(sensor_refid), ROW(tuple_objid), ROW(geom_dataid),
#undef ROW
};

static sn_status check_kinds(const sn_model *m, const sn_location *location, sn_error *error) {
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(m, extent);
  for (int k = 0; k < SI_NMODELFIELD; k++) {
    const int32_t *id = m->field[k];
    const int64_t n = si_model_field_rules[k].kind == SI_RULE_OF ? extent[k].rows * extent[k].cols
                                                                 : 0;
    for (int64_t i = 0; i < n; i++) {
      const bounds b = bounds_by_kind[k](m, i);
      if (id[i] < b.least || id[i] >= b.end) {
        return si_model_bad(location, error, si_model_field_table[k].name, i);
      }
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ sizes, side sites

static sn_status check_geom_sizes(const sn_model *m, const sn_location *location, sn_error *error) {
  for (int64_t i = 0; i < m->ngeom; i++) {
    for (int k = 0; k < sn_geom_sizes(m->geom_type[i]); k++) {
      if (!(m->geom_size[3 * i + k] > 0)) {
        return si_model_bad(location, error, "geom_size", 3 * i + k);
      }
    }
  }
  return SN_OK;
}

// Of a geom on the path of a tendon, wrap_prm is the site on its outer side; -1: none.
static sn_status check_side_sites(const sn_model *m, const sn_location *location, sn_error *error) {
  for (int64_t i = 0; i < m->nwrap; i++) {
    const int geom = m->wrap_type[i] == SN_WRAP_SPHERE || m->wrap_type[i] == SN_WRAP_CYLINDER;
    if (geom && !(m->wrap_prm[i] >= -1 && m->wrap_prm[i] < (double)m->nsite)) {
      return si_model_bad(location, error, "wrap_prm", i);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ order

// The trees are numbered in the order of their first dofs.
static sn_status check_trees(const sn_model *m, const sn_location *location, sn_error *error) {
  int32_t ntree = 0;
  for (int64_t i = 0; i < m->nv; i++) {
    int32_t parent = m->dof_parentid[i];
    int32_t tree = parent < 0 ? ntree++ : m->dof_treeid[parent];
    if (m->dof_treeid[i] != tree) {
      return si_model_bad(location, error, "dof_treeid", i);
    }
  }
  return SN_OK;
}

// Joints fill their positions and dofs; parents come before children; names end.
static sn_status check_order(const sn_model *m, const sn_location *location, sn_error *error) {
  for (int64_t i = 1; i < m->nbody; i++) {
    if (m->body_parentid[i] >= i) {
      return si_model_bad(location, error, "body_parentid", i);
    }
  }
  for (int64_t i = 0; i < m->njnt; i++) {
    if (m->jnt_qposadr[i] + sn_joint_positions(m->jnt_type[i]) > m->nq) {
      return si_model_bad(location, error, "jnt_qposadr", i);
    }
    if (m->jnt_dofadr[i] + sn_joint_dofs(m->jnt_type[i]) > m->nv) {
      return si_model_bad(location, error, "jnt_dofadr", i);
    }
  }
  for (int64_t i = 0; i < m->nv; i++) {
    if (m->dof_parentid[i] >= i) {
      return si_model_bad(location, error, "dof_parentid", i);
    }
  }
  return m->nnames > 0 && m->names[m->nnames - 1] == 0
             ? SN_OK
             : si_model_bad(location, error, "names", m->nnames);
}

// Rows of M hold what it couples, one after the other.
static sn_status check_rows(const sn_model *m, const sn_location *location, sn_error *error) {
  const size_t bytes = (size_t)(m->nv + 1) * sizeof(int32_t);
  int32_t *parent = malloc(bytes), *adr = malloc(bytes);
  if (!parent || !adr) {
    free(parent);
    free(adr);
    return si_fail(error, SN_ENOMEM, "out of memory while checking a model");
  }
  const int same = si_inertia_rows(m, parent, adr) == m->nM &&
                   memcmp(adr, m->dof_Madr, (size_t)m->nv * sizeof *adr) == 0;
  free(parent);
  free(adr);
  return same ? SN_OK : si_model_bad(location, error, "dof_Madr", 0);
}

sn_status si_model_validate(const sn_model *model, const sn_location *location, sn_error *error) {
  if (model->nbody < 1) {
    return si_model_bad(location, error, "body_parentid", 0);
  }
  SN_TRY(check_fields(model, location, error));
  SN_TRY(check_order(model, location, error));
  SN_TRY(check_trees(model, location, error));
  SN_TRY(check_kinds(model, location, error));
  SN_TRY(si_model_validate_assets(model, location, error));
  SN_TRY(check_geom_sizes(model, location, error));
  SN_TRY(check_side_sites(model, location, error));
  SN_TRY(si_model_validate_tree(model, location, error));
  // an edited armature takes effect on the rows when the model is compiled again
  return location ? check_rows(model, location, error) : SN_OK;
}
