// SPDX-License-Identifier: Apache-2.0
//
// JSON, written and read.
//
// Written: into a buffer that is handed to a file in large pieces. Reals have as few digits as are
// read back as the same number; those that are not finite are the texts "nan", "inf", "-inf". An
// array of numbers is {"shape":[r] or [r,c],"data":[...]}, row by row.
//
// Read: strictly (RFC 8259, no duplicates of what matters, no trailing text), into a flat list of
// nodes. Memory is bounded by the length of the text, depth by JSON_DEPTH.

#ifndef SINEW_JSON_H
#define SINEW_JSON_H

#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 32, JSON_BUFFER = 1 << 16 };

// ------------------------------------------------------------------ writing

typedef struct json {
  FILE *file;
  int depth;
  int failed;                  // a write did not succeed
  int comma;                   // the next member needs one before it
  char closer[JSON_DEPTH];
  size_t used;
  char buffer[JSON_BUFFER];
} json;

// Starts a document, an object, on a file. json_finish ends it with a newline: false when not
// everything could be written.
void json_start(json *j, FILE *file);
int json_finish(json *j);

// Members; key NULL inside a list.
void json_object(json *j, const char *key);
void json_list(json *j, const char *key);
void json_end(json *j);
void json_text(json *j, const char *key, const char *text);   // NULL: null
void json_integer(json *j, const char *key, int64_t value);
void json_real(json *j, const char *key, double value);
void json_bool(json *j, const char *key, int value);
void json_vector(json *j, const char *key, const double *p, int64_t n);   // a plain list
// Arrays with a shape; cols 1: [rows], else [rows, cols].
void json_reals(json *j, const char *key, const double *p, int64_t rows, int64_t cols);
void json_ints(json *j, const char *key, const int32_t *p, int64_t rows, int64_t cols);
// The same, always with two dimensions.
void json_table(json *j, const char *key, const double *p, int64_t rows, int64_t cols);

// ------------------------------------------------------------------ reading

enum { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT };

typedef struct json_node {
  int32_t type;            // JSON_*
  int32_t line, column;    // of its first character
  int32_t first, next;     // first child, next sibling: indices of nodes, 0: none
  int32_t count;           // children
  double number;           // of numbers and booleans
  const char *text;        // of texts
  const char *key;         // as a member of an object; else NULL
} json_node;

typedef struct json_document {
  char *bytes;             // texts point into it
  json_node *node;         // node[0] is the document
  int32_t n;
  int64_t capacity;
  int32_t line, column;    // of an error
  const char *message;     // of an error
} json_document;

// Reads a text of n bytes. False: message, line and column say what is wrong and where. Free the
// document in either case.
int json_read(json_document *doc, const char *text, int64_t n);
void json_free(json_document *doc);

#endif
