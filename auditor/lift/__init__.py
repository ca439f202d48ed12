"""The front end: Python source to index notation."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from auditor.lift import statements
from auditor.lift.annotations import in_container, library_of, or_none, stated_shapes
from auditor.lift.binding import changed_within
from auditor.lift.facts import Facts, Refine, TooLarge
from auditor.lift.filled import Filling
from auditor.lift.keyed import is_mapping
from auditor.lift.lifter import Env, Lifter
from auditor.lift.made_sizes import made_sizes
from auditor.lift.module import ClassScope, Module, read
from auditor.lift.moved import moves
from auditor.lift.objects import Instance, Members, Named, Obj
from auditor.lift.offered import offered_shapes
from auditor.lift.reading import Contradiction, Reading, read_function
from auditor.lift.remade import looked_up
from auditor.lift.runs import LAST, Picked
from auditor.notation import Const, Term, Value
from auditor.tree import descendants

_ROUNDS = 24
_SETTLING = 6
_SCALARS = {"int": "int", "float": "float", "bool": "bool"}


@dataclass
class Lifted:
    """One function (or the module's own statements) in notation. ``once`` keeps what was worked
    out about the whole function, ``knotted`` what refers to itself."""

    module: Module
    scope: str
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Module
    lifter: Lifter
    parameters: dict[str, Obj]
    once: dict[object, Any] = field(default_factory=dict)
    knotted: list[object] = field(default_factory=list)

    @property
    def facts(self) -> Facts:
        return self.lifter.facts

    def release(self) -> None:
        """Let go of all that was read, once nothing is asked of it any more. Much of it refers to
        what it is a part of, and would take memory until garbage is looked for."""
        for held in self.once.values():
            if isinstance(held, Lifted):
                held.release()
        self.once.clear()
        for one in self.knotted:
            vars(one).clear()
        vars(self.lifter).clear()
        vars(self).clear()

    @property
    def parents(self) -> Mapping[ast.AST, ast.AST]:
        """What each part of the function stands in."""
        return self.module.parents(self.node)


Functions = Iterator[tuple[str, ast.FunctionDef, ClassScope | None]]


def functions(module: Module) -> Functions:
    """Every function of a file with its qualified name, innermost last. A lambda that is kept is
    one of them."""
    return _functions(module, module.tree.body, "", None)


def _functions(
    module: Module, body: list[ast.stmt], prefix: str, klass: ClassScope | None
) -> Functions:
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield f"{prefix}{node.name}", node, klass
            yield from _functions(module, node.body, f"{prefix}{node.name}.", None)
        elif isinstance(node, ast.ClassDef):
            scope = module.classes.get(node.name) if not prefix else None
            if scope is None:
                methods = {s.name: s for s in node.body if isinstance(s, ast.FunctionDef)}
                scope = ClassScope(node, methods)
            yield from _functions(module, node.body, f"{prefix}{node.name}.", scope)
        elif isinstance(node, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
            for part in ("body", "orelse", "finalbody"):
                yield from _functions(module, getattr(node, part, []), prefix, klass)
            for handler in getattr(node, "handlers", []):
                yield from _functions(module, handler.body, prefix, klass)
        else:
            for name, function in module.lambdas(node):
                yield f"{prefix}{name}", function, None


def lift(
    module: Module,
    scope: str,
    node: ast.FunctionDef | ast.Module,
    klass: ClassScope | None = None,
    attributes: Mapping[str, Obj] | None = None,
    facts: Facts | None = None,
    picked: Picked = LAST,
) -> Lifted:
    """Read one function into notation, again and again until no more facts are learnt. ``facts``
    is what is known beforehand, such as the ranks of the parameters; ``picked`` are the runs that
    are asked about of texts that run several times."""
    facts = Facts() if facts is None else facts
    if isinstance(node, ast.FunctionDef):
        stated_shapes(facts, node, module.lines)
        offered_shapes(facts, module, node, klass)

    known = attributes_of(module, klass) if attributes is None else attributes

    def read_it() -> Reading:
        return read_function(
            module, scope, node, klass, known, facts,
            lambda lifter: _parameters(lifter, node, klass), picked,
        )  # fmt: skip

    reading: Reading | None = None
    before: dict[Term, Term] | None = None
    for _ in range(_SETTLING):
        equal, so_far = dict(facts.extents), (facts.spelled, facts.forgotten)
        if reading is None or before is None or not reading.settle(before):
            reading = read_it()
        if (facts.spelled, facts.forgotten) == so_far:
            break
        before = equal if facts.forgotten == so_far[1] else None
    assert reading is not None
    return Lifted(module, scope, node, reading.lifter, reading.parameters)


def attributes_of(module: Module, klass: ClassScope | None) -> Mapping[str, Obj]:
    """What ``__init__`` sets on self, where there is a class."""
    return Members(dict if klass is None else partial(constructed, module, klass, {}))


def constructed(
    module: Module, klass: ClassScope, arguments: Env, depth: int = 0
) -> dict[str, Obj]:
    """What ``__init__`` sets on self where it is given ``arguments``; ``depth`` counts the
    constructors that are being read."""
    init = klass.methods.get("__init__")
    if init is None:
        return {}
    facts, sizes = Facts(), made_sizes(module, init)
    setting: dict[str, Obj] = {}
    for _ in range(_ROUNDS):
        setting = {}
        lifter = Lifter(module, facts, init, klass, setting=setting, depth=depth)
        try:
            given = _numbers(_parameters(lifter, init, klass), sizes, init) | arguments
            statements.block(lifter, init.body, given)
        except Refine as fact:
            if facts.learn(fact) or facts.give_up(lifter.ops.located()):
                facts.forget_extents()
                continue
        break
    written = written_elsewhere(klass)
    kept = {
        name: obj
        for name, obj in setting.items()
        if name not in written
        and not module.settings.replaced(klass.node, name, "__init__")
        and not module.settings.remade(name, looked_up(obj))
        and not (isinstance(obj, Value) and _of_unknown_shape(obj))
    }
    filled: set[str] = set()
    if any(isinstance(obj, Value) for obj in kept.values()):
        filled = filled_elsewhere(klass) | module.settings.filled(klass.node)
    return {name: _as_attribute(f"self.{name}", obj, name in filled) for name, obj in kept.items()}


def _of_unknown_shape(value: Value) -> bool:
    """A stored parameter, or a tensor whose rank the constructor does not say: what a method reads
    is then a value of its own."""
    stored = value.kind == "input" and value.dtype is None
    return stored or any(axis.group for axis in value.axes)


def _numbers(parameters: Env, sizes: frozenset[str], init: ast.FunctionDef) -> Env:
    """The parameters of a constructor: those whose rank is not known are taken for numbers, which
    sizes and rates are, unless it asks them for what arrays have; those that are ``sizes`` of
    layers are whole ones. (One that is only stored stays unknown otherwise, see above.)"""
    arrays = {word for node in descendants(init) if (word := _asked_as_array(node)) is not None}
    return {
        name: Value(name, (), None, "int" if name in sizes else None, "input", "python")
        if isinstance(obj, Value) and obj.axes and name not in arrays
        else obj
        for name, obj in parameters.items()
    }


def _asked_as_array(node: ast.AST) -> str | None:
    """x of ``x.shape``, ``x.size(0)`` and ``torch.zeros_like(x)``."""
    of: ast.expr | None = None
    if isinstance(node, ast.Attribute) and node.attr in ("shape", "size", "dim", "ndim", "numel"):
        of = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        of = node.args[0] if node.func.attr.endswith("_like") else None
    return of.id if isinstance(of, ast.Name) else None


def written_elsewhere(klass: ClassScope) -> set[str]:
    """Attributes that a method other than ``__init__`` sets."""
    return _remembered(_written, _sets, klass)


def filled_elsewhere(klass: ClassScope) -> set[str]:
    """Attributes that a method writes into, item by item or in place, under whatever name."""
    return _remembered(_filled, _fills, klass)


_Attributes = WeakKeyDictionary[ast.ClassDef, set[str]]
_written: _Attributes = WeakKeyDictionary()
_filled: _Attributes = WeakKeyDictionary()


def _remembered(
    known: _Attributes, find: Callable[[ClassScope], set[str]], klass: ClassScope
) -> set[str]:
    """What ``find`` says of a class, which is asked for each of its methods."""
    if klass.node not in known:
        known[klass.node] = find(klass)
    return known[klass.node]


def _sets(klass: ClassScope) -> set[str]:
    nodes = [
        node
        for name, method in klass.methods.items() if name != "__init__"
        for node in descendants(method)
    ]  # fmt: skip
    moved = {node.targets[0] for node in nodes if isinstance(node, ast.Assign) and moves(node)}
    return {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
        and node not in moved
    }  # fmt: skip


def _fills(klass: ClassScope) -> set[str]:
    return {name for method in klass.methods.values() for name in Filling.of(method).attributes}


def _as_attribute(path: str, obj: Obj, filled: bool) -> Obj:
    """What a method finds. Of what methods write into the shape alone is known, and so it is of an
    array of one number: it is there to be filled, here or by who has the object."""
    if isinstance(obj, Instance):
        return replace(obj, name=path)
    if isinstance(obj, Value) and (filled or _uniform(obj)):
        return replace(obj, body=None, kind="attribute")
    return obj


def _uniform(value: Value) -> bool:
    return bool(value.axes) and isinstance(value.body, Const)


def _parameters(
    lifter: Lifter, node: ast.FunctionDef | ast.Module, klass: ClassScope | None
) -> Env:
    if isinstance(node, ast.Module):
        return {}
    spec = node.args
    env: Env = {}
    positional = [*spec.posonlyargs, *spec.args]
    defaults: dict[str, ast.expr] = {}
    for arg, default in zip(positional[len(positional) - len(spec.defaults) :], spec.defaults,
                            strict=True):  # fmt: skip
        defaults[arg.arg] = default
    for arg, keyword_default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
        if keyword_default is not None:
            defaults[arg.arg] = keyword_default
    static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
    for position, arg in enumerate([*positional, *spec.kwonlyargs]):
        if position == 0 and klass is not None and not static:
            env[arg.arg] = Named("self")
            continue
        env[arg.arg] = _parameter(lifter, arg, defaults.get(arg.arg))
        if arg.arg in lifter.declared_within:
            env[arg.arg] = changed_within(lifter, arg)
    for extra in (spec.vararg, spec.kwarg):
        if extra is not None:
            from auditor.lift.objects import Unknown

            env[extra.arg] = Unknown(f"`{extra.arg}` holds any number of arguments")
    return env


def _parameter(lifter: Lifter, arg: ast.arg, default: ast.expr | None) -> Obj:
    """A parameter: a scalar where its annotation or default says so, else of unknown rank."""
    annotation = ast.unparse(arg.annotation) if arg.annotation is not None else ""
    dtype = _SCALARS.get(annotation)
    none = isinstance(default, ast.Constant) and default.value is None
    if none or "None" in annotation or "Optional" in annotation:
        lifter.optional.add(arg.arg)
    if dtype is None and or_none(arg.annotation) == "float":
        dtype = "float"  # nothing is computed of None, but as an integer it would bound slices
    if dtype is None and isinstance(default, ast.Constant):
        if isinstance(default.value, (bool, int, float)):
            dtype = type(default.value).__name__
    if isinstance(default, ast.UnaryOp) and isinstance(default.operand, ast.Constant):
        dtype = type(default.operand.value).__name__
    if dtype is not None:
        return lifter.facts.keep(arg.arg, Value(arg.arg, (), None, dtype, "input", "python"))
    if is_mapping(arg.annotation):
        lifter.keyed.add(arg.arg)
    library = None if in_container(arg.annotation) else library_of(annotation)
    if library is not None:
        lifter.facts.of(arg.arg).library = library
    return lifter.parameter(arg.arg)


__all__ = [
    "Contradiction",
    "Lifted",
    "Module",
    "TooLarge",
    "attributes_of",
    "constructed",
    "filled_elsewhere",
    "functions",
    "lift",
    "read",
    "written_elsewhere",
]
