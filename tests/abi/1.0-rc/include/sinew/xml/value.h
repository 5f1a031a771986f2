// SPDX-License-Identifier: Apache-2.0
//
// Values of attributes: numbers, lists of numbers, words. Numbers have the syntax of C in every
// locale. Every error has file, line, column, element and attribute, and says what was expected and
// what was found.

#ifndef SINEW_XML_VALUE_H
#define SINEW_XML_VALUE_H

#include "sinew/xml/xml.h"

SN_BEGIN_DECLS

// The destination of errors.
typedef struct xml_reader {
  const sn_host *host;
  sn_error *error;
} xml_reader;

// A keyword and its value. Tables end with a NULL word.
typedef struct xml_word {
  const char *word;
  int32_t value;
  int32_t inert;   // used by MJCF; 1: it has no effect and causes a warning; 2: a note
} xml_word;

// [load] Fills the error, with the source location of `attr`, or of `node` if attr is NULL. The
// path of the element is added to the message. Returns `code`.
sn_status xml_fail(const xml_reader *r, sn_status code, const xml_node *node, const xml_attr *attr,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));

// [load] Sets the name of the model. SN_EPARSE: the name is not valid UTF-8 or has control
// characters.
sn_status xml_name_model(const xml_reader *r, const sn_builder *b, const xml_node *root,
                         const xml_attr *name);

// [any] The number of words of a text, separated by white space.
int64_t xml_count(const char *text);

// [load] Reads min to max numbers to `out`; *n (n may be NULL) receives how many. NaN is rejected,
// because it means "not set" in a spec.
sn_status xml_read_reals(const xml_reader *r, const xml_node *node, const xml_attr *attr,
                         int64_t min, int64_t max, double *out, int64_t *n);
// [load] The same for integers in [-2^31, 2^31).
sn_status xml_read_ints(const xml_reader *r, const xml_node *node, const xml_attr *attr,
                        int64_t min, int64_t max, int32_t *out, int64_t *n);
// [load] Reads one of the words of a table; *word receives its row.
sn_status xml_read_word(const xml_reader *r, const xml_node *node, const xml_attr *attr,
                        const xml_word *words, const xml_word **word);

// Finds the candidate that is most similar to a name. Start with { NULL, 0 } and offer each
// candidate; `best` is then the most similar one, NULL if none is similar.
typedef struct xml_nearest {
  const char *best;
  int64_t distance;
} xml_nearest;
void xml_offer(xml_nearest *nearest, const char *name, const char *candidate);
// Whether `word` is one of the words of a list "a|b|c".
int xml_in_list(const char *list, const char *word);

SN_END_DECLS

#endif
