// SPDX-License-Identifier: Apache-2.0
//
// The state after some steps of each scene has the hash that is recorded here, whatever compiled
// the library: a compiler, its level of optimization, an instruction set. The release and the
// sanitizer builds differ in optimization and instruction set, that of `./dev aarch64` in the
// processor. A change that is meant to change results records them again; the failure prints the
// line.
//
// The C library computes sines and roots: its results depend on whether the processor has FMA, and
// might on its version. The hashes are those of glibc 2.36 with FMA.

#include <inttypes.h>
#include <stdint.h>

#include "default_engine.h"
#include "scenes.h"
#include "sinew/sinew.h"
#include "suite.h"

enum { STEPS = 100 };

static const struct {
  const char *name;
  uint64_t hash;
} recorded[NSCENES] = {
  { "pendulum", 0xddeab7d4a00a3afb },      { "double pendulum", 0x5d048dc90003736c },
  { "tumbling box", 0x644ed80d34c9833e },  { "chain", 0x667dca8acae7446b },
  { "cart and pole", 0x732e9b4bf22c172f }, { "arm", 0x06384eccc951d85b },
  { "figure", 0xbf23132a134b4159 },        { "stack", 0x8da1331a18bfa34a },
  { "tray", 0x155e135385d5342c },          { "paddle", 0x169312a6db98d201 },
  { "humanoid", 0xa5490136dff9ec7f },      { "22_humanoids", 0x01d56e742998e4b2 },
  { "humanoid100", 0x3b397affef57a136 },   { "active_adhesion", 0x113e14d39b9189aa },
  { "cloth", 0x1b762ba62c804f79 },         { "grid2pin", 0x8f7a922404cb6057 },
  { "loop", 0xedd1566bd6e06275 },          { "particle", 0x0037ae0a726b1b9a },
  { "rope", 0x90af2dac56365594 },          { "softbox", 0x61102c36cc8f3b71 },
  { "flag", 0x1b934329c69138d0 },          { "hammock", 0xc32a8aa48fd7950c },
  { "mug", 0xb10f7b2a8224af52 },           { "slider_crank", 0xe474a55aca2f27a2 },
  { "arm26", 0x0fd3adfeddf2956b },
};

static int has_fma(void) {
#ifdef __x86_64__
  return __builtin_cpu_supports("fma") != 0;
#else
  return 1;   // part of the instruction set
#endif
}

// Controls that change in each step, without a function of the C library.
static void set_controls(const sn_model *m, sn_data *d, int step) {
  double *ctrl = snd_ctrl(d);
  for (int64_t i = 0; i < snm_nu(m); i++) {
    ctrl[i] = (double)((7 * i + 3 * step) % 21 - 10) / 20;
  }
}

START_TEST(state_after_steps) {
  const scene *s = &scenes[_i];
  sn_model *m = sn_load(engine, s->path, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_data *d = sn_data_new(m, error);
  ck_assert_ptr_nonnull(d);
  if (s->key >= 0) {
    sn_reset_key(m, d, s->key);
  }
  for (int i = 0; i < STEPS; i++) {
    set_controls(m, d, i);
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  const uint64_t hash = sn_state_hash(m, d, SN_STATE_INTEGRATION);
  sn_data_free(d);
  sn_model_free(m);
  ck_assert_msg(
      recorded[_i].name && strcmp(recorded[_i].name, s->name) == 0 && recorded[_i].hash == hash,
      "the state of this scene has another hash:\n  { \"%s\", 0x%016" PRIx64 " },", s->name, hash);
}
END_TEST

static const char *name_of(int index) {
  return scenes[index].name;
}

TESTS() {
  NEEDS(has_fma(), "the processor has no FMA, so that the C library computes other sines");
  FIXTURE(open_engine, close_engine);
  EACH_NAMED(state_after_steps, 0, NSCENES, name_of);
}
