// SPDX-License-Identifier: Apache-2.0
//
// A template for sensors in C++: the distance of a site from another site. The class `distance` is
// the provider, `distances` all sensors of this type in one model; sinew/plugin.hpp makes
// operations of their member functions, and errors of the exceptions that leave them. Replace the
// names and the mathematics by your own.

#include <memory>
#include <vector>

#include "sinew/math.h"
#include "sinew/plugin.hpp"
#include "sinew/sensor.h"

namespace {

// The sensors of this type in one model. All simulations of the model share them.
class distances {
public:
  distances(sn_lookup &lookup, int64_t n, const sn_sensor *sensors)
      : sensors_(sensors, sensors + n), site_xpos_(sn_lookup_data(&lookup, "site_xpos")) {}

  sn_status evaluate(const sn_data_view *data, double *, double *sensordata, sn_scratch *) const {
    const double *xpos = sn_field_reals(data->fields, site_xpos_);
    for (const sn_sensor &s : sensors_) {
      sensordata[s.adr] = sn_dist3(xpos + 3 * s.objid, xpos + 3 * s.refid);
    }
    return SN_OK;
  }

private:
  std::vector<sn_sensor> sensors_;   // their pointers are valid in `bind` only
  sn_field site_xpos_;
};

class distance : public sn_instance {
public:
  distance(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  std::unique_ptr<distances> bind(sn_lookup &lookup, int64_t n, const sn_sensor *sensors) const {
    return std::make_unique<distances>(lookup, n, sensors);
  }

  sn_status check(const sn_model_view *, const sn_sensor *sensor, sn_error *) const {
    if (sensor->refid < 0) {
      throw sinew::failure(SN_EINVAL, "it measures the distance of two sites; name the second with "
                                      "reftype=\"site\" and refname");
    }
    return SN_OK;
  }
};

const sn_sensor_ops ops = {
  .head = { .size = sizeof(sn_sensor_ops),
            .summary = "distance of two sites, m",
            .create = sinew::create<distance>,
            .destroy = sinew::destroy<distance> },
  .stage = SN_STAGE_POSITION,
  .datatype = SN_DATA_POSITIVE,
  .dim = 1,
  .objects = "site",
  .references = "site",
  .bind = sinew::bind<&distance::bind>,
  .unbind = sinew::unbind<distances>,
  .evaluate = sinew::bound_operation<&distances::evaluate>,
  .check = sinew::operation<&distance::check>,
};

const sn_provide provides[] = {
  SN_PROVIDE_SENSOR("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a sensor", .provides = provides)
