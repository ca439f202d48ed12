"""Lists of which the last entry still changes, as a list of the others and names for that one:

    if out and out[-1][0] == c:          if out_begun and out_0 == c:
        out[-1][1] += 1                      out_1 += 1
    else:                                else:
        out.append([c, 1])                   if out_begun:
                                                 out.append([out_0, out_1])
                                             out_0, out_1, out_begun = c, 1, True

After the loop the last entry is put behind the others.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace

from auditor.derive.begun import before, empty
from auditor.derive.entry_records import Display, Record, parts_of
from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.tree import children, everything_in


def with_last_entries(place: Place) -> Place:
    """The place with such lists so, in a copy of the file; the same place where there are none."""
    function, loop = place.function, place.loop
    if function is None or not isinstance(loop, ast.For) or loop not in function.body:
        return place
    begun = before(place, loop)
    name = next((n for n, made in begun.items() if empty(made) == "list"
                 and _changes_last(loop, n)), None)  # fmt: skip
    if name is None:
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, loop)
    if found is None or found.function is None or not isinstance(found.loop, ast.For):
        return place
    words = {n.id for n in everything_in(found.function) if isinstance(n, ast.Name)}
    last = _last(found.loop, name, words)
    if last is None or not _Uses(found.loop, last).fine():
        return place
    change = _Put(last)
    found.loop.body = [new for old in found.loop.body for new in change.statement(old)]
    body = found.function.body
    at = body.index(found.loop)
    behind = _Behind(last)
    body[at + 1 :] = [behind.visit(statement) for statement in body[at + 1 :]]
    values: list[ast.expr] = [ast.Constant(None) for _ in last.names]
    starts = [_assign(n, v) for n, v in zip(last.names, values, strict=True)]
    for one in (*starts, _assign(last.begun, ast.Constant(False))):
        body.insert(body.index(found.loop), ast.copy_location(one, found.loop))
    ast.fix_missing_locations(found.function)
    return replace(found, assumptions=place.assumptions)


@dataclass(frozen=True)
class _Last:
    """A list, what its entries are (None: values of their own) and the names of the last one's
    values, and of whether there is one."""

    name: str
    record: Record | None
    names: tuple[str, ...]
    begun: str

    def whole(self) -> ast.expr:
        """The last entry, from its names."""
        text = self.names[0] if self.record is None else self.record.whole(list(self.names))
        return ast.parse(text, mode="eval").body

    def place(self, node: ast.AST) -> str | None:
        """The name that ``out[-1][k]``, or ``out[-1]``, is."""
        if self.record is None:
            return self.names[0] if _is_last(node, self.name) else None
        if not isinstance(node, ast.Subscript) or not _is_last(node.value, self.name):
            return None
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        known = type(key) in (int, str) and key in self.record.keys
        return self.names[self.record.keys.index(key)] if known else None

    def parts(self, node: ast.expr) -> list[ast.expr] | None:
        """The values of an entry that is written out."""
        if self.record is None:
            return [node]
        made = parts_of(node)
        fits = made is not None and type(node) is self.record.kind
        return list(made.values()) if made and fits and tuple(made) == self.record.keys else None


def _last(loop: ast.For, name: str, words: set[str]) -> _Last | None:
    """What the entries of a list are, by the first that is appended, and names for the last."""
    items = [item for n in everything_in(loop) if (item := _appended(n, name)) is not None]
    if not items:
        return None
    parts = parts_of(items[0]) if isinstance(items[0], Display) else None
    record = Record(type(items[0]), tuple(parts)) if parts else None  # type: ignore[arg-type]
    if isinstance(items[0], Display) and record is None:
        return None
    marks = ["last"] if record is None else [str(key) for key in record.keys]
    names = [f"{name}_{mark}" if mark.isidentifier() or mark.isdigit() else "" for mark in marks]
    wanted = {*names, f"{name}_begun"}
    if wanted & words or "" in wanted or len(wanted) <= len(names):
        return None
    return _Last(name, record, tuple(names), f"{name}_begun")


def _changes_last(loop: ast.For, name: str) -> bool:
    """Does a step set the last entry of a list, or a value of it?"""
    return any(
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Store)
        and (_is_last(node, name) or _is_last(node.value, name))
        for node in everything_in(loop)
    )


def _is_last(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Subscript) and ast.unparse(node) == f"{name}[-1]"


def _appended(node: ast.AST, name: str) -> ast.expr | None:
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != f"{name}.append":
        return None
    return call.args[0] if len(call.args) == 1 and not call.keywords else None


class _Uses:
    """What a loop does with such a list."""

    def __init__(self, loop: ast.For, last: _Last) -> None:
        self.last = last
        self.nodes = list(everything_in(loop))
        self.parents = {c: node for node in self.nodes for c in children(node)}

    def fine(self) -> bool:
        """Is nothing else done with it than to ask for the last entry, to set it, to append and to
        ask whether there is one?"""
        return all(
            self._known(node) for node in self.nodes
            if isinstance(node, ast.Name) and node.id == self.last.name
        )  # fmt: skip

    def _known(self, node: ast.AST) -> bool:
        above = self.parents[node]
        if isinstance(above, ast.Attribute):
            statement = self.parents.get(self.parents[above])
            item = None if statement is None else _appended(statement, self.last.name)
            return item is not None and self.last.parts(item) is not None
        if _is_last(above, self.last.name):
            return self._whole(above) or self.last.place(self.parents[above]) is not None
        return asks_whether_any(node, above)

    def _whole(self, node: ast.AST) -> bool:
        """Is a whole last entry set, or taken apart?"""
        if self.last.record is None:
            return True
        above = self.parents[node]
        if not isinstance(above, ast.Assign) or len(above.targets) != 1:
            return False
        (target,) = above.targets
        if target is node:
            return self.last.parts(above.value) is not None
        wide = isinstance(target, ast.Tuple) and len(target.elts) == self.last.record.width
        return wide and self.last.record.kind is not ast.Dict


def asks_whether_any(node: ast.AST, above: ast.AST) -> bool:
    """Is it only asked whether a list has entries?"""
    if isinstance(above, (ast.If, ast.IfExp)):
        return above.test is node
    return isinstance(above, ast.BoolOp) or (
        isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.Not)
    )


class _Put(ast.NodeTransformer):
    """Statements over the names."""

    def __init__(self, last: _Last) -> None:
        self.last = last

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        made = self.visit(node)
        return made if isinstance(made, list) else [made]

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        item = _appended(node, self.last.name)
        parts = None if item is None else self.last.parts(item)
        if parts is None:
            self.generic_visit(node)
            return node
        values = [self.visit(part) for part in parts]
        put = ast.parse(f"{self.last.name}.append(0)").body[0]
        put.value.args = [self.last.whole()]  # type: ignore[attr-defined]
        closed = ast.If(ast.Name(self.last.begun, ast.Load()), [put], [])
        opened = [_together(self.last.names, values),
                  _assign(self.last.begun, ast.Constant(True))]  # fmt: skip
        return [ast.copy_location(one, node) for one in (closed, *opened)]

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        target = node.targets[0]
        if self.last.record is not None and _is_last(target, self.last.name):
            parts = self.last.parts(node.value) or []
            values = [self.visit(part) for part in parts]
            return ast.copy_location(_together(self.last.names, values), node)
        if self.last.record is not None and _is_last(node.value, self.last.name):
            names: list[ast.expr] = [ast.Name(name, ast.Load()) for name in self.last.names]
            node.value = ast.Tuple(names, ast.Load())
            return node
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        name = self.last.place(node)
        if name is not None:
            return ast.copy_location(ast.Name(name, node.ctx), node)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self.last.begun, node.ctx) if node.id == self.last.name else node


class _Behind(ast.NodeTransformer):
    """What follows the loop, with the last entry put behind the others."""

    def __init__(self, last: _Last) -> None:
        self.last = last

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id != self.last.name or not isinstance(node.ctx, ast.Load):
            return node
        whole = ast.BinOp(node, ast.Add(), ast.List([self.last.whole()], ast.Load()))
        made = ast.IfExp(ast.Name(self.last.begun, ast.Load()), whole, copy.copy(node))
        for inner in everything_in(made):
            ast.copy_location(inner, node)
        return made


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _together(names: Sequence[str], values: Sequence[ast.expr]) -> ast.Assign:
    """Names that are set at once."""
    if len(names) == 1:
        return _assign(names[0], values[0])
    target = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
    return ast.Assign([target], ast.Tuple(list(values), ast.Load()))
