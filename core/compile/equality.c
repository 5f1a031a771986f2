// SPDX-License-Identifier: Apache-2.0
//
// Equality constraints. Layout of eq_data, 11 numbers:
//
//   connect   0-2 anchor in body 1, 3-5 the same point in body 2
//   weld      0-2 anchor in body 2, 3-5 position and 6-9 quaternion of body 2 in body 1,
//             10 torque scale
//   joint, tendon   0-4 polynomial
//
// eq_frame, of welds: the orientation in body 2 of the axes on which the rotation is measured. They
// are those of the body, or of its site. The identity for the other types.
//
// What is not given is such that the constraint is met at qpos0; for a weld the position is then
// that of the anchor.

#include <math.h>
#include <string.h>

#include "compile/compile.h"
#include "dynamics/dynamics.h"
#include "sinew/math.h"

enum { COLUMNS = 11, TORQUESCALE = 10 };

sn_status si_compile_equality_measure(si_build *b) {
  b->size.neq = b->number[SI_ELEMENT_equality].n;
  return SN_OK;
}

// ------------------------------------------------------------------ objects

typedef struct equality_type {
  int32_t kind;      // of its objects
  int32_t nothing;   // id when there is no second object
} equality_type;

static const equality_type types[] = {
  [SN_EQUALITY_CONNECT] = { SI_ELEMENT_body, 0 },
  [SN_EQUALITY_WELD] = { SI_ELEMENT_body, 0 },
  [SN_EQUALITY_JOINT] = { SI_ELEMENT_joint, -1 },
  [SN_EQUALITY_TENDON] = { SI_ELEMENT_tendon, -1 },
  [SN_EQUALITY_PLUGIN] = { -1, -1 },
};

// Two sites: the data of the bodies for which the frames of the sites coincide.
static sn_status find_sites(si_build *b, int64_t i) {
  sn_model *m = b->m;
  const sn_equality_def *eq = SI_DEF(b, equality, i);
  double *data = m->eq_data + COLUMNS * i;
  int32_t site[2];
  SN_TRY(SI_REFER(b, equality, i, site, eq->obj1, &site[0]));
  SN_TRY(SI_REFER(b, equality, i, site, eq->obj2, &site[1]));
  m->eq_obj1id[i] = m->site_bodyid[site[0]];
  m->eq_obj2id[i] = m->site_bodyid[site[1]];
  if (m->eq_obj1id[i] == m->eq_obj2id[i]) {
    return SI_FAIL(b, equality, i, "its two sites are on the same body");
  }
  const double *pos1 = m->site_pos + 3 * site[0], *quat1 = m->site_quat + 4 * site[0];
  const double *pos2 = m->site_pos + 3 * site[1], *quat2 = m->site_quat + 4 * site[1];
  if (eq->type == SN_EQUALITY_CONNECT) {
    sn_copy3(data, pos1);
    sn_copy3(data + 3, pos2);
    return SN_OK;
  }

  // the common point in body 2 and in body 1; body 2 in body 1 through the frame of the sites
  double inverse[4];
  sn_conj_quat(inverse, quat2);
  sn_copy3(data, pos2);
  sn_copy3(data + 3, pos1);
  sn_mul_quat(data + 6, quat1, inverse);
  sn_copy4(m->eq_frame + 4 * i, quat2);
  return SN_OK;
}

static int has_sites(const sn_equality_def *eq) {
  return eq->sites && types[eq->type].kind == SI_ELEMENT_body;
}

static sn_status find_objects(si_build *b, int64_t i) {
  sn_model *m = b->m;
  const sn_equality_def *eq = SI_DEF(b, equality, i);
  if (has_sites(eq)) {
    return find_sites(b, i);
  }
  const equality_type *type = &types[eq->type];
  int32_t *id1 = &m->eq_obj1id[i], *id2 = &m->eq_obj2id[i];
  if (type->kind < 0) {   // its attributes name what it acts on
    *id1 = *id2 = type->nothing;
    return SN_OK;
  }
  SN_TRY(si_build_refer(b, SI_ELEMENT_equality, i, type->kind, eq->obj1, id1));
  *id2 = type->nothing;
  if (eq->obj2 && eq->obj2[0]) {
    SN_TRY(si_build_refer(b, SI_ELEMENT_equality, i, type->kind, eq->obj2, id2));
  }
  if (*id1 == *id2) {
    return SI_FAIL(b, equality, i, "its two objects are the same, '%s'", eq->obj1);
  }
  const int32_t ids[2] = { *id1, *id2 };
  for (int k = 0; eq->type == SN_EQUALITY_JOINT && k < 2; k++) {
    if (ids[k] >= 0 && m->jnt_type[ids[k]] < SN_JOINT_SLIDE) {
      return SI_FAIL(b, equality, i, "it couples hinge and slide joints only; '%s' is neither",
                     k ? eq->obj2 : eq->obj1);
    }
  }
  return SN_OK;
}

static int has_pose(const sn_equality_def *eq) {
  const double *q = eq->relpose + 3;
  return q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0;
}

sn_status si_compile_equality_fill(si_build *b) {
  sn_model *m = b->m;
  for (int64_t i = 0; i < m->neq; i++) {
    const sn_equality_def *eq = SI_DEF(b, equality, i);
    double *data = m->eq_data + COLUMNS * i;
    sn_identity_quat(m->eq_frame + 4 * i);
    SN_TRY(find_objects(b, i));
    data[TORQUESCALE] = eq->torquescale;
    if (types[eq->type].kind != SI_ELEMENT_body) {
      memcpy(data, eq->polycoef, sizeof eq->polycoef);
      continue;
    }
    if (has_sites(eq)) {
      continue;
    }
    sn_copy3(data, eq->anchor);
    if (eq->type == SN_EQUALITY_WELD && has_pose(eq)) {
      memcpy(data + 3, eq->relpose, sizeof eq->relpose);
      sn_normalize4(data + 6);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ poses at qpos0

// A point of body `from` in the frame of body `to`.
static void transfer(const sn_data *d, int32_t from, int32_t to, const double *point, double *out) {
  double global[3];
  sn_rotate(global, point, d->xquat + 4 * from);
  sn_add3(global, global, d->xpos + 3 * from);
  sn_sub3(global, global, d->xpos + 3 * to);
  sn_rotate_inverse(out, global, d->xquat + 4 * to);
}

static sn_status evaluate_poses(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)w;
  (void)context;
  si_dyn_kinematics(m, d);
  return SN_OK;
}

sn_status si_compile_equality_poses(si_build *b) {
  sn_model *m = b->m;
  if (m->neq == 0) {
    return SN_OK;
  }
  sn_data *d = sn_data_new(m, b->error);
  if (!d) {
    return SN_ENOMEM;
  }
  sn_status status = si_compile_evaluate(evaluate_poses, m, d, NULL, b->error);
  for (int64_t i = 0; i < m->neq && status >= 0; i++) {
    int32_t body1 = m->eq_obj1id[i], body2 = m->eq_obj2id[i];
    double *data = m->eq_data + COLUMNS * i;
    if (has_sites(SI_DEF(b, equality, i))) {
      continue;
    }
    if (m->eq_type[i] == SN_EQUALITY_CONNECT) {
      transfer(d, body1, body2, data, data + 3);
    } else if (m->eq_type[i] == SN_EQUALITY_WELD && !has_pose(SI_DEF(b, equality, i))) {
      double inverse[4];
      transfer(d, body2, body1, data, data + 3);
      sn_conj_quat(inverse, d->xquat + 4 * body1);
      sn_mul_quat(data + 6, inverse, d->xquat + 4 * body2);
    }
  }
  sn_data_free(d);
  return status;
}
