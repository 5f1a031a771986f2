// SPDX-License-Identifier: Apache-2.0
//
// The place of a part: what is in its world is moved into a frame, and its bodies get ids between
// those of other bodies.
//
//   x_out = p + R(q) x,   q_out = q q_x

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/math.h"
#include "spec/edit.h"

// ------------------------------------------------------------------ poses

typedef struct frame {
  const sn_compiler *compiler;
  const double *pos, *quat;
} frame;

static void move_point(const frame *f, double *point) {
  double out[3];
  sn_rotate(out, point, f->quat);
  sn_add3(point, f->pos, out);
}

static const char *move_pose(const frame *f, double *pos, sn_orient *orient) {
  double quat[4];
  const char *wrong = si_orient_quat(orient, f->compiler, quat);
  if (!wrong) {
    move_point(f, pos);
    sn_default_orient(orient);
    sn_mul_quat(orient->quat, f->quat, quat);
  }
  return wrong;
}

static const char *move_shape(const frame *f, double *pos, sn_orient *orient, double *fromto) {
  if (!si_fromto_given(fromto)) {
    return move_pose(f, pos, orient);
  }
  move_point(f, fromto);
  move_point(f, fromto + 3);
  return NULL;
}

static const char *move_light(const frame *f, si_any_def *def) {
  sn_light_def *light = &def->light;
  double dir[3];
  move_point(f, light->pos);
  sn_rotate(dir, light->dir, f->quat);
  sn_copy3(light->dir, dir);
  return NULL;
}

static const char *move_body(const frame *f, si_any_def *def) {
  return move_pose(f, def->body.pos, &def->body.orient);
}

static const char *move_geom(const frame *f, si_any_def *def) {
  return move_shape(f, def->geom.pos, &def->geom.orient, def->geom.fromto);
}

static const char *move_site(const frame *f, si_any_def *def) {
  return move_shape(f, def->site.pos, &def->site.orient, def->site.fromto);
}

static const char *move_camera(const frame *f, si_any_def *def) {
  return move_pose(f, def->camera.pos, &def->camera.orient);
}

// Of the kinds of elements that have a pose.
static const char *(*const moves[SI_NELEMENTS])(const frame *f, si_any_def *def) = {
  [SI_ELEMENT_body] = move_body,     [SI_ELEMENT_geom] = move_geom,   [SI_ELEMENT_site] = move_site,
  [SI_ELEMENT_camera] = move_camera, [SI_ELEMENT_light] = move_light,
};

sn_status si_spec_move_world(sn_spec *spec, const double *pos, const double *quat,
                             sn_error *error) {
  const frame f = { &spec->compiler, pos, quat };
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    for (int64_t i = kind == SI_ELEMENT_body; i < spec->list[kind].n; i++) {
      const si_element *element = &spec->list[kind].at[i];
      if (si_edit_owner(kind, element->def) != 0) {
        continue;
      }
      const char *wrong = moves[kind] ? moves[kind](&f, element->def) : NULL;
      if (wrong) {
        char what[256];
        return si_fail_at(error, SN_EINVAL, &element->location, "%s: %s",
                          si_element_title(spec, kind, i, what, sizeof what), wrong);
      }
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ ids

sn_status si_spec_move_bodies(sn_spec *spec, int64_t first, int64_t to, int32_t *old,
                              sn_error *error) {
  si_elements *list = &spec->list[SI_ELEMENT_body];
  const int64_t n = list->n - first;
  si_element *moved = calloc((size_t)n + 1, sizeof *moved);
  int32_t *now = calloc((size_t)list->n, sizeof *now);
  if (!moved || !now) {
    free(moved);
    free(now);
    return si_edit_no_memory(error);
  }
  memcpy(moved, list->at + first, (size_t)n * sizeof *moved);
  memmove(list->at + to + n, list->at + to, (size_t)(first - to) * sizeof *moved);
  memcpy(list->at + to, moved, (size_t)n * sizeof *moved);
  for (int64_t i = 0; i < list->n; i++) {
    now[i] = (int32_t)(i < to ? i : i < first ? i + n : i - first + to);
    old[now[i]] = (int32_t)i;
  }
  si_edit_renumber_owners(spec, now);
  list->sorted = 0;
  free(moved);
  free(now);
  return SN_OK;
}
