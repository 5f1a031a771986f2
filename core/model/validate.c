// SPDX-License-Identifier: Apache-2.0
//
// Checks of a model that was read from a file: each array against its rule (field_rules.h), then
// what depends on several arrays. A model that passes cannot make a step read outside of its
// arrays.

#include <math.h>
#include <string.h>

#include "assets/mesh.h"
#include "model/field_rules.h"
#include "model/fields.h"
#include "model/validate.h"

// place: of the file; NULL: a program wrote into the arrays of a model in memory.
static sn_status bad(const sn_place *place, sn_error *error, const char *array, int64_t i) {
  if (!place) {
    return si_fail(error, SN_EINVAL,
                   "%s[%lld] of the model is out of range; undo the change of that number", array,
                   (long long)i);
  }
  return si_fail_at(error, SN_EPARSE, place,
                    "this is no intact Sinew model: %s[%lld] is out of "
                    "range; compile it again from its source",
                    array, (long long)i);
}

// ------------------------------------------------------------------ one array at a time

// An array, its rule, and the numbers of its partner.
typedef struct column {
  const si_field_rule *rule;
  int64_t rows, cols;
  int64_t size;   // that ids and addresses stay below
  const int32_t *ints, *partner;
  const double *reals;
} column;

static int good_int(const column *c, int64_t i) {
  const int64_t x = c->ints[i];
  const si_field_rule *rule = c->rule;
  if (rule->kind == SI_RULE_FIRST) {
    const int64_t n = c->partner[i];
    return n == 0 || (n > 0 && x >= 0 && x + n <= c->size);
  }
  if (rule->kind == SI_RULE_ID || rule->kind == SI_RULE_RANGE) {
    return x >= rule->least && (rule->kind == SI_RULE_ID ? x < c->size : x <= rule->most);
  }
  return 1;
}

static int good_real(const column *c, int64_t i) {
  const double x = c->reals[i];
  if (c->rule->kind == SI_RULE_FOLLOWS || c->rule->kind == SI_RULE_ELSEWHERE) {
    return 1;
  }
  if (!isfinite(x) || (c->rule->kind == SI_RULE_POSITIVE && !(x > 0))) {
    return 0;
  }
  if (c->rule->kind != SI_RULE_DIRECTION || i % c->cols != 0) {
    return 1;
  }
  int zero = 1;   // of a row, asked at its first number
  for (int64_t k = 0; k < c->cols; k++) {
    zero = zero && c->reals[i + k] == 0;
  }
  return !zero;
}

// Every array against its rule, in their order.
static sn_status check_fields(const sn_model *m, const sn_place *place, sn_error *error) {
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(m, extent);
  for (int k = 0; k < SI_NMODELFIELD; k++) {
    const si_field_rule *rule = &si_model_field_rules[k];
    const int type = si_model_field_table[k].type;
    column c = { .rule = rule, .rows = extent[k].rows, .cols = extent[k].cols };
    memcpy(&c.size, (const char *)m + rule->size, sizeof c.size);
    c.ints = type == SN_INT ? m->field[k] : NULL;
    c.reals = type == SN_REAL ? m->field[k] : NULL;
    c.partner = rule->kind == SI_RULE_FIRST ? m->field[rule->partner] : NULL;
    for (int64_t i = 0; i < c.rows * c.cols; i++) {
      if ((c.ints && !good_int(&c, i)) || (c.reals && !good_real(&c, i))) {
        return bad(place, error, si_model_field_table[k].name, i);
      }
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ grids

static sn_status check_grids(const sn_model *m, const sn_place *place, sn_error *error) {
  for (int64_t i = 0; i < m->nhfield; i++) {
    const int64_t n = (int64_t)m->hfield_nrow[i] * m->hfield_ncol[i];
    if (m->hfield_adr[i] < 0 || n > m->nhfielddata - m->hfield_adr[i]) {
      return bad(place, error, "hfield_adr", i);
    }
  }
  for (int64_t i = 0; i < m->ntex; i++) {
    const int64_t n = (int64_t)m->tex_height[i] * m->tex_width[i],
                  left = m->ntexdata - m->tex_adr[i];
    if (m->tex_adr[i] < 0 || n > left / 3) {
      return bad(place, error, "tex_adr", i);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ objects of several kinds

// Are `n` rows of ids, from row `first` on, ids of `count` things?
static int are_below(const int32_t *ids, int64_t first, int64_t n, int64_t cols, int64_t count) {
  for (int64_t k = 0; k < n * cols; k++) {
    const int32_t id = ids[first * cols + k];
    if (id < 0 || id >= count) {
      return 0;
    }
  }
  return 1;
}

// Is there a texture coordinate for each vertex from row `first` on? -1: there are none.
static int are_coordinates(int64_t first, int64_t nvert, int64_t count) {
  return first < 0 || nvert <= count - first;
}

// Faces point to the vertices of their mesh; the hull's graph too.
static sn_status check_meshes(const sn_model *m, const sn_place *place, sn_error *error) {
  for (int64_t i = 0; i < m->nmesh; i++) {
    if (m->mesh_vertnum[i] < 1) {
      return bad(place, error, "mesh_vertnum", i);
    }
    if (!are_below(m->mesh_face, m->mesh_faceadr[i], m->mesh_facenum[i], 3, m->mesh_vertnum[i])) {
      return bad(place, error, "mesh_face", i);
    }
    if (!are_coordinates(m->mesh_texcoordadr[i], m->mesh_vertnum[i], m->nmeshtexvert)) {
      return bad(place, error, "mesh_texcoordadr", i);
    }
    const int64_t adr = m->mesh_graphadr[i], num = m->mesh_graphnum[i];
    if (num > 0 && !si_is_hull_graph(m->mesh_vertnum[i], num, m->mesh_graph + adr)) {
      return bad(place, error, "mesh_graph", i);
    }
  }
  return SN_OK;
}

static sn_status check_skins(const sn_model *m, const sn_place *place, sn_error *error) {
  for (int64_t i = 0; i < m->nskin; i++) {
    const int64_t nvert = m->skin_vertnum[i];
    if (!are_below(m->skin_face, m->skin_faceadr[i], m->skin_facenum[i], 3, nvert)) {
      return bad(place, error, "skin_face", i);
    }
    if (!are_coordinates(m->skin_texcoordadr[i], nvert, m->nskintexvert)) {
      return bad(place, error, "skin_texcoordadr", i);
    }
    for (int64_t k = 0; k < m->skin_bonenum[i]; k++) {
      const int64_t bone = m->skin_boneadr[i] + k;
      if (!are_below(m->skin_bonevertid, m->skin_bonevertadr[bone], m->skin_bonevertnum[bone], 1,
                     nvert)) {
        return bad(place, error, "skin_bonevertid", m->skin_bonevertadr[bone]);
      }
    }
  }
  return SN_OK;
}

// Texts end with a zero; elements of tuples are there, where their kind has a documented number.
static sn_status check_custom(const sn_model *m, const sn_place *place, sn_error *error) {
  for (int64_t i = 0; i < m->ntext; i++) {
    const int64_t n = m->text_size[i];
    if (n < 1 || m->text_data[m->text_adr[i] + n - 1] != 0) {
      return bad(place, error, "text_size", i);
    }
  }
  for (int64_t i = 0; i < m->ntupledata; i++) {
    const char *kind = si_object_kind(m->tuple_objtype[i]);
    int64_t n = INT32_MAX;
    if (kind) {
      si_model_names(m, kind, &n);
    }
    if (m->tuple_objid[i] < 0 || m->tuple_objid[i] >= n) {
      return bad(place, error, "tuple_objid", i);
    }
  }
  return SN_OK;
}

// Contacts have 1, 3, 4 or 6 dimensions; geoms and sites the sizes of their type.
static sn_status check_contents(const sn_model *m, const sn_place *place, sn_error *error) {
  for (int64_t i = 0; i < m->ngeom; i++) {
    if (m->geom_condim[i] == 2 || m->geom_condim[i] == 5) {
      return bad(place, error, "geom_condim", i);
    }
  }
  for (int64_t i = 0; i < m->ngeom; i++) {
    for (int k = 0; k < si_geom_sizes(m->geom_type[i]); k++) {
      if (!(m->geom_size[3 * i + k] > 0)) {
        return bad(place, error, "geom_size", 3 * i + k);
      }
    }
  }
  for (int64_t i = 0; i < m->npair; i++) {
    if (m->pair_dim[i] == 2 || m->pair_dim[i] == 5) {
      return bad(place, error, "pair_dim", i);
    }
  }
  SN_TRY(check_custom(m, place, error));
  SN_TRY(check_meshes(m, place, error));
  return check_skins(m, place, error);
}

// The trees are numbered in the order of their first dofs.
static sn_status check_trees(const sn_model *m, const sn_place *place, sn_error *error) {
  int32_t ntree = 0;
  for (int64_t i = 0; i < m->nv; i++) {
    int32_t parent = m->dof_parentid[i];
    int32_t tree = parent < 0 ? ntree++ : m->dof_treeid[parent];
    if (m->dof_treeid[i] != tree) {
      return bad(place, error, "dof_treeid", i);
    }
  }
  return SN_OK;
}

static sn_status check_wraps(const sn_model *m, const sn_place *place, sn_error *error) {
  const int64_t count[6] = { [SN_WRAP_JOINT] = m->njnt,
                             [SN_WRAP_PULLEY] = INT32_MAX,
                             [SN_WRAP_SITE] = m->nsite,
                             [SN_WRAP_SPHERE] = m->ngeom,
                             [SN_WRAP_CYLINDER] = m->ngeom };
  for (int64_t i = 0; i < m->nwrap; i++) {
    int32_t type = m->wrap_type[i], id = m->wrap_objid[i];
    int pulley = type == SN_WRAP_PULLEY;
    int geom = type == SN_WRAP_SPHERE || type == SN_WRAP_CYLINDER;
    if (!pulley && (id < 0 || id >= count[type])) {
      return bad(place, error, "wrap_objid", i);
    }
    if (geom && !(m->wrap_prm[i] >= -1 && m->wrap_prm[i] < (double)m->nsite)) {
      return bad(place, error, "wrap_prm", i);
    }
  }
  return SN_OK;
}

static sn_status check_objects(const sn_model *m, const sn_place *place, sn_error *error) {
  const int64_t eq_count[4] = { m->nbody, m->nbody, m->njnt, m->ntendon };
  for (int64_t i = 0; i < m->neq; i++) {
    int64_t count = eq_count[m->eq_type[i]];
    if (m->eq_obj1id[i] < 0 || m->eq_obj1id[i] >= count) {
      return bad(place, error, "eq_obj1id", i);
    }
    const int alone = m->eq_type[i] == SN_EQUALITY_JOINT || m->eq_type[i] == SN_EQUALITY_TENDON;
    if (m->eq_obj2id[i] < (alone ? -1 : 0) || m->eq_obj2id[i] >= count) {
      return bad(place, error, "eq_obj2id", i);
    }
  }
  const int64_t trn_count[6] = { m->njnt, m->njnt, m->nsite, m->ntendon, m->nsite, m->nbody };
  for (int64_t i = 0; i < m->nu; i++) {
    int32_t type = m->actuator_trntype[i];
    const int32_t *id = m->actuator_trnid + 2 * i;
    int second = type == SN_TRN_SLIDERCRANK;
    if (id[0] < 0 || id[0] >= trn_count[type] || id[1] < (second ? 0 : -1) ||
        id[1] >= (m->nsite > 0 ? m->nsite : 1)) {
      return bad(place, error, "actuator_trnid", i);
    }
  }
  for (int64_t i = 0; i < m->nsensor; i++) {
    int64_t n;
    const char *kind = m->names + m->sensor_objname[i];
    si_model_names(m, kind, &n);
    if (m->sensor_objid[i] < -1 || (*kind && m->sensor_objid[i] >= n)) {
      return bad(place, error, "sensor_objid", i);
    }
    kind = m->names + m->sensor_refname[i];
    si_model_names(m, kind, &n);
    if (m->sensor_refid[i] < -1 || (*kind && m->sensor_refid[i] >= n)) {
      return bad(place, error, "sensor_refid", i);
    }
  }
  for (int64_t i = 0; i < m->ngeom; i++) {
    int64_t n = m->geom_type[i] == SN_GEOM_MESH     ? m->nmesh
                : m->geom_type[i] == SN_GEOM_HFIELD ? m->nhfield
                                                    : INT32_MAX;
    int64_t least = n == INT32_MAX ? -1 : 0;
    if (m->geom_dataid[i] < least || m->geom_dataid[i] >= n) {
      return bad(place, error, "geom_dataid", i);
    }
  }
  return check_wraps(m, place, error);
}

// Joints fill their positions and dofs; parents come before children; rows of M are as long as
// the chains; names end.
static sn_status check_order(const sn_model *m, const sn_place *place, sn_error *error) {
  for (int64_t i = 1; i < m->nbody; i++) {
    if (m->body_parentid[i] >= i) {
      return bad(place, error, "body_parentid", i);
    }
  }
  for (int64_t i = 0; i < m->njnt; i++) {
    if (m->jnt_qposadr[i] + sn_joint_positions(m->jnt_type[i]) > m->nq) {
      return bad(place, error, "jnt_qposadr", i);
    }
    if (m->jnt_dofadr[i] + sn_joint_dofs(m->jnt_type[i]) > m->nv) {
      return bad(place, error, "jnt_dofadr", i);
    }
  }
  int64_t adr = 0;
  for (int64_t i = 0; i < m->nv; i++) {
    if (m->dof_parentid[i] >= i) {
      return bad(place, error, "dof_parentid", i);
    }
    if (m->dof_Madr[i] != adr) {
      return bad(place, error, "dof_Madr", i);
    }
    for (int64_t k = i; k >= 0; k = m->dof_parentid[k]) {
      adr++;
    }
  }
  if (adr != m->nM) {
    return bad(place, error, "dof_Madr", m->nv);
  }
  return m->nnames > 0 && m->names[m->nnames - 1] == 0 ? SN_OK
                                                       : bad(place, error, "names", m->nnames);
}

sn_status si_model_validate(const sn_model *model, const sn_place *place, sn_error *error) {
  if (model->nbody < 1) {
    return bad(place, error, "body_parentid", 0);
  }
  SN_TRY(check_fields(model, place, error));
  SN_TRY(check_grids(model, place, error));
  SN_TRY(check_order(model, place, error));
  SN_TRY(check_trees(model, place, error));
  SN_TRY(check_contents(model, place, error));
  SN_TRY(check_objects(model, place, error));
  return si_model_validate_tree(model, place, error);
}
