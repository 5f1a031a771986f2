// SPDX-License-Identifier: Apache-2.0
//
// Each scene is a function that writes MJCF with n objects. Sizes are in meters; where objects
// would start in exact symmetry they are turned or shifted a little, by a fixed sequence.

#include "crowds.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

// A fixed sequence in [-1, 1).
static double shift(int i) {
  const double x = 0.618033988749895 * (i + 1);
  return 2 * (x - floor(x)) - 1;
}

// contacts: how many the reference engine has room for, with four rows each.
static void open_scene(FILE *f, const char *option, int contacts) {
  fprintf(f,
          "<mujoco><option %s/><size nconmax='%d' njmax='%d'/><worldbody>"
          "<geom type='plane' size='0 0 1'/>\n",
          option, contacts, 4 * contacts);
}

static void close_scene(FILE *f) {
  fputs("</worldbody></mujoco>\n", f);
}

static void free_geom(FILE *f, const double *pos, const double *euler, const char *geom) {
  fprintf(f, "<body pos='%g %g %g' euler='%g %g %g'><freejoint/><geom %s/></body>\n", pos[0],
          pos[1], pos[2], euler[0], euler[1], euler[2], geom);
}

static const double upright[3] = { 0, 0, 0 };

// Four-legged robots that stand and sway, 2 m apart.
static void write_robots(FILE *f, int n) {
  const int side = (int)ceil(sqrt(n));
  open_scene(f, "timestep='0.005'", 20 * n);
  for (int i = 0; i < n; i++) {
    fprintf(f, "<body pos='%g %g 0.62'><freejoint/><geom type='box' size='0.3 0.15 0.08'/>\n",
            2. * (i % side), 2. * (i / side));
    for (int leg = 0; leg < 4; leg++) {
      fprintf(f,
              "<body pos='%g %g 0'><joint axis='0 1 0' range='-40 40' limited='true' damping='1' "
              "stiffness='60'/><joint axis='1 0 0' range='-20 20' limited='true' damping='1' "
              "stiffness='60'/><geom type='capsule' size='0.04' fromto='0 0 0 0 0 -0.3'/>"
              "<body pos='0 0 -0.3'><joint axis='0 1 0' damping='1' stiffness='60'/>"
              "<geom type='capsule' size='0.03' fromto='0 0 0 %g 0 -0.3'/></body></body>\n",
              leg < 2 ? 0.25 : -0.25, leg % 2 ? 0.15 : -0.15, 0.01 * shift(4 * i + leg));
    }
    fputs("</body>\n", f);
  }
  close_scene(f);
}

// Boxes that fall into a bowl of 16 walls.
static void write_bowl(FILE *f, int n) {
  open_scene(f, "timestep='0.005'", 8 * n);
  for (int k = 0; k < 16; k++) {
    const double turn = 2 * pi * k / 16;
    fprintf(f, "<geom type='box' size='0.02 0.25 0.4' pos='%g %g 0.25' euler='0 %g %g'/>\n",
            0.9 * cos(turn), 0.9 * sin(turn), 30., 180 * turn / pi);
  }
  for (int i = 0; i < n; i++) {
    const double pos[3] = { 0.16 * (i % 4 - 1.5), 0.16 * (i / 4 % 4 - 1.5), 0.2 + 0.13 * (i / 16) };
    const double euler[3] = { 20 * shift(i), 20 * shift(2 * i + 1), 90 * shift(3 * i + 2) };
    free_geom(f, pos, euler, "type='box' size='0.06 0.05 0.04'");
  }
  close_scene(f);
}

// A row of dominoes, the first of which falls.
static void write_dominoes(FILE *f, int n) {
  open_scene(f, "timestep='0.005'", 4 * n);
  for (int i = 0; i < n; i++) {
    const double pos[3] = { 0.06 * i - (i ? 0 : 0.01), 0, 0.1 + (i ? 0 : 0.003) };
    const double euler[3] = { 0, i ? 0 : 15, 0 };
    free_geom(f, pos, euler, "type='box' size='0.01 0.05 0.1'");
  }
  close_scene(f);
}

// Cards that lie crosswise on each other, in piles of ten.
static void write_cards(FILE *f, int n) {
  open_scene(f, "timestep='0.002'", 12 * n);
  for (int i = 0; i < n; i++) {
    const double pos[3] = { 0.3 * (i / 10), 0.002 * shift(i), 0.0021 + 0.0041 * (i % 10) };
    const double euler[3] = { 0, 0, i % 2 ? 90 + shift(i) : shift(i) };
    free_geom(f, pos, euler, "type='box' size='0.1 0.06 0.002'");
  }
  close_scene(f);
}

// Newton's cradle: balls on rods.
static void write_cradle(FILE *f, int n) {
  open_scene(f, "timestep='0.001'", 100);
  for (int i = 0; i < n; i++) {
    fprintf(
        f,
        "<body pos='%g 0 1' euler='0 %g 0'><joint axis='0 1 0'/><geom type='capsule' size='0.004' "
        "fromto='0 0 0 0 0 -0.45' contype='0' conaffinity='0' mass='0.001'/><geom size='0.05' "
        "pos='0 0 -0.5' solref='-40000 0' friction='0' condim='1'/></body>\n",
        0.1 * i, i ? 0. : 40.);
  }
  close_scene(f);
}

// Flat ellipsoids that sink through air.
static void write_leaves(FILE *f, int n) {
  open_scene(f, "timestep='0.005' density='1.2' viscosity='2e-5'", 2 * n + 100);
  for (int i = 0; i < n; i++) {
    const double pos[3] = { 0.15 * (i % 10), 0.15 * (i / 10 % 10), 1 + 0.15 * (i / 100) };
    const double euler[3] = { 90 * shift(7 * i), 90 * shift(2 * i), 90 * shift(4 * i) };
    free_geom(f, pos, euler,
              "type='ellipsoid' size='0.05 0.03 0.002' density='300' fluidshape='ellipsoid'");
  }
  close_scene(f);
}

// Gates of three stones in a ring.
static void write_stonehenge(FILE *f, int n) {
  open_scene(f, "timestep='0.005'", 30 * n);
  for (int i = 0; i < n; i++) {
    const double turn = 2 * pi * i / n, out = n / 3.;
    const double euler[3] = { 0, 0, 180 * turn / pi };
    for (int k = -1; k <= 1; k++) {
      const double along = 0.6 * k, height = k ? 1. : 2.2;
      const double pos[3] = { out * cos(turn) - along * sin(turn),
                              out * sin(turn) + along * cos(turn), height };
      free_geom(f, pos, euler,
                k ? "type='box' size='0.25 0.25 1'" : "type='box' size='0.25 1 0.2'");
    }
  }
  close_scene(f);
}

static void write_pile(FILE *f, int n, const char *option) {
  open_scene(f, option, 8 * n);
  for (int k = 0; k < 4; k++) {
    fprintf(f, "<geom type='box' size='0.02 0.5 1' pos='%g %g 1' euler='0 0 %d'/>\n",
            k % 2   ? 0.
            : k - 1 ? 0.45
                    : -0.45,
            k % 2 ? k - 2 ? 0.45 : -0.45 : 0., 90 * (k % 2));
  }
  for (int i = 0; i < n; i++) {
    const double pos[3] = { 0.11 * (i % 7 - 3) + 0.003 * shift(i),
                            0.11 * (i / 7 % 7 - 3) + 0.003 * shift(2 * i), 0.06 + 0.11 * (i / 49) };
    free_geom(f, pos, upright, "size='0.05'");
  }
  close_scene(f);
}

static void write_pile_newton(FILE *f, int n) {
  write_pile(f, n, "timestep='0.005' cone='elliptic'");
}

static void write_pile_cg(FILE *f, int n) {
  write_pile(f, n, "timestep='0.005' solver='CG'");
}

static void write_pile_pgs(FILE *f, int n) {
  write_pile(f, n, "timestep='0.005' solver='PGS' cone='elliptic'");
}

// Ten balls above a floor of many fixed boxes.
static void write_static(FILE *f, int n) {
  const int side = (int)ceil(sqrt(n));
  open_scene(f, "timestep='0.005'", 500);
  for (int i = 0; i < n; i++) {
    fprintf(f, "<geom type='box' size='0.1 0.1 0.1' pos='%g %g %g'/>\n",
            0.21 * (i % side - side / 2), 0.21 * (i / side - side / 2), 0.1 + 0.02 * shift(i));
  }
  for (int i = 0; i < 10; i++) {
    const double pos[3] = { 0.3 * (i - 5), 0.1 * shift(i), 0.4 };
    free_geom(f, pos, upright, "size='0.07'");
  }
  close_scene(f);
}

const crowd crowds[] = {
  { "robots", "100 four-legged robots stand", write_robots, 100, 100, 16 },
  { "bowl", "320 boxes in a bowl", write_bowl, 320, 300, 16 },
  { "dominoes", "600 dominoes, the first falls", write_dominoes, 600, 20, 16 },
  { "cards", "60 cards in six piles", write_cards, 60, 100, 80 },
  { "cradle", "Newton's cradle of 7 balls", write_cradle, 7, 0, 4000 },
  { "leaves", "300 leaves sink through air", write_leaves, 300, 0, 40 },
  { "stonehenge", "25 gates of three stones", write_stonehenge, 25, 20, 80 },
  { "pile_newton", "300 balls in a box, Newton", write_pile_newton, 300, 200, 16 },
  { "pile_cg", "300 balls in a box, CG", write_pile_cg, 300, 200, 16 },
  { "pile_pgs", "216 balls in a box, PGS", write_pile_pgs, 216, 200, 16 },
  { "static", "10 balls on 2,000 fixed boxes", write_static, 2000, 0, 240 },
};
const int ncrowd = sizeof crowds / sizeof crowds[0];

int crowd_write(const crowd *c, char *path) {
  snprintf(path, 64, "/tmp/sinew-bench-XXXXXX.xml");
  const int descriptor = mkstemps(path, 4);
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  if (!file) {
    if (descriptor >= 0) {
      close(descriptor);
    }
    return 0;
  }
  c->write(file, c->n);
  return fclose(file) == 0;
}
