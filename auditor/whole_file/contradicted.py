"""What a file passes to its own functions, against what their fixes assume of it.

``img`` may hold "no integers narrower than 64 bits" as far as a function says; a call of the file
that passes ``np.zeros(9, np.uint8)`` says otherwise, and the fix is not safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from auditor.assumed import (
    COMPLEX,
    FRACTION,
    HALF,
    NARROW,
    NONE,
    OBJECT,
    ONCE,
    SHORT,
    TRUTH,
    UNSIGNED,
    WHOLE,
    apart_in,
    as_wide,
    kinds_excluded,
)
from auditor.lift.bound import assigned_to
from auditor.lift.module import ClassScope, Module
from auditor.syntax import array_name, path_of
from auditor.tree import children, descendants
from auditor.verdict import Finding
from auditor.whole_file.own_calls import by_name, calls_of

_DTYPES: Mapping[str, frozenset[str]] = {
    name: frozenset(kinds)
    for names, kinds in (
        ("bool bool_", (TRUTH,)),
        ("int long int64 intp", (WHOLE,)),
        ("uint64", (WHOLE, UNSIGNED)),
        ("int8 int16 short char", (WHOLE, NARROW, SHORT)),
        ("int32 intc", (WHOLE, NARROW)),
        ("uint8 uint16 byte", (WHOLE, NARROW, UNSIGNED, SHORT)),
        ("uint32", (WHOLE, NARROW, UNSIGNED)),
        ("half float16 bfloat16", (HALF,)),
        ("complex complex64 complex128 cfloat cdouble", (COMPLEX,)),
    )
    for name in names.split()
}
_AS_IT_IS = frozenset(
    "reshape view copy clone contiguous transpose squeeze unsqueeze flatten".split()
)
_OWN_RULES = ("RED501", "RED502", "RED503", "RED504")
"""Rules that leave the arithmetic of a place as it is."""
_DEPTH = 5


@dataclass(frozen=True)
class _Given:
    """What a call passes, by parameter: the code, and what kind of thing that is."""

    line: int
    passed: Mapping[str, ast.expr]
    kinds: Mapping[str, frozenset[str]]


def agreeing(
    findings: list[Finding], module: Module, node: ast.AST, klass: ClassScope | None
) -> list[Finding]:
    """The findings of a function; those that assume what a call of the file contradicts are not
    safe."""
    safe = any(one.fix is not None and one.fix.applicability == "safe" for one in findings)
    if not safe or not isinstance(node, ast.FunctionDef):
        return findings
    given = [*_given(module, node, klass)]
    return [_checked(one, module, node, given) for one in findings] if given else findings


def _given(module: Module, node: ast.FunctionDef, klass: ClassScope | None) -> Iterator[_Given]:
    for _, call in calls_of(module, node, klass):
        passed = dict(by_name(node, klass is not None, call))
        kinds = {name: _kinds(module, value) for name, value in passed.items()}
        yield _Given(call.lineno, passed, {name: kind for name, kind in kinds.items() if kind})


def _checked(
    finding: Finding, module: Module, node: ast.FunctionDef, given: Sequence[_Given]
) -> Finding:
    if finding.fix is None or finding.fix.applicability != "safe":
        return finding
    for call in given:
        found = next(_against(finding, module, node, call), None)
        if found is not None:
            doubt = f"line {call.line} passes {found}"
            return replace(finding, fix=finding.fix.doubted(doubt))
    return finding


def _against(
    finding: Finding, module: Module, node: ast.FunctionDef, call: _Given
) -> Iterator[str]:
    """What a call passes that a finding does not allow for."""
    assert finding.fix is not None
    reason = finding.fix.reason or ""
    for name, against in kinds_excluded(reason):
        found = call.kinds.get(name, frozenset()) & against
        yield from (f"{kind} as `{name}`" for kind in sorted(found))
    for one, other in apart_in(reason):
        if one in call.passed and other in call.passed:
            if array_name(call.passed[one]) == array_name(call.passed[other]) is not None:
                yield f"`{array_name(call.passed[one])}` as `{one}` and as `{other}`"
    if finding.code in _OWN_RULES:
        return
    used = _used(module, node, finding)
    for name, kinds in call.kinds.items():
        odd = kinds & ({COMPLEX, OBJECT} if name in used else frozenset[str]())
        odd |= kinds & {HALF} if as_wide(reason) else frozenset[str]()
        yield from (f"{kind} as `{name}`" for kind in sorted(odd))


def _used(module: Module, node: ast.FunctionDef, finding: Finding) -> set[str]:
    """The names that the code of a finding reads, other than for an attribute."""
    found = set[str]()
    for inner in descendants(node):
        for part in children(inner):
            if isinstance(part, ast.Name) and not isinstance(inner, ast.Attribute):
                if finding.span.covers(module.span(part)):
                    found.add(part.id)
    return found


# -- kinds


def _kinds(module: Module, node: ast.expr, depth: int = _DEPTH) -> frozenset[str]:
    """What kind of thing an expression gives, as far as its text says."""
    if not depth:
        return frozenset()
    if isinstance(node, ast.Name):
        every = [_kinds(module, one, depth - 1) for one in assigned_to(module.tree, node)]
        return frozenset.intersection(*every) if every else frozenset()
    if isinstance(node, ast.Subscript):
        return _kinds(module, node.value, depth - 1) - {OBJECT, ONCE}
    if isinstance(node, ast.Compare):
        return frozenset((TRUTH,))
    if isinstance(node, ast.GeneratorExp):
        return frozenset((ONCE,))
    if isinstance(node, ast.Constant):
        return _of_constant(node.value)
    return _of_call(module, node, depth) if isinstance(node, ast.Call) else frozenset()


def _of_constant(value: object) -> frozenset[str]:
    if value is None:
        return frozenset((NONE,))
    if isinstance(value, complex):
        return frozenset((COMPLEX,))
    return frozenset((FRACTION,) if isinstance(value, float) and value != int(value) else ())


def _of_call(module: Module, call: ast.Call, depth: int) -> frozenset[str]:
    called, path = call.func, path_of(module, call.func) or ""
    stated = [_dtype(word.value) for word in call.keywords if word.arg == "dtype"]
    if stated:
        return stated[0]
    if path.startswith(("pandas.", "numpy.ma.", "numpy.matrix", "numpy.asmatrix", "numpy.mat")):
        return frozenset((OBJECT,)) if path != "numpy.matmul" else frozenset()
    if isinstance(called, ast.Name):
        if called.id in module.classes:
            return frozenset((OBJECT,))
        if called.id in ("iter", "map", "filter", "zip", "reversed", "open"):
            return frozenset((ONCE,))
        return frozenset((ONCE,) if _is_generator(module, called.id) else ())
    if isinstance(called, ast.Attribute) and not path:
        if called.attr in ("astype", "to", "type") and call.args:
            return _dtype(call.args[0])
        if called.attr in _DTYPES and not call.args:
            return _DTYPES[called.attr]
        if called.attr in ("integers", "randint"):
            return frozenset((WHOLE,))
        if called.attr in _AS_IT_IS:
            return _kinds(module, called.value, depth - 1)
        return frozenset()
    if path in ("numpy.array", "numpy.asarray", "torch.tensor", "torch.as_tensor") and call.args:
        if len(call.args) > 1 and path.startswith("numpy"):
            return _dtype(call.args[1])
        return _of_items(module, call.args[0], depth)
    if path in ("numpy.random.randint", "torch.randint"):
        return frozenset((WHOLE,))
    if path in ("numpy.zeros", "numpy.ones", "numpy.empty") and len(call.args) == 2:
        return _dtype(call.args[1])
    return frozenset()


def _of_items(module: Module, node: ast.expr, depth: int) -> frozenset[str]:
    """The kind of numbers that a display of numbers makes."""
    if not isinstance(node, (ast.List, ast.Tuple)):
        return _kinds(module, node, depth - 1) - {OBJECT, ONCE, FRACTION}
    items = [n.value for n in descendants(node) if isinstance(n, ast.Constant)]
    plain = (ast.List, ast.Tuple, ast.Constant, ast.UnaryOp, ast.BinOp)
    if not items or not all(isinstance(n, (*plain, ast.expr_context)) for n in descendants(node)):
        return frozenset()
    if any(isinstance(item, complex) for item in items):
        return frozenset((COMPLEX,))
    if all(isinstance(item, bool) for item in items):
        return frozenset((TRUTH,))
    return frozenset((WHOLE,)) if all(type(item) is int for item in items) else frozenset()


def _dtype(node: ast.expr) -> frozenset[str]:
    """The kind of numbers of a dtype: ``np.uint8``, ``bool``, ``"int32"``."""
    text = str(node.value) if isinstance(node, ast.Constant) else ast.unparse(node)
    return _DTYPES.get(text.rpartition(".")[2], frozenset())


def _is_generator(module: Module, name: str) -> bool:
    function = module.functions.get(name)
    return function is not None and any(
        isinstance(node, (ast.Yield, ast.YieldFrom)) for node in descendants(function)
    )
