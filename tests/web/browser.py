# SPDX-License-Identifier: Apache-2.0
#
# A headless Chromium, controlled over its debugging pipe: JSON messages, each ended by a zero, on
# file descriptors 3 (to the browser) and 4 (from it).

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time


class Browser:
    """Opens one page. `problems` lists errors and warnings of its console, and exceptions."""

    def __init__(self, width=1000, height=640):
        self.folder = tempfile.mkdtemp(prefix="sinew-browser-")
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()
        command = [
            self.program(), "--headless", "--no-sandbox", "--disable-dev-shm-usage",
            "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
            "--no-first-run", "--disable-extensions", "--hide-scrollbars",
            f"--user-data-dir={self.folder}", f"--window-size={width},{height}",
            "--remote-debugging-pipe", "about:blank"]
        # what the browser is to read and to write must have the numbers 3 and 4
        shell = ["sh", "-c", f'exec 3<&{to_read} 4>&{to_write}; exec "$@"', "sh"]
        self.process = subprocess.Popen(shell + command, pass_fds=(to_read, to_write),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self.number, self.bytes, self.session = 0, b"", None
        self.problems, self.loaded = [], False
        page = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"],
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    @staticmethod
    def program():
        """The browser; None: there is none."""
        return shutil.which("chromium") or shutil.which("chromium-browser")

    def receive(self, until):
        """The next message; events that matter are noted."""
        while b"\0" not in self.bytes:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.from_browser], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.from_browser, 1 << 20)
            if not more:
                raise RuntimeError("the browser has ended")
            self.bytes += more
        message, self.bytes = self.bytes.split(b"\0", 1)
        message = json.loads(message)
        method, what = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif (method == "Runtime.consoleAPICalled" and
              what["type"] in ("error", "warning", "assert")):
            self.problems.append(" ".join(str(a.get("value", a)) for a in what["args"]))
        elif method == "Log.entryAdded" and what["entry"]["level"] == "error":
            self.problems.append(what["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(what["request"]["url"])
        return message

    def call(self, method, seconds=60, **what):
        self.number += 1
        message = {"id": self.number, "method": method, "params": what}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + seconds
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def open(self, address, seconds=60):
        self.loaded, self.requests = False, []
        self.call("Page.navigate", url=address)
        until = time.monotonic() + seconds
        while not self.loaded:
            self.receive(until)

    def ask(self, expression):
        """The value of an expression of JavaScript, or of its promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def mouse(self, kind, x, y, button="left", **what):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, **what)

    def drag(self, start, end, button="left"):
        self.mouse("mousePressed", *start, button, clickCount=1)
        for i in range(1, 6):
            at = [a + (b - a) * i / 5 for a, b in zip(start, end)]
            self.mouse("mouseMoved", *at, button, buttons=1 if button == "left" else 2)
        self.mouse("mouseReleased", *end, button, clickCount=1)

    def key(self, key, code=None):
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code or key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code or key)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        shutil.rmtree(self.folder, ignore_errors=True)
