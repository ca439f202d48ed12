"""All pairs in two loops, as array operations on tiles.

Finds a loop over j inside a loop over i that adds up something of both, read from the same arrays
at i and at j: forces between particles, kernel sums, distances.

Legal because the inner loop is a sum: any tile of pairs may be added on its own, in any order.
Where the term is symmetric or antisymmetric under exchanging i and j, half the pairs are enough.

Advice only: a whole-array expression would build all pairs at once, and which tile fits is the
machine's business.

Source: Nyland, Harris and Prins, "Fast N-Body Simulation with CUDA", GPU Gems 3 (2007), ch. 31.
"""

from __future__ import annotations

from auditor.algebra.affine import affine_in, is_number
from auditor.algebra.normal import expand
from auditor.lift.loops import Loop
from auditor.notation import ONE, Index, Read, Term, Value, walk
from auditor.rewrite import Match, Rewrite, Site


def find(site: Site) -> Match | None:
    """The match of an inner loop, or None."""
    loop = site.loop
    if loop is None or loop.blocked is not None or not loop.scan.carries:
        return None
    outer = _around(site, loop)
    if outer is None:
        return None
    shared: set[Value] = set()
    for carry in loop.scan.carries:
        form = affine_in(carry.update, [carry.state])
        if form is None or len(form.coefficients) != 1:
            return None
        (factor,) = form.coefficients.values()
        if factor is not ONE and not is_number(factor, 1):
            return None
        update = expand(carry.update)
        here, there = loop.step, outer.step
        shared |= _read_at(update, here, there) & _read_at(update, there, here)
    if not shared:
        return None
    names = ", ".join(sorted(f"`{value.name}`" for value in shared))
    return Match(
        span=outer.span,
        message=(
            f"all pairs of {names}, one at a time: array operations on tiles of pairs do the same"
        ),
        computation=site.computation,
    )


def _around(site: Site, loop: Loop) -> Loop | None:
    """The loop directly around ``loop``."""
    around = [
        other
        for other in site.lifted.lifter.loops
        if other is not loop
        and other.span.line <= loop.span.line
        and loop.span.end_line <= other.span.end_line
    ]
    return min(around, key=lambda other: other.span.end_line - other.span.line, default=None)


def _read_at(term: Term, step: Index, other: Index) -> set[Value]:
    """The arrays of which an element is read at one of the steps and not at the other, as no
    element of a matrix is that both count through."""
    found = set()
    for node in walk(term):
        if isinstance(node, Read):
            places = {part for sub in node.subs for part in walk(sub)}
            if step in places and other not in places:
                found.add(node.value)
    return found


_PAIRS = """\
import numpy as np


def forces(position, mass, eps: float):
    n = position.shape[0]
    force = np.zeros_like(position)
    for i in range(n):
        for j in range(n):
            r = position[j] - position[i]
            force[i] += mass[j] * r / ((r * r).sum() + eps)
    return force
"""

_PRODUCT = """\
import numpy as np


def product(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            c[i] += a[i, k] * b[k]
    return c
"""

REWRITE = Rewrite(
    code="LOC305",
    name="pairwise-tiles",
    summary="all-pairs sums in two loops run on tiles",
    doc=__doc__,
    properties=("associativity", "locality", "symmetry"),
    find=find,
    seeks=("loop",),
    fix="advice",
    becomes="array operations on tiles of pairs",
    unmatched=(_PAIRS.replace("- position[i]", ""), _PRODUCT),
)
