"""Loops that fold a sequence into a few values, as reductions.

Finds loops that only carry sums, products, minima, maxima, counts, flags, dot products or the
place of an extremum: one or several at a time, guarded or not, nested over a matrix or for each
cell of another array, of its elements or functions of them, over tensors, arrays and lists; with
``+=`` or written out, ``max()`` or ``if x > m``, a flag with ``break`` or an early ``return``.
Over arrays also ``sum``, ``math.prod``, ``max`` and ``min`` of a generator.

Legal because each operation is a monoid: associative, with the identity (or the given start) as
the value of the empty sequence, so that the steps may be taken in any grouping. Booleans, counts,
minima and maxima come out exactly; sums and products up to the order of roundings.

Pays because a loop runs one interpreted step (for tensors: one kernel) an element, the reduction
one for all. Over lists a builtin pays that walks the list itself, or that stops early; where each
element has to be computed by a generator expression the loop is as fast, and it stays.

Safe means: the same value of the same type, for the empty sequence unless the finding assumes a
step; whatever the original returned normally for still returns. A comparison with ``>`` keeps the
first of equals, as ``max``, ``list.index`` and ``argmax`` (of torch since 1.7) do; ``>=`` keeps the
last: a list is walked from its end then, as equal values may be of several types, and what cannot
be is refused. Compensated sums, early exits that depend on the state, iteration over sets, appended
partial results and narrow integers stay.

Sources: Bird, "An Introduction to the Theory of Lists" (1987); the documentation of ``sum``,
``max``, ``any``, ``torch.argmax``, ``numpy.sum`` (promotion of narrow integers, NEP 50).
"""

from __future__ import annotations

import ast

from auditor.algebra.subterms import everything
from auditor.arrays.overwritten import written_after
from auditor.assumed import listed
from auditor.folds.arrays import ArrayCode
from auditor.folds.items import over_items
from auditor.folds.iterables import Iterable, kind_of
from auditor.folds.lists import ListCode
from auditor.folds.loop import NotAFold
from auditor.folds.plan import Plan
from auditor.folds.reader import read
from auditor.nests.kinds import counts, sums
from auditor.nests.plan import Plan as CellPlan
from auditor.nests.reading import nest_of
from auditor.notation import Read, Value
from auditor.recurrences.reduced import reduced
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region


def find(site: Site) -> Match | None:
    """The match of a loop, or None. Raises ``Refused``."""
    if site.loop is None or not isinstance(site.loop.node, (ast.For, ast.While)):
        return None
    region = Region(site.lifted)
    node = site.loop.node
    if _inside_another(region, node):
        return None
    try:
        loop = read(region, node)
    except NotAFold:
        return reduced(site) or _cells(site)
    plan = Plan(site, region, loop)
    try:
        for condition, reason in loop.objections:
            site.require(False, condition, reason)
        return _match(plan)
    except Refused as refusal:
        match = reduced(site)
        if match is not None:
            return match
        if refusal.condition in _UNSPELLED:
            refusal.advice = plan.advice(refusal.reason)
        raise


def _cells(site: Site) -> Match | None:
    """The match of a nest that sums up one array, or a function of it, for each cell of another."""
    nest = nest_of(site)
    if nest is None or not all(sums(one, len(nest.loops)) for one in nest.filled):
        return None
    for filled in nest.filled:
        floats = (filled.array.dtype or "").startswith(("float", "bfloat", "complex"))
        site.require(
            floats or not filled.stepwise or (filled.array.dtype in _WHOLE and counts(filled)),
            "integers",
            f"`{filled.name}` may hold whole numbers, to which every single sum is cut",
        )
    names = listed(f"`{filled.name}`" for filled in nest.filled)
    return CellPlan(site, Region(site.lifted), nest, nest.filled).match(
        f"{names}: the loops compute a sum for each cell, one element at a time"
    )


_WHOLE = frozenset(("int", "int64"))
_UNSPELLED = frozenset(("arrays", "axes", "bounds", "conditions", "counter", "lengths", "totals",
                        "temporaries"))  # fmt: skip
"""Conditions of the code that would replace a loop. The loop is a fold all the same."""


def _match(plan: Plan) -> Match | None:
    """What the conditions of the plan and of its code leave."""
    loop, region = plan.loop, plan.region
    starts = {name: plan.start(name) for fold in loop.folds for name in fold.names}
    kinds = [kind_of(region, g.iter, loop.generators) for g in loop.generators]
    numbers = over_items(region, loop) if Iterable.ARRAY in kinds else None
    if numbers is not None:
        plan = Plan(plan.site, region, numbers)
        lines = ListCode(plan, starts, [Iterable.LIST], fetched=True).lines()
    elif any(kind is Iterable.ARRAY for kind in kinds):
        chosen = any(fold.op in ("max", "min") for fold in loop.folds)
        plan.require(
            not (chosen and written_after(plan.site, _held(plan.site))),
            "aliasing",
            "what the loop keeps may be a part of an array, which is changed later",
        )
        lines = ArrayCode(plan, starts).lines()
    else:
        lines = ListCode(plan, starts, kinds).lines()
    return None if lines is None else plan.finish(lines)


def _held(site: Site) -> set[Value]:
    """What a loop carries and the arrays of tensors that it reads: an element that is chosen is a
    part of its array."""
    if site.loop is None or site.lifted.module.library == "numpy":
        return set()
    carries = site.loop.scan.carries
    read = {
        node.value for node in everything(carry.update for carry in carries)
        if isinstance(node, Read) and node.value.library != "numpy"
    }  # fmt: skip
    left = (site.loop.after.get(carry.name) for carry in carries)
    return {value for value in (*read, *left, *site.loop.finals.values())
            if isinstance(value, Value)}  # fmt: skip


def _inside_another(region: Region, node: ast.stmt) -> bool:
    """Whether the loop is the whole body of a loop that folds as a nest."""
    outer = region.parents.get(node)
    if not isinstance(outer, ast.For) or outer.body != [node]:
        return False
    try:
        return read(region, outer).innermost is not outer
    except NotAFold:
        return False


_SUM = """\
def total_length(words: list[str]) -> int:
    total = 0
    for word in words:
        total += len(word)
    return total
"""

_SUM_AFTER = """\
def total_length(words: list[str]) -> int:
    total = sum(map(len, words))
    return total
"""

_TOTAL = """\
import torch


def energy(x: torch.Tensor, weight: torch.Tensor):
    steps, features = x.shape
    (length,) = weight.shape
    total = torch.zeros(features)
    for t in range(steps):
        total = total + weight * x[t] ** 2
    return total
"""

_TOTAL_AFTER = """\
import torch


def energy(x: torch.Tensor, weight: torch.Tensor):
    steps, features = x.shape
    (length,) = weight.shape
    total = torch.zeros(features)
    total = total + (weight * x**2).sum(0)
    return total
"""

_NUMPY = """\
import numpy as np


def path_length(x: np.ndarray):
    total = 0.0
    for i in range(1, len(x)):
        total += np.sqrt((x[i] - x[i - 1]) ** 2)
    return total
"""

_NUMPY_AFTER = """\
import numpy as np


def path_length(x: np.ndarray):
    total = 0.0
    if len(x) > 1:
        total = np.sqrt((x[1:] - x[:-1]) ** 2).sum(0)
    return total
"""

_SEARCH = """\
def is_sorted(keys: list[int]) -> bool:
    ordered = True
    for i in range(len(keys) - 1):
        if keys[i] > keys[i + 1]:
            ordered = False
    return ordered
"""

_SEARCH_AFTER = """\
def is_sorted(keys: list[int]) -> bool:
    ordered = not any(keys[i] > keys[i + 1] for i in range(len(keys) - 1))
    return ordered
"""

_BEST = """\
def best(scores: list[float]):
    index, score = 0, scores[0]
    for i, s in enumerate(scores):
        if s > score:
            index, score = i, s
    return index, score
"""

_BEST_AFTER = """\
def best(scores: list[float]):
    score = max(scores)
    index = scores.index(score)
    return index, score
"""

_MAXIMUM = """\
import torch


def pool(hidden: torch.Tensor):
    pooled = hidden[:, 0]
    for t in range(1, hidden.shape[1]):
        pooled = torch.maximum(pooled, hidden[:, t])
    return pooled
"""

_MAXIMUM_AFTER = """\
import torch


def pool(hidden: torch.Tensor):
    pooled = hidden.amax(1)
    return pooled
"""

REWRITE = Rewrite(
    code="ASC106",
    name="reduction-loop",
    summary="a loop that folds its values is one reduction",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop",),
    becomes="sum, max, any, x.sum(dim), x.amax(dim)",
    examples=(
        Example("a sum", _SUM, _SUM_AFTER, "((['a', 'bcd'],), ([],))"),
        Example("a sum over an axis", _TOTAL, _TOTAL_AFTER,
                "((torch.randn(7, 3, requires_grad=True), torch.randn(3)),)"),
        Example("a sum over neighbours", _NUMPY, _NUMPY_AFTER,
                "((np.random.default_rng(0).random(9),), (np.arange(4.0) ** 2,))"),
        Example("a maximum over an axis", _MAXIMUM, _MAXIMUM_AFTER,
                "((torch.randn(2, 7, 3, requires_grad=True),), (torch.randn(2, 1, 3),))"),
        Example("a flag", _SEARCH, _SEARCH_AFTER, "(([],), ([1, 2, 2],), ([2, 1],))"),
        Example("the place of a maximum", _BEST, _BEST_AFTER, "(([1.0, 5.0, 5.0],), ([-1.0],))"),
    ),
    refused=(
        RefusedExample("effects", _SUM.replace("len(word)", "len(word)\n        print(total)")),
        RefusedExample(
            "exit",
            _SUM.replace("total += len(word)",
                         "total += len(word)\n        if word == '':\n            break"),
        ),
        RefusedExample("names", _SUM.replace("return total", "return total, word")),
        RefusedExample("sets", _SUM.replace("in words:", "in set(words):")),
        RefusedExample(
            "start", _SUM.replace("total = 0", "total = ''").replace("len(word)", "word")
        ),
        RefusedExample(
            "iterables",
            _SUM.replace("total = 0", "total = count = 0").replace(
                "in words:", "in iter(words):"
            ).replace("len(word)", "len(word)\n        count += 1"),
        ),
        RefusedExample(
            "temporaries",
            _SUM.replace("total += len(word)",
                         "size = len(word) + 1\n        total = max(total, size * size)"),
        ),
        RefusedExample("arrays", "import torch\n\n\n" + _SUM.replace(": list[str]", "").replace(
            "total += len(word)", "if word > 3:\n            total += 1")),
        RefusedExample(
            "bound",
            "def total(n):\n    s = i = 0\n    while i < n / 2:\n        s += i * i\n"
            "        i += 1\n    return s\n",
        ),
        RefusedExample("profit", _SUM.replace("len(word)", "len(word) * len(word)")),
        RefusedExample(
            "ties",
            _SUM.replace("list[str]", "dict[str, float]").replace("in words:", "in words.values():")
            .replace("total += len(word)", "total = max(word, total)"),
        ),
        RefusedExample(
            "mutation",
            _TOTAL.replace("total = torch.zeros(features)", "total = x[0]").replace(
                "total = total +", "total +="),
        ),
        RefusedExample(
            "integers",
            _TOTAL.replace("torch.zeros(features)", "torch.zeros(features, dtype=torch.int32)"),
        ),
    ),
    unmatched=(
        _SUM.replace("total += len(word)", "total = len(word) - total"),
        _SUM.replace("total += len(word)", "total += len(word) * total"),
        _BEST.replace("s > score", "abs(s) > score"),
        _MAXIMUM.replace("hidden[:, t])", "hidden[:, t] * pooled)"),
    ),
)  # fmt: skip
