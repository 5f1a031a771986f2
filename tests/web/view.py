# SPDX-License-Identifier: Apache-2.0
#
# `sinew view --web`: the simulation runs, the browser shows it and controls it, and nobody without
# the token reaches it.
#
#   view.py SOURCE_TREE BUILD_TREE [SCREENSHOTS]

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402
from share import LOOK, difference, wait  # noqa: E402

build = sys.argv[2]
screenshots = sys.argv[3] if len(sys.argv) > 3 else None
STANDS = "(t => new Promise(done => setTimeout(() => done(player.time === t), 200)))(player.time)"


def start(*arguments):
    process = subprocess.Popen([os.path.join(build, "sinew"), "view", *arguments, "--web", "-q"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    address = process.stdout.readline().strip()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", address), address
    return process, address


def status_of(port, method, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def test_token(address):
    """Only addresses with the token exist, and what changes the simulation needs a POST."""
    port, token = re.search(r":(\d+)/(\w+)/", address).groups()
    wrong = token[:-1] + ("0" if token[-1] != "0" else "1")
    for path in ("/", f"/{wrong}/", f"/{wrong}/frames", f"/{token}", f"/{token[:-1]}/",
                 f"/{token}/other", "/../etc/passwd"):
        assert status_of(int(port), "GET", path) == 404, path
    assert status_of(int(port), "GET", f"/{token}/do?pause=toggle") == 404
    assert status_of(int(port), "POST", f"/{wrong}/do?pause=toggle") == 404
    for junk in ("reset=99", "reset=-3", "reset=x", "ctrl=99&value=1", "ctrl=0&value=nan",
                 "ctrl=0"):
        assert status_of(int(port), "POST", f"/{token}/do?{junk}") == 200, junk


def clients(address):
    """Connections to all places."""
    port = int(re.search(r":(\d+)/", address)[1])
    return [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(32)]


def sends(client, byte):
    try:
        client.send(byte)
        return True
    except OSError:
        return False


def test_silent_clients(address):
    """Connections that send nothing, or slowly, take all places, and lose them after a time."""
    port, token = re.search(r":(\d+)/(\w+)/", address).groups()
    silent = clients(address)
    assert all(s.recv(1) == b"" for s in silent)
    slow = clients(address)
    end = time.monotonic() + 30
    left = slow
    while left and time.monotonic() < end:
        left = [s for s in left if sends(s, b"x")]
        time.sleep(1)
    assert not left, f"{len(left)} clients that send one byte after another keep their places"
    for attempt in range(50):   # the server may still be clearing up
        try:
            assert status_of(int(port), "GET", f"/{token}/") == 200
            break
        except ConnectionError:
            assert attempt < 49, "the places are not free again"
            time.sleep(0.1)
    for s in silent + slow:
        s.close()


def test_pause(browser):
    """A page that is paused for longer than silent clients may stay goes on afterwards."""
    if not browser.ask(STANDS):
        browser.ask("player.live.send({ pause: 'toggle' })")
    assert wait(browser, STANDS), "it does not pause"
    time.sleep(12)
    before = browser.ask("player.time")
    browser.ask("player.live.send({ pause: 'toggle' })")
    assert wait(browser, f"player.time > {before}"), "the page gets no frames after a pause"


def test_browser(browser, address):
    browser.open(address)
    assert wait(browser, "player.chunk && player.time > 0.2"), "no frames come"
    before = browser.ask(LOOK)
    assert before["colors"] > 2, "the canvas is blank"
    # a control moves the arm
    browser.ask("document.querySelectorAll('#live input').forEach(slider => {"
                "slider.value = slider.max; slider.dispatchEvent(new Event('input')); })")
    row = f"Math.max(...[...player.chunk.rows].slice(player.chunk.width - {4}))"
    assert wait(browser, f"{row} > 0.1"), "the controls do not arrive"
    assert wait(browser, "player.time > 1"), "the simulation stands"
    assert difference(before, browser.ask(LOOK)) > 0.05, "the image did not change"
    if screenshots:
        browser.screenshot(os.path.join(screenshots, "live.png"))
    # pause, single steps, reset
    browser.ask("player.live.send({ pause: 'toggle' })")
    assert wait(browser, STANDS), "it does not pause"
    time = browser.ask("player.time")
    browser.ask("player.live.send({ step: 1 })")
    assert wait(browser, f"player.time > {time}"), "it does not step"
    assert browser.ask("player.time") < time + 0.01, "it makes more than a step"
    browser.ask("player.live.send({ reset: 'start' })")
    assert wait(browser, "player.time === 0"), "it is not reset"
    browser.ask("player.live.send({ reset: 0 })")
    for key in browser.ask("KEYS.map(row => row[0])"):
        browser.key(" " if key == "space" else key)
    browser.ask("document.querySelectorAll('#live button').forEach(button => button.click())")
    browser.ask("[...at('add').options].slice(1).forEach((_, i) => player.addChart(i))")
    assert not browser.problems, browser.problems


def test_end(browser, process):
    """Ctrl-C ends it while a browser listens, and the page says so."""
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, (process.returncode, errors)
    assert wait(browser, "!at('message').hidden"), "the page does not say that it has ended"


def main():
    if not os.path.exists(os.path.join(build, "web/three.min.js")) or \
            not os.path.exists(os.path.join(build, "web/server.so")) or not Browser.program():
        print("skipped: three.js, libmicrohttpd or chromium is missing")
        return 77
    process, address = start("arm")
    browser = None
    try:
        test_token(address)
        browser = Browser()
        test_browser(browser, address)
        test_silent_clients(address)
        test_pause(browser)
        test_end(browser, process)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        if browser:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
