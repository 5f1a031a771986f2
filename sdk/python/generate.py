#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates the Python binding from the public headers.

    generate.py --include DIR --native native.c --out DIR [--cc COMPILER]

Everything that the headers say is read from them, by the C preprocessor, and written nowhere else:

    _native.c        the extension module, made by cffi from all declarations
    _tables.py       the tables of fields, definitions, settings and enumerations
    _attributes.pyi  type stubs of the attributes that come from the tables, with units and meanings
"""

import argparse
import ast
import importlib
import keyword
import pathlib
import re
import subprocess
import sys
import types

HEADERS = ("sinew/sinew.h", "sinew/controller.h", "sinew/sensor.h", "sinew/passive.h",
           "sinew/contact.h", "sinew/actuator.h", "sinew/camera_sensor.h")

# Each row of each table as a line `@ table row...`, whose row is a Python expression too.
ROWS = r"""
#define ROW_SIZE(name, meaning) @ sizes #name, meaning @
#define ROW_MODEL(type, name, rows, cols, domain, unit, meaning) \
  @ model #type, #name, #rows, #cols, #domain, unit, meaning @
#define ROW_COUNT(name, stage, meaning) @ counts #name, stage, meaning @
#define ROW_DATA(type, name, rows, cols, stage, unit, meaning) \
  @ data #type, #name, #rows, #cols, stage, unit, meaning @
#define ROW_STEP(type, name, rows, cols, stage, unit, meaning) \
  @ step #type, #name, #rows, #cols, stage, unit, meaning @
#define ROW_SPEC(kind, type, member, field, copy, about, ...) \
  @ spec #kind, #type, #member, #field, #copy, #about, #__VA_ARGS__ @
#define ROW_KIND(kind) @ kinds #kind, @ SN_SPEC_FIELDS_##kind(ROW_SPEC)
SN_MODEL_SIZES(ROW_SIZE) SN_MODEL_FIELDS(ROW_MODEL)
SN_DATA_COUNTS(ROW_COUNT) SN_DATA_FIELDS(ROW_DATA) SN_STEP_FIELDS(ROW_STEP)
SN_ELEMENTS(ROW_KIND)
#define ROW_ELEMENT(kind, size, prefix, also) @ elements #kind, #size, #prefix, also @
#define ROW_COUNTED(size, kind, first, count) @ parts #kind, #size, "counted", #first, #count @
#define ROW_PACKED(size, kind, first) @ parts #kind, #size, "packed", #first, "" @
#define ROW_SINGLE(size, kind, first) @ parts #kind, #size, "single", #first, "" @
SN_MODEL_ELEMENTS(ROW_ELEMENT) SN_MODEL_PARTS(ROW_COUNTED, ROW_PACKED, ROW_SINGLE)
"""
SETTINGS = {"option": "SN_OPTIONS", "compiler": "SN_COMPILER", "size_hint": "SN_SIZE_HINTS",
            "statistic": "SN_STATISTICS", "visual": "SN_VISUAL"}
for kind, table in SETTINGS.items():
    for letter in "RIT":
        ROWS += f'#define ROW_{kind}_{letter}(name, ...) @ settings "{kind}", "{letter}", #name @\n'
    ROWS += f"{table}({', '.join(f'ROW_{kind}_{letter}' for letter in 'RIT')})\n"


def preprocess(cc, include, text, options=()):
    return subprocess.run([cc, "-E", "-std=c17", f"-I{include}", *options, "-x", "c", "-"],
                          input=text, capture_output=True, text=True, check=True).stdout


def includes(headers):
    return "".join(f'#include "{name}"\n' for name in headers)


# ---------------------------------------------------------------- declarations, for cffi

def own_lines(text, include):
    """The lines that come from Sinew's headers and not from those of the C library."""
    kept, ours = [], False
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = marker[1].startswith(str(include))
        elif ours:
            kept.append(line)
    return "\n".join(kept)


def without_bodies(text):
    """Drops inline functions, except that the defaults remain as declarations."""
    out, at = [], 0
    for start in re.finditer(r"\bstatic inline\b", text):
        if start.start() < at:
            continue
        opening = text.index("{", start.end())
        out.append(text[at:start.start()])
        head = text[start.end():opening].strip()
        if re.match(r"void sn_default_\w+\(", head):
            out.append(head + ";\n")
        depth, at = 1, opening + 1
        while depth:
            brace = re.compile("[{}]").search(text, at)
            depth += 1 if brace[0] == "{" else -1
            at = brace.end()
    out.append(text[at:])
    return "".join(out)


def declarations(cc, include):
    text = own_lines(preprocess(cc, include, includes(HEADERS)), include)
    text = re.sub(r'__attribute__\s*\(\(visibility\("default"\)\)\)', "", text)
    text = without_bodies(text)
    text = re.sub(r'_Static_assert\s*\((?:[^()"]|\([^()]*\)|"(?:[^"\\]|\\.)*")*\)\s*;', "", text)
    text = re.sub(r"[^;]*\bsn_plugin_entry\(void\);", "", text)   # of a plugin, not of libsinew
    macros = preprocess(cc, include, includes(HEADERS), ["-dM"])
    kinds = re.findall(r'^#define (SN_(?:KIND|SERVICE)_\w+) "', macros, re.M)
    return text + "".join(f"\nstatic char *const {word};" for word in kinds)


def helpers(native):
    """The declarations that native.c marks for Python, between two comments."""
    text = native.read_text()
    return "\n".join(re.findall(r"^// for Python\n(.*?)^// end\n", text, re.M | re.S))


# ---------------------------------------------------------------- tables

def rows(cc, include):
    text = preprocess(cc, include, includes(HEADERS) + ROWS, ["-P"])
    tables = {}
    for name, row in re.findall(r"@ (\w+) (.*?) @", text, re.S):
        tables.setdefault(name, []).append(ast.literal_eval(f"({row})"))
    return tables


def enumerations(cc, include):
    """{ "GEOM": { "PLANE": 0, ... } }, from the lists that share a first word."""
    text = own_lines(preprocess(cc, include, includes(HEADERS)), include)
    found, known = {}, {}
    for body in re.findall(r"\benum\s*\{([^{}]*)\}\s*;", text):
        entries, after = [], 0
        for entry in filter(None, (part.strip() for part in body.split(","))):
            name, value = re.match(r"(SN_\w+)\s*(?:=\s*(.*))?$", entry, re.S).groups()
            known[name] = after if value is None else arithmetic(value, known)
            after = known[name] + 1
            entries.append((name, known[name]))
        for name, value in entries:
            first, _, rest = name[3:].partition("_")
            if not rest or len(entries) < 2:
                first, rest = "", name[3:]
            found.setdefault(first, {})[rest] = value
    return found


def arithmetic(text, known):
    digits = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uUlL]+", r"\1", text.strip())
    digits = re.sub(r"\bSN_\w+", lambda name: str(known[name[0]]), digits)
    tree = ast.parse(digits, mode="eval")
    allowed = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Constant, ast.LShift, ast.USub,
               ast.BitOr, ast.Add, ast.Sub, ast.Mult)
    if not all(isinstance(node, allowed) for node in ast.walk(tree)):
        raise ValueError(text)
    return eval(compile(tree, "header", "eval"), {"__builtins__": {}})


def comments_of_struct(text, struct):
    """{ member: comment } from the comments at the ends of the lines of a struct."""
    body = re.search(rf"typedef struct {struct} \{{(.*?)^\}} {struct};", text, re.S | re.M)
    found = {}
    for line in (body[1] if body else "").splitlines():
        member = re.match(r"\s*(?:const )?\w+ (.*?);\s*//\s*(.*)", line)
        for name in re.findall(r"(\w+)(?:\[\w+\])?\s*(?:,|$)", member[1] if member else ""):
            found[name] = member[2]
    return found


def arrays_of_struct(text, struct):
    """The members of a struct that have several values where their type does not say so."""
    body = re.search(rf"typedef struct {struct} \{{(.*?)^\}} {struct};", text, re.S | re.M)
    return set(re.findall(r"(\w+)\[\w+\]", re.sub(r"//.*", "", body[1])))


def contact_members(text):
    """{ member: (type, columns, whether a modifier may change it) } of sn_contacts."""
    body = re.search(r"typedef struct sn_contacts \{(.*?)\n\}", text, re.S)[1]
    found, before = {}, ""
    for line in body.splitlines():
        comment = re.match(r"\s*//\s*(.*)", line)
        member = re.match(r"\s*(const )?(double|int32_t) \*(\w+);(?:\s*//\s*(.*))?", line)
        if member:
            constant, kind, name, after = member.groups()
            columns = re.match(r"n(?: x (\d+))?\b", after or before)
            found[name] = ("real" if kind == "double" else "int", int(columns[1] or 1),
                           not constant)
        before = "" if not comment else before or comment[1]
    return found


def comments_of_settings(text):
    """{ name: comment } from the comments beside the rows of options.h."""
    return dict(re.findall(r"[RIT]\((\w+),[^)]*\)\s*/\* (.*?) \*/", text))


HEAD = ["# SPDX-License-Identifier: Apache-2.0", "# Generated by generate.py from the headers."]


def write_tables(out, tables, enums, include):
    spec_text = (include / "sinew/spec.h").read_text()
    about = comments_of_settings((include / "sinew/options.h").read_text())
    spec = {kind: [] for kind, in tables["kinds"]}
    for kind, *row in tables["spec"]:   # cubebytes[0], cubebytes[1] ... are one member here
        spec[kind].append(tuple(re.sub(r"\[\d\]$", "", part) for part in row))
    made = {
        "SIZES": dict(tables["sizes"]),
        "MODEL": {r[1]: (r[0], *r[2:]) for r in tables["model"]},
        "COUNTS": {r[0]: r[1:] for r in tables["counts"]},
        "DATA": {r[1]: (r[0], *r[2:]) for r in tables["data"]},
        "STEP": {r[1]: (r[0], *r[2:]) for r in tables["step"]},
        "ELEMENTS": {r[0]: r[1:] for r in tables["elements"]},
        "PARTS": {kind: {size: row for owner, size, *row in tables["parts"] if owner == kind}
                  for kind, *_ in tables["elements"]},
        "SPEC": {kind: {member: (kind_of, field, copy, what, last)
                        for kind_of, member, field, copy, what, last in members}
                 for kind, members in spec.items()},
        "SPEC_COMMENTS": {kind: comments_of_struct(spec_text, f"sn_{kind}_def") for kind in spec},
        "SETTINGS": {kind: {name: (letter, about.get(name, ""))
                            for owner, letter, name in tables["settings"] if owner == kind}
                     for kind in SETTINGS},
        "ENUMS": enums,
        "CONTACTS": contact_members((include / "sinew/contact.h").read_text()),
    }
    lines = list(HEAD)
    for name, value in made.items():
        lines += ["", f"{name} = {{"] + [f"    {k!r}: {v!r}," for k, v in value.items()] + ["}"]
    (out / "_tables.py").write_text("\n".join(lines) + "\n")
    made["ARRAYS"] = {kind: arrays_of_struct(spec_text, f"sn_{kind}_def") for kind in spec}
    return made


# ---------------------------------------------------------------- type stubs

ARRAYS = {"real": "np.float64", "int": "np.int32", "byte": "np.uint8", "char": "np.uint8"}
# what the members of a definition accept, and what reading them returns; * for arrays. All accept
# None, which is the default
ACCEPTS = {"TEXT": "Optional[str]", "NAME": "Named", "OWNER": "Owner", "FLAG": "Optional[int]",
           "INT": "Union[int, str, None]", "INT*": "Numbers", "LIMITED": "Union[int, str, None]",
           "REAL": "Numbers", "REAL*": "Numbers", "REALS": "Numbers", "INTS": "Numbers",
           "ORIENT": "Orientation", "BYTES": "Optional[Bytes]",
           "BYTES*": "Optional[Iterable[Optional[Bytes]]]",
           "TEXTS*": "Union[str, Iterable[Optional[str]], None]",
           "ITEMS": "Optional[Iterable[Mapping[str, Any]]]"}
READS = {"TEXT": "Optional[str]", "NAME": "Optional[str]",
         "OWNER": "int", "INT": "int", "FLAG": "int", "LIMITED": "int", "REAL": "float",
         "ORIENT": "Union[NDArray[np.float64], Dict[str, NDArray[np.float64]]]",
         "REALS": "NDArray[np.float64]", "INTS": "NDArray[np.int32]", "BYTES": "Bytes",
         "ITEMS": "List[Dict[str, Any]]", "INT*": "NDArray[np.int32]",
         "REAL*": "NDArray[np.float64]", "BYTES*": "List[Bytes]",
         "TEXTS*": "List[Optional[str]]"}
ATTRIBUTE = """
_Read = TypeVar("_Read")
_Set = TypeVar("_Set", contravariant=True)

class Attribute(Generic[_Read, _Set]):
    def __get__(self, instance: Any, owner: Any = ...) -> _Read: ...
    def __set__(self, instance: Any, value: _Set) -> None: ..."""


def doc(*parts, indent=4):
    text = "; ".join(filter(None, parts)).replace("\\", "\\\\")
    return " " * indent + '"""' + text + ('. """' if text.endswith('"') else '"""')


def shape(row):
    return f"shape ({row[1]})" if row[2] == "1" else f"shape ({row[1]}, {row[2]})"


def stub_fields(name, tables):
    lines = ["", f"class {name}:"]
    for field, row in tables.items():
        kind = "float" if row[1] == "one" else f"NDArray[{ARRAYS[row[0]]}]"
        lines += [f"    {field}: Attribute[{kind}, ArrayLike]",
                  doc(row[5], shape(row), row[4] and f"unit: {row[4]}")]
    return lines


def stub_counts(tables):
    lines = []
    for field, row in tables.items():
        meaning = row if isinstance(row, str) else row[-1]
        lines += ["    @property", f"    def {field}(self) -> int:", doc(meaning, indent=8)]
    return lines


def stub_elements(owner, names, tables):
    """The elements of a model or a simulation, and the methods that find them by name."""
    lines, finders = [], ["", f"class {owner}Names:"]
    for kind, attributes in names.items():
        lines += ["", f"class {owner}{kind.title()}:", "    id: int", "    kind: str",
                  "    @property", "    def name(self) -> str: ..."]
        for attribute, (field, _) in attributes.items():
            row = tables[field]
            number = "float" if row[0] == "real" else "int"
            lines += [f"    {attribute}: Attribute[Union[{number}, NDArray[{ARRAYS[row[0]]}]], "
                      "ArrayLike]", doc(row[5], row[4] and f"unit: {row[4]}")]
        finders += [f"    def {kind}(self, key: Union[int, str]) -> {owner}{kind.title()}: ..."]
    return lines + finders


def form_of(made, kind, member):
    """The form of a member, by which READS and ACCEPTS have its types."""
    return made["SPEC"][kind][member][0] + "*" * (member in made["ARRAYS"][kind])


def stub_spec(made):
    """The methods of a spec that belong to one kind, and its settings."""
    lines = ["", "class SpecMembers:"]
    for kind, members in made["SPEC"].items():
        values = ", ".join(f"{member}: {ACCEPTS[form_of(made, kind, member)]} = ..."
                           for member in members)
        made_of = f"{kind.title()}Definition"
        lines += [f"    def add_{kind}(self, *, {values}, **also: Any) -> {made_of}: ...",
                  f"    def {kind}(self, key: Union[int, str]) -> {made_of}: ..."]
    for kind in made["SETTINGS"]:
        lines += ["    @property",
                  f"    def {kind}(self) -> {kind.title().replace('_', '')}Settings: ..."]
    return lines


def elements(out):
    """elements.py of the package, with the tables that were just written."""
    package = types.ModuleType("tables")
    package.__path__ = [str(out), str(pathlib.Path(__file__).parent / "sinew")]
    sys.modules["tables"] = package
    return importlib.import_module("tables.elements")


def write_stubs(out, made):
    found = elements(out)
    lines = HEAD + [
             "from typing import (Any, Dict, Generic, Iterable, List, Mapping, Optional, TypeVar,",
             "                    Union)", "",
             "import numpy as np", "from numpy.typing import ArrayLike, NDArray", "",
             "from .spec import SpecElement", "",
             "Bytes = bytes", "Named = Any", "Owner = Any", "Orientation = Any",
             "Numbers = Optional[ArrayLike]", ATTRIBUTE]
    lines += stub_fields("ModelFields", made["MODEL"]) + stub_counts(made["SIZES"])
    lines += stub_fields("DataFields", {**made["DATA"], **made["STEP"]})
    lines += stub_counts(made["COUNTS"])
    data = {**made["DATA"], **made["STEP"]}
    lines += stub_elements("Model", found.MODEL_NAMES, made["MODEL"])
    lines += stub_elements("Data", found.DATA_NAMES, data)
    lines += stub_spec(made)
    for kind, members in made["SPEC"].items():
        lines += ["", f"class {kind.title()}Definition(SpecElement):"]
        if kind == "body":
            lines += [f"    def add_{part}(self, **values: Any) -> {part.title()}Definition: ..."
                      for part, row in made["SPEC"].items() if part == "body" or "body" in row]
        for member, (_, field, *_rest) in members.items():
            unit, meaning = made["MODEL"].get(field, [""] * 6)[4:6]
            comment = made["SPEC_COMMENTS"][kind].get(member, "")
            meaning = "" if field.startswith("name_") else meaning
            form = form_of(made, kind, member)
            lines += [f"    {member}: Attribute[{READS[form]}, {ACCEPTS[form]}]"]
            lines += [doc(comment or meaning, unit and f"unit: {unit}")] * bool(comment or meaning)
    for kind, members in made["SETTINGS"].items():
        lines += ["", f"class {kind.title().replace('_', '')}Settings:"]
        for member, (letter, comment) in members.items():
            if keyword.iskeyword(member):   # getattr reads it
                continue
            lines += [f"    {member}: " + {"R": "Any", "I": "Union[int, str]", "T": "str"}[letter]]
            lines += ['    """' + comment + '"""'] if comment else []
    (out / "_attributes.pyi").write_text("\n".join(lines) + "\n")


def write_native(out, include, native, cc):
    import cffi
    builder = cffi.FFI()
    builder.cdef(declarations(cc, include) + "\n" + helpers(native))
    source = includes(HEADERS) + f'#include "{native}"\n'
    builder.set_source("sinew._native", source)
    builder.emit_c_code(str(out / "_native.c"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--include", type=pathlib.Path, required=True)
    parser.add_argument("--native", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--cc", default="cc")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    made = write_tables(options.out, rows(options.cc, options.include),
                        enumerations(options.cc, options.include), options.include)
    write_stubs(options.out, made)
    write_native(options.out, options.include, options.native, options.cc)


if __name__ == "__main__":
    main()
