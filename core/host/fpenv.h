// SPDX-License-Identifier: Apache-2.0
//
// The floating-point environment: rounding, what is flushed to zero, which exceptions trap. Code
// that is loaded or initialized must leave it as it found it, or every number that follows differs.

#ifndef SN_HOST_FPENV_H
#define SN_HOST_FPENV_H

#include <fenv.h>

typedef struct sn_fpenv {
  fenv_t env;
  int rounding;
} sn_fpenv;

void sn_fpenv_save(sn_fpenv *saved);
// NULL when nothing changed; else what did ("the rounding mode"), and it is as it was again.
const char *sn_fpenv_restore(const sn_fpenv *saved);

#endif
