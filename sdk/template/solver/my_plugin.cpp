// SPDX-License-Identifier: Apache-2.0
//
// A template for solvers in C++: accelerated projected gradients on the dual problem
// (sinew/solver.h). The unknowns are the scaled forces y = sqrt(R) f. With S = diag(sqrt(D)) and
// A = J M^-1 J',
//
//   minimize   1/2 y' (I + S A S) y + y' S (J a0 - aref)   such that every row is in its set:
//
//   equality            any number            limit, pyramid edge    y >= 0
//   friction loss       |y| <= eta sqrt(R)    elliptic contact       |(y_1, y_2, ...)| <= mu y_0
//
// The acceleration is a0 + M^-1 J' f.
//
// The class `solver` is the provider, `descent` one problem that it solves; sinew/plugin.hpp makes
// an operation of the member function `solve`, and errors of the exceptions that leave it. A step
// allocates nothing, so memory is that of sn_scratch. Replace the method by your own.
//
// References: Beck and Teboulle, A fast iterative shrinkage-thresholding algorithm, 2009; the
// restart: O'Donoghue and Candes, Adaptive restart for accelerated gradient schemes, 2015.

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/plugin.hpp"
#include "sinew/solver.h"

namespace {

constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();   // relative error of y

// ------------------------------------------------------------------ products

void multiply(const sn_sparse &J, const double *x, double *out) {
  for (int64_t i = 0; i < J.nrow; i++) {
    out[i] = 0;
    for (int32_t k = J.adr[i]; k < J.adr[i] + J.nnz[i]; k++) {
      out[i] += J.val[k] * x[J.col[k]];
    }
  }
}

void multiply_transposed(const sn_sparse &J, const double *x, double *out) {
  std::fill_n(out, J.ncol, 0.0);
  for (int64_t i = 0; i < J.nrow; i++) {
    for (int32_t k = J.adr[i]; k < J.adr[i] + J.nnz[i]; k++) {
      out[J.col[k]] += J.val[k] * x[i];
    }
  }
}

// ------------------------------------------------------------------ the sets

int32_t project_row(const sn_problem &p, int64_t row, double &y) {
  if (row < p.ne) {
    return SN_ROWSTATE_QUADRATIC;
  }
  if (row < p.ne + p.nf) {
    const double bound = p.frictionloss[row] * std::sqrt(p.R[row]);
    const int32_t state = y > bound    ? SN_ROWSTATE_LINEARNEG
                          : y < -bound ? SN_ROWSTATE_LINEARPOS
                                       : SN_ROWSTATE_QUADRATIC;
    y = std::clamp(y, -bound, bound);
    return state;
  }
  y = std::max(y, 0.0);
  return y > 0 ? SN_ROWSTATE_QUADRATIC : SN_ROWSTATE_SATISFIED;
}

// The nearest point of the circular cone.
int32_t project_cone(const sn_cone &cone, double *y) {
  double sliding = 0;
  for (int32_t i = 1; i < cone.dim; i++) {
    sliding += y[i] * y[i];
  }
  sliding = std::sqrt(sliding);
  const double along = y[0] + cone.mu * sliding;
  if (along <= 0) {
    std::fill_n(y, cone.dim, 0.0);
    return SN_ROWSTATE_SATISFIED;
  }
  if (sliding <= cone.mu * y[0]) {
    return SN_ROWSTATE_QUADRATIC;
  }
  y[0] = along / (1 + cone.mu * cone.mu);
  for (int32_t i = 1; i < cone.dim; i++) {
    y[i] *= cone.mu * y[0] / sliding;
  }
  return SN_ROWSTATE_CONE;
}

void project(const sn_problem &p, double *y, int32_t *state) {
  int64_t row = 0;
  for (int64_t c = 0; c <= p.ncone; c++) {
    const int64_t end = c < p.ncone ? p.cone[c].row : p.nefc;
    for (; row < end; row++) {
      state[row] = project_row(p, row, y[row]);
    }
    if (c < p.ncone) {
      const int32_t zone = project_cone(p.cone[c], y + row);
      std::fill_n(state + row, p.cone[c].dim, zone);
      row += p.cone[c].dim;
    }
  }
}

// ------------------------------------------------------------------ the method

class descent {
public:
  descent(const sn_problem &problem, int32_t *state) : p_(problem), state_(state) {}

  sn_status take_memory(sn_scratch *scratch) {
    for (double **memory : { &s_, &b_, &y_, &next_, &z_, &g_ }) {
      SN_ALLOC(*memory, scratch, p_.nefc);
    }
    return SN_OK;
  }

  // Starts with the forces that belong to the acceleration of the previous step.
  void start() {
    const sn_sparse &A = *p_.dual;
    multiply(p_.J, p_.qacc_smooth, b_);
    multiply(p_.J, p_.qacc_start, y_);
    for (int64_t i = 0; i < p_.nefc; i++) {
      s_[i] = std::sqrt(p_.D[i]);
      b_[i] = s_[i] * (b_[i] - p_.aref[i]);
      y_[i] = -s_[i] * (y_[i] - p_.aref[i]);
    }
    for (int64_t i = 0; i < p_.nefc; i++) {
      double sum = 1;   // Gershgorin's circle
      for (int32_t k = A.adr[i]; k < A.adr[i] + A.nnz[i]; k++) {
        sum += s_[i] * std::fabs(A.val[k]) * s_[A.col[k]];
      }
      curvature_ = std::max(curvature_, sum);
    }
    project(p_, y_, state_);
    std::copy_n(y_, p_.nefc, z_);
  }

  // One projected gradient step from z. Returns the squared length of the step.
  double descend() {
    double moved = 0;
    for (int64_t i = 0; i < p_.nefc; i++) {
      next_[i] = s_[i] * z_[i];
    }
    multiply(*p_.dual, next_, g_);
    for (int64_t i = 0; i < p_.nefc; i++) {
      g_[i] = z_[i] + s_[i] * g_[i] + b_[i];
      next_[i] = z_[i] - g_[i] / curvature_;
    }
    project(p_, next_, state_);
    for (int64_t i = 0; i < p_.nefc; i++) {
      moved += (next_[i] - z_[i]) * (next_[i] - z_[i]);
    }
    return moved;
  }

  // Extrapolates, or starts anew where that leads uphill. Returns the squared length of y.
  double extrapolate() {
    double uphill = 0, size = 0;
    for (int64_t i = 0; i < p_.nefc; i++) {
      uphill += (z_[i] - next_[i]) * (next_[i] - y_[i]);
      size += next_[i] * next_[i];
    }
    const double t_next = 0.5 * (1 + std::sqrt(1 + 4 * t_ * t_));
    const double momentum = uphill > 0 ? 0 : (t_ - 1) / t_next;
    t_ = uphill > 0 ? 1 : t_next;
    for (int64_t i = 0; i < p_.nefc; i++) {
      z_[i] = next_[i] + momentum * (next_[i] - y_[i]);
      y_[i] = next_[i];
    }
    return size;
  }

  // Scaled as in the test of convergence; moved: what `descend` returned.
  double gradient(double moved) const {
    return p_.scale * curvature_ * std::sqrt(moved);
  }

  // The forces of the scaled ones.
  void write_force(double *force) const {
    for (int64_t i = 0; i < p_.nefc; i++) {
      force[i] = s_[i] * y_[i];
    }
  }

private:
  const sn_problem &p_;
  int32_t *state_;
  double *s_, *b_;                   // sqrt(D); S (J a0 - aref)
  double *y_, *next_, *z_, *g_;      // scaled forces, of the next iteration, extrapolated; gradient
  double curvature_ = 1;             // a bound of the largest eigenvalue of I + S A S
  double t_ = 1;
};

class solver : public sn_instance {
public:
  solver(const sn_instance &base, const sn_value *values)
      : sn_instance(base), factor_(values[0].integer),   // in the order of params
        inertia_(static_cast<const sn_inertia_service *>(host->query(host, SN_SERVICE_INERTIA))) {
    if (!inertia_) {
      throw sinew::failure(SN_EUNSUPPORTED, "this engine lacks the service " SN_SERVICE_INERTIA);
    }
  }

  sn_status solve(const sn_problem *p, sn_solution *out, sn_scratch *scratch) const {
    const int64_t limit = factor_ * p->iterations;
    descent d(*p, out->state);
    SN_TRY(d.take_memory(scratch));
    d.start();
    sn_status status = SN_NOT_CONVERGED;
    int32_t k = 0;
    for (; k < limit && status == SN_NOT_CONVERGED; k++) {
      const double moved = d.descend(), size = d.extrapolate();
      if (out->iteration && k < out->ncapacity) {
        out->iteration[k] = { .gradient = d.gradient(moved) };
      }
      if (d.gradient(moved) < p->tolerance || moved <= rounding * rounding * size) {
        status = SN_OK;
      }
    }
    out->iterations = k;

    // the acceleration of the forces
    d.write_force(out->force);
    multiply_transposed(p->J, out->force, out->qacc);
    inertia_->solve(p->inertia, out->qacc);
    for (int64_t i = 0; i < p->nv; i++) {
      out->qacc[i] += p->qacc_smooth[i];
    }
    return status;
  }

private:
  int64_t factor_;
  const sn_inertia_service *inertia_;
};

const sn_param params[] = {
  { .name = "factor",
    .default_value = "200",
    .summary = "iterations of this solver for each that the option `iterations` allows",
    .min = 1,
    .max = 1e6,
    .type = SN_PARAM_INT },
  {},
};

const sn_solver_ops ops = {
  .head = { .size = sizeof(sn_solver_ops),
            .flags = SN_SOLVER_DUAL,
            .summary = "accelerated projected gradients on the forces",
            .params = params,
            .create = sinew::create<solver>,
            .destroy = sinew::destroy<solver> },
  .solve = sinew::operation<&solver::solve>,
};

const sn_provide provides[] = {
  SN_PROVIDE_SOLVER("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a solver", .provides = provides)
