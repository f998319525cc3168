"""The workbench as its user sees it: a graph is typed, the answer read, an error found, a file downloaded: browser_test.py SFG BROWSER

BROWSER is chromium or firefox; where it is not installed, the test is skipped (status 77)."""
import json, pathlib, sys, tempfile, time, unittest

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'browser')]
from browser import Browser
from firefox import Firefox
from served import Served

SFG, browser = sys.argv.pop(1), {'chromium': Browser, 'firefox': Firefox}[sys.argv.pop(1)]
LOOP = 'digraph {\n  input="R"; output="C";\n  R -> e;\n  e -> C [gain="G"];\n  C -> e [gain="-H"];\n}\n'


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := condition(): return result
        time.sleep(.05)
    return None


class Workbench(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(browser())
        cls.served = cls.enterClassContext(Served(SFG, 'serve'))

    def workbench(self):
        page = self.browser.page()
        self.addCleanup(page.close)
        page.open(self.served.url)
        self.assertTrue(page.wait("document.documentElement?.dataset.ready === 'yes'", 20))
        return page

    def write(self, page, text):
        page.evaluate("document.getElementById('text').focus(), document.getElementById('text').select()")
        page.type(text)

    def answers(self, page):
        return page.evaluate("[...document.querySelectorAll('#answer code')].map(e => e.textContent)")

    def test_a_graph_is_typed_and_answered(self):
        page = self.workbench()
        self.write(page, LOOP)
        self.assertTrue(page.wait("document.querySelector('#answer code')?.textContent === 'C / R = G/(1 + G*H)'", 20), self.answers(page))
        self.assertIn('no errors', page.evaluate("document.getElementById('verdict').textContent"))
        report = wait_for(lambda: (text := page.text_in_frames()) and 'Mason' in text and text)
        self.assertTrue(report, 'the report stands in the frame')

        page.evaluate("document.getElementById('text').value")
        self.write(page, LOOP.replace('"G"', '"2*(G"'))
        self.assertTrue(page.wait("document.querySelector('#numbers .error')?.textContent === '4'", 20))
        said = page.evaluate("document.querySelector('#problems .error button').textContent")
        self.assertRegex(said, r'^line 4:\d+: error: ')
        page.evaluate("document.querySelector('#problems .error button').click()")
        before = page.evaluate("document.getElementById('text').value.slice(0, document.getElementById('text').selectionStart)")
        self.assertEqual(before.count('\n'), 3)
        self.assertEqual(self.answers(page), ['C / R = G/(1 + G*H)'], 'the last good answer stays')

        self.write(page, LOOP.replace('"G"', '"K"'))
        self.assertTrue(page.wait("document.querySelector('#answer code').textContent === 'C / R = K/(1 + K*H)' || document.querySelector('#answer code').textContent === 'C / R = K/(1 + H*K)'", 20), self.answers(page))
        self.assertEqual(page.evaluate("document.querySelectorAll('#numbers .error').length"), 0)

        page.reload()
        self.assertTrue(page.wait("document.documentElement?.dataset.ready === 'yes' && document.getElementById('text').value.includes('\"K\"')", 20), 'the text survives')
        self.assertEqual(page.complaints(), [])
        asked = [url for url in page.requests() if not url.startswith(f'http://127.0.0.1:{self.served.port}/')]
        self.assertEqual(asked, [])

    def test_a_name_is_no_markup(self):
        page = self.workbench()
        name = '<img src=x onerror=alert(1)>'
        self.write(page, f'digraph {{ R -> "{name}" [gain="G"]; "{name}" -> C; }}')
        self.assertTrue(page.wait("document.querySelector('#answer code')?.textContent === 'C / R = G'", 20), self.answers(page))
        self.write(page, f'digraph {{ R -> "{name}" [gain="G(("]; "{name}" -> "</script><b>"; }}')
        self.assertTrue(page.wait("document.querySelector('#problems .error') !== null", 20))
        self.assertEqual(page.evaluate("document.querySelectorAll('#problems img, #problems b, #answer img').length"), 0)
        self.assertEqual(page.dialogs(), [])

    def test_a_report_cannot_talk_to_the_server(self):
        """Whatever a script in the frame tried, the answer would be a refusal."""
        page = self.workbench()
        self.assertTrue(page.wait("document.querySelector('#frames iframe:not(.coming)') !== null", 20))
        frame = page.evaluate("(() => { const f = document.querySelector('#frames iframe'); return [f.getAttribute('sandbox'), f.src, String(f.contentDocument)]; })()")
        self.assertEqual(frame[0], 'allow-scripts')
        self.assertNotIn(self.served.token, frame[1])
        self.assertEqual(frame[2], 'null')

    def test_examples_and_the_tab_key(self):
        page = self.workbench()
        page.evaluate("(() => { const e = document.getElementById('example'); e.value = [...e.querySelectorAll('option')].find(o => o.textContent === 'sallen_key.cir').value; e.dispatchEvent(new Event('change')); })()")
        self.assertEqual(page.evaluate("document.getElementById('format').value"), 'spice')
        self.assertTrue(page.wait("document.getElementById('verdict').textContent.startsWith('read as spice')", 20))
        page.evaluate("document.getElementById('text').focus(), document.getElementById('text').setSelectionRange(0, 0)")
        page.key('Tab')
        self.assertTrue(page.evaluate("document.getElementById('text').value.startsWith('  ')"))
        page.key('Escape')
        page.key('Tab')
        self.assertNotEqual(page.evaluate('document.activeElement.id'), 'text')

    def test_the_picture_and_the_text_are_one(self):
        """Dragged, joined, given a gain, deleted, undone, by mouse and by keys; what the text says besides stays."""
        page = self.workbench()
        text = LOOP.replace('digraph {', '// a loop\ndigraph {').replace('[gain="G"];', '[gain="G"];  // controller')
        self.write(page, text)
        place = lambda name: page.evaluate(f"(() => {{ const n = picture.element({{ node: {json.dumps(name)} }}); if (!n) return null; const r = n.querySelector('circle').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()")
        now = lambda: page.evaluate("document.getElementById('text').value")
        chosen = lambda: page.evaluate("JSON.stringify(picture.choice)")
        self.assertTrue(wait_for(lambda: place('e') and page.evaluate("picture.graph.branches.length") == 3 and page.evaluate("picture.graph.branches[1].gain") == 'G'))
        press = lambda at: page.click(*at)

        at, goal = place('e'), [place('e')[0] + 30, place('e')[1] + 40]
        others = {name: place(name) for name in 'RC'}
        page.drag([at, goal])
        self.assertTrue(wait_for(lambda: now().count('pos=') == 3), now())
        self.assertTrue(wait_for(lambda: abs(place('e')[0] - goal[0]) + abs(place('e')[1] - goal[1]) < 4), (place('e'), goal))
        for name, was in others.items(): self.assertLess(abs(place(name)[0] - was[0]) + abs(place(name)[1] - was[1]), 4, name)

        at, goal = place('e'), [place('e')[0] - 25, place('e')[1] - 35]
        page.drag([at, [at[0] - 10, at[1] - 15], goal], touch=True)
        self.assertTrue(wait_for(lambda: abs(place('e')[0] - goal[0]) + abs(place('e')[1] - goal[1]) < 4), (place('e'), goal))
        page.key('z', control=True)
        self.assertTrue(wait_for(lambda: abs(place('e')[0] - at[0]) + abs(place('e')[1] - at[1]) < 4), (place('e'), at))

        press(place('C'))
        self.assertTrue(wait_for(lambda: chosen() == '{"node":"C"}'), chosen())
        press(place('R'))
        self.assertTrue(wait_for(lambda: chosen() == '{"branch":3}' and page.evaluate("document.activeElement.id") == 'gain'), chosen())
        typed = page.evaluate("(document.getElementById('gain').value = '7*q(', draw(question()).then(() => document.getElementById('gain').value))")
        self.assertEqual(typed, '7*q(', 'a picture that follows leaves what is typed')
        page.key('Enter')
        refused = "document.getElementById('state').textContent.startsWith('not changed: ')"
        self.assertTrue(page.wait(refused, 20))
        self.assertTrue(page.evaluate(f"report({{ ...question(), sections }}, () => false).then(() => {refused})"), 'so does a report')
        page.evaluate("document.getElementById('gain').focus(), document.getElementById('gain').value = '7*q'")
        page.key('Enter')
        self.assertTrue(wait_for(lambda: 'C -> R [gain="7*q"];' in now()), now())
        page.evaluate("picture.element({ branch: 3 }).focus()")
        page.key('Delete')
        self.assertTrue(wait_for(lambda: 'q' not in now()), now())
        page.evaluate("document.getElementById('undo').click()")
        self.assertTrue(wait_for(lambda: '7*q' in now()), now())
        for _ in range(4):
            page.evaluate("document.getElementById('undo').click()")
            time.sleep(.3)
            if now() == text: break
        self.assertEqual(now(), text)

        self.assertTrue(wait_for(lambda: page.evaluate("picture.graph.branches.length") == 3))
        page.evaluate("picture.choose(null), picture.element({ node: 'e' }).focus()")
        page.key('Enter')
        self.assertTrue(wait_for(lambda: chosen() == '{"node":"e"}'))
        page.key('Delete')
        self.assertTrue(wait_for(lambda: 'controller' in now() and '->' not in now()), now())
        self.assertIn('// a loop', now())
        self.assertEqual(page.complaints(), [])

    def test_a_model_is_shown_and_becomes_a_graph(self):
        page = self.workbench()
        page.evaluate("(() => { const e = document.getElementById('example'); e.value = [...e.querySelectorAll('option')].find(o => o.textContent === 'two_masses.toml').value; e.dispatchEvent(new Event('change')); })()")
        self.assertTrue(page.wait("!document.getElementById('as-graph').hidden && picture.places.size > 3", 20))
        self.assertTrue(page.evaluate("document.getElementById('new-node').disabled"))
        page.evaluate("document.getElementById('as-graph').click()")
        self.assertTrue(page.wait("document.getElementById('text').value.includes('digraph') && document.getElementById('as-graph').hidden", 20))
        self.assertEqual(page.evaluate("document.getElementById('format').value"), 'dot')

    def test_a_download(self):
        page = self.workbench()
        path = pathlib.Path(self.browser.downloads(), 'loop_graph.json')
        self.write(page, LOOP)
        page.evaluate("document.getElementById('name').value = 'loop', document.getElementById('kind').value = 'graph.json', document.querySelector('#download button').click()")
        self.assertTrue(page.wait("document.getElementById('state').textContent === 'loop_graph.json is downloaded'", 20), page.evaluate("document.getElementById('state').textContent"))
        self.assertTrue(wait_for(lambda: path.exists() and path.stat().st_size > 0))
        self.assertEqual(json.loads(path.read_text())['schema'], 'sfg/graph/1')


class WatchedPage(unittest.TestCase):
    def test_the_page_follows_and_keeps_its_place(self):
        with browser() as one, tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder, 'loop.dot')
            model.write_text(LOOP)
            with Served(SFG, 'report', str(model), '--watch') as served:
                page = one.page(size=(900, 400))
                page.open(served.url)
                self.assertTrue(wait_for(lambda: 'Mason' in page.text_in_frames()))
                first = page.evaluate("document.querySelector('#frames iframe').src")
                model.write_text(LOOP.replace('"G"', '"2*(G"'))
                self.assertTrue(page.wait("document.querySelector('#problems .error') !== null", 20))
                self.assertIn('loop.dot:4:', page.evaluate("document.querySelector('#problems .error').textContent"))
                self.assertEqual(page.evaluate("document.querySelector('#frames iframe').src"), first, 'the last good report stays')
                self.assertTrue(page.wait("document.querySelector('#frames iframe:not(.coming)') !== null", 20), 'the report has been loaded')
                page.evaluate("document.querySelector('#frames iframe').contentWindow.postMessage({ scroll: [0, 150] }, '*')")
                self.assertTrue(page.wait("scrolled[1] === 150", 20), page.evaluate("String(scrolled)"))
                model.write_text(LOOP.replace('"G"', '"Quux"'))
                self.assertTrue(wait_for(lambda: 'Quux' in page.text_in_frames()), page.text_in_frames())
                self.assertEqual(page.evaluate("document.querySelectorAll('#problems li').length"), 0)
                self.assertTrue(page.wait("scrolled[1] === 150", 20), page.evaluate("String(scrolled)"))
                self.assertEqual(page.complaints(), [])


if __name__ == '__main__': unittest.main(verbosity=1)
