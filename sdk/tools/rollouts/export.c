// SPDX-License-Identifier: Apache-2.0
//
// Results of rollouts as .npz, one array a column with the rollouts as its first dimension, and as
// .csv, one line a sample; see store.h.

#include <stdlib.h>
#include <string.h>

#include "sinew/number.h"
#include "store.h"
#include "tools/runs/csv.h"

#ifdef SINEW_MINIZIP
#include <zip.h>

enum { STORED_BUFFER = 1 << 15 };   // numbers that are gathered before they are written
enum { NAME_IS_UTF8 = 0x0800 };     // general purpose bit 11 of ZIP files

// ------------------------------------------------------------------ .npz

// The header of an array of this column in numpy's format 1.0; returns its length.
static size_t array_header(const column *c, int64_t n, char out[256]) {
  char shape[96];
  if (c->rows && c->cols != 1) {
    snprintf(shape, sizeof shape, "(%lld, %lld, %lld)", (long long)n, (long long)c->rows,
             (long long)c->cols);
  } else if (c->rows || c->cols != 1) {
    snprintf(shape, sizeof shape, "(%lld, %lld)", (long long)n,
             (long long)(c->rows ? c->rows : c->cols));
  } else {
    snprintf(shape, sizeof shape, "(%lld,)", (long long)n);
  }
  const int length = snprintf(
      out + 10, 246, "{'descr': '<%c8', 'fortran_order': False, 'shape': %s, }", c->type, shape);
  const size_t size = (10 + (size_t)length + 1 + 63) / 64 * 64;
  memcpy(out, "\x93NUMPY\x01\x00", 8);
  out[8] = (char)(size - 10);
  out[9] = 0;
  memset(out + 10 + length, ' ', size - 10 - (size_t)length);
  out[size - 1] = '\n';
  return size;
}

// All numbers of a column, in pieces.
static int put_column(zipFile zip, const store *s, const column *c, uint64_t *buffer) {
  int64_t used = 0;
  int ok = 1;
  for (int64_t i = 0; ok && i < s->nrow; i++) {
    const uint64_t *from = store_row(s, i) + c->at;
    for (int64_t k = 0; ok && k < c->n; k++) {
      buffer[used++] = from[k];
      if (used == STORED_BUFFER) {
        ok = zipWriteInFileInZip(zip, buffer, (unsigned)(used * 8)) == ZIP_OK;
        used = 0;
      }
    }
  }
  return ok && (used == 0 || zipWriteInFileInZip(zip, buffer, (unsigned)(used * 8)) == ZIP_OK);
}

static int put_array(zipFile zip, const store *s, const column *c, uint64_t *buffer) {
  char header[256], name[300];
  const size_t size = array_header(c, s->nrow, header);
  snprintf(name, sizeof name, "%s.npy", c->name);
  const zip_fileinfo info = { 0 };
  const int large = 1;   // sizes of 64 bits: an array may have more than 4 GiB
  return zipOpenNewFileInZip4_64(zip, name, &info, NULL, 0, NULL, 0, NULL, 0, 0, 0, -MAX_WBITS,
                                 DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0, 0, NAME_IS_UTF8,
                                 large) == ZIP_OK &&
         zipWriteInFileInZip(zip, header, (unsigned)size) == ZIP_OK &&
         put_column(zip, s, c, buffer) && zipCloseFileInZip(zip) == ZIP_OK;
}

int export_npz(const store *s, const char *path) {
  uint64_t *buffer = malloc(STORED_BUFFER * sizeof *buffer);
  zipFile zip = buffer ? zipOpen64(path, APPEND_STATUS_CREATE) : NULL;
  int ok = zip != NULL;
  for (int64_t k = STORE_SEED; ok && k < s->ncolumn; k++) {
    ok = put_array(zip, s, &s->column[k], buffer);
  }
  ok = (!zip || zipClose(zip, NULL) == ZIP_OK) && ok;
  free(buffer);
  return ok ? DONE : report_text(s->o, path, 0, 0, "the archive cannot be written");
}

#else

int export_npz(const store *s, const char *path) {
  return report_text(s->o, path, 0, 0,
                     "this program was built without minizip, which writes .npz; use .npy");
}

#endif

// ------------------------------------------------------------------ .csv

static void put_real(FILE *file, double value) {
  char digits[SN_NUMBER_ROOM];
  sn_write_number(digits, value, 0);
  fprintf(file, ",%s", digits);
}

static void put_names(FILE *file, const store *s) {
  fputs("rollout,step", file);
  for (int64_t k = STORE_SEED; k < s->ncolumn; k++) {
    const column *c = &s->column[k];
    for (int64_t i = 0; i < c->cols; i++) {
      const int quote = strpbrk(c->name, ",\"\r\n") != NULL;
      fputs(quote ? ",\"" : ",", file);
      for (const char *p = c->name; *p; p++) {
        fputs(*p == '"' ? "\"\"" : (char[]){ *p, 0 }, file);
      }
      if (c->cols > 1) {
        fprintf(file, ".%lld", (long long)i);
      }
      fputs(quote ? "\"" : "", file);
    }
  }
  fputc('\n', file);
}

static void put_line(FILE *file, const store *s, int64_t i, int64_t sample, int64_t step) {
  const uint64_t *row = store_row(s, i);
  fprintf(file, "%lld,%lld", (long long)i, (long long)step);
  for (int64_t k = STORE_SEED; k < s->ncolumn; k++) {
    const column *c = &s->column[k];
    const uint64_t *from = row + c->at + (c->rows ? sample * c->cols : 0);
    for (int64_t j = 0; j < c->cols; j++) {
      double value;
      memcpy(&value, &from[j], sizeof value);
      if (c->type == 'f') {
        put_real(file, value);
      } else {
        fprintf(file, c->type == 'u' ? ",%llu" : ",%lld", (unsigned long long)from[j]);
      }
    }
  }
  fputc('\n', file);
}

int export_csv(const store *s, const char *path, int64_t every) {
  sn_error *error = sn_error_new();
  sn_output *output = sn_output_open(path, error);
  FILE *file = output ? csv_open(sn_output_sink(output)) : NULL;
  if (file) {
    put_names(file, s);
    for (int64_t i = 0; i < s->nrow; i++) {
      // without records: one line a rollout
      const int64_t last = s->ncolumn - 1, n = s->column[last].rows;
      for (int64_t k = 0; k < (n > 0 ? n : 1); k++) {
        put_line(file, s, i, k, n > 0 ? (k + 1) * every : 0);
      }
    }
    fclose(file);   // a write that failed is known to the output
  }
  const sn_status status = sn_output_close(output, file ? SN_OK : SN_EINVAL, error);
  const int result = file && status >= 0 ? DONE : report(s->o, error);
  sn_error_free(error);
  return result;
}
