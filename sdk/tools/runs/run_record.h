// SPDX-License-Identifier: Apache-2.0
//
// The record of a run: what its result depends on, and the result. `sinew run --record FILE.json`
// writes it, `sinew run --verify FILE.json` repeats the run and names what differs.
//
//   {"format": "sinew run record 1",
//    "engine": {"version": "1.0", "plugin interface": "1.0", "libsinew": "sha256:..."},
//    "plugins": {"newton": "0.1.0 sha256:...", ...},           what is loaded, by name
//    "configuration": {"select.executor": "serial", ...},      every effective value
//    "files": {"/robots/arm.xml": "sha256:...", ...},          of the model: includes, meshes ...
//    "machine": {"system": "Linux x86_64", "C library": "glibc 2.36"},
//    "arguments": {"model": "/robots/arm.xml", "steps": 1000, "config": null, ...},
//    "start": {"time": [0], "qpos": [...], ...},               the state that the run starts from
//    "controls": {"shape": [1000, 2], "data": [...]},          of each step; absent: they stay
//    "result": {"steps": 1000, "hash": "...", "state": {"time": [10], "qpos": [...], ...}}}
//
// The version and the hash of a plugin are those of its own file; libraries that it links are not
// part of the record.

#ifndef SINEW_TOOLS_RUN_RECORD_H
#define SINEW_TOOLS_RUN_RECORD_H

#include "simulate.h"
#include "tools/json/json.h"

#define RUN_RECORD_FORMAT "sinew run record 1"

// Something that a result depends on.
typedef struct dependency {
  const char *group;    // engine, plugins, configuration, files, machine
  char *name, *value;
} dependency;

typedef struct dependencies {
  dependency *item;
  int64_t n, capacity;
  int failed;           // there was no memory for one of them
} dependencies;

// The groups, in the order in which a difference in one causes differences in the next; NULL last.
extern const char *const dependency_groups[];

// The files that are read from now on, by the engine of a session. Call it before a model is
// loaded.
void dependencies_watch(dependencies *d, session *s);
// All others. DONE, or FAILED after reporting.
int dependencies_collect(dependencies *d, session *s);
void dependencies_free(dependencies *d);

// A part of the state, by index from 0. NULL: there are no more.
const char *state_part(int index, uint32_t *mask);

// Numbers of the state that the next step depends on, to be freed. NULL after reporting.
double *state_copy(session *s);

// Writes the record of a run that is over to --record. start: see state_copy. DONE, or FAILED after
// reporting.
int run_record_write(session *s, const dependencies *d, const double *start, const plan *p,
                     const summary *sum);

// sinew run --verify (verify.c).
int run_verify(const options *o);

#endif
