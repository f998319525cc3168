#!/usr/bin/env python3
"""Completion: every shell that is installed takes its file, and bash and fish complete verbs, options and choices. completion.py SFG"""
import os, pathlib, shutil, subprocess, sys, tempfile, unittest

SFG = os.path.abspath(sys.argv.pop(1))


def run(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, timeout=60, **options)


class Completion(unittest.TestCase):
    def text(self, shell):
        made = run(SFG, "completion", shell)
        self.assertEqual(made.returncode, 0, made.stderr)
        return made.stdout

    def need(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed")

    def test_syntax(self):
        for shell in ("bash", "zsh", "fish"):
            with self.subTest(shell):
                text = self.text(shell)
                if shutil.which(shell):
                    read = run(shell, "-n", "/dev/stdin", input=text)
                    self.assertEqual((read.returncode, read.stderr), (0, ""))

    def test_without_a_shell_it_is_for_bash(self):
        self.assertEqual(run(SFG, "completion").stdout, self.text("bash"))
        self.assertEqual(run(SFG, "completion", "tcsh").returncode, 2)

    def test_bash_completes(self):
        def completed(*words):
            line = " ".join(f"'{word}'" for word in words)
            script = self.text("bash") + f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _sfg; echo \"${{COMPREPLY[@]}}\""
            return run("bash", "-c", script).stdout.split()
        self.assertEqual(completed("sfg", "ny"), ["nyquist"])
        self.assertIn("--form", completed("sfg", "tf", "x.dot", "--fo"))
        self.assertIn("factored", completed("sfg", "tf", "x.dot", "--form", ""))
        self.assertIn("toml", completed("sfg", "tf", "x", "--format", "t"))
        self.assertNotIn("--json", completed("sfg", "draw", "--"))

    def test_fish_completes(self):
        self.need("fish")

        def completed(line):
            with tempfile.TemporaryDirectory() as home:
                script = pathlib.Path(home, "sfg.fish")
                script.write_text(self.text("fish") + f"\ncomplete -C '{line}'")
                return [word.split("\t")[0] for word in run("fish", "-N", str(script), env={**os.environ, "HOME": home}).stdout.splitlines()]
        self.assertIn("nyquist", completed("sfg ny"))
        self.assertIn("--form", completed("sfg tf x.dot --fo"))
        self.assertIn("factored", completed("sfg tf x.dot --form "))

    def test_zsh_defines_the_function(self):
        self.need("zsh")
        made = run("zsh", "-f", "-c", "autoload -Uz compinit; compinit -u -D; source /dev/stdin; (( $+functions[_sfg] )) && print $_comps[sfg]",
                   input=self.text("zsh"))
        self.assertEqual((made.stdout.strip(), made.stderr), ("_sfg", ""))


if __name__ == "__main__":
    unittest.main()
