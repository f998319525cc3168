"""Every verb of the command is a method; what it answers are dicts with arrays where the schemas have lists of numbers."""
import json
import pathlib
import warnings

import numpy as np
import pytest

import sfg
from sfg import _core
from sfg._values import with_arrays

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def loop():
    g = sfg.Graph(title="loop", input="R", output="C", parameters={"K": 10})
    g.branch("R", "e")
    g.branch("e", "C", "K/(s*(s+1)*(s+4))")
    g.branch("C", "e", -1)
    return g


# Verbs that are no questions to a graph, and those that have another name here.
NO_METHOD = {"serve", "batch", "compare", "weave"}  # libsfg/python/results.py leaves out those with a schema
RENAMED = {"graph": "dot"}


def test_every_verb_is_a_method():
    for verb in set(_core.verbs()) - NO_METHOD:
        name = RENAMED.get(verb, verb)
        assert hasattr(sfg.Graph, name) or hasattr(sfg.Model, name) or hasattr(sfg, name), verb


def test_frequency_responses():
    g = loop()
    w = np.array([0.5, 2.0])
    want = 10 / ((1j * w) * (1j * w + 1) * (1j * w + 4) + 10)
    for name in ("bode", "nyquist", "nichols"):
        for freq in (w, [0.5, 2], (np.float32(0.5), 2), "0.5,2"):
            found = getattr(g, name)(freq=freq)
            assert np.array_equal(found["frequency"], w) and np.allclose(found["transfers"][0]["value"], want)
    hertz = g.bode(freq=w / (2 * np.pi), hz=True)
    assert np.allclose(hertz["frequency"], w)
    swept = g.bode(freq=[1.0], sweep={"K": "1,2"})["sweep"]
    assert [entry["set"] for entry in swept] == [{"K": 1.0}, {"K": 2.0}]
    assert all(entry["transfers"][0]["value"].shape == (1,) for entry in swept)


def test_margins_are_where_the_open_loop_crosses():
    m = loop().margins(break_="C,e")
    for crossing in m["phase_crossovers"]:
        value = 10 / ((w := 1j * crossing["frequency"]) * (w + 1) * (w + 4))
        assert abs(value.imag) < 1e-12 and np.isclose(-20 * np.log10(abs(value)), crossing["gain_margin_db"])
    with pytest.warns(sfg.InputWarning, match="closed loop"):
        loop().margins()


def test_answers_about_a_loop():
    g = loop()
    at = 0.3 + 0.7j
    L = 10 / (at * (at + 1) * (at + 4))
    for of, want in ({}, L), ({"of": "sensitivity"}, 1 / (1 + L)), ({"of": "complementary"}, L / (1 + L)):
        t = g.tf(break_="C,e", **of)["transfers"][0]
        assert (t["input"], t["output"]) == ("C,e", of.get("of", "loop"))
        assert np.isclose(eval(t["expression"].replace("^", "**"), {"s": at, "K": 10}), want)
    assert np.allclose(np.poly(g.poles(break_="C,e", of="sensitivity")), np.poly(g.poles()))
    g.branch("C", "d", "s/2")
    g.branch("d", "e", -1)
    for others_open in (False, True):
        loops = g.margins(break_=["C,e", "d,e"], others_open=others_open)["loops"]
        assert [each["break"] for each in loops] == ["C,e", "d,e"]
        w = loops[0]["gain_crossovers"][0]["frequency"]
        rate = 0 if others_open else 5j * w
        assert np.isclose(abs(10 / (1j * w * (1j * w + 1) * (1j * w + 4) + rate)), 1)


def test_roots():
    g = loop()
    assert np.allclose(np.poly(g.poles()), [1, 5, 4, 10]) and g.zeros().shape == (0,)
    assert np.allclose(np.poly(g.poles(K=0.1)), [1, 5, 4, 0.1])
    assert np.allclose(np.poly(g.poles(precision=40)), [1, 5, 4, 10])
    with pytest.raises(sfg.InputError, match="modes"):
        g.poles(sweep={"K": "1,2"})
    assert [np.poly(entry["poles"])[-1].real.round(9) for entry in g.modes(sweep={"K": "1,2"})["sweep"]] == [1, 2]
    shape = sfg.read(EXAMPLES / "vehicle.toml").modes(modes=True)["modes"][0]["shape"]
    assert all(isinstance(value, complex) for value in shape.values())


def test_stability():
    r = loop().routh("K")
    assert r["ranges"] == [["0", "20"]] and sfg.routh("s^3 + 5*s^2 + 4*s + K", "K")["ranges"] == [["0", "20"]]
    locus = loop().rlocus("K")
    assert locus["branches"].shape == (3, len(locus["values"]))
    for k in (0, -1):
        assert np.allclose(np.poly(locus["branches"][:, k]), [1, 5, 4, locus["values"][k]])


def test_mason_and_reduction():
    m = loop().mason()
    assert m["paths"][0]["nodes"] == ["R", "e", "C"] and m["counts"] == {"paths": 1, "loops": 1, "sets": 2}
    model = sfg.read(EXAMPLES / "vehicle.toml")
    assert isinstance(model.mason("z1", "Z")["nontouching"], list)
    assert len(model.tf(["z1", "z2"], "Z")["transfers"]) == 2
    reduced = loop().reduce(eliminate=["e"])
    assert reduced.nodes == ["R", "C"] and str(reduced.transfer()) == str(loop().transfer())
    assert len(loop().reduction(eliminate="e")["steps"]) == 1
    transposed = loop().reduce(transpose=True)
    assert str(transposed.transfer("C", "R")) == str(loop().transfer())


def test_time_responses():
    r = loop().step(until=3, points=4, K=0.1)
    assert np.allclose(r["time"], [0, 1, 2, 3]) and np.allclose(r["signals"]["C"], loop().transfer().step(r["time"], K=0.1))
    duffing = sfg.read(EXAMPLES / "duffing.dot")
    found = duffing.simulate(until=3, points=4, inputs={"F": "cos(t)"}, initial={"x": 0.5})
    assert found["time"].shape == (4,) and abs(found["signals"]["x"][0] - 0.5) < 1e-9
    balance = duffing.balance(amplitude={"F": 0.5}, freq=[1.2])
    assert balance["points"][0]["harmonics"]["x"].dtype == complex


def test_studies():
    g = loop()
    study = g.monte_carlo(50, ["peak", "phase-margin"], tolerance={"K": "5%"}, seed=3, break_="C,e", spec=["peak < 100"])
    samples = study["samples"]
    assert set(samples) == {"K", "peak", "phase-margin"} and all(column.shape == (50,) for column in samples.values())
    assert np.isclose(samples["peak"].mean(), study["measures"][0]["mean"]) and study["yield"] == 1
    assert abs(samples["K"] / 10 - 1).max() <= 0.05
    bounds = g.worst_case(["peak"], tolerance=0.05)["worst_case"][0]
    assert bounds["lower"]["bound"] <= samples["peak"].min() and samples["peak"].max() <= bounds["upper"]["bound"]
    assert g.sobol(16, "peak", tolerance="5%")["sobol"] and g.morris(4, "peak", tolerance="5%")["morris"]
    assert g.tornado("peak", tolerance="5%")["tornado"][0]["bars"][0]["parameter"] == "K"
    gains = sfg.Graph(input="u", output="y", parameters={"a": 1, "b": 2})
    gains.branch("u", "y", "a + b")
    matrix = {"a,a": 0.04, "b,b": 0.09, "a,b": 0.03}
    effects = gains.sobol(256, "dc", covariance=matrix)["sobol"][0]["shapley"]
    assert abs(effects["a"] + effects["b"] - 1) < 1e-12
    found = gains.worst_case(["dc"], covariance=matrix, level=2)
    assert abs(found["worst_case"][0]["upper"]["attained"] - (3 + 2 * 0.19**0.5)) < 1e-6 and found["ellipsoid"]["rank"] == 2
    told = g.identifiable(known="K")
    assert [p["identifiable"] for p in told["parameters"]] == [True] * len(told["parameters"]) and told["generate"] is True
    tuned = g.tune({"K": (0.1, 100)}, spec="phase-margin = 45", break_="C,e")
    assert abs(g.margins(break_="C,e", K=tuned["parameters"]["K"])["phase_margin_deg"] - 45) < 1e-3
    assert g.tune({"K": (9, 10)}, spec=["peak < 0.1"])["conflicts"]


def test_fit(tmp_path):
    data = tmp_path / "d.csv"
    data.write_text("t,y\n" + "".join(f"{t / 10},{3 * (1 - np.exp(-t / 4))}\n" for t in range(40)))
    g = sfg.Graph(input="u", output="y", parameters={"K": 1, "T": 1})
    g.branch("u", "y", "K/(T*s + 1)")
    for vary in (["K", "T"], {"K": None, "T": (0.01, 10)}, {"K": np.array([1, 9]), "T": "2*K/15"}):
        found = g.fit(str(data), vary)
        assert found["converged"] and abs(found["parameters"][0]["value"] - 3) < 1e-6
        assert found.covariance.shape == (len(found.parameters),) * 2 and "rms" in repr(found) and found.plot().startswith("<svg")
    with pytest.raises(ValueError, match="LOW, HIGH"):
        g.fit(data, {"K": (1, 2, 3)})
    with pytest.raises(sfg.InputError, match="^vary='Q': there is no parameter"):
        g.fit(data, ["Q"])
    g.set_gain("u", "y", "K/(T*s)")
    with pytest.warns(sfg.InputWarning, match="K/T"):
        open_ended = g.fit(data, ["K", "T"])
    assert open_ended.combinations == [sfg.Formula("K/T")] and np.isnan(open_ended.correlation).all()
    assert open_ended.to_dict()["combinations"] == g.identifiable().to_dict()["combinations"]


def test_data_of_a_call():
    """What a call has as arrays answers as the file of the same numbers does; what is wrong in them is told by row and column."""
    pandas = pytest.importorskip("pandas")
    g = sfg.Graph(input="u", output="y", parameters={"K": 1, "T": 1})
    g.branch("u", "y", "K/(T*s + 1)")
    t = np.arange(40) / 10
    y = 3 * (1 - np.exp(-t / 4))
    frame = pandas.DataFrame({"y": y}, index=pandas.Index(t, name="t"))
    for data in {"t": t, "y": y}, {"t": list(t), "y": tuple(y)}, frame, frame.reset_index(), [{"t": t, "y": y}, frame]:
        found = g.fit(data, ["K", "T"])
        assert abs(found.parameters[0].value - 3) < 1e-6 and abs(found.parameters[1].value - 4) < 1e-5 and found.plot().startswith("<svg")
    assert found.samples == 80
    w = np.logspace(-2, 1, 20)
    seen = g.bode(data={"w": w, "y": 3 / (4j * w + 1)})
    assert np.allclose(seen.data.transfers[0].value, 3 / (4j * w + 1)) and 'class="data ' in seen.plot()
    part, masked = 3 / (4j * w + 1), np.ma.masked_array(np.where(t == 1, 50, y), mask=t == 1)
    part[5] = complex(np.nan, 0)  # no sample, nor is its other part one
    part[6] = complex(7, np.nan)
    for data in {"w": w, "y": part}, {"t": t, "y": masked}:
        assert abs(g.fit(data, ["K", "T"]).parameters[0].value - 3) < 1e-6
    gap = y.copy()
    gap[3] = np.nan
    assert np.isnan(g.step(data={"t": t, "y": gap}).data.signals["y"]).sum() == 1
    for data, message in (({"t": t, "y": y[1:]}, "'t' has 40, 'y' has 39"), ({"t": t, "y": ["a"] * 40}, "'y' is no list of numbers"),
                          ({"t": t[::-1], "y": y}, "^data: row 1: "), ({"t": t, "Y": y}, "^data: .*'Y'"), ({3: t}, "heading 3"),
                          ({"t": t, "y": y + np.inf}, "infinite"), ({"t": np.arange(40).astype("datetime64[s]"), "y": y}, "dates"),
                          ({"t": t, "y": np.eye(40)}, r"shape \(40, 40\)")):
        with pytest.raises(sfg.InputError, match=message):
            g.fit(data, ["K"])


def test_identifiable():
    pytest.importorskip("pandas")
    g = sfg.Graph(input="r", output="y", parameters={"K": 3, "J": 2})
    g.branch("r", "e"), g.branch("e", "y", "K/(J*s)"), g.branch("y", "e", -1)
    told = g.identifiable()
    assert [p.identifiable for p in told.parameters] == [False, False] and told.degrees_of_freedom == 1
    assert told.combinations == [sfg.Formula("K/J")] and list(told.to_dataframe()["name"]) == ["K", "J"]
    assert "degrees_of_freedom" in repr(told) and "<table>" in told._repr_html_()
    for known in "J", ["J"], ("J",):
        assert g.identifiable("r", ["y", "e"], known=known).parameters[0].identifiable is True
    with pytest.raises(sfg.InputError, match="^known: 'Q' is no parameter"):
        g.identifiable(known="Q")


def test_circuits():
    tee = sfg.read(EXAMPLES / "tee.cir")
    assert len(tee.ports(["1", "2"], "s", z0=50)["matrix"]) == 2
    with pytest.raises(sfg.InputError, match="add form='approximate', or"):
        tee.ports(["1", "2"], freq=[1.0])
    noise = sfg.read(EXAMPLES / "sallen_key.cir").noise("v(out)", freq=[10, 100])
    assert noise["output_density"].shape == (2,)


def test_comparison():
    assert loop().compare(loop())["same"] is True
    other = loop()
    other.branch("R", "C", 1)
    assert loop().compare(other)["same"] is False


def test_models(tmp_path):
    m = sfg.read(EXAMPLES / "vehicle.toml")
    assert list(m.equations()) == ["phix", "phiy", "Z"]
    assert m.derive()["Mark"] is not None
    again = sfg.loads(m.text, format="toml")
    assert again == m and again.graph() == m.graph() and m.nodes == m.graph().nodes
    w = np.array([0.5, 3.0])
    assert np.allclose(m.transfer("z1", "Z").at(w), m.bode("z1", "Z", freq=w)["transfers"][0]["value"])
    assert np.allclose(m.transfer("z1", "Z - z1").at(w), m.transfer("z1", "Z").at(w) - 1)
    m.report(tmp_path / "report.html", sections="graph")
    assert "<html" in (tmp_path / "report.html").read_text()


def test_pictures(tmp_path):
    g = loop()
    for name in ("a.svg", "a.png", "a.pdf", "a.tex", "a.dot"):
        assert g.draw(tmp_path / name) is None and (tmp_path / name).stat().st_size > 100
    assert g.draw(as_="blocks").startswith("<svg") and g._repr_svg_().startswith("<svg")
    with pytest.raises(sfg.InputError):
        g.draw(tmp_path / "a.xyz")
    assert not (tmp_path / "a.xyz").exists()


def test_exports(tmp_path):
    g = loop()
    table = g.export("analog")
    assert "integrator" in table
    g.export("analog", tmp_path / "loop.cir")
    assert ".end" in (tmp_path / "loop.cir").read_text()
    program = g.export("python")
    named = {}
    exec(compile(program, "exported.py", "exec"), named)  # importable: nothing is printed
    assert np.isclose(named["transfer_0"](1j), g.transfer()(1j))
    g.export("c", tmp_path / "loop.c")
    assert "loop_transfer_0" in (tmp_path / "loop.c").read_text()
    with pytest.raises(sfg.Error):
        g.export("nothing", tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_a_table_of_branches(tmp_path):
    (tmp_path / "graph.csv").write_text("from,to,gain\na,b,1/s\n")
    assert str(sfg.read(tmp_path / "graph.csv").transfer()) == "1/s"
    assert sfg.loads("from,to,gain\na,b,1/s\n", format="csv") == sfg.read(tmp_path / "graph.csv")


def test_samples_are_numbers_all_the_way():
    """What comes without text is what JSON has."""
    g = loop()
    words, text = g._source().words()
    said = _core.answer(["sens", *words, "--json", "--monte-carlo=300", "--measure=peak", "--measure=gain-margin", "--tolerance=0.2",
                         "--samples", "--seed=7", "--set=K=18"], text, _core.Limits())
    want, found = json.loads(said[1]), g.monte_carlo(300, ["peak", "gain-margin"], tolerance=0.2, seed=7, K=18)
    assert set(want["samples"]) == set(found.samples) and list(found) == list(want)
    for name, column in want["samples"].items():
        assert np.array_equal(found.samples[name], [np.nan if value is None else value for value in column], equal_nan=True), name


def test_a_text_without_a_file_is_checked():
    assert loop().check().problems == [] and sfg.loads((EXAMPLES / "vehicle.toml").read_text(encoding="utf-8"), "toml").check().summary == "no problems"


def test_keywords_that_are_neither_options_nor_parameters():
    with pytest.raises(sfg.InputError, match="did you mean 'freq'"):
        loop().bode(frek=[1])
    with pytest.raises(TypeError):
        loop().bode(hz=3)
    with pytest.raises(TypeError):
        loop().transfer().latex(K=1)
    with pytest.raises(ValueError):
        loop().mason(time_limit=-1)


def complex_fields():
    """Names of fields that a schema says to be lists of pairs, and pairs."""
    texts = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "docs" / "schema").glob("*.json")}
    lists, pairs = set(), set()

    def is_pair(entry):
        return any(entry.get("$ref", "").endswith(end) for end in ("/complex", "/complex_or_null", "/root"))

    def walk(entry):
        if isinstance(entry, list):
            return [walk(part) for part in entry]
        if not isinstance(entry, dict):
            return None
        for name, field in (entry.get("properties") or {}).items():
            if isinstance(field, dict):
                if is_pair(field):
                    pairs.add(name)
                inner = field.get("items")
                while isinstance(inner, dict) and isinstance(inner.get("items"), dict):
                    inner = inner["items"]
                if isinstance(inner, dict) and is_pair(inner):
                    lists.add(name)
        return [walk(part) for part in entry.values()]

    walk(list(texts.values()))
    return lists, pairs


def test_the_operating_point_of_a_simulator_goes_with_the_netlist(tmp_path):
    text = "stage\nV1 g 0 AC 1\nJ1 d g 0 JN\nR1 d 0 2k\n.model JN NJF(LEVEL=2)\n.print v(d)\n.end\n"
    (tmp_path / "stage.cir").write_text(text)
    (tmp_path / "op.txt").write_text("@j1[gm] = 4e-3\n@j1[gds] = 5e-4\n@j1[cgs] = 1e-12\n@j1[cgd] = 0\n")
    with pytest.raises(sfg.InputError, match="J1"):
        sfg.read(tmp_path / "stage.cir")
    for stage in (sfg.read(tmp_path / "stage.cir", operating_point=tmp_path / "op.txt"),
                  sfg.loads(text, "spice", operating_point=str(tmp_path / "op.txt"))):
        assert stage.transfer().at(0) == pytest.approx(-4)
        value = stage.bode(freq=[1.0], gm_J1=2e-3)["transfers"][0]["value"]
        assert value[0] == pytest.approx(-2)


def test_what_the_schemas_call_complex_is_complex():
    lists, pairs = complex_fields()
    assert {"poles", "value"} <= lists and {"dT", "pole"} <= pairs
    for name in lists:
        assert with_arrays({name: [[1.0, 2.0], [0.5, 0.0]]})[name].dtype == complex, name
    for name in pairs:
        assert with_arrays({name: [1.0, 2.0]})[name] == 1 + 2j, name
    kept = with_arrays({"ranges": [["0", None]], "nontouching": [[0, 1]], "nodes": ["a"], "confidence": [0.5, 1.0]})
    assert kept["ranges"] == [["0", None]] and kept["nodes"] == ["a"]
    assert kept["nontouching"][0].tolist() == [0, 1] and kept["confidence"].dtype == float
    assert np.isnan(with_arrays({"phase_deg": [None, 1.0]})["phase_deg"][0])


def test_warnings_are_placed_at_the_call():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        loop().margins()
    assert caught[0].filename == __file__
