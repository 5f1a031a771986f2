// SPDX-License-Identifier: Apache-2.0
//
// The runs that `sinew compare` makes: one for each combination of the lists on the command line.

#ifndef SINEW_TOOLS_COMPARE_H
#define SINEW_TOOLS_COMPARE_H

#include "simulate.h"

enum { SAMPLES = 200, MOST_CHOICES = 64, MOST_VARIED = 12, MOST_AXES = 16 };

// What is measured at each instant.
enum { POSITION, VELOCITY, ENERGY, MOMENTUM, ANGULAR, VIOLATION, PENETRATION, CONTACTS, NMEASURES };

// A run under one combination of choices.
typedef struct choice {
  char name[200];
  options o;
  char *owned[MOST_AXES];    // texts of o.set
  const char *listed[MOST_AXES];   // o.listed
  char profile[100];
  session s;
  sn_data *copy;             // where instants are measured
  summary sum;
  double timestep;
  int64_t planned, samples;  // instants besides the start, and those that were reached
  double *qpos, *qvel;       // (SAMPLES + 1) x nq, nv
  double *time, *value[NMEASURES];   // SAMPLES + 1
  double start[7];           // energy, momentum, angular momentum
  int is_done, failed;
  double interval, end;      // s: between two instants, of the whole run
} choice;

typedef struct comparison {
  const options *o;
  choice *choice;            // MOST_CHOICES + 1
  int n, reference;
  int64_t samples;
  double time, interval;     // s: of each run, between two instants
} comparison;

// Makes all->choice from the lists on the command line; the last list changes fastest. DONE, or
// FAILED or USAGE after reporting.
int choices_make(comparison *all);
// Adds the first choice, which has run, with an Nth of its timestep as the reference.
int choices_add_fine(comparison *all);
void choice_free(choice *c);

#endif
