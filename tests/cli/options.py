#!/usr/bin/env python3
"""No option is ignored without a word: each option of each verb, given to each of the questions below, changes the answer, or
standard error speaks of it, or it is refused (exit status 2); and no message leads to an option that the verb has not.
The options are those of `sfg help --page`. options.py SFG"""
import concurrent.futures, os, pathlib, re, subprocess, sys, tempfile, unittest

SFG = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
FILES = {
    "g.dot": """digraph { input="r"; output="y"; parameters="K=2, a=3";
  r -> e [gain="3"]; d -> x [gain="2"]; e -> x [gain="K/((s+a)*(s+1)*s)"]; x -> e [gain="-1"]; x -> y; e -> z [gain="5"]; }""",
    "same.dot": """digraph { input="r"; output="y"; parameters="K=2, a=3, q=1";
  r -> e [gain="3"]; d -> x [gain="2.1"]; e -> x [gain="K/((s+a)*(s+q)*s)"]; x -> e [gain="-1"]; x -> y; e -> z [gain="5"]; }""",
    "delay.dot": """digraph { input="r"; output="y"; parameters="K=2, T=0.7";
  r -> e [gain="3"]; d -> e [gain="2"]; e -> x [gain="K*exp(-T*s)/(s+1)"]; x -> e [gain="-1"]; x -> y; e -> z; }""",
    "z.dot": """digraph { input="r"; output="y"; variable="z"; sample_time="0.1"; parameters="K=0.3, a=0.8";
  r -> e; d -> e; e -> x [gain="K/(z^2 - a*z + 0.1)"]; x -> e [gain="-1"]; x -> y; e -> z1 [gain="5"]; }""",
    "law.dot": """digraph { input="r"; output="y"; parameters="K=2, a=3";
  r -> e; d -> e; e -> y [gain="K/(s + a)"]; y -> n [nonlinear="-u^3 - u"]; n -> e; y -> z [gain="5"]; }""",
    "m.toml": """[lagrange]
coordinates = ["x", "w"]
forces = { x = "F", w = "G" }
T = "m*Dx^2/2 + n*Dw^2/2"
Pi = "k*x^2/2 + k*(x - w)^2/2 + k*x^4/9"
Phi = "Dx^2/5 + Dw^2/7"
equilibrium = "find"
[analysis]
input = "F"
output = ["x"]
[parameters]
m = { value = 2, tolerance = "5%" }
n = 3
k = 5
""",
    "c.cir": "* divider\nV1 a 0 AC 1\nI1 b 0 0 AC 1\nR1 a b 1k\nC1 b 0 1u\nR2 b c 2k\nC2 c 0 1u\n.end\n",
    "free.dot": """digraph { input="u"; output="y"; parameters="K=3"; u -> x [gain="w^2/(s^2 + 2*d*w*s + w^2)"]; v -> x; x -> y; x -> q1 [gain="K"]; }""",
    "loop.dot": """digraph { input="r"; output="y"; parameters="K=2, a=3";
  r -> e; e -> e [gain="1/(s+a)"]; e -> b -> c; e -> c [gain="K"]; c -> c [gain="-2"]; c -> y; d -> c; c -> z; }""",
    "root.dot": """digraph { input="r"; output="y"; parameters="K=2"; r -> x [gain="sqrt(K^2)"]; x -> y [gain="1/(s+1)"]; x -> z; d -> x; }""",
    "root_out.dot": """digraph { input="r"; output="y"; parameters="K=2"; r -> x [gain="K"]; x -> y [gain="1/(s+1)"]; x -> z; d -> x; }""",
    "op.txt": "@m1[gm] = 1e-3\n@m1[gds] = 1e-6\n",
    "page.md": "# T\n\n```sfg tf\ndigraph { a -> b [gain=\"K\"]; }\n```\n",
    "house.toml": "[colours]\nink = \"#123456\"\ncurves = [\"#654321\"]\n",
    "old.dot": 'digraph { r [pos="0,0"]; e [pos="0,90"]; x [pos="60,200"]; y [pos="0,300"]; r -> e -> x -> y; }',
    "road.csv": "t,v\n0,0\n1,2\n",
    "swept.csv": "w,y_db\n1,2\n2,0\n",
    "logged.csv": "t,y\n0,0\n0.5,1\n",
    "ports.s2p": "# Hz S MA R 50\n1 0.5 0 0.1 0 0.1 0 0.5 0\n",
    "pendulum.toml": (EXAMPLES / "double_pendulum.toml").read_text(),
}
#: Of each file what options may name: another input and output than stated, a node within, a parameter, a signal, another format.
NAMES = {
    "g.dot": {"from": "d", "to": "z", "node": "e", "source": "r", "k": "K", "k2": "a", "signal": "x", "format": "toml", "branch": "x,e"},
    "page.md": {"from": "a", "to": "b", "node": "b", "source": "a", "k": "K", "k2": "K", "signal": "b", "format": "dot", "branch": "a,b"},
    "free.dot": {"from": "v", "to": "q1", "node": "x", "source": "u", "k": "d", "k2": "w", "signal": "x", "format": "toml", "branch": "x,y"},
    "loop.dot": {"from": "d", "to": "z", "node": "c", "source": "r", "k": "K", "k2": "a", "signal": "c", "format": "toml", "branch": "e,b"},
    "delay.dot": {"from": "d", "to": "z", "node": "e", "source": "r", "k": "K", "k2": "T", "signal": "x", "format": "toml", "branch": "x,e"},
    "z.dot": {"from": "d", "to": "z1", "node": "e", "source": "r", "k": "K", "k2": "a", "signal": "x", "format": "toml", "branch": "x,e"},
    "law.dot": {"from": "d", "to": "z", "node": "e", "source": "r", "k": "K", "k2": "a", "signal": "y", "format": "toml", "branch": "n,e"},
    "m.toml": {"from": "G", "to": "w", "node": "x", "source": "F", "k": "n", "k2": "m", "signal": "x", "format": "dot", "branch": "x,w"},
    "c.cir": {"from": "I1", "to": "v(c)", "node": "v(b)", "source": "V1", "k": "R1", "k2": "C1", "signal": "v(b)", "format": "dot", "branch": "R1"},
    "pendulum.toml": {"from": "tau2", "to": "s2", "node": "s1", "source": "tau1", "k": "l1", "k2": "m2", "signal": "s1", "format": "dot", "branch": "s1,s2"},
}
#: The questions: words of a command. Every one is asked alone and with each option of its verb.
TIMES, AT = "--until 1 --points 3", "--freq 1,2"
GLOBAL = "--to y --tolerance 10% --measure peak"
QUESTIONS = """
check g.dot|check m.toml|check pendulum.toml
compare g.dot same.dot|compare root.dot root_out.dot|compare g.dot same.dot --set q=1.2 --within 1,5 --freq 1:5:3
derive m.toml|derive pendulum.toml|derive g.dot|derive m.toml --as state-space
graph g.dot|graph m.toml|graph g.dot --realization observable
draw g.dot -o x.svg|draw g.dot --as matrix -o x.svg|draw m.toml -o x.tex|draw pendulum.toml --as mechanism -o x.svg
tf g.dot|tf free.dot --form factored|tf z.dot --form factored|tf c.cir --to v(b) --form approximate|tf law.dot --linearize|tf g.dot --form sequence|tf g.dot --form mason|tf g.dot --form zpk|tf g.dot --form numeric
mason g.dot|mason m.toml
reduce g.dot --keep r,y,e,x|reduce law.dot --principal|reduce loop.dot --absorb-all
poles g.dot|poles m.toml|poles z.dot --from r --to y|poles delay.dot --pade 2|poles m.toml --modes|poles g.dot -o x.svg|poles g.dot -o x.csv
bode g.dot {AT}|bode delay.dot {AT}|bode z.dot {AT}|bode g.dot {AT} -o x.svg|bode c.cir --to v(b) {AT} --json
nyquist g.dot {AT}|nyquist delay.dot {AT} -o x.svg
nichols g.dot {AT}|nichols delay.dot {AT} -o x.svg
margins g.dot|margins delay.dot --break x,e|margins z.dot|margins g.dot --break x,e
step g.dot {TIMES}|step z.dot {TIMES}|step delay.dot {TIMES}|step free.dot --symbolic|step g.dot {TIMES} -o x.svg
impulse g.dot {TIMES}|impulse delay.dot {TIMES} -o x.csv
simulate g.dot --input r=t {TIMES}|simulate law.dot --input r=sin(t)^2 {TIMES}|simulate m.toml --input F=1 {TIMES}|simulate pendulum.toml --initial s1=1 {TIMES}|simulate law.dot --phase y,n --start y=1 --until 1 -o x.svg|simulate z.dot --input r=1 {TIMES}|simulate pendulum.toml --initial s1=1 {TIMES} --method aggregate
balance law.dot --amplitude r=1 --freq 1|balance law.dot --static --input r=1|balance law.dot --limit-cycles --freq 0.1:10|balance law.dot --describing -o x.svg|balance m.toml --nonlinear --backbone --amplitude F=1 --freq 1:3:3
discretize g.dot --sample-time 0.1|discretize delay.dot --sample-time 0.1 --pade 2 --method tustin
routh g.dot --in K|routh g.dot|routh g.dot --region K,a|routh g.dot --kharitonov --interval K=1:3|routh --polynomial s^3+3*s^2+2*s+K --in K|routh z.dot --in K
absolute law.dot --box y=-2:2|absolute law.dot --sector 0:5
rlocus g.dot --in K --range 0:2|rlocus g.dot --in K --range 0:2 -o x.svg|rlocus --polynomial s^2+s+K --in K --range 0:2
sens g.dot|sens m.toml {AT}|sens g.dot --form sequence|sens g.dot --measure dc|sens g.dot --break x,e --measure phase-margin|sens g.dot --poles|sens g.dot {TIMES}|sens g.dot --monte-carlo 20 {GLOBAL}|sens g.dot --monte-carlo 20 {GLOBAL} -o x.csv|sens g.dot --worst-case {GLOBAL}|sens g.dot --sobol 4 {GLOBAL}|sens g.dot --morris 2 {GLOBAL}|sens g.dot --tornado {GLOBAL}|sens m.toml --measure dc -o x.svg|sens m.toml --nonlinear --monte-carlo 5 --tolerance 5% --measure final --until 4
tune g.dot --vary K=0.1:4 --spec 'phase-margin > 70' --break x,e|tune g.dot --vary K=0.1:4 --minimize peak
ports c.cir --port b|ports c.cir --port b --port c --as s|ports c.cir --port b --form approximate
noise c.cir --to v(c) --freq 1,2|noise c.cir --to v(c) --freq 1,2 -o x.svg
exercise --nodes 5|exercise --nodes 5 --solution
export m.toml --target c --until 2|export m.toml --target octave --until 2|export g.dot --target python|export pendulum.toml --target substitution|export law.dot --target analog --input r=1 --until 1|export law.dot --target modelica --until 2|export c.cir --target spice|export z.dot --target c|export pendulum.toml --target c
report g.dot -o x.md|report m.toml -o x.html --sections poles,time
certificate g.dot|certificate m.toml --form sequence
weave page.md
""".replace("{AT}", AT).replace("{TIMES}", TIMES).replace("{GLOBAL}", GLOBAL)
#: What is given to an option, by its name, or by verb and name; several values where one may be what holds anyhow.
VALUES = {
    "--output": ["out.txt"], "--from": {"check": ["nobody"], "": ["{from}"]}, "--to": {"check": ["nobody"], "": ["{to}"]}, "--ratio": ["{source}"], "--set": {"check": ["nobody=1"], "": ["{k}=7"]}, "--at": ["{signal}=1"],
    "--box": ["{signal}=-2:2"], "--want": ["{signal}=1"], "--free": ["{source}"], "--at-time": ["1"], "--variable": {"check": ["K", "2"], "": ["q"]}, "--format": ["{format}"], "--time-limit": ["100"], "--memory-limit": ["900"],
    "--max-terms": ["1000"], "--threads": ["1"], "--seed": ["7"], "--notation": ["latex", "markdown"], "--width": ["60"], "--theme": ["dark"],
    "--as": {"derive": ["motion", "table"], "tf": ["standard"], "ports": ["y"], "draw": ["blocks"], "simulate": ["mechanism"], "weave": ["html"]},
    "--layout": {"graph": ["merged"], "draw": ["dot", "merged"]}, "--form": ["factored", "sequence", "rational", "standard"], "--closed": ["A"], "--open": ["A"], "--sweep": ["{k}=1,2"],
    "--freq": ["3,4", "3:4"], "--pade": ["1"], "--sample-time": ["0.2"], "--until": ["3"], "--points": ["4"], "--amplitude": {"balance": ["{source}=2"], "": ["2"]},
    "--input": {"simulate": ["{from}=2"], "balance": ["{from}=2"], "draw": ["{from}=2"], "export": ["{source}=2*t"]}, "--initial": ["{signal}=1", "{k}=1"],
    "--within": ["2,20"], "--map": ["a=q"], "--realization": ["parallel"], "--edit": ["node another"], "--ratio-of": ["{to}/{source},{node}/{source}"], "--error": ["20%"], "--like": ["old.dot"], "--state": ["s1=1", "x=1"], "--highlight": ["loop:1", "path:1"], "--type": {"graph": ["toml"], "": ["html", "svg"]},
    "--font-size": ["14"], "--scale": {"draw": ["2"], "reduce": ["e=2"]}, "--mode": ["1"], "--machine-unit": ["5"], "--time-scale": ["3"], "--maximum": ["y=4"],
    "--digits": {"poles": ["30"], "": ["3"]}, "--limit": ["1"], "--eliminate": ["e"], "--keep": ["r,y"], "--absorb": ["{node}"], "--invert": ["r,e"], "--split": ["e"],
    "--precision": ["float", "single"], "--primes": ["4"], "--orders": ["1,2"], "--break": ["{branch}"], "--of": ["sensitivity"], "--phase": ["y,n"], "--start": ["y=2"], "--rtol": ["1e-3"], "--atol": ["1e-2"],
    "--method": {"simulate": ["aggregate"], "discretize": ["matched"]}, "--harmonics": ["3"], "--subharmonic": ["3"], "--polynomial": ["s^3+s+1"], "--in": ["{k2}"],
    "--region": ["{k},{k2}"], "--range": ["1:9", "K=1:9"], "--interval": ["{k}=1:2"], "--sector": ["0:9"], "--wrt": ["{k}"], "--measure": ["peak", "dc"],
    "--tolerance": ["{k}=20%"], "--distribution": ["{k}=normal"], "--correlation": ["{k},{k2}=0.5"], "--covariance": ["{k},{k}=0.1"], "--level": ["2"], "--monte-carlo": ["10"], "--sampling": ["lhs"], "--spec": ["dc < 1"], "--checkpoint": ["state"], "--events": ["events.csv"], "--resume": ["state"],
    "--gap": ["0.3"], "--sobol": ["8"], "--morris": ["3"], "--vary": ["a=1:4"], "--minimize": ["peak"], "--maximize": ["bandwidth"], "--place": ["-1"], "--port": ["c"], "--tcp-port": ["8123"],
    "--data": {"step": ["logged.csv"], "impulse": ["logged.csv"], "simulate": ["logged.csv"], "ports": ["ports.s2p"], "": ["swept.csv"]},
    "--z0": ["75"], "--temperature": ["400"], "--operating-point": ["op.txt"], "--nodes": ["6"], "--loops": ["2"], "--nontouching": ["1"], "--triples": ["1"], "--paths": ["2"], "--self-loops": ["1"],
    "--gains": ["numbers"], "--count": ["2"], "--target": ["scilab"], "--name": ["other"], "--netlist": ["behavioural", "ideal"], "--fixed": ["Q4.12"], "--sections": ["graph"], "--title": ["T"],
    "--height": ["150"], "--panels": ["phase"], "--legend": ["none", "inside"], "--grid": ["none"], "--style": ["house.toml"],
}
#: They bound or show the work, and the answer is the same within them.
OF_THE_WORK = {"--time-limit", "--memory-limit", "--max-terms", "--threads", "--no-color", "--quiet", "--verbose", "--seed"}
#: All is well with the values and without them; values are put in anyway, but for symbols that are to stay.
ELSEWHERE = {("check", "--numbers"), ("discretize", "--numbers")}
#: The name of a model's operator does not stand in numbers.
ELSEWHERE |= {(verb, "--variable") for verb in ("balance", "bode", "sens", "simulate", "noise")}
#: These go on until they are interrupted, or answer other files: tests/serve, tests/batch, cli.report.
ELSEWHERE |= {("report", "--watch"), ("report", "--open"), ("report", "--port")}
#: It is JSON anyhow.
ELSEWHERE |= {("certificate", "--json")}
#: Where the answer is rightly the same, question by question, and why.
RIGHTLY_SAME = {
    "check pendulum.toml --nonlinear": "another graph is looked over, and neither has problems",
}


def options_of_verbs():
    page = subprocess.run([SFG, "help", "--page"], capture_output=True, text=True, check=True).stdout
    common, *verbs = page.split("\n## sfg ")
    row = re.compile(r"^\| `(?:-\w, )?(--[a-z0-9-]+)( ?)", re.M)
    found = {}
    for text in verbs:
        refused = set(re.findall(r"`(--[a-z-]+)`", re.search(r"^Not taken:(.*)$|$", text, re.M)[0]))
        found[text.split("\n", 1)[0].strip()] = ([(name, bool(value)) for name, value in row.findall(text)],
                                                 [(name, bool(value)) for name, value in row.findall(common)], refused)
    return found


#: compare ends with 1 when the models differ, or when that is not decided.
ANSWERED = {"compare": {0, 1}}
VERBS = options_of_verbs()


def words_of(question):
    return re.findall(r"'[^']*'|\S+", question)


def asked(words):
    """What can be seen of a command: its status, what it says, and the files that it writes."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            pathlib.Path(folder, name).write_text(text)
        run = subprocess.run([SFG, *(word.strip("'") for word in words)], cwd=folder, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
        written = {path.name: path.read_bytes() for path in sorted(pathlib.Path(folder).rglob('*')) if path.is_file() and path.name not in FILES}
    return run.returncode, run.stdout, run.stderr, written


def values_of(verb, option, file):
    values = VALUES.get(option)
    if isinstance(values, dict):
        values = values.get(verb, values.get(""))
    return values and [value.format(**NAMES.get(file, NAMES["g.dot"])) for value in values]


def strangers(verb, given, message):
    """Options that a message leads to and the verb has not: those of a verb that it names are well."""
    own, common, refused = VERBS[verb]
    taken = {name for name, _ in own + common} - refused | set(given)
    unknown = []
    for match in re.finditer(r"(?<![\w-])(--[a-z][a-z0-9-]+)", message):
        other = re.findall(r"(?:sfg |`)([a-z]+)[^;,`']*$", message[:match.start()])
        if match[1] not in taken and not (other and other[-1] in VERBS and match[1] in {name for name, _ in VERBS[other[-1]][0] + VERBS[other[-1]][1]}):
            unknown.append(match[1])
    return unknown


ASKED = [words_of(question) for line in QUESTIONS.strip().splitlines() for question in line.split("|")]


def inner(given):
    """The option; --ratio and --inject are of a node within."""
    words, option, _ = given
    file = next((word for word in words[1:] if word in FILES), "g.dot")
    start = ["--from", NAMES[file]["node"]] if option in ("--ratio", "--inject") and "--from" not in VERBS[words[0]][2] and "--from" not in words else []
    return [*start, option]


class Options(unittest.TestCase):
    maxDiff = None

    def test_every_verb_is_asked(self):
        self.assertEqual(set(VERBS) - {words[0] for words in ASKED}, {"batch", "serve"})

    def of_verb(self, verb):
        own, common, refused = VERBS[verb]
        questions = [words for words in ASKED if words[0] == verb]
        given, without_value, broken, astray = [], [], [], []
        for words in questions:
            file = next((word for word in words[1:] if word in FILES), "g.dot")
            # What is common is the same code of every question of the verb, nearly: two will do.
            for option, has_value in own + (common if words in (questions[0], questions[-1]) else []):
                if option in refused or option in OF_THE_WORK or option in words or (verb, option) in ELSEWHERE or option == "--output" and "-o" in words:
                    continue
                values = values_of(verb, option, file) if has_value else [None]
                if not values:
                    without_value.append(option)
                given += [(words, option, value) for value in values or []]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            plain = {tuple(words): answer for words, answer in zip(questions, pool.map(asked, questions))}
            answers = list(pool.map(lambda each: asked([*each[0], *inner(each), *([each[2]] if each[2] is not None else [])]), given))
        broken += [f"{' '.join(words)}: {answer[2]}" for words, answer in plain.items() if answer[0] not in ANSWERED.get(verb, {0})]
        effects = {}
        for (words, option, value), answer in zip(given, answers):
            question = " ".join([*words, option])
            if answer[0] == 70 or answer[0] < 0:
                broken.append(f"{question} {value}: {answer[2]}")
            if found := strangers(verb, [*words, option], answer[2]):
                astray.append(f"{question}: {' '.join(found)} in {answer[2].strip()}")
            effects.setdefault(question, []).append(answer[0] == 2 or answer != plain[tuple(words)])
        silent = [question for question, changes in effects.items() if not any(changes) and question not in RIGHTLY_SAME]
        self.assertEqual((without_value, broken, astray, silent), ([], [], [], []))

    def test_sources_lead_to_options_that_there_are(self):
        """Messages that no question above brings forth: what a source of a verb names, one of its verbs has."""
        tools, every = ROOT / "tools", {name for own, common, _ in VERBS.values() for name, _ in own + common}
        wrong = []
        for source in sorted([*tools.glob("frame/*.cpp"), *tools.glob("verbs/*.cpp")]):
            text = source.read_text()
            text = text.replace('" --measure "', '""')  # tune writes a command of sens
            text = re.sub(r'formerly\("--[a-z-]+",', "", text)
            named = set(re.findall(r'\.name = "([a-z]+)"', text)) & set(VERBS) or {verb for verb in VERBS if source.stem.startswith(verb)}
            for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text):
                verbs = named if source.parent.name == "verbs" and named else set(VERBS)
                literal = re.sub(r"octave-cli --norc|sfg batch --verb [^\"]*", "", literal)  # of another program, of another verb
                unknown = [option for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", literal) if option not in every | {"--version", "--page", "--man", "--man-pages", "--help"}]
                if len(verbs) < len(VERBS):
                    unknown += [option for option in set.intersection(*(set(strangers(verb, [], literal)) for verb in verbs)) if option not in unknown]
                wrong += [f"{source.name}: {option} in {literal!r}" for option in unknown]
        self.assertEqual("\n".join(wrong), "")

    def test_seeds(self):
        for question in ("sens g.dot --monte-carlo 20 " + GLOBAL, "sens g.dot --sobol 4 " + GLOBAL, "sens g.dot --morris 2 " + GLOBAL, "exercise --nodes 5"):
            self.assertNotEqual(asked(words_of(question)), asked([*words_of(question), "--seed", "7"]), question)

    def test_what_is_refused_says_so(self):
        for question, said in (("draw g.dot --json", "graph --json"), ("reduce g.dot --inject", "--inject"), ("tf g.dot -o x.svg", ".json"),
                               ("tf g.dot --json --notation latex", "--notation"), ("bode g.dot --dark", "--dark"), ("step g.dot --symbolic --until 1", "--until"),
                               ("poles g.dot --sample-time 1", "--sample-time"), ("sens g.dot --hz", "--hz"), ("tf g.dot --within 1", "--within"),
                               ("graph g.dot --type dot --json", "--json"), ("sens g.dot --worst-case --sweep K=1,2 " + GLOBAL, "--sweep")):
            status, _, error, _ = asked(words_of(question))
            self.assertEqual((status, said in error), (2, True), f"{question}: {error}")


for verb_asked in sorted({words[0] for words in ASKED}):
    setattr(Options, f"test_of_{verb_asked}", lambda self, verb=verb_asked: self.of_verb(verb))

if __name__ == "__main__":
    unittest.main()
