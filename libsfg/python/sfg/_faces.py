"""Faces of answers: text, tables for notebooks and for pandas, the command's pictures."""
from __future__ import annotations

import html as _html
import math
import os
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _answers, _core
from ._errors import InputError, wrong
from ._formula import Formula
from ._values import REAL

if TYPE_CHECKING:
    from ._result import Answer, Picture

#: Verbs whose picture another one draws.
_DRAWN_BY = {"margins": ("bode", {"margins": True})}
#: Options that say which numbers are listed, which pictures choose by themselves.
_LISTED = {"samples"}
_ROWS = 12


# ---- text

def summary(answer: "Answer") -> str:
    """The class, and a line for every field."""
    name = type(answer).__name__
    entries = {key: value for key, value in answer.items() if key != "schema"}
    width = max(map(len, entries), default=0)
    lines = [f"  {key:<{width}}  {_said(value)}" for key, value in entries.items()]
    return f"<sfg.{name}>" if not lines else f"<sfg.{name}\n" + "\n".join(lines) + ">"


def _said(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"array of {' × '.join(map(str, value.shape))} {value.dtype}" if value.size > 4 else np.array2string(
            value, precision=6, separator=", ").replace("\n", "")
    if isinstance(value, list) and value and not (len(value) <= 4 and all(isinstance(v, (str, int, float)) for v in value)):
        return f"{len(value)} entr{'y' if len(value) == 1 else 'ies'}"
    if isinstance(value, dict):
        return "{" + ", ".join(list(map(str, value))[:8]) + (", …" if len(value) > 8 else "") + "}"
    if isinstance(value, str):
        return value if len(value) <= 200 else value[:199] + "…"
    return f"{value:.8g}" if isinstance(value, float) else str(value)


# ---- notebooks

def _cell(value: Any, kind: Any = None) -> str:
    if value is None:
        return "–"
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (complex, np.complexfloating)):
        if not np.isfinite(value):
            return "∞"
        sign = "−" if value.imag < 0 else "+"
        return _cell(value.real) + (f" {sign} {_cell(abs(value.imag))}j" if value.imag else "")
    if isinstance(value, (float, np.floating)):
        return "–" if math.isnan(value) else f"{value + 0.0:.6g}".replace("-", "−").replace("inf", "∞")
    if isinstance(value, str):
        if kind is Formula and not REAL.fullmatch(value):
            return f"$\\displaystyle {_html.escape(Formula._of(value).latex())}$"
        return _html.escape(value).replace("-", "−") if REAL.fullmatch(value) else _html.escape(value)
    if isinstance(value, np.ndarray):
        return f"{' × '.join(map(str, value.shape))} numbers" if value.size > _ROWS else ", ".join(
            _cell(entry, kind) for entry in value.ravel().tolist())
    if isinstance(value, list):
        return ", ".join(_cell(entry, kind) for entry in value[:_ROWS]) + (" …" if len(value) > _ROWS else "")
    if isinstance(value, dict):
        return "; ".join(f"{_html.escape(str(name))}: {_cell(entry, kind)}" for name, entry in list(value.items())[:_ROWS])
    return _html.escape(str(value))


def _table(head: "list[str]", rows: "list[list[str]]", caption: str = "") -> str:
    said = f"<caption>{_html.escape(caption)}</caption>" if caption else ""
    top = "<thead><tr>" + "".join(f"<th>{_html.escape(name)}</th>" for name in head) + "</tr></thead>" if head else ""
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows[:_ROWS * 4])
    more = f"<tr><td>… {len(rows) - _ROWS * 4} more</td></tr>" if len(rows) > _ROWS * 4 else ""
    return f"<table>{said}{top}<tbody>{body}{more}</tbody></table>"


def _kinds(answer: Any) -> "dict[str, Any]":
    from ._result import _Field

    return {of.key: of.kind for of in vars(type(answer)).values() if isinstance(of, _Field)}


def _table_of_entries(name: str, entries: "list[Any]") -> str:
    head = list(dict.fromkeys(key for entry in entries for key in entry))
    kinds = _kinds(entries[0])
    return _table(head, [[_cell(entry.get(key), kinds.get(key)) for key in head] for entry in entries], name)


def html(answer: "Answer") -> str:
    """Tables: of the single fields, of every list of entries, of rows. Answers with curves begin with their picture."""
    from ._result import Answer

    kinds, single, tables = _kinds(answer), [], []
    for key, value in answer.items():
        if key == "schema":
            continue
        if isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
            tables.append(_table_of_entries(key, value))
        elif isinstance(value, list) and value and all(isinstance(entry, (list, np.ndarray)) for entry in value):
            tables.append(_table([], [[_cell(part, kinds.get(key) and Formula) for part in row] for row in value], key))
        elif isinstance(value, Answer):
            tables.append(_table([], [[_html.escape(name), _cell(entry, _kinds(value).get(name))] for name, entry in value.items()], key))
        else:
            single.append([_html.escape(key), _cell(value, kinds.get(key))])
    drawn = svg(answer) or "" if _has_curves(answer) else ""
    return drawn + (_table([], single, type(answer).__name__) if single else "") + "".join(tables)


def _has_curves(answer: "Answer") -> bool:
    return any(isinstance(answer.get(key), np.ndarray) for key in ("frequency", "time", "branches"))


def roots_html(roots: np.ndarray) -> str:
    rows = [[_cell(complex(root)), _cell(abs(root)), _cell(-root.real / abs(root) if root else 0.0)] for root in roots.ravel()]
    return _table(["rad/s", "frequency", "damping"], rows)


# ---- pandas

def dataframe(answer: "Answer", of: Optional[str]) -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("to_dataframe() needs pandas, which is not installed: pip install pandas, or python3-pandas of the "
                          "distribution; to_dict() does without") from None
    found = _frames(answer)
    if of is not None and of not in found:
        raise wrong(f"the answer has no table {of!r}", "it has " + ", ".join(found) if found else "it has none")
    if not found:
        return pandas.DataFrame([{key: value for key, value in answer.items() if key != "schema"}])
    columns, index = found[of if of is not None else next(iter(found))]
    made = pandas.DataFrame(columns)
    return made.set_index(index) if index else made


def _frames(answer: "Answer") -> "dict[str, tuple[Any, Any]]":
    """{name: (columns or entries, index)}: curves first, then samples, then lists, the longest first."""
    found: "dict[str, tuple[Any, Any]]" = {}
    base = next((key for key in ("frequency", "time", "values") if isinstance(answer.get(key), np.ndarray)), None)
    if base:
        curves = _curves(answer, base)
        if curves is not None:
            found["curves"] = curves
    if isinstance(answer.get("samples"), dict):
        found["samples"] = (dict(answer["samples"]), None)
    if sum(isinstance(value, float) for value in answer.values()) > 2:
        found["values"] = ([{key: value for key, value in answer.items() if value is None or isinstance(value, (int, float, str))
                             and key != "schema"}], None)
    for key, value in answer.items():
        if isinstance(value, list) and value and all(isinstance(row, list) for row in value):
            found[key] = (value, None)
    lists = {key: value for key, value in answer.items() if isinstance(value, list) and value and isinstance(value[0], dict)
             and not (base and key == "transfers")}
    for key in sorted(lists, key=lambda key: -len(lists[key])):
        found[key] = ([dict(entry) for entry in lists[key]], None)
    return found


def _curves(answer: "Answer", base: str) -> Any:
    axis = answer[base]

    def along(of: "dict[str, Any]") -> "dict[str, Any]":
        return {key: value for key, value in of.items() if isinstance(value, np.ndarray) and value.shape == axis.shape and key != base}

    transfers = answer.get("transfers")
    if isinstance(transfers, list) and transfers:
        parts: "dict[str, list[Any]]" = {}
        for entry in transfers:
            columns = {base: axis, **along(entry)}
            if len(transfers) > 1:
                columns.update(input=[entry.get("input")] * len(axis), output=[entry.get("output")] * len(axis))
            for key, value in columns.items():
                parts.setdefault(key, []).extend(value)
        return parts, ["input", "output", base] if len(transfers) > 1 else base
    if isinstance(answer.get("branches"), np.ndarray):
        return {base: axis, **{str(k + 1): branch for k, branch in enumerate(answer["branches"])}}, base
    columns = {**along(answer), **(along(answer["signals"]) if isinstance(answer.get("signals"), dict) else {})}
    return ({base: axis, **columns}, base) if columns else None


# ---- pictures

def _drawing(answer: "Answer") -> "Optional[tuple[str, dict[str, Any]]]":
    asked = getattr(answer, "_asked", None)
    if asked is None:
        return None
    verb, more = _DRAWN_BY.get(asked.verb, (asked.verb, {}))
    if "theme" not in _core.options(verb) or asked.source is None:
        return None
    return verb, more


def svg(answer: "Answer") -> Optional[str]:
    """The picture of the command, where it draws one."""
    if _drawing(answer) is None:
        return None
    try:
        return str(picture(answer, None, {}))
    except InputError:
        return None


def picture(answer: "Answer", path: "Optional[Union[str, os.PathLike[str]]]", options: "dict[str, Any]") -> "Optional[Picture]":
    from ._result import Picture

    drawing, none = _drawing(answer), f"the command draws no picture of this answer ({type(answer).__name__})"
    if drawing is None:
        raise wrong(none, "Graph.draw() shows the graph")
    asked, (verb, more) = answer._asked, drawing
    keywords = {**{key: value for key, value in asked.keywords.items() if key not in _LISTED}, **more, **options}
    words = _answers.ends(asked.input, asked.output)
    if path is not None:
        _answers.write(asked.source, verb, path, words, keywords, asked.parameters, quiet=True)
        return None
    try:
        return Picture(_answers.written(asked.source, verb, "picture.svg", words, keywords, asked.parameters, quiet=True))
    except InputError as error:
        if "nothing is written as" not in str(error):
            raise
        raise wrong(none, "Graph.draw() shows the graph") from None


def to_be_drawn(answer: "Answer") -> "Answer":
    """The answer that a figure is made of: of margins that of the open loop over frequency."""
    drawing = _drawing(answer)
    if drawing is None or drawing[0] == answer._asked.verb:
        return answer
    asked = answer._asked
    return _answers.ask(asked.source, drawing[0], asked.keywords, asked.input, asked.output, asked.parameters)  # type: ignore[no-any-return]
