"""Elements of an array that one loop variable reads at two places.

for i in range(n):
    d[i] = 1 / s[i, i]          the diagonal of `s`, where the loops walk all of it
    e[i] = s[i, i + 1]          each by its own places, where not
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.nests import counting
from auditor.nests.integers import CannotSay
from auditor.nests.parts import indices, put
from auditor.nests.said import Said
from auditor.notation import Index, Read

if TYPE_CHECKING:
    from auditor.nests.code import Code


def say(code: Code, term: Read) -> Said:
    """The elements over the places at which the loops read them. Raises ``CannotSay``."""
    counts = Counter(index for sub in term.subs for index in indices(sub))
    twice = [index for index, times in counts.items() if times == 2]
    if len(twice) != 1 or max(counts.values()) > 2 or code.torch is None:
        raise CannotSay("one loop variable says two places of an array", "diagonal")
    places = [at for at, sub in enumerate(term.subs) if twice[0] in indices(sub)]
    items = {at: code.item(term.value, at, sub)[0] for at, sub in enumerate(term.subs)}
    if len(places) != 2 or any(items[at] != ":" for at in items if at not in places):
        raise CannotSay("one loop variable says two places of an array", "diagonal")
    axes = [sub for at, sub in enumerate(term.subs) if at not in places]
    beside = tuple(axis for axis in axes if isinstance(axis, Index))
    if all(items[at] == ":" for at in places):
        text = f"{term.value.name}.diagonal(0, {places[0]}, {places[1]})"
        return Said(text, (*beside, twice[0]))
    return _by_places(code, term, twice[0], places, beside)


def _by_places(
    code: Code, term: Read, index: Index, places: list[int], beside: tuple[Index, ...]
) -> Said:
    """The elements, each by its own two places, which stand side by side."""
    first, second = places
    low = code.nest.walk(index).low
    for at in places:
        begins = put(term.subs[at], {index: low})
        if (extents.constant(begins) or 0) < 0 or extents.may_be_negative(begins):
            raise CannotSay("a place may be counted from the end", "bounds")
    if second != first + 1:
        raise CannotSay("one loop variable says two places of an array", "diagonal")
    texts = [counting.places(code, term.subs[at]).text for at in places]
    subs = [":"] * first + texts
    return Said(f"{term.value.name}[{', '.join(subs)}]", (*beside[:first], index, *beside[first:]))
