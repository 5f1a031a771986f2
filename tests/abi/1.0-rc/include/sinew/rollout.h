// SPDX-License-Identifier: Apache-2.0
//
// The input of sn_rollout: n simulations of one model, each of nstep steps, from given initial
// states with given controls. Each may have its own values of fields and options of the model and
// its own random numbers, may end early, and records chosen quantities at chosen steps.
//
//   sn_rollout_record record[] = { { .name = "qpos" }, { .name = "sensordata:gyro" } };
//   sn_rollout_request r = { .size = sizeof r, .n = 1000, .nstep = 500, .every = 10,
//                            .record = record, .nrecord = 2, .executor = "threads" };
//   sn_rollout_measure(model, &r, error);                 // computes r.nresult
//   r.results = malloc(r.n * r.nresult * sizeof(double));
//   sn_rollout(model, &r, error);
//
// The result of rollout i depends on the model, on row i of the request and on the seed, and on
// nothing else: it is bitwise identical on every executor, with any number of workers, in any
// order, and when it is run again.
//
// Names of quantities have up to three parts, separated by colons:
//
//   FIELD               the whole array: "qpos", "body_mass"; a count "ncon"; an option "gravity"
//   FIELD:ELEMENT       what belongs to an element, by name or by id: "qpos:hinge",
//                       "xpos:torso", "sensordata:gyro", "geom_friction:foot"
//   FIELD:ELEMENT:K     element K of that, from 0: "xpos:torso:2", "geom_friction:foot:0". Of an
//                       option: "gravity:2"

#ifndef SINEW_ROLLOUT_H
#define SINEW_ROLLOUT_H

#include "sinew/abi.h"

SN_BEGIN_DECLS

enum {                                // sn_rollout_request.flags
  SN_ROLLOUT_STOP = 1 << 0,           // a rollout ends at its first failed step
  SN_ROLLOUT_SAME_INITIAL = 1 << 1,   // `initial` has one row, for all rollouts
  SN_ROLLOUT_SAME_CONTROL = 1 << 2    // `control` likewise
};

// A recorded quantity of the simulation: a field of real numbers or integers whose size does not
// change. The layout of this struct is the same in all versions, because requests have arrays of
// it.
typedef struct sn_rollout_record {
  const char *name;
  int64_t width;      // written by sn_rollout_measure: values in each sample
  int64_t offset;     // written by it: index of the first of them in the result of a rollout
  int64_t reserved;   // 0
} sn_rollout_record;
SN_LAYOUT(sn_rollout_record, 32);

// A quantity of the model, real numbers or an option, with values of its own in each rollout.
// Quantities that depend on it are computed again, as by sn_model_refresh. A quantity that the
// compiler computes from others cannot be varied (SN_EINVAL). The layout of this struct is the same
// in all versions.
typedef struct sn_rollout_variation {
  const char *name;
  const double *values;   // n x width
  int64_t width;          // written by sn_rollout_measure: values in each rollout
  int64_t reserved;       // 0
} sn_rollout_variation;
SN_LAYOUT(sn_rollout_variation, 32);

// A condition that ends a rollout: after the step in which an element of this quantity of the
// simulation leaves the range or is NaN. The layout of this struct is the same in all versions.
typedef struct sn_rollout_limit {
  const char *name;
  double min, max;    // -INFINITY, INFINITY: no limit on that side; 0 is a limit
  int64_t reserved;   // 0
} sn_rollout_limit;
SN_LAYOUT(sn_rollout_limit, 32);

// Set size and zero the rest. Zero means none or the default everywhere, also for members of later
// versions. "Row i" below belongs to rollout i. Arrays are read and written during the call only.
typedef struct sn_rollout_request {
  uint32_t size;
  uint32_t initial_mask;   // SN_STATE_*: what `initial` has
  uint32_t result_mask;    // SN_STATE_*: what `states` gets
  uint32_t flags;          // SN_ROLLOUT_*
  int64_t n;               // number of rollouts
  int64_t nstep;           // number of steps of each
  const double *initial;   // n states of initial_mask, set after a reset; NULL: the reset state
  // n x (nstep / control_every, rounded up) x nu; NULL: zeros, or those of `initial`
  const double *control;
  const char *executor;   // name; NULL: the selected one
  // Seed of the random numbers: each rollout gets a seed of its own from it, see sn_rollout_seed.
  // 0: every rollout uses the option noise_seed of the model.
  uint64_t seed;
  double *states;   // written: n x nsample states of result_mask; NULL: none
  // status: n entries, written; may be NULL. Each is SN_OK, the status of the first step that
  // failed, SN_ECANCELED (not run, or not to its end), or SN_EINVAL (an option has a value out of
  // its range). After a failed step a rollout goes on, from the reset state if it diverged (see
  // sn_step), unless flags has SN_ROLLOUT_STOP. A failure never ends other rollouts.
  // reached: n entries, written; may be NULL. The number of steps before the first failure, or
  // before the rollout ended for another reason.
  int32_t *status;
  int64_t *reached;
  int64_t failed;   // written: number of rollouts that were run and failed

  int64_t first;           // index of row 0 in a larger request that was split; otherwise 0. Row i
                           // is rollout first + i: it has the seed of that number, and
                           // before_step gets that number
  int64_t every;           // samples are taken after steps `every`, 2 * `every`, ...; 0 means 1
  int64_t control_every;   // steps for which a row of controls is held; 0 means 1
  sn_rollout_record *record;   // nrecord
  int64_t nrecord;
  // Written: n x nresult; NULL: none. Record k of rollout i is nsample x record[k].width numbers
  // that start at results + i * nresult + record[k].offset. Samples that were not reached are NaN.
  // Quantities that a step computes, such as xpos, belong to the state before that step.
  double *results;
  sn_rollout_variation *vary;   // nvary
  int64_t nvary;
  const sn_rollout_limit *stop;   // nstop
  int64_t nstop;
  const uint64_t *seeds;   // n: instead of sn_rollout_seed; NULL: none
  const uint8_t *skip;     // n; nonzero: this rollout is not run, and nothing is written for it;
                           // NULL: all are run
  void *context;           // of the functions below
  // Called before each step of each rollout, to set inputs (controls, forces, mocap bodies) from
  // the state: feedback. It is called in the threads of workers, for several rollouts at the same
  // time, each with its own data; `model` has the variations of the rollout. A negative status ends
  // the rollout and becomes its status; a positive one ends it too, and its status remains SN_OK,
  // unless an earlier step failed. NULL: none. A request with this function cannot be sent to
  // another process: such executors return SN_EUNSUPPORTED.
  sn_status (*before_step)(void *context, const sn_model *model, sn_data *data, int64_t rollout,
                           int64_t step);
  // Gets each rollout as it ends, instead of or besides the arrays above, so that results may be
  // larger than memory. It is called in any order, by one thread at a time. row: index in the
  // request; results: nresult numbers, valid during the call. A negative status cancels the rest,
  // and sn_rollout returns it. NULL: none.
  sn_status (*consume)(void *context, int64_t row, int32_t status, int64_t reached,
                       const double *results);
  // Called by one thread at a time. done: the number of rollouts that have been run; n: the number
  // to run, without skipped ones. A nonzero result cancels the rest. NULL: none.
  int32_t (*progress)(void *context, int64_t done, int64_t n);
  // Read before each step: a nonzero value, set by any thread or a signal handler, cancels
  // all rollouts, each at the latest after its current step. NULL: none.
  const volatile int32_t *cancel;
  int64_t done;      // written: rollouts that were run to their end, failed or not
  int64_t nsample;   // written by sn_rollout_measure: samples of each rollout
  int64_t nresult;   // written by it: numbers of each rollout in `results`

  // worker_bytes: written, the peak memory of one rollout in bytes (its simulation, its variations,
  // buffers), without arrays of the request and without memory of plugins; 0: no rollout ran in
  // this process. nworker: written, how many rollouts could run at the same time, in all processes
  // of the executor; 0: none ran.
  int64_t worker_bytes;
  int64_t nworker;

  void *sample_context;   // of the function below
  // Called after the step of each sample, before the sample is taken, to compute quantities that no
  // step computes, such as images of camera sensors (camera_sensor.h). It is called in the same
  // threads as before_step, its status has the same meaning, and it must not change anything that
  // later steps depend on; a rollout that it ends does not get that sample. NULL: none.
  sn_status (*before_sample)(void *sample_context, const sn_model *model, sn_data *data,
                             int64_t rollout, int64_t step);
} sn_rollout_request;
SN_LAYOUT(sn_rollout_request, 288);

SN_END_DECLS

#endif
