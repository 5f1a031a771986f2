// SPDX-License-Identifier: Apache-2.0
//
// What tests of models that are kept share. Whether a model was taken from its entry is seen from
// the entry, which is another file when it was written again.

#ifndef SN_TEST_KEPT_MODELS_H
#define SN_TEST_KEPT_MODELS_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "api/binary.h"
#include "model/model.h"
#include "platform/stamp.h"
#include "temporary_folder.h"

static sn_error *error;

#define OK(call) ck_assert_msg((call) >= 0, "%s: %s", #call, sn_error_text(error))

// ------------------------------------------------------------------ engines, entries

static const char *config;   // of the engines that are opened

static inline const char *kept_folder(void) {
  static char path[128];
  snprintf(path, sizeof path, "%s/kept/models", folder);
  return path;
}

// caches: "yes" or "no"
static inline sn_engine *open_with(const char *caches) {
  const sn_engine_request request = { .size = sizeof request,
                                      .flags = SN_ENGINE_ALONE,
                                      .config = config };
  sn_engine *engine = sn_engine_open_with(&request, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  OK(sn_engine_set(engine, "cache.models", caches, error));
  OK(sn_engine_set(engine, "cache.folder", kept_folder(), error));
  return engine;
}

// Files in the folder of models; the last one's number.
static inline int entries(ino_t *number) {
  DIR *d = opendir(kept_folder());
  int n = 0;
  *number = 0;
  for (const struct dirent *e; d && (e = readdir(d));) {
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) {
      *number = e->d_ino;
      n++;
    }
  }
  if (d) {
    closedir(d);
  }
  return n;
}

// A file that has just been written is not kept.
static inline void wait_a_moment(void) {
  nanosleep(&(struct timespec){ .tv_nsec = 150000000 }, NULL);
}

// What is compared of a model: its arrays and settings, its texts, its state after some steps.
typedef struct image {
  uint8_t *bytes;
  int64_t n;
} image;

static inline sn_status grow(sn_sink *sink, const void *bytes, int64_t count) {
  image *i = sink->context;
  i->bytes = realloc(i->bytes, (size_t)(i->n + count));
  memcpy(i->bytes + i->n, bytes, (size_t)count);
  i->n += count;
  return SN_OK;
}

static inline image image_of(const sn_model *m, int steps) {
  image i = { NULL, 0 };
  sn_sink sink = { .size = sizeof sink, .context = &i, .write = grow };
  OK(si_model_write(m, &sink, error));
  for (int64_t k = 0; sn_model_warning(m, k); k++) {
    grow(&sink, sn_model_warning(m, k), (int64_t)strlen(sn_model_warning(m, k)) + 1);
  }
  for (int64_t k = 0; sn_model_note(m, k); k++) {
    grow(&sink, sn_model_note(m, k), (int64_t)strlen(sn_model_note(m, k)) + 1);
  }
  sn_data *d = sn_data_new(m, error);
  ck_assert_msg(d != NULL, "%s", sn_error_text(error));
  for (int k = 0; k < steps; k++) {
    sn_step(m, d);
  }
  const uint64_t hash = sn_state_hash(m, d, SN_STATE_INTEGRATION);
  grow(&sink, &hash, sizeof hash);
  sn_data_free(d);
  return i;
}

static inline image load_in(sn_engine *engine, const char *path, int steps) {
  sn_model *m = sn_load(engine, path, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  const image i = image_of(m, steps);
  sn_model_free(m);
  return i;
}

static inline image load(const char *caches, const char *path, int steps) {
  sn_engine *engine = open_with(caches);
  const image i = load_in(engine, path, steps);
  sn_engine_close(engine);
  return i;
}

static inline int is_same(const image *a, const image *b) {
  return a->n == b->n && memcmp(a->bytes, b->bytes, (size_t)a->n) == 0;
}

// The model is that of compiling it. What happened to its entry: it was taken, written, or there is
// none.
enum { TAKEN, WRITTEN, NONE };
static inline int load_and_compare(const char *path, int steps) {
  ino_t before, after;
  const int n = entries(&before);
  image kept = load("yes", path, steps);
  const int grown = entries(&after) - n;
  image compiled = load("no", path, steps);
  ck_assert_msg(is_same(&kept, &compiled), "%s: another model than by compiling", path);
  free(kept.bytes);
  free(compiled.bytes);
  return grown > 0 || before != after ? WRITTEN : n > 0 ? TAKEN : NONE;
}

static inline void is_kept(const char *path) {
  ck_assert_int_eq(load_and_compare(path, 0), WRITTEN);
  ck_assert_int_eq(load_and_compare(path, 0), TAKEN);
}

static inline void is_never_kept(const char *path) {
  ck_assert_int_eq(load_and_compare(path, 0), NONE);
  ck_assert_int_eq(load_and_compare(path, 0), NONE);
}

static inline void set_up(void) {
  open_folder();
  error = sn_error_new();
  config = SN_TEST_BUILD "/sinew.ini";
}

// A process keeps nothing that was started in the moment when its program was linked. Each case is
// a process of its own, which is started later.
static inline int is_old_enough(void) {
  si_stamp stamp;
  while (si_stamp_path("/proc/self/exe", &stamp) &&
         !si_stamp_is_settled(&stamp, si_stamp_now() - 50000000)) {
    wait_a_moment();
  }
  return 1;
}

static inline void tear_down(void) {
  sn_error_free(error);
  close_folder();
}

#define BALL(size) "<mujoco><worldbody><body><freejoint/>"                        \
                   "<geom size='" size "'/></body></worldbody></mujoco>"
#define MAIN "<mujoco><include file='part.xml'/></mujoco>"

#endif
