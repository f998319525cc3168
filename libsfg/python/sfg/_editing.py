"""Graphs that change: what is added, taken away and stated anew, with the names checked."""
from __future__ import annotations

import difflib
from typing import Any, Iterable, Optional, Union

from ._errors import wrong
from ._values import is_sympy, list_of, text_of


def name_of(value: Any, what: str) -> str:
    if isinstance(value, str):
        return value
    if is_sympy(value) and getattr(value, "is_Symbol", False):
        return str(value.name)
    raise TypeError(f"{what} is a name, not {value!r}")


def unknown(what: str, name: str, names: "Iterable[str]") -> Exception:
    """What is said of a name that is not there."""
    known = list(names)
    in_lower_case = {other.lower(): other for other in known}
    near = difflib.get_close_matches(name.lower(), in_lower_case, 1)
    hint = f"did you mean {in_lower_case[near[0]]!r}?" if near else "there are " + ", ".join(map(repr, known[:20])) if known else "there is none"
    return wrong(f"no {what} {name!r}", hint)


class Editing:
    """What changes a graph. A change that is refused leaves it as it was."""

    __slots__ = ()

    _core: Any

    def _tables(self) -> "dict[str, Any]":
        raise NotImplementedError

    def _changed(self) -> None:
        raise NotImplementedError

    def _node(self, value: Any, what: str) -> str:
        name = name_of(value, what)
        if name not in self._tables()["nodes"]:
            raise unknown("signal", name, self._tables()["nodes"])
        return name

    def _edit(self, nodes: "Iterable[str]" = (), branches: "Iterable[int]" = (), parameters: "Iterable[str]" = (),
              gains: "Optional[dict[int, str]]" = None) -> None:
        self._core.edit(list(nodes), list(branches), list(parameters), gains or {})
        self._changed()

    def _branch(self, tail: Any, head: Any, gain: Any) -> int:
        """The number of the one branch from tail to head (that has this gain)."""
        tail, head = self._node(tail, "the tail of a branch"), self._node(head, "the head of a branch")
        listed = self._tables()["branches"]
        there = [k for k, line in enumerate(listed) if line[:2] == (tail, head)]
        if not there:
            heads = [line[1] for line in listed if line[0] == tail]
            raise wrong(f"no branch goes from {tail!r} to {head!r}",
                        f"from {tail!r} branches go to " + ", ".join(map(repr, heads)) if heads else f"no branch leaves {tail!r}")
        gains = [listed[k][2] or listed[k][3] for k in there]
        if gain is not None:
            wanted = self._core.gain_text(text_of(gain))
            there = [k for k, stated in zip(there, gains) if stated == wanted]
        if not there:
            raise wrong(f"no branch from {tail!r} to {head!r} has the gain {wanted!r}", "there are " + ", ".join(map(repr, gains)))
        if len(there) > 1:
            raise wrong(f"{len(there)} branches go from {tail!r} to {head!r}: " + ", ".join(map(repr, gains)), "say which by its gain")
        return there[0]

    def branch(self, tail: str, head: str, gain: Any = 1) -> None:
        """Adds a branch from one signal to another; both become nodes. Parallel branches add.

        gain: an expression ("K/(s*(s+1))"), an int, float, Fraction or SymPy expression. Names that are new are parameters.
        """
        tail, head = name_of(tail, "the tail of a branch"), name_of(head, "the head of a branch")
        self._core.branch(tail, head, text_of(gain))
        self._changed()

    def law(self, tail: str, head: str, law: str, arguments: "Union[str, Iterable[str]]" = ()) -> None:
        """Adds a nonlinear branch: law="k3*u^3", an expression of u (the signal at the tail), v (its rate), t (time, s) and of the
        further signals that `arguments` names."""
        self._core.law(name_of(tail, "the tail"), name_of(head, "the head"), text_of(law), list_of(arguments))
        self._changed()

    def node(self, name: str) -> None:
        """Adds a signal without branches; nothing where it is there."""
        self._core.node(name_of(name, "a node"))
        self._changed()

    def add(self, tail: str, head: Optional[str] = None, gain: Any = 1) -> None:
        """Adds a branch, as branch() does; of one name a signal, as node() does."""
        if head is None:
            self.node(tail)
        else:
            self.branch(tail, head, gain)

    def remove(self, tail: str, head: Optional[str] = None, gain: Any = None) -> None:
        """Takes a branch away, remove("e", "C"), or a signal with all of its branches, remove("e").

        gain: which of parallel branches. What nothing is left of goes, too: names of gains that have no value.
        """
        if head is None:
            if gain is not None:
                raise TypeError("a gain is that of a branch: name its head, too")
            self._edit(nodes=[self._node(tail, "a signal")])
        else:
            self._edit(branches=[self._branch(tail, head, gain)])

    def set_gain(self, tail: str, head: str, gain: Any, *, old: Any = None) -> None:
        """Gives a branch another gain, set_gain("e", "C", "K/s"). old: the gain that it has, where several are parallel."""
        number = self._branch(tail, head, old)
        if self._tables()["branches"][number][3]:
            raise wrong(f"the branch from {tail!r} to {head!r} has a law, no gain", "remove() it, and add the new branch")
        self._edit(gains={number: text_of(gain)})

    def parameter(self, name: str, value: Any = None, *, unit: str = "", tolerance: Any = "", distribution: str = "",
                  text: str = "") -> None:
        """States a parameter: its value (a number, or an expression of others), unit, tolerance ("5%", "±2") and distribution for
        tolerance studies, and what it means."""
        self._core.state(name_of(name, "a parameter"), "" if value is None else text_of(value), unit,
                         text_of(tolerance) if tolerance != "" else "", distribution, text)
        self._changed()

    def remove_parameter(self, name: str) -> None:
        """Forgets what is stated of a parameter that no gain and no other value has."""
        known = self._tables()["parameters"]
        if name_of(name, "a parameter") not in known:
            raise unknown("parameter", name, known)
        self._edit(parameters=[name_of(name, "a parameter")])

    def _named(self, names: Any, what: str) -> "list[str]":
        named = [self._node(name, what) for name in list_of(names)]
        if len(set(named)) < len(named):
            raise wrong(f"{what} is named twice: " + ", ".join(map(repr, named)), "name each once")
        return named

    @property
    def inputs(self) -> "list[str]":
        """The stated inputs; empty: the sources are meant. To be set: g.inputs = ["u", "w"] names signals of the graph."""
        return list(self._tables()["inputs"])

    @inputs.setter
    def inputs(self, names: Any) -> None:
        self._core.ends(self._named(names, "an input"), self.outputs)
        self._changed()

    @property
    def outputs(self) -> "list[str]":
        """The stated outputs; empty: the sinks are meant. To be set: g.outputs = "y" names signals of the graph."""
        return list(self._tables()["outputs"])

    @outputs.setter
    def outputs(self, names: Any) -> None:
        self._core.ends(self.inputs, self._named(names, "an output"))
        self._changed()
