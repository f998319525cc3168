"""Expressions of the toolkit's grammar as those of SymPy, and back. SymPy is imported when it is needed."""
from __future__ import annotations

import re
from typing import Any, Callable, Mapping, Optional

from ._errors import wrong

_TOKEN = re.compile(r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|[-+*/^(),]))")


def _functions() -> "dict[str, Callable[..., Any]]":
    import sympy

    plain = ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "sign")
    found = {name: getattr(sympy, name) for name in plain}
    found.update(abs=sympy.Abs, min=sympy.Min, max=sympy.Max, step=lambda x: sympy.Heaviside(x, 1), floor=sympy.floor)
    return found


class _Reader:
    """Recursive descent: a sum of products of powers. A name is a Symbol, whatever SymPy makes of it elsewhere."""

    def __init__(self, text: str, values: "Mapping[str, Any]"):
        import sympy

        self.sympy, self.functions, self.values = sympy, _functions(), values
        self.tokens: "list[tuple[str, str]]" = []
        at = 0
        while at < len(text.rstrip()):
            match = _TOKEN.match(text, at)
            if not match:
                raise wrong(f"no expression: {text[at:at + 20]!r}")
            self.tokens.append((str(match.lastgroup), match[match.lastgroup or 0]))
            at = match.end()
        self.at = 0

    def sign(self, *signs: str) -> Optional[str]:
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "sign" and self.tokens[self.at][1] in signs:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def expression(self) -> Any:
        terms = [self.product()]
        while sign := self.sign("+", "-"):
            terms.append(self.product() if sign == "+" else -self.product())
        return self.sympy.Add(*terms)

    def product(self) -> Any:
        factors = [self.signed()]
        while sign := self.sign("*", "/"):
            factors.append(self.signed() if sign == "*" else 1 / self.signed())
        return self.sympy.Mul(*factors)

    def signed(self) -> Any:
        if sign := self.sign("+", "-"):
            return self.signed() if sign == "+" else -self.signed()
        base = self.atom()
        return base ** self.signed() if self.sign("^", "**") else base

    def atom(self) -> Any:
        if self.sign("("):
            inner = self.expression()
            self.sign(")")
            return inner
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return self.sympy.Rational(text)
        if text in self.functions and self.sign("("):
            arguments = [self.expression()]
            while self.sign(","):
                arguments.append(self.expression())
            self.sign(")")
            return self.functions[text](*arguments)
        if text in self.values:
            return self.values[text]
        return self.sympy.pi if text == "pi" else self.sympy.Symbol(text)


def sympy_of(text: str, values: "Optional[Mapping[str, Any]]" = None) -> Any:
    """The expression with plain Symbols; `values`: SymPy expressions for some of them."""
    return _Reader(text, values or {}).expression()


_NAMES = {"Abs": "abs", "Min": "min", "Max": "max", "Heaviside": "step"}


def text_of_sympy(expression: Any) -> str:
    """An expression of SymPy in the grammar of the toolkit; floats are their shortest decimal text."""
    import sympy

    def written(e: Any) -> str:
        if e.is_Symbol:
            if not re.fullmatch(r"[^\W\d]\w*", e.name):
                raise wrong(f"symbol {e.name!r}: not a name", "a name has letters, digits and '_' and does not begin with a digit")
            return str(e.name)
        if e is sympy.pi:
            return "pi"
        if e is sympy.E:
            return "exp(1)"
        if e.is_Rational and not e.is_infinite:
            return f"({e})" if e.q != 1 or e.p < 0 else str(e)
        if e.is_Float:
            return f"({float(e)!r})"
        if e.is_Add or e.is_Mul:
            return "(" + (" + " if e.is_Add else "*").join(map(written, e.args)) + ")"
        if e.is_Pow:
            return f"({written(e.base)})^({written(e.exp)})"
        if isinstance(e, sympy.exp):
            return f"exp({written(e.args[0])})"
        name = _NAMES.get(e.func.__name__, e.func.__name__)
        if e.is_Function and name in _functions():
            arguments = e.args[:1] if name == "step" else e.args
            return f"{name}({', '.join(map(written, arguments))})"
        raise wrong(f"{e} of SymPy has no counterpart in a gain", "use + - * / **, real numbers and elementary functions")

    text = written(sympy.sympify(expression))
    return text[1:-1] if text.startswith("(") and text.endswith(")") and _closes_at_end(text) else text


def _closes_at_end(text: str) -> bool:
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return at == len(text) - 1
    return False
