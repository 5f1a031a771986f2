// SPDX-License-Identifier: Apache-2.0
//
// A request of rollouts, checked and with its names resolved, and one rollout of it. What a rollout
// needs of the request is its row, so that another process can compute it from the row alone.
//
//   rollout_request.c   reads and checks a request
//   rollout_run.c       computes one rollout on a worker
//   rollout.c           gives all of them to an executor
//   rollout_job.c       the same as bytes, for other processes

#ifndef SI_API_ROLLOUT_H
#define SI_API_ROLLOUT_H

#include <stdatomic.h>

#include "edit/variant.h"
#include "lanes/lanes.h"
#include "sinew/rollout.h"

typedef struct si_rollout {
  const sn_model *model;
  sn_rollout_request q;   // as this version knows it, with 1 for an `every` of 0
  si_part *record, *limit, *vary;
  int64_t room[3];            // entries that these three arrays have memory for
  int64_t nvalue;             // numbers of all variations of a rollout
  int64_t ninitial, nstate;   // numbers of initial_mask, of result_mask
  int64_t ncontrol;           // numbers of the controls of a rollout
  int has_variant;            // variations, or seeds
  atomic_int canceled;
  atomic_flag warned;   // of values of variations that are out of range
} si_rollout;

// The inputs of one rollout.
typedef struct si_rollout_row {
  int64_t number;          // of the rollout, for before_step and messages
  uint64_t seed;           // if the request has seeds
  const double *initial;   // ninitial; NULL: the reset state
  const double *control;   // ncontrol; NULL: none
  const double *values;    // nvalue: of its variations
} si_rollout_row;

// Its outputs; either may be NULL.
typedef struct si_rollout_out {
  double *states;    // nsample x nstate
  double *results;   // nresult
} si_rollout_out;

// What a thread computes rollouts with.
typedef struct si_rollout_worker si_rollout_worker;
struct si_rollout_worker {
  si_rollout_worker *next;   // in a list
  sn_option option;          // those of the model when the worker was made
  // Of the rollouts that run together in lanes; one by one they run in the first. data NULL: not
  // made yet.
  struct si_rollout_place {
    const sn_model *model;   // that of the request, or of `variant`
    si_variant *variant;     // NULL: nothing varies
    sn_data *data;
  } place[SI_LANES];
  si_lanes *lanes;   // NULL: likewise
  double *values;    // SI_LANES x nvalue: variations of the present rollouts
  // nresult, of a rollout that is not stored in memory; and the same of the others of a group
  double *results, *others;
  int64_t room[2];   // numbers that they have memory for
};

// Memory for n entries of these bytes in *array, an address of a pointer to entries whose number is
// *room; if there is less, that is freed. False: there is no memory.
int si_rollout_room(void *array, int64_t *room, int64_t n, size_t bytes);

// Checks a request and resolves its names. Arrays of rows are not read. r: zeros, or an earlier
// one, whose memory is used again. Free it in any case.
sn_status si_rollout_read(si_rollout *r, const sn_model *model, const sn_rollout_request *request,
                          sn_error *error);
void si_rollout_free(si_rollout *r);

sn_status si_rollout_worker_new(const si_rollout *r, si_rollout_worker **out, sn_error *error);
void si_rollout_worker_free(si_rollout_worker *w);
// Can the worker of an earlier request run rollouts of this one, with the same results as a new
// worker? If so, it is made ready for them.
int si_rollout_worker_suits(const si_rollout *r, si_rollout_worker *w);
// Gives all workers of a list the memory that any of them needed, so that none has to get more when
// it runs the rollouts of another one: for results of steps, and for several at a time, if `group`
// of them ran together in this call, 1 or SI_LANES. Returns how many bytes the largest has for each
// rollout.
int64_t si_rollout_workers_settle(const si_rollout *r, si_rollout_worker *list, int group);
// Runs a rollout. Its status, see sinew/rollout.h.
sn_status si_rollout_run(const si_rollout *r, si_rollout_worker *w, const si_rollout_row *row,
                         const si_rollout_out *out, int64_t *reached);
// Writes NaN into the samples from this one on, which a rollout did not reach.
void si_rollout_leave_samples(const si_rollout *r, int64_t sample, const si_rollout_out *out);
// Is the rest not to be run? Any thread may cancel it at any time.
int si_rollout_is_canceled(const si_rollout *r);
// May rollouts be run in lanes?
int si_rollout_in_lanes(const si_rollout *r);
// Gives a worker what it needs for that. False: there is no memory.
int si_rollout_make_group(const si_rollout *r, si_rollout_worker *w);
// Runs n of them, 1 to SI_LANES, together; status and reached of each.
void si_rollout_run_group(const si_rollout *r, si_rollout_worker *w, int n,
                          const si_rollout_row *row, const si_rollout_out *out, int32_t *status,
                          int64_t *reached);

#endif
