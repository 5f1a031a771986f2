// SPDX-License-Identifier: Apache-2.0
//
// A minimal program: loads a model, simulates one second, and prints the position.
//
//   cc hello.c $(pkg-config --cflags --libs sinew) -o hello && ./hello pendulum.xml

#include <sinew/sinew.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s MODEL\n", argv[0]);
    return 2;
  }
  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open(NULL, error);
  sn_model *model = engine ? sn_load(engine, argv[1], error) : NULL;
  sn_data *data = model ? sn_data_new(model, error) : NULL;
  if (!data) {
    fprintf(stderr, "%s\n", sn_error_text(error));
    return 1;
  }

  while (snd_time(data)[0] < 1 && sn_step(model, data) >= 0) {}

  printf("time %g s\n", snd_time(data)[0]);
  for (int64_t i = 0; i < snm_nq(model); i++) {
    printf("qpos[%lld] = %.6f\n", (long long)i, snd_qpos(data)[i]);
  }
  sn_data_free(data);
  sn_model_free(model);
  sn_engine_close(engine);
  sn_error_free(error);
  return 0;
}
