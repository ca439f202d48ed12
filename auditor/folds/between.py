"""Whether what a name was bound to would be the same where the loop stands: whether nothing in
between binds, changes or hands away what the bound expression reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.notation import Value
from auditor.surroundings.purity import is_pure
from auditor.surroundings.region import Binding, Region
from auditor.syntax import constant, infinite
from auditor.tree import everything_in

_HARMLESS = frozenset("print list dict set sorted reversed enumerate zip type repr".split())


def same_at(region: Region, binding: Binding, loop: ast.stmt) -> bool:
    """Whether ``binding.value``, evaluated just before ``loop``, gives what it gave where it
    stands. What is not known to leave it alone is taken to change it."""
    module, value = region.module, binding.value
    if value is None or constant(value) is not ... or infinite(module, value):
        return True
    read = {n.id for n in everything_in(value) if isinstance(n, ast.Name)} & region.stores
    block = region.siblings(loop)
    between = block[block.index(binding.statement) + 1 : block.index(loop)]
    nodes = [node for statement in between for node in everything_in(statement)]
    if read & {name for node in nodes for name in _bound(node)}:
        return False
    objects = {name for name in read if not _number(region, loop, name)}
    return not objects or not any(_may_change(region, loop, node) for node in nodes)


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node binds, itself."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.ExceptHandler):
        yield node.name or ""
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.MatchAs, ast.MatchStar)):
        yield node.name or ""


def _number(region: Region, loop: ast.stmt, name: str) -> bool:
    """Whether a name holds a Python number, which nothing changes."""
    held = region.scope(loop).get(name)
    return isinstance(held, Value) and not held.axes and held.library == "python" and (
        held.dtype in ("int", "float", "bool")
    )  # fmt: skip


def _may_change(region: Region, loop: ast.stmt, node: ast.AST) -> bool:
    """Whether a node may change an object that it need not name: another name may be a view."""
    if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.With, ast.AsyncWith)):
        return True
    if isinstance(node, (ast.Subscript, ast.Attribute)):
        return not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.AugAssign):
        target = node.target
        return not (isinstance(target, ast.Name) and _number(region, loop, target.id))
    if isinstance(node, ast.Call):
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        harmless = called in _HARMLESS - region.stores - region.module.bound.keys()
        return not harmless and not is_pure(region.module, node)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        # A call whose value nobody takes is made for what it does, as ``np.copyto(x, y)``.
        called = node.value.func.id if isinstance(node.value.func, ast.Name) else ""
        return called != "print"
    return False
