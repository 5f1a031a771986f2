// SPDX-License-Identifier: Apache-2.0
//
// The floating-point environment as control words: x87 and MXCSR on x86, FPCR on Arm. Flags of
// exceptions that were raised are not part of it: every sum may set them.

#include "platform/fpenv.h"

#include <stddef.h>
#include <stdint.h>

typedef struct controls {
  uint64_t rounding, flush, traps;
} controls;

#if defined(__x86_64__)

// MXCSR: 0x8000 flush to zero, 0x6000 rounding, 0x1f80 masks, 0x0040 denormals are zero.
// x87 control word: 0x0c00 rounding, 0x0300 precision, 0x003f masks.
static controls read_controls(const fenv_t *env) {
  const uint64_t sse = env->__mxcsr, x87 = env->__control_word;
  return (controls){
    .rounding = (sse & 0x6000u) << 16 | (x87 & 0x0f00u),
    .flush = sse & 0x8040u,
    .traps = (sse & 0x1f80u) << 16 | (x87 & 0x003fu),
  };
}

#elif defined(__aarch64__)

// FPCR: bits 22-23 rounding; 24 flush to zero, 25 default NaN, 19 half precision; 8-15 traps.
static controls read_controls(const fenv_t *env) {
  const uint64_t fpcr = env->__fpcr;
  return (controls){ .rounding = fpcr & 0x00c00000u,
                     .flush = fpcr & 0x03080000u,
                     .traps = fpcr & 0x0000ff00u };
}

#else

static controls read_controls(const fenv_t *env) {
  (void)env;
  return (controls){ 0 };
}

#endif

static const char *const names[] = { "whether tiny numbers are flushed to zero",
                                     "the rounding mode", "which floating-point exceptions trap" };

const char *si_fpenv_difference(uint32_t before, uint32_t after) {
  const uint32_t changed = before ^ after;
#if defined(__x86_64__)
  return changed & 0x8040u ? names[0] : changed & 0x6000u ? names[1] : names[2];
#elif defined(__aarch64__)
  return changed & 0x03080000u ? names[0] : changed & 0x00c00000u ? names[1] : names[2];
#else
  (void)changed;
  return names[1];
#endif
}

void si_fpenv_save(si_fpenv *saved) {
  fegetenv(&saved->env);
  saved->rounding = fegetround();
}

const char *si_fpenv_restore(const si_fpenv *saved) {
  fenv_t env;
  fegetenv(&env);
  const controls was = read_controls(&saved->env), is = read_controls(&env);
  const char *what = NULL;
  if (was.flush != is.flush) {
    what = names[0];
  } else if (was.rounding != is.rounding || saved->rounding != fegetround()) {
    what = names[1];
  } else if (was.traps != is.traps) {
    what = names[2];
  }
  if (what) {
    fesetenv(&saved->env);
  }
  return what;
}

sn_status si_fpenv_check(const si_fpenv *saved, const char *kind, const char *name,
                         sn_error *error) {
  const char *changed = si_fpenv_restore(saved);
  if (!changed) {
    return SN_OK;
  }
  return si_fail(error, SN_EPLUGIN, "'%s' (%s) changed %s; do not load this plugin", name, kind,
                 changed);
}
