"""Finite control: carried values that can only take a few known values, and what the rest of a
stage becomes for each of them.

The values are found by running the update on those that are known until nothing is new; then a
step is a table from values to values, and tables compose.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction

from auditor.algebra.limits import tick
from auditor.algebra.states import Dependence
from auditor.notation import FALSE, TRUE, Apply, Carry, Const, Read, Term, Value, transform, walk

MOST_VALUES = 8
MOST_ROWS = 16


def values_of(
    carries: Sequence[Carry], updates: Sequence[Term], dependence: Dependence
) -> dict[Value, tuple[Const, ...]] | None:
    """The values that each of the carries can take, or None if they are not a few known ones."""
    states = [carry.state for carry in carries]
    if any(state.axes for state in states) or any(_unknown(u, states, dependence) for u in updates):
        return None
    found: dict[Value, list[Const]] = {}
    for carry in carries:
        if carry.state.dtype == "bool":
            found[carry.state] = [FALSE, TRUE]
        else:
            start = settled(carry.init) if isinstance(carry.init, Apply) else carry.init
            if not isinstance(start, Const) or start.value is None:
                return None
            found[carry.state] = [start]
    growing = True
    while growing:
        growing = False
        for row in itertools.product(*(tuple(found[state]) for state in states)):
            given = dict(zip(states, row, strict=True))
            for carry, update in zip(carries, updates, strict=True):
                known = found[carry.state]
                for value in leaves(replaced(update, given)):
                    if not isinstance(value, Const) and carry.state.dtype != "bool":
                        both = _truth_leaves(value)
                        if both is None:
                            return None
                        news = [v for v in both if v not in known]
                    else:
                        news = [value] if isinstance(value, Const) and value not in known else []
                    if news:
                        known.extend(news)
                        growing = True
        size = 1
        for state in states:
            size *= len(found[state])
            if len(found[state]) > MOST_VALUES:
                return None
        if size > MOST_ROWS:
            return None
    if any(dependence.mentions(replaced(u, dict(zip(states, row, strict=True))), states)
           for row in itertools.product(*(found[s] for s in states)) for u in updates):  # fmt: skip
        return None
    return {state: tuple(values) for state, values in found.items()}


def _unknown(term: Term, states: Sequence[Value], dependence: Dependence) -> bool:
    """Does it call what is not known, which may depend on more than it is shown with?"""
    return any(
        isinstance(node, Apply)
        and node.op.startswith("call:value ")
        and dependence.mentions(node, states)
        for node in walk(term)
    )


def _truth_leaves(term: Term) -> tuple[Const, Const] | None:
    """Both truths, for a term that is one of them."""
    truths = ("and", "or", "xor", "not", "eq", "ne", "lt", "le", "gt", "ge", "cast:bool")
    if isinstance(term, Apply) and term.op in truths:
        return FALSE, TRUE
    if isinstance(term, Read) and term.value.dtype == "bool":
        return FALSE, TRUE
    return None


def leaves(term: Term) -> list[Term]:
    """What a nest of branches may come out as."""
    if isinstance(term, Apply) and term.op == "where":
        return [leaf for arg in term.args[1:] for leaf in leaves(arg)]
    return [term]


def replaced(term: Term, by: Mapping[Value, Const]) -> Term:
    """``term`` with values of carried ones in their place, and what is decided by them settled."""

    def change(node: Term) -> Term:
        tick()
        if isinstance(node, Read):
            return by.get(node.value, node)
        return settled(node) if isinstance(node, Apply) else node

    return transform(term, change)


def settled(node: Apply) -> Term:
    """A function of constants, or a connective or branch that one constant decides."""
    op, args = node.op, node.args
    if op == "where":
        truth = _truth(args[0])
        if truth is not None:
            return args[1] if truth else args[2]
        return args[1] if args[1] is args[2] else node
    if op in ("and", "or"):
        kept = []
        for arg in args:
            truth = _truth(arg)
            if truth is None:
                kept.append(arg)
            elif truth == (op == "or"):
                return TRUE if truth else FALSE
        if not kept:
            return TRUE if op == "and" else FALSE
        return kept[0] if len(kept) == 1 and _is_truth(kept[0]) else node
    if op == "not":
        truth = _truth(args[0])
        return node if truth is None else Const(not truth)
    if not all(isinstance(arg, Const) for arg in args):
        return node
    values = [arg.value for arg in args if isinstance(arg, Const)]
    return _computed(node, values)


def _is_truth(term: Term) -> bool:
    return _truth_leaves(term) is not None or term in (TRUE, FALSE)


def _truth(term: Term) -> bool | None:
    if not isinstance(term, Const) or term.value is None:
        return None
    return bool(term.value)


def _computed(node: Apply, values: Sequence[object]) -> Term:
    op = node.op
    if op in ("eq", "ne"):
        return Const((values[0] == values[1]) == (op == "eq"))
    numbers = [v for v in values if isinstance(v, (int, float))]
    if len(numbers) != len(values):
        return node
    a, b = numbers[0], numbers[-1]
    if op in ("lt", "le", "gt", "ge"):
        return Const({"lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[op])
    if op == "xor" and len(numbers) == 2:
        return Const(bool(a) != bool(b))
    if op == "cast:bool":
        return Const(bool(a))
    if not all(isinstance(n, int) for n in numbers):
        return node
    whole = [Fraction(int(n)) for n in numbers]
    exact: Fraction | None = None
    if op == "add":
        exact = sum(whole, Fraction(0))
    elif op == "sub":
        exact = whole[0] - whole[1]
    elif op == "neg":
        exact = -whole[0]
    elif op == "mul":
        exact = Fraction(1)
        for n in whole:
            exact *= n
    elif op == "mod" and whole[1] > 0:
        exact = whole[0] % whole[1]
    elif op in ("max", "min"):
        exact = max(whole) if op == "max" else min(whole)
    if exact is None or exact.denominator != 1 or abs(exact) > 1 << 30:
        return node
    return Const(int(exact))


def valuations(values: Mapping[Value, tuple[Const, ...]]) -> list[dict[Value, Const]]:
    """Every combination, the initial one among them."""
    states = list(values)
    rows = itertools.product(*values.values())
    return [dict(zip(states, row, strict=True)) for row in rows]
