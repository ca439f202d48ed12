"""Loops that collect a running sum, product, maximum or minimum, as one cumulative operation.

Finds loops that fold a sequence and keep what they have so far at every step: appended to a list
(that is stacked afterwards, or stays a list), written into an array, or written one element after
the other from the element before (``out[i] = out[i - 1] + x[i]``, ``x[i] += x[i - 1]``), in plain
Python, NumPy and torch, with any start; or that keep what is computed with it, as running means and
distances from a peak are. Finds as well what reduces all up to a place, or all from
there on, anew for each place: ``x[: i + 1].sum()`` in a loop or a comprehension, and the product
with a triangle of ones, or with one whose rows are divided by their sums. Two loops that fill a
matrix with the sums of all before each place (integral images, with a border of zeros, conditions
or a running sum of the row) are running sums of running sums; of lists that is told.

Legal because sums, products, extrema and logsumexp are monoids: the value after step t is the fold
of the first t elements, which a prefix operation gives for all t at once; the start is combined
with each.

Pays because the loop makes one small step an element, the operation one pass. Along an outer axis
of many wide rows (thousands of steps and columns) a CPU's library takes column after column, each
number from another line of memory, and the loop that adds whole rows is the faster one, up to ten
times for extrema: the prediction says so where the sizes are known.

Safe means: equal up to the order of roundings (extrema exactly), gradients included. Running values
that are changed in place and appended without a copy are the same array again and again: refused.
So are integers that the library would widen, and running values used otherwise. Where the file
depends on the strides of a stack, what takes its place is made contiguous. Where a corner is
subtracted, infinite numbers would make others of the cells behind, so it is said that there are
none.

Sources: Blelloch, "Prefix Sums and Their Applications" (1990); the documentation of
``itertools.accumulate``, ``torch.cumsum``, ``numpy.ufunc.accumulate``.
"""

from __future__ import annotations

import ast

from auditor.folds.iterables import Iterable, kind_of
from auditor.folds.loop import NotAFold
from auditor.folds.reader import read
from auditor.folds.walks import CannotVectorise
from auditor.prefixes.arrays import cumulative
from auditor.prefixes.lists import grown, listed
from auditor.prefixes.plan import Plan
from auditor.prefixes.planes import plane
from auditor.prefixes.recomputed import recomputed
from auditor.prefixes.tables import table
from auditor.recurrences.running import running
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region
from auditor.syntax import constant


def find(site: Site) -> Match | None:
    """The match of a loop, or None. Raises ``Refused``."""
    if site.loop is None:
        return recomputed(site)
    if not isinstance(site.loop.node, (ast.For, ast.While)):
        return None
    if isinstance(site.loop.node, ast.For) and isinstance(site.loop.node.body[-1], ast.For):
        match = plane(site, Region(site.lifted), site.loop.node)
        if match is not None:
            return match
    refusal: Refused | None = None
    for how in (_from_text, running):
        try:
            match = how(site)
        except Refused as refused:
            refusal = refusal or refused
            refusal.advice = refusal.advice or refused.advice
            continue
        if match is not None and (match.edits or refusal is None):
            return match
        if match is not None and refusal is not None:
            refusal.advice = refusal.advice or match
    if refusal is None:
        return recomputed(site)
    try:
        raise refusal
    finally:
        del refusal  # which holds this frame, and with it all that was read of the file


def _from_text(site: Site) -> Match | None:
    """The match of a loop that folds in the ways of ``auditor.folds``."""
    assert site.loop is not None and isinstance(site.loop.node, (ast.For, ast.While))
    region, node = Region(site.lifted), site.loop.node
    match = table(site, region, node) or grown(site, region, node)
    if match is not None:
        return match
    try:
        loop = read(region, node, prefixes=True)
    except NotAFold:
        return None
    if len(loop.folds) != 1 or len(loop.collected) != 1 or len(loop.generators) != 1:
        return None
    fold = loop.folds[0]
    known = fold.op in ("sum", "prod", "max", "min", "logsumexp")
    if not known or fold.conditions or fold.name is None:
        return None
    begun = region.binding_before(node, fold.name) if fold.from_none else None
    if fold.from_none and (begun is None or constant(begun.value) is not None):
        return None
    plan = Plan(site, region, loop, fold, loop.collected[0])
    try:
        return _of_fold(plan)
    except Refused as refusal:
        if refusal.condition in ("arrays", "outputs", "start", "ties"):
            refusal.advice = plan.told(refusal.reason)
        raise


def _of_fold(plan: Plan) -> Match | None:
    """The match of a loop with one fold, by what it walks."""
    for condition, reason in plan.loop.objections:
        plan.require(False, condition, reason)
    source = plan.loop.generators[0].iter
    if kind_of(plan.region, source, plan.loop.generators) is Iterable.ARRAY:
        try:
            return cumulative(plan)
        except CannotVectorise as problem:
            plan.require(False, problem.condition, str(problem))
            return None
    return listed(plan)


_SUMS = """\
import torch


def totals(x: torch.Tensor):
    batch, steps, features = x.shape
    total = torch.zeros(batch, features)
    out = []
    for t in range(steps):
        total = total + torch.exp(x[:, t])
        out.append(total)
    return torch.stack(out, dim=1)
"""

_SUMS_AFTER = """\
import torch


def totals(x: torch.Tensor):
    batch, steps, features = x.shape
    total = torch.zeros(batch, features)
    return total[:, None] + torch.exp(x).cumsum(1)
"""

_LIST = """\
import itertools


def balances(changes: list[int]) -> list[int]:
    balance = 0
    history = []
    for change in changes:
        balance += change
        history.append(balance)
    return history
"""

_LIST_AFTER = """\
import itertools


def balances(changes: list[int]) -> list[int]:
    history = list(itertools.accumulate(changes))
    return history
"""

_TABLE = """\
import numpy as np


def integral(x: np.ndarray):
    area = np.zeros(len(x) + 1)
    for i in range(len(x)):
        area[i + 1] = area[i] + x[i]
    return area
"""

_TABLE_AFTER = """\
import numpy as np


def integral(x: np.ndarray):
    area = np.zeros(len(x) + 1)
    area[1:] = area[:1] + x.cumsum(0, dtype=area.dtype)
    return area
"""

REWRITE = Rewrite(
    code="ASC105",
    name="prefix-op",
    summary="a running sum, product or extremum is one cumulative operation",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    inside=True,
    seeks=("loop", "prefixes", ("product", "ordered")),
    becomes="x.cumsum(dim), x.cummax(dim).values, itertools.accumulate(xs)",
    examples=(
        Example("running sums", _SUMS, _SUMS_AFTER,
                "((torch.randn(2, 7, 3, requires_grad=True),), (torch.randn(1, 1, 2),))"),
        Example("a table of sums", _TABLE, _TABLE_AFTER,
                "((np.random.default_rng(0).random(9),), (np.zeros(1),))"),
        Example("a list of balances", _LIST, _LIST_AFTER, "(([3, -1, 4],), ([],))"),
    ),
    refused=(
        RefusedExample("mutation", _SUMS.replace("total = total +", "total +=")),
        RefusedExample("effects", _LIST.replace("balance += change", "print(change)\n        "
                                                                     "balance += change")),
        RefusedExample("outputs", _LIST.replace("return history", "return history, balance")),
        RefusedExample("ties",
                       _LIST.replace("balance += change", "balance = max(change, balance)")),
    ),
    unmatched=(
        _LIST.replace("balance += change", "balance = change - balance"),
        _LIST.replace("history.append(balance)", "history.append(change)"),
        _TABLE.replace("area[i] + x[i]", "area[i]"),
    ),
)  # fmt: skip
