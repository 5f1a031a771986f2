// SPDX-License-Identifier: Apache-2.0
//
// Names of files that a model refers to.

#ifndef SINEW_XML_FILE_H
#define SINEW_XML_FILE_H

#include "sinew/loader.h"
#include "sinew/xml/arena.h"

SN_BEGIN_DECLS

// [load] The name under which a source was found, as a definition keeps it: the whole path of a
// file on disk, or of the archive that it lies in ("a.zip/b.stl": "/home/me/a.zip/b.stl"), so that
// it is found again from any folder, above all from that of a file that the model is written to.
// Other names are copied. NULL: no memory.
const char *xml_file_name(xml_arena *arena, const char *name);

// [load] Why a file that a model names cannot be opened: "Permission denied", "it is a folder".
// Where the disk alone does not know, in an archive or where a plugin answers for the name, the
// reason of the source. NULL: no memory.
const char *xml_file_trouble(xml_arena *arena, sn_source *source, const char *name);

SN_END_DECLS

#endif
