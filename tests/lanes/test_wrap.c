// SPDX-License-Identifier: Apache-2.0
//
// Tendons around geoms in lanes: lengths and moment arms have the bits of single simulations,
// wherever the ends are, and while the path bends in one simulation and is straight in another.

#include <string.h>

#include "default_engine.h"
#include "dynamics/pattern.h"
#include "lanes/state.h"
#include "random_state.h"
#include "suite.h"

enum { TRIALS = 400 };

#define POINT(name)                                                                            \
  "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"                 \
  "<joint type='slide' axis='0 0 1'/><geom size='.01'/><site name='" name "'/></body>"
#define PATH(geom) \
  "<spatial><site site='a'/><geom geom=" geom "/><site site='b'/></spatial>"

static const char text[] =
    "<mujoco><default><geom contype='0' conaffinity='0'/></default><worldbody>" POINT("a") POINT(
        "b") "<body pos='.1 0 .05' euler='20 30 40'><joint axis='1 2 3' pos='.1 .2 0'/><geom "
             "name='ball' size='.4'/>"
             "<geom name='bar' type='cylinder' size='.3 1' euler='10 0 20'/>"
             "<site name='outer' pos='.3 .7 .2'/><site name='inner' pos='.02 .03 .01'/></body>"
             "</worldbody><tendon>" PATH("'ball'") PATH("'ball' sidesite='outer'")
                 PATH("'ball' sidesite='inner'") PATH("'bar'") PATH("'bar' sidesite='outer'")
                     PATH("'bar' sidesite='inner'") "</tendon></mujoco>";

// Ends up to about two radii away; sometimes on opposite sides of the center, or both beside it.
static void place_ends(double *q, int trial, uint32_t *seed) {
  for (int i = 0; i < 7; i++) {
    q[i] = uniform(seed);
  }
  if (trial % 5 == 0) {
    q[6] = 0;
    for (int i = 0; i < 3; i++) {
      const double center[3] = { .1, 0, .05 };
      q[3 + i] = trial % 10 ? 2 * center[i] - q[i] : center[i] + 1.5 * (q[i] - center[i]);
    }
  }
}

static const si_lane_kernels *kernels(int set) {
#ifdef __x86_64__
  if (set == 1 && __builtin_cpu_supports("avx2")) {
    return &si_lane_kernels_avx2;
  }
#endif
  return set == 0 ? &si_lane_kernels_base : NULL;
}

START_TEST(paths_are_those_of_single_simulations) {
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  si_lanes *l = si_lanes_new(m);
  const si_lane_kernels *k = kernels(_i);
  uint32_t seed = 5;
  int bent = 0, straight = 0, mixed = 0;
  for (int trial = 0; k && trial < TRIALS; trial++) {
    double q[SI_LANES][7];
    for (int w = 0; w < SI_LANES; w++) {
      place_ends(q[w], trial + w, &seed);
      for (int i = 0; i < 7; i++) {
        l->qpos[i][w] = q[w][i];
      }
    }
    k->position(l);
    int nbent[6] = { 0 };
    for (int w = 0; w < SI_LANES; w++) {
      memcpy(snd_qpos(d), q[w], sizeof q[w]);
      OK(sn_forward_position(m, d));
      for (int64_t t = 0; t < m->ntendon; t++) {
        ck_assert_mem_eq(&(double){ l->ten_length[t][w] }, &d->ten_length[t], sizeof(double));
        nbent[t] += d->ten_wrapnum[t] > 2;
      }
      for (int64_t i = 0; i < m->bound.patterns->tendon.n; i++) {
        ck_assert_mem_eq(&(double){ l->ten_J[i][w] }, &d->ten_J[i], sizeof(double));
      }
    }
    for (int t = 0; t < 6; t++) {
      bent += nbent[t] == SI_LANES;
      straight += nbent[t] == 0;
      mixed += nbent[t] > 0 && nbent[t] < SI_LANES;
    }
  }
  ck_assert(!k || (bent > TRIALS / 4 && straight > TRIALS / 4 && mixed > TRIALS / 4));
  si_lanes_free(l);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(paths_are_those_of_single_simulations, 0, 2);
}
