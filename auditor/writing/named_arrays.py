"""Values as code by their names, with the subscripts that read them at all steps at once.

A value without a name is said by its definition; one of which nothing says how many axes it has is
read whole where broadcasting puts it to the same places.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.algebra.subterms import everything
from auditor.lift import extents
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
    definition,
    refresh,
    substitute,
    walk,
)
from auditor.syntax import without_idle
from auditor.tree import everything_in
from auditor.writing.pieces import CannotRender, Piece, UnknownRank, folded
from auditor.writing.reshaped import reshaped

if TYPE_CHECKING:
    from auditor.writing.emit import Renderer


def named_array(renderer: Renderer, term: Read) -> Piece:
    """What is read of a value, its axes in the order of the layout."""
    name = renderer.name_of(term.value)
    if name is None:
        inner = definition(term) or _alike(renderer, term)
        behind = _behind_ones(renderer, term) if inner is None else None
        if behind is not None:
            return behind
        walked = _row(renderer, term) if inner is None else None
        if walked is not None:
            return walked
        if inner is None:
            raise CannotRender(f"`{term.value.name}` cannot be read outside the loop")
        return _defined_there(renderer, term, inner)
    if not term.subs:
        return Piece(name, ())
    groups = [axis for axis in term.value.axes if axis.group]
    if term.aligned and (
        len(term.subs) != len(term.value.axes) or any(not renderer.sliced(axis) for axis in groups)
    ):
        return _read_unknown(renderer, term, name)
    if term.aligned and not _parallel(renderer, term):
        walked = _rows(renderer, term.value, term.subs, name)
        if walked is not None:
            return walked
        raise CannotRender(f"the number of axes of `{term.value.name}` is not known")
    name, reads, own = reshaped(renderer, name, term.subs, term.value.axes)
    name, subs = _turned(renderer, name, reads, own)
    items: list[str] = []
    axes: list[Index | None] = []
    for sub, axis in zip(subs, own, strict=True):
        text, kept = item(renderer, sub, axis, term.aligned)
        items.append(text)
        if kept is not DROPPED:
            axes.append(kept)  # type: ignore[arg-type]
    if any(axis.group for axis in own) and any(
        text != ":" for text, axis in zip(items, own, strict=True) if not axis.group
    ):
        items = ["..." if axis.group else text
                 for text, axis in zip(items, own, strict=True)]  # fmt: skip
    items = without_idle(items)
    if items:
        name = f"{name}[{', '.join(items)}]"
    elif may_be_number(term.value, renderer.is_array):
        renderer.plain.add(name)
    return renderer.arranged(_diagonal(Piece(name, tuple(axes))))


def may_be_number(value: Value, is_array: Callable[[Value], bool]) -> bool:
    """Whether nothing says that an argument is an array."""
    return (
        value.kind == "input" and value.body is None and value.library is None
        and all(axis.group for axis in value.axes) and not is_array(value)
    )  # fmt: skip


def only_of(text: str, names: set[str]) -> bool:
    """Whether code computes with nothing but some ``names`` and numbers, calling nothing."""
    nodes = everything_in(ast.parse(text, mode="eval")) if names else []
    found = {node.id for node in nodes if isinstance(node, ast.Name)}
    return bool(found) and found <= names and not any(isinstance(n, ast.Call) for n in nodes)


def _behind_ones(renderer: Renderer, term: Read) -> Piece | None:
    """``a[None]`` of unknown rank, broadcast: ``a``, which the axes in front make no wider."""
    value, held = term.value, term.value.body
    if not term.aligned or not isinstance(held, Read) or held.aligned:
        return None
    ones = len(value.axes) - len(held.subs)
    name = renderer.name_of(held.value)
    if name is None or ones < 1 or held.subs != value.axes[ones:]:
        return None
    if any(axis.group or axis.extent is not ONE for axis in value.axes[:ones]):
        return None
    return _read_unknown(renderer, replace(term, value=held.value), name, "fewer axes")


def _defined_there(renderer: Renderer, term: Read, inner: Term) -> Piece:
    """A value that has no name, by its definition. One that is broadcast keeps its own sizes,
    whatever those of the axes that it meets."""
    outer = renderer.met
    if term.aligned:
        under = zip(reversed(term.subs), reversed(term.value.axes), strict=False)
        renderer.met = outer | {(sub, axis.extent) for sub, axis in under}
    inner = renderer.reindex(folded(renderer.opened(inner)))
    piece = _named(renderer, term, inner) if renderer.keeps(term.value) else renderer.array(inner)
    renderer.met = outer
    return piece


def _alike(renderer: Renderer, term: Read) -> Term | None:
    """The definition of a value of unknown rank that may be taken to have the axes it is
    broadcast under."""
    value = term.value
    if value.body is None or len(term.subs) != len(value.axes) or not _parallel(renderer, term):
        return None
    if any(
        a.group != getattr(b, "group", False) for a, b in zip(value.axes, term.subs, strict=True)
    ):
        return None
    return substitute(refresh(value.body), dict(zip(value.axes, term.subs, strict=True)))


def _row(renderer: Renderer, term: Read) -> Piece | None:
    """One step's row of an array whose rank is not known, broadcast."""
    held = term.value.body
    if not (term.aligned and isinstance(held, Read) and not held.aligned):
        return None
    name = renderer.name_of(held.value)
    if name is None or held.subs[1:] != term.value.axes:
        return None
    return _rows(renderer, held.value, (held.subs[0], *term.subs), name)


def _rows(renderer: Renderer, value: Value, subs: tuple[Term, ...], name: str) -> Piece | None:
    """Rows of an array whose rank is not known, each broadcast in its step: the array, which
    has to be given as many axes as what it meets."""
    first, rest = subs[0], subs[1:]
    if renderer.step is None or renderer.order[:1] != (renderer.step,) or value.axes[0].group:
        return None
    if any(not isinstance(sub, Index) for sub in rest) or renderer.step in rest:
        return None
    if first is not renderer.step and renderer.step not in walk(first):
        return None
    text, kept = item(renderer, first, value.axes[0])
    if kept is not renderer.step:
        return None
    renderer.uncertain = True
    renderer.assumptions.append(f"`{name}` has as many axes as what it meets")
    whole = name if text == ":" else f"{name}[{text}]"
    return Piece(whole, (renderer.step, *rest))  # type: ignore[arg-type]


def _parallel(renderer: Renderer, term: Read) -> bool:
    """Whether a value of unknown rank may be taken to have the axes it is broadcast under:
    both are subscripted by the same loop."""
    for sub, axis in zip(term.subs, term.value.axes, strict=True):
        if axis.group and isinstance(sub, Index) and sub.extent is not axis.extent:
            if not (renderer.sliced(axis) and renderer.sliced(sub)):
                return False
            renderer.uncertain = True
            renderer.assumptions.append(f"`{term.value.name}` has as many axes as what it meets")
    return True


def _named(renderer: Renderer, term: Read, inner: Term) -> Piece:
    """A temporary of the loop's body: it keeps its name, computed once for all steps."""
    name, outer = term.value.name, renderer.naming
    renderer.naming = name if isinstance(inner, Apply) and inner.op == "where" else None
    piece = renderer.array(inner)
    renderer.naming = outer
    held = any(known.text == name for known in renderer.known.values())
    if (held or name in renderer.edges.values()) and piece.text != name:
        # The name is another temporary's already.
        return piece
    if piece.text == name:
        renderer.known[term] = piece
    if piece.text.isidentifier():
        return piece
    renderer.lines.append(f"{name} = {piece.text}")
    renderer.known[term] = Piece(name, piece.axes)
    return renderer.known[term]


def _read_unknown(renderer: Renderer, term: Read, name: str, has: str = "no more axes") -> Piece:
    """A value of unknown rank, broadcast from the right. Vectorised, that still holds where
    no axis is inserted to the right of one that it may have."""
    if renderer.is_array(term.value):
        raise CannotRender(f"the number of axes of `{term.value.name}` is not known")
    under = renderer.order[len(renderer.order) - len(term.subs) :]
    fits = len(under) == len(term.subs)
    flat = fits and _steps_at_ones(renderer, term)
    if not fits or any(
        sub is not axis
        and not (sub is ZERO and (axis.extent is ONE or (flat and axis is renderer.step)))
        for sub, axis in zip(term.subs, under, strict=True)
    ):
        # its last axis is not the last of the layout
        raise UnknownRank(f"the number of axes of `{term.value.name}` is not known")
    if flat:
        renderer.assumptions.append(f"`{term.value.name}` has {has} than what it meets")
        return Piece(name, (), tail=True)
    first = term.value.axes[0]
    step = None if first.group or term.subs[0] is not renderer.step else renderer.step
    place = renderer.order.index(renderer.step) if renderer.step in renderer.order else 0
    if place and (
        place > 1 or renderer.order[-1] is renderer.step or not _only_attributes(term.value)
    ):
        raise UnknownRank(f"the number of axes of `{term.value.name}` is not known")
    if place:
        renderer.assumptions.append(f"`{term.value.name}` is a number or has only the last axes")
    else:
        renderer.uncertain = True
        axes = "as many axes as" if step else f"{has} than"  # its steps stand in front
        renderer.assumptions.append(f"`{term.value.name}` has {axes} what it meets")
    if step is not None and first.extent is not step.extent:
        name += f"[{item(renderer, step, first)[0]}]"
    return Piece(name, (), tail=True)


def _steps_at_ones(renderer: Renderer, term: Read) -> bool:
    """Whether the steps stand where what a value of any number of axes meets has one of extent
    1. What reads a place of an axis of its own is none such."""
    under = renderer.order[len(renderer.order) - len(term.subs) :]
    return all(axis.group for axis in term.value.axes) and any(
        sub is ZERO and axis is renderer.step for sub, axis in zip(term.subs, under, strict=True)
    )


def item(renderer: Renderer, sub: Term, axis: Index, met: bool = False) -> tuple[str, object]:
    """One subscript and the axis that remains of it; ``met``: the axis is broadcast."""
    if isinstance(sub, Index):
        if sub is renderer.step:
            whole = sub.extent is axis.extent
        else:
            whole = met or (sub, axis.extent) in renderer.met or renderer.alike(sub, axis)
        if not whole and not axis.group:
            if any(isinstance(node, Index) for node in everything([sub.extent])):
                raise CannotRender(f"how far `[:{sub.extent}]` reads changes with another index")
            return slice_text("", renderer.stop(sub.extent, axis)), sub
        return ":", sub
    if axis.extent is ONE and sub is ZERO:
        return ":", None
    if renderer.step is not None:
        offset = extents.sub(sub, renderer.step)
        if renderer.step not in walk(offset):
            start = renderer._integer(offset)
            end = extents.add(offset, renderer.step.extent)
            stop = "" if end is axis.extent else renderer.stop(end, axis, offset)
            return slice_text("" if offset is ZERO else start, stop), renderer.step
        if renderer.step in walk(sub):
            return _strided(renderer, sub, axis), renderer.step
    moving = [atom for atom in walk(sub) if isinstance(atom, Index)]
    if moving:
        return _shifted(renderer, sub, axis, moving[0]), moving[0]
    return renderer._integer(sub), DROPPED


def _shifted(renderer: Renderer, sub: Term, axis: Index, along: Index) -> str:
    """The part of an axis at a distance from the start, which lies in it."""
    offset = extents.sub(sub, along)
    fixed = not any(isinstance(atom, Index) for atom in walk(offset))
    end = extents.add(offset, along.extent)
    inside = fixed and not along.group and renderer.total(offset, "") == ""
    if not inside or not _is_left(extents.sub(axis.extent, end), axis.extent):
        raise CannotRender(f"a read at `{sub}` is no slice")
    stop = "" if end is axis.extent else renderer.stop(end, axis, offset)
    return slice_text(renderer._integer(offset), stop)


def _is_left(room: Term, whole: Term) -> bool:
    """Whether what is left of an extent is nothing or more: a number, or n - 2 * (n // 3)."""
    number = extents.constant(room)
    if number is not None:
        return number >= 0
    terms = extents.polynomial(room)
    taken = [(monomial[0], -factor) for monomial, factor in terms.items() if len(monomial) == 1
             and factor < 0]  # fmt: skip
    if len(terms) != 2 or terms.get((whole,)) != 1 or len(taken) != 1:
        return False
    part, times = taken[0]
    if not isinstance(part, Apply) or part.op != "floordiv" or part.args[0] is not whole:
        return False
    pieces = extents.constant(part.args[1])
    return pieces is not None and times <= pieces


def _strided(renderer: Renderer, sub: Term, axis: Index) -> str:
    """Every so many elements, to the end of the axis."""
    assert renderer.step is not None
    stride = extents.polynomial(sub).get((renderer.step,), 0)
    start = extents.sub(sub, extents.mul(Const(stride), renderer.step)) if stride > 1 else sub
    first = extents.constant(start)
    if first is None or first < 0:
        raise CannotRender(f"a read at `{sub}` is no slice")
    room = extents.add(extents.sub(axis.extent, start), Const(stride - 1))
    if extents.floordiv(room, Const(stride)) is not renderer.step.extent:
        raise CannotRender(f"a read at `{sub}` is no slice")
    return f"{first or ''}::{stride}"


def _turned(
    renderer: Renderer, name: str, subs: tuple[Term, ...], axes: tuple[Index, ...]
) -> tuple[str, tuple[Term, ...]]:
    """An axis that is read from its end, turned round."""
    if renderer.step is None:
        return name, subs
    for place, (sub, axis) in enumerate(zip(subs, axes, strict=True)):
        if axis.group:
            break
        if sub is renderer.step or renderer.step not in walk(sub):
            continue
        last = extents.sub(axis.extent, ONE)
        if extents.add(sub, renderer.step) is last and renderer.step.extent is axis.extent:
            turned = (*subs[:place], renderer.step, *subs[place + 1 :])
            return renderer.words.flipped(name, place), turned
    return name, subs


def _diagonal(piece: Piece) -> Piece:
    """An array two of whose axes are read at one index, along that index."""
    twice = [a for a in dict.fromkeys(piece.axes) if a is not None and piece.axes.count(a) > 1]
    if not twice:
        return piece
    (axis, *more) = twice
    places = [place for place, one in enumerate(piece.axes) if one is axis]
    if more or len(places) > 2:
        raise CannotRender("several axes are read at one index")
    rest = tuple(one for one in piece.axes if one is not axis)
    if any(one is not None and one.group for one in rest):
        raise CannotRender("a diagonal among axes of unknown number")
    given = f"0, {places[0]}, {places[1]}" if rest else ""
    return Piece(f"{piece.text}.diagonal({given})", (*rest, axis))


def _only_attributes(value: Value) -> bool:
    """Whether a value is a parameter of the module, or pointwise made of such: it has no axis of a
    batch."""
    if value.body is None:
        return value.kind == "attribute"
    parts = list(walk(value.body))
    if any(isinstance(part, (Reduce, Apply)) and part.op.startswith("call:") for part in parts):
        return False
    return all(_only_attributes(part.value) for part in parts if isinstance(part, Read))


DROPPED = object()


def slice_text(start: str, stop: str) -> str:
    """A slice, spaced as formatters space it: around bounds that are expressions."""
    if all(re.fullmatch(r"\w*", bound) for bound in (start, stop)):
        return f"{start}:{stop}"
    return f"{start} : {stop}".strip()
