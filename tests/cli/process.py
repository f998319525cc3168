#!/usr/bin/env python3
"""What the command does as a process: signals, limits, closed pipes, full disks, terminals. process.py SFG"""
import json, os, pathlib, pty, re, signal, subprocess, sys, tempfile, time, unittest

import schemas

SFG = os.path.abspath(sys.argv.pop(1))


def complete(nodes):
    """A complete graph: far more paths and loops than anyone can list."""
    branches = [f'x{i} -> x{j} [gain="a{i}_{j}"];' for i in range(nodes) for j in range(nodes) if i != j]
    return "digraph { u -> x0; x1 -> y; " + " ".join(branches) + " }"


class Process(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file("long.dot", complete(14))
        self.file("short.dot", 'digraph { a -> b [gain="1/(1+s)"]; }')
        self.file("bad.dot", 'digraph { a -> b [gain="1/(1+s"]; }')

    def file(self, name, text):
        (pathlib.Path(self.folder.name) / name).write_text(text)

    def files(self):
        return sorted(os.listdir(self.folder.name))

    def start(self, *words, **options):
        return subprocess.Popen([SFG, *words], cwd=self.folder.name, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def run_to_end(self, *words, **options):
        process = self.start(*words, **options)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    LONG = ("mason", "long.dot", "--max-terms", "1000000000000", "-o", "answer.txt")

    @staticmethod
    def catches(process, number):
        """Whether the process has a handler of the signal by now."""
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        return int(re.search(r"^SigCgt:\s*(\w+)", status, re.MULTILINE)[1], 16) >> number - 1 & 1

    def interrupted(self, number):
        before = self.files()
        process = self.start(*self.LONG)
        while not self.catches(process, number) and process.poll() is None: time.sleep(0.01)
        self.assertIsNone(process.poll(), "the work must be long enough to be interrupted")
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertEqual(out, "")
        self.assertIn("interrupted", err)
        self.assertEqual(self.files(), before)
        return process.returncode

    def test_interrupt_stops_and_leaves_no_file(self):
        self.assertEqual(self.interrupted(signal.SIGINT), 130)

    def test_termination_does_the_same(self):
        self.assertEqual(self.interrupted(signal.SIGTERM), 143)

    def test_time_limit(self):
        status, out, err = self.run_to_end(*self.LONG, "--time-limit", "1", "--json")
        self.assertEqual(status, 4, err)
        self.assertIn("--time-limit", err)
        self.assertEqual(json.loads(out)["error"]["kind"], "limit")
        self.assertEqual(schemas.problems_of(json.loads(out))[0], [])
        self.assertNotIn("answer.txt", self.files())

    def test_memory_limit(self):
        status, out, err = self.run_to_end(*self.LONG, "--memory-limit", "30")
        self.assertEqual(status, 4, err)
        self.assertIn("--memory-limit", err)
        self.assertNotIn("answer.txt", self.files())

    def test_reader_that_goes_away_is_no_error_to_speak_of(self):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([SFG, "tf", "short.dot"], cwd=self.folder.name, stdout=write, stderr=subprocess.PIPE, text=True)
        os.close(write)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, -signal.SIGPIPE)

    def test_full_disk(self):
        for words in (["-o", "/dev/full"], []):
            with open("/dev/full", "w") as full:
                done = subprocess.run([SFG, "tf", "short.dot", *words], cwd=self.folder.name, stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 3)
            self.assertIn("No space left on device", done.stderr)

    def test_file_is_replaced_whole_with_its_mode_and_through_a_link(self):
        self.file("answer.txt", "old\n")
        path = pathlib.Path(self.folder.name) / "answer.txt"
        path.chmod(0o600)
        link = pathlib.Path(self.folder.name) / "link.txt"
        link.symlink_to("answer.txt")
        status, out, err = self.run_to_end("tf", "bad.dot", "-o", "link.txt")
        self.assertEqual((status, path.read_text()), (3, "old\n"))
        status, out, err = self.run_to_end("tf", "short.dot", "-o", "link.txt")
        self.assertEqual((status, out, err), (0, "", ""))
        self.assertTrue(link.is_symlink())
        self.assertIn("1/(s + 1)", path.read_text())
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.files(), ["answer.txt", "bad.dot", "link.txt", "long.dot", "short.dot"])

    def on_terminal(self, *words, **more):
        """What a terminal gets on standard error."""
        master, slave = pty.openpty()
        process = subprocess.Popen([SFG, *words], cwd=self.folder.name, stdout=subprocess.DEVNULL, stderr=slave, env={**os.environ, **more})
        os.close(slave)
        text = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:
                break
            if not part:
                break
            text += part
        process.wait()
        os.close(master)
        return text.decode()

    def test_colours_only_on_a_terminal_and_where_wanted(self):
        self.assertIn("\033[1;31m", self.on_terminal("tf", "bad.dot", NO_COLOR=""))
        self.assertNotIn("\033", self.on_terminal("tf", "bad.dot", NO_COLOR="1"))
        self.assertNotIn("\033", self.on_terminal("tf", "bad.dot", "--no-color"))
        self.assertNotIn("\033", self.run_to_end("tf", "bad.dot")[2])

    def test_progress_after_a_second_on_a_terminal(self):
        self.assertRegex(self.on_terminal(*self.LONG, "--time-limit", "3"), r"sfg mason: listing paths and loops, \d+ s")
        self.assertNotIn("listing", self.on_terminal(*self.LONG, "--time-limit", "2", "--quiet"))


unittest.main()
