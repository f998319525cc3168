"""In notebooks: the magic %%sfg, and the sliders of a report."""
from __future__ import annotations

import difflib
import html
import json
import pathlib
import re
import shlex
import tempfile
from typing import Any, Optional

from . import _core
from ._answers import limits
from ._errors import Error, failure, warn, wrong
from ._model import loads, read

_PICTURES = {"draw", "bode", "nyquist", "nichols", "rlocus", "step", "impulse", "simulate"}
#: Stands for the text of a cell in messages.
_CELL = "cell"


class Sliders:
    """A page of its own within a notebook, as its rich display has it."""

    __slots__ = ("page", "height")

    def __init__(self, page: str, height: int):
        self.page, self.height = page, height

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.page)}" sandbox="allow-scripts" style="width:100%;height:{self.height}px;'
                'border:1px solid #ccc"></iframe>')

    def __repr__(self) -> str:
        return f"<a page of {len(self.page)} characters>"


def _told(problems: str) -> str:
    """What is wrong in the words of the command, which the first line of a cell is in."""
    lines = []
    for problem in json.loads(_in_cell(problems)):
        of_words = (problem["file"] or "sfg").split()[0] == "sfg"
        place = "" if of_words else ":".join(str(problem[part]) for part in ("file", "line", "column") if problem[part] is not None) + ": "
        lines.append(place + problem["message"] + ("; " + problem["hint"] if problem["hint"] else ""))
    return "\n".join(lines)


def _in_cell(problems: str) -> str:
    """Places in the text of a cell as those of the cell, whose first line is the magic."""
    found = json.loads(problems)
    for problem in found:
        if problem["file"] == _CELL and problem["line"] is not None:
            problem["line"] += 1
    return json.dumps(found)


def _stated_format(words: "list[str]") -> str:
    for word, after in zip(words, [*words[1:], ""]):
        if word == "--format" or word.startswith("--format="):
            return after if word == "--format" else word.split("=", 1)[1]
    return ""


def _format(words: "list[str]", text: str) -> str:
    """As it is stated, else by what the text begins with."""
    found = _stated_format(words) or str(_core.format_of(text))
    if not found:
        raise wrong("the beginning of this text does not tell its format", "add --format toml, dot, m, json, spice, csv, … to the first line")
    return found


def _answer(words: "list[str]", text: Optional[str]) -> Any:
    from IPython.display import SVG, Markdown

    verb = words[0]
    if verb not in _core.verbs():
        near = difflib.get_close_matches(verb, _core.verbs(), 1)
        raise wrong(f"sfg has no verb {verb!r}", f"did you mean {near[0]!r}?" if near else "there are " + ", ".join(_core.verbs()))
    asked = list(words)
    if text is not None:
        asked.insert(1, "-")
        if not _stated_format(words):
            asked.append("--format=" + _format(words, text))
    given = None if text is None else (text, _CELL)
    if verb in _PICTURES and "--json" not in words:
        with tempfile.TemporaryDirectory(prefix="sfg-") as folder:
            picture = pathlib.Path(folder, "picture.svg")
            _said([*asked, f"--output={picture}"], given)
            return SVG(data=picture.read_text(encoding="utf-8"))
    if "--json" in words:
        return json.loads(_said(asked, given))
    if "notation" in _core.options(verb):
        return Markdown(_said([*asked, "--notation=markdown"], given))
    return Markdown(f"```text\n{_said(asked, given)}\n```")


def _said(words: "list[str]", text: "Optional[tuple[str, str]]") -> str:
    _status, said, notes, kind, problems = _core.answer(words, text, limits({}))
    warn(_in_cell(notes))
    if kind == "interrupted":
        raise failure(kind, problems) from None
    if kind is not None:
        raise Error(_told(problems))
    return bytes(said).decode("utf-8")


def _bound(name: str, words: "list[str]", text: Optional[str], shell: Any) -> None:
    """Gives the name to the graph or model that the text, or the file, is."""
    if text is None:
        shell.user_ns[name] = read(next(word for word in words[1:] if not word.startswith("-")))
        return
    format = _format(words, text)  # an empty line stands for the first of the cell, but a netlist begins with its title
    shell.user_ns[name] = loads(text if format == "spice" else "\n" + text, format, name=_CELL)


def _magic(shell: Any, line: str, cell: Optional[str]) -> Any:
    from IPython.core.error import UsageError

    name = re.match(r"\s*([^\W\d]\w*)\s*=(?!=)\s*", line)
    words = shlex.split(line[name.end():] if name else line)
    if not words and (cell is None or not name):
        raise UsageError("%%sfg VERB OPTIONS, as of the command; the text below is the input. %%sfg NAME = VERB … keeps it, too")
    try:
        if name:
            _bound(name[1], words, cell, shell)
        return _answer(words, cell) if words else None
    except Error as error:
        raise UsageError(str(error)) from None


def load(shell: Any) -> None:
    """%load_ext sfg"""
    def sfg(line: str, cell: Optional[str] = None) -> Any:
        """%%sfg VERB OPTIONS answers a question to the text of the cell, %sfg VERB FILE OPTIONS one to a file: a picture, or formulas
        and tables. %%sfg NAME = VERB OPTIONS gives the graph or model a name, too; without a verb nothing else."""
        return _magic(shell, line, cell)

    shell.register_magic_function(sfg, magic_kind="line_cell", magic_name="sfg")
