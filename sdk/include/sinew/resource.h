// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.resource/draft: where files come from. When the application or a loader opens a file
// and there is none of its name in memory, the host asks the plugins of this kind:
//
//   "package://arm/arm.urdf"    those that declare the prefix "package://"
//   "robot.zip/arm.xml"         robot.zip is a file, not a folder, and so is taken as an archive:
//                               the plugin that recognizes its format
//
// A relative name in a file that was found in this way starts from that file's folder, as on disk:
// "mesh/hand.stl" in "package://arm/arm.urdf" is "package://arm/mesh/hand.stl".
//
// This kind is a draft: it may change in every minor version, and its id with it. A plugin that
// uses it must be compiled for the version of Sinew that loads it.

#ifndef SINEW_RESOURCE_H
#define SINEW_RESOURCE_H

#include "sinew/loader.h"

SN_BEGIN_DECLS

#define SN_KIND_RESOURCE "sinew.resource/draft"

// The operations of a resource.
typedef struct sn_resource_ops {
  sn_ops head;
  // The prefixes of the names that it answers for, "package://|model://"; NULL or "": none. A
  // prefix has 3 to 63 characters, begins with a letter and ends with ':' or '/' after a ':'.
  const char *prefixes;
  // [load] optional; NULL: 0. Confidence that a file is an archive of a format that `open` reads,
  // judged by its content: 0 (no) to 100.
  int32_t (*probe)(const void *self, const uint8_t *bytes, int64_t count, const char *name);
  // [load] Finds a file and its size. archive NULL: the name begins with one of the prefixes.
  // Otherwise: a file that `probe` recognized, valid until `close`, and the name of a file in it.
  // Behind the prefix no part of the name is "", "." or "..". *file: for `read` and `close`.
  // *count: bytes, from 0. SN_ENOTFOUND: there is no such file; then the next plugin that declares
  // the prefix is asked. Another negative status: the file cannot be read.
  sn_status (*open)(const void *self, const sn_source *archive, const char *name, void **file,
                    int64_t *count, sn_error *error);
  // [load] Writes the content, all `count` bytes that `open` returned. The host has checked their
  // number against its limits, and calls this at most once for each file.
  sn_status (*read)(const void *self, void *file, uint8_t *bytes, sn_error *error);
  void (*close)(const void *self, void *file);   // [load] once for each successful `open`
  // [load] optional. Calls `each` for the entries of a folder, in any order; an entry may come
  // several times. folder: as the name of a file, also without anything behind the prefix, or "",
  // the top of an archive. SN_ENOTFOUND: there is no such folder. If `each` returns a negative
  // status, list returns it at once.
  sn_status (*list)(const void *self, const sn_source *archive, const char *folder, void *context,
                    sn_status (*each)(void *context, const char *name, int32_t is_folder));
} sn_resource_ops;
SN_LAYOUT(sn_resource_ops, 88);

SN_END_DECLS

#endif
