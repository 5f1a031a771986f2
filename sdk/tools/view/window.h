// SPDX-License-Identifier: Apache-2.0
//
// sinew view in a window.

#ifndef SINEW_TOOLS_WINDOW_H
#define SINEW_TOOLS_WINDOW_H

#include "tools/command.h"

// Loads the library of the viewer and the model, and shows it until the window is closed. DONE, or
// FAILED or USAGE after reporting.
int view_in_window(const options *o);

#endif
