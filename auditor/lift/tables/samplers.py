"""Random numbers: values of their own, of a known shape where the call says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Handler, Meaning
from auditor.lift.objects import Instance, Obj
from auditor.lift.tables import constructors
from auditor.notation import Library, Value

if TYPE_CHECKING:
    from auditor.lift.lifter import Lifter


class Drawn(Meaning):
    """A call that draws numbers, of which ``size`` are the axes."""

    def __init__(self, name: str, signature: str, dtype: str, library: Library) -> None:
        super().__init__(signature, _numbers(name, dtype, library))
        object.__setattr__(self, "name", name)

    def call(self, lifter: Lifter, args: list[Obj], keywords: dict[str, Obj]) -> Obj:
        name: str = self.name  # type: ignore[attr-defined]
        lifter.effect_here("random", f"calls `{name}`")
        return super().call(lifter, args, keywords)


class _Integers(Drawn):
    """``torch.randint(low, high, size)``, of which the first may be left out."""

    def call(self, lifter: Lifter, args: list[Obj], keywords: dict[str, Obj]) -> Obj:
        named = keywords.keys() & {"low", "high", "size"}
        if args and len(args) + len(named) == 2 and "high" not in named:
            args = [args[0], *args]
        return super().call(lifter, args, keywords)


class Generator(Meaning):
    """``np.random.default_rng()`` and ``np.random.RandomState()``."""

    def __init__(self, name: str) -> None:
        super().__init__("", lambda call: Instance(name, (), {}))

    def call(self, lifter: Lifter, args: list[Obj], keywords: dict[str, Obj]) -> Obj:
        lifter.effect_here("random", "makes a generator of random numbers")
        return super().call(lifter, [], {})


def _numbers(name: str, dtype: str, library: Library) -> Handler:
    def call(c: Call) -> Obj:
        axes = constructors.axes_of_size(c)
        if not axes and library == "numpy":
            raise Unsupported("one number that is drawn")
        return Value(f"`{name}`", axes, None, c.dtype() or dtype, "opaque", library, c.ops.span)

    return call


_OPTIONS = (
    "dtype=None, device=None, requires_grad=False, generator=None, layout=None, pin_memory=None,"
    " out=None"
)
_TORCH = f"*size, {_OPTIONS}"
_BY_SIZE = "random random_sample ranf sample standard_normal standard_exponential standard_cauchy"
_BY_TWO = "normal lognormal laplace logistic gumbel uniform gamma beta binomial wald f"
_BY_ONE = "exponential poisson rayleigh geometric weibull pareto power chisquare standard_t zipf"
_INTEGERS = frozenset(("binomial", "poisson", "geometric", "zipf", "randint", "integers"))

_TWO = "first|loc|mean|low|a|n|shape, second|scale|sigma|high|b|p, size"
_ONE = "first|scale|lam|p|a|df, size"
_SIGNATURES = {
    **dict.fromkeys(("rand", "randn"), "*size"),
    **dict.fromkeys(_BY_SIZE.split(), "size, dtype=None, out=None"),
    **dict.fromkeys(_BY_TWO.split(), _TWO),
    **dict.fromkeys(_BY_ONE.split(), _ONE),
    **dict.fromkeys(("randint", "integers"), "low, high, size, dtype=None, endpoint=None"),
}
_GENERATORS = ("numpy.random.default_rng", "numpy.random.RandomState")


def _of_numpy(name: str, before: str = "") -> Drawn:
    dtype = "int64" if name in _INTEGERS else "float64"
    return Drawn(f"numpy.random.{name}", before + _SIGNATURES[name], dtype, "numpy")


FUNCTIONS: dict[str, Meaning] = {
    **{path: Drawn(path, _TORCH, "float32", "torch") for path in ("torch.randn", "torch.rand")},
    "torch.randint": _Integers("torch.randint", f"low, high, size, {_OPTIONS}", "int64", "torch"),
    **{f"numpy.random.{name}": _of_numpy(name) for name in _SIGNATURES},
    **{path: Generator(path) for path in _GENERATORS},
}
METHODS: dict[str, Meaning] = {name: _of_numpy(name, "generator, ") for name in _SIGNATURES}


def is_generator(obj: Obj) -> bool:
    """Whether an object draws random numbers."""
    return isinstance(obj, Instance) and obj.path in _GENERATORS
