"""Models that a graph is derived from, and the readers of files."""
from __future__ import annotations

import os
import pathlib
from typing import Any, Mapping, Optional, Union

from . import _answers, _core, results
from ._analyses import Analyses
from ._answers import Source, ends
from ._errors import OF_A_TEXT, warn, wrong
from ._graph import Graph
from ._transfer import Transfer


class Model(Analyses):
    """A model that a signal-flow graph is derived from: energies, bodies and joints, networks, matrices, circuits.

    Made by read() and loads(); it keeps the text that it was read from, and has the methods of its graph, too.
    """

    __slots__ = ("_stated", "_derived", "__weakref__")

    def __init__(self, text: str, format: str = "toml") -> None:
        made = loads(text, format)
        if not isinstance(made, Model):
            raise TypeError("the text is that of a graph: loads() gives it")
        self._set(made._stated)

    def _set(self, source: Source) -> None:
        self._stated = source
        self._derived: Optional[Graph] = None

    @classmethod
    def _of(cls, source: Source) -> "Model":
        model = cls.__new__(cls)
        model._set(source)
        return model

    def _source(self) -> Source:
        return self._stated

    @property
    def text(self) -> str:
        """The text of the model."""
        return self._stated.text

    @property
    def format(self) -> str:
        """The format of the text: "toml", "m", "spice" …"""
        return self._stated.format

    def equations(self, **options: Any) -> "dict[str, str]":
        """The equations, each solved for its own coordinate: {coordinate: expression}."""
        return dict(self.derive(**options)["equations"])

    def graph(self, input: Any = None, output: Any = None, **options: Any) -> Graph:
        """The signal-flow graph of the equations. layout="merged" has no summing nodes apart, numbers=True the stated values;
        output may be any signal, an expression of signals too ("x1 - x2", "Dx", "v(out)")."""
        if input is None and output is None and not options:
            if self._derived is None:
                self._derived = self._graph([], {})
            return self._derived.copy()
        return self._graph(ends(input, output), options)

    def _graph(self, words: "list[str]", options: "dict[str, Any]") -> Graph:
        return Graph._of_dot(_answers.text_from(self._stated, ["graph", "--as=dot", *words], options))

    def transfer(self, input: Optional[str] = None, output: Optional[str] = None, *, ratio: Optional[str] = None,
                 inject: bool = False, expand: bool = True, time_limit: Optional[float] = None, max_terms: Optional[int] = None,
                 memory_limit: Optional[float] = None) -> Transfer:
        """The transfer function from an input to a signal, as Graph.transfer()."""
        bounds = dict(time_limit=time_limit, max_terms=max_terms, memory_limit=memory_limit)
        graph = self.graph() if input is None and output is None else self._graph(ends(input, output), bounds)
        return graph.transfer(input, output, ratio=ratio, inject=inject, expand=expand, **bounds)

    def reduce(self, **options: Any) -> Graph:
        """The graph that is left when nodes are eliminated, as Graph.reduce()."""
        return self.graph().reduce(**options)

    def reduction(self, **options: Any) -> "results.Reduce":
        """The same step by step, as Graph.reduction()."""
        return self._ask("reduce", options)  # type: ignore[no-any-return]

    def dot(self) -> str:
        """The graph as DOT text."""
        return self.graph().dot()

    def to_networkx(self) -> Any:
        """The graph as a networkx.MultiDiGraph, as Graph.to_networkx()."""
        return self.graph().to_networkx()

    @property
    def title(self) -> str:
        """What the model is called."""
        return self.graph().title

    @property
    def variable(self) -> str:
        """The operator: s, p or z."""
        return self.graph().variable

    @property
    def inputs(self) -> "list[str]":
        """The inputs of the graph, as stated."""
        return self.graph().inputs

    @property
    def outputs(self) -> "list[str]":
        """The outputs of the graph, as stated."""
        return self.graph().outputs

    @property
    def nodes(self) -> "list[str]":
        """The signals of the graph."""
        return self.graph().nodes

    @property
    def branches(self) -> "list[tuple[str, str, str]]":
        """(tail, head, gain) of every branch of the graph."""
        return self.graph().branches

    @property
    def parameters(self) -> "Mapping[str, Mapping[str, str]]":
        """{name: {"value", "unit", "tolerance", "distribution", "text"}} of the graph, to be read."""
        return self.graph().parameters

    def __eq__(self, other: object) -> bool:
        return self.dot() == other.dot() if isinstance(other, Model) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> "tuple[Any, ...]":
        return _unpickled, tuple(self._stated)

    def __repr__(self) -> str:
        name = self._stated.name if self._stated.name != OF_A_TEXT else f"{len(self.text)} characters of {self.format}"
        return f"<sfg.Model: {name}>"


def _unpickled(*source: Any) -> Model:
    return Model._of(Source(*source))


_FORMATS = {".dot": "dot", ".gv": "dot", ".toml": "toml", ".m": "m", ".txt": "m", ".json": "json", ".cir": "spice", ".sp": "spice",
            ".net": "spice", ".ckt": "spice", ".yml": "yaml"}


def read(path: "Union[str, os.PathLike[str]]", format: Optional[str] = None, *,
         operating_point: "Optional[Union[str, os.PathLike[str]]]" = None) -> "Union[Graph, Model]":
    """Reads a file: a Graph (DOT, a TOML file with [graph] …), or a Model that one is derived from (other TOML, a Lagrange script, a
    circuit). format: "dot", "toml", "m", "json", "spice", "csv", "graphml" and others, where the name of the file does not tell it.
    operating_point: the file in which ngspice says the small-signal values of a netlist's devices M, Q, D, J.

    Raises InputError with the place of the first problem; its `problems` are all of them.
    """
    name = os.fspath(path)
    word = _answers._as_word(name)
    core, notes = _core.read(["graph", word, *([f"--format={format}"] if format else []),
                              *_answers.operating_point_words(operating_point)], None)
    warn(notes)
    try:
        text = pathlib.Path(name).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise wrong(f"{name}: {error}", "save the file as UTF-8") from None
    kind = format or _FORMATS.get(pathlib.Path(name).suffix.lower(), pathlib.Path(name).suffix.lower().lstrip("."))
    source = Source(text, kind, name, name, operating_point=None if operating_point is None else os.fspath(operating_point))
    return Model._of(source) if core is None else Graph._of(core, None if kind == "dot" else source)


def loads(text: str, format: str = "dot", name: Optional[str] = None, *,
          operating_point: "Optional[Union[str, os.PathLike[str]]]" = None) -> "Union[Graph, Model]":
    """Reads a text as read() reads a file. `name` stands for the file in messages."""
    if not isinstance(text, str):
        raise TypeError(f"a text is meant, not {text!r}")
    source = Source(text, format, name or OF_A_TEXT,
                    operating_point=None if operating_point is None else os.fspath(operating_point))
    core, notes = _core.read(["graph", "-", f"--format={format}", *_answers.operating_point_words(operating_point)],
                             (text, source.name))
    warn(notes)
    return Model._of(source) if core is None else Graph._of(core, None if format == "dot" else source)


def exercise(**options: Any) -> "results.Exercise":
    """A random graph to be solved by Mason's rule: nodes=, loops=, nontouching=, paths=, gains=, seed=, solution=True."""
    return _answers.ask(None, "exercise", options)  # type: ignore[no-any-return]


def routh(polynomial: Any, parameter: Optional[str] = None, **options: Any) -> "results.Routh":
    """Routh's array of a polynomial, "s^3 + 3*s^2 + 2*s + K"; parameter="K" adds the ranges of K in which it is stable."""
    return _answers.ask(None, "routh", {"polynomial": polynomial, "in_": parameter, **options})  # type: ignore[no-any-return]
