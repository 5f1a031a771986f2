// SPDX-License-Identifier: Apache-2.0
//
// Copies and comparisons around operations outside of steps; see watching.h.

#include "host/watching.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/process.h"

enum { GUARD = 256, PATTERN = 0xa5, TEXT = sizeof((si_watch *)0)->wrong };

struct si_watched_process {
  si_process_files files;
  si_process before;
};

// Kept: `memory` must stay as `copy`. Lent: the plugin writes to `copy`, which has guard bytes
// before and behind it, and its content goes to `memory`.
struct si_watched {
  si_watched *next;
  uint8_t *memory, *copy;
  int64_t bytes;
  si_place_fn *place;    // NULL: lent
  const void *context;   // of the place; lent: the name
};

void si_watch_open(si_watch *w, int on) {
  w->list = NULL;
  w->process = NULL;
  w->on = on;
  w->failed = 0;
  w->wrong[0] = '\0';
}

void si_watch_close(si_watch *w) {
  for (si_watched *at = w->list, *next; at; at = next) {
    next = at->next;
    free(at);
  }
  if (w->process) {
    si_process_close(&w->process->files);
  }
  free(w->process);
  si_watch_open(w, 0);
}

// ------------------------------------------------------------------ before an operation

static si_watched *add(si_watch *w, const void *memory, int64_t bytes) {
  si_watched *made = malloc(sizeof *made + (size_t)bytes + 2 * GUARD);
  if (!made) {
    w->failed = 1;
    return NULL;
  }
  *made = (si_watched){ .next = w->list,
                        .memory = (uint8_t *)(uintptr_t)memory,
                        .copy = (uint8_t *)(made + 1) + GUARD,
                        .bytes = bytes };
  memset(made->copy - GUARD, PATTERN, GUARD);
  memcpy(made->copy, memory, (size_t)bytes);
  memset(made->copy + bytes, PATTERN, GUARD);
  w->list = made;
  return made;
}

void si_watch_keep(si_watch *w, const void *memory, int64_t bytes, si_place_fn *place,
                   const void *context) {
  si_watched *made = w->on && memory && bytes > 0 ? add(w, memory, bytes) : NULL;
  if (made) {
    made->place = place;
    made->context = context;
  }
}

void *si_watch_lend(si_watch *w, const char *name, void *output, int64_t bytes) {
  si_watched *made = w->on && output && bytes > 0 ? add(w, output, bytes) : NULL;
  if (made) {
    made->context = name;
  }
  return made ? made->copy : output;
}

void si_watch_source(si_watch *w, const sn_engine *engine, const sn_source *source) {
  si_watch_open(w, si_engine_checks(engine));
  si_watch_keep(w, source->bytes, source->count, si_watch_name, "the bytes of the file");
}

void si_watch_name(const void *context, const uint8_t *at, char *out, size_t size) {
  (void)at;
  snprintf(out, size, "%s", (const char *)context);
}

void si_watch_enter(si_watch *w, const si_provider *provider, const char *operation) {
  if (w->on && !w->process) {
    w->process = malloc(sizeof *w->process);
    w->failed |= !w->process;
    if (w->process) {
      si_process_open(&w->process->files);
    }
  }
  if (w->process) {
    si_process_note(&w->process->before, &w->process->files);
  }
  w->call = si_call_enter(provider, operation);
}

// ------------------------------------------------------------------ after it

// The first byte that differs; NULL: none does.
static uint8_t *find_change(uint8_t *memory, const uint8_t *copy, int64_t bytes) {
  if (memcmp(memory, copy, (size_t)bytes) == 0) {
    return NULL;
  }
  while (*memory == *copy) {
    memory++, copy++;
  }
  return memory;
}

// "wrote body_mass[2] of body 'ball', which is not one of its outputs"
static int find_kept(const si_watched *at, char *out) {
  uint8_t *changed = find_change(at->memory, at->copy, at->bytes);
  if (changed) {
    char place[TEXT / 2];
    at->place(at->context, changed, place, sizeof place);
    memcpy(at->memory, at->copy, (size_t)at->bytes);
    snprintf(out, TEXT, "wrote %s, which is not one of its outputs", place);
  }
  return changed != NULL;
}

// "wrote out of bounds, 8 bytes past the end of its output 'state'": how far the last byte is from
// the output.
static int find_lent(const si_watched *at, char *out) {
  uint8_t pattern[GUARD];
  memset(pattern, PATTERN, GUARD);
  uint8_t *end = at->copy + at->bytes, *before = at->copy - GUARD;
  const uint8_t *behind = find_change(end, pattern, GUARD);
  const uint8_t *ahead = find_change(before, pattern, GUARD);
  memcpy(at->memory, at->copy, (size_t)at->bytes);
  if (behind || ahead) {
    snprintf(out, TEXT, "wrote out of bounds, %lld bytes %s its output '%s'",
             (long long)(behind ? behind - end : at->copy - ahead),
             behind ? "past the end of" : "before", (const char *)at->context);
    memset(end, PATTERN, GUARD);
    memset(before, PATTERN, GUARD);
  }
  return behind || ahead;
}

// Of several faults the first found is reported.
static void find_each(si_watch *w, int (*find)(const si_watched *, char *out)) {
  char text[TEXT];
  for (const si_watched *at = w->list; at; at = at->next) {
    if ((at->place != NULL) == (find == find_kept) && find(at, text) && !w->wrong[0]) {
      memcpy(w->wrong, text, sizeof text);
    }
  }
}

sn_status si_watch_leave(si_watch *w, sn_status status, sn_error *error) {
  char subject[SI_PROVIDER_TITLE], text[TEXT];
  status = si_call_leave(&w->call, status, error);
  if (!w->on) {
    return status;
  }
  const char *changed = w->process ? si_process_compare(&w->process->before, text, sizeof text)
                                   : NULL;
  w->wrong[0] = '\0';
  find_each(w, find_kept);
  find_each(w, find_lent);   // now, since an output may be a part of what is kept
  if (changed && !w->wrong[0]) {
    snprintf(w->wrong, sizeof w->wrong, "%s", changed);
  }
  if (w->wrong[0]) {
    return si_fail(error, SN_EPLUGIN, "%s: its operation '%s' %s",
                   si_provider_title(w->call.now.provider, subject), w->call.now.operation,
                   w->wrong);
  }
  return w->failed ? si_fail(error, SN_ENOMEM, "out of memory while checking a plugin") : status;
}

sn_status si_watch_end(si_watch *w, sn_status status, sn_error *error) {
  status = si_watch_leave(w, status, error);
  si_watch_close(w);
  return status;
}

// ------------------------------------------------------------------ both, in short

void si_watch_begin(si_watch *w, const sn_engine *engine, const si_provider *provider,
                    const char *operation) {
  si_watch_open(w, si_engine_checks(engine));
  si_watch_enter(w, provider, operation);
}

void si_watch_warn(si_watch *w, const sn_engine *engine) {
  sn_error error = { 0 };
  if (si_watch_end(w, SN_OK, &error) < 0) {
    si_engine_log(engine, SN_LOG_WARNING, "plugin", "%s", error.message);
  }
}
