"""What a file says of its model by the inputs that it makes for it.

Files of the kind that benchmarks of kernels use (``Model``, ``get_inputs``, ``get_init_inputs``;
Ouyang et al., "KernelBench", 2025) state the shapes of what ``forward`` is given by making it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Set
from typing import TypeGuard

from auditor.lift.bound import stored_in
from auditor.lift.facts import Facts, TooLarge
from auditor.lift.lifter import Env, Lifter
from auditor.lift.module import ClassScope, Module
from auditor.lift.objects import Sequence
from auditor.lift.reading import Contradiction, read_function
from auditor.notation import Const, Value
from auditor.syntax import is_name
from auditor.tree import descendants, everything_in

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
        facts.tensors[arg.arg] = value.dtype
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
    and the numbers that the object is made with and keeps. They are what the file measures with,
    and no facts about what a caller passes."""
    maker = module.functions.get(_INPUTS)
    if klass is None or maker is None or maker.decorator_list:
        return {}
    sizes, init = dict[str, int](), klass.methods.get("__init__")
    own = {arg.arg for arg in node.args.args}
    if klass is module.classes.get(_MODEL):
        if node.name == "forward" and not (node.args.vararg or node.args.posonlyargs):
            sizes = _lengths(node.args.args[1:], _made(module, maker))
        numbers = {} if init is None else dict(_first_numbers(module, init))
    else:
        numbers = made_with(module, klass)
    if init is None:
        return sizes
    whole = {name: number for name, number in numbers.items() if isinstance(number, int)}
    return (
        sizes
        | {name: number for name, number in whole.items() if name not in own}
        | dict(_kept(module, klass, init, whole))
    )


def _lengths(arguments: list[ast.arg], made: tuple[object, ...]) -> dict[str, int]:
    return {
        f"{arg.arg}.shape[{place}]": axis.extent.value
        for arg, value in zip(arguments, made, strict=False)
        if isinstance(value, Value)
        for place, axis in enumerate(value.axes)
        if isinstance(axis.extent, Const) and isinstance(axis.extent.value, int)
    }


def _kept(
    module: Module, klass: ClassScope, init: ast.FunctionDef, numbers: dict[str, int]
) -> Iterator[tuple[str, int]]:
    """The numbers that the constructor keeps in attributes which nothing else sets, where it is
    given ``numbers``, and its defaults for the rest."""
    stored = Counter(
        part.attr for part in descendants(klass.node)
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
    )  # fmt: skip

    def given(lifter: Lifter) -> Env:
        found, args = _constants(lifter), init.args.args
        defaults = dict(zip(reversed(args), reversed(init.args.defaults), strict=False))
        for arg, default in defaults.items():
            found[arg.arg] = lifter.eval(default, {})
        for name, number in numbers.items():
            found[name] = lifter.eval(ast.Constant(number), {})
        return found

    try:
        values = read_function(module, "__init__", init, klass, {}, Facts(), given).lifter.values
    except (Contradiction, TooLarge):
        return
    for target, node in _assigned(init):
        value = values.get(node)
        number = value.body if isinstance(value, Value) and not value.axes else None
        if stored[target.attr] == 1 and isinstance(number, Const) and type(number.value) is int:
            yield ast.unparse(target), number.value


def _assigned(init: ast.FunctionDef) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    """The attributes of self that a constructor sets in any case, and to what."""
    for statement in init.body:
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        for target in targets:
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=False))
            for each, node in pairs:
                if isinstance(each, ast.Attribute) and is_name(each.value, "self"):
                    yield each, node


def made_with(
    module: Module, klass: ClassScope, within: tuple[ClassScope, ...] = ()
) -> dict[str, int | float]:
    """The numbers that the objects of a class of the file are made with, by the parameters of its
    constructor: those that ``get_init_inputs`` gives the model, and what the model hands on in
    every call of the class. None where the file makes or derives others besides."""
    init, name = klass.methods.get("__init__"), klass.node.name
    if init is None or klass in within:
        return {}
    if any(is_name(base, name) for scope in module.every_class for base in scope.bases):
        return {}
    if klass is module.classes.get(_MODEL):
        besides = [node for node in descendants(module.tree) if _calls(node, name)]
        if any(ast.unparse(node) != f"{name}(*{_MAKES}())" for node in besides):
            return {}
        return dict(_first_numbers(module, init))
    arguments = [arg.arg for arg in init.args.args[1:]]
    found: list[dict[str, int | float]] = []
    for scope in module.classes.values():
        maker = scope.methods.get("__init__")
        calls = [call for call in descendants(scope.node) if _calls(call, name)]
        if not calls:
            continue
        numbers = made_with(module, scope, (*within, klass))
        inside = set() if maker is None else set(descendants(maker))
        for call in calls:
            if call not in inside or maker is None:
                return {}
            found.append(_handed_on(call, arguments, numbers, stored_in(maker)))
    everywhere = sum(_calls(node, name) for node in descendants(module.tree))
    if not found or everywhere != len(found):
        return {}
    first, *others = found
    return {
        argument: number for argument, number in first.items()
        if all(other.get(argument) == number for other in others)
    }  # fmt: skip


def _calls(node: ast.AST, name: str) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _handed_on(
    call: ast.Call, arguments: list[str], numbers: dict[str, int | float], changed: Set[str]
) -> dict[str, int | float]:
    """The numbers among the arguments of a call, where the caller has ``numbers``, of which it
    changes some."""
    if any(isinstance(arg, ast.Starred) for arg in call.args):
        return {}
    given = dict(zip(arguments, call.args, strict=False))
    given |= {word.arg: word.value for word in call.keywords if word.arg is not None}
    found: dict[str, int | float] = {}
    for name, node in given.items():
        if isinstance(node, ast.Name) and node.id in numbers and node.id not in changed:
            found[name] = numbers[node.id]
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            found[name] = node.value  # type: ignore[assignment]
    return found


def _first_numbers(module: Module, init: ast.FunctionDef) -> Iterator[tuple[str, int | float]]:
    """The numbers that ``get_init_inputs`` gives the constructor of the model."""
    maker = module.functions.get(_MAKES)
    if maker is None or maker.decorator_list:
        return
    arguments = [arg.arg for arg in init.args.args[1:]]
    for name, value in zip(arguments, _made(module, maker), strict=False):
        number = value.body if isinstance(value, Value) and not value.axes else None
        if isinstance(number, Const) and type(number.value) in (int, float):
            yield name, number.value  # type: ignore[misc]


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
