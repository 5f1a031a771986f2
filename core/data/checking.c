// SPDX-License-Identifier: Apache-2.0
//
// Copies and comparisons of the checking mode; see checking.h.

#include "data/checking.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/address.h"
#include "data/data.h"
#include "platform/process.h"

enum { GUARD = 256, PATTERN = 0xa5 };   // bytes

// A block that must not change. Blocks of one operation are linked.
typedef struct block {
  struct block *next;
  uint8_t *memory, *copy;
  int64_t bytes;
} block;

// Temporary memory that the plugin took; guard bytes follow it.
typedef struct taken {
  struct taken *next;
  uint8_t *memory;
  int64_t bytes;
} taken;

struct si_checked {
  si_checked *outer;
  const si_output *output;   // a list
  block *block;
  taken *taken;
  si_mark mark;              // of the memory of copies
  int32_t evaluates;
  si_process *process;       // and thread, beside memory
};

struct si_checker {
  si_arena copies;
  si_mark pending_mark;
  si_output *pending;   // outputs of the operation that will begin
  int32_t evaluates;    // likewise
  si_checked *running;
  uint8_t *model;       // the arrays of the model, as they were when the guarded call began
  void *(*alloc)(sn_scratch *scratch, int64_t bytes, int64_t alignment);
  si_process_files files;
  si_process process;   // before the next operation that is not within another
  int noted;            // is it known?
  char text[512];       // of the first fault in a guarded call
};

static void *take(si_worker *w, int64_t bytes) {
  w->checker->copies.guard = w->scratch.guard;
  return si_arena_take(&w->checker->copies, bytes, 64);
}

// ------------------------------------------------------------------ temporary memory of plugins

static void *guarded_alloc(sn_scratch *scratch, int64_t bytes, int64_t alignment) {
  si_worker *w = (si_worker *)(void *)((char *)scratch - offsetof(si_worker, scratch));
  si_checker *c = w->checker;
  if (!c->running || !si_arena_possible(bytes, alignment)) {
    return c->alloc(scratch, bytes, alignment);
  }
  uint8_t *memory = c->alloc(scratch, bytes + GUARD, alignment);
  c->copies.guard = NULL;   // no jump over the plugin's functions
  taken *t = memory ? si_arena_take(&c->copies, sizeof *t, 64) : NULL;
  if (t) {
    *t = (taken){ .next = c->running->taken, .memory = memory, .bytes = bytes };
    memset(memory + bytes, PATTERN, GUARD);
    c->running->taken = t;
  }
  return memory;
}

static const taken *find_overrun(const si_checked *r) {
  uint8_t pattern[GUARD];
  memset(pattern, PATTERN, GUARD);
  const taken *t = r->taken;
  while (t && memcmp(t->memory + t->bytes, pattern, GUARD) == 0) {
    t = t->next;
  }
  return t;
}

// ------------------------------------------------------------------ the life of a checker

static const char *say(si_checker *c, const char *text) {
  if (!c->text[0]) {
    snprintf(c->text, sizeof c->text, "%s", text);
  }
  return c->text;
}

si_checker *si_checker_new(si_worker *w) {
  si_checker *c = calloc(1, sizeof *c);
  if (c) {
    si_arena_init(&c->copies, 0);
    si_process_files_init(&c->files);
    c->alloc = w->alloc;
    w->alloc = w->scratch.scratch.alloc = guarded_alloc;
    // the gap behind the last array is compared too
    memset((char *)w->data->buffer + w->data->nbuffer, 0,
           (size_t)(si_data_capacity(w->data->nbuffer) - w->data->nbuffer));
  }
  return c;
}

void si_checker_free(si_checker *c) {
  if (c) {
    si_process_close(&c->files);
    si_arena_free(&c->copies);
    free(c);
  }
}

void si_checker_start(si_worker *w) {
  si_checker *c = w->checker;
  const sn_model *m = w->data->model;
  c->running = NULL;
  c->pending = NULL;
  c->evaluates = 0;
  c->text[0] = '\0';
  c->noted = 0;
  si_process_open(&c->files);
  si_arena_reset(&c->copies);
  c->model = take(w, m->nbuffer);
  memcpy(c->model, m->buffer, (size_t)m->nbuffer);
}

void si_checker_stop(si_checker *c) {
  si_process_close(&c->files);
}

si_checked *si_checker_running(const si_checker *c) {
  return c->running;
}

void si_checker_unwind(si_checker *c, si_checked *running) {
  c->running = running;
  c->pending = NULL;
  c->evaluates = 0;
}

const char *si_checker_text(const si_checker *c) {
  return c->text;
}

// ------------------------------------------------------------------ before an operation

static void *take_pending(si_worker *w, int64_t bytes) {
  si_checker *c = w->checker;
  if (!c->pending && !c->evaluates) {
    c->pending_mark = si_arena_mark(&c->copies);
  }
  return take(w, bytes);
}

static void name_memory(si_worker *w, si_output memory) {
  si_checker *c = w->checker;
  if (memory.memory && memory.bytes > 0) {
    si_output *o = take_pending(w, (int64_t)sizeof *o);
    *o = memory;
    o->next = c->pending;
    c->pending = o;
  }
}

void si_checker_output(si_worker *w, const char *name, void *output, int64_t bytes) {
  name_memory(w, (si_output){ .name = name, .memory = output, .bytes = bytes });
}

void *si_checker_output_apart(si_worker *w, const char *name, const void *array, int64_t bytes) {
  uint8_t *copy = si_arena_take(&w->scratch, bytes + GUARD, 64);
  memcpy(copy, array, (size_t)bytes);
  memset(copy + bytes, PATTERN, GUARD);
  si_checker_output(w, name, copy, bytes);
  return copy;
}

void si_checker_input(si_worker *w, const char *name, const void *input, int64_t bytes) {
  name_memory(
      w, (si_output){
             .name = name, .memory = (uint8_t *)(uintptr_t)input, .bytes = bytes, .is_input = 1 });
}

void si_checker_struct(si_worker *w, const char *type, const void *member, int64_t bytes) {
  name_memory(w, (si_output){ .name = type,
                              .memory = (uint8_t *)(uintptr_t)member,
                              .bytes = bytes,
                              .is_input = 1,
                              .is_struct = 1 });
}

void si_checker_evaluates(si_worker *w) {
  take_pending(w, 0);
  w->checker->evaluates = 1;
}

static void keep(si_worker *w, si_checked *r, const void *memory, int64_t bytes) {
  if (bytes > 0) {
    block *b = take(w, (int64_t)sizeof *b);
    *b = (block){ .next = r->block,
                  .memory = (uint8_t *)(uintptr_t)memory,
                  .copy = take(w, bytes),
                  .bytes = bytes };
    memcpy(b->copy, memory, (size_t)bytes);
    r->block = b;
  }
}

static void keep_arena(si_worker *w, si_checked *r, const si_arena *arena) {
  for (const si_chunk *c = arena->top; c; c = c->below) {
    keep(w, r, si_chunk_memory(c), c->used);
  }
}

// The head of a model or a simulation: sizes or counts, addresses of arrays, options.
static void keep_heads(si_worker *w, si_checked *r) {
  const sn_model *m = w->data->model;
  keep(w, r, m, (int64_t)offsetof(sn_model, engine));
  keep(w, r, &m->view, (int64_t)sizeof m->view);
  keep(w, r, &w->data->view, (int64_t)sizeof w->data->view);
  if (!r->evaluates) {
    keep(w, r, w->data, (int64_t)offsetof(sn_data, niteration));
  }
}

static si_process *note_process(si_worker *w) {
  si_checker *c = w->checker;
  si_process *p = c->running ? take(w, (int64_t)sizeof *p) : &c->process;
  if (c->running || !c->noted) {
    si_process_note(p, &c->files);
  }
  c->noted |= !c->running;
  return p;
}

void si_checker_begin(si_worker *w) {
  si_checker *c = w->checker;
  const sn_data *d = w->data;
  memset(si_arena_take(&w->scratch, GUARD, 64), PATTERN, GUARD);
  const si_mark mark = c->pending || c->evaluates ? c->pending_mark : si_arena_mark(&c->copies);
  si_checked *r = take(w, (int64_t)sizeof *r);
  *r = (si_checked){
    .outer = c->running, .output = c->pending, .evaluates = c->evaluates, .mark = mark
  };
  c->pending = NULL;
  c->evaluates = 0;
  keep_arena(w, r, &w->scratch);
  keep(w, r, d->buffer, si_data_capacity(d->nbuffer));
  if (!r->evaluates) {
    keep_arena(w, r, &d->results);
  }
  keep_heads(w, r);
  for (const si_output *o = r->output; o; o = o->next) {
    keep(w, r, o->memory, o->is_struct ? o->bytes : 0);
  }
  r->process = note_process(w);
  c->running = r;
}

// ------------------------------------------------------------------ after it

// The output that contains this address or follows it first.
static const si_output *next_output(const si_output *list, const uint8_t *at) {
  const si_output *next = NULL;
  for (const si_output *o = list; o; o = o->next) {
    if (!o->is_input && o->memory + o->bytes > at && (!next || o->memory < next->memory)) {
      next = o;
    }
  }
  return next;
}

// Puts a block back as it was, but for the outputs. Returns the first byte that was different.
static uint8_t *restore(uint8_t *memory, const uint8_t *copy, int64_t bytes,
                        const si_output *outputs) {
  uint8_t *found = NULL, *end = memory + bytes;
  for (uint8_t *at = memory; at < end;) {
    const si_output *o = next_output(outputs, at);
    uint8_t *until = o && o->memory < end ? o->memory : end;
    const size_t n = until > at ? (size_t)(until - at) : 0;
    if (n > 0 && memcmp(at, copy + (at - memory), n) != 0) {
      for (size_t i = 0; !found; i++) {
        found = at[i] != copy[at + i - memory] ? at + i : NULL;
      }
      memcpy(at, copy + (at - memory), n);
    }
    at = o && o->memory < end ? o->memory + o->bytes : end;
  }
  return found;
}

static const char *find_change(si_worker *w, const si_checked *r) {
  const sn_model *m = w->data->model;
  char text[384];
  const char *found = NULL;
  // the arrays of the data last: of several changes theirs say most
  for (const block *b = r->block; b; b = b->next) {
    const uint8_t *at = restore(b->memory, b->copy, b->bytes, r->output);
    if (at) {
      found = say(w->checker, si_stray_write(m, w->data, r->output, at, text, sizeof text));
    }
  }
  const uint8_t *at = restore(m->buffer, w->checker->model, m->nbuffer, NULL);
  return at ? say(w->checker, si_stray_write(m, w->data, NULL, at, text, sizeof text)) : found;
}

const char *si_checker_end(si_worker *w) {
  si_checker *c = w->checker;
  si_checked *r = c->running;
  if (!r) {
    return NULL;
  }
  char change[384];
  const char *process = si_process_compare(r->process, change, sizeof change);
  const taken *t = find_overrun(r);
  const char *found = find_change(w, r);
  if (t) {
    char text[128];
    snprintf(text, sizeof text, "wrote past the end of %lld bytes of temporary memory that it took",
             (long long)t->bytes);
    found = say(c, text);
  }
  found = process ? say(c, process) : found;   // of several texts the first remains
  c->noted &= !process;
  c->running = r->outer;
  si_arena_release(&c->copies, r->mark);
  return found;
}
