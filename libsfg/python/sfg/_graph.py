"""Signal-flow graphs."""
from __future__ import annotations

from types import MappingProxyType
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _answers, _core
from ._analyses import Analyses
from ._answers import Source, limits, source_of_graph
from ._editing import Editing, name_of, unknown
from ._errors import wrong
from ._transfer import Transfer
from ._values import list_of, text_of


def _attribute_of_gains(graph: Any, stated: Optional[str]) -> str:
    """The attribute of the edges of a networkx graph that has their gains."""
    linear = [data for _, _, data in graph.edges(data=True) if "nonlinear" not in data]
    there = {name for data in linear for name in data}
    if stated is not None:
        if linear and stated not in there:
            raise wrong(f"no edge has the attribute {stated!r}", "name the attribute of the gains: gain=NAME")
        return stated
    return next((name for name in ("gain", "label", "weight") if name in there), "gain")


class Graph(Editing, Analyses):
    """A signal-flow graph (Mason 1953): nodes, and branches with gains.

    title: what it is called; input, output: names of signals, one or several (without them the sources and sinks); variable: the
    operator, "s", "p" or, of samples, "z" with sample_time in s; parameters: {name: value}, or {name: {"value", "unit", "tolerance",
    "distribution", "text"}}. Values and gains are exact: a float is its shortest decimal text, 0.1 is 1/10.

    >>> g = Graph(title="loop", input="R", output="C", parameters={"K": 10})
    >>> g.branch("R", "e"); g.branch("e", "C", "K/(s*(s+1))"); g.branch("C", "e", -1)
    >>> str(g.transfer())
    'K/(s^2 + s + K)'
    """

    __slots__ = ("_core", "_stated", "_tables_then", "__weakref__")

    def __init__(self, title: str = "", input: "Union[str, Iterable[str], None]" = None,
                 output: "Union[str, Iterable[str], None]" = None, variable: str = "s",
                 parameters: "Optional[Mapping[str, Any]]" = None, sample_time: Any = None) -> None:
        inputs = [name_of(name, "an input") for name in list_of(input)]
        outputs = [name_of(name, "an output") for name in list_of(output)]
        time = "" if sample_time is None else text_of(sample_time)
        self._set(_core.new_graph(title, inputs, outputs, name_of(variable, "the operator"), time))
        for name, value in (parameters or {}).items():
            if isinstance(value, Mapping):
                self.parameter(name, **value)
            else:
                self.parameter(name, value)

    def _set(self, core: Any, source: Optional[Source] = None) -> None:
        self._core, self._stated, self._tables_then = core, source, None

    @classmethod
    def _of(cls, core: Any, source: Optional[Source] = None) -> "Graph":
        graph = cls.__new__(cls)
        graph._set(core, source)
        return graph

    @classmethod
    def _of_dot(cls, text: str) -> "Graph":
        return cls._of(_core.Graph.of_dot(text))

    def _changed(self) -> None:
        self._stated = self._tables_then = None

    def _source(self) -> Source:
        return self._stated or source_of_graph(self.dot(), self.title)

    def _tables(self) -> "dict[str, Any]":
        if self._tables_then is None:
            self._tables_then = self._core.tables()
        return self._tables_then

    def _parameters(self) -> "set[str]":
        return set(self._tables()["parameters"])

    # ---- what it is

    def copy(self) -> "Graph":
        """The same graph, to be changed by itself."""
        return Graph._of(self._core.copy(), self._stated)

    @property
    def title(self) -> str:
        """What the graph is called."""
        return str(self._tables()["title"])

    @property
    def variable(self) -> str:
        """The operator of the gains: s, p or z."""
        return str(self._tables()["variable"])

    @property
    def nodes(self) -> "list[str]":
        """The signals, in the order in which they were named."""
        return list(self._tables()["nodes"])

    @property
    def branches(self) -> "list[tuple[str, str, str]]":
        """(tail, head, gain) of every branch; of a nonlinear one its law stands for the gain."""
        return [(tail, head, gain or law) for tail, head, gain, law, _ in self._tables()["branches"]]

    @property
    def parameters(self) -> "Mapping[str, Mapping[str, str]]":
        """{name: {"value", "unit", "tolerance", "distribution", "text"}}, what is stated of each, as exact text, to be read:
        parameter() states it."""
        return MappingProxyType({name: MappingProxyType(dict(stated)) for name, stated in self._tables()["parameters"].items()})

    def dot(self) -> str:
        """The graph as DOT text, which loads(text, format="dot") reads back."""
        return str(self._core.dot())

    # ---- answers

    def transfer(self, input: Optional[str] = None, output: Optional[str] = None, *, ratio: Optional[str] = None,
                 inject: bool = False, expand: bool = True, time_limit: Optional[float] = None, max_terms: Optional[int] = None,
                 memory_limit: Optional[float] = None) -> Transfer:
        """The transfer function from a signal to another, or to an expression of signals ("x1 - x2").

        From a signal with entering branches: ratio=SOURCE for the ratio of both responses to SOURCE, inject=True for the response
        to a unit signal added there. expand=False leaves the closed form until it is asked for: of large graphs numbers alone
        are quick. time_limit in s.
        """
        bounds = limits(dict(time_limit=time_limit, max_terms=max_terms, memory_limit=memory_limit))
        for name, what in ((input, "the input"), (output, "the output"), (ratio, "the source of a ratio")):
            if name is not None:
                name_of(name, what)
        return Transfer(_core.Transfer(self._core, input or "", output or "", ratio or "", inject, expand, bounds))

    def reduce(self, **options: Any) -> "Graph":
        """The graph that is left when nodes are eliminated, every step checked; without options all but inputs and outputs go.

        eliminate=[names], keep=[names], absorb=[names], absorb_all=True, merge=True, invert=[names], scale={name: factor},
        split=[names], transpose=True. reduction() tells the steps.
        """
        return Graph._of_dot(_answers.written(self._source(), "reduce", "reduced.dot", [], options, self._parameters()))

    def reduction(self, **options: Any) -> "dict[str, Any]":
        """The same step by step: {"steps": [{"kind", "node", "removed", "added", "verified"}], "graph"}; principal=True reduces a
        nonlinear graph to its principal nodes."""
        return self._ask("reduce", options)

    # ---- other libraries

    def to_networkx(self) -> Any:
        """A networkx.MultiDiGraph: its edges have "gain", a str (nonlinear ones "nonlinear" and "arguments"); the graph has
        "title", "variable", "sample_time", "input", "output" and "parameters"."""
        import networkx

        tables = self._tables()
        graph = networkx.MultiDiGraph(title=tables["title"], variable=tables["variable"], sample_time=tables["sample_time"],
                                      input=self.inputs, output=self.outputs,
                                      parameters={name: dict(stated) for name, stated in tables["parameters"].items()})
        graph.add_nodes_from(tables["nodes"])
        for tail, head, gain, law, arguments in tables["branches"]:
            graph.add_edge(tail, head, **({"nonlinear": law, "arguments": arguments, "gain": law} if law else {"gain": gain}))
        return graph

    @classmethod
    def from_networkx(cls, graph: Any, gain: Optional[str] = None, *, title: Optional[str] = None,
                      input: "Union[str, Iterable[str], None]" = None, output: "Union[str, Iterable[str], None]" = None,
                      variable: Optional[str] = None, parameters: "Optional[Mapping[str, Any]]" = None) -> "Graph":
        """A graph of a directed networkx graph. `gain`: the attribute of its edges that has the gain, a str, number or SymPy
        expression; without it the first of "gain", "label" and "weight" that any edge has, as files in GraphML are read. An edge
        without the attribute has the gain 1. Nodes are named by their str; the other keywords overrule attributes of the graph."""
        if not graph.is_directed():
            raise wrong("the graph is not directed", "make a networkx.DiGraph of it")
        names = {node: str(node) for node in graph}
        if len(set(names.values())) < len(names):
            raise wrong("two nodes of the graph have the same name", "rename them (networkx.relabel_nodes)")

        def stated(key: str, given: Any) -> Any:
            return given if given is not None else graph.graph.get(key)

        ends = [[str(name) for name in list_of(stated(key, given))] for key, given in (("input", input), ("output", output))]
        for name in (*ends[0], *ends[1]):
            if name not in names.values():
                raise unknown("node", name, names.values())
        made = cls(stated("title", title) or "", *ends, stated("variable", variable) or "s",
                   stated("parameters", parameters), graph.graph.get("sample_time") or None)
        for node in graph:
            made.node(names[node])
        gain = _attribute_of_gains(graph, gain)
        for tail, head, data in graph.edges(data=True):
            if "nonlinear" in data:
                made.law(names[tail], names[head], data["nonlinear"], data.get("arguments", ()))
            else:
                try:
                    text = text_of(data.get(gain, 1))
                except (TypeError, ValueError) as error:
                    raise wrong(f"the attribute {gain!r} of the edge {names[tail]!r} -> {names[head]!r}: {error}",
                                "give a number or an expression, or name another attribute: gain=NAME") from None
                made.branch(names[tail], names[head], text)
        return made

    @classmethod
    def from_sympy(cls, A: Any, b: Any = None, unknowns: "Sequence[Any]" = (), inputs: "Optional[Sequence[Any]]" = None, *,
                   variable: str = "s", title: str = "", parameters: "Optional[Mapping[str, Any]]" = None) -> "Graph":
        """The graph of the equations A·x = b of SymPy, every equation solved for an unknown of its own.

        A: n × n, b: n entries linear in the inputs, unknowns: n Symbols; or from_sympy([Eq(…), …], unknowns=[…]). inputs: Symbols;
        without them all of b (of equations what they have beside the unknowns), but the operator.
        """
        from ._equations import graph_of_equations

        made = cls(title, variable=variable, parameters=parameters)
        graph_of_equations(made, A, b, unknowns, inputs)
        return made

    # ---- Python

    def __eq__(self, other: object) -> bool:
        return self.dot() == other.dot() if isinstance(other, Graph) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> "tuple[Any, ...]":
        return _unpickled, (self.dot(), self._stated)

    def __copy__(self) -> "Graph":
        return self.copy()

    def __deepcopy__(self, memo: Any) -> "Graph":
        return self.copy()

    def __repr__(self) -> str:
        tables = self._tables()
        named = f" {tables['title']!r}" if tables["title"] else ""
        return f"<sfg.Graph{named}: {len(tables['nodes'])} nodes, {len(tables['branches'])} branches>"


def _unpickled(dot: str, source: Optional[Source]) -> Graph:
    return Graph._of(_core.Graph.of_dot(dot), source and Source(*source))
