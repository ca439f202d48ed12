"""What the values of a mixture of experts are, and where their axes lie.

A layout names the axes of an array in order: ``T`` the tokens' axes, however many (or ``t0``,
``t1`` where their number is supposed), ``n`` the experts, ``k`` the places that a token chose,
``d`` the features, ``1`` an axis of one element, ``m`` the tokens of one expert.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

Layout = tuple[str, ...]
_A = TypeVar("_A", bound="Array")


@dataclass(frozen=True, eq=False)
class Thing:
    """A value; ``node`` is the expression that made it, where there is one."""

    node: ast.expr | None = None


EMPTY = Thing()
"""What a list holds that has nothing yet."""


@dataclass(frozen=True, eq=False)
class Plain(Thing):
    """A value of which nothing is known; ``fresh`` where nothing else holds its memory."""

    fresh: bool = False


@dataclass(frozen=True, eq=False)
class Size(Thing):
    """The number of features, unpacked from a shape, which is its ``node``."""


@dataclass(frozen=True, eq=False)
class Experts(Thing):
    """The list of modules that an attribute of the object holds."""

    attribute: str = ""


@dataclass(frozen=True, eq=False)
class Keyed(Thing):
    """The dictionary of modules that an attribute holds, or its ``items``."""

    attribute: str = ""
    items: bool = False


@dataclass(frozen=True, eq=False)
class Place(Thing):
    """The number of an expert at one step of a loop, which has as many steps as the list ``of`` has
    modules, or ``count``; ``chosen``: of these, those that some token chose. Or the one that the
    token of a step has at one of its ``picked`` places."""

    of: str | None = None
    count: str | None = None
    chosen: bool = False
    picked: Places | None = None


@dataclass(frozen=True, eq=False)
class Token(Thing):
    """The number of the token at one step of a loop over all."""


@dataclass(frozen=True, eq=False)
class Slot(Thing):
    """The number of one of the ``count`` places of a token at one step of a loop over these."""

    count: ast.expr | None = None


@dataclass(frozen=True, eq=False)
class Own(Thing):
    """What an array ``base`` over tokens, or over tokens and places, has for the token of a step,
    at the place ``at`` or at all of them."""

    base: Thing = Thing()
    token: Token = Token()
    at: Slot | None = None


@dataclass(frozen=True, eq=False)
class Expert(Thing):
    """The module of a list at one step of a loop."""

    place: Place = Place()
    of: str = ""


@dataclass(frozen=True, eq=False)
class Key(Thing):
    """The key of a dictionary of modules at one step of a loop."""

    place: Place = Place()
    of: str = ""


@dataclass(frozen=True, eq=False)
class Listed(Thing):
    """A list of what each expert gives, or of the experts' columns of an array."""

    item: Thing = Thing()
    place: Place = Place()


@dataclass(frozen=True, eq=False)
class Pair(Thing):
    """What a top-k or a maximum gives: values and places."""

    values: Thing = Thing()
    places: Thing = Thing()


@dataclass(frozen=True, eq=False)
class Filled(Thing):
    """An array that holds one number everywhere; ``low`` is the text of one that stands for minus
    infinity."""

    number: float = 0.0
    low: str = ""


@dataclass(frozen=True, eq=False)
class Array(Thing):
    layout: Layout = ()


@dataclass(frozen=True, eq=False)
class Places(Array):
    """The experts that a token chose, over (tokens, k), or one without that axis; ``distinct``
    where none is chosen twice. They are the value ``of``, where nothing but their use says that
    they are places; ``scores`` are what a top-k chose them from; ``single``: one for a token. They
    are those of ``origin`` with other axes, ``k`` for each token. Along ``d`` they are the same
    ``width`` times, which is supposed to be that of what experts give."""

    distinct: bool = False
    single: bool = False
    origin: Places | None = None
    of: Thing | None = None
    scores: Thing | None = None
    k: ast.expr | None = None
    width: ast.expr | None = None


@dataclass(frozen=True, eq=False)
class Slots(Array):
    """Numbers over (tokens, k), beside ``places``; those that a top-k ``of`` scores gave."""

    places: Places = Places()
    of: Thing | None = None


@dataclass(frozen=True, eq=False)
class Hit(Array):
    """Where ``places`` are a certain expert (``place``), or which they are (an axis ``n``); times
    ``weights`` beside them; of ``count`` experts. ``widened``: converted to at least float32."""

    places: Places = Places()
    place: Place | None = None
    weights: Thing | None = None
    widened: bool = False
    count: ast.expr | None = None


@dataclass(frozen=True, eq=False)
class Last(Thing):
    """The least of the k best of some scores, with their axes; ``flat`` without the last."""

    scores: Thing = Thing()
    places: Places = Places()
    flat: bool = False


@dataclass(frozen=True, eq=False)
class Order(Thing):
    """The places of some scores in descending order."""

    scores: Thing = Thing()


@dataclass(frozen=True, eq=False)
class Rows(Thing):
    """Where ``hit`` is true along one of its axes: the tokens of an expert as a mask, or, where
    they are ``listed``, their places."""

    hit: Hit = Hit()
    label: str = ""
    listed: bool = False


@dataclass(frozen=True, eq=False)
class Alone(Thing):
    """A tuple of one ``item``, or a ``column`` that holds it."""

    item: Thing = Thing()
    column: bool = False


@dataclass(frozen=True, eq=False)
class Taken(Thing):
    """The tokens, or the weights beside their places, at which ``hit`` is true."""

    base: Thing = Thing()
    hit: Hit = Hit()
    layout: Layout = ()


@dataclass(frozen=True, eq=False)
class Count(Thing):
    """Something for each expert that is zero where no token chose it; ``chosen``: the numbers of
    those that are chosen."""

    hit: Hit = Hit()
    chosen: bool = False


@dataclass(frozen=True, eq=False)
class Flat(Thing):
    """The ``places`` of all tokens in one row."""

    places: Places = Places()


@dataclass(frozen=True, eq=False)
class Tally(Thing):
    """How many tokens chose each of ``count`` experts, or the one of ``place``."""

    places: Places = Places()
    count: str | None = None
    place: Place | None = None


@dataclass(frozen=True, eq=False)
class Routing:
    """How the tokens are given to experts: by ``weights`` beside ``places``, or by a ``gate`` over
    (tokens, n) that is zero but at them. ``width``: how many numbers of each expert are used,
    which are supposed to be all."""

    places: Places
    weights: Thing | None = None
    gate: Gate | None = None
    widened: bool = False
    width: ast.expr | None = None


GATHERED = ".gather(-1, {places})"
"""How the numbers at the places are taken from all."""


@dataclass(frozen=True, eq=False)
class Gate(Array):
    """Numbers over tokens and experts that are ``rest`` (0 or minus infinity) but where a token
    chose an expert; of one expert alone with ``place``. ``turned``: a mask of all other places;
    ``tied``: what equals the last that was chosen is as well. ``said`` are other ways to make its
    numbers at the places, of what and how; ``low`` the finite number that stands for minus
    infinity."""

    places: Places = Places()
    rest: Literal["zero", "low"] = "zero"
    place: Place | None = None
    routing: Routing | None = None
    turned: bool = False
    tied: bool = False
    said: tuple[tuple[Thing, str], ...] = ()
    low: str = ""

    def how(self) -> Routing:
        return self.routing or Routing(self.places, gate=self)


@dataclass(frozen=True, eq=False)
class Matrices(Thing):
    """An array ``held`` of one matrix for each expert, (in, out), or ``turned`` (out, in)."""

    held: Thing = Thing()
    turned: bool = False


@dataclass(frozen=True, eq=False)
class Stack(Thing):
    """Experts that are the slices of arrays: tokens times ``first``, through ``activation``, which
    is code, and times ``last``; with ``gate`` the activation is that of the tokens times it."""

    first: Matrices = Matrices()
    last: Matrices | None = None
    gate: Matrices | None = None
    activation: str = ""

    @property
    def whole(self) -> bool:
        """Whether nothing is half done."""
        return self.last is not None or not (self.activation or self.gate)


@dataclass(frozen=True)
class Composed:
    """One expert as ``code``, of modules of several ``lists``, which it calls by their names;
    ``reads`` are the names of the file that it reads besides."""

    lists: tuple[str, ...]
    code: str
    reads: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Outputs(Array):
    """What experts give for ``tokens``: one (``place``) or all; times gates where ``routing``. They
    are the modules of a list, or ``composed`` of them, or a ``stack``. Of one token alone where it
    is the ``own`` of a step."""

    tokens: Thing = Thing()
    of: str = ""
    place: Place | None = None
    routing: Routing | None = None
    around: object = None
    hit: Hit | None = None
    stack: Stack | None = None
    composed: Composed | None = None
    own: Own | None = None

    @property
    def lists(self) -> tuple[str, ...]:
        """The lists of modules that are called."""
        return (self.of,) if self.composed is None else self.composed.lists


@dataclass(frozen=True, eq=False)
class Mixture(Outputs):
    """The sum over all experts; ``skips`` those that no token chose, and is ``sparse`` already
    where each expert is given its own tokens, be it ``one_by_one``."""

    skips: bool = False
    sparse: bool = False
    one_by_one: bool = False


@dataclass(frozen=True, eq=False)
class Gathered(Thing):
    """The product of a gate, as a matrix, with ``values``."""

    gate: Gate = Gate()
    values: Thing = Thing()


def as_gate(thing: Thing, leading: Layout, node: ast.expr | None) -> Thing:
    """The tokens of one expert, of which each token has one alone, as a mask to multiply with."""
    if not isinstance(thing, Rows) or thing.listed or thing.hit.places.layout != leading:
        return thing
    return mask_of_one(thing.hit.places, thing.hit.place, leading, node)


def mask_of_one(
    places: Places, place: Place | None, layout: Layout, node: ast.expr | None,
    weights: Thing | None = None,
) -> Gate:  # fmt: skip
    """Where the one expert of a token is a certain one, times ``weights``."""
    return Gate(node, layout, places, "zero", place, Routing(places, weights))


# -- layouts


def axis_of(layout: Layout, dim: object) -> int | None:
    """The position that a dimension names, where the axes before it are known."""
    if not isinstance(dim, int) or isinstance(dim, bool):
        return None
    count = len(layout)
    place = dim if dim >= 0 else count + dim
    if not 0 <= place < count:
        return None
    group = layout.index("T") if "T" in layout else None
    if group is not None and (dim >= 0) == (place > group) and place != group:
        return None
    return None if group == place else place


def with_axis(layout: Layout, dim: object, label: str) -> Layout | None:
    """The layout with a new axis at ``dim``."""
    if not isinstance(dim, int) or isinstance(dim, bool):
        return None
    count = len(layout) + 1
    place = dim if dim >= 0 else count + dim
    if not 0 <= place < count:
        return None
    group = layout.index("T") if "T" in layout else None
    if group is not None and (dim >= 0) == (place > group):
        return None
    return (*layout[:place], label, *layout[place:])


def without(layout: Layout, place: int) -> Layout:
    return layout[:place] + layout[place + 1 :]


def met(a: Layout, b: Layout) -> Layout | None:
    """The layout of a product element by element."""
    if len(a) != len(b):
        return None
    found = []
    for x, y in zip(a, b, strict=True):
        if x != y and "1" not in (x, y):
            return None
        found.append(y if x == "1" else x)
    return tuple(found)


def laid(array: _A, layout: Layout, node: ast.expr | None) -> _A:
    """The same value with other axes."""
    if isinstance(array, Gate):
        return replace(array, layout=layout, node=node, routing=array.how())
    if isinstance(array, Places):
        return replace(array, layout=layout, node=node, origin=array.origin or array)
    return replace(array, layout=layout, node=node)
