// SPDX-License-Identifier: Apache-2.0
//
// Forces with closed forms: tendons that wrap around a cylinder and a sphere, resistance of a
// fluid, muscles.

#include <math.h>

#include "bench_physics.h"
#include "scenes.h"
#include "sinew/math.h"
#include "truth.h"

// The radius of cylinder and sphere in wrapped_tendon.xml.
static const double radius = 0.1;

// On a cylinder the shortest path is a helix: straight where the surface is unrolled.
static double helix(const double a[3], const double b[3]) {
  const double flat = path_around_circle(radius, a, b);
  return flat < 0 ? -1 : hypot(flat, b[2] - a[2]);
}

// On a sphere it is in the plane of its center and the two ends.
static double great_circle(const double a[3], const double b[3]) {
  const double la = sn_norm3(a), lb = sn_norm3(b), cosine = sn_dot3(a, b) / (la * lb);
  const double first[2] = { la, 0 };
  const double second[2] = { lb * cosine, lb * sqrt(1 - cosine * cosine) };
  return path_around_circle(radius, first, second);
}

// The largest relative error of a tendon's length, in 1000 random poses of its ends.
static double path_error(trial *t, int tendon, double (*truth)(const double *, const double *)) {
  uint32_t seed = 1;
  double most = 0;
  int wrapped = 0;
  while (wrapped < 1000) {
    double *q = snd_qpos(t->d);
    for (int i = 0; i < 6; i++) {
      q[i] = 0.4 * scene_random(&seed);
    }
    const int inside = tendon ? sn_norm3(q) < radius || sn_norm3(q + 3) < radius
                              : hypot(q[0], q[1]) < radius || hypot(q[3], q[4]) < radius;
    const double want = inside ? -1 : truth(q, q + 3);
    if (want < 0) {
      continue;
    }
    sn_forward(t->m, t->d);
    most = fmax(most, fabs(snd_ten_length(t->d)[tendon] / want - 1));
    wrapped++;
  }
  return most;
}

static double around_cylinder(trial *t) {
  return path_error(t, 0, helix);
}

static double around_sphere(trial *t) {
  return path_error(t, 1, great_circle);
}

// The largest relative error of the force on a box of falling_box.xml in air and in oil, moving
// along each axis: pressure 2 rho r_j r_k v^2 and Stokes' resistance 6 pi beta r v of the mean half
// size.
static double resistance(trial *t) {
  static const double half[3] = { 0.1, 0.2, 0.3 }, density = 1.2, viscosity = 0.8, v = 3;
  double most = 0;
  for (int i = 0; i < 3; i++) {
    sn_reset(t->m, t->d);
    snd_qvel(t->d)[i] = v;
    sn_forward(t->m, t->d);
    const double area = 4 * half[(i + 1) % 3] * half[(i + 2) % 3];
    const double want = -0.5 * density * area * v * v - 6 * SN_PI * viscosity * 0.2 * v;
    most = fmax(most, fabs(snd_qfrc_passive(t->d)[i] / want - 1));
  }
  return most;
}

// The force of a muscle that is active and at rest, at this length; it pulls where it is negative.
// In units of its largest force.
static double muscle(trial *t) {
  const double scaled = 0.75, per_length = 0.3;   // at length 0, and its slope
  snd_qpos(t->d)[0] = (t->parameter - scaled) / per_length;
  snd_act(t->d)[0] = 1;
  sn_forward(t->m, t->d);
  return snd_actuator_force(t->d)[0] / 100 + 0.0;
}

static const row rows[] = {
  { .title = "tendon around a cylinder, 1000 poses: length, relative",
    .model = "wrapped_tendon",
    .measure = around_cylinder },
  { .title = "tendon around a sphere", .model = "wrapped_tendon", .measure = around_sphere },
  { .title = "box in a fluid: force, relative", .model = "box_in_fluid", .measure = resistance },
  { .title = "muscle at its optimal length: force over the largest",
    .model = "muscle",
    .measure = muscle,
    .parameter = 1,
    .truth = "-1" },
  { .title = "muscle of length 0.49, shorter than `lmin`, 0.5",
    .model = "muscle",
    .measure = muscle,
    .parameter = 0.49,
    .truth = "0" },
  { .title = "muscle of length 0.3",
    .model = "muscle",
    .measure = muscle,
    .parameter = 0.3,
    .truth = "0" },
};

static const column profiles[] = {
  { "`mujoco-2.2`", "profile=mujoco-2.2" },
  { "default", "" },
  { "`robust`", "profile=robust" },
};

void forces_section(void) {
  TABLE("forces", rows, profiles);
}
