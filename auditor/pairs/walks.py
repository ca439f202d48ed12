"""What one of two loops over pairs walks: places, or the elements of arrays.

for i in range(n)                    for j in range(i + 1, n)
for i, a in enumerate(x)             for b in x[i + 1 :]
for a, m in zip(x, masses)           for b, k in zip(x[:i], masses[:i])
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name


@dataclass(frozen=True)
class Walk:
    """A loop over places from ``start`` to ``stop`` (each None where that is the array's own), or
    over the elements of arrays, by the arrays' texts. The place may have no name."""

    place: str
    start: ast.expr | None
    stop: ast.expr | None
    elements: dict[str, str]

    @property
    def count(self) -> str:
        if not self.elements:
            assert self.stop is not None
            return ast.unparse(self.stop)
        lengths = [f"len({array})" for array in self.elements]
        return lengths[0] if len(lengths) == 1 else f"min({', '.join(lengths)})"

    @property
    def names(self) -> tuple[str, ...]:
        return (*([self.place] if self.place else ()), *self.elements.values())


def walk_of(region: Region, loop: ast.For) -> Walk | None:
    """The loop over ``range``, or over elements, with their places or without, of one array or of
    several side by side."""
    walked, target, place = loop.iter, loop.target, ""
    if (call := _called(region, walked, "range")) is not None:
        if not isinstance(target, ast.Name) or not 1 <= len(call.args) <= 2:
            return None
        (*starts, stop) = call.args
        start = starts[0] if starts and constant(starts[0]) != 0 else None
        return Walk(target.id, start, stop, {})
    counted: ast.expr | None = None
    if (call := _called(region, walked, "enumerate")) is not None:
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2 or len(call.args) > 2:
            return None
        walked, counted = call.args[0], call.args[1] if len(call.args) == 2 else ast.Constant(0)
        first, target = target.elts
        if not isinstance(first, ast.Name):
            return None
        place = first.id
    beside = _called(region, walked, "zip")
    arrays = [walked] if beside is None else beside.args
    targets = [target] if beside is None else getattr(target, "elts", [])
    parts = [_part(array) for array in arrays]
    names = [each.id for each in targets if isinstance(each, ast.Name)]
    if not len(names) == len(targets) == len(parts) or len({*names, place}) != len(names) + 1:
        return None
    bounds = {(_text(start), _text(stop)) for _, start, stop in parts}
    elements = {array: name for (array, _, _), name in zip(parts, names, strict=True)}
    if len(bounds) != 1 or len(elements) != len(parts) or "" in elements:
        return None
    _, begin, end = parts[0]
    if counted is not None and _text(counted) != (_text(begin) or "0"):
        return None
    return Walk(place, begin, end, elements)


def _called(region: Region, node: ast.expr, name: str) -> ast.Call | None:
    """The call that a node is of one of Python's own functions, with arguments by their places."""
    if not isinstance(node, ast.Call) or not is_name(node.func, name):
        return None
    if name in region.stores or name in region.module.names:
        return None  # something else by that name
    return None if node.keywords and name != "enumerate" else _by_place(node)


def _by_place(call: ast.Call) -> ast.Call | None:
    """A call of ``enumerate`` with ``start=`` as its second argument."""
    if not call.keywords:
        return call if call.args else None
    if len(call.args) != 1 or [word.arg for word in call.keywords] != ["start"]:
        return None
    return ast.Call(call.func, [call.args[0], call.keywords[0].value], [])


def _part(array: ast.expr) -> tuple[str, ast.expr | None, ast.expr | None]:
    """An array's text with where in it a loop begins and ends; without a text where it is none."""
    start = stop = None
    if isinstance(array, ast.Subscript) and isinstance(array.slice, ast.Slice):
        start, stop = array.slice.lower, array.slice.upper
        if array.slice.step is not None or (start is not None and stop is not None):
            return "", None, None
        array = array.value
    return (ast.unparse(array) if is_chain(array) else ""), start, stop


def _text(node: ast.expr | None) -> str:
    return "" if node is None else ast.unparse(node)


def is_chain(node: ast.expr) -> bool:
    """A name, or an attribute of one."""
    return re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", ast.unparse(node)) is not None
