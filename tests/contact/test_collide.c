// SPDX-License-Identifier: Apache-2.0
//
// From posed geoms to contacts: the broad phase against all pairs, the documented filters, the
// mixing of parameters, the frames, and the order.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/collision.h"
#include "sinew/sinew.h"
#include "suite.h"

static sn_engine *engine;
static sn_spec *spec;
static sn_model *model;
static sn_data *data;
static sn_error *error;

static void setup(void) {
  error = sn_error_new();
  engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  spec = sn_spec_new(engine, error);
  ck_assert_ptr_nonnull(spec);
  model = NULL;
  data = NULL;
}

static void teardown(void) {
  sn_data_free(data);
  sn_model_free(model);
  sn_spec_free(spec);
  sn_engine_close(engine);
  sn_error_free(error);
}

// ------------------------------------------------------------------ scenes

static int32_t add_body(int32_t parent, const char *name, double x, double y, double z) {
  sn_body_def def;
  int32_t id;
  sn_default_body(&def);
  def.parent = parent;
  def.name = name;
  def.pos[0] = x;
  def.pos[1] = y;
  def.pos[2] = z;
  ck_assert_msg(sn_spec_add_body(spec, &def, NULL, &id, error) >= 0, "%s", sn_error_text(error));
  return id;
}

static void add_joint(int32_t body, int32_t type) {
  sn_joint_def def;
  int32_t id;
  sn_default_joint(&def);
  def.body = body;
  def.type = type;
  ck_assert_msg(sn_spec_add_joint(spec, &def, NULL, &id, error) >= 0, "%s", sn_error_text(error));
}

static sn_geom_def geom_of(int32_t body, const char *name, int32_t type, double size) {
  sn_geom_def def;
  sn_default_geom(&def);
  def.body = body;
  def.name = name;
  def.type = type;
  def.size[0] = def.size[1] = def.size[2] = size;
  return def;
}

static int32_t add_geom(const sn_geom_def *def) {
  int32_t id;
  ck_assert_msg(sn_spec_add_geom(spec, def, NULL, &id, error) >= 0, "%s", sn_error_text(error));
  return id;
}

static void add_ball(int32_t body, const char *name, double size) {
  sn_geom_def def = geom_of(body, name, SN_GEOM_SPHERE, size);
  add_geom(&def);
}

// A free body with a ball.
static int32_t add_free_ball(const char *name, double size, double x, double y, double z) {
  int32_t body = add_body(0, name, x, y, z);
  add_joint(body, SN_JOINT_FREE);
  add_ball(body, name, size);
  return body;
}

static void build(void) {
  model = sn_compile(spec, error);
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
  data = sn_data_new(model, error);
  ck_assert_ptr_nonnull(data);
}

static void forward(void) {
  ck_assert_int_eq(sn_forward_position(model, data), SN_OK);
}

// How often a pair of geoms is in contact, by name.
static int64_t contacts_of(const char *name1, const char *name2) {
  int32_t g1 = sn_find(model, "geom", name1), g2 = sn_find(model, "geom", name2);
  ck_assert(g1 >= 0 && g2 >= 0);
  int64_t n = 0;
  for (int64_t i = 0; i < data->ncon; i++) {
    int32_t a = data->contact_geom1[i], b = data->contact_geom2[i];
    n += (a == g1 && b == g2) || (a == g2 && b == g1);
  }
  return n;
}

static double random_number(void) {
  static uint64_t state = 1;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

// ------------------------------------------------------------------ broad phase

enum { NMOVING = 220, NFIXED = 150 };

static uint64_t geoms_of(int64_t contact) {
  return si_pair_key(data->contact_geom1[contact], data->contact_geom2[contact]);
}

static uint64_t bodies_of(int64_t contact) {
  return si_pair_key(model->geom_bodyid[data->contact_geom1[contact]],
                     model->geom_bodyid[data->contact_geom2[contact]]);
}

// Moving and fixed balls and a plane at random: the same pairs as all pairs tested one by one.
START_TEST(broadphase_finds_every_pair) {
  sn_geom_def def = geom_of(0, "floor", SN_GEOM_PLANE, 0);
  def.size[2] = 1;
  def.pos[2] = -1;
  add_geom(&def);
  for (int i = 0; i < NFIXED; i++) {
    def = geom_of(0, NULL, SN_GEOM_SPHERE, 0.05 + 0.04 * random_number());
    for (int k = 0; k < 3; k++) {
      def.pos[k] = random_number();
    }
    def.margin = i % 3 ? 0 : 0.02;
    add_geom(&def);
  }
  for (int i = 0; i < NMOVING; i++) {
    add_free_ball(NULL, 0.12 + 0.08 * random_number(), 0, 0, 0);
  }
  build();
  for (int pose = 0; pose < 5; pose++) {
    for (int64_t i = 0; i < NMOVING; i++) {
      for (int k = 0; k < 3; k++) {
        data->qpos[7 * i + k] = random_number() * (k == pose % 3 ? 3 : 1);
      }
    }
    forward();
    int64_t n = 0;
    for (int64_t a = 1; a < model->ngeom; a++) {
      n += a > NFIXED && data->geom_xpos[3 * a + 2] + 1 <= model->geom_size[3 * a];
      for (int64_t b = a + 1; b < model->ngeom; b++) {
        double reach = model->geom_size[3 * a] + model->geom_size[3 * b];
        reach += fmax(model->geom_margin[a], model->geom_margin[b]);
        n += b > NFIXED && sn_dist3(data->geom_xpos + 3 * a, data->geom_xpos + 3 * b) - reach <= 0;
      }
    }
    ck_assert_int_gt(n, 100);
    ck_assert_int_eq(data->ncon, n);
    for (int64_t i = 1; i < data->ncon; i++) {
      ck_assert(bodies_of(i - 1) < bodies_of(i) ||
                (bodies_of(i - 1) == bodies_of(i) && geoms_of(i - 1) < geoms_of(i)));
    }
  }
}
END_TEST

static void add_cluster(int32_t body, int n) {
  for (int i = 0; i < n; i++) {
    sn_geom_def def = geom_of(body, NULL, SN_GEOM_SPHERE, 0.12 + 0.06 * random_number());
    for (int k = 0; k < 3; k++) {
      def.pos[k] = 0.5 * random_number();
    }
    def.margin = i % 4 ? 0 : 0.03;
    add_geom(&def);
  }
}

// The same of bodies with few and many balls, free ones with something welded to them, one that
// mocap moves, and what is fixed.
START_TEST(broadphase_finds_every_pair_of_parts) {
  enum { NBODY = 14 };
  sn_body_def moved;
  int32_t id;
  add_cluster(0, 60);
  sn_default_body(&moved);
  moved.mocap = 1;
  ck_assert_int_ge(sn_spec_add_body(spec, &moved, NULL, &id, error), 0);
  add_cluster(id, 30);
  for (int i = 0; i < NBODY; i++) {
    int32_t body = add_body(0, NULL, 0, 0, 0);
    add_joint(body, SN_JOINT_FREE);
    add_cluster(body, 1 + i * i / 3);
    add_cluster(add_body(body, NULL, 0.3, -0.2, 0.1), i % 3 * 6);
  }
  build();
  for (int pose = 0; pose < 6; pose++) {
    for (int64_t i = 0; i < model->nq; i++) {
      data->qpos[i] = random_number();
    }
    for (int k = 0; k < 7; k++) {
      (k < 3 ? data->mocap_pos : data->mocap_quat - 3)[k] = random_number();
    }
    forward();
    int64_t n = 0;
    for (int64_t a = 0; a < model->ngeom; a++) {
      for (int64_t b = a + 1; b < model->ngeom; b++) {
        double reach = model->geom_size[3 * a] + model->geom_size[3 * b];
        reach += fmax(model->geom_margin[a], model->geom_margin[b]);
        n += model->body_weldid[model->geom_bodyid[a]] !=
                 model->body_weldid[model->geom_bodyid[b]] &&
             sn_dist3(data->geom_xpos + 3 * a, data->geom_xpos + 3 * b) <= reach;
      }
    }
    ck_assert_int_gt(n, 300);
    ck_assert_int_eq(data->ncon, n);
  }
}
END_TEST

// Contacts depend on the state, not on how it was reached.
START_TEST(broadphase_forgets_the_past) {
  enum { N = 40 };
  double there[7 * N], *first;
  for (int i = 0; i < N; i++) {
    add_free_ball(NULL, 0.2, random_number(), random_number(), random_number());
  }
  build();
  memcpy(there, data->qpos, sizeof there);
  forward();
  int64_t n = data->ncon;
  ck_assert_int_gt(n, 20);
  first = malloc((size_t)n * 9 * sizeof *first);
  memcpy(first, data->contact_frame, (size_t)n * 9 * sizeof *first);
  for (int i = 0; i < 7 * N; i++) {
    data->qpos[i] = random_number();
  }
  forward();
  memcpy(data->qpos, there, sizeof there);
  forward();
  ck_assert_int_eq(data->ncon, n);
  ck_assert_mem_eq(data->contact_frame, first, (size_t)n * 9 * sizeof *first);
  free(first);
}
END_TEST

START_TEST(contacts_are_sorted) {
  enum { N = 1000 };
  si_sort_key key[N], work[N];
  for (int n = 0; n <= N; n = 2 * n + 1) {
    for (int i = 0; i < n; i++) {
      double x = i % 7 ? random_number() : -1.0 / (i % 3);   // with equal ones, and infinite ones
      key[i] = (si_sort_key){ si_sort_bits(x), (uint64_t)(i % 5), i };
    }
    si_sort_keys(key, work, n);
    for (int i = 1; i < n; i++) {
      int equal = key[i - 1].a == key[i].a && key[i - 1].b == key[i].b;
      ck_assert(key[i - 1].a < key[i].a || (key[i - 1].a == key[i].a && key[i - 1].b <= key[i].b));
      ck_assert(!equal || key[i - 1].index < key[i].index);
    }
  }
  ck_assert(si_sort_bits(-INFINITY) < si_sort_bits(-1) && si_sort_bits(-1) < si_sort_bits(-0.5));
  ck_assert(si_sort_bits(-0.5) < si_sort_bits(0.5) && si_sort_bits(2) < si_sort_bits(INFINITY));
  ck_assert(si_sort_bits(INFINITY) < si_sort_bits(NAN));
}
END_TEST

// ------------------------------------------------------------------ filters

// world - a - b - c by hinges; w is welded to a; all overlap
START_TEST(filters_relatives) {
  add_ball(0, "world", 0.1);
  int32_t a = add_body(0, "a", 0, 0, 0);
  add_joint(a, SN_JOINT_HINGE);
  add_ball(a, "a", 0.1);
  int32_t w = add_body(a, "w", 0.01, 0, 0);
  add_ball(w, "w", 0.1);
  int32_t b = add_body(w, "b", 0.02, 0, 0);
  add_joint(b, SN_JOINT_HINGE);
  add_ball(b, "b", 0.1);
  int32_t c = add_body(b, "c", 0.03, 0, 0);
  add_joint(c, SN_JOINT_HINGE);
  add_ball(c, "c", 0.1);
  build();
  forward();
  ck_assert_int_eq(contacts_of("world", "a"), 1);
  ck_assert_int_eq(contacts_of("world", "b"), 1);
  ck_assert_int_eq(contacts_of("a", "w"), 0);
  ck_assert_int_eq(contacts_of("a", "b"), 0);
  ck_assert_int_eq(contacts_of("w", "b"), 0);
  ck_assert_int_eq(contacts_of("b", "c"), 0);
  ck_assert_int_eq(contacts_of("a", "c"), 1);
  model->opt.disableflags = SN_DISABLE_FILTERPARENT;
  forward();
  ck_assert_int_eq(contacts_of("a", "b"), 1);
  ck_assert_int_eq(contacts_of("b", "c"), 1);
  ck_assert_int_eq(contacts_of("a", "w"), 0);
  model->opt.disableflags = SN_DISABLE_CONTACT;
  forward();
  ck_assert_int_eq(data->ncon, 0);
}
END_TEST

// The only other part is the parent.
START_TEST(collides_with_its_parent_by_option) {
  int32_t a = add_body(0, "a", 0, 0, 0);
  add_joint(a, SN_JOINT_HINGE);
  add_ball(a, "a", 0.1);
  int32_t b = add_body(a, "b", 0.02, 0, 0);
  add_joint(b, SN_JOINT_HINGE);
  add_ball(b, "b", 0.1);
  build();
  forward();
  ck_assert_int_eq(data->ncon, 0);
  model->opt.disableflags = SN_DISABLE_FILTERPARENT;
  forward();
  ck_assert_int_eq(contacts_of("a", "b"), 1);
}
END_TEST

START_TEST(filters_by_bits) {
  const struct {
    const char *name;
    int32_t contype, conaffinity;
  } c[] = { { "p", 1, 0 }, { "q", 0, 1 }, { "r", 2, 2 }, { "s", 3, 0 } };
  for (int i = 0; i < 4; i++) {
    int32_t body = add_body(0, c[i].name, 0.01 * i, 0, 0);
    add_joint(body, SN_JOINT_FREE);
    sn_geom_def def = geom_of(body, c[i].name, SN_GEOM_SPHERE, 0.1);
    def.contype = c[i].contype;
    def.conaffinity = c[i].conaffinity;
    add_geom(&def);
  }
  build();
  forward();
  for (int i = 0; i < 4; i++) {
    for (int k = i + 1; k < 4; k++) {
      int wanted = (c[i].contype & c[k].conaffinity) || (c[k].contype & c[i].conaffinity);
      ck_assert_int_eq(contacts_of(c[i].name, c[k].name), wanted);
    }
  }
}
END_TEST

// Explicit pairs pass the exclusion and the bits; they replace the dynamic contact of their geoms.
START_TEST(pairs_and_exclusions) {
  add_free_ball("a", 0.1, 0, 0, 0);
  add_free_ball("b", 0.1, 0.05, 0, 0);
  add_free_ball("c", 0.1, 0, 0.05, 0);
  sn_exclude_def exclude;
  sn_pair_def pair;
  int32_t id;
  sn_default_exclude(&exclude);
  exclude.body1 = "b";
  exclude.body2 = "a";
  ck_assert_int_ge(sn_spec_add_exclude(spec, &exclude, NULL, &id, error), 0);
  exclude.body2 = "c";
  ck_assert_int_ge(sn_spec_add_exclude(spec, &exclude, NULL, &id, error), 0);
  sn_default_pair(&pair);
  pair.geom1 = "b";
  pair.geom2 = "a";
  pair.condim = 1;
  ck_assert_int_ge(sn_spec_add_pair(spec, &pair, NULL, &id, error), 0);
  pair.geom1 = "a";
  pair.geom2 = "c";
  pair.condim = 6;
  ck_assert_int_ge(sn_spec_add_pair(spec, &pair, NULL, &id, error), 0);
  build();
  forward();
  ck_assert_int_eq(contacts_of("a", "b"), 1);
  ck_assert_int_eq(contacts_of("a", "c"), 1);
  ck_assert_int_eq(contacts_of("b", "c"), 0);
  ck_assert_int_eq(data->contact_dim[0], 1);
  ck_assert_int_eq(data->contact_dim[1], 6);
  model->opt.collision = SN_COLLISION_DYNAMIC;
  forward();
  ck_assert_int_eq(data->ncon, 1);
  ck_assert_int_eq(data->contact_dim[0], 3);
  model->opt.collision = SN_COLLISION_PAIR;
  forward();
  ck_assert_int_eq(data->ncon, 2);
}
END_TEST

// ------------------------------------------------------------------ parameters

static void two_balls(sn_geom_def *a, sn_geom_def *b) {
  int32_t body1 = add_body(0, "a", 0, 0, 0), body2 = add_body(0, "b", 0.15, 0, 0);
  add_joint(body1, SN_JOINT_FREE);
  add_joint(body2, SN_JOINT_FREE);
  *a = geom_of(body1, "a", SN_GEOM_SPHERE, 0.1);
  *b = geom_of(body2, "b", SN_GEOM_SPHERE, 0.1);
}

START_TEST(mixes_equal_priorities) {
  sn_geom_def a, b;
  two_balls(&a, &b);
  a.solmix = 3;
  a.solref[0] = 0.1;
  b.solref[0] = 0.02;
  a.friction[1] = 0.5;
  b.friction[0] = 2;
  a.friction[2] = b.friction[2] = 0;
  a.condim = 4;
  b.margin = 0.3;
  b.gap = 0.1;
  a.gap = 0.05;
  add_geom(&a);
  add_geom(&b);
  build();
  forward();
  ck_assert_int_eq(data->ncon, 1);
  ck_assert_double_eq_tol(data->contact_solref[0], 0.75 * 0.1 + 0.25 * 0.02, 1e-15);
  const double friction[5] = { 2, 2, 0.5, 1e-5, 1e-5 };
  for (int k = 0; k < 5; k++) {
    ck_assert_double_eq_tol(data->contact_friction[k], friction[k], 1e-15);
  }
  ck_assert_int_eq(data->contact_dim[0], 4);
  ck_assert_double_eq_tol(data->contact_includemargin[0], 0.2, 1e-15);
  ck_assert_int_eq(data->contact_exclude[0], 0);
  ck_assert_double_eq_tol(data->contact_dist[0], -0.05, 1e-15);
}
END_TEST

START_TEST(mixes_by_priority_and_format) {
  sn_geom_def a, b;
  two_balls(&a, &b);
  a.priority = 1;
  a.condim = 1;
  a.friction[0] = 0.3;
  b.solref[0] = 0.5;
  add_geom(&a);
  add_geom(&b);
  int32_t body = add_body(0, "c", 0.15, 0.15, 0);
  add_joint(body, SN_JOINT_FREE);
  sn_geom_def c = geom_of(body, "c", SN_GEOM_SPHERE, 0.1);
  c.solref[0] = -100;
  c.solref[1] = -10;
  add_geom(&c);
  build();
  forward();
  ck_assert_int_eq(data->ncon, 2);
  ck_assert_int_eq(data->contact_dim[0], 1);
  ck_assert_double_eq(data->contact_friction[0], 0.3);
  ck_assert_double_eq(data->contact_solref[0], 0.02);
  ck_assert_double_eq(data->contact_solref[2], -100);
  ck_assert_double_eq(data->contact_solref[3], -10);
}
END_TEST

START_TEST(gap_and_override) {
  sn_geom_def a, b;
  two_balls(&a, &b);
  a.margin = 0.2;
  a.gap = 0.2;
  b.pos[0] = 0.1;
  add_geom(&a);
  add_geom(&b);
  build();
  forward();
  ck_assert_int_eq(data->ncon, 1);
  ck_assert_double_eq_tol(data->contact_dist[0], 0.05, 1e-15);
  ck_assert_int_eq(data->contact_exclude[0], 1);
  ck_assert_int_eq(data->contact_efc_address[0], -1);
  model->opt.enableflags = SN_ENABLE_OVERRIDE;
  model->opt.o_margin = 0.04;
  forward();
  ck_assert_int_eq(data->ncon, 0);
  model->opt.o_margin = 0.06;
  model->opt.o_solref[0] = 0.7;
  model->opt.o_solimp[0] = 0.3;
  forward();
  ck_assert_int_eq(data->ncon, 1);
  ck_assert_double_eq(data->contact_solref[0], 0.7);
  ck_assert_double_eq(data->contact_solimp[0], 0.3);
}
END_TEST

// Right-handed and orthonormal, normal first; the first tangent is y unless the normal is near it.
START_TEST(contact_frames) {
  enum { N = 50 };
  add_free_ball("center", 1, 0, 0, 0);
  for (int i = 0; i < N; i++) {
    double to[3] = { random_number(), i % 5 ? random_number() : 20, random_number() };
    sn_normalize3(to);
    add_free_ball(NULL, 1e-3, to[0], to[1], to[2]);
  }
  build();
  forward();
  ck_assert_int_ge(data->ncon, N);
  for (int64_t i = 0; i < N; i++) {
    const double *frame = data->contact_frame + 9 * i;
    double cross[3];
    sn_cross(cross, frame, frame + 3);
    ck_assert_double_eq_tol(sn_dist3(cross, frame + 6), 0, 1e-14);
    for (int k = 0; k < 3; k++) {
      ck_assert_double_eq_tol(sn_norm3(frame + 3 * k), 1, 1e-14);
    }
    ck_assert(frame[fabs(frame[1]) < 0.5 ? 4 : 5] > 0.5);
    ck_assert_double_eq_tol(sn_dist3(frame, data->geom_xpos + 3 * (i + 1)), 0, 1e-12);
  }
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(broadphase_finds_every_pair);
  TEST(broadphase_finds_every_pair_of_parts);
  TEST(broadphase_forgets_the_past);
  TEST(contacts_are_sorted);
  TEST(filters_relatives);
  TEST(collides_with_its_parent_by_option);
  TEST(filters_by_bits);
  TEST(pairs_and_exclusions);
  TEST(mixes_equal_priorities);
  TEST(mixes_by_priority_and_format);
  TEST(gap_and_override);
  TEST(contact_frames);
}
