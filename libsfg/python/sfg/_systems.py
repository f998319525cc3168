"""What transfer functions are made of: polynomials, roots, matrices, systems of other libraries; and how parameters go together."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping

import numpy as np

from . import _core
from ._errors import wrong
from ._formula import Formula
from ._values import list_of, text_of

if TYPE_CHECKING:
    from ._transfer import Transfer


def of_expression(text: str, variable: str, sample_time: Any, parameters: "Mapping[str, Any]", input: str, output: str) -> Any:
    """The core's transfer function of a graph with one branch."""
    graph = _graph([input], [output], variable, sample_time, parameters)
    graph.branch(input, output, text)
    return _core.Transfer(graph, input, output, "", False, True, _core.Limits())


def _graph(inputs: "list[str]", outputs: "list[str]", variable: str, sample_time: Any, parameters: "Mapping[str, Any]") -> Any:
    graph = _core.new_graph("", inputs, outputs, variable, "" if sample_time is None else text_of(sample_time))
    for name, stated in parameters.items():
        of = stated if isinstance(stated, Mapping) else {"value": stated}
        unknown = set(of) - {"value", "unit", "tolerance", "distribution", "text"}
        if unknown:
            raise TypeError(f"parameter {name!r}: {sorted(unknown)[0]!r} is none of value, unit, tolerance, distribution and text")
        value = of.get("value")
        graph.state(name, "" if value is None else text_of(value), of.get("unit", ""), text_of(of.get("tolerance", "")),
                    of.get("distribution", ""), of.get("text", ""))
    return graph


# ---- polynomials, roots, matrices

def _coefficients(polynomial: Any) -> "list[Any]":
    if isinstance(polynomial, np.poly1d):
        polynomial = polynomial.coeffs
    listed = [polynomial] if isinstance(polynomial, str) else list_of(polynomial)
    if listed and isinstance(listed[0], (list, tuple, np.ndarray)) and np.ndim(listed[0]):
        raise wrong("a polynomial is one list of coefficients, not a list of lists",
                    "give one transfer function after the other, each of one input and one output")
    if not listed:
        raise wrong("a polynomial has no coefficients", "give them highest power first: [1, 2] is s + 2")
    return [complex(c) if isinstance(c, (complex, np.complexfloating)) else c for c in listed]


def polynomial(coefficients: Any, variable: str) -> str:
    """A text with the coefficients, highest power first; an expression stands for itself."""
    listed = _coefficients(coefficients)
    if any(isinstance(c, complex) and c.imag for c in listed):
        raise wrong("a coefficient is not real", "give real coefficients, or from_zpk() roots in conjugate pairs")
    real = [c.real if isinstance(c, complex) else c for c in listed]
    return " + ".join(f"({text_of(c)})*{variable}^{len(real) - 1 - k}" for k, c in enumerate(real))


def quotient(numerator: Any, denominator: Any, variable: str) -> str:
    divisor = polynomial(denominator, variable)
    if Formula(divisor) == 0:
        raise wrong("the denominator is 0", "give its coefficients highest power first: [1, 2] is s + 2")
    return f"({polynomial(numerator, variable)})/({divisor})"


def product(roots: Any, variable: str) -> str:
    """Π(s − root); complex numbers in conjugate pairs as (s − re)² + im²."""
    listed = list_of(roots)
    rest = [complex(r) for r in listed if isinstance(r, (complex, np.complexfloating)) and complex(r).imag]
    factors = [f"({variable} - ({text_of(r.real if isinstance(r, (complex, np.complexfloating)) else r)}))" for r in listed
               if not (isinstance(r, (complex, np.complexfloating)) and complex(r).imag)]
    while rest:
        root = rest.pop()
        mates = [r for r in rest if abs(r - root.conjugate()) <= 1e-9 * abs(root)]
        if not mates:
            raise wrong(f"the root {root} has no conjugate beside it", "give both of the pair: the coefficients are real")
        rest.remove(min(mates, key=lambda r: abs(r - root.conjugate())))
        factors.append(f"(({variable} - ({text_of(root.real)}))^2 + ({text_of(abs(root.imag))})^2)")
    return "*".join(factors) or "1"


def _matrix(value: Any, rows: int, columns: int, name: str) -> "list[list[Any]]":
    listed = value.tolist() if hasattr(value, "tolist") else value
    if not isinstance(listed, (list, tuple)):
        listed = [[listed] * columns for _ in range(rows)] if isinstance(listed, (int, float)) and not listed else [[listed]]
    elif not listed or not isinstance(listed[0], (list, tuple)):
        listed = [list(listed)] if rows == 1 else [[entry] for entry in listed]
    if len(listed) != rows or any(len(row) != columns for row in listed):
        shape = f"{len(listed)} × {len(listed[0]) if listed else 0}"
        raise wrong(f"{name} is {shape}, and {rows} × {columns} is needed", f"give {name} as rows, and one matrix for each letter")
    return [list(row) for row in listed]


def _shape(value: Any) -> "tuple[int, ...]":
    return tuple(value.shape) if hasattr(value, "shape") else np.shape(np.asarray(value, dtype=object))


def _size(value: Any, axis: int) -> int:
    """Rows or columns of a matrix; a list of numbers is one column, or one row."""
    shape = _shape(value)
    return shape[axis] if len(shape) == 2 else 1


def _place(which: Any, names: "list[str]", what: str) -> int:
    if which is None:
        if len(names) == 1:
            return 0
        raise wrong(f"the system has {len(names)} {what}s", f"say which: {what}=NAME or its place, {what}=0")
    if isinstance(which, str):
        if which not in names:
            raise wrong(f"the system has no {what} {which!r}", "it has " + ", ".join(names))
        return names.index(which)
    if not 0 <= which < len(names):
        raise wrong(f"{what}={which}: the system has {len(names)} {what}s, from 0", f"give one from 0 to {len(names) - 1}")
    return int(which)


def of_state_space(A: Any, B: Any, C: Any, D: Any, input: Any, output: Any, keywords: "Mapping[str, Any]", names: "Any" = None) -> Any:
    """The core's transfer function of a graph with a node for every state and its rate."""
    shape = _shape(A)
    n = 1 if not shape else shape[0] if np.prod(shape) else 0
    ins, outs = names if names else ([], [])
    ins = ins or [f"u{k + 1}" for k in range(_size(B if n else D, 1))]
    outs = outs or [f"y{k + 1}" for k in range(_size(C if n else D, 0))]
    i, o = _place(input, ins, "input"), _place(output, outs, "output")
    a, b = (_matrix(A, n, n, "A"), _matrix(B, n, len(ins), "B")) if n else ([], [])
    c, d = _matrix(C, len(outs), n, "C") if n else [[] for _ in outs], _matrix(D, len(outs), len(ins), "D")
    variable = keywords.get("variable", "s")
    source = keywords.get("input_name") or (names and ins[i]) or "u"
    sink = keywords.get("output_name") or (names and outs[o]) or "y"
    unknown = set(keywords) - {"variable", "sample_time", "parameters", "input_name", "output_name"}
    if unknown:
        raise TypeError(f"unknown keyword {sorted(unknown)[0]!r}")
    graph = _graph([source], [sink], variable, keywords.get("sample_time"), keywords.get("parameters") or {})
    state = [f"x{k + 1}" if f"x{k + 1}" not in (source, sink) else f"x_{k + 1}" for k in range(n)]

    def add(tail: str, head: str, gain: Any) -> None:
        if not (isinstance(gain, (int, float)) and gain == 0):
            graph.branch(tail, head, text_of(gain))

    for k in range(n):
        graph.branch("d" + state[k], state[k], "1/" + variable)
        add(source, "d" + state[k], b[k][i])
        add(state[k], sink, c[o][k])
        for j in range(n):
            add(state[j], "d" + state[k], a[k][j])
    graph.node(source)
    graph.node(sink)
    add(source, sink, d[o][i])
    return _core.Transfer(graph, source, sink, "", False, True, _core.Limits())


# ---- systems of other libraries

def _discrete(period: Any) -> "dict[str, Any]":
    """The operator of a system with that dt: None and 0 are continuous, True a period of 1 s that nobody stated."""
    if period is None or period is False or period == 0:
        return {}
    return {"variable": "z", "sample_time": 1 if period is True else period}


def of_scipy(kind: "type[Transfer]", system: Any, keywords: "dict[str, Any]") -> "Transfer":
    if isinstance(system, tuple):
        if len(system) == 2:
            return kind(system[0], system[1], **keywords)
        if len(system) == 3:
            return kind.from_zpk(*system, **keywords)
        return kind.from_ss(*system[:4], **keywords)
    keywords = {**_discrete(getattr(system, "dt", None)), **keywords}
    if hasattr(system, "num") and hasattr(system, "den"):
        if np.ndim(system.num) > 1 and np.shape(system.num)[0] != 1:
            raise wrong("the system has several outputs", "give from_ss() its matrices and the one that is meant: output=0")
        return kind(np.ravel(system.num), system.den, **keywords)
    if hasattr(system, "gain") and hasattr(system, "zeros") and not hasattr(system, "A"):
        return kind.from_zpk(system.zeros, system.poles, system.gain, **keywords)
    if all(hasattr(system, name) for name in "ABCD"):
        return kind.from_ss(system.A, system.B, system.C, system.D, **keywords)
    raise TypeError(f"no system of scipy.signal: {system!r}")


def of_control(kind: "type[Transfer]", system: Any, input: Any, output: Any, keywords: "dict[str, Any]") -> "Transfer":
    inputs = [str(name) for name in getattr(system, "input_labels", None) or []]
    outputs = [str(name) for name in getattr(system, "output_labels", None) or []]
    stated = {**_discrete(getattr(system, "dt", None)), **keywords}
    if all(hasattr(system, name) for name in "ABCD"):
        return kind(of_state_space(system.A, system.B, system.C, system.D, input, output, stated, (inputs, outputs)))
    if not (hasattr(system, "num") and hasattr(system, "den")):
        raise TypeError(f"neither a TransferFunction nor a StateSpace of python-control: {system!r}")
    inputs = inputs or [f"u{k + 1}" if k else "u" for k in range(len(system.num[0]))]
    outputs = outputs or [f"y{k + 1}" if k else "y" for k in range(len(system.num))]
    i, o = _place(input, inputs, "input"), _place(output, outputs, "output")
    return kind(system.num[o][i], system.den[o][i], input=inputs[i], output=outputs[o], **stated)


# ---- parameters

def needed(text: str, stated: "Mapping[str, Mapping[str, str]]") -> "dict[str, dict[str, str]]":
    """What is stated of the names of a formula, and of those in their values."""
    there: "set[str]" = set()
    new = set(Formula(text).names)
    while new:
        there |= new
        new = {name for each in new if each in stated for name in _names(stated[each].get("value", ""))} - there
    return {name: dict(of) for name, of in stated.items() if name in there}


def _names(value: str) -> "Iterable[str]":
    return Formula._of(value).names if any(letter.isalpha() or letter == "_" for letter in value) else ()


def joined(first: "Mapping[str, dict[str, str]]", second: "Mapping[str, dict[str, str]]") -> "dict[str, dict[str, str]]":
    """The parameters of both: one name is one parameter."""
    for name in set(first) & set(second):
        values = [of[name].get("value") for of in (first, second)]
        if None not in values and values[0] != values[1]:
            raise wrong(f"parameter {name!r} is {values[0]} in one transfer function and {values[1]} in the other",
                        f"put the value in before, subs({name}={values[0]}), or name one anew, subs({name}='{name}2')")
    return {name: {**second.get(name, {}), **first.get(name, {})} for name in {**first, **second}}


def same_operator(first: "Transfer", second: "Transfer") -> bool:
    return (first.variable, first._tables()["sample_time"]) == (second.variable, second._tables()["sample_time"])


def require_same_operator(first: "Transfer", second: "Transfer") -> None:
    if same_operator(first, second):
        return
    said = [f"{t.variable} (sample time {t.sample_time} s)" if t.sample_time else t.variable for t in (first, second)]
    raise wrong(f"one transfer function is in {said[0]}, the other in {said[1]}",
                "give both the same operator and sample time, as by discretize()")


def require_known(given: "Mapping[str, Any]", stated: "Mapping[str, Any]") -> None:
    for name in given:
        if name not in stated:
            raise wrong(f"{name!r} is no parameter of the transfer function",
                        "it has " + ", ".join(stated) if stated else "it has none")


def put_in(stated: "Mapping[str, str]", given: "Mapping[str, Any]") -> "dict[str, str]":
    """What is stated of a parameter whose value may name others."""
    value = stated.get("value", "")
    there = {name: of for name, of in given.items() if name in set(_names(value))}
    return {**stated, "value": str(Formula._of(value).subs(there))} if there else dict(stated)
