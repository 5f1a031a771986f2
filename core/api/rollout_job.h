// SPDX-License-Identifier: Apache-2.0
//
// Rollouts as data, for executors of other processes; see rollout_job.c.

#ifndef SI_API_ROLLOUT_JOB_H
#define SI_API_ROLLOUT_JOB_H

#include "api/rollout.h"
#include "sinew/executor.h"

extern const sn_job_service si_job_service_table;

// Bytes of a row, of a result.
int64_t si_rollout_row_bytes(const si_rollout *r);
int64_t si_rollout_result_bytes(const si_rollout *r);
void si_rollout_put_row(const si_rollout *r, const si_rollout_row *row, void *to);
sn_status si_rollout_describe(const si_rollout *r, int64_t ntask, sn_sink *sink, sn_error *error);

#endif
