// SPDX-License-Identifier: Apache-2.0
//
// Files that are written whole or not at all. The bytes go to a temporary file in the folder of the
// old one, which is flushed to the disk and then takes the old one's name:
//
//   write ...  ->  folder/.sinew-8f2c...  ->  fsync  ->  rename to folder/name
//
// Until the rename the old file is as it was, whatever happens: a full disk, a failure of the
// caller, a killed process. Where the file system can, the temporary file has no name until all is
// written (O_TMPFILE), so that a killed process leaves nothing behind. A symbolic link keeps
// pointing where it did: what it points to is replaced. The new file has the permissions of the old
// one.
//
// Written in place, without a temporary file: anything but regular files (a pipe, a terminal,
// /dev/null), descriptors of this process (/dev/stdout, /dev/fd/3), and old files whose folder
// allows no other way: a file that is a mount point, in a folder that this user cannot change, or
// another user's in a folder with the sticky bit, as /tmp has.

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum { BUFFER = 1 << 16, ATTEMPTS = 64, MOST_PARTS = 256 };

struct sn_output {
  sn_sink sink;      // first: what callers write to
  char *path;        // as the caller named it
  char *target;      // what is replaced, behind symbolic links; NULL: written in place
  char *temporary;   // NULL: none, or it has no name yet
  int file;
  int made_target;   // a symbolic link pointed to nothing; the file there is ours
  int cuts;          // written in place: what is there is cut off when the first byte comes
  int keeps_mode;    // an old file's permissions are in `mode`
  mode_t mode;
  int reason;        // errno of the first write that failed; 0: none did
  sn_output *part;   // the last file beside this one that is written with it
  sn_output *next;   // of a part: the one before
  int nparts;
  size_t used;
  uint8_t buffer[BUFFER];
};

// ------------------------------------------------------------------ where to

// The descriptor that a path means: "/dev/stdout", "/dev/fd/3"; -1: none.
static int own_descriptor(const char *path) {
  static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
  if (strcmp(path, "/dev/stdout") == 0) {
    return STDOUT_FILENO;
  }
  if (strcmp(path, "/dev/stderr") == 0) {
    return STDERR_FILENO;
  }
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    const size_t n = strlen(folders[i]);
    const char *digits = path + n;
    if (strncmp(path, folders[i], n) == 0 && *digits && strlen(digits) < 7 &&
        digits[strspn(digits, "0123456789")] == '\0') {
      return atoi(digits);
    }
  }
  return -1;
}

// The same, also where the path is a symbolic link to such a path.
static int linked_descriptor(const char *path) {
  char link[PATH_MAX];
  const int descriptor = own_descriptor(path);
  const ssize_t n = descriptor < 0 ? readlink(path, link, sizeof link - 1) : -1;
  if (n <= 0) {
    return descriptor;
  }
  link[n] = '\0';
  return own_descriptor(link);
}

// The folder of a path, of which `folder` is a copy.
static const char *folder_of(char *folder) {
  char *slash = strrchr(folder, '/');
  if (!slash) {
    return ".";
  }
  slash[slash == folder] = '\0';
  return folder;
}

static int is_mount_point(int file) {
  struct statx s;
  return statx(file, "", AT_EMPTY_PATH, 0, &s) == 0 &&
         (s.stx_attributes_mask & s.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

// In a folder with the sticky bit, only the owners of the file and of the folder may replace it.
static int is_kept(const char *target, const struct stat *old) {
  struct stat s;
  const uid_t user = geteuid();
  char *folder = strdup(target);
  const int kept = folder && user != 0 && old->st_uid != user && stat(folder_of(folder), &s) == 0 &&
                   (s.st_mode & S_ISVTX) && s.st_uid != user;
  free(folder);
  return kept;
}

// ------------------------------------------------------------------ the temporary file

// An unpredictable name beside the target. NULL: no memory or no randomness.
static char *temporary_name(const char *target) {
  uint64_t random[2];
  char *folder = strdup(target), *name = NULL;
  if (folder && getrandom(random, sizeof random, 0) == (ssize_t)sizeof random &&
      asprintf(&name, "%s/.sinew-%016llx%016llx", folder_of(folder), (unsigned long long)random[0],
               (unsigned long long)random[1]) < 0) {
    name = NULL;
  }
  free(folder);
  return name;
}

// A file that has no name yet. -1: this system cannot make one, or could not name it later.
static int open_nameless(const char *target, mode_t mode) {
  char *folder = strdup(target), link[64];
  int file = folder ? open(folder_of(folder), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode) : -1;
  free(folder);
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (file >= 0 && access(link, F_OK) != 0) {
    close(file);
    file = -1;
  }
  return file;
}

static int open_named(sn_output *o, mode_t mode) {
  int file = -1;
  errno = EEXIST;
  for (int i = 0; i < ATTEMPTS && file < 0 && errno == EEXIST; i++) {
    free(o->temporary);
    o->temporary = temporary_name(o->target);
    if (!o->temporary) {
      errno = ENOMEM;
      return -1;
    }
    file = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  }
  if (file < 0) {
    const int why = errno;
    free(o->temporary);
    o->temporary = NULL;
    errno = why;
  }
  return file;
}

// 1 when a new file can take the place of the old one, with the same owner where that is allowed.
// Users who could not read the old file must not be able to read the new one.
static int open_temporary(sn_output *o, const struct stat *old) {
  const mode_t mode = old ? 0600 : 0666;   // of a new file less what the umask forbids
  o->file = open_nameless(o->target, mode);
  o->file = o->file < 0 ? open_named(o, mode) : o->file;
  if (o->file < 0 || !old) {
    return o->file >= 0;
  }
  struct stat s;
  o->keeps_mode = 1;
  o->mode = old->st_mode & 0777;
  if (fchown(o->file, old->st_uid, old->st_gid) != 0 &&
      fchown(o->file, (uid_t)-1, old->st_gid) != 0 &&
      !(fstat(o->file, &s) == 0 && s.st_gid == old->st_gid)) {
    o->mode = (o->mode & ~(mode_t)0070) | ((o->mode & 0007) << 3);   // another group
  }
  return 1;
}

// ------------------------------------------------------------------ opening

// An old regular file, open for writing: it is replaced, or written in place where that is the only
// way. That it can be opened says that this user may change it. False: errno says why.
static int open_old(sn_output *o, int old) {
  struct stat s, there;
  o->target = realpath(o->path, NULL);
  if (!o->target || fstat(old, &s) != 0 || stat(o->target, &there) != 0) {
    return 0;
  }
  const int same = s.st_dev == there.st_dev && s.st_ino == there.st_ino;
  if (same && !is_mount_point(old) && !is_kept(o->target, &s)) {
    if (open_temporary(o, &s)) {
      close(old);
      return 1;
    }
    if (errno != EACCES && errno != EPERM && errno != EROFS) {
      return 0;
    }
  }
  free(o->target);
  o->target = NULL;
  o->file = old;
  o->cuts = 1;
  return 1;
}

// False: errno says why.
static int open_path(sn_output *o) {
  struct stat s;
  const int descriptor = linked_descriptor(o->path);
  if (descriptor >= 0) {
    o->file = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    return o->file >= 0;
  }
  const int is_there = stat(o->path, &s) == 0;
  if (!is_there && errno != ENOENT) {
    return 0;
  }
  if (is_there && !S_ISREG(s.st_mode)) {
    o->file = open(o->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return o->file >= 0;
  }
  if (!is_there && lstat(o->path, &s) != 0) {
    o->target = strdup(o->path);
    return o->target && open_temporary(o, NULL);
  }
  // the kernel decides whether a symbolic link may be followed
  int old = open(o->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | (is_there ? 0 : O_CREAT), 0666);
  o->made_target = old >= 0 && !is_there;
  if (old < 0 || open_old(o, old)) {
    return old >= 0;
  }
  const int why = errno;
  close(old);
  o->file = -1;
  errno = why;
  return 0;
}

static sn_status write_sink(sn_sink *sink, const void *bytes, int64_t count);
static sn_status open_part(sn_sink *sink, const char *part, sn_sink **file, const char **name);

sn_output *sn_output_open(const char *path, sn_error *error) {
  if (!path || !path[0]) {
    si_fail(error, SN_EINVAL, "a file requires a name");
    return NULL;
  }
  sn_output *o = calloc(1, sizeof *o);
  char *copy = strdup(path);
  if (!o || !copy) {
    free(o);
    free(copy);
    si_fail(error, SN_ENOMEM, "out of memory while writing %s", path);
    return NULL;
  }
  o->sink = (sn_sink){
    .size = sizeof(sn_sink), .context = o, .write = write_sink, .open = open_part
  };
  o->path = copy;
  o->file = -1;
  errno = 0;
  if (!open_path(o)) {
    o->reason = errno ? errno : ENOMEM;
    sn_output_close(o, SN_OK, error);
    return NULL;
  }
  return o;
}

sn_sink *sn_output_sink(sn_output *output) {
  return &output->sink;
}

// ------------------------------------------------------------------ writing

static int write_all(sn_output *o, const uint8_t *bytes, size_t count) {
  if (o->cuts && ftruncate(o->file, 0) != 0) {
    o->reason = errno;
  }
  o->cuts = 0;
  while (count > 0 && !o->reason) {
    const ssize_t n = write(o->file, bytes, count);
    if (n < 0 && errno != EINTR) {
      o->reason = errno;
    }
    bytes += n > 0 ? n : 0;
    count -= n > 0 ? (size_t)n : 0;
  }
  return !o->reason;
}

static int flush(sn_output *o) {
  const size_t n = o->used;
  o->used = 0;
  return write_all(o, o->buffer, n);
}

static sn_status write_sink(sn_sink *sink, const void *bytes, int64_t count) {
  sn_output *o = sink->context;
  size_t n = count > 0 ? (size_t)count : 0;
  if (o->used + n > BUFFER && !flush(o)) {
    return SN_EIO;
  }
  if (n > BUFFER) {
    return write_all(o, bytes, n) ? SN_OK : SN_EIO;
  }
  if (n > 0) {
    memcpy(o->buffer + o->used, bytes, n);
    o->used += n;
  }
  return o->reason ? SN_EIO : SN_OK;
}

// ------------------------------------------------------------------ files beside it

// "folder/robot.xml" and "part1": "folder/robot.part1.xml". NULL: no memory.
static char *name_of_part(const char *path, const char *part) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  const int stem = (int)(dot && dot > base ? (size_t)(dot - path) : strlen(path));
  char *name = NULL;
  return asprintf(&name, "%.*s.%s%s", stem, path, part, path + stem) < 0 ? NULL : name;
}

// Beside a regular file only, whose name others can use.
static sn_status open_part(sn_sink *sink, const char *part, sn_sink **file, const char **name) {
  sn_output *o = sink->context;
  if (!o->target || o->nparts == MOST_PARTS) {
    return SN_EUNSUPPORTED;
  }
  char *path = name_of_part(o->path, part);
  sn_output *p = path ? sn_output_open(path, NULL) : NULL;
  free(path);
  if (!p) {
    return SN_EIO;
  }
  p->sink.open = NULL;
  const char *slash = strrchr(p->path, '/');
  *name = slash ? slash + 1 : p->path;
  *file = &p->sink;
  p->next = o->part;
  o->part = p;
  o->nparts++;
  return SN_OK;
}

// ------------------------------------------------------------------ closing

// Names a file that had no name. False: errno says why.
static int name_temporary(sn_output *o) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", o->file);
  for (int i = 0; i < ATTEMPTS; i++) {
    o->temporary = temporary_name(o->target);
    if (!o->temporary) {
      errno = ENOMEM;
      return 0;
    }
    if (linkat(AT_FDCWD, link, AT_FDCWD, o->temporary, AT_SYMLINK_FOLLOW) == 0) {
      return 1;
    }
    const int why = errno;
    free(o->temporary);
    o->temporary = NULL;
    errno = why;
    if (why != EEXIST) {
      return 0;
    }
  }
  return 0;
}

// All that was written is on the disk, with the permissions of the old file. Pipes and the like
// cannot be synchronized, and need not be.
static int settle(sn_output *o) {
  if (!flush(o)) {
    errno = o->reason;
    return 0;
  }
  if (o->keeps_mode && fchmod(o->file, o->mode) != 0) {
    return 0;
  }
  return fsync(o->file) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP ||
         errno == ENOSYS;
}

// All of the file is on the disk, under a temporary name. False: errno says why.
static int complete(sn_output *o) {
  if (!settle(o) || (o->target && !o->temporary && !name_temporary(o))) {
    return 0;
  }
  const int file = o->file;
  o->file = -1;
  return close(file) == 0;
}

// False: errno says why.
static int take_place(sn_output *o) {
  if (o->target && rename(o->temporary, o->target) != 0) {
    return 0;
  }
  free(o->temporary);
  o->temporary = NULL;
  o->made_target = 0;
  return 1;
}

// The files beside a file, then the file itself, which includes them; NULL at the end.
static sn_output *first_of(sn_output *whole) {
  return whole->part ? whole->part : whole;
}

static sn_output *next_of(sn_output *whole, const sn_output *o) {
  return o == whole ? NULL : o->next ? o->next : whole;
}

// A step for all of them, as long as it goes well. The reason of a write that failed says more than
// what the writer made of it.
static sn_status step_all(sn_output *whole, int (*step)(sn_output *o), sn_status status,
                          sn_error *error) {
  for (sn_output *o = first_of(whole); o; o = next_of(whole, o)) {
    if (status >= 0 && !o->reason && !step(o)) {
      o->reason = errno ? errno : EIO;
    }
    if (o->reason) {
      const sn_location location = { .file = o->path };
      status = si_fail_at(error, SN_EIO, &location, "the file cannot be written: %s",
                          strerror(o->reason));
    }
  }
  return status;
}

static void discard(sn_output *o) {
  if (o->file >= 0) {
    close(o->file);
  }
  if (o->temporary) {
    unlink(o->temporary);
  }
  if (o->made_target && o->target) {
    unlink(o->target);
  }
  free(o->temporary);
  free(o->target);
  free(o->path);
  free(o);
}

sn_status sn_output_close(sn_output *output, sn_status status, sn_error *error) {
  if (!output) {
    return status;
  }
  // no file takes the place of an old one before all are complete
  status = step_all(output, complete, status, error);
  status = step_all(output, take_place, status, error);
  for (sn_output *o = first_of(output), *next; o; o = next) {
    next = next_of(output, o);
    discard(o);
  }
  return status;
}
