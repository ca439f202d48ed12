"""Which names a scope binds, and where. What a name means is sure only where it is bound once."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from auditor.tree import children, descendants, everything_in

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# The kinds of nodes that may bind names themselves, and those of which parts are other scopes.
_BINDING = frozenset((
    ast.Name, *_FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom, ast.ExceptHandler,
    ast.MatchAs, ast.MatchStar, ast.MatchMapping,
))  # fmt: skip
_APART = frozenset((ast.Constant, ast.Name, ast.Lambda, ast.ClassDef, *_FUNCTIONS, *COMPREHENSIONS))


@dataclass(frozen=True)
class Bound:
    """One place that binds a name; ``conditional`` within an ``if`` or ``try``."""

    name: str
    node: ast.AST
    conditional: bool

    @property
    def place(self) -> tuple[int, int]:
        return self.node.lineno, self.node.col_offset  # type: ignore[attr-defined]


def bound_in(body: Iterable[ast.AST]) -> Iterator[Bound]:
    """Where the statements of a scope bind names, those of scopes within it left out. A star
    import binds ``*``."""
    for name, node, conditional in _places(body):
        yield Bound(name, node, conditional)


def _places(body: Iterable[ast.AST]) -> Iterator[tuple[str, ast.AST, bool]]:
    """As ``bound_in``: name, node and whether under a condition."""
    waiting: list[tuple[ast.AST, bool]] = [(node, False) for node in body]
    while waiting:
        node, conditional = waiting.pop()
        kind = type(node)
        if kind in _BINDING:
            for name in names_bound(node):
                yield name, node, conditional
        conditional |= kind is ast.If or isinstance(node, ast.Try)
        for inner in children(node) if kind not in _APART else _within(node):
            waiting.append((inner, conditional))


def names_bound(node: ast.AST) -> list[str]:
    """The names that a node binds itself."""
    if type(node) not in _BINDING:
        return []
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.Import):
        return [alias.asname or alias.name.split(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [alias.asname or alias.name for alias in node.names]
    if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return [node.name] if node.name else []
    if isinstance(node, ast.MatchMapping):
        return [node.rest] if node.rest else []
    return []


def _within(node: ast.AST) -> Iterable[ast.AST]:
    """The parts that belong to the same scope, of a node that has others."""
    if isinstance(node, (ast.Constant, ast.Name, ast.Lambda, ast.ClassDef)):
        return ()
    if isinstance(node, _FUNCTIONS):
        defaults = [default for default in node.args.kw_defaults if default is not None]
        return [*node.decorator_list, *node.args.defaults, *defaults]
    assert isinstance(node, COMPREHENSIONS)
    kept = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
    return [*kept, *(part for g in node.generators for part in (g.iter, *g.ifs))]


def own_names(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> dict[str, ast.AST]:
    """The names that are local to a function, each with a place that binds it."""
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    found = {name: node for name, node, _ in _places(body)}
    spec = function.args
    given = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
    found |= {arg.arg: arg for arg in given if arg is not None}
    for name in _declared_elsewhere(body):
        found.pop(name, None)
    return found


def _declared_elsewhere(body: Iterable[ast.AST]) -> Iterator[str]:
    """The names that a function declares ``global`` or ``nonlocal``."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        elif isinstance(node, ast.stmt) and not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            waiting += children(node)
        elif isinstance(node, (ast.ExceptHandler, ast.match_case)):
            waiting += node.body


def assigned_to(tree: ast.Module, name: ast.Name) -> list[ast.expr]:
    """What is assigned to a name where it has its meaning: in the innermost function around it that
    has one of that name, or outside of those; nothing where it is a parameter."""
    functions = [n for n in descendants(tree) if isinstance(n, _FUNCTIONS)]
    having = [one for one in functions if name.id in own_names(one)]
    around = [one for one in having if name in descendants(one)]  # the innermost is the last
    if around and isinstance(own_names(around[-1])[name.id], ast.arg):
        return []
    others = {n for one in having if one not in around for n in descendants(one)}
    return [
        node.value for node in descendants(around[-1] if around else tree)
        if isinstance(node, ast.Assign) and node not in others
        and any(isinstance(target, ast.Name) and target.id == name.id for target in node.targets)
    ]  # fmt: skip


def stored_in(node: ast.AST) -> frozenset[str]:
    """The names that anything within ``node`` binds or deletes, in scopes within it too."""
    return frozenset(
        inner.id
        for inner in everything_in(node)
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load)
    )


def free_names(function: ast.FunctionDef | ast.Lambda) -> frozenset[str]:
    """The names that a function (or one within it) reads and does not bind itself."""
    own = own_names(function).keys()
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    return frozenset(
        inner.id
        for part in body
        for inner in everything_in(part)
        if isinstance(inner, ast.Name) and inner.id not in own
    )
