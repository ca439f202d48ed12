"""Lists that begin with something and grow by what was put in last (``out.append(out[-1] + x)``):
the last element as a name of its own."""

from __future__ import annotations

import ast
import copy
from dataclasses import replace

from auditor.derive.begun import before
from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.tree import everything_in

_PLAIN = (ast.Constant, ast.Name, ast.Subscript, ast.UnaryOp, ast.USub, ast.Load, ast.BinOp,
          ast.operator)  # fmt: skip


def with_last(place: Place) -> Place:
    """The place with a name for the last element of such a list, in a copy of the file; the same
    place where the steps do anything else with it."""
    function, loop = place.function, place.loop
    if function is None or not isinstance(loop, ast.For) or loop not in function.body:
        return place
    for name, made in before(place, loop).items():
        if isinstance(made, ast.List) and made.elts and _by_last(loop, name):
            break
    else:
        return place
    first = made.elts[-1]
    if not all(isinstance(node, _PLAIN) for node in everything_in(first)):
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, loop)
    if found is None or found.function is None:
        return place
    words = {n.id for n in everything_in(found.function) if isinstance(n, ast.Name)}
    last = next(w for w in (f"{name}_last", f"{name}_last_", f"{name}_last__") if w not in words)
    change = _Named(name, last)
    found.loop.body = [
        new for old in found.loop.body for new in _listed(change.visit(old))
    ]  # fmt: skip
    begun = ast.Assign([ast.Name(last, ast.Store())], copy.deepcopy(first))
    body = found.function.body
    body.insert(body.index(found.loop), ast.copy_location(begun, found.loop))
    ast.fix_missing_locations(found.function)
    return replace(found, assumptions=place.assumptions)


def _by_last(loop: ast.For, name: str) -> bool:
    """Is nothing done with a list in a loop but that its last element is read, and that it is
    appended to?"""
    inside = everything_in(loop)
    uses = [n for n in inside if isinstance(n, ast.Name) and n.id == name]
    lasts = [n for n in inside if _is_last(n, name)]
    appends = [n for n in inside if _appended(n, name) is not None]
    return bool(lasts) and bool(appends) and len(uses) == len(lasts) + len(appends)


def _is_last(node: ast.AST, name: str) -> bool:
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Load)
        and ast.unparse(node) == f"{name}[-1]"
    )


def _appended(node: ast.AST, name: str) -> ast.expr | None:
    """What a statement appends to a list."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != f"{name}.append":
        return None
    plain = len(call.args) == 1 and not call.keywords
    return call.args[0] if plain and not isinstance(call.args[0], ast.Starred) else None


class _Named(ast.NodeTransformer):
    def __init__(self, name: str, last: str) -> None:
        self._name, self._last = name, last

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if _is_last(node, self._name):
            return ast.copy_location(ast.Name(self._last, ast.Load()), node)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        item = _appended(node, self._name)
        if item is None:
            return node
        kept = ast.Assign([ast.Name(self._last, ast.Store())], item)
        node.value.args = [ast.Name(self._last, ast.Load())]  # type: ignore[attr-defined]
        return [ast.copy_location(kept, node), node]


def _listed(made: ast.stmt | list[ast.stmt]) -> list[ast.stmt]:
    return made if isinstance(made, list) else [made]
