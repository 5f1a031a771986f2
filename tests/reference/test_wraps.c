// SPDX-License-Identifier: Apache-2.0
//
// Tendons around and inside spheres and cylinders side by side with the reference engine, in random
// places: length, and by their velocity the lines along which they pull.

#include "reference/pair.h"
#include "suite.h"

static uint64_t state;

static double uniform(double low, double high) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * ((double)(state >> 11) / 9007199254740992.0);
}

static int pick(int n) {
  return (int)uniform(0, n);
}

enum { NPOINTS = 6, NSHAPES = 6, NTENDONS = 30, NSTATES = 60 };

static void place(FILE *f, double reach) {
  fprintf(f, " pos='%g %g %g'", uniform(-reach, reach), uniform(-reach, reach),
          uniform(-reach, reach));
}

// Points that move freely, shapes that turn, with a site inside and one outside.
static void write_bodies(FILE *f) {
  for (int i = 0; i < NPOINTS; i++) {
    fprintf(f, "<body");
    place(f, .3);
    fprintf(f, "><freejoint/><geom size='.1' mass='1'/><site name='s%d'/></body>", i);
  }
  for (int i = 0; i < NSHAPES; i++) {
    fprintf(f, "<body euler='%g %g %g'", uniform(-3, 3), uniform(-3, 3), uniform(-3, 3));
    place(f, .2);
    fprintf(f, "><geom name='g%d' type='%s' size='%g .2' mass='1'/><joint axis='1 1 0'/>", i,
            pick(2) ? "sphere" : "cylinder", uniform(.02, .15));
    fprintf(f, "<site name='i%d'", i);
    place(f, .02);
    fprintf(f, "/><site name='o%d'", i);
    place(f, .3);
    fprintf(f, "/></body>");
  }
}

static void write_tendons(FILE *f) {
  for (int i = 0; i < NTENDONS; i++) {
    int shape = pick(NSHAPES), from = pick(NPOINTS), to = (from + 1 + pick(NPOINTS - 1)) % NPOINTS;
    int side = pick(3);
    char name[32] = "";
    if (side) {
      snprintf(name, sizeof name, "sidesite='%c%d'", side == 1 ? 'i' : 'o', shape);
    }
    fprintf(f, "<spatial><site site='s%d'/><geom geom='g%d' %s/><site site='s%d'/></spatial>", from,
            shape, name, to);
  }
}

static char *write_model(void) {
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  fprintf(f, "<mujoco><compiler angle='radian'/><default><geom contype='0' conaffinity='0'/>"
             "</default><worldbody>");
  write_bodies(f);
  fprintf(f, "</worldbody><tendon>");
  write_tendons(f);
  fprintf(f, "</tendon></mujoco>");
  fclose(f);
  return text;
}

START_TEST(wraps_agree) {
  int shorter = 0;
  state = 1 + (uint64_t)_i;
  char *text = write_model();
  pair p;
  open_text(&p, text);
  for (int k = 0; k < NSTATES; k++) {
    for (int i = 0; i < p.m->nq; i++) {
      p.d->qpos[i] = p.m->qpos0[i] + uniform(-.2, .2);
    }
    for (int i = 0; i < p.m->nv; i++) {
      p.d->qvel[i] = uniform(-1, 1);
    }
    follow(&p);
    mj_forward(p.m, p.d);
    ck_assert_int_eq(sn_forward(p.model, p.data), SN_OK);
    for (int i = 0; i < NTENDONS; i++) {
      double off = snd_ten_length(p.data)[i] - p.d->ten_length[i];
      // the reference seldom gives up inside a shape, and takes a longer way
      if (off < -1e-9) {
        shorter++;
        continue;
      }
      ck_assert_msg(off < 1e-9, "state %d, tendon %d: longer by %g", k, i, off);
      double slip = snd_ten_velocity(p.data)[i] - p.d->ten_velocity[i];
      ck_assert_msg(fabs(slip) < 1e-9, "state %d, tendon %d: velocity differs by %g", k, i, slip);
    }
  }
  ck_assert_int_le(shorter, 2);
  close_pair(&p);
  free(text);
}
END_TEST

TESTS() {
  EACH(wraps_agree, 0, 20);
}
