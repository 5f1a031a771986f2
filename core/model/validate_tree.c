// SPDX-License-Identifier: Apache-2.0
//
// What follows from other parts of a model, made again from a model that was read and compared:
// the tree of bodies and dofs, the addresses of what bodies and elements own, and the sizes of a
// simulation's arrays that no array of the model backs. A model that was altered in one of them
// would make a step write outside of its arrays.

#include <stdlib.h>

#include "model/validate.h"

typedef struct check {
  const sn_model *m;
  const sn_location *location;
  sn_error *error;
  int32_t *last;    // nbody: the last dof that moves a body; -1: none does
  int32_t *stamp;   // nv: the mark of the row that met a dof
} check;

static sn_status differs(const check *c, const char *array, int64_t i) {
  if (!c->location) {
    return si_fail(c->error, SN_EINVAL,
                   "%s[%lld] of the model is inconsistent with the other arrays; undo the change "
                   "of that number",
                   array, (long long)i);
  }
  return si_fail_at(c->error, SN_EPARSE, c->location,
                    "this model file is corrupt: %s[%lld] is inconsistent with the other arrays; "
                    "compile it again from its source",
                    array, (long long)i);
}

static sn_status bad_size(const check *c, const char *size, int64_t found, int64_t needed) {
  return si_fail_at(c->error, SN_EPARSE, c->location,
                    "this model file is corrupt: %s is %lld, its elements need %lld; compile it "
                    "again from its source",
                    size, (long long)found, (long long)needed);
}

// One number of an array against what it should be.
#define SAME(array, i, wanted)         \
  do {                                 \
    if (c->m->array[i] != (wanted)) {  \
      return differs(c, #array, i);    \
    }                                  \
  } while (0)

// ------------------------------------------------------------------ the tree

static sn_status check_bodies(const check *c) {
  const sn_model *m = c->m;
  int32_t mocaps = 0;
  for (int32_t i = 0; i < (int32_t)m->nbody; i++) {
    int32_t parent = m->body_parentid[i];
    if (i > 0 ? parent >= i : parent != 0) {
      return differs(c, "body_parentid", i);
    }
    int top = i == 0 || m->body_jntnum[i] > 0;
    SAME(body_rootid, i, parent == 0 ? i : m->body_rootid[parent]);
    SAME(body_weldid, i, top ? i : m->body_weldid[parent]);
    if (m->body_mocapid[i] >= 0) {
      SAME(body_mocapid, i, mocaps++);
    }
  }
  return mocaps == m->nmocap ? SN_OK : bad_size(c, "nmocap", m->nmocap, mocaps);
}

// The joints and dofs of bodies follow one another; the parent of a dof is the one before it.
static sn_status check_dofs(const check *c) {
  const sn_model *m = c->m;
  int32_t joint = 0, dof = 0, position = 0;
  for (int32_t i = 0; i < (int32_t)m->nbody; i++) {
    int32_t last = i ? c->last[m->body_parentid[i]] : -1, first = dof;
    SAME(body_jntadr, i, m->body_jntnum[i] ? joint : -1);
    for (int32_t end = joint + m->body_jntnum[i]; joint < end; joint++) {
      SAME(jnt_bodyid, joint, i);
      SAME(jnt_qposadr, joint, position);
      SAME(jnt_dofadr, joint, dof);
      position += sn_joint_positions(m->jnt_type[joint]);
      for (int32_t end_dof = dof + sn_joint_dofs(m->jnt_type[joint]); dof < end_dof; dof++) {
        if (dof >= m->nv) {
          return bad_size(c, "nv", m->nv, end_dof);
        }
        SAME(dof_bodyid, dof, i);
        SAME(dof_jntid, dof, joint);
        SAME(dof_parentid, dof, last);
        last = dof;
      }
    }
    SAME(body_dofnum, i, dof - first);
    SAME(body_dofadr, i, dof > first ? first : -1);
    c->last[i] = last;
  }
  if (joint != m->njnt || position != m->nq) {
    return joint != m->njnt ? bad_size(c, "njnt", m->njnt, joint)
                            : bad_size(c, "nq", m->nq, position);
  }
  return dof == m->nv ? SN_OK : bad_size(c, "nv", m->nv, dof);
}

static sn_status check_geoms(const check *c) {
  const sn_model *m = c->m;
  int32_t geom = 0;
  for (int32_t i = 0; i < (int32_t)m->nbody; i++) {
    SAME(body_geomadr, i, m->body_geomnum[i] ? geom : -1);
    for (int32_t end = geom + m->body_geomnum[i]; geom < end; geom++) {
      SAME(geom_bodyid, geom, i);
    }
  }
  return geom == m->ngeom ? SN_OK : bad_size(c, "ngeom", m->ngeom, geom);
}

// ------------------------------------------------------------------ room for sparse rows

// Marks the dofs that move a body; how many were not marked.
static int64_t mark_chain(const check *c, int32_t body, int32_t mark) {
  int64_t n = 0;
  for (int32_t k = c->last[body]; k >= 0 && c->stamp[k] != mark; k = c->m->dof_parentid[k]) {
    c->stamp[k] = mark;
    n++;
  }
  return n;
}

static int32_t wrap_body(const sn_model *m, int32_t e) {
  int32_t id = m->wrap_objid[e];
  return m->wrap_type[e] == SN_WRAP_SITE ? m->site_bodyid[id] : m->geom_bodyid[id];
}

static int64_t tendon_capacity(const check *c, int32_t tendon, int32_t mark) {
  const sn_model *m = c->m;
  int64_t capacity = 0;
  int32_t begin = m->tendon_adr[tendon], end = begin + m->tendon_num[tendon];
  for (int32_t e = begin; e < end; e++) {
    if (m->wrap_type[e] == SN_WRAP_JOINT) {
      capacity += sn_joint_dofs(m->jnt_type[m->wrap_objid[e]]);
    } else if (m->wrap_type[e] != SN_WRAP_PULLEY) {
      capacity += mark_chain(c, wrap_body(m, e), mark);
    }
  }
  return capacity;
}

static int64_t moment_capacity(const check *c, int32_t actuator, int32_t mark) {
  const sn_model *m = c->m;
  int32_t type = m->actuator_trntype[actuator];
  const int32_t *id = m->actuator_trnid + 2 * actuator;
  if (type == SN_TRN_JOINT || type == SN_TRN_JOINTINPARENT) {
    return sn_joint_dofs(m->jnt_type[id[0]]);
  }
  if (type == SN_TRN_TENDON) {
    return tendon_capacity(c, id[0], mark);
  }
  if (type == SN_TRN_BODY) {
    return m->nv;
  }
  int64_t capacity = mark_chain(c, m->site_bodyid[id[0]], mark);
  return id[1] < 0 ? capacity : capacity + mark_chain(c, m->site_bodyid[id[1]], mark);
}

static sn_status check_rooms(const check *c) {
  const sn_model *m = c->m;
  int64_t need = 0;
  int32_t mark = 1;
  for (int32_t i = 0; i < (int32_t)m->ntendon; i++) {
    need += tendon_capacity(c, i, mark++);
  }
  if (need != m->ntenJ) {
    return bad_size(c, "ntenJ", m->ntenJ, need);
  }
  need = 0;
  for (int32_t i = 0; i < (int32_t)m->nu; i++) {
    need += moment_capacity(c, i, mark++);
  }
  return need == m->nmoment ? SN_OK : bad_size(c, "nmoment", m->nmoment, need);
}

// ------------------------------------------------------------------ paths

// Elements 0 and n - 1 of a branch are sites, and what is around a geom are sites.
static sn_status check_path(const check *c, int32_t tendon) {
  const sn_model *m = c->m;
  int32_t begin = m->tendon_adr[tendon], end = begin + m->tendon_num[tendon];
  int fixed = end > begin && m->wrap_type[begin] == SN_WRAP_JOINT;
  if (end <= begin) {
    return differs(c, "tendon_num", tendon);
  }
  for (int32_t e = begin; e < end; e++) {
    int32_t type = m->wrap_type[e], id = m->wrap_objid[e];
    int geom = type == SN_WRAP_SPHERE || type == SN_WRAP_CYLINDER;
    int joint = type == SN_WRAP_JOINT;
    int scalar = joint && m->jnt_type[id] >= SN_JOINT_SLIDE;
    int between = e > begin && e + 1 < end && m->wrap_type[e - 1] == SN_WRAP_SITE &&
                  m->wrap_type[e + 1] == SN_WRAP_SITE;
    if (joint != fixed || (joint && !scalar) || (geom && !between) || type == SN_WRAP_NONE) {
      return differs(c, "wrap_type", e);
    }
    if (type == SN_WRAP_PULLEY && !(m->wrap_prm[e] > 0)) {
      return differs(c, "wrap_prm", e);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ addresses

static sn_status check_addresses(const check *c) {
  const sn_model *m = c->m;
  int64_t act = 0, value = 0;
  int32_t wrap = 0;
  for (int64_t i = 0; i < m->ntendon; i++) {
    SAME(tendon_adr, i, wrap);
    wrap += m->tendon_num[i];
  }
  if (wrap != m->nwrap) {
    return bad_size(c, "nwrap", m->nwrap, wrap);
  }
  for (int64_t i = 0; i < m->nu; i++) {
    SAME(actuator_actadr, i, m->actuator_actnum[i] ? (int32_t)act : -1);
    act += m->actuator_actnum[i];
  }
  if (act != m->na) {
    return bad_size(c, "na", m->na, act);
  }
  for (int64_t i = 0; i < m->nsensor; i++) {
    SAME(sensor_adr, i, (int32_t)value);
    value += m->sensor_dim[i];
  }
  return value == m->nsensordata ? SN_OK : bad_size(c, "nsensordata", m->nsensordata, value);
}

static sn_status check_all(const check *c) {
  SN_TRY(check_bodies(c));
  SN_TRY(check_dofs(c));
  SN_TRY(check_geoms(c));
  SN_TRY(check_addresses(c));
  for (int32_t i = 0; i < (int32_t)c->m->ntendon; i++) {
    SN_TRY(check_path(c, i));
  }
  return check_rooms(c);
}

sn_status si_model_validate_tree(const sn_model *model, const sn_location *location,
                                 sn_error *error) {
  check c = { .m = model, .location = location, .error = error };
  c.last = calloc((size_t)model->nbody + 1, sizeof *c.last);
  c.stamp = calloc((size_t)model->nv + 1, sizeof *c.stamp);
  sn_status status = c.last && c.stamp
                         ? check_all(&c)
                         : si_fail(error, SN_ENOMEM, "out of memory while reading a model");
  free(c.last);
  free(c.stamp);
  return status;
}
