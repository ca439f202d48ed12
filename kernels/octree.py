"""A tree of boxes over points, and which of its nodes a group of points is far from.

Points are sorted by the interleaved bits of their coordinates, so that each node of the tree holds
points that follow each other, and a level of the tree is told from the one above it by comparing
neighbours. A node is not divided further once it holds few points, or points that are all in one
cell of the finest grid. Nothing is done a point or a node at a time: levels are arrays.

Sources: Barnes and Hut, "A hierarchical O(N log N) force-calculation algorithm" (1986); Barnes, "A
modified tree code: don't laugh, it runs" (1990), for whole groups that meet the same nodes; Warren
and Salmon, "A parallel hashed oct-tree N-body algorithm" (1993), for the order of the points.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

_BITS = {1: 31, 2: 31, 3: 20}
"""Bits a coordinate by the number of coordinates: a code is an integer of 64 bits."""


@dataclass(frozen=True)
class Tree:
    """Nodes by level from the root, those of one parent next to each other. ``order`` sorts the
    points; a node holds those from ``start`` to ``stop`` of the sorted ones. ``first`` is its first
    child and ``children`` their number, 0 in a leaf. ``levels`` are the nodes of a level, first and
    last; ``parents`` the parent of each node."""

    order: Tensor
    start: Tensor
    stop: Tensor
    first: Tensor
    children: Tensor
    parents: Tensor
    levels: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Groups:
    """Points that follow each other, with the box around them. low, high: (groups, d)."""

    start: Tensor
    count: Tensor
    low: Tensor
    high: Tensor


@dataclass(frozen=True)
class Lists:
    """What belongs to each group, one group after the other: ``items[offset:offset + count]``."""

    offset: Tensor
    count: Tensor
    items: Tensor


def _codes(points: Tensor) -> Tensor:
    """The bits of the coordinates by turns, from the most significant on. points: (n, d)."""
    axes = points.shape[1]
    bits = _BITS[axes]
    low = points.amin(0)
    width = (points.amax(0) - low).amax()
    scaled = ((points - low) / torch.where(width > 0, width, 1.0)).double() * (1 << bits)
    cells = scaled.long().clamp_(0, (1 << bits) - 1)
    codes = torch.zeros_like(cells[:, 0])
    for bit in range(bits):
        for axis in range(axes):
            codes |= ((cells[:, axis] >> bit) & 1) << (bit * axes + axes - 1 - axis)
    return codes


def build(points: Tensor, leaf: int) -> Tree:
    """The tree over points (n, d), all finite, n > 0, d from 1 to 3. A leaf holds up to ``leaf``
    points, or any number of one cell."""
    axes, device = points.shape[1], points.device
    codes, order = _codes(points).sort(stable=True)
    bits = _BITS[axes]
    start, stop = (torch.tensor([each], device=device) for each in (0, len(points)))
    starts, stops, parents = [start], [stop], [torch.tensor([-1], device=device)]
    firsts, counts, levels = [], [], [(0, 1)]
    for level in range(1, bits + 2):
        divided = (stop - start > leaf) & (codes[start] != codes[stop - 1])
        counted, first = torch.zeros_like(start), torch.full_like(start, -1)
        counts.append(counted)
        firsts.append(first)
        if not bool(divided.any()):
            break
        where = divided.nonzero().squeeze(1)
        begin, end = start[where], stop[where]
        keys = codes >> (axes * (bits - level))
        changes = (keys[1:] != keys[:-1]).nonzero().squeeze(1) + 1
        places = torch.cat([torch.zeros_like(changes[:1]), changes])
        above = torch.searchsorted(begin, places, right=True) - 1
        inside = (above >= 0) & (places < end[above.clamp(min=0)])
        places, above = places[inside], above[inside]
        behind = end[above]
        follows = above[1:] == above[:-1]
        behind[:-1] = torch.where(follows, places[1:], behind[:-1])
        base = levels[-1][1]
        counted[where] = torch.bincount(above, minlength=len(where))
        first[where] = base + torch.cumsum(counted[where], 0) - counted[where]
        parents.append(levels[-1][0] + where[above])
        start, stop = places, behind
        starts.append(start)
        stops.append(stop)
        levels.append((base, base + len(start)))
    every = (starts, stops, firsts, counts, parents)
    return Tree(order, *(torch.cat(each) for each in every), tuple(levels))


def leaves_of(tree: Tree) -> Tensor:
    """The leaf that each point is in, as they are sorted."""
    leaves = (tree.children == 0).nonzero().squeeze(1)
    leaves = leaves[tree.start[leaves].argsort()]
    return leaves.repeat_interleave((tree.stop - tree.start)[leaves])


def groups(points: Tensor, tree: Tree, largest: int) -> Groups:
    """The leaves as groups of up to ``largest`` points. points: (n, d), sorted."""
    leaves = (tree.children == 0).nonzero().squeeze(1)
    start, count = tree.start[leaves], (tree.stop - tree.start)[leaves]
    pieces = (count + largest - 1) // largest
    owner = torch.repeat_interleave(pieces)
    number = _within(pieces)
    begin = start[owner] + number * largest
    count = (start[owner] + count[owner] - begin).clamp(max=largest)
    member = torch.repeat_interleave(count)
    places = begin[member] + _within(count)
    index = member[:, None].expand(-1, points.shape[1])
    boxes = (
        torch.full(
            (len(begin), points.shape[1]), 0.0, dtype=points.dtype, device=points.device
        ).scatter_reduce(0, index, points[places], kind, include_self=False)
        for kind in ("amin", "amax")
    )
    return Groups(begin, count, *boxes)


def extents(points: Tensor, tree: Tree) -> tuple[Tensor, Tensor]:
    """The box around the points of each node: (nodes, d) twice. points: (n, d), sorted."""
    found = []
    leaf = leaves_of(tree)[:, None].expand_as(points)
    for kind, empty in (("amin", torch.inf), ("amax", -torch.inf)):
        boxes = points.new_full((len(tree.start), points.shape[1]), empty)
        boxes.scatter_reduce_(0, leaf, points, kind)
        for begin, end in reversed(tree.levels[1:]):
            index = tree.parents[begin:end, None].expand(-1, points.shape[1])
            boxes.scatter_reduce_(0, index, boxes[begin:end].clone(), kind)
        found.append(boxes)
    return found[0], found[1]


def _within(counts: Tensor) -> Tensor:
    """0, 1, ... count - 1 for each count, one after the other."""
    total = torch.repeat_interleave(torch.cumsum(counts, 0) - counts, counts)
    return torch.arange(len(total), device=counts.device) - total


def interactions(
    tree: Tree, some: Groups, centres: Tensor, reach: Tensor, size: Tensor, theta: float
) -> tuple[Lists, Lists, Lists]:
    """For each group the nodes that it is far from, the points of the leaves that it is not, and
    those of its own leaf.

    A node is far where its longest side is below theta times the distance from its centre to the
    box around the group, which lies outside of the ball around the centre that holds the node
    (``reach``, its radius). A leaf at a single place counts as far wherever it is.
    """
    device = centres.device
    group = torch.arange(len(some.start), device=device)
    node = torch.zeros_like(group)
    held = tree.stop - tree.start
    far: list[tuple[Tensor, Tensor]] = []
    near: list[tuple[Tensor, Tensor]] = []
    own: list[tuple[Tensor, Tensor]] = []
    while len(group):
        centre = centres[node]
        gap = torch.maximum(some.low[group] - centre, centre - some.high[group]).clamp_(min=0)
        distance = gap.square().sum(1).sqrt()
        leaf = tree.children[node] == 0
        accepted = (size[node] < theta * distance) & (reach[node] < distance)
        accepted |= leaf & (reach[node] == 0) & (held[node] > 1)
        far.append((group[accepted], node[accepted]))
        kept = leaf & ~accepted
        inside = (tree.start[node] <= some.start[group]) & (some.start[group] < tree.stop[node])
        near.append(_points(tree, group[kept & ~inside], node[kept & ~inside]))
        own.append(_points(tree, group[kept & inside], node[kept & inside]))
        opened = ~leaf & ~accepted
        group, node = group[opened], node[opened]
        counts = tree.children[node]
        group = group.repeat_interleave(counts)
        node = tree.first[node].repeat_interleave(counts) + _within(counts)
    count = len(some.start)
    return _listed(far, count), _listed(near, count), _listed(own, count)


def _points(tree: Tree, group: Tensor, node: Tensor) -> tuple[Tensor, Tensor]:
    """The points of nodes, with the group that each is for."""
    counts = (tree.stop - tree.start)[node]
    places = tree.start[node].repeat_interleave(counts) + _within(counts)
    return group.repeat_interleave(counts), places


def _listed(pieces: list[tuple[Tensor, Tensor]], count: int) -> Lists:
    """Items by their groups, which stand in order in each piece."""
    counts = [torch.bincount(group, minlength=count) for group, _ in pieces]
    whole = torch.stack(counts).sum(0)
    offset = torch.cumsum(whole, 0) - whole
    items = pieces[0][1].new_empty(sum(len(each) for _, each in pieces))
    filled = offset.clone()
    for (group, some), own in zip(pieces, counts, strict=True):
        items[filled[group] + _within(own)] = some
        filled += own
    return Lists(offset, whole, items)
