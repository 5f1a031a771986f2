#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""planted.py HEADERS

Breaks the public headers in known ways, in a copy, and requires that the comparison of interfaces
finds each change. abidiff, which compares the types in the debugging information of two libraries,
must agree wherever it can see the change: it sees types and functions, not values or texts.
Changes as a later version may make them, and all of the pretended ABI 1.1 (next/make.py), must be
found to be additions.
"""

import os
import shutil
import subprocess
import sys
import tempfile

import interface

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "next"))
import make  # noqa: E402, pylint: disable=wrong-import-position

# what is broken, the file, what to replace (a regular expression), by what, whether abidiff sees it
PLANTED = [
    ("arguments swapped", "passive.h", r"(int64_t width), (double \*qfrc)", r"\2, \1",
     True),
    ("member inserted", "solver.h", r"(  double \*force;)", r"  double *inserted;\n\1", True),
    ("type of a member", "collider.h", r"  double tolerance;", r"  int64_t tolerance;", True),
    ("member gone", "solver.h", r"  int64_t ncapacity;.*\n", "", True),
    ("element of an array grew", "collider.h", r"(  double normal\[)3\]", r"\g<1>4]", True),
    ("return type", "integrator.h", r"sn_status \(\*implicit\)", r"int64_t (*implicit)", True),
    ("value", "abi.h", r"SN_EPLUGIN = -6", "SN_EPLUGIN = -12", False),
    ("value inserted", "enums.h", r"(  SN_GEOM_SPHERE)", r"  SN_GEOM_INSERTED,\n\1", False),
    ("id of a kind", "filter.h", r'"sinew.filter/1"', '"sinew.filters/1"', False),
    ("id of a service", "plugin.h", r'"sinew.random/1"', '"sinew.random/2"', False),
    ("unit of a field", "fields_model.h", r'(X\(real, body_mass, nbody, 1, \w+, )"kg"', r'\1"g"',
     False),
    ("type of a field", "fields_model.h", r"X\(int, body_parentid", "X(byte, body_parentid", False),
    ("name of a field", "fields_data.h", r"X\(real, qvel,", "X(real, velocity,", False),
    ("columns of a field", "fields_data.h", r"(xpos, nbody, )3", r"\g<1>4", False),
    ("domain of a field", "fields_model.h", r"(X\(int, body_rootid, nbody, 1, )id\(nbody\)",
     r"\1id(njnt)", False),
    ("stage of a field", "fields_data.h", r'(X\(real, xpos, nbody, 3, )"kinematics"',
     r'\1"velocity"', False),
    ("arguments of one type exchanged", "sinew.h", r"int32_t geom1,(\s+)int32_t geom2",
     r"int32_t geom2,\1int32_t geom1", False),
    ("arguments of an operation exchanged", "collider.h", r"double \*point1, double \*point2",
     "double *point2, double *point1", False),
    ("bit of a flag", "plugin.h", r"(#define SN_OPS_SERIAL) \(1u << 30\)", r"\1 (1u << 29)", False),
    ("what a macro writes", "plugin.h", r"\.real_size = sizeof\(double\)",
     ".real_size = sizeof(float)", False),
    ("what a statement macro does", "abi.h", r"if \(sn_try_call < 0\)", "if (sn_try_call != 0)",
     False),
    ("what a macro compares", "abi.h", r"(\(pointer\)->size) >= ", r"\1 > ", False),
    ("thread of an operation", "solver.h", r"\[step\] (Solves the)", r"[load] \1", False),
    ("thread of a function", "sinew.h", r"\[any\] (Creates a simulation)", r"[load] \1", False),
    ("thread of a section", "sinew.h", r"(-- state) \[step\]", r"\1 [load]", False),
    ("default of an attribute", "fields_spec.h", r"(#define SN_DEFAULT_SOLREF) 0.02", r"\1 0.03",
     False),
    ("what an inline function does", "collider.h", r"  list->count\+\+;\n", "  list->count += 2;\n",
     False),
    ("function gone", "sinew.h", r"SN_API sn_status sn_step\([^;]*;", "", False),
]

# values, appended; what else may be appended is in next/make.py
GROWN = [
    ("value", "abi.h", r"(SN_ECANCELED = -10)", r"\1, SN_EADDED = -11"),
    ("value and count", "enums.h", r"(SN_NGEOMTYPES) = \d+", r"SN_GEOM_ADDED = 90,\n  \1 = 91"),
]


def library(headers, structs, folder, name):
    """A library whose debugging information describes these structs."""
    source = interface.include_all(headers)
    source += "".join(f"void use_{s}({s} *x) {{ (void)x; }}\n" for s in structs)
    result = os.path.join(folder, name)
    # without the assertions of sizes, which most of the changes break
    subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-g", "-w", "-shared", "-fPIC",
                    "-D_Static_assert(x,y)=", "-I", headers, "-x", "c", "-", "-o", result],
                   input=source, text=True, check=True)
    return result


def plant(headers, name, pattern, replacement):
    """Applies a change to a header; fails when it does not apply exactly once."""
    path = os.path.join(headers, "sinew", name)
    with open(path, encoding="utf-8") as file:
        text = make.change(file.read(), name, pattern, replacement)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def grown(original, before, top):
    """How many additions were missed, or taken for something else."""
    failures = 0
    for what, name, pattern, replacement in GROWN:
        copy = os.path.join(top, "grown")
        shutil.copytree(original, copy, dirs_exist_ok=True)
        plant(copy, name, pattern, replacement)
        broken, added = interface.compare(before, interface.interface_lines(copy, None))
        if broken or not added:
            failures += 1
            print("\n".join([f"{what}: not an addition alone"] + broken))
    return failures


def next_version(before, top):
    """1 if the headers of the pretended next version are not those of today with additions."""
    if make.main(os.path.join(HERE, "..", ".."), top):
        return 1
    after = interface.interface_lines(os.path.join(top, "include"), None)
    broken, added = interface.compare(before, after)
    missed = [name for name in ("sn_marker_def", "sn_climate", "SN_KIND_SOLVER_2", "bounce",
                                "polish", "sn_tally", "appended_at_end")
              if not any(name in line for line in added)]
    if broken or missed:
        print("\n".join(["the next version: not additions alone"] + broken +
                        [f"{name} was not found" for name in missed]))
    return 1 if broken or missed else 0


def main(original):
    failures = 0
    with tempfile.TemporaryDirectory() as top:
        before = interface.interface_lines(original, None)
        failures += grown(original, before, top)
        failures += next_version(before, os.path.join(top, "next"))
        structs = [interface.key_of(line).split()[1] for line in before
                   if line.startswith("struct ")]
        old = library(original, structs, top, "old.so")
        for what, name, pattern, replacement, visible in PLANTED:
            copy = os.path.join(top, "copy")
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(original, copy)
            plant(copy, name, pattern, replacement)
            broken, added = interface.compare(before, interface.interface_lines(copy, None))
            found = bool(broken or added)
            agreed = None
            if visible:
                run = subprocess.run(["abidiff", old, library(copy, structs, top, "new.so")],
                                     capture_output=True, text=True, check=False)
                agreed = bool(run.returncode & 4)
            if not found or agreed is False:
                failures += 1
                print(f"{what}: comparison {'found it' if found else 'MISSED it'}, abidiff "
                      f"{'was not asked' if agreed is None else agreed}")
    total = len(PLANTED) + len(GROWN) + 1
    print(f"{total - failures} of {total} planted changes found")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
