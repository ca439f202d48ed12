"""Which expressions only look: what a loop may compute of an element in another process, in
another order, or twice."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from auditor.syntax import owner
from auditor.tree import children, everything_in

_PURE = frozenset(
    "abs all any ascii bin bool bytes chr complex dict divmod enumerate float format frozenset "
    "getattr hasattr hash hex int isinstance issubclass len list map max min oct ord pow range "
    "repr reversed round set slice sorted str sum tuple type zip".split()
)
_PURE_MODULES = frozenset(
    "math cmath operator string re json datetime decimal fractions statistics bisect "
    "collections itertools functools unicodedata ipaddress hashlib base64 struct zlib".split()
)
_IMPURE = frozenset(
    "print input open next exec eval compile setattr delattr globals locals vars iter id "
    "breakpoint __import__ memoryview super".split()
)
_IMPURE_MODULES = frozenset(
    "random secrets time os sys io socket subprocess logging threading shutil uuid asyncio "
    "tempfile requests urllib".split()
)
_FILLS = frozenset(
    "append extend insert pop popleft popitem remove discard clear sort reverse update setdefault "
    "add write writelines appendleft rotate fill".split()
)
"""Methods that change what they are called on, of objects of any kind: ``partition`` is one of
texts as well as of arrays."""
_CHANGES = _FILLS | frozenset(
    "read readline readlines send get_nowait close seek next random normal uniform shuffle choice "
    "randint rand randn now today acquire release commit execute fetchone recv flush log info "
    "debug warning error exception integers randrange permutation choices standard_normal "
    "exponential poisson binomial".split()
)
"""Those, and methods that change something else, or answer otherwise each time."""

_FAR = (ast.Global, ast.Import, ast.ImportFrom)


class Purity:
    """What the calls of a loop mean, and what has to be assumed of the others."""

    def __init__(self, tree: ast.Module, loop: ast.stmt) -> None:
        self.assumptions: list[str] = []
        self.modules: dict[str, str] = {}
        self.defined: set[str] = set()
        self.functions = {
            node.name: node for node in everything_in(tree) if isinstance(node, ast.FunctionDef)
        }
        for node in _seen_from(tree, loop):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.modules[alias.asname or alias.name.split(".")[0]] = alias.name
            elif isinstance(node, ast.ImportFrom) and not node.level:
                for alias in node.names:
                    self.modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.defined.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.defined.add(node.id)
            elif isinstance(node, ast.arg):
                self.defined.add(node.arg)
            elif isinstance(node, ast.Global):
                self.defined.update(node.names)

    def assume(self, sentence: str) -> None:
        if sentence not in self.assumptions:
            self.assumptions.append(sentence)

    def reaches_out(self, name: str, seen: frozenset[str] = frozenset()) -> str | None:
        """What a function of the file, or one that it calls, does to what is not its own."""
        function = self.functions.get(name)
        if function is None or name in seen:
            return None
        own = _made_inside(function)
        for node in everything_in(function):
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                return f"`{name}` binds names that are not its own"
            changed = _changed(node)
            root = owner(changed)
            if changed is not None and root is not None and root not in own | self.modules.keys():
                return f"`{name}` may change `{ast.unparse(changed)}`, which is not its own"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                inner = node.func.id
                if inner in _IMPURE and inner not in self.defined:
                    return f"`{name}` calls `{inner}`"
                if (reason := self.reaches_out(inner, seen | {name})) is not None:
                    return reason
        return None

    def means(self, name: str) -> bool:
        """Is ``name`` what it looks like: a builtin, or a function of the math module?"""
        head, dot, _ = name.partition(".")
        if dot:
            return self.modules.get(head) in ("math", "numpy") or head in ("math",)
        if head in self.modules:
            return self.modules[head] == f"math.{head}"
        return hasattr(builtins, head) and head not in self.defined


_MADE = (
    *(ast.Call, ast.List, ast.Dict, ast.Set, ast.Tuple, ast.BinOp, ast.Constant),
    *(ast.ListComp, ast.DictComp, ast.SetComp),
)


def _made_inside(function: ast.FunctionDef) -> set[str]:
    """The names that a function binds to nothing but what it makes."""
    made: set[str] = set()
    given = {node.arg for node in everything_in(function) if isinstance(node, ast.arg)}
    for node in everything_in(function):
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {target.id for target in targets if isinstance(target, ast.Name)}
            (made if isinstance(node.value, _MADE) else given).update(names)
    return made - given


def _changed(node: ast.AST) -> ast.expr | None:
    """What a node writes into, if it does."""
    if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.value if node.func.attr in _FILLS else None
    return None


def _seen_from(tree: ast.AST, loop: ast.stmt) -> Iterator[ast.AST]:
    """What may bind a name that a loop reads: not the insides of functions that it is not in, but
    for what these say is the module's."""
    for node in children(tree):
        yield node
        scope = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        if not scope or node.lineno <= loop.lineno <= (node.end_lineno or 0):  # type: ignore[attr-defined]
            yield from _seen_from(node, loop)
        else:
            yield from (inner for inner in everything_in(node) if isinstance(inner, _FAR))


def refusal(node: ast.expr, purity: Purity) -> str | None:
    """Why an expression may not be taken as a function of the element alone, or None."""
    for inner in everything_in(node):
        if isinstance(inner, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)):
            return f"`{ast.unparse(inner)}` is more than a value"
        if isinstance(inner, ast.Lambda):
            return f"`{ast.unparse(inner)}` makes a function"
        if isinstance(inner, ast.Call):
            reason = _call(inner, purity)
            if reason is not None:
                return reason
    return None


def _call(node: ast.Call, purity: Purity) -> str | None:
    name = ast.unparse(node.func)
    head = name.partition(".")[0].partition("[")[0].partition("(")[0]
    if isinstance(node.func, ast.Name):
        if name in purity.modules:
            head = purity.modules[name].partition(".")[0]
            if head in _IMPURE_MODULES:
                return f"`{name}` is not a function of the element alone"
            if head in _PURE_MODULES:
                return None
        elif name not in purity.defined:
            if name in _IMPURE:
                return f"`{name}` is not a function of the element alone"
            if name in _PURE or hasattr(builtins, name):
                return None
        if (reason := purity.reaches_out(name)) is not None:
            return reason
        purity.assume(f"`{name}` depends on its arguments alone and changes nothing")
        return None
    module = purity.modules.get(head, "").partition(".")[0]
    if module in _IMPURE_MODULES or (not module and head in ("random", "time")):
        return f"`{name}` is not a function of the element alone"
    if module in _PURE_MODULES:
        return None
    if isinstance(node.func, ast.Attribute):
        method = node.func.attr
        if method in _CHANGES:
            return f"`{ast.unparse(node)}` may change something"
        if any(hasattr(kind, method) for kind in (str, bytes, int, float, dict, tuple)):
            return None
    purity.assume(f"`{name}` depends on its arguments alone and changes nothing")
    return None
