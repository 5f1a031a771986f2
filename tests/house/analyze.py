#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""analyze.py SOURCE_TREE BUILD_TREE [FILE...]

clang-tidy and cppcheck of every source file outside of the tests, with the include paths and
definitions that the build compiles it with. A file is left out if it passed and neither it, nor
anything that it includes, nor the rules changed since; BUILD_TREE/analyzed has a file for each that
passed. What it includes is what the compiler reported to ninja.

It is no part of the compilation, which would compile everything once more. cppcheck does not follow
arrays and macros far enough to tell what has no value yet (uninitvar); the compilers do.
"""

import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

source, build = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
chosen = {os.path.abspath(path) for path in sys.argv[3:]}
passed = os.path.join(build, "analyzed")

CPPCHECK = ["cppcheck", "--quiet", f"-I{source}/tests/house/cppcheck", "--inline-suppr",
            "--enable=warning", "--suppress=uninitvar", "--suppress=ctuuninitvar",
            "--error-exitcode=1"]
BATCH = 6   # files of the same arguments in one call: starting a tool takes a quarter of its time
# without optimization, which Clang does not know all of, and with assertions
DROPPED = re.compile(
    r"-O.|-g\d?$|-flto|-f(no-)?fat-lto|-fno-semantic|-mmem(cpy|set)-strategy|-DNDEBUG$|-c$")


def compilations():
    """(file, object, arguments) of every file outside of the tests."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    seen = set()
    for entry in entries:
        words = entry["command"].replace('\\"', '"').split()[1:]
        target = words[words.index("-o") + 1]
        path = entry["file"]
        if target.startswith("tests/") or path in seen or (chosen and path not in chosen):
            continue
        if path.startswith((f"{source}/tests/", f"{build}/")):
            continue
        seen.add(path)
        words = words[:words.index("-o")]
        yield path, target, [word for word in words if not DROPPED.match(word)]


def dependencies():
    """The files that each object is made of, as ninja knows them."""
    printed = subprocess.run(["ninja", "-C", build, "-t", "deps"], stdout=subprocess.PIPE,
                             text=True, check=True).stdout
    result, current = {}, []
    for line in printed.splitlines():
        if line.startswith("    "):
            current.append(os.path.join(build, line.strip()))
        elif ": #deps" in line:
            current = []
            if line.endswith("(VALID)"):
                result[line.split(": #deps")[0]] = current
    return result


def newest(paths):
    return max(os.stat(path).st_mtime_ns for path in paths)


def analyze(paths, arguments):
    """What the tools print where they object to one of the files, else nothing."""
    preprocessor = [word for word in arguments if word.startswith(("-I", "-D"))]
    commands = [["clang-tidy", "--quiet", *paths, "--", *arguments],
                [*CPPCHECK, *preprocessor, *paths]]
    printed = ""
    for command in commands:
        done = subprocess.run(command, cwd=build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        if done.returncode != 0:
            printed += done.stdout
    return printed


def stale():
    """{arguments: [(file, stamp)]} of what is to be analyzed; their stamps are removed."""
    rules = [f"{source}/.clang-tidy", os.path.abspath(__file__)]
    known, result = dependencies(), {}
    for path, target, arguments in compilations():
        name = hashlib.sha256(" ".join([path, *arguments]).encode()).hexdigest()
        stamp = os.path.join(passed, name)
        inputs = [*known.get(target, []), path, *rules]
        if os.path.exists(stamp):
            if target in known and os.stat(stamp).st_mtime_ns > newest(inputs):
                continue
            os.remove(stamp)
        result.setdefault(tuple(arguments), []).append((path, stamp))
    return result


def main():
    os.makedirs(passed, exist_ok=True)
    jobs, bad = {}, 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for arguments, files in stale().items():
            for i in range(0, len(files), BATCH):
                batch = files[i:i + BATCH]
                jobs[pool.submit(analyze, [path for path, _ in batch], arguments)] = batch
        for job in concurrent.futures.as_completed(jobs):
            if job.result():
                print(job.result())
                bad += 1
                continue
            for _, stamp in jobs[job]:
                with open(stamp, "w", encoding="utf-8"):
                    pass
    print(f"{sum(map(len, jobs.values()))} files analyzed{', with findings' if bad else ''}",
          file=sys.stderr)
    sys.exit(1 if bad else 0)


main()
