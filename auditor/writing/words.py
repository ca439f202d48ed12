"""What libraries of arrays call the operations that new code is written with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from auditor.writing.pieces import CannotRender

_SHARED = {
    "exp": "exp", "log": "log", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan",
    "tanh": "tanh", "sinh": "sinh", "cosh": "cosh", "abs": "abs", "floor": "floor",
    "ceil": "ceil", "sign": "sign", "log1p": "log1p", "expm1": "expm1", "exp2": "exp2",
    "log2": "log2", "log10": "log10", "reciprocal": "reciprocal", "square": "square",
    "not": "logical_not", "max": "maximum", "min": "minimum", "where": "where",
    "logaddexp": "logaddexp", "and": "logical_and", "or": "logical_or", "conj": "conj",
    "real": "real", "imag": "imag",
}  # fmt: skip
_TORCH = {
    "rsqrt": "rsqrt", "sigmoid": "sigmoid", "relu": "relu", "erf": "erf",
    "softplus": "nn.functional.softplus", "silu": "nn.functional.silu",
}  # fmt: skip


@dataclass(frozen=True)
class Torch:
    """Tensors. ``module`` is how the file spells torch; operands are bracketed as they need be."""

    module: str = "torch"
    library = "torch"
    of_numbers = False

    def function(self, op: str) -> str | None:
        """The function for an operation of the notation."""
        name = _SHARED.get(op) or _TORCH.get(op)
        return None if name is None else f"{self.module}.{name}"

    def flipped(self, text: str, axis: int) -> str:
        return f"{text}.flip({axis})"

    def moved(self, text: str, source: int, place: int) -> str:
        return f"{text}.movedim({source}, {place})"

    def exchanged(self, text: str, one: int, other: int) -> str:
        return f"{text}.transpose({one}, {other})"

    def permuted(self, text: str, order: Iterable[int]) -> str:
        return f"{text}.permute({', '.join(map(str, order))})"

    def cast(self, text: str, dtype: str) -> str:
        return f"{text}.to({dtype})"

    def detached(self, text: str) -> str:
        return f"{text}.detach()"

    def at_least(self, text: str, bound: str) -> str:
        return f"{text}.clamp(min={bound})"

    def at_most(self, text: str, bound: str) -> str:
        return f"{text}.clamp(max={bound})"

    def extreme(self, text: str, op: str) -> str:
        """The largest or the smallest along the last axis."""
        return f"{text}.a{op}(-1)"

    def cumulated(self, text: str, kind: str, axis: int) -> str:
        """The running sum, product or extremum along an axis."""
        return f"{text}.cum{kind}({axis}){'.values' if kind in ('max', 'min') else ''}"

    def joined(self, parts: Sequence[str], axis: int) -> str:
        where = f", dim={axis}" if axis else ""
        return f"{self.module}.cat(({', '.join(parts)}){where})"

    def stacked(self, parts: Sequence[str], axis: int) -> str:
        where = f", dim={axis}" if axis else ""
        return f"{self.module}.stack(({', '.join(parts)}){where})"

    def merged(self, text: str, place: int) -> str:
        """The axes at ``place`` and behind it as one."""
        return f"{text}.flatten({place}, {place + 1})"

    def parted(self, text: str, place: int, size: str) -> str:
        """The axis at ``place`` as two, the second one of a size."""
        return f"{text}.unflatten({place}, (-1, {size}))"

    def with_axis(self, text: str, axis: int) -> str:
        return f"{text}.unsqueeze({axis})"

    def spread_like(self, text: str, like: str) -> str:
        return f"{text}.expand_as({like})"

    def rolled(self, text: str, shift: int, axis: int) -> str:
        return f"{text}.roll({shift}, {axis})"

    def copied(self, text: str) -> str:
        return f"{text}.clone()"

    def contiguous(self, text: str) -> str:
        return f"{text}.contiguous()"

    def rows(self, text: str, axis: int) -> str:
        """An array as its parts along an axis."""
        return f"{text}.unbind({axis})" if axis else text


@dataclass(frozen=True)
class Numpy:
    """The same for arrays of NumPy. ``of_numbers``: functions of numbers are NumPy's too, as the
    file has no others."""

    module: str = "np"
    of_numbers: bool = False
    library = "numpy"

    def function(self, op: str) -> str | None:
        name = _SHARED.get(op)
        return None if name is None else f"{self.module}.{name}"

    def flipped(self, text: str, axis: int) -> str:
        return f"{text}[::-1]" if axis == 0 else f"{self.module}.flip({_bare(text)}, {axis})"

    def moved(self, text: str, source: int, place: int) -> str:
        return f"{self.module}.moveaxis({_bare(text)}, {source}, {place})"

    def exchanged(self, text: str, one: int, other: int) -> str:
        return f"{text}.swapaxes({one}, {other})"

    def permuted(self, text: str, order: Iterable[int]) -> str:
        return f"{text}.transpose({', '.join(map(str, order))})"

    def cast(self, text: str, dtype: str) -> str:
        return f"{text}.astype({dtype})"

    def detached(self, text: str) -> str:
        raise CannotRender("a number is taken out of an array")

    def at_least(self, text: str, bound: str) -> str:
        return f"{self.module}.maximum({_bare(text)}, {bound})"

    def at_most(self, text: str, bound: str) -> str:
        return f"{self.module}.minimum({_bare(text)}, {bound})"

    def extreme(self, text: str, op: str) -> str:
        return f"{text}.{op}(-1)"

    def cumulated(self, text: str, kind: str, axis: int) -> str:
        if kind in ("sum", "prod"):
            return f"{text}.cum{kind}({axis})"
        return f"{self.module}.{kind}imum.accumulate({_bare(text)}, {axis})"

    def joined(self, parts: Sequence[str], axis: int) -> str:
        where = f", axis={axis}" if axis else ""
        return f"{self.module}.concatenate(({', '.join(parts)}){where})"

    def stacked(self, parts: Sequence[str], axis: int) -> str:
        where = f", axis={axis}" if axis else ""
        return f"{self.module}.stack(({', '.join(parts)}){where})"

    def merged(self, text: str, place: int) -> str:
        raise CannotRender("axes are merged")

    def parted(self, text: str, place: int, size: str) -> str:
        raise CannotRender("an axis is taken apart")

    def with_axis(self, text: str, axis: int) -> str:
        return f"{self.module}.expand_dims({_bare(text)}, {axis})"

    def spread_like(self, text: str, like: str) -> str:
        return f"{self.module}.broadcast_to({_bare(text)}, {like}.shape)"

    def rolled(self, text: str, shift: int, axis: int) -> str:
        return f"{self.module}.roll({_bare(text)}, {shift}, {axis})"

    def copied(self, text: str) -> str:
        return f"{text}.copy()"

    def contiguous(self, text: str) -> str:
        return f"{self.module}.ascontiguousarray({_bare(text)})"

    def rows(self, text: str, axis: int) -> str:
        return f"{self.moved(text, axis, 0)}" if axis else text


Words = Torch | Numpy


def _bare(text: str) -> str:
    """An operand without the brackets that it needs where a method is called on it."""
    found = re.fullmatch(r"\(([^()]*)\)", text)
    return found[1] if found and "," not in found[1] else text
