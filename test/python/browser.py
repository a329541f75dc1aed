"""A page as a parser sees it, and as Chromium shows it."""

import base64
import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

VOID = {"meta", "link", "br", "hr", "img", "input", "col", "wbr"}
CHROMIUM = shutil.which("chromium")


class Page(HTMLParser):
    """What the parser sees: balance of the tags, attributes, the text of every table row."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.unbalanced: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.tags: list[str] = []
        self.rows: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag == "tr":
            self.rows.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(f"</{tag}> at {self.getpos()}")
        if tag in ("td", "th") and self.rows:
            self.rows[-1] += " "

    def handle_data(self, data: str) -> None:
        if "script" in self.open or "style" in self.open:
            return
        self.text += data
        if self.rows and "table" in self.open:
            self.rows[-1] += data


class Browser:
    """A headless chromium that is spoken to over its DevTools pipe."""

    def __init__(self, profile: Path) -> None:
        assert CHROMIUM
        to_child, self._write = os.pipe()
        self._read, from_child = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 100) for end in (to_child, from_child)]  # out of the way of 3 and 4
        options = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
        options += " --disable-background-networking --disable-component-update --remote-debugging-pipe"
        self._process = subprocess.Popen(
            [CHROMIUM, *options.split(), f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=lambda: [os.dup2(end, place) for end, place in zip(ends, (3, 4), strict=True)],
            pass_fds=(3, 4),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (to_child, from_child, *ends):
            os.close(end)
        self._buffer = b""
        self._number = 0
        self._session = ""
        self.errors: list[str] = []
        target = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self._session = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return dict(answer["result"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            block = os.read(self._read, 1 << 20)
            assert block, "chromium ended"
            self._buffer += block
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        method = message.get("method", "")
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(message["params"]["exceptionDetails"])[:500])
        if method == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
            self.errors.append(message["params"]["entry"]["text"])
        if method == "Network.requestWillBeSent" and message["params"]["request"]["url"].startswith("http"):
            self.errors.append("asked the network for " + message["params"]["request"]["url"])
        return message

    def value(self, expression: str) -> Any:
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def show(self, path: Path, width: int, scheme: str) -> None:
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setScrollbarsHidden", hidden=True)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.ask("Page.navigate", url=path.as_uri())
        for _ in range(1000):
            if self.value("document.readyState") == "complete" and self.value("location.protocol") == "file:":
                return
        raise AssertionError("the page does not load")

    def picture(self, path: Path) -> None:
        data = self.ask("Page.captureScreenshot", captureBeyondViewport=True, **self._whole_page())["data"]
        path.write_bytes(base64.b64decode(data))

    def _whole_page(self) -> dict[str, Any]:
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 12000), "scale": 1}
        return {"clip": clip}

    def close(self) -> None:
        self._session = ""
        try:
            self.ask("Browser.close")
            self._process.wait(30)
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
        os.close(self._write)
        os.close(self._read)


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    opened = Browser(folder / "profile")
    try:
        yield opened
    finally:
        opened.close()


def artefacts() -> Path:
    folder = Path(os.environ.get("HEADRACE_ARTEFACTS", Path(__file__).parents[2] / "build" / "artefacts"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
