#!/usr/bin/env python3
"""Broken links of a folder of HTML pages: files and anchors that are not there, and whatever would be fetched from a network.

    links.py FOLDER    prints each as "PAGE: LINK: what is wrong"; exit status 1 if there is one
"""
import html.parser, pathlib, sys, urllib.parse

FETCHED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("object", "data"), ("source", "src")}
LINKS = FETCHED | {("a", "href"), ("area", "href")}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key == "id" or (tag == "a" and key == "name"):
                self.anchors.add(value)
            if (tag, key) in LINKS and value:
                self.links.append((value, (tag, key) in FETCHED))


def html_name(name):
    return name if name.endswith(".html") else name + ".html"


def broken(folder):
    """What is wrong, a line each."""
    folder = pathlib.Path(folder)
    read = {path.relative_to(folder).as_posix(): Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    wrong = []
    for name, page in sorted(read.items()):
        for link, fetched in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if fetched and parts.scheme != "data":
                    wrong.append(f"{name}: {link}: would be fetched from a network")
                continue
            there = (pathlib.PurePosixPath(name).parent / urllib.parse.unquote(parts.path)).as_posix() if parts.path else name
            anchor = urllib.parse.unquote(parts.fragment)
            if not (folder / there).is_file():
                wrong.append(f"{name}: {link}: there is no such file")
            elif anchor and there in read and anchor not in read[there].anchors:
                wrong.append(f"{name}: {link}: the page has no such anchor")
    return sorted(set(wrong))


if __name__ == "__main__":
    found = broken(sys.argv[1])
    print("\n".join(found))
    sys.exit(bool(found))
