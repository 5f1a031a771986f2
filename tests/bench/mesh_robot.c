// SPDX-License-Identifier: Apache-2.0
//
// A robot of meshes as drawings of machines have them: a trunk and four legs of three links, each a
// ribbed housing of 5000 triangles, on a floor with a light above.

#include <math.h>

#include "crowds.h"

enum { UP = 40, AROUND = 64, NMESHES = 3 };
static const double pi = 3.14159265358979323846;

// Half lengths, and how deep the ribs are as a part of them.
static const struct {
  const char *name;
  double half[3], rib;
} meshes[NMESHES] = {
  { "trunk", { 0.3, 0.16, 0.09 }, 0.02 },
  { "joint", { 0.07, 0.07, 0.05 }, 0.06 },
  { "link", { 0.045, 0.045, 0.16 }, 0.04 },
};

// Vertices: row by row around z, then the lower and the upper pole.
static void write_vertices(FILE *f, const double *half, double rib) {
  for (int row = 1; row < UP; row++) {
    const double e = pi * (row / (double)UP - 0.5), r = sqrt(cos(e)), z = sin(e);
    for (int k = 0; k < AROUND; k++) {
      const double a = 2 * pi * k / AROUND, ribbed = r * (1 - rib * (k % 4 < 2));
      fprintf(f, "%.5f %.5f %.5f ", half[0] * ribbed * cos(a), half[1] * ribbed * sin(a),
              half[2] * z);
    }
  }
  fprintf(f, "0 0 %.5f 0 0 %.5f", -half[2], half[2]);
}

static void write_faces(FILE *f) {
  const int rows = UP - 1, low = rows * AROUND, high = low + 1;
  for (int k = 0; k < AROUND; k++) {
    const int next = (k + 1) % AROUND, last = (rows - 1) * AROUND;
    fprintf(f, "%d %d %d %d %d %d ", low, next, k, high, last + k, last + next);
    for (int row = 0; row + 1 < rows; row++) {
      const int a = row * AROUND + k, b = row * AROUND + next;
      fprintf(f, "%d %d %d %d %d %d ", a, b, a + AROUND, b, b + AROUND, a + AROUND);
    }
  }
}

static void write_leg(FILE *f, double x, double y) {
  fprintf(f,
          "<body pos='%g %g 0'><joint axis='1 0 0'/><geom mesh='joint' rgba='.2 .2 .2 1'/>"
          "<body euler='0 25 0'><joint axis='0 1 0'/><geom mesh='link' pos='0 0 -0.16'/>"
          "<body pos='0 0 -0.32' euler='0 -50 0'><joint axis='0 1 0'/>"
          "<geom mesh='link' pos='0 0 -0.16'/></body></body></body>\n",
          x, y);
}

static void write_robot(FILE *f, int n) {
  fputs("<mujoco><asset><texture name='squares' type='2d' builtin='checker' width='64' height='64' "
        "rgb1='.3 .4 .5' rgb2='.2 .3 .4'/><material name='floor' texture='squares' "
        "texrepeat='8 8'/>\n",
        f);
  for (int i = 0; i < NMESHES; i++) {
    fprintf(f, "<mesh name='%s' vertex='", meshes[i].name);
    write_vertices(f, meshes[i].half, meshes[i].rib);
    fputs("' face='", f);
    write_faces(f);
    fputs("'/>\n", f);
  }
  fputs("</asset><default><geom type='mesh' contype='0' conaffinity='0' rgba='.8 .5 .2 1'/>"
        "</default><worldbody><light directional='true' pos='0 0 3' dir='0.2 0.3 -1'/>"
        "<geom type='plane' size='4 4 0.25' material='floor' rgba='1 1 1 1'/>\n",
        f);
  for (int i = 0; i < n; i++) {
    fprintf(f, "<body pos='0 %g 0.68'><freejoint/><geom mesh='trunk'/>\n", i - 0.5 * (n - 1));
    for (int leg = 0; leg < 4; leg++) {
      write_leg(f, leg < 2 ? 0.25 : -0.25, leg % 2 ? 0.2 : -0.2);
    }
    fputs("</body>\n", f);
  }
  fputs("</worldbody></mujoco>\n", f);
}

const crowd mesh_robot = { "mesh_robot", "robot of meshes", write_robot, 1, 0, 0 };
