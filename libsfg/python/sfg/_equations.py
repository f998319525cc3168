"""Linear equations as a graph: written in Python, or those of SymPy."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence

from ._errors import wrong
from ._formula import Formula
from ._values import is_sympy, text_of

if TYPE_CHECKING:
    from ._graph import Graph


class Coefficient:
    """A gain in an equation: + - * / and ** of coefficients and numbers give coefficients, times a signal what it brings."""

    __slots__ = ("text",)
    __array_ufunc__ = None  # numbers of NumPy leave the operation to us

    def __init__(self, text: str):
        self.text = text

    def _with(self, sign: str, other: Any, reversed: bool = False) -> Any:
        if isinstance(other, Sum) or not _is_coefficient(other):
            return NotImplemented
        first, second = (_text(other), self.text) if reversed else (self.text, _text(other))
        return Coefficient(f"({first}){sign}({second})")

    def __add__(self, other: Any) -> Any: return self._with("+", other)
    def __radd__(self, other: Any) -> Any: return self._with("+", other, True)
    def __sub__(self, other: Any) -> Any: return self._with("-", other)
    def __rsub__(self, other: Any) -> Any: return self._with("-", other, True)
    def __mul__(self, other: Any) -> Any: return self._with("*", other)
    def __rmul__(self, other: Any) -> Any: return self._with("*", other, True)
    def __truediv__(self, other: Any) -> Any: return self._with("/", other)
    def __rtruediv__(self, other: Any) -> Any: return self._with("/", other, True)
    def __pow__(self, other: Any) -> Any: return self._with("^", other)
    def __neg__(self) -> "Coefficient": return Coefficient(f"-({self.text})")
    def __pos__(self) -> "Coefficient": return self
    def __str__(self) -> str: return self.text
    def __repr__(self) -> str: return self.text

    def __bool__(self) -> bool:
        raise TypeError("a coefficient is neither true nor false")


def _is_coefficient(value: Any) -> bool:
    try:
        _text(value)
    except TypeError:
        return False
    return True


def _text(value: Any) -> str:
    if isinstance(value, str):
        Formula(value)  # a mistake is said of the text as it was written
    return value.text if isinstance(value, Coefficient) else text_of(value)


class Sum:
    """A sum of signals times coefficients; what a signal equals is stated by ==.

    A signal is one, too: of a class of its own Python would let the right side of == state the equation."""

    __slots__ = ("_of", "terms")
    __array_ufunc__ = None

    def __init__(self, of: "Equations", terms: "list[tuple[str, str]]"):
        self._of, self.terms = of, terms

    def _plus(self, other: Any, sign: str = "") -> "Sum":
        if isinstance(other, Sum):
            if other._of is not self._of:
                raise wrong("signals of different equations stand in one", "name the signal here, too: signals('…')")
            return Sum(self._of, self.terms + [(name, f"{sign}({gain})" if sign else gain) for name, gain in other.terms])
        if not _is_coefficient(other):
            raise TypeError(f"no signal: {other!r}")
        if isinstance(other, (str, Coefficient)) or is_sympy(other) or other != 0:  # sum() begins with 0
            raise wrong(f"{_text(other)} stands in the equation without a signal", "multiply it by a signal, an input that is 1")
        return self

    def _times(self, other: Any, form: str) -> "Sum":
        if isinstance(other, Sum):
            raise wrong("a product of signals is not linear", "law() of the graph adds what is not linear")
        if not _is_coefficient(other):
            raise TypeError(f"no coefficient: {other!r}")
        return Sum(self._of, [(name, form.format(_text(other), gain)) for name, gain in self.terms])

    def __add__(self, other: Any) -> "Sum": return self._plus(other)
    def __radd__(self, other: Any) -> "Sum": return self._plus(other)
    def __sub__(self, other: Any) -> "Sum": return self._plus(other, "-")
    def __rsub__(self, other: Any) -> "Sum": return (-self)._plus(other)
    def __mul__(self, other: Any) -> "Sum": return self._times(other, "({0})*({1})")
    def __rmul__(self, other: Any) -> "Sum": return self._times(other, "({0})*({1})")
    def __truediv__(self, other: Any) -> "Sum": return self._times(other, "({1})/({0})")
    def __neg__(self) -> "Sum": return Sum(self._of, [(name, f"-({gain})") for name, gain in self.terms])
    def __pos__(self) -> "Sum": return self
    def __repr__(self) -> str: return " + ".join(f"{gain}*{name}" for name, gain in self.terms)

    def __rtruediv__(self, other: Any) -> "Sum":
        raise wrong("a quotient by signals is not linear", "law() of the graph adds what is not linear")

    def __eq__(self, other: Any) -> None:  # type: ignore[override]
        self._of._states(self, other)  # nothing comes back, which a session would show

    def __ne__(self, other: Any) -> bool:
        raise TypeError("!= states nothing of a signal; == states what it is")

    def __bool__(self) -> bool:
        raise TypeError("a sum of signals is neither true nor false")

    __hash__ = None  # type: ignore[assignment]


class Equations:
    """Equations of signals, from which a graph is made: each says what one signal is.

    title, input, output, variable, parameters and sample_time are those of Graph. signals() and coefficients() name what stands in
    the equations; `signal == sum` states one of them. The graph is there behind the block.

    >>> with Equations(title="servo", input="r", output="y", parameters={"K": 10}) as eq:
    ...     r, e, y = eq.signals("r e y")
    ...     K, s = eq.coefficients("K s")
    ...     e == r - y
    ...     y == K/(s*(s + 1)) * e
    >>> str(eq.graph.transfer())
    'K/(s^2 + s + K)'
    """

    __slots__ = ("_graph", "_signals", "_stated", "_done")

    def __init__(self, title: str = "", input: Any = None, output: Any = None, variable: str = "s", parameters: Any = None,
                 sample_time: Any = None) -> None:
        from ._graph import Graph

        self._graph = Graph(title, input, output, variable, parameters, sample_time)
        self._signals: "dict[str, Sum]" = {}
        self._stated: "dict[str, Sum]" = {}
        self._done = False

    def signals(self, *names: str) -> Any:
        """Signals by their names, signals("r e y") or signals("supply voltage", "y"); one alone for one name."""
        named = _split(names)
        for name in named:
            self._signals.setdefault(name, Sum(self, [(name, "1")]))
        return self._signals[named[0]] if len(named) == 1 else tuple(self._signals[name] for name in named)

    def coefficients(self, *names: str) -> Any:
        """Names that stand in gains, coefficients("K T s"): parameters, and the operator; one alone for one name."""
        named = [Coefficient(name) for name in _split(names)]
        return named[0] if len(named) == 1 else tuple(named)

    @property
    def graph(self) -> "Graph":
        """The graph of the equations, to be had behind the block."""
        if not self._done:
            raise wrong("the graph of equations is made at the end of the block", "ask for it behind 'with sfg.Equations() as …:'")
        return self._graph

    def _states(self, left: Sum, right: Any) -> None:
        if self._done:
            raise wrong("the block of the equations has ended", "state the equation inside of it, or add() to its graph")
        names = {name for name, _ in left.terms}
        if len(names) != 1:
            raise wrong("several signals stand at the left of ==: " + ", ".join(map(repr, sorted(names))), "solve the equation for one of them")
        name = names.pop()
        factor = left.terms[0][1] if len(left.terms) == 1 else " + ".join(f"({gain})" for _, gain in left.terms)
        if name in self._stated:
            raise wrong(f"a second equation for {name!r}", "solve it for another signal")
        total = Sum(self, [])._plus(right)
        self._stated[name] = total if factor == "1" else total._times(factor, "({1})/({0})")

    def __enter__(self) -> "Equations":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is not None:
            return
        for end in (*self._graph.inputs, *self._graph.outputs):
            if end not in self._signals:
                raise wrong(f"no signal {end!r} stands in the equations", "the signals are " + ", ".join(map(repr, self._signals)))
        used = {name for total in self._stated.values() for name, _ in total.terms} | set(self._stated)
        for name in self._signals:
            if name not in used:
                raise wrong(f"the signal {name!r} stands in no equation", "state what it is, or leave it out")
            self._graph.node(name)
        for head, total in self._stated.items():
            for tail, gain in total.terms:
                self._graph.branch(tail, head, gain)
        self._done = True


def _split(names: "tuple[str, ...]") -> "list[str]":
    listed = names[0].replace(",", " ").split() if len(names) == 1 else list(names)
    if not listed:
        raise TypeError("names are missing")
    return listed


def _matching(A: Any) -> "list[int]":
    """An equation for every unknown that has it, by augmenting paths; the diagonal where it does."""
    n = A.rows
    equation_of: "dict[int, int]" = {k: k for k in range(n) if A[k, k] != 0}

    def place(row: int, seen: "set[int]") -> bool:
        for column in range(n):
            if A[row, column] != 0 and column not in seen:
                seen.add(column)
                if column not in equation_of or place(equation_of[column], seen):
                    equation_of[column] = row
                    return True
        return False

    for row in set(range(n)) - set(equation_of.values()):
        if not place(row, set()):
            raise wrong("the equations have no unique solution: not every unknown has an equation of its own",
                        "state as many independent equations as unknowns")
    return [equation_of[column] for column in range(n)]


def graph_of_equations(graph: "Graph", A: Any, b: Any, unknowns: "Sequence[Any]", inputs: "Optional[Sequence[Any]]") -> None:
    """Adds the branches of A·x = b: x_i = Σ_j (B_kj/A_ki) u_j − Σ_{j≠i} (A_kj/A_ki) x_j, where equation k is that of x_i.

    Without b, A lists equations: Eq, or expressions that are 0."""
    import sympy

    unknowns = [sympy.sympify(x) for x in unknowns]
    if b is None:
        try:
            A, b = sympy.linear_eq_to_matrix([sympy.sympify(equation) for equation in A], unknowns)
        except (ValueError, sympy.SympifyError) as error:
            raise wrong(f"no linear equations in {', '.join(map(str, unknowns))}: {error}", "give Eq(…, …), linear in the unknowns") from None
    A, b = sympy.Matrix(A), sympy.Matrix(b)
    if A.shape != (len(unknowns), len(unknowns)) or b.shape not in ((len(unknowns), 1), (1, len(unknowns))):
        raise wrong(f"A is {A.rows} × {A.cols} and b {b.rows} × {b.cols} for {len(unknowns)} unknowns",
                    "give a square A and an entry of b for each of its rows")
    operator = graph.variable
    given = inputs is not None
    us = [sympy.sympify(u) for u in inputs] if inputs is not None else sorted(
        (u for u in b.free_symbols if u.name != operator), key=lambda u: u.name)
    if set(us) & set(unknowns) or set(unknowns) & (A.free_symbols | b.free_symbols):
        raise wrong("an unknown stands in A, in b or among the inputs", "bring the terms with unknowns into A·x")
    B = b.reshape(len(unknowns), 1).jacobian(us) if us else sympy.zeros(len(unknowns), 0)
    rest = b.reshape(len(unknowns), 1) - (B * sympy.Matrix(us) if us else sympy.zeros(len(unknowns), 1))
    if B.free_symbols & set(us) or any(sympy.simplify(entry) != 0 for entry in rest):
        raise wrong("b is not linear in the inputs " + ", ".join(str(u) for u in us),
                    "name fewer of its symbols as inputs" if given else "name the inputs: inputs=[…]")
    A = A.applyfunc(sympy.sympify)
    for u in us:
        graph.node(u.name)
    for x in unknowns:
        graph.node(x.name)
    graph._core.ends([u.name for u in us], [x.name for x in unknowns])
    for i, k in enumerate(_matching(A)):
        for j, u in enumerate(us):
            if B[k, j] != 0:
                graph.branch(u.name, unknowns[i].name, sympy.cancel(B[k, j] / A[k, i]))
        for j, x in enumerate(unknowns):
            if j != i and A[k, j] != 0:
                graph.branch(x.name, unknowns[i].name, sympy.cancel(-A[k, j] / A[k, i]))
    graph._changed()
