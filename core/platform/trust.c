// SPDX-License-Identifier: Apache-2.0
//
// Files that name or hold code are accepted only when no other user can change or replace them.
// The path, with its symbolic links resolved, is opened from the root down, each part relative to
// the one before, and each part is looked at as it is opened:
//
//   /         home      me        plugins    mine.so
//   folder -> folder -> folder -> folder --> regular file
//
// Each belongs to root or to the effective user, and no one else may write it. So nothing on the
// way can change between this look and a later use of the same path.
//
// A folder that others may write is accepted when it has the sticky bit, as /tmp has: there users
// can rename or remove only their own files, and the files that we open belong to root or to us.
// Folders above the program that runs or above this library are not checked: a user who can write
// there can replace Sinew itself. A group that has the user as its only member is the user.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/text.h"
#include "platform/trust.h"

// ------------------------------------------------------------------ groups

enum { ACCOUNT_MAX = 1 << 14 };   // bytes for one row of the accounts, names and all

// A number between two colons of a row; 0: the field is not a number.
static int read_id(const char *field, unsigned long *id) {
  char *end;
  errno = 0;
  *id = strtoul(field, &end, 10);
  return end != field && *end == ':' && errno == 0;
}

// name:password:uid:gid:...; rows of another form, such as those that refer to NIS, have no group.
static int has_group(const char *row, gid_t gid, uid_t uid) {
  unsigned long user, group;
  for (int i = 0; row && i < 2; i++) {
    row = strchr(row, ':');
    row = row ? row + 1 : NULL;
  }
  const char *colon = row ? strchr(row, ':') : NULL;
  return colon && read_id(row, &user) && read_id(colon + 1, &group) && group == gid && user != uid;
}

int si_trust_group_is_shared(FILE *accounts, gid_t gid, uid_t uid) {
  char *row = NULL;
  size_t capacity = 0;
  int shared = 0;
  while (!shared && getline(&row, &capacity, accounts) > 0) {
    shared = has_group(row, gid, uid);
  }
  const int whole = feof(
      accounts);   // otherwise it cannot be read, or there is no memory for a row
  free(row);
  return shared || !whole;
}

// Another account has this group as its own; only local accounts are looked at.
static int is_shared(gid_t gid, uid_t uid) {
  FILE *accounts = fopen("/etc/passwd", "re");
  const int shared = !accounts || si_trust_group_is_shared(accounts, gid, uid);
  if (accounts) {
    fclose(accounts);
  }
  return shared;
}

// The group that many systems make for each user: it has the user's name, and no other member.
static int is_private(gid_t gid) {
  struct passwd user, *found_user = NULL;
  struct group group, *found_group = NULL;
  char user_text[ACCOUNT_MAX], group_text[ACCOUNT_MAX];
  const uid_t uid = geteuid();
  if (uid == 0 || getpwuid_r(uid, &user, user_text, sizeof user_text, &found_user) != 0 ||
      !found_user || user.pw_gid != gid ||
      getgrgid_r(gid, &group, group_text, sizeof group_text, &found_group) != 0 || !found_group ||
      strcmp(user.pw_name, group.gr_name) != 0) {
    return 0;
  }
  for (char **member = group.gr_mem; *member; member++) {
    if (strcmp(*member, user.pw_name) != 0) {
      return 0;
    }
  }
  return !is_shared(gid, uid);
}

// An access control list may name more users; the bits of the group are then only its limit.
static int has_list(int descriptor) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return getxattr(path, "system.posix_acl_access", NULL, 0) >= 0 ||
         (errno != ENODATA && errno != ENOTSUP);
}

static int others_write(const struct stat *s, int descriptor) {
  if (s->st_mode & S_IWOTH) {
    return 1;
  }
  return (s->st_mode & S_IWGRP) && !(is_private(s->st_gid) && !has_list(descriptor));
}

// ------------------------------------------------------------------ owners

static int is_foreign(const struct stat *s) {
  return s->st_uid != 0 && s->st_uid != geteuid();
}

// In a user namespace, as of a container, the owners that it does not know, root of the system
// among them, all look like one user, who is not in the map of the namespace.
static int is_outside(uid_t uid) {
  FILE *map = fopen("/proc/self/uid_map", "re");
  unsigned long first, outer, count;
  int inside = !map;
  while (map && !inside && fscanf(map, "%lu %lu %lu", &first, &outer, &count) == 3) {
    inside = uid >= first && uid - first < count;
  }
  if (map) {
    fclose(map);
  }
  return !inside;
}

// Whether the folder whole[0..n) is above the file.
static int is_above(const char *whole, size_t n, const char *file) {
  return strncmp(whole, file, n) == 0 && (n == 1 || file[n] == '/');
}

// Whether the program or this library lies in the folder whole[0..n) or below it.
static int holds_us(const char *whole, size_t n) {
  static const char marker;
  char file[PATH_MAX];
  Dl_info info;
  if (getauxval(AT_SECURE) != 0) {
    return 0;   // the user chose where a set-user-id program lies, not its owner
  }
  ssize_t length = readlink("/proc/self/exe", file, sizeof file - 1);
  file[length > 0 ? length : 0] = '\0';
  if (is_above(whole, n, file)) {
    return 1;
  }
  return dladdr(&marker, &info) && info.dli_fname && realpath(info.dli_fname, file) &&
         is_above(whole, n, file);
}

// ------------------------------------------------------------------ one part of the path

typedef struct walk {
  const char *whole;   // canonical path
  const char *kind;    // "plugin" ..., for messages
  sn_error *error;
} walk;

// The folder whole[0..n), opened.
static sn_status check_folder(const walk *w, size_t n, int descriptor) {
  struct stat s;
  n = n ? n : 1;   // the root is its own slash
  if (fstat(descriptor, &s) != 0) {
    return si_fail(w->error, SN_EIO, "cannot examine the folder %.*s of the %s %s: %s", (int)n,
                   w->whole, w->kind, w->whole, strerror(errno));
  }
  const int foreign = is_foreign(&s) && !is_outside(s.st_uid);
  const int writable = others_write(&s, descriptor) && !(s.st_mode & S_ISVTX);
  if ((!foreign && !writable) || holds_us(w->whole, n)) {
    return SN_OK;
  }
  if (foreign) {
    return si_fail(w->error, SN_EPLUGIN,
                   "the %s %s is rejected: the folder %.*s belongs to another user (uid %u), who "
                   "could replace it; copy it into a folder of your own",
                   w->kind, w->whole, (int)n, w->whole, (unsigned)s.st_uid);
  }
  return si_fail(w->error, SN_EPLUGIN,
                 "the %s %s is rejected: other users can write in the folder %.*s and replace it; "
                 "use: chmod go-w '%.*s', or copy it into a folder of your own",
                 w->kind, w->whole, (int)n, w->whole, (int)n, w->whole);
}

static sn_status check_file(const walk *w, int descriptor) {
  struct stat s;
  if (fstat(descriptor, &s) != 0) {
    return si_fail(w->error, SN_EIO, "cannot examine the %s %s: %s", w->kind, w->whole,
                   strerror(errno));
  }
  if (!S_ISREG(s.st_mode)) {
    return si_fail(w->error, SN_EIO, "the %s %s is not a regular file", w->kind, w->whole);
  }
  if (is_foreign(&s)) {
    return si_fail(w->error, SN_EPLUGIN,
                   "the %s %s is rejected: it belongs to another user (uid %u); "
                   "make a copy of your own",
                   w->kind, w->whole, (unsigned)s.st_uid);
  }
  if (others_write(&s, descriptor)) {
    return si_fail(w->error, SN_EPLUGIN,
                   "the %s %s is rejected: other users can write it; use: "
                   "chmod go-w '%s'",
                   w->kind, w->whole, w->whole);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the path

enum { FILE_FLAGS = O_RDONLY | O_NONBLOCK | O_NOCTTY };

// That there are too many open files says nothing about this one.
static sn_status fail_open(const char *kind, const char *path, sn_error *error) {
  const int too_many = errno == EMFILE || errno == ENFILE;
  return si_fail(error, too_many ? SN_ENOMEM : SN_EIO, "cannot open the %s %s: %s%s", kind, path,
                 strerror(errno), too_many ? SI_RAISE_FILES : "");
}

// Opens what follows the last part of `whole` that was opened, as `at`.
static int open_part(const walk *w, int at, const char *name, size_t n, int flags) {
  char part[NAME_MAX + 1];
  int next = -1;
  if (n <= NAME_MAX) {
    memcpy(part, name, n);
    part[n] = '\0';
    next = openat(at, part, flags | O_NOFOLLOW | O_CLOEXEC);
  } else {
    errno = ENAMETOOLONG;
  }
  return next >= 0 ? next : fail_open(w->kind, w->whole, w->error);
}

// Every folder of w->whole that leads to its part at `last`; the descriptor of the last folder.
static int open_folder(const walk *w, const char *last) {
  int at = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (at < 0) {
    return fail_open("folder", "/", w->error);
  }
  const char *part = w->whole + 1;
  for (;;) {
    sn_status status = check_folder(w, (size_t)(part - w->whole - 1), at);
    if (status < 0) {
      close(at);
      return status;
    }
    if (part >= last) {
      return at;
    }
    const size_t n = strcspn(part, "/");
    const int next = open_part(w, at, part, n, O_PATH | O_DIRECTORY);
    close(at);
    at = next;
    SN_TRY(at);
    part += n + 1;
  }
}

// The same file, or a status, and then it is closed.
static int accept_file(const walk *w, int file) {
  sn_status status = check_file(w, file);
  if (status < 0) {
    close(file);
    return status;
  }
  return file;
}

// *folder: its folder, open as well unless it is negative.
static int open_checked(const walk *w, int *folder) {
  const char *name = strrchr(w->whole, '/') + 1;
  *folder = open_folder(w, name);
  SN_TRY(*folder);
  if (!*name) {
    name = ".";   // the root itself
  }
  int file = open_part(w, *folder, name, strlen(name), FILE_FLAGS);
  return file < 0 ? file : accept_file(w, file);
}

static sn_status resolve(const char *path, const char *kind, char **whole, sn_error *error) {
  *whole = realpath(path, NULL);
  if (*whole) {
    return SN_OK;
  }
  return errno == ENOMEM ? si_no_memory(error) : fail_open(kind, path, error);
}

int si_trust_open(const char *path, const char *kind, sn_error *error) {
  char *whole = NULL;
  const int descriptor = si_trust_open_near(NULL, path, kind, &whole, error);
  free(whole);
  return descriptor;
}

// ------------------------------------------------------------------ the next file of a folder

void si_trusted_free(si_trusted *near) {
  if (near->folder) {
    free(near->given);
    free(near->folder);
    close(near->descriptor);
    *near = (si_trusted){ 0 };
  }
}

// Takes the descriptor of the folder of `whole`, the file that `path` led to. Not if `path` is a
// symbolic link to a file in another folder: files next to the link are then in a folder that has
// not been checked.
static void remember(si_trusted *near, const char *path, const char *whole, int folder) {
  const char *end = strrchr(path, '/');
  const size_t n = (size_t)(strrchr(whole, '/') - whole);
  si_trusted now = { .descriptor = folder };
  now.given = end ? si_text("%.*s", (int)(end - path), path) : NULL;
  now.folder = now.given ? realpath(now.given, NULL) : NULL;
  if (now.folder && strlen(now.folder) == n && strncmp(now.folder, whole, n) == 0) {
    si_trusted_free(near);
    *near = now;
  } else {
    free(now.given);
    free(now.folder);
    close(folder);
  }
}

// A file of the same folder that is no symbolic link; NULL: it is none, or cannot be opened.
static char *open_beside(const si_trusted *near, const char *path, int *file) {
  const size_t n = near->folder ? strlen(near->given) : 0;
  if (n == 0 || strncmp(path, near->given, n) != 0 || path[n] != '/' || strchr(path + n + 1, '/')) {
    return NULL;
  }
  *file = openat(near->descriptor, path + n + 1, FILE_FLAGS | O_NOFOLLOW | O_CLOEXEC);
  if (*file < 0) {
    return NULL;
  }
  char *whole = si_text("%s%s", near->folder, path + n);
  if (!whole) {
    close(*file);
  }
  return whole;
}

int si_trust_open_near(si_trusted *near, const char *path, const char *kind, char **whole,
                       sn_error *error) {
  walk w = { .kind = kind, .error = error };
  int file;
  *whole = near ? open_beside(near, path, &file) : NULL;
  w.whole = *whole;
  if (*whole) {
    return accept_file(&w, file);
  }
  SN_TRY(resolve(path, kind, whole, error));
  w.whole = *whole;
  int folder;
  file = open_checked(&w, &folder);
  if (near && file >= 0) {
    remember(near, path, *whole, folder);
  } else if (folder >= 0) {
    close(folder);
  }
  return file;
}

// The folder in which the first missing part of a path would be made; the path loses the rest.
static char *existing_folder(char *path) {
  char *whole = NULL;
  while (!whole) {
    char *slash = strrchr(path, '/');
    if (!slash) {
      return realpath(".", NULL);
    }
    *slash = '\0';
    whole = realpath(slash == path ? "/" : path, NULL);
    if (!whole && (slash == path || errno == ENOMEM)) {
      return NULL;
    }
  }
  return whole;
}

sn_status si_trust_absent(const char *path, const char *kind, sn_error *error) {
  char *copy = strdup(path), *whole = copy ? existing_folder(copy) : NULL;
  free(copy);
  if (!whole) {
    return si_no_memory(error);
  }
  const walk w = { .whole = whole, .kind = kind, .error = error };
  const size_t n = strlen(whole);
  int at = open_folder(&w, whole + (n > 1 ? n + 1 : 1));
  struct stat s;
  sn_status status = at < 0 ? at : SN_OK;
  if (at >= 0 && fstat(at, &s) == 0 && others_write(&s, at) &&
      ((s.st_mode & S_ISVTX) || !holds_us(whole, n))) {
    status = si_fail(error, SN_EPLUGIN, "other users could create the %s %s", kind, path);
  }
  if (at >= 0) {
    close(at);
  }
  free(whole);
  return status;
}
