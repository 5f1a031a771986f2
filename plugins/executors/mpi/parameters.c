// SPDX-License-Identifier: Apache-2.0
//
// The instance of executor "mpi" before MPI is started, and its parameters.

#include <string.h>

#include "mpi.h"

int64_t mpi_workers(const void *self) {
  const mpi *me = self;
  if (me->worked > 0) {
    return me->worked;
  }
  return !me->ready ? 1 : me->size < me->dispatch ? me->size : me->size - 1;
}

const sn_param mpi_params[] = {
  { .name = "dispatch",
    .type = SN_PARAM_INT,
    .default_value = "16",
    .min = 2,
    .max = 1e9,
    .summary = "from this number of processes on, rank 0 distributes rollouts and runs none" },
  { .name = "patience",
    .type = SN_PARAM_REAL,
    .default_value = "10",
    .min = 0.01,
    .max = 1e9,
    .summary =
        "s; a process that has not answered for this time, and for four times the time of the "
        "slowest rollout, counts as dead: its rollouts are run again" },
  { .name = NULL },
};

sn_status mpi_create(const sn_host *host, const sn_value *values, void **self, sn_error *error) {
  SN_TRY(sn_instance_new(host, sizeof(mpi), self, error));
  mpi *me = *self;
  const sn_job_service *jobs = host->query(host, SN_SERVICE_JOB);
  me->dispatch = values[0].integer;
  me->patience = values[1].real;
  if (!jobs) {
    sn_instance_destroy(me);
    *self = NULL;
    return sn_host_fail(host, error, SN_EUNSUPPORTED,
                        "this engine lacks the service " SN_SERVICE_JOB);
  }
  memcpy(&me->jobs, jobs, jobs->size < sizeof me->jobs ? jobs->size : sizeof me->jobs);
  return SN_OK;
}
