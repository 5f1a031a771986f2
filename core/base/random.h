// SPDX-License-Identifier: Apache-2.0
//
// Random numbers that are functions of a seed, a stream and a count.

#ifndef SI_BASE_RANDOM_H
#define SI_BASE_RANDOM_H

#include <stdint.h>

#include "sinew/plugin.h"

// Philox4x32-10: four random words of a key and a counter.
void si_philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]);
// The random numbers of the service SN_SERVICE_RANDOM.
extern const sn_random_service si_random_service_table;

#endif
