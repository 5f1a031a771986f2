// SPDX-License-Identifier: Apache-2.0
//
// Muscles, as documented for this family of engines (chapter "Muscle actuators"):
//
//   force = -F0 (FL(L) FV(V) act + FP(L))        gain = -F0 FL FV, bias = -F0 FP
//
// Length and velocity are scaled so that the range of the transmission, lengthrange, is the range
// [r0, r1] of the scaled muscle length; LT is the length of the tendon, in series and inelastic:
//
//   L0 = (lengthrange1 - lengthrange0) / (r1 - r0)      LT = lengthrange0 - r0 L0
//   L = (length - LT) / L0                              V = velocity / (L0 vmax)
//
//   FL  1|     _            FV   |      ____ fvmax      FP |       /
//        |   /   \               |    /                    |      /  1.5 fpmax at lmax
//       0|__/     \__          0 |__/                    0 |_____/
//          lmin 1 lmax             -1  0  fvmax-1                1  lmax
//
//   prm:  0,1 range   2 force (F0; negative: scale / acc0)   3 scale
//         4 lmin   5 lmax   6 vmax   7 fpmax   8 fvmax
//
// Activation follows the excitation u in [0, 1] with tau_act (0.5 + 1.5 act) when it rises and
// tau_deact / (0.5 + 1.5 act) when it falls (Millard et al., 2013); dynprm: tau_act, tau_deact.

#include <math.h>
#include <stddef.h>

#include "functions.h"
#include "sinew/instance.h"
#include "sinew/math.h"

typedef struct muscle {
  double strength;   // F0
  double rest;       // L0
  double length;     // L
  double velocity;   // V
  double lmin, lmax, vmax, fpmax, fvmax;
} muscle;

static muscle describe(const sn_actuators *b, int64_t i) {
  const double *prm = b->prm + SN_NACTPRM * i, *range = b->lengthrange + 2 * i;
  muscle m = { .lmin = prm[4], .lmax = prm[5], .vmax = prm[6], .fpmax = prm[7], .fvmax = prm[8] };
  m.strength = prm[2] >= 0 ? prm[2] : prm[3] / sn_max(SN_TINY, b->acc0[i]);
  m.rest = (range[1] - range[0]) / sn_max(SN_TINY, prm[1] - prm[0]);
  m.length = prm[0] + (b->length[i] - range[0]) / sn_max(SN_TINY, m.rest);
  m.velocity = b->velocity[i] / sn_max(SN_TINY, m.rest * m.vmax);
  return m;
}

// A smooth bump of four half parabolas: 0 at lmin, 1 at 1, 0 at lmax, and 0 outside. With `pushes`
// the inner parabola continues below lmin, where it is negative.
static double force_length(const muscle *m, int pushes, double *slope) {
  double L = m->length, low = 0.5 * (m->lmin + 1), high = 0.5 * (1 + m->lmax);
  *slope = 0;
  if (L >= m->lmax || (L < m->lmin && !pushes)) {
    return 0;
  }
  double inner_width = sn_max(SN_TINY, L < 1 ? 1 - low : high - 1);
  double outer_width = sn_max(SN_TINY, L < 1 ? low - m->lmin : m->lmax - high);
  double near = fabs(L - 1) / inner_width;
  double x = (L < 1 ? L - m->lmin : m->lmax - L) / outer_width;
  int outer = (m->lmin <= L && L <= low) || L > high;
  *slope = (L < 1 ? 1 : -1) * (outer ? x / outer_width : near / inner_width);
  return outer ? 0.5 * x * x : 1 - 0.5 * near * near;
}

// Shortening at V = -1 and faster there is no force; it saturates at fvmax.
static double force_velocity(const muscle *m) {
  double V = m->velocity, y = m->fvmax - 1;
  if (V <= -1) {
    return 0;
  }
  if (V <= 0) {
    return (V + 1) * (V + 1);
  }
  return V <= y ? m->fvmax - (y - V) * (y - V) / sn_max(SN_TINY, y) : m->fvmax;
}

static double force_velocity_slope(const muscle *m) {
  double V = m->velocity, y = m->fvmax - 1;
  if (V <= 0) {
    return V <= -1 ? 0 : 2 * (V + 1);
  }
  return V <= y ? 2 * (y - V) / sn_max(SN_TINY, y) : 0;
}

// Nothing below the resting length, quadratic half way to lmax, then straight.
static double force_passive(const muscle *m, double *slope) {
  double half = 0.5 * (m->lmax - 1), x = (m->length - 1) / sn_max(SN_TINY, half);
  *slope = 0;
  if (x <= 0) {
    return 0;
  }
  *slope = m->fpmax * sn_min(x, 1) / sn_max(SN_TINY, half);
  return m->fpmax * (x <= 1 ? 0.5 * x * x : x - 0.5);
}

// ------------------------------------------------------------------ operations

typedef struct gain {
  const sn_host *host;
  int pushes;
} gain;

static const sn_param gain_params[] = {
  { .name = "push_below_lmin",
    .default_value = "false",
    .type = SN_PARAM_BOOL,
    .summary = "muscles shorter than lmin push, as in MuJoCo 2.2.2; otherwise they have no active "
               "force" },
  { .name = NULL },
};

static sn_status gain_create(const sn_host *host, const sn_value *values, void **self,
                             sn_error *error) {
  gain *g = sn_host_alloc(host, sizeof *g, error);
  if (!g) {
    return SN_ENOMEM;
  }
  *g = (gain){ .host = host, .pushes = values[0].integer != 0 };
  *self = g;
  return SN_OK;
}

static void gain_destroy(void *self) {
  const gain *g = self;
  g->host->free(g->host, self);
}

static double active_force(const muscle *m, int pushes) {
  double slope;
  return -m->strength * force_length(m, pushes, &slope) * force_velocity(m);
}

static double active_dlength(const muscle *m, int pushes) {
  double slope;
  force_length(m, pushes, &slope);
  return -m->strength * slope * force_velocity(m) / sn_max(SN_TINY, m->rest);
}

static double active_dvelocity(const muscle *m, int pushes) {
  double slope, scale = 1 / sn_max(SN_TINY, m->rest * m->vmax);
  return -m->strength * force_length(m, pushes, &slope) * force_velocity_slope(m) * scale;
}

static double passive_force(const muscle *m, int pushes) {
  (void)pushes;
  double slope;
  return -m->strength * force_passive(m, &slope);
}

static double passive_dlength(const muscle *m, int pushes) {
  (void)pushes;
  double slope;
  force_passive(m, &slope);
  return -m->strength * slope / sn_max(SN_TINY, m->rest);
}

// self: of the gain; NULL for the bias.
static inline sn_status of_each(const void *self, const sn_actuators *b, double *out,
                                double (*f)(const muscle *, int)) {
  const gain *g = self;
  const int pushes = g && g->pushes;
  for (int64_t i = 0; i < b->n; i++) {
    const muscle m = describe(b, i);
    out[i] = f(&m, pushes);
  }
  return SN_OK;
}

static sn_status gain_value(const void *self, const sn_actuators *b, double *out,
                            sn_scratch *scratch) {
  (void)scratch;
  return of_each(self, b, out, active_force);
}

static sn_status gain_dlength(const void *self, const sn_actuators *b, double *out,
                              sn_scratch *scratch) {
  (void)scratch;
  return of_each(self, b, out, active_dlength);
}

static sn_status gain_dvelocity(const void *self, const sn_actuators *b, double *out,
                                sn_scratch *scratch) {
  (void)scratch;
  return of_each(self, b, out, active_dvelocity);
}

static sn_status bias_value(const void *self, const sn_actuators *b, double *out,
                            sn_scratch *scratch) {
  (void)self, (void)scratch;
  return of_each(NULL, b, out, passive_force);
}

static sn_status bias_dlength(const void *self, const sn_actuators *b, double *out,
                              sn_scratch *scratch) {
  (void)self, (void)scratch;
  return of_each(NULL, b, out, passive_dlength);
}

static int32_t states(const void *self, const double *prm) {
  (void)self;
  (void)prm;
  return 1;
}

static sn_status rate(const void *self, const sn_actuators *b, double *act_dot,
                      sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const double *prm = b->prm + SN_NACTPRM * i;
    double u = sn_clamp(b->ctrl[i * b->nctrl], 0, 1), w = b->act[i];
    double pace = 0.5 + 1.5 * sn_clamp(w, 0, 1);
    double t = u > w ? prm[0] * pace : prm[1] / pace;
    act_dot[i] = (u - w) / sn_max(SN_TINY, t);
  }
  return SN_OK;
}

// Rising (u - w) / (tau_act pace), falling (u - w) pace / tau_deact, with the slope of pace by w.
static sn_status derivative(const void *self, const sn_actuators *b, double *by_act,
                            double *by_ctrl, double *by_length, double *by_velocity,
                            sn_scratch *scratch) {
  (void)self, (void)by_length, (void)by_velocity, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const double *prm = b->prm + SN_NACTPRM * i;
    double u = sn_clamp(b->ctrl[i * b->nctrl], 0, 1), w = b->act[i];
    double pace = 0.5 + 1.5 * sn_clamp(w, 0, 1), slope = w > 0 && w < 1 ? 1.5 : 0;
    double t = u > w ? prm[0] * pace : prm[1] / pace;
    double bend = t <= SN_TINY ? 0 : u > w ? -slope / pace : slope / pace;
    t = sn_max(SN_TINY, t);
    by_ctrl[i] = b->ctrl[i * b->nctrl] > 0 && b->ctrl[i * b->nctrl] < 1 ? 1 / t : 0;
    by_act[i] = ((u - w) * bend - 1) / t;
  }
  return SN_OK;
}

static sn_status check(const void *self, const double *prm, const sn_host *host, sn_error *error) {
  (void)self;
  const char *wrong = NULL;
  if (!(prm[0] < prm[1])) {
    wrong = "the range of a muscle must be ascending: its first number is not less than its second";
  } else if (!(prm[4] < 1 && prm[5] > 1)) {
    wrong = "the force of a muscle is largest at length 1: lmin must be less than 1, and lmax "
            "greater";
  } else if (!(prm[3] > 0 && prm[6] > 0 && prm[7] > 0 && prm[8] > 0)) {
    wrong = "scale, vmax, fpmax and fvmax of a muscle must be positive";
  }
  return wrong ? host->error(host, error, SN_EINVAL, NULL, 0, 0, wrong) : SN_OK;
}

// A negative time constant would run away.
static sn_status dynamics_check(const void *self, const double *prm, const sn_host *host,
                                sn_error *error) {
  (void)self;
  if (prm[0] >= 0 && prm[1] >= 0) {
    return SN_OK;
  }
  return host->error(host, error, SN_EINVAL, NULL, 0, 0,
                     "the time constants of a muscle must not be negative");
}

// The defaults of parameters that are not set; the element <muscle> sets all of them.
static const sn_param dynamics_numbers[] = {
  { .name = "timeconst_act",
    .default_value = "1",
    .type = SN_PARAM_REAL,
    .summary = "time constant of activation, s; 0.01 of <muscle>" },
  { .name = "timeconst_deact",
    .default_value = "0",
    .type = SN_PARAM_REAL,
    .summary = "time constant of deactivation, s; 0.04 of <muscle>" },
  { .name = NULL },
};

#define NUMBER(n, f, text) \
  { .name = n, .default_value = f, .type = SN_PARAM_REAL, .summary = text }
#define NUMBERS(first)                                                                      \
  NUMBER("range0", first, "shortest operating length, in units of L0; 0.75 of <muscle>"),   \
      NUMBER("range1", "0", "longest operating length; 1.05 of <muscle>"),                  \
      NUMBER("force", "0", "peak active force F0; negative: scale / acc0; -1 of <muscle>"), \
      NUMBER("scale", "0", "F0 acc0, where force is negative; 200 of <muscle>"),            \
      NUMBER("lmin", "0", "shortest length with active force; 0.5 of <muscle>"),            \
      NUMBER("lmax", "0", "longest length with active force; 1.6 of <muscle>"),             \
      NUMBER("vmax", "0", "velocity without force, in L0 per second; 1.5 of <muscle>"),     \
      NUMBER("fpmax", "0", "passive force at lmax, in units of F0; 1.3 of <muscle>"),       \
      NUMBER("fvmax", "0", "force at saturating lengthening velocity; 1.2 of <muscle>"), {  \
    .name = NULL                                                                            \
  }

static const sn_param gain_numbers[] = { NUMBERS("1") }, bias_numbers[] = { NUMBERS("0") };

const sn_dynamics_ops muscle_dynamics_ops = {
  .head = { .size = sizeof(sn_dynamics_ops),
            .summary = "activation of a muscle, with different time constants for rise and fall" },
  .states = states,
  .rate = rate,
  .check = dynamics_check,
  .numbers = dynamics_numbers,
  .derivative = derivative,
};

const sn_force_ops muscle_gain_ops = {
  .head = { .size = sizeof(sn_force_ops),
            .flags = SN_ACTUATOR_LENGTHRANGE,
            .summary = "active force of a muscle by length and velocity",
            .params = gain_params,
            .create = gain_create,
            .destroy = gain_destroy },
  .value = gain_value,
  .dvelocity = gain_dvelocity,
  .check = check,
  .numbers = gain_numbers,
  .dlength = gain_dlength,
};

const sn_force_ops muscle_bias_ops = {
  .head = { .size = sizeof(sn_force_ops),
            .flags = SN_ACTUATOR_LENGTHRANGE,
            .summary = "passive force of a stretched muscle" },
  .value = bias_value,
  .check = check,
  .numbers = bias_numbers,
  .dlength = bias_dlength,
};
