// SPDX-License-Identifier: Apache-2.0

#include "platform/stamp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// The kernel's clock of changes ticks every 1 to 10 ms. File systems that keep whole seconds count
// one of them or, FAT, two.
#define SECOND INT64_C(1000000000)
#define TICK (SECOND / 10)
#define COARSE (2 * SECOND + TICK)

static int64_t nanoseconds(struct timespec t) {
  return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

static si_stamp stamp_of(const struct stat *s) {
  return (si_stamp){ .device = s->st_dev,
                     .inode = s->st_ino,
                     .mode = s->st_mode,
                     .size = s->st_size,
                     .modified = nanoseconds(s->st_mtim),
                     .changed = nanoseconds(s->st_ctim) };
}

int si_stamp_path(const char *path, si_stamp *stamp) {
  struct stat s;
  const int found = stat(path, &s) == 0;
  *stamp = found ? stamp_of(&s) : (si_stamp){ .size = 0 };
  return found;
}

int si_stamp_descriptor(int descriptor, si_stamp *stamp) {
  struct stat s;
  const int found = fstat(descriptor, &s) == 0;
  *stamp = found ? stamp_of(&s) : (si_stamp){ .size = 0 };
  return found;
}

int si_stamp_is_file(const si_stamp *stamp) {
  return S_ISREG(stamp->mode);
}

int si_stamp_is_folder(const si_stamp *stamp) {
  return S_ISDIR(stamp->mode);
}

int si_stamp_same(const si_stamp *a, const si_stamp *b) {
  return a->device == b->device && a->inode == b->inode && a->mode == b->mode &&
         a->size == b->size && a->modified == b->modified && a->changed == b->changed;
}

int si_stamp_is_settled(const si_stamp *stamp, int64_t read) {
  const int64_t last = stamp->changed > stamp->modified ? stamp->changed : stamp->modified;
  return last < read - (stamp->changed % SECOND == 0 ? COARSE : TICK);
}

static int64_t clock_now(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return nanoseconds(now);
}

int64_t si_stamp_now(void) {
  return clock_now(CLOCK_REALTIME);
}

// proc(5): the 22nd word of /proc/self/stat, in ticks since the machine was started. The second
// word is the name of the program in brackets, with any characters.
int64_t si_stamp_of_process(void) {
  enum { FIELD = 22, FIRST_AFTER_NAME = 3 };
  char text[1024];
  FILE *file = fopen("/proc/self/stat", "re");
  const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file) {
    fclose(file);
  }
  text[n] = '\0';
  const char *p = strrchr(text, ')');
  for (int i = FIRST_AFTER_NAME; p && i <= FIELD; i++) {
    p = strchr(p + 1, ' ');
  }
  const long rate = sysconf(_SC_CLK_TCK);
  const long long ticks = p ? strtoll(p, NULL, 10) : 0;
  if (ticks <= 0 || rate <= 0) {
    return 0;
  }
  const int64_t age = clock_now(CLOCK_BOOTTIME) - (int64_t)ticks * (SECOND / rate);
  return si_stamp_now() - age;
}
