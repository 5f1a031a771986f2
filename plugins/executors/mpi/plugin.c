// SPDX-License-Identifier: Apache-2.0
//
// Executor "mpi", the file that is always loaded. The part, which is linked with MPI, is loaded
// when rollouts are first run or served: its libraries take longer to load than all plugins.

#include "mpi.h"

#include "sinew/part.h"

#define PART "parts/mpi.so"

static sn_status find_part(mpi *me, sn_error *error) {
  const void *ops = me->part;
  if (!ops) {
    SN_TRY(sn_part_ops(me->base.host, mpi_params, PART, SN_KIND_EXECUTOR, "mpi", &ops, error));
    me->part = ops;
  }
  return SN_OK;
}

static sn_status run(const void *self, sn_job *job, sn_error *error) {
  mpi *me = (mpi *)(uintptr_t)self;
  SN_TRY(find_part(me, error));
  return me->part->run(self, job, error);
}

static sn_status serve(const void *self, int32_t *served, sn_error *error) {
  mpi *me = (mpi *)(uintptr_t)self;
  SN_TRY(find_part(me, error));
  return me->part->serve(self, served, error);
}

static void destroy(void *self) {
  mpi *me = self;
  if (me->part) {
    me->part->head.destroy(self);
  } else {
    sn_instance_destroy(self);
  }
}

static const sn_executor_ops ops = {
  .head = { .size = sizeof(sn_executor_ops),
            .summary = "rollouts in the processes that mpirun started",
            .params = mpi_params,
            .create = mpi_create,
            .destroy = destroy },
  .workers = mpi_workers,
  .run = run,
  .serve = serve,
};

static const sn_provide provides[] = {
  SN_PROVIDE_EXECUTOR("mpi", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "sinew.mpi", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "rollouts on many machines, by MPI", .provides = provides, .part = PART)
