"""Integer arithmetic on subscripts and extents, kept in one canonical form.

Polynomials with integer coefficients over atoms (symbols, indices, reads, quotients), so that
``T - 1`` reached in two ways is one term. Undoing a split (``(h*D + d) // D``) is recognised.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar, cast

from auditor.notation import ZERO, Apply, Const, Index, Term

Polynomial = dict[tuple[Term, ...], int]

_Asked = TypeVar("_Asked", bound=Callable[..., Any])
_caches: list[Callable[[], None]] = []


def _kept(function: _Asked) -> _Asked:
    """Remember results: a function of the user's is read several times, and each time asks for
    the same sums of the same sizes."""
    kept = lru_cache(maxsize=1 << 12)(function)
    _caches.append(kept.cache_clear)
    return cast(_Asked, kept)


def forget() -> None:
    """Let go of what is remembered: another file has other sizes."""
    for clear in _caches:
        clear()


def polynomial(term: Term) -> Polynomial:
    """Coefficients by monomial (a sorted tuple of atoms). Kept with the term: not to be changed."""
    if isinstance(term, Const) and isinstance(term.value, int):
        return {(): int(term.value)} if term.value else {}
    if not isinstance(term, Apply) or term.op not in ("add", "mul"):
        return {(term,): 1}
    known: Polynomial | None = term.__dict__.get("_polynomial")
    if known is None:
        known = _sum(term.args) if term.op == "add" else _product(term.args)
        object.__setattr__(term, "_polynomial", known)
    return known


def _sum(terms: tuple[Term, ...]) -> Polynomial:
    total: Polynomial = {}
    for arg in terms:
        for monomial, factor in polynomial(arg).items():
            total[monomial] = total.get(monomial, 0) + factor
    return {monomial: factor for monomial, factor in total.items() if factor}


def _product(terms: tuple[Term, ...]) -> Polynomial:
    total: Polynomial = {(): 1}
    for arg in terms:
        product: Polynomial = {}
        for left, a in total.items():
            for right, b in polynomial(arg).items():
                key = tuple(sorted((*left, *right), key=_rank)) if left and right else left or right
                product[key] = product.get(key, 0) + a * b
        total = {monomial: factor for monomial, factor in product.items() if factor}
    return total


def _rank(term: Term) -> tuple[str, int]:
    return (str(term), term.uid if isinstance(term, Index) else 0)


def _term(poly: Polynomial) -> Term:
    parts: list[Term] = []
    order = poly if len(poly) == 1 else sorted(poly, key=_place)
    for monomial in order:
        factor = poly[monomial]
        atoms = monomial if factor == 1 and monomial else (Const(factor), *monomial)
        parts.append(atoms[0] if len(atoms) == 1 else Apply("mul", atoms))
    if not parts:
        return ZERO
    return parts[0] if len(parts) == 1 else Apply("add", tuple(parts))


def _place(monomial: tuple[Term, ...]) -> tuple[bool, list[tuple[str, int]]]:
    """Numbers last."""
    return (not monomial, [_rank(atom) for atom in monomial])


@_kept
def canonical(term: Term) -> Term:
    """The same integer in canonical form; ``(a // n) * n + a % n`` is a."""
    poly = dict(polynomial(term))
    for monomial, factor in polynomial(term).items():
        rest = [atom for atom in monomial if not (isinstance(atom, Apply) and atom.op == "mod")]
        if len(monomial) - len(rest) != 1 or poly.get(monomial) != factor:
            continue
        (part,) = (atom for atom in monomial if atom not in rest)
        assert isinstance(part, Apply)
        whole, size = part.args
        above = mul(Const(factor), *rest, size, Apply("floordiv", (whole, size)))
        if len(polynomial(above)) != 1:
            continue
        ((quotient, coefficient),) = polynomial(above).items()
        if poly.get(quotient) == coefficient:
            del poly[quotient], poly[monomial]
            for atoms, number in polynomial(mul(Const(factor), *rest, whole)).items():
                poly[atoms] = poly.get(atoms, 0) + number
    return _term({monomial: factor for monomial, factor in poly.items() if factor})


@_kept
def add(*terms: Term) -> Term:
    return _term(_sum(terms))


@_kept
def mul(*terms: Term) -> Term:
    return _term(_product(terms))


@_kept
def neg(term: Term) -> Term:
    return mul(Const(-1), term)


@_kept
def sub(left: Term, right: Term) -> Term:
    return add(left, neg(right))


def constant(term: Term) -> int | None:
    """The integer a term is, or None."""
    if isinstance(term, Const) and isinstance(term.value, int):
        return int(term.value)
    return None


def floordiv(left: Term, right: Term) -> Term:
    split = _split(left, right)
    if split is not None:
        return split[0]
    a, b = constant(left), constant(right)
    if a is not None and b:
        return Const(a // b)
    return left if b == 1 else Apply("floordiv", (left, right))


def mod(left: Term, right: Term) -> Term:
    split = _split(left, right)
    if split is not None:
        return split[1]
    a, b = constant(left), constant(right)
    if a is not None and b:
        return Const(a % b)
    return ZERO if b == 1 else Apply("mod", (left, right))


def _split(left: Term, right: Term) -> tuple[Term, Term] | None:
    """``left = q * right + r`` with 0 <= r < right certain, or None."""
    divisor = polynomial(right)
    if len(divisor) != 1:
        return None
    ((atoms, factor),) = divisor.items()
    quotient: Polynomial = {}
    rest: Polynomial = {}
    for monomial, coefficient in polynomial(left).items():
        over = list(monomial)
        for atom in atoms:
            if atom not in over:
                break
            over.remove(atom)
        else:
            if coefficient % factor == 0:
                quotient[tuple(over)] = coefficient // factor
                continue
        rest[monomial] = coefficient
    remainder = _term(rest)
    if remainder is ZERO and quotient:
        return _term(quotient), ZERO
    if isinstance(remainder, Index) and remainder.extent is right:
        return _term(quotient), remainder
    number = constant(remainder)
    if number is not None and not atoms and quotient and 0 <= number < factor:
        return _term(quotient), remainder
    return None


@_kept
def lowest(term: Term) -> Term:
    """A lower bound in which no index occurs, atoms taken to be at least 0."""
    return _extreme(term, low=True)


def highest(term: Term) -> Term:
    """An upper bound in which no index occurs."""
    return _extreme(term, low=False)


def _extreme(term: Term, low: bool) -> Term:
    for _ in range(8):
        poly = polynomial(term)
        parts: list[Term] = []
        found = False
        for monomial, factor in poly.items():
            place = next((p for p, a in enumerate(monomial) if isinstance(a, Index)), None)
            if place is None:
                parts.append(_term({monomial: factor}))
                continue
            found = True
            if (factor > 0) != low:
                index = monomial[place]
                assert isinstance(index, Index)
                rest = (*monomial[:place], *monomial[place + 1 :])
                parts.append(mul(Const(factor), *rest, sub(index.extent, Const(1))))
        if not found:
            return term
        term = add(ZERO, *parts)
    return term


@_kept
def may_be_negative(term: Term) -> bool:
    """Whether the least value is a negative number, all unknown sizes being large."""
    poly = polynomial(lowest(term))
    growing = [factor for monomial, factor in poly.items() if monomial] or list(poly.values())
    return bool(poly) and all(factor < 0 for factor in growing)


def counts_up_to_a_size(term: Term) -> bool:
    """Whether a term is never negative since its indices end where they do, as in ``n - 1 - i``,
    whatever the sign of the values in it."""
    alone = all(
        len(monomial) == 1 or not any(isinstance(atom, Index) for atom in monomial)
        for monomial in polynomial(term)
    )
    least = constant(lowest(term))
    return alone and least is not None and least >= 0


def ends_below_a_size(term: Term) -> bool:
    """Whether a place before the end of an array is one that short arrays lack, as in ``n - 2``:
    what is of one place less, an empty array, has no places at all."""
    return polynomial(term).get((), 0) < -1


@_kept
def is_negative(term: Term) -> bool:
    """Whether even the greatest value is negative, unknown sizes being at least 1."""
    poly = polynomial(highest(term))
    return bool(poly) and all(factor < 0 for factor in poly.values())
