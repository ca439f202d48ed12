"""Masks that are multiplied with what they were multiplied with before.

Finds ``h * m`` where ``h`` is ``... * m`` already, in one expression (``x * m * m``) or through a
name, for a mask ``m`` of zeros and ones: a comparison, alone or as numbers
(``(ids != pad).float()``), several of them joined by ``&``, ``|``, ``~`` or multiplied, a triangle
of ones, a one-hot array.

Legal because zero and one are their own squares: what was multiplied by zero is zero (or NaN) and
stays so, what was multiplied by one is what it was.

Pays always: a product of arrays is not made.

Safe means: the very same numbers, of the same type, and the same gradients. The mask is the same
array, which nothing changes in between. What takes the place of the product is no array of its own,
so that an operation must follow that makes one.

Source: Halmos, "Finite-Dimensional Vector Spaces" (1958), section 41, on idempotents.
"""

from __future__ import annotations

import ast

from auditor.lift.call_effects import Does, does
from auditor.notation import Apply, Const, Read, Term, Value, definition
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region
from auditor.verdict import Edit, Verdict

_TRUTHS = frozenset(("lt", "le", "gt", "ge", "eq", "ne", "not", "and", "or"))
_OF_BOTH = frozenset(("mul", "min", "max"))
_DEEP = 12


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    node, value = site.node, site.value
    if site.loop is not None or not isinstance(node, ast.BinOp) or site.statement is None:
        return None
    if not isinstance(node.op, ast.Mult) or value is None:
        return None
    region = Region(site.lifted)
    for mask, masked in ((node.right, node.left), (node.left, node.right)):
        m, h = region.values.get(mask), region.values.get(masked)
        if isinstance(m, Value) and isinstance(h, Value) and _again(value, m, h):
            return _match(site, region, node, mask, masked)
    return None


def _match(site: Site, region: Region, node: ast.BinOp, mask: ast.expr, masked: ast.expr) -> Match:
    site.require(
        isinstance(masked, ast.BinOp) or _computed_with(region, node),
        "own",
        "the product is an array of its own, and what takes its place is none",
    )
    text = region.module.source(masked)
    named = isinstance(masked, ast.Name)
    edit = Edit(region.without_brackets(node), text) if named else region.replace(node, text)
    said = region.module.source(mask)
    shown = f"`{said}` is zero or one, and multiplied in already"
    return Match(
        span=region.module.span(node),
        message=f"what is multiplied by the mask `{said}` was multiplied by it before",
        computation=site.computation,
        edits=(edit,),
        numerics="exact",
        verdicts={
            "redundancy": Verdict("holds", "structure", shown),
            "sparsity": Verdict("partial", "structure", f"`{said}` leaves out what it left out"),
        },
    )


def _again(value: Value, mask: Value, masked: Value) -> bool:
    """Whether a product multiplies what holds a factor ``mask`` of zeros and ones by it again."""
    factors = _factors(value.body)
    reads = [f for f in factors if isinstance(f, Read)]
    one = next((read for read in reads if read.value is mask), None)
    other = next((read for read in reads if read.value is masked and read is not one), None)
    if len(factors) != 2 or one is None or other is None or not _zero_or_one(one):
        return False
    return any(factor is one for factor in _all_factors(other))


def _factors(term: Term | None) -> tuple[Term, ...]:
    return term.args if isinstance(term, Apply) and term.op == "mul" else ()


def _all_factors(term: Term) -> list[Term]:
    """The factors of what a term names, products behind names taken apart."""
    found: list[Term] = []
    waiting = [term]
    while waiting and len(found) < _DEEP:
        at = waiting.pop()
        found.append(at)
        inner = definition(at) if isinstance(at, Read) else at
        waiting += _factors(inner) or ([inner] if isinstance(inner, Read) else [])
    return found


def _zero_or_one(term: Term | None, depth: int = _DEEP) -> bool:
    """Whether a term is zero or one at every place."""
    if term is None or depth == 0:
        return False
    if isinstance(term, Const):
        return term.value in (0, 1)
    if isinstance(term, Read):
        return term.value.dtype == "bool" or _zero_or_one(definition(term), depth - 1)
    if not isinstance(term, Apply):
        return False
    parts = term.args[1:] if term.op == "where" else term.args
    if term.op in _TRUTHS:
        return True
    whole = term.op == "where" or term.op in _OF_BOTH or term.op.startswith("cast:")
    return whole and all(_zero_or_one(part, depth - 1) for part in parts)


def _computed_with(region: Region, node: ast.expr) -> bool:
    """Whether what is done with an expression makes an array of its own."""
    above = region.parents.get(node)
    if isinstance(above, ast.Attribute):
        above = region.parents.get(above)
    if isinstance(above, ast.Call):
        return does(region.module, above) is Does.FRESH
    return isinstance(above, (ast.BinOp, ast.UnaryOp, ast.Compare))


_LOSS = """\
import torch


def loss(error: torch.Tensor, tokens: torch.Tensor, pad: int):
    mask = (tokens != pad).float()
    kept = error.square() * mask
    return (kept * mask).sum() / mask.sum()
"""

_LOSS_AFTER = """\
import torch


def loss(error: torch.Tensor, tokens: torch.Tensor, pad: int):
    mask = (tokens != pad).float()
    kept = error.square() * mask
    return kept.sum() / mask.sum()
"""

REWRITE = Rewrite(
    code="RED512",
    name="repeated-mask",
    summary="a mask of zeros and ones is multiplied in once",
    doc=__doc__,
    properties=("redundancy",),
    find=find,
    seeks=("masked",),
    becomes="x * m",
    examples=(
        Example("a loss of padded tokens", _LOSS, _LOSS_AFTER,
                "((torch.randn(3, 4, requires_grad=True), torch.randint(0, 3, (3, 4)), 0),)"),
    ),
    refused=(
        RefusedExample("own", _LOSS.replace(
            "return (kept * mask).sum() / mask.sum()", "again = kept * mask\n    return again")),
    ),
    unmatched=(
        _LOSS.replace("(tokens != pad).float()", "(tokens - pad).float()"),
        _LOSS.replace("(kept * mask)", "(kept * (tokens != 1))"),
        _LOSS.replace("    return", "    mask = (tokens != 1).float()\n    return"),
        _LOSS.replace("square() * mask", "square() + mask"),
        _LOSS_AFTER,
    ),
)  # fmt: skip
