// SPDX-License-Identifier: Apache-2.0
//
// Tests a provider of files: every name, and every archive however damaged, gives a file or an
// error with a message; `read` writes the bytes that `open` counted and no others, the same each
// time; what `list` lists is there. Of archive formats the kit knows zip.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "kit.h"
#include "sinew/resource.h"

enum { MOST_FILES = 40, MOST_DEPTH = 3, MOST_PATH = 512, MOST_BYTES = 1 << 26, GUARD = 64 };

typedef struct tally {
  kit *k;
  const sn_source *archive;   // NULL: names with a prefix
  const char *parent;         // the folder that is being listed
  int depth;
  int probes, probes_bad;
  int tries, silent, statuses;   // failures without a message; unknown statuses
  int files, sizes, outside, unequal;
  int listed, unlisted;   // files that `list` listed; of these that cannot be opened
} tally;

static const sn_resource_ops *ops_of(const tally *t) {
  return t->k->provider->ops;
}

// ------------------------------------------------------------------ one file

// The content between guard bytes, freed with free; NULL: it could not be read.
static uint8_t *read_guarded(tally *t, void *file, int64_t count, sn_error *error,
                             sn_status *status) {
  uint8_t *block = malloc((size_t)count + 2 * GUARD);
  if (!block) {
    return NULL;
  }
  memset(block, 0xa5, (size_t)count + 2 * GUARD);
  *status = ops_of(t)->read(t->k->self, file, block + GUARD, error);
  int changed = 0;
  for (int i = 0; i < GUARD; i++) {
    changed |= block[i] != 0xa5 || block[GUARD + count + i] != 0xa5;
  }
  t->outside += changed;
  return block;
}

// The content of a file, freed with free; NULL: an error.
static uint8_t *read_file(tally *t, const char *name, int64_t *count) {
  sn_error *error = sn_error_new();
  void *file = NULL;
  uint8_t *block = NULL;
  *count = -1;
  sn_status status = ops_of(t)->open(t->k->self, t->archive, name, &file, count, error);
  const int opened = status >= 0;
  t->statuses += status > 0;
  if (opened && (*count < 0 || *count > INT64_C(1) << 62)) {
    t->sizes++;
  } else if (opened && *count <= MOST_BYTES) {
    block = read_guarded(t, file, *count, error, &status);
    t->statuses += status > 0;
  }
  if (opened) {
    ops_of(t)->close(t->k->self, file);
  }
  t->tries++;
  t->silent += status < 0 && !*sn_error_message(error);
  sn_error_free(error);
  if (status != SN_OK) {
    free(block);
    block = NULL;
  }
  return block;
}

// Reads a file twice; false: it cannot be read. text: what it has to contain; NULL: not known.
static int try_file(tally *t, const char *name, const char *text) {
  int64_t n, m;
  uint8_t *first = read_file(t, name, &n), *second = first ? read_file(t, name, &m) : NULL;
  if (first) {
    t->files++;
    t->unequal += !second || n != m || memcmp(first + GUARD, second + GUARD, (size_t)n) != 0 ||
                  (text &&
                   (n != (int64_t)strlen(text) || memcmp(first + GUARD, text, (size_t)n) != 0));
  }
  free(first);
  free(second);
  return first != NULL;
}

// ------------------------------------------------------------------ folders

static void list_folder(tally *t, const char *folder);

static sn_status try_entry(void *context, const char *name, int32_t is_folder) {
  tally *t = context;
  char path[MOST_PATH];
  const size_t n = strlen(t->parent);
  const char *between = n > 0 && t->parent[n - 1] != '/' && t->parent[n - 1] != ':' ? "/" : "";
  if (t->listed >= MOST_FILES || !name[0] || name[0] == '.' ||
      (size_t)snprintf(path, sizeof path, "%s%s%s", t->parent, between, name) >= sizeof path) {
    return SN_OK;
  }
  if (is_folder) {
    list_folder(t, path);
  } else {
    t->listed++;
    t->unlisted += !try_file(t, path, NULL);
  }
  return SN_OK;
}

static void list_folder(tally *t, const char *folder) {
  const char *outer = t->parent;
  if (!ops_of(t)->list || t->depth == MOST_DEPTH) {
    return;
  }
  t->parent = folder;
  t->depth++;
  t->statuses += ops_of(t)->list(t->k->self, t->archive, folder, t, try_entry) > 0;
  t->depth--;
  t->parent = outer;
}

// ------------------------------------------------------------------ names with a prefix

static void try_prefix(tally *t, const char *prefix, size_t length) {
  static const char *const names[] = { "a", "no such file", "a/b/c.xml", "%s%n%d", "\xff\xfe",
                                       "a\nb", "CON", "~/a", "a.zip/b" };
  char name[MOST_PATH];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    snprintf(name, sizeof name, "%.*s%s", (int)length, prefix, names[i]);
    try_file(t, name, NULL);
  }
  snprintf(name, sizeof name, "%.*s%0400d", (int)length, prefix, 0);
  try_file(t, name, NULL);
  snprintf(name, sizeof name, "%.*s", (int)length, prefix);
  list_folder(t, name);
}

static void try_prefixes(tally *t) {
  const char *list = ops_of(t)->prefixes;
  while (list && *list) {
    const size_t n = strcspn(list, "|");
    try_prefix(t, list, n);
    list += n + (list[n] == '|');
  }
}

// ------------------------------------------------------------------ archives

static const archive_file files[] = { { "robot.xml", "<robot/>", 0 },
                                      { "empty", "", 0 },
                                      { "mesh/hand.stl", "solid hand", 0 },
                                      { "mesh/deep/arm.stl", "solid arm", 0 } };
enum { NFILES = sizeof files / sizeof files[0], ROOM = 2048 };

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

static int probe(tally *t, const uint8_t *bytes, int64_t count) {
  if (!ops_of(t)->probe) {
    return 0;
  }
  const int32_t score = ops_of(t)->probe(t->k->self, bytes, count, "conformance");
  t->probes++;
  t->probes_bad += score < 0 || score > 100;
  return score > 0;
}

// The files of an archive, of which nothing may be expected when it is damaged.
static void try_archive(tally *t, const uint8_t *bytes, int64_t count, int damaged) {
  const sn_source source = { .size = sizeof source,
                             .name = "conformance.archive",
                             .bytes = bytes,
                             .count = count,
                             .context = (void *)(uintptr_t)sn_engine_host(t->k->engine),
                             .open = open_nothing,
                             .close = close_nothing };
  t->archive = &source;
  int found = 0;
  for (int i = 0; i < NFILES; i++) {
    found += try_file(t, files[i].name, damaged ? NULL : files[i].text);
  }
  if (!damaged) {
    kit_check(t->k, "content of a zip archive", found == NFILES && !try_file(t, "mesh", NULL),
              "%d of %d files were found in an archive of the kit", found, NFILES);
    list_folder(t, "");
  }
  t->archive = NULL;
}

static void try_archives(tally *t) {
  uint8_t good[ROOM], bytes[ROOM];
  const int64_t n = archive_write(files, NFILES, good, ROOM - 1);
  good[n] = 0;
  for (int i = 0; i < 200; i++) {
    const int64_t some = (int64_t)kit_between(t->k, 0, 200);
    for (int64_t c = 0; c < some; c++) {
      bytes[c] = (uint8_t)kit_between(t->k, 0, 256);
    }
    bytes[some] = 0;
    if (probe(t, bytes, some)) {
      try_archive(t, bytes, some, 1);
    }
  }
  if (!ops_of(t)->probe) {
    return;
  }
  if (!probe(t, good, n)) {
    kit_report(t->k, "content of a zip archive", KIT_SKIPPED, "it recognizes no zip archive");
    return;
  }
  try_archive(t, good, n, 0);
  for (int64_t i = 0; i < n; i++) {
    memcpy(bytes, good, (size_t)n + 1);
    bytes[i] = (uint8_t)(bytes[i] + 0x7f);
    if (probe(t, bytes, n)) {
      try_archive(t, bytes, n, 1);
    }
    memcpy(bytes, good, (size_t)n);
    bytes[i] = 0;   // the rest is beyond the count
    if (probe(t, bytes, i)) {
      try_archive(t, bytes, i, 1);
    }
  }
}

// ------------------------------------------------------------------ all

void kit_resource(kit *k) {
  tally t = { .k = k, .parent = "" };
  const sn_resource_ops *ops = k->provider->ops;
  if (!ops->open || !ops->read || !ops->close) {
    kit_report(k, "operations", KIT_FAILED, "open, read or close is missing");
    return;
  }
  kit_check(k, "purpose", (ops->prefixes && *ops->prefixes) || ops->probe,
            "it declares a prefix, or recognizes archives");
  try_prefixes(&t);
  try_archives(&t);
  kit_check(k, "probe", t.probes_bad == 0, "the confidence is from 0 to 100 in all %d calls",
            t.probes);
  kit_check(k, "any name, any archive", t.silent == 0,
            "%d calls gave a file or an error, %d errors had no message", t.tries, t.silent);
  kit_check(k, "statuses", t.statuses == 0,
            "%d calls returned a status other than SN_OK or an error", t.statuses);
  kit_check(k, "sizes", t.sizes == 0, "%d files had an impossible size", t.sizes);
  kit_check(k, "outputs", t.outside == 0, "`read` wrote outside of %d of %d files", t.outside,
            t.files);
  kit_check(k, "the same content", t.unequal == 0,
            "%d of %d files had another content when they were read again, or a wrong one",
            t.unequal, t.files);
  if (ops->list) {
    kit_check(k, "list", t.unlisted == 0, "%d of %d listed files could not be opened", t.unlisted,
              t.listed);
  }
}
