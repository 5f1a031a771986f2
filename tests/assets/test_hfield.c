// SPDX-License-Identifier: Apache-2.0
//
// Height fields from numbers and from files: heights fill the range, and what is wrong is rejected.

#include "assets/meshes.h"
#include "suite.h"

static int try_hfield(const sn_hfield_def *hfield) {
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.type = SN_GEOM_HFIELD;
  geom.hfield = "h";
  new_spec(0);
  OK(sn_spec_add_hfield(spec, hfield, NULL, NULL, error));
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
  model = sn_compile(spec, error);
  return model != NULL;
}

static sn_hfield_def hfield_def(void) {
  sn_hfield_def h;
  sn_default_hfield(&h);
  h.name = "h";
  h.extent[0] = 2;
  h.extent[1] = 3;
  h.extent[2] = 0.5;
  h.extent[3] = 0.25;
  return h;
}

START_TEST(heights_fill_the_range) {
  static const double heights[6] = { -1, 0, 1, 2, 3, 7 };
  sn_hfield_def h = hfield_def();
  h.nrow = 2;
  h.ncol = 3;
  h.data = (sn_reals){ heights, 6 };
  ck_assert_msg(try_hfield(&h), "%s", sn_error_text(error));
  for (int i = 0; i < 6; i++) {
    NEAR(model->hfield_data[i], (heights[i] + 1) / 8, 1e-15);
  }
  NEAR(model->geom_size[2], 0.375, 1e-15);
  ck_assert_int_eq(model->geom_dataid[0], 0);

  // the same from a file
  nbytes = 0;
  put_int(2), put_int(3);
  for (int i = 0; i < 6; i++) {
    put_float(heights[i]);
  }
  h = hfield_def();
  h.file = "heights.bin";
  h.bytes = bytes;
  h.nbytes = nbytes;
  ck_assert_msg(try_hfield(&h), "%s", sn_error_text(error));
  ck_assert_int_eq(model->hfield_ncol[0], 3);
  for (int i = 0; i < 6; i++) {
    NEAR(model->hfield_data[i], (heights[i] + 1) / 8, 1e-15);
  }
  for (h.nbytes = 0; h.nbytes < nbytes; h.nbytes++) {
    ck_assert(!try_hfield(&h));
  }
}
END_TEST

START_TEST(heights_that_are_wrong) {
  double heights[6] = { 0, 1, 2, 3, 4, 5 };
  sn_hfield_def h = hfield_def();
  h.nrow = 2;
  h.ncol = 3;
  h.data = (sn_reals){ heights, 6 };
  h.data.n = 5;
  ck_assert(!try_hfield(&h));
  h.data.n = 0;
  h.ncol = 1;
  ck_assert(!try_hfield(&h));
  h.ncol = 3;
  h.extent[2] = 0;
  ck_assert(!try_hfield(&h));
  nbytes = 0;
  put_int(2), put_int(2);
  put_float(0), put_float(1), put_float(INFINITY), put_float(2);
  h = hfield_def();
  h.file = "h.bin";
  h.bytes = bytes;
  h.nbytes = nbytes;
  ck_assert(!try_hfield(&h));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "row 1, column 0"));
  // a height field that claims to be huge
  nbytes = 0;
  put_int(0x7fffffff), put_int(0x7fffffff);
  h = hfield_def();
  h.file = "h.bin";
  h.bytes = bytes;
  h.nbytes = nbytes;
  ck_assert(!try_hfield(&h));
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(heights_fill_the_range);
  TEST(heights_that_are_wrong);
}
