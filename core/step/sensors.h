// SPDX-License-Identifier: Apache-2.0
//
// Sensor values of one stage of the pipeline.

#ifndef SN_STEP_SENSORS_H
#define SN_STEP_SENSORS_H

#include "model/data.h"

// Writes into sensordata the values of the sensors of a stage, SN_STAGE_*, with noise if enabled
// and cut off. First makes what these sensors say they need.
sn_status sn_sense(const sn_model *m, sn_data *d, int stage);

#endif
