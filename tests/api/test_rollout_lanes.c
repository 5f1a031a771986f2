// SPDX-License-Identifier: Apache-2.0
//
// Rollouts on the executors "lanes" and "auto" have the bits of "serial": whatever is recorded,
// while limits are reached, when rollouts fail, stop or are not run.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "default_engine.h"
#include "lanes/lanes.h"
#include "model/model.h"
#include "sinew/executor.h"
#include "suite.h"

enum { N = 11, STEPS = 120, NU = 2 };

static const char cart[] =
    "<mujoco><option timestep='.01'/><worldbody><body name='cart'><joint name='slide' type='slide'"
    " axis='1 0 0' range='-.4 .4' limited='true' damping='.1'/><geom size='.1' mass='1'/>"
    "<body name='pole'><joint name='hinge' axis='0 1 0' damping='.01'/><geom size='.05'"
    " pos='0 0 .5' mass='.2'/>"
    "<site name='tip' pos='0 0 .5'/></body></body></worldbody><actuator><motor name='push'"
    " joint='slide' gear='8'/><general name='turn' joint='hinge' dyntype='filter' dynprm='.1'/>"
    "</actuator><sensor>"
    "<accelerometer site='tip'/><jointpos joint='hinge' noise='.1'/></sensor></mujoco>";

static sn_model *m;
static double control[N * STEPS * NU], initial[N * 2 * 8];

static int tried;   // groups that the executor runs together; all others one by one

static int64_t two(const void *self) {
  (void)self;
  return 2;
}

static sn_status try_and_choose(const void *self, sn_job *job, sn_error *e) {
  void *worker[2] = { NULL };
  int64_t task = 0;
  (void)self, (void)e;
  for (int k = 0; k < 2; k++) {
    OK(job->open(job, k, &worker[k]));
  }
  for (; task < tried * job->group; task += job->group) {
    job->run_group(job, worker[0], task, job->group);
  }
  for (; task < job->ntask; task++) {
    job->status[task] = job->run(job, worker[task % 2], task, NULL, &job->reached[task]);
  }
  for (int k = 0; k < 2; k++) {
    job->close(job, worker[k]);
  }
  return SN_OK;
}

static const sn_executor_ops choosing = {
  .head = { .size = sizeof choosing },
  .workers = two,
  .run = try_and_choose,
};

static void start(void) {
  open_engine();
  OK(sn_engine_add(engine, SN_KIND_EXECUTOR, "choosing", &choosing, error));
  m = model_of(cart);
  ck_assert(si_lanes_cover(m));
  const int64_t n = sn_state_size(m, SN_STATE_FULLPHYSICS);
  sn_data *d = data_of(m);
  for (int i = 0; i < N; i++) {
    snd_qpos(d)[0] = 0.05 * i - 0.2;
    snd_qpos(d)[1] = 0.3 * i;
    snd_qvel(d)[1] = 1 - 0.2 * i;
    sn_state_get(m, d, SN_STATE_FULLPHYSICS, initial + i * n);
  }
  sn_data_free(d);
  for (int i = 0; i < N * STEPS * NU; i++) {
    control[i] = sin(0.11 * i);
  }
}

static void end(void) {
  sn_model_free(m);
  close_engine();
}

static sn_rollout_record of_state[] = { { .name = "qpos" },
                                        { .name = "qvel:hinge" },
                                        { .name = "qacc" },
                                        { .name = "act" },
                                        { .name = "time" } };
static sn_rollout_record of_steps[] = { { .name = "qpos" },
                                        { .name = "sensordata" },
                                        { .name = "xpos" },
                                        { .name = "nefc" },
                                        { .name = "qfrc_bias" } };
static sn_rollout_limit stop[] = { { .name = "qpos:hinge", .min = -6, .max = 6 } };
static sn_rollout_limit stop_late[] = { { .name = "sensordata", .min = -1e3, .max = 30 } };
static uint8_t skip[N] = { 0, 1, 0, 0, 0, 1, 0, 0, 1 };

typedef struct outcome {
  double *results, *states;
  int32_t status[N];
  int64_t reached[N];
  int64_t failed, done;
} outcome;

static int32_t taken;
static sn_status consume(void *context, int64_t row, int32_t status, int64_t reached,
                         const double *results) {
  const sn_rollout_request *q = context;
  ck_assert(status == SN_OK && reached <= STEPS);
  ck_assert_mem_eq(results, q->results + row * q->nresult, (size_t)q->nresult * sizeof(double));
  taken++;
  return SN_OK;
}

// What differs from one case to the next.
enum {
  OF_STATE,
  OF_STEPS,
  EACH_STEP,
  STOPS,
  STOPS_BY_SENSOR,
  SKIPS,
  FAILS,
  CONSUMES,
  SEEDS,
  VARIES,
  VARIES_INVALID,
  VARIES_DAMPING,
  NKIND
};

// Numbers that steps in lanes, plugins and constraint rows take from the model.
static double body_mass[N], damping[N], gear[N], range[2 * N], gain[N], gravity[3 * N], spring[N],
    place[3 * N], friction[N];
static sn_rollout_variation vary[] = {
  { .name = "body_mass:cart", .values = body_mass },
  { .name = "dof_damping:slide", .values = damping },
  { .name = "actuator_gear:push:0", .values = gear },
  { .name = "jnt_range:slide", .values = range },
  { .name = "actuator_gainprm:turn:0", .values = gain },
  { .name = "gravity", .values = gravity },
  { .name = "dof_stiffness:hinge", .values = spring },
  { .name = "body_pos:pole", .values = place },
  { .name = "dof_frictionloss:hinge", .values = friction },
};
enum { NVARY = sizeof vary / sizeof vary[0] };

// Simulations with and without damping, and all with constraint rows, are stepped together.
static double dampings[2 * N], losses[2 * N];
static sn_rollout_variation vary_damping[] = {
  { .name = "dof_damping", .values = dampings },
  { .name = "dof_frictionloss", .values = losses },
};

static void make_variations(void) {
  for (int i = 0; i < N; i++) {
    body_mass[i] = 1 + 0.1 * i;
    damping[i] = i % 3 ? 0.02 * i : 0;
    gear[i] = 8 - 0.3 * i;
    range[2 * i] = -0.3 - 0.02 * i;
    range[2 * i + 1] = 0.5 - 0.02 * i;
    gain[i] = 1 + 0.05 * i;
    gravity[3 * i] = 0.1 * i;
    gravity[3 * i + 1] = 0;
    gravity[3 * i + 2] = -9 - 0.2 * i;
    spring[i] = i % 4 ? 0.1 * i : 0;
    place[3 * i] = 0.02 * (i % 2);
    place[3 * i + 1] = place[3 * i + 2] = 0;
    friction[i] = i == 5 ? 0.1 : 0;
    dampings[2 * i] = dampings[2 * i + 1] = i % 2 ? 0.1 : 0;
    losses[2 * i] = losses[2 * i + 1] = 0.01;
  }
}

static sn_rollout_request request(int kind, const char *executor) {
  sn_rollout_request q = { .size = sizeof q,
                           .n = N,
                           .nstep = STEPS,
                           .every = kind == EACH_STEP ? 1 : 7,
                           .initial_mask = SN_STATE_FULLPHYSICS,
                           .result_mask = SN_STATE_INTEGRATION,
                           .initial = initial,
                           .control = control,
                           .control_every = 2,
                           .record = kind == OF_STATE ? of_state : of_steps,
                           .nrecord = 5,
                           .executor = executor };
  q.stop = kind == STOPS ? stop : stop_late;
  q.nstop = kind == STOPS || kind == STOPS_BY_SENSOR;
  q.skip = kind == SKIPS ? skip : NULL;
  q.flags = kind == FAILS ? SN_ROLLOUT_STOP : 0;
  q.consume = kind == CONSUMES ? consume : NULL;
  q.seed = kind == SEEDS ? 3 : 0;
  q.vary = vary;
  q.nvary = kind == VARIES || kind == VARIES_INVALID ? NVARY : 0;
  if (kind == VARIES_DAMPING) {
    q.vary = vary_damping;
    q.nvary = 2;
  }
  return q;
}

static outcome run(int kind, const char *executor) {
  sn_rollout_request q = request(kind, executor);
  outcome o = { 0 };
  OK(sn_rollout_measure(m, &q, error));
  const int64_t nstate = sn_state_size(m, q.result_mask);
  o.results = calloc((size_t)(N * q.nresult), sizeof(double));
  o.states = calloc((size_t)(N * q.nsample * nstate), sizeof(double));
  q.results = o.results;
  q.states = o.states;
  q.status = o.status;
  q.reached = o.reached;
  q.context = &q;
  taken = 0;
  OK(sn_rollout(m, &q, error));
  ck_assert_int_eq(taken, kind == CONSUMES ? N : 0);
  o.failed = q.failed;
  o.done = q.done;
  return o;
}

static void free_outcome(outcome *o) {
  free(o->results);
  free(o->states);
}

static const char *const executors[] = { "lanes", "auto" };

START_TEST(bits_are_those_of_serial) {
  const int kind = _i / 2;
  if (kind == FAILS) {
    initial[2 * sn_state_size(m, SN_STATE_FULLPHYSICS) + 3] = 1e12;   // a velocity of rollout 2
  }
  make_variations();
  if (kind == VARIES_DAMPING) {   // the model itself has none
    memset(m->dof_damping, 0, 2 * sizeof(double));
    OK(sn_model_refresh(m, error));
  }
  if (kind == VARIES_INVALID) {
    body_mass[3] = -1;
  }
  outcome a = run(kind, "serial"), b = run(kind, executors[_i % 2]);
  sn_rollout_request q = request(kind, NULL);
  OK(sn_rollout_measure(m, &q, error));
  const size_t nresult = (size_t)(N * q.nresult),
               nstate = (size_t)(N * q.nsample * sn_state_size(m, q.result_mask));
  ck_assert_mem_eq(a.results, b.results, nresult * sizeof(double));
  ck_assert_mem_eq(a.states, b.states, nstate * sizeof(double));
  ck_assert_mem_eq(a.reached, b.reached, sizeof a.reached);
  ck_assert_mem_eq(a.status, b.status, sizeof a.status);
  ck_assert(a.done == b.done && a.failed == b.failed);
  // the cases are what their names say
  ck_assert_int_eq(a.failed, kind == FAILS || kind == VARIES_INVALID ? 1 : 0);
  int shorter = 0;
  for (int i = 0; i < N; i++) {
    shorter += a.reached[i] > 0 && a.reached[i] < STEPS;
  }
  ck_assert((shorter > 0) == (kind == STOPS || kind == STOPS_BY_SENSOR));
  ck_assert(shorter < N && a.done == (kind == SKIPS ? N - 3 : N));
  free_outcome(&a);
  free_outcome(&b);
}
END_TEST

static int32_t cancel_at(void *context, int64_t done, int64_t n) {
  (void)context;
  return done >= n / 2;
}

// Canceled between two groups: what was run is what serial runs. With several threads, the last
// group may have begun before the others were done.
START_TEST(a_group_is_canceled) {
  outcome a = run(OF_STATE, "serial");
  sn_rollout_request q = request(OF_STATE, executors[_i]);
  OK(sn_rollout_measure(m, &q, error));
  double *results = calloc((size_t)(N * q.nresult), sizeof *results);
  int32_t status[N];
  q.results = results;
  q.status = status;
  q.progress = cancel_at;
  q.result_mask = 0;
  OK(sn_rollout(m, &q, error));
  int run_to_end = 0;
  for (int i = 0; i < N; i++) {
    if (status[i] == SN_OK) {
      run_to_end++;
      ck_assert_mem_eq(results + i * q.nresult, a.results + i * q.nresult,
                       (size_t)q.nresult * sizeof(double));
    }
  }
  ck_assert(run_to_end >= N / 2 && q.done == run_to_end);
  ck_assert(run_to_end < N || q.nworker > 1);
  free(results);
  free_outcome(&a);
}
END_TEST

// The memory of one rollout is about the same in lanes, where four run at the same time.
START_TEST(memory_is_that_of_one_rollout) {
  sn_rollout_request q = request(OF_STATE, "serial");
  q.result_mask = 0;
  OK(sn_rollout(m, &q, error));
  ck_assert_int_eq(q.nworker, 1);
  const int64_t alone = q.worker_bytes;
  q.executor = "lanes";
  OK(sn_rollout(m, &q, error));
  ck_assert_int_eq(q.nworker, SI_LANES);
  ck_assert(q.worker_bytes > alone / 2 && q.worker_bytes < 2 * alone);
  q.executor = "serial";   // the worker has memory for four still
  OK(sn_rollout(m, &q, error));
  ck_assert(q.nworker == 1 && q.worker_bytes == alone);
  static const uint8_t all[N] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
  q.skip = all;
  OK(sn_rollout(m, &q, error));
  ck_assert(q.nworker == 0 && q.worker_bytes == 0);
}
END_TEST

// One group of a trial does not make four of each worker.
START_TEST(what_was_chosen_is_reported) {
  sn_rollout_request q = request(OF_STATE, "choosing");
  q.result_mask = 0;
  for (tried = 0; tried <= 2; tried++) {
    OK(sn_rollout(m, &q, error));
    ck_assert_int_eq(q.nworker, tried == 2 ? 2 * SI_LANES : 2);
  }
}
END_TEST

TESTS() {
  FIXTURE(start, end);
  EACH(bits_are_those_of_serial, 0, 2 * NKIND);
  EACH(a_group_is_canceled, 0, 2);
  TEST(memory_is_that_of_one_rollout);
  TEST(what_was_chosen_is_reported);
}
