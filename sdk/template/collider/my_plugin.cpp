// SPDX-License-Identifier: Apache-2.0
//
// A template for colliders in C++: the exact contact of two spheres. With the vector d from the
// center of the first to that of the second, the signed distance of the surfaces is |d| - r1 - r2,
// the normal is d / |d|, and the contact point is midway between the surfaces.
//
// sinew/plugin.hpp makes operations of the member functions of `spheres`, and errors of the
// exceptions that leave them. Replace the pair and the mathematics by your own.

#include "sinew/collider.h"
#include "sinew/math.h"
#include "sinew/plugin.hpp"

namespace {

class spheres : public sn_instance {
public:
  spheres(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  sn_status collide(const sn_batch *batch, sn_contact_list *out, sn_scratch *) const {
    out->count = 0;
    for (int64_t i = 0; i < batch->n; i++) {
      const sn_shape &first = batch->first[i];
      sn_contact_point point = {};
      point.pair = static_cast<int32_t>(i);
      point.dist = measure(first, batch->second[i], point.normal);
      if (point.dist <= batch->margin[i]) {
        sn_addscale3(point.pos, first.pos, first.size[0] + 0.5 * point.dist, point.normal);
        sn_contact_list_add(out, &point);
      }
    }
    return sn_contact_list_status(out);
  }

  sn_status distance(const sn_shape *first, const sn_shape *second, double limit, double *dist,
                     double *point1, double *point2, sn_scratch *) const {
    if (first->type != SN_GEOM_SPHERE || second->type != SN_GEOM_SPHERE) {
      return SN_EUNSUPPORTED;
    }
    double normal[3];
    *dist = measure(*first, *second, normal);
    if (*dist < limit) {
      sn_addscale3(point1, first->pos, first->size[0], normal);
      sn_addscale3(point2, second->pos, -second->size[0], normal);
    } else {
      *dist = limit;
      sn_zero3(point1);
      sn_zero3(point2);
    }
    return SN_OK;
  }

private:
  // The signed distance of the surfaces. normal: from the first sphere to the second; of spheres
  // with the same center: x.
  static double measure(const sn_shape &first, const sn_shape &second, double *normal) {
    sn_sub3(normal, second.pos, first.pos);
    const double between = sn_norm3(normal);
    if (between > 0) {
      sn_scale3(normal, normal, 1 / between);
    } else {
      normal[0] = 1;
    }
    return between - first.size[0] - second.size[0];
  }
};

const sn_collider_pair pairs[] = {
  { "sphere", "sphere" },
  {},
};

const sn_collider_ops ops = {
  .head = { .size = sizeof(sn_collider_ops),
            .summary = "exact contact of two spheres",
            .create = sinew::create<spheres>,
            .destroy = sinew::destroy<spheres> },
  .pairs = pairs,
  .max_points = 1,
  .collide = sinew::operation<&spheres::collide>,
  .distance = sinew::operation<&spheres::distance>,
};

const sn_provide provides[] = {
  SN_PROVIDE_COLLIDER("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a collider", .provides = provides)
