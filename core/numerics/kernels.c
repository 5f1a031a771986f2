// SPDX-License-Identifier: Apache-2.0
//
// Dense loops on vectors of four. Each is written once, in kernel_loops.h, over a vector type of
// the compiler, and compiled for each instruction set. What is accumulated is a*b + c with one
// rounding, written as such, so that the result does not depend on the instruction set, the
// compiler or its options: without FMA the C library computes it.

#include "sinew/numerics/kernels.h"

#include "processor.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

typedef double lanes __attribute__((vector_size(32), aligned(32), may_alias));
typedef double loose __attribute__((vector_size(32), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define AT(pointer, i) (*(lanes *)((pointer) + (i)))
#define READ(pointer, i) (*(const lanes *)((pointer) + (i)))
#define READ_LOOSE(pointer, i) (*(const loose *)((pointer) + (i)))
#define AT_LOOSE(pointer, i) (*(loose *)((pointer) + (i)))

#define ALL(x) ((lanes){ x, x, x, x })
#define SUM_LANES(a) (((a)[0] + (a)[1]) + ((a)[2] + (a)[3]))

// ------------------------------------------------------------------ instruction sets

#define NAME(kernel) base_##kernel
#define TARGET
#define FUSED(k) __builtin_fma(left[k], right[k], before[k])
#define ADD_PRODUCT(sum, a, b)                                 \
  do {                                                         \
    const lanes left = (a), right = (b), before = (sum);       \
    (sum) = (lanes){ FUSED(0), FUSED(1), FUSED(2), FUSED(3) }; \
  } while (0)
#include "kernel_loops.h"
#undef NAME
#undef TARGET
#undef ADD_PRODUCT

#ifdef __x86_64__
#define NAME(kernel) avx2_##kernel
#define TARGET __attribute__((target("avx2,fma")))
#define ADD_PRODUCT(sum, a, b) \
  ((sum) = (lanes)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(sum)))
#include "kernel_loops.h"
#endif

const sn_kernels *sn_kernels_for_machine(void) {
#ifdef __x86_64__
  if (si_processor_has_avx2()) {
    return &avx2_kernels;
  }
#endif
  return &base_kernels;
}
