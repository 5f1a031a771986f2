// SPDX-License-Identifier: Apache-2.0
//
// A template for constraints in C++: a site stays at a height, as on a frictionless table that also
// holds it down.
//
//   r = z - height       J = (0, 0, 1) Jp
//
// J is the generalized force of the unit force (0, 0, 1) at the site. The class `table` is the
// provider, `held_site` one constraint of a model; sinew/plugin.hpp makes operations of their
// member functions, and errors of the exceptions that leave them. Replace the equation by your own.
// The kind is a draft: a plugin that uses it must be compiled for the version of Sinew that loads
// it.

#include <memory>

#include "sinew/constraint.h"
#include "sinew/kinematics.h"
#include "sinew/plugin.hpp"

namespace {

enum { SITE, HEIGHT };   // attributes

class held_site {
public:
  held_site(sn_lookup &lookup, const sn_value *values)
      : site_(static_cast<int32_t>(values[SITE].integer)), height_(values[HEIGHT].real),
        site_xpos_(sn_lookup_data(&lookup, "site_xpos")),
        kinematics_(static_cast<const sn_kinematics_service *>(
            sn_lookup_service(&lookup, SN_SERVICE_KINEMATICS))),
        model_(lookup.model) {
    const int32_t *site_bodyid = sn_lookup_ints(&lookup, "site_bodyid");
    body_ = site_bodyid ? site_bodyid[site_] : 0;
  }

  int64_t rows() const {
    return 1;
  }

  int64_t dofs(int32_t *dof) const {
    return kinematics_->chain(model_, body_, dof);
  }

  sn_status evaluate(const sn_data_view *data, double *residual, double *J, sn_scratch *) const {
    static const double up[3] = { 0, 0, 1 };
    const double *pos = sn_field_reals(data->fields, site_xpos_) + 3 * site_;
    residual[0] = pos[2] - height_;
    return kinematics_->apply(data, body_, pos, up, nullptr, J);
  }

private:
  int32_t site_, body_ = 0;
  double height_;
  sn_field site_xpos_;
  const sn_kinematics_service *kinematics_;
  const sn_model_view *model_;
};

class table : public sn_instance {
public:
  table(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  std::unique_ptr<held_site> bind(sn_lookup &lookup, const sn_value *values) const {
    return std::make_unique<held_site>(lookup, values);
  }
};

const sn_param attributes[] = {
  { .name = "site",   // without a default: the host rejects models that do not set it
    .choices = "site",
    .summary = "the site that stays at the height",
    .type = SN_PARAM_REFERENCE },
  { .name = "height",
    .default_value = "0",
    .summary = "z of the site, m",
    .min = -1e6,
    .max = 1e6,
    .type = SN_PARAM_REAL },
  {},
};

const sn_constraint_ops ops = {
  .head = { .size = sizeof(sn_constraint_ops),
            .summary = "a site stays at a height",
            .create = sinew::create<table>,
            .destroy = sinew::destroy<table> },
  .attributes = attributes,
  .bind = sinew::bind<&table::bind>,
  .unbind = sinew::unbind<held_site>,
  .rows = sinew::bound_operation<&held_site::rows>,
  .dofs = sinew::bound_operation<&held_site::dofs>,
  .evaluate = sinew::bound_operation<&held_site::evaluate>,
};

const sn_provide provides[] = {
  SN_PROVIDE_CONSTRAINT("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a constraint", .provides = provides)
