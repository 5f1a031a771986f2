// SPDX-License-Identifier: Apache-2.0
//
// Stiffness, damping and impedance of a constraint from solref and solimp.
//
//   solimp = (dmin, dmax, width, midpoint, power): the impedance d rises from dmin to dmax while
//   the residual grows from 0 to `width`
//
//        d
//   dmax |          ________
//        |        /
//        |       |  . midpoint
//   dmin |______/
//        +-----------------> |x| / width
//
//     y(s) = s^p / m^(p-1)              for s <= m
//     y(s) = 1 - (1-s)^p / (1-m)^(p-1)  for s > m
//
//   solref = (timeconst, dampratio), both positive: a mass-spring-damper of that time constant
//     b = 2 / (dmax timeconst),  k = 1 / (dmax timeconst dampratio)^2
//   solref = (-stiffness, -damping), none positive:
//     b = damping / dmax,        k = stiffness / dmax^2
//   One number of each sign means nothing; the default takes its place.
//
// Chapter Modeling, "Solver parameters".

#include <math.h>

#include "constraint/rows.h"
#include "sinew/math.h"

#define MIN_IMPEDANCE 1e-4   // also of midpoints, from both ends
#define MAX_IMPEDANCE 0.9999

static const double default_solref[SI_NREFERENCE] = { 0.02, 1 };

// The sigmoid y(s) on [0, 1] and its slope.
static double sigmoid(double s, double middle, double power, double *slope) {
  if (power == 1) {
    *slope = 1;
    return s;
  }
  if (power == 2) {
    if (s <= middle) {
      *slope = 2 * s / middle;
      return s * s / middle;
    }
    *slope = 2 * (1 - s) / (1 - middle);
    return 1 - (1 - s) * (1 - s) / (1 - middle);
  }
  if (s <= middle) {
    double a = pow(s / middle, power - 1);
    *slope = power * a;
    return s * a;
  }
  double a = pow((1 - s) / (1 - middle), power - 1);
  *slope = power * a;
  return 1 - (1 - s) * a;
}

double si_impedance(const double *solimp, double x, double *slope) {
  double dmin = sn_clamp(solimp[0], MIN_IMPEDANCE, MAX_IMPEDANCE);
  double dmax = sn_clamp(solimp[1], MIN_IMPEDANCE, MAX_IMPEDANCE);
  double width = sn_max(0, solimp[2]);
  *slope = 0;
  if (dmin == dmax || width <= SN_TINY) {
    return 0.5 * (dmin + dmax);
  }
  double s = fabs(x) / width;
  if (s >= 1) {
    return dmax;
  }
  if (s == 0) {
    return dmin;
  }
  double middle = sn_clamp(solimp[3], MIN_IMPEDANCE, MAX_IMPEDANCE);
  double y = sigmoid(s, middle, sn_max(1, solimp[4]), slope);
  *slope *= (x < 0 ? -1 : 1) * (dmax - dmin) / width;
  return dmin + y * (dmax - dmin);
}

void si_impedance_spring(const sn_model *m, const double *solref, const double *solimp,
                         double *stiffness, double *damping) {
  if ((solref[0] > 0) != (solref[1] > 0)) {
    solref = default_solref;
  }
  double dmax = sn_clamp(solimp[1], MIN_IMPEDANCE, MAX_IMPEDANCE);
  if (solref[0] > 0) {
    double time = solref[0];
    if (!(m->opt.disableflags & SN_DISABLE_REFSAFE)) {
      time = sn_max(time, 2 * m->opt.timestep);
    }
    *damping = 2 / (dmax * time);
    *stiffness = 1 / (dmax * dmax * time * time * solref[1] * solref[1]);
  } else {
    *damping = -solref[1] / dmax;
    *stiffness = -solref[0] / (dmax * dmax);
  }
}
