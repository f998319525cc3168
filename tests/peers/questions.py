#!/usr/bin/env python3
"""The same questions to this toolkit and to what is installed of SymPy, SciPy and GNU Octave's control package: the table of
docs/comparison.md.

    questions.py SFG            compares the table with the page, row by row of the peers that are installed in the page's versions
    questions.py SFG --write    asks and writes the table into the page

Ends with 77 (skipped) where the versions on the page are not those installed.
"""
import json, math, pathlib, re, shutil, subprocess, sys, tempfile

SKIP = 77
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/comparison.md"
PART = re.compile(r"(<!-- questions -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)
PEAK = 1 + math.exp(-math.pi * 0.1 / math.sqrt(0.99))  # of 1/(s² + 0.2 s + 1), in closed form

# Each question with its program for a peer: what it prints is the cell. "-" where the package has no function for it.
LOOP = 'digraph { input="R"; output="Y"; R -> e; e -> Y [gain="K/(s*(s+1))"]; Y -> e [gain="-1"]; }'
LOOP_IN_K = 'digraph { input="R"; output="Y"; R -> e; e -> Y [gain="K/(s*(s+1)*(s+2))"]; Y -> e [gain="-1"]; }'
TWELVE = 'digraph { u -> y [gain="1/(s+1)^12"]; }'
RESONANT = 'digraph { u -> y [gain="1/(s^2 + s/5 + 1)"]; }'
HIDDEN = 'digraph { u -> x [gain="1/(s-1)"]; x -> y [gain="(s-1)/(s+2)"]; }'
TRIPLE = 'digraph { u -> y [gain="200*(s+1/10)^2/(s^3*(s+10)^2)"]; }'
LATE = 'digraph { input="R"; output="Y"; R -> e; e -> Y [gain="exp(-s)/s"]; Y -> e [gain="-1/2"]; }'


class Toolkit:
    def __init__(self, sfg):
        self.sfg = sfg
        self.name = "sfg " + subprocess.run([sfg, "--version"], capture_output=True, text=True).stdout.split()[1]

    def ask(self, graph, *words):
        with tempfile.NamedTemporaryFile("w", suffix=".dot") as file:
            file.write(graph)
            file.flush()
            done = subprocess.run([self.sfg, words[0], file.name, *words[1:], "--json", "--quiet"], capture_output=True, text=True)
        return json.loads(done.stdout)

    def cells(self):
        transfer = self.ask(LOOP, "tf")["transfers"][0]
        roots = self.ask(TWELVE, "poles")["poles"]
        peak = self.ask(RESONANT, "step")["figures"]["y"]["peak"]
        hidden = self.ask(HIDDEN, "tf")["transfers"][0]
        margins = self.ask(TRIPLE, "margins")
        routh = self.ask(LOOP_IN_K, "routh", "--in", "K")
        late = self.ask(LATE, "step", "--until", "2", "--points", "2")["signals"]["Y"]
        return ["`" + transfer["expression"] + "`", f"{max(abs(complex(*root) + 1) for root in roots):.0e}", f"{abs(peak / PEAK - 1):.0e}",
                f"`{hidden['expression']}`, cancelled: `{hidden['cancelled']}`", f"both: {crossings(margins)} dB",
                ranges(routh), f"{late[-1]:.10g}"]


def crossings(margins):
    return " and ".join(f"{each['gain_margin_db']:.4g}" for each in margins["phase_crossovers"])


def ranges(routh):
    return ", ".join(f"{low} < K < {high}" for low, high in routh["ranges"])


SYMPY = """
import random, numpy
random.seed(1), numpy.random.seed(1)  # its adaptive samples are random
import sympy as sp
from sympy.physics.control.lti import TransferFunction, Feedback
s, K = sp.symbols('s K')
T = Feedback(TransferFunction(K, s*(s + 1), s), TransferFunction(1, 1, s)).doit().simplify()
print(f'`{sp.factor(T.num)}/({T.den})`')
print('%.0e' % max(abs(complex(root) + 1) for root in TransferFunction(1, (s + 1)**12, s).poles()))
from sympy.physics.control import step_response_numerical_data
import math
t, y = step_response_numerical_data(TransferFunction(1, s**2 + sp.Rational(1, 5)*s + 1, s), upper_limit=20)
print('%.0e' % abs(max(y)/PEAK - 1))
H = (TransferFunction(1, s - 1, s)*TransferFunction(s - 1, s + 2, s)).doit()
print(f'`{H.simplify().to_expr()}` by simplify(), nothing is said')
print('-'); print('-'); print('-')
"""
SCIPY = """
import numpy as np, scipy.signal as sg
print('-')
print('%.0e' % abs(sg.TransferFunction([1], np.poly([-1]*12)).poles + 1).max())
t, y = sg.step(([1], [1, .2, 1]))
print('%.0e' % abs(y.max()/PEAK - 1))
print(f'poles {sorted(sg.TransferFunction([1, -1], np.polymul([1, -1], [1, 2])).poles)}, the product by hand')
print('-'); print('-'); print('-')
"""
OCTAVE = """
pkg load control
printf("-\\n");
printf("%.0e\\n", max(abs(pole(tf(1, poly(-ones(1, 12)))) + 1)));
[y, t] = step(tf(1, [1 .2 1])); printf("%.0e\\n", abs(max(y)/PEAK - 1));
h = pole(minreal(tf(1, [1 -1])*tf([1 -1], [1 2]))); printf("pole %g by minreal(), nothing is said\\n", h);
[gm, pm, wg, wp] = margin(tf(200*conv([1 .1], [1 .1]), conv([1 0 0 0], conv([1 10], [1 10])))); printf("one: %.4g dB\\n", 20*log10(gm));
printf("-\\n-\\n");
"""


def of_peer(command, program):
    done = subprocess.run([*command, f"PEAK = {PEAK!r};\n" + program], capture_output=True, text=True, timeout=120)
    lines = done.stdout.splitlines()
    return lines if len(lines) == 7 else None


def version(command, program):
    done = subprocess.run([*command, program], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 or done.stdout.strip() else None


QUESTIONS = ["closed form of K/(s(s + 1)) in unity feedback", "error of the poles of 1/(s + 1)¹²",
             "error of the peak of the step response of 1/(s² + 0.2 s + 1), range and grid left to the tool", "(s − 1)/(s + 2) behind 1/(s − 1): what is said of the unstable mode that cancels",
             "200 (s + 0.1)²/(s³ (s + 10)²): gain margins", "K for which K/(s(s + 1)(s + 2)) in unity feedback is stable", "y(2) of the step response with e⁻ˢ/s in a loop of gain 1/2 (exact: 1)"]


def table(sfg):
    python = next((each for each in ("/usr/bin/python3", sys.executable) if shutil.which(each) and version([each, "-c"], "import sympy, scipy; print(1)")), None)
    columns = [(Toolkit(sfg).name, Toolkit(sfg).cells())]
    if python:
        columns.append(("SymPy " + version([python, "-c"], "import sympy; print(sympy.__version__)"), of_peer([python, "-c"], SYMPY)))
        columns.append(("SciPy " + version([python, "-c"], "import scipy; print(scipy.__version__)"), of_peer([python, "-c"], SCIPY)))
    octave = ["octave", "--no-gui", "--quiet", "--eval"]
    if shutil.which("octave"):
        found = version(octave, "pkg load control; v = pkg('list', 'control'); printf('%s', v{1}.version);")
        columns.append(("Octave control " + (found or ""), of_peer(octave, OCTAVE)))
    columns = [column for column in columns if column[1]]
    rows = ["| question | " + " | ".join(name for name, _ in columns) + " |", "| --- |" + " --- |" * len(columns)]
    rows += [f"| {question} | " + " | ".join("no function for it" if cells[k] == "-" else cells[k] for _, cells in columns) + " |" for k, question in enumerate(QUESTIONS)]
    return "\n".join(rows) + "\n"


def main():
    text = PAGE.read_text(encoding="utf-8")
    new = table(sys.argv[1])
    if "--write" in sys.argv:
        PAGE.write_text(PART.sub(lambda match: match.group(1) + new, text), encoding="utf-8")
        return 0
    old = PART.search(text).group(2)
    if old.split("\n")[0] != new.split("\n")[0]:
        print("other versions are installed than the page was written with")
        return SKIP
    if old != new:
        print(f"the page:\n{old}\nnow:\n{new}")
    return old != new


sys.exit(main())
