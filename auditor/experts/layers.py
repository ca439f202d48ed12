"""Lists of modules that an object holds, and whether each of them treats every row on its own: then
it gives for some of the rows what it gives for them among all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.lift.module import ClassScope, Module
from auditor.syntax import constant, path_of
from auditor.tree import everything_in

_LISTS = ("torch.nn.ModuleList",)
_POINTWISE = frozenset(
    "ReLU GELU SiLU Sigmoid Tanh Softplus LogSigmoid Mish LeakyReLU ELU CELU SELU ReLU6 Hardtanh"
    " Hardsigmoid Hardswish Softsign Tanhshrink Hardshrink Softshrink Identity".split()
)
_FUNCTIONS = frozenset(
    "relu gelu silu sigmoid tanh softplus logsigmoid mish leaky_relu elu celu selu relu6 hardtanh"
    " hardsigmoid hardswish softsign exp log sqrt rsqrt square abs sin cos erf expm1 log1p clamp"
    " pow neg reciprocal sign".split()
)
_CASTS = frozenset("to float half double bfloat16 type_as contiguous clone type".split())
_ALONG = frozenset("mean sum amax amin var std norm logsumexp softmax log_softmax glu".split())
_RANDOM = frozenset(
    "Dropout AlphaDropout FeatureAlphaDropout RReLU dropout rrelu alpha_dropout rand rand_like"
    " randn randn_like bernoulli gumbel_softmax DropPath".split()
)
_ACROSS = frozenset("BatchNorm1d BatchNorm2d SyncBatchNorm InstanceNorm1d LazyBatchNorm1d".split())


@dataclass(frozen=True)
class Doubt:
    """Why modules may not be applied to some of the rows alone."""

    condition: str
    reason: str


@dataclass(frozen=True)
class Layers:
    """The modules of ``self.<attribute>``; ``count`` is the text of how many there are."""

    attribute: str
    count: str | None
    made: tuple[ast.expr, ...]


class Holder:
    """The class whose method holds and calls the modules."""

    def __init__(self, module: Module, klass: ClassScope) -> None:
        self.module, self.klass = module, klass
        self.maker = klass.methods.get("__init__")

    def set_by(self, attribute: str) -> list[ast.expr]:
        """What the constructor sets an attribute to."""
        return list(_set(self.maker, attribute))

    def settled(self, attribute: str) -> bool:
        """Whether nothing but the constructor sets it."""
        return not self.module.settings.replaced(self.klass.node, attribute, "__init__")

    def layers(self, attribute: str) -> Layers | None:
        """The list of modules that an attribute holds, None where it is none."""
        given = self.set_by(attribute)
        if len(given) != 1 or not isinstance(given[0], ast.Call) or not self.settled(attribute):
            return None
        if self._handled(attribute):
            return None
        call = given[0]
        if path_of(self.module, call.func) not in _LISTS or call.keywords or len(call.args) > 1:
            return None
        items = call.args[0] if call.args else ast.List(elts=[])
        if isinstance(items, ast.List) and not items.elts:
            return self._appended(attribute)
        if isinstance(items, (ast.ListComp, ast.GeneratorExp)) and len(items.generators) == 1:
            (each,) = items.generators
            if each.ifs or not isinstance(each.iter, ast.Call) or _told(items.elt, each.target):
                return None
            return Layers(attribute, self._counted(each.iter), (items.elt,))
        if isinstance(items, (ast.List, ast.Tuple)) and items.elts:
            if any(isinstance(item, ast.Starred) for item in items.elts):
                return None
            return Layers(attribute, str(len(items.elts)), tuple(items.elts))
        return Layers(attribute, None, (items,))  # modules that were given, of whatever kind

    def _handled(self, attribute: str) -> bool:
        """Whether the constructor does more with the list than putting modules behind each other
        and counting them: others may be in it then, or they may be changed."""
        inside = everything_in(self.maker) if self.maker is not None else []
        appended = {
            node.value.func.value for node in inside  # type: ignore[attr-defined]
            if _appends(node, attribute)
        }  # fmt: skip
        counted = {
            node.args[0] for node in inside
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            and node.func.id == "len" and len(node.args) == 1
        }  # fmt: skip
        read = [node for node in inside if _is_own(node, attribute)]
        mine = [node for node in read if isinstance(getattr(node, "ctx", None), ast.Load)]
        made = self.set_by(attribute)
        filled = bool(made and isinstance(made[0], ast.Call) and made[0].args
                      and not isinstance(made[0].args[0], ast.List))  # fmt: skip
        return any(node not in counted and (filled or node not in appended) for node in mine)

    def _appended(self, attribute: str) -> Layers | None:
        """Modules that are put one behind the other by a loop of the constructor."""
        if self.maker is None:
            return None
        for loop in self.maker.body:
            if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Call):
                continue
            for inner in loop.body:
                if _appends(inner, attribute):
                    assert isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Call)
                    once = sum(_appends(n, attribute) for n in everything_in(self.maker)) == 1
                    count = self._counted(loop.iter)
                    item = inner.value.args[0]
                    alike = not _told(item, loop.target, *loop.body)
                    return Layers(attribute, count, (item,)) if once and alike else None
        return None

    def _counted(self, walked: ast.expr) -> str | None:
        called = isinstance(walked, ast.Call) and isinstance(walked.func, ast.Name)
        if not called or walked.func.id != "range" or len(walked.args) != 1:  # type: ignore[attr-defined]
            return None
        return self.number(walked.args[0])  # type: ignore[attr-defined]

    def number(self, node: ast.expr) -> str | None:
        """The text of a number in terms of what the constructor was given."""
        if isinstance(node, ast.Constant):
            return repr(node.value)
        if isinstance(node, ast.Name):
            return node.id if node.id in self._given() else None
        if not isinstance(node, ast.Attribute):
            return None
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            given = self.set_by(node.attr)
            if len(given) == 1 and self.settled(node.attr):
                return self.number(given[0])
            return None
        base = self.number(node.value)
        return None if base is None else f"{base}.{node.attr}"

    def _given(self) -> frozenset[str]:
        """The constructor's parameters that it does not bind to something else."""
        if self.maker is None:
            return frozenset()
        args = self.maker.args
        names = {arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
        stored = {n.id for n in everything_in(self.maker)
                  if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}  # fmt: skip
        return frozenset(names - stored)

    # -- rows

    def doubt(self, layers: Layers) -> Doubt | None:
        """What may go wrong where the modules see some of the rows only."""
        if self.module.hooks:
            return Doubt("hooks", "the file puts hooks on modules, which would see other calls")
        for made in layers.made:
            found = _of_made(self.module, made, 0, True)
            if found is not None:
                return found
        return None


def _set(maker: ast.FunctionDef | None, attribute: str) -> Iterator[ast.expr]:
    for node in everything_in(maker) if maker is not None else ():
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if _is_own(target, attribute):
                    yield node.value
                elif isinstance(target, ast.Tuple) and any(
                    _is_own(part, attribute) for part in target.elts
                ):
                    yield from _part(target, node.value, attribute)


def _part(target: ast.Tuple, value: ast.expr, attribute: str) -> Iterator[ast.expr]:
    """``self.a, self.b = b, c``: what one of them is set to; the whole where it is taken apart."""
    if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
        for part, given in zip(target.elts, value.elts, strict=True):
            if _is_own(part, attribute):
                yield given
    else:
        yield ast.Starred(value=value, ctx=ast.Load())


def _is_own(node: ast.AST, attribute: str) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == attribute
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )


def _told(item: ast.expr, *steps: ast.AST) -> bool:
    """Whether what is made at a step depends on which step it is: modules of several widths may
    give results of several shapes."""
    bound = {
        node.id for step in steps for node in everything_in(step)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }  # fmt: skip
    return any(isinstance(n, ast.Name) and n.id in bound for n in everything_in(item))


def _appends(node: ast.AST, attribute: str) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "append"
        and _is_own(call.func.value, attribute)
        and len(call.args) == 1
    )


def _unknown(module: Module, node: ast.expr) -> Doubt:
    text = module.brief(node, 40)
    return Doubt("experts", f"what `{text}` does to the rows beside a row is not known")


def _random(module: Module, node: ast.expr) -> Doubt:
    text = module.brief(node, 40)
    return Doubt("random", f"`{text}` draws random numbers: others for the rows that are left")


def _of_made(module: Module, node: ast.expr, depth: int, first: bool) -> Doubt | None:
    """Of a module as it is constructed; ``first`` where it is given what the caller holds."""
    if not isinstance(node, ast.Call) or depth > 4:
        return _unknown(module, node)
    path = path_of(module, node.func) or ""
    kind = path.removeprefix("torch.nn.")
    if isinstance(node.func, ast.Name) and node.func.id in module.classes:
        return _of_class(module, module.classes[node.func.id], node, depth)
    if kind in _RANDOM or path.rpartition(".")[2] in _RANDOM:
        rate = node.args[0] if node.args else next((k.value for k in node.keywords), None)
        return None if kind == "Dropout" and constant(rate) in (0, 0.0) else _random(module, node)
    if kind in _ACROSS:
        text = module.brief(node, 40)
        return Doubt("rows", f"`{text}` takes statistics over all rows")
    if kind == path:
        return _unknown(module, node)
    inplace = next((k.value for k in node.keywords if k.arg == "inplace"), None)
    if inplace is not None and constant(inplace) is not False and first:
        return Doubt("written", f"`{module.brief(node, 40)}` writes into the tokens")
    if kind == "Linear" or kind in _POINTWISE:
        return None
    if kind in ("LayerNorm", "RMSNorm"):
        several = not node.args or isinstance(node.args[0], (ast.Tuple, ast.List))
        return _unknown(module, node) if several else None
    if kind in ("GLU", "Softmax", "LogSoftmax"):
        dim = node.args[0] if node.args else next((k.value for k in node.keywords), None)
        last = constant(dim) == -1 or (kind == "GLU" and dim is None)
        return None if last else _unknown(module, node)
    if kind == "Sequential" and not node.keywords:
        for place, part in enumerate(node.args):
            found = _of_made(module, part, depth + 1, first and place == 0)
            if found is not None:
                return found
        return None
    return _unknown(module, node)


def _of_class(module: Module, klass: ClassScope, node: ast.expr, depth: int) -> Doubt | None:
    """Of a class of the file: what its ``forward`` computes, expression by expression."""
    bases = [path_of(module, base) for base in klass.node.bases]
    forward = module.method(klass, "forward", heirs=False)
    if bases != ["torch.nn.Module"] or forward is None or "__call__" in klass.methods:
        return _unknown(module, node)
    return _Forward(module, klass, depth).doubt(forward, node)


_ROW, _NUMBER, _VECTOR, _MATRIX = "rows", "number", "vector", "matrix"


class _Met(Exception):
    def __init__(self, doubt: Doubt) -> None:
        super().__init__(doubt.reason)
        self.doubt = doubt


class _Forward:
    """Reads a method that is given rows. What it computes is rows, or numbers and parameters that
    are the same for each."""

    def __init__(self, module: Module, klass: ClassScope, depth: int) -> None:
        self.module, self.holder, self.depth = module, Holder(module, klass), depth

    def doubt(self, method: ast.FunctionDef, node: ast.expr) -> Doubt | None:
        try:
            kind = self._run(method, node)
        except _Met as met:
            return met.doubt
        return None if kind == _ROW else _unknown(self.module, node)

    def _fail(self, node: ast.expr) -> _Met:
        return _Met(_unknown(self.module, node))

    def _run(self, method: ast.FunctionDef, node: ast.expr) -> str:
        given = [arg.arg for arg in (*method.args.posonlyargs, *method.args.args)]
        if len(given) != 2 or method.args.vararg or method.args.kwonlyargs or method.args.kwarg:
            raise self._fail(node)
        if method.decorator_list:
            raise self._fail(node)
        names = {given[1]: _ROW}
        for statement in method.body:
            if isinstance(statement, ast.Return) and statement.value is not None:
                return self._kind(statement.value, names)
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue
            value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
            if value is None:
                raise self._fail(node)
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]  # type: ignore[attr-defined]
            self._bind(targets[0] if len(targets) == 1 else node, value, names)
        raise self._fail(node)

    def _bind(self, target: ast.expr, value: ast.expr, names: dict[str, str]) -> None:
        if isinstance(target, ast.Name):
            names[target.id] = self._kind(value, names)
        elif isinstance(target, ast.Tuple) and all(isinstance(t, ast.Name) for t in target.elts):
            kind = self._parts(value, names)
            names.update((t.id, kind) for t in target.elts if isinstance(t, ast.Name))
        else:
            raise self._fail(value)

    def _parts(self, node: ast.expr, names: dict[str, str]) -> str:
        """``x.chunk(2, dim=-1)``: rows all of them."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            raise self._fail(node)
        function = path_of(self.module, node.func)
        given = list(node.args) if function is not None else [node.func.value, *node.args]
        if node.func.attr not in ("chunk", "split") or not given or not self._last(node, given[2:]):
            raise self._fail(node)
        if self._kind(given[0], names) != _ROW:
            raise self._fail(node)
        return _ROW

    def _last(self, call: ast.Call, rest: list[ast.expr]) -> bool:
        """Whether the axis that a call names is the last."""
        words = [k.value for k in call.keywords if k.arg in ("dim", "axis")]
        return any(constant(word) == -1 for word in (*words, *rest[:1]))

    def _kind(self, node: ast.expr, names: dict[str, str]) -> str:
        if isinstance(node, ast.Name) and node.id in names:
            return names[node.id]
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return _NUMBER
        if isinstance(node, ast.UnaryOp):
            return self._kind(node.operand, names)
        if isinstance(node, ast.BinOp):
            return self._binary(node, names)
        if isinstance(node, ast.Attribute) and _is_own(node, node.attr):
            return self._held(node)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            items = node.slice.elts
            if len(items) == 2 and constant(items[0]) is ... and isinstance(items[1], ast.Slice):
                if isinstance(items[0], ast.Constant):
                    return self._kind(node.value, names)
        if isinstance(node, ast.Call):
            return self._call(node, names)
        raise self._fail(node)

    def _binary(self, node: ast.BinOp, names: dict[str, str]) -> str:
        left, right = self._kind(node.left, names), self._kind(node.right, names)
        if isinstance(node.op, ast.MatMult):
            if left == _ROW and right == _MATRIX:
                return _ROW
            raise self._fail(node)
        if _MATRIX in (left, right):
            raise self._fail(node)
        return next((kind for kind in (_ROW, _VECTOR) if kind in (left, right)), _NUMBER)

    def _held(self, node: ast.Attribute) -> str:
        """A number or a parameter that the constructor sets."""
        given = self.holder.set_by(node.attr)
        if len(given) != 1 or not self.holder.settled(node.attr):
            raise self._fail(node)
        made = given[0]
        if isinstance(constant(made), (int, float)):
            return _NUMBER
        if isinstance(made, ast.Name) and self._is_number(made.id):
            return _NUMBER
        if isinstance(made, ast.Call) and (path_of(self.module, made.func) or "") in (
            "torch.nn.Parameter", "torch.nn.parameter.Parameter"
        ):  # fmt: skip
            inner = made.args[0] if made.args else None
            if isinstance(inner, ast.Call) and not any(
                isinstance(arg, (ast.Starred, ast.Tuple, ast.List)) for arg in inner.args
            ):
                path = (path_of(self.module, inner.func) or "").removeprefix("torch.")
                if path in ("ones", "zeros", "empty", "randn", "rand"):
                    kind = {1: _VECTOR, 2: _MATRIX}.get(len(inner.args))
                    if kind is not None:
                        return kind
        raise self._fail(node)

    def _is_number(self, name: str) -> bool:
        maker = self.holder.maker
        if maker is None:
            return False
        args = [*maker.args.posonlyargs, *maker.args.args]
        defaults = dict(zip([a.arg for a in args][::-1], maker.args.defaults[::-1], strict=False))
        for arg in args:
            if arg.arg == name:
                said = ast.unparse(arg.annotation) if arg.annotation is not None else ""
                return said in ("int", "float") or isinstance(
                    constant(defaults.get(name)), (int, float)
                )
        return False

    def _call(self, node: ast.Call, names: dict[str, str]) -> str:
        function = node.func
        path = path_of(self.module, function) or ""
        word = path.rpartition(".")[2] or getattr(function, "attr", "")
        if word in _RANDOM:
            raise _Met(_random(self.module, node))
        if path:
            if not path.startswith("torch."):
                raise self._fail(node)
            return self._function(node, word, list(node.args), names)
        if not isinstance(function, ast.Attribute):
            raise self._fail(node)
        if _is_own(function, function.attr):
            return self._own(node, function, names)
        return self._function(node, word, [function.value, *node.args], names)

    def _function(
        self, node: ast.Call, word: str, given: list[ast.expr], names: dict[str, str]
    ) -> str:
        if not given or self._kind(given[0], names) != _ROW:
            raise self._fail(node)
        if word in _CASTS:
            return _ROW
        if word in _FUNCTIONS:
            for other in given[1:]:
                if self._kind(other, names) not in (_ROW, _NUMBER):
                    raise self._fail(node)
            return _ROW
        if word in _ALONG and (self._last(node, given[1:]) or (word == "glu" and not given[1:])):
            kept = word in ("softmax", "log_softmax", "glu") or any(
                k.arg == "keepdim" and constant(k.value) is True for k in node.keywords
            )
            if kept:
                return _ROW
        if word == "linear" and 2 <= len(given) <= 3 and not node.keywords:
            kinds = [self._kind(each, names) for each in given[1:]]
            if kinds[0] == _MATRIX and kinds[1:] in ([], [_VECTOR]):
                return _ROW
        raise self._fail(node)

    def _own(self, node: ast.Call, function: ast.Attribute, names: dict[str, str]) -> str:
        """A layer or a method of the module itself."""
        if len(node.args) != 1 or node.keywords or self._kind(node.args[0], names) != _ROW:
            raise self._fail(node)
        method = self.holder.klass.methods.get(function.attr)
        if method is not None:
            if self.depth > 4:
                raise self._fail(node)
            inner = _Forward(self.module, self.holder.klass, self.depth + 1)
            return inner._run(method, node)
        given = self.holder.set_by(function.attr)
        if not given or not self.holder.settled(function.attr):
            raise self._fail(node)
        own = isinstance(node.args[0], ast.Name)
        for made in given:
            path = path_of(self.module, made) or ""
            if path.startswith("torch.") and path.rpartition(".")[2] in _FUNCTIONS:
                continue
            if isinstance(made, ast.Subscript):
                table = path_of(self.module, made.value) or ""
                if table == "transformers.activations.ACT2FN":
                    continue
            found = _of_made(self.module, made, self.depth + 1, own)
            if found is not None:
                raise _Met(found)
        return _ROW
