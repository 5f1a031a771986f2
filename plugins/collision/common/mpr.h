// SPDX-License-Identifier: Apache-2.0
//
// One touch of two convex operands by Minkowski portal refinement (Snethen, Game Programming Gems
// 7, 2008) as the library libccd has it.

#ifndef MPR_H
#define MPR_H

#include <ccd/ccd.h>

#include "convex.h"

// tolerance: length, iterations: limit, of the method.
void mpr_method(ccd_t *method, double tolerance, int64_t iterations);

// Up to a distance of margin. Sets the layers of both operands. Returns the number of touches,
// one or none.
int mpr_touch(convex *first, convex *second, double margin, const ccd_t *method,
              sn_contact_point *touch);

#endif
