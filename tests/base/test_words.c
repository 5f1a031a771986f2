// SPDX-License-Identifier: Apache-2.0
//
// Lists of words "a|b|c".

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"
#include "suite.h"

// The words of a list, each with its length.
static const char *walk(const char *list) {
  static char out[256];
  size_t used = 0;
  out[0] = '\0';
  for (si_word word; si_next_word(&list, &word);) {
    used += (size_t)snprintf(out + used, sizeof out - used, "%s:%zu;", word.text, word.n);
  }
  return out;
}

START_TEST(words_in_order) {
  ck_assert_str_eq(walk("site|body|x"), "site:4;body:4;x:1;");
  ck_assert_str_eq(walk("one"), "one:3;");
  ck_assert_str_eq(walk("a||b"), "a:1;:0;b:1;");
  ck_assert_str_eq(walk(""), "");
  ck_assert_str_eq(walk(NULL), "");
}
END_TEST

START_TEST(long_word_is_cut) {
  char list[100];
  memset(list, 'a', sizeof list);
  memcpy(list + 90, "|b", 3);
  const char *rest = list;
  si_word word;
  ck_assert(si_next_word(&rest, &word));
  ck_assert_uint_eq(word.n, 90);
  ck_assert_uint_eq(strlen(word.text), SI_LONGEST_WORD);
  ck_assert(si_next_word(&rest, &word));
  ck_assert_str_eq(word.text, "b");

  // but it is compared whole
  char same[91];
  memcpy(same, list, 90);
  same[90] = '\0';
  ck_assert(si_is_listed(list, same));
  same[80] = '\0';
  ck_assert(!si_is_listed(list, same));
}
END_TEST

START_TEST(only_whole_words_are_listed) {
  ck_assert(si_is_listed("site|body", "site"));
  ck_assert(si_is_listed("site|body", "body"));
  ck_assert(!si_is_listed("site|body", "sit"));
  ck_assert(!si_is_listed("site|body", "bodyx"));
  ck_assert(!si_is_listed("site|body", "site|body"));
  ck_assert(!si_is_listed("site|body", ""));
  ck_assert(!si_is_listed(NULL, "site"));
}
END_TEST

START_TEST(suggestion_names_all) {
  char text[SI_SUGGESTION];
  ck_assert_str_eq(si_suggest_listed(text, sizeof text, "bdy", "available", "site|body"),
                   "; did you mean 'body'? Available: site, body");
}
END_TEST

TESTS() {
  TEST(words_in_order);
  TEST(long_word_is_cut);
  TEST(only_whole_words_are_listed);
  TEST(suggestion_names_all);
}
