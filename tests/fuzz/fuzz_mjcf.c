// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, as an MJCF file: a spec or an error, nothing lost, nothing left open.

#include "unit/fake_builder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const sn_loader_ops *mjcf;
  static fake f;
  mjcf = mjcf ? mjcf : fake_loader(SN_TEST_BUILD "/loaders/mjcf.so");
  if (!mjcf) {
    abort();
  }

  // a source is followed by a zero that is not counted
  uint8_t *bytes = calloc(1, size + 1);
  memcpy(bytes, data, size);
  fake_open(&f);
  f.files[0] = (fake_file){ "a.xml", "<x><geom/></x>" };
  sn_status status = fake_load(&f, mjcf, "main.xml", bytes, (int64_t)size);
  if (f.held != 0 || f.nopen != 0 || status != f.code) {
    abort();
  }
  fake_close(&f);
  free(bytes);
  return 0;
}
