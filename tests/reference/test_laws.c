// SPDX-License-Identifier: Apache-2.0
//
// The laws of actuators, passive forces, sensors and integrators side by side with the reference
// engine: every law and type, in random states, then stepped together.

#include "model_file.h"
#include "reference/laws.h"
#include "suite.h"

static const char *laws(void) {
  return model_file("reference/laws");
}

static const char *touching(void) {
  return model_file("reference/contact_sensors");
}

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
    const char *at = NULL, *const texts[] = { laws(), touching() };
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
  compare_run(laws(), "<option integrator='Euler' magnetic='.1 -.5 .3'/>", 100, 1e-10);
  compare_run(laws(), "<option integrator='implicit'/>", 100, 1e-10);
  compare_run(laws(), "<option integrator='RK4'/>", 100, 1e-10);
}
END_TEST

START_TEST(laws_agree_in_a_fluid) {
  static const char medium[] = "<option integrator='implicit' density='30' viscosity='.7' "
                               "wind='.3 .2 -.4'/>";
  compare_run(laws(), medium, 100, 1e-10);
}
END_TEST

START_TEST(flags_mean_the_same) {
  static const char *const flags[] = { "passive", "gravity", "clampctrl", "actuation", "sensor" };
  for (int i = 0; i < 5; i++) {
    char option[256];
    snprintf(option, sizeof option, "<option viscosity='.7'><flag %s='disable'/></option>",
             flags[i]);
    compare_run(laws(), option, 20, 1e-10);
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
    pair p = pair_of(touching(), option);
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
