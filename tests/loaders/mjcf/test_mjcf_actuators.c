// SPDX-License-Identifier: Apache-2.0
//
// What the MJCF loader makes of actuators: transmissions, and the laws and numbers that shortcuts
// stand for. Expected numbers were learned from an engine that reads the same format.

#include "loaders/mjcf/mjcf_text.h"
#include "suite.h"

START_TEST(transmissions) {
  load("<mujoco><actuator><motor joint='j' gear='2 3'/><motor jointinparent='j'/>"
       "<motor tendon='t'/><motor cranksite='c' slidersite='s' cranklength='1'/>"
       "<motor site='s' refsite='q'/><adhesion body='b' ctrlrange='0 1' gain='3'/></actuator>"
       "</mujoco>");
  for (int i = 0; i < 6; i++) {
    ck_assert_int_eq(f.actuator[i].trntype, i == 2   ? SN_TRN_TENDON
                                            : i == 3 ? SN_TRN_SLIDERCRANK
                                                     : i);
  }
  CHECK_REALS(f.actuator[0].gear, 2, 3, 0, 0, 0, 0);
  ck_assert_str_eq(f.actuator[3].target, "c");
  ck_assert_str_eq(f.actuator[3].refsite, "s");
  ck_assert_str_eq(f.actuator[4].refsite, "q");
  ck_assert_double_eq(f.actuator[5].gainprm[0], 3);
  ck_assert_int_eq(f.actuator[5].ctrllimited, SN_TRUE);
}
END_TEST

// one actuator after a class; laws, and the first three parameters of each
typedef struct shortcut {
  const char *class, *actuator;
  const char *dynamics, *gain, *bias;
  double dynprm[3], gainprm[3], biasprm[3];
} shortcut;

#define FULL                                                                   \
  "<general gainprm='5 6 7' biasprm='1 2 3' dynprm='4 5 6' biastype='affine' " \
  "gaintype='affine' dyntype='filter'/>"
#define J "joint='j'"

// clang-format off
static const shortcut shortcuts[] = {
  { "", "<general " J "/>", "none", "fixed", "none", { 1 }, { 1 }, { 0 } },
  { "", "<motor " J "/>", "none", "fixed", "none", { 1 }, { 1 }, { 0 } },
  { "", "<position " J "/>", "none", "fixed", "affine", { 1 }, { 1 }, { 0, -1 } },
  { "", "<position " J " kp='7'/>", "none", "fixed", "affine", { 1 }, { 7 }, { 0, -7 } },
  { "", "<velocity " J " kv='8'/>", "none", "fixed", "affine", { 1 }, { 8 }, { 0, 0, -8 } },
  { "", "<intvelocity " J " kp='2' actrange='-1 1'/>",
    "integrator", "fixed", "affine", { 1 }, { 2 },
    { 0, -2 } },
  { "", "<damper " J " ctrlrange='0 1' kv='3'/>",
    "none", "affine", "none", { 1 }, { 0, 0, -3 }, { 0 } },
  { "", "<cylinder " J " timeconst='3' area='2' bias='1 2 3'/>", "filter", "fixed", "affine", { 3 },
    { 2 }, { 1, 2, 3 } },
  { "", "<cylinder " J " area='2' diameter='2'/>", "filter", "fixed", "affine", { 1 },
    { 3.14159265358979323846 }, { 0 } },
  { "", "<muscle " J "/>", "muscle", "muscle", "muscle", { 0.01, 0.04 }, { 0.75, 1.05, -1 },
    { 0.75, 1.05, -1 } },
  // what the class sets and the shortcut does not
  { FULL, "<general " J "/>", "filter", "affine", "affine", { 4, 5, 6 }, { 5, 6, 7 }, { 1, 2, 3 } },
  { FULL, "<motor " J "/>", "none", "fixed", "none", { 4, 5, 6 }, { 1, 6, 7 }, { 1, 2, 3 } },
  { FULL, "<position " J "/>", "none", "fixed", "affine", { 4, 5, 6 }, { 5, 6, 7 }, { 0, -5, 0 } },
  { FULL, "<velocity " J " kv='9'/>",
    "none", "fixed", "affine", { 4, 5, 6 }, { 9, 6, 7 }, { 0, 0, -9 } },
  { FULL, "<cylinder " J "/>", "filter", "fixed", "affine", { 4, 5, 6 }, { 5, 6, 7 }, { 1, 2, 3 } },
  { FULL, "<damper " J " ctrlrange='0 1'/>",
    "none", "affine", "none", { 4, 5, 6 }, { 0 }, { 1, 2, 3 } },
  { FULL, "<adhesion body='b' ctrlrange='0 1'/>",
    "none", "fixed", "none", { 4, 5, 6 }, { 1 }, { 0 } },
  { FULL, "<muscle " J " timeconst='1 2'/>", "muscle", "muscle", "muscle", { 1, 2, 6 }, { 5, 6, 7 },
    { 5, 6, 7 } },
  { "<general gainprm='0.3'/>", "<muscle " J "/>", "muscle", "muscle", "muscle", { 0.01, 0.04 },
    { 0.3, 1.05, -1 }, { 0.3, 1.05, -1 } },
  // shortcuts in classes: in order, the last one wins; general changes what it gives
  { "<position kp='3'/><velocity kv='2'/>", "<general " J "/>",
    "none", "fixed", "affine", { 1 }, { 2 },
    { 0, 0, -2 } },
  { "<position kp='3'/><velocity kv='2'/>", "<position " J "/>", "none", "fixed", "affine", { 1 },
    { 2 }, { 0, -2 } },
  { "<position kp='3'/><general gear='2'/>", "<general " J "/>", "none", "fixed", "affine", { 1 },
    { 3 }, { 0, -3 } },
  { "<muscle force='100'/>", "<motor " J "/>", "none", "fixed", "none", { 0.01, 0.04 },
    { 1, 1.05, 100 }, { 0.75, 1.05, 100 } },
  { "<cylinder diameter='2'/>", "<cylinder " J " area='7'/>", "filter", "fixed", "affine", { 1 },
    { 7 }, { 0 } },
};
// clang-format on

START_TEST(shortcut_is_general) {
  const shortcut *s = &shortcuts[_i];
  char text[1024];
  snprintf(text, sizeof text, "<mujoco><default>%s</default><actuator>%s</actuator></mujoco>",
           s->class, s->actuator);
  load(text);
  const sn_actuator_def *d = &f.actuator[0];
  ck_assert_str_eq(d->dyntype, s->dynamics);
  ck_assert_str_eq(d->gaintype, s->gain);
  ck_assert_str_eq(d->biastype, s->bias);
  check_reals(d->dynprm, s->dynprm, 3);
  check_reals(d->gainprm, s->gainprm, 3);
  check_reals(d->biasprm, s->biasprm, 3);
}
END_TEST

START_TEST(shortcuts_limit) {
  load("<mujoco><actuator><damper joint='j' ctrlrange='0 2'/><intvelocity joint='j' "
       "actrange='0 1'/><motor joint='j' ctrllimited='auto' forcelimited='true'/></actuator>"
       "</mujoco>");
  ck_assert_int_eq(f.actuator[0].ctrllimited, SN_TRUE);
  ck_assert_int_eq(f.actuator[1].actlimited, SN_TRUE);
  ck_assert_int_eq(f.actuator[2].ctrllimited, SN_AUTO);
  ck_assert_int_eq(f.actuator[2].forcelimited, SN_TRUE);
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(transmissions);
  EACH(shortcut_is_general, 0, (int)(sizeof shortcuts / sizeof *shortcuts));
  TEST(shortcuts_limit);
}
