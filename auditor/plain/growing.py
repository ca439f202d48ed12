"""Arrays that every step makes one longer, and lists that are turned round, said with a list.

``out = torch.cat((out, h[None]))`` in a loop is ``outs.append(h[None])`` there and
``out = torch.cat((out, torch.cat(outs)))`` behind it, ``torch.cat((h[None], out))`` likewise with
``outs.insert(0, h[None])``; ``outs = outs[::-1]`` is ``outs.reverse()`` where no other name holds
the list.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from auditor.plain.text import Written, append, assign, name, prepend
from auditor.syntax import is_name, path_of
from auditor.tree import everything_in
from auditor.verdict import Edit

JOINS = ("torch.cat", "torch.concat", "torch.concatenate", "numpy.concatenate")


def growing(written: Written) -> Iterator[list[Edit]]:
    """One after the other, each array that a loop joins something to and each list turned round."""
    for block, place in written.own():
        statement = block[place]
        if isinstance(statement, (ast.For, ast.While)) and not statement.orelse:
            for at, inner in enumerate(statement.body):
                found = _join(written, statement, inner)
                if found is not None:
                    edit = _collected(written, statement, at, found[0], front=found[1] == 1)
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
            values = written.bound(node)
            if values is None or ast.unparse(values) not in ("[]", "list()"):
                return False
            made = True
        elif isinstance(parent, (ast.Assign, ast.Tuple, ast.List, ast.Dict, ast.Return)):
            return False  # it may be kept under another name
    return made


def _joined(statement: ast.stmt) -> tuple[ast.Call, int] | None:
    """The call that joins a name and something else to the name's new value, and the place of the
    name in it."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, call = statement.targets[0], statement.value
    if not isinstance(target, ast.Name) or not isinstance(call, ast.Call) or not call.args:
        return None
    parts = call.args[0]
    if not isinstance(parts, (ast.Tuple, ast.List)) or len(parts.elts) != 2:
        return None
    places = [place for place, part in enumerate(parts.elts) if is_name(part, target.id)]
    return (call, places[0]) if len(places) == 1 else None


def _join(
    written: Written, loop: ast.For | ast.While, statement: ast.stmt
) -> tuple[ast.Call, int] | None:
    """The call, where the loop has no other use for the array."""
    found = _joined(statement)
    if found is None or path_of(written.module, found[0].func) not in JOINS:
        return None
    assert isinstance(statement, ast.Assign)
    target = statement.targets[0]
    assert isinstance(target, ast.Name)
    uses = [n for n in everything_in(loop) if is_name(n, target.id)]
    leaves = any(isinstance(n, (ast.Break, ast.Return, ast.Continue)) for n in everything_in(loop))
    return found if len(uses) == 2 and not leaves else None


def _collected(
    written: Written, loop: ast.For | ast.While, at: int, call: ast.Call, front: bool
) -> Edit | None:
    statement, parts = loop.body[at], call.args[0]
    assert isinstance(statement, ast.Assign)
    assert isinstance(statement.targets[0], ast.Name)
    assert isinstance(parts, (ast.Tuple, ast.List))
    held = statement.targets[0].id
    taken: set[str] = set()
    items = written.fresh(f"{held}_parts", taken)
    made = deepcopy(loop)
    item = deepcopy(parts.elts[0 if front else 1])
    made.body[at] = prepend(items, item) if front else append(items, item)
    inner, outer = deepcopy(call), deepcopy(call)
    inner.args[0] = name(items)
    outer.args[0] = ast.Tuple([inner, name(held)] if front else [name(held), inner], ast.Load())
    return written.replaced(
        [loop], [assign(items, ast.List([], ast.Load())), made, assign(held, outer)]
    )
