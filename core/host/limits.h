// SPDX-License-Identifier: Apache-2.0
//
// Limits on the resources that one file may use, checked before they are allocated. Without an
// engine (NULL) there are no limits.

#ifndef SI_HOST_LIMITS_H
#define SI_HOST_LIMITS_H

#include "host/engine.h"

enum { SI_LIMIT_MEMORY, SI_LIMIT_ELEMENTS, SI_LIMIT_TIME, SI_NLIMITS };

typedef struct si_limit {
  double value;          // infinite: none
  char *text, *origin;   // as it was written, and where; NULL: the default
} si_limit;

// When loading or compiling must have ended.
typedef struct si_deadline {
  double end, most;   // of a clock; seconds. end 0: never
} si_deadline;

// The life of an engine's limits: the defaults, then the lines of [limits].
void si_limits_init(sn_engine *engine);
sn_status si_limits_read(sn_engine *engine, sn_error *error);
void si_limits_free(sn_engine *engine);
// origin: where it is set, for listings.
sn_status si_limit_set(sn_engine *engine, const char *name, const char *value, const char *origin,
                       sn_error *error);
// Bytes as in limits.memory: "16G", "none". False: it is no such text.
int si_limit_parse_bytes(const char *text, double *bytes);
// For listings; 0 past the end.
int si_limit_at(const sn_engine *engine, int64_t index, const char **name, const char **value,
                const char **origin);

// Infinite: none.
double si_limit_value(const sn_engine *engine, int limit);
// SN_ENOMEM, with the size requested and how to raise the limit. bytes: total for the file until
// now; what: the element or array that the latest of them are for. location may be NULL.
sn_status si_limit_memory(const sn_engine *engine, double bytes, const sn_location *location,
                          const char *what, sn_error *error);
// The same for the numbers that plugins declare for each simulation, with those of this provider.
sn_status si_limit_states(const sn_engine *engine, const si_provider *provider, int64_t numbers,
                          sn_error *error);
sn_status si_limit_elements(const sn_engine *engine, int64_t n, const sn_location *location,
                            sn_error *error);
si_deadline si_limit_start(const sn_engine *engine);
// ahead: seconds that what comes next takes at least; 0: it is not known.
int si_limit_passed(const si_deadline *deadline, double ahead);
sn_status si_limit_time(const si_deadline *deadline, double ahead, sn_error *error);

#endif
