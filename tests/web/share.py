# SPDX-License-Identifier: Apache-2.0
#
# The page of `sinew share`: its numbers are those of the run, and a browser shows them. The page is
# opened from the file system in headless Chromium.
#
#   share.py SOURCE_TREE BUILD_TREE [SCREENSHOTS]     SCREENSHOTS: a folder for screenshots

import base64
import csv
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

source, build = sys.argv[1:3]   # those of view.py, which uses functions of this file
screenshots = sys.argv[3] if len(sys.argv) > 3 else None
MOST = 3_000_000   # bytes of a page of 10 s

HOSTILE = """<mujoco model="&lt;/script&gt;&lt;b&gt;{{model}}">
  <worldbody>
    <geom name="&lt;!--&lt;script&gt;" type="plane" size="1 1 0.1"/>
    <body name="&lt;/title&gt;"><freejoint/><geom size="0.1" pos="0 0 0.3"/></body>
  </worldbody>
</mujoco>
"""


def sinew(*arguments, **options):
    return subprocess.run([os.path.join(build, "sinew"), *arguments], capture_output=True,
                          text=True, check=options.get("check", True), cwd=options.get("cwd"))


def part(page, name):
    return re.search(rf'<script id="{name}"[^>]*>(.*?)</script>', page, re.S).group(1)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_frames(page):
    """Time and positions of each frame, as sdk/web/web.h says."""
    data = base64.b64decode(part(page, "frames"))
    n, width, nodes, contacts, segments, _ = struct.unpack_from("<6I", data)
    rows = struct.unpack_from(f"<{n * width}f", data, 24)
    positions = struct.unpack_from(f"<{n * nodes * 3}f", data, 24 + 4 * n * width)
    size = 24 + 4 * n * (width + 3 * nodes + 2) + 24 * contacts + 28 * segments + 8 * n * nodes
    assert len(data) == size, (len(data), size)
    return [rows[i * width] for i in range(n)], positions, nodes


def test_numbers(folder):
    """A free body is where qpos says at the time of the frame, to the precision of a float."""
    page, states = os.path.join(folder, "box.html"), os.path.join(folder, "box.csv")
    sinew("share", "tumbling_box", "--time", "1", "--fps", "50", "--out", page)
    sinew("run", "tumbling_box", "--time", "1", "--out", states)
    times, positions, nodes = read_frames(read(page))
    with open(states, encoding="utf-8") as file:
        table = [[float(x) for x in row] for row in list(csv.reader(file))[1:]]
    assert len(times) == 51, len(times)
    for i, time in enumerate(times):
        assert abs(time - 0.02 * i) < 1e-6, (i, time)
        row = min(table, key=lambda r: abs(r[0] - time))
        body = positions[3 * nodes * i:3 * nodes * i + 3]
        assert all(abs(a - b) < 1e-6 * (1 + abs(b)) for a, b in zip(body, row[1:4])), (i, body, row)


def test_sources(folder):
    """A model, the record of its run and its states make the same frames."""
    names = {k: os.path.join(folder, k) for k in ("a.html", "b.html", "c.html", "r.json", "s.csv")}
    arm = ["arm", "--key", "0", "--time", "0.5"]
    sinew("share", *arm, "--out", names["a.html"])
    sinew("run", *arm, "--record", names["r.json"])
    sinew("share", names["r.json"], "--out", names["b.html"])
    sinew("run", *arm, "--record", "all,qpos,qvel,act,ctrl", "--out", names["s.csv"])
    sinew("share", "arm", names["s.csv"], "--out", names["c.html"])
    first = part(read(names["a.html"]), "frames")
    assert first == part(read(names["b.html"]), "frames"), "the record gives other frames"
    # forces of the states are those of a solver that starts anew: not the same bits
    a, c = read_frames(read(names["a.html"])), read_frames(read(names["c.html"]))
    assert a == c, "the states give other times or positions"


def test_rate(folder):
    """There is a frame for each step, or row, at most."""
    page, states = os.path.join(folder, "rate.html"), os.path.join(folder, "rate.csv")
    text = sinew("share", "pendulum", "--fps", "1000000", "--time", "1", "--out", page).stdout
    assert "1001 frames, 1000 a second" in text, text
    sinew("run", "pendulum", "--time", "1", "--out", states)
    times = read(states).splitlines()
    with open(states, "w", encoding="utf-8") as file:
        file.write("\n".join([times[0]] + times[1::100]))
    text = sinew("share", "pendulum", states, "--out", page).stdout
    assert "11 frames, 10 a second" in text, text


def test_errors(folder):
    page, other = os.path.join(folder, "e.html"), os.path.join(folder, "other.csv")
    sinew("run", "pendulum", "--time", "0.1", "--out", other)
    for arguments, status, text in [
            (["arm"], 2, "--out is missing"),
            (["arm", other, "--out", page], 1, "there is no column 'qpos."),
            (["arm", other, "--time", "1", "--out", page], 2, "contains the states already"),
            (["no_such_model", "--out", page], 1, "there is no such file"),
            (["arm", "--time", "0.1", "--out", "/no/such/page.html"], 1, "/no/such")]:
        result = sinew("share", *arguments, check=False)
        assert result.returncode == status and text in result.stderr, (arguments, result)
    assert not os.path.exists(page), "a page that failed was kept"


# ---------------------------------------------------------------- in the browser

# how many colors the image has, and its bytes
LOOK = """(() => {
  player.draw();
  const c = document.createElement("canvas");
  c.width = 80; c.height = 60;
  const d = c.getContext("2d");
  d.drawImage(player.canvas, 0, 0, 80, 60);
  const p = d.getImageData(0, 0, 80, 60).data, colors = new Set();
  for (let i = 0; i < p.length; i += 4) { colors.add(p[i] << 16 | p[i + 1] << 8 | p[i + 2]); }
  return { colors: colors.size, bytes: [...p] };
})()"""


def difference(a, b):
    return sum(abs(x - y) for x, y in zip(a["bytes"], b["bytes"])) / len(a["bytes"])


def settle(browser):
    browser.ask("new Promise(done => setTimeout(done, 300))")


def wait(browser, condition):
    """A software renderer on a busy machine draws a few frames a second."""
    for _ in range(40):
        settle(browser)
        if browser.ask(condition):
            return True
    return False


def check_page(browser, page, name):
    browser.open("file://" + page)
    settle(browser)
    look = browser.ask(LOOK)
    assert look["colors"] > 2, f"{name}: the canvas is blank"
    outside = [a for a in browser.requests if not a.startswith(("file:", "data:"))]
    assert not outside, f"{name}: the page asks for {outside}"
    assert not browser.problems, f"{name}: {browser.problems}"
    if screenshots:
        browser.screenshot(os.path.join(screenshots, name + ".png"))
    return look


def test_scrubber(browser, page):
    """The scrubber, dragged with the mouse, moves the robot."""
    before = check_page(browser, page, "figure")
    where = "player.stage.bodies[1].position.toArray()"
    start, box = browser.ask(where), browser.ask(
        '(b => [b.left, b.top, b.width, b.height])(at("scrub").getBoundingClientRect())')
    middle = box[1] + box[3] / 2
    browser.drag((box[0] + 8, middle), (box[0] + 0.95 * box[2], middle))
    settle(browser)
    time, end = browser.ask("player.time"), browser.ask(where)
    assert time > 0.8 * browser.ask("player.last()"), time
    moved = sum((a - b) ** 2 for a, b in zip(start, end)) ** 0.5
    assert moved > 0.1, f"the body moved by {moved} m"
    assert difference(before, browser.ask(LOOK)) > 0.5, "the image did not change"
    if screenshots:
        browser.screenshot(os.path.join(screenshots, "figure-end.png"))


def test_lights(browser):
    """A lamp shines where the light of the model points, and casts shadows around the center."""
    ask = "(%s)(player.stage.lights[0].children[0])"
    lamp = browser.ask(ask % "l => l.getWorldPosition(new THREE.Vector3()).toArray()")
    aim = browser.ask(ask % "l => l.target.getWorldPosition(new THREE.Vector3()).toArray()")
    length = sum(x * x for x in (0.3, 0.5, -1)) ** 0.5
    for found, place, direction in zip(aim, lamp, (0.3, 0.5, -1)):
        assert abs(found - place - direction / length) < 1e-5, (lamp, aim)
    place = browser.ask(ask % """l => (l.shadow.updateMatrices(l),
        new THREE.Vector3(...player.model.look.center).project(l.shadow.camera).toArray())""")
    assert max(abs(x) for x in place) < 1e-5, f"the center is at {place} of the map of shadows"


def test_controls(browser):
    """Play, orbit, follow, select, every key, every switch, every chart, another size."""
    browser.ask("(player.seek(0), at('play').click())")
    assert wait(browser, "0.05 < player.time && player.time < player.last()"), "it does not play"
    browser.ask("at('play').click()")
    before = browser.ask("player.camera.position.toArray()")
    browser.drag((300, 200), (380, 240))
    browser.drag((300, 200), (320, 220), "right")
    browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=300, y=200, deltaX=0, deltaY=120)
    settle(browser)
    assert browser.ask("player.camera.position.toArray()") != before, "the camera does not move"
    # the middle of what is seen of the model is the model
    browser.ask("player.orbit.home()")
    browser.ask("(player.orbit.target.copy(player.stage.bodies[1].position), player.draw())")
    x, y = browser.ask("[player.canvas.clientWidth / 2, player.canvas.clientHeight / 2]")
    for count in (1, 2):
        browser.mouse("mousePressed", x, y, clickCount=count)
        browser.mouse("mouseReleased", x, y, clickCount=count)
    assert "geom" in browser.ask("at('selected').textContent"), "nothing is selected"
    for key in browser.ask("KEYS.map(row => row[0])"):
        browser.key(" " if key == "space" else key)
    browser.ask("document.querySelectorAll('#panel input').forEach(box => box.click())")
    browser.ask("[...at('add').options].slice(1).forEach((_, i) => player.addChart(i))")
    browser.ask("at('follow').selectedIndex = 1")
    browser.ask("(player.seek(player.last() / 2), document.body.classList.remove('wide'))")
    browser.call("Emulation.setDeviceMetricsOverride", width=500, height=400, deviceScaleFactor=2,
                 mobile=False)
    assert wait(browser, "player.canvas.width === 460 && player.canvas.clientWidth === 230")
    browser.call("Emulation.clearDeviceMetricsOverride")
    assert not browser.problems, browser.problems


def test_hostile(browser, folder):
    """Names that look like HTML are shown as they are."""
    model, page = os.path.join(folder, "hostile.xml"), os.path.join(folder, "hostile.html")
    with open(model, "w", encoding="utf-8") as file:
        file.write(HOSTILE)
    sinew("share", model, "--time", "0.1", "--out", page)
    check_page(browser, page, "hostile")
    assert browser.ask("document.title") == "</script><b>{{model}}"
    assert browser.ask("player.model.bodies[1].name") == "</title>"


def main():
    if not os.path.exists(os.path.join(build, "web/three.min.js")) or not Browser.program():
        print("skipped: three.js or chromium is missing")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        test_numbers(folder)
        test_sources(folder)
        test_rate(folder)
        test_errors(folder)
        page = os.path.join(folder, "page.html")
        sinew("share", "figure", "--time", "10", "--out", page)
        assert os.path.getsize(page) < MOST, os.path.getsize(page)
        browser = Browser()
        try:
            test_scrubber(browser, page)
            test_lights(browser)
            test_controls(browser)
            test_hostile(browser, folder)
            for name in sorted(os.listdir(os.path.join(source, "samples/models"))):
                if name.endswith(".xml"):
                    sinew("share", os.path.join(source, "samples/models", name), "--time", "0.5",
                          "--out", page)
                    check_page(browser, page, name[:-4])
        finally:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
