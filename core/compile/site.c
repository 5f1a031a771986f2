// SPDX-License-Identifier: Apache-2.0
//
// Sites, cameras and lights: what is fixed to a body and has no mass.

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "compile/compile.h"
#include "sinew/math.h"

sn_status si_compile_site_measure(si_build *b) {
  sn_model *s = &b->size;
  s->nsite = b->number[SI_ELEMENT_site].n;
  s->ncam = b->number[SI_ELEMENT_camera].n;
  s->nlight = b->number[SI_ELEMENT_light].n;
  return SN_OK;
}

// ------------------------------------------------------------------ sites

// Leading sizes that must be positive, by type; 0: a site cannot have this type.
static const int32_t site_sizes[SN_NGEOMTYPES] = { [SN_GEOM_SPHERE] = 1,
                                                   [SN_GEOM_CAPSULE] = 2,
                                                   [SN_GEOM_ELLIPSOID] = 3,
                                                   [SN_GEOM_CYLINDER] = 2,
                                                   [SN_GEOM_BOX] = 3 };

static sn_status fill_site(si_build *b, int64_t i) {
  sn_model *m = b->m;
  const sn_site_def *site = SI_DEF(b, site, i);
  double *pos = m->site_pos + 3 * i, *quat = m->site_quat + 4 * i, *size = m->site_size + 3 * i;
  if (!site_sizes[site->type]) {
    return SI_FAIL(b, site, i, "a site is a sphere, capsule, ellipsoid, cylinder or box");
  }
  const char *wrong;
  if (!si_fromto_given(site->fromto)) {
    sn_copy3(pos, site->pos);
    wrong = si_orient_quat(&site->orient, &b->spec->compiler, quat);
  } else if (site->pos[0] != 0 || site->pos[1] != 0 || site->pos[2] != 0) {
    return SI_FAIL(b, site, i, "both pos and fromto are specified; remove one");
  } else {
    wrong = si_orient_fromto(site->fromto, site->type, pos, quat, size);
  }
  if (wrong) {
    return SI_FAIL(b, site, i, "%s", wrong);
  }
  for (int k = 0; k < site_sizes[site->type]; k++) {
    if (size[k] <= 0) {
      return SI_FAIL(b, site, i, "number %d of size must be positive, not %g", k + 1, size[k]);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ cameras and lights

// A camera or light cannot look at the body that carries it.
static sn_status check_target(si_build *b, int32_t kind, int64_t i, const char *name, int32_t body,
                              int32_t target) {
  return target == body
             ? si_build_fail(b, SN_ECOMPILE, kind, i,
                             "its target '%s' is the body to which it is attached; choose another "
                             "target",
                             name)
             : SN_OK;
}

static sn_status fill_camera(si_build *b, int64_t i) {
  sn_model *m = b->m;
  const sn_camera_def *camera = SI_DEF(b, camera, i);
  const char *wrong = si_orient_quat(&camera->orient, &b->spec->compiler, m->cam_quat + 4 * i);
  if (wrong) {
    return SI_FAIL(b, camera, i, "%s", wrong);
  }
  return check_target(b, SI_ELEMENT_camera, i, camera->target, m->cam_bodyid[i],
                      m->cam_targetbodyid[i]);
}

static sn_status fill_light(si_build *b, int64_t i) {
  sn_model *m = b->m;
  const sn_light_def *light = SI_DEF(b, light, i);
  if (sn_norm3(light->dir) < 1e-14) {
    return SI_FAIL(b, light, i, "its direction is zero");
  }
  sn_unit3(m->light_dir + 3 * i);
  return check_target(b, SI_ELEMENT_light, i, light->target, m->light_bodyid[i],
                      m->light_targetbodyid[i]);
}

sn_status si_compile_site_fill(si_build *b) {
  sn_model *m = b->m;
  for (int64_t i = 0; i < m->nsite; i++) {
    SN_TRY(fill_site(b, i));
  }
  for (int64_t i = 0; i < m->ncam; i++) {
    SN_TRY(fill_camera(b, i));
  }
  for (int64_t i = 0; i < m->nlight; i++) {
    SN_TRY(fill_light(b, i));
  }
  return SN_OK;
}
