// SPDX-License-Identifier: Apache-2.0
//
// Added mass and inertia of an ellipsoid in a fluid, for the ellipsoid fluid model: the twelve
// numbers of geom_fluid,
//
//   0       1: the geom takes part
//   1 - 5   the five coefficients: blunt drag, slender drag, angular drag, Kutta lift, Magnus lift
//   6 - 8   added mass along x y z, for a fluid of density 1
//   9 - 11  added inertia about x y z, for a fluid of density 1
//
// With half axes a b c, volume V and Green's coefficients
//
//   kappa_a = a b c \int_0^inf dl / ((a^2 + l) sqrt((a^2 + l)(b^2 + l)(c^2 + l)))
//
// the added mass is V kappa / (2 - kappa), and the added inertia about a
//
//   V/5 (b^2 - c^2)^2 (kappa_c - kappa_b) / (2 (b^2 - c^2) + (b^2 + c^2)(kappa_b - kappa_c))
//
// Lamb, Hydrodynamics (1932), sections 114, 115. The integral is 2/3 R_D(b^2, c^2, a^2), an
// elliptic integral in the form of Carlson, Numer. Math. 33 (1979), computed by duplication.

#include <math.h>

#include "compile/compile.h"
#include "sinew/math.h"

// Carlson's R_D(x, y, z). Each step divides the spread of the arguments by four.
static double elliptic_rd(double x, double y, double z) {
  double sum = 0, power = 1;
  for (int i = 0; i < 40; i++) {
    double lambda = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
    sum += power / (sqrt(z) * (z + lambda));
    power /= 4;
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
  }
  double mean = (x + y + 3 * z) / 5;
  return 3 * sum + power / (mean * sqrt(mean));
}

// The half axes of the ellipsoid that stands for a shape.
static void half_axes(int32_t type, const double *size, double *axis) {
  double r = size[0];
  const double sphere[3] = { r, r, r }, capsule[3] = { r, r, r + size[1] },
               cylinder[3] = { r, r, size[1] };
  const double *const table[SN_NGEOMTYPES] = {
    [SN_GEOM_SPHERE] = sphere, [SN_GEOM_CAPSULE] = capsule, [SN_GEOM_CYLINDER] = cylinder
  };
  sn_copy3(axis, table[type] ? table[type] : size);
}

void si_fluid_numbers(int32_t type, const double *size, const double *coef, double *out) {
  double a[3], kappa[3];
  half_axes(type, size, a);
  double product = a[0] * a[1] * a[2], volume = 4.0 / 3 * SN_PI * product;
  out[0] = 1;
  for (int i = 0; i < 5; i++) {
    out[1 + i] = coef[i];
  }
  if (!(product > 0)) {
    return;
  }
  for (int i = 0; i < 3; i++) {
    double b = a[(i + 1) % 3], c = a[(i + 2) % 3];
    kappa[i] = product * (2.0 / 3) * elliptic_rd(b * b, c * c, a[i] * a[i]);
    out[6 + i] = volume * kappa[i] / (2 - kappa[i]);
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double b2 = a[j] * a[j], c2 = a[k] * a[k], d = b2 - c2;
    double denominator = 2 * d + (b2 + c2) * (kappa[j] - kappa[k]);
    // a body of revolution does not take the fluid along
    out[9 + i] = fabs(d) < 1e-12 * (b2 + c2)
                     ? 0
                     : volume / 5 * d * d * (kappa[k] - kappa[j]) / denominator;
  }
}
