// SPDX-License-Identifier: Apache-2.0

#ifndef SI_PLATFORM_FOLDER_H
#define SI_PLATFORM_FOLDER_H

#include "sinew/abi.h"

// Calls `each` for every entry of a folder whose name does not start with a dot, in the order of
// the disk, until it fails. path "": the working folder. SN_ENOTFOUND: it cannot be opened.
typedef sn_status si_folder_visit(void *context, const char *name, int32_t is_folder);
sn_status si_folder_each(const char *path, si_folder_visit *each, void *context);

#endif
