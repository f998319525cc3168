#!/usr/bin/env python3
"""The documentation's site: its links lead somewhere, it fetches nothing, and what is broken is found.

    site_test.py SFG      builds the site where doxygen and python3-markdown are installed; without them only what needs neither
"""
import importlib.util, pathlib, shutil, subprocess, sys, tempfile, unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import links  # noqa: E402

SFG = sys.argv.pop() if len(sys.argv) > 1 else None
COMPLETE = SFG and shutil.which("doxygen") and importlib.util.find_spec("markdown")


class Links(unittest.TestCase):
    def broken(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                (pathlib.Path(folder) / f"{name}.html").write_text(text, encoding="utf-8")
            return links.broken(folder)

    def test_a_link_to_a_page_and_an_anchor_is_well(self):
        self.assertEqual(self.broken(a='<a href="b.html#x">b</a><a href="#y">y</a><h2 id="y">y</h2>', b='<h2 id="x">x</h2>'), [])

    def test_a_missing_page_is_found(self):
        self.assertEqual(self.broken(a='<a href="b.html">b</a>'), ["a.html: b.html: there is no such file"])

    def test_a_missing_anchor_is_found(self):
        self.assertEqual(self.broken(a='<a href="b.html#z">b</a><a href="#z">z</a>', b="<p>"),
                         ["a.html: #z: the page has no such anchor", "a.html: b.html#z: the page has no such anchor"])

    def test_a_missing_picture_is_found(self):
        self.assertEqual(self.broken(a='<img src="no.svg">'), ["a.html: no.svg: there is no such file"])

    def test_the_network_is_for_readers_to_follow_only(self):
        self.assertEqual(self.broken(a='<a href="https://example.org">there</a>'), [])
        self.assertEqual(self.broken(a='<script src="https://example.org/x.js"></script>'), ["a.html: https://example.org/x.js: would be fetched from a network"])
        self.assertEqual(self.broken(a='<img src="//example.org/x.png">'), ["a.html: //example.org/x.png: would be fetched from a network"])


class Sources(unittest.TestCase):
    def test_scripts_and_styles_name_no_network(self):
        for path in (ROOT / "docs/site").iterdir():
            if path.suffix in {".css", ".js", ".html"}:
                text = path.read_text(encoding="utf-8")
                self.assertNotIn("//", text.replace("// ", "").replace("/* ", ""), path)
                self.assertNotIn("@import", text)

    def test_every_guide_is_in_the_navigation(self):
        start = (ROOT / "docs/README.md").read_text(encoding="utf-8")
        for page in sorted((ROOT / "docs").rglob("*.md")):
            name = page.relative_to(ROOT / "docs").as_posix()
            if name != "README.md":
                self.assertIn(f"({name})", start, f"docs/README.md does not lead to {name}")


@unittest.skipUnless(COMPLETE, "needs the command, doxygen and python3-markdown")
class Site(unittest.TestCase):
    """build.py fails on any warning of Doxygen, any command of the gallery that says something else, any broken link."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        done = subprocess.run([sys.executable, ROOT / "docs/site/build.py", SFG, cls.folder.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        cls.said, cls.status = done.stdout, done.returncode
        cls.site = pathlib.Path(cls.folder.name) / "html"

    def test_it_is_built(self):
        self.assertEqual(self.status, 0, self.said)

    def test_guides_classes_and_functions_are_found_by_the_search(self):
        index = (self.site / "search_index.js").read_text(encoding="utf-8")
        for name in ('"First steps"', '"sfg::SignalFlowGraph"', '"sfg::loops"', '"An inner gain"'):
            self.assertIn(name, index)

    def test_a_page_reads_as_it_was_written(self):
        page = (self.site / "guide_first_steps.html").read_text(encoding="utf-8")
        for text in ('<h2 id="an-inner-gain">', "<b>$ sfg tf servo.dot</b>", 'href="guide_mason.html"', "K/(T*s^2 + s + K)", "</article>"):
            self.assertIn(text, page)

    def test_every_page_has_one_title_and_the_navigation(self):
        for path in self.site.glob("guide_*.html"):
            page = path.read_text(encoding="utf-8")
            self.assertEqual(page.count("<h1>"), 1, path)
            self.assertIn('<nav id="menu"', page)


if __name__ == "__main__":
    unittest.main()
