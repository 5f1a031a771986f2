// SPDX-License-Identifier: Apache-2.0
//
// STL files of the kit: many tetrahedra in the forms that the format allows, and files with one
// error each.
//
// Reference: 3D Systems, Stereolithography Interface Specification, 1989.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_result.h"

enum { SIDE = 16, COPIES = SIDE * SIDE, FACET = 50, HEAD = 84, LONGEST_COPY = 2000 };

// Corner `i` of triangle `f` of a copy, in units of 1/4.
static void place(int copy, int f, int i, int *out) {
  static const int corner[4][3] = { { 1, 0, 0 }, { 5, 0, 0 }, { 1, 6, 0 }, { 1, 0, 4 } };
  static const int face[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
  const int *c = corner[face[f][i]];
  out[0] = c[0] + 4 * MESH_SHIFT_X * (copy % SIDE);
  out[1] = c[1] + 4 * MESH_SHIFT_Y * (copy / SIDE);
  out[2] = c[2];
}

// ------------------------------------------------------------------ text

typedef struct style {
  const char *solid, *facet, *vertex, *space, *line, *endfacet, *endsolid;
  int nsolid;   // a solid has COPIES / nsolid copies
} style;

// Upper case, tabs, line ends of Windows, several solids; a name that is a keyword, and none.
static const style plain = { "solid t\n",    "facet normal 0 0 0\nouter loop\n",
                             "vertex ",      " ",
                             "\n",           "endloop\nendfacet\n",
                             "endsolid t\n", 1 };
static const style odd = { "SOLID facet\r\n",
                           "\tFACET  NORMAL\t1e0 -0.0 .5\r\n\tOuter Loop\r\n",
                           "\t\tVertex\t",
                           "   ",
                           "\r\n",
                           "\tEndLoop\r\n\tEndFacet\r\n",
                           "EndSolid\r\n",
                           4 };

// With a decimal point in every locale.
static char *put_quarters(char *at, int quarters) {
  return at + snprintf(at, 24, "%d.%02d", quarters / 4, 25 * (quarters % 4));
}

static char *put(char *at, const char *text) {
  const size_t n = strlen(text);
  memcpy(at, text, n);
  return at + n;
}

static char *put_copy(char *at, const style *s, int copy) {
  for (int f = 0; f < 4; f++) {
    at = put(at, s->facet);
    for (int i = 0; i < 3; i++) {
      int p[3];
      place(copy, f, i, p);
      at = put(at, s->vertex);
      for (int k = 0; k < 3; k++) {
        at = put(put_quarters(at, p[k]), k < 2 ? s->space : s->line);
      }
    }
    at = put(at, s->endfacet);
  }
  return at;
}

static uint8_t *write_text(const style *s, int64_t *count) {
  const int copies = COPIES / s->nsolid;
  char *text = malloc(COPIES * LONGEST_COPY), *at = text;
  for (int copy = 0; text && copy < COPIES; copy++) {
    at = copy % copies == 0 ? put(at, s->solid) : at;
    at = put_copy(at, s, copy);
    at = copy % copies == copies - 1 ? put(at, s->endsolid) : at;
  }
  *count = text ? at - text : 0;
  return (uint8_t *)text;
}

// ------------------------------------------------------------------ binary

static void put_u32(uint8_t *out, uint32_t value) {
  for (int i = 0; i < 4; i++) {
    out[i] = (uint8_t)(value >> 8 * i);
  }
}

static void put_float(uint8_t *out, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_u32(out, bits);
}

// The normals differ from the corners, and the head begins like a text.
static uint8_t *write_binary(int copies, int64_t *count) {
  *count = HEAD + 4 * (int64_t)copies * FACET;
  uint8_t *bytes = calloc(1, (size_t)*count);
  if (!bytes) {
    return NULL;
  }
  memcpy(bytes, "solid t\nfacet", 13);
  put_u32(bytes + HEAD - 4, (uint32_t)(4 * copies));
  uint8_t *at = bytes + HEAD;
  for (int f = 0; f < 4 * copies; f++, at += FACET) {
    put_float(at, 7);
    for (int i = 0; i < 3; i++) {
      int p[3];
      place(f / 4, f % 4, i, p);
      for (int k = 0; k < 3; k++) {
        put_float(at + 12 + 12 * i + 4 * k, 0.25F * (float)p[k]);
      }
    }
  }
  return bytes;
}

uint8_t *mesh_stl_form(int form, const char **name, int64_t *count, int64_t *copies) {
  static const char *const names[] = { "text", "text with other spaces, case and names", "binary" };
  if (form < 0 || form > 2) {
    return NULL;
  }
  *name = names[form];
  *copies = COPIES;
  return form == 2 ? write_binary(COPIES, count) : write_text(form == 0 ? &plain : &odd, count);
}

// ------------------------------------------------------------------ with an error

#define FACET_OF(x)                                                                            \
  "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex " x " 0 0\nvertex 0 1 0\nendloop\n" \
  "endfacet\n"

static const struct {
  const char *what, *text;
  int line;
} wrong[] = {
  { "a coordinate that is not a number", "solid t\n" FACET_OF("1") FACET_OF("abc"), 12 },
  { "a coordinate that is not finite", "solid t\n" FACET_OF("nan"), 5 },
  { "a decimal comma", "solid t\n" FACET_OF("0,25"), 5 },
  { "a number with a word behind it", "solid t\n" FACET_OF("1m"), 5 },
  { "a triangle that is not complete", "solid t\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\n",
    5 },
  { "a word that is no keyword", "solid t\n" FACET_OF("1") "facets\n", 9 },
  { "no triangles", "solid t\nendsolid t\n", 0 },
};
enum { NWRONG = sizeof wrong / sizeof wrong[0] };

uint8_t *mesh_stl_wrong(int i, const char **what, int64_t *count, int32_t *line) {
  enum { CUT = NWRONG, NOT_FINITE };
  *line = 0;
  if (i >= 0 && i < NWRONG) {
    const size_t n = strlen(wrong[i].text);
    uint8_t *bytes = malloc(n);
    *what = wrong[i].what;
    *count = (int64_t)n;
    *line = wrong[i].line;
    return bytes ? memcpy(bytes, wrong[i].text, n) : NULL;
  }
  if (i != CUT && i != NOT_FINITE) {
    return NULL;
  }
  uint8_t *bytes = write_binary(1, count);
  *what = i == CUT ? "a binary file without its last byte"
                   : "a binary file with an infinite number";
  *count -= i == CUT;
  if (bytes && i == NOT_FINITE) {
    put_u32(bytes + HEAD + 12, 0x7f800000);
  }
  return bytes;
}
