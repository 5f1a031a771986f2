// SPDX-License-Identifier: Apache-2.0
//
// A zip archive: a local header and the content of each file, the same headers again as a
// directory, and the end with the place of the directory. Numbers are little-endian.
//
// Reference: APPNOTE.TXT, .ZIP File Format Specification, PKWARE, sections 4.3.7, 4.3.12, 4.3.16;
// of a deflated file, RFC 1951, section 3.2.4.

#include "archive.h"

#include <string.h>

enum { LOCAL = 30, ENTRY = 46, END = 22 };   // bytes of a header

typedef struct writer {
  uint8_t *out;
  int64_t n;
} writer;

static void put(writer *w, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; i++) {
    w->out[w->n++] = (uint8_t)(value >> 8 * i);
  }
}

static void put_text(writer *w, const char *text, size_t n) {
  memcpy(w->out + w->n, text, n);
  w->n += (int64_t)n;
}

static size_t size_of(const archive_file *f) {
  return f->size > 0 ? (size_t)f->size : strlen(f->text);
}

enum { BLOCK = 5 };   // bytes before the content of a deflated file

static size_t stored_size(const archive_file *f) {
  return size_of(f) + (f->form == ARCHIVE_DEFLATED ? BLOCK : 0);
}

// CRC-32 of ISO 3309, bit by bit.
static uint32_t checksum(const archive_file *f) {
  uint32_t c = 0xffffffffu;
  for (size_t i = 0; i < size_of(f); i++) {
    c ^= (uint8_t)f->text[i];
    for (int bit = 0; bit < 8; bit++) {
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
  }
  return ~c;
}

// What both headers of a file have: versions, flags, method, time, checksum, sizes, lengths.
static void put_file(writer *w, const archive_file *f) {
  const uint32_t size = (uint32_t)size_of(f);
  put(w, 20, 2);
  put(w, f->form == ARCHIVE_ENCRYPTED ? 1 : 0, 2);
  put(w, f->form == ARCHIVE_DEFLATED ? 8 : 0, 2);
  put(w, 0, 2);
  put(w, 33, 2);
  put(w, checksum(f), 4);
  put(w, (uint32_t)stored_size(f), 4);
  put(w, size, 4);
  put(w, (uint32_t)strlen(f->name), 2);
  put(w, 0, 2);
}

int64_t archive_write(const archive_file *files, int n, uint8_t *out, int64_t capacity) {
  enum { MOST = 32 };
  uint32_t at[MOST];
  int64_t needed = END;
  for (int i = 0; i < n; i++) {
    needed += LOCAL + ENTRY + 2 * (int64_t)strlen(files[i].name) + (int64_t)stored_size(&files[i]);
  }
  if (n > MOST || needed > capacity) {
    return 0;
  }
  writer w = { out, 0 };
  for (int i = 0; i < n; i++) {
    at[i] = (uint32_t)w.n;
    put(&w, 0x04034b50, 4);
    put_file(&w, &files[i]);
    put_text(&w, files[i].name, strlen(files[i].name));
    if (files[i].form ==
        ARCHIVE_DEFLATED) {   // the last block, not compressed; its size, and the complement
      put(&w, 1, 1);
      put(&w, (uint32_t)size_of(&files[i]), 2);
      put(&w, ~(uint32_t)size_of(&files[i]), 2);
    }
    put_text(&w, files[i].text, size_of(&files[i]));
  }
  const uint32_t directory = (uint32_t)w.n;
  for (int i = 0; i < n; i++) {
    put(&w, 0x02014b50, 4);
    put(&w, 20, 2);
    put_file(&w, &files[i]);
    put(&w, 0, 4);
    put(&w, 0, 2);
    put(&w, 0, 4);
    put(&w, at[i], 4);
    put_text(&w, files[i].name, strlen(files[i].name));
  }
  const uint32_t end = (uint32_t)w.n;
  put(&w, 0x06054b50, 4);
  put(&w, 0, 4);
  put(&w, (uint32_t)n, 2);
  put(&w, (uint32_t)n, 2);
  put(&w, end - directory, 4);
  put(&w, directory, 4);
  put(&w, 0, 2);
  return w.n;
}
