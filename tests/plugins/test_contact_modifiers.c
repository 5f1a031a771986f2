// SPDX-License-Identifier: Apache-2.0
//
// Contact modifiers: surfaces that move and one-way platforms against closed forms, and what the
// host guarantees: contacts that are dropped leave no trace, changes are what the rows are made of,
// states are restored bit for bit, nonsense is rejected by name.

#include "model_file.h"
#include "random_state.h"
#include "suite.h"
#include "temporary_folder.h"
#include "toy_plugin.h"

// ------------------------------------------------------------------ belts

// A box on the floor, whose surface moves. Friction 0.5, g 10: the box gains 5 m/s each second.
#define BELT(cone, dim, belt, body)                                                                \
  "<mujoco><option timestep='.001' gravity='0 0 -10' cone='" cone "'/>"                            \
  "<extension>" belt "</extension>"                                                                \
  "<worldbody><geom name='floor' type='plane' size='9 9 1' friction='.5' condim='" dim "'/>" body \
  "</worldbody></mujoco>"
#define BOX                                                                                      \
  "<body name='box' pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' friction='.5'/>" \
  "</body>"
// without rotation: one contact, which always bears the weight
#define SLIDER                                                                            \
  "<body name='box' pos='0 0 .0999'><joint type='slide' axis='1 0 0'/><joint type='slide' " \
  "axis='0 1 0'/><joint type='slide' axis='0 0 1'/><geom size='.1' friction='.5'/></body>"
#define MOVING(vx, vy)                                                                    \
  "<contact type='surface_velocity' name='belt'><config key='geom' value='floor'/>"       \
  "<config key='vx' value='" vx "'/><config key='vy' value='" vy "'/></contact>"

static const char *const cones[] = { "pyramidal", "elliptic" };

static void steps(const sn_model *m, sn_data *d, int n) {
  for (int i = 0; i < n; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
}

static sn_model *belt_model(int elliptic) {
  return model_of(elliptic ? BELT("elliptic", "3", MOVING("2", "0"), BOX)
                           : BELT("pyramidal", "3", MOVING("2", "0"), BOX));
}

static sn_model *slider_model(int elliptic) {
  return model_of(elliptic ? BELT("elliptic", "3", MOVING("2", "0"), SLIDER)
                           : BELT("pyramidal", "3", MOVING("2", "0"), SLIDER));
}

// While it slides, friction is mu times the normal force: v_x = mu (g t + v_z), that is mu g t but
// for its small jumps. Then it has the speed of the belt. Edges of a pyramid share the normal
// force, so that their friction is a little less.
START_TEST(body_reaches_the_speed_of_the_belt) {
  sn_model *m = slider_model(_i);
  sn_data *d = data_of(m);
  for (int i = 0; i < 300; i++) {
    steps(m, d, 1);
    const double limit = 0.5 * (10 * d->time[0] + d->qvel[2]);
    CLOSE(d->qvel[0], limit, _i == 1 ? 1e-9 : 0.1);
    ck_assert_double_lt(d->qvel[0], limit + 1e-9);
  }
  ck_assert_double_gt(d->qvel[0], 1.2);
  steps(m, d, 1200);
  ck_assert_msg(fabs(d->qvel[0] - 2) < 1e-3, "%s: speed %g", cones[_i], d->qvel[0]);
  ck_assert_double_lt(fabs(d->qvel[1]), 1e-6);
  done_with(m, d);
}
END_TEST

// In the frame of the belt this is a box on a floor at rest: the same motion, moved. Exact up to
// rounding, because friction sees nothing but J v - u.
START_TEST(belt_is_a_floor_seen_from_a_moving_frame) {
  const char *floor = _i ? BELT("elliptic", "3", "", BOX) : BELT("pyramidal", "3", "", BOX);
  sn_model *m = belt_model(_i), *still = model_of(floor);
  sn_data *d = data_of(m), *e = data_of(still);
  e->qvel[0] = -2;
  for (int i = 0; i < 700; i++) {
    steps(m, d, 1);
    steps(still, e, 1);
    CLOSE(d->qvel[0], e->qvel[0] + 2, 1e-8);
    CLOSE(d->qvel[2], e->qvel[2], 1e-8);
    CLOSE(d->qpos[0], e->qpos[0] + 2 * d->time[0], 1e-8);
  }
  done_with(m, d);
  done_with(still, e);
}
END_TEST

// A turntable: a ball of torsional and rolling friction at its axis is turned by it.
START_TEST(turntable_turns_what_stands_on_it) {
  sn_model *m = model_of(BELT("elliptic", "6",
                              "<contact type='surface_velocity'><config key='geom' value='floor'/>"
                              "<config key='wz' value='3'/></contact>",
                              "<body pos='0 0 .1'><freejoint/><geom size='.1' "
                              "friction='.5 .05 .001'/></body>"));
  sn_data *d = data_of(m);
  steps(m, d, 2000);
  CLOSE(d->qvel[5], 3, 1e-3);
  ck_assert_double_lt(fabs(d->qpos[0]) + fabs(d->qpos[1]), 1e-6);
  CLOSE(d->contact_velocity[2], 3, 1e-12);
  done_with(m, d);
}
END_TEST

// The belt may be the second geom of its contacts: the box is one, on a floor.
START_TEST(belt_is_the_second_geom) {
  sn_model *m = model_of(
      "<mujoco><option timestep='.001' gravity='0 0 -10'/><extension><contact "
      "type='surface_velocity'><config key='geom' value='belt'/><config key='vx' value='1'/>"
      "</contact></extension><worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 .1'>"
      "<freejoint/><geom name='belt' type='box' size='.3 .1 .1'/></body></worldbody></mujoco>");
  sn_data *d = data_of(m);
  steps(m, d, 1000);
  ck_assert_int_eq(d->contact_geom2[0], sn_find(m, "geom", "belt"));
  CLOSE(d->qvel[0], -1, 1e-3);   // a vehicle on tracks: the lower side runs backwards
  done_with(m, d);
}
END_TEST

// Inverse dynamics finds no applied force.
START_TEST(belt_and_inverse_dynamics) {
  sn_model *m = slider_model(_i);
  sn_data *d = data_of(m);
  do {
    steps(m, d, 1);
    sn_forward(m, d);
  } while (fabs(d->qfrc_constraint[0]) < 10 && d->time[0] < 0.3);
  ck_assert_double_gt(fabs(d->qfrc_constraint[0]), 10);
  ck_assert_int_ge(sn_inverse(m, d), 0);
  for (int i = 0; i < m->nv; i++) {
    ck_assert_msg(fabs(d->qfrc_inverse[i]) < 1e-6, "dof %d: %g", i, d->qfrc_inverse[i]);
  }
  done_with(m, d);
}
END_TEST

// A modifier that has changed nothing leaves the bits of a model without it; a second run, a copy
// and a restored state repeat those of the first.
START_TEST(belt_at_rest_changes_no_bit) {
  sn_model *m = model_of(BELT("pyramidal", "4", MOVING("0", "0"), BOX));
  sn_model *plain = model_of(BELT("pyramidal", "4", "", BOX));
  sn_data *d = data_of(m), *e = data_of(plain);
  steps(m, d, 300);
  steps(plain, e, 300);
  ck_assert_mem_eq(d->qpos, e->qpos, (size_t)m->nq * sizeof(double));
  ck_assert_mem_eq(d->qvel, e->qvel, (size_t)m->nv * sizeof(double));
  done_with(m, d);
  done_with(plain, e);
}
END_TEST

START_TEST(belt_restores_bit_for_bit) {
  sn_model *m = belt_model(_i);
  sn_data *d = data_of(m), *copy = data_of(m);
  double state[128];
  ck_assert_int_le(sn_state_size(m, SN_STATE_INTEGRATION), 128);
  steps(m, d, 100);
  while (d->ncon == 0) {   // a box that slips may hop
    steps(m, d, 1);
  }
  sn_state_get(m, d, SN_STATE_INTEGRATION, state);
  ck_assert_int_ge(sn_data_copy(m, copy, d), 0);
  ck_assert_mem_eq(copy->contact_velocity, d->contact_velocity,
                   (size_t)(5 * d->ncon) * sizeof(double));
  steps(m, d, 200);
  const uint64_t hash = sn_state_hash(m, d, SN_STATE_INTEGRATION);
  steps(m, copy, 200);
  ck_assert_uint_eq(sn_state_hash(m, copy, SN_STATE_INTEGRATION), hash);
  sn_reset(m, d);
  sn_state_set(m, d, SN_STATE_INTEGRATION, state);
  steps(m, d, 200);
  ck_assert_uint_eq(sn_state_hash(m, d, SN_STATE_INTEGRATION), hash);
  sn_data_free(copy);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ platforms

#define PLATFORM(speed)                                                                         \
  "<mujoco><option timestep='.001' gravity='0 0 -10'/><extension><contact type='one_way'>"     \
  "<config key='geom' value='shelf'/><config key='depth' value='.06'/></contact></extension><worldbody>"                        \
  "<geom name='shelf' type='box' size='1 1 .05' pos='0 0 1'/><body><joint type='slide' "       \
  "axis='0 0 1'/><geom name='ball' size='.1'/></body></worldbody></mujoco>"

// Thrown from below with 7 m/s it would rise to 2.45 m; it passes on a parabola until it is nearly
// through, comes down, and stays on the shelf, at 1.15 m. From above it does not pass at all.
START_TEST(platform_lets_pass_from_below_only) {
  sn_model *m = model_of(PLATFORM(""));
  sn_data *d = data_of(m);
  d->qvel[0] = 7;
  while (d->qpos[0] < 1.12) {
    steps(m, d, 1);
    const double t = d->time[0];
    CLOSE(d->qpos[0], 7 * t - 5 * t * (t + 0.001), 1e-9);   // semi-implicit
    ck_assert_double_lt(t, 1);
  }
  double top = 0;
  for (int i = 0; i < 3000; i++) {
    steps(m, d, 1);
    top = fmax(top, d->qpos[0]);
  }
  ck_assert_double_gt(top, 2.4);
  ck_assert_msg(fabs(d->qpos[0] - 1.15) < 2e-3, "at %g", d->qpos[0]);
  ck_assert_double_lt(fabs(d->qvel[0]), 1e-6);
  done_with(m, d);
}
END_TEST

START_TEST(dropped_contact_leaves_no_trace) {
  sn_model *m = model_of(PLATFORM(""));
  sn_data *d = data_of(m);
  d->qpos[0] = 0.9;   // it touches the lower side
  sn_forward(m, d);
  ck_assert_int_eq(d->ncon, 0);
  ck_assert_int_eq(d->nefc, 0);
  CLOSE(d->qacc[0], -10, 1e-12);
  d->qpos[0] = 1.145;   // and the upper one
  sn_forward(m, d);
  ck_assert_int_eq(d->ncon, 1);
  ck_assert_double_gt(d->qacc[0], 0);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ what the host guarantees

// Three balls on the floor; what the modifier below does to their contacts.
static const char balls[] =
    "<mujoco><worldbody><geom name='floor' type='plane' size='9 9 1'/>"
    "<body pos='0 0 .09'><freejoint/><geom name='a' size='.1'/></body>"
    "<body pos='1 0 .09'><freejoint/><geom name='b' size='.1'/></body>"
    "<body pos='2 0 .09'><freejoint/><geom name='c' size='.1'/></body></worldbody></mujoco>";

static void (*meddle)(sn_contacts *contacts);
static int64_t seen;

static sn_status toy_modify(const void *self, const void *bound, const sn_data_view *data,
                            sn_contacts *contacts, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)scratch;
  seen = contacts->n;
  meddle(contacts);
  return SN_OK;
}

// acts in every model
static const sn_contact_ops toy_ops = { .head = { .size = sizeof toy_ops, .summary = "a toy" },
                                        .bind = toy_bind,
                                        .unbind = toy_unbind,
                                        .modify = toy_modify };

static sn_model *toy_model(void (*how)(sn_contacts *contacts)) {
  meddle = how;
  ck_assert_int_ge(sn_engine_add(engine, SN_KIND_CONTACT, "toy", &toy_ops, error), 0);
  return model_of(balls);
}

static void drop_the_middle(sn_contacts *c) {
  for (int64_t i = 0; i < c->n; i++) {
    c->keep[i] = c->geom2[i] != 2 && c->geom1[i] != 2;
    c->friction[5 * i] = c->friction[5 * i + 1] = 0.1 * (double)(c->geom1[i] + c->geom2[i]);
    c->dim[i] = 4;
  }
}

// The rows of the others close up: each field is that of the same contact.
START_TEST(contacts_close_up) {
  sn_model *m = toy_model(drop_the_middle);
  sn_data *d = data_of(m);
  sn_forward(m, d);
  ck_assert_int_eq(seen, 3);
  ck_assert_int_eq(d->ncon, 2);
  for (int i = 0; i < 2; i++) {
    const int ball = i == 0 ? 1 : 3;
    ck_assert_int_eq(d->contact_geom1[i] + d->contact_geom2[i], ball);
    CLOSE(d->contact_pos[3 * i], ball - 1, 1e-12);
    CLOSE(d->contact_dist[i], -0.01, 1e-12);
    CLOSE(d->contact_friction[5 * i], 0.1 * ball, 1e-15);
    CLOSE(fabs(d->contact_frame[9 * i + 2]), 1, 1e-15);
    ck_assert_int_eq(d->contact_dim[i], 4);
    ck_assert_int_eq(d->contact_efc_address[i], 6 * i);
  }
  ck_assert_int_eq(d->nefc, 12);   // pyramids of condim 4
  CLOSE(d->qacc[6 + 2], m->opt.gravity[2], 1e-9);   // the middle one falls
  done_with(m, d);
}
END_TEST

static void drop_all(sn_contacts *c) {
  memset(c->keep, 0, (size_t)c->n * sizeof(int32_t));
}

START_TEST(all_contacts_dropped) {
  sn_model *m = toy_model(drop_all);
  sn_data *d = data_of(m);
  sn_forward(m, d);
  ck_assert_int_eq(d->ncon, 0);
  ck_assert_int_eq(d->nefc, 0);
  done_with(m, d);
}
END_TEST

static void narrow(sn_contacts *c) {
  for (int64_t i = 0; i < c->n; i++) {
    c->margin[i] = c->geom1[i] + c->geom2[i] == 1 ? -0.02 : c->margin[i];
    c->friction[5 * i] = 0;
  }
}

START_TEST(margins_and_friction_are_completed) {
  sn_model *m = toy_model(narrow);
  sn_data *d = data_of(m);
  sn_forward(m, d);
  ck_assert_int_eq(d->ncon, 3);
  ck_assert_int_eq(d->contact_exclude[0], 1);
  ck_assert_int_eq(d->contact_exclude[1], 0);
  ck_assert_int_eq(d->contact_efc_address[0], -1);
  CLOSE(d->contact_friction[5], 1e-5, 0);
  done_with(m, d);
}
END_TEST

static void bad_dim(sn_contacts *c) {
  c->dim[1] = 2;
}
static void bad_friction(sn_contacts *c) {
  c->friction[3] = -1;
}
static void bad_velocity(sn_contacts *c) {
  c->velocity[7] = NAN;
}
static void bad_solref(sn_contacts *c) {
  c->solref[0] = INFINITY;
}
static void bad_margin(sn_contacts *c) {
  c->margin[2] = NAN;
}

START_TEST(nonsense_is_rejected_by_name) {
  static const struct {
    void (*how)(sn_contacts *contacts);
    const char *words;
  } cases[] = { { bad_dim, "dim of a contact" },
                { bad_friction, "friction coefficient" },
                { bad_velocity, "surface velocity" },
                { bad_solref, "solref or solimp" },
                { bad_margin, "margin" } };
  sn_model *m = toy_model(cases[_i].how);
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_forward(m, d), SN_EPLUGIN);
  const char *text = sn_error_message(sn_data_error(d));
  ck_assert_msg(strstr(text, "'toy' (sinew.contact/draft)") && strstr(text, cases[_i].words), "%s",
                text);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ a sample

// A box of friction 1 on a floor of friction 1, but 0.2 where both meet: it slides 1 m before it
// stops, v^2 / (2 mu g) with v = 2 m/s.
START_TEST(sample_sets_friction_by_pair) {
  OK(sn_engine_load_plugin(engine, "friction_pair", SN_TEST_BUILD "/samples/friction_pair.so",
                           error));
  sn_model *m = model_of(
      "<mujoco><option timestep='.001' gravity='0 0 -10' impratio='100' cone='elliptic'/>"
      "<extension><contact type='friction_pair'><config key='geom1' value='box'/>"
      "<config key='geom2' value='floor'/><config key='friction' value='.2'/></contact></extension>"
      "<worldbody><geom name='floor' type='plane' size='9 9 1'/><body pos='0 0 .1'><freejoint/>"
      "<geom name='box' type='box' size='.1 .1 .1'/></body></worldbody></mujoco>");
  sn_data *d = data_of(m);
  steps(m, d, 100);
  const double start = d->qpos[0];
  d->qvel[0] = 2;
  steps(m, d, 1500);
  ck_assert_msg(fabs(d->qpos[0] - start - 1) < 0.01, "%g m", d->qpos[0] - start);
  ck_assert_double_lt(fabs(d->qvel[0]), 1e-3);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ models

START_TEST(models_name_modifiers) {
  static const char *const mistakes[][2] = {
    { "<contact type='one_wey'/>", "did you mean 'one_way'" },
    { "<contact type='one_way'/>", "needs the attribute 'geom', the name of a geom" },
    { "<contact type='one_way'><config key='geom' value='flor'/></contact>", "'flor'" },
    { "<contact type='one_way'><config key='deep' value='1'/></contact>", "no attribute 'deep'" },
    { "<contact type='toy'/>", "acts in every model" },
  };
  meddle = drop_all;
  ck_assert_int_ge(sn_engine_add(engine, SN_KIND_CONTACT, "toy", &toy_ops, error), 0);
  for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "<mujoco><extension>%s</extension><worldbody><geom size='1'/></worldbody></mujoco>",
             mistakes[i][0]);
    ck_assert_msg(!try_text(text), "accepted: %s", mistakes[i][0]);
    ck_assert_msg(strstr(sn_error_text(error), mistakes[i][1]) != NULL, "%s", sn_error_text(error));
  }
}
END_TEST

// MJCF to a file and back, and the binary file: the same model.
START_TEST(modifiers_are_saved) {
  static const char *const names[] = { "m.xml", "m.snb" };
  open_folder();
  sn_spec *spec = good_spec(BELT("elliptic", "3", MOVING("2", "0"), BOX));
  sn_model *m = compiled(spec);
  OK(sn_spec_save(spec, "mjcf", in_folder(names[0]), error));
  OK(sn_model_save(m, in_folder(names[1]), error));
  for (int i = 0; i < 2; i++) {
    sn_model *again = sn_load(engine, in_folder(names[i]), error);
    ck_assert_msg(again != NULL, "%s", sn_error_text(error));
    ck_assert_int_eq(again->nforce, 1);
    ck_assert_str_eq(again->names + again->force_typename[0], "contact/surface_velocity");
    ck_assert_int_eq(again->bound.contact.n, 1);
    sn_model_free(again);
  }
  close_folder();
  sn_spec_free(spec);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ shared stiffness

// How deep each body of the model is in the floor after 3 s.
static void settle(const char *text, double *depth) {
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  while (d->time[0] < 3) {
    steps(m, d, 1);
  }
  for (int64_t i = 0; i < m->nq / 7; i++) {
    depth[i] = 0.1 - d->qpos[7 * i + 2];
  }
  done_with(m, d);
}

// The depth of two points, but for the impedance, which rises a little with the depth.
START_TEST(stiffness_is_shared_by_contact_points) {
  const char *shared = model_file("physics/equal_weights"), *end = strstr(shared, "</extension>");
  char plain[1 << 13];
  snprintf(plain, sizeof plain, "<mujoco>%s", end + strlen("</extension>"));
  double with[5], without[5];
  settle(shared, with);
  settle(plain, without);
  for (int i = 0; i < 5; i++) {
    ck_assert_msg(fabs(with[i] / without[1] - 1) < 0.05, "body %d: %g m, not %g", i, with[i],
                  without[1]);
  }
  ck_assert_double_gt(without[0], 1.7 * without[1]);
  ck_assert_double_lt(without[4], 0.6 * without[1]);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(body_reaches_the_speed_of_the_belt, 0, 2);
  EACH(belt_is_a_floor_seen_from_a_moving_frame, 0, 2);
  TEST(turntable_turns_what_stands_on_it);
  TEST(belt_is_the_second_geom);
  EACH(belt_and_inverse_dynamics, 0, 2);
  TEST(belt_at_rest_changes_no_bit);
  EACH(belt_restores_bit_for_bit, 0, 2);
  TEST(platform_lets_pass_from_below_only);
  TEST(dropped_contact_leaves_no_trace);
  TEST(contacts_close_up);
  TEST(all_contacts_dropped);
  TEST(margins_and_friction_are_completed);
  EACH(nonsense_is_rejected_by_name, 0, 5);
  TEST(sample_sets_friction_by_pair);
  TEST(models_name_modifiers);
  TEST(modifiers_are_saved);
  TEST(stiffness_is_shared_by_contact_points);
}
