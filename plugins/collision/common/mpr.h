// SPDX-License-Identifier: Apache-2.0
//
// One contact point of two convex operands by Minkowski portal refinement (Snethen, Game
// Programming Gems 7, 2008), as implemented in libccd.

#ifndef MPR_H
#define MPR_H

#include <ccd/ccd.h>

#include "convex.h"

// Sets up the method. tolerance: a length; iterations: limit.
void mpr_method(ccd_t *method, double tolerance, int64_t iterations);

// The contact point of two operands that are at most `margin` apart. Sets the inflation of both.
// Returns 1, or 0 when they are farther apart.
int mpr_contact(convex *first, convex *second, double margin, const ccd_t *method,
                sn_contact_point *contact);

#endif
