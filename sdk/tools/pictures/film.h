// SPDX-License-Identifier: Apache-2.0
//
// Films: the frames of a simulation, given to ffmpeg.

#ifndef SINEW_TOOLS_FILM_H
#define SINEW_TOOLS_FILM_H

#include "shown.h"

// Is this the name of a film? NULL is none.
int is_film(const char *path);
// Simulates and draws --fps frames a second of simulated time. DONE, or FAILED or USAGE after
// reporting.
int film_make(shown *x, session *s);

#endif
