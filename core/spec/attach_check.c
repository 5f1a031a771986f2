// SPDX-License-Identifier: Apache-2.0
//
// What attaching may not change in silence: masses and shapes that follow from settings of the
// part's compiler, where the host's compiler has others. Settings that change nothing of the part
// may differ.

#include <stdio.h>

#include "base/error.h"
#include "spec/spec.h"

// Does the inertia of a body come from its geoms?
static int is_inferred(const sn_compiler *c, const sn_body_def *body) {
  return c->inertiafromgeom == SN_TRUE || (c->inertiafromgeom == SN_AUTO && !body->inertial);
}

static int has_geoms(const sn_spec *spec, int64_t body) {
  const si_elements *list = &spec->list[SI_ELEMENT_geom];
  for (int64_t i = 0; i < list->n; i++) {
    if (((const sn_geom_def *)list->at[i].def)->body == body) {
      return 1;
    }
  }
  return 0;
}

static const char *body_changes(const sn_spec *host, const sn_spec *part, int64_t id) {
  const sn_body_def *body = part->list[SI_ELEMENT_body].at[id].def;
  return is_inferred(&host->compiler, body) != is_inferred(&part->compiler, body) &&
                 has_geoms(part, id)
             ? "its inertia would change, because inertiafromgeom of the spec differs; set "
               "inertiafromgeom of both to the same value"
             : NULL;
}

static int is_counted(const sn_compiler *c, const sn_geom_def *geom) {
  return geom->group >= c->inertiagroup_min && geom->group <= c->inertiagroup_max;
}

static const char *geom_changes(const sn_spec *host, const sn_spec *part, int64_t id) {
  const sn_geom_def *geom = part->list[SI_ELEMENT_geom].at[id].def;
  const sn_compiler *ours = &host->compiler, *theirs = &part->compiler;
  if (geom->mesh && geom->mesh[0] && geom->type != SN_GEOM_MESH &&
      !ours->fitaabb != !theirs->fitaabb) {
    return "its fit to the mesh would change, because fitaabb of the spec differs; set fitaabb of "
           "both to the same value";
  }
  return geom->body > 0 && geom->body < part->list[SI_ELEMENT_body].n &&
                 is_inferred(theirs, part->list[SI_ELEMENT_body].at[geom->body].def) &&
                 is_counted(ours, geom) != is_counted(theirs, geom)
             ? "the inertia of its body would change, because inertiagrouprange of the host "
               "differs; set inertiagrouprange of both to the same value, or change the group of "
               "the geom"
             : NULL;
}

const char *si_attach_changes(const sn_spec *host, const sn_spec *part, int32_t kind, int64_t id) {
  return kind == SI_ELEMENT_body   ? body_changes(host, part, id)
         : kind == SI_ELEMENT_geom ? geom_changes(host, part, id)
                                   : NULL;
}

sn_status si_attach_mass(const sn_spec *host, const sn_spec *part, sn_error *error) {
  const double total = part->compiler.settotalmass;
  return total > 0 && total != host->compiler.settotalmass && part->list[SI_ELEMENT_body].n > 1
             ? si_fail(error, SN_EINVAL,
                       "attach: the settotalmass of part, %g, cannot be applied to part alone; set "
                       "it to -1 and specify the masses of the bodies of part, or set it in the "
                       "host, for the whole model",
                       total)
             : SN_OK;
}
