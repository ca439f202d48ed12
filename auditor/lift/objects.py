"""What a Python expression can be while code is lifted: an array or scalar (``notation.Value``),
or one of the few Python objects whose contents matter."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from auditor.lift import extents
from auditor.notation import ONE, Index, Read, Scan, Span, Term, Value, walk


@dataclass(frozen=True)
class Literal:
    """None, a string, Ellipsis, a dtype: a Python constant that is no number."""

    value: Any


@dataclass(frozen=True, eq=False)
class Told(Literal):
    """What an array says of itself, such as its device or a dtype that is not known: which that is
    is for a run to tell."""


@dataclass(frozen=True, eq=False)
class Sequence:
    """A tuple or list (or shape) whose items are known one by one."""

    items: tuple[Obj, ...]
    kind: str = "tuple"


@dataclass(frozen=True, eq=False)
class Collected:
    """A list with one item for each step of a loop, or for each element of an iteration.

    ``element`` is a term over ``axes`` and ``step``; ``reverse`` when items were inserted at the
    front, so that item p comes from step extent - 1 - p. ``scan`` is the loop, None for a
    comprehension. ``prefix`` are the items that were there before, which come first, or with
    ``reverse`` last.
    """

    step: Index
    axes: tuple[Index, ...]
    element: Term
    dtype: str | None
    library: str | None
    scan: Scan | None
    reverse: bool = False
    span: Span | None = None
    prefix: tuple[Value, ...] = ()

    def backwards(self) -> Collected:
        return replace(self, reverse=not self.reverse, prefix=self.prefix[::-1])


@dataclass(frozen=True, eq=False)
class Growing:
    """A list inside the loop that fills it: the items that this step added at either end.
    ``tail`` is the last item before this step, where the loop reads it; ``rows`` says that the
    items are lists themselves."""

    name: str
    prefix: tuple[Value, ...]
    back: tuple[Value, ...] = ()
    front: tuple[Value, ...] = ()
    tail: Value | None = None
    rows: bool = False


@dataclass(frozen=True, eq=False)
class Written:
    """An array inside the loop that writes it element by element; in a loop within a loop the part
    ``original`` of it that the outer one's step writes. ``at`` is then the subscript of that part,
    with None where it has all places."""

    name: str
    original: Value
    at: tuple[object, ...] = ()

    @property
    def nested(self) -> bool:
        """Does a loop within a loop write it?"""
        return bool(self.at)


@dataclass(frozen=True, eq=False)
class Cell:
    """An array inside a loop that updates one fixed element (or slice) of it: ``items`` is the
    subscript, ``value`` what is there now."""

    name: str
    array: Value | Written
    items: tuple[object, ...]
    value: Value


class Members(Mapping[str, Any]):
    """What a constructor sets on its object, read once it is asked for: most objects are only
    called, and those that have no notation need not be known."""

    def __init__(self, read: Callable[[], dict[str, Obj]]) -> None:
        self._read = read
        self._found: dict[str, Obj] | None = None

    @property
    def _all(self) -> dict[str, Obj]:
        if self._found is None:
            self._found = self._read()
        return self._found

    def __getitem__(self, name: str) -> Obj:
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


@dataclass(frozen=True, eq=False)
class Instance:
    """An object made by calling a class: of a library, as ``nn.Softmax(dim=-1)``, or of the file,
    ``class NAME``, whose constructor set ``members`` on it."""

    path: str
    args: tuple[Obj, ...]
    keywords: dict[str, Obj]
    name: str = ""
    members: Members = field(default_factory=lambda: Members(dict))


@dataclass(frozen=True, eq=False)
class Named:
    """A dotted name with a meaning elsewhere: ``torch.nn.functional.softmax``, ``self.proj``."""

    path: str


@dataclass(frozen=True, eq=False)
class Method:
    """A method of an object, not yet called."""

    receiver: Obj
    name: str


@dataclass(frozen=True, eq=False)
class Function:
    """A lambda or function of the same file, with the scope it closes over."""

    node: ast.Lambda | ast.FunctionDef
    closure: dict[str, Obj]


@dataclass(frozen=True, eq=False)
class Partial:
    """``functools.partial(f, a, b=c)``: a function with some arguments given beforehand."""

    function: Obj
    args: tuple[Obj, ...]
    keywords: dict[str, Obj]


@dataclass(frozen=True, eq=False)
class Shape:
    """``x.shape`` of a value whose rank may be unknown, or a slice ``[start:stop]`` of it."""

    value: Value
    start: int | None = None
    stop: int | None = None


@dataclass(frozen=True, eq=False)
class Spread:
    """``*x.shape`` among the items of a tuple, of a value whose rank is not known."""

    shape: Shape


@dataclass(frozen=True, eq=False)
class Record:
    """A result with named fields, such as the (values, indices) of torch.max and torch.sort."""

    fields: dict[str, Value]


@dataclass(frozen=True, eq=False)
class Slice:
    """A slice object; absent bounds are None."""

    start: Value | None
    stop: Value | None
    step: Value | None


@dataclass(frozen=True, eq=False)
class Iteration:
    """Something that can be walked: ``element`` gives the item at a step. ``listed`` says that it
    is a range or a list, of which an array can be made."""

    extent: Term
    element: Callable[[Term], Obj]
    listed: bool = False

    def backwards(self) -> Iteration:
        """The same items from the last to the first."""
        last = extents.sub(self.extent, ONE)
        return Iteration(self.extent, lambda step: self.element(extents.sub(last, step)))


@dataclass(frozen=True, eq=False)
class Selected:
    """What is put at the places of a mask: of ``whole``, which has an item at every place."""

    whole: Value


@dataclass(frozen=True, eq=False)
class Unknown:
    """No meaning here; ``reason`` says why. ``owner`` is whose shape it has as an array, ``shaped``
    the same of what has a shape and is no array: a sparse matrix."""

    reason: str
    span: Span | None = None
    owner: str = field(default="")
    shaped: str = field(default="")


Obj: TypeAlias = (
    "Value | Literal | Sequence | Collected | Named | Method | Function | Partial | Shape | Spread"
    " | Record | Slice | Iteration | Selected | Unknown | Growing | Written | Cell | Instance"
)


def arrays_of(obj: Obj | None) -> Iterator[Value]:
    """The arrays that an object is or holds."""
    if isinstance(obj, Value):
        yield obj
    elif isinstance(obj, Written):
        yield obj.original
    elif isinstance(obj, (Sequence, Record)):
        for part in obj.items if isinstance(obj, Sequence) else obj.fields.values():
            yield from arrays_of(part)
    elif isinstance(obj, Collected):
        yield from (node.value for node in walk(obj.element) if isinstance(node, Read))


_SPOKEN: Mapping[type, str] = {
    Literal: "a text or constant",
    Told: "a text or constant",
    Sequence: "a list",
    Collected: "a list",
    Growing: "a list",
    Written: "an array that is being written",
    Instance: "an object with methods",
    Named: "a function or class of a library",
    Partial: "a function",
    Record: "an object with fields",
    Iteration: "an iterator",
    Selected: "a part of an array",
}


def kind_of(obj: object) -> str:
    """What kind of thing an object is, in a sentence."""
    return _SPOKEN.get(type(obj), f"a {type(obj).__name__.lower()}")
