// SPDX-License-Identifier: Apache-2.0
//
// Height fields: from a definition or a file to heights in [0, 1], row 0 at -y.
//
//   an image    brightness; its rows are from the top, so the last one is row 0
//   any other   little-endian: int32 nrow, int32 ncol, float heights[nrow * ncol]
//   numbers     row by row
//   nothing     zeros
//
// Heights are moved and scaled so that the smallest is 0 and the largest 1; where all are the
// same, 0.
//
// Reference of the binary file: the documentation of MJCF, element hfield.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assets/mesh.h"
#include "sinew/math.h"

enum { LARGEST = 1 << 15 };   // rows or columns

// Heights are kept in result->vert; width and height are columns and rows.
static sn_status reserve(si_build *b, int64_t id, int64_t nrow, int64_t ncol, si_mesh_result *r) {
  if (nrow < 2 || ncol < 2 || nrow > LARGEST || ncol > LARGEST) {
    return SI_FAIL(b, hfield, id, "it has %lld rows and %lld columns; each must be from 2 to %d",
                   (long long)nrow, (long long)ncol, LARGEST);
  }
  // the heights, and those of the model
  SN_TRY(si_build_take(b, 8.0 * (double)(nrow * ncol), SI_ELEMENT_hfield, id));
  SN_TRY(si_build_ahead(b, 8.0 * (double)(nrow * ncol), SI_ELEMENT_hfield, id));
  r->vert = calloc((size_t)(nrow * ncol), sizeof *r->vert);
  r->height = nrow;
  r->width = ncol;
  return r->vert ? SN_OK : si_build_fail(b, SN_ENOMEM, SI_ELEMENT_hfield, id, "out of memory");
}

static sn_status read_image(si_build *b, int64_t id, si_mesh_result *r) {
  const sn_hfield_def *def = SI_DEF(b, hfield, id);
  SN_TRY(si_mesh_image(b, SI_ELEMENT_hfield, id, def->file, def->bytes, def->nbytes, 1, r));
  SN_TRY(reserve(b, id, r->height, r->width, r));
  for (int64_t row = 0; row < r->height; row++) {
    const uint8_t *from = r->pixels + (r->height - 1 - row) * r->width;
    for (int64_t col = 0; col < r->width; col++) {
      r->vert[row * r->width + col] = from[col];
    }
  }
  return SN_OK;
}

static uint32_t word_at(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static sn_status read_binary(si_build *b, int64_t id, si_mesh_result *r) {
  const sn_hfield_def *def = SI_DEF(b, hfield, id);
  int64_t nrow = def->nbytes < 8 ? 0 : word_at(def->bytes);
  int64_t ncol = def->nbytes < 8 ? 0 : word_at(def->bytes + 4);
  int64_t size = nrow <= LARGEST && ncol <= LARGEST ? 8 + 4 * nrow * ncol : -1;
  if (def->nbytes < 8 || def->nbytes != size) {
    return SI_FAIL(b, hfield, id,
                   "file '%s' has %lld bytes; it must start with the numbers of rows and columns, "
                   "4 bytes each, and have 4 bytes for each height",
                   def->file ? def->file : "", (long long)def->nbytes);
  }
  SN_TRY(reserve(b, id, nrow, ncol, r));
  for (int64_t i = 0; i < nrow * ncol; i++) {
    uint32_t bits = word_at(def->bytes + 8 + 4 * i);
    float x;
    memcpy(&x, &bits, sizeof x);
    r->vert[i] = (double)x;
  }
  return SN_OK;
}

static sn_status read_numbers(si_build *b, int64_t id, si_mesh_result *r) {
  const sn_hfield_def *def = SI_DEF(b, hfield, id);
  SN_TRY(reserve(b, id, def->nrow, def->ncol, r));
  if (def->data.n > 0 && def->data.n != def->nrow * def->ncol) {
    return SI_FAIL(b, hfield, id, "it has %lld heights for %lld rows and %lld columns",
                   (long long)def->data.n, (long long)def->nrow, (long long)def->ncol);
  }
  if (def->data.n > 0) {
    memcpy(r->vert, def->data.p, (size_t)def->data.n * sizeof *r->vert);
  }
  return SN_OK;
}

static sn_status normalize(si_build *b, int64_t id, si_mesh_result *r) {
  int64_t n = r->width * r->height;
  double low = INFINITY, high = -INFINITY;
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(r->vert[i])) {
      return SI_FAIL(b, hfield, id, "its height in row %lld, column %lld is not finite",
                     (long long)(i / r->width), (long long)(i % r->width));
    }
    low = fmin(low, r->vert[i]);
    high = fmax(high, r->vert[i]);
  }
  for (int64_t i = 0; i < n; i++) {
    r->vert[i] = high > low ? (r->vert[i] - low) / (high - low) : 0;
  }
  return SN_OK;
}

static sn_status measure_hfield(si_build *b, int64_t id, si_mesh_result *r) {
  const sn_hfield_def *def = SI_DEF(b, hfield, id);
  for (int k = 0; k < 4; k++) {
    if (!(def->extent[k] > 0) || !isfinite(def->extent[k])) {
      return SI_FAIL(b, hfield, id,
                     "size must be four positive numbers: half x, half y, top, base");
    }
  }
  if (def->bytes && (def->nrow || def->ncol || def->data.n)) {
    return SI_FAIL(b, hfield, id,
                   "both a file and rows, columns or heights are specified; remove "
                   "one");
  }
  if (def->file && def->file[0] && !def->bytes) {
    return SI_FAIL(b, hfield, id, "its file '%s' is empty, or was not read", def->file);
  }
  SN_TRY(!def->bytes                       ? read_numbers(b, id, r)
         : si_mesh_is_image(b, def->file) ? read_image(b, id, r)
                                          : read_binary(b, id, r));
  SN_TRY(normalize(b, id, r));
  b->size.nhfielddata += r->width * r->height;
  return b->size.nhfielddata > INT32_MAX
             ? SI_FAIL(b, hfield, id, "the height fields together have too many heights")
             : SN_OK;
}

sn_status si_hfield_measure(si_build *b) {
  int64_t n = b->number[SI_ELEMENT_hfield].n;
  b->size.nhfield = n;
  b->assets.hfield = calloc((size_t)n + 1, sizeof *b->assets.hfield);
  if (!b->assets.hfield) {
    return si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  }
  for (int64_t i = 0; i < n; i++) {
    si_mesh_result_init(&b->assets.hfield[i]);
    b->assets.nhfield = i + 1;
    SN_TRY(measure_hfield(b, i, &b->assets.hfield[i]));
  }
  return SN_OK;
}

sn_status si_hfield_fill(si_build *b) {
  sn_model *m = b->m;
  int64_t address = 0;
  for (int64_t i = 0; i < m->nhfield; i++) {
    const si_mesh_result *r = &b->assets.hfield[i];
    int64_t n = r->width * r->height;
    m->hfield_nrow[i] = (int32_t)r->height;
    m->hfield_ncol[i] = (int32_t)r->width;
    m->hfield_adr[i] = (int32_t)address;
    memcpy(m->hfield_data + address, r->vert, (size_t)n * sizeof *r->vert);
    address += n;
  }
  return SN_OK;
}
