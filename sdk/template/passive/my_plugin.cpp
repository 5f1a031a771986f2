// SPDX-License-Identifier: Apache-2.0
//
// A template for passive forces in C++: a drag force on every degree of freedom,
//
//   f_i = -coefficient |v_i| v_i,     df_i / dv_i = -2 coefficient |v_i|
//
// The class `drag` is the provider, `bound_drag` what it keeps for one model; sinew/plugin.hpp
// makes operations of their member functions, and errors of the exceptions that leave them. Replace
// the names, the mathematics and the license by your own.

#include <cmath>
#include <memory>

#include "sinew/passive.h"
#include "sinew/plugin.hpp"

namespace {

// What acts in one model. All simulations of the model share it, so it does not change.
class bound_drag {
public:
  bound_drag(sn_lookup &lookup, double coefficient)
      : coefficient_(coefficient), nv_(sn_lookup_size(&lookup, "nv")),
        qvel_(sn_lookup_data(&lookup, "qvel")) {}

  sn_status apply(const sn_data_view *data, const double *, double *qfrc, sn_scratch *) const {
    const double *v = sn_field_reals(data->fields, qvel_);
    for (int64_t i = 0; i < nv_; i++) {
      qfrc[i] -= coefficient_ * std::fabs(v[i]) * v[i];
    }
    return SN_OK;
  }

  // The velocity derivative, for implicit integrators: only the diagonal is nonzero.
  sn_status derivative(const sn_data_view *data, const double *, const sn_sparse *pattern,
                       double *D, sn_scratch *) const {
    const double *v = sn_field_reals(data->fields, qvel_);
    for (int64_t i = 0; i < nv_; i++) {
      for (int32_t k = pattern->adr[i]; k < pattern->adr[i] + pattern->nnz[i]; k++) {
        if (pattern->col[k] == i) {
          D[k] -= 2 * coefficient_ * std::fabs(v[i]);
        }
      }
    }
    return SN_OK;
  }

private:
  double coefficient_;   // N s^2/m^2 or N m s^2/rad^2
  int64_t nv_;
  sn_field qvel_;
};

// The force, with its parameters. An engine makes one.
class drag : public sn_instance {
public:
  drag(const sn_instance &base, const sn_value *values)
      : sn_instance(base), coefficient_(values[0].real) {}

  // Null: nothing to do in this model, and the force costs nothing.
  std::unique_ptr<bound_drag> bind(sn_lookup &lookup, const sn_value *) const {
    return coefficient_ == 0 ? nullptr : std::make_unique<bound_drag>(lookup, coefficient_);
  }

private:
  double coefficient_;
};

const sn_param params[] = {
  { .name = "coefficient",
    .default_value = "0.1",
    .summary = "quadratic drag of every degree of freedom, N s^2/m^2 or N m s^2/rad^2",
    .min = 0,
    .max = 1e6,
    .type = SN_PARAM_REAL },
  {},
};

const sn_passive_ops ops = {
  .head = { .size = sizeof(sn_passive_ops),
            .summary = "quadratic drag of every degree of freedom",
            .params = params,
            .create = sinew::create<drag>,
            .destroy = sinew::destroy<drag> },
  .bind = sinew::bind<&drag::bind>,
  .unbind = sinew::unbind<bound_drag>,
  .apply = sinew::bound_operation<&bound_drag::apply>,
  .derivative = sinew::bound_operation<&bound_drag::derivative>,
};

const sn_provide provides[] = {
  SN_PROVIDE_PASSIVE("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a passive force", .provides = provides)
