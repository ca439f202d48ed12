"""Sums over lags and products with Toeplitz matrices, as convolutions.

Finds loops that add up ``h[k] * x[t - k]`` over all k for which both exist: causal and full
convolutions, correlations and autocorrelations, with the bound in the range, in a condition or as
a cell ``y[i + j]``, as slices (``y[k:] += h[k] * x[: n - k]``), also as sums in a list;
``np.convolve`` and ``np.correlate`` of long stated sizes; and products with a matrix whose entries
depend on the distance of row and column (``h[(i[:, None] - i).clamp(min=0)]`` under a triangular
mask, places of ``np.indices`` or ``mgrid``, tiled and reshaped rows, loops that fill it),
transposed or not, through names, ``matmul`` and ``einsum``. Entries on both sides of the diagonal
count alike: ``t[abs(i - j)]``, one vector below and another above, ``scipy.linalg.toeplitz(c, r)``.
Convolutions and correlations of lists of numbers are told.

Legal because such a sum is all of a convolution at its place: the inequalities that say which
pairs take part are exactly those at which both arrays have elements. A mask that cuts beside the
diagonal, or a place that would wrap round to the end, is none. A matrix with both sides has the
entries of one longer vector, the row turned round with the column behind it.

Pays because loops make an interpreted step a pair, and a matrix of n^2 entries is built and read
for the 2 n - 1 numbers in it. Transforms take n log n operations where the sum takes n^2: in NumPy
they are faster from about 512 elements of both operands on, in torch from about 64
(``benchmarks/fft_crossover.py``). They are written where the code states such sizes, or where
torch's own convolution takes the rows badly; elsewhere the finding says from where on they pay.

Safe means: the same sums in another order (``np.convolve``, ``torch.conv1d``). What takes
transforms is unsafe: their errors are relative to the norms of both operands, so that an output
that is small beside the others keeps fewer digits than its own sum would give it, and one infinite
element spoils the row. Integers are refused, since they are summed exactly.

Sources: Golub and Van Loan, "Matrix Computations" (4th ed. 2013), section 4.7; Cooley and Tukey,
"An Algorithm for the Machine Calculation of Complex Fourier Series" (1965).
"""

from __future__ import annotations

from auditor.lagged.region import lag_match
from auditor.nests.lag_plan import lag_plan
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.sums.lists import lags


def find(site: Site) -> Match | None:
    """The match of a nest or of an expression, or None. Raises ``Refused``."""
    if site.inside:
        return lags(site)
    if site.loop is None:
        return lag_match(
            site,
            circular=False,
            message="a matrix is built whose entries depend on the distance of row and column",
        )
    plan = lag_plan(site, circular=False)
    if plan is None:
        return lags(site)
    return plan.replacement(
        f"`{plan.filled[0].name}`: the loops add up a convolution, one element at a time"
    )


_CAUSAL = """\
import numpy as np


def causal(x: np.ndarray, h: np.ndarray):
    n, m = x.shape[0], h.shape[0]
    y = np.zeros(n)
    for t in range(n):
        for k in range(m):
            if t - k >= 0:
                y[t] += h[k] * x[t - k]
    return y
"""

_CAUSAL_AFTER = """\
import numpy as np


def causal(x: np.ndarray, h: np.ndarray):
    n, m = x.shape[0], h.shape[0]
    y = np.zeros(n)
    if n > 0 and m > 0:
        y += np.convolve(x, h)[:n]
    return y
"""

_MATRIX = """\
import torch


def shaped(x: torch.Tensor, h: torch.Tensor):
    (n,), (n,) = x.shape, h.shape
    i = torch.arange(n)
    matrix = torch.tril(h[(i[:, None] - i).clamp(min=0)])
    out = matrix @ x
    return out
"""

_MATRIX_AFTER = """\
import torch


def shaped(x: torch.Tensor, h: torch.Tensor):
    (n,), (n,) = x.shape, h.shape
    out = torch.conv1d(h[None], x.flip(-1)[None, None], padding=n - 1)[0, :n]
    return out
"""

_SIDES = """\
import numpy as np
from scipy.linalg import toeplitz


def smoothed(x: np.ndarray, c: np.ndarray, r: np.ndarray):
    assert x.ndim == 1
    out = toeplitz(c, r) @ x
    return out
"""

_SIDES_AFTER = """\
import numpy as np
from scipy.linalg import toeplitz


def smoothed(x: np.ndarray, c: np.ndarray, r: np.ndarray):
    assert x.ndim == 1
    out = np.convolve(np.concatenate((r[:0:-1], c)), x, "valid")
    return out
"""

_LONG = """\
import torch


def filtered(signal: torch.Tensor, taps: torch.Tensor):
    rows, n = signal.shape
    (n,) = taps.shape
    t = torch.arange(n)
    matrix = torch.where(t[:, None] >= t, taps[(t[:, None] - t).abs()], 0)
    return torch.einsum("ts,bs->bt", matrix, signal)
"""

_LONG_AFTER = """\
import torch
from auditor.kernels import fft_conv


def filtered(signal: torch.Tensor, taps: torch.Tensor):
    rows, n = signal.shape
    return fft_conv(taps, signal)
"""

REWRITE = Rewrite(
    code="SYM604",
    name="toeplitz",
    summary="a product with a Toeplitz matrix is a convolution",
    doc=__doc__,
    properties=("symmetry",),
    find=find,
    kernel="auditor.kernels.fft_conv",
    seeks=("loop", ("distances", "product"), ("distances", "summed")),
    inside=True,
    becomes="np.convolve(x, h)[:n], torch.conv1d(...), fft_conv(x, h)",
    examples=(
        Example("a causal filter", _CAUSAL, _CAUSAL_AFTER,
                "((np.arange(9.0), np.ones(3)), (np.ones(2), np.arange(5.0)), (np.ones(1),) * 2)"),
        Example("a matrix of lags", _MATRIX, _MATRIX_AFTER,
                "((torch.randn(7), torch.randn(7)), (torch.randn(1), torch.randn(1)))"),
        Example("both sides of the diagonal", _SIDES, _SIDES_AFTER,
                "((np.arange(4.0), np.arange(3.0), np.arange(5.0, 9.0)), (np.ones(1),) * 3)"),
        Example("a long filter of many rows", _LONG, _LONG_AFTER,
                "((torch.randn(2, 7), torch.randn(7)), (torch.randn(1, 1), torch.randn(1)))"),
    ),
    refused=(
        RefusedExample("names", _CAUSAL.replace("return y", "return y, k")),
        RefusedExample("aliasing", _CAUSAL.replace("np.zeros(n)", "x[:]").replace(
            "n, m = x.shape[0], h.shape[0]", "(n,), (m,) = x.shape, h.shape")),
        RefusedExample("integers", _CAUSAL.replace(
            "    n, m", "    x = x.astype(np.int64)\n    n, m").replace(
            "np.zeros(n)", "np.zeros(n, dtype=np.int64)")),
        RefusedExample("dtypes", _CAUSAL.replace(
            "    n, m", "    x = x.astype(np.float32)\n    n, m")),
        RefusedExample("matrix-used", _MATRIX.replace("return out", "return out, matrix.sum()")),
        RefusedExample("effects", _MATRIX.replace("    out =", "    refresh(h)\n    out =")),
        RefusedExample("written", _MATRIX.replace("return out", "h.mul_(0.5)\n    return out")),
        RefusedExample("autocast", _MATRIX.replace(
            "def shaped", "@torch.autocast('cpu')\ndef shaped")),
        RefusedExample("gradients", _MATRIX.replace(
            "    matrix =", "    with torch.autocast('cpu'):\n        matrix =")),
    ),
    unmatched=(
        _CAUSAL.replace("t - k >= 0", "t - k > 0"),
        _CAUSAL.replace("            if t - k >= 0:\n    ", ""),
        _CAUSAL.replace("x[t - k]", "y[t - k]"),
        _CAUSAL.replace("t - k >= 0", "k - t >= 0"),
        _MATRIX.replace("tril(", "triu("),
        _MATRIX.replace("clamp(min=0)])", "clamp(min=0)], -1)"),
        _MATRIX.replace("min=0", "min=1"),
        _MATRIX_AFTER,
    ),
)  # fmt: skip
