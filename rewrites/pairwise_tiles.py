"""All pairs in two loops, as array operations on tiles of pairs.

Finds a loop over j inside a loop over i that adds up something of both, read from the same arrays
at i and at j, or walked as items: forces between particles, potentials, kernel sums, distances.
With all pairs, those of i and another j, or those with j behind i or before it; of these all, or
those that a comparison of their values lets count (a cut-off); added to row i, to row j, to both,
to single components of a row, or to one total.
Where broadcasting makes an array of all pairs, of a function of what they differ by, only to sum
it, that is said; where it is the pull of particles on each other, softened or with each of them
left out, in whatever spelling, `nbody` takes its place.

Legal because the inner loop is a sum: any tile of pairs may be added on its own, in any order. The
body becomes a function of one pair, as it stands; what it does is proven to be no more than
computing. Pairs that a guard leaves out are not computed, so that no division by a distance of 0
comes in; which pairs are near enough to count is asked of a tile at a time, before.

Pays from a few dozen elements on: the loops run an interpreted statement a pair, tiles one a
thousand pairs. Memory grows with the number of elements, never with its square.

Safe means: equal up to the order of floating-point sums, gradients included; the sums start as
zeros, or a copy, that nothing else holds, so that the body cannot read what it writes. What the
kernel cannot do for many pairs at once it does one pair at a time, as before. `nbody` leaves each
particle out of its own pull, which is 0 unless the softening is: that is assumed of a softening
that is no number.

Source: Nyland, Harris and Prins, "Fast N-Body Simulation with CUDA", GPU Gems 3 (2007), ch. 31.
"""

from __future__ import annotations

import ast

from auditor.algebra.affine import affine_in, is_number
from auditor.algebra.normal import expand
from auditor.assumed import assuming
from auditor.lift.dtypes import WHOLE
from auditor.lift.loops import Loop
from auditor.notation import ONE, Value
from auditor.pairs.function import PairCode, listed, uses_math
from auditor.pairs.loops import NotPairs, Pairs, read
from auditor.pairs.tables import read_at, table_match
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region
from auditor.syntax import path_of
from auditor.tree import everything_in
from auditor.verdict import Verdict


def find(site: Site) -> Match | None:
    """The match of a nest at its outer loop, or the advice at an inner one. Raises ``Refused``."""
    loop = site.loop
    if loop is None:
        return table_match(site)
    if isinstance(loop.node, ast.For) and not isinstance(site.lifted.node, ast.Module):
        region = Region(site.lifted)
        try:
            pairs = read(region, loop.node, site.require)
        except NotPairs as reason:
            raise Refused(reason.condition, str(reason)) from None
        if pairs is not None:
            return _written(site, region, pairs)
    return _advice(site, loop)


def _written(site: Site, region: Region, pairs: Pairs) -> Match | None:
    """The nest as a function of a pair and a call of the kernel."""
    library = _library(region, pairs)
    site.require(library is not None, "arrays", "nothing says whether the loops walk arrays")
    site.require(
        library == "numpy" or not uses_math(region, pairs),
        "gradients",
        "`math` takes a number out of a tensor, and its gradient ends there",
    )
    code = PairCode(region, pairs)
    assumed = [*code.numbers.assumed, *_put_away(site, region, pairs)]
    if any(map(code.begins_whole, pairs.sums)):
        assumed.append("the loops meet at least one pair")
    return Match(
        span=region.module.span(pairs.outer),
        message=(
            f"all pairs of {listed(pairs)}, one at a time: a tile of pairs at a time gives the"
            " same sums"
        ),
        computation=site.computation,
        edits=(region.replace_lines(pairs.outer, code.lines()),),
        reason=assuming(assumed),
        imports=(("auditor.kernels", "pairwise_reduce"),),
        kernel="auditor.kernels.pairwise_reduce",
        verdicts={
            "associativity": Verdict(
                "holds", "structure", "each cell is a sum over pairs", "reassociated"
            )
        },
    )


def _put_away(site: Site, region: Region, pairs: Pairs) -> list[str]:
    """What is assumed of the types of arrays that rows put their sums into: these cut off
    fractions then, and not of what is added."""
    assumed = []
    for each in pairs.sums:
        binding = region.binding_before(pairs.outer, each.name)
        if each.start is None or binding is None or binding.value is None:
            continue
        made, added = (region.values.get(node) for node in (binding.value, each.value))
        held = made.dtype if isinstance(made, Value) else None
        known = added.dtype if isinstance(added, Value) else None
        site.require(
            held not in WHOLE or known in WHOLE, "integers",
            f"`{each.name}` holds integers, and what a row adds up may be none",
        )  # fmt: skip
        if held is None or held.startswith(("like", "to")):
            assumed.append(f"`{each.name}` is of no narrower type than what is put into it")
    return assumed


def _library(region: Region, pairs: Pairs) -> str | None:
    """The library whose arrays the nest walks: that of the zeros it adds to, of the functions that
    it calls, or of the arrays as far as they are known."""
    found = set()
    block = region.siblings(pairs.outer)
    names = {each.name for each in pairs.sums}
    parts: list[ast.AST] = [
        s
        for s in block[: block.index(pairs.outer)]
        if isinstance(s, ast.Assign)
        and any(
            isinstance(n, ast.Name) and n.id in names for t in s.targets for n in everything_in(t)
        )
    ]
    for node in (n for part in (*parts, pairs.inner) for n in everything_in(part)):
        if isinstance(node, ast.Call):
            path = path_of(region.module, node.func)
            found.add((path or "").partition(".")[0])
            if path is None and isinstance(node.func, ast.Attribute):
                found |= {"torch"} if node.func.attr in _ONLY_OF_TENSORS else set()
        elif isinstance(node, ast.Name):
            value = region.values.get(node)
            if isinstance(value, Value) and value.axes:
                found.add(value.library or "")
    known = found & {"numpy", "torch"}
    if not known and any(_only_of_arrays(node) for node in region.nodes):
        known = {region.module.library or ""} - {""}
    return known.pop() if len(known) == 1 else None


_ONLY_OF_TENSORS = frozenset(
    "new_zeros new_empty norm pow square sqrt rsqrt exp log amax amin clamp sigmoid".split()
)
"""Methods that arrays of NumPy have not."""


def _only_of_arrays(node: ast.AST) -> bool:
    """What lists have not: a shape, several subscripts."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Tuple)
    return isinstance(node, ast.Attribute) and node.attr in ("shape", "ndim", "dot", "sum", "norm")


def _advice(site: Site, loop: Loop) -> Match | None:
    """What can be said of sums over pairs that cannot be written here."""
    if loop.blocked is not None or not loop.scan.carries:
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
        shared |= read_at(update, here, there) & read_at(update, there, here)
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
from auditor.kernels import pairwise_reduce


def forces(position, mass, eps: float):
    n = position.shape[0]
    force = np.zeros_like(position)

    def pair(position_i, position_j, mass_j):
        r = position_j - position_i
        d = np.sqrt((r * r).sum())
        return mass_j * r / (d**3 + eps)

    force += pairwise_reduce(
        pair, (n, n), (position,), (position, mass), to_rows=(force,), pairs="others"
    )
    return force
"""

_HALF = """\
import torch


def forces(x: torch.Tensor, charge: torch.Tensor):
    force = torch.zeros_like(x)
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            r = x[i] - x[j]
            push = charge[i] * charge[j] * r / r.norm() ** 3
            force[i] += push
            force[j] -= push
    return force
"""

_HALF_AFTER = """\
import torch
from auditor.kernels import pairwise_reduce


def forces(x: torch.Tensor, charge: torch.Tensor):
    force = torch.zeros_like(x)

    def pair(x_i, charge_i, x_j, charge_j):
        r = x_i - x_j
        push = charge_i * charge_j * r / r.norm() ** 3
        return push, push

    force_i, force_j = pairwise_reduce(
        pair,
        (len(x), len(x)),
        (x, charge),
        (x, charge),
        to_rows=(force,),
        to_columns=(force,),
        pairs="above",
    )
    force += force_i
    force -= force_j
    return force
"""

_ENERGY = """\
import math

import numpy as np


def energy(x: np.ndarray, m: np.ndarray, G=1.0):
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            dx = x[i, 0] - x[j, 0]
            dy = x[i, 1] - x[j, 1]
            total -= G * m[i] * m[j] / math.sqrt(dx * dx + dy * dy)
    return total
"""

_ENERGY_AFTER = """\
import math

import numpy as np
from auditor.kernels import pairwise_reduce


def energy(x: np.ndarray, m: np.ndarray, G=1.0):
    total = 0.0

    def pair(x_i, m_i, x_j, m_j):
        dx = x_i[0] - x_j[0]
        dy = x_i[1] - x_j[1]
        return G * m_i * m_j / np.sqrt(dx * dx + dy * dy)

    total -= pairwise_reduce(
        pair, (len(x), len(x)), (x, m), (x, m), totals=(total,), pairs="above"
    )
    return total
"""

_BROADCAST = """\
import torch


def accelerations(x: torch.Tensor, mass: torch.Tensor, G: float, eps: float):
    apart = x[None] - x[:, None]
    square = (apart**2).sum(-1) + eps**2
    return (G * mass[:, None] * apart * square[..., None] ** -1.5).sum(1)
"""

_BROADCAST_AFTER = """\
import torch
from auditor.kernels import nbody


def accelerations(x: torch.Tensor, mass: torch.Tensor, G: float, eps: float):
    return nbody(x, mass, softening=eps, gravity=G)
"""

_CUT_OFF = """\
import numpy as np


def energy(x, cutoff: float):
    e, met = 0.0, 0
    for i in range(x.shape[0]):
        for j in range(i):
            square = np.sum((x[i] - x[j]) ** 2)
            if square < cutoff * cutoff:
                e += 4.0 * (square**-6 - square**-3)
                met += 1
    return e, met
"""

_CUT_OFF_AFTER = """\
import numpy as np
from auditor.kernels import pairwise_reduce


def energy(x, cutoff: float):
    e, met = 0.0, 0

    def near(x_i, x_j):
        square = np.sum((x_i - x_j) ** 2)
        return square < cutoff * cutoff

    def pair(x_i, x_j):
        square = np.sum((x_i - x_j) ** 2)
        return 4.0 * (square**-6 - square**-3), 1

    e_sum, met_sum = pairwise_reduce(
        pair,
        (x.shape[0], x.shape[0]),
        (x,),
        (x,),
        totals=(e, met),
        pairs="below",
        near=near,
    )
    e += e_sum
    met += met_sum
    return e, met
"""

_STATED = _BROADCAST.replace("mass[:", "mass[None, :")

_CONTRACTED = """\
import numpy as np


def pull(points, weights):
    r = points[:, np.newaxis, :] - points[np.newaxis, :, :]
    s = np.einsum("ijk,ijk->ij", r, r) + 1e-4
    return -np.einsum("ijk,ij,j->ik", r, 1 / (s * np.sqrt(s)), weights)
"""

_CONTRACTED_AFTER = """\
import numpy as np
from auditor.kernels import nbody


def pull(points, weights):
    return -nbody(points, weights, softening=0.01, gravity=-1)
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

_PUT_AWAY = """\
import numpy as np


def loads(x: np.ndarray):
    n = len(x)
    out = np.zeros(n, dtype=int)
    for i in range(n):
        load = 0
        for j in range(n):
            load += abs(x[i] - x[j])
        out[i] = load
    return out
"""

_ROWS_OF_ROWS = """\
import numpy as np


def weighted(x: np.ndarray, w: np.ndarray, width: int):
    out = np.zeros((len(x), width))
    for i, row in enumerate(x):
        for j, entry in enumerate(row):
            out[i] += np.exp(entry) * w[j]
    return out
"""

_LENGTHS_OF_ROWS = """\
import numpy as np


def weighted(x: np.ndarray, w: np.ndarray):
    out = np.zeros(len(x))
    for i in range(len(x)):
        row = x[i]
        for j in range(len(row)):
            out[i] += np.exp(-np.abs(x[i, 0] - w[j]))
    return out
"""

REWRITE = Rewrite(
    code="LOC305",
    name="pairwise-tiles",
    summary="all-pairs sums in two loops run on tiles",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop", "pairs"),
    kernel="auditor.kernels.pairwise_reduce",
    becomes="pairwise_reduce(pair, ...)",
    examples=(
        Example(
            "forces",
            _FORCES,
            _FORCES_AFTER,
            "(np.random.default_rng(0).normal(size=(7, 3)), np.ones(7), 0.1),"
            " (np.zeros((1, 2)), np.ones(1), 0.0)",
        ),
        Example("half of the pairs", _HALF, _HALF_AFTER, "(torch.randn(7, 3), torch.rand(7))"),
        Example(
            "energy",
            _ENERGY,
            _ENERGY_AFTER,
            "(np.random.default_rng(0).normal(size=(7, 2)), np.ones(7))",
        ),
        Example(
            "cut off",
            _CUT_OFF,
            _CUT_OFF_AFTER,
            "(np.random.default_rng(0).normal(size=(13, 3)), 1.5), (np.zeros((1, 2)), 1.0)",
        ),
        Example(
            "broadcast",
            _BROADCAST,
            _BROADCAST_AFTER,
            "(torch.randn(7, 3), torch.rand(7), 2.0, 0.1),"
            " (torch.randn(1, 2), torch.ones(1), 1, 1)",
        ),
        Example(
            "contracted",
            _CONTRACTED,
            _CONTRACTED_AFTER,
            "(np.random.default_rng(0).normal(size=(7, 3)), np.ones(7))",
        ),
    ),
    refused=(
        RefusedExample(
            "gradients",
            _HALF.replace(
                "import torch", "import math\n\nimport numpy as np\nimport torch"
            ).replace("r.norm() ** 3", "math.sqrt((r * r).sum())"),
        ),
        RefusedExample(
            "arrays",
            _ENERGY.replace(": np.ndarray", "")
            .replace("math.sqrt", "abs")
            .replace("i, ", "i][")
            .replace("j, ", "j]["),
        ),
        RefusedExample("effects", _FORCES.replace("np.sqrt", "measure")),
        RefusedExample("effects", _STATED.replace("    return", "    measure(x)\n    return")),
        RefusedExample(
            "pairs-used", _STATED.replace("eps**2\n", "eps**2\n    print(square.sum())\n")
        ),
        RefusedExample(
            "gradients",
            _STATED.replace("    square =", "    with torch.enable_grad():\n        square ="),
        ),
        RefusedExample(
            "autocast",
            _STATED.replace("    apart", '    with torch.autocast("cpu"):\n        apart')
            .replace("    square", "        square")
            .replace("    return", "        return"),
        ),
        RefusedExample("reads-sum", _FORCES.replace("+ eps)", "+ force[j, 0])")),
        RefusedExample("read-later", _FORCES.replace("return force", "return force, d")),
        RefusedExample("start", _FORCES.replace("np.zeros_like(position)", "position")),
        RefusedExample("place", _FORCES.replace("+ eps)", "+ abs(i - j))")),
        RefusedExample("branch", _CUT_OFF.replace("if square", "if 1 and square")),
        RefusedExample("branch", _FORCES.replace("/ (d**3 + eps)", "/ (d if d > eps else eps)")),
        RefusedExample(
            "writes",
            _FORCES.replace(
                "r = position[j] - position[i]", "r = position[j]\n            r -= 1.0"
            ).replace("mass[j]", "position[i]"),
        ),
        RefusedExample("integers", _PUT_AWAY),
        RefusedExample("counts", _ROWS_OF_ROWS),
        RefusedExample("counts", _LENGTHS_OF_ROWS),
    ),
    unmatched=(
        """\
import torch


def cubes(x: torch.Tensor):
    assert x.ndim == 1
    return ((x[:, None] - x[None]) ** 3).sum(1)


def variation(x: torch.Tensor):
    assert x.ndim == 2
    return (x[:, 1:] - x[:, :-1]).abs().sum(1)


def deviation(x: torch.Tensor, m: torch.Tensor):
    assert x.ndim == 2 and m.ndim == 1
    return torch.exp(x - m[:, None]).sum(1)


def centred(x: torch.Tensor):
    assert x.ndim == 1
    k = torch.exp(-((x[:, None] - x[None]) ** 2))
    rows = k.sum(1)
    return spectrum(k - rows[:, None]), rows


def spectrum(a):
    for _ in range(3):
        print(a)
    return a
""",
        _FORCES.replace("- position[i]", ""),
        _PRODUCT,
    ),
)
