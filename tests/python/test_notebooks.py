"""The notebooks of docs/notebooks run, and show what they show; the magic %%sfg. python3 test_notebooks.py --write executes them anew."""
import os
import pathlib
import sys

import pytest

import sfg

os.environ["PYTHONPATH"] = str(pathlib.Path(sfg.__file__).resolve().parents[1])  # for kernels, which start elsewhere
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs/notebooks"
NAMES = sorted(path.name for path in FOLDER.glob("*.ipynb"))


@pytest.fixture(autouse=True)
def folders(monkeypatch, tmp_path):
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR"):
        monkeypatch.setenv(name, str(tmp_path))


def executed(name):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(FOLDER / name, 4)
    nbclient.NotebookClient(notebook, timeout=240, kernel_name="python3", record_timing=False,
                            resources={"metadata": {"path": str(FOLDER)}}).execute()
    return notebook


def shown(notebook):
    """What is compared: texts as they are; of pictures, pages and formulas that they are there."""
    cells = []
    for cell in notebook.cells:
        outputs = [(output, output.get("data", {})) for output in cell.get("outputs", ())]
        printed = "".join(output.get("text", "") for output, _ in outputs)  # it comes in one piece or in several
        cells.append([printed, *(data.get("text/markdown") or (data["text/plain"] if len(data) == 1 else "shown")
                                 for _, data in outputs if data)])
    return cells


def test_there_are_three():
    assert NAMES == ["filter.ipynb", "mechanism.ipynb", "servo.ipynb"]


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_shows_what_it_shows(name):
    nbformat = pytest.importorskip("nbformat")
    stored = nbformat.read(FOLDER / name, 4)
    assert all(cell.execution_count for cell in stored.cells if cell.cell_type == "code"), "it is not executed"
    assert shown(executed(name)) == shown(stored)


# ---- the magic

@pytest.fixture
def shell():
    testing = pytest.importorskip("IPython.testing.globalipapp")
    shell = testing.get_ipython() or testing.start_ipython()
    shell = shell or testing.get_ipython()
    shell.run_line_magic("load_ext", "sfg")
    yield shell
    shell.user_ns.pop("g", None)


GRAPH = 'digraph {\n  R -> C [gain="K/(s+1)"];\n}\n'


def test_a_text_is_asked_about(shell):
    assert "K" in shell.run_cell_magic("sfg", "tf", GRAPH).data
    assert "<svg" in shell.run_cell_magic("sfg", "bode --set K=2", "R -> [K/(s+1)] -> C").data
    answer = shell.run_cell_magic("sfg", "g = poles --set K=2 --json", GRAPH)
    assert answer["poles"][0][0] == -1 and isinstance(shell.user_ns["g"], sfg.Graph)
    assert shell.run_cell_magic("sfg", "g =", 'title = "two"\n[graph]\nbranches = [["u", "y", "2"]]\n') is None
    assert shell.user_ns["g"].title == "two"


@pytest.mark.parametrize("line, cell, said", [
    ("tf", 'digraph {\n  a -> b [gain="1/(s+"];\n}', "cell:3:22: .*complete it"),
    ("g =", 'digraph {\n  a -> b [gain="1/(s+"];\n}', "cell:3:22: "),
    ("poless", GRAPH, "did you mean 'poles'"),
    ("", GRAPH, "VERB"),
    ("tf", "R1 a b 1k\n", "format"),
    ("poles --frm R", GRAPH, "option '--frm'"),
    ("bode", GRAPH, "'K'.*--set"),
])
def test_what_is_wrong_is_said_at_the_line_of_the_cell(shell, line, cell, said):
    from IPython.core.error import UsageError

    with pytest.raises(UsageError, match=said):
        shell.run_cell_magic("sfg", line, cell)
    assert "g" not in shell.user_ns


def test_sliders_are_a_page_of_their_own():
    g = sfg.Graph(title='a "loop" & more', input="R", output="C", parameters={"K": 10})
    g.branch("R", "C", "K/(s+1)")
    page = g.sliders(height=321)
    shown = page._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "height:321px" in shown and 'sandbox="allow-scripts"' in shown
    assert 'type="range"' in page.page and '"' not in shown[len('<iframe srcdoc="'):shown.index('" sandbox')]
    assert "http://" not in page.page.replace("http://www.w3.org/", "")


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    import nbformat

    for each in NAMES:
        nbformat.write(executed(each), FOLDER / each)
