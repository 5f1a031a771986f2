#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# The images of docs/gallery.md are those that its commands make, and show something: they are
# bright enough, with contrast and many colors. Each command `sinew render ... -o NAME.png` of the
# page makes docs/gallery/NAME.png. --fix writes them again.
#
# The colors may differ by a little: drivers round in their own ways.
#
#   gallery.py SOURCE_TREE BUILD_TREE [--fix]

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

source, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
fix = "--fix" in sys.argv[3:]
PAGE = "docs/gallery.md"
SKIPPED = 77
DARKEST, FLATTEST = 60, 12   # of 255: the least mean and standard deviation of the luma
DIFFERENCE = 4               # of 255: the largest mean difference of two drivers
TOTAL = 1_500_000            # bytes of all images together


def pixels(path):
    """Width, height and RGB of a PNG of 8 bits without an alpha channel, of filters 0 and 2."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        length, name = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + length]
        if name == b"IHDR":
            width, height = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
            assert body[8:10] == b"\x08\x02", f"{path} is not RGB"
        elif name == b"IDAT":
            packed += body
        at += length + 12
    rows, out = zlib.decompress(packed), bytearray()
    above = bytes(3 * width)
    for y in range(height):
        start = y * (3 * width + 1)
        row = rows[start + 1:start + 1 + 3 * width]
        assert rows[start] in (0, 2), f"{path}: a filter that this script does not know"
        if rows[start] == 2:
            row = bytes((a + b) & 255 for a, b in zip(row, above))
        out += row
        above = row
    return width, height, bytes(out)


def commands():
    """Lists of words: the commands of the page."""
    for line in (source / PAGE).read_text().split("\n"):
        if line.startswith("    sinew render "):
            yield shlex.split(line)


def output_of(words):
    return words[words.index("-o") + 1]


def faults_of(path):
    """What is wrong with an image."""
    width, height, rgb = pixels(path)
    luma = [(2 * rgb[i] + 5 * rgb[i + 1] + rgb[i + 2]) / 8 for i in range(0, len(rgb), 3)]
    mean = sum(luma) / len(luma)
    spread = (sum((x - mean) ** 2 for x in luma) / len(luma)) ** 0.5
    colors = len({rgb[i:i + 3] for i in range(0, len(rgb), 3)})
    if mean < DARKEST:
        yield f"is dark: its mean luma is {mean:.0f} of 255; the model needs lights"
    if spread < FLATTEST or colors < 100:
        yield f"shows nothing: {colors} colors, deviation of the luma {spread:.1f} of 255"


def differences(made, kept):
    if not kept.exists():
        yield "does not exist"
        return
    a, b = pixels(made), pixels(kept)
    mean = sum(abs(x - y) for x, y in zip(a[2], b[2])) / len(a[2])
    if a[:2] != b[:2] or mean > DIFFERENCE:
        yield f"differs from what its command draws, by {mean:.1f} of 255 in the mean"


def main():
    folder, bad, seen = source / "docs/gallery", [], set()
    environment = dict(os.environ, SINEW_CONFIG=str(build / "sinew.ini"), SINEW_PROFILE="none")
    page = (source / PAGE).read_text()
    with tempfile.TemporaryDirectory() as work:
        for words in commands():
            name = output_of(words)
            drawn = [build / "sinew", *words[1:], "-q", "--set", "renderer=opengl"]
            ran = subprocess.run(drawn, cwd=work, text=True,
                                 env=environment, capture_output=True)
            if ran.returncode and re.search("no renderer|no OpenGL", ran.stderr) and not fix:
                print("skipped: no renderer on this machine")
                return SKIPPED
            if ran.returncode:
                bad.append(f"{' '.join(words)}: {ran.stderr.strip()}")
                continue
            seen.add(name)
            made = Path(work) / name
            bad += [f"docs/gallery/{name} {fault}" for fault in faults_of(made)]
            if fix:
                shutil.copyfile(made, folder / name)
            bad += [f"docs/gallery/{name} {fault}; ./dev images makes it again"
                    for fault in differences(made, folder / name)]
            if f"](gallery/{name})" not in page:
                bad.append(f"{PAGE} does not show gallery/{name}")
    for file in sorted(folder.iterdir()):
        if file.name not in seen:
            bad.append(f"docs/gallery/{file.name} is made by no command of {PAGE}")
    total = sum(file.stat().st_size for file in folder.iterdir())
    if total > TOTAL:
        bad.append(f"docs/gallery has {total} bytes, more than {TOTAL}")
    print("\n".join(bad) or f"{len(seen)} images, {total} bytes")
    return 1 if bad else 0


sys.exit(main())
