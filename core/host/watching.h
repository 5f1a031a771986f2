// SPDX-License-Identifier: Apache-2.0
//
// The checking mode outside of steps: while plugins are loaded and closed, while a model is read
// and bound, and rays. What the host
// keeps for an operation is copied before it and compared after it; a change of anything but the
// outputs is taken back, and is an error that names plugin, operation and place. Without the
// checking mode this is si_call_enter and si_call_leave (calling.h), and nothing is copied.
//
//   si_watch w;
//   si_watch_open(&w, si_engine_checks(engine));
//   si_watch_keep(&w, memory, bytes, si_watch_name, "the bytes of the file");
//   double *lent = si_watch_lend(&w, "state", state, bytes);
//   si_watch_enter(&w, provider, "reset");
//   ops->reset(..., lent);
//   status = si_watch_end(&w, SN_OK, error);
//
// Steps have the checker of their worker instead (data/checking.h), which takes no memory of the
// C library. A plugin that leaves an operation by an exception leaves the copies behind.

#ifndef SI_HOST_WATCHING_H
#define SI_HOST_WATCHING_H

#include "host/calling.h"

// What an address within memory that is kept is called: "body_mass[2] of body 'ball'".
typedef void si_place_fn(const void *context, const uint8_t *at, char *out, size_t size);

typedef struct si_watched si_watched;
typedef struct si_watched_process si_watched_process;

typedef struct si_watch {
  si_call call;
  si_watched *list;      // of what is kept and lent
  si_watched_process *process;   // and thread, beside memory
  int on, failed;     // failed: there was no memory for a copy
  char wrong[384];    // what the operation that was left last did wrong; empty: nothing
} si_watch;

void si_watch_open(si_watch *watch, int on);   // on: si_engine_checks
// What reads a file: its bytes are kept.
void si_watch_source(si_watch *watch, const sn_engine *engine, const sn_source *source);
void si_watch_close(si_watch *watch);

// Memory that must not change.
void si_watch_keep(si_watch *watch, const void *memory, int64_t bytes, si_place_fn *place,
                   const void *context);
// The place of memory that has no parts; context: its name, a text.
si_place_fn si_watch_name;

// What is passed as an output in place of `output`: other memory, with guard bytes on both sides,
// of the same content. si_watch_leave copies it to the output. Without the mode: the output.
void *si_watch_lend(si_watch *watch, const char *name, void *output, int64_t bytes);

void si_watch_enter(si_watch *watch, const si_provider *provider, const char *operation);
// The watch may be entered again.
sn_status si_watch_leave(si_watch *watch, sn_status status, sn_error *error);
// The last time: leaves and closes.
sn_status si_watch_end(si_watch *watch, sn_status status, sn_error *error);

// Around an operation for which nothing is kept or lent.
void si_watch_begin(si_watch *watch, const sn_engine *engine, const si_provider *provider,
                    const char *operation);
// After one without a status, such as `destroy`: what it did wrong is a warning of the engine.
void si_watch_warn(si_watch *watch, const sn_engine *engine);

#endif
