// SPDX-License-Identifier: Apache-2.0
//
// Models written by code.

#include "scenes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "sinew/math.h"

static char text[1 << 20];
static size_t used;

__attribute__((format(printf, 1, 2))) static void add(const char *form, ...) {
  va_list arguments;
  va_start(arguments, form);
  const int n = vsnprintf(text + used, sizeof text - used, form, arguments);
  va_end(arguments);
  used += n > 0 ? (size_t)n : 0;
}

static void begin(const char *options) {
  used = 0;
  add("<mujoco>%s<worldbody>", options);
}

static const char *end(const char *more) {
  add("</worldbody>%s</mujoco>", more);
  return text;
}

double scene_random(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 23) - 1;
}

#define FLOOR "<geom type='plane' size='20 20 1'/>"

// ------------------------------------------------------------------ loops and chains

static void add_upright(int i, int with_beam) {
  add("<body pos='%d 0 0'><joint/><inertial pos='0 0 .5' mass='1' "
      "diaginertia='.08333333333333333 .08333333333333333 1e-4'/><site name='t%d' pos='0 0 1'/>",
      i, i);
  if (with_beam) {
    add("<body pos='0 0 1'><joint/><inertial pos='.5 0 0' mass='1' "
        "diaginertia='1e-4 .08333333333333333 .08333333333333333'/>"
        "<site name='e%d' pos='1 0 0'/></body>",
        i);
  }
  add("</body>");
}

const char *parallelograms_scene(double n) {
  begin("<option gravity='0 0 -9.81'><flag energy='enable'/></option>"
        "<default><joint axis='0 1 0'/></default>");
  for (int i = 0; i <= n; i++) {
    add_upright(i, i < n);
  }
  add("</worldbody><equality>");
  for (int i = 0; i < n; i++) {
    add("<connect site1='e%d' site2='t%d'/>", i, i + 1);
  }
  add("</equality></mujoco>");
  return text;
}

const char *chain_scene(double n) {
  begin("<option gravity='0 0 -9.81'><flag energy='enable'/></option>"
        "<default><geom type='capsule' fromto='0 0 0 .1 0 0' size='.01' contype='0' "
        "conaffinity='0'/></default>");
  for (int i = 0; i < n; i++) {
    add("<body pos='%s'><joint axis='0 1 0'/><geom/>", i ? ".1 0 0" : "0 0 0");
  }
  for (int i = 0; i < n; i++) {
    add("</body>");
  }
  return end("");
}

// ------------------------------------------------------------------ boxes

const char *stack_scene(double n) {
  const double shift = n < 0 ? 1e-3 : 0;
  begin("<option cone='elliptic'/>");
  add(FLOOR);
  for (int i = 0; i < fabs(n); i++) {
    add("<body pos='%g 0 %g'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>",
        i % 2 * shift, 0.1 + 0.2 * i);
  }
  return end("");
}

const char *heavy_box_scene(double mass) {
  begin("<option cone='elliptic'/>");
  add(FLOOR
      "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
      "<body pos='0 0 .3'><freejoint/><geom type='box' size='.09 .09 .1' mass='%.17g'/></body>",
      mass);
  return end("");
}

const char *weights_scene(double shared) {
  begin(shared != 0 ? "<extension><contact type='shared_stiffness' name='shared'/></extension>"
                    : "");
  add(FLOOR
      "<body pos='0 0 .0999'><freejoint/><geom size='.1' mass='1'/></body>"
      "<body pos='1 0 .0999'><freejoint/><geom type='cylinder' size='.2 .1' mass='1'/></body>");
  return end("");
}

const char *tower_scene(int n, double ratio) {
  double mass = 1;
  begin("<option cone='elliptic'/>");
  add(FLOOR);
  for (int i = 0; i < n; i++, mass *= ratio) {
    add("<body pos='0 0 %g'><freejoint/><geom type='box' size='.1 .1 .1' mass='%.17g'/></body>",
        0.1 + 0.2 * i, mass);
  }
  return end("");
}

const char *wall_scene(int courses, int bricks) {
  begin("<option cone='elliptic'/>");
  add(FLOOR);
  for (int i = 0; i < courses; i++) {
    for (int k = 0; k < bricks; k++) {
      add("<body pos='%g 0 %g'><freejoint/><geom type='box' size='.1 .05 .05' mass='2'/></body>",
          0.201 * k + 0.1 * (i % 2), 0.05 + 0.1 * i);
    }
  }
  return end("");
}

const char *balls_scene(double friction) {
  begin("<option cone='elliptic'><flag energy='enable'/></option>");
  add("<geom type='plane' size='20 20 1' friction='%g' condim='%d'/>", friction,
      friction > 0 ? 3 : 1);
  for (int i = 0; i < 216; i++) {
    const int x = i % 6, y = i / 6 % 6, z = i / 36;
    add("<body pos='%g %g %g'><freejoint/><geom size='.1' mass='1' friction='%g' condim='%d'/>"
        "</body>",
        0.205 * x + 0.01 * z, 0.205 * y, 0.15 + 0.205 * z, friction, friction > 0 ? 3 : 1);
  }
  return end("");
}

const char *heap_scene(int n, double ratio) {
  uint32_t seed = (uint32_t)n;
  begin("<option cone='elliptic'/>");
  add(FLOOR "<geom type='plane' pos='.4 0 0' zaxis='-1 0 0' size='9 9 1'/>"
            "<geom type='plane' pos='-.4 0 0' zaxis='1 0 0' size='9 9 1'/>"
            "<geom type='plane' pos='0 .4 0' zaxis='0 -1 0' size='9 9 1'/>"
            "<geom type='plane' pos='0 -.4 0' zaxis='0 1 0' size='9 9 1'/>");
  for (int i = 0; i < n; i++) {
    const double mass = pow(ratio, 0.5 + 0.5 * scene_random(&seed));
    const double x = 0.25 * scene_random(&seed), y = 0.25 * scene_random(&seed);
    const double tilt = 60 * scene_random(&seed);
    add("<body pos='%.9g %.9g %.9g' euler='%.9g 20 0'><freejoint/><geom type='%s' "
        "size='.08 .1 .06' mass='%.9g'/></body>",
        x, y, 0.15 + 0.1 * i, tilt, i % 2 ? "sphere" : "box", mass);
  }
  return end("");
}

// ------------------------------------------------------------------ an arch, a grasp

enum { VOUSSOIRS = 11 };

static void add_voussoir(double thickness, int index) {
  const double from = SN_PI * index / VOUSSOIRS, to = SN_PI * (index + 1) / VOUSSOIRS;
  const double middle = 0.5 * (from + to);
  add("<mesh name='v%d' vertex='", index);
  for (int i = 0; i < 8; i++) {
    const double radius = 1 + (i & 1 ? 0.5 : -0.5) * thickness, angle = i & 2 ? to : from;
    add(" %.17g %g %.17g", radius * cos(angle) - cos(middle), i & 4 ? 0.2 : -0.2,
        radius * sin(angle) - sin(middle));
  }
  add("'/>");
}

const char *arch_scene(double thickness) {
  const double stop = 1 + 0.5 * thickness + 0.1;
  used = 0;
  add("<mujoco><option cone='elliptic'/><asset>");
  for (int i = 0; i < VOUSSOIRS; i++) {
    add_voussoir(thickness, i);
  }
  add("</asset><worldbody><geom type='box' size='2 .3 .1' pos='0 0 -.1'/>"
      "<geom type='box' size='.1 .3 .05' pos='%g 0 .05' priority='1' condim='1'/>"
      "<geom type='box' size='.1 .3 .05' pos='%g 0 .05' priority='1' condim='1'/>",
      stop, -stop);
  for (int i = 0; i < VOUSSOIRS; i++) {
    const double middle = SN_PI * (i + 0.5) / VOUSSOIRS;
    add("<body pos='%.17g 0 %.17g'><freejoint/><geom type='mesh' mesh='v%d'/></body>", cos(middle),
        sin(middle), i);
  }
  return end("");
}

const char *grasp_scene(double mass, int condim) {
  begin("<option cone='elliptic'/>");
  add("<body pos='-.03 0 0'><joint name='left' type='slide' axis='1 0 0' damping='10'/>"
      "<geom type='box' size='.01 .03 .03' mass='.1'/></body>"
      "<body pos='.03 0 0'><joint name='right' type='slide' axis='-1 0 0' damping='10'/>"
      "<geom type='box' size='.01 .03 .03' mass='.1'/></body>"
      "<body><freejoint/><geom type='capsule' size='.0202 .02' mass='%.9g' condim='%d' "
      "friction='1 .005 .0005'/></body>",
      mass, condim);
  return end("<actuator><motor joint='left' gear='40'/><motor joint='right' gear='40'/>"
             "</actuator><keyframe><key ctrl='1 1'/></keyframe>");
}
