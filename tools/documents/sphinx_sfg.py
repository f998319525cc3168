"""Sphinx extension: the directive `sfg` and the role :sfg:`tf file=model.toml --from R`, whose answer is inline mathematics.

    .. sfg:: tf --from r --to y

       digraph { r -> y [gain="K"] }

The command is the sfg of the PATH, or $SFG. A wrong fence ends the build with its line of the page."""
import hashlib, os, pathlib, re, shlex, subprocess

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from docutils.statemachine import StringList
from sphinx.errors import ExtensionError

PICTURES = ("draw", "bode", "nyquist", "nichols", "rlocus", "step", "impulse", "simulate")
OF_THE_PAGE = ("-o", "--output", "--json", "--notation", "--type")
OTHERS = ("serve", "batch", "weave", "report", "export")


class Fence:
    """The words of a fence, and where it stands."""

    def __init__(self, env, text, line, body="", lines=()):
        self.env, self.line, self.body, self.lines = env, line, body, lines
        self.page = env.doc2path(env.docname)
        try:
            words = shlex.split(text)
        except ValueError as error:
            self.fail(f"the words of the fence: {error}")
        self.file = next((word[5:] for word in words if word.startswith("file=")), None)
        self.alt = next((word[4:] for word in words if word.startswith("alt=")), None)
        self.words = [word for word in words if not word.startswith(("file=", "alt="))]
        if not self.words:
            self.fail("the fence names no verb")
        wrong = [word for word in self.words if word.split("=")[0] in OF_THE_PAGE]
        if wrong or self.words[0] in OTHERS:
            self.fail(f"{wrong[0] if wrong else 'sfg ' + self.words[0]} has no place in a fence")
        if self.file and body.strip():
            self.fail("file= takes the place of the input in the fence, and there is one")

    def fail(self, message, line=None, column=1):
        raise ExtensionError(f"{self.page}:{line or self.line}:{column}: error: {message}")

    def ask(self, *more):
        """What the command answers; it is run in the folder of the page."""
        command = os.environ.get("SFG", "sfg")
        words = [command, self.words[0], self.file or "-", *self.words[1:], *more]
        if self.file:
            self.env.note_dependency(str(pathlib.Path(self.page).parent / self.file))
        try:
            run = subprocess.run(words, input=self.body.encode(), capture_output=True, cwd=os.path.dirname(self.page))
        except OSError as error:
            self.fail(f"'{command}' cannot be run: {error.strerror}")
        if run.returncode != 0:
            self.fail_as_told(run.stderr.decode("utf-8", "replace"))
        return run.stdout.decode("utf-8", "replace")

    def fail_as_told(self, said):
        """In the lines of the page."""
        first = next((line for line in said.split("\n") if ": error: " in line), said.strip())
        where, _, message = first.partition(": error: ")
        place = re.fullmatch(r"(?:<stdin>|-):(\d+):(\d+)", where)
        if place and self.lines:
            self.fail(message, self.lines[min(int(place[1]), len(self.lines)) - 1], place[2])
        self.fail(f"{where}: {message}" if self.file and where.startswith(self.file) else message or first)


class SfgDirective(Directive):
    has_content = True
    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {"alt": directives.unchanged, "file": directives.unchanged}

    def run(self):
        env = self.state.document.settings.env
        words = " ".join([self.arguments[0], *(shlex.quote(f"{name}={value}") for name, value in self.options.items())])
        lines = [self.content.offset(i) + 1 for i in range(len(self.content))]
        fence = Fence(env, words, self.lineno, "\n".join(self.content) + "\n" if self.content else "", lines)
        return [self.picture(fence)] if fence.words[0] in PICTURES else self.formula(fence)

    def formula(self, fence):
        node = nodes.Element()
        node.document = self.state.document
        text = StringList(fence.ask("--notation", "rst").split("\n"), source=fence.page)
        self.state.nested_parse(text, self.content_offset, node)
        return node.children

    def picture(self, fence):
        """Files of every kind that a builder may want, called after what they are made of."""
        folder = pathlib.Path(fence.env.app.doctreedir) / "sfg"
        folder.mkdir(parents=True, exist_ok=True)
        model = (pathlib.Path(fence.page).parent / fence.file).read_bytes() if fence.file and os.path.isfile(os.path.join(os.path.dirname(fence.page), fence.file)) else b""
        stem = folder / hashlib.sha256("\0".join([*fence.words, fence.body]).encode() + model).hexdigest()[:20]
        for kind in ("svg", "pdf"):
            fence.ask("-o", f"{stem}.{kind}")
        title = re.search(r"<title[^>]*>([^<]*)</title>", stem.with_suffix(".svg").read_text(encoding="utf-8"))
        image = nodes.image(uri=os.path.relpath(f"{stem}.*", os.path.dirname(fence.page)).replace(os.sep, "/"), alt=fence.alt or (title[1] if title else ""))
        image.source, image.line = fence.page, fence.line
        return image


def sfg_role(name, rawtext, text, lineno, inliner, options=None, content=None):
    fence = Fence(inliner.document.settings.env, text, lineno)
    if fence.words[0] in PICTURES:
        fence.fail("a picture has no place in a line of text")
    latex = fence.ask("--notation", "latex")
    rows = re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", latex, re.S)
    if len(rows) != 1:
        fence.fail("the answer is no single formula, as one in a line of text is")
    formula = re.sub(r"(?<!\\)&(?:\\quad \{\})?", "", rows[0].replace("\\\\\n", " "))
    return [nodes.math(rawtext, formula)], []


def setup(app):
    app.add_directive("sfg", SfgDirective)
    app.add_role("sfg", sfg_role)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
