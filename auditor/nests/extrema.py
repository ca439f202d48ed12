"""Extrema that steps keep: ``best = max(best, x[i + d])``, ``if x[i, k] > best: best = x[i, k]``.

They are the extremum over all steps and of what there was before the first one. Where that is an
element that the steps look at, or the one before them, or infinity, it adds nothing.
"""

from __future__ import annotations

import ast
import math
from itertools import product
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.nests.adding import combined, subs_of
from auditor.nests.integers import CannotSay
from auditor.nests.parts import Part, Scope, put
from auditor.nests.written_cells import cell_at
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    free_indices,
    transform,
)

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions
    from auditor.nests.reader import Reader

_EXTREMA = frozenset(("max", "min"))
_MOST = 64
_WAYS = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)


def kept(reader: Reader, node: ast.If, scope: Scope) -> bool:
    """``if x > best: best = x``, as what is then the larger or the smaller of two; whether it
    is that."""
    test, body = node.test, node.body
    if node.orelse or len(body) != 1 or not isinstance(body[0], ast.Assign):
        return False
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or len(body[0].targets) != 1:
        return False
    (target,), (op,) = body[0].targets, test.ops
    if not isinstance(target, (ast.Name, ast.Subscript)) or not isinstance(op, _WAYS):
        return False
    if isinstance(target, ast.Name) and target.id not in scope:
        return False
    sides = [reader.reading.part(side, scope) for side in (test.left, *test.comparators)]
    value, now = (reader.reading.part(each, scope) for each in (body[0].value, target))
    terms = [side.term for side in sides]
    if set(terms) != {value.term, now.term} or any(side.axes for side in sides):
        return False
    larger = isinstance(op, (ast.Gt, ast.GtE)) is (terms[0] is value.term)
    kept = Part((), Apply("max" if larger else "min", (now.term, value.term)))
    if isinstance(target, ast.Name):
        scope[target.id] = kept
    else:
        reader._store(cell_at(reader, target, scope), kept)
    return True


def over(reading: Expressions, term: Term, old: Value, index: Index) -> Term | None:
    """What is kept after all steps of ``index``; None where a step does not keep an extremum, or
    keeps one of what is the same at every step."""
    found = combined(term, old)
    if found is None or found[0] not in _EXTREMA or reading.walks[index].tiles:
        return None
    op, value = found
    if index not in free_indices(value) or any(pair[1] is index for pair in reading.beside):
        return None
    total = reading.reduced(Part((), value), index, op=op).term
    return Apply(op, (Read(old, subs_of(term, old)), total))


def settled(reading: Expressions, term: Term) -> Term:
    """``term`` with what was kept before the first step left out where it adds nothing."""

    def change(node: Term) -> Term:
        if not isinstance(node, Apply) or node.op not in _EXTREMA or len(node.args) != 2:
            return node
        start, total = node.args
        if not isinstance(total, Reduce) or total.op != node.op:
            return node
        gone, body = _taken(total)
        if _among(reading, start, gone, body):
            return total
        longer = _from_the_one_before(reading, start, gone, body)
        if longer is not None:
            return Reduce(node.op, longer, put(body, {gone[0]: longer}))
        for index in gone:
            _has_steps(reading, index)
        nothing = _never(start, node.op) or _at_first(reading, start, gone, body)
        return total if nothing else node

    return transform(term, change)


def _taken(total: Reduce) -> tuple[list[Index], Term]:
    """The indices of an extremum, and of what it is one."""
    gone, body = [total.index], total.body
    while isinstance(body, Reduce) and body.op == total.op:
        gone.append(body.index)
        body = body.body
    return gone, body


def _never(start: Term, op: str) -> bool:
    """Whether everything is as large, or as small."""
    if isinstance(start, Apply) and start.op == "neg":
        return _never(start.args[0], "min" if op == "max" else "max")
    return isinstance(start, Const) and start.value == (-math.inf if op == "max" else math.inf)


def _among(reading: Expressions, start: Term, gone: list[Index], body: Term) -> bool:
    """Whether one of the steps looks at the element that there was before."""
    walks = [reading.walks[index] for index in gone]
    ends = [tuple(map(extents.constant, (w.low, w.high, w.stride))) for w in walks]
    if not isinstance(start, Read) or any(None in end for end in ends):
        return _first(reading, start, gone, body)
    places = [range(*end) for end in ends]  # type: ignore[arg-type]
    if math.prod(map(len, places)) > _MOST:
        return _first(reading, start, gone, body)
    return any(
        put(body, dict(zip(gone, map(Const, at), strict=True))) is start for at in product(*places)
    )


def _at_first(reading: Expressions, start: Term, gone: list[Index], body: Term) -> bool:
    """Whether the first step, where there is one, looks at the element that there was before."""
    lows: dict[Term, Term] = {index: reading.walks[index].low for index in gone}
    return isinstance(start, Read) and put(body, lows) is start


def _first(reading: Expressions, start: Term, gone: list[Index], body: Term) -> bool:
    """The same where there certainly is a first step: of an axis that is walked wholly what there
    was could not be read otherwise."""
    return isinstance(body, Read) and _at_first(reading, start, gone, body) and all(
        any(
            sub is index and (index, body.value, place) in reading.whole
            for place, sub in enumerate(body.subs)
        )
        for index in gone
    )  # fmt: skip


def _from_the_one_before(
    reading: Expressions, start: Term, gone: list[Index], body: Term
) -> Index | None:
    """The index of a walk that begins one step earlier, where the element before is that."""
    held = reading.walks[gone[0]]
    before = extents.sub(held.low, ONE)
    if len(gone) != 1 or extents.constant(held.stride) != 1 or held.within is not None:
        return None
    if not isinstance(start, Read) or put(body, {gone[0]: before}) is not start:
        return None
    made = reading.index(gone[0].name, before, held.high)
    if before is not ZERO or not isinstance(body, Read) or not _whole(reading, made, gone[0], body):
        _has_steps(reading, made)
    return made


def _whole(reading: Expressions, made: Index, index: Index, body: Read) -> bool:
    """Whether the longer walk goes through all of an axis, which is noted then."""
    found = False
    high = reading.walks[made].high
    for place, sub in enumerate(body.subs):
        extent = body.value.axes[place].extent if place < len(body.value.axes) else None
        if sub is index and extent is not None and extents.constant(extents.sub(high, extent)) == 0:
            reading.whole.add((made, body.value, place))
            found = True
    return found


def _has_steps(reading: Expressions, index: Index) -> None:
    """An extremum of nothing raises, where the loop keeps what there was."""
    held = reading.walks[index]
    if (held.length or 0) > 0:
        return
    try:
        text = reading.integers.text(extents.sub(held.high, held.low))
    except CannotSay:
        text = f"the number of steps of `{index.name}`"
        reading.assume(f"{text} is more than 0")
    else:
        reading.assume(f"`{text}` is more than 0")
