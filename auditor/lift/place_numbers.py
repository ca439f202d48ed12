"""Loops over numbers that NumPy makes, as the loops over ranges that they are.

``for i in np.arange(n)`` walks what ``for i in range(n)`` does, in a type of NumPy's: where ``i``
is only a place in arrays, compared, or where another range ends, nobody can tell. The new call
keeps the place of the old one.
"""

from __future__ import annotations

import ast
import re

from auditor.tree import children, every_statement, everything_in

_LOOP = re.compile(r"in\s+(?:reversed\()?(?:\w+\.)?arange\(|arange\s+as\s")
"""Begins with what is found at once."""
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def as_ranges(text: str, tree: ast.Module) -> bool:
    """Replace ``np.arange`` where a loop of a module takes places from it. Gives whether it did."""
    if "arange" not in text or _LOOP.search(text) is None:
        return False
    statements = every_statement(tree.body)
    if any(isinstance(n, ast.Name) and n.id == "range" and not isinstance(n.ctx, ast.Load)
           for one in statements for n in everything_in(one)):  # fmt: skip
        return False
    called = _called(statements)
    if not called:
        return False
    functions = [one for one in statements if isinstance(one, ast.FunctionDef)]
    changed = [_in_scope(tree, called), *(_in_scope(one, called) for one in functions)]
    return any(changed)


def _called(statements: list[ast.stmt]) -> frozenset[str]:
    """What ``arange`` of NumPy is called in a module."""
    found = set()
    for one in statements:
        if isinstance(one, ast.Import):
            found |= {f"{a.asname or a.name}.arange" for a in one.names if a.name == "numpy"}
        elif isinstance(one, ast.ImportFrom) and one.module == "numpy" and not one.level:
            found |= {a.asname or a.name for a in one.names if a.name == "arange"}
    return frozenset(found)


def _in_scope(scope: ast.Module | ast.FunctionDef, called: frozenset[str]) -> bool:
    changed = False
    for loop in every_statement(scope.body):
        if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name):
            continue
        call = _arange(loop.iter, called)
        if call is not None and _is_place(scope, loop, loop.target.id):
            call.func = ast.copy_location(ast.Name("range", ast.Load()), call.func)
            changed = True
    return changed


def _arange(node: ast.expr, called: frozenset[str]) -> ast.Call | None:
    """``np.arange(...)``, as it is, ``reversed`` or turned by ``[::-1]``."""
    if isinstance(node, ast.Subscript) and ast.unparse(node.slice) == "::-1":
        return _arange(node.value, called)
    if not isinstance(node, ast.Call) or node.keywords or not 0 < len(node.args) < 4:
        return None
    if any(isinstance(arg, ast.Starred) for arg in node.args):
        return None
    function = ast.unparse(node.func)
    if function == "reversed" and len(node.args) == 1:
        return _arange(node.args[0], called)
    return node if function in called else None


def _is_place(scope: ast.AST, loop: ast.For, name: str) -> bool:
    """Whether ``name`` is read in the loop only, as a place in something or beside numbers that are
    compared, and as a place at least once."""
    below = everything_in(loop)
    if any(isinstance(node, _SCOPES) and _reads(node, name) for node in below):
        return False
    within = {
        node for one in everything_in(scope) if _binds(one, name) for node in everything_in(one)
    }
    if any(_is_read(node, name) and node not in within for node in everything_in(scope)):
        return False
    if any(isinstance(n, ast.Name) and n.id == name and n is not loop.target
           and not isinstance(n.ctx, ast.Load) for n in below):  # fmt: skip
        return False
    parents = {child: node for node in below for child in children(node)}
    uses = [_use(node, parents) for node in below if _is_read(node, name)]
    return "place" in uses and None not in uses


def _binds(node: ast.AST, name: str) -> bool:
    target = node.target if isinstance(node, ast.For) else None
    return isinstance(target, ast.Name) and target.id == name


def _is_read(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def _reads(node: ast.AST, name: str) -> bool:
    return any(_is_read(inner, name) for inner in everything_in(node))


def _use(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str | None:
    """What a number is for: a place, a comparison or, None, something else."""
    above = parents[node]
    while isinstance(above, (ast.BinOp, ast.UnaryOp, ast.Tuple, ast.Slice)):
        if isinstance(above, ast.BinOp) and not isinstance(
            above.op, (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
        ):
            return None
        node, above = above, parents[above]
    if isinstance(above, ast.Subscript) and node is above.slice:
        return "place"
    return (
        "compared" if isinstance(above, ast.Compare) and not isinstance(node, ast.Tuple) else None
    )
