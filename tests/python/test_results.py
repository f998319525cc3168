"""Answers: dicts with attributes, tables, pictures, frames; and what is wrong with a question, in words of the call."""
import html.parser
import pathlib
import pickle
import re
import subprocess
import sys
import textwrap
import warnings
import xml.etree.ElementTree as ET
from fractions import Fraction

import numpy as np
import pytest

import sfg
from sfg._errors import in_keywords

ROOT = pathlib.Path(__file__).parents[2]
pytestmark = pytest.mark.filterwarnings("ignore::sfg.InputWarning")


def loop():
    g = sfg.Graph(title="loop", input="R", output="C", parameters={"K": 10})
    g.branch("R", "e")
    g.branch("e", "C", "K/(s*(s+1)*(s+4))")
    g.branch("C", "e", -1)
    return g


ASKED = {
    "Tf": lambda g: g.tf(), "Mason": lambda g: g.mason(), "Poles": lambda g: g.modes(), "Bode": lambda g: g.bode(freq=[1, 2, 3]),
    "Nyquist": lambda g: g.nyquist(freq=[1, 2, 3]), "Nichols": lambda g: g.nichols(freq=[1, 2, 3]),
    "Margins": lambda g: g.margins(break_="C,e"), "Step": lambda g: g.step(until=3, points=4), "Impulse": lambda g: g.impulse(until=3, points=4),
    "Simulate": lambda g: g.simulate(until=3, points=4, inputs={"R": "sin(t)"}), "Routh": lambda g: g.routh("K"),
    "Rlocus": lambda g: g.rlocus("K"), "Sens": lambda g: g.monte_carlo(20, ["peak"], tolerance=0.05, seed=1),
    "Discretize": lambda g: g.discretize(0.1), "Tune": lambda g: g.tune({"K": (1, 5)}, spec=["phase-margin > 10"], break_="C,e"),
    "Check": lambda g: g.check(), "Derive": lambda g: g.derive(as_="state-space"), "Reduce": lambda g: g.reduction(eliminate="e"),
    "FrequencyResponse": lambda g: g.transfer().bode([1, 2]), "SensParameter": lambda g: g.transfer().sens("K")}
DRAWN = {"Poles", "Bode", "Nyquist", "Nichols", "Margins", "Step", "Impulse", "Simulate", "Rlocus", "Reduce", "Sens", "FrequencyResponse"}


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("kind", ASKED)
def test_every_answer_has_all_faces(kind):
    answer = ASKED[kind](loop())
    assert type(answer).__name__ == kind and isinstance(answer, dict) and isinstance(answer, sfg.Answer)
    for key, value in answer.items():
        if key.isidentifier() and key != "schema" and not hasattr(dict, key):
            shown = getattr(answer, key + "_" if key in ("yield",) else key)
            assert key in ("yield",) or key in dir(answer)
            assert not isinstance(value, np.ndarray) or shown is value
    tags = Tags()
    tags.feed(answer._repr_html_())
    assert not tags.open and "table" in tags.seen and repr(answer).startswith(f"<sfg.{kind}")
    picture = answer._repr_svg_()
    assert (picture is not None) == (kind in DRAWN) and (picture is None or ET.fromstring(picture).tag.endswith("svg"))
    plain = answer.to_dict()
    assert type(plain) is dict and not any(isinstance(value, sfg.Answer) for value in plain.values())
    assert repr(pickle.loads(pickle.dumps(answer))) == repr(answer)
    for wrong in (lambda: setattr(answer, "nothing", 1), lambda: answer.nothing, lambda: setattr(answer, next(iter(answer)), 1)):
        with pytest.raises(AttributeError):
            wrong()


def test_pictures_are_those_of_the_command(tmp_path):
    step = loop().step(until=3, points=4)
    step.plot(tmp_path / "a.svg", title="a title of its own")
    assert "a title of its own" in step.plot(title="a title of its own") and (tmp_path / "a.svg").stat().st_size > 1000
    step.plot(tmp_path / "a.pdf")
    assert (tmp_path / "a.pdf").read_bytes()[:4] == b"%PDF"
    with pytest.raises(sfg.InputError, match="no picture.*Mason"):
        loop().mason().plot()


def test_attributes_are_values():
    m = loop().mason()
    assert m.transfer == "K/(s*(s+1)*(s+4) + K)" and isinstance(m.transfer, sfg.Formula) and m["transfer"] == str(m.transfer)
    assert m.determinant == 1 - m.loops[0].gain and m.paths[0].gain / m.determinant == m.transfer and m.counts.sets == 2
    poles = loop().modes()
    assert poles.gain == Fraction(10) and poles.modes[0].pole == poles.poles[0] and poles.modes[0].frequency > 0
    study = ASKED["Sens"](loop())
    assert study.measures[0].name == "peak" and study.samples["peak"].shape == (20,)
    sampled = sfg.Graph(input="u", output="y", variable="s")
    sampled.branch("u", "x", "1/s")
    sampled.branch("x", "x", "-2")
    sampled.branch("x", "y", 3)
    space = sampled.derive(as_="state-space")
    for matrix in (space.A, space.B, space.C, space.D):
        assert isinstance(matrix, np.ndarray) and matrix.dtype == float and matrix.ndim == 2
    symbolic = loop().derive(as_="state-space")
    value = np.vectorize(lambda f: complex(f.subs(K=10) if "K" in f.names else f) if isinstance(f, sfg.Formula) else f)
    s = 0.7j
    A, B, C, D = (value(m) for m in (symbolic.A, symbolic.B, symbolic.C, symbolic.D))
    row = list(symbolic.outputs).index("C")
    assert np.isclose((C @ np.linalg.solve(s * np.eye(len(A)) - A, B) + D)[row, 0], loop().transfer()(s))


def test_roots_are_arrays_with_a_table():
    roots = loop().poles()
    assert isinstance(roots, np.ndarray) and roots.dtype == complex and "<table>" in roots._repr_html_() and repr(roots).startswith("array(")
    assert type(roots + 1) is np.ndarray and type(abs(roots)) is np.ndarray and isinstance(roots[0], complex) and np.poly(roots).shape == (4,)
    assert type(roots[:2]) is np.ndarray and loop().transfer().poles().shape == (3,)


def test_frames():
    pandas = pytest.importorskip("pandas")
    frame = ASKED["Bode"](loop()).to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and list(frame.index) == [1, 2, 3] and {"value", "magnitude_db", "phase_deg"} <= set(frame)
    assert list(ASKED["Step"](loop()).to_dataframe()) == ["C"] and ASKED["Sens"](loop()).to_dataframe().shape == (20, 2)
    assert list(ASKED["Poles"](loop()).to_dataframe()["pole"]) == list(loop().poles())
    margins = ASKED["Margins"](loop())
    assert margins.to_dataframe()["phase_margin_deg"][0] == margins.phase_margin_deg and len(margins.to_dataframe("disk")) == 3
    assert ASKED["Rlocus"](loop()).to_dataframe().shape[1] == 3 and ASKED["Routh"](loop()).to_dataframe().shape[0] == 4
    model = sfg.read(ROOT / "examples/vehicle.toml")
    both = model.bode(["z1", "z2"], "Z", freq=[1, 2]).to_dataframe()
    assert list(both.index.names) == ["input", "output", "frequency"] and both.shape[0] == 4
    with pytest.raises(sfg.InputError, match="disk"):
        margins.to_dataframe("no such table")


def test_figures():
    figure = pytest.importorskip("matplotlib.figure")
    for kind in DRAWN:
        assert isinstance(ASKED[kind](loop()).figure(), figure.Figure), kind
    with pytest.raises(sfg.InputError, match="Mason"):
        loop().mason().figure()


def test_what_is_not_installed_is_said():
    program = """
        import sys
        for name in ("pandas", "matplotlib", "matplotlib.figure"):
            sys.modules[name] = None
        import sfg
        t = sfg.Transfer("1/(s + 1)")
        for ask in (lambda: t.bode([1]).to_dataframe(), lambda: t.bode([1]).figure()):
            try: ask()
            except ImportError as error: print(error)
        """
    said = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert "needs pandas" in said.stdout and "needs matplotlib" in said.stdout, said.stderr


WRONG = [
    (lambda g: g.branch("a", "b", "1/("), "'1/('"), (lambda g: g.poles(K="1+"), "K='1+'"), (lambda g: g.tf("nowhere"), "input='nowhere'"),
    (lambda g: g.tf("R", "nowhere"), "output='nowhere'"), (lambda g: g.bode(freq="a:b"), "freq='a:b'"), (lambda g: g.step(until=-1), "until=-1"),
    (lambda g: g.tf(form="no"), "form='no'"), (lambda g: g.simulate(inputs={"R": "sin(t"}, until=1), "inputs={'R': 'sin(t'}"),
    (lambda g: g.margins(break_="x,y"), "break_='x,y'"), (lambda g: g.routh("q"), "'q'"), (lambda g: sfg.routh("s^2+"), "polynomial"),
    (lambda g: g.monte_carlo(10), "measures="), (lambda g: g.transfer()(1j, K="1/("), "K='1/('"), (lambda g: g.transfer().sens("q"), "'q'"),
    (lambda g: sfg.Transfer("1/(s+"), "'1/(s+'"), (lambda g: sfg.Formula("a b"), "'a b'"), (lambda g: sfg.loads("digraph {\n a -> \n}"), "line 3"),
    (lambda g: g.export("no"), "target='no'"), (lambda g: g.discretize(), "sample_time="), (lambda g: g.tune({"Q": (1, 2)}, minimize="peak"), "'Q'"),
    (lambda g: g.balance(), "freq="), (lambda g: sfg.Graph(parameters={"K": {"value": 1, "tolerance": "5x"}}), "'5x'"),
    (lambda g: sfg.Transfer([1], []), "coefficients"), (lambda g: g.transfer("R", "nowhere"), "'nowhere'"), (lambda g: g.ports("1"), "netlist")]


@pytest.mark.parametrize("place", range(len(WRONG)))
def test_what_is_wrong_is_said_in_words_of_the_call(place):
    """No option of the command, no line and column of a text that nobody wrote; and what the caller wrote stands there."""
    ask, word = WRONG[place]
    with pytest.raises(sfg.InputError) as raised:
        ask(loop())
    said = str(raised.value)
    assert word in said and not re.search(r"--[a-z]", said) and not re.match(r"\d+:\d+", said) and "'sfg " not in said and "<graph>" not in said, said
    assert raised.value.file is None and raised.value.problems and said.count("\n") == len(raised.value.problems) - 1


def test_places_in_texts_that_nobody_sees_are_not_told():
    with pytest.raises(sfg.InputError) as raised:
        sfg.Transfer("K/s")(1j)
    assert (raised.value.line, raised.value.column) == (None, None) and "character" not in str(raised.value)
    with pytest.raises(sfg.InputError) as raised:
        sfg.Transfer("K/(s+")
    assert raised.value.column == 6 and "(character 6)" in str(raised.value)


def test_hints_of_the_command_are_all_in_words_of_the_call():
    """Every remedy that the sources have, as the package says it."""
    texts = [text for path in (ROOT / "tools").rglob("*.cpp") for text in re.findall(r'"((?:[^"\\]|\\.)*--[a-z](?:[^"\\]|\\.)*)"',
                                                                                    path.read_text(encoding="utf-8"))]
    assert len(texts) > 300
    for text in texts:
        assert not re.search(r"--[a-z]", in_keywords(text)), text


def test_warnings_have_no_options():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        loop().margins()
    assert caught and not any("--" in str(entry.message) for entry in caught)
