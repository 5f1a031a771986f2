#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make.py SOURCE_TREE FOLDER

Writes the sources of a pretended next version, ABI 1.1, to FOLDER/include and FOLDER/core: those of
today with what a later version may append. Every struct that may grow has a member more. The new
headers and the code of the new functions are beside this file; the other changes of existing files
are the table below. A file is written only if its content changes; one that an earlier call wrote,
and whose source is gone, is removed.
"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

ELEMENT = """typedef struct sn_marker_def {
  SN_DEF_HEAD;
  const char *name;
  double pos[3];
} sn_marker_def;
#define SN_SPEC_FIELDS_marker(X) \\
  X(marker, TEXT, name, none, NONE, ANY, NULL) X(marker, REAL, pos, none, NONE, FINITE, 0)
#define SN_ELEMENTS_1_1(X) X(marker)
"""

SETTINGS = """typedef struct sn_climate {
  uint32_t def_size;
  int32_t reserved0;
  double temperature;
} sn_climate;
static inline void sn_default_climate(sn_climate *d) {
  d->def_size = sizeof *d;
  d->reserved0 = 0;
  d->temperature = 293;
}
#define SN_SETTINGS_1_1(X) X(climate)
"""

KINDS = """static const si_ops_member observer_members[] = {
  SUMMARY(sn_observer_ops),
  REQUIRED(sn_observer_ops, observe),
  END,
};
static const si_ops_member solver_2_members[] = {
  SUMMARY(sn_solver_2_ops),
  REQUIRED(sn_solver_2_ops, solve),
  END,
};
"""

SYMBOLS = """SINEW_1.1 {
  global: sn_tally; snm_geom_bounce; sn_spec_add_marker; sn_spec_get_marker; sn_spec_set_marker;
    sn_spec_get_climate; sn_spec_set_climate;
} SINEW_1.0;
"""

# what is appended, the file, what to replace (a regular expression), by what
CHANGES = [
    ("version", "include/sinew/abi.h", r"#define SN_ABI_MINOR \d+", "#define SN_ABI_MINOR 1"),
    ("element", "include/sinew/spec.h", r"#define SN_ELEMENTS_1_1\(X\)\n", ELEMENT),
    ("settings", "include/sinew/spec.h", r"#define SN_SETTINGS_1_1\(X\)\n", SETTINGS),
    ("member of a definition", "include/sinew/spec.h",
     r"\} sn_geom_def;\nSN_LAYOUT\(sn_geom_def, \d+\);",
     "  double bounce;\n} sn_geom_def;"),
    ("its row", "include/sinew/fields_spec.h", r"(#define SN_SPEC_FIELDS_geom\(X\) *\\\n)",
     r"\1  X(geom, REAL, bounce, geom_bounce, COPY, FINITE, 0) \\\n"),
    ("field of the model", "include/sinew/fields_model.h", r"(  X\(real, geom_rgba, )",
     r'  X(real, geom_bounce, ngeom, 1, finite, "", "appended") \\\n\1'),
    ("option", "include/sinew/options.h", r"(?s)(#define SN_OPTIONS\(R, I, T\).*?)\n\n",
     r"\1 \\\n  R(appended, 1, 3)\n\n"),
    ("operation of a kind", "include/sinew/solver.h",
     r"\} sn_solver_ops;\nSN_LAYOUT\(sn_solver_ops, \d+\);",
     "  // [step] optional. Improves a solution. Since 1.1.\n"
     "  sn_status (*polish)(const void *self, const sn_problem *problem, sn_solution *solution);\n"
     "} sn_solver_ops;"),
    ("function of a service", "include/sinew/plugin.h",
     r"\} sn_fields_service;\nSN_LAYOUT\(sn_fields_service, \d+\);",
     "  int64_t (*appended)(const sn_model_view *model);\n} sn_fields_service;"),
    ("function of the host", "include/sinew/plugin.h", r"\};\nSN_LAYOUT\(sn_host, \d+\);",
     "  const char *(*appended)(const sn_host *host);\n};"),
    ("function for applications", "include/sinew/sinew.h", r"(SN_API const char \*sn_version)",
     r"SN_API int64_t sn_tally(const char *what);\n\1"),

    ("symbols", "core/sinew.map", r"\Z", SYMBOLS),
    ("new kinds", "core/host/kinds.c", r"(static const si_kind kinds\[\] = \{\n)",
     KINDS.replace("\\", "\\\\") +
     r'\1  { SN_KIND_OBSERVER, "observer", 0, sizeof(sn_observer_ops), observer_members, NULL },'
     "\n"
     r'  { SN_KIND_SOLVER_2, "solver", 0, sizeof(sn_solver_2_ops), solver_2_members, NULL },'
     "\n"),
    ("their headers", "core/host/engine.h", r'(#include "sinew/solver.h"\n)',
     r'\1#include "sinew/observer.h"\n#include "sinew/solver_2.h"\n'),
    ("new service", "core/api/services.c", r"\} services\[\] = \{\n",
     r"\g<0>  { SN_SERVICE_TALLY, &si_tally_service_table },\n"),
    ("its table", "core/host/engine.h", r"(?m)^#endif\n\Z",
     "extern const sn_tally_service si_tally_service_table;\n"
     "const char *si_host_appended(const sn_host *host);\n\\g<0>"),
    ("function of the host", "core/api/services.c", r"\.error = host_error,",
     r"\g<0> .appended = si_host_appended,"),
    ("function of a service", "core/data/fields.c",
     r"(?s)(const sn_fields_service si_fields_service_table = \{.*?)\};",
     "static int64_t appended(const sn_model_view *model) { return model->model->ngeom; }\n"
     r"\1  .appended = appended,\n};"),
    ("solvers of both kinds", "core/step/call_solver.c", r"ops->solve\(provider->self, ",
     "si_solve_1_or_2(provider, "),
    ("and of saved problems", "core/api/problem.c", r"ops->solve\(solver->self, ",
     "si_solve_1_or_2(solver, "),
    ("their declaration", "core/step/pipeline.h", r"(?m)^#endif\n\Z",
     "sn_status si_solve_1_or_2(const si_provider *provider, const sn_problem *problem,\n"
     "                          sn_solution *solution, sn_scratch *scratch);\n\\g<0>"),
    ("observers of steps", "core/step/step.c", r"sn_status sn_step\(",
     "sn_status si_step_unobserved("),
]

# structs that are made of tables
GENERATED = ("option", "compiler", "size_hint", "statistic", "visual")

# every struct that may grow gets a member at its end: those of tests/abi/interface.txt that do
STRUCT = (r"(?s)((?:typedef )?struct (sn_\w+) \{\n(?:(?!\n\}).)*\n)(\}(?: \2)?;)"
          r"(?:\nSN_LAYOUT\(\2, \d+\);)?")


def growing():
    with open(os.path.join(HERE, "..", "interface.txt"), encoding="utf-8") as file:
        return set(re.findall(r"^struct (\w+): \d+ bytes, grows$", file.read(), re.M))


def grow_structs(text, names, grown):
    def grow(match):
        if match[2] not in names:
            return match[0]
        grown.add(match[2])
        return match[1] + "  int64_t appended_at_end;\n" + match[3]
    return re.sub(STRUCT, grow, text)


def change(text, path, pattern, replacement):
    """The text of a file with one change; ValueError where it does not apply exactly once."""
    if text is None:
        raise ValueError(f"there is no {path}")
    places = len(re.findall(pattern, text))
    if places != 1:
        raise ValueError(f"{path} has {places or 'no'} places like '{pattern}', not one")
    return re.sub(pattern, replacement, text)


def files(folder):
    """Paths of all C files, headers and maps below a folder, relative to it."""
    for path, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith((".c", ".h", ".map")):
                yield os.path.relpath(os.path.join(path, name), folder)


def write(path, text):
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def remove_others(folder, kept):
    for path in list(files(folder)):
        if path not in kept:
            os.remove(os.path.join(folder, path))


def main(source, target):
    texts = {}
    for name, folder in (("include", os.path.join(source, "sdk", "include")),
                         ("core", os.path.join(source, "core")),
                         ("include", os.path.join(HERE, "include")),
                         ("core", os.path.join(HERE, "core"))):
        for path in files(folder):
            with open(os.path.join(folder, path), encoding="utf-8") as file:
                texts[f"{name}/{path}"] = file.read()
    failed = 0
    for what, path, pattern, replacement in CHANGES:
        try:
            texts[path] = change(texts.get(path), path, pattern, replacement)
        except ValueError as error:
            failed = 1
            print(f"tests/abi/next/make.py: {what}: {error}; adapt the table of changes")
    if failed:
        return failed
    names, grown = growing(), {f"sn_{kind}" for kind in GENERATED}
    for path, text in texts.items():
        if path.startswith("include/"):
            texts[path] = grow_structs(text, names, grown)
    for name in sorted(names - grown):
        failed = 1
        print(f"tests/abi/next/make.py: struct {name} was not found in the public headers")
    for path, text in texts.items():
        write(os.path.join(target, path), text)
    for name in ("include", "core"):
        remove_others(os.path.join(target, name),
                      {path[len(name) + 1:] for path in texts if path.startswith(name + "/")})
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
