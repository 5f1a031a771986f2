// SPDX-License-Identifier: Apache-2.0
//
// A list is pieces between blanks. A piece is a number when sn_read_number reads all of it and it
// is neither NaN nor too large. An integer may be written as a real ("3.0"), not with a fraction.

#include "sinew/xml/value.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/number.h"
#include "sinew/suggest.h"

static const char blanks[] = " \t\n\r\f\v";

// " (in mujoco/worldbody/body 'arm'/geom)": the elements around and the element itself, written
// from the end of `text`. Of a long path the beginning is left out.
static const char *path_of(const xml_node *node, char *text, size_t size) {
  enum { NAME = 40 };
  char *at = text + size - 1, part[3 * NAME];
  *at = 0;
  *--at = ')';
  for (const xml_node *n = node; n; n = n->parent) {
    const xml_attr *name = xml_find_attr(n, "name");
    int named = name && name->value[0];
    snprintf(part, sizeof part, "%.*s%s%.*s%s%s", NAME, n->name, named ? " '" : "", NAME,
             named ? name->value : "", named ? "'" : "", n == node ? "" : "/");
    size_t length = strlen(part);
    if ((size_t)(at - text) < length + sizeof " (in .../") {
      at -= 4;
      memcpy(at, ".../", 4);
      break;
    }
    at -= length;
    memcpy(at, part, length);
  }
  at -= 5;
  memcpy(at, " (in ", 5);
  return at;
}

sn_status xml_fail(const xml_reader *r, sn_status code, const xml_node *node, const xml_attr *attr,
                   const char *format, ...) {
  char text[1024], path[200];
  va_list list;
  va_start(list, format);
  int n = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (node->parent && n >= 0 && (size_t)n + sizeof path < sizeof text) {
    strcpy(text + n, path_of(node, path, sizeof path));
  }
  return r->host->error(r->host, r->error, code, node->file, attr ? attr->line : node->line,
                        attr ? attr->column : node->column, text);
}

sn_status xml_name_model(const xml_reader *r, const sn_builder *b, const xml_node *root,
                         const xml_attr *name) {
  sn_status status = b->set_name(b->spec, name->value);
  if (status == SN_EINVAL) {
    return xml_fail(r, SN_EPARSE, root, name,
                    "a name must be UTF-8 without control characters; choose another");
  }
  return status < 0 ? xml_fail(r, status, root, name, "out of memory for the name of the model")
                    : SN_OK;
}

int64_t xml_count(const char *text) {
  int64_t n = 0;
  for (const char *p = text + strspn(text, blanks); *p; p += strspn(p, blanks)) {
    p += strcspn(p, blanks);
    n++;
  }
  return n;
}

// ------------------------------------------------------------------ numbers

// one piece of a list; false when it is not a number
static int32_t parse_real(const char *piece, size_t length, double *out) {
  const char *end = sn_read_number(piece, out);
  const int32_t overflow = isinf(*out) && strchr("fFyY", end[-1]) == NULL;   // not inf, infinity
  return end == piece + length && !isnan(*out) && !overflow;
}

// says how many numbers were expected and found
static sn_status wrong_count(const xml_reader *r, const xml_node *node, const xml_attr *attr,
                             int64_t min, int64_t max, int64_t n) {
  char expected[64];
  if (min == max) {
    snprintf(expected, sizeof expected, "%lld", (long long)min);
  } else if (max == INT64_MAX) {
    snprintf(expected, sizeof expected, "at least %lld", (long long)min);
  } else {
    snprintf(expected, sizeof expected, "%lld to %lld", (long long)min, (long long)max);
  }
  return xml_fail(r, SN_EPARSE, node, attr, "%s: %s takes %s %s, found %lld: \"%.80s\"", node->name,
                  attr->name, expected, max == 1 ? "number" : "numbers", (long long)n, attr->value);
}

static int32_t is_integer(double x) {
  return x == rint(x) && x >= INT32_MIN && x <= INT32_MAX;
}

// Reads a list into one of reals and ints; the other is NULL.
static sn_status read_list(const xml_reader *r, const xml_node *node, const xml_attr *attr,
                           int64_t min, int64_t max, double *reals, int32_t *ints, int64_t *count) {
  int64_t n = xml_count(attr->value);
  if (n < min || n > max) {
    return wrong_count(r, node, attr, min, max, n);
  }
  const char *p = attr->value;
  for (int64_t i = 0; i < n; i++) {
    p += strspn(p, blanks);
    size_t length = strcspn(p, blanks);
    double x;
    if (!parse_real(p, length, &x) || (ints && !is_integer(x))) {
      return xml_fail(r, SN_EPARSE, node, attr, "%s: %s: expected %s, found \"%.*s\"", node->name,
                      attr->name, ints ? "an integer" : "a number", length < 80 ? (int)length : 80,
                      p);
    }
    if (ints) {
      ints[i] = (int32_t)x;
    } else {
      reals[i] = x;
    }
    p += length;
  }
  if (count) {
    *count = n;
  }
  return SN_OK;
}

sn_status xml_read_reals(const xml_reader *r, const xml_node *node, const xml_attr *attr,
                         int64_t min, int64_t max, double *out, int64_t *count) {
  return read_list(r, node, attr, min, max, out, NULL, count);
}

sn_status xml_read_ints(const xml_reader *r, const xml_node *node, const xml_attr *attr,
                        int64_t min, int64_t max, int32_t *out, int64_t *count) {
  return read_list(r, node, attr, min, max, NULL, out, count);
}

// ------------------------------------------------------------------ words

sn_status xml_read_word(const xml_reader *r, const xml_node *node, const xml_attr *attr,
                        const xml_word *words, const xml_word **word) {
  char list[512] = "";
  size_t used = 0;
  xml_nearest nearest = { NULL, 0 };
  for (const xml_word *w = words; w->word; w++) {
    if (strcmp(w->word, attr->value) == 0) {
      *word = w;
      return SN_OK;
    }
    xml_offer(&nearest, attr->value, w->word);
    int n = snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", w->word);
    used = n < 0 || (size_t)n >= sizeof list - used ? sizeof list - 1 : used + (size_t)n;
  }
  return xml_fail(r, SN_EPARSE, node, attr, "%s: %s is \"%.80s\", expected one of: %s%s%s%s",
                  node->name, attr->name, attr->value, list,
                  nearest.best ? "; did you mean \"" : "", nearest.best ? nearest.best : "",
                  nearest.best ? "\"?" : "");
}

void xml_offer(xml_nearest *nearest, const char *name, const char *candidate) {
  int64_t d = sn_suggest_near(name, candidate);
  if (d < SN_SUGGEST_FAR && (!nearest->best || d < nearest->distance)) {
    nearest->best = candidate;
    nearest->distance = d;
  }
}

int xml_in_list(const char *list, const char *word) {
  size_t n = strlen(word);
  for (const char *p = list; *p; p += strcspn(p, "|"), p += *p == '|') {
    if (strcspn(p, "|") == n && strncmp(p, word, n) == 0) {
      return 1;
    }
  }
  return 0;
}
