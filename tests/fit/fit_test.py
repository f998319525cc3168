"""sfg fit as a user has it: against SciPy on 20 data sets, how often intervals hold the truth, the model written back, what follows.

fit_test.py SFG"""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SFG = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
LAG = 'digraph {\n  // measured on the bench\n  input="u"; output="y"; variable="s";\n  parameters="K=1, T=1"; /* to be found */\n  u -> y [gain="K/(T*s+1)"];\n}\n'


def run(folder, *words, stdin=None):
    return subprocess.run([SFG, *words], cwd=folder, capture_output=True, text=True, input=stdin, timeout=600)


def batch(folder, questions):
    done = run(folder, "batch", stdin="".join(json.dumps(q) + "\n" for q in questions))
    return {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}, done.stderr


class Fit(unittest.TestCase):
    maxDiff = None

    def test_finds_what_scipy_finds(self):
        items = json.loads((HERE / "references.json").read_text(encoding="utf-8"))
        self.assertEqual(len(items), 20)
        with tempfile.TemporaryDirectory() as folder:
            questions = []
            for number, item in enumerate(items):
                own = pathlib.Path(folder, str(number))
                own.mkdir()
                (own / item["model"]).write_text(item["text"], encoding="utf-8")
                for name, text in item["files"].items():
                    (own / name).write_text(text, encoding="utf-8")
                args = [f"{number}/{word}" if word in item["files"] else word for word in item["args"]]
                questions.append({"id": number, "file": f"{number}/{item['model']}", "verb": "fit", "args": args})
            answers, said = batch(folder, questions)
        for number, item in enumerate(items):
            with self.subTest(item["name"]):
                answer = answers[number]
                self.assertIn("parameters", answer, (answer, said[:300]))
                found = {p["name"]: p for p in answer["parameters"]}
                self.assertTrue(answer["converged"])
                self.assertEqual(answer["samples"], item["samples"])
                self.assertAlmostEqual(answer["rms"] / item["rms"], 1, delta=1e-6)
                for name, value in item["parameters"].items():
                    # A loss is flat about its minimum: both ends within the rounding of the sum.
                    spread = 1e-5 if "outliers" in item["name"] else 1e-6
                    self.assertLessEqual(abs(found[name]["value"] - value), spread * max(abs(value), item.get("std", {}).get(name, 0)), name)
                for name, std in item.get("std", {}).items():
                    self.assertAlmostEqual(found[name]["std"] / std, 1, delta=1e-3, msg=name)

    def test_intervals_hold_the_truth_as_often_as_they_say(self):
        rng = random.Random(5)
        cases = {"step": ("t,y", lambda t: [2 * (1 - math.exp(-t / .7))], [.2 * (i + 1) for i in range(25)], .1),
                 "frequency": ("w,y_re,y_im", lambda w: [(2 / (1 + .7j * w)).real, (2 / (1 + .7j * w)).imag], [.2 * 1.25 ** i for i in range(15)], .05)}
        for name, (heading, model, axis, sigma) in cases.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "m.dot").write_text(LAG)
                for k in range(200):
                    rows = [",".join([repr(x), *(repr(v + rng.gauss(0, sigma)) for v in model(x))]) for x in axis]
                    pathlib.Path(folder, f"d{k}.csv").write_text("\n".join([heading, *rows]) + "\n")
                answers, _ = batch(folder, [{"id": k, "file": "m.dot", "verb": "fit", "args": ["--data", f"d{k}.csv", "--vary", "K", "--vary", "T"]}
                                            for k in range(200)])
                for number, truth in enumerate([2, .7]):
                    rows = [answer["parameters"][number] for answer in answers.values()]
                    hits = sum(p["interval"][0] <= truth <= p["interval"][1] for p in rows)
                    self.assertTrue(180 <= hits <= 198, hits)
                    mean = sum(p["value"] for p in rows) / 200
                    spread = math.sqrt(sum((p["value"] - mean) ** 2 for p in rows) / 199)
                    self.assertTrue(.8 < sum(p["std"] for p in rows) / 200 / spread < 1.25)

    def data(self, folder):
        rows = [f"{t / 10!r},{2.5 * (1 - math.exp(-t / 8)) + .01 * math.sin(7 * t)!r}" for t in range(60)]
        pathlib.Path(folder, "d.csv").write_text("t,y\n" + "\n".join(rows) + "\n")
        pathlib.Path(folder, "m.dot").write_text(LAG)

    def test_the_model_comes_back_with_nothing_else_changed(self):
        with tempfile.TemporaryDirectory() as folder:
            self.data(folder)
            done = run(folder, "fit", "m.dot", "--data", "d.csv", "--vary", "K", "--vary", "T", "-o", "found.dot", "-o", "fit.json", "-o", "fit.svg", "-o", "fit.csv")
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
            fit = json.loads(pathlib.Path(folder, "fit.json").read_text())
            values = {p["name"]: p["value"] for p in fit["parameters"]}
            self.assertEqual(pathlib.Path(folder, "found.dot").read_text(), LAG.replace("K=1, T=1", f"K={values['K']!r}, T={values['T']!r}"))
            self.assertEqual(pathlib.Path(folder, "m.dot").read_text(), LAG)
            table = [line.split(",") for line in pathlib.Path(folder, "fit.csv").read_text().splitlines()]
            self.assertEqual(table[0], ["time", "y", "y_model", "y_residual"])
            self.assertEqual(len(table), 61)
            squares = [float(row[3]) ** 2 for row in table[1:]]
            self.assertAlmostEqual(math.sqrt(sum(squares) / 60), fit["rms"], delta=1e-12)
            self.assertIn("<svg", pathlib.Path(folder, "fit.svg").read_text())

    def test_a_study_begins_from_what_was_found(self):
        with tempfile.TemporaryDirectory() as folder:
            self.data(folder)
            run(folder, "fit", "m.dot", "--data", "d.csv", "--vary", "K", "--vary", "T", "-o", "found.dot", "-o", "fit.json")
            fit = json.loads(pathlib.Path(folder, "fit.json").read_text())
            K = fit["parameters"][0]
            study = json.loads(run(folder, "sens", "found.dot", "--covariance", "@fit.json", "--monte-carlo", "4000", "--measure", "dc", "--json").stdout)
            self.assertAlmostEqual(study["measures"][0]["std"] / K["std"], 1, delta=.05)
            worst = json.loads(run(folder, "sens", "found.dot", "--covariance", "@fit.json", "--worst-case", "--measure", "dc", "--json").stdout)
            self.assertAlmostEqual(worst["worst_case"][0]["upper"]["attained"], K["value"] + 3 * K["std"], delta=1e-6)
            other = run(folder, "sens", "m.dot", "--covariance", "@fit.json", "--worst-case", "--measure", "dc", "--json")
            self.assertEqual(other.returncode, 2)

    def test_what_is_not_determined_is_said_and_followed_by_no_study(self):
        with tempfile.TemporaryDirectory() as folder:
            self.data(folder)
            pathlib.Path(folder, "m.dot").write_text(LAG.replace("K=1, T=1", "K=1, T=1, J=2").replace("K/(T*s+1)", "K/(J*(T*s+1))"))
            done = run(folder, "fit", "m.dot", "--data", "d.csv", "--vary", "K", "--vary", "T", "--vary", "J", "--json", "--quiet")
            self.assertEqual(done.returncode, 0)
            fit = json.loads(done.stdout)
            self.assertEqual((fit["determined"], fit["undetermined"], fit["combinations"]), (False, ["K", "J"], ["K/J"]))
            self.assertIn("K, J", done.stderr)
            self.assertEqual([p["std"] is None for p in fit["parameters"]], [True, False, True])
            pathlib.Path(folder, "fit.json").write_text(done.stdout)
            self.assertEqual(run(folder, "sens", "m.dot", "--covariance", "@fit.json", "--worst-case", "--measure", "dc").returncode, 2)

    def test_mistakes_are_said(self):
        with tempfile.TemporaryDirectory() as folder:
            self.data(folder)
            pathlib.Path(folder, "few.csv").write_text("t,y\n1,1\n")
            for words, status, told in [(["--vary", "Kp"], 2, "'Kp'"), (["--vary", "K=3:1"], 2, "K=3:1"), ([], 2, "--vary"), (["--vary", "K=x:2"], 2, "'x'"),
                                        (["--vary", "K", "--vary", "K=1:2"], 2, "already"), (["--vary", "K=K+1"], 2, "K"),
                                        (["--vary", "K", "--loss", "square"], 2, "square"), (["--vary", "K", "--starts", "0"], 2, "--starts"),
                                        (["--vary", "K", "--input", "w=1"], 2, "'w'")]:
                done = run(folder, "fit", "m.dot", "--data", "d.csv", *words)
                self.assertEqual((done.returncode, done.stdout), (status, ""), (words, done.stderr))
                self.assertIn(told, done.stderr)
            done = run(folder, "fit", "m.dot", "--data", "few.csv", "--vary", "K", "--vary", "T")
            self.assertIn(done.returncode, (2, 3))
            self.assertIn("fewer samples", done.stderr)


if __name__ == "__main__":
    unittest.main()
