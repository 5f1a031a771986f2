#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The binary interface as a list, and the comparison of two such lists.

    interface.py list HEADERS [LIBRARY]     prints the interface of a folder of public headers, and
                                            the symbols that the library exports
    interface.py compare OLD HEADERS [LIBRARY]
                                            fails if something of the list OLD has gone or changed,
                                            or if something was added in the same minor version
    interface.py kept OLD_HEADERS HEADERS   fails if something of older headers has gone or changed

The headers are preprocessed by the C compiler ($CC, or cc) and parsed by pycparser, so that nothing
is listed by hand. Offsets and sizes are those of the 64-bit ABIs that Sinew supports: every type is
aligned to its size, and structs have no padding. One line is one promise:

    version 1.0
    constant SN_EINVAL = -1
    text SN_KIND_SOLVER = "sinew.solver/1"
    type sn_status = int32_t
    struct sn_plugin: 80 bytes, grows       starts with its size: members may be added at the end
    struct sn_sparse: 48 bytes, fixed       has no size of its own, or is part of another struct
    member sn_plugin.magic: at 0, uint32_t
    function sn_step: sn_status (const sn_model *, sn_data *)
    inline sn_scratch_reals: double *(sn_scratch *, int64_t)
    body sn_scratch_reals: { return ... }   what is compiled into plugins, see WITH_BODIES
    arguments sn_step: model, data          they may be renamed, but not exchanged
    thread sn_solver_ops.solve: step        from which threads it may be called: the tag in the
                                            comment before it, behind it, or of its section
    model field body_mass: real, nbody x 1, finite, kg
    attribute geom.margin: REAL, FINITE, 0
    setting SN_OPTIONS.timestep: REAL, 0.002
    macro SN_OPS_SERIAL: (1u << 30)
    symbol sn_step@@SINEW_1.0

Of a struct that grows, an increase of its size is an addition and every other change of its line
is a change. The count at the end of an enumeration (SN_NGEOMTYPES) grows as well. A body may change
in a higher minor version, like an addition: plugins keep the one that they were built with, so both
must do the same to what the host gives them.
"""

import os
import re
import subprocess
import sys
import tempfile

from pycparser import c_ast, c_generator, c_parser

# What the public headers use of the C library. Its own headers contain extensions of the compiler.
LIBRARY_HEADERS = {
    "stddef.h": "typedef unsigned long size_t;\n#define NULL ((void *)0)\n"
                "#define offsetof(type, member) 0",
    "stdint.h": "\n".join(f"typedef {sign} {base} {prefix}int{bits}_t;"
                          for sign, prefix in (("signed", ""), ("unsigned", "u"))
                          for base, bits in (("char", 8), ("short", 16), ("int", 32), ("long", 64)))
                + "\ntypedef unsigned long uintptr_t;\n#define INT32_MAX 2147483647"
                  "\n#define INT64_MAX 9223372036854775807",
    "math.h": "#define NAN 0.0\n#define INFINITY 0.0\n#define isfinite(x) 1\n#define isnan(x) 0",
    "float.h": "#define DBL_EPSILON 2e-16\n#define DBL_MAX 1e308\n#define DBL_MIN 1e-308",
    "limits.h": "", "stdio.h": "", "stdlib.h": "", "string.h": "", "stdbool.h": "",
}

SCALARS = {"char": 1, "double": 8, "float": 4, "int": 4}
SCALARS.update({f"{u}int{bits}_t": bits // 8 for u in ("", "u") for bits in (8, 16, 32, 64)})

# Helpers that are compiled into a plugin and never seen by the host.
WITHIN_PLUGINS = {"instance.h", "numerics.h", "xml.h"}

# Inline functions of these work on what the host and a plugin give each other, so that the host
# relies on what they do. Those of other headers are mathematics and texts.
WITH_BODIES = {"abi.h", "collider.h", "defaults.h", "plugin.h", "spec.h"}

TABLES = """
#include "sinew/fields_data.h"
#include "sinew/fields_model.h"
#define MODEL_SIZE(name, ...) @ "model size" #name
#define MODEL_FIELD(type, name, rows, cols, domain, unit, ...) \\
  @ "model field" #name #type #rows #cols #domain unit
#define COUNT(name, ...) @ "data count" #name
#define DATA_FIELD(type, name, rows, cols, stage, unit, ...) \\
  @ "data field" #name #type #rows #cols stage unit
SN_MODEL_SIZES(MODEL_SIZE) SN_MODEL_FIELDS(MODEL_FIELD)
SN_DATA_COUNTS(COUNT) SN_DATA_FIELDS(DATA_FIELD) SN_STEP_FIELDS(DATA_FIELD)
"""

# Of each kind of element, and of the settings.
ATTRIBUTES = """
#include "sinew/fields_spec.h"
#define ATTRIBUTE(kind, type, member, field, copy, about, ...) \\
  @ #kind #member #type #about #__VA_ARGS__
"""

# Of the settings of a model.
SETTINGS = """
#include "sinew/options.h"
#define REAL_SETTING(name, count, ...) @ #name "REAL" #__VA_ARGS__
#define INT_SETTING(name, value) @ #name "INT" #value
#define TEXT_SETTING(name, value) @ #name "TEXT" #value
"""

# What macros put into a plugin is a promise. These may be written in another way: what they declare
# is listed by itself, and tables grow.
UNLISTED = (r"SN_(BEGIN|END)_DECLS|SN_LAYOUT|SN_STATIC_ASSERT|SN_ACCESS_\w+|SN_DEFAULT_(DEF|MEMBER|"
            r"OF_\w+|REAL|INT|TEXT|SETTINGS)|SN_SETTING\w*|SN_SPEC_FIELDS_\w+|SN_ELEMENTS\w*|"
            r"SN_(MODEL|DATA|STEP)_(SIZES|COUNTS|FIELDS|PARTS|ELEMENTS)|SN_OPTIONS|SN_COMPILER|"
            r"SN_STATISTICS|SN_VISUAL|SN_SIZE_HINTS|SN_SCENE_SHOWS|SN_TIMED_STAGES|SN_VERSION")


def preprocess(headers, text, *options):
    """The text of a C file as the preprocessor leaves it."""
    with tempfile.TemporaryDirectory() as folder:
        for name, contents in LIBRARY_HEADERS.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(contents + "\n")
        command = [os.environ.get("CC", "cc"), "-E", "-P", "-nostdinc", "-std=c17", "-I", folder,
                   "-I", headers, "-D__attribute__(x)=", *options,
                   "-x", "c", "-"]
        return subprocess.run(command, input=text, check=True, capture_output=True,
                              text=True).stdout


def include_all(headers):
    names = sorted(n for n in os.listdir(os.path.join(headers, "sinew"))
                   if n.endswith(".h") and n not in WITHIN_PLUGINS)
    return "".join(f'#include "sinew/{name}"\n' for name in names)


class Interface:
    """Reads declarations and collects one line for each promise."""

    def __init__(self):
        self.lines = []
        self.constants = {}
        self.sizes = dict(SCALARS)
        self.parts = set()   # structs that are part of another
        self.write = c_generator.CGenerator().visit

    # -------------------------------------------------------------- values and types

    def value(self, node):
        """A constant expression of the headers."""
        if node is None:
            return None
        if isinstance(node, c_ast.Constant):
            return int(node.value.rstrip("uUlL"), 0)
        if isinstance(node, c_ast.ID):
            return self.constants[node.name]
        if isinstance(node, c_ast.Cast):
            return self.value(node.expr)
        if isinstance(node, c_ast.UnaryOp):
            return {"-": lambda x: -x, "~": lambda x: ~x, "+": lambda x: x}[node.op](
                self.value(node.expr))
        if isinstance(node, c_ast.BinaryOp):
            a, b = self.value(node.left), self.value(node.right)
            return {"+": a + b, "-": a - b, "*": a * b, "|": a | b, "&": a & b,
                    "<<": a << b if node.op == "<<" else 0}[node.op]
        raise ValueError(f"{node.coord}: not a constant that this script knows")

    def size_of(self, node):
        """(bytes, alignment) of a type."""
        if isinstance(node, c_ast.PtrDecl):
            return 8, 8
        if isinstance(node, c_ast.ArrayDecl):
            size, alignment = self.size_of(node.type)
            return size * self.value(node.dim), alignment
        if isinstance(node, c_ast.TypeDecl):
            return self.size_of(node.type)
        if isinstance(node, (c_ast.IdentifierType, c_ast.Struct)):
            name = node.name if isinstance(node, c_ast.Struct) else " ".join(node.names)
            size = self.sizes[name]
            self.parts.add(name)
            return size if isinstance(size, tuple) else (size, size)
        raise ValueError(f"{node.coord}: a type that this script does not know")

    def text_of(self, node):
        """A type as C writes it, without the names of variables and parameters."""
        class Nameless(c_ast.NodeVisitor):
            def visit_TypeDecl(self, inner):
                inner.declname = None
        Nameless().visit(node)
        text = self.write(c_ast.Typename(None, [], None, node))
        text = re.sub(r"\(\*(\w+)\)", "(*)", text)       # members and parameters that are functions
        return re.sub(r"\s+", " ", text)

    def add_arguments(self, name, node):
        """The names of the arguments of a function, or of what a pointer points to."""
        while isinstance(node, (c_ast.PtrDecl, c_ast.ArrayDecl)):
            node = node.type
        if isinstance(node, c_ast.FuncDecl) and node.args:
            names = [getattr(a, "name", None) or "" for a in node.args.params]
            self.lines.append(f"arguments {name}: {', '.join(names)}")

    # -------------------------------------------------------------- declarations

    def add_enum(self, node):
        following = 0
        for item in node.values.enumerators if node.values else []:
            number = self.value(item.value)
            number = following if number is None else number
            following = number + 1
            self.constants[item.name] = number
            self.lines.append(f"constant {item.name} = {number}")

    def add_struct(self, name, node):
        offset, widest, members = 0, 1, []
        for member in node.decls:
            if isinstance(member.type, (c_ast.Struct, c_ast.Union)) and member.type.decls:
                raise ValueError(f"{name}.{member.name}: a struct within a struct has no name")
            size, alignment = self.size_of(member.type)
            if offset % alignment:
                raise ValueError(f"{name} has padding before {member.name}")
            self.add_arguments(f"{name}.{member.name}", member.type)
            members.append((member.name, offset, self.text_of(member.type)))
            offset, widest = offset + size, max(widest, alignment)
        if offset % widest:
            raise ValueError(f"{name} has padding at its end")
        self.sizes[name] = (offset, widest)
        names = [m[0] for m in members]
        grows = "size" in names[:2] or names[0] in ("def_size", "head")
        self.lines.append(f"struct {name}: {offset} bytes, {'grows' if grows else 'fixed'}")
        self.lines += [f"member {name}.{m}: at {at}, {text}" for m, at, text in members]

    def add_declaration(self, node):
        kind = node.type
        if isinstance(kind, c_ast.Enum):
            self.add_enum(kind)
        elif isinstance(kind, c_ast.Struct) and kind.decls:
            self.add_struct(kind.name, kind)
        elif isinstance(kind, c_ast.FuncDecl) and not isinstance(node, c_ast.Typedef):
            word = "inline" if "static" in node.storage else "function"
            self.add_arguments(node.name, kind)
            self.lines.append(f"{word} {node.name}: {self.text_of(kind)}")
        elif isinstance(node, c_ast.Typedef):
            self.add_typedef(node)

    def add_typedef(self, node):
        inner = node.type.type if isinstance(node.type, c_ast.TypeDecl) else None
        if isinstance(inner, c_ast.Struct):
            if inner.decls:
                self.add_struct(node.name, inner)
        elif isinstance(inner, c_ast.Enum):
            self.add_enum(inner)
            self.sizes[node.name] = 4
        else:
            if inner is not None:
                self.sizes[node.name] = self.size_of(inner)
            self.lines.append(f"type {node.name} = {self.text_of(node.type)}")


def without_bodies(text):
    """Functions with empty bodies: inline functions promise what their declarations say."""
    result, depth, start = [], 0, 0
    for match in re.finditer(r'"(?:[^"\\\n]|\\.)*"|\)\s*\{|[{}]', text):
        if match[0] == "}":
            depth -= depth > 0
            if depth == 0 and start < 0:
                start = match.start()
        elif match[0][0] != '"':
            if depth == 0 and match[0][0] == ")":
                result.append(text[start:match.end()])
                start = -1
            depth += 1
    return "".join(result) + text[max(start, 0):]


def bodies(headers):
    """Of the inline functions in WITH_BODIES, with their macros expanded."""
    names = set()
    for name in sorted(WITH_BODIES & set(os.listdir(os.path.join(headers, "sinew")))):
        with open(os.path.join(headers, "sinew", name), encoding="utf-8") as file:
            names |= set(re.findall(r"static inline [^;{}]*?\b(\w+)\(", file.read()))
    text = preprocess(headers, include_all(headers))
    lines = []
    for match in re.finditer(r"static inline [^;{}]*?\b(\w+)\([^{};]*\)\s*\{", text):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        if match[1] in names:
            body = re.sub(r"\s+", " ", text[match.end() - 1:end])
            lines.append(f"body {match[1]}: {body}")
    return lines


def declarations(headers):
    tree = c_parser.CParser().parse(without_bodies(preprocess(headers, include_all(headers))))
    interface = Interface()
    known = {line.split()[-1].rstrip(";") for text in LIBRARY_HEADERS.values()
             for line in text.splitlines() if line.startswith("typedef")}
    for node in tree.ext:
        if isinstance(node, c_ast.FuncDef):
            node = node.decl
        if isinstance(node, c_ast.StaticAssert) or getattr(node, "name", None) in known:
            continue
        interface.add_declaration(node)
    return [line.replace(", grows", ", fixed") if key_of(line)[7:] in interface.parts else line
            for line in interface.lines]


def macros(headers):
    """Texts, plain numbers and all else that the headers define."""
    text = preprocess(headers, include_all(headers), "-dM")
    lines = []
    for name, value in re.findall(r"^#define ((?:SN_\w+)(?:\([^)]*\))?) ?(.*)$", text, re.M):
        if re.fullmatch(UNLISTED, name.split("(")[0]):
            continue
        if re.fullmatch(r'"[^"]*"', value):
            lines.append(f"text {name} = {value}")
        elif re.fullmatch(r"-?[0-9][0-9a-fA-FxuUlL.e+-]*", value):
            lines.append(f"constant {name} = {value}")
        else:
            lines.append(f"macro {name}: {value}")
    return sorted(lines)


TAG = re.compile(r"\[(startup|load|step|any)\]")


def threads_of(header):
    """(function or member, tag) of a header. A tag holds until a blank line or another comment."""
    struct = section = tag = None
    statement = comment = ""
    depth = 0
    for line in header.splitlines():
        code, _, note = line.partition("//")
        if not code.strip():
            if re.match(r" ?-{10}", note):
                section = found[1] if (found := TAG.search(note)) else None
            comment = comment + note if note else ""
            tag = found[1] if (found := TAG.search(comment)) else section
            continue
        comment = ""
        depth += code.count("{") - code.count("}")
        statement += code + f"/*{note}*/"
        if match := re.match(r"(?:typedef )?struct (\w+) \{", code):
            struct, depth, statement = match[1], 0, ""
        elif depth < 0:
            struct, depth, statement = None, 0, ""
        elif depth == 0 and re.search(r"[;}]\s*$", code):
            name = re.search(r"\(\*(\w+)\)\(" if struct else r"SN_API [^(;]*?\b(\w+)\(|"
                             r"static inline [^(;]*?\b(\w+)\(", statement)
            own = TAG.search(statement)
            if name and (own or tag):
                function = name[1] or name[2]
                yield f"{struct}.{function}" if struct else function, own[1] if own else tag
            statement = ""


def threads(headers):
    lines = []
    for name in sorted(os.listdir(os.path.join(headers, "sinew"))):
        if name.endswith(".h") and name not in WITHIN_PLUGINS:
            with open(os.path.join(headers, "sinew", name), encoding="utf-8") as file:
                lines += [f"thread {what}: {tag}" for what, tag in threads_of(file.read())]
    return lines


def fields(headers):
    lines = []
    for record in preprocess(headers, TABLES).split("@")[1:]:
        word, name, *about = re.findall(r'"((?:[^"\\]|\\.)*)"', record)
        if not about:
            lines.append(f"{word} {name}")
        else:
            kind, rows, cols, range_or_stage, unit = about
            lines.append(f"{word} {name}: {kind}, {rows} x {cols}, {range_or_stage}, "
                         f"{unit or 'no unit'}")
    return lines


def rows_of(headers, file, definitions, table, arguments):
    """The quoted words of each row of the tables in a header, after the name of its table."""
    with open(os.path.join(headers, "sinew", file), encoding="utf-8") as header:
        names = re.findall(rf"#define ({table})\(", header.read())
    text = definitions + "".join(f'@ "{name}"\n{name}({arguments})\n' for name in names)
    name = None
    for record in preprocess(headers, text).split("@")[1:]:
        words = re.findall(r'"((?:[^"\\]|\\.)*)"', record)
        if len(words) == 1:
            name = words[0]
        else:
            yield name, words


def attributes(headers):
    """Types and defaults of the members of definitions, and of the settings of a model."""
    lines = []
    for _, (kind, member, of, about, value) in rows_of(headers, "fields_spec.h", ATTRIBUTES,
                                                       r"SN_SPEC_FIELDS_\w+", "ATTRIBUTE"):
        lines.append(f"attribute {kind}.{member}: {of}, {about}, {value}")
    for table, (member, of, value) in rows_of(headers, "options.h", SETTINGS,
                                              r"SN_[A-Z_]+(?=\(R, I, T\))",
                                              "REAL_SETTING, INT_SETTING, TEXT_SETTING"):
        lines.append(f"setting {table}.{member}: {of}, {value}")
    return lines


def symbols(library):
    table = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", library],
                           check=True, capture_output=True, text=True).stdout
    return sorted(f"symbol {line.split()[-1]}" for line in table.splitlines()
                  if line.split()[-2] != "A")


def interface_lines(headers, library):
    defined = macros(headers)
    constants = dict(re.findall(r"constant (SN_ABI_\w+) = (\d+)", "\n".join(defined)))
    lines = [f"version {constants['SN_ABI_MAJOR']}.{constants['SN_ABI_MINOR']}"]
    lines += [line for line in defined if not line.startswith("constant SN_ABI_")]
    lines += declarations(headers) + threads(headers) + bodies(headers)
    lines += fields(headers) + attributes(headers)
    return list(dict.fromkeys(lines + (symbols(library) if library else [])))


# ------------------------------------------------------------------ comparing

def key_of(line):
    """What a line promises something about."""
    return re.split(r":| = ", line, maxsplit=1)[0]


def grew(old, new):
    number = r"struct \w+: (\d+) bytes, grows|constant SN_N[A-Z]+S = (\d+)"
    a, b = (re.fullmatch(number, line) for line in (old, new))
    return bool(a and b and int(b[1] or b[2]) > int(a[1] or a[2]))


def renamed(old, new):
    """Arguments that have other names, in the same places."""
    if not old.startswith("arguments "):
        return False
    a, b = (line.split(": ", 1)[1].split(", ") for line in (old, new))
    return len(a) == len(b) and all(x == y or (x not in b and y not in a) for x, y in zip(a, b))


def compare(old, new):
    """(broken, added): lines that say what."""
    now = {key_of(line): line for line in new}
    before = {key_of(line) for line in old}
    broken, added = [], [f"added: {line}" for line in new if key_of(line) not in before]
    node = "SINEW_" + old[0].split()[1]
    broken += [f"{line} belongs to a later version (core/sinew.map)" for line in added
               if line.startswith("added: symbol") and line.endswith(node) and old[0] != new[0]]
    for line in old[1:]:
        key = key_of(line)
        if key not in now:
            broken.append(f"gone: {line}")
        elif now[key] != line and not renamed(line, now[key]):
            may_change = grew(line, now[key]) or line.startswith("body ")
            (added if may_change else broken).append(f"was: {line}\n  now: {now[key]}")
    return broken, added


def main(arguments):
    if len(arguments) in (2, 3) and arguments[0] == "list":
        print("\n".join(interface_lines(arguments[1], arguments[2] if arguments[2:] else None)))
        return 0
    if len(arguments) == 3 and arguments[0] == "kept":
        broken, _ = compare(*(interface_lines(headers, None) for headers in arguments[1:]))
        for line in broken:
            print(line)
        if broken:
            print(f"{arguments[1]} is not kept: what was built with it does not work. While it is "
                  "a release candidate, tests/abi/refresh.sh copies today's headers to it")
        return 1 if broken else 0
    if len(arguments) in (3, 4) and arguments[0] == "compare":
        with open(arguments[1], encoding="utf-8") as file:
            old = file.read().splitlines()
        new = interface_lines(arguments[2], arguments[3] if arguments[3:] else None)
        if not arguments[3:]:
            old = [line for line in old if not line.startswith("symbol ")]
        broken, added = compare(old, new)
        version = [tuple(map(int, lines[0].split()[1].split("."))) for lines in (old, new)]
        if version[1] > version[0]:
            added = []
        for line in broken + added:
            print(line)
        if broken:
            print("the interface is broken: what was built against the old headers does not work")
        if added:
            print(f"additions and other bodies need a higher SN_ABI_MINOR than that of {old[0]}")
        return 1 if broken or added else 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (KeyError, ValueError, subprocess.CalledProcessError) as problem:
        detail = getattr(problem, "stderr", None) or problem
        sys.exit(f"interface.py: the headers cannot be read: {type(problem).__name__}: {detail}")
