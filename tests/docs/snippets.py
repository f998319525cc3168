#!/usr/bin/env python3
"""One C++ source of every ```cpp block of the pages, to be compiled: what the guide shows is what the library has.

    snippets.py OUTPUT PAGES...
    snippets.py --program OUTPUT PAGE     the page's one program as it stands, to be run

A block with main() is a program, in a namespace of its own here. Any other becomes a function whose parameters are what the pages
speak of without declaring it: a graph, a question, a stream. #include lines of a block go to the top. Messages of the compiler
name the page and its line.
"""
import pathlib, re, sys

BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GIVEN = "const sfg::SignalFlowGraph& graph, const sfg::Question& question, std::ostream& out"
HEAD = ["sfg/sfg.hpp", "sfg/draw/graphviz.hpp", "sfg/read/dot.hpp", "sfg/read/input.hpp", "sfg/write/graph.hpp", "fstream", "iostream"]


def functions(page):
    """(includes, function) of each block of a page."""
    text = page.read_text(encoding="utf-8")
    for number, block in enumerate(BLOCK.finditer(text)):
        line = text.count("\n", 0, block.start(1)) + 1
        name = re.sub(r"\W", "_", f"{page.stem}_{number}")
        includes = re.findall(r"^#include.*$", block.group(1), re.MULTILINE)
        body = re.sub(r"^#include.*$", "", block.group(1), flags=re.MULTILINE)
        if "int main(" in body:
            yield includes, f'namespace {name} {{\n#line {line} "{page.as_posix()}"\n{body}}}\n'
            continue
        yield includes, f'void {name}([[maybe_unused]] {GIVEN.replace(", ", ", [[maybe_unused]] ")}) {{\n#line {line} "{page.as_posix()}"\n{body}}}\n'


def program(output, page):
    found = [block.group(1) for block in BLOCK.finditer(pathlib.Path(page).read_text(encoding="utf-8")) if "int main(" in block.group(1)]
    if len(found) != 1:
        sys.exit(f"{page} has {len(found)} programs where one is meant")
    pathlib.Path(output).write_text(found[0], encoding="utf-8")


def main():
    if sys.argv[1] == "--program":
        return program(*sys.argv[2:])
    found = [item for page in sys.argv[2:] for item in functions(pathlib.Path(page))]
    if not found:
        sys.exit("no page has a C++ block")
    includes = [f"#include <{name}>" for name in HEAD] + sorted({line for lines, _ in found for line in lines})
    text = "\n".join(includes) + "\n\nnamespace {\n\n" + "\n".join(function for _, function in found) + "\n}  // namespace\n"
    pathlib.Path(sys.argv[1]).write_text(text, encoding="utf-8")


main()
