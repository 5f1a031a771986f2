// SPDX-License-Identifier: Apache-2.0
//
// The state as one vector: the parts that a mask names, one after another, in the order of the
// bits. Integers are stored as doubles. That of plugins has the numbers of sensors, then those of
// passive forces and of the integrator.

#include <string.h>

#include "base/hash.h"
#include "data/data.h"
#include "data/sleep.h"

typedef struct part {
  uint32_t bit;
  int64_t n;
  double *reals;   // or:
  int32_t *ints;
} part;

enum { NPARTS = 17 };

static inline part *add(part *end, uint32_t mask, part row) {
  if (mask & row.bit && row.n > 0) {
    *end++ = row;
  }
  return end;
}

// Those of a mask that are not empty; returns their number.
static int state_parts(const sn_model *m, const sn_data *d, uint32_t mask, part *out) {
  static const sn_data none;
  d = d ? d : &none;
  part *p = out;
  p = add(p, mask, (part){ SN_STATE_TIME, 1, d->time, NULL });
  p = add(p, mask, (part){ SN_STATE_QPOS, m->nq, d->qpos, NULL });
  p = add(p, mask, (part){ SN_STATE_QVEL, m->nv, d->qvel, NULL });
  p = add(p, mask, (part){ SN_STATE_ACT, m->na, d->act, NULL });
  p = add(p, mask, (part){ SN_STATE_WARMSTART, m->nv, d->qacc_warmstart, NULL });
  p = add(p, mask, (part){ SN_STATE_CTRL, m->nu, d->ctrl, NULL });
  p = add(p, mask, (part){ SN_STATE_QFRC_APPLIED, m->nv, d->qfrc_applied, NULL });
  p = add(p, mask, (part){ SN_STATE_XFRC_APPLIED, 6 * m->nbody, d->xfrc_applied, NULL });
  p = add(p, mask, (part){ SN_STATE_EQ_ENABLED, m->neq, NULL, d->eq_enabled });
  p = add(p, mask, (part){ SN_STATE_MOCAP_POS, 3 * m->nmocap, d->mocap_pos, NULL });
  p = add(p, mask, (part){ SN_STATE_MOCAP_QUAT, 4 * m->nmocap, d->mocap_quat, NULL });
  p = add(p, mask, (part){ SN_STATE_USERDATA, m->nuserdata, d->userdata, NULL });
  p = add(p, mask, (part){ SN_STATE_PLUGIN, m->nsensorstate, d->sensor_state, NULL });
  p = add(p, mask, (part){ SN_STATE_PLUGIN, m->nforcestate, d->force_state, NULL });
  // of a simulation that was made for another integrator there is none
  double *integrator_state = d->nintegratorstate == m->nintegratorstate ? d->integrator_state
                                                                        : NULL;
  p = add(p, mask, (part){ SN_STATE_PLUGIN, m->nintegratorstate, integrator_state, NULL });
  if (m->opt.enableflags & SN_ENABLE_SLEEP) {
    p = add(p, mask, (part){ SN_STATE_SLEEP, m->bound.roots.n, NULL, d->sleep.count });
    p = add(p, mask, (part){ SN_STATE_SLEEP, m->nv, d->sleep.force, NULL });
  }
  return (int)(p - out);
}

int64_t sn_state_size(const sn_model *model, uint32_t mask) {
  part parts[NPARTS];
  const int count = state_parts(model, NULL, mask, parts);
  int64_t n = 0;
  for (int i = 0; i < count; i++) {
    n += parts[i].n;
  }
  return n;
}

// Numbers that a simulation does not have are zero.
static void get_integers(const part *p, double *state) {
  for (int64_t k = 0; k < p->n; k++) {
    state[k] = p->ints ? p->ints[k] : 0;
  }
}

void sn_state_get(const sn_model *model, const sn_data *data, uint32_t mask, double *state) {
  part parts[NPARTS];
  const int count = state_parts(model, data, mask, parts);
  for (int i = 0; i < count; i++) {
    if (parts[i].reals) {
      memcpy(state, parts[i].reals, (size_t)parts[i].n * sizeof(double));
    } else if (parts[i].bit == SN_STATE_SLEEP) {
      si_sleep_counts(model, data, state);
    } else {
      get_integers(&parts[i], state);
    }
    state += parts[i].n;
  }
}

// Of eq_enabled, whether it is not 0; else a count, which is checked when all are there.
static int32_t integer_of(uint32_t bit, double x) {
  return bit == SN_STATE_EQ_ENABLED ? x != 0
         : x >= SI_AWAKE && x <= INT32_MAX ? (int32_t)x
                                           : SI_AWAKE;
}

void si_state_put(const sn_model *model, sn_data *data, uint32_t mask, const double *state) {
  part parts[NPARTS];
  const int count = state_parts(model, data, mask, parts);
  for (int i = 0; i < count; i++) {
    for (int64_t k = 0; k < parts[i].n; k++) {
      if (parts[i].reals) {
        parts[i].reals[k] = *state++;
      } else if (parts[i].ints) {
        parts[i].ints[k] = integer_of(parts[i].bit, *state++);
      } else {
        state++;
      }
    }
  }
  si_sleep_restore(model, data, mask);
}

uint64_t sn_state_hash(const sn_model *model, const sn_data *data, uint32_t mask) {
  part parts[NPARTS];
  const int count = state_parts(model, data, mask, parts);
  uint64_t hash = SI_HASH_START;
  for (int i = 0; i < count; i++) {
    if (parts[i].reals || parts[i].ints) {
      const void *bytes = parts[i].reals ? (const void *)parts[i].reals : parts[i].ints;
      size_t each = parts[i].reals ? sizeof(double) : sizeof(int32_t);
      hash = si_hash_bytes(hash, bytes, (size_t)parts[i].n * each);
    }
  }
  return hash;
}

// ------------------------------------------------------------------ a copy within a call

// The whole state lies in one block of memory if neither plugins nor sleep have a part of it: the
// fields of the stages "state" and "input" (sinew/fields_data.h). The forces applied to bodies may
// be left out: in a scene with many fixed bodies they are most of it.
typedef struct block {
  size_t bytes;        // 0: it does not
  size_t begin, end;   // what is between them is left out
} block;

static block block_of(const sn_model *m, const sn_data *d, uint32_t mask) {
  const char *start = (const char *)d->time;
  const int is_block = (mask | SN_STATE_XFRC_APPLIED) == SN_STATE_INTEGRATION &&
                       !(m->opt.enableflags & SN_ENABLE_SLEEP) &&
                       m->nforcestate + m->nintegratorstate == 0;
  const size_t bytes = (size_t)((const char *)(d->userdata + m->nuserdata) - start);
  if (!is_block || mask & SN_STATE_XFRC_APPLIED) {
    return (block){ is_block ? bytes : 0, bytes, bytes };
  }
  return (block){ bytes, (size_t)((const char *)d->xfrc_applied - start),
                  (size_t)((const char *)(d->xfrc_applied + 6 * m->nbody) - start) };
}

static void copy_block(const block *b, void *to, const void *from) {
  memcpy(to, from, b->begin);
  if (b->end < b->bytes) {
    memcpy((char *)to + b->end, (const char *)from + b->end, b->bytes - b->end);
  }
}

int64_t si_state_copy_size(const sn_model *m, const sn_data *d) {
  const int64_t bytes = (const char *)(d->userdata + m->nuserdata) - (const char *)d->time;
  const int64_t vector = sn_state_size(m, SN_STATE_INTEGRATION & ~(uint32_t)SN_STATE_SLEEP) +
                         m->bound.roots.n + m->nv;
  const int64_t n = bytes / (int64_t)sizeof(double);
  return n > vector ? n : vector;
}

void si_state_copy(const sn_model *m, const sn_data *d, uint32_t mask, double *copy) {
  const block b = block_of(m, d, mask);
  if (b.bytes > 0) {
    copy_block(&b, copy, d->time);
  } else {
    sn_state_get(m, d, mask, copy);
  }
}

void si_state_restore(const sn_model *m, sn_data *d, uint32_t mask, const double *copy) {
  const block b = block_of(m, d, mask);
  if (b.bytes > 0) {
    copy_block(&b, d->time, copy);
    si_sleep_restore(m, d, mask);
  } else {
    si_state_put(m, d, mask, copy);
  }
}
