# SPDX-License-Identifier: Apache-2.0
"""Images, replays and viewers."""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import numpy as np
import pytest
import sinew
from sinew import rendering

# a red sphere of radius 0.5 m, 2 m in front of a camera that looks along y
SPHERE = """<mujoco model="ball"><worldbody><light pos="0 -2 2" dir="0 1 -1"/>
  <geom name="far" type="plane" size="9 9 1" pos="0 5 0" zaxis="0 -1 0" rgba="0 0 1 1"/>
  <body name="b"><joint name="j" type="slide" axis="1 0 0"/>
    <geom name="ball" size="0.5" rgba="1 0 0 1"/></body>
  <camera name="eye" pos="0 -2 0" xyaxes="1 0 0 0 0 1" fovy="60"/></worldbody>
  <actuator><motor joint="j"/></actuator></mujoco>"""


@pytest.fixture
def ball():
    data = sinew.loads(SPHERE).data()
    try:
        data.render("eye", 16, 16)
    except sinew.Unsupported as error:
        pytest.skip(str(error))
    except sinew.NotFound as error:
        pytest.skip(str(error))
    return data


def test_images_of_camera_sensors(monkeypatch):
    sensor = """<sensor><plugin type="camera" name="look" objtype="camera" objname="eye">
      <config key="resolution" value="9 7"/><config key="output" value="depth"/></plugin>
      <plugin type="camera" name="see" objtype="camera" objname="eye">
      <config key="resolution" value="8 6"/></plugin><clock name="t"/></sensor></mujoco>"""
    engine = sinew.Engine(select={"renderer": "svg"})
    model = sinew.loads(SPHERE.replace("</mujoco>", sensor), engine=engine)
    data = model.data()
    data.forward()
    assert data.image("look").shape == (7, 9)
    assert data.image("look")[3, 4] == pytest.approx(1.5, abs=0.01)
    seen = data.image("see")
    assert seen.shape == (6, 8, 3)
    assert 0.1 < seen[3, 4, 0] <= 1 and seen[3, 4, 1] == seen[3, 4, 2] < seen[3, 4, 0]
    data.step(3)
    np.testing.assert_array_equal(data.sensordata[63:63 + 144], seen.reshape(-1))
    with pytest.raises(sinew.InvalidError, match="not a camera sensor"):
        data.image("t")
    recorded = sinew.rollout(model, n=2, nsteps=2, record="sensordata:look", executor="threads")
    images = recorded["sensordata:look"].reshape(2, 2, 7, 9)
    np.testing.assert_array_equal(images[1, 1], data.image("look"))

    def unavailable(model):
        raise sinew.Unsupported("nothing can draw")
    monkeypatch.setattr(rendering, "camera_sensors", unavailable)
    assert (sinew.rollout(model, nsteps=2, record="sensordata:t")["sensordata:t"] > 0).any()
    with pytest.raises(sinew.Unsupported):
        sinew.rollout(model, nsteps=2, record="sensordata")


def test_a_sphere_against_its_closed_form(ball):
    image = ball.render("eye", 201, 101, depth=True, segment=True)
    assert image.rgb.shape == (101, 201, 3) and image.rgb.dtype == np.uint8
    assert image.depth[50, 100] == pytest.approx(1.5, abs=5e-3)
    sphere = ball.model.geom("ball").id
    # the cone of sight that touches the sphere: tan of its half angle is r / sqrt(l^2 - r^2)
    radius = 101 / 2 / np.tan(np.radians(30)) * 0.5 / np.sqrt(2 ** 2 - 0.5 ** 2)
    assert (image.segment == sphere).sum() == pytest.approx(np.pi * radius ** 2, rel=0.03)
    assert image.segment[0, 0] == ball.model.geom("far").id
    red, blue = image.rgb[50, 100], image.rgb[5, 5]
    assert red[0] > 2 * red[2] and blue[2] > 2 * blue[0]


def test_an_image_shows_the_present_state(ball):
    before = ball.hash()
    left = ball.render("eye", 64, 64, segment=True).segment
    ball.qpos[0] = 0.5
    right = ball.render("eye", 64, 64, segment=True).segment
    number = ball.model.geom("ball").id
    shift = np.nonzero(right == number)[1].mean() - np.nonzero(left == number)[1].mean()
    assert shift == pytest.approx(0.5 / 2 * 32 / np.tan(np.radians(30)), abs=2)
    ball.qpos[0] = 0
    assert ball.hash() == before


def test_cameras_and_what_is_shown(ball):
    near = ball.render({"lookat": [0, 0, 0], "distance": 2, "azimuth": 90, "elevation": 0}, 64, 64,
                       depth=True).depth
    assert near[32, 32] == pytest.approx(1.5, abs=0.01)
    follow = {"body": "b", "distance": 2, "azimuth": 90, "elevation": 0}
    ball.qpos[0] = 3
    assert ball.render(follow, 64, 64, depth=True).depth[32, 32] == pytest.approx(1.5, abs=0.01)
    ball.qpos[0] = 0
    none = ball.render("eye", 64, 64, segment=True, groups={"geoms": ()}).segment
    assert (none == -1).all()
    assert (ball.render("eye", 64, 64, segment=True, show="joint", groups={"geoms": ()}).segment
            == -2).any()
    for wrong in ({"camera": "nose"}, {"show": "contcat"}, {"label": "x"}, {"width": 0},
                  {"camera": {"fov": 3}}, {"groups": {"geom": (0,)}}):
        with pytest.raises(sinew.Error):
            ball.render(**wrong)


def test_a_renderer_outlives_its_model(ball):
    renderer = sinew.Renderer(sinew.loads(SPHERE))
    data = renderer.model.data()
    data.forward()
    image = renderer.render(data, "eye", 32, 32)
    np.testing.assert_array_equal(image, ball.render("eye", 32, 32))
    copy = ball.copy()
    np.testing.assert_array_equal(copy.render("eye", 32, 32), image)


def test_without_opengl_there_is_an_error(ball, tmp_path):
    """Not an end of the process: a file that is no library stands for one that is missing."""
    for name in ("libEGL.so.1", "libOpenGL.so.0"):
        (tmp_path / name).write_text("no library")
        program = (f"import sys; sys.path[:0] = {[p for p in sys.path if p]!r}; import sinew\n"
                   f"try:\n  sinew.loads({SPHERE!r}).data().render()\n"
                   "except sinew.Unsupported as error:\n  print(error)")
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)})
        assert "libegl1" in done.stdout or name != "libEGL.so.1", done.stderr
        assert done.returncode == 0


def test_a_window_that_cannot_be_opened_is_an_error(ball, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(sinew.Unsupported, match="browser|display"):
        sinew.view(ball.model, ball, window=True).sync()


def page_or_skip(make):
    try:
        return make()
    except sinew.FileError as error:
        if "three" not in str(error):
            raise
        pytest.skip(str(error))


def test_a_replay(tmp_path):
    model = sinew.loads(SPHERE)
    data, replay = model.data(), sinew.Replay(model, fps=50, title="a <run>")
    data.ctrl[0] = 1
    while data.time < 1:
        data.step()
        replay.add(data)
    assert 50 <= len(replay) <= 51
    page = page_or_skip(replay.to_html)
    assert "a &lt;run>" in page or "a &lt;run&gt;" in page
    assert page == replay.to_html()   # made again, the same
    replay.save(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text() == page
    inline = replay._repr_html_()
    assert inline.startswith("<iframe srcdoc=") and '"' not in re.search(
        'srcdoc="(.*?)" width', inline, re.S)[1]
    run = sinew.rollout(model, nsteps=20, every=2, states=sinew.State.INTEGRATION)
    assert len(sinew.Replay.of(model, run.states[0])) == 10


def test_a_viewer_passive_and_active():
    model = sinew.loads(SPHERE)
    data = model.data()
    with page_or_skip(lambda: sinew.view(model, data, browser=False)) as viewer:
        assert viewer.is_running() and "iframe" in viewer._repr_html_()
        page = urllib.request.urlopen(viewer.url, timeout=10).read()
        assert b"<html" in page
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(viewer.url.rsplit("/", 2)[0] + "/guess/", timeout=10)
        stream = urllib.request.urlopen(viewer.url + "frames", timeout=10)

        def frame():
            return stream.read(int.from_bytes(stream.read(4), "little"))
        first = frame()
        # passive: the program steps; what is pressed in the page happens in sync
        urllib.request.urlopen(viewer.url + "do?ctrl=0&value=0.5", data=b"", timeout=10)
        assert data.ctrl[0] == 0
        viewer.sync()
        assert data.ctrl[0] == 0.5
        data.step(100)
        time.sleep(0.05)
        viewer.sync()
        later = frame()
        while np.frombuffer(later, "<f4", 1, 24)[0] < 0.1:   # frames of before
            later = frame()
        header = np.frombuffer(later, "<u4", 6)
        row = np.frombuffer(later, "<f4", header[1], 24)
        assert row[0] == pytest.approx(data.time) and later != first
        urllib.request.urlopen(viewer.url + "do?reset=start", data=b"", timeout=10)
        viewer.sync()
        assert data.time == 0
        # active: the viewer steps, in real time
        start = time.monotonic()
        viewer.run(0.3)
        assert data.time == pytest.approx(0.3, abs=0.05)
        assert time.monotonic() - start > 0.2
        urllib.request.urlopen(viewer.url + "do?pause=toggle", data=b"", timeout=10)
        assert viewer.paused
        threading.Timer(0.3, viewer.close).start()
        before = data.time
        viewer.run()
        assert data.time == before
        stream.close()
    assert not viewer.is_running()


def test_a_simulation_of_another_model_is_rejected(ball, models):
    """Its memory has other sizes, and must not be read."""
    from sinew import mujoco
    model = ball.model
    other = sinew.load(models / "figure.xml").data()
    with pytest.raises(sinew.InvalidError, match="another model"):
        sinew.Renderer(model).render(other)
    with pytest.raises(sinew.InvalidError, match="another model"):
        sinew.view(model, other, browser=False)
    with pytest.raises(sinew.InvalidError, match="another model"):
        sinew.view(model, other, window=True)
    with pytest.raises(sinew.InvalidError, match="another model"):
        sinew.Replay(model).add(other)
    with pytest.raises(sinew.InvalidError, match="another model"):
        mujoco.Renderer(model).update_scene(other)
    # an equal model that was loaded again is another one too
    with pytest.raises(sinew.InvalidError, match="another model"):
        sinew.Renderer(model).render(sinew.Model.from_bytes(model.to_bytes()).data())


def test_videos_that_cannot_be_made(tmp_path):
    if shutil.which("ffmpeg") is None:
        with pytest.raises(sinew.Unsupported, match="ffmpeg"):
            sinew.save_video([np.zeros((8, 8, 3), np.uint8)], tmp_path / "a.mp4")
        pytest.skip("no ffmpeg")
    black = np.zeros((16, 16, 3), np.uint8)
    path = tmp_path / "a.mp4"
    for frames, words in (([], "no image"), (iter(()), "no image"), ([black[..., 0]], "shape"),
                          ([black, black[:8]], "image 1.*size"), ([black / 2], "uint8"),
                          ([black[:0]], "shape"), ([None], "shape")):
        with pytest.raises(sinew.InvalidError, match=words):
            sinew.save_video(frames, path)
    for fps in (0, -1, float("nan"), float("inf")):
        with pytest.raises(sinew.InvalidError, match="fps"):
            sinew.save_video([black], path, fps)
    with pytest.raises(sinew.FileError, match="nothing"):
        sinew.save_video([black] * 100, tmp_path / "nothing" / "a.mp4")

    def fails():
        yield black
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        sinew.save_video(fails(), path)
    sinew.save_video((black[::2, ::2] for _ in range(3)), path)
    assert path.stat().st_size > 0


def test_what_the_page_sends_is_checked():
    model = sinew.loads(SPHERE)
    with page_or_skip(lambda: sinew.view(model, browser=False)) as viewer:
        viewer.data.step(10)
        for query in ("reset=%C2%B2", "reset=-1", "reset=99999999999999999999", "reset=",
                      "ctrl=abc&value=1", "ctrl=0&value=nan", "ctrl=9&value=1", "nothing=1"):
            urllib.request.urlopen(viewer.url + f"do?{query}", data=b"", timeout=10)
            viewer.sync()
        assert viewer.data.ctrl[0] == 0 and viewer.data.time == 0
    assert viewer.sync() == 0
    viewer.close()


def test_the_pace():
    from sinew.viewing import Pace
    pace, begin = Pace(), time.monotonic()
    for k in range(11):
        pace.wait(0.01 * k)
    assert time.monotonic() - begin > 0.095
    begin = time.monotonic()
    pace.wait(5)   # a jump is not waited for
    pace.wait(0)
    pace.begin()
    pace.wait(-7)
    assert time.monotonic() - begin < 0.4


def test_without_the_window_viewer_the_message_has_the_cure(monkeypatch, tmp_path):
    from sinew import window
    monkeypatch.setattr(window, "PLACE", str(tmp_path))
    model = sinew.loads(SPHERE)
    with pytest.raises(sinew.Unsupported, match="browser.*libglfw3-dev"):
        sinew.view(model, window=True)


@pytest.mark.parametrize("camera, words", [
    ({"lookat": [1, 2]}, "lookat: 3 numbers"), ({"lookat": [1, 2, 3, 4]}, "lookat: 3 numbers"),
    ({"lookat": [np.nan] * 3}, "lookat: finite"), ({"distance": np.nan}, "distance: a positive"),
    ({"distance": -1}, "distance: a positive.*-1"), ({"distance": 0}, "distance: a positive"),
    ({"azimuth": np.inf}, "azimuth: finite")])
def test_cameras_that_cannot_see_are_rejected(ball, camera, words):
    with pytest.raises(sinew.InvalidError, match=words):
        ball.render(camera, 64, 48)


@pytest.mark.parametrize("groups", [(40,), (6,), (-1,), (0.5,), (2 ** 40,)])
def test_groups_that_do_not_exist_are_rejected(ball, groups):
    with pytest.raises(sinew.InvalidError, match="groups: geoms"):
        ball.render("eye", 64, 48, groups={"geoms": groups})


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg")
def test_names_of_videos_are_names_of_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    image = np.zeros((8, 8, 3), np.uint8)
    for name in ("-x.gif", "pipe:1.gif"):
        sinew.save_video([image] * 2, name)
        assert (tmp_path / name).stat().st_size > 0


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg")
def test_a_video_that_fails_leaves_no_file(tmp_path):
    def fails():
        yield np.zeros((8, 8, 3), np.uint8)
        raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError):
        sinew.save_video(fails(), tmp_path / "a.mp4")
    with pytest.raises(sinew.FileError):
        sinew.save_video([np.zeros((1, 1, 3), np.uint8)], tmp_path / "a.mp4")
    with pytest.raises(sinew.FileError):
        sinew.save_video([np.zeros((8, 8, 3), np.uint8)], tmp_path / "a.unknown")
    assert list(tmp_path.iterdir()) == []
