// SPDX-License-Identifier: Apache-2.0
//
// Files that plugins provide: prefixes, relative names, the order of several plugins, archives of a
// format of one's own, and what the host does about providers that break the rules.

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/files.h"
#include "suite.h"

static sn_engine *engine;
static sn_error *error;

static void set_up(void) {
  error = sn_error_new();
  engine = sn_engine_open("", error);
  ck_assert_ptr_nonnull(engine);
}

static void tear_down(void) {
  sn_engine_close(engine);
  sn_error_free(error);
}

// ------------------------------------------------------------------ a provider of texts

// What the operations do, and what was called.
static struct {
  int64_t claim;             // the size that open returns; -2: the true one
  sn_status open, read;      // what they return, where the file exists
  int writes_behind, turns_rounding;
  int opened, closed, probed;
} toy;

static const struct {
  const char *name, *text;
} texts[] = {
  { "toy:arm/arm.xml", "<arm/>" }, { "toy:arm/mesh/a.stl", "solid a" },
  { "toy:top.xml", "<top/>" },     { "toy:kit.box", "box" },
  { "inner.xml", "in the box" },   // of an archive, a file whose content is "box"
  { "mesh/b.stl", "solid b" },     { "deep.box", "box" },
};

static int32_t toy_probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  (void)name;
  toy.probed++;
  return count == 3 && memcmp(bytes, "box", 3) == 0 ? 100 : 0;
}

static sn_status toy_open(const void *self, const sn_source *archive, const char *name, void **file,
                          int64_t *count, sn_error *e) {
  (void)self;
  (void)archive;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    if (strcmp(texts[i].name, name) == 0 && toy.open == SN_OK) {
      toy.opened++;
      *file = (void *)(uintptr_t)texts[i].text;
      *count = toy.claim == -2 ? (int64_t)strlen(texts[i].text) : toy.claim;
      return SN_OK;
    }
  }
  if (toy.turns_rounding) {
    fesetround(FE_UPWARD);
  }
  return toy.open ? toy.open : si_fail(e, SN_ENOTFOUND, "the toy has no '%s'", name);
}

static sn_status toy_read(const void *self, void *file, uint8_t *bytes, sn_error *e) {
  (void)self;
  (void)e;
  const size_t n = strlen(file);
  memcpy(bytes, file, n);
  if (toy.writes_behind) {
    bytes[n] = 'x';
  }
  return toy.read;
}

static void toy_close(const void *self, void *file) {
  (void)self;
  (void)file;
  toy.closed++;
}

static sn_status toy_list(const void *self, const sn_source *archive, const char *folder,
                          void *context,
                          sn_status (*each)(void *context, const char *name, int32_t is_folder)) {
  (void)self;
  (void)archive;
  if (strcmp(folder, "toy:arm") != 0) {
    return SN_ENOTFOUND;
  }
  SN_TRY(each(context, "mesh", 1));
  SN_TRY(each(context, "arm.xml", 0));
  SN_TRY(each(context, ".hidden", 0));
  SN_TRY(each(context, "../out", 0));
  return each(context, "mesh", 1);
}

static const sn_resource_ops toy_ops = {
  .head = { .size = sizeof(sn_resource_ops), .summary = "a toy" },
  .prefixes = "toy:|other://",
  .probe = toy_probe,
  .open = toy_open,
  .read = toy_read,
  .close = toy_close,
  .list = toy_list,
};

static void add_toy(const char *name) {
  memset(&toy, 0, sizeof toy);
  toy.claim = -2;
  ck_assert_msg(sn_engine_add(engine, SN_KIND_RESOURCE, name, &toy_ops, error) >= 0, "%s",
                sn_error_text(error));
}

static sn_source *open_source(const char *base, const char *name) {
  sn_source *s = NULL;
  ck_assert_msg(si_engine_open_source(engine, base, name, &s, error) >= 0, "%s",
                sn_error_text(error));
  ck_assert_int_eq(s->bytes[s->count], 0);
  return s;
}

static void contains(const char *base, const char *name, const char *text) {
  sn_source *s = open_source(base, name);
  ck_assert_str_eq((const char *)s->bytes, text);
  s->close(s);
}

static void is_rejected(const char *name, sn_status status, const char *words) {
  sn_source *s = NULL;
  sn_error *e = sn_error_new();
  ck_assert_int_eq(si_engine_open_source(engine, NULL, name, &s, e), status);
  ck_assert_ptr_null(s);
  ck_assert_msg(strstr(sn_error_text(e), words) != NULL, "%s", sn_error_text(e));
  sn_error_free(e);
}

// ------------------------------------------------------------------ names

START_TEST(names_with_a_prefix) {
  add_toy("toy");
  contains(NULL, "toy:arm/arm.xml", "<arm/>");
  contains("some/robot.xml", "toy:top.xml", "<top/>");
  contains(NULL, "toy:arm/./mesh/../arm.xml", "<arm/>");

  sn_source *s = open_source(NULL, "toy:arm/arm.xml"), *child;
  ck_assert_str_eq(s->name, "toy:arm/arm.xml");
  ck_assert_int_eq(s->open(s, "mesh/a.stl", &child, error), SN_OK);
  ck_assert_str_eq(child->name, "toy:arm/mesh/a.stl");
  sn_source *back;
  ck_assert_int_eq(child->open(child, "../../top.xml", &back, error), SN_OK);
  ck_assert_str_eq((const char *)back->bytes, "<top/>");
  child->close(back);
  s->close(child);
  char why[200];
  ck_assert_int_eq(s->check(s, "mesh/a.stl", why, sizeof why), SN_OK);
  ck_assert_int_eq(s->check(s, "mesh/c.stl", why, sizeof why), SN_ENOTFOUND);
  ck_assert_str_eq(why, "cannot open 'toy:arm/mesh/c.stl': the toy has no 'toy:arm/mesh/c.stl'");
  s->close(s);
  ck_assert_int_eq(toy.opened, toy.closed);

  is_rejected("toy:../arm/arm.xml", SN_EIO, "leads above 'toy:'");
  is_rejected("toy:arm/../../arm.xml", SN_EIO, "leads above 'toy:'");
  is_rejected("toy:.", SN_EIO, "has nothing after 'toy:'");
  is_rejected("other://a/b", SN_EIO, "cannot open 'other://a/b': the toy has no");
}
END_TEST

START_TEST(memory_comes_first) {
  ck_assert_int_eq(sn_engine_add_resource(engine, "toy:arm/arm.xml", "m", 1, error), SN_OK);
  ck_assert_int_eq(sn_engine_add_resource(engine, "scheme://a//b", "s", 1, error), SN_OK);
  add_toy("toy");
  contains(NULL, "toy:arm/arm.xml", "m");
  contains("toy:arm/mesh/a.stl", "../arm.xml", "m");
  contains(NULL, "scheme://a/b", "s");
  contains("scheme://a/c", "b", "s");
}
END_TEST

// A plugin that does not have the file leaves it to the next one.
static sn_status second_open(const void *self, const sn_source *archive, const char *name,
                             void **file, int64_t *count, sn_error *e) {
  (void)self;
  (void)archive;
  (void)e;
  static char text[] = "second";
  *file = text;
  *count = 6;
  return strcmp(name, "toy:arm/arm.xml") == 0 || strcmp(name, "toy:second") == 0 ? SN_OK
                                                                                 : SN_ENOTFOUND;
}

START_TEST(plugins_in_order) {
  add_toy("toy");
  sn_resource_ops ops = toy_ops;
  ops.prefixes = "toy:";
  ops.open = second_open;
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_RESOURCE, "second", &ops, error), SN_OK);
  contains(NULL, "toy:arm/arm.xml", "<arm/>");
  contains(NULL, "toy:second", "second");
  is_rejected("toy:third", SN_EIO, "'second' failed with status -7 and no message");
  toy.open = SN_EPARSE;   // a failure is not left to the next
  is_rejected("toy:second", SN_EPARSE, "'toy' failed with status -4 and no message");
}
END_TEST

static void write_entry(void *context, const char *name, int32_t is_folder) {
  char *list = context;
  snprintf(list + strlen(list), 200 - strlen(list), "%s%s ", name, is_folder ? "/" : "");
}

START_TEST(folders) {
  add_toy("toy");
  ck_assert_int_eq(sn_engine_add_resource(engine, "toy:arm/more.xml", "m", 1, error), SN_OK);
  sn_source *s = open_source(NULL, "toy:arm/arm.xml");
  char list[200] = "";
  ck_assert_int_eq(s->list(s, ".", list, write_entry), SN_OK);
  ck_assert_str_eq(list, "arm.xml mesh/ more.xml ");
  ck_assert_int_eq(s->list(s, "nothing", list, write_entry), SN_ENOTFOUND);
  s->close(s);
}
END_TEST

// ------------------------------------------------------------------ archives

START_TEST(archive_is_read_once) {
  add_toy("toy");
  sn_source *s = open_source(NULL, "toy:kit.box/inner.xml"), *child;
  ck_assert_str_eq((const char *)s->bytes, "in the box");
  const int opened = toy.opened;   // the box, and what is in it
  ck_assert_int_eq(opened, 2);
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(s->open(s, "mesh/b.stl", &child, error), SN_OK);
    ck_assert_str_eq((const char *)child->bytes, "solid b");
    ck_assert_str_eq(child->name, "toy:kit.box/mesh/b.stl");
    s->close(child);
  }
  ck_assert_int_eq(toy.opened, opened + 3);
  s->close(s);
  ck_assert_int_eq(toy.opened, toy.closed);

  ck_assert_int_eq(sn_engine_add_resource(engine, "a/b", "box", 3, error), SN_OK);
  contains(NULL, "a/b/inner.xml", "in the box");
  contains("a/c.xml", "b/inner.xml", "in the box");
  // in an archive, too: each is read once
  s = open_source(NULL, "toy:kit.box/deep.box/inner.xml");
  ck_assert_str_eq(s->name, "toy:kit.box/deep.box/inner.xml");
  const int before = toy.opened;
  ck_assert_int_eq(s->open(s, "mesh/b.stl", &child, error), SN_OK);
  ck_assert_str_eq(child->name, "toy:kit.box/deep.box/mesh/b.stl");
  s->close(child);
  ck_assert_int_eq(toy.opened, before + 1);
  s->close(s);
  ck_assert_int_eq(toy.opened, toy.closed);
  is_rejected("toy:kit.box/inner.xml/a", SN_EIO, "not an archive that a plugin recognizes");
  is_rejected("toy:top.xml/a", SN_EIO, "not an archive that a plugin recognizes");
}
END_TEST

// ------------------------------------------------------------------ rules that are broken

START_TEST(sizes_are_checked) {
  add_toy("toy");
  toy.claim = -1;
  is_rejected("toy:top.xml", SN_EPLUGIN, "the resource 'toy' reports a size of -1 bytes");
  toy.claim = INT64_MAX;
  is_rejected("toy:top.xml", SN_EIO, "the limit is 1073741824");
  toy.claim = 2 << 20;
  ck_assert_int_eq(sn_engine_set(engine, "limits.memory", "1M", error), SN_OK);
  is_rejected("toy:top.xml", SN_ENOMEM, "limits.memory");
  ck_assert_int_eq(toy.opened, toy.closed);
}
END_TEST

// What one model opens is counted together.
START_TEST(memory_of_all_files_is_limited) {
  add_toy("toy");
  toy.claim = 400000;
  ck_assert_int_eq(sn_engine_set(engine, "limits.memory", "1M", error), SN_OK);
  sn_source *s = open_source(NULL, "toy:top.xml"), *child = NULL;
  ck_assert_int_eq(s->open(s, "toy:arm/arm.xml", &child, error), SN_OK);
  s->close(child);
  ck_assert_int_eq(s->open(s, "toy:arm/mesh/a.stl", &child, error), SN_ENOMEM);
  ck_assert_ptr_null(child);
  s->close(s);
}
END_TEST

START_TEST(statuses_and_bounds_are_checked) {
  add_toy("toy");
  toy.open = 12345;
  is_rejected("toy:top.xml", SN_EPLUGIN, "'open' of the resource 'toy' returned 12345");
  toy.open = SN_OK;
  toy.read = SN_CLAMPED;
  is_rejected("toy:top.xml", SN_EPLUGIN, "'read' of the resource 'toy' returned 2");
  toy.read = SN_EIO;
  is_rejected("toy:top.xml", SN_EIO, "'toy' failed with status -3 and no message");
  toy.read = SN_OK;
  toy.writes_behind = 1;
  is_rejected("toy:top.xml", SN_EPLUGIN, "wrote past the 6 bytes");
  toy.writes_behind = 0;
  toy.turns_rounding = 1;
  is_rejected("toy:no.xml", SN_EPLUGIN, "rounding");
  ck_assert_int_eq(fegetround(), FE_TONEAREST);
}
END_TEST

START_TEST(prefixes_are_checked) {
  static const char *const wrong[] = {
    "a:", "file", "://", "zip:x", "toy:||zip:", "1a:", "package"
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    sn_resource_ops ops = toy_ops;
    ops.prefixes = wrong[i];
    ck_assert_msg(sn_engine_add(engine, SN_KIND_RESOURCE, "toy", &ops, error) == SN_EINVAL, "%s",
                  sn_error_text(error));
    ck_assert_ptr_nonnull(strstr(sn_error_text(error), "is invalid"));
  }
  sn_resource_ops ops = toy_ops;
  ops.prefixes = NULL;
  ck_assert_int_eq(sn_engine_add(engine, SN_KIND_RESOURCE, "toy", &ops, error), SN_OK);
}
END_TEST

TESTS() {
  FIXTURE(set_up, tear_down);
  TEST(names_with_a_prefix);
  TEST(memory_comes_first);
  TEST(plugins_in_order);
  TEST(folders);
  TEST(archive_is_read_once);
  TEST(sizes_are_checked);
  TEST(memory_of_all_files_is_limited);
  TEST(statuses_and_bounds_are_checked);
  TEST(prefixes_are_checked);
}
