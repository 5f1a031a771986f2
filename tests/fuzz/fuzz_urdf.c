// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, as a URDF file: a spec or an error, nothing lost, nothing left open. The static links
// of a spec are fused, or the model is rejected with a reason.

#include "compile/compile.h"
#include "fuzzing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzzed f;
  if (!f.engine) {
    const sn_value values[] = {
      { .integer = 0 },                // strict
      { .text = "auto" },              // floating_base
      { .text = "repair" },            // inertia
      { .integer = 1 },                // mimic
      { .text = "transmissions" },     // actuators
      { .real = 100 },                 // kp
      { .real = -1 },                  // kv
      { .integer = 0 },                // transmissions
      { .text = "/packages:/more" },   // package_path
      { .text = "skip" },              // missing_meshes
    };
    fuzz_file_name = "a.stl";
    fuzz_file_text = "solid a\nendsolid a\n";
    fuzz_loader(&f, "urdf", SN_TEST_BUILD "/loaders/parts/urdf.so", values);
  }
  sn_spec *spec = fuzz_load(&f, data, size);
  if (spec) {
    si_build b = { .given = spec, .spec = spec, .engine = f.engine, .error = f.error };
    sn_spec *reduced = NULL;
    si_error_clear(f.error);
    fuzz_demand(si_compile_reduce(&b, &reduced) >= 0 || sn_error_message(f.error)[0] != 0,
                "rejected without a reason");
    sn_spec_free(reduced);
    sn_spec_free(spec);
  }
  return 0;
}
