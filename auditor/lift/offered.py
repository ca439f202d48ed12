"""What a file says of its model by the inputs that it makes for it.

Files of the kind that benchmarks of kernels use (``Model``, ``get_inputs``, ``get_init_inputs``;
Ouyang et al., "KernelBench", 2025) state the shapes of what ``forward`` is given by making it.
"""

from __future__ import annotations

import ast

from auditor.lift.facts import Facts
from auditor.lift.lifter import Env, Lifter
from auditor.lift.module import ClassScope, Module
from auditor.lift.objects import Sequence
from auditor.lift.reading import Contradiction, read_function
from auditor.notation import Const, Value

_MODEL, _INPUTS = "Model", "get_inputs"


def offered_shapes(
    facts: Facts, module: Module, node: ast.FunctionDef, klass: ClassScope | None
) -> None:
    """Add how many axes the arguments of ``Model.forward`` have that ``get_inputs`` makes."""
    if klass is None or klass is not module.classes.get(_MODEL) or node.name != "forward":
        return
    maker = module.functions.get(_INPUTS)
    if maker is None or maker.decorator_list or node.args.vararg or node.args.posonlyargs:
        return
    for arg, value in zip(node.args.args[1:], _made(module, maker), strict=False):
        if not isinstance(value, Value) or value.library != "torch":
            continue
        known = facts.of(arg.arg)
        if known.rank is None and not any(axis.group for axis in value.axes):
            known.rank = len(value.axes)
            facts.stated.add(arg.arg)
            count = "axis" if known.rank == 1 else "axes"
            facts.assume(arg.arg, f"`{arg.arg}` has {known.rank} {count}, as `{_INPUTS}` says")


def offered_sizes(
    module: Module, node: ast.FunctionDef, klass: ClassScope | None
) -> dict[str, int]:
    """How long the axes of the arguments of ``Model.forward`` are, by the names of their extents.
    They are what the file measures with, and no facts about what a caller passes."""
    if klass is None or klass is not module.classes.get(_MODEL) or node.name != "forward":
        return {}
    maker = module.functions.get(_INPUTS)
    if maker is None or maker.decorator_list or node.args.vararg or node.args.posonlyargs:
        return {}
    return {
        f"{arg.arg}.shape[{place}]": axis.extent.value
        for arg, value in zip(node.args.args[1:], _made(module, maker), strict=False)
        if isinstance(value, Value)
        for place, axis in enumerate(value.axes)
        if isinstance(axis.extent, Const) and isinstance(axis.extent.value, int)
    }


def _made(module: Module, maker: ast.FunctionDef) -> tuple[object, ...]:
    """The inputs, in their order, as far as the last statement gives them one by one."""
    last = maker.body[-1]
    if not isinstance(last, ast.Return) or last.value is None:
        return ()
    try:
        lifter = read_function(module, _INPUTS, maker, None, {}, Facts(), _nothing).lifter
    except Contradiction:
        return ()
    found = lifter.values.get(last.value)
    return tuple(found.items) if isinstance(found, Sequence) else ()


def _nothing(_: Lifter) -> Env:
    return {}
