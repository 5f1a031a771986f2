// SPDX-License-Identifier: Apache-2.0
//
// Files that name or hold code are accepted only when no other user can change them: a regular
// file of root or of the effective user, without write bits for group and others, in a folder of
// which the same is true (a folder with the sticky bit may be writable: there nobody can replace
// another's file).

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/room.h"

static int foreign(const struct stat *s) {
  return s->st_uid != 0 && s->st_uid != geteuid();
}

static sn_status check_folder(const char *path, const char *kind, sn_error *error) {
  char *folder = strdup(path);
  if (!folder) {
    return sn_no_memory(error);
  }
  char *slash = strrchr(folder, '/');
  if (slash) {
    slash[slash == folder] = '\0';
  }
  struct stat s;
  sn_status status = SN_OK;
  if (stat(slash ? folder : ".", &s) != 0) {
    status = sn_fail(error, SN_EIO, "cannot look at the folder of %s %s: %s", kind, path,
                     strerror(errno));
  } else if ((s.st_mode & (S_IWGRP | S_IWOTH)) && !(s.st_mode & S_ISVTX)) {
    status = sn_fail(error, SN_EPLUGIN,
                     "the %s %s is refused: other users can write in its "
                     "folder; use: chmod go-w '%s'",
                     kind, path, slash ? folder : ".");
  } else if (foreign(&s)) {
    status = sn_fail(error, SN_EPLUGIN,
                     "the %s %s is refused: its folder belongs to another user "
                     "(uid %u); copy it into a folder of your own",
                     kind, path, (unsigned)s.st_uid);
  }
  free(folder);
  return status;
}

static sn_status check_file(const struct stat *s, const char *path, const char *kind,
                            sn_error *error) {
  if (!S_ISREG(s->st_mode)) {
    return sn_fail(error, SN_EIO, "the %s %s is not a regular file", kind, path);
  }
  if (s->st_mode & (S_IWGRP | S_IWOTH)) {
    return sn_fail(error, SN_EPLUGIN,
                   "the %s %s is refused: other users can write it; use: "
                   "chmod go-w '%s'",
                   kind, path, path);
  }
  if (foreign(s)) {
    return sn_fail(error, SN_EPLUGIN,
                   "the %s %s is refused: it belongs to another user (uid %u); "
                   "make a copy of your own",
                   kind, path, (unsigned)s->st_uid);
  }
  return check_folder(path, kind, error);
}

int sn_trust_open(const char *path, const char *kind, sn_error *error) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat s;
  if (descriptor < 0 || fstat(descriptor, &s) != 0) {
    sn_status status = sn_fail(error, SN_EIO, "cannot open the %s %s: %s", kind, path,
                               strerror(errno));
    if (descriptor >= 0) {
      close(descriptor);
    }
    return status;
  }
  sn_status status = check_file(&s, path, kind, error);
  if (status < 0) {
    close(descriptor);
    return status;
  }
  return descriptor;
}
