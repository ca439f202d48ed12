"""Products with windows that were laid out, and sums of shifted parts, as convolutions.

Finds sums of products of the windows of an array (``x.unfold(2, k, s)``, once or several times,
``sliding_window_view(x, k)``) with weights, whichever way the product is spelled (``einsum``,
``@``, ``tensordot``, ``(windows * w).sum(-1)``): over the channels and all places of a window,
``einsum('bclk,ock->bol', x.unfold(2, k, 1), w)``; in NumPy over the windows of a vector. Finds as
well products of a matrix with the columns of ``F.unfold(x, k)``.

Of tensors finds as well what is spelled tap by tap, ``sum(x[:, k : k + n] * w[:, k] for k in
range(size))``, in a generator or in a loop that adds to a name: with weights for each channel, for
all of them, or that mix them (``x[:, k : k + n] @ w[k]``), with taps that are apart.

Legal because it is what a convolution computes: ``sum_ck x[b, c, l s + k] w[o, c, k]``.

Pays because the windows are copied before they are multiplied, k times the array, and a convolution
reads the array itself. Tap by tap the array is read and a sum of its size written k times: of 31
taps for each of 256 channels, ten times as long.

Safe means: equal up to the order of roundings, gradients included. A convolution of torch takes one
batch axis and one axis of channels: where nothing says that there are no more, nothing is done.
NumPy's takes no empty vectors, which is said. No convolution of torch takes an array that is
shorter than its window, or none of weights, where a sum of parts of that has no elements: it is
said as well, and that weights are not one for all channels where only a product says how many there
are. A sum that is used on the way, or is of parts of what it is added to, stays.

Sources: Chellapilla et al., "High Performance Convolutional Neural Networks for Document
Processing" (2006), where convolutions are products of unfolded windows; the documentation of
``torch.nn.functional.conv1d`` and ``numpy.convolve``.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.arrays.strides import as_stacked
from auditor.assumed import assuming
from auditor.expressions.region import Text, text_of
from auditor.lift import extents
from auditor.lift.dtypes import NO_NARROW
from auditor.notation import Index, Read, Value
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.tree import everything_in
from auditor.windows.columns import ColumnsRegion, columns_in
from auditor.windows.reading import Slid, computed, folded, product, slid
from auditor.windows.region import LOCAL, WindowRegion, once
from auditor.windows.tapped import tapped

_PRODUCTS = frozenset("einsum matmul bmm mm mv dot tensordot inner vdot".split())
_WIDE = frozenset("float32 float64 complex64 complex128".split())
_MESSAGE = "windows are laid out and multiplied with weights: a convolution takes the array itself"


def find(site: Site) -> Match | None:
    """The match of an expression or of a loop, or None. Raises ``Refused``."""
    if (match := tapped(site)) is not None or site.loop is not None:
        return match
    value = computed(site)
    if value is None or value.body is None:
        return None
    body, summed = folded(value.body, "sum")
    factors = product(body) if summed else None
    if factors is None:
        return None
    for one, other in (factors, factors[::-1]):
        columns = columns_in(one)
        if columns is not None and isinstance(other, Read) and len(summed) == 1:
            return ColumnsRegion(site).match(value, summed[0], columns, other)
        windows = slid(one, frozenset(summed))
        if windows is not None and isinstance(other, Read) and not other.aligned:
            if all(isinstance(sub, Index) for sub in other.subs):
                return _Region(site).match(_Product(value, frozenset(summed), windows, other))
    return None


@dataclass(frozen=True)
class _Product:
    """A product of windows with ``weights``, over the indices ``summed``."""

    value: Value
    summed: frozenset[Index]
    windows: Slid
    weights: Read

    @property
    def within(self) -> list[Index]:
        return [window.within for window in self.windows.windows]


class _Region(WindowRegion):
    """The product of windows and weights."""

    def match(self, found: _Product) -> Match | None:
        site, windows, weights = self.site, found.windows, found.weights.value
        x, w = self.say(windows.array), self.say(weights)
        if x is None or w is None:
            return None
        torch = self.tensors([*windows.views, weights])
        text = (self._layered if torch else self._plain)(found, x, w)
        if text is None:
            return None
        site.require(not self.autocast(), "autocast", "under autocast a product has another dtype")
        site.require(
            self.same_gradients(windows.views),
            "gradients",
            "the windows are laid out under another `with` block",
        )
        site.require(
            self.steady([*windows.views, found.value], [x, w]),
            "effects",
            "something in between may change an array",
        )
        if torch:
            text = as_stacked(self.lifted, self.node, text)
        removal = self.removal({self.node: text_of(text, x, w)})
        edits = (self.replace(self.node, text), *removal.edits)
        return Match(
            span=site.computation.span,
            message=_MESSAGE,
            computation=site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            reason=assuming([*self.assumed(windows.array, weights), *self._typed(found, torch)]),
            imports=() if torch else self.lacking,
            verdicts={"locality": LOCAL},
        )

    def _typed(self, found: _Product, torch: bool) -> list[str]:
        """What is assumed of the types of the operands, and of how many weights there are."""
        array, weights = found.windows.array, found.weights.value
        x, w = (f"`{text.text}`" for text in (self.say(array), self.say(weights)) if text)
        kinds = {array.dtype, weights.dtype}
        sentences = [] if torch else [f"{w} is not empty"]
        if self._contracts() or kinds <= _WIDE:
            return sentences
        if torch and (len(kinds) > 1 or None in kinds):
            sentences.append(f"{x} and {w} are of one type")
        return [*sentences, f"{x} and {w} hold {NO_NARROW}"]

    def _contracts(self) -> bool:
        """Whether the product is spelled as one of matrices, which adds up no other type than it
        multiplies."""
        words = {getattr(n, "attr", getattr(n, "id", "")) for n in everything_in(self.node)}
        products = any(isinstance(n, ast.MatMult) for n in everything_in(self.node))
        return products or not words.isdisjoint(_PRODUCTS)

    def _layered(self, found: _Product, x: Text, w: Text) -> str | None:
        """A convolution of torch, of an array with channels and maybe a batch of them."""
        windows, weights, summed = found.windows, found.weights, found.summed
        subs = [sub for sub in weights.subs if isinstance(sub, Index)]
        channels = [index for index in windows.kept if index in summed]
        batch = [index for index in windows.kept if index not in summed]
        outs = [index for index in subs if index not in summed]
        if (len(channels), len(outs)) != (1, 1) or len(batch) > 1 or len(found.within) > 3:
            return None
        if summed != {*channels, *found.within} or len(subs) != 2 + len(found.within):
            return None
        places = [*batch, *channels, *windows.counts]
        image = self.arranged(Read(windows.array, windows.axes), places, x)
        filters = self.arranged(weights, [*outs, *channels, *found.within], w)
        turned = self.returned([*batch, *outs, *windows.counts], found.value.axes)
        laid = self.laid(windows)
        if laid is None or image is None or filters is None or turned is None:
            return None
        given = [image.text, filters.text]
        steps = [one.step.text for one in laid]
        if any(step != "1" for step in steps):
            given.append(f"stride={once(steps)}")
        return f"{self.functional()}.conv{len(laid)}d({', '.join(given)}){turned}"

    def _plain(self, found: _Product, x: Text, w: Text) -> str | None:
        """A convolution of vectors, which turns the weights round."""
        if found.windows.kept or len(found.within) != 1:
            return None
        (window,) = found.windows.windows
        if found.weights.subs != (window.within,) or found.summed != {window.within}:
            return None
        if extents.constant(window.step) != 1 or found.value.axes != found.windows.counts:
            return None
        turned = w.text.endswith("[::-1]")
        weights = w.text.removesuffix("[::-1]") if turned else f"{w.dotted()}[::-1]"
        return f"{self.numpy}.convolve({x.text}, {weights}, 'valid')"


_LAYER = """\
import torch


def features(x: torch.Tensor, weight: torch.Tensor):
    batch, channels, length = x.shape
    out, _, size = weight.shape
    windows = x.unfold(2, size, 1)
    return torch.einsum("bclk,ock->bol", windows, weight)
"""

_LAYER_AFTER = """\
import torch


def features(x: torch.Tensor, weight: torch.Tensor):
    batch, channels, length = x.shape
    return torch.nn.functional.conv1d(x, weight)
"""

_TAPS = """\
import torch
import torch.nn.functional as F


def causal(x: torch.Tensor, weight: torch.Tensor):
    batch, channels, length = x.shape
    _, size = weight.shape
    padded = F.pad(x, (size - 1, 0))
    out = torch.zeros_like(x)
    for k in range(size):
        out += padded[:, :, k : k + length] * weight[:, k, None]
    return out
"""

_TAPS_AFTER = """\
import torch
import torch.nn.functional as F


def causal(x: torch.Tensor, weight: torch.Tensor):
    batch, channels, length = x.shape
    _, size = weight.shape
    padded = F.pad(x, (size - 1, 0))
    out = torch.zeros_like(x)
    out += F.conv1d(padded, weight.unsqueeze(1), groups=padded.shape[1])
    return out
"""

_FILTER = """\
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def filtered(signal: np.ndarray, taps: np.ndarray):
    (n,) = taps.shape
    return sliding_window_view(signal, n) @ taps
"""

_FILTER_AFTER = """\
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def filtered(signal: np.ndarray, taps: np.ndarray):
    return np.convolve(signal, taps[::-1], "valid")
"""

REWRITE = Rewrite(
    code="LOC309",
    name="unfolded-convolution",
    summary="windows, laid out or shifted tap by tap, multiplied with weights are a convolution",
    doc=__doc__,
    properties=("locality",),
    find=find,
    seeks=("windows", "loop", "taps"),
    becomes="F.conv1d(x, w), np.convolve(x, w[::-1], 'valid')",
    examples=(
        Example("a layer", _LAYER, _LAYER_AFTER,
                "((torch.randn(2, 3, 9), torch.randn(4, 3, 5)),)"),
        Example("tap by tap", _TAPS, _TAPS_AFTER,
                "((torch.randn(2, 3, 9), torch.randn(3, 4)), (torch.ones(1, 2, 1), torch.eye(2)))"),
        Example("a filter", _FILTER, _FILTER_AFTER,
                "((np.arange(9.0) ** 2, np.arange(1.0, 4.0)), (np.ones(1), np.ones(1)))"),
    ),
    refused=(
        RefusedExample("autocast", _LAYER.replace("def f", "@torch.autocast('cpu')\ndef f")),
        RefusedExample("gradients", _LAYER.replace(
            "    windows =", "    with torch.set_grad_enabled(size > 3):\n        windows =")),
        RefusedExample("effects", _LAYER.replace(
            "    return", "    mixed(x)\n    return")),
        RefusedExample("names", _TAPS.replace("return out", "return out, k")),
    ),
    unmatched=(
        _LAYER.replace('"bclk,ock->bol"', '"bclk,ock->bcol"'),
        _LAYER.replace("x.unfold(2, size, 1)", "x.unfold(1, size, 1)"),
        _FILTER.replace("@ taps", "* taps"),
        _TAPS.replace("weight[:, k, None]", "weight[:, k, None] + out"),
        _TAPS.replace("(size - 1, 0)", "(size, 0)"),
    ),
)  # fmt: skip
