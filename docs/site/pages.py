"""The Markdown pages of the repository as pages of the site: HTML for Doxygen's \\page, with every link to where it leads there.

Anchors are those of the hosts of Markdown (tests/docs/references.py checks them), so a page reads the same in both places.
"""
import html, json, pathlib, posixpath, re

import markdown

ROOT = pathlib.Path(__file__).resolve().parents[2]
START = "docs/README.md"  # the page one arrives at; its tables are the navigation
MADE = "<!-- pictures are made -->"  # a page that says so shows what its commands draw
LINK = re.compile(r'(<a href|<img alt="[^"]*" src)="([^"]+)"')
TITLE = re.compile(r"\A# +(.*)\n")
NAMED_FILE = re.compile(r"<code>([\w.-]+\.(?:toml|cpp|dot|cir|m|csv))</code>")


def sources():
    """Every page, by its path from the root."""
    found = [name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "examples/README.md", "graphs/README.md")]
    return found + sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))


def slug(title, separator="-"):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", separator)


def name(path):
    """Of the page of a source: docs/guide/first_steps.md → guide_first_steps; of any other file, file_examples_servo_dot."""
    if path == START:
        return "index"
    stem = path.removeprefix("docs/").removesuffix(".md")
    return re.sub(r"\W", "_", stem if path.endswith(".md") else "file/" + stem)


def title(path):
    found = TITLE.match((ROOT / path).read_text(encoding="utf-8"))
    return re.sub(r"[`*]", "", found.group(1)) if found else path


def commands_marked(page):
    """What one types stands out from what is printed."""
    def block(match):
        lines, typed = [], False
        for line in match.group(1).split("\n"):
            typed = line.startswith("$ ") or (typed and lines[-1].rstrip("</b>").endswith("\\"))
            lines.append(f"<b>{line}</b>" if typed and line else line)
        return '<pre class="console"><code>' + "\n".join(lines) + "</code></pre>"
    return re.sub(r'<pre><code class="language-console">(.*?)</code></pre>', block, page, flags=re.DOTALL)


def as_gallery(body):
    """Exhibits, each a heading of the third level with what follows it, side by side where there is room. Options stay in one piece."""
    body = re.sub(r"(?<= )-{1,2}[a-z][\w-]*", r"<span>\g<0></span>", body)
    body = re.sub(r"(<h3.*?)(?=<h3|<h2|\Z)", r"<section>\1</section>", body, flags=re.DOTALL)
    return re.sub(r"(?:<section>.*?</section>\s*)+", lambda row: f'<div class="gallery">{row.group(0)}</div>', body, flags=re.DOTALL)


def converted(text, path, linked):
    """HTML of a page without its title; `linked` gathers the files beside the pages that it leads to."""
    body = markdown.markdown(TITLE.sub("", text), extensions=["tables", "fenced_code", "toc", "sane_lists"],
                             extension_configs={"toc": {"slugify": slug, "permalink": False}}, output_format="html")

    def target(match):
        kind, link = match.groups()
        file, _, anchor = html.unescape(link).partition("#")
        if "://" in file or not file:
            return match.group(0)
        there = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if kind.startswith("<img"):
            linked.add(there)
            return f'{kind}="{posixpath.basename(there)}"'
        if not there.endswith(".md"):
            linked.add(there)
        return f'{kind}="{name(there)}.html{"#" + anchor if anchor else ""}"'

    def file_beside(match):
        beside = posixpath.join(posixpath.dirname(path), match.group(1))
        if not (ROOT / beside).is_file():
            return match.group(0)
        linked.add(beside)
        return f'<a href="{name(beside)}.html">{match.group(0)}</a>'

    body = LINK.sub(target, commands_marked(body))
    body = re.sub(r'<img alt="[^"]*" src="([^"]+\.svg)">', r'<a href="\1">\g<0></a>', body)  # a click shows it in its size
    if MADE in text:
        body = as_gallery(body)
    if path == "examples/README.md":
        body = NAMED_FILE.sub(file_beside, body)
    return re.sub(r"(<table>.*?</table>)", r'<div class="wide">\1</div>', body, flags=re.DOTALL)


def contents(body):
    """The headings of a long page, to jump to."""
    found = re.findall(r'<h2 id="([^"]+)">(.*?)</h2>', body, re.DOTALL)
    if len(found) < 3:
        return ""
    entries = "".join(f'<li><a href="#{anchor}">{re.sub("<[^>]+>", "", text)}</a></li>' for anchor, text in found)
    return f'<nav class="contents-of-page" aria-label="On this page"><p>On this page</p><ul>{entries}</ul></nav>'


def navigation(text):
    """The sidebar: the links in the tables of the start page, under its headings."""
    lines = []
    for heading, part in re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL):
        rows = [link for row in re.findall(r"^\| .*\|$", part, re.MULTILINE) for link in re.findall(r"\[([^\]]*)\]\(([^)#]+\.md)\)", row)[:1]]
        if rows:
            lines.append(f"<h2>{html.escape(heading.partition(':')[0])}</h2><ul>")
            for label, link in rows:
                there = posixpath.normpath(posixpath.join("docs", link))
                lines.append(f'<li><a href="{name(there)}.html">{html.escape(label)}</a></li>')
            lines.append("</ul>")
    return "\n".join(lines)


def of_notebook(path):
    """An executed notebook: its words, its code and what that shows."""
    parts = []
    for cell in json.loads((ROOT / path).read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(markdown.markdown(text, output_format="html"))
            continue
        parts.append(f"<pre><code>{html.escape(text)}</code></pre>")
        for output in cell["outputs"]:
            data = output.get("data", {"text/plain": output.get("text", "")})
            shown = next(kind for kind in ("text/html", "image/svg+xml", "text/markdown", "text/latex", "text/plain") if kind in data)
            shown, as_it_is = "".join(data[shown]), shown in ("text/html", "image/svg+xml")
            parts.append(re.sub(r"<\?xml[^>]*>|<!DOCTYPE[^>]*>", "", shown) if as_it_is else f"<pre>{html.escape(shown)}</pre>")
    return "\n".join(parts)


def of_file(path):
    """A model, a program, a notebook or a folder as a page."""
    if path.endswith(".ipynb"):
        return of_notebook(path), []
    if (ROOT / path).is_dir():
        inside = sorted(file.relative_to(ROOT).as_posix() for file in (ROOT / path).iterdir() if file.is_file() and file.suffix != ".md")
        rows = "".join(f'<li><a href="{name(file)}.html">{html.escape(posixpath.basename(file))}</a></li>' for file in inside)
        return f"<ul>{rows}</ul>", inside
    return f"<pre><code>{html.escape((ROOT / path).read_text(encoding='utf-8'))}</code></pre>", []


def for_doxygen(page_name, page_title, body):
    """A page that Doxygen copies as it is. No "*/" ends its comment."""
    command = "@mainpage" if page_name == "index" else f"@page {page_name}"
    body = body.replace("*/", "*&#47;").replace("@endhtmlonly", "&#64;endhtmlonly").replace("\\endhtmlonly", "&#92;endhtmlonly")
    return f"/** {command} {page_title}\n@htmlonly[block]\n<article>{body}</article>\n@endhtmlonly\n*/\n"


def headings(body):
    return [(anchor, html.unescape(re.sub("<[^>]+>", "", text))) for anchor, text in re.findall(r'<h[23] id="([^"]+)">(.*?)</h[23]>', body, re.DOTALL)]
