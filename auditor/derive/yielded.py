"""A generator that yields in a loop, as the function that lists what it yields."""

from __future__ import annotations

import ast
import copy

from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.tree import everything_in
from auditor.whole_file.own_calls import own_nodes


def listing(place: Place) -> Place:
    """The place with ``yield e`` as ``yields.append(e)``, in a copy of the file; the same place
    where the function yields elsewhere than in statements of the loop, or uses what is sent."""
    function, loop = place.function, place.loop
    if function is None or not isinstance(loop, ast.For) or loop not in function.body:
        return place
    inside = {node.value for node in everything_in(loop) if isinstance(node, ast.Expr)}
    own = [node for node in own_nodes(function) if isinstance(node, (ast.Yield, ast.YieldFrom))]
    plain = [node for node in own if isinstance(node, ast.Yield) and node in inside and node.value]
    after = function.body[function.body.index(loop) + 1 :]
    if not own or plain != own or after:
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, loop)
    if found is None or found.function is None:
        return place
    words = {n.id for n in everything_in(found.function) if isinstance(n, ast.Name)}
    held = next(word for word in ("yields", "yields_", "yields__") if word not in words)
    for node in everything_in(found.loop):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield):
            kept = node.value
            assert kept.value is not None
            append = ast.Attribute(ast.Name(held, ast.Load()), "append", ast.Load())
            node.value = ast.copy_location(ast.Call(append, [kept.value], []), kept)
    body = found.function.body
    begun = ast.Assign([ast.Name(held, ast.Store())], ast.List([], ast.Load()))
    result = ast.Return(ast.Name(held, ast.Load()))
    body.insert(body.index(found.loop), ast.copy_location(begun, found.loop))
    body.append(result)
    result.lineno = result.end_lineno = (found.loop.end_lineno or found.loop.lineno) + 1
    result.col_offset = result.end_col_offset = 0
    ast.fix_missing_locations(found.function)
    result.value.lineno = result.lineno  # type: ignore[union-attr]
    return found
