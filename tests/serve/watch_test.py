"""A report that is made again when its input changes: watch_test.py SFG"""
import json, os, pathlib, sys, tempfile, time, unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from served import Served

SFG = sys.argv.pop(1)
LOOP = 'digraph {{ input="R"; output="C"; R -> e; e -> C [gain="{gain}"]; C -> e [gain="-H"]; }}'


class Watch(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.model = pathlib.Path(self.folder.name, 'loop.dot')

    def state(self, served, known=0):
        status, headers, body = served.request(path=f'/state/{known}')
        self.assertEqual(status, 200)
        self.assertIn("default-src 'none'", headers['Content-Security-Policy'])
        return json.loads(body)

    def report(self, served, state):
        return served.request(path=state['page'], token=False)[2].decode()

    def test_it_follows_the_model(self):
        self.model.write_text(LOOP.format(gain='G_one'))
        report = self.model.with_name('r.html')
        with Served(SFG, 'report', 'loop.dot', '--watch', '-o', 'r.html', '--title', 'first & last', cwd=self.folder.name) as served:
            self.assertIn(b'sfg report', served.request()[2])
            first = self.state(served)
            self.assertEqual((first['revision'], first['good'], first['input'], first['problems']), (1, True, 'loop.dot', []))
            self.assertIn('<mi>one</mi>', self.report(served, first))
            self.assertIn('<mi>one</mi>', report.read_text())
            self.assertIn('<h1>first &amp; last</h1>', report.read_text())
            self.assertNotIn('nonce', report.read_text())

            self.model.write_text(LOOP.format(gain='2*(G'))
            wrong = self.state(served, 1)
            self.assertEqual((wrong['revision'], wrong['good'], wrong['page']), (2, False, first['page']))
            problem = wrong['problems'][0]
            self.assertEqual((problem['severity'], problem['file'], problem['line']), ('error', 'loop.dot', 1))
            self.assertGreater(problem['column'], 40)
            self.assertIn('<mi>one</mi>', report.read_text(), 'the last good report stays')

            temporary = self.model.with_name('loop.dot~')
            temporary.write_text(LOOP.format(gain='G_two'))
            os.replace(temporary, self.model)            # as editors save
            again = self.state(served, 2)
            self.assertEqual((again['revision'], again['good'], again['problems']), (3, True, []))
            self.assertIn('<mi>two</mi>', self.report(served, again))
            self.assertIn('<mi>two</mi>', report.read_text())
            self.assertIn('<mi>one</mi>', self.report(served, first), 'the page that is still open')

            self.model.touch()  # nothing changes: nothing is made
            time.sleep(.7)
            self.assertEqual(served.end(), 130)
            self.assertEqual(served.said.count('r.html is written'), 2)

    def test_a_file_that_the_model_names(self):
        self.model = self.model.with_name('joined.toml')
        netlist = self.model.with_name('divider.cir')
        netlist.write_text('divider\nV1 in 0 AC 1\nR1 in out R1\nR2 out 0 R2\n.end\n')
        self.model.write_text('circuit = "divider.cir"\n[graph]\nbranches = [["v(out)", "y", "K"]]\n[analysis]\ninput = "V1"\noutput = ["y"]\n')
        with Served(SFG, 'report', str(self.model), '--watch', '--sections', 'transfer') as served:
            first = self.state(served)
            self.assertTrue(first['good'], first)
            netlist.write_text('divider\nV1 in 0 AC 1\nR1 in out R1\nR2 out 0 R_other\n.end\n')
            second = self.state(served, 1)
            self.assertIn('<mi>other</mi>', self.report(served, second))
            netlist.write_text('divider\nV1 in 0 AC 1\nR1 in out\n.end\n')
            wrong = self.state(served, 2)
            self.assertFalse(wrong['good'])
            self.assertEqual([(p['file'], p['line']) for p in wrong['problems'] if p['severity'] == 'error'][:1], [(str(netlist), 3)], wrong)
            netlist.unlink()
            self.assertFalse(self.state(served, 3)['good'])

    def test_the_wait_ends_with_the_server(self):
        self.model.write_text(LOOP.format(gain='G'))
        with Served(SFG, 'report', str(self.model), '--watch') as served:
            self.state(served)
            import threading
            waiting = threading.Thread(target=lambda: self.lost(served))
            waiting.start()
            time.sleep(.2)
            self.assertEqual(served.end(), 130)
            waiting.join(60)
            self.assertFalse(waiting.is_alive())

    def lost(self, served):
        try: served.request(path='/state/1')
        except Exception: pass

    def test_others_are_refused(self):
        self.model.write_text(LOOP.format(gain='G'))
        with Served(SFG, 'report', str(self.model), '--watch') as served:
            self.assertEqual(served.request(path='/state/0', token=False)[0], 404)
            self.assertEqual(served.request(path='/state/0', host='evil.example')[0], 403)
            self.assertEqual(served.request(path='/state/x')[0], 404)
            self.assertEqual(served.request('POST', '/ask', b'{}', {'Content-Type': 'application/json'})[0], 404)


if __name__ == '__main__': unittest.main(verbosity=1)
