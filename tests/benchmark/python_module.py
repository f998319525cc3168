#!/usr/bin/python3
"""The Python module beside SymPy and NumPy doing the same, in one run: PYTHONPATH=build/python /usr/bin/python3 tests/benchmark/python_module.py

Every line: what is done, the times of both, their quotient. Answers are compared before they are timed. Least times of some runs.
--json: [[what, ours in s, theirs in s], …], as tools/benchmark takes it."""
import json
import sys
import time

import numpy as np
import sympy

import sfg

LINE = "{:58} {:>12} {:>12} {:>8}"


def best(work, runs=7):
    """The least time of some runs, s."""
    least = float("inf")
    for _ in range(runs):
        begun = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - begun)
    return least


def shown(seconds):
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-4 else f"{seconds * 1e6:.3g} µs"


ROWS = []


def compared(what, ours, theirs):
    ROWS.append([what, ours, theirs])


GAINS = ["1", "K", "1/(s + 1)", "1", "1/(s + 3)", "2", "1/(s + 5)", "1", "1/s"]  # of a loop of ten nodes, closed by −1


def graph():
    g = sfg.Graph(input="x0", output="x9", parameters={"K": 10})
    for k, gain in enumerate(GAINS):
        g.branch(f"x{k}", f"x{k + 1}", gain)
    g.branch("x9", "x1", -1)
    return g


def equations():
    s, K = sympy.symbols("s K")
    x = sympy.symbols("x1:10")
    known = {"s": s, "K": K}
    loop = [x[0] - 1 + x[8]] + [x[k] - sympy.sympify(GAINS[k], known) * x[k - 1] for k in range(1, 9)]
    return sympy.cancel(sympy.solve(loop, x)[x[8]]), s, K


def main():
    t = graph().transfer()
    want, s, K = equations()
    assert sympy.cancel(t.to_sympy() - want) == 0
    compared("graph of 10 nodes built, and its transfer function; SymPy", best(lambda: graph().transfer(), 40), best(equations, 3))

    f = sympy.lambdify((s, K), want)
    points = [1j * w for w in np.logspace(-2, 2, 10000)]
    assert all(abs(t(p, K=2.5) - f(p, 2.5)) < 1e-9 * abs(f(p, 2.5)) for p in points[::100])
    compared("10,000 values, one call each; lambdify", best(lambda: [t(p, K=2.5) for p in points]), best(lambda: [f(p, 2.5) for p in points]))
    array = np.array(points)
    compared("10,000 values in one call; lambdify call by call", best(lambda: t(array, K=2.5)), best(lambda: [f(p, 2.5) for p in points]))
    slow = want.subs(K, sympy.Rational(5, 2))
    compared("10,000 values in one call; subs and evalf (of 20 values)", best(lambda: t(array, K=2.5)),
             best(lambda: [complex(slow.subs(s, p).evalf()) for p in points[::500]], 1) * 500)

    simple = sfg.Transfer("K/(s^2 + s + K)", parameters={"K": 10})
    w, gains = 1j * np.logspace(-2, 2, 10**6), np.linspace(1, 20, 10**6)

    def numpy_values():
        return gains / (w * w + w + gains)

    assert np.allclose(simple(w, K=gains), numpy_values(), rtol=1e-12)
    compared("10⁶ values over s and K, to 11 digits; NumPy, unchecked", best(lambda: simple(w, K=gains)), best(numpy_values))
    compared("a value", best(lambda: [simple(1j, K=2.0) for _ in range(10000)]) / 10000,
             best(lambda: [2.0 / (1j * 1j + 1j + 2.0) for _ in range(10000)]) / 10000)

    rng, frequencies = np.random.default_rng(1), 1j * np.logspace(-1, 1, 20)[:, None]
    samples = 10 * (1 + 0.05 * (2 * rng.random(50000) - 1))

    def study(values):
        return np.quantile(np.abs(values(frequencies, samples)), [0.05, 0.95], axis=1)

    ours, theirs = (lambda s, K: t(s, K=K)), sympy.lambdify((s, K), want)
    assert np.allclose(study(ours), study(theirs))
    compared("Monte Carlo, 50,000 samples at 20 frequencies; lambdify on arrays", best(lambda: study(ours), 3), best(lambda: study(theirs), 3))
    if sys.argv[1:] == ["--json"]:
        print(json.dumps(ROWS))
        return
    print(LINE.format("", "sfg", "other", "quotient"))
    for what, ours, theirs in ROWS:
        print(LINE.format(what, shown(ours), shown(theirs), f"{theirs / ours:.1f}"))


if __name__ == "__main__":
    main()
