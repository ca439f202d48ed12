"""Lists that the steps of loops fill, and the arrays that are made of them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.nests.integers import NoNest
from auditor.nests.parts import Part, Scope
from auditor.nests.walking import walked
from auditor.notation import Index, Read, walk
from auditor.syntax import constant, path_of

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions


def array_of(reading: Expressions, node: ast.Call, scope: Scope, least: int = 0) -> Part:
    """The array that is made of a list: what its steps put in, along an axis of their own."""
    path = path_of(reading.region.module, node.func) or ""
    stacks = path.endswith(".stack")
    place = _axis(reading, node) if stacks or not (node.keywords or node.args[1:]) else None
    if place is None:
        raise NoNest(f"calls `{reading.region.module.source(node.func)}` with options")
    part = _rows_of(reading, node.args[0], scope, max(least - 1, 0), not stacks)
    count = len(part.axes)
    if not -count <= place < count:
        raise NoNest("an array of a list along what is not known")
    return _moved(part, place % count)


def joined(reading: Expressions, node: ast.Call, scope: Scope) -> tuple[Part, int]:
    """The items of a list that are put behind each other along an axis, which is the second, as an
    array with one more for the steps: before that axis in torch, whose arrays are flattened then,
    the first in NumPy, which joins the parts of an array. Raises ``NoNest``."""
    library, _, name = (path_of(reading.region.module, node.func) or "").rpartition(".")
    part = _rows_of(reading, node.args[0], scope, 1, False)
    for read in walk(part.term):
        if isinstance(read, Read) and part.axes[0] in read.subs and read.value in reading.guessed:
            if read.value.library is None:
                raise NoNest(f"`{read.value.name}` may be a list of arrays of several lengths")
    count = len(part.axes) - 1
    plain = not (node.keywords or node.args[1:])
    place = _axis(reading, node)
    if name == "hstack":
        place = min(1, count - 1) if plain else None
    if place is None or not -count <= place < count:
        raise NoNest("a list that is joined along what is not known")
    return (part if library == "numpy" else _moved(part, place % count)), place % count


def _axis(reading: Expressions, node: ast.Call) -> int | None:
    """The axis that a call names behind its list or by its word, the first where it names none."""
    words = {word.arg: constant(word.value) for word in node.keywords}
    given = [constant(arg) for arg in node.args[1:2]]
    if len(node.args) > 2 or words.keys() - {"axis", "dim"} or len(words) + len(given) > 1:
        return None
    place = next(iter((*given, *words.values())), 0)
    return place if type(place) is int else None


def _moved(part: Part, place: int) -> Part:
    """The array with its first axis at ``place``."""
    axes = part.axes[1:]
    return Part((*axes[:place], part.axes[0], *axes[place:]), part.term)


def _rows_of(reading: Expressions, node: ast.expr, scope: Scope, least: int, nested: bool) -> Part:
    """The items of a list, which are taken for rows where nothing else is said."""
    known, assumed = dict(reading.leaves), list(reading.assumptions)
    doubts = None if reading.doubts is None else list(reading.doubts)
    try:
        return listing(reading, node, scope, max(least, reading.free), nested)
    except NoNest:
        if not reading.free or least:
            raise
        reading.leaves, reading.assumptions[:], reading.doubts = known, assumed, doubts
        return listing(reading, node, scope, 0, nested)


def listing(reading: Expressions, node: ast.expr, scope: Scope, least: int, nested: bool) -> Part:
    """A list, by the steps that put an item each into it; ``nested`` says that items may be
    lists as well."""
    if not isinstance(node, ast.ListComp):
        held = reading.items(node, scope)
        if held is None:
            raise NoNest(f"`{reading.region.module.source(node)}` is no list of steps")
        return held
    if len(node.generators) != 1 or node.generators[0].ifs or node.generators[0].is_async:
        raise NoNest("a list of some steps only")
    (generator,), inside = node.generators, dict(scope)
    index = walked(reading, generator.target, generator.iter, inside)
    if nested and isinstance(node.elt, ast.ListComp):
        part = listing(reading, node.elt, inside, max(least - 1, 0), True)
    else:
        part = reading.part(node.elt, inside, least)
    return along(reading, index, part)


def along(reading: Expressions, index: Index, part: Part) -> Part:
    """The items of a list, of which each step of ``index`` puts in one."""
    if reading.walks[index].tiles or any(index in pair for pair in reading.beside):
        raise NoNest("a list of some steps only")
    reading.listed.append(index)
    return Part((index, *part.axes), part.term)
