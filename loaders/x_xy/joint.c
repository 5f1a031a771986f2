// SPDX-License-Identifier: Apache-2.0
//
// The joints of the format, each as primitive joints. q and qd of the format list rotation first;
// the model lists slides first, so that states have one layout: (x, y, z, quaternion).

#include <string.h>

#include "x_xy/x_xy.h"

// clang-format off
#define ROW(type, axis, q, qd, outer, suffix) {type, axis, q, qd, outer, suffix, {0}}
#define SLIDE(axis, q, suffix) ROW(SN_JOINT_SLIDE, axis, q, q, 0, suffix)
#define HINGE(axis, q, suffix) ROW(SN_JOINT_HINGE, axis, q, q, 0, suffix)

static const x_joint joints[] = {
  {"frozen", 0, 0, X_DRAW_NONE, 0, {ROW(0, 0, 0, 0, 0, NULL)}},
  {"free", 7, 6, X_DRAW_NONE, 4,
   {ROW(SN_JOINT_SLIDE, 0, 4, 3, 0, ".x"), ROW(SN_JOINT_SLIDE, 1, 5, 4, 0, ".y"),
    ROW(SN_JOINT_SLIDE, 2, 6, 5, 0, ".z"), ROW(SN_JOINT_BALL, 0, 0, 0, 0, ".ball")}},
  {"cor", 10, 9, X_DRAW_NONE, 7,
   {ROW(SN_JOINT_SLIDE, 0, 4, 3, 1, ".x"), ROW(SN_JOINT_SLIDE, 1, 5, 4, 1, ".y"),
    ROW(SN_JOINT_SLIDE, 2, 6, 5, 1, ".z"), ROW(SN_JOINT_BALL, 0, 0, 0, 1, ".ball"),
    ROW(SN_JOINT_SLIDE, 0, 7, 6, 0, ".cx"), ROW(SN_JOINT_SLIDE, 1, 8, 7, 0, ".cy"),
    ROW(SN_JOINT_SLIDE, 2, 9, 8, 0, ".cz")}},
  {"free_2d", 3, 3, X_DRAW_NONE, 3,
   {SLIDE(1, 1, ".y"), SLIDE(2, 2, ".z"), HINGE(0, 0, ".angle")}},
  {"spherical", 4, 3, X_DRAW_NONE, 1, {ROW(SN_JOINT_BALL, 0, 0, 0, 0, "")}},
  {"px", 1, 1, X_DRAW_NONE, 1, {SLIDE(0, 0, "")}},
  {"py", 1, 1, X_DRAW_NONE, 1, {SLIDE(1, 0, "")}},
  {"pz", 1, 1, X_DRAW_NONE, 1, {SLIDE(2, 0, "")}},
  {"rx", 1, 1, X_DRAW_NONE, 1, {HINGE(0, 0, "")}},
  {"ry", 1, 1, X_DRAW_NONE, 1, {HINGE(1, 0, "")}},
  {"rz", 1, 1, X_DRAW_NONE, 1, {HINGE(2, 0, "")}},
  {"saddle", 2, 2, X_DRAW_NONE, 2, {HINGE(1, 0, ".y"), HINGE(2, 1, ".z")}},
  {"p3d", 3, 3, X_DRAW_NONE, 3, {SLIDE(0, 0, ".x"), SLIDE(1, 1, ".y"), SLIDE(2, 2, ".z")}},
  {"rr", 1, 1, X_DRAW_RR, 1, {HINGE(3, 0, "")}},
  {"rr_imp", 2, 2, X_DRAW_RR_IMP, 2, {HINGE(3, 0, ".primary"), HINGE(4, 1, ".residual")}},
  {"rsaddle", 2, 2, X_DRAW_RSADDLE, 2, {HINGE(3, 0, ".first"), HINGE(4, 1, ".second")}},
};
// clang-format on
enum { NJOINTS = sizeof joints / sizeof joints[0] };

const x_joint *x_find_joint(const x_loader *l, const char *name) {
  for (int i = 0; i < NJOINTS; i++) {
    if (strcmp(joints[i].name, name) == 0) {
      return &joints[i];
    }
  }
  for (int64_t i = 0; i < l->ncustom; i++) {
    if (strcmp(l->custom[i].name, name) == 0) {
      return &l->custom[i];
    }
  }
  return NULL;
}

void x_nearest_joint(const x_loader *l, const char *name, xml_nearest *nearest) {
  for (int i = 0; i < NJOINTS; i++) {
    xml_offer(nearest, name, joints[i].name);
  }
  for (int64_t i = 0; i < l->ncustom; i++) {
    xml_offer(nearest, name, l->custom[i].name);
  }
}
