// SPDX-License-Identifier: Apache-2.0
//
// Shows a model in a window: view MODEL.xml. Linked with sinew_viewer (docs/viewing.md).

#include "sinew/viewer.h"

int main(int argc, char **argv) {
  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open(NULL, error);
  sn_model *model = engine && argc > 1 ? sn_load(engine, argv[1], error) : NULL;
  sn_data *data = model ? sn_data_new(model, error) : NULL;
  const sn_status status = data ? sn_viewer_run(model, data, NULL, error) : SN_EINVAL;
  sn_data_free(data);
  sn_model_free(model);
  sn_engine_close(engine);
  sn_error_free(error);
  return status < 0;
}
