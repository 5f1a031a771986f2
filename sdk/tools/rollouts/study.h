// SPDX-License-Identifier: Apache-2.0
//
// What `sinew rollout` runs: its request, made of the command line, and what is known of each
// rollout.

#ifndef SINEW_TOOLS_STUDY_H
#define SINEW_TOOLS_STUDY_H

#include <glob.h>

#include "sinew/camera_sensor.h"
#include "store.h"
#include "tools/json/json.h"
#include "vary.h"

enum { FORMAT_NPY, FORMAT_NPZ, FORMAT_CSV, NFORMATS };

typedef struct study {
  session s;
  sn_rollout_request q;
  sn_camera_sensors *cameras;   // NULL: no image is recorded
  varied *varied;               // o->nvary
  double *initial, *sequence;   // one state; the ctrl_sequence of --input, or NULL
  char *names, *limits;         // of --record and --stop, cut into pieces
  int64_t n;                    // rollouts of all shards
  int64_t shard, nshard;        // shard from 1 on
  int format;                   // of --out
  int32_t served;               // this process was a worker of another one, and is done
  void *map;                    // of --inputs
  size_t nmap;

  // of each row
  uint64_t *key, *hash;   // what it depends on; its result
  uint8_t *skip, *counted;
  uint64_t *record;   // room for a record of the store

  store store;
  int64_t ncounted, reused, missing, failed;
  int64_t invalid;   // failed since a value of --vary is out of range
  int64_t diverged;  // failed since they diverged
  int64_t ran;     // rollouts of this run that were not invalid
  int64_t steps;   // made in this run
  double start, shown, seconds;
} study;

// Opens engine and model, and makes the request. DONE, or USAGE or FAILED after reporting. Close it
// in any case.
int study_open(study *t, const options *o);
void study_close(study *t);
uint64_t study_seed(const study *t, int64_t row);
// Notes the result of a rollout.
void study_count(study *t, int64_t row, const uint64_t *words);
// A hash of all results, in their order; of no use while some are missing.
uint64_t study_hash(const study *t);
// study_inputs.c. Maps the controls of --inputs into the request. DONE, or FAILED after reporting.
int study_map_inputs(study *t, const char *path, int64_t *n, int64_t *steps);
// The first of n rollouts that a shard runs, 1 to nshard, at most INT32_MAX; nshard + 1: the end.
int64_t study_shard_start(int64_t n, int64_t shard, int64_t nshard);
// The number of this shard and of all, of --shard. DONE, or USAGE after reporting.
int study_read_shard(const options *o, int64_t *shard, int64_t *nshard);
// Mixes words of 8 bytes, the last one filled with zeros, into a hash.
uint64_t study_mix(uint64_t hash, const void *bytes, int64_t n);

#endif
