// SPDX-License-Identifier: Apache-2.0
//
// The paths of tendons as straight pieces. Where a path goes round a sphere or a cylinder, the
// points before and after that are known, wrap_xpos, and the way between them is an arc:
//
//        p ___ q            p, q: from the center, or the axis of the cylinder
//     t  /     \            t: the direction in which the path arrives, tangent at p
//      /   c    \           a: the axis of the turn, along p x t
//
// The arc turns from p about a, so that it may be longer than half a circle. On a cylinder it is a
// part of a helix: the height grows with the angle.

#include <math.h>

#include "parts.h"

static const double piece_angle = 0.2;   // radians: pieces of this angle are within r/200 of an arc
static const double no_angle = 1e-6;     // radians: a path that only touches

// An arc from center + height[0] axis + p, about the axis.
typedef struct arc {
  double center[3], axis[3], p[3], across[3];   // across: axis x p
  double height[2], angle;
} arc;

static void split(const double *axis, const double *v, double *height, double *across) {
  *height = sn_dot3(v, axis);
  sn_addscale3(across, v, -*height, axis);
}

// False: there is no turn.
static int find_arc(const sn_model *m, sn_data *d, int32_t geom, const double *path, arc *out) {
  const double *mat = snd_geom_xmat(d) + 9 * (int64_t)geom;
  double from[3], to[3], toward[3], turn[3], q[3];
  sn_copy3(out->center, snd_geom_xpos(d) + 3 * (int64_t)geom);
  sn_sub3(toward, path, path - 3);
  sn_sub3(from, path, out->center);
  sn_sub3(to, path + 3, out->center);
  sn_cross(turn, from, toward);
  if (snm_geom_type(m)[geom] == SN_GEOM_CYLINDER) {
    const double side = mat[2] * turn[0] + mat[5] * turn[1] + mat[8] * turn[2];
    for (int k = 0; k < 3; k++) {
      out->axis[k] = side < 0 ? -mat[3 * k + 2] : mat[3 * k + 2];
    }
  } else {
    sn_copy3(out->axis, turn);
    sn_normalize3(out->axis);
  }
  split(out->axis, from, &out->height[0], out->p);
  split(out->axis, to, &out->height[1], q);
  sn_cross(out->across, out->axis, out->p);
  const double angle = atan2(sn_dot3(out->across, q), sn_dot3(out->p, q));
  out->angle = angle < 0 ? angle + 2 * SN_PI : angle;
  return out->angle > no_angle && out->angle < 2 * SN_PI - no_angle;
}

static void arc_point(const arc *a, double part, double *point) {
  const double angle = part * a->angle;
  sn_addscale3(point, a->center, a->height[0] + part * (a->height[1] - a->height[0]), a->axis);
  sn_addscale3(point, point, cos(angle), a->p);
  sn_addscale3(point, point, sin(angle), a->across);
}

static void trace_arc(const arc *a, sn_scene_piece *piece, void *context) {
  const int n = 1 + (int)(a->angle / piece_angle);
  double from[3], to[3];
  arc_point(a, 0, from);
  for (int i = 1; i <= n; i++) {
    arc_point(a, (double)i / n, to);
    piece(context, from, to);
    sn_copy3(from, to);
  }
}

void sn_scene_trace_tendon(const sn_model *m, sn_data *d, int32_t tendon, sn_scene_piece *piece,
                           void *context) {
  const int64_t first = snd_ten_wrapadr(d)[tendon], n = snd_ten_wrapnum(d)[tendon];
  const int32_t *obj = snd_wrap_obj(d);
  const double *path = snd_wrap_xpos(d);
  for (int64_t k = first; k + 1 < first + n; k++) {
    arc a;
    if (obj[k] == -2 || obj[k + 1] == -2) {   // a pulley: the next branch begins
      continue;
    }
    if (k > first && obj[k] >= 0 && obj[k] == obj[k + 1] &&
        find_arc(m, d, obj[k], path + 3 * k, &a)) {
      trace_arc(&a, piece, context);
    } else {
      piece(context, path + 3 * k, path + 3 * k + 3);
    }
  }
}
