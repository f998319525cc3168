#!/usr/bin/env python3
"""What files and command lines of no good will meet: a documented status, and words that can be shown and are few. hostile.py SFG"""
import json, os, pathlib, subprocess, sys, tempfile, unittest

SFG = os.path.abspath(sys.argv.pop(1))
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
LOOP = 'digraph { input="R"; output="C"; R -> e; e -> C [gain="K/(s+1)"]; C -> e [gain="-1"]; parameters="K=2"; }'
# Escape sequences by ESC and by C1, a text that runs to the left, an isolate.
STEERING = ("\x1b[2J", "\x9b2J", "\u202egnorw", "\u2066a", "\x7f", "\x07")


def steers(c):
    return (ord(c) < 32 and c not in "\t\n") or 127 <= ord(c) < 160 or 0x202A <= ord(c) <= 0x202E or 0x2066 <= ord(c) <= 0x2069


class Hostile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file("loop.dot", LOOP)

    def file(self, name, text):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def sfg(self, *words, most=4000, given=b""):
        """Status, output and messages; the rules of all of them are looked at."""
        done = subprocess.run([SFG, *words], cwd=self.folder, input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        what = " ".join(word[:60] for word in words)
        self.assertIn(done.returncode, (0, 1, 2, 3, 4), what)
        out, err = done.stdout.decode(), done.stderr.decode()
        for text in (out, err):
            found = next((i for i, c in enumerate(text) if steers(c)), None)
            self.assertIsNone(found, f"{what}: {text[max(0, (found or 0) - 40):][:80]!r}")
        self.assertLessEqual(len(err), most, what)
        return done.returncode, out, err

    def test_names_and_titles_of_files(self):
        for text in STEERING:
            escaped = "".join(f"\\u{ord(c):04x}" if steers(c) else c for c in text)
            entity = "".join(f"&#{ord(c)};" if steers(c) else c for c in text)
            self.file("a.toml", f'title = "t{escaped}"\n[graph]\nbranches = [["u", "y", "K"]]\nattributes = {{ note = "{escaped}" }}\n')
            self.file("b.toml", f'[graph]\nbranches = [["u{escaped}", "y", "K"]]\n')
            self.file("c.json", json.dumps({"title": text, "branches": [["u", "y", "K"]]}))
            self.file("d.json", json.dumps({"branches": [["u" + text, "y", "K"]]}))
            self.file("e.dot", f'digraph {{ "u{text}" -> y [gain="K"]; }}')
            self.file("f.dot", f'digraph {{ label="{text}"; u -> y [gain="K{text}"]; }}')
            self.file("g.graphml", f'<graphml><graph edgedefault="directed"><node id="u{entity}"/><node id="y"/><edge source="u{entity}" target="y"/></graph></graphml>')
            self.file("h.yaml", f'sources: ["u{escaped}"]\nsinks: [y]\nnodes: ["u{escaped}", y]\nedges:\n  - ["u{escaped}", y, K]\n')
            self.file("i.cir", f"t {text}\nV1 a{text} 0 AC 1\nR1 a{text} 0 1\n.end\n")
            self.file("j.csv", f"from,to,gain\nu{text},y,K\n")
            for name in sorted(path.name for path in self.folder.glob("[a-j].*")):
                for words in (("check", name), ("tf", name, "--json"), ("graph", name)): self.sfg(*words, most=20000)
        self.sfg("draw", "a.toml", "--type", "svg")
        self.sfg("report", "a.toml", "--notation", "markdown", most=20000)

    def test_bytes_that_are_no_text(self):
        for bytes_ in (b"\xff", b"\xf0\x1b[2J", b"\xc3", b"\xed\xa0\x80"):
            for name, frame in (("a.dot", b'digraph { u -> y [gain="@"]; }'), ("b.toml", b'title = "@"\n'), ("c.json", b'{"title": "@"}'), ("d.csv", b"from,to,gain\na,b,@\n"),
                                ("e.m", b"syms @\n"), ("f.yaml", b"nodes: [@]\n"), ("g.graphml", b"<graphml>@</graphml>"), ("h.tf", b"@")):
                self.file(name, frame.replace(b"@", bytes_))
                self.assertEqual(self.sfg("check", name)[0], 3, name)

    def test_words_of_the_command_line(self):
        for text in (*STEERING, "k" * 60000, "'" * 60000, "( " * 30000, "\udcff"):
            for option in ("--from", "--to", "--max-terms", "--no-such-option", "--variable"): self.sfg("tf", "loop.dot", option, text)
            for option in ("--set", "--format", "--ratio"): self.sfg("tf", "loop.dot", f"{option}=K={text}", "--json")
            self.sfg("tf", text)
            self.sfg(text)
            self.sfg("help", text)
        self.file("e\x1b[2J.dot", LOOP)
        self.sfg("tf", "e\x1b[2J.dot")
        self.sfg("report", "e\x1b[2J.dot", "--notation", "markdown")

    def test_questions_of_a_batch(self):
        lines = []
        for text in (*STEERING, "k" * 60000):
            lines += [{"id": text, "file": text + ".dot"}, {"text": LOOP.replace("K=2", f"K={text}"), "format": "dot"}, {"id": text, "text": LOOP, "format": "dot"}, {text: "a"}, {"file": "loop.dot", "args": [text]}]
        given = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines) + "[" * 100000 + "\n"
        _, out, _ = self.sfg("batch", "-", given=given.encode() + b"\xff\xf0\x1b[2J\n", most=40000)
        self.assertEqual(len(out.splitlines()), len(lines) + 2)

    def test_an_error_in_a_long_line_has_its_place(self):
        self.file("n.csv", "from,to,gain\na,b," + "x" * 8000000 + "(\n")
        status, _, err = self.sfg("check", "n.csv", "--memory-limit", "400")
        self.assertEqual(status, 3)
        self.assertIn("n.csv:2:", err)
        self.file("n.dot", "digraph { a -> b [gain=\"" + "x+" * 4000000 + "x(\"]; }")
        status, _, err = self.sfg("check", "n.dot", "--memory-limit", "400")
        self.assertEqual(status, 3)
        self.assertIn("n.dot:1:", err)

    def test_closed_descriptors(self):
        def closed(line):
            return subprocess.run(["bash", "-c", f'"{SFG}" {line}'], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        self.assertEqual(closed("tf - --format dot <&-").returncode, 3)
        self.assertEqual(closed("tf loop.dot --verbose -o r.txt >&- 2>&-").returncode, 0)
        self.assertIn("K", (self.folder / "r.txt").read_text())
        self.assertEqual(closed("tf loop.dot -o r.txt <&- >&- 2>&-").returncode, 0)
        said = closed("tf loop.dot >&-")
        self.assertEqual(said.returncode, 3, said)
        self.assertIn(b"cannot write", said.stderr)

    def test_the_longest_names(self):
        for name in ("n" * 250 + ".json", "n" * 251 + ".csv"):
            words = ("tf", "loop.dot", "--json") if name.endswith("json") else ("bode", "loop.dot", "--freq", "1")
            self.assertEqual(self.sfg(*words, "-o", name)[0], 0)
            self.assertGreater((self.folder / name).stat().st_size, 0)
        table = "n" * 251 + ".csv"
        words = ("sens", "loop.dot", "--tolerance", "5%", "--measure", "dc", "--monte-carlo", "20", "--checkpoint", "c", "-o", table)
        self.assertEqual(self.sfg(*words)[0], 0)
        self.assertGreater((self.folder / table).stat().st_size, 0)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.startswith(".sfg") or path.name.endswith(".part")], [])

    def test_a_folder_is_no_file(self):
        for words in (("tf", "."), ("sens", "loop.dot", "--tolerance", "5%", "--measure", "dc", "--monte-carlo", "20", "--resume", "."), ("batch", "."), ("tf", "loop.dot", "-o", "."),
                      ("simulate", "loop.dot", "--input", "R=@.", "--until", "1"), ("compare", "loop.dot", ".")):
            self.assertIn(self.sfg(*words)[0], (1, 2, 3), words)

    def test_samples_stand_beside_the_model(self):
        (self.folder / "model").mkdir()
        self.file("x.csv", "0,0\n1,1\n")
        self.file("model/x.csv", "0,0\n1,1\n")
        for name, status in (("x.csv", 0), ("../x.csv", 3), (str(self.folder / "x.csv"), 3), ("..", 3), ("", 3), ("sub/x.csv", 3)):
            self.file("model/m.toml", f'[graph]\ninput = ["a"]\noutput = ["y"]\nbranches = [["a", "y", "1/(s+1)"]]\n[simulation]\nuntil = 1\ninputs = {{ a = "@{name}" }}\n')
            self.assertEqual(self.sfg("simulate", "model/m.toml", "--points", "3")[0], status, name)

    def test_signals_units_and_laws_of_a_hundred_thousand_letters(self):
        self.sfg("simulate", str(EXAMPLES / "double_pendulum.toml"), "--to", "x(" + "a" * 100000 + ")", "--until", "1")
        self.sfg("simulate", str(EXAMPLES / "double_pendulum.toml"), "--to", "x(" * 50000, "--until", "1")
        self.file("u.dot", 'digraph { units="K=' + "m" * 100000 + '"; parameters="K=1"; a -> b [gain="K/(s+1)"]; }')
        self.sfg("export", "u.dot", "--target", "modelica")


unittest.main()
