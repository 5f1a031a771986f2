// SPDX-License-Identifier: Apache-2.0
//
// Making a worker, and what it notes while it works: warnings, plugins that change the
// floating-point environment, and plugins that ran out of memory.

#include "model/worker.h"

#include <stdio.h>
#include <string.h>

#include "base/plain.h"
#include "model/data.h"

void si_worker_init(si_worker *w, sn_data *data) {
  memset(w, 0, sizeof *w);
  w->data = data;
  w->fp_word = si_fpenv_word();
  si_arena_init(&w->scratch, (int64_t)data->model->opt.memory);
  w->scratch.neighbor = &data->results;   // the limit holds for both together
}

void si_worker_free(si_worker *w) {
  si_arena_free(&w->scratch);
}

void si_worker_warn(si_worker *w, int32_t warning, const char *format, ...) {
  const sn_data *d = w->data;
  if (w->warning[warning]++ == 0 && d->warning[warning] == 0) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const si_plain plain = si_plain_enter();
    vsnprintf(text, sizeof text, format, arguments);
    si_plain_leave(plain);
    va_end(arguments);
    si_engine_log(d->model->engine, SN_LOG_WARNING, "step", "%s at time %g: %s",
                  sn_data_warning_name(warning), d->time[0], text);
  }
}

void si_worker_fp_changed(si_worker *w, const si_provider *provider) {
  si_fpenv_set_word(w->fp_word);
  w->fp_provider = w->fp_provider ? w->fp_provider : provider;
}

void si_worker_starved(si_worker *w, const si_provider *provider) {
  if (w->scratch.lent) {
    w->hungry = provider;
    w->scratch.lent = 0;
  }
  if (w->scratch.guard) {
    longjmp(*w->scratch.guard, 1);
  }
}
