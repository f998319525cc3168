"""The demos of Xcos that ship with Scilab, as far as they are linear: what sfg reads of them against an account of its own.
xcos_demos_test.py SFG

The archives are unpacked here once more, the values of blocks are worked out by Scilab itself, and the equations of the blocks are solved by it at
some complex frequencies. (Scilab's own linearisation, lincos, is not in the Scilab that runs without a screen.)"""
import json, os, pathlib, shutil, struct, subprocess, sys, tempfile, unittest, zipfile
import xml.etree.ElementTree as xml

SFG = os.path.abspath(sys.argv.pop(1))
DEMOS = pathlib.Path("/usr/share/scilab/modules/xcos/examples")
POINTS = [0.3 + 1.7j, -0.2 + 0.4j, 2.1 - 0.6j]


class JavaObjects:
    """What a stream of Java objects holds: objects as [class, items], texts, numbers, lists."""

    def __init__(self, data):
        self.data, self.at, self.known = data, 4, []

    def number(self, form):
        size = struct.calcsize(">" + form)
        self.at += size
        return struct.unpack(">" + form, self.data[self.at - size:self.at])[0]

    def text(self):
        size = self.number("H")
        self.at += size
        return self.data[self.at - size:self.at].decode()

    def annotations(self, items):
        while self.data[self.at] != 0x78:
            items.append(self.content())
        self.at += 1
        return items

    def class_of(self):
        mark = self.number("B")
        if mark == 0x70:
            return None
        if mark == 0x71:
            return self.known[self.number("i") - 0x7E0000]
        made = {"name": self.text()}
        self.at += 8
        self.known.append(made)
        made["flags"], fields = self.number("B"), []
        for _ in range(self.number("H")):
            letter = chr(self.number("B"))
            self.text()
            if letter in "L[":
                self.content()
            fields.append(letter)
        made["fields"] = fields
        self.annotations([])
        made["above"] = self.class_of()
        return made

    def of_type(self, letter):
        forms = {"B": "b", "Z": "B", "C": "H", "S": "h", "I": "i", "F": "f", "J": "q", "D": "d"}
        return self.number(forms[letter]) if letter in forms else self.content()

    def content(self):
        mark = self.number("B")
        if mark == 0x70:
            return None
        if mark == 0x71:
            return self.known[self.number("i") - 0x7E0000]
        if mark == 0x74:
            self.known.append(self.text())
            return self.known[-1]
        if mark == 0x77:
            self.at += 1 + self.data[self.at]
            return b""
        if mark == 0x75:
            letter, items = self.class_of()["name"][1], []
            self.known.append(items)
            items.extend(self.of_type(letter) for _ in range(self.number("i")))
            return items
        assert mark == 0x73, hex(mark)
        kind, items = self.class_of(), []
        made = [kind["name"].rpartition(".")[2], items]
        self.known.append(made)
        chain = []
        while kind:
            chain.insert(0, kind)
            kind = None if kind["flags"] & 4 else kind["above"]
        for each in chain:
            if each["flags"] & 2:
                for letter in each["fields"]:
                    self.of_type(letter)
            if each["flags"] & 4 or each["flags"] & 3 == 3:
                self.annotations(items)
        items[:] = [item for item in items if item != b""]
        return made


def flat(value):
    """The entries of a matrix, column by column."""
    rows = value[1][0] if value and value[1] else []
    return [row[k] for k in range(max(map(len, rows), default=0)) for row in rows if k < len(row)]


def fields(value):
    if not (isinstance(value, list) and value and isinstance(value[0], str) and value[0].endswith("List") and value[1]):
        return {}
    return dict(zip(flat(value[1][0]), value[1]))


class Level:
    """Blocks as (kind, exprs, level inside, label), lines as ((block, port), (block, port)) by their numbers from 1."""

    def __init__(self):
        self.blocks, self.lines, self.context = {}, {}, []

    @staticmethod
    def of_objects(value):
        made, about = Level(), fields(value)
        made.context = flat(fields(about["props"])["context"])
        for index, thing in enumerate(item for item in about["objs"][1] if item):
            parts = fields(thing)
            if "gui" in parts:
                inner = fields(fields(parts["model"])["rpar"])
                exprs = fields(parts["graphics"])["exprs"]
                made.blocks[index + 1] = (flat(parts["gui"])[0], flat(exprs) if exprs[0] == "ScilabString" else [],
                                          Level.of_objects(fields(parts["model"])["rpar"]) if "objs" in inner else None, "")
            elif "from" in parts and flat(parts["ct"])[1] == 1:
                ends = [tuple(int(number) for number in flat(parts[end])[:2]) for end in ("from", "to")]
                made.lines[ends[1]] = ends[0]
        return made

    @staticmethod
    def of_xml(root, kept):
        made, numbers, ports, links, labels = Level(), {}, {}, [], {}

        def walk(element):
            for child in element:
                if child.tag == "SuperBlockDiagram":
                    continue
                if child.get("as") == "context" and child.tag == "Array":
                    value = kept[int(child.get("position"))] if child.get("binary") else None
                    made.context += flat(value) if value else [line.get("value") for line in child]
                usual = {"SplitBlock": "SPLIT_f", "ExplicitInBlock": "IN_f", "ExplicitOutBlock": "OUT_f", "SuperBlock": "SUPER_f"}
                kind = child.get("interfaceFunctionName") or usual.get(child.tag)
                if kind and child.get("id") not in numbers:
                    numbers[child.get("id")] = len(numbers) + 1
                    exprs, inner = [], None
                    for part in child:
                        if part.get("as") == "exprs":
                            exprs = flat(kept[int(part.get("position"))]) if part.get("binary") else [line.get("value") for line in part]
                        if part.get("binary") and "objs" in fields(kept[int(part.get("position"))]):
                            inner = Level.of_objects(kept[int(part.get("position"))])
                        if part.tag == "SuperBlockDiagram":
                            inner = Level.of_xml(part, kept)
                    made.blocks[numbers[child.get("id")]] = (kind, [e for e in exprs if isinstance(e, str)], inner,
                                                             child.get("value") or "")
                elif child.tag.startswith("Explicit") and child.tag.endswith("Port"):
                    ports[child.get("id")] = (child.get("parent"), int(child.get("ordering")), "Output" in child.tag)
                elif child.tag == "ExplicitLink":
                    links.append(child)
                walk(child)

        walk(root)
        for link in links:
            ends = [link.get(which) or next((part.get("id") for part in link if part.get("as") == which), None) for which in ("source", "target")]
            if all(end in ports and ports[end][0] in numbers for end in ends):
                if not ports[ends[0]][2]:
                    ends.reverse()
                made.lines[(numbers[ports[ends[1]][0]], ports[ends[1]][1])] = (numbers[ports[ends[0]][0]], ports[ends[0]][1])
        return made


def level_of(path):
    archive = zipfile.ZipFile(path)
    kept = JavaObjects(archive.read("dictionary/dictionary.ser")).content()[1] if "dictionary/dictionary.ser" in archive.namelist() else []
    return Level.of_xml(xml.fromstring(archive.read("content.xml")), kept)


class Equations:
    """Every block's equation in Scilab's words: unknowns are what leaves blocks."""

    SOURCES = {"GENSIN_f", "GENSQR_f", "STEP_FUNCTION", "STEP", "CONST_m", "CONST", "RAMP", "TIME_f", "RAND_m", "SAWTOOTH_f", "Sigbuilder", "CURVE_c", "CURV_f"}
    KNOWN = ("SUMMATION", "BIGSOM_f", "SUM_f", "CLR", "CLSS", "INTEGRAL", "GAINBLK", "DERIV")
    SINKS = {"CSCOPE", "CMSCOPE", "AFFICH_m", "TOWS_c"}

    def __init__(self, level):
        self.lines, self.inputs, self.outputs, self.index = [], [], [], {}
        self.walk(level, "", lambda port: "0")

    def unknown(self, key):
        return f"y({self.index.setdefault(key, len(self.index) + 1)})"

    def walk(self, level, path, above):
        def driver(block, port):
            end = level.lines.get((block, port))
            return leaving(*end) if end else "0"

        def leaving(block, port):
            kind, exprs, inner, _ = level.blocks[block]
            if kind == "SPLIT_f":
                return driver(block, 1)
            if kind == "IN_f":
                return above(int(exprs[0])) if path else self.unknown((path, block))
            if inner and kind not in self.SOURCES:
                out = next(number for number, each in inner.blocks.items() if each[0] == "OUT_f" and int(each[1][0]) == port)
                return self.inner(inner, f"{path}/{block}", lambda n: driver(block, n))(out)
            if kind not in self.SOURCES and not kind.startswith(self.KNOWN):
                raise KeyError(kind)
            return self.unknown((path, block))

        self.driver = driver
        counts = {}
        for kind, *_ in level.blocks.values():
            counts[kind] = counts.get(kind, 0) + 1
        seen = {}
        for number, (kind, exprs, inner, label) in level.blocks.items():
            seen[kind] = seen.get(kind, 0) + 1
            name = kind + (str(seen[kind]) if counts[kind] > 1 else "")
            self.block(number, kind, exprs, name, path, level, driver, leaving)

    def inner(self, level, path, above):
        return lambda out: Equations.driver_within(self, level, path, above, out)

    def driver_within(self, level, path, above, out):
        if path not in getattr(self, "walked", set()):
            self.walked = getattr(self, "walked", set()) | {path}
            kept = self.driver
            self.walk(level, path, above)
            setattr(self, "within" + path, self.driver)
            self.driver = kept
        return getattr(self, "within" + path)(out, 1)

    def gain(self, kind, exprs):
        if kind.startswith("CLR"):
            return f"({exprs[0]})/({exprs[1]})"
        if kind.startswith("CLSS"):
            a, b, c, d = (f"({text})" for text in exprs[:4])
            return f"({c}*inv(s*eye({a})-{a})*{b}+{d})"
        if kind.startswith("INTEGRAL"):
            return "(1/s)"
        return {"GAINBLK": f"({exprs[0] if exprs else 1})", "GAINBLK_f": f"({exprs[0] if exprs else 1})", "DERIV": "s"}[kind]

    def block(self, number, kind, exprs, name, path, level, driver, leaving):
        mine = lambda: self.unknown((path, number))  # noqa: E731
        if kind in self.SOURCES or (kind == "IN_f" and not path):
            if any(end[0] == number for end in level.lines.values()):
                self.inputs.append((name, mine()))
        elif kind in self.SINKS:
            shown = []
            for port in sorted(p for b, p in level.lines if b == number):
                shown += self.parts(level, level.lines[(number, port)], leaving)
            self.outputs += [(name if len(shown) == 1 else f"{name}_{k + 1}", text) for k, text in enumerate(shown)]
        elif kind in ("SUMMATION", "BIGSOM_f"):
            signs = exprs[1] if kind == "SUMMATION" and len(exprs) > 1 else exprs[0]
            count = max(p for b, p in level.lines if b == number)
            terms = "+".join(f"w({port})*({driver(number, port)})" for port in range(1, count + 1))
            self.lines.append(f"w={signs};e($+1)={terms}-{mine()};")
        elif kind in ("SUM_f",):
            self.lines.append("e($+1)=" + "+".join(f"({driver(number, port)})" for port in (1, 2, 3)) + f"-{mine()};")
        elif kind.startswith(self.KNOWN):
            self.lines.append(f"e($+1)={self.gain(kind, exprs)}*({driver(number, 1)})-{mine()};")

    def parts(self, level, end, leaving):
        kind = level.blocks[end[0]][0]
        if kind not in ("SPLIT_f", "MUX", "MATCATV"):
            return [leaving(*end)]
        return [text for port in sorted(p for b, p in level.lines if b == end[0]) for text in self.parts(level, level.lines[(end[0], port)], leaving)]

    def program(self, context):
        """The values of all outputs at all inputs and points. The equations are linear: their coefficients are their values at unit vectors."""
        n, text = len(self.index), []
        body = "function e=f(y,s)\n  %s=s; e=[];\n  " + "\n  ".join(list(context) + self.lines) + "\nendfunction\n"
        outs = "function o=g(y,s)\n  o=[" + ";".join(f"({text})" for _, text in self.outputs) + "];\nendfunction\n"
        for point in POINTS:
            text.append(f"s={point.real}+%i*({point.imag}); z=zeros({n},1); A=[]; O=[];")
            text.append(f"for k=1:{n}, u=z; u(k)=1; if {len(self.lines)}>0 then A=[A,f(u,s)]; end; O=[O,g(u,s)]; end")
            for _, unknown in self.inputs:
                k = unknown[2:-1]
                text.append(f"b=z; b({k})=1; if {len(self.lines)}>0 then fr=setdiff(1:{n},[{' '.join(i[1][2:-1] for i in self.inputs)}]); "
                            f"b(fr)=-A(:,fr)\\(A*b); end; o=O*b; mprintf('%.15g %.15g\\n',[real(o),imag(o)]);")
        return body + outs + "\n".join(text) + "\n"


def by_scilab(programs):
    """What each program prints, as complex numbers; nothing where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        script = "".join(f"mprintf('== {k}\\n');\ntry\nexec('{folder}/{k}.sci',-1);\ncatch\nmprintf('failed %s\\n', lasterror());\nend\n" for k in range(len(programs)))
        for k, program in enumerate(programs):
            pathlib.Path(folder, f"{k}.sci").write_text(program)
        pathlib.Path(folder, "all.sce").write_text(script + "exit\n")
        done = subprocess.run(["scilab-cli", "-nb", "-f", folder + "/all.sce"], capture_output=True, encoding="utf-8", timeout=300, stdin=subprocess.DEVNULL)
    found = {}
    for line in done.stdout.split("\n"):
        if line.startswith("== "):
            values = found[int(line[3:])] = []
        elif line.startswith("failed"):
            raise AssertionError(done.stdout[-2000:])
        elif line.strip() and found:
            try:
                re, im = line.split()
                values.append(complex(float(re), float(im)))
            except ValueError:
                pass
    return [found.get(k) for k in range(len(programs))]


def value(expression, s):
    return complex(eval(expression.replace("^", "**"), {"s": s, "pi": 3.141592653589793, "sqrt": lambda x: x ** 0.5, "exp": __import__("cmath").exp}))


class Demos(unittest.TestCase):
    def answers(self, path):
        """{(input, output): expression}, or nothing where sfg refuses the diagram by naming its blocks."""
        run = subprocess.run([SFG, "tf", str(path), "--numbers", "--json", "--quiet"], capture_output=True, encoding="utf-8", timeout=250, stdin=subprocess.DEVNULL)
        if run.returncode == 3:
            self.assertRegex(run.stderr, r"zcos:\d+:\d+: error: ", path)
            return None
        if run.returncode != 0:
            self.assertRegex(run.stderr, "no (input|output)|source|sink|path|solution", path)
            return None
        answer = json.loads(run.stdout)
        return {(t["input"], t["output"]): t["expression"] for t in answer["transfers"]}

    @unittest.skipUnless(DEMOS.is_dir() and shutil.which("scilab-cli"), "Scilab is not installed")
    def test_demos_agree_with_scilab(self):
        checked, programs, expected = [], [], []
        for path in sorted(DEMOS.rglob("*.zcos")):
            if (answers := self.answers(path)) is None:
                continue
            try:
                level = level_of(path)
                equations = Equations(level)
            except (KeyError, StopIteration):
                continue  # a block that the account here does not know
            if not equations.outputs or not equations.inputs or not equations.lines:
                continue
            checked.append(path.name)
            programs.append(equations.program(level.context))
            expected.append((answers, equations))
        compared = 0
        for name, (answers, equations), values in zip(checked, expected, by_scilab(programs)):
            places = iter(values)
            for point in POINTS:
                for source, _ in equations.inputs:
                    for sink, _ in equations.outputs:
                        theirs = next(places)
                        self.assertIn((source, sink), answers, name)
                        ours = value(answers[(source, sink)], point)
                        self.assertLess(abs(ours - theirs), 1e-9 * (1 + abs(theirs)), f"{name}: {sink}/{source} at {point}: {answers[(source, sink)]}")
                        compared += 1
        print(f"{len(checked)} demos, {compared} values: {' '.join(checked)}")
        self.assertGreaterEqual(len(checked), 5)


if __name__ == "__main__":
    unittest.main(verbosity=2)
