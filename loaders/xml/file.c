// SPDX-License-Identifier: Apache-2.0
//
// A name leads into an archive where it is no file itself and a part of it, up to a '/', is one.

#include "xml/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
  char *member = path && name[0] && name[0] != '/' ? cut_behind_file(path) : NULL;
  char *whole = member ? realpath(path, NULL) : NULL;
  if (!whole) {
    return xml_copy(arena, name, strlen(name));
  }
  const char *archive = xml_join(arena, whole, "/");
  free(whole);
  return archive ? xml_join(arena, archive, member) : NULL;
}
