"""README's table of licences is that of the link line and of the includes: licences_test.py FILE… (programs and libraries)

Reads what each file needs (readelf) and which packages our sources include; each must stand in the table, and what stands there
must be used."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# What a part of a library's name, or the first part of an include, is called in the table; "" for the compiler and the system.
LIBRARIES = {"ginac": "GiNaC", "cln": "CLN", "flint": "FLINT", "flint-arb": "Arb", "calcium": "Calcium", "antic": "Antic", "gmp": "GMP", "mpfr": "MPFR",
             "nlopt": "NLopt", "sundials_cvode": "SUNDIALS", "sundials_arkode": "SUNDIALS", "sundials_ida": "SUNDIALS",
             "sundials_sunlinsolklu": "SuiteSparse", "ceres": "Ceres Solver", "glog": "glog",
             "fmt": "fmt", "pugixml": "pugixml", "yaml-0": "libyaml", "z": "zlib", "cgraph": "Graphviz", "mpi": "Open MPI", "mpi_cxx": "Open MPI",
             "sfg": "", "sfg_graphviz": "", "sfg_mpi": "", "stdc++": "", "m": "", "gcc_s": "", "c": "", "pthread": "", "ld-linux-x86-64": "", "ld-linux-aarch64": ""}
INCLUDES = {"boost": "Boost", "Eigen": "Eigen", "nlohmann": "nlohmann-json", "toml++": "toml++", "CLI": "CLI11", "pybind11": "pybind11"}


def table():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", text[text.index("## Licences"):], re.M)
    return " ".join(packages for packages, _, _ in rows[1:])


def main():
    stated, problems, used = table(), [], set()
    for file in sys.argv[1:]:
        shown = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
        for needed in re.findall(r"\(NEEDED\).*\[(.+?)\]", shown):
            name = re.sub(r"\.so.*", "", needed).removeprefix("lib")
            if name not in LIBRARIES:
                problems.append(f"{file} needs {needed}, which this test does not know")
            elif LIBRARIES[name]:
                used.add(LIBRARIES[name])
    sources = [p for folder in ("libsfg", "tools") for p in (ROOT / folder).rglob("*.[ch]pp")]
    for source in sources:
        for include in re.findall(r"^#include <([\w+]+)/", source.read_text(encoding="utf-8"), re.M):
            if include in INCLUDES:
                used.add(INCLUDES[include])
    assert len(used) > 12, used
    problems += [f"README's table of licences lacks {name}" for name in sorted(used) if name not in stated]
    known = sorted({*LIBRARIES.values(), *INCLUDES.values(), "NumPy"} - {""}, key=len, reverse=True)
    left = re.sub(r"\(.*?\)|[`;]", " ", stated)
    for name in known:
        if name in left and name not in used and name not in ("Antic", "NumPy", "pybind11", "Open MPI"):
            problems.append(f"README's table of licences has {name}, which nothing links or includes")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
