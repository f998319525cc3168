#!/usr/bin/env python3
"""Matrices of transfer functions made from a known Smith-McMillan form between two random polynomial matrices with a constant
determinant: `sfg poles` finds the form, the certificate of it holds and a forged one does not; singular values of two by two
are those of |det| and the sum of squares.
usage: transfer_matrices.py SFG"""
import cmath, json, math, pathlib, random, subprocess, sys, tempfile
from fractions import Fraction

SFG, CHECKER = sys.argv[1], pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_certificate"
rng = random.Random(5)
PLACES = [[1, 1], [2, 1], [5, 2, 1], [-1, 1], [0, 1], [3, 1]]  # lowest power first


def trimmed(a):
    while a and not a[-1]:
        a = a[:-1]
    return a


def times(a, b):
    c = [Fraction(0)] * max(0, len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            c[i + j] += Fraction(x) * y
    return trimmed(c)


def plus(a, b):
    return trimmed([(a[i] if i < len(a) else 0) + (b[i] if i < len(b) else 0) for i in range(max(len(a), len(b)))])


def text(a):
    return " + ".join(f"({x})*s^{i}" for i, x in enumerate(a)) or "0"


def read(formula):
    """A polynomial as `sfg` prints it."""
    a = []
    for term in formula.replace(" - ", " + -").split(" + "):
        factor, _, power = term.partition("s") if "s" in term else (term, "", None)
        factor = factor.rstrip("*")
        c = Fraction(-1 if factor == "-" else factor or 1)
        a = plus(a, [0] * (0 if power is None else int(power[1:] or 1)) + [c])
    return a


def chain(length):
    """Polynomials of which each divides the next."""
    result, last = [], [1]
    for _ in range(length):
        for place in PLACES:
            if rng.random() < 0.2:
                last = times(last, place)
        result.append(last)
    return result


def gcd_free(n, d):
    """Without the places that both have."""
    for place in PLACES:
        while divided(n, place) is not None and divided(d, place) is not None:
            n, d = divided(n, place), divided(d, place)
    return n, d


def divided(a, b):
    a, quotient = [Fraction(x) for x in a], []
    while len(a) >= len(b):
        factor = a[-1] / b[-1]
        quotient.append(factor)
        a = [x - factor * y for x, y in zip(a, [0] * (len(a) - len(b)) + b)][:-1]
    return None if any(a) else quotient[::-1]


def mixed(m):
    """Between elementary operations with polynomials."""
    rows, columns = len(m), len(m[0])
    for _ in range(rows + columns):
        by = [rng.randrange(-2, 3) for _ in range(2)]
        i, k = rng.randrange(rows), rng.randrange(rows)
        if i != k:
            m[i] = [plus(x, times(by, y)) for x, y in zip(m[i], m[k])]
        i, k = rng.randrange(columns), rng.randrange(columns)
        if i != k:
            for row in m:
                row[i] = plus(row[i], times(by, row[k]))
    return m


def sfg(*words):
    run = subprocess.run([SFG, *map(str, words), "--quiet"], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, (words, run.stderr)
    return run.stdout


def verdict(path):
    return subprocess.run([sys.executable, CHECKER, path], capture_output=True, text=True, timeout=600).returncode


def check_form(folder, number):
    rows, columns = rng.choice([(2, 2), (2, 3), (3, 2), (3, 3)])
    rank = rng.randrange(1, min(rows, columns) + 1)
    above, below = chain(rank), chain(rank)[::-1]
    common = below[0]
    diagonal = [times(n, divided(common, d)) for n, d in zip(above, below)]
    m = mixed([[diagonal[i] if i == j and i < rank else [] for j in range(columns)] for i in range(rows)])
    lines = [f'u{j} -> y{i} [gain="({text(m[i][j])})/({text(common)})"];' for i in range(rows) for j in range(columns) if m[i][j]]
    names = [*(f"u{j}" for j in range(columns))], [*(f"y{i}" for i in range(rows))]
    graph = folder / f"{number}.dot"
    graph.write_text("digraph { input=\"%s\"; output=\"%s\"; %s }" % (",".join(names[0]), ",".join(names[1]), " ".join([*(f"{n};" for n in names[0] + names[1]), *lines])))
    asked = [word for option, some in (("--from", names[0]), ("--to", names[1])) for name in some for word in (option, name)]
    found = json.loads(sfg("poles", graph, *asked, "--json"))
    # what was made: numerators divide upwards, denominators downwards; what both have cancels entry by entry
    want = [[read(text_of(x)) for x in gcd_free(n, d)] for n, d in zip(above, below)]
    got = [[read(x) for x in entry] for entry in found["smith_mcmillan"]]
    assert got == want, (number, found["smith_mcmillan"], want)
    assert len(found["transmission_zeros"]) == sum(len(n) - 1 for n, _ in want), number
    assert found["mcmillan_degree"] == sum(len(d) - 1 for _, d in want), number
    for re, im in found["transmission_zeros"]:
        assert min(abs(sum(float(c) * complex(re, im) ** i for i, c in enumerate(want[-1][0]))), 1) < 1e-6, number
    return graph, asked


def text_of(a):
    return " + ".join(f"{x}*s^{i}" if i else f"{x}" for i, x in enumerate(a) if x) or "0"


def check_certificate(graph, asked):
    certificate = json.loads(sfg("certificate", graph, *asked))
    assert "matrix" in certificate, graph
    path = graph.with_suffix(".json")
    path.write_text(json.dumps(certificate))
    assert verdict(path) == 0, graph
    form = certificate["matrix"]["smith_mcmillan"]
    for forged in ([*form[:-1], [f"({form[-1][0]})*(s + 17)", form[-1][1]]], form[:-1], [["1", f"({form[0][1]})*(s + 19)"], *form[1:]]):
        certificate["matrix"]["smith_mcmillan"] = forged
        path.write_text(json.dumps(certificate))
        assert verdict(path) == 1, (graph, forged)


def check_singular_values(folder, number):
    """Of two by two: their squares add up to the sum of all |g|^2, and their product is |det|."""
    gains = [[(rng.randrange(1, 5), rng.randrange(1, 9), rng.randrange(1, 4)) for _ in range(2)] for _ in range(2)]
    graph = folder / f"s{number}.dot"
    graph.write_text('digraph { input="u0,u1"; output="y0,y1"; ' + " ".join(
        f'u{j} -> y{i} [gain="{a}*exp(-s/{c})/(s^2 + s + {b})"];' for i, row in enumerate(gains) for j, (a, b, c) in enumerate(row)) + "}")
    found = json.loads(sfg("bode", graph, "--singular-values", "--freq", "0.3,1,2.5", "--json"))
    for w, values, error in zip(found["frequency"], found["singular_values"], found["error"]):
        s = 1j * w
        g = [[a * cmath.exp(-s / c) / (s * s + s + b) for a, b, c in row] for row in gains]
        squares, product = sum(abs(x) ** 2 for row in g for x in row), abs(g[0][0] * g[1][1] - g[0][1] * g[1][0])
        half, apart = squares / 2, math.sqrt(max(0, squares ** 2 / 4 - product ** 2))
        large = math.sqrt(half + apart)
        for value, want in zip(values, (large, product / large)):
            assert abs(value - want) < 1e-12 * large and error < 1e-13 * large, (number, w, values, want)
        assert values[0] >= values[1]


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for number in range(25):
        made = check_form(folder, number)
        if number < 6:
            check_certificate(*made)
    for number in range(8):
        check_singular_values(folder, number)
print("25 forms, 6 certificates and 8 sets of singular values")
