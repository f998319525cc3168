"""Doxygen's pages of the API after Doxygen: what it wrote is tidied, and a page of all functions by their headers is added."""
import html, pathlib, re, xml.etree.ElementTree as xml

UNLINKED = ("pages.html", "hierarchy.html", "inherits.html", "namespacemembers*.html", "globals*.html", "functions_[a-z]*.html", "*_8dox.html")


def html_name(name):
    return name if name.endswith(".html") else name + ".html"


def names(tags):
    """(name, address, kind) of what Doxygen documented."""
    found = []
    for compound in xml.parse(tags).getroot():
        kind, owner = compound.get("kind"), compound.findtext("name")
        if kind in ("class", "struct", "namespace", "concept"):
            found.append([owner, html_name(compound.findtext("filename")), kind])
        if kind == "namespace":
            for member in compound.findall("member"):
                address = member.findtext("anchorfile") + "#" + member.findtext("anchor")
                found.append([owner + "::" + member.findtext("name"), address, member.get("kind")])
    return found


def tidied(site):
    """Takes from Doxygen's pages what misleads or nothing leads to: the staged pages among the headers, its own titles above ours, and the line
    "Classes | Public Member Functions | …", which leads to private classes, too, that have no place."""
    for pattern in UNLINKED:
        for path in site.glob(pattern):
            path.unlink()
    for path in site.glob("dir_*.html"):
        if "<title>pages Directory" in path.read_text(encoding="utf-8"):
            path.unlink()
    for path in site.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        if path.name == "files.html":
            staging = re.search(r'<tr id="row_(\d+)_"(?:(?!</tr>).)*>pages</a>', text).group(1)
            shorter = re.sub(rf'<tr id="row_{staging}_.*?</tr>\n?', "", text)
        elif "<article>" in text:
            shorter = re.sub(r'<div class="header">.*?</div><!--header-->', "", text, count=1, flags=re.DOTALL)
        else:
            shorter = re.sub(r'\s*<div class="summary">.*?</div>', "", text, count=1, flags=re.DOTALL)
        if shorter != text:
            path.write_text(shorter, encoding="utf-8")


def functions_by_header(site, tags):
    """functions.html: every function of namespace scope under its header, in the frame of the list of headers."""
    parts, room = [], None
    for compound in sorted((c for c in xml.parse(tags).getroot() if c.get("kind") == "file"), key=lambda c: (c.findtext("path"), c.findtext("name"))):
        functions = {member.findtext("name"): member.findtext("anchorfile") + "#" + member.findtext("anchor")
                     for member in compound.findall("member") if member.get("kind") == "function"}
        functions = {name: address for name, address in functions.items() if not name.startswith("operator")}
        header = compound.findtext("path").partition("libsfg/")[2] + compound.findtext("name")
        if not functions or not header.endswith(".hpp"):
            continue
        if header.rpartition("/")[0] != room:
            room = header.rpartition("/")[0]
            parts.append(f"<h2>{html.escape(room)}</h2>")
        links = ", ".join(f'<a href="{address}"><code>{html.escape(name)}</code></a>' for name, address in sorted(functions.items()))
        parts.append(f'<p><a href="{html_name(compound.findtext("filename"))}">{html.escape(header.rpartition("/")[2])}</a>: {links}</p>')
    frame = (site / "files.html").read_text(encoding="utf-8").replace("File List", "Functions by header")
    begin, end = frame.index('<div class="contents">'), frame.index("</div><!-- contents -->")
    (site / "functions.html").write_text(frame[:begin] + '<div class="contents">' + "\n".join(parts) + frame[end:], encoding="utf-8")
