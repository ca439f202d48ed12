"""Linear attention in torch: whole chunks of the sequence as matrix products.

Operands are (G, T, D): batch and heads as one, time, channels. Whole chunks are taken together, as
(G, N, C, D), then the steps that are left as a chunk of their own. What a chunk makes of its
operands and of the state before it is said in `linear_attention`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator

import torch
from torch import Tensor

from .decayed_scores import decays
from .surroundings import capturing

CHUNK = 64
"""Steps that one piece takes together at most."""

LEAST = 16
"""Fewer of them cost more calls than they save."""


def balanced(channels: int, width: int) -> int:
    """Steps of a piece for states of channels x width: more of them cost more scores, fewer more
    states."""
    return min(CHUNK, max(LEAST, 1 << round(math.log2(channels * width) / 2)))


def chunk_length(decay: Tensor | None, dtype: torch.dtype, most: int) -> int:
    """Steps of a chunk: so many that no product of decays overflows, where a state that happens to
    be zero would not."""
    if decay is None or not decay.numel():
        return most
    if capturing():
        return 1  # the largest decay would have to be looked at
    largest = float(decay.detach().abs().amax())
    if largest <= 1:
        return most
    room = math.log(torch.finfo(dtype).max) / 2
    steps = room / math.log(largest) if largest < math.inf else 1.0
    return most if steps >= most else 1 << int(math.log2(max(1.0, steps)))


class _Piece:
    """Chunks of equal length, with the operands in the dtype to compute in."""

    def __init__(
        self, q: Tensor, k: Tensor, v: Tensor, decay: Tensor | None, time: slice, chunk: int
    ) -> None:
        self.time = time
        self.chunk = chunk
        self.padded = self.chunk
        if decay is not None and decay.shape[2] > 1:
            # blocks are halved down to single steps; what is added decays nothing
            self.padded = 1 << (chunk - 1).bit_length()
        self.q, self.k, self.v = (self.chunks(each) for each in (q, k, v))
        self.decays = decays(None if decay is None else self._factors(decay))
        self.starts: list[Tensor] = []

    def chunks(self, rows: Tensor, fill: float = 0.0) -> Tensor:
        """(G, T, D) -> (G, N, C, D) for the steps of this piece."""
        cut = rows[:, self.time].unflatten(1, (-1, self.chunk))
        if self.padded == self.chunk:
            return cut
        return torch.nn.functional.pad(cut, (0, 0, 0, self.padded - self.chunk), value=fill)

    def rows(self, chunks: Tensor) -> Tensor:
        """(G, N, C, D) -> (G, T, D), the inverse."""
        return chunks[:, :, : self.chunk].flatten(1, 2)

    def _factors(self, decay: Tensor) -> Tensor:
        if decay.shape[1] > 1:
            return self.chunks(decay, 1.0)
        alike = decay.unsqueeze(1).expand(-1, 1, self.chunk, -1)
        return torch.nn.functional.pad(alike, (0, 0, 0, self.padded - self.chunk), value=1.0)

    @functools.cached_property
    def queries(self) -> Tensor:
        """Queries as they meet the state at the start of their chunk."""
        return self.q if self.decays.prefix is None else self.q * self.decays.prefix

    @functools.cached_property
    def keys(self) -> Tensor:
        """Keys as the state at the end of their chunk holds them."""
        return self.k if self.decays.suffix is None else self.k * self.decays.suffix

    def totals(self) -> Iterator[Tensor | None]:
        """What is left of a state after each chunk, (G, D or 1, 1)."""
        prefix = self.decays.prefix
        count = self.q.shape[1]
        if prefix is None:
            return iter([None] * count)
        last = prefix[:, :, -1].unsqueeze(-1)
        return iter(last.expand(-1, count, -1, -1).unbind(1))

    def forward(self, state: Tensor) -> Tensor:
        """The states at the starts of the chunks, kept, and that at the end."""
        added = self.keys.mT @ self.v
        self.starts = []
        for total, more in zip(self.totals(), added.unbind(1), strict=True):
            self.starts.append(state)
            state = state + more if total is None else torch.addcmul(more, total, state)
        return state

    def outputs(self) -> Tensor:
        scores = self.decays.scores(self.q, self.k)
        return scores @ self.v + self.queries @ torch.stack(self.starts, 1)

    def backward(
        self, do: Tensor, later: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor | None, Tensor]:
        """Gradients of q, k, v, the decays and the state at the start, from those of the outputs
        and of the state at the end."""
        added = (self.queries.mT @ do).unbind(1)
        ends = []
        for total, more in zip(reversed(list(self.totals())), reversed(added), strict=True):
            ends.append(later)
            later = later + more if total is None else torch.addcmul(more, total, later)
        R, S = torch.stack(ends[::-1], 1), torch.stack(self.starts, 1)
        decays = self.decays
        dv = decays.scores(self.q, self.k).mT @ do + self.keys @ R
        dscores = (do @ self.v.mT).tril_()
        dqueries, dkeys = do @ S.mT, self.v @ R.mT
        if decays.prefix is None or decays.suffix is None:
            dq, dk, da = decays.gradients(dscores, self.q, self.k, dqueries, dkeys)
            return dq + dqueries, dk + dkeys, dv, da, later
        dprefix, dsuffix = dqueries * self.q, dkeys * self.k
        dtotal = (R * S).sum(-1).unsqueeze(2)
        if decays.prefix.shape[-1] == 1:
            dprefix, dsuffix, dtotal = (
                each.sum(-1, keepdim=True) for each in (dprefix, dsuffix, dtotal)
            )
        dprefix[:, :, -1:] += dtotal
        dq, dk, da = decays.gradients(dscores, self.q, self.k, dprefix, dsuffix)
        dq = dq.addcmul_(dqueries, decays.prefix.expand_as(dqueries))
        dk = dk.addcmul_(dkeys, decays.suffix.expand_as(dkeys))
        return dq, dk, dv, da, later


def _pieces(q: Tensor, k: Tensor, v: Tensor, decay: Tensor | None) -> list[_Piece]:
    length = q.shape[1]
    # without a decay scores cost little beside states
    most = CHUNK if decay is None else balanced(k.shape[-1], v.shape[-1])
    chunk = chunk_length(decay, q.dtype, most)
    whole = length - length % chunk
    cuts = [(0, whole, chunk), (whole, length, length - whole)]
    return [
        _Piece(q, k, v, decay, slice(start, stop), size)
        for start, stop, size in cuts
        if start < stop
    ]


def forward_chunks(
    q: Tensor, k: Tensor, v: Tensor, decay: Tensor | None, state: Tensor
) -> tuple[Tensor, Tensor]:
    """The outputs (G, T, E) and the last state (G, D, E), from the first one."""
    outputs = []
    for piece in _pieces(q, k, v, decay):
        state = piece.forward(state)
        outputs.append(piece.rows(piece.outputs()))
    return torch.cat(outputs, 1), state


def backward_chunks(
    do: Tensor,
    later: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    decay: Tensor | None,
    state: Tensor,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None, Tensor]:
    """The gradients of q, k, v, the decay and the first state, from those of the outputs (G, T, E)
    and of the last state, `later` (G, D, E)."""
    pieces = _pieces(q, k, v, decay)
    for piece in pieces:
        state = piece.forward(state)
    rows: list[list[Tensor]] = []
    for piece in reversed(pieces):
        *found, da, later = piece.backward(piece.chunks(do), later)
        rows.append([piece.rows(each) for each in (*found, *(() if da is None else (da,)))])
    dq, dk, dv, *rest = (torch.cat(each[::-1], 1) for each in zip(*rows, strict=True))
    return dq, dk, dv, rest[0] if rest else None, later
