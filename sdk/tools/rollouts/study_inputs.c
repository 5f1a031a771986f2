// SPDX-License-Identifier: Apache-2.0
//
// --inputs and --shard of `sinew rollout`: an array of NumPy with controls, which is mapped, and
// the part of the rollouts that this process runs.

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study.h"

// ------------------------------------------------------------------ --inputs

// The text of the header of a .npy file, and in *start where the numbers begin; 0: it is none.
static int header_text(const unsigned char *p, size_t bytes, char *text, size_t size,
                       size_t *start) {
  if (bytes < 12 || memcmp(p, "\x93NUMPY", 6) != 0) {
    return 0;
  }
  const size_t fixed = p[6] == 1 ? 10 : 12;
  const size_t length = p[6] == 1
                            ? p[8] | (size_t)p[9] << 8
                            : p[8] | (size_t)p[9] << 8 | (size_t)p[10] << 16 | (size_t)p[11] << 24;
  if (length >= size || fixed + length > bytes) {
    return 0;
  }
  memcpy(text, p + fixed, length);
  text[length] = 0;
  *start = fixed + length;
  return 1;
}

// The numbers of a shape such as "(2, 5, 3)", of which three are kept; returns how many it has.
static int read_shape(const char *at, int64_t shape[3]) {
  int n = 0;
  char *end;
  for (at += strspn(at, "( "); *at && *at != ')'; at = end + strspn(end, "L, ")) {
    const long long value = strtoll(at, &end, 10);
    if (end == at) {
      break;
    }
    if (n < 3) {
      shape[n] = value;
    }
    n++;
  }
  return n;
}

// The shape of a .npy file of `bytes` bytes, in *start where its numbers begin. Reports what is not
// an array of float64 with three dimensions, row by row.
static int read_header(const options *o, const char *path, const unsigned char *p, size_t bytes,
                       int64_t shape[3], size_t *start) {
  char text[512], type[32];
  if (!p || !header_text(p, bytes, text, sizeof text, start)) {
    return report_text(o, path, 0, 0, "this is not a NumPy file (.npy) with an array of numbers");
  }
  const char *descr = strstr(text, "'descr': "), *at = strstr(text, "'shape': ");
  if (!descr || sscanf(descr, "'descr': '%31[^']'", type) != 1) {
    snprintf(type, sizeof type, "a structure");
  }
  if (strcmp(type, "<f8") != 0) {
    return report_text(o, path, 0, 0,
                       "its type is '%s', not float64; write it with numpy.save(F, "
                       "a.astype('<f8'))",
                       type);
  }
  if (!strstr(text, "'fortran_order': False")) {
    return report_text(o, path, 0, 0,
                       "its numbers are column by column; write it with numpy.save(F, "
                       "numpy.ascontiguousarray(a))");
  }
  const int n = at ? read_shape(at + strlen("'shape': "), shape) : 0;
  if (n != 3) {
    return report_text(o, path, 0, 0, "it has %d dimension%s, not 3: rollouts, steps, controls", n,
                       n == 1 ? "" : "s");
  }
  double total = (double)*start + 8.0 * (double)shape[0] * (double)shape[1] * (double)shape[2];
  if (shape[0] < 0 || shape[1] < 0 || shape[2] < 0 || *start % sizeof(double)) {
    return report_text(o, path, 0, 0, "its header is invalid; write it with numpy.save");
  }
  if (total > (double)bytes) {
    return report_text(o, path, 0, 0, "it is truncated: its shape needs %.0f bytes, and it has %zu",
                       total, bytes);
  }
  return DONE;
}

int study_map_inputs(study *t, const char *path, int64_t *n, int64_t *steps) {
  const options *o = t->s.o;
  struct stat st;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &st) < 0) {
    report_text(o, path, 0, 0, "cannot be read: %s", strerror(errno));
    if (file >= 0) {
      close(file);
    }
    return FAILED;
  }
  t->nmap = (size_t)st.st_size;
  void *map = st.st_size > 0 ? mmap(NULL, t->nmap, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  close(file);
  int64_t shape[3] = { 0 };
  t->map = map == MAP_FAILED ? NULL : map;
  size_t start = 0;
  if (read_header(o, path, t->map, t->nmap, shape, &start) != DONE) {
    return FAILED;
  }
  if (shape[2] != snm_nu(t->s.model)) {
    return report_text(o, path, 0, 0, "it has %lld controls instead of %lld", (long long)shape[2],
                       (long long)snm_nu(t->s.model));
  }
  t->q.control = (const double *)(const void *)((const char *)map + start);
  *n = shape[0];
  *steps = shape[1];
  return DONE;
}

// ------------------------------------------------------------------ --shard

static int64_t variable(const char *name, int64_t otherwise) {
  const char *text = getenv(name);
  char *end;
  const int64_t value = text ? strtoll(text, &end, 10) : 0;
  return text && end != text && !*end ? value : otherwise;
}

// Job arrays of schedulers: the number of this job, the first, the last, the distance of two.
static const struct {
  const char *id, *first, *last, *step;
} arrays[] = {
  { "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
    "SLURM_ARRAY_TASK_STEP" },
  { "SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE" },
  { "PBS_ARRAY_INDEX", "", "", "" },
  { "PBS_ARRAYID", "", "", "" },
};

static int from_environment(const options *o, int64_t *shard, int64_t *nshard) {
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    const int64_t id = variable(arrays[i].id, -1);
    if (id < 0) {
      continue;
    }
    const int64_t step = variable(arrays[i].step, 1), first = variable(arrays[i].first, 1);
    const int64_t last = variable(arrays[i].last, -1);
    *shard = step > 0 ? (id - first) / step + 1 : 0;
    if (*nshard == 0 && last < 0) {
      return usage_error(o->command,
                         "--shard auto: %s does not say how many jobs there are; write auto/N",
                         arrays[i].id);
    }
    *nshard = *nshard ? *nshard : step > 0 ? (last - first) / step + 1 : 0;
    return DONE;
  }
  return usage_error(
      o->command,
      "--shard auto works only in a job array of Slurm, SGE or PBS; write I/N, such as 1/4");
}

int64_t study_shard_start(int64_t n, int64_t shard, int64_t nshard) {
  return n / nshard * (shard - 1) + n % nshard * (shard - 1) / nshard;
}

int study_read_shard(const options *o, int64_t *shard, int64_t *nshard) {
  long long i = 0, n = 0;
  char end;
  *shard = *nshard = 1;
  if (!o->shard) {
    return DONE;
  }
  int status = DONE;
  if (strcmp(o->shard, "auto") == 0 || sscanf(o->shard, "auto/%lld%c", &n, &end) == 1) {
    *nshard = n;
    status = from_environment(o, shard, nshard);
  } else if (sscanf(o->shard, "%lld/%lld%c", &i, &n, &end) == 2) {
    *shard = i;
    *nshard = n;
  } else {
    return usage_error(o->command, "--shard '%s': write I/N, auto or auto/N", o->shard);
  }
  if (status == DONE && *nshard > INT32_MAX) {
    return usage_error(o->command, "--shard: %lld shards are too many", (long long)*nshard);
  }
  return status != DONE || (*shard >= 1 && *shard <= *nshard)
             ? status
             : usage_error(o->command,
                           "--shard: there is no shard %lld of %lld; shards are numbered from 1",
                           (long long)*shard, (long long)*nshard);
}
