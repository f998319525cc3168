#!/usr/bin/env python3
"""The same question has the same answer, byte for byte, in every process: GiNaC orders terms by addresses, which are others each
time, and nothing of that order may be seen. Runs of some commands that showed it are compared, with environments of several sizes.

    repeated.py SFG
"""
import pathlib, subprocess, sys

ROOT = pathlib.Path(__file__).parent.parent.parent
QUESTIONS = """
reduce examples/bogie.toml
reduce examples/common_emitter.cir
reduce examples/flexible_arm.toml
absolute examples/belt.dot
absolute examples/friction.toml
simulate examples/flexible_arm.toml --until 1 --points 5
simulate examples/spacecraft_orbit.toml --until 1 --points 5
balance --static examples/chua.dot
derive examples/bogie.toml
export examples/furuta.toml --target c
sens examples/servo.dot
""".strip().splitlines()
RUNS = 4


def main():
    sfg, wrong = sys.argv[1], 0
    for question in QUESTIONS:
        seen = set()
        for i in range(RUNS):
            run = subprocess.run([sfg] + question.split(), cwd=ROOT, env={"LC_ALL": "C.UTF-8", "PADDING": "x" * (1000 * i)},
                                 stdin=subprocess.DEVNULL, capture_output=True)
            seen.add((run.returncode, run.stdout, run.stderr))
        if any(code != 0 for code, _, _ in seen):
            print(f"sfg {question}: {next(iter(seen))[2].decode()}")
            wrong = 1
        if len(seen) > 1:
            print(f"sfg {question}: {len(seen)} different answers in {RUNS} runs")
            wrong = 1
    return wrong


sys.exit(main())
