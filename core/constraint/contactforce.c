// SPDX-License-Identifier: Apache-2.0
//
// The force of a contact from the rows of the constraint problem: force and torque on geom 2, in
// the frame of the contact (normal, two tangents).
//
//   frictionless   row: normal force
//   elliptic       rows: normal, tangents, spin, rolling
//   pyramidal      rows: edges, two a friction direction: f+ along [1, mu], f- along [1, -mu];
//                  normal force sum(f+ + f-), friction force mu (f+ - f-)

#include "constraint/constraint.h"
#include "dynamics/dynamics.h"
#include "sinew/math.h"

static void decode_pyramid(double *force, const double *edge, const double *mu, int32_t dim) {
  for (int32_t k = 1; k < dim; k++) {
    force[0] += edge[0] + edge[1];
    force[k] = mu[k - 1] * (edge[0] - edge[1]);
    edge += 2;
  }
}

sn_status sn_contact_force(const sn_model *model, const sn_data *data, int64_t contact,
                           double *force) {
  (void)model;
  memset(force, 0, 6 * sizeof(double));
  if (contact < 0 || contact >= data->ncon) {
    return SN_EINVAL;
  }
  int32_t row = data->contact_efc_address[contact], dim = data->contact_dim[contact];
  if (row < 0 || !data->efc_force) {
    return SN_OK;
  }
  if (data->efc_type[row] == SN_ROW_CONTACT_PYRAMIDAL) {
    decode_pyramid(force, data->efc_force + row, data->contact_friction + 5 * contact, dim);
  } else {
    memcpy(force, data->efc_force + row, (size_t)dim * sizeof(double));
  }
  return SN_OK;
}

// ------------------------------------------------------------------ for plugins

static sn_status service_get(const sn_data_view *view, int64_t contact, double *force) {
  return sn_contact_force(view->model->model, view->data, contact, force);
}

const sn_contact_force_service si_contact_force_service_table = {
  .size = sizeof(sn_contact_force_service),
  .get = service_get,
};
