"""What a loop walks, as far as the text says: a list, a range, a set, an iterator, an array."""

from __future__ import annotations

import ast
from enum import Enum

from auditor.arrays.facts import Arrays
from auditor.folds.loop import Generator
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, path_of, same
from auditor.tree import everything_in


class Iterable(Enum):
    """``LIST``: a sequence that can be walked again; ``VIEW``: something else that can;
    ``ITERATOR``: only once."""

    LIST = "list"
    RANGE = "range"
    VIEW = "view"
    SET = "set"
    ITERATOR = "iterator"
    ARRAY = "array"
    UNKNOWN = "unknown"


_ANNOTATIONS = {
    "list": Iterable.LIST, "List": Iterable.LIST, "tuple": Iterable.LIST, "Tuple": Iterable.LIST,
    "Sequence": Iterable.LIST, "MutableSequence": Iterable.LIST, "str": Iterable.LIST,
    "dict": Iterable.VIEW, "Dict": Iterable.VIEW, "Mapping": Iterable.VIEW,
    "Collection": Iterable.VIEW, "set": Iterable.SET, "Set": Iterable.SET,
    "frozenset": Iterable.SET, "FrozenSet": Iterable.SET, "AbstractSet": Iterable.SET,
    "Iterable": Iterable.ITERATOR, "Iterator": Iterable.ITERATOR, "Generator": Iterable.ITERATOR,
}  # fmt: skip
_OF_TEXTS = frozenset(("glob.glob", "os.listdir"))
_MADE_BY = {
    "list": Iterable.LIST, "sorted": Iterable.LIST, "tuple": Iterable.LIST, "set": Iterable.SET,
    "frozenset": Iterable.SET, "iter": Iterable.ITERATOR, "map": Iterable.ITERATOR,
    "filter": Iterable.ITERATOR, "open": Iterable.ITERATOR, "dict": Iterable.VIEW,
}  # fmt: skip


def kind_of(
    region: Region,
    node: ast.expr,
    generators: list[Generator],
    seen: frozenset[str] = frozenset(),
) -> Iterable:
    """What walking ``node`` means. ``seen`` are names that it is made of in the end."""
    arrays = Arrays(region)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        if name == "range":
            return _range(region, node, generators)
        if name in ("enumerate", "reversed") and node.args:
            return kind_of(region, node.args[0], generators)
        if name == "zip" and node.args:
            kinds = [kind_of(region, arg, generators) for arg in node.args]
            for kind in (Iterable.SET, Iterable.ARRAY, Iterable.UNKNOWN, Iterable.ITERATOR):
                if kind in kinds:
                    return kind
            return kinds[0]
        return _MADE_BY.get(name, Iterable.UNKNOWN)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if path_of(region.module, node.func) is None:
            if node.func.attr in ("items", "keys", "values") and not node.args:
                return Iterable.VIEW
            if node.func.attr in ("split", "splitlines", "tolist", "readlines"):
                return Iterable.LIST
        if path_of(region.module, node.func) in _OF_TEXTS:
            return Iterable.LIST
    if isinstance(node, (ast.List, ast.Tuple, ast.ListComp)):
        return Iterable.LIST
    if isinstance(node, (ast.Set, ast.SetComp)):
        return Iterable.SET
    if isinstance(node, ast.GeneratorExp):
        return Iterable.ITERATOR
    if arrays.certain(node):
        return Iterable.ARRAY
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return kind_of(region, node.value, generators, seen)
    if isinstance(node, ast.Name):
        for generator in generators:
            if is_name(generator.target, node.id):
                outer = kind_of(region, generator.iter, [])
                return outer if outer is Iterable.ARRAY else _inner(region, generator.iter)
        return Iterable.UNKNOWN if node.id in seen else _name(region, node.id, seen | {node.id})
    return Iterable.UNKNOWN


def _inner(region: Region, node: ast.expr) -> Iterable:
    """The kind of the items of an annotated list of lists."""
    annotation = _annotation(region, node.id) if isinstance(node, ast.Name) else None
    if isinstance(annotation, ast.Subscript):
        return _stated(annotation.slice)
    return Iterable.UNKNOWN


def _range(region: Region, node: ast.Call, generators: list[Generator]) -> Iterable:
    """A range is as what its variable subscripts: arrays, lists or nothing known."""
    arrays = Arrays(region)
    names = {
        n.id for g in generators if g.iter is node for n in everything_in(g.target)
        if isinstance(n, ast.Name)
    }  # fmt: skip
    kinds: list[Iterable] = []
    seen = {id(n) for g in generators for n in everything_in(g.iter)}
    holder = next((h for h in region.nodes if isinstance(h, (ast.For, ast.While)) and any(
        g.iter is getattr(h, "iter", None) or is_name(g.target, _tested(h)) for g in generators
        if g.iter is node)), None)  # fmt: skip
    for inner in everything_in(holder) if holder is not None else []:
        if isinstance(inner, ast.Subscript) and id(inner) not in seen:
            if any(isinstance(n, ast.Name) and n.id in names for n in everything_in(inner.slice)):
                if arrays.certain(inner.value):
                    kinds.append(Iterable.ARRAY)
                else:
                    kinds.append(kind_of(region, inner.value, generators))
    if Iterable.ARRAY in kinds:
        return Iterable.ARRAY
    if all(kind in (Iterable.LIST, Iterable.VIEW) for kind in kinds):
        return Iterable.RANGE
    return Iterable.UNKNOWN


def _tested(node: ast.For | ast.While) -> str:
    """The counter of a ``while``."""
    if isinstance(node, ast.While) and isinstance(node.test, ast.Compare):
        if isinstance(node.test.left, ast.Name):
            return node.test.left.id
    return ""


def _annotation(region: Region, name: str) -> ast.expr | None:
    for inner in region.nodes:
        if isinstance(inner, ast.arg) and inner.arg == name:
            return inner.annotation
        if isinstance(inner, ast.AnnAssign) and is_name(inner.target, name):
            return inner.annotation
    return None


def _stated(annotation: ast.expr | None) -> Iterable:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return Iterable.UNKNOWN
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    if isinstance(annotation, ast.Attribute):
        return _ANNOTATIONS.get(annotation.attr, Iterable.UNKNOWN)
    if isinstance(annotation, ast.Name):
        return _ANNOTATIONS.get(annotation.id, Iterable.UNKNOWN)
    return Iterable.UNKNOWN


def _name(region: Region, name: str, seen: frozenset[str]) -> Iterable:
    """By annotation, or by the one assignment that the function has."""
    stated = _stated(_annotation(region, name))
    if stated is not Iterable.UNKNOWN:
        return stated
    values = [
        inner.value for inner in region.nodes
        if isinstance(inner, ast.Assign) and any(is_name(t, name) for t in inner.targets)
    ]  # fmt: skip
    others = [
        inner for inner in region.nodes
        if isinstance(inner, ast.Name) and inner.id == name and isinstance(inner.ctx, ast.Store)
    ]  # fmt: skip
    if len(values) == 1 and len(others) == 1 and not is_name(values[0], name):
        if isinstance(values[0], ast.BinOp) and isinstance(values[0].op, ast.Mult):
            if isinstance(values[0].left, (ast.List, ast.Tuple)):
                return Iterable.LIST
        if isinstance(values[0], ast.Name) and constant(values[0]) is ...:
            return Iterable.UNKNOWN
        return kind_of(region, values[0], [], seen)
    return Iterable.UNKNOWN


def stated_elements(region: Region, node: ast.expr) -> ast.expr | None:
    """What an annotation says of the elements of a list, as an expression."""
    if not isinstance(node, ast.Name):
        return None
    annotation = _annotation(region, node.id)
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return None
    if _stated(annotation) is Iterable.UNKNOWN or not isinstance(annotation, ast.Subscript):
        return None
    inside = annotation.slice
    return inside.elts[0] if isinstance(inside, ast.Tuple) and inside.elts else inside


def element_type(region: Region, node: ast.expr) -> str | None:
    """The element type that an annotation gives a list, or the function that makes it."""
    stated = stated_elements(region, node)
    if stated is not None:
        return ast.unparse(stated)
    made = Arrays(region).assigned(node.id) if isinstance(node, ast.Name) else node
    return "str" if _lists_texts(region, made) and not _filled(region, node) else None


def _lists_texts(region: Region, node: ast.expr | None) -> bool:
    return isinstance(node, ast.Call) and path_of(region.module, node.func) in _OF_TEXTS


def _filled(region: Region, node: ast.expr) -> bool:
    """Whether something else may come into a list: it is written into, or methods are called."""
    loads = region.loads.get(node.id, []) if isinstance(node, ast.Name) else []
    parents = [region.parents.get(load) for load in loads]
    return any(
        isinstance(at, ast.Attribute)
        or (isinstance(at, ast.Subscript) and not isinstance(at.ctx, ast.Load))
        for at in parents
    )


def sliceable(region: Region, node: ast.expr) -> bool:
    """Whether what is walked as a list can be sliced as one: a deque is a sequence, and cannot."""
    annotation = _annotation(region, node.id) if isinstance(node, ast.Name) else None
    return annotation is None or "Sequence" not in ast.unparse(annotation)


def elements_of(
    region: Region, target: ast.expr, source: ast.expr, value: ast.expr
) -> tuple[ast.expr, int] | None:
    """(xs, first) where the values of a walk of ``source`` are those of xs[first:], a list."""
    if isinstance(target, ast.Tuple) and isinstance(source, ast.Call):
        if is_name(source.func, "enumerate") and len(source.args) == 1:
            if len(target.elts) == 2 and same(target.elts[1], value):
                return source.args[0], 0
        return None
    if same(target, value):
        if isinstance(source, ast.Subscript) and isinstance(source.slice, ast.Slice):
            cut = source.slice
            if constant(cut.lower) == 1 and cut.upper is None and cut.step is None:
                return source.value, 1
        return source, 0
    if not (isinstance(source, ast.Call) and is_name(source.func, "range")):
        return None
    if not (isinstance(value, ast.Subscript) and same(value.slice, target)):
        return None
    stop = source.args[-1]
    first = constant(source.args[0]) if len(source.args) == 2 else 0
    if len(source.args) > 2 or not isinstance(first, int) or first not in (0, 1):
        return None
    if not (isinstance(stop, ast.Call) and is_name(stop.func, "len") and len(stop.args) == 1):
        return None
    if not same(stop.args[0], value.value):
        return None
    if kind_of(region, value.value, []) is not Iterable.LIST:
        return None
    return value.value, first
