// SPDX-License-Identifier: Apache-2.0
//
// The interface between a plugin and the host.
//
// A plugin is a shared object that exports one function, sn_plugin_entry. The function returns
// constant data: the name of the plugin, and a table of its providers. Apart from constructors,
// which dlopen runs, no other code of the plugin runs before the host has checked that table:
//
//   host                                 plugin
//   dlopen, sn_plugin_entry()  ------->  const sn_plugin { magic, versions, name, provides, ... }
//   checks magic, size, versions
//   registers every entry of `provides` whose kind it knows, under (kind, name)
//   init(host, error)          ------->  may keep the host and query services           (optional)
//                                        on failure the entries are removed again
//   before the first model:
//   ops->create(host, values)  ------->  an instance with its parameters, checked by the host
//   ops->...                   ------->  the operations of the kind, see solver.h, collider.h, ...
//   ops->destroy(self)         ------->
//   fini(host)                 ------->                                                  (optional)

#ifndef SINEW_PLUGIN_H
#define SINEW_PLUGIN_H

#include "sinew/abi.h"
#include "sinew/enums.h"

SN_BEGIN_DECLS

#define SN_PLUGIN_MAGIC 0x53494e57u   // "SINW"

// What the engine offers to plugins.
typedef struct sn_host sn_host;

// One provider of a plugin. The layout of this struct is the same in all versions, because plugins
// have arrays of it. Each kind has a macro for its entries; with the operation table of another
// kind the entry does not compile.
//
//   static const sn_provide provides[] = {
//     SN_PROVIDE_SOLVER("newton", &newton_ops),
//     { NULL, NULL, NULL },
//   };
typedef struct sn_provide {
  const char *kind;   // the id of the kind with its revision: SN_KIND_SOLVER ...
  const char *name;   // the name that selects it: "newton"
  const void *ops;    // the operations struct of the kind; starts with sn_ops
} sn_provide;
SN_LAYOUT(sn_provide, 24);

// An entry with a table of the given type. In C++, decltype turns the pointer type into a name that
// can be initialized with braces: braces convert like an assignment, whereas a cast would also
// accept a void *.
#ifdef __cplusplus
#define SN_PROVIDE(kind, name, type, ops) \
  { kind, name, decltype(static_cast<const type *>(nullptr)){ ops } }
#else
#define SN_PROVIDE(kind, name, type, ops) \
  { kind, name, _Generic((ops), const type *: (ops), type *: (ops)) }
#endif

// The descriptor of a plugin.
typedef struct sn_plugin {
  uint32_t magic;              // SN_PLUGIN_MAGIC
  uint32_t size;               // sizeof(sn_plugin)
  uint32_t abi_major;          // SN_ABI_MAJOR
  uint32_t abi_minor_needed;   // the lowest minor version that it needs
  uint32_t real_size;          // sizeof(double)
  uint32_t abi_minor;          // SN_ABI_MINOR, of the headers that it was compiled with
  const char *name;            // reverse domain for third parties: "org.example.dcmotor"
  const char *version;
  const char *license;         // SPDX expression
  const char *summary;         // one line
  const sn_provide *provides;  // entries SN_PROVIDE_*; ends with { NULL, NULL, NULL }
  sn_status (*init)(const sn_host *host, sn_error *error);   // [startup] optional
  // [startup] optional: once for each successful init, with the same host, after its instances
  // have been destroyed. Several engines of a process close in any order: keep the host of an
  // engine in the instances that it created, not in a global variable.
  void (*fini)(const sn_host *host);
  const char *part;   // path of its part (part.h), relative to the folder of its file; NULL: none
} sn_plugin;
SN_LAYOUT(sn_plugin, 88);

// The only symbol that a plugin exports. It returns constant data and has no side effects.
// [startup]
#define SN_PLUGIN_ENTRY SN_API const sn_plugin *sn_plugin_entry(void)
// The type of sn_plugin_entry.
typedef const sn_plugin *sn_plugin_entry_fn(void);
SN_API const sn_plugin *sn_plugin_entry(void);   // of the plugin that includes this header

// Defines the descriptor and the entry function of a plugin, in C and in C++ from C++11 on. init
// and fini may be NULL.
//
//   SN_PLUGIN_OF("org.example.my_plugin", "1.0", "Apache-2.0", "a plugin to start from", provides,
//                NULL, NULL)
#define SN_PLUGIN_OF(name, version, license, summary, provides, init, fini) \
  static const sn_plugin sn_plugin_descriptor = { SN_PLUGIN_MAGIC,          \
                                                  sizeof(sn_plugin),        \
                                                  SN_ABI_MAJOR,             \
                                                  0,                        \
                                                  sizeof(double),           \
                                                  SN_ABI_MINOR,             \
                                                  name,                     \
                                                  version,                  \
                                                  license,                  \
                                                  summary,                  \
                                                  provides,                 \
                                                  init,                     \
                                                  fini,                     \
                                                  NULL };                   \
  SN_PLUGIN_ENTRY {                                                         \
    return &sn_plugin_descriptor;                                           \
  }

// The same in C, with designated initializers. The arguments initialize members
// of sn_plugin; the versions and sizes are set by the macro, all others are zero:
//
//   SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
//             .summary = "a plugin to start from", .provides = provides)
#define SN_PLUGIN(...)                            \
  static const sn_plugin sn_plugin_descriptor = { \
    .magic = SN_PLUGIN_MAGIC,                     \
    .size = sizeof(sn_plugin),                    \
    .abi_major = SN_ABI_MAJOR,                    \
    .real_size = sizeof(double),                  \
    .abi_minor = SN_ABI_MINOR,                    \
    __VA_ARGS__,                                  \
  };                                              \
  SN_PLUGIN_ENTRY {                               \
    return &sn_plugin_descriptor;                 \
  }

// ------------------------------------------------------------------ parameters

enum {
  SN_PARAM_INT = 1,
  SN_PARAM_REAL = 2,
  SN_PARAM_BOOL = 3,
  SN_PARAM_TEXT = 4,
  SN_PARAM_REALS = 5,       // nmin to nmax numbers, separated by spaces
  SN_PARAM_REFERENCE = 6    // the name of an element; in attributes of elements of a model only
};
enum { SN_NPARAMTYPES = 7 };

// A parameter that a provider declares, so that the host can check, list and document it. Users set
// it in section [plugin.NAME] of the configuration, as `parameter = value`. The layout of this
// struct is the same in all versions, because plugins have arrays of it.
typedef struct sn_param {
  const char *name;
  // the default, written as in the configuration. NULL, for references only: there is no default,
  // and the host rejects a model that does not set the reference
  const char *default_value;
  // for text: the values allowed, "a|b|c"; NULL: any. For a reference: the kinds of elements,
  // "site|body"; the first kind in this list that has an element of that name is used
  const char *choices;
  const char *summary;      // meaning, with the unit
  double min, max;          // for numbers, inclusive; for SN_PARAM_REALS, of each number
  int32_t type;             // SN_PARAM_*
  int32_t nmin, nmax;       // for SN_PARAM_REALS: least and largest count; nmax 0: no limit
  int32_t reserved;         // 0
  const void *reserved2[2]; // NULL
} sn_param;
SN_LAYOUT(sn_param, 80);

// The value of a declared parameter, in the order of the declaration. Pointers are valid during the
// call that gets the value. The layout of this struct is the same in all versions, because plugins
// get arrays of it.
typedef struct sn_value {
  double real;           // numbers and booleans; for SN_PARAM_REALS, the first number
  int64_t integer;       // integers and booleans; for a reference, the id; -1: the name is empty
  // the text as it was written; never empty for a reference without a default
  const char *text;
  const double *reals;   // n numbers; NULL for other types
  int64_t n;             // SN_PARAM_REALS: count; reference: index of its kind in `choices`
  const void *reserved;  // NULL
} sn_value;
SN_LAYOUT(sn_value, 48);

// Flags of every kind. The lower bits of sn_ops.flags are those of the kind; a provider with a bit
// that this host does not know is rejected.
//
// A weak provider. Another provider of the same kind and name, from an application or another
// plugin, replaces it; without this flag, two providers of the same kind and name are an error.
#define SN_OPS_WEAK (1u << 31)
// The [step] operations of one simulation must not run at the same time. Without it they may, each
// call with scratch memory of its own; see PLUGIN_API.md, "Threads".
#define SN_OPS_SERIAL (1u << 30)

// The first member of the operation table of every kind. The layout of this struct is the same in
// all versions.
typedef struct sn_ops {
  uint32_t size;            // of the whole operation table, as compiled into the plugin
  uint32_t flags;           // of the kind, and SN_OPS_*
  const char *summary;      // one line
  const sn_param *params;   // ends with a NULL name; NULL: no parameters
  // [load] Creates the instance that the other operations get as `self`; it does not change during
  // steps and is shared by threads. It may be called several times for one provider, with different
  // values; the operations are called with the instance they concern, and each instance is
  // destroyed once. NULL: self is NULL.
  sn_status (*create)(const sn_host *host, const sn_value *values, void **self, sn_error *error);
  void (*destroy)(void *self);   // [load] NULL if create is NULL
} sn_ops;
SN_LAYOUT(sn_ops, 40);

// ------------------------------------------------------------------ the host

enum { SN_LOG_DEBUG = 0, SN_LOG_INFO = 1, SN_LOG_WARNING = 2, SN_LOG_ERROR = 3 };

struct sn_host {
  uint32_t size;
  uint32_t abi_major;
  uint32_t abi_minor;
  uint32_t reserved;
  const char *version;   // of the engine

  // [any] A table of services by id ("sinew.fields/1"), or NULL. Valid as long as the host.
  const void *(*query)(const sn_host *host, const char *service);

  // [any] Sends a message to the log callback of the application. level: SN_LOG_*.
  void (*log)(const sn_host *host, int32_t level, const char *topic, const char *text);

  // [any] Memory for instances. alloc returns zero-initialized memory or NULL.
  void *(*alloc)(const sn_host *host, int64_t bytes);
  void (*free)(const sn_host *host, void *memory);

  // [any] Fills an error and returns `code`. file NULL, line or column 0: not known.
  sn_status (*error)(const sn_host *host, sn_error *error, sn_status code, const char *file,
                     int32_t line, int32_t column, const char *text);
};
SN_LAYOUT(sn_host, 64);

// ------------------------------------------------------------------ services

// The inertia matrix M of a simulation in its current state, stored sparsely along a tree of its
// dofs. `parent` is the elimination tree of M from the last dof to the first: parent[i] is the
// largest j < i for which M or its factor has an entry (i, j). It is the kinematic tree,
// dof_parentid, unless tendons with armature couple different branches or trees; then the paths of
// the coupled dofs to the root are merged into one, in descending order.
// Row i has the entries of dof i itself, its parent dof, the parent of that and so on to the root:
// M[adr[i] + k] is the element of dof i and its k-th ancestor, which may be zero. The factorization
// M = L'DL has the same layout: L[adr[i]] is D_i, and the entries after it are row i of L.
//
// This layout can store every sparsity pattern that M can have. It is used instead of general
// sparse rows because its rows include the fill-in of L: M and L share one layout, the
// factorization needs no symbolic analysis, and loops run along consecutive entries.
//
// Its rows are as long as the tree is deep. For deep trees the host can compute products and
// solutions by recursion along the bodies instead, at a cost that is linear in nv: `recursion` is
// then not NULL. M, L and Dinv are available too, except to plugins whose flags declare that they
// do not need them (SN_SOLVER_RECURSIVE): for those they may be NULL.
typedef struct sn_inertia {
  uint32_t size;
  uint32_t reserved;
  int64_t nv;
  int64_t nM;
  const int32_t *parent;    // nv; elimination tree of M; -1 at a root
  const int32_t *adr;       // nv
  const double *M;          // nM
  const double *L;          // nM
  const double *Dinv;       // nv; 1 / D
  const struct sn_inertia_recursion *recursion;   // NULL: M and L are used
  const void *links;        // data of `recursion`; NULL if that is NULL
} sn_inertia;
SN_LAYOUT(sn_inertia, 80);

// Operations with M that do not use its entries. x and y have nv numbers and do not overlap. One
// thread at a time may use those of one sn_inertia.
typedef struct sn_inertia_recursion {
  uint32_t size;
  uint32_t reserved;
  // [step] y = M x
  void (*multiply)(const sn_inertia *inertia, const double *x, double *y);
  // [step] How many numbers a factor of M + diag(extra) has.
  int64_t (*factor_size)(const sn_inertia *inertia);
  // [step] Computes the factor of M + diag(extra), which should be positive definite. extra: nv;
  // NULL: zeros.
  void (*factor)(const sn_inertia *inertia, const double *extra, double *factor);
  // [step] x = (M + diag(extra))^-1 x, in place, with its factor; NULL: x = M^-1 x.
  void (*solve)(const sn_inertia *inertia, const double *factor, double *x);
} sn_inertia_recursion;
SN_LAYOUT(sn_inertia_recursion, 40);

// [any] The recursion of an inertia; NULL: there is none.
static inline const sn_inertia_recursion *sn_recursion_of(const sn_inertia *inertia) {
  return SN_HAS(inertia, recursion) ? inertia->recursion : NULL;
}

#define SN_SERVICE_INERTIA "sinew.inertia/1"
// The service SN_SERVICE_INERTIA.
typedef struct sn_inertia_service {
  uint32_t size;
  uint32_t reserved;
  // [step] y = M x; x and y have nv numbers and do not overlap.
  void (*multiply)(const sn_inertia *inertia, const double *x, double *y);
  // [step] x = M^-1 x, in place.
  void (*solve)(const sn_inertia *inertia, double *x);
} sn_inertia_service;
SN_LAYOUT(sn_inertia_service, 24);

// Fields of model and data by name. Resolve a name once, in `bind`, with the type that is expected,
// and read the field with sn_field_reals or sn_field_ints in the other operations.
//
// What `bind` may keep: sizes, integers of the model and addresses of its arrays, which remain
// valid as long as the model is bound. Read real numbers of the model, and options, where they are
// needed: users edit them between steps. Addresses of fields of the data change from step to step.
enum {
  SN_REAL = 1,   // double
  SN_INT = 2,    // int32_t
  SN_BYTE = 3,   // uint8_t
  SN_CHAR = 4    // char: concatenated null-terminated strings
};

// A field whose name is resolved.
typedef struct sn_field {
  int32_t index;   // in the table of pointers, `fields` of the view
  int32_t type;    // SN_REAL ...
  int32_t rows;    // -1: changes from step to step
  int32_t cols;
} sn_field;
SN_LAYOUT(sn_field, 16);

// A model as plugins see it; fields are read with sn_field_reals and sn_field_ints.
typedef struct sn_model_view {
  uint32_t size;
  uint32_t reserved;
  const sn_model *model;
  const void *const *fields;
} sn_model_view;
SN_LAYOUT(sn_model_view, 24);

// A simulation as plugins see it; fields are read with sn_field_reals and sn_field_ints.
typedef struct sn_data_view {
  uint32_t size;
  uint32_t reserved;
  sn_data *data;
  const void *const *fields;        // of the data
  const sn_model_view *model;
} sn_data_view;
SN_LAYOUT(sn_data_view, 32);

#define SN_SERVICE_FIELDS "sinew.fields/1"
// The service SN_SERVICE_FIELDS.
typedef struct sn_fields_service {
  uint32_t size;
  uint32_t reserved;
  // [load] Resolves a name. type: SN_REAL ..., what the plugin will read; 0: any. SN_ENOTFOUND: no
  // field has that name; the error names a similar one. SN_EINVAL: it has another type.
  sn_status (*model_field)(const sn_model_view *model, const char *name, int32_t type,
                           sn_field *field, sn_error *error);
  sn_status (*data_field)(const sn_model_view *model, const char *name, int32_t type,
                          sn_field *field, sn_error *error);
  // [any] A size of the model ("nv"), or a count of the data ("ncon"); -1: no such name.
  int64_t (*size_of)(const sn_model_view *model, const char *name);
  int64_t (*count_of)(const sn_data_view *data, const char *name);
  // [load] The id of an object by its kind ("body", "site" ...) and name; -1: there is none. Body 0
  // has the name "world".
  int32_t (*find)(const sn_model_view *model, const char *kind, const char *name);
  // [load] The address of an option of the model ("gravity", "density"; "disableflags"). Read the
  // option when it is needed: it may change between steps. Valid as long as the model; NULL: no
  // such option.
  const double *(*option)(const sn_model_view *model, const char *name);
  const int64_t *(*option_int)(const sn_model_view *model, const char *name);
} sn_fields_service;
SN_LAYOUT(sn_fields_service, 64);

// [any] The address of a field of real numbers: sn_field_reals(data->fields, qvel), with the handle
// that `data_field` wrote, or that sn_lookup_data (instance.h) returned. `fields` is a member of
// the view, not the view itself.
static inline const double *sn_field_reals(const void *const *fields, sn_field field) {
  return (const double *)fields[field.index];
}

// [any] The address of a field of integers.
static inline const int32_t *sn_field_ints(const void *const *fields, sn_field field) {
  return (const int32_t *)fields[field.index];
}

// Random numbers that depend on nothing but (seed, stream, counter).
#define SN_SERVICE_RANDOM "sinew.random/1"
// The service SN_SERVICE_RANDOM.
typedef struct sn_random_service {
  uint32_t size;
  uint32_t reserved;
  // [any] n numbers uniform in [0, 1), or standard normal.
  void (*uniform)(uint64_t seed, uint64_t stream, uint64_t counter, int64_t n, double *out);
  void (*normal)(uint64_t seed, uint64_t stream, uint64_t counter, int64_t n, double *out);
} sn_random_service;
SN_LAYOUT(sn_random_service, 24);

// Ray casting against the geoms of a simulation, for sensors.
#define SN_SERVICE_RAY "sinew.ray/1"
// The service SN_SERVICE_RAY.
typedef struct sn_ray_service {
  uint32_t size;
  uint32_t reserved;
  // [step] Writes to *distance the smallest x >= 0 for which origin + x direction (global, 3 each)
  // is on the surface of a visible geom; -1: there is none. Geoms of without_body are excluded (-1:
  // none is). *geom (may be NULL): the geom that was hit, or -1. Available after the position
  // stage. A negative status: the plugin of a shape or of a collider failed; *distance is -1, and
  // the step ends with an error that names this plugin, whatever the operation returns. Return the
  // status.
  sn_status (*cast)(const sn_data_view *data, const double *origin, const double *direction,
                    int32_t without_body, double *distance, int32_t *geom);
} sn_ray_service;
SN_LAYOUT(sn_ray_service, 16);

// Several threads within one operation, for large problems.
#define SN_SERVICE_TASKS "sinew.tasks/1"
// The service SN_SERVICE_TASKS.
typedef struct sn_tasks_service {
  uint32_t size;
  uint32_t reserved;
  // [step] How many threads `run` uses for the operation that got this scratch memory: the option
  // `threads`. 1: `run` calls the tasks one after another, for example because the host already
  // calls several operations at the same time.
  int32_t (*nthread)(const sn_scratch *scratch);
  // [step] Calls task(context, k) for k = 0 ... n - 1, each once, in any order and several at the
  // same time, and returns when all have returned. A task must not write what another one reads or
  // writes, so that the result does not depend on the number of threads; it does not take scratch
  // memory and calls no service. A negative status: a task changed the floating-point environment;
  // the step ends with an error that names the operation. Return the status.
  sn_status (*run)(sn_scratch *scratch, int64_t n, void (*task)(void *context, int64_t k),
                   void *context);
} sn_tasks_service;
SN_LAYOUT(sn_tasks_service, 24);

SN_END_DECLS

#endif
