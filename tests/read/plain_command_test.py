"""The command without Graphviz reads and writes every DOT file as the one with it does: plain_command_test.py SFG SFG_PLAIN"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def said(command, *words):
    done = subprocess.run([command, *words], capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr.replace(b"sfg_plain", b"sfg")


def main():
    sfg, plain = sys.argv[1:]
    needed = subprocess.run(["ldd", plain], capture_output=True, text=True, check=True).stdout
    problems = [f"the plain command links {line.split()[0]}" for line in needed.splitlines() if "graph" in line or "gvc" in line or "cdt" in line]
    files = sorted(file for folder in ("graphs", "examples", "tests/data") for file in (ROOT / folder).rglob("*.dot"))
    assert len(files) > 80, len(files)
    for file in files:
        if said(sfg, "graph", file, "-o", "-") != said(plain, "graph", file, "-o", "-"):
            problems.append(f"{file.relative_to(ROOT)}: the two commands write different graphs")
    for text in (b"digraph { a -> b [gain=x] } junk", b"digraph { a -> ", b'digraph { a -> b [gain="1"; b -> c }', b"graph { a -- b }"):
        answers = [subprocess.run([command, "graph", "-", "--format", "dot"], input=text, capture_output=True, timeout=120) for command in (sfg, plain)]
        if answers[0].returncode != 3 or (answers[0].returncode, answers[0].stderr) != (answers[1].returncode, answers[1].stderr):
            problems.append(f"{text}: {answers}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
