"""Products and reductions of carried arrays, in whatever words: ``A @ h``, ``np.dot``, ``einsum``,
``(h[:, None] * A).sum(0)``, ``logsumexp(h.unsqueeze(1) + A, dim=0)``, ``np.outer``."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.derive.begun import constant
from auditor.derive.called_functions import named, path_of
from auditor.derive.calls import Purity
from auditor.notation import Const
from auditor.tree import everything_in

_PRODUCTS = frozenset((
    "numpy.dot", "numpy.matmul", "torch.matmul", "torch.mm", "torch.mv",
))  # fmt: skip
_PRODUCT_METHODS = frozenset(("dot", "matmul", "mm", "mv"))
_REDUCED = {
    "sum": "sum", "max": "max", "amax": "max", "min": "min", "amin": "min",
    "logsumexp": "logaddexp",
}  # fmt: skip
_OF_TENSORS = frozenset(("Tensor", "unsqueeze", "norm", "mm", "mv", "logsumexp", "detach"))
_AXES = ("axis", "dim")
_LOGSUMEXP = ("scipy.special.logsumexp", "scipy.misc.logsumexp")


@dataclass(frozen=True)
class Operation:
    """What is done to arrays: ``matmul``, ``outer``, ``swapped``, ``expand:AXIS:AXES``,
    ``total:OP:AXIS``; and of which library they are, if that is told."""

    op: str
    args: tuple[ast.expr, ...]
    library: str | None = None


def library_of(around: ast.AST, purity: Purity) -> str | None:
    """The library of arrays that a function uses, under its name in the file."""
    known = [one for kind in ("numpy", "torch") if (one := named(kind, purity)) is not None]
    names = [n.id for n in everything_in(around) if isinstance(n, ast.Name)]
    words = [n.attr for n in everything_in(around) if isinstance(n, ast.Attribute)]
    torch = sum(word in _OF_TENSORS for word in words)

    def used(library: str) -> int:
        kind, _, name = library.partition(" ")
        return names.count(name) + (torch if kind == "torch" else 0)

    return max(known, key=used, default=None)


def array_operation(node: ast.expr, purity: Purity, library: str | None) -> Operation | None:
    """An expression as an operation of arrays, of a library where nothing else is told."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return Operation("matmul", (node.left, node.right), library)
    if library is None:
        return None
    if isinstance(node, ast.Subscript):
        return _expanded(node, library) or _first_of_two(node, purity)
    if isinstance(node, ast.Attribute) and node.attr == "values":
        return _reduced(node.value, purity)
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        return Operation("swapped", (node.value,), library)
    if not isinstance(node, ast.Call) or any(isinstance(a, ast.Starred) for a in node.args):
        return None
    path = path_of(node.func, purity)
    method = node.func.attr if path is None and isinstance(node.func, ast.Attribute) else None
    given = list(node.args)
    if method is not None and isinstance(node.func, ast.Attribute):
        given.insert(0, node.func.value)
    told = named((path or "").partition(".")[0], purity) or library
    word = method or (path or "").rpartition(".")[2]
    plain = not node.keywords
    if plain and len(given) == 2 and (path in _PRODUCTS or method in _PRODUCT_METHODS):
        return Operation("matmul", (given[0], given[1]), told)
    if plain and len(given) == 2 and (path in ("numpy.outer", "torch.outer") or method == "outer"):
        return Operation("outer", (given[0], given[1]), told)
    if path in ("numpy.einsum", "torch.einsum") and plain and len(given) == 3:
        return _einsum(given, told)
    if method in ("t", "transpose") or path in ("numpy.transpose", "torch.t"):
        swaps = plain and [ast.unparse(one) for one in given[1:]] in ([], ["0", "1"], ["1", "0"])
        return Operation("swapped", (given[0],), told) if swaps else None
    if word in ("unsqueeze", "expand_dims"):
        return _unsqueezed(given, node.keywords, told)
    if method in ("reshape", "view") and plain and len(given) == 3:
        sizes = [constant(one) for one in given[1:]]
        numbers = [size.value if isinstance(size, Const) else None for size in sizes]
        axis = {(-1, 1): 1, (1, -1): 0}.get(tuple(numbers))  # type: ignore[arg-type]
        return None if axis is None else Operation(f"expand:{axis}:1", (given[0],), told)
    return None if word in ("max", "min") and _pairs(node, purity) else _reduced(node, purity)


def _pairs(node: ast.Call, purity: Purity) -> bool:
    """Does torch give values with their places?"""
    path = path_of(node.func, purity)
    if path is not None:
        return path in ("torch.max", "torch.min")
    by_dim = any(k.arg == "dim" for k in node.keywords)
    return by_dim or (named("numpy", purity) is None and len(node.args) == 1)


def _first_of_two(node: ast.Subscript, purity: Purity) -> Operation | None:
    """``torch.max(x, dim=0)[0]``."""
    first = isinstance(node.slice, ast.Constant) and node.slice.value == 0
    pair = isinstance(node.value, ast.Call) and _pairs(node.value, purity)
    return _reduced(node.value, purity) if first and pair else None


def _reduced(node: ast.expr, purity: Purity) -> Operation | None:
    """A reduction over one axis."""
    if not isinstance(node, ast.Call):
        return None
    path = path_of(node.func, purity)
    given, numpy, torch = list(node.args), named("numpy", purity), named("torch", purity)
    if path is not None:
        module, _, word = path.rpartition(".")
        library = {"numpy": numpy, "torch": torch}.get(module)
        if path in _LOGSUMEXP:
            library = numpy
        elif path == "numpy.logaddexp.reduce":
            library, word = numpy, "logsumexp"
    elif isinstance(node.func, ast.Attribute):
        word, library = node.func.attr, numpy or torch
        given.insert(0, node.func.value)
        if word == "logsumexp" or any(k.arg == "dim" for k in node.keywords):
            library = torch
        if isinstance(node.func.value, ast.Name) and node.func.value.id in purity.modules:
            return None
    else:
        return None
    op = _REDUCED.get(word)
    named_axes = [k.value for k in node.keywords if k.arg in _AXES]
    if op is None or library is None or len(named_axes) < len(node.keywords):
        return None
    axes = [*given[1:], *named_axes]
    axis = constant(axes[0]) if len(axes) == 1 else None
    if not isinstance(axis, Const) or type(axis.value) is not int:
        return None
    return Operation(f"total:{op}:{axis.value}", (given[0],), library)


def _expanded(node: ast.Subscript, library: str) -> Operation | None:
    """``h[:, None]``, ``h[None]``, ``h[..., None, :]``."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    words = [_index(part) for part in parts]
    if words.count("new") != 1 or None in words or words.count("...") > 1:
        return None
    place = words.index("new")
    if "..." not in words:
        rank = len(words) - 1 if ":" in words else ""
        return Operation(f"expand:{place}:{rank}", (node.value,), library)
    if words.index("...") > place:
        return None
    return Operation(f"expand:{place - len(words)}:", (node.value,), library)


def _index(part: ast.expr) -> str | None:
    if isinstance(part, ast.Slice):
        return ":" if part.lower is part.upper is part.step is None else None
    if isinstance(part, ast.Constant):
        return "new" if part.value is None else "..." if part.value is ... else None
    return "new" if ast.unparse(part).endswith(".newaxis") else None


def _unsqueezed(
    given: list[ast.expr], keywords: list[ast.keyword], library: str
) -> Operation | None:
    places = [*given[1:], *(k.value for k in keywords if k.arg in _AXES)]
    axis = constant(places[0]) if len(places) == 1 and len(keywords) + len(given) == 2 else None
    if not isinstance(axis, Const) or type(axis.value) is not int:
        return None
    return Operation(f"expand:{axis.value}:", (given[0],), library)


def _einsum(given: list[ast.expr], library: str) -> Operation | None:
    """``einsum`` of two matrices, or of a matrix and a vector, as their product."""
    words = given[0].value if isinstance(given[0], ast.Constant) else None
    sides, arrow, out = (words if isinstance(words, str) else "").replace(" ", "").partition("->")
    first, comma, second = sides.partition(",")
    if not arrow or not comma or not (first + second + out).isalpha():
        return None
    shared = [one for one in first if one in second]
    distinct = all(len(set(one)) == len(one) for one in (first, second, out))
    if len(shared) != 1 or shared[0] in out or not distinct:
        return None
    free = {*first, *second} - {*shared}
    if {*out} != free or not 0 < len(out) < 3 or max(len(first), len(second)) > 2:
        return None
    (over,) = shared
    a, b = (first, given[1]), (second, given[2])
    if len(first) == 1 or len(second) == 1:
        vector, matrix = (a, b) if len(first) == 1 else (b, a)
        if matrix[0][0] == over:
            return Operation("matmul", (vector[1], matrix[1]), library)
        return Operation("matmul", (matrix[1], vector[1]), library)
    if out[0] in second:
        a, b = b, a
    left = a[1] if a[0][1] == over else _transposed(a[1])
    right = b[1] if b[0][0] == over else _transposed(b[1])
    return Operation("matmul", (left, right), library)


def _transposed(node: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Attribute(node, "T", ast.Load()), node)
