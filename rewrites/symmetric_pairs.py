"""Loops over all pairs whose value is the same both ways, over half of the pairs.

Finds a loop over j inside a loop over i, both through one range or array, that puts a value of the
pair into ``d[i, j]`` (or ``d[i][j]``), perhaps but for i = j, where exchanging i and j leaves that
value as it is or turns its sign: distances, similarities and kernels by whatever formula, functions
of the file read in place, how many elements two sets share. What can be computed for all pairs at
once is left to the rewrites that do so. Finds as well sums of forces, where each pair adds to its
row what it would add to its column with the other sign: both are added at one step, over the pairs
i < j.

Legal because the value's normal form is the same (or its negative) with the indices exchanged: so
the cell across the diagonal is given what it would be given at its own step. Nothing else happens
in a step, and the array is made before the loops and read by none of them.

Pays by half of the steps, however costly each is.

Safe means: equal up to the order of roundings; values that are symmetric by sums and products of
two alone are the same to the last digit. What is only nearly symmetric (a weight of i alone, an
asymmetric distance) is refused, and so is a step that does more than compute its value.

Source: the source book's chapter on symmetry; Nyland, Harris and Prins, "Fast N-Body Simulation
with CUDA", GPU Gems 3 (2007), ch. 31, on actions and reactions.
"""

from __future__ import annotations

import ast

from auditor.algebra.normal import Normaliser, TooLarge, equal, normal
from auditor.algebra.subterms import everything, values_in
from auditor.arrays.facts import Arrays
from auditor.assumed import assuming
from auditor.lift.loops import Loop
from auditor.nests.memory import made_anew
from auditor.notation import Apply, Index, Read, Span, Term, Trace, Value
from auditor.pairs.loops import NotPairs, read
from auditor.pairs.reactions import reactions
from auditor.pairs.shared import alike_both_ways
from auditor.pairs.squares import SquareNest, square_nest
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region
from auditor.tree import everything_in
from auditor.verdict import Edit, Verdict


def find(site: Site) -> Match | None:
    """The match of a nest at its outer loop, or None. Raises ``Refused``."""
    loop = site.loop
    if loop is None or not isinstance(loop.node, ast.For):
        return None
    nest = square_nest(loop.node)
    if isinstance(site.lifted.node, ast.Module):
        return None
    if nest is None and not any(isinstance(each, ast.For) for each in loop.node.body):
        return None
    region = Region(site.lifted)
    if nest is None:
        return _reacting(site, region, loop.node)
    loops = {each.node: each for each in site.lifted.lifter.loops}
    value = region.values.get(nest.store.value)
    if nest.inner in loops and alike_both_ways(nest):
        return _of_sets(site, region, nest)
    if nest.inner not in loops or not isinstance(value, Value) or value.body is None:
        return None
    i, j = loop.step, loops[nest.inner].step
    sign = _sign(value.body, i, j)
    if sign is None or not _only_of(region, nest, value.body):
        return None
    _require_nothing_else(site, region, nest, (loop, loops[nest.inner]))
    numbers = [*_made(site, region, nest, value), *_sliced(region, nest), *_signed(value.body)]
    return Match(
        span=region.module.span(nest.outer),
        message=(f"`{nest.array}`: {_exchanged(sign)}, and is computed both ways"),
        computation=site.computation,
        edits=_edits(region, nest, sign),
        reason=assuming(numbers),
        verdicts={"symmetry": Verdict("holds", "proof", _exchanged(sign))},
    )


def _of_sets(site: Site, region: Region, nest: SquareNest) -> Match:
    """The match where a pair's value says how much two sets share."""
    for name in sorted(nest.names):
        site.require(
            not region.read_after(nest.outer, name), "names", f"`{name}` is read after the loops"
        )
    for word in _asked(nest):
        site.require(
            word not in region.module.bound and word not in region.stores,
            "names",
            f"`{word}` means something else in this file",
        )
    site.require(
        _rows_apart(region, nest) or made_anew(region, nest.outer, nest.array),
        "made-before",
        f"`{nest.array}` may be or hold what the loops read",
    )
    return Match(
        span=region.module.span(nest.outer),
        message=f"`{nest.array}`: {_exchanged('')}, and is computed both ways",
        computation=site.computation,
        edits=_edits(region, nest, ""),
        gains={"any": 1.9},
        counted=True,
        numerics="exact",
        verdicts={"symmetry": Verdict("holds", "proof", _exchanged(""))},
    )


def _asked(nest: SquareNest) -> list[str]:
    """The functions of Python that the value of a pair is made with."""
    called = (node.func for node in everything_in(nest.inner) if isinstance(node, ast.Call))
    names = {func.id for func in called if isinstance(func, ast.Name)}
    return sorted(names & {"len", "float", "min", "max"})


def _reacting(site: Site, region: Region, node: ast.For) -> Match | None:
    """The match of sums of forces, of which each pair serves both of its particles."""
    try:
        pairs = read(region, node, _nothing_else)
        edits = None if pairs is None else reactions(region, pairs)
    except NotPairs:
        return None
    if pairs is None or edits is None:
        return None
    return Match(
        span=region.module.span(node),
        message=f"`{pairs.sums[0].name}`: what acts on one of a pair acts on the other with"
        " the other sign, and is computed for both",
        computation=site.computation,
        edits=edits,
        gains={"any": 1.9},
        counted=True,
        verdicts={
            "symmetry": Verdict(
                "holds", "proof", "the value turns its sign as i and j are exchanged, up to weights"
            )
        },
    )


def _nothing_else(holds: bool, condition: str, reason: str) -> None:
    if not holds:
        raise NotPairs(condition, reason)


def _exchanged(sign: str) -> str:
    kept = "turns its sign" if sign else "stays the same"
    return f"the value of a pair {kept} when its elements are exchanged"


def _sign(term: Term, i: Index, j: Index) -> str | None:
    """``-`` where a value turns its sign as the steps are exchanged, an empty text where it stays
    as it is, None where neither is proven."""
    try:
        form = normal(term)
    except TooLarge:
        return None
    steps = Normaliser()
    if not {steps.variable(i), steps.variable(j)} <= form.free:
        return None
    if any(value.body is not None for value in values_in(form)):
        return None  # it may hide a step
    turned: dict[Index, Term] = {i: j, j: i}
    if equal(term, term, turned):
        return ""
    return "-" if equal(Apply("neg", (term,)), term, turned) else None


def _only_of(region: Region, nest: SquareNest, term: Term) -> bool:
    """Whether a value is made of what is there before the loops: nothing that a step leaves, no
    call without a meaning."""
    whole = region.module.span(nest.outer)
    for node in everything((term,)):
        if isinstance(node, Trace):
            return False
        if isinstance(node, Read) and node.value.body is None:
            made = node.value.kind in ("input", "attribute", "free")
            span = node.value.span
            if not made and (node.value.kind == "state" or span is None or whole.covers(span)):
                return False
    return True


def _require_nothing_else(
    site: Site, region: Region, nest: SquareNest, loops: tuple[Loop, Loop]
) -> None:
    """A step does nothing but fill its cell."""
    carried = [name for loop in loops for name in (*loop.states, *loop.lost)]
    names = sorted(set(carried) - {nest.array})
    site.require(not names, "carried", f"`{''.join(names[:1])}` is carried from pair to pair")
    target = region.module.source(nest.store.targets[0])
    own = tuple(f"{does} `{what}`" for does in ("fills", "writes") for what in (nest.array, target))
    others = [e.reason for loop in loops for e in loop.effects if not e.reason.startswith(own)]
    site.require(not others, "effects", f"the loops do more: a step {''.join(others[:1])}")
    for name in sorted(nest.names):
        later = region.read_after(nest.outer, name)
        site.require(not later, "names", f"`{name}` is read after the loops")


def _made(site: Site, region: Region, nest: SquareNest, value: Value) -> list[str]:
    """The array is made before the loops, by itself, and holds no rows twice; what this assumes."""
    listed = _rows_apart(region, nest)
    site.require(
        listed or made_anew(region, nest.outer, nest.array),
        "made-before",
        f"`{nest.array}` may be or hold what the loops read",
    )
    if not listed or (value.dtype is not None and not value.axes and value.library != "torch"):
        return []
    assert value.body is not None
    does = {node.op for node in everything((value.body,)) if isinstance(node, Apply)}
    site.require(bool(does - {"add"}), "text", "texts and lists are added in their order")
    return [f"what is put into `{nest.array}` are numbers"]


def _sliced(region: Region, nest: SquareNest) -> list[str]:
    """What the loops walk may be sliced, or is taken to be."""
    if nest.walked is None or Arrays(region).certain(nest.walked):
        return []
    return [f"`{region.module.source(nest.walked)}` is a list or an array"]


def _signed(term: Term) -> list[str]:
    """What is assumed of numbers that are subtracted: without a sign a difference wraps around."""
    whole = list(everything((term,)))
    if not any(isinstance(node, Apply) and node.op in ("sub", "neg") for node in whole):
        return []
    open_ = {
        node.value.name for node in whole
        if isinstance(node, Read) and node.value.body is None and node.value.dtype is None
        and node.value.axes and node.value.library != "torch"
    }  # fmt: skip
    return [f"`{name}` holds no unsigned integers" for name in sorted(open_)]


def _rows_apart(region: Region, nest: SquareNest) -> bool:
    """A list with a list of its own for each row."""
    binding = region.binding_before(nest.outer, nest.array)
    value = binding.value if binding is not None and binding.unread else None
    if not isinstance(value, ast.ListComp):
        return False
    row = value.elt.left if isinstance(value.elt, ast.BinOp) else value.elt
    return isinstance(row, (ast.List, ast.ListComp))


def _edits(region: Region, nest: SquareNest, sign: str) -> tuple[Edit, ...]:
    """The inner loop from the outer one's step on, and the cell across the diagonal."""
    module = region.module
    assert isinstance(nest.inner.iter, ast.Call)
    begin = module.span(nest.inner.iter.args[0])
    start = Span(begin.line, begin.column, begin.line, begin.column)
    half = Edit(start, f"{nest.row}, ")
    if nest.walked is not None:
        end = Span(begin.end_line, begin.end_column, begin.end_line, begin.end_column)
        half = Edit(end, f"[{nest.row}:], {nest.row}")
    target, value = nest.store.targets[0], nest.store.value
    across = ast.unparse(_Exchanged(nest.row, nest.column).visit(ast.parse(ast.unparse(target))))
    span = module.span(nest.store)
    text, indent = module.source(nest.store), region.indent(nest.store)
    if not sign and span.line == span.end_line and (
        len(module.lines[span.line - 1].rstrip()) + len(across) + 3 <= region.width
    ):  # fmt: skip
        return half, Edit(Span(span.line, span.column, span.line, span.column), f"{across} = ")
    name = value.id if isinstance(value, ast.Name) else region.free_name("value")
    told = "" if isinstance(value, ast.Name) else f"{name} = {text[len(_head(text)) :]}\n{indent}"
    minus = f"-{name}" if sign else name
    lines = f"{told}{across} = {minus}\n{indent}{module.source(target)} = {name}"
    return half, Edit(span, lines)


def _head(text: str) -> str:
    """``d[i, j] = `` of an assignment to a cell."""
    return text[: text.index("=") + 1] + " " * text.startswith("= ", text.index("="))


class _Exchanged(ast.NodeTransformer):
    """Two names in each other's places."""

    def __init__(self, one: str, other: str) -> None:
        self.names = {one: other, other: one}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


_DISTANCES = """\
import math

import numpy as np


def haversine(p, q):
    across = math.sin((q[0] - p[0]) / 2) ** 2
    along = math.sin((q[1] - p[1]) / 2) ** 2
    return 2 * math.asin(math.sqrt(across + math.cos(p[0]) * math.cos(q[0]) * along))


def distances(places: np.ndarray):
    n = len(places)
    table = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            table[i, j] = haversine(places[i], places[j])
    return table
"""

_DISTANCES_AFTER = _DISTANCES.replace("for j in range(n)", "for j in range(i, n)").replace(
    "table[i, j] = ", "table[j, i] = table[i, j] = "
)

_LISTS = """\
def gaps(heights: list[float], scale: float):
    size = len(heights)
    gap = [[0.0] * size for _ in range(size)]
    for a in range(size):
        for b in range(size):
            apart = heights[b] - heights[a]
            gap[a][b] = apart / scale
    return gap
"""

_LISTS_AFTER = _LISTS.replace("for b in range(size)", "for b in range(a, size)").replace(
    "            gap[a][b] = apart / scale\n",
    """\
            value = apart / scale
            gap[b][a] = -value
            gap[a][b] = value
""",
)

REWRITE = Rewrite(
    code="SYM601",
    name="symmetric-pairs",
    summary="a value that is the same both ways is computed for half of the pairs",
    doc=__doc__,
    properties=("symmetry",),
    find=find,
    seeks=("loop",),
    becomes="for j in range(i, n): d[j, i] = d[i, j] = ...",
    examples=(
        Example("distances by a function of the file", _DISTANCES, _DISTANCES_AFTER,
                "((np.random.rand(5, 2),), (np.random.rand(1, 2),), (np.ones((0, 2)),))"),
        Example("differences in lists", _LISTS, _LISTS_AFTER, "([1.5, 0.25, 4.0], 2.0)"),
    ),
    refused=(
        RefusedExample("names", _LISTS.replace("return gap", "return gap, apart")),
        RefusedExample("made-before", _DISTANCES.replace("np.zeros((n, n))", "places[:, :n]")),
        RefusedExample("made-before", _LISTS.replace("[[0.0] * size for _ in range(size)]",
                                                     "[[0.0] * size] * size")),
        RefusedExample("text", _LISTS.replace("list[float]", "list").replace(
            "heights[b] - ", "heights[b] + ").replace("apart / s", "apart  # s")),
        RefusedExample("effects", _LISTS.replace("            gap[a]",
                                                 "            print(a, b)\n            gap[a]")),
        RefusedExample("carried", _LISTS.replace("    for a", "    count = 0\n    for a").replace(
            "            gap[a]", "            count += 1\n            gap[a]")),
    ),
    unmatched=(
        _DISTANCES.replace("math.cos(p[0]) * math.cos(q[0])", "math.cos(p[0])"),
        _DISTANCES.replace("for j in range(n)", "for j in range(i, n)"),
        _LISTS.replace("heights[b] - heights[a]", "heights[b] - 2 * heights[a]"),
        _LISTS.replace("gap[a][b] =", "gap[a][b] = gap[a][b] +"),
    ),
)  # fmt: skip
