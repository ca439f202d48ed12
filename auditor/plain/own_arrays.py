"""Changes in place of an array that nothing else holds yet, said with a new array.

``p = np.exp(s)`` and then ``p /= p.sum(axis=1, keepdims=True)`` is ``p = p / p.sum(...)``: what is
computed of the array alone has its type, so that the new one is what the old one becomes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from auditor.lift.bound import stored_in
from auditor.lift.in_place import over_itself
from auditor.plain.text import Body, Written, assign, loads_in, name
from auditor.syntax import constant, path_of
from auditor.tree import everything_in
from auditor.verdict import Edit

_OPERATORS: dict[str, ast.operator] = {
    "add_": ast.Add(), "sub_": ast.Sub(), "mul_": ast.Mult(), "div_": ast.Div(),
}  # fmt: skip
_POINTWISE = ("exp_", "log_", "sqrt_", "neg_", "reciprocal_")
_NEW = frozenset(
    "exp log sqrt sub add mul div neg exp2 expm1 log1p matmul bmm mm einsum softmax clone copy"
    " masked_fill where tanh sigmoid baddbmm power square divide multiply mean sum var rsqrt"
    "".split()
)
"""Functions and methods whose result shares no memory with what they are given."""
_GIVEN = {"where": 3, "matmul": 2, "power": 2, "divide": 2, "multiply": 2, "einsum": 9}


def own_arrays(written: Written) -> Iterator[list[Edit]]:
    """All changes in place of arrays that have one name only or none."""
    edits: list[Edit] = []
    for block, place in written.own():
        statement = block[place]
        target = _changed(written, block, place)
        if target is not None:
            said = _said(statement)
            assert said is not None
            new: ast.stmt = assign(target, deepcopy(said[1]))
            if isinstance(statement, ast.Return):
                new = ast.Return(deepcopy(said[1]))
            edit = written.replaced([statement], [new])
            edits += [edit] if edit is not None else []
    whole = [edit.span for edit in edits]
    for node in written.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if _changes_alone(node):
                plain = ast.Attribute(node.func.value, node.func.attr[:-1], ast.Load())
                edit = written.swapped(node.func, ast.unparse(plain))
                inside = any(s.line <= edit.span.line < s.end_line for s in whole)
                if _new(written, node.func.value) and not inside:
                    edits.append(edit)
    if edits:
        yield edits


def _changed(written: Written, block: Body, place: int) -> str | None:
    """The name whose array a statement changes, where nothing else holds that."""
    made = _said(block[place])
    if made is None or not _of_itself(written, block[:place], made[1], made[0]):
        return None
    return made[0] if _alone(written, block, place, made[0]) else None


def _said(statement: ast.stmt) -> tuple[str, ast.expr] | None:
    """``p /= e``, ``p.div_(e)``, ``return p.div_(e)`` and ``np.divide(p, e, out=p)`` as a name and
    its new value."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        held = name(statement.target.id)
        known = isinstance(statement.op, tuple(type(op) for op in _OPERATORS.values()))
        if known and any(
            isinstance(n, (ast.Call, ast.Name)) for n in everything_in(statement.value)
        ):
            return held.id, ast.BinOp(held, statement.op, statement.value)
    if isinstance(statement, (ast.Expr, ast.Return)) and isinstance(statement.value, ast.Call):
        call = statement.value
        over = over_itself(call)
        if over is not None:
            return over[0].id, over[1]
        if not (isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)):
            return None
        held, way = name(call.func.value.id), call.func.attr
        if call.keywords:
            return None
        if way in _OPERATORS and len(call.args) == 1:
            return held.id, ast.BinOp(held, _OPERATORS[way], call.args[0])
        if way in _POINTWISE and not call.args:
            return held.id, ast.Call(ast.Attribute(held, way[:-1], ast.Load()), [], [])
    return None


def _changes_alone(call: ast.Call) -> bool:
    """``.exp_()`` and ``.add_(1e-6)``: a change in place by nothing or by a number."""
    assert isinstance(call.func, ast.Attribute)
    if call.keywords:
        return False
    if call.func.attr in _OPERATORS:
        return len(call.args) == 1 and isinstance(constant(call.args[0]), (int, float))
    return call.func.attr in _POINTWISE and not call.args


def _of_itself(written: Written, before: Body, value: ast.expr, target: str) -> bool:
    """Whether a value is computed of the array and numbers alone, which keeps its type; by names
    that were bound to what is, once and above."""
    read = loads_in(value) - (set(written.module.names) - written.stored) - {target}
    for word in read:
        stores = [use for use in written.names.get(word, ()) if isinstance(use.ctx, ast.Store)]
        made = written.parents[stores[0]] if len(stores) == 1 else None
        if word in written.arguments or not isinstance(made, ast.Assign) or made not in before:
            return False
        if made.targets != stores or not _of_itself(written, before, made.value, target):
            return False
        if target not in loads_in(made.value):
            return False
    return bool(read) or target in loads_in(value)


def _alone(written: Written, block: Body, place: int, target: str) -> bool:
    """Whether the name was given a new array above, in the same block, and what reads it since
    only computes."""
    for at in reversed(range(place)):
        earlier = block[at]
        if target in stored_in(earlier):
            if isinstance(earlier, ast.Assign) and len(earlier.targets) == 1:
                return isinstance(earlier.targets[0], ast.Name) and _new(written, earlier.value)
            return _changed(written, block, at) == target
        if target in loads_in(earlier) and not _only_computes(written, earlier):
            return _changed(written, block, at) == target
    return False


def _only_computes(written: Written, statement: ast.stmt) -> bool:
    """Whether a statement gives a name a new array and nothing of what it reads to anything."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return False
    calls = (node for node in everything_in(statement.value) if isinstance(node, ast.Call))
    return _new(written, statement.value) and all(_new(written, call) for call in calls)


def _new(written: Written, value: ast.expr) -> bool:
    """Whether an expression gives an array that nothing else holds."""
    if isinstance(value, ast.BinOp):
        return True
    if not isinstance(value, ast.Call):
        return False
    if isinstance(value.func, ast.Attribute) and value.func.attr in _POINTWISE:
        return _new(written, value.func.value)
    path = path_of(written.module, value.func)
    called = path.rpartition(".")[2] if path else getattr(value.func, "attr", "")
    library = path is None or path.startswith(("torch.", "numpy."))
    # A further argument of a function of NumPy is the array that it writes to.
    written_to = any(k.arg == "out" for k in value.keywords) or (
        path is not None and path.startswith("numpy.") and len(value.args) > _GIVEN.get(called, 1)
    )
    return library and called in _NEW and not written_to
