// SPDX-License-Identifier: Apache-2.0
//
// Robots as people publish them: each file beside this one has one property on which loaders of
// URDF fail. The table says what becomes of it.
//
//   sizes     of the model; the mass is that of all bodies, without the world and what is welded
//             to it
//   warning   words of the first warning; NULL: there is none. What the file says that a simulation
//             has no use for is among the notes
//   warnings  their number, if it is not one
//   rejected   words of the error; NULL: the robot loads
//   lines     of [plugin.urdf], instead of the default configuration's
//
// A robot that loads is also written as MJCF and loaded again, here and by the reference engine.

#ifndef SINEW_TESTS_ROBOTS_TABLE_H
#define SINEW_TESTS_ROBOTS_TABLE_H

#include <stdint.h>

enum { ROBOT_ASSIMP = 1 };   // needs the plugin that reads Collada

typedef struct robot_row {
  const char *file, *lines;
  int32_t nq, nv;
  double mass;
  const char *warning, *rejected;
  int32_t warnings;
  const char *packages;   // ROS_PACKAGE_PATH, a folder of the corpus
  int flags;
} robot_row;

#define LOADS(path, more, q, v, kg) .file = path, .lines = more, .nq = q, .nv = v, .mass = kg
#define REJECTED(path, more, words) .file = path, .lines = more, .rejected = words

#define FLOATING "floating_base = true\n"
#define AUTO "floating_base = auto\n"
#define AS_WRITTEN "inertia = reject\n"
#define ALL_MESHES "missing_meshes = error\n"

static const robot_row robots[] = {
  // inertia that no rigid body has: the default configuration repairs it
  { LOADS("inertia_triangle.urdf", "", 1, 1, 1), .warning = "are not those of a rigid body" },
  { REJECTED("inertia_triangle.urdf", AS_WRITTEN, "is not that of a rigid body") },
  { LOADS("inertia_negative.urdf", "", 1, 1, 1), .warning = "are not those of a rigid body" },
  { REJECTED("inertia_negative.urdf", AS_WRITTEN, "is not that of a rigid body") },
  { LOADS("inertia_balanced.urdf", "", 1, 1, 1), .warning = "balanceinertia" },
  { LOADS("inertia_below.urdf", "", 1, 1, 1) },
  { LOADS("inertia_asymmetric.urdf", "", 1, 1, 1), .warning = "symmetric" },
  // the mass of a mesh is 1000 kg/m^3 times its volume
  { LOADS("collada/robot.urdf", "", 1, 1, 6), .flags = ROBOT_ASSIMP },
  { LOADS("collada_units/robot.urdf", "", 1, 1, 6), .flags = ROBOT_ASSIMP },
  { LOADS("commas.urdf", "", 1, 1, 1) },
  // where meshes are
  { LOADS("package_xml/some_folder/urdf/robot.urdf", "", 1, 1, 6) },
  { LOADS("package_path/robot/robot.urdf", "", 1, 1, 6),
    .packages = "package_path/far/away/crates" },
  { REJECTED("package_path/robot/robot.urdf", ALL_MESHES, "package://crate_description") },
  { LOADS("package_by_folder/box_description/urdf/robot.urdf", "", 1, 1, 6) },
  { LOADS("folder_above/urdf/robots/robot.urdf", "", 1, 1, 6) },
  { LOADS("dots/robot.urdf", "", 1, 1, 6) },
  { LOADS("mesh_missing.urdf", "", 1, 1, 1), .warning = "no_such_package" },
  { REJECTED("mesh_missing.urdf", ALL_MESHES, "no_such_package") },
  { LOADS("mesh_missing_mass.urdf", "", 1, 1, 0.001), .warning = "no_such_package", .warnings = 2 },
  { REJECTED("mesh_missing_mass.urdf", ALL_MESHES, "no_such_package") },
  { LOADS("mesh_unreadable/robot.urdf", "", 1, 1, 1), .warning = "cannot be read" },
  { REJECTED("mesh_unreadable/robot.urdf", ALL_MESHES, "cannot be read") },
  // what is discarded is not judged
  { LOADS("visual_of_no_size.urdf", "", 1, 1, 1) },
  { LOADS("no_links.urdf", "", 0, 0, 0), .warning = "no links" },
  { LOADS("one_link.urdf", "", 0, 0, 0) },
  { LOADS("one_link.urdf", FLOATING, 7, 6, 4) },
  { LOADS("massless.urdf", "", 1, 1, 0.001), .warning = "has mass 0" },
  { REJECTED("massless.urdf", AS_WRITTEN, "\"arm\" moves") },
  { LOADS("mass_of_zero.urdf", "", 1, 1, 0.001), .warning = "has mass 0" },
  { REJECTED("mass_of_zero.urdf", AS_WRITTEN, "\"arm\" moves") },
  { REJECTED("link_twice.urdf", "", "another link \"arm\"") },
  { REJECTED("joint_twice.urdf", "", "another joint has the same name") },
  { REJECTED("empty_geometry.urdf", "", "geometry needs one of") },
  { REJECTED("collision_of_no_size.urdf", "", "radius must be positive") },
  // roots
  { LOADS("base_link.urdf", "", 1, 1, 1) },
  { LOADS("base_link.urdf", FLOATING, 8, 7, 5) },
  { LOADS("base_link.urdf", AUTO, 8, 7, 5) },
  { LOADS("world_link.urdf", "", 1, 1, 1) },
  { LOADS("world_link.urdf", AUTO, 1, 1, 1) },
  { LOADS("world_inertia.urdf", "", 1, 1, 1) },
  { LOADS("world_floating.urdf", "", 8, 7, 5) },
  { LOADS("implicit_world.urdf", "", 1, 1, 1) },
  { LOADS("roots.urdf", "", 2, 2, 2), .warning = "2 links are not the child of any joint" },
  // joints
  { LOADS("joints.urdf", "", 6, 6, 5) },
  { LOADS("mimic.urdf", "", 2, 2, 2) },
  { LOADS("mimic_effort.urdf", "actuators = motor\n", 2, 2, 6) },
  { LOADS("mimic_fixed.urdf", "", 2, 2, 4), .warning = "<mimic>", .warnings = 2 },
  { LOADS("mimic_unknown.urdf", "", 1, 1, 1), .warning = "elbow" },
  { LOADS("mimic_itself.urdf", "", 1, 1, 1), .warning = "itself" },
  { LOADS("effort.urdf", "", 2, 2, 2) },
  { LOADS("transmission.urdf", "", 1, 1, 1) },
  { LOADS("transmission.urdf", "transmissions = true\n", 1, 1, 5) },
  { LOADS("lower_above_upper.urdf", "", 1, 1, 1), .warning = "lower 1 is above upper -1" },
  // links
  { LOADS("turned_inertia.urdf", "", 1, 1, 4) },
  { LOADS("empty_links.urdf", "", 2, 2, 3) },
  { LOADS("chain.urdf", "", 150, 150, 1.5) },
  { LOADS("huge_mass.urdf", "", 1, 1, 1e308) },
  // what other programs read
  { LOADS("other_programs.urdf", "", 1, 1, 1) },
  { LOADS("declaration.urdf", "", 1, 1, 1) },
  { LOADS("namespaces.urdf", "", 1, 1, 1) },
  // looks and meshes
  { LOADS("colors.urdf", "", 1, 1, 1) },
  { LOADS("shown/robot.urdf", "", 1, 1, 1), .flags = ROBOT_ASSIMP },
  { LOADS("turned_faces/robot.urdf", "", 1, 1, 6), .warning = "turned" },
  { LOADS("text_stl/robot.urdf", "", 1, 1, 6) },
  { LOADS("points/robot.urdf", "", 1, 1, 6) },
  { LOADS("mirrored/robot.urdf", "", 1, 1, 12) },
  { LOADS("same_names/robot.urdf", "", 2, 2, 18) },
  // what is no URDF, or not yet
  { REJECTED("xacro.urdf", "", "xacro") },
  { LOADS("xacro_left.urdf", "", 1, 1, 1), .warning = "xacro:camera" },
  { REJECTED("xacro_number.urdf", "", "xacro") },
  { REJECTED("utf16.urdf", "", "UTF-8") },
  { REJECTED("compressed.urdf.gz", "", "gunzip") },
  { REJECTED("unclosed.urdf", "", "link") },
  { REJECTED("loop.urdf", "", "loop of joints") },
};
enum { NROBOTS = sizeof robots / sizeof robots[0] };

#endif
