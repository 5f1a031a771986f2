// SPDX-License-Identifier: Apache-2.0
//
// The laws of actuators, passive forces, sensors and integrators side by side with the reference
// engine: every law and type, in random states, then stepped together.

#include "reference/laws.h"
#include "suite.h"

// every law of actuators, every sensor that needs no contact, springs and dampers
static const char laws[] =
    "<mujoco>"
    "<option density='0' timestep='0.002' magnetic='0.1 -0.5 0.3' wind='0.3 0.2 -0.4'/>"
    "<default><geom contype='0' conaffinity='0'/></default>"
    "<worldbody>"
    "<body name='base' pos='0 0 1'><freejoint/>"
    "<geom name='g0' type='box' size='.1 .2 .3' pos='.1 0 .05' euler='10 20 30'/>"
    "<site name='s0' pos='.1 .2 .3' euler='20 40 10'/>"
    "<camera name='c0' pos='0 .1 .2' euler='3 4 50'/>"
    "<camera name='c1' mode='trackcom' pos='0 1 .2' euler='3 4 50'/>"
    "<body name='b1' pos='.3 0 .1' euler='0 30 0'>"
    "<joint name='ball' type='ball' pos='0 .1 0' stiffness='3' damping='.4'/>"
    "<geom name='g1' type='capsule' size='.05' fromto='0 0 0 .3 .1 0'/>"
    "<body name='b2' pos='.3 .1 0'>"
    "<joint name='h1' type='hinge' axis='1 2 0' stiffness='2' damping='.2' springref='20'/>"
    "<joint name='sl' type='slide' axis='0 0 1' stiffness='10' damping='1'/>"
    "<geom name='g2' type='ellipsoid' size='.1 .05 .07' pos='.1 .05 0'/>"
    "<site name='s2' pos='-.1 .2 .1' euler='20 140 10'/>"
    "</body></body>"
    "<body name='b3' pos='-.3 0 .1'><joint name='h2' axis='0 1 0' damping='.1'/>"
    "<geom name='g3' type='cylinder' size='.05 .1'/><site name='s3' pos='0 0 .2'/></body>"
    "</body>"
    "</worldbody>"
    "<tendon><spatial name='t0' stiffness='20' damping='3' springlength='.2'>"
    "<site site='s2'/><site site='s3'/></spatial>"
    "<fixed name='t1' damping='1.5'><joint joint='h1' coef='1'/>"
    "<joint joint='h2' coef='-.5'/></fixed></tendon>"
    "<actuator>"
    "<motor joint='h1' ctrlrange='-1 1' ctrllimited='true' gear='3'/>"
    "<position joint='h2' kp='10' forcerange='-2 2' forcelimited='true'/>"
    "<velocity joint='h1' kv='.7'/>"
    "<general site='s2' gear='1 .2 .3 .1 .5 .6' gainprm='3'/>"
    "<general joint='sl' dyntype='filter' dynprm='.05' gainprm='5' biastype='affine' "
    "biasprm='1 -2 -.3'/>"
    "<general joint='h2' dyntype='integrator' gaintype='affine' gainprm='2 1 .5' "
    "actrange='-.5 .5' actlimited='true'/>"
    "<muscle name='mu' tendon='t0' lengthrange='.2 1.2' range='.7 1.1' force='-1' scale='10' "
    "lmin='.1'/>"
    "<muscle name='mu2' tendon='t0' lengthrange='.2 1.2' force='30'/>"
    "<cylinder joint='sl' timeconst='.3' area='.2' bias='1 2 3'/>"
    "</actuator>"
    "<sensor>"
    "<accelerometer site='s0'/><accelerometer site='s2'/><velocimeter site='s2'/>"
    "<gyro site='s2'/><force site='s0'/><force site='s2'/><torque site='s2'/>"
    "<torque site='s0'/><magnetometer site='s2'/>"
    "<jointpos joint='h1'/><jointvel joint='sl'/><tendonpos tendon='t0'/>"
    "<tendonvel tendon='t1'/><actuatorpos actuator='mu'/><actuatorvel actuator='mu'/>"
    "<actuatorfrc actuator='mu'/><ballquat joint='ball'/><ballangvel joint='ball'/>"
    "<framepos objtype='body' objname='b2'/><framepos objtype='xbody' objname='b2'/>"
    "<framepos objtype='geom' objname='g2'/><framepos objtype='site' objname='s2'/>"
    "<framepos objtype='camera' objname='c0'/><framepos objtype='camera' objname='c1'/>"
    "<framequat objtype='body' objname='b2'/><framequat objtype='xbody' objname='b2'/>"
    "<framequat objtype='geom' objname='g2'/><framequat objtype='site' objname='s2'/>"
    "<framequat objtype='camera' objname='c0'/><framequat objtype='camera' objname='c1'/>"
    "<framexaxis objtype='body' objname='b2'/><frameyaxis objtype='xbody' objname='b2'/>"
    "<framezaxis objtype='geom' objname='g2'/>"
    "<framelinvel objtype='body' objname='b2'/><framelinvel objtype='xbody' objname='b2'/>"
    "<framelinvel objtype='geom' objname='g2'/><framelinvel objtype='camera' objname='c0'/>"
    "<framelinvel objtype='camera' objname='c1'/>"
    "<frameangvel objtype='body' objname='b2'/><frameangvel objtype='camera' objname='c0'/>"
    "<framelinacc objtype='body' objname='b2'/><framelinacc objtype='xbody' objname='b2'/>"
    "<framelinacc objtype='geom' objname='g2'/><framelinacc objtype='camera' objname='c0'/>"
    "<frameangacc objtype='body' objname='b2'/><frameangacc objtype='site' objname='s2'/>"
    "<framepos objtype='body' objname='b2' reftype='site' refname='s0'/>"
    "<framepos objtype='geom' objname='g2' reftype='camera' refname='c0'/>"
    "<framepos objtype='geom' objname='g2' reftype='body' refname='b3'/>"
    "<framequat objtype='body' objname='b2' reftype='site' refname='s0'/>"
    "<framequat objtype='geom' objname='g2' reftype='camera' refname='c0'/>"
    "<framequat objtype='geom' objname='g2' reftype='body' refname='b3'/>"
    "<framexaxis objtype='body' objname='b2' reftype='site' refname='s0'/>"
    "<framezaxis objtype='geom' objname='g2' reftype='camera' refname='c0'/>"
    "<frameyaxis objtype='geom' objname='g2' reftype='body' refname='b3'/>"
    "<framelinvel objtype='body' objname='b2' reftype='site' refname='s0'/>"
    "<framelinvel objtype='geom' objname='g2' reftype='camera' refname='c0'/>"
    "<framelinvel objtype='geom' objname='g2' reftype='body' refname='b3'/>"
    "<frameangvel objtype='body' objname='b2' reftype='site' refname='s0'/>"
    "<frameangvel objtype='geom' objname='g2' reftype='camera' refname='c0'/>"
    "<frameangvel objtype='geom' objname='g2' reftype='body' refname='b3'/>"
    "<subtreecom body='b1'/><subtreelinvel body='b1'/><subtreeangmom body='b1'/>"
    "<subtreeangmom body='base'/><clock/>"
    "<accelerometer site='s0' cutoff='.5'/><subtreeangmom body='base' cutoff='.01'/>"
    "<user datatype='real' dim='3' needstage='vel' objtype='body' objname='b1'/>"
    "</sensor>"
    "</mujoco>";

// contacts and limits, for the sensors that read them
static const char touching[] =
    "<mujoco>"
    "<worldbody>"
    "<geom name='floor' type='plane' size='5 5 .1'/>"
    "<body name='a' pos='0 0 .12'><freejoint/><geom name='ga' type='box' size='.1 .2 .1' />"
    "<site name='a1' type='sphere' size='.15' pos='0 0 -.1'/>"
    "<site name='a2' type='box' size='.11 .21 .01' pos='0 0 -.1'/>"
    "<site name='a3' type='capsule' size='.05 .2' pos='.1 0 -.1' euler='90 0 0'/>"
    "<site name='a4' type='cylinder' size='.15 .05' pos='.1 0 -.02' euler='20 10 0'/>"
    "<site name='a5' type='ellipsoid' size='.1 .25 .05' pos='0 .05 .0'/>"
    "<site name='a6' type='box' size='.11 .21 .01' pos='0 0 .1'/>"
    "<site name='a7' type='sphere' size='.03' pos='.1 .2 .05'/>"
    "<body name='b' pos='0 0 .3'><joint name='h' axis='0 1 0' range='-5 5' limited='true'/>"
    "<joint name='s' type='slide' axis='0 0 1' range='-.01 .01' limited='true' margin='.05'/>"
    "<geom name='gb' type='capsule' size='.05 .1' euler='0 90 0'/>"
    "<site name='b1' size='.06' pos='.1 0 0'/><site name='b2' size='.06' pos='-.1 0 0'/>"
    "<site name='b3' type='box' size='.2 .1 .01' pos='0 0 .06'/></body>"
    "</body>"
    "<body name='c' pos='.02 .05 .5'><freejoint/>"
    "<geom name='gc' type='sphere' size='.06' friction='.7 .1 .1' condim='6'/>"
    "<site name='c1' size='.02' pos='0 0 -.06'/><site name='c2' size='.02' pos='0 0 .06'/>"
    "</body>"
    "</worldbody>"
    "<tendon><fixed name='t' limited='true' range='-.02 .01'><joint joint='h' coef='.5'/>"
    "<joint joint='s' coef='1'/></fixed></tendon>"
    "<sensor>"
    "<rangefinder site='a4'/><rangefinder site='c1'/><rangefinder site='b2'/>"
    "<touch site='a1'/><touch site='a2'/><touch site='a3'/><touch site='a4'/>"
    "<touch site='a5'/><touch site='a6'/><touch site='a7'/><touch site='b1'/>"
    "<touch site='b2'/><touch site='b3'/><touch site='c1'/><touch site='c2'/>"
    "<touch site='a2' cutoff='3'/>"
    "<jointlimitpos joint='h'/><jointlimitvel joint='h'/><jointlimitfrc joint='h'/>"
    "<jointlimitpos joint='s'/><jointlimitvel joint='s'/><jointlimitfrc joint='s'/>"
    "<tendonlimitpos tendon='t'/><tendonlimitvel tendon='t'/><tendonlimitfrc tendon='t'/>"
    "<accelerometer site='b1'/><force site='b1'/><torque site='b1'/><force site='a1'/>"
    "<framelinacc objtype='body' objname='c'/>"
    "</sensor>"
    "</mujoco>";

// ------------------------------------------------------------------ tests

// Sensors that the reference engine does not have; figures of its version 3 are in
// compile/test_actuator_ranges.c.
static int is_newer(const char *sensor) {
  return strcmp(sensor, "jointactuatorfrc") == 0 || strcmp(sensor, "tendonactuatorfrc") == 0;
}

// No type of sensor is left out of the two texts above.
START_TEST(sensors_are_all_compared) {
  const si_provider *p;
  for (int64_t i = 0; (p = si_engine_each(engine, SN_KIND_SENSOR, i)); i++) {
    char element[64];
    snprintf(element, sizeof element, "<%s", p->name);
    size_t n = strlen(element);
    const char *at = NULL, *const texts[] = { laws, touching };
    for (int k = 0; k < 2 && !at; k++) {
      for (at = strstr(texts[k], element); at && at[n] != ' ' && at[n] != '/';) {
        at = strstr(at + 1, element);
      }
    }
    ck_assert_msg(at || is_newer(p->name), "%s is in no text", p->name);
  }
}
END_TEST

START_TEST(laws_agree_in_vacuum) {
  compare_run(laws, "<option integrator='Euler' magnetic='.1 -.5 .3'/>", 100, 1e-10);
  compare_run(laws, "<option integrator='implicit'/>", 100, 1e-10);
  compare_run(laws, "<option integrator='RK4'/>", 100, 1e-10);
}
END_TEST

START_TEST(laws_agree_in_a_fluid) {
  static const char medium[] = "<option integrator='implicit' density='30' viscosity='.7' "
                               "wind='.3 .2 -.4'/>";
  compare_run(laws, medium, 100, 1e-10);
}
END_TEST

START_TEST(flags_mean_the_same) {
  static const char *const flags[] = { "passive", "gravity", "clampctrl", "actuation", "sensor" };
  for (int i = 0; i < 5; i++) {
    char option[256];
    snprintf(option, sizeof option, "<option viscosity='.7'><flag %s='disable'/></option>",
             flags[i]);
    compare_run(laws, option, 20, 1e-10);
  }
}
END_TEST

// The ellipsoid model. Added masses are those of the reference, whose integrals have few digits.
START_TEST(ellipsoids_agree) {
  char xml[4096];
  int n = snprintf(xml, sizeof xml, "<mujoco><worldbody>");
  static const char *const shapes[] = {
    "type='ellipsoid' size='.1 .2 .35'", "type='ellipsoid' size='.3 .05 .12' euler='10 20 30'",
    "type='sphere' size='.2'",           "type='capsule' size='.1 .2'",
    "type='cylinder' size='.2 .1'",      "type='box' size='.2 .1 .3'"
  };
  for (int i = 0; i < 6; i++) {
    n += snprintf(xml + n, sizeof xml - (size_t)n,
                  "<body pos='%d 0 0'><freejoint/><geom %s fluidshape='ellipsoid' "
                  "fluidcoef='.5 .3 1.2 .9 .8' pos='.3 0 .1'/></body>",
                  3 * i, shapes[i]);
  }
  snprintf(xml + n, sizeof xml - (size_t)n, "</worldbody></mujoco>");
  compare_run(xml, "<option density='20' viscosity='.1' wind='1 2 3'/>", 50, 1e-10);
  compare_run(xml, "<option density='20' integrator='implicit'/>", 50, 1e-10);
}
END_TEST

// Contacts and limits: the same states, made by the reference engine.
START_TEST(touch_and_limits_agree) {
  static const char *const cones[] = { "pyramidal", "elliptic" };
  for (int k = 0; k < 2; k++) {
    char option[256];
    snprintf(option, sizeof option, "<option cone='%s' tolerance='1e-12'/>", cones[k]);
    pair p = pair_of(touching, option);
    for (int i = 0; i < 400; i++) {
      if (i % 40 == 0) {
        copy(p.data->qpos, p.d->qpos, p.model->nq);
        copy(p.data->qvel, p.d->qvel, p.model->nv);
        copy(p.data->qacc_warmstart, p.d->qacc_warmstart, p.model->nv);
        mj_forward(p.m, p.d);
        ck_assert_int_ge(sn_forward(p.model, p.data), 0);
        compare_state(&p, 1e-6);
      }
      mj_step(p.m, p.d);
    }
    close_pair(&p);
  }
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(sensors_are_all_compared);
  TEST(laws_agree_in_vacuum);
  TEST(laws_agree_in_a_fluid);
  TEST(flags_mean_the_same);
  TEST(ellipsoids_agree);
  TEST(touch_and_limits_agree);
}
