"""One step's expression over all steps at once, in the user's own spelling.

``Steps`` reads an expression of a loop's body and says what it is when every subscript by the loop
variable becomes a slice: which axes it has around the loop's, what dtype is certain, what must be
assumed. Only leaves change their text (``x[:, t]`` becomes ``x``, ``x[t - 1]`` becomes ``x[:-1]``);
operators, calls and their layout stay as they were written. Whatever would change its meaning
under the extra axis raises ``CannotVectorise`` with the reason. ``auditor.folds.subscripts`` knows
what is read at each step, ``auditor.folds.walks`` the variables of the loop.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.arrays.wider_start import OtherWidth, told
from auditor.assumed import has_axes
from auditor.folds.alignment import ELEMENTWISE, any_ranks, known_axes, merge
from auditor.folds.shaped import Axes, Shaped
from auditor.folds.subscripts import Subscripts
from auditor.folds.walks import CannotVectorise
from auditor.nests.memory import may_be_array
from auditor.syntax import constant, is_name, path_of, tight
from auditor.tree import everything_in

_FLOATING = frozenset(
    ("exp", "log", "sqrt", "tanh", "sigmoid", "sin", "cos", "tan", "log1p", "expm1", "rsqrt")
    + ("reciprocal", "float", "double", "half", "div", "divide", "true_divide", "softplus", "erf")
    + ("silu", "gelu", "logaddexp", "exp2", "log2", "log10", "mean", "softmax", "log_softmax")
    + ("cosh", "sinh", "norm", "logsumexp", "std", "var")
)
_PLACES = frozenset(("argmax", "argmin"))
_REDUCING = _PLACES | frozenset(
    ("sum", "mean", "prod", "amax", "amin", "norm", "logsumexp", "std", "var")
)
_TO_NUMBERS = _PLACES | frozenset(("sum", "mean", "prod"))
"""Reductions of each element to a number that methods of the same name make along an axis."""
_ALONG = frozenset(("softmax", "log_softmax", "cumsum"))


class Steps(Subscripts):
    """Expressions of a loop's body, over all of its steps."""

    def told(
        self, text: str, name: str, shape: Shaped, start: ast.expr | None
    ) -> tuple[str, str] | None:
        """The sum ``text`` in the type that ``name`` starts in (``auditor.arrays.wider_start``)."""
        source = self.region.module.source
        added = [
            (source(base), found.dtype if (found := self.arrays.value(base)) else None)
            for base in self.bases
        ]
        value = self.arrays.value(start) if start is not None else None
        rank = shape.right if isinstance(shape.right, int) else None
        names = self.region.module.names
        library = value.library if value is not None else None
        spelled = next((short for short, path in names.items() if path == library), str(library))
        try:
            return told(text, name, value, start, added, rank, spelled)
        except OtherWidth as problem:
            raise CannotVectorise(str(problem), "types") from None

    # -- expressions

    def shape(self, node: ast.expr) -> Shaped:
        """What ``node`` is over all steps. Raises ``CannotVectorise``."""
        if not self.moves(node):
            return self._fixed(node)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.UnaryOp):
            inner = self.shape(node.operand)
            if isinstance(node.op, ast.Not):
                if not inner.boolean:
                    raise CannotVectorise("the truth value of an array is asked")
                self.texts[node] = f"~({self.spell(node.operand)})"
                return inner
            return replace(inner, leaf=False)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            both = self._joined(node, [node.left, node.comparators[0]])
            if not isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)):
                raise CannotVectorise("arrays do not have this comparison")
            return replace(both, boolean=True, floating=False, leaf=False)
        if isinstance(node, ast.BoolOp):
            parts = [self.shape(value) for value in node.values]
            if not all(part.boolean and part.kind == "steps" for part in parts):
                raise CannotVectorise("the truth value of an array is asked")
            sign = " & " if isinstance(node.op, ast.And) else " | "
            self.texts[node] = sign.join(f"({self.spell(value)})" for value in node.values)
            return replace(merge(self, node, parts), boolean=True)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Attribute) and node.attr == "real":
            return self.shape(node.value)
        raise CannotVectorise(
            f"nothing computes `{self.region.module.brief(node, 40)}` for all steps at once"
        )

    def _fixed(self, node: ast.expr) -> Shaped:
        number = constant(node)
        if isinstance(number, (int, float, complex)):
            return Shaped("number", floating=isinstance(number, (float, complex)))
        if isinstance(node, ast.BinOp):
            left, right = self._fixed(node.left), self._fixed(node.right)
            kind = "fixed" if "fixed" in (left.kind, right.kind) else "number"
            divided = isinstance(node.op, ast.Div)
            return Shaped(kind, right=max(known_axes(left.right), known_axes(right.right)),
                          floating=left.floating or right.floating or divided)  # fmt: skip
        if isinstance(node, ast.UnaryOp):
            return self._fixed(node.operand)
        value = self.arrays.value(node)
        if value is not None and not value.axes and value.library == "python":
            # what is given for a number hinted `float` may be an integer
            stated = value.kind != "input" and value.dtype in ("float", "complex")
            return Shaped("number", floating=stated)
        rank = self.arrays.rank(node)
        if rank is not None:
            kind = "fixed" if rank else "number"
            return Shaped(kind, right=rank, floating=bool(rank) and self.arrays.floating(node))
        if value is not None and value.dtype in ("int", "float", "bool") and not value.axes:
            return Shaped("number", floating=value.dtype == "float")
        name = self.region.module.source(node)
        named = isinstance(node, (ast.Name, ast.Attribute))
        known = self.arrays.certain(node) or self.arrays.shaped(value)
        if not named or known or may_be_array(self.region, node):
            raise CannotVectorise(f"`{name}` may have any number of axes", "axes")
        self.walked.assume(f"`{name}` is a number")
        return Shaped("number")

    def _name(self, node: ast.Name) -> Shaped:
        if node.id in self.temporaries:
            return self.temporaries[node.id]
        if node.id in self.walked.elements:
            element = self.walked.elements[node.id]
            if element.place is not None:
                return self._part_of_element(node, element, [])
            if element.depth != self.depth and self.depth > 1:
                raise CannotVectorise("the inner loop reads an element of the outer one")
            base = element.base
            if isinstance(base, ast.Subscript):
                if not isinstance(base.slice, ast.Slice):
                    raise CannotVectorise("walks a part of an array")
                right, least, floating = self._base(base.value, element.depth)
            else:
                right, least, floating = self._base(base, element.depth)
            self.texts[node] = tight(self.region.module.source(base)) + self.walked.cut(element)
            self.elements.add(node)
            return Shaped("steps", 0, right, least, floating, leaf=True)
        raise CannotVectorise(f"`{node.id}` itself is used, not only as a subscript", "counter")

    # -- operations

    def _joined(self, node: ast.expr, parts: list[ast.expr]) -> Shaped:
        return merge(self, node, [self.shape(part) for part in parts], parts)

    def _binary(self, node: ast.BinOp) -> Shaped:
        op = type(node.op)
        if op is ast.MatMult:
            return self._product(node, node.left, node.right)
        left, right = self.shape(node.left), self.shape(node.right)
        if op not in (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow):
            source = self.region.module.source(node)
            raise CannotVectorise(
                f"nothing computes the operator of `{source}` for all steps at once"
            )
        kinds = {left.kind, right.kind}
        if "total" in kinds:
            floating = left.floating or right.floating or op is ast.Div
            if kinds == {"total"} and op in (ast.Add, ast.Sub):
                return replace(left, floating=floating)
            if op is ast.Mult and kinds == {"total", "number"}:
                return Shaped("total", floating=floating)
            if op is ast.Div and right.kind == "number":
                return Shaped("total", floating=floating)
            raise CannotVectorise("a sum over an element stands inside another operation", "totals")
        merged = merge(self, node, [left, right], [node.left, node.right])
        return replace(merged, floating=merged.floating or op is ast.Div)

    def _product(self, node: ast.expr, left: ast.expr, right: ast.expr) -> Shaped:
        """Products of the vectors of each step with one vector or matrix, or with each other."""
        first, second = self.shape(left), self.shape(right)
        moving = [one for one in (first, second) if one.kind == "steps"]
        if any(one.lead != 0 or one.right != 1 for one in moving) or self.depth != 1:
            raise CannotVectorise("a product of what need not be vectors", "axes")
        floating = first.floating or second.floating
        if len(moving) == 2:
            self.texts[node] = f"({self.inside(left)} * {self.inside(right)}).sum(1)"
            return Shaped("steps", 0, 0, 0, floating)
        fixed, vector, other = (second, left, right) if moving[0] is first else (first, right, left)
        if (
            fixed.kind != "fixed"
            or fixed.right not in (1, 2)
            or (fixed is first) > (fixed.right == 1)
        ):
            raise CannotVectorise("a product of what need not be vectors", "axes")
        self.texts[node] = f"({self.inside(vector)} @ {self.inside(other)})"
        rest = fixed.right - 1
        return Shaped("steps", 0, rest, rest, floating)

    def _call(self, node: ast.Call) -> Shaped:
        module = self.region.module
        path = path_of(module, node.func)
        if path is not None and path.startswith(("torch.", "numpy.")):
            name = path.rsplit(".", 1)[-1]
            library = path.split(".")[0]
            if not node.args or isinstance(node.args[0], ast.Starred):
                raise CannotVectorise(
                    f"nothing computes `{module.brief(node, 40)}` for all steps at once"
                )
            self.meets(library)
            return self._function(node, name, list(node.args), 1)
        if isinstance(node.func, ast.Attribute) and path is None:
            return self._function(node, node.func.attr, [node.func.value, *node.args], 0)
        if is_name(node.func, "abs") and len(node.args) == 1:
            return replace(self.shape(node.args[0]), leaf=False)
        raise CannotVectorise(f"nothing computes `{module.brief(node, 40)}` for all steps at once")

    def _function(self, node: ast.Call, name: str, args: list[ast.expr], skip: int) -> Shaped:
        if name == "sum" and len(args) == 1 and not node.keywords and self.totals:
            try:
                first = self.shape(args[0])
            except CannotVectorise as refusal:
                if refusal.condition != "axes":
                    raise
                first = any_ranks(self, args[0], refusal)
        else:
            first = self.shape(args[0])
        if name in ("dot", "matmul", "mv") and len(args) == 2 and not node.keywords:
            return self._product(node, *args)
        if name == "gather" and len(args) == 3 and not node.keywords:
            return self._gather(first, args)
        if name in ("squeeze", "unsqueeze") and len(args) == 2 and first.kind == "steps":
            dim = constant(args[1])
            if isinstance(dim, int) and dim < 0 and first.right_min >= -dim:
                change = -1 if name == "squeeze" else 1
                return _fewer(first, change)
        if name in ELEMENTWISE:
            operands = args
            keywords = [k.value for k in node.keywords]
            if any(self.moves(value) for value in keywords) or any(k.arg == "out" for k in
                                                                   node.keywords):  # fmt: skip
                raise CannotVectorise("a keyword that moves")
            merged = self._joined(node, operands) if len(operands) > 1 else first
            return replace(merged, floating=merged.floating or name in _FLOATING, leaf=False,
                           boolean=name.startswith("is"))  # fmt: skip
        if name in (_REDUCING | _ALONG) and first.kind == "steps":
            return self._reduction(node, name, first, args)
        raise CannotVectorise(
            f"nothing computes `{self.region.module.brief(node, 40)}` for all steps at once"
        )

    def _gather(self, first: Shaped, args: list[ast.expr]) -> Shaped:
        dim, index = constant(args[1]), self.shape(args[2])
        if index.kind != "steps" or first.kind != "steps" or first.lead != index.lead:
            raise CannotVectorise("a gather across steps")
        least = max(first.right_min, index.right_min)
        if not isinstance(dim, int) or dim >= 0 or least < -dim:
            raise CannotVectorise("the axis of a gather is not known", "axes")
        right = index.right if isinstance(index.right, int) else first.right
        return Shaped("steps", first.lead, right, least, first.floating)

    def _reduction(self, node: ast.Call, name: str, first: Shaped, args: list[ast.expr]) -> Shaped:
        floating = name not in _PLACES and (first.floating or name in _FLOATING)
        dims = [k for k in node.keywords if k.arg in ("dim", "axis")]
        if any(k.arg not in ("dim", "axis") for k in node.keywords) or len(args) > 2:
            raise CannotVectorise("a reduction with options")
        given = dims[0].value if dims else (args[1] if len(args) == 2 else None)
        if given is not None:
            dim = constant(given)
            if not isinstance(dim, int):
                raise CannotVectorise("the axis of a reduction is not known", "axes")
            if dim < 0 and first.right_min >= -dim:
                kept = _fewer(first, -1) if name in _REDUCING else first
                return replace(kept, floating=floating, leaf=False)
            raise CannotVectorise("a reduction along an axis that moves", "axes")
        if name in _ALONG:
            raise CannotVectorise("a softmax names no axis")
        if self.totals:
            if name != "sum":
                raise CannotVectorise(f"`{name}` of each element", "totals")
            return Shaped("total", floating=floating)
        return self._partial(node, name, first, args[0], floating)

    def _partial(
        self, node: ast.Call, name: str, first: Shaped, inner: ast.expr, floating: bool
    ) -> Shaped:
        """A reduction of each element to a number."""
        if first.lead != 0 or self.depth != 1 or name not in _TO_NUMBERS:
            raise CannotVectorise("a reduction of each element", "totals")
        text = self.inside(inner)
        if isinstance(first.right, int):
            if first.right == 0 and name in _PLACES:
                raise CannotVectorise("the place of a number", "axes")
            if first.right == 0:
                self.texts[node] = text
            elif first.right == 1:
                self.texts[node] = f"{text}.{name}(1)"
            elif name not in ("prod", *_PLACES):
                dims = ", ".join(str(p + 1) for p in range(first.right))
                self.texts[node] = f"{text}.{name}(({dims}))"
            else:
                raise CannotVectorise(f"`{name}` of each element", "totals")
        elif name in _PLACES and "torch" not in self.libraries:
            base, gone = first.right
            self.walked.assume(has_axes(base, gone + 1))
            self.texts[node] = f"{text}.{name}(1)"
        else:
            if "torch" not in self.libraries:
                raise CannotVectorise("a reduction of elements of unknown rank", "axes")
            base, gone = first.right
            self.walked.assume(f"`{base}` has at least {gone + 1} axes")
            self.texts[node] = f"{text}.flatten(1).{name}(1)"
        return Shaped("steps", 0, 0, 0, floating)

    # -- text

    def spell(self, node: ast.expr) -> str:
        """The text of an expression over all steps."""
        if node in self.texts:
            return self.texts[node]
        if not hasattr(node, "lineno"):
            return self._made(node)
        changed = [n for n in everything_in(node) if n in self.texts]
        source = self.region.module.source(node)
        if not changed:
            return source if "\n" not in source else ast.unparse(node)
        if "\n" in source:
            return self._made(node)
        inner = [n for n in changed if not any(
            n is not m and n in set(everything_in(m)) for m in changed)]  # fmt: skip
        whole = self.region.module.span(node)
        for part in sorted(inner, key=lambda n: -self.region.module.span(n).column):
            span = self.region.module.span(part)
            start, end = span.column - whole.column, span.end_column - whole.column
            source = source[:start] + self.texts[part] + source[end:]
        return source

    def _made(self, node: ast.expr) -> str:
        """The text of an expression that spans lines or was put together here."""
        return ast.unparse(_copied(node, self.texts))

    def truth(self, node: ast.expr) -> Shaped:
        """What ``node`` is over all steps, of which each asks for its truth: one number has one."""
        try:
            shape = self.shape(node)
            if self.depth == 1 or isinstance(shape.right, int):
                return shape
        except CannotVectorise as refusal:
            if refusal.condition not in ("axes", "lengths"):
                raise
        return self.as_numbers(node)

    def as_numbers(self, node: ast.expr) -> Shaped:
        """What ``node`` is where each element that it reads is assumed to be one number, as nobody
        takes the sum of."""
        for part in everything_in(node):
            called = part.func if isinstance(part, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr in _REDUCING and self.moves(part):
                raise CannotVectorise("a reduction of elements of unknown rank", "axes")
            if part in self.elements and isinstance(part, ast.expr):
                right = self.shape(part).right
                if not isinstance(right, int):
                    self.numbers[right[0]] = right[1]
                    self.walked.assume(has_axes(*right))
        return self.shape(node)

    def masked(self, node: ast.expr, test: str) -> None:
        """Take only the elements of the steps in which ``test`` holds."""
        read = [n for n in everything_in(node) if n in self.texts or self._kept(n)]
        inner = {part for n in read for part in everything_in(n) if part is not n}
        for part in read:
            if part in inner or not isinstance(part, ast.expr):
                continue
            if part not in self.elements and not self._kept(part):
                raise CannotVectorise("a guarded value that is computed", "conditions")
            self.texts[part] = f"{tight(self.spell(part))}[{test}]"

    def _kept(self, node: ast.AST) -> bool:
        """Whether a node reads what each step gives a name."""
        return isinstance(node, ast.Name) and node.id in self.temporaries

    def inside(self, node: ast.expr) -> str:
        """The text with brackets where a method call could not follow it."""
        text = tight(self.spell(node))
        return f"({text})" if text.isdecimal() else text

    def reduced(self, node: ast.expr, shape: Shaped, method: str) -> str:
        """``node`` over all steps, reduced over the loop's axes by a method."""
        text = self.inside(node)
        if shape.right == 0 and shape.lead == 0:
            return f"{text}.{method}()"
        return f"{text}.{method}({self.axes_text(shape)})"

    def axes_text(self, shape: Shaped) -> str:
        if shape.lead is None:
            right = shape.right
            assert isinstance(right, int)
            places = [p - right - self.depth for p in range(self.depth)]
        else:
            places = [shape.lead + p for p in range(self.depth)]
        return str(places[0]) if len(places) == 1 else f"({', '.join(map(str, places))})"


def _copied(node: ast.AST, texts: dict[ast.AST, str]) -> ast.AST:
    """A copy of an expression with changed parts parsed from their new text."""
    if node in texts:
        return ast.parse(texts[node], mode="eval").body
    fields: dict[str, object] = {}
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            fields[name] = _copied(value, texts)
        elif isinstance(value, list):
            fields[name] = [_copied(v, texts) if isinstance(v, ast.AST) else v for v in value]
        else:
            fields[name] = value
    return type(node)(**fields)


def _fewer(shape: Shaped, change: int) -> Shaped:
    right = shape.right
    new: Axes = right + change if isinstance(right, int) else (right[0], right[1] - change)
    return replace(shape, right=new, right_min=max(shape.right_min + change, 0), leaf=False)
