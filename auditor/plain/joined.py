"""Items with one axis more that are joined along it, said as a stack.

``rows.append(row.unsqueeze(0))`` and then ``torch.cat(rows, dim=0)`` is ``rows.append(row)`` and
``torch.stack(rows, dim=0)``; so is the join of a list that a comprehension makes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.plain.text import Written
from auditor.syntax import constant, path_of
from auditor.verdict import Edit

_JOINS = ("torch.cat", "torch.concat", "torch.concatenate", "numpy.concatenate")
JOINED = (
    r"\.append\([^\n]*(?:\.unsqueeze\(\d\)|\[None[^\]\n]*\])\)\s",
    r"cat(?:enate)?\(\[[^\n]*(?:\.unsqueeze\(\d\)|\[None[^\]\n]*\])\s+for ",
)
"""What such items are found by in a text."""


def joined(written: Written) -> Iterator[list[Edit]]:
    """One call that joins after the other."""
    for call in written.nodes:
        if not isinstance(call, ast.Call) or path_of(written.module, call.func) not in _JOINS:
            continue
        dim = _dim(call)
        items = None if dim is None else _items(written, call.args[0])
        if items is None or dim is None or not isinstance(call.func, ast.Attribute):
            continue
        inner = [_without_axis(written, item, dim) for item in items]
        if all(one is not None for one in inner):
            source = written.module.source
            library = source(call.func.value)
            yield [
                *(written.swapped(item, source(one)) for item, one in zip(items, inner, strict=True)
                  if one is not None),
                written.swapped(call.func, f"{library}.stack"),
            ]  # fmt: skip


def _dim(call: ast.Call) -> int | None:
    """The axis along which a list is joined, if it is counted from the front."""
    named = [word for word in call.keywords if word.arg in ("dim", "axis")]
    if len(call.keywords) != len(named) or len(call.args) + len(named) > 2 or not call.args:
        return None
    given = named[0].value if named else call.args[1] if len(call.args) == 2 else None
    found = constant(given) if given is not None else 0
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None


def _items(written: Written, listed: ast.expr) -> list[ast.expr] | None:
    """What is put into a list that nothing else is done with."""
    if isinstance(listed, ast.ListComp):
        return [listed.elt]
    if not isinstance(listed, ast.Name) or listed.id in written.arguments:
        return None
    found: list[ast.expr] = []
    for node in written.names[listed.id]:
        parent = written.parents[node]
        if isinstance(node.ctx, ast.Store):
            made = parent.value if isinstance(parent, (ast.Assign, ast.AnnAssign)) else None
            if not (isinstance(made, ast.List) and not made.elts):
                return None
        elif isinstance(parent, ast.Attribute) and parent.attr == "append":
            call = written.parents[parent]
            if not isinstance(call, ast.Call) or len(call.args) != 1:
                return None
            found.append(call.args[0])
        elif node is not listed:
            return None
    return found or None


def _without_axis(written: Written, item: ast.expr, dim: int) -> ast.expr | None:
    """What an item is made of by inserting an axis at ``dim``."""
    if isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute):
        if path_of(written.module, item.func) in ("torch.unsqueeze", "numpy.expand_dims"):
            at = item.args[1:] if len(item.args) == 2 else [word.value for word in item.keywords]
            return item.args[0] if [constant(one) for one in at] == [dim] else None
        at = [*item.args, *(word.value for word in item.keywords)]
        own = item.func.attr == "unsqueeze" and [constant(one) for one in at] == [dim]
        return item.func.value if own else None
    if not isinstance(item, ast.Subscript):
        return None
    places = item.slice.elts if isinstance(item.slice, ast.Tuple) else [item.slice]
    new = [
        (isinstance(one, ast.Constant) and one.value is None)
        or path_of(written.module, one) == "numpy.newaxis"
        for one in places
    ]
    whole = all(
        is_new or (isinstance(one, ast.Slice) and not (one.lower or one.upper or one.step))
        or (isinstance(one, ast.Constant) and one.value is Ellipsis and at > dim)
        for at, (one, is_new) in enumerate(zip(places, new, strict=True))
    )  # fmt: skip
    return item.value if whole and new.count(True) == 1 and new.index(True) == dim else None
