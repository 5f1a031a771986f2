// SPDX-License-Identifier: Apache-2.0
//
// The JSON of the command: what is written can be read, and reads as the same bits; what is not
// JSON is rejected with its place.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "tools/json/json.h"

static const json_node *member(const json_document *doc, const json_node *object, const char *key) {
  for (int32_t i = object->first; i; i = doc->node[i].next) {
    if (strcmp(doc->node[i].key, key) == 0) {
      return &doc->node[i];
    }
  }
  ck_abort_msg("there is no member '%s'", key);
  return NULL;
}

START_TEST(round_trip) {
  const double numbers[] = { 0, -0.0, 1, -17, 0.1, 1e15, 1e300, -2.5e-308, 5e-324, 1.0 / 3 };
  enum { N = sizeof numbers / sizeof numbers[0] };
  const double odd[] = { NAN, INFINITY, -INFINITY };
  const int32_t ints[] = { 0, -2147483647 - 1, 2147483647 };
  const char *text = "tab\t quote\" back\\slash \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 end";
  char *bytes = NULL;
  size_t n = 0;
  FILE *file = open_memstream(&bytes, &n);
  json *j = malloc(sizeof *j);
  json_start(j, file);
  json_bool(j, "ok", 1);
  json_text(j, "text", text);
  json_text(j, "bad", "latin \xe9!");
  json_vector(j, "numbers", numbers, N);
  json_vector(j, "odd", odd, 3);
  json_ints(j, "ints", ints, 3, 1);
  json_reals(j, "table", numbers, 5, 2);
  json_object(j, "empty");
  json_end(j);
  json_list(j, "list");
  for (int i = 0; i < 20000; i++) {   // beyond the buffer
    json_integer(j, NULL, i);
  }
  json_end(j);
  ck_assert(json_finish(j));
  fclose(file);
  free(j);

  json_document doc;
  ck_assert_msg(json_read(&doc, bytes, (int64_t)n), "%d:%d: %s", doc.line, doc.column, doc.message);
  const json_node *root = &doc.node[0], *list = member(&doc, root, "numbers");
  ck_assert_double_eq(member(&doc, root, "ok")->number, 1);
  ck_assert_str_eq(member(&doc, root, "text")->text, text);
  ck_assert_str_eq(member(&doc, root, "bad")->text, "latin \xc3\xa9!");
  ck_assert_int_eq(list->count, N);
  int32_t at = list->first;
  for (int i = 0; i < N; i++, at = doc.node[at].next) {
    ck_assert(memcmp(&doc.node[at].number, &numbers[i], sizeof(double)) == 0);
  }
  ck_assert_str_eq(doc.node[member(&doc, root, "odd")->first].text, "nan");
  const json_node *table = member(&doc, root, "table"), *shape = member(&doc, table, "shape");
  ck_assert_int_eq(shape->count, 2);
  ck_assert_double_eq(doc.node[shape->first].number, 5);
  ck_assert_int_eq(member(&doc, member(&doc, root, "ints"), "shape")->count, 1);
  ck_assert_int_eq(member(&doc, root, "list")->count, 20000);
  ck_assert_int_eq(member(&doc, root, "empty")->type, JSON_OBJECT);
  json_free(&doc);
  free(bytes);
}
END_TEST

// clang-format off
static const char *const good[] = {
  "{}", "[]", " [ ] ", "0", "-0.5e+10", "\"\"", "null", "[1,2,[3,{\"a\":[]}]]", "true",
  "\"\\u00e9\\ud83d\\ude00\\n\\/\"", "{\"a\":1,\"a\":2}",
};
// clang-format on

START_TEST(text_is_read) {
  json_document doc;
  ck_assert_msg(json_read(&doc, good[_i], (int64_t)strlen(good[_i])), "%s: %s", good[_i],
                doc.message);
  json_free(&doc);
}
END_TEST

// clang-format off
static const struct {
  const char *text;
  int line, column;
} bad[] = {
  {"", 1, 1},          {"[1,2", 1, 5},         {"[1,]", 1, 4},         {"[1 2]", 1, 4},
  {"{\"a\" 1}", 1, 6}, {"{a:1}", 1, 2},        {"{\"a\":1,}", 1, 8},   {"01", 1, 1},
  {"1.", 1, 1},        {"+1", 1, 1},           {".5", 1, 1},           {"1e", 1, 1},
  {"nan", 1, 1},       {"1e999", 1, 1},        {"\"a", 1, 3},          {"\"\\x\"", 1, 3},
  {"\"\t\"", 1, 2},    {"\"\\ud800\"", 1, 8},  {"\"\\u0000\"", 1, 8},  {"[1]\n\n  x", 3, 3},
  {"[\n1,\nfalsy]", 3, 1}, {"'a'", 1, 1},      {"// c\n1", 1, 1},
};
// clang-format on

START_TEST(bad_text_has_a_place) {
  json_document doc;
  ck_assert_msg(!json_read(&doc, bad[_i].text, (int64_t)strlen(bad[_i].text)), "'%s' was read",
                bad[_i].text);
  ck_assert_ptr_nonnull(doc.message);
  ck_assert_msg(doc.line == bad[_i].line && doc.column == bad[_i].column,
                "'%s': %d:%d instead of %d:%d", bad[_i].text, doc.line, doc.column, bad[_i].line,
                bad[_i].column);
  json_free(&doc);
}
END_TEST

START_TEST(depth_is_bounded) {
  enum { N = 100000 };
  char *deep = malloc(N);
  memset(deep, '[', N);
  json_document doc;
  ck_assert(!json_read(&doc, deep, N));
  ck_assert_int_le(doc.n, JSON_DEPTH + 1);
  json_free(&doc);
  free(deep);
}
END_TEST

// every prefix of a document is rejected without harm, and so is a zero inside
START_TEST(prefixes) {
  const char *text = "{\"a\": [1.5e3, \"\\u20ac\\n\"], \"b\": {\"c\": [true, null, -7]}}";
  int64_t n = (int64_t)strlen(text);
  json_document doc;
  for (int64_t i = 0; i < n; i++) {
    ck_assert(!json_read(&doc, text, i));
    json_free(&doc);
  }
  char *copy = strdup(text);
  for (int64_t i = 0; i < n; i++) {
    copy[i] = '\0';
    ck_assert(!json_read(&doc, copy, n));
    json_free(&doc);
    copy[i] = text[i];
  }
  free(copy);
}
END_TEST

TESTS() {
  TEST(round_trip);
  EACH(text_is_read, 0, sizeof good / sizeof good[0]);
  EACH(bad_text_has_a_place, 0, sizeof bad / sizeof bad[0]);
  TEST(depth_is_bounded);
  TEST(prefixes);
}
