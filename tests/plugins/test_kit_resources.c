// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the faults of resources: of one that has files of its own and reads
// stored files of zip archives. And the resources of Sinew pass.

#include <stdint.h>

#include "conformance.h"
#include "default_engine.h"
#include "sinew/resource.h"

enum {
  SILENT = NKINDFAULTS,
  NEGATIVE_SIZE,
  WRITES_BEHIND,
  WRITES_LESS,
  CHANGES,
  ODD_STATUS,
  ODD_READ,
  LISTS_NOTHING,
  TOO_SURE,
  WRONG_CONTENT,
  NO_PURPOSE,
  LOSES_FILES,   // of archives
};

static sn_engine *host_engine;

static int32_t probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  (void)name;
  const int is_zip = count > 30 && memcmp(bytes, "PK\3\4", 4) == 0;
  return is_zip ? fault == TOO_SURE ? 101 : 50 : 0;
}

typedef struct found {
  const uint8_t *bytes;
  int64_t count;
} found;
static found file;   // the kit opens one at a time

static int64_t number(const uint8_t *p) {
  return p[0] | p[1] << 8;
}

// A stored file, by the local headers.
static int find_stored(const sn_source *archive, const char *name) {
  const uint8_t *p = archive->bytes, *end = p + archive->count;
  while (end - p > 30 && memcmp(p, "PK\3\4", 4) == 0) {
    const int64_t length = number(p + 26), size = number(p + 18);
    const int64_t offset = 30 + length + number(p + 28);
    if (offset + size > end - p) {
      return 0;
    }
    if ((int64_t)strlen(name) == length && memcmp(p + 30, name, (size_t)length) == 0) {
      file = (found){ p + offset, size };
      return 1;
    }
    p += offset + size;
  }
  return 0;
}

static sn_status open_file(const void *self, const sn_source *archive, const char *name,
                           void **handle, int64_t *count, sn_error *e) {
  (void)self;
  int is_there = 0;
  if (archive) {
    is_there = fault != LOSES_FILES && find_stored(archive, name);
  } else if (strcmp(name, "toy:file") == 0) {
    file = (found){ (const uint8_t *)"content", 7 };
    is_there = 1;
  }
  if (!is_there) {
    const sn_host *host = sn_engine_host(host_engine);
    return fault == SILENT ? SN_ENOTFOUND
                           : host->error(host, e, SN_ENOTFOUND, NULL, 0, 0, "no such file");
  }
  *handle = &file;
  *count = fault == NEGATIVE_SIZE ? -1 : file.count;
  return fault == ODD_STATUS ? 12345 : SN_OK;
}

static sn_status read_file(const void *self, void *handle, uint8_t *bytes, sn_error *e) {
  static uint8_t calls;
  const found *f = handle;
  (void)self;
  (void)e;
  memcpy(bytes, f->bytes, (size_t)f->count - (fault == WRITES_LESS && f->count > 0));
  if (fault == WRITES_BEHIND) {
    bytes[f->count] = 0;
  } else if ((fault == CHANGES || fault == WRONG_CONTENT) && f->count > 0) {
    bytes[0] = fault == CHANGES ? ++calls : 'x';
  }
  return fault == ODD_READ ? SN_CLAMPED : SN_OK;
}

static void close_file(const void *self, void *handle) {
  (void)self;
  (void)handle;
}

static sn_status list(const void *self, const sn_source *archive, const char *folder, void *context,
                      sn_status (*each)(void *context, const char *name, int32_t is_folder)) {
  (void)self;
  if (archive || strcmp(folder, "toy:") != 0) {
    return SN_ENOTFOUND;
  }
  return each(context, fault == LISTS_NOTHING ? "nothing" : "file", 0);
}

static const sn_resource_ops ops = {
  .head = { .size = sizeof ops, .summary = "a toy" },
  .prefixes = "toy:",
  .probe = probe,
  .open = open_file,
  .read = read_file,
  .close = close_file,
  .list = list,
};

static const sn_resource_ops without_purpose = {
  .head = { .size = sizeof ops, .summary = "a toy" },
  .prefixes = "",
  .open = open_file,
  .read = read_file,
  .close = close_file,
};

#define TOY SN_KIND_RESOURCE, &ops
#define ARCHIVE "|content of a zip archive|"
static const planted faults[] = {
  { TOY, NO_FAULT, NULL, NULL, NULL },
  { TOY, SILENT, "any name, any archive", "errors had no message", NULL },
  { TOY, NEGATIVE_SIZE, "sizes", "had an impossible size", ARCHIVE "list|" },
  { TOY, WRITES_BEHIND, "outputs", "wrote outside of", NULL },
  { TOY, WRITES_LESS, "the same content", "had another content", NULL },
  { TOY, CHANGES, "the same content", "had another content", NULL },
  { TOY, WRONG_CONTENT, "the same content", "or a wrong one", NULL },
  { TOY, ODD_STATUS, "statuses", "other than SN_OK", ARCHIVE "list|" },
  { TOY, ODD_READ, "statuses", "other than SN_OK", ARCHIVE "list|" },
  { TOY, LOSES_FILES, "content of a zip archive", "0 of ", NULL },
  { TOY, LISTS_NOTHING, "list", "1 of 1 listed files", NULL },
  { TOY, TOO_SURE, "probe", "from 0 to 100", NULL },
  { SN_KIND_RESOURCE, &without_purpose, NO_PURPOSE, "purpose", "declares a prefix", NULL },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(kit_finds_the_fault) {
  open_engine();
  host_engine = engine;
  fault = faults[_i].fault;
  expect_finding(&faults[_i]);
  close_engine();
}
END_TEST

START_TEST(resources_of_sinew_pass) {
  open_engine();
  ck_assert_int_ge(expect_all_pass(engine, SN_KIND_RESOURCE), 1);
  close_engine();
}
END_TEST

START_TEST(each_requirement_has_a_fault) {
  open_engine();
  fault = NO_FAULT;
  host_engine = engine;
  expect_covered(engine, SN_KIND_RESOURCE, faults, NFAULTS, sizeof faults[0]);
  close_engine();
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
  TEST(resources_of_sinew_pass);
  TEST(each_requirement_has_a_fault);
}
