// SPDX-License-Identifier: Apache-2.0
//
// The results of `sinew rollout` in a file: an array of NumPy (.npy, format 1.0 or 2.0), one record
// a rollout, so that numpy.load(FILE, mmap_mode="r") maps it and array["qpos"] is a view.
//
//   key        u8          0: not run yet; otherwise a hash of all that the rollout depends on
//   seed       u8          its seed
//   status     i8          0: done; otherwise an SN_E* status
//   reached    i8          steps
//   NAME       f8 (w)      the value of each --vary; of one number: a plain f8
//   NAME       f8 (T, w)   each record; of one number: (T)
//
// The key of a rollout is written after all else of it, so a file is good at any time: what has the
// key that a command computes is what that command would compute, and is not run again.

#ifndef SINEW_TOOLS_STORE_H
#define SINEW_TOOLS_STORE_H

#include "tools/command.h"

enum { STORE_KEY, STORE_SEED, STORE_STATUS, STORE_REACHED, STORE_FIXED };

typedef struct column {
  const char *name;
  char type;            // 'u', 'i', 'f': all of 8 bytes
  int64_t rows, cols;   // rows 0: it has one
  int64_t at, n;        // first number in a record, numbers
} column;

typedef struct store {
  const options *o;
  char *path;
  int file;     // -1: not open
  int is_new;   // it was made here, and has no record yet
  column *column;
  int64_t ncolumn;
  int64_t nrow, width;   // records, numbers in each
  int64_t start;         // bytes of the header
  uint64_t *map;         // nrow x width numbers of the file, to be read; NULL: no record
} store;

// Columns of a store; names are not copied. False: no memory.
int store_columns(store *s, const sn_rollout_request *q);
// Opens or makes a file of n records. DONE, or FAILED after reporting: also if it has other
// contents, or another process writes it. Close it in any case.
int store_open(store *s, const char *path, int64_t n);
// Opens a file for reading if it is there and has these columns. False: it is not.
int store_read(store *s, const store *like, const char *path);
void store_close(store *s);
void store_free(store *s);   // also of columns

static inline const uint64_t *store_row(const store *s, int64_t i) {
  return s->map + i * s->width;
}
// Writes a record of s->width numbers; [STORE_KEY] last. DONE, or FAILED after reporting.
int store_put(store *s, int64_t i, const uint64_t *record);

// export.c. Writes all records to .npz or .csv. DONE, or FAILED after reporting.
int export_npz(const store *s, const char *path);
int export_csv(const store *s, const char *path, int64_t every);

#endif
