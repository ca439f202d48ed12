"""Particles that attract each other, those far away as a few moments of the box they are in.

    a_i = gravity sum_{j != i} m_j g(|r_ij|^2 + softening^2) r_ij,    r_ij = x_j - x_i
    g(s) = s^(-3/2), or another function that is given

Seen from afar the particles of a box are M = sum m, D = sum m d and S = sum m d d^T at their centre
(d: from there to the particle), the terms of a Taylor series:

    sum m g r  =  M g r                                                         order 0
               +  2 g' (D . r) r + g D                                          order 1
               +  (g' tr S + 2 g'' (r . S r)) r + 2 g' S r  + O(size^3)         order 2

Moments add up (identity 0, combine: shift both to the common centre and add), so those of a box
come from the boxes in it. The centre is that of the masses without their signs; where no mass is
negative D is 0, and orders 0 and 1 are the same. A box is taken as a whole where its side is below
theta times its distance, opened otherwise; what is left of near boxes is summed up a pair at a
time. n particles cost n log n. Groups of neighbours walk the tree together, a level at a time, and
meet what they found as one tile of rows and columns.

Source: Barnes and Hut, "A hierarchical O(N log N) force-calculation algorithm", Nature 324 (1986);
Hernquist, "Performance characteristics of tree codes" (1987), for the order 2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from .nbody import nbody
from .octree import Groups, Lists, Tree, build, extents, groups, interactions, leaves_of
from .surroundings import unseen

ERROR: dict[tuple[float, int], float] = {
    (0.3, 0): 7e-3,
    (0.5, 0): 2e-2,
    (0.8, 0): 6e-2,
    (0.3, 2): 5e-4,
    (0.5, 2): 3e-3,
    (0.8, 2): 1.6e-2,
}
"""Bounds on the error by (theta, order): the root of the mean square difference from the sum over
all pairs, over that of the accelerations. They hold in the tests, for masses of one sign in a
ball, a cube, a disc and clusters, without softening and with it; they are no bound for every
particle, and where forces cancel, masses of both signs among them, the difference is larger
relative to what is left.
"""

TOLERANCE: dict[torch.dtype, float] = {
    torch.float64: 1e-11,
    torch.float32: 1e-4,
    torch.float16: 2e-3,
    torch.bfloat16: 1.6e-2,
}
"""Largest error against float64 relative to max|reference| with theta = 0, which opens every box.

Close pairs dominate, and their distance cancels most digits of the positions. Half types are
computed in float32 and rounded once at the end.
"""

FEW = 2048
"""So many particles or fewer are summed up exactly, on a CPU by `nbody`: on one core of one
(2026-11-27) 1000 take it 0.84 ms and a tree 19. With a pull they are one box of a tree."""

ALL_PAIRS = 1 << 18
"""So many particles or fewer are summed up exactly on a GPU, by `nbody`. Read off an H200
(2026-11-27): 20,000 take it 1.0 ms (2.9 with gradients), the tree 52 (678); 200,000 take it 25
(83)."""

ALL_PAIRS_OF_A_PULL = 1 << 14
"""So many with a pull of their own, by the plain formula: 20,000 take it 20 ms there, and the tree
52."""

LEAF = 48
"""Particles of a box that is not divided, and of a group."""

GROUPS_A_WALK = 8192
"""Groups that walk the tree together: of each a list of a thousand entries is kept meanwhile."""

PAIRS_A_TILE = {"cpu": 1 << 18, "cuda": 1 << 24}
"""Pairs computed at once: their planes should stay in a cache."""

Pull = Callable[[Tensor], Tensor]


def reference(
    positions: Tensor,
    masses: Tensor,
    *,
    softening: float | Tensor = 0.0,
    gravity: float | Tensor = 1.0,
    pull: Pull | None = None,
) -> Tensor:
    """What `barnes_hut` approximates, with all pairs in memory."""
    away = positions[None] - positions[:, None]
    others = ~torch.eye(len(positions), dtype=torch.bool, device=positions.device)
    square = (away * away).sum(-1) + softening * softening
    square = torch.where(others, square, 1.0)
    factor = 1 / (square * square.sqrt()) if pull is None else pull(square)
    weight = torch.where(others, masses * factor, 0.0)
    return gravity * (weight[..., None] * away).sum(1)


def barnes_hut(
    positions: Any,
    masses: Any,
    *,
    softening: float | Tensor = 0.0,
    gravity: float | Tensor = 1.0,
    theta: float = 0.5,
    order: int = 2,
    pull: Pull | None = None,
) -> Any:
    """Approximate accelerations of particles that attract each other.

    positions: (n, d) with d from 1 to 3; masses: (n,), of either sign. Tensors, or arrays of NumPy
    for which an array comes back; floating dtypes. softening and gravity are numbers or tensors of
    one. theta: how large a box may be for its distance, 0 for the sum over all pairs; order: of
    the moments, 0 to 2. pull: what stands for `square ** -1.5`, a smooth function of a tensor of
    squared distances (softening added) that decays with them, made of operations of torch.

    `ERROR` states how far from the sum over all pairs this is: below 0.3% at the defaults. Two
    particles at one place without softening give NaN, as the plain formula does. More than a few
    particles in one cell of a grid of 2^20 cells a side (2^31 for d < 3) meet each other pair by
    pair, which is exact and slow. A place that is not finite makes all NaN, and so may two
    particles 1e-12 (float64: 1e-100) times the largest distance apart. All pairs of so few
    particles as `FEW`, or on a GPU as `ALL_PAIRS`, are summed up: the plain formula, whatever the
    places are.

    Differentiable in positions, masses, softening, gravity and what `pull` holds: derivatives are
    those of the approximation, with the boxes as they are. They are less accurate than the values
    by one order of the moments, a percent or two at the defaults.

    Returns:
        (n, d).

    Raises:
        ValueError: theta is negative, or order is none of 0, 1 and 2. Otherwise what `reference`
        raises: other shapes and integers are handed to it.
    """
    if not theta >= 0:
        raise ValueError(f"theta is {theta}, and has to be 0 or more")
    if order not in (0, 1, 2):
        raise ValueError(f"order is {order}, and has to be 0, 1 or 2")
    if isinstance(positions, np.ndarray) or isinstance(masses, np.ndarray):
        given = (_tensor(positions), _tensor(masses))
        options = {"softening": softening, "gravity": gravity, "theta": theta, "order": order}
        found: Tensor = barnes_hut(*given, pull=pull, **options)
        return found.detach().numpy()
    tensors = [each for each in (softening, gravity) if isinstance(each, Tensor)]
    plain = (
        positions.ndim == 2
        and masses.shape == positions.shape[:1]
        and 0 < positions.shape[1] <= 3
        and len(positions) > 1
        and all(each.is_floating_point() for each in (positions, masses, *tensors))
        and all(each.ndim == 0 and each.device == positions.device for each in tensors)
        and masses.device == positions.device
    )
    exact = plain and _exact(len(positions), positions.device.type, pull is not None)
    if exact and pull is None:
        return nbody(positions, masses, softening=softening, gravity=gravity)
    if exact or not plain or unseen(positions, masses, *tensors):
        return reference(positions, masses, softening=softening, gravity=gravity, pull=pull)
    dtype = torch.result_type(positions, masses)
    wide = dtype if dtype in (torch.float32, torch.float64) else torch.float32
    x, m = positions.to(wide), masses.to(wide)
    if not bool(x.detach().isfinite().all()):
        return (gravity * (x + torch.nan)).to(dtype)  # a distance to every other one is none
    soft = torch.as_tensor(softening, dtype=wide, device=x.device)
    return (gravity * _Field(x, m, soft, pull, float(theta), order).of_all()).to(dtype)


def _exact(count: int, device: str, pulled: bool) -> bool:
    """Whether all pairs are summed up in less time than a tree takes."""
    if device == "cpu":
        return count <= FEW and not pulled
    return device == "cuda" and count <= (ALL_PAIRS_OF_A_PULL if pulled else ALL_PAIRS)


def _tensor(array: Any) -> Tensor:
    """An array of NumPy as a tensor; numbers that are whole as double precision."""
    if isinstance(array, Tensor):
        return array
    array = np.ascontiguousarray(array)
    return torch.from_numpy(array if array.dtype.kind == "f" else array.astype(np.float64))


class _Field:
    """The pull of particles, in the order of a tree. Lengths are scaled by a power of 2, so that
    powers of distances neither over- nor underflow: exactly, but for numbers near the smallest."""

    def __init__(
        self, x: Tensor, m: Tensor, softening: Tensor, pull: Pull | None, theta: float, order: int
    ) -> None:
        with torch.no_grad():
            width = float((x.amax(0) - x.amin(0)).amax())
        most = math.frexp(torch.finfo(x.dtype).max)[1] - 1
        scale = 2.0 ** min(math.frexp(width)[1], most) if width else 1.0
        self.pull: Pull | None = None
        if pull is not None:
            self.pull = lambda square: pull(square * scale * scale)
        self.unit = scale**-2 if pull is None else scale
        self.softening, self.order, self.theta = softening / scale, order, theta
        x = x / scale
        with torch.no_grad():
            points = x.detach()
            self.tree = build(points, FEW if len(x) <= FEW else LEAF)
            points = points[self.tree.order]
            self.signed = bool((m <= 0).any())
        self.x, self.m = x[self.tree.order], m[self.tree.order]
        low, high = extents(points, self.tree)
        self.moments = _moments(self.x, self.m, self.tree, low, high, order)
        with torch.no_grad():
            centres = self.moments[0]
            self.reach = torch.maximum(high - centres, centres - low).square().sum(1).sqrt()
            self.size = (high - low).amax(1)
        self.groups = groups(points, self.tree, LEAF)
        self.outside = high[0] + 4.0  # where a place that holds nothing is
        self.recorded = torch.is_grad_enabled() and (
            any(each.requires_grad for each in (x, m, softening))
            or (pull is not None and pull(x.new_ones(1)).requires_grad)
        )

    def of_all(self) -> Tensor:
        """The sum for each particle: (n, d), in the order in which they were given."""
        summed = torch.zeros_like(self.x)
        for begin in range(0, len(self.groups.start), GROUPS_A_WALK):
            some = Groups(*(each[begin : begin + GROUPS_A_WALK] for each in _parts(self.groups)))
            with torch.no_grad():
                centres = self.moments[0].detach()
                walk = (self.tree, some, centres, self.reach, self.size, self.theta)
                lists = interactions(*walk)
            for part, which in zip((self._far, self._near, self._own), lists, strict=True):
                found = [*self._tiles(some, which, part)]
                if found:
                    rows, values = (torch.cat(each) for each in zip(*found, strict=True))
                    summed = summed.index_add(0, rows, values)
        back = torch.empty_like(self.tree.order)
        back[self.tree.order] = torch.arange(len(back), device=back.device)
        return self.unit * summed[back]

    def _tiles(
        self, some: Groups, lists: Lists, part: Callable[[Tensor, Tensor, Tensor], Tensor]
    ) -> Iterator[tuple[Tensor, Tensor]]:
        """What the particles of each group feel from the items of its list: their places and as
        many values. Groups of about one size with lists of about one length make a tile."""
        present = (lists.count > 0).nonzero().squeeze(1)
        if not len(present):
            return
        height = (some.count[present] + 7) // 8 * 8
        sort = (height * (int(lists.count.max()) + 1) + lists.count[present]).sort()
        present, height = present[sort.indices], height[sort.indices]
        heights, widths = height.tolist(), lists.count[present].tolist()
        room = PAIRS_A_TILE.get(self.x.device.type, 1 << 20)
        begin = 0
        while begin < len(heights):
            end = begin + 1
            while (
                end < len(heights)
                and heights[end] == heights[begin]
                and heights[begin] * widths[end] * (end + 1 - begin) <= room
            ):
                end += 1
            which = present[begin:end]
            middle = (some.low[which] + some.high[which]) / 2
            rows = _padded(some.start[which], some.count[which], None)
            step = max(1, room // (heights[begin] * (end - begin)))
            for first in range(0, widths[end - 1], step):
                left = (lists.count[which] - first).clamp(0, step)
                columns = _padded(lists.offset[which] + first, left, lists.items)
                if self.recorded:
                    values = checkpoint(
                        part, rows, columns, middle, use_reentrant=False, preserve_rng_state=False
                    )
                else:
                    values = part(rows, columns, middle)
                yield rows[rows >= 0], values[rows >= 0]
            begin = end

    def _near(self, rows: Tensor, columns: Tensor, middle: Tensor) -> Tensor:
        """What the particles at `rows` feel from others at `columns`, one by one. rows: (g, rows),
        columns: (g, columns), -1 where there is none. Returns (g, rows, d)."""
        return self._one_by_one(rows, columns, None)

    def _own(self, rows: Tensor, columns: Tensor, middle: Tensor) -> Tensor:
        """As `_near`, where a particle may meet itself."""
        return self._one_by_one(rows, columns, rows[:, :, None] == columns[:, None, :])

    def _one_by_one(self, rows: Tensor, columns: Tensor, same: Tensor | None) -> Tensor:
        here = _held(self.x, rows, -self.outside)
        there = _held(self.x, columns, self.outside)
        axes = zip(here.unbind(-1), there.unbind(-1), strict=True)
        away = [b[:, None, :] - a[:, :, None] for a, b in axes]
        square = self.softening * self.softening
        for plane in away:
            square = torch.addcmul(square, plane, plane)
        if same is not None:
            square = torch.where(same, 1.0, square)
        outer, factor, *_ = self._derivatives(square, 0)
        weight = outer * factor * _held(self.m, columns, self.m.new_zeros(()))[:, None, :]
        if same is not None:
            weight = torch.where(same, 0.0, weight)
        return torch.stack([(weight * plane).sum(-1) for plane in away], -1)

    def _far(self, rows: Tensor, columns: Tensor, middle: Tensor) -> Tensor:
        """What the particles at `rows` feel from the nodes at `columns`. Places are taken from the
        middle of the group on, which is small against the distance: so everything between rows and
        columns is a product of matrices, of powers of the one and moments of the other."""
        centres, mass, first, second = self.moments
        t = _held(self.x, rows, -self.outside) - middle[:, None]
        s = _held(centres, columns, self.outside) - middle[:, None]
        none = s.new_zeros(())
        one_t, one_s = torch.ones_like(t[..., :1]), torch.ones_like(s[..., :1])
        reach = (t * t).sum(-1, keepdim=True) + self.softening * self.softening
        square = _product((t, reach, one_t), (-2 * s, one_s, (s * s).sum(-1, keepdim=True)))
        dipoles = self.order > 0 and self.signed
        outer, factor, *slopes = self._derivatives(square, 2 if self.order == 2 else int(dipoles))
        along = factor * _held(mass, columns, none)[:, None, :]
        own = torch.zeros_like(t)
        if dipoles:
            d = _held(first, columns, none)
            along = along + slopes[0] * _product(
                (2 * t, one_t), (-d, 2 * (d * s).sum(-1, keepdim=True))
            )
            own = own + torch.bmm(outer * factor, d)
        if self.order == 2:
            spread = _held(second, columns, none)
            turned = (spread @ s[..., None]).squeeze(-1)
            across = (t[..., :, None] * t[..., None, :]).flatten(-2)
            quadratic = _product(
                (one_t, t, across),
                ((turned * s).sum(-1, keepdim=True), -2 * turned, spread.flatten(-2)),
            )
            trace = spread.diagonal(dim1=-2, dim2=-1).sum(-1)[:, None, :]
            along = along + slopes[0] * trace + (2 * slopes[1]) * quadratic
            slope = outer * slopes[0]
            sums = torch.bmm(slope, torch.cat([turned, spread.flatten(-2)], -1))
            summed = sums[..., t.shape[-1] :].unflatten(-1, spread.shape[-2:])
            own = own + 2 * (sums[..., : t.shape[-1]] - (summed @ t[..., None]).squeeze(-1))
        sums = torch.bmm(outer * along, torch.cat([s, one_s], -1))
        return own + sums[..., :-1] - sums[..., -1:] * t

    def _derivatives(self, square: Tensor, count: int) -> list[Tensor | float]:
        """A common factor, g and its derivatives at `square`, as many as asked for."""
        if self.pull is None:
            inverse = square.reciprocal()
            found: list[Tensor | float] = [inverse * inverse.sqrt(), 1.0]
            if count > 0:
                found.append(-1.5 * inverse)
            if count > 1:
                found.append(3.75 * inverse * inverse)
            return found
        if count == 0:
            return [1.0, self.pull(square)]
        with torch.enable_grad():
            at = square if square.requires_grad else square.detach().requires_grad_()
            values = [self.pull(at)]
            for _ in range(count):
                slope = None
                if values[-1].requires_grad:
                    (slope,) = torch.autograd.grad(
                        values[-1].sum(), at, create_graph=True, allow_unused=True
                    )
                values.append(torch.zeros_like(at) if slope is None else slope)
        return [1.0, *(each if self.recorded else each.detach() for each in values)]


def _held(values: Tensor, places: Tensor, empty: Tensor) -> Tensor:
    """The values at places, `empty` where there is none."""
    there = (places >= 0).reshape(*places.shape, *[1] * (values.ndim - 1))
    return torch.where(there, values[places], empty)


def _parts(some: Groups) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    return some.start, some.count, some.low, some.high


def _product(rows: tuple[Tensor, ...], columns: tuple[Tensor, ...]) -> Tensor:
    """Products of what rows and columns hold, summed. (g, rows, k), (g, columns, k)."""
    return torch.bmm(torch.cat(rows, -1), torch.cat(columns, -1).transpose(1, 2))


def _padded(offset: Tensor, count: Tensor, items: Tensor | None) -> Tensor:
    """Ranges as the rows of one array, or the items at them; -1 behind their ends."""
    step = torch.arange(int(count.max()), device=count.device)
    places = offset[:, None] + step
    inside = step < count[:, None]
    if items is not None:
        places = items[torch.where(inside, places, 0)]
    return torch.where(inside, places, -1)


def _moments(
    x: Tensor, m: Tensor, tree: Tree, low: Tensor, high: Tensor, order: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Of each node the centre (nodes, d), M (nodes,), D (nodes, d) and, where it is asked for,
    S (nodes, d, d), of 0 otherwise. x: (n, d) and m: (n,), as the tree sorts them."""
    leaf = leaves_of(tree)
    sizes = (low, high)
    weight = m.abs()
    total, mean = _upwards(tree, leaf, (weight, weight[:, None] * x), lambda parts, _: parts)
    filled = (total > 0)[:, None]
    centre = torch.where(filled, mean / torch.where(filled, total[:, None], 1.0), sum(sizes) / 2)
    with torch.no_grad():  # a node at one place is there, whatever the division rounds to
        exactly = torch.where((low == high).all(1, keepdim=True), low - centre, 0.0)
    centre = centre + exactly

    off = x - centre[leaf]
    dipole = m[:, None] * off
    moments = [m, dipole]
    if order == 2:
        moments.append(dipole[:, :, None] * off[:, None, :])

    def shifted(parts: tuple[Tensor, ...], nodes: slice) -> tuple[Tensor, ...]:
        shift = centre[nodes] - centre[tree.parents[nodes]]
        mass, first, *second = parts
        moved = first + mass[:, None] * shift
        if not second:
            return mass, moved
        across = first[:, :, None] * shift[:, None, :]
        return mass, moved, second[0] + across + moved[:, None, :] * shift[:, :, None]

    mass, first, *second = _upwards(tree, leaf, tuple(moments), shifted)
    axes = x.shape[1]
    return centre, mass, first, second[0] if second else x.new_zeros(len(mass), axes, axes)


def _upwards(
    tree: Tree,
    leaf: Tensor,
    parts: tuple[Tensor, ...],
    shifted: Callable[[tuple[Tensor, ...], slice], tuple[Tensor, ...]],
) -> tuple[Tensor, ...]:
    """Sums over the particles of each node, from the leaves up. ``leaf`` is the leaf that holds a
    particle; ``shifted`` takes what the nodes of a level hold to their parents."""

    def summed(some: Tensor, into: Tensor, size: int) -> Tensor:
        return some.new_zeros(size, *some.shape[1:]).index_add(0, into, some)

    own = [summed(each, leaf, len(tree.start)) for each in parts]
    levels: list[tuple[Tensor, ...]] = []
    for begin, end in reversed(tree.levels):
        here = tuple(each[begin:end] for each in own)
        if levels:
            nodes = slice(end, end + len(levels[-1][0]))
            into = tree.parents[nodes] - begin
            above = shifted(levels[-1], nodes)
            here = tuple(
                some + summed(other, into, end - begin)
                for some, other in zip(here, above, strict=True)
            )
        levels.append(here)
    return tuple(torch.cat(each) for each in zip(*reversed(levels), strict=True))
