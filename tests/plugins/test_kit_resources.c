// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the faults of resources: of one that has files of its own, and reads
// zip archives as the one of Sinew does, with something wrong. And the resources of Sinew pass.

#include <ctype.h>
#include <stdint.h>

#include "conformance.h"
#include "default_engine.h"
#include "sanitized.h"
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
  LOSES_FILES,    // of archives
  TAKES_TEXTS,    // for archives
  IGNORES_CASE,   // of names
  LISTS_FILES,    // not folders
  GOES_ON,        // after the caller of a list failed
  LISTS_ANY,      // name of a folder
  SHORTENS,       // large files
  READS_SECRETS,
  TRUSTS,         // damaged archives
  LOSES_MEMORY,
};

// The one of Sinew.
static const sn_resource_ops *real;
static void *real_self;

// A file that is open; the kit opens one at a time.
static struct {
  void *handle;   // of the real one; NULL: `text`
  const char *text;
  int64_t count;
} file;

static int32_t probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  const int32_t sure = real->probe(real_self, bytes, count, name);
  const int is_text = fault == TAKES_TEXTS && count > 2 && memcmp(bytes, "PK", 2) == 0;
  return fault == TOO_SURE && sure ? 101 : is_text ? 50 : sure;
}

static sn_status open_archived(const sn_source *archive, const char *name, sn_error *e) {
  char lower[256];
  const sn_host *host = sn_engine_host(engine);
  file.text = NULL;
  if (fault == LOSES_FILES) {
    return host->error(host, e, SN_ENOTFOUND, NULL, 0, 0, "no such file");
  }
  sn_status status = real->open(real_self, archive, name, &file.handle, &file.count, e);
  if (status < 0 && fault == READS_SECRETS && strcmp(name, "secret") == 0) {
    file.handle = NULL;
    file.text = "content";
    file.count = 7;
    return SN_OK;
  }
  if (status < 0 && fault == IGNORES_CASE) {
    size_t n = 0;
    for (; name[n] && n < sizeof lower - 1; n++) {
      lower[n] = (char)tolower((unsigned char)name[n]);
    }
    lower[n] = '\0';
    status = real->open(real_self, archive, lower, &file.handle, &file.count, e);
  }
  return status;
}

static void *lost[1 << 16];   // memory that no one frees
static int nlost;

static sn_status open_file(const void *self, const sn_source *archive, const char *name,
                           void **handle, int64_t *count, sn_error *e) {
  const sn_host *host = sn_engine_host(engine);
  (void)self;
  if (archive) {
    const sn_status status = open_archived(archive, name, e);
    if (status < 0) {
      return status;
    }
  } else if (strcmp(name, "toy:file") == 0) {
    file.handle = NULL;
    file.text = "content";
    file.count = 7;
  } else {
    return fault == SILENT ? SN_ENOTFOUND
                           : host->error(host, e, SN_ENOTFOUND, NULL, 0, 0, "no such file");
  }
  if (fault == LOSES_MEMORY) {
    lost[nlost++ % (1 << 16)] = host->alloc(host, 40);
  }
  *handle = &file;
  *count = fault == NEGATIVE_SIZE ? -1 : file.count;
  return fault == ODD_STATUS ? 12345 : SN_OK;
}

static sn_status read_file(const void *self, void *handle, uint8_t *bytes, sn_error *e) {
  enum { MOST = 1 << 20 };
  static uint8_t calls;
  sn_status status = SN_OK;
  (void)self, (void)handle;
  if (file.handle) {
    status = real->read(real_self, file.handle, bytes, e);
  } else {
    memcpy(bytes, file.text, (size_t)file.count);
  }
  if (status < 0 && fault != TRUSTS) {
    return status;
  }
  if (fault == WRITES_LESS && file.count > 0) {
    bytes[file.count - 1] = 0xa5;
  } else if (fault == WRITES_BEHIND) {
    bytes[file.count] = 0;
  } else if ((fault == CHANGES || fault == WRONG_CONTENT) && file.count > 0) {
    bytes[0] = fault == CHANGES ? ++calls : 'x';
  } else if (fault == SHORTENS && file.count > MOST) {
    memset(bytes + MOST, 0, (size_t)(file.count - MOST));
  }
  return fault == ODD_READ ? SN_CLAMPED : SN_OK;
}

static void close_file(const void *self, void *handle) {
  (void)self, (void)handle;
  if (file.handle) {
    real->close(real_self, file.handle);
  }
}

typedef struct entries {
  void *context;
  sn_status (*each)(void *context, const char *name, int32_t is_folder);
} entries;

static sn_status take_entry(void *context, const char *name, int32_t is_folder) {
  const entries *to = context;
  if (fault == LISTS_FILES && is_folder) {
    return SN_OK;
  }
  const sn_status status = to->each(to->context, name, is_folder);
  return fault == GOES_ON ? SN_OK : status;
}

static sn_status list(const void *self, const sn_source *archive, const char *folder, void *context,
                      sn_status (*each)(void *context, const char *name, int32_t is_folder)) {
  (void)self;
  if (archive) {
    entries to = { context, each };
    const sn_status status = real->list(real_self, archive, folder, &to, take_entry);
    return fault == LISTS_ANY && status == SN_ENOTFOUND ? SN_OK : status;
  }
  return strcmp(folder, "toy:") != 0
             ? SN_ENOTFOUND
             : each(context, fault == LISTS_NOTHING ? "nothing" : "file", 0);
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
#define CONTENT "|content of a zip archive|large files|"
static const planted faults[] = {
  { TOY, NO_FAULT, NULL, NULL, NULL },
  { TOY, SILENT, "any name, any archive", "errors had no message", NULL },
  { TOY, NEGATIVE_SIZE, "sizes", "had an impossible size", CONTENT "list|" },
  { TOY, WRITES_BEHIND, "outputs", "wrote outside of", NULL },
  { TOY, WRITES_LESS, "the same content", "had another content", "|large files|damaged archives|" },
  { TOY, CHANGES, "the same content", "had another content", "|large files|damaged archives|" },
  { TOY, WRONG_CONTENT, "the same content", "or a wrong one", "|large files|damaged archives|" },
  { TOY, ODD_STATUS, "statuses", "another status than SN_OK", CONTENT "list|" },
  { TOY, ODD_READ, "statuses", "another status than SN_OK", CONTENT "list|" },
  { TOY, LOSES_FILES, "content of a zip archive", "0 of ", "|large files|list|" },
  { TOY, LISTS_NOTHING, "list", "listed files could not be opened", NULL },
  { TOY, TOO_SURE, "probe", "from 0 to 100", NULL },
  { TOY, TAKES_TEXTS, "recognition", "1 are taken for archives", NULL },
  { TOY, IGNORES_CASE, "files that are not there", "1 of 4 names", "|damaged archives|" },
  { TOY, LISTS_FILES, "folders of a zip archive", "2 and 1 were listed", NULL },
  { TOY, GOES_ON, "end of a list", "list called it 4 times and returned SN_OK", NULL },
  { TOY, LISTS_ANY, "unknown folders", "SN_OK and 0 entries", NULL },
  { TOY, SHORTENS, "large files", "a file of 1200000 bytes", "|the same content|" },
  { TOY, READS_SECRETS, "encrypted files", "a password", NULL },
  { TOY, TRUSTS, "damaged archives", "with another content", "|encrypted files|" },
#ifndef SANITIZED
  { TOY, LOSES_MEMORY, "memory", "bytes allocated", NULL },
#endif
  { SN_KIND_RESOURCE, &without_purpose, NO_PURPOSE, "purpose", "neither declares a prefix", NULL },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

static void open_engine_with_zip(void) {
  sn_provider_info provider = { .size = sizeof provider };
  open_engine();
  for (int64_t i = 0; sn_engine_provider(engine, i, &provider); i++) {
    if (strcmp(provider.kind, SN_KIND_RESOURCE) == 0 && strcmp(provider.name, "zip") == 0) {
      real = provider.ops;
    }
  }
  ck_assert_ptr_nonnull(real);
  ck_assert_int_eq(real->head.create(sn_engine_host(engine), NULL, &real_self, NULL), SN_OK);
}

static void close_engine_with_zip(void) {
  real->head.destroy(real_self);
  close_engine();
}

START_TEST(kit_finds_the_fault) {
  open_engine_with_zip();
  fault = faults[_i].fault;
  expect_finding(&faults[_i]);
  close_engine_with_zip();
}
END_TEST

START_TEST(resources_of_sinew_pass) {
  open_engine();
  ck_assert_int_ge(expect_all_pass(engine, SN_KIND_RESOURCE), 1);
  close_engine();
}
END_TEST

START_TEST(each_requirement_has_a_fault) {
  open_engine_with_zip();
  fault = NO_FAULT;
  expect_covered(engine, SN_KIND_RESOURCE, faults, NFAULTS, sizeof faults[0]);
  close_engine_with_zip();
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
  TEST(resources_of_sinew_pass);
  TEST(each_requirement_has_a_fault);
}
