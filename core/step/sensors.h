// SPDX-License-Identifier: Apache-2.0
//
// Sensor values of one stage of the pipeline.

#ifndef SI_STEP_SENSORS_H
#define SI_STEP_SENSORS_H

#include "data/data.h"

// Writes into sensordata the values of the sensors of a stage, SN_STAGE_*, with noise if enabled
// and cut off. First makes what these sensors say they need.
sn_status si_sense(const sn_model *m, sn_data *d, si_worker *w, int stage);

#endif
