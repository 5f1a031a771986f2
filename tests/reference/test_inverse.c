// SPDX-License-Identifier: Apache-2.0
//
// Inverse dynamics on the scenes of scenes.h, both cones: at any acceleration it is that of the
// reference, and the flag fwdinv sees whether a solver converged. That it gives back what was
// applied is in step/test_scene_laws.c.

#include "reference/pair.h"
#include "scenes.h"
#include "suite.h"

static const char rows[] = SAMPLE("rows");
enum { NCASES = 2 * (NSCENES + 1) };

// Opens scene i / 2 with cone i % 2 away from rest; false when it cannot be loaded yet.
static int open_case(pair *p, int i, const char **name) {
  const scene *s = i / 2 < NSCENES ? &scenes[i / 2] : NULL;
  *name = s ? s->name : "rows";
  if (!open_pair(p, s ? s->path : rows)) {
    ck_assert(s && !(s->flags & SCENE_REQUIRED));
    return 0;
  }
  set_ours(p, "cone", i % 2 ? "elliptic" : "pyramidal");
  p->m->opt.cone = i % 2 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  if (s && s->key >= 0) {
    mj_resetDataKeyframe(p->m, p->d, s->key);
  }
  // to where there are contacts, when there ever are
  for (int k = 0; k < 120; k++) {
    move_controls(p->m, p->d->ctrl, k);
    mj_step(p->m, p->d);
  }
  for (int k = 0; k < p->m->nv; k++) {
    p->d->qfrc_applied[k] = 0.1 * sin(k);
  }
  for (int k = 6; k < 6 * p->m->nbody; k++) {
    p->d->xfrc_applied[k] = 0.05 * cos(k);
  }
  converge(p);
  follow(p);
  return 1;
}

// How far the contacts are apart: where general convex shapes touch is found by iteration.
static double contacts_apart(const pair *p) {
  double off = 0;
  for (int i = 0; i < p->d->ncon; i++) {
    const mjContact *c = &p->d->contact[i];
    off = fmax(off, fabs(snd_contact_dist(p->data)[i] - c->dist));
    off = fmax(off, difference(snd_contact_pos(p->data) + 3 * i, c->pos, 3));
    off = fmax(off, difference(snd_contact_frame(p->data) + 9 * i, c->frame, 9));
  }
  return off;
}

START_TEST(inverse_is_that_of_the_reference) {
  pair p;
  const char *name;
  if (open_case(&p, _i, &name)) {
    mj_forward(p.m, p.d);
    for (int i = 0; i < p.m->nv; i++) {
      p.d->qacc[i] += 2 * sin(3 * i + 1);
    }
    memcpy(snd_qacc(p.data), p.d->qacc, (size_t)p.m->nv * sizeof(double));
    mj_inverse(p.m, p.d);
    ck_assert_int_eq(sn_inverse(p.model, p.data), SN_OK);
    if (snd_ncon(p.data) == p.d->ncon && snd_nefc(p.data) == p.d->nefc) {
      double scale = fmax(1, largest(p.d->qfrc_constraint, p.m->nv));
      double off = difference(snd_qfrc_inverse(p.data), p.d->qfrc_inverse, p.m->nv);
      double allowed = 1e-8 + 100 * contacts_apart(&p);
      ck_assert_msg(off <= allowed * scale, "%s: off by %g, forces are up to %g", name, off, scale);
    }
  }
  close_pair(&p);
}
END_TEST

// The flag fwdinv compares forward and inverse in every step.
START_TEST(fwdinv_flag_compares) {
  pair p;
  const char *name;
  // with one of the cones
  if (open_case(&p, 2 * _i + _i % 2, &name)) {
    set_ours(&p, "fwdinv", "enable");
    sn_data *d = p.data;
    for (int k = 0; k < 3; k++) {
      snd_solver_fwdinv(d)[0] = snd_solver_fwdinv(d)[1] = -1;
      ck_assert_int_eq(sn_step(p.model, d), SN_OK);
      double scale = 1;
      for (int i = 0; i < p.m->nv; i++) {
        scale += fabs(snd_qfrc_constraint(d)[i]);
      }
      for (int i = 0; i < 2; i++) {
        double x = snd_solver_fwdinv(d)[i];
        ck_assert_msg(x >= 0 && x <= 1e-8 * scale, "%s: %g, forces sum to %g", name, x, scale);
      }
    }
    // a solver that stops early is seen
    set_ours(&p, "iterations", "1");
    set_ours(&p, "warmstart", "disable");
    set_ours(&p, "solver", "cg");
    if (snd_ncon(d) > 3) {
      ck_assert_int_eq(sn_step(p.model, d), SN_OK);
      ck_assert_double_gt(snd_solver_fwdinv(d)[0] + snd_solver_fwdinv(d)[1], 1e-7);
    }
  }
  close_pair(&p);
}
END_TEST

TESTS() {
  EACH(inverse_is_that_of_the_reference, 0, NCASES);
  EACH(fwdinv_flag_compares, 0, NCASES / 2);
}
