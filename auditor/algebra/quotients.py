"""Carried values that are quotients of linear functions of each other, with one divisor: as
numerators over that divisor they are linear, and matrices compose. Continued fractions, the
Thomas sweep and normalised forward probabilities are of this kind.

Over the reals, where no step divides by zero.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from auditor.algebra.choices import settled
from auditor.algebra.monoid import Part, renamed, start_of
from auditor.algebra.semirings import chosen
from auditor.algebra.states import Dependence
from auditor.algebra.symbols import NoTerm, Symbols
from auditor.notation import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Apply,
    Carry,
    Const,
    Read,
    Term,
    Value,
    transform,
    walk,
)

_MOST_CONDITIONS = 3


@dataclass(frozen=True, eq=False)
class Homogeneous:
    """The numerators and the divisor as carried values; ``originals`` by numerator."""

    carries: list[Carry]
    divisor: Value
    originals: dict[Value, Carry]

    def back(self, part: Part) -> Part:
        """The part with the quotients as carried values."""
        starts: dict[Value, Term] = {self.divisor: ONE}
        starts |= {new: start_of(old) for new, old in self.originals.items()}
        by = {state: renamed(t, starts) for state, t in zip(part.carries, part.finish, strict=True)}
        carries, finish = [], []
        for state in part.carries:
            if state is self.divisor:
                continue
            old = self.originals.get(state)
            carries.append(state if old is None else old.state)
            term = by[state]
            finish.append(term if old is None else Apply("div", (term, by[self.divisor])))
        names = ", ".join(old.name for old in self.originals.values())
        return replace(
            part,
            carries=tuple(carries),
            finish=tuple(finish),
            algebra=f"fractional linear functions: {part.algebra}",
            proof=f"{names} over one divisor, where no step divides by zero; {part.proof}",
            numerics="conditioned",
        )


def homogeneous(carries: list[Carry], rows: list[Carry], taken: set[str]) -> Homogeneous | None:
    """``rows`` among ``carries`` as numerators over one divisor, or None."""
    states = {row.state for row in rows}
    dependence = Dependence()
    divides = any(
        isinstance(node, Apply)
        and node.op in ("div", "reciprocal")
        and dependence.mentions(node.args[-1], states)
        for row in rows
        for node in walk(row.update)
    )
    if not divides:
        return None
    conditions = _conditions(rows, states, dependence)
    if conditions is None:
        return None
    matrix = _decided(rows, conditions, {})
    if matrix is None:
        return None
    tops = {row.state: Value(row.name, (), kind="state") for row in rows}
    below = "below"
    while below in taken:
        below += "_"
    divisor = Value(below, (), kind="state")
    places: list[Term] = [*(Read(top, ()) for top in tops.values()), Read(divisor, ())]
    updates = [
        _sum([Apply("mul", (entry, place)) for entry, place in zip(line, places, strict=True)
              if entry is not ZERO])
        for line in matrix
    ]  # fmt: skip
    made = [c for c in carries if c.state not in states]
    if any(dependence.mentions(c.update, states) for c in made):
        return None
    made += [
        Carry(row.name, tops[row.state], Read(tops[row.state], ()), update)
        for row, update in zip(rows, updates, strict=False)
    ]
    made.append(Carry(below, divisor, ONE, updates[-1]))
    return Homogeneous(made, divisor, {tops[row.state]: row for row in rows})


def _conditions(rows: list[Carry], states: set[Value], dependence: Dependence) -> list[Term] | None:
    found: list[Term] = []
    for row in rows:
        for node in walk(row.update):
            if isinstance(node, Apply) and node.op == "where":
                if dependence.mentions(node.args[0], states):
                    return None
                if node.args[0] not in found:
                    found.append(node.args[0])
    return found if len(found) <= _MOST_CONDITIONS else None


def _taken(term: Term, by: dict[Term, Const]) -> Term:
    def change(node: Term) -> Term:
        if isinstance(node, Apply) and node.op == "where" and node.args[0] in by:
            return node.args[1] if by[node.args[0]] is TRUE else node.args[2]
        return node

    return settled(transform(term, change), {})


def _decided(
    rows: list[Carry], conditions: list[Term], by: dict[Term, Const]
) -> list[list[Term]] | None:
    """The matrix of a step, each entry a choice by the conditions that are left."""
    if not conditions:
        return _matrix([_taken(row.update, by) for row in rows], rows)
    condition, *rest = conditions
    then = _decided(rows, rest, {**by, condition: TRUE})
    other = _decided(rows, rest, {**by, condition: FALSE})
    if then is None or other is None:
        return None
    return [
        [chosen(condition, a, b) for a, b in zip(one, two, strict=True)]
        for one, two in zip(then, other, strict=True)
    ]


def _matrix(updates: list[Term], rows: list[Carry]) -> list[list[Term]] | None:
    """The rows of the numerators, then that of the divisor, over (states, 1)."""
    import sympy

    symbols, dependence = Symbols(), Dependence()
    states = {row.state for row in rows}
    own = [symbols.symbol(Read(row.state, ())) for row in rows]
    parts = [sympy.fraction(sympy.cancel(sympy.together(symbols.of(u)))) for u in updates]
    below = reduce(sympy.lcm, [low for _, low in parts])
    above = [sympy.cancel(high * below / low) for high, low in parts]
    matrix = []
    for expression in (*above, below):
        hidden = expression.free_symbols - set(own)
        if any(dependence.mentions(symbols.term(symbol), states) for symbol in hidden):
            return None
        line = _line(sympy.expand(expression), own, symbols)
        if line is None:
            return None
        matrix.append(line)
    return matrix


def _line(expression: Any, own: list[Any], symbols: Symbols) -> list[Term] | None:
    import sympy

    try:
        poly = sympy.Poly(expression, *own)
        if poly.total_degree() > 1:
            return None
        terms = [symbols.term(sympy.factor(poly.coeff_monomial(s))) for s in (*own, 1)]
    except (sympy.PolynomialError, NoTerm):
        return None
    return terms


def _sum(terms: list[Term]) -> Term:
    if not terms:
        return ZERO
    return terms[0] if len(terms) == 1 else Apply("add", tuple(terms))
