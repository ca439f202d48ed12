"""Elements whose places are looked up beside places that count with the loops, as one subscript:
``x[b, idx[b]]`` for all b is ``x[np.arange(n), idx]``. Both libraries take arrays of places
together, and put their axes where these stand, or first if they do not stand side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.nests.integers import CannotSay
from auditor.nests.parts import Filled, indices, lookups
from auditor.nests.said import Said
from auditor.notation import Apply, Index, Read, Term, Value, children, walk
from auditor.syntax import without_idle

if TYPE_CHECKING:
    from auditor.nests.code import Code


def along_loops(term: Read) -> bool:
    """Whether a read looks up several places, or one beside a place that moves with it."""
    looked = [lookups(sub) for sub in term.subs if lookups(sub)]
    counted = {index for sub in term.subs if not lookups(sub) for index in indices(sub)}
    return len(looked) > 1 or bool(looked and looked[0] & counted)


def places_in(filled: Filled, all_of_them: bool) -> set[Value]:
    """What the places are taken from that are looked up for all steps at once: where they are made
    integers at every step, that is done for all of them."""
    reads = [node for node in walk(filled.term) if isinstance(node, Read)]
    subs = [sub for read in reads if all_of_them or along_loops(read) for sub in read.subs]
    if all_of_them:
        subs += filled.place
    return {value for sub in subs if lookups(sub) for value in _taken_from(sub)}


def _taken_from(sub: Term) -> Iterator[Value]:
    if isinstance(sub, Read):
        yield sub.value
    if not (isinstance(sub, Apply) and sub.op == "cast:int64"):
        yield from (value for part in children(sub) for value in _taken_from(part))


def say(code: Code, term: Read) -> Said:
    """The subscript. Raises ``CannotSay``."""
    together = code.ordered({index for sub in term.subs for index in lookups(sub)})
    entries: list[str] = []
    sliced: list[tuple[int, Index]] = []
    for position, sub in enumerate(term.subs):
        if lookups(sub):
            entries.append(code.arranged(code.said(in_pairs(sub)), together).whole)
            continue
        text, index = code.item(term.value, position, sub)
        if index in together:
            assert index is not None
            text = code.arranged(counted(code, sub, index), together).whole
        elif index is not None:
            sliced.append((position, index))
        entries.append(text)
    apart = [position for position, _ in sliced]
    taken = [position for position in range(len(entries)) if position not in apart]
    beside = taken == list(range(taken[0], taken[-1] + 1))
    before = [index for position, index in sliced if beside and position < taken[0]]
    behind = [index for _, index in sliced if index not in before]
    axes = (*before, *together, *behind)
    if len(set(axes)) < len(axes):
        raise CannotSay("one loop variable says two places of an array", "diagonal")
    entries = without_idle(entries)
    return Said(f"{term.value.name}[{', '.join(entries)}]", axes)


def counted(code: Code, sub: Term, index: Index) -> Said:
    """The places of a loop beside looked up ones."""
    held, integers = code.nest.walk(index), code.nest.expressions.integers
    if sub is not index or extents.constant(held.stride) != 1 or code.library is None:
        raise CannotSay("a place that does not count with the loops", "places")
    low = "" if extents.constant(held.low) == 0 else f"{integers.text(held.low)}, "
    return Said(f"{code.library}.arange({low}{integers.text(held.high)})", (index,))


def in_pairs(sub: Term) -> Term:
    """A sum of integers as sums of two."""
    if isinstance(sub, Apply) and sub.op in ("add", "mul") and len(sub.args) > 2:
        return Apply(sub.op, (in_pairs(Apply(sub.op, sub.args[:-1])), in_pairs(sub.args[-1])))
    return sub
