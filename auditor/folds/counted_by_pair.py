"""Loops over the pairs of two groups that count the rows of each, as one call that counts each row.

for i in range(n):                                     inside = np.isin(a, np.arange(n)) & ...
    for j in range(m):                                 np.add.at(table, (a[inside].astype(int),
        table[i, j] = np.sum((a == i) & (b == j))                        b[inside].astype(int)), 1)
"""

from __future__ import annotations

import ast

from auditor.lift.changes import dotted
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, mentions, path_of

_BOTH = ("numpy.logical_and", "numpy.bitwise_and")
_WHOLE_OR_DOUBLE = ("int", "float", "numpy.int64", "numpy.int32", "numpy.float64", "numpy.intp")


def counted_by_pair(region: Region, outer: ast.For) -> tuple[list[str], list[str]] | None:
    """The lines that replace a nest, and what they assume; None where it does something else."""
    inner = outer.body[0] if len(outer.body) == 1 else None
    if not isinstance(inner, ast.For) or len(inner.body) != 1 or outer.orelse or inner.orelse:
        return None
    count, other_count = _count(region, outer), _count(region, inner)
    numpy = next((n for n, path in region.module.names.items() if path == "numpy"), None)
    store = inner.body[0]
    if count is None or other_count is None or numpy is None or region.module.library != "numpy":
        return None
    if not isinstance(store, ast.Assign) or len(store.targets) != 1:
        return None
    row, column = outer.target, inner.target
    assert isinstance(row, ast.Name) and isinstance(column, ast.Name)
    table = _cell(store.targets[0], row.id, column.id)
    mask = _counted(region, store.value)
    sides = None if mask is None else _sides(region, mask)
    if table is None or sides is None or row.id == column.id:
        return None
    labels = [_labels(sides, step.id) for step in (row, column)]
    first, second = labels
    if first is None or second is None:
        return None
    own = (row.id, column.id, table)
    if any(mentions(each, name) for each in (first, second) for name in own):
        return None
    if mentions(inner.iter, row.id) or not _are_zeros(region, outer, table):
        return None
    if not all(region.unread(step.id, (outer,), outer) for step in (row, column)):
        return None
    inside = region.free_name("inside")
    said = [ast.unparse(each) for each in (first, second)]
    within = " & ".join(
        f"{numpy}.isin({text}, {numpy}.arange({number}))"
        for text, number in zip(said, (count, other_count), strict=True)
    )
    places = ", ".join(f"{text}[{inside}].astype(int)" for text in said)
    lines = [f"{inside} = {within}", f"{numpy}.add.at({table}, ({places}), 1)"]
    return lines, [f"`{said[0]}` and `{said[1]}` are arrays of one shape"]


def _count(region: Region, loop: ast.For) -> str | None:
    """How many groups a loop goes through."""
    walked = loop.iter
    if not isinstance(walked, ast.Call) or not is_name(walked.func, "range"):
        return None
    if len(walked.args) != 1 or not region.means_builtin("range"):
        return None
    (count,) = walked.args
    plain = isinstance(constant(count), int) or dotted(count) is not None
    return ast.unparse(count) if plain and isinstance(loop.target, ast.Name) else None


def _cell(target: ast.expr, row: str, column: str) -> str | None:
    """The array of ``table[i, j]`` or ``table[i][j]``."""
    items: list[ast.expr] = []
    while isinstance(target, ast.Subscript):
        here = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        items[:0] = here
        target = target.value
    in_order = len(items) == 2 and is_name(items[0], row) and is_name(items[1], column)
    return target.id if isinstance(target, ast.Name) and in_order else None


def _counted(region: Region, node: ast.expr) -> ast.expr | None:
    """The truth values that are counted."""
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if path_of(region.module, node.func) in ("numpy.sum", "numpy.count_nonzero"):
        return node.args[0] if len(node.args) == 1 else None
    summed = isinstance(node.func, ast.Attribute) and node.func.attr == "sum" and not node.args
    known = path_of(region.module, node.func) is not None
    return node.func.value if summed and not known else None  # type: ignore[attr-defined]


def _sides(region: Region, mask: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """What both has to hold."""
    if isinstance(mask, ast.BinOp) and isinstance(mask.op, (ast.BitAnd, ast.Mult)):
        return mask.left, mask.right
    if isinstance(mask, ast.Call) and path_of(region.module, mask.func) in _BOTH:
        if len(mask.args) == 2 and not mask.keywords:
            return mask.args[0], mask.args[1]
    return None


def _labels(sides: tuple[ast.expr, ast.expr], step: str) -> ast.expr | None:
    """What is compared with a step: ``a`` of ``a == i``."""
    for side in sides:
        if isinstance(side, ast.Compare) and len(side.ops) == 1 and isinstance(side.ops[0], ast.Eq):
            both = (side.left, side.comparators[0])
            for one, other in (both, both[::-1]):
                if is_name(other, step) and dotted(one) is not None:
                    return one
    return None


def _are_zeros(region: Region, loop: ast.For, name: str) -> bool:
    """Whether an array of zeros, of numbers that count, was made just before the loop."""
    block = region.siblings(loop)
    for earlier in reversed(block[: block.index(loop)]):
        if isinstance(earlier, ast.Assign) and any(is_name(t, name) for t in earlier.targets):
            made = earlier.value
            if len(earlier.targets) > 1 or not isinstance(made, ast.Call):
                return False
            stated = [k.value for k in made.keywords if k.arg == "dtype"] + made.args[1:2]
            plain = len(stated) == len(made.keywords) + len(made.args[1:]) <= 1
            typed = all(
                (path_of(region.module, one) or ast.unparse(one)) in _WHOLE_OR_DOUBLE
                for one in stated
            )
            return path_of(region.module, made.func) == "numpy.zeros" and plain and typed
        if mentions(earlier, name):
            return False
    return False
