#!/usr/bin/env python3
"""The committed pictures of the guide, docs/pictures, drawn anew by the commands of the pages: of the page that shows a picture
where that draws one of its name, else of the gallery.

    pictures.py SFG            names those that differ from what is drawn now, and those that no page draws
    pictures.py SFG --write    puts the new ones in their place: look at them
"""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/docs"))
import run  # noqa: E402

KEPT = ROOT / "docs/pictures"
GALLERY = ROOT / "docs/gallery.md"


def drawn_by(sfg, page, wanted):
    """Name → content of the wanted pictures that a page's commands draw; pages that draw none are not run."""
    text = page.read_text(encoding="utf-8")
    blocks = [run.steps(block) for block in run.BLOCK.findall(text)]
    if not wanted & {name for block in blocks for command, _ in block for name in run.PICTURE.findall(command)}:
        return {}
    found = {}
    with run.Session(sfg) as session:
        for command, _ in (step for block in blocks for step in block):
            session.run(command)
            for name in wanted & set(run.PICTURE.findall(command)):
                if (session.folder / name).is_file():
                    found[name] = (session.folder / name).read_bytes()
    return found


def main():
    sfg = sys.argv[1]
    missing, fresh = {path.name for path in KEPT.glob("*.svg")}, {}
    guides = [page for page in sorted((ROOT / "docs").rglob("*.md")) if page != GALLERY]
    for page in [*guides, GALLERY]:
        shown = missing if page == GALLERY else missing & set(re.findall(r"([\w.-]+\.svg)\)", page.read_text(encoding="utf-8")))
        fresh.update(drawn_by(sfg, page, shown))
        missing -= set(fresh)
    for name, content in sorted(fresh.items()):
        if (KEPT / name).read_bytes() != content:
            print(f"{name} differs")
            if "--write" in sys.argv:
                (KEPT / name).write_bytes(content)
    for name in sorted(missing):
        print(f"{name}: no page draws it")
    return 0


sys.exit(main())
