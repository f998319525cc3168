#!/usr/bin/env python3
"""Which tests took more than five seconds and do not stand in slow.txt. usage: times.py BUILD
--reasons, in the ordinary run, which must not depend on time: each line of slow.txt names a test that there is, once, and a reason."""
import json, pathlib, re, subprocess, sys

here = pathlib.Path(__file__).resolve().parent
root, most_seconds = here.parents[1], 5
rows = [row.split(None, 1) for row in (here / "slow.txt").read_text().splitlines() if row and not row.startswith("#")]
listed = [row[0] for row in rows]
wrong = []

if sys.argv[1] == "--reasons":
    lists = {path: path.read_text() for folder in ("tests", "examples", "libsfg/python") for path in (root / folder).rglob("CMakeLists.txt")}
    words = {word for text in lists.values() for word in re.findall(r"[\w./]+", text)}
    sources = "\n".join(path.read_text() for path in (root / "tests").rglob("*_test.cpp"))
    suites = {f"{suite}.{name}" for suite, name in re.findall(r"\bTEST(?:_F|_P)?\((\w+),\s*(\w+)\)", sources)}
    for name, *reason in rows:
        if listed.count(name) > 1 or not reason:
            wrong.append(f"{name}: once, with a reason")
        if name not in suites | words and not {name.split(".", 1)[-1], re.sub(r"^(example|clients|peers|python)[_.]", "", name)} & words:
            wrong.append(f"{name}: there is no such test")
else:
    build = pathlib.Path(sys.argv[1])
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    there = {test["name"] for test in json.loads(shown.stdout)["tests"]}
    for row in (build / "Testing/Temporary/CTestCostData.txt").read_text().split("---")[0].splitlines():
        name, _, seconds = row.rsplit(" ", 2)
        if float(seconds) > most_seconds and name in there and name not in listed:
            wrong.append(f"{name}: {float(seconds):.1f} s, and no line in {here / 'slow.txt'}")
print("\n".join(wrong) or f"{len(listed)} slow tests, each with its reason")
sys.exit(1 if wrong else 0)
