// SPDX-License-Identifier: Apache-2.0
//
// A plugin that was built with the headers of the pretended ABI 1.1. With NEEDS=0 it can live
// without what is new: an engine of ABI 1.0 skips the kinds that it does not know, reads the tables
// as far as it knows them, and the loader adds the new element only where the builder has it. With
// NEEDS=1 it declares that it cannot.

#include <stddef.h>
#include <string.h>

#include "sinew/instance.h"
#include "sinew/loader.h"
#include "sinew/observer.h"
#include "sinew/solver_2.h"

// ------------------------------------------------------------------ solvers

// The acceleration without constraints.
static sn_status solve_1(const void *self, const sn_problem *problem, sn_solution *solution,
                         sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  memcpy(solution->qacc, problem->qacc_smooth, (size_t)problem->nv * sizeof(double));
  memset(solution->force, 0, (size_t)problem->nefc * sizeof(double));
  for (int64_t i = 0; i < problem->nefc; i++) {
    solution->state[i] = SN_ROWSTATE_SATISFIED;
  }
  solution->iterations = 1;
  return SN_OK;
}

static sn_status solve_2(const void *self, double *residual, const sn_problem *problem,
                         sn_solution *solution, sn_scratch *scratch) {
  *residual = 1;
  return solve_1(self, problem, solution, scratch);
}

static sn_status polish(const void *self, const sn_problem *problem, sn_solution *solution) {
  (void)self;
  (void)problem;
  solution->iterations = 2;
  return SN_OK;
}

static const sn_solver_ops ops_1 = {
  .head = { .size = sizeof(sn_solver_ops), .summary = "ignores constraints" },
  .solve = solve_1,
  .polish = polish,
};

static const sn_solver_2_ops ops_2 = {
  .head = { .size = sizeof(sn_solver_2_ops), .summary = "ignores constraints, second revision" },
  .solve = solve_2,
};

// ------------------------------------------------------------------ an observer

typedef struct observer {
  const sn_host *host;
  const sn_tally_service *tally;
} observer;

static sn_status create(const sn_host *host, const sn_value *values, void **self, sn_error *error) {
  (void)values;
  observer *o = sn_host_alloc(host, sizeof *o, error);
  if (!o) {
    return SN_ENOMEM;
  }
  *o = (observer){ host, host->query(host, SN_SERVICE_TALLY) };
  *self = o;
  return o->tally ? SN_OK
                  : sn_host_fail(host, error, SN_EUNSUPPORTED, "there is no " SN_SERVICE_TALLY);
}

static void destroy(void *self) {
  const observer *o = self;
  o->host->free(o->host, self);
}

static void observe(const void *self, double time) {
  if (time > 0) {
    ((const observer *)self)->tally->add("step");
  }
}

static const sn_observer_ops observer_ops = {
  .head = { .size = sizeof(sn_observer_ops),
            .summary = "counts steps",
            .create = create,
            .destroy = destroy },
  .observe = observe,
};

// ------------------------------------------------------------------ a loader

static const char magic[] = "next";

static int32_t probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  (void)name;
  return count >= 4 && memcmp(bytes, magic, 4) == 0 ? 100 : 0;
}

// What is new of the builder is used where its size reaches.
static sn_status add_new(const sn_builder *builder, sn_error *error) {
  if (builder->size < offsetof(sn_builder, add_marker) + sizeof builder->add_marker) {
    return SN_OK;
  }
  sn_marker_def marker;
  sn_default_marker(&marker);
  marker.name = "here";
  return builder->add_marker(builder->spec, &marker, NULL, NULL, error);
}

// "next": a sphere that falls on a plane. "next, bounce": with a member that is new in 1.1.
static sn_status load(const void *self, sn_source *source, const sn_builder *builder,
                      sn_error *error) {
  (void)self;
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.type = SN_GEOM_PLANE;
  geom.size[0] = geom.size[1] = geom.size[2] = 1;
  SN_TRY(builder->add_geom(builder->spec, &geom, NULL, NULL, error));

  sn_body_def body;
  int32_t id = -1;
  sn_default_body(&body);
  body.pos[2] = 0.3;
  SN_TRY(builder->add_body(builder->spec, &body, NULL, &id, error));
  sn_joint_def joint;
  sn_default_joint(&joint);
  joint.body = id;
  joint.type = SN_JOINT_FREE;
  SN_TRY(builder->add_joint(builder->spec, &joint, NULL, NULL, error));
  sn_default_geom(&geom);
  geom.body = id;
  geom.size[0] = 0.1;
  geom.bounce = source->count > 6 ? 0.5 : 0;
  SN_TRY(builder->add_geom(builder->spec, &geom, NULL, NULL, error));
  return add_new(builder, error);
}

static const sn_loader_ops loader_ops = {
  .head = { .size = sizeof(sn_loader_ops), .summary = "a falling sphere" },
  .extensions = "next",
  .probe = probe,
  .load = load,
};

// ------------------------------------------------------------------ the plugin

static const sn_provide provides[] = {
  SN_PROVIDE_SOLVER("once", &ops_1),      SN_PROVIDE_SOLVER("twice", &ops_1),
  { SN_KIND_SOLVER_2, "twice", &ops_2 },  { SN_KIND_OBSERVER, "steps", &observer_ops },
  SN_PROVIDE_LOADER("next", &loader_ops), { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.next", .version = "1.1", .license = "Apache-2.0",
          .summary = "built with ABI 1.1", .abi_minor_needed = NEEDS, .provides = provides)
