"""Whether two expressions are the same operations on the same values, however they are written.

Each gets a number: that of its term in notation where it has one (so ``a @ b``, ``torch.matmul``
and an ``einsum`` are one, and names, views and helper functions are looked through), and that of
the function and the numbers of its arguments where it has none. Terms are taken as they stand, up
to the names of indices and the order of factors and summands: what is equal only over the reals (a
softmax with and without its maximum) rounds and overflows otherwise, and is not the same here.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from auditor.lift import Lifted
from auditor.lift.call_effects import Does, does
from auditor.lift.objects import (
    Function,
    Literal,
    Method,
    Named,
    Obj,
    Record,
    Sequence,
    Shape,
    Unknown,
)
from auditor.lift.own_layers import layer_word
from auditor.lift.ranks import placed
from auditor.notation import (
    Apply,
    Const,
    Index,
    Order,
    Read,
    Reduce,
    Symbol,
    Term,
    Trace,
    Value,
    definition,
    free_indices,
    walk,
)
from auditor.syntax import path_of

_COMMUTE = frozenset("add mul max min and or xor eq ne".split())
_STEPS = 20_000
_Env = Mapping[Index, int]


class TooMany(Exception):
    """The terms are too large to be compared."""


class Numbers:
    """The numbers of the expressions of one function."""

    def __init__(self, lifted: Lifted) -> None:
        self._module, self._facts = lifted.module, lifted.facts
        self._values = lifted.lifter.values
        self._known: dict[object, int] = {}
        self._made = {
            leaf: node
            for node, obj in self._values.items()
            if isinstance(obj, Unknown) and obj.owner and isinstance(node, ast.Call)
            and (leaf := lifted.lifter.leaves.get(obj.owner)) is not None
        }  # fmt: skip
        self._within = lifted.lifter.within
        self._met_at = {
            placed(lifted.module.span(node)): node
            for node in self._values if isinstance(node, ast.BinOp)
        }  # fmt: skip
        self._entered = 0
        self._steps = 0
        self._reads: dict[object, int] = {}
        self._free: dict[Value, tuple[Index, ...]] = {}

    def of(self, node: ast.expr) -> int | None:
        """The number of an expression; None where nothing can be said."""
        try:
            return self._node(node)
        except (TooMany, RecursionError):
            return None

    def _number(self, *key: object) -> int:
        self._steps += 1
        if self._steps > _STEPS:
            raise TooMany
        return self._known.setdefault(key, len(self._known))

    # -- expressions

    def _node(self, node: ast.expr) -> int:
        if isinstance(node, ast.Call) and layer_word(self._module, node) is not None:
            return self._number("layer", ast.unparse(node.func), self._node(node.args[0]))
        obj = self._values.get(node)
        if obj is not None and not isinstance(obj, Unknown):
            before, number = self._entered, self._object(obj)
            if self._entered > before and isinstance(node, ast.Call):
                return self._arguments(node, "called") or number
            return number
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.BinOp):
            op = type(node.op).__name__
            return self._number("binary", op, self._node(node.left), self._node(node.right))
        if isinstance(node, ast.UnaryOp):
            return self._number("unary", type(node.op).__name__, self._node(node.operand))
        if isinstance(node, ast.Subscript):
            return self._number("item", self._node(node.value), self._node(node.slice))
        if isinstance(node, (ast.Tuple, ast.List)):
            parts = [self._node(part) for part in node.elts]
            return self._number("items", type(node).__name__, *parts)
        if isinstance(node, ast.Slice):
            bounds = (node.lower, node.upper, node.step)
            return self._number("slice", *(self._node(b) if b else None for b in bounds))
        if isinstance(node, ast.Constant):
            return self._number("constant", type(node.value), repr(node.value))
        if isinstance(obj, Unknown):
            return self._number("object", obj)
        return self._number("object", node)

    def _call(self, node: ast.Call) -> int:
        if does(self._module, node) not in (Does.FRESH, Does.VIEW, Does.REPORTS):
            return self._number("object", node)
        path = path_of(self._module, node.func)
        if path is None and isinstance(node.func, ast.Attribute):
            what: tuple[object, ...] = ("method", node.func.attr, self._node(node.func.value))
        else:
            what = ("function", path or ast.unparse(node.func))
        given = [self._node(arg) for arg in node.args]
        named = sorted((k.arg or "", self._node(k.value)) for k in node.keywords)
        return self._number(*what, tuple(given), tuple(named))

    def _inside(self, owner: str | None) -> int | None:
        """The number of what a function of the file makes on its way, given certain arguments."""
        if owner is None or owner not in self._within:
            return None
        self._entered += 1
        made, call = self._within[owner]
        return self._arguments(call, f"within {made}")

    def _met(self, owner: str) -> int | None:
        """The number of how far two arrays reach together that meet in an operation, whose place
        alone is what their sizes are called by: that of the operation on these two."""
        node = self._met_at.pop(owner.partition(" (")[0], None)
        if node is None:
            return None
        sides = self._node(node.left), self._node(node.right)
        number = self._number("met", type(node.op).__name__, *sides)
        self._met_at[owner.partition(" (")[0]] = node
        return number

    def _arguments(self, call: ast.Call, what: str) -> int | None:
        """The number of ``what`` a call of a function of the file makes, by what it is given."""
        called = self._values.get(call.func)
        if not isinstance(called, Function) or called.closure:
            return None
        given = [self._node(arg) for arg in call.args]
        named = sorted((k.arg or "", self._node(k.value)) for k in call.keywords)
        return self._number(what, called.node, tuple(given), tuple(named))

    def _object(self, obj: Obj) -> int:
        if isinstance(obj, Value):
            return self._value(obj)
        if isinstance(obj, Record):
            return self._number(
                "record", *((name, self._value(part)) for name, part in obj.fields.items())
            )
        if isinstance(obj, Sequence):
            return self._number("sequence", obj.kind, *(self._object(i) for i in obj.items))
        if isinstance(obj, Literal):
            return self._number("literal", type(obj.value), repr(obj.value))
        if isinstance(obj, Named):
            return self._number("named", obj.path)
        if isinstance(obj, Shape):
            return self._number("shape", self._value(obj.value), obj.start, obj.stop)
        if isinstance(obj, Method):
            return self._number("bound", obj.name, self._object(obj.receiver))
        return self._number("object", obj)

    # -- terms

    def _value(self, value: Value) -> int:
        if value.body is None:
            if value.made is not None:  # an inverse, which its matrix tells
                return self._number("made", value.made[0], self._value(value.made[1]))
            made = self._made.get(value)
            if made is not None:
                return self._call(made)
            inside = self._inside(value.owner)
            return self._number("leaf", value) if inside is None else inside
        if _drawn(value.body):
            return self._number("drawn", value)
        # How far the axes of a group reach is said by the arrays that are read along them.
        read = free_indices(value.body) if any(axis.group for axis in value.axes) else frozenset()
        axes = [
            self._number("axis", place, axis.group)
            if axis.group and axis in read
            else self._number("axis", place, axis.group, self._extent(axis))
            for place, axis in enumerate(value.axes)
        ]
        body = self._term(value.body, dict(zip(value.axes, axes, strict=True)))
        # a number of Python's is another object than one of a library's: it has another type and
        # no methods of arrays
        kind = value.library == "python", value.dtype
        return self._number("array", tuple(axes), body, kind)

    def _extent(self, index: Index) -> int:
        return self._length(index, {}, 0)

    def _length(self, index: Index, env: _Env, level: int) -> int:
        """How far an index runs. What is only known from a broadcast, which 1 passes as well, does
        not make two the same."""
        known = self._facts.extent(index.extent)
        certain = self._facts.certain(index.extent)
        return self._term(known if certain else index.extent, env, level)

    def _term(self, term: Term, env: _Env, level: int = 0) -> int:
        if isinstance(term, Const):
            return self._number("number", type(term.value), repr(term.value))
        if isinstance(term, Symbol):
            owner, _, place = term.name.rpartition(".shape[")
            made = self._inside(owner) or self._met(owner)
            return self._number("symbol", term.name if made is None else (made, place))
        if isinstance(term, Index):
            return env[term] if term in env else self._number("index", term)
        if isinstance(term, Apply):
            if _drawn(term):
                return self._number("drawn", object())
            parts = [self._term(part, env, level) for part in term.args]
            if term.op in _COMMUTE:
                parts.sort()
            return self._number("apply", term.op, *parts)
        if isinstance(term, Reduce):
            bound, inside = self._bind(term.index, env, level)
            return self._number("reduce", term.op, bound, self._term(term.body, inside, level + 1))
        if isinstance(term, Order):
            bound, inside = self._bind(term.index, env, level)
            body = self._term(term.body, inside, level + 1)
            rank = self._term(term.rank, env, level)
            return self._number("order", term.descending, term.what, bound, body, rank)
        if isinstance(term, Read):
            return self._read(term, env, level)
        assert isinstance(term, Trace)
        subs = [self._term(sub, env, level) for sub in (term.step, *term.subs)]
        return self._number("trace", term.scan.uid, term.slot, *subs)

    def _bind(self, index: Index, env: _Env, level: int) -> tuple[int, _Env]:
        extent = self._length(index, env, level)
        bound = self._number("bound", level, index.group, None if index.group else extent)
        return bound, {**env, index: bound}

    def _read(self, read: Read, env: _Env, level: int) -> int:
        value = read.value
        subs = tuple(self._term(sub, env, level) for sub in read.subs)
        if value.body is None or _drawn(value.body):
            return self._number("read", self._value(value), read.aligned, *subs)
        around = tuple(env.get(index) for index in self._borrowed(value))
        key = (value, read.aligned, subs, level, around)
        if key not in self._reads:
            self._reads[key] = self._defined(read, subs, env, level)
        return self._reads[key]

    def _borrowed(self, value: Value) -> tuple[Index, ...]:
        """The indices that a value reads of the term it stands in, such as ``x[k]`` under a sum
        over ``k``."""
        known = self._free.get(value)
        if known is None:
            assert value.body is not None
            found = dict.fromkeys(sorted(free_indices(value.body), key=lambda index: index.uid))
            for node in walk(value.body):
                if isinstance(node, Read) and node.value.body is not None:
                    found |= dict.fromkeys(self._borrowed(node.value))
            known = self._free[value] = tuple(i for i in found if i not in value.axes)
        return known

    def _defined(self, read: Read, subs: tuple[int, ...], env: _Env, level: int) -> int:
        value = read.value
        assert value.body is not None
        if not read.aligned:
            inside = {**env, **dict(zip(value.axes, subs, strict=True))}
            return self._term(value.body, inside, level)
        found = definition(read)
        if found is None:
            return self._number("read", self._value(value), True, *subs)
        return self._term(found, env, level)


def _drawn(term: Term) -> bool:
    """Whether a term is made with random numbers: another one each time."""
    return isinstance(term, Apply) and "dropout" in term.op
