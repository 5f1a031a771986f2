// SPDX-License-Identifier: Apache-2.0
//
// Tests a provider of files: every name, and every archive however damaged, gives a file or an
// error with a message; `read` writes the bytes that `open` counted and no others, the same each
// time; what `list` lists is there. Of archive formats the kit knows zip; the tests of these are in
// zip_files.c.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resource.h"

enum { MOST_FILES = 40, MOST_DEPTH = 3, MOST_BYTES = 1 << 26, GUARD = 64 };

// ------------------------------------------------------------------ one file

// The content between guard bytes, freed with free; NULL: it could not be read.
static uint8_t *read_guarded(tally *t, void *file, int64_t count, sn_error *error,
                             sn_status *status) {
  uint8_t *block = malloc((size_t)count + 2 * GUARD);
  if (!block) {
    return NULL;
  }
  memset(block, 0xa5, (size_t)count + 2 * GUARD);
  *status = KIT_CALL(kit_resource_ops(t), read)(t->k->self, file, block + GUARD, error);
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
  sn_status status = KIT_CALL(kit_resource_ops(t), open)(t->k->self, t->archive, name, &file, count,
                                                         error);
  const int opened = status >= 0;
  t->statuses += status > 0;
  if (opened && (*count < 0 || *count > INT64_C(1) << 62)) {
    t->sizes++;
  } else if (opened && *count <= MOST_BYTES) {
    block = read_guarded(t, file, *count, error, &status);
    t->statuses += status > 0;
  }
  if (opened) {
    KIT_CALL(kit_resource_ops(t), close)(t->k->self, file);
  }
  t->tries++;
  t->silent += status < 0 && !*sn_error_message(error);
  sn_error_free(error);
  t->last = status;
  if (status != SN_OK) {
    free(block);
    block = NULL;
  }
  return block;
}

int kit_try_file(tally *t, const char *name, const char *text, int64_t size) {
  int64_t n, m;
  uint8_t *first = read_file(t, name, &n), *second = first ? read_file(t, name, &m) : NULL;
  if (first) {
    const int64_t expected = text && size == 0 ? (int64_t)strlen(text) : size;
    t->files++;
    t->unequal += !second || n != m || memcmp(first + GUARD, second + GUARD, (size_t)n) != 0 ||
                  (text && (n != expected || memcmp(first + GUARD, text, (size_t)n) != 0));
  }
  free(first);
  free(second);
  return first != NULL;
}

// ------------------------------------------------------------------ folders

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
    kit_list_folder(t, path);
  } else {
    t->listed++;
    t->unlisted += !kit_try_file(t, path, NULL, 0);
  }
  return SN_OK;
}

void kit_list_folder(tally *t, const char *folder) {
  const char *outer = t->parent;
  if (!kit_resource_ops(t)->list || t->depth == MOST_DEPTH) {
    return;
  }
  t->parent = folder;
  t->depth++;
  const sn_status status = KIT_CALL(kit_resource_ops(t), list)(t->k->self, t->archive, folder, t,
                                                               try_entry);
  t->statuses += kit_status(t->k, "list", status) > 0;
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
    kit_try_file(t, name, NULL, 0);
  }
  snprintf(name, sizeof name, "%.*s%0400d", (int)length, prefix, 0);
  kit_try_file(t, name, NULL, 0);
  snprintf(name, sizeof name, "%.*s", (int)length, prefix);
  kit_list_folder(t, name);
}

static void try_prefixes(tally *t) {
  const char *list = kit_resource_ops(t)->prefixes;
  while (list && *list) {
    const size_t n = strcspn(list, "|");
    try_prefix(t, list, n);
    list += n + (list[n] == '|');
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
  kit_check(k, "purpose", (ops->prefixes && *ops->prefixes) || ops->probe, "%s",
            (ops->prefixes && *ops->prefixes) || ops->probe
                ? "it declares a prefix, or recognizes archives"
                : "it neither declares a prefix nor has the operation probe, so nothing calls it");
  try_prefixes(&t);
  kit_try_zip(&t);
  kit_check(k, "probe", t.probes_bad == 0,
            "the confidence is from 0 to 100; in %d of %d calls it was not", t.probes_bad,
            t.probes);
  kit_check(k, "any name, any archive", t.silent == 0,
            "%d calls gave a file or an error, %d errors had no message%s", t.tries, t.silent,
            t.silent ? "; fill them with host->error" : "");
  kit_check(k, "statuses", t.statuses == 0,
            "%d calls of open, read or list returned another status than SN_OK or an error",
            t.statuses);
  kit_check(k, "sizes", t.sizes == 0,
            "of %d files %d had an impossible size: negative, or more than 2^62 bytes",
            t.files + t.sizes, t.sizes);
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
