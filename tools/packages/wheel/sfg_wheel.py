"""The backend of pip (PEP 517): a wheel by scikit-build-core where it is there, else by CMake, Ninja and pybind11 of the system.

    pip install . --config-settings build=FOLDER     FOLDER: where the library is built already, or is to be built
"""
import ast, base64, hashlib, os, pathlib, re, shutil, subprocess, sys, sysconfig, tarfile, tempfile, zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
TIME = (1980, 1, 1, 0, 0, 0)  # of every file: the same bytes each time


def version():
    return re.search(r'text = "([0-9.]+)"', (ROOT / "libsfg/sfg/version.hpp").read_text(encoding="utf-8"))[1]


def _stated():
    """{table: {key: value}} of pyproject.toml, of which Python 3.9 has no reader: strings and lists of them, a line each."""
    found, table = {}, ""
    for line in (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            table = line.strip("[] ")
        elif " = " in line and not line.startswith("#"):
            key, value = line.split(" = ", 1)
            found.setdefault(table, {})[key] = ast.literal_eval(value.strip())
    return found


def _metadata():
    stated = _stated()
    project, extras = stated["project"], stated["project.optional-dependencies"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version()}", f"Summary: {project['description']}",
             "License: GPL-2.0-or-later", f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {name}" for name in project["dependencies"]]
    for extra, names in extras.items():
        lines += [f"Provides-Extra: {extra}", *(f"Requires-Dist: {name}; extra == '{extra}'" for name in names)]
    return "\n".join(lines) + "\n"


def _scikit():
    try:
        import scikit_build_core.build
    except ImportError:
        return None
    return scikit_build_core.build


def _missing():
    """What the system does not have, by the names of PyPI."""
    pybind11 = any(pathlib.Path(root, "include/pybind11/pybind11.h").exists() for root in ("/usr", "/usr/local"))
    return [name for name, there in (("cmake>=3.25", shutil.which("cmake")), ("ninja", shutil.which("ninja")),
                                     ("pybind11>=2.10", pybind11)) if not there]


def get_requires_for_build_wheel(config_settings=None):
    missing = _missing()
    return ["scikit-build-core>=0.5", *missing] if missing else []


def get_requires_for_build_sdist(config_settings=None):
    return []


def _run(*words):
    # PYTHONPATH is that of the environment in which pip builds.
    subprocess.run([str(word) for word in words], check=True, env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"})


def _tag():
    abi = "cp" + re.match(r"cpython-(\d+t?)", sysconfig.get_config_var("SOABI") or "")[1]
    return f"{abi.rstrip('t')}-{abi}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _licence(library):
    """The text of the Debian package that a library of the system is of."""
    for path in (f"/lib/*/{library}", f"/usr/lib/*/{library}"):
        owner = subprocess.run(["dpkg-query", "-S", path], capture_output=True, encoding="utf-8").stdout if shutil.which("dpkg-query") else ""
        text = pathlib.Path("/usr/share/doc", owner.split(":")[0], "copyright")
        if owner and text.is_file():
            return text
    return None


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = dict(config_settings or {})
    build = settings.pop("build", "")
    if _scikit():
        return _scikit().build_wheel(wheel_directory, {**settings, "cmake.define.SFG_BUILD": build}, metadata_directory)
    if settings:
        raise SystemExit(f"sfg: unknown setting {next(iter(settings))!r}; there is build=FOLDER")
    if sys.implementation.name != "cpython":
        raise SystemExit("sfg: a module is made for CPython alone")
    tag = _tag()
    folder = ROOT / "build/wheel" / tag
    _run("cmake", "-G", "Ninja", "-S", ROOT / "libsfg/python", "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON",
         f"-DPython_EXECUTABLE={sys.executable}", f"-DSFG_BUILD={build}")
    _run("cmake", "--build", folder)
    name = f"sfg-{version()}-{tag}.whl"
    with tempfile.TemporaryDirectory() as installed:
        installed = pathlib.Path(installed)
        _run("cmake", "--install", folder, "--prefix", installed, "--strip")
        _complete(installed, tag)
        _pack(installed, pathlib.Path(wheel_directory, name))
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    about = pathlib.Path(metadata_directory, f"sfg-{version()}.dist-info")
    about.mkdir(parents=True)
    (about / "METADATA").write_text(_metadata(), encoding="utf-8")
    return about.name


def _complete(installed, tag):
    """What a wheel has beside its files (PEP 427)."""
    about = installed / prepare_metadata_for_build_wheel(installed)
    (about / "licenses").mkdir()
    (about / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: sfg_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n", encoding="utf-8")
    shutil.copy(ROOT / "LICENSE", about / "licenses/sfg")
    for library in (installed / "sfg/libraries").iterdir():
        text = _licence(library.name)
        if text:
            shutil.copy(text, about / "licenses" / text.parent.name)
    lines = []
    for path in sorted(path for path in installed.rglob("*") if path.is_file()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
        lines.append(f"{path.relative_to(installed)},sha256={digest},{path.stat().st_size}\n")
    (about / "RECORD").write_text("".join(lines) + f"{about.name}/RECORD,,\n", encoding="utf-8")


def _pack(installed, wheel):
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in installed.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(str(path.relative_to(installed)), TIME)
            entry.external_attr = (0o755 if ".so" in path.name else 0o644) << 16
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)


def build_sdist(sdist_directory, config_settings=None):
    """The sources as Git has them."""
    name = f"sfg-{version()}"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout.split("\0")
    with tempfile.TemporaryDirectory() as folder, tarfile.open(pathlib.Path(sdist_directory, name + ".tar.gz"), "w:gz") as archive:
        about = pathlib.Path(folder, "PKG-INFO")
        about.write_text(_metadata(), encoding="utf-8")
        archive.add(about, f"{name}/PKG-INFO")
        for path in filter(None, listed):
            archive.add(ROOT / path, f"{name}/{path}")
    return name + ".tar.gz"
