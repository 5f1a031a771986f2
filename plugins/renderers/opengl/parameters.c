// SPDX-License-Identifier: Apache-2.0
//
// The instance of renderer `opengl` and its parameters.

#include "opengl.h"

const sn_param renderer_params[] = {
  { .name = "mirrors",
    .default_value = "1",
    .type = SN_PARAM_INT,
    .min = 0,
    .max = MAX_MIRRORS,
    .summary = "how many faces reflect the scene, the first ones of the model; each draws the "
               "scene once more" },
  { .name = NULL },
};

sn_status renderer_create(const sn_host *host, const sn_value *values, void **self,
                          sn_error *error) {
  SN_TRY(sn_instance_new(host, sizeof(renderer), self, error));
  ((renderer *)*self)->mirrors = (int32_t)values[0].integer;
  return SN_OK;
}
