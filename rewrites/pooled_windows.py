"""Extrema and means of windows that were laid out, as pooling or one axis after the other.

Finds the largest or smallest element of each window of an array (``x.unfold(-1, k, s).amax(-1)``,
``sliding_window_view(x, (k, k)).max(axis=(-2, -1))``), and the means of windows in two dimensions
or more of tensors.

Finds as well sums and means of the windows of a vector of NumPy, as a convolution with ones.

Legal because the largest of a rectangle is the largest of what its rows have largest, and because
pooling is defined as just that.

Pays because views of windows are slow to walk: pooling takes each window where it stands, and in
NumPy rows first and columns then compares k + k elements instead of k times k.

Safe means: the same elements, and for means equal up to the order of roundings; gradients
included, up to how equal values share them. Pooling knows no truth values and, in one dimension, no
integers, which is said where nothing says what the array holds.

Sources: van Herk, "A fast algorithm for local minimum and maximum filters on rectangular and
octagonal kernels" (1992); the documentation of ``torch.nn.functional.max_pool2d``.
"""

from __future__ import annotations

import ast

from auditor.arrays.strides import as_stacked
from auditor.assumed import assuming, reason_of
from auditor.expressions.region import Text, text_of
from auditor.lift import extents
from auditor.lift.dtypes import WHOLE
from auditor.notation import ONE, ZERO, Apply, Term, Value
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.windows.reading import Slid, computed, folded, opened, slid
from auditor.windows.region import LOCAL, Laid, WindowRegion, once

_POOLS = ("float", "bfloat")
_FOLDS = ("max", "min", "any", "all", "mean", "sum")
_SUMS = ("mean", "sum")
_SHARED = "among equal values the gradient may be shared differently"
_MESSAGE = "each window that is laid out is walked by itself"
_POOLED = "pooling takes the windows where they stand"
_SLIDES = "a convolution with ones adds them up"
_PASSES = "what the rows have largest can be shared by all windows above each other"


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    value = computed(site)
    if value is None or value.body is None:
        return None
    for op in _FOLDS:
        whole = _summed(value) if op == "mean" else value.body
        if whole is None:
            continue
        body, indices = folded(whole, "sum" if op == "mean" else op)
        body = _tested(body) if op in ("any", "all") else body
        windows = slid(body, frozenset(indices)) if indices else None
        if windows is not None and windows.within == {*indices}:
            if windows.across or value.axes != windows.axes:
                return None
            return _Region(site).match(op, windows)
    return None


def _tested(term: Term) -> Term:
    """What is asked for being true."""
    term = opened(term)
    tests = isinstance(term, Apply) and term.op == "ne" and term.args[1] is ZERO
    return term.args[0] if tests and isinstance(term, Apply) else term


def _summed(value: Value) -> Term | None:
    """The sum that a mean is made of, None for what is no mean."""
    body = opened(value.body) if value.body is not None else None
    if not isinstance(body, Apply) or body.op != "div":
        return None
    total = opened(body.args[0])
    length = extents.mul(ONE, *(index.extent for index in folded(total, "sum")[1]))
    return total if extents.canonical(length) is extents.canonical(body.args[1]) else None


class _Region(WindowRegion):
    """The expression that folds windows."""

    def match(self, op: str, windows: Slid) -> Match | None:
        site, x = self.site, self.say(windows.array)
        laid = self.laid(windows)
        if x is None or laid is None or len(laid) != len(windows.windows):
            return None
        torch = self.tensors(windows.views)
        if torch:
            text = self._pooled(op, windows, laid, x)
        else:
            text = self._passes(op, laid, windows, x) or self._added(op, laid, windows, x)
        if text is None:
            return None
        site.require(
            self.same_gradients(windows.views),
            "gradients",
            "the windows are laid out under another `with` block",
        )
        site.require(
            self.steady(windows.views, [x]), "effects", "something in between may change the array"
        )
        if torch:
            text = as_stacked(self.lifted, self.node, text)
        said = [x, *(part for one in laid for part in (one.size, one.step))]
        removal = self.removal({self.node: text_of(text, *said)})
        return Match(
            span=site.computation.span,
            message=f"{_MESSAGE}: {_POOLED if torch else _SLIDES if op in _SUMS else _PASSES}",
            computation=site.computation,
            edits=tuple(
                sorted((self.replace(self.node, text), *removal.edits), key=lambda e: e.span)
            ),
            numerics="reassociated" if op in _SUMS else "exact",
            reason=self._reason(op, windows, x, torch),
            imports=self.lacking if op in _SUMS and not torch else (),
            verdicts={"locality": LOCAL},
        )

    def _pooled(self, op: str, windows: Slid, laid: tuple[Laid, ...], x: Text) -> str | None:
        """Pooling, of an array with channels and maybe a batch of them."""
        count = len(laid)
        if windows.axes != (*windows.kept, *windows.counts):
            return None
        if op not in ("max", "mean") or count > 3 or not 1 <= len(windows.kept) <= 2:
            return None
        if op == "mean" and count == 1:
            return None  # the mean of short rows is no slower
        dtype = windows.array.dtype
        self.site.require(
            op == "mean" or dtype is None or dtype.startswith(_POOLS),
            "dtype",
            "pooling takes floating-point numbers",
        )
        sizes, steps = [one.size.text for one in laid], [one.step.text for one in laid]
        given = once(sizes) if sizes == steps else f"{once(sizes)}, {once(steps)}"
        kind = "max" if op == "max" else "avg"
        return f"{self.functional()}.{kind}_pool{count}d({x.text}, {given})"

    def _passes(self, op: str, laid: tuple[Laid, ...], windows: Slid, x: Text) -> str | None:
        """One axis after the other."""
        call = self.origin(windows.views[0])
        if len(laid) < 2 or op in _SUMS or len(windows.views) > 1 or not isinstance(call, ast.Call):
            return None
        text, slide = x.text, self.one_line(call.func)
        for one in laid:
            text = f"{slide}({text}, {one.size.text}, axis={one.axis}).{op}(-1)"
        return text

    def _added(self, op: str, laid: tuple[Laid, ...], windows: Slid, x: Text) -> str | None:
        """Sums of the windows of a vector."""
        if op not in _SUMS or len(windows.subs) != 1:
            return None
        numpy, size = self.numpy, laid[0].size
        held = f"{x.dotted()}.dtype"
        if windows.array.dtype is None or windows.array.dtype in WHOLE:  # which a sum widens
            held = f"{x.dotted()}[:0].sum().dtype" if op == "sum" else (
                f"{numpy}.result_type({x.text}, 1.0)")  # fmt: skip
        total = f"{numpy}.convolve({x.text}, {numpy}.ones({size.text}, {held}), 'valid')"
        return total if op == "sum" else f"{total} / {size.multiplied()}"

    def _reason(self, op: str, windows: Slid, x: Text, torch: bool) -> str | None:
        assumed = self.assumed(windows.array)
        if torch and op == "max" and windows.array.dtype is None:
            assumed.append(f"`{x.text}` holds floating-point numbers")
        if op in _SUMS and not torch and windows.array.dtype is None:
            assumed.append(f"`{x.text}` holds no numbers of half precision")
        shared = torch and op == "max" and "amax" in self.one_line(self.node)
        return reason_of(assuming(assumed), _SHARED if shared else None)


_PEAKS = """\
import torch


def peaks(x: torch.Tensor, size: int):
    channels, length = x.shape
    return x.unfold(-1, size, 2).max(dim=-1).values
"""

_PEAKS_AFTER = """\
import torch


def peaks(x: torch.Tensor, size: int):
    channels, length = x.shape
    return torch.nn.functional.max_pool1d(x, size, 2)
"""

_DILATED = """\
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def dilated(x: np.ndarray, k: int):
    return sliding_window_view(x, (k, k)).max(axis=(-2, -1))
"""

_DILATED_AFTER = """\
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def dilated(x: np.ndarray, k: int):
    return sliding_window_view(
        sliding_window_view(x, k, axis=0).max(-1), k, axis=1
    ).max(-1)
"""

REWRITE = Rewrite(
    code="LOC308",
    name="pooled-windows",
    summary="the extrema of windows that are laid out, by pooling or axis by axis",
    doc=__doc__,
    properties=("locality",),
    find=find,
    seeks=("windows",),
    becomes="F.max_pool1d(x, k, s), windows along one axis at a time",
    examples=(
        Example("peaks", _PEAKS, _PEAKS_AFTER,
                "((torch.randn(3, 9), 4), (torch.randn(1, 2), 2))"),
        Example("a dilated image", _DILATED, _DILATED_AFTER,
                "((np.arange(20.0).reshape(4, 5) % 7, 3), (np.ones((1, 1)), 1))"),
    ),
    refused=(
        RefusedExample("gradients", _PEAKS.replace(
            "    return x.unfold(-1, size, 2)",
            "    with torch.set_grad_enabled(size > 3):\n"
            "        w = x.unfold(-1, size, 2)\n    return w")),
        RefusedExample("effects", _PEAKS.replace(
            "    return x.unfold(-1, size, 2)",
            "    w = x.unfold(-1, size, 2)\n    mixed(x)\n    return w")),
        RefusedExample("dtype", _PEAKS.replace(
            "    channels", "    x = x.long()\n    channels")),
    ),
    unmatched=(
        _PEAKS.replace("max(dim=-1)", "max(dim=0)"),
        _PEAKS.replace("size, 2).max(dim=-1)", "size, 1).max(dim=1)"),
        _PEAKS.replace(".max(dim=-1).values", ".sum(dim=-1)"),
        _DILATED.replace("axis=(-2, -1)", "axis=-1"),
        _DILATED.replace("axis=(-2, -1)", "axis=(0, 1)"),
        _DILATED.replace("max(", "sum("),
    ),
)  # fmt: skip
