"""The verbs of sfg as methods of whatever has a text: graphs, models."""
from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Union

import numpy as np

from . import _answers, results
from ._answers import Source, ask, ends
from ._result import Roots, first_of
from ._values import bounds_text

Path = Union[str, "os.PathLike[str]"]
#: A listing goes on as long as there is time and memory, unless the call says less.
_UNLIMITED = 2**62


class Analyses(results.Verbs):
    """Questions to a graph or a model.

    `input` and `output` name signals, one or several; without them the stated ones are meant, else the sources and sinks. Keywords
    are the options of the verb ('sfg help VERB', with _ for -): True for a switch, a list for several, {name: value} for
    NAME=VALUE. Any other keyword is the value of a parameter: K=2; set={"until": 3} where an option has that name. Values are
    exact: a float is its shortest decimal text. break_="FROM,TO" asks about the loop opened there, of="loop", "sensitivity" or
    "complementary" says what of it. time_limit= (s), max_terms= and memory_limit= (MiB) bound the work: LimitReached.
    Answers are dicts with the fields of the JSON of the verb; lists of numbers are float64 arrays, of complex ones complex128. The
    same are attributes (sfg.results), expressions as Formulas; an answer shows as tables in a notebook, plot() is its picture.
    """

    __slots__ = ()  # an attribute that nothing reads is refused

    def _source(self) -> Source:
        raise NotImplementedError

    def _parameters(self) -> "Optional[set[str]]":
        return None

    def _ask(self, verb: str, keywords: "dict[str, Any]", input: Any = None, output: Any = None) -> Any:
        return ask(self._source(), verb, keywords, input, output, self._parameters())

    # ---- closed forms

    def tf(self, input: Any = None, output: Any = None, **options: Any) -> "results.Tf":
        """Transfer functions in closed form, {"variable", "transfers": [{"input", "output", "expression", …}]}.

        form="rational", "mason", "factored", "sequence", "zpk", "numeric", "approximate", "standard", "table" or
        "blocks"; transfer() gives an object. ratio_of="OUT/IN,OUT2/IN2" divides one by another.
        """
        return self._ask("tf", options, input, output)

    def mason(self, input: Any = None, output: Any = None, **options: Any) -> "results.Mason":
        """The derivation by Mason's rule.

        {"paths": [{"nodes", "gain", "cofactor"}], "loops": [{"nodes", "gain"}], "nontouching": [int arrays of loop numbers],
        "determinant", "transfer", "counts": {"paths", "loops", "sets"}, "truncated"}, of one input and one output. limit=N lists no
        more than N of each.
        """
        return self._ask("mason", {"max_terms": _UNLIMITED, **options}, input, output)

    def derive(self, **options: Any) -> "results.Derive":
        """The equations: operator polynomials "D" and "G", "equations", "M", "C", "K"; as_="motion", "state-space" and others."""
        return self._ask("derive", options)

    def certificate(self, input: Any = None, output: Any = None, **options: Any) -> "dict[str, Any]":
        """Transfer functions with residues modulo primes, by which a third party checks them; as JSON has it, without arrays."""
        return _answers.ask_plainly(self._source(), "certificate", options, input, output, self._parameters())

    # ---- numbers of a control engineer

    def poles(self, input: Any = None, output: Any = None, **options: Any) -> Roots:
        """Poles, multiple ones repeated, rad/s: a complex ndarray, shape (n,).

        Of a graph those of its transfer function in lowest terms, of a model without input and output those of all of it.
        modes() tells frequencies and damping, too.
        """
        return _roots(self.modes(input, output, **options), "poles")

    def zeros(self, input: Any = None, output: Any = None, **options: Any) -> Roots:
        """Zeros of the transfer function in lowest terms, multiple ones repeated, rad/s: a complex ndarray, shape (n,)."""
        return _roots(self.modes(input, output, **options), "zeros")

    def modes(self, input: Any = None, output: Any = None, **options: Any) -> "results.Poles":
        """{"poles", "zeros", "gain", "modes": [{"pole", "frequency" in rad/s, "damping", "time_constant" in s}], "hidden", …}.

        The full answer of the verb poles: modes=True adds shapes, digits=N. Of several inputs and outputs also
        "transmission_zeros" and "smith_mcmillan", those of the matrix.
        """
        return self._ask("poles", options, input, output)

    def bode(self, input: Any = None, output: Any = None, freq: Any = None, **options: Any) -> "results.Bode":
        """Magnitude and phase over freq= (rad/s, an array, or "LO:HI:N"; without it chosen from the poles and zeros).

        {"frequency": shape (n,), "transfers": [{"input", "output", "value" complex, "magnitude_db" in dB, "phase_deg",
        "group_delay" in s}]}; with singular_values=True {"frequency", "singular_values": shape (n, k), "error"} of the matrix.
        """
        return self._ask("bode", {"freq": freq, **options}, input, output)

    def nyquist(self, input: Any = None, output: Any = None, freq: Any = None, **options: Any) -> "results.Nyquist":
        """The frequency response for the complex plane, over freq= in rad/s; fields as of bode()."""
        return self._ask("nyquist", {"freq": freq, **options}, input, output)

    def nichols(self, input: Any = None, output: Any = None, freq: Any = None, **options: Any) -> "results.Nichols":
        """Magnitude (dB) over phase (degrees), over freq= in rad/s; fields as of bode()."""
        return self._ask("nichols", {"freq": freq, **options}, input, output)

    def margins(self, input: Any = None, output: Any = None, **options: Any) -> "results.Margins":
        """Margins of the open loop: {"gain_margin_db", "phase_margin_deg", "modulus_margin", "delay_margin" in s, "disk" (of skew
        0, 1 and -1, or None), "type", "error_constants", "gain_crossovers", "phase_crossovers" with "frequency" in rad/s}.
        break_="FROM,TO" opens a loop of the graph; break_=["A,B", "C,D"] gives {"loops": [{"break", …}]}, the others closed, with
        others_open=True open."""
        return self._ask("margins", options, input, output)

    def step(self, input: Any = None, output: Any = None, **options: Any) -> "results.Step":
        """Response to a unit step: {"time" in s, shape (n,), "signals": {name: array of that shape}, "figures"}; until= in s, points=."""
        return self._ask("step", options, input, output)

    def impulse(self, input: Any = None, output: Any = None, **options: Any) -> "results.Impulse":
        """Response to a unit impulse: {"time" in s, shape (n,), "signals": {name: array of that shape}}; until= in s, points=."""
        return self._ask("impulse", options, input, output)

    def simulate(self, output: Any = None, *, until: Any = None, points: Any = None, inputs: "Optional[Mapping[str, Any]]" = None,
                 initial: "Optional[Mapping[str, Any]]" = None, **options: Any) -> "results.Simulate":
        """Response to any inputs, nonlinear laws included: {"time" in s, shape (n,), "signals": {name: array of that shape}}.

        until= in s, points= (0 and until included), inputs={name: expression of t}, initial={state: value just before t = 0}.
        """
        keywords = {"until": until, "points": points, "inputs": inputs, "initial": initial, **options}
        return self._ask("simulate", keywords, None, output)

    def routh(self, parameter: Optional[str] = None, **options: Any) -> "results.Routh":
        """Routh's array: {"polynomial", "array", "counts", "conditions", "stable_if"}.

        parameter="K" adds "ranges", the open ranges [low, high] of K with every root left of the axis: exact texts, None for
        infinity. region="K1,K2" and kharitonov=True as on the command line.
        """
        return self._ask("routh", {"in_": parameter, **options})

    def rlocus(self, parameter: str, **options: Any) -> "results.Rlocus":
        """The root locus in a parameter: {"values": shape (n,), "branches": complex, shape (branches, n), rad/s, …}; range="LO:HI"."""
        return self._ask("rlocus", {"in_": parameter, **options})

    def absolute(self, **options: Any) -> "results.Absolute":
        """Absolute stability of a loop with one law, by the circle criterion and Popov's; sector="LO,HI"."""
        return self._ask("absolute", options)

    def balance(self, **options: Any) -> "results.Balance":
        """Periodic motion by harmonic balance: {"points": [{"frequency" in rad/s, "amplitude", "harmonics", "stable", …}]};
        amplitude={input: A}, freq= in rad/s, harmonics=N, limit_cycles=True. static=True: states of rest; with
        want={signal: value}, free=[input] the inputs at which signals have these values."""
        return self._ask("balance", options)

    def discretize(self, sample_time: Any = None, input: Any = None, output: Any = None, **options: Any) -> "results.Discretize":
        """Transfer functions in z of the system sampled every sample_time s; method="zoh", "tustin" or "matched"."""
        return self._ask("discretize", {"sample_time": sample_time, **options}, input, output)

    # ---- what parameters do

    def sens(self, input: Any = None, output: Any = None, **options: Any) -> "results.Sens":
        """Sensitivities of one transfer function: {"parameters": [{"name", "derivative", "bode"}]}; freq= (rad/s), measure=,
        poles=True and others ask for numbers."""
        return self._ask("sens", options, input, output)

    def monte_carlo(self, samples: int, measures: Any = None, *, tolerance: Any = None, seed: Any = None, input: Any = None,
                    output: Any = None, **options: Any) -> "results.Sens":
        """A tolerance study by random samples.

        measures=["peak", …], tolerance=0.05 or {"K": "5%", "R": "±2"}, distribution={"K": "normal"}, sampling="lhs", spec=["peak <
        2"], seed=1. {"measures": [{"name", "nominal", "mean", "std", "min", "max", "failed", "quantiles"}], "specs", "yield",
        "samples": {parameter or measure: float64 array, shape (samples,), nan where a measure failed}}.
        """
        keywords = {"monte_carlo": samples, "measures": measures, "tolerance": tolerance, "seed": seed, **options}
        return self._ask("sens", {**keywords, "samples": True}, input, output)

    def worst_case(self, measures: Any = None, *, tolerance: Any = None, input: Any = None, output: Any = None,
                   **options: Any) -> "results.Sens":
        """Guaranteed bounds of measures over all tolerances: {"worst_case": [{"measure", "nominal", "lower", "upper"}], "complete"}.

        level=3 or "99%", covariance="@parts.csv" or {"R,R": 0.04, "R,L": 0.01, …}: over the ellipsoid of the normal parameters,
        {"ellipsoid": {"parameters", "level", "probability", "rank"}} beside it.
        """
        return self._ask("sens", {"worst_case": True, "measures": measures, "tolerance": tolerance, **options}, input, output)

    def sobol(self, samples: int, measures: Any = None, *, tolerance: Any = None, input: Any = None, output: Any = None,
              **options: Any) -> "results.Sens":
        """Sobol indices from so many base samples: {"sobol": [{"measure", "variance", "first", "total", …}]}.

        covariance="@parts.csv", correlation={"R,L": 0.8}: of correlated parameters Shapley effects, too, "shapley", "shapley_error".
        """
        return self._ask("sens", {"sobol": samples, "measures": measures, "tolerance": tolerance, **options}, input, output)

    def morris(self, trajectories: int, measures: Any = None, *, tolerance: Any = None, input: Any = None, output: Any = None,
               **options: Any) -> "results.Sens":
        """Elementary effects along so many trajectories (Morris 1991): {"morris": [{"measure", "mu", "mu_star", "sigma"}]}."""
        return self._ask("sens", {"morris": trajectories, "measures": measures, "tolerance": tolerance, **options}, input, output)

    def tornado(self, measures: Any = None, *, tolerance: Any = None, input: Any = None, output: Any = None,
                **options: Any) -> "results.Sens":
        """Each parameter alone at both ends of its tolerance: {"tornado": [{"measure", "nominal", "bars"}]}."""
        return self._ask("sens", {"tornado": True, "measures": measures, "tolerance": tolerance, **options}, input, output)

    def identifiable(self, input: Any = None, output: Any = None, **options: Any) -> "results.Identifiable":
        """Which parameters the transfer functions determine, all inputs and outputs together: {"parameters": [{"name",
        "identifiable": True, False or "locally", "influence"}], "combinations", "generate", "degrees_of_freedom"}; known="C1,C2"."""
        return self._ask("identifiable", options, input, output)

    def tune(self, vary: "Mapping[str, Any]", input: Any = None, output: Any = None, **options: Any) -> "results.Tune":
        """Values of parameters that meet specs, are best, or place poles.

        vary={"K": "0.1:100"} or {"K": (0.1, 100)}, spec=["phase-margin > 45"], minimize="peak", maximize=, place="-2+3j,-2-3j":
        {"parameters": {name: value}, "objective", "specs", …}; "conflicts" where the specs cannot be met together.
        """
        bounds = {name: bounds_text(range_) for name, range_ in vary.items()}
        return self._ask("tune", {"vary": bounds, **options}, input, output)

    def fit(self, data: Any, vary: Any, input: Any = None, output: Any = None, **options: Any) -> "results.Fit":
        """Parameters from measured data: {"parameters": [{"name", "value", "start", "std", "interval"}], "rms", "correlation", …}.

        data="bench.csv", or {"t": times, "y": values} (a DataFrame, too; nan is no sample, complex columns are of a frequency
        response), or a list of these, as in every method that takes data=; vary=["K", "T"] or {"K": None, "T": (0.01, 1),
        "C2": "2*C1"}: bounds, or what follows from others; loss="huber=0.1".
        """
        if hasattr(vary, "items"):
            vary = [name if range_ is None else f"{name}={bounds_text(range_)}" for name, range_ in vary.items()]
        return self._ask("fit", {"data": data, "vary": vary, **options}, input, output)

    def noise(self, output: Any = None, input: Any = None, **options: Any) -> "results.Noise":
        """Noise of a signal of a circuit: {"contributions", "frequency" in rad/s, "output_density" in V²/Hz, "rms" or "variance"}."""
        return self._ask("noise", options, input, output)

    def ports(self, port: Any, parameters: str = "z", **options: Any) -> "results.Ports":
        """Two-port parameters of a circuit: {"ports", "parameters", "matrix": rows of expressions}; port=["1", "2,3"], z0= in ohm."""
        return self._ask("ports", {"port": port, "parameters": parameters, **options})

    def compare(self, other: "Analyses", **options: Any) -> "results.Compare":
        """Whether this model and another have the same transfer functions: a proof, or values and the branch that differs."""
        return _answers.compared(self._source(), other._source(), options)

    # ---- what is written

    def check(self, **options: Any) -> "results.Check":
        """Every problem of the input at once: {"problems": [{"severity", "message", "file", "line", "column", "hint"}], "summary"}."""
        return self._ask("check", options)

    def draw(self, path: Optional[Path] = None, **options: Any) -> Optional[str]:
        """Draws the graph to a file (.svg .png .pdf .eps .tex .dot by its name), or gives the SVG as text.

        as_="sfg", "blocks", "matrix", "loops", "analog", "polar", "tree", "skeleton", "reduced" or "mechanism"; theme=, highlight=; closed=, open=: blocks as boxes, or framed.
        """
        if path is None:
            return _answers.text_from(self._source(), ["draw", "--type=svg"], options, self._parameters())
        return _answers.write(self._source(), "draw", path, [], options, self._parameters())

    def report(self, path: Path, **options: Any) -> None:
        """The whole study as one document, .html .tex .pdf .md by its name; sections="graph,mason", title=."""
        _answers.write(self._source(), "report", path, [], options, self._parameters())

    def sliders(self, sections: str = "poles,frequency,time", height: int = 700, **options: Any) -> Any:
        """These sections of the report with a slider for each parameter, for a notebook: a page that computes in the browser, without
        widgets and without a network."""
        from ._notebook import Sliders

        return Sliders(_answers.written(self._source(), "report", "report.html", [], {"sections": sections, **options},
                                        self._parameters()), height)

    def export(self, target: str, path: Optional[Path] = None, input: Any = None, output: Any = None, **options: Any) -> Optional[str]:
        """The model as a program or file for others: target="octave", "c", "spice", "fmu", … ('sfg help export' lists them).

        Written to `path`, or given as text. until= (s), points=, freq="LO:HI:N" (rad/s), name=, sample_time= (s) as of the command.
        """
        words = ["--target=" + target, *ends(input, output)]
        if path is None:
            return _answers.text_from(self._source(), ["export", *words], options, self._parameters())
        return _answers.write(self._source(), "export", path, words, options, self._parameters())

    def _repr_svg_(self) -> str:
        return str(self.draw())


def _roots(answer: Any, which: str) -> Roots:
    roots = first_of(answer, which, "ask modes() for it")
    return Roots._of([complex(float(root[0]), float(root[1])) if isinstance(root, list) else root for root in roots])
