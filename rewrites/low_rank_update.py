"""Products with a matrix to which a product of two thin ones is added, as products with each.

Finds ``x @ (W + B @ A).T`` in any spelling: with ``F.linear``, ``matmul``, ``einsum`` or ``@``, the
sum made before under a name, the product scaled or subtracted, the matrices transposed, ``x`` a
vector or any number of rows, on either side. So adapters of low rank (LoRA) are written that are
merged into the weight at every call. So are updates of rank one, ``(W + np.outer(u, v)) @ x``.

Legal because a product distributes over a sum and is associative: ``x (W + B A)`` is
``x W + (x B) A``.

Pays while ``x`` has few rows. The sum costs a product of all of ``B`` and ``A``, which is as large
as ``W``; the thin products cost two small ones for each row. So with n rows and a matrix of o times
d, whatever the rank, fewer multiplications are made while n (o + d) < o d: below 384 rows for 768
times 768. The fix is made where the extents in the code, or of the inputs that it makes
(``get_inputs``), say so, or where it holds for all of them, as for a vector; where they do not
tell, the finding says where it begins to pay and nothing is changed. For inference, adding the
product to the weight once and for all is better still.

Safe means: equal up to the order of roundings, gradients included. What scales the product has to
be a number: where it is given and nothing says so, the fix is not safe. The matrix and the factors
have to be of one type, since the sum is taken in the widest; a sum or product that other code uses
stays as it is, and ``x`` must have a name, since it is read twice.

Source: Hu et al., "LoRA: Low-Rank Adaptation of Large Language Models", ICLR 2022, section 4.
"""

from __future__ import annotations

import ast

from auditor.algebra.chains import saves
from auditor.arrays.facts import leaves
from auditor.arrays.stated_sizes import measured
from auditor.assumed import assuming
from auditor.expressions.region import ExpressionRegion, Text, text_of
from auditor.lift import extents
from auditor.matrices.low_rank import Update, costs, unstated, update
from auditor.notation import ONE, Const, Index, Read, Term, Value
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.verdict import Verdict


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    if site.loop is not None or site.value is None or site.statement is None:
        return None
    if site.node is None or site.value.span != site.lifted.module.span(site.node):
        return None
    found = update(site.value)
    if found is None:
        return None
    known = (*found.x.subs, found.inner, found.outer, found.middle)
    lifted = site.lifted
    sizes = {index: measured(lifted, index.extent) for index in known if isinstance(index, Index)}
    count = costs(found, sizes)
    if count is not None and saves(count[0], count[1]):
        return _Region(site).match(found)
    if count is not None and saves(count[1], count[0]):
        return None
    numbers = "".join(f", if `{name}` is a number" for name in _taken_for_numbers(found))
    _Region(site).require_unused(found)
    return Match(
        span=site.computation.span,
        message=(
            "a product of two thin matrices is added to a matrix before it is multiplied: two thin"
            f" products instead are cheaper below {_crossover(sizes, found)} rows of"
            f" `{found.x.value.name}`{numbers}"
        ),
        computation=site.computation,
    )


_ONE_RANK = {
    "separability": Verdict("holds", "structure", "an outer product of two vectors is added")
}


def _crossover(sizes: dict[Index, Term], found: Update) -> str:
    """The number of rows where both ways cost the same."""
    rows, columns = sizes[found.outer], sizes[found.inner]
    o, d = extents.constant(rows), extents.constant(columns)
    if o is not None and d is not None:
        return str(o * d // max(o + d, 1))
    if rows is columns:
        return f"{rows} / 2"
    return f"{rows} * {columns} / ({rows} + {columns})"


def _taken_for_numbers(found: Update) -> list[str]:
    """The names of what scales the product and may be an array."""
    scales = (*found.product.scales, *found.product.divisors)
    given = (unstated(scale) for scale in scales if isinstance(scale, Value))
    return [value.name for values in given for value in sorted(values, key=lambda one: one.name)]


class _Region(ExpressionRegion):
    """The expression that multiplies with the sum."""

    def require_unused(self, found: Update) -> None:
        """Raises ``Refused`` where the sum or the product is made for something else as well."""
        removal = self.removal({self.node: Text("", frozenset())})
        self.require_gone(removal, found.made, self.node, "product-used")

    def match(self, found: Update) -> Match | None:
        site = self.site
        site.require(
            self.same_gradients(found.made),
            "gradients",
            "a part of it is computed under another `with` block",
        )
        x, texts = self.say(found.x.value), self._matrices(found)
        if x is None or texts is None:
            site.require(False, "effects", "something in between may change a matrix")
            return None
        site.require(
            x.text.replace(".", "").isidentifier(),
            "operand",
            "what is multiplied has no name, and would be computed twice",
        )
        site.require(not self._differ(found), "dtypes", "the matrices are of different types")
        site.require(
            self.steady(found.made, [x, *texts]),
            "effects",
            "something in between may change a matrix",
        )
        text = self._written(found, x, texts)
        if text is None:
            return None
        reads = x.reads.union(*(each.reads for each in texts))
        removal = self.removal({self.node: Text(text, reads, False, False)})
        self.require_gone(removal, found.made, self.node, "product-used")
        if site.inside and removal.edits:
            return None
        edits = (self.replace(self.node, text), *removal.edits)
        numbers = [f"`{name}` must be a number" for name in _taken_for_numbers(found)]
        return Match(
            span=site.computation.span,
            message=(
                "a product of two thin matrices is added to a matrix before it is multiplied: two"
                " thin products are cheaper"
            ),
            computation=site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            reason="; ".join(numbers) or self._reason(found),
            safe=not numbers,
            verdicts=_ONE_RANK if found.middle.extent is ONE else {},
        )

    def _matrices(self, found: Update) -> list[Text] | None:
        """The matrix, the factors beside ``x`` and behind it, and the numbers that scale them."""
        pairs = ((found.matrix.read, found.inner, found.outer),
                 (found.near, found.inner, found.middle),
                 (found.far, found.middle, found.outer))  # fmt: skip
        said: list[Text | None] = []
        for read, near, far in pairs:
            text = self.say(read.value)
            first, second = (far, near) if found.first else (near, far)
            turned = read.subs == (second, first)
            said.append(text.call(".T") if turned and text is not None else text)
        for scale in (*found.product.scales, *found.product.divisors):
            said.append(text_of(repr(scale.value)) if isinstance(scale, Const) else self.say(scale))
        if any(text is None for text in said):
            return None
        return [text for text in said if text is not None]

    def _written(self, found: Update, x: Text, texts: list[Text]) -> str | None:
        matrix, near, far, *scales = (text.multiplied() for text in texts)
        factor, times = x.multiplied(), len(found.product.scales)
        numbers = "".join(f" * {scale}" for scale in scales[:times])
        numbers += "".join(f" / {divisor}" for divisor in scales[times:])
        sign = "-" if found.product.negative else "+"
        last = found.x.subs and found.x.subs[-1] is found.inner
        if found.middle.extent is ONE:
            if found.x.subs != (found.inner,) or found.bias is not None:
                return None
            if found.first:
                return f"{matrix} @ {factor} {sign} {far} * ({near} @ {factor}){numbers}"
            return f"{factor} @ {matrix} {sign} ({factor} @ {near}) * {far}{numbers}"
        if found.first:
            if found.x.subs[0] is not found.inner or len(found.x.subs) > 2:
                return None
            thin = f"{far} @ ({near} @ {factor}){numbers}"
            return f"{matrix} @ {factor} {sign} {thin}" if found.bias is None else None
        if not last:
            return None
        thin = f"{factor} @ {near} @ {far}{numbers}"
        if not isinstance(self.node, ast.Call) or found.bias is None:
            return f"{factor} @ {matrix} {sign} {thin}" if found.bias is None else None
        bias = self.say(found.bias)
        plain = self.say(found.matrix.read.value)
        if bias is None or plain is None or found.matrix.read.subs[0] is found.inner:
            return None
        called = self.one_line(self.node.func)
        return f"{called}({x.text}, {plain.text}, {bias.text}) {sign} {thin}"

    def _differ(self, found: Update) -> bool:
        return len({value.dtype for value in _read(found)} - {None}) > 1

    def _reason(self, found: Update) -> str | None:
        """What the axes and types of the matrices rest on where the code does not settle them."""
        stated = self.lifted.facts.assumptions
        names = dict.fromkeys(
            name
            for value in (*_read(found), found.x.value)
            for name in sorted(leaves(value))
            if name in stated
        )
        sentences = [stated[name] for name in names]
        matrix = found.matrix.read.value
        if found.matrix.read.aligned or any(axis.group for axis in matrix.axes):
            sentences.append(f"`{matrix.name}` has the shape of what is added to it")
        if any(value.dtype is None for value in _read(found)):
            sentences.append("the matrices are of one type")
        return assuming(sentences)


def _read(found: Update) -> list[Value]:
    reads: tuple[Read, ...] = (found.matrix.read, found.near, found.far)
    return [read.value for read in reads]


_BEFORE = """\
import torch


def adapted(x: torch.Tensor, weight, down, up):
    (d,) = x.shape
    (o, d), (rank, d) = weight.shape, down.shape
    return (weight + up @ down) @ x
"""

_AFTER = """\
import torch


def adapted(x: torch.Tensor, weight, down, up):
    (d,) = x.shape
    (o, d), (rank, d) = weight.shape, down.shape
    return weight @ x + up @ (down @ x)
"""

_STATED = """\
import torch
import torch.nn as nn
import torch.nn.functional as F


class Adapter(nn.Module):
    def __init__(self, alpha: float = 16.0):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(96, 64), requires_grad=False)
        self.bias = nn.Parameter(torch.ones(96))
        self.lora_A = nn.Parameter(torch.ones(4, 64))
        self.lora_B = nn.Parameter(torch.ones(96, 4))
        self.scaling = alpha / 4

    def forward(self, x):
        x = x.view(8, 64)
        weight = self.weight + self.scaling * (self.lora_B @ self.lora_A)
        return F.linear(x, weight, self.bias)


def run(x):
    return Adapter()(x)
"""

_STATED_AFTER = """\
import torch
import torch.nn as nn
import torch.nn.functional as F


class Adapter(nn.Module):
    def __init__(self, alpha: float = 16.0):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(96, 64), requires_grad=False)
        self.bias = nn.Parameter(torch.ones(96))
        self.lora_A = nn.Parameter(torch.ones(4, 64))
        self.lora_B = nn.Parameter(torch.ones(96, 4))
        self.scaling = alpha / 4

    def forward(self, x):
        x = x.view(8, 64)
        return (
            F.linear(x, self.weight, self.bias)
            + x @ self.lora_A.T @ self.lora_B.T * self.scaling
        )


def run(x):
    return Adapter()(x)
"""

REWRITE = Rewrite(
    code="SEP202",
    name="low-rank-update",
    summary="a product with a matrix plus a thin product is two products",
    doc=__doc__,
    properties=("separability",),
    find=find,
    seeks=("products", "spread"),
    becomes="x @ W.T + x @ A.T @ B.T",
    examples=(
        Example(
            "a vector", _BEFORE, _AFTER,
            "(torch.randn(5), torch.randn(7, 5), torch.randn(2, 5), torch.randn(7, 2))",
        ),
        Example("an adapter with stated sizes", _STATED, _STATED_AFTER, "(torch.randn(8, 64),)"),
    ),
    refused=(
        RefusedExample(
            "product-used",
            _BEFORE.replace("return (weight + up @ down) @ x",
                            "merged = weight + up @ down\n    return merged @ x, merged.norm()"),
        ),
        RefusedExample(
            "gradients",
            _BEFORE.replace("    return (weight + up @ down) @ x",
                            "    with torch.autocast(\"cpu\"):\n        m = weight + up @ down\n"
                            "    return m @ x"),
        ),
        RefusedExample(
            "effects",
            _BEFORE.replace("    return (weight + up @ down) @ x",
                            "    m = weight + up @ down\n    x.zero_()\n    return m @ x"),
        ),
        RefusedExample("operand", _BEFORE.replace(") @ x", ") @ (x * 2)")),
    ),
    unmatched=(
        _BEFORE.replace("(weight + up @ down) @ x", "weight @ x + up @ (down @ x)"),
        _BEFORE.replace("weight + up @ down", "weight * (up @ down)"),
        _BEFORE.replace("weight + up @ down", "weight + torch.tanh(up @ down)"),
        _BEFORE.replace("weight + up @ down", "weight + x[0] * weight"),
    ),
    inside=True,
)  # fmt: skip
