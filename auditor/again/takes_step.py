"""Code that asks, before a loop, whether it takes a step."""

from __future__ import annotations

import ast

from auditor.again.candidates import COMPREHENSIONS, Loop
from auditor.again.walked import may_be_walked_again
from auditor.folds.iterables import Iterable, kind_of
from auditor.lift.changes import dotted
from auditor.surroundings.region import Region
from auditor.syntax import is_name
from auditor.tree import descendants

_ASKING = (ast.Compare, ast.BoolOp, ast.Name, ast.Constant, ast.UnaryOp, ast.BinOp, ast.Attribute,
           ast.Subscript)  # fmt: skip
_TOLD_BY_TRUTH = (Iterable.LIST, Iterable.SET, Iterable.VIEW)


def takes_step(region: Region, loop: Loop) -> str | None:
    """A condition that holds where the loop takes a step; None where no short one says so."""
    if isinstance(loop, ast.For):
        return _filled(region, loop.iter)
    if isinstance(loop, ast.While):
        return ast.unparse(loop.test) if _asks_only(region, loop.test) else None
    if isinstance(loop, COMPREHENSIONS) and len(loop.generators) == 1:
        (generator,) = loop.generators
        return None if generator.is_async else _filled(region, generator.iter)
    return None


def _filled(region: Region, node: ast.expr) -> str | None:
    """A condition that holds where there is something to walk in ``node``."""
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name) or not region.means_builtin(node.func.id):
            return None
        if node.func.id in ("enumerate", "reversed") and node.args:
            return _filled(region, node.args[0])
        if node.func.id == "range" and len(node.args) == 1:
            return _counts(region, node.args[0])
        return None
    if dotted(node) is None:
        return None
    text = ast.unparse(node)
    kind = kind_of(region, node, [])
    if kind in _TOLD_BY_TRUTH:
        return text
    counted = kind is Iterable.ARRAY or may_be_walked_again(region, node)
    return f"len({text})" if counted else None


def _asks_only(region: Region, test: ast.expr) -> bool:
    """Whether a condition may be asked once more: it compares numbers, lengths and truths."""
    return all(
        is_name(node.func, "len") and region.means_builtin("len")
        if isinstance(node, ast.Call) else isinstance(node, _ASKING)
        for node in descendants(test) if isinstance(node, ast.expr)
    )  # fmt: skip


def _counts(region: Region, stop: ast.expr) -> str | None:
    if isinstance(stop, ast.Call) and isinstance(stop.func, ast.Name) and stop.func.id == "len":
        if len(stop.args) != 1 or not region.means_builtin("len") or dotted(stop.args[0]) is None:
            return None
        return _filled(region, stop.args[0]) or ast.unparse(stop)
    sized = isinstance(stop, ast.Subscript) and dotted(stop.value) is not None
    return f"{ast.unparse(stop)} > 0" if sized or dotted(stop) is not None else None
