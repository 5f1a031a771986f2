// SPDX-License-Identifier: Apache-2.0
//
// Actions of `sinew plugins` that have a file of their own.

#ifndef SINEW_TOOLS_PLUGINS_H
#define SINEW_TOOLS_PLUGINS_H

#include "command.h"

// "newton" of "newton", "solvers/newton.so", "/a/newton.so"
void plugin_name(const char *path, char *out, size_t room);

// sinew plugins new KIND NAME [FOLDER]
int new_plugin(const options *o);
// sinew plugins doctor [FILE.so]
int doctor(const options *o);

#endif
