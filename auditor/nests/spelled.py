"""Loops over a few integers that the code spells: ``for d in (-1, 0, 1)``, ``for dy, dx in
NEIGHBOURS``.

Integers that follow each other are a range. Of others, and where a condition asks which step it is
(``if dy == 0 and dx == 0: continue``), the steps are read one after the other, with the loop
variables as numbers.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from auditor.nests.integers import NoNest
from auditor.nests.parts import Scope
from auditor.notation import Const
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.nests.reader import Reader

MOST = 9
"""How many steps are written out."""

Numbers = tuple[int | float, ...]


def as_range(region: Region, source: ast.expr) -> ast.expr:
    """A spelled sequence of integers that follow each other as the range that it is; anything else
    as it is."""
    found = _items(region, source)
    numbers = [row[0] for row in found or () if len(row) == 1]
    if not numbers or len(numbers) != len(found or ()) or not isinstance(numbers[0], int):
        return source
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))) or float in map(type, numbers):
        return source
    if "range" in region.module.bound:
        return source
    ends = [ast.Constant(numbers[0]), ast.Constant(numbers[0] + len(numbers))]
    made = ast.Call(ast.Name("range", ast.Load()), list[ast.expr](ends), [])
    return ast.fix_missing_locations(ast.copy_location(made, source))


def has_steps(region: Region, node: ast.For) -> bool:
    """Whether a loop within ``node`` has a few steps that the code spells."""
    return any(
        isinstance(inner, (ast.For, ast.comprehension)) and _steps(region, inner) is not None
        for inner in everything_in(node)
    )


def steps(reader: Reader, node: ast.For) -> list[Scope] | None:
    """What the steps of a loop bind, where they are read one by one."""
    if not reader.spelled or node.orelse:
        return None
    found = _steps(reader.region, node)
    if found is not None and reader.copies * len(found) > MOST:
        raise NoNest("many steps that the code spells")
    return found


def written_out(reader: Reader, node: ast.For, found: list[Scope], scope: Scope) -> None:
    """Read the steps of a loop one after the other."""
    targets = found[0].keys()
    if targets & scope.keys():
        raise NoNest("binds a loop variable again")
    reader.copies *= len(found)
    for step in found:
        scope.update(step)
        reader._block(node.body, scope, True)
    reader.copies //= len(found)
    for name in targets:
        scope.pop(name, None)


def rows(region: Region, generator: ast.comprehension) -> list[Scope] | None:
    """What the steps of a comprehension bind that are no range, those left out that a condition
    skips."""
    if isinstance(as_range(region, generator.iter), ast.Call) and not generator.ifs:
        return None
    found = _steps(region, generator)
    if found is None or len(found) > MOST:
        return None
    asked = [[decided(test, step) for test in generator.ifs] for step in found]
    if any(None in answers for answers in asked):
        return None
    return [step for step, answers in zip(found, asked, strict=True) if all(answers)]


def _steps(region: Region, node: ast.For | ast.comprehension) -> list[Scope] | None:
    found = _items(region, node.iter)
    targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
    if not found or any(len(row) != len(targets) for row in found):
        return None
    if isinstance(node.target, ast.Tuple) and len(targets) < 2:
        return None
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    if len(set(names)) < len(targets):
        return None
    return [dict(zip(names, map(Const, row), strict=True)) for row in found]


def _items(region: Region, node: ast.expr) -> list[Numbers] | None:
    """The rows of a display of numbers, or of tuples of numbers, or of a short range."""
    if isinstance(node, ast.Name):
        node = _stated(region, node) or node
    if isinstance(node, ast.Call) and is_name(node.func, "range") and not node.keywords:
        ends = [end for arg in node.args if type(end := constant(arg)) is int]
        if len(ends) != len(node.args) or not 1 <= len(ends) <= 2:
            return None
        counted = range(*ends)
        return [(number,) for number in counted] if len(counted) <= MOST else None
    if not isinstance(node, (ast.Tuple, ast.List)):
        return None
    found = [_row(item) for item in node.elts]
    return None if None in found else [row for row in found if row is not None]


def _row(node: ast.expr) -> Numbers | None:
    items = node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]
    numbers = tuple(n for each in items if type(n := constant(each)) in (int, float))
    return numbers if numbers and len(numbers) == len(items) else None  # type: ignore[return-value]


def _stated(region: Region, name: ast.Name) -> ast.expr | None:
    """The display that a name is bound to once, and of which nothing but loops make use."""
    module = region.module
    local = name.id in region.stores
    if not local and name.id not in module.constants:
        return None
    around = region.lifted.node if local else module.tree
    used, walked = 0, 0
    made: list[ast.expr] = []
    for node in everything_in(around):
        if isinstance(node, ast.Name) and node.id == name.id:
            used += isinstance(node.ctx, ast.Load)
            walked -= not isinstance(node.ctx, ast.Load)
        elif isinstance(node, ast.arg) and node.arg == name.id:
            return None
        elif isinstance(node, (ast.For, ast.comprehension)) and is_name(node.iter, name.id):
            walked += 1
        elif isinstance(node, ast.Assign) and any(is_name(t, name.id) for t in node.targets):
            made.append(node.value)
            walked += 1
    return made[0] if len(made) == 1 and used == walked else None


_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


def decided(test: ast.expr, known: Mapping[str, object]) -> bool | None:
    """Whether a condition on spelled integers holds; None where it asks for something else."""
    try:
        return bool(_value(test, known))
    except _Open:
        return None


class _Open(Exception):
    """A condition asks for more than numbers that the code spells."""


def _value(node: ast.expr, known: Mapping[str, object]) -> object:
    if isinstance(node, ast.BoolOp):
        truths = [_value(side, known) for side in node.values]
        return all(truths) if isinstance(node.op, ast.And) else any(truths)
    if isinstance(node, ast.Compare):
        sides = [_value(side, known) for side in (node.left, *node.comparators)]
        ways = [_COMPARED.get(type(op)) for op in node.ops]
        if len({type(side) is tuple for side in sides}) > 1 or None in ways:
            raise _Open
        pairs = zip(ways, sides, sides[1:], strict=False)
        return all(way(left, right) for way, left, right in pairs if way is not None)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return not _value(node.operand, known)
    if isinstance(node, ast.Tuple):
        return tuple(_value(item, known) for item in node.elts)
    return _number(node, known)


def _number(node: ast.expr, known: Mapping[str, object]) -> int:
    number = constant(node)
    if isinstance(node, ast.Name):
        held = known.get(node.id)
        number = held.value if isinstance(held, Const) else ...
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        left, right = _number(node.left, known), _number(node.right, known)
        if isinstance(node.op, ast.Mult):
            return left * right
        return left + right if isinstance(node.op, ast.Add) else left - right
    if isinstance(node, ast.Call) and is_name(node.func, "abs") and len(node.args) == 1:
        return abs(_number(node.args[0], known))
    if type(number) is not int:
        raise _Open
    return number
