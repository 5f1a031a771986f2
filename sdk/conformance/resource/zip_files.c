// SPDX-License-Identifier: Apache-2.0
//
// Zip archives for a provider that recognizes them: files of all kinds that are found and listed,
// and damaged archives. Each file has a checksum, so whatever is damaged, a file that can be read
// has its content.

#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "resource.h"

enum { LARGE = 1200000, ROOM = 2048 };   // bytes of a large file, and of the small archive

static const archive_file files[] = { { "robot.xml", "<robot/>", 0, ARCHIVE_STORED },
                                      { "empty", "", 0, ARCHIVE_STORED },
                                      { "mesh/hand.stl", "solid hand", 0, ARCHIVE_DEFLATED },
                                      { "mesh/deep/arm.stl", "solid arm", 0, ARCHIVE_STORED } };
enum { NFILES = sizeof files / sizeof files[0] };

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

static sn_source source_of(const tally *t, const uint8_t *bytes, int64_t count) {
  return (sn_source){ .size = sizeof(sn_source),
                      .name = "conformance.archive",
                      .bytes = bytes,
                      .count = count,
                      .context = (void *)(uintptr_t)sn_engine_host(t->k->engine),
                      .open = open_nothing,
                      .close = close_nothing };
}

static int probe(tally *t, const uint8_t *bytes, int64_t count) {
  const sn_resource_ops *ops = kit_resource_ops(t);
  if (!ops->probe) {
    return 0;
  }
  const int32_t score = KIT_CALL(ops, probe)(t->k->self, bytes, count, "conformance");
  t->probes++;
  t->probes_bad += score < 0 || score > 100;
  return score > 0;
}

// ------------------------------------------------------------------ folders

// What `list` lists of a folder: the known entries as bits, and all others. It fails on request.
typedef struct listing {
  const char *const *names;   // n; those that end with '/' are folders
  int n, found, others, calls, fail;
} listing;

static sn_status take_entry(void *context, const char *name, int32_t is_folder) {
  listing *l = context;
  const size_t length = strlen(name);
  int known = 0;
  for (int i = 0; i < l->n; i++) {
    const size_t n = strcspn(l->names[i], "/");
    if (n == length && strncmp(l->names[i], name, n) == 0 &&
        (l->names[i][n] == '/') == !!is_folder) {
      l->found |= 1 << i;
      known = 1;
    }
  }
  l->others += !known;
  l->calls++;
  return l->fail ? SN_EDIVERGED : SN_OK;
}

static sn_status list(tally *t, const char *folder, listing *l) {
  const sn_resource_ops *ops = kit_resource_ops(t);
  return kit_status(t->k, "list",
                    KIT_CALL(ops, list)(t->k->self, t->archive, folder, l, take_entry));
}

static void test_listing(tally *t) {
  static const char *const top[] = { "robot.xml", "empty", "mesh/" };
  static const char *const mesh[] = { "hand.stl", "deep/" };
  listing of_top = { .names = top, .n = 3 }, of_mesh = { .names = mesh, .n = 2 };
  listing failing = { .names = top, .n = 3, .fail = 1 }, none = { .n = 0 };
  const sn_status ended = list(t, "", &of_top), below = list(t, "mesh", &of_mesh);
  kit_check(t->k, "folders of a zip archive",
            ended == SN_OK && below == SN_OK && of_top.found == 7 && of_mesh.found == 3 &&
                of_top.others == 0 && of_mesh.others == 0,
            "of 3 and 2 entries of two folders, %d and %d were listed, and %d others",
            __builtin_popcount((unsigned)of_top.found), __builtin_popcount((unsigned)of_mesh.found),
            of_top.others + of_mesh.others);
  const sn_status failed = list(t, "", &failing);
  kit_check(t->k, "end of a list", failed == SN_EDIVERGED && failing.calls == 1,
            "the caller returned SN_EDIVERGED at the first entry; list called it %d times and "
            "returned %s",
            failing.calls, sn_status_name(failed));
  const sn_status missing = list(t, "mes", &none);
  kit_check(t->k, "unknown folders", missing == SN_ENOTFOUND && none.calls == 0,
            "list returns %s and %d entries for a folder that is not there",
            sn_status_name(missing), none.calls);
}

// ------------------------------------------------------------------ content

// The files of an archive, which are as they were, or cannot be read.
static int try_files(tally *t, const uint8_t *bytes, int64_t count) {
  const sn_source source = source_of(t, bytes, count);
  t->archive = &source;
  int found = 0;
  for (int i = 0; i < NFILES; i++) {
    found += kit_try_file(t, files[i].name, files[i].text, 0);
  }
  t->archive = NULL;
  return found;
}

static void test_good(tally *t, const uint8_t *bytes, int64_t n) {
  const int found = try_files(t, bytes, n);
  const sn_source source = source_of(t, bytes, n);
  t->archive = &source;
  const int is_folder = kit_try_file(t, "mesh", NULL, 0);
  kit_check(t->k, "content of a zip archive", found == NFILES && !is_folder,
            "%d of %d files were found in an archive of the kit", found, NFILES);
  static const char *const absent[] = { "robot", "ROBOT.XML", "hand.stl", "mesh/hand.stl/a" };
  int wrong = 0;
  for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
    wrong += kit_try_file(t, absent[i], NULL, 0) || t->last != SN_ENOTFOUND;
  }
  kit_check(t->k, "files that are not there", wrong == 0,
            "%d of 4 names that are not in the archive did not give SN_ENOTFOUND", wrong);
  if (kit_resource_ops(t)->list) {
    test_listing(t);
    kit_list_folder(t, "");
  }
  t->archive = NULL;
}

// A file of more than 1 MB, and one that needs a password.
static void test_large(tally *t) {
  uint8_t *archive = malloc(LARGE + ROOM);
  char *text = malloc(LARGE);
  for (int64_t i = 0; text && i < LARGE; i++) {
    text[i] = (char)(i * 7 + i / 256);
  }
  const archive_file large[] = { { "large", text, LARGE, ARCHIVE_STORED },
                                 { "secret", "content", 0, ARCHIVE_ENCRYPTED } };
  const int64_t n = archive && text ? archive_write(large, 2, archive, LARGE + ROOM - 1) : 0;
  if (n > 0) {
    archive[n] = 0;
    const sn_source source = source_of(t, archive, n);
    const int before = t->unequal;
    t->archive = &source;
    const int is_there = kit_try_file(t, "large", text, LARGE) && t->unequal == before;
    const int is_read = kit_try_file(t, "secret", NULL, 0);
    t->archive = NULL;
    kit_check(t->k, "large files", is_there, "a file of %d bytes", LARGE);
    kit_check(t->k, "encrypted files", !is_read, "a file that needs a password cannot be read");
  }
  free(text);
  free(archive);
}

// ------------------------------------------------------------------ damage

typedef struct one_archive {
  tally *t;
  const uint8_t *bytes;
  int64_t n;
} one_archive;

static void read_archive(void *context) {
  const one_archive *a = context;
  try_files(a->t, a->bytes, a->n);
}

static void try_damaged(tally *t, const uint8_t *good, int64_t n) {
  uint8_t bytes[ROOM];
  tally quiet = *t;
  for (int64_t i = 0; i < n; i++) {
    memcpy(bytes, good, (size_t)n + 1);
    bytes[i] = (uint8_t)(bytes[i] + 0x7f);
    if (probe(&quiet, bytes, n)) {
      try_files(&quiet, bytes, n);
    }
    memcpy(bytes, good, (size_t)n);
    bytes[i] = 0;   // the rest is beyond the count
    if (probe(&quiet, bytes, i)) {
      try_files(&quiet, bytes, i);
    }
  }
  const int wrong = quiet.unequal - t->unequal;
  kit_check(t->k, "damaged archives", wrong == 0,
            "of damaged archives, %d files were read with another content", wrong);
  quiet.unequal = t->unequal;
  *t = quiet;
}

static void test_memory(tally *t, const uint8_t *good, int64_t n) {
  uint8_t bytes[ROOM];
  tally quiet = *t;
  memcpy(bytes, good, (size_t)n + 1);
  one_archive a = { &quiet, bytes, n };
  const int64_t whole = kit_leak(read_archive, &a);
  bytes[30 + strlen(files[0].name)]++;   // the content of the first file
  bytes[n - 6]--;                        // the place of the directory
  const int64_t damaged = kit_leak(read_archive, &a);
  kit_check(t->k, "memory", whole == 0 && damaged == 0,
            "reading an archive leaves %lld bytes allocated, reading a damaged one %lld",
            (long long)whole, (long long)damaged);
}

// ------------------------------------------------------------------ all

static void try_random(tally *t) {
  uint8_t bytes[ROOM];
  for (int i = 0; i < 200; i++) {
    const int64_t some = (int64_t)kit_between(t->k, 0, 200);
    for (int64_t c = 0; c < some; c++) {
      bytes[c] = (uint8_t)kit_between(t->k, 0, 256);
    }
    bytes[some] = 0;
    if (probe(t, bytes, some)) {
      try_files(t, bytes, some);
    }
  }
}

// An archive without files is one; other files are not, whatever they begin with.
static void test_recognition(tally *t) {
  static const char *const others[] = { "", "PK", "PK is a text of more than 22 characters",
                                        "<mujoco><worldbody/></mujoco>", "solid mesh\nendsolid\n" };
  uint8_t empty[64];
  const int64_t n = archive_write(files, 0, empty, sizeof empty - 1);
  empty[n] = 0;
  const int is_empty = probe(t, empty, n);
  int taken = 0;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    taken += probe(t, (const uint8_t *)others[i], (int64_t)strlen(others[i]));
  }
  kit_check(t->k, "recognition", is_empty && taken == 0,
            "an archive without files is %s; of 5 other files, %d are taken for archives",
            is_empty ? "recognized" : "not recognized", taken);
}

void kit_try_zip(tally *t) {
  uint8_t good[ROOM];
  const int64_t n = archive_write(files, NFILES, good, ROOM - 1);
  good[n] = 0;
  try_random(t);
  if (!kit_resource_ops(t)->probe) {
    return;
  }
  if (!probe(t, good, n)) {
    kit_report(t->k, "content of a zip archive", KIT_SKIPPED, "it recognizes no zip archive");
    return;
  }
  test_recognition(t);
  test_good(t, good, n);
  test_large(t);
  try_damaged(t, good, n);
  test_memory(t, good, n);
}
