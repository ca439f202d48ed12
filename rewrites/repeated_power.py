"""Loops that apply one map n times, by repeated squaring.

Finds loops that multiply a carried value by the same factor at every step (numbers, arrays element
by element, square matrices from the left or the right, batches of them), reduced by a modulus or
not, over ``range`` or counting up or down.

Legal because the product is associative: n equal factors are one power, whatever the grouping, and
a power takes about log2(n) products (Egyptian doubling). Powers of one factor commute, so that the
side on which each step multiplies does not matter either.

Pays by the products saved: at most 2 log2(n) instead of n. A matrix that is applied to a vector, or
to fewer columns than it has, stays: n products with a vector cost less than the powers.

Safe means: the same value of the same type. Integers come out exactly, also modulo m and where they
wrap; floats up to rounding, and a product that overflows may do so earlier. Where the loop may make
no step the new code is guarded, so that the start keeps its own type. Partial products that are
kept make it a scan and no power.

Sources: Stepanov and Rose, "From Mathematics to Generic Programming" (2014), chapters 2 and 7;
Knuth, "The Art of Computer Programming", section 4.6.3; the documentation of ``pow``,
``numpy.linalg.matrix_power`` and ``torch.linalg.matrix_power``.
"""

from __future__ import annotations

import ast

from auditor.powers.code import PowerCode
from auditor.recurrences.recurrence import LoopRegion
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site


def find(site: Site) -> Match | None:
    """The match of a loop, or None. Raises ``Refused``."""
    if site.loop is None or not isinstance(site.loop.node, (ast.For, ast.While)):
        return None
    if not site.loop.finals:
        return None
    return PowerCode(site, LoopRegion(site)).match()


REWRITE = Rewrite(
    code="ASC114",
    name="repeated-power",
    summary="the same factor multiplied in n times is a power",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop",),
    becomes="x**n, pow(x, n, m), matrix_power(A, n)",
)
