"""Linear equations of SymPy as a graph."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence

from ._errors import wrong

if TYPE_CHECKING:
    from ._graph import Graph


def _matching(A: Any) -> "list[int]":
    """An equation for every unknown that has it, by augmenting paths; the diagonal where it does."""
    n = A.rows
    equation_of: "dict[int, int]" = {k: k for k in range(n) if A[k, k] != 0}

    def place(row: int, seen: "set[int]") -> bool:
        for column in range(n):
            if A[row, column] != 0 and column not in seen:
                seen.add(column)
                if column not in equation_of or place(equation_of[column], seen):
                    equation_of[column] = row
                    return True
        return False

    for row in set(range(n)) - set(equation_of.values()):
        if not place(row, set()):
            raise wrong("the equations have no unique solution: not every unknown has an equation of its own",
                        "state as many independent equations as unknowns")
    return [equation_of[column] for column in range(n)]


def graph_of_equations(graph: "Graph", A: Any, b: Any, unknowns: "Sequence[Any]", inputs: "Optional[Sequence[Any]]") -> None:
    """Adds the branches of A·x = b: x_i = Σ_j (B_kj/A_ki) u_j − Σ_{j≠i} (A_kj/A_ki) x_j, where equation k is that of x_i."""
    import sympy

    A, b = sympy.Matrix(A), sympy.Matrix(b)
    unknowns = [sympy.sympify(x) for x in unknowns]
    if A.shape != (len(unknowns), len(unknowns)) or b.shape not in ((len(unknowns), 1), (1, len(unknowns))):
        raise wrong(f"A is {A.rows} × {A.cols} and b {b.rows} × {b.cols} for {len(unknowns)} unknowns",
                    "give a square A and an entry of b for each of its rows")
    operator = graph.variable
    given = inputs is not None
    us = [sympy.sympify(u) for u in inputs] if inputs is not None else sorted(
        (u for u in b.free_symbols if u.name != operator), key=lambda u: u.name)
    if set(us) & set(unknowns) or set(unknowns) & (A.free_symbols | b.free_symbols):
        raise wrong("an unknown stands in A, in b or among the inputs", "bring the terms with unknowns into A·x")
    B = b.reshape(len(unknowns), 1).jacobian(us) if us else sympy.zeros(len(unknowns), 0)
    rest = b.reshape(len(unknowns), 1) - (B * sympy.Matrix(us) if us else sympy.zeros(len(unknowns), 1))
    if B.free_symbols & set(us) or any(sympy.simplify(entry) != 0 for entry in rest):
        raise wrong("b is not linear in the inputs " + ", ".join(str(u) for u in us),
                    "name fewer of its symbols as inputs" if given else "name the inputs: inputs=[…]")
    A = A.applyfunc(sympy.sympify)
    for u in us:
        graph.node(u.name)
    for x in unknowns:
        graph.node(x.name)
    graph._core.ends([u.name for u in us], [x.name for x in unknowns])
    for i, k in enumerate(_matching(A)):
        for j, u in enumerate(us):
            if B[k, j] != 0:
                graph.branch(u.name, unknowns[i].name, sympy.cancel(B[k, j] / A[k, i]))
        for j, x in enumerate(unknowns):
            if j != i and A[k, j] != 0:
                graph.branch(x.name, unknowns[i].name, sympy.cancel(-A[k, j] / A[k, i]))
    graph._changed()
