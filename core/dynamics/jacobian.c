// SPDX-License-Identifier: Apache-2.0
//
// Jacobians of points that are fixed to bodies, along the chains of dofs that move them, and
// their transposes: forces at points. See chain.h. Both are also a service for plugins.

#include "dynamics/chain.h"
#include "dynamics/dynamics.h"

// ------------------------------------------------------------------ chains

int32_t si_body_chain(const sn_model *m, int32_t body, int32_t *col) {
  int32_t dof = si_chain_tip(m, body), n = si_chain_length(m, dof);
  for (int32_t k = n - 1; k >= 0; k--) {
    col[k] = dof;
    dof = m->dof_parentid[dof];
  }
  return n;
}

int32_t si_merge_chain(const sn_model *m, int32_t body1, int32_t body2, int32_t *col) {
  si_chains chains = si_chains_of(m, body1, body2);
  int32_t n = 0, dof;
  int moves;
  while ((dof = si_chains_either(m, &chains, &moves)) >= 0) {
    col[n++] = dof;
  }
  si_chain_ascending(n, col, NULL);
  return n;
}

// ------------------------------------------------------------------ Jacobians

// Adds sign times the column of one dof: velocity at `arm` from the origin, angular velocity.
static inline void add_column(double *jacp, double *jacr, int64_t stride, const double *cdof,
                              const double *arm, double sign) {
  if (jacp) {
    double v[3];
    sn_cross(v, cdof, arm);
    for (int i = 0; i < 3; i++) {
      jacp[i * stride] += sign * (cdof[3 + i] + v[i]);
    }
  }
  if (jacr) {
    for (int i = 0; i < 3; i++) {
      jacr[i * stride] += sign * cdof[i];
    }
  }
}

static inline double *at(double *base, int64_t offset) {
  return base ? base + offset : NULL;
}

void si_jacobian_difference(const sn_model *m, const sn_data *d, const si_attachment *from,
                            const si_attachment *to, int32_t n, double *jacp, double *jacr) {
  si_chains chains = si_chains_of(m, from->body, to->body);
  double from_arm[3], to_arm[3];
  sn_sub3(from_arm, from->point, si_chain_origin(m, d, from->body));
  sn_sub3(to_arm, to->point, si_chain_origin(m, d, to->body));

  for (int32_t k = n - 1; k >= 0; k--) {
    int moves;
    const double *cdof = d->cdof + 6 * si_chains_either(m, &chains, &moves);
    double p[3] = { 0, 0, 0 }, r[3] = { 0, 0, 0 };
    if (moves & SI_MOVES_2) {
      add_column(p, r, 1, cdof, to_arm, 1);
    }
    if (moves & SI_MOVES_1) {
      add_column(p, r, 1, cdof, from_arm, -1);
    }
    for (int i = 0; i < 3; i++) {
      if (jacp) {
        jacp[i * n + k] = p[i];
      }
      if (jacr) {
        jacr[i * n + k] = r[i];
      }
    }
  }
}

static int is_body(const sn_model *m, int32_t body) {
  return body >= 0 && body < m->nbody;
}

static sn_status add_jacobian(const sn_model *m, const sn_data *d, int32_t body,
                              const double *point, double scale, double *jacp, double *jacr) {
  double arm[3];
  if (!is_body(m, body)) {
    return SN_EINVAL;
  }
  sn_sub3(arm, point, si_chain_origin(m, d, body));
  for (int32_t i = si_chain_tip(m, body); i >= 0; i = m->dof_parentid[i]) {
    add_column(at(jacp, i), at(jacr, i), m->nv, d->cdof + 6 * i, arm, scale);
  }
  return SN_OK;
}

sn_status sn_jacobian(const sn_model *model, const sn_data *data, double *jacp, double *jacr,
                      const double *point, int32_t body) {
  const size_t bytes = (size_t)(3 * model->nv) * sizeof(double);
  if (jacp) {
    memset(jacp, 0, bytes);
  }
  if (jacr) {
    memset(jacr, 0, bytes);
  }
  return add_jacobian(model, data, body, point, 1, jacp, jacr);
}

sn_status sn_jacobian_com(const sn_model *model, const sn_data *data, double *jacp, double *jacr,
                          int32_t body) {
  const double nowhere[3] = { 0, 0, 0 };
  const double *point = is_body(model, body) ? data->xipos + 3 * body : nowhere;
  return sn_jacobian(model, data, jacp, jacr, point, body);
}

// ------------------------------------------------------------------ forces at points

sn_status sn_apply_force(const sn_model *model, const sn_data *data, const double *force,
                         const double *torque, const double *point, int32_t body, double *qfrc) {
  const double zero[3] = { 0, 0, 0 };
  double wrench[6];
  if (!is_body(model, body)) {
    return SN_EINVAL;
  }
  si_wrench(wrench, si_chain_origin(model, data, body), point, force ? force : zero);
  if (torque) {
    sn_add3(wrench, wrench, torque);
  }
  si_chain_apply(model, data, body, wrench, qfrc);
  return SN_OK;
}

// ------------------------------------------------------------------ for plugins

static int32_t service_chain(const sn_model_view *view, int32_t body, int32_t *dof) {
  const sn_model *m = view->model;
  if (!is_body(m, body)) {
    return -1;
  }
  return dof ? si_body_chain(m, body, dof) : si_chain_length(m, si_chain_tip(m, body));
}

static sn_status service_jacobian(const sn_data_view *view, int32_t body, const double *point,
                                  double scale, double *jacp, double *jacr) {
  return add_jacobian(view->model->model, view->data, body, point, scale, jacp, jacr);
}

static sn_status service_apply(const sn_data_view *view, int32_t body, const double *point,
                               const double *force, const double *torque, double *qfrc) {
  return sn_apply_force(view->model->model, view->data, force, torque, point, body, qfrc);
}

const sn_kinematics_service si_kinematics_service_table = {
  .size = sizeof(sn_kinematics_service),
  .chain = service_chain,
  .jacobian = service_jacobian,
  .apply = service_apply,
};
