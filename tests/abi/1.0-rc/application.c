// SPDX-License-Identifier: Apache-2.0
//
// An application of this version of the interface: it builds a model with the definitions and
// settings of its headers, registers a passive force of its own, simulates, and reads results back.
// Every struct that the library fills lies before guard bytes, which a library that writes the
// struct of a later version would overwrite. What it prints is the same with every later library.
//
//   application INI

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/passive.h"
#include "sinew/sinew.h"
#include "sinew/timing.h"

static void check(int good, const char *what, const sn_error *error) {
  if (!good) {
    fprintf(stderr, "application: %s: %s\n", what, sn_error_text(error));
    exit(1);
  }
}

// ------------------------------------------------------------------ structs before guard bytes

enum { GUARD = 256 };

#define GUARDED(type)           \
  struct {                      \
    type it;                    \
    unsigned char guard[GUARD]; \
  }
#define PROTECT(guarded) memset((guarded).guard, 0xa5, GUARD)
#define CHECK_GUARD(guarded) check_guard((guarded).guard, #guarded)

static void check_guard(const unsigned char *guard, const char *what) {
  for (int i = 0; i < GUARD; i++) {
    if (guard[i] != 0xa5) {
      fprintf(stderr, "application: byte %d after '%s' was overwritten\n", i, what);
      exit(1);
    }
  }
}

// ------------------------------------------------------------------ a passive force

static int64_t napply;

static sn_status lift_bind(const void *self, const sn_model_view *model, const sn_value *values,
                           void **bound, sn_error *error) {
  (void)self;
  (void)model;
  (void)values;
  (void)error;
  *bound = &napply;
  return SN_OK;
}

static void lift_unbind(const void *self, void *bound) {
  (void)self;
  (void)bound;
}

static sn_status lift_apply(const void *self, const void *bound, const sn_data_view *data,
                            const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self;
  (void)bound;
  (void)data;
  (void)state;
  (void)scratch;
  qfrc[2] += 0.125;
  napply++;
  return SN_OK;
}

static const sn_passive_ops lift_ops = {
  .head = { .size = sizeof(sn_passive_ops), .summary = "lifts the first body" },
  .bind = lift_bind,
  .unbind = lift_unbind,
  .apply = lift_apply,
};

static const sn_provide provides[] = {
  SN_PROVIDE_PASSIVE("lift", &lift_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.application", .version = "1.0", .license = "Apache-2.0",
          .summary = "a plugin within an application", .provides = provides)

// ------------------------------------------------------------------ the model

// A body of two geoms with a free joint, above a plane.
static void add_body(sn_spec *spec, double height, sn_error *error) {
  sn_body_def body;
  sn_default_body(&body);
  body.name = "dumbbell";
  body.pos[2] = height;
  int32_t id = -1;
  check(sn_spec_add_body(spec, &body, NULL, &id, error) >= 0, "add body", error);

  sn_joint_def joint;
  sn_default_joint(&joint);
  joint.body = id;
  joint.type = SN_JOINT_FREE;
  check(sn_spec_add_joint(spec, &joint, NULL, NULL, error) >= 0, "add joint", error);

  for (int i = 0; i < 2; i++) {
    sn_geom_def geom;
    sn_default_geom(&geom);
    geom.name = i ? "right" : "left";
    geom.body = id;
    geom.type = i ? SN_GEOM_BOX : SN_GEOM_SPHERE;
    geom.size[0] = geom.size[1] = geom.size[2] = 0.1;
    geom.pos[0] = i ? 0.2 : -0.2;
    check(sn_spec_add_geom(spec, &geom, NULL, NULL, error) >= 0, "add geom", error);
  }
}

static void add_floor(sn_spec *spec, sn_error *error) {
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.type = SN_GEOM_PLANE;
  geom.size[0] = geom.size[1] = geom.size[2] = 1;
  // through the builder, as a loader does
  const sn_builder *builder = sn_spec_builder(spec);
  check(builder->add_geom(builder->spec, &geom, NULL, NULL, error) >= 0, "add floor", error);
}

// Copies definitions and settings out and back.
static void edit(sn_spec *spec, sn_error *error) {
  GUARDED(sn_geom_def) geom;
  sn_default_geom(&geom.it);
  PROTECT(geom);
  const int32_t id = sn_spec_find(spec, "geom", "left");
  check(sn_spec_get_geom(spec, id, &geom.it, error) >= 0, "get geom", error);
  CHECK_GUARD(geom);
  printf("geom %s, size %g, condim %d\n", geom.it.name, geom.it.size[0], geom.it.condim);
  geom.it.condim = 4;
  check(sn_spec_set_geom(spec, id, &geom.it, error) >= 0, "set geom", error);

  GUARDED(sn_option) option;
  sn_default_option(&option.it);
  PROTECT(option);
  check(sn_spec_get_option(spec, &option.it) >= 0, "get option", error);
  CHECK_GUARD(option);
  printf("timestep %g, solver %s\n", option.it.timestep, option.it.solver);
  option.it.timestep = 0.001;
  option.it.cone = SN_CONE_ELLIPTIC;
  check(sn_spec_set_option(spec, &option.it, error) >= 0, "set option", error);

  GUARDED(sn_compiler) compiler;
  sn_default_compiler(&compiler.it);
  PROTECT(compiler);
  check(sn_spec_get_compiler(spec, &compiler.it) >= 0, "get compiler", error);
  CHECK_GUARD(compiler);
  check(sn_spec_set_compiler(spec, &compiler.it, error) >= 0, "set compiler", error);
}

static sn_model *make_model(sn_engine *engine, sn_error *error) {
  sn_spec *spec = sn_spec_new(engine, error);
  check(spec != NULL, "new spec", error);
  add_floor(spec, error);
  add_body(spec, 0.3, error);
  edit(spec, error);
  sn_model *model = sn_compile(spec, error);
  check(model != NULL, "compile", error);
  sn_spec_free(spec);
  return model;
}

// ------------------------------------------------------------------ reading back

static void read_settings(sn_model *model, sn_error *error) {
  GUARDED(sn_option) option;
  sn_default_option(&option.it);
  PROTECT(option);
  check(sn_model_get_option(model, &option.it) >= 0, "get option", error);
  CHECK_GUARD(option);
  printf("timestep %g, cone %lld\n", option.it.timestep, (long long)option.it.cone);
  option.it.iterations = 50;
  check(sn_model_set_option(model, &option.it, error) >= 0, "set option", error);

  GUARDED(sn_statistic) statistic;
  sn_default_statistic(&statistic.it);
  PROTECT(statistic);
  check(sn_model_get_statistic(model, &statistic.it) >= 0, "get statistic", error);
  CHECK_GUARD(statistic);
  printf("extent %.9g\n", statistic.it.extent);

  GUARDED(sn_visual) visual;
  sn_default_visual(&visual.it);
  PROTECT(visual);
  check(sn_model_get_visual(model, &visual.it) >= 0, "get visual", error);
  CHECK_GUARD(visual);
  printf("fovy %g\n", visual.it.global_fovy);
}

static void read_listings(const sn_engine *engine, const sn_model *model) {
  GUARDED(sn_provider_info) provider = { .it.size = sizeof provider.it };
  PROTECT(provider);
  int64_t mine = 0;
  for (int64_t i = 0; sn_engine_provider(engine, i, &provider.it); i++) {
    CHECK_GUARD(provider);
    mine += strcmp(provider.it.name, "lift") == 0;
  }
  GUARDED(sn_plugin_info) plugin = { .it.size = sizeof plugin.it };
  PROTECT(plugin);
  for (int64_t i = 0; sn_engine_plugin(engine, i, &plugin.it); i++) {
    CHECK_GUARD(plugin);
    mine += strcmp(plugin.it.key, "org.example.application") == 0;
  }
  GUARDED(sn_config_info) config = { .it.size = sizeof config.it };
  PROTECT(config);
  for (int64_t i = 0; sn_engine_config(engine, i, &config.it); i++) {
    CHECK_GUARD(config);
  }
  GUARDED(sn_layer_info) layer = { .it.size = sizeof layer.it };
  PROTECT(layer);
  for (int64_t i = 0; sn_engine_layer(engine, i, &layer.it); i++) {
    CHECK_GUARD(layer);
  }
  GUARDED(sn_view) view = { .it.size = sizeof view.it };
  PROTECT(view);
  sn_model_field(model, "geom_condim", &view.it);
  CHECK_GUARD(view);
  printf("listed %lld times; geom_condim %lld x %lld, %d\n", (long long)mine,
         (long long)view.it.rows, (long long)view.it.cols, ((const int32_t *)view.it.p)[1]);
}

// Every accessor of these headers is a symbol of the library: a reference to each.
#define SIZE(name, meaning) (void (*)(void)) snm_##name,
#define MODEL_FIELD(type, name, ...) (void (*)(void)) snm_##name,
#define DATA_FIELD(type, name, ...) (void (*)(void)) snd_##name,
#define COUNT(name, ...) (void (*)(void)) snd_##name,
static void (*const accessors[])(void) = { SN_MODEL_SIZES(SIZE) SN_MODEL_FIELDS(MODEL_FIELD)
                                               SN_DATA_COUNTS(COUNT) SN_DATA_FIELDS(DATA_FIELD)
                                                   SN_STEP_FIELDS(DATA_FIELD) };

// Every operation of the builder of these headers.
static void count_operations(sn_engine *engine, sn_error *error) {
  sn_spec *spec = sn_spec_new(engine, error);
  check(spec != NULL, "new spec", error);
  const sn_builder *builder = sn_spec_builder(spec);
  check(builder->size >= sizeof *builder, "size of the builder", error);
  void (*operation)(void);
  const char *at = (const char *)&builder->context + sizeof builder->context;
  int64_t n = 0;
  for (; at < (const char *)(builder + 1); at += sizeof operation) {
    memcpy(&operation, at, sizeof operation);
    check(operation != NULL, "an operation of the builder is NULL", error);
    n++;
  }
  printf("%lld operations of the builder, %zu accessors\n", (long long)n,
         sizeof accessors / sizeof accessors[0]);
  sn_spec_free(spec);
}

static void simulate(const sn_model *model, sn_error *error) {
  sn_data *data = sn_data_new(model, error);
  check(data != NULL, "new data", error);
  sn_data_set_timing(data, 1);
  for (int i = 0; i < 500; i++) {
    check(sn_step(model, data) >= 0, "step", sn_data_error(data));
  }
  for (int64_t i = 0; i < snm_nq(model); i++) {
    printf("qpos[%lld] = %.17g\n", (long long)i, snd_qpos(data)[i]);
  }
  GUARDED(sn_timing) timing = { .it.size = sizeof timing.it };
  PROTECT(timing);
  check(sn_data_timing(data, "integrate", &timing.it) >= 0, "timing", error);
  CHECK_GUARD(timing);
  printf("%lld integrations\n", (long long)timing.it.calls);
  printf("%lld contacts, %lld calls of the force, state %016llx\n", (long long)snd_ncon(data),
         (long long)napply, (unsigned long long)sn_state_hash(model, data, SN_STATE_INTEGRATION));
  sn_data_free(data);
}

// ------------------------------------------------------------------ structs that the library reads

// A solution of the constraint problem of the reset state, by a problem in this version's struct.
static void solve_problem(sn_engine *engine, const sn_model *model, sn_error *error) {
  sn_data *data = sn_data_new(model, error);
  sn_problems *problems = sn_problems_new(error);
  check(data && problems, "new problems", error);
  snd_qpos(data)[2] = 0.09;   // in contact
  check(sn_forward(model, data) >= 0, "forward", sn_data_error(data));
  check(sn_problems_add(problems, model, data, error) >= 0, "add problem", error);
  GUARDED(sn_problem) problem;
  PROTECT(problem);
  memcpy(&problem.it, sn_problems_at(problems, 0), sizeof problem.it);
  problem.it.size = sizeof problem.it;
  double qacc[6], force[64];
  int32_t state[64];
  check(problem.it.nv == 6 && problem.it.nefc <= 64, "the problem has another size", error);
  GUARDED(sn_solution)
  solution = { .it = { .size = sizeof solution.it, .qacc = qacc, .force = force, .state = state } };
  PROTECT(solution);
  check(sn_problem_solve(engine, "newton", &problem.it, &solution.it, error) >= 0, "solve", error);
  double cost, residual[2];
  sn_problem_evaluate(&problem.it, &solution.it, &cost, residual);
  CHECK_GUARD(problem);
  CHECK_GUARD(solution);
  printf("%lld rows, acceleration %.17g, cost %.17g\n", (long long)problem.it.nefc, qacc[2], cost);
  sn_problems_free(problems);
  sn_data_free(data);
}

static void roll_out(const sn_model *model, sn_error *error) {
  double states[2 * 10 * 7];
  int64_t reached[2];
  GUARDED(sn_rollout_request)
  request = { .it = { .size = sizeof request.it,
                      .result_mask = SN_STATE_QPOS,
                      .n = 2,
                      .nstep = 10,
                      .states = states,
                      .reached = reached } };
  PROTECT(request);
  check(sn_rollout(model, &request.it, error) >= 0, "rollout", error);
  CHECK_GUARD(request);
  check(request.it.done == 2 && request.it.nworker > 0 && request.it.worker_bytes > 0,
        "results in the request", error);
  printf("rollouts of %lld and %lld steps, %lld failed, height %.17g\n", (long long)reached[0],
         (long long)reached[1], (long long)request.it.failed, states[2 * 10 * 7 - 5]);
}

static int64_t nwritten;

static sn_status count_bytes(sn_sink *sink, const void *bytes, int64_t count) {
  (void)sink;
  (void)bytes;
  nwritten += count;
  return SN_OK;
}

// Saves through a sink in this version's struct.
static void save(sn_engine *engine, sn_error *error) {
  sn_spec *spec = sn_spec_new(engine, error);
  check(spec != NULL, "new spec", error);
  add_floor(spec, error);
  GUARDED(sn_sink) sink = { .it = { .size = sizeof sink.it, .write = count_bytes } };
  PROTECT(sink);
  check(sn_spec_write(spec, "mjcf", &sink.it, error) >= 0, "save", error);
  CHECK_GUARD(sink);
  check(nwritten > 0, "nothing was written", error);
  sn_spec_free(spec);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: application INI\n");
    return 2;
  }
  sn_error *error = sn_error_new();
  GUARDED(sn_engine_request) request = { .it = { .size = sizeof request.it, .config = argv[1] } };
  PROTECT(request);
  sn_engine *engine = sn_engine_open_with(&request.it, error);
  CHECK_GUARD(request);
  check(engine != NULL, "open", error);
  check(sn_engine_add_static(engine, sn_plugin_entry, error) >= 0, "add", error);
  count_operations(engine, error);
  sn_model *model = make_model(engine, error);
  read_settings(model, error);
  read_listings(engine, model);
  simulate(model, error);
  solve_problem(engine, model, error);
  roll_out(model, error);
  save(engine, error);
  sn_model_free(model);
  sn_engine_close(engine);
  sn_error_free(error);
  return 0;
}
