// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.sensor/1: sensors, which compute numbers from the fields of a simulation at one stage
// of a step.

#ifndef SINEW_SENSOR_H
#define SINEW_SENSOR_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_SENSOR "sinew.sensor/1"

// One sensor of a model, with its references resolved.
typedef struct sn_sensor {
  int32_t id;                 // in the model
  int32_t objid, refid;       // object and reference; -1: none
  int32_t dim;                // number of values
  int32_t adr;                // index of its first value in sensordata
  int32_t nstate;             // number of state variables
  int32_t stateadr;           // index of the first one in `state` of evaluate
  int32_t reserved;
  const char *objtype;        // "site" ...; NULL: none
  const char *reftype;        // NULL: none
  const sn_value *values;     // values of the declared attributes of this sensor
} sn_sensor;
SN_LAYOUT(sn_sensor, 56);

// The operations of a sensor.
typedef struct sn_sensor_ops {
  sn_ops head;
  // SN_STAGE_*. If dim is 0 and `shape` is NULL, each sensor of a model specifies stage, data type
  // and number of values itself.
  int32_t stage;
  int32_t datatype;           // SN_DATA_*
  int32_t dim;                // number of values; 0: `shape` sets it
  int32_t reserved;
  const char *objects;        // kinds of objects that it supports, "site|body"; "": none
  const char *references;     // kinds of reference objects that it supports; "": none
  // Quantities that the host computes before this sensor: "cacc", "subtree_vel", or both separated
  // by "|"; "": none. A type with another word is refused.
  const char *needs;
  // [load] optional. Sizes of one sensor, which may depend on the model and on the attributes of
  // the sensor: *dim, the number of values, which is the table's dim before the call (a change is
  // possible if that is 0), and *nstate, the number of state variables that the host keeps for it
  // in each simulation, 0 before the call. At most SN_MOST_STATES each. The members dim, adr,
  // nstate and stateadr of `sensor` are not set yet. NULL: dim of the table, no state.
  sn_status (*shape)(const void *self, const sn_model_view *model, const sn_sensor *sensor,
                     int32_t *dim, int32_t *nstate, sn_error *error);
  // [load] Resolves fields and ids for all sensors of a model that have this type. *bound is passed
  // to evaluate and freed by unbind.
  sn_status (*bind)(const void *self, const sn_model_view *model, int64_t n,
                    const sn_sensor *sensors, void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load]
  // [step] Writes the values of every bound sensor to sensordata[adr], sensordata[adr + 1] ...
  // state: those of all bound sensors, sensor i from state[stateadr] on; part of the simulation's
  // state (SN_STATE_PLUGIN), which may be changed in the stage of this sensor only.
  sn_status (*evaluate)(const void *self, const void *bound, const sn_data_view *data,
                        double *state, double *sensordata, sn_scratch *scratch);
  // optional. The attributes that a model may set for a sensor of this type; ends with a NULL name.
  // The host checks them and passes them in sn_sensor.values, in this order; strings are valid
  // during the call.
  const sn_param *attributes;
  // [load] optional. Rejects a sensor that this type does not support, such as a ball joint sensor
  // on a hinge, with the reason and a remedy; the host adds the name and location of the sensor.
  // Called before bind, when the model is complete.
  sn_status (*check)(const void *self, const sn_model_view *model, const sn_sensor *sensor,
                     sn_error *error);
  // [load] optional; NULL: zeros. The state of all bound sensors after a reset, laid out as for
  // evaluate, cleared before the call.
  void (*reset)(const void *self, const void *bound, double *state);
} sn_sensor_ops;
SN_LAYOUT(sn_sensor_ops, 136);

SN_END_DECLS

#endif
