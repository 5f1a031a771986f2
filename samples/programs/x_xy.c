// SPDX-License-Identifier: Apache-2.0
//
// Simulates a model file in three lines, besides those that open and close the engine. The file may
// have any format for which the configuration lists a loader.
//
//   cc x_xy.c $(pkg-config --cflags --libs sinew) -o x_xy && ./x_xy inv_pendulum.xml

#include <sinew/sinew.h>
#include <stdio.h>

int main(int argc, char **argv) {
  sn_error *error = sn_error_new();
  sn_engine *engine = argc == 2 ? sn_engine_open(NULL, error) : NULL;

  sn_model *m = engine ? sn_load(engine, argv[1], error) : NULL;
  sn_data *d = m ? sn_data_new(m, error) : NULL;
  while (d && snd_time(d)[0] < 2 && sn_step(m, d) >= 0 && printf("%g\n", snd_qpos(d)[0]) > 0) {}

  int failed = d == NULL;
  if (failed) {
    fprintf(stderr, "%s\n", argc == 2 ? sn_error_text(error) : "usage: x_xy MODEL");
  }
  sn_data_free(d);
  sn_model_free(m);
  sn_engine_close(engine);
  sn_error_free(error);
  return failed;
}
