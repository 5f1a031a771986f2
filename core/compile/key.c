// SPDX-License-Identifier: Apache-2.0
//
// Keyframes. What a keyframe leaves out is as after a reset; quaternions are normalized.

#include <string.h>

#include "compile/compile.h"
#include "sinew/math.h"

sn_status si_compile_key_measure(si_build *b) {
  int64_t hint = b->spec->size_hint.nkey, n = b->number[SI_ELEMENT_key].n;
  b->size.nkey = hint > n ? hint : n;
  return SN_OK;
}

// As after a reset.
static void fill_default(sn_model *m, int64_t i) {
  memcpy(m->key_qpos + i * m->nq, m->qpos0, (size_t)m->nq * sizeof(double));
  for (int64_t k = 0; k < m->nbody; k++) {
    int32_t row = m->body_mocapid[k];
    if (row >= 0) {
      sn_copy3(m->key_mpos + 3 * (i * m->nmocap + row), m->body_pos + 3 * k);
      sn_copy4(m->key_mquat + 4 * (i * m->nmocap + row), m->body_quat + 4 * k);
    }
  }
}

static void normalize(sn_model *m, int64_t i) {
  for (int64_t j = 0; j < m->njnt; j++) {
    double *q = m->key_qpos + i * m->nq + m->jnt_qposadr[j];
    if (m->jnt_type[j] == SN_JOINT_FREE) {
      sn_normalize4(q + 3);
    } else if (m->jnt_type[j] == SN_JOINT_BALL) {
      sn_normalize4(q);
    }
  }
  for (int64_t k = 0; k < m->nmocap; k++) {
    sn_normalize4(m->key_mquat + 4 * (i * m->nmocap + k));
  }
}

void si_compile_key_activations(si_build *b) {
  sn_model *m = b->m;
  for (int64_t i = 0; i < m->nkey && m->bound.act0; i++) {
    if (i >= b->number[SI_ELEMENT_key].n || SI_DEF(b, key, i)->act.n == 0) {
      memcpy(m->key_act + i * m->na, m->bound.act0, (size_t)m->na * sizeof(double));
    }
  }
}

sn_status si_compile_key_fill(si_build *b) {
  sn_model *m = b->m;
  for (int64_t i = 0; i < m->nkey; i++) {
    fill_default(m, i);
    if (i < b->number[SI_ELEMENT_key].n) {
      SN_TRY(si_build_rows(b, SI_ELEMENT_key, i));
    }
    normalize(m, i);
  }
  return SN_OK;
}
