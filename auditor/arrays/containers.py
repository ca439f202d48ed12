"""What the text says is no array: a list, a tuple, a dictionary or something else that holds
items. What is taken for an array because of its subscripts must not be one of these."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.arrays.type_tests import is_array_at
from auditor.lift.annotations import in_container
from auditor.surroundings.region import Region
from auditor.syntax import is_name, path_of
from auditor.tree import children, descendants
from auditor.whole_file.own_calls import own_calls

_MAKERS = frozenset(
    "list tuple dict set frozenset sorted range zip map filter enumerate reversed iter deque "
    "Counter defaultdict OrderedDict bytes bytearray memoryview str".split()
)
_METHODS = frozenset(
    "tolist split rsplit splitlines readlines items keys values tobytes "
    "unbind chunk tensor_split array_split split_with_sizes hsplit vsplit dsplit "
    "topk kthvalue aminmax eig eigh svd slogdet storage untyped_storage to_sparse "
    "deque Counter defaultdict OrderedDict nditer ndenumerate ndindex meshgrid "
    "ParameterList ParameterDict ModuleList ModuleDict Sequential".split()
)
"""Methods, and functions and classes of libraries by their last name."""
_ATTRIBUTES = frozenset("shape flat strides".split())
_TO_ARRAYS = frozenset("array asarray asanyarray tensor as_tensor stack vstack hstack cat".split())
_LITERALS = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp,
             ast.GeneratorExp)  # fmt: skip


def is_container(region: Region, node: ast.expr, seen: frozenset[str] = frozenset()) -> bool:
    """Whether an expression is, or may be by one of the places that bind it, a container of items
    and no array."""
    if _written(node):
        return True
    if isinstance(node, ast.Call):
        return _makes(region, node, seen)
    if isinstance(node, (ast.IfExp, ast.BoolOp)):
        choices = [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.values
        return any(is_container(region, choice, seen) for choice in choices)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return is_container(region, node.value, seen)
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return False
    if isinstance(node, ast.Attribute) and node.attr in _ATTRIBUTES:
        return True
    named = ast.unparse(node)
    if named in seen:
        return False
    if isinstance(node, ast.Name) and (
        is_array_at(region, node) is False or _given(region, node.id) or _made_one(region, node.id)
    ):
        return True
    return any(is_container(region, value, seen | {named}) for value in _bound(region, node))


def _written(node: ast.AST | None) -> bool:
    """Whether an expression is written as a container, or as several of one."""
    if isinstance(node, ast.BinOp):
        joins = isinstance(node.op, (ast.Add, ast.Mult))
        return joins and any(isinstance(side, _LITERALS) for side in (node.left, node.right))
    return isinstance(node, _LITERALS)


def _makes(region: Region, call: ast.Call, seen: frozenset[str]) -> bool:
    called = call.func
    if isinstance(called, ast.Name) and called.id not in region.stores:
        function = region.module.functions.get(called.id)
        if function is None:
            return called.id in _MAKERS
        inner = descendants(function)
        return any(isinstance(node, ast.Return) and _written(node.value) for node in inner)
    if not isinstance(called, ast.Attribute):
        return False
    if called.attr in _METHODS:
        return True
    if called.attr == "sort":  # torch's, of values and places
        return path_of(region.module, called) in (None, "torch.sort")
    return called.attr == "copy" and is_container(region, called.value, seen)


def _given(region: Region, name: str) -> bool:
    """Whether a parameter is one by its annotation, its default, what the file passes for it or as
    the rest of the arguments."""
    for node in (region.lifted.node, *region.nodes):
        spec = node.args if isinstance(node, (ast.FunctionDef, ast.Lambda)) else None
        if spec is None:
            continue
        if any(arg is not None and arg.arg == name for arg in (spec.vararg, spec.kwarg)):
            return True
        positional = [*spec.posonlyargs, *spec.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(spec.defaults))
        pairs = zip(
            [*positional, *spec.kwonlyargs],
            [*defaults, *spec.defaults, *spec.kw_defaults],
            strict=True,
        )
        for arg, default in pairs:
            if arg.arg == name:
                stated = in_container(arg.annotation) or isinstance(default, _LITERALS)
                return stated or (isinstance(node, ast.FunctionDef) and _passed(region, node, name))
    return False


def _passed(region: Region, node: ast.FunctionDef, name: str) -> bool:
    """Whether a call of the file passes one."""
    klass = region.lifted.lifter.klass if node is region.lifted.node else None
    return any(name in call.listed for call in own_calls(region.module, node, klass))


def _made_one(region: Region, name: str) -> bool:
    """Whether a name is bound anew to what it held as an array (``xs = np.array(xs)``): until then
    it was none."""
    return any(
        isinstance(made, ast.Call)
        and made.args
        and is_name(made.args[0], name)
        and (path_of(region.module, made.func) or "").rpartition(".")[2] in _TO_ARRAYS
        for made in _bound(region, ast.Name(name, ast.Load()))
    )


def _bound(region: Region, node: ast.Name | ast.Attribute) -> Iterator[ast.expr]:
    """What a name, or an attribute of ``self``, is bound to."""
    everywhere: list[ast.AST] = list(region.nodes)
    klass = region.lifted.lifter.klass
    if isinstance(node, ast.Attribute):
        methods = klass.methods.values() if klass is not None else ()
        everywhere = [inner for method in methods for inner in descendants(method)]
    elif node.id not in region.stores:
        everywhere = list(children(region.module.tree))
    text = ast.unparse(node)
    for inner in everywhere:
        if isinstance(inner, ast.Assign):
            for target in inner.targets:
                if _is(target, text):
                    yield inner.value
                elif isinstance(target, (ast.Tuple, ast.List)):
                    yield from _unpacked(target.elts, text, inner.value)
        elif isinstance(inner, ast.AnnAssign) and _is(inner.target, text):
            if in_container(inner.annotation):
                yield ast.List([], ast.Load())
            if inner.value is not None:
                yield inner.value


def _unpacked(targets: list[ast.expr], text: str, value: ast.expr) -> Iterator[ast.expr]:
    """What one of several targets gets of ``value``, as far as the text says."""
    place = next((p for p, target in enumerate(targets) if _is(target, text)), None)
    if place is None or any(isinstance(target, ast.Starred) for target in targets):
        return
    if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(targets):
        yield value.elts[place]
    elif isinstance(value, (ast.ListComp, ast.GeneratorExp)):
        yield value.elt
    elif (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "zip"
    ):
        yield ast.Tuple([], ast.Load())


def _is(target: ast.expr, text: str) -> bool:
    if isinstance(target, ast.Name):
        return is_name(target, text)
    return isinstance(target, ast.Attribute) and ast.unparse(target) == text
