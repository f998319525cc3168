"""Transfer functions and expressions as values: against rational arithmetic, SymPy, SciPy and NumPy, which know nothing of them."""
import pickle
import random
import re
import sys
import types
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import sfg


def random_fraction(rng, names=("K", "a")):
    """A text, and the same for eval."""
    def polynomial(degree):
        return " + ".join(f"({rng.choice([*names, str(rng.randint(1, 9)), f'{rng.randint(1, 9)}/{rng.randint(2, 7)}'])})*s^{k}"
                          for k in range(degree + 1))

    return f"({polynomial(rng.randint(0, 2))})/({polynomial(rng.randint(1, 3))})"


def value(text, **values):
    """Exact, for Fractions."""
    return eval(re.sub(r"(?<!\*\*)\b(\d+)\b", r"F(\1)", text.replace("^", "**")), {"F": Fraction, **values})


POINT = {"s": Fraction(3, 7), "K": Fraction(5, 3), "a": Fraction(-2, 11)}


@pytest.mark.parametrize("seed", range(12))
def test_arithmetic_is_that_of_fractions(seed):
    rng = random.Random(seed)
    a, b = random_fraction(rng), random_fraction(rng)
    x, y = value(a, **POINT), value(b, **POINT)
    for kind in (sfg.Formula, sfg.Transfer):
        A, B = kind(a), kind(b)
        for found, want in ((A + B, x + y), (A - B, x - y), (A * B, x * y), (A / B, x / y), (A**2, x * x), (-A, -x), (2 * A, 2 * x),
                            (A / 3, x / 3), (1 - A, 1 - x), (Fraction(1, 3) / A, Fraction(1, 3) / x), (0.1 + A, Fraction(1, 10) + x),
                            (A - "K", x - POINT["K"]), ("a*s" * A if kind is sfg.Formula else A * "a*s", x * POINT["a"] * POINT["s"])):
            assert isinstance(found, kind) and value(str(found), **POINT) == want, found
        assert A + B == B + A and (A + B) - B == A and A != A + 1
    A, B = sfg.Transfer(a), sfg.Transfer(b)
    for found, want in ((A.feedback(), x / (1 + x)), (A.feedback(B), x / (1 + x * y)), (A.feedback(B, 1), x / (1 - x * y)),
                        (A.series(B), x * y), (A.parallel(B), x + y), (A.feedback(2), x / (1 + 2 * x))):
        assert value(str(found), **POINT) == want
    assert A / A == sfg.Transfer(1)


@pytest.mark.parametrize("seed", range(6))
def test_expressions_are_those_of_sympy(seed):
    sympy = pytest.importorskip("sympy")
    rng = random.Random(seed)
    f = sfg.Formula(random_fraction(rng))
    e = f.sympy()
    s, K, a = sympy.symbols("s K a")
    assert sympy.cancel(f.diff("K").sympy() - e.diff(K)) == 0 and sympy.cancel(f.diff(s, 2).sympy() - e.diff(s, 2)) == 0
    for name in set(f.names) - {"s"}:
        of, other = sympy.Symbol(name), a if name == "K" else K
        assert sympy.cancel(f.subs({name: 2}).sympy() - e.subs(of, 2)) == 0
        assert sympy.cancel(f.subs({of: other + 1}).sympy() - e.subs(of, other + 1)) == 0
    assert sympy.cancel(f.numerator.sympy() / f.denominator.sympy() - e) == 0
    assert sympy.cancel((f + K).sympy() - e - K) == 0 and sympy.cancel(K + f - e - K) == 0
    assert sfg.Formula(e) == f and sympy.sympify(f) == e


def test_expressions():
    f = sfg.Formula("K/(s^2 + s + K)")
    assert f == "K/(s*(s + 1) + K)" and f != "K" and f.names == ["K", "s"] and bool(f) and not bool(f - f)
    assert f.latex().startswith("\\frac") and f._repr_latex_().startswith("$") and repr(f) == "Formula('K/(s^2 + s + K)')"
    assert np.isclose(f(s=1j, K=2), 2 / (-1 + 1j + 2)) and f(s=1j * np.arange(3.0), K=2).shape == (3,)
    assert float(sfg.Formula("1/3")) == 1 / 3 and complex(sfg.Formula("sqrt(2)")) == 2**0.5
    assert sfg.Formula("2")**sfg.Formula(3) == 8 and np.float64(0.5) * sfg.Formula("x") == "x/2"
    assert pickle.loads(pickle.dumps(f)) == f
    g = sfg.Graph(input="a", output="b")
    g.branch("a", "b", f)
    g.branch("a", "b", sfg.Transfer("1/s"))
    assert g.transfer().formula == f + "1/s"
    for wrong in (lambda: f.subs(q=2), lambda: sfg.Formula("1/("), lambda: float(f), lambda: f + "1/("):
        with pytest.raises(sfg.InputError):
            wrong()
    for wrong in (lambda: f + [1], lambda: f(s=1j, K=[True]), lambda: hash(f), lambda: setattr(f, "x", 1)):
        with pytest.raises((TypeError, AttributeError)):
            wrong()


def test_arrays_broadcast():
    t = sfg.Transfer("K/(s^2 + a*s + K)", parameters={"K": 10, "a": 1})
    w, K, a = np.logspace(-1, 1, 7), np.array([[1.0], [2], [40]]), np.linspace(0.5, 2, 7)
    s = 1j * w
    assert np.allclose(t(s, K=K, a=a), K / (s * s + a * s + K), rtol=1e-13) and t(s, K=K).shape == (3, 7)
    assert np.allclose(t.at(w, K=K), K / (s * s + s + K), rtol=1e-13)
    assert np.allclose(t(1j, K=[1, 2.5]), [k / (-1 + 1j + k) for k in (1, 2.5)]) and t(1j, K=np.float64(2), a=Fraction(1, 2)) == t(1j, K=2, a=0.5)
    assert t([1j, 2j]).shape == (2,) and t(np.zeros((0, 3))).shape == (0, 3) and isinstance(t(1j, K=3), complex)
    big = 1j * np.logspace(-3, 3, 70001)
    assert np.allclose(t(big, K=np.linspace(1, 9, 70001)), (k := np.linspace(1, 9, 70001)) / (big * big + big + k), rtol=1e-12)
    with pytest.raises(ValueError):
        t(s, K=np.ones(3))
    with pytest.raises(sfg.InputError, match="no parameter 'q'"):
        t(s, q=np.ones(7))
    nan = t(s, K=np.array([np.nan] + [1.0] * 6))
    assert np.isnan(nan[0]) and np.all(np.isfinite(nan[1:]))


def test_values_of_arrays_are_decimals():
    """0.1 is 1/10 in an array, too: where digits cancel the difference is all that is left."""
    t = sfg.Transfer("1/(K - 1/10 + s)")
    assert t(1e-30, K=0.1) == pytest.approx(1e30) == t(1e-30, K=np.array([0.1, 0.25]))[0] and not np.isfinite(t(0, K=0.1))
    u = sfg.Transfer("((s + K)^8 - s^8 - 8*K*s^7)/K^2")
    s, K = Fraction(10) ** 6, Fraction(1, 10)
    want = float(((s + K) ** 8 - s**8 - 8 * K * s**7) / K**2)
    assert u(1e6, K=0.1) == pytest.approx(want, rel=1e-13) and u(1e6, K=[0.1])[0] == pytest.approx(want, rel=1e-13)


def test_points_of_one_call_are_those_of_many():
    g = sfg.Graph(input="u", output="y", parameters={"L": 0.5})
    g.branch("u", "x", "exp(-L*s)/(1 + sqrt(s))")
    g.branch("x", "y", "1/(s + L)")
    g.branch("y", "x", "-tanh(s)/7")
    t = g.transfer(expand=False)
    s = np.array([0.3 + 2j, 1e-6j, 40j, 2.0])
    L = np.array([0.5, 0.1, 3, 1e-3])
    together = t(s, L=L)
    assert all(abs(t(complex(x), L=float(y)) - z) <= 2e-11 * abs(z) for x, y, z in zip(s, L, together))
    assert all(abs(t(complex(x), L=Fraction(str(y))) - z) <= 2e-11 * abs(z) for x, y, z in zip(s, L, together))


def test_subs_is_exact():
    t = sfg.Transfer("K*w2/(s + w1)", parameters={"K": 3, "w1": 2, "w2": {"value": "5*w1", "unit": "rad/s"}})
    assert str(t.subs(K=0.1)) == "w2/(10*s + 10*w1)" and t.subs("K", "a + b") == sfg.Transfer(
        "(a + b)*w2/(s + w1)", parameters={"w1": 2, "w2": {"value": "5*w1", "unit": "rad/s"}})
    put = t.subs(w1=7)
    assert set(put.parameters) == {"K", "w2"} and put.parameters["w2"] == {"value": "35", "unit": "rad/s"}
    assert np.isclose(put(1j), 3 * 35 / (1j + 7)) and np.isclose(t(1j, w1=7), 3 * 35 / (1j + 7))
    assert t.subs() is t
    for wrong in (lambda: t.subs(q=1), lambda: t.subs(s=1), lambda: t.subs(K="1 +")):
        with pytest.raises(sfg.InputError):
            wrong()


def test_parameters_of_one_name_are_one():
    a, b = sfg.Transfer("K/s", parameters={"K": 2}), sfg.Transfer("K/(s + 1)", parameters={"K": 3})
    with pytest.raises(sfg.InputError, match=r"'K' is 2 .* 3"):
        a * b
    joined = a.subs(K="k") * b
    assert set(joined.parameters) == {"K", "k"} and joined.parameters["K"] == {"value": "3"}
    assert (a * sfg.Transfer("K")).parameters["K"] == {"value": "2"} and a - a == sfg.Transfer(0)
    with pytest.raises(sfg.InputError, match="operator"):
        a + sfg.Transfer("1/z", variable="z", sample_time=0.1)


def test_names_of_signals_go_with_the_flow():
    controller, plant = sfg.Transfer("K", input="e", output="u"), sfg.Transfer("1/s", input="u", output="y")
    for t in (plant * controller, controller.series(plant)):
        assert (t.input, t.output) == ("e", "y") and t.graph().inputs == ["e"] and t.graph().outputs == ["y"]
    loop = (plant * controller).feedback()
    assert (loop.input, loop.output) == ("e", "y") and loop.formula == "K/(s + K)" and loop.graph().mason(K=2)["transfer"]


@pytest.mark.parametrize("seed", range(5))
def test_constructors_are_those_of_scipy(seed):
    signal = pytest.importorskip("scipy.signal")
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 5))
    A, B, C, D = rng.normal(size=(n, n)).round(2), rng.normal(size=(n, 1)).round(2), rng.normal(size=(1, n)).round(2), np.array([[0.5]])
    w = np.array([0.3, 2.0, 7])
    system = signal.StateSpace(A, B, C, D)
    want = signal.freqresp(system, w)[1]
    for t in (sfg.Transfer.from_ss(A, B, C, D), sfg.Transfer.from_scipy(system), sfg.Transfer.from_scipy(system.to_tf()),
              sfg.Transfer.from_scipy((A, B, C, D)), sfg.Transfer.from_ss(A.tolist(), B.ravel().tolist(), C.ravel().tolist(), 0.5)):
        assert np.allclose(t.at(w), want, rtol=1e-8)
    roots = rng.normal(size=2)
    zeros, poles = [roots[0]], [-1 + 2j, -1 - 2j, roots[1]]
    want = signal.freqresp(signal.ZerosPolesGain(zeros, poles, 3), w)[1]
    for t in (sfg.Transfer.from_zpk(zeros, poles, 3), sfg.Transfer.from_scipy(signal.ZerosPolesGain(zeros, poles, 3)),
              sfg.Transfer(3 * np.poly(zeros), np.poly(poles))):
        assert np.allclose(t.at(w), want, rtol=1e-9)
    sampled = sfg.Transfer.from_scipy(signal.TransferFunction([1.0], [1, -0.5], dt=0.1))
    assert (sampled.variable, sampled.sample_time) == ("z", 0.1) and np.isclose(sampled(2), 1 / 1.5)


def test_constructors():
    several = sfg.Transfer.from_ss([[0, 1], [-2, "-d"]], [[0, 1], [1, 0]], np.eye(2), np.zeros((2, 2)), input=0, output=1)
    assert several == sfg.Transfer("s/(s^2 + d*s + 2)")
    assert sfg.Transfer.from_ss([], [], [], [[3]]) == sfg.Transfer(3) and str(sfg.Transfer(["K"], [1, "a"])) == "K/(s + a)"
    assert sfg.Transfer(np.poly1d([1, 2]), [1]) == sfg.Transfer("s + 2") and sfg.Transfer(0.1) == sfg.Transfer("1/10")
    assert sfg.Transfer("K/s", parameters={"K": {"value": "4.7k", "unit": "Ohm"}})(1) == 4700
    for wrong in (lambda: sfg.Transfer.from_ss([[1]], [[1, 2]], [[1]]), lambda: sfg.Transfer.from_zpk([1j], [1]), lambda: sfg.Transfer([], [1]),
                  lambda: sfg.Transfer([1], [0]), lambda: sfg.Transfer([1 + 1j], [1]), lambda: sfg.Transfer([[1], [2]], [1]),
                  lambda: sfg.Transfer.from_ss([[1, 2]], [1], [1])):
        with pytest.raises(sfg.InputError):
            wrong()
    for wrong in (lambda: sfg.Transfer("s", gain=2), lambda: sfg.Transfer(object()), lambda: sfg.Transfer("1/s") * [1],
                  lambda: sfg.Transfer.from_ss(1, 1, 1, 0, name="x"), lambda: sfg.Transfer("K", parameters={"K": {"valeu": 1}})):
        with pytest.raises(TypeError):
            wrong()


class ControlTransferFunction:
    """What python-control's has."""

    def __init__(self, num, den, dt=0, inputs=("u[0]",), outputs=("y[0]",)):
        self.num, self.den, self.dt = [[np.array(num, float)]], [[np.array(den, float)]], dt
        self.input_labels, self.output_labels = list(inputs), list(outputs)


def test_python_control_there_and_back(monkeypatch):
    monkeypatch.setitem(sys.modules, "control", types.SimpleNamespace(TransferFunction=ControlTransferFunction))
    t = sfg.Transfer("K/(s^2 + s/4 + K)", parameters={"K": 2}, input="ref", output="angle")
    there = t.to_control(K=3)
    assert (there.input_labels, there.output_labels, there.dt) == (["ref"], ["angle"], 0)
    back = sfg.Transfer.from_control(there)
    assert back == t.subs(K=3) and (back.input, back.output) == ("ref", "angle")
    z = sfg.Transfer.from_control(ControlTransferFunction([1], [1, -0.5], dt=True))
    assert (z.variable, z.sample_time) == ("z", 1.0) and sfg.Transfer.from_control(z.to_control()) == z
    ss = types.SimpleNamespace(A=np.array([[0, 1], [-2, -3.0]]), B=np.eye(2), C=np.array([[1.0, 0]]), D=np.zeros((1, 2)), dt=0,
                               input_labels=["force", "wind"], output_labels=["x"])
    assert str(sfg.Transfer.from_control(ss, input="force")) == "(s + 3)/(s^2 + 3*s + 2)"
    assert sfg.Transfer.from_control(ss, input=1).input == "wind"
    for wrong in ({}, {"input": "rain"}, {"input": 2}):
        with pytest.raises(sfg.InputError, match="input"):
            sfg.Transfer.from_control(ss, **wrong)


def test_one_set_of_argument_names():
    """What a graph is asked with, its transfer function is."""
    g = sfg.Graph(input="u", output="y", parameters={"K": 2})
    g.branch("u", "y", "K/(s*(s + 1))")
    t, w = g.transfer(), [0.5, 2]
    assert np.array_equal(t.bode(freq=w).value, g.bode(freq=w).transfers[0].value)
    assert np.array_equal(t.step(until=2, points=5, K=1).signals["y"], g.step(until=2, points=5, K=1).signals["y"])
    assert np.array_equal(t.impulse(until=2, points=5).signals["y"], t.impulse(np.linspace(0, 2, 5)))
    assert t.sens(wrt="K") == g.sens(wrt="K").parameters[0] and repr(t.margins()) == repr(g.margins())
    assert np.allclose(t.nyquist(freq=w).transfers[0].value, t.at(freq=w))
    assert t.dcgain() == np.inf and (t.feedback()).dcgain() == 1 and t.formula == "K/(s^2 + s)"
    with pytest.raises(sfg.InputError, match="times"):
        t.step([1.0], until=2)
    inner = g.transfer("u", "y")
    assert repr(inner) == "<sfg.Transfer from 'u' to 'y': K/(s^2 + s)>"


@pytest.mark.parametrize("seed", range(12))
def test_where_nothing_is_divided_by_nothing(seed):
    """At a common root the value is that of the lowest terms; where it depends on the way there is none."""
    rng = random.Random(seed)
    n, m, k = (rng.randint(0, 3) for _ in range(3))
    at, b = rng.choice([0.0, -0.5, 2.0]), rng.randint(1, 5)
    t = sfg.Transfer(f"(s - p)^{n}*(s + b)/((s - q)^{m}*(s + 9)) + {k}", parameters={"p": 1, "q": 2, "b": b})
    got, of_array = t(at, p=at, q=at), t(np.array([at, 1j]), p=at, q=np.array([at, at]))[0]
    want = k + (at + b) / (at + 9) if n == m else k if n > m else np.inf
    assert got == pytest.approx(want) or (np.isinf(want) and np.isinf(abs(got)))
    assert of_array == got
    ratio = sfg.Transfer("K/(s^2 + a*s + K)", parameters={"K": 10, "a": 1})
    assert ratio(0, K=0) == 0 == ratio.subs(K=0)(0) and ratio(0, K=0, a=0) == 0
    assert np.isnan(sfg.Transfer("a/b", parameters={"a": 1, "b": 1})(1, a=0, b=0))


def test_what_is_no_number_is_no_point():
    t = sfg.Transfer("K/(s + 1)", parameters={"K": 2})
    for ask, name in (lambda x: t(x), "s"), (lambda x: t.at(x), "freq"), (lambda x: t.step(x), "times"):
        for wrong in ("1", ["1"], [None, 1]) + (() if name == "times" else (None,)):
            with pytest.raises(TypeError, match=f"^{name}: "):
                ask(wrong)
    assert np.allclose(t(1j, K=[Fraction(1, 3), Decimal("0.5")]), t(1j, K=[1 / 3, 0.5]))
    for wrong in [1j, 2], [True, False], [None], ["2"]:
        with pytest.raises(TypeError, match="^K: "):
            t(1j, K=wrong)
    with pytest.raises(TypeError, match="^K: "):
        t.poles(K=[1, 2])


def test_a_division_by_nothing_is_said_without_texts_that_nobody_wrote():
    t = sfg.Transfer("K/(s + 1)", parameters={"K": 2})
    zero = sfg.Formula("a - a")
    for divide in (lambda: t / 0, lambda: 1 / (t - t), lambda: (t - t)**-1, lambda: sfg.Formula("a") / zero, lambda: 1 / zero, lambda: zero**-2,
                   lambda: sfg.Transfer([1], [0, 0]), lambda: sfg.Transfer(-1).feedback(1), lambda: t.feedback(1 / t, sign=1)):
        with pytest.raises(sfg.InputError, match=" 0($|;)") as error:
            divide()
        assert "formula '" not in str(error.value) and error.value.column is None
    assert t**-2 == 1 / (t * t)


def test_a_keyword_that_is_nothing_is_refused():
    t = sfg.Transfer("K/(s + b)", parameters={"K": 2})
    for ask in (t.poles, t.bode, t.step, t.margins, t.modes):
        with pytest.raises(sfg.InputError, match="keyword 'nothing'"):
            ask(nothing=[1])
    with pytest.raises(sfg.InputError, match="did you mean 'freq'"):
        t.bode(omega=[1.0])
    assert np.allclose(t.poles(b=3), [-3])


def test_expressions_refuse_and_take_what_others_do():
    f = sfg.Formula("K/(s + K)")
    for turned in (f * np.array([1, 2]), np.array([1, 2]) * f):
        assert turned.shape == (2,) and turned[1] == 2 * f
    assert (np.array([[1], [2]]) - f)[1, 0] == 2 - f and (f / np.array([2.0]))[0] == f / 2
    for no_name in "K + 1", 2, "2*K", "sin(K)":
        with pytest.raises(sfg.InputError, match="no name"):
            f.diff(no_name)
    t = sfg.Transfer("K/(s + b)", parameters={"K": 2})
    with pytest.raises(sfg.InputError, match="keyword 'nothing'"):
        t.to_sympy(nothing=2)
    assert str(t.to_sympy(K=2, b=1)) == "2/(s + 1)"
    for limits in {"time_limit": "2"}, {"max_terms": "9"}, {"memory_limit": True}:
        with pytest.raises(TypeError, match=f"^{next(iter(limits))}: "):
            t.poles(b=1, **limits)
    with pytest.raises(TypeError, match="text"):
        sfg.loads(3)
