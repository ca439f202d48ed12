"""The single places that are read of what a sort gives, and whether they are read for certain."""

from __future__ import annotations

import ast
import copy
import itertools
from dataclasses import dataclass

from auditor.surroundings.purity import impurity
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_dots, is_name, is_whole
from auditor.topk.orderings import (
    Ordering,
    Sorted,
    ordering_of,
    sorted_in_place,
)
from auditor.tree import ancestors, everything_in

PLAIN = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)
SIMPLE = (*PLAIN, ast.Return)
_CONDITIONAL = (
    ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


@dataclass(frozen=True)
class Place:
    """A subscript that reads one place: along which axis (from the right where negative), with how
    many new axes at the end."""

    node: ast.Subscript
    axis: int
    index: ast.expr
    added: int = 0

    @property
    def rest(self) -> str:
        """What is left of the subscript where the place alone is taken."""
        return f"[..., {', '.join(['None'] * self.added)}]" if self.added else ""

    @property
    def number(self) -> int | None:
        found = constant(self.index)
        return found if isinstance(found, int) and not isinstance(found, bool) else None


@dataclass(frozen=True)
class Sort:
    """A sort, the places of it that are read, and the statement that gives it a name, if any; how
    a list of that name is sorted in place; and where else its size is asked for."""

    ordering: Ordering
    places: tuple[Place, ...]
    defined: ast.Assign | None
    name: str = ""
    in_place: Sorted | None = None
    sizes: tuple[ast.Name, ...] = ()


def place_of(node: ast.Subscript) -> Place | None:
    """``x[k]``, ``x[..., k]``, ``x[:, k]``, ``x[:, k, :]``, ``x[:, k, None]``."""
    items = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if not items:
        return None  # x[()]
    added = 0
    while len(items) > 1 and isinstance(items[-1], ast.Constant) and items[-1].value is None:
        items.pop()
        added += 1
    behind = 0
    while len(items) > 1 and is_whole(items[-1]):
        items.pop()
        behind += 1
    index = items.pop()
    dots = [p for p, item in enumerate(items) if constant(item) is ... and is_dots(item)]
    if any(not is_whole(item) for p, item in enumerate(items) if p not in dots):
        return None
    if isinstance(index, (ast.Slice, ast.Starred, ast.Tuple)) or is_dots(index):
        return None
    if dots:
        alone = dots == [0] and len(items) == 1
        return Place(node, -1 - behind, index, added) if alone else None
    return Place(node, len(items), index, added)


def sort_of(region: Region, place: Place) -> Sort | None:
    """The sort whose place is read, in the same expression or under a name; at its first place."""
    base = place.node.value
    ordering = ordering_of(region, base)
    if ordering is not None:
        return Sort(ordering, (place,), None)
    if not isinstance(base, ast.Name):
        return None
    statement, name = region.statement_of(place.node), base.id
    bound = region.binding_before(statement, name, unchanged=False)  # `sort` comes after it
    if bound is None or not isinstance(bound.statement, ast.Assign):
        return None
    defined = bound.statement
    if isinstance(region.lifted.node, ast.Module) or len(defined.targets) != 1:
        return None
    stores = [n for n in region.nodes if isinstance(n, ast.Name) and n.id == name
              and not isinstance(n.ctx, ast.Load)]  # fmt: skip
    if len(stores) != 1 or _shared(region, name):
        return None
    value = _named_values(region, defined, name)
    ordering = ordering_of(region, value) if value is not None else None
    in_place = sorted_in_place(region, defined, name) if ordering is None else None
    if in_place is not None:
        ordering = in_place.ordering
    if ordering is None:
        return None
    read = _places(region, (defined,) if in_place is None else in_place.so_far, name)
    if read is None:
        return None
    places, sizes = read
    simple = [p for p in places if isinstance(region.statement_of(p.node), SIMPLE)]
    if not simple or simple[0].node is not place.node:
        return None
    return Sort(ordering, places, defined, name, in_place, sizes)


def _shared(region: Region, name: str) -> bool:
    """Whether a name is declared to be one of another scope."""
    return any(
        isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names for node in region.nodes
    )


def _named_values(region: Region, defined: ast.Assign, name: str) -> ast.expr | None:
    """What an assignment binds a name to: a sort, or the values of one whose places go unread."""
    (target,) = defined.targets
    if is_name(target, name):
        return defined.value
    if isinstance(target, ast.Tuple) and len(target.elts) == 2 and is_name(target.elts[0], name):
        other = target.elts[1]
        if isinstance(other, ast.Name) and not region.reads_outside(other.id, (defined,)):
            return ast.Subscript(defined.value, ast.Constant(0), ast.Load())
    return None


def _places(
    region: Region, defined: tuple[ast.stmt, ...], name: str
) -> tuple[tuple[Place, ...], tuple[ast.Name, ...]] | None:
    """The places at which a name is read, and where it is asked for its size outside of these; None
    where it is read otherwise."""
    found: list[Place] = []
    sizes: list[ast.Name] = []
    for load in region.reads_outside(name, defined):
        parent = region.parents.get(load)
        if isinstance(parent, ast.expr) and _asks_size(region, load, parent):
            sizes.append(load)
            continue
        place = None
        if isinstance(parent, ast.Subscript) and parent.value is load:
            place = place_of(parent)
        if place is None or not isinstance(place.node.ctx, ast.Load):
            return None
        found.append(place)
    within = {inner for place in found for inner in everything_in(place.index)}
    return tuple(found), tuple(load for load in sizes if load not in within)


def _asks_size(region: Region, load: ast.Name, parent: ast.expr) -> bool:
    """``len(s)``, ``s.size``, ``s.shape[0]``: a sort is as large as what is sorted."""
    if isinstance(parent, ast.Attribute):
        return parent.attr in ("size", "shape", "numel")
    return isinstance(parent, ast.Call) and is_name(parent.func, "len") and parent.args == [load]


def index_text(region: Region, found: Sort, index: ast.expr) -> str | None:
    """A place as it is said where the sort stands: of what is sorted in place of its name."""
    if not found.name or not any(is_name(node, found.name) for node in everything_in(index)):
        return region.module.source(index)
    if not isinstance(found.ordering.operand, ast.Name):
        return None
    said = copy.deepcopy(index)
    for node in everything_in(said):
        if isinstance(node, ast.Name) and node.id == found.name:
            node.id = found.ordering.operand.id
    return ast.unparse(said)


def reading(region: Region, found: Sort) -> ast.stmt | None:
    """The one statement that reads the places of a sort with a name, where nothing from the sort to
    its end does more than compute, so that what is sorted is still the same there."""
    statements = {region.statement_of(place.node) for place in found.places}
    if found.defined is None or found.in_place is not None or len(statements) != 1:
        return None
    (last,) = statements
    block = region.siblings(found.defined)
    if last not in block or not isinstance(last, (ast.Assign, ast.Return)):
        return None
    between = block[block.index(found.defined) + 1 : block.index(last)]
    named = all(isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
                for one in between)  # fmt: skip
    whole = [one.value for one in (*between, last) if isinstance(one, (ast.Assign, ast.Return))]
    pure = all(value is not None and impurity(region.module, value) is None for value in whole)
    return last if named and pure else None


def certainly_read(region: Region, found: Sort) -> bool:
    """Whether every place that is read anywhere is read whenever the sort is made: its absence is
    an error that a selection raises at once."""
    if found.defined is None:
        return True
    read: set[str] = set()
    block = region.siblings(found.defined)
    sort = found.defined if found.in_place is None else found.in_place.call
    for statement in block[block.index(sort) + 1 :]:
        for place in found.places:
            if region.statement_of(place.node) is statement and not _perhaps(region, place.node):
                read.add(ast.unparse(place.index))
        if not isinstance(statement, PLAIN):
            break
    wanted = {ast.unparse(place.index) for place in found.places}
    if found.ordering.library == "python":
        return bool(read)  # any element will do
    return wanted <= read


def _perhaps(region: Region, node: ast.AST) -> bool:
    """Whether a part of a statement may not be evaluated when the statement is executed."""
    parts = itertools.takewhile(
        lambda at: not isinstance(at, ast.stmt), (node, *ancestors(node, region.parents))
    )
    return any(isinstance(part, _CONDITIONAL) for part in parts)
