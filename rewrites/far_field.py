"""All pairs of particles whose pull decays with the distance, those far away as a whole.

Finds two loops over all pairs of one set of particles that add to each the sum of
``m[j] * g(|r|) * r``, r = x[j] - x[i]: gravitation, charges, vortices, softened or screened, in the
spellings that LOC305 reads. It is offered beside LOC305, whose sums are exact.

Why it may be done: the function of a pair, as a table of rows and columns, has a low numerical rank
where the two are far from each other, so that what a distant box of particles does is told by a few
moments of it (their sum, and how they are spread). n particles then cost n log n.

Pays from some ten thousand particles on. Below two thousand the kernel sums up all pairs.

Unsafe: it is an approximation. With moments up to order 2 and theta = 0.5 the root mean square
error is below 0.3% of the accelerations, as measured on balls, discs, cubes and clusters of masses
of one sign (`ERROR` in the kernel's file); `theta=0` gives the exact sums. Names beside the arrays
are taken for numbers, an element of the masses too.

Refused where the number of particles is not that of the positions, or the weights are not one
array's. Not found where the pull does not decay (springs), where a guard cuts it off, or where the
value of a pair is no multiple of the way between them.

Sources: Barnes and Hut, "A hierarchical O(N log N) force-calculation algorithm", Nature 324 (1986);
Greengard and Rokhlin, "A fast algorithm for particle simulations" (1987).
"""

from __future__ import annotations

import ast

from auditor.lift.loops import Loop
from auditor.notation import Symbol
from auditor.pairs.loops import NotPairs, Pairs, Sum, read
from auditor.pairs.radial import NotRadial, Radial, Way, decays, radial
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region
from auditor.verdict import Verdict


def find(site: Site) -> Match | None:
    """The match of a nest at its outer loop, or None. Raises ``Refused``."""
    loop = site.loop
    if loop is None or not isinstance(loop.node, ast.For):
        return None
    if isinstance(site.lifted.node, ast.Module):
        return None
    region = Region(site.lifted)
    try:
        pairs = read(region, loop.node, lambda holds, condition, reason: _stop(holds))
        if pairs is None or len(pairs.sums) != 1:
            return None
        (added,) = pairs.sums
        if added.part is not None:
            return None
        way = radial(region.module, pairs, added.value)
    except (NotPairs, NotRadial):
        return None
    if added.side != "rows" or pairs.kind not in ("all", "others") or pairs.tests:
        return None
    if not decays(way.factor):
        return None
    _require_all_of_them(site, region, pairs, way, loop)
    (masses,) = way.factor.columns
    call = f"barnes_hut({way.array}, {masses}{_pull(way.factor)}, theta=0.5)"
    start = _adding(added, way.factor)
    return Match(
        span=region.module.span(pairs.outer),
        message=(
            f"all pairs of `{way.array}`, and the pull decays with the distance: boxes far away can"
            " be taken as a whole (Barnes-Hut, n log n; error below 0.3% rms at theta 0.5)"
        ),
        computation=site.computation,
        edits=(region.replace_lines(pairs.outer, [start + call]),),
        imports=(("auditor.kernels", "barnes_hut"),),
        kernel="auditor.kernels.barnes_hut",
        safe=False,
        reason="an approximation: below 0.3% rms error at theta 0.5, measured for masses of one"
        " sign; theta=0 is exact",
        verdicts={
            "separability": Verdict(
                "partial",
                "structure",
                "the pull of a box that is far away has a low rank: moments up to order 2 leave"
                " an error below 0.3% rms where its side is below half its distance",
            )
        },
    )


def _stop(holds: bool) -> None:
    if not holds:
        raise NotPairs("pairs", "the nest does more than add up pairs")


def _require_all_of_them(site: Site, region: Region, pairs: Pairs, way: Way, loop: Loop) -> None:
    """Each particle is met, by each other one, with a weight of its own."""
    extent = loop.step.extent
    known = isinstance(extent, Symbol) and extent.name == f"{way.array}.shape[0]"
    site.require(
        known and pairs.counts[0] == pairs.counts[1] and not _rebound(region, way.array),
        "counts",
        f"nothing says that the loops walk all of `{way.array}`",
    )
    columns, rows = way.factor.columns, way.factor.rows
    site.require(
        len(columns) == 1 and not rows and not _rebound(region, columns[0]),
        "weights",
        "the pull is not that of one weight for each particle",
    )


def _rebound(region: Region, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        for node in region.nodes
    )


def _pull(factor: Radial) -> str:
    """The argument that says what the pull is, where it is not that of gravitation."""
    text = factor.text.removeprefix("-")
    if text in ("1 / square**1.5", "square**-1.5"):
        return ""
    return f", pull=lambda square: {text}"


def _adding(added: Sum, factor: Radial) -> str:
    minus = (added.sign == "-") != factor.text.startswith("-")
    if added.start is not None:
        return f"{added.name}[:] = {'-' if minus else ''}"
    return f"{added.name} {'-' if minus else '+'}= "


_FORCES = """\
import numpy as np


def forces(position, mass, eps: float):
    n = position.shape[0]
    force = np.zeros_like(position)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            r = position[j] - position[i]
            d = np.sqrt((r * r).sum())
            force[i] += mass[j] * r / (d**3 + eps)
    return force
"""

_FORCES_AFTER = """\
import numpy as np
from auditor.kernels import barnes_hut


def forces(position, mass, eps: float):
    n = position.shape[0]
    force = np.zeros_like(position)
    force += barnes_hut(
        position, mass, pull=lambda square: 1 / (square**1.5 + eps), theta=0.5
    )
    return force
"""

_GRAVITY = """\
import torch


def gravity(x: torch.Tensor, m: torch.Tensor):
    a = torch.zeros_like(x)
    for i in range(len(x)):
        for j in range(len(x)):
            if i != j:
                r = x[i] - x[j]
                a[i] -= m[j] * r / r.norm() ** 3
    return a
"""

_GRAVITY_AFTER = """\
import torch
from auditor.kernels import barnes_hut


def gravity(x: torch.Tensor, m: torch.Tensor):
    a = torch.zeros_like(x)
    a += barnes_hut(x, m, theta=0.5)
    return a
"""

REWRITE = Rewrite(
    code="SEP206",
    name="far-field",
    summary="the pull of far particles is that of a few moments of their box",
    doc=__doc__,
    properties=("separability", "associativity"),
    find=find,
    fix="unsafe",
    seeks=("loop",),
    kernel="auditor.kernels.barnes_hut",
    becomes="barnes_hut(x, m, theta=0.5)",
    examples=(
        Example(
            "forces",
            _FORCES,
            _FORCES_AFTER,
            "(np.random.default_rng(0).normal(size=(7, 3)), np.ones(7), 0.1)",
        ),
        Example("gravitation", _GRAVITY, _GRAVITY_AFTER, "(torch.randn(7, 3), torch.rand(7))"),
    ),
    refused=(
        RefusedExample("counts", _FORCES.replace("n = position.shape[0]", "n = mass.shape[0]")),
        RefusedExample("weights", _FORCES.replace("mass[j] * r", "mass[i] * mass[j] * r")),
    ),
    unmatched=(
        _FORCES.replace("/ (d**3 + eps)", "* (d**3 + eps)"),
        _FORCES.replace("mass[j] * r / (d**3 + eps)", "mass[j] * r"),
        _FORCES.replace("mass[j] * r /", "mass[j] * position[j] /"),
        _FORCES.replace("r = position[j] - position[i]", "r = position[j] - 2 * position[i]"),
        _FORCES.replace("np.sqrt((r * r).sum())", "np.abs(r).sum()"),
        _GRAVITY.replace("x[i] - x[j]\n", "x[i] - m[j]\n"),
    ),
)
