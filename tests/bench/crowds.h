// SPDX-License-Identifier: Apache-2.0
//
// Scenes of many objects, which are made by a program.

#ifndef BENCH_CROWDS_H
#define BENCH_CROWDS_H

#include <stdio.h>

typedef struct crowd {
  const char *name, *what;
  void (*write)(FILE *file, int n);   // the MJCF text of the scene with n objects
  int n;
  int settle, steps;   // see versus.h
} crowd;

extern const crowd crowds[];
extern const int ncrowd;
extern const crowd mesh_robot;   // mesh_robot.c: for images

// Writes the scene into a new file in the folder of temporary files; the caller removes it.
// path: 64 characters. False: it could not be written.
int crowd_write(const crowd *c, char *path);

#endif
