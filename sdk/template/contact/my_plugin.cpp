// SPDX-License-Identifier: Apache-2.0
//
// A template for contact modifiers in C++: the sliding friction of all contacts is scaled by a
// factor, a parameter of the configuration. The class `scaling` is the provider, `bound_scaling`
// what it keeps for one model; sinew/plugin.hpp makes operations of their member functions, and
// errors of the exceptions that leave them. Replace the rule by your own. The kind is a draft: a
// plugin that uses it must be compiled for the version of Sinew that loads it.

#include <memory>

#include "sinew/contact.h"
#include "sinew/plugin.hpp"

namespace {

class bound_scaling {
public:
  explicit bound_scaling(double factor) : factor_(factor) {}

  sn_status modify(const sn_data_view *, sn_contacts *contacts, sn_scratch *) const {
    for (int64_t i = 0; i < contacts->n; i++) {
      contacts->friction[5 * i] *= factor_;
      contacts->friction[5 * i + 1] *= factor_;
    }
    return SN_OK;
  }

private:
  double factor_;
};

class scaling : public sn_instance {
public:
  scaling(const sn_instance &base, const sn_value *values)
      : sn_instance(base), factor_(values[0].real) {}

  // Null: nothing to do in this model, and the modifier costs nothing.
  std::unique_ptr<bound_scaling> bind(sn_lookup &, const sn_value *) const {
    return factor_ == 1 ? nullptr : std::make_unique<bound_scaling>(factor_);
  }

private:
  double factor_;
};

const sn_param params[] = {
  { .name = "factor",
    .default_value = "0.5",
    .summary = "of the sliding friction of all contacts",
    .min = 0,
    .max = 1e3,
    .type = SN_PARAM_REAL },
  {},
};

const sn_contact_ops ops = {
  .head = { .size = sizeof(sn_contact_ops),
            .summary = "scales the sliding friction of all contacts",
            .params = params,
            .create = sinew::create<scaling>,
            .destroy = sinew::destroy<scaling> },
  .bind = sinew::bind<&scaling::bind>,
  .unbind = sinew::unbind<bound_scaling>,
  .modify = sinew::bound_operation<&bound_scaling::modify>,
};

const sn_provide provides[] = {
  SN_PROVIDE_CONTACT("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a contact modifier", .provides = provides)
