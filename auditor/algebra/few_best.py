"""The few best, kept in so many variables, each other than the rest or begun as None: two pieces
are put together by putting what the right one keeps into the left one, as a step does.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from auditor.algebra.choices import asked_once
from auditor.algebra.monoid import Part, field, renamed
from auditor.algebra.states import Dependence
from auditor.notation import (
    FALSE,
    INF,
    NONE,
    Apply,
    Carry,
    Const,
    Read,
    Term,
    Value,
    transform,
    walk,
)

_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b, "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
}  # fmt: skip
_MOST = 3


def few_best(carries: list[Carry], dependence: Dependence) -> Part | None:
    """A few carried values in order, into which a step puts its element."""
    if not 2 <= len(carries) <= _MOST:
        return None
    states = [c.state for c in carries]
    elements = {
        arg
        for c in carries
        for node in walk(c.update)
        if isinstance(node, Apply) and node.op in (*_ORDERS, "max", "min")
        for arg in node.args
        if not dependence.mentions(arg, states) and arg not in (NONE, FALSE)
    }
    if len(elements) != 1:
        return None
    (element,) = elements
    for order in itertools.permutations(carries):
        for largest, once in itertools.product((True, False), repeat=2):
            if _inserts(order, element, largest, once):
                return _part(order, element, largest, once)
    return None


def _nothing(order: Sequence[Carry], largest: bool) -> Term | None:
    """What all of them begin as, if that is nothing at all."""
    starts = {c.init for c in order}
    bottom = Const(float("-inf")) if largest else INF
    (start,) = starts if len(starts) == 1 else (None,)
    return start if start in (NONE, bottom) else None


def _inserts(order: Sequence[Carry], element: Term, largest: bool, once: bool) -> bool:
    """Does a step put its element among those kept, whatever these are?"""
    nothing = _nothing(order, largest)
    if nothing is None:
        return False
    none = nothing is NONE
    for held in _kept(len(order), largest, once):
        there = [value for value in held if value is not None]
        for new in range(-1, 2 * len(order) + 2):
            values = [*there] if once and new in there else [*there, new]
            best = sorted(values, reverse=largest)[: len(order)]
            wanted = [*best, *[None] * (len(order) - len(best))]
            given = {c.state: _valued(v, none, largest) for c, v in zip(order, held, strict=True)}
            try:
                after = [_value(c.update, given, element, new) for c in order]
            except (KeyError, TypeError):
                return False
            if after != [_valued(v, none, largest) for v in wanted]:
                return False
    return True


def _kept(count: int, largest: bool, once: bool) -> Iterator[list[int | None]]:
    """What may be kept, in order: None where there were not as many yet."""
    choose = itertools.combinations if once else itertools.combinations_with_replacement
    for some in range(count + 1):
        for values in choose(range(0, 2 * count, 2), some):
            yield [*sorted(values, reverse=largest), *[None] * (count - some)]


def _valued(value: int | None, none: bool, largest: bool) -> Any:
    if value is not None or none:
        return value
    return float("-inf") if largest else float("inf")


def _value(term: Term, given: dict[Value, Any], element: Term, new: int) -> Any:
    """``term`` as a choice among values; KeyError where it is more than that."""

    def of(arg: Term) -> Any:
        return _value(arg, given, element, new)

    if term is element:
        return new
    if isinstance(term, Read):
        return given[term.value]
    if isinstance(term, Const) and (term.value is None or isinstance(term.value, bool)):
        return term.value
    if not isinstance(term, Apply):
        raise KeyError(term)
    op, args = term.op, term.args
    if op == "where":
        return of(args[1] if of(args[0]) else args[2])
    if op in ("and", "or"):
        first = of(args[0])
        return of(args[1]) if bool(first) == (op == "and") else first
    if op == "not":
        return not of(args[0])
    if op == "is":
        return of(args[0]) is of(args[1])
    if op in ("max", "min"):
        return (max if op == "max" else min)(map(of, args))
    return _ORDERS[op](*map(of, args))


def _part(order: Sequence[Carry], element: Term, largest: bool, once: bool) -> Part:
    nothing = _nothing(order, largest)
    assert nothing is not None
    words = f"{'largest' if largest else 'smallest'}{', each once' if once else ''}"
    fields = [field(c.name, f"number {n + 1} of the {words}", nothing) for n, c in enumerate(order)]
    lefts: list[Term] = [f.left for f in fields]

    def put(kept: list[Term], new: Term) -> list[Term]:
        by: dict[Value, Term] = {c.state: t for c, t in zip(order, kept, strict=True)}

        def change(term: Term) -> Term:
            return renamed(transform(term, lambda n: new if n is element else n), by)

        return [change(c.update) for c in order]

    both = lefts
    for f in fields:
        absent = (
            Apply("is", (f.right, NONE)) if nothing is NONE else Apply("eq", (f.right, nothing))
        )
        both = [asked_once(absent, old, new)
                for old, new in zip(both, put(both, f.right), strict=True)]  # fmt: skip
    names = ", ".join(c.name for c in order)
    return Part(
        tuple(c.state for c in order), tuple(fields), tuple(put(lefts, element)), tuple(both),
        tuple(f.left for f in fields),
        f"the {len(order)} {words}, in order",
        f"({names}) are kept in order, and a step inserts the element: checked in every order that "
        "the values can have; what one piece keeps is put into what the other one keeps", "exact",
    )  # fmt: skip
