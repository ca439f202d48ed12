"""NumPy's sorts of which the first or the last values are used, as a partition of which those alone
are sorted.

``np.partition`` puts the k least before the others along the sorted axis, and what is cut off there
is sorted as before. Where another axis is cut than is sorted, that takes whole rows, which are then
sorted whole: so nothing need be known of the number of axes.
"""

from __future__ import annotations

import ast

from auditor.arrays.facts import Arrays
from auditor.surroundings.region import Region
from auditor.syntax import constant, path_of, tight
from auditor.topk.cuts import Cut, remaining
from auditor.topk.orderings import Ordering, Use, count_text
from auditor.tree import everything_in
from auditor.verdict import Edit

_SAME_SHAPE = frozenset("abs absolute fabs negative sqrt square exp log log2 log10 log1p".split())


class NoPartition(Exception):
    """The places are not those that a partition puts together."""


def partitioned(
    region: Region, ordering: Ordering, use: Use, cut: Cut
) -> tuple[list[Edit], list[str]]:
    """The edits, and what they assume. Raises ``NoPartition``."""
    if use.what != "values" or cut.counted or (ordering.turned and (cut.at_end or cut.axis != 0)):
        raise NoPartition
    if not _read_twice(cut.k):
        raise NoPartition
    text, assumed = _selected(region, ordering, cut, count_text(region, cut))
    if use.statement is None:
        (part,) = use.slices
        return [region.replace(part, text + remaining(region.module, part, cut))], assumed
    assert isinstance(use.statement, (ast.Assign, ast.AnnAssign)) and use.statement.value
    edits = [region.replace(use.statement.value, text)]
    for part in use.slices:
        name = region.module.source(part.value)
        edits.append(region.replace(part, name + remaining(region.module, part, cut)))
    return edits, assumed


def _selected(region: Region, ordering: Ordering, cut: Cut, count: str) -> tuple[str, list[str]]:
    """The call that gives the places of the cut, and what it assumes."""
    source = region.module.source
    sort = source(ordering.call.func)
    if path_of(region.module, ordering.call.func) != "numpy.sort" or not sort.endswith(".sort"):
        raise NoPartition  # no name for `partition`
    array = _of_the_same_shape(region, ordering.operand)
    if array is None:
        raise NoPartition  # its length would be computed twice
    dim = "-1" if ordering.dim is None else source(ordering.dim)
    axis = "" if ordering.dim is None else f", axis={dim}"
    last = cut.at_end != ordering.turned
    library = sort.removesuffix("sort")
    name = source(array)
    shape = f"{name}.shape" if Arrays(region).certain(array) else f"{library}shape({name})"
    few = f"min({count}, {shape}[{dim}])"
    place = f"-{few}" if last else f"{few} - 1"
    places = f"-{tight(count)}:" if last else f":{count}"
    before = ":, " * cut.axis if cut.axis >= 0 else "..., "
    behind = ", :" * (-1 - cut.axis) if cut.axis < 0 else ""
    partition = f"{library}partition({source(ordering.operand)}, {place}{axis})"
    text = f"{sort}({partition}[{before}{places}{behind}]{axis})"
    assumed = [f"`{name}` is not empty"]
    known = isinstance(constant(cut.k), int)
    if not known:
        assumed.append(f"`{count}` is not negative")
    if ordering.turned:
        text += "[::-1]" if known else f"[::-1][:{count}]"  # of none from the end all are left
    return text, assumed


def _of_the_same_shape(region: Region, node: ast.expr) -> ast.expr | None:
    """The named array that a function of each element makes ``node`` of."""
    if isinstance(node, ast.UnaryOp):
        return _of_the_same_shape(region, node.operand)
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        library, _, name = (path_of(region.module, node.func) or "").rpartition(".")
        each = library == "numpy" and name in _SAME_SHAPE
        return _of_the_same_shape(region, node.args[0]) if each else None
    held = node.value if isinstance(node, ast.Attribute) else node
    return node if isinstance(held, ast.Name) else None


def _read_twice(node: ast.expr) -> bool:
    """Whether a number may be asked for more than once: it is no call's."""
    return all(
        isinstance(part, (ast.Name, ast.Constant, ast.Attribute, ast.BinOp, ast.operator,
                          ast.expr_context))
        for part in everything_in(node)
    )  # fmt: skip
