"""Expressions to notation: what each Python expression means, under the facts known so far."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from auditor.lift import binding, extents, ownership
from auditor.lift.arrays import Arrays, Unsupported
from auditor.lift.facts import Facts, TooLarge
from auditor.lift.module import ClassScope, Module, canonical
from auditor.lift.objects import (
    Cell,
    Collected,
    Function,
    Growing,
    Instance,
    Iteration,
    Literal,
    Method,
    Named,
    Obj,
    Record,
    Sequence,
    Shape,
    Slice,
    Unknown,
    Written,
)
from auditor.lift.opaque import Origins
from auditor.lift.ranks import placed
from auditor.notation import (
    ONE,
    Const,
    Index,
    Span,
    Term,
    Value,
    substitute,
)

if TYPE_CHECKING:
    from auditor.lift.loops import Loop
    from auditor.lift.reading import Mark

Env = dict[str, Obj]

# Expressions read for one function, over all its rounds.
_BUDGET = 60_000

_BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
_COMPARE = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip


@dataclass(frozen=True)
class Effect:
    """Something a region does besides computing values; ``kind`` is ``call``, ``io``, ``random``,
    ``mutation``, ``exit`` or ``exception``."""

    kind: str
    reason: str
    span: Span


@dataclass
class Lifter:
    """Lifts the body of one function. ``values`` maps expressions to what they evaluate to;
    ``scopes`` statements to the names bound before them."""

    module: Module
    facts: Facts
    klass: ClassScope | None = None
    attributes: dict[str, Obj] = field(default_factory=dict)
    values: dict[ast.expr, Obj] = field(default_factory=dict)
    scopes: dict[ast.stmt, Env] = field(default_factory=dict)
    effects: list[Effect] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    returns: list[tuple[ast.Return, Obj]] = field(default_factory=list)
    stored: set[Value] = field(default_factory=set)
    leaves: dict[str, Value] = field(default_factory=dict)
    active: list[Loop] = field(default_factory=list)
    depth: int = 0
    epoch: int = 0
    branches: int = 0
    moved: dict[Value, Value] = field(default_factory=dict)
    owned: set[Value] = field(default_factory=set)
    order: dict[ast.stmt, int] = field(default_factory=dict)
    marks: dict[int, Mark] = field(default_factory=dict)
    self_name: str | None = None
    setting: dict[str, Obj] | None = None
    origins: Origins = field(default_factory=Origins)
    library: str | None = None

    def __post_init__(self) -> None:
        self.ops = Arrays(self.facts)
        self.library = self.module.library

    def parameter(self, name: str) -> Value:
        """A parameter as an array of what is known of its shape."""
        leaf = self.facts.keep(name, self.ops.leaf(name, name, "input"))
        self.leaves[name] = leaf
        return leaf

    # -- entry points used by the tables

    def fail(self, node: ast.AST, reason: str) -> Unknown:
        return Unknown(reason, self.module.span(node))

    def effect(self, kind: str, reason: str, node: ast.AST) -> None:
        self.effects.append(Effect(kind, reason, self.module.span(node)))

    def truth_of(self, value: Value) -> bool:
        """Whether a value is anything but the constant False (or 0)."""
        return not (isinstance(value.body, Const) and not value.body.value)

    def effect_here(self, kind: str, reason: str) -> None:
        """An effect of the expression being read."""
        self.effects.append(Effect(kind, reason, self.ops.span or Span(1, 1, 1, 1)))

    def as_value(self, obj: Obj) -> Value:
        """An object as an array or scalar. Raises ``Unsupported``."""
        if isinstance(obj, Value):
            return obj
        if isinstance(obj, Unknown) and obj.owner:
            leaf = self._leaf(self.origins.spelling(self, obj), obj.owner, "opaque")
            self.origins.passed_on(obj, leaf)
            return leaf
        if isinstance(obj, Unknown):
            raise Unsupported(obj.reason)
        if isinstance(obj, Literal) and isinstance(obj.value, float):
            return self.ops.number(obj.value)
        raise Unsupported(f"a {type(obj).__name__.lower()} where an array is needed")

    def as_size(self, obj: Obj) -> Term:
        """An integer scalar as a term."""
        value = self.as_value(obj)
        self.ops.need_integer(value)
        return self.facts.extent(self.ops.element(value, ()))

    def as_dtype(self, obj: Obj) -> str | None:
        """A dtype by torch's name; ``like`` a value's own where the code says ``x.dtype``."""
        if isinstance(obj, Literal) and isinstance(obj.value, str):
            return obj.value.removeprefix("dtype:")
        if isinstance(obj, Named):
            name = obj.path.split(".")[-1]
            aliases = {"half": "float16", "double": "float64", "long": "int64", "int_": "int64",
                       "bool_": "bool", "short": "int16"}  # fmt: skip
            if obj.path == "float":
                return "float64" if self.module.library == "numpy" else "float32"
            if obj.path == "int":
                return "int64"
            if obj.path in ("torch.float", "torch.int"):
                return {"float": "float32", "int": "int32"}[name]
            return aliases.get(name, name)
        raise Unsupported("a dtype that the code does not state")

    def extents_of(self, shape: Shape) -> list[Term]:
        """The extents of a shape (or a slice of one) whose axes are known."""
        axes = shape.value.axes
        if self.ops.group_of(shape.value) is not None:
            if shape.start is not None and shape.start < 0 and shape.stop is None:
                self.ops.need_tail(shape.value, -shape.start)
            elif shape.start is None and shape.stop is not None and shape.stop >= 0:
                self.ops.need_lead(shape.value, shape.stop, by="dim")
            else:
                raise Unsupported("the shape of a value of unknown rank")
        return [self.facts.extent(axis.extent) for axis in axes[shape.start : shape.stop]]

    def _leaf(self, name: str, owner: str, kind: str, dtype: str | None = None) -> Value:
        key = f"{owner}@{self.epoch}" if kind == "attribute" else owner
        if key not in self.leaves:
            self.leaves[key] = self.facts.keep(key, self.ops.leaf(name, owner, kind, dtype))
        return self.leaves[key]

    # -- expressions

    def eval(self, node: ast.expr, env: Env) -> Obj:
        """What an expression evaluates to. Never raises ``Unsupported``: what has no meaning is
        ``Unknown``."""
        self.facts.spent += 1
        if self.facts.spent > _BUDGET:
            raise TooLarge("the function is too large")
        kind = type(node)
        if kind not in _HANDLERS:
            _HANDLERS[kind] = getattr(Lifter, f"_{kind.__name__.lower()}", None)
        handler = _HANDLERS[kind]
        if handler is None:
            reason = f"`{kind.__name__}` expressions have no notation"
            result: Obj = Unknown(reason, self.module.span(node))
        else:
            try:
                result = handler(self, node, env)
            except Unsupported as problem:
                span = self.module.span(node)
                owner = placed(span)
                result = Unknown(str(problem), span, owner)
        if self.active:
            self.origins.made(self, node, result, env)
        self.values[node] = result
        return result

    def here(self, node: ast.expr) -> None:
        self.ops.span = self.module.span(node)
        self.ops.place = None
        if self.facts.given_up and self.ops.located() in self.facts.given_up:
            raise Unsupported("its shape contradicts what is known")

    def value(self, node: ast.expr, env: Env) -> Value:
        """An expression that must be an array or scalar. Raises ``Unsupported``."""
        return self.as_value(self.eval(node, env))

    def _constant(self, node: ast.Constant, env: Env) -> Obj:
        value = node.value
        if isinstance(value, (int, float, complex)):
            return self.ops.number(value)
        return Literal(value)

    def _name(self, node: ast.Name, env: Env) -> Obj:
        if node.id in env:
            return env[node.id]
        return self._global(node.id)

    def _global(self, name: str) -> Obj:
        if name in self.module.names:
            return Named(self.module.names[name])
        if name in self.module.functions:
            return Function(self.module.functions[name], {})
        if name in self.module.classes:
            return Named(f"class {name}")
        if name in self.module.constants:
            constant = self.module.constants[name]
            known = self.eval(constant, {}) if isinstance(constant, ast.Constant) else None
            if isinstance(known, Value):
                leaf = Value(name, (), None, known.dtype, "free", "python")
                return self.leaves.setdefault(name, self.facts.keep(name, leaf))
        if name in _BUILTINS and name not in self.module.constants:
            return Named(name)
        return self._leaf(name, name, "free")

    def _attribute(self, node: ast.Attribute, env: Env) -> Obj:
        base = self.eval(node.value, env)
        self.here(node)
        return self.attribute(base, node.attr, node)

    def attribute(self, base: Obj, name: str, node: ast.expr) -> Obj:
        """``base.name``."""
        if isinstance(base, Named):
            if base.path == "self":
                return self._self_attribute(name)
            path = canonical(f"{base.path}.{name}")
            constant = _CONSTANTS.get(path)
            if constant is not None:
                return self.ops.number(constant)
            if path in ("numpy.newaxis",):
                return Literal(None)
            if path.startswith("self."):
                return self._leaf(path, path, "attribute")
            return Named(path)
        if isinstance(base, Cell) and name in _ABOUT:
            base = base.array
        if isinstance(base, Written) and name in _ABOUT:
            base = base.original
        if isinstance(base, Record) and name in base.fields:
            return base.fields[name]
        if isinstance(base, Instance) and base.path.endswith(".finfo"):
            return self._limit(base, name)
        if isinstance(base, Value):
            found = self._value_attribute(base, name)
            if found is not None:
                return found
        if isinstance(base, Unknown) and not base.owner:
            return base
        return Method(base, name)

    def _limit(self, finfo: Instance, name: str) -> Obj:
        """``torch.finfo(dtype).min`` and its relatives."""
        dtype = self.as_dtype(finfo.args[0]) if finfo.args else None
        if (dtype, name) in _LIMITS:
            return self.ops.number(_LIMITS[dtype, name])
        path = f"{finfo.path}.{name}"
        leaf = Value(path, (), None, "float", "free", "python")
        return self.leaves.setdefault(f"{path} of {dtype}", leaf)

    def _self_attribute(self, name: str) -> Obj:
        if self.setting is not None and name in self.setting:
            return self.setting[name]
        path = f"self.{name}"
        known = self.attributes.get(name)
        if isinstance(known, Value):
            if not known.axes and known.kind != "attribute":
                leaf = Value(path, (), None, known.dtype, "attribute", "python")
                key = f"{path}@{self.epoch}"
                return self.leaves.setdefault(key, self.facts.keep(key, leaf))
            if known.body is not None or known.kind == "attribute":
                return self.leaves.setdefault(f"{path}@{self.epoch}", replace(known, name=path))
        if isinstance(known, (Named, Sequence, Instance)):
            return known
        if name == "register_buffer" or (self.klass is not None and name in self.klass.methods):
            return Named(f"self.{name}")
        if name == "training":
            return self.leaves.setdefault(
                "self.training", Value("self.training", (), None, "bool", "attribute", "python")
            )
        return self._leaf(path, path, "attribute")

    def _value_attribute(self, value: Value, name: str) -> Obj | None:
        if name == "shape":
            return Shape(value)
        if name == "ndim":
            if self.ops.group_of(value) is None:
                return self.ops.number(len(value.axes))
            return None
        if name in ("data", "device", "requires_grad", "layout", "itemsize", "grad"):
            return Literal(f"{name} of {value.name}")
        if name in ("real", "imag") and value.axes:
            return self.ops.pointwise(name, value)
        if name == "dtype":
            return Literal(f"dtype:{value.dtype or 'like ' + str(value.uid)}")
        if name in ("real", "imag"):
            real = value.dtype is not None and not value.dtype.startswith("complex")
            return value if real and name == "real" else self.ops.pointwise(name, value)
        if name == "size" and value.library == "numpy":
            return self.ops.count(value, None)
        if name in ("T", "mT", "H", "mH"):
            if name in ("H", "mH") and (value.dtype or "complex").startswith("complex"):
                return None
            if name in ("T", "H"):
                if self.ops.group_of(value) is not None:
                    self.ops.need_rank(value, 2, f"`{value.name}` has 2 axes, as `.T` says")
                return self.ops.permute(value, list(reversed(range(len(value.axes)))))
            return self.ops.transpose(value, -1, -2)
        return None

    def _tuple(self, node: ast.Tuple, env: Env) -> Obj:
        return self._items(node.elts, env, "tuple")

    def _list(self, node: ast.List, env: Env) -> Obj:
        return self._items(node.elts, env, "list")

    def _items(self, nodes: list[ast.expr], env: Env, kind: str) -> Obj:
        items: list[Obj] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                inner = self.eval(node.value, env)
                if isinstance(inner, Sequence):
                    items.extend(inner.items)
                else:
                    items.append(inner)
            else:
                items.append(self.eval(node, env))
        for item in items:
            if isinstance(item, Value):
                self.stored.add(item)
        return Sequence(tuple(items), kind)

    def _starred(self, node: ast.Starred, env: Env) -> Obj:
        return self.eval(node.value, env)

    def _namedexpr(self, node: ast.NamedExpr, env: Env) -> Obj:
        result = self.eval(node.value, env)
        env[node.target.id] = result
        return result

    def _lambda(self, node: ast.Lambda, env: Env) -> Obj:
        return Function(node, env)

    def _joinedstr(self, node: ast.JoinedStr, env: Env) -> Obj:
        return Literal("")

    def _binop(self, node: ast.BinOp, env: Env) -> Obj:
        left, right = self.eval(node.left, env), self.eval(node.right, env)
        self.here(node)
        return self.binary(node.op, left, right)

    def binary(self, op: ast.operator, left: Obj, right: Obj) -> Obj:
        """A binary operator on objects."""
        if isinstance(left, Sequence) and isinstance(right, Sequence) and isinstance(op, ast.Add):
            return Sequence((*left.items, *right.items), left.kind)
        if isinstance(op, ast.Mult):
            for many, count in ((left, right), (right, left)):
                if isinstance(many, Sequence) and isinstance(count, Value):
                    return self._repeat(many, count)
        if isinstance(op, ast.MatMult):
            return self.ops.matmul(self.as_value(left), self.as_value(right))
        if not any(getattr(side, "library", None) in ("torch", "numpy") for side in (left, right)):
            if any(self._is_list(side) for side in (left, right)):
                raise Unsupported("operators join and repeat lists")
        name = _BINARY.get(type(op))
        if name is None:
            raise Unsupported(f"the operator `{type(op).__name__}` has no notation")
        if isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
            return self.ops.bitwise(name, self.as_value(left), self.as_value(right))
        return self.ops.pointwise(name, self.as_value(left), self.as_value(right))

    def _is_list(self, obj: Obj) -> bool:
        """Whether a value with axes is a list and no array."""
        if not isinstance(obj, Value) or not obj.axes:
            return False
        return obj.library == "python" or (obj.kind == "input" and obj.name in self.facts.listed)

    def _repeat(self, many: Sequence, count: Value) -> Obj:
        """``[0.0] * n``: a list of equal items."""
        if len(many.items) == 1 and isinstance(many.items[0], Value):
            item = many.items[0]
            size = self.as_size(count)
            number = extents.constant(size)
            if number is not None and 0 <= number <= 8:
                return Sequence(many.items * number, many.kind)
            if not item.axes:
                axis = Index("p", size)
                body = self.ops.element(item, ())
                return self.ops.make((axis,), body, item.dtype, "python")
        raise Unsupported("a repeated list")

    def _unaryop(self, node: ast.UnaryOp, env: Env) -> Obj:
        operand = self.eval(node.operand, env)
        self.here(node)
        value = self.as_value(operand)
        if isinstance(node.op, ast.USub):
            return self.ops.pointwise("neg", value)
        if isinstance(node.op, ast.Not):
            return self.negate(value)
        if isinstance(node.op, ast.Invert):
            return self.ops.bitwise("not", value)
        return value

    def negate(self, value: Value) -> Value:
        if isinstance(value.body, Const):
            return self.ops.number(not value.body.value)
        return self.ops.pointwise("not", value, dtype="bool")

    def _boolop(self, node: ast.BoolOp, env: Env) -> Obj:
        parts = [self.truth(self.eval(part, env)) for part in node.values]
        self.here(node)
        op = "and" if isinstance(node.op, ast.And) else "or"
        result = parts[0]
        for part in parts[1:]:
            for first, second in ((result, part), (part, result)):
                if isinstance(first.body, Const):
                    absorbing = bool(first.body.value) == (op == "or")
                    result = first if absorbing else second
                    break
            else:
                result = self.ops.pointwise(op, result, part, dtype="bool")
        return result

    def truth(self, obj: Obj) -> Value:
        """The truth value of an object, as a scalar."""
        if isinstance(obj, Literal):
            return self.ops.number(bool(obj.value))
        if isinstance(obj, Sequence):
            return self.ops.number(bool(obj.items))
        value = self.as_value(obj)
        if self.ops.group_of(value) is not None:
            # Python asks only arrays of one element, so that "any" of them is that one. What the
            # truth depends on stays visible.
            return self.origins.truth(self, value)
        return value

    def _compare(self, node: ast.Compare, env: Env) -> Obj:
        left = self.eval(node.left, env)
        result: Value | None = None
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.eval(right_node, env)
            self.here(node)
            part = self._compare_pair(op, left, right, node)
            result = part if result is None else self.ops.pointwise("and", result, part)
            left = right
        assert result is not None
        return result

    def _compare_pair(self, op: ast.cmpop, left: Obj, right: Obj, node: ast.expr) -> Value:
        if isinstance(op, (ast.Is, ast.IsNot)):
            return self._identity(isinstance(op, ast.Is), left, right, node)
        if isinstance(op, (ast.In, ast.NotIn)) or type(op) not in _COMPARE:
            return self._condition(node)
        if isinstance(left, Literal) and isinstance(right, Literal):
            return self.ops.number((left.value == right.value) == isinstance(op, ast.Eq))
        if isinstance(left, Literal) or isinstance(right, Literal):
            return self._condition(node)
        a, b = self.as_value(left), self.as_value(right)
        if isinstance(a.body, Const) and isinstance(b.body, Const):
            x, y = a.body.value, b.body.value
            table = {ast.Eq: x == y, ast.NotEq: x != y}
            if type(op) in table:
                return self.ops.number(table[type(op)])
            if isinstance(x, (int, float)) and isinstance(y, (int, float)):
                order = {ast.Lt: x < y, ast.LtE: x <= y, ast.Gt: x > y, ast.GtE: x >= y}
                return self.ops.number(order[type(op)])
        return self.ops.pointwise(_COMPARE[type(op)], a, b)

    def learn_from_assert(self, test: ast.expr) -> None:
        """Equal shapes and extents that an assertion states: certain from there on."""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            for part in test.values:
                self.learn_from_assert(part)
        if not isinstance(test, ast.Compare):
            return
        sides = [test.left, *test.comparators]
        for op, a, b in zip(test.ops, sides, sides[1:], strict=False):
            left, right = self.values.get(a), self.values.get(b)
            if isinstance(op, ast.Eq) and left is not None and right is not None:
                self._learn_equal(left, right)

    def _learn_equal(self, left: Obj, right: Obj) -> None:
        if isinstance(left, Shape) and isinstance(right, Shape):
            if (left.start, left.stop) == (None, None) == (right.start, right.stop):
                for one, other in ((left.value, right.value), (right.value, left.value)):
                    if self.ops.group_of(one) is not None and self.ops.group_of(other) is None:
                        self.ops.need_rank(one, len(other.axes))
            try:
                pairs = zip(self.extents_of(left), self.extents_of(right), strict=True)
                for a, b in pairs:
                    self.facts.unify(a, b)
            except (Unsupported, ValueError):
                return
        elif isinstance(left, Value) and isinstance(right, Value):
            if left.dtype == right.dtype == "int" and not left.axes and not right.axes:
                self.facts.unify(self.ops.element(left, ()), self.ops.element(right, ()))

    def _identity(self, positive: bool, left: Obj, right: Obj, node: ast.expr) -> Value:
        none_right = isinstance(right, Literal) and right.value is None
        if not none_right:
            return self._condition(node)
        if isinstance(left, Literal):
            return self.ops.number((left.value is None) == positive)
        if isinstance(left, Value) and left.kind in ("input", "attribute", "free"):
            key = f"{left.uid} is None"
            leaf = self.leaves.setdefault(
                key, Value(f"{left.name} is None", (), None, "bool", "free", "python")
            )
            return leaf if positive else self.negate(leaf)
        derived = isinstance(left, Value) and left.kind == "derived"
        if derived or isinstance(left, (Sequence, Collected, Growing, Written, Instance)):
            return self.ops.number(not positive)
        return self._condition(node)

    def _condition(self, node: ast.expr) -> Value:
        """A condition without notation: an unknown boolean of its own."""
        text = ast.unparse(node)
        return Value(text, (), None, "bool", "free", "python", self.module.span(node))

    def _ifexp(self, node: ast.IfExp, env: Env) -> Obj:
        test = self.truth(self.eval(node.test, env))
        if isinstance(test.body, Const):
            return self.eval(node.body if test.body.value else node.orelse, env)
        then, otherwise = self.eval(node.body, env), self.eval(node.orelse, env)
        self.here(node)
        return self.choose(test, then, otherwise)

    def choose(self, test: Value, then: Obj, otherwise: Obj) -> Obj:
        """``then if test else otherwise``."""
        if then is otherwise:
            return then
        if isinstance(then, Sequence) and isinstance(otherwise, Sequence):
            if len(then.items) == len(otherwise.items):
                pairs = zip(then.items, otherwise.items, strict=True)
                return Sequence(tuple(self.choose(test, a, b) for a, b in pairs), then.kind)
        if isinstance(then, Literal) and isinstance(otherwise, Literal):
            if then.value == otherwise.value:
                return then
        if isinstance(then, Cell) and isinstance(otherwise, Cell):
            chosen = self.choose(test, then.value, otherwise.value)
            return replace(then, value=self.as_value(chosen))
        if isinstance(then, Growing) and isinstance(otherwise, Growing):
            return self._choose_growing(test, then, otherwise)
        if isinstance(then, Value) and isinstance(otherwise, Value):
            self._same_shape(then, otherwise)
            test = self.origins.whole(test, then, otherwise)
            return self.ops.pointwise("where", test, then, otherwise)
        raise Unsupported("a choice between values of different kinds")

    def _same_shape(self, then: Value, otherwise: Value) -> None:
        """A choice does not broadcast: whichever is taken keeps its shape."""
        if bool(then.axes) != bool(otherwise.axes):
            name = then.name if then.axes else otherwise.name
            self.facts.assume(f"choice of {name}", f"a number stands for an array like `{name}`")
            return
        if any(axis.group for axis in (*then.axes, *otherwise.axes)):
            return
        if len(then.axes) != len(otherwise.axes):
            raise Unsupported("a choice between arrays of different ranks")
        for mine, theirs in zip(then.axes, otherwise.axes, strict=True):
            left, right = self.facts.extent(mine.extent), self.facts.extent(theirs.extent)
            if left is not right and ONE in (left, right):
                raise Unsupported("a choice between arrays of different shapes")

    def _choose_growing(self, test: Value, then: Growing, otherwise: Growing) -> Obj:
        """A list filled on both branches of a condition."""
        if len(then.back) != len(otherwise.back) or len(then.front) != len(otherwise.front):
            raise Unsupported("a list that grows under a condition")

        def merged(a: tuple[Value, ...], b: tuple[Value, ...]) -> tuple[Value, ...]:
            pairs = zip(a, b, strict=True)
            return tuple(self.as_value(self.choose(test, x, y)) for x, y in pairs)

        back = merged(then.back, otherwise.back)
        front = merged(then.front, otherwise.front)
        return replace(then, back=back, front=front)

    def _subscript(self, node: ast.Subscript, env: Env) -> Obj:
        base = self.eval(node.value, env)
        self.here(node)
        if isinstance(base, (Sequence, Shape)):
            return self._pick(base, self.eval(node.slice, env))
        if isinstance(base, Record):
            return self._pick(Sequence(tuple(base.fields.values())), self.eval(node.slice, env))
        if isinstance(base, Collected):
            return self._pick_collected(base, node.slice, env)
        if isinstance(base, Iteration):
            place = extents.constant(self.as_size(self.eval(node.slice, env)))
            if place is None:
                raise Unsupported("an item at an unknown place of an iteration")
            return base.element(
                Const(place) if place >= 0 else extents.add(base.extent, Const(place))
            )
        if isinstance(base, Named):
            return base
        if isinstance(base, Growing):
            return self.active[-1].read_list(self, base, self.eval(node.slice, env))
        items = self.subscript_items(node.slice, env)
        if isinstance(base, Written):
            return self.written_by(base).read_array(self, base, items)
        if isinstance(base, Cell):
            self.same_cell(base, items)
            return base.value
        return self.ops.subscript(self.as_value(base), items)

    def same_cell(self, cell: Cell, items: list[object]) -> None:
        """Require a subscript to be the one that the loop updates. Raises ``Unsupported``."""
        if len(items) != len(cell.items) or not all(
            a == b
            if not (isinstance(a, Value) and isinstance(b, Value))
            else self.ops.element(a, ()) is self.ops.element(b, ())
            for a, b in zip(items, cell.items, strict=True)
        ):
            raise Unsupported(f"`{cell.name}` is read or written at two places")

    def written_by(self, array: Written) -> Loop:
        """The loop that writes ``array``."""
        for loop in reversed(self.active):
            if loop.arrays.get(array.name) is not None:
                return loop
        raise Unsupported(f"`{array.name}` is written by another loop")

    def subscript_items(self, node: ast.expr, env: Env) -> list[object]:
        """The items of a subscript, as ``Arrays.subscript`` takes them."""
        nodes = node.elts if isinstance(node, ast.Tuple) else [node]
        if not isinstance(node, (ast.Tuple, ast.Slice)):
            whole = self.eval(node, env)
            if isinstance(whole, Sequence) and whole.kind == "tuple":
                return [self._item(item) for item in whole.items]
            return [self._item(whole)]
        return [self._item(self.eval(part, env)) for part in nodes]

    def _item(self, obj: Obj) -> object:
        if isinstance(obj, Literal) and (obj.value is None or obj.value is Ellipsis):
            return obj.value
        if isinstance(obj, Slice):
            return tuple(
                None if bound is None else self.as_size(bound)
                for bound in (obj.start, obj.stop, obj.step)
            )
        if isinstance(obj, Sequence) and obj.kind == "list":
            items = [self.as_value(item) for item in obj.items]
            if not 0 < len(items) <= 64 or any(item.axes or item.dtype != "int" for item in items):
                raise Unsupported("a subscript by a list")
            return self.ops.listed(items)
        value = self.as_value(obj)
        if self.ops.group_of(value) is not None:
            self.ops.need_rank(value, 0, f"`{value.name}` is an integer, as its use says")
        return value

    def _slice(self, node: ast.Slice, env: Env) -> Obj:
        bounds = [
            None if bound is None else self.eval(bound, env)
            for bound in (node.lower, node.upper, node.step)
        ]
        known = [
            None
            if bound is None or (isinstance(bound, Literal) and bound.value is None)
            else self.as_value(bound)
            for bound in bounds
        ]
        return Slice(*known)

    def _pick(self, base: Sequence | Shape, at: Obj) -> Obj:
        if isinstance(at, Slice):
            bounds = [
                None if bound is None else extents.constant(self.ops.element(bound, ()))
                for bound in (at.start, at.stop)
            ]
            if at.step is None and not any(
                bound is not None and number is None
                for bound, number in zip((at.start, at.stop), bounds, strict=True)
            ):
                if isinstance(base, Sequence):
                    return Sequence(base.items[bounds[0] : bounds[1]], base.kind)
                if base.start is None and base.stop is None:
                    return Shape(base.value, bounds[0], bounds[1])
            raise Unsupported("a slice of a sequence with unknown bounds")
        number = extents.constant(self.ops.element(self.as_value(at), ()))
        if number is None:
            raise Unsupported("an item at an unknown place of a sequence")
        if isinstance(base, Sequence):
            if not -len(base.items) <= number < len(base.items):
                raise Unsupported("an item outside a sequence")
            return base.items[number]
        if base.start is not None or base.stop is not None:
            sizes = self.extents_of(base)
            if not -len(sizes) <= number < len(sizes):
                raise Unsupported("an item outside a shape")
            return self.ops.scalar(sizes[number])
        return self.ops.scalar(self.ops.extent_at(base.value, number))

    def _pick_collected(self, base: Collected, node: ast.expr, env: Env) -> Obj:
        if ast.unparse(node) == "::-1" and not base.prefix:
            self.eval(node, env)
            return replace(base, reverse=not base.reverse)
        at = self.eval(node, env)
        if isinstance(at, Value) and not at.axes:
            place = self.as_size(at)
            number = extents.constant(place)
            n = base.step.extent
            if number is not None and number < 0:
                place = extents.add(n, place)
            step = extents.sub(extents.sub(n, ONE), place) if base.reverse else place
            return self.item_at(base, step)
        raise Unsupported("a subscript of a list built in a loop")

    def item_at(self, base: Collected, step: Term) -> Value:
        """The item that a loop stored at ``step``."""
        axes = self.ops.fresh(base.axes)
        by: dict[Term, Term] = {base.step: step}
        by.update(zip(base.axes, axes, strict=True))
        return self.ops.make(axes, substitute(base.element, by), base.dtype, base.library)  # type: ignore[arg-type]

    # -- writes

    @property
    def conditional(self) -> bool:
        """Whether the statement being read runs under a condition of its loop."""
        return self.branches > (self.active[-1].branches if self.active else 0)

    in_place = ownership.in_place
    storage = ownership.storage
    memory = ownership.memory
    cell_written = ownership.cell_written

    def new_version(self, base: Value, node: ast.AST) -> Value:
        """An array after an element of it was written, of the same shape."""
        span = self.module.span(node)
        made = Value(base.name, self.ops.fresh(base.axes), None, base.dtype, "opaque",
                     base.library, span)  # fmt: skip
        self.origins.anything(self, made)
        return made

    def index_copy_items(self, call: ast.Call, env: Env) -> list[object]:
        """The subscript that ``out.index_copy_(dim, index, source)`` writes."""
        raise Unsupported("`index_copy_` at an unknown place")

    def index_copy(self, base: Written, call: ast.Call, env: Env) -> None:
        raise Unsupported("`index_copy_` at an unknown place")

    # -- comprehensions

    def _listcomp(self, node: ast.ListComp, env: Env) -> Obj:
        return self._comprehension(node.elt, node.generators, env)

    def _generatorexp(self, node: ast.GeneratorExp, env: Env) -> Obj:
        return self._comprehension(node.elt, node.generators, env)

    def _comprehension(
        self, element: ast.expr, generators: list[ast.comprehension], env: Env
    ) -> Obj:
        if len(generators) != 1 or generators[0].ifs or generators[0].is_async:
            raise Unsupported("a comprehension with conditions or several loops")
        source = self.eval(generators[0].iter, env)
        inner = dict(env)
        if isinstance(source, Sequence):
            items: list[Obj] = []
            for item in source.items:
                self.bind(generators[0].target, item, inner)
                items.append(self.eval(element, inner))
            return Sequence(tuple(items), "list")
        iteration = self.iterate(source)
        step = Index("t", self.facts.extent(iteration.extent))
        self.bind(generators[0].target, iteration.element(step), inner)
        item = self.as_value(self.eval(element, inner))
        axes = self.ops.fresh(item.axes)
        return Collected(
            step, axes, self.inline(self.ops.element(item, axes), step), item.dtype, item.library,
            None, span=self.module.span(element),
        )  # fmt: skip

    def inline(self, term: Term, step: Index) -> Term:
        """Expand reads of values whose definition depends on ``step``, so that it shows."""
        from auditor.lift.inline import inline, settled

        return settled(inline(term, step), step)

    # -- iteration and targets

    iterate = binding.iterate
    bind = binding.bind
    unpack = binding.unpack

    # -- calls

    def _call(self, node: ast.Call, env: Env) -> Obj:
        before = len(self.effects)
        result = self._called(node, env)
        if self.active and any(e.kind in ("call", "mutation") for e in self.effects[before:]):
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            if isinstance(node.func, ast.Attribute):
                given.append(node.func.value)
            args = [self.values[arg] for arg in given if arg in self.values]
            self.origins.call(self, node, args, result, env)
        return result

    def _called(self, node: ast.Call, env: Env) -> Obj:
        from auditor.lift import tables

        function = self.eval(node.func, env)
        args: list[Obj] = []
        for arg in node.args:
            obj = self.eval(arg, env)
            if isinstance(arg, ast.Starred):
                if isinstance(obj, Sequence):
                    args.extend(obj.items)
                    continue
                if not isinstance(obj, Shape):
                    return self.unknown_call(node, "an argument list of unknown length", args)
            args.append(obj)
        keywords: dict[str, Obj] = {}
        for keyword in node.keywords:
            obj = self.eval(keyword.value, env)
            if keyword.arg is None:
                return self.unknown_call(node, "keyword arguments of unknown names", args)
            keywords[keyword.arg] = obj
        self.here(node)
        if isinstance(function, Function):
            return self.inline_call(function, args, keywords, node)
        if isinstance(function, Unknown) and not function.owner:
            return self.unknown_call(node, f"`{self.module.brief(node.func)}` is unknown", args)
        meaning = tables.meaning(self, function)
        if meaning is None:
            return self._call_local(function, args, keywords, node)
        if isinstance(function, (Method, Instance)):
            args = [function.receiver if isinstance(function, Method) else function, *args]
        return meaning.call(self, args, keywords)

    def _call_local(
        self, function: Obj, args: list[Obj], keywords: dict[str, Obj], node: ast.Call
    ) -> Obj:
        """A method of the same class, or something without a meaning."""
        if isinstance(function, Named) and function.path == "self.register_buffer":
            if self.setting is not None and len(args) > 1 and isinstance(args[0], Literal):
                self.setting[str(args[0].value)] = args[1]
                return Literal(None)
        if isinstance(function, Named) and function.path.startswith("self.") and self.klass:
            method = self.klass.methods.get(function.path[5:])
            if method is not None and not method.decorator_list:
                return self.inline_call(
                    Function(method, {}), [Named("self"), *args], keywords, node
                )
        return self.unknown_call(
            node, f"`{self.module.brief(node.func)}` has no meaning here", args
        )

    def unknown_call(self, node: ast.Call, reason: str, args: list[Obj]) -> Obj:
        """A call that may do anything to what it can reach."""
        self.effect("call", f"calls `{self.module.brief(node.func, 60)}`", node)
        span = self.module.span(node)
        return Unknown(reason, span, f"`{self.module.brief(node, 40)}` at {span.line}")

    def inline_call(
        self, function: Function, args: list[Obj], keywords: dict[str, Obj], node: ast.Call
    ) -> Obj:
        """A call of a small pure function of the same file: its body, evaluated in place."""
        name = getattr(function.node, "name", "the lambda")
        if self.depth >= 3:
            return self.unknown_call(node, f"`{name}` is nested too deep", args)
        env = dict(function.closure)
        if not _bind_arguments(function.node.args, args, keywords, env, self):
            return self.unknown_call(node, f"the arguments of `{name}` are not plain", args)
        self.depth += 1
        try:
            if isinstance(function.node, ast.Lambda):
                return self.eval(function.node.body, env)
            return self._inline_body(function.node, env, node, args)
        finally:
            self.depth -= 1

    def _inline_body(
        self, function: ast.FunctionDef, env: Env, node: ast.Call, args: list[Obj]
    ) -> Obj:
        from auditor.lift import statements

        simple = (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr, ast.If, ast.AugAssign)
        if not all(isinstance(statement, simple) for statement in function.body):
            return self.unknown_call(node, f"`{function.name}` has no notation", args)
        before, returns, loops = len(self.effects), self.returns, len(self.loops)
        self.returns = []
        try:
            statements.block(self, function.body, env)
            found = self.returns
        finally:
            self.returns = returns
            del self.loops[loops:]  # they are the other function's
        if len(self.effects) > before:
            del self.effects[before:]
            return self.unknown_call(node, f"`{function.name}` has effects", args)
        if len(found) != 1 or found[0][0] is not function.body[-1]:
            return self.unknown_call(node, f"`{function.name}` has no single result", args)
        return found[0][1]


_HANDLERS: dict[type[ast.expr], Callable[[Lifter, Any, Env], Obj] | None] = {}


def _bind_arguments(
    spec: ast.arguments, args: list[Obj], keywords: dict[str, Obj], env: Env, lifter: Lifter
) -> bool:
    if spec.vararg or spec.kwarg:
        return False
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    if len(args) > len(names):
        return False
    bound = dict(zip(names, args, strict=False))
    for name, obj in keywords.items():
        if name in bound:
            return False
        bound[name] = obj
    defaults = dict(zip(names[len(names) - len(spec.defaults) :], spec.defaults, strict=True))
    defaults.update(
        (arg.arg, default)
        for arg, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
        if default is not None
    )
    for name in (*names, *(arg.arg for arg in spec.kwonlyargs)):
        if name not in bound:
            if name not in defaults:
                return False
            bound[name] = lifter.eval(defaults[name], {})
    env.update(bound)
    return True


_CONSTANTS: dict[str, float] = {
    "math.pi": 3.141592653589793, "math.e": 2.718281828459045, "math.inf": float("inf"),
    "numpy.pi": 3.141592653589793, "numpy.e": 2.718281828459045, "numpy.inf": float("inf"),
    "math.nan": float("nan"), "numpy.nan": float("nan"), "torch.nan": float("nan"),
    "numpy.NINF": float("-inf"), "math.tau": 6.283185307179586,
    "torch.pi": 3.141592653589793, "torch.inf": float("inf"), "torch.e": 2.718281828459045,
}  # fmt: skip

_LIMITS: dict[tuple[str | None, str], float] = {
    ("float64", "max"): 1.7976931348623157e308, ("float64", "min"): -1.7976931348623157e308,
    ("float32", "max"): 3.4028234663852886e38, ("float32", "min"): -3.4028234663852886e38,
    ("float16", "max"): 65504.0, ("float16", "min"): -65504.0,
    ("bfloat16", "max"): 3.3895313892515355e38, ("bfloat16", "min"): -3.3895313892515355e38,
    ("float64", "eps"): 2.220446049250313e-16, ("float32", "eps"): 1.1920928955078125e-07,
    ("float16", "eps"): 0.0009765625, ("bfloat16", "eps"): 0.0078125,
    ("float64", "tiny"): 2.2250738585072014e-308, ("float32", "tiny"): 1.1754943508222875e-38,
}  # fmt: skip

_ABOUT = ("shape", "dtype", "device", "ndim", "size")

_BUILTINS = frozenset(
    ("complex", "divmod", "filter", "open", "input", "breakpoint", "repr", "hash", "id", "callable")
    + ("issubclass", "frozenset", "bytes", "ord", "chr", "format", "vars", "object", "hex", "bin")
    + ("range", "len", "zip", "enumerate", "reversed", "sum", "max", "min", "abs", "float", "int")
    + (
        "bool",
        "list",
        "tuple",
        "map",
        "print",
        "any",
        "all",
        "sorted",
        "pow",
        "round",
        "isinstance",
    )
    + ("hasattr", "getattr", "set", "dict", "str", "iter", "next", "type", "super", "slice")
)
