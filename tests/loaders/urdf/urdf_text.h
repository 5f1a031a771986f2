// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the loader of URDF share.

#ifndef SN_TEST_URDF_TEXT_H
#define SN_TEST_URDF_TEXT_H

#include "loading.h"
#include "suite.h"

static inline void setup(void) {
  open_engine("");
}

static inline void again(const char *more) {
  close_engine();
  open_engine(more);
}

#define R(inside) "<robot name='r'>\n" inside "\n</robot>"
#define INERTIA(m, xx, yy, zz, xy)                                                          \
  "<inertial><mass value='" m "'/><inertia ixx='" xx "' iyy='" yy "' izz='" zz "' ixy='" xy \
  "' ixz='0' iyz='0'/></inertial>"
#define UNIT INERTIA("1", "1", "1", "1", "0")
#define LINK(name) "<link name='" name "'>" UNIT "</link>\n"
#define JOINT(name, type, parent, child, more)                                            \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child \
  "'/>" more "</joint>\n"
#define TWO(type, more) R(LINK("a") LINK("b") JOINT("j", type, "a", "b", more))
#define AWAKE "<mujoco><compiler fusestatic='false'/></mujoco>\n"
#define VISIBLE "<mujoco><compiler discardvisual='false'/></mujoco>\n"
#define SHAPE(what, inside) "<" what "><geometry>" inside "</geometry></" what ">"

#endif
