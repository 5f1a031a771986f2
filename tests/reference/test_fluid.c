// SPDX-License-Identifier: Apache-2.0
//
// Bodies in a fluid, stepped with the implicit integrator beside the reference engine, each step
// from its state: the slopes of drag and added mass, of small bodies that are slow too. The added
// mass of the reference is an integral to about seven digits.

#include "reference/pair.h"
#include "suite.h"

static const char *const shapes[] = {
  "type='ellipsoid' size='.11 .07 .1'", "type='ellipsoid' size='.02 .03 .01'",
  "type='cylinder' size='.12 .05'",     "type='capsule' size='.01 .03'",
  "type='box' size='.05 .03 .02'",      "type='sphere' size='.02'",
};
enum { NSHAPES = sizeof shapes / sizeof *shapes };

START_TEST(implicit_steps_agree) {
  char xml[1000];
  snprintf(xml, sizeof xml,
           "<mujoco><option timestep='.002' integrator='implicit' density='1000' "
           "viscosity='%s'/><worldbody><body><freejoint/><geom %s fluidshape='ellipsoid' "
           "fluidcoef='1 .3 1.5 1 1'/><body pos='.1 0 0'><joint axis='1 2 3'/><geom %s "
           "fluidshape='ellipsoid' fluidcoef='1 .3 1.5 1 1'/></body></body></worldbody></mujoco>",
           _i % 2 ? "0" : ".1", shapes[_i / 2], shapes[(_i / 2 + 1) % NSHAPES]);
  for (double speed = 1; speed > 1e-4; speed *= 0.1) {
    pair p;
    open_text(&p, xml);
    stir(&p, 0.3, speed);
    p.m->opt.gravity[2] = 0;
    set_ours(&p, "gravity", "0 0 0");
    for (int step = 0; step < 20; step++) {
      follow(&p);
      mj_step(p.m, p.d);
      ck_assert_int_eq(sn_step(p.model, p.data), SN_OK);
      double off = difference(snd_qvel(p.data), p.d->qvel, p.m->nv);
      ck_assert_msg(off < 1e-6 * speed, "%s, speed %g, step %d: %g apart", shapes[_i / 2], speed,
                    step, off);
    }
    close_pair(&p);
  }
}
END_TEST

TESTS() {
  EACH(implicit_steps_agree, 0, 2 * NSHAPES);
}
