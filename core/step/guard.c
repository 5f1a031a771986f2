// SPDX-License-Identifier: Apache-2.0
//
// Around everything that computes: the floating-point environment is noted before and compared
// after; and where exhausted memory lands. Code within a step takes memory without checking; when
// the arena cannot grow (see arena.h) it jumps here, and the step ends with SN_ENOMEM. Only frames
// of the core are skipped: plugins get NULL, and what they call of the core, such as an evaluation,
// is guarded by itself. The step ends anyway when they have returned (si_worker_leave).
//
// The state is written by the integrator, in several places if it has stages, by sensors with
// states, by kinematics, which normalizes the quaternions of mocap bodies, by a reset after
// divergence, and by the finite differences of a step. The parts that a call may write are copied
// before it, to scratch memory. A failure of any kind, memory or a negative status, restores them
// and drops contacts and constraint rows, which may be incomplete. Not restored: arrays that
// follow from the state (xpos, qacc ...), counts of warnings, and what a plugin writes in memory
// of its own.

#include <string.h>

#include "data/share.h"
#include "data/sleep.h"
#include "platform/stack.h"
#include "step/pipeline.h"

static sn_status blame(si_worker *w) {
  static const char *const texts[] = {
    [SI_FAULT_FPENV] = "%s: its operation '%s' changed the floating-point environment in a step: "
                       "rounding, flushing to zero or traps. The environment was restored, but the "
                       "results of the step are invalid; correct the plugin, or do not load it",
    [SI_FAULT_LEFT] =
        "%s: its operation '%s' was left by an exception or a longjmp instead of returning. The "
        "state before the step was restored; catch exceptions within "
        "the plugin",
    [SI_FAULT_CHECK] = "%s: its operation '%s' %s",
  };
  const si_fault f = w->fault;
  w->fault = (si_fault){ 0 };
  if (f.what == SI_FAULT_STATUS) {
    return si_fail_unknown_status(&f.operation, f.status, &w->error);
  }
  if (f.what == SI_FAULT_ERROR) {
    return si_fail(&w->error, f.status, "%s", w->fault_text);
  }
  char subject[SI_PROVIDER_TITLE];
  return si_fail(&w->error, SN_EPLUGIN, texts[f.what],
                 f.operation.provider ? si_provider_title(f.operation.provider, subject)
                                      : "a plugin",
                 f.operation.provider ? f.operation.operation : "unknown",
                 w->checker ? si_checker_text(w->checker) : "");
}

// What the arenas could not give, and the plugin that requested it.
static sn_status out_of_memory(si_worker *w) {
  const si_arena *a = &w->scratch;
  const si_provider *p = w->out_of_memory;
  if (p && !si_arena_possible(a->asked, a->alignment)) {
    return si_fail(
        &w->error, SN_EPLUGIN,
        "'%s' (%s) requested %lld bytes of scratch memory with alignment %lld, which is invalid; "
        "correct the plugin, or do not load it",
        p->name, p->kind, (long long)a->asked, (long long)a->alignment);
  }
  const char *what = a->limit ? "a step needs more memory than the option 'memory' allows"
                              : "out of memory in a step";
  const char *cure = a->limit ? "; raise or remove the option" : "";
  if (p) {
    return si_fail(&w->error, SN_ENOMEM, "%s: '%s' (%s) requested %lld bytes%s", what, p->name,
                   p->kind, (long long)a->asked, cure);
  }
  return si_fail(&w->error, SN_ENOMEM, "%s%s", what, cure);
}

// ------------------------------------------------------------------ the state of before

static void keep(const sn_model *m, sn_data *d, si_worker *w, uint32_t mask) {
  if (mask) {
    w->undo = si_arena_reals(&w->scratch, d->nstate);   // of which the mask is a part
    si_state_copy(m, d, mask, w->undo);
  }
}

void si_keep_applied(const sn_model *m, sn_data *d, si_worker *w) {
  if (w->undo && !(w->call.mask & SN_STATE_XFRC_APPLIED)) {
    w->undo_applied = si_arena_reals(&w->scratch, 6 * m->nbody);
    memcpy(w->undo_applied, d->xfrc_applied, 6 * (size_t)m->nbody * sizeof(double));
  }
}

// Without a copy, for which there was no memory, nothing was written yet.
static void undo(const sn_model *m, sn_data *d, const si_worker *w, uint32_t mask) {
  if (!mask) {
    return;
  }
  if (w->undo) {
    si_state_restore(m, d, mask, w->undo);
  }
  if (w->undo_applied) {
    memcpy(d->xfrc_applied, w->undo_applied, 6 * (size_t)m->nbody * sizeof(double));
  }
  si_data_clear_step(d);
  d->computed = 0;
}

// ------------------------------------------------------------------ the call

// The option 'memory' may have changed since the last call. It bounds the results together with the
// scratch memory; a limited call has one worker (data/share.h).
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
static sn_status run(si_stage_fn *stage, const sn_model *m, sn_data *d, si_worker *w,
                     void *context) {
  jmp_buf jump;
  if (setjmp(jump)) {
    si_fpenv_set_word(w->fp_word);
    set_guard(d, w, NULL);
    return out_of_memory(w);
  }
  set_guard(d, w, &jump);
  if (w->checker) {
    si_checker_start(w);
  }
  keep(m, d, w, w->call.mask);
  sn_status status = stage(m, d, w, context);
  set_guard(d, w, NULL);
  return w->fault.what ? blame(w) : status;
}

// ------------------------------------------------------------------ its end

static void begin(sn_data *d, si_worker *w, uint32_t mask, uintptr_t frame, uintptr_t returns) {
  si_error_clear(&d->error);
  set_limits(d, (int64_t)d->model->opt.memory);
  if (d->sharing) {
    si_sharing_begin(d, (mask & SN_STATE_TIME) != 0);
  }
  w->call = (si_guarded_call){ .frame = frame,
                               .returns = returns,
                               .thread = &si_now,
                               .outer = si_now,
                               .locale = uselocale((locale_t)0),
                               .mark = si_arena_mark(&w->scratch),
                               .mask = mask };
  w->fp_word = si_fpenv_word();
  w->fault = (si_fault){ 0 };
  w->out_of_memory = NULL;
  w->exact = w->once = w->is_impact = 0;
  w->scratch.failed = d->results.failed = 0;
  w->undo = w->undo_applied = NULL;
  w->note = NULL;
  si_timer_start(&w->timer, d->timing);
}

static void end(sn_data *d, si_worker *w, sn_status status) {
  if (status < 0) {
    undo(d->model, d, w, w->call.mask);
    si_error_clear(&d->error);   // of calls within this one
  }
  if (d->sleep.suspended) {
    si_sleep_resume(d->model, d);
  }
  si_data_merge(d);
  si_arena_release(&w->scratch, w->call.mark);
  if (w->call.mark.used == 0) {
    si_arena_reset(&w->scratch);
  }
  si_timer_stop(&w->timer);
  if (d->sharing) {
    si_sharing_end(d, (w->call.mask & SN_STATE_TIME) != 0);
  }
  if (w->checker) {
    si_checker_stop(w->checker);
  }
  if (uselocale((locale_t)0) != w->call.locale) {
    uselocale(w->call.locale);
  }
  si_now = w->call.outer;
  w->call.frame = 0;
}

// A call that a plugin left by an exception or a jump ends too, with an error.
static void end_left(sn_data *d, si_worker *w) {
  const int known = si_now.frame == w->call.frame;
  si_worker_blame(
      w, (si_fault){ .operation = known ? si_now : (si_running){ 0 }, .what = SI_FAULT_LEFT });
  si_sharing_leave(d->sharing);
  si_fpenv_set_word(w->fp_word);
  set_guard(d, w, NULL);
  end(d, w, blame(w));
}

// A jump runs no cleanup. The call that this simulation is in was left when the stack of its thread
// has become shorter, or contains other functions in its place. These are looked at only where the
// new call would be rejected otherwise.
static int was_left(const si_worker *w, uintptr_t frame, uint32_t mask) {
  const si_guarded_call *c = &w->call;
  return c->frame && c->thread == &si_now &&
         (frame >= c->frame || (mask && si_stack_has_left(c->frame, c->returns)));
}

// While exceptions unwind the stack, the functions of attributes `cleanup` are called.
typedef struct scope {
  sn_data *d;
  si_worker *w;
  jmp_buf *outer;       // of a call within another
  si_running running;   // likewise
  si_checked *checked;  // likewise, in the checking mode
  int left;
} scope;

static void close_scope(scope *s) {
  if (s->left) {
    end_left(s->d, s->w);
  }
}

static void close_inner(scope *s) {
  if (s->left) {
    si_worker_blame(s->w, (si_fault){ .operation = si_now, .what = SI_FAULT_LEFT });
    si_now = s->running;
  }
  if (s->w->checker) {
    si_checker_unwind(s->w->checker, s->checked);
  }
  set_guard(s->d, s->w, s->outer);
}

sn_status si_guarded_again(si_stage_fn *stage, const sn_model *m, sn_data *d, si_worker *w,
                           void *context) {
  if (w->scratch.failed) {
    return SN_ENOMEM;
  }
  jmp_buf jump;
  __attribute__((cleanup(close_inner))) scope s = {
    d, w, w->scratch.guard, si_now, w->checker ? si_checker_running(w->checker) : NULL, 1
  };
  si_mark mark = si_arena_mark(&w->scratch);
  if (setjmp(jump)) {
    si_fpenv_set_word(w->fp_word);
    w->scratch.failed = 1;   // also where it was the memory of the results
    si_arena_release(&w->scratch, mark);
    s.left = 0;
    return SN_ENOMEM;
  }
  set_guard(d, w, &jump);
  sn_status status = stage(m, d, w, context);
  s.left = 0;
  return status;
}

static sn_status reject_within(sn_data *d) {
  return si_fail(&d->error, SN_EINVAL, "this simulation is executing a step; use a copy of it");
}

sn_status si_require_idle(sn_data *d) {
  si_worker *w = &d->worker[0];
  if (was_left(w, (uintptr_t)__builtin_frame_address(0), 1)) {
    end_left(d, w);
  }
  return w->call.frame ? reject_within(d) : SN_OK;
}

// A call from within a step, by a callback: what writes the state would spoil the step.
static sn_status run_within(si_stage_fn *stage, const sn_model *m, sn_data *d, si_worker *w,
                            uint32_t mask, void *context) {
  if (mask) {
    return reject_within(d);
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
    return si_fail(&d->error, SN_EINVAL, "this data belongs to another model");
  }
  if (d->nintegratorstate != m->nintegratorstate) {
    return si_fail(
        &d->error, SN_EINVAL,
        "the integrator of the model was changed to one with a state of another size; free this "
        "data and create a new one");
  }
  si_worker *w = &d->worker[0];
  const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  if (was_left(w, frame, mask)) {
    end_left(d, w);
  }
  if (w->call.frame) {
    return run_within(stage, m, d, w, mask, context);
  }
  begin(d, w, mask, frame, (uintptr_t)__builtin_return_address(0));
  __attribute__((cleanup(close_scope))) scope s = { .d = d, .w = w, .left = 1 };
  sn_status status = run(stage, m, d, w, context);
  s.left = 0;
  end(d, w, status);
  return status;
}
