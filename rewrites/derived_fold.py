"""A Python fold with a combine that is not written in it.

Finds loops whose carried values depend on one another (a sum measured against a running maximum,
a best value with its place) and that are a monoid all the same; and loops over records, lines and
the like that keep several numbers side by side, or an entry for each key.

Legal because there are coordinates of the state to which a step merely adds, or an order by which
the better of two states is kept: both are derived from the loop's body and proven, so that the data
may be split anywhere and the parts combined.

Advice only: what to run the parts on (threads, processes, machines) is the user's choice.
`audit derive PATH:LINE` shows the state, identity, combine and finish; `--to` writes the program.

Source: Farzan and Nicolet, "Synthesis of Divide and Conquer Parallelism for Loops" (2017), for the
question; the derivation here is by null space and normal forms.
"""

from __future__ import annotations

import ast

from auditor.algebra.joint import mergeable
from auditor.derive.tallies import tallies
from auditor.lift.loops import Loop
from auditor.rewrite import Match, Rewrite, Site


def find(site: Site) -> Match | None:
    """The match of a loop, or None."""
    loop = site.loop
    if loop is None:
        return None
    told = _lifted(loop)
    if told is None:
        return _streamed(site, loop)
    names, combine = told
    shown = ", ".join(f"`{name}`" for name in names)
    lifter = site.lifted.lifter
    places = [effect.span for effect in lifter.effects] + [span for _, span in lifter.overwritten]
    written = any(loop.span.covers(span) for span in places) or not _derived(site, loop)
    derive = "" if written else f" (`audit derive PATH:{loop.span.line}` writes it)"
    return Match(
        span=loop.span,
        message=f"{shown}: this is a fold with an associative combine, {combine}; parts of the data"
        f" can be folded apart and then combined{derive}",
        computation=site.computation,
    )


def _derived(site: Site, loop: Loop) -> bool:
    """Whether `audit derive` finds the combine as well: it reads loops over anything, but not all
    that notation says of arrays."""
    from auditor.derive.streams import derived as derived_from

    module = site.lifted.module
    if not isinstance(loop.node, ast.For) or module.respelled:
        return False
    return derived_from(module, loop.node) is not None


def _lifted(loop: Loop) -> tuple[tuple[str, ...], str] | None:
    """The carried values and the combine of a loop that is read as arrays."""
    if loop.blocked is not None or len(loop.scan.carries) < 2:
        return None
    whole = mergeable(loop.scan)
    if whole is None:
        return None
    return tuple(loop.scan.carries[slot].name for slot in whole.state), whole.combine


def _streamed(site: Site, loop: Loop) -> Match | None:
    """The match of a loop over a stream, whose steps the reader of ``audit derive`` knows."""
    module = site.lifted.module
    if not isinstance(loop.node, ast.For) or not tallies(loop.node) or module.respelled:
        return None
    # few loops are asked
    from auditor.algebra.summary import WIDTHS, fixed_width
    from auditor.derive.places import loop_in
    from auditor.derive.streams import derived as derived_from

    inside = loop_in(module.tree, loop.span.line).outer
    derived = None if inside else derived_from(module, loop.node)
    if derived is None:
        return None
    fold = derived.fold
    begun = " ".join(fold.starts.values())
    if any(map(fixed_width, loop.scan.carries)) or any(name in begun for name in WIDTHS):
        return None  # numbers that wrap around
    if fold.keyed is not None:
        shown, per = f"`{fold.keyed.name}[{fold.keyed.key}]`", ", for each entry"
    else:
        shown, per = ", ".join(dict.fromkeys(f"`{c.name}`" for c in fold.scan.carries)), ""
    algebra = "; ".join(dict.fromkeys(part.algebra for part in derived.monoid.parts)) + per
    return Match(
        span=loop.span,
        message=f"{shown}: this is a fold with an associative combine, {algebra}; parts of the data"
        f" can be folded apart and then combined (`audit derive PATH:{loop.span.line}` writes it)",
        computation=site.computation,
    )


_ONLINE = """\
import math


def normaliser(scores):
    largest, total = -math.inf, 0.0
    for x in scores:
        if x > largest:
            total = total * math.exp(largest - x) + 1.0
            largest = x
        else:
            total += math.exp(x - largest)
    return largest, total
"""

_COLLECTED = """\
def picked(all_scores, all_boxes, threshold):
    results = []
    for scores, boxes in zip(all_scores, all_boxes):
        keep = scores > threshold
        scores = scores[keep]
        boxes = boxes[keep]
        results.append({"scores": scores, "boxes": boxes})
    return results
"""

REWRITE = Rewrite(
    code="ASC111",
    name="derived-fold",
    summary="a fold has an associative combine, derived from its body",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop",),
    fix="advice",
    becomes="the same fold on parts of the data, combined",
    unmatched=(_ONLINE.replace("total * math.exp(largest - x)", "total"), _COLLECTED),
)
