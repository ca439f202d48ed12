"""Loops over groups that add up the rows of each, as one call that adds each row to its group.

for j in range(k):                              inside = (labels >= 0) & (labels < k)
    sums[j] = x[labels == j].sum(0)             groups = labels[inside]
                                                np.add.at(sums, groups, x[inside])

Labels beyond the range are in no group, which the mask says. It also makes one axis of those that
labels have, whatever their number. A step may write what it computed on one device into an array
on another; what is added up in one call has to be on the device of that array.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from auditor.arrays.facts import Arrays
from auditor.assumed import has_axes
from auditor.lift.changes import dotted
from auditor.rewrite import Site
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, mentions, path_of, same

_MAKERS = {"numpy": ("numpy.array", "numpy.asarray", "numpy.stack"), "torch": ("torch.stack",)}

_FLOATS = (("numpy", "float64"), ("torch", "float64"), ("torch", "float32"))

Way = Literal["sum", "mean", "count"]


@dataclass(frozen=True)
class Added:
    """What a step puts into the cell ``out`` of its group: how many rows are of it, or the sum or
    the mean of those of ``rows``, along their axis where ``along``. ``guarded`` says that a group
    of no rows keeps what was there."""

    out: str
    way: Way
    rows: ast.expr | None
    along: bool
    guarded: bool


@dataclass(frozen=True)
class Grouped:
    """The new lines in place of a loop, what they assume and what is doubtful."""

    lines: list[str]
    assumed: list[str]
    doubts: list[str]


def added_by_group(site: Site, region: Region) -> Grouped | None:
    """The code that replaces a loop over groups, or None."""
    node = site.loop.node if site.loop is not None else None
    if not isinstance(node, ast.For) or node.orelse or not isinstance(node.target, ast.Name):
        return None
    return _Loop(region, node.target, node.iter).code(node)


def counted_by_group(region: Region, call: ast.Call) -> Grouped | None:
    """The code that replaces ``np.array([(labels == j).sum() for j in range(k)])``, or None."""
    (items, *more) = call.args
    if not isinstance(items, ast.ListComp) or more or call.keywords or len(items.generators) != 1:
        return None
    (generator,) = items.generators
    if generator.ifs or not isinstance(generator.target, ast.Name):
        return None
    return _Loop(region, generator.target, generator.iter).counts(call, items.elt)


class _Loop:
    """Steps over groups, by what goes through them."""

    def __init__(self, region: Region, target: ast.Name, walked: ast.expr) -> None:
        self.region, self.walked = region, walked
        self.place = ast.Name(target.id, ast.Load())
        self.arrays = Arrays(region)
        self.named: dict[str, ast.expr] = {}
        self.labels: ast.expr | None = None

    def code(self, node: ast.For) -> Grouped | None:
        region, count = self.region, self._count()
        added = self._all(node.body, False) if count is not None else None
        labels = self.labels
        if not added or labels is None or count is None:
            return None
        library = self._library(labels)
        name = self._name(library)
        made = {one.out: self._zeros(one.out, node) for one in added}
        bound = (self.place.id, *self.named)
        if not name or not all(region.unread(each, (node,), node) for each in bound):
            return None
        read = [labels, *(one.rows for one in added if one.rows is not None)]
        if len(made) != len(added) or any(mentions(each, one) for each in read for one in made):
            return None  # one array takes several, or what is added
        if len({_device(zeros) for zeros in made.values()}) > 1:
            return None  # on several devices
        inside, groups = region.free_name("inside"), region.free_name("groups")
        lines = [f"{inside} = {self._inside(labels, library, count)}"]
        places = self._places(labels, library, inside)
        if library == "torch" and not _is_beside(made[added[0].out], labels):
            places += f".to({added[0].out}.device)"
        lines.append(f"{groups} = {places}")
        assumed, doubts = list[str](), list[str]()
        for one in added:
            text = self._lines(one, made[one.out], library, groups, inside, count)
            if text is None:
                return None
            lines += text
            assumed += self._assumed(one, made[one.out], labels, count)
            doubts += self._doubts(one)
        return Grouped(lines, list(dict.fromkeys(assumed)), list(dict.fromkeys(doubts)))

    def counts(self, call: ast.Call, item: ast.expr) -> Grouped | None:
        count = self._count()
        added = self._added("", item, False) if count is not None else None
        labels = self.labels
        if added is None or added.rows is not None or labels is None or count is None:
            return None
        library = self._library(labels)
        name = self._name(library)
        if not name or path_of(self.region.module, call.func) not in _MAKERS[library]:
            return None
        places = self._places(labels, library, self._inside(labels, library, count))
        text = f"{name}.bincount({places}, minlength={count})"
        return Grouped([text], self._some(count), [])

    def _inside(self, labels: ast.expr, library: str, count: str) -> str:
        """Whether labels are of a group: of a type that nothing says, they may be fractions."""
        said, name = ast.unparse(labels), self._name(library)
        if self.arrays.integer(labels):
            return f"({said} >= 0) & ({said} < {count})"
        device = f", device={said}.device" if library == "torch" else ""
        return f"{name}.isin({said}, {name}.arange({count}{device}))"

    def _places(self, labels: ast.expr, library: str, inside: str) -> str:
        """The groups of the rows that have one, as places."""
        cast = ".astype(int)" if library == "numpy" else ".long()"
        value = self.arrays.value(labels)
        whole = value is not None and value.dtype in ("int", "int32", "int64")
        return f"{ast.unparse(labels)}[{inside}]{'' if whole else cast}"

    def _name(self, library: str) -> str | None:
        """What the file calls a library."""
        return next((n for n, path in self.region.module.names.items() if path == library), None)

    def _library(self, labels: ast.expr) -> str:
        """Of which library labels are; "" where that is not known."""
        return (self._of(labels) or "") if dotted(labels) is not None else ""

    def _of(self, array: ast.expr) -> str | None:
        return self.arrays.library(array) or self.region.module.library

    def _some(self, count: str) -> list[str]:
        return [] if count.isdigit() else [f"`{count}` is more than 0"]

    def _count(self) -> str | None:
        """How many groups are walked."""
        walked = self.walked
        if not isinstance(walked, ast.Call) or not is_name(walked.func, "range"):
            return None
        if len(walked.args) != 1 or not self.region.means_builtin("range"):
            return None
        (count,) = walked.args
        sized = isinstance(count, ast.Subscript) and dotted(count.value) is not None
        length = (
            isinstance(count, ast.Call) and is_name(count.func, "len") and len(count.args) == 1
            and dotted(count.args[0]) is not None and self.region.means_builtin("len")
        )  # fmt: skip
        plain = isinstance(constant(count), int) or dotted(count) is not None
        return ast.unparse(count) if plain or sized or length else None

    # -- what the steps do

    def _all(self, body: Sequence[ast.stmt], guarded: bool) -> list[Added] | None:
        """What a step puts away; None where it does anything else."""
        found: list[Added] = []
        for statement in body:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            if isinstance(statement, ast.If) and not statement.orelse and not guarded:
                inner = self._all(statement.body, True) if self._any(statement.test) else None
                if inner is None:
                    return None
                found += inner
            elif isinstance(target, ast.Name) and isinstance(statement, ast.Assign):
                if target.id in self.named or guarded or len(statement.targets) > 1:
                    return None
                self.named[target.id] = statement.value
            elif isinstance(target, ast.Subscript) and isinstance(statement, ast.Assign):
                one = self._put(target, statement.value, guarded)
                if one is None or len(statement.targets) > 1:
                    return None
                found.append(one)
            else:
                return None
        return found

    def _put(self, target: ast.Subscript, value: ast.expr, guarded: bool) -> Added | None:
        if not same(target.slice, self.place) or not isinstance(target.value, ast.Name):
            return None
        return self._added(target.value.id, value, guarded)

    def _added(self, out: str, value: ast.expr, guarded: bool) -> Added | None:
        counted = _as_number(value)
        if isinstance(counted, ast.Call) and is_name(counted.func, "len") and counted.args:
            rows = self._rows(counted.args[0])
            return Added(out, "count", None, False, guarded) if rows is not None else None
        fold = self._fold(counted)
        if fold is not None and self._is_group(self._behind(fold[1])):
            way, _, along = fold
            return Added(out, "count", None, False, guarded) if way == "sum" and not along else None
        fold = self._fold(value)
        rows = self._rows(fold[1]) if fold is not None else None
        if fold is None or rows is None:
            return None
        return Added(out, fold[0], rows, fold[2], guarded)

    def _fold(self, node: ast.expr) -> tuple[Literal["sum", "mean"], ast.expr, bool] | None:
        """What is added up or averaged, and whether along the first axis only."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        path = path_of(self.region.module, node.func)
        given = [*node.args] if path is not None else [node.func.value, *node.args]
        if path is not None and path.partition(".")[0] not in ("numpy", "torch"):
            return None
        name = "sum" if node.func.attr == "count_nonzero" else node.func.attr
        axes = [*given[1:], *(k.value for k in node.keywords if k.arg in ("axis", "dim"))]
        if not given or len(axes) != len(given) - 1 + len(node.keywords) or len(axes) > 1:
            return None
        if any(constant(axis) != 0 or constant(axis) is False for axis in axes):
            return None
        if name == "sum":
            return "sum", given[0], bool(axes)
        return ("mean", given[0], bool(axes)) if name == "mean" else None

    def _behind(self, node: ast.expr) -> ast.expr:
        return self.named.get(node.id, node) if isinstance(node, ast.Name) else node

    def _rows(self, node: ast.expr) -> ast.expr | None:
        """``x`` of ``x[labels == j]``, which no step binds."""
        node = self._behind(node)
        if not isinstance(node, ast.Subscript) or not self._is_group(self._behind(node.slice)):
            return None
        rows = node.value
        own = dotted(rows) is not None and not mentions(rows, self.place.id)
        return rows if own and not any(mentions(rows, name) for name in self.named) else None

    def _is_group(self, node: ast.expr) -> bool:
        """Whether an expression is ``labels == j``, of the same labels everywhere."""
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq):
            return False
        if len(node.ops) != 1:
            return False
        sides = (node.left, node.comparators[0])
        labels = [one for one in sides if not same(one, self.place)]
        if len(labels) != 1 or any(mentions(labels[0], name) for name in self.named):
            return False
        self.labels = self.labels or labels[0]
        return same(self.labels, labels[0])

    def _any(self, test: ast.expr) -> bool:
        """Whether a condition asks if the group has rows."""
        if isinstance(test, ast.Compare):
            more = isinstance(test.ops[0], ast.Gt) and constant(test.comparators[0]) == 0
            if len(test.ops) != 1 or not more:
                return False
            test = test.left
        test = _as_number(test)
        if isinstance(test, ast.Call):
            if is_name(test.func, "len"):
                return bool(test.args) and self._rows(test.args[0]) is not None
            if isinstance(test.func, ast.Attribute) and test.func.attr in ("any", "sum"):
                path = path_of(self.region.module, test.func)
                given = [*test.args] if path is not None else [test.func.value, *test.args]
                return len(given) == 1 and self._is_group(self._behind(given[0]))
        return False

    # -- the code

    def _zeros(self, name: str, loop: ast.For) -> ast.Call | None:
        """The call that made an array of zeros just before the loop."""
        block = self.region.siblings(loop)
        for earlier in reversed(block[: block.index(loop)]):
            target = earlier.targets[0] if isinstance(earlier, ast.Assign) else None
            if isinstance(target, ast.Name) and target.id == name:
                assert isinstance(earlier, ast.Assign)
                made = earlier.value
                called = (
                    path_of(self.region.module, made.func) if isinstance(made, ast.Call) else ""
                )
                zeros = called in ("numpy.zeros", "torch.zeros") and len(earlier.targets) == 1
                return made if zeros and isinstance(made, ast.Call) else None
            if mentions(earlier, name):
                return None
        return None

    def _lines(
        self, one: Added, zeros: ast.Call | None, library: str, groups: str, inside: str, count: str
    ) -> list[str] | None:
        if zeros is None or path_of(self.region.module, zeros.func) != f"{library}.zeros":
            return None
        name = self._name(library)
        if one.rows is None:
            if library == "numpy":
                return [f"{name}.add.at({one.out}, {groups}, 1)"]
            return [f"{one.out} += {name}.bincount({groups}, minlength=len({one.out}))"]
        many, typed = _axes(zeros), self._typed(zeros, one.rows)
        if many != (2 if one.along else 1) or typed is None:
            return None
        if self._of(one.rows) != library:
            return None
        rows = f"{ast.unparse(one.rows)}[{inside}]"
        if library == "numpy":
            lines = [f"{name}.add.at({one.out}, {groups}, {rows})"]
        else:
            beside = _is_beside(zeros, one.rows)
            if not (beside and typed == "rows"):
                rows += f".to({one.out}.dtype)" if beside else f".to({one.out})"
            lines = [f"{one.out}.index_add_(0, {groups}, {rows})"]
        if one.way == "mean":
            if typed == "rows" and library == "numpy":
                return None  # of integers it may be cut off
            sizes = f"{name}.bincount({groups}, minlength={count})"
            if one.guarded:
                sizes = f"{name}.maximum({sizes}, 1)" if library == "numpy" else (
                    f"{sizes}.clamp(min=1)")  # fmt: skip
            lines.append(f"{one.out}[:{count}] /= {sizes}{'[:, None]' if one.along else ''}")
        return lines

    def _typed(self, zeros: ast.Call, rows: ast.expr) -> str | None:
        """Of which type the sums are: ``rows`` where as what is added, ``float`` where they are
        fractions; None where they may be whole numbers."""
        stated = next((k.value for k in zeros.keywords if k.arg == "dtype"), None)
        if stated is None:
            return "float"
        if isinstance(stated, ast.Attribute) and stated.attr == "dtype":
            if same(stated.value, rows):
                return "rows"
        made = self.arrays.value(zeros)
        known = None if made is None else (made.library, made.dtype)
        return "float" if known in _FLOATS else None

    def _assumed(
        self, one: Added, zeros: ast.Call | None, labels: ast.expr, count: str
    ) -> list[str]:
        found: list[str] = []
        if one.rows is not None and zeros is not None and self._typed(zeros, one.rows) == "rows":
            # a library holds the sum of halves in single precision on the way
            found.append(f"`{ast.unparse(one.rows)}` is no narrower than float32")
        if one.along and self.arrays.rank(labels) is None:
            found.append(has_axes(ast.unparse(labels), 1))
        return [*found, *(self._some(count) if one.way == "mean" else ())]

    def _doubts(self, one: Added) -> list[str]:
        """A sum of all that the rows hold is one number each where these are numbers."""
        if one.rows is None or one.along or self.arrays.rank(one.rows) == 1:
            return []
        return [f"nothing says that {has_axes(ast.unparse(one.rows), 1)}: with others the result"
                " may differ"]  # fmt: skip


def _as_number(node: ast.expr) -> ast.expr:
    """What ``int(...)`` or ``.item()`` makes a number of."""
    if isinstance(node, ast.Call) and is_name(node.func, "int") and len(node.args) == 1:
        return node.args[0]
    item = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args
    if item and node.func.attr == "item":  # type: ignore[attr-defined]
        return node.func.value  # type: ignore[attr-defined, no-any-return]
    return node


def _device(zeros: ast.Call | None) -> str | None:
    """The device that an array of zeros is made on, as it is written."""
    stated = next((k.value for k in zeros.keywords if k.arg == "device"), None) if zeros else None
    return None if stated is None else ast.unparse(stated)


def _is_beside(zeros: ast.Call | None, array: ast.expr) -> bool:
    """Whether an array of zeros is made on the device of another array."""
    return _device(zeros) == f"{ast.unparse(array)}.device"


def _axes(zeros: ast.Call) -> int:
    """How many axes an array is made with; 0 where that is not written out."""
    sizes = zeros.args
    if len(sizes) == 1 and isinstance(sizes[0], (ast.Tuple, ast.List)):
        sizes = sizes[0].elts
    elif len(sizes) == 1 and not isinstance(sizes[0], (ast.Constant, ast.Name)):
        return 0
    return 0 if any(isinstance(size, ast.Starred) for size in sizes) else len(sizes)
