// SPDX-License-Identifier: Apache-2.0
//
// Where the parts of the page of `sinew share` and `sinew view --web` are.

#ifndef SINEW_TOOLS_PAGE_FOLDER_H
#define SINEW_TOOLS_PAGE_FOLDER_H

#include "tools/command.h"

// The folder with page/ and three.min.js, in PATH_MAX bytes. DONE, or FAILED after reporting.
int page_folder(const options *o, char *out);

#endif
