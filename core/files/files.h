// SPDX-License-Identifier: Apache-2.0
//
// Files that loaders read, from memory, plugins, disk or archives (source.c), and what is in their
// folders.

#ifndef SI_FILES_FILES_H
#define SI_FILES_FILES_H

#include "host/engine_state.h"

// A file by name: in memory, of a plugin that provides it, on disk, or in an archive. base: the
// file it is relative to, may be NULL.
sn_status si_engine_open_source(sn_engine *engine, const char *base, const char *name,
                                sn_source **source, sn_error *error);
// Opens a file that is read as a part of the model in `source`. SN_EINVAL: the file includes
// itself, or too many levels of files include each other; SN_EUNSUPPORTED: the source is not one of
// this engine.
sn_status si_source_open_part(const sn_engine *engine, sn_source *source, const char *name,
                              sn_source **part, sn_error *error);
// Calls `each` for what is in a folder: on disk, in memory, and for the entries that plugins list
// there. archive (may be NULL): what the path leads into; inside: the rest of the path, or the
// whole path where there is no archive; NULL: plugins are not asked. folder.c
sn_status si_folder_list(const sn_engine *engine, const char *path, const sn_source *archive,
                         const char *inside, void *context,
                         void (*each)(void *context, const char *name, int32_t is_folder));

// ------------------------------------------------------------------ provided.c

// Whether a plugin recognizes a file as an archive.
int si_source_is_archive(const sn_engine *engine, const sn_source *source);
// Characters of the longest prefix of a name that a plugin declares; 0: there is none.
size_t si_provided_prefix(const sn_engine *engine, const char *name);
// The content of a file that a plugin provides, with a zero behind it that is not counted; freed
// with free. archive: NULL, or a file that holds it. whole: the name for messages. *asked: memory
// requested for the model until now. SN_ENOTFOUND: there is no such file.
sn_status si_provided_read(sn_engine *engine, const sn_source *archive, const char *name,
                           const char *whole, double *asked, uint8_t **bytes, int64_t *count,
                           sn_error *error);
// The entries of a folder that plugins provide. SN_ENOTFOUND: there is no such folder.
sn_status si_provided_list(const sn_engine *engine, const sn_source *archive, const char *folder,
                           void *context,
                           sn_status (*each)(void *context, const char *name, int32_t is_folder));

#endif
