"""Transfer functions as values."""
from __future__ import annotations

from typing import Any, Mapping, Optional

import numpy as np

from . import _core, _systems, results
from ._answers import Source, ask, limits, require_parameters, settings, source_of_graph
from ._errors import InputError, warn, wrong
from ._formula import Formula, _replacements
from ._result import FrequencyResponse, Roots, first_of
from ._values import frequencies_text, plain_numbers, points_of, text_of

#: Keywords of a call that are no parameters.
_RESERVED = {"set", "time_limit", "max_terms", "memory_limit"}


class Transfer:
    """A transfer function, exact, as a value: Transfer("K/(s^2 + s + K)", parameters={"K": 10}), Transfer([1], [1, 1]), or one that
    Graph.transfer() gives, which keeps the graph as it was.

    system: an expression (a text, number, Formula, or of SymPy); with a denominator both are polynomials, their coefficients highest
    power first. variable: the operator, "s", "p" or, of samples, "z" with sample_time in s; parameters: as of Graph; input, output:
    what the signals are called. + - * / ** and feedback() give Transfers in lowest terms; parameters of the same name are one.

    Parameters keep their names in closed forms; numbers take the stated values, and those of the call: t(1j, K=2). Values are exact:
    a float is its shortest decimal text. time_limit= (s), max_terms= and memory_limit= (MiB) bound the work of a call.
    """

    __slots__ = ("_core", "_graph", "_found", "_ends", "_programs", "__weakref__")  # an attribute that nothing reads is refused
    __array_ufunc__ = None  # numpy.float64(2)*t is t's

    def __init__(self, system: Any, denominator: Any = None, *, variable: str = "s", sample_time: Any = None,
                 parameters: "Optional[Mapping[str, Any]]" = None, input: str = "u", output: str = "y") -> None:
        if not isinstance(system, _core.Transfer):
            if denominator is not None:
                system = _systems.quotient(system, denominator, variable)
            system = _systems.of_expression(str(Formula(system)), variable, sample_time, parameters or {}, input, output)
        self._core = system
        self._graph: Optional[Source] = None
        self._found: "dict[str, Any]" = {}
        self._programs: "dict[Any, Any]" = {}
        self._ends: "tuple[str, str]" = tuple(system.ends())

    # ---- made from other things

    @classmethod
    def from_zpk(cls, zeros: Any, poles: Any, gain: Any = 1, **keywords: Any) -> "Transfer":
        """gain·Π(s − zero)/Π(s − pole): lists of numbers or expressions, complex ones with their conjugates. Keywords as of Transfer()."""
        variable = keywords.get("variable", "s")
        return cls(f"({text_of(gain)})*({_systems.product(zeros, variable)})/({_systems.product(poles, variable)})", **keywords)

    @classmethod
    def from_ss(cls, A: Any, B: Any, C: Any, D: Any = 0, *, input: Any = None, output: Any = None, **keywords: Any) -> "Transfer":
        """C·(sI − A)⁻¹·B + D: matrices of numbers or expressions, exactly. Of several inputs or outputs `input` and `output` are the
        places, from 0. Keywords as of Transfer()."""
        return cls(_systems.of_state_space(A, B, C, D, input, output, keywords))

    @classmethod
    def from_sympy(cls, expression: Any, variable: Any = "s", **keywords: Any) -> "Transfer":
        """An expression of SymPy in the operator. Keywords as of Transfer()."""
        return cls(expression, variable=text_of(variable), **keywords)

    @classmethod
    def from_scipy(cls, system: Any, **keywords: Any) -> "Transfer":
        """A system of scipy.signal (TransferFunction, ZerosPolesGain, StateSpace), with its dt; or the tuple (num, den), (z, p, k) or
        (A, B, C, D) that scipy.signal takes. Keywords as of Transfer()."""
        return _systems.of_scipy(cls, system, keywords)

    @classmethod
    def from_control(cls, system: Any, *, input: Any = None, output: Any = None, **keywords: Any) -> "Transfer":
        """A TransferFunction or StateSpace of python-control with its dt and the names of its signals; of several inputs or outputs
        `input` and `output` name one, or are its place. Keywords as of Transfer()."""
        return _systems.of_control(cls, system, input, output, keywords)

    # ---- what it is

    @property
    def input(self) -> str:
        """The signal that the transfer function is from."""
        return self._ends[0]

    @property
    def output(self) -> str:
        """The signal that it is to."""
        return self._ends[1]

    @property
    def parameters(self) -> "Mapping[str, Mapping[str, str]]":
        """{name: {"value", "unit", "tolerance", "distribution", "text"}}, what is stated of each parameter, as exact text, to be read."""
        return self._of_parameters()

    @property
    def sample_time(self) -> Optional[float]:
        """The sample time in s of a system in z; None of others."""
        period = self._once("period")
        return None if period is None else float(period)

    @property
    def formula(self) -> Formula:
        """The closed form as an expression."""
        return Formula._of(str(self))

    def graph(self) -> Any:
        """A Graph of it, for every other question: its own, or one branch where it was asked for as a ratio or at a node within."""
        from ._graph import Graph

        if self._once("mode") != ("", False):
            return self._like(str(self)).graph()
        core = self._core.graph()
        core.ends([self.input], [self.output])
        return Graph._of(core)

    def _of_graph(self) -> Source:
        if self._graph is None:
            self._graph = source_of_graph(self._core.dot(), self._core.title())
        return self._graph

    def _once(self, what: str, *arguments: Any) -> Any:
        if what not in self._found:
            self._found[what] = getattr(self._core, what)(*arguments)
        return self._found[what]

    def _tables(self) -> "dict[str, Any]":
        if "tables" not in self._found:
            self._found["tables"] = self._core.graph().tables()
        return self._found["tables"]  # type: ignore[no-any-return]

    def _of_parameters(self) -> "dict[str, dict[str, str]]":
        return {name: dict(stated) for name, stated in self._tables()["parameters"].items()}

    # ---- the closed form

    def __str__(self) -> str:
        return str(self._once("text", _core.Limits()))

    def __repr__(self) -> str:
        name = f"<sfg.Transfer from {self.input!r} to {self.output!r}"
        return f"{name}: {self._found['text']}>" if "text" in self._found or self._small() else name + ">"

    def _small(self) -> bool:
        return len(self._tables()["nodes"]) <= 40 and bool(str(self))

    def _sfg_(self) -> str:
        return str(self)

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

    # ---- as a value

    def _like(self, text: str, parameters: "Optional[Mapping[str, Any]]" = None, input: "Optional[str]" = None,
              output: "Optional[str]" = None) -> "Transfer":
        """One of the same kind with another closed form, and what of the parameters is in it."""
        stated = self._of_parameters() if parameters is None else parameters
        ends = (input or self.input, output or self.output)
        if ends[0] == ends[1]:
            ends = ("u", "y")
        return Transfer(_systems.of_expression(text, self.variable, self._tables()["sample_time"] or None,
                                               _systems.needed(text, stated), *ends))

    def _with(self, other: Any, form: str, input: "Optional[str]" = None, output: "Optional[str]" = None,
              zero: str = "division by zero: the divisor is 0") -> "Transfer":
        """`form` with self for {0} and the other, a Transfer or an expression, for {1}."""
        if not isinstance(other, Transfer):
            try:
                other, stated = Formula(other), None
            except TypeError:
                return NotImplemented  # type: ignore[no-any-return]
        else:
            _systems.require_same_operator(self, other)
            stated = _systems.joined(self._of_parameters(), other._of_parameters())
        try:
            return self._like(form.format(self, other), stated, input, output)
        except InputError as error:
            if "division by zero" in str(error):
                raise wrong(zero) from None  # a place in the text made of both would tell nothing
            raise

    def __add__(self, other: Any) -> "Transfer":
        return self._with(other, "({0})+({1})")

    __radd__ = __add__

    def __sub__(self, other: Any) -> "Transfer":
        return self._with(other, "({0})-({1})")

    def __rsub__(self, other: Any) -> "Transfer":
        return self._with(other, "({1})-({0})")

    def __mul__(self, other: Any) -> "Transfer":
        """self*other: other acts first, then self, as of matrices."""
        return self._with(other, "({0})*({1})", input=other.input if isinstance(other, Transfer) else None)

    def __rmul__(self, other: Any) -> "Transfer":
        return self._with(other, "({0})*({1})")

    def __truediv__(self, other: Any) -> "Transfer":
        return self._with(other, "({0})/({1})")

    def __rtruediv__(self, other: Any) -> "Transfer":
        return self._with(other, "({1})/({0})")

    def __pow__(self, power: Any) -> "Transfer":
        if not isinstance(power, (int, np.integer)) or isinstance(power, bool):
            return NotImplemented
        if power < 0:
            return 1 / self**-power
        return self._like(f"({self})^({int(power)})")

    def __neg__(self) -> "Transfer":
        return self._like(f"-({self})")

    def __pos__(self) -> "Transfer":
        return self

    def series(self, other: Any) -> "Transfer":
        """This one and then the other: other·self."""
        return self._with(other, "({1})*({0})", output=other.output if isinstance(other, Transfer) else None)

    def parallel(self, other: Any) -> "Transfer":
        """The sum of both."""
        return self + other

    def feedback(self, other: Any = 1, sign: int = -1) -> "Transfer":
        """The closed loop self/(1 − sign·self·other): the other in the way back, negative feedback without sign=1."""
        if sign not in (-1, 1):
            raise ValueError(f"sign={sign}: -1 for negative feedback, 1 for positive")
        return self._with(other, "({0})/(1" + ("+" if sign < 0 else "-") + "({0})*({1}))",
                          zero="the loop has no transfer function: 1 - sign*self*other is 0")

    def subs(self, names: Any = None, value: Any = None, **values: Any) -> "Transfer":
        """The transfer function with values, or expressions, put in for parameters, exactly: subs(K=2), subs("K", "a + b"),
        subs({"K": 2}). They are parameters no longer."""
        given = _replacements(names, value, values)
        if not given:
            return self
        if self.variable in given:
            raise wrong(f"{self.variable} is the operator of the transfer function, no parameter", "t(1j) gives its value there")
        stated, texts = self._of_parameters(), settings({"set": given})
        _systems.require_known(given, stated)
        there = [text for text in texts if text.split("=", 1)[0] in Formula._of(str(self)).names]
        left = {name: _systems.put_in(of, given) for name, of in stated.items() if name not in given}
        return self._like(str(_core.formula_subs(str(self), there)) if there else str(self), left)

    # ---- numbers

    def __call__(self, s: Any, **values: Any) -> Any:
        """The value at a point of the operator, with values of parameters: a complex number. Arrays of points and of values
        broadcast, t(1j*w, K=[1, 2]): a complex ndarray of their common shape.

        Correct to about 11 digits wherever bounds of the rounding errors show less in double precision. The program for it is made
        once for the parameters that are named; then a value takes less than a microsecond.
        """
        program = self._programs.get((*values,))
        if program is not None:
            value = program.one(s, (*values.values(),))
            if value is not None:
                return value
        found = self._values(points_of("s", s, complex), values)
        return found if found.ndim else complex(found)

    def _values(self, points: np.ndarray, values: "dict[str, Any]") -> np.ndarray:
        limit = limits(values)
        given = {**{name: value for name, value in values.items() if name != "set"}, **(values.get("set") or {})}
        free, fixed = {}, {}
        for name, value in given.items():
            numbers = plain_numbers(name, value)
            if numbers is None:
                fixed[name] = value
            else:
                free[name] = numbers
        program = self._program(tuple(free), tuple(settings({"set": fixed})), limit)
        shape = np.broadcast_shapes(points.shape, *(numbers.shape for numbers in free.values()))
        flat = [numbers.reshape(-1) if numbers.size == 1 or numbers.shape == shape else np.broadcast_to(numbers, shape).reshape(-1)
                for numbers in (points, *free.values())]
        return program.many(flat[0], flat[1:], shape, limit)  # type: ignore[no-any-return]

    def _program(self, free: "tuple[str, ...]", fixed: "tuple[str, ...]", limit: Any) -> Any:
        key = free if not fixed and not _RESERVED & set(free) else (free, fixed)
        if key not in self._programs:
            if len(self._programs) == 64:
                self._programs.pop(next(iter(self._programs)))
            self._programs[key] = self._core.evaluation(list(free), list(fixed), limit)
        return self._programs[key]

    def at(self, freq: Any, **values: Any) -> np.ndarray:
        """The frequency response at freq in rad/s (an array of any shape; of a system in z at e^(jwh)), with values of parameters,
        which broadcast: a complex ndarray of the common shape. As correct as t(s)."""
        w = points_of("freq", freq, float)
        period = self._once("period")
        return self._values(1j * w if period is None else np.exp(1j * w * period), values)

    def dcgain(self, **values: Any) -> float:
        """The gain at rest, the limit of the value at s = 0 (of a system in z at z = 1); inf of an integrator."""
        value = complex(self(0 if self._once("period") is None else 1, **values))
        return value.real if np.isfinite(value) else np.inf

    def _one(self, verb: str, options: "dict[str, Any]") -> Any:
        known = _core.options(verb)
        values = {name: options.pop(name) for name in list(options) if name not in ("set", *_BOUNDS) and
                  name.rstrip("_").replace("_", "-") not in known}
        require_parameters(verb, values, self._of_parameters())
        options["set"] = {**values, **(options.get("set") or {})}
        return ask(self._of_graph(), verb, {**options, **self._mode()}, self.input, self.output)

    def _mode(self) -> "dict[str, Any]":
        reference, inject = self._once("mode")
        return {"ratio": reference or None, "inject": inject}

    def poles(self, **values: Any) -> Roots:
        """The poles, those of the transfer function in lowest terms, multiple ones repeated, rad/s: a complex ndarray, shape (n,)."""
        return Roots._of(first_of(self._one("poles", values), "poles", "ask modes() for it"))

    def zeros(self, **values: Any) -> Roots:
        """The zeros, multiple ones repeated, rad/s: a complex ndarray, shape (n,)."""
        return Roots._of(first_of(self._one("poles", values), "zeros", "ask modes() for it"))

    def modes(self, **options: Any) -> "results.Poles":
        """{"poles", "zeros", "gain", "dc_gain", "modes": [{"pole", "frequency" in rad/s, "damping", "time_constant" in s}], …}."""
        return self._one("poles", options)

    def bode(self, freq: Any = None, **options: Any) -> Any:
        """Magnitude and phase at freq in rad/s (an array; without it chosen from the poles and zeros).

        {"frequency": float ndarray, shape (n,), "value": complex, "magnitude_db" in dB, "phase_deg": degrees, continuous,
        "group_delay" in s}, all of that shape.
        """
        answer = self._one("bode", {"freq": None if freq is None else frequencies_text(freq), **options})
        if "sweep" in answer:
            return answer
        return FrequencyResponse._of({"frequency": answer["frequency"], **answer["transfers"][0]}, answer._asked)

    def step(self, times: Any = None, *, until: Any = None, points: Any = None, pade: int = 0, **values: Any) -> Any:
        """The response to a unit step at times in s (an array, in any order; at 0 the limit from the right): a float ndarray of its
        shape. Of a system in z times are multiples of the sample time. pade: the order of an approximant of dead time inside a loop,
        where the exact response is too long. Without times the answer of Graph.step(), with "time" and "signals", to until= in s."""
        return self._response("step", times, until, points, pade, values)

    def impulse(self, times: Any = None, *, until: Any = None, points: Any = None, pade: int = 0, **values: Any) -> Any:
        """The response to a unit impulse at times in s (an array; impulses at 0 are not in it): a float ndarray of its shape. Without
        times the answer of Graph.impulse()."""
        return self._response("impulse", times, until, points, pade, values)

    def _response(self, verb: str, times: Any, until: Any, points: Any, pade: int, values: "dict[str, Any]") -> Any:
        if times is None:
            return self._one(verb, {"until": until, "points": points, "pade": pade or None, **values})
        if until is not None or points is not None:
            raise wrong("until= and points= say when, and so do times", "give one of them")
        limit = limits(values)
        given = points_of("times", times, float)
        if not np.all(np.isfinite(given)):
            raise wrong("times have to be finite numbers, s")
        order = np.argsort(given, axis=None, kind="stable")
        found, notes = self._core.response(verb == "impulse", given.ravel()[order], settings(values), pade, limit)
        warn(notes)
        samples = np.empty(given.size)
        samples[order] = found
        return samples.reshape(given.shape)

    def margins(self, **options: Any) -> "results.Margins":
        """Margins of the transfer function as the open loop of a negative unity feedback: {"gain_margin_db" in dB,
        "phase_margin_deg" in degrees, "modulus_margin", "delay_margin" in s, "disk", "type", "error_constants", "gain_crossovers",
        "phase_crossovers" in rad/s}."""
        return self._one("margins", options)

    def nyquist(self, freq: Any = None, **options: Any) -> "results.Nyquist":
        """The frequency response for the complex plane, over freq in rad/s, as Graph.nyquist()."""
        return self._one("nyquist", {"freq": None if freq is None else frequencies_text(freq), **options})

    def nichols(self, freq: Any = None, **options: Any) -> "results.Nichols":
        """Magnitude (dB) over phase (degrees), over freq in rad/s, as Graph.nichols()."""
        return self._one("nichols", {"freq": None if freq is None else frequencies_text(freq), **options})

    def sens(self, wrt: str, **options: Any) -> "results.SensParameter":
        """The sensitivity to a parameter k in closed form: {"name", "derivative": dT/dk, "bode": (k/T)·dT/dk}, as text."""
        answer = self._one("sens", {"wrt": wrt, **options})
        return answer["parameters"][0]

    def sens_at(self, freq: Any, **options: Any) -> "dict[str, dict[str, np.ndarray]]":
        """Sensitivities to every parameter with a value at freq in rad/s: {name: {"dT": dT/dk, "S": (k/T)·dT/dk, complex ndarrays,
        "magnitude": d|T|/dk, "phase": d arg T/dk in rad}}, each of shape (n,)."""
        values = self._one("sens", {"freq": frequencies_text(freq), **options})["values"]
        found: "dict[str, dict[str, Any]]" = {}
        for entry in values:
            of = found.setdefault(entry["parameter"], {"dT": [], "S": [], "magnitude": [], "phase": []})
            for name in of:
                of[name].append(entry[name])
        kinds = {"dT": complex, "S": complex}
        return {name: {key: np.array([np.nan if x is None else x for x in column], dtype=kinds.get(key, float))
                       for key, column in of.items()} for name, of in found.items()}

    # ---- other libraries

    def to_sympy(self, **values: Any) -> Any:
        """The closed form as an expression of SymPy, of plain Symbols and Rationals."""
        from ._expressions import sympy_of

        given = {**values, **(values.pop("set", None) or {})}
        given.pop("set", None)
        require_parameters("to_sympy", given, {*self._of_parameters(), self.variable})
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
        """A control.TransferFunction (python-control) with the stated values and those of the call, and the names of both signals; of
        a system in z with dt, s."""
        import control

        num, den = self._fraction(values)
        period = self._once("period")
        return control.TransferFunction(num, den, 0 if period is None else period, inputs=[self.input], outputs=[self.output])

    def _fraction(self, values: "dict[str, Any]") -> "tuple[list[float], list[float]]":
        answer = self._one("tf", {"form": "numeric", **values})["transfers"][0]
        return [float(x) for x in answer["num"]] or [0.0], [float(x) for x in answer["den"]]

    # ---- Python

    def __eq__(self, other: object) -> bool:
        """The same function of the operator and the parameters, exactly, and the same values stated of those."""
        if not isinstance(other, Transfer):
            return NotImplemented
        if self._core.dot() == other._core.dot() and self._key() == other._key():
            return True
        return _systems.same_operator(self, other) and self.formula == other.formula and (
            _systems.needed(str(self), self._of_parameters()) == _systems.needed(str(other), other._of_parameters()))

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
