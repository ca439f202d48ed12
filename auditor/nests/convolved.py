"""Sums over windows and channels, said as torch's own convolution.

``sum_cij x[b, c, h + i, w + j] * k[o, c, i, j]`` is ``F.conv2d(x, k)``; where each channel is
filtered for itself, ``F.conv2d(x, k[:, None], groups=C)``. It lays out no windows. torch convolves
numbers of one floating-point type alone: one of the two has to be a parameter, which holds such
numbers, and the kernel must not be empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.lift.tables.modules import PARAMETER
from auditor.nests.said import Said
from auditor.nests.sliding import Window, windows
from auditor.notation import ONE, Const, Index, Read, Term, Value

if TYPE_CHECKING:
    from auditor.nests.code import Code

_MOST = 3


def say(code: Code, factors: Sequence[Term], gone: Sequence[Index]) -> Said | None:
    """The sum over ``gone`` of a product, None where it is no convolution."""
    if code.library is None or code.torch is not True or len(factors) != 2:
        return None
    for image, kernel in (factors, factors[::-1]):
        if not isinstance(image, Read) or not isinstance(kernel, Read):
            return None
        slid = windows(code.nest, image, code.order)
        if slid is None or windows(code.nest, kernel, code.order) is not None:
            continue
        if not (_parameter(code, image.value) or _parameter(code, kernel.value)):
            return None
        return _convolved(code, image, slid, kernel, gone)
    return None


def _parameter(code: Code, value: Value) -> bool:
    """Whether an array is a parameter of the module."""
    attributes = code.nest.expressions.region.lifted.lifter.attributes
    held = attributes.get(value.name.removeprefix("self."))
    named = value.name.startswith("self.")
    return named and isinstance(held, Value) and held.name == PARAMETER


def _convolved(
    code: Code, image: Read, at: dict[int, Window], kernel: Read, gone: Sequence[Index]
) -> Said | None:
    x, k, slid = code.slices(image, at), code.read(kernel), [at[place] for place in sorted(at)]
    places, within = [one.index for one in slid], [one.within for one in slid]
    shared = [axis for axis in x.axes if axis in k.axes]
    batch = [axis for axis in x.axes if axis not in (*places, *shared)]
    filters = [axis for axis in k.axes if axis not in (*within, *shared)]
    if len(slid) > _MOST or any(one.backwards for one in slid):
        return None
    if len(shared) != 1 or len(batch) > 1 or set(places) & set(shared):
        return None
    (channel,) = shared
    apart = channel not in gone
    if len(filters) != (0 if apart else 1) or {*gone} != {*within, *([] if apart else shared)}:
        return None
    kept = (*batch, channel if apart else filters[0], *places)
    if code.ordered(set(kept)) != kept:
        return None
    for one in slid:
        code.nest.expressions.integers.length(extents.sub(one.size, ONE))
    given = [code.turned(x, (*batch, channel, *places)).whole]
    held = code.turned(k, (*(() if apart else filters), channel, *within))
    given.append(f"{held.inside(6)}[:, None]" if apart else held.whole)
    given += _options(code, slid, channel if apart else None)
    return Said(f"{_functional(code)}.conv{len(slid)}d({', '.join(given)})", kept)


def _options(code: Code, slid: list[Window], channel: Index | None) -> list[str]:
    integers = code.nest.expressions.integers
    strides = [integers.text(one.stride) for one in slid]
    found = []
    if any(one.stride is not ONE for one in slid):
        alike = len(set(strides)) == 1
        found.append(f"stride={strides[0] if alike else '(' + ', '.join(strides) + ')'}")
    if channel is not None:
        count = code.steps(channel)
        if not isinstance(count, Const):
            integers.length(extents.sub(count, ONE))
        found.append(f"groups={integers.text(count)}")
    return found


def _functional(code: Code) -> str:
    names = code.nest.expressions.region.module.names
    spelt = (name for name, path in names.items() if path == "torch.nn.functional")
    return next(spelt, f"{code.library}.nn.functional")
