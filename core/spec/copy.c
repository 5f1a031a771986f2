// SPDX-License-Identifier: Apache-2.0
//
// A copy of a spec, with its messages and the source locations of its elements.

#include "spec/keyframe.h"
#include "spec/spec.h"

sn_spec *sn_spec_copy(const sn_spec *spec, sn_error *error) {
  sn_spec *copy = si_spec_make(spec->engine, &spec->builder, error);
  sn_status status = copy ? sn_spec_set_name(copy, spec->name) : SN_ENOMEM;
  for (int32_t kind = 0; kind < SI_NELEMENTS && status >= 0; kind++) {
    const si_elements *list = &spec->list[kind];
    for (int64_t i = 0; i < list->n && status >= 0; i++) {
      int is_world = kind == SI_ELEMENT_body && i == 0;
      status = is_world ? si_spec_set_element(copy, kind, 0, list->at[i].def, error)
                        : si_spec_add_element(copy, kind, list->at[i].def, &list->at[i].location,
                                              NULL, error);
    }
  }
  for (int64_t i = 0; i < spec->warnings.n && status >= 0; i++) {
    status = si_spec_warn(copy, NULL, spec->warnings.at[i]);
  }
  for (int64_t i = 0; i < spec->notes.n && status >= 0; i++) {
    status = si_spec_add_note(copy, NULL, spec->notes.at[i]);
  }
  status = status < 0 ? status : si_spec_copy_locations(copy, spec);
  status = status < 0 ? status : si_key_copy_mark(copy, spec, error);
  if (status < 0) {
    sn_spec_free(copy);
    return si_error_settle_object(error, NULL);
  }
#define SN_X(kind) copy->kind = spec->kind;
  SN_SETTINGS(SN_X)
#undef SN_X
  return copy;
}
