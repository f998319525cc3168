#!/usr/bin/env python3
"""Impedances, loop gain and noise of circuits against ngspice, skipped where it is not installed.

    circuits.py SFG
"""
import cmath, json, math, pathlib, re, shutil, subprocess, sys, tempfile

SKIP = 77
FREQUENCIES = (10, 1e7, 13)  # Hz, 13 points by a factor of 10^0.5

AMPLIFIER = """inverting stage
V1 in 0 DC 0 AC {v1}
R1 in n 1k
R2 n out 9k
Cn n 0 20p
Rp p 0 500
G1 0 a p n 10m
Ra a 0 10meg
Ca a 0 16n
E1 out 0 a 0 1
RL out 0 2k
"""
CHAIN = """transistor at its ports
Rb b x 100
Rpi x 0 2k
Cpi x 0 10p
Cmu x c 1p
G1 c 0 x 0 20m
Ro c 0 50k
"""
# As LTspice writes it, and the same with every part as an element, which ngspice reads: there 4k7 would be 4k.
WRITTEN = """* C:\\lowpass.asc
V1 in 0 SINE(0 1 1k) AC 1 Rser=50
R1 in n1 4k7 tol=1
C1 n1 0 2u2 V=25 Rser=10m Lser=2n RLshunt=3 Cpar=3p Rpar=1meg mfg="A B" m=2
L1 n1 out 1m Ipk=1 Rser=0.2 Rpar=1000 Cpar=4n
R2 out 0 4R7
.ac dec 2 10 1e7
.backanno
"""
APART = """the same in parts
V1 a 0 AC 1
RV a in 50
R1 in n1 4.7k
C1 n1 x 4.4u
R3 x y 5m
L3 y 0 1n
R4 y 0 1.5
C5 n1 0 6p
R6 n1 0 500k
L1 n1 z 1m
R7 z out 0.2
R8 n1 out 1000
C9 n1 out 4n
R2 out 0 4.7
"""


def ngspice(netlist, commands, folder):
    path = folder / "x.cir"
    path.write_text(netlist + ".control\nset wr_vecnames\nset numdgt=12\n" + commands + "\nquit\n.endc\n.end\n", encoding="utf-8")
    done = subprocess.run(["ngspice", "-b", str(path)], cwd=folder, capture_output=True, text=True, timeout=60)
    table = folder / "out.txt"
    if not table.exists():
        sys.exit(f"ngspice: {done.stdout[-500:]}{done.stderr[-500:]}")
    return [[float(x) for x in line.split()] for line in table.read_text().splitlines()[1:]]


def sfg(program, netlist, words, folder):
    path = folder / "y.cir"
    path.write_text(netlist + ".end\n", encoding="utf-8")
    done = subprocess.run([program, words[0], str(path), *words[1:], "--json"], capture_output=True, text=True, timeout=60)
    if done.returncode:
        sys.exit(f"sfg {' '.join(words)}: {done.stderr}")
    return json.loads(done.stdout)


def compare(what, ours, theirs, tolerance=1e-6):
    worst = max(abs(a - b) / max(abs(b), 1e-300) for a, b in zip(ours, theirs, strict=True))
    print(f"{what}: {len(ours)} values, {worst:.1e} apart")
    if not worst <= tolerance:
        sys.exit(f"{what}: {worst:.1e} is more than {tolerance:.0e}")


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    if shutil.which("ngspice") is None:
        print("ngspice is not installed")
        return SKIP
    low, high, points = FREQUENCIES
    sweep = f"ac dec 2 {low} {high}"
    grid = f"{low}:{high}:{points}"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # The impedance at the base, the collector open: a current of 1 A.
        table = ngspice(CHAIN + "I1 0 b AC 1\n", sweep + "\nwrdata out.txt v(b)", folder)
        answer = sfg(program, CHAIN, ["bode", "--from", "port(b)", "--to", "z", "--freq", grid, "--hz"], folder)
        compare("impedance", [complex(*z) for z in answer["transfers"][0]["value"]], [complex(r[1], r[2]) for r in table])
        # y21 by a voltage at the base, the collector shorted by a source.
        table = ngspice(CHAIN + "V1 b 0 AC 1\nV2 c 0 0\n", sweep + "\nwrdata out.txt i(V2)", folder)
        answer = sfg(program, CHAIN, ["ports", "--port", "b", "--port", "c", "--parameters", "y", "--form", "numeric"], folder)
        y21 = answer["transfers"][1]
        value = lambda c, s: sum(x * s ** (len(c) - 1 - i) for i, x in enumerate(c))
        at = [2j * math.pi * r[0] for r in table]
        compare("y21", [value(y21["num"], s) / value(y21["den"], s) for s in at], [-complex(r[1], r[2]) for r in table])
        # The parts of real elements, over the frequencies of the netlist.
        table = ngspice(APART, sweep + "\nwrdata out.txt v(n1)", folder)
        answer = sfg(program, WRITTEN, ["bode", "--to", "v(n1)"], folder)
        compare("frequencies of .ac", [w / 2 / math.pi for w in answer["frequency"]], [r[0] for r in table])
        compare("parts of elements", [complex(*z) for z in answer["transfers"][0]["value"]], [complex(r[1], r[2]) for r in table])
        # Loop gain: the source E1 replaced by an independent one, what would control it measured.
        opened = AMPLIFIER.format(v1=0).replace("E1 out 0 a 0 1", "Vt out 0 DC 0 AC 1")
        table = ngspice(opened, sweep + "\nwrdata out.txt v(a)", folder)
        margins = sfg(program, AMPLIFIER.format(v1=1), ["margins", "--break", "E1"], folder)
        crossing = margins["gain_crossovers"][0]
        L = [(r[0], -complex(r[1], r[2])) for r in table]
        (f1, a), (f2, b) = next((p, q) for p, q in zip(L, L[1:]) if abs(p[1]) >= 1 > abs(q[1]))
        f = crossing["frequency"] / 2 / math.pi
        table = ngspice(opened, f"ac lin 1 {f:.15g} {f:.15g}\nwrdata out.txt v(a)", folder)
        here = -complex(table[0][1], table[0][2])
        compare("loop gain at its crossover", [1 * cmath.exp(1j * math.radians(crossing["phase_margin_deg"] - 180))], [here])
        assert f1 <= f <= f2, "the crossover lies where ngspice sees it"
        # Noise densities, V/sqrt(Hz), at 27 °C = 300.15 K.
        table = ngspice(AMPLIFIER.format(v1=1),
                        f"noise v(out) V1 dec 2 {low} {high}\nsetplot noise1\nwrdata out.txt onoise_spectrum inoise_spectrum", folder)
        answer = sfg(program, AMPLIFIER.format(v1=1), ["noise", "--from", "V1", "--to", "v(out)", "--freq", grid, "--hz"], folder)
        compare("output noise", [math.sqrt(x) for x in answer["output_density"]], [r[1] for r in table])  # k_B of CODATA 2014 there
        compare("input noise", [math.sqrt(x) for x in answer["input_density"]], [r[3] for r in table])
    return 0


if __name__ == "__main__":
    sys.exit(main())
