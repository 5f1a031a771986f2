// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, as an x_xy file: a spec or an error, nothing lost, nothing open. A spec is written
// or rejected with a reason; what was written is read again.

#include "fuzzing.h"

typedef struct text {
  uint8_t *p;
  size_t n;
} text;

static sn_status keep(sn_sink *sink, const void *bytes, int64_t count) {
  text *t = sink->context;
  t->p = realloc(t->p, t->n + (size_t)count + 1);
  memcpy(t->p + t->n, bytes, (size_t)count);
  t->n += (size_t)count;
  return SN_OK;
}

static void write_and_read(fuzzed *f, sn_spec *spec) {
  text t = { 0 };
  sn_sink sink = { .size = sizeof sink, .context = &t, .write = keep };
  si_error_clear(f->error);
  if (f->ops->save(f->self, sn_spec_builder(spec), &sink, f->error) >= 0) {
    sn_spec *copy = fuzz_load(f, t.p, t.n);
    fuzz_demand(copy != NULL, sn_error_text(f->error));
    sn_spec_free(copy);
  } else {
    fuzz_demand(sn_error_message(f->error)[0] != 0, "rejected without a reason");
  }
  free(t.p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzzed f;
  if (!f.engine) {
    const sn_value values[] = {
      { .integer = 1 }, { .integer = 0 }, { .integer = 1 }, { .integer = 0 }, { .text = "more.txt" }
    };
    fuzz_file_name = "more.txt";
    fuzz_file_text = "hip = rz rx ry\nguide = p:0,0.6,0.8\nankle = px spherical\n";
    fuzz_loader(&f, "x_xy", SN_TEST_BUILD "/loaders/parts/x_xy.so", values);
  }
  sn_spec *spec = fuzz_load(&f, data, size);
  if (spec) {
    write_and_read(&f, spec);
    sn_spec_free(spec);
  }
  return 0;
}
