"""Loops over windows, as one product with a view of all windows.

Finds nests of loops that fill an array with sums over windows that slide along another:
convolutions and correlations in one or more dimensions, with strides, channels and kernels that
are turned round, moving sums and averages of any width, the largest, the median, the spread of each
window. Windows of NumPy's arrays that are cut at the ends (``x[max(0, i - w) : i + w + 1]``) are
whole ones of the array with zeros around it, or for extrema with its outermost elements. Windows of
lists of numbers are told.

Legal because a sum may be taken in any order, and every cell is written at its own place and only
added to, from arrays that the loops do not write; ``x[i + r]`` is element r of the window at i.

Pays because the loops make an interpreted step for each element of each window; the view costs
nothing, and the product runs at the speed of the library.

Safe means: equal up to the order of roundings. Where no window fits, nothing is done, as in the
loops. torch's own convolution takes neither integers nor operands of other shapes than its own:
where weights of its shape are a parameter, which holds no integers, it is called; elsewhere the
product is written with ``unfold``, which takes all that the loops take. Where nothing says that the
last window fits, the fix is not safe.

Sources: the documentation of ``numpy.lib.stride_tricks.sliding_window_view`` and
``torch.Tensor.unfold``; Chellapilla et al., "High Performance Convolutional Neural Networks for
Document Processing" (2006), where convolutions are products of unfolded windows.
"""

from __future__ import annotations

from auditor.assumed import listed
from auditor.nests.kinds import convolves, of_windows, pools
from auditor.nests.listed import filling, plan
from auditor.nests.tap_by_tap import tapped
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.sums.lists import windows

_BOUNDED = "the loops add up what of each window lies within the array, one element at a time"


def find(site: Site) -> Match | None:
    """The match of a nest, or None. Raises ``Refused``."""
    nest = None if site.inside else filling(site)
    if nest is None:
        bounded = None if site.inside else tapped(site)
        if bounded is not None:
            return bounded.match(f"`{bounded.filled[0].name}`: {_BOUNDED}")
        return windows(site)
    if not any(convolves(one) or pools(one) or of_windows(one) for one in nest.filled):
        return None
    names = listed(f"`{filled.name}`" for filled in nest.filled)
    return plan(site, nest, nest.filled).match(
        f"{names}: the loops go through windows, one element at a time"
    )


_VALID = """\
import numpy as np


def correlate(x: np.ndarray, w: np.ndarray):
    n, k = x.shape[0], w.shape[0]
    out = np.zeros(max(n - k + 1, 0))
    for i in range(n - k + 1):
        for j in range(k):
            out[i] += x[i + j] * w[j]
    return out
"""

_VALID_AFTER = """\
import numpy as np


def correlate(x: np.ndarray, w: np.ndarray):
    n, k = x.shape[0], w.shape[0]
    out = np.zeros(max(n - k + 1, 0))
    if n - k + 1 > 0:
        out[: max(n - k + 1, 0)] += np.matmul(
            np.lib.stride_tricks.sliding_window_view(x, k), w, dtype=out.dtype
        )
    return out
"""

_IMAGE = """\
import torch


def convolve(x: torch.Tensor, w: torch.Tensor):
    c, h, v = x.shape
    o, _, p, q = w.shape
    y = torch.zeros(o, h - p + 1, v - q + 1)
    for m in range(o):
        for i in range(h - p + 1):
            for j in range(v - q + 1):
                y[m, i, j] = (x[:, i : i + p, j : j + q] * w[m]).sum()
    return y
"""

_IMAGE_AFTER = """\
import torch


def convolve(x: torch.Tensor, w: torch.Tensor):
    c, h, v = x.shape
    o, _, p, q = w.shape
    y = torch.zeros(o, h - p + 1, v - q + 1)
    if y.shape[1] > 0 and y.shape[2] > 0:
        y[:] = torch.einsum("abcde,fade->fbc", x.unfold(1, p, 1).unfold(2, q, 1), w)
    return y
"""

_MOVING = """\
import numpy as np


def moving_average(x: np.ndarray, k: int):
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(n - k + 1):
        out[i] = x[i : i + k].mean()
    return out
"""

_MOVING_AFTER = """\
import numpy as np


def moving_average(x: np.ndarray, k: int):
    n = x.shape[0]
    out = np.zeros(n)
    if n - k + 1 > 0:
        out[: max(n - k + 1, 0)] = (
            np.lib.stride_tricks.sliding_window_view(x, k).sum(1) / k
        )
    return out
"""

REWRITE = Rewrite(
    code="LOC303",
    name="convolution-loops",
    summary="loops over sliding windows are one product",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop", "listed", "slid"),
    inside=True,
    becomes="sliding_window_view(x, k) @ w, x.unfold(0, k, 1) @ w",
    examples=(
        Example("a correlation", _VALID, _VALID_AFTER,
                "((np.arange(9.0), np.ones(3)), (np.ones(2), np.ones(3)))"),
        Example(
            "a convolution of images", _IMAGE, _IMAGE_AFTER,
            "((torch.randn(2, 5, 6, requires_grad=True),"
            " torch.randn(3, 2, 2, 3, requires_grad=True)),)",
        ),
        Example("a moving average", _MOVING, _MOVING_AFTER,
                "((np.arange(9.0), 4), (np.ones(2), 3))"),
    ),
    refused=(
        RefusedExample("names", _VALID.replace("return out", "return out, i")),
        RefusedExample("aliasing", _VALID.replace("np.zeros(max(n - k + 1, 0))", "x[:]").replace(
            "n, k = x.shape[0], w.shape[0]", "(n,), (k,) = x.shape, w.shape")),
        RefusedExample("integers", _VALID.replace("+ 1, 0))", "+ 1, 0), dtype=int)")),
    ),
    unmatched=(
        _VALID.replace("x[i + j] * w[j]", "out[i - j] * w[j]"),
        _VALID.replace("+= x[i + j]", "= x[i + j]"),
        _MOVING.replace("range(n - k + 1)", "range(n)"),
    ),
)  # fmt: skip
