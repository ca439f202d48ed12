"""Sorts of which a slice is taken: what is ordered, along which axis, and which places are read."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TypeAlias

from auditor.arrays.facts import Arrays
from auditor.folds.iterables import Iterable, kind_of
from auditor.rewrite import Site
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, path_of
from auditor.topk.cuts import Cut, places_of, together, walked_place
from auditor.tree import everything_in

Assignment: TypeAlias = ast.Assign | ast.AnnAssign


@dataclass(frozen=True)
class Ordering:
    """``what`` of a sort: its values or indices. ``node`` is the whole expression; ``turned`` says
    that it is read backwards, which ``descending`` takes account of."""

    node: ast.expr
    call: ast.Call
    what: str
    library: str
    operand: ast.expr
    dim: ast.expr | None
    descending: bool
    stable: bool
    turned: bool = False


def ordering_of(region: Region, node: ast.expr) -> Ordering | None:
    """The sort that an expression takes values or indices of."""
    turned = node.value if isinstance(node, ast.Subscript) and backwards(node) else None
    turned = turned or _reversed(region, node)
    if turned is not None:
        found = ordering_of(region, turned)
        if found is None or found.library == "torch" or found.turned:
            return None
        way = not found.descending
        return replace(found, node=node, descending=way, turned=True)
    picked: str | None = None
    call = node
    if isinstance(node, ast.Attribute) and node.attr in ("values", "indices"):
        picked, call = node.attr, node.value
    elif isinstance(node, ast.Subscript) and constant(node.slice) in (0, 1):
        if not isinstance(constant(node.slice), bool):
            picked = "values" if constant(node.slice) == 0 else "indices"
            call = node.value
    if not isinstance(call, ast.Call):
        return None
    path = path_of(region.module, call.func)
    if isinstance(call.func, ast.Attribute) and call.func.attr == "flip" and picked is None:
        return _flipped(region, call)
    if is_name(call.func, "sorted") and picked is None:
        return _sorted(node, call) if region.means_builtin("sorted") else None
    name = path.rsplit(".", 1)[-1] if path else getattr(call.func, "attr", "")
    if name not in ("sort", "argsort"):
        return None
    args = list(call.args)
    if path in ("torch.sort", "torch.argsort", "numpy.sort", "numpy.argsort"):
        library = path.split(".")[0]
        if not args:
            return None
        operand = args.pop(0)
    elif path is None and isinstance(call.func, ast.Attribute):
        operand = call.func.value
        library = _library_of(region, call, operand, picked)
    else:
        return None
    if (name == "sort" and library == "torch") != (picked is not None):
        return None
    keywords = {k.arg: k.value for k in call.keywords}
    if None in keywords or any(isinstance(arg, ast.Starred) for arg in args):
        return None
    dim = keywords.pop("dim", None) or keywords.pop("axis", None)
    if args:
        dim = args.pop(0)
    flags = {"descending": False, "stable": False}
    for flag in flags:
        if flag in keywords:
            value = constant(keywords.pop(flag))
            if not isinstance(value, bool):
                return None
            flags[flag] = value
    if args and library == "torch":
        value = constant(args.pop(0))
        if not isinstance(value, bool):
            return None
        flags["descending"] = value
    if args or keywords:
        return None
    what = picked or ("indices" if name == "argsort" else "values")
    return Ordering(node, call, what, library, operand, dim, flags["descending"], flags["stable"])


def backwards(node: ast.Subscript) -> bool:
    """``[::-1]``."""
    part = node.slice
    return (
        isinstance(part, ast.Slice) and part.lower is None and part.upper is None
        and constant(part.step) == -1
    )  # fmt: skip


def _reversed(region: Region, node: ast.expr) -> ast.expr | None:
    """ys of ``list(reversed(ys))``, where that is a call of a sort."""
    made = node
    for name in ("list", "reversed"):
        if not (isinstance(made, ast.Call) and is_name(made.func, name)):
            return None
        if len(made.args) != 1 or made.keywords or not region.means_builtin(name):
            return None
        made = made.args[0]
    return made if isinstance(made, ast.Call) and is_name(made.func, "sorted") else None


def _flipped(region: Region, call: ast.Call) -> Ordering | None:
    """A sort in the other direction; of places only where the order among equals is open."""
    arguments = list(call.args)
    if path_of(region.module, call.func) == "torch.flip":
        inner = arguments.pop(0) if arguments else None
    else:
        inner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if inner is None or len(arguments) != 1 or call.keywords:
        return None
    found, axis = ordering_of(region, inner), arguments[0]
    if isinstance(axis, (ast.Tuple, ast.List)) and len(axis.elts) == 1:
        axis = axis.elts[0]
    if found is None or found.library != "torch" or (found.what != "values" and found.stable):
        return None
    dim = -1 if found.dim is None else constant(found.dim)
    if constant(axis) != dim:
        return None
    return replace(found, node=call, descending=not found.descending)


def _library_of(region: Region, call: ast.Call, operand: ast.expr, picked: str | None) -> str:
    """The library whose method is called. ``sort`` of arrays and lists returns None."""
    if picked is not None or any(k.arg in ("descending", "dim") for k in call.keywords):
        return "torch"
    arrays = Arrays(region)
    known, value = arrays.library(operand), arrays.value(operand)
    if known is None and region.module.library == "numpy":
        # what is computed by functions of NumPy, in a file that knows no other arrays
        computed = value is not None and value.kind == "derived" and bool(value.axes)
        return "numpy" if computed else "unknown"
    return known or "unknown"


def _sorted(node: ast.expr, call: ast.Call) -> Ordering | None:
    keywords = {k.arg: k.value for k in call.keywords}
    if len(call.args) != 1 or not set(keywords) <= {"key", "reverse"}:
        return None
    reverse = constant(keywords["reverse"]) if "reverse" in keywords else False
    if not isinstance(reverse, bool) or isinstance(call.args[0], ast.Starred):
        return None
    return Ordering(node, call, "values", "python", call.args[0], None, reverse, True)


@dataclass
class Use:
    """The statement that names an ordering, the names it gives, their slices, and the places that
    these read together."""

    statement: ast.stmt | None
    target: ast.expr | None
    slices: list[ast.Subscript]
    what: str
    cut: Cut


def named(site: Site, region: Region, node: ast.Subscript, cut: Cut) -> tuple[Ordering, Use] | None:
    """The ordering behind a name, if the name is read through this cut alone."""
    assert isinstance(node.value, ast.Name)
    name = node.value.id
    statement = region.statement_of(node)
    holder = _assignment(region, statement, name)
    if holder is None:
        return None
    target = holder.targets[0] if isinstance(holder, ast.Assign) else holder.target
    if is_name(target, name):
        placed = sorted_in_place(region, holder, name)
        if placed is not None:
            reads = _slices(site, region, name, cut, holder, placed.so_far)
            if not reads or reads[0] is not node:
                return None
            whole = _joined(site, region, reads, name)
            return placed.ordering, Use(placed.call, target, reads, "values", whole)
        ordering = None if holder.value is None else ordering_of(region, holder.value)
        if ordering is None or ordering.node is not holder.value:
            return None
        names = {name: ordering.what}
    elif isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) == 2:
        parts = [part.id for part in target.elts if isinstance(part, ast.Name)]
        assert holder.value is not None
        made = ast.Subscript(holder.value, ast.Constant(0), ast.Load())
        ordering = ordering_of(region, made)
        if len(parts) != 2 or ordering is None or ordering.library != "torch":
            return None
        names = dict(zip(parts, ("values", "indices"), strict=True))
    else:
        return None
    slices: list[ast.Subscript] = []
    used: set[str] = set()
    for each, what in names.items():
        reads = _slices(site, region, each, cut, holder, (holder,))
        slices += reads
        used |= {what} if reads else set()
    first = min(slices, key=lambda s: (s.lineno, s.col_offset), default=None)
    if first is not node:
        return None
    what = "both" if len(used) == 2 else next(iter(used))
    return ordering, Use(holder, target, slices, what, _joined(site, region, slices, name))


def _slices(
    site: Site,
    region: Region,
    name: str,
    cut: Cut,
    holder: Assignment,
    defined: tuple[ast.stmt, ...],
) -> list[ast.Subscript]:
    """The reads of a name outside its definition, which all must be this slice of it."""
    slices: list[ast.Subscript] = []
    again = _bound_again(region, holder, name)
    reads = region.reads_outside(name, defined)
    elsewhere = [store for store in _stores(region, name, holder)
                 if again is None or not region.within(store, again)]  # fmt: skip
    site.require(not (reads and elsewhere), "uses", f"`{name}` is something else as well")
    for load in reads:
        since = again is not None and not holder.lineno <= load.lineno < again.lineno
        if again is not None and since and not region.within(load, again):
            continue  # reads what was bound since
        part = region.parents.get(load)
        taken = isinstance(part, ast.Subscript) and part.value is load
        if taken and isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load):
            if _alike(cut_in(region, part), cut):
                slices.append(part)
                continue
        site.require(False, "uses", f"`{name}` is used otherwise than through its first places")
    return slices


def count_text(region: Region, cut: Cut) -> str:
    """How many places a cut takes, as code."""
    return region.module.source(cut.k) if cut.k in region.parents else ast.unparse(cut.k)


def cut_in(region: Region, node: ast.Subscript) -> Cut | None:
    """The places that a subscript takes of a sort, also in a walk over them."""
    return places_of(node) or walked_place(node, region.parents)


def _joined(site: Site, region: Region, slices: list[ast.Subscript], name: str) -> Cut:
    """The places that all of the slices read."""
    cuts = [cut for part in slices if (cut := cut_in(region, part)) is not None]
    whole = together(cuts)
    site.require(
        whole is not None, "uses", f"nothing says how many places of `{name}` are used in all"
    )
    return cuts[0] if whole is None else whole


@dataclass(frozen=True)
class Sorted:
    """A list that is sorted in place: the ``call`` that sorts, and all that stands from the making
    of the list to there."""

    ordering: Ordering
    call: ast.Expr
    so_far: tuple[ast.stmt, ...]


def sorted_in_place(region: Region, holder: Assignment, name: str) -> Sorted | None:
    """``ys = list(xs)``, or an empty list that is filled, and, later in the same block,
    ``ys.sort()``; read behind that alone, so that nothing jumps over the sort."""
    if holder.value is None or not fresh_list(region, holder.value):
        return None
    block = region.siblings(holder)
    start = block.index(holder)
    for at, statement in enumerate(block[start + 1 :], start + 1):
        sort = _sort_of(statement, name)
        if sort is not None:
            so_far = tuple(block[start : at + 1])
            behind = {inner for later in block[at + 1 :] for inner in everything_in(later)}
            ordering = _sorted(sort, sort)
            if ordering is None or not behind.issuperset(region.reads_outside(name, so_far)):
                return None
            assert isinstance(statement, ast.Expr)
            return Sorted(ordering, statement, so_far)
        named = [inner for inner in everything_in(statement) if is_name(inner, name)]
        if not all(_stays(region, inner, statement) for inner in named):
            return None
    return None


def _sort_of(statement: ast.stmt, name: str) -> ast.Call | None:
    """``ys.sort(key=f)`` as ``sorted`` is called."""
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        return None
    call = statement.value
    if not (isinstance(call.func, ast.Attribute) and is_name(call.func.value, name)):
        return None
    if call.func.attr != "sort" or call.args:
        return None
    return ast.Call(call.func, [call.func.value], call.keywords)


_OWN_METHODS = frozenset("append extend insert pop remove clear reverse count index copy".split())


def _stays(region: Region, node: ast.AST, within: ast.stmt) -> bool:
    """Whether a use of a list, in the code that runs here, gives it no other name: a method is
    called, the length or an element is asked for."""
    at = region.parents[node]
    if isinstance(at, ast.Attribute):
        call = region.parents[at]
        if not (isinstance(call, ast.Call) and call.func is at and at.attr in _OWN_METHODS):
            return False
    elif isinstance(at, ast.Call):
        if not is_name(at.func, "len"):
            return False
    elif not (isinstance(at, ast.Subscript) and at.value is node):
        return False
    while at is not within:
        if isinstance(at, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            return False
        at = region.parents[at]
    return not isinstance(at, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))


def fresh_list(region: Region, node: ast.expr) -> bool:
    """Certainly a list, which nothing else holds. A slice of an array would share its elements."""
    if isinstance(node, (ast.List, ast.ListComp)):
        return True
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return kind_of(region, node.value, []) is Iterable.LIST
    if isinstance(node, ast.Call):
        if is_name(node.func, "list") or is_name(node.func, "sorted"):
            return True
        if isinstance(node.func, ast.Attribute) and node.func.attr == "copy":
            return kind_of(region, node.func.value, []) is Iterable.LIST
        return isinstance(node.func, ast.Attribute) and node.func.attr == "tolist"
    return False


def _alike(one: Cut | None, other: Cut) -> bool:
    return one is not None and (one.axis, one.at_end) == (other.axis, other.at_end)


def _assignment(region: Region, statement: ast.stmt, name: str) -> Assignment | None:
    """The only assignment of a name, in a block that leads to ``statement``; or the first of two,
    where ``statement`` follows and is the other."""
    stores = [
        n for n in region.nodes
        if isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
    ]  # fmt: skip
    if not stores:
        return None
    holder = region.statement_of(min(stores, key=lambda n: (n.lineno, n.col_offset)))
    if not isinstance(holder, (ast.Assign, ast.AnnAssign)):
        return None
    if isinstance(holder, ast.Assign) and len(holder.targets) != 1:
        return None
    if len(stores) != 1 and _bound_again(region, holder, name) is not statement:
        return None
    if any(isinstance(n, ast.arg) and n.arg == name for n in region.nodes):
        # A parameter that is bound again before anything else reads it.
        body = getattr(region.lifted.node, "body", [])
        before = [load for load in region.reads_outside(name, (holder,))
                  if load.lineno < holder.lineno]  # fmt: skip
        if holder not in body or before:
            return None
    if (holder.lineno, holder.col_offset) >= (statement.lineno, statement.col_offset):
        return None
    return holder


def _bound_again(region: Region, holder: Assignment, name: str) -> ast.stmt | None:
    """The statement right behind ``holder``, or behind what sorts its list in place, if that alone
    binds the name once more; others that cut names may stand before it."""
    stores = _stores(region, name, holder)
    if len(stores) != 1:
        return None
    placed = sorted_in_place(region, holder, name)
    after = region.next_statement(holder if placed is None else placed.call)
    while isinstance(after, ast.Assign) and len(after.targets) == 1:
        bound = parts_of(after.targets[0])
        if any(part is stores[0] for part in bound):
            return after
        names = all(isinstance(part, ast.Name) for part in bound)
        if not names or not all(map(_cuts, parts_of(after.value))):
            return None
        after = region.next_statement(after)
    return None


def _stores(region: Region, name: str, holder: Assignment) -> list[ast.Name]:
    """Where a name is bound or deleted outside the statement that first binds it."""
    return [
        n for n in region.nodes
        if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, (ast.Store, ast.Del))
        and not region.within(n, holder)
    ]  # fmt: skip


def parts_of(node: ast.expr) -> list[ast.expr]:
    """What a tuple or a list that is written down holds; else the expression itself."""
    return list(node.elts) if isinstance(node, (ast.Tuple, ast.List)) else [node]


def _cuts(node: ast.expr) -> bool:
    """``x[:k]``."""
    return (
        isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)
        and places_of(node) is not None
    )  # fmt: skip


def axes_agree(region: Region, ordering: Ordering, cut: Cut) -> bool:
    """Whether the slice certainly cuts the sorted axis; False where that depends on how many axes
    there are. Raises ``OtherAxis``."""
    dim = -1 if ordering.dim is None else constant(ordering.dim)
    if not isinstance(dim, int) or isinstance(dim, bool):
        raise OtherAxis
    if (dim < 0) == (cut.axis < 0):
        if dim != cut.axis:
            raise OtherAxis
        return True
    rank = Arrays(region).rank(ordering.operand)
    low, high = min(dim, cut.axis), max(dim, cut.axis)
    if rank is not None and rank + low != high:
        raise OtherAxis
    return rank is not None


class OtherAxis(Exception):
    """The slice cuts another axis than the sorted one."""
