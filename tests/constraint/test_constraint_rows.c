// SPDX-License-Identifier: Apache-2.0
//
// Rows of constraints on models that are small enough for closed forms: sliders of unit mass, each
// a tree of its own, with limits, friction loss, polynomials and contacts.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constraint/constraint.h"
#include "constraint/rows.h"
#include "suite.h"

enum { NV = 6, NEQ = 4, NCON = 4 };

// Body i + 1 slides along z with dof i; geom i + 1 belongs to it. Geom 0 and body 0: the world.
static sn_model m;
static sn_data d;
static si_worker w;

static int32_t body_weldid[NV + 1], body_rootid[NV + 1], body_dofadr[NV + 1], body_dofnum[NV + 1];
static int32_t geom_bodyid[NV + 1], dof_parentid[NV], dof_treeid[NV];
static int32_t jnt_type[NV], jnt_qposadr[NV], jnt_dofadr[NV], jnt_limited[NV];
static int32_t eq_type[NEQ], eq_obj1id[NEQ], eq_obj2id[NEQ], eq_enabled[NEQ], eq_exact[NEQ];
static int32_t con_dim[NCON], con_geom1[NCON], con_geom2[NCON], con_exclude[NCON], con_adr[NCON];
static double invweight[2 * (NV + 1)], dof_invweight[NV], qpos0[NV], qpos[NV], qvel[NV];
static double jnt_solref[2 * NV], jnt_solimp[5 * NV], jnt_range[2 * NV], jnt_margin[NV];
static double dof_solref[2 * NV], dof_solimp[5 * NV], dof_frictionloss[NV];
static double eq_solref[2 * NEQ], eq_solimp[5 * NEQ], eq_data[11 * NEQ];
static double cdof[6 * NV], subtree_com[3 * (NV + 1)];
static double con_dist[NCON], con_pos[3 * NCON], con_frame[9 * NCON], con_margin[NCON];
static double con_restitution[NCON];
static double con_friction[5 * NCON], con_solref[2 * NCON], con_solimp[5 * NCON], con_mu[NCON];

static const double solref[2] = { 0.02, 1 }, solimp[5] = { 0.9, 0.95, 0.001, 0.5, 2 };

static void repeat(double *to, const double *from, int64_t n, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    memcpy(to + n * i, from, (size_t)n * sizeof(double));
  }
}

static void setup(void) {
  m = (sn_model){
    .nv = NV, .nq = NV, .nbody = NV + 1, .njnt = NV, .ngeom = NV + 1, .bound.ntree = NV, .neq = 0
  };
  m.opt.timestep = 0.002;
  m.opt.impratio = 1;
  d = (sn_data){ .model = &m };
  si_arena_init(&d.results, 0);
  si_arena_init(&w.scratch, 0);
  for (int32_t i = 0; i <= NV; i++) {
    body_weldid[i] = body_rootid[i] = geom_bodyid[i] = i;
    body_dofadr[i] = i - 1;
    body_dofnum[i] = i > 0;
    invweight[2 * i] = invweight[2 * i + 1] = i > 0;
  }
  for (int32_t i = 0; i < NV; i++) {
    dof_parentid[i] = -1;
    dof_treeid[i] = jnt_qposadr[i] = jnt_dofadr[i] = i;
    jnt_type[i] = SN_JOINT_SLIDE;
    jnt_limited[i] = 0;
    dof_invweight[i] = 1;
    qpos0[i] = qpos[i] = qvel[i] = jnt_margin[i] = dof_frictionloss[i] = 0;
    cdof[6 * i + 5] = 1;
  }
  repeat(jnt_solref, solref, 2, NV);
  repeat(jnt_solimp, solimp, 5, NV);
  repeat(dof_solref, solref, 2, NV);
  repeat(dof_solimp, solimp, 5, NV);
  repeat(eq_solref, solref, 2, NEQ);
  repeat(eq_solimp, solimp, 5, NEQ);
  repeat(con_solref, solref, 2, NCON);
  repeat(con_solimp, solimp, 5, NCON);

#define MODEL(field, array) m.field = array
  MODEL(body_weldid, body_weldid), MODEL(body_rootid, body_rootid);
  MODEL(body_dofadr, body_dofadr), MODEL(body_dofnum, body_dofnum);
  MODEL(body_invweight0, invweight), MODEL(geom_bodyid, geom_bodyid);
  MODEL(dof_parentid, dof_parentid), MODEL(dof_treeid, dof_treeid);
  MODEL(dof_invweight0, dof_invweight), MODEL(qpos0, qpos0), MODEL(jnt_type, jnt_type);
  MODEL(jnt_qposadr, jnt_qposadr), MODEL(jnt_dofadr, jnt_dofadr);
  MODEL(jnt_limited, jnt_limited), MODEL(jnt_solref, jnt_solref);
  MODEL(jnt_solimp, jnt_solimp), MODEL(jnt_range, jnt_range), MODEL(jnt_margin, jnt_margin);
  MODEL(dof_solref, dof_solref), MODEL(dof_solimp, dof_solimp);
  MODEL(dof_frictionloss, dof_frictionloss), MODEL(eq_type, eq_type);
  MODEL(eq_obj1id, eq_obj1id), MODEL(eq_obj2id, eq_obj2id), MODEL(eq_solref, eq_solref);
  MODEL(eq_solimp, eq_solimp), MODEL(eq_data, eq_data), MODEL(eq_exact, eq_exact);
  d.qpos = qpos, d.qvel = qvel, d.cdof = cdof, d.subtree_com = subtree_com;
  d.eq_enabled = eq_enabled, d.contact_dist = con_dist, d.contact_pos = con_pos;
  d.contact_frame = con_frame, d.contact_includemargin = con_margin;
  d.contact_restitution = con_restitution;
  d.contact_friction = con_friction, d.contact_solref = con_solref;
  d.contact_solimp = con_solimp, d.contact_mu = con_mu, d.contact_dim = con_dim;
  d.contact_geom1 = con_geom1, d.contact_geom2 = con_geom2, d.contact_exclude = con_exclude;
  d.contact_efc_address = con_adr;
}

static void teardown(void) {
  si_arena_free(&d.results);
  si_arena_free(&w.scratch);
}

// A contact of two geoms, 1 mm deep, normal +z.
static void add_contact(int32_t geom1, int32_t geom2, int32_t dim) {
  static const double frame[9] = { 0, 0, 1, 1, 0, 0, 0, 1, 0 };
  static const double friction[5] = { 0.8, 0.5, 0.02, 0.003, 0.001 };
  int64_t i = d.ncon++;
  con_dim[i] = dim;
  con_geom1[i] = geom1;
  con_geom2[i] = geom2;
  con_exclude[i] = 0;
  con_dist[i] = -0.001;
  con_margin[i] = 0;
  sn_zero3(con_pos + 3 * i);
  memcpy(con_frame + 9 * i, frame, sizeof frame);
  memcpy(con_friction + 5 * i, friction, sizeof friction);
}

static void make(void) {
  ck_assert_int_eq(si_constraint_make(&m, &d, &w), SN_OK);
  si_constraint_reference(&m, &d, &w);
  // every row is in one block, and a block is dense
  int64_t row = 0;
  for (int64_t b = 0; b < d.nblock; b++) {
    ck_assert_int_eq(d.block[b].row, row);
    for (int32_t r = 0; r < d.block[b].nrow; r++, row++) {
      ck_assert_int_eq(d.efc_J_rownnz[row], d.efc_J_rownnz[d.block[b].row]);
      ck_assert_double_eq_tol(d.efc_D[row] * d.efc_R[row], 1, 1e-14);
    }
  }
  ck_assert_int_eq(row, d.nefc);
}

// ------------------------------------------------------------------ impedance

START_TEST(impedance_values) {
  double slope;
  // at rest, at the midpoint of the default sigmoid, beyond its width
  ck_assert_double_eq(si_impedance(solimp, 0, &slope), 0.9);
  ck_assert_double_eq(slope, 0);
  ck_assert_double_eq_tol(si_impedance(solimp, 0.0005, &slope), 0.925, 1e-15);
  ck_assert_double_eq_tol(slope, 2 * 0.05 / 0.001, 1e-10);
  ck_assert_double_eq(si_impedance(solimp, -0.002, &slope), 0.95);
  // linear
  const double linear[5] = { 0.2, 0.6, 0.1, 0.3, 1 };
  ck_assert_double_eq_tol(si_impedance(linear, -0.025, &slope), 0.3, 1e-15);
  ck_assert_double_eq_tol(slope, -4, 1e-12);
  // no width: half way; out of range: clamped
  const double step[5] = { 0.4, 0.6, 0, 0.5, 2 }, wild[5] = { -3, 7, 0.1, 0.5, 2 };
  ck_assert_double_eq_tol(si_impedance(step, 1, &slope), 0.5, 1e-15);
  ck_assert_double_eq(si_impedance(wild, 0, &slope), 1e-4);
  ck_assert_double_eq(si_impedance(wild, 1, &slope), 0.9999);
}
END_TEST

START_TEST(impedance_is_smooth) {
  static const double power[4] = { 1, 2, 3, 5.5 }, middle[3] = { 0.2, 0.5, 0.9 };
  for (int p = 0; p < 4; p++) {
    for (int q = 0; q < 3; q++) {
      const double s[5] = { 0.3, 0.8, 0.01, middle[q], power[p] };
      double before = 0.3, slope, ignored;
      for (double x = 1e-5; x < 0.012; x += 1e-5) {
        double y = si_impedance(s, x, &slope), h = 1e-9;
        double numeric = (si_impedance(s, x + h, &ignored) - si_impedance(s, x - h, &ignored));
        ck_assert_double_ge(y, before);
        if (fabs(x - 0.01) > 1e-8 && fabs(x - 0.01 * middle[q]) > 1e-8) {
          ck_assert_double_eq_tol(numeric / (2 * h), slope, 1e-4 * (1 + slope));
        }
        before = y;
      }
      ck_assert_double_eq_tol(before, 0.8, 1e-15);
    }
  }
}
END_TEST

START_TEST(springs) {
  double k, b;
  const double damped[2] = { 0.1, 1 }, under[2] = { 0.1, 0.5 }, stiff[2] = { 1e-5, 1 };
  const double direct[2] = { -300, -7 }, mixed[2] = { 0.5, -1 };
  // a = d a* = -d b v - d^2 k r is critically damped when b^2 = 4 k
  si_impedance_spring(&m, damped, solimp, &k, &b);
  ck_assert_double_eq_tol(b * b, 4 * k, 1e-9);
  ck_assert_double_eq_tol(b, 2 / (0.95 * 0.1), 1e-12);
  si_impedance_spring(&m, under, solimp, &k, &b);
  ck_assert_double_eq_tol(b / (2 * sqrt(k)), 0.5, 1e-12);
  si_impedance_spring(&m, direct, solimp, &k, &b);
  ck_assert_double_eq_tol(k, 300 / (0.95 * 0.95), 1e-12);
  ck_assert_double_eq_tol(b, 7 / 0.95, 1e-14);
  // a mixed pair is the default
  double k0, b0;
  si_impedance_spring(&m, mixed, solimp, &k, &b);
  si_impedance_spring(&m, solref, solimp, &k0, &b0);
  ck_assert(k == k0 && b == b0);
  // refsafe
  si_impedance_spring(&m, stiff, solimp, &k, &b);
  ck_assert_double_eq_tol(b, 2 / (0.95 * 2 * 0.002), 1e-9);
  m.opt.disableflags = SN_DISABLE_REFSAFE;
  si_impedance_spring(&m, stiff, solimp, &k, &b);
  ck_assert_double_eq_tol(b, 2 / (0.95 * 1e-5), 1e-6);
}
END_TEST

// ------------------------------------------------------------------ rows

START_TEST(limit_rows) {
  jnt_limited[0] = jnt_limited[1] = jnt_limited[2] = 1;
  for (int i = 0; i < 3; i++) {
    jnt_range[2 * i] = -1;
    jnt_range[2 * i + 1] = 1;
  }
  qpos[0] = -1.5;   // below
  qpos[1] = 0.95;   // within the margin of the upper limit
  jnt_margin[1] = 0.1;
  qpos[2] = 0.99;   // free
  qvel[0] = 2;
  make();
  ck_assert_int_eq(d.nefc, 2);
  ck_assert_int_eq(d.nl, 2);
  ck_assert_double_eq_tol(d.efc_pos[0], -0.5, 1e-15);
  ck_assert_double_eq(d.efc_J[0], 1);
  ck_assert_double_eq_tol(d.efc_pos[1], 0.05, 1e-15);
  ck_assert_double_eq(d.efc_J[1], -1);
  ck_assert_double_eq(d.efc_margin[1], 0.1);
  const double *KBIP = d.efc_KBIP;
  ck_assert_double_eq_tol(d.efc_aref[0], -KBIP[1] * 2 + KBIP[0] * KBIP[2] * 0.5, 1e-9);
  ck_assert_double_eq_tol(d.efc_R[0], (1 - 0.95) / 0.95, 1e-15);

  m.opt.disableflags = SN_DISABLE_LIMIT;
  make();
  ck_assert_int_eq(d.nefc, 0);
}
END_TEST

START_TEST(friction_rows) {
  dof_frictionloss[3] = 0.7;
  qvel[3] = 1.5;
  make();
  ck_assert_int_eq(d.nf, 1);
  ck_assert_int_eq(d.efc_type[0], SN_ROW_FRICTION_DOF);
  ck_assert_int_eq(d.efc_id[0], 3);
  ck_assert_double_eq(d.efc_KBIP[0], 0);
  ck_assert_double_eq(d.efc_KBIP[2], 0.9);
  ck_assert_double_eq(d.efc_frictionloss[0], 0.7);
  ck_assert_double_eq_tol(d.efc_aref[0], -1.5 * d.efc_KBIP[1], 1e-12);
}
END_TEST

START_TEST(polynomial_rows) {
  m.neq = 2;
  for (int i = 0; i < 2; i++) {
    eq_type[i] = SN_EQUALITY_JOINT;
    eq_enabled[i] = 1;
    const double coefficients[5] = { 0.1, -0.4, 0.7, 0.2, -0.3 };
    memcpy(eq_data + 11 * i, coefficients, sizeof coefficients);
  }
  eq_obj1id[0] = 4, eq_obj2id[0] = 1;
  eq_obj1id[1] = 2, eq_obj2id[1] = -1;
  qpos[4] = 0.3, qpos[1] = 0.6, qpos0[1] = 0.1, qpos[2] = -0.2;
  make();
  ck_assert_int_eq(d.ne, 2);
  double residual = d.efc_pos[0], h = 1e-6;
  ck_assert_double_eq_tol(residual,
                          0.3 - (0.1 - 0.4 * 0.5 + 0.7 * 0.25 + 0.2 * 0.125 - 0.3 * 0.0625), 1e-15);
  ck_assert_double_eq_tol(d.efc_pos[1], -0.3, 1e-15);
  // columns ascend; the slope by differences
  ck_assert_int_eq(d.efc_J_colind[0], 1);
  ck_assert_int_eq(d.efc_J_colind[1], 4);
  ck_assert_double_eq(d.efc_J[1], 1);
  double slope = d.efc_J[0];
  qpos[1] += h;
  make();
  ck_assert_double_eq_tol((d.efc_pos[0] - residual) / h, slope, 1e-5);
  // switched off at run time
  eq_enabled[0] = 0;
  make();
  ck_assert_int_eq(d.ne, 1);
  ck_assert_int_eq(d.efc_id[0], 1);
}
END_TEST

START_TEST(elliptic_ties) {
  m.opt.cone = SN_CONE_ELLIPTIC;
  m.opt.impratio = 4;
  add_contact(0, 1, 6);
  make();
  ck_assert_int_eq(d.nefc, 6);
  ck_assert_int_eq(d.ncone, 1);
  const double *R = d.efc_R, *mu = con_friction;
  ck_assert_double_eq_tol(R[0], 0.05 / 0.95, 1e-14);
  ck_assert_double_eq_tol(R[1], R[0] / 4, 1e-15);
  for (int i = 2; i < 6; i++) {
    ck_assert_double_eq_tol(R[i] * mu[i - 1] * mu[i - 1], R[1] * mu[0] * mu[0], 1e-14);
    ck_assert_double_eq(d.efc_pos[i], 0);
    ck_assert_double_eq(d.efc_KBIP[4 * i], 0);
  }
  ck_assert_double_eq_tol(con_mu[0], mu[0] / 2, 1e-15);
  ck_assert_double_eq_tol(d.cone[0].mu, mu[0] * sqrt(R[1] / R[0]), 1e-15);
}
END_TEST

START_TEST(pyramidal_ties) {
  add_contact(1, 2, 3);
  add_contact(0, 3, 1);
  make();
  ck_assert_int_eq(d.nefc, 5);
  ck_assert_int_eq(con_adr[0], 0);
  ck_assert_int_eq(con_adr[1], 4);
  double mu = con_friction[0], first = (1 - 0.95) / 0.95 * 2 * (1 + mu * mu);
  for (int i = 0; i < 4; i++) {
    ck_assert_double_eq_tol(d.efc_R[i], 2 * mu * mu * first, 1e-14);
    ck_assert_double_eq(d.efc_pos[i], -0.001);
    // edges n + mu t and n - mu t; the sliders do not move sideways
    ck_assert_double_eq(d.efc_J[2 * i], -1);
    ck_assert_double_eq(d.efc_J[2 * i + 1], 1);
  }
  ck_assert_int_eq(d.efc_type[4], SN_ROW_CONTACT_FRICTIONLESS);
  ck_assert_double_eq(d.efc_J[8], 1);
}
END_TEST

START_TEST(disabled_and_excluded) {
  add_contact(0, 1, 3);
  con_exclude[0] = 1;
  make();
  ck_assert_int_eq(d.nefc, 0);
  ck_assert_int_eq(con_adr[0], -1);
  con_exclude[0] = 0;
  m.opt.disableflags = SN_DISABLE_CONTACT;
  make();
  ck_assert_int_eq(d.nefc, 0);
  m.opt.disableflags = SN_DISABLE_CONSTRAINT;
  dof_frictionloss[0] = 1;
  make();
  ck_assert_int_eq(d.nefc, 0);
}
END_TEST

// ------------------------------------------------------------------ islands

START_TEST(islands) {
  add_contact(2, 5, 3);   // dofs 1 and 4
  add_contact(0, 3, 1);   // dof 2 alone
  add_contact(6, 2, 1);   // dofs 5 and 1: joins the first
  make();
  si_constraint_islands(&m, &d, &w);
  ck_assert_int_eq(d.nisland, 2);
  const si_island *a = &d.island[0], *b = &d.island[1];
  ck_assert_int_eq(a->ndof, 3);
  ck_assert(a->dof[0] == 1 && a->dof[1] == 4 && a->dof[2] == 5);
  ck_assert_int_eq(a->nrow, 5);
  ck_assert_int_eq(a->row[4], 5);
  ck_assert_int_eq(b->ndof, 1);
  ck_assert_int_eq(b->dof[0], 2);
  ck_assert(b->nrow == 1 && b->row[0] == 4);
  ck_assert(d.efc_island[0] == 0 && d.efc_island[4] == 1 && d.efc_island[5] == 0);
}
END_TEST

// ------------------------------------------------------------------ inverse

// f solves min 1/2 f'R f + f'z over the cone: f in K, y = z + R f in K*, f'y = 0.
START_TEST(inverse_is_a_projection) {
  m.opt.cone = SN_CONE_ELLIPTIC;
  m.opt.impratio = 3;
  add_contact(0, 1, 6);
  dof_frictionloss[0] = 0.4;
  jnt_limited[1] = 1;
  jnt_range[2] = 1;
  jnt_range[3] = 5;
  make();
  ck_assert_int_eq(d.nefc, 8);
  int seen[5] = { 0 };
  unsigned seed = 1;
  for (int trial = 0; trial < 2000; trial++) {
    double z[8];
    for (int i = 0; i < 8; i++) {
      seed = seed * 1664525u + 1013904223u;
      z[i] = ((double)(seed >> 8) / (1 << 24) - 0.5) * 2 * (trial % 5 + 0.1) * sqrt(d.efc_R[i]);
      z[i] *= i > 2 && trial % 2 ? 0.1 : 1;   // little slip
    }
    si_constraint_force(&d, z);
    const double *f = d.efc_force;

    ck_assert_double_le(fabs(f[0]), 0.4);
    ck_assert(fabs(z[0] + d.efc_R[0] * f[0]) < 1e-12 || f[0] * z[0] < 0);
    ck_assert_double_eq_tol(f[1], fmax(0, -z[1] / d.efc_R[1]), 1e-12);

    double ft = 0, yt = 0, fy = 0, y0 = z[2] + d.efc_R[2] * f[2];
    for (int i = 0; i < 6; i++) {
      double y = z[2 + i] + d.efc_R[2 + i] * f[2 + i], mu = i ? con_friction[i - 1] : 1;
      ft += i ? f[2 + i] * f[2 + i] / (mu * mu) : 0;
      yt += i ? mu * mu * y * y : 0;
      fy += f[2 + i] * y;
    }
    double tolerance = 1e-10 * (1 + fabs(f[2]));
    ck_assert_double_le(sqrt(ft), f[2] + tolerance);
    ck_assert_double_le(sqrt(yt), y0 + tolerance);
    ck_assert_double_eq_tol(fy, 0, tolerance);
    seen[d.efc_state[2]]++;
  }
  ck_assert(seen[SN_ROWSTATE_SATISFIED] > 50 && seen[SN_ROWSTATE_CONE] > 50);
  ck_assert_int_gt(seen[SN_ROWSTATE_QUADRATIC], 50);
}
END_TEST

START_TEST(products) {
  add_contact(1, 2, 3);
  add_contact(0, 4, 1);
  make();
  double x[NV], y[8], f[8], g[NV], left = 0, right = 0;
  for (int i = 0; i < NV; i++) {
    x[i] = i + 1;
  }
  for (int i = 0; i < d.nefc; i++) {
    f[i] = 0.5 - i;
  }
  si_constraint_multiply(&d, x, y);
  si_constraint_multiply_transposed(&d, NV, f, g);
  for (int i = 0; i < d.nefc; i++) {
    left += f[i] * y[i];
  }
  for (int i = 0; i < NV; i++) {
    right += g[i] * x[i];
  }
  ck_assert_double_eq_tol(left, right, 1e-12);
  ck_assert_double_eq(y[0], 1);   // dof 1 minus dof 0
  ck_assert_double_eq(y[4], 4);
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(impedance_values);
  TEST(impedance_is_smooth);
  TEST(springs);
  TEST(limit_rows);
  TEST(friction_rows);
  TEST(polynomial_rows);
  TEST(elliptic_ties);
  TEST(pyramidal_ties);
  TEST(disabled_and_excluded);
  TEST(islands);
  TEST(inverse_is_a_projection);
  TEST(products);
}
