// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.sensor/1: sensors. A sensor computes numbers from the fields of a simulation, in one
// stage of a step: when positions, velocities or accelerations have been computed. The host stores
// them in sensordata, adds noise, and clamps the values to the sensor's cutoff.

#ifndef SINEW_SENSOR_H
#define SINEW_SENSOR_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_SENSOR "sinew.sensor/1"

// One sensor of a model, with its references resolved. The layout of this struct is the same in
// all versions, because plugins get arrays of it.
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
  // SN_STAGE_*: the stage in which it is computed. If dim is 0 and `sizes` is NULL, the model sets
  // stage, data type and number of values of each sensor.
  int32_t stage;
  int32_t datatype;           // SN_DATA_*
  int32_t dim;                // number of values; 0: `sizes` sets it
  int32_t reserved;
  const char *objects;        // kinds of objects that it can measure, "site|body"; "": none
  const char *references;     // kinds of objects that it can measure against; "": none
  // Quantities that this sensor requires and that are computed on request only: "cacc" for cacc,
  // cfrc_int and cfrc_ext; "subtree_vel" for subtree_linvel and subtree_angmom; both, separated by
  // "|"; "": none. A sensor type with any other word is rejected.
  const char *needs;
  // [load] optional; NULL: `dim` values, no state. Writes the sizes of one sensor, which may depend
  // on the model and on the attributes of the sensor, at most SN_MAX_STATES each. They are fixed
  // when the model is compiled: options that are set later, such as the time step, do not change
  // them. *dim: on entry the member `dim` of this table, on return the number of values; it may be
  // changed only if it is 0 on entry. *nstate: number of state variables that the host keeps for it
  // in each simulation; 0 before the call. The members dim, adr, nstate and stateadr of `sensor`
  // are not set yet.
  sn_status (*sizes)(const void *self, const sn_model_view *model, const sn_sensor *sensor,
                     int32_t *dim, int32_t *nstate, sn_error *error);
  // [load] Finds the fields and ids that `evaluate` needs for n sensors of this type that are
  // evaluated together: all of a model, or fewer if one depends on the value of another sensor, see
  // `evaluate`. *bound is passed to the other operations and freed by `unbind`.
  sn_status (*bind)(const void *self, const sn_model_view *model, int64_t n,
                    const sn_sensor *sensors, void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load]
  // [step] Writes the values of every bound sensor to sensordata[adr], sensordata[adr + 1] ...
  // The values of another sensor that is the object or reference of a bound sensor, or that one of
  // its attributes names, have been computed before, with noise and cutoff; the values of all
  // other sensors are unspecified at this point.
  // state: the state variables of all bound sensors, those of one sensor from state[stateadr] on.
  // They are part of the state of the simulation (SN_STATE_PLUGIN). The same state of the
  // simulation may be evaluated several times, and each time must give the same result: a sensor
  // that advances its state variables must also store the time of its last update and compare it
  // with the current time.
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
  // [load] optional; NULL: zeros. Writes the state variables of all bound sensors after sn_reset,
  // laid out as for `evaluate`. They are cleared before the call. data: a simulation at qpos0
  // with zero velocity at time 0, in which everything that depends on positions alone has been
  // computed, except inertia, contacts and sensors. If it fails, the model is rejected.
  sn_status (*reset)(const void *self, const void *bound, const sn_data_view *data, double *state);
} sn_sensor_ops;
SN_LAYOUT(sn_sensor_ops, 136);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_SENSOR(name, ops) SN_PROVIDE(SN_KIND_SENSOR, name, sn_sensor_ops, ops)

SN_END_DECLS

#endif
