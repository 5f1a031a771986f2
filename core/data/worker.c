// SPDX-License-Identifier: Apache-2.0
//
// Making a worker, and what it notes while it works: warnings, plugins that change the
// floating-point environment, and plugins that ran out of memory.

#include "data/worker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/plain.h"
#include "data/address.h"
#include "data/data.h"

void si_worker_init(si_worker *w, sn_data *data) {
  memset(w, 0, sizeof *w);
  w->data = data;
  w->fp_word = si_fpenv_word();
  si_arena_init(&w->scratch, (int64_t)data->model->opt.memory);
  w->alloc = w->scratch.scratch.alloc;
  w->scratch.owner = w;
  w->scratch.neighbor = &data->results;   // the limit holds for both together
}

void si_worker_free(si_worker *w) {
  si_checker_free(w->checker);
  si_arena_free(&w->scratch);
}

void si_worker_warn(si_worker *w, int32_t warning, const char *format, ...) {
  const sn_data *d = w->data;
  si_warning_note own = { .task = -1 }, *note = w->note ? &w->note[warning] : &own;
  w->nwarning++;
  const int is_first = w->warning[warning]++ == 0 || w->task < note->task;
  if (is_first && d->warning[warning] == 0) {
    va_list arguments;
    va_start(arguments, format);
    si_plain_print(note->text, sizeof note->text, format, arguments);
    va_end(arguments);
    note->task = w->task;
    if (!w->note) {
      si_worker_log(w, warning, note->text);
    }
  }
}

void si_worker_log(si_worker *w, int32_t warning, const char *text) {
  const sn_data *d = w->data;
  char when[48] = "";   // nothing, if the time is no number either
  if (isfinite(d->time[0])) {
    snprintf(when, sizeof when, " at time %g s", d->time[0]);
  }
  char rollout[40] = "";
  if (d->rollout > 0) {
    snprintf(rollout, sizeof rollout, "rollout %lld: ", (long long)d->rollout - 1);
  }
  si_engine_log(d->model->engine, SN_LOG_WARNING, "step", "%s%s%s: %s", rollout,
                sn_data_warning_name(warning), when, text);
}

static const char *returned(sn_status status, char *out, size_t capacity) {
  const char *name = sn_status_name(status);
  if (strncmp(name, "SN_", 3) == 0) {
    snprintf(out, capacity, "returned %s", name);
  } else {
    snprintf(out, capacity, "returned the status %d, which is unknown", (int)status);
  }
  return out;
}

sn_status si_worker_fail(si_worker *w, sn_status code, const si_provider *provider,
                         const char *operation, sn_status status) {
  char title[SI_PROVIDER_TITLE], what[64];
  return si_fail(&w->error, code, "%s: its operation '%s' %s", si_provider_title(provider, title),
                 operation, returned(status, what, sizeof what));
}

void si_worker_warn_result(si_worker *w, const si_provider *provider, const char *operation,
                           sn_status status, const char *output, const double *number,
                           const char *instead) {
  char title[SI_PROVIDER_TITLE], what[256], place[192];
  si_provider_title(provider, title);
  if (status < 0) {
    // si_worker_examine made SN_EPLUGIN of a status that is unknown
    const int is_unknown = status == SN_EPLUGIN && w->fault.what == SI_FAULT_STATUS &&
                           w->fault.operation.provider == provider;
    returned(is_unknown ? w->fault.status : status, what, sizeof what);
  } else if (!number) {
    snprintf(what, sizeof what, "wrote invalid values of %s", output);
  } else {
    if (output) {
      snprintf(place, sizeof place, "%s", output);
    } else {
      si_data_address_name(w->data->model, w->data, (const uint8_t *)number, place, sizeof place);
    }
    snprintf(what, sizeof what, "wrote %g to %s", *number, place);
  }
  si_worker_warn(w, SN_WARN_PLUGIN, "%s: its operation '%s' %s; %s", title, operation, what,
                 instead);
}

void si_worker_blame(si_worker *w, si_fault fault) {
  w->fault = w->fault.what ? w->fault : fault;
}

void si_worker_blame_error(si_worker *w, si_running operation, const sn_error *error) {
  if (!w->fault.what) {
    w->fault = (si_fault){ operation, SI_FAULT_ERROR, error->code };
    snprintf(w->fault_text, sizeof w->fault_text, "%.*s", SI_FAULT_TEXT - 1, error->message);
  }
}

static void end_for_memory(si_worker *w, const si_provider *provider) {
  if (w->scratch.lent) {
    w->out_of_memory = provider;
    w->scratch.lent = 0;
  }
  if (w->scratch.guard) {
    longjmp(*w->scratch.guard, 1);
  }
}

sn_status si_worker_examine(si_worker *w, const si_call *call, sn_status status) {
  if (si_fpenv_word() != w->fp_word) {
    si_fpenv_set_word(w->fp_word);
    si_worker_blame(w, (si_fault){ .operation = call->now, .what = SI_FAULT_FPENV });
  }
  const char *wrong = w->checker ? si_checker_end(w) : NULL;
  if (wrong) {
    si_worker_blame(w, (si_fault){ .operation = call->now, .what = SI_FAULT_CHECK });
  }
  if (w->scratch.failed) {
    end_for_memory(w, call->now.provider);
  }
  if (!si_status_is_known(status)) {
    si_worker_blame(w, (si_fault){ call->now, SI_FAULT_STATUS, status });
    return SN_EPLUGIN;
  }
  return status;
}
