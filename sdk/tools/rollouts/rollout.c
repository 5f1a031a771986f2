// SPDX-License-Identifier: Apache-2.0
//
// sinew rollout: many simulations of a model. Results are written to a file as they come
// (store.h), so they may be larger than memory, and the same command goes on where it was stopped.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study.h"

// ------------------------------------------------------------------ progress and results

static int32_t show_progress(void *context, int64_t done, int64_t n) {
  study *t = context;
  const double now = wall_clock(), seconds = now - t->start;
  if (shows_progress(t->s.o) && now - t->shown > 0.1) {
    t->shown = now;
    fprintf(stderr, "\r\033[K%lld of %lld rollouts  %.3g rollouts/s  %.3g steps/s  %.0f s left",
            (long long)done, (long long)n, (double)done / fmax(seconds, 1e-9),
            (double)t->steps / fmax(seconds, 1e-9), seconds / (double)done * (double)(n - done));
    fflush(stderr);
  }
  return signals_came();
}

// A record of the file, and of the hash.
static sn_status take(void *context, int64_t row, int32_t status, int64_t reached,
                      const double *results) {
  study *t = context;
  uint64_t *to = t->record;
  to[STORE_KEY] = t->key[row];
  to[STORE_SEED] = study_seed(t, row);
  to[STORE_STATUS] = (uint64_t)(int64_t)status;
  to[STORE_REACHED] = (uint64_t)reached;
  to += STORE_FIXED;
  for (int64_t k = 0; k < t->q.nvary; k++) {
    const int64_t width = t->q.vary[k].width;
    memcpy(to, t->q.vary[k].values + row * width, (size_t)width * sizeof(double));
    to += width;
  }
  if (t->q.nresult > 0) {
    memcpy(to, results, (size_t)t->q.nresult * sizeof(double));
  }
  t->steps += reached;
  study_count(t, row, t->record);
  return t->store.file >= 0 && store_put(&t->store, row, t->record) != DONE ? SN_EIO : SN_OK;
}

// ------------------------------------------------------------------ files

// The file of records of an --out: itself, or beside it until it is written.
static void working_path(const study *t, char *out, size_t capacity) {
  const char *path = t->s.o->out;
  if (t->nshard > 1) {
    const char *dot = strrchr(path, '.');
    snprintf(out, capacity, "%.*s.%lld-of-%lld.npy", (int)(dot - path), path, (long long)t->shard,
             (long long)t->nshard);
  } else {
    snprintf(out, capacity, "%s%s", path, t->format == FORMAT_NPY ? "" : ".part.npy");
  }
}

// What a file of these records has is not run again. offset: the row of its record 0.
static void reuse(study *t, const store *from, int64_t offset) {
  for (int64_t i = 0; i < from->nrow; i++) {
    const int64_t row = offset + i;
    const uint64_t *record = store_row(from, i);
    if (row < 0 || row >= t->q.n || t->skip[row] || record[STORE_KEY] != t->key[row]) {
      continue;
    }
    if (from == &t->store || store_put(&t->store, row, record) == DONE) {
      t->skip[row] = 1;
      t->reused++;
      study_count(t, row, record);
    }
  }
}

// The files of all shards beside --out.
static void reuse_shards(study *t) {
  const char *path = t->s.o->out, *dot = strrchr(path, '.');
  char pattern[4096];
  glob_t found = { 0 };
  snprintf(pattern, sizeof pattern, "%.*s.*-of-*.npy", (int)(dot - path), path);
  if (glob(pattern, 0, NULL, &found) == 0) {
    for (size_t k = 0; k < found.gl_pathc; k++) {
      const char *name = found.gl_pathv[k] + (dot - path) + 1;
      long long shard = 0, nshard = 0;
      store file = { .file = -1 };
      if (sscanf(name, "%lld-of-%lld.npy", &shard, &nshard) == 2 && shard >= 1 && shard <= nshard &&
          nshard <= INT32_MAX && store_read(&file, &t->store, found.gl_pathv[k])) {
        reuse(t, &file, study_shard_start(t->n, shard, nshard));
        store_close(&file);
      }
    }
  }
  globfree(&found);
}

static int open_store(study *t) {
  char path[4096];
  working_path(t, path, sizeof path);
  if (!store_columns(&t->store, &t->q)) {
    return report(t->s.o, NULL);
  }
  const int status = store_open(&t->store, path, t->q.n);
  if (status == DONE) {
    reuse(t, &t->store, 0);
    if (t->nshard == 1) {
      reuse_shards(t);
    }
  }
  return status;
}

// The result in the format of --out, when all rollouts are there.
static int write_result(study *t) {
  const options *o = t->s.o;
  if (!o->out || t->nshard > 1 || t->format == FORMAT_NPY || t->missing > 0) {
    return DONE;
  }
  const int status = t->format == FORMAT_NPZ ? export_npz(&t->store, o->out)
                                             : export_csv(&t->store, o->out, t->q.every);
  if (status == DONE) {
    unlink(t->store.path);
  }
  return status;
}

// ------------------------------------------------------------------ the report

// "3, 17-32, 95": rollouts that are missing, as many as fit.
static const char *list_missing(const study *t, char *out, size_t capacity) {
  size_t used = 0;
  *out = 0;
  for (int64_t i = 0; i < t->q.n && used + 64 < capacity; i++) {
    int64_t last = i;
    while (last < t->q.n && !t->counted[last]) {
      last++;
    }
    if (last > i) {
      const char *comma = used ? ", " : "";
      const long long a = (long long)t->q.first + i, b = (long long)t->q.first + last - 1;
      used += (size_t)(a == b ? snprintf(out + used, capacity - used, "%s%lld", comma, a)
                              : snprintf(out + used, capacity - used, "%s%lld-%lld", comma, a, b));
      i = last;
    }
  }
  return out;
}

static void print_text(const study *t) {
  char list[400];
  const double seconds = fmax(t->seconds, 1e-9);
  const int64_t done = t->ran;
  printf("rollouts    %lld, each of %lld step%s", (long long)t->q.n, (long long)t->q.nstep,
         t->q.nstep == 1 ? "" : "s");
  if (t->nshard > 1) {
    printf(", shard %lld of %lld", (long long)t->shard, (long long)t->nshard);
  }
  printf("\nrun         %lld", (long long)done);
  if (t->reused > 0) {
    printf(", %lld were finished before", (long long)t->reused);
  }
  putchar('\n');
  if (done > 0) {
    printf("speed       %.4g rollouts/s, %.4g steps/s\n", (double)done / seconds,
           (double)t->steps / seconds);
  }
  if (t->q.worker_bytes > 0) {
    printf("memory      %.4g kB a rollout, %lld at a time\n", (double)t->q.worker_bytes / 1000,
           (long long)t->q.nworker);
  }
  printf("failed      %lld", (long long)t->failed);
  if (t->invalid > 0) {
    printf(", %lld of them not run, because a value of --vary is out of range",
           (long long)t->invalid);
  } else if (t->failed > 0 && t->diverged == t->failed) {
    printf(": they diverged, and ended there");
  }
  putchar('\n');
  if (t->missing > 0) {
    printf("missing     %lld: %s; the same command runs them\n", (long long)t->missing,
           list_missing(t, list, sizeof list));
  } else {
    printf("hash        %016llx\n", (unsigned long long)study_hash(t));
  }
  if (t->s.o->out) {
    printf("written     %s\n", t->missing > 0 || t->nshard > 1 ? t->store.path : t->s.o->out);
  }
}

static int print_json(const study *t) {
  json j;
  char hash[32];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)study_hash(t));
  json_start(&j, stdout);
  json_bool(&j, "ok", t->missing == 0 && t->invalid == 0);
  json_text(&j, "model", t->s.o->operand[0]);
  json_integer(&j, "rollouts", t->q.n);
  json_integer(&j, "first", t->q.first);
  json_integer(&j, "steps", t->q.nstep);
  json_integer(&j, "run", t->ran);
  json_integer(&j, "finished_before", t->reused);
  json_integer(&j, "missing", t->missing);
  json_integer(&j, "failed", t->failed);
  json_integer(&j, "invalid", t->invalid);
  json_real(&j, "seconds", t->seconds);
  json_real(&j, "steps_per_second", (double)t->steps / fmax(t->seconds, 1e-9));
  json_integer(&j, "worker_bytes", t->q.worker_bytes);
  json_integer(&j, "workers", t->q.nworker);
  json_text(&j, "hash", t->missing == 0 ? hash : NULL);
  json_bool(&j, "interrupted", signals_came());
  return json_finish(&j) ? DONE : FAILED;
}

// ------------------------------------------------------------------ the command

static int run_rest(study *t) {
  sn_rollout_request *q = &t->q;
  q->context = t;
  q->consume = take;
  q->progress = show_progress;
  q->cancel = signals_flag();
  q->skip = t->skip;
  q->executor = t->s.o->executor;
  signals_catch();
  t->start = t->shown = wall_clock();
  const int64_t invalid_before = t->invalid;
  const sn_status status = sn_rollout(t->s.model, q, t->s.error);
  t->seconds = wall_clock() - t->start;
  t->ran = q->done - (t->invalid - invalid_before);
  clear_progress(t->s.o);
  t->missing = q->n - t->ncounted;
  if (status == SN_EIO && t->store.file >= 0 && !sn_error_code(t->s.error)) {
    return FAILED;   // the store has reported it
  }
  return status < 0 ? report(t->s.o, t->s.error) : DONE;
}

static int rollout(const options *o) {
  study t = { .store = { .o = o, .file = -1 } };
  int status = study_open(&t, o);
  if (t.served) {   // rank 0 writes and reports
    study_close(&t);
    return status;
  }
  status = status == DONE && o->out ? open_store(&t) : status;
  status = status == DONE ? run_rest(&t) : status;
  status = status == DONE ? write_result(&t) : status;
  if (status == DONE) {
    status = o->json ? print_json(&t) : (print_text(&t), DONE);
    fflush(stdout);   // who kills the ranks of an MPI job does not wait until they have ended
    const int is_whole = t.missing == 0 && t.invalid == 0;
    status = status == DONE && !is_whole && !signals_came() ? FAILED : status;
    status = signals_status(status);
  }
  study_close(&t);
  return status;
}

static const option_meaning meanings[] = {
  { "every", "record every Nth step" },
  { "record", "arrays to record, or parts of them, separated by commas: qpos, sensordata:gyro, "
              "xpos:torso:2" },
  { "vary",
    "values of a quantity of the model, one of them for each rollout: gravity:2=-9.81,-1.62 or "
    "body_mass:torso=uniform(8,12); may be repeated" },
  { NULL, NULL },
};

const command rollout_command = {
  .name = "rollout",
  .operands = "MODEL",
  .summary = "runs many simulations, with variations, and records them",
  .meanings = meanings,
  .accepts = "json n time steps every key input inputs vary record stop seed executor shard out "
             "check-plugins strict",
  .story =
      "All start from --key and --input, with the controls of the ctrl_sequence of --input or\n"
      "those of --inputs. Each lasts as long as these controls, or 10 s; --time and --steps say\n"
      "otherwise. --vary gives quantities of the model other values in each rollout:\n"
      "\n"
      "  body_mass:torso=uniform(8,12)       also loguniform(A,B), normal(MEAN,SIGMA)\n"
      "  geom_friction:foot:0=0.5,0.7,0.9    these values; of several lists all combinations\n"
      "\n"
      "--record names arrays, or parts of them such as sensordata:gyro or xpos:torso:2, which\n"
      "are recorded after every Nth step. --stop ends a rollout when a quantity leaves a range:\n"
      "xpos:torso:2=0.8: ends it below 0.8; several are separated by commas. A rollout that\n"
      "diverges ends, with its status; samples that were not reached are NaN.\n"
      "\n"
      "--out F.npy is written as results come, and numpy.load(F, mmap_mode='r') maps it; .npz\n"
      "and .csv are made from it at the end. The same command continues what was stopped or\n"
      "killed: rollouts that are finished are not run again, unless something that they depend\n"
      "on has changed. --shard 2/8 runs the second eighth and writes F.2-of-8.npy; the command\n"
      "without --shard then collects the shards. --shard auto takes the numbers from a job\n"
      "array of Slurm, SGE or PBS (which needs auto/N).\n"
      "\n"
      "The exit status is 0 when the rollouts were run, even if some failed: see \"failed\" of\n"
      "the summary, and the status of each in the record.\n",
  .examples =
      "sinew rollout cart_pole --n 20 --steps 50 --executor threads\n"
      "sinew rollout arm --n 8 --steps 50 --every 10 --seed 1 --record qpos,qvel --out a.npy\n"
      "sinew rollout pendulum --vary gravity:2=-9.81,-1.62 --steps 100 --every 50 --out moon.csv\n",
  .min = 1,
  .max = 1,
  .takes_model = 1,
  .run = rollout,
};
