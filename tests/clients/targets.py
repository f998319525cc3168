"""How the file of each target is run by its client, and how its tables are read."""
import csv, dataclasses, importlib.util, io, json, math, os, re, shutil, subprocess, sys, typing
import xml.etree.ElementTree as ElementTree

import diagrams, mockup

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?")
WARNINGS = ["-O1", "-Wall", "-Wextra", "-Werror", "-pedantic"]
PYTHON = sys.executable


class Different(Exception):
    """What a file or its table says otherwise."""


class Missing(Exception):
    """A target that this version has not yet."""


def client(*command, folder, seconds=120):
    """Standard output of a program that ends well."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1"}
    run = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, encoding="utf-8", errors="replace",
                         timeout=seconds, env=environment, stdin=subprocess.DEVNULL)
    if run.returncode:
        raise Different(f"{command[0]} ends with {run.returncode}: {(run.stderr.strip() or run.stdout.strip())[-300:]}")
    return run.stdout


def number(text):
    if not NUMBER.fullmatch(text):
        raise ValueError(text)
    return float(text.translate(str.maketrans("Dd", "ee")))


def tables(text):
    """The tables of the contract, by (kind, label); other lines are passed over."""
    found, rows = {}, None
    for line in text.splitlines():
        head = re.match(r"\s*#\s*(no step|step|frequency|response)\s(.*?)\s*$", line)
        if head:
            kind, label = head.groups()
            key = (kind, label.rsplit(":", 1)[0] if kind == "no step" else label)
            if key in found:
                raise Different(f"# {kind} {label} stands twice")
            rows = found[key] = []
            continue
        try:
            row = [number(word) for word in line.split()]
        except ValueError:
            continue
        if rows is not None and len(row) in (2, 3):
            rows.append(row)
    return found


def near(x, y, tolerance, top):
    return math.isfinite(x) and abs(x - y) <= tolerance * top


def compare(found, wanted, step=1e-6, frequency=1e-6, only=False):
    """Tables against tables. `only`: nothing else may be there."""
    for key, rows in wanted.items():
        if key not in found:
            raise Different(f"no table {key}; there are {sorted(found)[:4]}")
        compare_rows(key, found[key], rows, frequency if key[0] == "frequency" else step)
    if only and set(found) - set(wanted):
        raise Different(f"more tables than were asked for: {sorted(set(found) - set(wanted))[:3]}")


def compare_rows(key, found, wanted, tolerance, first=0):
    if len(found) != len(wanted):
        raise Different(f"{key}: {len(found)} rows, not {len(wanted)}")
    value = (lambda row: complex(*row[1:]))
    top = max((abs(value(row)) for row in wanted), default=0) or 1
    last = wanted[-1][0] if wanted else 0
    for k, (got, want) in enumerate(zip(found, wanted)):
        if abs(got[0] - want[0]) > 1e-9 * max(abs(want[0]), 1e-6 * last):
            raise Different(f"{key}: row {k + 1} is at {got[0]!r}, not {want[0]!r}")
        scale = top if key[0] != "frequency" else max(abs(value(want)), 1e-6 * top)
        if k >= first and not abs(value(got) - value(want)) <= tolerance * scale:
            raise Different(f"{key}: {value(got)} at {want[0]!r}, not {value(want)}")


# ---- programs that print their tables
def printed(output):
    def run(model, answers, made, rows):
        compare(tables(output(made)), rows, only=True)
    return run


def octave(made): return client("octave-cli", "--norc", made.name, folder=made.parent)
def scilab(made): return client("scilab-cli", "-nb", "-quit", "-f", made.name, folder=made.parent)
def python(made): return client(PYTHON, made.name, folder=made.parent)


def maxima(made):
    text = client("maxima", "--very-quiet", "-b", made.name, folder=made.parent)
    return re.sub(r"(?<=\s)- (?=[\d.])", "-", text)


def verilog(made):
    client("iverilog", "-g2012", "-o", "m.vvp", made.name, folder=made.parent)
    return client("vvp", "-n", "m.vvp", folder=made.parent)


def c(made):
    checked = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    client("gcc", "-std=c11", *WARNINGS, *checked, "-DSFG_MAIN", made.name, "-lm", "-o", "m.out", folder=made.parent)
    return client("env", "ASAN_OPTIONS=detect_leaks=0", "./m.out", folder=made.parent)


def cpp(made):
    if not made.with_suffix(".hpp").exists():
        raise Different("no header beside the source")
    client("g++", "-std=c++20", *WARNINGS, "-DSFG_MAIN", made.name, "-o", "m.out", folder=made.parent)
    return client("./m.out", folder=made.parent)


# ---- netlists
def columns(path, width, labels):
    rows = [[number(x) for x in line.split()] for line in path.read_text().splitlines() if line.strip()[:1] in tuple("0123456789.-+")]
    if not rows or len(rows[0]) != width * len(labels):
        raise Different(f"{path.name}: {len(rows[0]) if rows else 0} columns for {len(labels)} transfer functions")
    return {label: [row[width * k:width * (k + 1)] for row in rows] for k, label in enumerate(labels)}


def spice(model, answers, made, rows):
    client("ngspice", "-b", made.name, folder=made.parent)
    kinds = [kind for kind in ("step", "frequency", "response") if any(key[0] == kind for key in rows)]
    for kind in kinds:
        labels = [label for k, label in rows if k == kind]
        name = "m_frequency.txt" if kind == "frequency" else "m_step.txt"
        if not (made.parent / name).exists():
            raise Different(f"ngspice wrote no {name}")
        for label, got in columns(made.parent / name, 3 if kind == "frequency" else 2, labels).items():
            if kind == "frequency":
                got = [[2 * math.pi * row[0], *row[1:]] for row in got]
            compare_rows((kind, label), got, rows[kind, label], 1e-6 if kind == "frequency" else 1e-3, 0 if kind == "frequency" else 1)


def verilog_a(model, answers, made, rows):
    client("admsXml", made.name, folder=made.parent)


# ---- documents and data
def modelica(model, answers, made, rows):
    text = made.read_text(encoding="utf-8")
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S))
    bare = re.sub(r"'(?:[^'\\]|\\.)*'", "q", bare)
    if not re.search(r"\bmodel\s+m\b", bare) or not re.search(r"\bend\s+m\s*;", bare):
        raise Different("no model m ... end m;")
    if any(bare.count(a) != bare.count(b) for a, b in ("()", "[]", "{}")):
        raise Different("brackets do not pair")
    if not re.search(r"(?i)\bnot\b.{0,20}\b(run|executed|tested)|no client", text):
        raise Different("the header does not say that no client ran it")


def latex(model, answers, made, rows):
    client("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", made.name, folder=made.parent)


def same_answers(model, answers, made, gains=None):
    """The file, read back, has the same transfer functions. `gains`: those in which alone names occur."""
    own = answers.ask("tf", "--numbers")["transfers"]
    values = []
    for name, entry in parameters(answers).items():
        if gains is None or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", gains):
            values += ["--set", f"{name}={entry['value']}"]
    for transfer in own:
        words = ["--from", transfer["input"], "--to", transfer["output"], "--variable", "z" if model.sampled else variable(answers)]
        run = subprocess.run([answers.sfg, "tf", made.name, *words, *values, "--numbers", "--json"], cwd=made.parent,
                             capture_output=True, encoding="utf-8")
        if run.returncode:
            raise Different(f"read back: {run.stderr.strip()[:200]}")
        back = json.loads(run.stdout)["transfers"][0]
        if back["expression"] != transfer["expression"]:
            raise Different(f"read back: {back['expression'][:80]}, not {transfer['expression'][:80]}")


def variable(answers):
    run = subprocess.run([answers.sfg, "graph", answers.file], cwd=answers.folder, capture_output=True, encoding="utf-8")
    stated = re.search(r'\bvariable="(.*?)"', run.stdout)
    return stated[1] if stated else "s"


def parameters(answers):
    run = subprocess.run([answers.sfg, "export", answers.file, *answers.model.options, "--target", "json"], cwd=answers.folder,
                         capture_output=True, encoding="utf-8")
    if run.returncode:
        raise Missing("json") if "not known" in run.stderr else Different(run.stderr)
    return json.loads(run.stdout)["parameters"]


def json_file(model, answers, made, rows):
    def pairs(items):
        if len({key for key, _ in items}) < len(items):
            raise Different("a key stands twice")
        return dict(items)
    content = json.loads(made.read_text(encoding="utf-8"), object_pairs_hook=pairs)
    if content["schema"] != "sfg/export/1":
        raise Different(f"schema {content['schema']}")
    if model.nonlinear:
        return
    asked = [(T["input"], T["output"]) for T in content["transfers"]]
    own = answers.ask("tf")["transfers"]
    if asked != [(T["input"], T["output"]) for T in own]:
        raise Different(f"the transfer functions are others: {asked}")
    if [T["expression"] for T in content["transfers"]] != [T["expression"] for T in own]:
        raise Different("an expression is another")


def csv_file(model, answers, made, rows):
    lines = list(csv.reader(io.StringIO(made.read_bytes().decode("utf-8"), newline=""), strict=True))
    if lines[0] != ["from", "to", "gain"] or any(len(line) != 3 for line in lines):
        raise Different(f"a header {lines[0]}, or lines of other than three fields")
    if not model.nonlinear:
        same_answers(model, answers, made, " ".join(line[2] for line in lines))


def graphml(model, answers, made, rows):
    ElementTree.parse(made)
    if importlib.util.find_spec("networkx"):
        import networkx
        networkx.read_graphml(made)
    if not model.nonlinear:
        same_answers(model, answers, made)


def html_snippet(model, answers, made, rows):
    tree = ElementTree.fromstring(made.read_text(encoding="utf-8"))
    tags = {re.sub(r"\{.*\}", "", element.tag) for element in tree.iter()}
    if not {"math", "svg"} <= tags or "script" in tags:
        raise Different(f"no MathML, no SVG, or a script: {sorted(tags)}")


def simulink(model, answers, made, rows):
    blocks, lines, denc = diagrams.recorded(client("octave-cli", "--norc", "--eval", "m", folder=diagrams.stubs(made.parent)), Different)
    diagrams.check_places(blocks, Different)
    for (kind, label), wanted in rows.items():
        sink, source = next((y, u) for u, y in answers.transfers if f"{y}/{u}" == label)
        for w, re_, im in wanted[::2]:
            s = complex(0, w)
            if model.sampled:
                s = complex(math.cos(0.1 * w), math.sin(0.1 * w))
            got, want = diagrams.response(blocks, lines, source, sink, s, Different), complex(re_, im)
            if not abs(got - want) <= 1e-6 * abs(want):
                raise Different(f"the diagram gives {label} = {got} at {w}, not {want}")
    if model.name == "vehicle":
        diagrams.check_vehicle(blocks, denc, Different)


def fmu(model, answers, made, rows):
    mockup.check(made, model, answers, rows, compare_rows, client, Different)


@dataclasses.dataclass
class Target:
    name: str
    suffix: str
    run: typing.Callable
    needs: tuple = ()                      # programs, or modules of Python
    kinds: tuple = ("step", "no step", "frequency", "response")
    tables: bool = True
    commented: bool = True
    samples: bool = False                  # of a model not in z it needs a sample time
    nonlinear: bool = True
    z: bool = True                         # it knows sampled models
    exact: tuple = ()                      # of what others refuse it writes this as it stands
    must: tuple = ()                       # of what others refuse it runs this
    analog: bool = False

    def lacking(self):
        return next((need for need in self.needs if not shutil.which(need) and not importlib.util.find_spec(need)), None)

    def knows(self, model):
        if self.analog:
            return model.analog
        if model.mechanism and self.name in ("octave", "python", "c", "cpp"):
            return False
        return self.nonlinear or not model.nonlinear or bool(model.refused)

    def may_refuse(self, model):
        if model.sampled and not self.z:
            return True
        if model.name in self.must:
            return False
        return bool(model.refused) or model.nonlinear


MOTION = ("improper", "law", "oscillator", "levels")
TARGETS = {target.name: target for target in [
    Target("octave", ".m", printed(octave), ("octave-cli",), must=MOTION),
    Target("scilab", ".sce", printed(scilab), ("scilab-cli",), must=("improper",)),
    Target("python", ".py", printed(python), ("numpy", "scipy"), must=MOTION),
    Target("maxima", ".mac", printed(maxima), ("maxima",), kinds=("frequency",), nonlinear=False),
    Target("c", ".c", printed(c), ("gcc",), must=MOTION),
    Target("cpp", ".cpp", printed(cpp), ("g++",), must=MOTION),
    Target("spice", ".cir", spice, ("ngspice",), must=("levels",), z=False),
    Target("analog", ".cir", spice, ("ngspice",), kinds=("step", "response"), must=("levels",), z=False, commented=False, analog=True),
    Target("simulink", ".m", simulink, ("octave-cli", "numpy"), kinds=("frequency",), nonlinear=False),
    Target("modelica", ".mo", modelica, tables=False, z=False),
    Target("latex", ".tex", latex, ("pdflatex",), tables=False),
    Target("json", ".json", json_file, tables=False, commented=False, nonlinear=False),
    Target("csv", ".csv", csv_file, tables=False, commented=False),
    Target("graphml", ".graphml", graphml, tables=False, commented=False),
    Target("html-snippet", ".html", html_snippet, tables=False, commented=False),
    Target("verilog-a", ".va", verilog_a, ("admsXml",), tables=False, z=False),
    Target("verilog", ".v", printed(verilog), ("iverilog", "vvp"), kinds=("step", "no step"), samples=True, nonlinear=False),
    Target("fmu", ".fmu", fmu, ("gcc",), kinds=("step",), commented=False, nonlinear=False),
]}
