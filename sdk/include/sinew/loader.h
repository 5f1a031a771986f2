// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.loader/1: bytes of a file format to a spec, and back.
//
// Requirements: any input gives a spec or an error with its location; files are read only through
// the source; content that the loader does not support is an error, never silently ignored.

#ifndef SINEW_LOADER_H
#define SINEW_LOADER_H

#include "sinew/spec.h"

SN_BEGIN_DECLS

#define SN_KIND_LOADER "sinew.loader/1"

// A file opened by the host: from disk, from memory, from an archive.
typedef struct sn_source sn_source;
struct sn_source {
  uint32_t size;
  uint32_t reserved;
  void *context;            // of the host
  const char *name;         // for messages, and the base of relative names
  const uint8_t *bytes;     // followed by a zero byte that is not counted
  int64_t count;
  // [load] Opens a file by a name relative to this source's folder (or absolute). The child is
  // valid until close. SN_EIO when there is none; the error names every path that was tried.
  sn_status (*open)(sn_source *source, const char *name, sn_source **child, sn_error *error);
  void (*close)(sn_source *child);
  // [load] Whether a file of that name could be opened: SN_OK; SN_ENOTFOUND: there is none; SN_EIO:
  // there is one, which cannot be read. Then `why` says the reason in up to size - 1 characters.
  // Since 1.0.
  sn_status (*check)(sn_source *source, const char *name, char *why, int64_t size);
  // [load] Calls `each` for the entries of a folder, on disk or among the files in memory, in the
  // order of their names, hidden ones left out. The name is valid during the call. SN_ENOTFOUND:
  // there is no such folder, or it cannot be read. Since 1.0.
  sn_status (*list)(sn_source *source, const char *folder, void *context,
                    void (*each)(void *context, const char *name, int32_t is_folder));
  // [load] To be called before memory is allocated for what is made from this source, such as the
  // tree of its elements: the number of bytes, in addition to `bytes` above. SN_ENOMEM, with the
  // reason, if this and what was reserved for files that this source opened exceed the limit of
  // memory. Since 1.0.
  sn_status (*reserve)(sn_source *source, int64_t bytes, sn_error *error);
};
SN_LAYOUT(sn_source, 80);

// The destination of a saved model. Members that are not used must be zero.
typedef struct sn_sink sn_sink;
struct sn_sink {
  uint32_t size;
  uint32_t reserved;
  void *context;
  sn_status (*write)(sn_sink *sink, const void *bytes, int64_t count);
  // [load] optional. Opens another file in the same folder, for a part that this one includes:
  // "part1" beside robot.xml is robot.part1.xml. *file can be written, and *name, the name of the
  // file in its folder, is valid, until the text is complete; then either all files are kept, or
  // none. NULL, or a negative status: no more files are available, and everything must be written
  // to this sink. Since 1.0.
  sn_status (*open)(sn_sink *sink, const char *part, sn_sink **file, const char **name);
};
SN_LAYOUT(sn_sink, 32);

typedef struct sn_loader_ops {
  sn_ops head;
  const char *extensions;   // "xml|mjcf": for messages and for saving
  // [load] Confidence that these bytes are of this format, judged by content: 0 (no) to 100.
  int32_t (*probe)(const void *self, const uint8_t *bytes, int64_t count, const char *name);
  // [load] Reads the source into the builder's spec.
  sn_status (*load)(const void *self, sn_source *source, const sn_builder *builder,
                    sn_error *error);
  // [load] optional. Writes a spec in this format; names what the format cannot express.
  sn_status (*save)(const void *self, const sn_builder *builder, sn_sink *sink, sn_error *error);
  // [any] optional. Describes the format, as Markdown: elements, attributes, defaults.
  sn_status (*describe)(const void *self, sn_sink *sink);
} sn_loader_ops;
SN_LAYOUT(sn_loader_ops, 80);

SN_END_DECLS

#endif
