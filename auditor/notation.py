"""Index notation: the frozen types that every room speaks.

A value is a scalar term over named axes: ``softmax(x)[i, j] = exp(x[i, j]) / sum_k exp(x[i, k])``.
Terms are interned: two terms are equal exactly when they are the same object, so sharing is free
to detect and comparison is an identity test. Bound indices are compared by identity too; equality
up to renaming is the business of the normal form (``auditor.algebra``).

Reading a value::

    Read(x, (i, j))                  the element x[i, j]; one subscript for each axis of x
    Read(x, (i, j), aligned=True)    a broadcast read: x's axes are aligned with the *rightmost*
                                     subscripts, and an axis of extent 1 is read at 0

An index with ``group=True`` stands for any number of axes (the ``...`` of NumPy); a value has at
most one. A group subscript may only be another group, whole.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal
from weakref import ref

if TYPE_CHECKING:
    from dataclasses import dataclass as frozen
else:

    def frozen(*, frozen, **options):
        """A frozen dataclass of which many are made: frozen in the eyes of the type checker. One
        that is so at run time takes three times as long to make."""
        return dataclass(**options)


_fresh = itertools.count()


@dataclass(frozen=True, order=True)
class Span:
    """A place in a source text: lines and columns count from 1, columns count characters, the end
    is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int

    def covers(self, inner: Span) -> bool:
        """Whether ``inner`` lies in it."""
        return (self.line, self.column) <= (inner.line, inner.column) and (
            inner.end_line,
            inner.end_column,
        ) <= (self.end_line, self.end_column)


class _Interned(type):
    """Constructing an equal term returns the existing object. (A ``WeakValueDictionary`` does the
    same with functions of Python at each term's birth and death: this runs a million times a
    minute.)"""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is Read and len(args) == 2:
            args = (*args, kwargs.pop("aligned", False))
        if kwargs or len(args) != len(cls.__match_args__):  # type: ignore[attr-defined]
            made = type.__call__(cls, *args, **kwargs)
            return cls(*(getattr(made, name) for name in made.__match_args__))
        # 1, 1.0 and True are equal and no less different constants
        key = (Const, type(args[0]), repr(args[0])) if cls is Const else (cls, *args)
        kept = _TERMS.get(key)
        found = kept() if kept is not None else None
        if found is None:  # entered until nothing else refers to it
            found = type.__call__(cls, *args)
            _TERMS[key] = ref(found, partial(_FORGET, key))
        return found


_TERMS: dict[Any, ref[Any]] = {}
_FORGET = _TERMS.pop


@frozen(frozen=True, eq=False)
class Term(metaclass=_Interned):
    """A scalar expression over indices. Equality is identity."""

    def __str__(self) -> str:
        text: str | None = self.__dict__.get("_text")
        if text is None:
            text = show(self)
            object.__setattr__(self, "_text", text)
        return text


@frozen(frozen=True, eq=False)
class Const(Term):
    """A number, a boolean or a string constant; ``inf`` is ``Const(float("inf"))``."""

    value: int | float | complex | bool | str | None


@frozen(frozen=True, eq=False)
class Symbol(Term):
    """An unknown non-negative integer: an extent such as ``x.shape[0]``. Equal names are equal."""

    name: str


class _Fresh(_Interned):
    """Every object is a new one."""

    __call__ = type.__call__


@frozen(frozen=True, eq=False)
class Index(Term, metaclass=_Fresh):
    """A bound variable running over ``0 .. extent - 1`` (or, for a group, over several axes).
    ``said`` is what the source calls it, where it has a name for it."""

    name: str
    extent: Term
    group: bool = False
    uid: int = field(default_factory=_fresh.__next__)
    said: str = ""


@frozen(frozen=True, eq=False)
class Read(Term):
    """An element of a value; see the module's text for ``aligned``."""

    value: Value
    subs: tuple[Term, ...]
    aligned: bool = False


@frozen(frozen=True, eq=False)
class Apply(Term):
    """A pointwise function of scalars.

    Operators (numbers of arguments in brackets): ``add mul`` (n) ``sub div pow floordiv mod max
    min atan2`` (2), ``neg abs exp log sqrt rsqrt sin cos tan tanh sinh cosh sigmoid relu softplus
    silu gelu erf floor ceil round sign log1p expm1 exp2 log2 log10 reciprocal square not conj real
    imag`` (1), ``logaddexp`` (2), ``eq ne lt le gt ge and or xor`` (2), ``where`` (3: condition,
    then, otherwise), ``cast:<dtype>`` (1), and ``call:<name>`` (n) for a function that is known to
    be pure and elementwise but has no algebra here.
    """

    op: str
    args: tuple[Term, ...]


@frozen(frozen=True, eq=False)
class Reduce(Term):
    """``op`` over every value of ``index``: ``sum prod max min any all argmax argmin``."""

    op: str
    index: Index
    body: Term


@frozen(frozen=True, eq=False)
class Order(Term):
    """The element at place ``rank`` when ``body`` is ordered over ``index``.

    ``what`` says whether its value or its position is meant. A sort, an argsort, a top-k and a
    k-th value are this term; they differ in the extent that ``rank`` runs over.
    """

    index: Index
    body: Term
    rank: Term
    descending: bool
    what: Literal["values", "indices"]


@frozen(frozen=True, eq=False)
class Trace(Term):
    """The ``slot``-th carried value of ``scan`` after step ``step`` (-1: the initial value)."""

    scan: Scan
    slot: int
    step: Term
    subs: tuple[Term, ...]


Kind = Literal["input", "attribute", "free", "opaque", "state", "derived"]
Library = Literal["torch", "numpy", "python"]
Sources = Callable[[], frozenset[str] | None]


@frozen(frozen=True, eq=False, init=False)
class Value:
    """A named array or scalar.

    ``body`` is a term over ``axes``; it is None for what the code does not define: parameters
    (``input``), attributes of self (``attribute``), globals and closures (``free``), results
    without a meaning (``opaque``) and the carried values of a loop body (``state``). A value
    without axes is a scalar. ``dtype`` is a torch dtype name, ``int``, ``float``, ``bool`` or
    ``complex`` for Python scalars, or None when unknown. ``name`` is how the source spells it, or
    the beginning of its body. ``made`` says what function of which array a result is that notation
    alone does not tell: an inverse, or one-hot vectors, which have to be of places within range.
    ``owner`` is whose shape it has: what is known of that is kept under this name; ``start`` is the
    array that a carried value begins as, and has the shape of. ``made_complex`` says that what
    makes it, or its start, may give complex numbers where the dtype does not say so. ``given``
    tells the names of what a result without a meaning is made from, None where that is unknown.
    """

    name: str
    axes: tuple[Index, ...]
    body: Term | None = None
    dtype: str | None = None
    kind: Kind = "derived"
    library: Library | None = None
    span: Span | None = None
    uid: int = field(default_factory=_fresh.__next__)
    made: tuple[str, Value] | None = None
    owner: str | None = None
    start: Value | None = None
    made_complex: bool = False
    given: Sources | None = None

    # As the dataclass would write it, in a third of the time; ``name`` may be None.
    def __init__(
        self, name: str | None, axes: tuple[Index, ...], body: Term | None = None,
        dtype: str | None = None, kind: Kind = "derived", library: Library | None = None,
        span: Span | None = None, uid: int | None = None, made: tuple[str, Value] | None = None,
        owner: str | None = None, start: Value | None = None, made_complex: bool = False,
        given: Sources | None = None,
    ) -> None:  # fmt: skip
        held = self.__dict__
        if name is not None:
            held["name"] = name
        held["axes"], held["body"], held["dtype"], held["kind"] = axes, body, dtype, kind
        held["library"], held["span"], held["made"] = library, span, made
        held["uid"] = next(_fresh) if uid is None else uid
        held["owner"], held["start"], held["made_complex"] = owner, start, made_complex
        held["given"] = given

    if not TYPE_CHECKING:

        def __getattr__(self, attribute: str) -> str:
            """``name``, where it is asked for and nobody gave one: few are ever shown."""
            if attribute != "name":
                raise AttributeError(attribute)
            name = self.__dict__["name"] = str(self.body)[:60]
            return name

    @property
    def imaginary(self) -> bool:
        """Whether its elements may be complex numbers, as far as something says so."""
        return self.made_complex or (self.dtype or "").startswith("complex")

    @property
    def is_named(self) -> bool:
        """Whether the name could be the source's, and is no description of the body."""
        given = "name" in self.__dict__ or not isinstance(self.body, Apply)
        return given and self.name.isidentifier()

    def at(self, *subs: Term) -> Term:
        """The element at ``subs``."""
        return Read(self, subs)


@frozen(frozen=True, eq=False)
class Carry:
    """One carried value of a loop: ``init`` and ``update`` are terms over ``state.axes`` (and, for
    ``update``, the scan's step); ``update`` reads the previous values through the states.
    ``begins`` is the dtype that it has before the first step, where that is known."""

    name: str
    state: Value
    init: Term
    update: Term
    begins: str | None = None


@dataclass(eq=False)
class Scan:
    """A loop with state: ``step`` runs over ``0 .. extent - 1`` in the order of execution.

    ``carries`` is filled in once, by the lifter, after the states exist.
    """

    step: Index
    span: Span | None = None
    carries: tuple[Carry, ...] = ()
    uid: int = field(default_factory=_fresh.__next__)
    mentions: frozenset[Term] | None = field(default=None, repr=False)


@frozen(frozen=True, eq=False)
class Computation:
    """What the properties are asked of: a loop, a reduction or a tensor expression.

    ``outputs`` are the values that leave it. For a loop ``scan`` is set and ``per_step`` holds the
    terms that are collected at every step (over ``scan.step``), reading states *after* the step as
    ``Trace(scan, slot, scan.step, ...)``; ``final`` the slots whose last value is used after it.
    ``effects`` are what the code does besides computing values, as (kind, what it does). ``places``
    say where results go in arrays that are written cell by cell, a term for each axis: of the
    outputs, or of a loop's carries and then its per-step terms; an empty one is not known, or is
    the result's own indices.
    """

    kind: Literal["loop", "reduction", "expression"]
    scope: str
    span: Span
    outputs: tuple[Value, ...]
    scan: Scan | None = None
    per_step: tuple[Term, ...] = ()
    final: tuple[int, ...] = ()
    effects: tuple[tuple[str, str], ...] = ()
    places: tuple[tuple[Term, ...], ...] = ()


ZERO, ONE = Const(0), Const(1)
TRUE, FALSE, NONE = Const(True), Const(False), Const(None)
INF = Const(float("inf"))


def children(term: Term) -> tuple[Term, ...]:
    """The direct subterms (a read's subscripts, not the body of the value it reads)."""
    below = _CHILDREN.get(type(term))
    return () if below is None else below(term)


_CHILDREN: dict[type[Term], Callable[[Any], tuple[Term, ...]]] = {
    Apply: lambda term: term.args,
    Reduce: lambda term: (term.body,),
    Read: lambda term: term.subs,
    Order: lambda term: (term.body, term.rank),
    Trace: lambda term: (term.step, *term.subs),
}


def rebuild(term: Term, parts: tuple[Term, ...]) -> Term:
    """``term`` with its direct subterms replaced, in the order of ``children``."""
    if isinstance(term, Apply):
        return Apply(term.op, parts)
    if isinstance(term, Reduce):
        return Reduce(term.op, term.index, parts[0])
    if isinstance(term, Read):
        return Read(term.value, parts, term.aligned)
    if isinstance(term, Order):
        return Order(term.index, parts[0], parts[1], term.descending, term.what)
    if isinstance(term, Trace):
        return Trace(term.scan, term.slot, parts[0], parts[1:])
    return term


def transform(term: Term, change: Callable[[Term], Term]) -> Term:
    """Rebuild bottom-up; ``change`` sees each subterm once, after its own subterms."""
    done: dict[Term, Term] = {}
    stack = [term]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        below_of = _CHILDREN.get(type(node))
        below = () if below_of is None else below_of(node)
        missing = False
        for part in below:
            if part not in done:
                if type(part) in _CHILDREN:
                    stack.append(part)
                    missing = True
                else:  # an atom, which has nothing below it to wait for
                    done[part] = change(part)
        if missing:
            continue
        stack.pop()
        parts = tuple([done[part] for part in below])
        done[node] = change(node if parts == below else rebuild(node, parts))
    return done[term]


def substitute(term: Term, by: dict[Term, Term]) -> Term:
    """Replace indices (or any atoms) by terms. Bound indices are unique, so nothing is captured
    as long as ``refresh`` is called on a body that is used twice under one binder."""
    if not by:
        return term
    scans: dict[Scan, Scan] = {}

    def change(node: Term) -> Term:
        found = by.get(node)
        if found is not None:
            return found
        if isinstance(node, (Reduce, Order)) and not isinstance(node.index.extent, (Const, Symbol)):
            extent = substitute(node.index.extent, by)
            if extent is not node.index.extent:
                new = Index(node.index.name, extent, node.index.group)
                body = transform(node.body, lambda part: new if part is node.index else part)
                if isinstance(node, Reduce):
                    return Reduce(node.op, new, body)
                return Order(new, body, node.rank, node.descending, node.what)
        if isinstance(node, Trace) and not by.keys().isdisjoint(mentioned(node.scan)):
            scan = scans.get(node.scan)
            if scan is None:
                free = mentioned(node.scan)
                inner = {old: new for old, new in by.items() if old in free}
                scan = scans[node.scan] = through(node.scan, lambda part: substitute(part, inner))
            return Trace(scan, node.slot, node.step, node.subs)
        return node

    return transform(term, change)


def mentioned(scan: Scan) -> frozenset[Term]:
    """The indices and symbols that a scan's extent and carries mention, without its own step and
    the axes of its states."""
    if scan.mentions is None:
        found: set[Term] = set()
        stack = [scan.step.extent]
        for carry in scan.carries:
            stack.extend((carry.init, carry.update))
        while stack:
            for node in walk(stack.pop()):
                if node in found:
                    continue
                if isinstance(node, (Index, Symbol)):
                    found.add(node)
                elif isinstance(node, (Reduce, Order)):
                    stack.append(node.index.extent)
                elif isinstance(node, Trace):
                    found |= mentioned(node.scan)
        found.discard(scan.step)
        for carry in scan.carries:
            found.difference_update(carry.state.axes)
        scan.mentions = frozenset(found)
    return scan.mentions


def through(scan: Scan, change: Callable[[Term], Term]) -> Scan:
    """The scan with its extent, initial values and updates changed."""
    extent = change(scan.step.extent)
    step = scan.step if extent is scan.step.extent else Index(scan.step.name, extent)
    renamed: dict[Term, Term] = {} if step is scan.step else {scan.step: step}
    made = Scan(step, scan.span)
    made.carries = tuple(
        Carry(
            carry.name,
            carry.state,
            change(carry.init),
            substitute(change(carry.update), renamed),
        )
        for carry in scan.carries
    )
    return made


def walk(term: Term) -> Iterator[Term]:
    """Every distinct subterm once, parents before children."""
    seen: set[Term] = set()
    stack = [term]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        stack.extend(reversed(children(node)))


def free_indices(term: Term) -> frozenset[Index]:
    """The indices that occur in ``term`` and are not bound in it."""
    if isinstance(term, Index):  # not kept with it: that would be a cycle
        return frozenset((term,))
    stack = [term]
    while stack:
        node = stack[-1]
        if "_free" in node.__dict__:
            stack.pop()
            continue
        missing = [
            part for part in children(node)
            if not isinstance(part, Index) and "_free" not in part.__dict__
        ]  # fmt: skip
        if missing:
            stack += missing
            continue
        stack.pop()
        object.__setattr__(node, "_free", _free(node))
    known: frozenset[Index] = term.__dict__["_free"]
    return known


def _free(node: Term) -> frozenset[Index]:
    """The free indices of a term whose parts have theirs."""
    if isinstance(node, (Reduce, Order)):
        inner = free_indices(node.body) - {node.index}
        return inner | free_indices(node.rank) if isinstance(node, Order) else inner
    return frozenset().union(*map(free_indices, children(node)))


def binds(term: Term) -> bool:
    """Whether a term binds an index of its own."""
    known: bool | None = term.__dict__.get("_binds")
    if known is None:
        known = any(isinstance(node, (Reduce, Order)) for node in walk(term))
        object.__setattr__(term, "_binds", known)
    return known


def refresh(term: Term) -> Term:
    """Rename every bound index, so that the term may stand inside another binder of its own."""
    if not binds(term):
        return term

    def renew(node: Term) -> Term:
        if isinstance(node, (Reduce, Order)):
            new = Index(node.index.name, node.index.extent, node.index.group)
            body = substitute(node.body, {node.index: new})
            if isinstance(node, Reduce):
                return Reduce(node.op, new, body)
            return Order(new, body, node.rank, node.descending, node.what)
        return node

    return transform(term, renew)


def definition(read: Read) -> Term | None:
    """The element that ``read`` names, one definition deep, or None for a leaf and for a broadcast
    read that cannot be pushed into the definition."""
    value = read.value
    if value.body is None:
        return None
    if binds(value.body):
        return _defined(read, refresh(value.body))
    # of what binds nothing it is the same term each time, which is asked for again and again
    known = read.__dict__.get("_definition")
    if known is None:
        known = (_defined(read, value.body),)
        object.__setattr__(read, "_definition", known)
    found: Term | None = known[0]
    return found


def _defined(read: Read, body: Term) -> Term | None:
    """The element that ``read`` names where ``body`` is the definition of its value."""
    if read.aligned and not _plain(read):
        return _broadcast_definition(read, body)
    body = substitute(body, dict(zip(read.value.axes, read.subs, strict=True)))
    return transform(body, _settled) if any(isinstance(s, Const) for s in read.subs) else body


def _settled(term: Term) -> Term:
    """A choice by whether two numbers are equal, made: item 1 of a stack is what was put there."""
    if isinstance(term, Apply) and term.op == "where":
        condition, then, otherwise = term.args
        if isinstance(condition, Apply) and condition.op == "eq":
            left, right = condition.args
            if isinstance(left, Const) and isinstance(right, Const):
                return then if left.value == right.value else otherwise
    return term


def _plain(read: Read) -> bool:
    """An aligned read that is a plain one: same number of axes, equal extents."""
    return len(read.subs) == len(read.value.axes) and all(
        isinstance(sub, Index) and sub.extent is axis.extent and sub.group == axis.group
        for sub, axis in zip(read.subs, read.value.axes, strict=True)
    )


def _broadcast_definition(read: Read, body: Term) -> Term | None:
    """Broadcasting composes: reading ``a + b`` broadcast is adding both read broadcast. Possible
    where the definition uses its axes as subscripts only, or in arithmetic those that are read
    over their own extent."""
    axes = read.value.axes
    group = next((p for p, axis in enumerate(axes) if axis.group), None)
    tail = len(axes) if group is None else len(axes) - group - 1
    if group or tail > len(read.subs):
        return None
    spliced: dict[Term, tuple[Term, ...]] = {}
    cut = len(read.subs) - tail
    for axis, sub in zip(axes[len(axes) - tail :], read.subs[cut:], strict=True):
        spliced[axis] = (sub,)
    if group is not None:
        before = read.subs[:cut]
        alike = [sub for sub in before if _is_axis_of(sub, axes[group])]
        if alike and alike != [before[-1]]:
            return None
        spliced[axes[group]] = tuple(alike) or before
    own: dict[Term, Term] = {
        axis: sub
        for axis, sub in zip(axes[len(axes) - tail :], read.subs[cut:], strict=True)
        if isinstance(sub, Index) and sub.extent is axis.extent and not sub.group
    }
    failed = False

    def change(node: Term) -> Term:
        nonlocal failed
        if isinstance(node, Read):
            if any(sub in spliced for sub in node.subs):
                subs = tuple(new for sub in node.subs for new in spliced.get(sub, (sub,)))
                return Read(node.value, subs, aligned=True)
            return node
        parts = children(node)
        if spliced.keys().isdisjoint(parts):
            return node
        failed = failed or not all(part in own for part in parts if part in spliced)
        return rebuild(node, tuple(own.get(part, part) for part in parts))

    if body in spliced:
        return None
    result = transform(body, change)
    return None if failed else result


def _is_axis_of(sub: Term, axis: Index) -> bool:
    """Whether a subscript runs over axes of unknown number that are as many as an axis stands
    for."""
    return isinstance(sub, Index) and sub.group and sub.extent is axis.extent


_INFIX = {
    "add": " + ", "mul": "*", "sub": " - ", "div": "/", "pow": "^", "floordiv": "//", "mod": " % ",
    "eq": " == ", "ne": " != ", "lt": " < ", "le": " <= ", "gt": " > ", "ge": " >= ",
    "and": " and ", "or": " or ", "is": " is ",
}  # fmt: skip


def show(term: Term) -> str:
    """The term as a person would write it."""
    if isinstance(term, Apply):
        return _show_function(term)
    if isinstance(term, Read):
        subs = ", ".join(map(str, term.subs))
        return f"{term.value.name}[{subs}]" if term.subs else term.value.name
    if isinstance(term, Symbol):
        return term.name
    if isinstance(term, Const):
        return str(term.value)
    if isinstance(term, Index):
        return "..." if term.group else term.name
    if isinstance(term, Trace):
        name = term.scan.carries[term.slot].name
        return f"{name}[{', '.join(map(show, (term.step, *term.subs)))}]"
    if isinstance(term, Reduce):
        return f"{term.op}_{term.index.name} {_bracket(term.body)}"
    assert isinstance(term, Order)
    way = "descending" if term.descending else "ascending"
    ordered = f"{_bracket(term.body)} over {term.index.name}, {way}"
    return f"{term.what} at {show(term.rank)} of {ordered}"


def _show_function(term: Apply) -> str:
    if term.op == "neg":
        return f"-{_bracket(term.args[0])}"
    if term.op in _INFIX:
        return _INFIX[term.op].join(map(_bracket, term.args))
    name = term.op.removeprefix("call:").removeprefix("cast:")
    if name.startswith(("like ", "to ")):
        name = "like"
    return f"{name}({', '.join(map(str, term.args))})"


def _bracket(term: Term) -> str:
    text = str(term)
    loose = isinstance(term, Reduce) or (isinstance(term, Apply) and term.op in _INFIX)
    return f"({text})" if loose else text
