"""How large the axes of an attention are where nothing says so.

What is typical is what models have: thousands of tokens in a few sequences, and heads of 64
channels. The gain of what never writes the weights grows with the tokens alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from auditor.attention.reading import Attention
from auditor.notation import Apply, Const, Term

TOKENS, CHANNELS, OTHERS = 1024, 64, 8


def typical_sizes(found: Attention) -> Mapping[Term, int]:
    """The extents of an attention's axes with such sizes."""
    axes = [(axis, OTHERS) for axis in found.batch]
    axes += [(found.channel, CHANNELS), (found.score.inner, CHANNELS)]
    axes += [(found.columns, TOKENS), *([] if found.single else [(found.rows, TOKENS)])]
    return dict(one for axis, size in axes for one in _sizes(axis.extent, size))


def _sizes(extent: Term, size: int) -> Iterator[tuple[Term, int]]:
    """An extent; or, of channels split into heads, what is split and the heads."""
    if not isinstance(extent, Apply):
        yield extent, size
    elif extent.op == "floordiv":
        whole, heads = extent.args
        count = heads.value if isinstance(heads, Const) else OTHERS
        if isinstance(count, int):
            yield heads, count
            yield whole, size * count
