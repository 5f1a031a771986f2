// SPDX-License-Identifier: Apache-2.0
//
// Operations of plugins by name; see calling.h.

#include "host/calling.h"

#include <stdio.h>

#include "base/sized.h"
#include "host/engine_state.h"

_Thread_local si_running si_now __attribute__((tls_model("initial-exec")));

const char *si_provider_title(const si_provider *p, char *out) {
  if (!p->kind[0]) {
    snprintf(out, SI_PROVIDER_TITLE, "plugin '%s'", p->name);
  } else if (p->plugin) {
    snprintf(out, SI_PROVIDER_TITLE, "'%s' (%s) of plugin '%s'", p->name, p->kind, p->plugin->key);
  } else {
    snprintf(out, SI_PROVIDER_TITLE, "'%s' (%s)", p->name, p->kind);
  }
  return out;
}

sn_status si_fail_unknown_status(const si_running *r, sn_status status, sn_error *error) {
  char subject[SI_PROVIDER_TITLE];
  return si_fail(error, SN_EPLUGIN,
                 "%s: its operation '%s' returned the status %d, which is unknown; it must return "
                 "one of enum SN_* in sinew/abi.h",
                 si_provider_title(r->provider, subject), r->operation, status);
}

sn_status si_fail_more(sn_status status, const char *operation, sn_error *error) {
  return status != SN_MORE ? status
                           : si_fail(error, SN_EPLUGIN,
                                     "its operation '%s' returned SN_MORE, but it has no output "
                                     "with a capacity; return SN_OK",
                                     operation);
}

static sn_status restore_fpenv(const si_call *call, sn_error *error) {
  char subject[SI_PROVIDER_TITLE];
  const char *what = si_fpenv_difference(call->fpenv, si_fpenv_word());
  si_fpenv_set_word(call->fpenv);
  return si_fail(error, SN_EPLUGIN, "%s: its operation '%s' changed %s; do not load this plugin",
                 si_provider_title(call->now.provider, subject), call->now.operation, what);
}

sn_status si_call_leave(const si_call *call, sn_status status, sn_error *error) {
  si_call_end(call);
  if (si_fpenv_word() != call->fpenv) {
    return restore_fpenv(call, error);
  }
  if (!si_status_is_known(status)) {
    return si_fail_unknown_status(&call->now, status, error);
  }
  if (status < 0 && status != SN_ENOMEM && error && !error->message[0]) {
    char subject[SI_PROVIDER_TITLE];
    return si_fail(error, status, "%s: its operation '%s' failed without a message (%s)",
                   si_provider_title(call->now.provider, subject), call->now.operation,
                   sn_status_name(status));
  }
  return status;
}

// An operation that was left by a jump or an exception is over: the stack has become shorter.
int32_t sn_running_operation(sn_operation_info *info) {
  const si_running now = si_now;
  if (!now.provider || (uintptr_t)__builtin_frame_address(0) >= now.frame) {
    return 0;
  }
  const si_provider *p = now.provider;
  const sn_operation_info all = {
    .operation = now.operation,
    .kind = p->kind,
    .name = p->kind[0] ? p->name : "",
    .plugin = !p->kind[0] ? p->name
              : p->plugin ? p->plugin->key
                          : "",
  };
  return si_copy_out(info, &all, sizeof all) == SN_OK;
}
