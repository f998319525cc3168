"""libsfg linked a second time, with some of its units compiled otherwise (tools/mutate, tools/coverage): its tests find it by
LD_LIBRARY_PATH. Nothing of the build is touched."""
import pathlib, posixpath, re, shlex, subprocess


class Unit:
    """What one call of the compiler makes an object of: a source, or several of a room (CMAKE_UNITY_BUILD)."""

    def __init__(self, command, object, source):
        self.command, self.object, self.source = command, object, pathlib.Path(source)
        names = re.findall(r'#include "(.*)"', self.source.read_text()) if self.source.name.startswith("unity_") else [source]
        self.sources = [pathlib.Path(name) for name in names]

    def text(self):
        return self.source.read_text() if self.source.name.startswith("unity_") else f'#include "{self.source}"\n'

    def compile(self, build, source, built, *options):
        """@returns what the compiler says where it refuses"""
        words = shlex.split(self.command.replace("-isystem /usr/include ", ""))  # beside a precompiled header only it does no harm
        words[words.index("-o") + 1], words[words.index("-c") + 1] = str(built), str(source)
        run = subprocess.run([*words, "-w", *options], cwd=build, capture_output=True, text=True)
        return "" if run.returncode == 0 else run.stderr


def commands(build):
    shown = subprocess.run(["ninja", "-C", build, "-t", "commands", "libsfg/libsfg.so"], capture_output=True, text=True, check=True)
    return shown.stdout.splitlines()


def units(build):
    matched = [(line, re.search(r" -o (\S+) -c (\S+[.](?:cpp|cxx))$", line)) for line in commands(build)]
    return [Unit(line, *part.groups()) for line, part in matched if part and "cmake_pch" not in part[2]]


def link(build, folder, instead, *options):
    """The library in that folder, with other objects instead of some."""
    last = next(line for line in reversed(commands(build)) if "-shared" in line and "-soname" in line)
    words = shlex.split(re.search(r": && (.*?) && ", last)[1])
    places = {posixpath.normpath(word): k for k, word in enumerate(words)}  # some are written with a /./
    for object, built in instead.items():
        words[places[posixpath.normpath(object)]] = str(built)
    soname = next(word for word in words if word.startswith("-Wl,-soname,")).split(",")[2]
    words[words.index("-o") + 1] = str(folder / soname)
    subprocess.run([*words, *options], cwd=build, check=True)


def programs(build):
    """The folder of the programs of tests."""
    return pathlib.Path(re.search(r"CMAKE_RUNTIME_OUTPUT_DIRECTORY:\w+=(.*)", (build / "CMakeCache.txt").read_text())[1])
