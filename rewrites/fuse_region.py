"""Chains of pointwise operations over large arrays, each of which reads and writes all of memory.

Finds three or more pointwise operations of torch one on the result of the other, over a million
elements or more, in files that say what their functions are given (``get_inputs``) and compile
nothing themselves. Where another rewrite takes the place, that one is told.

Why it pays: each operation reads and writes its array, and an array that is larger than the cache
comes from memory each time. A compiled region reads the operands and writes the result once: of k
passes over n elements of w bytes it saves 2 (k - 1) n w bytes.

Advice only: ``torch.compile`` takes the function as it is; whether compiling pays for its own time
depends on how often the function is called.

Source: Ansel et al., "PyTorch 2: Faster Machine Learning Through Dynamic Python Bytecode
Transformation and Graph Compilation" (2024).
"""

from __future__ import annotations

import ast

from auditor.arrays.stated_sizes import chain
from auditor.notation import Computation
from auditor.rewrite import Match, Rewrite, Site

LEAST = 1 << 20
"""Elements from which on an array does not stay in a cache."""

PASSES = 3
WIDTH = 4
"""Bytes of an element."""


def find(site: Site) -> Match | None:
    """The match of a function, or None."""
    function = site.lifted.node
    if not site.again or site.node is not None or not isinstance(function, ast.FunctionDef):
        return None
    if "get_inputs" not in site.lifted.module.text or "compile(" in site.lifted.module.text:
        return None
    found = chain(site.lifted, function, LEAST, PASSES)
    if found is None:
        return None
    span = site.lifted.module.span(found.node)
    saved = 2 * (found.passes - 1) * found.elements * WIDTH
    return Match(
        span=span,
        message=f"{found.passes} pointwise operations pass over {found.elements} elements one after"
        f" the other: compiled as one region (`torch.compile`) they move {saved / 1e6:.0f} MB less,"
        f" at {WIDTH} bytes an element",
        computation=Computation("expression", site.lifted.scope, span, ()),
        gains={"any": float(found.passes)},
    )


_CHAIN = """\
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        y = torch.sigmoid(x) * x
        y = torch.tanh(y + 1.0)
        return y / 2.0


def get_inputs():
    return [torch.randn(128, 65536)]


def get_init_inputs():
    return []
"""

REWRITE = Rewrite(
    code="LOC307",
    name="fuse-region",
    summary="pointwise operations over large arrays are compiled as one region",
    doc=__doc__,
    properties=("locality",),
    find=find,
    seeks=("again",),
    fix="advice",
    becomes="torch.compile(...)",
    unmatched=(
        _CHAIN.replace("65536", "512"),
        _CHAIN.replace("get_inputs", "inputs"),
        _CHAIN.replace("return y / 2.0", "return y").replace(" + 1.0", "").replace(") * x", ")"),
        _CHAIN.replace("class Model", "@torch.compile()\nclass Model"),
    ),
    again=True,
)
