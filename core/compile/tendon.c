// SPDX-License-Identifier: Apache-2.0
//
// Tendons: their parameters and paths. A path is fixed, a sum of joints with coefficients, or
// spatial:
//
//   site ( site | geom site )*  { pulley site ( site | geom site )* }
//
// so a geom stands between two sites, a branch has at least two points, and pulleys part branches.

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "dynamics/dynamics.h"
#include "sinew/math.h"

// ------------------------------------------------------------------ paths

static int is_site(const sn_tendon_def *t, int64_t k) {
  return k >= 0 && k < t->nwrap && t->wrap[k].type == SN_WRAP_SITE;
}

static int is_pulley(const sn_tendon_def *t, int64_t k) {
  return k < 0 || k >= t->nwrap || t->wrap[k].type == SN_WRAP_PULLEY;
}

static int is_geom(int32_t type) {
  return type == SN_WRAP_SPHERE || type == SN_WRAP_CYLINDER;
}

static sn_status check_spatial(si_build *b, int64_t i, int64_t k) {
  const sn_tendon_def *t = SI_DEF(b, tendon, i);
  int32_t type = t->wrap[k].type;
  long long at = (long long)k + 1;
  if (is_geom(type) && !(is_site(t, k - 1) && is_site(t, k + 1))) {
    return SI_FAIL(b, tendon, i,
                   "element %lld of its path is a geom; a geom must be between two sites", at);
  }
  if (type == SN_WRAP_SITE && is_pulley(t, k - 1) && is_pulley(t, k + 1)) {
    return SI_FAIL(b, tendon, i,
                   "element %lld of its path is the only site of its branch; a branch requires two",
                   at);
  }
  if (type == SN_WRAP_SITE && is_site(t, k + 1) && t->wrap[k].object && t->wrap[k + 1].object &&
      strcmp(t->wrap[k].object, t->wrap[k + 1].object) == 0) {
    return SI_FAIL(b, tendon, i, "site '%s' appears twice in a row in its path", t->wrap[k].object);
  }
  if (type == SN_WRAP_PULLEY) {
    if (!(t->wrap[k].prm > 0)) {
      return SI_FAIL(b, tendon, i,
                     "element %lld of its path is a pulley with divisor %g; it must "
                     "be positive",
                     at, t->wrap[k].prm);
    }
    if (k + 1 == t->nwrap || t->wrap[k + 1].type == SN_WRAP_PULLEY) {
      return SI_FAIL(b, tendon, i, "element %lld of its path is a pulley with nothing after it",
                     at);
    }
  }
  return SN_OK;
}

static sn_status check_path(si_build *b, int64_t i) {
  const sn_tendon_def *t = SI_DEF(b, tendon, i);
  if (t->nwrap == 0) {
    return SI_FAIL(b, tendon, i, "its path is empty");
  }
  int fixed = t->wrap[0].type == SN_WRAP_JOINT;
  if (!fixed && !(t->width > 0)) {
    return SI_FAIL(b, tendon, i, "its width is %g; it must be positive", t->width);
  }
  if (!fixed && t->nwrap < 2) {
    return SI_FAIL(b, tendon, i, "a spatial path requires at least two points");
  }
  for (int64_t k = 0; k < t->nwrap; k++) {
    int32_t type = t->wrap[k].type;
    if (type <= SN_WRAP_NONE || type >= SN_NWRAPTYPES || (type == SN_WRAP_JOINT) != fixed) {
      return SI_FAIL(b, tendon, i,
                     "element %lld of its path: a path contains either joints, or sites, geoms and "
                     "pulleys",
                     (long long)k + 1);
    }
    if (!fixed) {
      SN_TRY(check_spatial(b, i, k));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ measuring

int32_t si_build_mark_chain(const si_build *b, int32_t body, int32_t *stamp, int32_t mark) {
  int32_t n = 0;
  for (int32_t k = b->body_last[body]; k >= 0 && stamp[k] != mark; k = b->dof_parent[k]) {
    stamp[k] = mark;
    n++;
  }
  return n;
}

int32_t si_build_joint_dofs(const si_build *b, int32_t joint) {
  return sn_joint_dofs(SI_DEF(b, joint, joint)->type);
}

static sn_status body_of_wrap(si_build *b, int64_t i, const sn_wrap_def *w, int32_t *body) {
  int32_t id;
  if (is_geom(w->type)) {
    SN_TRY(SI_REFER(b, tendon, i, geom, w->object, &id));
    *body = b->number[SI_ELEMENT_body].model[SI_DEF(b, geom, id)->body];
  } else {
    SN_TRY(SI_REFER(b, tendon, i, site, w->object, &id));
    *body = b->number[SI_ELEMENT_body].model[SI_DEF(b, site, id)->body];
  }
  return SN_OK;
}

// Room for one row of ten_J: all dofs that move a point of the path.
sn_status si_build_tendon_capacity(si_build *b, int64_t i, int32_t *stamp, int32_t mark,
                                   int64_t *capacity) {
  const sn_tendon_def *t = SI_DEF(b, tendon, i);
  *capacity = 0;
  for (int64_t k = 0; k < t->nwrap; k++) {
    const sn_wrap_def *w = &t->wrap[k];
    int32_t id;
    if (w->type == SN_WRAP_JOINT) {
      SN_TRY(SI_REFER(b, tendon, i, joint, w->object, &id));
      *capacity += si_build_joint_dofs(b, id);
    } else if (w->type != SN_WRAP_PULLEY) {
      SN_TRY(body_of_wrap(b, i, w, &id));
      *capacity += si_build_mark_chain(b, id, stamp, mark);
    }
  }
  return SN_OK;
}

sn_status si_compile_tendon_measure(si_build *b) {
  sn_model *s = &b->size;
  s->ntendon = b->number[SI_ELEMENT_tendon].n;
  int32_t *stamp = calloc((size_t)s->nv + 1, sizeof *stamp);
  if (!stamp) {
    return si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  }
  sn_status status = SN_OK;
  for (int32_t i = 0; i < s->ntendon && status >= 0; i++) {
    int64_t capacity = 0;
    status = check_path(b, i);
    if (status >= 0) {
      status = si_build_tendon_capacity(b, i, stamp, i + 1, &capacity);
    }
    s->nwrap += SI_DEF(b, tendon, i)->nwrap;
    s->ntenJ += capacity;
  }
  free(stamp);
  return status;
}

// ------------------------------------------------------------------ filling

static sn_status fill_geom_wrap(si_build *b, int64_t i, const sn_wrap_def *w, int64_t at) {
  sn_model *m = b->m;
  SN_TRY(SI_REFER(b, tendon, i, geom, w->object, &m->wrap_objid[at]));
  int32_t type = SI_DEF(b, geom, m->wrap_objid[at])->type;
  if (type != SN_GEOM_SPHERE && type != SN_GEOM_CYLINDER) {
    return SI_FAIL(b, tendon, i,
                   "it wraps around geom '%s', which is neither a sphere nor a "
                   "cylinder",
                   w->object);
  }
  m->wrap_type[at] = type == SN_GEOM_SPHERE ? SN_WRAP_SPHERE : SN_WRAP_CYLINDER;
  int32_t side = -1;
  if (w->sidesite && w->sidesite[0]) {
    SN_TRY(SI_REFER(b, tendon, i, site, w->sidesite, &side));
  }
  m->wrap_prm[at] = side;
  return SN_OK;
}

static sn_status fill_path(si_build *b, int64_t i, int64_t at) {
  sn_model *m = b->m;
  const sn_tendon_def *t = SI_DEF(b, tendon, i);
  for (int64_t k = 0; k < t->nwrap; k++, at++) {
    const sn_wrap_def *w = &t->wrap[k];
    m->wrap_type[at] = w->type;
    m->wrap_objid[at] = -1;
    if (is_geom(w->type)) {
      SN_TRY(fill_geom_wrap(b, i, w, at));
    } else if (w->type == SN_WRAP_SITE) {
      SN_TRY(SI_REFER(b, tendon, i, site, w->object, &m->wrap_objid[at]));
    } else {
      m->wrap_prm[at] = w->prm;
      if (w->type == SN_WRAP_JOINT) {
        SN_TRY(SI_REFER(b, tendon, i, joint, w->object, &m->wrap_objid[at]));
      }
    }
  }
  return SN_OK;
}

// Lengths that are not given stay NaN until the configuration of the springs is evaluated. That is
// what one negative length means in the formats, and -1 twice; else two lengths are as given, those
// of fixed tendons negative too.
static sn_status fill_spring(si_build *b, int64_t i) {
  const double *length = SI_DEF(b, tendon, i)->springlength;
  const int two = !isnan(length[1]);
  const int given = two ? length[0] != -1 || length[1] != -1 : length[0] >= 0;
  b->m->tendon_lengthspring[i] = given ? length[0] : SN_UNSET;
  b->m->tendon_lengthspring1[i] = given ? length[1] : SN_UNSET;
  return two && length[1] < length[0]
             ? SI_FAIL(b, tendon, i,
                       "springlength %g %g: the first number must not be larger than the second",
                       length[0], length[1])
             : SN_OK;
}

sn_status si_compile_tendon_fill(si_build *b) {
  sn_model *m = b->m;
  int32_t address = 0;
  for (int64_t i = 0; i < m->ntendon; i++) {
    const sn_tendon_def *t = SI_DEF(b, tendon, i);
    m->tendon_adr[i] = address;
    m->tendon_num[i] = (int32_t)t->nwrap;
    SN_TRY(fill_path(b, i, address));
    address += (int32_t)t->nwrap;
    SN_TRY(fill_spring(b, i));
  }
  return SN_OK;
}

// ------------------------------------------------------------------ springs

static sn_status evaluate_lengths(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)w;
  (void)context;
  si_dyn_kinematics(m, d);
  si_dyn_com(m, d);
  si_dyn_tendon(m, d);
  return SN_OK;
}

// A spring whose length is not given is at rest where the joints' springs are: at qpos_spring.
sn_status si_compile_tendon_springs(si_build *b) {
  sn_model *m = b->m;
  if (m->ntendon == 0) {
    return SN_OK;
  }
  sn_data *d = sn_data_new(m, b->error);
  if (!d) {
    return SN_ENOMEM;
  }
  memcpy(d->qpos, m->qpos_spring, (size_t)m->nq * sizeof(double));
  sn_status status = si_compile_evaluate(evaluate_lengths, m, d, NULL, b->error);
  for (int64_t i = 0; i < m->ntendon && status >= 0; i++) {
    double *low = &m->tendon_lengthspring[i], *high = &m->tendon_lengthspring1[i];
    *low = isnan(*low) ? d->ten_length[i] : *low;
    *high = isnan(*high) ? *low : *high;
  }
  sn_data_free(d);
  return status;
}
