"""Mean and variance in one pass: running moments, and layer and RMS norm written by hand.

Finds (x - mean) / sqrt(var + eps) over the last axes of a tensor, in any spelling of the
statistics (two passes, ``x.var``, mean square less squared mean) and of the root, with a scale
and a shift around it or without; the same without the mean (RMS norm); the variance of a tensor by
hand over any axes, beside its mean or alone (batch norm's statistics), and the library's ``var`` or
``std`` where the mean is taken beside it, as in standard scores; and loops whose carried values are
running moments (Welford's mean and squared deviations).

Legal because mean and variance are polynomials in sums of powers, and sums are monoids; the
statistics are compared in normal form with those of the tensor, so that the denominator (n, not
n - 1), the place of epsilon (inside the root) and the axes are the operation's own. For loops the
coordinates of the state to which a step only adds (n m, M2 + n m^2) are derived from the body.

A norm over other axes than the last keeps its own scaling: torch's batch norm raises where there is
one entry a channel.

Pays because each statement is a pass over memory, and torch's operation reads x once or twice. On a
CPU ``torch.nn.functional.rms_norm`` is as slow as the code it replaces: it is suggested for GPUs.

Safe means: the same values up to the order of roundings, the same dtype, shape and gradients, for
real tensors with at least one axis. Scale and shift stay in the code, as they were written, since
they may have another dtype. Sums by their count may be of whole numbers, of which torch takes no
mean: no fix, unless the dtype is known. A variance as mean square less squared mean loses digits
that the operation keeps: ``conditioned``. Rows of equal entries, whose deviations are all 0, come
out as 0 up to rounding times 1 / sqrt(eps), and their deviation as 0 up to rounding; without an
epsilon, which only the library's ``std`` may lack, both divide such rows by 0. Statistics that are
used elsewhere, detached, in another dtype than the tensor or kept under another context stay. Norms
of permuted views lie in memory in another order: unsafe where the file depends on their strides.
``rms_norm`` needs torch 2.4. Of the loops only Welford's, over what certainly is a list of numbers
or an array, is rewritten; others are advice, and so are norms and variances of NumPy arrays, for
which that library has no one operation.

Sources: Ba, Kiros and Hinton, "Layer Normalization" (2016); Zhang and Sennrich, "Root Mean Square
Layer Normalization" (2019); Welford, "Note on a Method for Calculating Corrected Sums of Squares
and Products" (1962); Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for
Computing Sample Variances" (1979).
"""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.algebra.joint import mergeable
from auditor.algebra.limits import TooLarge
from auditor.algebra.normal import expand
from auditor.algebra.summary import Summary
from auditor.arrays.complex_numbers import NO_COMPLEX, maybe_complex
from auditor.arrays.reached import operations
from auditor.arrays.strides import reordered
from auditor.assumed import assuming, reason_of
from auditor.expressions.region import ExpressionRegion, Text, text_of
from auditor.expressions.suppositions import counted_alike, guessed_rank, made_of
from auditor.moments.running import at_once, running
from auditor.moments.standardised import Moments, Standardised, operation, standardised
from auditor.moments.together import named_before
from auditor.moments.variances import Variance, axes_of, divides, may_be_whole, scales, variance
from auditor.notation import Apply, Span, Value, walk
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region
from auditor.surroundings.restored import Restored
from auditor.verdict import Edit


def find(site: Site) -> Match | None:
    """The match of a loop or an expression, or None. Raises ``Refused``."""
    if site.loop is not None:
        return _moments(site)
    if site.value is None or site.statement is None or site.node is None:
        return None
    region = ExpressionRegion(site)
    product = operation(region, site.node)[0] in (ast.Mult, ast.Div)
    product = product and not operations(site.lifted, site.value).isdisjoint(_ROOTS)
    try:
        found = standardised(region) if product else None
        if found is not None and (found.eps is not None or found.bare):
            return _norm(site, region, found)
        spread = variance(region)
    except TooLarge:
        return None
    return None if spread is None else _variance(site, region, spread)


_ROOTS = ("sqrt", "rsqrt", "pow")


def _variance(site: Site, region: ExpressionRegion, found: Variance) -> Match | None:
    """The kernel in place of a variance; with the mean, where that is computed just before."""
    x, axes = region.say(found.x), found.reduced.named or found.reduced.axes
    assert site.value is not None
    plain = site.lifted.module.library == "numpy" and not region.tensors([site.value, found.x])
    if found.listed or found.whole or found.x.library == "numpy" or plain:
        way = "one pass has both" if found.listed else "`var` of the array computes it"
        way = "of floating-point numbers `welford` computes both" if found.whole else way
        if found.called:
            taken = "the mean and the deviations that are taken beside it"
            way = f"`{found.reduced.way}` takes {taken} once more"
        message = f"mean and squared deviations are one fold: {way}"
        told = not found.called or (plain and _mean_beside(region, found))
        return Match(site.computation.span, message, site.computation) if told else None
    scaling, places = scales(region, found, site.value), axes_of(found.x, found.reduced)
    if found.root and found.correction == 0 and divides(region, site.value):
        scaling = scaling or "norm"
    guessed, alike = guessed_rank(region, found.x), counted_alike(region, site.value)
    trailing = places == tuple(range(len(found.x.axes)))[-len(places) :] if places else True
    trailing = trailing and not (guessed and alike == 1) and axes is not None
    if scaling is not None and (scaling == "other" or trailing):
        return None  # a norm, which is one operation, or none of torch's
    site.require(x is not None, "names", "the tensor has no name here")
    assert x is not None and site.value is not None and site.value.body is not None
    site.require(region.tensors([site.value, found.x]), "tensors", "nothing says it is a tensor")
    site.require(
        not guessed or alike is not None, "ranks", f"nothing says how many axes `{x.text}` has"
    )  # fmt: skip
    steady = region.steady([*made_of(site.value), found.x], [x])
    site.require(steady, "effects", "something in between may change it")
    arguments = [x.text, *([region.one_line(axes)] if axes is not None else [])]
    arguments += [f"correction={found.correction}"]
    arguments += ["keepdim=True"] if found.reduced.keepdim else []
    arguments += ["root=True"] if found.root else []
    call = f"welford({', '.join(arguments)})"
    edits, covers = _with_mean(region, found, call)
    if edits is None and found.called:
        before = named_before(region, found, x, call)
        if before is None:
            return None
        edits, covers = before
    if edits is None:
        removal = region.removal({region.node: Text("", x.reads)})
        edits = [region.replacement("welford", arguments, "[1]"), *removal.edits]
    whole = replace(site.value, body=expand(site.value.body))
    return Match(
        span=site.computation.span,
        message="mean and squared deviations are one fold over the tensor",
        computation=replace(site.computation, outputs=(whole,)),
        edits=tuple(sorted(edits)),
        imports=(("auditor.kernels", "welford"),),
        numerics="conditioned" if found.subtracts or found.root else "reassociated",
        reason=reason_of(assuming(_real(found.x, x)), _CONSTANT if found.root else None),
        kernel="auditor.kernels.welford",
        covers=covers,
    )


def _mean_beside(region: ExpressionRegion, found: Variance) -> bool:
    """Whether the function takes the mean of the same entries as well."""
    axes = axes_of(found.x, found.reduced)
    if axes is None:
        return False
    forms = Moments(region, found.x, axes, found.reduced.keepdim)
    calls = (region.values.get(node) for node in region.nodes if isinstance(node, ast.Call))
    return any(isinstance(value, Value) and forms.is_mean(value) for value in calls)


def _with_mean(
    region: ExpressionRegion, found: Variance, call: str
) -> tuple[list[Edit] | None, tuple[Span, ...]]:
    """``mean, variance = welford(...)`` where two statements that follow each other name them, or
    one names both."""
    statement = region.statement
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Tuple):
        return _side_by_side(region, found, call, statement)
    if not (isinstance(statement, ast.Assign) and statement.value is region.node):
        return None, ()
    block = region.siblings(statement)
    place = block.index(statement)
    for other in block[max(place - 1, 0) : place] + block[place + 1 : place + 2]:
        made = _paired(region, found, call, statement, other)
        if made is not None:
            return made
    return None, ()


def _side_by_side(
    region: ExpressionRegion, found: Variance, call: str, statement: ast.Assign
) -> tuple[list[Edit] | None, tuple[Span, ...]]:
    """The edit of ``mean, variance = x.mean(0), x.var(0)``."""
    assert isinstance(statement.value, ast.Tuple)
    target, values = statement.targets[0], statement.value.elts
    if not isinstance(target, ast.Tuple) or len(statement.targets) != 1 or len(values) != 2:
        return None, ()
    names = [part.id for part in target.elts if isinstance(part, ast.Name)]
    if len(names) != 2 or region.node not in values:
        return None, ()
    place = values.index(region.node)
    mean, axes = region.values.get(values[1 - place]), axes_of(found.x, found.reduced)
    if not isinstance(mean, Value) or axes is None:
        return None, ()
    if not Moments(region, found.x, axes, found.reduced.keepdim).is_mean(mean):
        return None, ()
    line = f"{names[1 - place]}, {names[place]} = {call}"
    return [region.replace_lines(statement, [line])], (region.module.span(values[1 - place]),)


def _paired(
    region: ExpressionRegion, found: Variance, call: str, statement: ast.Assign, before: ast.stmt
) -> tuple[list[Edit], tuple[Span, ...]] | None:
    """The edits where ``before``, a neighbour of ``statement``, names the mean."""
    if not isinstance(before, ast.Assign) or not isinstance(before.value, ast.Call):
        return None
    if before.lineno <= statement.end_lineno and statement.lineno <= before.end_lineno:  # type: ignore[operator]
        return None
    names = [t.id for each in (before, statement) for t in each.targets if isinstance(t, ast.Name)]
    value = region.values.get(before.value)
    if len(names) != 2 or len(before.targets) != 1 or not isinstance(value, Value):
        return None
    positions = axes_of(found.x, found.reduced)
    if positions is None or names[0] == names[1]:
        return None
    forms = Moments(region, found.x, positions, found.reduced.keepdim)
    x = region.say(found.x)
    if not forms.is_mean(value) or x is None or names[1] in x.reads or names[0] in x.reads:
        return None
    if not region.reads_outside(names[0], (statement, before)):
        return None
    line = f"{names[0]}, {names[1]} = {call}"
    edits = [region.drop(before), region.replace_lines(statement, [line])]
    return edits, (region.module.span(before),)


def _norm(site: Site, region: ExpressionRegion, found: Standardised) -> Match:
    """The call of torch's norm in place of the product."""
    assert site.node is not None and site.value is not None and site.value.body is not None
    arrays = site.lifted.module.library == "numpy" or found.x.library == "numpy"
    if arrays and not region.tensors([site.value, found.x]):
        message = f"this is {_MEANINGS[found.kind]}: its statistics are one fold over the array"
        covers = _statistics(region, found)
        return Match(site.computation.span, message, site.computation, covers=covers)
    restored = Restored(region)
    x = region.say(found.x) or restored.say(found.x)
    eps = text_of("0.0") if found.eps is None else region.source_text(found.eps)
    site.require(x is not None and eps is not None, "names", "the tensor has no name here")
    assert x is not None and eps is not None
    whole = may_be_whole(region, found.x)
    made = whole and _made_of_floats(site, found.x)
    try:
        site.require(made or not whole, "dtypes", f"`{x.text}` may be of whole numbers")
    except Refused as refused:
        message = (
            f"this is {_MEANINGS[found.kind]}: of floating-point numbers it is one operation; not"
            f" applied here: {refused.reason}"
        )
        covers = _statistics(region, found)
        refused.advice = Match(site.computation.span, message, site.computation, covers=covers)
        raise
    values = [site.value, found.x, *found.statistics]
    site.require(region.tensors(values), "tensors", "nothing says that it is a tensor")
    site.require(
        not guessed_rank(region, found.x) or counted_alike(region, site.value) == -1,
        "ranks",
        f"nothing says how many axes `{x.text}` has, and dimensions are counted from the front",
    )
    site.require(
        region.same_gradients(found.statistics), "context", "the statistics have their own context"
    )
    held = [x, eps, *(Text(name, frozenset({name})) for name, _ in restored.names)]
    site.require(
        region.steady(found.statistics, held), "effects", "something in between may change it"
    )
    name, imports = _functional(region, found.kind)
    rest = [(text_of(region.one_line(node)), power) for node, power in found.rest]
    before = "".join(f"{text.multiplied()} * " for text, power in rest if power == 1)
    after = "".join(f" / {text.multiplied()}" for text, power in rest if power == -1)
    reads = [text.reads for text in (x, eps, *(text for text, _ in rest))]
    spoken = Text("", frozenset().union(*reads))
    removal = region.removal({region.node: spoken}, restored.alive)
    region.require_gone(removal, found.statistics, region.node, "statistics")
    restored.require_unbound(removal.gone)
    computed = replace(site.value, body=expand(site.value.body))
    arguments = [x.text, f"{x.dotted()}.shape[-{found.count}:]", f"eps={eps.text}"]
    edit = region.replacement(f"{before}{name}", arguments, after)
    doubt, assumed = reordered(site.lifted, site.node)
    equal = _BARE if found.bare else _CONSTANT if found.kind == "layer" else None
    return Match(
        span=site.computation.span,
        message=f"this is {_MEANINGS[found.kind]}: statistics and scaling are one operation",
        computation=replace(site.computation, outputs=(computed,)),
        edits=tuple(sorted([edit, *removal.edits])),
        imports=imports,
        numerics="conditioned" if found.subtracts or found.bare else "reassociated",
        covers=_statistics(region, found),
        reason=reason_of(
            assuming(filter(None, [assumed, *_real(found.x, x), *([_MADE.format(x.text)] * made)])),
            equal,
            doubt,
        ),
        safe=doubt is None,
    )


_MADE = "`{}` holds floating-point numbers, as `get_inputs` says"


def _made_of_floats(site: Site, x: Value) -> bool:
    """Whether the file itself makes floating-point numbers of what it measures with."""
    made = site.lifted.facts.tensors.get(x.name) if x.kind == "input" else None
    return made is not None and made.startswith(("float", "bfloat"))


def _real(value: Value, said: Text) -> list[str]:
    """What is assumed where torch's operation and the kernel take other squares of complex
    numbers than the code, or none."""
    return [f"`{said.text}` holds {NO_COMPLEX}"] if maybe_complex(value) else []


def _statistics(region: ExpressionRegion, found: Standardised) -> tuple[Span, ...]:
    """Where the statistics are computed, beside the product."""
    made = (region.origin(value) for value in found.statistics)
    return tuple(
        region.module.span(node)
        for node in made if node is not None and not region.within(node, region.node)
    )  # fmt: skip


_BARE = "where all entries of a row are equal, both divide by 0"
_CONSTANT = "where all entries of a row are equal, 0 comes out up to rounding"
_MEANINGS = {"layer": "a layer norm", "rms": "an RMS norm"}


def _functional(
    region: ExpressionRegion, kind: str
) -> tuple[str, tuple[tuple[str, str | None], ...]]:
    """How the file spells the operation, and the import that it lacks."""
    call = f"{kind}_norm"
    for name, path in region.module.names.items():
        if path == "torch.nn.functional":
            return f"{name}.{call}", ()
    for name, path in region.module.names.items():
        if path == "torch":
            return f"{name}.nn.functional.{call}", ()
    return f"torch.nn.functional.{call}", (("torch", None),)


def _moments(site: Site) -> Match | None:
    """Running moments, as advice."""
    loop = site.loop
    if loop is None or loop.blocked is not None or len(loop.scan.carries) < 2:
        return None
    found = running(loop)
    edits = at_once(Region(site.lifted), loop, found) if found is not None else None
    if found is not None and edits is not None:
        return Match(
            span=loop.span,
            message=f"`{found.mean}` and `{found.squares}` are the mean and the squared deviations"
            " of all samples, one step at a time",
            computation=site.computation,
            edits=tuple(sorted(edits)),
        )
    whole = mergeable(loop.scan)
    if whole is None or not _polynomial(whole):
        return None
    names = ", ".join(f"`{loop.scan.carries[slot].name}`" for slot in whole.state)
    return Match(
        span=loop.span,
        message=f"{names} are running moments: one call over an array computes them, and those of"
        " parts of the data can be combined",
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

_WELFORD_AFTER = """\
def moments(samples: list[float]):
    count, mean, deviations = 0, 0.0, 0.0
    count = len(samples)
    if count:
        mean = sum(samples) / count
        deviations = sum((x - mean) * (x - mean) for x in samples)
    return mean, deviations / count
"""

_LAYER = """\
import torch
import torch.nn.functional as F


def normalise(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    return weight * (x - mean) / torch.sqrt(variance + eps)
"""

_SUMS = """\
import torch


def normalise(x: torch.Tensor, eps: float = 1e-5):
    count = x.shape[-1]
    mean = x.sum(dim=-1, keepdim=True) / count
    variance = ((x - mean) ** 2).sum(dim=-1, keepdim=True) / count
    return (x - mean) / torch.sqrt(variance + eps)
"""

_LAYER_AFTER = """\
import torch
import torch.nn.functional as F


def normalise(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-5):
    return weight * F.layer_norm(x, x.shape[-1:], eps=eps)
"""

_CHANNELS = """\
import torch


def whiten(images: torch.Tensor):
    batch, channels, height, width = images.shape
    mean = torch.mean(images, dim=(2, 3), keepdim=True)
    spread = (images * images).mean((2, 3), keepdim=True) - mean**2
    centred = images - mean
    return centred * torch.rsqrt(1e-6 + spread)
"""

_CHANNELS_AFTER = """\
import torch


def whiten(images: torch.Tensor):
    batch, channels, height, width = images.shape
    return torch.nn.functional.layer_norm(images, images.shape[-2:], eps=1e-6)
"""

_BATCH = """\
import torch


def normalise(x: torch.Tensor):
    batch, channels, height, width = x.shape
    mean = x.mean(dim=(0, 2, 3), keepdim=True)
    var = ((x - mean) ** 2).mean(dim=(0, 2, 3), keepdim=True)
    return (x - mean) / torch.sqrt(var + 1e-5)
"""

_BATCH_AFTER = """\
import torch
from auditor.kernels import welford


def normalise(x: torch.Tensor):
    batch, channels, height, width = x.shape
    mean, var = welford(x, (0, 2, 3), correction=0, keepdim=True)
    return (x - mean) / torch.sqrt(var + 1e-5)
"""

REWRITE = Rewrite(
    code="ASC108",
    name="one-pass-moments",
    summary="mean and variance are one fold: layer and RMS norm by hand, running moments",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop", ("root", "sums"), "moments"),
    becomes="F.layer_norm, F.rms_norm, welford(x, dim)",
    examples=(
        Example("a layer norm", _LAYER, _LAYER_AFTER,
                "((torch.randn(2, 5, 7, requires_grad=True), torch.randn(7)),"
                " (torch.randn(0, 3), torch.randn(3)))"),
        Example("over height and width", _CHANNELS, _CHANNELS_AFTER,
                "((torch.randn(2, 3, 5, 4, requires_grad=True),),)"),
        Example("running moments", _WELFORD.replace("samples", "samples: list[float]", 1),
                _WELFORD_AFTER, "(([1.0, 4.0, 2.5],), ([3.0],))"),
        Example("a batch norm", _BATCH, _BATCH_AFTER,
                "((torch.randn(2, 3, 5, 4, requires_grad=True),), (torch.randn(1, 3, 1, 1),))"),
    ),
    refused=(
        RefusedExample("statistics", _LAYER.replace("(variance + eps)", "(variance + eps), mean")),
        RefusedExample(
            "context",
            _LAYER.replace("    mean =", "    with torch.autocast('cpu'):\n        mean ="),
        ),
        RefusedExample("dtypes", _SUMS),
    ),
    unmatched=(
        _LAYER.replace("    return", "    x.zero_()\n    return"),
        _LAYER.replace("    mean =", "    with torch.no_grad():\n        mean ="),
        _WELFORD.replace("step / count", "step / (count + mean * mean)"),
        _LAYER.replace("torch.sqrt(variance + eps)", "(torch.sqrt(variance) + eps)"),
        _LAYER.replace("((x - mean) ** 2).mean(dim=-1", "x.var(dim=-1"),
        _LAYER.replace("x.mean(dim=-1, keepdim=True)", "x.mean(dim=-1, keepdim=True).detach()"),
        _LAYER.replace("(x - mean) ** 2", "(x.float() - mean) ** 2"),
        _LAYER.replace("mean = x.mean(dim=-1", "mean = x.mean(dim=-2"),
        _BATCH.replace("torch.sqrt(var + 1e-5)", "(torch.sqrt(var) + 1e-5)"),
        _BATCH.replace("((x - mean) ** 2).mean(dim=(0, 2, 3)", "x.var(dim=(0, 2, 3)"),
        _BATCH.replace("mean = x.mean(dim=(0, 2, 3)", "mean = x.mean(dim=(0, 2)"),
    ),
)  # fmt: skip
