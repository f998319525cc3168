"""Makes references.json anew: data sets and what SciPy's least_squares finds in them, by models of its own (closed forms, expm, solve_ivp).

references.py > references.json    (python3-scipy)"""
import json
import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.optimize import least_squares

rng = np.random.default_rng(37)
items = []


def table(names, columns):
    return "\n".join([",".join(names)] + [",".join(repr(float(f"{v:.7g}")) for v in row) for row in zip(*columns)]) + "\n"


def read(text):
    rows = [line.split(",") for line in text.splitlines()[1:]]
    return np.array(rows, float).T


def add(name, model, text, files, args, names, start, residual, std=None, **options):
    """Truth is what least_squares finds: three starts agree, or the set is no good."""
    size = np.abs(start)
    fits = [least_squares(lambda x: residual(x * size), np.array(start) * f / size, jac="3-point", x_scale="jac",
                          xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=2000, **{k: v for k, v in options.items() if k != "bounds"},
                          **({"bounds": (np.array(options["bounds"][0]) / size, np.array(options["bounds"][1]) / size)}
                             if "bounds" in options else {})) for f in (1, 1.01)]
    best = min(fits, key=lambda f: f.cost)
    x, r = best.x * size, residual(best.x * size)
    item = {"name": name, "model": model, "text": text, "files": files, "args": args, "parameters": dict(zip(names, map(float, x))),
            "rms": float(np.sqrt(np.mean(r ** 2))), "samples": len(r)}
    if "loss" not in options and "bounds" not in options:
        J = best.jac / size
        cov = float(r @ r) / (len(r) - len(x)) * np.linalg.inv(J.T @ J)
        item["std"] = dict(zip(names, map(float, np.sqrt(np.diag(cov)))))
    items.append(item)


def dot(parameters, branches, ends='input="u"; output="y"', variable="s"):
    return f'digraph {{\n  {ends}; variable="{variable}";\n  parameters="{parameters}";\n' + "".join(f"  {b}\n" for b in branches) + "}\n"


def noisy(y, sigma):
    return y + rng.normal(0, sigma, np.shape(y))


t = np.linspace(0, 6, 49)
first = lambda K, T, t: np.where(t > 0, K * (1 - np.exp(-np.maximum(t, 0) / T)), 0)
lag = dot("K=1, T=1", ['u -> y [gain="K/(T*s+1)"];'])
ends = ["--from", "u", "--to", "y"]

d = table(["t", "y"], [t, noisy(first(2.2, 0.9, t), .03)])
tt, y = read(d)
add("first order", "m.dot", lag, {"d.csv": d}, ["--data", "d.csv", "--vary", "K", "--vary", "T", *ends], ["K", "T"], [1, 1],
    lambda x, tt=tt, y=y: y - first(x[0], x[1], tt))
for loss, scipys, word in (("huber", "huber", "huber=0.05"), ("soft-l1", "soft_l1", "soft-l1=0.05"), ("cauchy", "cauchy", "cauchy=0.05")):
    bad = y.copy()
    bad[::9] += .6
    d = table(["t", "y"], [tt, bad])
    tb, yb = read(d)
    add("outliers, " + loss, "m.dot", lag, {"d.csv": d}, ["--data", "d.csv", "--vary", "K", "--vary", "T", "--loss", word, *ends], ["K", "T"],
        [1, 1], lambda x, tb=tb, yb=yb: yb - first(x[0], x[1], tb), loss=scipys, f_scale=.05)
d = table(["t", "y"], [t, noisy(first(2.2, 0.9, t), .03)])
tt, y = read(d)
add("bound", "m.dot", lag, {"d.csv": d}, ["--data", "d.csv", "--vary", "K=0.5:2", "--vary", "T=0.1:10", *ends], ["K", "T"], [1, 1],
    lambda x, tt=tt, y=y: y - first(x[0], x[1], tt), bounds=([.5, .1], [2, 10]))


def second(w, z, t):
    p = np.roots([1, 2 * z * w, w * w]).astype(complex)
    return np.real(1 + (p[1] * np.exp(p[0] * t) - p[0] * np.exp(p[1] * t)) / (p[0] - p[1]))


d = table(["t", "y"], [t, noisy(1.5 * second(2.1, .3, t), .02)])
tt, y = read(d)
add("second order", "m.dot", dot("K=1, w=2, z=1/2", ['u -> y [gain="K*w^2/(s^2+2*z*w*s+w^2)"];']), {"d.csv": d},
    ["--data", "d.csv", "--vary", "K", "--vary", "w", "--vary", "z", *ends], ["K", "w", "z"], [1, 2, .5],
    lambda x, tt=tt, y=y: y - x[0] * second(x[1], x[2], tt))

d = table(["t", "y"], [t, noisy(first(2, .8, t - .43), .02)])
tt, y = read(d)
add("dead time", "m.dot", dot("K=1, T=1, L=2/5", ['u -> y [gain="K/(T*s+1)*exp(-L*s)"];']), {"d.csv": d},
    ["--data", "d.csv", "--vary", "K", "--vary", "T", "--vary", "L", *ends], ["K", "T", "L"], [1, 1, .4],
    lambda x, tt=tt, y=y: y - first(x[0], x[1], tt - x[2]))

add("tied", "m.dot", dot("K=1, T=1, L=3", ['u -> y [gain="K/((T*s+1)*(L*s+1))"];']),
    {"d.csv": (d := table(["t", "y"], [t, noisy(2 + 2 * np.exp(-t / .4) - 4 * np.exp(-t / .8), .02)]))},
    ["--data", "d.csv", "--vary", "K", "--vary", "T", "--vary", "L=2*T", *ends], ["K", "T"], [1, 1],
    lambda x, q=read(d): q[1] - x[0] * (1 + np.exp(-q[0] / x[1]) - 2 * np.exp(-q[0] / (2 * x[1]))))

d = table(["t", "y"], [t, noisy(.7 * np.exp(-t / 1.3) + 2 * (1 - np.exp(-t / 1.3)), .02)])
add("initial state and offset", "m.dot", dot("T=1, x0=1/2, b=0", ['u -> y [gain="2/(T*s+1)"];']), {"d.csv": d},
    ["--data", "d.csv", "--vary", "T", "--vary", "x0", "--vary", "b=-1:1", "--input", "u=1+b", "--initial", "y=x0", "--to", "y"],
    ["T", "x0", "b"], [1, .5, .01],
    lambda x, q=read(d): q[1] - x[1] * np.exp(-q[0] / x[0]) - 2 * (1 + x[2]) * (1 - np.exp(-q[0] / x[0])))


def lag_of_sine(K, T, w, t):
    return K / (1 + (w * T) ** 2) * (np.sin(w * t) - w * T * np.cos(w * t) + w * T * np.exp(-t / T))


d = table(["t", "y"], [t, noisy(lag_of_sine(2, .5, 1.9, t), .02)])
add("sine with its frequency", "m.dot", dot("K=1, T=1, w=2", ['u -> y [gain="K/(T*s+1)"];']), {"d.csv": d},
    ["--data", "d.csv", "--vary", "K", "--vary", "T", "--vary", "w", "--input", "u=sin(w*t)", "--to", "y"], ["K", "T", "w"], [1, 1, 2],
    lambda x, q=read(d): q[1] - lag_of_sine(*x, q[0]))


def held(A, B, C, t, u):
    """Straight between points, exactly."""
    n = len(A)
    M = np.zeros((n + 2, n + 2))
    M[:n, :n], M[:n, n], M[n, n + 1] = A, B, 1
    z, out = np.zeros(n), []
    for k, tk in enumerate(t):
        if k:
            h = tk - t[k - 1]
            z = (expm(M * h) @ np.concatenate([z, [u[k - 1], (u[k] - u[k - 1]) / h]]))[:n]
        out.append(C @ z)
    return np.array(out)


def masses(k, c, t, u):
    A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-(k + 100) / 2, k / 2, -2 * c / 2, c / 2], [k, -k, c, -c]])
    return held(A, np.array([0, 0, .5, 0]), np.eye(2, 4), t, u)


tm = np.arange(0, 6, .1)
u = np.cumsum(rng.normal(0, 1, tm.size))
y = masses(64, .7, tm, np.array([float(f"{v:.7g}") for v in u]))
d = table(["time", "F", "x1", "x2"], [tm, u, noisy(y[:, 0], .003), noisy(y[:, 1], .003)])
toml = """variable = "p"
[lagrange]
coordinates = ["x1", "x2"]
forces = { x1 = "F" }
T = ["m1*Dx1^2/2", "m2*Dx2^2/2"]
Pi = "k*(x1 - x2)^2/2 + k0*x1^2/2"
Phi = "c*(Dx1 - Dx2)^2/2 + c*Dx1^2/2"
[parameters]
m1 = 2
m2 = 1
k = 50
k0 = 100
c = 1
"""
add("measured input", "m.toml", toml, {"d.csv": d}, ["--data", "d.csv", "--vary", "k", "--vary", "c", "--from", "F", "--to", "x1", "--to", "x2"],
    ["k", "c"], [50, 1], lambda x, q=read(d): (q[2:] - masses(x[0], x[1], q[0], q[1]).T).ravel())
add("one output of two", "m.toml", toml, {"d.csv": table(["time", "F", "x2"], [tm, u, (y2 := noisy(y[:, 1], .003))])},
    ["--data", "d.csv", "--vary", "k", "--vary", "c", "--from", "F", "--to", "x2"], ["k", "c"], [50, 1],
    lambda x, q=read(table(["time", "F", "x2"], [tm, u, y2])): q[2] - masses(x[0], x[1], q[0], q[1])[:, 1])

da = table(["t", "y"], [t[:25], noisy(first(2.2, .9, t[:25]), .03)])
db = table(["t", "u", "y"], [tm, np.sin(tm), noisy(held(np.array([[-1 / .9]]), np.array([2.2 / .9]), np.array([1.]), tm, np.sin(tm)), .03)])
add("two records", "m.dot", lag, {"a.csv": da, "b.csv": db}, ["--data", "a.csv", "--data", "b.csv", "--vary", "K", "--vary", "T", *ends], ["K", "T"],
    [1, 1], lambda x, a=read(da), b=read(db): np.concatenate(
        [a[1] - first(x[0], x[1], a[0]), b[2] - held(np.array([[-1 / x[1]]]), np.array([x[0] / x[1]]), np.array([1.]), b[0], b[1])]))


def duffing(k, q, c, t, force):
    s = solve_ivp(lambda t, x: [x[1], force(t) - c * x[1] - k * x[0] - q * x[0] ** 3], (0, t[-1]), [0, 0], t_eval=t, method="DOP853", rtol=1e-12, atol=1e-13)
    return s.y[0]


tn = np.arange(0, 10.1, .2)
d = table(["t", "x"], [tn, noisy(duffing(1.3, .8, .1, tn, lambda t: math.sin(1.3 * t)), .01)])
hard = dot("c=1/10, k=1, q=1/2", ['F -> r [gain="1"];', 'r -> x [gain="1/(p^2+c*p+k)"];', 'x -> r [nonlinear="-q*u^3"];'],
           'input="F"; output="x"', "p")
add("hardening spring", "d.dot", hard, {"d.csv": d}, ["--data", "d.csv", "--vary", "k", "--vary", "q", "--vary", "c", "--input", "F=sin(1.3*t)", "--to", "x"],
    ["k", "q", "c"], [1, .5, .1], lambda x, z=read(d): z[1] - duffing(x[0], x[1], x[2], z[0], lambda t: math.sin(1.3 * t)))


def pendulum(g, c, t):
    s = solve_ivp(lambda t, x: [x[1], 1 - c * x[1] - g * math.sin(x[0])], (0, t[-1]), [0, 0], t_eval=t, method="DOP853", rtol=1e-12, atol=1e-13)
    return s.y[0]


d = table(["t", "x"], [tn, noisy(pendulum(2.2, .4, tn), .01)])
add("pendulum, step of torque", "d.dot",
    dot("c=1/2, g=2", ['F -> r [gain="1"];', 'r -> x [gain="1/(p^2+c*p)"];', 'x -> r [nonlinear="-g*sin(u)"];'], 'input="F"; output="x"', "p"),
    {"d.csv": d}, ["--data", "d.csv", "--vary", "g", "--vary", "c", "--from", "F", "--to", "x"], ["g", "c"], [2, .5],
    lambda x, z=read(d): z[1] - pendulum(x[0], x[1], z[0]))

w = np.geomspace(.1, 30, 30)
T2 = lambda K, w0, z, w: K * w0 ** 2 / ((1j * w) ** 2 + 2 * z * w0 * 1j * w + w0 ** 2)
resonant = dot("K=1, w=2, z=1/2", ['u -> y [gain="K*w^2/(s^2+2*z*w*s+w^2)"];'])
G = T2(1.7, 2.4, .2, w)
d = table(["w", "y_re", "y_im", "y_re_std", "y_im_std"], [w, noisy(G.real, .02), noisy(G.imag, .02), .02 + .01 * w / 30, .03 + 0 * w])
three = ["--vary", "K", "--vary", "w", "--vary", "z", *ends]
add("re and im with weights", "m.dot", resonant, {"d.csv": d}, ["--data", "d.csv", *three], ["K", "w", "z"], [1, 2, .5],
    lambda x, q=read(d): np.concatenate([(q[1] - T2(*x, q[0]).real) / q[3], (q[2] - T2(*x, q[0]).imag) / q[4]]))
wrap = lambda a: (a + 180) % 360 - 180
d = table(["f_hz", "y_db", "y_deg"], [w / 2 / math.pi, noisy(20 * np.log10(abs(G)), .1), wrap(noisy(np.degrees(np.angle(G * np.exp(-.3j * w))), 1))])
late = lambda x, w: T2(x[0], x[1], x[2], w) * np.exp(-1j * w * x[3])
add("dead time over frequency", "m.dot", dot("K=1, w=2, z=1/2, L=1/4", ['u -> y [gain="K*w^2/(s^2+2*z*w*s+w^2)*exp(-L*s)"];']), {"d.csv": d},
    ["--data", "d.csv", "--vary", "L", *three], ["L", "K", "w", "z"], [.25, 1, 2, .5],
    lambda x, q=read(d): np.concatenate([q[1] - 20 * np.log10(abs(late([*x[1:], x[0]], 2 * math.pi * q[0]))),
                                         wrap(q[2] - np.degrees(np.angle(late([*x[1:], x[0]], 2 * math.pi * q[0]))))]))
d = table(["w", "y_db"], [w, noisy(20 * np.log10(abs(G)), .1)])
add("magnitude alone", "m.dot", resonant, {"d.csv": d}, ["--data", "d.csv", *three], ["K", "w", "z"], [1, 2, .5],
    lambda x, q=read(d): q[1] - 20 * np.log10(abs(T2(*x, q[0]))))

rlc = "RLC\nV1 in 0 AC 1\nR1 in a 100\nL1 a b 10m\nC1 b 0 1u\n.end\n"
f = np.geomspace(100, 20000, 40)
H = lambda R, L, C, f: 1 / (1 + 2j * math.pi * f * R * C + (2j * math.pi * f) ** 2 * L * C)
d = table(["f_hz", "v(b)_db", "v(b)_deg"], [f, noisy(20 * np.log10(abs(H(80, .011, 9e-7, f))), .1), noisy(np.degrees(np.angle(H(80, .011, 9e-7, f))), .5)])
add("RLC circuit", "f.cir", rlc, {"d.csv": d}, ["--data", "d.csv", "--vary", "L1", "--vary", "C1", "--from", "V1", "--to", "v(b)"], ["L1", "C1"], [.01, 1e-6],
    lambda x, q=read(d): np.concatenate([q[1] - 20 * np.log10(abs(H(100, x[0], x[1], q[0]))), wrap(q[2] - np.degrees(np.angle(H(100, x[0], x[1], q[0]))))]))

k = np.arange(40)
discrete = lambda a, b: b * (1 - a ** np.maximum(k, 0)) / (1 - a)
d = table(["t", "y"], [k * .1, noisy(discrete(.83, .4), .02)])
add("sampled", "z.dot", dot("a=1/2, b=1", ['u -> y [gain="b/(z-a)"];'], 'input="u"; output="y"; sample_time="0.1"', "z"), {"d.csv": d},
    ["--data", "d.csv", "--vary", "a", "--vary", "b", *ends], ["a", "b"], [.5, 1], lambda x, q=read(d): q[1] - discrete(*x))

print(json.dumps(items, indent=0))
