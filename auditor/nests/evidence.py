"""What the uses of a name say of it where the lifter knows nothing: that it is an array and no list
or dictionary, how many axes it has at least."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.arrays.facts import OF_ARRAYS, Arrays
from auditor.nests.memory import swaps
from auditor.notation import Value
from auditor.surroundings.region import Region
from auditor.syntax import called_name, constant, is_name, path_of, same
from auditor.tree import children, everything_in

_MAKERS = frozenset(
    "zeros ones empty full zeros_like ones_like empty_like full_like array asarray arange linspace "
    "eye tensor rand randn copy clone pad".split()
)
_REDUCING = frozenset("sum mean max min amax amin norm prod std var argmax argmin".split())
_BY_ELEMENT = frozenset("square abs absolute fabs power".split())
_PRODUCTS = frozenset("dot matmul mm mv".split())
_KEEPING = frozenset("copy clone astype reshape contiguous detach float double".split())
_ALWAYS = (ast.Attribute, ast.Subscript, ast.Call, ast.Tuple, ast.BinOp, ast.Assign, ast.AnnAssign)
"""What always evaluates its parts."""


class Evidence:
    """The uses of the names of one function."""

    def __init__(self, region: Region) -> None:
        self.region = region
        self.arrays = Arrays(region)
        self.certain = self.arrays.certain
        self._known: dict[tuple[str, bool], int] = {}

    def array(self, node: ast.expr, seen: frozenset[str] = frozenset()) -> bool:
        """Whether something is certainly an array."""
        if self.certain(node):
            return True
        if not isinstance(node, ast.Name):
            return False
        if node.id in seen:
            return True  # one of what it is bound to makes it of itself
        bound = list(self._bound(node.id))
        if not bound:
            return self._in_pairs(node.id)
        return all(value is not None and self._made(value, seen | {node.id}) for value in bound)

    def of_numpy(self, node: ast.expr) -> bool:
        """Whether a name is bound to what ``x.numpy()`` gives of a tensor or a table."""
        given = self._bound(node.id) if isinstance(node, ast.Name) else iter(())
        return any(
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Attribute)
            and value.func.attr in ("numpy", "to_numpy")
            for value in given
        )

    def _bound(self, name: str) -> Iterator[ast.expr | None]:
        """What a name is bound to, None where that is a part of something, or was given before it
        is bound anew and nothing says what it is until then."""
        for node in self.region.nodes:
            if isinstance(node, ast.arg) and node.arg == name and name in self.region.bound:
                if not self._given_as_array(name):
                    yield None
            elif isinstance(node, ast.Assign) and not swaps(node):
                for target in node.targets:
                    if is_name(target, name):
                        yield node.value
                    elif _stores(target, name):
                        yield self.arrays.assigned(name)
            elif isinstance(node, ast.AnnAssign) and is_name(node.target, name):
                yield node.value
            elif isinstance(node, (ast.For, ast.comprehension, ast.NamedExpr)):
                if _stores(node.target, name):
                    yield None
            elif _binds_otherwise(node, name):
                yield None

    def _given_as_array(self, name: str) -> bool:
        """Whether a statement that always runs asks what a parameter was given, before it is bound
        anew, for what no list has."""
        for load in self.region.loads.get(name, ()):
            held, above = self.region.values.get(load), self.region.parents.get(load)
            given = isinstance(held, Value) and held.kind == "input" and held.name == name
            if given and isinstance(above, ast.Attribute) and above.attr in OF_ARRAYS:
                while isinstance(above, _ALWAYS):
                    above = self.region.parents.get(above)
                if above is self.region.lifted.node:
                    return True
        return False

    def _made(self, node: ast.expr, seen: frozenset[str]) -> bool:
        """Whether an expression makes an array."""
        if isinstance(node, ast.Name):
            return self.array(node, seen)
        if isinstance(node, ast.Subscript) and any(
            isinstance(item, ast.Slice) for item in items_of(node)
        ):  # fmt: skip
            return self.array(node.value, seen)
        if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
            return self.array(node.value, seen)
        if not isinstance(node, ast.Call):
            return False
        path = path_of(self.region.module, node.func)
        if path is not None:
            root, _, rest = path.partition(".")
            return root in ("torch", "numpy") and rest.removeprefix("nn.functional.") in _MAKERS
        called = node.func
        return (
            isinstance(called, ast.Attribute) and called.attr in _KEEPING
            and self.array(called.value, seen)
        )  # fmt: skip

    def _in_pairs(self, name: str) -> bool:
        """Whether a parameter that is no dictionary is subscripted with several places."""
        for arg in self.region.nodes:
            if isinstance(arg, ast.arg) and arg.arg == name and arg.annotation is not None:
                if any(word in ast.unparse(arg.annotation).lower() for word in ("dict", "map")):
                    return False
        return any(
            isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Tuple)
            and is_name(n.value, name) for n in self.region.nodes
        )  # fmt: skip

    def axes(self, name: str, seen: frozenset[str] = frozenset(), totals: bool = True) -> int:
        """How many axes the function asks of what ``name`` names, in subscripts, sizes, products,
        reductions and loops over rows, and of what is bound to its rows; without ``totals``, in
        those that would raise if it had fewer: ``x[i].sum()`` is a number however many it has."""
        if name in seen:
            return 0
        if (name, totals) not in self._known:
            found = self._axes(name, seen | {name}, totals)
            if seen:
                return found
            self._known[name, totals] = found
        return self._known[name, totals]

    def _axes(self, name: str, seen: frozenset[str], totals: bool) -> int:
        found = 0
        for node in self.region.nodes:
            if isinstance(node, ast.Subscript) and (places := _places(node, name)):
                found = max(found, places + self._reduced(node, totals))
            elif isinstance(node, (ast.Name, ast.Attribute)) and _says(node, name):
                found = max(found, self._counted(node), self._sized(node))
            elif isinstance(node, ast.Assign) and len(node.targets) == 1:
                found = max(found, self._told(name, node.targets[0], node.value, seen, totals))
            elif isinstance(node, (ast.For, ast.comprehension)):
                for target, source in _walked(node.target, node.iter):
                    if target == name:
                        continue
                    if _says(source, name):
                        found = max(found, 1 + self.axes(target, seen, totals))
                    elif isinstance(source, ast.Subscript) and (places := _places(source, name)):
                        found = max(found, places + (not _slices(source)))
        return found

    def _told(
        self, name: str, to: ast.expr, made: ast.expr, seen: frozenset[str], totals: bool
    ) -> int:
        """How many axes are asked of ``name`` by what ``to`` is bound to: a place of it, alone or
        beside others element by element."""
        if isinstance(to, ast.Tuple) and isinstance(made, ast.Subscript) and _of_shape(made):
            places = _places(made, name) if _slices(made) else 0
            return places - 1 + len(to.elts) if places else 0
        rows = self._rows(made)
        asked = [_places(row, name) for row in rows if not _slices(row)]
        if not isinstance(to, ast.Name) or not any(asked):
            return 0
        if len(rows) > 1 and not totals:  # the axes may be those of the others
            return max(asked)
        more = max(self.axes(to.id, seen, totals), self._is_factor(to.id))
        return max(asked) + max(more, totals and self._is_added_up(to.id))

    def _rows(self, node: ast.expr) -> list[ast.Subscript]:
        """The places of arrays that a value is made of element by element, if of nothing else."""
        if isinstance(node, ast.Subscript):
            return [node]
        if not isinstance(node, ast.BinOp) or isinstance(node.op, ast.MatMult):
            return []
        sides = (node.left, node.right)
        rows = [self._rows(side) for side in sides]
        return [*rows[0], *rows[1]] if all(rows) or _alike(*sides) else []

    def _sized(self, node: ast.expr) -> int:
        """How many axes ``x.size(1)`` or ``len(x)`` asks for."""
        above = self.region.parents.get(node)
        if isinstance(above, ast.Call) and is_name(above.func, "len"):
            return 1
        call = self.region.parents.get(above) if isinstance(above, ast.Attribute) else None
        if not isinstance(call, ast.Call) or call.func is not above or len(call.args) != 1:
            return 0
        place = constant(call.args[0])
        asked = isinstance(above, ast.Attribute) and above.attr == "size"
        return place + 1 if asked and type(place) is int and place >= 0 else 0

    def of_one_number(self, name: str) -> bool:
        """Whether the size that an array is allocated with is one number, as the rest of the
        function says: ``np.zeros(shape)`` may have any number of axes."""
        made = self.arrays.assigned(name)
        if not isinstance(made, ast.Call):
            return True
        named = [word.value for word in made.keywords if word.arg in ("shape", "size")]
        path = path_of(self.region.module, made.func) or ""
        sizes = made.args[:1] if path.startswith("numpy.") or path == "torch.full" else made.args
        given = [*sizes, *named]
        if len(given) != 1 or not isinstance(given[0], (ast.Name, ast.Attribute, ast.Call)):
            return True
        (size,) = given
        if isinstance(size, ast.Call):
            value = self.arrays.value(size)
            return value is not None and value.kind != "opaque"
        return any(
            same(child, size) and _is_counted(node)
            for node in self.region.nodes for child in children(node)
        )  # fmt: skip

    def of_several_sizes(self, name: str) -> bool:
        """Whether an array of unstated axes is allocated, and not in the shape of another one."""
        made = self.arrays.assigned(name)
        if not isinstance(made, ast.Call) or self.like(ast.Name(name, ast.Load())) is not None:
            return False
        path = path_of(self.region.module, made.func)
        called = path.rpartition(".")[2] if path is not None else getattr(made.func, "attr", "")
        return called.removeprefix("new_") in ("zeros", "ones", "empty", "full")

    def _is_factor(self, name: str) -> bool:
        """Whether a row is a factor of a product of vectors or matrices."""
        around = (self.region.parents.get(load) for load in self.region.loads.get(name, ()))
        return any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.MatMult) for n in around)

    def _is_added_up(self, name: str) -> bool:
        """Whether a row is added up beside other rows alone, as they are or element by element."""
        return any(self._under_a_total(load) for load in self.region.loads.get(name, ()))

    def _under_a_total(self, node: ast.expr) -> bool:
        at: ast.AST = node
        around = self.region.parents.get(at)
        while isinstance(around, ast.BinOp) and not isinstance(around.op, ast.MatMult):
            sides = (around.left, around.right)
            if not _alike(*sides) and not all(map(self._is_row, sides)):
                return False
            at, around = around, self.region.parents.get(around)
            if isinstance(around, ast.Call) and called_name(around) in _BY_ELEMENT:
                at, around = around, self.region.parents.get(around)
        method = self.region.parents.get(around) if isinstance(around, ast.Attribute) else None
        call = around if method is None else method
        if not isinstance(call, ast.Call):
            return False
        if called_name(call) in _PRODUCTS:
            return method is not None or at in call.args
        return called_name(call) in _REDUCING and (method is not None or call.args == [at])

    def _is_row(self, node: ast.expr) -> bool:
        """Whether something stands at one place of an array, or is a name for such once bound."""
        made = self.arrays.assigned(node.id) if isinstance(node, ast.Name) else node
        return isinstance(made, ast.Subscript) and not _slices(made)

    def _counted(self, node: ast.expr) -> int:
        """How many axes are asked of an operand, where that is reduced along an axis by its
        number, or multiplied as a matrix."""
        at: ast.AST = node
        above = self.region.parents.get(at)
        while isinstance(above, (ast.BinOp, ast.UnaryOp)):
            if isinstance(above, ast.BinOp) and isinstance(above.op, ast.MatMult):
                asked = self._multiplied(at, above)
                return asked if asked > 1 else 0  # a vector or a matrix
            if isinstance(above, ast.BinOp) and not _alike(above.left, above.right):
                return 0
            at, above = above, self.region.parents.get(above)
        call = self.region.parents.get(above) if isinstance(above, ast.Attribute) else above
        if not isinstance(call, ast.Call):
            return 0
        path, method = path_of(self.region.module, call.func), above is not call
        called = (path or "").rpartition(".")[2] or getattr(call.func, "attr", "")
        rest = call.args if method and path is None else call.args[1:]
        if called not in _REDUCING or (path is not None and call.args[:1] != [at]):
            return 0
        named = [word.value for word in call.keywords if word.arg in ("axis", "dim")]
        given = next(iter(named or rest), None)
        several = given.elts if isinstance(given, (ast.Tuple, ast.List)) else [given]
        numbers = [constant(one) for one in several]
        return max((n + 1 for n in numbers if type(n) is int and n >= 0), default=0)

    def _multiplied(self, node: ast.AST, product: ast.BinOp) -> int:
        """1 for an operand of a product; 2 for one that stands between two others."""
        above = self.region.parents.get(product)
        if not isinstance(above, ast.BinOp) or not isinstance(above.op, ast.MatMult):
            return 1
        inner = product.right if above.left is product else product.left
        return 2 if node is inner else 1

    def _reduced(self, node: ast.Subscript, totals: bool) -> int:
        """How many axes a subscript certainly leaves: it is added up, multiplied as a matrix or a
        vector, or the like; without ``totals`` only where a number would raise."""
        if _slices(node):
            return 0
        at: ast.expr = node
        around = self.region.parents.get(at)
        while isinstance(around, ast.BinOp) and not isinstance(around.op, ast.MatMult):
            named = any(isinstance(side, ast.Name) for side in (around.left, around.right))
            rows = named and self._is_row(around.left) and self._is_row(around.right)
            if not _alike(around.left, around.right) and not rows:
                break
            at, around = around, self.region.parents.get(around)
        if isinstance(around, ast.Call):
            path = path_of(self.region.module, around.func)
            if path is None:
                return int(_multiplies(around, at))
            root, _, called = path.partition(".")
            called = called.rpartition(".")[2]
            reduced = called in _REDUCING and around.args[:1] == [at]
            reduced = reduced and (totals or _named(around, around.args[1:]))
            product = called in _PRODUCTS and (totals or not self.takes_numbers(around.func))
            return int(root in ("numpy", "torch") and (reduced or product))
        if isinstance(around, ast.BinOp) and isinstance(around.op, ast.MatMult):
            return self._multiplied(at, around)
        call = self.region.parents.get(around) if isinstance(around, ast.Attribute) else None
        called = around.attr if isinstance(around, ast.Attribute) else ""
        if not isinstance(call, ast.Call) or call.func is not around:
            return 0
        reduced = called in _REDUCING and (totals or _named(call, call.args))
        return int(reduced or called in _PRODUCTS)

    def takes_numbers(self, function: ast.expr) -> bool:
        """Whether a product multiplies numbers as well: NumPy's ``dot`` and ``inner`` do."""
        return path_of(self.region.module, function) in ("numpy.dot", "numpy.inner")

    def like(self, node: ast.expr) -> ast.expr | None:
        """What an array that is made once has the shape of: ``zeros_like(x)``,
        ``zeros(x.shape)``."""
        made = self.arrays.assigned(node.id) if isinstance(node, ast.Name) else None
        if not isinstance(made, ast.Call) or not made.args:
            return None
        path = path_of(self.region.module, made.func) or ""
        if path.partition(".")[0] not in ("numpy", "torch"):
            return None
        first = made.args[0]
        if path.endswith("_like"):
            return None if any(word.arg == "shape" for word in made.keywords) else first
        shaped = path.rpartition(".")[2] in ("zeros", "ones", "empty", "full")
        shaped = shaped and isinstance(first, ast.Attribute) and first.attr == "shape"
        return first.value if shaped and isinstance(first, ast.Attribute) else None


def _is_counted(node: ast.AST) -> bool:
    """Whether what stands in an expression is certainly a number: computed with or walked to."""
    return isinstance(node, ast.BinOp) or (
        isinstance(node, ast.Call) and is_name(node.func, "range")
    )


def _multiplies(call: ast.Call, node: ast.expr) -> bool:
    """Whether a method of an array multiplies it with ``node`` as matrices are."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return method in _PRODUCTS and call.args[:1] == [node]


def _named(call: ast.Call, rest: list[ast.expr]) -> bool:
    """Whether a reduction is told an axis."""
    return bool(rest) or any(word.arg in ("axis", "dim") for word in call.keywords)


def _slices(node: ast.Subscript) -> bool:
    return any(isinstance(item, ast.Slice) for item in items_of(node))


def _of_shape(node: ast.Subscript) -> bool:
    """``x.shape[2:]``"""
    last = isinstance(node.slice, ast.Slice) and node.slice.upper is None
    return last and isinstance(node.value, ast.Attribute) and node.value.attr == "shape"


def _says(node: ast.expr, name: str) -> bool:
    """Whether an expression is a name, or an attribute of one, with that text."""
    if isinstance(node, ast.Attribute):
        owner, _, last = name.rpartition(".")
        return bool(owner) and node.attr == last and _says(node.value, owner)
    return is_name(node, name)


def _alike(left: ast.expr, right: ast.expr) -> bool:
    """Whether the sides of an operation certainly have as many axes: a number does not count."""
    sides = (left, right)
    return same(left, right) or any(isinstance(constant(s), (int, float)) for s in sides)


def items_of(node: ast.Subscript) -> list[ast.expr]:
    """The items of a subscript."""
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def is_new_axis(node: ast.expr) -> bool:
    """``None``, ``np.newaxis``."""
    if isinstance(node, ast.Attribute):
        return node.attr == "newaxis"
    return isinstance(node, ast.Constant) and node.value is None


def _places(node: ast.Subscript, name: str) -> int:
    """The axes that ``name[i][j]`` or ``name.shape[1]`` ask for."""
    asked = [item for item in items_of(node) if not is_new_axis(item)]
    count, at = len(asked), node.value
    while isinstance(at, ast.Subscript):
        asked = [item for item in items_of(at) if not is_new_axis(item)]
        count, at = count + len(asked), at.value
    if _says(at, name):
        return count
    if isinstance(at, ast.Attribute) and at.attr == "shape" and _says(at.value, name):
        place = constant(node.slice.lower if isinstance(node.slice, ast.Slice) else node.slice)
        return place + 1 if isinstance(place, int) else 0
    return 0


def _walked(target: ast.expr, source: ast.expr) -> list[tuple[str, ast.expr]]:
    """The names that a loop binds to elements, and of what."""
    if (
        isinstance(source, ast.Call) and isinstance(source.func, ast.Name)
        and isinstance(target, ast.Tuple)
    ):  # fmt: skip
        targets = target.elts[1:] if source.func.id == "enumerate" else target.elts
        pairs = zip(targets, source.args, strict=False)
        return [(t.id, s) for t, s in pairs if isinstance(t, ast.Name)]
    return [(target.id, source)] if isinstance(target, ast.Name) else []


def _binds_otherwise(node: ast.AST, name: str) -> bool:
    """Whether a name is bound by something else than an assignment or a loop."""
    if isinstance(node, ast.withitem):
        return node.optional_vars is not None and _stores(node.optional_vars, name)
    if isinstance(node, ast.alias):
        return (node.asname or node.name.partition(".")[0]) == name
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return name in node.names
    bound = (ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.FunctionDef, ast.ClassDef)
    return isinstance(node, bound) and node.name == name


def _stores(target: ast.expr, name: str) -> bool:
    return any(
        isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
        for n in everything_in(target)
    )
