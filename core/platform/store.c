// SPDX-License-Identifier: Apache-2.0
//
// The time when a file was used last is its time of modification: a file that is read gets the
// present time if its own is more than an hour old. Files appear by rename, from temporary files
// ".sinew-...", so several processes may write one file at a time.

#include "platform/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "platform/file.h"

static const char temporary[] = ".sinew-";
enum { HOUR = 3600, NAME_SIZE = 64, KEY_DIGITS = 16 };

// ------------------------------------------------------------------ the folder

static int is_own(const struct stat *s) {
  return s->st_uid == geteuid() && (s->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Makes the folders of a path that are missing. The first of them must be in one of this user's:
// what root makes in the home of another user would be in the way there.
static void make_folders(char *path) {
  struct stat s;
  char *slash = strrchr(path, '/');
  if (stat(path, &s) == 0 || !slash || slash == path) {
    return;
  }
  *slash = '\0';
  make_folders(path);
  const int may = stat(path, &s) == 0 && s.st_uid == geteuid();
  *slash = '/';
  if (may) {
    mkdir(path, 0700);
  }
}

int si_store_open(const char *folder, int makes) {
  enum { HOW = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
  int store = open(folder, HOW);
  char *copy = store < 0 && makes ? strdup(folder) : NULL;
  if (copy) {
    make_folders(copy);
    store = open(folder, HOW);
  }
  free(copy);
  struct stat s;
  if (store >= 0 && !(fstat(store, &s) == 0 && is_own(&s))) {
    close(store);
    store = -1;
  }
  return store;
}

void si_store_close(int store) {
  if (store >= 0) {
    close(store);
  }
}

// ------------------------------------------------------------------ reading

// Not mapped: a file that is cut off meanwhile would end the process (SIGBUS).
static si_stored read_all(int file, int64_t count) {
  uint8_t *bytes = malloc((size_t)count);
  if (!bytes || si_file_read(file, bytes, count) != count) {
    free(bytes);
    return (si_stored){ .bytes = NULL };
  }
  return (si_stored){ .bytes = bytes, .count = (size_t)count };
}

si_stored si_store_read(int store, const char *name, double most) {
  si_stored stored = { .bytes = NULL };
  const int file = openat(store, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  struct stat s;
  if (file < 0) {
    return stored;
  }
  if (fstat(file, &s) == 0 && S_ISREG(s.st_mode) && is_own(&s) && s.st_size > 0 &&
      (double)s.st_size <= most) {
    stored = read_all(file, s.st_size);
  }
  stored.is_first_use = stored.bytes && s.st_mtime < time(NULL) - HOUR;
  if (stored.is_first_use) {
    futimens(file, NULL);
  }
  close(file);
  return stored;
}

void si_store_release(si_stored *stored) {
  free((void *)(uintptr_t)stored->bytes);
  *stored = (si_stored){ .bytes = NULL };
}

// ------------------------------------------------------------------ writing

static int write_all(int file, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    const ssize_t n = write(file, bytes, count);
    if (n <= 0 && !(n < 0 && errno == EINTR)) {
      return 0;
    }
    bytes += n > 0 ? n : 0;
    count -= n > 0 ? (size_t)n : 0;
  }
  return 1;
}

// A write beyond this limit would end the process (SIGXFSZ).
static int is_allowed(const si_store_part *parts, int n) {
  struct rlimit limit;
  rlim_t bytes = 0;
  for (int i = 0; i < n; i++) {
    bytes += parts[i].count;
  }
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
         (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

int si_store_write(int store, const char *name, const si_store_part *parts, int n) {
  char draft[NAME_SIZE];
  uint64_t random[2];
  if (!is_allowed(parts, n) ||
      getrandom(random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random) {
    return 0;
  }
  snprintf(draft, sizeof draft, "%s%016llx%016llx", temporary, (unsigned long long)random[0],
           (unsigned long long)random[1]);
  const int file = openat(store, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  int done = file >= 0;
  for (int i = 0; i < n && done; i++) {
    done = write_all(file, parts[i].bytes, parts[i].count);
  }
  if (file >= 0) {
    done = close(file) == 0 && done && renameat(store, draft, store, name) == 0;
  }
  if (file >= 0 && !done) {
    unlinkat(store, draft, 0);
  }
  return done;
}

// ------------------------------------------------------------------ shrinking

typedef struct kept_file {
  char name[NAME_SIZE];
  time_t used;
  double bytes;
} kept_file;

static int is_older(const void *a, const void *b) {
  const kept_file *x = a, *y = b;
  return x->used != y->used ? (x->used > y->used) - (x->used < y->used) : strcmp(x->name, y->name);
}

static int is_key(const char *name, const char *ending) {
  return strspn(name, "0123456789abcdef") == KEY_DIGITS && strcmp(name + KEY_DIGITS, ending) == 0;
}

// Adds the file to the list, or removes it. False: no memory.
static int look_at(int store, const char *name, const char *ending, kept_file **list, size_t *n) {
  struct stat s;
  const int is_draft = strncmp(name, temporary, strlen(temporary)) == 0;
  if (strlen(name) >= NAME_SIZE || !(is_draft || is_key(name, ending)) ||
      fstatat(store, name, &s, AT_SYMLINK_NOFOLLOW) != 0) {
    return 1;
  }
  if (is_draft) {
    if (s.st_mtime < time(NULL) - HOUR) {
      unlinkat(store, name, 0);
    }
    return 1;
  }
  kept_file *more = reallocarray(*list, *n + 1, sizeof *more);
  if (!more) {
    return 0;
  }
  *list = more;
  kept_file *file = &more[(*n)++];
  *file = (kept_file){ .used = s.st_mtime, .bytes = (double)s.st_size };
  strcpy(file->name, name);
  return 1;
}

void si_store_shrink(int store, const char *ending, double most) {
  const int again = openat(store, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = again < 0 ? NULL : fdopendir(again);
  kept_file *list = NULL;
  size_t n = 0;
  double bytes = 0;
  int whole = folder != NULL;
  if (!folder && again >= 0) {
    close(again);
  }
  for (const struct dirent *e; whole && (e = readdir(folder));) {
    whole = look_at(store, e->d_name, ending, &list, &n);
  }
  for (size_t i = 0; i < n; i++) {
    bytes += list[i].bytes;
  }
  if (n > 0) {
    qsort(list, n, sizeof *list, is_older);
  }
  for (size_t i = 0; i < n && bytes > most; i++) {
    unlinkat(store, list[i].name, 0);
    bytes -= list[i].bytes;
  }
  free(list);
  if (folder) {
    closedir(folder);
  }
}
