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
from . import results
from ._errors import Error, InputError, InputWarning, LimitReached, NoAnswer
from ._formula import Formula
from ._graph import Graph
from ._model import Model, exercise, loads, read, routh
from ._result import Answer
from ._transfer import Transfer

__all__ = ["Answer", "Error", "Formula", "Graph", "InputError", "InputWarning", "LimitReached", "Model", "NoAnswer", "Transfer", "exercise", "loads",
           "read", "results", "routh"]
for _public in (Answer, Formula, Graph, Model, Transfer, exercise, loads, read, routh):
    _public.__module__ = "sfg"
