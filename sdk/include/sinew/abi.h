// SPDX-License-Identifier: Apache-2.0
//
// Definitions that all other headers use: versions, statuses, sparse matrices, scratch memory.
//
// Rules of the binary interface (see PLUGIN_API.md):
//   - structs have no padding, no bool, long, bit field or bare enum; SN_LAYOUT asserts their size;
//   - a struct with a member for its size, such as an operation table, may grow in later versions,
//     but only at its end; the layout of one without a size is the same in all versions;
//   - memory is freed by the side that allocated it; a pointer argument is valid during the call;
//   - every matrix is row-major, every quaternion is (w, x, y, z), every real number is a double.
//
// Thread tags in the comments of functions and operations:
//   [startup]  while the engine is being configured, one thread
//   [load]     while a model is being read or compiled; one call at a time for each engine
//   [step]     while a simulation is computed. Functions of the library: one call at a time for
//              each simulation; different simulations run in parallel. Operations of plugins: any
//              number of concurrent calls, for different simulations or for parts of one, each with
//              scratch memory of its own; with the flag SN_OPS_SERIAL one at a time for each
//              simulation. If the option `threads` is set, this version calls colliders (with the
//              shapes of plugins) and solvers concurrently within one simulation
//   [any]      from any thread at any time

#ifndef SINEW_ABI_H
#define SINEW_ABI_H

#include <stddef.h>
#include <stdint.h>

#define SN_VERSION "0.1.0"
#define SN_ABI_MAJOR 1
#define SN_ABI_MINOR 0

#ifdef __cplusplus
#define SN_BEGIN_DECLS extern "C" {
#define SN_END_DECLS }
#define SN_STATIC_ASSERT static_assert
#else
#define SN_BEGIN_DECLS
#define SN_END_DECLS
#define SN_STATIC_ASSERT _Static_assert
#endif

#if defined(__GNUC__)
#define SN_API __attribute__((visibility("default")))
#else
#define SN_API
#endif

// The interface is defined for 64-bit platforms only; each of them has a single calling convention
// for C. SN_LAYOUT asserts the size of a public struct at compile time.
SN_STATIC_ASSERT(sizeof(void *) == 8, "the binary interface of Sinew needs a 64-bit platform");
#define SN_LAYOUT(type, bytes) \
  SN_STATIC_ASSERT(sizeof(type) == (bytes), #type " has padding or grew")

// Whether a struct with a member `size` has a certain other member. It does not if it was made
// by an older version of Sinew. Do not compare the size with sizeof: the struct may grow in later
// versions, while a struct that is passed has the size of the version that made it.
#define SN_HAS(pointer, member)                                           \
  ((pointer)->size >= (size_t)((const char *)(&(pointer)->member + 1) -    \
                               (const char *)(pointer)))

SN_BEGIN_DECLS

// 0: done. Positive: recoverable, the result is usable. Negative: failed, sn_error has the message.
typedef int32_t sn_status;

enum {
  SN_OK = 0,
  SN_NOT_CONVERGED = 1,   // an iterative method stopped at its limit
  SN_CLAMPED = 2,         // an input was clamped to its range
  SN_MORE = 3,            // the output exceeds the capacity; its count is the capacity needed
  SN_EINVAL = -1,         // an argument, name or value is invalid
  SN_ENOMEM = -2,         // out of memory, or a limit was exceeded
  SN_EIO = -3,            // a file cannot be opened, read or written
  SN_EPARSE = -4,         // a text or binary file is malformed
  SN_ECOMPILE = -5,       // a spec cannot be compiled
  SN_EPLUGIN = -6,        // a plugin was rejected, or returned invalid results
  SN_ENOTFOUND = -7,      // no object, field or provider has that name
  SN_EUNSUPPORTED = -8,   // recognized, but not supported
  SN_EDIVERGED = -9,      // the simulation diverged
  SN_ECANCELED = -10      // the operation was canceled before its end
};

// Returns from the calling function when a call fails, that is, when its status is negative.
#define SN_TRY(call)                      \
  do {                                    \
    const sn_status sn_try_call = (call); \
    if (sn_try_call < 0) {                \
      return sn_try_call;                 \
    }                                     \
  } while (0)

// An error: message, status and location. Filled by the host; opaque to plugins.
typedef struct sn_error sn_error;

typedef struct sn_model sn_model;     // constant, shared between threads
typedef struct sn_data sn_data;       // everything that changes; one simulation
typedef struct sn_spec sn_spec;       // an editable description of a model
typedef struct sn_engine sn_engine;   // plugins, registries, configuration

// A sparse matrix by rows (CSR, with explicit row lengths): row i has nnz[i] entries col[adr[i] +
// k], val[adr[i] + k], columns ascending.
typedef struct sn_sparse {
  const int32_t *nnz;   // nrow
  const int32_t *adr;   // nrow
  const int32_t *col;
  const double *val;
  int64_t nrow;
  int64_t ncol;
} sn_sparse;
SN_LAYOUT(sn_sparse, 48);

// Scratch memory of a call: valid until the operation returns. Calls that run in several threads at
// once get separate scratch memory.
typedef struct sn_scratch sn_scratch;
struct sn_scratch {
  uint32_t size;
  uint32_t reserved;
  // [step] `bytes` bytes, aligned to `alignment` (a power of two, at most 64), uninitialized;
  // a request for 0 bytes also returns an address. NULL: memory, or the limit set by the user, is
  // exhausted, or the arguments are invalid (bytes < 0, or an invalid alignment). The operation
  // then releases what it owns and returns SN_ENOMEM. The host records the failure: the step ends
  // with SN_ENOMEM (SN_EPLUGIN for invalid arguments) and an error that names the plugin, whatever
  // the operation returns.
  void *(*alloc)(sn_scratch *scratch, int64_t bytes, int64_t alignment);
};
SN_LAYOUT(sn_scratch, 16);

// Allocates n elements of `size` bytes, aligned to 64 bytes; NULL on failure, as above.
static inline void *sn_scratch_alloc(sn_scratch *scratch, int64_t n, int64_t size) {
  return scratch->alloc(scratch, n > INT64_MAX / size ? INT64_MAX : n * size, 64);
}

// Allocates n numbers; NULL on failure, as above.
static inline double *sn_scratch_reals(sn_scratch *scratch, int64_t n) {
  return (double *)sn_scratch_alloc(scratch, n, (int64_t)sizeof(double));
}

// Allocates n integers; NULL on failure, as above.
static inline int32_t *sn_scratch_ints(sn_scratch *scratch, int64_t n) {
  return (int32_t *)sn_scratch_alloc(scratch, n, (int64_t)sizeof(int32_t));
}

// Points `pointer` to n elements of its type; if memory is exhausted, the calling function
// returns SN_ENOMEM:
//
//   double *step;
//   SN_ALLOC(step, scratch, problem->nv);
#ifdef __cplusplus
#define SN_SAME_TYPE(pointer, memory) static_cast<decltype((pointer) + 0)>(memory)
#else
#define SN_SAME_TYPE(pointer, memory) (memory)
#endif
#define SN_ALLOC(pointer, scratch, n)                                                        \
  do {                                                                                      \
    (pointer) = SN_SAME_TYPE(                                                               \
        pointer, sn_scratch_alloc((scratch), (n), (int64_t)sizeof *(pointer)));              \
    if (!(pointer)) {                                                                       \
      return SN_ENOMEM;                                                                     \
    }                                                                                       \
  } while (0)

SN_END_DECLS

#endif
