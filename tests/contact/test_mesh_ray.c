// SPDX-License-Identifier: Apache-2.0
//
// Rays that walk the tree of a mesh's faces hit what rays hit that test every face, bit for bit:
// from outside and inside, along axes, through vertices and edges.

#include "contact/collision.h"
#include "model_file.h"
#include "random_state.h"
#include "suite.h"

enum { RINGS = 16, SECTORS = 24, RAYS = 4000 };

// A ball with bumps, which is not convex, as the text of a model.
static char *bumpy_ball(void) {
  enum { SIZE = 1 << 18 };
  char *text = malloc(SIZE);
  int n = snprintf(text, SIZE, "<mujoco><asset><mesh name='m' vertex='");
  for (int i = 0; i <= RINGS; i++) {
    for (int k = 0; k < SECTORS; k++) {
      const double up = SN_PI * i / RINGS, round = 2 * SN_PI * k / SECTORS;
      const double r = 1 + 0.3 * sin(5 * round) * sin(4 * up);
      n += snprintf(text + n, (size_t)(SIZE - n), "%.6f %.6f %.6f ", r * sin(up) * cos(round),
                    r * sin(up) * sin(round), r * cos(up));
    }
  }
  n += snprintf(text + n, (size_t)(SIZE - n), "' face='");
  for (int i = 0; i < RINGS; i++) {
    for (int k = 0; k < SECTORS; k++) {
      const int a = i * SECTORS + k, b = i * SECTORS + (k + 1) % SECTORS;
      n += i > 0 ? snprintf(text + n, (size_t)(SIZE - n), "%d %d %d ", a, a + SECTORS, b) : 0;
      n += i < RINGS - 1
               ? snprintf(text + n, (size_t)(SIZE - n), "%d %d %d ", b, a + SECTORS, b + SECTORS)
               : 0;
    }
  }
  snprintf(text + n, (size_t)(SIZE - n),
           "'/></asset><worldbody><geom type='mesh' mesh='m' euler='10 20 30'/></worldbody>"
           "</mujoco>");
  return text;
}

static double cast(const sn_model *m, const sn_shape *shape, const double *o, const double *v) {
  const si_provider *p = m->bound.ray[SN_GEOM_MESH];
  double distance = NAN;
  ck_assert_int_eq(((const sn_collider_ops *)p->ops)->ray(p->self, shape, o, v, &distance), SN_OK);
  return distance;
}

// A ray of its own kind for each number: random, parallel to an axis, or through a vertex.
static void make_ray(const sn_shape *shape, int i, uint32_t *seed, double *o, double *v) {
  double local[3];
  for (int k = 0; k < 3; k++) {
    o[k] = 2.5 * uniform(seed);
    local[k] = i % 3 == 1 ? (k == i % 7 % 3) * (i % 2 ? 1. : -1.) : uniform(seed);
  }
  sn_mul_mat_vec3(v, shape->mat, local);
  if (i % 3 == 2) {
    const double *vertex = shape->mesh->vert + 3 * (i % shape->mesh->nvert);
    sn_mul_mat_vec3(v, shape->mat, vertex);
    sn_add3(v, v, shape->pos);
    sn_sub3(v, v, o);
  }
}

START_TEST(tree_and_every_face_agree) {
  open_engine();
  char *text = bumpy_ball();
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  sn_forward_position(m, d);
  const sn_shape with_tree = si_geom_shape(m, d, 0);
  sn_mesh_view faces = *with_tree.mesh;
  ck_assert_int_gt(faces.nnode, faces.nface / 4);
  faces.nnode = 0;
  sn_shape without = with_tree;
  without.mesh = &faces;

  uint32_t seed = 7;
  int hits = 0;
  for (int i = 0; i < RAYS; i++) {
    double o[3], v[3];
    make_ray(&with_tree, i, &seed, o, v);
    const double got = cast(m, &with_tree, o, v), truth = cast(m, &without, o, v);
    ck_assert_msg(got == truth, "ray %d: %.17g instead of %.17g", i, got, truth);
    hits += truth >= 0;
  }
  ck_assert_int_gt(hits, RAYS / 3);
  ck_assert_int_lt(hits, RAYS);
  done_with(m, d);
  free(text);
  close_engine();
}
END_TEST

// The boxes of children lie within that of their parent, leaves hold each face once.
START_TEST(tree_holds_each_face_once) {
  open_engine();
  char *text = bumpy_ball();
  sn_model *m = model_of(text);
  const sn_mesh_view *mesh = &m->bound.mesh_view[0];
  uint8_t *seen = calloc((size_t)mesh->nface, 1);
  for (int64_t i = 0; i < mesh->nnode; i++) {
    const sn_tree_node *node = &mesh->node[i];
    for (int32_t k = 0; k < node->count; k++) {
      seen[mesh->node_face[node->first + k]]++;
    }
    for (int32_t child = 0; node->count == 0 && child < 2; child++) {
      const sn_tree_node *below = &mesh->node[node->first + child];
      for (int k = 0; k < 3; k++) {
        ck_assert(below->lo[k] >= node->lo[k] && below->hi[k] <= node->hi[k]);
      }
    }
  }
  for (int64_t i = 0; i < mesh->nface; i++) {
    ck_assert_int_eq(seen[i], 1);
  }
  free(seen);
  sn_model_free(m);
  free(text);
  close_engine();
}
END_TEST

TESTS() {
  TEST(tree_and_every_face_agree);
  TEST(tree_holds_each_face_once);
}
