// SPDX-License-Identifier: Apache-2.0

#ifndef SI_PLATFORM_CLOCK_H
#define SI_PLATFORM_CLOCK_H

// Seconds of a clock that only runs forwards, from a start of its own.
double si_clock(void);

#endif
