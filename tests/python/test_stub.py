"""The types that are stated are those of the package; every public thing has a docstring."""
import ast
import inspect
import os
import pathlib
import subprocess
import sys

import pytest

import sfg

STUB = pathlib.Path(sfg.__file__).with_name("__init__.pyi")


def stated():
    """{class or "": {name: its parameters}} of the stub, with what classes inherit."""
    found, bases = {"": {}}, {}
    trees = [ast.parse(STUB.with_name(name).read_text(encoding="utf-8")) for name in ("results.py", "__init__.pyi")]
    for node in (node for tree in trees for node in tree.body if tree is trees[1] or getattr(node, "name", "") == "Verbs"):
        if isinstance(node, ast.FunctionDef):
            found[""][node.name] = node
        if isinstance(node, ast.ClassDef):
            found[node.name] = {n.name: n for n in node.body if isinstance(n, ast.FunctionDef)}
            bases[node.name] = [getattr(base, "id", getattr(base, "attr", None)) for base in node.bases]
    for name, parents in bases.items():
        for parent in parents:
            found[name] = {**(found.get(parent, {}) if parent else {}), **found[name]}
    return found


def names_of(function):
    a = function.args
    return [x.arg for x in a.posonlyargs + a.args + a.kwonlyargs] + [x.arg for x in (a.vararg, a.kwarg) if x]


@pytest.mark.parametrize("owner", [sfg.Equations, sfg.Graph, sfg.Model, sfg.Transfer, sfg.Formula, sfg.Answer])
def test_methods_and_their_parameters(owner):
    of_stub = stated()[owner.__name__]
    for name in (n for n in dir(owner) if not n.startswith("_") and not hasattr(dict, n)):
        member = inspect.getattr_static(owner, name)
        assert name in of_stub, name
        assert (getattr(owner, name).__doc__ or "").strip(), name
        if not isinstance(member, property):
            function = member.__func__ if isinstance(member, classmethod) else member
            assert sorted(inspect.signature(function).parameters) == sorted(names_of(of_stub[name])), name
    for name in of_stub:
        assert hasattr(owner, name), name


def test_answers_have_an_attribute_with_type_and_description_for_every_field():
    kinds = [kind for kind in vars(sfg.results).values() if inspect.isclass(kind) and issubclass(kind, sfg.Answer) and kind is not sfg.Answer]
    assert len(kinds) > 100
    said = 0
    for kind in kinds:
        fields = {name: member for name, member in vars(kind).items() if hasattr(member, "key")}
        assert set(fields) == set(kind.__annotations__) and kind.__doc__ and not hasattr(kind(), "__dict__"), kind
        said += sum(bool(member.__doc__) for member in fields.values())
    assert said > 700
    types = ast.parse(STUB.with_name("results.pyi").read_text(encoding="utf-8"))
    stub = {node.name: {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)} for node in types.body if isinstance(node, ast.ClassDef)}
    assert {kind.__name__: set(kind.__annotations__) for kind in kinds if kind.__module__ == "sfg.results"} == {
        name: fields for name, fields in stub.items() if name != "Verbs"}


def test_every_verb_with_a_schema_has_a_class():
    from sfg import _core

    root = pathlib.Path(__file__).parents[2]
    for verb in _core.verbs():
        if (root / f"docs/schema/{verb}.schema.json").exists():
            assert issubclass(getattr(sfg.results, verb.capitalize()), sfg.Answer), verb


def test_functions():
    for name in sfg.__all__:
        member = getattr(sfg, name)
        assert (member.__doc__ or "").strip(), name
        if inspect.isfunction(member):
            assert sorted(inspect.signature(member).parameters) == sorted(names_of(stated()[""][name])), name


def test_mypy_is_content(tmp_path):
    pytest.importorskip("mypy")
    user = tmp_path / "user.py"
    user.write_text("""from typing import Optional
import sfg
import numpy as np
g = sfg.Graph(input="u", output=["y"], parameters={"K": 0.5})
g.branch("u", "y", "K/s")
t = g.transfer()
z: complex = t(1j, K=2)
a: float = float(np.abs(t.at([1.0])).max())
y: float = float(t.step(np.linspace(0, 1, 3))[0])
m = sfg.read("x.toml")
n: str = m.transfer("a", "b").numerator[0]
try:
    g.mason(time_limit=3)["paths"]
    gain: sfg.Formula = g.mason().paths[0].gain * 2
    margin: Optional[float] = g.margins(break_="y,u").phase_margin_deg
    loop: sfg.Transfer = (2 * t + t.feedback()).subs(K=1)
    end: float = float(loop.step(until=1).time[-1]) + float(loop.step([1.0])[0])
except sfg.InputError as e:
    print(e.file, e.line, e.hint)
""")
    run = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(user)],
                         capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(STUB.parents[1])})
    assert run.returncode == 0, run.stdout


def test_importing_brings_no_other_library():
    program = "import sys, sfg; print([m for m in ('sympy', 'scipy', 'matplotlib', 'networkx', 'control') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"
