#!/usr/bin/env python3
"""Every answer in JSON that tests/cli and the documentation show follows docs/schema, the schemas describe every field of
it, and every field that they describe is shown somewhere.

    schemas.py              all of this
    schemas.py FILE...      documents in these files: which fields are wrong or not described
"""
import copy, functools, json, operator, pathlib, re, sys, unittest

import json_schema

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMAS = json_schema.Schemas(ROOT / "docs/schema")
BEGIN = re.compile(r'^\{\s*"', re.MULTILINE)
BLOCK = re.compile(r"^```(?:console|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CUT_ON_PURPOSE = re.compile(r"\| head -c")


def documents(text):
    """(line, document) of everything in a text that begins as an object in JSON does; None for what is cut off."""
    decoder, end = json.JSONDecoder(), 0
    for begin in BEGIN.finditer(text):
        if begin.start() < end:
            continue
        line = text.count("\n", 0, begin.start()) + 1
        try:
            document, end = decoder.raw_decode(text, begin.start())
            yield line, document
        except json.JSONDecodeError:
            yield line, None


def shown():
    """(place, document) of the golden outputs and of the pages."""
    for expected in sorted((ROOT / "tests/cli").glob("*/expected")):
        cut = CUT_ON_PURPOSE.search((expected.parent / "command").read_text(encoding="utf-8"))
        for line, document in documents(expected.read_text(encoding="utf-8")):
            if document is not None or not cut:
                yield f"{expected.relative_to(ROOT)}:{line}", document
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            first = text.count("\n", 0, block.start(1))
            for line, document in documents(block.group(1)):
                yield f"{page.relative_to(ROOT)}:{first + line}", document


def schema_of(document):
    """The file for "sfg/VERB/1"; "" when there is none."""
    name = re.fullmatch(r"sfg/([a-z]+)/1", str(document.get("schema", "")))
    file = f"{name.group(1)}.schema.json" if name else ""
    return file if file in SCHEMAS.files else ""


def problems_of(document):
    """What is wrong with a document, and the parts of the schemas that it exercises."""
    if document is None:
        return ["not JSON, or not the whole of it"], set()
    if is_line_of_batch(document):
        return problems_of_line(document)
    file = schema_of(document)
    if not file:
        return [f"no schema for {document.get('schema')!r}"], set()
    outcome = SCHEMAS.check(document, file)
    if outcome.problems:
        return outcome.problems, set()
    extra = [f"{field}: docs/schema/{file} does not describe it" for field in json_schema.undescribed(document, outcome.described)]
    return sorted(set(re.sub(r"/\d+(?=/|$|:)", "/*", text) for text in extra)), outcome.exercised


# What a program may rely on: an answer that shows one of these is refused without it.
RELIED_ON = {
    "tf": "variable transfers", "mason": "paths loops nontouching determinant transfer counts truncated", "poles": "poles zeros gain modes",
    "derive": "coordinates redundant inputs D G equations Den Denc M C K parameters F constraints jacobian substitutions operations",
    "bode": "frequency transfers", "nyquist": "frequency transfers", "nichols": "frequency transfers", "step": "time signals",
    "impulse": "time signals", "simulate": "time signals", "sens": "parameters", "balance": "points static complete",
    "reduce": "k source sink branches T1 Tj Ts T_source_sink steps graph", "routh": "polynomial array counts conditions stable_if",
    "margins": "gain_margin_db phase_margin_deg modulus_margin delay_margin disk type error_constants gain_crossovers phase_crossovers", "check": "problems summary",
    "graph": "branches", "version": "version build libraries",
}


def fields_of(document, depth):
    """Places of the fields of a document, as lists of keys; of a list those of its first entry."""
    entries = document.items() if isinstance(document, dict) else enumerate(document[:1]) if isinstance(document, list) else ()
    for name, value in entries:
        yield [name]
        if depth > 1:
            yield from ([name, *rest] for rest in fields_of(value, depth - 1))


LINE_OF_BATCH = "batch.schema.json"


def is_line_of_batch(document):
    return isinstance(document.get("status"), int)


def problems_of_line(document):
    """A line of a batch: its own fields, and with what is left the answer of its verb."""
    outcome = SCHEMAS.check(document, LINE_OF_BATCH)
    own = {field for place, field in outcome.described if place == ""} - {"schema"}
    rest = {field: value for field, value in document.items() if field not in own or field == "file" and document.get("schema") == "sfg/check/1"}
    problems, exercised = ([], set()) if document.get("schema") == "sfg/batch/1" else problems_of(rest)
    return outcome.problems + problems, outcome.exercised | exercised


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.exercised, cls.wrong = set(), []
        for place, document in shown():
            problems, exercised = problems_of(document)
            cls.wrong += [f"{place}: {problem}" for problem in problems]
            cls.exercised |= exercised

    def test_follow_their_schemas(self):
        self.assertEqual(self.wrong, [], "\n" + "\n".join(self.wrong))

    def test_show_every_field_that_is_described(self):
        rare = "simulate.schema.json#/$defs/answer/properties/figures/additionalProperties/properties/notes"  # after minutes of cancelling parts
        never = [f"{file}#{field}" for file, schema in SCHEMAS.files.items() for field in json_schema.fields(schema)
                 if (file, field) not in self.exercised and f"{file}#{field}" != rare]
        self.assertEqual(never, [], "no golden output shows\n" + "\n".join(never))

    def test_are_refused_without_a_field_or_with_a_field_of_another_type(self):
        tried, accepted = set(), []
        for place, document in shown():
            file = document and schema_of(document)
            found = (lambda wrong: problems_of(wrong)[0]) if document and is_line_of_batch(document) else (lambda wrong: SCHEMAS.check(wrong, file).problems)
            for path in fields_of(document, 3) if file else ():
                key = (file, *(name for name in path if name != 0), *(document if len(path) == 1 else ()))
                if key in tried or path[-1] == 0:
                    continue
                tried.add(key)
                wrong = copy.deepcopy(document)
                holder = functools.reduce(operator.getitem, path[:-1], wrong)
                holder[path[-1]] = 7 if isinstance(holder[path[-1]], dict) else {"x": 1}
                named = file == "graph.schema.json" and path[0] == "parameters" and len(path) == 2  # a parameter may be an object
                if not named and not found(wrong):
                    accepted.append(f"{place}: any {'/'.join(map(str, path))}")
                del holder[path[-1]]
                if path[0] in ["schema", *RELIED_ON.get(file.split(".")[0], "").split()] and len(path) == 1 and not found(wrong):
                    accepted.append(f"{place}: no {path[0]}")
        self.assertGreater(len(tried), 500)
        self.assertEqual(accepted, [], "accepted\n" + "\n".join(accepted))

    def test_of_every_schema_there_is_one(self):
        used = {file for file, _ in self.exercised}
        self.assertEqual(sorted(set(SCHEMAS.files) - used), [])


class Validator(unittest.TestCase):
    """Right and wrong documents by hand: the validator accepts the ones and refuses the others."""

    def problems(self, schema, value, **files):
        schemas = json_schema.Schemas("/nowhere")
        schemas.files = {"x": schema, **files}
        return schemas.check(value, "x").problems

    def test_keywords(self):
        tuple_of_two = {"prefixItems": [{"type": "number"}, {"type": "string"}], "items": False, "minItems": 2}
        closed = {"properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}
        table = {"additionalProperties": {"type": "string"}}
        dependent = {"dependentRequired": {"a": ["b"]}}
        alternatives = {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
        for schema, right, wrong in [
                ({"type": "number"}, [1, 1.5], ["1", True, None]), ({"type": "integer"}, [1, 2.0], [1.5, True]),
                ({"type": ["string", "null"]}, ["", None], [0, {}]), ({"type": "boolean"}, [True], [1]),
                ({"const": 1}, [1], [True, 2]), ({"const": True}, [True], [1]), ({"enum": ["a", None]}, ["a", None], ["b", 0]),
                ({"pattern": "^a+$"}, ["aa", 3], ["ab", ""]), ({"minLength": 1}, ["x"], [""]),
                ({"minimum": 0}, [0, "x"], [-1]), ({"exclusiveMinimum": 0}, [1], [0]),
                ({"minItems": 1, "maxItems": 2}, [[1], [1, 2], "x"], [[], [1, 2, 3]]),
                ({"items": {"type": "string"}}, [[], ["a"]], [["a", 1]]), (tuple_of_two, [[1, "a"]], [[1], ["a", 1], [1, "a", 2]]),
                (closed, [{"a": 1}, []], [{}, {"a": 1.5}, {"a": 1, "b": 2}]), (table, [{}, {"a": "b"}], [{"a": 1}]),
                (dependent, [{}, {"b": 1}, {"a": 1, "b": 1}, 1], [{"a": 1}]),
                ({"anyOf": [{"type": "null"}, {"type": "string"}]}, [None, "a"], [1]),
                (alternatives, [{"a": 1}, {"b": 1}], [{}, {"a": 1, "b": 1}]), (True, [1], []), (False, [], [1])]:
            for value in right:
                self.assertEqual(self.problems(schema, value), [], f"{schema} {value}")
            for value in wrong:
                self.assertNotEqual(self.problems(schema, value), [], f"{schema} {value}")

    def test_references_stand_beside_other_keywords_and_reach_other_files(self):
        schema = {"$ref": "y#/$defs/named", "required": ["b"]}
        other = {"$defs": {"named": {"required": ["a"], "properties": {"a": {"$ref": "#/$defs/text"}}}, "text": {"type": "string"}}}
        self.assertEqual(self.problems(schema, {"a": "", "b": 1}, y=other), [])
        for value in [{"a": ""}, {"b": 1}, {"a": 1, "b": 1}]:
            self.assertNotEqual(self.problems(schema, value, y=other), [], value)

    def test_an_unknown_keyword_does_not_pass_for_a_rule(self):
        with self.assertRaises(ValueError):
            self.problems({"multipleOf": 2}, 3)

    def test_fields_that_no_schema_describes_are_found_at_any_depth(self):
        schemas = json_schema.Schemas("/nowhere")
        schemas.files = {"x": {"properties": {"list": {"items": {"oneOf": [
            {"properties": {"kind": {"const": "a"}, "a": {}}, "required": ["kind"]},
            {"properties": {"kind": {"const": "b"}, "b": {}}, "required": ["kind"]}]}}}}}
        document = {"list": [{"kind": "a", "a": 1}, {"kind": "b", "a": 1}], "more": 1}
        described = schemas.check(document, "x").described
        self.assertEqual(list(json_schema.undescribed(document, described)), ["/list/1/a", "/more"])

    def test_wrong_answers_are_refused(self):
        right = {"schema": "sfg/margins/1", "closed_loop": "stable", "gain_margin_db": None, "phase_margin_deg": 51.8, "modulus_margin": 0.68,
                 "delay_margin": 0.57, "disk": None, "type": 1, "error_constants": {"Kp": None, "Kv": "K/a", "Ka": "0"},
                 "gain_crossovers": [{"frequency": 1.57, "phase_margin_deg": 51.8}], "phase_crossovers": []}
        self.assertEqual(problems_of(right)[0], [])
        for change in [{"gain_margin_db": "none"}, {"gain_crossovers": [{"frequency": -1, "phase_margin_deg": 1}]}, {"schema": "sfg/margin/1"},
                       {"phase_margin": 51.8}, {"phase_crossovers": [[1, 2]]}]:
            self.assertNotEqual(problems_of({**right, **change})[0], [], change)
        self.assertNotEqual(problems_of({name: right[name] for name in right if name != "delay_margin"})[0], [])


def of_files(names):
    wrong = 0
    for name in names:
        for line, document in documents(pathlib.Path(name).read_text(encoding="utf-8")):
            for problem in problems_of(document)[0]:
                wrong += 1
                print(f"{name}:{line}: {problem}")
    return wrong > 0


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        sys.exit(of_files(sys.argv[1:]))
    unittest.main()
