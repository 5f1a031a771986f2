// SPDX-License-Identifier: Apache-2.0
//
// Keyframes of a spec that is edited. A layout says where the numbers of each element stand;
// numbers move from the layout before to the layout after.

#include "spec/keyframe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/math.h"

static const int32_t kinds[SI_NKEYPARTS] = { SI_ELEMENT_joint,    SI_ELEMENT_joint,
                                             SI_ELEMENT_actuator, SI_ELEMENT_actuator,
                                             SI_ELEMENT_body,     SI_ELEMENT_body };
static const size_t members[SI_NKEYPARTS] = {
  offsetof(sn_key_def, qpos), offsetof(sn_key_def, qvel), offsetof(sn_key_def, act),
  offsetof(sn_key_def, ctrl), offsetof(sn_key_def, mpos), offsetof(sn_key_def, mquat)
};

// ------------------------------------------------------------------ layouts

static int32_t count_of(int32_t part, const void *def) {
  const sn_joint_def *joint = def;
  const sn_actuator_def *actuator = def;
  const sn_body_def *body = def;
  if (kinds[part] == SI_ELEMENT_joint) {
    if (joint->type < 0 || joint->type >= SN_NJOINTTYPES) {
      return 0;
    }
    return part == SI_KEY_qpos ? sn_joint_positions(joint->type) : sn_joint_dofs(joint->type);
  }
  if (part == SI_KEY_act) {
    return actuator->dyntype && strcmp(actuator->dyntype, "none") != 0;
  }
  return part == SI_KEY_ctrl ? 1 : !body->mocap ? 0 : part == SI_KEY_mpos ? 3 : 4;
}

sn_status si_key_layout_make(sn_spec *spec, si_key_layout *layout, sn_error *error) {
  memset(layout, 0, sizeof *layout);
  si_numbering number[SI_NELEMENTS] = { 0 };
  sn_status status = si_spec_number(spec, number, error);
  for (int32_t k = 0; k < SI_NKEYPARTS && status >= 0; k++) {
    si_key_part *part = &layout->part[k];
    const si_elements *list = &spec->list[kinds[k]];
    part->n = list->n;
    part->adr = calloc((size_t)list->n + 1, sizeof(int32_t));
    part->count = calloc((size_t)list->n + 1, sizeof(int32_t));
    if (!part->adr || !part->count) {
      status = si_fail(error, SN_ENOMEM, "out of memory while editing the spec");
      break;
    }
    for (int64_t i = 0; i < list->n; i++) {
      int32_t id = number[kinds[k]].spec[i];
      part->adr[id] = (int32_t)part->total;
      part->count[id] = count_of(k, list->at[id].def);
      part->total += part->count[id];
    }
  }
  si_numbering_free(number);
  if (status < 0) {
    si_key_layout_free(layout);
  }
  return status;
}

void si_key_layout_free(si_key_layout *layout) {
  for (int32_t k = 0; k < SI_NKEYPARTS; k++) {
    free(layout->part[k].adr);
    free(layout->part[k].count);
  }
  memset(layout, 0, sizeof *layout);
}

// ------------------------------------------------------------------ numbers of a reset

static void body_frame(const sn_spec *spec, int32_t id, double *pos, double *quat) {
  const sn_body_def *body = spec->list[SI_ELEMENT_body].at[id].def;
  sn_copy3(pos, body->pos);
  if (isnan(pos[0])) {
    sn_zero3(pos);
  }
  if (si_orient_quat(&body->orient, &spec->compiler, quat)) {
    sn_identity_quat(quat);   // the compiler will say what is wrong with it
  }
}

static void fill_reset(const sn_spec *spec, int32_t part, int32_t id, double *out) {
  double pos[3], quat[4];
  if (kinds[part] == SI_ELEMENT_body) {
    body_frame(spec, id, pos, quat);
    memcpy(out, part == SI_KEY_mpos ? pos : quat, part == SI_KEY_mpos ? sizeof pos : sizeof quat);
  } else if (part == SI_KEY_qpos) {
    const sn_joint_def *joint = spec->list[SI_ELEMENT_joint].at[id].def;
    int turns = joint->type == SN_JOINT_HINGE && spec->compiler.degree;
    if (joint->type == SN_JOINT_FREE) {
      body_frame(spec, joint->body, out, out + 3);
    } else if (joint->type == SN_JOINT_BALL) {
      sn_identity_quat(out);
    } else {
      out[0] = joint->ref * (turns ? SN_PI / 180 : 1);
    }
  }
}

// ------------------------------------------------------------------ moving

// One array: what it had where it was, resets elsewhere.
static void move_part(const sn_spec *spec, int32_t k, const si_key_part *from,
                      const si_key_part *to, const int32_t *old, const double *in, double *out) {
  for (int32_t id = 0; id < to->n; id++) {
    int32_t was = old ? old[id] : id;
    int kept = was >= 0 && from->count[was] == to->count[id];
    if (to->count[id] > 0 && kept) {
      memcpy(out + to->adr[id], in + from->adr[was], (size_t)to->count[id] * sizeof(double));
    } else if (to->count[id] > 0) {
      fill_reset(spec, k, id, out + to->adr[id]);
    }
  }
}

static sn_status arrange_key(sn_spec *spec, int32_t id, const si_key_layout *before,
                             const si_key_layout *after, int32_t *const *old, sn_error *error) {
  sn_key_def def;
  sn_status status = SN_OK;
  double *made[SI_NKEYPARTS] = { NULL };
  sn_default_key(&def);
  SN_TRY(sn_spec_get_key(spec, id, &def, error));
  for (int32_t k = 0; k < SI_NKEYPARTS && status >= 0; k++) {
    sn_reals *list = (sn_reals *)(void *)((char *)&def + members[k]);
    const si_key_part *from = &before->part[k], *to = &after->part[k];
    if (list->n == 0 || list->n != from->total) {
      continue;
    }
    made[k] = calloc((size_t)to->total + 1, sizeof(double));
    if (!made[k]) {
      status = si_fail(error, SN_ENOMEM, "out of memory while editing the spec");
      break;
    }
    move_part(spec, k, from, to, old[kinds[k]], list->p, made[k]);
    *list = (sn_reals){ made[k], to->total };
  }
  status = status < 0 ? status : sn_spec_set_key(spec, id, &def, error);
  for (int32_t k = 0; k < SI_NKEYPARTS; k++) {
    free(made[k]);
  }
  return status;
}

sn_status si_key_arrange(sn_spec *spec, int64_t begin, int64_t end, const si_key_layout *before,
                         int32_t *const *old, sn_error *error) {
  if (begin >= end) {
    return SN_OK;
  }
  si_key_layout after;
  sn_status status = si_key_layout_make(spec, &after, error);
  for (int64_t i = begin; i < end && status >= 0; i++) {
    status = arrange_key(spec, (int32_t)i, before, &after, old, error);
  }
  si_key_layout_free(&after);
  return status;
}

// ------------------------------------------------------------------ elements that follow

typedef struct si_key_marked {
  si_key_layout layout;
  int64_t nkey;
} si_key_marked;

void si_key_unmark(sn_spec *spec) {
  if (spec->marked) {
    si_key_layout_free(&spec->marked->layout);
    free(spec->marked);
    spec->marked = NULL;
  }
}

sn_status si_key_mark(sn_spec *spec, sn_error *error) {
  const int64_t nkey = spec->list[SI_ELEMENT_key].n;
  si_key_unmark(spec);
  if (nkey == 0) {
    return SN_OK;
  }
  spec->marked = calloc(1, sizeof *spec->marked);
  if (!spec->marked) {
    return si_fail(error, SN_ENOMEM, "out of memory while editing the spec");
  }
  spec->marked->nkey = nkey;
  return si_key_layout_make(spec, &spec->marked->layout, error);
}

sn_status si_key_complete(sn_spec *spec, sn_error *error) {
  int32_t *old[SI_NELEMENTS] = { NULL };
  sn_status status = SN_OK;
  for (int32_t k = 0; k < SI_NKEYPARTS && spec->marked && status >= 0; k++) {
    const int64_t n = spec->list[kinds[k]].n, before = spec->marked->layout.part[k].n;
    int32_t *was = old[kinds[k]] ? old[kinds[k]] : malloc((size_t)(n + 1) * sizeof *was);
    for (int32_t i = 0; i < n && was; i++) {
      was[i] = i < before ? i : -1;
    }
    old[kinds[k]] = was;
    status = was ? SN_OK : si_fail(error, SN_ENOMEM, "out of memory while editing the spec");
  }
  if (spec->marked && status >= 0) {
    status = si_key_arrange(spec, 0, spec->marked->nkey, &spec->marked->layout, old, error);
  }
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    free(old[kind]);
  }
  return status < 0 ? status : si_key_mark(spec, error);
}

int si_key_incomplete(const sn_spec *spec) {
  for (int32_t k = 0; k < SI_NKEYPARTS && spec->marked; k++) {
    if (spec->list[kinds[k]].n > spec->marked->layout.part[k].n) {
      return 1;
    }
  }
  return 0;
}

sn_status si_key_copy_mark(sn_spec *copy, const sn_spec *spec, sn_error *error) {
  if (!spec->marked) {
    return SN_OK;
  }
  SN_TRY(si_key_mark(copy, error));   // large enough: elements are added, not removed, after a mark
  copy->marked->nkey = spec->marked->nkey;
  for (int32_t k = 0; k < SI_NKEYPARTS; k++) {
    const si_key_part *from = &spec->marked->layout.part[k];
    si_key_part *to = &copy->marked->layout.part[k];
    const size_t size = (size_t)from->n * sizeof(int32_t);
    memcpy(to->adr, from->adr, size);
    memcpy(to->count, from->count, size);
    to->n = from->n;
    to->total = from->total;
  }
  return SN_OK;
}
