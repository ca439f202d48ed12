"""An entry of a container under a name of its own, as the entry that it is:

    one = seen.get(key)                  if key not in seen:
    if one is None:                          seen[key] = [0, x]
        one = seen[key] = [0, x]         seen[key][0] += 1
    one[0] += 1

The name stands for the entry for as long as nothing else is put in its place.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from auditor.derive.around import Around
from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.derive.scopes import stored_names
from auditor.tree import children, everything_in

_KEYS = (ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Tuple, ast.Load)
_LEAVING = (ast.Continue, ast.Break, ast.Return)
_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Pass, *_LEAVING)
_DISPLAYS = (ast.Tuple, ast.List, ast.Dict)


def unnamed(place: Place) -> Place:
    """The place with such names as entries, in a copy of the file; the same place where a name is
    more than that."""
    loop = place.loop
    if not isinstance(loop, ast.For) or not any(_named(s) for s in loop.body):
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, loop)
    if found is None or not isinstance(found.loop, ast.For):
        return place
    live, changed = Around(found, found.loop).live(), False
    for statement in list(found.loop.body):
        one = _named(statement)
        if one is not None and one.name not in live and _Uses(found.loop, one).fine():
            _put(found.loop, one)
            changed = True
    ast.fix_missing_locations(found.loop)
    return found if changed else place


@dataclass(frozen=True)
class _Entry:
    """``name = container[key]`` as a statement of the loop's body; ``default`` is what is made
    where there is none, and ``must`` says that there has to be one."""

    statement: ast.Assign
    name: str
    container: str
    key: ast.expr
    default: ast.expr | None
    must: bool

    def is_entry(self, node: ast.AST) -> bool:
        """Is it the entry, as an expression?"""
        return (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and node.value.id == self.container
            and ast.unparse(node.slice) == ast.unparse(self.key)
        )

    def entry(self, store: bool = False) -> ast.Subscript:
        """The entry as an expression."""
        base = ast.Name(self.container, ast.Load())
        return ast.Subscript(base, copy.deepcopy(self.key), ast.Store() if store else ast.Load())


def _named(statement: ast.stmt) -> _Entry | None:
    """The entry that a statement gives a name to."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return None
    value, name = statement.value, statement.targets[0].id
    if len(statement.targets) != 1:
        return None
    if isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name):
        found = _Entry(statement, name, value.value.id, value.slice, None, True)
    elif (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and isinstance(value.func.value, ast.Name)
        and value.args
        and not value.keywords
    ):
        given = value.args[1] if len(value.args) == 2 else None
        method = value.func.attr
        made = method == "setdefault" and isinstance(given, _DISPLAYS)
        asked = method == "get" and (given is None or ast.unparse(given) == "None")
        if not (made or asked):
            return None
        found = _Entry(statement, name, value.func.value.id, value.args[0],
                       given if made else None, False)  # fmt: skip
    else:
        return None
    plain = all(isinstance(node, _KEYS) for node in everything_in(found.key))
    return found if plain else None


class _Uses:
    """What the loop does with the name of an entry."""

    def __init__(self, loop: ast.For, one: _Entry) -> None:
        self.loop, self.one = loop, one
        self.parents = {c: node for node in everything_in(loop) for c in children(node)}

    def fine(self) -> bool:
        """Does the name stand for the entry wherever it is read?"""
        at = self.loop.body.index(self.one.statement)
        above, below = self.loop.body[:at], self.loop.body[at + 1 :]
        words = {n.id for s in above for n in everything_in(s) if isinstance(n, ast.Name)}
        stored = set(stored_names(below))
        moving = {n.id for n in everything_in(self.one.key) if isinstance(n, ast.Name)}
        if {self.one.name, self.one.container} & words or moving & stored:
            return False
        if self.one.container in stored_names(self.loop.body) or not self._only_entry(below):
            return False
        looked_into = any(self._part(n) for s in below for n in everything_in(s))
        set_here = any(_stores(s, self.one.name) for s in below)
        kept = self._kept(below)
        return looked_into and kept and (set_here or not self.one.must) and self._fresh(below)

    def _only_entry(self, below: Sequence[ast.stmt]) -> bool:
        """Is nothing else done with the container than that its entry is put into it?"""
        nodes = [n for s in below for n in everything_in(s)]
        uses = sum(isinstance(n, ast.Name) and n.id == self.one.container for n in nodes)
        sets = sum(self.one.is_entry(n) and isinstance(n.ctx, ast.Store) for n in nodes)  # type: ignore[attr-defined]
        return uses == sets

    def _part(self, node: ast.AST) -> bool:
        """Is it a value of the entry, that is written out?"""
        return (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and node.value.id == self.one.name
            and isinstance(node.slice, ast.Constant)
        )

    def _kept(self, below: Sequence[ast.stmt]) -> bool:
        """Is whatever else gets the name put into the container, before anything looks there?"""
        last = bool(below) and self._puts_back(below[-1])
        leaves = any(isinstance(n, _LEAVING) for s in below for n in everything_in(s))
        for block in _blocks(below):
            for place, statement in enumerate(block):
                if not self._rebinds(statement):
                    continue
                follows = place + 1 < len(block) and self._puts_back(block[place + 1])
                if not (follows or (last and not leaves) or self._both(statement)):
                    return False
        return True

    def _rebinds(self, statement: ast.stmt) -> bool:
        """Does a statement itself give the name to something else?"""
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        return any(isinstance(t, ast.AST) and self.one.name in
                   {n.id for n in everything_in(t) if isinstance(n, ast.Name)
                    and isinstance(n.ctx, ast.Store)} for t in targets)  # fmt: skip

    def _both(self, statement: ast.stmt) -> bool:
        """Is it put into the container by the same statement?"""
        return isinstance(statement, ast.Assign) and any(map(self.one.is_entry, statement.targets))

    def _puts_back(self, statement: ast.stmt) -> bool:
        """Is it ``container[key] = name``?"""
        return (
            isinstance(statement, ast.Assign)
            and len(statement.targets) == 1
            and self.one.is_entry(statement.targets[0])
            and isinstance(statement.value, ast.Name)
            and statement.value.id == self.one.name
        )

    def _fresh(self, block: Sequence[ast.stmt]) -> bool:
        return self._after(block, False) is not None

    def _after(self, block: Sequence[ast.stmt], replaced: bool) -> bool | None:
        """Whether the entry is replaced by something without the name after some statements; None
        where the name is used as anything else, or by then."""
        for statement in block:
            if isinstance(statement, ast.If):
                if not self._reads(statement.test, replaced):
                    return None
                blocks = (statement.body, statement.orelse)
                sides = [(b, self._after(b, replaced)) for b in blocks]
                if any(side is None for _, side in sides):
                    return None
                replaced = any(side for b, side in sides if not (b and isinstance(b[-1], _LEAVING)))
                continue
            if not isinstance(statement, _SIMPLE) and self._mentions(statement):
                return None
            if not self._reads(statement, replaced):
                return None
            if self._rebinds(statement):
                if not isinstance(statement, ast.Assign) or not self._plain_targets(statement):
                    return None
                replaced = False
            elif not self._puts_back(statement):
                replaced = replaced or any(map(self.one.is_entry, _targets(statement)))
        return replaced

    def _mentions(self, statement: ast.stmt) -> bool:
        words = {n.id for n in everything_in(statement) if isinstance(n, ast.Name)}
        return not words.isdisjoint((self.one.name, self.one.container))

    def _plain_targets(self, statement: ast.Assign) -> bool:
        return isinstance(statement.value, _DISPLAYS) and all(
            isinstance(t, ast.Name) or self.one.is_entry(t) for t in statement.targets
        )

    def _reads(self, node: ast.AST, replaced: bool) -> bool:
        """Is the name read as the entry alone?"""
        if isinstance(node, ast.stmt) and self._puts_back(node):
            return not replaced
        for inner in everything_in(node):
            if not isinstance(inner, ast.Name) or inner.id != self.one.name:
                continue
            if isinstance(inner.ctx, ast.Store):
                continue
            above = self.parents.get(inner)
            asked = isinstance(above, ast.Compare) and _asks_for_none(above)
            asked = asked and not self.one.must and self.one.default is None
            if replaced or not (asked or (above is not None and self._part(above))):
                return False
        return True


def _targets(statement: ast.stmt) -> list[ast.expr]:
    return list(getattr(statement, "targets", None) or [])


def _stores(statement: ast.stmt, name: str) -> bool:
    """Does a statement set a value of what has the name?"""
    target = statement.target if isinstance(statement, ast.AugAssign) else None
    targets = [target] if target is not None else _targets(statement)
    return any(
        isinstance(t, ast.Subscript) and isinstance(t.value, ast.Name) and t.value.id == name
        for t in targets
    )


def _asks_for_none(node: ast.Compare) -> bool:
    alone = len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot))
    return alone and ast.unparse(node.comparators[0]) == "None"


def _blocks(block: Sequence[ast.stmt]) -> Iterator[Sequence[ast.stmt]]:
    yield block
    for statement in block:
        if isinstance(statement, ast.If):
            yield from _blocks(statement.body)
            yield from _blocks(statement.orelse)


def _put(loop: ast.For, one: _Entry) -> None:
    """The loop's body with the entry in the place of its name."""
    at = loop.body.index(one.statement)
    made: list[ast.stmt] = []
    if one.default is not None:
        absent = ast.Compare(copy.deepcopy(one.key), [ast.NotIn()],
                             [ast.Name(one.container, ast.Load())])  # fmt: skip
        filled = ast.Assign([one.entry(store=True)], one.default)
        made = [ast.copy_location(ast.If(absent, [filled], []), one.statement)]
    change = _Put(one)
    rest = [new for s in loop.body[at + 1 :] for new in _listed(change.visit(s))]
    loop.body[at:] = [*made, *rest] or [ast.Pass()]


class _Put(ast.NodeTransformer):
    def __init__(self, one: _Entry) -> None:
        self._one = one

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        mine = isinstance(node.left, ast.Name) and node.left.id == self._one.name
        if mine and _asks_for_none(node):
            op = ast.NotIn() if isinstance(node.ops[0], ast.Is) else ast.In()
            held = ast.Name(self._one.container, ast.Load())
            return ast.copy_location(ast.Compare(copy.deepcopy(self._one.key), [op], [held]), node)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._one.entry() if node.id == self._one.name else node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        kept = [t for t in node.targets if not (isinstance(t, ast.Name) and t.id == self._one.name)]
        if isinstance(node.value, ast.Name) and node.value.id == self._one.name:
            return None  # it is there already
        if len(kept) < len(node.targets) and not kept:
            kept = [self._one.entry(store=True)]
        node.targets = kept
        self.generic_visit(node)
        return node

    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node


def _listed(made: ast.stmt | None) -> list[ast.stmt]:
    return [] if made is None else [made]
