"""A sum over lags (``auditor.lagged.lags``) as code: a convolution, transforms, or the kernel.

    full[p] = sum_k still[k] moving[p - k]        y[i] = full[i + start]

A correlation is a convolution with one operand turned round: ``moving[i + k]`` meets ``still``
from its end. The convolutions of NumPy and torch take the sum as it is, in another order;
transforms are taken where the code states sizes from which they are faster (`FASTER`), and in
torch where its convolution does not take the rows: the kernel then decides when it is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from auditor.assumed import reason_of
from auditor.lagged.lags import Lagged
from auditor.lift import extents
from auditor.notation import ONE, ZERO, Const, Term, Value
from auditor.rewrite import Match

FASTER = 512
"""Elements of both operands from which NumPy's transforms take less time than its convolution, on
one core of a CPU (`python -m benchmarks.fft_crossover` prints the table): 93 and 81 microseconds at
512, 40 and 70 at 256, 4260 and 395 at 4096."""

SHORTEST_FILTER = 64
"""The same for torch; as in ``auditor.kernels.fft_conv``, where it is measured."""

KERNEL = "fft_conv"

ERRORS = "a transform's rounding errors are relative to the largest elements, not to each sum's own"


@dataclass(frozen=True)
class Written:
    """A text, whether it takes transforms, and what has to be longer than 0 for it."""

    text: str
    transforms: bool
    needed: tuple[Term, ...]


@dataclass(frozen=True)
class Sizes:
    """The lengths of both operands and of the result, and how a length is written."""

    moving: Term
    still: Term
    count: Term
    say: Callable[[Term], str]

    @property
    def stated(self) -> bool:
        known = [extents.constant(each) for each in (self.moving, self.still, self.count)]
        return all(each is not None for each in known)

    def longer_than(self, length: int) -> bool:
        """Whether sizes are stated, and those of both operands are no less."""
        known = [extents.constant(each) or 0 for each in (self.moving, self.still)]
        return self.stated and min(known) >= length


def imaginary(vectors: Iterable[Value], written: Written, torch: bool) -> bool:
    """Whether transforms of NumPy's real numbers would leave out the imaginary parts."""
    if torch or not written.transforms:
        return False
    return any((value.dtype or "").startswith("complex") for value in vectors)


def start(found: Lagged, sizes: Sizes) -> Term:
    """The place of the full convolution at which the result begins."""
    if found.ways == (1, -1):
        return found.offset
    if found.ways == (1, 1):
        return extents.add(found.offset, extents.sub(sizes.still, ONE))
    return extents.sub(extents.sub(sizes.moving, ONE), found.offset)


def fits(found: Lagged, sizes: Sizes) -> bool:
    """Whether the result is a part of the full convolution, as far as its sizes say."""
    if found.period is not None:
        return True
    if not _no_less(start(found, sizes)):
        return False
    over = _over(found, sizes)
    if found.reach is None:
        # A place at which no elements meet may lie behind the full convolution.
        return found.ways != (-1, 1) or found.halves is not None or _no_less(over)
    return over is ZERO or any(factor > 0 for factor in extents.polynomial(over).values())


def longer(found: Lagged, sizes: Sizes) -> str | None:
    """What has to be no more than what, where nothing says that the full convolution has all places
    of the result."""
    over = _over(found, sizes)
    if found.period is not None or found.reach is None or _no_less(over):
        return None
    sides: list[Term] = [ZERO, ZERO]
    for monomial, factor in extents.polynomial(over).items():
        part = extents.mul(Const(abs(factor)), *monomial)
        sides[factor < 0] = extents.add(sides[factor < 0], part)
    return f"`{sides[1]}` must be no more than `{sides[0]}`"


def _over(found: Lagged, sizes: Sizes) -> Term:
    """How many places the full convolution has behind the result."""
    whole = extents.sub(extents.add(sizes.moving, sizes.still), ONE)
    ends = extents.add(start(found, sizes), sizes.count)
    return extents.canonical(extents.sub(whole, ends))


def doubted(match: Match, doubt: str | None) -> Match:
    """The match as an unsafe one where there is a doubt."""
    if doubt is None or not match.edits:
        return match
    return replace(match, safe=False, reason=reason_of(match.reason, doubt))


def _no_less(term: Term) -> bool:
    """Whether a length is at least 0, all sizes being at least 1."""
    parts = dict(extents.polynomial(extents.canonical(term)))
    rest = parts.pop((), 0)
    return all(factor > 0 for factor in parts.values()) and sum(parts.values()) + rest >= 0


def numpy_text(found: Lagged, moving: str, still: str, sizes: Sizes, library: str) -> Written:
    """The sum of two vectors in NumPy."""
    if found.period is not None:
        return _circular(found, moving, still, sizes, library)
    if found.ways == (-1, 1):
        moving = f"{moving}[::-1]"
    elif found.ways == (1, 1):
        still = f"{still}[::-1]"
    needed = _needed(found, sizes)
    if not sizes.longer_than(FASTER) and _within(found, sizes):
        return Written(f'{library}.convolve({moving}, {still}, "valid")', False, needed)
    part = _slice(start(found, sizes), sizes)
    if not sizes.longer_than(FASTER):
        return Written(f"{library}.convolve({moving}, {still}){part}", False, needed)
    m, k = (extents.constant(each) or 0 for each in (sizes.moving, sizes.still))
    size = fast_length(m + k - 1)
    product = f"{library}.fft.rfft({moving}, {size}) * {library}.fft.rfft({still}, {size})"
    end = m + k - 1
    part = part or f"[:{end}]" if end < size else part
    return Written(f"{library}.fft.irfft({product}, {size}){part}", True, needed)


def _needed(found: Lagged, sizes: Sizes) -> tuple[Term, ...]:
    """What has to be longer than 0: both operands, or the sides of the matrix that one is."""
    return (sizes.count if found.halves else sizes.moving, sizes.still)


def _within(found: Lagged, sizes: Sizes) -> bool:
    """Whether the result is all places at which the first operand holds the whole of the other."""
    first = start(found, sizes)
    longer = extents.sub(sizes.moving, sizes.still)
    return (
        extents.sub(extents.add(first, ONE), sizes.still) is ZERO
        and extents.sub(extents.add(first, sizes.count), sizes.moving) is ZERO
        and _no_less(longer)
    )


def _circular(found: Lagged, moving: str, still: str, sizes: Sizes, library: str) -> Written:
    if found.ways == (-1, 1):  # sum_k a[(k - i) mod n] b[k] = sum_k b[(i + k) mod n] a[k]
        moving, still = still, moving
    turned = found.ways != (1, -1)
    if sizes.longer_than(FASTER):
        other = f"{library}.fft.rfft({still})"
        other = f"{library}.conj({other})" if turned else other
        length = sizes.say(sizes.count)
        product = f"{library}.fft.rfft({moving}) * {other}"
        return Written(f"{library}.fft.irfft({product}, {length})", True, (sizes.count,))
    twice = f"({moving}, {moving}[:-1])" if turned else f"({moving}[1:], {moving})"
    taps = f"{still}[::-1]" if turned else still
    text = f'{library}.convolve({library}.concatenate({twice}), {taps}, "valid")'
    return Written(text, False, (sizes.count,))


def torch_text(
    found: Lagged, moving: str, still: str, sizes: Sizes, library: str, rows: tuple[int, int]
) -> Written:
    """The sum along the last axes in torch; ``rows`` is how many axes the operands have besides."""
    circular = found.period is not None
    if min(rows) > 0 or max(rows) > 1 or sizes.longer_than(SHORTEST_FILTER):
        return kernel_text(found, moving, still, sizes)
    needed = (sizes.count,) if circular else _needed(found, sizes)
    if circular:
        ways = found.ways
        if ways == (-1, 1) or (ways == (1, -1) and rows[1]):
            moving, still, rows = still, moving, rows[::-1]
            ways = (1, 1) if ways == (-1, 1) else ways
        if rows[1]:
            return kernel_text(found, moving, still, sizes)
        turned = ways == (1, 1)
        places = ("[..., 1:]", "[..., :-1]") if rows[0] else ("[1:]", "[:-1]")
        pair = f"{moving}, {moving}{places[1]}" if turned else f"{moving}{places[0]}, {moving}"
        given, taps = f"{library}.cat(({pair}), -1)", still if turned else f"{still}.flip(-1)"
        padding = part = ""
    else:
        one = f"{moving}.flip(-1)" if found.ways == (-1, 1) else moving
        other = f"{still}.flip(-1)" if found.ways == (1, 1) else still
        length, exchanged = sizes.still, bool(rows[1])
        if exchanged:
            one, other, rows, length = other, one, rows[::-1], sizes.moving
        given, taps = one, other.removesuffix(".flip(-1)")
        taps = taps if taps != other else f"{other}.flip(-1)"
        length = extents.sub(length, ONE)
        padding = part = ""
        if exchanged or not _within(found, sizes):
            padding = f", padding={sizes.say(length)}" if length is not ZERO else ""
            part = _slice(start(found, sizes), sizes)[1:-1]
    given = f"{given}[:, None]" if rows[0] else f"{given}[None]"
    items = (":, 0" if rows[0] else "0") + (f", {part}" if part else "")
    text = f"{library}.conv1d({given}, {taps}[None, None]{padding})[{items}]"
    return Written(text, False, needed)


def kernel_text(found: Lagged, moving: str, still: str, sizes: Sizes) -> Written:
    """The kernel, which decides by the sizes."""
    if found.period is not None:
        if found.ways == (-1, 1):
            moving, still = still, moving
        taps = still if found.ways == (1, -1) else f"{still}.flip(-1).roll(1, -1)"
        return Written(f'{KERNEL}({moving}, {taps}, mode="circular")', True, ())
    first = start(found, sizes)
    if found.ways == (1, -1):
        end = extents.add(first, sizes.count)
        part = "" if first is ZERO else f"[..., {sizes.say(first)} :]"
        for one, other, length in ((moving, still, sizes.moving), (still, moving, sizes.still)):
            if extents.sub(length, end) is ZERO:
                needed = () if first is ZERO else _needed(found, sizes)
                return Written(f"{KERNEL}({one}, {other}){part}", True, needed)
    if found.ways == (-1, 1):
        moving = f"{moving}.flip(-1)"
    elif found.ways == (1, 1):
        still = f"{still}.flip(-1)"
    part = _slice(first, sizes)
    part = f"[..., {part[1:]}" if part else ""
    text = f'{KERNEL}({moving}, {still}, mode="full"){part}'
    return Written(text, True, _needed(found, sizes))


def _slice(first: Term, sizes: Sizes) -> str:
    """The part of the full convolution that is wanted."""
    whole = extents.sub(extents.add(sizes.moving, sizes.still), ONE)
    end = extents.add(first, sizes.count)
    begins = "" if first is ZERO else sizes.say(first)
    ends = "" if extents.sub(end, whole) is ZERO else sizes.say(end)
    if not begins and not ends:
        return ""
    plain = all(each.isidentifier() or each.isdigit() for each in (begins, ends) if each)
    if plain:
        return f"[{begins}:{ends}]"
    return f"[{f'{begins} :' if begins else ':'}{f' {ends}' if ends else ''}]"


def fast_length(least: int) -> int:
    """The smallest product of powers of 2, 3 and 5 that is no less than ``least``."""
    best = 1 << max(least - 1, 0).bit_length()
    fives = 1
    while fives < best:
        threes = fives
        while threes < best:
            best = min(best, threes << max(-(-least // threes) - 1, 0).bit_length())
            threes *= 3
        fives *= 5
    return best


def with_transforms(match: Match, written: Written, torch: bool) -> Match:
    """A match as it is reported: unsafe where transforms are taken, otherwise with the sizes from
    which they would be faster."""
    if not written.transforms:
        least = SHORTEST_FILTER if torch else FASTER
        message = f"{match.message}; from {least} elements on transforms are faster still"
        return replace(match, message=message)
    reason = reason_of(ERRORS, match.reason)
    called = torch and f"{KERNEL}(" in written.text
    return replace(
        match, safe=False, reason=reason, numerics="conditioned",
        imports=(("auditor.kernels", KERNEL),) if called else (),
        kernel=f"auditor.kernels.{KERNEL}" if called else None,
    )  # fmt: skip
