"""The cells of the arrays that a nest writes, by their places."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.lift.annotations import in_container
from auditor.nests import disjoint, guarded
from auditor.nests.cells import WrittenCell
from auditor.nests.evidence import items_of
from auditor.nests.forms import (
    copied_from,
    makes_list,
)
from auditor.nests.integers import NoNest
from auditor.nests.parts import (
    Scope,
    canonical,
    indices,
    lookups,
    put,
)
from auditor.nests.triangles import ALL, Pairs
from auditor.notation import (
    Index,
    Read,
    Term,
    Value,
)
from auditor.syntax import subscripted

if TYPE_CHECKING:
    from auditor.nests.reader import Reader


def pairs_at(reader: Reader, place: tuple[Term, ...], writes: bool = False) -> Pairs:
    """At which pairs of steps a cell is read or written here."""
    found = ALL
    for pair, part in reader.reading.beside.items():
        if part == ALL or not all(index in reader.active for index in pair):
            continue
        if set(pair) <= set(place) and found == ALL:
            found = part
        elif writes:
            raise NoNest("adds up what some pairs of steps give")
    return found


def cell_at(reader: Reader, node: ast.Subscript | ast.Name, scope: Scope) -> WrittenCell:
    base = subscripted(node)
    if not isinstance(base, ast.Name) or base.id in scope:
        raise NoNest("writes into what is no array of its own")
    items: list[ast.expr] = []
    at: ast.expr = node
    while isinstance(at, ast.Subscript):
        items[:0] = items_of(at)
        at = at.value
    array = written_array(reader, base, len(items))
    axes = list(map(reader.reading.again, array.axes))
    place: list[Term] = []
    kept: list[Index] = []
    for position, item in enumerate(items):
        if isinstance(item, ast.Slice):
            axis, sub = reader.reading._slice(axes[position], item, scope)
            kept.append(axis)
            place.append(sub)
        else:
            place.append(reader.reading.place(item, scope))
    guarded.whole_places(tuple(place))
    if any(len(indices(sub)) > 1 for sub in place):
        raise NoNest("several loop variables say one place")
    rest = axes[len(items) :]
    whole = (*place, *rest)
    kind = _kind(reader, base.id, whole)
    found = reader.levels[-1].get((base.id, kind))
    if found is None:
        old = Value(base.id, (), None, None, "state")
        kept_axes = (*kept, *rest)
        found = WrittenCell(base, array, whole, kept_axes, Read(old, kept_axes), old, kind=kind,
                      part=pairs_at(reader, whole))  # fmt: skip
        reader.levels[-1][found.key] = found
        return found
    by = reader.renaming(found.place, whole)
    found.place = whole
    found.rest = (*kept, *rest)
    found.held = put(found.held, by)
    return found


def _kind(reader: Reader, name: str, place: tuple[Term, ...]) -> str:
    """Whether a place is on the diagonal, or that of other cells with two loops exchanged."""
    moving = [sub for sub in place if isinstance(sub, Index)]
    if len(set(moving)) < len(moving):
        return "along"
    first = reader.first.setdefault(name, place)
    if any(map(lookups, place)):
        pairs = zip(place, first, strict=True)
        looked = [(one, two) for one, two in pairs if lookups(one) or lookups(two)]
        alike = all(canonical(one) is canonical(two) for one, two in looked)
        return "" if alike else f"at {place}"
    exchanged = any(
        mine is not other and other in moving and other in reader.active
        for mine, other in zip(place, first, strict=False)
    )
    if exchanged:
        return "there"
    return disjoint.kind(reader.reading, reader.places.setdefault(name, {}), place)


def written_array(reader: Reader, base: ast.Name, least: int) -> Value:
    """The array that is written, as it was before the nest."""
    known = reader.reading.leaves.get(f"{base.id} before")
    if known is not None:
        return known
    reading = reader.reading
    if not reading.is_array(base):
        made = reading.arrays.assigned(base.id)
        if makes_list(made):
            reading.unsure(f"`{base.id}` is a list", True)
            reading.plain = True
        else:
            source = copied_from(reader.region.module, made) if _is_bound(reader, base) else base
            if not _perhaps(reader, source):
                raise NoNest(f"`{base.id}` may be no array")
    reading.stored = reading.stored - {base.id}
    value = reading.leaf(base, least)
    if value in reading.guessed and base.id in reader.added:
        raise NoNest(f"how many axes `{base.id}` has is not known")
    reading.stored = reading.stored | {base.id}
    del reading.leaves[base.id]
    reading.leaves[f"{base.id} before"] = value
    return value


def _is_bound(reader: Reader, name: ast.Name) -> bool:
    """Whether a name is bound in the function, or given by a file that has no arrays."""
    return name.id in reader.region.bound or not reader.region.module.arrays


def _perhaps(reader: Reader, node: ast.expr | None) -> bool:
    """Whether something may be an array by what the function says of it, which is a doubt."""
    if not isinstance(node, ast.Name) or not reader.reading.doubted(node):
        return False
    named = (arg for arg in reader.region.nodes if isinstance(arg, ast.arg) and arg.arg == node.id)
    return not any(in_container(arg.annotation) for arg in named)
