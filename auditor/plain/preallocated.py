"""Lists that are made of their length and filled from one end, as lists that grow.

``out = [0.0] * n`` and then ``out[i] = v`` for each i of ``range(n)`` is ``out = []`` and
``out.append(v)``; for each i of ``range(n - 1, -1, -1)`` it is that and then ``out.reverse()``.
What stands before the first place that the loop fills stays: the 0 of ``[0] * (n + 1)``, what
``out[0] = v`` says; the item before the one that is written, if the loop reads it, is the last of
the list. Where that one item may be more than n allow, ``del out[n:]`` drops it again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TypeGuard

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
    """A loop over ``place`` from ``first`` up to but not ``end``, by one; ``back`` is the other way
    round."""

    place: str
    first: int
    end: ast.expr
    back: bool = False


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
    if {word, "range"} & {*written.stored, *written.module.bound} or not args:
        return None
    if word == "range" and isinstance(target, ast.Name):
        return _counted(target.id, args)
    if word == "reversed" and isinstance(target, ast.Name) and isinstance(args[0], ast.Call):
        plain = is_name(args[0].func, "range") and not args[0].keywords and len(args) == 1
        steps = _counted(target.id, args[0].args) if plain else None
        return None if steps is None else replace(steps, back=not steps.back)
    if word == "enumerate" and len(args) == 1 and isinstance(target, ast.Tuple):
        place = target.elts[0]
        if isinstance(place, ast.Name) and isinstance(args[0], ast.Name):
            return _Steps(place.id, 0, ast.Call(name("len"), [args[0]], []))
    return None


def _counted(place: str, args: list[ast.expr]) -> _Steps | None:
    """The steps over ``range(*args)``."""
    if len(args) == 3 and constant(args[2]) == -1:
        stop = constant(args[1])
        return _Steps(place, stop + 1, _plus(args[0], 1), True) if _is_whole(stop) else None
    first = constant(args[0]) if len(args) == 2 else 0
    return _Steps(place, first, args[-1]) if len(args) <= 2 and _is_whole(first) else None


def _is_whole(number: object) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool)


def _plus(node: ast.expr, number: int) -> ast.expr:
    whole, shift = _parted(node)
    total = shift + number
    if total == 0:
        return whole
    op = ast.Add() if total > 0 else ast.Sub()
    return ast.BinOp(whole, op, ast.Constant(abs(total)))


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
    begins = before[at + 1 :]
    own = [s for s in begins if out in loads_in(s) | stored_in(s)]
    unfilled = _unfilled(written, size, steps, shift)
    if unfilled is None or not _untouched(written, made, begins, loop):
        return None
    kept: list[ast.expr] = []
    then: Body = []
    if unfilled and own:
        start = _first_item(written, own[0], out, size if steps.back else None)
        if start is None or len(own) > 1 or own[0] is not begins[0]:
            return None
        kept = [start]
    elif unfilled:
        kept = [_filler(made)]
        then = [] if _holds_one(written, size) else [_cut(out, size)]
    elif own:
        return None
    body = _appending(loop, store, out, steps, shift, bool(kept))
    if body is None:
        return None
    grown = deepcopy(loop)
    grown.body = body
    old = [made, *own]
    if steps.back:
        turned = ast.Attribute(name(out), "reverse", ast.Load())
        then.append(ast.Expr(ast.Call(turned, [], [])))
    edits = [
        written.replaced(old, [assign(out, ast.List(kept, ast.Load()))]),
        written.replaced([loop], [grown, *then]),
    ]
    return None if None in edits else edits  # type: ignore[return-value]


def _unfilled(written: Written, size: ast.expr, steps: _Steps, shift: int) -> int | None:
    """How many items the loop leaves at the end where it begins, if that is one or none and there
    are none at the other."""
    over = _longer(written, size, steps.end)
    if over is None:
        return None
    front, behind = steps.first + shift, over - shift
    if steps.back:
        front, behind = behind, front
    return front if behind == 0 and front in (0, 1) else None


def _cut(out: str, size: ast.expr) -> ast.stmt:
    """``del out[size:]``."""
    return ast.Delete([ast.Subscript(name(out), ast.Slice(deepcopy(size)), ast.Del())])


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


def _longer(written: Written, size: ast.expr, end: ast.expr) -> int | None:
    """How much more a number is than another, where both stay what they are."""
    (whole, length), (other, last) = _parted(size), _parted(end)
    if ast.unparse(whole) != ast.unparse(other):
        (whole, more), (other, most) = (_parted(_named(written, n)) for n in (whole, other))
        length, last = length + more, last + most
    if ast.unparse(whole) != ast.unparse(other) or not _stays(written, whole):
        return None
    return length - last


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


def _holds_one(written: Written, size: ast.expr) -> bool:
    """Whether a list is made of one item at least: of one more than a length."""
    whole, more = _parted(size)
    return more > 0 and _is_length(_named(written, whole))


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


def _first_item(
    written: Written, node: ast.stmt, out: str, size: ast.expr | None
) -> ast.expr | None:
    """v of ``out[0] = v``, or of ``out[n - 1] = v`` and ``out[-1] = v`` of a list of ``size`` n."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return None
    target = node.targets[0]
    if not (isinstance(target, ast.Subscript) and is_name(target.value, out)):
        return None
    if size is None:
        begins = constant(target.slice) == 0
    else:
        ends = constant(target.slice) == -1
        begins = ends or _longer(written, size, target.slice) == 1
    return node.value if begins and out not in loads_in(node.value) else None


def _appending(
    loop: ast.For, store: ast.stmt, out: str, steps: _Steps, shift: int, kept: bool
) -> Body | None:
    """The body with ``out.append(v)``; reads of the item before, up to there, are of the last."""
    body = deepcopy(loop.body)
    at = loop.body.index(store)
    before = shift + 1 if steps.back else shift - 1
    reads = 0

    def last(node: ast.AST) -> None:
        nonlocal reads
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
            return
        if is_name(node.value, out) and kept and _ahead(node.slice, steps.place) == before:
            reads += 1
            node.slice = ast.UnaryOp(ast.USub(), ast.Constant(1))

    ahead = [replaced(one, last) for one in body[:at]]
    value = replaced(body[at].value, last)  # type: ignore[attr-defined]
    made = [*ahead, append(out, value), *body[at + 1 :]]
    mentions = sum(is_name(n, out) for one in made for n in everything_in(one))
    return made if mentions == reads + 1 else None
