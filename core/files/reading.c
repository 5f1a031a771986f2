// SPDX-License-Identifier: Apache-2.0

#include "files/reading.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 2000 };   // a model that depends on more is not worth it

static int has_stamp(int32_t kind) {
  return kind == SI_READ_FILE || kind == SI_READ_CODE || kind == SI_READ_FOLDER;
}

static const si_dependency *find(const si_reading *r, int32_t kind, const char *path) {
  for (int64_t i = 0; i < r->n; i++) {
    if (r->at[i].kind == kind && strcmp(r->at[i].path, path) == 0) {
      return &r->at[i];
    }
  }
  return NULL;
}

static void add(si_reading *r, int32_t kind, const char *path, const si_stamp *stamp) {
  const si_dependency *before = find(r, kind, path);
  if (before) {
    r->is_open |= has_stamp(kind) && !si_stamp_same(&before->stamp, stamp);
    return;
  }
  si_dependency *more = si_grow(r->at, r->n, &r->capacity, sizeof *more);
  r->at = more ? more : r->at;
  char *copy = more && r->n < MOST ? strdup(path) : NULL;
  if (!copy) {
    r->is_open = 1;
    return;
  }
  r->at[r->n++] = (si_dependency){ .kind = kind, .stamp = *stamp, .path = copy };
}

// Does the path lead to what this kind says?
static int agrees(int32_t kind, int exists, const si_stamp *stamp) {
  const int is_file = exists && si_stamp_is_file(stamp),
            is_folder = exists && si_stamp_is_folder(stamp);
  return kind == SI_READ_NO_FILE     ? !is_file
         : kind == SI_READ_NO_FOLDER ? !is_folder
         : kind == SI_READ_FOLDER    ? is_folder
                                     : is_file;
}

// Code is read when the process starts, or later.
static int64_t time_of_reading(si_reading *r, int32_t kind) {
  if (kind != SI_READ_CODE) {
    return si_stamp_now();
  }
  r->started = r->started ? r->started : si_stamp_of_process();
  return r->started;
}

void si_reading_add(si_reading *reading, int32_t kind, const char *path) {
  si_stamp stamp;
  if (!reading || reading->is_open) {
    return;
  }
  const char *there = path[0] ? path : ".";
  const int exists = si_stamp_path(there, &stamp);
  if (!agrees(kind, exists, &stamp) ||
      (has_stamp(kind) && !si_stamp_is_settled(&stamp, time_of_reading(reading, kind)))) {
    reading->is_open = 1;
    return;
  }
  add(reading, kind, there, has_stamp(kind) ? &stamp : &(si_stamp){ .size = 0 });
}

void si_reading_add_open(si_reading *reading, const char *path, int descriptor) {
  si_stamp stamp;
  if (!reading || reading->is_open) {
    return;
  }
  if (!si_stamp_descriptor(descriptor, &stamp) || !si_stamp_is_settled(&stamp, si_stamp_now())) {
    reading->is_open = 1;
    return;
  }
  add(reading, SI_READ_FILE, path, &stamp);
}

void si_reading_add_code(si_reading *reading, const char *path, uint64_t inode) {
  si_stamp stamp;
  if (path[0] == '/' && si_stamp_path(path, &stamp) && stamp.inode == inode) {
    si_reading_add(reading, SI_READ_CODE, path);
  } else {
    reading->is_open = 1;
  }
}

void si_reading_open(si_reading *reading) {
  if (reading) {
    reading->is_open = 1;
  }
}

void si_reading_free(si_reading *reading) {
  for (int64_t i = 0; i < reading->n; i++) {
    free(reading->at[i].path);
  }
  free(reading->at);
  *reading = (si_reading){ .n = 0 };
}

int si_dependency_holds(const si_dependency *d) {
  si_stamp stamp;
  const int exists = si_stamp_path(d->path, &stamp);
  return agrees(d->kind, exists, &stamp) &&
         (!has_stamp(d->kind) || si_stamp_same(&d->stamp, &stamp));
}
