"""What else a function of a file goes by: names it is bound to, objects of its class, and the
functions that call it."""

from __future__ import annotations

import ast

from auditor.lift import Lifted
from auditor.lift.managers import swallows
from auditor.lift.module import Module
from auditor.syntax import called_name
from auditor.tree import descendants

_ENTERED = ("forward", "__call__", "__init__", "__iter__", "__next__")
"""Methods that run where an object or its class is called."""


def names_of(lifted: Lifted) -> frozenset[str]:
    """The names that a function, the class it stands in or an object of it may be bound to."""
    node, klass = lifted.node, lifted.lifter.klass
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    own = {node.name} if klass is None else {node.name, klass.node.name}
    return frozenset(bound_to(own, lifted.module.statements))


def bound_to(names: set[str], statements: tuple[ast.stmt, ...] | list[ast.stmt]) -> set[str]:
    """Names, and those that ``statements`` bind to what has them."""
    bindings = [
        (node.targets, _named(node.value)) for node in statements if isinstance(node, ast.Assign)
    ]
    before = -1
    while len(names) > before:
        before = len(names)
        for targets, values in bindings:
            if values & names:
                names |= {name for target in targets for name in _named(target)}
    return names


def _named(node: ast.AST) -> set[str]:
    """The name of an expression, of what is called in it or of what it is given: ``Model().to(x)``
    and ``wrap(Model)`` are objects of ``Model`` as far as anyone knows."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Attribute):
        return {node.attr} | (_named(node.value) if isinstance(node.value, ast.Call) else set())
    if isinstance(node, ast.Call):
        return _named(node.func).union(*map(_named, node.args))
    if isinstance(node, (ast.Tuple, ast.List)):
        return set().union(*map(_named, node.elts))
    return set()


def called_as(lifted: Lifted) -> set[str]:
    """The names by which the file may call a function."""
    node, klass = lifted.node, lifted.lifter.klass
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    return bound_to(entered_as(node, klass.node if klass else None), lifted.module.statements)


def entered_as(
    node: ast.FunctionDef | ast.AsyncFunctionDef, klass: ast.ClassDef | None
) -> set[str]:
    """The name of a function, and that of its class where it runs when objects are called."""
    return {node.name, klass.name} if klass is not None and node.name in _ENTERED else {node.name}


def caught_in(lifted: Lifted) -> int | None:
    """The line of the file at which a ``try`` statement, or a ``with`` statement like it, calls a
    function, or one that calls it, and goes on after what it raises; None where there is none."""
    module, node = lifted.module, lifted.node
    if not isinstance(node, ast.FunctionDef):
        return None
    tries = [block for one in module.statements if (block := _going_on(module, one)) is not None]
    if not tries:
        return None
    known = called_as(lifted)
    before = -1
    while len(known) > before:
        before = len(known)
        known = bound_to(known, module.statements)
        for function in module.statements:
            if isinstance(function, ast.FunctionDef) and function.name not in known:
                if _calls(function, known):
                    known.add(function.name)
    first, last = node.lineno, node.end_lineno or node.lineno
    for block in tries:
        if not first <= block.lineno <= last and any(_calls(part, known) for part in block.body):
            return block.lineno
    return None


def _going_on(module: Module, node: ast.stmt) -> ast.Try | ast.With | ast.AsyncWith | None:
    """A statement that may go on after what its block raises."""
    if isinstance(node, ast.Try):
        raised = all(isinstance(handler.body[-1], ast.Raise) for handler in node.handlers)
        return None if raised else node
    if isinstance(node, (ast.With, ast.AsyncWith)) and swallows(module, node):
        return node
    return None


def _calls(node: ast.AST, known: set[str]) -> bool:
    return any(
        isinstance(call, ast.Call) and called_name(call) in known for call in descendants(node)
    )
