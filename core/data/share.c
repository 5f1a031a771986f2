// SPDX-License-Identifier: Apache-2.0
//
// Tasks of a stage on the workers of a simulation; see share.h. What the workers noted becomes that
// of the first one when all have ended.

#include "data/share.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "data/gain.h"
#include "platform/clock.h"
#include "platform/team.h"

// The tasks that are a worker's own, and what it met first; of tasks, -1: none. Each part has cache
// lines of its own: lines that several processors write cost as much time as tasks.
typedef struct member {
  _Alignas(SI_ARENA_ALIGNMENT) _Atomic int64_t next;   // the first of its own that is not taken
  int64_t end;              // behind its own tasks
  _Alignas(SI_ARENA_ALIGNMENT) int64_t call;           // the last one in which it took part
  int64_t failed, faulty;   // tasks
  sn_status status;         // of the failed one
  int32_t is_exhausted;     // its scratch memory
  int64_t kept, peak;       // of its scratch memory
  int64_t largest;          // bytes that a task needed at most
  int64_t nwarning;
  si_warning_note note[SN_NWARNINGS];
} member;

struct si_sharing {
  si_team *team;
  si_gain gain;
  int64_t most;   // bytes that a call has needed at most, had one worker run all tasks
  int64_t room;   // bytes that each worker has
  // of the present call
  int64_t call;   // its number
  const sn_model *model;
  sn_data *data;
  si_task_fn *task;
  void *context;
  _Atomic int64_t last;   // tasks after it are left out
  member member[];
};

si_sharing *si_sharing_new(int32_t nworker) {
  const size_t bytes = sizeof(si_sharing) + (size_t)nworker * sizeof(member);
  si_sharing *s = aligned_alloc(SI_ARENA_ALIGNMENT, bytes);
  if (!s) {
    return NULL;
  }
  memset(s, 0, bytes);
  s->team = si_team_new(nworker);
  if (!s->team) {
    free(s);
    return NULL;
  }
  si_gain_init(&s->gain);
  return s;
}

void si_sharing_free(si_sharing *s) {
  if (s) {
    si_team_free(s->team);
    free(s);
  }
}

// Each worker gets the memory for what the first one has needed so far, which may have run all
// tasks of a call alone, and for all tasks of the largest call beside that; twice, for what the
// first one needs depends on the tasks that it happens to run. Not while a caller uses its memory.
static void make_room(si_sharing *s, sn_data *d) {
  const si_arena *first = &d->worker[0].scratch;
  const int64_t needed = first->peak + s->most + SI_ARENA_ALIGNMENT;
  if (first->used > 0 || needed <= s->room) {
    return;
  }
  s->room = 2 * needed;
  for (int32_t k = 0; k < d->nworker; k++) {
    si_arena_reset(&d->worker[k].scratch);
    si_arena_reserve(&d->worker[k].scratch, s->room);
  }
}

void si_sharing_begin(sn_data *d, int is_step) {
  si_gain *gain = &d->sharing->gain;
  const int is_alone = is_step ? si_gain_begin(gain) : si_gain_is_alone(gain);
  d->is_alone = is_alone || d->model->opt.memory > 0;
  if (!d->is_alone) {
    make_room(d->sharing, d);
  }
}

void si_sharing_end(sn_data *d, int is_step) {
  if (is_step) {
    si_gain_end(&d->sharing->gain);
  }
}

void si_sharing_leave(si_sharing *s) {
  if (s) {
    si_team_leave(s->team);
  }
}

// ------------------------------------------------------------------ on each worker

// The thread is like that of the first worker, and its memory empty.
static void prepare(si_worker *w, const si_worker *first) {
  w->fp_word = first->fp_word;
  si_fpenv_set_word(w->fp_word);
  w->exact = first->exact;
  w->once = first->once;
  w->fault = (si_fault){ 0 };
  w->out_of_memory = NULL;
  w->scratch.failed = 0;
  w->call.frame = (uintptr_t)__builtin_frame_address(0);
  si_arena_reset(&w->scratch);
}

// Its own tasks, then those that are left of the others'. -1: none is left.
static int64_t take_task(si_sharing *s, int32_t nworker, int32_t index) {
  for (int32_t i = 0; i < nworker; i++) {
    member *of = &s->member[(index + i) % nworker];
    if (atomic_load(&of->next) < of->end) {
      const int64_t k = atomic_fetch_add(&of->next, 1);
      if (k < of->end) {
        return k;
      }
    }
  }
  return -1;
}

static void leave_out_after(si_sharing *s, int64_t task) {
  int64_t last = atomic_load(&s->last);
  while (task < last && !atomic_compare_exchange_weak(&s->last, &last, task)) {}
}

static void run_task(si_sharing *s, si_worker *w, member *me, int64_t k) {
  si_arena *arena = &w->scratch;
  const int64_t used = arena->peak = arena->used;
  const si_fault known = w->fault;
  const int is_earlier = me->faulty > k;
  w->task = k;
  if (is_earlier) {
    w->fault = (si_fault){ 0 };
  }
  const int had_fault = w->fault.what != 0;
  const sn_status status = s->task(s->model, s->data, w, k, s->context);
  me->largest = arena->peak - used > me->largest ? arena->peak - used : me->largest;
  me->peak = arena->peak > me->peak ? arena->peak : me->peak;
  if (w->fault.what && !had_fault) {
    me->faulty = k;
  } else if (is_earlier) {
    w->fault = known;
  }
  if (status < 0) {
    me->failed = k;
    me->status = status;
    leave_out_after(s, k);
  }
}

static void run_tasks(si_sharing *s, si_worker *w, int32_t index) {
  int64_t k;
  while ((k = take_task(s, s->data->nworker, index)) >= 0) {
    if (k <= atomic_load(&s->last)) {
      run_task(s, w, &s->member[index], k);
    }
  }
}

// Exhausted memory ends the tasks of this worker; the first one ends the step.
static void work(void *context, int32_t index) {
  si_sharing *s = context;
  si_worker *w = &s->data->worker[index];
  member *me = &s->member[index];
  jmp_buf jump, *const outer = w->scratch.guard;
  if (index > 0) {
    prepare(w, &s->data->worker[0]);
  }
  const int64_t used = w->scratch.used, nwarning = w->nwarning;
  me->call = s->call;
  me->failed = me->faulty = -1;
  me->largest = 0;
  me->peak = w->scratch.peak;
  for (int32_t i = 0; i < SN_NWARNINGS; i++) {
    me->note[i].task = -1;
  }
  w->note = me->note;
  w->scratch.guard = &jump;
  if (setjmp(jump) == 0) {
    run_tasks(s, w, index);
  } else {
    si_fpenv_set_word(w->fp_word);
    atomic_store(&s->last, -1);
  }
  w->scratch.guard = outer;
  w->note = NULL;
  w->scratch.peak = me->peak;
  me->kept = w->scratch.used - used;
  me->nwarning = w->nwarning - nwarning;
  me->is_exhausted = w->scratch.failed;
}

// ------------------------------------------------------------------ before and after

// The first worker has the memory for all tasks, and so have the others: which one gets which is
// chance, and a step allocates nothing.
static void open_memory(const si_sharing *s, si_arena *arena) {
  const int64_t peak = arena->peak;
  const si_mark mark = si_arena_mark(arena);
  si_arena_take(arena, s->most + SI_ARENA_ALIGNMENT, SI_ARENA_ALIGNMENT);
  si_arena_release(arena, mark);
  arena->peak = peak;
}

static int took_part(const si_sharing *s, int32_t k) {
  return s->member[k].call == s->call;
}

static void close_memory(si_sharing *s, int32_t nworker) {
  int64_t kept = 0, largest = 0;
  for (int32_t k = 0; k < nworker; k++) {
    const member *x = &s->member[k];
    if (took_part(s, k)) {
      kept += x->kept;
      largest = x->largest > largest ? x->largest : largest;
    }
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
    if (!took_part(s, k)) {
      continue;
    }
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

static void merge_warnings(si_sharing *s, sn_data *d) {
  int64_t n = 0;
  for (int32_t k = 0; k < d->nworker; k++) {
    n += took_part(s, k) ? s->member[k].nwarning : 0;
  }
  for (int32_t i = 0; n > 0 && i < SN_NWARNINGS; i++) {
    merge_warning(s, d, i);
  }
}

// Of the numbers of tasks that the workers that took part noted, the worker of the least. -1: none.
static int32_t earliest_of(const si_sharing *s, int32_t nworker, int64_t (*task)(const member *)) {
  int32_t earliest = -1;
  for (int32_t k = 0; k < nworker; k++) {
    const int64_t own = took_part(s, k) ? task(&s->member[k]) : -1;
    if (own >= 0 && (earliest < 0 || own < task(&s->member[earliest]))) {
      earliest = k;
    }
  }
  return earliest;
}

static int64_t faulty_task(const member *x) {
  return x->faulty;
}

static int64_t failed_task(const member *x) {
  return x->failed;
}

static void merge_fault(si_sharing *s, sn_data *d, int had_fault) {
  si_worker *first = &d->worker[0];
  const int32_t earliest = had_fault ? -1 : earliest_of(s, d->nworker, faulty_task);
  if (earliest > 0) {
    first->fault = d->worker[earliest].fault;
    memcpy(first->fault_text, d->worker[earliest].fault_text, sizeof first->fault_text);
  }
}

static sn_status merge_error(si_sharing *s, sn_data *d) {
  si_worker *first = &d->worker[0];
  const int32_t earliest = earliest_of(s, d->nworker, failed_task);
  if (earliest < 0) {
    return SN_OK;
  }
  if (earliest > 0) {
    si_error_assign(&first->error, &d->worker[earliest].error);
  }
  for (int32_t k = 1; k < d->nworker; k++) {
    si_error_clear(&d->worker[k].error);
  }
  return s->member[earliest].status;
}

static int merge_memory(const si_sharing *s, sn_data *d) {
  si_worker *first = &d->worker[0];
  for (int32_t k = 1; k < d->nworker && !first->scratch.failed; k++) {
    if (!took_part(s, k) || !s->member[k].is_exhausted) {
      continue;
    }
    const si_worker *w = &d->worker[k];
    first->scratch.failed = w->scratch.failed;
    first->scratch.lent = w->scratch.lent;
    first->scratch.asked = w->scratch.asked;
    first->scratch.alignment = w->scratch.alignment;
    first->out_of_memory = w->out_of_memory;
  }
  return first->scratch.failed;
}

static sn_status share(const sn_model *m, sn_data *d, int64_t n, si_task_fn *task, void *context) {
  si_sharing *s = d->sharing;
  const int had_fault = d->worker[0].fault.what != 0;
  s->call++;
  s->model = m;
  s->data = d;
  s->task = task;
  s->context = context;
  atomic_store(&s->last, n - 1);
  for (int32_t k = 0; k < d->nworker; k++) {
    atomic_store(&s->member[k].next, n * k / d->nworker);
    s->member[k].end = n * (k + 1) / d->nworker;
  }
  open_memory(s, &d->worker[0].scratch);
  si_team_run(s->team, work, s);
  close_memory(s, d->nworker);

  merge_warnings(s, d);
  merge_fault(s, d, had_fault);
  const sn_status status = merge_error(s, d);
  if (merge_memory(s, d)) {
    if (d->worker[0].scratch.guard) {
      longjmp(*d->worker[0].scratch.guard, 1);
    }
    return SN_ENOMEM;
  }
  return status;
}

static sn_status run_alone(const sn_model *m, sn_data *d, int64_t n, si_task_fn *task,
                           void *context) {
  si_worker *w = &d->worker[0];
  for (int64_t k = 0; k < n; k++) {
    SN_TRY(task(m, d, w, k, context));
  }
  return w->scratch.failed ? SN_ENOMEM : SN_OK;
}

// function: whose time is that of the stage.
static sn_status share_stage(const sn_model *m, sn_data *d, int64_t n, si_task_fn *task,
                             void *context, uintptr_t function) {
  si_gain *gain = &d->sharing->gain;
  if (si_gain_measures(gain)) {
    const double start = si_clock();
    const sn_status status = run_alone(m, d, n, task, context);
    si_gain_note(gain, function, n, si_clock() - start);
    return status;
  }
  return si_gain_expected(gain, function, n) ? share(m, d, n, task, context)
                                             : run_alone(m, d, n, task, context);
}

sn_status si_share_tasks(const sn_model *m, sn_data *d, int64_t n, si_task_fn *task,
                         void *context) {
  return share_stage(m, d, n, task, context, (uintptr_t)task);
}

// ------------------------------------------------------------------ tasks of plugins

// The worker that lent this scratch memory to an operation, if others can share what it does: it
// is the first, and does not work on a task itself.
static si_worker *sharing_worker(const sn_scratch *scratch) {
  const si_arena *arena = si_arena_of(scratch);
  si_worker *w = arena ? arena->owner : NULL;
  return w && w == w->data->worker && !w->note && si_shares(w->data) ? w : NULL;
}

static int32_t count_threads(const sn_scratch *scratch) {
  const si_worker *w = sharing_worker(scratch);
  return w ? w->data->nworker : 1;
}

typedef struct plugin_tasks {
  si_running operation;   // whose tasks they are
  void (*task)(void *context, int64_t k);
  void *context;
} plugin_tasks;

static sn_status run_plugin_task(const sn_model *m, sn_data *d, si_worker *w, int64_t k,
                                 void *context) {
  (void)m, (void)d;
  const plugin_tasks *t = context;
  const si_call call = si_worker_enter(w, t->operation.provider, t->operation.operation);
  t->task(t->context, k);
  return si_worker_leave(w, &call, SN_OK);
}

static sn_status run_plugin_tasks(sn_scratch *scratch, int64_t n,
                                  void (*task)(void *context, int64_t k), void *context) {
  si_worker *w = sharing_worker(scratch);
  if (w && n > 1) {
    plugin_tasks tasks = { si_now, task, context };
    // exhausted memory must not jump over the plugin: it gets a status, and the step ends after it
    jmp_buf *const guard = w->scratch.guard;
    w->scratch.guard = NULL;
    const sn_status status = share_stage(w->data->model, w->data, n, run_plugin_task, &tasks,
                                         (uintptr_t)task);
    w->scratch.guard = guard;
    return status;
  }
  for (int64_t k = 0; k < n; k++) {
    task(context, k);
  }
  return SN_OK;
}

const sn_tasks_service si_tasks_service_table = {
  .size = sizeof(sn_tasks_service),
  .nthread = count_threads,
  .run = run_plugin_tasks,
};
