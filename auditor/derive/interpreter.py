"""A loop's statements run on made-up elements without running the user's code as such: a small
interpreter of assignments, branches and functions that only look.

Numbers and texts are kept small, so that no program takes long or much room.
"""

from __future__ import annotations

import ast
import math
import operator
from collections import deque
from collections.abc import Callable, Collection, Sequence
from numbers import Number
from typing import Any

Env = dict[str, Any]
Run = Callable[[Env], Any]
_BITS, _LENGTH = 2048, 200
ANSWER = "return"
_NORMAL, _NEXT, _STOP = 0, 1, 2
_ROUNDS = 99


class CannotRun(Exception):
    """A statement that is not interpreted, or a value that got too large."""


_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.BitXor: operator.xor, ast.BitOr: operator.or_, ast.BitAnd: operator.and_,
    ast.Pow: operator.pow, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_,
    ast.Invert: operator.invert,
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (abs, min, max, len, int, float, round, ord, chr, bool, str, sum, sorted, divmod,
              list, dict, set, tuple)
}  # fmt: skip
_MATHS = {
    f"math.{name}": getattr(math, name)
    for name in "exp log sqrt tanh sin cos tan floor ceil fabs gcd lcm log1p expm1 pow isnan "
    "atan sinh cosh trunc copysign hypot".split()
}
_METHODS: dict[type, frozenset[str]] = {
    str: frozenset("isdigit isalpha isspace isupper islower isalnum lower upper strip startswith "
                   "endswith split".split()),
    list: frozenset("append sort pop insert reverse extend index count remove".split()),
    dict: frozenset("get setdefault pop keys values items".split()),
    set: frozenset("add discard".split()),
    deque: frozenset("append appendleft pop popleft extend".split()),
}  # fmt: skip
_VALUES = {"math.inf": math.inf, "math.pi": math.pi, "math.e": math.e, "math.nan": math.nan}


class Interpreter:
    """Closures for the statements of one loop and of what stands before it. ``defined`` are the
    names that the file gives a meaning of its own."""

    def __init__(self, defined: Collection[str] = ()) -> None:
        self._defined = defined

    def block(self, statements: Sequence[ast.stmt]) -> Callable[[Env], int]:
        """Runs statements in an environment. Raises ``CannotRun``, now for what is not
        interpreted and later for what gets too large."""
        runs = [self._statement(statement) for statement in statements]

        def run(env: Env) -> int:
            for one in runs:
                how = one(env)
                if how:
                    return how
            return _NORMAL

        return run

    def _statement(self, node: ast.stmt) -> Callable[[Env], int]:
        if isinstance(node, ast.Pass):
            return lambda env: _NORMAL
        if isinstance(node, ast.Continue):
            return lambda env: _NEXT
        if isinstance(node, ast.Break):
            return lambda env: _STOP
        if isinstance(node, ast.Return):
            answer = self.expression(node.value or ast.Constant(None))

            def leave(env: Env) -> int:
                env[ANSWER] = answer(env)
                return _STOP

            return leave
        if isinstance(node, ast.Expr):
            value = self.expression(node.value)

            def looked(env: Env) -> int:
                value(env)
                return _NORMAL

            return looked
        if isinstance(node, ast.If):
            test, then = self.expression(node.test), self.block(node.body)
            other = self.block(node.orelse)
            return lambda env: then(env) if test(env) else other(env)
        if isinstance(node, ast.While) and not node.orelse:
            return self._while(node)
        if isinstance(node, ast.Delete) and all(isinstance(t, ast.Subscript) for t in node.targets):
            return self._delete(node.targets)
        if isinstance(node, ast.AugAssign):
            return self._augmented(node)
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            return self._assignment([node.target], node.value)
        if isinstance(node, ast.Assign):
            return self._assignment(node.targets, node.value)
        raise CannotRun(type(node).__name__)

    def _while(self, node: ast.While) -> Callable[[Env], int]:
        test, body = self.expression(node.test), self.block(node.body)

        def run(env: Env) -> int:
            for _ in range(_ROUNDS):
                if not test(env):
                    return _NORMAL
                if body(env) != _NORMAL:
                    raise CannotRun("what leaves an inner loop")
            raise CannotRun("too many rounds")

        return run

    def _delete(self, targets: Sequence[ast.expr]) -> Callable[[Env], int]:
        places = [(self.expression(t.value), self._key(t.slice)) for t in targets
                  if isinstance(t, ast.Subscript)]  # fmt: skip

        def run(env: Env) -> int:
            for base, key in places:
                operator.delitem(base(env), key(env))
            return _NORMAL

        return run

    def _key(self, node: ast.expr) -> Run:
        """A key, a place or a slice."""
        if not isinstance(node, ast.Slice):
            return self.expression(node)
        parts = [None if one is None else self.expression(one)
                 for one in (node.lower, node.upper, node.step)]  # fmt: skip
        return lambda env: slice(*(None if part is None else part(env) for part in parts))

    def _assignment(self, targets: list[ast.expr], node: ast.expr) -> Callable[[Env], int]:
        value = self.expression(node)
        stores = [self.store(target) for target in targets]

        def run(env: Env) -> int:
            made = value(env)
            for one in stores:
                one(env, made)
            return _NORMAL

        return run

    def _augmented(self, node: ast.AugAssign) -> Callable[[Env], int]:
        loaded = ast.copy_location(ast.parse(ast.unparse(node.target), mode="eval").body, node)
        old, by = self.expression(loaded), self.expression(node.value)
        store, op = self.store(node.target), _operation(node.op)

        def run(env: Env) -> int:
            store(env, op(old(env), by(env)))
            return _NORMAL

        return run

    def store(self, target: ast.expr) -> Callable[[Env, Any], None]:
        """Binds a target's names."""
        if isinstance(target, ast.Name):
            name = target.id
            return lambda env, value: env.__setitem__(name, value)
        if isinstance(target, ast.Tuple):
            parts = [self.store(part) for part in target.elts]

            def unpack(env: Env, value: Any) -> None:
                for store, one in zip(parts, value, strict=True):
                    store(env, one)

            return unpack
        if isinstance(target, ast.Subscript):
            base, key = self.expression(target.value), self._key(target.slice)
            return lambda env, value: operator.setitem(base(env), key(env), value)
        raise CannotRun(ast.unparse(target))

    def expression(self, node: ast.expr) -> Run:
        """The value of an expression in an environment."""
        if isinstance(node, ast.Constant):
            value = node.value
            return lambda env: value
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.Attribute) and ast.unparse(node) in _VALUES:
            known = _VALUES[ast.unparse(node)]
            return lambda env: known
        if isinstance(node, ast.BinOp):
            left, right = self.expression(node.left), self.expression(node.right)
            op = _operation(node.op)
            return lambda env: op(left(env), right(env))
        if isinstance(node, ast.UnaryOp):
            inner, turn = self.expression(node.operand), _UNARY[type(node.op)]
            return lambda env: turn(inner(env))
        if isinstance(node, ast.BoolOp):
            return self._connective(node)
        if isinstance(node, ast.IfExp):
            test, then, other = map(self.expression, (node.test, node.body, node.orelse))
            return lambda env: then(env) if test(env) else other(env)
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, (ast.Tuple, ast.List)):
            parts = [self.expression(part) for part in node.elts]
            made = tuple if isinstance(node, ast.Tuple) else list
            return lambda env: made(part(env) for part in parts)
        if isinstance(node, ast.Dict) and not node.keys:
            return lambda env: {}
        if isinstance(node, ast.Subscript):
            base, key = self.expression(node.value), self._key(node.slice)
            return lambda env: base(env)[key(env)]
        raise CannotRun(ast.unparse(node))

    def _name(self, name: str) -> Run:
        def read(env: Env) -> Any:
            if name not in env:
                raise CannotRun(name)
            return env[name]

        return read

    def _connective(self, node: ast.BoolOp) -> Run:
        parts = [self.expression(part) for part in node.values]
        stops = isinstance(node.op, ast.Or)

        def run(env: Env) -> Any:
            value: Any = None
            for part in parts:
                value = part(env)
                if bool(value) == stops:
                    break
            return value

        return run

    def _comparison(self, node: ast.Compare) -> Run:
        parts = [self.expression(part) for part in (node.left, *node.comparators)]
        ops = [_COMPARE[type(op)] for op in node.ops]

        def run(env: Env) -> Any:
            left, value = parts[0](env), True
            for op, part in zip(ops, parts[1:], strict=True):
                right = part(env)
                value = op(left, right)
                if not value:
                    break
                left = right
            return value

        return run

    def _call(self, node: ast.Call) -> Run:
        down: dict[str, Any] = {
            k.arg: k.value.value
            for k in node.keywords
            if k.arg is not None and isinstance(k.value, ast.Constant)
        }
        odd = down.keys() - {"reverse"} or len(down) < len(node.keywords)
        if odd or any(isinstance(arg, ast.Starred) for arg in node.args):
            raise CannotRun(ast.unparse(node))
        name = ast.unparse(node.func)
        args = [self.expression(arg) for arg in node.args]
        if name.partition(".")[0] in self._defined and name in {*_FUNCTIONS, *_MATHS}:
            raise CannotRun(name)
        function = _FUNCTIONS.get(name) or _MATHS.get(name)
        if function is not None:
            return lambda env: _small(function(*(arg(env) for arg in args), **down))
        if not isinstance(node.func, ast.Attribute):
            raise CannotRun(name)
        base, method = self.expression(node.func.value), node.func.attr

        def run(env: Env) -> Any:
            value = base(env)
            if method not in _METHODS.get(type(value), frozenset()):
                raise CannotRun(name)
            return getattr(value, method)(*(arg(env) for arg in args), **down)

        return run


def _operation(op: ast.operator) -> Callable[[Any, Any], Any]:
    made = _BINARY.get(type(op))
    if made is None:
        raise CannotRun(type(op).__name__)
    grows = isinstance(op, (ast.Pow, ast.LShift, ast.Mult))

    def run(a: Any, b: Any) -> Any:
        if grows and not (isinstance(a, Number) and isinstance(b, Number)):
            raise CannotRun("a product of what is no number")
        if isinstance(op, (ast.Pow, ast.LShift)) and abs(b) > 64:
            raise CannotRun("a large power")
        return _small(made(a, b))

    return run


def _small(value: Any) -> Any:
    if isinstance(value, int) and value.bit_length() > _BITS:
        raise CannotRun("a large number")
    if isinstance(value, (str, list, tuple)) and len(value) > _LENGTH:
        raise CannotRun("a long value")
    return value


def stopped(how: int) -> bool:
    """Did a block leave the loop?"""
    return how == _STOP
