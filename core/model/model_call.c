// SPDX-License-Identifier: Apache-2.0

#include "model/model_call.h"

#include <stddef.h>

#include "model/address.h"

static void place(const void *model, const uint8_t *at, char *out, size_t size) {
  si_model_address_name(model, at, out, size);
}

void si_model_enter(si_watch *call, const sn_model *m, const si_provider *provider,
                    const char *operation) {
  si_watch_open(call, si_engine_checks(m->engine));
  if (call->on) {
    // the arrays last: of several changes theirs say most
    si_watch_keep(call, m, (int64_t)offsetof(sn_model, engine), place, m);
    si_watch_keep(call, &m->view, (int64_t)sizeof m->view, place, m);
    si_watch_keep(call, m->buffer, m->nbuffer, place, m);
  }
  si_watch_enter(call, provider, operation);
}
