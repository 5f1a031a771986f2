// SPDX-License-Identifier: Apache-2.0
//
// The colliders that Sinew ships against those of the reference engine, on random poses: the same
// number of touches, and each with the same depth, place, normal and tangent hint.
//
// Poses are generic, or turned by right angles against each other as in models that people build,
// or that with a common rotation, or that with sizes and places of few decimals, where shapes touch
// in a point, or sides end together. A pair of boxes whose edges cross may differ in a touch: there
// the reference now and then reports a point that lies on neither box.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "collider_pairs.h"
#include "sinew/math.h"
#include "sinew/sinew.h"
#include "suite.h"

enum { POSES = 1500, ROOM = 64 };
enum { GENERIC, RIGHT, TURNED, DECIMAL, NPATTERNS };

static const struct {
  const char *collider, *first, *second;
  double allowed;   // part of the touching poses that may differ
  double rounded;   // the same for poses of few decimals, where rounding decides what touches
} pairs[] = {
  { "primitive", "plane", "sphere", 0, 0 },
  { "primitive", "plane", "capsule", 0, 0 },
  { "primitive", "plane", "ellipsoid", 0, 0 },
  { "primitive", "plane", "cylinder", 0, 0 },
  { "primitive", "plane", "box", 0, 0 },
  { "primitive", "plane", "mesh", 0, 0 },
  { "primitive", "sphere", "sphere", 0, 0 },
  { "primitive", "sphere", "capsule", 0, 0 },
  { "primitive", "sphere", "box", 0, 0.01 },
  { "primitive", "capsule", "capsule", 0, 0 },
  { "primitive", "capsule", "box", 0, 0.1 },
  { "primitive", "box", "box", 0.01, 0.15 },   // sides that end together
  { "ccd", "sphere", "ellipsoid", 0, 0.02 },
  { "ccd", "sphere", "cylinder", 0, 0.02 },   // a common center, here and below
  { "ccd", "sphere", "mesh", 0, 0 },
  { "ccd", "capsule", "ellipsoid", 0, 0.02 },
  { "ccd", "capsule", "cylinder", 0, 0.02 },
  { "ccd", "ellipsoid", "ellipsoid", 0, 0.02 },
  { "ccd", "ellipsoid", "cylinder", 0, 0.02 },
  { "ccd", "ellipsoid", "box", 0, 0 },
  { "ccd", "ellipsoid", "mesh", 0, 0 },
  { "ccd", "cylinder", "cylinder", 0, 0.02 },
  { "ccd", "cylinder", "box", 0, 0 },
  { "ccd", "box", "mesh", 0, 0 },
  { "ccd", "mesh", "mesh", 0, 0 },
  { "hfield", "hfield", "sphere", 0, 0 },
  { "hfield", "hfield", "ellipsoid", 0.001, 0 },   // iterations that enlarge roundings
  { "hfield", "hfield", "cylinder", 0, 0 },
  { "hfield", "hfield", "box", 0, 0 },
  { "hfield", "hfield", "mesh", 0, 0 },
};
enum { NPAIRS = sizeof pairs / sizeof *pairs };

static sn_engine *engine;
static mjModel *m;
static mjData *d;

static uint64_t random_state;

static double random_number(void) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(random_state >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

// What the reference keeps of assets in single precision.
enum { VERTICES = 14, ROWS = 12, COLS = 15 };
static double vert[3 * VERTICES], height[ROWS * COLS];

static const char *how(const char *type) {
  return strcmp(type, "mesh") == 0     ? "mesh='m'"
         : strcmp(type, "hfield") == 0 ? "hfield='h'"
                                       : "size='1 1 1'";
}

// A model of the two types; the mesh is the hull of random points.
static void load_pair(const char *first, const char *second) {
  char xml[3000], points[1000], why[300] = "", path[] = "collide.xml";
  int n = 0;
  for (int i = 0; i < 3 * VERTICES; i++) {
    n += snprintf(points + n, sizeof points - (size_t)n, "%.3f ", 0.2 * random_number());
  }
  n = snprintf(xml, sizeof xml,
               "<mujoco><asset><mesh name='m' vertex='%s'/>"
               "<hfield name='h' nrow='%d' ncol='%d' size='0.5 0.4 0.2 0.1'/></asset><worldbody>"
               "<geom type='%s' %s/><body><joint/><geom type='%s' %s mass='1'/></body>"
               "</worldbody></mujoco>",
               points, ROWS, COLS, first, how(first), second, how(second));
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_makeEmptyFileVFS(&vfs, path, n);
  memcpy(vfs.filedata[0], xml, (size_t)n);
  m = mj_loadXML(path, &vfs, why, sizeof why);
  mj_deleteVFS(&vfs);
  ck_assert_msg(m != NULL, "%s", why);
  ck_assert(m->nmeshvert <= VERTICES && m->nhfielddata <= ROWS * COLS);
  d = mj_makeData(m);
}

static void open_engine(void) {
  sn_error *error = sn_error_new();
  engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  sn_error_free(error);
}

static void open_pair(int pair) {
  open_engine();
  random_state = (uint64_t)pair;
  load_pair(pairs[pair].first, pairs[pair].second);
  for (int i = 0; i < m->nhfielddata; i++) {
    m->hfield_data[i] = (float)(0.5 + 0.5 * random_number());
    height[i] = m->hfield_data[i];
  }
  for (int i = 0; i < 3 * m->nmeshvert; i++) {
    vert[i] = m->mesh_vert[i];
  }
}

static void close_pair(void) {
  mj_deleteData(d);
  mj_deleteModel(m);
  sn_engine_close(engine);
}

static const sn_collider_ops *collider(const char *name) {
  const sn_collider_ops *ops = find_collider(engine, name);
  ck_assert_msg(ops != NULL, "no collider %s", name);
  return ops;
}

// ------------------------------------------------------------------ poses

static void random_rotation(double *mat) {
  double quat[4];
  for (int i = 0; i < 4; i++) {
    quat[i] = random_number();
  }
  sn_normalize4(quat);
  sn_quat_mat(mat, quat);
}

// A permutation of the axes with signs, of determinant one.
static void right_angles(double *mat) {
  int first = (int)(1.5 * (random_number() + 1)), step = random_number() > 0 ? 1 : 2;
  memset(mat, 0, 9 * sizeof *mat);
  for (int i = 0; i < 3; i++) {
    mat[3 * i + (first + step * i) % 3] = random_number() > 0 ? 1 : -1;
  }
  double cross[3];
  sn_cross(cross, mat, mat + 3);
  sn_copy3(mat + 6, cross);
}

static double in_steps(double x) {
  return 0.05 * round(20 * x);
}

static void random_pose(int pattern) {
  for (int i = 0; i < 2; i++) {
    double *mat = d->geom_xmat + 9 * i;
    int type = m->geom_type[i], own = type == mjGEOM_MESH || type == mjGEOM_HFIELD;
    pattern == GENERIC ? random_rotation(mat) : right_angles(mat);
    for (int k = 0; k < 3; k++) {
      double size = 0.15 + 0.1 * random_number(), place = (i ? 0.3 : 0.05) * random_number();
      if (!own) {
        m->geom_size[3 * i + k] = pattern == DECIMAL ? in_steps(size) : size;
      }
      d->geom_xpos[3 * i + k] = pattern == DECIMAL ? in_steps(place) : place;
    }
  }
  if (pattern == TURNED) {
    double turn[9], mat[9];
    random_rotation(turn);
    for (int i = 0; i < 2; i++) {
      memcpy(mat, d->geom_xmat + 9 * i, sizeof mat);
      sn_mul_mat3(d->geom_xmat + 9 * i, turn, mat);
    }
  }
}

// ------------------------------------------------------------------ comparison

static int64_t collide(const sn_collider_ops *ops, double margin, sn_contact_point *touch) {
  sn_shape shape[2] = { 0 };
  const int *graph = m->nmeshgraph ? m->mesh_graph : NULL;
  sn_mesh_view mesh = { .size = sizeof(sn_mesh_view),
                        .nvert = m->nmeshvert,
                        .nface = m->nmeshface,
                        .vert = vert,
                        .face = m->mesh_face,
                        .ngraph = graph ? 2 + 3 * graph[0] + 6 * graph[1] : 0,
                        .graph = graph };
  sn_hfield_view field = {
    .size = sizeof(sn_hfield_view), .nrow = ROWS, .ncol = COLS, .data = height
  };
  memcpy(field.extent, m->hfield_size, sizeof field.extent);
  for (int i = 0; i < 2; i++) {
    shape[i].mesh = &mesh;
    shape[i].hfield = &field;
    shape[i].type = m->geom_type[i];
    memcpy(shape[i].size, m->geom_size + 3 * i, sizeof shape[i].size);
    shape[i].pos = d->geom_xpos + 3 * i;
    shape[i].mat = d->geom_xmat + 9 * i;
  }
  sn_batch batch = { .size = sizeof batch,
                     .n = 1,
                     .first = &shape[0],
                     .second = &shape[1],
                     .margin = &margin,
                     .tolerance = m->opt.mpr_tolerance,
                     .iterations = m->opt.mpr_iterations };
  sn_contact_list out = { .size = sizeof out, .capacity = ROOM, .point = touch };
  void *self;
  ck_assert(open_collider(engine, ops, 0, &self));   // as in profile mujoco-2.2
  ck_assert_int_eq(ops->collide(self, &batch, &out, NULL), SN_OK);
  close_collider(ops, self);
  return out.count;
}

static int same(const sn_contact_point *t, const mjContact *c) {
  return fabs(t->dist - c->dist) < 1e-9 && sn_dist3(t->pos, c->pos) < 1e-8 &&
         sn_dist3(t->normal, c->frame) < 1e-8 && sn_dist3(t->tangent, c->frame + 3) < 1e-6;
}

static int all_same(const sn_contact_point *touch, int64_t n, const mjContact *contact, int count) {
  int used[ROOM] = { 0 }, found = 0;
  for (int i = 0; i < count; i++) {
    for (int64_t k = 0; k < n; k++) {
      if (!used[k] && same(&touch[k], &contact[i])) {
        used[k] = 1;
        found++;
        break;
      }
    }
  }
  return n == count && found == count;
}

// Of boxes, the reference keeps one contact in a place, after the function of the pair. Places are
// equal there to the last bit; `near` is what rounding may make of them.
static int once(mjContact *contact, int count, double near) {
  int n = 0;
  for (int i = 0; i < count; i++) {
    int again = 0;
    for (int k = i + 1; k < count; k++) {
      again |= sn_dist3(contact[i].pos, contact[k].pos) <= near;
    }
    if (!again) {
      contact[n++] = contact[i];
    }
  }
  return n;
}

// Where centers are nearer to each other than the depth, ccd has the least depth; the reference has
// it along a way that means nothing there.
static int is_lost(int pair, const mjContact *contact, int count) {
  return strcmp(pairs[pair].collider, "ccd") == 0 && count > 0 &&
         sn_dist3(d->geom_xpos, d->geom_xpos + 3) < -contact->dist;
}

START_TEST(agrees) {
  int pair = _i / NPATTERNS, pattern = _i % NPATTERNS;
  open_pair(pair);
  const sn_collider_ops *ops = collider(pairs[pair].collider);
  mjfCollision reference = mjCOLLISIONFUNC[m->geom_type[0]][m->geom_type[1]];
  random_state = (uint64_t)_i;
  int touching = 0, different = 0;
  for (int pose = 0; pose < POSES; pose++) {
    mjContact contact[ROOM];
    sn_contact_point touch[ROOM];
    memset(contact, 0, sizeof contact);
    random_pose(pattern);
    // with a margin, the reference reports depths in height fields that are no distances
    double margin = pose % 2 || m->geom_type[0] == mjGEOM_HFIELD ? 0 : 0.01;
    int count = reference(m, d, contact, 0, 1, margin);
    int64_t n = collide(ops, margin, touch);
    if (m->geom_type[0] == mjGEOM_BOX && m->geom_type[1] == mjGEOM_BOX) {
      count = once(contact, count, 0);
    }
    touching += count > 0;
    if (is_lost(pair, contact, count)) {
      ck_assert_int_eq(n, 1);
      ck_assert_double_ge(touch->dist, contact->dist - 1e-9);
    } else {
      different += !all_same(touch, n, contact, count);
    }
  }
  ck_assert_int_gt(touching, POSES / 8);
  double allowed = pattern == DECIMAL ? pairs[pair].rounded : pairs[pair].allowed;
  ck_assert_msg(different <= allowed * touching, "%s-%s, pattern %d: %d of %d differ",
                pairs[pair].first, pairs[pair].second, pattern, different, touching);
  close_pair();
}
END_TEST

// Boxes of one size that stand on each other: every side ends with one of the other. Half of them
// are cubes.
START_TEST(stacks_agree) {
  load_pair("box", "box");
  open_engine();
  const sn_collider_ops *ops = collider("primitive");
  int different = 0, repeated = 0;
  for (int pose = 0; pose < POSES; pose++) {
    mjContact contact[ROOM];
    sn_contact_point touch[ROOM];
    int axis = pose % 3, cube = pose / 3 % 2;
    memset(contact, 0, sizeof contact);
    memset(d->geom_xmat, 0, 18 * sizeof *d->geom_xmat);
    for (int k = 0; k < 3; k++) {
      d->geom_xmat[4 * k] = d->geom_xmat[9 + 4 * k] = 1;
      m->geom_size[k] = m->geom_size[3 + k] = 0.005 * (20 + pose * ((cube ? 0 : k) + 3) % 31);
      d->geom_xpos[k] = 0.001 * (pose * (k + 5) % 101);
      d->geom_xpos[3 + k] = d->geom_xpos[k];
    }
    d->geom_xpos[3 + axis] += 2 * m->geom_size[axis] - 1e-3;
    int count = mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_BOX](m, d, contact, 0, 1, 0);
    count = once(contact, count, 0);
    repeated += count > 4;
    count = once(contact, count, 1e-12);
    different += count != 4 || !all_same(touch, collide(ops, 0, touch), contact, count);
  }
  ck_assert_msg(different == 0, "%d of %d differ", different, POSES);
  // where the rounding of the reference tells two places in a corner
  ck_assert_msg(repeated <= 0.2 * POSES, "%d of %d repeat a corner", repeated, POSES);
  close_pair();
}
END_TEST

// A symmetric stack that is turned has four corners as well, whatever rounding makes of its sides.
START_TEST(turned_stacks_have_four_corners) {
  load_pair("box", "box");
  open_engine();
  random_state = 1;
  const sn_collider_ops *ops = collider("primitive");
  for (int pose = 0; pose < POSES; pose++) {
    sn_contact_point touch[ROOM];
    int axis = pose % 3;
    random_rotation(d->geom_xmat);
    memcpy(d->geom_xmat + 9, d->geom_xmat, 9 * sizeof *d->geom_xmat);
    for (int k = 0; k < 3; k++) {
      m->geom_size[k] = m->geom_size[3 + k] = 0.15 + 0.1 * random_number();
      d->geom_xpos[k] = random_number();
    }
    for (int k = 0; k < 3; k++) {
      double step = d->geom_xmat[3 * k + axis] * (2 * m->geom_size[axis] - 1e-3);
      d->geom_xpos[3 + k] = d->geom_xpos[k] + step;
    }
    ck_assert_int_eq(collide(ops, 0, touch), 4);
  }
  close_pair();
}
END_TEST

TESTS() {
  TEST(stacks_agree);
  TEST(turned_stacks_have_four_corners);
  EACH(agrees, 0, NPAIRS * NPATTERNS);
}
