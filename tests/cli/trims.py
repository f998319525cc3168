#!/usr/bin/env python3
"""Trims with known answers: random graphs whose signals at rest are polynomials of each other, laws with many zeros, a pendulum;
what has no answer, one too many or a continuum of them says so; derivatives are those of two trims nearby. And linearisation at
a time of a motion that is known in closed form.
usage: trims.py SFG"""
import json, math, pathlib, random, subprocess, sys, tempfile

SFG = sys.argv[1]
rng = random.Random(9)


def sfg(*words, status=0):
    run = subprocess.run([SFG, *map(str, words), "--json"], capture_output=True, text=True, timeout=600)
    assert run.returncode == status, (words, run.returncode, run.stderr)
    return json.loads(run.stdout), run.stderr


def near(a, b, by=1e-8):
    return abs(a - b) <= by * max(1, abs(a), abs(b))


def check_two_inputs(folder):
    """u1 = a y1 + c y2^2, u2 = b y2 - d y1^3"""
    a, b, c, d = (rng.randrange(1, 6) for _ in range(4))
    y1, y2 = (rng.choice([-3, -2, -1, 1, 2, 3]) / 2 for _ in range(2))
    graph = folder / "two.dot"
    graph.write_text(f"""digraph {{ input="u1,u2"; output="y1"; parameters="a={a},b={b},c={c},d={d}";
      u1 -> p; p -> y1 [gain="1/(s+a)"]; u2 -> q; q -> y2 [gain="1/(s+b)"];
      y2 -> n [nonlinear="c*u^2"]; n -> p [gain="-1"]; y1 -> m [nonlinear="d*u^3"]; m -> q; }}""")
    trim = ["balance", graph, "--static", "--want", f"y1={y1}", "--want", f"y2={y2}", "--free", "u1", "--free", "u2"]
    found, _ = sfg(*trim, "--derivatives")
    assert found["complete"] and len(found["static"]) == 1, found
    one = found["static"][0]
    want = {"u1": a * y1 + c * y2 ** 2, "u2": b * y2 - d * y1 ** 3}
    assert set(one["inputs"]) == {"u1", "u2"} and all(near(one["inputs"][k], v) for k, v in want.items()), (one, want)
    assert near(one["signals"]["y1"], y1) and near(one["signals"]["y2"], y2), one
    slopes = {("u1", "a"): y1, ("u1", "c"): y2 ** 2, ("u2", "b"): y2, ("u2", "d"): -y1 ** 3, ("u1", "d"): 0, ("y1", "a"): 0}
    for (signal, parameter), slope in slopes.items():
        assert near(one["derivatives"][signal][parameter], slope), (signal, parameter, one["derivatives"])
    # the poles there, with the inputs that were found: (s + a)(s + b) + 6 c d y1^2 y2
    stated = [word for name, value in one["inputs"].items() for word in ("--at", f"{name}={value!r}")]
    signals = ["--at", f"y1={y1}", "--at", f"y2={y2}"]
    for point in ([*stated, *signals], trim[3:]):
        poles, _ = sfg("poles", graph, "--linearize", *point, "--quiet")
        product = complex(1)
        for re, im in poles["poles"]:
            product *= complex(re, im)
        assert near(product.real, a * b + 6 * c * d * y1 ** 2 * y2, 1e-6), (poles["poles"], a, b, c, d)


def check_many(folder):
    """c (u - r1) … (u - rk) = 0 where nothing is to come out."""
    roots = sorted(rng.sample(range(-6, 7), rng.randrange(1, 5)))
    graph = folder / "many.dot"
    law = "*".join(f"(u - ({r}))" for r in roots)
    graph.write_text(f'digraph {{ input="F"; output="y"; F -> a [gain="2/(s+1)"]; a -> b [nonlinear="{law}"]; b -> y [gain="1/(s+3)"]; }}')
    found, _ = sfg("balance", graph, "--static", "--want", "y=0", "--free", "F")
    got = sorted(point["inputs"]["F"] for point in found["static"])
    assert found["complete"] and len(got) == len(roots) and all(near(2 * x, r) for x, r in zip(got, roots)), (got, roots)
    found, _ = sfg("balance", graph, "--static", "--want", "y=0", "--free", "F", "--box", f"F={roots[0] / 2 - 0.2}:{roots[0] / 2 + 0.2}")
    assert [round(2 * point["inputs"]["F"]) for point in found["static"]] == roots[:1], found


def check_pendulum(folder):
    angle = rng.uniform(-1.4, 1.4)
    (folder / "p.toml").write_text("""[lagrange]
coordinates = ["theta"]
forces = { theta = "tau" }
T = "m*l^2*Dtheta^2/2"
Pi = "-m*g*l*cos(theta)"
Phi = "c*Dtheta^2/2"
[parameters]
m = 2
l = 0.5
g = 9.81
c = 1
[simulation]
initial = { theta = "0.3" }
""")
    found, _ = sfg("balance", folder / "p.toml", "--static", "--want", f"theta={angle}", "--free", "tau")
    assert near(found["static"][0]["inputs"]["tau"], 9.81 * math.sin(angle)), (angle, found)


def check_refusals(folder):
    graph = folder / "r.dot"
    graph.write_text('digraph { input="F,G"; output="y,z"; F -> a; a -> b [nonlinear="u^2"]; b -> y [gain="1/(s+1)"]; G -> b; G -> z; }')
    none, said = sfg("balance", graph, "--static", "--want", "y=-1", "--free", "F", "--input", "G=0", status=1)
    assert none["static"] == [] and none["complete"] and "there is no state of rest" in said, (none, said)
    many, said = sfg("balance", graph, "--static", "--want", "y=4", "--free", "F", "--want", "z=3", "--free", "G")
    assert sorted(round(p["inputs"]["F"], 9) for p in many["static"]) == [-1, 1], many
    for words in (["--want", "y=1"], ["--free", "F"], ["--want", "y=1", "--free", "y"], ["--want", "y=1", "--want", "z=1", "--free", "F"],
                  ["--want", "y=1", "--want", "y=2", "--free", "F", "--free", "G"], ["--want", "q=1", "--free", "F"],
                  ["--want", "y=1", "--free", "F", "--input", "F=2"]):
        sfg("balance", graph, "--static", *words, status=2)
    graph.write_text('digraph { input="F,G"; output="y,z"; F -> a; G -> a; a -> y [nonlinear="u^3"]; y -> z [gain="2"]; }')
    _, said = sfg("balance", graph, "--static", "--want", "y=1", "--want", "z=3", "--free", "F", "--free", "G", status=1)
    assert "no state of rest" in said, said
    _, said = sfg("balance", graph, "--static", "--want", "y=1", "--want", "z=2", "--free", "F", "--free", "G")
    assert "fill a set" in said, said
    graph.write_text('digraph { input="F"; output="y,z"; F -> a; a -> y [nonlinear="dead_zone(u, 1)"]; y -> z; }')
    found, said = sfg("balance", graph, "--static", "--want", "y=0", "--free", "F")
    low, high = found["static"][0]["set"]["F"]
    assert near(low, -1) and near(high, 1) and "fill a set" in said, (found, said)


def check_motion(folder):
    """x' = -x^3 + w: x(t) = x0/sqrt(1 + 2 x0^2 t), and the slope there is -3 x(t)^2."""
    graph = folder / "m.dot"
    graph.write_text('digraph { input="w"; output="x"; w -> e; e -> x [gain="1/s"]; x -> f [nonlinear="u^3"]; f -> e [gain="-1"]; }')
    for _ in range(4):
        x0, time = rng.uniform(0.3, 2), rng.uniform(0, 4)
        found, said = sfg("poles", graph, "--linearize", "--at-time", time, "--at", f"x={x0}", "--at", "w=0")
        want = -3 * x0 ** 2 / (1 + 2 * x0 ** 2 * time)
        assert near(found["poles"][0][0], want, 1e-6) and "linearised at t" in said, (found["poles"], want, said)
    # a law of time: x' = -t x^2, x = 1/(1/x0 + t^2/2)
    graph.write_text('digraph { input="w"; output="x"; w -> e; e -> x [gain="1/s"]; x -> f [nonlinear="t*u^2"]; f -> e [gain="-1"]; }')
    found, _ = sfg("poles", graph, "--linearize", "--at-time", "1.5", "--at", "x=2", "--at", "w=0")
    assert near(found["poles"][0][0], -2 * 1.5 / (0.5 + 1.125), 1e-6), found["poles"]
    # a rate: theta'' = -9.81 sin(theta) - theta'^3 from the model's own start
    (folder / "q.toml").write_text((folder / "p.toml").read_text())
    at_rest, _ = sfg("poles", folder / "q.toml", "--linearize", "--at-time", "0")
    assert near(at_rest["poles"][0][0], -1) and near(abs(complex(*at_rest["poles"][0])) ** 2, 2 * 9.81 * math.cos(0.3), 1e-6), at_rest
    for words in (["--at-time", "1"], ["--linearize", "--at-time", "-1", "--at", "x=1"], ["--linearize", "--at-time", "1"],
                  ["--linearize", "--at-time", "1", "--at", "x=1", "--box", "x=0:1"]):
        sfg("poles", graph, *words, status=2)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for _ in range(8):
        check_two_inputs(folder)
        check_many(folder)
        check_pendulum(folder)
    check_refusals(folder)
    check_motion(folder)
print("24 trims, refusals and motions")
