// SPDX-License-Identifier: Apache-2.0
//
// Principal axes side by side with the reference engine, where moments are equal and so the axes
// are a matter of convention: shapes of revolution and cubes in every pose, arrangements of them,
// inertias with equal and almost equal moments. The reference stops within about a microradian of
// the axes, where Sinew goes on.

#include <stdarg.h>

#include "reference/pair.h"
#include "sinew/math.h"
#include "suite.h"

static uint64_t state;

static double uniform(double low, double high) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * ((double)(state >> 11) / 9007199254740992.0);
}

static int pick(int n) {
  return (int)uniform(0, n);
}

typedef struct text {
  char *at;
  size_t n;
} text;

enum { ROOM = 1 << 20 };

__attribute__((format(printf, 2, 3))) static void say(text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  t->n += (size_t)vsnprintf(t->at + t->n, ROOM - t->n, format, list);
  va_end(list);
  ck_assert_uint_lt(t->n, ROOM);
}

// ------------------------------------------------------------------ bodies

static void orientation(text *t) {
  static const char *const usual[] = { "",
                                       "euler='0 0 90'",
                                       "euler='45 0 0'",
                                       "euler='0 30 0'",
                                       "axisangle='1 1 1 60'",
                                       "zaxis='1 1 0'",
                                       "zaxis='0 0 -1'" };
  switch (pick(5)) {
    case 0:
      say(t, " euler='%g %g %g'", uniform(-180, 180), uniform(-180, 180), uniform(-180, 180));
      break;
    case 1:
      say(t, " axisangle='%g %g %g %g'", uniform(-1, 1), uniform(-1, 1), uniform(.1, 1),
          uniform(-180, 180));
      break;
    case 2:
      say(t, " quat='%g %g %g %g'", uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(.1, 1));
      break;
    default: say(t, " %s", usual[pick(7)]);
  }
}

// A shape, mostly with two equal sizes; the size is in `size`.
static const char *shape(char size[64]) {
  static const char *const type[] = { "sphere", "capsule", "cylinder", "box", "ellipsoid" };
  double r = pick(2) ? .1 : uniform(.02, .3), h = pick(2) ? .2 : uniform(.02, .3);
  snprintf(size, 64, "%g %g %g", r, pick(3) ? r : h, h);
  return type[pick(5)];
}

static void geom(text *t, double x, double y, double z) {
  char size[64];
  const char *type = shape(size);
  say(t, "<geom type='%s' size='%s' pos='%g %g %g'", type, size, x, y, z);
  orientation(t);
  say(t, "/>");
}

static void alone(text *t) {
  geom(t, uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
}

static void crossed(text *t) {
  geom(t, .1, .2, .3);
  geom(t, .1, .2, .3);
}

static void apart(text *t) {
  for (int n = 2 + pick(3); n > 0; n--) {
    alone(t);
  }
}

static void mirrored(text *t) {
  char size[64];
  const char *type = shape(size);
  double x = pick(2) * .1, y = pick(2) * .2, z = uniform(.1, .3);
  for (int side = -1; side < 2; side += 2) {
    say(t, "<geom type='%s' size='%s' pos='%g %g %g'/>", type, size, side * x, side * y, side * z);
  }
}

static void ring(text *t) {
  char size[64];
  const char *type = shape(size);
  const int n = 3 + pick(4);
  for (int i = 0; i < n; i++) {
    double a = 2 * SN_PI * i / n;
    say(t, "<geom type='%s' size='%s' pos='%.9g .1 %.9g'/>", type, size, .3 * cos(a), .3 * sin(a));
  }
}

static void corners(text *t) {
  for (int i = 0; i < 8; i++) {
    say(t, "<geom type='box' size='.05 .05 .05' pos='%g %g %g'/>", i & 1 ? .2 : -.2,
        i & 2 ? .2 : -.2, i & 4 ? .2 : -.2);
  }
}

static void trident(text *t) {
  static const char *const end[] = { ".3 0 0", "0 .3 0", "0 0 .3" };
  for (int i = 0; i < 3; i++) {
    say(t, "<geom type='%s' size='.05' fromto='0 0 0 %s'/>", pick(2) ? "capsule" : "cylinder",
        end[i]);
  }
}

// Two moments are equal or almost so, or all three; large enough that what the reference takes for
// nothing, 1e-12 kg m^2, is nothing beside them.
static void inertia(text *t) {
  double a = uniform(1, 1.4), b = pick(3) ? uniform(1, 1.4) : a, scale = pick(2) ? 1 : .1;
  double near = pick(3) ? a : a + pow(10, uniform(-16, -5)), full[9] = { 0 }, q[4], R[9];
  const double I[3] = { scale * a, scale * near, scale * b };
  for (int k = 0; k < 4; k++) {
    q[k] = uniform(-1, 1);
  }
  if (pick(3) == 0) {
    q[1 + pick(3)] = q[1 + pick(3)] = 0;
  }
  sn_normalize4(q);
  sn_quat_mat(R, q);
  for (int k = 0; k < 9; k++) {
    for (int n = 0; n < 3; n++) {
      full[k] += R[k / 3 * 3 + n] * I[n] * R[k % 3 * 3 + n];
    }
  }
  say(t, "<inertial mass='1' pos='0 0 0' fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>",
      full[0], full[4], full[8], full[1], full[2], full[5]);
}

static void (*const kind[])(text *) = { alone, crossed, apart,   mirrored,
                                        ring,  corners, trident, inertia };
enum { NKINDS = sizeof kind / sizeof *kind, NBODIES = 300 };

START_TEST(axes_agree) {
  text t = { .at = malloc(ROOM) };
  state = 3 + (uint64_t)_i;
  say(&t, "<mujoco><worldbody>");
  for (int i = 0; i < NBODIES; i++) {
    say(&t, "<body>");
    kind[_i](&t);
    say(&t, "</body>");
  }
  say(&t, "</worldbody></mujoco>");
  pair p;
  open_text(&p, t.at);
  for (int64_t i = 1; i <= NBODIES; i++) {
    const double *theirs = p.m->body_iquat + 4 * i;
    double off = difference(snm_body_iquat(p.model) + 4 * i, theirs, 4);
    ck_assert_msg(off < 2e-6, "body %d: %g %g %g %g, %g apart", (int)i, theirs[0], theirs[1],
                  theirs[2], theirs[3], off);
    const double *moments = p.m->body_inertia + 3 * i;
    ck_assert_double_le(difference(snm_body_inertia(p.model) + 3 * i, moments, 3),
                        1e-10 * largest(moments, 3));
  }
  close_pair(&p);
  free(t.at);
}
END_TEST

// Of very small bodies too the axes are those of the inertia: R diag(I) R' gives it back.
START_TEST(small_bodies_have_axes) {
  for (double scale = 1e-14; scale < 1e4; scale *= 10) {
    const double full[6] = {
      3 * scale, 2.5 * scale, 2 * scale, .2 * scale, -.3 * scale, .1 * scale
    };
    static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };
    char xml[500];
    snprintf(xml, sizeof xml,
             "<mujoco><worldbody><body><inertial mass='1' pos='0 0 0' "
             "fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/></body></worldbody></mujoco>",
             full[0], full[1], full[2], full[3], full[4], full[5]);
    pair p;
    open_text(&p, xml);
    const double *I = snm_body_inertia(p.model) + 3;
    double R[9];
    sn_quat_mat(R, snm_body_iquat(p.model) + 4);
    for (int k = 0; k < 6; k++) {
      const double *x = R + 3 * row[k], *y = R + 3 * col[k];
      double back = x[0] * I[0] * y[0] + x[1] * I[1] * y[1] + x[2] * I[2] * y[2];
      ck_assert_double_le(fabs(back - full[k]), 1e-12 * scale);
    }
    close_pair(&p);
  }
}
END_TEST

TESTS() {
  EACH(axes_agree, 0, NKINDS);
  TEST(small_bodies_have_axes);
}
