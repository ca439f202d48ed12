"""Which fold one update is: ``total = total + x``, ``max(m, x)``, ``if x > m: m = x``."""

from __future__ import annotations

import ast

from auditor.folds.loop import Condition, Fold, Operation
from auditor.lift.module import Module
from auditor.syntax import constant, is_name, mentions, path_of, renamed, same

_PAIRWISE: dict[str, Operation] = {
    "max": "max", "min": "min", "torch.maximum": "max", "torch.minimum": "min",
    "numpy.maximum": "max", "numpy.minimum": "min", "torch.max": "max", "torch.min": "min",
    "torch.logaddexp": "logsumexp",
}  # fmt: skip
_OPPOSITE = {ast.Gt: ast.Lt, ast.Lt: ast.Gt, ast.GtE: ast.LtE, ast.LtE: ast.GtE}


def assigned(module: Module, node: ast.stmt, name: str, value: ast.expr) -> Fold | None:
    """The fold of ``name = value``, or None."""
    return (
        _binary(node, name, value)
        or _called(module, node, name, value)
        or _chosen(node, name, value)
        or _selected(module, node, name, value)
    )


def from_nothing(module: Module, node: ast.stmt, name: str, value: ast.expr) -> Fold | None:
    """The fold of ``name = x if name is None else max(name, x)``, which takes its first value as it
    is."""
    if not isinstance(value, ast.IfExp):
        return None
    asked, first, later = value.test, value.body, value.orelse
    if _is_none(asked, name, ast.IsNot):
        first, later = later, first
    elif not _is_none(asked, name, ast.Is):
        return None
    fold = assigned(module, node, name, later)
    if fold is None or fold.negative or fold.op in ("any", "all") or not same(first, fold.value):
        return None
    fold.from_none = True
    return fold


def _is_none(test: ast.expr, name: str, way: type[ast.cmpop]) -> bool:
    return (
        isinstance(test, ast.Compare)
        and len(test.ops) == 1
        and isinstance(test.ops[0], way)
        and is_name(test.left, name)
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value is None
    )


def _binary(node: ast.stmt, name: str, value: ast.expr) -> Fold | None:
    if isinstance(value, ast.BoolOp) and len(value.values) == 2:
        first, second = value.values
        if is_name(first, name) and truth_value(second):
            op: Operation = "any" if isinstance(value.op, ast.Or) else "all"
            return Fold(op, name, second, node)
        return None
    if not isinstance(value, ast.BinOp):
        return None
    if isinstance(value.op, ast.Mult):
        if is_name(value.left, name):
            return Fold("prod", name, value.right, node)
        if is_name(value.right, name):
            return Fold("prod", name, value.left, node, turned=True)
        return None
    if isinstance(value.op, ast.Sub) and is_name(value.left, name):
        return Fold("sum", name, value.right, node, negative=True)
    if isinstance(value.op, ast.Add):
        if is_name(value.left, name):
            return Fold("sum", name, value.right, node)
        if is_name(value.right, name):
            return Fold("sum", name, value.left, node, turned=True)
        return _chain(node, name, value)
    return None


def _chain(node: ast.stmt, name: str, value: ast.BinOp) -> Fold | None:
    """``total + a + b``, parsed as ``(total + a) + b``."""
    rest: list[ast.expr] = []
    at: ast.expr = value
    while isinstance(at, ast.BinOp) and isinstance(at.op, ast.Add):
        rest.append(at.right)
        at = at.left
    if not is_name(at, name):
        return None
    addend = rest.pop()
    while rest:
        addend = ast.BinOp(addend, ast.Add(), rest.pop())
    return Fold("sum", name, addend, node)


def _called(module: Module, node: ast.stmt, name: str, value: ast.expr) -> Fold | None:
    """``max(m, x)``, ``torch.maximum(m, x)``."""
    if not (isinstance(value, ast.Call) and len(value.args) == 2 and not value.keywords):
        return None
    path = path_of(module, value.func)
    if path is None and isinstance(value.func, ast.Name):
        path = value.func.id
    op = _PAIRWISE.get(path or "")
    if op is None:
        return None
    first, second = value.args
    if is_name(first, name) == is_name(second, name):
        return None
    other = second if is_name(first, name) else first
    called = None if path in ("max", "min") else module.source(value.func)
    return Fold(op, name, other, node, keeps_first=is_name(first, name),
                call=called)  # fmt: skip


def _selected(module: Module, node: ast.stmt, name: str, value: ast.expr) -> Fold | None:
    """``torch.where(x > m, x, m)``, element by element what ``torch.maximum`` is."""
    if not (isinstance(value, ast.Call) and len(value.args) == 3 and not value.keywords):
        return None
    if path_of(module, value.func) != "torch.where" or not isinstance(value.func, ast.Attribute):
        return None
    fold = _chosen(node, name, ast.IfExp(*value.args))
    if fold is None or fold.op not in ("max", "min"):
        return None
    fold.call, fold.selected = f"{module.source(value.func.value)}.{fold.op}imum", True
    return fold


def _chosen(node: ast.stmt, name: str, value: ast.expr) -> Fold | None:
    """``x if x > m else m`` and its mirror images."""
    if not (isinstance(value, ast.IfExp) and isinstance(value.test, ast.Compare)):
        return None
    found = _comparison(value.test, name)
    if found is None:
        return None
    op, strict, other = found
    if is_name(value.orelse, name) and same(value.body, other):
        return Fold(op, name, other, node, keeps_first=strict)
    if is_name(value.body, name) and same(value.orelse, other):
        flipped: Operation = "min" if op == "max" else "max"
        return Fold(flipped, name, other, node, keeps_first=not strict)
    return None


def branched(node: ast.If, guards: tuple[Condition, ...], carried: set[str]) -> Fold | None:
    """``if x > m: m = x``, with a payload or without, and ``if x[i] > x[best]: best = i``."""
    test, from_none = node.test, None
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) and len(test.values) == 2:
        first, second = test.values
        if (
            isinstance(first, ast.Compare) and len(first.ops) == 1
            and isinstance(first.ops[0], ast.Is) and isinstance(first.left, ast.Name)
            and isinstance(first.comparators[0], ast.Constant)
            and first.comparators[0].value is None
        ):  # fmt: skip
            from_none, test = first.left.id, second
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1):
        return None
    bound = _bindings(node.body)
    if bound is None or not 1 <= len(bound) <= 2:
        return None
    for name, value in bound:
        found = _comparison(test, name)
        if found is None or name not in carried or not same(value, found[2]):
            continue
        op, strict, other = found
        if from_none is not None and from_none != name:
            return None
        payload = next(((n, v) for n, v in bound if n != name), None)
        if mentions(other, name):
            return None
        fold = Fold(op, name, other, node, guards, keeps_first=strict,
                    from_none=from_none is not None)  # fmt: skip
        if payload is not None:
            fold.op = "argmax" if op == "max" else "argmin"
            fold.place, fold.payload = payload
            if any(mentions(payload[1], n) for n, _ in bound):
                return None
        return fold
    return _by_place(test, bound[0], node, guards, carried) if len(bound) == 1 else None


def _by_place(
    test: ast.Compare, bound: tuple[str, ast.expr], node: ast.If,
    guards: tuple[Condition, ...], carried: set[str],
) -> Fold | None:  # fmt: skip
    name, at = bound
    if name not in carried or not isinstance(at, ast.Name):
        return None
    left, right = test.left, test.comparators[0]
    for value, held, op in ((left, right, type(test.ops[0])),
                            (right, left, _OPPOSITE.get(type(test.ops[0])))):  # fmt: skip
        if op not in _OPPOSITE or mentions(value, name) or not mentions(value, at.id):
            continue
        if not same(renamed(value, at.id, ast.Name(name, ast.Load())), held):
            continue
        way: Operation = "argmax" if op in (ast.Gt, ast.GtE) else "argmin"
        strict = op in (ast.Gt, ast.Lt)
        return Fold(way, None, value, node, guards, keeps_first=strict, place=name, payload=at)
    return None


# -- what must hold of the whole


def truth_value(node: ast.expr) -> bool:
    """An expression whose value is certainly a truth value of its own library."""
    if isinstance(node, ast.Compare):
        return True
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return True
    if isinstance(node, ast.BoolOp):
        return all(map(truth_value, node.values))
    return isinstance(constant(node), bool)


def _comparison(test: ast.Compare, name: str) -> tuple[Operation, bool, ast.expr] | None:
    """``x > m`` as (max, strict, x), whichever side the name is on."""
    if len(test.ops) != 1:
        return None
    left, op, right = test.left, type(test.ops[0]), test.comparators[0]
    if is_name(left, name) and op in _OPPOSITE:
        left, op, right = right, _OPPOSITE[op], left
    if not is_name(right, name) or op not in _OPPOSITE:
        return None
    return ("max" if op in (ast.Gt, ast.GtE) else "min"), op in (ast.Gt, ast.Lt), left


def _bindings(body: list[ast.stmt]) -> list[tuple[str, ast.expr]] | None:
    """The plain assignments that a block consists of."""
    found: list[tuple[str, ast.expr]] = []
    for statement in body:
        if not (isinstance(statement, ast.Assign) and len(statement.targets) == 1):
            return None
        target, value = statement.targets[0], statement.value
        if isinstance(target, ast.Name):
            found.append((target.id, value))
        elif (
            isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            and len(target.elts) == len(value.elts)
            and all(isinstance(part, ast.Name) for part in target.elts)
        ):  # fmt: skip
            names = [part.id for part in target.elts if isinstance(part, ast.Name)]
            found.extend(zip(names, value.elts, strict=True))
        else:
            return None
    return found
