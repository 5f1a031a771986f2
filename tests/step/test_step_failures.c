// SPDX-License-Identifier: Apache-2.0
//
// Failures in the middle of a step: a step, or derivatives of steps, without enough memory leaves
// the state unchanged; a plugin that requests an absurd amount of memory is named in the error; a
// time or a state that is not a number causes a warning; if the post-solver fails, the solution of
// the main solver is kept.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "default_engine.h"
#include "ray_distance.h"
#include "sanitized.h"
#include "settings.h"
#include "sinew/integrator.h"
#include "sinew/solver.h"
#include "suite.h"
#include "toy_plugin.h"

static const char scene[] =
    "<mujoco><option timestep='0.005'/><worldbody><geom type='plane' size='2 2 .1'/>"
    "<body name='box' pos='0 0 .149' euler='5 0 0'><freejoint/><geom type='box' size='.1 .2 .15'/></body>"
    "<body pos='1 0 1'><joint name='h' axis='0 1 0' damping='.1'/><geom size='.1' pos='.2 0 0'/>"
    "</body><body name='hand' mocap='true' pos='0 1 1'><geom size='.01'/></body></worldbody>"
    "<actuator><general joint='h' dyntype='filter' dynprm='.05'/></actuator>"
    "<equality><weld body1='hand' body2='box' active='false'/></equality>"
    "<sensor><jointpos joint='h'/><plugin type='counts'/></sensor></mujoco>";

static sn_model *m;
static sn_data *d;

// ------------------------------------------------------------------ toys

// a passive force that asks for memory in its call number `fatal`
static int calls, fatal;
// what the force does to its own simulation
static sn_status (*meddle)(void);
static double added_force;   // to the joint 'h'

static sn_status apply(const void *self, const void *bound, const sn_data_view *data,
                       const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)state, (void)bound, (void)data;
  qfrc[6] += added_force;
  if (meddle && meddle() != SN_EINVAL) {
    return SN_EINVAL;
  }
  return ++calls != fatal || scratch->alloc(scratch, toy_request, toy_alignment) ? SN_OK
                                                                                 : SN_ENOMEM;
}

static const sn_passive_ops hungry = TOY_FORCE(apply);

// an integrator that asks after other plugins were called
static sn_status glutton_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self;
  s->qvel[0] += 1;
  *s->time += 1;
  sn_status status = s->evaluate(s);
  return scratch->alloc(scratch, INT64_MAX / 8, 64) ? status : SN_ENOMEM;
}

static const sn_integrator_ops glutton = {
  .head = { .size = sizeof(sn_integrator_ops) }, .order = 1, .evaluations = 2, .step = glutton_step
};

// an integrator that gives up half way
static sn_status gives_up;
static sn_status quitter_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self, (void)scratch;
  s->qvel[0] += 1;
  *s->time += 1;
  return gives_up;
}

static const sn_integrator_ops quitter = {
  .head = { .size = sizeof(sn_integrator_ops) }, .order = 1, .evaluations = 1, .step = quitter_step
};

// a sensor that counts its evaluations
static sn_status count_up(const void *self, const void *bound, const sn_data_view *data,
                          double *state, double *out, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)out, (void)scratch;
  state[0] += 1;
  return SN_OK;
}

static sn_status one_state(const void *self, const sn_model_view *model, const sn_sensor *sensor,
                           int32_t *dim, int32_t *nstate, sn_error *e) {
  (void)self, (void)model, (void)sensor, (void)dim, (void)e;
  *nstate = 1;
  return SN_OK;
}

static const sn_sensor_ops counts = { .head = { .size = sizeof(sn_sensor_ops) },
                                      .stage = SN_STAGE_POSITION,
                                      .dim = 1,
                                      .sizes = one_state,
                                      .objects = "",
                                      .references = "",
                                      .needs = "",
                                      .bind = toy_bind_sensors,
                                      .unbind = toy_unbind,
                                      .evaluate = count_up };

// a post-solver
enum { HALVES, FAILS, NO_NUMBER, NO_FORCE, NO_STATE, NO_COUNT, NREFINING };
static int refining;

static sn_status refine(const void *self, const sn_problem *p, sn_solution *s,
                        sn_scratch *scratch) {
  (void)self, (void)scratch;
  for (int64_t i = 0; i < p->nefc; i++) {
    s->force[i] = 0.5 * p->force_start[i];
    s->state[i] = refining == NO_STATE ? 17 : SN_ROWSTATE_SATISFIED;
  }
  for (int64_t i = 0; i < p->nv; i++) {
    s->qacc[i] = refining == NO_NUMBER ? NAN : p->qacc_smooth[i];
  }
  s->force[0] = refining == NO_FORCE ? INFINITY : s->force[0];
  s->iterations = 1;
  s->nsoftened = refining == NO_COUNT ? -5 : 0;
  return refining == FAILS ? SN_EPLUGIN : SN_OK;
}

static const sn_solver_ops polish = {
  .head = { .size = sizeof(sn_solver_ops), .flags = SN_SOLVER_POST }, .solve = refine
};

// a solver of a constraint of one angle, which fails in its call number `unsolved`
static int solves, unsolved;

static sn_status hold(const void *self, const sn_problem *p, sn_solution *s, sn_scratch *scratch) {
  (void)self, (void)scratch;
  solves++;
  s->qacc[0] = p->qacc_smooth[0] + solves;
  s->force[0] = 100 * solves;
  s->state[0] = SN_ROWSTATE_QUADRATIC;
  s->iterations = 1;
  if (solves == unsolved) {
    s->qacc[0] = refining == NO_NUMBER ? NAN : 0;
    return refining == FAILS ? SN_EPLUGIN : SN_OK;
  }
  return SN_OK;
}

static const sn_solver_ops holder = { .head = { .size = sizeof(sn_solver_ops) }, .solve = hold };

static const sn_collider_pair sphere_box[] = { { "sphere", "box" }, { NULL, NULL } };
static const sn_collider_ops greedy = TOY_COLLIDER(sphere_box);

// ------------------------------------------------------------------ setting up

static void set(const char *name, const char *value) {
  OK(sn_model_parse_option(m, name, value, error));
}

static void open_model(void) {
  calls = fatal = refining = solves = 0;
  unsolved = 2;
  meddle = NULL;
  added_force = 0;
  toy_request = INT64_MAX / 8;
  toy_alignment = 64;
  open_engine();
  hear_warnings();
  OK(sn_engine_add(engine, SN_KIND_SENSOR, "counts", &counts, error));
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "hungry", &hungry, error));
  OK(sn_engine_add(engine, SN_KIND_INTEGRATOR, "glutton", &glutton, error));
  OK(sn_engine_add(engine, SN_KIND_INTEGRATOR, "quitter", &quitter, error));
  OK(sn_engine_add(engine, SN_KIND_SOLVER, "polish", &polish, error));
  OK(sn_select(engine, "post_solver", "polish", error));
  OK(sn_engine_add(engine, SN_KIND_SOLVER, "holder", &holder, error));
  OK(sn_engine_add(engine, SN_KIND_COLLIDER, "greedy", &greedy, error));
  OK(sn_select(engine, "sphere-box", "greedy", error));
  m = model_of(scene);
  set("memory", "1e8");
  d = data_of(m);
  snd_ctrl(d)[0] = 0.7;
  for (int i = 0; i < 20; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
  ck_assert_int_gt(snd_nefc(d), 4);
}

static void close_model(void) {
  done_with(m, d);
  close_engine();
}

static uint64_t state_of(const sn_data *of) {
  return sn_state_hash(m, of, SN_STATE_INTEGRATION);
}

static void says(const char *text) {
  const char *message = sn_error_message(sn_data_error(d));
  ck_assert_msg(strstr(message, text) != NULL, "'%s' is not in: %s", text, message);
}

// ------------------------------------------------------------------ memory

// Whichever evaluation of a step fails, the state is the one before; the step can be made later.
START_TEST(step_without_memory) {
  static const char *const integrators[] = { "euler", "implicit", "implicitfast", "rk4",
                                             "momentum" };
  static const int made[] = { 1, 1, 1, 4, 2 };
  const int evaluations = made[_i];
  set("integrator", integrators[_i]);
  uint64_t before = state_of(d);
  for (fatal = 1; fatal <= evaluations; fatal++) {
    calls = 0;
    ck_assert_int_eq(sn_step(m, d), SN_ENOMEM);
    ck_assert_int_eq(calls, fatal);
    ck_assert_msg(state_of(d) == before, "%s: the state has changed when evaluation %d failed",
                  integrators[_i], fatal);
  }
  sn_data *twin = sn_data_new(m, error);
  ck_assert_int_eq(sn_data_copy(m, twin, d), SN_OK);
  fatal = 0;
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  ck_assert_int_eq(sn_step(m, twin), SN_OK);
  ck_assert(state_of(d) != before && state_of(d) == state_of(twin));
  sn_data_free(twin);
}
END_TEST

START_TEST(derivatives_without_memory) {
  double A[17 * 17], B[17], C[17], D[1];
  int failures = 0;
  ck_assert_int_eq(2 * snm_nv(m) + snm_na(m), 15);
  set("integrator", _i ? "rk4" : "euler");
  uint64_t before = state_of(d);
  for (fatal = 1; failures < 1000; fatal++, failures++) {
    calls = 0;
    sn_status status = sn_transition_fd(m, d, 1e-6, 1, A, B, C, D);
    ck_assert_msg(state_of(d) == before, "the state has changed when evaluation %d failed", fatal);
    if (calls < fatal) {
      ck_assert_int_eq(status, SN_OK);
      break;
    }
    ck_assert_int_eq(status, SN_ENOMEM);
    says("'hungry'");
  }
  ck_assert_int_gt(failures, 2 * 14);   // the base, positions and velocities both ways at least
}
END_TEST

static const struct {
  int64_t bytes, alignment;
  const char *memory;
  sn_status status;
  const char *text;
} appetites[] = {
  { -5, 64, "0", SN_EPLUGIN, "requested -5 bytes" },
  { INT64_MAX, 64, "0", SN_EPLUGIN, "requested 9223372036854775807 bytes" },
  { 8, 3, "0", SN_EPLUGIN, "with alignment 3" },
  { 8, 128, "0", SN_EPLUGIN, "alignment 128" },
#ifndef SANITIZED   // whose allocator ends the process instead
  { INT64_MAX / 8, 64, "0", SN_ENOMEM, "out of memory in a step" },
#endif
  { 1 << 30, 64, "1e6", SN_ENOMEM, "more memory than the option 'memory' allows" },
};
enum { NAPPETITES = sizeof appetites / sizeof appetites[0] };

START_TEST(absurd_memory) {
  toy_request = appetites[_i].bytes;
  toy_alignment = appetites[_i].alignment;
  set("memory", appetites[_i].memory);
  calls = 0;
  fatal = 1;
  uint64_t before = state_of(d);
  ck_assert_int_eq(sn_step(m, d), appetites[_i].status);
  says(appetites[_i].text);
  says("'hungry' (sinew.passive/1)");
  ck_assert(state_of(d) == before);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
}
END_TEST

START_TEST(distance_without_memory) {
  enum { BOX = 1, BALL = 2 };
  double points[6];
  uint64_t before = state_of(d);
  ck_assert(isnan(geom_distance(m, d, BALL, BOX, 10, points)));
  says("'greedy' (sinew.collider/1)");
  ck_assert(state_of(d) == before);
  toy_request = 100;
  ck_assert_double_eq(geom_distance(m, d, BALL, BOX, 10, points), 1);
}
END_TEST

static sn_status step_within(void) {
  return sn_step(m, d);
}

static sn_status differentiate_within(void) {
  double A[18 * 18];
  return sn_transition_fd(m, d, 1e-6, 1, A, NULL, NULL, NULL);
}

static sn_status invert_within(void) {
  return sn_inverse(m, d);
}

// A callback that evaluates the simulation that called it is rejected, and spoils nothing.
START_TEST(no_step_within_a_step) {
  static sn_status (*const within[])(void) = { step_within, differentiate_within, invert_within };
  sn_data *plain = sn_data_new(m, error);
  ck_assert_int_eq(sn_data_copy(m, plain, d), SN_OK);
  ck_assert_int_eq(sn_step(m, plain), SN_OK);
  meddle = within[_i];
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  ck_assert(state_of(d) == state_of(plain));
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 0);
  sn_data_free(plain);
}
END_TEST

// A quaternion of any length, and a sensor's state, are written by every evaluation.
START_TEST(evaluation_without_memory) {
  static sn_status (*const calls_of[])(const sn_model *, sn_data *) = { sn_step, sn_forward,
                                                                        sn_inverse };
  snd_mocap_quat(d)[0] = 3;
  uint64_t before = state_of(d);
  calls = 0;
  fatal = 1;
  ck_assert_int_eq(calls_of[_i](m, d), SN_ENOMEM);
  ck_assert(state_of(d) == before);
  ck_assert_int_eq(snd_nefc(d), 0);
  ck_assert_int_eq(calls_of[_i](m, d), SN_OK);
  ck_assert_double_eq(snd_mocap_quat(d)[0], 1);
}
END_TEST

// A step that begins with a reset, and fails.
START_TEST(reset_without_memory) {
  snd_qpos(d)[2] = 1e11;
  snd_mocap_pos(d)[0] = 5;
  snd_xfrc_applied(d)[8] = 0.3;
  uint64_t before = state_of(d);
  calls = 0;
  fatal = 1;
  ck_assert_int_eq(sn_step(m, d), SN_ENOMEM);
  ck_assert(state_of(d) == before);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_BADQPOS), 1);
}
END_TEST

START_TEST(integrator_gives_up) {
  static const sn_status returned[] = { SN_EPLUGIN, SN_ENOMEM, SN_EDIVERGED };
  set("integrator", "quitter");
  gives_up = returned[_i];
  snd_mocap_quat(d)[0] = 3;
  uint64_t before = state_of(d);
  ck_assert_int_eq(sn_step(m, d), gives_up == SN_EDIVERGED ? SN_EPLUGIN : gives_up);
  says("'quitter' (sinew.integrator/1): its operation 'step' returned SN_E");
  ck_assert(state_of(d) == before);
  ck_assert_int_eq(snd_nefc(d), 0);
  ck_assert_int_eq(snd_ncon(d), 0);
}
END_TEST

START_TEST(integrator_is_named_after_its_services) {
  set("integrator", "glutton");
  uint64_t before = state_of(d);
  ck_assert_int_eq(sn_step(m, d), SN_ENOMEM);
  says("'glutton'");
  ck_assert(state_of(d) == before);
}
END_TEST

// The limit, not a plugin.
START_TEST(limit_of_the_core) {
  set("memory", "100");
  ck_assert_int_eq(sn_step(m, d), SN_ENOMEM);
  ck_assert_ptr_null(strstr(sn_error_message(sn_data_error(d)), "requested"));
}
END_TEST

// ------------------------------------------------------------------ numbers

START_TEST(bad_time) {
  static const double times[] = { NAN, INFINITY, -INFINITY };
  double h = option_of(m).timestep;
  snd_time(d)[0] = times[_i];
  ck_assert_int_eq(sn_step(m, d), SN_EDIVERGED);
  says("bad time");
  ck_assert_msg(!strstr(heard(), "at time"), "%s", heard());   // which would be none
  for (int32_t w = 0; w < SN_NWARNINGS; w++) {
    ck_assert_int_eq(sn_data_warning_count(d, w), w == SN_WARN_BADTIME);
  }
  ck_assert_double_eq(snd_time(d)[0], h);
  // it goes on as a fresh simulation does
  sn_data *fresh = sn_data_new(m, error);
  ck_assert_int_eq(sn_step(m, fresh), SN_OK);
  ck_assert(sn_state_hash(m, d, SN_STATE_FULLPHYSICS) ==
            sn_state_hash(m, fresh, SN_STATE_FULLPHYSICS));
  sn_data_free(fresh);
}
END_TEST

START_TEST(bad_mocap) {
  double *at[] = { snd_mocap_pos(d) + 1, snd_mocap_quat(d) + 2 };
  *at[_i] = NAN;
  ck_assert_int_eq(sn_step(m, d), SN_EDIVERGED);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_BADQPOS), 1);
  ck_assert_msg(strstr(heard(), _i ? "mocap_quat[0, 2] of body 'hand' is nan"
                                   : "mocap_pos[0, 1] of body 'hand' is nan"),
                "%s", heard());
  ck_assert_double_eq(snd_mocap_pos(d)[1], 1);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
}
END_TEST

// Where rows are not numbers there is no acceleration, with any solver.
START_TEST(bad_rows) {
  static const char *const solvers[] = { "newton", "cg", "pgs" };
  set("solver", solvers[_i]);
  snd_mocap_pos(d)[0] = NAN;
  snd_eq_enabled(d)[0] = 1;
  ck_assert_int_eq(sn_forward(m, d), SN_OK);
  ck_assert(isnan(snd_qacc(d)[0]));
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 0);
}
END_TEST

START_TEST(derivatives_of_nonsense) {
  double A[15 * 15];
  const struct {
    double *at;
    double value;
    const char *text;
  } bad[] = {
    { snd_time(d), NAN, "time[0] is nan" },
    { snd_qpos(d) + 2, NAN, "qpos[2] of joint 0 is nan" },
    { snd_qvel(d) + 3, INFINITY, "qvel[3] of joint 0 is inf" },
    { snd_qvel(d) + 3, 1e11, "qvel[3] of joint 0 is 1e+11" },
    { snd_mocap_pos(d) + 1, NAN, "mocap_pos[0, 1] of body 'hand' is nan" },
    { snd_mocap_quat(d) + 3, INFINITY, "mocap_quat[0, 3] of body 'hand' is inf" },
    { snd_act(d), NAN, "act[0] of actuator 0 is nan" },
    { snd_ctrl(d), NAN, "ctrl[0] of actuator 0 is nan" },
    { snd_qfrc_applied(d) + 6, NAN, "qacc[" },
    { snd_qfrc_applied(d) + 6, 1e13, "qacc[6] of joint 'h' is" },
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    double good = *bad[i].at;
    *bad[i].at = bad[i].value;
    uint64_t before = state_of(d);
    ck_assert_int_eq(sn_transition_fd(m, d, 1e-6, 0, A, NULL, NULL, NULL), SN_EDIVERGED);
    says(bad[i].text);
    ck_assert(state_of(d) == before);
    *bad[i].at = good;
  }
  for (int32_t w = 0; w < SN_NWARNINGS; w++) {
    ck_assert_int_eq(sn_data_warning_count(d, w), 0);
  }
  ck_assert_int_eq(sn_transition_fd(m, d, 1e-6, 0, A, NULL, NULL, NULL), SN_OK);
}
END_TEST

// ------------------------------------------------------------------ forces

static sn_status return_invalid(void) {
  return SN_EINVAL + 1;   // any but SN_EINVAL: `apply` fails
}

// The step goes on without the force, and the warning says what it did.
START_TEST(invalid_force_is_left_out) {
  sn_data *plain = sn_data_new(m, error);
  ck_assert_int_eq(sn_data_copy(m, plain, d), SN_OK);
  ck_assert_int_eq(sn_step(m, plain), SN_OK);
  added_force = _i ? 1 : NAN;
  meddle = _i ? return_invalid : NULL;
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  ck_assert_mem_eq(snd_qvel(d), snd_qvel(plain), (size_t)snm_nv(m) * sizeof(double));
  ck_assert_int_ge(sn_data_warning_count(d, SN_WARN_PLUGIN), 1);
  const char *text = _i ? "'hungry' (sinew.passive/1): its operation 'apply' returned SN_EINVAL; "
                          "this force is left out"
                        : "'hungry' (sinew.passive/1): its operation 'apply' wrote nan to "
                          "qfrc_passive[6] of joint 'h'; this force is left out";
  ck_assert_msg(strstr(heard(), text) != NULL, "%s", heard());
  sn_data_free(plain);
}
END_TEST

// ------------------------------------------------------------------ post-solvers

static void same_answer(sn_data *a, sn_data *b) {
  size_t rows = (size_t)snd_nefc(a);
  ck_assert_uint_eq(rows, (size_t)snd_nefc(b));
  ck_assert_mem_eq(snd_qacc(a), snd_qacc(b), (size_t)snm_nv(m) * sizeof(double));
  ck_assert_mem_eq(snd_efc_force(a), snd_efc_force(b), rows * sizeof(double));
  ck_assert_mem_eq(snd_efc_state(a), snd_efc_state(b), rows * sizeof(int32_t));
}

START_TEST(post_solver_fails) {
  sn_data *plain = sn_data_new(m, error);
  ck_assert_int_eq(sn_data_copy(m, plain, d), SN_OK);
  ck_assert_int_eq(sn_forward(m, plain), SN_OK);
  set("noslip_iterations", "1");
  ck_assert_str_eq(sn_model_selected(m, "post_solver"), "polish");
  // one that works is listened to
  refining = HALVES;
  ck_assert_int_eq(sn_forward(m, d), SN_OK);
  ck_assert_double_eq(snd_efc_force(d)[0], 0.5 * snd_efc_force(plain)[0]);
  ck_assert_double_ne(snd_efc_force(d)[0], 0);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 0);
  // the others are not
  refining = _i;
  ck_assert_int_eq(sn_forward(m, d), SN_OK);
  same_answer(d, plain);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 1);
  static const char *const words[NREFINING] = {
    [FAILS] = "returned SN_EPLUGIN; the solution of the main solver is kept",
    [NO_NUMBER] = "wrote nan to qacc;",
    [NO_FORCE] = "wrote inf to force;",
    [NO_STATE] = "wrote invalid values of iterations, nsoftened or state;",
    [NO_COUNT] = "wrote invalid values of iterations, nsoftened or state;",
  };
  ck_assert_msg(strstr(heard(), "'polish' (sinew.solver/1): its operation 'solve'") != NULL, "%s",
                heard());
  ck_assert_msg(strstr(heard(), words[_i]) != NULL, "%s", heard());
  sn_data_free(plain);
}
END_TEST

// Exact equality constraints call the solver again with the force of its call before. When such a
// call fails, the solution of the call before is kept.
START_TEST(repeated_solution_fails) {
  sn_model *loop = model_of("<mujoco><worldbody><body><joint name='j' axis='0 1 0'/>"
                            "<geom size='.1' pos='.2 0 0'/></body></worldbody>"
                            "<equality><joint joint1='j' exact='true'/></equality></mujoco>");
  sn_data *held = data_of(loop);
  OK(sn_model_parse_option(loop, "solver", "holder", error));
  refining = _i;
  OK(sn_forward(loop, held));
  ck_assert_int_eq(solves, 2);
  ck_assert_int_eq(snd_nefc(held), 1);
  ck_assert_double_eq(snd_efc_force(held)[0], 100);
  ck_assert_double_eq(snd_qacc(held)[0], snd_qacc_smooth(held)[0] + 1);
  ck_assert_int_eq(snd_efc_state(held)[0], SN_ROWSTATE_QUADRATIC);
  ck_assert_int_eq(sn_data_warning_count(held, SN_WARN_PLUGIN), 1);
  ck_assert_msg(
      strstr(heard(), _i == FAILS ? "'solve' returned SN_EPLUGIN;" : "wrote nan to qacc;"), "%s",
      heard());
  ck_assert_msg(strstr(heard(), "the solution of its previous call is kept"), "%s", heard());
  done_with(loop, held);
}
END_TEST

TESTS() {
  FIXTURE(open_model, close_model);
  EACH(step_without_memory, 0, 5);
  EACH(derivatives_without_memory, 0, 2);
  EACH(absurd_memory, 0, NAPPETITES);
  TEST(distance_without_memory);
  EACH(no_step_within_a_step, 0, 3);
  EACH(evaluation_without_memory, 0, 3);
  TEST(reset_without_memory);
  EACH(integrator_gives_up, 0, 3);
  TEST(integrator_is_named_after_its_services);
  TEST(limit_of_the_core);
  EACH(bad_time, 0, 3);
  EACH(bad_mocap, 0, 2);
  EACH(bad_rows, 0, 3);
  TEST(derivatives_of_nonsense);
  EACH(invalid_force_is_left_out, 0, 2);
  EACH(post_solver_fails, FAILS, NREFINING);
  EACH(repeated_solution_fails, FAILS, NO_NUMBER + 1);
}
