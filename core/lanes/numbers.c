// SPDX-License-Identifier: Apache-2.0
//
// The numbers of the models, side by side as those of the simulations.

#include "lanes/state.h"
#include "model/fields.h"

static int64_t count(const si_extent *extent, const sn_model *m, const void *field) {
  const int64_t i = (void *const *)field - m->field;
  return extent[i].rows * extent[i].cols;
}

void si_lane_place_numbers(si_lanes *l, si_lane_place *p) {
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(l->m, extent);
#define SN_X(name) \
  l->numbers.name = si_lane_take(p, count(extent, l->m, &l->m->name), sizeof *l->numbers.name);
  SI_LANE_NUMBERS(SN_X)
#undef SN_X
}

void si_lane_use_numbers(si_lanes *l) {
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(l->m, extent);
  for (int w = 0; w < SI_LANES; w++) {
    const sn_model *m = l->models[w];
#define SN_X(name) si_lane_gather(l->numbers.name, count(extent, m, &m->name), w, m->name);
    SI_LANE_NUMBERS(SN_X)
#undef SN_X
    si_lane_gather(l->numbers.gravity, 3, w, m->opt.gravity);
  }
}
