"""Transfer functions."""
from __future__ import annotations

from typing import Any, Mapping, Optional, Union, overload

import numpy as np

from . import _core
from ._answers import Source, ask, limits, settings, source_of_graph
from ._errors import warn, wrong
from ._values import frequencies_text


class Transfer:
    """The transfer function from one signal of a graph to another; it is made by Graph.transfer() and keeps the graph as it was.

    Parameters keep their names in closed forms; numbers take the stated values, and those of the call: t(1j, K=2). Values are exact:
    a float is its shortest decimal text. time_limit= (s), max_terms= and memory_limit= (MiB) bound the work of a call.
    """

    __slots__ = ("_core", "_graph", "_found", "_ends", "__weakref__")  # an attribute that nothing reads is refused

    def __init__(self, core: Any):
        self._core = core
        self._graph: Optional[Source] = None
        self._found: "dict[str, Any]" = {}
        self._ends: "tuple[str, str]" = tuple(core.ends())

    @property
    def input(self) -> str:
        """The signal that the transfer function is from."""
        return self._ends[0]

    @property
    def output(self) -> str:
        """The signal that it is to."""
        return self._ends[1]

    def _of_graph(self) -> Source:
        if self._graph is None:
            self._graph = source_of_graph(self._core.dot(), self._core.title())
        return self._graph

    def _once(self, what: str, *arguments: Any) -> Any:
        if what not in self._found:
            self._found[what] = getattr(self._core, what)(*arguments)
        return self._found[what]

    # ---- the closed form

    def __str__(self) -> str:
        return str(self._once("text", _core.Limits()))

    def __repr__(self) -> str:
        return f"<sfg.Transfer from {self.input!r} to {self.output!r}>"

    @property
    def variable(self) -> str:
        """The operator: s, p or, of samples, z."""
        return str(self._once("variable"))

    @property
    def numerator(self) -> "list[str]":
        """Coefficients of the numerator in lowest terms, highest power of the operator first: exact expressions of the parameters."""
        return list(self._once("coefficients", _core.Limits())[0])

    @property
    def denominator(self) -> "list[str]":
        """Coefficients of the denominator in lowest terms, highest power first: exact expressions of the parameters."""
        return list(self._once("coefficients", _core.Limits())[1])

    def latex(self, **bounds: Any) -> str:
        """The closed form in LaTeX, without dollars."""
        return str(self._core.latex(_bounds(bounds)))

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    # ---- numbers

    def __call__(self, s: Any, **values: Any) -> Any:
        """The value at a point of the operator: a complex number; of an ndarray of points an ndarray of the same shape."""
        limit = limits(values)
        points = np.asarray(s, dtype=complex)
        found = self._core.at(points, settings(values), limit)
        return found if isinstance(s, np.ndarray) and s.ndim else complex(found) if points.ndim == 0 else found

    def at(self, w: Any, **values: Any) -> np.ndarray:
        """The frequency response at w in rad/s (an array of any shape; of a system in z at e^(jwh)): a complex ndarray of its shape.

        Correct to about 11 digits wherever bounds of the rounding errors show less in double precision.
        """
        limit = limits(values)
        return self._core.over(np.asarray(w, dtype=float), settings(values), limit)  # type: ignore[no-any-return]

    def _one(self, verb: str, options: "dict[str, Any]") -> "dict[str, Any]":
        known = _core.options(verb)
        values = {name: options.pop(name) for name in list(options) if name not in ("set", *_BOUNDS) and
                  name.rstrip("_").replace("_", "-") not in known}
        options["set"] = {**values, **(options.get("set") or {})}
        return ask(self._of_graph(), verb, {**options, **self._mode()}, self.input, self.output)

    def _mode(self) -> "dict[str, Any]":
        reference, inject = self._once("mode")
        return {"ratio": reference or None, "inject": inject}

    def poles(self, **values: Any) -> np.ndarray:
        """The poles, those of the transfer function in lowest terms, multiple ones repeated, rad/s: a complex ndarray, shape (n,)."""
        return np.asarray(self._one("poles", values)["poles"], dtype=complex)

    def zeros(self, **values: Any) -> np.ndarray:
        """The zeros, multiple ones repeated, rad/s: a complex ndarray, shape (n,)."""
        return np.asarray(self._one("poles", values)["zeros"], dtype=complex)

    def modes(self, **options: Any) -> "dict[str, Any]":
        """{"poles", "zeros", "gain", "dc_gain", "modes": [{"pole", "frequency" in rad/s, "damping", "time_constant" in s}], …}."""
        return self._one("poles", options)

    def bode(self, w: Any = None, **options: Any) -> "dict[str, Any]":
        """Magnitude and phase at w in rad/s (an array; without it chosen from the poles and zeros).

        {"frequency": float ndarray, shape (n,), "value": complex, "magnitude_db" in dB, "phase_deg": degrees, continuous,
        "group_delay" in s}, all of that shape.
        """
        answer = self._one("bode", {"freq": None if w is None else frequencies_text(w), **options})
        if "sweep" in answer:
            return answer
        return {"frequency": answer["frequency"], **answer["transfers"][0]}

    def step(self, times: Any, *, pade: int = 0, **values: Any) -> np.ndarray:
        """The response to a unit step at times in s (an array, in any order; at 0 the limit from the right): a float ndarray of its
        shape. Of a system in z times are multiples of the sample time. pade: the order of an approximant of dead time inside a loop,
        where the exact response is too long."""
        return self._response(False, times, pade, values)

    def impulse(self, times: Any, *, pade: int = 0, **values: Any) -> np.ndarray:
        """The response to a unit impulse at times in s (an array; impulses at 0 are not in it): a float ndarray of its shape."""
        return self._response(True, times, pade, values)

    def _response(self, impulse: bool, times: Any, pade: int, values: "dict[str, Any]") -> np.ndarray:
        limit = limits(values)
        given = np.asarray(times, dtype=float)
        if not np.all(np.isfinite(given)):
            raise wrong("times have to be finite numbers, s")
        order = np.argsort(given, axis=None, kind="stable")
        found, notes = self._core.response(impulse, given.ravel()[order], settings(values), pade, limit)
        warn(notes)
        samples = np.empty(given.size)
        samples[order] = found
        return samples.reshape(given.shape)

    def margins(self, **options: Any) -> "dict[str, Any]":
        """Margins of the transfer function as the open loop of a negative unity feedback: {"gain_margin_db" in dB,
        "phase_margin_deg" in degrees, "modulus_margin", "delay_margin" in s, "disk", "type", "error_constants", "gain_crossovers",
        "phase_crossovers" in rad/s}."""
        return self._one("margins", options)

    def sens(self, parameter: str, **options: Any) -> "dict[str, Any]":
        """The sensitivity to a parameter k in closed form: {"name", "derivative": dT/dk, "bode": (k/T)·dT/dk}, as text."""
        answer = self._one("sens", {"wrt": parameter, **options})
        return dict(answer["parameters"][0])

    def sens_at(self, w: Any, **options: Any) -> "dict[str, dict[str, np.ndarray]]":
        """Sensitivities to every parameter with a value at w in rad/s: {name: {"dT": dT/dk, "S": (k/T)·dT/dk, complex ndarrays,
        "magnitude": d|T|/dk, "phase": d arg T/dk in rad}}, each of shape (n,)."""
        values = self._one("sens", {"freq": frequencies_text(w), **options})["values"]
        found: "dict[str, dict[str, Any]]" = {}
        for entry in values:
            of = found.setdefault(entry["parameter"], {"dT": [], "S": [], "magnitude": [], "phase": []})
            for name in of:
                of[name].append(entry[name])
        kinds = {"dT": complex, "S": complex}
        return {name: {key: np.array([np.nan if x is None else x for x in column], dtype=kinds.get(key, float))
                       for key, column in of.items()} for name, of in found.items()}

    # ---- other libraries

    def _fraction(self, values: "dict[str, Any]") -> "tuple[list[float], list[float]]":
        answer = self._one("tf", {"form": "numeric", **values})["transfers"][0]
        return [float(x) for x in answer["num"]] or [0.0], [float(x) for x in answer["den"]]

    def to_sympy(self, **values: Any) -> Any:
        """The closed form as an expression of SymPy, of plain Symbols and Rationals."""
        from ._expressions import sympy_of

        given = {**values, **(values.pop("set", None) or {})}
        given.pop("set", None)
        return sympy_of(str(self), {name: sympy_of(text) for name, text in
                                    (setting.split("=", 1) for setting in settings(given))})

    def to_scipy(self, **values: Any) -> Any:
        """A scipy.signal.TransferFunction with the stated values (and those of the call), each coefficient rounded once; of a system
        in z with dt, s."""
        import scipy.signal

        num, den = self._fraction(values)
        period = self._once("period")
        return scipy.signal.TransferFunction(num, den) if period is None else scipy.signal.TransferFunction(num, den, dt=period)

    def to_control(self, **values: Any) -> Any:
        """A control.TransferFunction (python-control) with the stated values and those of the call; of a system in z with dt, s."""
        import control

        num, den = self._fraction(values)
        period = self._once("period")
        return control.TransferFunction(num, den) if period is None else control.TransferFunction(num, den, period)

    # ---- Python

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Transfer):
            return NotImplemented
        return self._core.dot() == other._core.dot() and self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]

    def _key(self) -> "tuple[Any, ...]":
        return (self.input, self.output, *self._once("mode"))

    def __reduce__(self) -> "tuple[Any, ...]":
        return _unpickled, (self._core.dot(), *self._key())


_BOUNDS = ("time_limit", "max_terms", "memory_limit")


def _bounds(keywords: "dict[str, Any]") -> Any:
    limit = limits(keywords)
    if keywords:
        raise TypeError(f"unknown keyword {next(iter(keywords))!r}")
    return limit


def _unpickled(dot: str, input: str, output: str, reference: str, inject: bool) -> Transfer:
    return Transfer(_core.Transfer(_core.Graph.of_dot(dot), input, output, reference, inject, False, _core.Limits()))
