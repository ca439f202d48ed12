"""Which places of an order are read: the first k of one axis, the last k, or some of the first."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from auditor.lift.module import Module
from auditor.syntax import constant, is_dots, is_name, is_whole, same
from auditor.tree import ancestors, everything_in


@dataclass(frozen=True)
class Cut:
    """``[:k]`` (or ``[-k:]``, at the end) along one axis; negative axes count from the right.
    ``part``: not all of these places are read, as in ``[1 : k]``; ``counted``: the last of them
    is, as in ``[k - 1]``, so that k is no less than 1; ``walked``: one at each step of a walk over
    ``range(k)``, so that none is where k is negative."""

    axis: int
    k: ast.expr
    at_end: bool
    part: bool = False
    counted: bool = False
    walked: bool = False


def cut_of(node: ast.Subscript) -> Cut | None:
    """``x[..., :k]``, ``x[:, -k:]``."""
    cut = places_of(node)
    return None if cut is None or cut.part else cut


def places_of(node: ast.Subscript) -> Cut | None:
    """The same, or some of these places: ``x[:, 1 : k + 1]``, ``x[:, k - 1]``, ``x[..., 0]``."""
    items = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if not items:
        return None  # x[()]
    behind = 0
    while len(items) > 1 and is_whole(items[-1]):
        items.pop()
        behind += 1
    last = items.pop()
    dots = [p for p, item in enumerate(items) if is_dots(item)]
    if any(not is_whole(item) for p, item in enumerate(items) if p not in dots):
        return None
    if dots and (dots != [0] or len(items) > 1):
        return None
    axis = -1 - behind if dots else len(items)
    return _sliced(last, axis) if isinstance(last, ast.Slice) else _single(last, axis)


def walked_place(node: ast.Subscript, parents: Mapping[ast.AST, ast.AST]) -> Cut | None:
    """``x[i]`` in a walk over ``range(k)``, or one that begins later, that alone binds i."""
    place = node.slice
    if not isinstance(place, ast.Name):
        return None
    for at in ancestors(node, parents):
        walks = [at] if isinstance(at, ast.For) else getattr(at, "generators", [])
        for walk in walks:
            if is_name(walk.target, place.id):
                bound = [n for n in everything_in(at) if is_name(n, place.id)
                         and not isinstance(getattr(n, "ctx", None), ast.Load)]  # fmt: skip
                stop = _stop(walk.iter) if len(bound) == 1 else None
                return None if stop is None else Cut(0, stop, False, part=True, walked=True)
    return None


def _stop(node: ast.expr) -> ast.expr | None:
    """Where a range ends that begins at no negative number and goes forwards."""
    if not (isinstance(node, ast.Call) and is_name(node.func, "range") and not node.keywords):
        return None
    if len(node.args) == 1:
        return node.args[0]
    first = constant(node.args[0]) if len(node.args) == 2 else None
    return node.args[1] if isinstance(first, int) and first >= 0 else None


def together(cuts: Sequence[Cut]) -> Cut | None:
    """The places that several cuts of one axis read; None where nothing says how many."""
    first = cuts[0]
    if all(same(cut.k, first.k) for cut in cuts):
        counted = any(cut.counted for cut in cuts)
        walked = all(cut.walked for cut in cuts)
        return replace(first, part=all(cut.part for cut in cuts), counted=counted, walked=walked)
    numbers = [constant(cut.k) for cut in cuts]
    if not all(isinstance(number, int) for number in numbers):
        return None
    most = max(number for number in numbers if isinstance(number, int))
    return replace(first, k=ast.Constant(most), part=True)


def remaining(module: Module, node: ast.Subscript, whole: Cut) -> str:
    """What is still to be taken of the places of ``whole``, as a subscript, for what ``node``
    takes of all."""
    mine = places_of(node)
    text = module.source(node.slice)
    if mine is None or (not mine.part and same(mine.k, whole.k)):
        return ""
    items = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    for position, item in enumerate(items):
        if isinstance(item, ast.Slice) and item.upper is not None and same(mine.k, whole.k):
            # All that is left behind its beginning: the end is the end of the places.
            assert item.lower is not None
            parts = [module.source(part) for part in items]
            parts[position] = f"{module.source(item.lower)}:"
            return f"[{', '.join(parts)}]"
    return f"[{text}]"


def _sliced(part: ast.Slice, axis: int) -> Cut | None:
    if part.step is not None:
        return None
    if part.lower is None or constant(part.lower) == 0:
        if part.upper is None or _negative(part.upper):
            return None
        return Cut(axis, part.upper, False)
    if part.upper is not None and _one_before(part.lower, part.upper):
        return Cut(axis, part.upper, False, part=True, counted=True)
    low = constant(part.lower)
    if part.upper is None and isinstance(part.lower, ast.UnaryOp):
        return Cut(axis, part.lower.operand, True) if _negative(part.lower) else None
    if isinstance(low, int) and not isinstance(low, bool) and low > 0:
        if part.upper is not None and not _negative(part.upper):
            return Cut(axis, part.upper, False, part=True)
    return None


def _single(place: ast.expr, axis: int) -> Cut | None:
    """One place, counted from the front, or a stated one from the end."""
    number = constant(place)
    if isinstance(number, int) and not isinstance(number, bool):
        count = ast.Constant(number + 1 if number >= 0 else -number)
        return Cut(axis, count, at_end=number < 0, part=True)
    if isinstance(place, ast.BinOp) and _one_before(place, place.left):
        return Cut(axis, place.left, False, part=True, counted=True)
    return None


def _one_before(place: ast.expr, count: ast.expr) -> bool:
    """Whether a place is ``k - 1``, the last of k."""
    return (
        isinstance(place, ast.BinOp) and isinstance(place.op, ast.Sub)
        and constant(place.right) == 1 and isinstance(count, (ast.Name, ast.Attribute))
        and same(place.left, count)
    )  # fmt: skip


def _negative(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
