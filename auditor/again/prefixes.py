"""Loops that give a growing sequence to a call as a whole and use the last place of the result:
what a model generates, token by token, without keeping what it has computed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.lift.call_effects import Does, does
from auditor.lift.module import Module
from auditor.syntax import constant, is_name, path_of
from auditor.tree import children, descendants

SAMPLES = re.compile(r"argmax|multinomial|topk|sample|choice|categorical|greedy|softmax|max\(")
LONGER = re.compile(r"cat|append\(|stack\(|\+=?\s*\[|\+\s*\([^()\n]*,\s*\)")
"""What a text has where a sequence is made longer at its end."""
_JOINS = ("cat", "concat", "concatenate", "hstack", "append", "column_stack")
_CACHES = re.compile(r"past|cache|memory|mems|state|hidden|inference_params", re.IGNORECASE)
_KEPT = re.compile(r"past_|_past|cache", re.IGNORECASE)
_OUTPUTS = ("logits", "last_hidden_state", "scores")


@dataclass(frozen=True)
class Prefix:
    """``call`` is given all of ``name`` at every step of ``loop``, which makes it longer."""

    loop: ast.For | ast.While
    call: ast.Call
    name: str


def recomputed(module: Module, function: ast.AST) -> Prefix | None:
    """The first loop of a function that encodes a growing prefix at every step."""
    for loop in descendants(function):
        if isinstance(loop, (ast.For, ast.While)):
            names = dict.fromkeys(_growing(module, loop))
            if names and any(
                isinstance(n, ast.Name) and _KEPT.search(n.id) for n in descendants(loop)
            ):
                continue  # it keeps what it has computed already
            for name in names:
                call = _encoded(module, loop, name)
                if call is not None:
                    return Prefix(loop, call, name)
    return None


def _growing(module: Module, loop: ast.For | ast.While) -> Iterator[str]:
    """The names of sequences that each step makes longer at the end."""
    for node in descendants(loop):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name) and _joined(module, node.value, target.id):
                yield target.id
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            if isinstance(node.value, ast.List) and isinstance(node.op, ast.Add):
                yield node.target.id
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "append" and isinstance(node.func.value, ast.Name):
                yield node.func.value.id


def _joined(module: Module, node: ast.expr, name: str) -> bool:
    """``torch.cat([x, new], dim=1)``, ``np.append(x, new)``, ``x + [new]``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return is_name(node.left, name) and isinstance(node.right, (ast.List, ast.Tuple))
    if not isinstance(node, ast.Call) or not node.args:
        return False
    path = path_of(module, node.func) or ""
    if path.rpartition(".")[2] not in _JOINS:
        return False
    first = node.args[0]
    parts = first.elts if isinstance(first, (ast.List, ast.Tuple)) else node.args
    return bool(parts) and is_name(parts[0], name) and len(parts) > 1


def _encoded(module: Module, loop: ast.For | ast.While, name: str) -> ast.Call | None:
    """The call that is given the whole sequence and whose last place alone is used, where what
    the sequence grows by is made of it."""
    parents = {child: node for node in descendants(loop) for child in children(node)}
    whole = _standing_for(loop, name)
    for call in descendants(loop):
        if not isinstance(call, ast.Call) or does(module, call) is not Does.ANYTHING:
            continue
        if _joined(module, call, name) or _remembers(call):
            continue
        given = [*call.args, *(k.value for k in call.keywords)]
        if not any(_is_whole(arg, whole) for arg in given):
            continue
        made = _last_of(loop, call, parents)
        if made is not None and _grows_by(loop, name, made):
            return call
    return None


def _remembers(call: ast.Call) -> bool:
    """Whether a call is given what an earlier one kept."""
    for keyword in call.keywords:
        if keyword.arg is None:
            return True
        if _CACHES.search(keyword.arg) and constant(keyword.value) not in (None, False):
            return True
    return any(
        isinstance(inner, ast.Name) and _CACHES.search(inner.id)
        for arg in call.args for inner in descendants(arg)
    )  # fmt: skip


def _standing_for(loop: ast.AST, name: str) -> set[str]:
    """The names that stand for the sequence, or for its end where it is longer than a window."""
    found = {name}
    for node in descendants(loop):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name) and _is_whole(node.value, {name}):
                found.add(target.id)
    return found


def _is_whole(node: ast.expr, names: set[str]) -> bool:
    """``x``, ``x[:, -window:]``, ``torch.tensor([x])``, ``x.unsqueeze(0)``, one or the other."""
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.IfExp):
        return _is_whole(node.body, names) and _is_whole(node.orelse, names)
    if isinstance(node, ast.Subscript):
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        plain = all(isinstance(item, ast.Slice) and _to_the_end(item) for item in items)
        new = all(isinstance(i, ast.Slice) or constant(i) is None for i in items)
        return (plain or (new and not any(isinstance(i, ast.Slice) and not _to_the_end(i)
                for i in items))) and _is_whole(node.value, names)  # fmt: skip
    if isinstance(node, (ast.List, ast.Tuple)):
        return len(node.elts) == 1 and _is_whole(node.elts[0], names)
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if called in ("tensor", "as_tensor", "array", "asarray", "LongTensor") and node.args:
            return _is_whole(node.args[0], names)
        if called in ("unsqueeze", "to", "view", "reshape", "long", "clone", "contiguous"):
            assert isinstance(node.func, ast.Attribute)
            return _is_whole(node.func.value, names)
    return False


def _to_the_end(item: ast.Slice) -> bool:
    """``:`` and ``-window:``, but not ``-1:``, which is the last place."""
    return item.upper is None and item.step is None and constant(item.lower) != -1


def _last_of(loop: ast.AST, call: ast.Call, parents: dict[ast.AST, ast.AST]) -> set[ast.AST] | None:
    """The places where the end of a call's result is read; None where more of it is."""
    found: set[ast.AST] = set()
    waiting: list[ast.AST] = [call]
    seen: set[str] = set()
    while waiting:
        at = waiting.pop()
        above = parents.get(at)
        if isinstance(above, ast.Attribute) and above.attr in _OUTPUTS:
            waiting.append(above)
        elif isinstance(above, ast.Subscript) and above.value is at:
            if _is_end(above.slice):
                found.add(above)
            elif constant(above.slice) == 0:
                waiting.append(above)  # the first of several results, or of one batch
            else:
                return None
        elif isinstance(above, ast.Assign) and len(above.targets) == 1:
            target = above.targets[0]
            if isinstance(target, ast.Tuple) and target.elts:
                target = target.elts[0]  # the others are unused or not of this loop
            if not isinstance(target, ast.Name) or target.id in seen:
                return None
            seen.add(target.id)
            waiting += [
                node for node in descendants(loop)
                if is_name(node, target.id) and isinstance(getattr(node, "ctx", None), ast.Load)
                and node.lineno >= call.lineno  # type: ignore[attr-defined]
                and not _after_its_end(loop, node, target.id, found)
            ]  # fmt: skip
        else:
            return None
    return found or None


def _after_its_end(loop: ast.AST, node: ast.AST, name: str, found: set[ast.AST]) -> bool:
    """Whether a name has been bound to its own last place before it is read here."""
    for other in descendants(loop):
        if isinstance(other, ast.Assign) and any(is_name(t, name) for t in other.targets):
            value = other.value
            while isinstance(value, (ast.BinOp, ast.Call)):
                inner = value.left if isinstance(value, ast.BinOp) else value.func
                value = inner.value if isinstance(inner, ast.Attribute) else inner
            if isinstance(value, ast.Subscript) and _is_end(value.slice):
                if other.lineno < node.lineno:  # type: ignore[attr-defined]
                    return True
    return False


def _is_end(node: ast.expr) -> bool:
    """``[-1]``, ``[:, -1]``, ``[:, -1, :]``, ``[0, -1]``, ``[:, -1:]``."""
    items = node.elts if isinstance(node, ast.Tuple) else [node]
    return any(
        constant(item) == -1 or (isinstance(item, ast.Slice) and constant(item.lower) == -1)
        for item in items[:2]
    )


def _grows_by(loop: ast.AST, name: str, made: set[ast.AST]) -> bool:
    """Whether what is put behind the sequence depends on what was read of the result."""
    marked: set[str] = set()
    while True:
        before = len(marked)
        for node in descendants(loop):
            if isinstance(node, (ast.Assign, ast.AugAssign)) and _depends(node.value, made, marked):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    marked |= {n.id for n in descendants(target) if isinstance(n, ast.Name)}
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr == "append" and isinstance(node.func.value, ast.Name):
                    if any(_depends(arg, made, marked) for arg in node.args):
                        marked.add(node.func.value.id)
        if len(marked) == before:
            return name in marked


def _depends(node: ast.AST, made: set[ast.AST], marked: set[str]) -> bool:
    return any(
        inner in made or (isinstance(inner, ast.Name) and inner.id in marked)
        for inner in descendants(node)
    )
