// SPDX-License-Identifier: Apache-2.0
//
// Files that loaders read: resources before the disk, relative names, rejections.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/files.h"
#include "suite.h"
#include "temporary_folder.h"

static sn_engine *engine;
static sn_error *error;

static void set_up(void) {
  open_folder();
  ck_assert_int_eq(mkdir(in_folder("mesh"), 0755), 0);
  put_text("model.xml", "<model/>");
  put_text("mesh/a.stl", "solid a");
  error = sn_error_new();
  engine = sn_engine_open("", error);
  ck_assert_ptr_nonnull(engine);
}

static void tear_down(void) {
  sn_engine_close(engine);
  sn_error_free(error);
  close_folder();
}

static sn_source *open_source(const char *base, const char *name) {
  sn_source *s = NULL;
  sn_status status = si_engine_open_source(engine, base, name, &s, error);
  ck_assert_msg(status >= 0, "%s", sn_error_text(error));
  ck_assert_ptr_nonnull(s);
  ck_assert_int_eq(s->bytes[s->count], 0);
  return s;
}

START_TEST(disk) {
  sn_source *s = open_source(NULL, in_folder("model.xml"));
  ck_assert_str_eq((const char *)s->bytes, "<model/>");
  ck_assert_int_eq(s->count, 8);
  ck_assert_str_eq(s->name, in_folder("model.xml"));

  // a child is relative to its parent, whatever its name looks like
  static const char *const names[] = { "mesh/a.stl", "./mesh//a.stl", "mesh/../mesh/./a.stl" };
  for (int i = 0; i < 3; i++) {
    sn_source *child = NULL;
    ck_assert_int_eq(s->open(s, names[i], &child, error), SN_OK);
    ck_assert_str_eq((const char *)child->bytes, "solid a");
    ck_assert_str_eq(child->name, in_folder("mesh/a.stl"));
    sn_source *back = NULL;
    ck_assert_int_eq(child->open(child, "../model.xml", &back, error), SN_OK);
    back->close(back);
    s->close(child);
  }
  s->close(s);
}
END_TEST

START_TEST(empty_file) {
  put_text("empty", "");
  sn_source *s = open_source(NULL, in_folder("empty"));
  ck_assert_int_eq(s->count, 0);
  s->close(s);
}
END_TEST

START_TEST(rejections) {
  sn_source *s = NULL;
  ck_assert_int_eq(si_engine_open_source(engine, NULL, folder, &s, error), SN_EIO);
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "folder"));
  ck_assert_int_eq(si_engine_open_source(engine, NULL, "/dev/zero", &s, error), SN_EIO);
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "not a regular file"));
  ck_assert_int_eq(si_engine_open_source(engine, NULL, "", &s, error), SN_EINVAL);
  ck_assert_int_eq(mkfifo(in_folder("empty"), 0600), 0);
  ck_assert_int_eq(si_engine_open_source(engine, NULL, in_folder("empty"), &s, error), SN_EIO);
  ck_assert_ptr_null(s);
}
END_TEST

// A loader that opens its own file again and again.
START_TEST(endless_opening) {
  sn_source *s[100] = { open_source(NULL, in_folder("model.xml")) };
  int n = 0;
  sn_status status = SN_OK;
  while (n < 99 && status >= 0) {
    n++;
    status = s[n - 1]->open(s[n - 1], "model.xml", &s[n], error);
  }
  ck_assert_int_eq(n, 65);
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "files open each other over more than 64"));
  while (n-- > 0) {
    s[n]->close(s[n]);
  }
}
END_TEST

START_TEST(missing_names_what_was_tried) {
  sn_source *s = NULL;
  ck_assert_int_eq(si_engine_open_source(engine, in_folder("model.xml"), "no.stl", &s, error),
                   SN_EIO);
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), in_folder("no.stl")));
  ck_assert_int_eq(sn_engine_add_resource(engine, "other", "x", 1, error), SN_OK);
  ck_assert_int_eq(si_engine_open_source(engine, "robot/arm.xml", "no.stl", &s, error), SN_EIO);
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "robot/no.stl"));
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "'no.stl'"));
}
END_TEST

// What is missing is distinguished from what exists and cannot be read.
START_TEST(file_is_there) {
  char why[300];
  sn_source *s = open_source(NULL, in_folder("model.xml"));
  ck_assert_int_eq(s->check(s, "mesh/a.stl", why, sizeof why), SN_OK);
  ck_assert_str_eq(why, "");
  ck_assert_int_eq(s->check(s, "mesh/no.stl", why, sizeof why), SN_ENOTFOUND);
  ck_assert_ptr_nonnull(strstr(why, "No such file"));
  ck_assert_int_eq(s->check(s, "model.xml/no.stl", why, sizeof why), SN_ENOTFOUND);
  ck_assert_int_eq(s->check(s, "mesh", why, sizeof why), SN_EIO);
  ck_assert_ptr_nonnull(strstr(why, "it is a folder"));
  ck_assert_int_eq(s->check(s, "/dev/zero", NULL, 0), SN_EIO);
  s->close(s);
}
END_TEST

static void write_entry(void *context, const char *name, int32_t is_folder) {
  char *list = context;
  snprintf(list + strlen(list), 200 - strlen(list), "%s%s ", name, is_folder ? "/" : "");
}

START_TEST(folder_listing) {
  char list[200] = "";
  ck_assert_int_eq(sn_engine_add_resource(engine, "robot/arm.xml", "x", 1, error), SN_OK);
  ck_assert_int_eq(sn_engine_add_resource(engine, "robot/mesh/b.stl", "x", 1, error), SN_OK);
  ck_assert_int_eq(sn_engine_add_resource(engine, "robot/mesh/a.stl", "x", 1, error), SN_OK);
  ck_assert_int_eq(sn_engine_add_resource(engine, "robot/.x/a.stl", "x", 1, error), SN_OK);
  sn_source *s = open_source(NULL, "robot/arm.xml");
  ck_assert_int_eq(s->list(s, ".", list, write_entry), SN_OK);
  ck_assert_str_eq(list, "arm.xml mesh/ ");
  list[0] = '\0';
  ck_assert_int_eq(s->list(s, "mesh", list, write_entry), SN_OK);
  ck_assert_str_eq(list, "a.stl b.stl ");
  ck_assert_int_eq(s->list(s, "nothing", list, write_entry), SN_ENOTFOUND);
  s->close(s);

  s = open_source(NULL, in_folder("model.xml"));
  list[0] = '\0';
  ck_assert_int_eq(s->list(s, "mesh", list, write_entry), SN_OK);
  ck_assert_ptr_nonnull(strstr(list, "a.stl "));
  list[0] = '\0';
  ck_assert_int_eq(s->list(s, "", list, write_entry), SN_OK);
  ck_assert_ptr_nonnull(strstr(list, "mesh/ model.xml "));
  ck_assert_int_eq(s->list(s, "model.xml", list, write_entry), SN_ENOTFOUND);
  s->close(s);
}
END_TEST

START_TEST(resources) {
  char bytes[] = "in memory";
  ck_assert_int_eq(sn_engine_add_resource(engine, "robot/arm.xml", bytes, 9, error), SN_OK);
  ck_assert_int_eq(sn_engine_add_resource(engine, "robot/./mesh/hand.stl", "h", 1, error), SN_OK);
  ck_assert_int_eq(sn_engine_add_resource(engine, "plain.stl", "p", 1, error), SN_OK);
  ck_assert_int_eq(sn_engine_add_resource(engine, in_folder("model.xml"), "m", 1, error), SN_OK);
  ck_assert_int_eq(sn_engine_add_resource(engine, "plain.stl", "q", 1, error), SN_EINVAL);
  bytes[0] = 'X';   // the bytes were copied
  sn_source *s = open_source(NULL, "robot/arm.xml");
  ck_assert_str_eq((const char *)s->bytes, "in memory");

  sn_source *child = NULL;
  ck_assert_int_eq(s->open(s, "mesh/hand.stl", &child, error), SN_OK);
  ck_assert_str_eq((const char *)child->bytes, "h");
  child->close(child);
  ck_assert_int_eq(s->open(s, "plain.stl", &child, error), SN_OK);
  ck_assert_str_eq((const char *)child->bytes, "p");
  child->close(child);
  s->close(s);

  // before the disk
  s = open_source(NULL, in_folder("model.xml"));
  ck_assert_str_eq((const char *)s->bytes, "m");
  s->close(s);
}
END_TEST

START_TEST(resource_arguments) {
  ck_assert_int_eq(sn_engine_add_resource(engine, "", "x", 1, error), SN_EINVAL);
  ck_assert_int_eq(sn_engine_add_resource(engine, "a", NULL, 1, error), SN_EINVAL);
  ck_assert_int_eq(sn_engine_add_resource(engine, "a", "x", -1, error), SN_EINVAL);
  ck_assert_int_eq(sn_engine_add_resource(engine, "a", NULL, 0, error), SN_OK);
  sn_source *s = open_source(NULL, "a");
  ck_assert_int_eq(s->count, 0);
  s->close(s);
}
END_TEST

static void write_watched(void *context, const char *path, const uint8_t *bytes, int64_t count) {
  char *list = context;
  const size_t n = strlen(list);
  snprintf(list + n, 600 - n, "%s=%.*s;", path, (int)count, (const char *)bytes);
}

// Files that are opened, wherever they are, and none that cannot be.
START_TEST(watched_files) {
  char list[600] = "", expected[600];
  ck_assert_int_eq(sn_engine_add_resource(engine, "in/memory", "bytes", 5, error), SN_OK);
  sn_engine_watch_files(engine, write_watched, list);
  sn_source *s = open_source(NULL, in_folder("model.xml")), *child = NULL;
  ck_assert_int_eq(s->open(s, "mesh/a.stl", &child, error), SN_OK);
  child->close(child);
  ck_assert_int_lt(s->open(s, "mesh/b.stl", &child, error), 0);
  s->close(s);
  s = open_source(NULL, "in/memory");
  s->close(s);
  snprintf(expected, sizeof expected, "%s=<model/>;%s=solid a;in/memory=bytes;",
           in_folder("model.xml"), in_folder("mesh/a.stl"));
  ck_assert_str_eq(list, expected);
  sn_engine_watch_files(engine, NULL, NULL);
  s = open_source(NULL, in_folder("model.xml"));
  s->close(s);
  ck_assert_str_eq(list, expected);
}
END_TEST

TESTS() {
  FIXTURE(set_up, tear_down);
  TEST(disk);
  TEST(empty_file);
  TEST(rejections);
  TEST(endless_opening);
  TEST(missing_names_what_was_tried);
  TEST(file_is_there);
  TEST(folder_listing);
  TEST(resources);
  TEST(resource_arguments);
  TEST(watched_files);
}
