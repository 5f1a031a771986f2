// SPDX-License-Identifier: Apache-2.0
//
// Around everything that computes: the floating-point environment is noted before and compared
// after; and where exhausted memory lands. Code within a step takes memory without checking; when
// the arena cannot grow (see arena.h) it jumps here, and the step ends with SN_ENOMEM.
//
// The state is written by the integrator, in several places if it has stages, by sensors with
// states, by kinematics, which normalizes the quaternions of mocap bodies, by a reset after
// divergence, and by whoever takes differences. The parts that a call says it writes are copied
// before it, to scratch memory. A failure of any kind, memory or a negative status, brings them
// back and drops contacts and constraint rows: they may be half made. Not brought back: arrays that
// follow from the state (xpos, qacc ...), counts of warnings, and what a plugin writes in memory
// of its own.

#include "step/pipeline.h"

static sn_status blame(sn_data *d) {
  const si_provider *p = d->fp_culprit;
  d->fp_culprit = NULL;
  return si_fail(&d->error, SN_EPLUGIN,
                 "'%s' (%s) changed the floating-point environment in a "
                 "step: rounding, flushing to zero or traps. It was put back, what the step "
                 "computed is of no use; do not load this plugin",
                 p->name, p->kind);
}

// What the arenas could not give, and who asked for it.
static sn_status out_of_memory(sn_data *d) {
  const si_arena *a = &d->scratch;
  const si_provider *p = a->lent ? d->borrower : NULL;
  if (p && !si_arena_possible(a->asked, a->alignment)) {
    return si_fail(&d->error, SN_EPLUGIN,
                   "'%s' (%s) asked for %lld bytes of scratch memory at a multiple of %lld, which "
                   "no memory has; do not load this plugin",
                   p->name, p->kind, (long long)a->asked, (long long)a->alignment);
  }
  const char *whose = a->limit ? "its limit" : "there is";
  if (p) {
    return si_fail(&d->error, SN_ENOMEM,
                   "a step needs more memory than %s: '%s' (%s) asked for %lld bytes; raise or "
                   "remove the option 'memory'",
                   whose, p->name, p->kind, (long long)a->asked);
  }
  return si_fail(&d->error, SN_ENOMEM,
                 "a step needs more memory than %s; raise or remove the option 'memory'", whose);
}

static void keep(const sn_model *m, sn_data *d, uint32_t mask) {
  if (mask) {
    d->undo = si_arena_reals(&d->scratch, sn_state_size(m, mask));
    sn_state_get(m, d, mask, d->undo);
  }
}

// A copy that found no memory is none to bring back, and nothing was written then.
static void undo(const sn_model *m, sn_data *d, uint32_t mask) {
  if (!mask) {
    return;
  }
  if (d->undo) {
    sn_state_set(m, d, mask, d->undo);
  }
  si_data_clear_step(d);
  d->computed = 0;
}

sn_status si_guarded(si_stage_fn *stage, const sn_model *m, sn_data *d, uint32_t mask,
                     void *context) {
  if (d->model != m) {
    return si_fail(&d->error, SN_EINVAL, "this data was made for another model");
  }
  if (d->scratch.guard) {   // asked from within a step, by a callback: what writes would spoil it
    return mask == 0 ? stage(m, d, context)
                     : si_fail(&d->error, SN_EINVAL,
                               "this simulation is within a step; call with a copy of it");
  }
  si_error_clear(&d->error);
  jmp_buf jump;
  si_mark mark = si_arena_mark(&d->scratch);
  d->scratch.limit = d->results.limit = (int64_t)m->opt.memory[0];
  d->fp_word = si_fpenv_word();
  d->fp_culprit = NULL;
  d->undo = NULL;
  d->scratch.lent = 0;
  if (setjmp(jump)) {
    si_fpenv_set_word(d->fp_word);
    d->scratch.guard = d->results.guard = NULL;
    undo(m, d, mask);
    si_arena_release(&d->scratch, mark);
    return out_of_memory(d);
  }
  d->scratch.guard = d->results.guard = &jump;
  keep(m, d, mask);
  sn_status status = stage(m, d, context);
  d->scratch.guard = d->results.guard = NULL;
  status = d->fp_culprit ? blame(d) : status;
  if (status < 0) {
    undo(m, d, mask);
  }
  si_arena_release(&d->scratch, mark);
  if (mark.used == 0) {
    si_arena_reset(&d->scratch);
  }
  return status;
}
