"""Products with a matrix that is put together of smaller ones, which need not be.

    kron(A, B) @ x            (A @ x.reshape(p, q) @ B.T).reshape(-1)
    x @ kron(A, B)            A.T @ (x.reshape(..., a, b) @ B)
    block_diag(A, B) @ x      each block times its own part of x

Of a Kronecker product with an identity only the other factor is left: it multiplies each part
alike.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.arrays.facts import Arrays
from auditor.assumed import assuming, listed
from auditor.expressions.region import ExpressionRegion, Text
from auditor.expressions.suppositions import guessed_rank
from auditor.notation import Value
from auditor.rewrite import Match, Site
from auditor.syntax import path_of
from auditor.verdict import Verdict

_PRODUCTS = ("torch.matmul", "torch.mm", "torch.mv", "numpy.matmul", "numpy.dot")
_METHODS = ("dot", "matmul", "mm", "mv")
_KRONECKER = ("torch.kron", "numpy.kron")
_BLOCKS = ("torch.block_diag", "scipy.linalg.block_diag")
_IDENTITIES = ("torch.eye", "numpy.eye", "numpy.identity")
_GAINS = {"any": 2.0}
"""By the number of rows of a factor, or of blocks: two at the least."""


@dataclass(frozen=True)
class _Built:
    """A product of a matrix that the call ``made`` puts together, perhaps in the statement
    ``before``, with ``other``: on its ``left``, or else on its right; ``turned`` where the matrix
    is transposed first. ``values`` are the matrix, where it has notation."""

    values: tuple[Value, ...]
    made: ast.Call
    before: ast.stmt | None
    other: ast.expr
    left: bool
    turned: bool


def kronecker(site: Site) -> Match | None:
    """The match of a product with a Kronecker product, or None. Raises ``Refused``."""
    return _match(site, _KRONECKER)


def blocks(site: Site) -> Match | None:
    """The match of a product with blocks on a diagonal, or None. Raises ``Refused``."""
    return _match(site, _BLOCKS)


def _match(site: Site, makers: tuple[str, ...]) -> Match | None:
    if site.node is None or site.statement is None or site.value is None or site.loop is not None:
        return None
    region = _Region(site)
    built = region.built(makers)
    return None if built is None else region.match(built)


@dataclass(frozen=True)
class _Factor:
    """A smaller matrix as code: ``rows`` and ``columns`` as they are asked for. An identity has no
    text."""

    text: str
    rows: str
    columns: str

    @property
    def turned(self) -> _Factor:
        text = self.text and (self.text[:-2] if self.text.endswith(".T") else f"{self.text}.T")
        return _Factor(text, self.columns, self.rows)


class _Region(ExpressionRegion):
    """The product of a matrix with one that is put together."""

    def built(self, makers: tuple[str, ...]) -> _Built | None:
        for left, node, other in self._operands():
            turned = left is None
            while (inner := _transposed(node)) is not None:
                node, turned = inner, not turned
            matrix = self.values.get(node)
            made, before = self._made(node)
            values = (matrix,) if isinstance(matrix, Value) and before is None else ()
            if isinstance(made, ast.Call) and path_of(self.module, made.func) in makers:
                plain = not made.keywords
                return _Built(values, made, before, other, bool(left), turned) if plain else None
        return None

    def _made(self, node: ast.expr) -> tuple[ast.expr | None, ast.stmt | None]:
        """What makes a matrix: its own expression, or that of a name; of a name without notation
        only right before."""
        matrix = self.values.get(node)
        if not isinstance(node, ast.Name):
            return (self.origin(matrix) if isinstance(matrix, Value) else None) or node, None
        made = self.origin(matrix) if isinstance(matrix, Value) else None
        if made is not None:
            return made, None
        binding = self.binding_before(self.statement, node.id)
        last = binding is not None and self.next_statement(binding.statement) is self.statement
        return (binding.value, binding.statement) if binding is not None and last else (None, None)

    def _operands(self) -> list[tuple[bool | None, ast.expr, ast.expr]]:
        """Each factor with the other one, and whether it is on the left of it; None for the weights
        of a linear layer, which are transposed."""
        node = self.node
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            pair = [node.left, node.right]
        elif isinstance(node, ast.Call) and not node.keywords:
            path = path_of(self.module, node.func)
            if path == "torch.nn.functional.linear" and len(node.args) == 2:
                return [(None, node.args[1], node.args[0])]
            pair = list(node.args) if path in _PRODUCTS else []
            if path is None and isinstance(node.func, ast.Attribute):
                pair = [node.func.value, *node.args] if node.func.attr in _METHODS else []
        else:
            pair = []
        if len(pair) != 2:
            return []
        return [(True, pair[0], pair[1]), (False, pair[1], pair[0])]

    def match(self, built: _Built) -> Match | None:
        site, other = self.site, self.values.get(built.other)
        if not isinstance(other, Value) or self.autocast():
            return None
        if built.left and _axes(other) > 2:
            return None  # a stack of matrices
        x = self._name(other)
        said = None if x is None else self._written(built, other, x)
        if x is None or said is None:
            return None
        text, parts, reads, doubt = said
        doubt = doubt or self._no_array(built, [*parts, other])
        dtypes = {value.dtype for value in (*parts, other)}
        known = dtypes - {None}
        site.require(len(known) < 2, "dtypes", "its factors may be of several dtypes")
        site.require(
            self.same_gradients(built.values), "gradients", "it is made under another `with` block"
        )
        written = Text(text, reads | x.reads, False, False)
        site.require(
            self.steady(built.values, [written]), "effects", "something in between may change it"
        )
        removal = self.removal({self.node: written})
        self.require_gone(removal, built.values, self.node, "product-used")
        gone = built.before is None or built.before in removal.gone
        site.require(gone, "product-used", "the matrix is used elsewhere as well")
        if site.inside and removal.edits:
            return None
        assumed = [] if dtypes == known else ["the factors have one dtype"]
        if built.left and any(axis.group for axis in other.axes):
            assumed.append(f"`{x.text}` has no more than 2 axes")
        reason = assuming(assumed)
        return Match(
            span=site.computation.span,
            message="a matrix is put together of smaller ones and multiplied: each of these"
            " multiplies its own part",
            computation=site.computation,
            edits=tuple(sorted((self.replace(self.node, text), *removal.edits))),
            safe=doubt is None,
            reason="; ".join(filter(None, [reason, doubt])) or None,
            gains=_GAINS,
            counted=True,
            verdicts=self._shown(built),
        )

    def _shown(self, built: _Built) -> dict[str, Verdict]:
        if path_of(self.module, built.made.func) not in _BLOCKS:
            return {}
        zeros = (
            f"`{self.module.brief(built.made, 60)}` is zero outside of the blocks on its diagonal"
        )
        sums = "each sum runs over the part of a block alone: the other terms are zero"
        return {
            "sparsity": Verdict("holds", "structure", zeros),
            "associativity": Verdict("holds", "structure", sums, "reassociated"),
        }

    def _name(self, value: Value) -> Text | None:
        """A value by its name, as it is said more than once."""
        said = self.say(value)
        plain = said is not None and all(part.isidentifier() for part in said.text.split("."))
        return said if plain else None

    def _written(
        self, built: _Built, other: Value, x: Text
    ) -> tuple[str, list[Value], frozenset[str], str | None] | None:
        """The code, the arrays that it reads with the names of them, and what nothing says."""
        parts: list[Value] = []
        factors = []
        given = built.made.args
        if len(given) == 1 and isinstance(given[0], ast.Starred):
            name = self.one_line(given[0].value)
            if not all(part.isidentifier() for part in name.split(".")) or built.values:
                return None
            text = self._joined(built, name, f"[{{0}}.shape[{{1}}] for {{0}} in {name}]", x.text)
            reads = frozenset({name.partition(".")[0]})
            return (
                None
                if text is None
                else (text, [], reads, f"the items of `{name}` must be matrices")
            )
        reads = frozenset()
        for node in given:
            value = self.values.get(node)
            identity = self._identity(node)
            if not isinstance(value, Value) or self._no_matrix(value):
                return None
            said = self._name(value) if identity is None else identity
            if said is None:
                return None
            reads |= said.reads
            parts.append(value)
            factors.append(
                _Factor("", said.text, said.text) if identity is not None
                else _Factor(said.text, f"{said.text}.shape[0]", f"{said.text}.shape[1]")
            )  # fmt: skip
        if len(factors) < 2:
            return None
        unknown = [
            factor.text
            for factor, value in zip(factors, parts, strict=True)
            if factor.text and not self._matrix(value)
        ]
        named = listed(f"`{text}`" for text in unknown)
        have = "have" if unknown[1:] else "has"
        doubt = f"nothing says that {named} {have} 2 axes" if unknown else None
        if path_of(self.module, built.made.func) in _KRONECKER:
            text = _kronecker(built, factors, x.text, _axes(other) == 1)
        elif all(factor.text for factor in factors):
            names = ", ".join(factor.text for factor in factors)
            sizes = ", ".join(f"{factor.text}.shape[{{1}}]" for factor in factors)
            text = self._joined(built, f"({names})", f"[{sizes}]", x.text)
        else:
            return None
        return None if text is None else (text, parts, reads, doubt)

    def _matrix(self, value: Value) -> bool:
        """Whether a value certainly has two axes."""
        return _axes(value) == 2 and not guessed_rank(self, value)

    def _no_array(self, built: _Built, values: list[Value]) -> str | None:
        """What may be a list, which NumPy's functions take as well."""
        if (path_of(self.module, built.made.func) or "").startswith("torch."):
            return None
        arrays = Arrays(self)
        unknown = [value for value in values if value.body is None
                   and not any(map(arrays.certain, self.origins.get(value, [])[:1]))]  # fmt: skip
        said = [text.text for value in unknown if (text := self.say(value)) is not None]
        return (
            f"whether {listed(f'`{text}`' for text in said)} is an array is not known"
            if said
            else None
        )

    def _no_matrix(self, value: Value) -> bool:
        return _axes(value) not in (0, 2)

    def _identity(self, node: ast.expr) -> Text | None:
        """How many rows an identity has."""
        value = self.values.get(node)
        made = self.origin(value) if isinstance(value, Value) else node
        if not isinstance(made, ast.Call) or len(made.args) != 1:
            return None
        if path_of(self.module, made.func) not in _IDENTITIES:
            return None
        if any(word.arg not in ("dtype", "device") for word in made.keywords):
            return None
        said = self.source_text(made.args[0])
        return said if said is not None and said.tight else None

    def _joined(self, built: _Built, parts: str, sizes: str, x: str) -> str | None:
        """Each block times its own part. ``sizes`` are filled in with the name of a block and the
        axis of it that meets ``x``."""
        block, part = (self._free(name) for name in ("block", "part"))
        lengths = sizes.format(block, int(built.left != built.turned))
        turned = f"{block}.T" if built.turned else block
        if (path_of(self.module, built.made.func) or "").startswith("torch."):
            joins, axis = f"{self.torch_name()}.cat", "" if built.left else ", -1"
            cut = f"{x}.split({lengths}{axis})"
        else:
            numpy = next((n for n, path in self.module.names.items() if path == "numpy"), None)
            if numpy is None:
                return None
            joins, axis = f"{numpy}.concatenate", "" if built.left else ", -1"
            cut = f"{numpy}.split({x}, {numpy}.cumsum({lengths})[:-1]{axis})"
        product = f"{turned} @ {part}" if built.left else f"{part} @ {turned}"
        return f"{joins}([{product} for {block}, {part} in zip({parts}, {cut})]{axis})"

    def _free(self, name: str) -> str:
        used = {node.id for node in self.nodes if isinstance(node, ast.Name)}
        while name in used or name in self.module.names:
            name = f"{name}_"
        return name


def _axes(value: Value) -> int:
    """How many axes a value has; 0 where that is not known."""
    return 0 if any(axis.group for axis in value.axes) else len(value.axes)


def _transposed(node: ast.expr) -> ast.expr | None:
    """What a node is the transpose of."""
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.value if node.func.attr == "t" and not node.args else None
    return None


def _kronecker(built: _Built, factors: list[_Factor], x: str, alone: bool) -> str | None:
    """The product with each factor in turn; ``alone`` says that ``x`` has one axis."""
    if len(factors) != 2 or not any(factor.text for factor in factors):
        return None
    first, second = (factor.turned if built.turned else factor for factor in factors)
    if not built.left:
        first, second = first.turned, second.turned  # x K is K' x, of rows
    if alone or not built.left:
        lead = "" if alone else f"*{x}.shape[:-1], "
        said = f"{x}.reshape({lead}{first.columns}, {second.columns})"
        said = f"{said} @ {second.turned.text}" if second.text else said
        if first.text:
            said = f"{first.text} @ ({said})" if second.text else f"{first.text} @ {said}"
        whole = "-1" if alone else f"{lead}{first.rows} * {second.rows}"
        return f"({said}).reshape({whole})"
    said = x
    if first.text:
        said = f"({first.text} @ {x}.reshape({first.columns}, -1))"
    if second.text:
        said = f"({second.text} @ {said}.reshape({first.rows}, {second.columns}, -1))"
    return f"{said}.reshape({first.rows} * {second.rows}, *{x}.shape[1:])"
