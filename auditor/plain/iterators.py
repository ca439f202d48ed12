"""Elements taken from an iterator before a loop over the rest.

``it = iter(xs)``, ``m = next(it)`` and ``for x in it`` walk ``xs[0]`` and then ``xs[1:]``, where
``xs`` is a list, a tuple or an array by its annotation, or the parts of a tensor, and nothing in
between or in the loop mentions it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.plain.text import Body, Written
from auditor.syntax import constant, is_name
from auditor.tree import everything_in
from auditor.verdict import Edit

_CUT = frozenset("list List Sequence MutableSequence tuple Tuple Tensor ndarray NDArray".split())
"""What has a first element and a rest that is another object."""
_PARTS = frozenset(("unbind", "split"))


def iterators(written: Written) -> Iterator[list[Edit]]:
    """One iterator after the other."""
    for block, place in written.own():
        found = _iterator(written, block[place])
        if found is not None:
            it, walked = found
            edits = _walked(written, block[place + 1 :], it, *walked)
            if edits is not None:
                gone = written.replaced([block[place]], [])
                if gone is not None:
                    yield [gone, *edits]


def _iterator(written: Written, statement: ast.stmt) -> tuple[str, tuple[str, str]] | None:
    """(it, xs) of ``it = iter(xs)``, both bound once: what is walked by its name and its text."""
    if not (isinstance(statement, ast.Assign) and len(statement.targets) == 1):
        return None
    target, walked = statement.targets[0], _argument(written, statement.value, "iter")
    if not isinstance(target, ast.Name):
        return None
    parts = _parts(walked)
    walked = parts or walked
    if not isinstance(walked, ast.Name):
        return None
    stores = [n for n in written.names[target.id] if not isinstance(n.ctx, ast.Load)]
    once = len(stores) == 1 and target.id not in written.arguments
    changed = any(not isinstance(n.ctx, ast.Load) for n in written.names[walked.id])
    arguments = written.node.args
    annotated = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    cut = any(arg.arg == walked.id and _cuts(arg.annotation) for arg in annotated)
    if not once or changed or not (cut or parts):
        return None
    text = ast.unparse(statement.value.args[0])  # type: ignore[attr-defined]
    return target.id, (walked.id, text)


def _parts(node: ast.expr | None) -> ast.Name | None:
    """``x`` of ``x.unbind(1)`` and ``x.split(1, dim=1)``: tuples of parts of a tensor, the same
    each time they are asked for."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    if node.func.attr not in _PARTS or any(constant(one) is None for one in given):
        return None
    return node.func.value if isinstance(node.func.value, ast.Name) else None


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


def _walked(written: Written, after: Body, it: str, xs: str, text: str) -> list[Edit] | None:
    """The edits of what takes elements from the iterator, in turn; the loop is the last."""
    edits: list[Edit] = []
    for statement in after:
        uses = [n for n in everything_in(statement) if isinstance(n, ast.Name) and n.id == it]
        if isinstance(statement, ast.For) and is_name(statement.iter, it):
            others = len(uses) > 1 or any(is_name(n, xs) for n in everything_in(statement))
            mentions = len(edits) + 2  # where it is made, each that is taken, and the loop
            if others or not edits or len(written.names[it]) != mentions:
                return None
            return [*edits, written.swapped(statement.iter, f"{text}[{len(edits)}:]")]
        if any(is_name(n, xs) for n in everything_in(statement)):
            return None
        if not uses:
            continue
        value = statement.value if isinstance(statement, ast.Assign) else None
        taken = _argument(written, value, "next") if value is not None else None
        if taken is None or not is_name(taken, it) or len(uses) != 1:
            return None
        assert value is not None
        edits.append(written.swapped(value, f"{text}[{len(edits)}]"))
    return None
