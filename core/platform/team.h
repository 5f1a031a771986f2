// SPDX-License-Identifier: Apache-2.0
//
// Threads that work together again and again, for microseconds each time: they are started once,
// and look for the next work for a short while before they sleep.

#ifndef SI_PLATFORM_TEAM_H
#define SI_PLATFORM_TEAM_H

#include <stdint.h>

typedef struct si_team si_team;

// n members, of which the first is the thread that calls si_team_run; the others are threads, which
// the first run starts. NULL: no memory.
si_team *si_team_new(int32_t n);
void si_team_free(si_team *team);

// Calls work(context, member) on the calling thread, as member 0, and meanwhile on those of the
// others that are awake, can be started and come before member 0 has ended: the work must be of a
// kind that any number of members finishes. Returns when all have ended. What they wrote is visible
// to the caller.
void si_team_run(si_team *team, void (*work)(void *context, int32_t member), void *context);

// Waits for the members of a run that the calling thread left by a jump.
void si_team_leave(si_team *team);

#endif
