// SPDX-License-Identifier: Apache-2.0
//
// The public functions that no other test calls, each against another way to the same number; and
// what they say to arguments that make no sense.

#include <math.h>
#include <stdlib.h>

#include "default_engine.h"
#include "model_file.h"
#include "ray_distance.h"
#include "settings.h"
#include "sinew/defaults.h"
#include "suite.h"

static sn_model *m;
static sn_data *d;

static void setup(void) {
  open_engine();
  m = model_of(model_file("api/two_bodies"));
  d = data_of(m);
  ck_assert_int_ge(sn_forward(m, d), 0);
}

static void teardown(void) {
  done_with(m, d);
  close_engine();
}

// ------------------------------------------------------------------ the tables

// Every accessor that the tables make is the field that is found by its name.
START_TEST(accessors) {
  sn_view view = { .size = sizeof view };
#define SIZE(name, meaning) ck_assert_int_eq(snm_##name(m), sn_size(m, #name));
#define ARRAY(type, name, rows, cols, domain, unit, meaning) \
  ck_assert_int_eq(sn_model_field(m, #name, &view), SN_OK);  \
  ck_assert_ptr_eq((const void *)snm_##name(m), view.p);
#define COUNT(name, stage, meaning) ck_assert_int_eq(snd_##name(d), sn_count(d, #name));
#define DATA(type, name, rows, cols, stage, unit, meaning)    \
  ck_assert_int_eq(sn_data_field(m, d, #name, &view), SN_OK); \
  ck_assert_ptr_eq((void *)snd_##name(d), view.p);
  SN_MODEL_SIZES(SIZE)
  SN_MODEL_FIELDS(ARRAY)
  SN_DATA_COUNTS(COUNT)
  SN_DATA_FIELDS(DATA)
  SN_STEP_FIELDS(DATA)
  ck_assert_int_eq(sn_size(m, "nothing"), -1);
  ck_assert_int_eq(sn_count(d, "nothing"), -1);
  ck_assert_int_eq(sn_data_field(m, d, "nothing", &view), SN_ENOTFOUND);
}
END_TEST

START_TEST(lists) {
  const char *name;
  int64_t value, n = 0;
  sn_view view = { .size = sizeof view }, found = { .size = sizeof found };
  for (; sn_size_at(m, n, &name, &value); n++) {
    ck_assert_int_eq(sn_size(m, name), value);
  }
  ck_assert_int_gt(n, 40);
  for (n = 0; sn_data_field_at(m, d, n, &view); n++) {
    ck_assert_int_eq(sn_data_field(m, d, view.name, &found), SN_OK);
    ck_assert_ptr_eq(found.p, view.p);
    ck_assert_int_eq(found.rows, view.rows);
  }
  ck_assert_int_gt(n, 80);
  ck_assert(!sn_data_field_at(m, d, -1, &view));
}
END_TEST

// ------------------------------------------------------------------ a spec

// Each kind of element and setting can be added, read back and written; NULL is rejected.
START_TEST(definitions) {
  sn_spec *spec = sn_spec_new(engine, error);
  ck_assert_ptr_nonnull(spec);
  ck_assert_int_eq(sn_spec_set_name(spec, "named"), SN_OK);
  ck_assert_str_eq(sn_spec_name(spec), "named");
#define ELEMENT(kind)                                                              \
  {                                                                                \
    sn_##kind##_def def;                                                           \
    int32_t id;                                                                    \
    sn_default_##kind(&def);                                                       \
    ck_assert_msg(sn_spec_add_##kind(spec, &def, NULL, &id, error) == SN_OK, "%s", \
                  sn_error_text(error));                                           \
    ck_assert_int_eq(sn_spec_count(spec, #kind), id + 1);                          \
    ck_assert_int_eq(sn_spec_get_##kind(spec, id, &def, error), SN_OK);            \
    ck_assert_int_eq(sn_spec_set_##kind(spec, id, &def, error), SN_OK);            \
    ck_assert_int_eq(sn_spec_add_##kind(spec, NULL, NULL, &id, error), SN_EINVAL); \
    ck_assert_int_eq(sn_spec_set_##kind(spec, id, NULL, error), SN_EINVAL);        \
    ck_assert_int_eq(sn_spec_get_##kind(spec, id, NULL, error), SN_EINVAL);        \
    ck_assert_int_eq(sn_spec_get_##kind(spec, id + 1, &def, error), SN_EINVAL);    \
    ck_assert_int_eq(sn_spec_get_##kind(spec, -1, &def, error), SN_EINVAL);        \
  }
  SN_ELEMENTS(ELEMENT)
#define SETTING(kind)                                                    \
  {                                                                      \
    sn_##kind settings;                                                  \
    sn_default_##kind(&settings);                                        \
    ck_assert_int_eq(sn_spec_get_##kind(spec, &settings), SN_OK);        \
    ck_assert_int_eq(sn_spec_set_##kind(spec, &settings, error), SN_OK); \
    ck_assert_int_eq(sn_spec_get_##kind(spec, NULL), SN_EINVAL);         \
    ck_assert_int_eq(sn_spec_set_##kind(spec, NULL, error), SN_EINVAL);  \
  }
  SN_SETTINGS(SETTING)
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ options

START_TEST(options) {
  sn_option opt = option_of(m);
  ck_assert_ptr_eq(sn_model_engine(m), engine);
  ck_assert_double_eq(visual_of(m).rgba_fog[3], 1);
  ck_assert_str_eq(sn_model_selected(m, "solver"), "newton");
  ck_assert_ptr_null(sn_model_selected(m, "post_solver"));
  ck_assert_ptr_null(sn_model_selected(m, "nothing"));

  // another algorithm is used at once, and reported
  strcpy(opt.solver, "cg");
  opt.noslip_iterations = 3;
  ck_assert_msg(sn_model_set_option(m, &opt, error) == SN_OK, "%s", sn_error_text(error));
  ck_assert_str_eq(sn_model_selected(m, "solver"), "cg");
  ck_assert_ptr_nonnull(sn_model_selected(m, "post_solver"));

  // all or nothing
  strcpy(opt.solver, "no such solver");
  opt.timestep = 0.5;
  ck_assert_int_eq(sn_model_set_option(m, &opt, error), SN_ENOTFOUND);
  ck_assert_str_eq(sn_model_selected(m, "solver"), "cg");
  ck_assert_double_eq(option_of(m).timestep, 0.002);
  opt = option_of(m);
  opt.timestep = -1;
  ck_assert_int_eq(sn_model_set_option(m, &opt, error), SN_EINVAL);
  ck_assert_int_eq(sn_model_set_option(m, NULL, error), SN_EINVAL);
  memset(opt.solver, 'x', sizeof opt.solver);
  ck_assert_int_eq(sn_model_set_option(m, &opt, error), SN_EINVAL);
  ck_assert_int_eq(sn_model_parse_option(m, "solver", "newton", error), SN_OK);
  ck_assert_str_eq(sn_model_selected(m, "solver"), "newton");

  // one word for a flag and an option
  ck_assert_int_eq(sn_model_parse_option(m, "gravity", "0 0", error), SN_EINVAL);
  ck_assert_ptr_nonnull(
      strstr(sn_error_message(error), "'gravity' takes three numbers, or on or off"));
}
END_TEST

// What is listed is accepted, and changes something.
START_TEST(option_list) {
  const char *name, *word;
  int names = 0, words = 0;
  for (int64_t i = 0; (name = sn_option_name(i)); i++, names++) {
    ck_assert_msg(sn_model_parse_option(m, name, "x", error) == SN_EINVAL ||
                      sn_option_choice(name, 0) == NULL,
                  "%s takes any word", name);
    for (int64_t k = 0; (word = sn_option_choice(name, k)); k++, words++) {
      const sn_option before = option_of(m);
      const char *other = sn_option_choice(name, k ? 0 : 1);
      ck_assert_int_eq(sn_model_parse_option(m, name, other, error), SN_OK);
      const sn_option changed = option_of(m);
      ck_assert_int_eq(sn_model_parse_option(m, name, word, error), SN_OK);
      const sn_option now = option_of(m);
      ck_assert_msg(memcmp(&changed, &now, sizeof now) != 0, "%s = %s does nothing", name, word);
      ck_assert_int_eq(sn_model_set_option(m, &before, error), SN_OK);
    }
  }
  ck_assert_int_gt(names, 40);
  // cone, compatibility; jacobian, inertia, collision; flags
  ck_assert_int_eq(words, 2 * 2 + 3 * 3 + 2 * 21);
  ck_assert_ptr_null(sn_option_name(-1));
  ck_assert_ptr_null(sn_option_choice("timestep", 0));
  ck_assert_ptr_null(sn_option_choice("cone", -1));
  ck_assert_ptr_null(sn_option_choice(NULL, 0));
}
END_TEST

// ------------------------------------------------------------------ applications of other versions

// The first bytes of a struct that an older application has: nothing is written past them, and
// setting keeps what it does not have.
START_TEST(older_settings) {
  sn_option now = option_of(m), old, untouched;
  now.noise_seed = 17;
  now.disableactuator = 5;
  ck_assert_int_eq(sn_model_set_option(m, &now, error), SN_OK);
  const size_t size = offsetof(sn_option, noise_seed);
  memset(&untouched, 0xaa, sizeof untouched);
  old = untouched;
  old.def_size = (uint32_t)size;
  ck_assert_int_eq(sn_model_get_option(m, &old), SN_OK);
  ck_assert_uint_eq(old.def_size, size);
  ck_assert_double_eq(old.timestep, now.timestep);
  ck_assert_str_eq(old.integrator, now.integrator);
  ck_assert_mem_eq((char *)&old + size, (char *)&untouched + size, sizeof old - size);
  old.timestep = 0.003;
  ck_assert_int_eq(sn_model_set_option(m, &old, error), SN_OK);
  ck_assert_double_eq(option_of(m).timestep, 0.003);
  ck_assert_int_eq(option_of(m).noise_seed, 17);
  ck_assert_int_eq(option_of(m).disableactuator, 5);

  // a newer application: what this library does not have is zero
  struct {
    sn_option option;
    double newer[4];
  } later = { .option = { .def_size = sizeof later }, .newer = { 1, 2, 3, 4 } };
  ck_assert_int_eq(sn_model_get_option(m, &later.option), SN_OK);
  ck_assert_uint_eq(later.option.def_size, sizeof later);
  ck_assert_double_eq(later.option.timestep, 0.003);
  ck_assert(later.newer[0] == 0 && later.newer[3] == 0);
  ck_assert_int_eq(sn_model_set_option(m, &later.option, error), SN_OK);

  // a size that was not set
  old.def_size = 0;
  ck_assert_int_eq(sn_model_get_option(m, &old), SN_EINVAL);
  ck_assert_int_eq(sn_model_get_option(m, NULL), SN_EINVAL);
  sn_visual visual = { .def_size = 1 << 20 };
  ck_assert_int_eq(sn_model_get_visual(m, &visual), SN_EINVAL);
}
END_TEST

START_TEST(older_spec) {
  sn_spec *spec = sn_spec_new(engine, error);
  sn_option option;
  sn_default_option(&option);
  option.noise_seed = 3;
  ck_assert_int_eq(sn_spec_set_option(spec, &option, error), SN_OK);
  option.def_size = offsetof(sn_option, noise_seed);
  option.timestep = 0.004;
  option.noise_seed = 99;   // beyond what it has
  ck_assert_int_eq(sn_spec_set_option(spec, &option, error), SN_OK);
  option.def_size = sizeof option;
  ck_assert_int_eq(sn_spec_get_option(spec, &option), SN_OK);
  ck_assert_double_eq(option.timestep, 0.004);
  ck_assert_int_eq(option.noise_seed, 3);

  // an element that is read, changed and written
  sn_joint_def def;
  int32_t id;
  sn_default_joint(&def);
  def.name = "knee";
  def.actgravcomp = 1;
  def.springquat[0] = 0.5;
  ck_assert_int_eq(sn_spec_add_joint(spec, &def, NULL, &id, error), SN_OK);
  def.def_size = offsetof(sn_joint_def, dof_stiffness);
  ck_assert_int_eq(sn_spec_get_joint(spec, id, &def, error), SN_OK);
  def.damping = 2;
  ck_assert_int_eq(sn_spec_set_joint(spec, id, &def, error), SN_OK);
  sn_default_joint(&def);
  ck_assert_int_eq(sn_spec_get_joint(spec, id, &def, error), SN_OK);
  ck_assert_str_eq(def.name, "knee");
  ck_assert_double_eq(def.damping, 2);
  ck_assert_int_eq(def.actgravcomp, 1);
  ck_assert_double_eq(def.springquat[0], 0.5);
  sn_spec_free(spec);
}
END_TEST

START_TEST(older_views) {
  sn_view old = { .size = offsetof(sn_view, type), .type = 77, .dynamic = 78 };
  ck_assert_int_eq(sn_data_field(m, d, "qpos", &old), SN_OK);
  ck_assert_ptr_eq(old.p, snd_qpos(d));
  ck_assert_int_eq(old.rows, snm_nq(m));
  ck_assert(old.type == 77 && old.dynamic == 78);
  old.size = 0;
  ck_assert_int_eq(sn_data_field(m, d, "qpos", &old), SN_EINVAL);
  ck_assert_int_eq(sn_model_field(m, "qpos0", &old), SN_EINVAL);
  ck_assert(!sn_model_field_at(m, 0, &old) && !sn_data_field_at(m, d, 0, &old));
  sn_timing timing = { .size = offsetof(sn_timing, seconds), .seconds = 7 };
  ck_assert(sn_data_timing_at(d, 0, &timing));
  ck_assert_str_eq(timing.name, "kinematics");
  ck_assert_double_eq(timing.seconds, 7);
}
END_TEST

// ------------------------------------------------------------------ mathematics

// The ball rests on the floor: the contact carries its weight, and so does the Jacobian.
START_TEST(contact_force) {
  double force[6], sum[7] = { 0 };
  for (int i = 0; i < 3000; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  ck_assert_int_ge(sn_forward(m, d), 0);
  ck_assert_int_eq(snd_ncon(d), 1);
  ck_assert_int_eq(sn_contact_force(m, d, 0, force), SN_OK);
  ck_assert_double_eq_tol(force[0], 2 * 9.81, 1e-3);
  ck_assert_int_eq(sn_contact_force(m, d, 1, force), SN_EINVAL);
  ck_assert_int_eq(sn_contact_force(m, d, -1, force), SN_EINVAL);
  ck_assert_double_eq(force[0], 0);

  int64_t nv = snm_nv(m), nefc = snd_nefc(d);
  double *J = calloc((size_t)(nefc * nv), sizeof *J);
  sn_full_constraint_jacobian(m, d, J);
  for (int64_t i = 0; i < nefc; i++) {
    for (int64_t k = 0; k < nv; k++) {
      sum[k] += J[i * nv + k] * snd_efc_force(d)[i];
    }
  }
  for (int64_t k = 0; k < nv; k++) {
    ck_assert_double_eq_tol(sum[k], snd_qfrc_constraint(d)[k], 1e-10);
  }
  free(J);
}
END_TEST

START_TEST(distance) {
  double ends[6];
  snd_qpos(d)[2] = 0.5;
  ck_assert_int_ge(sn_forward_position(m, d), 0);
  ck_assert_double_eq_tol(geom_distance(m, d, 0, 1, 10, ends), 0.4, 1e-12);
  ck_assert_double_eq_tol(ends[2], 0, 1e-12);
  ck_assert_double_eq_tol(ends[5], 0.4, 1e-12);
  ck_assert_double_eq(geom_distance(m, d, 0, 1, 0.1, ends), 0.1);
  ck_assert(isnan(geom_distance(m, d, 0, 3, 1, ends)));
  ck_assert_int_eq(sn_error_code(sn_data_error(d)), SN_EINVAL);
}
END_TEST

// Ids that do not exist are rejected; nothing is read or added.
START_TEST(ids) {
  const int32_t wrong[] = { -1, (int32_t)snm_nbody(m), INT32_MAX, INT32_MIN };
  double jacp[3 * 7], jacr[3 * 7], qfrc[7] = { 0 };
  const double point[3] = { 1, 2, 3 };
  for (int i = 0; i < 4; i++) {
    jacp[0] = 1;
    ck_assert_int_eq(sn_jacobian(m, d, jacp, jacr, point, wrong[i]), SN_EINVAL);
    ck_assert_double_eq(jacp[0], 0);
    ck_assert_int_eq(sn_jacobian_com(m, d, jacp, jacr, wrong[i]), SN_EINVAL);
    ck_assert_int_eq(sn_apply_force(m, d, point, NULL, point, wrong[i], qfrc), SN_EINVAL);
    ck_assert_double_eq(qfrc[0], 0);
  }
  ck_assert_int_eq(sn_jacobian(m, d, NULL, jacr, point, 2), SN_OK);
  ck_assert_double_eq(jacr[1 * 7 + 6], 1);   // the hinge turns about y
}
END_TEST

// ------------------------------------------------------------------ rollouts

// A rollout is the steps that one could make oneself.
START_TEST(rollout) {
  enum { N = 3, STEPS = 20 };
  const int64_t size = sn_state_size(m, SN_STATE_FULLPHYSICS);
  int32_t status[N];
  int64_t reached[N];
  double control[N * STEPS], *states = calloc((size_t)(N * STEPS * size), sizeof *states);
  double *initial = calloc((size_t)(N * size), sizeof *initial), *own = initial;
  for (int i = 0; i < N * STEPS; i++) {
    control[i] = sin(i);
  }
  sn_reset(m, d);
  for (int i = 0; i < N; i++, own += size) {
    snd_qvel(d)[6] = i;
    sn_state_get(m, d, SN_STATE_FULLPHYSICS, own);
  }
  sn_rollout_request request = { .size = sizeof request,
                                 .n = N,
                                 .nstep = STEPS,
                                 .initial_mask = SN_STATE_FULLPHYSICS,
                                 .result_mask = SN_STATE_FULLPHYSICS,
                                 .initial = initial,
                                 .control = control,
                                 .executor = _i ? "threads" : "serial",
                                 .states = states,
                                 .status = status,
                                 .reached = reached };
  ck_assert_msg(sn_rollout(m, &request, error) == SN_OK, "%s", sn_error_text(error));
  ck_assert_int_eq(request.failed, 0);
  own = calloc((size_t)size, sizeof *own);
  for (int i = 0; i < N; i++) {
    ck_assert(status[i] == SN_OK && reached[i] == STEPS);
    sn_reset(m, d);
    sn_state_set(m, d, SN_STATE_FULLPHYSICS, initial + i * size);
    for (int k = 0; k < STEPS; k++) {
      snd_ctrl(d)[0] = control[i * STEPS + k];
      ck_assert_int_ge(sn_step(m, d), 0);
      sn_state_get(m, d, SN_STATE_FULLPHYSICS, own);
      ck_assert_mem_eq(own, states + (i * STEPS + k) * size, (size_t)size * sizeof *own);
    }
  }
  // one of them fails: a control that is not finite, from its step 7 on a reset state
  control[STEPS + 7] = NAN;
  snd_qvel(d)[0] = INFINITY;
  sn_state_get(m, d, SN_STATE_FULLPHYSICS, initial + 2 * size);
  ck_assert_int_eq(sn_rollout(m, &request, error), SN_OK);
  ck_assert_int_eq(request.failed, 1);
  ck_assert(status[0] == SN_OK && status[2] == SN_EDIVERGED && reached[2] == 0);

  // without results, only the failures are reported
  request.states = NULL;
  request.status = NULL;
  request.reached = NULL;
  request.control = NULL;
  ck_assert_int_eq(sn_rollout(m, &request, error), SN_OK);
  ck_assert_int_eq(request.failed, 1);
  free(own);
  free(initial);
  free(states);
}
END_TEST

// What no version could mean, and what a later version may: each is rejected.
START_TEST(rollout_request) {
  const sn_rollout_request good = { .size = sizeof good, .n = 1, .nstep = 1 };
  sn_rollout_request bad = good;
  ck_assert_int_eq(sn_rollout(m, &bad, error), SN_OK);
  ck_assert_int_eq(sn_rollout(m, NULL, error), SN_EINVAL);
  bad.size = 88;   // shorter than that of any version
  ck_assert_int_eq(sn_rollout(m, &bad, error), SN_EINVAL);
  bad = good;
  bad.n = -1;
  ck_assert_int_eq(sn_rollout(m, &bad, error), SN_EINVAL);
  bad = good;
  bad.nstep = -1;
  ck_assert_int_eq(sn_rollout(m, &bad, error), SN_EINVAL);
  bad = good;
  bad.result_mask = 1u << 20;
  ck_assert_int_eq(sn_rollout(m, &bad, error), SN_EINVAL);
  bad = good;
  bad.flags = 1u << 31;
  ck_assert_int_eq(sn_rollout(m, &bad, error), SN_EUNSUPPORTED);
  bad = good;
  bad.executor = "nobody";
  ck_assert_int_eq(sn_rollout(m, &bad, error), SN_ENOTFOUND);
  struct {
    sn_rollout_request request;
    double newer;
  } later = { .request = good };
  later.request.size = sizeof later;
  ck_assert_int_eq(sn_rollout(m, &later.request, error), SN_OK);
  later.newer = 1;
  ck_assert_int_eq(sn_rollout(m, &later.request, error), SN_EUNSUPPORTED);
}
END_TEST

// ------------------------------------------------------------------ warnings of a model

START_TEST(negative_numbers) {
  sn_model *n = model_of("<mujoco><worldbody><body><joint name='j' axis='0 1 0' damping='-1' "
                         "frictionloss='-2'/><geom name='g' size='.1' friction='-3'/></body>"
                         "</worldbody></mujoco>");
  ck_assert_ptr_null(sn_model_warning(m, 0));
  ck_assert_str_ne(warning_with(n, "geom 'g': its friction is negative (-3)"), "");
  ck_assert_str_ne(warning_with(n, "joint 'j': its damping is negative (-1)"), "");
  ck_assert_str_ne(warning_with(n, "joint 'j': its frictionloss is negative (-2)"), "");
  sn_model_free(n);
}
END_TEST

// ------------------------------------------------------------------ states and memory

START_TEST(state_of_nonsense) {
  sn_model *n = model_of("<mujoco><worldbody><body name='a'><freejoint/><geom size='.1'/>"
                         "</body></worldbody><equality><weld body1='a'/></equality></mujoco>");
  sn_data *e = sn_data_new(n, error);
  const double wrong[] = { NAN, HUGE_VAL, -1e300, 0 };
  for (int i = 0; i < 4; i++) {
    sn_state_set(n, e, SN_STATE_EQ_ENABLED, &wrong[i]);
    ck_assert_int_eq(snd_eq_enabled(e)[0], wrong[i] != 0);
  }
  sn_data_free(e);
  sn_model_free(n);
}
END_TEST

// A time that no step can advance is not the integrator's fault; one that is not finite is reset.
START_TEST(time_of_nonsense) {
  static const double times[] = { 1e300, INFINITY, NAN };
  sn_state_set(m, d, SN_STATE_TIME, &times[_i]);
  ck_assert_int_eq(sn_step(m, d), _i == 0 ? SN_OK : SN_EDIVERGED);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 0);
}
END_TEST

// The option `memory` bounds all that steps take, not each of their two arenas.
START_TEST(one_limit) {
  int64_t total, used;
  char text[32];
  ck_assert_int_ge(sn_step(m, d), 0);
  sn_data_memory(d, &total, &used);
  ck_assert_int_eq(sn_model_parse_option(m, "memory", "100", error), SN_OK);
  ck_assert_int_eq(sn_step(m, d), SN_ENOMEM);
  snprintf(text, sizeof text, "%lld", (long long)(used - 64));
  ck_assert_int_eq(sn_model_parse_option(m, "memory", text, error), SN_OK);
  ck_assert_int_eq(sn_step(m, d), SN_ENOMEM);
  snprintf(text, sizeof text, "%lld", (long long)used);
  ck_assert_int_eq(sn_model_parse_option(m, "memory", text, error), SN_OK);
  ck_assert_int_ge(sn_step(m, d), 0);
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(accessors);
  TEST(lists);
  TEST(definitions);
  TEST(options);
  TEST(option_list);
  TEST(older_settings);
  TEST(older_spec);
  TEST(older_views);
  TEST(contact_force);
  TEST(distance);
  TEST(ids);
  EACH(rollout, 0, 2);
  TEST(rollout_request);
  TEST(negative_numbers);
  TEST(state_of_nonsense);
  EACH(time_of_nonsense, 0, 3);
  TEST(one_limit);
}
