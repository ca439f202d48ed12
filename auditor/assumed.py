"""What a fix assumes, as sentences: put together into one reason, and read back from it.

A reason such as "assumes that `x` has 2 axes; `x` holds no truth values" is what a user is told and
what reports carry. What the file itself contradicts, which inputs a verification makes and what a
prediction counts rest on the same sentences, and nothing but this file knows how they are worded:
one that is said another way here is found by a test, where no sentence is left that a question of
this file would read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

TRUTH, WHOLE, NARROW = "truth values", "whole numbers", "narrow integers"
UNSIGNED, SHORT = "unsigned integers", "integers of 8 or 16 bits"
HALF, FRACTION = "numbers of half precision", "a broken number"
COMPLEX = "complex numbers"
NONE, ONCE, OBJECT = "`None`", "an iterator", "an object that is no plain array"

BEGINS = "assumes that "
_NAMED = re.compile(r"`([^`]+)`")

# -- put together


def assuming(sentences: Iterable[str]) -> str | None:
    """What a fix assumes, in one sentence; None where that is nothing. Those that have as many
    axes as what they meet, and those that have no more, are each named together, and so are those
    whose axes are said in one place."""
    many: list[str] = []
    fewer: list[str] = []
    rest: list[str] = []
    every = _said_together(list(dict.fromkeys(sentences)))
    for sentence in every:
        found = _RANKS.fullmatch(sentence)
        if found is None:
            rest.append(sentence)
        else:
            (fewer if found[2].startswith("no") else many).append(found[1])
    if len(many) + len(fewer) < 3:
        many, fewer, rest = [], [], every
    else:
        many = [name for name in dict.fromkeys(many) if name.startswith("`")] or many[:1]
    parts = [_meeting(many, "as many axes as")] if many else []
    if many and fewer:
        parts.append(f"{listed(fewer)} {_have(fewer)} no more axes than that")
    elif fewer:
        parts.append(_meeting(fewer, "no more axes than"))
    parts += rest
    return BEGINS + "; ".join(parts) if parts else None


def _meeting(names: Iterable[str], axes: str) -> str:
    several = len(dict.fromkeys(names)) > 1
    return f"{listed(names)} {_have(names)} {axes} what {'they meet' if several else 'it meets'}"


def _have(names: Iterable[str]) -> str:
    return "have" if len(dict.fromkeys(names)) > 1 else "has"


def assuming_too(reason: str | None, sentences: Iterable[str]) -> str | None:
    """A reason with some more that is assumed, which is said first."""
    more = [*sentences]
    if not more:
        return reason
    beside = (reason or "").removeprefix(BEGINS)
    return BEGINS + "; ".join(filter(None, (*more, beside)))


def not_assuming(reason: str | None, known: Iterable[str]) -> str | None:
    """A reason that is all assumptions, without those that are known to hold; another as it is."""
    if reason is None or not reason.startswith(BEGINS):
        return reason
    left = [one for one in sentences_of(reason) if one not in {*known}]
    return BEGINS + "; ".join(left) if left else None


def reason_of(*parts: str | None) -> str | None:
    """What is said of a fix: what it assumes, then doubts; None where that is nothing."""
    return "; ".join(filter(None, parts)) or None


def has_axes(name: str, count: int) -> str:
    return f"`{name}` has {count} {'axis' if count == 1 else 'axes'}"


_RANKS = re.compile(r"(.+) has (the axes of|as many axes as|no more axes than) what it meets")
_SAID = re.compile(r"(`\w+`) has the axes (\([^()]*\)), as its docstring says")


def _said_together(sentences: list[str]) -> list[str]:
    """The sentences, with those about what the docstring says in one, where the first stood."""
    said: dict[str, list[str]] = {}
    for sentence in sentences:
        if (found := _SAID.fullmatch(sentence)) is not None:
            said.setdefault(found[2], []).append(found[1])
    if sum(map(len, said.values())) < 2:
        return sentences
    ((axes, names), *others) = said.items()
    parts = [f"{listed(names)} ha{'ve' if names[1:] else 's'} the axes {axes}"]
    parts += [f"{listed(names)} {axes}" for axes, names in others]
    one = f"{', '.join(parts)}, as the docstring says"
    return list(dict.fromkeys(one if _SAID.fullmatch(s) else s for s in sentences))


def listed(names: Iterable[str]) -> str:
    """Names as one reads them out: "a, b and c"."""
    *first, last = dict.fromkeys(names) or ("",)
    return f"{', '.join(first)} and {last}" if first else last


def hold(names: Iterable[str], what: str) -> str:
    """That arrays hold something: "`x` and `y` hold no NaN"."""
    every = [*dict.fromkeys(names)]
    return f"{listed(every)} {'hold' if every[1:] else 'holds'} {what}"


_SAME = re.compile(r"(`[^`]*`) (?:has (\d+ ax[ei]s)|is an (array)|holds (integers))")


def together(sentences: Iterable[str]) -> list[str]:
    """The assumptions, those that say the same of several names in one sentence."""
    by: dict[str, list[str]] = {}
    rest = []
    for sentence in sentences:
        found = _SAME.fullmatch(sentence)
        if found is None:
            rest.append(sentence)
        else:
            by.setdefault(found[2] or found[3] or found[4], []).append(found[1])
    said = []
    for what, names in by.items():
        every, first = listed(names), len({*names}) > 1
        if what == "array":
            said.append(f"{every} are arrays" if first else f"{every} is an array")
        elif what == "integers":
            said.append(hold(by[what], "integers"))
        else:
            said.append(f"{every} {'have' if first else 'has'} {what}")
    return [*said, *rest]


# -- read back

_KINDS = tuple(
    (re.compile(claim), frozenset(against))
    for claim, against in (
        (r"no truth values|not boolean", (TRUTH,)),
        (r"no integers narrower", (NARROW, TRUTH)),
        (r"no unsigned integers", (UNSIGNED,)),
        (r"no complex numbers", (COMPLEX,)),
        (r"none of 8 or 16 bits", (SHORT,)),
        (r"floating-point numbers", (WHOLE, TRUTH, OBJECT)),
        (r"holds? integers", (TRUTH, FRACTION)),
        (r"integers of 32 or 64 bits", (SHORT, UNSIGNED)),
        (r"\b(?:is an array|are arrays)\b", (OBJECT, ONCE)),
        (r"whole number|Python integer", (NONE, FRACTION, OBJECT)),
        (r"no iterator|has a length", (ONCE,)),
        (r"half or extended precision|narrower than float32", (HALF,)),
    )
)
_AXES = re.compile(r"((?:`[^`]+`(?:, | and )?)+) (?:has|have) (\d+) ax[ei]s(?! or more)")
_OR_MORE = re.compile(r"`([^`]+)` has (\d+) ax[ei]s or more")
_MEASURES = tuple(
    (re.compile(claim), said)
    for claim, said in (
        (r"`([^`]+)` is more than ([\w.+ -]+)$", "({0}) > ({1})"),
        (r"`([^`]+)` is at least ([\w.+ -]+?)(?=:|$)", "({0}) >= ({1})"),
        (r"`([^`]+)` is no less than `([^`]+)`$", "({0}) >= ({1})"),
        (r"`([^`]+)` is positive$", "({0}) > 0"),
        (r"`([^`]+)` is not negative(?=$|,)", "({0}) >= 0"),
        (r"`([^`]+)` has no more than (\d+) axes", "({0}).ndim <= {1}"),
        (r"`([^`]+)` has at least ([\w.+ -]+?) entries", "len({0}) >= ({1})"),
        (r"`([^`]+)` has ([\w.+ -]+) elements or more$", "len({0}) >= ({1})"),
    )
)
_NUMBER = re.compile(r"`([^`]+)` is a number$")
_FEWER = re.compile(r" ha(?:s|ve) no more axes than what (?:it|they) meet| no more axes than that$")
_NOT_EMPTY = re.compile(r"((?:`[^`]+`(?:, | and )?)+) (?:is|are) not empty$")
_WIDER = re.compile(r"no wider type than what is put")
_APART = re.compile(r"`([^`]+)` and `([^`]+)` do not overlap")
_ALIKE = re.compile(r"of one type|same dtype|one dtype")
_AS_LONG = re.compile(r"equally long|have one length|have one shape")
_SQUEEZED = re.compile(r"has size 1")
_COLUMN = re.compile(
    r"`([^`]*(?:\.unsqueeze\(-1\)|(?:\.\.\.|:), None\]))` has the axes of what it meets"
)
_OF_PRODUCT = re.compile(
    r"(?:`([\w.]+\[\w+(?:, \w+)?, \.\.\.\])`|each `(\w+)`) has 2 axes or more, as `@` says"
)


def sentences_of(reason: str) -> list[str]:
    """The parts of a reason, each an assumption or a doubt."""
    return reason.removeprefix(BEGINS).split("; ")


def named_in(reason: str) -> tuple[str, ...]:
    """What a reason speaks of: code between backquotes."""
    return tuple(_NAMED.findall(reason))


def about_ranks(sentence: str) -> bool:
    """Whether an assumption is about how many axes arrays have that meet in every step."""
    return _RANKS.fullmatch(sentence) is not None


def kinds_excluded(reason: str) -> Iterator[tuple[str, frozenset[str]]]:
    """The names that a reason assumes something of, with the kinds of things that they are not."""
    for sentence in sentences_of(reason):
        for claim, against in _KINDS:
            if claim.search(sentence):
                yield from ((name, against) for name in named_in(sentence))


def ranks_in(reason: str) -> dict[str, int]:
    """The numbers of axes that a reason says that arrays have."""
    return {name: int(count) for names, count in _AXES.findall(reason) for name in named_in(names)}


def numbers_in(reason: str) -> frozenset[str]:
    """What is assumed to be a single number."""
    found = map(_NUMBER.fullmatch, sentences_of(reason))
    return frozenset(one[1] for one in found if one is not None)


def conditions_in(reason: str) -> list[str]:
    """What a reason says of sizes and numbers of axes, as code to be evaluated where it begins."""
    found = [f"({name}).ndim == {count}" for name, count in ranks_in(reason).items()]
    for sentence in sentences_of(reason):
        found += [f"({name}).ndim >= {count}" for name, count in _OR_MORE.findall(sentence)]
        if (empty := _NOT_EMPTY.fullmatch(sentence)) is not None:
            found += [f"len({name}) > 0" for name in named_in(empty[1])]
        for claim, said in _MEASURES:
            if (one := claim.match(sentence)) is not None:
                found.append(said.format(*one.groups()))
    return found


def no_more_axes_in(reason: str) -> frozenset[str]:
    """The names that are assumed to have no more axes than what they meet in a step."""
    return frozenset(
        name
        for one in sentences_of(reason)
        if (found := _FEWER.search(one)) is not None
        for name in named_in(one[: found.start()])
    )


def apart_in(reason: str) -> list[tuple[str, str]]:
    """The pairs of arrays that are assumed not to overlap."""
    return _APART.findall(reason)


def alike_in(reason: str) -> frozenset[str]:
    """The names that are assumed to have one type."""
    return frozenset(
        name for one in sentences_of(reason) if _ALIKE.search(one) for name in named_in(one)
    )


def as_wide(reason: str) -> bool:
    """Whether what is put into an array is assumed not to be narrower than the array."""
    return _WIDER.search(reason) is not None


def as_long(reason: str) -> bool:
    """Whether arrays that meet are assumed to be equally long, so that none is stretched."""
    return _AS_LONG.search(reason) is not None


def squeezes(reason: str) -> bool:
    """Whether an axis is assumed to have the size 1."""
    return _SQUEEZED.search(reason) is not None


def column_in(reason: str) -> str | None:
    """A column that is taken to have the axes of what it meets."""
    found = _COLUMN.search(reason)
    return found[1] if found else None


def row_of_product_in(reason: str) -> str | None:
    """The row of an array of which only a product says that it is no vector."""
    found = _OF_PRODUCT.search(reason)
    return found[1] or found[2] if found else None
