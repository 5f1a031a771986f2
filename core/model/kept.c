// SPDX-License-Identifier: Apache-2.0
//
// Memory that calls keep with a model, a list without a lock: a process may fork at any time. Who
// takes an entry takes the whole list and puts the rest back, so that no entry is read that another
// thread may have taken; a thread that comes in between finds none, and allocates.

#include "model/model.h"

void si_model_keep(const sn_model *model, si_kept *kept) {
  sn_model *m = (sn_model *)(uintptr_t)model;
  kept->next = __atomic_load_n(&m->kept, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&m->kept, &kept->next, kept, 1, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {}
}

si_kept *si_model_take(const sn_model *model) {
  sn_model *m = (sn_model *)(uintptr_t)model;
  si_kept *kept = __atomic_exchange_n(&m->kept, NULL, __ATOMIC_ACQUIRE);
  for (si_kept *rest = kept ? kept->next : NULL; rest;) {
    si_kept *next = rest->next;
    si_model_keep(model, rest);
    rest = next;
  }
  return kept;
}

void si_model_free_kept(sn_model *model) {
  for (si_kept *kept = si_model_take(model); kept; kept = si_model_take(model)) {
    kept->free(kept);
  }
}
