// SPDX-License-Identifier: Apache-2.0
//
// The operations of the plugin, and what happens to a document before its elements are read.

#ifndef LOADERS_MJCF_LOAD_LOAD_H
#define LOADERS_MJCF_LOAD_LOAD_H

#include "mjcf/read/read.h"

// Replaces every include element by the content of its file.
sn_status mjcf_include_files(mjcf_reader *r);
// Replaces every replicate element by frames with copies of its content.
sn_status mjcf_replicate(mjcf_reader *r);
// The operation `describe` of loader.h. describe.c
sn_status mjcf_describe(const void *self, sn_sink *sink);

#endif
