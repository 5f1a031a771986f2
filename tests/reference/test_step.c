// SPDX-License-Identifier: Apache-2.0
//
// Sinew against the reference engine, in one process, on the scenes of scenes.h: the quantities of
// the forward dynamics at a state, and the trajectory over some steps.
//
// Both solve the constraint problem to the end (Newton's method, tolerance 0), so that what is
// compared does not depend on when a solver stops. Two correct engines still drift apart, as fast
// as the motion is unstable. That speed is measured: the reference runs again from a velocity that
// is changed by 1e-13, and the difference of the engines may reach a multiple of what comes of it.

#include "reference/pair.h"
#include "scenes.h"
#include "suite.h"

enum { STEPS = 100, NCHECKPOINTS = 7 };
static const int checkpoints[NCHECKPOINTS] = { 1, 2, 5, 10, 20, 50, STEPS };
static const double forward_tolerance = 1e-9;   // relative to the largest number of an array
static const double solved_tolerance = 1e-6;    // the same, for what the solver found
static const double rounding = 1e-11;           // of a trajectory, relative
static const double perturbation = 1e-13;
static const double drift_factor = 1e3;   // allowed drift, in drifts of the perturbed run
static const double chaotic = 1e-2;       // a larger allowance judges nothing

// ------------------------------------------------------------------ setting up

// Both at the start of the scene, solving to the end. False when the scene is not required and
// uses what is not built.
static int open_scene(pair *p, const scene *s) {
  if (!open_pair(p, s->path)) {
    ck_assert(!(s->flags & SCENE_REQUIRED));
    return 0;
  }
  converge(p);
  p->m->opt.enableflags |= mjENBL_ENERGY;
  // ranges of lengths are found by simulation, each engine's own: what follows starts from one
  for (int i = 0; i < 2 * p->m->nu; i++) {
    double ours = snm_actuator_lengthrange(p->model)[i], theirs = p->m->actuator_lengthrange[i];
    ck_assert_msg(fabs(ours - theirs) <= 1e-6 * fmax(1, fabs(theirs)),
                  "%s: actuator_lengthrange[%d] is %g instead of %g", s->name, i, ours, theirs);
    p->m->actuator_lengthrange[i] = ours;
  }
  if (s->key >= 0) {
    ck_assert_int_eq(sn_reset_key(p->model, p->data, s->key), SN_OK);
    mj_resetDataKeyframe(p->m, p->d, s->key);
  }
  return 1;
}

// ------------------------------------------------------------------ comparing

static void check_inertia(const scene *s, pair *p) {
  int64_t nv = snm_nv(p->model);
  double *ours = calloc((size_t)(nv * nv) + 1, sizeof *ours);
  double *theirs = calloc((size_t)(nv * nv) + 1, sizeof *theirs);
  sn_full_inertia(p->model, p->data, ours);
  mj_fullM(p->m, theirs, p->d->qM);
  same_array(s->name, "qM", ours, theirs, nv * nv, forward_tolerance);
  free(ours);
  free(theirs);
}

// ------------------------------------------------------------------ tests

START_TEST(forward) {
  const scene *s = &scenes[_i];
  pair p;
  if (open_scene(&p, s)) {
    sn_data *a = p.data;
    mjData *b = p.d;
    int64_t nbody = p.m->nbody, nv = p.m->nv;
    const double tolerance = forward_tolerance;
    stir(&p, 0.03, 0.2);
    ck_assert_int_ge(sn_forward(p.model, a), 0);
    ck_assert_int_ge(sn_compute_energy(p.model, a), 0);
    mj_forward(p.m, b);

    same_array(s->name, "xpos", snd_xpos(a), b->xpos, 3 * nbody, tolerance);
    same_array(s->name, "xmat", snd_xmat(a), b->xmat, 9 * nbody, tolerance);
    same_array(s->name, "xipos", snd_xipos(a), b->xipos, 3 * nbody, tolerance);
    same_array(s->name, "geom_xpos", snd_geom_xpos(a), b->geom_xpos, 3 * p.m->ngeom, tolerance);
    same_array(s->name, "geom_xmat", snd_geom_xmat(a), b->geom_xmat, 9 * p.m->ngeom, tolerance);
    same_array(s->name, "subtree_com", snd_subtree_com(a), b->subtree_com, 3 * nbody, tolerance);
    check_inertia(s, &p);
    same_array(s->name, "cvel", snd_cvel(a), b->cvel, 6 * nbody, tolerance);
    same_array(s->name, "qfrc_bias", snd_qfrc_bias(a), b->qfrc_bias, nv, tolerance);
    same_array(s->name, "qfrc_passive", snd_qfrc_passive(a), b->qfrc_passive, nv, tolerance);
    same_array(s->name, "qfrc_actuator", snd_qfrc_actuator(a), b->qfrc_actuator, nv, tolerance);
    same_array(s->name, "qacc_smooth", snd_qacc_smooth(a), b->qacc_smooth, nv, solved_tolerance);
    same_array(s->name, "energy", snd_energy(a), b->energy, 2, tolerance);
    ck_assert_msg(snd_ncon(a) == b->ncon, "%s: %lld contacts instead of %d", s->name,
                  (long long)snd_ncon(a), b->ncon);
    ck_assert_msg(snd_nefc(a) == b->nefc, "%s: %lld rows instead of %d", s->name,
                  (long long)snd_nefc(a), b->nefc);
    same_array(s->name, "qacc", snd_qacc(a), b->qacc, nv, solved_tolerance);
    same_array(s->name, "qfrc_constraint", snd_qfrc_constraint(a), b->qfrc_constraint, nv,
               solved_tolerance);
    if (p.m->nsensordata) {
      same_array(s->name, "sensordata", snd_sensordata(a), b->sensordata, p.m->nsensordata,
                 solved_tolerance);
    }
  }
  close_pair(&p);
}
END_TEST

// compares the states; false when the motion is too unstable to say anything
static int check_states(const scene *s, const pair *p, const mjData *perturbed, int step) {
  const mjModel *m = p->m;
  const struct {
    const char *name;
    const double *ours, *theirs, *perturbed;
    int64_t n;
  } parts[] = {
    { "qpos", snd_qpos(p->data), p->d->qpos, perturbed->qpos, m->nq },
    { "qvel", snd_qvel(p->data), p->d->qvel, perturbed->qvel, m->nv },
  };
  for (int i = 0; i < 2; i++) {
    double scale = fmax(1, largest(parts[i].theirs, parts[i].n));
    double drift = difference(parts[i].theirs, parts[i].perturbed, parts[i].n);
    double allowed = rounding * scale + drift_factor * drift;
    double off = difference(parts[i].ours, parts[i].theirs, parts[i].n);
    if (!(allowed < chaotic * scale)) {
      return 0;
    }
    ck_assert_msg(off <= allowed, "%s: after step %d %s differs by %g, %g is allowed", s->name,
                  step, parts[i].name, off, allowed);
  }
  return 1;
}

START_TEST(trajectory) {
  const scene *s = &scenes[_i];
  pair p;
  if (open_scene(&p, s)) {
    int next = 0, judged = 0;
    mjData *perturbed = mj_copyData(NULL, p.m, p.d);
    for (int i = 0; i < p.m->nv; i++) {
      perturbed->qvel[i] += i % 2 ? perturbation : -perturbation;
    }
    for (int step = 1; step <= STEPS && next >= 0; step++) {
      move_controls(p.m, snd_ctrl(p.data), step);
      move_controls(p.m, p.d->ctrl, step);
      move_controls(p.m, perturbed->ctrl, step);
      ck_assert_int_ge(sn_step(p.model, p.data), 0);
      mj_step(p.m, p.d);
      mj_step(p.m, perturbed);
      if (step == checkpoints[next]) {
        int calm = check_states(s, &p, perturbed, step);
        judged += calm;
        next = calm && next + 1 < NCHECKPOINTS ? next + 1 : -1;
      }
    }
    // some scenes of the reference are chaotic from the start
    int least = s->flags & SCENE_REQUIRED ? 3 : 1;
    ck_assert_msg(judged >= least, "%s: only %d checkpoints say anything", s->name, judged);
    ck_assert_double_eq_tol(snd_time(p.data)[0], p.d->time, 1e-12);
    mj_deleteData(perturbed);
  }
  close_pair(&p);
}
END_TEST

TESTS() {
  EACH(forward, 0, NSCENES);
  EACH(trajectory, 0, NSCENES);
}
