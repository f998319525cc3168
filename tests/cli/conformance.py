#!/usr/bin/env python3
"""Every verb meets every kind of model, in every form of answer: a documented status; JSON that follows its schema, or an
error in JSON; a picture that is one, or no file; a message wherever there is no answer; and of --set and --sweep an effect or a word.

    conformance.py SFG [VERB...]
"""
import concurrent.futures, json, os, pathlib, subprocess, sys, tempfile, xml.etree.ElementTree as xml

import schemas

SFG = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(__file__).resolve().parents[2]
LONG = "digraph { input=\"r\"; output=\"y\"; parameters=\"K=2\"; r -> n0 [gain=\"K\"]; " + " ".join(
    f'n{i} -> n{i + 1} [gain="{"1/(s + 1)" if i % 40 == 0 else 2 if i % 2 else 0.5}"];' for i in range(200)) + ' n200 -> y; n120 -> n80 [gain="-1/9"]; }'
SLIDER = """[multibody]
planar = true
gravity = ["0", "-g"]
bodies = [{{ name = "cart", mass = "m" }}, {{ name = "rod", mass = "n", com = ["0", "-l"], inertia = "J" }}]
joints = [{{ name = "P", type = "prismatic", bodies = ["frame", "cart"], axis = "x", coordinate = "x"{motion} }},
  {{ name = "A", type = "revolute", bodies = ["cart", "rod"], coordinate = "phi" }}]
{more}
[analysis]
input = "u"
output = ["{output}"]
[simulation]
inputs = {{ u = "t^2/9" }}
[parameters]
K = 3
m = 2
n = 1
l = "1/3"
J = "1/9"
g = 9.81
"""
MODELS = {
    "empty.dot": "digraph { }",
    "no_branch.dot": 'digraph { input="r"; output="y"; r; y; }',
    "one_node.dot": 'digraph { input="r"; output="r"; r; }',
    "no_path.dot": 'digraph { input="r"; output="y"; parameters="K=2"; r -> a [gain="K/(s+1)"]; b -> y [gain="2"]; }',
    "constant.dot": 'digraph { input="r"; output="y"; parameters="K=2"; r -> e; e -> y [gain="K"]; y -> e [gain="-3"]; }',
    "improper.dot": 'digraph { input="r"; output="y"; parameters="K=2"; r -> y [gain="K*s^2/(s + 1)"]; }',
    "dead_time.dot": 'digraph { input="r"; output="y"; parameters="K=2, T=0.3"; r -> e; e -> y [gain="K*exp(-T*s)/(s + 3)"]; y -> e [gain="-1"]; }',
    "singular.dot": 'digraph { input="r"; output="y"; parameters="K=1"; r -> e; e -> y [gain="K"]; y -> e [gain="1/K"]; }',
    "unstable.dot": 'digraph { input="r"; output="y"; parameters="K=2"; r -> y [gain="K/((s - 1)*(s^2 + 4))"]; }',
    "integrator.dot": 'digraph { input="r"; output="y"; parameters="K=2"; r -> y [gain="K/s^2"]; }',
    "two_by_two.dot": 'digraph { input="r,d"; output="y,z"; parameters="K=2"; r -> e; d -> x; e -> x [gain="K/(s + 1)"]; x -> y; y -> e [gain="-1"]; e -> z [gain="1/(s + 2)"]; }',
    "long.dot": LONG,
    "law.dot": 'digraph { input="r"; output="y"; parameters="K=2"; r -> e; e -> y [gain="K/(s^2 + s + 1)"]; y -> n [nonlinear="-u^3"]; n -> e; }',
    "discrete.dot": 'digraph { input="r"; output="y"; variable="z"; sample_time="0.1"; parameters="K=0.3"; r -> e; e -> y [gain="K/(z - 0.5)"]; y -> e [gain="-1"]; }',
    "no_values.dot": 'digraph { input="r"; output="y"; r -> e; e -> y [gain="K/(s + a)"]; y -> e [gain="-1"]; }',
    "names.dot": 'digraph { input="r 1"; output="ÿ→\\"x\\""; parameters="K=2"; "r 1" -> e; e -> "ÿ→\\"x\\"" [gain="K/(s + 1)"]; }',
    "huge.dot": 'digraph { input="r"; output="y"; parameters="K=1e300"; r -> y [gain="K/(1e-300*s + 1)"]; }',
    "root.dot": 'digraph { input="r"; output="y"; parameters="K=2"; r -> y [gain="sqrt(K)/(s + K^(1/3))"]; }',
    "circuit.cir": "* low-pass\nV1 a 0 AC 1\nR1 a b 1k\nC1 b 0 1u\n.end\n",
    "devices.cir": "* bipolar\nVCC v 0 5\nV1 in 0 AC 1\nR1 in b 1k noisy=0\nQ1 c b 0 QN GM=38.6m\nRC v c 2.5k\n.model QN NPN(BF=200 VAF=80 KF=1e-15)\n.tf v(c) V1\n.end\n",
    "blocks.cir": "* ladder\nV1 in 0 AC 1\nX1 in 1 sec\nX2 1 out sec\n.subckt sec i o\nR1 i m 1k\nC1 o 0 1n\nL1 m o 1u\n.ends\n.tf v(out) V1\n.end\n",
    "typed.sfg": 'input r, d\noutput y\nK = 2; T = 1/2\nr -> (+e) -> [K/(T*s + 1)] -> (+m) -> [1/s] -> y\nd -> (-m)\ny -> (-e)\n',
    "masked.mdl": (ROOT / "examples/masked_servo.mdl").read_text(),
    "tank.xcos": (ROOT / "examples/tank_level.xcos").read_text(),
    "sticking.toml": SLIDER.format(motion="", more='forces = [{ joint = "P", force = "u - K*x - friction(Dx, 1, 2)" }]', output="x"),
    "moved.toml": SLIDER.format(motion=', motion = "K*u"', more="", output="phi"),
    "energies.toml": '[lagrange]\ncoordinates = ["x"]\nforces = { x = "F" }\nT = "m*Dx^2/2"\nPi = "k*x^2/2"\n[parameters]\nm = 2\nk = 5\n',
}
#: What each verb is asked, in several ways where another pass answers; and what kinds of picture it has.
VERBS = {
    "check": [""], "derive": [""], "graph": [""], "draw": ["", "--as blocks", "--as mechanism"],
    "tf": ["", "--form blocks", "--form standard", "--from r --to y --ratio-of e/r"], "mason": [""], "reduce": [""], "poles": [""],
    "bode": ["--freq 0.1:10:5", "--data swept.csv"], "nyquist": ["--freq 0.1:10:5"], "nichols": ["--freq 0.1:10:5"], "margins": [""],
    "step": ["--until 2 --points 5", "--until 2 --points 5 --data stepped.csv"], "impulse": ["--until 2 --points 5"], "simulate": ["--until 2 --points 5"],
    "balance": ["--static"], "discretize": ["--sample-time 0.1"], "routh": [""], "absolute": [""], "rlocus": ["--in K --range 0:3"],
    "sens": [""], "tune": ["--vary K=1:3 --minimize peak"], "ports": ["--port b"], "noise": ["--freq 1,2", "--freq 1,2 --budget"],
    "certificate": [""], "report": [""], "export": ["--target c"], "identifiable": ["", "--known K"],
    "fit": ["--data swept.csv --vary K=0.1:9", "--data stepped.csv --vary K --starts 1"], "compare": ["other.dot", "MODEL"], "weave": [""],
}
#: Beside every model.
BESIDE = {"swept.csv": "w,y_db\n0.5,1\n1,0\n3,-6\n9,-19\n", "stepped.csv": "t,y\n0,0\n0.5,0.6\n1,0.9\n2,1.1\n",
          "other.dot": 'digraph { r -> y [gain="K/(s + 3)"]; parameters="K=2"; }'}
PICTURES = {"draw", "poles", "bode", "nyquist", "nichols", "margins", "step", "impulse", "simulate", "rlocus", "sens", "balance", "fit"}
STATUSES = (0, 1, 2, 3, 4)
#: K is in no denominator.
RIGHTLY_SAME = {("routh", "unstable.dot")}
#: Their answers are several files.
SEVERAL = {"export", "weave"}


class Question:
    def __init__(self, verb, model, way=None, extra=(), output=None, as_json=False):
        self.verb, self.model, self.extra, self.output, self.as_json = verb, model, list(extra), output, as_json
        self.way = (VERBS[verb][0] if way is None else way).replace("MODEL", model).split()

    def words(self):
        # weave page.md: its fences ask about the model
        asked = "page.md" if self.verb == "weave" else self.model
        return [self.verb, asked, *self.way, *self.extra, *(["-o", self.output] if self.output else []), *(["--json"] if self.as_json else [])]

    def ask(self):
        with tempfile.TemporaryDirectory() as folder:
            page = f"A page.\n\n```sfg tf file={self.model}\n```\n\n```sfg draw file={self.model}\n```\n"
            beside = {**BESIDE, "page.md": page}
            for name, text in {**beside, self.model: MODELS[self.model]}.items():
                pathlib.Path(folder, name).write_text(text, encoding="utf-8")
            try:
                run = subprocess.run([SFG, *self.words(), "--time-limit", "30"], cwd=folder, capture_output=True, timeout=200)
            except subprocess.TimeoutExpired:
                return None, "", "", None
            made = pathlib.Path(folder, self.output).read_bytes() if self.output and os.path.exists(os.path.join(folder, self.output)) else None
            left = sorted(set(os.listdir(folder)) - {self.model, self.output, *beside})
            return run.returncode, run.stdout.decode("utf-8", "replace"), run.stderr.decode("utf-8", "replace") + "".join(f"\nLEFT {name}" for name in left if self.verb not in SEVERAL), made

    def problems(self):
        status, out, err, made = self.ask()
        if status is None:
            return ["it does not end"]
        found = []
        if status not in STATUSES:
            found.append(f"status {status}: {err[:200]}")
        if status and not err.strip() and not (self.as_json and out.strip()) and self.verb not in ("check", "compare"):
            found.append(f"status {status} without a word")
        if "LEFT" in err:
            found.append("a file is left: " + err[err.index("LEFT"):][:80])
        for word in ("internal", "std::", "basic_string", "vector::", "bad_alloc", "GiNaC", "unordered_map", "map::at"):
            if word in err:
                found.append(f"its message speaks of {word}: {err[:200]}")
        if self.as_json:
            documents = [document for _, document in schemas.documents(out)]
            if len(documents) != 1:
                found.append(f"{len(documents)} documents, status {status}: {err[:150]}")
            found += [problem for document in documents for problem in schemas.problems_of(document)[0]]
            if status == 0 and documents and documents[0] and documents[0].get("schema") == "sfg/error/1":
                found.append("an error with status 0")
        elif self.output:
            if status == 0 and made is None:
                found.append("status 0 and no file")
            if status in (2, 3) and made is not None:
                found.append(f"status {status} and a file")
            if made is not None and self.output.endswith(".svg"):
                try:
                    xml.fromstring(made)
                except xml.ParseError as error:
                    found.append(f"no picture: {error}")
                for word in (b"nan", b"inf"):
                    if b'"' + word + b'"' in made or b" " + word + b"," in made:
                        found.append(f"a place is {word.decode()}")
        elif status == 0 and not out.strip() and self.verb not in ("report", "export"):
            found.append("status 0 and no answer")
        return found


def without_effect(verb, model):
    """--set K=… and --sweep K=… of a model that has K with a value: another answer, or a word."""
    excited = ["--input", "r=1"] if verb == "balance" else []
    plain = Question(verb, model, extra=excited).ask()
    if plain[0] != 0:
        return []
    found = []
    for extra in (["--set", "K=3/4"], ["--sweep", "K=0.7,0.9"]):
        status, out, err, _ = Question(verb, model, extra=[*excited, *extra]).ask()
        if status == 0 and out == plain[1] and err == plain[2]:
            found.append(f"sfg {' '.join(Question(verb, model, extra=[*excited, *extra]).words())}: the same answer without a word")
    return found


def main():
    verbs = sys.argv[2:] or list(VERBS)
    questions = []
    for verb, way, model in ((verb, way, model) for verb in verbs for way in VERBS[verb] for model in MODELS):
        output = {"report": "x.html", "export": "x.c"}.get(verb)
        questions.append(Question(verb, model, way, output=output))
        if verb not in ("report", "export"):
            questions.append(Question(verb, model, way, as_json=True))
        if verb in PICTURES:
            questions.append(Question(verb, model, way, output="x.svg"))
    wrong = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        for question, problems in zip(questions, workers.map(Question.problems, questions)):
            wrong += [f"sfg {' '.join(question.words())}: {problem}" for problem in problems]
        pairs = [(verb, model) for verb in verbs if verb not in ("check", "report", "export", "draw", "certificate", "compare", "weave")
                 for model in ("constant.dot", "dead_time.dot", "two_by_two.dot", "law.dot", "discrete.dot", "unstable.dot")
                 if (verb, model) not in RIGHTLY_SAME]
        for found in workers.map(lambda pair: without_effect(*pair), pairs):
            wrong += found
    print("\n".join(wrong))
    print(f"{len(questions)} questions and {len(pairs)} pairs, {len(wrong)} problems")
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
