// SPDX-License-Identifier: Apache-2.0
//
// Global coordinates: a spec whose positions and orientations are all in the frame of the world,
// as one with local coordinates. A body whose position is not given has the frame of its inertia,
// which may follow from its geoms. So the inertia is found first, in a spec with all bodies at the
// origin, where global and local are the same. Reference: modeling guide of MJCF, "Coordinate
// frames".

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "sinew/math.h"

typedef struct frames {
  sn_spec *spec;        // becomes local
  double *pos, *quat;   // of bodies by their ids in the spec, global
} frames;

// ------------------------------------------------------------------ frames of bodies

// A copy with all bodies at the origin.
static sn_spec *at_origin(const si_build *b) {
  sn_spec *spec = sn_spec_copy(b->spec, b->error);
  for (int64_t i = 1; spec && i < spec->list[SI_ELEMENT_body].n; i++) {
    sn_body_def *def = spec->list[SI_ELEMENT_body].at[i].def;
    sn_zero3(def->pos);
    sn_default_orient(&def->orient);
  }
  if (spec) {
    spec->compiler.global = 0;
  }
  return spec;
}

// Where a body has its frame. m: the model with all bodies at the origin.
static sn_status find_frame(si_build *b, const frames *f, const sn_model *m, int64_t id,
                            int64_t model_id) {
  const si_element *element = &b->spec->list[SI_ELEMENT_body].at[id];
  sn_body_def *def = element->def;
  double *pos = f->pos + 3 * id, *quat = f->quat + 4 * id;
  char what[256];
  si_element_title(b->spec, SI_ELEMENT_body, id, what, sizeof what);
  if (!isnan(def->pos[0])) {
    sn_copy3(pos, def->pos);
    const char *wrong = si_orient_quat(&def->orient, &b->spec->compiler, quat);
    return wrong ? si_fail_at(b->error, SN_ECOMPILE, &element->location, "%s: %s", what, wrong)
                 : SN_OK;
  }
  int has_geom = m->body_geomnum[model_id] > 0;
  if (!def->inertial && !has_geom) {
    return si_fail_at(b->error, SN_ECOMPILE, &element->location,
                      "%s: its position is not specified, and it has neither geoms nor an inertial "
                      "frame to infer it from",
                      what);
  }
  sn_copy3(pos, m->body_ipos + 3 * model_id);
  sn_copy4(quat, m->body_iquat + 4 * model_id);
  return SN_OK;
}

// ------------------------------------------------------------------ from global to local

// A frame in the frame of a body, written as position and quaternion.
static const char *localize(const frames *f, int32_t body, double *pos, sn_orient *orient) {
  double inverse_pos[3], inverse_quat[4], out[3], quat[4], global[4];
  sn_inverse_pose(inverse_pos, inverse_quat, f->pos + 3 * body, f->quat + 4 * body);
  sn_identity_quat(global);
  const char *wrong = orient ? si_orient_quat(orient, &f->spec->compiler, global) : NULL;
  sn_mul_pose(out, quat, inverse_pos, inverse_quat, pos, global);
  sn_copy3(pos, out);
  if (orient) {
    sn_default_orient(orient);
    sn_copy4(orient->quat, quat);
  }
  return wrong;
}

static void localize_direction(const frames *f, int32_t body, double *direction) {
  double out[3];
  sn_rotate_inverse(out, direction, f->quat + 4 * body);
  sn_copy3(direction, out);
}

// A frame, or the segment that replaces it: the turn about the segment, which boxes show, is that
// of the global direction.
static const char *localize_shape(const frames *f, int32_t body, int32_t type, double *fromto,
                                  double *pos, sn_orient *orient, double *size) {
  if (si_fromto_given(fromto)) {
    if (pos[0] != 0 || pos[1] != 0 || pos[2] != 0) {
      return NULL;   // the compiler reports that pos and fromto exclude each other
    }
    sn_default_orient(orient);
    const char *wrong = si_orient_fromto(fromto, type, pos, orient->quat, size);
    if (wrong) {
      return wrong;
    }
    sn_unset_reals(fromto, 6);
  }
  return localize(f, body, pos, orient);
}

static const char *localize_owned(const frames *f, int32_t kind, void *any) {
  const char *wrong = NULL;
  if (kind == SI_ELEMENT_joint) {
    sn_joint_def *def = any;
    localize(f, def->body, def->pos, NULL);
    if (def->type == SN_JOINT_FREE || def->type == SN_JOINT_BALL) {
      sn_zero3(def->axis);
      def->axis[2] = 1;
    }
    localize_direction(f, def->body, def->axis);
  } else if (kind == SI_ELEMENT_geom) {
    sn_geom_def *def = any;
    wrong = localize_shape(f, def->body, def->type, def->fromto, def->pos, &def->orient, def->size);
  } else if (kind == SI_ELEMENT_site) {
    sn_site_def *def = any;
    wrong = localize_shape(f, def->body, def->type, def->fromto, def->pos, &def->orient, def->size);
  } else if (kind == SI_ELEMENT_camera) {
    sn_camera_def *def = any;
    wrong = localize(f, def->body, def->pos, &def->orient);
  } else if (kind == SI_ELEMENT_light) {
    sn_light_def *def = any;
    localize(f, def->body, def->pos, NULL);
    localize_direction(f, def->body, def->dir);
  } else if (kind == SI_ELEMENT_equality) {
    // the anchor of connect is a point of body 1, that of weld one of body 2
    sn_equality_def *def = any;
    const char *name = def->type == SN_EQUALITY_WELD ? def->obj2 : def->obj1;
    int32_t body = name && *name ? sn_spec_find(f->spec, "body", name) : 0;
    int anchored = def->type == SN_EQUALITY_WELD || def->type == SN_EQUALITY_CONNECT;
    if (anchored && !def->sites && body >= 0) {
      localize(f, body, def->anchor, NULL);
    }
  }
  return wrong;
}

// A body in its parent, and its explicit inertia in the body.
static void localize_body(const frames *f, const sn_model *m, int64_t id, int64_t model_id) {
  sn_body_def *def = f->spec->list[SI_ELEMENT_body].at[id].def;
  sn_copy3(def->pos, f->pos + 3 * id);
  sn_default_orient(&def->orient);
  sn_copy4(def->orient.quat, f->quat + 4 * id);
  localize(f, def->parent, def->pos, &def->orient);
  if (def->inertial) {
    sn_copy3(def->ipos, m->body_ipos + 3 * model_id);
    sn_default_orient(&def->iorient);
    sn_copy4(def->iorient.quat, m->body_iquat + 4 * model_id);
    localize(f, (int32_t)id, def->ipos, &def->iorient);
    if (!isnan(def->fullinertia[0])) {
      SN_SET_UNSET(def->fullinertia);
      sn_copy3(def->diaginertia, m->body_inertia + 3 * model_id);
    }
  }
}

static sn_status localize_all(si_build *b, const frames *f, const si_build *origin) {
  const si_numbering *number = &origin->number[SI_ELEMENT_body];
  for (int64_t i = 1; i < number->n; i++) {
    SN_TRY(find_frame(b, f, origin->m, i, number->model[i]));
  }
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    for (int64_t i = 0; i < f->spec->list[kind].n; i++) {
      const si_element *element = &f->spec->list[kind].at[i];
      const char *wrong = localize_owned(f, kind, element->def);
      if (wrong) {
        char what[256];
        return si_fail_at(b->error, SN_ECOMPILE, &element->location, "%s: %s",
                          si_element_title(f->spec, kind, i, what, sizeof what), wrong);
      }
    }
  }
  for (int64_t i = 1; i < number->n; i++) {
    localize_body(f, origin->m, i, number->model[i]);
  }
  f->spec->compiler.global = 0;
  return SN_OK;
}

static int sort_names(sn_spec *spec) {
  int good = 1;
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    good &= si_spec_sort(spec, kind) >= 0;
  }
  return good;
}

sn_status si_compile_localize(si_build *b, sn_spec **local) {
  *local = NULL;
  if (!b->spec->compiler.global) {
    return SN_OK;
  }
  int64_t n = b->spec->list[SI_ELEMENT_body].n;
  frames f = { .spec = sn_spec_copy(b->spec, b->error),
               .pos = calloc((size_t)n, 3 * sizeof(double)),
               .quat = calloc((size_t)n, 4 * sizeof(double)) };
  si_build origin = {
    .given = b->given, .spec = at_origin(b), .engine = b->engine, .error = b->error
  };
  sn_status status = SN_OK;
  if (!f.spec || !f.pos || !f.quat || !origin.spec || !sort_names(f.spec) ||
      !sort_names(origin.spec)) {
    status = si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  } else {
    sn_identity_quat(f.quat);
    status = si_build_to_inertia(&origin);
    status = status < 0 ? status : localize_all(b, &f, &origin);
  }
  sn_spec_free(origin.spec);
  origin.spec = NULL;
  si_build_clear(&origin);
  free(f.pos);
  free(f.quat);
  if (status < 0) {
    sn_spec_free(f.spec);
    return status;
  }
  *local = f.spec;
  return SN_OK;
}
