#!/usr/bin/env python3
"""Builds the documentation: guides, pages that the toolkit itself makes, and Doxygen's pages of the API, as one site.

    build.py SFG FOLDER            the site in FOLDER/html; FOLDER/pages is what Doxygen was given
    build.py SFG FOLDER --pages    the pages alone, without Doxygen: quick, to see what one writes

Needs python3-markdown and, without --pages, doxygen. Any warning of Doxygen and any broken link is an error.
"""
import html, json, os, pathlib, shutil, subprocess, sys

import api, links, pages

ROOT = pages.ROOT
sys.path.insert(0, str(ROOT / "tests/docs"))
import run  # noqa: E402  the console blocks of pages


def with_pictures(text, sfg, html_folder):
    """Runs the blocks of a page; what they draw follows them."""
    with run.Session(sfg) as session:
        def block(match):
            drawn = ""
            for command, shown in run.steps(match.group(1)):
                seen = session.run(command)
                if not run.matches(shown, seen):
                    sys.exit(f"docs/site: {command}says\n{seen}instead of\n{shown}")
                for picture in run.PICTURE.findall(command):
                    kept = "gallery_" + picture
                    shutil.copy(session.folder / picture, html_folder / kept)
                    drawn += f'\n<p><img alt="{html.escape(run.described(session.folder / picture), quote=True)}" src="{kept}"></p>\n'
            return f"{match.group(1)}```\n{drawn}"
        return run.BLOCK_WITH_END.sub(block, text)


def woven(sfg, folder):
    """The pages of docs with the answers in the place of their fences, by sfg weave itself; formulas as MathML."""
    run_it = subprocess.run([sfg, "weave", "docs", "-o", folder, "--as", "html", "--quiet"], cwd=ROOT, capture_output=True, encoding="utf-8")
    if run_it.returncode != 0:
        sys.exit(f"docs/site: sfg weave is not content:\n{run_it.stderr}")


def staged(sfg, folder, html_folder):
    """Writes every page for Doxygen; returns what the search knows of them."""
    weaving = folder.parent / "woven"
    woven(sfg, weaving)
    linked, entries, bodies = set(), [], {}
    for path in pages.sources():
        page = weaving / path.removeprefix("docs/")
        text = (page if path.startswith("docs/") else ROOT / path).read_text(encoding="utf-8")
        if pages.MADE in text:
            text = with_pictures(text, sfg, html_folder)
        body = pages.converted(text, path, linked)
        bodies[pages.name(path)] = (pages.title(path), f"<h1>{html.escape(pages.title(path))}</h1>" + pages.contents(body) + body)
        entries.append([pages.title(path), pages.name(path) + ".html", "page"])
        for anchor, heading in pages.headings(body):
            entries.append([heading, f"{pages.name(path)}.html#{anchor}", pages.title(path)])
    waiting = sorted(linked)
    while waiting:
        path = waiting.pop()
        if path.endswith((".svg", ".png")):
            for file in (ROOT / path, weaving / path.removeprefix("docs/")):
                if file.is_file():
                    shutil.copy(file, html_folder)
            continue
        if pages.name(path) not in bodies:
            body, further = pages.of_file(path)
            waiting += further
            bodies[pages.name(path)] = (path, f"<h1>{html.escape(path)}</h1>" + body)
            entries.append([path, pages.name(path) + ".html", "file"])
    for name, (title, body) in bodies.items():
        (folder / f"{name}.dox").write_text(pages.for_doxygen(name, title, body), encoding="utf-8")
    return entries


def framed(folder):
    """Doxygen's header and footer with our navigation between them."""
    text = (ROOT / pages.START).read_text(encoding="utf-8")
    for part in ("header.html", "footer.html"):
        frame = (ROOT / "docs/site" / part).read_text(encoding="utf-8").replace("@NAVIGATION@", pages.navigation(text))
        (folder / part).write_text(frame, encoding="utf-8")
    shutil.copy(ROOT / "docs/site/rooms.dox", folder)


def doxygen(folder, staging):
    settings = (ROOT / "docs/Doxyfile").read_text(encoding="utf-8")
    settings += f'\nINPUT = libsfg/sfg "{staging}"\nSTRIP_FROM_PATH += "{folder}"\nOUTPUT_DIRECTORY = "{folder}"\nGENERATE_TAGFILE = "{folder}/tags.xml"\n'
    settings += f'HTML_HEADER = "{staging}/header.html"\nHTML_FOOTER = "{staging}/footer.html"\n'
    done = subprocess.run(["doxygen", "-"], input=settings, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
    if done.returncode != 0 or done.stderr:
        sys.exit(f"docs/site: Doxygen is not content:\n{done.stderr}")


def main():
    sfg, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    site, staging = folder / "html", folder / "pages"
    for each in (site, staging):
        shutil.rmtree(each, ignore_errors=True)
        each.mkdir(parents=True)
    entries = staged(os.path.abspath(sfg), staging, site)
    framed(staging)
    if "--pages" in sys.argv:
        print(f"{staging}: {len(entries)} pages and headings, not yet a site")
        return 0
    doxygen(folder, staging)
    api.tidied(site)
    api.functions_by_header(site, folder / "tags.xml")
    entries += api.names(folder / "tags.xml")
    (site / "search_index.js").write_text("const searched = " + json.dumps(entries, ensure_ascii=False).replace("</", "<\\/") + ";\n", encoding="utf-8")
    for extra in ("search.js", "style.css"):
        shutil.copy(ROOT / "docs/site" / extra, site)
    broken = links.broken(site)
    print("\n".join(broken))
    pictures = len(list(site.glob("*.svg")))
    print(f"{site}/index.html: {len(list(site.glob('*.html')))} pages, {pictures} pictures, {len(entries)} names to search, {len(broken)} broken links")
    return len(broken) > 0


if __name__ == "__main__":
    sys.exit(main())
