// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.resource/draft: sources of files other than memory and disk. When the application or a
// loader opens a file whose name is not among the files in memory, the host asks the plugins of
// this kind:
//
//   "package://arm/arm.urdf"    those that declare the prefix "package://"
//   "robot.zip/arm.xml"         if robot.zip is a file, it is an archive: the plugin that
//                               recognizes its format opens arm.xml in it
//
// Archives may be in archives, "robots.zip/arm.zip/arm.xml". A relative name in a file that was
// found in this way starts from the folder of that file, as on disk: "mesh/hand.stl" in
// "package://arm/arm.urdf" is "package://arm/mesh/hand.stl".
//
// This kind is a draft: it may change in every minor version. A plugin that uses it must be
// compiled for the version of Sinew that loads it.

#ifndef SINEW_RESOURCE_H
#define SINEW_RESOURCE_H

#include "sinew/loader.h"

SN_BEGIN_DECLS

#define SN_KIND_RESOURCE "sinew.resource/draft"

// The operations of a resource.
typedef struct sn_resource_ops {
  sn_ops head;
  // The prefixes of the names of its files, "package://|model://"; NULL or "": none. A prefix has 3
  // to 63 characters, begins with a letter and ends with ':', or with '/' after a ':'.
  const char *prefixes;
  // [load] optional; NULL: 0. Returns how sure it is, by the content of a file, that this is an
  // archive of a format that `open` reads: 0 (no) to 100.
  int32_t (*probe)(const void *self, const uint8_t *bytes, int64_t count, const char *name);
  // [load] Finds a file and its size. If archive is NULL, the name begins with one of the prefixes.
  // Otherwise the archive is a file that `probe` recognized, valid until `close`, and the name is
  // that of a file in it. No part of the name after the prefix is "", "." or "..". *file is passed
  // to `read` and `close`; *count is the number of bytes, 0 or more. SN_ENOTFOUND: there is no such
  // file; the host then asks the next plugin that declares the prefix. Another negative status: the
  // file is there but cannot be read.
  sn_status (*open)(const void *self, const sn_source *archive, const char *name, void **file,
                    int64_t *count, sn_error *error);
  // [load] Writes the content of the file to bytes, whose size is exactly the *count of `open`. The
  // host has compared that number with its limits. Called at most once for each file.
  sn_status (*read)(const void *self, void *file, uint8_t *bytes, sn_error *error);
  void (*close)(const void *self, void *file);   // [load] once for each successful `open`
  // [load] optional. Calls `each` for the entries of a folder, in any order; it may call it several
  // times for one entry. folder: a name as for `open`, or a prefix alone, or "" for the top of an
  // archive. SN_ENOTFOUND: there is no such folder. If `each` returns a negative status, `list`
  // must return it at once.
  sn_status (*list)(const void *self, const sn_source *archive, const char *folder, void *context,
                    sn_status (*each)(void *context, const char *name, int32_t is_folder));
} sn_resource_ops;
SN_LAYOUT(sn_resource_ops, 88);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_RESOURCE(name, ops) SN_PROVIDE(SN_KIND_RESOURCE, name, sn_resource_ops, ops)

SN_END_DECLS

#endif
