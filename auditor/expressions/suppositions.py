"""What an expression's notation only supposes: numbers of axes that the code suggests and nothing
shows, and slices that are taken to be whole because what they meet is as long.

Notation needs a number of axes where axes meet. A rewrite that stays right with any number asks
nothing here; one that would not is refused where the number is a guess.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from auditor.algebra.subterms import everything
from auditor.lift.facts import GUESSED_RANK, TAKEN_RANK, Ground
from auditor.lift.ranks import grounds_of
from auditor.notation import Read, Value
from auditor.syntax import path_of
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.expressions.region import ExpressionRegion

UNNEEDED: frozenset[Ground | None] = frozenset(("slice", "product", "reshape"))
"""Grounds of assumptions that a fix need not state whose kernel takes any number of axes: a slice
beyond the end would not have fitted before, and what is reshaped is said with its reshape."""
_REDUCTIONS = frozenset("mean sum var std var_mean std_mean norm".split())


def guessed_rank(region: ExpressionRegion, value: Value) -> bool:
    """Whether how many axes ``value`` has rests on a guess."""
    return not GUESSED_RANK.isdisjoint(_grounds(region, value))


def taken_rank(region: ExpressionRegion, value: Value) -> bool:
    """Whether how many axes ``value`` has was taken from what is done with the arrays that it is
    made of, and the value does not say it itself."""
    if _says_sizes(region, value):
        return False
    return not TAKEN_RANK.isdisjoint(_grounds(region, value))


def _says_sizes(region: ExpressionRegion, value: Value) -> bool:
    """Whether a value is a view that is told the size of each of its axes."""
    node = region.origin(value)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr not in ("view", "reshape"):
        return False
    given = node.args if path_of(region.module, node.func) is None else node.args[1:]
    sizes = given[0].elts if len(given) == 1 and isinstance(given[0], ast.Tuple) else given
    return len(sizes) == len(value.axes) and not any(isinstance(s, ast.Starred) for s in sizes)


def vector_perhaps(region: ExpressionRegion, value: Value) -> bool:
    """Whether nothing but a product says that ``value`` is no vector."""
    return "product" in _grounds(region, value)


def _grounds(region: ExpressionRegion, value: Value) -> Iterator[Ground]:
    """On what the axes of ``value`` and of the arrays that it is made of are assumed."""
    facts = region.lifted.facts
    for part in made_of(value):
        yield from grounds_of(facts, part)


def partial(region: ExpressionRegion, value: Value) -> str | None:
    """The text of a slice that ``value`` is made of and that may be a part of an axis: that it is
    as long as the axis rests on a broadcast, which one of length 1 passes as well."""
    facts = region.lifted.facts
    for part in made_of(value):
        node = region.origin(part)
        if not isinstance(node, ast.Subscript) or not any(
            isinstance(item, ast.Slice) and (item.lower or item.upper)
            for item in everything_in(node)
        ):
            continue
        whole = region.values.get(node.value)
        if isinstance(whole, Value) and any(
            not facts.certain(axis.extent) and any(axis.extent is a.extent for a in whole.axes)
            for axis in part.axes
        ):
            return region.one_line(node)
    return None


def cut(region: ExpressionRegion, values: Iterable[Value]) -> bool:
    """Whether one of ``values`` is made by a subscript that may leave something out. Of which axis
    is a guess where how many there are is not known."""
    return any(
        isinstance(node := region.origin(value), ast.Subscript)
        and any(
            isinstance(item, ast.Slice) and (item.lower or item.upper or item.step)
            for item in everything_in(node.slice)
        )
        for value in values
    )


def counted_alike(region: ExpressionRegion, value: Value) -> int | None:
    """-1 where all dimensions that the reductions in ``value`` name are counted from the end, 1
    where all are counted from the front; None where that differs or is not written out."""
    signs: set[int] = set()
    nodes = [region.node, *(n for v in made_of(value) if (n := region.origin(v)) is not None)]
    for node in {inner for outer in nodes for inner in everything_in(outer)}:
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        if name not in _REDUCTIONS or not isinstance(region.values.get(node), Value):
            continue
        given = [word.value for word in node.keywords if word.arg in ("dim", "axis")]
        for each in (*given, *node.args):
            if isinstance(region.values.get(each), Value) and not _literal(each):
                continue
            for number in _literal(each) or ([0, -1] if each in given else []):
                signs.add(-1 if number < 0 else 1)
    return signs.pop() if len(signs) == 1 else None


def _literal(node: ast.expr) -> list[int]:
    """The integers that are written out, alone or in a tuple."""
    try:
        found = ast.literal_eval(node)
    except ValueError:
        return []
    numbers = list(found) if isinstance(found, (tuple, list)) else [found]
    return [n for n in numbers if isinstance(n, int) and not isinstance(n, bool)]


def made_of(value: Value) -> Iterator[Value]:
    """``value`` and every value that it is made of."""
    seen = {value}
    yield value
    for node in everything([value.body] if value.body is not None else []):
        if isinstance(node, Read) and node.value not in seen:
            seen.add(node.value)
            yield node.value
