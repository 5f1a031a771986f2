// SPDX-License-Identifier: Apache-2.0
//
// A name leads into an archive where it is no file itself and a part of it, up to a '/', is one.

#include "sinew/xml/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Cuts a path behind the part that is a file; what follows, or NULL when nothing leads into a file.
static char *cut_behind_file(char *path) {
  struct stat s;
  if (stat(path, &s) == 0) {
    return NULL;
  }
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (stat(path, &s) != 0) {
      return NULL;
    }
    if (S_ISREG(s.st_mode)) {
      return slash + 1;
    }
    *slash = '/';
  }
  return NULL;
}

const char *xml_file_name(xml_arena *arena, const char *name) {
  char *path = xml_copy(arena, name, strlen(name));
  const int relative = path && name[0] && name[0] != '/';
  const char *member = relative ? cut_behind_file(path) : NULL;
  char *whole = relative ? realpath(path, NULL) : NULL;   // NULL: what a program keeps in memory
  if (!whole) {
    return xml_copy(arena, name, strlen(name));
  }
  const char *file = xml_join(arena, whole, member ? "/" : "");
  free(whole);
  return file && member ? xml_join(arena, file, member) : file;
}

// What the source says of a name that leads into an archive or to a plugin; NULL: it does neither,
// or the source is of an older host.
static const char *source_trouble(xml_arena *arena, sn_source *source, const char *name, int code) {
  char why[600];
  const int asked = code == ENOTDIR || strchr(name, ':') ||
                    strchr(source->name ? source->name : "", ':');
  if (!asked || !SN_HAS(source, check) || !source->check ||
      source->check(source, name, why, sizeof why) >= 0) {
    return NULL;
  }
  return xml_copy(arena, why, strlen(why));
}

const char *xml_file_trouble(xml_arena *arena, sn_source *source, const char *name) {
  const char *base = source->name ? source->name : "";
  const char *slash = name[0] != '/' ? strrchr(base, '/') : NULL;
  char *folder = xml_copy(arena, base, slash ? (size_t)(slash - base) + 1 : 0);
  char *path = folder ? xml_join(arena, folder, name) : NULL;
  if (!path) {
    return NULL;
  }
  struct stat s;
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const int code = file < 0 ? errno : 0;
  const char *why = file < 0               ? strerror(code)
                    : fstat(file, &s) != 0 ? strerror(errno)
                    : S_ISDIR(s.st_mode)   ? "it is a folder"
                    : !S_ISREG(s.st_mode)  ? "it is not a regular file"
                                           : "it cannot be read";
  const char *reason = source_trouble(arena, source, name, code);
  const char *copy = reason ? reason : xml_copy(arena, why, strlen(why));
  if (file >= 0) {
    close(file);
  }
  return copy;
}
