"""The laws of a derived monoid, checked by sympy on symbols.

combine(init, s) = s = combine(s, init); combine(combine(a, b), c) = combine(a, combine(b, c)); and
update(s, x) = combine(s, update(init, x)). Together: update(combine(a, b), x) =
combine(a, update(b, x)). A choice is followed both ways, each way by itself.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from auditor.algebra.choices import decided
from auditor.algebra.monoid import Part, renamed
from auditor.algebra.symbols import Symbols
from auditor.notation import FALSE, TRUE, Apply, Const, Read, Term, Value, transform, walk

MOST_CASES = 256


@dataclass(frozen=True)
class Checked:
    """Which laws were shown on symbols, in how many cases; ``left`` names what was not."""

    laws: tuple[str, ...]
    cases: int
    left: tuple[str, ...] = ()


def check(part: Part) -> Checked:
    """The laws of one part. A law that fails is in ``left``, as is one that cannot be decided."""
    copies = [_copy(part, name) for name in "abc"]
    a, b, c = copies
    identity = tuple(field.identity for field in part.fields)
    laws: list[tuple[str, tuple[Term, ...], tuple[Term, ...]]] = []
    if not part.guarded:
        laws.append(("identity", _combine(part, identity, a), a))
        laws.append(("identity", _combine(part, a, identity), a))
    laws.append(
        (
            "associativity",
            _combine(part, _combine(part, a, b), c),
            _combine(part, a, _combine(part, b, c)),
        )
    )
    if not part.guarded:
        # of derived coordinates the step is proven where they are found
        once = _update(part, identity)
        laws.append(("update", _update(part, a), _combine(part, a, once)))
    shown: dict[str, bool] = {}
    cases = 0
    for name, left, right in laws:
        count = 0
        good = True
        for one, other in zip(left, right, strict=True):
            done = _equal(one, other)
            good = good and done is not None
            count += done or 0
        cases += count
        shown[name] = shown.get(name, True) and good
    return Checked(
        tuple(name for name, good in shown.items() if good),
        cases,
        tuple(name for name, good in shown.items() if not good),
    )


def _copy(part: Part, name: str) -> tuple[Term, ...]:
    return tuple(Read(Value(f"{f.name}_{name}", (), kind="state"), ()) for f in part.fields)


def _combine(part: Part, a: tuple[Term, ...], b: tuple[Term, ...]) -> tuple[Term, ...]:
    by: dict[Value, Term] = {f.own: t for f, t in zip(part.fields, a, strict=True)}
    by |= {f.other: t for f, t in zip(part.fields, b, strict=True)}
    return tuple(renamed(term, by) for term in part.combine)


def _update(part: Part, state: tuple[Term, ...]) -> tuple[Term, ...]:
    by: dict[Value, Term] = {f.own: t for f, t in zip(part.fields, state, strict=True)}
    return tuple(renamed(term, by) for term in part.update)


def _equal(a: Term, b: Term) -> int | None:
    """In how many cases the terms were compared; None unless they are equal in all."""
    if a is b:
        return 1
    conditions = _conditions((a, b))
    if 2 ** len(conditions) > MOST_CASES:
        return None
    cases = 0
    for choice in itertools.product((TRUE, FALSE), repeat=len(conditions)):
        by = dict(zip(conditions, choice, strict=True))
        one, other = _followed(a, by), _followed(b, by)
        cases += 1
        if one is other:
            continue
        if _conditions((one, other)):
            return None
        extremes = _extremes(one) | _extremes(other)
        if _canonical(one, extremes) != _canonical(other, extremes):
            return None
    return cases


def _conditions(terms: tuple[Term, ...]) -> list[Term]:
    """What the choices in the terms ask, innermost questions apart."""
    found: list[Term] = []
    for term in terms:
        for node in walk(term):
            if isinstance(node, Apply) and node.op == "where":
                for question in _questions(node.args[0]):
                    if question not in found:
                        found.append(question)
            elif isinstance(node, Apply) and node.op in ("and", "or", "not"):
                for question in _questions(node):
                    if question not in found:
                        found.append(question)
    return found


def _questions(term: Term) -> list[Term]:
    if isinstance(term, Const):
        return []
    if isinstance(term, Apply) and term.op in ("and", "or", "not", "where"):
        return [q for arg in term.args for q in _questions(arg)]
    return [term]


def _followed(term: Term, by: dict[Term, Const]) -> Term:
    def change(node: Term) -> Term:
        if node in by:
            return by[node]
        return decided(node) if isinstance(node, Apply) else node

    return transform(term, change)


def _extremes(term: Term) -> frozenset[str]:
    return frozenset(n.op for n in walk(term) if isinstance(n, Apply) and n.op in ("max", "min"))


def _canonical(term: Term, extremes: frozenset[str]) -> Any:
    """A form in which equal terms over one semiring are the same."""
    exponential = any(isinstance(n, Apply) and n.op == "exp" for n in walk(term))
    symbols = _SHARED
    if len(extremes) == 1 and not exponential:
        return frozenset(_sums(term, next(iter(extremes)), symbols))
    if extremes == {"max", "min"} and not _moved(term):
        return _lattice(term)
    import sympy

    expression = symbols.of(term)
    if exponential:
        return sympy.simplify(sympy.expand(expression))
    return sympy.ratsimp(expression) if _divided(term) else sympy.expand(expression)


_SHARED = Symbols()


def _divided(term: Term) -> bool:
    return any(isinstance(n, Apply) and n.op == "div" for n in walk(term))


def _moved(term: Term) -> bool:
    return any(isinstance(n, Apply) and n.op not in ("max", "min") for n in walk(term))


def _lattice(term: Term) -> frozenset[frozenset[Term]]:
    """Maxima and minima as the maximum of minima, none of which contains another."""
    if not isinstance(term, Apply):
        return frozenset((frozenset((term,)),))
    sides = [_lattice(arg) for arg in term.args]
    if term.op == "max":
        clauses = frozenset().union(*sides)
    else:
        clauses = frozenset(frozenset().union(*chosen) for chosen in itertools.product(*sides))
    bottom, top = Const(float("-inf")), Const(float("inf"))
    clauses = frozenset(c - {top} if len(c) > 1 else c for c in clauses if bottom not in c)
    return frozenset(c for c in clauses if not any(other < c for other in clauses))


def _sums(term: Term, op: str, symbols: Symbols) -> set[Any]:
    """A maximum of sums as the set of its sums."""
    import sympy

    if isinstance(term, Apply) and term.op == op:
        found = {s for arg in term.args for s in _sums(arg, op, symbols)}
        none = -sympy.oo if op == "max" else sympy.oo
        return found - {none} or found
    if isinstance(term, Apply) and term.op == "add":
        sides = [_sums(arg, op, symbols) for arg in term.args]
        return {sympy.Add(*chosen) for chosen in itertools.product(*sides)}
    return {symbols.of(term)}
