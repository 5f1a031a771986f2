// SPDX-License-Identifier: Apache-2.0
//
// Shapes of plugins: superquadrics, the sample, with the exponents of an ellipsoid collide, weigh
// and meet rays as the ellipsoid of the same radii; what a model says of shapes is checked, saved
// and kept in its binary file.

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contact/contact.h"
#include "random_state.h"
#include "ray_distance.h"
#include "sinew/math.h"
#include "sinew/scene.h"
#include "suite.h"

static void open_with_shapes(void) {
  open_engine();
  ck_assert_msg(sn_engine_load_plugin(engine, "superquadric",
                                      SN_TEST_BUILD "/samples/superquadric.so", error) >= 0,
                "%s", sn_error_text(error));
}

// The same body twice, with the geom as an ellipsoid and as a superquadric.
#define BODY(name, pos, geom) "<body name='" name "' pos='" pos "'><freejoint/>" geom "</body>"
#define ELLIPSOID(radii) "<geom type='ellipsoid' size='" radii "'/>"
#define QUADRIC(radii) \
  "<geom type='user' shape='superquadric'><config key='radii' value='" radii "'/></geom>"
#define EXPONENTS(radii, exponents)                                                      \
  "<geom type='user' shape='superquadric'><config key='radii' value='" radii "'/><config " \
  "key='exponents' value='" exponents "'/></geom>"
#define WORLD(...) \
  "<mujoco><option gravity='0 0 0'/><worldbody>" __VA_ARGS__ "</worldbody></mujoco>"

START_TEST(ellipsoid_has_the_same_mass) {
  sn_model *a = model_of(WORLD(BODY("a", "0 0 0", ELLIPSOID("0.1 0.2 0.3"))));
  sn_model *b = model_of(WORLD(BODY("a", "0 0 0", QUADRIC("0.1 0.2 0.3"))));
  CLOSE(b->body_mass[1] / a->body_mass[1], 1, 1e-12);
  for (int k = 0; k < 3; k++) {
    CLOSE(b->body_inertia[3 + k] / a->body_inertia[3 + k], 1, 1e-12);
    CLOSE(b->geom_size[k], a->geom_size[k], 0);
  }
  ck_assert(b->geom_rbound[0] >= 0.3);
  sn_model_free(a);
  sn_model_free(b);
}
END_TEST

// Of a box with half sizes h, m (h_y^2 + h_z^2) / 3, as the exponents go to zero.
START_TEST(small_exponents_approach_a_box) {
  sn_model *m = model_of(WORLD(BODY("a", "0 0 0", EXPONENTS("0.1 0.2 0.3", "0.05 0.05"))));
  const double box = 8 * 0.1 * 0.2 * 0.3 * 1000;
  ck_assert(m->body_mass[1] < box && m->body_mass[1] > 0.98 * box);
  ck_assert(fabs(m->body_inertia[3] / (m->body_mass[1] * 0.13 / 3) - 1) < 0.03);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ images

// The volume below triangles, by the divergence theorem: a sixth of the sum of p (q x r).
static double volume_of(const double *vertex, int64_t nface) {
  double sum = 0, normal[3];
  for (int64_t i = 0; i < nface; i++) {
    sn_cross(normal, vertex + 9 * i + 3, vertex + 9 * i + 6);
    sum += sn_dot3(normal, vertex + 9 * i);
  }
  return sum / 6;
}

// Of an ellipsoid: vertices on it, normals along its gradient, almost its volume. Of what is almost
// a box: its volume.
START_TEST(surfaces_are_closed) {
  static double vertex[9 * SN_SCENE_SHAPE_FACES], normal[9 * SN_SCENE_SHAPE_FACES];
  static const double r[3] = { 0.1, 0.2, 0.3 };
  sn_model *m = model_of(WORLD(BODY("a", "0 0 0", QUADRIC("0.1 0.2 0.3"))
                                   BODY("b", "1 0 0", EXPONENTS("0.1 0.2 0.3", "0.1 0.1"))));
  int64_t n;
  OK(sn_scene_trace_shape(m, 0, vertex, normal, &n, error));
  for (int64_t i = 0; i < 3 * n; i++) {
    double gradient[3], sum = 0;
    for (int k = 0; k < 3; k++) {
      const double x = vertex[3 * i + k] / r[k];
      gradient[k] = x / r[k];
      sum += x * x;
    }
    CLOSE(sum, 1, 1e-9);
    sn_normalize3(gradient);
    ck_assert_double_ge(sn_dot3(gradient, normal + 3 * i), 0.95);
  }
  CLOSE(volume_of(vertex, n) / (4 * SN_PI / 3 * r[0] * r[1] * r[2]), 1, 0.01);
  OK(sn_scene_trace_shape(m, 1, vertex, normal, &n, error));
  CLOSE(volume_of(vertex, n) / (m->body_mass[2] / 1000), 1, 0.03);
  sn_model_free(m);
}
END_TEST

// A scene has a mesh for each of them.
START_TEST(they_are_drawn) {
  sn_model *m = model_of(WORLD("<geom size='1'/>" BODY("a", "0 0 0", QUADRIC("0.1 0.2 0.3"))
                                   BODY("b", "1 0 0", QUADRIC("0.3 0.2 0.1"))));
  sn_data *d = data_of(m);
  sn_scene *scene = sn_scene_new(m, error);
  const sn_scene_options options = sn_scene_default_options();
  const sn_scene_camera camera = sn_scene_default_camera(m);
  OK(sn_forward(m, d));
  OK(sn_scene_update(scene, m, d, &options, &camera, NULL, error));
  ck_assert_int_eq(scene->ngeom, 3);
  for (int i = 0; i < 2; i++) {
    const sn_scene_geom *g = &scene->geom[i + 1];
    float most = 0;
    ck_assert_int_eq(g->type, SN_DRAW_MESH);
    ck_assert_int_eq(g->mesh, i);
    for (int64_t v = 0; v < scene->mesh[i].nvertex; v++) {
      most = fmaxf(most, scene->mesh[i].vertex[3 * v]);
    }
    CLOSE((double)most, i == 0 ? 0.1 : 0.3, 1e-6);
  }
  sn_scene_free(scene);
  done_with(m, d);
}
END_TEST

START_TEST(only_shapes_of_plugins_have_support) {
  const double up[3] = { 0, 0, 1 };
  double point[3] = { 0 };
  sn_model *m = model_of(WORLD("<geom size='1'/>" BODY("a", "0 0 0", QUADRIC("0.1 0.2 0.3"))));
  OK(sn_geom_support(m, 1, 1, up, point, error));
  CLOSE(point[2], 0.3, 1e-12);
  ck_assert_int_eq(sn_geom_support(m, 0, 1, up, point, error), SN_EUNSUPPORTED);
  ck_assert_str_eq(
      sn_error_message(error),
      "geom 0: it does not have a shape of a plugin (type user); its type and size define its shape");
  ck_assert_int_eq(sn_geom_support(m, 2, 1, up, point, error), SN_EINVAL);
  ck_assert_str_eq(sn_error_message(error), "geom 2: there are 2 geoms, numbered from 0");
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ contacts and rays

// The deepest contact of two models that differ in the shape alone, in the same pose.
static void compare_contacts(const sn_model *a, sn_data *x, const sn_model *b, sn_data *y,
                             double tolerance, int64_t *compared) {
  memcpy(y->qpos, x->qpos, (size_t)a->nq * sizeof(double));
  sn_forward(a, x);
  sn_forward(b, y);
  ck_assert_int_eq(x->ncon > 0, y->ncon > 0);
  if (x->ncon > 0) {
    int64_t i = 0, j = 0;
    for (int64_t k = 1; k < x->ncon; k++) {
      i = x->contact_dist[k] < x->contact_dist[i] ? k : i;
    }
    for (int64_t k = 1; k < y->ncon; k++) {
      j = y->contact_dist[k] < y->contact_dist[j] ? k : j;
    }
    CLOSE(y->contact_dist[j], x->contact_dist[i], tolerance);
    CLOSE(fabs(sn_dot3(x->contact_frame + 9 * i, y->contact_frame + 9 * j)), 1, sqrt(tolerance));
    for (int k = 0; k < 3; k++) {
      CLOSE(y->contact_pos[3 * j + k], x->contact_pos[3 * i + k], sqrt(tolerance));
    }
    ++*compared;
  }
}

static const struct {
  const char *collider, *ellipsoid, *quadric;
  double reach, tolerance;
} pairs[] = {
#define PAIR(collider, other, reach, tolerance)                       \
  {                                                                   \
    collider, WORLD(other BODY("e", "0 0 0", ELLIPSOID("0.1 0.2 0.3"))), \
        WORLD(other BODY("e", "0 0 0", QUADRIC("0.1 0.2 0.3"))), reach, tolerance \
  }
  PAIR("gjk", "<geom type='plane' size='1 1 1'/>", 0.25, 1e-12),
  PAIR("gjk", BODY("o", "0 0 0", "<geom size='0.15'/>"), 0.3, 1e-6),
  PAIR("gjk", BODY("o", "0 0 0", "<geom type='box' size='0.1 0.1 0.2'/>"), 0.3, 1e-6),
  PAIR("gjk", BODY("o", "0 0 0", ELLIPSOID("0.2 0.1 0.1")), 0.3, 1e-6),
};
enum { NPAIRS = sizeof pairs / sizeof pairs[0] };

START_TEST(ellipsoid_has_the_same_contacts) {
  enum { POSES = 200 };
  ck_assert_int_ge(sn_select(engine, "convex", pairs[_i].collider, error), 0);
  sn_model *a = model_of(pairs[_i].ellipsoid), *b = model_of(pairs[_i].quadric);
  sn_data *x = data_of(a), *y = data_of(b);
  uint32_t seed = 7;
  int64_t compared = 0;
  for (int pose = 0; pose < POSES; pose++) {
    double *q = x->qpos + a->nq - 7;
    for (int k = 0; k < 7; k++) {
      q[k] = k < 3 ? pairs[_i].reach * uniform(&seed) : uniform(&seed);
    }
    sn_normalize4(q + 3);
    compare_contacts(a, x, b, y, pairs[_i].tolerance, &compared);
  }
  ck_assert_int_gt(compared, POSES / 10);
  done_with(a, x);
  done_with(b, y);
}
END_TEST

START_TEST(ellipsoid_meets_the_same_rays) {
  enum { RAYS = 500 };
  sn_model *a = model_of(WORLD(BODY("a", "0 0 0", ELLIPSOID("0.1 0.2 0.3"))));
  sn_model *b = model_of(WORLD(BODY("a", "0 0 0", QUADRIC("0.1 0.2 0.3"))));
  sn_data *x = data_of(a), *y = data_of(b);
  uint32_t seed = 3;
  int hits = 0;
  sn_forward_position(a, x);
  sn_forward_position(b, y);
  for (int i = 0; i < RAYS; i++) {
    double origin[3], direction[3];
    for (int k = 0; k < 3; k++) {
      origin[k] = 0.5 * uniform(&seed);
      direction[k] = uniform(&seed);
    }
    int32_t hit;
    const double distance = ray_distance(a, x, origin, direction, 0, 1, -1, NULL);
    CLOSE(ray_distance(b, y, origin, direction, 0, 1, -1, &hit), distance, 1e-9);
    ck_assert_int_eq(hit, distance < 0 ? -1 : 0);
    hits += distance >= 0;
  }
  ck_assert_int_gt(hits, RAYS / 10);
  ck_assert_int_lt(hits, RAYS);
  done_with(a, x);
  done_with(b, y);
}
END_TEST

// An oblate superquadric that lies on its flat side, its center at the height of its least radius.
static const struct {
  const char *collider, *floor;
} floors[] = {
  { "gjk", "<geom type='plane' size='1 1 1'/>" },
  { "gjk", "<geom type='box' size='1 1 1' pos='0 0 -1'/>" },
  { "ccd", "<geom type='box' size='1 1 1' pos='0 0 -1'/>" },
  { "gjk", "<geom type='hfield' hfield='flat'/>" },
  { "gjk", "<geom type='user' shape='superquadric' pos='0 0 -0.2'><config key='radii' "
           "value='0.2 0.2 0.2'/></geom>" },
};
enum { NFLOORS = sizeof floors / sizeof floors[0] };

START_TEST(rests_at_its_least_radius) {
  char text[1024];
  snprintf(text, sizeof text,
           "<mujoco><asset><hfield name='flat' nrow='2' ncol='2' elevation='0 0 0 0' size='1 1 .3 "
           ".1'/></asset><worldbody>%s<body pos='0 0 .11'><joint type='slide' axis='0 0 1' "
           "damping='30'/>" QUADRIC(".2 .2 .1") "</body></worldbody></mujoco>",
           floors[_i].floor);
  ck_assert_int_ge(sn_select(engine, "convex", floors[_i].collider, error), 0);
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  for (int i = 0; i < 2000; i++) {
    sn_step(m, d);
  }
  ck_assert_int_ge(d->ncon, 1);
  ck_assert_msg(fabs(0.11 + d->qpos[0] - 0.1) < 1e-3, "it rests at %g", 0.11 + d->qpos[0]);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ files and errors

static const char pebbles[] = SN_TEST_SOURCE "/samples/plugins/shape_superquadric/pebbles.xml";

// A fingerprint of 300 steps.
static double run(sn_model *m) {
  sn_data *d = data_of(m);
  for (int i = 0; i < 300; i++) {
    sn_step(m, d);
  }
  double sum = 0;
  for (int64_t i = 0; i < m->nq; i++) {
    sum += d->qpos[i] * (double)(i + 1);
  }
  ck_assert_int_gt(d->ncon, 0);
  done_with(m, d);
  return sum;
}

START_TEST(shapes_are_saved) {
  char folder[] = "/tmp/sinew-shapes-XXXXXX", xml[64], binary[64];
  umask(022);
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(xml, sizeof xml, "%s/p.xml", folder);
  snprintf(binary, sizeof binary, "%s/p.snb", folder);
  sn_spec *spec = sn_spec_load(engine, pebbles, error);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  ck_assert_msg(sn_spec_save(spec, "mjcf", xml, error) >= 0, "%s", sn_error_text(error));
  ck_assert_int_ge(sn_model_save(m, binary, error), 0);
  const double first = run(m);
  for (int k = 0; k < 2; k++) {
    m = sn_load(engine, k ? binary : xml, error);
    ck_assert_msg(m != NULL, "%s", sn_error_text(error));
    CLOSE(run(m), first, 0);
  }
  sn_spec_free(spec);
  unlink(xml);
  unlink(binary);
  rmdir(folder);
}
END_TEST

static const struct {
  const char *geom, *reason;
} wrong[] = {
  { "<geom type='user'/>", "no shape is specified" },
  { "<geom size='1' shape='superquadric'/>", "set its type to user" },
  { "<geom type='user' shape='superquadratic'/>", "did you mean 'superquadric'" },
  { "<geom type='user' shape='superquadric' fromto='0 0 0 1 0 0'/>", "no mesh and no fromto" },
  { EXPONENTS("1 1 1", "0 1"), "attribute 'exponents': '0' is not a number from " },
  { "<geom size='1'><config key='radii' value='1 1 1'/></geom>", "need a shape of a plugin" },
  { "<geom type='user' shape='superquadric'><config key='raddi' value='1 1 1'/></geom>",
    "it has no attribute 'raddi'" },
};
enum { NWRONG = sizeof wrong / sizeof wrong[0] };

START_TEST(wrong_shapes_are_rejected) {
  char text[512];
  snprintf(text, sizeof text, "<mujoco><worldbody><body><freejoint/>%s</body></worldbody></mujoco>",
           wrong[_i].geom);
  ck_assert_int_ge(sn_engine_add_resource(engine, "x.xml", text, (int64_t)strlen(text), error), 0);
  ck_assert_ptr_null(sn_load(engine, "x.xml", error));
  ck_assert_msg(strstr(sn_error_text(error), wrong[_i].reason) &&
                    strstr(sn_error_text(error), "x.xml:1:"),
                "%s", sn_error_text(error));
}
END_TEST

TESTS() {
  FIXTURE(open_with_shapes, close_engine);
  TEST(ellipsoid_has_the_same_mass);
  TEST(small_exponents_approach_a_box);
  TEST(surfaces_are_closed);
  TEST(they_are_drawn);
  TEST(only_shapes_of_plugins_have_support);
  EACH(ellipsoid_has_the_same_contacts, 0, NPAIRS);
  EACH(rests_at_its_least_radius, 0, NFLOORS);
  TEST(ellipsoid_meets_the_same_rays);
  TEST(shapes_are_saved);
  EACH(wrong_shapes_are_rejected, 0, NWRONG);
}
