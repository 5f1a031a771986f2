// SPDX-License-Identifier: Apache-2.0
//
// One plugin that is right in everything, and many that are wrong in one thing: each object is
// compiled with one of the definitions below (see CMakeLists.txt). The host must reject every
// wrong one by name and go on living.

#include <dlfcn.h>
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sinew/actuator.h"
#include "sinew/mesh.h"
#include "sinew/solver.h"

#ifndef HOSTILE_NAME
#define HOSTILE_NAME "alpha"
#endif
#ifndef HOSTILE_KIND
#define HOSTILE_KIND SN_KIND_SOLVER
#endif
#ifndef HOSTILE_MAGIC
#define HOSTILE_MAGIC SN_PLUGIN_MAGIC
#endif
#ifndef HOSTILE_SIZE
#define HOSTILE_SIZE sizeof(sn_plugin)
#endif
#ifndef HOSTILE_MAJOR
#define HOSTILE_MAJOR SN_ABI_MAJOR
#endif
#ifndef HOSTILE_MINOR
#define HOSTILE_MINOR 0
#endif
#ifndef HOSTILE_BUILT
#define HOSTILE_BUILT SN_ABI_MINOR + 1   // its table is longer than that of today
#endif
#ifndef HOSTILE_REAL
#define HOSTILE_REAL sizeof(double)
#endif
#ifndef HOSTILE_LICENSE
#define HOSTILE_LICENSE "Apache-2.0"
#endif
#ifndef HOSTILE_TABLE_SIZE
#define HOSTILE_TABLE_SIZE sizeof(wide_ops)
#endif
#ifndef HOSTILE_SOLVE
#define HOSTILE_SOLVE free_solve
#endif
#ifndef HOSTILE_NUMBER
#define HOSTILE_NUMBER problem->qacc_smooth[i]
#endif
#ifndef HOSTILE_FLAGS
#define HOSTILE_FLAGS 0
#endif
#ifndef HOSTILE_DEFAULT
#define HOSTILE_DEFAULT "3"
#endif

#ifdef HOSTILE_LOAD_ROUNDING
__attribute__((constructor)) static void on_load(void) {
  fesetround(FE_UPWARD);
}
#endif

// the handler of a signal is changed where the definition says; see test_misbehaving.c
enum { LOADING = 1, ENTRY, INIT, FINI };
#ifdef HOSTILE_SIGNAL
static void ignore_signal(int where) {
  if (where == HOSTILE_SIGNAL) {
    signal(SIGUSR1, SIG_IGN);
  }
}
__attribute__((constructor)) static void on_loading(void) {
  ignore_signal(LOADING);
}
#else
#define ignore_signal(where) (void)(where)
#endif

#ifdef HOSTILE_LOAD_EXITS
__attribute__((constructor)) static void exit_on_load(void) {
  exit(0);
}
#endif
#ifdef HOSTILE_LOAD_ENDLESS
__attribute__((constructor)) static void never_load(void) {
  while (pause() != 0) {}
}
#endif

#ifdef HOSTILE_BRINGS
int sn_test_brought(void);
__attribute__((constructor)) static void call_library(void) {
  (void)sn_test_brought();
}
#endif

#ifdef HOSTILE_REPLACED
// a copy takes the place of this file while it is loaded, as when it is built again
__attribute__((constructor)) static void replace_file(void) {
  Dl_info info;
  char copy[512];
  static char bytes[1 << 20];
  if (!dladdr((void *)(uintptr_t)replace_file, &info)) {
    return;
  }
  snprintf(copy, sizeof copy, "%s.new", info.dli_fname);
  FILE *from = fopen(info.dli_fname, "rb"), *to = fopen(copy, "wb");
  if (from && to) {
    fwrite(bytes, 1, fread(bytes, 1, sizeof bytes, from), to);
    rename(copy, info.dli_fname);
  }
  if (from) {
    fclose(from);
  }
  if (to) {
    fclose(to);
  }
}
#endif

static sn_status free_solve(const void *self, const sn_problem *problem, sn_solution *solution,
                            sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < problem->nv; i++) {
    solution->qacc[i] = HOSTILE_NUMBER;
  }
  for (int64_t i = 0; i < problem->nefc; i++) {
    solution->force[i] = 0;
    solution->state[i] = SN_ROWSTATE_SATISFIED;
  }
  solution->iterations = 0;
  return SN_OK;
}

typedef struct instance {
  int64_t gain;
  const sn_host *host;
} instance;

static sn_status hostile_create(const sn_host *host, const sn_value *values, void **self,
                                sn_error *error) {
#ifdef HOSTILE_CREATE_FAILS
  (void)values;
  (void)self;
  return host->error(host, error, SN_EINVAL, NULL, 0, 0, "create does not feel like it");
#elif defined HOSTILE_CREATE_STATUS
  (void)host, (void)values, (void)self, (void)error;
  return HOSTILE_CREATE_STATUS;
#elif defined HOSTILE_CREATE_ENDLESS
  (void)host, (void)values, (void)self, (void)error;
  while (pause() != 0) {}
  return SN_OK;
#else
  instance *memory = host->alloc(host, sizeof *memory);
  if (!memory) {
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "no memory");
  }
  *memory = (instance){ values[0].integer, host };
#ifdef HOSTILE_CREATE_STUCK
  while (memory->gain == 7 && pause() != 0) {}
#endif
  *self = memory;
#ifdef HOSTILE_CREATE_ROUNDING
  fesetround(FE_TOWARDZERO);
#endif
  return SN_OK;
#endif
}

static void hostile_destroy(void *self) {
  const sn_host *host = ((instance *)self)->host;
  host->free(host, self);
}

static sn_status hostile_init(const sn_host *host, sn_error *error) {
  (void)host;
  (void)free_solve;
  ignore_signal(INIT);
#ifdef HOSTILE_INIT_FAILS
  return host->error(host, error, SN_EIO, NULL, 0, 0, "the dongle is missing");
#elif defined(HOSTILE_INIT_SILENT)
  (void)error;
  return SN_EIO;
#elif defined(HOSTILE_INIT_STATUS)
  (void)error;
  return HOSTILE_INIT_STATUS;
#elif defined(HOSTILE_INIT_EXITS)
  (void)error;
  exit(0);
#elif defined(HOSTILE_INIT_ENDLESS)
  (void)error;
  while (pause() != 0) {}
  return SN_OK;
#else
  (void)error;
#ifdef HOSTILE_INIT_CLOSES
  close(STDERR_FILENO);
#endif
#ifdef HOSTILE_INIT_ROUNDING
  fesetround(FE_DOWNWARD);
#endif
  return SN_OK;
#endif
}

static void hostile_fini(const sn_host *host) {
  (void)host;
  ignore_signal(FINI);
}

static const sn_param params[] = {
  { .name = "gain",
    .default_value = HOSTILE_DEFAULT,
    .summary = "what is added",
    .min = 1,
    .max = 9,
    .type = SN_PARAM_INT },
  { .name = NULL },
};

// as a newer header might have it: the table of today and something after it
typedef struct wide_ops {
  sn_solver_ops today;
  const char *tomorrow;
} wide_ops;

static const wide_ops ops = {
  .today = { .head = { .size = HOSTILE_TABLE_SIZE,
                       .flags = HOSTILE_FLAGS,
                       .summary = "ignores constraints",
                       .params = params,
                       .create = hostile_create,
                       .destroy = hostile_destroy },
             .solve = HOSTILE_SOLVE },
  .tomorrow = "unknown to this host",
};

static const sn_provide provides[] = {
#ifdef HOSTILE_BOTH
  { SN_KIND_SOLVER, "before", &ops },
#endif
  { HOSTILE_KIND, HOSTILE_NAME, &ops },
#ifdef HOSTILE_TWICE
  { HOSTILE_KIND, HOSTILE_NAME, &ops },
#endif
  { NULL, NULL, NULL },
};

static const sn_plugin plugin = {
  .magic = HOSTILE_MAGIC,
  .size = HOSTILE_SIZE,
  .abi_major = HOSTILE_MAJOR,
  .abi_minor_needed = HOSTILE_MINOR,
  .real_size = HOSTILE_REAL,
  .abi_minor = HOSTILE_BUILT,
  .name = "org.example.hostile",
  .version = "1.0",
  .license = HOSTILE_LICENSE,
  .provides = provides,
  .init = hostile_init,
  .fini = hostile_fini,
};

#ifdef HOSTILE_NO_ENTRY
const sn_plugin *entry_by_another_name(void);
const sn_plugin *entry_by_another_name(void) {
  return &plugin;
}
#else
SN_PLUGIN_ENTRY {
  ignore_signal(ENTRY);
#ifdef HOSTILE_NULL_ENTRY
  (void)plugin;
  return NULL;
#else
  return &plugin;
#endif
}
#endif
