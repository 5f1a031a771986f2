// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the loader of x_xy share.

#ifndef SN_TEST_X_XY_TEXT_H
#define SN_TEST_X_XY_TEXT_H

#include "loading.h"
#include "suite.h"

#define X(body) "<x_xy>\n<worldbody>\n" body "\n</worldbody>\n</x_xy>"
#define BOX "<geom type='box' mass='1' dim='1 1 1'/>"

static inline double *position(sn_data *d, const sn_model *m, const char *body) {
  int32_t id = sn_find(m, "body", body);
  ck_assert_msg(id >= 0, "%s", body);
  return snd_xpos(d) + 3 * id;
}

static inline void steps(const sn_model *m, sn_data *d, int n) {
  for (int i = 0; i < n; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
}

#endif
