// SPDX-License-Identifier: Apache-2.0
//
// A trajectory as comma-separated values (RFC 4180): one line of names, then one line a step with
// time, qpos, qvel, act and sensordata.

#ifndef SINEW_CSV_H
#define SINEW_CSV_H

#include <stdio.h>

#include "command.h"

// A file that goes to a sink, until fclose. NULL: no memory.
FILE *csv_open(sn_sink *sink);
// The line of names: time, qpos.JOINT or qpos.JOINT.x ..., qvel.JOINT, act.ACTUATOR, sensor.SENSOR.
void csv_names(FILE *file, const sn_model *m);
// One line for the present state, 17 significant digits.
void csv_row(FILE *file, const sn_model *m, sn_data *d);

#endif
