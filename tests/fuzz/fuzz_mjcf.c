// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, as an MJCF file: a spec or an error, nothing lost, nothing left open. A spec is
// compiled, or rejected with a reason; a model is simulated for two steps; a spec that compiles is
// saved, and what was saved is read again.
//
// What may take long because a file asks for it (a million bodies, a million iterations) is
// passed over or cut short: the fuzzer looks for what goes wrong, and thousands of small models
// show more than a large one.

#include "fuzzing.h"

enum { MOST_ELEMENTS = 200, MOST_DOFS = 80, MOST_ITERATIONS = 10, STEPS = 2 };
static const int64_t arena_limit = 16 << 20;   // bytes

// no array of more than 64 MiB: malloc then says that there is no memory
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1:max_allocation_size_mb=64";
}

// ------------------------------------------------------------------ saved and read again

typedef struct text {
  uint8_t *p;
  size_t n, capacity;
} text;

static sn_status keep(sn_sink *sink, const void *bytes, int64_t count) {
  text *t = sink->context;
  while (t->n + (size_t)count >
         t->capacity) {   // by doubling: a sanitizer keeps what was given back
    t->capacity = t->capacity ? 2 * t->capacity : 4096;
    t->p = realloc(t->p, t->capacity);
  }
  memcpy(t->p + t->n, bytes, (size_t)count);
  t->n += (size_t)count;
  return SN_OK;
}

static void write_and_read(fuzzed *f, sn_spec *spec) {
  text t = { 0 };
  sn_sink sink = { .size = sizeof sink, .context = &t, .write = keep };
  si_error_clear(f->error);
  if (f->ops->save(f->self, sn_spec_builder(spec), &sink, f->error) >= 0) {
    sn_spec *copy = fuzz_load(f, t.p, t.n);
    if (!copy) {
      fprintf(stderr, "%.*s\n", (int)t.n, (const char *)t.p);
    }
    fuzz_demand(copy != NULL, sn_error_text(f->error));
    sn_spec_free(copy);
  } else {
    fuzz_demand(sn_error_message(f->error)[0] != 0, "not saved without a reason");
  }
  free(t.p);
}

// ------------------------------------------------------------------ simulated

static int64_t at_most(int64_t value, int64_t most) {
  return value < most ? value : most;
}

static void simulate(fuzzed *f, sn_model *model) {
  sn_option option = { .def_size = sizeof option };
  sn_model_get_option(model, &option);
  option.memory = (double)arena_limit;
  option.iterations = at_most(option.iterations, MOST_ITERATIONS);
  option.noslip_iterations = at_most(option.noslip_iterations, MOST_ITERATIONS);
  option.mpr_iterations = at_most(option.mpr_iterations, MOST_ITERATIONS);
  si_error_clear(f->error);
  fuzz_demand(sn_model_set_option(model, &option, f->error) >= 0, sn_error_text(f->error));
  sn_data *data = sn_data_new(model, f->error);
  if (!data) {
    fuzz_demand(sn_error_message(f->error)[0] != 0, "no data without a reason");
    return;
  }
  for (int i = 0; i < STEPS; i++) {
    if (sn_step(model, data) < 0 && sn_error_message(sn_data_error(data))[0] == 0) {
      fuzz_demand(0, "a step fails without a reason");
    }
  }
  if (sn_forward(model, data) >= 0) {
    sn_inverse(model, data);
  }
  sn_data_free(data);
}

// ------------------------------------------------------------------ compiled

// Are there few enough elements?
static int is_small(const sn_spec *spec) {
  static const char *const kinds[] = { "body", "joint",  "geom",     "site",   "tendon",
                                       "skin", "sensor", "actuator", "hfield", "texture" };
  int64_t n = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    n += sn_spec_count(spec, kinds[i]);
  }
  return n <= MOST_ELEMENTS;
}

// The search for length ranges runs a simulation; the file sets for how long.
static void shorten_search(sn_spec *spec) {
  sn_compiler compiler = { .def_size = sizeof compiler };
  sn_spec_get_compiler(spec, &compiler);
  compiler.lr_timestep = 0.01;
  compiler.lr_inteval = 0.05;
  compiler.lr_inttotal = 0.1;
  sn_spec_set_compiler(spec, &compiler, NULL);
}

static void compile(fuzzed *f, sn_spec *spec) {
  shorten_search(spec);
  si_error_clear(f->error);
  sn_model *model = sn_compile(spec, f->error);
  fuzz_demand(model != NULL || sn_error_message(f->error)[0] != 0, "rejected without a reason");
  if (model) {
    if (sn_size(model, "nv") <= MOST_DOFS) {
      simulate(f, model);
    }
    sn_model_free(model);
    write_and_read(f, spec);
  }
}

static void open_engine(fuzzed *f) {
  static const char included[] = "<x><geom/></x>";
  f->error = sn_error_new();
  f->engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", f->error);
  fuzz_demand(f->engine && si_engine_freeze(f->engine, f->error) >= 0, sn_error_text(f->error));
  const si_provider *loader = si_engine_find(f->engine, SN_KIND_LOADER, "mjcf", f->error);
  fuzz_demand(loader != NULL, sn_error_text(f->error));
  f->ops = loader->ops;
  f->self = loader->self;
  fuzz_file_name = "a.xml";
  fuzz_file_text = included;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzzed f;
  if (!f.engine) {
    open_engine(&f);
  }
  sn_spec *spec = fuzz_load(&f, data, size);
  if (spec) {
    if (is_small(spec)) {
      compile(&f, spec);
    }
    sn_spec_free(spec);
  }
  return 0;
}
