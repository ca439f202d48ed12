"""What is certain about the arrays that a function reads: that they are arrays, of which library,
how many axes, how long, of which kind of number. Taken from notation, from assertions in the
function and from uses that only an array allows."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from auditor.arrays.type_tests import is_array_at
from auditor.lift import extents
from auditor.lift.bound import own_names
from auditor.lift.objects import Written
from auditor.nests.memory import bound
from auditor.notation import Read, Value, walk
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, path_of, same
from auditor.tree import ancestors, everything_in

OF_ARRAYS = frozenset(("shape", "ndim", "dtype", "size", "T", "mT"))
"""Attributes that no list has."""
_CALLED = frozenset(
    "size dim mean std var sum prod dot astype ravel flatten argmax argmin unbind".split()
)
"""Methods that no list has."""
_ALLOCATES = ("zeros", "ones", "empty", "full")
_PADS = frozenset(("numpy.pad", "torch.nn.functional.pad"))
_TOTALS = frozenset("mean std var sum prod max min median".split())


class Arrays:
    """What is certain about the arrays of a function."""

    def __init__(self, region: Region) -> None:
        self.region = region
        self.facts = region.lifted.facts

    def value(self, node: ast.expr) -> Value | None:
        found = self.region.values.get(node)
        if found is None and isinstance(node, ast.Name) and node in self.region.parents:
            found = self.region.scope(self.region.statement_of(node)).get(node.id)
        if isinstance(found, Written):
            found = found.original
        return found if isinstance(found, Value) else None

    def whole(self, node: ast.expr) -> bool:
        """Whether ``node`` is certainly one integer."""
        value = self.value(node)
        return value is not None and not value.axes and value.dtype == "int"

    def certain(self, node: ast.expr) -> bool:
        """Whether ``node`` is certainly an array: of a known library, or used as only one can."""
        told = is_array_at(self.region, node)
        if told is not None:
            return told
        value = self.value(node)
        if value is not None and value.library in ("torch", "numpy") and value.kind != "state":
            return True
        if self._made(node) is not None:
            return True
        for other in self.region.nodes:
            if isinstance(other, ast.Attribute) and other.attr in OF_ARRAYS:
                if self._one(other.value, node):
                    return True
            if isinstance(other, ast.Call) and isinstance(other.func, ast.Attribute):
                if other.func.attr in _CALLED and self._one(other.func.value, node):
                    return True
            if isinstance(other, ast.Subscript) and isinstance(other.slice, ast.Tuple):
                if any(isinstance(p, ast.Slice) for p in other.slice.elts):
                    if self._one(other.value, node):
                        return True
        return False

    def shaped(self, value: Value | None) -> bool:
        """Whether the code makes something of the shape of what it does not say to be an array: of
        a number hardly anybody does."""
        groups = () if value is None else [str(a.extent) for a in value.axes if a.group]
        return any(one.removesuffix(".shape[...]") in self.facts.arrays for one in groups)

    def _one(self, use: ast.expr, node: ast.expr) -> bool:
        """Whether what is done with ``use`` is done with what ``node`` stands for: a name that is
        bound anew (``xs = np.array(xs)``) stands for something else from there on."""
        if not same(use, node) or self._elsewhere(use, node):
            return False
        if ast.unparse(node) not in self._rebound:
            return True
        return self.value(use) is self.value(node) is not None

    def _elsewhere(self, use: ast.expr, node: ast.expr) -> bool:
        """Whether a use is tried only, or stands where its name means something else: in a function
        within, or a comprehension."""
        root = ast.unparse(use).partition(".")[0]
        around = set(ancestors(node, self.region.parents))
        for above in ancestors(use, self.region.parents):
            if above in around:
                break
            if isinstance(above, ast.Try) or root in _own_names(above):
                return True
        return False

    @cached_property
    def _rebound(self) -> set[str]:
        """Names and attributes that stand for several things in the function."""
        given = {n.arg for n in self.region.nodes if isinstance(n, ast.arg)}
        counted = Counter(given)
        for node in self.region.nodes:
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
                once = 1 if isinstance(node, ast.Name) else 2
                counted[ast.unparse(node)] += once
        return {name for name, count in counted.items() if count > 1}

    def of_numpy(
        self, values: Iterable[Value], origins: Mapping[object, Sequence[ast.expr]]
    ) -> bool:
        """Whether values are certainly arrays of NumPy; ``origins`` are the expressions that have
        them."""
        return self.region.module.library == "numpy" or all(
            value.library == "numpy"
            or any(self.library(node) == "numpy" for node in origins.get(value, [])[:1])
            for value in values
        )

    def library(self, node: ast.expr) -> str | None:
        """torch or numpy, where that is certain."""
        value = self.value(node)
        if value is not None and value.library in ("torch", "numpy"):
            return value.library
        if self._made(node) is not None:
            return "numpy"
        for other in self.region.nodes:
            if isinstance(other, ast.Call):
                path = path_of(self.region.module, other.func) or ""
                for keyword in other.keywords:
                    told = keyword.value
                    if keyword.arg in ("dtype", "device") and isinstance(told, ast.Attribute):
                        if path.startswith("torch.") and self._one(told.value, node):
                            return "torch"
            if isinstance(other, ast.Call) and isinstance(other.func, ast.Attribute):
                if other.func.attr in ("size", "dim", "numel") and self._one(
                    other.func.value, node
                ):
                    if other.args or other.func.attr != "size":
                        return "torch"
        return self._bound_by(node) if isinstance(node, ast.Name) else None

    def _bound_by(self, name: ast.Name) -> str | None:
        """The library of which every value is that the function gives a name."""
        if any(isinstance(node, ast.arg) and node.arg == name.id for node in self.region.nodes):
            return None
        given = list(bound(self.region, name.id))
        calls = [value for value in given if isinstance(value, ast.Call)]
        paths = [path_of(self.region.module, call.func) or "" for call in calls]
        roots = {path.partition(".")[0] for path in paths}
        alike = len(calls) == len(given) and len(roots) == 1
        return roots.pop() if alike and roots <= {"torch", "numpy"} else None

    def _made(self, node: ast.expr) -> ast.Call | None:
        """The one call that draws ``node``: a random array of NumPy, of a stated size."""
        if not isinstance(node, ast.Name):
            return None
        call = self.assigned(node.id)
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            return None
        path = path_of(self.region.module, call.func) or ""
        if isinstance(call.func.value, ast.Name):
            source = self.assigned(call.func.value.id)
            if isinstance(source, ast.Call):
                drawn = path_of(self.region.module, source.func) or ""
                path = path or drawn
        if path.startswith("numpy.random.") and any(k.arg == "size" for k in call.keywords):
            return call
        return None

    def assigned(self, name: str) -> ast.expr | None:
        """What the one assignment of a name in this function gives it."""
        found = [
            n for n in self.region.nodes
            if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
        ]  # fmt: skip
        if len(found) != 1:
            return None
        holder = self.region.parents.get(found[0])
        if isinstance(holder, ast.Tuple):
            return self._beside(holder, found[0])
        return holder.value if isinstance(holder, ast.Assign) else None

    def _beside(self, targets: ast.Tuple, name: ast.Name) -> ast.expr | None:
        """What a name is given beside others, ``a, b = x.copy(), y.copy()``, that are not read by
        it."""
        holder = self.region.parents.get(targets)
        if not isinstance(holder, ast.Assign) or not isinstance(holder.value, ast.Tuple):
            return None
        given = dict(zip(targets.elts, holder.value.elts, strict=False)).get(name)
        names = {n.id for n in everything_in(targets) if isinstance(n, ast.Name)}
        if given is None or len(targets.elts) != len(holder.value.elts):
            return None
        read = {n.id for n in everything_in(given) if isinstance(n, ast.Name)}
        starred = any(isinstance(n, ast.Starred) for n in everything_in(holder))
        return None if starred or read & names else given

    def rank(self, node: ast.expr) -> int | None:
        """How many axes, where that is certain."""
        stated = self.asserted_rank(node)
        if stated is not None:
            return stated
        made = self._made(node)
        if made is not None:
            size = next(k.value for k in made.keywords if k.arg == "size")
            if isinstance(size, ast.Tuple):
                return len(size.elts)
            return 1 if isinstance(constant(size), int) else None
        if self._in_one_row(node):
            return 1
        if self._is_total(node):
            return 0
        return self.rank_of(self.value(node))

    def rank_of(self, value: Value | None) -> int | None:
        """How many axes a lifted value has, where that is certain."""
        if value is None or any(axis.group for axis in value.axes):
            return None
        if value.kind in ("state", "opaque"):
            return None
        if self.facts.assumptions and leaves(value) & set(self.facts.assumptions):
            return None
        known = self.facts.known.get(value.owner or value.name)
        if known is not None and (known.rank or 0) < max(known.lead, known.tail) and known.rank:
            return None  # its uses say more than its sizes
        return len(value.axes)

    def allocated_rank(self, node: ast.expr, now: Value | None) -> int | None:
        """How many axes an array was allocated with and has ``now``, whatever was put into it."""
        made = self.assigned(node.id) if isinstance(node, ast.Name) else None
        if not isinstance(made, ast.Call) or now is None or now.kind != "derived":
            return None
        path = path_of(self.region.module, made.func) or ""
        rank = self.rank_of(self.value(made)) if path.rpartition(".")[2] in _ALLOCATES else None
        return rank if rank == len(now.axes) else None

    def padded_rank(self, node: ast.expr) -> int | None:
        """How many axes an array has that is another one with something around it."""
        call = self.assigned(node.id) if isinstance(node, ast.Name) else node
        if not isinstance(call, ast.Call) or not call.args:
            return None
        if path_of(self.region.module, call.func) not in _PADS:
            return None
        return self.rank_of(self.value(call.args[0]))

    def stated_rank(self, node: ast.expr) -> tuple[int, str] | None:
        """How many axes the file says that a parameter has, and the sentence that says so."""
        value = self.value(node)
        if value is None or value.body is not None or value.name not in self.facts.stated:
            return None
        if value.kind != "input" or any(axis.group for axis in value.axes):
            return None
        return len(value.axes), self.facts.assumptions[value.name]

    def _in_one_row(self, node: ast.expr) -> bool:
        """``x.flatten()``, ``x.reshape(-1)``."""
        call = self.assigned(node.id) if isinstance(node, ast.Name) else node
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            return False
        if call.keywords or path_of(self.region.module, call.func) is not None:
            return False
        if call.func.attr in ("flatten", "ravel"):
            return not call.args
        row = call.func.attr in ("reshape", "view") and len(call.args) == 1
        return row and constant(call.args[0]) == -1

    def _is_total(self, node: ast.expr) -> bool:
        """``x.mean()``, ``np.std(x)``: one number, however many axes there are."""
        call = self.assigned(node.id) if isinstance(node, ast.Name) else node
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            return False
        path = path_of(self.region.module, call.func)
        if call.keywords or call.func.attr not in _TOTALS:
            return False
        if path is not None:
            return path.partition(".")[0] in ("numpy", "torch") and len(call.args) == 1
        return not call.args and self.certain(call.func.value)

    def _asserts(self, at: ast.expr) -> list[ast.expr]:
        """What assertions say that is so where ``at`` stands."""
        found: list[ast.expr] = []
        for node in self.region.nodes:
            if isinstance(node, ast.Assert) and self._holds_at(node, at):
                parts = node.test.values if isinstance(node.test, ast.BoolOp) and isinstance(
                    node.test.op, ast.And) else [node.test]  # fmt: skip
                found.extend(parts)
        return found

    def _holds_at(self, assertion: ast.Assert, at: ast.AST) -> bool:
        """Whether an assertion was certainly passed before, of what its names still stand for. Of
        an expression that has no place in the text, only where no name is bound anew."""
        parents = self.region.parents
        holder = parents.get(assertion)
        placed = at in parents
        while placed and parents.get(at) is not holder:
            if at not in parents:
                return False
            at = parents[at]
        if placed and (not isinstance(at, ast.stmt) or at not in self.region.siblings(assertion)):
            return False
        if not placed and holder is not self.region.lifted.node:
            return False
        end = (getattr(at, "end_lineno", 0), getattr(at, "end_col_offset", 0))
        if placed and end < (assertion.lineno, assertion.col_offset):
            return False
        words = {_word(node) for node in everything_in(assertion.test)} - {None}
        for node in self.region.nodes:
            if _word(node) in words and not isinstance(getattr(node, "ctx", None), ast.Load):
                place = (node.lineno, node.col_offset)  # type: ignore[attr-defined]
                later = (assertion.lineno, assertion.col_offset) < place
                if later and (not placed or place < end):
                    return False
        return True

    def asserted_rank(self, node: ast.expr) -> int | None:
        for part in self._asserts(node):
            if not (isinstance(part, ast.Compare) and len(part.ops) == 1):
                continue
            if not isinstance(part.ops[0], ast.Eq):
                continue
            for left, right in ((part.left, part.comparators[0]), (part.comparators[0], part.left)):
                number = constant(right)
                if isinstance(number, int) and _rank_of(left, node):
                    return number
                if (
                    isinstance(left, ast.Attribute)
                    and left.attr == "shape"
                    and same(left.value, node)
                ):
                    other = right.value if isinstance(right, ast.Attribute) else None
                    if other is not None and not same(other, node):
                        for again in self._asserts(node):
                            if isinstance(again, ast.Compare) and _rank_of(again.left, other):
                                stated = constant(again.comparators[0])
                                if isinstance(again.ops[0], ast.Eq) and isinstance(stated, int):
                                    return stated
        return None

    def same_length(self, left: ast.expr, right: ast.expr) -> bool:
        """Whether two arrays certainly have equal first axes."""
        if same(left, right):
            return True
        for part in self._asserts(left):
            if isinstance(part, ast.Compare) and len(part.ops) == 1:
                if isinstance(part.ops[0], ast.Eq):
                    a, b = size_of(part.left), size_of(part.comparators[0])
                    if a is not None and b is not None:
                        if (same(a, left) and same(b, right)) or (same(a, right) and same(b, left)):
                            return True
        a_value, b_value = self.value(left), self.value(right)
        if a_value is None or b_value is None or not a_value.axes or not b_value.axes:
            return False
        first, second = a_value.axes[0], b_value.axes[0]
        return (
            not first.group
            and not second.group
            and (self.facts.extent(first.extent) is self.facts.extent(second.extent))
        )

    def nonempty(self, node: ast.expr, least: int = 1) -> bool:
        """Whether an assertion or a stated size says that the first axis has ``least`` elements."""
        for part in self._asserts(node):
            if isinstance(part, ast.Compare) and len(part.ops) == 1:
                size = size_of(part.left)
                number = constant(part.comparators[0])
                if size is not None and same(size, node) and isinstance(number, int):
                    op = part.ops[0]
                    if isinstance(op, ast.Gt) and number >= least - 1:
                        return True
                    if isinstance(op, (ast.GtE, ast.Eq)) and number >= least:
                        return True
        value = self.value(node)
        if value is None or not value.axes or value.axes[0].group:
            return False
        size_ = extents.constant(self.facts.extent(value.axes[0].extent))
        return size_ is not None and size_ >= least

    def floating(self, node: ast.expr) -> bool:
        made = self._made(node)
        if made is not None and isinstance(made.func, ast.Attribute):
            return made.func.attr in ("uniform", "normal", "standard_normal", "random")
        value = self.value(node)
        dtype = value.dtype if value is not None else None
        return dtype is not None and dtype.startswith(("float", "bfloat", "complex", "double"))

    def integer(self, node: ast.expr) -> bool:
        value = self.value(node)
        dtype = value.dtype if value is not None else None
        return dtype is not None and dtype.startswith(("int", "uint", "bool"))


def leaves(value: Value) -> set[str]:
    """The names of what a value is computed from, and those under which their shapes are known."""
    found: set[str] = set()
    seen: set[Value] = set()
    stack = [value]
    while stack:
        at = stack.pop()
        if at in seen:
            continue
        seen.add(at)
        if at.body is None:
            found.update((at.name, at.owner or at.name))
            if at.start is not None:
                stack.append(at.start)
            if at.made is not None and at.made[0] != "inverse":  # a part of a decomposition
                stack.append(at.made[1])
        else:
            stack.extend(term.value for term in walk(at.body) if isinstance(term, Read))
    return found


def _own_names(node: ast.AST) -> set[str]:
    """The names that a function within, or a comprehension, has of its own."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return set(own_names(node))
    return {
        name.id
        for generator in getattr(node, "generators", ())
        for name in everything_in(generator.target)
        if isinstance(name, ast.Name)
    }


def _word(node: ast.AST) -> str | None:
    """The name that a node reads or binds, or that of an attribute."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None


def _rank_of(node: ast.expr, array: ast.expr) -> bool:
    """``x.ndim``, ``x.dim()``, ``len(x.shape)``."""
    if isinstance(node, ast.Attribute):
        return node.attr == "ndim" and same(node.value, array)
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and not node.args:
            return node.func.attr == "dim" and same(node.func.value, array)
        if is_name(node.func, "len") and len(node.args) == 1:
            inner = node.args[0]
            return (
                isinstance(inner, ast.Attribute) and inner.attr == "shape"
                and same(inner.value, array)
            )  # fmt: skip
    return False


def size_of(node: ast.expr) -> ast.expr | None:
    """x of ``len(x)``, ``x.shape``, ``x.shape[0]``, ``x.size(0)``."""
    if isinstance(node, ast.Call):
        if is_name(node.func, "len") and len(node.args) == 1:
            return node.args[0]
        if isinstance(node.func, ast.Attribute) and node.func.attr == "size":
            if len(node.args) == 1 and constant(node.args[0]) == 0:
                return node.func.value
        return None
    if isinstance(node, ast.Subscript) and constant(node.slice) == 0:
        node = node.value
    return node.value if isinstance(node, ast.Attribute) and node.attr == "shape" else None
