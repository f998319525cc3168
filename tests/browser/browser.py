"""Headless Chromium for tests, driven over the pipe of its DevTools protocol: the standard library only.

    with Browser() as browser:
        page = browser.page(size=(1280, 900))
        page.open(path.as_uri())
        page.evaluate("document.title")

Where Chromium is not installed a test ends with the status 77, which ctest counts as skipped.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
FLAGS = """--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --no-proxy-server --hide-scrollbars
  --disable-background-networking --remote-debugging-pipe""".split()
KEYS = {"Tab": (9, "Tab", "\t"), "Enter": (13, "Enter", "\r"), " ": (32, "Space", " "), "Escape": (27, "Escape", ""),
        "ArrowRight": (39, "ArrowRight", ""), "ArrowLeft": (37, "ArrowLeft", ""), "Backspace": (8, "Backspace", ""),
        "Delete": (46, "Delete", ""), "z": (90, "KeyZ", "z")}


class BrowserError(RuntimeError):
    """What the browser refused, or a script threw."""


class Tab:
    """What the tabs of all browsers can do."""

    def call(self, function, *arguments):
        """The value of a function of values."""
        return self.evaluate(f"({function})({', '.join(json.dumps(a) for a in arguments)})")

    def wait(self, expression, seconds=3):
        """Waits until an expression is true; whether it came to that."""
        until = time.monotonic() + seconds
        while not self.evaluate(expression):
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
        return True

    def click(self, x, y):
        self.drag([(x, y)])


class Browser:
    """A browser with a profile of its own. Its end is the end of the `with`."""

    def __init__(self):
        program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if program is None:
            print("Chromium is not installed")
            sys.exit(SKIPPED)
        self.profile = tempfile.mkdtemp()
        self.number, self.received, self.events = 0, b"", []
        commands, self.write_end = os.pipe()
        self.read_end, answers = os.pipe()
        # The browser takes commands from descriptor 3 and answers on 4.
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{commands} 4>&{answers}', "sh", program, *FLAGS,
             f"--user-data-dir={self.profile}", "about:blank"],
            pass_fds=(commands, answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.command("Browser.close", wait=10)
            self.process.wait(10)
        except (BrowserError, OSError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.profile, ignore_errors=True)

    def downloads(self):
        """The folder that files are downloaded to."""
        folder = os.path.join(self.profile, "downloads")
        self.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
        return folder

    def page(self, size=(1280, 900), prelude=""):
        """A new tab; `prelude` runs in it before the scripts of every document."""
        return Page(self, size, prelude)

    def message(self, until):
        """The next message; None when none comes in time."""
        while b"\0" not in self.received:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
                return None
            chunk = os.read(self.read_end, 1 << 20)
            if not chunk:
                raise BrowserError("the browser has ended")
            self.received += chunk
        text, _, self.received = self.received.partition(b"\0")
        return json.loads(text)

    def command(self, method, session=None, wait=60, **parameters):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        until = time.monotonic() + wait
        while True:
            answer = self.message(until)
            if answer is None:
                raise TimeoutError(f"{method} has no answer after {wait} s")
            if answer.get("id") == number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)


class Page(Tab):
    """One tab."""

    def __init__(self, browser, size, prelude):
        self.browser = browser
        target = browser.command("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.command(domain + ".enable")
        if prelude:
            self.command("Page.addScriptToEvaluateOnNewDocument", source=prelude)
        self.size(*size)

    def command(self, method, **parameters):
        return self.browser.command(method, self.session, **parameters)

    def events(self, method):
        """The parameters of what happened in this tab, of one kind."""
        return [e["params"] for e in self.browser.events if e["method"] == method and e.get("sessionId") == self.session]

    def open(self, url, wait=30):
        before = len(self.events("Page.loadEventFired"))
        self.command("Page.navigate", url=url)
        until = time.monotonic() + wait
        while len(self.events("Page.loadEventFired")) == before:
            event = self.browser.message(until)
            if event is None:
                raise TimeoutError(f"{url} does not load")
            if "method" in event:
                self.browser.events.append(event)

    def reload(self):
        self.command("Page.reload")

    def close(self):
        self.command("Page.close")

    def evaluate(self, expression):
        """The value of an expression of JavaScript, a promise awaited; what it throws is a BrowserError."""
        answer = self.command("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def key(self, name, control=False):
        code, place, text = KEYS[name]
        same = {"key": name, "code": place, "windowsVirtualKeyCode": code, "modifiers": 2 if control else 0}
        typed = {"type": "keyDown", "text": text} if text and not control else {"type": "rawKeyDown"}
        self.command("Input.dispatchKeyEvent", **typed, **same)
        self.command("Input.dispatchKeyEvent", type="keyUp", **same)

    def type(self, text):
        self.command("Input.insertText", text=text)

    def drag(self, places, touch=False):
        """Pressed at the first of these places, moved over the others, let go at the last."""
        def mouse(kind, at, buttons):
            self.command("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left" if buttons or kind == "mouseReleased" else "none",
                         buttons=buttons, clickCount=0 if kind == "mouseMoved" else 1)
        def finger(kind, points):
            self.command("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])
        if touch:
            finger("touchStart", places[:1])
            for place in places[1:]:
                finger("touchMove", [place])
            return finger("touchEnd", [])
        mouse("mouseMoved", places[0], 0)
        mouse("mousePressed", places[0], 1)
        for place in places[1:]:
            mouse("mouseMoved", place, 1)
        mouse("mouseReleased", places[-1], 0)

    def size(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, kind="", scheme="light"):
        """`kind`: "print", "screen" or as it is; `scheme`: "light" or "dark"."""
        self.command("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def scripts(self, allowed):
        """Whether the documents opened from here on may run scripts."""
        self.command("Emulation.setScriptExecutionDisabled", value=not allowed)

    def picture(self, path, whole=False):
        data = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def pdf(self, path):
        data = self.command("Page.printToPDF", printBackground=True, preferCSSPageSize=True, paperWidth=8.27, paperHeight=11.69)
        with open(path, "wb") as out:
            out.write(base64.b64decode(data["data"]))

    def requests(self):
        """Addresses asked for over the network, of the document itself and of data in it none."""
        asked = [p["request"]["url"] for p in self.events("Network.requestWillBeSent") if p.get("type") != "Document"]
        return [url for url in asked if not url.startswith(("data:", "blob:"))]

    def dialogs(self):
        return self.events("Page.javascriptDialogOpening")

    def text_in_frames(self):
        """What stands in the frames of the page; each has an origin of its own, so that it may be a target of its own, too."""
        def value(session=None, **where):
            answer = self.browser.command("Runtime.evaluate", session, wait=1, expression="document.body.innerText", returnByValue=True, **where)
            return answer["result"].get("value") or ""
        texts = []
        for target in self.browser.command("Target.getTargets")["targetInfos"]:
            try:  # it may be about to go
                if target["type"] == "iframe":
                    texts.append(value(self.browser.command("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]))
            except (BrowserError, TimeoutError):
                pass
        for child in self.command("Page.getFrameTree")["frameTree"].get("childFrames", []):
            try:
                texts.append(value(self.session, contextId=self.command("Page.createIsolatedWorld", frameId=child["frame"]["id"])["executionContextId"]))
            except (BrowserError, TimeoutError):
                pass
        return "\n".join(texts)

    def complaints(self):
        """What scripts threw, and the errors and warnings of the console."""
        thrown = [p["exceptionDetails"] for p in self.events("Runtime.exceptionThrown")]
        said = [d.get("exception", {}).get("description") or d["text"] for d in thrown]
        said += [" ".join(str(a.get("value", a.get("description"))) for a in p["args"])
                 for p in self.events("Runtime.consoleAPICalled") if p["type"] in ("error", "warning", "assert")]
        return said + [p["entry"]["text"] for p in self.events("Log.entryAdded") if p["entry"]["level"] in ("error", "warning")]
