"""What calls raise, and what they warn of."""
from __future__ import annotations

import json
import os
import re
import sys
import warnings
from typing import Any, Optional

#: Stands for the file of a text that nobody has written, so that its places tell nothing.
OF_NO_FILE = "<graph>"
#: Name of a text that came without one.
OF_A_TEXT = "<text>"
#: Begins the name of the folder of data that a call has as arrays.
TABLES = "sfg-table-"


_HERE = os.path.dirname(__file__)


class Error(Exception):
    """Any question that ends without its answer.

    file, line, column: the place in the input, None where there is none (line and column begin at 1, columns count characters);
    hint: what to do, "" where nothing is known; problems: all that was found, each a dict with "severity", "message", "file",
    "line", "column" and "hint". An Error that is none of its subclasses is a mistake of sfg itself: please report it.
    """

    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    hint: str = ""
    problems: "list[dict[str, Any]]" = []


class InputError(Error, ValueError):
    """The input or the question is wrong: a model that cannot be read, a name that is not there, a value that is missing."""


class NoAnswer(Error):
    """The question has no answer: a singular graph, no convergence, unstable where stability is needed."""


class LimitReached(Error):
    """A limit of the call was reached: time_limit, max_terms or memory_limit."""


class InputWarning(UserWarning):
    """The answer may not be the one that was meant; the text says why."""


for _class in (Error, InputError, NoAnswer, LimitReached, InputWarning):
    _class.__module__ = "sfg"

_KINDS = {"usage": InputError, "input": InputError, "no-answer": NoAnswer, "limit": LimitReached}


#: Options of the command that have other names here.
_OTHERWISE = {"from": "input", "to": "output", "in": "parameter", "output": "path", "as": "as_", "break": "break_", "input": "inputs",
              "measure": "measures"}
#: Verbs that are no methods by their names.
_ATTRIBUTES = {"graph": "Graph.nodes", "weave": "sfg weave", "batch": "sfg batch", "serve": "sfg serve"}


#: Keywords whose value is a name, a single letter too.
_NAMED = {"input", "output", "parameter", "vary", "wrt", "known", "tolerance", "distribution"}


def keyword_of(option: str) -> str:
    """The keyword for an option of the command."""
    return _OTHERWISE.get(option, option.replace("-", "_"))


def _argument(option: str, value: str) -> str:
    """name=value as a call has it: a number, a dict of NAME=VALUE, else a text."""
    name, pair = keyword_of(option), re.fullmatch(r"([^\W\d]\w*)=(.*)", value)
    if pair:
        return f"{name}={{{pair[1]!r}: {pair[2]!r}}}"
    plain = r"[-+]?[\d.]+(e[-+]?\d+)?" if name in _NAMED else r"[-+]?[\d.]+(e[-+]?\d+)?|[A-Z]"
    return f"{name}={value}" if re.fullmatch(plain, value) else f"{name}={value!r}"


_OPTION = r"--([a-z][a-z-]*)"
#: Words of the command, and what stands for them in a call.
_WORDS: "list[tuple[str, Any]]" = [
    (r"--set (\w+)=…", r"\1=…"),
    (r"setting '(\w+)=([^']*)'", lambda m: f"{m[1]}={m[2]!r}"),
    (r"(?:option )?'" + _OPTION + r"[ =]([^']*)'", lambda m: _argument(m[1], m[2])),  # option '--until -1'
    (_OPTION + r" ?[ =]'([^']*)'", lambda m: _argument(m[1], m[2])),
    (_OPTION + r" ([^\s:;,]\S*): ", lambda m: _argument(m[1], m[2]) + ": "),  # --from nowhere: there is …
    (_OPTION + r"=([^\s;,…]+(?:,(?! )[^\s;,]+)*)", lambda m: _argument(m[1], m[2])),
    (_OPTION + r" ([A-Z0-9±][^\s;,)]*(?:,(?! )[^\s;,]+)*)", lambda m: _argument(m[1], m[2])),
    (r"--(form) (approximate|blocks|factored|mason|numeric|rational|sequence|standard|table|zpk)\b", lambda m: _argument(m[1], m[2])),
    (_OPTION + r"(?=:)", lambda m: keyword_of(m[1])),
    (_OPTION, lambda m: keyword_of(m[1]) + "="),
    (r"['`]sfg ([a-z]+)[^'`]*['`]", lambda m: _ATTRIBUTES.get(m[1], m[1] + "()")),
]


def in_keywords(text: str) -> str:
    """Words of the command in those of a call: "--time-limit" is time_limit=, "--from R" input='R'."""
    for words, instead in _WORDS:
        text = re.sub(words, instead, text)
    return text


#: A text of the call, and what is wrong with it.
_QUOTED = re.compile(r"'.+': ")


def _settled(problem: "dict[str, Any]", hidden: str = "") -> "dict[str, Any]":
    file = problem["file"]
    nowhere = file in (None, "", "sfg") or file.startswith("sfg ")
    if (file and file in (hidden, OF_NO_FILE)) or (nowhere and not _QUOTED.search(problem["message"])):
        problem.update(file=None, line=None, column=None)  # a place in a text that is not shown
    elif nowhere or file == OF_A_TEXT:
        problem["file"] = None
    elif file.startswith("--"):  # the text of an option
        problem.update(file=None, message=f"{file}: {problem['message']}")
    elif os.path.basename(os.path.dirname(file)).startswith(TABLES):  # below its headings row 0 begins
        row = f"row {problem['line'] - 2}: " if (problem["line"] or 0) > 1 else ""
        problem.update(file=None, line=None, column=None, message=f"data: {row}{problem['message']}")
    problem["message"], problem["hint"] = in_keywords(problem["message"]), in_keywords(problem["hint"] or "")
    return problem


def _sentence(problem: "dict[str, Any]") -> str:
    """file:line:column of a file; of a text of the call the character, or line and character, behind what is said of it."""
    message, line, column = problem["message"], problem["line"], problem["column"]
    if problem["file"] is not None:
        place = ":".join(str(problem[part]) for part in ("file", "line", "column") if problem[part] is not None)
        message = f"{place}: {message}"
    elif line is not None:
        of_line = "" if line == 1 and "'" in message else f"line {line}"
        message += " (" + ", ".join(part for part in (of_line, f"character {column}" if column is not None else "") if part) + ")"
    return message + ("; " + problem["hint"] if problem["hint"] else "")


def failure(kind: str, problems: str, hidden: str = "") -> BaseException:
    """The exception for a failure of the core; places in the file `hidden` are not told."""
    if kind == "interrupted":
        return KeyboardInterrupt()
    found = [_settled(problem, hidden) for problem in json.loads(problems)]
    error = _KINDS.get(kind, Error)("\n".join(map(_sentence, found)))
    error.problems = found
    if found:
        error.file, error.line, error.column = found[0]["file"], found[0]["line"], found[0]["column"]
        error.hint = found[0]["hint"]
    return error


def wrong(message: str, hint: str = "") -> InputError:
    """An InputError of the package itself."""
    problem = {"severity": "error", "message": message, "file": None, "line": None, "column": None, "hint": hint}
    error = InputError(_sentence(problem))
    error.hint, error.problems = hint, [problem]
    return error


def warn(notes: str, hidden: str = "") -> None:
    """Says what is to be said of an answer, each but once."""
    said = {_sentence(_settled(note, hidden)): None for note in json.loads(notes) if note["severity"] == "warning"}
    for sentence in said:
        warnings.warn(sentence, InputWarning, stacklevel=_levels_to_caller())


def _levels_to_caller() -> int:
    """How far up the first frame is that is none of the package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == _HERE:
        level, frame = level + 1, frame.f_back
    return level
