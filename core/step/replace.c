// SPDX-License-Identifier: Apache-2.0
//
// Calls that replace the state of a simulation. They are rejected within a step of this simulation,
// where a callback could make them: the step would go on with a mixture of two states.

#include <string.h>

#include "data/sleep.h"
#include "step/pipeline.h"

static sn_status check(const sn_model *m, sn_data *d) {
  if (d->model != m) {
    return si_fail(&d->error, SN_EINVAL, "this data belongs to another model");
  }
  return si_require_idle(d);
}

sn_status sn_reset(const sn_model *m, sn_data *d) {
  SN_TRY(check(m, d));
  si_data_reset(m, d);
  return SN_OK;
}

sn_status sn_reset_key(const sn_model *m, sn_data *d, int32_t key) {
  SN_TRY(check(m, d));
  if (key < 0 || key >= m->nkey) {
    return si_fail(&d->error, SN_EINVAL,
                   "there is no keyframe %d: the model has %lld, numbered from 0", key,
                   (long long)m->nkey);
  }
  si_data_reset(m, d);
  d->time[0] = m->key_time[key];
  memcpy(d->qpos, m->key_qpos + key * m->nq, (size_t)m->nq * sizeof(double));
  memcpy(d->qvel, m->key_qvel + key * m->nv, (size_t)m->nv * sizeof(double));
  memcpy(d->act, m->key_act + key * m->na, (size_t)m->na * sizeof(double));
  memcpy(d->ctrl, m->key_ctrl + key * m->nu, (size_t)m->nu * sizeof(double));
  memcpy(d->mocap_pos, m->key_mpos + key * 3 * m->nmocap, (size_t)m->nmocap * 3 * sizeof(double));
  memcpy(d->mocap_quat, m->key_mquat + key * 4 * m->nmocap, (size_t)m->nmocap * 4 * sizeof(double));
  si_sleep_reset(m, d);
  return SN_OK;
}

sn_status sn_state_set(const sn_model *m, sn_data *d, uint32_t mask, const double *state) {
  SN_TRY(check(m, d));
  si_state_put(m, d, mask, state);
  return SN_OK;
}

sn_status sn_data_copy(const sn_model *m, sn_data *to, const sn_data *from) {
  if (to->model != m || from->model != m) {
    return si_fail(&to->error, SN_EINVAL,
                   "data can be copied only between simulations of the same model");
  }
  SN_TRY(si_require_idle(to));
  return si_data_copy(to, from);
}
