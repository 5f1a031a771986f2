// SPDX-License-Identifier: Apache-2.0
//
// What the processor can do. The C library looked at start-up, and its answer is read where it is
// published: the compiler's own look is a constructor in every object that asks, and takes some
// twenty instructions CPUID, each of which a virtual machine interrupts for microseconds.

#ifndef SI_NUMERICS_PROCESSOR_H
#define SI_NUMERICS_PROCESSOR_H

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>   // glibc 2.33 and later
#endif

// Vectors of four double, with a*b + c in one rounding; and the system saves their registers.
static inline int si_processor_has_avx2(void) {
#if defined(CPU_FEATURE_ACTIVE)
  return CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(FMA);
#elif defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return 0;
#endif
}

#endif
