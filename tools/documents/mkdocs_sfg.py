"""MkDocs hook: the fences ```sfg VERB OPTIONS of pages become pictures, formulas (MathML) and tables.

    hooks:
      - mkdocs_sfg.py

The command is the sfg of the PATH, or $SFG. A wrong fence ends the build with its line of the page."""
import base64, json, os, pathlib, re, subprocess, tempfile

from mkdocs.exceptions import PluginError

FENCE = re.compile(r"(?:```|~~~)[ \t]*(?:sfg\b|\{[^}\n]*\.sfg\b)")


def woven(path, folder):
    """What `sfg weave` tells of the fences of a page."""
    command = os.environ.get("SFG", "sfg")
    try:
        run = subprocess.run([command, "weave", path, "--json", "--as", "html", "-o", folder], capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)
    except OSError as error:
        raise PluginError(f"sfg: '{command}' cannot be run: {error.strerror}") from error
    if run.returncode != 0:
        raise PluginError(run.stderr.strip())
    if run.stderr:
        print(run.stderr, end="")
    return json.loads(run.stdout)["pages"][0]["fences"]


def answer_of(fence):
    """Markdown or HTML of one line, as that of items of lists is."""
    if fence["file"].endswith(".svg"):
        picture = base64.b64encode(pathlib.Path(fence["file"]).read_bytes()).decode()
        return re.sub(r"\]\([^()]*\)$|\]\(<[^<>]*>\)$", f"](data:image/svg+xml;base64,{picture})", fence["text"])
    return "<div class=\"sfg\">" + " ".join(fence["text"].split("\n")) + "</div>"


def on_page_read_source(page, config, **_):
    path = page.file.abs_src_path
    source = pathlib.Path(path).read_text(encoding="utf-8-sig")
    if not FENCE.search(source):
        return None
    lines, made, at = source.split("\n"), [], 0
    with tempfile.TemporaryDirectory() as folder:
        for fence in woven(path, folder):
            before = lines[fence["line"] - 1][:fence["column"] - 1]
            made += [*lines[at:fence["line"] - 1], "" if before.strip() == "" else None, before + answer_of(fence), ""]
            at = fence["last"]
    return "\n".join(line for line in [*made, *lines[at:]] if line is not None)
