// SPDX-License-Identifier: Apache-2.0
//
// What the MJCF loader makes of classes of defaults: who inherits what, and which elements are on
// their own.

#include "loaders/mjcf/mjcf_text.h"
#include "suite.h"

START_TEST(classes) {
  load("<mujoco><worldbody><geom size='1'/><geom class='sub'/>"
       "<body childclass='sub'><geom type='ellipsoid'/><geom rgba='0 0 1 0'/>"
       "<geom class='top'/><body><geom/></body></body></worldbody>"
       "<default class='top'><default class='sub'><geom rgba='0 1 0 1' friction='2'/></default>"
       "<geom rgba='1 0 0 1' size='3 4 5' friction='3 4'/><joint damping='9' user='1 2 3'/>"
       "</default></mujoco>");
  CHECK_REALS(f.geom[0].rgba, 1, 0, 0, 1);
  CHECK_REALS(f.geom[0].size, 1, 4, 5);   // the numbers given, the rest of the class
  CHECK_REALS(f.geom[0].friction, 3, 4, 0.0001);
  CHECK_REALS(f.geom[1].rgba, 0, 1, 0, 1);
  CHECK_REALS(f.geom[1].friction, 2, 4, 0.0001);   // the class inherits what comes after it
  CHECK_REALS(f.geom[2].rgba, 0, 1, 0, 1);
  ck_assert_int_eq(f.geom[2].type, SN_GEOM_ELLIPSOID);
  CHECK_REALS(f.geom[3].rgba, 0, 0, 1, 0);
  CHECK_REALS(f.geom[4].rgba, 1, 0, 0, 1);
  CHECK_REALS(f.geom[5].rgba, 0, 1, 0, 1);   // childclass reaches grandchildren
}
END_TEST

START_TEST(top_level_sections_are_one_class) {
  load("<mujoco><default class='a'><geom size='1'/><default class='s'/></default>"
       "<default class='b'><geom friction='2'/></default>"
       "<worldbody><geom class='b'/><geom class='s'/></worldbody></mujoco>");
  ck_assert_double_eq(f.geom[0].size[0], 1);
  ck_assert_double_eq(f.geom[0].friction[0], 2);
  ck_assert_double_eq(f.geom[1].size[0], 1);
  ck_assert_double_eq(f.geom[1].friction[0], 1);   // s was copied before
}
END_TEST

START_TEST(free_joint_and_classes) {
  load(
      "<mujoco><default><joint damping='3' group='2' armature='2'/></default>"
      "<worldbody><body><freejoint/></body><body><joint type='free'/></body></worldbody></mujoco>");
  ck_assert_double_eq(f.joint[0].damping, 0);
  ck_assert_int_eq(f.joint[0].group, 0);
  ck_assert_double_eq(f.joint[1].damping, 3);
  ck_assert_int_eq(f.joint[1].type, SN_JOINT_FREE);
}
END_TEST

START_TEST(limits_are_automatic) {
  load("<mujoco><worldbody><body><joint range='0 1'/><joint limited='false'/></body></worldbody>"
       "<tendon><fixed><joint joint='j' coef='1'/></fixed></tendon>"
       "<actuator><motor joint='j'/></actuator></mujoco>");
  ck_assert_int_eq(f.joint[0].limited, SN_AUTO);
  ck_assert_int_eq(f.joint[1].limited, SN_FALSE);
  ck_assert_int_eq(f.tendon[0].limited, SN_AUTO);
  ck_assert_int_eq(f.actuator[0].ctrllimited, SN_AUTO);
  ck_assert_int_eq(f.actuator[0].forcelimited, SN_AUTO);
  ck_assert_int_eq(f.actuator[0].actlimited, SN_AUTO);
}
END_TEST

START_TEST(orientations_of_classes) {
  load("<mujoco><default><geom euler='0 0 90'/></default>"
       "<worldbody><geom axisangle='1 0 0 9'/><geom quat='0 1 0 0'/></worldbody></mujoco>");
  CHECK_REALS(f.geom[0].orient.euler, 0, 0, 90);   // the stronger alternative
  ck_assert(isnan(f.geom[0].orient.axisangle[0]));
  CHECK_REALS(f.geom[1].orient.euler, 0, 0, 90);
}
END_TEST

START_TEST(pairs_have_numbers_of_their_own) {
  load("<mujoco><default><geom friction='7'/></default><contact><pair geom1='a' geom2='b'/>"
       "<pair geom1='a' geom2='b' friction='2' condim='6'/>"
       "<exclude body1='x' body2='y'/></contact></mujoco>");
  ck_assert_int_eq(f.pair[0].condim, 3);
  CHECK_REALS(f.pair[0].friction, 1, 1, 0.005, 0.0001, 0.0001);
  CHECK_REALS(f.pair[0].solref, 0.02, 1);
  ck_assert_double_eq(f.pair[0].margin, 0);
  CHECK_REALS(f.pair[1].friction, 2, 1, 0.005, 0.0001, 0.0001);
  ck_assert_str_eq(f.exclude[0].body2, "y");
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(classes);
  TEST(top_level_sections_are_one_class);
  TEST(free_joint_and_classes);
  TEST(limits_are_automatic);
  TEST(orientations_of_classes);
  TEST(pairs_have_numbers_of_their_own);
}
