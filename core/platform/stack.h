// SPDX-License-Identifier: Apache-2.0
//
// The functions that run in this thread, as the tables for exceptions know them.

#ifndef SI_PLATFORM_STACK_H
#define SI_PLATFORM_STACK_H

#include <stdint.h>

// Has the function ended whose frame contained the address `frame` and that would return to
// `returns`? frame is above the stack pointer. 0 also if that cannot be known, since a function
// between has no tables. A walk along the stack: microseconds.
int si_stack_has_left(uintptr_t frame, uintptr_t returns);

#endif
