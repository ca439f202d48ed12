"""What is added up of a product of matrices, or of what a linear layer gives: seen through the
numbers that it is scaled by on the way and through what is added to each of its columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from auditor.notation import ONE, Apply, Const, Index, Read, Reduce, Term, Value

_TURNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


@dataclass(frozen=True)
class Step:
    """One operation on the way: with a number, or (``added`` to each column) with a vector."""

    sign: str
    other: Const | Value
    made: Value


@dataclass(frozen=True)
class AddedUp:
    """The sum of what was ``made`` along its ``summed`` axes, which stay as axes of length one
    where they are ``kept``; divided by ``by`` where that is something.
    The ``steps`` are those after it was made, first to last."""

    made: Value
    steps: tuple[Step, ...]
    summed: tuple[Index, ...]
    kept: bool
    by: Term | None


def added_up(value: Value) -> Iterator[AddedUp]:
    """The sums, or averages, that ``value`` is: of what is summed, of what that was made of, ..."""
    term, by, axes = value.body, None, value.axes
    if isinstance(term, Apply) and term.op == "div" and isinstance(term.args[0], Read):
        inner, by = term.args[0], term.args[1]
        if inner.aligned or inner.subs != axes:
            return
        term, axes = inner.value.body, inner.value.axes
    summed = list[Index]()
    while isinstance(term, Reduce) and term.op == "sum":
        summed.append(term.index)
        term = term.body
    if not summed or not isinstance(term, Read) or term.aligned:
        return
    subs = term.subs
    if len(set(subs)) != len(subs) or not all(isinstance(sub, Index) for sub in subs):
        return
    rest = tuple(sub for sub in subs if sub not in summed)
    kept = len(axes) == len(subs) and all(
        axis.extent is ONE if sub in summed else axis is sub
        for axis, sub in zip(axes, subs, strict=True)
    )
    if len(rest) + len(summed) != len(subs) or not (kept or rest == axes):
        return
    at, steps = term.value, tuple[Step, ...]()
    places = [position for position, sub in enumerate(subs) if sub in summed]
    while True:
        yield AddedUp(at, steps, tuple(at.axes[place] for place in places), kept, by)
        found = _step(at)
        if found is None:
            return
        at, step = found
        steps = (step, *steps)


def _step(value: Value) -> tuple[Value, Step] | None:
    """What a value was made of by an operation with a number or a vector."""
    body = value.body
    if not isinstance(body, Apply) or body.op not in _TURNS or len(body.args) != 2:
        return None
    ways = [body.args] if body.op in ("sub", "div") else [body.args, body.args[::-1]]
    for one, other in ways:
        if not isinstance(one, Read) or one.aligned or one.subs != value.axes:
            continue
        if isinstance(other, Const) and isinstance(other.value, (int, float)):
            if not isinstance(other.value, bool):
                return one.value, Step(_TURNS[body.op], other, value)
        elif body.op in ("add", "sub") and _of_columns(other, value):
            assert isinstance(other, Read)
            return one.value, Step(_TURNS[body.op], other.value, value)
    return None


def _of_columns(term: Term, value: Value) -> bool:
    """Whether a term is what a vector has for each column, or an array of unknown axes has."""
    if not isinstance(term, Read) or not term.value.axes:
        return False
    if term.subs == value.axes[-1:] and len(term.value.axes) == 1:
        return True
    return term.value.body is None and term.subs == value.axes
