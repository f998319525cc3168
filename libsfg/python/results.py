"""Writes the classes of answers, sfg/results.py and results.pyi, from the schemas of the verbs: results.py FOLDER_OF_SCHEMAS FILE.

Every object of a schema is a class, every property of it an attribute with its description and type. An answer that has one of
several forms has the attributes of all of them."""
import json
import keyword
import pathlib
import re
import sys

HEAD = '''"""What the verbs of sfg answer: a class for each, made from the schemas of their JSON.

An answer is a dict with the fields of the JSON, lists of numbers as arrays; its attributes are the same with expressions as Formulas,
exact numbers as Fractions, matrices as arrays. A field that this answer has not raises AttributeError.
"""
from __future__ import annotations

from fractions import Fraction
from typing import Any, Dict, List, Optional

import numpy as np
import numpy.typing as npt

from ._formula import Formula
from ._result import Answer, field

'''
VERBS = '''class Verbs:
    """Verbs of the command whose questions need no words of their own."""

    __slots__ = ()

    def _ask(self, verb: str, keywords: "Dict[str, Any]", input: Any = None, output: Any = None) -> Any:
        raise NotImplementedError
'''
#: What is no question to one graph, and what Graph and Model name otherwise.
NO_METHOD = {"batch", "compare", "error", "exercise", "graph", "reduce", "version", "weave"}
STUB_HEAD = '''from fractions import Fraction
from typing import Any, Dict, List, Optional

import numpy as np
import numpy.typing as npt

from . import Answer, Formula

'''
FLOATS, COMPLEXES = "npt.NDArray[np.float64]", "npt.NDArray[np.complex128]"
COMMON = "common.schema.json"
KNOWN = {"expression": "Formula", "rational": "Fraction", "complex": "complex", "complex_or_null": "complex", "root": "complex", "matrix": "npt.NDArray[Any]"}
#: Lists of answers, whose classes are named after what the answer alone has.
WHOLE = {"sweep", "transfers", "loops"}
TAKEN = set(dir(dict)) | {"plot", "figure", "to_dict", "to_dataframe", "schema"}


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"\W|_", name))


def singular(name):
    for end, instead in (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("ss", "ss"), ("is", "is"), ("s", "")):
        if name.endswith(end):
            return name[:-len(end)] + instead
    return name


class Classes:
    def __init__(self, folder):
        def others(path):  # a class is named after the schema that has it itself
            return len(set(re.findall(r'"([a-z]+)\.schema\.json', path.read_text(encoding="utf-8"))) - {"common"}), path.name

        self.schemas = {path.name: json.loads(path.read_text(encoding="utf-8").replace('"#', f'"{path.name}#')) for path in sorted(folder.glob("*.schema.json"), key=others)}
        self.names, self.texts, self.open = {}, [], set()

    def target(self, reference, file):
        """(file, path, node) of a reference."""
        other, _, path = reference.partition("#")
        file = other or file
        node = self.schemas[file]
        for part in filter(None, path.split("/")):
            node = node[part]
        return file, path, node

    def forms(self, node, file, name="", through=()):
        """(file, node, name of its definition) of all that a node may be, alternatives and references followed."""
        if not isinstance(node, dict):  # true: anything
            return
        own = {key: value for key, value in node.items() if key not in ("$ref", "oneOf", "anyOf", "allOf", "description")}
        if "properties" in own or "type" in own or "enum" in own or "const" in own or "additionalProperties" in own:
            yield file, own, name
        if "$ref" in node and node["$ref"] not in through:
            other, path, found = self.target(node["$ref"], file)
            yield from self.forms(found, other, path.split("/")[-1], (*through, node["$ref"]))
        for word in ("oneOf", "anyOf", "allOf"):
            for each in node.get(word, []):
                yield from self.forms(each, file, name, through)

    def known(self, node, file):
        """The type that a definition stands for, of the node or of an alternative."""
        for each in (node, *node.get("anyOf", []), *node.get("oneOf", [])) if isinstance(node, dict) else ():
            if "$ref" in each:
                other, path, _ = self.target(each["$ref"], file)
                if other == COMMON and path.split("/")[-1] in KNOWN:
                    return KNOWN[path.split("/")[-1]]
        return None

    def kind(self, node, file, hint):
        """(type, what the values are: a class or a word, whether None may stand for it)."""
        forms = list(self.forms(node, file))
        types = {t for _, form, _ in forms for t in ([form["type"]] if isinstance(form.get("type"), str) else form.get("type", []))}
        null = "null" in types or any(None in form.get("enum", []) for _, form, _ in forms)
        known = self.known(node, file)
        if known:
            return known, {"complex": "None", "npt.NDArray[Any]": '"matrix"'}.get(known, known), null
        objects = [form for form in forms if "properties" in form[1]]
        arrays = [form for form in forms if "items" in form[1] and isinstance(form[1]["items"], dict)]
        if objects and not arrays:
            name = self.of(objects, file, hint)
            return name, name, null
        if arrays:
            inner, value, _ = self.kind({"anyOf": [form["items"] for _, form, _ in arrays]} if len(arrays) > 1 else arrays[0][1]["items"],
                                        arrays[0][0], singular(hint))
            if objects:
                return "Any", value, null
            if inner in ("float", "int"):
                return FLOATS, "None", null
            if inner == FLOATS:  # rows of one length are an array, others a list of arrays
                return "Any", "None", null
            if inner in ("complex", COMPLEXES):
                return COMPLEXES, "None", null
            return f"List[{inner}]", value, null
        maps = [form for form in forms if isinstance(form[1].get("additionalProperties"), dict)]
        if maps:
            inner, value, _ = self.kind(maps[0][1]["additionalProperties"], maps[0][0], singular(hint))
            return f"Dict[str, {inner}]", f'{{"": {value}}}' if value != "None" else value, null
        plain = {"number": "float", "integer": "int", "string": "str", "boolean": "bool"}
        found = sorted({plain[t] for t in types if t in plain} | {type(v).__name__ for _, f, _ in forms for v in
                       [*f.get("enum", []), *([f["const"]] if "const" in f else [])] if v is not None})
        found = ["float"] if found == ["float", "int"] else found
        return (found[0] if len(found) == 1 else "Any"), "None", null

    def of(self, forms, file, hint):
        """The class of some objects as one."""
        key = json.dumps([form[1] for form in forms], sort_keys=True) + (file if len(forms) > 1 else forms[0][0])
        if key in self.names:
            return self.names[key]
        definition = forms[0][2] if len(forms) == 1 and forms[0][2] else ""
        name = hint
        if definition:
            name = camel(definition) if forms[0][0] == COMMON else camel(forms[0][0].split(".")[0]) + camel(definition)
        while name in self.names.values():
            name = hint if name != hint else name + "_"
        self.names[key] = name
        self.write(name, forms, "")
        return name

    def write(self, name, forms, doc):
        fields = {}
        for file, form, _ in forms:
            for field, node in form.get("properties", {}).items():
                if field != "schema":
                    fields.setdefault(field, []).append((file, node))
        lines = [f"class {name}(Answer):", "    " + json.dumps(doc or name, ensure_ascii=False), "    __slots__ = ()"]
        kinds_of = {field: [self.kind(node, file, name + camel(field)) for file, node in fields[field]]
                    for field in sorted(fields, key=WHOLE.__contains__)}
        for field, nodes in fields.items():
            if not re.fullmatch(r"[^\W\d][\w-]*", field):
                continue  # a number, as quantiles have it: as of a dict
            kinds = kinds_of[field]
            types = sorted({kind[0] for kind in kinds})
            values = list(dict.fromkeys(kind[1] for kind in kinds if kind[1] != "None"))
            values = values if len(values) < 2 else [f"({', '.join(values)})"]  # by what it is
            annotation = types[0] if len(types) == 1 else "Any"
            if any(kind[2] for kind in kinds) and annotation != "Any":
                annotation = f"Optional[{annotation}]"
            said = next((node["description"] for _, node in nodes if isinstance(node, dict) and "description" in node), "") or self.said(nodes)
            attribute = re.sub(r"\W", "_", field)
            attribute += "_" if keyword.iskeyword(attribute) or attribute in TAKEN else ""
            arguments = [json.dumps(in_words(said), ensure_ascii=False)] + ([values[0]] if values else [])
            arguments += [f"key={field!r}"] if attribute != field else []
            lines.append(f"    {attribute}: {annotation} = field({', '.join(arguments)})")
        self.texts.append("\n".join(lines) + "\n")

    def said(self, nodes):
        file, node = nodes[0]
        return self.target(node["$ref"], file)[2].get("description", "") if isinstance(node, dict) and "$ref" in node else ""

    def verbs(self):
        """Methods for the verbs that sfg/_analyses.py does not name: without arguments of their own."""
        named = pathlib.Path(__file__).with_name("sfg").joinpath("_analyses.py").read_text(encoding="utf-8")
        text = [VERBS]
        for file, schema in self.schemas.items():
            verb = file.split(".")[0]
            if file == COMMON or verb in NO_METHOD or f'"{verb}"' in named:
                continue
            doc = f"{schema['title']}; options as 'sfg help {verb}' lists them, with _ for -."
            text.append(f"    def {verb.replace('-', '_')}(self, input: Any = None, output: Any = None, **options: Any) -> {camel(verb)}:\n"
                        f"        {json.dumps(doc, ensure_ascii=False)}\n"
                        f"        return self._ask({verb!r}, options, input, output)  # type: ignore[no-any-return]\n")
        return "\n".join(text)

    def all(self):
        for file, schema in self.schemas.items():
            if file == COMMON or "error" in file:
                continue
            forms = [form for form in self.forms(schema, file) if "properties" in form[1]]
            name = camel(file.split(".")[0])
            self.names[file] = name
            description = schema.get("description", "")
            self.write(name, forms, in_words(f"{schema['title']}. {description}".strip()))
        return HEAD + "\n\n" + "\n\n".join([*self.texts, self.verbs()])


def in_words(text):
    """Options of the command as keywords."""
    text = re.sub(r"--([a-z][a-z-]*)", lambda m: m[1].replace("-", "_") + "=", text)
    return " ".join(re.sub(r"\bnull\b", "None", text).split())


def stub_of(module):
    """The types alone, with those of __init__.pyi."""
    text = module.replace(HEAD, STUB_HEAD)
    text = re.sub(r'^    (\w+: .*?) = field\(.*$', r"    \1", text, flags=re.M)
    text = re.sub(r'^    "(?:[^"\\]|\\.)*"\n|^    """.*"""\n|^    __slots__.*\n', "", text, flags=re.M)
    text = re.sub(r'^(    def .*:)\n(?:        .*\n)+', r"\1 ...\n", text, flags=re.M)
    return re.sub(r"^(class .*:)\n(?=\n*(?:class |\Z))", r"\1 ...\n", text, flags=re.M)


if __name__ == "__main__":
    module = Classes(pathlib.Path(sys.argv[1])).all()
    pathlib.Path(sys.argv[2]).write_text(module, encoding="utf-8")
    pathlib.Path(sys.argv[2] + "i").write_text(stub_of(module), encoding="utf-8")
