"""Circular sums and products with circulant matrices, as circular convolutions.

Finds loops that add up ``c[(i - j) % n] * x[j]`` over a whole period, or into ``y[(i + j) % n]``,
in either direction of the lag; and products with a matrix whose columns or rows are one vector
rolled on (``stack([c.roll(k) ...])``, ``c[(i[:, None] - j) % n]``, loops and lists of lists that
fill it, ``scipy.linalg.circulant``), through names, ``matmul`` and ``einsum``. Sums that are a
discrete Fourier transform, as loops or as a product with the matrix of waves, are told.

Legal because every place of the period takes part once: the modulus is the number of places of the
result, of the sum and of both vectors. With another modulus it is no circular convolution.

Pays because loops make an interpreted step a pair, and a matrix of n^2 entries is built for the n
numbers in it. In the Fourier basis the matrix is diagonal, which takes n log n operations where the
sum takes n^2: faster from about 512 elements on in NumPy, from about 64 in torch
(``benchmarks/fft_crossover.py``). Transforms are written where the code states such sizes, or where
torch's own convolution takes the rows badly; elsewhere the finding says from where on they pay.

Safe means: the same sums in another order (``np.convolve`` or ``torch.conv1d`` of the vector and
its repetition). What takes transforms is unsafe: their errors are relative to the norms of both
operands, and one infinite element spoils the row. Integers are refused, since they are summed
exactly.

Sources: Golub and Van Loan, "Matrix Computations" (4th ed. 2013), section 4.8; Davis, "Circulant
Matrices" (1979).
"""

from __future__ import annotations

from auditor.lagged.region import lag_match
from auditor.nests.lag_plan import lag_plan
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.sums.fourier import transformed


def find(site: Site) -> Match | None:
    """The match of a nest or of an expression, or None. Raises ``Refused``."""
    if site.inside:
        return transformed(site)
    if site.loop is None:
        return transformed(site) or lag_match(
            site, circular=True, message="a matrix is built of one vector that is rolled on"
        )
    plan = lag_plan(site, circular=True)
    if plan is None:
        return transformed(site)
    return plan.replacement(
        f"`{plan.filled[0].name}`: the loops add up a circular convolution, one element at a time"
    )


_LOOPS = """\
import numpy as np


def circular(x: np.ndarray, c: np.ndarray):
    (n,), (n,) = x.shape, c.shape
    y = np.zeros(n)
    for i in range(n):
        for j in range(n):
            y[i] += c[(i - j) % n] * x[j]
    return y
"""

_LOOPS_AFTER = """\
import numpy as np


def circular(x: np.ndarray, c: np.ndarray):
    (n,), (n,) = x.shape, c.shape
    y = np.zeros(n)
    if n > 0:
        y += np.convolve(np.concatenate((c[1:], c)), x[:n], "valid")
    return y
"""

_STATED = """\
import numpy as np


def smeared(image: np.ndarray, width: float):
    x = np.zeros(1024)
    x[:] = image
    c = np.exp(-np.linspace(-1.0, 1.0, 1024) ** 2 / width)
    y = np.zeros(1024)
    for i in range(1024):
        for j in range(1024):
            y[(i + j) % 1024] += c[i] * x[j]
    return y
"""

_STATED_AFTER = """\
import numpy as np


def smeared(image: np.ndarray, width: float):
    x = np.zeros(1024)
    x[:] = image
    c = np.exp(-np.linspace(-1.0, 1.0, 1024) ** 2 / width)
    y = np.zeros(1024)
    y += np.fft.irfft(np.fft.rfft(c) * np.fft.rfft(x), 1024)
    return y
"""

_ROLLED = """\
import torch


def rolled(x: torch.Tensor, c: torch.Tensor):
    (n,), (n,) = x.shape, c.shape
    matrix = torch.stack([c.roll(k) for k in range(n)], dim=1)
    out = matrix @ x
    return out
"""

_ROLLED_AFTER = """\
import torch


def rolled(x: torch.Tensor, c: torch.Tensor):
    out = torch.conv1d(torch.cat((c[1:], c), -1)[None], x.flip(-1)[None, None])[0]
    return out
"""

REWRITE = Rewrite(
    code="SYM603",
    name="circulant",
    summary="a product with a circulant matrix is a circular convolution",
    doc=__doc__,
    properties=("symmetry",),
    find=find,
    kernel="auditor.kernels.fft_conv",
    seeks=("loop", ("distances", "product"), ("wave", "sums")),
    inside=True,
    becomes="np.convolve(..., c, 'valid'), np.fft.irfft(rfft(c) * rfft(x), n), fft_conv(...)",
    examples=(
        Example("a circular sum", _LOOPS, _LOOPS_AFTER,
                "((np.arange(9.0), np.arange(9.0)), (np.ones(1), np.ones(1)))"),
        Example("a long one", _STATED, _STATED_AFTER, "((np.arange(1024.0) % 7, 0.1),)"),
        Example("a matrix of rolled columns", _ROLLED, _ROLLED_AFTER,
                "((torch.randn(7), torch.randn(7)), (torch.randn(1), torch.randn(1)))"),
    ),
    refused=(
        RefusedExample("names", _LOOPS.replace("return y", "return y, j")),
        RefusedExample("aliasing", _LOOPS.replace("np.zeros(n)", "c[:]")),
        RefusedExample("dtypes", _LOOPS.replace(
            "np.zeros(n)", "np.zeros(n)\n    x = x.astype(np.float32)")),
        RefusedExample("matrix-used", _ROLLED.replace("return out", "return out, matrix.sum()")),
        RefusedExample("effects", _ROLLED.replace("    out =", "    refresh(c)\n    out =")),
        RefusedExample("cast", _ROLLED.replace("matrix @ x", "matrix.double() @ x.double()")),
        RefusedExample("written", _ROLLED.replace("return out", "c.mul_(0.5)\n    return out")),
    ),
    unmatched=(
        _LOOPS.replace("% n]", "% (n + 1)]"),
        _LOOPS.replace("(i - j) % n", "(i * j) % n"),
        _LOOPS.replace("(i - j) % n", "(i - 2 * j) % n"),
        _LOOPS.replace("* x[j]", "* y[j]"),
        _LOOPS.replace("for j in range(n)", "for j in range(n - 1)"),
        _ROLLED.replace("c.roll(k) for", "c.roll(2 * k) for"),
        _ROLLED.replace("range(n)]", "range(n - 1)]"),
        _ROLLED_AFTER,
    ),
)  # fmt: skip
