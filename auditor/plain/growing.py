"""Arrays that every step makes one longer, and lists that are turned round, said with a list.

``out = torch.cat((out, h[None]))`` in a loop is ``outs.append(h[None])`` there and
``out = torch.cat((out, torch.cat(outs)))`` behind it; ``outs = outs[::-1]`` is ``outs.reverse()``
where no other name holds the list.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from auditor.plain.text import Written, append, assign, name
from auditor.syntax import path_of
from auditor.tree import everything_in
from auditor.verdict import Edit

_JOINS = ("torch.cat", "torch.concat", "torch.concatenate")


def growing(written: Written) -> Iterator[list[Edit]]:
    """One after the other, each array that a loop joins something to and each list turned round."""
    for block, place in written.own():
        statement = block[place]
        if isinstance(statement, (ast.For, ast.While)) and not statement.orelse:
            for at, inner in enumerate(statement.body):
                call = _join(written, statement, inner)
                if call is not None:
                    edit = _collected(written, statement, at, call)
                    if edit is not None:
                        yield [edit]
        elif turns(statement) and _is_list(written, statement):
            assert isinstance(statement, ast.Assign)
            target = statement.targets[0]
            assert isinstance(target, ast.Name)
            reverse = ast.Expr(ast.Call(ast.Attribute(name(target.id), "reverse"), [], []))
            edit = written.replaced([statement], [reverse])
            if edit is not None:
                yield [edit]


def grows(statement: ast.stmt) -> bool:
    """``out = torch.cat((out, ...))``."""
    return _joined(statement) is not None


def turns(statement: ast.stmt) -> bool:
    """``outs = outs[::-1]``, ``outs = list(reversed(outs))``."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    if not isinstance(target, ast.Name):
        return False
    turned = statement.value
    named = turned.value if isinstance(turned, ast.Subscript) else getattr(turned, "func", None)
    if not isinstance(named, ast.Name):
        return False
    text = ast.unparse(turned)
    return text in (f"{target.id}[::-1]", f"list(reversed({target.id}))")


def _is_list(written: Written, statement: ast.stmt) -> bool:
    """Whether what is turned is a list of the function that has no other name."""
    assert isinstance(statement, ast.Assign)
    held = ast.unparse(statement.targets[0])
    made = False
    for node in written.nodes:
        if not isinstance(node, ast.Name) or node.id != held:
            continue
        parent = written.parents[node]
        if isinstance(node.ctx, ast.Store):
            if parent is statement:
                continue
            values = _bound(written, parent, node)
            if values is None or ast.unparse(values) not in ("[]", "list()"):
                return False
            made = True
        elif isinstance(parent, (ast.Assign, ast.Tuple, ast.List, ast.Dict, ast.Return)):
            return False  # it may be kept under another name
    return made


def _bound(written: Written, parent: ast.AST, node: ast.Name) -> ast.expr | None:
    """What an assignment gives a name, alone or as one of several."""
    if isinstance(parent, ast.AnnAssign):
        return parent.value
    if isinstance(parent, ast.Tuple):
        around = written.parents[parent]
        if isinstance(around, ast.Assign) and isinstance(around.value, ast.Tuple):
            if len(around.targets) == 1 and len(around.value.elts) == len(parent.elts):
                return around.value.elts[parent.elts.index(node)]
        return None
    if isinstance(parent, ast.Assign) and parent.targets == [node]:
        return parent.value
    return None


def _joined(statement: ast.stmt) -> ast.Call | None:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, call = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or not isinstance(call, ast.Call) or not call.args:
        return None
    parts = call.args[0]
    if not isinstance(parts, (ast.Tuple, ast.List)) or len(parts.elts) != 2:
        return None
    first = parts.elts[0]
    return call if isinstance(first, ast.Name) and first.id == target.id else None


def _join(written: Written, loop: ast.For | ast.While, statement: ast.stmt) -> ast.Call | None:
    """The call, where the loop has no other use for the array."""
    call = _joined(statement)
    if call is None or path_of(written.module, call.func) not in _JOINS:
        return None
    assert isinstance(statement, ast.Assign)
    target = statement.targets[0]
    assert isinstance(target, ast.Name)
    uses = [n for n in everything_in(loop) if isinstance(n, ast.Name) and n.id == target.id]
    leaves = any(isinstance(n, (ast.Break, ast.Return, ast.Continue)) for n in everything_in(loop))
    return call if len(uses) == 2 and not leaves else None


def _collected(written: Written, loop: ast.For | ast.While, at: int, call: ast.Call) -> Edit | None:
    statement, parts = loop.body[at], call.args[0]
    assert isinstance(statement, ast.Assign)
    assert isinstance(statement.targets[0], ast.Name)
    assert isinstance(parts, (ast.Tuple, ast.List))
    held = statement.targets[0].id
    taken: set[str] = set()
    items = written.fresh(f"{held}_parts", taken)
    made = deepcopy(loop)
    made.body[at] = append(items, deepcopy(parts.elts[1]))
    inner, outer = deepcopy(call), deepcopy(call)
    inner.args[0] = name(items)
    outer.args[0] = ast.Tuple([name(held), inner], ast.Load())
    return written.replaced(
        [loop], [assign(items, ast.List([], ast.Load())), made, assign(held, outer)]
    )
