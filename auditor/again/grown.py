"""Arrays that a loop makes longer by joining them with what is new: each step copies all that the
steps before have put there.

A step may join at several places (in both branches of a choice), all at the same end and with the
same call, as long as the loop has no other use for the array.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.lift.module import Module
from auditor.syntax import constant, is_name, path_of
from auditor.tree import children, descendants

_JOINS = {
    **dict.fromkeys(("torch.cat", "torch.concat", "torch.concatenate"), "dim"),
    **dict.fromkeys(("torch.hstack", "torch.vstack"), None),
    **dict.fromkeys(("numpy.concatenate", "numpy.append"), "axis"),
    **dict.fromkeys(("numpy.hstack", "numpy.vstack", "numpy.column_stack"), None),
}
_APPEND = "numpy.append"
_JOINED = re.compile(
    r" = (?<=\w = )[\w.]*(?:append|cat|concat|concatenate|[hv]stack|column_stack)\("
)
_WORD = re.compile(r"\w+")


def may_join(text: str) -> bool:
    """Whether a text may bind a name to something joined with what it stood for. (One pattern for
    all of it would begin with the name, and so be tried at every word.)"""
    for match in _JOINED.finditer(text):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        *_, name = _WORD.findall(line)
        until = text.find("=", match.end())
        if name in _WORD.findall(text, match.end(), len(text) if until < 0 else until):
            return True
    return False


@dataclass(frozen=True)
class Join:
    """``name = call((name, *pieces))``; ``front`` where the pieces come before the name. ``axis``
    is the argument that says along which axis, if any."""

    statement: ast.Assign
    call: ast.Call
    path: str
    pieces: tuple[ast.expr, ...]
    front: bool
    axis: ast.expr | None

    @property
    def flat(self) -> bool:
        """Whether both are laid out in one row first (``np.append``)."""
        return self.path == _APPEND and self.axis is None

    @property
    def least(self) -> int:
        """How many axes an array must have, at least, for joining it alone to change nothing."""
        if self.path.endswith(("vstack", "column_stack")):
            return 2
        return 1 if self.flat or self.path.endswith("hstack") else 0

    def along(self) -> str:
        """The axis as the call says it."""
        return "" if self.axis is None else ast.unparse(self.axis)


@dataclass(frozen=True)
class Grown:
    """An array that a loop makes longer, at every place where it does."""

    name: str
    joins: tuple[Join, ...]


def grown(module: Module, loop: ast.For | ast.While) -> list[Grown]:
    """The arrays that a loop does nothing with but make them longer."""
    found: dict[str, list[Join]] = {}
    for statement in _statements(loop):
        join = _join(module, statement)
        if join is not None:
            target = join.statement.targets[0]
            assert isinstance(target, ast.Name)
            found.setdefault(target.id, []).append(join)
    return [
        Grown(name, tuple(joins)) for name, joins in found.items()
        if _alike(joins) and mentions(loop, name) == 2 * len(joins)
    ]  # fmt: skip


def mentions(node: ast.AST, name: str) -> int:
    """How often a name stands in a part of a function, also where it is bound or declared."""
    return sum(
        is_name(inner, name)
        or (isinstance(inner, ast.arg) and inner.arg == name)
        or (isinstance(inner, (ast.Global, ast.Nonlocal)) and name in inner.names)
        for inner in descendants(node)
    )


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a loop's steps, not those of functions in it or behind its end."""
    for child in children(node):
        if isinstance(child, ast.stmt) and not isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            yield child
            yield from _statements(child)


def _alike(joins: list[Join]) -> bool:
    return (
        len({(one.path, one.front, one.along(), ast.unparse(one.call.func)) for one in joins}) == 1
    )


def _join(module: Module, statement: ast.stmt) -> Join | None:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, call = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or not isinstance(call, ast.Call):
        return None
    path = path_of(module, call.func)
    if path not in _JOINS or (path == _APPEND and not isinstance(call.func, ast.Attribute)):
        return None  # or it would take another import
    parts, rest = _parts(path, call)
    given = _axis(_JOINS[path], rest, call.keywords)
    if given is None or len(parts) < 2 or any(isinstance(part, ast.Starred) for part in parts):
        return None
    axis = given[0] if given else None
    named = [at for at, part in enumerate(parts) if is_name(part, target.id)]
    if named == [0]:
        return Join(statement, call, path, tuple(parts[1:]), False, axis)
    if named == [len(parts) - 1] == [1] and path != _APPEND:
        return Join(statement, call, path, (parts[0],), True, axis)
    return None


def _parts(path: str, call: ast.Call) -> tuple[list[ast.expr], list[ast.expr]]:
    """What is joined, and the other positional arguments."""
    if path == _APPEND:
        return call.args[:2], call.args[2:]
    first = call.args[0] if call.args else None
    return (first.elts if isinstance(first, (ast.Tuple, ast.List)) else []), call.args[1:]


def _axis(
    word: str | None, rest: list[ast.expr], keywords: list[ast.keyword]
) -> tuple[ast.expr, ...] | None:
    """The argument that says the axis, a whole number, if there is one; None where more is said."""
    given = (*rest, *(k.value for k in keywords))
    if len(given) > 1 or any(k.arg != word for k in keywords):
        return None
    known = all(word is not None and isinstance(constant(node), int) for node in given)
    return given if known else None
