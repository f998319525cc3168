"""A report in a browser, used as a reader uses it: every path, loop and set pressed, every branch by mouse and by keyboard, in
light, in the dark, on a narrow screen, on paper and without scripts. What must light up is found here from `sfg graph` and
`sfg mason`, not from the page.

    report_walk.py SFG INPUT…
"""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

from browser import Browser

# What the reader sees: the lit branches, nodes and terms, and the pressed controls.
SEEN = """() => {
  const all = s => [...document.querySelectorAll(s)];
  const transfer = e => { const h = e.closest('[data-transfer]'); return h && h.getAttribute('data-transfer'); };
  return {
    branches: all('#graph g.branch.on').map(g => +g.getAttribute('data-branch')).sort((a, b) => a - b),
    nodes: all('#graph g.node.on').map(g => g.getAttribute('data-node')).sort(),
    terms: all('[data-terms].on').map(e => [e.getAttribute('data-terms'), transfer(e)]),
    pressed: all('button[aria-pressed=true]').map(b => [b.getAttribute('data-path') || '', b.getAttribute('data-loop') || '',
      b.getAttribute('data-set') || '', transfer(b)]),
    held: all('#graph g.branch[aria-pressed=true]').map(g => +g.getAttribute('data-branch')),
    said: document.querySelector('p.said').textContent,
    touching: document.querySelector('p.said').getAttribute('data-touching') };
}"""
TERMS = """() => [...document.querySelectorAll('[data-terms]')].map(e => { const h = e.closest('[data-transfer]');
  return [e.getAttribute('data-terms'), h && h.getAttribute('data-transfer')]; })"""
DELTAS = """() => [...document.querySelectorAll('[data-delta]')].map(e => { const h = e.closest('[data-transfer]');
  return [e.getAttribute('data-delta'), h && h.getAttribute('data-transfer'),
    [...e.querySelectorAll('[data-terms]')].map(t => t.getAttribute('data-terms')).sort()]; })"""
CONTROLS = """() => [...document.querySelectorAll('button[data-path], button[data-loop], button[data-set]')].map(b => {
  const h = b.closest('[data-transfer]'), kind = ['path', 'loop', 'set'].find(k => b.hasAttribute('data-' + k));
  return [kind, b.getAttribute('data-' + kind), kind === 'path' ? h && h.getAttribute('data-transfer') : null]; })"""
PRESS = """n => document.querySelectorAll('button[data-path], button[data-loop], button[data-set]')[n].click()"""
# A place where a branch can be hit by the mouse, on its course and with nothing above it; once the page stands still.
PLACE = """async i => {
  const g = [...document.querySelectorAll('#graph g.branch')].find(b => +b.getAttribute('data-branch') === i);
  g.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const path = g.querySelector('path.branch'), length = path.getTotalLength();
  const place = () => {
    for (const part of [.5, .3, .7, .2, .8, .4, .6]) {
      const at = path.getPointAtLength(length * part).matrixTransform(path.getScreenCTM()), hit = document.elementFromPoint(at.x, at.y);
      if (hit && hit.closest('g.branch') === g) return [at.x, at.y];
    }
    return null;
  };
  for (let before = null, k = 0; k < 40; ++k) {
    await new Promise(done => setTimeout(done, 30));
    const now = place();
    if (now && before && now[0] === before[0] && now[1] === before[1]) return now;
    before = now;
  }
  return null; }"""
# What is wider than its place: the page itself, and on paper whatever would be cut.
WIDE = """() => [document.documentElement.scrollWidth > innerWidth ? ['the page'] : [],
  [...document.querySelectorAll('body *')].filter(e => !(e instanceof SVGElement) && e.checkVisibility() &&
    getComputedStyle(e).overflowX !== 'visible' && e.clientWidth > 3 && e.scrollWidth > e.clientWidth + 1).map(e => e.outerHTML.slice(0, 80)),
  [...document.querySelectorAll('math, svg, pre')].filter(e => e.checkVisibility() &&
    e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(e => e.outerHTML.slice(0, 80))]"""


class Walk:
    """One input, its report, and what belongs together in it."""

    def __init__(self, command, path, folder):
        self.faults, self.name = [], path.name
        run = lambda *words: json.loads(subprocess.run([command, *words, "--json"], check=True, capture_output=True).stdout)
        graph = run("graph", str(path))
        self.branches = [(b["from"], b["to"]) for b in graph["branches"]]
        tails, heads = {a for a, _ in self.branches}, {b for _, b in self.branches}
        names = [n["name"] if isinstance(n, dict) else n for n in graph["nodes"]]
        inputs = graph["inputs"] or [n for n in names if n not in heads and n in tails]
        outputs = graph["outputs"] or [n for n in names if n in heads and n not in tails]
        self.things, self.deltas = {}, {}
        for source, sink in itertools.product(inputs, outputs):
            mason = run("mason", str(path), "--from", source, "--to", sink)
            transfer = f"{sink}/{source}"
            loops = [set(loop["nodes"]) for loop in mason["loops"]]
            for k, found in enumerate(mason["paths"]):
                self.things["path", str(k + 1), transfer] = (self.course(found["nodes"], False), [f"P{k + 1}"])
            for k, loop in enumerate(mason["loops"]):
                self.things["loop", str(k + 1), None] = (self.course(loop["nodes"], True), [f"L{k + 1}"])
            sets = [[k] for k in range(len(loops))] + mason["nontouching"]
            for group in mason["nontouching"]:
                courses = [self.things["loop", str(k + 1), None][0] for k in group]
                both = tuple(sorted(set().union(*(c[i] for c in courses))) for i in (0, 1))
                self.things["set", ",".join(str(k + 1) for k in group), None] = (both, [f"L{k + 1}" for k in group])
            words = lambda which: sorted(" ".join(f"L{k + 1}" for k in group) for group in which)
            self.deltas["0", None] = words(sets)
            for k, found in enumerate(mason["paths"]):
                apart = [s for s in sets if not any(loops[i] & set(found["nodes"]) for i in s)]
                self.deltas[str(k + 1), transfer] = words(apart)
        self.file = folder / (path.stem + ".html")
        subprocess.run([command, "report", str(path), "--quiet", "-o", str(self.file)], check=True)

    def course(self, nodes, closed):
        pairs = set(itertools.pairwise(nodes + nodes[:1] if closed else nodes))
        return [i for i, ends in enumerate(self.branches) if ends in pairs], sorted(set(nodes))

    def expect(self, what, holds):
        if not holds:
            self.faults.append(f"{self.name}: {what}")

    def reached(self, page, what, pressed, held=()):
        """Exactly what belongs to the pressed things is lit, and they are shown as pressed."""
        seen, courses = page.call(SEEN), [self.things[thing] for thing in pressed]
        self.expect(f"{what}: branches {seen['branches']}",
                    seen["branches"] == sorted(set(held).union(*(c[0][0] for c in courses))))
        self.expect(f"{what}: nodes {seen['nodes']}", seen["nodes"] == sorted(set().union(*(c[0][1] for c in courses))))
        needs = [(set(self.things[thing][1]), thing[2]) for thing in pressed]
        lit = [t for t in self.terms if any(n <= set(t[0].split()) and (k is None or k == t[1]) for n, k in needs)]
        self.expect(f"{what}: terms {seen['terms']}", sorted(map(str, seen["terms"])) == sorted(map(str, lit)))
        labels = {(p or l or s, "path" if p else "loop" if l else "set", t if p else None) for p, l, s, t in seen["pressed"]}
        self.expect(f"{what}: pressed {labels}", labels == {(number, kind, transfer) for kind, number, transfer in pressed})
        self.expect(f"{what}: branches pressed {seen['held']}", seen["held"] == sorted(held))
        return seen

    def controls(self, page):
        listed = [tuple(c) for c in page.call(CONTROLS)]
        self.expect(f"controls {listed}", sorted(map(str, listed)) == sorted(map(str, self.things)))
        found = {(number, transfer): terms for number, transfer, terms in page.call(DELTAS)}
        self.expect(f"determinants {found}", found == self.deltas)
        self.terms = page.call(TERMS)
        for n, thing in enumerate(listed):
            page.call(PRESS, n)
            self.reached(page, f"{thing} pressed", [thing])
            page.call(PRESS, n)
            self.reached(page, f"{thing} again", [])
        loops = [n for n, thing in enumerate(listed) if thing[0] == "loop"]
        for a, b in itertools.islice(itertools.combinations(loops, 2), 40):
            page.call(PRESS, a)
            page.call(PRESS, b)
            seen = self.reached(page, "two loops", [listed[a], listed[b]])
            shared = set(self.things[listed[a]][0][1]) & set(self.things[listed[b]][0][1])
            self.expect(f"touching: {seen['touching']}", seen["touching"] == ("yes" if shared else "no"))
            self.expect(f"said: {seen['said']}", all(node in seen["said"] for node in shared))
            page.key("Escape")
            seen = self.reached(page, "Escape", [])
            self.expect("touching still said", seen["touching"] is None and not seen["said"])

    def pressed_branches(self, page):
        for i in range(len(self.branches)):
            users = [t for t, (course, _) in self.things.items() if t[0] != "set" and i in course[0]]
            place = page.call(PLACE, i)
            self.expect(f"branch {i} cannot be hit", place is not None)
            if place:
                page.click(*place)
                self.reached(page, f"branch {i} by mouse", users, [i])
                page.click(*(page.call(PLACE, i) or place))
                self.reached(page, f"branch {i} by mouse again", [])
            for key in ("Enter", " "):
                page.call("i => document.querySelectorAll('#graph g.branch')[i].focus()", i)
                page.key(key)
                index = page.call("i => +document.querySelectorAll('#graph g.branch')[i].getAttribute('data-branch')", i)
                users = [t for t, (course, _) in self.things.items() if t[0] != "set" and index in course[0]]
                self.reached(page, f"branch {index} by {key!r}", users, [index])
                page.key("Escape")

    def widths(self, browser):
        for width in (1280, 400):
            page = browser.page(size=(width, 900))
            page.open(self.file.as_uri())
            self.expect(f"sideways at {width}", not page.call(WIDE)[0])
        page = browser.page(size=(672, 1000))
        page.media("print", "dark")
        page.open(self.file.as_uri())
        for fault in sum(page.call(WIDE), []):
            self.expect(f"on paper: {fault}", False)
        background = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        self.expect(f"paper is {background}", background == "rgb(255, 255, 255)")
        pictures = page.evaluate("[...document.querySelectorAll('svg rect.paper')].map(r => getComputedStyle(r).fill)")
        self.expect(f"pictures on {set(pictures)}", set(pictures) <= {"rgb(255, 255, 255)"})

    def without_scripts(self, browser):
        text = "[...document.querySelectorAll('section')].map(s => s.innerText.replace(/\\s+/g, ' ')).join()"
        page = browser.page()
        page.open(self.file.as_uri())
        told = page.evaluate(text)
        page.scripts(False)
        page.open(self.file.as_uri())
        self.expect("without scripts the text is another one", page.evaluate(text) == told)

    def copies(self, browser):
        page = browser.page(prelude="window.copied = []; Object.defineProperty(navigator, 'clipboard', { value: undefined });"
                                    "document.execCommand = () => copied.push(document.activeElement.value) > 0;")
        page.open(self.file.as_uri())
        values = page.evaluate("[...document.querySelectorAll('button[data-copy]')].map(b => (b.click(), b.value))")
        self.expect("copies", page.evaluate("copied") == values)
        if values:
            self.expect("copied, but not said", page.wait("document.querySelector('p.told').textContent.startsWith('Copied')"))

    def run(self, browser):
        page = browser.page()
        page.open(self.file.as_uri())
        self.controls(page)
        self.pressed_branches(page)
        self.widths(browser)
        self.without_scripts(browser)
        self.copies(browser)
        self.expect(f"asked for {page.requests()}", not page.requests())
        self.expect(f"complaints: {page.complaints()}", not page.complaints())
        return self.faults


def main():
    command, inputs = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        faults = [f for path in inputs for f in Walk(command, pathlib.Path(path), pathlib.Path(folder)).run(browser)]
    print("\n".join(faults[:40]) or "every report is as its derivation says")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
