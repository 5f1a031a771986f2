// SPDX-License-Identifier: Apache-2.0
//
// Tasks of a stage on the workers of a simulation; see share.h. What the workers noted becomes that
// of the first one when all have ended.

#include "model/share.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "platform/team.h"

// What a worker met first. Tasks: -1: none did.
typedef struct member {
  int64_t failed, faulty;   // tasks
  sn_status status;         // of the failed one
  int64_t used, peak;       // of its scratch memory, before the call
  int64_t largest;          // bytes that a task needed at most
  si_warning_note note[SN_NWARNINGS];
} member;

struct si_sharing {
  si_team *team;
  int64_t most;   // bytes that a call has needed at most, had one worker run all tasks
  // of the present call
  const sn_model *model;
  sn_data *data;
  si_task_fn *task;
  void *context;
  int64_t n;
  _Atomic int64_t next;   // the first task that is not taken
  atomic_int stop;        // no more tasks are taken
  member member[];
};

si_sharing *si_sharing_new(int32_t nworker) {
  si_sharing *s = calloc(1, sizeof *s + (size_t)nworker * sizeof s->member[0]);
  if (s && !(s->team = si_team_new(nworker))) {
    free(s);
    return NULL;
  }
  return s;
}

void si_sharing_free(si_sharing *s) {
  if (s) {
    si_team_free(s->team);
    free(s);
  }
}

void si_sharing_leave(si_sharing *s) {
  if (s) {
    si_team_leave(s->team);
  }
}

// ------------------------------------------------------------------ on each worker

// The thread is like that of the first worker.
static void prepare(si_worker *w, const si_worker *first) {
  w->fp_word = first->fp_word;
  si_fpenv_set_word(w->fp_word);
  w->exact = first->exact;
  w->once = first->once;
  w->fault = (si_fault){ 0 };
  w->out_of_memory = NULL;
  w->scratch.failed = 0;
  w->call.frame = (uintptr_t)__builtin_frame_address(0);
}

static void run_tasks(si_sharing *s, si_worker *w, member *me) {
  si_arena *arena = &w->scratch;
  int64_t k;
  while (!atomic_load(&s->stop) && (k = atomic_fetch_add(&s->next, 1)) < s->n) {
    const int64_t used = arena->peak = arena->used;
    w->task = k;
    const int had_fault = w->fault.what != 0;
    const sn_status status = s->task(s->model, s->data, w, k, s->context);
    me->largest = arena->peak - used > me->largest ? arena->peak - used : me->largest;
    me->peak = arena->peak > me->peak ? arena->peak : me->peak;
    me->faulty = w->fault.what && !had_fault ? k : me->faulty;
    if (status < 0) {
      me->failed = k;
      me->status = status;
      atomic_store(&s->stop, 1);
    }
  }
}

// Exhausted memory ends the tasks of this worker; the first one ends the step.
static void work(void *context, int32_t index) {
  si_sharing *s = context;
  si_worker *w = &s->data->worker[index];
  jmp_buf jump, *const outer = w->scratch.guard;
  if (index > 0) {
    prepare(w, &s->data->worker[0]);
  }
  w->note = s->member[index].note;
  w->scratch.guard = &jump;
  if (setjmp(jump) == 0) {
    run_tasks(s, w, &s->member[index]);
  } else {
    si_fpenv_set_word(w->fp_word);
    atomic_store(&s->stop, 1);
  }
  w->scratch.guard = outer;
  w->note = NULL;
}

// ------------------------------------------------------------------ before and after

// Every worker has the memory for all tasks: which one gets which is chance, and a step allocates
// nothing.
static void open_memory(si_sharing *s, sn_data *d) {
  const int64_t bytes = s->most + SI_ARENA_ALIGNMENT;
  for (int32_t k = 0; k < d->nworker; k++) {
    si_arena *arena = &d->worker[k].scratch;
    if (k > 0) {
      si_arena_reset(arena);
      si_arena_reserve(arena, bytes);
    } else if (!arena->limit) {
      const si_mark mark = si_arena_mark(arena);
      si_arena_take(arena, bytes, SI_ARENA_ALIGNMENT);
      si_arena_release(arena, mark);
    }
    s->member[k].used = arena->used;
    s->member[k].peak = arena->peak;
    s->member[k].largest = 0;
  }
}

static void close_memory(si_sharing *s, sn_data *d) {
  int64_t kept = 0, largest = 0;
  for (int32_t k = 0; k < d->nworker; k++) {
    si_arena *arena = &d->worker[k].scratch;
    kept += arena->used - s->member[k].used;
    largest = s->member[k].largest > largest ? s->member[k].largest : largest;
    arena->peak = s->member[k].peak;
  }
  s->most = kept + largest > s->most ? kept + largest : s->most;
}

// The counts of all go to the first worker. Its count was not zero, without a note, if such a
// warning went to the log before.
static void merge_warning(si_sharing *s, sn_data *d, int32_t warning) {
  si_worker *first = &d->worker[0];
  const si_warning_note *earliest = NULL;
  int is_known = first->warning[warning] > 0 && s->member[0].note[warning].task < 0;
  for (int32_t k = 0; k < d->nworker; k++) {
    const si_warning_note *note = &s->member[k].note[warning];
    if (note->task >= 0 && (!earliest || note->task < earliest->task)) {
      earliest = note;
    }
    if (k > 0) {
      first->warning[warning] += d->worker[k].warning[warning];
      first->nwarning += d->worker[k].warning[warning];
      d->worker[k].nwarning -= d->worker[k].warning[warning];
      d->worker[k].warning[warning] = 0;
    }
  }
  if (earliest && !is_known) {
    si_worker_log(first, warning, earliest->text);
  }
}

static void merge_fault(si_sharing *s, sn_data *d, int had_fault) {
  si_worker *first = &d->worker[0];
  int32_t earliest = -1;
  for (int32_t k = 0; k < d->nworker && !had_fault; k++) {
    const int64_t task = s->member[k].faulty;
    earliest = task >= 0 && (earliest < 0 || task < s->member[earliest].faulty) ? k : earliest;
  }
  if (earliest > 0) {
    first->fault = d->worker[earliest].fault;
    memcpy(first->fault_text, d->worker[earliest].fault_text, sizeof first->fault_text);
  }
}

static sn_status merge_error(si_sharing *s, sn_data *d) {
  si_worker *first = &d->worker[0];
  int32_t earliest = -1;
  for (int32_t k = 0; k < d->nworker; k++) {
    const int64_t task = s->member[k].failed;
    earliest = task >= 0 && (earliest < 0 || task < s->member[earliest].failed) ? k : earliest;
  }
  if (earliest > 0) {
    si_error_assign(&first->error, &d->worker[earliest].error);
  }
  for (int32_t k = 1; k < d->nworker; k++) {
    si_error_clear(&d->worker[k].error);
  }
  return earliest < 0 ? SN_OK : s->member[earliest].status;
}

static int merge_memory(sn_data *d) {
  si_worker *first = &d->worker[0];
  for (int32_t k = 1; k < d->nworker && !first->scratch.failed; k++) {
    const si_worker *w = &d->worker[k];
    first->scratch.failed = w->scratch.failed;
    first->scratch.lent = w->scratch.lent;
    first->scratch.asked = w->scratch.asked;
    first->scratch.alignment = w->scratch.alignment;
    first->out_of_memory = w->out_of_memory;
  }
  return first->scratch.failed;
}

sn_status si_share_tasks(const sn_model *m, sn_data *d, int64_t n, si_task_fn *task,
                         void *context) {
  si_sharing *s = d->sharing;
  const int had_fault = d->worker[0].fault.what != 0;
  s->model = m;
  s->data = d;
  s->task = task;
  s->context = context;
  s->n = n;
  atomic_store(&s->next, 0);
  atomic_store(&s->stop, 0);
  for (int32_t k = 0; k < d->nworker; k++) {
    s->member[k].failed = s->member[k].faulty = -1;
    for (int32_t i = 0; i < SN_NWARNINGS; i++) {
      s->member[k].note[i].task = -1;
    }
  }
  open_memory(s, d);
  si_team_run(s->team, work, s);
  close_memory(s, d);

  for (int32_t i = 0; i < SN_NWARNINGS; i++) {
    merge_warning(s, d, i);
  }
  merge_fault(s, d, had_fault);
  const sn_status status = merge_error(s, d);
  if (merge_memory(d)) {
    if (d->worker[0].scratch.guard) {
      longjmp(*d->worker[0].scratch.guard, 1);
    }
    return SN_ENOMEM;
  }
  return status;
}
