"""Context managers that end a block quietly where it raises, as a ``try`` statement may."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from auditor.lift.module import Module
from auditor.tree import every_statement, everything_in

_SWALLOWING = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})
_Exit = ast.FunctionDef | ast.AsyncFunctionDef

_known: WeakKeyDictionary[ast.Module, frozenset[str]] = WeakKeyDictionary()


def swallows(module: Module, node: ast.AST) -> bool:
    """Whether a ``with`` statement may end quietly where its block raises: by
    ``contextlib.suppress``, ``pytest.raises`` and the like, or by a manager that the file
    defines."""
    return isinstance(node, (ast.With, ast.AsyncWith)) and any(
        _may(module, item.context_expr) for item in node.items
    )


def _may(module: Module, manager: ast.expr) -> bool:
    own = _defined(module)
    if isinstance(manager, ast.Call):
        return _last_name(manager.func) in _SWALLOWING | own
    return bool(own)  # an object made elsewhere, by its name


def _last_name(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def _defined(module: Module) -> frozenset[str]:
    """The classes and functions of a file that make such managers, and the classes derived from
    them."""
    if module.tree not in _known:
        _known[module.tree] = frozenset(_find(module))
    return _known[module.tree]


def _find(module: Module) -> set[str]:
    if "__exit__" not in module.text and "contextmanager" not in module.text:
        return set()
    found = set[str]()
    for node in module.statements:
        if isinstance(node, ast.ClassDef):
            quiet = any(map(_exits_quietly, node.body))
        else:
            quiet = isinstance(node, _Exit) and _catches(node)
        if quiet:
            found.add(node.name)  # type: ignore[attr-defined]
    before = -1
    while len(found) > before:
        before = len(found)
        found |= {
            klass.name for klass in module.every_class
            if any(_last_name(base) in found for base in klass.bases)
        }  # fmt: skip
    return found


def _exits_quietly(method: ast.stmt) -> bool:
    """Whether a method is an ``__exit__`` that returns anything but nothing."""
    if not isinstance(method, _Exit) or method.name not in ("__exit__", "__aexit__"):
        return False
    returned = [one.value for one in _returns(method) if one.value is not None]
    return any(not isinstance(value, ast.Constant) or bool(value.value) for value in returned)


def _returns(function: _Exit) -> Iterator[ast.Return]:
    return (node for node in every_statement(function.body) if isinstance(node, ast.Return))


def _catches(function: _Exit) -> bool:
    """Whether a generator that is a context manager goes on after what its block raises."""
    if not any("contextmanager" in ast.unparse(one) for one in function.decorator_list):
        return False
    for node in everything_in(function):
        if isinstance(node, ast.Try) and node.handlers and _yields(node.body):
            if not all(_raises(handler) for handler in node.handlers):
                return True
        if isinstance(node, (ast.With, ast.AsyncWith)) and _yields(node.body):
            calls = (i.context_expr for i in node.items if isinstance(i.context_expr, ast.Call))
            if any(_last_name(call.func) in _SWALLOWING for call in calls):
                return True
    return False


def _yields(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Yield) for part in body for node in everything_in(part))


def _raises(handler: ast.ExceptHandler) -> bool:
    return isinstance(handler.body[-1], ast.Raise)
