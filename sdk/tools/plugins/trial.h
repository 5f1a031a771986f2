// SPDX-License-Identifier: Apache-2.0
//
// Code of plugins that may end the process, or never return.

#ifndef SINEW_TOOLS_TRIAL_H
#define SINEW_TOOLS_TRIAL_H

#include "sinew/sinew.h"

// What the function is doing: "loading or init". A text that outlives the process.
typedef const char *volatile trial_stage;
typedef void trial_fn(void *context, trial_stage *stage);

// Calls a function in a process of its own, whose standard output and error are discarded. 1: it
// returned, or no process could be started. 0: it did not, and why: "its create ended the process
// with exit status 0", "its loading or init did not return within 60 s".
int try_apart(trial_fn *function, void *context, double limit, char *why, size_t capacity);

// The engine of a configuration whose plugins are listed by sn_engine_plugin, but none is loaded:
// code of plugins does not run. NULL: the configuration cannot be read, or the system does not
// allow this.
sn_engine *engine_without_plugins(const sn_engine_request *request);

#endif
