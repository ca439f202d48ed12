"""Products with one-hot vectors, as a look-up.

Finds rows that are 1 at one place and 0 elsewhere (``F.one_hot(i, n)``, ``np.eye(n)[i]``, zeros
into which a 1 was scattered or written at ``[arange(n), i]``, ``i[:, None] == arange(n)``) as a
factor of a product over the places: ``F.one_hot(i, n).float() @ W``, ``W @ one_hot.T``, through
``einsum``, ``F.linear``, conversions, transposes and names; given to ``nn.Linear``; or times rows
that are summed up, ``(F.one_hot(i, n) * x).sum(1)``, all of them too: ``np.sum(hot * logp)``; and
products with sums or averages of them, ``F.one_hot(ids, n).float().sum(1) @ W``, bags of words. Of
products with masks that give each row one of several places, as the buffers of experts with a
capacity are filled and read, it is told.

Legal because of each sum one term is not zero: ``sum_k [i = k] W[k, j] = W[i, j]``. A product over
the *rows* of one-hot vectors, as ``x @ F.one_hot(i, n)``, adds up what falls on each place: no
look-up (SPA406). Labels that are smoothed, ``F.one_hot(i, n) * (1 - e) + e / n``, are told: their
sum of products is a part of one entry and of the sum of all.

Pays always: no rows of zeros are made, and n times fewer multiplications.

Safe means: the same numbers, and the same gradient of W, rows that are looked up twice included.
Where another row of W holds an infinity or NaN the product is NaN (zero times infinity) and the
look-up is not. Places out of range raise in both, or count from the end in both; ``i[:, None] ==
arange(n)`` is all zeros there, so that such a fix is not safe. A look-up at one place is a view of
W and not written, except by ``F.embedding`` and ``np.take``, which copy. Where nothing says that
the place is one number, and the product would be no look-up with several, the fix is not safe.

Sources: the documentation of ``torch.nn.functional.embedding`` and ``numpy.take``.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.arrays.overwritten import written_after
from auditor.assumed import assuming
from auditor.expressions.rebound import ReboundRegion
from auditor.expressions.region import Text
from auditor.expressions.suppositions import cut, made_of
from auditor.lift.dtypes import kind_of
from auditor.lift.objects import Instance
from auditor.lift.ranks import grounds_of
from auditor.lift.subscripts import PLACED
from auditor.lift.tables.orders import ONE_HOT
from auditor.matrices.bags import Bag, Counts, bagged, counted
from auditor.matrices.dispatched import dispatched
from auditor.matrices.placed import Picked, Placed, picked, picked_total, placed
from auditor.matrices.smoothed import smoothed
from auditor.notation import ONE, ZERO, Apply, Computation, Const, Index, Read, Term, Value
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.syntax import walks
from auditor.verdict import Verdict


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    value, node = site.value, site.node
    if site.loop is not None or node is None or site.statement is None:
        return None
    if value is None:
        return _Region(site).layered(node) if isinstance(node, ast.Call) else None
    if value.span != site.lifted.module.span(node) or walks(node):
        return None
    region = _Region(site)
    found = picked(value, summed=True)
    total = None if found is not None else picked_total(value)
    found = found or total
    if found is None or not isinstance(found.placed.place, Read) or not found.placed.one:
        bag = bagged(value)
        return _told(site, value) if bag is None else region.bag(value, bag)
    return region.match(value, found, found.placed.place, total is not None)


def _told(site: Site, value: Value) -> Match | None:
    """What is said of a product with smoothed labels, or with a mask of two places a row; nothing
    is written, for where in the code their places and numbers have names is another question."""
    soft = smoothed(value)
    if soft is not None and soft.factor.name.isidentifier():
        numbers = "".join(f", if `{each.name}` is a number" for each in soft.numbers)
        message = (
            f"`{soft.factor.name}` has one value at one place of each row and another elsewhere:"
            " the sum is a part of the entry that is looked up and of the sum of all, for which no"
            f" such table is needed (torch's `cross_entropy` has `label_smoothing`){numbers}"
        )
        return _advice(site, message)
    found = dispatched(value)
    if found is None or not found.mask.name.isidentifier():
        return None
    done = "read at its place" if found.taken else "added to its place"
    message = (
        f"`{found.mask.name}` is zero but at the few places of each row, and multiplied whole: a"
        f" row {done} (`{'x[e, c]' if found.taken else 'index_put_'}`) needs no products with zeros"
    )
    return _advice(site, message)


def _advice(site: Site, message: str) -> Match:
    span = site.computation.span
    # the five other questions are about how the mask is made, and costly
    computation = Computation("expression", site.lifted.scope, span, ())
    verdict = Verdict("holds", "structure", message)
    return Match(span, message, computation, verdicts={"sparsity": verdict})


class _Region(ReboundRegion):
    """The expression that multiplies with the one-hot vectors."""

    def bag(self, value: Value, found: Bag) -> Match | None:
        """What is looked up at several places each, summed up or averaged."""
        added = self._added(found.counts)
        if added is None:
            return None
        return self.match(value, found.picked, found.counts.place, added=added)

    def _added(self, counts: Counts) -> str | None:
        """The method that adds up along an axis of the places, or averages; None for others."""
        extent, along = self.lifted.facts.extent, counts.along
        if counts.by is not None and extent(counts.by) is not extent(along.extent):
            return None
        way = "sum" if counts.by is None else "mean"
        return f".{way}({counts.place.subs.index(along)})"

    def match(
        self, value: Value, found: Picked, place: Read, total: bool = False, added: str = ""
    ) -> Match | None:
        """With ``total`` what is looked up is summed up, with ``added`` by this method."""
        site, table = self.site, found.other
        index, said = self.say(place.value), self.say(table.value)
        if index is None or said is None or place.aligned:
            return None
        if not self._whole(found):
            return None
        ranged = self._within_range(found.placed, found.inner)
        if cut(self, found.placed.passed):
            return None
        torch = self.tensors([*found.placed.passed, table.value])
        assumed: list[str] = []
        at, column = self._without_ones(place, index)
        axes = (*at.subs, found.other.subs[1]) if added else at.subs if total else value.axes
        text = self._looked_up(axes, found, at, column, said, torch, assumed)
        if text is None:
            return None
        if total:
            text += ".sum()"
        if not torch:
            text += self._same_dtype(value, found, said, assumed)
        elif set(place.subs) & set(table.subs):
            self._same_kind(found, said, assumed)
        text += added
        passed = [v for v in found.placed.passed if v is not place.value]
        site.require(not self.autocast(), "autocast", "under autocast a product has another dtype")
        site.require(
            self.same_gradients(passed),
            "gradients",
            "the one-hot vectors are made under another `with` block",
        )
        site.require(
            self.steady(passed, [index]), "effects", "something in between may change the places"
        )
        site.require(
            not torch or not written_after(site, [place.value]),
            "written",
            "the places are changed later, which the backward pass would need",
        )
        if not ranged:
            assumed.append(f"`{index.text}` {_WITHIN}")
        if not self.lifted.facts.certain(found.inner.extent):
            assumed.append(f"`{said.text}` {_AS_MANY}")
        removal = self.removal({self.node: Text(text, index.reads | said.reads)})
        single = None if self._behind_rows(found) else self._single(place.value, index.text)
        doubt = single is not None
        if doubt and any(map(self._turned, found.placed.passed)):
            return None  # nobody turns one row: there are several places
        if single is not None:
            assumed.append(single)
        return Match(
            span=site.computation.span,
            message="rows of zeros with a single 1 are multiplied: the product is a look-up",
            computation=site.computation,
            edits=tuple(
                sorted((self.replace(self.node, text), *removal.edits), key=lambda e: e.span)
            ),
            numerics="reassociated" if total or added else "exact",
            reason=assuming(assumed),
            safe=not doubt
            and not any(s.endswith((_OF_THE_PRODUCT, _WITHIN, _AS_MANY)) for s in assumed),
        )

    def layered(self, node: ast.Call) -> Match | None:
        """A linear layer of one-hot vectors: rows of its weight, turned."""
        given = self.values.get(node.args[0]) if len(node.args) == 1 and not node.keywords else None
        layer = self.values.get(node.func)
        if not isinstance(layer, Instance) or layer.path != "torch.nn.Linear":
            return None
        if not isinstance(given, Value) or not given.axes or given.axes[-1].group:
            return None
        whole, added = Read(given, given.axes), ""
        found, kept = placed(whole, given.axes[-1]), tuple[Term, ...](given.axes[:-1])
        counts = counted(whole, given.axes[-1]) if found is None else None
        if counts is not None:
            found, added = counts.placed, self._added(counts) or ""
            kept = counts.place.subs if added and counts.kept == kept else ()
        if found is None or not isinstance(found.place, Read) or not found.one:
            return None
        index, functional = self.say(found.place.value), self._functional()
        bias = layer.keywords.get("bias", layer.args[2] if len(layer.args) > 2 else None)
        plain = bias is None or (isinstance(bias, Value) and isinstance(bias.body, Const))
        if index is None or functional is None or not plain or cut(self, found.passed):
            return None
        if found.place.subs != kept or not self._distinct(found.place):
            return None
        if not self._within_range(found, given.axes[-1]):
            return None
        site, name = self.site, self.one_line(node.func)
        site.require(not self.autocast(), "autocast", "under autocast a product has another dtype")
        site.require(
            self.steady(found.passed, [index]),
            "effects",
            "something in between may change the places",
        )
        text = f"{functional}.embedding({index.text}, {name}.weight.T){added}"
        if bias is None or (isinstance(bias, Value) and bias.body is not Const(False)):
            text = f"({text} + {name}.bias)"
        removal = self.removal({self.node: Text(text, index.reads | {name.partition(".")[0]})})
        edits = (self.replace(self.node, text), *removal.edits)
        return Match(
            span=site.computation.span,
            message="a linear layer is given rows of zeros with a single 1: it is a look-up",
            computation=site.computation,
            edits=tuple(sorted(edits, key=lambda e: e.span)),
            reason=f"hooks on `{name}`, or another module in its place, are left out",
            safe=False,
        )

    def _single(self, place: Value, text: str) -> str | None:
        """What is assumed where a place is taken for one alone, which may as well be several."""
        facts = self.lifted.facts
        if place.name in facts.grounds:
            return facts.assumptions[place.name]
        alone = any("single" in grounds_of(facts, part) for part in made_of(place))
        return f"`{text}` is an integer, as its use says" if alone else None

    def _behind_rows(self, found: Picked) -> bool:
        """Whether the rows stand before the table in a product of two: then it is the same look-up
        however many places there are."""
        node, left = self.node, None
        if isinstance(node, ast.BinOp):
            left = node.left
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("dot", "matmul", "mm"):
                left = node.args[0] if len(node.args) == 2 else node.func.value
        passed = found.placed.passed
        return left is not None and len(passed) == 2 and self.values.get(left) is passed[0]

    def _turned(self, value: Value) -> bool:
        """Whether the code writes a value as a transpose."""
        words = [
            node.func.attr if isinstance(node.func, ast.Attribute) else ""
            for node in self.origins.get(value, []) if isinstance(node, ast.Call)
        ] + [
            node.attr for node in self.origins.get(value, []) if isinstance(node, ast.Attribute)
        ]  # fmt: skip
        return not _TURNS.isdisjoint(words)

    def _whole(self, found: Picked) -> bool:
        """Whether all the rows of the table can be looked up, and all are summed over."""
        extent, table = self.lifted.facts.extent, found.other
        if len(table.subs) != len(table.value.axes):
            return False
        axis = table.value.axes[table.subs.index(found.inner)]
        return extent(axis.extent) is extent(found.inner.extent)

    def _within_range(self, placed: Placed, inner: Index) -> bool:
        """Whether a place out of range is an error, and no row of zeros: all of the columns of an
        identity, or of what ``F.one_hot`` made, take part."""
        extent, last = self.lifted.facts.extent, placed.passed[-1]
        on = last.body.args[0] if isinstance(last.body, Apply) else None
        identity = isinstance(on, Apply) and set(on.args) <= set(last.axes)
        if not identity and (last.made is None or last.made[0] not in (ONE_HOT, PLACED)):
            return False
        return extent(last.axes[-1].extent) is extent(inner.extent)

    def _without_ones(self, place: Read, index: Text) -> tuple[Read, Text]:
        """The places without an axis of length one that was kept (``argmin(1, keepdim=True)``)."""
        pairs = [*zip(place.subs, place.value.axes, strict=True)]
        ones = [at for at, (sub, axis) in enumerate(pairs) if sub is ZERO and axis.extent is ONE]
        if len(ones) != 1 or len(pairs) < 2 or any(axis.group for axis in place.value.axes):
            return place, index
        subs, axes = zip(*(pair for at, pair in enumerate(pairs) if at not in ones), strict=True)
        return Read(replace(place.value, axes=axes), subs), index.call(f".squeeze({ones[0]})")

    def _looked_up(
        self, axes: tuple[Term, ...], found: Picked, place: Read, index: Text, said: Text,
        torch: bool, assumed: list[str],
    ) -> str | None:  # fmt: skip
        """The look-up as code; None where the axes of the result are others."""
        table = found.other
        rest: tuple[Term, ...] = tuple(s for s in table.subs if s is not found.inner)
        batch = [s for s in rest if isinstance(s, Index) and s.group]
        if batch and not any(isinstance(s, Index) and s.group for s in place.subs):
            rest = tuple(s for s in rest if s not in batch)
            axes = tuple(s for s in axes if s not in batch)
            if len(rest) != 1 or table.subs[-2:] != (found.inner, *rest):
                return None
            assumed.append(f"`{said.text}` has no more than 2 axes")
            rows: Text | None = said
        else:
            order = [s for s in (found.inner, *rest) if isinstance(s, Index)]
            rows = self.arranged(table, order, said) if len(order) == len(table.subs) else None
        if not self._distinct(place):
            return None
        if set(rest) & set(place.subs):
            return self._one_each(found, place, index, said, axes, torch)
        if axes == (*place.subs, *rest) and rows is not None:
            return self._rows(found, place, index, rows, len(rest), torch, assumed)
        if rest and axes == (*rest, *place.subs) and table.subs == (*rest, found.inner):
            return f"{said.dotted()}[..., {index.text}]" if place.subs else None
        return None

    def _one_each(
        self, found: Picked, place: Read, index: Text, said: Text, axes: tuple[Term, ...],
        torch: bool,
    ) -> str | None:  # fmt: skip
        """Of each row of the table the element at a place of its own."""
        if found.other.subs != (*place.subs, found.inner) or axes != place.subs:
            return None
        library = "torch" if torch else "numpy"
        name = next((n for n, p in self.module.names.items() if p == library), None)
        if name is None and torch and self._functional() is not None:
            return f"{said.dotted()}.take_along_dim({index.dotted()}[..., None], dim=-1)[..., 0]"
        taken = "take_along_dim" if torch else "take_along_axis"
        if name is None:
            return None
        return f"{name}.{taken}({said.text}, {index.dotted()}[..., None], -1)[..., 0]"

    def _same_kind(self, found: Picked, said: Text, assumed: list[str]) -> None:
        """Products of tensors that are made element by element have the wider of two dtypes."""
        table, cast = found.other.value, found.placed.cast
        if cast == f"like {table.uid}" or (cast is not None and cast == table.dtype):
            return
        if cast is None:
            if table.dtype is None or kind_of(table.dtype) < 2:
                assumed.append(f"`{said.text}` holds floating-point numbers")
        else:
            assumed.append(f"`{said.text}` {_OF_THE_PRODUCT}")

    def _distinct(self, place: Read) -> bool:
        """Whether the places are read as they lie."""
        indices = [sub for sub in place.subs if isinstance(sub, Index)]
        return len(indices) == len(place.subs) == len(set(indices)) == len(place.value.axes)

    def _rows(
        self, found: Picked, place: Read, index: Text, rows: Text, behind: int, torch: bool,
        assumed: list[str],
    ) -> str | None:  # fmt: skip
        """Rows of the table at the places, in memory of their own."""
        if not torch:
            numpy = next((n for n, p in self.module.names.items() if p == "numpy"), None)
            if numpy is None or not self._whole_numbers(place.value):
                return None
            if place.value.dtype is None:
                assumed.append(f"`{index.text}` holds no truth values")
            return f"{numpy}.take({rows.text}, {index.text}, axis=0)"
        made = found.placed.passed[-1].made
        counted = made is not None and made[0] == ONE_HOT
        functional = self._functional()
        if counted and behind == 1 and functional is not None:
            return f"{functional}.embedding({index.text}, {rows.text})"
        if not place.subs or any(isinstance(s, Index) and s.group for s in place.subs):
            return None
        return f"{rows.dotted()}[{index.text}]"

    def _whole_numbers(self, value: Value) -> bool:
        return value.dtype is None or (value.dtype != "bool" and kind_of(value.dtype) == 1)

    def _functional(self) -> str | None:
        names = {path: name for name, path in self.module.names.items()}
        if "torch.nn.functional" in names:
            return names["torch.nn.functional"]
        return f"{names['torch']}.nn.functional" if "torch" in names else None

    def _same_dtype(self, value: Value, found: Picked, said: Text, assumed: list[str]) -> str:
        """In NumPy the product has the wider of two dtypes, the look-up that of the table: the
        method that makes them one."""
        table, placed = found.other.value, found.placed
        if placed.cast == f"like {table.uid}":
            return ""
        self.site.require(
            table.dtype is None or table.dtype == value.dtype,
            "dtypes",
            "the product is of another dtype than the table",
        )
        if table.dtype is not None:
            return ""
        numpy = next((n for n, p in self.module.names.items() if p == "numpy"), None)
        if numpy is None or (placed.cast or placed.passed[-1].dtype) != "float64":
            assumed.append(f"`{said.text}` {_OF_THE_PRODUCT}")
            return ""
        return f".astype({numpy}.result_type({said.text}, float))"


_TURNS = frozenset(("T", "mT", "t", "transpose", "swapaxes"))
_OF_THE_PRODUCT = "has the dtype of the product"
_AS_MANY = "has as many columns as there are classes, and is broadcast to none"
_WITHIN = (
    "holds only places within range: for others the product has a row of zeros, where the look-up"
    " raises an error or takes another row"
)
_DOUBTFUL = (_OF_THE_PRODUCT, _WITHIN, _AS_MANY)
_BEFORE = """\
import torch
import torch.nn.functional as F
from torch import nn


class Tokens(nn.Module):
    def __init__(self, words: int, size: int):
        super().__init__()
        self.words = words
        self.table = nn.Parameter(torch.randn(words, size))

    def forward(self, tokens):
        chosen = F.one_hot(tokens, self.words).float()
        return chosen @ self.table


def embed(tokens):
    torch.manual_seed(0)
    return Tokens(5, 3)(tokens)
"""

_AFTER = """\
import torch
import torch.nn.functional as F
from torch import nn


class Tokens(nn.Module):
    def __init__(self, words: int, size: int):
        super().__init__()
        self.words = words
        self.table = nn.Parameter(torch.randn(words, size))

    def forward(self, tokens):
        return F.embedding(tokens, self.table)


def embed(tokens):
    torch.manual_seed(0)
    return Tokens(5, 3)(tokens)
"""

_NUMPY = """\
import numpy as np


def rows(table: np.ndarray, places: np.ndarray):
    n, size = table.shape
    (count,) = places.shape
    return np.eye(n)[places] @ table
"""

_NUMPY_AFTER = """\
import numpy as np


def rows(table: np.ndarray, places: np.ndarray):
    (count,) = places.shape
    return np.take(table, places, axis=0).astype(np.result_type(table, float))
"""

_COLUMNS = """\
import torch
import torch.nn.functional as F


def columns(w: torch.Tensor, i: torch.Tensor):
    size, n = w.shape
    (count,) = i.shape
    return w @ F.one_hot(i, n).to(w.dtype).T
"""

_COLUMNS_AFTER = """\
import torch
import torch.nn.functional as F


def columns(w: torch.Tensor, i: torch.Tensor):
    (count,) = i.shape
    return w[..., i]
"""

REWRITE = Rewrite(
    code="SPA401",
    name="one-hot-matmul",
    summary="a product with one-hot vectors is a look-up",
    doc=__doc__,
    properties=("sparsity",),
    find=find,
    seeks=("one-hot", "identity", "cells", "matched"),
    becomes="F.embedding(i, W), W[i]",
    examples=(
        Example("an embedding", _BEFORE, _AFTER,
                "((torch.tensor([0, 4, 4]),), (torch.tensor([[1, 2], [3, 3]]),))"),
        Example("rows of an array", _NUMPY, _NUMPY_AFTER,
                "((np.random.rand(3, 4), np.array([0, 2, 2, -1])),"
                " (np.random.rand(1, 1), np.array([0])))"),
        Example("columns", _COLUMNS, _COLUMNS_AFTER,
                "((torch.randn(4, 3), torch.tensor([0, 2, 2])),)"),
    ),
    refused=(
        RefusedExample("dtypes", _NUMPY.replace(
            "    n, size", "    table = table.astype(np.float32)\n    n, size")),
        RefusedExample("autocast", _COLUMNS.replace(
            "    return", "    with torch.autocast('cpu'):\n        return")),
        RefusedExample("gradients", _COLUMNS.replace(
            "    return w @ F.one_hot(i, n).to(w.dtype).T",
            "    with torch.autocast('cpu'):\n        h = F.one_hot(i, n).to(w.dtype)\n"
            "    return w @ h.T")),
        RefusedExample("effects", _COLUMNS.replace(
            "    return w @ F.one_hot(i, n).to(w.dtype).T",
            "    h = F.one_hot(i, n).to(w.dtype)\n    refresh(i)\n    return w @ h.T")),
        RefusedExample("written", _COLUMNS.replace(
            "    return w @ F.one_hot(i, n).to(w.dtype).T",
            "    out = w @ F.one_hot(i, n).to(w.dtype).T\n    i.add_(1)\n    return out")),
    ),
    unmatched=(
        _COLUMNS.replace("(w.dtype).T", "(w.dtype)").replace("size, n = w", "size, count = w"),
        _COLUMNS.replace("F.one_hot(i, n)", "(i[:, None] >= torch.arange(n))"),
        _COLUMNS.replace(".to(w.dtype)", ".to(w.dtype).mul(0.9)"),
        _COLUMNS.replace("w @", "w *"),
        _NUMPY.replace("np.eye(n)", "np.tri(n)"),
        _NUMPY_AFTER,
    ),
    inside=True,
)  # fmt: skip
