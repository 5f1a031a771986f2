// SPDX-License-Identifier: Apache-2.0
//
// Around everything that computes: the floating-point environment is noted before and compared
// after; and where exhausted memory lands. Code within a step takes memory without checking; when
// the arena cannot grow (see arena.h) it jumps here, and the step ends with SN_ENOMEM. What had
// been computed of the step is dropped; the state itself is written only by the integrator.

#include "pipeline/pipeline.h"

static sn_status blame(sn_data *d) {
  const sn_provider *p = d->fp_culprit;
  d->fp_culprit = NULL;
  return sn_fail(&d->error, SN_EPLUGIN,
                 "'%s' (%s) changed the floating-point environment in a "
                 "step: rounding, flushing to zero or traps. It was put back, what the step "
                 "computed is of no use; do not load this plugin",
                 p->name, p->kind);
}

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
  d->fp_word = sn_fpenv_word();
  d->fp_culprit = NULL;
  if (setjmp(jump)) {
    sn_fpenv_set_word(d->fp_word);
    d->scratch.guard = d->results.guard = NULL;
    sn_arena_release(&d->scratch, mark);
    sn_data_clear_step(d);
    d->computed = 0;
    return sn_fail(&d->error, SN_ENOMEM,
                   "a step needs more memory than %s; raise or remove the "
                   "option 'memory'",
                   d->scratch.limit ? "its limit" : "there is");
  }
  d->scratch.guard = d->results.guard = &jump;
  sn_status status = stage(m, d, context);
  d->scratch.guard = d->results.guard = NULL;
  sn_arena_release(&d->scratch, mark);
  if (mark.used == 0) {
    sn_arena_reset(&d->scratch);
  }
  return d->fp_culprit ? blame(d) : status;
}
