"""Recursion that comes by the same arguments again and again, with a cache.

Finds functions that compute a value from at least two calls of themselves whose arguments meet:
``fib(n - 1) + fib(n - 2)``, the edit distance of two indices, paths through a grid, ways to give
change in a loop over coins. One call of each way through the function (a power by halving, a
binary search), calls for separate parts (the two sides of a tree or of a list) and calls whose
arguments cannot be told are left alone.

A method that uses its object for nothing but to call itself is such a function, too; its fix is
unsafe, for the cache keeps the object.

Legal because the function is one of its arguments: it computes and does nothing else.

Pays from exponentially many calls to one for each set of arguments.

Safe means: the same values. The function calls nothing but itself and functions that only compute,
and reads nothing that changes: constants of its module, and variables around it that nobody binds
or writes again. It returns what cannot be changed (numbers, texts, tuples), for every caller gets
the same object. Its arguments can be hashed, and equal ones are alike: 1, 1.0 and True are equal
and would share a result, so where no annotation says what the parameters are they are told apart
by their type, and floating-point ones are refused (0.0 and -0.0). Other decorators are left alone.
A cached call takes two of the interpreter's levels in Python 3.11 and before, and some of C's
stack, which the limit does not guard; where the recursion may be deep with few calls the fix says
that it assumes half of the limit to be enough, and where the file sets the limit, or passes numbers
of several hundred to such a function, it is unsafe. What a cached function lacks (``f.__code__``)
must not be read in the file.

Sources: Michie, "Memo functions and machine learning" (1968); Cormen, Leiserson, Rivest and Stein,
"Introduction to Algorithms", section 15.3; the documentation of ``functools``.
"""

from __future__ import annotations

import ast

from auditor.again.memo import impurity, leaves, locals_of, reads_changing, returned
from auditor.again.recursion import Recursion, as_function, overlapping
from auditor.assumed import assuming, listed, reason_of
from auditor.lift.bound import assigned_to
from auditor.lift.module import Module
from auditor.notation import Span
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region
from auditor.syntax import called_name, constant, is_name, path_of
from auditor.tree import descendants
from auditor.verdict import Edit, Verdict
from auditor.whole_file.own_calls import named_calls

_MESSAGE = "`{}` calls itself with the same arguments again and again"
_KEPT = (
    "the cache keeps every object that the method is called of, which must be hashable and call"
    " this method as its own"
)
_HASHED = ("int", "str", "bytes", "bool", "tuple", "Tuple", "frozenset", "FrozenSet", "date")
_UNHASHED = ("list", "List", "dict", "Dict", "set", "Set", "ndarray", "Tensor", "Sequence",
             "bytearray", "MutableSequence")  # fmt: skip
_HOLDING = ("tuple", "Tuple", "frozenset", "FrozenSet")
_FLOATS = ("float", "complex", "Decimal", "Fraction", "Number")


def find(site: Site) -> Match | None:
    """The match of a function, or None. Raises ``Refused``."""
    node = site.lifted.node
    if not site.again or site.node is not None or not isinstance(node, ast.FunctionDef):
        return None
    if site.lifted.lifter.klass is not None and as_function(node) is node:
        return _of_its_object(site, node)
    found = overlapping(as_function(node))
    return None if found is None else _match(site, node, found)


def _of_its_object(site: Site, method: ast.FunctionDef) -> Match | None:
    """What is said of a method that reads attributes of its object: these may change between two
    calls, of which a cache would not know."""
    module, function = site.lifted.module, as_function(method, reading=True)
    found = None if function is method else overlapping(function)
    if found is None or function.decorator_list or _has_memory(function):
        return None
    out = returned(module, function)
    if not out.anything or out.changeable is not None:
        return None
    if impurity(module, function, frozenset()) is not None:
        return None
    return Match(
        span=site.computation.span,
        message=f"{_MESSAGE.format(function.name)}: results can be kept by the arguments that"
        " change, while the object stays as it is; no cache is put on it here: it reads"
        " attributes of its object, which may change",
        computation=site.computation,
        gains={"any": 100.0},
        verdicts=_overlap(function),
    )


def _overlap(function: ast.FunctionDef) -> dict[str, Verdict]:
    meets = f"calls of `{function.name}` meet in the same arguments"
    return {"redundancy": Verdict("holds", "structure", meets)}


def _match(site: Site, node: ast.FunctionDef, found: Recursion) -> Match | None:
    region = Region(site.lifted)
    module = region.module
    outer = _outer(site, node)
    function = as_function(node)
    method = isinstance(outer, ast.ClassDef)
    if method is (function is node):
        return None
    cached = ("cache", "lru_cache", "memoize", "memoized", "memo")
    names = [ast.unparse(d).partition("(")[0].split(".")[-1] for d in function.decorator_list]
    if any(name in cached for name in names) or _has_memory(function):
        return None
    out = returned(module, function)
    if not out.anything:
        return None  # it is called for what it does
    site.require(not names, "decorated", "another decorator may do anything with the function")
    site.require(_bound_once(site, node, outer), "rebound", "its name is bound more than once")
    reason = impurity(module, function, frozenset())
    site.require(reason is None, "effects", str(reason))
    inside = outer if isinstance(outer, ast.FunctionDef) else None
    reason = reads_changing(module, function, inside)
    site.require(reason is None, "surroundings", str(reason))
    site.require(
        inside is None or not leaves(inside, function),
        "surroundings",
        "it may be called after what it reads around it has changed",
    )
    site.require(
        out.changeable is None,
        "mutable",
        "every caller would get the same list, which one of them may change",
    )
    message, verdicts = _MESSAGE.format(function.name), _overlap(function)
    try:
        assumed, typed = _arguments(site, function)
    except Refused as refusal:
        if refusal.condition == "unhashable":
            refusal.advice = Match(
                span=site.computation.span,
                message=f"{message}: results can be kept by the arguments that change; no cache is"
                f" put on it here: {refusal.reason}",
                computation=site.computation,
                gains={"any": 100.0},
                verdicts=verdicts,
            )
        raise
    assumed += [f"`{item}` cannot be changed in place" for item in dict.fromkeys(out.items)]
    if found.thin:
        assumed.append(
            "calls go no deeper than half of the recursion limit, for before Python 3.12 a cached"
            " call counts twice"
        )
    read = _own_attribute(module, function)
    site.require(
        read is None,
        "attributes",
        f"the file reads `{read}`, by which a cached function differs",
    )
    doubts = [_KEPT] if method else []
    doubts += [doubt for doubt in (_deep(module, function, found),) if doubt is not None]
    line = node.lineno
    indent = module.lines[line - 1][: node.col_offset]
    cache = "lru_cache" if typed else "cache"
    named = _imported(module, cache, line)
    decorator = f"@{named or f'functools.{cache}'}{'(maxsize=None, typed=True)' if typed else ''}"
    return Match(
        span=site.computation.span,
        message=f"{message}: a cache makes one call for each",
        computation=site.computation,
        edits=(Edit(Span(line, 1, line, 1), f"{indent}{decorator}\n"),),
        imports=() if named else (("functools", None),),
        numerics="exact",
        safe=not doubts,
        reason=reason_of(*doubts, assuming(assumed)),
        gains={"any": 100.0},
        counted=True,
        verdicts=verdicts,
    )


_KEEPS = ("__name__", "__qualname__", "__module__", "__doc__", "__dict__", "__call__")


_KINDS = frozenset("FunctionType LambdaType isfunction isroutine".split())


def _own_attribute(module: Module, function: ast.FunctionDef) -> str | None:
    """What the file asks of the function itself that a function with a cache does not have, or of
    anything whether it is a function of Python's, which that is not."""
    for node in descendants(module.tree):
        kind = getattr(node, "attr", getattr(node, "id", getattr(node, "name", None)))
        if kind in _KINDS:
            return str(kind)
        if isinstance(node, ast.Attribute) and node.attr.startswith("__"):
            if node.attr not in _KEEPS and _is_called(node.value, function.name):
                return module.source(node)
    return None


def _is_called(node: ast.expr, name: str) -> bool:
    return is_name(node, name) or (isinstance(node, ast.Attribute) and node.attr == name)


_DEEP = 400
"""Calls within each other of which twice as many meet Python's own limit of 1000, with what is
around them."""


def _deep(module: Module, function: ast.FunctionDef, found: Recursion) -> str | None:
    """What in the file says that calls may go deep: each takes more of the interpreter's stack with
    a cache than without."""
    for call in descendants(module.tree):
        if isinstance(call, ast.Call) and called_name(call) == "setrecursionlimit":
            return (
                f"line {call.lineno} sets the recursion limit, up to which calls with a cache may"
                " not come"
            )
    for call, passed in named_calls(module, function) if found.thin else ():
        numbers = map(constant, passed.values())
        if any(isinstance(number, int) and number >= _DEEP for number in numbers):
            return f"the call in line {call.lineno} may go deeper than one with a cache can"
    return None


def _outer(site: Site, function: ast.FunctionDef) -> ast.AST | None:
    """The innermost function or class around a function."""
    found: ast.AST | None = None
    for node in descendants(site.lifted.module.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if node is not function and function in descendants(node):
                found = node  # outer ones come first
    return found


def _has_memory(function: ast.FunctionDef) -> bool:
    """``def fib(n, known={})``, or a value by default that may be one."""
    defaults = [*function.args.defaults, *filter(None, function.args.kw_defaults)]
    return any(
        not isinstance(default, (ast.Constant, ast.UnaryOp))
        or (isinstance(default, ast.Constant) and default.value is None)
        for default in defaults
    )


def _bound_once(site: Site, function: ast.FunctionDef, outer: ast.AST | None) -> bool:
    module, name = site.lifted.module, function.name
    if name in locals_of(function):
        return False
    if outer is None:
        return module.functions.get(name) is function
    stores = [
        node for node in descendants(outer)
        if (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load))
        or (isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name)
        or (isinstance(node, ast.arg) and node.arg == name)
    ]  # fmt: skip
    return stores == [function] and name not in module.shared_names


def _imported(module: Module, cache: str, line: int) -> str | None:
    """What a cache is called where a decorator on ``line`` runs, by the imports above it."""
    for node in module.tree.body:
        if node.lineno >= line:
            break
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                name = alias.asname or alias.name
                path = module.names.get(name)
                if path == f"functools.{cache}":
                    return name
                if path == "functools" and isinstance(node, ast.Import):
                    return f"{name}.{cache}"
    return None


def _arguments(site: Site, function: ast.FunctionDef) -> tuple[list[str], bool]:
    """What is assumed of the arguments, and whether equal ones of another type are told apart."""
    assumed: list[str] = []
    alike: list[str] = []
    for arg in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        words = _words(arg.annotation)
        site.require(
            not words & set(_UNHASHED),
            "unhashable",
            f"`{arg.arg}` cannot be hashed, as its annotation says",
        )
        site.require(
            not words & set(_FLOATS),
            "aliases",
            f"`{arg.arg}` may be 0.0 or -0.0, which are equal and not alike",
        )
        if words and words <= {*_HASHED, *_FLOATS, "Optional", "Union", "None", "typing", "t"}:
            other = _given_otherwise(site.lifted.module, function, arg.arg, words)
            site.require(
                other is None,
                "unhashable",
                f"`{arg.arg}` is given {other}, whatever its annotation says",
            )
            if words & {*_HOLDING} and not words & {*_HASHED} - {*_HOLDING}:
                alike.append(arg.arg)
            continue
        site.require(
            not words and _counts(function, arg.arg),
            "unhashable",
            f"nothing says that `{arg.arg}` can be hashed",
        )
        other = _given_otherwise(site.lifted.module, function, arg.arg, {"int"})
        site.require(other is None, "unhashable", f"`{arg.arg}` is given {other}, no whole number")
        assumed.append(f"`{arg.arg}` is a whole number")
    typed = bool(assumed)
    if alike:
        named = listed(f"`{name}`" for name in alike)
        assumed.append(f"items of {named} can be hashed")
        assumed.append(f"equal items of {named} are alike, which 1, 1.0 and True are not")
    return assumed, typed


_DISPLAYED: dict[type[ast.AST], str] = {
    ast.List: "list", ast.ListComp: "list", ast.Dict: "dict", ast.DictComp: "dict",
    ast.Set: "set", ast.SetComp: "set", ast.Tuple: "tuple", ast.JoinedStr: "str",
    ast.GeneratorExp: "generator", ast.Lambda: "function",
}  # fmt: skip
_MADE = ("list", "dict", "set", "tuple", "str", "bytes", "frozenset", "bytearray")


def _given_otherwise(
    module: Module, function: ast.FunctionDef, parameter: str, words: set[str]
) -> str | None:
    """What a call in the file certainly gives a parameter that is none of the types ``words``."""
    for call, passed in named_calls(module, function):
        kind = _kind(module, passed[parameter]) if parameter in passed else None
        same = kind is None or kind.lower() in {word.lower() for word in words}
        if not same and not (kind == "bool" and "int" in words):
            return f"a {kind} in line {call.lineno}"
    return None


def _kind(module: Module, value: ast.expr, deep: bool = True) -> str | None:
    """The type of what an expression certainly gives: by its own form, or by that of everything
    that is bound to its name where that has a meaning."""
    if isinstance(value, ast.Constant):
        return "None" if value.value is None else type(value.value).__name__
    if type(value) in _DISPLAYED:
        return _DISPLAYED[type(value)]
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
        return _kind(module, value.value, deep)
    if isinstance(value, ast.Call):
        if isinstance(value.func, ast.Name) and value.func.id in _MADE:
            return None if value.func.id in module.bound else value.func.id
        path = path_of(module, value.func) or ""
        return "array" if path.startswith(("numpy.", "torch.")) else None
    if isinstance(value, ast.Name) and deep:
        bound = assigned_to(module.tree, value)
        kinds = {_kind(module, each, deep=False) for each in bound}
        return kinds.pop() if len(kinds) == 1 else None
    return None


def _words(annotation: ast.expr | None) -> set[str]:
    """The names of the types in an annotation."""
    if annotation is None:
        return set()
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return {"?"}
    found: set[str] = set()
    for node in descendants(annotation):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Constant):
            found.add(str(node.value) if node.value is not ... else "None")
    return found


def _counts(function: ast.FunctionDef, name: str) -> bool:
    """Whether a parameter is used as a whole number is: moved by one, compared with one, as a place
    or a length."""
    for node in descendants(function):
        if isinstance(node, ast.BinOp) and is_name(node.left, name):
            if isinstance(node.op, (ast.Add, ast.Sub, ast.FloorDiv, ast.Mod)):
                if not isinstance(constant(node.right), (str, float, bytes)):
                    return True
        if isinstance(node, ast.Compare) and is_name(node.left, name):
            if all(isinstance(constant(other), int) for other in node.comparators):
                return True
        if isinstance(node, ast.Call) and is_name(node.func, "range"):
            if any(is_name(arg, name) for arg in node.args):
                return True
    return False


_BEFORE = """\
from math import comb


def fib(n: int) -> int:
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def row(n: int):
    return [comb(n, k) * fib(k) for k in range(n + 1)]
"""

_AFTER = _BEFORE.replace("from math", "import functools\nfrom math").replace(
    "def fib", "@functools.cache\ndef fib"
)

_EDITS = """\
from math import inf


def distance(a: str, b: str, most=inf):
    def upto(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return i + j
        if a[i - 1] == b[j - 1]:
            return upto(i - 1, j - 1)
        return 1 + min(upto(i - 1, j), upto(i, j - 1), upto(i - 1, j - 1))

    return min(upto(len(a), len(b)), most)
"""

_EDITS_AFTER = _EDITS.replace("from math", "import functools\nfrom math").replace(
    "    def upto", "    @functools.cache\n    def upto"
)

_COINS = """\
import sys

COINS = (1, 2, 5)


def ways(amount, kinds):
    if amount == 0:
        return 1
    if amount < 0 or kinds == 0:
        return 0
    return ways(amount - COINS[kinds - 1], kinds) + ways(amount, kinds - 1)


def change(amount):
    return ways(min(amount, sys.maxsize), len(COINS))
"""

_COINS_AFTER = _COINS.replace("import sys", "import functools\nimport sys").replace(
    "def ways", "@functools.lru_cache(maxsize=None, typed=True)\ndef ways", 1
)

_TREE = """\
def size(tree):
    if tree is None:
        return 0
    return 1 + size(tree.left) + size(tree.right)
"""

REWRITE = Rewrite(
    code="RED503",
    name="overlapping-recursion",
    summary="recursion that comes by the same arguments again gets a cache",
    doc=__doc__,
    properties=("redundancy",),
    find=find,
    seeks=("again",),
    becomes="@functools.cache",
    examples=(
        Example("Fibonacci", _BEFORE, _AFTER, "((0,), (1,), (9,))"),
        Example("the edit distance of two texts", _EDITS, _EDITS_AFTER,
                "(('kitten', 'sitting'), ('', 'ab'), ('a', 'a'))"),
        Example("ways to give change", _COINS, _COINS_AFTER, "((11,), (0,), (3,))"),
    ),
    refused=(
        RefusedExample("decorated", _BEFORE.replace("def fib", "@traced\ndef fib", 1)),
        RefusedExample("effects", _BEFORE.replace("    if n", "    print(n)\n    if n", 1)),
        RefusedExample("surroundings", _COINS.replace("(1, 2, 5)", "[1, 2, 5]")),
        RefusedExample("mutable", _BEFORE.replace("return n", "return [n]")),
        RefusedExample("unhashable", _COINS.replace("amount, kinds):", "amount, kinds, c):")
                       .replace("kinds) +", "kinds, c) +").replace("kinds - 1)", "kinds - 1, c)")
                       .replace("COINS[", "c[").replace("len(COINS))", "3, [1, 2, 5])")),
        RefusedExample("attributes", _BEFORE + "\n\nCOUNT = fib.__code__.co_argcount\n"),
        RefusedExample("attributes", _BEFORE + "\n\nKNOWN = inspect.isfunction(fib)\n"),
        RefusedExample("aliases", _BEFORE.replace("n: int", "n: float")),
        RefusedExample("rebound", _BEFORE + "\n\nif True:\n    fib = wrapped(fib)\n"),
    ),
    unmatched=(
        _BEFORE.replace(" + fib(n - 2)", ""),
        _BEFORE.replace("fib(n - 1) + fib(n - 2)", "fib(n - 1) if n % 2 else fib(n - 2)"),
        _TREE,
        _BEFORE.replace("n: int", "n: int, known={}").replace("- 1)", "- 1, known)")
        .replace("- 2)", "- 2, known)"),
        _BEFORE.replace("fib(n - 1) + fib(n - 2)", "fib(fib(n - 1)) + 1"),
        _BEFORE.replace("        return n\n    return fib(n - 1) + fib(n - 2)",
                        "        return\n    fib(n - 1)\n    fib(n - 2)"),
        _AFTER,
    ),
    again=True,
)  # fmt: skip
