"""Transfer functions against SymPy, NumPy and SciPy, which know nothing of graphs."""
import random
import warnings

import numpy as np
import pytest

import sfg


def random_graph(seed):
    """A graph and (I − A) of its signals, A[head][tail] = gain."""
    rng = random.Random(seed)
    size = rng.randint(3, 6)
    gains = ["1", "k", "-2", "1/(s + 1)", "k/(s + a)", "(s + 2)/(s^2 + a*s + 3)", "1/s"]
    branches = [(i, i + 1, rng.choice(gains)) for i in range(size - 1)]
    branches += [(rng.randrange(1, size), rng.randrange(1, size), rng.choice(gains) + "/5") for _ in range(rng.randint(1, 4))]
    g = sfg.Graph(input="x0", output=f"x{size - 1}", parameters={"k": 1.5, "a": "3/4"})
    for tail, head, gain in branches:
        g.branch(f"x{tail}", f"x{head}", gain)
    return g, branches, size


def solved(branches, size, s, k=1.5, a=0.75):
    """x[last] for x0 = 1, by linear algebra at one point."""
    matrix = np.eye(size, dtype=complex)
    for tail, head, gain in branches:
        matrix[head, tail] -= eval(gain.replace("^", "**"), {"s": s, "k": k, "a": a})
    return np.linalg.solve(matrix, np.eye(size)[0])[-1]


@pytest.mark.parametrize("seed", range(25))
def test_values_are_those_of_linear_algebra(seed):
    g, branches, size = random_graph(seed)
    t = g.transfer()
    w = np.array([[0.3, 1.0], [2.5, 40.0]])
    want = np.array([[solved(branches, size, 1j * x) for x in row] for row in w])
    assert t.at(w).shape == (2, 2) and np.allclose(t.at(w), want, rtol=1e-9, atol=1e-14)
    assert np.isclose(t(0.4 - 1j, k=2, a=0.1), solved(branches, size, 0.4 - 1j, 2, 0.1), rtol=1e-9)
    b = t.bode(w.ravel())
    assert np.allclose(b["value"], want.ravel(), rtol=1e-9)
    assert np.allclose(b["magnitude_db"], 20 * np.log10(abs(want.ravel())))


@pytest.mark.parametrize("seed", range(0, 25, 4))
def test_closed_forms_are_those_of_sympy(seed):
    sympy = pytest.importorskip("sympy")
    g, branches, size = random_graph(seed)
    s, k, a = sympy.symbols("s k a")
    matrix = sympy.eye(size)
    for tail, head, gain in branches:
        matrix[head, tail] -= sympy.sympify(gain.replace("^", "**"), {"s": s, "k": k, "a": a})
    want = matrix.LUsolve(sympy.eye(size)[:, 0])[-1]
    t = g.transfer()
    assert sympy.cancel(t.to_sympy() - want) == 0
    assert sympy.cancel(t.to_sympy(k=0.1) - want.subs(k, sympy.Rational(1, 10))) == 0
    read = [[sympy.sympify(c.replace("^", "**")) for c in part] for part in (t.numerator, t.denominator)]
    assert sympy.cancel(sympy.Poly(read[0], s).as_expr() / sympy.Poly(read[1], s).as_expr() - want) == 0


@pytest.mark.parametrize("seed", range(0, 25, 3))
def test_numbers_are_those_of_scipy(seed):
    signal = pytest.importorskip("scipy.signal")
    t = random_graph(seed)[0].transfer()
    system = t.to_scipy(k=2)
    _, values = signal.freqresp(system, [0.2, 3])
    assert np.allclose(t.at([0.2, 3], k=2), values, rtol=1e-8)
    assert np.allclose(np.sort(abs(t.poles(k=2))), np.sort(abs(system.poles)), rtol=1e-4)
    if len(system.num) <= len(system.den) and max(np.real(system.poles)) < 2:
        times = np.linspace(0, 3, 25)
        _, y = signal.step(system, T=np.linspace(0, 3, 25))
        assert np.allclose(t.step(times), t.step(times[::-1])[::-1])
        assert np.allclose(t.step(times, k=2), y, atol=1e-6 * (1 + max(abs(y))))


def test_sensitivities_are_differences():
    g = random_graph(3)[0]
    t, w, h = g.transfer(), np.array([0.7, 3.0]), 1e-5
    for name, value in (("k", 1.5), ("a", 0.75)):
        slope = (t.at(w, **{name: value + h}) - t.at(w, **{name: value - h})) / (2 * h)
        found = t.sens_at(w).get(name)
        if found is None:
            assert np.allclose(slope, 0)
            continue
        assert np.allclose(found["dT"], slope, rtol=1e-5, atol=1e-8)
        assert np.allclose(found["S"], slope * value / t.at(w), rtol=1e-5, atol=1e-8)
        of = g.transfer().sens(name)
        assert set(of) >= {"name", "derivative", "bode"}


def test_responses():
    g = sfg.Graph(input="u", output="y", parameters={"T": 2})
    g.branch("u", "y", "1/(1 + T*s)")
    t, times = g.transfer(), np.array([[3.0, -1.0], [0.0, 0.5]])
    assert np.allclose(t.step(times), np.where(times < 0, 0, 1 - np.exp(-times / 2)), atol=1e-15)
    assert np.allclose(t.impulse(times, T=1), np.where(times < 0, 0, np.exp(-times)), atol=1e-15)
    assert t.step([]).shape == (0,) and t.at([]).shape == (0,) and t.step(1.0).shape == ()
    with pytest.raises(sfg.InputError):
        t.step([np.nan])


def test_samples():
    g = sfg.Graph(input="x", output="y", variable="z", sample_time=0.1)
    g.branch("x", "y", "1/z")
    g.branch("y", "y", "1/(2*z)")
    t = g.transfer()
    assert np.allclose(t.step(np.arange(5) / 10), [0, 1, 1.5, 1.75, 1.875])
    assert np.allclose(t.at([3.0]), 1 / (np.exp(0.3j) - 0.5)) and np.isclose(t(2), 1 / 1.5)
    with pytest.raises(sfg.InputError, match="sample"):
        t.step([0.05])
    assert t.to_scipy().dt == 0.1 if pytest.importorskip("scipy") else True


def test_what_is_not_rational():
    g = sfg.Graph(input="u", output="y", parameters={"L": 0.5})
    g.branch("u", "y", "exp(-L*s)/(1 + sqrt(s))")
    t = g.transfer()
    assert np.isclose(t(2j), np.exp(-1j) / (1 + np.sqrt(2j)))
    with pytest.raises(sfg.NoAnswer):
        t.numerator
    with pytest.raises(sfg.Error):
        t.to_scipy()
    g = sfg.Graph(input="u", output="y")
    g.branch("u", "y", "exp(-s)/(s + 1)")
    assert np.allclose(g.transfer().step([0.5, 2]), [0, 1 - np.exp(-1)])


def test_a_missing_value_is_named():
    g = sfg.Graph(input="a", output="b")
    g.branch("a", "b", "k/(s + q)")
    t = g.transfer()
    for ask in (lambda: t(1j), lambda: t.at([1], k=1), lambda: t.step([1], k=1), lambda: t.poles(), lambda: t.to_scipy()):
        with pytest.raises(sfg.InputError, match="'q'"):
            ask()
    with pytest.raises(sfg.InputError, match="r"):
        t(1j, k=1, q=1, r=1)
    with pytest.raises(sfg.InputError):
        t(1j, k="1 +")


def test_questions_from_inner_nodes():
    g = sfg.Graph(input="R", output="C")
    g.branch("R", "e")
    g.branch("e", "C", "G")
    g.branch("C", "e", "-H")
    with pytest.raises(sfg.InputError, match="ratio=SOURCE"):
        g.transfer("e", "C")
    assert str(g.transfer("e", "C", ratio="R")) == "G"
    assert str(g.transfer("e", "C", inject=True)) == "G/(1 + G*H)"
    assert np.isclose(g.transfer("e", "C", inject=True).bode([1.0], G=2, H=3)["value"][0], 2 / 7)
    assert str(g.transfer("R", "e - C")) == "(1 - G)/(1 + G*H)"
    with pytest.raises(sfg.InputError, match="nowhere"):
        g.transfer("R", "nowhere")


def test_large_graphs_have_numbers_without_a_closed_form():
    g = sfg.Graph(input="x0", output="x200")
    for i in range(200):
        g.branch(f"x{i}", f"x{i + 1}", f"1/(s + a{i})")
        g.branch(f"x{i + 1}", f"x{i}" if i else "x1", "-1/2")
    t = g.transfer(expand=False)
    assert np.isfinite(t(1j, **{f"a{i}": 1 + i / 7 for i in range(200)}))
    with pytest.raises(sfg.LimitReached):
        g.transfer(max_terms=1000, time_limit=20)


def test_values_at_a_pole_are_infinite():
    g = sfg.Graph(input="u", output="y")
    g.branch("u", "y", "1/s")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not np.isfinite(g.transfer()(0))
    assert g.bode(freq=[1.0])["transfers"][0]["value"].dtype == complex
