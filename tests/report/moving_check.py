"""Reports in headless Chromium: what the page recalculates when its parameters move, against the answers of the command with
the same values. Models with clusters of poles, poles decades apart, dead times, samples, hostile names, and random ones."""
import cmath
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "browser"))
from browser import Browser  # noqa: E402

SFG = pathlib.Path(sys.argv[1]).resolve()
faults = []


def answer(folder, verb, *words):
    """The JSON of an answer; None where there is none."""
    run = subprocess.run([SFG, verb, *words, "--json"], cwd=folder, capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else None


def near(found, wanted, tolerance, floor=1.0):
    if wanted is None or found is None:
        return wanted is None and found is None
    return abs(found - wanted) <= tolerance * max(floor, abs(wanted))


def same_roots(found, wanted, tolerance):
    left = [complex(*z) for z in found or []]
    for z in wanted:
        best = min(left, key=lambda w: abs(w - z), default=None)
        if best is None or not abs(best - z) <= tolerance * max(1.0, abs(z)):
            return False
        left.remove(best)
    return not left


class Model:
    """`loop`: a dead time is in a loop, or is where this parameter is not 0."""

    def __init__(self, name, text, settings, pair, times=(0.4, 2.5), loop=False, improper=False, period=None):
        self.name, self.text, self.settings, self.pair = name, text, settings, pair
        self.improper = improper
        self.times, self.loop, self.period, self.frequencies = times, loop, period, (0.11, 0.7, 3.0)


def check(page, model):
    def expect(what, ok, *seen):
        if not ok:
            faults.append(f"{model.name}: {what}: {seen}")

    with tempfile.TemporaryDirectory() as folder:
        file = "model.toml" if "[graph]" in model.text else "model.dot"
        pathlib.Path(folder, file).write_text(model.text, encoding="utf-8")
        made = subprocess.run([SFG, "report", file, "-o", "r.html"], cwd=folder, capture_output=True, text=True)
        expect("made", made.returncode == 0, made.stderr)
        if made.returncode:
            return
        page.open(pathlib.Path(folder, "r.html").as_uri())
        ask = lambda name, *values: page.evaluate(f"sfg.{name}(...JSON.parse({json.dumps(json.dumps(values))}))")  # noqa: E731
        for values in [{}, *model.settings]:
            ask("reset")
            for name, value in values.items():
                ask("set", name, value)
            loop = values.get(model.loop, 1) != 0 if isinstance(model.loop, str) else model.loop
            words = [file, "--from", model.pair[0], "--to", model.pair[1]]
            for name, value in values.items():
                words += ["--set", f"{name}={value!r}"]
            bode = answer(folder, "bode", *words, "--freq", ",".join(map(repr, model.frequencies)))
            for k, w in enumerate(model.frequencies):
                s = cmath.exp(1j * w * model.period) if model.period else complex(0, w)
                found = ask("transfer", *model.pair, s.real, s.imag)
                wanted = bode["transfers"][0]["value"][k]
                if wanted is None or found is None or None in wanted:
                    expect(f"transfer {values}", found is None and (wanted is None or None in wanted), found, wanted)
                    continue
                wanted = complex(*wanted)
                expect(f"transfer {values}", abs(complex(*found) - wanted) <= 1e-9 * max(1e-3, abs(wanted)), found, wanted)
            poles, found = answer(folder, "poles", *words), ask("poles", *model.pair)
            if poles is None and not loop:  # several dead times: the command says nothing
                pass
            elif poles is None:
                expect(f"poles {values}", found is None, found)
            else:
                wanted = [complex(*z) for z in poles["poles"]]
                expect(f"poles {values}", same_roots(found, wanted, 1e-6), found, wanted)
            for t in model.times:
                step = answer(folder, "step", *words, "--until", repr(t), "--points", "2")
                wanted = next(iter(step["signals"].values()))[-1] if step and not loop and not model.improper else None
                found = ask("step", *model.pair, t)
                expect(f"step at {t} {values}", near(found, wanted, 1e-6, 1e-6), found, wanted)
                found = ask("impulse", *model.pair, t)
                impulse = answer(folder, "impulse", *words, "--until", repr(t), "--points", "2")
                if found is not None and impulse:
                    wanted = next(iter(impulse["signals"].values()))[-1]
                    expect(f"impulse at {t} {values}", near(found, wanted, 1e-6, 1e-6), found, wanted)
            margins, found = answer(folder, "margins", *words), ask("margins", *model.pair)
            if margins is None:
                expect(f"margins {values}", found is None, found)
            else:
                for field in ("gain_margin_db", "phase_margin_deg", "modulus_margin", "delay_margin"):
                    expect(f"{field} {values}", near(found[field], margins[field], 1e-6), found[field], margins[field])
                expect(f"disk margins {values}", (found["disk"] is None) == (margins["disk"] is None), found["disk"], margins["disk"])
                for mine, wanted in zip(found["disk"] or [], margins["disk"] or []):
                    same = all(near(mine[f], wanted[f], 1e-6) for f in ("radius", "phase_deg")) and all(near(a, b, 1e-6) for a, b in zip(mine["gain_db"], wanted["gain_db"]))
                    expect(f"disk margin {wanted['skew']} {values}", same, mine, wanted)
                expect(f"closed loop {values}", found["closed_loop"] == margins["closed_loop"], found, margins)
        ask("reset")
        for fault in page.complaints():
            faults.append(f"{model.name}: {fault}")


def dot(branches, parameters, attributes='variable="s"'):
    lines = [f'{a} -> {b} [gain="{gain}"];' for a, b, gain in branches]
    return f'digraph g {{ {attributes}; parameters="{parameters}"; input="u"; output="y"; {" ".join(lines)} }}'


def random_model(number):
    """A chain of first and second order with loops round parts of it."""
    draw = random.Random(number)
    count = draw.randint(2, 5)
    parameters, branches = [], []
    for k in range(count):
        a, b = draw.choice([0.5, 1, 2, 3.3, 17, 0.04]), draw.choice([0, 0.2, 1, 1.5])
        parameters += [f"a{k}={a}", f"b{k}={b}"]
        gain = draw.choice([f"a{k}/(s+b{k})", f"1/(a{k}*s+1)", f"(s+b{k})/(s^2+a{k}*s+2)", f"a{k}"])
        branches.append(("u" if k == 0 else f"x{k}", "y" if k == count - 1 else f"x{k + 1}", gain))
    for k in range(1, count):
        if draw.random() < 0.6:
            branches.append((f"x{k + 1}" if k + 1 < count else "y", f"x{draw.randint(1, k)}", f"-K{k}"))
            parameters.append(f"K{k}={draw.choice([0.3, 1, 2.5, 40])}")
    names = [p.split("=")[0] for p in parameters]
    settings = [{n: round(draw.uniform(0.1, 5), 3) for n in draw.sample(names, min(3, len(names)))} for _ in range(2)]
    return Model(f"random {number}", dot(branches, ", ".join(parameters)), settings, ("u", "y"))


def random_poles(number):
    """Up to twelve poles, several of them equal, and equal ones that are moved apart a little."""
    draw = random.Random(1000 + number)
    parameters, factors, settings, order = [], [], [{}, {}, {}], 0
    for k in range(draw.randint(1, 3)):
        a = draw.choice([0.5, 1, 1.1, 2.5, 7])
        for part in range(draw.randint(1, 3)):  # of the same value, until one is moved
            double = draw.random() < 0.3
            size = draw.randint(1, 2 if double else 4)
            if order + size * (1 + double) > 12:
                break
            order += size * (1 + double)
            name = f"a{k}_{part}"
            parameters.append(f"{name}={a}")
            factors.append(f"(s^2+{name}*s+3*{name}^2)^{size}" if double else f"({name}*s+1)^{size}" if k % 2 else f"(s+{name})^{size}")
            for apart, moved in zip((1e-4, 1e-6, 1e-9), settings):
                if part > 0:
                    moved[name] = a * (1 + part * apart)
    top = "K" if draw.random() < 0.6 or order < 3 else "K*(s+b)*(s+0.3)"
    return Model(f"random poles {number}", dot([("u", "y", f"{top}/({'*'.join(factors)})")], ", ".join([*parameters, "K=2", "b=0.7"])),
                 [m for m in settings if m], ("u", "y"), times=(0.05, 1.0, 6.0))


MODELS = [
    Model("eight lags", dot([("u", "y", "1/((T1*s+1)^4*(T2*s+1)^4)")], "T1=1, T2=1"),
          [{"T2": 1.0001}, {"T2": 1.000001}, {"T2": 1.000000001}, {"T1": 1.1, "T2": 1.1}], ("u", "y"), times=(0.1, 1.0, 20.0)),
    Model("twelve lags", dot([("u", "y", "K/(T*s+1)^12")], "K=1, T=1"), [{"T": 1.1}, {"T": 0.37}], ("u", "y"), times=(0.3, 1.0, 20.0)),
    Model("cancels", dot([("u", "y", "K*(s+a)/((L*s+1)*(s+b))")], "L=1, a=2, b=3, K=1"), [{"a": 3}, {"a": 1}, {"a": 1, "b": 1}], ("u", "y")),
    Model("cancels at 0", dot([("u", "x", "K*(s+a)"), ("x", "y", "1/(s*(s+b))")], "a=2, b=3, K=1"), [{"a": 0}, {"a": 0, "b": 0}],
          ("u", "y")),
    Model("cancels twice", dot([("u", "y", "K*(s+a)^2/((s+b)^3*(s+5))")], "a=2, b=3, K=1"), [{"a": 3}, {"a": 3.0001}], ("u", "y")),
    Model("dead time of a loop moved to 0", dot([("u", "x", "1"), ("x", "y", "K*exp(-tau*s)/s"), ("y", "x", "-1")], "K=2, tau=0.3"),
          [{"tau": 0}, {"tau": 0.5}, {"tau": 0, "K": 0.5}], ("u", "y"), loop="tau"),
    Model("triple pole", dot([("u", "y", "K/(T*s+1)^3")], "K=3, T=0.1"), [{"T": 0.3}, {"K": 0.7, "T": 1.1}], ("u", "y")),
    Model("sixfold pole", dot([("u", "y", "K/(T*s+1)^6")], "K=3, T=0.1"), [{"T": 0.3}], ("u", "y")),
    Model("nearly double", dot([("u", "y", "K/((s+a)*(s+b)*(s+3))")], "K=3, a=1, b=1.000001"), [{"b": 1.00000001}, {"b": 1}], ("u", "y")),
    Model("decades apart", dot([("u", "y", "K*(s+a)/((s+b)*(s+c)*(s+d)*(s^2+s+1))")], "K=1e9, a=0.002, b=1e-4, c=1e7, d=300"),
          [{"b": 0.0003, "c": 2e6}], ("u", "y")),
    Model("integrators", dot([("u", "y", "K/(s^2*(T*s+1))")], "K=2, T=0.5"), [{"K": 0.3}], ("u", "y")),
    Model("unstable", dot([("u", "x", "K/(s-a)"), ("x", "y", "1/(s^2+0.2*s+4)")], "K=2, a=0.5"), [{"a": 1.5}], ("u", "y")),
    Model("undamped", dot([("u", "y", "K/(s^2+w^2)")], "K=2, w=3"), [{"w": 0.7}], ("u", "y")),
    Model("improper", dot([("u", "y", "K*s^2/(s+a)")], "K=2, a=3"), [{"a": 0.7}], ("u", "y"), improper=True),
    Model("nothing", dot([("u", "y", "K-K"), ("u", "v", "K")], "K=2"), [{"K": 3}], ("u", "y")),
    Model("dead time", dot([("u", "y", "K*exp(-tau*s)/(T*s+1)")], "K=2, T=0.5, tau=0.3"), [{"tau": 0.7}, {"K": 0.4}], ("u", "y")),
    Model("dead times", dot([("u", "y", "exp(-a*s)/(s+1)"), ("u", "y", "2*exp(-b*s)/(s+3)")], "a=0.3, b=0.6"), [{"b": 0.1}], ("u", "y")),
    Model("dead time in a loop", dot([("u", "x", "1"), ("x", "y", "K/(s+1)"), ("y", "x", "-exp(-tau*s)")], "K=2, tau=0.3"),
          [{"tau": 0.5}], ("u", "y"), loop=True),
    Model("samples", dot([("u", "e", "1"), ("e", "y", "K/(z-a)"), ("y", "e", "-1")], "K=0.4, a=0.7", 'variable="z"; sample_time="0.1"'),
          [{"K": 0.9}, {"a": 1.0}], ("u", "y"), times=(0.3, 1.05), period=0.1),
    Model("stated by others", dot([("u", "y", "K*(s+l)/((s+2*a)*(s+b))")], "K=2, a=0.5, l=2*a, b=3*l"),
          [{"a": 0.7}, {"l": 0.2}, {"a": 2, "b": 1}], ("u", "y")),
    Model("a fraction", dot([("u", "y", "K/(s+q)^3")], "K=2, q=1/3"), [{"K": 0.1}], ("u", "y")),
] + [random_model(k) for k in range(12)] + [random_poles(k) for k in range(12)]


class NodePage:
    """The page's arithmetic without a page: where there is Node.js and no browser."""

    STUBS = """const window = globalThis; const requestAnimationFrame = () => 0; let sfg;
      const document = { querySelectorAll: () => [], getElementById: () => null, querySelector: () => null, addEventListener: () => {} };"""

    def __init__(self):
        self.script, self.asked = "", []

    def open(self, uri):
        html = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(uri).path)).read_text(encoding="utf-8")
        script = max(re.findall(r"<script[^>]*>(.*?)</script>", html, re.S), key=len)
        self.script, self.asked = script[:script.index("const curves =")], []

    def evaluate(self, expression):
        self.asked.append(expression)  # from the beginning each time: what was set before counts
        text = "(() => {" + self.STUBS + self.script + ";sfg = window.sfg; let last;" + "".join(f"last = {e};" for e in self.asked) + \
            "console.log(JSON.stringify(last === undefined ? null : last)); })();"
        if "sfg.reset" in expression or "sfg.set" in expression:
            return None
        self.asked.pop()
        run = subprocess.run(["node", "-"], input=text, capture_output=True, text=True)
        if run.returncode:
            raise RuntimeError(run.stderr[-500:])
        return json.loads(run.stdout)

    def complaints(self):
        return []


if any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))) or not shutil.which("node"):
    with Browser() as browser:
        page = browser.page(size=(1280, 900))
        for model in MODELS:
            check(page, model)
else:
    page = NodePage()
    for model in MODELS:
        check(page, model)
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
