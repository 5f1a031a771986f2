// SPDX-License-Identifier: Apache-2.0
//
// Which provider of a kind recognizes a file by its bytes.

#ifndef SI_FILES_PROBE_H
#define SI_FILES_PROBE_H

#include "host/engine.h"

// The operation `probe` of a loader or a resource: 0 for a file that it does not recognize, else
// how sure it is.
typedef int32_t si_probe_fn(const void *self, const uint8_t *bytes, int64_t count,
                            const char *name);

// The provider with the highest score, the first of those with the same; NULL: none recognizes the
// file. probe_of: that operation in an operation table; it may return NULL.
sn_status si_engine_probe(const sn_engine *engine, const char *kind, const sn_source *source,
                          si_probe_fn *(*probe_of)(const void *ops), const si_provider **best,
                          sn_error *error);

#endif
