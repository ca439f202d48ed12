"""Names of builtins that mean something else: parameters, locals and functions called ``min``."""

from __future__ import annotations

import ast
import builtins

from auditor.lift.bound import stored_in
from auditor.lift.module import Module
from auditor.syntax import called_name
from auditor.tree import everything_in

_CALLING = frozenset(("map", "filter", "reduce", "accumulate"))
_LIBRARIES = frozenset(("builtins", "math", "numpy", "operator", "torch"))
"""What these call by a builtin's name does the same with what they take."""


def hidden_builtin(
    module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Module
) -> str | None:
    """A name of a builtin that a function calls, or passes to what calls it, and that the function,
    one around it or the file gives another meaning: no call of that name is one of the builtin."""
    nodes = everything_in(function)
    called = {
        name.id
        for node in nodes
        if isinstance(node, ast.Call)
        for name in _called(node)
        if isinstance(name, ast.Name) and hasattr(builtins, name.id)
    }
    if not called:
        return None
    taken = {name for name in module.bound if _root(module, name) not in _LIBRARIES}
    if isinstance(function, ast.FunctionDef):
        taken |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        taken |= module.local_names(function) | stored_in(function)
        taken |= {node.name for node in nodes[1:] if isinstance(node, ast.FunctionDef)}
    return min(called & taken, default=None)


def _root(module: Module, name: str) -> str:
    return module.names.get(name, "").partition(".")[0]


def _called(node: ast.Call) -> list[ast.expr]:
    """What a call calls, or hands to a function that calls it."""
    passed = node.args if called_name(node) in _CALLING else []
    keys = [keyword.value for keyword in node.keywords if keyword.arg == "key"]
    return [node.func, *passed, *keys]
