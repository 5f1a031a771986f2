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
  const sn_size_hint *hint = &b->spec->size_hint;
  s->nsite = b->number[SI_ELEMENT_site].n;
  s->ncam = b->number[SI_ELEMENT_camera].n;
  s->nlight = b->number[SI_ELEMENT_light].n;
  SN_TRY(si_build_user_size(b, SI_ELEMENT_site, offsetof(sn_site_def, user), hint->nuser_site,
                            &s->nuser_site));
  return si_build_user_size(b, SI_ELEMENT_camera, offsetof(sn_camera_def, user), hint->nuser_cam,
                            &s->nuser_cam);
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
  if (site->type < 0 || site->type >= SN_NGEOMTYPES || !site_sizes[site->type]) {
    return SI_FAIL(b, site, i, "a site is a sphere, capsule, ellipsoid, cylinder or box");
  }
  m->site_type[i] = site->type;
  m->site_group[i] = site->group;
  m->site_bodyid[i] = b->number[SI_ELEMENT_body].model[site->body];
  m->site_matid[i] = -1;
  memcpy(m->site_rgba + 4 * i, site->rgba, sizeof site->rgba);
  if (site->material && site->material[0]) {
    SN_TRY(SI_REFER(b, site, i, material, site->material, &m->site_matid[i]));
  }

  const char *wrong;
  sn_copy3(size, site->size);
  if (isnan(site->fromto[0])) {
    sn_copy3(pos, site->pos);
    wrong = si_orient_quat(&site->orient, &b->spec->compiler, quat);
  } else if (site->pos[0] != 0 || site->pos[1] != 0 || site->pos[2] != 0) {
    return SI_FAIL(b, site, i, "pos and fromto are both given; remove one of them");
  } else {
    wrong = si_orient_fromto(site->fromto, site->type, pos, quat, size);
  }
  if (wrong) {
    return SI_FAIL(b, site, i, "%s", wrong);
  }
  for (int k = 0; k < site_sizes[site->type]; k++) {
    if (size[k] <= 0) {
      return SI_FAIL(b, site, i, "size %d must be positive, not %g", k + 1, size[k]);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ cameras and lights

// The body that a camera or light looks at; -1: none. It cannot be the one that carries it.
static sn_status find_target(si_build *b, int32_t kind, int64_t i, const char *name, int32_t body,
                             int32_t mode, int32_t *target) {
  *target = -1;
  if (mode < 0 || mode >= SN_NTRACKMODES) {
    return si_build_fail(b, SN_ECOMPILE, kind, i, "there is no mode %d", mode);
  }
  if (!name || !name[0]) {
    return SN_OK;
  }
  SN_TRY(si_build_refer(b, kind, i, SI_ELEMENT_body, name, target));
  if (*target == body) {
    return si_build_fail(b, SN_ECOMPILE, kind, i,
                         "it targets '%s', the body that carries it; "
                         "choose another target",
                         name);
  }
  return SN_OK;
}

static sn_status fill_camera(si_build *b, int64_t i) {
  sn_model *m = b->m;
  const sn_camera_def *camera = SI_DEF(b, camera, i);
  m->cam_mode[i] = camera->mode;
  m->cam_bodyid[i] = b->number[SI_ELEMENT_body].model[camera->body];
  m->cam_fovy[i] = camera->fovy;
  m->cam_ipd[i] = camera->ipd;
  sn_copy3(m->cam_pos + 3 * i, camera->pos);
  const char *wrong = si_orient_quat(&camera->orient, &b->spec->compiler, m->cam_quat + 4 * i);
  if (wrong) {
    return SI_FAIL(b, camera, i, "%s", wrong);
  }
  return find_target(b, SI_ELEMENT_camera, i, camera->target, m->cam_bodyid[i], camera->mode,
                     &m->cam_targetbodyid[i]);
}

static sn_status fill_light(si_build *b, int64_t i) {
  sn_model *m = b->m;
  const sn_light_def *light = SI_DEF(b, light, i);
  m->light_mode[i] = light->mode;
  m->light_bodyid[i] = b->number[SI_ELEMENT_body].model[light->body];
  m->light_directional[i] = light->directional != 0;
  m->light_castshadow[i] = light->castshadow != 0;
  m->light_active[i] = light->active != 0;
  m->light_cutoff[i] = light->cutoff;
  m->light_exponent[i] = light->exponent;
  const struct {
    double *to;
    const double *from;
  } triples[] = {
    { m->light_pos, light->pos },         { m->light_dir, light->dir },
    { m->light_ambient, light->ambient }, { m->light_attenuation, light->attenuation },
    { m->light_diffuse, light->diffuse }, { m->light_specular, light->specular },
  };
  for (size_t k = 0; k < sizeof triples / sizeof triples[0]; k++) {
    sn_copy3(triples[k].to + 3 * i, triples[k].from);
  }
  if (sn_norm3(light->dir) < 1e-14) {
    return SI_FAIL(b, light, i, "its direction is zero");
  }
  sn_unit3(m->light_dir + 3 * i);
  return find_target(b, SI_ELEMENT_light, i, light->target, m->light_bodyid[i], light->mode,
                     &m->light_targetbodyid[i]);
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
  si_build_user(b, SI_ELEMENT_site, offsetof(sn_site_def, user), m->nuser_site, m->site_user);
  si_build_user(b, SI_ELEMENT_camera, offsetof(sn_camera_def, user), m->nuser_cam, m->cam_user);
  return SN_OK;
}
