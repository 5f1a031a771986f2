// SPDX-License-Identifier: Apache-2.0
//
// Requests of rollouts. The truth is a loop of sn_step in this file, on a model that is edited and
// refreshed for the variations; executors, order, parts and repeated runs must give its bits.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "default_engine.h"
#include "model/model.h"
#include "suite.h"

enum { N = 7, STEPS = 40, EVERY = 4, SAMPLES = STEPS / EVERY };

static const char robot[] =
    "<mujoco model='robot'><option timestep='0.005'><flag sensornoise='enable'/></option>"
    "<worldbody><geom name='floor' type='plane' size='5 5 .1' solref='.03 1'/>"
    "<body name='ball' pos='0 0 .15'><freejoint name='free'/>"
    "<geom name='ball' size='.1' friction='.6'/></body>"
    "<body name='arm' pos='1 0 1'><joint name='hinge' axis='0 1 0' damping='.1' stiffness='1'"
    " range='-3 3' limited='true' frictionloss='.2'/>"
    "<geom name='upper' type='capsule' size='.04' fromto='0 0 0 .4 0 0'/>"
    "<body name='hand' pos='.4 0 0'><joint name='wrist' axis='0 1 0' damping='.05'/>"
    "<geom name='hand' type='box' size='.1 .03 .03' pos='.1 0 0'/><site name='tip' pos='.2 0 0'/>"
    "</body></body></worldbody>"
    "<actuator><motor name='shoulder' joint='hinge' gear='2'/><position name='grip' joint='wrist' "
    "kp='3'/>"
    "</actuator><sensor><jointpos name='angle' joint='hinge' noise='.01'/>"
    "<accelerometer name='tip' site='tip'/></sensor></mujoco>";

static sn_model *m;
static double control[N * STEPS * 2], *initial;
static int64_t full;

static void start(void) {
  open_engine();
  m = model_of(robot);
  full = sn_state_size(m, SN_STATE_FULLPHYSICS);
  initial = calloc((size_t)(N * full), sizeof *initial);
  sn_data *d = data_of(m);
  for (int i = 0; i < N; i++) {
    snd_qvel(d)[0] = 0.3 * (i + 1);
    snd_qvel(d)[6] = 1 - 0.2 * i;
    sn_state_get(m, d, SN_STATE_FULLPHYSICS, initial + i * full);
  }
  sn_data_free(d);
  for (int i = 0; i < N * STEPS * 2; i++) {
    control[i] = 3 * sin(0.37 * i);
  }
}

static void end(void) {
  free(initial);
  sn_model_free(m);
  close_engine();
}

static sn_rollout_record *records(void) {
  static sn_rollout_record list[] = { { .name = "qpos" },        { .name = "sensordata:angle" },
                                      { .name = "xpos:hand:2" }, { .name = "ncon" },
                                      { .name = "qvel:free" },   { .name = "time" } };
  return list;
}
enum { NRECORD = 6, WIDTH = 9 + 1 + 1 + 1 + 6 + 1 };

// What a test asks for: initial states, controls, records.
static sn_rollout_request plain(double *results) {
  return (sn_rollout_request){ .size = sizeof(sn_rollout_request),
                               .n = N,
                               .nstep = STEPS,
                               .every = EVERY,
                               .initial_mask = SN_STATE_FULLPHYSICS,
                               .initial = initial,
                               .control = control,
                               .record = records(),
                               .nrecord = NRECORD,
                               .results = results,
                               .executor = "serial" };
}

static void run(sn_rollout_request *q) {
  const sn_status status = sn_rollout(m, q, error);
  ck_assert_msg(status == SN_OK, "%s", sn_error_text(error));
}

// A rollout by hand, with records in the layout of the results.
static void by_hand(const sn_model *model, int i, int64_t control_every, double *out) {
  sn_data *d = data_of(model);
  sn_state_set(model, d, SN_STATE_FULLPHYSICS, initial + i * full);
  const int hand = sn_find(model, "body", "hand");
  const int64_t rows = (STEPS + control_every - 1) / control_every;
  for (int k = 0; k < STEPS; k++) {
    memcpy(snd_ctrl(d), control + (i * rows + k / control_every) * 2, 2 * sizeof(double));
    ck_assert_int_ge(sn_step(model, d), 0);
    if ((k + 1) % EVERY) {
      continue;
    }
    const int s = k / EVERY;
    memcpy(out + s * 9, snd_qpos(d), 9 * sizeof(double));
    out[SAMPLES * 9 + s] = snd_sensordata(d)[0];
    out[SAMPLES * 10 + s] = snd_xpos(d)[3 * hand + 2];
    out[SAMPLES * 11 + s] = (double)snd_ncon(d);
    memcpy(out + SAMPLES * 12 + s * 6, snd_qvel(d), 6 * sizeof(double));
    out[SAMPLES * 18 + s] = snd_time(d)[0];
  }
  sn_data_free(d);
}

// ------------------------------------------------------------------ records, controls, seeds

START_TEST(records_are_those_of_steps) {
  static double results[N * SAMPLES * WIDTH], own[SAMPLES * WIDTH];
  sn_rollout_request q = plain(results);
  q.control_every = _i ? 3 : 0;
  OK(sn_rollout_measure(m, &q, error));
  ck_assert_int_eq(q.nsample, SAMPLES);
  ck_assert_int_eq(q.nresult, SAMPLES * WIDTH);
  ck_assert_int_eq(q.record[4].width, 6);
  ck_assert_int_eq(q.record[4].offset, SAMPLES * 12);
  run(&q);
  ck_assert(q.done == N && q.failed == 0);
  for (int i = 0; i < N; i++) {
    by_hand(m, i, _i ? 3 : 1, own);
    ck_assert_mem_eq(own, results + i * q.nresult, sizeof own);
  }
}
END_TEST

// One row of initial states and controls for all.
START_TEST(rows_for_all) {
  static double results[N * SAMPLES * WIDTH], own[SAMPLES * WIDTH];
  sn_rollout_request q = plain(results);
  q.flags = SN_ROLLOUT_SAME_INITIAL | SN_ROLLOUT_SAME_CONTROL;
  run(&q);
  by_hand(m, 0, 1, own);
  for (int i = 0; i < N; i++) {
    ck_assert_mem_eq(own, results + i * q.nstep / EVERY * WIDTH, sizeof own);
  }
}
END_TEST

// The noise of rollout i is that of a run with its seed; rollouts differ, and a part of a request
// continues the numbers of the whole.
START_TEST(seeds_are_those_of_the_noise) {
  static double results[N * SAMPLES * WIDTH], part[2 * SAMPLES * WIDTH], own[SAMPLES * WIDTH];
  sn_rollout_request q = plain(results);
  q.seed = 42;
  run(&q);
  for (int i = 0; i < N; i++) {
    sn_model *other = model_of(robot);
    char text[32];
    const uint64_t seed = sn_rollout_seed(42, i);
    ck_assert_uint_lt(seed, 1ull << 53);
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    OK(sn_model_parse_option(other, "noise_seed", text, error));
    by_hand(other, i, 1, own);
    ck_assert_mem_eq(own, results + i * SAMPLES * WIDTH, sizeof own);
    sn_model_free(other);
  }
  ck_assert_double_ne(results[SAMPLES * 9], results[SAMPLES * WIDTH + SAMPLES * 9]);
  sn_rollout_request rest = plain(part);
  rest.seed = 42;
  rest.first = 3;
  rest.n = 2;
  rest.initial += 3 * full;
  rest.control += 3 * STEPS * 2;
  run(&rest);
  ck_assert_mem_eq(part, results + 3 * SAMPLES * WIDTH, sizeof part);
  const uint64_t seeds[2] = { sn_rollout_seed(42, 3), sn_rollout_seed(42, 4) };
  rest.seed = 7;
  rest.first = 0;
  rest.seeds = seeds;
  memset(part, 0, sizeof part);
  run(&rest);
  ck_assert_mem_eq(part, results + 3 * SAMPLES * WIDTH, sizeof part);
}
END_TEST

// ------------------------------------------------------------------ one result for all

static int64_t seen;
static double *streamed;

static sn_status consume(void *context, int64_t row, int32_t status, int64_t reached,
                         const double *results) {
  ck_assert_ptr_eq(context, &seen);
  ck_assert(status == SN_OK && reached == STEPS);
  memcpy(streamed + row * SAMPLES * WIDTH, results, SAMPLES * WIDTH * sizeof(double));
  seen++;
  return SN_OK;
}

// Serial; threads; twice; the rows in two parts; without memory for results.
START_TEST(results_do_not_depend_on_the_executor) {
  static double results[5][N * SAMPLES * WIDTH];
  double mass[N];
  for (int i = 0; i < N; i++) {
    mass[i] = 1 + i;
  }
  sn_rollout_variation vary = { .name = "body_mass:hand", .values = mass };
  for (int k = 0; k < 5; k++) {
    sn_rollout_request q = plain(results[k]);
    uint8_t skip[N] = { 0, 1, 1, 0, 1, 0, 0 };
    q.seed = 5;
    q.vary = &vary;
    q.nvary = 1;
    q.executor = k ? "threads" : "serial";
    q.skip = k == 3 ? skip : NULL;
    seen = 0;
    if (k == 4) {
      streamed = results[4];
      q.results = NULL;
      q.consume = consume;
      q.context = &seen;
    }
    run(&q);
    for (int i = 0; k == 3 && i < N; i++) {
      ck_assert_double_eq(skip[i] * results[3][i * SAMPLES * WIDTH], 0);   // not written
      skip[i] = !skip[i];
    }
    if (k == 3) {
      ck_assert_int_eq(q.done, 4);
      run(&q);
      ck_assert_int_eq(q.done, 3);
    }
    ck_assert_int_eq(seen, k == 4 ? N : 0);
    ck_assert_mem_eq(results[k], results[0], sizeof results[0]);
  }
}
END_TEST

// ------------------------------------------------------------------ variations

static const struct {
  const char *name;
  double scale, shift;
} varied[] = {
  { "geom_friction:ball:0", 4, 0 },
  { "geom_solref:ball", 1.5, 0 },
  { "geom_solimp:floor:1", 0.9, 0 },
  { "geom_solmix:ball", 0.5, 0 },
  { "geom_restitution:ball", 1, 0.5 },
  { "jnt_range:hinge:1", 0.3, 0 },
  { "jnt_margin:hinge", 1, 0.1 },
  { "jnt_solref:hinge:0", 2, 0 },
  { "jnt_solimp:hinge:0", 0.9, 0 },
  { "dof_frictionloss:hinge", 20, 0 },
  { "dof_solref:hinge:0", 3, 0 },
  { "dof_solimp:hinge:0", 0.9, 0 },
  { "actuator_gainprm:shoulder:0", 2, 0 },
  { "actuator_biasprm:grip:1", 2, 0 },
  { "actuator_gear:shoulder:0", 2, 0 },
  { "sensor_noise:angle", 3, 0 },
  { "body_mass:hand", 3, 0 },
  { "body_inertia:hand", 2, 0 },
  { "body_ipos:hand:2", 1, 0.05 },
  { "body_iquat:hand", 1, 0.5 },
  { "dof_armature:hinge", 1, 0.3 },
  { "dof_damping:wrist", 10, 0 },
  { "dof_stiffness:wrist", 1, 4 },
  { "geom_size:ball:0", 0.5, 0 },
  { "geom_pos:floor:2", 1, 0.1 },
  { "body_pos:hand:0", 1.5, 0 },
  { "qpos0:hinge", 1, 0.3 },
  { "gravity:2", 0.5, 0 },
  { "timestep", 0.5, 0 },
  { "density", 1, 1000 },
};
enum { NVARIED = sizeof varied / sizeof varied[0], MOST = 32 };

// The quantity of a model by an independent reading of its name.
static double *numbers_of(sn_model *model, const char *name, int64_t *n) {
  char field[64], element[64] = "";
  int component = -1;
  sn_view view = { .size = sizeof view };
  static const struct {
    const char *start, *kind;
  } kinds[] = { { "geom_", "geom" },    { "body_", "body" },  { "jnt_", "joint" },
                { "dof_", "joint" },    { "qpos0", "joint" }, { "actuator_", "actuator" },
                { "sensor_", "sensor" } };
  ck_assert_int_ge(sscanf(name, "%63[^:]:%63[^:]:%d", field, element, &component), 1);
  if (sn_model_field(model, field, &view) < 0) {
    double *option = strcmp(field, "gravity") == 0    ? model->opt.gravity + 2
                     : strcmp(field, "timestep") == 0 ? &model->opt.timestep
                                                      : &model->opt.density;
    *n = 1;
    return option;
  }
  int32_t id = -1;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strncmp(field, kinds[i].start, strlen(kinds[i].start)) == 0) {
      id = sn_find(model, kinds[i].kind, element);
    }
  }
  id = strncmp(field, "dof_", 4) == 0 ? snm_jnt_dofadr(model)[id] : id;
  id = strcmp(field, "qpos0") == 0 ? snm_jnt_qposadr(model)[id] : id;
  *n = component < 0 ? view.cols : 1;
  return (double *)view.p + id * view.cols + (component < 0 ? 0 : component);
}

// Each alone, in the order 1, 2, 0: what a rollout leaves behind must not reach the next one.
START_TEST(variations_are_edits) {
  static double results[3 * SAMPLES * WIDTH], own[SAMPLES * WIDTH];
  double values[3 * MOST];
  int64_t n;
  const double *base = numbers_of(m, varied[_i].name, &n);
  for (int i = 0; i < 3; i++) {
    for (int64_t k = 0; k < n; k++) {
      const double t = (i + 1) % 3;   // 0: the numbers of the model
      values[i * n + k] = base[k] + 0.5 * t * (base[k] * (varied[_i].scale - 1) + varied[_i].shift);
    }
  }
  sn_rollout_variation vary = { .name = varied[_i].name, .values = values };
  sn_rollout_request q = plain(results);
  q.n = 3;
  q.vary = &vary;
  q.nvary = 1;
  OK(sn_rollout_measure(m, &q, error));
  ck_assert_int_eq(vary.width, n);
  const uint64_t before = si_hash_words(SI_HASH_START, m->buffer, (size_t)m->nbuffer);
  run(&q);
  ck_assert_msg(q.failed == 0, "%s", varied[_i].name);
  ck_assert_uint_eq(si_hash_words(SI_HASH_START, m->buffer, (size_t)m->nbuffer), before);
  for (int i = 0; i < 3; i++) {
    sn_model *edited = model_of(robot);
    memcpy(numbers_of(edited, varied[_i].name, &n), values + i * n, (size_t)n * sizeof(double));
    OK(sn_model_refresh(edited, error));
    by_hand(edited, i, 1, own);
    ck_assert_msg(memcmp(own, results + i * SAMPLES * WIDTH, sizeof own) == 0, "%s, rollout %d",
                  varied[_i].name, i);
    sn_model_free(edited);
  }
  // it does vary the motion
  q = plain(own);
  q.n = 1;
  run(&q);
  ck_assert_msg(memcmp(own, results, sizeof own) != 0, "%s has no effect", varied[_i].name);
}
END_TEST

// A value that no model may have fails its rollout alone.
START_TEST(invalid_values_fail_their_rollout) {
  static const char *const names[] = { "body_mass:hand", "timestep", "body_quat:hand:0" };
  static double results[N * SAMPLES * WIDTH], good[N * SAMPLES * WIDTH];
  double values[N];
  int32_t status[N];
  int64_t reached[N];
  sn_rollout_variation vary = { .name = names[_i], .values = values };
  sn_rollout_request q = plain(good);
  q.vary = &vary;
  q.nvary = 1;
  q.status = status;
  q.reached = reached;
  for (int i = 0; i < N; i++) {
    values[i] = 0.004 + 0.001 * i;
  }
  run(&q);
  q.results = results;
  values[2] = NAN;
  run(&q);
  ck_assert(q.failed == 1 && status[2] == SN_EINVAL && reached[2] == 0);
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < SAMPLES * WIDTH; k++) {
      const double x = results[i * SAMPLES * WIDTH + k];
      ck_assert(i == 2 ? isnan(x) : x == good[i * SAMPLES * WIDTH + k]);
    }
  }
}
END_TEST

// ------------------------------------------------------------------ ends

START_TEST(limits_end_a_rollout) {
  static double results[N * SAMPLES * WIDTH], all[N * SAMPLES * WIDTH];
  int64_t reached[N];
  const sn_rollout_limit limit = { .name = "qpos:hinge", .min = -0.05, .max = 0.05 };
  sn_rollout_request q = plain(all);
  run(&q);
  q = plain(results);
  q.stop = &limit;
  q.nstop = 1;
  q.reached = reached;
  run(&q);
  int stopped = 0;
  for (int i = 0; i < N; i++) {
    // by hand: the first step that leaves the range
    sn_data *d = data_of(m);
    sn_state_set(m, d, SN_STATE_FULLPHYSICS, initial + i * full);
    int k = 0;
    while (k < STEPS && fabs(snd_qpos(d)[7]) <= 0.05) {
      memcpy(snd_ctrl(d), control + (i * STEPS + k) * 2, 2 * sizeof(double));
      ck_assert_int_ge(sn_step(m, d), 0);
      k++;
    }
    sn_data_free(d);
    ck_assert_int_eq(reached[i], k);
    stopped += k < STEPS;
    for (int s = 0; s < SAMPLES; s++) {
      const int64_t at = i * SAMPLES * WIDTH + s * 9;
      ck_assert(s < k / EVERY ? results[at] == all[at] : isnan(results[at]));
    }
  }
  ck_assert_int_gt(stopped, 0);
  ck_assert_int_eq(q.failed, 0);
}
END_TEST

// A rollout that diverges goes on from the reset state, or ends there; the others never notice.
START_TEST(divergence_is_its_own) {
  static double results[N * SAMPLES * WIDTH], good[N * SAMPLES * WIDTH];
  int32_t status[N];
  int64_t reached[N];
  sn_rollout_request q = plain(good);
  run(&q);
  q = plain(results);
  q.flags = _i ? SN_ROLLOUT_STOP : 0;
  q.status = status;
  q.reached = reached;
  double *qvel = initial + full + 1 + snm_nq(m);   // of rollout 1, which flies into infinity
  const double kept = qvel[0];
  qvel[0] = 1e11;
  run(&q);
  qvel[0] = kept;
  ck_assert(q.failed == 1 && status[1] == SN_EDIVERGED && reached[1] == 0);
  for (int i = 0; i < N; i++) {
    const double *x = results + i * SAMPLES * WIDTH;
    ck_assert(i == 1 ? isnan(x[0]) == (_i == 1)
                     : memcmp(x, good + i * SAMPLES * WIDTH, SAMPLES * WIDTH * sizeof *x) == 0);
  }
}
END_TEST

// ------------------------------------------------------------------ feedback

static sn_status feedback(void *context, const sn_model *model, sn_data *d, int64_t rollout,
                          int64_t step) {
  ck_assert_ptr_eq(context, control);
  ck_assert_int_eq(llround(snd_time(d)[0] / 0.005), step);
  snd_ctrl(d)[0] = -5 * snd_qpos(d)[snm_jnt_qposadr(model)[1]] + (double)(rollout - 100);
  return rollout == 102 && step == 9 ? 1 : rollout == 103 && step == 6 ? SN_EPLUGIN : SN_OK;
}

START_TEST(feedback_closes_the_loop) {
  static double states[N * STEPS * 40];
  int32_t status[N];
  int64_t reached[N];
  sn_rollout_request q = plain(NULL);
  q.control = NULL;
  q.nrecord = 0;
  q.every = 0;
  q.first = 100;
  q.result_mask = SN_STATE_QPOS;
  q.states = states;
  q.status = status;
  q.reached = reached;
  q.before_step = feedback;
  q.context = control;
  q.executor = _i ? "threads" : "serial";
  run(&q);
  ck_assert(q.failed == 1 && status[3] == SN_EPLUGIN && reached[3] == 6);
  ck_assert(status[2] == SN_OK && reached[2] == 9);
  for (int i = 0; i < N; i++) {
    sn_data *d = data_of(m);
    sn_state_set(m, d, SN_STATE_FULLPHYSICS, initial + i * full);
    for (int k = 0; k < reached[i]; k++) {
      snd_ctrl(d)[0] = -5 * snd_qpos(d)[7] + i;
      ck_assert_int_ge(sn_step(m, d), 0);
      ck_assert_mem_eq(snd_qpos(d), states + (i * STEPS + k) * 9, 9 * sizeof(double));
    }
    sn_data_free(d);
  }
}
END_TEST

// ------------------------------------------------------------------ canceling

typedef struct canceler {
  int32_t flag;
  int64_t last;
} canceler;

static int32_t cancel_at_three(void *context, int64_t done, int64_t n) {
  canceler *c = context;
  ck_assert(done == c->last + 1 && n == N);
  c->last = done;
  return done >= 3;
}

static sn_status raise_flag(void *context, const sn_model *model, sn_data *d, int64_t rollout,
                            int64_t step) {
  (void)model, (void)d;
  canceler *c = context;
  c->flag = rollout == 2 && step == 5 ? 1 : c->flag;
  return SN_OK;
}

static sn_status refuse(void *context, int64_t row, int32_t status, int64_t reached,
                        const double *results) {
  (void)context, (void)status, (void)reached, (void)results;
  return row == 2 ? SN_EIO : SN_OK;
}

// By progress after three rollouts; by the flag within the third; by the consumer of the third.
START_TEST(cancel) {
  canceler c = { 0 };
  int32_t status[N];
  int64_t reached[N];
  double times[N][SAMPLES] = { { 0 } };
  sn_rollout_request q = plain(times[0]);
  q.record = &(sn_rollout_record){ .name = "time" };
  q.nrecord = 1;
  q.status = status;
  q.reached = reached;
  q.context = &c;
  q.progress = _i == 0 ? cancel_at_three : NULL;
  q.before_step = _i == 1 ? raise_flag : NULL;
  q.cancel = _i == 1 ? &c.flag : NULL;
  q.consume = _i == 2 ? refuse : NULL;
  ck_assert_int_eq(sn_rollout(m, &q, error), _i == 2 ? SN_EIO : SN_OK);
  ck_assert_int_eq(q.done, _i == 1 ? 2 : 3);
  ck_assert_int_eq(q.failed, 0);
  for (int i = 0; i < N; i++) {
    ck_assert_int_eq(status[i], i < q.done ? SN_OK : SN_ECANCELED);
    for (int k = 0; k < SAMPLES; k++) {
      ck_assert_int_eq(!isnan(times[i][k]), k < reached[i] / EVERY);
    }
  }
  ck_assert_int_eq(reached[2], _i == 1 ? 6 : STEPS);
}
END_TEST

// ------------------------------------------------------------------ what is rejected

static void expect(sn_rollout_request *q, sn_status status, const char *words) {
  ck_assert_int_eq(sn_rollout(m, q, error), status);
  ck_assert_msg(strstr(sn_error_text(error), words), "%s", sn_error_text(error));
}

START_TEST(wrong_names) {
  static const struct {
    const char *name;
    sn_status status;
    const char *words;
  } records_of[] = {
    { "qpoz", SN_ENOTFOUND, "did you mean 'qpos'?" },
    { "", SN_EINVAL, "the name of a quantity is missing" },
    { "qpos:elbow", SN_ENOTFOUND, "the model has no joint 'elbow'" },
    { "qpos:free:7", SN_EINVAL, "'7' must be an integer from 0 to 6" },
    { "energy:0", SN_EINVAL, "do not belong to elements" },
    { "contact_dist", SN_EUNSUPPORTED, "changes from step to step" },
  }, varied_of[] = {
    { "body_masss", SN_ENOTFOUND, "did you mean 'body_mass'?" },
    { "geom_type", SN_EUNSUPPORTED, "only real numbers" },
    { "gravity:3", SN_EINVAL, "'3' must be an integer from 0 to 2" },
    { "body_mass:99", SN_ENOTFOUND, "no body '99'" },
  };
  double values[N] = { 0 };
  for (size_t i = 0; i < sizeof records_of / sizeof records_of[0]; i++) {
    sn_rollout_request q = plain(NULL);
    q.record = &(sn_rollout_record){ .name = records_of[i].name };
    q.nrecord = 1;
    expect(&q, records_of[i].status, records_of[i].words);
  }
  for (size_t i = 0; i < sizeof varied_of / sizeof varied_of[0]; i++) {
    sn_rollout_request q = plain(NULL);
    q.vary = &(sn_rollout_variation){ .name = varied_of[i].name, .values = values };
    q.nvary = 1;
    expect(&q, varied_of[i].status, varied_of[i].words);
  }
  sn_rollout_request q = plain(NULL);
  q.vary = &(sn_rollout_variation){ .name = "body_mass:hand" };
  q.nvary = 1;
  expect(&q, SN_EINVAL, "'body_mass:hand' of the rollout request has no values");
  q = plain(NULL);
  q.stop = &(sn_rollout_limit){ .name = "time", .min = 1, .max = 0 };
  q.nstop = 1;
  expect(&q, SN_EINVAL, "the minimum 1 is not below the maximum 0");
  q.stop = NULL;
  expect(&q, SN_EINVAL, "nstop of the rollout request is 1, but its array is NULL");
  q.nstop = -1;
  expect(&q, SN_EINVAL, "must not be negative");
}
END_TEST

TESTS() {
  FIXTURE(start, end);
  EACH(records_are_those_of_steps, 0, 2);
  TEST(rows_for_all);
  TEST(seeds_are_those_of_the_noise);
  TEST(results_do_not_depend_on_the_executor);
  EACH(variations_are_edits, 0, NVARIED);
  EACH(invalid_values_fail_their_rollout, 0, 3);
  TEST(limits_end_a_rollout);
  EACH(divergence_is_its_own, 0, 2);
  EACH(feedback_closes_the_loop, 0, 2);
  EACH(cancel, 0, 3);
  TEST(wrong_names);
}
