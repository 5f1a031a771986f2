// SPDX-License-Identifier: Apache-2.0
//
// Providers that programs call themselves. What they get of a renderer are functions of the host
// (guarded_renderer.h), made when they are used first.

#include "api/engine_use.h"

#include <stdlib.h>
#include <string.h>

#include "api/guarded_renderer.h"
#include "host/engine_state.h"
#include "sinew/renderer.h"

// NULL: programs call the plugin itself. Several threads may come here at once.
static sn_status find_guarded(si_row *row, void **guarded, sn_error *error) {
  *guarded = __atomic_load_n(&row->guarded, __ATOMIC_ACQUIRE);
  if (*guarded || strcmp(row->provider.kind, SN_KIND_RENDERER) != 0) {
    return SN_OK;
  }
  void *made = si_guarded_renderer_new(&row->provider);
  if (!made) {
    return si_no_memory(error);
  }
  if (__atomic_compare_exchange_n(&row->guarded, guarded, made, 0, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE)) {
    *guarded = made;
  } else {
    free(made);
  }
  return SN_OK;
}

sn_status si_engine_provider_used(sn_engine *engine, const char *kind, const char *name,
                                  const si_provider **used, sn_error *error) {
  const si_kind *known = si_kind_find(kind, error);
  if (!known) {
    return SN_ENOTFOUND;
  }
  SN_TRY(si_engine_freeze(engine, error));
  name = name ? name : si_engine_selected(engine, known->word);
  const si_provider *p = name ? si_engine_find(engine, kind, name, error)
                              : si_engine_each(engine, kind, 0);
  if (!p && !name) {
    return si_fail(
        error, SN_ENOTFOUND,
        "there is no %s; add a plugin that provides one to section [plugins] of the configuration",
        known->word);
  }
  *used = p;
  return p ? SN_OK : SN_ENOTFOUND;
}

sn_status sn_engine_use(sn_engine *engine, const char *kind, const char *name, const void **ops,
                        const void **self, sn_error *error) {
  const si_provider *p = NULL;
  SN_TRY(si_engine_provider_used(engine, kind, name, &p, error));
  void *guarded = NULL;
  SN_TRY(find_guarded((si_row *)(uintptr_t)p, &guarded, error));
  *ops = guarded ? guarded : p->ops;
  *self = guarded ? guarded : p->self;
  return SN_OK;
}
