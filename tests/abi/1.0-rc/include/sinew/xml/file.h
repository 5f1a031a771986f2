// SPDX-License-Identifier: Apache-2.0
//
// Names of files that a model refers to.

#ifndef SINEW_XML_FILE_H
#define SINEW_XML_FILE_H

#include "sinew/loader.h"
#include "sinew/xml/arena.h"

SN_BEGIN_DECLS

// [load] The name of a source, in the form in which a definition stores it. The name of a file on
// disk, or in an archive on disk, becomes an absolute path ("a.zip/b.stl": "/home/me/a.zip/b.stl"),
// so that the file is found from every folder, for example from the folder that the model is saved
// to. Other names are copied. NULL: out of memory.
const char *xml_file_name(xml_arena *arena, const char *name);

// [load] Why a file that a model names cannot be opened: "Permission denied", "it is a folder". For
// a file that is not on disk but in an archive or provided by a plugin, the reason is that of the
// source. NULL: out of memory.
const char *xml_file_trouble(xml_arena *arena, sn_source *source, const char *name);

SN_END_DECLS

#endif
