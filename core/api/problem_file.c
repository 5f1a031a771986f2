// SPDX-License-Identifier: Apache-2.0
//
// A set of constraint problems as a file: a header; for each problem its sizes and numbers, then
// its arrays in the order of SI_PROBLEM_ARRAYS; at the end a checksum of all before. Reading
// checks every length against the bytes that are left, every index against what it points into,
// and what solver.h promises of the order of rows and columns.

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/problem.h"
#include "base/finite.h"
#include "base/hash.h"
#include "platform/file.h"

static const char magic[8] = { 'S', 'I', 'N', 'E', 'W', 'P', 'R', 'B' };
enum { FORMAT_VERSION = 1 };

typedef struct head {
  char magic[8];
  uint32_t version, byte_order;
  int64_t count;
} head;
SN_LAYOUT(head, 24);

typedef struct record {
  int64_t nv, nefc, ne, nf, nblock, ncone, nM, nJ;
  double tolerance, scale, noslip_tolerance;
  int32_t iterations, noslip_iterations, jacobian;
  int32_t contacts;   // ncontact + 1; 0: it is not known what the rows belong to
} record;
SN_LAYOUT(record, 104);

// ------------------------------------------------------------------ writing

typedef struct writer {
  sn_sink *sink;
  uint64_t hash;
  sn_status status;   // of the first write that failed
} writer;

static void put(writer *w, const void *bytes, int64_t count, size_t size) {
  if (count > 0 && w->status >= 0) {
    w->status = w->sink->write(w->sink, bytes, count * (int64_t)size);
    w->hash = si_hash_words(w->hash, bytes, (size_t)count * size);
  }
}

static void write_problem(writer *w, const sn_problem *p) {
  int64_t nJ = si_problem_nJ(p);
  record r = { .nv = p->nv,
               .nefc = p->nefc,
               .ne = p->ne,
               .nf = p->nf,
               .nblock = p->nblock,
               .ncone = p->ncone,
               .nM = p->inertia->nM,
               .nJ = nJ,
               .tolerance = p->tolerance,
               .scale = p->scale,
               .noslip_tolerance = p->noslip_tolerance,
               .iterations = p->iterations,
               .noslip_iterations = p->noslip_iterations,
               .jacobian = p->jacobian,
               .contacts = p->id ? (int32_t)p->ncontact + 1 : 0 };
  put(w, &r, 1, sizeof r);
  const sn_problem *whole = p;
  const sn_inertia *tree = p->inertia;
#define SN_X(type, owner, member, count) put(w, owner->member, count, sizeof(type));
  SI_PROBLEM_ARRAYS(SN_X)
#undef SN_X
}

sn_status sn_problems_save(const sn_problems *problems, const char *path, sn_error *error) {
  sn_output *output = sn_output_open(path, error);
  if (!output) {
    return SN_EIO;
  }
  head h = { .version = FORMAT_VERSION, .byte_order = 0x01020304u, .count = problems->n };
  memcpy(h.magic, magic, sizeof magic);
  writer w = { .sink = sn_output_sink(output), .hash = SI_HASH_START };
  put(&w, &h, 1, sizeof h);
  for (int64_t i = 0; i < problems->n; i++) {
    write_problem(&w, problems->at[i]);
  }
  uint64_t hash = w.hash;
  put(&w, &hash, 1, sizeof hash);
  return sn_output_close(output, w.status, error);
}

// ------------------------------------------------------------------ reading

typedef struct reader {
  FILE *f;
  int64_t left;
  uint64_t hash;
  const char *path;
  sn_error *error;
} reader;

static sn_status broken(const reader *r, const char *why) {
  const sn_location location = { .file = r->path };
  return si_fail_at(r->error, SN_EPARSE, &location, "this problem file is damaged: %s", why);
}

static sn_status take(reader *r, void *out, int64_t count, size_t size) {
  int64_t bytes = count * (int64_t)size;
  if (bytes > r->left || fread(out, size, (size_t)count, r->f) != (size_t)count) {
    return broken(r, "it ends early");
  }
  r->left -= bytes;
  r->hash = si_hash_words(r->hash, out, (size_t)bytes);
  return SN_OK;
}

static int in_range(const int32_t *x, int64_t n, int64_t least, int64_t end) {
  for (int64_t i = 0; i < n; i++) {
    if (x[i] < least || x[i] >= end) {
      return 0;
    }
  }
  return 1;
}

static int is_tree(const sn_inertia *inertia) {
  int64_t nM = 0;
  for (int64_t i = 0; i < inertia->nv; i++) {
    if (inertia->parent[i] >= i || inertia->parent[i] < -1 || inertia->adr[i] != nM) {
      return 0;
    }
    for (int64_t k = i; k >= 0 && nM <= inertia->nM; k = inertia->parent[k]) {
      nM++;
    }
  }
  return nM == inertia->nM;
}

// Columns ascend, and are the same in all rows of a block.
static int is_ordered(const sn_problem *p, const sn_block *block) {
  const int32_t *first = p->J.col + p->J.adr[block->row], nnz = p->J.nnz[block->row];
  for (int32_t k = 1; k < nnz; k++) {
    if (first[k] <= first[k - 1]) {
      return 0;
    }
  }
  for (int32_t i = block->row + 1; i < block->row + block->nrow; i++) {
    if (p->J.nnz[i] != nnz ||
        memcmp(p->J.col + p->J.adr[i], first, (size_t)nnz * sizeof *first) != 0) {
      return 0;
    }
  }
  return 1;
}

static int all_positive(const double *x, int64_t n) {
  int good = 1;
  for (int64_t i = 0; i < n; i++) {
    good &= x[i] > 0 && isfinite(x[i]);
  }
  return good;
}

static int numbers_make_sense(const sn_problem *p, int64_t nJ) {
  int good = all_positive(p->D, p->nefc) && all_positive(p->R, p->nefc) &&
             si_all_finite(p->J.val, nJ) && si_all_finite(p->aref, p->nefc) &&
             si_all_finite(p->inertia->M, p->inertia->nM) && si_all_finite(p->qacc_smooth, p->nv) &&
             si_all_finite(p->qfrc_smooth, p->nv);
  for (int64_t i = 0; i < p->ncone; i++) {
    const sn_cone *c = &p->cone[i];
    good &= c->mu > 0 && isfinite(c->mu) && all_positive(c->friction, c->dim - 1);
  }
  return good;
}

static sn_status check(const reader *r, const sn_problem *p, int64_t nJ) {
  if (!is_tree(p->inertia)) {
    return broken(r, "the parents of its inertia matrix do not form a tree");
  }
  int good = in_range(p->J.col, nJ, 0, p->nv) && in_range(p->type, p->nefc, 0, SN_NROWTYPES);
  for (int64_t i = 0; good && i < p->nefc; i++) {
    good = p->J.adr[i] >= 0 && p->J.nnz[i] >= 0 && (int64_t)p->J.adr[i] + p->J.nnz[i] <= nJ;
  }
  for (int64_t i = 0; good && p->id && i < p->nefc; i++) {
    const int is_contact = p->type[i] >= SN_ROW_CONTACT_FRICTIONLESS &&
                           p->type[i] <= SN_ROW_CONTACT_ELLIPTIC;
    good = !is_contact || (p->id[i] >= 0 && p->id[i] < p->ncontact);
  }
  int64_t row = 0;
  for (int64_t i = 0; good && i < p->nblock; i++) {
    const sn_block *b = &p->block[i];
    good = b->row == row && b->nrow > 0 && row + b->nrow <= p->nefc && is_ordered(p, b);
    row += b->nrow;
  }
  good = good && row == p->nefc && p->ne >= 0 && p->nf >= 0 && p->ne + p->nf <= p->nefc;
  row = p->ne + p->nf;
  const sn_block *b = p->block;
  for (int64_t i = 0; good && i < p->ncone; i++) {
    const sn_cone *c = &p->cone[i];
    good = c->row >= row && (c->dim == 3 || c->dim == 4 || c->dim == 6) &&
           (int64_t)c->row + c->dim <= p->nefc;
    row = (int64_t)c->row + c->dim;
    while (good && b->row + b->nrow <= c->row) {
      b++;
    }
    good = good && row <= b->row + b->nrow;   // the rows of a cone share their columns
  }
  if (!good) {
    return broken(r, "an index is out of range");
  }
  return numbers_make_sense(p, nJ) ? SN_OK : broken(r, "a number is out of range");
}

static sn_status read_problem(reader *r, sn_problems *problems) {
  record rec;
  SN_TRY(take(r, &rec, 1, sizeof rec));
  const int64_t sizes[] = { rec.nv,    rec.nefc, rec.ne, rec.nf,      rec.nblock,
                            rec.ncone, rec.nM,   rec.nJ, rec.contacts };
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    if (sizes[i] < 0 || sizes[i] > r->left) {
      return broken(r, "a size is out of range");
    }
  }
  const sn_inertia inertia = { .size = sizeof inertia, .nv = rec.nv, .nM = rec.nM };
  const sn_problem like = { .size = sizeof(sn_problem),
                            .jacobian = rec.jacobian,
                            .nv = rec.nv,
                            .nefc = rec.nefc,
                            .ne = rec.ne,
                            .nf = rec.nf,
                            .inertia = &inertia,
                            .J = { .nrow = rec.nefc, .ncol = rec.nv },
                            .nblock = rec.nblock,
                            .ncone = rec.ncone,
                            .tolerance = rec.tolerance,
                            .scale = rec.scale,
                            .noslip_tolerance = rec.noslip_tolerance,
                            .iterations = rec.iterations,
                            .noslip_iterations = rec.noslip_iterations,
                            .id = rec.contacts > 0 ? &rec.contacts
                                                   : NULL,   // whether there are any
                            .ncontact = rec.contacts > 0 ? rec.contacts - 1 : 0 };
  sn_problem *p = si_problem_alloc(&like, rec.nJ);
  SN_TRY(si_problems_append(problems, p, r->error));
  int64_t nJ = rec.nJ;
  const sn_problem *whole = p;
  const sn_inertia *tree = p->inertia;
#define SN_X(type, owner, member, count) \
  SN_TRY(take(r, (void *)(uintptr_t)owner->member, count, sizeof(type)));
  SI_PROBLEM_ARRAYS(SN_X)
#undef SN_X
  return check(r, p, nJ);
}

static sn_status read_set(reader *r, sn_problems *problems) {
  head h;
  SN_TRY(take(r, &h, 1, sizeof h));
  if (memcmp(h.magic, magic, sizeof magic) != 0 || h.version != FORMAT_VERSION ||
      h.byte_order != 0x01020304u) {
    const sn_location location = { .file = r->path };
    return si_fail_at(
        r->error, SN_EPARSE, &location,
        "this is not a file of constraint problems, as `sinew problem save` writes it");
  }
  for (int64_t i = 0; i < h.count; i++) {
    SN_TRY(read_problem(r, problems));
  }
  uint64_t expected = r->hash, hash;
  SN_TRY(take(r, &hash, 1, sizeof hash));
  return hash == expected && r->left == 0 ? SN_OK : broken(r, "its checksum does not match");
}

sn_problems *sn_problems_load(const char *path, sn_error *error) {
  const sn_location location = { .file = path };
  const char *why;
  int64_t count;
  FILE *f = si_file_stream(path, &count, &why);
  if (!f) {
    si_fail_at(error, SN_EIO, &location,
               "the file cannot be read: %s; `sinew problem save` writes such files", why);
    return NULL;
  }
  reader r = { .f = f, .left = count, .hash = SI_HASH_START, .path = path, .error = error };
  sn_problems *problems = sn_problems_new(error);
  if (problems && read_set(&r, problems) < 0) {
    sn_problems_free(problems);
    problems = NULL;
  }
  fclose(f);
  return problems;
}
