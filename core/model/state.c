// SPDX-License-Identifier: Apache-2.0
//
// The state as one vector: the parts that a mask names, one after another, in the order of the
// bits. Integers are stored as doubles. That of plugins has the numbers of sensors, then those of
// passive forces and of the integrator.

#include <string.h>

#include "base/hash.h"
#include "model/data.h"

typedef struct part {
  uint32_t bit;
  int64_t n;
  double *reals;   // or:
  int32_t *ints;
} part;

enum { NPARTS = 15 };

static void state_parts(const sn_model *m, const sn_data *d, part *out) {
  static const sn_data none;
  d = d ? d : &none;
  // of a simulation that was made for another integrator there is none
  double *integrator_state = d->nintegratorstate == m->nintegratorstate ? d->integrator_state
                                                                        : NULL;
  const part list[NPARTS] = {
    { SN_STATE_TIME, 1, d->time, NULL },
    { SN_STATE_QPOS, m->nq, d->qpos, NULL },
    { SN_STATE_QVEL, m->nv, d->qvel, NULL },
    { SN_STATE_ACT, m->na, d->act, NULL },
    { SN_STATE_WARMSTART, m->nv, d->qacc_warmstart, NULL },
    { SN_STATE_CTRL, m->nu, d->ctrl, NULL },
    { SN_STATE_QFRC_APPLIED, m->nv, d->qfrc_applied, NULL },
    { SN_STATE_XFRC_APPLIED, 6 * m->nbody, d->xfrc_applied, NULL },
    { SN_STATE_EQ_ENABLED, m->neq, NULL, d->eq_enabled },
    { SN_STATE_MOCAP_POS, 3 * m->nmocap, d->mocap_pos, NULL },
    { SN_STATE_MOCAP_QUAT, 4 * m->nmocap, d->mocap_quat, NULL },
    { SN_STATE_USERDATA, m->nuserdata, d->userdata, NULL },
    { SN_STATE_PLUGIN, m->nsensorstate, d->sensor_state, NULL },
    { SN_STATE_PLUGIN, m->nforcestate, d->force_state, NULL },
    { SN_STATE_PLUGIN, m->nintegratorstate, integrator_state, NULL },
  };
  memcpy(out, list, sizeof list);
}

int64_t sn_state_size(const sn_model *model, uint32_t mask) {
  part parts[NPARTS];
  state_parts(model, NULL, parts);
  int64_t n = 0;
  for (int i = 0; i < NPARTS; i++) {
    n += mask & parts[i].bit ? parts[i].n : 0;
  }
  return n;
}

void sn_state_get(const sn_model *model, const sn_data *data, uint32_t mask, double *state) {
  part parts[NPARTS];
  state_parts(model, data, parts);
  for (int i = 0; i < NPARTS; i++) {
    if (!(mask & parts[i].bit) || parts[i].n == 0) {
      continue;
    }
    if (parts[i].reals) {
      memcpy(state, parts[i].reals, (size_t)parts[i].n * sizeof(double));
    }
    for (int64_t k = 0; !parts[i].reals && k < parts[i].n; k++) {
      state[k] = parts[i].ints ? parts[i].ints[k] : 0;
    }
    state += parts[i].n;
  }
}

void si_state_put(const sn_model *model, sn_data *data, uint32_t mask, const double *state) {
  part parts[NPARTS];
  state_parts(model, data, parts);
  for (int i = 0; i < NPARTS; i++) {
    for (int64_t k = 0; mask & parts[i].bit && k < parts[i].n; k++) {
      if (parts[i].reals) {
        parts[i].reals[k] = *state++;
      } else if (parts[i].ints) {
        parts[i].ints[k] = *state++ != 0;
      } else {
        state++;
      }
    }
  }
}

uint64_t sn_state_hash(const sn_model *model, const sn_data *data, uint32_t mask) {
  part parts[NPARTS];
  state_parts(model, data, parts);
  uint64_t hash = SI_HASH_START;
  for (int i = 0; i < NPARTS; i++) {
    if (mask & parts[i].bit && (parts[i].reals || parts[i].ints)) {
      const void *bytes = parts[i].reals ? (const void *)parts[i].reals : parts[i].ints;
      size_t each = parts[i].reals ? sizeof(double) : sizeof(int32_t);
      hash = si_hash_bytes(hash, bytes, (size_t)parts[i].n * each);
    }
  }
  return hash;
}
