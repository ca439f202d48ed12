"""Products of matrices of which only some entries are used, as those entries alone.

Finds the trace and the diagonal of a product (``trace(A @ B)``, ``diag(X @ S @ X.T)``,
``(A @ B).diagonal().sum()``, ``(A @ B * eye(n)).sum()``, ``(A @ B.T)[rows, rows]`` with
``rows = arange(n)``), of matrices or of batches, and its rows or columns at stated places
(``(A @ B)[i]``, ``(x @ W)[:, -1]``, ``(A @ B)[:, :k]``), or its entries at places that two arrays
list (``(P @ Q.T)[users, items]``), in one expression or through a name; the sum or the average of
its entries, of its rows or of its columns (``(A @ B).sum()``, ``.mean(1, keepdim=True)``, ``(x @
W.T / 2 + b).sum(1)``, ``np.outer(a, b).sum()``), for which the factors are summed up before; rows
of what a linear layer gives (``self.head(x)[:, -1]``, ``F.linear(x, W, b)[:, 0]``), and the sum of
its outputs (``self.head(x).sum(1)``).

Legal because each entry of a product is a sum of its own: ``(A B)[i, i] = sum_j A[i, j] B[j, i]``
needs no other entry, and row i of the product is row i of A times B.

Pays always: n^2 multiplications instead of n^3 for the diagonal, those of the rows that are used
instead of all.

Safe means: equal up to the order of roundings, gradients included. A product that is used elsewhere
as well stays, and so does one that is made once and read in a loop. Of whole numbers a trace is
summed in another dtype than the product and stays. Where the shapes do not show that the product is
square, its trace assumes that and its diagonal is unsafe; of a diagonal that is as long as one of
the factors the other one is cut to that length. Of a layer whose outputs are summed up the
parameters are read: hooks on it, or another module in its place, are left out, and no such fix is
safe.

Sources: Golub and Van Loan, "Matrix Computations" (4th ed. 2013), section 1.1; the documentation of
``torch.einsum`` and ``numpy.einsum``.
"""

from __future__ import annotations

import ast

from auditor.arrays.facts import Arrays, leaves
from auditor.arrays.stated_sizes import measured, offered
from auditor.assumed import has_axes
from auditor.expressions.region import Text
from auditor.lift.dtypes import NO_NARROW, kind_of
from auditor.lift.objects import Instance, Literal, Named
from auditor.matrices.added_up import added_up
from auditor.matrices.part_of_product import Product, product_of
from auditor.matrices.placed import placed
from auditor.matrices.totals import Totals
from auditor.notation import (
    ONE,
    Apply,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    definition,
    substitute,
)
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.syntax import constant, is_name, is_whole, walks
from auditor.tree import everything_in

_LETTERS = "ijklmnpq"


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    value, node = site.value, site.node
    if site.loop is not None or value is None or node is None or site.statement is None:
        return None
    if value.span is None or not site.lifted.module.span(node).covers(value.span):
        return None
    region = _Region(site)
    found = _diagonal(value)
    if found is not None:
        return region.diagonal(value, *found)
    if walks(node):
        return None
    for total in added_up(value):
        match = region.total(value, total)
        if match is not None:
            return match
    if isinstance(node, ast.Subscript):
        product = product_of(region.values.get(node.value))
        if product is not None:
            return region.rows(node, product)
        layer = region.layer(node.value)
        if layer is not None:
            return region.layered(node, *layer)
    return None


def _diagonal(value: Value) -> tuple[Product, Read, Index, bool, bool] | None:
    """The diagonal of a product that ``value`` is, or that it sums up; whether it is as long as a
    list of places says."""
    term, summed = value.body, list[Index]()
    while isinstance(term, Reduce) and term.op == "sum":
        summed.append(term.index)
        term = term.body
    if len(summed) == 2 and isinstance(term, Read):
        term, summed = _on_diagonal(term, summed)
    if len(summed) > 1 or not isinstance(term, Read) or term.aligned:
        return None
    at = _counted(term)
    listed = at is not term
    while product_of(at.value) is None:
        inner = definition(at)
        if not isinstance(inner, Read) or inner.aligned:
            return None
        at = _counted(inner)
        listed |= at is not inner
    product = product_of(at.value)
    twice = [sub for sub in set(at.subs) if at.subs.count(sub) == 2]
    if product is None or len(twice) != 1 or not isinstance(twice[0], Index):
        return None
    if len(set(at.subs)) != len(at.subs) - 1 or not all(isinstance(s, Index) for s in at.subs):
        return None
    if summed and summed != twice:
        return None
    kept = tuple(sub for sub in dict.fromkeys(at.subs) if sub not in summed)
    if set(kept) != set(value.axes):
        return None
    return product, at, twice[0], bool(summed), listed


def _counted(read: Read) -> Read:
    """An element with the places that ``arange`` gives as what it counts: ``s[rows, rows]``."""
    subs = []
    for sub in read.subs:
        place = definition(sub) if isinstance(sub, Read) else None
        subs.append(place if isinstance(place, Index) else sub)
    return read if tuple(subs) == read.subs else Read(read.value, tuple(subs))


def _on_diagonal(term: Read, summed: list[Index]) -> tuple[Term, list[Index]]:
    """The element on the diagonal, where what is summed over rows and columns is times an
    identity; else what was given."""
    product = definition(term)
    if not isinstance(product, Apply) or product.op != "mul" or len(product.args) != 2:
        return term, summed
    for one, other in (product.args, product.args[::-1]):
        for inner, row in (summed, summed[::-1]):
            found = placed(one, inner)
            if found is None or found.place is not row or not isinstance(other, Read):
                continue
            if found.weight is ONE:
                return substitute(other, {inner: row}), [row]
    return term, summed


class _Region(Totals):
    """The expression that uses a part of a product."""

    # -- diagonals

    def diagonal(
        self, value: Value, product: Product, read: Read, line: Index, summed: bool, listed: bool
    ) -> Match | None:
        """``einsum`` over the entries on the diagonal."""
        places = dict(zip(product.value.axes, read.subs, strict=True))
        factors = [self._plain(product.left), self._plain(product.right)]
        subs = [tuple(places.get(s, s) for s in f.subs) for f in factors]  # type: ignore[call-overload]
        every = list(dict.fromkeys(s for row in subs for s in row))
        if not all(isinstance(s, Index) and not s.group for s in every):
            return None
        if len(every) > len(_LETTERS) or any(line not in row for row in subs):
            return None
        said = [self.say(factor.value) for factor in factors]
        if None in said:
            return None
        letters = dict(zip(every, _LETTERS, strict=False))
        inputs = ",".join("".join(letters[s] for s in row) for row in subs)
        result = "".join(letters[axis] for axis in value.axes)
        arrays = [product.left.value, product.right.value, product.value]
        texts = [text for text in said if text is not None]
        places_of = [row.index(line) for row in subs]
        if listed:
            cut = self._as_long(factors, texts, places_of, line)
            if cut is None:
                return None
            texts = cut
        called = self._einsum(arrays)
        if called is None and not (len(every) == 2 and set(subs[0]) == set(subs[1])):
            return None
        extent = self.lifted.facts.extent
        sides = [axis for axis, sub in zip(product.value.axes, read.subs, strict=True)
                 if sub is line]  # fmt: skip
        whole = any(extent(line.extent) is extent(side.extent) for side in sides)
        doubts, assumed = ([], []) if listed else self._square(product, read, line, summed)
        if walks(self.node):
            added = isinstance(self.node, ast.Call) and is_name(self.node.func, "sum")
            if not added or not whole:
                return None
            doubts = [*doubts, "the sum of no entries is the number 0"]
        elif summed and isinstance(value.body, Reduce) and isinstance(value.body.body, Reduce):
            doubts = [*doubts, "the identity may make the product one of another dtype"]
        dtype = product.value.dtype
        self.site.require(
            not summed or dtype is None or kind_of(dtype) >= 2,
            "dtypes",
            "a trace of whole numbers is summed in another dtype",
        )
        types = [one.value.dtype for one in (product.left, product.right)]
        if summed and not any(one is not None and kind_of(one) >= 2 for one in types):
            assumed = [*assumed, f"`{factors[0].value.name}` holds floating-point numbers"]
        text = f'{called}("{inputs}->{result}", {", ".join(part.text for part in texts)})'
        if called is None:
            first, second = texts
            turned = second.multiplied() if subs[0] == subs[1] else f"{second.dotted()}.T"
            along = "" if summed else str(1 - subs[0].index(line))
            if not summed and not any(one is not None and kind_of(one) >= 2 for one in types):
                self.site.require(
                    all(one in (None, "int64") for one in types),
                    "dtypes",
                    "sums of narrow integers are wider than their products of matrices",
                )
                untold = dict.fromkeys(f.value.name for f in factors if f.value.dtype is None)
                assumed = [*assumed, *(f"`{name}` holds {NO_NARROW}" for name in untold)]
            text = f"({first.multiplied()} * {turned}).sum({along})"
        message = (
            "of a product only the diagonal is used: the sums on it alone take n * n operations"
        )
        lettered = {product.left.value: len(subs[0]), product.right.value: len(subs[1])}
        return self.part(product.value, text, texts, message, doubts, assumed, lettered)

    def _as_long(
        self, factors: list[Read], texts: list[Text], places: list[int], line: Index
    ) -> list[Text] | None:
        """The factors, of each as many rows as there are places; one of them has just these."""
        extent = self.lifted.facts.extent
        whole = [
            extent(factor.value.axes[at].extent) is extent(line.extent)
            for factor, at in zip(factors, places, strict=True)
        ]
        if not any(whole):
            return None
        full, at = texts[whole.index(True)], places[whole.index(True)]
        if not all(whole) and not full.named:
            return None  # it would be computed twice
        count = f"len({full.text})" if at == 0 else f"{full.dotted()}.shape[{at}]"
        return [
            text if complete
            else Text(f"{text.dotted()}[{':, ' * place}:{count}]", text.reads | full.reads)
            for text, place, complete in zip(texts, places, whole, strict=True)
        ]  # fmt: skip

    def _plain(self, read: Read) -> Read:
        """A factor without the transposes that it is read through, where it can be said so."""
        at = read
        while True:
            inner = definition(at)
            if not isinstance(inner, Read) or inner.aligned or len(inner.subs) != len(at.subs):
                return at
            whole = zip(inner.subs, inner.value.axes, strict=True)
            extent = self.lifted.facts.extent
            if not all(isinstance(s, Index) and extent(s.extent) is extent(a.extent)
                       for s, a in whole):  # fmt: skip
                return at
            if self.say(inner.value) is None:
                return at
            at = inner

    def _square(
        self, product: Product, read: Read, line: Index, summed: bool
    ) -> tuple[list[str], list[str]]:
        """What is doubtful or assumed of the product's shape."""
        extent = self.lifted.facts.extent
        sides = [axis for axis, sub in zip(product.value.axes, read.subs, strict=True)
                 if sub is line]  # fmt: skip
        if extent(sides[0].extent) is extent(sides[1].extent):
            return [], []
        stated = "the product is square"
        if offered(self.lifted) and len({measured(self.lifted, s.extent) for s in sides}) == 1:
            return [], [f"{stated}, as `get_inputs` says"]
        return ([], [stated]) if summed else ([f"the result differs unless {stated}"], [])

    def _einsum(self, arrays: list[Value]) -> str | None:
        """The einsum of the library of some arrays, if that is known and has a name."""
        imported = self.module.names
        library = "torch" if self.tensors(arrays) else "numpy"
        if library == "numpy" and all(value.library is None for value in arrays):
            if any(path.partition(".")[0] == "torch" for path in imported.values()):
                return None  # they may be tensors
        name = next((n for n, p in imported.items() if p == library), None)
        return None if name is None else f"{name}.einsum"

    # -- rows and columns

    def rows(self, node: ast.Subscript, product: Product) -> Match | None:
        """The subscript taken of the factor whose rows or columns it names."""
        left, right = product.left, product.right
        if left.subs[-1:] != (product.inner,) or right.subs[:1] != (product.inner,):
            return None
        if len(right.subs) != 2 or product.value.axes != (*left.subs[:-1], right.subs[1]):
            return None
        if any(isinstance(sub, Index) and sub.group for sub in left.subs):
            return None
        parts = self._items(node, len(left.subs))
        if parts is None:
            return self._entries(node, product)
        before, column = parts
        a, b = self.say(left.value), self.say(right.value)
        if a is None or b is None:
            return None
        source = self.module.source
        row = f"{a.dotted()}[{', '.join(map(source, before))}]" if before else a.multiplied()
        last = f"{b.dotted()}[:, {source(column)}]" if column is not None else b.multiplied()
        text = f"{row} @ {last}"
        parent = self.parents.get(node)
        tight = isinstance(parent, (ast.Attribute, ast.Subscript, ast.UnaryOp, ast.BinOp))
        message = "of a product only some rows or columns are used: the others need not be computed"
        whole = f"({text})" if tight else text
        names = {n.id for n in everything_in(node.slice) if isinstance(n, ast.Name)}
        said = [a, b, Text("", frozenset(names))]
        doubts = self._columns(node, before, left.value) if column is None else []
        return self.part(
            product.value, whole, said, message, doubts, [], {left.value: None, right.value: None}
        )

    def _entries(self, node: ast.Subscript, product: Product) -> Match | None:
        """Rows of one factor times columns of the other, for entries whose places are listed."""
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
        left, right = product.left, product.right
        if len(items) != 2 or len(left.subs) != 2 or not all(map(self._places, items)):
            return None
        called = self._einsum([left.value, right.value, product.value])
        said = list[Text]()
        for factor, place in ((left, 0), (right, 1)):
            plain = self._plain(factor)
            text = self.say(plain.value)
            if text is None:
                return None
            said.append(text if plain.subs[0] is factor.subs[place] else text.call(".T"))
        if called is None:
            return None
        rows = ", ".join(f"{text.dotted()}[{self.module.source(item)}]"
                         for text, item in zip(said, items, strict=True))  # fmt: skip
        names = {n.id for item in items for n in everything_in(item) if isinstance(n, ast.Name)}
        doubts = [f"`{self.module.source(item)}` must be places, no slice"
                  for item in items if not self._no_slice(item)]  # fmt: skip
        message = "of a product only listed entries are used: the others need not be computed"
        return self.part(
            product.value,
            f'{called}("...k,...k->...", {rows})',
            [*said, Text("", frozenset(names))],
            message, doubts, [], {left.value: len(left.subs), right.value: len(right.subs)},
        )  # fmt: skip

    def _places(self, item: ast.expr) -> bool:
        """Whether a subscript may be an array of places, or of truth values, of one axis."""
        value = self.values.get(item)
        return isinstance(value, Value) and not isinstance(item, ast.Slice)

    def _no_slice(self, item: ast.expr) -> bool:
        value = self.values.get(item)
        number = isinstance(value, Value) and value.dtype is not None
        return number or Arrays(self).certain(item)

    def _columns(self, node: ast.Subscript, before: list[ast.expr], given: Value) -> list[str]:
        """What is doubtful where nothing but its use says how many axes an array has: with one less
        the last subscript takes columns."""
        many = len(node.slice.elts) if isinstance(node.slice, ast.Tuple) else 1
        if many > len(before) or leaves(given).isdisjoint(self.lifted.facts.grounds):
            return []
        return [f"columns are taken, not rows, if {has_axes(given.name, len(before))}"]

    def _items(
        self, node: ast.Subscript, rank: int
    ) -> tuple[list[ast.expr], ast.expr | None] | None:
        """The subscripts before the last axis, without those that take all, and that of the last
        axis, where it takes a part; None where they are no places of a product of ``rank`` axes."""
        items = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        before, last = items[: rank - 1], items[rank - 1 :]
        if len(last) > 1 or not all(map(self._takes, items)) or all(map(is_whole, items)):
            return None
        if sum(self._listed(item) for item in items) and sum(not is_whole(i) for i in items) > 1:
            return None
        while before and is_whole(before[-1]):
            before.pop()
        return before, next((item for item in last if not is_whole(item)), None)

    # -- linear layers, which are a product with each row

    def layer(self, node: ast.expr) -> tuple[Value, ast.Call] | None:
        """What a linear layer made of an array, and its call."""
        value = self.values.get(node)
        call = self.origin(value) if isinstance(value, Value) else None
        if not isinstance(value, Value) or not isinstance(call, ast.Call) or not call.args:
            return None
        if isinstance(call.args[0], ast.Starred):
            return None
        made = self.values.get(call.func)
        linear = isinstance(made, Instance) and made.path == "torch.nn.Linear"
        functional = isinstance(made, Named) and made.path == "torch.nn.functional.linear"
        return (value, call) if linear or functional else None

    def _is_vector(self, node: ast.expr) -> bool:
        value = self.values.get(node)
        if isinstance(value, Literal):
            return value.value is None
        return isinstance(value, Value) and len(value.axes) == 1 and not value.axes[0].group

    def layered(self, node: ast.Subscript, value: Value, call: ast.Call) -> Match | None:
        """The layer, of the rows that are used."""
        given = self.values.get(call.args[0])
        if not isinstance(given, Value) or any(axis.group for axis in (*given.axes, *value.axes)):
            return None
        extent = self.lifted.facts.extent
        if len(given.axes) != len(value.axes) or not all(
            extent(one.extent) is extent(other.extent)
            for one, other in zip(given.axes[:-1], value.axes[:-1], strict=True)
        ):
            return None
        parts = self._items(node, len(value.axes))
        rows = self.say(given)
        if parts is None or rows is None or parts[1] is not None:
            return None
        source = self.module.source
        others = [*call.args[1:], *(word.value for word in call.keywords)]
        if not all(map(self._is_vector, others[1:])):
            return None  # a bias of more axes has rows of its own
        taken = f"{rows.dotted()}[{', '.join(map(source, parts[0]))}]"
        rest = [source(arg) for arg in call.args[1:]] + [source(word) for word in call.keywords]
        text = f"{source(call.func)}({', '.join([taken, *rest])})"
        names = {
            inner.id if isinstance(inner, ast.Name) else inner.attr
            for part in (call.func, node.slice, *others)
            for inner in everything_in(part)
            if isinstance(inner, (ast.Name, ast.Attribute))
        }
        message = "of a linear layer only some rows are used: the others need not be computed"
        said = [rows, Text("", frozenset(names))]
        doubts = self._columns(node, parts[0], given)
        return self.part(value, text, said, message, doubts, [], {given: None})

    def _takes(self, item: ast.expr) -> bool:
        """Whether a subscript takes places of one axis: a slice, a number, a list of places."""
        if isinstance(item, ast.Slice):
            return True
        number = constant(item)
        if isinstance(number, int) and not isinstance(number, bool):
            return True
        value = self.values.get(item)
        if not isinstance(value, Value) or value.dtype is None:
            return False
        return (
            len(value.axes) <= 1
            and not any(a.group for a in value.axes)
            and (kind_of(value.dtype) == 1 if value.dtype != "int" else not value.axes)
        )

    def _listed(self, item: ast.expr) -> bool:
        value = self.values.get(item)
        return isinstance(value, Value) and bool(value.axes)


_BEFORE = """\
import torch


def distances(x: torch.Tensor, precision: torch.Tensor):
    n, d = x.shape
    d, _ = precision.shape
    scores = x @ precision @ x.T
    return torch.diag(scores).sqrt()
"""

_AFTER = """\
import torch


def distances(x: torch.Tensor, precision: torch.Tensor):
    n, d = x.shape
    d, _ = precision.shape
    return torch.einsum("ij,ij->i", x @ precision, x).sqrt()
"""

_TRACE = """\
import numpy as np


def expectation(state: np.ndarray, observable: np.ndarray):
    n, _ = state.shape
    return np.trace(state @ observable)
"""

_TRACE_AFTER = """\
import numpy as np


def expectation(state: np.ndarray, observable: np.ndarray):
    n, _ = state.shape
    return np.einsum("ij,ji->", state, observable)
"""

_LAST = """\
import torch


def next_word(hidden: torch.Tensor, words: torch.Tensor):
    batch, length, width = hidden.shape
    width, vocabulary = words.shape
    logits = hidden @ words
    return logits[:, -1].argmax(dim=-1)
"""

_LAST_AFTER = """\
import torch


def next_word(hidden: torch.Tensor, words: torch.Tensor):
    batch, length, width = hidden.shape
    width, vocabulary = words.shape
    return (hidden[:, -1] @ words).argmax(dim=-1)
"""

_LISTED = """\
import torch


def ratings(people: torch.Tensor, films: torch.Tensor, seen: torch.Tensor):
    n, width = people.shape
    m, width = films.shape
    scores = people @ films.T
    return scores[seen[0], seen[1]]
"""

_LISTED_AFTER = """\
import torch


def ratings(people: torch.Tensor, films: torch.Tensor, seen: torch.Tensor):
    n, width = people.shape
    m, width = films.shape
    return torch.einsum("...k,...k->...", people[seen[0]], films[seen[1]])
"""

_INTEGERS = """\
import numpy as np


def paths(a: np.ndarray, b: np.ndarray):
    steps, more = a.astype(np.int32), b.astype(np.int32)
    n, _ = steps.shape
    n, _ = more.shape
    return np.trace(steps @ more)
"""

_UNNAMED = """\
import torch
from numpy import diag, int16, ndarray


def norms(rows: ndarray):
    short = rows.astype(int16)
    return diag(short @ short.T)
"""

REWRITE = Rewrite(
    code="RED509",
    name="unused-entries",
    summary="of a product only the entries that are used are computed",
    doc=__doc__,
    properties=("redundancy",),
    find=find,
    seeks=("trace", "part", "rows", "identity", "paired", ("spread", "product")),
    becomes='torch.einsum("ij,ji->", A, B), A[i] @ B',
    examples=(
        Example("a diagonal", _BEFORE, _AFTER,
                "((torch.randn(5, 3), torch.eye(3) + 0.1), (torch.ones(1, 1), torch.ones(1, 1)))"),
        Example("a trace", _TRACE, _TRACE_AFTER,
                "((np.random.rand(4, 4), np.random.rand(4, 4)),"
                " (np.ones((1, 1)), np.ones((1, 1))))"),
        Example("the last step", _LAST, _LAST_AFTER,
                "((torch.randn(2, 5, 3), torch.randn(3, 4)),"
                " (torch.randn(1, 1, 1), torch.randn(1, 2)))"),
        Example("listed entries", _LISTED, _LISTED_AFTER,
                "((torch.randn(4, 3), torch.randn(5, 3), torch.tensor([[0, 3, 0], [4, 1, 4]])),"
                " (torch.randn(1, 1), torch.randn(1, 1), torch.zeros(2, 1, dtype=torch.long)))"),
    ),
    refused=(
        RefusedExample("product-used", _BEFORE.replace(
            "return torch", "return scores, torch")),
        RefusedExample("dtypes", _INTEGERS),
        RefusedExample("dtypes", _UNNAMED),
        RefusedExample("gradients", _BEFORE.replace(
            "    scores =", "    with torch.autocast('cpu'):\n        scores =")),
        RefusedExample("effects", _TRACE.replace(
            "    return np.trace(state @ observable)",
            "    product = state @ observable\n    refresh(state)\n    return np.trace(product)")),
    ),
    unmatched=(
        _BEFORE.replace("torch.diag(scores)", "torch.diag(scores, 1)"),
        _BEFORE.replace("torch.diag(scores)", "torch.tril(scores)"),
        _TRACE.replace("state @", "state *"),
        _LISTED.replace("scores[seen[0], seen[1]]", "scores[seen[0]][:, seen[1]]"),
        _LAST.replace("logits[:, -1]", "logits[mask]"),
        _LAST.replace("logits[:, -1]", "logits[:, :]"),
        _LAST.replace("    return logits[:, -1].argmax(dim=-1)",
                      "    return [logits[:, t].argmax(dim=-1) for t in range(2)]"),
        _LAST_AFTER,
    ),
    inside=True,
)  # fmt: skip
