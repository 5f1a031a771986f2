// SPDX-License-Identifier: Apache-2.0
//
// Models written by code, for what a number describes: how many links, boxes or loops, which ratio
// of masses. The text is valid until the next one.

#ifndef SN_BENCH_SCENES_H
#define SN_BENCH_SCENES_H

#include <stdint.h>

// n parallelograms of uniform rods of 1 m and 1 kg in a row (problem A02 of the IFToMM library).
const char *parallelograms_scene(double n);
// A masonry arch of 11 voussoirs and radius 1 m, of this thickness, between abutments that stop its
// feet but do not hold them down.
const char *arch_scene(double thickness);
// A stack of |n| boxes, each shifted by 1 mm where n is negative.
const char *stack_scene(double n);
// A box of this mass on one of 1 kg.
const char *heavy_box_scene(double mass);
// A ball and a cylinder of the same weight on a floor, on one contact point and on four; with
// contacts of shared stiffness if it is not 0.
const char *weights_scene(double shared);
// A chain of n links with hinges.
const char *chain_scene(double n);
// 6 x 6 x 6 balls of this friction above a floor (after the benchmark 666 of SimBenchmark); 0: of
// condim 1.
const char *balls_scene(double friction);

// n bodies, boxes and balls in turn, that fall into a bin of 0.8 m; masses are up to `ratio` times
// 1 kg.
const char *heap_scene(int n, double ratio);
// A wall of bricks.
const char *wall_scene(int courses, int bricks);
// A tower of boxes, each `ratio` times as heavy as the one below it.
const char *tower_scene(int n, double ratio);
// Two fingers that press on an object of this mass, of a contact dimension 3, 4 or 6.
const char *grasp_scene(double mass, int condim);

// A number in [-1, 1), of a series that depends on the seed alone.
double scene_random(uint32_t *seed);

#endif
