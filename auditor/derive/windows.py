"""The last few elements, however they are kept, as one assignment: ``a = (a + [x])[-3:]``."""

from __future__ import annotations

import ast
import copy
import itertools

from auditor.derive.begun import before
from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.tree import everything_in

_FIRST_OUT = ("{0}.pop(0)", "del {0}[0]", "{0} = {0}[1:]", "{0}.popleft()")


def sliced(place: Place) -> Place:
    """The place with lists that are appended to and cut in the next statement so, in a copy of the
    file; the same place where there are none."""
    if not isinstance(place.loop, ast.For) or not _cut(place, place.loop):
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, place.loop)
    if found is None or not isinstance(found.loop, ast.For):
        return place
    for name, body, at, most in reversed(_cut(found, found.loop)):
        append = body[at]
        item = append.value.args[0]  # type: ignore[attr-defined]
        text = f"{name} = ({name} + [{ast.unparse(item)}])[-{most}:]"
        made = ast.copy_location(ast.parse(text).body[0], append)
        body[at : at + 2] = [made]
    for node in everything_in(found.loop):
        node.__dict__.setdefault("lineno", found.loop.lineno)
    ast.fix_missing_locations(found.loop)
    return found


def _cut(place: Place, loop: ast.For) -> list[tuple[str, list[ast.stmt], int, int]]:
    """The lists that are kept short: their names, where they are appended to (in which block), how
    long they get."""
    begun = before(place, loop)
    found = []
    blocks = [block for node in everything_in(loop) if isinstance(node, (ast.For, ast.If))
              for block in (node.body, node.orelse)]  # fmt: skip
    places = [(b, at, *two) for b in blocks for at, two in enumerate(itertools.pairwise(b))]
    for block, at, one, other in places:
        call = one.value if isinstance(one, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        base = call.func.value
        if call.func.attr != "append" or not isinstance(base, ast.Name) or len(call.args) != 1:
            continue
        made = begun.get(base.id)
        empty = made is not None and ast.unparse(made) in ("[]", "list()")
        most = _most(other, base.id)
        if empty and most is not None:
            found.append((base.id, block, at, most))
    return found


def _most(statement: ast.stmt, name: str) -> int | None:
    """How long a list is after a statement that takes its first element where it is longer."""
    if not isinstance(statement, ast.If) or statement.orelse or len(statement.body) != 1:
        return None
    if ast.unparse(statement.body[0]) not in [text.format(name) for text in _FIRST_OUT]:
        return None
    test = statement.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    limit = test.comparators[0]
    if ast.unparse(test.left) != f"len({name})" or not isinstance(limit, ast.Constant):
        return None
    by = {ast.Gt: 0, ast.GtE: -1}.get(type(test.ops[0]))
    if by is None or type(limit.value) is not int:
        return None
    return limit.value + by if limit.value + by > 0 else None
