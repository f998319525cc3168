#!/usr/bin/env python3
"""No option is ignored without a word: for every verb and every option of a question the answer changes or the option is
refused (exit status 2). options.py SFG"""
import itertools, os, pathlib, subprocess, sys, tempfile, unittest

SFG = os.path.abspath(sys.argv.pop(1))
GRAPH = """digraph { input="r"; output="y"; parameters="K=2, a=3";
  r -> e [gain="3"]; d -> x [gain="2"]; e -> x [gain="K/((s+a)*(s+1)*s)"]; x -> e [gain="-1"]; x -> y; e -> z [gain="5"]; }"""
MODEL = """[lagrange]
coordinates = ["x", "w"]
forces = { x = "F" }
T = "m*Dx^2/2 + n*Dw^2/2"
Pi = "k*x^2/2 + k*(x - w)^2/2"
[analysis]
input = "F"
output = ["x"]
[parameters]
m = 2
n = 3
k = 5
"""
# What each verb needs besides.
NEEDS = {"simulate": ["--input", "{input}=t", "--until", "1", "--points", "3"], "discretize": ["--sample-time", "0.1"],
         "rlocus": ["--in", "{varied}", "--range", "0:2"], "bode": ["--freq", "1,2"], "nyquist": ["--freq", "1,2"],
         "nichols": ["--freq", "1,2"], "step": ["--until", "1", "--points", "3"], "impulse": ["--until", "1", "--points", "3"],
         "draw": ["--type", "svg"]}
VERBS = ("check derive graph draw tf mason reduce poles bode nyquist nichols margins step impulse simulate discretize routh "
         "rlocus sens").split()
NUMERIC = set("poles bode nyquist nichols margins step impulse simulate discretize rlocus".split())  # values go in anyway
# Options, and what the answer must differ from.
GRAPH_CASES = [(["--from", "d"], []), (["--to", "z"], []), (["--from", "e", "--inject"], []),
               (["--from", "e", "--ratio", "r"], ["--from", "e", "--inject"]), (["--set", "K=7"], []), (["--numbers"], []),
               (["--variable", "q"], []), (["--json"], []), (["--verbose"], [])]
MODEL_CASES = [(["--from", "x", "--inject"], []), (["--to", "w"], []), (["--set", "m=9"], []), (["--numbers"], []),
               (["--variable", "q"], []), (["--json"], [])]


class Options(unittest.TestCase):
    def seen(self, verb, name, options):
        needs = [word.format(input="r" if name == "g.dot" else "F", varied="a" if name == "g.dot" else "n") for word in NEEDS.get(verb, [])]
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "g.dot").write_text(GRAPH)
            (pathlib.Path(folder) / "m.toml").write_text(MODEL)
            run = subprocess.run([SFG, verb, name, *needs, *options], cwd=folder, capture_output=True, text=True, timeout=60)
        self.assertNotEqual(run.returncode, 70, run.stderr)
        return run

    def table(self, name, cases):
        silent = []
        for verb, (options, against) in itertools.product(VERBS, cases):
            if verb in NUMERIC and (options == ["--numbers"] or (name == "m.toml" and options[0] == "--variable")):
                continue
            if verb == "check" and options[0] in ("--from", "--to", "--set", "--numbers", "--variable") and "--inject" not in options:
                continue  # all is well with them and without
            before, after = self.seen(verb, name, against), self.seen(verb, name, options)
            if after.returncode != 2 and (before.stdout, before.stderr, before.returncode) == (after.stdout, after.stderr, after.returncode):
                silent.append(f"sfg {verb} {name} {' '.join(options)}")
        self.assertEqual(silent, [])

    def test_of_graphs(self):
        self.table("g.dot", GRAPH_CASES)

    def test_of_models(self):
        self.table("m.toml", MODEL_CASES)

    def test_what_is_refused_says_so(self):
        for words, said in ((["draw", "g.dot", "--json"], "graph --json"), (["reduce", "g.dot", "--inject"], "--inject"),
                            (["tf", "g.dot", "-o", "x.svg"], ".json"), (["tf", "g.dot", "--json", "--notation", "latex"], "--notation"),
                            (["bode", "g.dot", "--dark"], "--dark"), (["step", "g.dot", "--symbolic"], "--until"),
                            (["poles", "g.dot", "--sample-time", "1"], "--sample-time"), (["sens", "g.dot", "--hz"], "--hz"),
                            (["tf", "g.dot", "--within", "1"], "--within"), (["graph", "g.dot", "--as", "dot", "--json"], "--json")):
            run = self.seen(words[0], words[1], words[2:])
            self.assertEqual((run.returncode, said in run.stderr), (2, True), f"{words}: {run.stderr}")


if __name__ == "__main__":
    unittest.main()
