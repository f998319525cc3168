#!/usr/bin/env python3
"""What is installed, and what is packed.

    installed_test.py install BUILD WORK    installs the build into WORK/prefix, once for all of these
    installed_test.py CASE BUILD WORK       one of the functions below; ends with 77, "skipped", where a tool is missing
What consumers are compiled with stands in the environment, as CMake and make read it: CMAKE_GENERATOR, CXX, CXXFLAGS."""
import json, os, pathlib, re, shutil, subprocess, sys

HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = "G/(1 + G*H)"
TEXTS = (".cmake", ".pc", ".1", ".json", ".fish", "")


class Wrong(Exception):
    pass


def expect(holds, what):
    if not holds:
        raise Wrong(what)


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            print(f"no {tool}")
            sys.exit(77)


def run(*words, cwd=None, fails=False, within=250, **environment):
    """Standard output and error of a program that must end well, or must not."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                          capture_output=True, encoding="utf-8", errors="replace", timeout=within)
    expect((done.returncode != 0) == fails, f"{' '.join(map(str, words))} ends with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def install(build, prefix):
    """Installed elsewhere and moved: nothing in it says where it lay."""
    first = prefix.with_name("first")
    for folder in (first, prefix):
        shutil.rmtree(folder, ignore_errors=True)
    run("cmake", "--install", build, "--prefix", first)
    first.rename(prefix)


def verbs_of(sfg):
    listed = run(sfg, "--help").split("\nverbs:\n")[1].split("\n\n")[0]
    return re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)


def tree(build, prefix):
    examples = HERE.parents[1] / "examples"
    expect(run(prefix / "bin/sfg", "tf", examples / "servo.dot"), "the installed command says nothing")
    fit = [prefix / "bin/sfg", "fit", examples / "bench_motor.dot", "--data", examples / "bench_motor.csv", "--vary", "K", "--vary", "T"]
    expect("rms of" in run(*fit), "the installed command does not find what fits are solved by")
    schemas = prefix / "share/sfg/schema"
    for file in schemas.iterdir():
        for reference in re.findall(r'"\$ref": "([^"#]+)#', file.read_text(encoding="utf-8")):
            expect((schemas / reference).is_file(), f"{file.name} refers to {reference}, which is not there")
    for source in (HERE.parents[1] / "docs/schema").glob("*.schema.json"):
        file = schemas / source.name.replace(".schema.json", ".json")
        expect(json.loads(file.read_text(encoding="utf-8"))["title"], f"{file.name} is no schema")
    for file in (file for file in prefix.rglob("*") if file.is_file() and file.suffix in TEXTS):
        data = file.read_bytes()
        for folder in (HERE.parents[1], build, prefix.with_name("first")):
            expect(data.startswith(b"\x7fELF") or str(folder).encode() not in data, f"{file.relative_to(prefix)} names {folder}")


def consumer(build, prefix):
    """The project of somebody else, built by find_package."""
    folder = prefix.with_name("consumer")
    shutil.rmtree(folder, ignore_errors=True)
    run("cmake", "-S", HERE / "consumer", "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", folder)
    for program in ("consumer", "core"):
        expect(run(folder / program).strip() == EXPECTED, f"{program} of the outside project prints something else")


def components(build, prefix):
    """What find_package says to components and versions."""
    folder = prefix.with_name("components")
    for question, answer in {"0.1 REQUIRED COMPONENTS sfg": "found 1", "0.1": "found 1", "99.0": "found 0", "0.0": "found 0",
                             "1.0": "found 0", "OPTIONAL_COMPONENTS graphviz": "found 1",
                             "COMPONENTS nothing": "sfg has no component 'nothing' here; it has sfg, graphviz"}.items():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(asks LANGUAGES CXX)\n"
                                               f"find_package(sfg {question})\nmessage(\"found ${{sfg_FOUND}}\")\n")
        said = run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
        expect(answer in " ".join(said.split()), f"find_package(sfg {question}): {said}")


def pkg_config(build, prefix):
    need("pkg-config")
    where = {"PKG_CONFIG_PATH": str(next(prefix.rglob("sfg.pc")).parent)}
    version = run(prefix / "bin/sfg", "--version").split()[1]
    expect(run("pkg-config", "--modversion", "sfg", **where).strip() == version, "sfg.pc has another version than the command")
    static = [] if list(prefix.rglob("libsfg.so")) else ["--static"]
    flags = run("pkg-config", "--cflags", "--libs", *static, "sfg", **where).split()
    program = prefix.with_name("by_pkg_config")
    run(os.environ.get("CXX", "c++"), *os.environ.get("CXXFLAGS", "").split(), "-std=c++20", HERE / "consumer/consumer.cpp", "-o", program, *flags)
    folder = str(next(prefix.rglob("libsfg.*")).parent)
    expect(run(program, LD_LIBRARY_PATH=folder).strip() == EXPECTED, "the program prints something else")


def manual(build, prefix):
    """Every page is set without a warning, has its sections and every option of the help, as it is typed."""
    need("man")
    sfg, folder = prefix / "bin/sfg", prefix / "share/man/man1"
    verbs = verbs_of(sfg)
    expect(sorted(file.name for file in folder.iterdir()) == sorted(["sfg.1", *(f"sfg-{verb}.1" for verb in verbs)]), "pages are missing")
    for verb in ["", *verbs]:
        page = folder / f"sfg{'-' + verb if verb else ''}.1"
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", page], capture_output=True, encoding="utf-8",
                              env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "100", "MANPAGER": "cat"}, timeout=60)
        expect(done.returncode == 0 and not done.stderr, f"{page.name}: {done.stderr}")
        text = re.sub(".\b", "", done.stdout)
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "SEE ALSO"):
            expect(re.search(f"^{section}$", text, re.MULTILINE), f"{page.name} has no section {section}")
        helped = run(sfg, "help", verb or "options")
        for option in re.findall(r"^  (?:-\w, )?(--[a-z][a-z0-9-]*)", helped, re.MULTILINE):
            expect(re.search(rf"^ +(?:-\w, )?{option}\b", text, re.MULTILINE), f"{page.name} does not explain {option}")
        for example in helped.split("\nexamples:\n")[1].splitlines() if verb else verbs:
            expect(example.strip() in text, f"{page.name} has no {example.strip()}")


def completion(build, prefix):
    """Each shell reads its file, which names every verb; of bash, what is offered."""
    verbs = verbs_of(prefix / "bin/sfg")
    files = {"bash": prefix / "share/bash-completion/completions/sfg", "zsh": prefix / "share/zsh/site-functions/_sfg",
             "fish": prefix / "share/fish/vendor_completions.d/sfg.fish"}
    for shell, file in files.items():
        text = file.read_text(encoding="utf-8")
        for verb in verbs:
            expect(re.search(rf"\b{verb}\b", text), f"{file.name} of {shell} does not name {verb}")
    offered = run("bash", "-c", f'source {files["bash"]}; COMP_WORDS=(sfg ""); COMP_CWORD=1; _sfg; printf "%s\\n" "${{COMPREPLY[@]}}"').split()
    expect(set(verbs) <= set(offered), f"sfg TAB offers {offered}")
    for shell, file in files.items():
        if shutil.which(shell):
            run(shell, "-n", file, HOME=str(prefix.parent))


def packed(build, prefix):
    """The Debian packages, by name: built once."""
    folder = prefix.with_name("packages")
    shutil.rmtree(folder, ignore_errors=True)
    run("cpack", "-G", "DEB", "--config", build / "CPackConfig.cmake", "-B", folder, cwd=prefix.parent)
    return {run("dpkg-deb", "-f", file, "Package").strip(): file for file in folder.glob("*.deb")}


def debian(build, prefix):
    need("cpack", "dpkg-deb", "dpkg-shlibdeps", "gzip")
    packages = packed(build, prefix)
    version = run(prefix / "bin/sfg", "--version").split()[1]
    abi = ".".join(version.split(".")[:2])
    library, graphviz = f"libsfg{abi}", f"libsfg-graphviz{abi}"
    contents = {library: ["libsfg.so." + abi], graphviz: ["libsfg_graphviz.so." + abi],
                "libsfg-dev": ["include/sfg/sfg.hpp", "cmake/sfg/sfgConfig.cmake", "pkgconfig/sfg.pc", "libsfg.so"],
                "sfg": ["bin/sfg", "man/man1/sfg.1.gz", "man/man1/sfg-tf.1.gz", "bash-completion/completions/sfg", "sfg/schema/tf.json"]}
    needs = {library: ["libc6", "libginac"], graphviz: [f"{library} (= {version}-1)", "libcgraph"],
             "libsfg-dev": [f"{library} (= {version}-1)", f"{graphviz} (= {version}-1)", "libginac-dev", "libcln-dev"],
             "sfg": [f"{library} (= {version}-1)", f"{graphviz} (= {version}-1)", "libc6"]}
    contents["sfg-doc"] = ["docs/guide/python.md", "docs/notebooks/servo.ipynb", "examples/servo.dot", "graphs/README.md"]
    needs["sfg-doc"] = ["Architecture: all"]
    if "python3-sfg" in packages:
        contents["python3-sfg"] = ["dist-packages/sfg/__init__.py", ".pyi", "py.typed"]
        needs["python3-sfg"] = ["python3", "python3-numpy", f"{library} (= {version}-1)"]
    expect(sorted(packages) == sorted(contents), f"packages {sorted(packages)}")
    root = prefix.with_name("root")
    shutil.rmtree(root, ignore_errors=True)
    owners = {}
    for name, file in packages.items():
        control = run("dpkg-deb", "-f", file)
        for text in [*needs[name], f"Version: {version}-1\n", "Maintainer: ", "Section: ", "Description: signal-flow graphs"]:
            expect(text in control, f"{name}: no {text!r} in\n{control}")
        expect("md5sums" in run("dpkg-deb", "--ctrl-tarfile", file) or "md5sums" in run("dpkg-deb", "-I", file), f"{name} has no md5sums")
        for line in run("dpkg-deb", "-c", file).splitlines():
            rights, owner, _, _, _, path = line.split(None, 5)
            path = path.split(" -> ")[0]
            expect(owner == "root/root" and (rights[0] == "l" or rights[5] == rights[8] == "-"), line)
            expect(path.startswith("./usr/") or rights[0] == "d", f"{name}: {path} outside /usr")
            if rights[0] != "d":
                expect(owners.setdefault(path, name) == name, f"{path} in {name} and {owners[path]}")
        own = [path for path, owner in owners.items() if owner == name]
        for end in [*contents[name], f"doc/{name}/copyright", f"doc/{name}/changelog.gz", f"doc/{name}/changelog.Debian.gz"]:
            expect(any(path.endswith(end) for path in own), f"{name} has no {end}")
        run("dpkg-deb", "-x", file, root)
    libraries = str(next(root.rglob("libsfg.so.*")).parent)
    said = run(root / "usr/bin/sfg", "tf", HERE.parents[1] / "examples/servo.dot", LD_LIBRARY_PATH=libraries)
    expect("verified" in said, f"the packed command says {said}")
    if "python3-sfg" in packages:
        said = run("/usr/bin/python3", "-B", "-c", "import sfg; print(sfg.Graph(input='R', output='C').branch('R', 'C', 'K') or sfg.__file__)",
                   PYTHONPATH=str(root / "usr/lib/python3/dist-packages"), LD_LIBRARY_PATH=libraries)
        expect(str(root) in said, f"the packed module says {said}")
    expect("RUNPATH" not in run("readelf", "-d", root / "usr/bin/sfg"), "the packed command searches in folders of its own")


def wheel(build, prefix):
    """What pip makes of a checkout, of the library that is built, in an environment of its own: SFG_PYTHON names another Python than
    Debian's, which has NumPy."""
    python = os.environ.get("SFG_PYTHON", "/usr/bin/python3")
    need("pip3", "readelf", python)
    if subprocess.run([python, "-c", "import venv, ensurepip"], capture_output=True).returncode:
        print("no venv")
        sys.exit(77)
    if "pybind11" not in (build / "CMakeCache.txt").read_text(encoding="utf-8"):
        print("no pybind11")
        sys.exit(77)
    folder = prefix.with_name("wheel")
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", "--system-site-packages", folder / "env")
    pip, inside = folder / "env/bin/pip", folder / "env/bin/python"
    run(pip, "wheel", HERE.parents[1], "--no-deps", "--no-index", "-w", folder, "--config-settings", f"build={build}", within=1100)
    made = next(folder.glob("*.whl"))
    run(pip, "install", "--no-deps", "--no-index", made)
    version = run(prefix / "bin/sfg", "--version").split()[1]
    expect(re.fullmatch(rf"sfg-{version}-cp3\d+-cp3\d+-linux_\w+[.]whl", made.name), f"the wheel is {made.name}")
    program = "import sfg; g = sfg.Graph(input='u', output='y'); g.branch('u', 'y', 'K/(s+1)'); print(g.transfer(), sfg.__version__, sfg.__file__)"
    if not subprocess.run([inside, "-c", "import numpy"], capture_output=True).returncode:
        said = run(inside, "-c", program, cwd=folder, LD_LIBRARY_PATH="")
        expect(said.startswith(f"K/(s + 1) {version} {folder}"), f"the installed module says {said}")
    said = run(inside, "-c", "import sys; sys.modules['numpy'] = None; import sfg", cwd=folder, fails=True)
    expect("ImportError: sfg needs NumPy" in said and "pip install numpy" in said and "During" not in said, f"without NumPy: {said}")
    module = next((folder / "env").rglob("sfg/_core*.so"))
    expect("(RPATH)              Library rpath: [$ORIGIN/libraries]" in run("readelf", "-d", module), "the module finds no library beside it")
    for line in run("ldd", module, LD_LIBRARY_PATH="").splitlines():
        name = line.split()[0].rsplit("/", 1)[-1]
        expect(str(module.parent) in line or re.match(r"linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)[.]so", name), f"from outside: {line}")
    about = next((folder / "env").rglob("sfg-*.dist-info"))
    expect("Requires-Dist: numpy\n" in (about / "METADATA").read_text(encoding="utf-8"), "the wheel does not ask for NumPy")
    expect("sfg" in os.listdir(about / "licenses"), "no licence")


def clean_system(build, prefix):
    """All that is passed on, made by one command and installed in clean Debian systems."""
    if "SFG_CLEAN_SYSTEM" not in os.environ:
        print("it takes minutes and Debian's archive: SFG_CLEAN_SYSTEM=1 asks for it")
        sys.exit(77)
    need("debootstrap", "cpack", "dpkg-deb", "dpkg-shlibdeps")
    tools = HERE.parents[1] / "tools/packages"
    run(tools / "make", build, within=2000)
    said = run(tools / "try", build / "packages", within=3000)
    for what in ("command", "development", "python", "documentation", "archive"):
        expect(f"{what}: installed and answers" in said, said)


def self_contained(build, prefix):
    """The archive that brings its libraries: all of them, and nothing of Graphviz, nor where it was made."""
    need("dpkg-query", "ldd", "strip", "tar")
    archive = pathlib.Path(run(HERE.parents[1] / "tools/packages/self-contained", build).splitlines()[-1])
    root = prefix.with_name("archive")
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    run("tar", "-xzf", archive, "-C", root)
    folder = next(root.iterdir())
    lib = folder / "lib"
    version = run(prefix / "bin/sfg", "--version").splitlines()[0]
    expect(run(folder / "bin/sfg", "--version").splitlines()[0] == version, "the command of the archive has another version")
    (root / "sfg").symlink_to(folder / "bin/sfg")
    said = run(root / "sfg", "tf", HERE.parents[1] / "examples/servo.dot", PATH="/usr/bin:/bin")
    expect("verified" in said, f"the command of the archive says {said}")
    bench = HERE.parents[1] / "examples/bench_motor"
    said = run(root / "sfg", "fit", f"{bench}.dot", "--data", f"{bench}.csv", "--vary", "K", "--vary", "T", PATH="/usr/bin:/bin")
    expect("rms of" in said, f"the command of the archive fits nothing: {said}")
    loaded = run(lib / "ld-linux-x86-64.so.2", "--library-path", lib, "--list", lib / "sfg")
    for line in loaded.splitlines():
        expect(str(lib) in line or "linux-vdso" in line, f"from outside the archive: {line}")
        expect(not re.search("graph|gvc|cdt", line.split()[0]), f"the archive has {line}")
    expect("PATH)" not in run("readelf", "-d", lib / "sfg"), "the command of the archive searches in other folders")
    for licence in ("sfg", "libc6"):
        expect((folder / "share/licences" / licence).is_file(), f"no licence of {licence}")


if __name__ == "__main__":
    case, build, work = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    try:
        globals()[case](build, work / "prefix")
    except Wrong as wrong:
        sys.exit(f"wrong: {wrong}")
