#!/usr/bin/env python3
"""Certificates of the corpus and of the examples hold by tools/check_certificate, and forged ones do not.
usage: certificates.py SFG [part of a name]"""
import contextlib, copy, importlib.machinery, importlib.util, io, json, pathlib, re, shutil, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECKER = ROOT / "tools" / "check_certificate"
sys.dont_write_bytecode = True
sys.path.insert(0, str(CHECKER.parent))  # for certificate_claims
loader = importlib.machinery.SourceFileLoader("check_certificate", str(CHECKER))
checker = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_certificate", loader))
sys.modules["check_certificate"] = checker
loader.exec_module(checker)
import certificate_claims

# Answers exist from here; what is not named has its own inputs and outputs, or no linear answer at all.
NO_ANSWER = (1, 2, 3, 4)


def verdict(certificate):
    """What the checker says: (exit status, what it printed)."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            checker.check(certificate)
            return 0, said.getvalue()
        except SystemExit as end:
            return end.code, said.getvalue()


def certificate(sfg, *words):
    return subprocess.run([sfg, "certificate", "--quiet", *map(str, words)], capture_output=True, text=True, timeout=900)


def inputs():
    folders = [ROOT / "examples", ROOT / "graphs"]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in (".dot", ".toml", ".cir", ".m"))


def honest(sfg, part):
    failures, held = [], 0
    for path in inputs():
        if part not in str(path):
            continue
        made = certificate(sfg, path)
        if made.returncode != 0:
            if made.returncode not in NO_ANSWER:
                failures.append(f"{path}: status {made.returncode}: {made.stderr.strip()}")
            continue
        status, said = verdict(json.loads(made.stdout))
        held += status == 0
        if status != 0:
            failures.append(f"{path}: {said.strip()}")
    print(f"{held} certificates hold")
    if not part and held < 100:
        failures.append(f"only {held} certificates")
    return failures


def restated(c):
    """The certificate with its points, bounds and residues computed anew, honestly, at the letters that they have."""
    bounds, factor = certificate_claims.degree_bounds(c, checker)
    driven = list(dict.fromkeys(a["driven"] for a in c["answers"]))
    for point in c["points"]:
        p = int(point["prime"])
        values = dict(zip((letter["name"] for letter in c["letters"]), map(int, point["letters"])))
        matrix = [{signal: checker.residue(text, values, p) for signal, text in equation["terms"]} for equation in c["equations"]]
        solutions = {}
        for side in driven:
            rows = [row | {None: int(equation["of"] == side)} for row, equation in zip(matrix, c["equations"])]
            determinant, solutions[side] = checker.solve(rows, p)
        point["matrix"] = [list(map(str, row.values())) for row in matrix]
        point["determinant"] = str(determinant)
        point["solutions"] = [{"driven": side, "x": [str(x[signal]) for signal in c["signals"]]} for side, x in solutions.items()]
        point["answers"] = []
        for a in c["answers"]:
            known = dict(values)
            for name, text in a.get("definitions", []):
                known[name] = checker.residue(text, known, p)
            above, below = checker.residue(a["numerator"], known, p), checker.residue(a["denominator"], known, p)
            point["answers"].append(str(above * pow(below, -1, p) % p))
    return c


def with_wrong_sign(c):
    c["answers"][0]["numerator"] = f"-({c['answers'][0]['numerator']})"


def with_wrong_sign_restated(c):
    with_wrong_sign(c)
    restated(c)


def with_wrong_sign_and_solution(c):
    with_wrong_sign_restated(c)
    at = c["signals"].index(c["answers"][0]["output"])
    for point in c["points"]:
        point["solutions"][0]["x"][at] = point["answers"][0]


def with_chosen_points(c):
    """Wrong but at s = 5, where all points lie: only a point of the checker's own finds it."""
    for point in c["points"]:
        point["letters"][0] = "5"
    c["answers"][0]["numerator"] += f" + {c['letters'][0]['name']} - 5"
    restated(c)


def with_wrong_entry(c):
    c["equations"][1]["terms"][0][1] = "2*(" + c["equations"][1]["terms"][0][1] + ")"


def with_wrong_entry_restated(c):
    with_wrong_entry(c)
    restated(c)


def with_repeated_point(c):
    c["points"][1] = c["points"][0]


def with_composite_modulus(c):
    for point in c["points"]:
        point["prime"] = str(int(point["prime"]) * 1000003)
    restated(c)


def with_small_prime(c):
    for prime, point in zip(("10007", "10009", "10037"), c["points"]):
        point["prime"], point["letters"] = prime, [str(int(value) % 10007) for value in point["letters"]]
    restated(c)


def with_low_degree(c):
    c["answers"][0]["degree_bound"] = "1"


def with_low_error(c):
    c["answers"][0]["error_bound"] *= 1e-6


def with_code(c):
    c["answers"][0]["numerator"] = "__import__('os').system('true')"


def with_code_as_name(c):
    c["answers"][0]["numerator"] = "__import__"


def with_common_factor(c):
    for part in ("numerator", "denominator"):
        c["answers"][0][part] = f"({c['answers'][0][part]})*({c['letters'][0]['name']} + 1)"
    restated(c)


def with_common_letter(c):
    for part in ("numerator", "denominator"):
        c["answers"][0][part] = f"({c['answers'][0][part]})*{c['letters'][1]['name']}"
    restated(c)


def with_wrong_determinant(c):
    c["points"][0]["determinant"] = "1"


def with_wrong_residue(c):
    c["points"][2]["matrix"][1][0] = "7"


def with_wrong_solution(c):
    c["points"][0]["solutions"][0]["x"][1] = "7"


def without_equation(c):
    c["equations"].pop()
    for point in c["points"]:
        point["matrix"].pop()


def with_dependent_equations(c):
    c["equations"][-1]["terms"] = copy.deepcopy(c["equations"][0]["terms"])


def with_source_that_is_none(c):
    c["equations"][0]["terms"][0][1] = "2"
    restated(c)


def with_other_input(c):
    c["answers"][0]["input"] = c["signals"][1]


def with_letter_twice(c):
    c["letters"].append(c["letters"][0])
    for point in c["points"]:
        point["letters"].append(point["letters"][0])


def with_letter_redefined(c):
    c["answers"][0]["definitions"] = [[c["letters"][1]["name"], "1"]]


def with_numerator_zero(c):
    c["answers"][0]["numerator"] = "0"
    restated(c)


def with_denominator_zero(c):
    name = c["letters"][0]["name"]
    c["answers"][0].update(numerator=f"{name} - {name}", denominator=f"{name} - {name}", lowest_terms=False)


def with_unknown_mode(c):
    c["answers"][0]["mode"] = "sink"


def with_unknown_letter(c):
    c["letters"][0]["is"] = "constant"


def with_huge_power(c):
    c["answers"][0]["numerator"] += f" + 0*{c['letters'][0]['name']}^999999^999999"


def without_points(c):
    c["points"] = c["points"][:1]
    restated(c)


def with_other_constant_under_root(c):
    for letter in c["letters"]:
        if letter["is"] == "root":
            letter["of"] = f"({letter['of']}) + 1"


def with_small_disc(c):
    c["answers"][0]["poles"][0]["discs"][0][2] = "1e-60"


def with_moved_disc(c):
    c["answers"][0]["poles"][-1]["discs"][0][0] = "-1"


def with_disc_twice(c):
    discs = c["answers"][0]["poles"][-1]["discs"]
    discs[-1] = discs[0]


def with_wide_discs(c):
    for disc in c["answers"][0]["poles"][-1]["discs"]:
        disc[2] = "1e6"


def with_other_factor(c):
    c["answers"][0]["poles"].pop()


def with_other_multiplicity(c):
    c["answers"][0]["poles"][0]["multiplicity"] += 1


def with_other_stability(c):
    c["answers"][0]["stable"] = not c["answers"][0]["stable"]


# What is forged of certificates with roots of letters, and of such with poles in numbers.
OF_ROOTS = {with_other_constant_under_root}
OF_POLES = {with_small_disc, with_moved_disc, with_disc_twice, with_wide_discs, with_other_factor, with_other_multiplicity, with_other_stability}
OF_SYMBOLS = {with_common_factor, with_common_letter, with_chosen_points}  # lowest terms are not claimed with roots
FORGERIES = [f for name, f in globals().items() if name.startswith(("with_", "without_"))]

# What makes an answer wrong, and evidence for it: the page alone finds it out.
WRONG_ANSWERS = [with_wrong_sign, with_wrong_sign_restated, with_wrong_sign_and_solution, with_chosen_points, with_wrong_entry,
                 with_wrong_entry_restated, with_composite_modulus, with_small_prime, with_code, with_code_as_name, with_wrong_residue,
                 with_wrong_solution, without_equation, with_dependent_equations, with_numerator_zero, with_denominator_zero]

# A square root of letters and one of a number.
ROOTS = '''digraph {
  input="R"; output="C"; variable="s";
  R -> a [gain="sqrt(K + M)"];
  a -> C [gain="1/(s + sqrt(2))"];
  C -> a [gain="-K*sqrt(K + M)"];
}'''


def forged(sfg):
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        roots = pathlib.Path(folder, "roots.dot")
        roots.write_text(ROOTS)
        servo = ROOT / "examples" / "servo.dot"
        true = {"symbols": certificate(sfg, servo), "poles": certificate(sfg, servo, "--numbers"), "roots": certificate(sfg, roots)}
    for name, made in true.items():
        base = json.loads(made.stdout)
        failures += [] if verdict(base)[0] == 0 else [f"{name}: {verdict(base)[1]}"]
        for forgery in FORGERIES:
            if name != {f: n for n, some in (("roots", OF_ROOTS), ("poles", OF_POLES), ("symbols", OF_SYMBOLS)) for f in some}.get(forgery, name):
                continue
            c = copy.deepcopy(base)
            try:
                forgery(c)
            except IndexError:
                continue  # has not what is forged
            status, said = verdict(c)
            if status != 1:
                failures.append(f"{name} {forgery.__name__}: status {status}: {said}")
    print(f"{len(FORGERIES)} ways of forging are found out")
    return failures


def alone(sfg):
    """A copy of the checker in an empty folder, as a process: wrong answers fail without certificate_claims.py too."""
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        page, file = pathlib.Path(shutil.copy(CHECKER, folder)), pathlib.Path(folder, "c.json")
        lines = page.read_text().splitlines()
        if len(lines) > 80 or max(map(len, lines)) > 120:
            failures.append(f"the checker is more than a page: {len(lines)} lines, the longest has {max(map(len, lines))} characters")

        def expect(status, word, c, what):
            file.write_text(c if isinstance(c, str) else json.dumps(c))
            done = subprocess.run([sys.executable, page, file], capture_output=True, text=True, timeout=60)
            if done.returncode != status or word not in done.stdout:
                failures.append(f"the page alone, {what}: status {done.returncode}: {done.stdout}{done.stderr}")

        for words in ((), ("--numbers",), ("--form", "sequence")):
            base = json.loads(certificate(sfg, ROOT / "examples" / "servo.dot", *words).stdout)
            expect(0, "without certificate_claims.py not checked", base, f"true {words}")
            for forgery in WRONG_ANSWERS:
                c = copy.deepcopy(base)
                forgery(c)
                expect(1, "FAILED", c, f"{forgery.__name__} {words}")
            text = json.dumps(base)
            for key in sorted(set(re.findall(r'"(\w+)": ', text))):
                expect(1, "stands twice", text.replace(f'"{key}": ', f'"{key}": 0, "{key}": ', 1), f"{key} twice {words}")
        roots = pathlib.Path(folder, "roots.dot")
        roots.write_text(ROOTS)
        base = json.loads(certificate(sfg, roots).stdout)
        expect(2, "undecided", base, "true, with roots")
        with_wrong_sign_restated(base)
        expect(1, "FAILED", base, "wrong, with roots")
    return failures


def repeated(sfg):
    """The same bytes on every run: the order of letters does not depend on where memory lies."""
    for name in ("heat_exchanger.dot", "vehicle.toml"):
        if len({certificate(sfg, ROOT / "examples" / name).stdout for _ in range(6)}) > 1:
            return [f"{name}: another certificate on another run"]
    return []


def unreadable():
    """As a process: what is no certificate has status 2, and nothing hangs or is run."""
    failures = []
    for text in ("", "{", "[]", "3", '{"schema": "sfg/certificate/1"}', '{"schema": "sfg/certificate/1", "letters": 3}'):
        done = subprocess.run([sys.executable, CHECKER, "/dev/stdin"], input=text, capture_output=True, text=True, timeout=60)
        if done.returncode != 2:
            failures.append(f"{text!r}: status {done.returncode}: {done.stdout}{done.stderr}")
    if subprocess.run([sys.executable, CHECKER], capture_output=True, timeout=60).returncode != 2:
        failures.append("no file: not status 2")
    return failures


if __name__ == "__main__":
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    problems = honest(sys.argv[1], part) + (forged(sys.argv[1]) + alone(sys.argv[1]) + repeated(sys.argv[1]) + unreadable() if not part else [])
    print("\n".join(problems))
    sys.exit(1 if problems else 0)
