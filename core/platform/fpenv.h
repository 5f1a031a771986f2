// SPDX-License-Identifier: Apache-2.0
//
// The floating-point environment: rounding, what is flushed to zero, which exceptions trap. Code
// that is loaded or initialized must leave it as it found it, or every number that follows differs.

#ifndef SI_PLATFORM_FPENV_H
#define SI_PLATFORM_FPENV_H

#include <fenv.h>
#include <stdint.h>

#include "base/error.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

typedef struct si_fpenv {
  fenv_t env;
  int rounding;
} si_fpenv;

void si_fpenv_save(si_fpenv *saved);
// NULL when nothing changed; else what did ("the rounding mode"), and it is as it was again.
const char *si_fpenv_restore(const si_fpenv *saved);

// The same as an error that names the plugin; SN_OK when nothing changed.
sn_status si_fpenv_check(const si_fpenv *saved, const char *kind, const char *name,
                         sn_error *error);

// The part of it that sums and products of doubles obey, as one word: cheap enough to be compared
// after each call of a plugin in a step. On x86-64 that is MXCSR without its flags (the x87 unit
// takes no part in doubles), on Arm FPCR; elsewhere the rounding mode alone.
static inline uint32_t si_fpenv_word(void) {
#if defined(__x86_64__)
  return _mm_getcsr() & 0xffc0u;
#elif defined(__aarch64__)
  uint64_t word;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  return (uint32_t)word;
#else
  return (uint32_t)fegetround();
#endif
}

// What differs between two such words: "the rounding mode".
const char *si_fpenv_difference(uint32_t before, uint32_t after);

static inline void si_fpenv_set_word(uint32_t word) {
#if defined(__x86_64__)
  fesetround((int)((word & 0x6000u) >> 3));   // of the x87 unit too; FE_* are its bits
  _mm_setcsr((_mm_getcsr() & ~0xffc0u) | word);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)word));
#else
  fesetround((int)word);
#endif
}

#endif
