// SPDX-License-Identifier: Apache-2.0
//
// A library that a plugin of the tests brings along.

int BROUGHT_NAME(void);

#ifdef BROUGHT_NEXT
int BROUGHT_NEXT(void);
#endif

__attribute__((visibility("default"))) int BROUGHT_NAME(void) {
#ifdef BROUGHT_NEXT
  return 1 + BROUGHT_NEXT();
#else
  return 1;
#endif
}
