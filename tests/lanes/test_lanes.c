// SPDX-License-Identifier: Apache-2.0
//
// Steps in lanes give the bits of sn_step, simulation by simulation, and leave those simulations
// alone that need more than lanes cover.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "default_engine.h"
#include "edit/variant.h"
#include "lanes/state.h"
#include "model/fields.h"
#include "random_state.h"
#include "suite.h"

enum { STEPS = 300 };

// share: how much of the steps lanes cover at least and at most
static const struct {
  const char *name, *text;
  double least, most;
} cases[] = {
  { "tree",
    "<mujoco><option timestep='0.004'/><worldbody>"
    "<body pos='0 0 1'><joint type='slide' axis='1 0 .3' damping='.1' stiffness='2'/>"
    "<geom type='box' size='.1 .2 .1' pos='.1 0 0' euler='10 20 30'/>"
    "<body pos='.2 0 .1' euler='0 30 0'><joint axis='0 1 0' pos='0 .1 0' damping='.01'/>"
    "<joint type='slide' axis='0 0 1' stiffness='30' armature='.1'/><geom size='.1' pos='0 0 .3'/>"
    "<body pos='0 .3 0'><joint axis='1 2 3' damping='.02' springref='20' stiffness='.2'/>"
    "<geom type='capsule' size='.05 .1' pos='.1 .1 0' contype='0' conaffinity='0'/></body>"
    "<body pos='0 -.3 0'><geom size='.06' contype='0' conaffinity='0'/><body pos='0 -.2 0'>"
    "<joint axis='1 0 0'/><joint axis='0 0 1'/><geom type='box' size='.1 .02 .05' pos='.1 0 0'"
    " contype='0' conaffinity='0'/></body></body></body></body>"
    "<body pos='3 0 0'><joint axis='0 1 0'/><geom size='.1' pos='.5 0 0'/></body></worldbody>"
    "</mujoco>",
    1, 1 },
  { "limits",
    "<mujoco><option timestep='.01'/><worldbody><body>"
    "<joint name='a' type='slide' axis='1 0 0' range='-.5 .5'"
    " limited='true' damping='.3'/><geom size='.1' mass='1'/><body><joint name='b' axis='0 1 0'/>"
    "<geom size='.05' pos='0 0 .5' mass='.2'/></body></body></worldbody>"
    "<actuator><motor joint='a' gear='20' ctrllimited='true' ctrlrange='-1 1'/>"
    "<velocity joint='a' kv='.5'/><position joint='b' kp='2' forcelimited='true'"
    " forcerange='-.5 .5'/></actuator></mujoco>",
    1, 1 },
  { "contacts",
    "<mujoco><option integrator='RK4'/><worldbody><geom type='plane' size='2 2 .1'/>"
    "<body pos='0 0 .6'><joint type='slide' axis='0 0 1'/><joint axis='0 1 0'/>"
    "<geom type='capsule' size='.1 .2'/></body>"
    "<body pos='.3 0 .9'><joint type='slide' axis='1 0 0' damping='.2'/>"
    "<geom size='.2'/></body></worldbody></mujoco>",
    .05, .95 },
  { "muscles",
    "<mujoco><option timestep='.005'/><default><default class='m'><muscle ctrllimited='true'"
    " ctrlrange='0 1'/></default></default><worldbody>"
    "<site name='s0' pos='-.15 0 0'/><site name='x0' pos='0 -.15 0'/>"
    "<body><joint name='a' axis='0 0 1' damping='.1'/><geom type='capsule' size='.04'"
    " fromto='0 0 0 .5 0 0'/><geom name='shoulder' type='cylinder' size='.1 .05' mass='0'/>"
    "<site name='s1' pos='.15 .06 0'/><site name='s2' pos='.15 -.06 0'/><site name='s3'"
    " pos='.4 .06 0'/><site name='x1' pos='.5 -.15 0'/><body pos='.5 0 0'><joint name='b'"
    " axis='0 0 1' damping='.1'/><geom type='capsule' size='.03' fromto='0 0 0 .5 0 0'/>"
    "<geom name='elbow' type='sphere' size='.08' mass='0'/><site name='s4' pos='.11 .05 0'/>"
    "</body></body></worldbody><tendon><spatial name='t0' stiffness='3' damping='.2'"
    " springlength='.2 .25'><site site='s0'/><geom geom='shoulder'/><site site='s1'/></spatial>"
    "<spatial name='t1'><site site='s0'/><geom geom='shoulder' sidesite='x0'/><site site='s2'/>"
    "<pulley divisor='2'/><site site='s3'/><geom geom='elbow'/><site site='s4'/></spatial>"
    "<spatial name='t2' limited='true' range='0 .55'><site site='s0'/><site site='s4'/></spatial>"
    "<fixed name='t3' stiffness='1'><joint joint='a' coef='.5'/><joint joint='b' coef='-.3'/>"
    "</fixed></tendon><actuator><motor joint='a' gear='.5'/>"
    "<muscle class='m' tendon='t0' lengthrange='.1 .5'/>"
    "<muscle class='m' tendon='t1' lengthrange='.1 .5'/>"
    "<general joint='b' dyntype='filter' dynprm='.05' gainprm='2' actlimited='true'"
    " actrange='-.3 .3'/><general tendon='t3' dyntype='integrator' gainprm='3' biastype='affine'"
    " biasprm='0 -3'/><muscle class='m' joint='b' lengthrange='-2 2'/>"
    "<general tendon='t2' dyntype='filterexact' dynprm='.1' gaintype='affine' gainprm='1 .2 -.1'/>"
    "</actuator></mujoco>",
    1, 1 },
  { "friction",
    "<mujoco><option timestep='.01' integrator='RK4'/><worldbody><body><joint name='a'"
    " type='slide' axis='1 0 0' range='-.3 .3' limited='true' margin='.02' frictionloss='.4'/>"
    "<geom size='.1'/><body><joint name='b' axis='0 1 0'/><geom size='.05' pos='0 0 .5'/></body>"
    "</body><body pos='3 0 0'><joint name='c' axis='0 1 0' damping='.1'/><geom size='.1'"
    " pos='.5 0 0'/></body></worldbody><tendon><fixed limited='true' range='-.5 .4'"
    " frictionloss='.2'><joint joint='b' coef='.5'/><joint joint='c' coef='-.3'/></fixed></tendon>"
    "<actuator><motor joint='a' gear='5'/><motor joint='c' gear='3'/></actuator></mujoco>",
    1, 1 },
};
enum { NCASE = sizeof cases / sizeof cases[0] };

static const char *label(int i) {
  return cases[i].name;
}

static void set_state(const sn_model *m, sn_data *d, uint32_t *seed) {
  for (int64_t i = 0; i < snm_nq(m); i++) {
    snd_qpos(d)[i] = 0.3 * uniform(seed);
  }
  for (int64_t i = 0; i < snm_nv(m); i++) {
    snd_qvel(d)[i] = uniform(seed);
    snd_qfrc_applied(d)[i] = 0.1 * uniform(seed);
  }
}

static void assert_same(const sn_model *m, const sn_data *a, const sn_data *b) {
  const size_t nv = (size_t)m->nv * sizeof(double);
  ck_assert_mem_eq(a->qpos, b->qpos, (size_t)m->nq * sizeof(double));
  ck_assert_mem_eq(a->qvel, b->qvel, nv);
  ck_assert_mem_eq(a->act, b->act, (size_t)m->na * sizeof(double));
  ck_assert_mem_eq(a->qacc, b->qacc, nv);
  ck_assert_mem_eq(a->qacc_warmstart, b->qacc_warmstart, nv);
  ck_assert_mem_eq(a->time, b->time, sizeof(double));
}

// ------------------------------------------------------------------ bits

START_TEST(bits_are_those_of_single_steps) {
  sn_model *m = model_of(cases[_i].text);
  sn_data *d[SI_LANES], *alone[SI_LANES];
  uint32_t seed = 7;
  int64_t covered = 0;
  ck_assert(si_lanes_cover(m));
  si_lanes *l = si_lanes_new(m);
  for (int w = 0; w < SI_LANES; w++) {
    d[w] = data_of(m);
    alone[w] = data_of(m);
    set_state(m, d[w], &seed);
    sn_data_copy(m, alone[w], d[w]);
  }
  for (int k = 0; k < STEPS; k++) {
    for (int w = 0; w < SI_LANES; w++) {
      for (int64_t i = 0; i < m->nu; i++) {
        d[w]->ctrl[i] = alone[w]->ctrl[i] = sin(0.05 * (w + 1) * k + (double)i);
      }
      sn_step(m, alone[w]);
    }
    // every lane, then with one of them without a simulation
    const uint32_t wanted = k % 5 ? 0xf : 0xd;
    const uint32_t done = si_lanes_step(l, d, wanted);
    ck_assert_uint_eq(done & ~wanted, 0);
    for (int w = 0; w < SI_LANES; w++) {
      covered += done >> w & 1;
      if (!(done >> w & 1)) {
        sn_step(m, d[w]);
      }
      assert_same(m, d[w], alone[w]);
    }
  }
  const double share = (double)covered / (SI_LANES * STEPS - STEPS / 5);
  ck_assert_msg(share >= cases[_i].least && share <= cases[_i].most, "%s: %g", cases[_i].name,
                share);
  for (int w = 0; w < SI_LANES; w++) {
    sn_data_free(d[w]);
    sn_data_free(alone[w]);
  }
  si_lanes_free(l);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ models that differ

// All numbers of the model that a step in lanes reads, and some that plugins read.
static const char *const varied[] = {
#define SN_X(name) #name,
  SI_LANE_NUMBERS(SN_X)
#undef SN_X
      "gravity",
  "dof_stiffness",
  "qpos_spring",
  "tendon_stiffness",
  "tendon_damping",
  "tendon_lengthspring",
  "actuator_dynprm",
  "actuator_gainprm",
  "actuator_biasprm",
  "actuator_lengthrange",
  "actuator_acc0",
  "geom_margin",
  "geom_rbound"
};
enum { NVARIED = sizeof varied / sizeof varied[0], MOST_NUMBERS = 2000 };

static const double *numbers_of(const sn_model *m, const si_part *p) {
  return p->what == SI_PART_OPTION ? m->opt.gravity : (const double *)m->field[p->field] + p->first;
}

// Every number, larger by some percent in each simulation after the first.
static int64_t make_values(const sn_model *m, const si_part *part, int64_t n, int lane,
                           double *to) {
  int64_t count = 0;
  for (int64_t k = 0; k < n; k++) {
    for (int64_t i = 0; i < part[k].n; i++) {
      ck_assert_int_lt(count, MOST_NUMBERS);
      to[count++] = numbers_of(m, &part[k])[i] * (1 + 0.03 * lane);
    }
  }
  return count;
}

static void vary_all(const sn_model *m, si_variant **variant) {
  static double values[MOST_NUMBERS];
  si_part part[NVARIED];
  int64_t n = 0;
  for (int i = 0; i < NVARIED; i++) {
    si_part p;
    OK(si_part_of_model(m, varied[i], &p, error));
    const int is_path = strcmp(varied[i], "wrap_prm") == 0;   // numbers of side points
    if (!is_path && p.n > 0) {
      part[n++] = p;
    }
  }
  for (int w = 0; w < SI_LANES; w++) {
    OK(si_variant_new(m, part, n, &variant[w], error));
    make_values(m, part, n, w, values);
    OK(si_variant_set(variant[w], values, error));
  }
}

START_TEST(models_may_differ) {
  sn_model *m = model_of(cases[_i].text);
  si_variant *variant[SI_LANES];
  const sn_model *models[SI_LANES];
  sn_data *d[SI_LANES], *alone[SI_LANES];
  uint32_t seed = 7;
  int64_t covered = 0;
  si_lanes *l = si_lanes_new(m);
  vary_all(m, variant);
  for (int w = 0; w < SI_LANES; w++) {
    models[w] = si_variant_model(variant[w]);
    d[w] = data_of(models[w]);
    alone[w] = data_of(models[w]);
    set_state(models[w], d[w], &seed);
    sn_data_copy(models[w], alone[w], d[w]);
  }
  si_lanes_use(l, models);
  for (int k = 0; k < STEPS; k++) {
    for (int w = 0; w < SI_LANES; w++) {
      for (int64_t i = 0; i < m->nu; i++) {
        d[w]->ctrl[i] = alone[w]->ctrl[i] = sin(0.05 * (w + 1) * k + (double)i);
      }
      sn_step(models[w], alone[w]);
    }
    const uint32_t done = si_lanes_step(l, d, 0xf);
    for (int w = 0; w < SI_LANES; w++) {
      covered += done >> w & 1;
      if (!(done >> w & 1)) {
        sn_step(models[w], d[w]);
      }
      assert_same(models[w], d[w], alone[w]);
    }
  }
  const double share = (double)covered / (SI_LANES * STEPS);
  ck_assert_msg(share >= cases[_i].least, "%s: %g", cases[_i].name, share);
  for (int w = 0; w < SI_LANES; w++) {
    sn_data_free(d[w]);
    sn_data_free(alone[w]);
    si_variant_free(variant[w]);
  }
  si_lanes_free(l);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ what is left to sn_step

typedef void spoil_fn(sn_data *d);

static void bad_position(sn_data *d) {
  d->qpos[0] = NAN;
}
static void bad_velocity(sn_data *d) {
  d->qvel[1] = 1e11;
}
static void bad_control(sn_data *d) {
  d->ctrl[0] = INFINITY;
}
static void another_time(sn_data *d) {
  d->time[0] = 5;
}
static void pulled_body(sn_data *d) {
  d->xfrc_applied[6 + 2] = 1;
}

static spoil_fn *const spoils[] = { bad_position, bad_velocity, bad_control, another_time,
                                    pulled_body };
enum { NSPOIL = sizeof spoils / sizeof spoils[0] };

// One simulation in which lanes do not work, among three in which they do.
START_TEST(one_simulation_is_left_alone) {
  sn_model *m = model_of(cases[1].text);
  sn_data *d[SI_LANES], *alone[SI_LANES], *before = data_of(m);
  si_lanes *l = si_lanes_new(m);
  for (int w = 0; w < SI_LANES; w++) {
    d[w] = data_of(m);
    d[w]->qpos[1] = 0.1 * w;
    if (w == 2) {
      spoils[_i](d[w]);
    }
    alone[w] = data_of(m);
    sn_data_copy(m, alone[w], d[w]);
    sn_step(m, alone[w]);
  }
  sn_data_copy(m, before, d[2]);
  ck_assert_uint_eq(si_lanes_step(l, d, 0xf), 0xb);
  assert_same(m, d[2], before);
  for (int w = 0; w < SI_LANES; w++) {
    if (w != 2) {
      assert_same(m, d[w], alone[w]);
    }
    sn_data_free(d[w]);
    sn_data_free(alone[w]);
  }
  sn_data_free(before);
  si_lanes_free(l);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ models that are not covered

static const char *const others[] = {
  "<body><freejoint/><geom size='.1'/></body>",
  "<body><joint type='ball'/><geom size='.1' pos='.1 0 0'/></body>",
  "<body><joint name='j'/><geom size='.1' pos='.1 0 0'/></body></worldbody><tendon>"
  "<fixed armature='.1'><joint joint='j' coef='1'/></fixed></tendon><worldbody>",
  "<body mocap='true'><geom size='.1'/></body><body><joint/><geom size='.1' pos='.1 0 0'/></body>",
  "<body gravcomp='1'><joint/><geom size='.1' pos='.1 0 0'/></body>",
};
enum { NOTHER = sizeof others / sizeof others[0] };

START_TEST(other_models_are_not_covered) {
  char text[600];
  snprintf(text, sizeof text, "<mujoco><worldbody>%s</worldbody></mujoco>", others[_i]);
  sn_model *m = model_of(text);
  ck_assert(!si_lanes_cover(m));
  sn_model_free(m);
}
END_TEST

// A medium, by an option that may be edited: the plugin does not support lanes then.
START_TEST(a_medium_is_left_to_single_steps) {
  sn_model *m = model_of(cases[0].text);
  sn_data *d[SI_LANES];
  si_lanes *l = si_lanes_new(m);
  for (int w = 0; w < SI_LANES; w++) {
    d[w] = data_of(m);
  }
  ck_assert_uint_eq(si_lanes_step(l, d, 0xf), 0xf);
  OK(sn_model_parse_option(m, "density", "1000", error));
  ck_assert_uint_eq(si_lanes_step(l, d, 0xf), 0);
  for (int w = 0; w < SI_LANES; w++) {
    sn_data_free(d[w]);
  }
  si_lanes_free(l);
  sn_model_free(m);
}
END_TEST

#ifdef __x86_64__
// The instruction sets compute the same bits.
START_TEST(kernels_agree) {
  sn_model *m = model_of(cases[_i].text);
  si_lanes *a = si_lanes_new(m), *b = si_lanes_new(m);
  uint32_t seed = 3;
  if (__builtin_cpu_supports("avx2")) {
    for (int64_t i = 0; i < SI_LANES * m->nv; i++) {
      ((double *)a->qpos)[i] = ((double *)b->qpos)[i] = uniform(&seed);
      ((double *)a->qvel)[i] = ((double *)b->qvel)[i] = uniform(&seed);
    }
    si_lane_kernels_base.position(a);
    si_lane_kernels_base.velocity(a);
    si_lane_kernels_base.solve(a, 0.01, a->qfrc_bias);
    si_lane_kernels_avx2.position(b);
    si_lane_kernels_avx2.velocity(b);
    si_lane_kernels_avx2.solve(b, 0.01, b->qfrc_bias);
    const size_t nv = (size_t)m->nv * sizeof(si_lane);
    ck_assert_mem_eq(a->qfrc_bias, b->qfrc_bias, nv);
    ck_assert_mem_eq(a->qLD, b->qLD, (size_t)m->nM * sizeof(si_lane));
    ck_assert_mem_eq(a->actuator_length, b->actuator_length, (size_t)m->nu * sizeof(si_lane));
    ck_assert_mem_eq(a->actuator_velocity, b->actuator_velocity, (size_t)m->nu * sizeof(si_lane));
  }
  si_lanes_free(a);
  si_lanes_free(b);
  sn_model_free(m);
}
END_TEST
#endif

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH_NAMED(bits_are_those_of_single_steps, 0, NCASE, label);
  EACH_NAMED(models_may_differ, 0, NCASE, label);
  EACH(one_simulation_is_left_alone, 0, NSPOIL);
  EACH(other_models_are_not_covered, 0, NOTHER);
  TEST(a_medium_is_left_to_single_steps);
#ifdef __x86_64__
  EACH(kernels_agree, 0, NCASE);
#endif
}
