"""Whether modules treat every row on its own: then they give for some of the rows what they give
for them among all. Read off how they are made and what their classes compute."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.experts.layers import Holder, Layers, is_own
from auditor.experts.made import Maker
from auditor.lift.module import ClassScope, Module
from auditor.syntax import constant, path_of

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
_DEEP = 6
"""How far modules may be nested."""
_ACROSS = frozenset("BatchNorm1d BatchNorm2d SyncBatchNorm InstanceNorm1d LazyBatchNorm1d".split())


@dataclass(frozen=True)
class Doubt:
    """Why modules may not be applied to some of the rows alone."""

    condition: str
    reason: str


def _unknown(module: Module, node: ast.expr) -> Doubt:
    text = module.brief(node, 40)
    return Doubt("experts", f"what `{text}` does to the rows beside a row is not known")


def _random(module: Module, node: ast.expr) -> Doubt:
    text = module.brief(node, 40)
    return Doubt("random", f"`{text}` draws random numbers: others for the rows that are left")


def doubt_of(holder: Holder, layers: Layers) -> Doubt | None:
    """What may go wrong where the modules of a list see some of the rows only."""
    if holder.module.hooks:
        return Doubt("hooks", "the file puts hooks on modules, which would see other calls")
    maker = Maker(holder.module, holder.klass, holder.maker)
    for made in layers.made:
        found = _of_made(maker, made, 0, True)
        if found is not None:
            return found
    return None


def _of_made(maker: Maker, node: ast.expr, depth: int, first: bool) -> Doubt | None:
    """Of a module as it is constructed; ``first`` where it is given what the caller holds."""
    module = maker.module
    if not isinstance(node, ast.Call) or depth > _DEEP:
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
    inner = maker.called(node) if kind == path else None
    if inner is not None:
        parts = [(inner, each, True) for each in inner.returned()]
        return _of_parts(parts, node, depth, first)
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
        parts = [(maker, part, place == 0) for place, part in enumerate(node.args)]
        return _of_parts(parts, node, depth, first)
    return _unknown(module, node)


def _of_parts(
    parts: list[tuple[Maker, ast.expr, bool]], node: ast.expr, depth: int, first: bool
) -> Doubt | None:
    """Of modules of which each may be the ``first``, by the expressions that they are given as."""
    for maker, part, begins in parts:
        modules = maker.modules(part)
        if modules is None:
            return _unknown(maker.module, node)
        for each in modules:
            found = _of_made(maker, each, depth + 1, first and begins)
            if found is not None:
                return found
    return None


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
        self.maker = Maker(module, klass, self.holder.maker)

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
        if isinstance(node, ast.Attribute) and is_own(node, node.attr):
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
        if is_own(function, function.attr):
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
            if self.depth > _DEEP:
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
            found = _of_parts([(self.maker, made, True)], made, self.depth, own)
            if found is not None:
                raise _Met(found)
        return _ROW
