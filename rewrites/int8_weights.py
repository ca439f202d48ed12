"""Large linear layers in inference code, with weights of 8 bits.

Finds ``self.layer(x)`` where the constructor makes the layer with sizes that are numbers, four
million weights or more, and where the function says itself that no gradient is wanted
(``torch.no_grad``, ``torch.inference_mode``). Sizes that are parameters, smaller layers and layers
that may be trained are left alone.

Weights that are kept in 8 bits already (a buffer made of ``torch.int8``), and turned into a matrix
of numbers at every call to be scaled and multiplied, are read as they are: the scale of an output
multiplies its sum as well as each of its weights.

Why it may be done: weights are known to be small numbers around their largest one, and their last
digits are more than the result needs. Rounded to 8 bits with a scale s_o for each output, an output
is off by at most s_o / 2 times the sum of |x| over the inputs: `auditor.kernels.int8_error`
computes that bound for given inputs.

Pays where the rows of x are few, so that reading the weights takes the time: half the bytes of half
types, on a GPU, and on a CPU for layers that are stated to be of bfloat16: measured 2.3 times as
fast for one row and 1.4 for four, but 0.9 for six and 0.4 for sixteen. On a CPU it does not pay for
float32, which is not suggested there.

Unsafe: the result is an approximation. The integers are kept beside the weights until torch counts
a write to them: memory grows by a quarter to a half, writes through ``.data`` are not seen, and the
layer's hooks are not run.

Sources: Dettmers et al., "LLM.int8(): 8-bit Matrix Multiplication for Transformers at Scale"
(2022); Jacob et al., "Quantization and Training of Neural Networks" (2018).
"""

from __future__ import annotations

import ast

from auditor.arrays.stated_layers import applications
from auditor.matrices.dequantised import Dequantised, dequantised
from auditor.notation import Computation, Span
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region
from auditor.tree import descendants
from auditor.verdict import Edit, Verdict

LEAST = 1 << 22
"""Weights from which on reading them takes the time."""


def find(site: Site) -> Match | None:
    """The match of a function, or None. Raises ``Refused``."""
    function = site.lifted.node
    klass = site.lifted.lifter.klass
    if not site.again or site.node is not None or not isinstance(function, ast.FunctionDef):
        return None
    if klass is None or function.name == "__init__":
        return None
    module = site.lifted.module
    numbers = dequantised(module, klass, function)
    if numbers is not None:
        return _kept_small(site, numbers)
    found = list(applications(module, klass, function, LEAST))
    if not found:
        return None
    names = {each.layer.name for each in found}
    site.require(
        not any(_hooked(node, names) for node in descendants(klass.node)),
        "hooks",
        "the class does more with the layer than apply it",
    )
    edits, region = [], Region(site.lifted)
    for each in found:
        layer = f"self.{each.layer.name}"
        operand = module.source(each.node.args[0])
        text = f"linear_int8({operand}, *int8_weights({layer}.weight), {layer}.bias)"
        edits.append(region.replace(each.node, text))
    span = module.span(found[0].node)
    sizes = ", ".join(
        dict.fromkeys(f"`{e.layer.name}` ({e.layer.inputs} x {e.layer.outputs})" for e in found)
    )
    packs = all(each.layer.dtype == "bfloat16" for each in found)
    return Match(
        span=span,
        message=f"the weights of {sizes} are read in full at every call without gradients: with 8"
        " bits they are half the bytes or less, which pays for few rows (up to four on a CPU), and"
        " an output is off by at most scale / 2 * sum |x|",
        computation=Computation("expression", site.lifted.scope, span, ()),
        edits=tuple(edits),
        imports=(("auditor.kernels", "int8_weights"), ("auditor.kernels", "linear_int8")),
        kernel="auditor.kernels.linear_int8",
        safe=False,
        reason="weights are rounded to 8 bits: an output is off by at most scale / 2 * sum |x|"
        " (`int8_error`); hooks of the layer are not run",
        gains={"cpu": 1.7 if packs else 0.45, "h200": 2.0, "cuda": 2.0},
        counted=True,
        verdicts={
            "redundancy": Verdict(
                "partial",
                "structure",
                "weights hold more digits than their use: |y - y8| <= scale / 2 * sum |x|",
            )
        },
    )


def _kept_small(site: Site, found: Dequantised) -> Match:
    """The match of a product with integers that are made numbers before it."""
    module, region = site.lifted.module, Region(site.lifted)
    parts = [found.operand, found.weights, found.scale, *([found.bias] if found.bias else [])]
    text = f"linear_int8({', '.join(module.source(part) for part in parts)})"
    edits = [region.replace(found.node, text)]
    if found.made is not None:
        span = module.span(found.made)
        edits.append(Edit(Span(span.line, 1, span.end_line + 1, 1), ""))
    span, name = module.span(found.node), module.source(found.weights)
    return Match(
        span=span,
        message=f"the 8 bits of `{name}` are turned into a matrix of numbers at every call: they"
        " can be read as they are, and a scale multiplies each output once",
        computation=Computation("expression", site.lifted.scope, span, ()),
        edits=tuple(sorted(edits, key=lambda edit: edit.span)),
        imports=(("auditor.kernels", "linear_int8"),),
        kernel="auditor.kernels.linear_int8",
        safe=False,
        reason="the sums are taken in float32 at least, and the result has the type of what is"
        " multiplied; a scale must be one number, or one for each output",
        gains={"any": 1.5},
        counted=True,
        verdicts={
            "redundancy": Verdict(
                "holds", "structure", f"each entry of `{name}` is scaled where an output would be"
            )
        },
    )


def _hooked(node: ast.AST, names: set[str]) -> bool:
    """Whether a layer is used for something besides being applied: hooks, quantisation, its
    weights."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr in names
        and isinstance(node.value.value, ast.Name)
        and node.value.value.id == "self"
    )


_HEAD = """\
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(2048, 2048, dtype=torch.bfloat16)

    @torch.inference_mode()
    def score(self, x):
        return self.out(x[:, -1])
"""

_CALLED = """

def score(x: torch.Tensor):
    torch.manual_seed(0)
    return Head().score(x.bfloat16()).float().round()
"""

_AFTER = _HEAD.replace(
    "self.out(x[:, -1])", "linear_int8(x[:, -1], *int8_weights(self.out.weight), self.out.bias)"
).replace(
    "from torch import nn",
    "from auditor.kernels import int8_weights, linear_int8\nfrom torch import nn",
)

REWRITE = Rewrite(
    code="RED508",
    name="int8-weights",
    summary="large linear layers in inference code read weights of 8 bits",
    doc=__doc__,
    properties=("redundancy",),
    find=find,
    fix="unsafe",
    seeks=("again",),
    kernel="auditor.kernels.linear_int8",
    becomes="linear_int8(x, *int8_weights(self.layer.weight), self.layer.bias)",
    examples=(Example("a head", _HEAD + _CALLED, _AFTER + _CALLED, "(torch.zeros(2, 3, 2048),)"),),
    refused=(
        RefusedExample(
            "hooks",
            _HEAD.replace(
                "    @torch", "        self.out.weight.requires_grad_(False)\n\n    @torch"
            ).replace("\n\n\n    @", "\n\n    @"),
        ),
    ),
    unmatched=(
        _HEAD.replace("    @torch.inference_mode()\n", ""),
        _HEAD.replace("    @torch.inference_mode()\n", "    @torch.enable_grad()\n"),
        _HEAD.replace("2048, 2048", "256, 2048"),
        _HEAD.replace("__init__(self)", "__init__(self, width)").replace(
            "2048, 2048", "width, 2048"
        ),
        _HEAD.replace("nn.Linear(2048, 2048", "nn.Bilinear(2048, 2048, 4"),
        _HEAD.replace(
            "        return self", "        self.out = nn.Identity()\n        return self"
        ),
    ),
    again=True,
)
