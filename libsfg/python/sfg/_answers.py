"""Questions to the verbs of sfg: keywords become the options of the command, its JSON a dict with arrays."""
from __future__ import annotations

import difflib
import json
import numbers
import os
import pathlib
import re
import tempfile
from typing import Any, Iterable, Mapping, NamedTuple, Optional, Union

import numpy as np

from . import _core
from ._errors import failure, keyword_of, warn, wrong
from ._tables import tables_as_files
from ._values import frequencies_text, list_of, text_of, with_arrays

#: What a call says beside the options of its verb.
_LIMITS = ("time_limit", "max_terms", "memory_limit")
#: Options that the package states itself.
_OWN = {"output", "json", "from", "to", "format", "help", "quiet", "no_color"}
#: What python-control and SciPy call them.
_CONTROL = {"omega": "freq", "w": "freq", "frequency": "freq", "timepts": "until", "dt": "sample-time", "Ts": "sample-time"}
#: Several values read better by the plural.
_PLURALS = {"measures": "measure", "specs": "spec", "inputs": "input", "tolerances": "tolerance", "distributions": "distribution",
            "correlations": "correlation"}


class Source(NamedTuple):
    """A model as text. `path`: the file that it was read from, where it names others of its folder; `made`: nobody has written it,
    so that places in it would tell nothing; `operating_point`: the file of a simulator beside a netlist."""

    text: str
    format: str
    name: str
    path: Optional[str] = None
    made: bool = False
    operating_point: Optional[str] = None

    def words(self) -> "tuple[list[str], Optional[tuple[str, str]]]":
        """The input on a command line, and the text that stands in its place."""
        how = ["--format=" + self.format, *operating_point_words(self.operating_point)]
        if self.path is not None:
            try:
                if pathlib.Path(self.path).read_text(encoding="utf-8") == self.text:
                    return [_as_word(self.path), *how], None
            except (OSError, UnicodeError):
                pass  # the text was read once, and is what is asked about
        return [_as_word(self.name), *how], (self.text, self.name)


def operating_point_words(file: "Optional[Union[str, os.PathLike[str]]]") -> "list[str]":
    return [] if file is None else ["--operating-point=" + os.fspath(file)]


def source_of_graph(dot: str, title: str) -> Source:
    """The DOT text of a graph, under a name that files made of it can have."""
    return Source(dot, "dot", (re.sub(r"\W+", "_", title).strip("_")[:60] or "graph") + ".dot", made=True)


def _as_word(path: "Union[str, os.PathLike[str]]") -> str:
    path = os.fspath(path)
    return os.path.join(".", path) if path.startswith("-") else path


def limits(keywords: "dict[str, Any]") -> Any:
    """Takes the limits of a call out of its keywords."""
    seconds, terms, mebibytes = (keywords.pop(name, None) for name in _LIMITS)
    for name, value in (("time_limit", seconds), ("max_terms", terms), ("memory_limit", mebibytes)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, (numbers.Real, np.number))):
            raise TypeError(f"{name}: a number is meant, not {value!r}")
    for name, value in (("time_limit", seconds), ("memory_limit", mebibytes)):
        if value is not None and not 0 < value < float("inf"):
            raise ValueError(f"{name}={value}: not a positive number")
    if terms is not None and (terms != int(terms) or terms < 0):
        raise ValueError(f"max_terms={terms}: not a whole number")
    return _core.Limits(seconds, None if terms is None else int(terms), mebibytes)


def settings(values: "Mapping[str, Any]") -> "list[str]":
    """NAME=value, as texts."""
    values = dict(values)
    values.update(values.pop("set", None) or {})
    return [f"{name}={_text_of(name, value)}" for name, value in values.items()]


def _text_of(name: str, value: Any) -> str:
    try:
        return text_of(value)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


class _Option(NamedTuple):
    name: str
    repeatable: Optional[bool]  # of a switch None


def _named(verb: str, keyword: str) -> Optional[_Option]:
    known = _core.options(verb)
    name = keyword.rstrip("_").replace("_", "-")
    plural = _PLURALS.get(name)
    if plural in known and known[plural]:
        name = plural
    return _Option(name, known[name]) if name in known and name not in _OWN else None


def _option_words(option: _Option, value: Any) -> "list[str]":
    word = "--" + option.name
    if value is None or value is False:
        return []
    if option.repeatable is None:
        if value is not True:
            raise TypeError(f"{option.name.replace('-', '_')} is True or False, not {value!r}")
        return [word]
    if isinstance(value, Mapping):
        entries = [f"{name}={_entry(entry)}" for name, entry in value.items()]
    elif option.name == "freq":
        entries = [frequencies_text(value)]
    else:
        entries = [_entry(entry) for entry in list_of(value)]
    if not entries:
        return []
    return [f"{word}={entry}" for entry in entries] if option.repeatable else [f"{word}={','.join(entries)}"]


def _entry(value: Any) -> str:
    if isinstance(value, (list, tuple, range)) or (isinstance(value, np.ndarray) and value.ndim):
        return ",".join(map(text_of, value))
    return os.fspath(value) if isinstance(value, os.PathLike) else text_of(value)


def _meant(verb: str, keyword: str) -> str:
    """What a keyword that is none may have meant."""
    options = _core.options(verb) if verb in _core.verbs() else ()
    keywords = {name: keyword_of(name) for name in options if name not in _OWN or keyword_of(name) != name}
    word = keyword.rstrip("_").replace("_", "-")
    near = [_CONTROL[word]] if _CONTROL.get(word) in keywords else difflib.get_close_matches(word, keywords, 1)
    return f"did you mean {keywords[near[0]]!r}?" if near else ""


def require_parameters(verb: str, keywords: "Iterable[str]", parameters: "Iterable[str]") -> None:
    """Refuses a keyword that is neither an option of the verb nor a parameter."""
    for keyword in keywords:
        if keyword not in parameters:
            raise wrong(f"keyword {keyword!r}: '{verb}' has no such option, and the model no parameter of that name",
                        _meant(verb, keyword))


def option_words(verb: str, keywords: "Mapping[str, Any]", parameters: "Optional[set[str]]" = None) -> "list[str]":
    """Options of the verb by their names; any other keyword is the value of a parameter."""
    words, values = [], {}
    for keyword, value in keywords.items():
        option = _named(verb, keyword)
        if keyword == "set":
            values.update(value or {})
        elif option:
            words += _option_words(option, value)
        else:
            if parameters is not None:
                require_parameters(verb, [keyword], parameters)
            values[keyword] = value
    return words + ["--set=" + setting for setting in settings(values)]


def ends(input: Any, output: Any) -> "list[str]":
    """Which transfer functions are asked for."""
    return [f"--from={name}" for name in list_of(input)] + [f"--to={name}" for name in list_of(output)]


def reply(words: "list[str]", text: "Optional[tuple[str, str]]", limit: Any, quiet: bool = False, hidden: str = "",
          samples: "Optional[dict[str, np.ndarray]]" = None) -> bytes:
    """What a verb says; its warnings are given, its failures raised. `hidden`: a file whose places are not told. `samples`: takes the
    columns of those that are asked for, which are no text then."""
    _status, said, notes, kind, problems, names, rows = _core.answer_and_samples(words, text, limit, samples is not None)
    if samples is not None and names:
        samples.update(zip(names, np.frombuffer(rows).reshape(-1, len(names)).T.copy()))
    if not quiet:
        warn(notes, hidden)
    if kind is not None:
        raise failure(kind, problems, hidden) from None
    return bytes(said)


def _hidden(source: Optional[Source]) -> str:
    return source.name if source and source.made else ""


class Asked(NamedTuple):
    """A question, for pictures of its answer."""

    source: Optional[Source]
    verb: str
    keywords: "dict[str, Any]"
    input: Any
    output: Any
    parameters: "Optional[set[str]]"


def ask(source: Optional[Source], verb: str, keywords: "dict[str, Any]", input: Any = None, output: Any = None,
        parameters: "Optional[set[str]]" = None) -> Any:
    """The answer of a verb as its class says, its lists of numbers as arrays."""
    from ._result import answer_of

    samples: "dict[str, np.ndarray]" = {}
    found = with_arrays(ask_plainly(source, verb, keywords, input, output, parameters, samples))
    if samples:
        found["samples"] = samples
    return answer_of(verb, found, Asked(source, verb, dict(keywords), input, output, parameters))


def ask_plainly(source: Optional[Source], verb: str, keywords: "dict[str, Any]", input: Any = None, output: Any = None,
                parameters: "Optional[set[str]]" = None, samples: "Optional[dict[str, np.ndarray]]" = None) -> "dict[str, Any]":
    """The same as JSON has it; `samples` as of reply()."""
    keywords = dict(keywords)
    limit = limits(keywords)
    words, text = source.words() if source else ([], None)
    with tables_as_files(keywords) as stated:
        said = reply([verb, *words, "--json", *ends(input, output), *option_words(verb, stated, parameters)], text, limit,
                     hidden=_hidden(source), samples=samples)
    answer: "dict[str, Any]" = json.loads(said)
    return answer


def said(source: Source, words: "list[str]", keywords: "dict[str, Any]", parameters: "Optional[set[str]]" = None,
         quiet: bool = False) -> bytes:
    """What a verb prints that is no JSON."""
    keywords = dict(keywords)
    limit = limits(keywords)
    inputs, text = source.words()
    with tables_as_files(keywords) as stated:
        return reply([words[0], *inputs, *words[1:], *option_words(words[0], stated, parameters)], text, limit, quiet, _hidden(source))


def text_from(source: Source, words: "list[str]", keywords: "dict[str, Any]", parameters: "Optional[set[str]]" = None) -> str:
    """The same as text."""
    try:
        return said(source, words, keywords, parameters).decode("utf-8")
    except UnicodeDecodeError:
        raise wrong("what is asked for is no text", "name a file for it") from None


def write(source: Source, verb: str, path: "Union[str, os.PathLike[str]]", words: "list[str]", keywords: "dict[str, Any]",
          parameters: "Optional[set[str]]" = None, quiet: bool = False) -> None:
    """Has a verb write a file, which appears as a whole or not at all."""
    said(source, [verb, "--output=" + os.fspath(path), *words], keywords, parameters, quiet)


def written(source: Source, verb: str, name: str, words: "list[str]", keywords: "dict[str, Any]",
            parameters: "Optional[set[str]]" = None, quiet: bool = False) -> str:
    """The text of a file that a verb writes under such a name."""
    with tempfile.TemporaryDirectory(prefix="sfg-") as folder:
        path = pathlib.Path(folder, name)
        write(source, verb, path, words, keywords, parameters, quiet)
        return path.read_text(encoding="utf-8")


def compared(first: Source, second: Source, keywords: "dict[str, Any]") -> Any:
    """The answer of the verb compare."""
    from ._result import answer_of

    keywords = dict(keywords)
    limit = limits(keywords)
    extension = {"script": "m", "spice": "cir"}
    with tempfile.TemporaryDirectory(prefix="sfg-") as folder:
        words = []
        for source, name in ((first, "first"), (second, "second")):
            path = pathlib.Path(folder, f"{name}.{extension.get(source.format, source.format)}")
            path.write_text(source.text, encoding="utf-8")
            words.append(source.path or str(path))
        found = json.loads(reply(["compare", *words, "--json", *option_words("compare", keywords)], None, limit))
    return answer_of("compare", with_arrays(found), None)
