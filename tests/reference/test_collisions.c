// SPDX-License-Identifier: Apache-2.0
//
// The colliders that Sinew ships against those of the reference engine, on random poses: the same
// number of touches, and each with the same depth, place, normal and tangent hint.
//
// Poses are generic, or turned by right angles against each other as in models that people build,
// or that with a common rotation. A pair of boxes whose edges cross may differ in a touch: there
// the reference now and then reports a point that lies on neither box.

#include <check.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "sinew/collider.h"
#include "sinew/math.h"
#include "sinew/sinew.h"

enum { POSES = 1500, ROOM = 64, NPATTERNS = 3 };

static const struct {
  const char *collider, *first, *second;
  double allowed;   // part of the touching poses that may differ
} pairs[] = {
  { "primitive", "plane", "sphere", 0 },
  { "primitive", "plane", "capsule", 0 },
  { "primitive", "plane", "ellipsoid", 0 },
  { "primitive", "plane", "cylinder", 0 },
  { "primitive", "plane", "box", 0 },
  { "primitive", "sphere", "sphere", 0 },
  { "primitive", "sphere", "capsule", 0 },
  { "primitive", "sphere", "box", 0 },
  { "primitive", "capsule", "capsule", 0 },
  { "primitive", "capsule", "box", 0 },
  { "primitive", "box", "box", 0.01 },
  { "ccd", "sphere", "cylinder", 0.001 },
  { "ccd", "capsule", "cylinder", 0.001 },
  { "ccd", "cylinder", "cylinder", 0.001 },
  { "ccd", "cylinder", "box", 0.001 },
  { "ccd", "ellipsoid", "ellipsoid", 0.15 },   // of an ellipsoid the normal, which it iterates
  { "ccd", "ellipsoid", "box", 0.25 },
};
enum { NPAIRS = sizeof pairs / sizeof *pairs };

static sn_engine *engine;
static mjModel *m;
static mjData *d;

static void open_pair(int pair) {
  sn_error *error = sn_error_new();
  engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  sn_error_free(error);

  char xml[1000], why[300] = "", path[] = "collide.xml";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  int n = snprintf(xml, sizeof xml,
                   "<mujoco><worldbody><geom type='%s' size='1 1 1'/>"
                   "<geom type='%s' size='1 1 1'/></worldbody></mujoco>",
                   pairs[pair].first, pairs[pair].second);
  mj_makeEmptyFileVFS(&vfs, path, n);
  memcpy(vfs.filedata[0], xml, (size_t)n);
  m = mj_loadXML(path, &vfs, why, sizeof why);
  mj_deleteVFS(&vfs);
  ck_assert_msg(m != NULL, "%s", why);
  d = mj_makeData(m);
}

static void close_pair(void) {
  mj_deleteData(d);
  mj_deleteModel(m);
  sn_engine_close(engine);
}

static const sn_collider_ops *collider(const char *name) {
  sn_provider_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_provider(engine, i, &info); i++) {
    if (strcmp(info.kind, SN_KIND_COLLIDER) == 0 && strcmp(info.name, name) == 0) {
      return info.ops;
    }
  }
  ck_abort_msg("no collider %s", name);
  return NULL;
}

// ------------------------------------------------------------------ poses

static uint64_t random_state;

static double random_number(void) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(random_state >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

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

static void random_pose(int pattern) {
  for (int i = 0; i < 2; i++) {
    double *mat = d->geom_xmat + 9 * i;
    pattern == 0 ? random_rotation(mat) : right_angles(mat);
    for (int k = 0; k < 3; k++) {
      m->geom_size[3 * i + k] = 0.15 + 0.1 * random_number();
      d->geom_xpos[3 * i + k] = (i ? 0.3 : 0.05) * random_number();
    }
  }
  if (pattern == 2) {
    double turn[9], mat[9];
    random_rotation(turn);
    for (int i = 0; i < 2; i++) {
      memcpy(mat, d->geom_xmat + 9 * i, sizeof mat);
      sn_mul_mat3(d->geom_xmat + 9 * i, turn, mat);
    }
  }
}

// ------------------------------------------------------------------ comparison

static int64_t collide(const sn_collider_ops *ops, double margin, sn_touch *touch) {
  sn_shape shape[2] = { 0 };
  for (int i = 0; i < 2; i++) {
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
  sn_touches out = { .size = sizeof out, .capacity = ROOM, .touch = touch };
  ck_assert_int_eq(ops->collide(NULL, &batch, &out, NULL), SN_OK);
  return out.count;
}

static int same(const sn_touch *t, const mjContact *c) {
  return fabs(t->dist - c->dist) < 1e-9 && sn_dist3(t->pos, c->pos) < 1e-8 &&
         sn_dist3(t->normal, c->frame) < 1e-6 && sn_dist3(t->tangent, c->frame + 3) < 1e-6;
}

static int all_same(const sn_touch *touch, int64_t n, const mjContact *contact, int count) {
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

START_TEST(agrees) {
  int pair = _i / NPATTERNS, pattern = _i % NPATTERNS;
  open_pair(pair);
  const sn_collider_ops *ops = collider(pairs[pair].collider);
  mjfCollision reference = mjCOLLISIONFUNC[m->geom_type[0]][m->geom_type[1]];
  random_state = (uint64_t)_i;
  int touching = 0, different = 0;
  for (int pose = 0; pose < POSES; pose++) {
    mjContact contact[ROOM];
    sn_touch touch[ROOM];
    memset(contact, 0, sizeof contact);
    random_pose(pattern);
    double margin = pose % 2 ? 0 : 0.01;
    int count = reference(m, d, contact, 0, 1, margin);
    int64_t n = collide(ops, margin, touch);
    touching += count > 0;
    different += !all_same(touch, n, contact, count);
  }
  ck_assert_int_gt(touching, POSES / 8);
  ck_assert_msg(different <= pairs[pair].allowed * touching, "%s-%s, pattern %d: %d of %d differ",
                pairs[pair].first, pairs[pair].second, pattern, different, touching);
  close_pair();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("collide, reference");
  TCase *all = tcase_create("collide");
  tcase_set_timeout(all, 60);
  tcase_add_loop_test(all, agrees, 0, NPAIRS * NPATTERNS);
  suite_add_tcase(suite, all);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
