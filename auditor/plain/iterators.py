"""Elements taken from an iterator before a loop over the rest.

``it = iter(xs)``, ``m = next(it)`` and ``for x in it`` walk ``xs[0]`` and then ``xs[1:]``, where
``xs`` is a list, a tuple or an array by its annotation and nothing in between or in the loop
mentions it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.plain.text import Body, Written
from auditor.syntax import is_name
from auditor.tree import everything_in
from auditor.verdict import Edit

_CUT = frozenset("list List Sequence MutableSequence tuple Tuple Tensor ndarray NDArray".split())
"""What has a first element and a rest that is another object."""


def iterators(written: Written) -> Iterator[list[Edit]]:
    """One iterator after the other."""
    for block, place in written.own():
        found = _iterator(written, block[place])
        if found is not None:
            edits = _walked(written, block[place + 1 :], *found)
            if edits is not None:
                gone = written.replaced([block[place]], [])
                if gone is not None:
                    yield [gone, *edits]


def _iterator(written: Written, statement: ast.stmt) -> tuple[str, str] | None:
    """(it, xs) of ``it = iter(xs)``, both bound once."""
    if not (isinstance(statement, ast.Assign) and len(statement.targets) == 1):
        return None
    target, walked = statement.targets[0], _argument(written, statement.value, "iter")
    if not (isinstance(target, ast.Name) and isinstance(walked, ast.Name)):
        return None
    stores = [n for n in written.names[target.id] if not isinstance(n.ctx, ast.Load)]
    once = len(stores) == 1 and target.id not in written.arguments
    changed = any(not isinstance(n.ctx, ast.Load) for n in written.names[walked.id])
    arguments = written.node.args
    annotated = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    cut = any(arg.arg == walked.id and _cuts(arg.annotation) for arg in annotated)
    return (target.id, walked.id) if once and cut and not changed else None


def _argument(written: Written, node: ast.expr, builtin: str) -> ast.expr | None:
    """``a`` of ``builtin(a)``."""
    bound = builtin in written.module.names or builtin in written.module.bound
    if bound or builtin in written.stored:
        return None
    if not (isinstance(node, ast.Call) and is_name(node.func, builtin)):
        return None
    return node.args[0] if len(node.args) == 1 and not node.keywords else None


def _cuts(annotation: ast.expr | None) -> bool:
    """Whether an annotation names a type whose values are cut by slices."""
    while isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    word = annotation.attr if isinstance(annotation, ast.Attribute) else None
    return (annotation.id if isinstance(annotation, ast.Name) else word) in _CUT


def _walked(written: Written, after: Body, it: str, xs: str) -> list[Edit] | None:
    """The edits of what takes elements from the iterator, in turn; the loop is the last."""
    edits: list[Edit] = []
    for statement in after:
        uses = [n for n in everything_in(statement) if isinstance(n, ast.Name) and n.id == it]
        if isinstance(statement, ast.For) and is_name(statement.iter, it):
            others = len(uses) > 1 or any(is_name(n, xs) for n in everything_in(statement))
            mentions = len(edits) + 2  # where it is made, each that is taken, and the loop
            if others or not edits or len(written.names[it]) != mentions:
                return None
            return [*edits, written.swapped(statement.iter, f"{xs}[{len(edits)}:]")]
        if any(is_name(n, xs) for n in everything_in(statement)):
            return None
        if not uses:
            continue
        value = statement.value if isinstance(statement, ast.Assign) else None
        taken = _argument(written, value, "next") if value is not None else None
        if taken is None or not is_name(taken, it) or len(uses) != 1:
            return None
        assert value is not None
        edits.append(written.swapped(value, f"{xs}[{len(edits)}]"))
    return None
