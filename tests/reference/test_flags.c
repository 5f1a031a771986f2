// SPDX-License-Identifier: Apache-2.0
//
// Disable and enable flags, one by one against the reference engine: the flag changes what it is
// about, and changes it as in the reference. And divergence: bad numbers in the state raise a
// counted warning and reset, as there.

#include "model_file.h"
#include "reference/pair.h"
#include "suite.h"

#define SCENE model_file("reference/flags")

typedef struct flag {
  const char *name;
  int disable, enable;   // the reference's bits
} flag;

static const flag flags[] = {
  { "constraint", mjDSBL_CONSTRAINT, 0 },     { "equality", mjDSBL_EQUALITY, 0 },
  { "frictionloss", mjDSBL_FRICTIONLOSS, 0 }, { "limit", mjDSBL_LIMIT, 0 },
  { "contact", mjDSBL_CONTACT, 0 },           { "passive", mjDSBL_PASSIVE, 0 },
  { "gravity", mjDSBL_GRAVITY, 0 },           { "clampctrl", mjDSBL_CLAMPCTRL, 0 },
  { "filterparent", mjDSBL_FILTERPARENT, 0 }, { "actuation", mjDSBL_ACTUATION, 0 },
  { "refsafe", mjDSBL_REFSAFE, 0 },           { "override", 0, mjENBL_OVERRIDE },
};
enum { NFLAGS = sizeof flags / sizeof flags[0], STEPS = 20 };

static void set_flag(pair *p, const flag *f) {
  set_ours(p, f->name, f->disable ? "disable" : "enable");
  p->m->opt.disableflags |= f->disable;
  p->m->opt.enableflags |= f->enable;
}

static void set_override(pair *p) {
  set_ours(p, "o_margin", "0.002");
  set_ours(p, "o_solref", "0.05 0.7");
  set_ours(p, "o_solimp", "0.7 0.8 0.01 0.4 3");
  static const double solimp[] = { 0.7, 0.8, 0.01, 0.4, 3 };
  p->m->opt.o_margin = 0.002;
  p->m->opt.o_solref[0] = 0.05;
  p->m->opt.o_solref[1] = 0.7;
  memcpy(p->m->opt.o_solimp, solimp, sizeof solimp);
}

static void start(pair *p) {
  converge(p);
  set_override(p);
  stir(p, 0.25, 0.5);
  p->d->qpos[2] = p->d->qpos[9] = 0.09;   // in contact
  p->d->ctrl[0] = 3;                      // beyond its range
  p->d->ctrl[1] = 0.8;
  p->d->act[0] = 0.3;
  follow(p);
}

static void same_everything(pair *p, const char *where) {
  const mjModel *m = p->m;
  const mjData *b = p->d;
  sn_data *a = p->data;
  int64_t nv = m->nv;
  ck_assert_msg(snd_ncon(a) == b->ncon, "%s: %lld contacts instead of %d", where,
                (long long)snd_ncon(a), b->ncon);
  ck_assert_msg(snd_nefc(a) == b->nefc && snd_ne(a) == b->ne && snd_nf(a) == b->nf,
                "%s: %lld rows instead of %d", where, (long long)snd_nefc(a), b->nefc);
  same_array(where, "qfrc_bias", snd_qfrc_bias(a), b->qfrc_bias, nv, 1e-10);
  same_array(where, "qfrc_passive", snd_qfrc_passive(a), b->qfrc_passive, nv, 1e-10);
  same_array(where, "qfrc_actuator", snd_qfrc_actuator(a), b->qfrc_actuator, nv, 1e-10);
  same_array(where, "qfrc_constraint", snd_qfrc_constraint(a), b->qfrc_constraint, nv, 1e-8);
  same_array(where, "qacc", snd_qacc(a), b->qacc, nv, 1e-8);
  same_array(where, "act_dot", snd_act_dot(a), b->act_dot, m->na, 1e-12);
  same_array(where, "sensordata", snd_sensordata(a), b->sensordata, m->nsensordata, 1e-8);
}

START_TEST(flag_skips_its_stage) {
  const flag *f = &flags[_i];
  pair plain, p;
  open_text(&plain, SCENE);
  open_text(&p, SCENE);
  start(&plain);
  start(&p);
  set_flag(&p, f);
  mj_forward(plain.m, plain.d);
  mj_forward(p.m, p.d);
  ck_assert_int_eq(sn_forward(p.model, p.data), SN_OK);
  // it matters here
  ck_assert_msg(difference(p.d->qacc, plain.d->qacc, p.m->nv) > 1e-3, "%s changes nothing",
                f->name);
  same_everything(&p, f->name);
  for (int i = 0; i < STEPS; i++) {
    mj_step(p.m, p.d);
    ck_assert_int_eq(sn_step(p.model, p.data), SN_OK);
  }
  same_everything(&p, f->name);
  same_array(f->name, "qpos", snd_qpos(p.data), p.d->qpos, p.m->nq, 1e-8);
  same_array(f->name, "qvel", snd_qvel(p.data), p.d->qvel, p.m->nv, 1e-8);
  same_array(f->name, "act", snd_act(p.data), p.d->act, p.m->na, 1e-10);
  close_pair(&plain);
  close_pair(&p);
}
END_TEST

// All disable flags together, in pairs with the first.
START_TEST(flags_go_together) {
  pair p;
  open_text(&p, SCENE);
  start(&p);
  set_flag(&p, &flags[_i]);
  set_flag(&p, &flags[(_i + 3) % NFLAGS]);
  set_flag(&p, &flags[(_i + 7) % NFLAGS]);
  for (int i = 0; i < STEPS; i++) {
    mj_step(p.m, p.d);
    ck_assert_int_eq(sn_step(p.model, p.data), SN_OK);
  }
  same_everything(&p, flags[_i].name);
  same_array(flags[_i].name, "qpos", snd_qpos(p.data), p.d->qpos, p.m->nq, 1e-8);
  close_pair(&p);
}
END_TEST

START_TEST(sensor_flag_keeps_the_values) {
  pair p;
  open_text(&p, SCENE);
  start(&p);
  set_flag(&p, &(flag){ "sensor", mjDSBL_SENSOR, 0 });
  for (int i = 0; i < p.m->nsensordata; i++) {
    snd_sensordata(p.data)[i] = p.d->sensordata[i] = 10 + i;
  }
  mj_step(p.m, p.d);
  ck_assert_int_eq(sn_step(p.model, p.data), SN_OK);
  same_array("sensor", "sensordata", snd_sensordata(p.data), p.d->sensordata, p.m->nsensordata, 0);
  close_pair(&p);
}
END_TEST

START_TEST(energy_flag_computes_energy) {
  pair p;
  open_text(&p, SCENE);
  start(&p);
  ck_assert_int_eq(sn_forward(p.model, p.data), SN_OK);
  ck_assert(snd_energy(p.data)[0] == 0 && snd_energy(p.data)[1] == 0);
  set_flag(&p, &(flag){ "energy", 0, mjENBL_ENERGY });
  mj_forward(p.m, p.d);
  ck_assert_int_eq(sn_forward(p.model, p.data), SN_OK);
  ck_assert_double_gt(fabs(p.d->energy[0]), 0.1);
  same_array("energy", "energy", snd_energy(p.data), p.d->energy, 2, 1e-11);
  close_pair(&p);
}
END_TEST

// Without a warm start the solver begins at the smooth acceleration: the same bits as when that is
// the warm start.
START_TEST(warmstart_flag_begins_anew) {
  pair warm, cold;
  open_text(&warm, SCENE);
  open_text(&cold, SCENE);
  start(&warm);
  start(&cold);
  set_ours(&warm, "iterations", "1");
  set_ours(&cold, "iterations", "1");
  set_ours(&cold, "warmstart", "disable");
  int64_t nv = warm.m->nv;
  ck_assert_int_eq(sn_step(warm.model, warm.data), SN_OK);
  follow(&warm);
  memcpy(snd_qacc_warmstart(cold.data), snd_qacc(warm.data), (size_t)nv * sizeof(double));
  memcpy(snd_qacc_warmstart(warm.data), snd_qacc(warm.data), (size_t)nv * sizeof(double));
  ck_assert_int_eq(sn_forward(warm.model, warm.data), SN_OK);
  ck_assert_int_eq(sn_forward(cold.model, cold.data), SN_OK);
  ck_assert_double_gt(difference(snd_qacc(warm.data), snd_qacc(cold.data), nv), 1e-9);
  memcpy(snd_qacc_warmstart(warm.data), snd_qacc_smooth(warm.data), (size_t)nv * sizeof(double));
  ck_assert_int_eq(sn_forward(warm.model, warm.data), SN_OK);
  ck_assert_mem_eq(snd_qacc(warm.data), snd_qacc(cold.data), (size_t)nv * sizeof(double));
  close_pair(&warm);
  close_pair(&cold);
}
END_TEST

// Noise is drawn from a stream of one's own: that it is there, and of the size that is asked for.
START_TEST(noise_flag_adds_noise) {
  pair p;
  double sum = 0, squares = 0;
  enum { N = 2000 };
  open_text(&p, "<mujoco><option timestep='1e-6'/><worldbody><body><joint name='j'/>"
                "<geom size='.1'/></body></worldbody>"
                "<sensor><jointpos joint='j' noise='.25'/></sensor></mujoco>");
  ck_assert_int_eq(sn_step(p.model, p.data), SN_OK);
  ck_assert_double_lt(fabs(snd_sensordata(p.data)[0]), 1e-6);
  set_ours(&p, "sensornoise", "enable");
  for (int i = 0; i < N; i++) {
    ck_assert_int_eq(sn_step(p.model, p.data), SN_OK);
    double x = snd_sensordata(p.data)[0] - snd_qpos(p.data)[0];
    sum += x / N;
    squares += x * x / N;
  }
  // 4 standard errors
  ck_assert_double_lt(fabs(sum), 4 * 0.25 / sqrt(N));
  ck_assert_double_lt(fabs(sqrt(squares) / 0.25 - 1), 4 / sqrt(2.0 * N));
  close_pair(&p);
}
END_TEST

// ------------------------------------------------------------------ divergence

typedef struct disaster {
  const char *name;
  int theirs, ours;
} disaster;

static const disaster disasters[] = {
  { "qpos", mjWARN_BADQPOS, SN_WARN_BADQPOS },
  { "qvel", mjWARN_BADQVEL, SN_WARN_BADQVEL },
  { "qacc", mjWARN_BADQACC, SN_WARN_BADQACC },
};
static const double bad_numbers[] = { NAN, INFINITY, -INFINITY, 1e11 };
enum { NDISASTERS = 3, NBAD = 4 };

START_TEST(divergence_resets) {
  const disaster *what = &disasters[_i % NDISASTERS];
  double bad = bad_numbers[_i / NDISASTERS];
  pair p;
  open_text(&p, SCENE);
  start(&p);
  mj_step(p.m, p.d);
  ck_assert_int_eq(sn_step(p.model, p.data), SN_OK);
  if (_i % NDISASTERS == 0) {
    p.d->qpos[5] = snd_qpos(p.data)[5] = bad;
  } else if (_i % NDISASTERS == 1) {
    p.d->qvel[3] = snd_qvel(p.data)[3] = bad;
  } else {
    double force = bad == 1e11 ? 1e13 : bad;
    p.d->qfrc_applied[13] = snd_qfrc_applied(p.data)[13] = force;
  }
  mj_step(p.m, p.d);
  ck_assert_int_eq(sn_step(p.model, p.data), SN_EDIVERGED);
  ck_assert_int_eq(p.d->warning[what->theirs].number, 1);
  for (int w = 0; w < SN_NWARNINGS; w++) {
    ck_assert_msg(sn_data_warning_count(p.data, w) == (w == what->ours), "%s of %g: %lld times %s",
                  what->name, bad, (long long)sn_data_warning_count(p.data, w),
                  sn_data_warning_name(w));
  }
  ck_assert_double_eq(snd_time(p.data)[0], p.d->time);
  same_array(what->name, "qpos", snd_qpos(p.data), p.d->qpos, p.m->nq, 1e-9);
  same_array(what->name, "qvel", snd_qvel(p.data), p.d->qvel, p.m->nv, 1e-9);
  // it goes on, and the count stays
  for (int i = 0; i < 5; i++) {
    mj_step(p.m, p.d);
    ck_assert_int_eq(sn_step(p.model, p.data), SN_OK);
  }
  same_array(what->name, "qpos", snd_qpos(p.data), p.d->qpos, p.m->nq, 1e-9);
  ck_assert_int_eq(sn_data_warning_count(p.data, what->ours), 1);
  close_pair(&p);
}
END_TEST

TESTS() {
  EACH(flag_skips_its_stage, 0, NFLAGS);
  EACH(flags_go_together, 0, NFLAGS);
  TEST(sensor_flag_keeps_the_values);
  TEST(energy_flag_computes_energy);
  TEST(warmstart_flag_begins_anew);
  TEST(noise_flag_adds_noise);
  EACH(divergence_resets, 0, NDISASTERS * NBAD);
}
