// SPDX-License-Identifier: Apache-2.0
//
// What a process still has in memory when a model has been loaded: the model, and not also what was
// needed to read its files.

#include <malloc.h>
#include <unistd.h>

#include "default_engine.h"
#include "sanitized.h"
#include "suite.h"
#include "temporary_folder.h"

enum { SIDE = 300 };   // points of a bumpy square, in each direction

static void put_mesh(void) {
  FILE *f = fopen(in_folder("square.obj"), "w");
  ck_assert_ptr_nonnull(f);
  for (int i = 0; i < SIDE * SIDE; i++) {
    fprintf(f, "v %.6f %.6f %.6f\n", 1e-2 * (i / SIDE), 1e-2 * (i % SIDE), 1e-3 * (i * 7919 % 101));
  }
  for (int i = 0; i < SIDE * (SIDE - 1); i++) {
    if (i % SIDE < SIDE - 1) {
      fprintf(f, "f %d %d %d\nf %d %d %d\n", i + 1, i + 2, i + SIDE + 1, i + 2, i + SIDE + 2,
              i + SIDE + 1);
    }
  }
  ck_assert_int_eq(fclose(f), 0);
  put_text("m.xml",
           "<mujoco><asset><mesh name='m' file='square.obj'/></asset><worldbody>"
           "<geom type='mesh' mesh='m' contype='0' conaffinity='0'/></worldbody></mujoco>");
}

// Bytes of memory that the process uses.
static double resident(void) {
  long all, used = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  ck_assert(f && fscanf(f, "%ld %ld", &all, &used) == 2);
  fclose(f);
  return (double)used * (double)sysconf(_SC_PAGESIZE);
}

START_TEST(files_leave_nothing) {
  put_mesh();
  sn_model *m = sn_load(engine, in_folder("m.xml"), error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  const double before = resident();
  malloc_trim(0);
  const double freed = before - resident();
  ck_assert_msg(freed < 3e6, "%g of %g bytes are not in use", freed, before);
  sn_model_free(m);
}
END_TEST

static void set_up(void) {
  open_folder();
  open_engine();
}

static void tear_down(void) {
  close_engine();
  close_folder();
}

TESTS_IN_PROCESSES() {
#ifdef SANITIZED
  NEEDS(0, "a sanitizer has its own allocator");
#endif
  FIXTURE(set_up, tear_down);
  TEST(files_leave_nothing);
}
