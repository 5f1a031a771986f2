// SPDX-License-Identifier: Apache-2.0
//
// sinew inspect: what a model consists of. As text: sizes, options and the tree of bodies, or the
// arrays asked for. As JSON: everything.

#include <stdio.h>
#include <string.h>

#include "fields.h"

// ------------------------------------------------------------------ memory

static int64_t bytes_of(const sn_view *view) {
  static const int64_t bytes[] = {
    [SN_REAL] = sizeof(double), [SN_INT] = sizeof(int32_t), [SN_BYTE] = 1, [SN_CHAR] = 1
  };
  return view->rows * view->cols * bytes[view->type];
}

// Bytes of all arrays, and the n largest ones in descending order; fewer: their bytes are 0.
static int64_t measure_arrays(const sn_model *m, int n, sn_view *largest) {
  sn_view view = { .size = sizeof view };
  int64_t sum = 0;
  for (int64_t i = 0; sn_model_field_at(m, i, &view); i++) {
    sn_view next = view;
    sum += bytes_of(&view);
    for (int k = 0; k < n; k++) {
      if (!largest[k].name || bytes_of(&next) > bytes_of(&largest[k])) {
        const sn_view smaller = largest[k];
        largest[k] = next;
        next = smaller;
        if (!next.name) {
          break;
        }
      }
    }
  }
  return sum;
}

// ------------------------------------------------------------------ JSON

// kinds of named elements, and the size that counts them
static const struct {
  const char *kind, *size;
} kinds[] = {
#define SN_X(kind, size, prefix, also) { #kind, #size },
  SN_MODEL_ELEMENTS(SN_X)
#undef SN_X
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

#define MEMBER_REAL(name, count, ...)         \
  if ((count) == 1) {                         \
    json_real(j, #name, *(const double *)&settings->name);   \
  } else {                                    \
    json_reals(j, #name, (const double *)&settings->name, count, 1); \
  }
#define MEMBER_INT(name, value) json_integer(j, #name, settings->name);
#define MEMBER_TEXT(name, value) json_text(j, #name, settings->name);

static void print_options(json *j, const sn_option *settings) {
  json_object(j, "opt");
  SN_OPTIONS(MEMBER_REAL, MEMBER_INT, MEMBER_TEXT)
  json_end(j);
}

static void print_statistics(json *j, const sn_statistic *settings) {
  json_object(j, "stat");
  SN_STATISTICS(MEMBER_REAL, MEMBER_INT, MEMBER_TEXT)
  json_end(j);
}

static void print_names(json *j, const sn_model *m) {
  json_object(j, "names");
  for (int k = 0; k < NKINDS; k++) {
    json_list(j, kinds[k].kind);
    for (int64_t i = 0; i < sn_size(m, kinds[k].size); i++) {
      json_text(j, NULL, sn_name(m, kinds[k].kind, (int32_t)i));
    }
    json_end(j);
  }
  json_end(j);
}

static sn_statistic model_statistics(const sn_model *m) {
  sn_statistic statistic = { .def_size = sizeof statistic };
  sn_model_get_statistic(m, &statistic);
  return statistic;
}

// The options with the algorithms that simulations of the model use, from all configurations.
static sn_option effective_options(const sn_model *m) {
  sn_option option = model_options(m);
  snprintf(option.solver, sizeof option.solver, "%s", sn_model_selected(m, "solver"));
  snprintf(option.integrator, sizeof option.integrator, "%s", sn_model_selected(m, "integrator"));
  return option;
}

static int print_json(const session *s) {
  const sn_model *m = s->model;
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_text(&j, "name", sn_model_name(m));
  json_object(&j, "size");
  const char *name;
  int64_t value;
  for (int64_t i = 0; sn_size_at(m, i, &name, &value); i++) {
    json_integer(&j, name, value);
  }
  json_end(&j);
  json_integer(&j, "memory", measure_arrays(m, 0, NULL));
  const sn_option effective = effective_options(m);
  print_options(&j, &effective);
  const sn_statistic statistic = model_statistics(m);
  print_statistics(&j, &statistic);
  print_names(&j, m);
  json_object(&j, "model");
  sn_view view = { .size = sizeof view };
  for (int64_t i = 0; sn_model_field_at(m, i, &view); i++) {
    if (wanted(s->o, 1, view.name)) {
      field_json(&j, &view);
    }
  }
  json_end(&j);
  loading_json(&j, "load_", m);
  return json_finish(&j) ? DONE : FAILED;
}

// ------------------------------------------------------------------ text

// "name", or "kind 3" for what has no name
static const char *label(const sn_model *m, const char *kind, int32_t id, char *storage, size_t n) {
  const char *name = sn_name(m, kind, id);
  if (!*name) {
    snprintf(storage, n, "%s %d", kind, id);
    name = storage;
  }
  return name;
}

static void print_sizes(const sn_model *m) {
  const char *name;
  int64_t value;
  int column = 0;
  printf("sizes    ");
  for (int64_t i = 0; sn_size_at(m, i, &name, &value); i++) {
    if (value > 0) {
      int n = (int)strlen(name) + 8;
      column = column + n > 84 ? printf("\n         ") - 10 : column;
      column += printf(" %s %lld", name, (long long)value);
    }
  }
  putchar('\n');
}

static void print_bytes(int64_t bytes) {
  printf(bytes < 1000000 ? "%.0f kB" : "%.1f MB", (double)bytes / (bytes < 1000000 ? 1e3 : 1e6));
}

// Of large models, which arrays make them large.
static void print_memory(const sn_model *m) {
  enum { SHOWN = 3, LARGE = 100000 };
  sn_view largest[SHOWN] = { { 0 } };
  const int64_t sum = measure_arrays(m, SHOWN, largest);
  printf("memory    ");
  print_bytes(sum);
  for (int k = 0; k < SHOWN && sum > LARGE && 10 * bytes_of(&largest[k]) > sum; k++) {
    printf("%s %s ", k ? "," : ":", largest[k].name);
    print_bytes(bytes_of(&largest[k]));
  }
  putchar('\n');
}

static void print_body(const sn_model *m, int32_t b, int depth) {
  static const char *const types[SN_NJOINTTYPES] = { "free", "ball", "slide", "hinge" };
  char storage[64];
  int n = printf("  %*s%s", 2 * depth, "", label(m, "body", b, storage, sizeof storage));
  printf("%*s mass %.4g", n < 34 ? 34 - n : 1, "", snm_body_mass(m)[b]);
  for (int32_t k = 0; k < snm_body_jntnum(m)[b]; k++) {
    int32_t j = snm_body_jntadr(m)[b] + k, type = snm_jnt_type(m)[j];
    printf("%s %s %s", k ? "," : ";", type >= 0 && type < SN_NJOINTTYPES ? types[type] : "joint",
           label(m, "joint", j, storage, sizeof storage));
  }
  if (snm_body_geomnum(m)[b]) {
    printf("; %d geom%s", snm_body_geomnum(m)[b], snm_body_geomnum(m)[b] > 1 ? "s" : "");
  }
  putchar('\n');
}

static void print_tree(const sn_model *m) {
  enum { DEEPEST = 64 };
  int32_t path[DEEPEST];
  int depth = 0;
  printf("bodies\n");
  // bodies are numbered depth first: the parent is on the path from the root
  for (int32_t b = 0; b < snm_nbody(m); b++) {
    while (depth && path[depth - 1] != snm_body_parentid(m)[b]) {
      depth--;
    }
    print_body(m, b, depth);
    if (depth < DEEPEST) {
      path[depth++] = b;
    }
  }
}

// The sizes among the operands.
static void print_chosen_sizes(const session *s) {
  const char *name;
  int64_t value;
  for (int64_t i = 0; sn_size_at(s->model, i, &name, &value); i++) {
    if (wanted(s->o, 1, name)) {
      printf("%s  %lld\n", name, (long long)value);
    }
  }
}

static int print_text(const session *s) {
  const sn_model *m = s->model;
  sn_view view = { .size = sizeof view };
  if (s->o->noperand > 1) {
    print_chosen_sizes(s);
    for (int64_t i = 0; sn_model_field_at(m, i, &view); i++) {
      if (wanted(s->o, 1, view.name)) {
        field_text(&view);
      }
    }
    return DONE;
  }
  const sn_option opt = effective_options(m);
  const sn_statistic stat = model_statistics(m);
  printf("model     %s\n", *sn_model_name(m) ? sn_model_name(m) : s->o->operand[0]);
  print_sizes(m);
  print_memory(m);
  printf("options   timestep %g s, gravity %g %g %g, solver %s, integrator %s, cone %s\n",
         opt.timestep, opt.gravity[0], opt.gravity[1], opt.gravity[2], opt.solver, opt.integrator,
         opt.cone ? "elliptic" : "pyramidal");
  printf("mass      %.6g kg, extent %.4g m around %.4g %.4g %.4g\n", snm_body_subtreemass(m)[0],
         stat.extent, stat.center[0], stat.center[1], stat.center[2]);
  print_tree(m);
  return DONE;
}

// ------------------------------------------------------------------ the subcommand

// The arrays, then the sizes.
static int32_t field_at(void *context, int64_t i, sn_view *view) {
  int64_t n = 0, value;
  sn_view each = { .size = sizeof each };
  if (sn_model_field_at(context, i, view)) {
    return 1;
  }
  while (sn_model_field_at(context, n, &each)) {
    n++;
  }
  return sn_size_at(context, i - n, &view->name, &value);
}

static int inspect(const options *o) {
  session s;
  int status = session_open(&s, o);
  status = status == DONE ? session_load(&s, o->operand[0]) : status;
  status = status == DONE ? fields_check(o, 1, field_at, s.model) : status;
  if (status == DONE) {
    status = o->json ? print_json(&s) : print_text(&s);
  }
  session_close(&s);
  return status;
}

const command inspect_command = {
  .name = "inspect",
  .operands = "MODEL [FIELD]...",
  .summary = "shows what a model consists of",
  .accepts = "strict json",
  .story =
      "With fields, arrays of the compiled model are printed. With --json, everything: sizes,\n"
      "options, statistics, names, every array. `sinew fields` lists the fields.\n",
  .examples = "sinew inspect arm\n"
              "sinew inspect arm body_mass geom_size\n",
  .min = 1,
  .max = -1,
  .takes_model = 1,
  .run = inspect,
};
