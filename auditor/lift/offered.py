"""What a file says of its model by the inputs that it makes for it.

Files of the kind that benchmarks of kernels use (``Model``, ``get_inputs``, ``get_init_inputs``;
Ouyang et al., "KernelBench", 2025) state the shapes of what ``forward`` is given by making it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.lift.facts import Facts
from auditor.lift.lifter import Env, Lifter
from auditor.lift.module import ClassScope, Module
from auditor.lift.objects import Sequence
from auditor.lift.reading import Contradiction, read_function
from auditor.notation import Const, Value
from auditor.tree import everything_in

_MODEL, _INPUTS, _MAKES = "Model", "get_inputs", "get_init_inputs"
_COUNTED = (ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.Tuple, ast.List)


def offered_shapes(
    facts: Facts, module: Module, node: ast.FunctionDef, klass: ClassScope | None
) -> None:
    """Add how many axes the arguments of ``Model.forward`` have that ``get_inputs`` makes, and
    which hold truth values: these are masks, whatever else a caller passes."""
    if klass is None or klass is not module.classes.get(_MODEL) or node.name != "forward":
        return
    maker = module.functions.get(_INPUTS)
    if maker is None or maker.decorator_list or node.args.vararg or node.args.posonlyargs:
        return
    for arg, value in zip(node.args.args[1:], _made(module, maker), strict=False):
        if not isinstance(value, Value) or value.library != "torch":
            continue
        known = facts.of(arg.arg)
        known.truths = value.dtype == "bool"
        if known.rank is None and not any(axis.group for axis in value.axes):
            known.rank = len(value.axes)
            facts.stated.add(arg.arg)
            count = "axis" if known.rank == 1 else "axes"
            facts.assume(arg.arg, f"`{arg.arg}` has {known.rank} {count}, as `{_INPUTS}` says")


def offered_sizes(
    module: Module, node: ast.FunctionDef, klass: ClassScope | None
) -> dict[str, int]:
    """How long the axes of the arguments of ``Model.forward`` are, by the names of their extents,
    and the numbers that the model is made with. They are what the file measures with, and no facts
    about what a caller passes."""
    if klass is None or klass is not module.classes.get(_MODEL) or node.name != "forward":
        return {}
    maker = module.functions.get(_INPUTS)
    if maker is None or maker.decorator_list or node.args.vararg or node.args.posonlyargs:
        return {}
    arguments = node.args.args[1:]
    sizes = {
        f"{arg.arg}.shape[{place}]": axis.extent.value
        for arg, value in zip(arguments, _made(module, maker), strict=False)
        if isinstance(value, Value)
        for place, axis in enumerate(value.axes)
        if isinstance(axis.extent, Const) and isinstance(axis.extent.value, int)
    }
    own = {arg.arg for arg in arguments}
    return sizes | {name: size for name, size in _numbers(module, klass) if name not in own}


def _numbers(module: Module, klass: ClassScope) -> Iterator[tuple[str, int]]:
    """The whole numbers that the model is made with, by the parameters of its constructor."""
    maker, init = module.functions.get(_MAKES), klass.methods.get("__init__")
    if maker is None or maker.decorator_list or init is None:
        return
    for arg, value in zip(init.args.args[1:], _made(module, maker), strict=False):
        number = value.body if isinstance(value, Value) and not value.axes else None
        if isinstance(number, Const) and type(number.value) is int:
            yield arg.arg, number.value


def _made(module: Module, maker: ast.FunctionDef) -> tuple[object, ...]:
    """The inputs, in their order, as far as the last statement gives them one by one."""
    last = maker.body[-1]
    if not isinstance(last, ast.Return) or last.value is None:
        return ()
    try:
        lifter = read_function(module, maker.name, maker, None, {}, Facts(), _constants).lifter
    except Contradiction:
        return ()
    found = lifter.values.get(last.value)
    return tuple(found.items) if isinstance(found, Sequence) else ()


def _constants(lifter: Lifter) -> Env:
    """The numbers and tuples of numbers that the file gives a name."""
    found: Env = {}
    for name, node in lifter.module.constants.items():
        parts = [*everything_in(node)]
        named = {part.id for part in parts if isinstance(part, ast.Name)}
        if all(isinstance(part, _COUNTED) for part in parts) and named <= found.keys():
            found[name] = lifter.eval(node, found)
    return found
