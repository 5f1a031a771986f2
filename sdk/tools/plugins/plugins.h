// SPDX-License-Identifier: Apache-2.0
//
// Actions of `sinew plugins` that have a file of their own.

#ifndef SINEW_TOOLS_PLUGINS_H
#define SINEW_TOOLS_PLUGINS_H

#include "tools/command.h"

// sinew plugins new KIND NAME [FOLDER]
int new_plugin(const options *o);
// The kinds that have a template.
void each_template(void (*each)(void *context, const char *kind), void *context);
// sinew plugins doctor [FILE.so]
int doctor(const options *o);

#endif
