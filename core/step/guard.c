// SPDX-License-Identifier: Apache-2.0
//
// Around everything that computes: the floating-point environment is noted before and compared
// after; and where exhausted memory lands. Code within a step takes memory without checking; when
// the arena cannot grow (see arena.h) it jumps here, and the step ends with SN_ENOMEM. Only frames
// of the core are skipped: plugins get NULL, and what they call of the core, such as an evaluation,
// is guarded by itself. The step ends anyway when they have returned (si_worker_watch).
//
// The state is written by the integrator, in several places if it has stages, by sensors with
// states, by kinematics, which normalizes the quaternions of mocap bodies, by a reset after
// divergence, and by the finite differences of a step. The parts that a call may write are copied
// before it, to scratch memory. A failure of any kind, memory or a negative status, restores them
// and drops contacts and constraint rows, which may be incomplete. Not restored: arrays that
// follow from the state (xpos, qacc ...), counts of warnings, and what a plugin writes in memory
// of its own.

#include "step/pipeline.h"

static sn_status blame(si_worker *w) {
  const si_provider *p = w->fp_provider;
  w->fp_provider = NULL;
  return si_fail(&w->error, SN_EPLUGIN,
                 "'%s' (%s) changed the floating-point environment in a step: rounding, flushing "
                 "to zero or traps. It was restored, and the results of the step are not valid; do "
                 "not load this plugin",
                 p->name, p->kind);
}

// What the arenas could not give, and the plugin that requested it.
static sn_status out_of_memory(si_worker *w) {
  const si_arena *a = &w->scratch;
  const si_provider *p = w->hungry;
  if (p && !si_arena_possible(a->asked, a->alignment)) {
    return si_fail(&w->error, SN_EPLUGIN,
                   "'%s' (%s) requested %lld bytes of scratch memory with alignment %lld, which is "
                   "invalid: a bug of the plugin; do not load it",
                   p->name, p->kind, (long long)a->asked, (long long)a->alignment);
  }
  const char *whose = a->limit ? "its limit" : "there is";
  if (p) {
    return si_fail(&w->error, SN_ENOMEM,
                   "a step needs more memory than %s: '%s' (%s) requested %lld bytes; raise or "
                   "remove the option 'memory'",
                   whose, p->name, p->kind, (long long)a->asked);
  }
  return si_fail(&w->error, SN_ENOMEM,
                 "a step needs more memory than %s; raise or remove the option 'memory'", whose);
}

// ------------------------------------------------------------------ the state of before

static void keep(const sn_model *m, sn_data *d, si_worker *w, uint32_t mask) {
  if (mask) {
    w->undo = si_arena_reals(&w->scratch, sn_state_size(m, mask));
    sn_state_get(m, d, mask, w->undo);
  }
}

// Without a copy, for which there was no memory, nothing was written yet.
static void undo(const sn_model *m, sn_data *d, const si_worker *w, uint32_t mask) {
  if (!mask) {
    return;
  }
  if (w->undo) {
    sn_state_set(m, d, mask, w->undo);
  }
  si_data_clear_step(d);
  d->computed = 0;
}

// ------------------------------------------------------------------ the call

// The option 'memory' may have changed since the last call. It bounds the results together with the
// scratch memory of one worker, of each: so the number of workers does not decide what fits.
static void set_limits(sn_data *d, int64_t limit) {
  d->results.limit = limit;
  for (int32_t k = 0; k < d->nworker; k++) {
    d->worker[k].scratch.limit = limit;
  }
}

// Sets where exhausted memory of this worker jumps to, and that of the results, which only the
// first worker takes; NULL: nowhere.
static void set_guard(sn_data *d, si_worker *w, jmp_buf *jump) {
  w->scratch.guard = jump;
  if (w == &d->worker[0]) {
    d->results.guard = jump;
  }
}

// Runs a stage on a worker, in the thread that calls. Negative: w->error says why.
static sn_status run(si_stage_fn *stage, const sn_model *m, sn_data *d, si_worker *w, uint32_t mask,
                     void *context) {
  jmp_buf jump;
  w->fp_word = si_fpenv_word();
  w->fp_provider = NULL;
  w->hungry = NULL;
  w->scratch.failed = d->results.failed = 0;
  if (setjmp(jump)) {
    si_fpenv_set_word(w->fp_word);
    set_guard(d, w, NULL);
    return out_of_memory(w);
  }
  set_guard(d, w, &jump);
  keep(m, d, w, mask);
  sn_status status = stage(m, d, w, context);
  set_guard(d, w, NULL);
  return w->fp_provider ? blame(w) : status;
}

sn_status si_guarded_again(si_stage_fn *stage, const sn_model *m, sn_data *d, si_worker *w,
                           void *context) {
  if (w->scratch.failed) {
    return SN_ENOMEM;
  }
  jmp_buf jump, *outer = w->scratch.guard;
  si_mark mark = si_arena_mark(&w->scratch);
  if (setjmp(jump)) {
    si_fpenv_set_word(w->fp_word);
    set_guard(d, w, outer);
    w->scratch.failed = 1;   // also where it was the memory of the results
    si_arena_release(&w->scratch, mark);
    return SN_ENOMEM;
  }
  set_guard(d, w, &jump);
  sn_status status = stage(m, d, w, context);
  set_guard(d, w, outer);
  return status;
}

// A call from within a step, by a callback: what writes the state would spoil the step.
static sn_status run_within(si_stage_fn *stage, const sn_model *m, sn_data *d, si_worker *w,
                            uint32_t mask, void *context) {
  if (mask) {
    return si_fail(&d->error, SN_EINVAL,
                   "this simulation is in the middle of a step; use a copy of it");
  }
  sn_status status = si_guarded_again(stage, m, d, w, context);
  if (w->scratch.failed) {
    si_fail(&d->error, SN_ENOMEM, "there is not enough memory for this step");
  } else if (status < 0) {
    si_error_assign(&d->error, &w->error);
    si_error_clear(&w->error);
  }
  return status;
}

sn_status si_guarded(si_stage_fn *stage, const sn_model *m, sn_data *d, uint32_t mask,
                     void *context) {
  if (d->model != m) {
    return si_fail(&d->error, SN_EINVAL, "this data was made for another model");
  }
  if (d->nintegratorstate != m->nintegratorstate) {
    return si_fail(&d->error, SN_EINVAL,
                   "the integrator of the model was changed to one that keeps a state of another "
                   "size; make the data again");
  }
  si_worker *w = &d->worker[0];
  if (w->scratch.guard) {
    return run_within(stage, m, d, w, mask, context);
  }
  si_error_clear(&d->error);
  si_mark mark = si_arena_mark(&w->scratch);
  set_limits(d, (int64_t)m->opt.memory);
  w->undo = NULL;
  si_timer_start(&w->timer, d->timing);
  sn_status status = run(stage, m, d, w, mask, context);
  if (status < 0) {
    undo(m, d, w, mask);
    si_error_clear(&d->error);   // of calls within this one
  }
  si_data_merge(d);
  si_arena_release(&w->scratch, mark);
  if (mark.used == 0) {
    si_arena_reset(&w->scratch);
  }
  si_timer_stop(&w->timer);
  return status;
}
