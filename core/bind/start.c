// SPDX-License-Identifier: Apache-2.0
//
// Where simulations of a model start: activations and the states of sensors, passive forces and
// controllers after a reset, computed once, by the operations `reset`. They read a simulation at
// qpos0, which is made for them only if there is such an operation:
//
//   positions -> bodies, centers of mass, cameras, tendons, transmissions; no velocity

#include "bind/bind.h"
#include "data/data.h"
#include "dynamics/dynamics.h"

sn_status si_rest_view(si_rest *rest, const sn_data_view **view, sn_error *error) {
  const sn_model *m = rest->model;
  if (!rest->data) {
    sn_data *d = si_data_new(m, 1, error);
    if (!d) {
      return SN_ENOMEM;
    }
    si_dyn_kinematics(m, d);
    si_dyn_com(m, d);
    si_dyn_camlight(m, d);
    si_dyn_tendon(m, d);
    si_dyn_transmission(m, d, &d->worker[0]);
    rest->data = d;
  }
  *view = &rest->data->view;
  return SN_OK;
}

sn_status si_model_bind_start(sn_model *m, sn_error *error) {
  si_rest rest = { .model = m };
  sn_status status = si_bind_force_start(m, &rest, error);
  status = status < 0 ? status : si_bind_activation_start(m, &rest, error);
  status = status < 0 ? status : si_bind_sensor_start(m, &rest, error);
  sn_data_free(rest.data);
  return status;
}
