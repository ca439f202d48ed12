"""What is taken for granted of arrays in a nest where nothing states it: how many axes they have,
and how far a slice reaches.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.nests.integers import Integers, NoNest
from auditor.nests.parts import indices, put
from auditor.notation import ONE, Apply, Const, Index, Term, Value
from auditor.syntax import is_name, same, subscripted

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions


def rows_of_list(reading: Expressions, target: ast.Name) -> int:
    """How many axes an array is taken to have whose elements a list walks: they are rows, or
    matrices where they are multiplied as such. Nothing else says so: see ``doubts``."""
    if not reading.free:
        supposed = reading.doubts is not None and not reading.numbers
        return 2 * (supposed and _calculated_with(reading, target.id))
    if any(_quadratic(node, target.id) for node in reading.region.nodes):
        return 2
    multiplied = any(
        any(is_name(side, target.id) for side in sides)
        and all(reading.moves(side, reading.stored) for side in sides)
        for node in reading.region.nodes
        if (sides := _multiplied(node))
    )
    return 3 if multiplied else 2


def named_as_matrix(node: ast.expr) -> bool:
    """Whether an operand has the name of a matrix: a capital letter, or that of weights."""
    node = subscripted(node)
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
    return name[:1].isupper() or name[:1] == "w"


def first_factor(node: ast.expr) -> ast.expr:
    """The first of several matrices that are multiplied."""
    sides = _multiplied(node, "dot")
    return first_factor(sides[0]) if sides else node


def _multiplied(node: ast.AST, *more: str) -> tuple[ast.expr, ...]:
    """The two operands of a product of matrices, by ``@`` or the name of a function, of some
    ``more`` as well."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return node.left, node.right
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return ()
    given = (node.func.value, *node.args)[-2:]
    return given if node.func.attr in ("matmul", "mm", *more) and len(given) == 2 else ()


def _calculated_with(reading: Expressions, name: str) -> bool:
    """Whether a name is an operand, and in no subscript: what a loop binds to places is."""
    uses = [reading.region.parents.get(load) for load in reading.region.loads.get(name, ())]
    subscripts = any(isinstance(use, (ast.Subscript, ast.Tuple)) for use in uses)
    return not subscripts and any(isinstance(use, ast.BinOp) for use in uses)


def _quadratic(node: ast.AST, name: str) -> bool:
    """Whether a product is ``v @ A @ v``, which is a number for a vector."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.MatMult):
        return False
    left, right = node.left, node.right
    product = isinstance(left, ast.BinOp) and isinstance(left.op, ast.MatMult)
    return product and is_name(right, name) and is_name(left.left, name)  # type: ignore[attr-defined]


def inside(reading: Expressions, lower: Term, upper: Term, extent: Term, item: ast.Slice) -> None:
    """A slice that goes beyond an axis is shorter than it says."""
    room = extents.canonical(extents.sub(extent, _extreme(reading, upper, 1)))
    over = _least_over(reading.integers, room)
    least = extents.constant(extents.canonical(_extreme(reading, lower, -1)))
    shortest = extents.constant(extents.canonical(_extreme(reading, upper, -1)))
    if shortest is not None and shortest < 0:
        raise NoNest("a slice that counts from the end at some steps")
    short = over < 0 if over is not None else extents.may_be_negative(room)
    if short or least is None or least < 0:
        raise NoNest("a slice that may reach beyond its axis")
    if over is None or (shortest is None and any(_signs(upper).values())):
        said = reading.region.module.source(item)
        reading.unsure(f"whether `{said}` stays within its axis is not known")


def _signs(term: Term) -> dict[Index, bool]:
    """The steps that a term falls with, and those that it does not."""
    found = extents.polynomial(term)
    return {index: found.get((index,), 0) < 0 for index in indices(term)}


def _extreme(reading: Expressions, term: Term, way: int) -> Term:
    """The greatest that a term is at any step, or with -1 the least."""
    for index, falls in _signs(term).items():
        walk = reading.walks[index]
        last = (way > 0) != falls
        term = put(term, {index: extents.sub(walk.high, ONE) if last else walk.low})
    return term


def _least_over(integers: Integers, room: Term) -> int | None:
    """The least that an integer is, if nothing but remainders are left of it: ``a - s * (a // s)``
    is no less than 0 and ``s * (a // s) - a`` no less than ``1 - s``, for a positive ``s``."""
    for monomial, factor in extents.polynomial(room).items():
        for atom in monomial:
            if not isinstance(atom, Apply) or atom.op != "floordiv":
                continue
            whole, size = atom.args
            number = extents.constant(size)
            if monomial == (atom,) and number is not None and number > 0 and factor > 0:
                often, rest = divmod(factor, number)
                if rest:
                    continue
                under = extents.mul(Const(often), extents.sub(whole, Const(number - 1)))
                gone = extents.sub(room, extents.mul(Const(factor), atom))
                return _least_over(integers, extents.canonical(extents.add(gone, under)))
            times = extents.mul(*(each for each in monomial if each is not atom), Const(factor))
            if extents.constant(extents.add(times, size)) != 0:
                continue
            gone = extents.add(room, extents.mul(size, atom))
            least = extents.constant(extents.canonical(extents.sub(gone, whole)))
            if least is not None and number is None:
                sentence = f"`{integers.text(size)}` is positive"
                if sentence not in integers.assumed:
                    integers.assumed.append(sentence)
            return least if number is None or number > 0 else None
    return extents.constant(room)


def taken_from(one: ast.expr, other: ast.expr) -> ast.expr | None:
    """``one`` where ``other`` is a row or an element of it: ``x`` of ``x - x[i]``."""
    at = subscripted(other)
    named = isinstance(one, (ast.Name, ast.Attribute)) and at is not other
    return one if named and same(one, at) else None


def made_with(lifted: Value | None) -> int:
    """How many axes an array has by the operation that makes it, whatever its operands have; 0
    where nothing says so."""
    if lifted is None or lifted.kind != "derived" or any(axis.group for axis in lifted.axes):
        return 0
    return len(lifted.axes)


def met_with(lifted: Value | None) -> int:
    """How many axes an array has by all that is done to it in the function, as the lifter takes
    it; 0 where that leaves it open."""
    if lifted is None or lifted.kind != "input" or any(axis.group for axis in lifted.axes):
        return 0
    return len(lifted.axes)
