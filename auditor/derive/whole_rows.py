"""A monoid of one place as that of whole rows, where what is done asks what a place holds:
``np.where(mask, x, h)`` keeps the last that the mask picks, in each place another one.

What is chosen place by place is computed on both sides and picked, so that a place that holds
nothing holds False there, which nothing looks at. What is no number for a piece without elements
is None, which is asked of the piece as a whole, before its places are looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Set
from dataclasses import replace
from functools import reduce

from auditor.algebra.choices import decided, leaves, settled
from auditor.algebra.monoid import Field, Part, field, renamed
from auditor.notation import FALSE, NONE, Apply, Const, Read, Term, Value, transform, walk

_SAME = frozenset("add sub mul div neg abs eq ne lt le gt ge".split())
_HELPED = {
    "max": "larger", "min": "smaller", "where": "chosen", "and": "both_true", "or": "either_true",
    "not": "not_true", "logaddexp": "log_of_sum", "exp": "exponential", "log": "logarithm",
    "sqrt": "root",
}  # fmt: skip


class _NotWhole(Exception):
    """Something is asked of a place that has no spelling for all of them."""


def whole_rows(part: Part, begun: Set[Value] = frozenset()) -> Part | None:
    """The part for rows, or None. ``begun`` are those of its carried values that are told to hold
    a number in every place: what they are before the loop says how many places there are."""
    try:
        return _on_rows(part, begun)
    except _NotWhole:
        return None


def _on_rows(part: Part, begun: Set[Value]) -> Part:
    empty = {f.own: f.identity for f in part.fields if isinstance(f.identity, Const)}
    if len(empty) < len(part.fields):
        raise _NotWhole
    if not (part.guarded or begun) and all(_is_plain(f.identity) for f in part.fields):
        known: frozenset[Value] = frozenset(v for f in part.fields for v in (f.own, f.other))
        update, combine, finish = (
            tuple(_spelled(term, known) for term in terms)
            for terms in (part.update, part.combine, part.finish)
        )
        return replace(part, update=update, combine=combine, finish=finish, algebra=_told(part))
    first = tuple(_folded(settled(term, empty)) for term in part.update)
    ended = tuple(_folded(settled(term, empty)) for term in part.finish)
    held = _always_held(part, first)
    asked = next((f for f in part.fields if f in held), None)
    if asked is None:
        raise _NotWhole
    known = frozenset(v for f in held for v in (f.own, f.other))
    fields = tuple(field(f.name, f.meaning, NONE) for f in part.fields)
    by: dict[Value, Term] = {}
    for old, new in zip(part.fields, fields, strict=True):
        by |= {old.own: new.left, old.other: new.right}

    def spelled(term: Term) -> Term:
        return renamed(_spelled(term, known), by)

    one = fields[part.fields.index(asked)]
    none_left, none_right = (Apply("is", (side, NONE)) for side in (one.left, one.right))
    update = tuple(
        Apply("where", (none_left, spelled(begun), spelled(term)))
        for begun, term in zip(first, part.update, strict=True)
    )
    combine = tuple(
        Apply("where", (none_right, f.left, Apply("where", (none_left, f.right, spelled(term)))))
        for f, term in zip(fields, part.combine, strict=True)
    )
    finish = tuple(
        Apply("where", (none_left, Read(carry, ()), _shaped(spelled(term), carry)))
        if carry in begun
        else Apply("where", (none_left, spelled(before), spelled(term)))
        for carry, before, term in zip(part.carries, ended, part.finish, strict=True)
    )
    return replace(
        part, fields=fields, update=update, combine=combine, finish=finish, guarded=False,
        algebra=_told(part),
    )  # fmt: skip


def _shaped(term: Term, carry: Value) -> Term:
    return Apply("call:as_many_places(_0, _1)", (term, Read(carry, ())))


def _told(part: Part) -> str:
    return f"{part.algebra}, place by place"


def _is_plain(identity: Term) -> bool:
    """Is it a number, which stands for a row of it?"""
    value = identity.value if isinstance(identity, Const) else None
    return isinstance(value, (int, float)) and math.isfinite(value)


def _always_held(part: Part, first: Iterable[Term]) -> list[Field]:
    """The fields that hold something in every place once a piece has an element."""
    held = [
        f for f, term in zip(part.fields, first, strict=True)
        if not any(leaf is NONE for leaf in leaves(term))
    ]  # fmt: skip
    while True:
        open_ = {v for f in part.fields if f not in held for v in (f.own, f.other)}
        still = [
            f
            for f, *terms in zip(part.fields, first, part.update, part.combine, strict=True)
            if f in held
            and not any(
                leaf is NONE or (isinstance(leaf, Read) and leaf.value in open_)
                for term in terms
                for leaf in leaves(_decided_held(term, held))
            )
        ]
        if still == held:
            return held
        held = still


def _decided_held(term: Term, held: list[Field]) -> Term:
    return _without_asking(term, frozenset(v for f in held for v in (f.own, f.other)))


def _without_asking(term: Term, known: frozenset[Value]) -> Term:
    """``term`` where the ``known`` values are not None."""

    def change(node: Term) -> Term:
        if not isinstance(node, Apply):
            return node
        if node.op == "is" and node.args[1] is NONE:
            (value, _) = node.args
            if isinstance(value, Read) and value.value in known:
                return FALSE
        return decided(node)

    return transform(term, change)


def _folded(term: Term) -> Term:
    """``term`` without the extremes and sums of what is infinite."""

    def change(node: Term) -> Term:
        if not isinstance(node, Apply) or len(node.args) != 2:
            return decided(node) if isinstance(node, Apply) else node
        for one, other in (node.args, node.args[::-1]):
            end = one.value if isinstance(one, Const) else None
            if not isinstance(end, float) or not math.isinf(end):
                continue
            passed = node.op == ("max" if end < 0 else "min")
            if passed or (node.op == "logaddexp" and end < 0):
                return other
        return decided(node)

    return transform(term, change)


def _spelled(term: Term, known: frozenset[Value]) -> Term:
    """A term of one place as that of rows, where the ``known`` values are not None."""

    def change(node: Term) -> Term:
        if node is NONE:
            return FALSE
        if not isinstance(node, Apply) or node.op in _SAME:
            return node
        if node.op not in _HELPED:
            raise _NotWhole
        helper, args = _HELPED[node.op], node.args
        if len(args) < 3 or node.op == "where":
            places = ", ".join(f"_{n}" for n in range(len(args)))
            return Apply(f"call:{helper}({places})", args)
        return reduce(lambda a, b: Apply(f"call:{helper}(_0, _1)", (a, b)), args)

    made = _folded(_without_asking(term, known))
    if any(isinstance(node, Apply) and node.op == "is" for node in walk(made)):
        raise _NotWhole
    return transform(made, change)


_PICKING = {
    "chosen": ("where", "c, a, b", "`a` where `c` holds and `b` elsewhere, place by place."),
    "both_true": ("logical_and", "a, b", "Do both hold, place by place?"),
    "either_true": ("logical_or", "a, b", "Does either hold, place by place?"),
    "not_true": ("logical_not", "a", "Does it not hold, place by place?"),
    "log_of_sum": ("logaddexp", "a, b", "log(exp(a) + exp(b)), place by place."),
    "exponential": ("exp", "a", "exp(a), place by place."),
    "logarithm": ("log", "a", "log(a), place by place."),
    "root": ("sqrt", "a", "The square root, place by place."),
}  # fmt: skip


def picking(name: str, tensors: bool) -> list[tuple[str, str]]:
    """The functions of rows, of the library of that ``name``, by what they are called."""
    found = []
    for word, (function, given, words) in _PICKING.items():
        taken = [f"{name}.as_tensor({one})" if tensors else one for one in given.split(", ")]
        typed = ", ".join(f"{one}: Any" for one in given.split(", "))
        found.append((word, (
            f'def {word}({typed}) -> Any:\n    """{words}"""\n'
            f"    return {name}.{function}({', '.join(taken)})"
        )))  # fmt: skip
    row, shapes = ("a", f"{name}.shape(a), {name}.shape(like)")
    if tensors:
        row, shapes = (f"{name}.as_tensor(a)", f"{name}.as_tensor(a).shape, like.shape")
    found.append(("as_many_places", (
        "def as_many_places(a: Any, like: Any) -> Any:\n"
        '    """`a` in as many places as `like` has."""\n'
        f"    return {name}.broadcast_to({row}, {name}.broadcast_shapes({shapes}))"
    )))  # fmt: skip
    return found
