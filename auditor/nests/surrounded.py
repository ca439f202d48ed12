"""Arrays that are others with something around them: ``padded = np.pad(x, r)``.

They have as many axes as what they surround, and each is longer by what is put before and behind.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.lift.module import Module
from auditor.nests.integers import NoNest
from auditor.notation import Term, Value
from auditor.syntax import constant, path_of
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions


_OF_TORCH = ("torch.nn.functional.pad", "torch.constant_pad_nd")


def surrounded(reading: Expressions, node: ast.expr, least: int) -> list[Term] | None:
    """How long the axes are of an array that a name was given with one number before and one
    behind each axis of another one. Where nothing says how many axes that has, it is taken for
    granted. None where it is made otherwise, or all is known. Raises ``NoNest``."""
    call = reading.arrays.assigned(node.id) if isinstance(node, ast.Name) else None
    if not isinstance(call, ast.Call) or len(call.args) < 2 or least == 0:
        return None
    whole, around = call.args[:2]
    path = path_of(reading.region.module, call.func)
    torch = path in _OF_TORCH
    ones = _like(reading.region.module, whole) if torch else None
    whole = ones or whole
    if not (torch or path == "numpy.pad") or not isinstance(whole, ast.Name):
        return None
    pairs = _from_last(around) if torch else _pairs(around)
    rank = reading.arrays.rank_of(reading.lifted(whole))
    if ones is not None:  # which count what is added up
        reading.assume(f"`{whole.id}` is no narrower than float32")
    if torch and _endless(call):
        held = reading.lifted(whole)
        if held is None or held.dtype is None:
            reading.assume(f"`{whole.id}` holds floating-point numbers")
        reading.assume(f"`{whole.id}` holds no infinite numbers")
    if torch and (pairs is None or len(pairs) != 1 or least != 1 or rank is not None):
        return None
    if pairs is not None:
        _as_written(reading, whole, call, pairs, rank, torch)
    if rank is not None or whole.id in reading.stored or not _same_since(reading, whole.id, call):
        return None
    pairs = pairs or [(around, around)]
    if len(pairs) > 1 or not all(_counts(reading, end) for end in pairs[0]):
        return None
    try:
        before, behind = (reading.integers.term(end, {}) for end in pairs[0])
    except NoNest:
        return None
    inner: Value = reading.leaf(whole, least)
    if len(inner.axes) > 1 and (torch or (isinstance(around, ast.Tuple) and _pairs(around))):
        raise NoNest("what is put around one axis goes around all")
    return [extents.add(axis.extent, before, behind) for axis in inner.axes]


def _pairs(around: ast.expr) -> list[tuple[ast.expr, ast.expr]] | None:
    """What is put before and behind each axis, where that is spelled: ``((1, 1), (w, w))``."""
    if not isinstance(around, ast.Tuple):
        return None
    rows = [each.elts for each in around.elts if isinstance(each, ast.Tuple)]
    if len(rows) != len(around.elts) or any(len(row) != 2 for row in rows):
        return None
    return [(row[0], row[1]) for row in rows]


def _from_last(around: ast.expr) -> list[tuple[ast.expr, ast.expr]] | None:
    """The same as torch has it, one number after the other and the last axis first."""
    if not isinstance(around, ast.Tuple) or len(around.elts) % 2:
        return None
    return list(zip(around.elts[::2], around.elts[1::2], strict=True))[::-1]


def _like(module: Module, node: ast.expr) -> ast.Name | None:
    """``x`` of ``torch.ones_like(x)``."""
    if not isinstance(node, ast.Call) or path_of(module, node.func) != "torch.ones_like":
        return None
    given = node.args[0] if len(node.args) == 1 and not node.keywords else None
    return given if isinstance(given, ast.Name) else None


def _endless(call: ast.Call) -> bool:
    """Whether infinity is put around: the largest of an array is larger, unless that is too."""
    return any("inf" in ast.unparse(word.value) for word in call.keywords)


def _as_written(
    reading: Expressions,
    whole: ast.Name,
    call: ast.Call,
    pairs: list[tuple[ast.expr, ast.expr]],
    rank: int | None,
    torch: bool,
) -> None:
    """Say what a call takes for granted: as many axes as pairs, of which none is negative, and
    where it repeats elements, that there are some; that what is added up is of no type in which
    that makes a difference. Raises ``NoNest``."""
    if rank is not None and rank != len(pairs):
        raise NoNest("what is put around one axis goes around all")
    for end in {ast.unparse(each): each for pair in pairs for each in pair}.values():
        reading.integers.length(reading.integers.term(end, {}))
    if len(call.args) > 2:
        reading.assume(f"`{whole.id}` is not empty")
    elif not torch:
        reading.assume(f"`{whole.id}` is no narrower than float32")


def _same_since(reading: Expressions, name: str, call: ast.Call) -> bool:
    """Whether a name still stands for the array that ``call`` was given."""
    if name in reading.region.stores - reading.region.bound:
        return True
    made = reading.arrays.assigned(name)
    return made is not None and made.lineno < call.lineno


def _counts(reading: Expressions, node: ast.expr) -> bool:
    """Whether an expression is a number, for its own sake or for what else is computed with it."""
    if isinstance(node, ast.BinOp) or type(constant(node)) is int:
        return True
    return (
        isinstance(node, ast.Name)
        and any(
            isinstance(reading.region.parents.get(load), ast.BinOp)
            for load in reading.region.loads.get(node.id, ())
        )
        and not _holds_several(reading, node.id)
    )


def _holds_several(reading: Expressions, name: str) -> bool:
    """Whether a name is subscripted or walked somewhere, as pairs are."""
    return any(
        isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Name)
        and inner.value.id == name
        for inner in everything_in(reading.region.lifted.node)
    )  # fmt: skip
