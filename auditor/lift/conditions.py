"""Truth: comparisons, what depends on a condition, and what an assertion says of shapes."""

from __future__ import annotations

import ast
from collections.abc import Sequence as Seq
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.lift.arithmetic import is_list
from auditor.lift.arrays import Unsupported
from auditor.lift.dtypes import result_dtype
from auditor.lift.first_axes import broadcast_away
from auditor.lift.objects import (
    Cell,
    Collected,
    Growing,
    Instance,
    Literal,
    Obj,
    Sequence,
    Shape,
    Told,
    Written,
)
from auditor.lift.passing import at_times
from auditor.notation import ONE, ZERO, Apply, Const, Index, Read, Symbol, Term, Value, walk
from auditor.syntax import is_name

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter

_COMPARE = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip


def negate(lifter: Lifter, value: Value) -> Value:
    if isinstance(value.body, Const):
        return lifter.ops.number(not value.body.value)
    return lifter.ops.pointwise("not", value, dtype="bool")


def asked(lifter: Lifter, node: ast.expr, env: Env) -> Value:
    """The truth of a condition."""
    asks(lifter, node)
    return truth(lifter, lifter.eval(node, env))


def asks(lifter: Lifter, node: ast.expr) -> None:
    """Note that no more than the truth of an expression is needed, nor of the parts it connects."""
    parts = [node]
    while parts:
        part = parts.pop()
        if isinstance(part, ast.BoolOp):
            lifter.asked.add(part)
            parts += part.values
        elif isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
            parts.append(part.operand)


def boolop(lifter: Lifter, node: ast.BoolOp, env: Env) -> Obj:
    """A connective of truths; where the value is used, it is that of one of the parts."""
    first, *others = node.values
    parts = [lifter.eval(first, env), *(at_times(lifter, part, env) for part in others)]
    lifter.here(node)
    if node in lifter.asked or all(isinstance(p, Value) and p.dtype == "bool" for p in parts):
        return _connected(lifter, node, [truth(lifter, part) for part in parts])
    result = parts[0]
    for part in parts[1:]:
        test = truth(lifter, result)
        stops = isinstance(node.op, ast.Or)
        if isinstance(test.body, Const):
            result = result if bool(test.body.value) == stops else part
        elif stops:
            result = choose(lifter, test, result, part)
        else:
            result = choose(lifter, test, part, result)
    return result


def _connected(lifter: Lifter, node: ast.BoolOp, parts: list[Value]) -> Value:
    op = "and" if isinstance(node.op, ast.And) else "or"
    result = parts[0]
    for part in parts[1:]:
        for first, second in ((result, part), (part, result)):
            if isinstance(first.body, Const):
                absorbing = bool(first.body.value) == (op == "or")
                result = first if absorbing else second
                break
        else:
            result = lifter.ops.pointwise(op, result, part, dtype="bool")
    return result


def truth(lifter: Lifter, obj: Obj) -> Value:
    """The truth value of an object, as a scalar."""
    if isinstance(obj, Told):
        leaf = Value(obj.value, (), None, "bool", "free", "python")
        return lifter.leaves.setdefault(obj.value, leaf)
    if isinstance(obj, Literal):
        return lifter.ops.number(bool(obj.value))
    if isinstance(obj, Sequence):
        return lifter.ops.number(bool(obj.items))
    value = lifter.as_value(obj)
    if lifter.ops.group_of(value) is not None:
        # Python asks only arrays of one element, so that "any" of them is that one. What the
        # truth depends on stays visible.
        return lifter.origins.truth(lifter, value)
    read = value.body
    if lifter.active and isinstance(read, Read) and read.value.axes and value.dtype != "bool":
        return lifter.ops.pointwise("ne", value, lifter.ops.number(0), dtype="bool")
    return value


def compare(lifter: Lifter, node: ast.Compare, env: Env) -> Obj:
    left = lifter.eval(node.left, env)
    result: Value | None = None
    for op, right_node in zip(node.ops, node.comparators, strict=True):
        sure = result is None
        right = lifter.eval(right_node, env) if sure else at_times(lifter, right_node, env)
        lifter.here(node)
        part = _compare_pair(lifter, op, left, right, node)
        if part.body is None and lifter.active:
            # One of several comparisons in a chain: what it depends on stays visible.
            lifter.origins.made(lifter, node, part, env)
        result = part if result is None else lifter.ops.pointwise("and", result, part)
        left = right
    assert result is not None
    return result


def _compare_pair(lifter: Lifter, op: ast.cmpop, left: Obj, right: Obj, node: ast.expr) -> Value:
    if isinstance(op, (ast.Is, ast.IsNot)):
        return _identity(lifter, isinstance(op, ast.Is), left, right, node)
    if isinstance(op, (ast.In, ast.NotIn)) or type(op) not in _COMPARE:
        return _condition(lifter, node)
    if isinstance(left, Literal) and isinstance(right, Literal):
        told = isinstance(left, Told) or isinstance(right, Told)
        if told and not (left.value == right.value and left.value.startswith("dtype:")):
            return _condition(lifter, node)
        return lifter.ops.number((left.value == right.value) == isinstance(op, ast.Eq))
    if isinstance(left, Literal) or isinstance(right, Literal):
        return _condition(lifter, node)
    a, b = lifter.as_value(left), lifter.as_value(right)
    if is_list(lifter, a) and is_list(lifter, b):
        return _condition(lifter, node)  # which of them comes first, or whether all are equal
    if isinstance(a.body, Const) and isinstance(b.body, Const):
        x, y = a.body.value, b.body.value
        table = {ast.Eq: x == y, ast.NotEq: x != y}
        if type(op) in table:
            return lifter.ops.number(table[type(op)])
        if isinstance(x, (int, float)) and isinstance(y, (int, float)):
            order = {ast.Lt: x < y, ast.LtE: x <= y, ast.Gt: x > y, ast.GtE: x >= y}
            return lifter.ops.number(order[type(op)])
    return lifter.ops.pointwise(_COMPARE[type(op)], a, b)


def learn_from_assert(lifter: Lifter, test: ast.expr) -> None:
    """Equal shapes and extents that an assertion states: certain from there on, on every path."""
    if lifter.branches or lifter.returns or lifter.active:
        return
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for part in test.values:
            learn_from_assert(lifter, part)
    if not isinstance(test, ast.Compare):
        return
    sides = [test.left, *test.comparators]
    for op, a, b in zip(test.ops, sides, sides[1:], strict=False):
        if isinstance(op, ast.Eq):
            _learn_sides(lifter, a, b)


def learn_from_raise(lifter: Lifter, test: ast.expr) -> None:
    """The same of what raises where it is not so."""
    if lifter.branches or lifter.returns or lifter.active:
        return
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        for part in test.values:
            learn_from_raise(lifter, part)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.NotEq):
        _learn_sides(lifter, test.left, test.comparators[0])


def _learn_sides(lifter: Lifter, one: ast.expr, other: ast.expr) -> None:
    left, right = lifter.values.get(one), lifter.values.get(other)
    _learn_rank(lifter, one, right)
    _learn_rank(lifter, other, left)
    _learn_shape(lifter, left, other)
    _learn_shape(lifter, right, one)
    if left is not None and right is not None:
        _learn_equal(lifter, left, right)


def _learn_rank(lifter: Lifter, node: ast.expr, count: Obj | None) -> None:
    """How many axes an array has of which an assertion says so: ``x.ndim == 1``, ``x.dim() == 1``,
    ``len(x.shape) == 1``."""
    value: Obj | None = None
    if isinstance(node, ast.Attribute) and node.attr == "ndim":
        value = lifter.values.get(node.value)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in ("dim", "ndimension") and not node.args:
            value = lifter.values.get(node.func.value)
    elif isinstance(node, ast.Call) and is_name(node.func, "len") and len(node.args) == 1:
        shape = lifter.values.get(node.args[0])
        if isinstance(shape, Shape) and shape.start is None and shape.stop is None:
            value = shape.value
    if lifter.branches or lifter.returns or lifter.depth:
        return  # on another path it may have others
    number = count.body.value if isinstance(count, Value) and isinstance(count.body, Const) else -1
    if isinstance(value, Value) and value.kind == "input" and value.axes:
        if isinstance(number, int) and not isinstance(number, bool) and number >= 0:
            with suppress(Unsupported):
                lifter.ops.need_rank(value, number)


def _learn_shape(lifter: Lifter, shape: Obj | None, stated: ast.expr) -> None:
    """The axes of an array whose whole shape an assertion writes out: ``x.shape == (n, 3)``."""
    if not isinstance(shape, Shape) or not isinstance(stated, ast.Tuple):
        return
    value, sizes = shape.value, [lifter.values.get(item) for item in stated.elts]
    if (shape.start, shape.stop) != (None, None) or value.kind != "input":
        return
    if lifter.branches or lifter.returns or lifter.depth:
        return  # on another path it may have others
    if any(isinstance(item, ast.Starred) for item in stated.elts):
        return
    with suppress(Unsupported):
        lifter.ops.need_rank(value, len(sizes))
        if len(value.axes) == len(sizes):
            for axis, size in zip(value.axes, sizes, strict=True):
                if isinstance(size, Value) and size.dtype == "int" and not size.axes:
                    lifter.facts.unify(axis.extent, lifter.ops.element(size, ()))


def _learn_equal(lifter: Lifter, left: Obj, right: Obj) -> None:
    if isinstance(left, Shape) and isinstance(right, Shape):
        if (left.start, left.stop) == (None, None) == (right.start, right.stop):
            for one, other in ((left.value, right.value), (right.value, left.value)):
                if lifter.ops.group_of(one) is not None and lifter.ops.group_of(other) is None:
                    with suppress(Unsupported):
                        lifter.ops.need_rank(one, len(other.axes))
        try:
            pairs = zip(lifter.extents_of(left), lifter.extents_of(right), strict=True)
            for a, b in pairs:
                lifter.facts.unify(a, b)
        except (Unsupported, ValueError):
            return
    elif isinstance(left, Value) and isinstance(right, Value):
        if left.dtype == right.dtype == "int" and not left.axes and not right.axes:
            lifter.facts.unify(lifter.ops.element(left, ()), lifter.ops.element(right, ()))


def _identity(lifter: Lifter, positive: bool, left: Obj, right: Obj, node: ast.expr) -> Value:
    none_right = isinstance(right, Literal) and right.value is None
    if not none_right:
        return _condition(lifter, node)
    if isinstance(left, Literal) and not isinstance(left, Told):
        return lifter.ops.number((left.value is None) == positive)
    if isinstance(left, Value) and left.kind in ("input", "attribute", "free"):
        key = f"{left.uid} is None"
        leaf = lifter.leaves.setdefault(
            key, Value(f"{left.name} is None", (), None, "bool", "free", "python")
        )
        return leaf if positive else negate(lifter, leaf)
    for loop in lifter.active:
        if isinstance(left, Value) and left.kind == "state" and left.name in loop.nothing:
            if left is loop.states.get(left.name):
                first = lifter.ops.pointwise(
                    "eq", lifter.ops.scalar(loop.step), lifter.ops.number(0)
                )
                return first if positive else negate(lifter, first)
        for key, state in loop.states.items():
            if left is not state:
                continue
            start = loop.initial(loop.before, key)
            if start is not None and start.kind in ("input", "attribute", "free", "opaque"):
                # the first step is another one for who gives none
                loop.block(
                    f"asks whether `{key}` is None, which the caller decides for the first step",
                    loop.span,
                )
                return _condition(lifter, node)
            return lifter.ops.number(not positive)  # it starts as an array or a number
    derived = isinstance(left, Value) and left.kind == "derived"
    if derived or isinstance(left, (Sequence, Collected, Growing, Written, Instance)):
        return lifter.ops.number(not positive)
    return _condition(lifter, node)


def _condition(lifter: Lifter, node: ast.expr) -> Value:
    """A condition without notation: an unknown boolean of its own."""
    text = ast.unparse(node)
    return Value(text, (), None, "bool", "free", "python", lifter.module.span(node))


def ifexp(lifter: Lifter, node: ast.IfExp, env: Env) -> Obj:
    test = asked(lifter, node.test, env)
    if isinstance(test.body, Const):
        return lifter.eval(node.body if test.body.value else node.orelse, env)
    then, otherwise = (at_times(lifter, side, env) for side in (node.body, node.orelse))
    lifter.here(node)
    return choose(lifter, test, then, otherwise, (node,))


def choose(
    lifter: Lifter,
    test: Value,
    then: Obj,
    otherwise: Obj,
    bound: Seq[str | ast.expr] | None = None,
) -> Obj:
    """``then if test else otherwise``. ``bound`` is what has the choice then: a name, or the
    expression itself; nothing where it is written into an array; None where that is not known."""
    if then is otherwise:
        return then
    if isinstance(then, Sequence) and isinstance(otherwise, Sequence):
        if len(then.items) == len(otherwise.items):
            pairs = zip(then.items, otherwise.items, strict=True)
            return Sequence(tuple(choose(lifter, test, a, b) for a, b in pairs), then.kind)
    if isinstance(then, Literal) and isinstance(otherwise, Literal):
        if then.value == otherwise.value:
            return then
    if isinstance(then, Cell) and isinstance(otherwise, Cell):
        chosen = choose(lifter, test, then.value, otherwise.value)
        return replace(then, value=lifter.as_value(chosen))
    if isinstance(then, Growing) and isinstance(otherwise, Growing):
        return _choose_growing(lifter, test, then, otherwise)
    if isinstance(then, Value) and isinstance(otherwise, Value):
        then, otherwise = (
            _as_row(lifter, then, otherwise, bound),
            _as_row(lifter, otherwise, then, bound),
        )
        sizes = _of_two_sizes(lifter, test, then, otherwise)
        if not sizes:
            _same_shape(lifter, then, otherwise)
        test = lifter.origins.whole(test, then, otherwise)
        if sizes:
            return _of_either_size(lifter, test, then, otherwise)
        return lifter.ops.pointwise("where", test, then, otherwise)
    raise Unsupported("a choice between values of different kinds")


def _of_two_sizes(lifter: Lifter, test: Value, then: Value, otherwise: Value) -> bool:
    """Whether two arrays that a condition chooses from have sizes of their own."""
    if len(then.axes) != len(otherwise.axes):
        return False
    pairs = list(zip(then.axes, otherwise.axes, strict=True))
    if any((a.group or b.group) and a.extent is not b.extent for a, b in pairs):
        return False
    remade = _remade(test, then, otherwise)
    return any(_apart(lifter, one.extent, other.extent, remade) for one, other in pairs)


def _remade(test: Value, then: Value, otherwise: Value) -> bool:
    """Whether a branch makes another array of one name, as where it pads or cuts it; not where it
    fills in what was not given, which has the shape that it would have had."""
    parts = [test, *(node.value for node in walk(test.body or ONE) if isinstance(node, Read))]
    return then.name == otherwise.name and not any(p.name.endswith(" is None") for p in parts)


def _apart(lifter: Lifter, left: Term, right: Term, remade: bool) -> bool:
    """Whether two sizes are not to be taken for one: one is made of the other, or both are of
    what a branch has made another array."""
    left, right = lifter.facts.extent(left), lifter.facts.extent(right)
    return left is not right and (remade or left in walk(right) or right in walk(left))


def _of_either_size(lifter: Lifter, test: Value, then: Value, otherwise: Value) -> Value:
    """A choice between arrays of different lengths, whose own is known when it is made."""
    if test.axes:
        raise Unsupported("a choice between arrays of different shapes")
    said = f"{lifter.ops.located()} ({then.name}, {otherwise.name})"
    remade = _remade(test, then, otherwise)
    axes = tuple(
        Index(one.name, Symbol(f"{said}.shape[{place}]"))
        if _apart(lifter, one.extent, other.extent, remade)
        else lifter.ops.fresh((one,))[0]
        for place, (one, other) in enumerate(zip(then.axes, otherwise.axes, strict=True))
    )
    for one, other in zip(then.axes, otherwise.axes, strict=True):
        sizes = [lifter.facts.extent(one.extent), lifter.facts.extent(other.extent)]
        if ONE in sizes and sizes[0] is not sizes[1]:
            raise Unsupported("a choice between arrays of different shapes")
    parts = [lifter.ops.element(test, ()), lifter.ops.element(then, axes)]
    body = Apply("where", (*parts, lifter.ops.element(otherwise, axes)))
    return lifter.ops.make(axes, body, result_dtype("where", [then, otherwise]), then.library)


def _as_row(lifter: Lifter, value: Value, other: Value, bound: Seq[str | ast.expr] | None) -> Value:
    """``value`` without its first axes of extent 1, where it stands for an array that has fewer, or
    of unknown rank: what they have in common are the last axes. Raises ``Unsupported`` where
    someone in a loop may tell the difference."""
    open_ = len(other.axes) == 1 and bool(other.axes[0].group)
    more = len(value.axes) - len(other.axes)
    if lifter.ops.group_of(value) is not None or not value.axes or not other.axes:
        return value
    if not open_ and (more <= 0 or lifter.ops.group_of(other) is not None or not lifter.active):
        return value
    first = value.axes[:1] if open_ else value.axes[:more]
    if any(lifter.facts.extent(axis.extent) is not ONE for axis in first):
        return value
    if lifter.active:
        loop = lifter.active[-1].node
        if lifter.inlined or bound is None or not broadcast_away(lifter.root, loop, bound):
            raise Unsupported("a choice between arrays of different ranks")
    if open_:
        lifter.facts.assume(
            f"choice of {value.name}",
            f"`{value.name}` has the shape of `{other.name}`, but for first axes of extent 1",
            "choice",
        )
        axes = lifter.ops.fresh(other.axes)
        return replace(value, axes=axes, body=Read(value, axes, aligned=True), kind="derived")
    axes = lifter.ops.fresh(value.axes[more:])
    body = lifter.ops.element(value, (*[ZERO] * more, *axes))
    return replace(value, axes=axes, body=body, kind="derived")


def _same_shape(lifter: Lifter, then: Value, otherwise: Value) -> None:
    """A choice does not broadcast: whichever is taken keeps its shape."""
    if bool(then.axes) != bool(otherwise.axes):
        shaped = then if then.axes else otherwise
        called = lifter.ops.called(shaped)
        said = f"the number beside {called} in a choice stands for an array of that shape"
        lifter.facts.assume(f"choice of {shaped.name}", said, "choice")
        return
    owners = {axis.extent for axis in (*then.axes, *otherwise.axes) if axis.group}
    if owners:
        if [a.extent for a in then.axes] != [a.extent for a in otherwise.axes]:
            _assume_alike(lifter, then, otherwise)
        return
    if len(then.axes) != len(otherwise.axes):
        raise Unsupported("a choice between arrays of different ranks")
    for mine, theirs in zip(then.axes, otherwise.axes, strict=True):
        left, right = lifter.facts.extent(mine.extent), lifter.facts.extent(theirs.extent)
        if left is not right and ONE in (left, right):
            raise Unsupported("a choice between arrays of different shapes")
        if left is not right:
            _assume_alike(lifter, then, otherwise)


def _assume_alike(lifter: Lifter, then: Value, otherwise: Value) -> None:
    names = [lifter.ops.called(value) for value in (then, otherwise)]
    both = f"{names[0]} and {names[1]}"
    typed = then.dtype is not None and then.dtype == otherwise.dtype
    alike = "have one shape" if typed else "have one shape and are of one type"
    said = f"{both} {alike}, as one stands for the other"
    if names[0] == names[1]:
        said = f"{names[0]} has one shape in both branches"
    lifter.facts.assume(f"choice of {then.name} and {otherwise.name}", said, "choice")


def _choose_growing(lifter: Lifter, test: Value, then: Growing, otherwise: Growing) -> Obj:
    """A list filled on both branches of a condition."""
    if len(then.back) != len(otherwise.back) or len(then.front) != len(otherwise.front):
        raise Unsupported("a list that grows under a condition")

    def merged(a: tuple[Value, ...], b: tuple[Value, ...]) -> tuple[Value, ...]:
        pairs = zip(a, b, strict=True)
        return tuple(lifter.as_value(choose(lifter, test, x, y)) for x, y in pairs)

    back = merged(then.back, otherwise.back)
    front = merged(then.front, otherwise.front)
    return replace(then, back=back, front=front)
