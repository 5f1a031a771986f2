// SPDX-License-Identifier: Apache-2.0
//
// Range checks of a model that was read from a file, as tables: which array holds ids of what,
// which pair of arrays is a range within what. A model that passes cannot make a step read
// outside of its arrays.

#include "model/validate.h"
#include "model/mesh.h"

typedef struct id_row {
  const char *name;
  const int32_t *ids;
  int64_t n;         // ids
  int64_t least;     // -1 where "none" is allowed
  int64_t count;     // ids are below this
} id_row;

typedef struct range_row {
  const char *name;
  const int32_t *adr, *num;
  int64_t n;
  int64_t count;
} range_row;

static sn_status bad(const sn_place *place, sn_error *error, const char *array, int64_t i) {
  return sn_fail_at(error, SN_EPARSE, place,
                    "this is no intact Sinew model: %s[%lld] is out of "
                    "range; compile it again from its source",
                    array, (long long)i);
}

static sn_status check_ids(const id_row *row, const sn_place *place, sn_error *error) {
  for (int64_t i = 0; i < row->n; i++) {
    if (row->ids[i] < row->least || row->ids[i] >= row->count) {
      return bad(place, error, row->name, i);
    }
  }
  return SN_OK;
}

static sn_status check_range(const range_row *row, const sn_place *place, sn_error *error) {
  for (int64_t i = 0; i < row->n; i++) {
    int64_t adr = row->adr[i], num = row->num[i];
    if (num < 0 || (num > 0 && (adr < 0 || adr + num > row->count))) {
      return bad(place, error, row->name, i);
    }
  }
  return SN_OK;
}

// Ids of every kind. Every name is an offset into `names`.
// NOLINTNEXTLINE(readability-function-size): one table
static sn_status check_all_ids(const sn_model *m, const sn_place *place, sn_error *error) {
#define IDS(array, n, least, count) \
  { #array, m->array, n, least, count }
  const id_row rows[] = {
    IDS(body_parentid, m->nbody, 0, m->nbody),
    IDS(body_rootid, m->nbody, 0, m->nbody),
    IDS(body_weldid, m->nbody, 0, m->nbody),
    IDS(body_mocapid, m->nbody, -1, m->nmocap),
    IDS(jnt_type, m->njnt, 0, 4),
    IDS(jnt_qposadr, m->njnt, 0, m->nq),
    IDS(jnt_dofadr, m->njnt, 0, m->nv),
    IDS(jnt_bodyid, m->njnt, 0, m->nbody),
    IDS(dof_bodyid, m->nv, 0, m->nbody),
    IDS(dof_jntid, m->nv, 0, m->njnt),
    IDS(dof_parentid, m->nv, -1, m->nv),
    IDS(dof_Madr, m->nv, 0, m->nM),
    IDS(dof_treeid, m->nv, 0, m->nv),
    IDS(geom_type, m->ngeom, 0, SN_NGEOMTYPES),
    IDS(geom_bodyid, m->ngeom, 0, m->nbody),
    IDS(geom_matid, m->ngeom, -1, m->nmat),
    IDS(site_bodyid, m->nsite, 0, m->nbody),
    IDS(site_type, m->nsite, 0, SN_NGEOMTYPES),
    IDS(cam_bodyid, m->ncam, 0, m->nbody),
    IDS(cam_targetbodyid, m->ncam, -1, m->nbody),
    IDS(light_bodyid, m->nlight, 0, m->nbody),
    IDS(light_targetbodyid, m->nlight, -1, m->nbody),
    IDS(cam_mode, m->ncam, 0, 5),
    IDS(light_mode, m->nlight, 0, 5),
    IDS(mat_texid, m->nmat, -1, m->ntex),
    IDS(pair_geom1, m->npair, 0, m->ngeom),
    IDS(pair_geom2, m->npair, 0, m->ngeom),
    IDS(exclude_body1, m->nexclude, 0, m->nbody),
    IDS(exclude_body2, m->nexclude, 0, m->nbody),
    IDS(eq_type, m->neq, 0, 4),
    IDS(wrap_type, m->nwrap, 0, 6),
    IDS(actuator_trntype, m->nu, 0, 6),
    IDS(skin_bonebodyid, m->nskinbone, 0, m->nbody),
    IDS(skin_bonevertid, m->nskinbonevert, 0, m->nskinvert),
    IDS(geom_condim, m->ngeom, 1, 7),
    IDS(pair_dim, m->npair, 1, 7),
    IDS(sensor_datatype, m->nsensor, 0, 4),
    IDS(sensor_needstage, m->nsensor, 1, 4),
    IDS(sensor_stateadr, m->nsensor, 0, m->nsensorstate + 1),
    IDS(name_bodyadr, m->nbody, 0, m->nnames),
    IDS(name_jntadr, m->njnt, 0, m->nnames),
    IDS(name_geomadr, m->ngeom, 0, m->nnames),
    IDS(name_siteadr, m->nsite, 0, m->nnames),
    IDS(name_camadr, m->ncam, 0, m->nnames),
    IDS(name_lightadr, m->nlight, 0, m->nnames),
    IDS(name_meshadr, m->nmesh, 0, m->nnames),
    IDS(name_skinadr, m->nskin, 0, m->nnames),
    IDS(name_hfieldadr, m->nhfield, 0, m->nnames),
    IDS(name_texadr, m->ntex, 0, m->nnames),
    IDS(name_matadr, m->nmat, 0, m->nnames),
    IDS(name_pairadr, m->npair, 0, m->nnames),
    IDS(name_excludeadr, m->nexclude, 0, m->nnames),
    IDS(name_eqadr, m->neq, 0, m->nnames),
    IDS(name_tendonadr, m->ntendon, 0, m->nnames),
    IDS(name_actuatoradr, m->nu, 0, m->nnames),
    IDS(name_sensoradr, m->nsensor, 0, m->nnames),
    IDS(name_forceadr, m->nforce, 0, m->nnames),
    IDS(name_numericadr, m->nnumeric, 0, m->nnames),
    IDS(name_textadr, m->ntext, 0, m->nnames),
    IDS(name_tupleadr, m->ntuple, 0, m->nnames),
    IDS(name_keyadr, m->nkey, 0, m->nnames),
    IDS(actuator_dynname, m->nu, 0, m->nnames),
    IDS(actuator_gainname, m->nu, 0, m->nnames),
    IDS(actuator_biasname, m->nu, 0, m->nnames),
    IDS(sensor_typename, m->nsensor, 0, m->nnames),
    IDS(sensor_objname, m->nsensor, 0, m->nnames),
    IDS(sensor_refname, m->nsensor, 0, m->nnames),
    IDS(sensor_attradr, m->nsensor, 0, m->nnames),
    IDS(force_typename, m->nforce, 0, m->nnames),
    IDS(force_attradr, m->nforce, 0, m->nnames),
  };
#undef IDS
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    SN_TRY(check_ids(&rows[i], place, error));
  }
  return SN_OK;
}

static sn_status check_all_ranges(const sn_model *m, const sn_place *place, sn_error *error) {
#define RANGE(adr, num, n, count) \
  { #adr, m->adr, m->num, n, count }
  const range_row rows[] = {
    RANGE(body_jntadr, body_jntnum, m->nbody, m->njnt),
    RANGE(body_dofadr, body_dofnum, m->nbody, m->nv),
    RANGE(body_geomadr, body_geomnum, m->nbody, m->ngeom),
    RANGE(mesh_vertadr, mesh_vertnum, m->nmesh, m->nmeshvert),
    RANGE(mesh_faceadr, mesh_facenum, m->nmesh, m->nmeshface),
    RANGE(skin_vertadr, skin_vertnum, m->nskin, m->nskinvert),
    RANGE(skin_faceadr, skin_facenum, m->nskin, m->nskinface),
    RANGE(skin_boneadr, skin_bonenum, m->nskin, m->nskinbone),
    RANGE(skin_bonevertadr, skin_bonevertnum, m->nskinbone, m->nskinbonevert),
    RANGE(tendon_adr, tendon_num, m->ntendon, m->nwrap),
    RANGE(actuator_actadr, actuator_actnum, m->nu, m->na),
    RANGE(sensor_adr, sensor_dim, m->nsensor, m->nsensordata),
    RANGE(numeric_adr, numeric_size, m->nnumeric, m->nnumericdata),
    RANGE(text_adr, text_size, m->ntext, m->ntextdata),
    RANGE(tuple_adr, tuple_size, m->ntuple, m->ntupledata),
  };
#undef RANGE
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    SN_TRY(check_range(&rows[i], place, error));
  }
  for (int64_t i = 0; i < m->nhfield; i++) {
    int64_t cells = (int64_t)m->hfield_nrow[i] * m->hfield_ncol[i];
    if (m->hfield_nrow[i] < 2 || m->hfield_ncol[i] < 2 || m->hfield_adr[i] < 0 ||
        m->hfield_adr[i] + cells > m->nhfielddata) {
      return bad(place, error, "hfield_adr", i);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ objects of several kinds

// Contacts have 1, 3, 4 or 6 dimensions. Faces point to the vertices of their mesh.
static sn_status check_contents(const sn_model *m, const sn_place *place, sn_error *error) {
  for (int64_t i = 0; i < m->ngeom; i++) {
    if (m->geom_condim[i] == 2 || m->geom_condim[i] == 5) {
      return bad(place, error, "geom_condim", i);
    }
  }
  for (int64_t i = 0; i < m->npair; i++) {
    if (m->pair_dim[i] == 2 || m->pair_dim[i] == 5) {
      return bad(place, error, "pair_dim", i);
    }
  }
  for (int64_t i = 0; i < m->nmesh; i++) {
    const int32_t *face = m->mesh_face + 3 * (int64_t)m->mesh_faceadr[i];
    for (int64_t k = 0; k < 3 * (int64_t)m->mesh_facenum[i]; k++) {
      if (face[k] < 0 || face[k] >= m->mesh_vertnum[i]) {
        return bad(place, error, "mesh_face", i);
      }
    }
    int64_t adr = m->mesh_graphadr[i], num = m->mesh_graphnum[i];
    if (adr >= 0 && (num < 0 || adr + num > m->nmeshgraph)) {
      return bad(place, error, "mesh_graphadr", i);
    }
    if (adr >= 0 && num > 0 && !sn_is_hull_graph(m->mesh_vertnum[i], num, m->mesh_graph + adr)) {
      return bad(place, error, "mesh_graph", i);
    }
  }
  return SN_OK;
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
    if (m->eq_obj2id[i] < -1 || m->eq_obj2id[i] >= count) {
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
    sn_model_names(m, kind, &n);
    if (m->sensor_objid[i] < -1 || (*kind && m->sensor_objid[i] >= n)) {
      return bad(place, error, "sensor_objid", i);
    }
    kind = m->names + m->sensor_refname[i];
    sn_model_names(m, kind, &n);
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
  const int64_t width_q[4] = { 7, 4, 1, 1 }, width_v[4] = { 6, 3, 1, 1 };
  for (int64_t i = 1; i < m->nbody; i++) {
    if (m->body_parentid[i] >= i) {
      return bad(place, error, "body_parentid", i);
    }
  }
  for (int64_t i = 0; i < m->njnt; i++) {
    if (m->jnt_qposadr[i] + width_q[m->jnt_type[i]] > m->nq) {
      return bad(place, error, "jnt_qposadr", i);
    }
    if (m->jnt_dofadr[i] + width_v[m->jnt_type[i]] > m->nv) {
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

sn_status sn_model_validate(const sn_model *model, const sn_place *place, sn_error *error) {
  if (model->nbody < 1) {
    return bad(place, error, "body_parentid", 0);
  }
  SN_TRY(check_all_ids(model, place, error));
  SN_TRY(check_all_ranges(model, place, error));
  SN_TRY(check_order(model, place, error));
  SN_TRY(check_trees(model, place, error));
  SN_TRY(check_contents(model, place, error));
  SN_TRY(check_objects(model, place, error));
  return sn_model_validate_tree(model, place, error);
}
