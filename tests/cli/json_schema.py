"""JSON Schema (draft 2020-12), as much of it as docs/schema uses; any other keyword is an error.

Beside what is wrong with a document a check tells which of its fields a schema describes, and which parts of the schemas
it has exercised."""
import json, pathlib, re

ANNOTATIONS = {"$schema", "$defs", "title", "description"}
TYPES = {"null": type(None), "boolean": bool, "object": dict, "array": list, "string": str, "number": (int, float), "integer": int}


class Outcome:
    def __init__(self):
        self.problems = []
        self.described = set()  # (place in the document, name of the field)
        self.exercised = set()  # (file, place in the schema)

    def add(self, other):
        self.problems += other.problems
        self.described |= other.described
        self.exercised |= other.exercised


def is_of(value, name):
    if isinstance(value, bool) and name != "boolean":
        return False
    return isinstance(value, TYPES[name]) or name == "integer" and isinstance(value, float) and value.is_integer()


def same(a, b):
    """Equal as JSON: 1 is 1.0, true is not 1."""
    return a == b and isinstance(a, bool) == isinstance(b, bool)


class Schemas:
    def __init__(self, folder):
        self.files = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(pathlib.Path(folder).glob("*.schema.json"))}

    def resolved(self, reference, file):
        name, _, pointer = reference.partition("#")
        schema = self.files[name or file]
        for part in pointer.split("/")[1:]:
            schema = schema[part]
        return schema, name or file, pointer

    def check(self, value, file):
        return self._check(value, self.files[file], (file, ""), "")

    def _check(self, value, schema, at, where):
        out = Outcome()
        out.exercised.add(at)
        if schema is True:
            return out
        if schema is False:
            out.problems.append(f"{where or 'the document'}: not expected here")
            return out
        for keyword, argument in schema.items():
            if keyword in ANNOTATIONS:
                continue
            rule = getattr(self, "_" + keyword.lstrip("$"), None)
            if rule is None:
                raise ValueError(f"{at[0]}: the keyword '{keyword}' is not known here")
            rule(out, value, argument, schema, (at[0], f"{at[1]}/{keyword}"), where)
        return out

    @staticmethod
    def _require(out, holds, where, text):
        if not holds:
            out.problems.append(f"{where or 'the document'}: {text}")

    def _ref(self, out, value, reference, schema, at, where):
        target, file, pointer = self.resolved(reference, at[0])
        out.add(self._check(value, target, (file, pointer), where))

    def _type(self, out, value, names, schema, at, where):
        names = names if isinstance(names, list) else [names]
        self._require(out, any(is_of(value, name) for name in names), where, f"{json.dumps(value)[:60]} is no {' or '.join(names)}")

    def _const(self, out, value, constant, schema, at, where):
        self._require(out, same(value, constant), where, f"{json.dumps(value)[:60]} is not {json.dumps(constant)}")

    def _enum(self, out, value, choices, schema, at, where):
        self._require(out, any(same(value, choice) for choice in choices), where, f"{json.dumps(value)[:60]} is none of {json.dumps(choices)}")

    def _pattern(self, out, value, pattern, schema, at, where):
        self._require(out, not isinstance(value, str) or re.search(pattern, value) is not None, where, f"{value!r} does not match {pattern}")

    def _minLength(self, out, value, least, schema, at, where):
        self._require(out, not isinstance(value, str) or len(value) >= least, where, f"shorter than {least}")

    def _minimum(self, out, value, least, schema, at, where):
        self._require(out, not is_of(value, "number") or value >= least, where, f"{value} is less than {least}")

    def _exclusiveMinimum(self, out, value, least, schema, at, where):
        self._require(out, not is_of(value, "number") or value > least, where, f"{value} is not greater than {least}")

    def _minItems(self, out, value, least, schema, at, where):
        self._require(out, not isinstance(value, list) or len(value) >= least, where, f"fewer than {least} items")

    def _maxItems(self, out, value, most, schema, at, where):
        self._require(out, not isinstance(value, list) or len(value) <= most, where, f"more than {most} items")

    def _prefixItems(self, out, value, items, schema, at, where):
        if isinstance(value, list):
            for i, (item, part) in enumerate(zip(value, items)):
                out.add(self._check(item, part, (at[0], f"{at[1]}/{i}"), f"{where}/{i}"))

    def _items(self, out, value, item_schema, schema, at, where):
        if isinstance(value, list):
            for i in range(len(schema.get("prefixItems", [])), len(value)):
                out.add(self._check(value[i], item_schema, at, f"{where}/{i}"))

    def _required(self, out, value, names, schema, at, where):
        for name in names:
            self._require(out, not isinstance(value, dict) or name in value, where, f"'{name}' is missing")

    def _dependentRequired(self, out, value, needs, schema, at, where):
        for name, others in needs.items() if isinstance(value, dict) else ():
            for other in others if name in value else ():
                self._require(out, other in value, where, f"'{other}' is missing beside '{name}'")

    def _properties(self, out, value, properties, schema, at, where):
        for name, part in properties.items() if isinstance(value, dict) else ():
            if name in value:
                out.described.add((where, name))
                out.add(self._check(value[name], part, (at[0], f"{at[1]}/{name}"), f"{where}/{name}"))

    def _additionalProperties(self, out, value, part, schema, at, where):
        for name in value if isinstance(value, dict) else ():
            if name not in schema.get("properties", {}):
                out.described.add((where, name))
                out.add(self._check(value[name], part, at, f"{where}/{name}"))

    def _branches(self, value, schemas, at, where):
        return [self._check(value, schema, (at[0], f"{at[1]}/{i}"), where) for i, schema in enumerate(schemas)]

    def _anyOf(self, out, value, schemas, schema, at, where):
        tried = self._branches(value, schemas, at, where)
        holding = [branch for branch in tried if not branch.problems]
        for branch in holding or [min(tried, key=lambda branch: len(branch.problems))]:
            out.add(branch)

    def _oneOf(self, out, value, schemas, schema, at, where):
        self._anyOf(out, value, schemas, schema, at, where)
        holding = sum(not branch.problems for branch in self._branches(value, schemas, at, where))
        self._require(out, holding <= 1, where, f"{holding} of the alternatives hold, not one")


def undescribed(document, described, where=""):
    """Fields that no schema describes, at any depth."""
    if isinstance(document, dict):
        for name, value in document.items():
            if (where, name) not in described:
                yield f"{where}/{name}"
            else:
                yield from undescribed(value, described, f"{where}/{name}")
    if isinstance(document, list):
        for i, value in enumerate(document):
            yield from undescribed(value, described, f"{where}/{i}")


def fields(schema, at=""):
    """Places of all fields that a schema describes; those that are forbidden apart."""
    if isinstance(schema, dict):
        for keyword, part in schema.items():
            if keyword == "properties":
                yield from (f"{at}/properties/{name}" for name, field in part.items() if field is not False)
            yield from fields(part, f"{at}/{keyword}")
    if isinstance(schema, list):
        for i, part in enumerate(schema):
            yield from fields(part, f"{at}/{i}")
