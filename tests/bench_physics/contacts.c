// SPDX-License-Identifier: Apache-2.0
//
// After SimBenchmark (D. Kang, J. Hwangbo, https://leggedrobotics.github.io/SimBenchmark): the
// tests Rolling, Bouncing and 666, with their figures of merit; models written anew.

#include <math.h>
#include <stdio.h>

#include "bench_physics.h"
#include "scenes.h"
#include "sinew/math.h"
#include "truth.h"

static const double gravity = 9.81;

// ------------------------------------------------------------------ rolling

// A plate of 10 kg slides on the floor, friction 0.4, pushed with 150 N; 25 balls of 1 kg roll on
// it, friction 0.8. The force of the plate on a ball is 2/7 of its mass times the acceleration a of
// the plate: (10 + 25 2/7) a = 150 - 0.4 (10 + 25) g.
enum { BALLS = 25 };
static const double push = 150;

typedef struct rolled {
  double error;       // mean squared error of velocity, m2/s2
  double direction;   // of the plate, deg from that of the force
  double cost;        // CPU seconds for a second
} rolled;

static rolled roll(trial *t, double angle) {
  const double c = cos(angle), s = sin(angle);
  const double acceleration = (push - 0.4 * (10 + BALLS) * gravity) / (10 + BALLS * 2 / 7.0);
  simulate(t, 1);   // until the contacts carry the weight
  rolled out = { 0 };
  int64_t n = 0;
  snd_qfrc_applied(t->d)[0] = push * c;
  snd_qfrc_applied(t->d)[1] = push * s;
  const double begin = snd_time(t->d)[0], clock = cpu_clock();
  while (snd_time(t->d)[0] < begin + 1 - 1e-9 && !t->diverged) {
    step(t);
    const double speed = acceleration * (snd_time(t->d)[0] - begin);
    for (int i = 0; i <= BALLS; i++, n++) {
      const double want = i ? 2 / 7.0 * speed : speed;
      const double dx = snd_qvel(t->d)[6 * i] - want * c;
      const double dy = snd_qvel(t->d)[6 * i + 1] - want * s;
      out.error += dx * dx + dy * dy;
    }
  }
  out.cost = cpu_clock() - clock;
  out.error /= (double)n;
  out.direction = 180 / SN_PI * fabs(atan2(snd_qvel(t->d)[1], snd_qvel(t->d)[0]) - angle);
  return out;
}

static const column rolling_rows[] = {
  { "`newton`, elliptic", "solver=newton;integrator=euler" },
  { "`cg`, elliptic", "solver=cg;integrator=euler" },
  { "`pgs`, elliptic", "solver=pgs;integrator=euler" },
  { "`newton`, pyramidal", "solver=newton;cone=pyramidal;integrator=euler" },
  { "`newton`, elliptic, `mujoco-2.2`", "profile=mujoco-2.2;solver=newton;integrator=euler" },
  { "`coulomb`", "solver=coulomb;integrator=euler" },
  { "`robust`", "profile=robust" },
};

static const column rolling_columns[] = {
  { "y, 10 ms", NULL },
  { "y, 1 ms", NULL },
  { "xy, 10 ms", NULL },
  { "xy, 1 ms", NULL },
  { "direction, 10 ms, deg", NULL },
};

static void rolling_table(void) {
  const row r = { .model = "balls_on_plate" };
  begin_table("rolling", "mean squared error of velocity, m2/s2", rolling_columns, 5);
  for (size_t i = 0; i < sizeof rolling_rows / sizeof *rolling_rows; i++) {
    double direction = 0;
    printf("| %s |", rolling_rows[i].title);
    for (int k = 0; k < 4; k++) {
      char settings[256];
      snprintf(settings, sizeof settings, "%s;timestep=%s", rolling_rows[i].settings,
               k % 2 ? ".001" : ".01");
      trial t = open_trial(&r, settings);
      const rolled x = roll(&t, k < 2 ? SN_PI / 2 : SN_PI / 4);
      print_number(t.diverged ? NAN : x.error);
      direction = k % 2 ? direction : x.direction;
      close_trial(&t);
    }
    print_number(direction);
    end_row();
  }
}

// ------------------------------------------------------------------ bouncing

static const double ratios[] = { 0, 0.07, 0.22, 1 };   // of damping
enum { RATIOS = sizeof ratios / sizeof *ratios, STARTS = 10 };

// A ball without weight that hits a floor with 3 m/s, from several heights: the coefficient of
// restitution that is farthest from the truth. With stiffness: of a spring and damper; else of the
// attribute.
static double bounce(trial *t, double ratio, double stiffness) {
  const double speed = 3, truth = dashpot_restitution(ratio);
  double worst = truth;
  double *solref = edit_field(t, "geom_solref"), *solimp = edit_field(t, "geom_solimp");
  double *restitution = edit_field(t, "geom_restitution");
  for (int64_t i = 0; i < snm_ngeom(t->m); i++) {
    if (stiffness > 0) {
      solref[2 * i] = -stiffness;
      solref[2 * i + 1] = -2 * ratio * sqrt(stiffness);
      solimp[5 * i] = solimp[5 * i + 1] = 0.9999;
    } else {
      restitution[i] = truth;
    }
  }
  for (int k = 0; k < STARTS && !t->diverged; k++) {
    sn_reset(t->m, t->d);
    snd_qpos(t->d)[2] = 0.2 + 0.1 * speed * t->h * k;
    snd_qvel(t->d)[2] = -speed;
    simulate(t, 0.3);
    const double e = snd_qvel(t->d)[2] / speed;
    worst = fabs(e - truth) > fabs(worst - truth) ? e : worst;
  }
  return worst;
}

static const column bouncing_rows[] = {
  { "`euler`, 0.5 ms", "integrator=euler;timestep=5e-4" },
  { "`euler`, 2 ms", "integrator=euler;timestep=.002" },
  { "`euler`, 10 ms", "integrator=euler;timestep=.01" },
  { "`rk4`, 2 ms", "integrator=rk4;timestep=.002" },
  { "`euler`, 10 ms, `mujoco-2.2`", "profile=mujoco-2.2;integrator=euler;timestep=.01" },
  { "`rk4`, 10 ms", "integrator=rk4;timestep=.01" },
  { "`robust`, 10 ms", "profile=robust;timestep=.01" },
};

static void bouncing_table(void) {
  static const row r = { .model = "bouncing_ball" };
  column columns[2 * RATIOS];
  char titles[RATIOS][64];
  for (int k = 0; k < 2 * RATIOS; k++) {
    snprintf(titles[k % RATIOS], sizeof titles[0], "%.3f", dashpot_restitution(ratios[k % RATIOS]));
    columns[k] = (column){ titles[k % RATIOS], NULL };
  }
  begin_table("bouncing", "`solref`, then `restitution`, of", columns, 2 * RATIOS);
  for (size_t i = 0; i < sizeof bouncing_rows / sizeof *bouncing_rows; i++) {
    printf("| %s |", bouncing_rows[i].title);
    for (int k = 0; k < 2 * RATIOS; k++) {
      char cell[32];
      trial t = open_trial(&r, bouncing_rows[i].settings);
      snprintf(cell, sizeof cell, "%.3f", bounce(&t, ratios[k % RATIOS], k < RATIOS ? 1e5 : 0));
      print_text(t.diverged ? "diverged" : cell);
      close_trial(&t);
    }
    end_row();
  }
}

// ------------------------------------------------------------------ energy of elastic bounces

// A ball that falls from 1 m: the largest change of its energy at the tops of 20 s, relative;
// INFINITY if it does not come back.
static double elastic_ball(trial *t) {
  double top = 0, low = INFINITY, last = 0;
  snd_qpos(t->d)[2] = 1;
  const double radius = snm_geom_size(t->m)[3];
  while (snd_time(t->d)[0] < 20 && !t->diverged) {
    const double before = snd_qvel(t->d)[2];
    step(t);
    if (before > 0 && snd_qvel(t->d)[2] <= 0) {
      last = snd_qpos(t->d)[2] - radius;
      top = fmax(top, last);
      low = fmin(low, last);
    }
  }
  return top > 0 ? fmax(top / (1 - radius) - 1, 1 - low / (1 - radius)) : INFINITY;
}

// Energy after a second over that at the start.
static double elastic_balls(trial *t) {
  const double before = energy(t);
  simulate(t, 1);
  return energy(t) / before;
}

static const row elastic[] = {
  { .title = "ball, `solref` of 1e4 1/s2, 10 ms, 20 s: energy, relative",
    .model = "bouncing_ball",
    .settings = "timestep=.01;gravity=0 0 -9.81;contacts=-1e4,0,.9999,.9999",
    .measure = elastic_ball },
  { .title = "ball, 1e6 1/s2, 1 ms",
    .model = "bouncing_ball",
    .settings = "timestep=.001;gravity=0 0 -9.81;contacts=-1e6,0,.9999,.9999",
    .measure = elastic_ball },
  { .title = "ball, 1e6 1/s2, 10 ms",
    .model = "bouncing_ball",
    .settings = "timestep=.01;gravity=0 0 -9.81;contacts=-1e6,0,.9999,.9999",
    .measure = elastic_ball },
  { .title = "ball, `restitution`, 1 ms",
    .model = "bouncing_ball",
    .settings = "restitution=1;timestep=.001;gravity=0 0 -9.81",
    .measure = elastic_ball },
  { .title = "ball, `restitution`, 10 ms",
    .model = "bouncing_ball",
    .settings = "restitution=1;timestep=.01;gravity=0 0 -9.81",
    .measure = elastic_ball },
  { .title = "666, 4e4 1/s2, 1 ms: energy after 1 s, of 1",
    .scene = balls_scene,
    .settings = "timestep=.001;contacts=-4e4,0,.9999,.9999",
    .measure = elastic_balls },
  { .title = "666, 4e4 1/s2, 10 ms",
    .scene = balls_scene,
    .settings = "timestep=.01;contacts=-4e4,0,.9999,.9999",
    .measure = elastic_balls },
  { .title = "666, `restitution`, 1 ms",
    .scene = balls_scene,
    .settings = "restitution=1;timestep=.001",
    .measure = elastic_balls },
  { .title = "666, `restitution`, 10 ms",
    .scene = balls_scene,
    .settings = "restitution=1;timestep=.01",
    .measure = elastic_balls },
};

static const column elastic_columns[] = {
  { "`euler`", "integrator=euler" },
  { "`rk4`", "integrator=rk4" },
  { "`momentum`", "integrator=momentum" },
};

void contacts_section(void) {
  rolling_table();
  bouncing_table();
  TABLE("elastic", elastic, elastic_columns);
}
