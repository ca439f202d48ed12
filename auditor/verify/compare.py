"""Are two results the same? Structure, types, shapes, dtypes, devices, and values within tolerance.

The tolerance is measured, not guessed: the original code itself is run in double precision, and
the rewritten code may be at most twice as far from that reference as the original is in its own
precision (three times for gradients), plus a few units in the last place of the largest value, for
a gradient that vanishes the largest of all gradients. Those units grow with the square root of the
length for types that accumulate in themselves. One run says little of how large an error may be:
what the original gives for inputs that differ in their last places counts as well, which is what a
backward stable algorithm may be off by (Higham, Accuracy and Stability of Numerical Algorithms,
section 1.5). Where those decide the result, it has no digit to compare.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = Any
ULPS = 4.0
DEPTH = 12
"""How far into nested containers and objects is compared."""

DECIDED, WITHIN = 0.25, 8.0
"""Rounding decides values of which it moves this part of the largest; others that are at most this
many times as far away are as good."""

_WIDE = ("float32", "float64", "complex64", "complex128")


@dataclass
class Outcome:
    """What one run left behind: what it returned, its inputs as they are now, and gradients."""

    result: Any
    inputs: Any = None
    gradients: dict[str, Any] = field(default_factory=dict)


@dataclass
class Agreement:
    """The verdict on one case. ``error`` and ``tolerance`` belong to the worst value. Nothing is
    ``said`` where rounding decides every number of the result."""

    error: float = 0.0
    tolerance: float = 0.0
    problems: list[str] = field(default_factory=list)
    own_reference: bool = False
    said: bool = True

    @property
    def ratio(self) -> float:
        if self.error <= self.tolerance:
            return self.error / self.tolerance if self.tolerance else 0.0
        return self.error / self.tolerance if self.tolerance else math.inf

    def note(self, error: float, tolerance: float) -> None:
        other = Agreement(error, tolerance)
        if other.ratio > self.ratio or not (self.error or self.tolerance):
            self.error, self.tolerance = error, tolerance


@dataclass(frozen=True)
class Rule:
    """How close is close enough. ``length`` is the largest extent of the inputs."""

    numerics: str = "reassociated"
    length: int = 1

    def tolerance(self, dtype: str, own_error: float, scale: float, gradient: bool) -> float:
        growth = math.sqrt(max(self.length, 1)) if dtype in _WIDE else 1.0
        factor = 3.0 if gradient else 2.0
        return factor * own_error + ULPS * epsilon(dtype) * scale * growth


def epsilon(dtype: str) -> float:
    """The unit in the last place of 1, for a dtype by name."""
    if dtype == "bfloat16":
        return 2.0**-7
    if dtype.startswith("float8"):
        return 2.0**-2
    try:
        return float(np.finfo(dtype).eps)
    except (TypeError, ValueError):
        return 0.0


def is_tensor(value: Any) -> bool:
    return type(value).__module__.split(".")[0] == "torch" and hasattr(value, "untyped_storage")


def is_array(value: Any) -> bool:
    """A tensor, an array or a NumPy scalar: something with a shape and a dtype."""
    return is_tensor(value) or isinstance(value, (np.ndarray, np.generic))


def leaves(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The arrays and scalars in a structure with their paths; containers come as their kind."""
    kind, below = type(value), depth + 1
    if depth > DEPTH:
        return
    if is_array(value) or value is None or isinstance(value, (bool, int, float, complex, str)):
        yield path, value
    elif isinstance(value, Mapping):
        yield path, _Container(kind.__qualname__, tuple(map(str, value)))
        for key, item in value.items():
            yield from leaves(item, f"{path}[{key!r}]", below)
    elif isinstance(value, (tuple, list)):
        yield path, _Container(kind.__qualname__, (str(len(value)),))
        for place, item in enumerate(value):
            yield from leaves(item, f"{path}[{place}]", below)
    elif isinstance(value, (set, frozenset)):
        yield path, _Container(kind.__qualname__, tuple(sorted(map(repr, value))))
    elif is_module(value):
        yield path, _Container(kind.__qualname__, ())
        for name, item in value.state_dict(keep_vars=True).items():
            yield from leaves(item, f"{path}.{name}", below)
        for name, item in vars(value).items():
            if not name.startswith("_"):
                yield from leaves(item, f"{path}.{name}", below)
    elif dataclasses.is_dataclass(value) or (
        hasattr(value, "__dict__") and not callable(value) and not isinstance(value, type)
    ):
        yield path, _Container(kind.__qualname__, tuple(sorted(vars(value))))
        for name, item in sorted(vars(value).items()):
            yield from leaves(item, f"{path}.{name}", below)
    else:
        yield path, _Container(kind.__qualname__, ())


@dataclass(frozen=True)
class _Container:
    kind: str
    keys: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.kind}({', '.join(self.keys)})"


def is_module(value: Any) -> bool:
    return hasattr(value, "state_dict") and hasattr(value, "named_parameters")


def widened(value: Any) -> Array:
    """An array's values in double precision, on the host."""
    if is_tensor(value):
        import torch

        value = value.detach()
        if value.layout is not torch.strided:
            value = value.to_dense()
        wide = torch.complex128 if value.is_complex() else torch.float64
        return value.to("cpu", wide).resolve_conj().resolve_neg().numpy()
    array = np.asarray(value)
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def dtype_of(value: Any) -> str:
    """A dtype's name; ``float`` and its like for Python's own numbers."""
    if is_array(value):
        return str(value.dtype).removeprefix("torch.")
    return type(value).__name__


def is_floating(value: Any) -> bool:
    name = dtype_of(value)
    return name.startswith(("float", "bfloat", "complex"))


def finite(value: Any) -> bool:
    """Whether every number in a structure is finite."""
    for _, leaf in leaves(value):
        if isinstance(leaf, (_Container, str)) or leaf is None:
            continue
        if (is_array(leaf) and dtype_of(leaf) in ("object", "str")) or not is_floating(leaf):
            continue
        if not np.isfinite(widened(leaf)).all():
            return False
    return True


def _bits(value: Any) -> bytes:
    if is_tensor(value):
        import torch

        flat = value.detach().to("cpu").contiguous().reshape(-1)
        if flat.dtype == torch.bool:
            flat = flat.to(torch.uint8)
        return bytes(flat.resolve_conj().view(torch.uint8).numpy().tobytes())
    array = np.ascontiguousarray(value)
    # Integers of any size are objects, of which an array holds the addresses.
    return repr(array.tolist()).encode() if array.dtype.kind == "O" else array.tobytes()


@dataclass(frozen=True)
class References:
    """Other runs of the original. ``wide`` is in double precision. Where the inputs are double
    already it is None, and ``narrow``, in single precision, shows how much the code amplifies
    rounding. ``nudged`` has inputs that differ in their last place."""

    wide: Outcome | None = None
    narrow: Outcome | None = None
    nudged: Outcome | None = None

    def of(self, part: Callable[[Outcome], Any]) -> tuple[Any, Any, Any]:
        """The same part of each."""
        wide, narrow, nudged = (
            None if run is None else part(run) for run in (self.wide, self.narrow, self.nudged)
        )
        return wide, narrow, nudged


def compare(before: Outcome, after: Outcome, references: References, rule: Rule) -> Agreement:
    """Judge ``after`` by ``before``."""
    agreement = Agreement(said=not _floats(before.result))
    judge = _Judge(rule, agreement, _largest((references.wide or before).gradients))
    judge.pairs("the result", before.result, after.result, references.of(lambda run: run.result))
    said = agreement.said  # what was not changed says nothing
    judge.pairs(
        "the inputs after the call",
        before.inputs, after.inputs, references.of(lambda run: run.inputs),
    )  # fmt: skip
    for name in {**before.gradients, **after.gradients}:
        one, other = before.gradients.get(name), after.gradients.get(name)
        if one is None and other is None:
            continue
        # No gradient and a gradient of zeros are the same derivative.
        one, other = _zeros(other) if one is None else one, _zeros(one) if other is None else other
        judge.pairs(
            f"the gradient of {name}", one, other,
            references.of(_gradient_of(name)), gradient=True,
        )  # fmt: skip
    agreement.said = said
    return agreement


def _floats(result: Any) -> bool:
    return any(is_floating(leaf) for _, leaf in leaves(result) if not isinstance(leaf, _Container))


def _gradient_of(name: str) -> Callable[[Outcome], Any]:
    return lambda run: run.gradients.get(name)


def _zeros(like: Any) -> Any:
    return like * 0


def _largest(gradients: Mapping[str, Any]) -> float:
    scales = [_scale(widened(each)) for each in gradients.values() if each is not None]
    return max(filter(math.isfinite, scales), default=0.0)


@dataclass
class _Judge:
    """``gradients``: the largest entry of any. One that vanishes beside it, as that of what is
    added to all scores of a softmax, is a difference of such: what is left of it is rounding."""

    rule: Rule
    agreement: Agreement
    gradients: float = 0.0

    def fail(self, problem: str) -> None:
        if problem not in self.agreement.problems:
            self.agreement.problems.append(problem)

    def pairs(
        self,
        what: str,
        before: Any,
        after: Any,
        references: tuple[Any, Any, Any],
        gradient: bool = False,
    ) -> None:
        one, other = list(leaves(before)), list(leaves(after))
        if [path for path, _ in one] != [path for path, _ in other]:
            kinds = [str(leaf) for leaf in (one[0][1], other[0][1])]
            shown = [kind if len(kind) < 80 else f"{kind[:77]}..." for kind in kinds]
            self.fail(f"{what} has another structure: {shown[0]} became {shown[1]}")
            return
        there = zip(*(_aligned(one, reference) for reference in references), strict=True)
        for (path, a), (_, b), beside in zip(one, other, there, strict=True):
            self.leaf(f"{what}{path}", a, b, beside, gradient)

    def leaf(self, what: str, a: Any, b: Any, beside: tuple[Any, Any, Any], gradient: bool) -> None:
        if isinstance(a, _Container) or isinstance(b, _Container) or a is None or b is None:
            if isinstance(a, _Container) and isinstance(b, _Container):
                if a != b:
                    self.fail(f"{what}: {a} became {b}")
            elif a is not b:
                self.fail(f"{what}: {_kind_of(a)} became {_kind_of(b)}")
            return
        if not self._alike(what, a, b) or isinstance(a, str):
            return
        if self.rule.numerics == "exact" and not gradient:
            self.agreement.said = True
            if _bits(a) != _bits(b):
                self.fail(f"{what} is not equal bit for bit")
            if is_floating(a):
                self.agreement.note(_distance(widened(a), widened(b)), 0.0)
            return
        if not is_floating(a):
            same = np.array_equal(widened(a), widened(b)) if is_array(a) else a == b
            if not same:
                self.fail(f"{what} ({dtype_of(a)}) differs")
            return
        self._numbers(what, a, b, beside, gradient)

    def _alike(self, what: str, a: Any, b: Any) -> bool:
        """The same kind of thing: class, shape, dtype, device, part of the graph or not."""
        if is_tensor(a) != is_tensor(b) or isinstance(a, np.ndarray) != isinstance(b, np.ndarray):
            self.fail(f"{what}: {type(a).__name__} became {type(b).__name__}")
            return False
        if not is_array(a):
            if isinstance(a, str):
                if a != b:
                    self.fail(f"{what}: {a!r} became {b!r}")
                return True
            if not isinstance(b, type(a)):
                self.fail(f"{what}: {type(a).__name__} became {type(b).__name__}")
                return False
            return True
        if not is_array(b):
            self.fail(f"{what}: {type(a).__name__} became {type(b).__name__}")
            return False
        for label, x, y in (
            ("shape", tuple(a.shape), tuple(b.shape)),
            ("dtype", dtype_of(a), dtype_of(b)),
            ("device", str(getattr(a, "device", "")), str(getattr(b, "device", ""))),
            ("requires_grad", _tracked(a), _tracked(b)),
        ):
            if x != y:
                self.fail(f"{what}: {label} {x} became {y}")
                return label == "requires_grad"
        return True

    def _numbers(
        self, what: str, a: Any, b: Any, beside: tuple[Any, Any, Any], gradient: bool
    ) -> None:
        wide, narrow, nudged = beside
        dtype = "float64" if isinstance(a, float) else dtype_of(a)
        x, y = widened(a), widened(b)
        reference, own = x, 0.0
        if wide is not None and np.shape(wide) == x.shape:
            candidate = widened(wide)
            own = _distance(x, candidate)
            if math.isfinite(own) and own <= max(0.01, 16 * epsilon(dtype)) * _scale(candidate):
                reference = candidate
            else:
                own, self.agreement.own_reference = 0.0, True
        elif narrow is not None and np.shape(narrow) == x.shape and is_array(narrow):
            shrink = epsilon(dtype) / max(epsilon(dtype_of(narrow)), epsilon(dtype))
            distance = _distance(widened(narrow), x)
            own = distance * shrink if math.isfinite(distance) else 0.0
        elif epsilon(dtype) > epsilon("float64"):
            self.agreement.own_reference = True
        if nudged is not None and np.shape(nudged) == x.shape:
            moved = _distance(widened(nudged), x)
            own = max(own, moved) if dtype in _WIDE or moved <= DECIDED * _scale(x) else own
        error = _distance(y, reference)
        scale = _scale(reference)
        if gradient and scale <= epsilon(dtype) * self.gradients:
            scale = self.gradients
        if dtype in _WIDE and own > DECIDED * scale and error <= WITHIN * max(own, scale):
            return
        self.agreement.said = True
        allowed = self.rule.tolerance(dtype, own, scale, gradient)
        self.agreement.note(error, allowed)
        if not error <= allowed:
            self.fail(f"{what} is off by {error:.3g}, {allowed:.3g} is allowed")


def _kind_of(value: Any) -> str:
    return "None" if value is None else getattr(value, "kind", type(value).__name__)


def _tracked(value: Any) -> bool:
    return bool(getattr(value, "requires_grad", False))


def _aligned(one: list[tuple[str, Any]], reference: Any) -> list[Any]:
    """The leaves of a reference in the same places, or nothing where it is built differently."""
    found = list(leaves(reference)) if reference is not None else []
    if [path for path, _ in found] != [path for path, _ in one]:
        return [None] * len(one)
    return [None if isinstance(leaf, (_Container, str)) else leaf for _, leaf in found]


def _distance(x: Array, y: Array) -> float:
    """The largest difference; infinite where only one of two values is finite."""
    if x.size == 0:
        return 0.0
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    if same.all():
        return 0.0
    with np.errstate(all="ignore"):
        gap = np.abs(np.where(same, 0, x) - np.where(same, 0, y))
    return math.inf if np.isnan(gap).any() else float(gap.max())


def _scale(x: Array) -> float:
    known = np.abs(x[np.isfinite(x)]) if x.size else x
    return float(known.max()) if known.size else 0.0
