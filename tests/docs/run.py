#!/usr/bin/env python3
"""Runs the console blocks of a page of the guide and compares what they print with what the page shows.

A block begins with ```console; a line beginning with "$ " is a command (continued after a backslash, and with <<WORD up
to the line WORD), what follows is its output, standard error included; "…" alone on a line stands for any lines. Commands
of one page run one after another in one folder with examples/ and graphs/ at hand.

    run.py SFG PAGE            compare
    run.py SFG PAGE --write    put what is seen into the page, to be read before it is kept
    run.py --list PAGES...     every page with console blocks is in the list of CMakeLists.txt
"""
import difflib, html, os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
BLOCK_WITH_END = re.compile(r"(?<=^```console\n)(.*?)^```\n", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"-o ([\w.-]+\.svg)\b")


def steps(block):
    """(command, shown output) of a block."""
    found = []
    lines = block.splitlines(True)
    while lines:
        command = lines.pop(0)
        if not command.startswith("$ "):
            sys.exit(f"a console block has output before its command: {command!r}")
        while command.endswith("\\\n"):
            command += lines.pop(0)
        for _, word in HERE.findall(command):
            while True:
                if not lines:
                    sys.exit(f"a here-document has no end: {command!r}")
                command += lines.pop(0)
                if command.endswith(f"\n{word}\n"):
                    break
        shown = ""
        while lines and not lines[0].startswith("$ "):
            shown += lines.pop(0)
        found.append((command, shown))
    return found


def matches(shown, seen):
    pattern = "".join(".*" if line == "…\n" else re.escape(line) for line in shown.splitlines(True))
    return re.fullmatch(pattern, seen, re.DOTALL) is not None


def unlisted(pages):
    wrong = 0
    every = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "graphs/README.md", "examples/README.md")]
    every = [page for page in every if page.exists()] + sorted((ROOT / "docs").rglob("*.md"))
    for page in every:
        text, name = page.read_text(encoding="utf-8"), page.relative_to(ROOT).as_posix()
        if BLOCK.search(text) and name not in pages:
            wrong += 1
            print(f"{name} has console blocks but is not in the list in tests/docs/CMakeLists.txt")
    return wrong > 0


class Session:
    """A folder with examples/, graphs/ and tools/ at hand, in which the commands of one page run one after another."""

    def __init__(self, sfg):
        self.environment = {"PATH": os.path.dirname(os.path.abspath(sfg)) + os.pathsep + os.environ["PATH"], "LC_ALL": "C.UTF-8"}

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        for name in ("examples", "graphs", "tools"):
            (self.folder / name).symlink_to(ROOT / name)
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def run(self, command):
        """What a command of a block, "$ " before it, prints."""
        return subprocess.run(["bash", "-c", command[2:]], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=120).stdout


def described(picture):
    """What a picture says of itself to those who do not see it: its <title>."""
    found = re.search(r"<title[^>]*>(.*?)</title>", picture.read_text(encoding="utf-8"), re.DOTALL)
    return html.unescape(found.group(1)) if found else picture.name


def main():
    if sys.argv[1] == "--list":
        return unlisted(sys.argv[2:])
    sfg, page = sys.argv[1], pathlib.Path(sys.argv[2])
    text = page.read_text(encoding="utf-8")
    wrong = 0
    with Session(sfg) as session:
        def run(match):
            nonlocal wrong
            block = ""
            for command, shown in steps(match.group(1)):
                seen = session.run(command)
                if not matches(shown, seen):
                    wrong += 1
                    print(command, end="")
                    sys.stdout.writelines(difflib.unified_diff(shown.splitlines(True), seen.splitlines(True), "the page", "seen"))
                    shown = seen
                for picture in PICTURE.findall(command) if not shown else ():
                    if not (session.folder / picture).is_file():
                        wrong += 1
                        print(f"{command}draws no {picture}")
                block += command + shown
            return block

        new = BLOCK.sub(run, text)
    if not BLOCK.search(text):
        sys.exit(f"{page} has no console block")
    if "--write" in sys.argv:
        page.write_text(new, encoding="utf-8")
        return 0
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
