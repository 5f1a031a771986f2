// SPDX-License-Identifier: Apache-2.0
//
// Where exhausted memory lands. Code within a step takes memory without checking; when the arena
// cannot grow (see arena.h) it jumps here, and the step ends with SN_ENOMEM. What had been
// computed of the step is dropped; the state itself is written only by the integrator.

#include "pipeline/pipeline.h"

sn_status sn_guarded(sn_stage_fn *stage, const sn_model *m, sn_data *d, void *context) {
  if (d->scratch.guard) {
    return stage(m, d, context);
  }
  sn_error_clear(&d->error);
  if (d->model != m) {
    return sn_fail(&d->error, SN_EINVAL, "this data was made for another model");
  }
  jmp_buf jump;
  sn_mark mark = sn_arena_mark(&d->scratch);
  d->scratch.limit = d->results.limit = (int64_t)m->opt.memory[0];
  if (setjmp(jump)) {
    d->scratch.guard = d->results.guard = NULL;
    sn_arena_release(&d->scratch, mark);
    sn_data_clear_step(d);
    d->computed = 0;
    return sn_fail(&d->error, SN_ENOMEM, "a step needs more memory than %s; raise or remove the "
                   "option 'memory'", d->scratch.limit ? "its limit" : "there is");
  }
  d->scratch.guard = d->results.guard = &jump;
  sn_status status = stage(m, d, context);
  d->scratch.guard = d->results.guard = NULL;
  sn_arena_release(&d->scratch, mark);
  if (mark.used == 0) {
    sn_arena_reset(&d->scratch);
  }
  return status;
}
