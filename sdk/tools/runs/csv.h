// SPDX-License-Identifier: Apache-2.0
//
// A trajectory as comma-separated values (RFC 4180): one line of names, then one line for each
// recorded step, with the time and the recorded arrays.

#ifndef SINEW_CSV_H
#define SINEW_CSV_H

#include <stdio.h>

#include "record.h"

// A file that goes to a sink, until fclose. NULL: no memory.
FILE *csv_open(sn_sink *sink);
// The line of names: time, qpos.JOINT or qpos.JOINT.x ..., qvel.JOINT, act.ACTUATOR, sensor.SENSOR,
// xpos.BODY.0 ...; ARRAY.0 where the rows have no name.
void csv_names(FILE *file, const sn_model *m, const record *r);
// One line for the present state: as few digits as are read back as the same number.
void csv_row(FILE *file, const record *r, sn_data *d);

#endif
