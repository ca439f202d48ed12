"""The smallest, the middle or the largest of a few values that the code writes out."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.algebra.ordered_few import MOST
from auditor.derive.calls import Purity


@dataclass(frozen=True)
class OrderStatistic:
    """The item at a place of the ``items`` in order."""

    items: tuple[ast.expr, ...]
    place: int


def order_statistic(node: ast.expr, purity: Purity) -> OrderStatistic | None:
    """Of ``sorted([a, b, c])[1]``; None of anything else."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Call):
        return None
    call, word = node.value, node.slice
    if ast.unparse(call.func) != "sorted" or not purity.means("sorted"):
        return None
    if len(call.args) != 1 or call.keywords or not isinstance(call.args[0], (ast.List, ast.Tuple)):
        return None
    items = tuple(call.args[0].elts)
    starred = any(isinstance(item, ast.Starred) for item in items)
    try:
        place = ast.literal_eval(word)
    except ValueError:
        return None
    if starred or not 2 <= len(items) <= MOST or type(place) is not int:
        return None
    size = len(items)
    return OrderStatistic(items, place % size) if -size <= place < size else None
