// SPDX-License-Identifier: Apache-2.0
//
// Reading JSON; see json.h. A recursive descent over a copy of the text, in which texts are
// decoded in place: a decoded text is never longer than its source. Each value is one node, and a
// value takes at least two bytes with its separator, so the nodes are bounded by the text.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"
#include "json.h"
#include "sinew/number.h"

typedef struct reader {
  json_document *doc;
  char *p, *end;        // *end is a zero
  char *line_start;
  int32_t line;
  int depth;
} reader;

// Remembers the first error. Always false.
static int wrong(reader *r, const char *message) {
  if (!r->doc->message) {
    r->doc->message = message;
    r->doc->line = r->line;
    r->doc->column = (int32_t)(r->p - r->line_start) + 1;
  }
  return 0;
}

static void skip_space(reader *r) {
  while (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r') {
    if (*r->p++ == '\n') {
      r->line++;
      r->line_start = r->p;
    }
  }
}

// Index of a new node at the present place, -1 when there is no memory.
static int32_t new_node(reader *r) {
  json_document *doc = r->doc;
  json_node *nodes = grow(doc->node, (int64_t)doc->n + 1, &doc->capacity, 64, sizeof *nodes);
  if (!nodes) {
    wrong(r, "out of memory for this document");
    return -1;
  }
  doc->node = nodes;
  doc->node[doc->n] = (json_node){ .line = r->line, .column = (int32_t)(r->p - r->line_start) + 1 };
  return doc->n++;
}

// ------------------------------------------------------------------ texts

static int hex4(const char *p, unsigned *out) {
  *out = 0;
  for (int i = 0; i < 4; i++) {
    char c = p[i];
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0) {
      return 0;
    }
    *out = *out * 16 + (unsigned)digit;
  }
  return 1;
}

static char *put_utf8(char *out, unsigned code) {
  if (code < 0x80) {
    *out++ = (char)code;
  } else if (code < 0x800) {
    *out++ = (char)(0xc0 | code >> 6);
    *out++ = (char)(0x80 | (code & 63));
  } else if (code < 0x10000) {
    *out++ = (char)(0xe0 | code >> 12);
    *out++ = (char)(0x80 | (code >> 6 & 63));
    *out++ = (char)(0x80 | (code & 63));
  } else {
    *out++ = (char)(0xf0 | code >> 18);
    *out++ = (char)(0x80 | (code >> 12 & 63));
    *out++ = (char)(0x80 | (code >> 6 & 63));
    *out++ = (char)(0x80 | (code & 63));
  }
  return out;
}

// after "\u"; advances over the escape, and over the second half of a surrogate pair
static char *read_unicode(reader *r, char *out) {
  unsigned code, low;
  if (!hex4(r->p, &code)) {
    wrong(r, "\\u requires four hexadecimal digits");
    return NULL;
  }
  r->p += 4;
  if (code >= 0xd800 && code < 0xdc00) {
    if (r->p[0] != '\\' || r->p[1] != 'u' || !hex4(r->p + 2, &low) || low < 0xdc00 ||
        low > 0xdfff) {
      wrong(r, "a surrogate without its pair");
      return NULL;
    }
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    r->p += 6;
  } else if (code >= 0xdc00 && code < 0xe000) {
    wrong(r, "a surrogate without its pair");
    return NULL;
  }
  if (code == 0) {
    wrong(r, "a zero in a text");
    return NULL;
  }
  return put_utf8(out, code);
}

// at the opening quote; NULL after an error
static const char *read_text(reader *r) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  char *start = ++r->p, *out = start;
  while (*r->p != '"') {
    if ((unsigned char)*r->p < 0x20) {
      wrong(r, r->p == r->end ? "the string has no closing "
                                "quote"
                              : "a control character in a text");
      return NULL;
    }
    if (*r->p != '\\') {
      *out++ = *r->p++;
      continue;
    }
    r->p++;
    if (*r->p == 'u') {
      r->p++;
      out = read_unicode(r, out);
      if (!out) {
        return NULL;
      }
      continue;
    }
    const char *at = *r->p ? strchr(from, *r->p) : NULL;
    if (!at) {
      wrong(r, "no such escape");
      return NULL;
    }
    *out++ = to[at - from];
    r->p++;
  }
  r->p++;
  *out = '\0';
  return start;
}

// ------------------------------------------------------------------ numbers

static char *skip_digits(char *p) {
  while (*p >= '0' && *p <= '9') {
    p++;
  }
  return p;
}

static int read_number(reader *r, double *out) {
  char *p = r->p;
  p += *p == '-';
  char *digits = p;
  p = skip_digits(p);
  if (p == digits || (*digits == '0' && p > digits + 1)) {
    return wrong(r, "not a number");
  }
  if (*p == '.') {
    digits = ++p;
    p = skip_digits(p);
    if (p == digits) {
      return wrong(r, "a digit must follow the decimal point");
    }
  }
  if (*p == 'e' || *p == 'E') {
    p++;
    p += *p == '+' || *p == '-';
    digits = p;
    p = skip_digits(p);
    if (p == digits) {
      return wrong(r, "an exponent without digits");
    }
  }
  sn_read_number(r->p, out);
  if (!isfinite(*out)) {
    return wrong(r, "the number is too large");
  }
  r->p = p;
  return 1;
}

// ------------------------------------------------------------------ values

static int32_t read_value(reader *r, const char *key);

static int read_word(reader *r, const char *word) {
  size_t n = strlen(word);
  if (strncmp(r->p, word, n) != 0) {
    return wrong(r, "expected a value: a number, string, list, object, true, false or null");
  }
  r->p += n;
  return 1;
}

static int read_key(reader *r, int is_first, const char **key) {
  if (*r->p != '"') {
    return wrong(r, is_first ? "expected a name in double quotes"
                             : "expected a name in double quotes after ','; remove the ',' if the "
                               "object ends here");
  }
  *key = read_text(r);
  if (!*key) {
    return 0;
  }
  skip_space(r);
  if (*r->p != ':') {
    return wrong(r, "expected ':'");
  }
  r->p++;
  skip_space(r);
  return 1;
}

// at the opening bracket; fills node `self`
static int read_children(reader *r, int32_t self, char closer) {
  int32_t last = 0;
  if (++r->depth > JSON_DEPTH) {
    return wrong(r, "nested too deeply");
  }
  r->p++;
  skip_space(r);
  while (*r->p != closer) {
    const char *key = NULL;
    if (last) {
      if (*r->p != ',') {
        return wrong(r, closer == ']' ? "expected ',' or ']'" : "expected ',' or '}'");
      }
      r->p++;
      skip_space(r);
    }
    if (closer == '}' && !read_key(r, !last, &key)) {
      return 0;
    }
    int32_t child = read_value(r, key);
    if (child < 0) {
      return 0;
    }
    json_node *node = r->doc->node;
    if (last) {
      node[last].next = child;
    } else {
      node[self].first = child;
    }
    node[self].count++;
    last = child;
    skip_space(r);
  }
  r->p++;
  r->depth--;
  return 1;
}

// index of the node, -1 after an error
static int32_t read_value(reader *r, const char *key) {
  int32_t self = new_node(r);
  if (self < 0) {
    return -1;
  }
  int ok = 1, type = JSON_NUMBER;
  double number = 0;
  const char *text = NULL;
  if (*r->p == '{' || *r->p == '[') {
    type = *r->p == '{' ? JSON_OBJECT : JSON_LIST;
    ok = read_children(r, self, type == JSON_OBJECT ? '}' : ']');
  } else if (*r->p == '"') {
    type = JSON_TEXT;
    text = read_text(r);
    ok = text != NULL;
  } else if (*r->p == 't' || *r->p == 'f') {
    type = JSON_BOOL;
    number = *r->p == 't';
    ok = read_word(r, *r->p == 't' ? "true" : "false");
  } else if (*r->p == '-' || (*r->p >= '0' && *r->p <= '9')) {
    ok = read_number(r, &number);
  } else {
    type = JSON_NULL;
    ok = read_word(r, "null");
  }
  json_node *node = &r->doc->node[self];
  node->type = type;
  node->number = number;
  node->text = text;
  node->key = key;
  return ok ? self : -1;
}

int json_read(json_document *doc, const char *text, int64_t n) {
  memset(doc, 0, sizeof *doc);
  reader r = { .doc = doc, .line = 1 };
  if (n < 0 || n >= INT32_MAX) {
    return wrong(&r, "the document is too large");
  }
  doc->bytes = malloc((size_t)n + 1);
  if (!doc->bytes) {
    return wrong(&r, "out of memory for this document");
  }
  memcpy(doc->bytes, text, (size_t)n);
  doc->bytes[n] = '\0';
  r.p = r.line_start = doc->bytes;
  r.end = doc->bytes + n;
  skip_space(&r);
  if (read_value(&r, NULL) < 0) {
    return 0;
  }
  skip_space(&r);
  return r.p == r.end ? 1 : wrong(&r, "text after the end of the document");
}

void json_free(json_document *doc) {
  free(doc->bytes);
  free(doc->node);
  memset(doc, 0, sizeof *doc);
}
