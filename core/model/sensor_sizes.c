// SPDX-License-Identifier: Apache-2.0
//
// The sizes of a sensor, which its type decides by model and attributes.

#include "model/model_call.h"

int32_t si_sensor_states(const sn_model *m, int64_t i) {
  const int64_t end = i + 1 < m->nsensor ? m->sensor_stateadr[i + 1] : m->nsensorstate;
  return (int32_t)(end - m->sensor_stateadr[i]);
}

int si_sensor_is_open(const si_provider *type) {
  const sn_sensor_ops *ops = type->ops;
  return ops->dim == 0 && !ops->sizes;
}

sn_status si_sensor_sizes(const sn_model *m, const si_provider *type, const sn_sensor *sensor,
                          int32_t open_dim, int32_t *dim, int32_t *nstate, sn_error *error) {
  const sn_sensor_ops *ops = type->ops;
  *dim = si_sensor_is_open(type) ? open_dim : ops->dim;
  *nstate = 0;
  if (ops->sizes) {
    si_watch call;
    si_model_enter(&call, m, type, "sizes");
    int32_t *lent_dim = si_watch_lend(&call, "dim", dim, (int64_t)sizeof *dim);
    int32_t *lent_nstate = si_watch_lend(&call, "nstate", nstate, (int64_t)sizeof *nstate);
    const sn_status status = si_watch_end(
        &call, ops->sizes(type->self, &m->view, sensor, lent_dim, lent_nstate, error), error);
    if (status < 0) {
      return error && sn_error_code(error) >= 0
                 ? si_fail(error, status, "the sensor type '%s' could not determine its sizes",
                           type->name)
                 : status;
    }
  }
  if (*nstate < 0 || *nstate > SN_MAX_STATES) {
    return si_fail(
        error, SN_EPLUGIN,
        "the sensor type '%s' declares %d state variables; the number must be from 0 to %d",
        type->name, *nstate, SN_MAX_STATES);
  }
  if (ops->dim > 0 && *dim != ops->dim) {
    return si_fail(error, SN_EPLUGIN,
                   "the sensor type '%s' declares dim %d, and its operation 'sizes' changed it to "
                   "%d; set the member dim of its table to 0",
                   type->name, ops->dim, *dim);
  }
  if (*dim < 1 || *dim > SN_MAX_STATES) {
    return si_sensor_is_open(type)
               ? si_fail(error, SN_ECOMPILE, "the sensor has dim=\"%d\"; dim must be from 1 to %d",
                         *dim, SN_MAX_STATES)
               : si_fail(
                     error, SN_EPLUGIN,
                     "the sensor has %d values (set by the sensor type '%s'); the number must be "
                     "from 1 to %d",
                     *dim, type->name, SN_MAX_STATES);
  }
  return SN_OK;
}
