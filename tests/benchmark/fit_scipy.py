"""Fits by sfg beside SciPy's least_squares over the same models: fit_scipy.py SFG [REPEATS] [--json]    (python3-scipy)

Two masses driven by a measured force (SciPy: lsim; two-point differences, as it comes), a hardening spring (solve_ivp at the tolerances that our
simulation is checked to), a Bode plot of 60 points. A line a model: processor
time of each, of a process that has begun (reading, closed form and certified check included), and their ratio."""
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares
from scipy.signal import lsim

WORDS = [word for word in sys.argv[1:] if word != "--json"]
SFG, REPEATS = pathlib.Path(WORDS[0]).resolve(), int(WORDS[1]) if len(WORDS) > 1 else 20
ROWS = []
rng = np.random.default_rng(1)


def masses(k, c, t, u):
    A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-(k + 100) / 2, k / 2, -c, c / 2], [k, -k, c, -c]])
    return lsim((A, np.array([[0], [0], [.5], [0]]), np.eye(2, 4), np.zeros((2, 1))), u, t)[1]


def spring(k, q, t):
    return solve_ivp(lambda t, x: [x[1], math.sin(1.3 * t) - .1 * x[1] - k * x[0] - q * x[0] ** 3], (0, t[-1]), [0, 0], t_eval=t, rtol=1e-9, atol=1e-12).y[0]


def bode(K, w0, z, w):
    G = K * w0 ** 2 / (w0 ** 2 - w ** 2 + 2j * z * w0 * w)
    return np.concatenate([20 * np.log10(abs(G)), np.degrees(np.unwrap(np.angle(G)))])


def table(names, *columns):
    return "\n".join([",".join(names), *(",".join(map(repr, map(float, row))) for row in zip(*columns))]) + "\n"


t = np.arange(0, 12.05, .1)
u = np.cumsum(rng.normal(size=t.size))
x = masses(64, .7, t, u) + rng.normal(0, .003, (t.size, 2))
tn = np.arange(0, 15.1, .2)
xn = spring(1.3, .8, tn) + rng.normal(0, .01, tn.size)
w = np.geomspace(.1, 30, 60)
g = bode(1.7, 2.4, .2, w) + rng.normal(0, .1, 120)
TOML = """variable = "p"
[lagrange]
coordinates = ["x1", "x2"]
forces = { x1 = "F" }
T = ["Dx1^2", "Dx2^2/2"]
Pi = "k*(x1 - x2)^2/2 + 50*x1^2"
Phi = "c*(Dx1 - Dx2)^2/2 + c*Dx1^2/2"
[parameters]
k = 50
c = 1
"""
MODELS = [
    ("two masses, 242 samples", "m.toml", TOML, table(["t", "F", "x1", "x2"], t, u, x[:, 0], x[:, 1]), ["--vary", "k", "--vary", "c", "--to", "x1", "--to", "x2"],
     lambda p: (x - masses(*p, t, u)).ravel(), [50, 1]),
    ("hardening spring, 76 samples", "d.dot", 'digraph { input="F"; output="x"; variable="p"; parameters="k=1, q=1/2"; F -> r; r -> x [gain="1/(p^2+p/10+k)"]; x -> r [nonlinear="-q*u^3"]; }',
     table(["t", "x"], tn, xn), ["--vary", "k", "--vary", "q", "--input", "F=sin(1.3*t)", "--to", "x"], lambda p: xn - spring(*p, tn), [1, .5]),
    ("Bode plot, 120 samples", "b.dot", 'digraph { input="u"; output="y"; parameters="K=1, w=2, z=1/2"; u -> y [gain="K*w^2/(s^2+2*z*w*s+w^2)"]; }',
     table(["w", "y_db", "y_deg"], w, g[:60], g[60:]), ["--vary", "K", "--vary", "w", "--vary", "z"], lambda p: g - bode(*p, w), [1, 2, .5]),
]
for name, file, text, data, words, residual, start in MODELS:
    scipy = math.inf
    for _ in range(3):
        begun = time.process_time()
        theirs = least_squares(residual, start, x_scale=np.abs(start), xtol=1e-10, ftol=1e-12, gtol=1e-12)
        scipy = min(scipy, time.process_time() - begun)
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, file).write_text(text)
        pathlib.Path(folder, "d.csv").write_text(data)
        question = {"file": file, "verb": "fit", "args": ["--data", "d.csv", *words]}

        def ask(count):
            begun = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run([SFG, "batch", "--threads", "1"], cwd=folder, input="".join(json.dumps({"id": i, **question}) + "\n" for i in range(count)),
                                  capture_output=True, text=True, check=True)
            ended = resource.getrusage(resource.RUSAGE_CHILDREN)
            return ended.ru_utime - begun.ru_utime + ended.ru_stime - begun.ru_stime, [json.loads(line) for line in done.stdout.splitlines()]

        one, _ = ask(1)
        many, answers = ask(1 + REPEATS)
    ours = (many - one) / REPEATS
    far = max(abs(p["value"] / v - 1) for p, v in zip(answers[0]["parameters"], theirs.x))
    ROWS.append([name, ours, scipy, far])
    if "--json" not in sys.argv:
        print(f"{name}: sfg {ours * 1e3:.2f} ms, SciPy {scipy * 1e3:.0f} ms ({theirs.nfev} steps), {scipy / ours:.0f} times; values differ by {far:.0e}")
if "--json" in sys.argv:
    print(json.dumps(ROWS))
