// SPDX-License-Identifier: Apache-2.0
//
// The paths of tendons in the scene: pieces that follow each other, on the surface of what they go
// round, as long as the tendon but for the arcs that chords stand for.

#include <math.h>

#include "default_engine.h"
#include "sinew/math.h"
#include "sinew/scene.h"
#include "suite.h"

enum { MOST_POINTS = 128 };

typedef struct path {
  int n;   // points
  double length, point[MOST_POINTS][3];
} path;

static void add_piece(void *context, const double *from, const double *to) {
  path *p = context;
  ck_assert_int_lt(p->n + 2, MOST_POINTS);
  if (p->n == 0) {
    sn_copy3(p->point[p->n++], from);
  }
  ck_assert_double_eq_tol(sn_dist3(p->point[p->n - 1], from), 0, 1e-12);
  sn_copy3(p->point[p->n++], to);
  p->length += sn_dist3(from, to);
}

// A path below the obstacle from x = -0.05 to 0.05, at y = from and to, that passes above it: more
// than half a turn.
#define AROUND(geom, from, to)                                                                 \
  "<mujoco><worldbody>" geom "<site name='a' pos='-0.05 " from " -0.5'/><site name='b' "       \
  "pos='0.05 " to " -0.5'/><site name='above' pos='0 0 0.5'/></worldbody><tendon><spatial name='t'>" \
  "<site site='a'/><geom geom='g' sidesite='above'/><site site='b'/></spatial></tendon>"       \
  "<actuator><motor tendon='t'/></actuator></mujoco>"

static const struct {
  const char *text;
  int is_round;   // in y, too: a sphere
} obstacles[] = {
  { AROUND("<geom name='g' size='0.2'/>", "0", "0"), 1 },
  { AROUND("<geom name='g' size='0.2'/>", "-0.02", "0.01"), 1 },
  { AROUND("<geom name='g' type='cylinder' size='0.2 1' euler='90 0 0'/>", "0", "0"), 0 },
  { AROUND("<geom name='g' type='cylinder' size='0.2 1' euler='90 0 0'/>", "-0.3", "0.4"), 0 },
  { AROUND("<geom name='g' type='cylinder' size='0.2 1' euler='-90 0 0'/>", "-0.3", "0.4"), 0 },
};
enum { NOBSTACLES = sizeof obstacles / sizeof obstacles[0] };

START_TEST(arcs) {
  sn_model *m = model_of(obstacles[_i].text);
  sn_data *d = data_of(m);
  path p = { 0 };
  OK(sn_forward(m, d));
  sn_scene_trace_tendon(m, d, 0, add_piece, &p);
  const double length = snd_ten_length(d)[0];
  ck_assert_int_gt(p.n, 20);   // 2 pi 5 / 9 in pieces of 0.2
  ck_assert_double_le(p.length, length + 1e-12);
  ck_assert_double_ge(p.length, length * (1 - 0.2 * 0.2 / 24));
  for (int i = 1; i < p.n - 1; i++) {
    const double *at = p.point[i];
    const double y = obstacles[_i].is_round ? at[1] : 0;
    ck_assert_double_eq_tol(sqrt(at[0] * at[0] + y * y + at[2] * at[2]), 0.2, 1e-9);
  }
  done_with(m, d);
}
END_TEST

// The side site is in the sphere: the path touches it in a point, where nothing turns.
START_TEST(a_point_is_no_arc) {
  sn_model *m = model_of(
      "<mujoco><worldbody><geom name='g' size='0.2'/><site name='a' pos='-0.5 0 -0.5'/><site "
      "name='b' pos='0.5 0 -0.5'/><site name='in' pos='0 0 0.05'/></worldbody><tendon><spatial>"
      "<site site='a'/><geom geom='g' sidesite='in'/><site site='b'/></spatial></tendon></mujoco>");
  sn_data *d = data_of(m);
  path p = { 0 };
  OK(sn_forward(m, d));
  sn_scene_trace_tendon(m, d, 0, add_piece, &p);
  ck_assert_int_eq(p.n, 4);
  ck_assert_double_eq_tol(p.length, snd_ten_length(d)[0], 1e-12);
  done_with(m, d);
}
END_TEST

// The scene has a capsule for each piece: of the tendon, and of the actuator that pulls it.
START_TEST(pieces_are_drawn) {
  sn_model *m = model_of(obstacles[0].text);
  sn_data *d = data_of(m);
  sn_scene *scene = sn_scene_new(m, error);
  sn_scene_options options = sn_scene_default_options();
  const sn_scene_camera camera = sn_scene_default_camera(m);
  path p = { 0 };
  int pieces = 0, pulled = 0;
  OK(sn_forward(m, d));
  sn_scene_trace_tendon(m, d, 0, add_piece, &p);
  options.show[SN_SHOW_ACTUATOR] = 1;
  OK(sn_scene_update(scene, m, d, &options, &camera, NULL, error));
  for (int64_t i = 0; i < scene->ngeom; i++) {
    pieces += scene->geom[i].object == SN_OBJECT_TENDON;
    pulled += scene->geom[i].object == SN_OBJECT_ACTUATOR;
  }
  ck_assert_int_eq(pieces, p.n - 1);
  ck_assert_int_eq(pulled, p.n - 1);
  sn_scene_free(scene);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(arcs, 0, NOBSTACLES);
  TEST(a_point_is_no_arc);
  TEST(pieces_are_drawn);
}
