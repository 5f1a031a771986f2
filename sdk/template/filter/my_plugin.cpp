// SPDX-License-Identifier: Apache-2.0
//
// A template for contact filters in C++: geoms of the same group do not collide, except those of
// group 0. The class `groups` is the provider, `bound_groups` what it keeps for one model;
// sinew/plugin.hpp makes operations of their member functions, and errors of the exceptions that
// leave them. Replace the rule by your own.

#include <algorithm>
#include <memory>

#include "sinew/filter.h"
#include "sinew/plugin.hpp"

namespace {

class bound_groups {
public:
  explicit bound_groups(const int32_t *group) : group_(group) {}

  sn_status select(const sn_data_view *, int64_t n, const int32_t *geom1, const int32_t *geom2,
                   int32_t *keep, sn_scratch *) const {
    for (int64_t i = 0; i < n; i++) {
      const int32_t group = group_[geom1[i]];
      if (group != 0 && group == group_[geom2[i]]) {
        keep[i] = 0;
      }
    }
    return SN_OK;
  }

private:
  const int32_t *group_;   // of each geom; memory of the model
};

class groups : public sn_instance {
public:
  groups(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  // Null: nothing to do in this model, and the filter costs nothing.
  std::unique_ptr<bound_groups> bind(sn_lookup &lookup) const {
    const int32_t *group = sn_lookup_ints(&lookup, "geom_group");
    const int64_t ngeom = sn_lookup_size(&lookup, "ngeom");
    const bool is_idle = !group ||
                         std::all_of(group, group + ngeom, [](int32_t g) { return g == 0; });
    return is_idle ? nullptr : std::make_unique<bound_groups>(group);
  }
};

const sn_filter_ops ops = {
  .head = { .size = sizeof(sn_filter_ops),
            .summary = "geoms of the same group, except group 0, do not collide",
            .create = sinew::create<groups>,
            .destroy = sinew::destroy<groups> },
  .bind = sinew::bind<&groups::bind>,
  .unbind = sinew::unbind<bound_groups>,
  .select = sinew::bound_operation<&bound_groups::select>,
};

const sn_provide provides[] = {
  SN_PROVIDE_FILTER("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a contact filter", .provides = provides)
