#!/usr/bin/env python3
"""The same system, written otherwise, has the same answers in every verb: random graphs are relabelled, reordered, split,
scaled, transposed, and every number of an answer in JSON is compared.

    metamorphic.py SFG [SEED [GRAPHS]]      SFG_TEST_MULTIPLIER=N: N times as many graphs
"""
import json, math, os, random, re, subprocess, sys, tempfile

#: Verb, options, and the transformations that leave its answer the same: r relabelled, o reordered, s split, c scaled, t transposed.
QUESTIONS = [
    ("tf --form numeric", "rosct"), ("tf --form zpk", "rosct"), ("poles", "rosc"), ("poles --digits 20", "rosc"),  # transposed, other modes are hidden
    ("bode --freq 0.1:10:7", "rosct"), ("nyquist --freq 0.3,2", "rosct"), ("nichols --freq 0.3,2", "rosct"),
    ("margins", "rosct"), ("step --until 3 --points 7", "rosct"), ("impulse --until 3 --points 7", "rosct"),
    ("simulate --input {r}=sin(t)^2 --until 3 --points 7", "rosc"), ("simulate --input {r}=exp(-t)*step(t-1) --until 3 --points 7", "rosc"),
    ("sens --measure dc", "rosct"), ("sens --measure bandwidth", "rosct"), ("sens --measure peak", "rosct"), ("sens --poles", "rosct"),
    ("sens --freq 0.5,2", "rosct"), ("sens --worst-case --to {y} --tolerance 10% --measure dc", "rosct"), ("routh", "rosct"),
    ("sens --worst-case --to {y} --tolerance 5% --measure peak", "rosct"),
    ("discretize --sample-time 0.1", "rosct"), ("discretize --sample-time 0.1 --method tustin", "rosct"),
    ("rlocus --in {K} --range 0:3 --points 5", "rosct"), ("check", "o"), ("graph", "o"),
    ("identifiable", "rosct"), ("identifiable --known {K}", "rosct"), ("fit --data stepped.csv --vary {K}", "rosct"),
    ("bode --freq 0.3,2 --data swept.csv", "rosct"),
    ("noise --freq 0.5,2", ""), ("tf --form factored", "osct"), ("sens --tornado --to {y} --tolerance 10% --measure dc", "rosct"),
]
OF_LAWS = [
    ("simulate --input {r}=sin(t)^2 --until 3 --points 7", "rosc"), ("balance --static --input {r}=0.3", "rosc"),
    ("tf --linearize --form numeric", "rosc"), ("poles --linearize", "rosc"), ("balance --amplitude {r}=0.5 --freq 1", "rosc"),
    ("step --until 2 --points 5", "rosc"), ("absolute", "rosc"), ("reduce --principal", ""),
]
#: Beside every graph.
MEASURED = {"stepped.csv": "t,{y}\n0,0\n0.5,0.3\n1,0.7\n2,1.1\n4,1.3\n", "swept.csv": "w,{y}_db,{y}_deg\n0.3,-1,-20\n1,-4,-70\n3,-15,-160\n"}
#: Counts of what a graph is made of, names, texts, and what is measured of the work.
OF_THE_FORM = {"nodes", "branches", "terms", "points", "seconds", "paths", "loops", "verification", "verified", "counts", "from_points",
               "degree", "primes", "bound", "edges", "vertices", "evaluations", "memory", "error", "bounds", "steps", "operations", "last_state", "at"}


class Graph:
    def __init__(self, branches, parameters, source, sink, variable="s", more=""):
        self.branches, self.parameters, self.source, self.sink, self.variable, self.more = branches, parameters, source, sink, variable, more
        self.names = {}

    def text(self):
        lines = [f'input="{self.source}"; output="{self.sink}"; variable="{self.variable}";{self.more}']
        if self.parameters:
            lines.append('parameters="' + ", ".join(f"{name}={value}" for name, value in self.parameters.items()) + '";')
        lines += [f'"{a}" -> "{b}" [{kind}="{gain}"];' for a, b, gain, kind in self.branches]
        return "digraph {\n  " + "\n  ".join(lines) + "\n}\n"

    def nodes(self):
        return list(dict.fromkeys(x for branch in self.branches for x in branch[:2]))

    def question(self, words):
        first = next(iter(self.parameters), "K")
        return words.format(r=self.source, y=self.sink, K=first)


def relabelled(graph, draw):
    nodes = graph.nodes()
    letters = draw.sample([a + b for a in "abcdfghjkmnpqruvwxyz" for b in "ABCDF"], len(nodes) + len(graph.parameters))
    new = dict(zip([*nodes, *graph.parameters], letters))
    gain = lambda text: re.sub(r"\b[A-Za-z_]\w*", lambda m: new.get(m[0], m[0]) if m[0] in graph.parameters else m[0], text)
    result = Graph([(new[a], new[b], gain(g), kind) for a, b, g, kind in graph.branches],
                   {new[name]: value for name, value in graph.parameters.items()}, new[graph.source], new[graph.sink], graph.variable, graph.more)
    result.names = {b: a for a, b in new.items()}
    return result


def reordered(graph, draw):
    return Graph(draw.sample(graph.branches, len(graph.branches)), graph.parameters, graph.source, graph.sink, graph.variable, graph.more)


def split(graph, draw):
    branches = []
    for i, (a, b, gain, kind) in enumerate(graph.branches):
        how = draw.randrange(3) if kind == "gain" else 0
        if how == 1:
            branches += [(a, f"h{i}", "2", kind), (f"h{i}", b, f"({gain})/2", kind)]
        elif how == 2:
            branches += [(a, b, f"({gain})/3", kind), (a, b, f"2*({gain})/3", kind)]
        else:
            branches.append((a, b, gain, kind))
    return Graph(branches, graph.parameters, graph.source, graph.sink, graph.variable, graph.more)


def scaled(graph, draw):
    inner = [n for n in graph.nodes() if n not in (graph.source, graph.sink) and
             all(kind == "gain" for a, b, _, kind in graph.branches if n in (a, b))]
    factor = {n: draw.choice(["2", "1/3", "-5"]) for n in inner}
    branches = [(a, b, f"({gain})*({factor.get(b, 1)})/({factor.get(a, 1)})" if kind == "gain" else gain, kind) for a, b, gain, kind in graph.branches]
    return Graph(branches, graph.parameters, graph.source, graph.sink, graph.variable, graph.more)


def transposed(graph, draw):
    result = Graph([(b, a, gain, kind) for a, b, gain, kind in graph.branches], graph.parameters, graph.sink, graph.source, graph.variable, graph.more)
    result.names = {graph.source: graph.sink, graph.sink: graph.source}
    return result


TRANSFORMED = {"r": relabelled, "o": reordered, "s": split, "c": scaled, "t": transposed}


def linear(draw):
    """A chain with random loops about it, most of them stable; every parameter is used."""
    size = draw.randint(2, 5)
    parameters = {name: draw.choice([0.5, 1.5, 2, 3.25]) for name in ["K", "T", "w"][:draw.randint(1, 3)]}
    name = lambda: draw.choice(list(parameters))
    lag = lambda: draw.choice([f"1/(s + {name()})", f"{name()}/(s + 2)", f"1/(s^2 + {draw.randint(1, 4)}*s + {name()})", f"(s + {name()})/(s + 4)", f"{name()}"])
    chain = ["r", *[f"n{i}" for i in range(size)], "y"]
    branches = [(a, b, lag(), "gain") for a, b in zip(chain, chain[1:])]
    for _ in range(draw.randint(0, 4)):
        i = draw.randint(1, size)
        j = draw.randint(i, min(size, i + 2)) if draw.random() < 0.8 else draw.randint(1, i)
        branches.append((chain[j], chain[i] if j > i or draw.random() < 0.5 else chain[min(i + 1, size)], f"-{lag()}/{draw.randint(2, 6)}", "gain"))
    used = " ".join(branch[2] for branch in branches)
    dead = draw.random() < 0.2
    if dead:
        a, b, gain, kind = branches[-1]
        branches[-1] = (a, b, f"{gain}*exp(-{draw.choice(['0.2', '0.5'])}*s)", kind)
    return Graph(branches, {p: v for p, v in parameters.items() if re.search(rf"\b{p}\b", used)}, "r", "y")


def with_law(draw):
    graph = linear(draw)
    graph.branches = [(a, b, re.sub(r"\*exp\(.*?\*s\)", "", gain), kind) for a, b, gain, kind in graph.branches]
    law = draw.choice(["-saturation(u, 0.7)", "-u^3", "-dead_zone(u, 0.1)", "-tanh(2*u)", "-sin(u)/2"])
    graph.branches += [("y", "q", law, "nonlinear"), ("q", "n0", "1", "gain")]
    # a lag before the head, so that no loop is without delay
    a, b, gain, kind = graph.branches[1]
    graph.branches[1] = (a, b, "1/(s + 1)", kind)
    return graph


def answer(sfg, folder, graph, words):
    file = os.path.join(folder, "g.dot")
    with open(file, "w", encoding="utf-8") as out:
        out.write(graph.text())
    for name, text in MEASURED.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(text.format(y=graph.sink))
    verb, *options = graph.question(words).split()
    run = subprocess.run([sfg, verb, file, *options, "--json", "--quiet", "--time-limit", "60", "--seed", "1"], cwd=folder, capture_output=True, encoding="utf-8", timeout=300)
    try:
        return run.returncode, json.loads(run.stdout), run.stderr
    except json.JSONDecodeError:
        return run.returncode, None, run.stderr


def numbers(value, names, path=""):
    """(place, number) of an answer, the names put back."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in OF_THE_FORM:
                yield from numbers(inner, names, f"{path}/{names.get(key, key)}")
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from numbers(inner, names, f"{path}/{i}")
    elif isinstance(value, bool) or value is None:
        yield path, value
    elif isinstance(value, (int, float)):
        yield path, float(value)


def difference(first, second, names):
    """The first number that differs, or None."""
    sort = lambda found: sorted(found, key=lambda entry: entry[0])
    a, b = sort(numbers(first, {})), sort(numbers(second, names))
    if [place for place, _ in a] != [place for place, _ in b]:
        lone = sorted({p for p, _ in a} ^ {p for p, _ in b})
        return f"places {lone[:4]}"
    size = {}
    for place, value in a:
        if isinstance(value, float) and math.isfinite(value):
            group = re.sub(r"/\d+", "/*", place)
            size[group] = max(size.get(group, 0), abs(value))
    for (place, x), (_, y) in zip(a, b):
        if isinstance(x, float) and isinstance(y, float):
            if abs(x - y) > 1e-5 * size[re.sub(r"/\d+", "/*", place)] + 1e-9 and not (math.isnan(x) and math.isnan(y)):
                return f"{place}: {x!r} and {y!r}"
        elif x is not y:
            return f"{place}: {x!r} and {y!r}"
    return None


def main():
    sfg, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    count = (int(sys.argv[3]) if len(sys.argv) > 3 else 6) * int(os.environ.get("SFG_TEST_MULTIPLIER", "1"))
    draw, wrong, asked = random.Random(seed), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(count):
            graph, questions = (with_law(draw), OF_LAWS) if k % 4 == 3 else (linear(draw), QUESTIONS)
            for words, how in questions:
                status, first, said = answer(sfg, folder, graph, words)
                if status not in (0, 1, 2, 3, 4):
                    wrong += 1
                    print(f"status {status}: sfg {graph.question(words)}\n{said[:400]}\n{graph.text()}")
                for letter in draw.sample(how, min(2, len(how))):
                    other = TRANSFORMED[letter](graph, draw)
                    status_2, second, said_2 = answer(sfg, folder, other, words)
                    asked += 1
                    problem = (f"status {status} and {status_2}: {said[:200]} | {said_2[:200]}" if status != status_2 else
                               difference(first, second, other.names) if first and second and status == 0 else None)
                    if problem:
                        wrong += 1
                        print(f"sfg {graph.question(words)}, {TRANSFORMED[letter].__name__}: {problem}\n{graph.text()}{other.text()}", flush=True)
    print(f"seed {seed}: {asked} pairs of answers, {wrong} differ")
    return wrong > 0 or asked < count


if __name__ == "__main__":
    sys.exit(main())
