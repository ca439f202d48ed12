"""Expressions to notation: what each Python expression means, under the facts known so far."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from auditor.lift import (
    arithmetic,
    binding,
    comprehensions,
    conditions,
    extents,
    invocation,
    items,
    names,
    ownership,
    sharing,
)
from auditor.lift.arrays import Arrays, Unsupported
from auditor.lift.bound import COMPREHENSIONS, stored_in
from auditor.lift.dtypes import NUMPY_NAMES
from auditor.lift.facts import Facts, TooLarge
from auditor.lift.imaginary import speaks_of_complex
from auditor.lift.late import Late, late
from auditor.lift.module import ClassScope, Module
from auditor.lift.objects import (
    Function,
    Literal,
    Named,
    Obj,
    Sequence,
    Shape,
    Spread,
    Unknown,
    kind_of,
)
from auditor.lift.opaque import Given, Origins
from auditor.lift.options import Options, options_of
from auditor.lift.passing import carried_along
from auditor.lift.ranks import placed
from auditor.lift.runs import LAST, Passed, Picked
from auditor.lift.stored import grown_names, stored_arrays
from auditor.notation import (
    Const,
    Index,
    Span,
    Term,
    Value,
)
from auditor.tree import children, descendants, everything_in

if TYPE_CHECKING:
    from auditor.lift.declined import Case
    from auditor.lift.loops import Loop
    from auditor.lift.reading import Mark

Env = dict[str, Obj]

# Expressions read for one function, over all its rounds.
_BUDGET = 60_000


@dataclass(frozen=True)
class Effect:
    """Something a region does besides computing values; ``kind`` is ``call``, ``io``, ``random``,
    ``mutation``, ``fills``, ``exit`` or ``exception``."""

    kind: str
    reason: str
    span: Span


class HasEffects(Exception):
    """A function does something besides computing values: the rest of it need not be read."""


# What the types of Python are as dtypes, in NumPy and in torch.
_OF_PYTHON = {"int": "int64", "float": "float64", "complex": "complex128"}


@dataclass
class Lifter:
    """Lifts the body of one function. ``values`` maps expressions to what they evaluate to;
    ``scopes`` statements to the names bound before them, ``walked`` comprehensions to those of an
    item. ``declined`` are the calls whose functions could not be read in their place: why, and how
    often that sets attributes. ``optional`` are the parameters that may be None. ``inlined`` are
    the functions that are being read in place of a call: in how many loops each is called;
    ``callers`` are those calls, and ``within`` says of an owner that one of them makes what it is
    in the function, and the outermost call. ``parts`` are the modules that were, with the line of
    the call (0 in another function). ``asked`` are the connectives of which only the truth is
    needed, ``masked`` the writes at the places of a mask, each with the name of its array.
    ``repeated`` are the texts that are read several times, and how often, ``picked`` the runs of
    them that are asked about, ``numbers`` the numbers among their items by the names that these are
    given, ``passed`` what each run passes to the calls in them. ``changing`` are the calls of
    functions that were read in their place and change what they are given. ``stale`` are arrays and
    lists that were written into since, with what is known of them by then. ``skipping`` counts the
    loops over known items around, of which a step may be skipped. ``afresh`` says that the
    next fact makes the whole function be read again."""

    module: Module
    facts: Facts
    root: ast.FunctionDef | ast.Module
    klass: ClassScope | None = None
    attributes: Mapping[str, Obj] = field(default_factory=dict)
    values: dict[ast.expr, Obj] = field(default_factory=dict)
    scopes: dict[ast.stmt, Env] = field(default_factory=dict)
    effects: list[Effect] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    overwritten: list[tuple[frozenset[Value], Span]] = field(default_factory=list)
    returns: list[tuple[ast.Return, Obj]] = field(default_factory=list)
    parts: list[tuple[str, int]] = field(default_factory=list)
    stored: set[Value] = field(default_factory=set)
    leaves: dict[str, Value] = field(default_factory=dict)
    active: list[Loop] = field(default_factory=list)
    inlined: list[int] = field(default_factory=list)
    callers: list[ast.Call] = field(default_factory=list)
    within: dict[str, tuple[str, ast.Call]] = field(default_factory=dict)
    depth: int = 0
    epoch: int = 0
    branches: int = 0
    skipping: int = 0
    joined: list[bool] = field(default_factory=list)
    rows: dict[ast.expr, Value] = field(default_factory=dict)
    walked: dict[ast.expr, Env] = field(default_factory=dict)
    moved: dict[Value, Value] = field(default_factory=dict)
    owned: set[Value] = field(default_factory=set)
    stale: dict[Obj, Obj] = field(default_factory=dict)
    viewed: dict[str | Obj, tuple[Value, ...]] = field(default_factory=dict)
    sizes: dict[str, list[Term]] = field(default_factory=dict)
    lies_in: dict[Value, tuple[Value, ...]] = field(default_factory=dict)
    given: dict[str, Given | None] = field(default_factory=dict)
    order: dict[ast.stmt, int] = field(default_factory=dict)
    marks: dict[int, Mark] = field(default_factory=dict)
    declined: dict[Case, tuple[str, int]] = field(default_factory=dict)
    setting: dict[str, Obj] | None = None
    origins: Origins = field(default_factory=Origins)
    asked: set[ast.expr] = field(default_factory=set)
    keyed: set[str] = field(default_factory=set)
    optional: set[str] = field(default_factory=set)
    masked: dict[ast.expr, str] = field(default_factory=dict)
    library: str | None = None
    picked: Picked = LAST
    repeated: dict[ast.AST, int] = field(default_factory=dict)
    changing: set[ast.Call] = field(default_factory=set)
    numbers: dict[str, frozenset[float]] = field(default_factory=dict)
    passed: dict[ast.Call, tuple[Passed, ...]] = field(default_factory=dict)
    afresh: bool = False

    def __post_init__(self) -> None:
        self.ops = Arrays(self.facts)
        self.ops.text_of = self.module.slice
        self.library = self.module.library
        self.local: frozenset[str] = frozenset()
        if isinstance(self.root, ast.FunctionDef):
            self.local = self.module.local_names(self.root)

    @cached_property
    def taken(self) -> frozenset[str]:
        """The names that the function being lifted gives a meaning of its own, or changes the
        meaning of."""
        body = self.root.body
        own = frozenset(self.module.bound) - self.module.settled
        if isinstance(self.root, ast.FunctionDef):
            inside = [inner for inner in descendants(self.root) if isinstance(inner, ast.arg)]
            own = self.local | {arg.arg for arg in inside} | stored_in(self.root)
        changed = {*stored_arrays(body), *grown_names(body)}
        return frozenset(own | (changed - self.module.names.keys()))

    @cached_property
    def declared_within(self) -> frozenset[str]:
        """The names that functions within this one declare ``nonlocal``."""
        return self.module.declared_within(self.root)

    @cached_property
    def options(self) -> Options:
        return options_of(self.module, self.root)

    @cached_property
    def middles(self) -> frozenset[Span]:
        """Where the factors stand that have others on both sides."""
        found = dict[ast.AST, list[ast.expr]]()
        for node in descendants(self.root):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
                found[node] = [node.left, node.right]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in ("dot", "matmul", "mm") and not node.keywords:
                    found[node] = [node.func.value, *node.args][-2:]
        middles = [
            found[part][1 - side]  # the last of the left factor, the first of the right one
            for parts in found.values() for side, part in enumerate(parts) if part in found
        ]  # fmt: skip
        return frozenset(map(self.module.span, middles))

    def parameter(self, name: str) -> Value:
        """A parameter as an array of what is known of its shape."""
        dtype = "bool" if self.facts.of(name).truths else None
        leaf = self.facts.keep(name, self.ops.leaf(name, name, "input", dtype))
        self.leaves[name] = leaf
        return leaf

    # -- entry points used by the tables

    def fail(self, node: ast.AST, reason: str) -> Unknown:
        return Unknown(reason, self.module.span(node))

    def effect(self, kind: str, reason: str, node: ast.AST) -> None:
        """Note an effect. Raises ``HasEffects`` in a body that is read in place of a call."""
        self._happens(Effect(kind, reason, self.module.span(node)))

    def _happens(self, effect: Effect) -> None:
        self.effects.append(effect)
        # Not in a loop of that body, which is read several times until it settles; and what
        # is asserted or raised says something of the arguments.
        if self.inlined and effect.kind != "exception" and len(self.active) == self.inlined[-1]:
            raise HasEffects

    def truth_of(self, value: Value) -> bool:
        """Whether a value is anything but the constant False (or 0)."""
        return not (isinstance(value.body, Const) and not value.body.value)

    def effect_here(self, kind: str, reason: str) -> None:
        """An effect of the expression being read."""
        self._happens(Effect(kind, reason, self.ops.span or Span(1, 1, 1, 1)))

    def as_value(self, obj: Obj) -> Value:
        """An object as an array or scalar. Raises ``Unsupported``."""
        if isinstance(obj, Value):
            return obj
        if isinstance(obj, Unknown) and obj.owner:
            named = obj.owner in self.within  # by a place of another function
            name = obj.owner if named else self.origins.spelling(self, obj)
            return self.opaque(name, obj.owner, obj)
        if isinstance(obj, Unknown):
            raise Unsupported(obj.reason)
        if isinstance(obj, Literal) and isinstance(obj.value, float):
            return self.ops.number(obj.value)
        raise Unsupported(f"{kind_of(obj)} stands where an array is needed")

    def spoken(self, value: Value) -> str:
        """How a name speaks of a value: by its own, or as the source writes it."""
        if value.is_named or value.span is None:
            return value.name
        text = self.module.slice(value.span)
        return f"`{text}`" if len(text) <= 40 and text.isprintable() else "a result"

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
            if obj.path in _OF_PYTHON:
                return _OF_PYTHON[obj.path]
            if obj.path in ("torch.float", "torch.int"):
                return {"float": "float32", "int": "int32"}[name]
            return NUMPY_NAMES.get(name, name)
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

    def mine(self, owner: str) -> str:
        """``owner`` as the call that is being read has it: what a function makes without notation
        is another value in each of its calls."""
        if not self.callers:
            return owner
        places = [f"called at {call.lineno}:{call.col_offset + 1}" for call in self.callers]
        mine = f"{owner} ({', '.join(places)})"
        self.within[mine] = " ".join((owner, *places[1:])), self.callers[0]
        return mine

    def opaque(self, name: str, owner: str, made: Unknown) -> Value:
        """What has no notation, as an array of its own: of the shape of ``owner``."""
        imaginary = made.span is not None and speaks_of_complex(self.module.slice(made.span))
        sizes, known = self.sizes.get(made.owner, []), self.facts.of(owner)
        if sizes and known.rank is None:
            known.rank = len(sizes)
        here = self.ops.span
        self.ops.span = made.span or here  # not where it is first asked for something
        leaf = self._leaf(name, owner, "opaque", None, imaginary, self.given.get(made.owner))
        self.ops.span = here
        for axis, size in zip(leaf.axes, sizes, strict=False):
            if extents.constant(size) != -1:
                self.facts.unify(axis.extent, size)
        self.origins.passed_on(made, leaf)
        return leaf

    def sized(self, sizes: list[Term]) -> None:
        """What is being read has no notation, but its code states its axes; -1 is any size."""
        assert self.ops.span is not None
        self.sizes[self.mine(placed(self.ops.span))] = sizes

    def _leaf(
        self, name: str, owner: str, kind: str, dtype: str | None = None, imaginary: bool = False,
        given: Given | None = None,
    ) -> Value:  # fmt: skip
        key = f"{owner}@{self.epoch}" if kind == "attribute" else owner
        if key not in self.leaves:
            leaf = self.ops.leaf(name, owner, kind, dtype, imaginary, given)
            self.leaves[key] = self.facts.keep(key, leaf)
        return self.leaves[key]

    # -- expressions

    def eval(self, node: ast.expr, env: Env) -> Obj:
        """What an expression evaluates to. Never raises ``Unsupported``: what has no meaning is
        ``Unknown``."""
        self.facts.spent += 1
        if self.facts.spent > _BUDGET:
            raise TooLarge("the function is too large")
        kind = type(node)
        handler = _HANDLERS.get(kind)
        walked = kind in COMPREHENSIONS
        by_then = late(self.module, node) if walked or kind is ast.Call else None
        carried = carried_along(node) if walked else None
        if by_then is not None:
            result: Obj = self._evaluated_later(node, by_then, env)
        elif carried is not None:
            self._parts(node, env)
            reason = f"`{carried}` is carried from item to item"
            result = Unknown(reason, self.module.span(node))
        elif handler is None:
            self._parts(node, env)
            if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)):
                self.effect("call", "hands control to its caller", node)
            reason = f"`{type(node).__name__}` expressions have no notation"
            result = Unknown(reason, self.module.span(node))
        else:
            try:
                result = handler(self, node, env)
            except Unsupported as problem:
                if walked:
                    self._parts(node, env)
                span = self.module.span(node)
                result = Unknown(str(problem), span, self.mine(placed(span)))
        if isinstance(result, Unknown) and result.owner:
            self.given[result.owner] = Given.to(node, env)
        if self.active:
            self.origins.made(self, node, result, env)
        self.values[node] = result
        if kind in sharing.VIEWING or isinstance(result, sharing.UNSAID):
            sharing.remember(self, node, result)
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

    def _tuple(self, node: ast.Tuple, env: Env) -> Obj:
        return self._items(node.elts, env, "tuple")

    def _list(self, node: ast.List, env: Env) -> Obj:
        return self._items(node.elts, env, "list")

    def _items(self, nodes: list[ast.expr], env: Env, kind: str) -> Obj:
        items: list[Obj] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                inner = self.eval(node.value, env)
                if isinstance(inner, (Sequence, Shape)):
                    items.extend(self.items_of(inner))
                elif isinstance(inner, Value):
                    raise Unsupported("an unpacking of unknown length")
                else:
                    items.append(inner)
            else:
                items.append(self.eval(node, env))
        for item in items:
            if isinstance(item, Value):
                self.stored.add(item)
        return Sequence(tuple(items), kind)

    def items_of(self, several: Sequence | Shape) -> tuple[Obj, ...]:
        """What several things are, one by one; the sizes of a value of unknown rank are one."""
        if isinstance(several, Sequence):
            return several.items
        if self.ops.group_of(several.value) is not None:
            return (Spread(several),)
        return tuple(map(self.ops.scalar, self.extents_of(several)))

    def counted(self, items: tuple[Obj, ...]) -> tuple[Obj, ...]:
        """The items, of which each is one. Raises ``Unsupported``."""
        found: list[Obj] = []
        for item in items:
            sizes = self.extents_of(item.shape) if isinstance(item, Spread) else None
            found += [item] if sizes is None else map(self.ops.scalar, sizes)
        return tuple(found)

    def _starred(self, node: ast.Starred, env: Env) -> Obj:
        return self.eval(node.value, env)

    def _namedexpr(self, node: ast.NamedExpr, env: Env) -> Obj:
        result = self.eval(node.value, env)
        env[node.target.id] = result
        return result

    def _lambda(self, node: ast.Lambda, env: Env) -> Obj:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.eval(default, env)
        return Function(node, env)

    def _joinedstr(self, node: ast.JoinedStr, env: Env) -> Obj:
        self._parts(node, env)
        return Literal("")

    def _evaluated_later(self, node: ast.expr, by_then: Late, env: Env) -> Unknown:
        """What is walked when names and arrays are others than where it is written."""
        unknown = Unknown(by_then.reason, self.module.span(node))
        comprehensions.bind_in_passing(self, node, env)
        self._parts(node, {name: unknown if name in by_then.names else obj
                           for name, obj in env.items()})  # fmt: skip
        return unknown

    def _parts(self, node: ast.expr, env: Env) -> None:
        """Evaluate the parts of what has no notation itself: they may have effects."""
        if not isinstance(node, COMPREHENSIONS):
            for part in children(node):
                if isinstance(part, ast.expr):
                    self.eval(part, env)
            return
        comprehensions.bind_in_passing(self, node, env)
        inner = dict(env)
        for generator in node.generators:
            self.eval(generator.iter, inner)
            for name in everything_in(generator.target):
                if isinstance(name, ast.Name):
                    reason = f"`{name.id}` is an item of a comprehension"
                    inner[name.id] = Unknown(reason, self.module.span(name))
            for condition in generator.ifs:
                self.eval(condition, inner)
        results = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        for result in results:
            self.eval(result, inner)

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
        """An array after elements of it were written: of the same shape and, where it is no list,
        of the same type."""
        span, listed = self.module.span(node), base.library not in ("torch", "numpy")
        made = Value(base.name, self.ops.fresh(base.axes), None, None if listed else base.dtype,
                     "opaque", base.library, span)  # fmt: skip
        self.moved[made] = base
        self.origins.anything(self, made)
        return made

    def inline(self, term: Term, step: Index, varying: Iterable[Value] = ()) -> Term:
        """Expand reads of values whose definition depends on ``step``, or on what differs from
        step to step, so that it shows."""
        from auditor.lift.inline import inline, settled

        return settled(inline(term, step, varying=varying), step)

    # -- what other files say

    binary = arithmetic.binary
    of_its_own_length = arithmetic.of_its_own_length
    row = comprehensions.row
    rows_at = comprehensions.rows_at
    attribute = names.attribute
    truth = conditions.truth
    negate = conditions.negate
    choose = conditions.choose
    learn_from_assert = conditions.learn_from_assert
    learn_from_raise = conditions.learn_from_raise
    subscript_items = items.subscript_items
    same_cell = items.same_cell
    written_by = items.written_by
    chain_items = items.chain_items
    item_at = items.item_at
    iterate = binding.iterate
    bind = binding.bind
    unpack = binding.unpack
    unknown_call = invocation.unknown_call
    inline_call = invocation.inline_call


_HANDLERS: dict[type[ast.expr], Callable[[Lifter, Any, Env], Obj]] = {
    ast.Constant: Lifter._constant,
    ast.Name: names.name_of,
    ast.Attribute: names.attribute_of,
    ast.Tuple: Lifter._tuple,
    ast.List: Lifter._list,
    ast.Starred: Lifter._starred,
    ast.NamedExpr: Lifter._namedexpr,
    ast.Lambda: Lifter._lambda,
    ast.JoinedStr: Lifter._joinedstr,
    ast.BinOp: arithmetic.binop,
    ast.UnaryOp: arithmetic.unaryop,
    ast.BoolOp: conditions.boolop,
    ast.Compare: conditions.compare,
    ast.IfExp: conditions.ifexp,
    ast.Subscript: items.subscript,
    ast.Slice: items.slice_of,
    ast.ListComp: comprehensions.comprehension,
    ast.GeneratorExp: comprehensions.comprehension,
    ast.Call: invocation.call,
}
