"""The sessions of the guide show what Python shows."""
import doctest
import pathlib
import re

import pytest

import sfg  # noqa: F401

ROOT = pathlib.Path(__file__).parents[2]


def test_sessions_of_the_guide(monkeypatch):
    pytest.importorskip("sympy")
    pytest.importorskip("networkx")
    pytest.importorskip("pandas")
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs/guide/python.md").read_text(encoding="utf-8")
    sessions = re.findall(r"^```pycon\n(.*?)^```", page, re.S | re.M)
    assert len(sessions) > 4
    test = doctest.DocTestParser().get_doctest("".join(sessions), {}, "python.md", None, 0)
    said = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert not said, "".join(said)
