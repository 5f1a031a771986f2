// SPDX-License-Identifier: Apache-2.0
//
// Coulomb's law by sweeps over the contacts (nonsmooth Gauss-Seidel): the normal force of each
// contact, then its friction, are those of the law for the other forces as they are. Each sweep is
// cheap, forces are inside of the friction cones at any time, and the acceleration that they cause
// obeys the dynamics; but many sweeps are needed where masses differ much.
//
// Reference: Jean, The non-smooth contact dynamics method, Comput. Methods Appl. Mech. Engrg. 177
// (1999) 235-257.

#ifndef COULOMB_SWEEP_H
#define COULOMB_SWEEP_H

#include "common/dual.h"

// One sweep; returns the decrease of the costs of all contacts, each for fixed normal forces.
double sweep_law(dual *u);

#endif
