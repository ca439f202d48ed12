"""Filters that are outer products, as two passes.

Finds calls that filter an image with a matrix of weights which is the product of a column and a
row: ``F.conv2d`` with one channel or a group for each (Gaussian, box, derivative filters), and
``convolve``, ``correlate`` and ``convolve2d`` of scipy. The weights may be written out, or made by
``outer``, by broadcasting, ``@`` or ``einsum``, divided by their sum, viewed, expanded, repeated;
or by an exponential of a sum over both places, as a Gaussian over a grid is.

Legal because the sum over rows and columns of ``a[u] b[v] x[i + u, j + v]`` is one over rows of
sums over columns. Weights that are written out are taken as exact fractions: rank 1 is that every
minor of two rows and two columns is 0, and one that is not refutes it. An exponential of a sum is a
product of two, all positive: the sums of its rows and columns are the factors, up to its sum.

Pays because p + q multiplications an element are made instead of p q. On one core of a CPU two
passes are faster than one of torch from 11 x 11 on (21 x 21 for one channel), where the kernel
turns to them, and faster than one of scipy from 5 x 5 on (``benchmarks/filter_crossover.py``). A
filter that is stated to be smaller is reported and left.

Safe means: equal up to roundings, gradients included. What is added around the image has to be what
both passes would add: zeros, or what scipy's modes repeat of the image; a constant other than 0 is
refused. Integers are, too, since scipy rounds after each pass; where the code does not say what
numbers an image of scipy holds, the fix is not safe.

Sources: Gonzalez and Woods, "Digital Image Processing" (4th ed. 2018), section 3.4.
"""

from __future__ import annotations

import ast

from auditor.algebra.normal import expand
from auditor.arrays.overwritten import written_after
from auditor.assumed import assuming
from auditor.expressions.region import ExpressionRegion, Text, text_of
from auditor.expressions.suppositions import made_of
from auditor.lift import extents
from auditor.matrices.outer import Numbers, Outer, outer_product
from auditor.notation import (
    ONE,
    Apply,
    Computation,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    definition,
    free_indices,
)
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.syntax import constant, path_of
from auditor.verdict import Verdict

_TORCH = ("torch.nn.functional.conv2d", "torch.conv2d")
_WORDS = ("input", "weight", "bias", "stride", "padding", "dilation", "groups")
_IMAGES = {"scipy.ndimage.convolve": "convolve1d", "scipy.ndimage.correlate": "correlate1d"}
_FULL = ("scipy.signal.convolve2d", "scipy.signal.correlate2d")
_KERNEL = "separable_conv2d"
_HALF = ("float16", "bfloat16")
_PAYS = {True: 11, False: 5}
"""Elements of a side from which two passes are faster: torch's, scipy's."""
_UNDER_FILTER = Verdict(
    "holds", "structure", "a place of the result needs what lies under the filter there alone"
)
_IN_STRIDES = Verdict(
    "partial",
    "structure",
    "what lies under the filter, which moves by its stride: neighbouring blocks",
)
_WHOLE = frozenset("bool uint8 int8 int16 int32 int64 int uint16 uint32 uint64".split())


def find(site: Site) -> Match | None:
    """The match of a call, or None. Raises ``Refused``."""
    if site.loop is not None or not isinstance(site.node, ast.Call) or site.statement is None:
        return None
    path = path_of(site.lifted.module, site.node.func)
    if path in _TORCH:
        given = _given(site.node, _WORDS)
        return None if given is None else _Region(site).torch(given)
    if path in _IMAGES:
        given = _given(site.node, ("input", "weights", "output", "mode", "cval", "origin"))
        return None if given is None else _Region(site).image(given, _IMAGES[path])
    if path in _FULL:
        given = _given(site.node, ("in1", "in2", "mode", "boundary", "fillvalue"))
        return None if given is None else _Region(site).full(given)
    return None


def _given(call: ast.Call, words: tuple[str, ...]) -> dict[str, ast.expr] | None:
    """The arguments of a call by name."""
    if any(isinstance(arg, ast.Starred) for arg in call.args) or len(call.args) > len(words):
        return None
    found = dict(zip(words, call.args, strict=False))
    for word in call.keywords:
        if word.arg not in words or word.arg in found:
            return None
        found[word.arg] = word.value
    return found


class _Region(ExpressionRegion):
    """The call that filters."""

    def torch(self, given: dict[str, ast.expr]) -> Match | None:
        weight = self._weight(given.get("weight"), 4)
        bias = given.get("bias")
        if weight is None or (bias is not None and not _is_none(bias)) or "input" not in given:
            return None
        facts = self.lifted.facts
        out, inner, u, v = (axis for axis in weight.axes if not axis.group)
        if facts.extent(inner.extent) is not ONE:
            return None
        groups = given.get("groups")
        certain = facts.extent(out.extent) is ONE or self._counts(groups, out)
        found = self._outer(weight, u, v)
        if (found is None and not _even(weight)) or (groups is None and not certain):
            return None
        site, x = self.site, given["input"]
        image = self.one_line(x)
        site.require(not self.autocast(), "autocast", "under autocast each pass is rounded")
        parts = self._said(found, image) if certain and found is not None else None
        if parts is None and certain:
            parts = self._summed(weight)
            found = found if parts is None else Outer(weight, weight, sums=True)
        if found is None:
            return None
        if parts is None:
            return self._match(weight, u, v, found, None, True)
        self._common(weight, parts)
        values = [part for part in (found.column, found.row) if isinstance(part, Value)]
        site.require(
            not written_after(site, values),
            "written",
            "a factor is changed in place later, which the backward pass would need",
        )
        options = [
            f"{word}={self.one_line(given[word])}"
            for word in ("stride", "padding", "dilation") if word in given
        ]  # fmt: skip
        call = f"{_KERNEL}({', '.join([image, parts[0].text, parts[1].text, *options])})"
        return self._match(weight, u, v, found, call, True)

    def image(self, given: dict[str, ast.expr], called: str) -> Match | None:
        weight = self._weight(given.get("weights"), 2)
        if weight is None or not {"output", "origin"}.isdisjoint(given) or "input" not in given:
            return None
        cval = given.get("cval")
        self.site.require(
            cval is None or constant(cval) == 0,
            "border",
            "around the image stands a constant, which the first pass would filter",
        )
        u, v = weight.axes
        found = self._outer(weight, u, v)
        if found is None:
            return None
        parts, mode = self._said(found, None), self._mode(given)
        if parts is None or mode is None:
            return self._match(weight, u, v, found, None, False)
        self._common(weight, parts)
        self._no_integers(given["input"], found)
        base = f"{self._called().rpartition('.')[0]}.{called}".lstrip(".")
        image = self.one_line(given["input"])
        first = f"{base}({image}, {parts[0].text}, axis=0{mode})"
        text = f"{base}({first}, {parts[1].text}, axis=1{mode})"
        imports = () if "." in base else (("scipy.ndimage", called),)
        return self._match(weight, u, v, found, text, False, imports)

    def full(self, given: dict[str, ast.expr]) -> Match | None:
        weight = self._weight(given.get("in2"), 2)
        if weight is None or "in1" not in given:
            return None
        fill, boundary = given.get("fillvalue"), given.get("boundary")
        around = "fill" if boundary is None else constant(boundary)
        turned = around in ("symm", "wrap")  # what stands around each row is made of that alone
        plain = around == "fill" and (fill is None or constant(fill) == 0)
        self.site.require(
            plain or turned, "border", "around the image stands what the first pass would filter"
        )
        u, v = weight.axes
        found = self._outer(weight, u, v)
        if found is None:
            return None
        parts, mode = self._said(found, None), self._mode(given)
        if parts is None or mode is None or "valid" in mode:
            return self._match(weight, u, v, found, None, False)  # valid takes either for the image
        self._common(weight, parts)
        self._no_integers(given["in1"], found)
        base, image = self._called(), self.one_line(given["in1"])
        mode += f", boundary={self.one_line(boundary)}" if turned and boundary is not None else ""
        first = f"{base}({image}, {parts[0].dotted()}[:, None]{mode})"
        text = f"{base}({first}, {parts[1].dotted()}[None]{mode})"
        return self._match(weight, u, v, found, text, False)

    def _called(self) -> str:
        assert isinstance(self.node, ast.Call)
        return self.one_line(self.node.func)

    def _mode(self, given: dict[str, ast.expr]) -> str | None:
        """What is handed on of the borders; None where it may be one for each axis."""
        if "mode" not in given:
            return ""
        mode = constant(given["mode"])
        return f", mode={self.one_line(given['mode'])}" if isinstance(mode, str) else None

    # -- the weights

    def _weight(self, node: ast.expr | None, rank: int) -> Value | None:
        value = self.values.get(node) if node is not None else None
        if not isinstance(value, Value) or value.body is None:
            return None
        # what conv2d takes has four axes, whatever else is not known
        known = [axis for axis in value.axes if not axis.group or rank != 4]
        return value if len(known) == rank and not any(axis.group for axis in known) else None

    def _counts(self, groups: ast.expr | None, out: Index) -> bool:
        """Whether there is a group for each filter."""
        if groups is None:
            return False
        value, extent = self.values.get(groups), self.lifted.facts.extent(out.extent)
        number = constant(groups)
        if isinstance(number, int):
            return extents.constant(extent) == number
        if not isinstance(value, Value) or value.axes or value.body is None:
            return False
        return extents.canonical(self.lifted.facts.extent(value.body)) is extents.canonical(extent)

    def _outer(self, weight: Value, u: Index, v: Index) -> Outer | None:
        facts = self.lifted.facts
        sizes = (facts.extent(u.extent), facts.extent(v.extent))
        if ONE in sizes:
            return None  # a pass along one axis
        return outer_product(Read(weight, weight.axes), u, v, sizes, self._named)

    def _named(self, matrix: Value) -> bool:
        said = self.say(matrix)
        return said is not None and said.named

    def _said(self, found: Outer, image: str | None) -> tuple[Text, Text] | None:
        """The column, with all that scales the product, and the row."""
        column, row = (self._part(part, image) for part in (found.column, found.row))
        if column is None or row is None:
            return None
        if found.sums:
            matrix = found.column
            if not isinstance(matrix, Value) or not self._named(matrix) or matrix.dtype in _HALF:
                return None
            whole = column.dotted()
            column, row = text_of(f"{whole}.sum(1)"), text_of(f"{whole}.sum(0) / {whole}.sum()")
        text = column.text
        for scale, below in found.scales:
            if below and not found.sums and self._sum_of(scale, found):
                text = f"{text} / {column.dotted()}.sum()"
                row = text_of(f"{row.multiplied()} / {row.dotted()}.sum()")
                continue
            said = self._scale(scale)
            if said is None:
                return None
            text = f"{text} {'/' if below else '*'} {said.multiplied()}"
        if found.negative:
            text = f"-{text}"
        return text_of(text), row

    def _summed(self, weight: Value) -> tuple[Text, Text] | None:
        """The sums of rows and of columns of filters that are all alike and have a name, as that
        of which they are the product may have none here."""
        said = self.say(weight)
        if said is None or not said.named or weight.dtype in (*_HALF, *_WHOLE):
            return None
        one = f"{said.text}[0, 0]"
        return text_of(f"{one}.sum(1)"), text_of(f"{one}.sum(0) / {one}.sum()")

    def _sum_of(self, scale: object, found: Outer) -> bool:
        """Whether a scale is the sum of the products alone, which is one of both sums."""
        body = definition(scale) if isinstance(scale, Read) else None
        if not isinstance(body, Reduce) or body.op != "sum":
            return False
        inner = body.body
        if not isinstance(inner, Reduce) or inner.op != "sum":
            return False
        extent = self.lifted.facts.extent
        for u, v in ((body.index, inner.index), (inner.index, body.index)):
            sizes = (extent(u.extent), extent(v.extent))
            if outer_product(inner.body, u, v, sizes) == Outer(found.column, found.row):
                return isinstance(found.column, Value) and isinstance(found.row, Value)
        return False

    def _part(self, part: Value | Numbers, image: str | None) -> Text | None:
        if isinstance(part, Value):
            return self.say(part)
        numbers = f"[{', '.join(repr(float(each)) for each in part)}]"
        same = repr(float(part[0])) if len(set(part)) == 1 else None
        if image is None:
            name = next((n for n, p in self.module.names.items() if p == "numpy"), None)
            made = f"array({numbers})" if same is None else f"full({len(part)}, {same})"
            return None if name is None else text_of(f"{name}.{made}")
        if not image.isidentifier():
            return None
        made = f"new_tensor({numbers})" if same is None else f"new_full(({len(part)},), {same})"
        return text_of(f"{image}.{made}")

    def _scale(self, scale: object) -> Text | None:
        if isinstance(scale, Read):
            return self.say(scale.value) if not scale.value.axes else None
        number = getattr(scale, "value", None)
        plain = isinstance(number, (int, float)) and not isinstance(number, bool)
        return text_of(repr(number)) if plain else None

    # -- conditions

    def _common(self, weight: Value, parts: tuple[Text, Text]) -> None:
        site = self.site
        site.require(
            self.same_gradients([weight]),
            "gradients",
            "the filter is made under another `with` block",
        )
        site.require(
            self.steady(made_of(weight), parts),
            "effects",
            "something in between may change the filter",
        )

    def _no_integers(self, node: ast.expr, found: Outer) -> None:
        value = self.values.get(node)
        parts = (value, found.column, found.row)
        self.site.require(
            not any(isinstance(each, Value) and each.dtype in _WHOLE for each in parts),
            "integers",
            "numbers without a fraction are rounded after each pass",
        )

    def _match(
        self, weight: Value, u: Index, v: Index, found: Outer, text: str | None, torch: bool,
        imports: tuple[tuple[str, str], ...] = (),
    ) -> Match | None:  # fmt: skip
        site, facts = self.site, self.lifted.facts
        sides = [extents.constant(facts.extent(axis.extent)) for axis in (u, v)]
        known = [side for side in sides if side is not None]
        message = "the filter is the product of a column and a row: two passes along one axis each"
        computation = Computation(
            "expression", site.computation.scope, site.computation.span, (weight,)
        )
        evidence = "the weights are w[u, v] = a[u] b[v]"
        if all(isinstance(part, tuple) for part in (found.column, found.row)):
            evidence = "every minor of two rows and two columns of the weights is 0: rank 1"
        assert isinstance(self.node, ast.Call)
        strided = torch and "stride" in (_given(self.node, _WORDS) or {})
        told = {
            "separability": Verdict("holds", "proof", evidence),
            "locality": _IN_STRIDES if strided else _UNDER_FILTER,
        }
        if known and min(known) < _PAYS[torch]:
            sides_text = " x ".join("?" if side is None else str(side) for side in sides)
            return Match(
                span=site.computation.span, computation=computation, verdicts=told,
                message=f"{message} make fewer multiplications; one of {sides_text} is faster,"
                f" from {_PAYS[torch]} on two are",
            )  # fmt: skip
        if text is None:
            return Match(
                span=site.computation.span, computation=computation, verdicts=told,
                message=f"{message} make fewer multiplications, where both are kept",
            )  # fmt: skip
        removal = self.removal({self.node: Text(text, text_of(text).reads)})
        if site.inside and removal.edits:
            return None
        edits = (self.replace(self.node, text), *removal.edits)
        return Match(
            span=site.computation.span,
            message=f"{message} make fewer multiplications",
            computation=computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            imports=(("auditor.kernels", _KERNEL),) if torch else imports,
            kernel=f"auditor.kernels.{_KERNEL}" if torch else None,
            reason=self._assumed(found, torch),
            safe=torch or self._floating() or self._widened(found),
            verdicts=told,
        )

    def _floating(self) -> bool:
        """Whether the image is known to hold floating-point numbers: others, which images often
        are, would be rounded after each pass."""
        assert isinstance(self.node, ast.Call)
        words = {word.arg: word.value for word in self.node.keywords}
        image = words.get("input", words.get("in1", (*self.node.args, None)[0]))
        value = self.values.get(image) if image is not None else None
        dtype = value.dtype if isinstance(value, Value) else None
        return dtype is not None and dtype.startswith(("float", "complex"))

    def _widened(self, found: Outer) -> bool:
        """Whether each pass computes with broken numbers, whatever the image holds: SciPy's signals
        take the type of both, its images keep their own."""
        assert isinstance(self.node, ast.Call)
        parts = (found.column, found.row)
        broken = [isinstance(part, Value) and _broken(Read(part, part.axes)) for part in parts]
        return path_of(self.module, self.node.func) in _FULL and all(broken)

    def _assumed(self, found: Outer, torch: bool) -> str | None:
        values = [part for part in (found.column, found.row) if isinstance(part, Value)]
        stated = self.lifted.facts.assumptions
        sentences = [stated[v.name] for v in values if v.name in stated]
        if found.sums:
            sentences += [f"the entries of `{each.name}` do not add up to 0" for each in values[:1]]
        if not torch and not self._widened(found):
            sentences.append("the image and the filter hold floating-point numbers")
        return assuming(sentences)


def _broken(term: Term) -> bool:
    """Whether a term is a number with a fraction, by the operation that makes it."""
    at: Term | None = term
    while isinstance(at, Read):
        if at.value.dtype in ("float32", "float64"):
            return True
        at = definition(at)
    if isinstance(at, Apply) and at.op == "mul":
        return any(map(_broken, at.args))
    if isinstance(at, Apply) and at.op == "neg":
        return _broken(at.args[0])
    return isinstance(at, Apply) and at.op in ("div", "exp", "sqrt", "cos", "sin")


def _even(weight: Value) -> bool:
    """Whether weights are all the same."""
    return not free_indices(expand(Read(weight, weight.axes)))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


_BLUR = """\
import torch
import torch.nn.functional as F


def blurred(x: torch.Tensor, g: torch.Tensor):
    batch, channels, height, width = x.shape
    (size,) = g.shape
    weight = (g[:, None] * g[None, :]).expand(channels, 1, size, size)
    out = F.conv2d(x, weight, padding=size // 2, groups=channels)
    return out
"""

_BLUR_AFTER = """\
import torch
import torch.nn.functional as F
from auditor.kernels import separable_conv2d


def blurred(x: torch.Tensor, g: torch.Tensor):
    (size,) = g.shape
    out = separable_conv2d(x, g, g, padding=size // 2)
    return out
"""

_IMAGE = """\
import numpy as np
from scipy import ndimage


def smoothed(image: np.ndarray, g: np.ndarray):
    return ndimage.convolve(image, np.outer(g, g), mode="nearest")
"""

_IMAGE_AFTER = """\
import numpy as np
from scipy import ndimage


def smoothed(image: np.ndarray, g: np.ndarray):
    return ndimage.convolve1d(
        ndimage.convolve1d(image, g, axis=0, mode="nearest"), g, axis=1, mode="nearest"
    )
"""

_STATED = """\
import numpy as np
from scipy import signal


def rise(image: np.ndarray):
    weights = np.array(
        [
            [1.0, 2.0, 0.0, -2.0, -1.0],
            [4.0, 8.0, 0.0, -8.0, -4.0],
            [6.0, 12.0, 0.0, -12.0, -6.0],
            [4.0, 8.0, 0.0, -8.0, -4.0],
            [1.0, 2.0, 0.0, -2.0, -1.0],
        ]
    )
    return signal.convolve2d(image, weights, mode="same")
"""

_STATED_AFTER = """\
import numpy as np
from scipy import signal


def rise(image: np.ndarray):
    return signal.convolve2d(
        signal.convolve2d(
            image, np.array([1.0, 4.0, 6.0, 4.0, 1.0])[:, None], mode="same"
        ),
        np.array([1.0, 2.0, 0.0, -2.0, -1.0])[None],
        mode="same",
    )
"""

REWRITE = Rewrite(
    code="SEP204",
    name="separable-filter",
    summary="a filter that is an outer product is two passes",
    doc=__doc__,
    properties=("separability",),
    find=find,
    kernel="auditor.kernels.separable_conv2d",
    seeks=("filter",),
    becomes="separable_conv2d(x, g, g), convolve1d(convolve1d(x, g, axis=0), g, axis=1)",
    examples=(
        Example("a blur of every channel", _BLUR, _BLUR_AFTER,
                "((torch.randn(2, 3, 9, 8), torch.randn(3)),"
                " (torch.randn(1, 1, 30, 30), torch.rand(23) / 23))"),
        Example("an image of scipy", _IMAGE, _IMAGE_AFTER,
                "((np.random.rand(9, 8), np.random.rand(3)), (np.ones((3, 3)), np.ones(4)))"),
        Example("weights that are written out", _STATED, _STATED_AFTER,
                "((np.random.rand(9, 8),), (np.random.rand(2, 3),))"),
    ),
    refused=(
        RefusedExample("effects", _BLUR.replace("    out =", "    refresh(g)\n    out =")),
        RefusedExample("written", _BLUR.replace("    return out", "    g.mul_(2)\n    return out")),
        RefusedExample("autocast", _BLUR.replace("def b", "@torch.autocast('cpu')\ndef b")),
        RefusedExample("gradients", _BLUR.replace(
            "    weight =", "    with torch.autocast('cpu'):\n        weight =")),
        RefusedExample("border", _IMAGE.replace('"nearest"', '"constant", cval=1.0')),
        RefusedExample("integers", _IMAGE.replace(
            "    return", "    image = image.astype(np.int64)\n    return")),
    ),
    unmatched=(
        _BLUR.replace("g[None, :]", "g[None, :] + 1"),
        _BLUR.replace(", groups=channels", ""),
        _BLUR.replace("F.conv2d(x, weight,", "F.conv2d(x, weight, g,"),
        _IMAGE.replace("np.outer(g, g)", "np.add.outer(g, g)"),
        _IMAGE.replace("g), mode", "g), origin=1, mode"),
        _STATED.replace("[6.0, 12.0", "[6.0, 12.5"),
        _BLUR_AFTER,
    ),
)  # fmt: skip
