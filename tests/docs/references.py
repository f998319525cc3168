#!/usr/bin/env python3
"""Nothing cites what is not there: every document, schema and section that a comment or a page names exists in this
repository, and so do the equations of the method and the sources, headers and functions that pages name.

Cited are documents by their path from the root, from the citing file, or by their name alone within docs/; sections as
"docs/design/derivation.md, section 4.2" or, in that document, "(section 4.2)"; equations of the method as "Eq. 11", "Eqs. 1–5".
"""
import pathlib, re, sys, unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
METHOD = "docs/design/derivation.md"
OTHER_EQUATIONS = {"docs/guide/mason.md": "equations of Mason's papers"}
FOLDERS = (".ci", "docs", "examples", "graphs", "libsfg", "tests", "tools")
SUFFIXES = {".hpp", ".cpp", ".md", ".py", ".txt", ".cmake", ".in", ".toml", ".dot", ".cir", ".m", ".sh", ""}

DOCUMENT = re.compile(r"(?<![\w/.*-])((?:\.{0,2}[\w-]+/|\.\./)*[\w-]+(?:\.md|\.schema\.json))\b")
WEAVES = re.compile(r"/tests/(?:(?:cli/)?weave|documents/)")  # these make pages of their own
GAP = r"(?:\s|//+|#|%)+"  # a citation may be broken by a line of a comment
SECTION = re.compile(r"([\w/.-]+\.md)\)?,?" + GAP + r"sections?" + GAP + r"(\d+(?:\.\d+)?)(?:(?:,| and|–|-) ?(\d+(?:\.\d+)?))?")
OWN_SECTION = re.compile(r"(?<!\.md, )(?<!\.md\), )\bsection (\d+(?:\.\d+)?)")
BARE_SECTION = re.compile(r"[\w/.-]+\.md \d")
EQUATIONS = re.compile(r"Eqs?\. ?\(?(\d+)(?:[-–](\d+))?")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SOURCE = re.compile(r"`([a-z]+(?:/[a-z_]+)+(?:\.[a-z]+)?)/?`")
FUNCTION = re.compile(r"`(?:\w+::)*(\w+)\(\)`")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)


def files():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in SUFFIXES and path.name != "expected" and "__pycache__" not in path.parts:
                yield path
    yield from sorted(path for path in ROOT.iterdir() if path.is_file() and path.suffix in SUFFIXES)


def resolved(citation, file):
    """The document that a citation means; None when it is not there, or not in this repository."""
    nearby = [ROOT / citation, file.parent / citation]
    if "/" not in citation:
        nearby += sorted((ROOT / "docs").rglob(citation))
    for path in nearby:
        if path.is_file() and path.resolve().is_relative_to(ROOT):
            return path
    return None


def without_code(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def headings(path):
    return HEADING.findall(without_code(path.read_text(encoding="utf-8")))


def sections(path):
    """Numbers of the sections: "4.2 When …" → 4.2."""
    return {found.group(1) for found in (re.match(r"(\d+(?:\.\d+)*)\.? ", title) for title in headings(path)) if found}


def anchor(title):
    """As the hosts of Markdown make them."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


class References(unittest.TestCase):
    def setUp(self):
        self.wrong = []
        self.texts = {}
        for path in files():
            try:
                self.texts[path] = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
        self.texts.pop(pathlib.Path(__file__).resolve(), None)  # it has wrong citations as examples

    def test_all_of_the_repository_is_read(self):
        self.assertGreater(len(self.texts), 400)

    def tearDown(self):
        self.assertEqual(self.wrong, [], "\n" + "\n".join(self.wrong))

    def complain(self, path, match, message):
        line = self.texts[path].count("\n", 0, match.start()) + 1
        self.wrong.append(f"{path.relative_to(ROOT)}:{line}: {message}")

    def test_documents_exist(self):
        for path, text in self.texts.items():
            made = set(re.findall(r"(?:-o|sfg weave|weave|woven/) ?([\w.-]+\.md)", text))  # by a command that is shown
            made |= {f"woven/{page}" for page in made}
            for match in DOCUMENT.finditer(text):
                if match.group(1) not in made and not WEAVES.search(str(path)) and resolved(match.group(1), path) is None:
                    self.complain(path, match, f"there is no document {match.group(1)}")

    def test_links_lead_somewhere(self):
        for path, text in self.texts.items():
            for match in LINK.finditer(text) if path.suffix == ".md" else ():
                file, _, place = match.group(1).partition("#")
                if "://" in file or file.startswith("sfg/"):  # a picture of a woven page that is shown
                    continue
                target = (path.parent / file).resolve() if file else path
                if not target.exists() or not target.is_relative_to(ROOT):
                    self.complain(path, match, f"the link to {file} leads nowhere")
                elif place and place not in map(anchor, headings(target)):
                    self.complain(path, match, f"{target.relative_to(ROOT)} has no heading #{place}")

    def test_sections_exist(self):
        for path, text in self.texts.items():
            for match in BARE_SECTION.finditer(text):
                self.complain(path, match, f"write '{match.group(0)[:-2]}, section {match.group(0)[-1]}'")
            for match in SECTION.finditer(text):
                target = resolved(match.group(1), path)
                for number in filter(None, match.groups()[1:]):
                    if target is None or number not in sections(target):
                        self.complain(path, match, f"{match.group(1)} has no section {number}")
            if path.is_relative_to(ROOT / "docs/design"):
                for match in OWN_SECTION.finditer(text):
                    if match.group(1) not in sections(path):
                        self.complain(path, match, f"this page has no section {match.group(1)}")

    def test_pages_are_cited_by_their_paths(self):
        names = {path.stem.upper(): path.relative_to(ROOT) for path in (ROOT / "docs/design").glob("*.md")}
        for path, text in self.texts.items():
            for match in re.finditer(r"\b(" + "|".join(names) + r")\b", text) if path.suffix in {".hpp", ".cpp", ".md", ".py"} else ():
                self.complain(path, match, f"write {names[match.group(1)]} and its section")

    def test_equations_of_the_method_exist(self):
        stated = {int(number) for number in re.findall(r"\((\d+)\)", (ROOT / METHOD).read_text(encoding="utf-8"))}
        for path, text in self.texts.items():
            if path.relative_to(ROOT).as_posix() in OTHER_EQUATIONS:
                continue
            for match in EQUATIONS.finditer(text):
                for number in filter(None, match.groups()):
                    if int(number) not in stated:
                        self.complain(path, match, f"{METHOD} has no equation ({number})")

    def test_sources_that_pages_name_exist(self):
        rooms = {path.name for parent in (ROOT, ROOT / "libsfg", ROOT / "libsfg/sfg") for path in parent.iterdir() if path.is_dir()} - {"build"}
        homes = [ROOT, ROOT / "libsfg", ROOT / "libsfg/sfg"]
        for path, text in self.texts.items():
            for match in SOURCE.finditer(text) if path.suffix == ".md" else ():
                name = match.group(1)
                if name.split("/")[0] in rooms and not any((home / (name + end)).exists() for home in [*homes, path.parent] for end in ("", ".hpp", ".cpp")):
                    self.complain(path, match, f"there is no {name}")

    def test_functions_that_pages_name_exist(self):
        words = {word for path, text in self.texts.items() if path.suffix in {".hpp", ".cpp"} for word in re.findall(r"\w+", text)}
        words |= {name for path in (ROOT / "libsfg/python/sfg").glob("*.py") for name in re.findall(r"def (\w+)", path.read_text(encoding="utf-8"))}
        words |= {name for path, text in self.texts.items() if path.suffix == ".cmake" for name in re.findall(r"^function\((\w+)", text, re.M)}
        for path, text in self.texts.items():
            for match in FUNCTION.finditer(text) if path.suffix == ".md" else ():
                if match.group(1) not in words:
                    self.complain(path, match, f"there is no function {match.group(1)}()")

    def test_wrong_citations_are_found(self):
        checks = (self.test_documents_exist, self.test_links_lead_somewhere, self.test_sections_exist,
                  self.test_pages_are_cited_by_their_paths, self.test_equations_of_the_method_exist,
                  self.test_sources_that_pages_name_exist, self.test_functions_that_pages_name_exist)
        code, page = ROOT / "libsfg/sfg/error.hpp", ROOT / "docs/design/decisions.md"
        for path, text in [(code, "/// (docs/design/nowhere.md)"), (code, "// ../elsewhere/page.md"), (code, "// docs/schema/nothing.schema.json"),
                           (code, "// docs/design/engine.md, section 99"), (code, "/// of docs/design/engine.md,\n/// section 99"),
                           (code, "// docs/design/engine.md, sections 1 and 99"), (code, "// derivation.md 3"), (code, "// (ENGINE 1)"),
                           (code, "// Eq. 99"), (code, "// Eqs. 1–99"), (page, "[x](nowhere.md)"), (page, "[x](engine.md#no-such-heading)"),
                           (page, "[x](../../../README.md)"), (page, "as in section 99"), (page, "`transfer/nothing`"),
                           (page, "`sfg/nothing.hpp`"), (page, "`no_such_function()`")]:
            self.texts = {path: text}
            for check in checks:
                check()
            self.assertNotEqual(self.wrong, [], text)
            self.wrong = []


if __name__ == "__main__":
    unittest.main()
