// SPDX-License-Identifier: Apache-2.0
//
// Results in a file that NumPy maps; see store.h. Reference: "The NPY format", NEP 1 of NumPy.

#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// ------------------------------------------------------------------ columns

static void add_column(store *s, const char *name, char type, int64_t rows, int64_t cols) {
  const int64_t n = (rows ? rows : 1) * cols;
  s->column[s->ncolumn++] = (column){ name, type, rows, cols, s->width, n };
  s->width += n;
}

int store_columns(store *s, const sn_rollout_request *q) {
  s->column = calloc((size_t)(STORE_FIXED + q->nvary + q->nrecord), sizeof *s->column);
  if (!s->column) {
    return 0;
  }
  add_column(s, "key", 'u', 0, 1);
  add_column(s, "seed", 'u', 0, 1);
  add_column(s, "status", 'i', 0, 1);
  add_column(s, "reached", 'i', 0, 1);
  for (int64_t k = 0; k < q->nvary; k++) {
    add_column(s, q->vary[k].name, 'f', 0, q->vary[k].width);
  }
  for (int64_t k = 0; k < q->nrecord; k++) {
    add_column(s, q->record[k].name, 'f', q->nsample, q->record[k].width);
  }
  return 1;
}

// ------------------------------------------------------------------ the header

// A text of Python: quotes and backslashes are escaped.
static void put_quoted(FILE *file, const char *text) {
  fputc('\'', file);
  for (const char *p = text; *p; p++) {
    if (*p == '\'' || *p == '\\') {
      fputc('\\', file);
    }
    fputc(*p, file);
  }
  fputc('\'', file);
}

static void put_column(FILE *file, const column *c) {
  fputs("(", file);
  put_quoted(file, c->name);
  fprintf(file, ", '<%c8'", c->type);
  if (c->rows && c->cols != 1) {
    fprintf(file, ", (%lld, %lld)", (long long)c->rows, (long long)c->cols);
  } else if (c->rows || c->cols != 1) {
    fprintf(file, ", (%lld,)", (long long)(c->rows ? c->rows : c->cols));
  }
  fputs("), ", file);
}

// The header of the file with n records, to be freed; *size: its bytes. NULL: no memory.
static char *make_header(const store *s, int64_t n, size_t *size) {
  char *text = NULL, *header = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  if (!file) {
    return NULL;
  }
  fputs("{'descr': [", file);
  for (int64_t i = 0; i < s->ncolumn; i++) {
    put_column(file, &s->column[i]);
  }
  fprintf(file, "], 'fortran_order': False, 'shape': (%lld,), }", (long long)n);
  if (fclose(file) != 0) {
    free(text);
    return NULL;
  }
  // magic, version 2.0 (3.0 where names are not ASCII), length; a multiple of 64 bytes in all
  int major = 2;
  for (size_t i = 0; i < length; i++) {
    major = (unsigned char)text[i] >= 0x80 ? 3 : major;
  }
  *size = (12 + length + 1 + 63) / 64 * 64;
  header = malloc(*size);
  if (header) {
    const uint32_t rest = (uint32_t)(*size - 12);
    const unsigned char start[12] = { 0x93,
                                      'N',
                                      'U',
                                      'M',
                                      'P',
                                      'Y',
                                      (unsigned char)major,
                                      0,
                                      (unsigned char)rest,
                                      (unsigned char)(rest >> 8),
                                      (unsigned char)(rest >> 16),
                                      (unsigned char)(rest >> 24) };
    memset(header, ' ', *size);
    memcpy(header, start, sizeof start);
    memcpy(header + 12, text, length);
    header[*size - 1] = '\n';
  }
  free(text);
  return header;
}

// ------------------------------------------------------------------ open

// A file that was made in vain is removed.
static int fail(const store *s, const char *what) {
  const int reason = errno;
  if (s->is_new) {
    unlink(s->path);
  }
  errno = reason;
  return report_text(s->o, s->path, 0, 0, "%s: %s", what, strerror(errno));
}

static int map_records(store *s) {
  const size_t bytes = (size_t)s->start + (size_t)(s->nrow * s->width) * sizeof(uint64_t);
  void *map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, s->file, 0);
  if (map == MAP_FAILED) {
    return 0;
  }
  s->map = (uint64_t *)(void *)((char *)map + s->start);
  return 1;
}

static void unmap_records(store *s) {
  if (s->map) {
    munmap((char *)s->map - s->start,
           (size_t)s->start + (size_t)(s->nrow * s->width) * sizeof(uint64_t));
    s->map = NULL;
  }
}

// Whether a file that exists has this header and its records.
static int has_header(const store *s, const char *header, size_t size) {
  struct stat st;
  char *found = malloc(size);
  const int64_t bytes = (int64_t)size + s->nrow * s->width * 8;
  const int same = found && fstat(s->file, &st) == 0 && st.st_size == bytes &&
                   pread(s->file, found, size, 0) == (ssize_t)size &&
                   memcmp(found, header, size) == 0;
  free(found);
  return same;
}

static int fill_file(store *s, const char *header, size_t size) {
  struct stat st;
  if (fstat(s->file, &st) < 0) {
    return fail(s, "cannot be read");
  }
  if (st.st_size > 0) {
    return has_header(s, header, size)
               ? DONE
               : report_text(s->o, s->path, 0, 0,
                             "this file exists and does not hold results of this command; remove "
                             "it, or write to another file");
  }
  s->is_new = 1;
  if (ftruncate(s->file, (off_t)size + (off_t)(s->nrow * s->width * 8)) < 0 ||
      pwrite(s->file, header, size, 0) != (ssize_t)size) {
    return fail(s, "cannot be written");
  }
  return DONE;
}

int store_open(store *s, const char *path, int64_t n) {
  size_t size = 0;
  char *header = make_header(s, n, &size);
  s->path = strdup(path);
  s->nrow = n;
  s->start = (int64_t)size;
  if (!header || !s->path) {
    free(header);
    return report(s->o, NULL);
  }
  s->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  int status = s->file < 0 ? fail(s, "cannot be opened") : DONE;
  if (status == DONE && flock(s->file, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
    status = report_text(s->o, path, 0, 0, "another process writes this file");
  }
  status = status == DONE ? fill_file(s, header, size) : status;
  if (status == DONE && !map_records(s)) {
    status = fail(s, "cannot be mapped");
  }
  free(header);
  return status;
}

// The number of records that a header of the columns of `like` says; -1: it is another one.
static int64_t records_of(store *s, int64_t bytes) {
  for (int64_t digits = 0; digits < 2; digits++) {
    size_t size = 0;
    char *header = make_header(s, 0, &size);   // the length of the header may grow with the number
    free(header);
    const int64_t room = bytes - (int64_t)size - 64 * digits;
    if (room < 0 || s->width == 0 || room % (s->width * 8)) {
      continue;
    }
    s->nrow = room / (s->width * 8);
    header = make_header(s, s->nrow, &size);
    s->start = (int64_t)size;
    const int same = header && has_header(s, header, size);
    free(header);
    if (same) {
      return s->nrow;
    }
  }
  return -1;
}

int store_read(store *s, const store *like, const char *path) {
  struct stat st;
  *s = (store){ .o = like->o,
                .column = like->column,
                .ncolumn = like->ncolumn,
                .width = like->width,
                .file = open(path, O_RDONLY | O_CLOEXEC) };
  if (s->file >= 0 && fstat(s->file, &st) == 0 && records_of(s, st.st_size) >= 0 &&
      map_records(s)) {
    return 1;
  }
  store_close(s);
  return 0;
}

void store_close(store *s) {
  unmap_records(s);
  if (s->file >= 0) {
    close(s->file);
  }
  s->file = -1;
  free(s->path);
  s->path = NULL;
}

void store_free(store *s) {
  store_close(s);
  free(s->column);
  s->column = NULL;
}

// ------------------------------------------------------------------ write

static int put_numbers(store *s, int64_t i, const uint64_t *from, int64_t first, int64_t n) {
  const char *bytes = (const char *)(from + first);
  int64_t at = s->start + (i * s->width + first) * 8, left = n * 8;
  while (left > 0) {
    const ssize_t done = pwrite(s->file, bytes, (size_t)left, (off_t)at);
    if (done < 0 && errno == EINTR) {
      continue;
    }
    if (done <= 0) {
      return fail(s, "cannot be written");
    }
    bytes += done;
    at += done;
    left -= done;
  }
  return DONE;
}

int store_put(store *s, int64_t i, const uint64_t *record) {
  const int status = put_numbers(s, i, record, 1, s->width - 1);
  if (status != DONE || put_numbers(s, i, record, STORE_KEY, 1) != DONE) {
    return FAILED;
  }
  s->is_new = 0;
  return DONE;
}
