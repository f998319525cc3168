"""What answers are: dicts whose fields are attributes, too, with faces for the interpreter and for notebooks."""
from __future__ import annotations

import os
from fractions import Fraction
from typing import Any, Optional, Union

import numpy as np

from ._errors import wrong
from ._formula import Formula
from ._values import REAL, text_of


class _Field:
    """A field of an answer as an attribute, to be read."""

    def __init__(self, doc: str, kind: Any, key: Optional[str]) -> None:
        self.__doc__, self.kind, self.key = doc, kind, key

    def __set_name__(self, owner: type, name: str) -> None:
        self.key = self.key or name

    def __get__(self, answer: Any, owner: Any = None) -> Any:
        if answer is None:
            return self
        if self.key not in answer:
            raise AttributeError(f"this answer has no {self.key!r}; it has " + ", ".join(map(str, answer)))
        return as_value(answer[self.key], self.kind)

    def __set__(self, answer: Any, value: Any) -> None:
        raise AttributeError(f"an answer is to be read: ask for another instead of setting {self.key!r}")


def field(doc: str, kind: Any = None, key: Optional[str] = None) -> Any:
    """kind: what the texts or dicts in it are: Formula, Fraction, "matrix" or a class of answers, {"": kind} of a dict with any keys;
    a tuple of kinds of a field that is the one or the other."""
    return _Field(doc, kind, key)


def _kind(value: Any, kind: Any) -> Any:
    """That of the value, where there are several."""
    if not isinstance(kind, tuple):
        return kind
    of_dict = [k for k in kind if isinstance(k, dict) or (isinstance(k, type) and issubclass(k, Answer))]
    rest = [k for k in kind if k not in of_dict] or of_dict
    return next(iter(of_dict if isinstance(value, dict) and of_dict else rest))


def as_value(value: Any, kind: Any) -> Any:
    """What an attribute gives for an entry of the dict."""
    kind = _kind(value, kind)
    if isinstance(kind, dict):
        return {name: as_value(entry, kind[""]) for name, entry in value.items()} if isinstance(value, dict) else value
    if kind == "matrix":
        return matrix(value)
    if isinstance(value, list):
        return [as_value(entry, kind) for entry in value]
    if isinstance(value, str) and kind is Formula:
        return Formula._of(value)
    if isinstance(value, str) and kind is Fraction:
        return Fraction(value) if REAL.fullmatch(value) else value
    return value


def matrix(rows: Any) -> Any:
    """Rows of texts as an array: of floats where all are numbers, else of Formulas."""
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return rows
    if all(isinstance(entry, str) and REAL.fullmatch(entry) for row in rows for entry in row):
        return np.array([[float(Fraction(entry)) for entry in row] for row in rows], dtype=float).reshape(
            len(rows), len(rows[0]) if rows else 0)
    found = np.empty((len(rows), len(rows[0]) if rows else 0), dtype=object)
    for i, row in enumerate(rows):
        for k, entry in enumerate(row):
            found[i, k] = Formula._of(text_of(entry))
    return found


class Answer(dict):  # type: ignore[type-arg]
    """An answer: a dict with the fields of the JSON of the verb, which are attributes, too."""

    __slots__ = ("_asked",)
    _asked: Any

    @classmethod
    def _of(cls, data: "dict[str, Any]", asked: Any = None) -> Any:
        """The data, and objects within, as what they are. asked: the question, for pictures of the same."""
        answer = cls()
        kinds = {of.key: of.kind for of in vars(cls).values() if isinstance(of, _Field)}
        for key, value in data.items():
            answer[key] = _classed(value, kinds.get(key))
        object.__setattr__(answer, "_asked", asked)
        return answer

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self:
            return self[name]
        raise AttributeError(f"this answer has no {name!r}; it has " + ", ".join(map(str, self)))

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "_asked":
            raise AttributeError(f"an answer is to be read: ask for another instead of setting {name!r}")
        object.__setattr__(self, name, value)

    def __dir__(self) -> "list[str]":
        absent = {name for name, of in vars(type(self)).items() if isinstance(of, _Field) and of.key not in self}
        return sorted(set(super().__dir__()) - absent)

    def __repr__(self) -> str:
        from ._faces import summary

        return summary(self)

    def _repr_html_(self) -> str:
        from ._faces import html

        return html(self)

    def to_dict(self) -> "dict[str, Any]":
        """The same as plain dicts and lists, with arrays."""
        return _plain(self)  # type: ignore[no-any-return]

    def to_dataframe(self, of: Optional[str] = None) -> Any:
        """A table as a pandas.DataFrame: curves over frequency or time, samples, or the list of the answer; `of` names another of its
        lists, "loops"."""
        from ._faces import dataframe

        return dataframe(self, of)

    def plot(self, path: "Optional[Union[str, os.PathLike[str]]]" = None, **options: Any) -> "Optional[Picture]":
        """The picture that the command draws of it: a Picture, which a notebook shows, or written to a file (.svg .png .pdf by its
        name). Options as of the verb: theme=, width= in mm, title=, …"""
        from ._faces import picture

        return picture(self, path, options)

    def _repr_svg_(self) -> Optional[str]:
        from ._faces import svg

        return svg(self)

    def figure(self) -> Any:
        """The curves, roots or samples as a matplotlib.figure.Figure."""
        from ._figures import figure

        return figure(self)


class Picture(str):
    """An SVG, as text; a notebook shows it."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<sfg.Picture: SVG of {len(self)} characters>"


class FrequencyResponse(Answer):
    """One transfer function over frequency."""

    __slots__ = ()
    input: str = field("the signal that it is from")
    output: str = field("the signal that it is to")
    frequency: "np.ndarray[Any, Any]" = field("rad/s, shape (n,)")
    value: "np.ndarray[Any, Any]" = field("complex values, shape (n,)")
    magnitude_db: "np.ndarray[Any, Any]" = field("dB, shape (n,)")
    phase_deg: "np.ndarray[Any, Any]" = field("degrees, continuous, shape (n,)")
    group_delay: "np.ndarray[Any, Any]" = field("−dφ/dω, s, shape (n,)")


class Roots(np.ndarray):
    """Poles or zeros: a complex array, which a notebook shows as a table with frequencies and damping."""

    __slots__ = ()

    @classmethod
    def _of(cls, roots: Any) -> "Roots":
        return np.asarray(roots, dtype=complex).view(cls)

    def __array_wrap__(self, array: Any, *rest: Any) -> Any:  # what is calculated with them is no list of roots
        return np.asarray(array)[()]

    def __getitem__(self, key: Any) -> Any:
        return np.asarray(self)[key]

    def __repr__(self) -> str:
        return repr(np.asarray(self))

    def _repr_html_(self) -> str:
        from ._faces import roots_html

        return roots_html(np.asarray(self))


def _classed(value: Any, kind: Any) -> Any:
    kind = _kind(value, kind)
    if isinstance(kind, dict):
        return {name: _classed(entry, kind[""]) for name, entry in value.items()} if isinstance(value, dict) else value
    of = kind if isinstance(kind, type) and issubclass(kind, Answer) else None
    if isinstance(value, dict):
        return of._of(value) if of else value
    return [_classed(entry, kind) for entry in value] if of and isinstance(value, list) else value


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    return [_plain(entry) for entry in value] if isinstance(value, list) else value


def answer_of(verb: str, data: "dict[str, Any]", asked: Any) -> Any:
    """The answer of a verb as its class says."""
    from . import results

    kind = getattr(results, "".join(part.capitalize() for part in verb.split("-")), Answer)
    return kind._of(data, asked)


def first_of(answers: Any, what: str, where: str) -> Any:
    if "sweep" in answers:
        raise wrong(f"a sweep has {what} for each of its values", where)
    return answers[what]
