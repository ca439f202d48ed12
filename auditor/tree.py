"""Walking syntax trees, which is most of what reading a file that holds nothing of interest costs.

Operators and the contexts of names (``ast.Add``, ``ast.Load``) are no nodes of their own here: a
tree holds the same one many times.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

_BARE = frozenset(
    "ctx op ops id attr arg kind type_comment module level simple is_async conversion asname "
    "kwd_attrs rest".split()
)
_LEAVES = (ast.Constant, ast.Name, ast.Global, ast.Nonlocal, ast.Pass, ast.MatchSingleton)


_GAPS = frozenset(("keys", "kw_defaults"))
"""The lists of nodes that have None in some places."""


def _holding(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that may hold others."""
    # what `type X = ...` defines is a node, the name of anything else a string
    bare = _BARE if kind.__name__ == "TypeAlias" else {*_BARE, "name"}
    return () if issubclass(kind, _LEAVES) else tuple(f for f in kind._fields if f not in bare)


_HOLDING: dict[type[ast.AST], tuple[str, ...]] = {
    kind: _holding(kind)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below a node, in the order of its fields."""
    return _grown([], (node,))


def everything_in(node: ast.AST) -> list[ast.AST]:
    """A node and all below it, in the order of ``ast.walk``, in half of the time."""
    found = [node]
    return _grown(found, found)


def _grown(found: list[ast.AST], walked: Iterable[ast.AST]) -> list[ast.AST]:
    """``found`` with what is directly below the nodes of ``walked``, which may be ``found``."""
    for node in walked:
        names = _HOLDING[type(node)]
        if not names:
            continue
        values = node.__dict__
        for name in names:
            value = values.get(name)
            if not value:
                continue
            if type(value) is not list:
                found.append(value)
            elif name in _GAPS:
                found += [part for part in value if part]
            else:
                found += value
    return found


def ancestors(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """The nodes that ``node`` stands in, the innermost first."""
    above = parents.get(node)
    while above is not None:
        yield above
        above = parents.get(above)


def block_of(parent: ast.AST, statement: ast.AST) -> list[ast.stmt]:
    """The statements of ``parent`` that one of them stands among."""
    for name in ("body", "orelse", "finalbody", "handlers"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and statement in block:
            return block
    return [statement]  # type: ignore[list-item]


_Said = TypeVar("_Said")


class _Held(Generic[_Said]):
    """What is said of ``owner``, kept with the node. A copy of the node, which may be changed, is
    another owner."""

    __slots__ = ("owner", "said")

    def __init__(self, owner: ast.AST, said: _Said) -> None:
        self.owner, self.said = id(owner), said

    def __deepcopy__(self, memo: object) -> _Held[_Said]:
        return self


class OfNodes(Generic[_Said]):
    """What was worked out about nodes by one question, each kept as long as its node lives. (A
    ``WeakKeyDictionary`` does the same with functions of Python at each look and at the end of each
    node.) Not for what changes with the tree afterwards."""

    def __init__(self, question: str) -> None:
        self._key = f"_{question}"

    def get(self, node: ast.AST) -> _Said | None:
        held = node.__dict__.get(self._key)
        return None if held is None or held.owner != id(node) else held.said

    def keep(self, node: ast.AST, said: _Said) -> _Said:
        node.__dict__[self._key] = _Held(node, said)
        return said


_BELOW = OfNodes[tuple[ast.AST, ...]]("below")


def descendants(node: ast.AST) -> tuple[ast.AST, ...]:
    """What ``everything_in`` gives, remembered as long as the node lives: the same loops and
    functions are looked through many times. Not for a tree that changes afterwards."""
    below = _BELOW.get(node)
    if below is None:
        below = _BELOW.keep(node, tuple(everything_in(node)[1:]))
    return (node, *below)


class _Replacing(ast.NodeTransformer):
    """Puts ``new(node)`` in the place of each node for which that is something."""

    def __init__(self, new: Callable[[ast.AST], ast.AST | None]) -> None:
        self._new = new

    def visit(self, node: ast.AST) -> ast.AST:
        found = self._new(node)
        return self.generic_visit(node) if found is None else found


def replaced(tree: ast.AST, new: Callable[[ast.AST], ast.AST | None]) -> Any:
    """The tree, in which ``new(node)`` stands in the place of each node for which that is
    something. (A class of each caller's own would keep all that it mentions until garbage is looked
    for.)"""
    return _Replacing(new).visit(tree)


def every_statement(body: Iterable[ast.stmt]) -> list[ast.stmt]:
    """Every statement in the order of the text, nested ones too, without a look at expressions."""
    found: list[ast.stmt] = []
    waiting = [iter(body)]
    while waiting:
        for node in waiting[-1]:
            found.append(node)
            if not _HOLDERS.isdisjoint(node.__dict__):
                waiting.append(iter(statements_in(node)))
                break
        else:
            waiting.pop()
    return found


_HOLDERS = frozenset(("body", "cases"))


def statements_in(node: ast.stmt) -> list[ast.stmt]:
    """The statements that a compound statement is made of, not those within them."""
    found: list[ast.stmt] = []
    values = node.__dict__
    if _HOLDERS.isdisjoint(values):
        return found
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        inner = values.get(part, ())
        if part in ("handlers", "cases"):
            found += [statement for clause in inner for statement in clause.body]
        else:
            found += inner
    return found
