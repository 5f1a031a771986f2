// SPDX-License-Identifier: Apache-2.0
//
// Tests that an internal passive force (SN_PASSIVE_INTERNAL) leaves the momentum as it is, in the
// floating world of the kit, where nothing else connects the two trees of bodies with the ground.
// The generalized force of a free joint is the sum of the forces f and torques t that act on its
// tree. The total momentum of all trees is constant if
//
//   linear     sum f_i = 0
//   angular    sum (R_i t_i + p_i x f_i) = 0       about the origin
//
// with the position p_i of the body of joint i, and its orientation R_i, as t_i is in body axes.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/world/world.h"
#include "sinew/math.h"
#include "sinew/passive.h"

enum { STATES = 5, MOST_DOFS = 32, MOST_KEPT = 4096 };
static const double tolerance = 1e-9;   // relative to the forces

typedef struct findings {
  int acting;            // states in which the force was not zero
  double force, torque;  // the largest total, relative to the forces of its state
} findings;

// A bound force, and a simulation.
typedef struct bound_force {
  kit *k;
  kit_world *w;
  const void *bound;
  int64_t nstate;
  double *state;
} bound_force;

// ------------------------------------------------------------------ totals

// What acts on the trees, about the origin; scale: the sum of what is added up.
typedef struct total {
  double force[3], torque[3], force_scale, torque_scale;
} total;

static void add_tree(const sn_model *m, sn_data *d, int64_t joint, const double *qfrc, total *out) {
  const double *f = qfrc + snm_jnt_dofadr(m)[joint], *t = f + 3;
  const double *p = snd_qpos(d) + snm_jnt_qposadr(m)[joint];
  double mat[9], moment[3], turned[3];
  sn_quat_mat(mat, p + 3);
  sn_mul_mat_vec3(turned, mat, t);
  sn_cross(moment, p, f);
  sn_add3(out->force, out->force, f);
  sn_add3(out->torque, out->torque, turned);
  sn_add3(out->torque, out->torque, moment);
  out->force_scale += sn_norm3(f);
  out->torque_scale += sn_norm3(t) + sn_norm3(p) * sn_norm3(f);
}

// The forces between the bodies of one tree, which are not in those of its free joint, count too.
static total sum_up(const sn_model *m, sn_data *d, const double *qfrc) {
  total out = { 0 };
  for (int64_t i = 0; i < snm_nv(m); i++) {
    out.force_scale += fabs(qfrc[i]);
    out.torque_scale += fabs(qfrc[i]);
  }
  for (int64_t j = 0; j < snm_njnt(m); j++) {
    if (snm_jnt_type(m)[j] == SN_JOINT_FREE) {
      add_tree(m, d, j, qfrc, &out);
    }
  }
  return out;
}

// ------------------------------------------------------------------ states

static void test_state(const bound_force *b, findings *f) {
  const sn_passive_ops *ops = b->k->provider->ops;
  double qfrc[MOST_DOFS] = { 0 };
  const sn_status status = KIT_CALL(ops, apply)(b->k->self, b->bound, &b->w->data_view,
                                                b->nstate ? b->state : NULL, qfrc, &b->k->scratch);
  kit_scratch_clear(b->k);
  const total sum = sum_up(b->w->model, b->w->data, qfrc);
  if (status >= 0 && sum.force_scale > 0) {   // what fails is a finding of another test
    f->acting++;
    f->force = fmax(f->force, sn_norm3(sum.force) / sum.force_scale);
    f->torque = fmax(f->torque, sn_norm3(sum.torque) / sum.torque_scale);
  }
}

static void advance(const bound_force *b) {
  const sn_passive_ops *ops = b->k->provider->ops;
  if (b->nstate > 0) {
    KIT_CALL(ops, advance)(b->k->self, b->bound, &b->w->data_view, 0.002, b->state, &b->k->scratch);
    kit_scratch_clear(b->k);
  }
}

static void test_bound(kit *k, kit_world *w, const void *bound, const kit_attributes *attributes,
                       void *context) {
  const sn_passive_ops *ops = k->provider->ops;
  bound_force b = { .k = k, .w = w, .bound = bound };
  (void)attributes;
  b.nstate = ops->states ? KIT_CALL(ops, states)(k->self, bound) : 0;
  if (b.nstate < 0 || b.nstate > MOST_KEPT || snm_nv(w->model) > MOST_DOFS) {
    return;
  }
  b.state = calloc((size_t)b.nstate + 1, sizeof *b.state);
  if (b.state && b.nstate > 0 && ops->reset) {
    KIT_CALL(ops, reset)(k->self, bound, &w->data_view, b.state);
  }
  for (int i = 0; i < STATES && b.state; i++) {
    kit_world_move(k, w);
    test_state(&b, context);
    advance(&b);
  }
  free(b.state);
}

void kit_momentum(kit *k) {
  const sn_passive_ops *ops = k->provider->ops;
  const kit_binding binding = { ops->attributes, ops->bind, ops->unbind };
  findings f = { 0 };
  if (kit_bind_kind(k, KIT_FLOATING, &binding, test_bound, &f) == 0 || f.acting == 0) {
    kit_report(k, "momentum", KIT_SKIPPED,
               "with all attributes that were tried, the force was zero between the floating "
               "bodies of the kit");
    return;
  }
  kit_check(k, "momentum", f.force <= tolerance && f.torque <= tolerance,
            "on floating bodies, the sum of its forces is %.2g and that of its torques %.2g "
            "times their sizes; %.0e is allowed%s",
            f.force, f.torque, tolerance,
            f.force <= tolerance && f.torque <= tolerance
                ? ""
                : "; SN_PASSIVE_INTERNAL declares that both sums are zero");
}
