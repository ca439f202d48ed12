"""A table that is written out, looked up with what is carried: for each value that is carried, a
row, from which only the element chooses."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.derive.scopes import top_level_names
from auditor.notation import Apply, Const, Term
from auditor.tree import children, everything_in

_MOST_CELLS = 64
_ABSENT = object()
"""A carried value that the table does not know."""


class _NoTable(Exception):
    """The expression is no lookup whose table is known in full."""


class _Missing(_NoTable):
    """The table has no entry for a carried value."""


@dataclass(frozen=True)
class _Step:
    """One lookup: the parts of its key, which stand in a tuple where there are ``several``, the
    place of the carried one among them, and what an absent key gives, if that is said."""

    parts: tuple[ast.expr, ...]
    several: bool
    moving: int | None
    default: tuple[Any, ...]

    @property
    def fixed(self) -> list[ast.expr]:
        return [part for place, part in enumerate(self.parts) if place != self.moving]


@dataclass(frozen=True)
class _Row:
    """What a carried value leaves of a table: the entries by the rest of the key."""

    cells: dict[Any, Any]
    listed: bool
    step: _Step

    @property
    def shape(self) -> tuple[object, ...]:
        return (self.listed, *sorted(map(repr, self.cells))) if not self.step.default else ()

    @property
    def values(self) -> list[Any]:
        return list(dict.fromkeys([*self.cells.values(), *self.step.default]))


@dataclass(frozen=True)
class Lookup:
    """A lookup: what it gives, how the table begins where the function makes it, and what the names
    in its key may be."""

    term: Term
    start: dict[str, str]
    keys: dict[str, tuple[Any, ...]]


@dataclass(frozen=True)
class Tables:
    """The tables around a loop. ``local`` are the names of its function, ``before`` what they hold
    when it begins; ``term_of`` is what an expression of the body is, ``carried`` whether that
    depends on what is carried, ``written`` a term as text, and ``atom`` a text as a term."""

    tree: ast.Module
    loop: ast.For
    local: frozenset[str]
    before: dict[str, ast.expr]
    term_of: Callable[[ast.expr], Term]
    carried: Callable[[Term], bool]
    written: Callable[[Term], str]
    atom: Callable[[str], Term]

    def looked_up(self, node: ast.expr, otherwise: Callable[[], Term]) -> Lookup | None:
        """The lookup as a choice among rows, if it is one; ``otherwise`` is what it is for a
        carried value that the table does not know."""
        try:
            named, steps = self._steps(node)
            moving = [s.parts[s.moving] for s in steps if s.moving is not None]
            if len(moving) != 1 or sum(bool(s.fixed) for s in steps) > 1:
                return None
            made = self._made(named.id) if isinstance(named, ast.Name) else named
            table = _literal(made)
            term = self._choice(table, steps, self.term_of(moving[0]), otherwise)
        except _NoTable:
            return None
        start = (
            {named.id: ast.unparse(made)}
            if isinstance(named, ast.Name) and named.id in self.local
            else {}
        )
        return Lookup(term, start, _keys(table, steps))

    def _steps(self, node: ast.expr) -> tuple[ast.expr, list[_Step]]:
        """The table by its name or written in place, and the lookups in their order."""
        if isinstance(node, (ast.Name, ast.Tuple, ast.List, ast.Dict)):
            return node, []
        default: tuple[Any, ...] = ()
        if isinstance(node, ast.Subscript):
            base, key = node.value, node.slice
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "get"
            and len(node.args) in (1, 2)
            and not node.keywords
        ):
            base, key = node.func.value, node.args[0]
            default = (_literal(node.args[1]) if len(node.args) > 1 else None,)
        else:
            raise _NoTable
        table, before = self._steps(base)
        parts = tuple(key.elts) if isinstance(key, ast.Tuple) else (key,)
        if any(isinstance(part, (ast.Slice, ast.Starred)) for part in parts):
            raise _NoTable
        moving = [n for n, part in enumerate(parts) if self.carried(self.term_of(part))]
        if len(moving) > 1:
            raise _NoTable
        step = _Step(parts, isinstance(key, ast.Tuple), moving[0] if moving else None, default)
        return table, [*before, step]

    def _made(self, name: str) -> ast.expr:
        """How a name is made that nothing changes."""
        local = name in self.local
        made = self.before.get(name) if local else self._of_the_file(name)
        if made is None:
            raise _NoTable
        place: ast.AST = self.loop if local else self.tree
        if not _only_looked_up(place, name, _depth(_literal(made))):
            raise _NoTable
        return made

    def _of_the_file(self, name: str) -> ast.expr | None:
        stored = [s for s in self.tree.body if name in top_level_names(s)]
        if len(stored) != 1 or not isinstance(stored[0], (ast.Assign, ast.AnnAssign)):
            return None
        declared = (n for n in everything_in(self.tree) if isinstance(n, ast.Global))
        if any(name in node.names for node in declared):
            return None
        targets = stored[0].targets if isinstance(stored[0], ast.Assign) else [stored[0].target]
        alone = len(targets) == 1 and isinstance(targets[0], ast.Name)
        return stored[0].value if alone else None

    def _choice(
        self, table: Any, steps: Sequence[_Step], state: Term, otherwise: Callable[[], Term]
    ) -> Term:
        known = list(dict.fromkeys(_known(table, steps)))
        rows = [_cells(table, steps, value) for value in known]
        try:
            last: Any = _cells(table, steps, _ABSENT)
        except _Missing:
            last = None
        every = [*rows, *([] if last is None else [last])]
        values = [v for row in every for v in (row.values if isinstance(row, _Row) else [row])]
        mixed = len({(type(v), v) for v in values}) != len(set(values))
        shapes = {row.shape for row in every if isinstance(row, _Row)}
        if mixed or not known or len(shapes) > 1 or len(values) > _MOST_CELLS:
            raise _NoTable
        spare = [Const(value) for value in dict.fromkeys(values)]
        out = otherwise() if last is None else self._entry(last, spare)
        for value, row in zip(reversed(known), reversed(rows), strict=True):
            asked = Apply("eq", (state, Const(value)))
            out = Apply("where", (asked, self._entry(row, spare), out))
        return out

    def _entry(self, row: Any, spare: list[Const]) -> Term:
        """What the element chooses from a row. That it may know no such key stays asked."""
        if not isinstance(row, _Row):
            return Const(row)
        cells: Any = list(row.cells.values()) if row.listed else row.cells
        texts = [self.written(self.term_of(part)) for part in row.step.fixed]
        key = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
        default = row.step.default
        text = f"{cells!r}.get({key}, {default[0]!r})" if default else f"{cells!r}[{key}]"
        chosen, values = self.atom(text), [Const(value) for value in row.values]
        if len(values) == 1 and default:
            return values[0]
        if len(values) == 1:
            values += [one for one in spare if one is not values[0]][:1]
        out: Term = values[-1]
        for value in reversed(values[:-1]):
            out = Apply("where", (Apply("eq", (chosen, value)), value, out))
        return out


def _known(table: Any, steps: Sequence[_Step]) -> list[Any]:
    """The carried values that a table has entries for."""
    step, rest = steps[0], steps[1:]
    items = _items(table)
    if step.moving is None:
        return [value for _, inner in items for value in _known(inner, rest)]
    if not step.several:
        return [key for key, _ in items]
    return [k[step.moving] for k, _ in items if isinstance(k, tuple) and len(k) == len(step.parts)]


def _keys(table: Any, steps: Sequence[_Step]) -> dict[str, tuple[Any, ...]]:
    """What the names in a key that is not carried may be."""
    found: dict[str, list[Any]] = {}
    tables = [table]
    for step in steps:
        items = [item for one in tables if isinstance(one, (dict, list, tuple))
                 for item in _items(one)]  # fmt: skip
        for place, part in enumerate(step.parts):
            if place == step.moving or not isinstance(part, ast.Name):
                continue
            keys = found.setdefault(part.id, [])
            for key, _ in items:
                keys += [key] if not step.several else key[place : place + 1]
            keys += ["x"] if step.default and any(isinstance(k, str) for k in keys) else []
        tables = [inner for _, inner in items]
    return {name: tuple(dict.fromkeys(keys)) for name, keys in found.items()}


def _cells(table: Any, steps: Sequence[_Step], value: Any) -> Any:
    """The entry for a carried value, or the row of entries."""
    if not steps:
        if not isinstance(table, (int, str, type(None))):
            raise _NoTable
        return table
    step, rest = steps[0], steps[1:]
    items, listed = _items(table), isinstance(table, (list, tuple))
    if listed and (step.several or step.default):
        raise _NoTable
    if not step.fixed:
        for key, inner in items:
            if key == value:
                return _cells(inner, rest, value)
        if not step.default:
            raise _Missing
        return _cells(step.default[0], rest, value)
    cells: dict[Any, Any] = {}
    for key, inner in items:
        left = key
        if step.several:
            if not isinstance(key, tuple) or len(key) != len(step.parts):
                continue
            if step.moving is not None and key[step.moving] != value:
                continue
            own = tuple(k for place, k in enumerate(key) if place != step.moving)
            left = own[0] if len(own) == 1 else own
        cells[left] = _cells(inner, rest, value)
    if not cells and not step.default:
        raise _Missing
    return _Row(cells, listed, step)


def _items(table: Any) -> list[tuple[Any, Any]]:
    if isinstance(table, dict):
        return list(table.items())
    if isinstance(table, (list, tuple)):
        return list(enumerate(table))
    raise _NoTable


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        raise _NoTable from None


def _depth(table: Any) -> int:
    """How many lookups lead to what is no table."""
    inner = [value for _, value in _items(table)] if isinstance(table, (dict, list, tuple)) else []
    return 1 + max(map(_depth, inner), default=0) if inner else 0


def _only_looked_up(place: ast.AST, name: str, depth: int) -> bool:
    """Is each use of a name a lookup of ``depth`` keys, and the name made no more than once?"""
    parents = {child: node for node in everything_in(place) for child in children(node)}
    uses = [n for n in everything_in(place) if isinstance(n, ast.Name) and n.id == name]
    stored = [use for use in uses if not isinstance(use.ctx, ast.Load)]
    looked = all(_lookups(use, parents) == depth for use in uses if use not in stored)
    return looked and len(stored) <= (not isinstance(place, ast.For))


def _lookups(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> int:
    """How many keys an expression is looked up with, one after the other."""
    count = 0
    while True:
        above = parents.get(node)
        if isinstance(above, ast.Attribute) and above.attr == "get":
            node, above = above, parents.get(above)
            looks = isinstance(above, ast.Call) and above.func is node
        else:
            looks = isinstance(above, ast.Subscript) and above.value is node
            if looks and not isinstance(above.ctx, ast.Load):  # type: ignore[union-attr]
                return -1
        if not looks or above is None:
            return count
        node, count = above, count + 1
