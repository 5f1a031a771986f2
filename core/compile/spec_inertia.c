// SPDX-License-Identifier: Apache-2.0
//
// The inertia of every body of a spec, as compiling would find it: for loaders that write a format
// which has no words for what it follows from (meshes, shapes fitted to meshes, repairs).
//
// A copy of the spec is compiled, without the reductions: bodies stay apart, and what
// discardvisual would leave out only loses its mass.

#include <string.h>

#include "compile/compile.h"
#include "sinew/math.h"

static void make_whole(sn_spec *copy) {
  int discard = copy->compiler.discardvisual != 0;
  copy->compiler.fusestatic = copy->compiler.discardvisual = 0;
  for (int64_t i = 0; discard && i < copy->list[SI_ELEMENT_geom].n; i++) {
    sn_geom_def *geom = copy->list[SI_ELEMENT_geom].at[i].def;
    if (geom->contype == 0 && geom->conaffinity == 0) {
      geom->mass = 0;
    }
  }
}

sn_status si_spec_inertia(sn_spec *spec, double *mass, double *ipos, double *iquat, double *moments,
                          sn_error *error) {
  si_numbering number[SI_NELEMENTS];
  sn_spec *copy = sn_spec_copy(spec, error);
  if (!copy) {
    return SN_ENOMEM;
  }
  make_whole(copy);
  sn_model *m = si_compile_numbered(copy, number, error);
  sn_spec_free(copy);
  if (!m) {
    return SN_ECOMPILE;
  }
  const int32_t *id = number[SI_ELEMENT_body].spec;   // by id in the model
  for (int64_t i = 0; i < m->nbody; i++) {
    mass[id[i]] = m->body_mass[i];
    sn_copy3(ipos + 3 * id[i], m->body_ipos + 3 * i);
    sn_copy4(iquat + 4 * id[i], m->body_iquat + 4 * i);
    sn_copy3(moments + 3 * id[i], m->body_inertia + 3 * i);
  }
  si_numbering_free(number);
  sn_model_free(m);
  return SN_OK;
}
