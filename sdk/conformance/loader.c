// SPDX-License-Identifier: Apache-2.0
//
// Tests a loader: any bytes result in a spec, or in an error with a message. The inputs are random
// bytes, truncated files, and those that are made of a file that the user names, which it must
// read.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit.h"

static sn_status open_nothing(sn_source *source, const char *name, sn_source **child,
                              sn_error *error) {
  const sn_host *host = source->context;
  (void)name;
  *child = NULL;
  return host->error(host, error, SN_EIO, source->name, 0, 0, "there is no other file");
}

static void close_nothing(sn_source *child) {
  (void)child;
}

enum { LONGEST = 200 };   // bytes of an input

typedef struct tally {
  int probes_bad, odd_score, silent, loads, changed;
} tally;

// bytes: n, and a zero behind.
static void try_bytes(kit *k, const uint8_t *bytes, int64_t n, tally *t) {
  const sn_loader_ops *ops = k->provider->ops;
  uint8_t *before = malloc((size_t)n + 1);
  if (!before) {
    return;
  }
  memcpy(before, bytes, (size_t)n + 1);
  int32_t score = KIT_CALL(ops, probe)(k->self, bytes, n, "conformance");
  if (score < 0 || score > 100) {
    t->probes_bad++;
    t->odd_score = score;
  }
  sn_error *error = sn_error_new();
  sn_spec *spec = sn_spec_new(k->engine, error);
  if (spec) {
    sn_source source = { .size = sizeof source,
                         .name = "conformance",
                         .bytes = bytes,
                         .count = n,
                         .context = (void *)(uintptr_t)sn_engine_host(k->engine),
                         .open = open_nothing,
                         .close = close_nothing };
    sn_status status = KIT_CALL(ops, load)(k->self, &source, sn_spec_builder(spec), error);
    t->silent += status < 0 && !*sn_error_message(error);
    t->loads++;
    t->changed += memcmp(before, bytes, (size_t)n + 1) != 0;
    sn_spec_free(spec);
  }
  sn_error_free(error);
  free(before);
}

// ------------------------------------------------------------------ the file of the user

kit_sample kit_loader_sample;

// Whole, with the other files that it names.
static void check_sample(kit *k) {
  const sn_loader_ops *ops = k->provider->ops;
  const kit_sample *s = &kit_loader_sample;
  const int32_t score = KIT_CALL(ops, probe)(k->self, s->bytes, s->n, s->path);
  if (score <= 0) {
    kit_report(k, "sample", s->is_for_any ? KIT_SKIPPED : KIT_FAILED,
               "probe returns %d for it, so it is not recognized; from 1 to 100 is returned for a "
               "file of its format",
               (int)score);
    return;
  }
  sn_error *error = sn_error_new();
  kit_note_operation("load");
  sn_spec *spec = sn_spec_load(k->engine, s->path, error);
  kit_check(k, "sample", spec != NULL, "%s", spec ? "it is read" : sn_error_text(error));
  sn_spec_free(spec);
  sn_error_free(error);
}

// Truncated, and with bytes that are replaced.
static void damage_sample(kit *k, tally *t) {
  enum { VERSIONS = 100 };
  const kit_sample *s = &kit_loader_sample;
  uint8_t *bytes = malloc((size_t)s->n + 1);
  for (int i = 0; bytes && i < VERSIONS; i++) {
    const int64_t n = i % 2 ? s->n : s->n * i / VERSIONS;
    memcpy(bytes, s->bytes, (size_t)n);
    bytes[n] = 0;
    for (int c = 0; i % 2 && n > 0 && c < 1 + i / 10; c++) {
      bytes[(int64_t)kit_between(k, 0, (double)n)] = (uint8_t)kit_between(k, 0, 256);
    }
    try_bytes(k, bytes, n, t);
  }
  free(bytes);
}

void kit_loader(kit *k) {
  // clang-format off
  static const char *const texts[] = {
    "", " ", "<", "<>", "<a", "<a>", "<a/>", "<a><b></a>", "<mujoco", "<mujoco>",
    "<mujoco><worldbody><body>", "<mujoco><a/></mujoco>", "<robot name='r'>", "<robot/>",
    "<!-- no end", "<!DOCTYPE a [<!ENTITY b 'c'>]>", "{", "[[[[", "\xff\xfe<", "<x_xy>",
  };
  // clang-format on
  enum { RANDOM = 200 };
  const sn_loader_ops *ops = k->provider->ops;
  if (!ops->probe || !ops->load) {
    kit_report(k, "operations", KIT_FAILED, "probe or load is missing");
    return;
  }
  tally t = { 0 };
  uint8_t bytes[LONGEST + 1];
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    size_t n = strlen(texts[i]);
    memcpy(bytes, texts[i], n + 1);
    try_bytes(k, bytes, (int64_t)n, &t);
  }
  for (int i = 0; i < RANDOM; i++) {
    int64_t n = (int64_t)kit_between(k, 0, LONGEST);
    for (int64_t c = 0; c < n; c++) {
      bytes[c] = (uint8_t)kit_between(k, 0, 256);
    }
    bytes[n] = 0;
    try_bytes(k, bytes, n, &t);
  }
  if (kit_loader_sample.path) {
    check_sample(k);
    damage_sample(k, &t);
  }
  kit_require(k, "probe", t.probes_bad == 0, "the confidence is from 0 to 100",
              "%d calls of probe returned a confidence such as %d; it is from 0 to 100",
              t.probes_bad, t.odd_score);
  kit_check(k, "any input", t.loads > 0 && t.silent == 0,
            "%d inputs resulted in a spec or an error, %d errors had no message%s", t.loads,
            t.silent, t.silent ? "; fill them with host->error" : "");
  kit_require(k, "inputs", t.changed == 0, "probe and load change no bytes of their source",
              "probe or load changed the bytes of %d of %d sources; they may only be read",
              t.changed, t.loads);
}
