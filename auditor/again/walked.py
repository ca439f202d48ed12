"""Whether a parameter of which nothing is said can be walked more than once.

An iterator is empty the second time. What has a length or items by place is none; and a function
that walks its parameter in two places, or once for every element of it, means none. One that walks
all of it at every step of a loop hardly does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from auditor.folds.iterables import Iterable as Kind
from auditor.folds.iterables import kind_of
from auditor.surroundings.region import Region
from auditor.tree import ancestors, descendants

_EXHAUSTING = ("sorted", "set", "frozenset")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_WALKING = ("sum", "max", "min", "sorted", "any", "all", "set", "frozenset", "list", "tuple")


def may_be_walked_again(region: Region, node: ast.expr) -> bool:
    """Whether ``node`` is a parameter of unknown kind that is not meant to be an iterator."""
    return _unknown(region, node) and (
        _has_items(region, node) or len(_walks(region, node)) > 1 or _walked_by_steps(region, node)
    )  # fmt: skip


def walked_again(region: Region, parts: Iterable[ast.AST]) -> list[str]:
    """What is assumed of the parameters that ``parts`` walk."""
    found = {
        argument.id: f"`{argument.id}` is no iterator"
        for part in parts
        for argument in _walked_in(part)
        if isinstance(argument, ast.Name)
        and _unknown(region, argument)
        and not _has_items(region, argument)
    }
    return list(found.values())


def walked_by_steps(region: Region, parts: Iterable[ast.AST]) -> list[str]:
    """The parameters that ``parts`` walk of which nothing but that every step walks all of them
    says that they are no iterators."""
    found = {
        argument.id for part in parts for argument in _walked_in(part)
        if _unknown(region, argument) and not _has_items(region, argument)
        and len(_walks(region, argument)) < 2
    }  # fmt: skip
    return sorted(found)


def _unknown(region: Region, node: ast.expr) -> bool:
    """Whether a parameter that is bound nowhere else has no kind."""
    if not isinstance(node, ast.Name):
        return False
    bound = (n for n in region.nodes if isinstance(n, ast.Name) and n.id == node.id)
    if not all(isinstance(n.ctx, ast.Load) for n in bound):
        return False
    given = [n for n in region.nodes if isinstance(n, ast.arg) and n.arg == node.id]
    return (
        len(given) == 1
        and given[0].annotation is None
        and kind_of(region, node, []) is Kind.UNKNOWN
    )


def _has_items(region: Region, node: ast.expr) -> bool:
    """Whether the function asks for its length, or for an item by its place."""
    for load in region.loads.get(node.id, []) if isinstance(node, ast.Name) else []:
        above = region.parents.get(load)
        if isinstance(above, ast.Subscript) and above.value is load:
            return True
        if isinstance(above, ast.Call) and isinstance(above.func, ast.Name):
            if above.func.id == "len" and above.args == [load]:
                return True
    return False


def _walked_by_steps(region: Region, node: ast.expr) -> bool:
    """Whether a loop walks all of it at every step: nothing would be left for the second."""
    for load in region.loads.get(node.id, []) if isinstance(node, ast.Name) else []:
        call = region.parents.get(load)
        called = call.func if isinstance(call, ast.Call) and call.args == [load] else None
        if isinstance(called, ast.Name) and called.id in _EXHAUSTING and _in_a_loop(region, load):
            return True
    return False


def _in_a_loop(region: Region, node: ast.AST) -> bool:
    """Whether a node is evaluated at every step of a loop."""
    for above in ancestors(node, region.parents):
        if isinstance(above, (ast.For, ast.While)) and node in (*above.body, *above.orelse):
            return node in above.body
        if isinstance(above, ast.comprehension) and node is not above.iter:
            return True
        if isinstance(above, _COMPREHENSIONS) and node is not above.generators[0]:
            return True
        node = above
    return False


def _walks(region: Region, node: ast.expr) -> list[ast.Name]:
    """The places at which a parameter is walked."""
    name = node.id if isinstance(node, ast.Name) else ""
    return [walked for walked in _walked_in(region.lifted.node) if walked.id == name]


def _walked_in(root: ast.AST) -> list[ast.Name]:
    found: list[ast.expr] = []
    for node in descendants(root):
        if isinstance(node, (ast.For, ast.comprehension)):
            found.append(node.iter)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            alone = node.func.id in _WALKING and len(node.args) == 1
            if alone or node.func.id in ("enumerate", "zip"):
                found += node.args
    return [node for node in found if isinstance(node, ast.Name)]
