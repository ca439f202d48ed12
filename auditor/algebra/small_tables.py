"""Carried whole numbers of which there are only a few, or which are only looked at modulo a small
number: a step is a table with a row for each, and tables compose.

Source: Ladner and Fischer, "Parallel Prefix Computation" (1980), on automata.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from auditor.algebra.as_fold import ScalarFold
from auditor.algebra.few_values import Interval, known_inputs, reached
from auditor.notation import Apply, Carry, Const, Read, Term, Value, children, walk

_MOST_ROWS = 16
_RING = frozenset("add sub mul neg".split())
_VALUES = frozenset("and or is".split())
"""What gives one of its operands, which need be no truth value."""


def table(fold: ScalarFold, carries: Sequence[Carry], integers: frozenset[str]) -> str | None:
    """What makes a step of ``carries`` a small table, in words; None where it is none.
    ``integers`` are the inputs that are said to hold whole numbers."""
    ops = {n.op for c in carries for n in walk(c.update) if isinstance(n, Apply)}
    if ops & _VALUES or any(op.startswith("call:") for op in ops):
        return None
    mine = {carry.state for carry in carries}
    others = {carry.state for carry in fold.scan.carries} - mine
    if any(isinstance(n, Read) and n.value in others for c in carries for n in walk(c.update)):
        return None
    now = reached(fold, integers)
    names = " and ".join(carry.name for carry in carries)
    rows = math.prod(_count(now[state]) for state in mine)
    if rows <= _MOST_ROWS:
        return (
            f"{names} takes {int(rows)} whole values after a step: a step is a table with a row "
            "for each"
        )
    if len(carries) > 1 or not now[carries[0].state].whole:
        return None
    (carry,) = carries
    modulus = _modulus(carry.update, carry.state, known_inputs(fold, integers))
    if modulus is None or modulus > _MOST_ROWS:
        return None
    return (
        f"of {names}, a whole number, a step only looks at the remainder by {modulus}: a step "
        f"is a table of {modulus} rows"
    )


def _count(values: Interval) -> float:
    return values.high - values.low + 1 if values.few else math.inf


def _modulus(term: Term, state: Value, known: Mapping[Value, Interval]) -> int | None:
    """A number such that states with the same remainder by it give the same; None for none."""
    if not any(isinstance(node, Read) and node.value is state for node in walk(term)):
        return 1
    if not isinstance(term, Apply):
        return None
    if term.op == "mod":
        inner, by = term.args
        number = by.value if isinstance(by, Const) else None
        if type(number) is int and number > 0 and _whole(inner, state, known):
            return number
    found = 1
    for part in children(term):
        other = _modulus(part, state, known)
        if other is None:
            return None
        found = math.lcm(found, other)
    return found


def _whole(term: Term, state: Value, known: Mapping[Value, Interval]) -> bool:
    """Is it a polynomial in the state with whole coefficients?"""
    if isinstance(term, Const):
        return type(term.value) is int
    if isinstance(term, Read):
        return term.value is state or (term.value in known and known[term.value].whole)
    return isinstance(term, Apply) and term.op in _RING and all(
        _whole(part, state, known) for part in term.args
    )  # fmt: skip
