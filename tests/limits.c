// SPDX-License-Identifier: Apache-2.0
//
// How long a test may take, for all of them: by the time of the processor, which a busy machine
// does not lengthen. Each case is a process of its own, unless CK_FORK=no, and each gets the whole
// limit. What waits for nothing is ended by a limit of wall time, in runner.c.

#include <sys/resource.h>

#include "sanitized.h"

#ifdef SANITIZED
enum { SECONDS = 3600 };   // one process for all cases of a file, and each several times slower
#else
enum { SECONDS = 600 };
#endif

__attribute__((constructor)) static void set_limits(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur > SECONDS) {
    limit.rlim_cur = SECONDS;
    setrlimit(RLIMIT_CPU, &limit);
  }
}
