"""Scores of linear attention inside a chunk, and their gradients, without dividing by decays.

With a[s] the decay of step s, a query at step j meets the key of step i <= j by

    score[j, i] = sum_d q[j, d] k[i, d] a[i+1, d] ... a[j, d]

Dividing cumulated products of decays, or exponentials of differences of their logarithms, loses
everything once a product underflows, and cannot take decays that are zero or negative. Here only
products of neighbouring decays are formed. One decay a step: all of them, from i + 1 to j, fit into
a matrix beside the scores. A decay for each channel: a query in the right half of a block and a key
in its left half meet at the middle, so that their score is a matrix product of

    q[j] times the decays from the middle to j    and    k[i] times the decays from i to the middle

and the halves are blocks again. Gradients follow the same products back, and divide as little.

Source: Yang et al., "Gated Linear Attention Transformers with Hardware-Efficient Training" (2024),
for chunks inside chunks; Blelloch, "Prefix sums and their applications" (1990) for the halving.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor


class Decays(Protocol):
    """The decays of chunks of C steps. `prefix` holds their products from the start of the chunk
    up to and with each step, `suffix` those of the steps after it, both (G, N, C, D), where N is 1
    for chunks that are alike and D is 1 for one decay a step; None where nothing decays."""

    prefix: Tensor | None
    suffix: Tensor | None

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        """(G, N, C, D) twice -> (G, N, C, C), queries by keys, zero above the diagonal."""

    def gradients(
        self, dscores: Tensor, q: Tensor, k: Tensor, dprefix: Tensor, dsuffix: Tensor
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Gradients of q and k through the scores, and of the decays through everything, from
        those of the scores on and below the diagonal, of `prefix` and of `suffix`. Operands are
        conjugated already where they are complex."""


def decays(a: Tensor | None) -> Decays:
    """The decays `a` (G, N, C, D or 1); C is a power of two where there is one for each channel."""
    if a is None:
        return _Nothing()
    return _OneAStep(a) if a.shape[-1] == 1 else _EachChannel(a)


class _Nothing:
    """Nothing decays."""

    prefix = suffix = None

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        return (q @ k.mT).tril_()

    def gradients(
        self, dscores: Tensor, q: Tensor, k: Tensor, dprefix: Tensor, dsuffix: Tensor
    ) -> tuple[Tensor, Tensor, None]:
        return dscores @ k, dscores.mT @ q, None


class _OneAStep:
    """One decay a step; `after[i, j]` is the product of those from i + 1 to j."""

    def __init__(self, a: Tensor) -> None:
        length = a.shape[2]
        later = torch.ones((length, length), dtype=torch.bool, device=a.device).triu(1)
        self.after = torch.where(later, a.mT, a.new_ones(())).cumprod(-1).triu_()
        self.prefix = a[:, :, :1] * self.after[:, :, :1].mT
        self.suffix = self.after[..., -1:]

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        return (q @ k.mT).mul_(self.after.mT)

    def gradients(
        self, dscores: Tensor, q: Tensor, k: Tensor, dprefix: Tensor, dsuffix: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        dproducts = (k @ q.mT).mul_(dscores.mT)
        weighted = dscores * self.after.mT
        # the product from i + 1 to j is the one before s, times a[s], times the one after it
        before = torch.cat((torch.zeros_like(self.suffix), self.after[..., :-1]), -1).mT
        lead = torch.cat((torch.ones_like(self.prefix[:, :, :1]), self.prefix[:, :, :-1]), 2)
        da = (before @ dproducts).mul_(self.after).sum(-1, keepdim=True)
        da = da + lead * (self.after @ dprefix) + self.suffix * (before @ dsuffix)
        return weighted @ k, weighted.mT @ q, da


class _EachChannel:
    """A decay for each channel: products within blocks of 1, 2, 4, ... steps.

    Of the two halves of each block a level keeps those from the start of the right one up to each
    of its steps, those after each step of the left one, and that of the whole left one."""

    def __init__(self, a: Tensor) -> None:
        length = a.shape[2]
        self.prefix = a.clone(memory_format=torch.contiguous_format)
        self.suffix = torch.ones_like(self.prefix)
        self.levels: list[tuple[Tensor, Tensor, Tensor]] = []
        size = 1
        while size < length:
            left, right = _halves(self.prefix, size)
            upto, _ = _halves(self.suffix, size)
            level = right.clone(), upto.clone(), left[:, :, :, -1:].clone()
            self.levels.append(level)
            right.mul_(level[2])
            upto.mul_(level[0][:, :, :, -1:])
            size *= 2

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        result = q.new_zeros((*q.shape[:3], q.shape[2]))
        result.diagonal(dim1=2, dim2=3).copy_((q * k).sum(-1))
        for level, (right, upto, _) in enumerate(self.levels):
            size = 1 << level
            queries, keys = _halves(q, size)[1] * right, _halves(k, size)[0] * upto
            _squares(result, size).copy_(queries @ keys.mT)
        return result

    def gradients(
        self, dscores: Tensor, q: Tensor, k: Tensor, dprefix: Tensor, dsuffix: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        same = dscores.diagonal(dim1=2, dim2=3).unsqueeze(-1)
        dq, dk = same * k, same * q
        for level, (right, upto, total_left) in reversed(list(enumerate(self.levels))):
            size = 1 << level
            total_right = right[:, :, :, -1:]
            # through the products of both halves
            dleft, dright = (each.clone() for each in _halves(dprefix, size))
            dupto, dafter = (each.clone() for each in _halves(dsuffix, size))
            dleft[:, :, :, -1:] += (dright * right).sum(3, keepdim=True)
            dright *= total_left
            dright[:, :, :, -1:] += (dupto * upto).sum(3, keepdim=True)
            dupto *= total_right
            # through the scores of the right half's queries with the left half's keys
            queries, keys = _halves(q, size)[1], _halves(k, size)[0]
            square = _squares(dscores, size)
            dqueries = square @ (keys * upto)
            dkeys = square.mT @ (queries * right)
            dright.addcmul_(dqueries, queries)
            dupto.addcmul_(dkeys, keys)
            _halves(dq, size)[1].addcmul_(dqueries, right.expand_as(dqueries))
            _halves(dk, size)[0].addcmul_(dkeys, upto.expand_as(dkeys))
            dprefix, dsuffix = _joined(dleft, dright), _joined(dupto, dafter)
        return dq, dk, dprefix


def _halves(rows: Tensor, size: int) -> tuple[Tensor, Tensor]:
    """(G, N, C, D) as left and right halves of blocks: (G, N, C / 2 size, size, D) each."""
    blocks = rows.unflatten(2, (-1, 2, size))
    return blocks[:, :, :, 0], blocks[:, :, :, 1]


def _joined(left: Tensor, right: Tensor) -> Tensor:
    """The rows of both halves of each block, in order."""
    return torch.stack((left, right), 3).flatten(2, 4)


def _squares(matrix: Tensor, size: int) -> Tensor:
    """The parts of (G, N, C, C) where the right half of a block meets its left half, as a view
    (G, N, C / 2 size, size, size)."""
    blocks = matrix.unflatten(3, (-1, 2, size)).unflatten(2, (-1, 2, size))
    return blocks[:, :, :, 1, :, :, 0].diagonal(dim1=2, dim2=4).movedim(-1, 2)
