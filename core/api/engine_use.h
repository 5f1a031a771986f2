// SPDX-License-Identifier: Apache-2.0
//
// Which provider a program uses.

#ifndef SI_API_ENGINE_USE_H
#define SI_API_ENGINE_USE_H

#include "host/engine.h"

// The provider of a kind with this name; name NULL: the one that is selected, or else the first.
// Freezes the registries. SN_ENOTFOUND: there is none.
sn_status si_engine_provider_used(sn_engine *engine, const char *kind, const char *name,
                                  const si_provider **used, sn_error *error);

#endif
