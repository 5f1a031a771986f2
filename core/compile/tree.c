// SPDX-License-Identifier: Apache-2.0
//
// The kinematic tree: what is where in it, the frames of bodies.
//
// The dofs of a body follow each other; the parent of a dof is the dof before it in the body, or
// the last dof of the nearest ancestor that has any. So row i of M has one entry for each dof on
// the way to the root, and dof_Madr counts them up.

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "sinew/math.h"

static sn_status no_memory(si_build *b) {
  return si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
}

sn_status si_compile_number(si_build *b) {
  return si_spec_number(b->spec, b->number, b->error);
}

// ------------------------------------------------------------------ joints of a body

static int32_t model_body(const si_build *b, int32_t spec_id) {
  return b->number[SI_ELEMENT_body].model[spec_id];
}

static sn_status check_joint(si_build *b, int64_t j, int32_t *dofs, int *ball) {
  const sn_joint_def *joint = SI_DEF(b, joint, j);
  int32_t body = model_body(b, joint->body);
  if (body == 0) {
    return SI_FAIL(b, joint, j, "the world cannot move; add the joint to a body");
  }
  if (joint->type == SN_JOINT_FREE && SI_DEF(b, body, body)->parent != 0) {
    return SI_FAIL(b, joint, j,
                   "a free joint is allowed only in a body that is a child of the world; move its "
                   "body out of its parent");
  }
  *dofs += sn_joint_dofs(joint->type);
  if (*dofs > 6) {
    return SI_FAIL(b, body, body,
                   "its joints have more than 6 degrees of freedom; move some of them into a body "
                   "of their own");
  }
  int turns = joint->type == SN_JOINT_BALL || joint->type == SN_JOINT_HINGE;
  if (*ball && turns) {
    return SI_FAIL(b, joint, j,
                   "a ball joint is followed by another rotation in the same body; move the ball "
                   "joint to the end or into a body of its own");
  }
  *ball |= joint->type == SN_JOINT_BALL;
  return SN_OK;
}

// dof_parent and body_last, with the checks of joints.
static sn_status make_chains(si_build *b) {
  int64_t nbody = b->size.nbody, njnt = b->size.njnt;
  b->body_last = malloc((size_t)nbody * sizeof(int32_t));
  b->dof_parent = malloc((size_t)(6 * njnt + 1) * sizeof(int32_t));
  if (!b->body_last || !b->dof_parent) {
    return no_memory(b);
  }
  int32_t nv = 0;
  int64_t j = 0;
  b->body_last[0] = -1;
  for (int32_t i = 0; i < nbody; i++) {
    int32_t dofs = 0;
    int ball = 0;
    int32_t last = i ? b->body_last[model_body(b, SI_DEF(b, body, i)->parent)] : -1;
    for (; j < njnt && model_body(b, SI_DEF(b, joint, j)->body) == i; j++) {
      SN_TRY(check_joint(b, j, &dofs, &ball));
      int32_t type = SI_DEF(b, joint, j)->type;
      for (int32_t k = 0; k < sn_joint_dofs(type); k++) {
        b->dof_parent[nv] = last;
        last = nv++;
      }
      b->size.nq += sn_joint_positions(type);
    }
    b->body_last[i] = last;
  }
  b->size.nv = nv;
  return SN_OK;
}

// The entries of M: each row is as long as its dof is deep. They are numbered by int32.
static sn_status measure_inertia(si_build *b) {
  sn_model *s = &b->size;
  int64_t deepest = 0;
  int32_t *depth = malloc((size_t)(s->nv + 1) * sizeof *depth);
  if (!depth) {
    return no_memory(b);
  }
  for (int64_t i = 0; i < s->nv; i++) {
    depth[i] = b->dof_parent[i] < 0 ? 1 : depth[b->dof_parent[i]] + 1;
    deepest = depth[i] > depth[deepest] ? i : deepest;
    s->nM += depth[i];
  }
  const int64_t most = s->nv ? depth[deepest] : 0;
  free(depth);
  if (s->nM <= INT32_MAX) {
    return SN_OK;
  }
  int64_t body = 1;
  while (b->body_last[body] != deepest) {
    body++;
  }
  return SI_FAIL(b, body, body,
                 "the model has too many degrees of freedom: %lld, of which %lld are in the chain "
                 "that ends here; the inertia matrix would have %lld entries, and may have %d",
                 (long long)s->nv, (long long)most, (long long)s->nM, INT32_MAX);
}

sn_status si_compile_tree_measure(si_build *b) {
  sn_model *s = &b->size;
  s->nbody = b->number[SI_ELEMENT_body].n;
  s->njnt = b->number[SI_ELEMENT_joint].n;
  SN_TRY(make_chains(b));

  SN_TRY(measure_inertia(b));
  for (int64_t i = 1; i < s->nbody; i++) {
    s->nmocap += SI_DEF(b, body, i)->mocap != 0;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ filling

static sn_status fill_frame(si_build *b, int64_t i) {
  sn_model *m = b->m;
  const sn_body_def *body = SI_DEF(b, body, i);
  double *pos = m->body_pos + 3 * i, *quat = m->body_quat + 4 * i;
  if (i == 0) {
    sn_identity_quat(quat);
    return SN_OK;
  }
  if (isnan(body->pos[0]) || isnan(body->pos[1]) || isnan(body->pos[2])) {
    return SI_FAIL(b, body, i,
                   "its position is not specified; it can be inferred in global "
                   "coordinates only");
  }
  sn_copy3(pos, body->pos);
  const char *wrong = si_orient_quat(&body->orient, &b->spec->compiler, quat);
  return wrong ? SI_FAIL(b, body, i, "%s", wrong) : SN_OK;
}

static sn_status fill_mocap(si_build *b, int64_t i, int32_t *next) {
  sn_model *m = b->m;
  m->body_mocapid[i] = -1;
  if (i > 0 && SI_DEF(b, body, i)->mocap) {
    if (m->body_parentid[i] != 0 || m->body_jntnum[i] > 0) {
      return SI_FAIL(b, body, i,
                     "a mocap body must be a child of the world and have no joints; remove its "
                     "joints, or the attribute mocap");
    }
    m->body_mocapid[i] = (*next)++;
  }
  return SN_OK;
}

// What sleeps is a whole tree, so only its topmost body has a policy.
static sn_status check_sleep(si_build *b, int64_t i) {
  const sn_model *m = b->m;
  const int top = m->body_jntnum[i] > 0 && m->body_weldid[m->body_parentid[i]] == 0;
  if (i > 0 && m->body_sleep[i] != SN_SLEEP_AUTO && !top) {
    return SI_FAIL(
        b, body, i,
        "sleep can only be specified for the topmost moving body of a kinematic tree, whose "
        "ancestors have no joints; specify it there");
  }
  return SN_OK;
}

// Which of its elements belong to a body: counts and first ids.
static void fill_owned(si_build *b) {
  sn_model *m = b->m;
  for (int64_t i = 0; i < m->nbody; i++) {
    m->body_jntadr[i] = m->body_dofadr[i] = m->body_geomadr[i] = -1;
  }
  int32_t dof = 0, position = 0;
  for (int32_t j = 0; j < m->njnt; j++) {
    const sn_joint_def *joint = SI_DEF(b, joint, j);
    int32_t i = m->jnt_bodyid[j];
    if (m->body_jntnum[i]++ == 0) {
      m->body_jntadr[i] = j;
      m->body_dofadr[i] = dof;
    }
    m->jnt_dofadr[j] = dof;
    m->jnt_qposadr[j] = position;
    for (int32_t k = 0; k < sn_joint_dofs(joint->type); k++, dof++) {
      m->dof_bodyid[dof] = i;
      m->dof_jntid[dof] = j;
      m->body_dofnum[i]++;
    }
    position += sn_joint_positions(joint->type);
  }
  for (int32_t g = 0; g < b->number[SI_ELEMENT_geom].n; g++) {
    int32_t i = m->geom_bodyid[g];
    if (m->body_geomnum[i]++ == 0) {
      m->body_geomadr[i] = g;
    }
  }
}

static void fill_dofs(si_build *b) {
  sn_model *m = b->m;
  int32_t trees = 0;
  for (int64_t i = 0; i < m->nv; i++) {
    int32_t parent = b->dof_parent[i];
    m->dof_parentid[i] = parent;
    m->dof_treeid[i] = parent < 0 ? trees++ : m->dof_treeid[parent];
  }
}

sn_status si_compile_rows_fill(si_build *b) {
  return si_model_make_rows(b->m, b->error);
}

sn_status si_compile_tree_fill(si_build *b) {
  sn_model *m = b->m;
  fill_owned(b);
  fill_dofs(b);
  int32_t mocaps = 0;
  for (int32_t i = 0; i < m->nbody; i++) {
    int32_t parent = m->body_parentid[i];
    m->body_rootid[i] = parent == 0 ? i : m->body_rootid[parent];
    m->body_weldid[i] = i == 0 || m->body_jntnum[i] > 0 ? i : m->body_weldid[parent];
    SN_TRY(fill_frame(b, i));
    SN_TRY(fill_mocap(b, i, &mocaps));
    SN_TRY(check_sleep(b, i));
  }
  return SN_OK;
}
