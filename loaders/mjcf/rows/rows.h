// SPDX-License-Identifier: Apache-2.0
//
// What a row of the schema of MJCF says: which elements there are and where, which attributes they
// take, of which type, with how many values, and where the value goes. The tables themselves are in
// schema/. Parsing, checking, messages and documentation all read them; nothing else knows the
// format.
//
//   mjcf_element --attrs--> groups of mjcf_attr rows, shared by elements that take them
//        +--children--> mjcf_element rows of the elements inside
//
// A value goes to `offset` of the struct that the element's reader fills: a definition of spec.h,
// or one of the structs of read/read.h and composite/composite.h.

#ifndef LOADERS_MJCF_ROWS_ROWS_H
#define LOADERS_MJCF_ROWS_ROWS_H

#include <stddef.h>

#include "sinew/xml/value.h"

typedef enum mjcf_type {
  MJCF_REAL,     // min..max doubles; those not given keep their value
  MJCF_INT,      // min..max integers, of bytes / max bytes each
  MJCF_WORD,     // one of words, as an integer of `bytes` bytes
  MJCF_BIT,      // one of words: sets or clears `bit` in an int64
  MJCF_BITS,     // any number of integers below `max`, the bits that are set in an int64
  MJCF_TEXT,     // any text; with words: one of them. A pointer; NULL for ""
  MJCF_BUFFER,   // any text, copied into `bytes` bytes; with words: those are translated to names
  MJCF_REALS,    // any number of doubles, a sn_reals
  MJCF_INTS,     // any number of integers, a sn_ints
  MJCF_CLASS,    // name of a defaults class; read before the others
  MJCF_NOTHING   // any text, which has no effect: a warning says why
} mjcf_type;

// One row. Tables end with a NULL name.
typedef struct mjcf_attr {
  const char *name;
  const xml_word *words;
  const char *const *names;   // of a translated word, by its value
  uint32_t offset, bytes;
  int64_t bit;
  mjcf_type type;
  int32_t min, max;   // counts of numbers
  int32_t required;
  int32_t alias;     // another name of a row above: read, never written
  int32_t fresh;     // numbers that an element leaves out are unset, not those of its class
  const char *why;   // of MJCF_NOTHING, and of a word with `inert`
} mjcf_attr;

typedef struct mjcf_reader mjcf_reader;
typedef struct mjcf_element mjcf_element;
typedef sn_status mjcf_read_fn(mjcf_reader *r, const mjcf_element *e, const xml_node *node);

enum { MJCF_GROUPS = 10 };

// One row. Tables end with a NULL name.
struct mjcf_element {
  const char *name;
  const mjcf_attr *attrs[MJCF_GROUPS];   // ends with NULL
  const char *prefix;                    // the rows have it before the names; others are not meant
  const mjcf_element *children;          // NULL: none
  mjcf_read_fn *read;
  const void *detail;   // of `read`
  size_t target;        // of `read`: where it fills, inside what it fills
  size_t orient;        // of a sn_orient in the definition; 0: there is none
  int32_t pass;         // of a section: when it is read; see load/mjcf.c
  char count;           // ! once, ? at most once, * any number, R recursive
};

// Rows.
#define MJCF_AT(T, m) .offset = (uint32_t)offsetof(T, m), .bytes = (uint32_t)sizeof(((T *)0)->m)
#define MJCF_REALN(T, n, m, lo, hi) \
  { .name = n, .type = MJCF_REAL, MJCF_AT(T, m), .min = lo, .max = hi }
#define MJCF_REAL1(T, n, m) MJCF_REALN(T, n, m, 1, 1)
#define MJCF_INTN(T, n, m, lo, hi) \
  { .name = n, .type = MJCF_INT, MJCF_AT(T, m), .min = lo, .max = hi }
#define MJCF_INT1(T, n, m) MJCF_INTN(T, n, m, 1, 1)
#define MJCF_ONEOF(T, n, m, w) \
  { .name = n, .type = MJCF_WORD, MJCF_AT(T, m), .words = w }
#define MJCF_STRING(T, n, m) \
  { .name = n, .type = MJCF_TEXT, MJCF_AT(T, m) }
#define MJCF_NAMED(T, n, m) \
  { .name = n, .type = MJCF_TEXT, MJCF_AT(T, m), .required = 1 }
#define MJCF_LIST(T, n, m) \
  { .name = n, .type = MJCF_REALS, MJCF_AT(T, m) }
#define MJCF_INTLIST(T, n, m) \
  { .name = n, .type = MJCF_INTS, MJCF_AT(T, m) }
#define MJCF_NO_EFFECT(n, reason) \
  { .name = n, .type = MJCF_NOTHING, .why = reason }
#define MJCF_IN_CLASS \
  { .name = "class", .type = MJCF_CLASS }
#define MJCF_ORIENT(T, m)                                                             \
  MJCF_REALN(T, "quat", m.quat, 4, 4), MJCF_REALN(T, "axisangle", m.axisangle, 4, 4), \
      MJCF_REALN(T, "xyaxes", m.xyaxes, 6, 6), MJCF_REALN(T, "zaxis", m.zaxis, 3, 3), \
      MJCF_REALN(T, "euler", m.euler, 3, 3)
#define MJCF_END \
  { .name = NULL }

// Words of many rows: words.c.
extern const xml_word mjcf_bool[], mjcf_limited[];

#endif
