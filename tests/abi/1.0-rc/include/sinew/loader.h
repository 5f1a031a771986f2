// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.loader/1: reads a file format into a spec (spec.h), and writes a spec in this format.
//
// Requirements: any bytes, however malformed, give a spec or an error with its location in the
// file; other files are opened through the source only; content that the loader does not support
// is an error or a warning, and is never ignored without one.

#ifndef SINEW_LOADER_H
#define SINEW_LOADER_H

#include "sinew/spec.h"

SN_BEGIN_DECLS

#define SN_KIND_LOADER "sinew.loader/1"

// A file that the host has opened: on disk, in memory or in an archive. A function beyond `size` is
// not available in this host; a loader that can work without it must check that `size` includes it
// before it calls it.
struct sn_source {
  uint32_t size;
  uint32_t reserved;
  void *context;            // belongs to the host
  // For messages; relative names of other files are resolved relative to its folder.
  const char *name;
  const uint8_t *bytes;     // count bytes, followed by a zero byte that is not counted
  int64_t count;
  // [load] Opens another file; name: relative to the folder of this source, or absolute. The child
  // is valid until the loader passes it to `close`. SN_EIO: there is no such file; the error lists
  // the paths that were tried, without a location in this source: call `check` first to report one.
  sn_status (*open)(sn_source *source, const char *name, sn_source **child, sn_error *error);
  void (*close)(sn_source *child);   // [load] closes a source that `open` returned
  // [load] Checks whether a file of this name can be opened. SN_OK: yes; SN_ENOTFOUND: there is no
  // such file; SN_EIO: it cannot be read, and `why` receives the reason, at most size - 1
  // characters.
  sn_status (*check)(sn_source *source, const char *name, char *why, int64_t size);
  // [load] Calls `each` for the entries of a folder, on disk or among the files in memory, sorted
  // by name, without hidden ones. The name is valid during the call. SN_ENOTFOUND: there is no such
  // folder, or it cannot be read.
  sn_status (*list)(sn_source *source, const char *folder, void *context,
                    void (*each)(void *context, const char *name, int32_t is_folder));
  // [load] To be called before memory is allocated for the content of this source, such as the tree
  // of its elements. bytes: size of that memory, without the bytes of the source itself. SN_ENOMEM,
  // with the reason: together with the memory reserved for files opened through this source, it
  // would exceed the limit `memory` of the engine.
  sn_status (*reserve)(sn_source *source, int64_t bytes, sn_error *error);
};
SN_LAYOUT(sn_source, 80);

// The destination of a saved model. Functions that are not provided must be NULL. The
// creator of the sink sets `size`: a function beyond it is not provided and is read as NULL.
typedef struct sn_sink sn_sink;
struct sn_sink {
  uint32_t size;
  uint32_t reserved;
  void *context;   // belongs to the host
  // [load] Appends `count` bytes, 0 or more: all of them, or a negative status, which `save`
  // returns. The host reports the reason.
  sn_status (*write)(sn_sink *sink, const void *bytes, int64_t count);
  // [load] optional. Opens an additional file in the same folder, for a part that the main file
  // includes: for the main file robot.xml, part "part1" is written to robot.part1.xml. *file and
  // *name, the name of the file without its folder, are valid until `save` returns; then either all
  // files are kept, or none. NULL, or a negative status: no more files are available, and
  // everything must be written to this sink.
  sn_status (*open)(sn_sink *sink, const char *part, sn_sink **file, const char **name);
};
SN_LAYOUT(sn_sink, 32);

// The operations of a loader.
typedef struct sn_loader_ops {
  sn_ops head;
  // File name extensions, "xml|mjcf", for the user's information: `probe` recognizes files.
  const char *extensions;
  // [load] Confidence that the bytes have this format, judged by their content: 0 (no) to 100.
  int32_t (*probe)(const void *self, const uint8_t *bytes, int64_t count, const char *name);
  // [load] Reads the source into the builder's spec.
  sn_status (*load)(const void *self, sn_source *source, const sn_builder *builder,
                    sn_error *error);
  // [load] optional. Writes a spec in this format. If the format cannot express a property of the
  // spec, the error names it.
  sn_status (*save)(const void *self, const sn_builder *builder, sn_sink *sink, sn_error *error);
  // [any] optional. Writes a description of the format, in Markdown: elements, attributes,
  // defaults.
  sn_status (*describe)(const void *self, sn_sink *sink);
} sn_loader_ops;
SN_LAYOUT(sn_loader_ops, 80);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_LOADER(name, ops) SN_PROVIDE(SN_KIND_LOADER, name, sn_loader_ops, ops)

SN_END_DECLS

#endif
