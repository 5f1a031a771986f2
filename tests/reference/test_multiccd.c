// SPDX-License-Identifier: Apache-2.0
//
// The flag multiccd beside the reference engine: cubes that are meshes, or a box below one, flat on
// each other, shifted and turned about the vertical. The reference finds further touches by tilting
// the shapes by 1e-3, Sinew by cutting the sides that face each other; so the points differ, but
// the depth is the same, and where what they share has four corners the points of Sinew reach as
// far in every direction of the plane, up to that tilt. (Of eight corners, between turned cubes,
// Sinew keeps four.)

#include <mujoco/mujoco.h>

#include "random_state.h"
#include "suite.h"

static const double tilt = 1.5e-3;   // m: what tilting moves the points of the reference by

static const char form[] =
    "<mujoco><option><flag multiccd='enable'/></option><asset><mesh name='m' vertex='-.1 -.1 -.1 "
    ".1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 .1 .1 .1'/></asset><worldbody>"
    "<geom %s/><body pos='%g %g .199' euler='0 0 %g'><freejoint/><geom type='mesh' mesh='m'/>"
    "</body></worldbody></mujoco>";

static void compare(const char *below, double x, double y, double angle) {
  char text[1024], why[300] = "", path[] = "multi.xml";
  int n = snprintf(text, sizeof text, form, below, x, y, angle);
  static mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_makeEmptyFileVFS(&vfs, path, n);
  memcpy(vfs.filedata[0], text, (size_t)n);
  mjModel *rm = mj_loadXML(path, &vfs, why, sizeof why);
  mj_deleteVFS(&vfs);
  ck_assert_msg(rm != NULL, "%s", why);
  mjData *rd = mj_makeData(rm);
  mj_forward(rm, rd);
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  sn_forward(m, d);

  ck_assert_int_ge(rd->ncon, 4);
  ck_assert_int_ge(d->ncon, 3);
  for (int64_t i = 0; i < d->ncon; i++) {
    CLOSE(d->contact_dist[i], rd->contact[0].dist, 1e-6);
    CLOSE(d->contact_pos[3 * i + 2], rd->contact[0].pos[2], 1e-6);
    CLOSE(fabs(d->contact_frame[9 * i + 2]), 1, 1e-9);
  }
  for (int k = 0; angle == 0 && k < 16; k++) {
    const double u[3] = { cos(SN_PI * k / 8), sin(SN_PI * k / 8), 0 };
    double ours = -INFINITY, theirs = -INFINITY;
    for (int64_t i = 0; i < d->ncon; i++) {
      ours = fmax(ours, sn_dot3(u, d->contact_pos + 3 * i));
    }
    for (int i = 0; i < rd->ncon; i++) {
      theirs = fmax(theirs, sn_dot3(u, rd->contact[i].pos));
    }
    ck_assert_msg(ours > theirs - tilt, "%g, %g, %g degrees: in direction %d they reach %g, not %g",
                  x, y, angle, k, ours, theirs);
  }
  done_with(m, d);
  mj_deleteData(rd);
  mj_deleteModel(rm);
}

START_TEST(flat_contacts_reach_as_far) {
  static const char *const below[] = { "type='mesh' mesh='m'", "type='box' size='.2 .2 .1'" };
  open_engine();
  uint32_t seed = 1;
  for (int pose = 0; pose < 20; pose++) {
    double x = 0.05 * uniform(&seed), y = 0.05 * uniform(&seed), angle = 40 * uniform(&seed);
    compare(below[pose % 2], x, y, pose % 4 < 2 ? 0 : angle);
  }
  close_engine();
}
END_TEST

TESTS() {
  TEST(flat_contacts_reach_as_far);
}
