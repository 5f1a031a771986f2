// SPDX-License-Identifier: Apache-2.0
//
// Copying back: what was edited in a compiled model returns to the spec that it was made of. The
// spec is compiled once more; where the model has other numbers than that, they were edited, and
// only there the definition changes. So what was inferred stays inferred, and an orientation that
// was not edited stays as it was written.
//
// All of this is done to a copy, which is compiled too: only when every edited number comes out of
// it (update_check.c) does the copy take the place of the spec.

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "edit/update.h"
#include "model/validate.h"
#include "sinew/math.h"

// ------------------------------------------------------------------ numbers as they are

static void update_numbers(const update *u, int32_t kind, const si_def_member *member) {
  const int64_t n = (int64_t)member->count;
  const double *now = u->m->field[member->field], *was = u->fresh->field[member->field];
  for (int64_t i = 0; i < u->number[kind].n; i++) {
    if (differs(now + i * n, was + i * n, n)) {
      memcpy((char *)def_of(u, kind, i) + member->offset, now + i * n, (size_t)n * sizeof(double));
    }
  }
}

// An edited range does not change whether it counts.
static void update_limit(const update *u, int32_t kind, const si_def_member *member) {
  const int32_t range = si_range_of(kind, member)->field;
  const double *now = u->m->field[range], *was = u->fresh->field[range];
  const int32_t *limited = u->fresh->field[member->field];
  for (int64_t i = 0; i < u->number[kind].n; i++) {
    char *to = (char *)def_of(u, kind, i) + member->offset;
    int32_t given;
    memcpy(&given, to, sizeof given);
    if (given == SN_AUTO && differs(now + 2 * i, was + 2 * i, 2)) {
      memcpy(to, limited + i, sizeof given);
    }
  }
}

static void update_members(const update *u) {
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    for (const si_def_member *member = si_element_shape[kind].members; member->type; member++) {
      if (member->type == SI_DEF_LIMITED) {
        update_limit(u, kind, member);
      } else if (member->type == SI_DEF_REAL && si_is_copied(member)) {
        update_numbers(u, kind, member);
      }
    }
  }
}

// ------------------------------------------------------------------ frames

// Position and orientation of one element. An edited one is written as a quaternion.
static void update_frame(const double *pos, const double *was_pos, const double *quat,
                         const double *was_quat, double *def_pos, sn_orient *orient,
                         double *fromto) {
  int moved = differs(pos, was_pos, 3), turned = differs(quat, was_quat, 4);
  if ((moved || turned) && fromto && !isnan(fromto[0])) {
    sn_unset_reals(fromto, 6);
    moved = turned = 1;
  }
  if (moved) {
    sn_copy3(def_pos, pos);
  }
  if (turned) {
    sn_default_orient(orient);
    sn_copy4(orient->quat, quat);
  }
}

#define FRAMES(u, kind, prefix, fromto)                                                      \
  for (int64_t i = 0; i < (u)->number[SI_ELEMENT_##kind].n; i++) {                           \
    sn_##kind##_def *def = DEF(u, kind, i);                                                  \
    update_frame((u)->m->prefix##_pos + 3 * i, (u)->fresh->prefix##_pos + 3 * i,             \
                 (u)->m->prefix##_quat + 4 * i, (u)->fresh->prefix##_quat + 4 * i, def->pos, \
                 &def->orient, fromto);                                                      \
  }

static sn_status check_meshes(const update *u) {
  for (int64_t i = 0; i < u->m->ngeom; i++) {
    const sn_geom_def *def = DEF(u, geom, i);
    int edited = differs(u->m->geom_pos + 3 * i, u->fresh->geom_pos + 3 * i, 3) ||
                 differs(u->m->geom_quat + 4 * i, u->fresh->geom_quat + 4 * i, 4) ||
                 differs(u->m->geom_size + 3 * i, u->fresh->geom_size + 3 * i, 3);
    if (def->mesh && def->mesh[0] && edited) {
      char what[256];
      return si_fail(
          u->error, SN_EUNSUPPORTED,
          "%s: the frame and size of a geom with a mesh are those of the mesh and cannot "
          "be copied back; edit them in the spec",
          si_element_title(u->spec, SI_ELEMENT_geom, u->number[SI_ELEMENT_geom].spec[i], what,
                           sizeof what));
    }
  }
  return SN_OK;
}

static void update_frames(const update *u) {
  FRAMES(u, body, body, NULL)
  FRAMES(u, geom, geom, def->fromto)
  FRAMES(u, site, site, def->fromto)
  FRAMES(u, camera, cam, NULL)
}

// Edited sizes of what was given by its ends: the ends are replaced by the frame.
#define SIZES(u, kind)                                                         \
  for (int64_t i = 0; i < (u)->number[SI_ELEMENT_##kind].n; i++) {             \
    const sn_model *m = (u)->m;                                                \
    sn_##kind##_def *def = DEF(u, kind, i);                                    \
    if (!isnan(def->fromto[0]) &&                                              \
        differs(m->kind##_size + 3 * i, (u)->fresh->kind##_size + 3 * i, 3)) { \
      SN_SET_UNSET(def->fromto);                                               \
      sn_default_orient(&def->orient);                                         \
      sn_copy3(def->pos, m->kind##_pos + 3 * i);                               \
      sn_copy4(def->orient.quat, m->kind##_quat + 4 * i);                      \
    }                                                                          \
  }

static void update_sizes(const update *u) {
  SIZES(u, geom)
  SIZES(u, site)
}

static void update_fluid(const update *u) {
  for (int64_t i = 0; i < u->m->ngeom; i++) {
    const double *coef = u->m->geom_fluid + 12 * i + 1;
    sn_geom_def *def = DEF(u, geom, i);
    if (def->fluid && differs(coef, u->fresh->geom_fluid + 12 * i + 1, 5)) {
      memcpy(def->fluidcoef, coef, sizeof def->fluidcoef);
    }
  }
}

// ------------------------------------------------------------------ inertia, joints, equalities

// What the spec says of inertia counts from now on; where geoms overruled it, it goes.
static void mind_inertials(const update *u) {
  if (u->spec->compiler.inertiafromgeom != SN_TRUE) {
    return;
  }
  u->spec->compiler.inertiafromgeom = SN_AUTO;
  for (int64_t i = 1; i < u->m->nbody; i++) {
    DEF(u, body, i)->inertial = 0;
  }
}

static void update_inertia(const update *u) {
  const sn_model *m = u->m, *f = u->fresh;
  for (int64_t i = 1; i < m->nbody; i++) {
    if (!differs(m->body_mass + i, f->body_mass + i, 1) &&
        !differs(m->body_inertia + 3 * i, f->body_inertia + 3 * i, 3) &&
        !differs(m->body_ipos + 3 * i, f->body_ipos + 3 * i, 3) &&
        !differs(m->body_iquat + 4 * i, f->body_iquat + 4 * i, 4)) {
      continue;
    }
    mind_inertials(u);
    sn_body_def *def = DEF(u, body, i);
    def->inertial = 1;
    def->mass = m->body_mass[i];
    sn_copy3(def->ipos, m->body_ipos + 3 * i);
    sn_default_orient(&def->iorient);
    sn_copy4(def->iorient.quat, m->body_iquat + 4 * i);
    sn_copy3(def->diaginertia, m->body_inertia + 3 * i);
    SN_SET_UNSET(def->fullinertia);
  }
}

// One number a joint, or one a dof where an edit made them different.
static void update_dofs(const double *now, const double *was, int32_t n, double *scalar,
                        double *each) {
  if (!differs(now, was, n)) {
    return;
  }
  int equal = 1;
  for (int32_t k = 1; k < n; k++) {
    equal &= now[k] == now[0];
  }
  sn_unset_reals(each, 6);
  if (equal) {
    *scalar = now[0];
  } else {
    memcpy(each, now, (size_t)n * sizeof(double));
  }
}

// Contact parameters that all dofs of a joint share; where they were edited apart, nothing.
static void update_shared(const double *now, const double *was, int32_t n, int32_t cols,
                          double *member) {
  int same = differs(now, was, (int64_t)n * cols);
  for (int32_t k = 1; k < n; k++) {
    same = same && !differs(now, now + (int64_t)k * cols, cols);
  }
  if (same) {
    memcpy(member, now, (size_t)cols * sizeof(double));
  }
}

// The position of a free body is that of the body, unless that was edited too.
static void update_free(const update *u, int64_t j) {
  const sn_model *m = u->m, *f = u->fresh;
  const int32_t q = m->jnt_qposadr[j], i = m->jnt_bodyid[j];
  sn_body_def *body = DEF(u, body, i);
  if (!differs(m->body_pos + 3 * i, f->body_pos + 3 * i, 3) &&
      !differs(m->body_quat + 4 * i, f->body_quat + 4 * i, 4)) {
    update_frame(m->qpos0 + q, f->qpos0 + q, m->qpos0 + q + 3, f->qpos0 + q + 3, body->pos,
                 &body->orient, NULL);
  }
}

static void update_positions(const update *u, int64_t j, double unit) {
  const sn_model *m = u->m, *f = u->fresh;
  sn_joint_def *def = DEF(u, joint, j);
  const int32_t q = m->jnt_qposadr[j], turn = q + (def->type == SN_JOINT_FREE ? 3 : 0);
  if (def->type == SN_JOINT_FREE) {
    update_free(u, j);
  }
  if (def->type == SN_JOINT_FREE || def->type == SN_JOINT_BALL) {
    if (differs(m->qpos_spring + turn, f->qpos_spring + turn, 4)) {
      sn_copy4(def->springquat, m->qpos_spring + turn);
    }
    return;
  }
  if (differs(m->qpos0 + q, f->qpos0 + q, 1)) {
    def->ref = m->qpos0[q] * unit;
  }
  if (differs(m->qpos_spring + q, f->qpos_spring + q, 1)) {
    def->springref = m->qpos_spring[q] * unit;
  }
}

static void update_damping(const update *u, int64_t j, int32_t v, int32_t n) {
  const sn_model *m = u->m, *f = u->fresh;
  sn_joint_def *def = DEF(u, joint, j);
  int sprung = differs(m->dof_stiffness + v, f->dof_stiffness + v, n) ||
               differs(m->dof_damping + v, f->dof_damping + v, n);
  if (sprung && def->springdamper[0] > 0) {   // both become numbers
    def->springdamper[0] = def->springdamper[1] = 0;
    def->stiffness = f->dof_stiffness[v];
    def->damping = f->dof_damping[v];
    sn_unset_reals(def->dof_stiffness, 6);
    sn_unset_reals(def->dof_damping, 6);
  }
  update_dofs(m->dof_stiffness + v, f->dof_stiffness + v, n, &def->stiffness, def->dof_stiffness);
  update_dofs(m->dof_damping + v, f->dof_damping + v, n, &def->damping, def->dof_damping);
  update_dofs(m->dof_armature + v, f->dof_armature + v, n, &def->armature, def->dof_armature);
  update_dofs(m->dof_frictionloss + v, f->dof_frictionloss + v, n, &def->frictionloss,
              def->dof_frictionloss);
}

static void update_joints(const update *u) {
  const sn_model *m = u->m, *f = u->fresh;
  for (int64_t j = 0; j < m->njnt; j++) {
    sn_joint_def *def = DEF(u, joint, j);
    int32_t v = m->jnt_dofadr[j];
    int32_t n = (j + 1 < m->njnt ? m->jnt_dofadr[j + 1] : (int32_t)m->nv) - v;
    int hinge = def->type == SN_JOINT_HINGE, turns = hinge || def->type == SN_JOINT_BALL;
    double unit = turns && u->spec->compiler.degree ? 180 / SN_PI : 1;
    if (differs(m->jnt_range + 2 * j, f->jnt_range + 2 * j, 2)) {
      def->range[0] = m->jnt_range[2 * j] * (m->jnt_limited[j] ? unit : 1);
      def->range[1] = m->jnt_range[2 * j + 1] * (m->jnt_limited[j] ? unit : 1);
    }
    update_positions(u, j, unit);
    update_shared(m->dof_solref + SI_NREFERENCE * v, f->dof_solref + SI_NREFERENCE * v, n,
                  SI_NREFERENCE, def->solref_friction);
    update_shared(m->dof_solimp + SI_NIMPEDANCE * v, f->dof_solimp + SI_NIMPEDANCE * v, n,
                  SI_NIMPEDANCE, def->solimp_friction);
    update_damping(u, j, v, n);
  }
}

// eq_data by type: polynomial; anchor in body 1, in body 2; anchor, relative pose, torque scale.
static void update_equalities(const update *u) {
  for (int64_t i = 0; i < u->m->neq; i++) {
    const double *now = u->m->eq_data + 11 * i;
    sn_equality_def *def = DEF(u, equality, i);
    if (!differs(now, u->fresh->eq_data + 11 * i, 11)) {
      continue;
    }
    if (def->type == SN_EQUALITY_CONNECT) {
      sn_copy3(def->anchor, now);
    } else if (def->type == SN_EQUALITY_WELD) {
      sn_copy3(def->anchor, now);
      memcpy(def->relpose, now + 3, sizeof def->relpose);
      def->torquescale = now[10];
    } else {
      memcpy(def->polycoef, now, sizeof def->polycoef);
    }
  }
}

static void update_springs(const update *u) {
  for (int64_t i = 0; i < u->m->ntendon; i++) {
    const double *low = u->m->tendon_lengthspring + i, *high = u->m->tendon_lengthspring1 + i;
    if (differs(low, u->fresh->tendon_lengthspring + i, 1) ||
        differs(high, u->fresh->tendon_lengthspring1 + i, 1)) {
      SN_SET(DEF(u, tendon, i)->springlength, *low, *high);
    }
  }
}

static int all_zero(const double *p, int n) {
  int zero = 1;
  for (int i = 0; i < n; i++) {
    zero &= p[i] == 0;
  }
  return zero;
}

// Are the parameters those that a servo with a proportional gain and damping has, and no others?
static int is_servo(const sn_actuator_def *d) {
  return d->biasprm[0] == 0 && d->biasprm[1] == -d->gainprm[0] &&
         all_zero(d->gainprm + 1, SN_NACTPRM - 1) && all_zero(d->biasprm + 3, SN_NACTPRM - 3) &&
         all_zero(d->dynprm + 1, SN_NACTPRM - 1);
}

// What was edited is not to be computed again. What goes with servos only becomes the numbers that
// were found, when an edit makes something else of one.
static void update_servos(const update *u) {
  const sn_model *m = u->m, *f = u->fresh;
  for (int64_t i = 0; i < m->nu; i++) {
    sn_actuator_def *def = DEF(u, actuator, i);
    const int64_t adr = SN_NACTPRM * i;
    const double *ctrlrange = m->actuator_ctrlrange + 2 * i;
    const double *actrange = m->actuator_actrange + 2 * i;
    const int damped = differs(m->actuator_gainprm + adr, f->actuator_gainprm + adr, SN_NACTPRM) ||
                       differs(m->actuator_biasprm + adr, f->actuator_biasprm + adr, SN_NACTPRM);
    const int acts = differs(actrange, f->actuator_actrange + 2 * i, 2);
    const int driven = differs(m->actuator_dynprm + adr, f->actuator_dynprm + adr, SN_NACTPRM);
    const int lost = acts || ((damped || driven) && !is_servo(def));
    if (def->dampratio != 0 && (damped || lost)) {
      def->dampratio = 0;
      def->biasprm[2] = m->actuator_biasprm[adr + 2];
    }
    if (def->inheritctrl != 0 && (lost || differs(ctrlrange, f->actuator_ctrlrange + 2 * i, 2))) {
      def->inheritctrl = 0;
      memcpy(def->ctrlrange, ctrlrange, sizeof def->ctrlrange);
    }
    if (def->inheritact != 0 && lost) {
      def->inheritact = 0;
      memcpy(def->actrange, actrange, sizeof def->actrange);
    }
  }
}

// ------------------------------------------------------------------ the whole

// The same sizes and names: nothing else can be compared.
static sn_status check_same(const update *u) {
  const char *name;
  int64_t now, was;
  for (int64_t i = 0; sn_size_at(u->m, i, &name, &now); i++) {
    was = sn_size(u->fresh, name);
    if (now != was) {
      return si_fail(u->error, SN_EINVAL,
                     "the model was not compiled from this spec: its %s is %lld, that of the spec "
                     "%lld",
                     name, (long long)now, (long long)was);
    }
  }
  if (u->m->nnames > 0 && memcmp(u->m->names, u->fresh->names, (size_t)u->m->nnames) != 0) {
    return si_fail(u->error, SN_EINVAL,
                   "the model was not compiled from this spec: the names "
                   "differ");
  }
  if (u->m->nbody != u->spec->list[SI_ELEMENT_body].n ||
      u->m->ngeom != u->spec->list[SI_ELEMENT_geom].n) {
    return si_fail(
        u->error, SN_EUNSUPPORTED,
        "fusestatic or discardvisual removed bodies or geoms of this model; its edits cannot "
        "be copied back");
  }
  return SN_OK;
}

static void update_settings(const update *u) {
#define SETTING(member, kind)                                               \
  if (memcmp(&u->m->member, &u->fresh->member, sizeof u->m->member) != 0) { \
    u->spec->kind = u->m->member;                                           \
  }
  // NOLINTBEGIN(bugprone-suspicious-memory-comparison): to the bit, and without padding
  SETTING(opt, option)
  SETTING(stat, statistic)
  SETTING(vis, visual)
  // NOLINTEND(bugprone-suspicious-memory-comparison)
#undef SETTING
}

static sn_status update_all(update *u) {
  if (u->spec->compiler.global) {
    return si_fail(u->error, SN_EUNSUPPORTED,
                   "the local coordinates of a model cannot be copied back to a spec in global "
                   "coordinates");
  }
  SN_TRY(check_same(u));
  SN_TRY(si_model_validate(u->m, NULL, u->error));   // programs write into its arrays
  SN_TRY(check_meshes(u));
  update_sizes(u);
  update_fluid(u);
  update_members(u);
  update_frames(u);
  update_inertia(u);
  update_joints(u);
  update_equalities(u);
  update_springs(u);
  update_servos(u);
  update_settings(u);
  return si_spec_update_lists(u);
}

// Each keeps the builder that points to it.
static void exchange(sn_spec *a, sn_spec *b) {
  const sn_spec spec = *a;
  *a = *b;
  *b = spec;
  b->builder = a->builder;
  a->builder = spec.builder;
}

// Edits the copy in u->spec, and looks whether it compiles to the edited numbers.
static sn_status update_copy(update *u) {
  SN_TRY(update_all(u));
  if (!si_update_edited(u)) {
    return SN_OK;
  }
  sn_model *again = sn_compile(u->spec, u->error);
  if (!again) {
    return sn_error_code(u->error);
  }
  sn_status status = si_spec_update_check(u, again);
  sn_model_free(again);
  return status;
}

sn_status sn_spec_update(sn_spec *spec, const sn_model *model, sn_error *error) {
  update u = { .m = model, .error = error };
  u.fresh = si_compile_numbered(spec, u.number, error);
  u.spec = u.fresh ? sn_spec_copy(spec, error) : NULL;
  sn_status status = u.spec ? update_copy(&u) : sn_error_code(error);
  if (u.spec && status >= 0) {
    exchange(spec, u.spec);
  }
  sn_spec_free(u.spec);
  si_numbering_free(u.number);
  sn_model_free(u.fresh);
  return status < 0 ? status : u.spec ? SN_OK : SN_ECOMPILE;
}
