"""Expressions as values."""
from __future__ import annotations

from typing import Any, Mapping, Optional, Union

import numpy as np

from . import _core
from ._answers import settings
from ._errors import InputError, wrong
from ._values import text_of


class Formula:
    """An exact expression: Formula("K/(s^2 + s + K)").

    + - * / ** with numbers, texts, Formulas and expressions of SymPy give Formulas in lowest terms; nothing has to be simplified.
    f == g is a proof that both are the same rational function of their names, of functions as far as they are rational in them.
    Values are exact: a float is its shortest decimal text, 0.1 is 1/10.
    """

    __slots__ = ("_text",)
    __array_ufunc__ = None  # numpy.float64(2)*f is f's

    def __init__(self, expression: Any) -> None:
        self._text: str = expression._text if isinstance(expression, Formula) else _core.formula_read(text_of(expression))

    @classmethod
    def _of(cls, text: str) -> "Formula":
        formula = cls.__new__(cls)
        formula._text = text
        return formula

    # ---- what it is

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Formula({self._text!r})"

    def latex(self) -> str:
        """The expression in LaTeX, without dollars."""
        return str(_core.formula_latex(self._text))

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    @property
    def names(self) -> "list[str]":
        """The names in it, sorted."""
        return list(_core.formula_names(self._text))

    @property
    def numerator(self) -> "Formula":
        """The numerator in lowest terms."""
        return Formula._of(_core.formula_fraction(self._text)[0])

    @property
    def denominator(self) -> "Formula":
        """The denominator in lowest terms."""
        return Formula._of(_core.formula_fraction(self._text)[1])

    def sympy(self, **values: Any) -> Any:
        """The expression as one of SymPy, of plain Symbols and Rationals."""
        from ._expressions import sympy_of

        return sympy_of(self.subs(**values)._text if values else self._text)

    def _sfg_(self) -> str:
        return self._text

    def _sympy_(self) -> Any:  # sympy.sympify(formula)
        return self.sympy()

    # ---- calculating

    def subs(self, names: "Union[str, Mapping[Any, Any], None]" = None, value: Any = None, **values: Any) -> "Formula":
        """The expression with values, or other expressions, put in for names: subs(K=2), subs("K", "a + b"), subs({K: 2})."""
        given = _replacements(names, value, values)
        return Formula._of(_core.formula_subs(self._text, settings({"set": given}))) if given else self

    def diff(self, name: Any, order: int = 1) -> "Formula":
        """The derivative by a name, in lowest terms."""
        if order < 0 or order != int(order):
            raise ValueError(f"order={order}: not a whole number from 0")
        by = Formula(name)
        if by.names != [by._text]:
            raise wrong(f"{by._text} is no name, and a derivative is by one", "it has " + ", ".join(self.names) if self.names else "")
        return Formula._of(_core.formula_diff(self._text, by._text, int(order)))

    def together(self) -> "Formula":
        """One fraction in lowest terms, as every result of arithmetic is."""
        return Formula._of(_core.formula_normal(self._text))

    def __call__(self, **values: Any) -> Any:
        """Its number, or those of arrays of values, which broadcast: a complex number, or a complex ndarray. s, p or z may be complex."""
        from ._transfer import Transfer

        operator = next((name for name in ("s", "p", "z") if name in values), "s")
        at = values.pop(operator, 0)
        return Transfer(self, variable=operator)(at, **values)

    def __complex__(self) -> complex:
        if self.names:
            raise wrong(f"{self._text} has no value yet: {', '.join(self.names)}", f"call it with values: ({self.names[0]}=…)")
        return complex(self())

    def __float__(self) -> float:
        value = complex(self)
        if value.imag:
            raise wrong(f"{self._text} is no real number", "complex() gives its value")
        return value.real

    def _with(self, other: Any, sign: str, turned: bool = False) -> Any:
        if isinstance(other, np.ndarray) and other.ndim:  # of each entry
            return np.frompyfunc(lambda entry: self._with(entry, sign, turned), 1, 1)(other.astype(object))
        try:
            text = text_of(other)
        except TypeError:
            return NotImplemented  # type: ignore[no-any-return]
        left, right = (text, self._text) if turned else (self._text, text)
        Formula(text)  # names what is wrong with it alone
        try:
            return Formula._of(_core.formula_normal(f"({left}){sign}({right})"))
        except InputError as error:
            raise wrong("division by zero: the divisor is 0") if "division by zero" in str(error) else error from None

    def __add__(self, other: Any) -> "Formula":
        return self._with(other, "+")

    def __radd__(self, other: Any) -> "Formula":
        return self._with(other, "+", True)

    def __sub__(self, other: Any) -> "Formula":
        return self._with(other, "-")

    def __rsub__(self, other: Any) -> "Formula":
        return self._with(other, "-", True)

    def __mul__(self, other: Any) -> "Formula":
        return self._with(other, "*")

    def __rmul__(self, other: Any) -> "Formula":
        return self._with(other, "*", True)

    def __truediv__(self, other: Any) -> "Formula":
        return self._with(other, "/")

    def __rtruediv__(self, other: Any) -> "Formula":
        return self._with(other, "/", True)

    def __pow__(self, other: Any) -> "Formula":
        return self._with(other, "^")

    def __rpow__(self, other: Any) -> "Formula":
        return self._with(other, "^", True)

    def __neg__(self) -> "Formula":
        return self._with(-1, "*")

    def __pos__(self) -> "Formula":
        return self

    # ---- Python

    def __eq__(self, other: object) -> bool:
        try:
            text = text_of(other)
            return text == self._text or bool(_core.formula_vanishes(f"({self._text})-({text})"))
        except (TypeError, ValueError):
            return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return not self == 0

    def __reduce__(self) -> "tuple[Any, ...]":
        return Formula, (self._text,)


def _replacements(names: Any, value: Any, values: "Mapping[str, Any]") -> "dict[str, Any]":
    """What subs() is told, in any of its three ways."""
    given = dict(names) if isinstance(names, Mapping) else {} if names is None else {names: value}
    if not isinstance(names, (Mapping, type(None))) and value is None:
        raise TypeError(f"subs({str(names)!r}, …) needs the value for it")
    return {**{str(name): entry for name, entry in given.items()}, **values}
