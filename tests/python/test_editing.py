"""Graphs are edited: what is added, removed and stated anew is what a graph built at once would have; what is wrong changes nothing."""
import random

import numpy as np
import pytest

import sfg


def loop():
    g = sfg.Graph(title="loop", input="R", output="C", parameters={"K": 10})
    g.branch("R", "e")
    g.branch("e", "C", "K/(s*(s+1))")
    g.branch("C", "e", -1)
    return g


def built(nodes, branches, inputs=(), outputs=()):
    g = sfg.Graph(input=[], output=[])
    for name in nodes:
        g.node(name)
    for branch in branches:
        g.branch(*branch)
    g.inputs, g.outputs = list(inputs), list(outputs)
    return g


def test_random_edits_give_what_is_built_at_once():
    rng = random.Random(5)
    gains = ["K", "1/s", "a*s + 1", "-1", "K/(s + b)"]
    for _ in range(30):
        nodes = [f"x{k}" for k in range(rng.randint(2, 6))]
        branches, g = [], built(nodes, [])
        for _ in range(rng.randint(1, 25)):
            kind = rng.choice(["add", "add", "add", "remove", "gain", "node", "ends"])
            distinct = [b for b in branches if sum(b[:2] == other[:2] for other in branches) == 1]
            if kind == "add":
                branches.append((rng.choice(nodes), rng.choice(nodes), rng.choice(gains)))
                g.add(*branches[-1])
            elif kind == "remove" and distinct:
                gone = rng.choice(distinct)
                branches.remove(gone)
                g.remove(*gone[:2])
            elif kind == "gain" and distinct:
                old, new = rng.choice(distinct), rng.choice(gains)
                branches[branches.index(old)] = (*old[:2], new)
                g.set_gain(*old[:2], new)
            elif kind == "node" and len(nodes) > 2:
                gone = rng.choice(nodes)
                nodes.remove(gone)
                branches = [b for b in branches if gone not in b[:2]]
                g.remove(gone)
            elif kind == "ends":
                g.inputs, g.outputs = rng.choice(nodes), [rng.choice(nodes)]
        want = built(nodes, branches, g.inputs, g.outputs)
        assert g.nodes == want.nodes and g.branches == want.branches and g == want
        assert set(g.parameters) == set(want.parameters)


def test_of_parallel_branches_one_is_named_by_its_gain():
    g = sfg.Graph()
    for gain in ("K", "2*(1 + s)", 0.5):
        g.add("a", "b", gain)
    with pytest.raises(sfg.InputError, match="3 branches.*'K', .*say which"):
        g.remove("a", "b")
    g.remove("a", "b", "2*(s+1)")
    g.set_gain("a", "b", "1/s", old=0.5)
    assert sorted(gain for _, _, gain in g.branches) == ["1/s", "K"]
    with pytest.raises(sfg.InputError, match="has the gain '7'"):
        g.remove("a", "b", 7)


def test_modes_of_the_old_gain_go_with_it():
    g = sfg.loads('digraph { r -> y [gain="0", hidden_modes="s - 1"] }')
    assert list(g.modes()["hidden"]) == [1]
    g.set_gain("r", "y", "1/(s + 3)")
    assert "hidden_modes" not in g.dot() and len(g.modes()["hidden"]) == 0


@pytest.mark.parametrize("change, said", [
    (lambda g: g.remove("E"), "no signal 'E'.*did you mean 'e'"),
    (lambda g: g.remove("R", "C"), "no branch goes from 'R' to 'C'.*'e'"),
    (lambda g: g.set_gain("e", "R", 1), "no branch goes"),
    (lambda g: g.set_gain("e", "C", "K/(s"), "'K/\\(s'"),
    (lambda g: g.remove_parameter("K"), "'K' is in the gain of the branch 'e' -> 'C'"),
    (lambda g: g.remove_parameter("k"), "no parameter 'k'"),
    (lambda g: setattr(g, "inputs", ["R", "u"]), "no signal 'u'"),
    (lambda g: setattr(g, "outputs", "c"), "did you mean 'C'"),
    (lambda g: setattr(g, "outputs", ["C", "C"]), "named twice"),
])
def test_what_is_wrong_is_said_and_changes_nothing(change, said):
    g = loop()
    before = g.dot()
    with pytest.raises(sfg.InputError, match=said):
        change(g)
    assert g.dot() == before and g.inputs == ["R"] and g.outputs == ["C"]


def test_parameters_are_forgotten():
    g = loop()
    g.parameter("T", "2*K", unit="s")
    with pytest.raises(sfg.InputError, match="'K' is in the"):
        g.remove_parameter("K")
    g.remove_parameter("T")
    g.set_gain("e", "C", "A/s")
    g.remove_parameter("K")
    assert dict(g.parameters) == {"A": {}}
    g.remove("e", "C")
    assert dict(g.parameters) == {}  # nothing states A, and no gain has it


def test_an_input_that_is_removed_is_none_any_more():
    g = loop()
    g.remove("R")
    assert g.inputs == [] and g.outputs == ["C"] and g.nodes == ["e", "C"]
    with pytest.raises(TypeError):
        g.remove("e", gain="K")


def test_laws_keep_their_arguments():
    g = sfg.Graph(input="r", output="x")
    g.node("spare")
    g.branch("r", "x", "1/(s+1)")
    g.branch("r", "z", "1/(s+2)")
    g.law("x", "f", "u*w", "w=z")
    g.branch("f", "x", -1)
    with pytest.raises(sfg.InputError, match="takes 'z'"):
        g.remove("z")
    with pytest.raises(sfg.InputError, match="law"):
        g.set_gain("x", "f", 1)
    want = g.simulate("x", until=2, points=5, inputs={"r": "1"})["signals"]["x"]
    g.remove("spare")
    assert np.allclose(g.simulate("x", until=2, points=5, inputs={"r": "1"})["signals"]["x"], want)
    g.remove("x", "f", "u*w")
    assert [b[:2] for b in g.branches] == [("r", "x"), ("r", "z"), ("f", "x")]


def test_what_is_wrong_in_networkx_is_said_by_its_names():
    networkx = pytest.importorskip("networkx")
    other = networkx.DiGraph()
    other.add_edge("u", "y", gain=2)
    assert str(sfg.Graph.from_networkx(other, input="u", output="y").transfer()) == "2"
    with pytest.raises(sfg.InputError, match="no node 'Y'; did you mean 'y'"):
        sfg.Graph.from_networkx(other, output="Y")
    for value in (None, 1j, float("nan"), [1]):
        other.edges["u", "y"]["gain"] = value
        with pytest.raises(sfg.InputError, match="'gain' of the edge 'u' -> 'y'"):
            sfg.Graph.from_networkx(other)


# ---- equations as they are written

def test_equations_as_they_are_written():
    with sfg.Equations(title="servo", input="r", output="y", parameters={"K": 10, "T": "1/2"}) as eq:
        r, e, y = eq.signals("r e y")
        K, T, s = eq.coefficients("K T s")
        e == r - y
        y == K/(s*(T*s + 1)) * e
    g = eq.graph
    assert g.inputs == ["r"] and g.nodes == ["r", "e", "y"] and g.title == "servo"
    want = sfg.Graph(input="r", output="y", parameters={"K": 10, "T": "1/2"})
    want.branch("r", "e")
    want.branch("e", "y", "K/(s*(T*s+1))")
    want.branch("y", "e", -1)
    assert str(g.transfer()) == str(want.transfer())


def test_random_equations_agree_with_numbers():
    rng = random.Random(11)
    for _ in range(25):
        n = rng.randint(1, 4)
        A = np.array([[rng.choice([0.0, 0, 1, -2, 0.5]) for _ in range(n)] for _ in range(n)])
        left = np.array([rng.choice([1, 3, -0.25]) for _ in range(n)])
        b = np.array([rng.choice([1.0, -1, 2, 0.125]) for _ in range(n)])
        with sfg.Equations(input="u") as eq:
            u = eq.signals("u")
            xs = [eq.signals(f"x{k}") for k in range(n)]
            for k in range(n):
                total = sum(A[k, j] * xs[j] for j in range(n)) + u / (1 / b[k])
                if k > 0 and rng.random() < 0.3:
                    A[k] = [float(j == 0) for j in range(n)]
                    b[k], total = 0, xs[0]  # a signal alone at the right
                elif rng.random() < 0.5:
                    total = -(-total - 0 * u) + (xs[0] - xs[0])
                left[k] * xs[k] == total
        M = np.diag(left) - A
        if abs(np.linalg.det(M)) < 1e-9:
            continue
        found = np.linalg.solve(M, b)
        assert np.allclose([eq.graph.transfer("u", f"x{k}")(0).real for k in range(n)], found)


def test_coefficients_of_any_kind():
    with sfg.Equations() as eq:
        x, y = eq.signals("supply voltage", "y")
        k = eq.coefficients("k")
        y == (2 - k) ** 2 * x / 3 + "1/s" * x + np.float64(0.5) * x - x * np.int64(2) + x / (1 / k)
    assert abs(eq.graph.transfer("supply voltage", "y")(1, k=3) - (1 / 3 + 1 + 0.5 - 2 + 3)) < 1e-12
    with sfg.Equations(input="F", output="x") as eq:
        x, F = eq.signals("x F")
        m, k, s = eq.coefficients("m k s")
        m * s**2 * x + k * x == F
    assert str(eq.graph.transfer()) == "1/(m*s^2 + k)"
    sympy = pytest.importorskip("sympy")
    a, s = sympy.symbols("a s")
    with sfg.Equations() as eq:
        u, v = eq.signals("u v")
        v == a / s * u + u * sympy.Rational(1, 3)
    assert abs(eq.graph.transfer("u", "v")(2, a=4) - (2 + 1 / 3)) < 1e-12


def wrong_equation(of, state):
    with of as eq:
        x, y, u = eq.signals("x y u")
        y == u
        state(eq, x, y, u)


@pytest.mark.parametrize("state, said", [
    (lambda eq, x, y, u: x == x * y, "product of signals"),
    (lambda eq, x, y, u: x == 1 / y, "quotient"),
    (lambda eq, x, y, u: x == u + 1, "1 stands in the equation without a signal"),
    (lambda eq, x, y, u: x == "K", "K stands"),
    (lambda eq, x, y, u: y == x, "second equation for 'y'"),
    (lambda eq, x, y, u: x + y == u, "several signals.*'x', 'y'"),
    (lambda eq, x, y, u: x - x == u, "zero"),
    (lambda eq, x, y, u: None, "'x' stands in no equation"),
    (lambda eq, x, y, u: x == sfg.Equations().signals("z"), "different equations"),
    (lambda eq, x, y, u: eq.graph, "end of the block"),
    (lambda eq, x, y, u: x == "1/(s" * u, "^formula '1/\\(s': "),
])
def test_what_is_no_equation_is_refused(state, said):
    with pytest.raises(sfg.InputError, match=said):
        wrong_equation(sfg.Equations(), state)


def test_what_is_no_signal_is_refused():
    for state in (lambda eq, x, y, u: x == None, lambda eq, x, y, u: x * object(), lambda eq, x, y, u: bool(x + y),
                  lambda eq, x, y, u: x != u):  # noqa: E711
        with pytest.raises(TypeError):
            wrong_equation(sfg.Equations(), state)
    with pytest.raises(sfg.InputError, match="no signal 'w'"):
        wrong_equation(sfg.Equations(output="w"), lambda eq, x, y, u: x == u)
    with sfg.Equations() as eq:
        x, u = eq.signals("x, u")
        x == u
    with pytest.raises(sfg.InputError, match="ended"):
        u == x


def test_equations_listed_in_sympy():
    sympy = pytest.importorskip("sympy")
    s, m, k, F, x, v = sympy.symbols("s m k F x v")
    g = sfg.Graph.from_sympy([sympy.Eq(m * s * v, F - k * x), s * x - v], unknowns=[x, v])
    assert g.inputs == ["F"] and str(g.transfer("F", "x")) == "1/(m*s^2 + k)"
    with pytest.raises(sfg.InputError, match="linear"):
        sfg.Graph.from_sympy([sympy.Eq(x**2, F)], unknowns=[x])
    with pytest.raises(sfg.InputError, match="inputs="):
        sfg.Graph.from_sympy([sympy.Eq(x, k * F)], unknowns=[x])
    assert str(sfg.Graph.from_sympy([sympy.Eq(x, k * F)], unknowns=[x], inputs=[F]).transfer()) == "k"
