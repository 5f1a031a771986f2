// SPDX-License-Identifier: Apache-2.0
//
// The service SN_SERVICE_PART.

#ifndef SI_API_PLUGIN_PART_H
#define SI_API_PLUGIN_PART_H

#include "sinew/part.h"

extern const sn_part_service si_part_service_table;

#endif
