"""Lists that are made of their length and filled from the front, as lists that grow.

``out = [0.0] * n`` and then ``out[i] = v`` for each i of ``range(n)`` is ``out = []`` and
``out.append(v)``. What stands before the first place that the loop fills stays: the 0 of
``[0] * (n + 1)``, what ``out[0] = v`` says; the item before the one that is written, if the loop
reads it, is the last of the list.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

from auditor.lift.bound import stored_in
from auditor.plain.text import Body, Written, append, assign, loads_in, name
from auditor.syntax import constant, is_name
from auditor.tree import descendants, everything_in, replaced
from auditor.verdict import Edit

_LEAVES = (ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom, ast.Try, ast.Delete,
           ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Await)  # fmt: skip
_SCOPES = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_READS = ("len", "range", "enumerate", "zip", "sum", "min", "max", "abs", "sorted", "any", "all")


@dataclass(frozen=True)
class _Steps:
    """A loop over ``place`` from ``first`` up to but not ``end``, by one."""

    place: str
    first: int
    end: ast.expr


def preallocated(written: Written) -> Iterator[list[Edit]]:
    """One list and its loop after the other."""
    for block, at in written.own():
        loop = block[at]
        if not isinstance(loop, ast.For) or loop.orelse:
            continue
        steps = _steps(written, loop)
        if steps is None or any(isinstance(node, _LEAVES) for node in descendants(loop)):
            continue
        for store in loop.body:
            edits = _grown(written, block[:at], loop, store, steps)
            if edits is not None:
                yield edits
                break


def _steps(written: Written, loop: ast.For) -> _Steps | None:
    call = loop.iter
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)) or call.keywords:
        return None
    word, args, target = call.func.id, call.args, loop.target
    if word in written.stored or word in written.module.bound or not args:
        return None
    if word == "range" and len(args) <= 2 and isinstance(target, ast.Name):
        first = constant(args[0]) if len(args) == 2 else 0
        whole = isinstance(first, int) and not isinstance(first, bool)
        return _Steps(target.id, first, args[-1]) if whole else None  # type: ignore[arg-type]
    if word == "enumerate" and len(args) == 1 and isinstance(target, ast.Tuple):
        place = target.elts[0]
        if isinstance(place, ast.Name) and isinstance(args[0], ast.Name):
            return _Steps(place.id, 0, ast.Call(name("len"), [args[0]], []))
    return None


def _grown(
    written: Written, before: Body, loop: ast.For, store: ast.stmt, steps: _Steps
) -> list[Edit] | None:
    """The edits where ``store``, in the body of the loop, fills a list that ``before`` made."""
    if not (isinstance(store, ast.Assign) and len(store.targets) == 1):
        return None
    target = store.targets[0]
    if not (isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)):
        return None
    out, shift = target.value.id, _ahead(target.slice, steps.place)
    at = next((p for p in reversed(range(len(before))) if out in stored_in(before[p])), None)
    if shift is None or at is None or not isinstance(made := before[at], ast.Assign):
        return None
    size = _allocated(written, made)
    if size is None or not is_name(made.targets[0], out):
        return None
    first, begins = steps.first + shift, before[at + 1 :]
    own = [s for s in begins if out in loads_in(s) | stored_in(s)]
    if not _as_long(written, size, steps, shift) or not _untouched(written, made, begins, loop):
        return None
    if first == 0 and not own:
        kept: list[ast.expr] = []
    elif first == 1 and not own and shift == 1 and _counts(written, steps.end):
        kept = [_filler(made)]
    elif first == 1 and len(own) == 1 and (start := _first_item(own[0], out)) is not None:
        if own[0] is not begins[0]:
            return None
        kept = [start]
    else:
        return None
    body = _appending(loop, store, out, steps.place, shift, bool(kept))
    if body is None:
        return None
    grown = deepcopy(loop)
    grown.body = body
    old = [made, *own]
    edits = [
        written.replaced(old, [assign(out, ast.List(kept, ast.Load()))]),
        written.replaced([loop], [grown]),
    ]
    return None if None in edits else edits  # type: ignore[return-value]


def _ahead(node: ast.expr, place: str) -> int | None:
    """s of ``place + s``."""
    if is_name(node, place):
        return 0
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        shift = constant(node.right)
        if is_name(node.left, place) and isinstance(shift, int):
            return shift if isinstance(node.op, ast.Add) else -shift
    return None


def _allocated(written: Written, made: ast.Assign) -> ast.expr | None:
    """n of ``[c] * n`` and of ``[c for _ in range(n)]``."""
    value = made.value
    if len(made.targets) != 1 or not isinstance(made.targets[0], ast.Name):
        return None
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        listed, size = value.left, value.right
        alone = isinstance(listed, ast.List) and len(listed.elts) == 1
        return size if alone and constant(_filler(made)) is not ... else None
    if isinstance(value, ast.ListComp) and len(value.generators) == 1:
        (walk,) = value.generators
        call = walk.iter
        plain = isinstance(call, ast.Call) and is_name(call.func, "range") and len(call.args) == 1
        if plain and not walk.ifs and "range" not in written.stored:
            assert isinstance(call, ast.Call)
            return call.args[0] if constant(value.elt) is not ... else None
    return None


def _filler(made: ast.Assign) -> ast.expr:
    value = made.value
    if isinstance(value, ast.ListComp):
        return value.elt
    assert isinstance(value, ast.BinOp) and isinstance(value.left, ast.List)
    return value.left.elts[0]


def _as_long(written: Written, size: ast.expr, steps: _Steps, shift: int) -> bool:
    """Whether the last place that is filled is the last of the list."""
    (whole, length), (end, last) = _parted(size), _parted(steps.end)
    if length != last + shift:
        whole, end = _named(written, whole), _named(written, end)
        (whole, more), (end, most) = _parted(whole), _parted(end)
        length, last = length + more, last + most
    if ast.unparse(whole) != ast.unparse(end):
        whole, end = _named(written, whole), _named(written, end)
    same = ast.unparse(whole) == ast.unparse(end) and length == last + shift
    return same and _stays(written, whole)


def _parted(node: ast.expr) -> tuple[ast.expr, int]:
    """n and s of ``n + s``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        shift = constant(node.right)
        if isinstance(shift, int):
            return node.left, shift if isinstance(node.op, ast.Add) else -shift
    return node, 0


def _named(written: Written, node: ast.expr) -> ast.expr:
    """What a name that is bound once in the function stands for, if that is a length."""
    if not isinstance(node, ast.Name) or node.id in written.arguments:
        return node
    stores = [n for n in written.names[node.id] if not isinstance(n.ctx, ast.Load)]
    holder = written.parents[stores[0]] if len(stores) == 1 else None
    plain = isinstance(holder, ast.Assign) and len(holder.targets) == 1
    return holder.value if plain and _is_length(holder.value) else node  # type: ignore[union-attr]


def _is_length(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and is_name(node.func, "len")
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Name)
    )


def _stays(written: Written, node: ast.expr) -> bool:
    """Whether a number is the same wherever the function says it: it is made of names, of axes of
    arrays and of lengths of what the function only reads."""
    if _is_length(node):
        walked = node.args[0].id  # type: ignore[attr-defined]
        names = written.names[walked]
        if any(not isinstance(n.ctx, ast.Load) for n in names):
            return False
        return all(_only_read(written, n) for n in names)
    if isinstance(node, ast.BinOp):
        return _stays(written, node.left) and _stays(written, node.right)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
        of_axes = node.value.attr == "shape" and isinstance(node.value.value, ast.Name)
        return of_axes and constant(node.slice) is not ...
    return isinstance(node, (ast.Name, ast.Constant))


def _only_read(written: Written, node: ast.Name) -> bool:
    parent = written.parents.get(node)
    if isinstance(parent, ast.Call):
        reads = isinstance(parent.func, ast.Name) and parent.func.id in _READS
        return reads and node in parent.args and parent.func.id not in written.stored  # type: ignore[attr-defined]
    if isinstance(parent, ast.Subscript):
        return parent.value is node and isinstance(parent.ctx, ast.Load)
    return isinstance(parent, ast.For) and parent.iter is node


def _counts(written: Written, end: ast.expr) -> bool:
    """Whether a number of steps is a length, which is not negative."""
    return _is_length(_named(written, end))


def _untouched(written: Written, made: ast.Assign, between: Body, loop: ast.For) -> bool:
    """Whether what the length is said with is the same when the loop ends, and only the function's
    own statements see the list, to the end."""
    words = loads_in(made.value) | loads_in(loop.iter)
    changed = frozenset[str]().union(*map(stored_in, [*between, *loop.body]))
    inside = frozenset[str]().union(*map(stored_in, loop.body))
    if words & changed or stored_in(loop.target) & inside:
        return False
    (target,) = stored_in(made.targets[0])
    for node in (*written.names[target], loop):
        for above in written.ancestors(node, written.node):
            if isinstance(above, _SCOPES) and above is not written.node:
                return False
            if node is loop and isinstance(above, (ast.Try, ast.With)):
                return False
    return not any(
        isinstance(n, (ast.Global, ast.Nonlocal)) and target in n.names for n in written.nodes
    )


def _first_item(node: ast.stmt, out: str) -> ast.expr | None:
    """v of ``out[0] = v``."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return None
    target = node.targets[0]
    if not (isinstance(target, ast.Subscript) and is_name(target.value, out)):
        return None
    own = out in loads_in(node.value)
    return node.value if constant(target.slice) == 0 and not own else None


def _appending(
    loop: ast.For, store: ast.stmt, out: str, place: str, shift: int, kept: bool
) -> Body | None:
    """The body with ``out.append(v)``; reads of the item before, up to there, are of the last."""
    body = deepcopy(loop.body)
    at = loop.body.index(store)
    reads = 0

    def last(node: ast.AST) -> None:
        nonlocal reads
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
            return
        if is_name(node.value, out) and kept and _ahead(node.slice, place) == shift - 1:
            reads += 1
            node.slice = ast.UnaryOp(ast.USub(), ast.Constant(1))

    before = [replaced(one, last) for one in body[:at]]
    value = replaced(body[at].value, last)  # type: ignore[attr-defined]
    made = [*before, append(out, value), *body[at + 1 :]]
    mentions = sum(is_name(n, out) for one in made for n in everything_in(one))
    return made if mentions == reads + 1 else None
