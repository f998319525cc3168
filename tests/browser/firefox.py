"""Headless Firefox for tests, driven by WebDriver BiDi over its WebSocket: the standard library only; the tabs of browser.py.

Where Firefox is not installed a test ends with the status 77, which ctest counts as skipped.
"""
import base64
import json
import os
import pathlib
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

from browser import BrowserError, SKIPPED, Tab

PREFERENCES = {"remote.active-protocols": 1, "browser.shell.checkDefaultBrowser": False, "browser.download.useDownloadDir": True,
               "browser.download.folderList": 2, "browser.download.alwaysOpenPanel": False, "network.proxy.type": 0,
               "browser.aboutwelcome.enabled": False, "datareporting.policy.dataSubmissionEnabled": False,
               "app.normandy.enabled": False, "app.update.disabledForTesting": True,
               "toolkit.startup.max_resumed_crashes": -1}
KEYS = {"Tab": "\ue004", "Enter": "\ue007", " ": " ", "Escape": "\ue00c", "ArrowRight": "\ue014", "ArrowLeft": "\ue012",
        "Backspace": "\ue003", "Delete": "\ue017"}
EVENTS = ["log.entryAdded", "network.beforeRequestSent", "browsingContext.userPromptOpened"]


class Firefox:
    """A browser with a profile of its own. Its end is the end of the `with`."""

    def __init__(self):
        program = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
        if program is None:
            print("Firefox is not installed")
            sys.exit(SKIPPED)
        self.profile, self.folder = tempfile.mkdtemp(), tempfile.mkdtemp()
        self.number, self.received, self.events = 0, b"", []
        wanted = {**PREFERENCES, "browser.download.dir": self.folder}
        pathlib.Path(self.profile, "user.js").write_text(
            "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in wanted.items()))
        self.process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", self.profile, "--remote-debugging-port", "0", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "MOZ_CRASHREPORTER_DISABLE": "1"})
        self.connect(self.port())
        self.command("session.new", capabilities={"alwaysMatch": {"unhandledPromptBehavior": {"default": "dismiss"}}})
        self.command("session.subscribe", events=EVENTS)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.command("browser.close", patience=10)
            self.process.wait(20)
        except (BrowserError, OSError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.socket.close()
        for folder in (self.profile, self.folder):
            shutil.rmtree(folder, ignore_errors=True)

    def port(self, seconds=60):
        """Where it listens, as it writes into its profile when it is ready."""
        said = pathlib.Path(self.profile, "WebDriverBiDiServer.json")
        until = time.monotonic() + seconds
        while time.monotonic() < until and self.process.poll() is None:
            try:
                return json.loads(said.read_text())["ws_port"]
            except (OSError, ValueError):
                time.sleep(0.05)
        raise BrowserError("Firefox does not listen")

    def connect(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /session HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.received:
            self.hear(time.monotonic() + 20)
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise BrowserError(head.decode())

    def hear(self, until):
        """More bytes; False when none come in time."""
        left = until - time.monotonic()
        if left <= 0 or not select.select([self.socket], [], [], left)[0]:
            return False
        chunk = self.socket.recv(1 << 20)
        if not chunk:
            raise BrowserError("the browser has ended")
        self.received += chunk
        return True

    def frame(self):
        """The next frame of those received (RFC 6455), its kind, and whether the message ends with it; None: it is not whole yet."""
        data = self.received
        if len(data) < 2:
            return None
        size, at = data[1] & 127, 2
        if size > 125:
            at = 4 if size == 126 else 10
            if len(data) < at:
                return None
            size = int.from_bytes(data[2:at], "big")
        if len(data) < at + size:
            return None
        self.received = data[at + size:]
        return data[at:at + size], data[0] & 15, bool(data[0] & 128)

    def send(self, kind, data):
        mask = os.urandom(4)
        size = len(data)
        head = bytes([128 | kind]) + (bytes([128 | size]) if size < 126 else struct.pack(">BH", 254, size) if size < 65536
                                      else struct.pack(">BQ", 255, size))
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def message(self, until):
        """The next message; None when none comes in time."""
        whole = b""
        while True:
            frame = self.frame()
            if frame is None:
                if not self.hear(until):
                    return None
                continue
            data, kind, last = frame
            if kind == 9:
                self.send(10, data)
            elif kind == 8:
                raise BrowserError("the browser has ended")
            elif kind < 3:
                whole += data
                if last:
                    return json.loads(whole)

    def command(self, method, patience=60, **parameters):
        self.number += 1
        self.send(1, json.dumps({"id": self.number, "method": method, "params": parameters}).encode())
        until = time.monotonic() + patience
        while True:
            answer = self.message(until)
            if answer is None:
                raise TimeoutError(f"{method} has no answer after {patience} s")
            if answer.get("id") == self.number:
                if answer["type"] == "error":
                    raise BrowserError(f"{method}: {answer['message']}")
                return answer["result"]
            if answer["type"] == "event":
                self.events.append(answer)

    def page(self, size=(1280, 900)):
        """A new tab."""
        return FirefoxPage(self, size)

    def downloads(self):
        """The folder that files are downloaded to."""
        return self.folder


class FirefoxPage(Tab):
    """One tab."""

    def __init__(self, browser, size):
        self.browser = browser
        self.context = self.browser.command("browsingContext.create", type="tab")["context"]
        self.size(*size)

    def command(self, method, **parameters):
        return self.browser.command(method, context=self.context, **parameters)

    def events(self, method):
        """The parameters of what happened in this tab, of one kind."""
        mine = [e["params"] for e in self.browser.events if e["method"] == method]
        return [p for p in mine if self.context in (p.get("context"), p.get("source", {}).get("context"))]

    def open(self, url):
        self.command("browsingContext.navigate", url=url, wait="complete")

    def reload(self):
        self.evaluate("void setTimeout(() => location.reload())")  # by command it fails where something still loads

    def close(self):
        self.command("browsingContext.close")

    def evaluate(self, expression, context=None):
        """The value of an expression of JavaScript, a promise awaited; what it throws is a BrowserError."""
        answer = self.browser.command("script.evaluate", target={"context": context or self.context}, awaitPromise=True,
                                      userActivation=True, expression=f"(async () => JSON.stringify(await ({expression})))()")
        if answer["type"] == "exception":
            raise BrowserError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value", "null"))

    def text_in_frames(self):
        """What stands in the frames of the page."""
        def below(tree):
            for child in tree["children"] or []:
                yield child["context"]
                yield from below(child)
        texts = []
        for context in [c for tree in self.browser.command("browsingContext.getTree", root=self.context)["contexts"] for c in below(tree)]:
            try:
                texts.append(self.evaluate("document.body ? document.body.innerText : ''", context))
            except (BrowserError, TimeoutError):  # it may be about to go
                pass
        return "\n".join(texts)

    def act(self, source, kind, actions, **more):
        self.command("input.performActions", actions=[{"type": kind, "id": source, "actions": actions, **more}])

    def key(self, name, control=False):
        pressed = [{"type": "keyDown", "value": KEYS.get(name, name)}, {"type": "keyUp", "value": KEYS.get(name, name)}]
        held = [{"type": kind, "value": "\ue009"} for kind in ("keyDown", "keyUp")] if control else []
        self.act("keys", "key", held[:1] + pressed + held[1:])

    def type(self, text):
        """As pasted: key by key it would take seconds."""
        self.evaluate(f"document.execCommand('insertText', false, {json.dumps(text)})")

    def drag(self, places, touch=False):
        """Pressed at the first of these places, moved over the others, let go at the last."""
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 10} for x, y in places]
        up = {"type": "pointerUp", "button": 0}
        kind = "touch" if touch else "mouse"
        self.act(kind, "pointer", [moves[0], {"type": "pointerDown", "button": 0}, *moves[1:], up],
                 parameters={"pointerType": kind})

    def size(self, width, height):
        self.command("browsingContext.setViewport", viewport={"width": width, "height": height})

    def picture(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.command("browsingContext.captureScreenshot")["data"]))

    def requests(self):
        """Addresses asked for over the network, of documents and of data in them none."""
        asked = [p["request"]["url"] for p in self.events("network.beforeRequestSent") if p.get("navigation") is None]
        return [url for url in asked if not url.startswith(("data:", "blob:"))]

    def dialogs(self):
        return self.events("browsingContext.userPromptOpened")

    def complaints(self):
        """What scripts threw, and the errors and warnings of the console."""
        return [p["text"] or "" for p in self.events("log.entryAdded") if p["level"] in ("error", "warn")]
