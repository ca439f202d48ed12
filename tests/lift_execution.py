"""Running code and its notation side by side: the harness of the front end's tests.

``check`` lifts a function, evaluates what it returns with the NumPy evaluator and compares with
calling the function. Ranks are given to the lifter beforehand (``ranks=True``) or left to it.
"""

from __future__ import annotations

import ast
import copy
import inspect
import linecache
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from auditor import lift
from auditor.algebra.evaluate import CannotEvaluate, Evaluator
from auditor.algebra.without_algebra import KNOWN
from auditor.lift.arrays import Unsupported
from auditor.lift.facts import Facts, Refine
from auditor.lift.objects import (
    Collected,
    Iteration,
    Literal,
    Named,
    Obj,
    Record,
    Sequence,
    Shape,
    Unknown,
)
from auditor.notation import (
    Apply,
    Const,
    Index,
    Order,
    Read,
    Reduce,
    Symbol,
    Term,
    Trace,
    Value,
    children,
)


class NoMeaning(Exception):
    """The lifter says that it has no notation for what is returned."""


class Assumed(Exception):
    """The notation rests on an assumption that these inputs do not meet."""


@dataclass
class Run:
    """One function, lifted and called."""

    lifted: lift.Lifted
    inputs: Mapping[str, Any]
    module: Any = None
    single: bool = False

    def __post_init__(self) -> None:
        self.sizes: dict[Symbol, int] = {}
        self.env: dict[Value, Any] = {}
        self.groups: dict[Index, tuple[int, ...]] = {}
        self.named_groups: dict[str, tuple[int, ...]] = {}
        self.seen: set[int] = set()
        self.seen_values: set[Value] = set()

    # -- binding

    def leaf_array(self, value: Value) -> Any:
        name = value.name
        if name in self.inputs:
            return self.inputs[name]
        if name.startswith("self.") and self.module is not None:
            found = self.module
            for part in name.split(".")[1:]:
                found = getattr(found, part)
            return found
        if self.module is not None:
            default = inspect.signature(type(self.module).__init__).parameters.get(name)
            if default is not None:
                return default.default
        raise NoMeaning(f"`{name}` ({value.kind}) is no input")

    def bind(self, term: Term) -> None:
        """Give every leaf below ``term`` its array, every extent its size."""
        stack: list[Term] = [term]
        while stack:
            node = stack.pop()
            if id(node) in self.seen:
                continue
            self.seen.add(id(node))
            stack.extend(children(node))
            if isinstance(node, Index):
                stack.append(node.extent)
                if node.group:
                    self.bind_group(node)
            elif isinstance(node, Symbol):
                self.bind_symbol(node)
            elif isinstance(node, (Reduce, Order)):
                stack.append(node.index)
            elif isinstance(node, Read):
                self.bind_value(node.value, stack)
            elif isinstance(node, Trace):
                stack.append(node.scan.step)
                for carry in node.scan.carries:
                    stack.extend((carry.init, carry.update, *carry.state.axes))

    def bind_value(self, value: Value, stack: list[Term]) -> None:
        if value in self.seen_values:
            return
        self.seen_values.add(value)
        stack.extend(value.axes)
        if value.body is not None:
            stack.append(value.body)
        elif value.kind != "state":
            array = to_numpy(self.leaf_array(value))
            self.env[value] = array
            own = [axis for axis in value.axes if not axis.group]
            group = len(own) != len(value.axes)
            if array.ndim < len(own) or (not group and array.ndim != len(own)):
                if value.name in self.lifted.facts.assumptions:
                    raise Assumed(self.lifted.facts.assumptions[value.name])
                raise AssertionError(f"{value.name} was lifted with {len(own)} axes")

    def bind_group(self, index: Index) -> None:
        owner = str(index.extent).removesuffix(".shape[...]")
        if index in self.groups:
            return
        met = self.lifted.lifter.ops.broadcasts.get(owner)
        if met is not None:
            self.groups[index] = np.broadcast_shapes(*(self.shape_of(row) for row in met))
            return
        if owner not in self.inputs:
            raise CannotEvaluate(f"the axes of `{owner}` are the lifter's own")
        shape = np.shape(to_numpy(self.inputs[owner]))
        axes = self.lifted.facts.axes(owner, owner)
        before = next((p for p, axis in enumerate(axes) if axis.group), 0)
        self.groups[index] = shape[before : len(shape) - (len(axes) - before - 1)]

    def shape_of(self, axes: tuple[Index, ...]) -> tuple[int, ...]:
        sizes: list[int] = []
        for axis in axes:
            self.bind(axis)
            if axis.group:
                sizes.extend(self.groups[axis])
            else:
                evaluator = Evaluator(self.env, self.sizes, self.groups, KNOWN)
                sizes.append(int(evaluator.value(Value("size", (), axis.extent))))
        return tuple(sizes)

    def bind_symbol(self, symbol: Symbol) -> None:
        name, _, place = symbol.name.partition(".shape[")
        if symbol.name.startswith("self."):
            name, _, place = symbol.name.partition(".shape[")
        if place == "...]":  # a group as an extent: the number of its elements
            self.bind_group(group := Index("g", symbol, group=True))
            self.sizes[symbol] = int(np.prod(self.groups[group]))
            return
        if not place:
            raise CannotEvaluate(f"the symbol `{symbol.name}`")
        leaf = Value(name, ())
        shape = np.shape(to_numpy(self.leaf_array(leaf)))
        position = int(place.rstrip("]"))
        if not -len(shape) <= position < len(shape):
            if name in self.lifted.facts.assumptions:
                raise Assumed(self.lifted.facts.assumptions[name])
            raise AssertionError(f"{symbol.name} of an array with shape {shape}")
        self.sizes[symbol] = shape[position]

    # -- evaluating

    def check_facts(self) -> None:
        """Extents that were taken to be equal are equal."""
        facts = self.lifted.facts
        for left in list(facts.extents):
            right = facts.extent(left)
            try:
                self.bind(left)
                self.bind(right)
                evaluator = Evaluator(self.env, self.sizes, self.groups, KNOWN)
                a, b = evaluator.value(Value("a", (), left)), evaluator.value(Value("b", (), right))
            except (CannotEvaluate, NoMeaning):
                continue
            if a != b:
                raise Assumed(f"{left} = {right}")

    def value(self, value: Value) -> Any:
        stack: list[Term] = []
        self.bind_value(value, stack)
        for term in stack:
            self.bind(term)
        evaluator = Evaluator(self.env, self.sizes, self.groups, KNOWN)
        return evaluator.value(value)

    def compare(self, obj: Obj, actual: Any, what: str = "result") -> None:
        """Fail unless ``obj`` evaluates to ``actual``."""
        if isinstance(obj, Record):
            obj = Sequence(tuple(obj.fields.values()))
        if isinstance(obj, Unknown):
            raise NoMeaning(obj.reason)
        if isinstance(obj, Sequence):
            assert isinstance(actual, (tuple, list, torch.Size)) or actual.ndim, (
                f"{what}: a sequence, not {type(actual).__name__}"
            )
            assert len(obj.items) == len(actual), f"{what}: {len(obj.items)} items"
            for place, (item, real) in enumerate(zip(obj.items, actual, strict=True)):
                self.compare(item, real, f"{what}[{place}]")
            return
        if isinstance(obj, Shape):
            try:
                sizes = self.lifted.lifter.extents_of(obj)
            except (Unsupported, Refine) as problem:
                raise NoMeaning(str(problem)) from None
            got = [int(self.value(Value("size", (), size))) for size in sizes]
            assert got == list(actual), f"{what}: shape {got}, not {list(actual)}"
            return
        if isinstance(obj, Collected):
            assert not obj.prefix, "items before the loop"
            step = Index(obj.step.name, obj.step.extent)
            place: Term = step
            if obj.reverse:
                place = Apply("sub", (Apply("sub", (step.extent, Const(1))), step))
            item = self.lifted.lifter.item_at(obj, place)
            whole = Value("list", (step, *item.axes), item.body)
            self.compare_arrays(self.value(whole), stack_of(list(actual)), what)
            return
        if isinstance(obj, Iteration):
            step = Index("t", obj.extent)
            item = obj.element(step)
            parts = item.items if isinstance(item, Sequence) else (item,)
            reals = list(actual)
            for place_, part in enumerate(parts):
                assert isinstance(part, Value)
                whole = Value("items", (step, *part.axes), part.body)
                real = [r[place_] for r in reals] if isinstance(item, Sequence) else reals
                self.compare_arrays(self.value(whole), stack_of(real), what)
            return
        if isinstance(obj, (Literal, Named)):
            return
        if not isinstance(obj, Value):
            raise NoMeaning(f"{what}: {type(obj).__name__}")
        if obj.body is None and obj.kind == "opaque":
            raise NoMeaning(f"`{obj.name}` is opaque")
        self.compare_arrays(self.value(obj), actual, what)
        self.compare_dtype(obj, actual, what)

    def compare_arrays(self, mine: Any, actual: Any, what: str) -> None:
        real = to_numpy(actual)
        assert mine.shape == real.shape, f"{what}: shape {mine.shape}, not {real.shape}"
        single = self.single or real.dtype in (np.float32, np.complex64)
        tolerance = 2e-6 if single else 1e-9
        np.testing.assert_allclose(
            mine.astype(complex) if real.dtype.kind == "c" else mine.astype(float),
            real if real.dtype.kind == "c" else real.astype(float),
            rtol=tolerance, atol=tolerance, equal_nan=True, err_msg=what,
        )  # fmt: skip

    def compare_dtype(self, value: Value, actual: Any, what: str) -> None:
        """The dtype and the library, where the lifter claims to know them."""
        if isinstance(actual, torch.Tensor):
            dtype, library = str(actual.dtype).removeprefix("torch."), "torch"
        elif isinstance(actual, (np.ndarray, np.generic)):
            dtype, library = actual.dtype.name, "numpy"
        elif isinstance(actual, (bool, int, float, complex)):
            dtype, library = type(actual).__name__, "python"
        else:
            return
        if value.dtype is not None and " " not in value.dtype:
            assert value.dtype == dtype, f"{what}: dtype {value.dtype}, not {dtype}"
        if value.library is not None:
            assert value.library == library, f"{what}: of {value.library}, not {library}"


def to_numpy(obj: Any) -> Any:
    if isinstance(obj, torch.Tensor):
        plain = obj.detach().resolve_conj()
        return plain.to(torch.float64 if obj.dtype == torch.bfloat16 else obj.dtype).numpy()
    return np.asarray(obj)


def stack_of(items: list[Any]) -> Any:
    assert len({np.shape(to_numpy(item)) for item in items}) <= 1, "items of different shapes"
    return np.stack([to_numpy(item) for item in items]) if items else np.zeros(0)


def rank_of(obj: Any) -> int | None:
    if isinstance(obj, (torch.Tensor, np.ndarray)):
        return obj.ndim
    return None


def facts_for(inputs: Mapping[str, Any], ranks: bool) -> Facts:
    facts = Facts()
    for name, array in inputs.items():
        rank = rank_of(array)
        if rank is None:
            continue
        known = facts.of(name)
        known.library = "torch" if isinstance(array, torch.Tensor) else "numpy"
        if ranks:
            known.rank = rank
    return facts


def attribute_facts(facts: Facts, module: Any, ranks: bool) -> None:
    if module is None or not ranks:
        return
    for name, array in [*module.named_parameters(), *module.named_buffers()]:
        facts.of(f"self.{name}").rank = array.ndim


def run_source(source: str, name: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    filename = f"<lifted {abs(hash(source))}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), namespace)
    return namespace


def lift_function(
    source: str, name: str, inputs: Mapping[str, Any], ranks: bool, module: Any = None
) -> lift.Lifted:
    parsed = lift.read(source)
    for scope, node, klass in lift.functions(parsed):
        if scope == name:
            attributes = lift.attributes_of(parsed, klass) if klass else {}
            facts = facts_for(inputs, ranks)
            attribute_facts(facts, module, ranks)
            return lift.lift(parsed, scope, node, klass, attributes, facts=facts)
    raise AssertionError(f"no function {name}")


def returned(lifted: lift.Lifted) -> Obj:
    returns = lifted.lifter.returns
    assert len(returns) == 1, "the function returns at one place"
    return returns[0][1]


def first_name(source: str) -> str:
    node = ast.parse(source).body[-1]
    if isinstance(node, ast.ClassDef):
        return f"{node.name}.forward"
    assert isinstance(node, ast.FunctionDef)
    return node.name


def check(
    source: str, inputs: Mapping[str, Any], *, ranks: bool = True, module_args: tuple[Any, ...] = ()
) -> lift.Lifted:
    """Lift, evaluate, run, compare. Raises NoMeaning where the lifter has no notation."""
    source = inspect.cleandoc(source) + "\n"
    name = first_name(source)
    namespace = run_source(source, name)
    owner, _, method = name.partition(".")
    module = None
    if method:
        torch.manual_seed(0)
        module = namespace[owner](*module_args).double().eval()
        function = module.forward
    else:
        function = namespace[name]
    with torch.no_grad(), np.errstate(all="ignore"):
        actual = function(**copy.deepcopy(dict(inputs)))
    lifted = lift_function(source, name, inputs, ranks, module)
    single = any(word in source for word in (".float()", "float32", "half()", "bfloat16"))
    run = Run(lifted, inputs, module, single)
    try:
        run.check_facts()
        run.compare(returned(lifted), actual)
    except AssertionError as problem:
        if lifted.facts.assumptions:
            raise Assumed(f"{problem} {list(lifted.facts.assumptions.values())}") from problem
        raise
    return lifted


def effects(lifted: lift.Lifted) -> list[str]:
    return [effect.reason for effect in lifted.lifter.effects]


def names_in(expression: str) -> Iterator[str]:
    """The names an expression reads, in order, each once."""
    seen: set[str] = set()
    bound = {
        n.id
        for n in ast.walk(ast.parse(expression.strip()))
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    for node in ast.walk(ast.parse(expression.strip())):
        if isinstance(node, ast.arg):
            bound.add(node.arg)
    for node in ast.walk(ast.parse(expression.strip())):
        if isinstance(node, ast.Name) and node.id not in seen and node.id not in bound:
            seen.add(node.id)
            yield node.id
