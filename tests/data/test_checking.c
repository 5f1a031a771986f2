// SPDX-License-Identifier: Apache-2.0
//
// The checking mode finds what operations write that is none of their outputs, in each kind of
// plugin, and names plugin, operation, field and element. It takes the change back, and finds
// nothing wrong in the plugins that come with Sinew.

#include <string.h>

#include "default_engine.h"
#include "host/engine.h"
#include "model/model.h"
#include "scenes.h"
#include "suite.h"
#include "toy_plugin.h"

// ------------------------------------------------------------------ what the toys do wrong

enum {
  NOTHING,
  BEHIND,
  VELOCITY,
  CONTROL,
  MASS,
  GRAVITY,
  SENSOR,
  SCRATCH,
  INPUT,
  POINTER,
  NFAULTS
};

static int fault;
static sn_model *model;
static sn_data *data;

static void spoil(double *output, int64_t n, sn_scratch *scratch) {
  double *memory = sn_scratch_reals(scratch, 10);
  memset(memory, 0, 10 * sizeof *memory);
  switch (fault) {
    case BEHIND: output[n] = 3; break;
    case VELOCITY: snd_qvel(data)[1] = 5; break;
    case CONTROL: snd_ctrl(data)[0] = 5; break;
    case MASS: *(double *)(uintptr_t)&snm_body_mass(model)[2] = 5; break;
    case GRAVITY: model->opt.gravity[2] = -5; break;
    case SENSOR: snd_sensordata(data)[1] = 5; break;
    case SCRATCH: memory[10] = 5; break;
    default: break;
  }
}

// Replaces a pointer in the struct that the operation gets.
static void replace(double **pointer) {
  static double mine[1000];
  *pointer = fault == POINTER ? mine : *pointer;
}

// ------------------------------------------------------------------ toys of all kinds

static sn_status bind_filter(const void *self, const sn_model_view *m, void **bound, sn_error *e) {
  (void)self, (void)m, (void)e;
  *bound = &toy_bound;
  return SN_OK;
}

static sn_status apply(const void *self, const void *bound, const sn_data_view *d,
                       const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)bound, (void)d, (void)state;
  qfrc[0] += 0.5;
  spoil(qfrc, snm_nv(model), scratch);
  return SN_OK;
}

static sn_status control(const void *self, const void *bound, const sn_data_view *d,
                         const double *state, sn_controls *controls, sn_scratch *scratch) {
  (void)self, (void)bound, (void)d, (void)state;
  controls->ctrl[0] = 0.5;
  spoil(controls->qfrc, snm_nv(model), scratch);
  replace(&controls->ctrl);
  return SN_OK;
}

static sn_status modify(const void *self, const void *bound, const sn_data_view *d,
                        sn_contacts *contacts, sn_scratch *scratch) {
  (void)self, (void)bound, (void)d;
  contacts->friction[0] = 0.5;
  spoil(contacts->friction, 5 * contacts->n, scratch);
  replace(&contacts->solimp);
  return SN_OK;
}

static sn_status select_pairs(const void *self, const void *bound, const sn_data_view *d, int64_t n,
                              const int32_t *geom1, const int32_t *geom2, int32_t *keep,
                              sn_scratch *scratch) {
  (void)self, (void)bound, (void)d, (void)geom1, (void)geom2;
  spoil((double *)(void *)keep, (n + 1) / 2, scratch);
  return SN_OK;
}

static sn_status evaluate(const void *self, const void *bound, const sn_data_view *d, double *state,
                          double *sensordata, sn_scratch *scratch) {
  (void)self, (void)bound, (void)d, (void)state;
  sensordata[0] = 0.5;
  spoil(sensordata, snm_nsensordata(model), scratch);
  return SN_OK;
}

static int64_t rows(const void *self, const void *bound) {
  (void)self, (void)bound;
  return 1;
}

static int64_t dofs(const void *self, const void *bound, int32_t *dof) {
  (void)self, (void)bound;
  dof[0] = 0;
  return 1;
}

static sn_status residual(const void *self, const void *bound, const sn_data_view *d,
                          double *position, double *J, sn_scratch *scratch) {
  (void)self, (void)bound, (void)d;
  position[0] = 0.01;
  J[0] = 1;
  spoil(J, snm_nv(model), scratch);
  return SN_OK;
}

static sn_status solve(const void *self, const sn_problem *problem, sn_solution *solution,
                       sn_scratch *scratch) {
  (void)self;
  memcpy(solution->qacc, problem->qacc_smooth, (size_t)problem->nv * sizeof(double));
  memset(solution->force, 0, (size_t)problem->nefc * sizeof(double));
  memset(solution->state, 0, (size_t)problem->nefc * sizeof(int32_t));
  solution->iterations = 0;
  if (fault == INPUT) {
    *(double *)(uintptr_t)&problem->aref[0] += 5;
  }
  spoil(solution->force, problem->nefc, scratch);
  replace(&solution->force);
  return SN_OK;
}

static sn_status collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                         sn_scratch *scratch) {
  (void)self, (void)batch;
  out->count = 0;
  spoil((double *)(void *)(out->point + out->capacity), 0, scratch);
  out->capacity += fault == POINTER;
  return SN_OK;
}

static sn_status integrate(const void *self, sn_stepper *s, sn_scratch *scratch) {
  (void)self;
  s->evaluate(s);
  for (int64_t i = 0; i < s->nv; i++) {
    s->qvel[i] += s->h * s->qacc[i];
  }
  s->advance_position(s, s->qvel, s->h);
  s->time[0] += s->h;
  spoil(s->qvel, s->nv, scratch);
  s->nq += fault == POINTER;
  return SN_OK;
}

static int32_t states(const void *self, const double *prm) {
  (void)self, (void)prm;
  return 1;
}

static sn_status rate(const void *self, const sn_actuators *batch, double *act_dot,
                      sn_scratch *scratch) {
  (void)self;
  memset(act_dot, 0, (size_t)batch->n * sizeof *act_dot);
  spoil(act_dot, batch->n, scratch);
  return SN_OK;
}

static sn_status value(const void *self, const sn_actuators *batch, double *out,
                       sn_scratch *scratch) {
  (void)self;
  memset(out, 0, (size_t)batch->n * sizeof *out);
  spoil(out, batch->n, scratch);
  return SN_OK;
}

#define HEAD(type) .head = { .size = sizeof(type) }
static const sn_passive_ops force = { HEAD(sn_passive_ops), .bind = toy_bind, .unbind = toy_unbind,
                                      .apply = apply };
static const sn_controller_ops controller = { HEAD(sn_controller_ops), .bind = toy_bind,
                                              .unbind = toy_unbind, .control = control };
static const sn_contact_ops modifier = { HEAD(sn_contact_ops), .bind = toy_bind,
                                         .unbind = toy_unbind, .modify = modify };
static const sn_filter_ops filter = { HEAD(sn_filter_ops), .bind = bind_filter,
                                      .unbind = toy_unbind, .select = select_pairs };
static const sn_sensor_ops sensor = { HEAD(sn_sensor_ops),
                                      .stage = SN_STAGE_POSITION,
                                      .dim = 1,
                                      .objects = "",
                                      .references = "",
                                      .needs = "",
                                      .bind = toy_bind_sensors,
                                      .unbind = toy_unbind,
                                      .evaluate = evaluate };
static const sn_constraint_ops constraint = {
  HEAD(sn_constraint_ops), .bind = toy_bind, .unbind = toy_unbind, .rows = rows, .dofs = dofs,
  .evaluate = residual
};
static const sn_solver_ops solver = { HEAD(sn_solver_ops), .solve = solve };
static const sn_collider_pair pairs[] = { { "sphere", "box" }, { NULL, NULL } };
static const sn_collider_ops collider = { HEAD(sn_collider_ops), .pairs = pairs, .max_points = 1,
                                          .collide = collide };
static const sn_integrator_ops integrator = { HEAD(sn_integrator_ops), .step = integrate };
static const sn_dynamics_ops dynamics = { HEAD(sn_dynamics_ops), .states = states, .rate = rate };
static const sn_force_ops gain = { HEAD(sn_force_ops), .value = value };

// ------------------------------------------------------------------ the model

static const struct {
  const char *kind;
  const void *ops;
  const char *operation, *output;   // output NULL: BEHIND is not tried
  const char *argument;             // the struct that it gets; NULL: POINTER is not tried
} toys[] = {
  { SN_KIND_PASSIVE, &force, "apply", "qfrc", NULL },
  { SN_KIND_CONTROLLER, &controller, "control", "qfrc", "sn_controls" },
  { SN_KIND_CONTACT, &modifier, "modify", "friction", "sn_contacts" },
  { SN_KIND_FILTER, &filter, "select", "keep", NULL },
  { SN_KIND_SENSOR, &sensor, "evaluate", NULL, NULL },
  { SN_KIND_CONSTRAINT, &constraint, "evaluate", "J", NULL },
  { SN_KIND_SOLVER, &solver, "solve", "force", "sn_solution" },
  { SN_KIND_COLLIDER, &collider, "collide", "point", "sn_contact_list" },
  { SN_KIND_INTEGRATOR, &integrator, "step", "qvel", "sn_stepper" },
  { SN_KIND_DYNAMICS, &dynamics, "rate", "act_dot", NULL },
  { SN_KIND_GAIN, &gain, "value", "out", NULL },
  { SN_KIND_BIAS, &gain, "value", "out", NULL },
};
enum { NTOYS = sizeof toys / sizeof toys[0] };

// Two boxes on a floor, one of them with a hinge; a sensor of ours and one of another type.
static void make_model(int toy) {
  char text[2048];
  const char *kind = toys[toy].kind;
#define IF(id, yes, no) (strcmp(kind, id) == 0 ? (yes) : (no))
  snprintf(
      text, sizeof text,
      "<mujoco><option solver='%s' integrator='%s'/><worldbody>"
      "<geom name='floor' type='plane' size='5 5 1'/>"
      "<body name='box' pos='0 0 .09'><freejoint name='free'/><geom type='box' size='.1 .1 .1'/>"
      "</body><body name='ball' pos='.05 0 .28'><joint name='slide' type='slide' axis='0 0 1'/>"
      "<geom size='.1'/></body></worldbody>"
      "<equality>%s</equality>"
      "<actuator><general name='drive' joint='slide' dyntype='%s' gaintype='%s' biastype='%s'"
      "/></actuator>"
      "<sensor>%s<jointpos name='height' joint='slide'/></sensor></mujoco>",
      IF(SN_KIND_SOLVER, "spoiler", "newton"), IF(SN_KIND_INTEGRATOR, "spoiler", "euler"),
      IF(SN_KIND_CONSTRAINT, "<plugin type='spoiler'/>", ""),
      IF(SN_KIND_DYNAMICS, "spoiler", "integrator"), IF(SN_KIND_GAIN, "spoiler", "fixed"),
      IF(SN_KIND_BIAS, "spoiler", "none"),
      IF(SN_KIND_SENSOR, "<plugin name='mine' type='spoiler'/>", "<clock name='mine'/>"));
#undef IF
  OK(sn_engine_add(engine, kind, "spoiler", toys[toy].ops, error));
  if (strcmp(kind, SN_KIND_COLLIDER) == 0) {
    OK(sn_engine_set(engine, "collision.sphere-box", "spoiler", error));
  }
  fault = NOTHING;
  model = model_of(text);
  data = data_of(model);
}

static const char *const places[NFAULTS] = {
  [BEHIND] = "past the end of its output '",
  [VELOCITY] = "wrote qvel[1] of joint 'free'",
  [CONTROL] = "wrote ctrl[0] of actuator 'drive'",
  [MASS] = "wrote body_mass[2] of body 'ball'",
  [GRAVITY] = "wrote the option 'gravity', which is not one of its outputs",
  [SENSOR] = "wrote sensordata[1] of sensor 'height'",
  [SCRATCH] = "wrote past the end of 80 bytes of temporary memory",
  [INPUT] = "wrote its input 'aref'",
  [POINTER] = "replaced a pointer or a size in its argument '",
};

// ------------------------------------------------------------------ cases

static int is_tried(int toy) {
  const int integrates = strcmp(toys[toy].kind, SN_KIND_INTEGRATOR) == 0;
  const int solves = strcmp(toys[toy].kind, SN_KIND_SOLVER) == 0;
  return (fault != BEHIND || toys[toy].output) && (fault != INPUT || solves) &&
         (fault != POINTER || toys[toy].argument) &&
         !(integrates && (fault == VELOCITY || fault == SENSOR));
}

// The message of a step with this fault; after it the step without the fault is as always.
START_TEST(fault_is_named) {
  const int toy = _i % NTOYS, tried = _i / NTOYS + 1;
  OK(sn_engine_set(engine, "check_plugins", "yes", error));
  make_model(toy);
  double mass = snm_body_mass(model)[2];
  sn_data *other = data_of(model);
  ck_assert_int_eq(sn_step(model, other), SN_OK);
  fault = tried;
  if (is_tried(toy)) {
    char words[256];
    ck_assert_int_eq(sn_step(model, data), SN_EPLUGIN);
    const char *message = sn_error_message(sn_data_error(data));
    snprintf(words, sizeof words, "'spoiler' (%s): its operation '%s' ", toys[toy].kind,
             toys[toy].operation);
    ck_assert_msg(strstr(message, words) != NULL, "no \"%s\" in: %s", words, message);
    snprintf(words, sizeof words, "%s%s", places[fault],
             fault == BEHIND    ? toys[toy].output
             : fault == POINTER ? toys[toy].argument
                                : "");
    ck_assert_msg(strstr(message, words) != NULL, "no \"%s\" in: %s", words, message);
  }
  fault = NOTHING;
  ck_assert_double_eq(snm_body_mass(model)[2], mass);
  ck_assert_int_eq(sn_step(model, data), SN_OK);
  ck_assert_mem_eq(snd_qpos(data), snd_qpos(other), (size_t)snm_nq(model) * sizeof(double));
  ck_assert_mem_eq(snd_ctrl(data), snd_ctrl(other), sizeof(double));
  sn_data_free(other);
  done_with(model, data);
}
END_TEST

// The arrays of contacts lie side by side in the simulation, and each is an output.
static int spoiled;
static const char *const arrays[] = { "margin", "friction", "solref",      "solimp",
                                      "dim",    "velocity", "restitution", "keep" };
static sn_status modify_behind(const void *self, const void *bound, const sn_data_view *d,
                               sn_contacts *c, sn_scratch *scratch) {
  (void)self, (void)bound, (void)d, (void)scratch;
  double *const reals[] = {
    c->margin, c->friction + 4 * c->n, c->solref + c->n, c->solimp + 4 * c->n,
    NULL,      c->velocity + 4 * c->n, c->restitution
  };
  if (spoiled < 0) {
    c->friction[0] = 0.5;
  } else if (strcmp(arrays[spoiled], "keep") == 0) {
    c->keep[c->n] = 1;
  } else if (strcmp(arrays[spoiled], "dim") == 0) {
    c->dim[c->n] = 3;
  } else {
    reals[spoiled][c->n] = 0.5;
  }
  return SN_OK;
}

START_TEST(arrays_of_contacts_are_guarded) {
  const sn_contact_ops ops = { HEAD(sn_contact_ops), .bind = toy_bind, .unbind = toy_unbind,
                               .modify = modify_behind };
  char words[128];
  OK(sn_engine_set(engine, "check_plugins", "yes", error));
  OK(sn_engine_add(engine, SN_KIND_CONTACT, "spoiler", &ops, error));
  model = model_of("<mujoco><worldbody><geom type='plane' size='5 5 1'/>"
                   "<body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                   "<body pos='1 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                   "</worldbody></mujoco>");
  data = data_of(model);
  spoiled = -1;
  ck_assert_msg(sn_forward(model, data) == SN_OK, "%s", sn_error_text(sn_data_error(data)));
  ck_assert_int_eq(snd_ncon(data), 8);   // rows of 40 bytes fill blocks of 64
  ck_assert_double_eq(snd_contact_friction(data)[0], 0.5);
  spoiled = _i;
  ck_assert_int_eq(sn_forward(model, data), SN_EPLUGIN);
  snprintf(words, sizeof words,
           "'modify' wrote memory of the host, 0 bytes past the end of its "
           "output '%s'",
           arrays[_i]);
  ck_assert_ptr_nonnull(strstr(sn_error_message(sn_data_error(data)), words));
  done_with(model, data);
}
END_TEST

// Outputs of one operation whose sizes fill blocks of 64 bytes.
enum { WIDE = 16 };   // 8 actuators and joints, 16 rows
static const char *const wide[] = { "ctrl",        "qfrc", "by_act", "by_ctrl", "by_length",
                                    "by_velocity", "qacc", "force",  "state" };

static void write_behind(const char *name, double *output, int64_t n) {
  if (spoiled >= 0 && strcmp(wide[spoiled], name) == 0) {
    output[n] += 5;
  }
}

static sn_status control_behind(const void *self, const void *bound, const sn_data_view *d,
                                const double *state, sn_controls *controls, sn_scratch *scratch) {
  (void)self, (void)bound, (void)d, (void)state, (void)scratch;
  write_behind("ctrl", controls->ctrl, snm_nu(model));
  write_behind("qfrc", controls->qfrc, snm_nv(model));
  return SN_OK;
}

static sn_status slopes_behind(const void *self, const sn_actuators *a, double *by_act,
                               double *by_ctrl, double *by_length, double *by_velocity,
                               sn_scratch *scratch) {
  (void)self, (void)scratch;
  write_behind("by_act", by_act, a->n);
  write_behind("by_ctrl", by_ctrl, a->n);
  write_behind("by_length", by_length, a->n);
  write_behind("by_velocity", by_velocity, a->n);
  return SN_OK;
}

static sn_status solve_behind(const void *self, const sn_problem *p, sn_solution *s,
                              sn_scratch *scratch) {
  (void)self, (void)scratch;
  memcpy(s->qacc, p->qacc_smooth, (size_t)p->nv * sizeof(double));
  memset(s->force, 0, (size_t)p->nefc * sizeof(double));
  memset(s->state, 0, (size_t)p->nefc * sizeof(int32_t));
  s->iterations = 0;
  write_behind("qacc", s->qacc, p->nv);
  write_behind("force", s->force, p->nefc);
  if (spoiled >= 0 && strcmp(wide[spoiled], "state") == 0) {
    s->state[p->nefc] = 1;
  }
  return SN_OK;
}

// Each joint has a row of friction, and one of a limit that is violated.
static void make_wide(char *text, size_t room) {
  size_t n = (size_t)snprintf(text, room,
                              "<mujoco><option solver='wide' integrator='implicit'/>"
                              "<worldbody>");
  for (int i = 0; i < WIDE / 2; i++) {
    n += (size_t)snprintf(text + n, room - n,
                          "<body pos='1 0 0'><joint name='j%d' frictionloss='1' limited='true' "
                          "range='.1 1'/><geom size='.1'/>",
                          i);
  }
  for (int i = 0; i < WIDE / 2; i++) {
    n += (size_t)snprintf(text + n, room - n, "</body>");
  }
  n += (size_t)snprintf(text + n, room - n, "</worldbody><actuator>");
  for (int i = 0; i < WIDE / 2; i++) {
    n += (size_t)snprintf(text + n, room - n,
                          "<general joint='j%d' dyntype='wide' actearly='true' "
                          "biastype='affine' biasprm='0 0 -1'/>",
                          i);
  }
  snprintf(text + n, room - n, "</actuator></mujoco>");
}

START_TEST(outputs_of_an_operation_are_guarded) {
  const sn_controller_ops mover = { HEAD(sn_controller_ops), .bind = toy_bind, .unbind = toy_unbind,
                                    .control = control_behind };
  const sn_dynamics_ops slopes = { HEAD(sn_dynamics_ops), .states = states, .rate = rate,
                                   .derivative = slopes_behind };
  const sn_solver_ops resting = { HEAD(sn_solver_ops), .solve = solve_behind };
  char text[4096], words[128];
  OK(sn_engine_set(engine, "check_plugins", "yes", error));
  OK(sn_engine_add(engine, SN_KIND_CONTROLLER, "wide", &mover, error));
  OK(sn_engine_add(engine, SN_KIND_DYNAMICS, "wide", &slopes, error));
  OK(sn_engine_add(engine, SN_KIND_SOLVER, "wide", &resting, error));
  make_wide(text, sizeof text);
  fault = NOTHING;
  model = model_of(text);
  data = data_of(model);
  spoiled = -1;
  ck_assert_msg(sn_step(model, data) == SN_OK, "%s", sn_error_text(sn_data_error(data)));
  ck_assert_int_eq(snd_nefc(data), WIDE);
  spoiled = _i;
  ck_assert_int_eq(sn_step(model, data), SN_EPLUGIN);
  snprintf(words, sizeof words, "0 bytes past the end of its output '%s'", wide[_i]);
  ck_assert_msg(strstr(sn_error_message(sn_data_error(data)), words) != NULL, "no \"%s\" in: %s",
                words, sn_error_message(sn_data_error(data)));
  done_with(model, data);
}
END_TEST

// Without the checking mode nothing of this is noticed: the test above tests the mode.
START_TEST(off_by_default) {
  make_model(0);
  fault = VELOCITY;
  ck_assert_int_eq(sn_step(model, data), SN_OK);
  done_with(model, data);
}
END_TEST

static void run(const char *path, int checked, double *out, int64_t capacity) {
  sn_engine *e = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  OK(sn_engine_set(e, "check_plugins", checked ? "yes" : "no", error));
  sn_model *m = sn_load(e, path, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_data *d = data_of(m);
  for (int k = 0; k < 30; k++) {
    const sn_status status = sn_step(m, d);
    ck_assert_msg(status >= 0, "%s", sn_error_text(sn_data_error(d)));
  }
  ck_assert_int_le(snm_nq(m), capacity);
  memcpy(out, snd_qpos(d), (size_t)snm_nq(m) * sizeof(double));
  done_with(m, d);
  sn_engine_close(e);
}

static const char *const files[] = {
  SAMPLE("arm"),    SAMPLE("figure"),    SAMPLE("rows"),
  SAMPLE("chain"),  SAMPLE("cart_pole"), SAMPLE("paddle"),
};
enum { NFILES = sizeof files / sizeof files[0] };

// The plugins that come with Sinew write their outputs alone, and the mode changes no result.
START_TEST(own_plugins_pass) {
  enum { ROOM = 1000 };
  static double plain[ROOM], checked[ROOM];
  run(files[_i], 0, plain, ROOM);
  run(files[_i], 1, checked, ROOM);
  ck_assert_mem_eq(plain, checked, sizeof plain);
}
END_TEST

START_TEST(setting) {
  sn_config_info info = { .size = sizeof info };
  ck_assert_int_eq(sn_engine_config(engine, 0, &info), 1);
  ck_assert_str_eq(info.key, "check_plugins");
  ck_assert_str_eq(info.value, "no");
  ck_assert_str_eq(info.origin, "default");
  ck_assert_int_eq(sn_engine_set(engine, "check_plugins", "perhaps", error), SN_EINVAL);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "'check_plugins' must be yes or no"));
  OK(sn_engine_set(engine, "check_plugins", "on", error));
  ck_assert_int_eq(sn_engine_config(engine, 0, &info), 1);
  ck_assert_str_eq(info.value, "on");
  ck_assert_str_eq(info.origin, "sn_engine_set");
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(fault_is_named, 0, NTOYS * (NFAULTS - 1));
  EACH(arrays_of_contacts_are_guarded, 0, sizeof arrays / sizeof arrays[0]);
  EACH(outputs_of_an_operation_are_guarded, 0, sizeof wide / sizeof wide[0]);
  TEST(off_by_default);
  EACH(own_plugins_pass, 0, NFILES);
  TEST(setting);
}
