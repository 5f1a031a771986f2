// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the fault of controllers with one fault each; that of Sinew has none.

#include "conformance.h"
#include "default_engine.h"
#include "german_locale.h"
#include "sinew/controller.h"

enum {
  REPLACES_FORCES = NKINDFAULTS,
  NOT_A_NUMBER,
  ENDLESS_STATE,
  NEGATIVE_STATES,
  CHANGING_STATES,
  NO_ADVANCE,
  WRITES_STATE,
  WRITES_BEHIND,
  OTHER_CONTROLS,   // writes to memory of its own
  SETS_GRAVITY,
  STATE_BEHIND,
  RESETS_AT_RANDOM,
  MOVES_JOINTS,
  HOLDS,   // a sample is kept beside the state
  UMASK_IN_CREATE,
  UMASK_IN_BIND,
  UMASK_IN_DESTROY,
};

// u = -3 q - z with z' = q, and a constant force on the first dof.
typedef struct toy {
  sn_field qpos, time;
  const double *gravity;
  double held, held_at;
  int64_t nu;
} toy;

static void change_umask(int in) {
  if (fault == in) {
    umask(0);
  }
}

static sn_status bind(const void *self, const sn_model_view *model, const sn_value *values,
                      void **bound, sn_error *e) {
  const sn_host *host = sn_engine_host(sn_model_engine(model->model));
  const sn_fields_service *fields = host->query(host, SN_SERVICE_FIELDS);
  toy *t = calloc(1, sizeof *t);
  (void)self, (void)values;
  change_umask(UMASK_IN_BIND);
  t->nu = snm_nu(model->model);
  t->held_at = -1;
  t->gravity = fields->option(model, "gravity");
  *bound = t;
  SN_TRY(fields->data_field(model, "time", SN_REAL, &t->time, e));
  return fields->data_field(model, "qpos", SN_REAL, &t->qpos, e);
}

static void unbind(const void *self, void *bound) {
  (void)self;
  free(bound);
}

static int64_t states(const void *self, const void *bound) {
  static int64_t n;
  (void)self, (void)bound;
  return fault == NEGATIVE_STATES ? -1 : fault == CHANGING_STATES ? ++n % 2 : 1;
}

static sn_status reset(const void *self, const void *bound, const sn_data_view *data,
                       double *state) {
  static int resets;
  (void)self, (void)bound, (void)data;
  state[0] = 0.25 + (fault == RESETS_AT_RANDOM ? ++resets : 0);
  return SN_OK;
}

// The error of the last sample; samples are 10 ms apart.
static double hold(toy *t, double time, double now) {
  if (t->held_at < 0 || time >= t->held_at + 0.01) {
    t->held = now;
    t->held_at = time;
  }
  return t->held;
}

static sn_status control(const void *self, const void *bound, const sn_data_view *data,
                         const double *state, sn_controls *out, sn_scratch *scratch) {
  toy *t = (toy *)(uintptr_t)bound;
  double *qpos = (double *)(uintptr_t)sn_field_reals(data->fields, t->qpos);
  (void)self, (void)scratch;
  double error_now = qpos[7];
  if (fault == HOLDS) {
    error_now = hold(t, sn_field_reals(data->fields, t->time)[0], error_now);
  }
  out->ctrl[0] += -3 * error_now - state[0] + common_fault();
  out->qfrc[0] = (fault == REPLACES_FORCES ? 0 : out->qfrc[0]) + 3;
  if (fault == NOT_A_NUMBER) {
    out->ctrl[1] = NAN;
  } else if (fault == WRITES_STATE) {
    ((double *)(uintptr_t)state)[0] = qpos[0];
  } else if (fault == WRITES_BEHIND) {
    out->ctrl[t->nu] = 0;
  } else if (fault == MOVES_JOINTS) {
    qpos[0] += 1;
  } else if (fault == OTHER_CONTROLS) {
    static double own[64];
    out->ctrl = own;
  } else if (fault == SETS_GRAVITY) {
    ((double *)(uintptr_t)t->gravity)[2] -= 1;
  }
  return common_status();
}

static sn_status advance(const void *self, const void *bound, const sn_data_view *data, double h,
                         double *state, sn_scratch *scratch) {
  const toy *t = bound;
  (void)self, (void)scratch;
  state[0] += h * sn_field_reals(data->fields, t->qpos)[7];
  if (fault == ENDLESS_STATE) {
    state[0] = INFINITY;
  } else if (fault == STATE_BEHIND) {
    state[1] = 0;
  }
  return SN_OK;
}

static sn_status create(const sn_host *host, const sn_value *values, void **self, sn_error *e) {
  (void)host, (void)values, (void)e;
  *self = NULL;
  change_umask(UMASK_IN_CREATE);
  return SN_OK;
}

static void destroy(void *self) {
  (void)self;
  change_umask(UMASK_IN_DESTROY);
}

static const sn_controller_ops ops = {
  .head = { .size = sizeof ops, .summary = "a toy", .create = create, .destroy = destroy },
  .bind = bind,
  .unbind = unbind,
  .states = states,
  .reset = reset,
  .control = control,
  .advance = advance,
};

static const sn_controller_ops without_advance = {
  .head = { .size = sizeof ops, .summary = "a toy" },
  .bind = bind,
  .unbind = unbind,
  .states = states,
  .control = control,
};

// ------------------------------------------------------------------ what is found

#define TOY SN_KIND_CONTROLLER, &ops
static const planted faults[] = {
  { TOY, NO_FAULT, NULL, NULL, NULL },
  { TOY, FAILS, "calls", "control returns SN_EINVAL", "|closed loop|" },
  { TOY, FORGETS_NOTHING, "same bits", "ctrl differs", NULL },
  { TOY, COLLIDES, "threads", "ctrl differs", NULL },
  { TOY, LOCALIZED, "locale", "ctrl differs", NULL },
  { TOY, REPLACES_FORCES, "forces", "control overwrites what is in qfrc", NULL },
  { TOY, NOT_A_NUMBER, "finite", "control writes nan to ctrl[1]", "|closed loop|" },
  { TOY, ENDLESS_STATE, "finite", "advance writes inf to state[0]", "|closed loop|" },
  { TOY, NEGATIVE_STATES, "states", "states returns -1", NULL },
  { TOY, CHANGING_STATES, "states", "states returns 1, then 0; the number must not", NULL },
  { SN_KIND_CONTROLLER, &without_advance, NO_ADVANCE, "states",
    "the operation 'advance' is missing", NULL },
  { TOY, WRITES_STATE, "states", "control changes the state", "|same bits|closed loop|" },
  { TOY, OTHER_CONTROLS, "inputs", "control changes a struct of its arguments", NULL },
  { TOY, SETS_GRAVITY, "inputs", "control changes the options of the model", "|closed loop|" },
  { TOY, WRITES_BEHIND, "outputs", "past the end of ctrl", NULL },
  { TOY, CHANGES_UMASK, "process", "control changed the umask", NULL },
  { TOY, CLOSES_OUTPUT, "process", "control closed or replaced standard output", NULL },
  { TOY, CLOSES_FILE, "process", "control closed file descriptors of the host", NULL },
  { TOY, HANDLES_SIGNAL, "process", "control changed the handler of a signal", NULL },
  { TOY, HANDLES_REALTIME, "process", "control changed the handler of a signal", NULL },
  { TOY, CHANGES_FLAGS, "process", "control changed the handler of a signal", NULL },
  { TOY, CHANGES_BLOCKED, "process", "control changed the handler of a signal", NULL },
  { TOY, PUTS_HANDLERS_BACK, NULL, NULL, NULL },
  { TOY, BLOCKS_SIGNALS, "process", "control changed which signals its thread blocks", NULL },
  { TOY, UMASK_IN_CREATE, "process", "create changed the umask", NULL },
  { TOY, UMASK_IN_BIND, "process", "bind changed the umask", NULL },
  { TOY, UMASK_IN_DESTROY, "process", "destroy changed the umask", NULL },
  { TOY, LEAVES_THREADS, "process", "each call of control leaves a thread behind", NULL },
  { TOY, THREADS_END_LATE, NULL, NULL, NULL },
  { TOY, STATE_BEHIND, "outputs", "past the end of state", NULL },
  { TOY, RESETS_AT_RANDOM, "same bits", "reset: state differs", "|closed loop|" },
  { TOY, MOVES_JOINTS, "inputs", "changes qpos", "|closed loop|" },
  { TOY, HOLDS, "closed loop", "not in its declared state", "|threads|" },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(kit_finds_the_fault) {
  set_handler(SA_RESTART, SIGALRM);
  fault = faults[_i].fault;
  if (fault != LOCALIZED || find_german()) {
    expect_finding(&faults[_i]);
  }
}
END_TEST

static void *sleep_long(void *context) {
  for (;;) {
    nanosleep(&(struct timespec){ .tv_sec = 1000 }, NULL);
  }
  return context;
}

// Threads of the host are no fault of a plugin, however many there are, and hide none.
START_TEST(host_has_threads) {
  static const planted faulty[] = { { TOY, NO_FAULT, NULL, NULL, NULL },
                                    { TOY, LEAVES_THREADS, "process",
                                      "each call of control leaves a thread behind", NULL } };
  pthread_t thread[100];
  for (int i = 0; i < 100; i++) {
    ck_assert_int_eq(pthread_create(&thread[i], NULL, sleep_long, NULL), 0);
  }
  fault = faulty[_i].fault;
  expect_finding(&faulty[_i]);
  for (int i = 0; i < 100; i++) {
    pthread_cancel(thread[i]);
    pthread_join(thread[i], NULL);
  }
}
END_TEST

static void *return_at_once(void *context) {
  return context;
}

// A thread that was joined may be there for a moment; it is none that the process had. Where tests
// do not fork, those that planted faults left behind are there, too.
START_TEST(ending_threads_are_not_noted) {
  kit_process before;
  kit_process_note(&before);
  int noted = 0;
  for (int i = 0; i < 2000; i++) {
    kit_process p;
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, return_at_once, NULL), 0);
    pthread_join(thread, NULL);
    kit_process_note(&p);
    noted += p.nthread - before.nthread;
    kit_process_free(&p);
  }
  kit_process_free(&before);
  ck_assert_int_eq(noted, 0);
}
END_TEST

START_TEST(controllers_of_sinew_pass) {
  open_engine();
  ck_assert_int_eq(expect_all_pass(engine, SN_KIND_CONTROLLER), 1);
  close_engine();
}
END_TEST

START_TEST(each_requirement_has_a_fault) {
  open_engine();
  fault = NO_FAULT;
  expect_covered(engine, SN_KIND_CONTROLLER, faults, NFAULTS, sizeof faults[0]);
  close_engine();
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
  EACH(host_has_threads, 0, 2);
  TEST(ending_threads_are_not_noted);
  TEST(controllers_of_sinew_pass);
  TEST(each_requirement_has_a_fault);
}
