// SPDX-License-Identifier: Apache-2.0
//
// Threads that work on one thing and end with it.

#ifndef SI_PLATFORM_THREAD_H
#define SI_PLATFORM_THREAD_H

#include <stdint.h>

// Processors of this machine that are in use; at least 1.
int64_t si_processors(void);

// Runs work(context) on n threads, of which the calling one is the first, and returns when all have
// ended. Threads that the system does not start are left out: the work must be of a kind that any
// number of threads finishes.
void si_threads_run(int64_t n, void (*work)(void *context), void *context);

#endif
