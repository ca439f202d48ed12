"""Scalar terms as sympy expressions, and back."""

from __future__ import annotations

import math
from typing import Any

from auditor.notation import Apply, Const, Read, Term


class NoTerm(Exception):
    """The expression has no term here."""


class Symbols:
    """Remembers which symbol stands for which scalar."""

    def __init__(self) -> None:
        self._symbols: dict[Term, Any] = {}
        self._terms: dict[Any, Term] = {}

    def symbol(self, term: Term) -> Any:
        """The symbol of a scalar: real, and nothing else is known of it."""
        import sympy

        if term not in self._symbols:
            name = term.value.name if isinstance(term, Read) else "u"
            # a name of its own: sympy orders what is named alike otherwise in each process
            made = sympy.Dummy(f"{name}_{len(self._symbols)}", real=True)
            self._symbols[term], self._terms[made] = made, term
        return self._symbols[term]

    def mean(self, symbol: Any, term: Term) -> None:
        """Let ``symbol`` be written as ``term`` from now on."""
        self._terms[symbol] = term

    def of(self, term: Term) -> Any:
        """``term`` as an expression; what is no arithmetic is a symbol."""
        import sympy

        if isinstance(term, Const):
            if isinstance(term.value, float) and math.isinf(term.value):
                return sympy.oo if term.value > 0 else -sympy.oo
            if isinstance(term.value, float) and term.value.is_integer():
                return sympy.Integer(int(term.value))
            if isinstance(term.value, (int, float)) and not isinstance(term.value, bool):
                return sympy.nsimplify(term.value, rational=True)
        if isinstance(term, Apply):
            op = term.op
            if op in ("add", "mul", "sub", "neg", "div", "exp", "square", "pow", "max", "min"):
                args = [self.of(arg) for arg in term.args]
                if op in ("max", "min"):
                    return sympy.Max(*args) if op == "max" else sympy.Min(*args)
                if op == "add":
                    return sympy.Add(*args)
                if op == "mul":
                    return sympy.Mul(*args)
                if op == "sub":
                    return args[0] - args[1]
                if op == "neg":
                    return -args[0]
                if op == "div":
                    return args[0] / args[1]
                if op == "exp":
                    return sympy.exp(args[0])
                if op == "square":
                    return args[0] ** 2
                if op == "pow" and args[1].is_Integer:
                    return args[0] ** args[1]
        return self.symbol(term)

    def term(self, expression: Any) -> Term:
        """An expression as a term. Raises ``NoTerm``."""
        if expression in self._terms:
            return self._terms[expression]
        if expression.is_Integer:
            return Const(int(expression))
        if expression.is_Rational or expression.is_Float:
            return Const(float(expression))
        if expression.is_Add:
            return self._sum(expression)
        if expression.is_Mul:
            return self._product(expression)
        if expression.is_Pow and expression.exp.is_Integer:
            if expression.exp < 0:
                return Apply("div", (Const(1), self.term(1 / expression)))
            return Apply("pow", (self.term(expression.base), Const(int(expression.exp))))
        if expression.func.__name__ == "exp":
            return Apply("exp", (self.term(expression.args[0]),))
        raise NoTerm(str(expression))

    def _sum(self, expression: Any) -> Term:
        parts = sorted(
            expression.args, key=lambda part: (part.could_extract_minus_sign(), str(part))
        )
        out = self.term(parts[0])
        for part in parts[1:]:
            if part.could_extract_minus_sign():
                out = Apply("sub", (out, self.term(-part)))
            else:
                out = Apply("add", (out, self.term(part)))
        return out

    def _product(self, expression: Any) -> Term:
        below = [f for f in expression.args if f.is_Pow and f.exp.is_Integer and f.exp < 0]
        below += [1 / f for f in expression.args if f.is_Rational and not f.is_Integer and f.p == 1]
        if below:
            divisor = expression.func(*(f if f.is_Integer else 1 / f for f in below))
            return Apply("div", (self.term(expression * divisor), self.term(divisor)))
        if expression.could_extract_minus_sign():
            return Apply("neg", (self.term(-expression),))
        factors = [self.term(f) for f in expression.as_ordered_factors()]
        return factors[0] if len(factors) == 1 else Apply("mul", tuple(factors))
