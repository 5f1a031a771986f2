// SPDX-License-Identifier: Apache-2.0
//
// Values of attributes: numbers, lists of numbers, words. Whatever the locale, a number is
// written as in C. Every failure says file, line, column, element, attribute, what was expected
// and what was found.

#ifndef SINEW_XML_VALUE_H
#define SINEW_XML_VALUE_H

#include "sinew/xml/xml.h"

SN_BEGIN_DECLS

// Where errors go.
typedef struct xml_reader {
  const sn_host *host;
  sn_error *error;
} xml_reader;

// A keyword and its value. Tables end with a NULL word.
typedef struct xml_word {
  const char *word;
  int32_t value;
  int32_t inert;   // of MJCF; 1: without effect, with a warning; 2: with a note
} xml_word;

// [load] Fills the error with the place of `attr`, or of `node` when attr is NULL; the path of the
// element is added to the message.
sn_status xml_fail(const xml_reader *r, sn_status code, const xml_node *node, const xml_attr *attr,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));

// [load] Names the model. SN_EPARSE: with what no format can write.
sn_status xml_name_model(const xml_reader *r, const sn_builder *b, const xml_node *root,
                         const xml_attr *name);

// [any] How many blank-separated pieces a text has.
int64_t xml_count(const char *text);

// [load] Between min and max numbers into out; *n (may be NULL) says how many. NaN is rejected: it
// means "not set" to a spec.
sn_status xml_read_reals(const xml_reader *r, const xml_node *node, const xml_attr *attr,
                         int64_t min, int64_t max, double *out, int64_t *n);
// [load] The same for integers in [-2^31, 2^31).
sn_status xml_read_ints(const xml_reader *r, const xml_node *node, const xml_attr *attr,
                        int64_t min, int64_t max, int32_t *out, int64_t *n);
// [load] One of the words; *word is its row.
sn_status xml_read_word(const xml_reader *r, const xml_node *node, const xml_attr *attr,
                        const xml_word *words, const xml_word **word);

// The one of several names that is most like `name`. Start with { NULL, 0 }, offer each, read
// best: NULL when none is near.
typedef struct xml_nearest {
  const char *best;
  int64_t distance;
} xml_nearest;
void xml_offer(xml_nearest *nearest, const char *name, const char *candidate);
// Is `word` one of the words of a list "a|b|c"?
int xml_in_list(const char *list, const char *word);

SN_END_DECLS

#endif
