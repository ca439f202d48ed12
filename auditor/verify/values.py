"""Arrays, objects and instances for a recipe. Runs in the worker process; imports torch late."""

from __future__ import annotations

import inspect
import types
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from auditor.notation import Read, Symbol, Term
from auditor.verify.compare import dtype_of, epsilon, is_array, is_module, is_tensor
from auditor.verify.inputs import (
    Parameter,
    Recipe,
    Shaped,
    Signature,
    constructor_number,
    describe,
    number_like,
    shapes,
)

WIDTH = 8
"""The size that a class is built with where its constructor asks for sizes."""
WIDEST = 512
MOST_ELEMENTS = 1 << 25

_SHORT = {"float": "f", "bfloat": "bf", "int": "i", "uint": "u", "complex": "c", "bool": "bool"}


class TooLarge(Exception):
    """The inputs of a recipe would need more memory than a verification may use."""


@dataclass
class Case:
    """One set of inputs. ``holder`` is the instance whose method is called, ``twin`` the same for
    the rewritten module; both are None for a function."""

    args: list[Any]
    kwargs: dict[str, Any]
    names: tuple[str, ...]
    holder: Any = None
    twin: Any = None
    recipe: Recipe | None = None

    def describe(self) -> str:
        """``x f32(2,1024,256), A f32(256,16)``."""
        names = [*self.names[: len(self.args)]]
        names += [f"argument {place + 1}" for place in range(len(names), len(self.args))]
        given = [*zip(names, self.args, strict=True), *self.kwargs.items()]
        return ", ".join(f"{name} {shown(value)}" for name, value in given)

    @property
    def length(self) -> int:
        """The largest extent of any input."""
        return max((length(value) for value in (*self.args, *self.kwargs.values())), default=1)

    @property
    def entries(self) -> int:
        """The entries of all inputs together."""
        return sum(map(entries, (*self.args, *self.kwargs.values())))


def shown(value: Any) -> str:
    """A value's dtype and shape, or the value where it is short."""
    if is_array(value):
        name = dtype_of(value)
        letters = name.rstrip("0123456789")
        short = _SHORT.get(letters, letters) + name[len(letters) :]
        return f"{short}({','.join(map(str, value.shape))})"
    if isinstance(value, (list, tuple)):
        inner = shown(value[0]) if value else ""
        return (
            f"{type(value).__name__}[{len(value)}]{' of ' + inner if is_array_like(inner) else ''}"
        )
    text = repr(value)
    return text if len(text) <= 24 and " object at " not in text else type(value).__name__


def is_array_like(text: str) -> bool:
    return "(" in text or "[" in text


def length(value: Any) -> int:
    if is_array(value):
        return max(value.shape, default=1)
    if isinstance(value, (list, tuple)):
        return max([len(value), *map(length, value[:4])], default=1)
    return 1


def entries(value: Any) -> int:
    if is_array(value):
        return int(np.prod(value.shape, dtype=float))
    return sum(map(entries, value)) if isinstance(value, (list, tuple)) else 1


def arguments(
    signature: Signature, recipe: Recipe, device: str, fixed: dict[Term, int]
) -> tuple[list[Any], dict[str, Any], dict[str, Any]]:
    """Positional and keyword arguments, and the attributes of self."""
    items = shapes(signature, recipe, fixed)
    total = sum(int(np.prod(item.shape, dtype=float)) for item in items if item.shape is not None)
    if total > MOST_ELEMENTS:
        raise TooLarge(f"{total} elements")
    extents = [size for item in items for size in (item.shape or ()) if size > 1]
    high = min(extents, default=2)
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    state: dict[str, Any] = {}
    for place, item in enumerate(items):
        if item.omitted:
            continue
        name, value = item.parameter.name, _value(item, recipe, device, high, place)
        if place >= len(signature.parameters):
            state[name] = value
        elif item.parameter.keyword or len(args) < place:
            kwargs[name] = value  # after one that is left out, by name
        else:
            args.append(value)
    return args, kwargs, state


def _value(item: Shaped, recipe: Recipe, device: str, high: int, place: int) -> Any:
    parameter = item.parameter
    if item.shape is not None:
        rng = np.random.default_rng([recipe.seed, recipe.draw, place])
        library = parameter.library or recipe.library
        return array(item.shape, item.dtype, library, recipe, rng, device, high)
    if parameter.kind == "callable":
        return _first
    if parameter.kind == "text":
        return ""
    if parameter.kind == "object":
        return stub(parameter, recipe)
    return item.number


def _first(*args: Any, **_: Any) -> Any:
    """Stands for a function that is an input: gives back its first argument."""
    return args[0] if args else None


def array(
    shape: tuple[int, ...], dtype: str | None, library: str, recipe: Recipe,
    rng: np.random.Generator, device: str, high: int,
) -> Any:  # fmt: skip
    """Random values of a shape: a tensor, an array, or nested lists of numbers."""
    values: Any
    if dtype == "bool":
        values = rng.random(shape) < 0.7
    elif dtype is not None and dtype.startswith(("int", "uint")):
        values = rng.integers(0, max(high, 1), shape)
    else:
        values = numbers(shape, recipe.values, rng)
        if dtype is not None and dtype.startswith("complex"):
            values = values + 1j * numbers(shape, recipe.values, rng)
    if library == "python":
        return np.asarray(values).tolist()
    if library == "numpy":
        made = np.asarray(values, dtype=dtype if dtype not in (None, "bfloat16") else None)
        if recipe.strided and made.ndim >= 2:
            made = np.asfortranarray(made)
        return made
    import torch

    wanted = getattr(torch, dtype) if dtype is not None else torch.float32
    tensor = torch.as_tensor(np.asarray(values)).to(device=device, dtype=wanted)
    if recipe.strided and tensor.ndim >= 2:
        tensor = tensor.transpose(0, -1).contiguous().transpose(0, -1)
    return tensor


def numbers(shape: tuple[int, ...], style: str, rng: np.random.Generator) -> Any:
    """Random numbers: ``ties`` and ``counts`` repeat and add up exactly, ``unit`` lie between 0
    and 1."""
    if style == "unit":
        return rng.uniform(0.05, 0.95, shape)
    if style == "signed":
        return rng.uniform(-0.95, 0.95, shape)
    if style in ("ties", "counts"):
        return rng.integers(-1 if style == "ties" else 1, 3, shape).astype(np.float64)
    values = rng.standard_normal(shape)
    return values * 0.1 if style == "small" else values


def stub(parameter: Parameter, recipe: Recipe) -> Any:
    """An object with the attributes that the code reads from a parameter."""
    made = types.SimpleNamespace()
    for name in parameter.attributes:
        value: Any = _first
        if name not in parameter.called:
            value = attribute_number(name, recipe)
        setattr(made, name, value)
    return made


def attribute_number(name: str, recipe: Recipe) -> Any:
    """A number for an attribute of an object that is only known by its name."""
    kind = describe(name, "", None).name
    number = constructor_number(kind, "", 2)
    if isinstance(number, int) and not isinstance(number, bool):
        if name.startswith(("num", "n_")) or "group" in name or "size" in name or "dim" in name:
            return 1 if recipe.seed == 0 else 1 + recipe.seed % 3
        return number_like(name, recipe.seed)
    return number


# -- instances


def build(klass: Any, recipe: Recipe, seed: int = 0) -> Any:
    """An instance made by the class's own constructor; raises whatever that raises."""
    width = min(WIDTH * recipe.scale, WIDEST)
    parameters = list(inspect.signature(klass.__init__).parameters.values())[1:]
    args: dict[str, Any] = {}
    for parameter in parameters:
        if parameter.default is not parameter.empty or parameter.kind in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        ):
            continue
        annotation = parameter.annotation
        text = "" if annotation is parameter.empty else annotation
        if not isinstance(text, str):
            text = getattr(annotation, "__name__", str(annotation))
        value = constructor_number(parameter.name, text, width)
        if value is None:
            raise TypeError(f"no value is known for the argument `{parameter.name}`")
        args[parameter.name] = value
    return klass(**args)


def widths(instance: Any, most: int = 3) -> tuple[int, ...]:
    """What a module that was built may be given along its wide axis: the first few inputs that its
    weights have, which its constructor may hold as numbers."""
    if not is_module(instance):
        return ()
    taken = (int(each.shape[1]) for each in instance.parameters() if each.ndim >= 2)
    return tuple(size for size in dict.fromkeys(taken) if 0 < size != WIDTH)[:most]


def settle(instance: Any) -> None:
    """Parameters that were never initialised get values."""
    if not is_module(instance):
        return
    import torch

    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in (*instance.parameters(), *instance.buffers()):
            if not parameter.is_floating_point() or not parameter.numel():
                continue
            largest = parameter.abs().max()
            if not torch.isfinite(largest) or largest > 1e4 or 0 < largest < 1e-30:
                fresh = torch.randn(parameter.shape, generator=generator)
                parameter.copy_(fresh.to(parameter))


def blank(klass: Any, attributes: dict[str, Any]) -> Any:
    """An instance whose constructor did not run, with the attributes that a method reads."""
    instance = klass.__new__(klass)
    names = dir(klass)
    if hasattr(klass, "register_parameter"):
        import torch

        torch.nn.Module.__init__(instance)
    for name, value in attributes.items():
        own = getattr(klass, name) if name in names else None
        if callable(own) or isinstance(own, property) or name == "training":
            continue
        if value is _first and hasattr(klass, "register_parameter"):
            import torch

            value = torch.nn.Identity()
        setattr(instance, name, value)
    return instance


def known_extents(signature: Signature, instance: Any) -> dict[Term, int]:
    """The extents that an instance's own arrays and numbers decide."""
    fixed: dict[Term, int] = {}
    for parameter in signature.state:
        value: Any = getattr(instance, parameter.name, None)
        leaf = parameter.value
        if isinstance(value, int) and leaf is not None:
            fixed[Read(leaf, ())] = value
            fixed[Symbol(f"self.{parameter.name}")] = value
        elif is_array(value):
            sizes = list(map(int, value.shape))
            for place, size in enumerate(sizes):
                for number in (place, place - len(sizes)):
                    fixed[Symbol(f"self.{parameter.name}.shape[{number}]")] = size
            if parameter.exact and len(parameter.lead) == len(sizes):
                fixed.update(zip(parameter.lead, sizes, strict=True))
    return fixed


def case(signature: Signature, recipe: Recipe, device: str, pair: tuple[Any, Any] | None) -> Case:
    """The inputs of a recipe. ``pair`` are the classes before and after, for a method."""
    holder = twin = None
    names = tuple(p.name for p in signature.parameters)
    if pair is None:
        args, kwargs, _ = arguments(signature, recipe, device, {})
        return Case(args, kwargs, names, recipe=recipe)
    if recipe.width:
        holder, twin = instances(pair, lambda klass: build(klass, recipe), device)
        own = min(WIDTH * recipe.scale, WIDEST) if recipe.width == WIDTH else recipe.width
        wide = replace(recipe, width=own)
        fixed = known_extents(signature, holder)
        args, kwargs, _ = arguments(replace(signature, state=()), wide, device, fixed)
        return Case(args, kwargs, names, holder, twin, recipe)
    args, kwargs, attributes = arguments(signature, recipe, device, {})
    holder, twin = instances(pair, lambda klass: blank(klass, attributes), device)
    return Case(args, kwargs, names, holder, twin, recipe)


def instances(pair: tuple[Any, Any], make: Any, device: str) -> tuple[Any, Any]:
    """The same instance of the class before and of the class after."""
    made = []
    for klass in pair:
        seed_all()
        made.append(make(klass))
    holder, twin = made
    settle(holder)
    if is_module(holder):
        twin.load_state_dict(holder.state_dict())
        holder, twin = holder.to(device), twin.to(device)
    return holder, twin


def seed_all(seed: int = 0) -> None:
    """Every random generator that code is likely to use."""
    import random
    import sys

    random.seed(seed)
    np.random.seed(seed)
    if "torch" in sys.modules:
        import torch

        torch.manual_seed(seed)


Precision = Literal["float64", "float32", "nudged"]
"""Another run of the original: in double or single precision, or with other last places."""


def converted(value: Any, precision: Precision) -> Any:
    """A structure with its floating arrays in another precision (complex likewise), or nudged."""
    if is_tensor(value):
        return _tensor(value, precision)
    if is_array(value):
        return _numpy(value, precision)
    if is_module(value):
        value = _module(value, precision)
    if isinstance(value, dict):
        return {key: converted(item, precision) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(converted(item, precision) for item in value)
    if (hasattr(value, "__dict__") and not callable(value)) or is_module(value):
        for name, item in list(vars(value).items()):
            if is_array(item):
                setattr(value, name, converted(item, precision))
    return value


def _module(value: Any, precision: Precision) -> Any:
    if precision != "nudged":
        return value.double() if precision == "float64" else value.float()
    for part in (*value.parameters(), *value.buffers()):
        part.data = _tensor(part.data, precision)
    return value


def _tensor(value: Any, precision: Precision) -> Any:
    import torch

    if not (value.is_floating_point() or value.is_complex()):
        return value
    if precision == "nudged":
        real = value.real if value.is_complex() else value
        return value * torch.as_tensor(_nudges(dtype_of(real), value.shape)).to(real)
    if value.is_complex():
        return value.to(torch.complex128 if precision == "float64" else torch.complex64)
    return value.to(getattr(torch, precision))


def _numpy(value: Any, precision: Precision) -> Any:
    if value.dtype.kind not in "fc":
        return value
    if precision == "nudged":
        real = value.real.dtype
        return value * _nudges(str(real), np.shape(value)).astype(real)
    if value.dtype.kind == "c":
        return value.astype(np.complex128 if precision == "float64" else np.complex64)
    return value.astype(precision)


def _nudges(dtype: str, shape: Sequence[int]) -> Any:
    """Factors that are off 1 by its last place, up or down."""
    signs = np.random.default_rng(11).integers(0, 2, tuple(shape)) * 2 - 1
    return 1 + epsilon(dtype) * signs


def tensors(value: Any, path: str) -> Sequence[tuple[str, Any]]:
    """The floating tensors in nested lists, tuples and dicts, by path."""
    if is_tensor(value):
        return [(path, value)] if value.is_floating_point() or value.is_complex() else []
    if isinstance(value, dict):
        return [pair for key, item in value.items() for pair in tensors(item, f"{path}[{key!r}]")]
    if isinstance(value, (list, tuple)):
        return [pair for n, item in enumerate(value) for pair in tensors(item, f"{path}[{n}]")]
    return []
