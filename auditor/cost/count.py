"""What a lifted function costs, statement by statement, as its code stands.

Every operation of the code is one ``Work``: an operator or a call on arrays is launched, reads its
operands and writes its result; one on plain numbers is a step of the interpreter. What a loop does
is done as often as the loop steps. How much arithmetic an operation is, is read off what it
computes, so that ``einsum``, ``@`` and a sum of products cost alike. Both branches of a condition
are counted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from auditor import tree
from auditor.cost.kernels import kernel_work
from auditor.cost.shapes import DOUBLE, Extents, Shapes, bytes_of, has_group, operands_of
from auditor.cost.work import Work
from auditor.lift import Lifted, extents
from auditor.lift.objects import (
    Collected,
    Instance,
    Iteration,
    Method,
    Named,
    Obj,
    Sequence,
)
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Const,
    Order,
    Read,
    Reduce,
    Symbol,
    Term,
    Trace,
    Value,
    free_indices,
    walk,
)
from auditor.syntax import path_of
from auditor.tree import descendants

_SPECIALS = frozenset(
    "exp exp2 expm1 log log2 log10 log1p sin cos tan tanh sinh cosh sigmoid softplus silu gelu erf"
    " pow logaddexp atan2 sqrt rsqrt div".split()
)
_CONTRACTIONS = frozenset(
    "matmul mm bmm mv dot vdot inner outer einsum tensordot linear addmm baddbmm addmv multi_dot"
    " kron conv1d conv2d conv3d convolve correlate".split()
)
_CONVOLUTIONS = frozenset("conv1d conv2d conv3d".split())
_CONVOLVED = ("convolve", "correlate")
_FFTS = frozenset("fft ifft rfft irfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn".split())
_FFT_CALLS = Const(8)
"""So many plain calls of NumPy cost as much as one of its transforms of few numbers."""
_MOVING = frozenset(
    "contiguous clone copy repeat tile roll flip gather index_select take cat concat concatenate"
    " stack vstack hstack to float double half astype numpy array tolist flatten ravel".split()
)
# Operations for each element of what runs along an axis.
_RUNNING = {
    "cumsum": 8, "cumprod": 8, "cummax": 24, "cummin": 24, "accumulate": 12, "logcumsumexp": 140,
}  # fmt: skip
# Numbers in a line of memory; steps whose lines are still near when the next column comes by, and
# columns of so many steps that together they are.
_LINE, _NEAR_STEPS, _NEAR_COLUMNS = Const(16), Const(128), Const(64)
# Operations for each row that NumPy reduces by itself, and for one of which it takes an extreme.
_ROW, _EXTREME_ROW = Const(50), Const(150)
_EXTREMES = frozenset("max min amax amin nanmax nanmin ptp".split())
# Multiplications for each n * n * n of a matrix of n rows (Golub and Van Loan, "Matrix
# Computations", 4th edition, sections 3.2, 4.2, 5.2 and 8.6), as wholes.
_FACTORED = {
    "inv": 3, "inverse": 3, "matrix_power": 10, "solve": 1, "solve_triangular": 1, "det": 1,
    "cholesky": 1, "slogdet": 1, "qr": 2, "lstsq": 2, "pinv": 20, "svd": 20, "svdvals": 5,
    "eigh": 9, "eigvalsh": 2, "eig": 25, "eigvals": 10, "matrix_exp": 20,
}  # fmt: skip
_ORDERS = frozenset("sort argsort sorted topk kthvalue median unique partition msort".split())
_BUILTINS = frozenset("sum min max any all list tuple set sorted len zip enumerate map".split())
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_SCATTERS = frozenset(
    "bincount at index_add index_add_ scatter_add scatter_add_ scatter_reduce scatter_reduce_"
    " histogram".split()
)
# Operations for each item of a sorted list and for each element of a sorted array, of one that
# the first are selected from, and of what is added at places given by an array.
_SORTING, _ARRAY_SORTING, _SELECTING, _SCATTERING = Const(8), Const(150), Const(8), Const(40)
# Operations for each item of a list that a method or a function of heaps walks.
_WALKS = {
    "remove": ONE, "index": ONE, "count": ONE, "insert": ONE, "reverse": ONE, "copy": ONE,
    "sort": _SORTING, "heapify": Const(2), "nlargest": Const(2), "nsmallest": Const(2),
}  # fmt: skip
# The same of ``itertools.accumulate``: it adds, or calls an operator, or anything else.
_ADDED, _OPERATED, _CALLED = ONE, Const(2), Const(10)
# Steps of the interpreter for an operation on a number of NumPy's, for reading or writing one.
_NUMPY_NUMBER = Const(3)
_MANY_TERMS = 400
# Operations for each element whose variance torch takes on a CPU: one number at a time.
_SPREADS, _SPREAD = frozenset("var std var_mean std_mean".split()), Const(14)


@dataclass(frozen=True)
class Costs:
    """The work of a function by statement: the loops that it stands in with its text, in order;
    the ``shapes`` that names have and the ``libraries`` of their arrays, the extents that loops
    step through, those that are taken off them, and how many loops stand one within the other."""

    statements: tuple[tuple[tuple[str, ...], tuple[Work, ...]], ...]
    shapes: Mapping[str, Extents]
    trips: frozenset[Term]
    depth: int
    windows: frozenset[Term] = frozenset()
    libraries: Mapping[str, str] = field(default_factory=dict)


def count(lifted: Lifted, device: str, before: Costs | None = None) -> Costs:
    """What the function costs on a ``cpu`` or on ``cuda``. What names were ``before`` holds where
    the lift does not tell."""
    shapes_before = dict(before.shapes) if before is not None else {}
    libraries = dict(before.libraries) if before is not None else {}
    counter = _Counter(lifted, shapes_before, libraries, device)
    counter.block(lifted.node.body, ONE, ())
    shapes = {**counter.known, **counter.shapes}
    trips, windows = frozenset(counter.trips), frozenset(counter.windows)
    return Costs(tuple(counter.found), shapes, trips, counter.depth, windows, libraries)


@dataclass
class _Counter(Shapes):
    device: str = "cpu"
    shapes: dict[str, Extents] = field(default_factory=dict)
    found: list[tuple[tuple[str, ...], tuple[Work, ...]]] = field(default_factory=list)
    trips: set[Term] = field(default_factory=set)
    windows: set[Term] = field(default_factory=set)
    depth: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        values = self.values
        self.given = {value for value in values.values() if isinstance(value, Value)}
        named = [
            (node.id, value)
            for node in descendants(self.lifted.node)
            if isinstance(node, ast.Name)
            and isinstance(value := values.get(node), Value) and value.axes
        ]  # fmt: skip
        for name, value in sorted(named, key=lambda pair: has_group(pair[1])):
            self.shapes.setdefault(name, self.extents(value))
            if value.library in ("torch", "numpy"):
                self.libraries.setdefault(name, value.library)

    # statements

    def block(self, body: list[ast.stmt], times: Term, path: tuple[str, ...]) -> None:
        for statement in body:
            self.statement(statement, times, path)

    def statement(self, node: ast.stmt, times: Term, path: tuple[str, ...]) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import,
                             ast.ImportFrom)):  # fmt: skip
            return
        if isinstance(node, (ast.For, ast.While)):
            head = node.iter if isinstance(node, ast.For) else node.test
            extent = self.trip(node, head)
            inner = extents.mul(times, extent)
            self.depth = max(self.depth, len(path) + 1)
            header = ast.unparse(head)
            once = isinstance(node, ast.For)
            works = [*self.expression(head, times if once else inner), Work(inner, steps=ONE)]
            self.found.append(((*path, header), tuple(works)))
            self.block(node.body, inner, (*path, header))
            self.block(node.orelse, times, path)
        elif isinstance(node, (ast.If, ast.With, ast.Try, ast.Match)):
            heads = [part for part in tree.children(node) if isinstance(part, ast.expr)]
            works = [work for part in heads for work in self.expression(part, times)]
            text = "; ".join(map(ast.unparse, heads))
            self.found.append(((*path, text), (*works, Work(times, steps=ONE))))
            for part in ("body", "orelse", "finalbody"):
                self.block(getattr(node, part, []), times, path)
            for case in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                self.block(case.body, times, path)
        elif not _says_nothing(node):
            works = list(self.simple(node, times))
            self.found.append(((*path, ast.unparse(node)), (*works, Work(times, steps=ONE))))

    def simple(self, node: ast.stmt, times: Term) -> Iterator[Work]:
        for part in tree.children(node):
            if isinstance(part, ast.expr):
                yield from self.expression(part, times)
        if isinstance(node, ast.AugAssign):
            parts: list[ast.expr] = [node.target, node.value]
            if isinstance(node.target, ast.Subscript):
                yield self.view(node.target.value, times)
                yield self.stored(node.target, node.value, times)
            yield self.operator(node.value, times, parts, self.of(node.value))
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in targets:
            if isinstance(target, ast.Subscript):
                yield self.stored(target, node.value, times)  # type: ignore[attr-defined]
            elif isinstance(target, ast.Name):
                self.bound(target.id, node.value)  # type: ignore[attr-defined]

    def bound(self, name: str, value: ast.expr) -> None:
        """Note how long a list is at first that a name stands for: the notation does not tell it of
        one that a loop changes."""
        length = self.length(value)
        if length is not None and self.library_of(value) == "python":
            self.known.setdefault(name, (length,))
            self.libraries.setdefault(name, "python")

    def stored(self, target: ast.Subscript, value: ast.expr, times: Term) -> Work:
        """Writing into a part of an array."""
        shape = self.of(value)
        written = extents.mul(Const(2 * self.width(value)), *(shape or ()))
        match self.library_of(target.value):
            case "torch":
                return Work(times, launches=ONE, views=ONE, bytes=written)
            case "numpy" if shape == ():
                return Work(times, steps=_NUMPY_NUMBER, bytes=written)
            case "numpy":
                return Work(times, numpy_views=Const(2), bytes=written)
        return Work(times, steps=ONE)

    def trip(self, node: ast.For | ast.While, head: ast.expr) -> Term:
        """How often a loop steps."""
        loop = next((loop for loop in self.lifted.lifter.loops if loop.node is node), None)
        extent = loop.step.extent if loop is not None else self.length(head)
        if extent is None:
            extent = Symbol(f"steps of `{ast.unparse(head)[:40]}`")
        return self.noted(extent)

    def noted(self, extent: Term) -> Term:
        extent = self.lifted.facts.extent(extent)
        blocks = {
            node for part in walk(extent) if isinstance(part, Apply) and part.op == "floordiv"
            for node in walk(part.args[1])
        }  # fmt: skip
        self.trips.update(
            node for node in walk(extent)
            if not isinstance(node, (Apply, Const)) and node not in blocks
        )  # fmt: skip
        parts = extents.polynomial(extent)
        if any(factor > 0 and monomial for monomial, factor in parts.items()):
            self.windows.update(
                atom for monomial, factor in parts.items() if factor < 0 for atom in monomial
            )
        return extent

    def length(self, node: ast.expr) -> Term | None:
        """How many items something has that is walked."""
        value = self.values.get(node)
        if isinstance(value, Iteration):
            return value.extent
        if isinstance(value, Sequence):
            return Const(len(value.items))
        if isinstance(value, Collected):
            return value.step.extent
        shape = self.of(node)
        return shape[0] if shape else None

    # expressions

    def expression(self, node: ast.expr, times: Term) -> Iterator[Work]:
        """The operations of an expression, operands first."""
        if isinstance(node, (ast.Lambda, ast.Constant)):
            return
        if isinstance(node, _COMPREHENSIONS):
            yield from self.comprehension(node, times)
            return
        for part in operands_of(node):
            yield from self.expression(part, times)
        match node:
            case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.BoolOp():
                yield self.operator(node, times, operands_of(node), self.of(node))
            case ast.Call():
                yield from self.call(node, times)
            case ast.Subscript() if isinstance(node.ctx, ast.Load):
                yield self.subscript(node, times)
            case ast.Attribute() if self.of(node) and self.is_array(node.value):
                yield self.view(node.value, times)

    def comprehension(self, node: ast.expr, times: Term) -> Iterator[Work]:
        for clause in node.generators:  # type: ignore[attr-defined]
            yield from self.expression(clause.iter, times)
            extent = self.length(clause.iter)
            if extent is None:
                extent = Symbol(f"items of `{ast.unparse(clause.iter)[:40]}`")
            times = extents.mul(times, self.noted(extent))
            for test in clause.ifs:
                yield from self.expression(test, times)
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]  # type: ignore[attr-defined]
        for part in made:
            yield from self.expression(part, times)
        yield Work(times, steps=ONE)

    def operator(
        self, node: ast.expr, times: Term, operands: list[ast.expr], shape: Extents | None
    ) -> Work:
        """An operator; on NumPy's numbers it is a few steps."""
        if not shape and self.library_of(node, *operands) == "numpy":
            return Work(times, steps=_NUMPY_NUMBER)
        return self.operation(node, times, operands, shape)

    def operation(
        self, node: ast.expr, times: Term, operands: list[ast.expr], shape: Extents | None
    ) -> Work:
        """One operator or function on arrays, or on plain numbers."""
        library = self.library_of(node, *operands)
        if library == "python":
            return Work(times, steps=ONE)
        moved = self.bytes([*operands], shape, node)
        if _name(node) in _RUNNING and isinstance(node, ast.Call):
            moved = extents.mul(moved, self.lines(node, shape or ()))
        operations, specials, products = self.arithmetic(node, shape)
        return Work(
            times,
            launches=ONE if library == "torch" else ZERO,
            calls=ONE if library == "numpy" else ZERO,
            bytes=moved,
            operations=operations,
            specials=specials,
            products=products,
        )

    def call(self, node: ast.Call, times: Term) -> Iterator[Work]:
        name = _name(node)
        operands = [*node.args, *(keyword.value for keyword in node.keywords)]
        if isinstance(node.func, ast.Attribute) and self.is_array(node.func.value):
            operands = [node.func.value, *operands]
        path = path_of(self.lifted.module, node.func) or ""
        if path.startswith("auditor.kernels."):
            shapes = [known for part in operands if (known := self.of(part) or self.counts(part))]
            numbers = [number for part in operands if (number := self.number(part)) is not None]
            width = Const(self.width(node))
            library = self.library_of(node, *operands)
            yield kernel_work(name, self.device, times, shapes, numbers, width, library)
            return
        if path == "itertools.accumulate" and node.args:
            yield self.accumulated(node.args, times)
            return
        if isinstance(node.func, ast.Name) and name in _BUILTINS and not path:
            yield from self.builtin(name, operands, times)
            return
        arrays = [part for part in operands if self.is_array(part)]
        shape = self.of(node)
        if name in _WALKS and (path.startswith("heapq.") or not (path or shape)):
            yield from self.walked(name, node, times)
        if not shape and self.library_of(node, *operands) == "python":
            yield Work(times, steps=Const(2))
        elif shape is not None and arrays and name not in _MOVING and self.moves_nothing(node):
            yield self.view(node, times)
        else:
            yield self.operation(node, times, operands, shape)
            yield Work(times, operations=self.searched(name, arrays))
            if name in _FFTS and self.library_of(node) == "numpy":
                yield Work(times, calls=_FFT_CALLS)
            yield from self.inlined(node, times, path)

    def builtin(self, name: str, operands: list[ast.expr], times: Term) -> Iterator[Work]:
        """What walks its argument, and calls a function for each of its items."""
        lengths = [length for part in operands if (length := self.length(part)) is not None]
        items = lengths[0] if lengths else ONE
        rounds = _SORTING if name == "sorted" else ONE
        yield Work(times, steps=ONE, items=ZERO if name == "len" else extents.mul(rounds, items))
        for part in operands:
            if isinstance(part, ast.Lambda):
                every = extents.mul(times, items)
                yield Work(every, steps=Const(2))
                yield from self.expression(part.body, every)

    def walked(self, name: str, node: ast.Call, times: Term) -> Iterator[Work]:
        """What a method of a list, or a function of heaps, walks through."""
        given = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        lengths = [length for part in (*given, *node.args) if (length := self.length(part))]
        yield Work(times, items=extents.mul(_WALKS[name], lengths[0] if lengths else ONE))

    def accumulated(self, given: list[ast.expr], times: Term) -> Work:
        """What ``accumulate`` does for each of the items that it walks."""
        by = _ADDED
        if len(given) > 1:
            path = path_of(self.lifted.module, given[1]) or ""
            by = _OPERATED if path.startswith("operator.") else _CALLED
        length = self.length(given[0])
        return Work(times, items=extents.mul(by, length) if length is not None else by)

    def searched(self, name: str, arrays: list[ast.expr]) -> Term:
        """What sorting, selecting, adding at given places and torch's way with deviations cost
        beside their arithmetic."""
        shapes = [shape for part in arrays if (shape := self.of(part))]
        if not shapes:
            return ZERO
        if name in _SCATTERS:
            return extents.mul(_SCATTERING, *shapes[-1])
        if name in _ORDERS:
            sorts = "sort" in name or name == "unique"
            return extents.mul(_ARRAY_SORTING if sorts else _SELECTING, *shapes[0])
        if name in _SPREADS and self.library_of(*arrays) == "torch":
            return extents.mul(_SPREAD, *shapes[0])
        return ZERO

    def inlined(self, node: ast.Call, times: Term, path: str) -> Iterator[Work]:
        """What a function or module of the file does that was read in the call's place."""
        called, made = self.values.get(node.func), self.values.get(node)
        known = isinstance(called, (Named, Method, Instance)) and not _of_file(called)
        if path or known or not isinstance(made, Value):
            return
        seen: set[Value] = set()
        stack = [made]
        while stack and len(seen) < _MANY_TERMS:
            value = stack.pop()
            for term in walk(value.body) if value.body is not None else ():
                read = term.value if isinstance(term, Read) else None
                if read is None or read in seen or read in self.given or read.body is None:
                    continue
                seen.add(read)
                stack.append(read)
                shape = self.extents(read) or ()
                written = extents.mul(Const(2 * bytes_of(read)), *shape)
                yield Work(times, launches=ONE, bytes=written, operations=extents.mul(*shape))

    def subscript(self, node: ast.Subscript, times: Term) -> Work:
        library = self.library_of(node.value)
        if library == "python":
            return Work(times, steps=ONE)
        if library == "numpy" and self.of(node) == ():
            return Work(times, steps=_NUMPY_NUMBER)
        if self.moves_nothing(node):
            return self.view(node.value, times)
        return self.operation(node, times, [node.slice], self.of(node))

    def view(self, node: ast.expr, times: Term) -> Work:
        match self.library_of(node):
            case "torch":
                return Work(times, views=ONE)
            case "numpy":
                return Work(times, numpy_views=ONE)
        return Work(times, steps=ONE)

    def moves_nothing(self, node: ast.expr) -> bool:
        """Whether what an expression gives is an array that was there, looked at in another way."""
        value = self.values.get(node)
        if not isinstance(value, Value) or value.body is None or not isinstance(value.body, Read):
            return isinstance(node, ast.Subscript) and not isinstance(value, Value)
        return not any(isinstance(part, (Read, Trace)) for sub in value.body.subs
                       for part in walk(sub))  # fmt: skip

    # what is known of an expression

    def bytes(self, operands: list[ast.expr], shape: Extents | None, node: ast.expr) -> Term:
        """What is read of the operands and written of the result."""
        sizes = [
            extents.mul(Const(self.width(part)), *given)
            for part in operands
            if (given := self.of(part))
        ]
        if shape:
            sizes.append(extents.mul(Const(self.width(node)), *shape))
        return extents.add(*sizes) if sizes else ZERO

    def lines(self, node: ast.Call, shape: Extents) -> Term:
        """How often what runs along an axis moves each number on a CPU: the libraries take column
        after column, and the lines of many wide rows are gone before the next one comes by."""
        named = [k.value for k in node.keywords if k.arg in ("dim", "axis")]
        axis = next((n for part in (*node.args, *named) if (n := self.number(part))), None)
        place = extents.constant(axis) if axis is not None else None
        if self.device != "cpu" or place is None or not -len(shape) <= place < len(shape):
            return ONE
        steps, *behind = shape[place % len(shape) :]
        if not behind:
            return ONE
        far = (
            extents.floordiv(steps, _NEAR_STEPS),
            extents.floordiv(extents.mul(*behind), _NEAR_COLUMNS),
        )
        return Apply("max", (ONE, Apply("min", (_LINE, *far))))

    def arithmetic(self, node: ast.expr, shape: Extents | None) -> tuple[Term, Term, Term]:
        """Pointwise operations, special functions and multiplications of a contraction, of which
        those in double precision count twice."""
        value = self.values.get(node)
        every = extents.mul(*shape) if shape else ONE
        name = _name(node)
        if name in _FACTORED and isinstance(node, ast.Call) and node.args:
            matrix = self.of(node.args[0]) or ()
            size = extents.mul(Const(_FACTORED[name]), *matrix, *matrix[-1:])
            return ZERO, ZERO, size
        if name in _RUNNING:
            return extents.mul(Const(_RUNNING[name]), every), ZERO, ZERO
        if name in _CONVOLUTIONS and isinstance(node, ast.Call) and len(node.args) > 1:
            weight = self.of(node.args[1]) or ()
            work = extents.mul(every, *weight[1:])
            # channel by channel it is no product of matrices
            return (work, ZERO, ZERO) if weight[1:2] == (ONE,) else (ZERO, ZERO, work)
        if name in _CONVOLVED and isinstance(node, ast.Call) and len(node.args) > 1:
            return extents.mul(every, *(self.of(node.args[1]) or ())), ZERO, ZERO
        if not isinstance(value, Value) or value.body is None:
            return every, ZERO, ZERO
        if _contracts(node):
            inner = [
                self.extent(term.index) for term in walk(value.body) if isinstance(term, Reduce)
            ]
            wide = 2 if self.width(node) == DOUBLE else 1
            return ZERO, ZERO, extents.mul(Const(wide), every, *inner)
        operations: Term = ZERO
        if isinstance(value.body, Reduce) and shape and self.library_of(node) == "numpy":
            operations = extents.mul(_EXTREME_ROW if name in _EXTREMES else _ROW, every)
        specials: Term = ZERO
        for term, size in self.sized(value.body):
            if isinstance(term, Apply) and term.op in _SPECIALS and not _multiplies(term):
                specials = extents.add(specials, size)
            else:
                operations = extents.add(operations, size)
        return operations, specials, ZERO

    def sized(self, body: Term) -> Iterator[tuple[Term, Term]]:
        """The terms of a definition with how often each is computed: once for each combination of
        the indices that occur in it."""
        for count, term in enumerate(walk(body)):
            if count > _MANY_TERMS:
                return
            if isinstance(term, (Apply, Reduce, Order)):
                inner = term.body if isinstance(term, (Reduce, Order)) else term
                yield term, extents.mul(*map(self.extent, free_indices(inner)))


def _multiplies(term: Apply) -> bool:
    """Whether a power is a few products."""
    exponent = term.args[-1]
    return term.op == "pow" and isinstance(exponent, Const) and exponent.value in (2, 3)


def _says_nothing(node: ast.stmt) -> bool:
    """A docstring, ``pass`` and the like."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    return isinstance(node, (ast.Pass, ast.Global, ast.Nonlocal))


def _contracts(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.MatMult)
    return _name(node) in _CONTRACTIONS


def _name(node: ast.expr) -> str:
    """The last part of the name of what is called; "" for other expressions."""
    if not isinstance(node, ast.Call):
        return ""
    name: str = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return name


def _of_file(called: Obj) -> bool:
    return isinstance(called, Instance) and called.path.startswith("class ")
