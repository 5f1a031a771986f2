#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# What the pages tell their readers to type works: every shell line is run, every ini is read by
# `sinew config`, every complete model by `sinew run`. The commands of a page are typed in order, in
# one shell, in a folder with the sample models, a few files of names that pages use, and an
# installation in $PATH.
#
#   shell    indented by four spaces, the first line a command of COMMANDS. After "$ " a command
#            whose output follows; ... stands for anything. What follows two spaces is a comment
#   ini      indented or ```ini; starts with a section or `key = value`
#   models   ```xml with the root element <mujoco>, <robot> or <x_xy>
#
#   <!-- file NAME -->       the block that follows is the content of this file of the page
#   <!-- not run: WHY -->    the block that follows is not typed
#
#   snippets.py SOURCE_TREE BUILD_TREE [PAGE...]

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

COMMANDS = (r"(sinew|\./dev|build/release/\S+|cc|make|cmake|ctest|cd|echo|head|tail|man|source|cat"
            r"|mkdir|export|gnuplot|xacro)\b")
INI = r"\[[\w.]+\]|[\w*.-]+ *= *[\w./]+( optional)? *(;.*)?$"
PLACEHOLDER = re.compile(r"(?<![\w$/.-])[A-Z][A-Z]+\b(?![=_])|\bF\b|\.\.\.")
ROOTS = {"mujoco": "xml", "robot": "urdf", "x_xy": "x_xy.xml"}
LONGEST = "300"   # seconds of a command
RECIPES = {"README.md", "docs/gallery.md"}   # typed by install.sh, in a whole tree; gallery.py

source, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
failures = []


class Block:
    def __init__(self, page, line, language, text, note):
        self.page, self.line, self.language, self.note = page, line, language, note
        self.text = text

    def fail(self, message):
        failures.append(f"{self.page}:{self.line}: {message}")


def blocks_of(page):
    lines = (source / page).read_text().split("\n")
    note, i = "", 0
    while i < len(lines):
        start = i
        if match := re.match(r"( *)```(\w*)", lines[i]):
            i += 1
            body = []
            while i < len(lines) and not lines[i].strip().startswith("```"):
                body.append(lines[i][len(match[1]):])
                i += 1
            yield Block(page, start + 1, match[2] or "text", body, note)
            note = ""
        elif lines[i].startswith("    ") and (i == 0 or not lines[i - 1].strip()):
            body = []
            while i < len(lines) and (lines[i].startswith("    ") or not lines[i].strip()):
                body.append(lines[i][4:])
                i += 1
            yield Block(page, start + 1, "", body, note)
            note = ""
            continue
        elif match := re.match(r"<!-- (file [^ ]+|not run:.*) -->", lines[i]):
            note = match[1]
        elif lines[i].strip():
            note = ""
        i += 1


# ---------------------------------------------------------------- pieces of a block


def paragraphs(block):
    """Blocks of one kind each: a block without a language may have several."""
    if block.language:
        return [block]
    pieces, current = [], []
    for offset, line in enumerate(block.text + [""]):
        if line.strip():
            current.append(line)
        elif current:
            first = current[0]
            if re.match(INI, first):
                kind = "ini"
            elif re.match(r"\$ |" + COMMANDS, first):
                kind = "sh"
            else:
                kind = "text"
            if pieces and kind == "ini" and pieces[-1].language == "ini":
                pieces[-1].text += [""] + current
            else:
                line_number = block.line + offset - len(current)
                pieces.append(Block(block.page, line_number, kind, current, block.note))
            current = []
    return pieces


# ---------------------------------------------------------------- what the pages find

SETUP = r"""
set -e
cp -r "$SOURCE"/samples/models/. .
cp x_xy/inv_pendulum.xml . 2> /dev/null || true
mkdir -p samples build
cp -r "$SOURCE/samples/models" samples
cat > robot.urdf << 'END'
<robot name="robot"><link name="world"/><link name="arm"><inertial><origin xyz="0 0 1"/>
<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="world"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>
END
cp robot.urdf robot.xacro
cp arm.xml robot.xml
cp arm.xml hills.xml
python3 -c "import zipfile; zipfile.ZipFile('robot.zip', 'w').write('robot.xml')"
touch common.ini more_joints.txt
printf 'hip = rz rx ry\nguide = p:0,0.6,0.8\nankle = px spherical\n' > more_joints.txt
cp "$PLUGINS"/*.so build
cp "$PLUGINS/mine.so" .
"""
SHIMS = 'xacro() { cat "$1"; }\nman() { command man -P cat "$@" > /dev/null; }\nset -o pipefail\n'


def make_plugins(work, environment):
    """Plugins of the names that pages use, from the templates."""
    folder = work / "plugins"
    folder.mkdir()
    for kind, name in [("solver", "mine"), ("solver", "my_solver"), ("collider", "my_collider"),
                       ("passive", "my_drag")]:
        run(["sinew", "plugins", "new", kind, name, str(work / name)], environment, work)
        run(["make", "-C", str(work / name)], environment, work)
        shutil.copy(work / name / "build" / f"{name}.so", folder)


def run(command, environment, folder):
    done = subprocess.run(command, cwd=folder, env=environment, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stdout}")


# ---------------------------------------------------------------- shell


def commands_of(block):
    """(command, expected output or None) of a block."""
    result = []
    for line in block.text:
        if line.startswith("$ "):
            result.append([line[2:], []])
        elif result and re.search(r"(\||\\|&&)$", result[-1][0]) and not (result[-1][1]):
            result[-1][0] += "\n" + line
        elif result and result[-1][1] is not None:
            result[-1][1].append(line)
        elif not line.startswith("  "):   # else: a comment that goes on
            result.append([line, None])
    return [(re.split(r" {2,}|\s+#\s", c)[0] if e is None else c, e) for c, e in result]


def filled_in(command):
    """A usage with files for its placeholders; None: there is one that is not known."""
    names = {"MODEL.xml": "inv_pendulum.xml", "MODEL": "inv_pendulum.xml", "OUT": "out",
             "F": "out.snb", "N": "10"}
    if re.fullmatch(r"sinew render [^|&;]*", command) and "--size" not in command:
        command += " --size 64x48"   # small images take less time to draw
    words = command.split()
    for i, word in enumerate(words):
        if PLACEHOLDER.search(word):
            for name, value in names.items():
                word = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", value, word)
            if PLACEHOLDER.search(word):
                return None
            words[i] = word
    return " ".join(words) if words != command.split() else command


def same_output(printed, expected):
    """Each part of the expected text, in order; ... stands for anything."""
    squeezed, at = " ".join(printed.split()), 0
    for part in " ".join(" ".join(expected).split()).split("..."):
        found = squeezed.find(part.strip(), at)
        if found < 0:
            return False
        at = found + len(part.strip())
    return True


def type_commands(block, folder, environment, developers):
    for command, expected in commands_of(block):
        if command.startswith("./dev"):
            if command.split()[1] not in developers:
                block.fail(f"./dev has no command '{command.split()[1]}'")
            continue
        if command.startswith("build/release/"):   # of a source tree
            path = build / command.split()[0][len("build/release/"):]
            if not path.exists():
                block.fail(f"the build makes no {path}")
            continue
        typed = filled_in(command)
        if typed is None:
            name = command.split()[1] if command.startswith("sinew") else ""
            known = subprocess.run(["sinew", "help", name], env=environment, check=False,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if name and known.returncode != 0:
                block.fail(f"there is no command 'sinew {name}'")
            continue
        state = folder / ".place"
        place = state.read_text() if state.exists() else str(folder)
        script = f'{SHIMS}cd "{place}"\n{typed}\nstatus=$?\npwd > "{state}"\nexit $status\n'
        script = script.replace("PREFIX", environment["PREFIX"])
        done = subprocess.run(["timeout", LONGEST, "bash", "-c", script], cwd=folder,
                              env=environment, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        state.write_text(state.read_text().strip() if state.exists() else str(folder))
        if expected:
            if not same_output(done.stdout, expected):
                block.fail(f"'{command}' prints something else:\n{done.stdout}")
        elif done.returncode != 0:
            block.fail(f"'{command}' fails, status {done.returncode}:\n{done.stdout}")


# ---------------------------------------------------------------- other blocks


def read_ini(block, folder, environment):
    text = "\n".join(block.text).replace("/home/me", str(folder)) + "\n"
    path = folder / f"line_{block.line}.ini"
    path.write_text(text)
    done = subprocess.run(["sinew", "config", "--config", str(path)], cwd=folder, env=environment,
                          text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        block.fail(f"the ini is rejected: {done.stderr}")
    return str(path)


def load_model(block, ini, folder, environment):
    text = "\n".join(block.text)
    match = re.match(r"\s*(<\?xml.*?\?>)?\s*<(\w+)", text)
    if not match or match[2] not in ROOTS or f"</{match[2]}>" not in text:
        return
    path = folder / f"line_{block.line}.{ROOTS[match[2]]}"
    path.write_text(text)
    done = subprocess.run(["sinew", "run", str(path), "--steps", "10", *ini], cwd=folder,
                          env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        block.fail(f"the model does not run: {done.stdout}")


def follow(page, work, environment, developers):
    folder = work / re.sub(r"\W", "_", page)
    subprocess.run(["cp", "-r", "--reflink=auto", str(work / "found"), str(folder)], check=True)
    ini = []   # a model runs with the configuration that the page shows before it
    for block in blocks_of(page):
        if block.note.startswith("not run"):
            continue
        if block.note.startswith("file "):
            path = folder / block.note[5:]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(block.text).rstrip("\n") + "\n")
        for piece in paragraphs(block):
            if piece.language == "ini":
                ini = ["--config", read_ini(piece, folder, environment)]
            elif piece.language in ("sh", "bash", "shell") and page not in RECIPES:
                type_commands(piece, folder, environment, developers)
            elif piece.language == "xml":
                load_model(piece, ini, folder, environment)


def main():
    if not (build / "sinew").exists():
        sys.exit(77)
    os.umask(0o022)
    pages = sys.argv[3:] or sorted(
        [str(p.relative_to(source)) for p in (source / "docs").rglob("*.md")]
        + ["README.md", "PLUGIN_API.md", "CONTRIBUTING.md"])
    text = (source / "dev").read_text()
    developers = set(re.findall(r"^  ([a-z]+)\)", text, re.M))
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        prefix = work / "usr"
        subprocess.run(["cmake", "--install", str(build), "--prefix", str(prefix)], check=True,
                       stdout=subprocess.DEVNULL)
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("SINEW", "XDG"))}
        environment.update(PATH=f"{prefix}/bin:{environment['PATH']}", HOME=str(work),
                           PREFIX=str(prefix), SOURCE=str(source), PLUGINS=str(work / "plugins"),
                           MANPATH=f"{prefix}/share/man:", LC_ALL="C.UTF-8",
                           PKG_CONFIG_PATH=f"{prefix}/lib/pkgconfig")
        make_plugins(work, environment)
        (work / "found").mkdir()
        run(["bash", "-c", SETUP], environment, work / "found")
        for page in pages:
            follow(page, work, environment, developers)
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


main()
