// SPDX-License-Identifier: Apache-2.0
//
// Files in a zip archive, which stands for a folder: "robot.zip/meshes/hand.stl". The archive is
// the first part of the path that is a file.
//
// Reference: APPNOTE.TXT, .ZIP File Format Specification, PKWARE; read by minizip, where Sinew was
// built with it.

#include "platform/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

const char *si_archive_member(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    struct stat s;
    *slash = '\0';
    int is_there = stat(path, &s) == 0;
    if (is_there && S_ISREG(s.st_mode)) {
      return slash + 1;
    }
    *slash = '/';
    if (!is_there) {
      break;
    }
  }
  return NULL;
}

#ifdef SINEW_MINIZIP

#include <unzip.h>

// Checks the file's checksum, too.
static sn_status read_member(unzFile zip, const char *archive, const char *member, int64_t count,
                             uint8_t *bytes, sn_error *error) {
  if (unzOpenCurrentFile(zip) != UNZ_OK) {
    return si_fail(error, SN_EIO, "cannot read '%s' in %s: unknown compression method", member,
                   archive);
  }
  int64_t n = 0;
  int got = 1;
  while (n < count && got > 0) {
    const int64_t step = count - n < 1 << 20 ? count - n : 1 << 20;
    got = unzReadCurrentFile(zip, bytes + n, (unsigned)step);
    n += got > 0 ? got : 0;
  }
  uint8_t more;
  const int longer = n == count && unzReadCurrentFile(zip, &more, 1) != 0;
  const int closed = unzCloseCurrentFile(zip);
  return n == count && !longer && closed == UNZ_OK
             ? SN_OK
             : si_fail(error, SN_EIO, "cannot read '%s' in %s: it is damaged", member, archive);
}

sn_status si_archive_read(const char *archive, const char *member, int64_t most, uint8_t **bytes,
                          int64_t *count, sn_error *error) {
  unzFile zip = unzOpen64(archive);
  unz_file_info64 info;
  if (!zip) {
    si_fail(error, SN_EIO, "cannot read '%s' in %s: it is not a zip archive", member, archive);
    return SN_ENOTFOUND;
  }
  sn_status status = SN_OK;
  if (unzLocateFile(zip, member, 1) != UNZ_OK ||
      unzGetCurrentFileInfo64(zip, &info, NULL, 0, NULL, 0, NULL, 0) != UNZ_OK) {
    si_fail(error, SN_EIO, "there is no '%s' in %s", member, archive);
    status = SN_ENOTFOUND;
  } else if (info.flag & 1) {
    status = si_fail(error, SN_EIO, "cannot read '%s' in %s: it is encrypted", member, archive);
  } else if (info.uncompressed_size > (uint64_t)most) {
    status = si_fail(error, SN_EIO, "cannot read '%s' in %s: at most %lld bytes are read", member,
                     archive, (long long)most);
  } else {
    *count = (int64_t)info.uncompressed_size;
    *bytes = malloc((size_t)*count + 1);
    status = *bytes ? read_member(zip, archive, member, *count, *bytes, error)
                    : si_no_memory(error);
  }
  if (status < 0) {
    free(*bytes);
    *bytes = NULL;
  } else {
    (*bytes)[*count] = 0;
  }
  unzClose(zip);
  return status;
}

#else

sn_status si_archive_read(const char *archive, const char *member, int64_t most, uint8_t **bytes,
                          int64_t *count, sn_error *error) {
  (void)most;
  (void)bytes;
  (void)count;
  return si_fail(error, SN_EUNSUPPORTED,
                 "cannot read '%s' in %s: Sinew was built without minizip, unpack the archive",
                 member, archive);
}

#endif
