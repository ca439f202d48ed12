"""Mean and variance kept in one pass.

Finds loops whose carried values are running moments (Welford's mean and squared deviations, a
running mean with its count): several values that depend on one another and on which one step is
not a scan by itself.

Legal because there are coordinates of the state, polynomials such as n m and M2 + n m^2, to which
a step merely adds something free of the state: halves are combined by adding coordinates. They
are derived from the loop's own body and proven, not recognised by name.

Advice only: an array operation (``torch.var_mean``) sums in another order and over an array that
the loop may not have; what to call depends on where the samples are.

Source: Welford, "Note on a Method for Calculating Corrected Sums of Squares and Products" (1962);
Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample
Variances" (1979).
"""

from __future__ import annotations

from auditor.algebra.domains import summarise
from auditor.algebra.joint import one_pass
from auditor.algebra.limits import CannotEvaluate, TooLarge
from auditor.algebra.summary import Summary
from auditor.notation import Apply, walk
from auditor.rewrite import Match, Rewrite, Site


def find(site: Site) -> Match | None:
    """The match of a loop, or None."""
    loop = site.loop
    if loop is None or loop.blocked is not None or len(loop.scan.carries) < 2:
        return None
    try:
        stages = [stage for stage in summarise(loop.scan) if isinstance(stage, Summary)]
        whole = one_pass(loop.scan, stages)
    except (TooLarge, CannotEvaluate):
        return None
    if whole is None or not _polynomial(whole):
        return None
    names = ", ".join(f"`{loop.scan.carries[slot].name}`" for slot in whole.state)
    return Match(
        span=loop.span,
        message=f"{names} are running moments: one pass over an array has them at once, and halves"
        " of the data combine",
        computation=site.computation,
    )


def _polynomial(whole: Summary) -> bool:
    """Coordinates without exponentials: moments, where a softmax's are not."""
    coordinates = [term for name, term in whole.elements.items() if name.startswith("coordinate ")]
    return bool(coordinates) and not any(
        isinstance(node, Apply) and node.op == "exp" for term in coordinates for node in walk(term)
    )


_WELFORD = """\
def moments(samples):
    count, mean, deviations = 0, 0.0, 0.0
    for x in samples:
        count += 1
        step = x - mean
        mean += step / count
        deviations += step * (x - mean)
    return mean, deviations / count
"""

REWRITE = Rewrite(
    code="ASC108",
    name="one-pass-moments",
    summary="running mean and variance are a monoid",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    fix="advice",
    becomes="torch.var_mean, numpy.var",
    unmatched=(_WELFORD.replace("step / count", "step / (count + mean * mean)"),),
)
