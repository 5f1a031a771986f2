// SPDX-License-Identifier: Apache-2.0
//
// Springs and dampers in joints and tendons.
//
//   joint    f = -stiffness (q - qpos_spring) - damping v     per dof; rotations: the rotation
//            vector of spring^-1 * q, in the frame of the child
//   tendon   f = J' (-stiffness stretch - damping J v)        stretch: outside the dead band
//
//            stretch      \                  /
//                          \________________/
//                    lengthspring      lengthspring1       length
//
// Derivatives by velocity: -damping on the diagonal, -J' damping J. By position, of what can be
// stiff: -stiffness on the diagonal, -J' stiffness J outside of the dead band; not the change of J.

#include <stddef.h>

#include "forces.h"
#include "sinew/instance.h"
#include "sinew/kinematics.h"
#include "sinew/math.h"
#include "sinew/numerics/sparse.h"

typedef struct springs {
  int64_t nv, nspring, ndamper, ntendon;
  int32_t *spring, *damper, *tendon;   // ids of joints, dofs and tendons
  const int32_t *jnt_type, *jnt_qposadr, *jnt_dofadr;
  const int32_t *ten_adr, *ten_num, *wrap_type, *wrap_objid;   // what tendons act on, for couplings
  const int32_t *site_bodyid, *geom_bodyid;
  const sn_kinematics_service *kinematics;
  const sn_model_view *model;
  const double *stiffness, *damping, *qpos_spring;
  const double *ten_stiffness, *ten_damping, *ten_low, *ten_high;
  sn_field qpos, qvel, ten_length, ten_velocity, ten_J, nnz, adr, col;
} springs;

// ------------------------------------------------------------------ binding

static springs find_springs(sn_lookup *l) {
  return (springs){ .nv = sn_lookup_size(l, "nv"),
                    .ten_adr = sn_lookup_ints(l, "tendon_adr"),
                    .ten_num = sn_lookup_ints(l, "tendon_num"),
                    .wrap_type = sn_lookup_ints(l, "wrap_type"),
                    .wrap_objid = sn_lookup_ints(l, "wrap_objid"),
                    .site_bodyid = sn_lookup_ints(l, "site_bodyid"),
                    .geom_bodyid = sn_lookup_ints(l, "geom_bodyid"),
                    .kinematics = sn_lookup_service(l, SN_SERVICE_KINEMATICS),
                    .model = l->model,
                    .jnt_type = sn_lookup_ints(l, "jnt_type"),
                    .jnt_qposadr = sn_lookup_ints(l, "jnt_qposadr"),
                    .jnt_dofadr = sn_lookup_ints(l, "jnt_dofadr"),
                    .stiffness = sn_lookup_reals(l, "dof_stiffness"),
                    .damping = sn_lookup_reals(l, "dof_damping"),
                    .qpos_spring = sn_lookup_reals(l, "qpos_spring"),
                    .ten_stiffness = sn_lookup_reals(l, "tendon_stiffness"),
                    .ten_damping = sn_lookup_reals(l, "tendon_damping"),
                    .ten_low = sn_lookup_reals(l, "tendon_lengthspring"),
                    .ten_high = sn_lookup_reals(l, "tendon_lengthspring1"),
                    .qpos = sn_lookup_data(l, "qpos"),
                    .qvel = sn_lookup_data(l, "qvel"),
                    .ten_length = sn_lookup_data(l, "ten_length"),
                    .ten_velocity = sn_lookup_data(l, "ten_velocity"),
                    .ten_J = sn_lookup_data(l, "ten_J"),
                    .nnz = sn_lookup_data_ints(l, "ten_J_rownnz"),
                    .adr = sn_lookup_data_ints(l, "ten_J_rowadr"),
                    .col = sn_lookup_data_ints(l, "ten_J_colind") };
}

static int is_spring(const springs *s, int64_t joint) {
  const double *k = s->stiffness + s->jnt_dofadr[joint];
  for (int i = 0; i < sn_joint_dofs(s->jnt_type[joint]); i++) {
    if (k[i] != 0) {
      return 1;
    }
  }
  return 0;
}

// Lists the joints, dofs and tendons with a spring or damper, in the memory after the struct.
static void list(springs *s, int64_t njnt, int64_t ntendon) {
  s->spring = (int32_t *)(s + 1);
  s->damper = s->spring + njnt;
  s->tendon = s->damper + s->nv;
  for (int64_t j = 0; j < njnt; j++) {
    if (is_spring(s, j)) {
      s->spring[s->nspring++] = (int32_t)j;
    }
  }
  for (int64_t i = 0; i < s->nv; i++) {
    if (s->damping[i] != 0) {
      s->damper[s->ndamper++] = (int32_t)i;
    }
  }
  for (int64_t t = 0; t < ntendon; t++) {
    if (s->ten_stiffness[t] != 0 || s->ten_damping[t] != 0) {
      s->tendon[s->ntendon++] = (int32_t)t;
    }
  }
}

static sn_status spring_bind(const void *self, const sn_model_view *model, const sn_value *values,
                             void **bound, sn_error *error) {
  (void)values;
  sn_lookup l = sn_lookup_start(self, model, error);
  int64_t njnt = sn_lookup_size(&l, "njnt"), ntendon = sn_lookup_size(&l, "ntendon");
  springs found = find_springs(&l);
  SN_TRY(l.status);
  size_t bytes = sizeof found + (size_t)(njnt + found.nv + ntendon) * sizeof(int32_t);
  springs *s = sn_instance_alloc(self, bytes, error);
  if (!s) {
    return SN_ENOMEM;
  }
  *s = found;
  list(s, njnt, ntendon);
  if (s->nspring + s->ndamper + s->ntendon == 0) {
    sn_instance_unbind(self, s);
    s = NULL;
  }
  *bound = s;
  return SN_OK;
}

// ------------------------------------------------------------------ forces

static void pull_joint(const springs *s, const double *qpos, int32_t joint, double *qfrc) {
  int32_t type = s->jnt_type[joint];
  const double *q = qpos + s->jnt_qposadr[joint];
  const double *rest = s->qpos_spring + s->jnt_qposadr[joint];
  const double *k = s->stiffness + s->jnt_dofadr[joint];
  double *f = qfrc + s->jnt_dofadr[joint];

  if (type >= SN_JOINT_SLIDE) {
    f[0] -= k[0] * (q[0] - rest[0]);
    return;
  }
  if (type == SN_JOINT_FREE) {
    for (int i = 0; i < 3; i++) {
      f[i] -= k[i] * (q[i] - rest[i]);
    }
    q += 3;
    rest += 3;
    k += 3;
    f += 3;
  }
  double turned[4], angle[3];
  sn_conj_quat(turned, rest);
  sn_mul_quat(turned, turned, q);
  sn_normalize4(turned);
  sn_quat_vec(angle, turned);
  for (int i = 0; i < 3; i++) {
    f[i] -= k[i] * angle[i];
  }
}

static sn_sparse_row tendon_row(const springs *s, const sn_data_view *data, int32_t t) {
  const int32_t adr = sn_field_ints(data->fields, s->adr)[t];
  return (sn_sparse_row){ sn_field_ints(data->fields, s->nnz)[t],
                          sn_field_ints(data->fields, s->col) + adr,
                          sn_field_reals(data->fields, s->ten_J) + adr };
}

static double tendon_force(const springs *s, int32_t t, double length, double velocity) {
  double stretch = length - sn_clamp(length, s->ten_low[t], s->ten_high[t]);
  return -s->ten_stiffness[t] * stretch - s->ten_damping[t] * velocity;
}

static void pull_tendon(const springs *s, const sn_data_view *data, int32_t t, double *qfrc) {
  double force = tendon_force(s, t, sn_field_reals(data->fields, s->ten_length)[t],
                              sn_field_reals(data->fields, s->ten_velocity)[t]);
  if (force != 0) {
    sn_row_add(tendon_row(s, data, t), force, qfrc);
  }
}

// The same for `width` simulations.
static void pull_tendon_lanes(const springs *s, const sn_data_view *data, int32_t t, int64_t width,
                              double *qfrc) {
  const int32_t adr = sn_field_ints(data->fields, s->adr)[t];
  const int32_t n = sn_field_ints(data->fields, s->nnz)[t];
  const int32_t *col = sn_field_ints(data->fields, s->col) + adr;
  const double *J = sn_field_reals(data->fields, s->ten_J) + adr * width;
  const double *length = sn_field_reals(data->fields, s->ten_length) + t * width;
  const double *velocity = sn_field_reals(data->fields, s->ten_velocity) + t * width;
  for (int64_t w = 0; w < width; w++) {
    const double force = tendon_force(s, t, length[w], velocity[w]);
    for (int32_t k = 0; k < n && force != 0; k++) {
      qfrc[col[k] * width + w] += force * J[k * width + w];
    }
  }
}

static sn_status spring_apply(const void *self, const void *bound, const sn_data_view *data,
                              const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self;
  (void)state;
  (void)scratch;
  const springs *s = bound;
  const double *qpos = sn_field_reals(data->fields, s->qpos);
  const double *qvel = sn_field_reals(data->fields, s->qvel);
  for (int64_t i = 0; i < s->nspring; i++) {
    pull_joint(s, qpos, s->spring[i], qfrc);
  }
  for (int64_t i = 0; i < s->ndamper; i++) {
    int32_t dof = s->damper[i];
    qfrc[dof] -= s->damping[dof] * qvel[dof];
  }
  for (int64_t i = 0; i < s->ntendon; i++) {
    pull_tendon(s, data, s->tendon[i], qfrc);
  }
  return SN_OK;
}

// The loops of spring_apply, each over all simulations; springs of joints with one dof.
static sn_status spring_apply_lanes(const void *self, const void *bound, const sn_data_view *data,
                                    int64_t width, double *qfrc, sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  const springs *s = bound;
  const double *qpos = sn_field_reals(data->fields, s->qpos);
  const double *qvel = sn_field_reals(data->fields, s->qvel);
  for (int64_t i = 0; i < s->nspring; i++) {
    const int32_t j = s->spring[i], dof = s->jnt_dofadr[j], q = s->jnt_qposadr[j];
    if (s->jnt_type[j] < SN_JOINT_SLIDE) {
      return SN_EUNSUPPORTED;
    }
    for (int64_t w = 0; w < width; w++) {
      qfrc[dof * width + w] -= s->stiffness[dof] * (qpos[q * width + w] - s->qpos_spring[q]);
    }
  }
  for (int64_t i = 0; i < s->ndamper; i++) {
    const int32_t dof = s->damper[i];
    for (int64_t w = 0; w < width; w++) {
      qfrc[dof * width + w] -= s->damping[dof] * qvel[dof * width + w];
    }
  }
  for (int64_t i = 0; i < s->ntendon; i++) {
    pull_tendon_lanes(s, data, s->tendon[i], width, qfrc);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ derivatives

// Row i of D, which has the pattern, += scale * J, where both have a column.
static void add_row(const sn_sparse *pattern, int32_t i, double *D, double scale, sn_sparse_row J) {
  const int32_t *at = pattern->col + pattern->adr[i];
  double *row = D + pattern->adr[i];
  for (int32_t p = 0, k = 0; p < pattern->nnz[i] && k < J.n;) {
    if (at[p] == J.col[k]) {
      row[p++] += scale * J.val[k++];
    } else if (at[p] < J.col[k]) {
      p++;
    } else {
      k++;
    }
  }
}

static void add_diagonal(const sn_sparse *pattern, int32_t dof, double *D, double value) {
  const double one = 1;
  add_row(pattern, dof, D, value, (sn_sparse_row){ 1, &dof, &one });
}

// D += scale J'J
static void add_tendon_square(const springs *s, const sn_data_view *data, int32_t t,
                              const sn_sparse *pattern, double *D, double scale) {
  const sn_sparse_row J = tendon_row(s, data, t);
  for (int32_t k = 0; scale != 0 && k < J.n; k++) {
    add_row(pattern, J.col[k], D, scale * J.val[k], J);
  }
}

static sn_status spring_derive(const void *self, const void *bound, const sn_data_view *data,
                               const double *state, const sn_sparse *pattern, double *D,
                               sn_scratch *scratch) {
  (void)self;
  (void)state;
  (void)scratch;
  const springs *s = bound;
  for (int64_t i = 0; i < s->ndamper; i++) {
    add_diagonal(pattern, s->damper[i], D, -s->damping[s->damper[i]]);
  }
  for (int64_t i = 0; i < s->ntendon; i++) {
    add_tendon_square(s, data, s->tendon[i], pattern, D, -s->ten_damping[s->tendon[i]]);
  }
  return SN_OK;
}

static sn_status spring_stiffness(const void *self, const void *bound, const sn_data_view *data,
                                  const double *state, const sn_sparse *pattern, double *K,
                                  sn_scratch *scratch) {
  (void)self;
  (void)state;
  (void)scratch;
  const springs *s = bound;
  const double *length = sn_field_reals(data->fields, s->ten_length);
  for (int64_t i = 0; i < s->nspring; i++) {
    const int32_t j = s->spring[i], first = s->jnt_dofadr[j];
    const int32_t end = first + sn_joint_dofs(s->jnt_type[j]);
    for (int32_t dof = first; dof < end; dof++) {
      add_diagonal(pattern, dof, K, -s->stiffness[dof]);
    }
  }
  for (int64_t i = 0; i < s->ntendon; i++) {
    const int32_t t = s->tendon[i];
    if (length[t] < s->ten_low[t] || length[t] > s->ten_high[t]) {
      add_tendon_square(s, data, t, pattern, K, -s->ten_stiffness[t]);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ couplings

// The dofs of a tendon, each once: mark[i] is the tendon to which dof i was added last, plus 1.
typedef struct dof_set {
  int64_t n;
  int32_t *dof, *mark, *chain;   // nv each; chain: of one body
} dof_set;

static void add_dofs(dof_set *set, int32_t tendon, int64_t n, const int32_t *dof) {
  for (int64_t i = 0; i < n; i++) {
    if (set->mark[dof[i]] != tendon + 1) {
      set->mark[dof[i]] = tendon + 1;
      set->dof[set->n++] = dof[i];
    }
  }
}

static void add_chain(const springs *s, dof_set *set, int32_t tendon, int32_t body) {
  add_dofs(set, tendon, s->kinematics->chain(s->model, body, set->chain), set->chain);
}

// The dofs that can change the length of a tendon.
static void add_tendon(const springs *s, dof_set *set, int32_t t) {
  for (int32_t k = s->ten_adr[t]; k < s->ten_adr[t] + s->ten_num[t]; k++) {
    const int32_t type = s->wrap_type[k], id = s->wrap_objid[k];
    if (type == SN_WRAP_JOINT) {
      add_dofs(set, t, 1, s->jnt_dofadr + id);
    } else if (type == SN_WRAP_SITE) {
      add_chain(s, set, t, s->site_bodyid[id]);
    } else if (type == SN_WRAP_SPHERE || type == SN_WRAP_CYLINDER) {
      add_chain(s, set, t, s->geom_bodyid[id]);
    }
  }
}

// A damped tendon couples all dofs that change its length; one that is only a spring, if an
// integrator is implicit in position.
static sn_status spring_couples(const void *self, const void *bound, sn_couplings *couplings) {
  const springs *s = bound;
  const sn_host *host = ((const sn_instance *)self)->host;
  int32_t *memory = host->alloc(host, 3 * s->nv * (int64_t)sizeof *memory);
  if (!memory) {
    return SN_ENOMEM;
  }
  dof_set set = { .dof = memory, .mark = memory + s->nv, .chain = memory + 2 * s->nv };
  sn_status status = SN_OK;
  for (int64_t i = 0; i < s->ntendon && status >= 0; i++) {
    const int32_t t = s->tendon[i];
    set.n = 0;
    add_tendon(s, &set, t);
    status = s->ten_damping[t] != 0 ? couplings->add(couplings, set.n, set.dof)
                                    : couplings->add_stiff(couplings, set.n, set.dof);
  }
  host->free(host, memory);
  return status;
}

const sn_passive_ops spring_damper_ops = {
  .head = { .size = sizeof(sn_passive_ops),
            .flags = SN_PASSIVE_INTERNAL,
            .summary = "springs and dampers in joints and tendons, by their stiffness and damping",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .implements = "dof_stiffness|dof_damping|tendon_stiffness|tendon_damping",
  .bind = spring_bind,
  .unbind = sn_instance_unbind,
  .couples = spring_couples,
  .apply = spring_apply,
  .derivative = spring_derive,
  .stiffness = spring_stiffness,
  .apply_lanes = spring_apply_lanes,
};
