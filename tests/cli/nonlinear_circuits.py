#!/usr/bin/env python3
"""Every linear verb answers a nonlinear circuit at its operating point: no verb ends with an error of ours, all that have a value for
the gain at rest have the slope of the states of rest.

    nonlinear_circuits.py SFG
"""
import json, pathlib, re, subprocess, sys, tempfile

CIRCUITS = {
    "diode": "t\nV1 in 0 DC 1 AC 1\nR1 in out 1k\nC1 out 0 1n\nD1 out 0 DM\n.model DM D(IS=1e-14 N=1)\n",
    "clipper": "t\nV1 in 0 DC 0.9 AC 1\nR1 in out 470\nC1 out 0 2n\nD1 out 0 DM\nD2 0 out DM\n.model DM D(IS=2.52e-9 N=1.752)\n",
    "bridge": "t\nV1 in 0 DC 2 AC 1\nRs in a 100\nD1 a b DM\nD2 b out DM\nR1 b 0 3k\nR2 out 0 1k\nC1 out 0 10n\nC2 b 0 1p\n"
              ".model DM D(IS=1e-12)\n",
    "buck": "t\nVg a 0 DC 12\nV1 d 0 DC 0.4 AC 1\nB1 x 0 V={v(a)*v(d)}\nL1 x o 50u\nrL o out 0.1\nC1 out 0 100u\nR out 0 5\n",
    "tanh": "t\nV1 in 0 DC 0.3 AC 1\nR1 in a 1k\nCa a 0 1n\nB1 0 out I={1m*tanh(v(a)/0.2)}\nR2 out 0 10k\nC2 out 0 100p\n",
    "squares": "t\nV1 in 0 DC 2 AC 1\nR1 in out 1k\nC1 out 0 1n\nB1 out 0 I={1m*max(v(out)-1, 0)^2 + 1u*sqrt(1 + v(out)^2)}\n",
    "pulse": "t\nV1 in 0 PULSE(0.8 1.2 0 1n 1n 1u 2u) AC 1\nR1 in out 1k\nC1 out 0 1n\nD1 out 0 DM\n.model DM D(IS=1e-14)\n",
}
ENDS = ["--from", "V1", "--to", "v(out)"]
VERBS = [  # words; where the value of the gain at rest stands in the JSON
    (["tf", "--numbers"], None), (["tf"], None), (["tf", "--form", "numeric"], None), (["tf", "--form", "factored", "--numbers"], None),
    (["tf", "--form", "zpk"], None), (["tf", "--form", "sequence"], None), (["tf", "--form", "mason"], None),
    (["bode", "--freq", "1e-9"], lambda j: j["transfers"][0]["value"][0][0]), (["nyquist"], None), (["nichols"], None),
    (["poles"], lambda j: float(eval(j["dc_gain"]))), (["step"], None), (["impulse"], None),
    (["noise"], None), (["sens"], None), (["sens", "--measure", "abscissa"], None), (["mason"], None),
    (["reduce"], None), (["graph"], None), (["derive"], None), (["routh"], None), (["simulate", "--input", "V1=1", "--until", "1e-6"], None),
    (["discretize", "--sample-time", "1e-7"], None), (["certificate", "-o", "c.json"], None),
    (["draw", "-o", "x.svg"], None), (["report", "-o", "x.html"], None),
    (["export", "--target", "c", "-o", "x.c"], None), (["export", "--target", "python", "-o", "x.py"], None),
    (["export", "--target", "modelica", "-o", "x.mo"], None), (["export", "--target", "spice", "-o", "y.cir"], None),
]
WITHOUT_ENDS = {"derive", "routh", "mason"}
WITHOUT_JSON = {"draw", "report", "export", "certificate", "derive"}


def main():
    sfg, wrong, answered = str(pathlib.Path(sys.argv[1]).resolve()), [], 0
    with tempfile.TemporaryDirectory() as folder:
        def run(words):
            return subprocess.run([sfg, *words], cwd=folder, capture_output=True, text=True, timeout=600)
        for name, netlist in CIRCUITS.items():
            pathlib.Path(folder, "n.cir").write_text(netlist)
            def rest(*words):
                answer = run(["balance", "n.cir", "--static", *words, "--to", "v(out)", "--json"])
                return json.loads(answer.stdout)["static"][0]["signals"]["v(out)"]
            volts, step = float(re.search(r"V1 \w+ 0 \D*([\d.]+)", netlist)[1]), 1e-6  # what the source states
            if rest() != rest("--input", f"V1={volts!r}"):
                wrong.append(f"{name}: the state of rest is not that of the stated value")
            slope = (rest("--input", f"V1={volts + step!r}") - rest("--input", f"V1={volts - step!r}")) / (2 * step)
            for words, gain in VERBS:
                more = [] if words[0] in WITHOUT_ENDS else ENDS if words[0] != "simulate" else ENDS[2:]
                json_too = [] if words[0] in WITHOUT_JSON else ["--json"]
                answer = run([words[0], "n.cir", "--linearize", *more, *words[1:], *json_too])
                if answer.returncode not in (0, 1, 2, 4) or answer.stderr.count("error of ours"):
                    wrong.append(f"{name}: {' '.join(words)}: status {answer.returncode}: {answer.stderr.strip()[-300:]}")
                    continue
                answered += answer.returncode == 0
                if gain and abs(gain(json.loads(answer.stdout)) - slope) > 1e-5 * abs(slope):
                    wrong.append(f"{name}: {' '.join(words)}: {gain(json.loads(answer.stdout))}, not {slope}")
    for line in wrong:
        print(line)
    if answered < 0.8 * len(CIRCUITS) * len(VERBS):
        wrong.append("")
        print(f"only {answered} of {len(CIRCUITS) * len(VERBS)} were answered")
    sys.exit(1 if wrong else 0)


main()
