// SPDX-License-Identifier: Apache-2.0
//
// Messages are passed to the callback of the application, if there is one. Messages from opening an
// engine, before a callback can be set, are stored and passed to it when it is set.

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/character.h"
#include "base/plain.h"
#include "host/engine_state.h"
#include "platform/process.h"

static void keep(sn_engine *engine, int32_t level, const char *topic, const char *text) {
  si_note *more = engine->nnote < SI_NOTES_MAX ? si_more(engine->note, engine->nnote, sizeof *more)
                                               : NULL;
  if (more) {
    engine->note = more;
    si_note note = { .level = level, .topic = strdup(topic), .text = strdup(text) };
    engine->note[engine->nnote++] = note;
  }
}

// Where plugins are checked, what the application writes for a message is not theirs.
static void pass(const sn_engine *engine, int32_t level, const char *topic, const char *text) {
  const int checks = si_engine_checks(engine);
  const int64_t before = checks ? si_process_output() : 0;
  engine->log(engine->log_context, level, topic, text);
  if (checks) {
    si_process_excuse(before);
  }
}

static atomic_llong logged;

int64_t si_log_count(void) {
  return atomic_load(&logged);
}

static void count(int32_t level) {
  if (level > SN_LOG_DEBUG) {
    atomic_fetch_add(&logged, 1);
  }
}

static void log_text(const sn_engine *engine, int32_t level, const char *topic, const char *text) {
  char name[128], plain[SI_ERROR_TEXT];   // of a plugin: any bytes
  si_write_plain(name, sizeof name, topic ? topic : "");
  si_write_plain(plain, sizeof plain, text ? text : "");
  topic = name;
  text = plain;
  if (engine->log) {
    pass(engine, level, topic, text);
  } else if (engine->opening) {
    keep(engine->opening, level, topic, text);
  }
}

void si_log_text(const sn_engine *engine, int32_t level, const char *topic, const char *text) {
  count(level);
  log_text(engine, level, topic, text);
}

void si_engine_log(const sn_engine *engine, int32_t level, const char *topic, const char *format,
                   ...) {
  count(level);
  if (!engine || (!engine->log && !engine->opening)) {
    return;
  }
  char text[SI_ERROR_TEXT];
  va_list list;
  va_start(list, format);
  si_plain_print(text, sizeof text, format, list);
  va_end(list);
  log_text(engine, level, topic, text);
}

void si_log_free(sn_engine *engine) {
  for (int64_t i = 0; i < engine->nnote; i++) {
    free(engine->note[i].topic);
    free(engine->note[i].text);
  }
  free(engine->note);
  engine->note = NULL;
  engine->nnote = 0;
}

void sn_engine_set_log(sn_engine *engine, sn_log_fn *log, void *context) {
  engine->log = log;
  engine->log_context = context;
  for (int64_t i = 0; log && i < engine->nnote; i++) {
    const si_note *note = &engine->note[i];
    log(context, note->level, note->topic ? note->topic : "", note->text ? note->text : "");
  }
  if (log) {
    si_log_free(engine);
  }
}
