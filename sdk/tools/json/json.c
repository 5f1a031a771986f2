// SPDX-License-Identifier: Apache-2.0
//
// Writing JSON; see json.h.

#include "json.h"

#include <math.h>
#include <string.h>

#include "sinew/number.h"

// ------------------------------------------------------------------ bytes

static void flush(json *j) {
  if (j->used && fwrite(j->buffer, 1, j->used, j->file) != j->used) {
    j->failed = 1;
  }
  j->used = 0;
}

// room for n more bytes, n far below JSON_BUFFER
static char *reserve(json *j, size_t n) {
  if (j->used + n > JSON_BUFFER) {
    flush(j);
  }
  return j->buffer + j->used;
}

static void put(json *j, const char *text, size_t n) {
  memcpy(reserve(j, n), text, n);
  j->used += n;
}

static void put_char(json *j, char c) {
  *reserve(j, 1) = c;
  j->used++;
}

// Length of the UTF-8 sequence at p, 0 when it is not one.
static int utf8_length(const unsigned char *p) {
  int n = p[0] < 0x80 ? 1 : (p[0] & 0xe0) == 0xc0 ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : 4;
  if (n > 1 && (p[0] < 0xc2 || p[0] > 0xf4)) {
    return 0;
  }
  for (int i = 1; i < n; i++) {
    if ((p[i] & 0xc0) != 0x80) {
      return 0;
    }
  }
  // overlong forms, surrogates, beyond Unicode
  if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
      (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f)) {
    return 0;
  }
  return n;
}

static void put_text(json *j, const char *text) {
  const unsigned char *p = (const unsigned char *)text;
  put_char(j, '"');
  while (*p) {
    int n = utf8_length(p);
    if (*p == '"' || *p == '\\') {
      put_char(j, '\\');
      put_char(j, (char)*p++);
    } else if (n == 0 || *p < 0x20 || *p == 0x7f) {
      char escape[8];
      int length = snprintf(escape, sizeof escape, "\\u%04x", *p++);
      put(j, escape, (size_t)length);
    } else {
      put(j, (const char *)p, (size_t)n);
      p += n;
    }
  }
  put_char(j, '"');
}

static void put_integer(json *j, int64_t value) {
  char digits[24];
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  int at = (int)sizeof digits;
  do {
    digits[--at] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (value < 0) {
    digits[--at] = '-';
  }
  put(j, digits + at, sizeof digits - (size_t)at);
}

static void put_real(json *j, double value) {
  if (!isfinite(value)) {
    const char *word = isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
    put(j, word, strlen(word));
  } else if (fabs(value) < 1e15 && value == (double)(int64_t)value &&
             !(value == 0 && signbit(value))) {
    put_integer(j, (int64_t)value);
  } else {
    j->used += (size_t)sn_write_number(reserve(j, SN_NUMBER_ROOM), value, 0);
  }
}

// ------------------------------------------------------------------ members

static void begin(json *j, const char *key) {
  if (j->comma) {
    put(j, ",\n", key ? 2 : 1);
  }
  if (key) {
    put_text(j, key);
    put_char(j, ':');
  }
  j->comma = 1;
}

static void open_bracket(json *j, char opener, char closer) {
  put_char(j, opener);
  j->closer[j->depth++] = closer;
  j->comma = 0;
}

void json_start(json *j, FILE *file) {
  j->file = file;
  j->depth = j->failed = j->comma = 0;
  j->used = 0;
  open_bracket(j, '{', '}');
}

int json_finish(json *j) {
  while (j->depth) {
    json_end(j);
  }
  put_char(j, '\n');
  flush(j);
  return fflush(j->file) == 0 && !j->failed;
}

void json_object(json *j, const char *key) {
  begin(j, key);
  open_bracket(j, '{', '}');
}

void json_list(json *j, const char *key) {
  begin(j, key);
  open_bracket(j, '[', ']');
}

void json_end(json *j) {
  put_char(j, j->closer[--j->depth]);
  j->comma = 1;
}

void json_text(json *j, const char *key, const char *text) {
  begin(j, key);
  if (text) {
    put_text(j, text);
  } else {
    put(j, "null", 4);
  }
}

void json_integer(json *j, const char *key, int64_t value) {
  begin(j, key);
  put_integer(j, value);
}

void json_real(json *j, const char *key, double value) {
  begin(j, key);
  put_real(j, value);
}

void json_bool(json *j, const char *key, int value) {
  begin(j, key);
  put(j, value ? "true" : "false", value ? 4 : 5);
}

// ------------------------------------------------------------------ arrays

static void put_reals(json *j, const double *p, int64_t n) {
  put_char(j, '[');
  for (int64_t i = 0; i < n; i++) {
    if (i) {
      put_char(j, ',');
    }
    put_real(j, p[i]);
  }
  put_char(j, ']');
}

static void shape(json *j, const char *key, int64_t rows, int64_t cols, int two) {
  json_object(j, key);
  begin(j, NULL);
  put(j, "\"shape\":[", 9);
  put_integer(j, rows);
  if (two) {
    put_char(j, ',');
    put_integer(j, cols);
  }
  put(j, "],\"data\":", 9);
}

void json_vector(json *j, const char *key, const double *p, int64_t n) {
  begin(j, key);
  put_reals(j, p, n);
}

void json_reals(json *j, const char *key, const double *p, int64_t rows, int64_t cols) {
  shape(j, key, rows, cols, cols != 1);
  put_reals(j, p, rows * cols);
  json_end(j);
}

void json_table(json *j, const char *key, const double *p, int64_t rows, int64_t cols) {
  shape(j, key, rows, cols, 1);
  put_reals(j, p, rows * cols);
  json_end(j);
}

void json_ints(json *j, const char *key, const int32_t *p, int64_t rows, int64_t cols) {
  shape(j, key, rows, cols, cols != 1);
  put_char(j, '[');
  for (int64_t i = 0; i < rows * cols; i++) {
    if (i) {
      put_char(j, ',');
    }
    put_integer(j, p[i]);
  }
  put_char(j, ']');
  json_end(j);
}
