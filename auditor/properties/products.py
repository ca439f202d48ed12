"""A body of two indices as a sum of as few products as its normal form shows.

Every term of the body is a factor over one index times a factor over the other. The coefficients
of these pairs are a matrix of numbers, whose rank (exact, by elimination) is the number of products
that are needed: ``x y + 2 x`` is one product, ``(x - y)^2`` three. Sine and cosine of a sum split
by their addition theorems first.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from auditor.algebra.functions import call
from auditor.algebra.polynomial import (
    Atom,
    Factors,
    Number,
    Poly,
    add,
    monomial,
    multiply,
    of,
    order,
    power,
    product,
    scale,
    subtract,
)

Products = list[tuple[Poly, Poly]]


def products(p: Poly, u: Atom, v: Atom) -> Products | None:
    """``p`` as a sum of products of a factor without ``v`` and a factor without ``u``; None where a
    factor mixes the two."""
    opened = _opened(p, u, v)
    rows: dict[Factors, dict[Factors, Number]] = {}
    for factors in sorted(opened.terms, key=order, reverse=True):
        coefficient = opened.terms[factors]
        if any(u in atom.free and v in atom.free for atom, _ in factors):
            return None
        mine = frozenset((a, e) for a, e in factors if u in a.free)
        row = rows.setdefault(mine, {})
        row[factors - mine] = coefficient
    return _factored(rows)


def _factored(rows: dict[Factors, dict[Factors, Number]]) -> Products:
    """The matrix as columns times rows: each pivot row of the elimination is a right factor, what
    was subtracted of it is the left one."""
    left: list[dict[Factors, Number]] = []
    right: list[tuple[Factors, dict[Factors, Number]]] = []
    for name, row in rows.items():
        rest: dict[Factors, Number] = dict(row)
        for number, (pivot, known) in enumerate(right):
            by = Fraction(rest.get(pivot, 0)) / Fraction(known[pivot])
            if by:
                left[number][name] = by
                rest = {key: rest.get(key, 0) - by * known.get(key, 0) for key in rest | known}
                rest = {key: value for key, value in rest.items() if value}
        if rest:
            right.append((next(iter(rest)), rest))
            left.append({name: 1})
    return [(_sum(one), _sum(two)) for one, (_, two) in zip(left, right, strict=True)]


def _sum(weights: dict[Factors, Number]) -> Poly:
    return add(*(monomial(factors, c) for factors, c in weights.items()))


def _opened(p: Poly, u: Atom, v: Atom) -> Poly:
    """``p`` with sines and cosines of g(u) + h(v) taken apart."""
    if not any(_splits(atom, u, v) for factors in p.terms for atom, _ in factors):
        return p
    terms = []
    for factors, coefficient in p.terms.items():
        parts: list[Poly] = [monomial(frozenset(), coefficient)]
        for atom, exponent in factors:
            apart = _addition(atom, u) if _splits(atom, u, v) and exponent > 0 else of(atom)
            parts.append(power(apart, exponent))
        terms.append(product(parts))
    return add(*terms)


def _splits(atom: Atom, u: Atom, v: Atom) -> bool:
    if atom.kind != "fn" or atom.args[0] not in ("sin", "cos"):
        return False
    terms: Iterable[Factors] = atom.args[1][0].terms
    both = [any(u in a.free for a, _ in f) and any(v in a.free for a, _ in f) for f in terms]
    return u in atom.free and v in atom.free and not any(both)


def _addition(atom: Atom, u: Atom) -> Poly:
    op, (inside,) = atom.args
    mine = Poly({f: c for f, c in inside.terms.items() if any(u in a.free for a, _ in f)})
    (sine, cosine), (other, cosines) = _waves(mine), _waves(subtract(inside, mine))
    if op == "cos":
        return add(multiply(cosine, cosines), scale(multiply(sine, other), -1))
    return add(multiply(sine, cosines), multiply(cosine, other))


def _waves(p: Poly) -> tuple[Poly, Poly]:
    """The sine and the cosine of ``p``, a minus sign taken out."""
    if all(coefficient < 0 for coefficient in p.terms.values()):
        return scale(call("sin", scale(p, -1)), -1), call("cos", scale(p, -1))
    return call("sin", p), call("cos", p)
