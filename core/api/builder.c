// SPDX-License-Identifier: Apache-2.0
//
// The operations that a loader builds a spec with: those of the spec itself, and those that need
// the compiler.

#include "api/load.h"
#include "assets/assets.h"
#include "compile/compile.h"
#include "sinew/numerics/principal_axes.h"

static const char *spec_orientation(const sn_spec *spec, const sn_orient *orient, double *quat) {
  return si_orient_quat(orient, &spec->compiler, quat);
}

static const sn_builder builder_table = {
  .size = sizeof(sn_builder),
#define SN_X(kind)                                                    \
  .add_##kind = sn_spec_add_##kind, .get_##kind = sn_spec_get_##kind, \
  .set_##kind = sn_spec_set_##kind,
  SN_ELEMENTS(SN_X)
#undef SN_X
#define SN_X(kind) .get_##kind = sn_spec_get_##kind, .set_##kind = sn_spec_set_##kind,
      SN_SETTINGS(SN_X)
#undef SN_X
          .set_name = sn_spec_set_name,
  .get_name = sn_spec_name,
  .count = sn_spec_count,
  .find = sn_spec_find,
  .warn = si_spec_warn,
  .orientation = spec_orientation,
  .inertia = si_spec_inertia,
  .get_location = si_spec_get_place,
  .locate_option = si_spec_locate_option,
  .note = si_spec_add_note,
  .decode_mesh = si_spec_decode_mesh,
  .principal_axes = sn_principal_axes,
  .include = si_spec_include,
};

sn_spec *sn_spec_new(sn_engine *engine, sn_error *error) {
  return si_spec_make(engine, &builder_table, error);
}
