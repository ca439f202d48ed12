"""Operands of one operation over all steps, whose axes have to meet as they do in each step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.assumed import has_axes, listed
from auditor.folds.shaped import Axes, Shaped
from auditor.folds.walks import CannotVectorise
from auditor.syntax import is_name, path_of

if TYPE_CHECKING:
    from auditor.folds.vectorise import Steps

ELEMENTWISE = frozenset(
    ("abs", "exp", "log", "sqrt", "square", "tanh", "sigmoid", "sin", "cos", "tan", "log1p")
    + ("expm1", "rsqrt", "relu", "reciprocal", "clamp", "pow", "float", "double", "half", "maximum")
    + ("minimum", "where", "softplus", "silu", "gelu", "logaddexp", "erf", "conj", "exp2", "log2")
    + ("log10", "neg", "add", "sub", "mul", "div", "multiply", "divide", "subtract", "true_divide")
    + ("logical_and", "logical_or", "logical_not", "cosh", "sinh", "floor", "ceil", "round", "sign")
    + ("fabs", "isfinite", "isnan", "isinf")
)


def merge(
    body: Steps, node: ast.expr, shapes: list[Shaped], parts: list[ast.expr] | None = None
) -> Shaped:
    """The broadcast of operands, which must align under the loop's axes."""
    steps = [shape for shape in shapes if shape.kind == "steps"]
    if any(shape.kind == "total" for shape in shapes):
        raise CannotVectorise("a sum over an element stands inside another operation", "totals")
    if not steps:
        raise CannotVectorise("nothing moves")
    floating = any(shape.floating for shape in shapes)
    rights = {shape.right for shape in steps}
    if len(rights) > 1:
        shapes = _aligned(body, shapes, parts)
        steps = [shape for shape in shapes if shape.kind == "steps"]
    right = next((s.right for s in steps if isinstance(s.right, int)), steps[0].right)
    least = max(shape.right_min for shape in steps)
    for shape in shapes:
        if shape.kind == "fixed" and known_axes(shape.right) > least:
            raise CannotVectorise("a constant array has more axes than an element", "axes")
    leads = [shape.lead for shape in steps]
    lead = None if None in leads else max(n for n in leads if n is not None)
    return Shaped("steps", lead, right, least, floating)


def _aligned(body: Steps, shapes: list[Shaped], parts: list[ast.expr] | None) -> list[Shaped]:
    """Operands whose elements differ in rank."""
    steps = [shape for shape in shapes if shape.kind == "steps"]
    if any(shape.lead not in (0, steps[0].lead) for shape in steps):
        raise CannotVectorise("the axes of the operands do not align", "axes")
    unknown = {s.right for s in steps if not isinstance(s.right, int)}
    known = {s.right for s in steps if isinstance(s.right, int)}
    if known <= {0} and all(s.lead == 0 for s in steps) and min(n for _, n in unknown) > 1:
        # ``p[i, 0]``, ``p[i][1]``: whoever takes that many places takes numbers
        for name, taken in sorted(unknown):
            body.walked.assume(has_axes(name, taken))
        return [replace(s, right=0) if s.kind == "steps" else s for s in shapes]
    if body.walked.cuts and (known != {0} or _scalars(shapes)):
        raise CannotVectorise("the zipped arrays may differ in their axes", "lengths")
    if not known or (len(known) == 1 and len(unknown) and parts is not None
                     and not _scalars(shapes)):  # fmt: skip
        pairs = sorted({right for right in unknown if not isinstance(right, int)})
        if known:
            (count,) = known
            assert isinstance(count, int)
            if count:
                names = listed(f"`{name}`" for name, _ in pairs)
                doubt = f"whether {names} {'hold' if pairs[1:] else 'holds'} numbers or rows"
                raise CannotVectorise(f"{doubt} is not known", "axes")
            for right in unknown:
                assert not isinstance(right, int)
                total = count + right[1]
                body.walked.assume(f"`{right[0]}` has {total} {'axis' if total == 1 else 'axes'}")
            return [replace(s, right=count, right_min=count) if s.kind == "steps" else s
                    for s in shapes]  # fmt: skip
        if all(s.lead == 0 for s in steps):
            raise CannotVectorise("the axes of the operands are not known", "axes")
        _equal_ranks(body, pairs)
        first, least = steps[0].right, max(s.right_min for s in steps)
        return [
            replace(s, right=first, right_min=least) if s.kind == "steps" else s for s in shapes
        ]
    if parts is None or body.depth != 1:
        raise CannotVectorise("the axes of the operands do not align", "axes")
    return _stretched(body, shapes, parts)


def _equal_ranks(body: Steps, pairs: list[tuple[str, int]]) -> None:
    """State what makes operands of unknown rank align."""
    least = min(gone for _, gone in pairs)
    said = [
        f"`{name}` has {gone - least} axes more" if gone > least else f"`{name}`"
        for name, gone in pairs
    ]  # fmt: skip
    if all(gone == least for _, gone in pairs):
        body.walked.assume(f"{' and '.join(said)} have equally many axes")
    else:
        rest = [f"`{name}`" for name, gone in pairs if gone == least]
        more = [text for text in said if " has " in text]
        body.walked.assume(f"{', '.join(more)} than {', '.join(rest)}".replace("1 axes", "1 axis"))


def _scalars(shapes: list[Shaped]) -> bool:
    """Whether some operand certainly is one number a step, by an array of one axis."""
    return any(s.kind == "steps" and s.right == 0 and s.lead == 0 and s.leaf for s in shapes)


def any_ranks(body: Steps, node: ast.expr, refusal: CannotVectorise) -> Shaped:
    """Elements that are added up whole, of arrays of which nothing says how many axes they
    have: with the steps last they meet as they do in each step."""
    parts = list(met(body, node))
    moving = [part for part in parts if body.moves(part)]
    shapes = [body.shape(part) for part in moving]
    plain = all(s.kind == "steps" and s.leaf and s.lead == 0 for s in shapes)
    fixed = all(body._fixed(part).kind == "number" for part in parts if part not in moving)
    if not (plain and fixed) or body.depth != 1 or body.walked.cuts:
        raise refusal
    texts = [steps_last(body, part) for part in moving]
    if None in texts:
        raise refusal
    body.texts.update((part, text) for part, text in zip(moving, texts, strict=True) if text)
    if "torch" in body.libraries:
        body.walked.assume("the operands of a product have one dtype")
    return Shaped("steps", None, 0, 0, all(shape.floating for shape in shapes))


def met(body: Steps, node: ast.expr) -> Iterator[ast.expr]:
    """The operands of the elementwise operations that an expression is made of."""
    matrices = isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
    if isinstance(node, ast.BinOp) and body.moves(node) and not matrices:
        yield from met(body, node.left)
        yield from met(body, node.right)
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        yield from met(body, node.operand)
    elif isinstance(node, ast.Call) and not node.keywords and body.moves(node):
        path = path_of(body.region.module, node.func)
        if path is None and isinstance(node.func, ast.Attribute):
            name, given = node.func.attr, [node.func.value, *node.args]
        else:
            name, given = (path or "").rpartition(".")[2], list(node.args)
        if name not in ELEMENTWISE and not is_name(node.func, "abs"):
            yield node
            return
        body.libraries |= {"torch", "numpy"} & {(path or "").partition(".")[0]}
        for arg in given:
            yield from met(body, arg)
    else:
        yield node


def steps_last(body: Steps, part: ast.expr) -> str | None:
    """The text of an array over all steps with its first axis, which is theirs, last."""
    libraries = body.libraries
    if not libraries and body.region.module.library == "numpy":
        libraries = {"numpy"}  # tensors of several types do not meet as arrays do
    if len(libraries) != 1:
        return None
    (library,) = libraries
    base = part.value if isinstance(part, ast.Subscript) else part
    if body.arrays.library(base) is None:
        kind = "a tensor" if library == "torch" else "an array"
        body.walked.assume(f"`{body.region.module.source(base)}` is {kind}")
    if library == "torch":
        return f"{body.inside(part)}.movedim(0, -1)"
    names = [name for name, path in body.region.module.names.items() if path == "numpy"]
    return f"{names[0]}.moveaxis({body.spell(part)}, 0, -1)" if names else None


def _stretched(body: Steps, shapes: list[Shaped], parts: list[ast.expr]) -> list[Shaped]:
    """One number a step beside arrays: it gets the axes that the others have."""
    others = [s for s in shapes if s.kind == "steps" and s.right != 0]
    if any(s.lead != 0 for s in shapes if s.kind == "steps"):
        raise CannotVectorise("the axes of the operands do not align", "axes")
    if len({s.right for s in others}) != 1:
        raise CannotVectorise("the axes of the operands do not align", "axes")
    target = others[0]
    out: list[Shaped] = []
    for shape, part in zip(shapes, parts, strict=True):
        if shape.kind != "steps" or shape.right != 0:
            out.append(shape)
            continue
        text = body.inside(part)
        if isinstance(target.right, int):
            body.texts[part] = f"{text}[:{', None' * target.right}]"
        else:
            base, gone = target.right
            body.texts[part] = f"{text}.reshape(-1, *[1] * ({base}.ndim - {gone}))"
        if "numpy" not in body.libraries:
            body.walked.assume("the operands of a product have one dtype")
        out.append(replace(shape, right=target.right, right_min=target.right_min, leaf=False))
    return out


def known_axes(right: Axes) -> int:
    return right if isinstance(right, int) else 99
