// SPDX-License-Identifier: Apache-2.0
//
// What a name may be: text that every format can write and read again, see base/character.h.

#include "base/character.h"
#include "spec/spec.h"

int64_t si_name_fault(const char *name) {
  int64_t at = 0;
  while (name && name[at]) {
    int n = si_character(name + at);
    if (n == 0) {
      return at;
    }
    at += n;
  }
  return -1;
}
