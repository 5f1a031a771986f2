// SPDX-License-Identifier: Apache-2.0
//
// Files in zip archives, which stand for folders: "robot.zip/meshes/hand.stl". The archive is in
// memory already; its content is checked by its checksums.
//
// Reference: APPNOTE.TXT, .ZIP File Format Specification, PKWARE; read by minizip.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unzip.h>

#include "sinew/instance.h"
#include "sinew/resource.h"

// ------------------------------------------------------------------ an archive in memory

// A place in the bytes of an archive, as a file of minizip.
typedef struct stream {
  const uint8_t *bytes;
  uint64_t count, at;
} stream;

static voidpf stream_open(voidpf opaque, const void *name, int mode) {
  (void)name;
  (void)mode;
  return opaque;
}

static uLong stream_read(voidpf opaque, voidpf file, void *buffer, uLong size) {
  stream *s = file;
  (void)opaque;
  const uint64_t left = s->count - s->at, n = size < left ? size : left;
  if (n > 0) {
    memcpy(buffer, s->bytes + s->at, n);
  }
  s->at += n;
  return (uLong)n;
}

static ZPOS64_T stream_tell(voidpf opaque, voidpf file) {
  (void)opaque;
  return ((const stream *)file)->at;
}

static long stream_seek(voidpf opaque, voidpf file, ZPOS64_T offset, int origin) {
  stream *s = file;
  (void)opaque;
  const uint64_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                        : origin == ZLIB_FILEFUNC_SEEK_CUR ? s->at
                                                           : s->count;
  if (offset > s->count - from) {
    return -1;
  }
  s->at = from + offset;
  return 0;
}

static int stream_nothing(voidpf opaque, voidpf file) {
  (void)opaque;
  (void)file;
  return 0;
}

static unzFile open_archive(stream *s, const sn_source *archive) {
  *s = (stream){ .bytes = archive->bytes, .count = (uint64_t)archive->count };
  zlib_filefunc64_def functions = { .zopen64_file = stream_open,
                                    .zread_file = stream_read,
                                    .ztell64_file = stream_tell,
                                    .zseek64_file = stream_seek,
                                    .zclose_file = stream_nothing,
                                    .zerror_file = stream_nothing,
                                    .opaque = s };
  return unzOpen2_64(archive->name, &functions);
}

// ------------------------------------------------------------------ the operations

typedef struct member {
  const sn_host *host;
  stream stream;
  unzFile zip;
  int64_t count;
} member;

static int32_t zip_probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  (void)name;
  // a local header, or the end of an archive without files
  return count >= 22 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0) ? 90
                                                                                             : 0;
}

static void zip_close(const void *self, void *file) {
  (void)self;
  member *m = file;
  if (m->zip) {
    unzClose(m->zip);
  }
  m->host->free(m->host, m);
}

static sn_status fail(const void *self, sn_status code, const char *name, const sn_source *archive,
                      const char *why, sn_error *error) {
  char text[1200];
  snprintf(text, sizeof text, why, name, archive->name);
  return sn_instance_fail(self, error, code, text);
}

static sn_status find(const void *self, member *m, const sn_source *archive, const char *name,
                      sn_error *error) {
  unz_file_info64 info;
  m->zip = open_archive(&m->stream, archive);
  if (!m->zip) {
    return fail(self, SN_EIO, name, archive, "cannot read '%.500s': the archive %.500s is damaged",
                error);
  }
  if (unzLocateFile(m->zip, name, 1) != UNZ_OK ||
      unzGetCurrentFileInfo64(m->zip, &info, NULL, 0, NULL, 0, NULL, 0) != UNZ_OK) {
    return fail(self, SN_ENOTFOUND, name, archive, "there is no '%.500s' in %.500s", error);
  }
  if (info.flag & 1) {
    return fail(self, SN_EIO, name, archive, "'%.500s' in %.500s is encrypted", error);
  }
  if (info.uncompressed_size > INT64_MAX) {
    return fail(self, SN_EIO, name, archive, "'%.500s' in %.500s is damaged", error);
  }
  if (unzOpenCurrentFile(m->zip) != UNZ_OK) {
    return fail(self, SN_EIO, name, archive,
                "'%.500s' in %.500s is damaged, or compressed by an unknown method", error);
  }
  m->count = (int64_t)info.uncompressed_size;
  return SN_OK;
}

static sn_status zip_open(const void *self, const sn_source *archive, const char *name, void **file,
                          int64_t *count, sn_error *error) {
  const sn_host *host = ((const sn_instance *)self)->host;
  member *m = sn_host_alloc(host, sizeof *m, error);
  if (!m) {
    return SN_ENOMEM;
  }
  m->host = host;
  const sn_status status = find(self, m, archive, name, error);
  if (status < 0) {
    zip_close(self, m);
    return status;
  }
  *file = m;
  *count = m->count;
  return SN_OK;
}

static sn_status zip_read(const void *self, void *file, uint8_t *bytes, sn_error *error) {
  member *m = file;
  int64_t n = 0;
  int got = 1;
  while (n < m->count && got > 0) {
    const int64_t step = m->count - n < 1 << 20 ? m->count - n : 1 << 20;
    got = unzReadCurrentFile(m->zip, bytes + n, (unsigned)step);
    n += got > 0 ? got : 0;
  }
  // nothing follows, and the checksum is right
  uint8_t more;
  const int longer = n == m->count && unzReadCurrentFile(m->zip, &more, 1) != 0;
  const int closed = unzCloseCurrentFile(m->zip);
  return n == m->count && !longer && closed == UNZ_OK
             ? SN_OK
             : sn_instance_fail(self, error, SN_EIO, "its content in the archive is damaged");
}

// The first part of a path below a folder, "mesh" of "robot/mesh/a.stl" below "robot"; NULL: it is
// not below.
static const char *below(const char *path, const char *folder) {
  const size_t n = strlen(folder);
  return n == 0 ? path : strncmp(path, folder, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
}

static sn_status zip_list(const void *self, const sn_source *archive, const char *folder,
                          void *context,
                          sn_status (*each)(void *context, const char *name, int32_t is_folder)) {
  (void)self;
  stream s;
  char path[1024];
  unzFile zip = open_archive(&s, archive);
  if (!zip) {
    return SN_EIO;
  }
  sn_status status = SN_OK;
  int any = folder[0] == '\0';
  for (int next = unzGoToFirstFile(zip); next == UNZ_OK && status >= 0;
       next = unzGoToNextFile(zip)) {
    if (unzGetCurrentFileInfo64(zip, NULL, path, sizeof path - 1, NULL, 0, NULL, 0) != UNZ_OK) {
      break;
    }
    path[sizeof path - 1] = '\0';
    const char *rest = below(path, folder);
    any |= rest != NULL;
    const size_t n = rest ? strcspn(rest, "/") : 0;
    if (n > 0) {
      char *end = path + (rest - path) + n;
      const int is_folder = *end == '/';
      *end = '\0';
      status = each(context, rest, is_folder);
    }
  }
  unzClose(zip);
  return status < 0 ? status : any ? SN_OK : SN_ENOTFOUND;
}

// ------------------------------------------------------------------ the plugin

static const sn_resource_ops zip_ops = {
  .head = { .size = sizeof(sn_resource_ops),
            .summary = "files in zip archives, robot.zip/robot.xml",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .probe = zip_probe,
  .open = zip_open,
  .read = zip_read,
  .close = zip_close,
  .list = zip_list,
};

static const sn_provide provides[] = {
  SN_PROVIDE_RESOURCE("zip", &zip_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "sinew.zip", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "zip archives", .provides = provides)
