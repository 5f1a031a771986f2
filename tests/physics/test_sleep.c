// SPDX-License-Identifier: Apache-2.0
//
// Sleeping: what is at rest stays where it is to the last bit until something wakes it, and
// everything else is as without it. Model: models/physics/sleep.xml.

#include <math.h>
#include <stdlib.h>

#include "data/data.h"
#include "default_engine.h"
#include "model_file.h"
#include "sinew/sinew.h"
#include "suite.h"

static sn_model *scene(void) {
  return model_of(model_file("physics/sleep"));
}

static void step(const sn_model *m, sn_data *d, int n) {
  for (int i = 0; i < n; i++) {
    ck_assert_msg(sn_step(m, d) >= 0, "%s", sn_error_text(sn_data_error(d)));
  }
}

static int sleeps(const sn_model *m, sn_data *d, const char *body) {
  return snd_body_asleep(d)[sn_find(m, "body", body)];
}

static int number_asleep(const sn_model *m, sn_data *d) {
  int n = 0;
  for (int64_t i = 0; i < sn_size(m, "nbody"); i++) {
    n += snd_body_asleep(d)[i];
  }
  return n;
}

static int dof_of(const sn_model *m, const char *body) {
  return snm_body_dofadr(m)[sn_find(m, "body", body)];
}

static double *position_of(const sn_model *m, sn_data *d, const char *body) {
  return snd_qpos(d) + snm_jnt_qposadr(m)[snm_body_jntadr(m)[sn_find(m, "body", body)]];
}

static double *state_of(const sn_model *m, const sn_data *d, uint32_t mask) {
  double *state = malloc((size_t)(sn_state_size(m, mask) + 1) * sizeof *state);
  sn_state_get(m, d, mask, state);
  return state;
}

// A simulation in which all that may has fallen asleep.
static sn_data *settled(const sn_model *m) {
  sn_data *d = data_of(m);
  step(m, d, 1500);
  ck_assert(sleeps(m, d, "low") && sleeps(m, d, "alone") && sleeps(m, d, "wheel") &&
            sleeps(m, d, "left") && sleeps(m, d, "right") && sleeps(m, d, "pulled") &&
            sleeps(m, d, "arm"));
  ck_assert_int_eq(number_asleep(m, d), 11);   // with the post
  return d;
}

// ------------------------------------------------------------------ falling asleep

// Bit by bit the same as without, until something falls asleep.
START_TEST(nothing_changes_before) {
  sn_model *m = scene(), *plain = scene();
  OK(sn_model_parse_option(plain, "sleep", "disable", error));
  sn_data *d = data_of(m), *e = data_of(plain);
  const uint32_t mask = SN_STATE_FULLPHYSICS | SN_STATE_WARMSTART;
  int n = 0;
  for (; n < 1500; n++) {
    step(m, d, 1);
    step(plain, e, 1);
    if (number_asleep(m, d) > 0) {
      break;
    }
    ck_assert(sn_state_hash(m, d, mask) == sn_state_hash(plain, e, mask));
  }
  ck_assert_int_ge(n, 9);   // the tenth step
  ck_assert_int_lt(n, 1500);
  done_with(m, d);
  done_with(plain, e);
}
END_TEST

static const char *const ways[][4] = {
  { "integrator", "euler", "solver", "newton" },
  { "integrator", "rk4", "solver", "newton" },
  { "integrator", "implicit", "solver", "newton" },
  { "integrator", "momentum", "solver", "newton" },
  { "integrator", "euler", "solver", "cg" },
  { "cone", "elliptic", "solver", "newton" },
  { "inertia", "recursive", "solver", "newton" },
  { "integrator", "implicitfast", "solver", "cg" },
};
enum { NWAYS = sizeof ways / sizeof ways[0] };

START_TEST(stays_to_the_last_bit) {
  sn_model *m = scene();
  for (int k = 0; k < 4; k += 2) {
    OK(sn_model_parse_option(m, ways[_i][k], ways[_i][k + 1], error));
  }
  sn_data *d = settled(m);
  double before[64], after[64];
  ck_assert_int_le(sn_size(m, "nq"), 64);
  memcpy(before, snd_qpos(d), (size_t)sn_size(m, "nq") * sizeof(double));
  step(m, d, 500);
  memcpy(after, snd_qpos(d), (size_t)sn_size(m, "nq") * sizeof(double));
  const int32_t *type = snm_jnt_type(m);
  for (int64_t j = 0; j < sn_size(m, "njnt"); j++) {
    if (snd_body_asleep(d)[snm_jnt_bodyid(m)[j]]) {
      const int n = type[j] == SN_JOINT_FREE ? 7 : 1, q = snm_jnt_qposadr(m)[j];
      ck_assert_mem_eq(before + q, after + q, (size_t)n * sizeof(double));
      ck_assert_double_eq(snd_qvel(d)[snm_jnt_dofadr(m)[j]], 0);
    }
  }
  ck_assert_int_eq(number_asleep(m, d), 11);
  done_with(m, d);
}
END_TEST

// The stack falls asleep as a whole; what an actuator moves, and what a mocap body carries, never.
START_TEST(who_sleeps) {
  sn_model *m = scene();
  sn_data *d = data_of(m);
  for (int i = 0; i < 1500; i++) {
    step(m, d, 1);
    ck_assert_int_eq(sleeps(m, d, "low"), sleeps(m, d, "middle"));
    ck_assert_int_eq(sleeps(m, d, "low"), sleeps(m, d, "high"));
    ck_assert_int_eq(sleeps(m, d, "arm"), sleeps(m, d, "other arm"));
    ck_assert_int_eq(sleeps(m, d, "arm"), sleeps(m, d, "post"));
    ck_assert(!sleeps(m, d, "ball") && !sleeps(m, d, "shelved") && !sleeps(m, d, "pulls"));
  }
  ck_assert(sleeps(m, d, "high"));
  done_with(m, d);
}
END_TEST

static const char *const policies =
    "<mujoco><option gravity='0 0 0'><flag sleep='%s'/></option><worldbody>"
    "<body name='a' sleep='%s'><joint/><geom size='.1'/>"
    "<body name='b' pos='0 0 1'><joint/><geom size='.1'/></body></body></worldbody>"
    "<actuator>%s</actuator></mujoco>";

START_TEST(policies_decide) {
  static const struct {
    const char *flag, *policy, *actuator;
    int at_once, later;
  } row[] = {
    { "enable", "auto", "", 0, 1 },     { "enable", "auto", "<motor joint='joint'/>", 0, 0 },
    { "enable", "never", "", 0, 0 },    { "enable", "allowed", "<motor joint='joint'/>", 0, 1 },
    { "enable", "init", "", 1, 1 },     { "disable", "init", "", 0, 0 },
    { "disable", "allowed", "", 0, 0 },
  };
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    char text[1024];
    snprintf(text, sizeof text, policies, row[i].flag, row[i].policy, row[i].actuator);
    char *joint = strstr(text, "<joint/>");
    ck_assert(joint != NULL);
    char named[1100];
    snprintf(named, sizeof named, "%.*s<joint name='joint'/>%s", (int)(joint - text), text,
             joint + 8);
    sn_model *m = model_of(named);
    sn_data *d = data_of(m);
    ck_assert_int_eq(sleeps(m, d, "a"), row[i].at_once);
    step(m, d, 9);
    ck_assert_int_eq(sleeps(m, d, "b"), row[i].at_once);
    step(m, d, 2);
    ck_assert_int_eq(sleeps(m, d, "b"), row[i].later);
    done_with(m, d);
  }
}
END_TEST

START_TEST(only_the_top_has_a_policy) {
  reject_text("<mujoco><worldbody><body><joint/><geom size='.1'/><body sleep='never'><joint/>"
              "<geom size='.1'/></body></body></worldbody></mujoco>",
              "topmost moving body of a kinematic tree");
  reject_text(
      "<mujoco><worldbody><body sleep='never'><geom size='.1'/></body></worldbody></mujoco>",
      "topmost moving body of a kinematic tree");
  reject_text("<mujoco><option sleep_tolerance='-1'/></mujoco>", "sleep_tolerance");
}
END_TEST

// ------------------------------------------------------------------ waking

static void push_ball(const sn_model *m, sn_data *d) {
  snd_qvel(d)[dof_of(m, "ball")] = 2;   // it rolls against the stack, after 0.4 s
}

static void apply_force(const sn_model *m, sn_data *d) {
  snd_qfrc_applied(d)[dof_of(m, "alone")] = 1;
}

static void apply_wrench(const sn_model *m, sn_data *d) {
  snd_xfrc_applied(d)[6 * sn_find(m, "body", "middle") + 2] = 0.01;
}

static void change_position(const sn_model *m, sn_data *d) {
  position_of(m, d, "alone")[2] += 1e-12;
}

static void change_velocity(const sn_model *m, sn_data *d) {
  snd_qvel(d)[dof_of(m, "high") + 5] = 1e-9;
}

static void control(const sn_model *m, sn_data *d) {
  (void)m;
  snd_ctrl(d)[0] = 0.001;
}

static void weld(const sn_model *m, sn_data *d) {
  (void)m;
  snd_eq_enabled(d)[0] = 1;
}

static void move_slider(const sn_model *m, sn_data *d) {
  position_of(m, d, "pulls")[0] = -0.1;
}

static void move_shelf(const sn_model *m, sn_data *d) {
  (void)m;
  snd_mocap_pos(d)[0] = 1.19;   // into the side of "alone"
  snd_mocap_pos(d)[2] = 0.1;
}

static void change_gravity(const sn_model *m, sn_data *d) {
  (void)d;
  OK(sn_model_parse_option((sn_model *)(uintptr_t)m, "gravity", "0 0 -9.8", error));
}

static void change_mass(const sn_model *m, sn_data *d) {
  (void)d;
  m->body_mass[sn_find(m, "body", "high")] *= 1.5;
  OK(sn_model_refresh((sn_model *)(uintptr_t)m, error));
}

static void disable(const sn_model *m, sn_data *d) {
  (void)d;
  OK(sn_model_parse_option((sn_model *)(uintptr_t)m, "sleep", "disable", error));
}

static void wake_one(const sn_model *m, sn_data *d) {
  OK(sn_wake(m, d, sn_find(m, "body", "other arm")));
}

static void wake_all(const sn_model *m, sn_data *d) {
  OK(sn_wake(m, d, -1));
}

static const struct {
  void (*act)(const sn_model *m, sn_data *d);
  int steps;                // until it wakes
  const char *awake;        // bodies, separated by commas: they and no others wake; NULL: all
} causes[] = {
  { push_ball, 200, "low,middle,high" },
  { apply_force, 1, "alone" },
  { apply_wrench, 1, "low,middle,high" },
  { change_position, 1, "alone" },
  { change_velocity, 1, "low,middle,high" },
  { control, 1, "wheel" },
  { weld, 1, "left,right" },
  { move_slider, 2, "pulled" },
  { move_shelf, 1, "alone" },
  { change_gravity, 1, NULL },
  { change_mass, 1, NULL },
  { disable, 1, NULL },
  { wake_one, 0, "arm,other arm,post" },
  { wake_all, 0, NULL },
};
enum { NCAUSES = sizeof causes / sizeof causes[0] };

static int is_listed(const char *list, const char *name) {
  const char *at = list;
  const size_t n = strlen(name);
  while ((at = strstr(at, name))) {
    if ((at == list || at[-1] == ',') && (at[n] == '\0' || at[n] == ',')) {
      return 1;
    }
    at++;
  }
  return 0;
}

START_TEST(wakes_what_is_concerned) {
  sn_model *m = scene();
  sn_data *d = settled(m);
  int was[32];
  memcpy(was, snd_body_asleep(d), (size_t)sn_size(m, "nbody") * sizeof *was);
  causes[_i].act(m, d);
  step(m, d, causes[_i].steps);
  for (int32_t b = 0; b < (int32_t)sn_size(m, "nbody"); b++) {
    const char *name = sn_name(m, "body", b);
    const int wakes = !causes[_i].awake || is_listed(causes[_i].awake, name);
    ck_assert_msg(snd_body_asleep(d)[b] == (was[b] && !wakes), "%s: %d", name,
                  snd_body_asleep(d)[b]);
  }
  done_with(m, d);
}
END_TEST

// What wakes in a step takes part in it: a force accelerates at once.
START_TEST(no_step_is_lost) {
  sn_model *m = scene(), *plain = scene();
  OK(sn_model_parse_option(plain, "sleep", "disable", error));
  sn_data *d = settled(m), *e = data_of(plain);
  double *state = state_of(m, d, SN_STATE_FULLPHYSICS);
  OK(sn_state_set(plain, e, SN_STATE_FULLPHYSICS, state));
  for (int k = 0; k < 2; k++) {
    sn_data *x = k ? e : d;
    snd_xfrc_applied(x)[6 * sn_find(m, "body", "middle")] = 200;
    snd_xfrc_applied(x)[6 * sn_find(m, "body", "alone")] = 200;
    OK(sn_forward(k ? plain : m, x));
  }
  for (int i = 0; i < 24; i++) {   // the stack, and the box alone
    ck_assert_double_eq_tol(snd_qacc(d)[i], snd_qacc(e)[i], 1e-6 * (1 + fabs(snd_qacc(e)[i])));
  }
  ck_assert_double_gt(fabs(snd_qacc(d)[dof_of(m, "middle")]), 1);
  free(state);
  done_with(m, d);
  done_with(plain, e);
}
END_TEST

// A box that falls on a stack that sleeps comes to rest where it does without sleeping.
START_TEST(same_rest_as_without) {
  sn_model *m = scene(), *plain = scene();
  OK(sn_model_parse_option(plain, "sleep", "disable", error));
  sn_data *d = settled(m), *e = data_of(plain);
  step(plain, e, 1500);
  for (int k = 0; k < 2; k++) {
    sn_data *x = k ? e : d;
    const double place[7] = { 0.01, 0, 0.9, 1, 0, 0, 0 };
    memcpy(position_of(m, x, "alone"), place, sizeof place);
    step(k ? plain : m, x, 1500);
  }
  ck_assert(sleeps(m, d, "alone") && sleeps(m, d, "low"));
  for (int64_t i = 0; i < sn_size(m, "nq"); i++) {
    ck_assert_double_eq_tol(snd_qpos(d)[i], snd_qpos(e)[i], 2e-4);
  }
  ck_assert_double_gt(position_of(m, d, "alone")[2], 0.65);
  done_with(m, d);
  done_with(plain, e);
}
END_TEST

// ------------------------------------------------------------------ what is computed

// All that depends on positions and velocities is what it is without sleeping, to the last bit; the
// world's center of mass is summed in another order.
START_TEST(fields_stay_right) {
  sn_model *m = scene(), *plain = scene();
  OK(sn_model_parse_option(plain, "sleep", "disable", error));
  sn_data *d = settled(m), *e = data_of(plain);
  step(m, d, 1);
  double *state = state_of(m, d, SN_STATE_FULLPHYSICS | SN_STATE_USER);
  OK(sn_state_set(plain, e, SN_STATE_FULLPHYSICS | SN_STATE_USER, state));
  OK(sn_forward(m, d));
  OK(sn_forward(plain, e));
  const int64_t nbody = sn_size(m, "nbody"), nv = sn_size(m, "nv");
  ck_assert_mem_eq(snd_xpos(d), snd_xpos(e), (size_t)(3 * nbody) * sizeof(double));
  ck_assert_mem_eq(snd_ximat(d), snd_ximat(e), (size_t)(9 * nbody) * sizeof(double));
  ck_assert_mem_eq(snd_geom_xmat(d), snd_geom_xmat(e),
                   (size_t)(9 * sn_size(m, "ngeom")) * sizeof(double));
  ck_assert_mem_eq(snd_subtree_com(d) + 3, snd_subtree_com(e) + 3,
                   (size_t)(3 * nbody - 3) * sizeof(double));
  ck_assert_mem_eq(snd_cinert(d), snd_cinert(e), (size_t)(10 * nbody) * sizeof(double));
  ck_assert_mem_eq(snd_crb(d) + 10, snd_crb(e) + 10, (size_t)(10 * nbody - 10) * sizeof(double));
  ck_assert_mem_eq(snd_cdof(d), snd_cdof(e), (size_t)(6 * nv) * sizeof(double));
  ck_assert_mem_eq(snd_qLD(d), snd_qLD(e), (size_t)sn_size(m, "nM") * sizeof(double));
  ck_assert_mem_eq(snd_cvel(d), snd_cvel(e), (size_t)(6 * nbody) * sizeof(double));
  ck_assert_mem_eq(snd_qfrc_bias(d), snd_qfrc_bias(e), (size_t)nv * sizeof(double));
  ck_assert_mem_eq(snd_qfrc_passive(d), snd_qfrc_passive(e), (size_t)nv * sizeof(double));
  ck_assert_mem_eq(snd_qacc_smooth(d), snd_qacc_smooth(e), (size_t)nv * sizeof(double));
  for (int k = 0; k < 3; k++) {
    ck_assert_double_eq_tol(snd_subtree_com(d)[k], snd_subtree_com(e)[k], 1e-12);
  }
  free(state);
  done_with(m, d);
  done_with(plain, e);
}
END_TEST

// It is held: no acceleration, and forces that balance.
START_TEST(forces_balance) {
  sn_model *m = scene();
  OK(sn_model_parse_option(m, "energy", "enable", error));
  sn_data *d = settled(m);
  OK(sn_forward(m, d));
  const double potential = snd_energy(d)[0];
  for (int64_t i = 0; i < sn_size(m, "nv"); i++) {
    if (snd_body_asleep(d)[snm_dof_bodyid(m)[i]]) {
      ck_assert_double_eq(snd_qacc(d)[i], 0);
      ck_assert_double_eq(snd_qfrc_constraint(d)[i] + snd_qfrc_smooth(d)[i], 0);
    }
  }
  // the floor carries the box
  ck_assert_double_eq_tol(snd_qfrc_constraint(d)[dof_of(m, "alone") + 2],
                          9.81 * snm_body_mass(m)[sn_find(m, "body", "alone")], 1e-9);
  step(m, d, 300);
  OK(sn_forward(m, d));
  ck_assert_double_eq_tol(snd_energy(d)[0], potential, 1e-6);
  ck_assert_double_lt(snd_energy(d)[1], 1e-6);
  done_with(m, d);
}
END_TEST

// Falling asleep takes no more kinetic energy than the tolerance allows, and nothing else.
START_TEST(energy_at_the_moment) {
  sn_model *m = scene();
  sn_data *d = data_of(m);
  double before[64], speed = 0;
  for (int i = 0; i < 1500; i++) {
    const int n = number_asleep(m, d);
    memcpy(before, snd_qvel(d), (size_t)sn_size(m, "nv") * sizeof(double));
    step(m, d, 1);
    for (int64_t k = 0; k < sn_size(m, "nv") && number_asleep(m, d) > n; k++) {
      speed = snd_body_asleep(d)[snm_dof_bodyid(m)[k]] ? fmax(speed, fabs(before[k])) : speed;
    }
  }
  ck_assert_double_gt(speed, 0);
  ck_assert_double_lt(speed, 1e-3);   // 1e-4 m/s, of a rotation by the 0.17 m that a box reaches
  done_with(m, d);
}
END_TEST

// Derivatives and inverse dynamics are those of what would move: as without sleeping.
START_TEST(derivatives_are_of_the_awake) {
  sn_model *m = scene(), *plain = scene();
  OK(sn_model_parse_option(plain, "sleep", "disable", error));
  sn_data *d = settled(m), *e = data_of(plain);
  const uint32_t mask = SN_STATE_INTEGRATION & ~(uint32_t)SN_STATE_SLEEP;
  const int64_t nv = sn_size(m, "nv"), n = 2 * nv + sn_size(m, "na");
  double *state = state_of(m, d, mask), *A = calloc((size_t)(n * n), sizeof *A);
  double *B = calloc((size_t)(n * n), sizeof *B);
  OK(sn_state_set(plain, e, mask, state));
  const int asleep = number_asleep(m, d);
  OK(sn_transition_fd(m, d, 1e-6, 1, A, NULL, NULL, NULL));
  OK(sn_transition_fd(plain, e, 1e-6, 1, B, NULL, NULL, NULL));
  ck_assert_mem_eq(A, B, (size_t)(n * n) * sizeof *A);
  ck_assert_int_eq(number_asleep(m, d), asleep);
  OK(sn_forward(m, d));
  for (int64_t i = 0; i < nv; i++) {
    snd_qacc(d)[i] = snd_qacc(e)[i] = sin((double)i);
  }
  OK(sn_inverse(m, d));
  OK(sn_inverse(plain, e));
  ck_assert_mem_eq(snd_qfrc_inverse(d), snd_qfrc_inverse(e), (size_t)nv * sizeof(double));
  ck_assert_int_eq(number_asleep(m, d), asleep);
  free(state);
  free(A);
  free(B);
  done_with(m, d);
  done_with(plain, e);
}
END_TEST

// ------------------------------------------------------------------ the state

// Things happen while some sleep: a run with all causes but edits of the model, one after another.
static void happen(const sn_model *m, sn_data *d, int step) {
  static void (*const act[])(const sn_model *m,
                             sn_data *d) = { control, apply_wrench,    push_ball, move_slider,
                                             weld,    change_position, move_shelf };
  if (step % 150 == 0 && step / 150 < (int)(sizeof act / sizeof act[0])) {
    act[step / 150](m, d);
  }
  if (step % 150 == 75) {
    memset(snd_xfrc_applied(d), 0, (size_t)(6 * sn_size(m, "nbody")) * sizeof(double));
  }
}

// A run that is continued from a state that was saved, at any moment and also between an edit and
// the next step, goes on as it would have.
START_TEST(restored_run_goes_on) {
  sn_model *m = scene();
  sn_data *d = settled(m), *e = data_of(m);
  for (int i = 0; i < 1100; i++) {
    happen(m, d, i);
    if (i % 7 == 0 || i % 150 < 4) {
      double *state = state_of(m, d, SN_STATE_INTEGRATION);
      OK(sn_state_set(m, e, SN_STATE_INTEGRATION, state));
      free(state);
    } else {
      happen(m, e, i);
    }
    step(m, d, 1);
    step(m, e, 1);
    ck_assert_msg(sn_state_hash(m, d, SN_STATE_INTEGRATION) ==
                      sn_state_hash(m, e, SN_STATE_INTEGRATION),
                  "step %d", i);
    ck_assert_mem_eq(snd_body_asleep(d), snd_body_asleep(e),
                     (size_t)sn_size(m, "nbody") * sizeof(int32_t));
    ck_assert_mem_eq(snd_qacc(d), snd_qacc(e), (size_t)sn_size(m, "nv") * sizeof(double));
  }
  ck_assert_int_gt(number_asleep(m, d), 0);
  sn_data_free(e);
  done_with(m, d);
}
END_TEST

START_TEST(copy_sleeps_too) {
  sn_model *m = scene();
  sn_data *d = settled(m), *e = data_of(m);
  OK(sn_data_copy(m, e, d));
  ck_assert_int_eq(number_asleep(m, e), 11);
  for (int i = 0; i < 600; i++) {
    happen(m, d, i);
    happen(m, e, i);
    step(m, d, 1);
    step(m, e, 1);
  }
  ck_assert(sn_state_hash(m, d, SN_STATE_INTEGRATION) == sn_state_hash(m, e, SN_STATE_INTEGRATION));
  OK(sn_reset(m, e));
  ck_assert_int_eq(number_asleep(m, e), 0);
  sn_data_free(e);
  done_with(m, d);
}
END_TEST

// Positions alone, without what sleeps: what is elsewhere wakes.
START_TEST(positions_alone_wake) {
  sn_model *m = scene();
  sn_data *d = settled(m);
  double *qpos = state_of(m, d, SN_STATE_QPOS);
  OK(sn_state_set(m, d, SN_STATE_QPOS, qpos));
  step(m, d, 1);
  ck_assert_int_eq(number_asleep(m, d), 11);
  position_of(m, d, "left")[1] += 0.5;
  double *moved = state_of(m, d, SN_STATE_QPOS);
  OK(sn_state_set(m, d, SN_STATE_QPOS, moved));
  step(m, d, 1);
  ck_assert(!sleeps(m, d, "left") && sleeps(m, d, "right"));
  free(qpos);
  free(moved);
  done_with(m, d);
}
END_TEST

// Counts that no run makes: everything is awake.
START_TEST(nonsense_is_awake) {
  sn_model *m = scene();
  sn_data *d = settled(m);
  const double bad[] = { 1e9, -1e9, NAN, 3, 0, 0.5 };
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    double *state = state_of(m, d, SN_STATE_SLEEP);
    for (int i = 0; i < 5; i++) {
      state[i] = bad[(k + (size_t)i) % (sizeof bad / sizeof bad[0])];
    }
    OK(sn_state_set(m, d, SN_STATE_SLEEP, state));
    step(m, d, 3);
    free(state);
  }
  done_with(m, d);
}
END_TEST

START_TEST(off_has_no_state) {
  sn_model *m = scene();
  OK(sn_model_parse_option(m, "sleep", "disable", error));
  ck_assert_int_eq(sn_state_size(m, SN_STATE_SLEEP), 0);
  sn_data *d = data_of(m);
  step(m, d, 1500);
  ck_assert_int_eq(number_asleep(m, d), 0);
  OK(sn_model_parse_option(m, "sleep", "enable", error));   // also of a simulation that exists
  ck_assert_int_gt(sn_state_size(m, SN_STATE_SLEEP), 0);
  step(m, d, 12);
  ck_assert_int_gt(number_asleep(m, d), 0);
  ck_assert_int_eq(sn_wake(m, d, 1000), SN_EINVAL);
  ck_assert_int_eq(sn_wake(m, d, -2), SN_EINVAL);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(nothing_changes_before);
  EACH(stays_to_the_last_bit, 0, NWAYS);
  TEST(who_sleeps);
  TEST(policies_decide);
  TEST(only_the_top_has_a_policy);
  EACH(wakes_what_is_concerned, 0, NCAUSES);
  TEST(no_step_is_lost);
  TEST(same_rest_as_without);
  TEST(fields_stay_right);
  TEST(forces_balance);
  TEST(energy_at_the_moment);
  TEST(derivatives_are_of_the_awake);
  TEST(restored_run_goes_on);
  TEST(copy_sleeps_too);
  TEST(positions_alone_wake);
  TEST(nonsense_is_awake);
  TEST(off_has_no_state);
}
