// SPDX-License-Identifier: Apache-2.0
//
// Sleeping: boxes at rest on the floor, without the flag and with it, and with one more box among
// them that is pushed and stays awake.

#include <stdio.h>

#include "bench.h"

enum { SETTLE = 400, STEPS = 200 };

static const char *const boxes = "<mujoco><option timestep='0.004'><flag sleep='%s'/></option>"
                                 "<worldbody><geom type='plane' size='0 0 1'/>";

static int write_scene(FILE *f, int n, int sleeps) {
  fprintf(f, boxes, sleeps ? "enable" : "disable");
  for (int i = 0; i < n; i++) {
    fprintf(f, "<body pos='%g %g %g'><freejoint/><geom type='box' size='.1 .1 .1'/></body>",
            0.35 * (i % 50), 0.35 * (i / 2 / 50), 0.1 + 0.2 * (i / 50 % 2));
  }
  fputs("<body pos='-1 0 .1' sleep='never'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        "</worldbody></mujoco>",
        f);
  return ferror(f) == 0;
}

static sn_model *build(sn_engine *engine, int n, int sleeps, sn_error *error) {
  static char text[1 << 20], name[64];
  FILE *f = fmemopen(text, sizeof text, "w");
  const int ok = f && write_scene(f, n, sleeps);
  const int64_t bytes = f ? (int64_t)ftell(f) : 0;
  if (!f || fclose(f) != 0 || !ok) {
    return NULL;
  }
  snprintf(name, sizeof name, "boxes-%d-%d.xml", n, sleeps);
  return sn_engine_add_resource(engine, name, text, bytes, error) < 0
             ? NULL
             : sn_load(engine, name, error);
}

// Seconds of a step, when all have settled; asleep: how many bodies sleep then.
static double measure(const sn_model *m, sn_data *d, int64_t *asleep) {
  sn_status status = SN_OK;
  double start = 0;
  for (int i = 0; i < SETTLE + STEPS && status >= 0; i++) {
    start = i == SETTLE ? thread_clock() : start;
    status = sn_step(m, d);
  }
  const double seconds = (thread_clock() - start) / STEPS;
  *asleep = 0;
  for (int64_t b = 0; b < sn_size(m, "nbody"); b++) {
    *asleep += snd_body_asleep(d)[b];
  }
  return status < 0 ? -1 : seconds;
}

static int compare(sn_engine *engine, int n) {
  double seconds[2] = { 0 };
  int64_t asleep[2] = { 0 };
  int ok = 1;
  for (int sleeps = 0; sleeps < 2 && ok; sleeps++) {
    sn_error *error = sn_error_new();
    sn_model *m = build(engine, n, sleeps, error);
    sn_data *d = m ? sn_data_new(m, error) : NULL;
    seconds[sleeps] = d ? measure(m, d, &asleep[sleeps]) : -1;
    ok = seconds[sleeps] >= 0;
    if (!ok) {
      printf("%8d  %s\n", n, d ? sn_error_text(sn_data_error(d)) : sn_error_text(error));
    }
    sn_data_free(d);
    if (m) {
      sn_model_free(m);
    }
    sn_error_free(error);
  }
  if (ok) {
    printf("%8d %8lld %14.1f %14.1f %14.3f %8.1f\n", n, (long long)asleep[1], 1e6 * seconds[0],
           1e6 * seconds[1], 1e6 * seconds[1] / n, seconds[0] / seconds[1]);
    fflush(stdout);
  }
  return ok;
}

int bench_sleep(sn_engine *engine) {
  static const int numbers[] = { 100, 300, 1000, 3000 };
  int ok = 1;
  printf("\n%8s %8s %14s %14s %14s %8s\n", "boxes", "asleep", "awake, us", "asleep, us",
         "asleep/n, us", "ratio");
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    ok &= compare(engine, numbers[i]);
  }
  return ok;
}
