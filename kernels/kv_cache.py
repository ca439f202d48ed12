"""Keys and values of a sequence that grows, in memory that is made before they come.

    append(k, v):   keys[length : length + t] = k,   values[...] = v,   length += t

Concatenating copies all of the prefix at each step: n steps move n^2 / 2 places. Here a step writes
its own places; where the capacity is not fixed it doubles when it is full, so that n steps copy at
most 2 n places more. What comes back are views. While there are few bytes, concatenating them takes
less time than the views do, and is what is done.

For inference: gradients do not flow through it, and what an earlier step was given as a view is
one of memory that later steps write behind, never into.

Source: Pope et al., "Efficiently Scaling Transformer Inference" (2022), section 2.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

FEW_BYTES = {"cpu": 1 << 15, "cuda": 1 << 20}
"""Up to so many bytes of keys, as of values, a step concatenates. On one core of a CPU (2026-11-27)
2^14 take 9 us a step against 16 in memory of their own, 2^17 17 against 15. On a GPU it is the
launches that count, as many in both ways."""


class KVCache:
    """Keys and values along one axis, behind each other.

    capacity: how many places there will be at most; None lets them grow by doubling. dim: the axis
    of places, -2 for (..., places, head dimension).
    """

    def __init__(self, capacity: int | None = None, *, dim: int = -2) -> None:
        if capacity is not None and capacity < 0:
            raise ValueError(f"a capacity of {capacity} places")
        self.capacity = capacity
        self.dim = dim
        self.length = 0
        self._memory: tuple[Tensor, Tensor] | None = None
        self._places = 0
        """How many the memory has."""
        self._few = 0
        """Up to how many places a step concatenates."""
        self._step: tuple[object, ...] | None = None

    def __len__(self) -> int:
        return self.length

    @property
    def keys(self) -> Tensor:
        """A view of the keys so far. Raises ValueError where there were none yet."""
        return self._views()[0]

    @property
    def values(self) -> Tensor:
        """A view of the values so far. Raises ValueError where there were none yet."""
        return self._views()[1]

    def append(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Put keys and values behind those so far, and return views of all of them.

        keys: (batch, heads, t, d) or any other shape with the places along `dim`; values: as many
        places, perhaps of another d. Batch, heads, d, dtype and device are those of the first call.

        Raises:
            ValueError: a gradient is wanted, the shape, dtype or device is another than before, or
            there are more places than the capacity.
        """
        if (keys.requires_grad or values.requires_grad) and torch.is_grad_enabled():
            raise ValueError("keys and values are kept for inference: no gradient flows through")
        step = (keys.shape, values.shape, keys.dtype, values.dtype, keys.device, values.device)
        if step != self._step:  # most steps are as the one before
            self._check(keys, values)
        memory, dim, before = self._memory, self.dim, self.length
        count = step[0][dim]
        wanted = before + count
        if memory is None and self.capacity is None:
            self._few = min(self._concatenated(keys), self._concatenated(values))
        if wanted <= self._few and before == self._places:
            if memory is None:
                memory = (keys.clone(), values.clone())
            else:
                memory = (torch.cat((memory[0], keys), dim), torch.cat((memory[1], values), dim))
            self._memory, self._step = memory, step
            self.length = self._places = wanted
            return memory
        if self.capacity is not None and wanted > self.capacity:
            raise ValueError(f"{wanted} places in a cache of {self.capacity}")
        if memory is None or self._places < wanted:
            with torch.inference_mode(False), torch.no_grad():  # calls in any mode may write to it
                memory = self._memory = self._grown((keys, values), wanted)
        memory[0].narrow(dim, before, count).copy_(keys)
        memory[1].narrow(dim, before, count).copy_(values)
        self.length, self._step = wanted, step
        return memory[0].narrow(dim, 0, wanted), memory[1].narrow(dim, 0, wanted)

    def _check(self, keys: Tensor, values: Tensor) -> None:
        """Raises ValueError where they do not fit each other, or what there is."""
        given = (keys, values)
        if any(not -each.ndim <= self.dim < each.ndim for each in given):
            raise ValueError(f"keys and values have no axis {self.dim}")
        count = keys.shape[self.dim]
        if values.shape[self.dim] != count:
            raise ValueError(f"{count} places of keys and {values.shape[self.dim]} of values")
        for name, each, held in zip(("keys", "values"), given, self._memory or given, strict=True):
            if self._kind(each) != self._kind(held):
                raise ValueError(f"{name} of {self._shown(each)} behind {self._shown(held)}")

    def truncate(self, length: int) -> None:
        """Forget the places from `length` on. Raises ValueError where there are not as many."""
        if not 0 <= length <= self.length:
            raise ValueError(f"{length} of {self.length} places")
        self.length = length
        if self._memory is not None and self._memory[0].is_inference():
            with torch.inference_mode(False):  # the next step writes to it, in any mode
                self._memory = self._memory[0].clone(), self._memory[1].clone()

    def _views(self) -> tuple[Tensor, Tensor]:
        if self._memory is None:
            raise ValueError("nothing was appended yet")
        keys, values = self._memory
        return keys.narrow(self.dim, 0, self.length), values.narrow(self.dim, 0, self.length)

    def _grown(self, given: tuple[Tensor, Tensor], wanted: int) -> tuple[Tensor, Tensor]:
        """More memory, with what there was in it."""
        self._places = 2 * wanted if self.capacity is None else self.capacity
        grown = []
        for number, each in enumerate(given):
            shape = list(each.shape)
            shape[self.dim] = self._places
            memory = each.new_empty(shape)
            if self._memory is not None:
                held = self._memory[number].narrow(self.dim, 0, self.length)
                memory.narrow(self.dim, 0, self.length).copy_(held)
            grown.append(memory)
        return grown[0], grown[1]

    def _concatenated(self, tensor: Tensor) -> int:
        """Up to how many places of such a tensor are few."""
        shape = list(tensor.shape)
        shape[self.dim] = 1
        place = math.prod(shape) * tensor.element_size()
        return FEW_BYTES.get(tensor.device.type, 0) // max(1, place)

    def _kind(self, tensor: Tensor) -> tuple[object, ...]:
        shape = list(tensor.shape)
        shape[self.dim] = 0
        return (tuple(shape), tensor.dtype, tensor.device)

    def _shown(self, tensor: Tensor) -> str:
        return f"{tuple(tensor.shape)} {tensor.dtype} on {tensor.device}"
