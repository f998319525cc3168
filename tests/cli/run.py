#!/usr/bin/env python3
"""What a user sees, byte for byte: runs tests/cli/<case>/command in a copy of the case's folder and compares standard
output, standard error, the exit status and the files it leaves with <case>/expected. Where <case>/tolerance states a number,
decimals may differ by so much, relative to the larger of their size and 1: the last digits of integrations are the compiler's.

    run.py SFG CASE            compare
    run.py SFG CASE --write    write what is seen to <case>/expected, to be read before it is kept
    run.py --list CASES...     every folder is in the list of CMakeLists.txt
"""
import difflib, os, pathlib, re, shutil, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).parent
INPUT_OF_THE_TEST = ("command", "expected", "tolerance")
LINKED = {"examples": HERE.parent.parent, "graphs": HERE.parent.parent, "docs": HERE.parent.parent, "digits.py": HERE}


def seen(sfg, case):
    """What running the case's command gives."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for file in case.iterdir():
            if file.name not in INPUT_OF_THE_TEST:
                shutil.copy(file, folder)
        before = {file.name for file in folder.iterdir()}
        for name, home in LINKED.items():
            (folder / name).symlink_to(home / name)
        path = os.path.dirname(os.path.abspath(sfg)) + os.pathsep + os.environ["PATH"]
        sanitizers = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
        run = subprocess.run(["bash", "-c", (case / "command").read_text()], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                             encoding="utf-8", timeout=900 if sanitizers else 120, env={"PATH": path, "LC_ALL": "C.UTF-8"} | sanitizers)
        text = run.stdout
        if run.stderr:
            text += "--- standard error\n" + run.stderr
        text += f"--- exit status {run.returncode}\n"
        new = sorted(file.name for file in folder.iterdir() if file.name not in before | LINKED.keys())
        return text + "".join(f"--- file {name}\n" for name in new)


NUMBER = re.compile(r"-?\d+\.?\d*(?:[eE][-+]?\d+)?")


def is_decimal(number):
    return any(letter in number for letter in ".eE")


def close(want, text, tolerance):
    """Whether the texts are the same but for decimals within the tolerance."""
    a, b = NUMBER.findall(want), NUMBER.findall(text)
    if len(a) != len(b) or NUMBER.split(want) != NUMBER.split(text):
        return False
    return all(x == y or ((is_decimal(x) or is_decimal(y)) and abs(float(x) - float(y)) <= tolerance * max(1, abs(float(x))))
               for x, y in zip(a, b))


def unlisted(cases):
    there = {folder.name for folder in HERE.iterdir() if (folder / "command").exists()}
    for name in sorted(there ^ set(cases)):
        print(f"tests/cli/{name} and the list in tests/cli/CMakeLists.txt do not agree")
    return bool(there ^ set(cases))


def main():
    if sys.argv[1] == "--list":
        return unlisted(sys.argv[2:])
    sfg, case = sys.argv[1], HERE / sys.argv[2]
    text = seen(sfg, case)
    expected = case / "expected"
    if "--write" in sys.argv:
        expected.write_text(text)
        return 0
    want = expected.read_text()
    tolerance = case / "tolerance"
    if tolerance.exists() and close(want, text, float(tolerance.read_text())):
        return 0
    sys.stdout.writelines(difflib.unified_diff(want.splitlines(True), text.splitlines(True), "expected", "seen"))
    return text != want


sys.exit(main())
