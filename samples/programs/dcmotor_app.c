// SPDX-License-Identifier: Apache-2.0
//
// An application that registers an actuator model itself: it passes the operation tables of
// plugins/actuator_dcmotor to the engine, without loading a plugin. The results are the same, to
// the last bit.
//
//   cc dcmotor_app.c -o dcmotor_app -I ../plugins/actuator_dcmotor
//      $(pkg-config --cflags --libs sinew) -lm
//   ./dcmotor_app ../plugins/actuator_dcmotor/motor.xml

#include <sinew/sinew.h>
#include <stdio.h>

#include "dcmotor.c"   // NOLINT(bugprone-suspicious-include)

static void print(const char *name, const double *value, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    printf("%s[%lld] = %.17g\n", name, (long long)i, value[i]);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s MODEL\n", argv[0]);
    return 2;
  }
  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open(NULL, error);
  sn_status status = engine ? SN_OK : SN_EINVAL;

  // providers must be registered before the first model
  for (const sn_provide *p = provides; status >= 0 && p->kind; p++) {
    status = sn_engine_add_row(engine, *p, error);
  }
  sn_model *model = status >= 0 ? sn_load(engine, argv[1], error) : NULL;
  sn_data *data = model ? sn_data_new(model, error) : NULL;
  if (!data) {
    fprintf(stderr, "%s\n", sn_error_text(error));
    return 1;
  }

  // 12 V for one second
  while (snd_time(data)[0] < 1) {
    for (int64_t i = 0; i < snm_nu(model); i++) {
      snd_ctrl(data)[i] = 12;
    }
    sn_step(model, data);
  }
  print("qpos", snd_qpos(data), snm_nq(model));
  print("qvel", snd_qvel(data), snm_nv(model));
  print("act", snd_act(data), snm_na(model));
  sn_data_free(data);
  sn_model_free(model);
  sn_engine_close(engine);
  sn_error_free(error);
  return 0;
}
