"""Signal-flow graphs: exact transfer functions, Mason's rule, and what control engineers ask next.

    import sfg
    g = sfg.Graph(title="loop", input="R", output="C", parameters={"K": 10})
    g.branch("R", "e"); g.branch("e", "C", "K/(s*(s+1))"); g.branch("C", "e", -1)
    t = g.transfer()
    str(t), t(1j, K=2), t.poles(), t.bode([0.1, 1, 10]), g.mason()

Graph is built or read, Model is read (read(), loads()) and has a graph derived from it; both have the verbs of the command sfg as
methods, which answer in dicts with NumPy arrays whose fields are attributes, too (sfg.results). A Transfer is a value: it is
calculated with, and called with arrays; so is a Formula. Frequencies are in rad/s, times in s. Values are
exact: 0.1 is 1/10. Work goes on without the interpreter's lock, one piece at a time, and Ctrl-C stops it.
"""
try:
    import numpy as _numpy  # noqa: F401
except ImportError:
    import sys as _sys

    raise ImportError(f"sfg needs NumPy, which {_sys.executable} does not have: pip install numpy; for Debian's own Python "
                      "apt install python3-numpy") from None
from . import results
from ._core import __version__
from ._equations import Equations
from ._errors import Error, InputError, InputWarning, LimitReached, NoAnswer
from ._formula import Formula
from ._graph import Graph
from ._model import Model, exercise, loads, read, routh
from ._result import Answer
from ._transfer import Transfer

__all__ = ["Answer", "Equations", "Error", "Formula", "Graph", "InputError", "InputWarning", "LimitReached", "Model", "NoAnswer", "Transfer",
           "__version__", "exercise", "loads", "read", "results", "routh"]


def load_ipython_extension(shell: "object") -> None:
    """%load_ext sfg: the magic %%sfg VERB OPTIONS, whose input is the text of the cell."""
    from ._notebook import load

    load(shell)


for _public in (Answer, Equations, Formula, Graph, Model, Transfer, exercise, loads, read, routh):
    _public.__module__ = "sfg"
