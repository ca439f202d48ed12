"""Which arrays have the sizes of others as long as the function runs: copies of what is bound
once."""

from __future__ import annotations

import ast

from auditor.arrays.facts import Arrays
from auditor.surroundings.region import Region
from auditor.syntax import path_of
from auditor.tree import ancestors

_METHODS = ("copy", "clone")
_FUNCTIONS = frozenset(
    f"{library}.{name}"
    for library in ("numpy", "torch")
    for name in ("copy", "clone", "zeros_like", "ones_like", "empty_like", "full_like")
)
_LOOPS = (ast.For, ast.While)


def sized_as(region: Region, arrays: Arrays, name: ast.expr) -> ast.expr:
    """The first array of which ``name`` is a copy, or was made like, by way of others; or itself.
    Names that are bound again, or in a loop, may stand for another array later."""
    at = name
    while isinstance(at, ast.Name):
        made = arrays.assigned(at.id)
        source = None if made is None else _copied(region, made)
        if not isinstance(source, ast.Name) or not _is_steady(region, source.id):
            break
        at = source
    return at


def _copied(region: Region, made: ast.expr) -> ast.expr | None:
    """What a call copies, or makes an array of the sizes of."""
    if not isinstance(made, ast.Call) or any(word.arg in (None, "shape") for word in made.keywords):
        return None
    path = path_of(region.module, made.func)
    if path in _FUNCTIONS:
        return made.args[0] if made.args else None
    if path is None and isinstance(made.func, ast.Attribute) and made.func.attr in _METHODS:
        return made.func.value
    return None


def _is_steady(region: Region, name: str) -> bool:
    stores = [
        node for node in region.nodes
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
    ]  # fmt: skip
    if name in region.lifted.parameters:
        return not stores
    return len(stores) == 1 and not any(
        isinstance(above, _LOOPS) for above in ancestors(stores[0], region.parents)
    )
