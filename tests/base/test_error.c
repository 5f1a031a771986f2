// SPDX-License-Identifier: Apache-2.0
//
// Errors: filling, reading, places; names of statuses; the nearest name.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/character.h"
#include "base/error.h"
#include "base/text.h"
#include "suite.h"

START_TEST(new_error_is_empty) {
  sn_error *e = sn_error_new();
  ck_assert_int_eq(sn_error_code(e), SN_OK);
  ck_assert_str_eq(sn_error_message(e), "");
  ck_assert_str_eq(sn_error_text(e), "");
  ck_assert_ptr_null(sn_error_file(e));
  ck_assert_int_eq(sn_error_line(e), 0);
  sn_error_free(e);
}
END_TEST

START_TEST(null_error_is_allowed) {
  ck_assert_int_eq(si_fail(NULL, SN_EIO, "lost %d", 1), SN_EIO);
  ck_assert_int_eq(si_fail_at(NULL, SN_EPARSE, NULL, "lost"), SN_EPARSE);
  ck_assert_int_eq(sn_error_code(NULL), SN_OK);
  ck_assert_str_eq(sn_error_message(NULL), "");
  si_error_clear(NULL);
  si_error_assign(NULL, NULL);
  sn_error_free(NULL);
}
END_TEST

// Of very many names the most similar ones are listed.
START_TEST(many_names) {
  char name[60][16], text[SI_SUGGESTION];
  const char *names[60];
  for (int i = 0; i < 60; i++) {
    snprintf(name[i], sizeof name[i], "collider_%02d", i);
    names[i] = name[i];
  }
  ck_assert_str_eq(si_suggest(text, sizeof text, "colider_37", "available", names, 60),
                   "; did you mean 'collider_37'?");
  ck_assert_str_eq(si_suggest(text, sizeof text, "box_37", "available", names, 60),
                   "; available: collider_37, collider_07, collider_17, collider_27, collider_30, "
                   "collider_31, collider_32, collider_33 and 52 others");
  si_suggest(text, sizeof text, "colider_37", "available", names, 40);
  ck_assert_ptr_nonnull(strstr(text, "collider_00, "));
  ck_assert_ptr_nonnull(strstr(text, ", collider_39"));
}
END_TEST

// What a plugin or a file gives may be any bytes.
START_TEST(messages_are_characters) {
  static const struct {
    const char *given, *shown;
  } texts[] = {
    { "J\xc3\xbcrgen\n\t", "J\xc3\xbcrgen\n\t" },   // UTF-8 is left as it is
    { "\xfcr", "\\xfcr" },
    { "a\x1b[31m\x7f", "a\\x1b[31m\\x7f" },
    { "\xe2\x82", "\\xe2\\x82" },            // the third byte is missing
    { "\xed\xa0\x80", "\\xed\\xa0\\x80" },   // half of a pair of UTF-16
  };
  sn_error *e = sn_error_new();
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    si_fail(e, SN_EPLUGIN, "%s", texts[i].given);
    ck_assert_str_eq(sn_error_message(e), texts[i].shown);
  }
  // no character is cut
  char cut[4];
  si_write_plain(cut, sizeof cut, "ab\xc3\xbc");
  ck_assert_str_eq(cut, "ab");
  si_write_plain(cut, sizeof cut, "\x01");
  ck_assert_str_eq(cut, "");
  // a text without an end
  char endless[5000];
  memset(endless, 'x', sizeof endless);
  si_fail(e, SN_EPLUGIN, SI_QUOTED " is too long; shorten it", endless);
  ck_assert_uint_eq(strlen(sn_error_message(e)), 82 + strlen(" is too long; shorten it"));
  sn_error_free(e);
}
END_TEST

START_TEST(text_has_place) {
  sn_error *e = sn_error_new();
  const sn_location full = { "a.xml", 3, 7 }, line = { "a.ini", 4, 0 }, file = { "a.so", 0, 0 };
  ck_assert_int_eq(si_fail_at(e, SN_EPARSE, &full, "bad %s", "thing"), SN_EPARSE);
  ck_assert_str_eq(sn_error_text(e), "a.xml:3:7: bad thing");
  ck_assert_str_eq(sn_error_file(e), "a.xml");
  ck_assert_int_eq(sn_error_column(e), 7);
  si_fail_at(e, SN_EPARSE, &line, "bad");
  ck_assert_str_eq(sn_error_text(e), "a.ini:4: bad");
  si_fail_at(e, SN_EPARSE, &file, "bad");
  ck_assert_str_eq(sn_error_text(e), "a.so: bad");
  si_fail(e, SN_EINVAL, "worse");
  ck_assert_str_eq(sn_error_text(e), "worse");
  ck_assert_ptr_null(sn_error_file(e));
  sn_error_free(e);
}
END_TEST

START_TEST(message_may_quote_itself) {
  sn_error *e = sn_error_new();
  const sn_location location = { "f", 1, 0 };
  si_fail_at(e, SN_EIO, &location, "inner");
  const sn_location same = { sn_error_file(e), 2, 0 };
  si_fail_at(e, SN_EINVAL, &same, "outer: %s", sn_error_message(e));
  ck_assert_str_eq(sn_error_text(e), "f:2: outer: inner");
  sn_error_free(e);
}
END_TEST

START_TEST(long_message_is_cut) {
  sn_error *e = sn_error_new();
  char *text = malloc(10000);
  memset(text, 'x', 9999);
  text[9999] = '\0';
  const sn_location location = { text, 1, 1 };
  si_fail_at(e, SN_EIO, &location, "%s", text);
  ck_assert_uint_eq(strlen(sn_error_message(e)), SI_ERROR_TEXT - 1);
  ck_assert_uint_gt(strlen(sn_error_text(e)), SI_ERROR_TEXT + SI_ERROR_FILE - 4);
  free(text);
  sn_error_free(e);
}
END_TEST

START_TEST(assign_and_clear) {
  sn_error *a = sn_error_new(), *b = sn_error_new();
  si_fail(a, SN_EDIVERGED, "far");
  si_error_assign(b, a);
  ck_assert_int_eq(sn_error_code(b), SN_EDIVERGED);
  ck_assert_str_eq(sn_error_message(b), "far");
  si_error_assign(b, NULL);
  ck_assert_int_eq(sn_error_code(b), SN_OK);
  si_error_clear(a);
  ck_assert_str_eq(sn_error_message(a), "");
  sn_error_free(a);
  sn_error_free(b);
}
END_TEST

START_TEST(status_names) {
  ck_assert_str_eq(sn_status_name(SN_OK), "SN_OK");
  ck_assert_str_eq(sn_status_name(SN_EPARSE), "SN_EPARSE");
  ck_assert_str_eq(sn_status_name(SN_EDIVERGED), "SN_EDIVERGED");
  ck_assert_str_eq(sn_status_name(-99), "unknown status");
  ck_assert_str_eq(sn_version(), SN_VERSION);
}
END_TEST

START_TEST(nearest) {
  static const char *const names[] = { "newton", "cg", "pgs", "noslip", "implicitfast" };
  ck_assert_str_eq(si_nearest("newtn", names, 5), "newton");
  ck_assert_str_eq(si_nearest("netwon", names, 5), "newton");
  ck_assert_str_eq(si_nearest("Newton", names, 5), "newton");
  ck_assert_str_eq(si_nearest("implicit_fast", names, 5), "implicitfast");
  ck_assert_str_eq(si_nearest("gc", names, 5), "cg");
  ck_assert_ptr_null(si_nearest("quaternion", names, 5));
  ck_assert_ptr_null(si_nearest("xy", names, 5));
  ck_assert_ptr_null(si_nearest("", names, 5));
  ck_assert_ptr_null(si_nearest(NULL, names, 5));
  ck_assert_ptr_null(si_nearest("newton", names, 0));
}
END_TEST

TESTS() {
  TEST(new_error_is_empty);
  TEST(null_error_is_allowed);
  TEST(many_names);
  TEST(messages_are_characters);
  TEST(text_has_place);
  TEST(message_may_quote_itself);
  TEST(long_message_is_cut);
  TEST(assign_and_clear);
  TEST(status_names);
  TEST(nearest);
}
