"""Graphs: what is put in comes out, exactly, and what is wrong is said."""
import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

import sfg


def loop():
    g = sfg.Graph(title="loop", input="R", output="C", parameters={"K": 10})
    g.branch("R", "e")
    g.branch("e", "C", "K/(s*(s+1))")
    g.branch("C", "e", -1)
    return g


def gain_of(value):
    g = sfg.Graph(input="a", output="b")
    g.branch("a", "b", value)
    return str(g.transfer())


@pytest.mark.parametrize("value, text", [
    (0.1, "1/10"), (np.float64(0.1), "1/10"), (np.float32(0.1), "1/10"), (np.int64(-7), "-7"), (Fraction(1, 3), "1/3"),
    (1e-7, "1/10000000"), (1e22, "10000000000000000000000"), (np.array(2.5), "5/2"), ("1/s", "1/s"), (2, "2")])
def test_gains_are_exact(value, text):
    assert gain_of(value) == text


@pytest.mark.parametrize("value", [True, float("nan"), float("inf"), 1j, None, [1], object()])
def test_what_is_no_gain_is_refused_and_changes_nothing(value):
    g = loop()
    before = g.dot()
    with pytest.raises((TypeError, ValueError)):
        g.branch("x", "y", value)
    assert g.dot() == before


def test_a_wrong_gain_says_where_and_changes_nothing():
    g = loop()
    before = g.dot()
    with pytest.raises(sfg.InputError) as raised:
        g.branch("x", "y", "q/(s+")
    assert raised.value.column == 6 and raised.value.file is None and "'q/(s+'" in str(raised.value)
    assert g.dot() == before and "q" not in g.parameters


NAMES = ["in", "lambda", "λ", "a b", 'say "x"', "*/", "--json", "a,b", "K=2", "-x", "ends\\", " x ", "[1]", "é", "I", "digraph", "{}", "%s"]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_a_signal(name):
    g = sfg.Graph(input=name, output="out of " + name)
    g.branch(name, "m", "1/(s+1)")
    g.branch("m", "out of " + name, 2)
    again = sfg.loads(g.dot())
    assert again.dot() == g.dot() and again.inputs == [name] and again == g
    t = g.transfer()
    assert (t.input, t.output) == (name, "out of " + name)
    assert str(g.transfer(name, "out of " + name)) == "2/(s + 1)"
    assert np.allclose(t.poles(), [-1])  # by the command's options
    assert np.allclose(g.bode(name, "out of " + name, freq=[1.0])["transfers"][0]["value"], 2 / (1j + 1))


def test_parameters_named_as_options_are_settable():
    g = sfg.Graph(input="a", output="b", parameters={"until": 1, "points": 2, "set": 3, "time_limit": 4, "K": 5})
    g.branch("a", "b", "until*points*set*time_limit*K/(s+1)")
    assert g.transfer()(0) == 120
    assert g.transfer()(0, K=1, set={"until": 2, "set": 1, "time_limit": 1}) == 4
    assert g.step(until=1, points=3, K=1)["signals"]["b"].shape == (3,)
    assert np.isclose(g.step(until="1000", points=2, set={"until": 10})["signals"]["b"][-1], 1200)


def test_statements_of_parameters_are_kept():
    g = sfg.Graph(parameters={"R": {"value": "4.7k", "unit": "Ohm", "tolerance": "5%", "distribution": "normal", "text": "load"}})
    g.branch("u", "y", "1/R")
    assert g.parameters == {"R": {"value": "4700", "unit": "Ohm", "tolerance": "5%", "distribution": "normal", "text": "load"}}
    assert sfg.loads(g.dot()).parameters == g.parameters
    with pytest.raises(sfg.InputError):
        g.parameter("2x", 1)
    with pytest.raises(sfg.InputError):
        g.parameter("s", 1)
    with pytest.raises(sfg.InputError, match="circle"):
        g.parameter("R", "R")


def test_ends_may_be_stated_before_they_are_nodes():
    g = sfg.Graph(input=["u", "w"], output="y")
    assert sfg.loads(g.dot()).nodes == ["u", "w", "y"]
    g.branch("u", "y", 3)
    assert str(g.transfer("u", "y")) == "3" and str(g.transfer("w", "y")) == "0"
    with pytest.raises(sfg.InputError, match="u, w"):
        g.transfer()


def test_laws():
    g = sfg.Graph(input="r", output="x", parameters={"k3": 3})
    g.branch("r", "x", "1/(s+1)")
    g.law("x", "f", "k3*u^3")
    g.branch("f", "x", -1)
    assert g.branches[1] == ("x", "f", "k3*u^3")
    assert sfg.loads(g.dot()).dot() == g.dot()
    x = g.simulate("x", until=20, points=2, inputs={"r": "4"})["signals"]["x"][-1]
    assert abs(x + 3 * x**3 - 4) < 1e-6
    with pytest.raises(sfg.InputError):
        g.law("x", "g", "u^")


def test_copies_and_pickles_are_equal_and_apart():
    g = loop()
    for h in (g.copy(), copy.copy(g), copy.deepcopy(g), pickle.loads(pickle.dumps(g))):
        assert h == g
        h.branch("e", "C", "1/s")
        assert h != g
    with pytest.raises(TypeError):
        hash(g)
    t = pickle.loads(pickle.dumps(g.transfer()))
    assert t == g.transfer() and str(t) == "K/(s^2 + s + K)"


def test_a_transfer_function_keeps_the_graph_as_it_was():
    g = loop()
    t = g.transfer()
    g.branch("e", "C", 1)
    assert str(t) == "K/(s^2 + s + K)" and str(g.transfer()) != str(t) and np.allclose(np.poly(t.poles()), [1, 1, 10])


def test_networkx_there_and_back():
    networkx = pytest.importorskip("networkx")
    g = sfg.Graph(title="t", input="a b", output=["c"], variable="z", sample_time=0.1, parameters={"k": {"value": 2, "unit": "m"}})
    g.branch("a b", "c", "k/z")
    g.branch("a b", "c", 1)
    g.branch("c", "c", "1/2")
    back = sfg.Graph.from_networkx(g.to_networkx())
    assert back == g
    with pytest.raises(sfg.InputError, match="directed"):
        sfg.Graph.from_networkx(networkx.Graph())
    twins = networkx.DiGraph()
    twins.add_edge(1, "1")
    with pytest.raises(sfg.InputError, match="same name"):
        sfg.Graph.from_networkx(twins)


@pytest.mark.parametrize("attribute", ["gain", "label", "weight"])
def test_gains_of_networkx_by_their_usual_names(attribute):
    networkx = pytest.importorskip("networkx")
    other = networkx.DiGraph()
    other.add_edge("u", "x", **{attribute: 2, "colour": 7})
    other.add_edge("x", "y", colour=7)
    assert str(sfg.Graph.from_networkx(other).transfer()) == "2"
    assert str(sfg.Graph.from_networkx(other, "colour").transfer()) == "49"
    with pytest.raises(sfg.InputError, match="'price'.*gain="):
        sfg.Graph.from_networkx(other, "price")
    other.add_edge("x", "y", gain="K")  # what is named first counts, as in files
    assert str(sfg.Graph.from_networkx(other).transfer()) in ("K", "2*K")


def test_nothing_is_set_in_vain():
    g = loop()
    t = g.transfer()
    for owner in (g, t, sfg.loads("a\nR1 in out 1k\nR2 out 0 1k\nV1 in 0 AC 1\n.end\n", "spice")):
        for name in ("output", "K", "time_limit", "title", "input"):
            with pytest.raises(AttributeError):
                setattr(owner, name, "e")
    with pytest.raises(TypeError):
        g.parameters["K"] = {"value": "3"}
    with pytest.raises(TypeError):
        g.parameters["K"]["value"] = "3"
    assert str(g.transfer()) == str(t)


def test_remedies_are_in_words_of_the_package():
    g = sfg.Graph()
    g.branch("R", "e")
    g.branch("e", "C", "K/(s*(s+1))")
    g.branch("C", "e", -1)
    with pytest.raises(sfg.InputError) as failure:
        g.poles(K=2)
    assert "output=" in str(failure.value) and "to=" not in str(failure.value).replace("output=", "")
    assert g.poles(output="C", K=2).shape == (2,)
    for keyword, meant in (("to", "output"), ("from_", "input"), ("precison", "precision")):
        with pytest.raises(sfg.InputError, match=f"did you mean '{meant}'"):
            g.poles(**{keyword: 2})


def test_equations_of_sympy():
    sympy = pytest.importorskip("sympy")
    x, y, z, u, k, s = sympy.symbols("x y z u k s")
    A = sympy.Matrix([[0, 1, k], [s, 0, 1], [1, 1, s]])  # nothing on the diagonal for x and y
    b = sympy.Matrix([u, 0, 2 * u])
    g = sfg.Graph.from_sympy(A, b, [x, y, z], inputs=[u])
    for name, want in zip("xyz", A.LUsolve(b) / u):
        assert sympy.cancel(g.transfer("u", name).to_sympy() - want) == 0
    with pytest.raises(sfg.InputError, match="inputs="):
        sfg.Graph.from_sympy(A, sympy.Matrix([k * u, 0, 0]), [x, y, z])
    with pytest.raises(sfg.InputError, match="unique"):
        sfg.Graph.from_sympy(sympy.Matrix([[1, 0], [s, 0]]), sympy.Matrix([u, 0]), [x, y])
    with pytest.raises(sfg.InputError):
        sfg.Graph().branch("a", "b", sympy.I * x)
    assert gain_of(sympy.sqrt(2) * sympy.exp(-s) / sympy.Symbol("E")) == "exp(-s)*sqrt(2)/E"


def test_reading():
    with pytest.raises(sfg.InputError) as raised:
        sfg.loads("digraph {\n  a -> b [gain=\"1/(s+\"];\n}\n", format="dot")
    assert (raised.value.file, raised.value.line) == (None, 2) and raised.value.column > 1 and raised.value.hint
    with pytest.warns(sfg.InputWarning, match="milli"):
        sfg.loads('digraph { parameters="K=2M"; a -> b [gain="K"]; }')
    with pytest.raises(sfg.InputError):
        sfg.loads("x", format="nothing")
    with pytest.raises(sfg.InputError, match="no such file"):
        sfg.read("/nowhere/at/all.toml")


def test_places_are_those_of_files(tmp_path):
    text = 'digraph { r -> x [gain="1/(s+1)"]; x -> y [nonlinear="u^3"]; }'
    (tmp_path / "law.dot").write_text(text)
    with pytest.raises(sfg.InputError) as raised:
        sfg.read(tmp_path / "law.dot").transfer("r", "y")
    assert (raised.value.file, raised.value.line) == (str(tmp_path / "law.dot"), 1)
    g = sfg.Graph(input="r", output="y")
    g.branch("r", "x", "1/(s+1)")
    g.law("x", "y", "u^3")
    for ask in (lambda: g.transfer("r", "y"), lambda: g.bode("r", "y"), lambda: pickle.loads(pickle.dumps(g)).transfer()):
        with pytest.raises(sfg.InputError) as raised:
            ask()
        assert (raised.value.file, raised.value.line) == (None, None) and "x -> y" in str(raised.value)


def test_files_beside_a_model_are_found(tmp_path):
    (tmp_path / "rc.cir").write_text("an RC link\nV1 in 0 1\nR1 in out 1k\nC1 out 0 1u\n.end\n")
    (tmp_path / "joined.toml").write_text('circuit = "rc.cir"\n[graph]\nbranches = [["v(out)", "y", "2"]]\n[analysis]\noutput = ["y"]\n')
    model = sfg.read(tmp_path / "joined.toml")
    assert isinstance(model, sfg.Model)
    assert abs(model.transfer("V1", "y")(0) - 2) < 1e-12
    assert model.mason("V1", "y")["paths"]
