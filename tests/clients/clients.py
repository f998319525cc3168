#!/usr/bin/env python3
"""Exports models and runs what comes out in its client; the printed tables are compared with what the command answers itself.

    clients.py SFG TARGET...      status 77 where the client of a target is not installed
"""
import concurrent.futures, fractions, importlib.util, json, os, pathlib, re, subprocess, sys, tempfile

DISTRIBUTION = "/usr/bin/python3"  # whose packages python3-scipy and python3-networkx are
if not importlib.util.find_spec("scipy") and os.path.exists(DISTRIBUTION) and not os.path.samefile(sys.executable, DISTRIBUTION):
    os.execv(DISTRIBUTION, [DISTRIBUTION, *sys.argv])
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from models import MODELS
from targets import TARGETS, Different, Missing

SKIP = 77
UNKNOWN = "is not known to this version"


class Refused(Exception):
    """A message of the command and its status."""


class Answers:
    """What the command itself says of a model: by (kind, "OUT/IN"), rows as the client prints them."""

    def __init__(self, sfg, model, folder):
        self.sfg, self.model, self.folder = sfg, model, folder
        self.file = model.write(folder)

    def ask(self, verb, *words):
        command = [self.sfg, verb, self.file, *self.model.options, *words, "--json"]
        run = subprocess.run(command, cwd=self.folder, capture_output=True, encoding="utf-8")
        if run.returncode:
            raise Refused(f"{verb}: status {run.returncode}: {json.loads(run.stdout)['error']['message']}")
        return json.loads(run.stdout)

    def __call__(self):
        model = self.model
        times = ("--until", model.until, *(() if model.sampled else ("--points", str(model.points))))
        if model.nonlinear:
            answer = self.ask("simulate", "--nonlinear", *times)
            return {("response", name): pairs(answer["time"], y) for name, y in answer["signals"].items()}
        rows, bode = {}, self.ask("bode", "--freq", model.frequencies)
        self.transfers = [(T["input"], T["output"]) for T in bode["transfers"]]
        for (source, sink), transfer in zip(self.transfers, bode["transfers"]):
            label = f"{sink}/{source}"
            if model.improper:
                rows["no step", label] = []
            else:
                step = self.ask("step", "--from", source, "--to", sink, *times)
                rows["step", label] = pairs(step["time"], step["signals"][sink])
            rows["frequency", label] = [[w, *value] for w, value in zip(bode["frequency"], transfer["value"])]
        return rows


def pairs(times, values):
    return [list(row) for row in zip(times, values)]


def export(answers, target, name="m", *more):
    """The file of a target. Refused carries the message of the command."""
    model, folder = answers.model, answers.folder
    command = [answers.sfg, "export", answers.file, "--target", target.name, "--name", name, "-o", name + target.suffix,
               *model.options, "--until", model.until, *more]
    if not model.sampled:
        command += ["--points", str(model.points)]
    if not model.nonlinear:
        command += ["--freq", model.frequencies]
    if target.samples and not model.sampled:
        command += ["--sample-time", str(fractions.Fraction(model.until) / (model.points - 1))]
    run = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    made = folder / (name + target.suffix)
    if run.returncode:
        if made.exists():
            raise Different(f"status {run.returncode} and a file")
        raise Refused(f"status {run.returncode}: {run.stderr.strip()}")
    return made


def header(model, answers, made):
    """Title, command and verification stand at the top; the text is UTF-8 with line feeds and ends with one."""
    raw = made.read_bytes()
    text = raw.decode("utf-8")
    if b"\r" in raw or not text.endswith("\n"):
        raise Different("carriage returns, or no line feed at the end")
    if "sfg export" not in text[:12000] or "verified" not in text[:12000]:
        raise Different("the header lacks the command or how it was verified")
    if model.title not in text[:12000]:
        raise Different(f"the header lacks the title {model.title!r}")


def check_refusal(model, target, message):
    if not message.startswith(("status 1", "status 3")):
        raise Different(f"refused with {message}")
    missing = [name for name in model.refused if f"'{name}'" not in message]
    if missing:
        raise Different(f"the refusal does not name {missing[0]!r}: {message}")
    others = [other for other in TARGETS if other != target.name]
    if not any(re.search(rf"(?<![\w-]){re.escape(other)}(?![\w-])", message) for other in others):
        raise Different(f"the refusal names no target that can: {message}")


def check(sfg, model, target):
    """None where the file is right; the word for what was not compared."""
    with tempfile.TemporaryDirectory(prefix="sfg-clients-") as folder:
        answers = Answers(sfg, model, pathlib.Path(folder))
        try:
            made = export(answers, target)
        except Refused as problem:
            if UNKNOWN in str(problem):
                raise Missing(f"the target {target.name} {UNKNOWN}") from None
            if not target.may_refuse(model):
                raise
            check_refusal(model, target, str(problem))
            return "refused, as it may"
        if target.commented:
            header(model, answers, made)
        if target.tables:
            rows = {key: row for key, row in answers().items() if key[0] in target.kinds}
            return target.run(model, answers, made, rows)
        return target.run(model, answers, made, {})


def examine(sfg, target):
    """Problems of a target, and how many of its files were right."""
    chosen = os.environ.get("SFG_MODELS", "").split()
    models = [m for m in MODELS if target.knows(m) and (not chosen or m.name in chosen)]
    problems, right = [], 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for model, job in [(m, pool.submit(check, sfg, m, target)) for m in models]:
            try:
                job.result()
                right += 1
            except (Different, Refused, ValueError, KeyError, IndexError) as problem:
                problems.append(f"{target.name}, {model.name}: {type(problem).__name__}: {' '.join(str(problem).split())}")
            except subprocess.TimeoutExpired as problem:
                problems.append(f"{target.name}, {model.name}: no end after {problem.timeout} s")
    return problems, right


def main():
    sfg = str(pathlib.Path(sys.argv[1]).resolve())
    skipped, failed = [], False
    for name in sys.argv[2:]:
        target = TARGETS[name]
        lacking = target.lacking()
        if lacking:
            skipped.append(f"{name}: {lacking} is not installed (tools/install-packages --clients)")
            continue
        try:
            problems, right = examine(sfg, target)
        except Missing as problem:
            skipped.append(str(problem))
            continue
        failed = failed or bool(problems)
        print(*problems, f"{name}: {right} files right, {len(problems)} not", sep="\n")
    print(*(f"skipped: {reason}" for reason in skipped), sep="\n")
    sys.exit(1 if failed else SKIP if len(skipped) == len(sys.argv[2:]) else 0)


if __name__ == "__main__":
    main()
