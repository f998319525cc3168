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
    tree, found, bases = ast.parse(STUB.read_text(encoding="utf-8")), {"": {}}, {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[""][node.name] = node
        if isinstance(node, ast.ClassDef):
            found[node.name] = {n.name: n for n in node.body if isinstance(n, ast.FunctionDef)}
            bases[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]
    for name, parents in bases.items():
        for parent in parents:
            found[name] = {**found.get(parent, {}), **found[name]}
    return found


def names_of(function):
    a = function.args
    return [x.arg for x in a.posonlyargs + a.args + a.kwonlyargs] + [x.arg for x in (a.vararg, a.kwarg) if x]


@pytest.mark.parametrize("owner", [sfg.Equations, sfg.Graph, sfg.Model, sfg.Transfer])
def test_methods_and_their_parameters(owner):
    of_stub = stated()[owner.__name__]
    for name in (n for n in dir(owner) if not n.startswith("_")):
        member = inspect.getattr_static(owner, name)
        assert name in of_stub, name
        assert (getattr(owner, name).__doc__ or "").strip(), name
        if not isinstance(member, property):
            function = member.__func__ if isinstance(member, classmethod) else member
            assert sorted(inspect.signature(function).parameters) == sorted(names_of(of_stub[name])), name
    for name in of_stub:
        assert hasattr(owner, name), name


def test_functions():
    for name in sfg.__all__:
        member = getattr(sfg, name)
        assert (member.__doc__ or "").strip(), name
        if inspect.isfunction(member):
            assert sorted(inspect.signature(member).parameters) == sorted(names_of(stated()[""][name])), name


def test_mypy_is_content(tmp_path):
    pytest.importorskip("mypy")
    user = tmp_path / "user.py"
    user.write_text("""import sfg
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
except sfg.InputError as e:
    print(e.file, e.line, e.hint)
""")
    run = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(user)],
                         capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(STUB.parents[1])})
    assert run.returncode == 0, run.stdout


def test_importing_brings_no_other_library():
    program = "import sys, sfg; print([m for m in ('sympy', 'scipy', 'matplotlib', 'networkx', 'control') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"
