// SPDX-License-Identifier: Apache-2.0
//
// Owners and rights of a path, folder by folder: what decides whether a plugin may be loaded.

#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plugins.h"

static void put_rights(const struct stat *s, char *out, size_t capacity) {
  static const char letters[] = "rwxrwxrwx";
  char mode[10] = "---------";
  for (int i = 0; i < 9; i++) {
    mode[i] = s->st_mode & (0400u >> i) ? letters[i] : '-';
  }
  if (s->st_mode & S_ISVTX) {
    mode[8] = 't';
  }
  const struct passwd *user = getpwuid(s->st_uid);
  const struct group *group = getgrgid(s->st_gid);
  char number[2][24];
  snprintf(number[0], sizeof number[0], "%u", (unsigned)s->st_uid);
  snprintf(number[1], sizeof number[1], "%u", (unsigned)s->st_gid);
  snprintf(out, capacity, "%c%s %s %s", S_ISDIR(s->st_mode) ? 'd' : '-', mode,
           user ? user->pw_name : number[0], group ? group->gr_name : number[1]);
}

// A part of a path: folder by folder from the root, the file at last.
static int show_part(json *j, const char *path) {
  char rights[160] = "missing";
  struct stat s;
  const int exists = stat(path, &s) == 0;
  if (exists) {
    put_rights(&s, rights, sizeof rights);
  }
  if (j) {
    json_object(j, NULL);
    json_text(j, "path", path);
    json_text(j, "rights", rights);
    json_end(j);
  } else {
    printf("             %-28s %s\n", rights, path);
  }
  return exists;
}

void show_rights(json *j, const char *path) {
  char whole[PATH_MAX];
  if (!path || !(realpath(path, whole) || snprintf(whole, sizeof whole, "%s", path) > 0)) {
    return;
  }
  if (j) {
    json_list(j, "parts");
  }
  int exists = whole[0] != '/' || show_part(j, "/");
  for (char *slash = whole; exists && (slash = strchr(slash + 1, '/'));) {
    *slash = '\0';
    exists = show_part(j, whole);
    *slash = '/';
  }
  if (exists) {
    show_part(j, whole);
  }
  if (j) {
    json_end(j);
  }
}
