// SPDX-License-Identifier: Apache-2.0
//
// M by recursion along the bodies against M by its entries: accelerations, whole steps with every
// integrator and solver, what the public functions return; and the recursive Newton-Euler algorithm
// on long chains. When somebody reads the entries they are those of the present state, and reading
// them changes no result.

#include <string.h>

#include "data/fields.h"
#include "random_state.h"
#include "suite.h"

// ------------------------------------------------------------------ models

typedef struct text {
  char at[1 << 16];
  int n;
} text;

#define PUT(t, ...) \
  ((t)->n += snprintf((t)->at + (t)->n, sizeof(t)->at - (size_t)(t)->n, __VA_ARGS__))

static void put_body(text *t, int depth, uint32_t *seed) {
  static const char *const joints[] = {
    "<joint axis='.3 1 .2' damping='.05' armature='.01'/>",
    "<joint axis='1 .1 0' pos='.02 0 .05' damping='.02' range='-25 25' limited='true'/>",
    "<joint type='ball' damping='.03'/>",
    "<joint type='slide' axis='1 .2 .1' damping='.4' stiffness='30' frictionloss='.05'/>",
    "<joint axis='0 1 0' damping='.01'/><joint axis='1 0 0' pos='0 .01 0' damping='.02'/>",
    "",
  };
  const int kind = (int)(3 * (1 + uniform(seed)));
  PUT(t, "<body pos='%.3f %.3f -.15' euler='%.1f %.1f 0'>%s", 0.05 * uniform(seed),
      0.05 * uniform(seed), 20 * uniform(seed), 20 * uniform(seed), joints[kind]);
  PUT(t, "<geom type='box' size='.03 .04 .08' pos='.01 0 -.07' mass='%.3f'/>",
      0.3 + 0.2 * uniform(seed));
  if (depth > 0) {
    put_body(t, depth - 1, seed);
  }
  if (depth > 2 && depth % 5 == 0) {
    put_body(t, depth / 3, seed);
  }
  PUT(t, "</body>");
}

// Trees with branches, every joint, bodies without joints: one that hangs, one that is free.
static const char *trees(const char *more, const char *option, uint32_t seed) {
  static text t;
  t.n = 0;
  PUT(&t,
      "<mujoco><option timestep='.002' tolerance='1e-14' iterations='200' %s>"
      "<flag energy='enable'/></option><default><geom contype='0' conaffinity='0'/></default>"
      "<worldbody><body name='hanging' pos='0 0 3'>"
      "<joint name='first' axis='0 1 0' damping='.1'/>"
      "<geom type='sphere' size='.05'/>",
      option);
  put_body(&t, 15, &seed);
  PUT(&t,
      "</body><body name='base' pos='2 0 2'><freejoint/><geom type='box' size='.2 .1 .1' contype='1'/>");
  put_body(&t, 9, &seed);
  PUT(&t,
      "<body><joint name='last' axis='1 0 0'/><geom size='.05' mass='.2'/></body></body>"
      "<geom type='plane' size='9 9 1' conaffinity='1'/></worldbody>%s</mujoco>",
      more);
  return t.at;
}

// n hinges with alternating axes.
static const char *chain(int n, const char *joint, const char *more) {
  static char t[1 << 18];
  size_t at = 0;
#define ADD(...) at += (size_t)snprintf(t + at, sizeof t - at, __VA_ARGS__)
  ADD("<mujoco><option timestep='.001'/><default><geom contype='0' conaffinity='0'/></default>"
      "<worldbody>");
  for (int i = 0; i < n; i++) {
    ADD("<body pos='%s 0 0'>%s<geom type='capsule' fromto='0 0 0 .1 0 0' size='.02'/>",
        i ? ".1" : "0",
        i == 0  ? joint
        : i % 2 ? "<joint axis='0 0 1'/>"
                : "<joint axis='0 1 0'/>");
  }
  for (int i = 0; i < n; i++) {
    ADD("</body>");
  }
  ADD("</worldbody>%s</mujoco>", more);
#undef ADD
  ck_assert_uint_lt(at, sizeof t);
  return t;
}

// Two simulations of one text in the same state: M by its entries, and by recursion.
typedef struct both {
  sn_model *m[2];
  sn_data *d[2];
} both;

static both both_of(const char *xml, uint32_t seed) {
  both b;
  for (int k = 0; k < 2; k++) {
    b.m[k] = model_of(xml);
    set_option(b.m[k], "inertia", k ? "recursive" : "matrix");
    b.d[k] = data_of(b.m[k]);
    scramble(b.m[k], b.d[k], seed);
  }
  return b;
}

static void done_with_both(both *b) {
  for (int k = 0; k < 2; k++) {
    done_with(b->m[k], b->d[k]);
  }
}

// Largest difference, relative to the largest number.
static double apart(const double *a, const double *b, int64_t n) {
  double difference = 0, size = 1e-300;
  for (int64_t i = 0; i < n; i++) {
    difference = fmax(difference, fabs(a[i] - b[i]));
    size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
  }
  return difference / size;
}

#define SAME(b, field, n, tolerance) \
  ck_assert_double_le(apart((b).d[0]->field, (b).d[1]->field, n), tolerance)

// ------------------------------------------------------------------ an evaluation

START_TEST(forward_and_inverse) {
  both b = both_of(trees("", "", (uint32_t)_i), 7);
  const int64_t nv = b.m[0]->nv;
  ck_assert_int_gt(nv, 30);
  double *x[2], *y[2];
  for (int k = 0; k < 2; k++) {
    for (int64_t i = 0; i < nv; i++) {
      b.d[k]->qfrc_applied[i] = 5 * cos((double)i);
    }
    ck_assert_int_eq(sn_forward(b.m[k], b.d[k]), SN_OK);
    ck_assert_int_eq((b.d[k]->computed & SI_HAS_LINKS) != 0, k);
    ck_assert_int_eq((b.d[k]->computed & SI_HAS_INERTIA) != 0, !k);
    x[k] = calloc((size_t)(nv * nv), sizeof(double));
    y[k] = calloc((size_t)(nv * nv), sizeof(double));
  }
  SAME(b, qacc_smooth, nv, 1e-10);
  SAME(b, qacc, nv, 1e-10);
  SAME(b, energy, 2, 1e-14);
  for (int k = 0; k < 2; k++) {
    sn_multiply_inertia(b.m[k], b.d[k], b.d[0]->qvel, x[k]);
    memcpy(y[k], b.d[0]->qvel, (size_t)nv * sizeof(double));
    sn_solve_inertia(b.m[k], b.d[k], y[k]);
  }
  ck_assert_double_le(apart(x[0], x[1], nv), 1e-13);
  ck_assert_double_le(apart(y[0], y[1], nv), 1e-10);
  for (int k = 0; k < 2; k++) {
    sn_full_inertia(b.m[k], b.d[k], x[k]);
    ck_assert_int_eq(sn_inverse(b.m[k], b.d[k]), SN_OK);
  }
  ck_assert_double_le(apart(x[0], x[1], nv * nv), 1e-15);
  SAME(b, qfrc_inverse, nv, 1e-10);
  for (int k = 0; k < 2; k++) {
    free(x[k]);
    free(y[k]);
  }
  done_with_both(&b);
}
END_TEST

// ------------------------------------------------------------------ steps

static const char loop[] = "<equality><connect body1='base' body2='hanging' anchor='0 0 .3'/>"
                           "<weld body1='base' solref='.05 1'/></equality>";
static const char driven[] =
    "<tendon><fixed name='t' damping='.001' stiffness='.2'><joint joint='first' coef='1'/>"
    "<joint joint='last' coef='-1'/></fixed></tendon>"
    "<actuator><position joint='last' kp='.5'/><velocity tendon='t' kv='.002'/></actuator>";

typedef struct variant {
  const char *option, *more;
  int nstep;
  double tolerance;
} variant;

static const variant variants[] = {
  { "integrator='Euler'", driven, 20, 1e-9 },
  { "integrator='RK4'", driven, 20, 1e-9 },
  { "integrator='implicit'", driven, 20, 1e-9 },
  { "integrator='implicitfast'", driven, 20, 1e-9 },
  { "integrator='momentum'", "", 10, 1e-9 },
  { "integrator='backward_euler'", driven, 10, 1e-9 },
  { "solver='Newton'", "", 400, 1e-8 },
  { "solver='Newton' cone='elliptic'", "", 400, 1e-8 },
  { "solver='Newton' cone='elliptic'", loop, 20, 1e-8 },
  { "solver='CG'", "", 400, 1e-6 },
  { "solver='PGS'", "", 20, 1e-5 },
  { "solver='coulomb' cone='elliptic'", "", 400, 1e-6 },
  { "solver='Newton' noslip_iterations='5'", "", 400, 1e-6 },
};
enum { NVARIANTS = sizeof variants / sizeof *variants };

// Every step begins with the same state, so that differences do not add up.
START_TEST(steps) {
  const variant *v = &variants[_i];
  // coulomb may raise smaller regularizers in a step, how far depends on whether M has entries
  OK(sn_engine_set(engine, "plugin.coulomb.friction", "1", error));
  both b = both_of(trees(v->more, v->option, 3), 5);
  double *state = calloc((size_t)sn_state_size(b.m[0], SN_STATE_INTEGRATION), sizeof *state);
  for (int i = 0; i < v->nstep; i++) {
    for (int k = 0; k < 2; k++) {
      ck_assert_int_eq(sn_step(b.m[k], b.d[k]), SN_OK);
    }
    ck_assert_int_eq(b.d[0]->nefc, b.d[1]->nefc);
    SAME(b, qacc, b.m[0]->nv, v->tolerance);
    SAME(b, qvel, b.m[0]->nv, v->tolerance);
    sn_state_get(b.m[0], b.d[0], SN_STATE_INTEGRATION, state);
    sn_state_set(b.m[1], b.d[1], SN_STATE_INTEGRATION, state);
  }
  free(state);
  done_with_both(&b);
}
END_TEST

// A ball that slides, spins and rolls, with a chain behind it; each direction has another friction.
static const struct {
  const char *option;
  double tolerance;
} rubbing[] = {
  { "solver='Newton' cone='elliptic'", 1e-8 },  { "solver='Newton' cone='pyramidal'", 1e-8 },
  { "solver='CG' cone='elliptic'", 1e-5 },      { "solver='PGS' cone='elliptic'", 1e-5 },
  { "solver='coulomb' cone='elliptic'", 1e-6 },
};
static const double rubs[] = { 0.6, 0.2, 0.02, 0.01, 0.003 };
enum { NRUBBING = sizeof rubbing / sizeof *rubbing, LINKS = 40 };

static const char *sliding_ball(const char *option, int dim) {
  static text t;
  t.n = 0;
  PUT(&t,
      "<mujoco><option tolerance='1e-14' iterations='1000' %s/><worldbody>"
      "<geom name='floor' type='plane' size='9 9 1'/><body pos='0 0 .0999'><freejoint/>"
      "<geom name='ball' size='.1'/>",
      option);
  for (int i = 0; i < LINKS; i++) {
    PUT(&t,
        "<body pos='0 .02 .05'><joint axis='%d 0 1' stiffness='1' damping='.01'/>"
        "<geom size='.02' contype='0' conaffinity='0'/>",
        i % 2);
  }
  for (int i = 0; i < LINKS; i++) {
    PUT(&t, "</body>");
  }
  PUT(&t,
      "</body></worldbody><contact><pair geom1='floor' geom2='ball' condim='%d' "
      "friction='%g %g %g %g %g'/></contact></mujoco>",
      dim, rubs[0], rubs[1], rubs[2], rubs[3], rubs[4]);
  return t.at;
}

// The part of the largest friction that acts; 1: the contact slides. even: as if all directions had
// the friction of the first.
static double share_of_friction(const sn_data *d, int dim, int even) {
  const double *f = d->efc_force + d->contact_efc_address[0];
  double sum = 0;
  for (int i = 1; i < dim; i++) {
    const double part = f[i] / (rubs[even ? 0 : i - 1] * f[0]);
    sum += part * part;
  }
  return sqrt(sum);
}

START_TEST(friction_that_depends_on_direction) {
  static const int dims[] = { 3, 4, 6 };
  const int dim = dims[_i % 3], elliptic = !strstr(rubbing[_i / 3].option, "pyramidal");
  both b = both_of(sliding_ball(rubbing[_i / 3].option, dim), 5);
  double *state = calloc((size_t)sn_state_size(b.m[0], SN_STATE_INTEGRATION), sizeof *state);
  const int newton = strstr(rubbing[_i / 3].option, "Newton") != NULL;
  uint32_t seed = 8;
  int slid = 0, recursive = 0;
  sn_reset(b.m[0], b.d[0]);
  for (int i = 0; i < b.m[0]->nv; i++) {
    b.d[0]->qvel[i] = (i < 2) + 0.2 * uniform(&seed);
  }
  for (int i = 0; i < 40; i++) {
    sn_state_get(b.m[0], b.d[0], SN_STATE_INTEGRATION, state);
    sn_state_set(b.m[1], b.d[1], SN_STATE_INTEGRATION, state);
    for (int k = 0; k < 2; k++) {
      ck_assert_int_eq(sn_step(b.m[k], b.d[k]), SN_OK);
    }
    SAME(b, qacc, b.m[0]->nv, rubbing[_i / 3].tolerance);
    // a Hessian with other friction would find the minimum too, but later
    const int64_t more = snd_solver_iter(b.d[1]) - snd_solver_iter(b.d[0]);
    ck_assert_msg(!newton || (more >= -1 && more <= 1), "%d iterations more", (int)more);
    recursive += b.d[1]->ncon > 0 && !(b.d[1]->computed & SI_HAS_INERTIA);
    slid += elliptic && b.d[1]->ncon > 0 && fabs(share_of_friction(b.d[1], dim, 0) - 1) < 1e-4 &&
            fabs(share_of_friction(b.d[1], dim, 1) - 1) > 0.1;
  }
  ck_assert_msg(slid > 10 || !elliptic, "it slid in %d steps", slid);
  ck_assert_msg(recursive > 10 || strstr(rubbing[_i / 3].option, "PGS"), "%d", recursive);
  free(state);
  done_with_both(&b);
}
END_TEST

// Two trees with rows and one without: the links of an island are those of its trees.
START_TEST(islands) {
  static const char xml[] =
      "<mujoco><option tolerance='1e-14' timestep='.002'/><worldbody>"
      "<geom type='plane' size='5 5 1' conaffinity='1' contype='0'/>%s%s%s</worldbody></mujoco>";
  static const char arm[] =
      "<body pos='%d 0 %g'><joint axis='0 1 0' range='-12 12' limited='true'/>"
      "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.05' contype='1' conaffinity='0'/>"
      "<body pos='.3 0 0'><joint axis='0 0 1'/><joint axis='0 1 0'/>"
      "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.05' contype='1' conaffinity='0'/></body>"
      "</body>";
  char arms[3][1024], all[4096];
  for (int i = 0; i < 3; i++) {
    snprintf(arms[i], sizeof arms[i], arm, i, i == 1 ? 9.0 : 0.06);
  }
  snprintf(all, sizeof all, xml, arms[0], arms[1], arms[2]);
  both b;
  for (int k = 0; k < 2; k++) {
    b.m[k] = model_of(all);
    set_option(b.m[k], "inertia", k ? "recursive" : "matrix");
    b.d[k] = data_of(b.m[k]);
  }
  int two = 0;
  for (int i = 0; i < 100; i++) {
    for (int k = 0; k < 2; k++) {
      ck_assert_int_eq(sn_step(b.m[k], b.d[k]), SN_OK);
    }
    two |= b.d[1]->nisland == 2;
    SAME(b, qpos, b.m[0]->nq, 1e-9);
  }
  ck_assert(two);
  done_with_both(&b);
}
END_TEST

// ------------------------------------------------------------------ long chains

// The forces that the recursive Newton-Euler algorithm needs for qacc are those that act.
START_TEST(newton_euler_agrees) {
  static const int sizes[] = { 60, 200, 400 };
  static const char *const roots[] = { "<joint axis='1 0 0'/>", "<freejoint/>" };
  sn_model *m = model_of(chain(sizes[_i % 3], roots[_i / 3], ""));
  sn_data *d = data_of(m);
  scramble(m, d, 4);
  ck_assert_int_eq(sn_forward(m, d), SN_OK);
  ck_assert(d->computed & SI_HAS_LINKS);
  double *force = calloc((size_t)m->nv, sizeof *force);
  si_dyn_rne(m, d, d->worker, d->qacc, force);
  for (int64_t i = 0; i < m->nv; i++) {
    force[i] -= d->qfrc_passive[i];
  }
  // relative to the forces that balance: weight and inertia
  double size = 0, worst = 0;
  for (int64_t i = 0; i < m->nv; i++) {
    size = fmax(size, fabs(d->qfrc_bias[i]));
    worst = fmax(worst, fabs(force[i]));
  }
  ck_assert_double_le(worst, 1e-10 * size);
  free(force);
  done_with(m, d);
}
END_TEST

// Nothing outside acts on a chain that floats: momentum is kept, and the energy as well as a method
// of order 4 keeps it.
START_TEST(floating_chain_keeps_momentum) {
  sn_model *m = model_of(chain(100, "<freejoint/>", ""));
  set_option(m, "gravity", "0 0 0");
  set_option(m, "integrator", "rk4");
  set_option(m, "energy", "on");
  sn_data *d = data_of(m);
  uint32_t seed = 5;
  for (int64_t i = 0; i < m->nv; i++) {
    d->qvel[i] = 0.2 * uniform(&seed);
  }
  double momentum[2][6], energy[2];
  for (int k = 0; k < 2; k++) {
    ck_assert_int_eq(sn_forward(m, d), SN_OK);
    ck_assert(d->computed & SI_HAS_LINKS);
    ck_assert_int_eq(sn_subtree_velocities(m, d), SN_OK);
    sn_copy3(momentum[k], d->subtree_linvel + 3);
    sn_copy3(momentum[k] + 3, d->subtree_angmom + 3);
    energy[k] = d->energy[1];
    for (int i = 0; k == 0 && i < 50; i++) {
      ck_assert_int_eq(sn_step(m, d), SN_OK);
    }
  }
  ck_assert_double_le(apart(momentum[0], momentum[1], 6), 1e-9);
  ck_assert_double_le(fabs(energy[1] - energy[0]), 1e-8 * energy[0]);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ which way

static int links_of(const char *xml, const char *option) {
  sn_model *m = model_of(xml);
  if (option) {
    set_option(m, "inertia", option);
  }
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_forward(m, d), SN_OK);
  const int links = (d->computed & SI_HAS_LINKS) != 0;
  ck_assert_int_eq(!links, (d->computed & SI_HAS_INERTIA) != 0);
  done_with(m, d);
  return links;
}

// Deep trees are recursive and others are not, unless the option decides; with tendons that have
// armature M has entries that bodies do not make.
START_TEST(depth_and_option_decide) {
  static const char joint[] = "<joint name='j' axis='0 1 0'/>";
  static const char tendon[] =
      "<tendon><fixed armature='%g'><joint joint='j' coef='1'/></fixed></tendon>";
  char with[128], without[128];
  snprintf(with, sizeof with, tendon, 0.1);
  snprintf(without, sizeof without, tendon, 0.0);
  ck_assert(!links_of(chain(30, joint, ""), NULL));
  ck_assert(links_of(chain(30, joint, ""), "recursive"));
  ck_assert(links_of(chain(80, joint, ""), NULL));
  ck_assert(!links_of(chain(80, joint, ""), "matrix"));
  ck_assert(links_of(chain(80, joint, without), NULL));
  ck_assert(!links_of(chain(80, joint, with), NULL));
  ck_assert(!links_of(chain(80, joint, with), "recursive"));
}
END_TEST

// Edits of the model while a simulation is there.
START_TEST(edits_change_the_way) {
  both b = both_of(chain(80, "<joint name='j' axis='0 1 0'/>",
                         "<tendon><fixed><joint joint='j' coef='1'/></fixed></tendon>"),
                   3);
  for (int k = 0; k < 2; k++) {
    b.m[k]->tendon_armature[0] = 0.3;
    ck_assert_int_eq(sn_forward(b.m[k], b.d[k]), SN_OK);
    ck_assert(!(b.d[k]->computed & SI_HAS_LINKS));
  }
  SAME(b, qacc, b.m[0]->nv, 0);
  for (int k = 0; k < 2; k++) {
    b.m[k]->tendon_armature[0] = 0;
    ck_assert_int_eq(sn_forward(b.m[k], b.d[k]), SN_OK);
  }
  ck_assert(b.d[1]->computed & SI_HAS_LINKS);
  SAME(b, qacc, b.m[0]->nv, 1e-7);
  done_with_both(&b);
}
END_TEST

// ------------------------------------------------------------------ the entries of M

static void check_entries(const both *b, const double *qM, const double *qLD, const double *Dinv) {
  const int64_t nM = b->m[0]->nM;
  ck_assert_double_le(apart(qM, b->d[0]->qM, nM), 1e-15);
  ck_assert_double_le(apart(qLD, b->d[0]->qLD, nM), 1e-12);
  ck_assert_double_le(apart(Dinv, b->d[0]->qLDiagInv, b->m[0]->nv), 1e-12);
}

// A pointer to the entries shows those of the present state, as of other fields.
START_TEST(entries_are_never_stale) {
  both b = both_of(trees("", "", 2), 5);
  sn_forward(b.m[0], b.d[0]);
  sn_forward(b.m[1], b.d[1]);
  const double *qM, *qLD, *Dinv;
  sn_view view = { .size = sizeof view };
  if (_i == 0) {   // accessors
    qM = snd_qM(b.d[1]);
    qLD = snd_qLD(b.d[1]);
    Dinv = snd_qLDiagInv(b.d[1]);
  } else {   // by name
    ck_assert_int_eq(sn_data_field(b.m[1], b.d[1], "qLD", &view), SN_OK);
    qLD = view.p;
    ck_assert_int_eq(sn_data_field(b.m[1], b.d[1], "qM", &view), SN_OK);
    qM = view.p;
    Dinv = b.d[1]->qLDiagInv;
  }
  check_entries(&b, qM, qLD, Dinv);
  sn_step(b.m[0], b.d[0]);
  memcpy(b.d[1]->qpos, b.d[0]->qpos, (size_t)b.m[0]->nq * sizeof(double));
  memcpy(b.d[1]->qvel, b.d[0]->qvel, (size_t)b.m[0]->nv * sizeof(double));
  sn_forward(b.m[0], b.d[0]);
  sn_forward(b.m[1], b.d[1]);
  check_entries(&b, qM, qLD, Dinv);
  done_with_both(&b);
}
END_TEST

// A plugin that resolves the name of the field finds it computed in each step.
START_TEST(entries_for_plugins) {
  both b = both_of(trees("", "", 2), 5);
  sn_field field;
  OK(si_fields_service_table.data_field(&b.m[1]->view, "qM", SN_REAL, &field, error));
  sn_forward(b.m[0], b.d[0]);
  sn_forward(b.m[1], b.d[1]);
  check_entries(&b, sn_field_reals(b.d[1]->view.fields, field), b.d[1]->qLD, b.d[1]->qLDiagInv);
  done_with_both(&b);
}
END_TEST

// Bits of a run do not depend on who reads what in between, nor on copying.
START_TEST(reading_changes_nothing) {
  sn_model *m = model_of(trees("", "cone='elliptic'", 3));
  set_option(m, "inertia", "recursive");
  sn_data *plain = data_of(m), *read = data_of(m), *copy = data_of(m);
  scramble(m, plain, 5);
  scramble(m, read, 5);
  snd_qM(read);
  for (int i = 0; i < 300; i++) {
    sn_step(m, plain);
    sn_step(m, read);
    if (i == 200) {
      ck_assert_int_eq(sn_data_copy(m, copy, plain), SN_OK);
      double *solved = calloc(2 * (size_t)m->nv, sizeof *solved);
      for (int64_t k = 0; k < m->nv; k++) {
        solved[k] = solved[m->nv + k] = 1;
      }
      sn_solve_inertia(m, plain, solved);
      sn_solve_inertia(m, copy, solved + m->nv);
      ck_assert_mem_eq(solved, solved + m->nv, (size_t)m->nv * sizeof *solved);
      free(solved);
    } else if (i > 200) {
      sn_step(m, copy);
    }
  }
  ck_assert_int_gt(plain->ncon, 0);
  ck_assert_mem_eq(plain->qpos, read->qpos, (size_t)m->nq * sizeof(double));
  ck_assert_mem_eq(plain->qpos, copy->qpos, (size_t)m->nq * sizeof(double));
  set_option(m, "inertia", "matrix");
  sn_data *other = data_of(m);
  ck_assert_int_eq(sn_data_copy(m, other, plain), SN_EINVAL);
  ck_assert_ptr_nonnull(strstr(sn_error_text(sn_data_error(other)), "'inertia'"));
  sn_data_free(other);
  sn_data_free(read);
  sn_data_free(copy);
  done_with(m, plain);
}
END_TEST

// A saved problem has M by its entries, whatever the simulation used.
START_TEST(saved_problems_have_entries) {
  both b = both_of(trees("", "", 3), 5);
  sn_problems *problems = sn_problems_new(error);
  for (int k = 0; k < 2; k++) {
    ck_assert_int_eq(sn_forward(b.m[k], b.d[k]), SN_OK);
    OK(sn_problems_add(problems, b.m[k], b.d[k], error));
  }
  ck_assert_int_eq(sn_problems_count(problems), 2);
  const sn_inertia *one = sn_problems_at(problems, 0)->inertia;
  const sn_inertia *two = sn_problems_at(problems, 1)->inertia;
  ck_assert_ptr_null(two->recursion);
  ck_assert_double_le(apart(one->M, two->M, one->nM), 1e-15);
  ck_assert_double_le(apart(one->L, two->L, one->nM), 1e-12);
  sn_problems_free(problems);
  done_with_both(&b);
}
END_TEST

// Dofs without inertia are reported as with entries.
START_TEST(bodies_without_mass) {
  static const char xml[] = "<mujoco><worldbody><body><joint axis='0 1 0' name='j'/>"
                            "<inertial mass='0' diaginertia='0 0 0' pos='0 0 0'/></body>"
                            "</worldbody></mujoco>";
  sn_model *m = try_text(xml);
  if (!m) {   // such a body is rejected unless it is made by an edit
    m = model_of("<mujoco><worldbody><body><joint axis='0 1 0' name='j'/><geom size='.1'/></body>"
                 "</worldbody></mujoco>");
    m->body_mass[1] = 0;
    memset(m->body_inertia + 3, 0, 3 * sizeof(double));
  }
  set_option(m, "inertia", "recursive");
  sn_data *d = data_of(m);
  sn_forward(m, d);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_INERTIA), 1);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(forward_and_inverse, 0, 4);
  EACH(steps, 0, NVARIANTS);
  EACH(friction_that_depends_on_direction, 0, 3 * NRUBBING);
  TEST(islands);
  EACH(newton_euler_agrees, 0, 6);
  TEST(floating_chain_keeps_momentum);
  TEST(depth_and_option_decide);
  TEST(edits_change_the_way);
  EACH(entries_are_never_stale, 0, 2);
  TEST(entries_for_plugins);
  TEST(reading_changes_nothing);
  TEST(saved_problems_have_entries);
  TEST(bodies_without_mass);
}
