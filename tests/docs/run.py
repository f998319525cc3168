#!/usr/bin/env python3
"""Runs the console blocks of a page of the guide and compares what they print with what the page shows.

A block begins with ```console; a line beginning with "$ " is a command (continued after a backslash, and with <<WORD up
to the line WORD), what follows is its output, standard error included; "…" alone on a line stands for any lines. Commands
of one page run one after another in one folder with examples/ and graphs/ at hand.

    run.py SFG PAGE            compare
    run.py SFG PAGE --write    put what is seen into the page, to be read before it is kept
    run.py --list PAGES...     every page with console blocks is in the list of CMakeLists.txt
"""
import difflib, os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)


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


def main():
    if sys.argv[1] == "--list":
        return unlisted(sys.argv[2:])
    sfg, page = sys.argv[1], pathlib.Path(sys.argv[2])
    text = page.read_text(encoding="utf-8")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("examples", "graphs"):
            (pathlib.Path(folder) / name).symlink_to(ROOT / name)
        environment = {"PATH": os.path.dirname(os.path.abspath(sfg)) + os.pathsep + os.environ["PATH"], "LC_ALL": "C.UTF-8"}

        def run(match):
            nonlocal wrong
            block = ""
            for command, shown in steps(match.group(1)):
                done = subprocess.run(["bash", "-c", command[2:]], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=120)
                if not matches(shown, done.stdout):
                    wrong += 1
                    print(command, end="")
                    sys.stdout.writelines(difflib.unified_diff(shown.splitlines(True), done.stdout.splitlines(True), "the page", "seen"))
                    shown = done.stdout
                block += command + shown
            return block

        new = BLOCK.sub(run, text)
    if not BLOCK.search(text):
        sys.exit(f"{page} has no console block")
    if "--write" in sys.argv:
        page.write_text(new, encoding="utf-8")
        return 0
    return wrong > 0


sys.exit(main())
