// SPDX-License-Identifier: Apache-2.0
//
// d(passive + actuator - bias)/d qvel, analytic, for implicit integration.
//
// Bias. With S_i = cdof_i, v_b and I_b of body b, all about one origin, the recursive
// Newton-Euler algorithm (rne.c) says c_i = S_i' sum over the bodies b that i moves of
//
//   f_b = I_b a_b + v_b x* I_b v_b,     a_b = a_0 + sum over the dofs k of b of (w_k x S_k) qvel_k
//
// where w_k is the velocity that carries axis k. Let joint j be one of those that move b and w_j+
// the velocity after it. Then dv_b/dqvel_j = S_j, and every later axis is carried by j too:
//
//   da_b/dqvel_j = w_j x S_j + S_j x (v_b - w_j+)  =  u_j + S_j x v_b
//   df_b/dqvel_j = I_b u_j + B_b S_j,   B_b s = I_b (s x v_b) + s x* (I_b v_b) + v_b x* (I_b s)
//
// With s = [a; b], v_b = [w; v], I_b = (J, h = m r, m), momentum P = m v + w x h, Jacobi's
// identity leaves little of B: nothing depends on b, and
//
//   B s = [ K a ; 2 a x P ],     K = [w]J + ([w]J)' - [J w] - 2 v h' + 2 (v.h) 1
//
// u_j = cdof_dot_j - S_j x w_j+ depends on j alone, so sums over bodies are sums of I, K and P:
// composite, towards the root. With k the later one of the dofs i and j,
//
//   dc_i/dqvel_j = S_i' (I_k u_j + B_k S_j)

#include "dynamics/derivative.h"

#include <stdio.h>

#include "base/finite.h"
#include "data/address.h"
#include "dynamics/chain.h"
#include "dynamics/dynamics.h"
#include "dynamics/pattern.h"
#include "dynamics/tendon_armature.h"

// ------------------------------------------------------------------ joint damping

void si_derive_damping(const sn_model *m, sn_unsymmetric D) {
  for (int64_t i = 0; i < m->nv; i++) {
    D.lower[m->dof_Madr[i]] -= m->dof_damping[i];
    D.upper[m->dof_Madr[i]] -= m->dof_damping[i];
  }
}

// ------------------------------------------------------------------ passive forces

si_elimination si_elimination_tree(const sn_model *m) {
  return (si_elimination){ .n = m->nM, .parent = m->inertia_parent, .adr = m->dof_Madr };
}

void si_elimination_spread(const sn_model *m, const si_elimination *e, const double *from,
                           double *to) {
  memset(to, 0, (size_t)e->n * sizeof(double));
  for (int32_t i = 0; i < (int32_t)m->nv; i++) {
    const double *entry = from + m->dof_Madr[i];
    double *row = to + e->adr[i];
    for (int32_t a = i, next = i; next >= 0; a = e->parent[a], row++) {
      if (a == next) {
        *row = *entry++;
        next = m->inertia_parent[next];
      }
    }
  }
}

static int32_t row_length(const sn_model *m, const si_elimination *e, int32_t i) {
  return sn_tree_row_length(m->nv, e->parent, e->adr, i);
}

// Adds a matrix on the pattern of both triangles to them.
static void add_full(const sn_model *m, const si_elimination *e, si_worker *w,
                     const sn_sparse *pattern, const double *full, sn_unsymmetric D) {
  int32_t *seen = si_arena_ints(&w->scratch, m->nv);   // descendants of a that were met
  memset(seen, 0, (size_t)m->nv * sizeof(int32_t));
  for (int32_t i = 0; i < (int32_t)m->nv; i++) {
    int32_t length = row_length(m, e, i), k = 0;
    for (int32_t a = i; a >= 0; a = e->parent[a], k++) {
      D.lower[e->adr[i] + k] += full[pattern->adr[i] + length - 1 - k];
      int32_t across = k == 0 ? length - 1 : row_length(m, e, a) + seen[a]++;
      D.upper[e->adr[i] + k] += full[pattern->adr[a] + across];
    }
  }
}

// The operation of a force, `derivative` or `stiffness`.
typedef sn_status derive_fn(const void *self, const void *bound, const sn_data_view *data,
                            const double *state, const sn_sparse *pattern, double *out,
                            sn_scratch *scratch);

static const char *const operations[] = {
  [SI_BY_VELOCITY] = "derivative", [SI_BY_POSITION] = "stiffness"
};

sn_status si_derive_force(sn_data *d, si_worker *w, const si_binding *b, si_variable by,
                          const sn_sparse *pattern, int64_t n, double *out) {
  const sn_passive_ops *ops = b->provider->ops;
  derive_fn *derive = by == SI_BY_VELOCITY ? ops->derivative : ops->stiffness;
  if (!derive) {
    return SN_OK;
  }
  const si_mark mark = si_arena_mark(&w->scratch);
  const double *state = b->nstate > 0 ? d->force_state + b->stateadr : NULL;
  si_worker_output(w, "D", out, n * (int64_t)sizeof *out);
  const si_call call = si_worker_enter(w, b->provider, operations[by]);
  sn_status status = derive(b->provider->self, b->bound, &d->view, state, pattern, out,
                            si_worker_lend(w));
  status = si_worker_leave(w, &call, status);
  si_arena_release(&w->scratch, mark);
  return status;
}

static int derive_all(const sn_model *m, sn_data *d, si_worker *w, si_variable by,
                      const sn_sparse *pattern, int64_t n, double *full) {
  int good = 1;
  memset(full, 0, (size_t)n * sizeof *full);
  for (int64_t k = 0; k < m->bound.passive.n; k++) {
    good &= si_derive_force(d, w, &m->bound.passive.at[k], by, pattern, n, full) >= 0;
  }
  return good && si_all_finite(full, n);
}

// number: in a matrix on the pattern, not finite; NULL: none is, the operation failed.
static void warn(const sn_model *m, const sn_data *d, si_worker *w, const si_binding *b,
                 si_variable by, const sn_sparse *pattern, sn_status status, const double *full,
                 const double *number) {
  char row[160], place[192];
  if (number) {
    int32_t i = 0;
    while (number - full >= pattern->adr[i] + pattern->nnz[i]) {
      i++;
    }
    si_data_address_name(m, d, (const uint8_t *)(d->qvel + i), row, sizeof row);
    snprintf(place, sizeof place, "%s in the row of %s", by == SI_BY_VELOCITY ? "D" : "K", row);
  }
  si_worker_warn_result(w, b->provider, operations[by], status, number ? place : NULL, number,
                        "its derivative is left out");
}

// Once more, one at a time: what cannot be used is taken back, with a warning.
static void derive_good(const sn_model *m, sn_data *d, si_worker *w, si_variable by,
                        const sn_sparse *pattern, int64_t n, double *full) {
  const si_mark mark = si_arena_mark(&w->scratch);
  double *before = si_arena_reals(&w->scratch, n);
  memset(full, 0, (size_t)n * sizeof *full);
  for (int64_t k = 0; k < m->bound.passive.n; k++) {
    const si_binding *b = &m->bound.passive.at[k];
    memcpy(before, full, (size_t)n * sizeof *full);
    const sn_status status = si_derive_force(d, w, b, by, pattern, n, full);
    const double *number = si_first_not_finite(full, n);
    if (status < 0 || number) {
      warn(m, d, w, b, by, pattern, status, full, number);
      memcpy(full, before, (size_t)n * sizeof *full);
    }
  }
  si_arena_release(&w->scratch, mark);
}

void si_derive_passive(const sn_model *m, sn_data *d, si_worker *w, const si_elimination *e,
                       si_variable by, sn_unsymmetric D) {
  if (m->bound.passive.n == 0 || m->opt.disableflags & SN_DISABLE_PASSIVE) {
    return;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  const int own = e->parent == m->inertia_parent;
  const si_pattern *rows = own ? &m->bound.patterns->tree : &m->bound.patterns->coupled;
  const sn_sparse pattern = {
    .nnz = rows->nnz, .adr = rows->adr, .col = rows->col, .nrow = m->nv, .ncol = m->nv
  };
  double *full = si_arena_reals(&w->scratch, rows->n);
  if (!derive_all(m, d, w, by, &pattern, rows->n, full)) {
    derive_good(m, d, w, by, &pattern, rows->n, full);
  }
  add_full(m, e, w, &pattern, full, D);
  si_arena_release(&w->scratch, mark);
  si_find_undeclared(m, d, w, by);
}

// ------------------------------------------------------------------ actuators

// D += moment' slope moment, one actuator at a time.
void si_derive_actuation(const sn_model *m, sn_data *d, si_worker *w, const si_elimination *e,
                         si_variable by, sn_unsymmetric D) {
  if (m->nu == 0) {
    return;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  double *slope = si_arena_reals(&w->scratch, m->nu);
  double *dense = si_arena_reals(&w->scratch, m->nv);
  si_dyn_actuator_slope(m, d, w, by, slope);
  memset(dense, 0, (size_t)m->nv * sizeof(double));
  for (int64_t u = 0; u < m->nu; u++) {
    const sn_sparse_row moment = si_actuator_row(d, u);
    if (slope[u] == 0) {
      continue;
    }
    sn_row_add(moment, 1, dense);
    for (int32_t k = 0; k < moment.n; k++) {
      const int32_t dof = moment.col[k];
      double *low = D.lower + e->adr[dof], *up = D.upper + e->adr[dof];
      for (int32_t a = dof; a >= 0; a = e->parent[a]) {
        double value = slope[u] * moment.val[k] * dense[a];
        *low++ += value;
        *up++ += value;
      }
    }
    for (int32_t k = 0; k < moment.n; k++) {
      dense[moment.col[k]] = 0;
    }
  }
  si_arena_release(&w->scratch, mark);
}

// ------------------------------------------------------------------ bias

// Of a body or a subtree: K, row-major, and P.
typedef struct gyration {
  double K[9], P[3];
} gyration;

static gyration gyrate(const double *I, const double *vel) {
  const double *w = vel, *v = vel + 3, *h = I + 6;
  const double J[9] = { I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2] };
  gyration g;
  double wJ[9], Jw[3], vh = sn_dot3(v, h);

  // column i of [w]J is w x (column i of J); J is symmetric
  for (int i = 0; i < 3; i++) {
    double column[3];
    sn_cross(column, w, J + 3 * i);
    for (int k = 0; k < 3; k++) {
      wJ[3 * k + i] = column[k];
    }
  }
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      g.K[3 * i + k] = wJ[3 * i + k] + wJ[3 * k + i] - 2 * v[i] * h[k];
    }
    g.K[4 * i] += 2 * vh;
  }
  sn_mul_mat_vec3(Jw, J, w);
  g.K[1] += Jw[2];
  g.K[2] -= Jw[1];
  g.K[3] -= Jw[2];
  g.K[5] += Jw[0];
  g.K[6] += Jw[1];
  g.K[7] -= Jw[0];
  sn_cross(g.P, w, h);
  sn_addscale3(g.P, g.P, I[9], v);
  return g;
}

static void compose_gyrations(const sn_model *m, const sn_data *d, int64_t begin, int64_t end,
                              gyration *g) {
  for (int64_t b = begin; b < end; b++) {
    g[b] = gyrate(d->cinert + 10 * b, d->cvel + 6 * b);
  }
  for (int64_t b = end - 1; b >= begin; b--) {
    int32_t up = m->body_parentid[b];
    for (int i = 0; i < 9 && up > 0; i++) {
      g[up].K[i] += g[b].K[i];
    }
    if (up > 0) {
      sn_add3(g[up].P, g[up].P, g[b].P);
    }
  }
}

// u_j = cdof_dot_j - S_j x w_j+, for the dofs of one body.
static void own_rates(const sn_model *m, const sn_data *d, int32_t body, double *u) {
  double vel[6], turn[6];
  memcpy(vel, d->cvel + 6 * m->body_parentid[body], sizeof vel);
  int32_t end = m->body_jntadr[body] + m->body_jntnum[body];
  for (int32_t j = m->body_jntadr[body]; j < end; j++) {
    int32_t type = m->jnt_type[j], i = m->jnt_dofadr[j], last = i + sn_joint_dofs(type);
    while (i < last) {
      // dofs that are carried together: three translations or rotations, or one
      int32_t n = type >= SN_JOINT_SLIDE ? 1 : 3;
      for (int32_t k = i; k < i + n; k++) {
        sn_addscale6(vel, vel, d->qvel[k], d->cdof + 6 * k);
      }
      for (int32_t k = i; k < i + n; k++) {
        sn_cross_motion(turn, d->cdof + 6 * k, vel);
        sn_addscale6(u + 6 * k, d->cdof_dot + 6 * k, -1, turn);
      }
      i += n;
    }
  }
}

void si_derive_bias(const sn_model *m, sn_data *d, si_worker *w, sn_unsymmetric D) {
  si_mark mark = si_arena_mark(&w->scratch);
  double *u = si_arena_reals(&w->scratch, 6 * m->nv);
  gyration *gyrations = si_arena_take(&w->scratch, m->nbody * (int64_t)sizeof *gyrations, 64);
  const double *S = d->cdof;
  for (int32_t r = 0; r < m->bound.roots.n; r++) {   // not of what never moves
    const int32_t begin = m->bound.roots.at[r].run.begin.body;
    const int32_t end = m->bound.roots.at[r].run.end.body;
    compose_gyrations(m, d, begin, end, gyrations);
    for (int32_t b = begin; b < end; b++) {
      own_rates(m, d, b, u);
    }
  }
  for (int32_t k = 0; k < (int32_t)m->nv; k++) {
    const double *I_k = d->crb + 10 * m->dof_bodyid[k], *S_k = S + 6 * k;
    const gyration *g = &gyrations[m->dof_bodyid[k]];
    double I_S[6], Bt_S[3], column[6], t[3];

    // row k: S_k' I u_j + (K' w_k + 2 P x v_k)' w_j
    sn_mul_inertia(I_S, I_k, S_k);
    sn_mul_matT_vec3(Bt_S, g->K, S_k);
    sn_cross(t, g->P, S_k + 3);
    sn_addscale3(Bt_S, Bt_S, 2, t);
    // column k: S_i' (I u_k + [K w_k; 2 w_k x P])
    sn_mul_inertia(column, I_k, u + 6 * k);
    sn_mul_mat_vec3(t, g->K, S_k);
    sn_add3(column, column, t);
    sn_cross(t, S_k, g->P);
    sn_addscale3(column + 3, column + 3, 2, t);

    double *low = D.lower + m->dof_Madr[k], *up = D.upper + m->dof_Madr[k];
    for (int32_t a = k, mover = k; a >= 0; a = m->inertia_parent[a], low++, up++) {
      if (a == mover) {   // others of the row do not move the body
        *low -= sn_dot6(I_S, u + 6 * a) + sn_dot3(Bt_S, S + 6 * a);
        *up -= sn_dot6(S + 6 * a, column);
        mover = m->dof_parentid[a];
      }
    }
  }
  si_derive_tendon_bias(m, d, w, u, D);
  si_arena_release(&w->scratch, mark);
}
