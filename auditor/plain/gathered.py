"""The list that a recurrence appends its states to, made an array where it is read by its rows.

``outs[-1]``, ``len(outs)``, ``for h in outs`` and a second ``torch.stack(outs, dim=1)`` read rows
of one array; ``outs = torch.stack(outs, dim=1)`` behind the loop makes it, and all of them read
that. Nothing changes the rows: nothing behind the loop changes anything in place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.lift.call_effects import Does, does
from auditor.plain.text import Body, Written
from auditor.syntax import constant, is_name, path_of
from auditor.tree import descendants, everything_in
from auditor.verdict import Edit

_WALKS = ("zip", "enumerate")
_APART = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True)
class _Use:
    """A read of the list: ``node`` is what is replaced, by ``kind``; the ``dim`` of a stack, the
    ``place`` of a row and what makes that an array of its ``own``."""

    node: ast.AST
    kind: str
    dim: int = 0
    place: str = ""
    own: str = ""


def gathers(loop: ast.AST) -> bool:
    """Whether a loop appends a value that it carries on to a list."""
    return isinstance(loop, (ast.For, ast.While)) and any(_appended(loop))


def gathered(written: Written) -> Iterator[list[Edit]]:
    """One list after the other."""
    library = next((n for n, path in written.module.names.items() if path == "torch"), None)
    if library is None:
        return
    for block, place in written.own():
        loop = block[place]
        if not isinstance(loop, (ast.For, ast.While)) or loop.orelse:
            continue
        for word, state in _appended(loop):
            uses = _uses(written, block, place, word)
            if uses is None or not _holds_tensors(written, block[:place], state, uses):
                continue
            if _stacked_once(uses) or _changes(written, loop):
                continue
            kinds = {use.kind for use in uses}
            dims = {use.dim for use in uses if use.kind == "stack"}
            if len(dims) > 1 or {"stack", "rows"} <= kinds:
                continue
            dim = dims.pop() if dims else 0
            along = f", dim={dim}" if dim else ""
            line = f"{word} = {library}.stack({word}{along})"
            yield [
                written.behind(loop, line),
                *(written.swapped(use.node, _said(use, word, dim)) for use in uses),
            ]


def _appended(loop: ast.For | ast.While) -> Iterator[tuple[str, str]]:
    """The lists that a step appends a carried value to, and that."""
    carried = {
        target.id
        for statement in loop.body if isinstance(statement, ast.Assign)
        for target in statement.targets if isinstance(target, ast.Name)
        and any(is_name(node, target.id) for node in everything_in(statement.value))
    }  # fmt: skip
    for statement in loop.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr == "append" and isinstance(call.func.value, ast.Name):
            for arg in call.args:
                if isinstance(arg, ast.Name) and arg.id in carried:
                    yield call.func.value.id, arg.id


def _holds_tensors(written: Written, before: Body, state: str, uses: list[_Use]) -> bool:
    """Whether what is appended is a tensor: it is stacked, or starts as what torch makes."""
    if any(use.kind == "stack" for use in uses):
        return True
    for statement in reversed(before):
        if isinstance(statement, ast.Assign) and any(is_name(t, state) for t in statement.targets):
            made = statement.value
            path = path_of(written.module, made.func) if isinstance(made, ast.Call) else None
            own = isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute)
            return (path or "").startswith("torch.") or (
                own and made.func.attr.startswith("new_")  # type: ignore[attr-defined]
            )
    return False


def _uses(written: Written, block: Body, place: int, word: str) -> list[_Use] | None:
    """How a list is read that is empty at first, appended to once, and read behind the loop alone;
    None where that is otherwise, or where it has to be a list."""
    if word in written.arguments:
        return None
    found: list[_Use] = []
    begun = appended = 0
    before, inside = block[:place], set(descendants(block[place]))
    behind = {node for statement in block[place + 1 :] for node in descendants(statement)}
    for node in written.names.get(word, []):
        parent = written.parents[node]
        if isinstance(node.ctx, ast.Store):
            if not isinstance(parent, ast.Assign) or parent.targets != [node]:
                return None
            empty = isinstance(parent.value, ast.List) and not parent.value.elts
            if not empty or parent not in before:
                return None
            begun += 1
        elif node in inside:
            appended += 1
        else:
            use = _use(written, node, parent) if node in behind else None
            if use is None or any(
                isinstance(above, _APART) for above in written.ancestors(node, written.node)
                if above is not written.node
            ):  # fmt: skip
                return None
            found.append(use)
    return found if begun == appended == 1 and found else None


def _use(written: Written, node: ast.Name, parent: ast.AST) -> _Use | None:
    if isinstance(parent, ast.Subscript) and parent.value is node:
        place = constant(parent.slice)
        whole = isinstance(place, int) and not isinstance(place, bool)
        if not whole or not isinstance(parent.ctx, ast.Load):
            return None
        own = "" if _only_computed_with(written, parent) else ".clone()"
        return _Use(parent, "row", place=str(place), own=own)
    if isinstance(parent, ast.comprehension) and parent.iter is node:
        around = written.parents[parent]
        if isinstance(around, ast.ListComp) and len(around.generators) == 1 and not parent.ifs:
            if ast.unparse(around.elt) == ast.unparse(parent.target):
                return _stacks(written, written.parents[around], around)
    if _walked(written, node):
        return _Use(node, "rows")
    if not isinstance(parent, ast.Call) or node not in parent.args:
        return None
    if is_name(parent.func, "len") and "len" not in written.stored:
        return _Use(parent, "count")
    if is_name(parent.func, "sum") and "sum" not in written.stored and len(parent.args) == 1:
        return _Use(node, "rows")
    return _stacks(written, parent, node)


def _walked(written: Written, node: ast.expr) -> bool:
    """Whether a list is walked, alone or beside others, and what is walked only computed with: a
    row is no array of its own."""
    at = written.parents[node]
    while isinstance(at, ast.Call) and isinstance(at.func, ast.Name) and at.func.id in _WALKS:
        if at.keywords or at.func.id in written.stored:
            return False
        node, at = at, written.parents[at]
    if not isinstance(at, (ast.comprehension, ast.For)) or at.iter is not node:
        return False
    named = {n.id for n in everything_in(at.target) if isinstance(n, ast.Name)}
    around = at if isinstance(at, ast.For) else written.parents[at]
    loads = (
        n for n in everything_in(around)
        if isinstance(n, ast.Name) and n.id in named and isinstance(n.ctx, ast.Load)
    )  # fmt: skip
    return all(_only_computed_with(written, load) for load in loads) and (
        not isinstance(at, ast.For)
        or all(n.lineno <= (at.end_lineno or 0) for name in named for n in written.names[name])
    )


def _only_computed_with(written: Written, node: ast.AST) -> bool:
    """Whether an array goes into arithmetic or a function of the library that gives a new one."""
    parent = written.parents[node]
    if isinstance(parent, (ast.BinOp, ast.UnaryOp, ast.Compare)):
        return True
    if isinstance(parent, ast.Attribute):
        parent = written.parents[parent]
    elif isinstance(parent, ast.Call):
        path = path_of(written.module, parent.func) or ""
        if node not in parent.args or not path.startswith("torch."):
            return False
    return isinstance(parent, ast.Call) and does(written.module, parent) is Does.FRESH


def _stacks(written: Written, call: ast.AST, given: ast.expr) -> _Use | None:
    """The use of a list, or of a copy of it, that stacks it."""
    if not isinstance(call, ast.Call) or path_of(written.module, call.func) != "torch.stack":
        return None
    if not call.args or call.args[0] is not given or len(call.args) + len(call.keywords) > 2:
        return None
    told = [*call.args[1:], *(k.value for k in call.keywords if k.arg in ("dim", "axis"))]
    dim = constant(told[0]) if told else 0
    plain = isinstance(dim, int) and not isinstance(dim, bool) and dim >= 0
    return _Use(call, "stack", int(dim)) if plain and isinstance(dim, int) else None


def _stacked_once(uses: list[_Use]) -> bool:
    """Whether the list is only stacked, which is read as it stands."""
    alone = len(uses) == 1 and uses[0].kind == "stack"
    call = uses[0].node
    return alone and isinstance(call, ast.Call) and isinstance(call.args[0], ast.Name)


def _changes(written: Written, loop: ast.For | ast.While) -> bool:
    """Whether anything behind the loop may change an array in place, or keep one for others to."""
    for node in written.nodes:
        if getattr(node, "lineno", 0) <= (loop.end_lineno or 0):
            continue
        if isinstance(node, (ast.AugAssign, ast.Delete)):
            return True
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr.endswith("_") and not node.func.attr.startswith("_"):
                return True
    return False


def _said(use: _Use, word: str, dim: int) -> str:
    """A read of the list as one of the array."""
    if use.kind == "row":
        return f"{word}[{':, ' * dim}{use.place}]{use.own}"
    if use.kind == "count":
        return f"{word}.shape[{dim}]"
    if use.kind == "rows" and dim:
        return f"{word}.unbind({dim})"
    return word
