// SPDX-License-Identifier: Apache-2.0
//
// Binding of the functions of actuators: a batch of several actuators together and each of them
// alone, with attributes that the provider accepts.

#include "actuator.h"

static int bind_count(kit *k, const kit_actuator_binding *binding, const kit_batch *b, int first,
                      int n, const kit_attributes *a, void **bound, sn_error *error) {
  sn_actuator actuators[KIT_ACTUATORS];
  for (int i = 0; i < n; i++) {
    actuators[i] = (sn_actuator){ .id = b->id[first + i],
                                  .nstate = b->batch.nstate,
                                  .values = a->values };
  }
  const sn_status status = KIT_CALL(binding, bind)(k->self, &binding->world.model_view, n,
                                                   actuators, bound, error);
  if (status < 0 && !*sn_error_message(error)) {
    kit_report(k, "bind", KIT_FAILED, "%s without a message", sn_status_name(status));
  }
  return status >= 0;
}

static int bind_all(kit *k, const kit_actuator_binding *binding, kit_batch *b,
                    const kit_attributes *a, sn_error *error) {
  void *bound = NULL;
  int done = bind_count(k, binding, b, 0, KIT_ACTUATORS, a, &bound, error);
  b->batch.bound = bound;
  for (int i = 0; i < KIT_ACTUATORS && done; i++) {
    done = bind_count(k, binding, b, i, 1, a, &b->alone[i], error);
  }
  return done;
}

static void unbind_one(kit *k, const kit_actuator_binding *binding, void **bound) {
  if (*bound) {
    KIT_CALL(binding, unbind)(k->self, *bound);
    *bound = NULL;
  }
}

static void unbind_all(kit *k, const kit_actuator_binding *binding, kit_batch *b) {
  void *all = (void *)(uintptr_t)b->batch.bound;
  unbind_one(k, binding, &all);
  b->batch.bound = NULL;
  for (int i = 0; i < KIT_ACTUATORS; i++) {
    unbind_one(k, binding, &b->alone[i]);
  }
}

int kit_batch_bind(kit *k, kit_actuator_binding *binding, kit_batch *b) {
  if (!binding->bind) {
    return 1;
  }
  sn_error *error = sn_error_new();
  kit_attributes a;
  const int failures = k->failures;
  int done = 0;
  if (!kit_world_new(k, &binding->world, NULL, error)) {
    kit_report(k, "bind", KIT_FAILED, "the model of the kit: %s", sn_error_message(error));
  }
  for (int way = KIT_NAMED;
       way >= KIT_DEFAULTS && binding->world.data && !done && k->failures == failures; way--) {
    unbind_all(k, binding, b);
    done = kit_attributes_set(k, &binding->world, binding->attributes, way, &a) &&
           bind_all(k, binding, b, &a, error);
  }
  if (done) {
    kit_report(k, "bind", KIT_PASSED, "%d actuators together, and each alone", KIT_ACTUATORS);
  } else if (k->failures == failures) {
    kit_report(k, "bind", KIT_SKIPPED, "it rejects the attributes that were tried: %s",
               sn_error_message(error));
  }
  b->batch.data = &binding->world.data_view;
  sn_error_free(error);
  return done;
}

void kit_batch_unbind(kit *k, kit_actuator_binding *binding, kit_batch *b) {
  if (binding->bind) {
    unbind_all(k, binding, b);
    kit_world_free(&binding->world);
  }
}
