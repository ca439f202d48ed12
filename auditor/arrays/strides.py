"""Whether it matters how a result lies in memory, and whether its operands come permuted.

Elementwise code keeps the order in memory of a permuted operand, an operation of torch or a kernel
lays its result out anew. `.view` and what else asks for strides see it, and so does a write through
`.reshape`, which is a view of the one and a copy of the other. Followed by the text: through names,
views and elementwise operations.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from auditor.lift import Lifted
from auditor.lift.call_effects import VIEWS, Does, does
from auditor.lift.module import Module
from auditor.lift.objects import Instance, Obj
from auditor.lift.tables import elementwise
from auditor.syntax import called_name, is_name, path_of
from auditor.tree import block_of, descendants, everything_in

KEPT = "nothing depends on the strides of the result"

_SHAPED = frozenset("view view_as".split())
_ASKS = frozenset("as_strided stride is_contiguous data_ptr".split())
_COPIES_MAYBE = frozenset("reshape reshape_as ravel flatten".split())
_SEEING = _SHAPED | _ASKS | _COPIES_MAYBE
_PERMUTES = frozenset(
    """
permute transpose t swapaxes swapdims movedim moveaxis adjoint rearrange permute_dims T mT H mH
matrix_transpose rollaxis
""".split()
)
_ANEW = frozenset("contiguous ascontiguousarray asfortranarray einsum".split())
_POINTWISE = (
    frozenset(elementwise.UNARY) | frozenset(elementwise.BINARY)
    | frozenset("where clamp clip masked_fill clone gelu silu elu selu softplus dropout".split())
)  # fmt: skip
_LAYERS = frozenset("Dropout GELU ReLU SiLU Sigmoid Tanh ELU Identity LeakyReLU Softplus".split())
_LOOPS = (ast.For, ast.AsyncFor, ast.While)

_Ends = Callable[[ast.expr], bool]


def reordered(lifted: Lifted, made: ast.expr) -> tuple[str | None, str | None]:
    """Of a result that a contiguous one is to replace: what sees that it lay in memory otherwise,
    and what must hold where its operands come permuted and nothing is known to."""
    here = Text(lifted.module, lifted.node, lifted.parents, lifted.lifter.values)
    turned = here.reaches(made, here.permutes)
    # a view behind a permutation is of what came permuted, wherever from
    if (line := here.sees(made, True, _SEEING if turned else _SHAPED)) is not None:
        return _seen(line), None
    for there, call in _callers(lifted, here, made):
        if not turned and not any(there.reaches(given, there.permutes) for given in call.args):
            continue
        turned = True
        if (line := there.sees(call, not here.returns(here.turns(made)))) is not None:
            return _seen(line), None
    return None, KEPT if turned else None


def _seen(line: int) -> str:
    return f"line {line} depends on the strides of the result, which change"


def _depends(lifted: Lifted, made: ast.expr) -> bool:
    """Whether the function, or what calls it in its file, depends on how ``made`` lies in
    memory."""
    here = Text(lifted.module, lifted.node, lifted.parents, lifted.lifter.values)
    return here.sees(made, False) is not None or any(
        there.sees(call, False) is not None for there, call in _callers(lifted, here, made)
    )


def as_stacked(lifted: Lifted, stack: ast.expr, text: str, anew: str = "contiguous") -> str:
    """New code for a stack of rows, contiguous as that is where anything depends on it: sums with
    a permuted start, say, are not. What the function returns others may ask for a view of. ``anew``
    is the method that lays an array out anew."""
    node = ast.parse(text, mode="eval").body
    if _laid_anew(node) or not (_depends(lifted, stack) or _given_turned(lifted, stack, node)):
        return text
    bare = isinstance(node, (ast.Name, ast.Call, ast.Attribute, ast.Subscript))
    return f"{text}.{anew}()" if bare else f"({text}).{anew}()"


def _given_turned(lifted: Lifted, stack: ast.expr, node: ast.expr) -> bool:
    """Whether the function returns, as it lies, what new code makes a permuted view."""
    here = Text(lifted.module, lifted.node, lifted.parents, lifted.lifter.values)
    returned = here.returns(_same(stack)) and not here.returns(here.turns(stack))
    return returned and (here.permutes(node) or _is_part(node))


def _is_part(node: ast.expr) -> bool:
    """Whether new code is a part of a later axis, for all steps: not every number of it lies behind
    the one before, merged with others or not."""
    if isinstance(node, ast.Call) and called_name(node) in ("flatten", "unflatten"):
        return isinstance(node.func, ast.Attribute) and _is_part(node.func.value)
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
        return False
    return any(ast.unparse(item) not in (":", "None", "...") for item in node.slice.elts[1:])


def _laid_anew(node: ast.expr) -> bool:
    """Whether new code is a call of a kernel or a cumulative operation, contiguous for itself."""
    if isinstance(node, ast.Attribute) and node.attr == "values":
        node = node.value
    if not isinstance(node, ast.Call):
        return False
    return isinstance(node.func, ast.Name) or called_name(node).startswith(
        ("cum", "logcum", "contig")
    )


def _callers(lifted: Lifted, here: Text, made: ast.expr) -> Iterator[tuple[Text, ast.Call]]:
    """The calls in the file of the function, if that returns ``made``, each in its function."""
    module, node = lifted.module, lifted.node
    if isinstance(node, ast.Module) or not here.returns(_same(made)):
        return
    names = _names_of(module, node.name, lifted.scope.rpartition(".")[0])
    last = {name.rpartition(".")[2] for name in names}
    calls = [call for call in _calls(module, last) if ast.unparse(call.func) in names]
    if not calls:
        return
    parents = module.parents(module.tree)
    for call in calls:
        at: ast.AST = call
        while not isinstance(at, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
            at = parents[at]
        yield Text(module, at, parents, {}), call


def _calls(module: Module, names: set[str]) -> list[ast.Call]:
    """The calls in the file of what has one of some last names, in the order of the tree."""
    if "calls by name" not in module.once:
        found = module.once["calls by name"] = dict[str, list[tuple[int, ast.Call]]]()
        for place, node in enumerate(descendants(module.tree)):
            if isinstance(node, ast.Call):
                found.setdefault(called_name(node), []).append((place, node))
    known: dict[str, list[tuple[int, ast.Call]]] = module.once["calls by name"]
    return [call for _, call in sorted(one for name in names for one in known.get(name, ()))]


def _names_of(module: Module, name: str, klass: str) -> set[str]:
    """How the file may call a function, or a method of a class."""
    if not klass:
        return {name}
    names = {f"self.{name}"}
    if name in ("forward", "__call__"):
        for node in module.statements:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                if is_name(node.value.func, klass):
                    names |= {ast.unparse(target) for target in node.targets}
    return names


class Text:
    """The text of one function, read for the order in memory of what it computes."""

    def __init__(
        self,
        module: Module,
        function: ast.AST,
        parents: Mapping[ast.AST, ast.AST],
        values: Mapping[ast.expr, Obj],
    ) -> None:
        self.module, self.function, self.parents, self.values = module, function, parents, values

    def permutes(self, node: ast.expr) -> bool:
        """Whether an expression is a permuted view of something, or is laid out by request."""
        if isinstance(node, ast.Call):
            called = called_name(node)
            layout = [k.value for k in node.keywords if k.arg == "memory_format"]
            return called in _PERMUTES or any("channels_last" in ast.unparse(k) for k in layout)
        return isinstance(node, ast.Attribute) and node.attr in _PERMUTES

    def turns(self, made: ast.expr) -> _Ends:
        """What takes permuted views of ``made``."""
        return lambda node: self.permutes(node) and self.reaches(node, _same(made))

    def returns(self, ends: _Ends) -> bool:
        """Whether the function returns what is made of what ``ends`` takes."""
        return any(
            isinstance(node, ast.Return) and node.value is not None
            and self.reaches(node.value, ends)
            for node in descendants(self.function)
        )  # fmt: skip

    def sees(self, made: ast.expr, contiguous: bool, asked: frozenset[str] = _SEEING) -> int | None:
        """The line of what depends on how ``made`` lies in memory, or None. ``contiguous`` says
        that what takes its place is, so that it has all views but those behind a permutation."""
        for node in descendants(self.function):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            called, base = node.func.attr, node.func.value
            if path_of(self.module, node.func) is not None:
                base = node.args[0] if node.args else base
            if called not in asked:
                continue
            behind = contiguous and called in _SHAPED
            if self.reaches(base, self.turns(made) if behind else _same(made)):
                if called not in _COPIES_MAYBE or self._written(node, base):
                    return node.lineno
        return None

    def reaches(self, node: ast.expr, ends: _Ends) -> bool:
        """Whether ``node`` is made by views and elementwise operations of what ``ends`` takes."""
        waiting, seen = [node], set[ast.expr]()
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            if ends(at):
                return True
            waiting += self._operands(at)
        return False

    def _operands(self, node: ast.expr) -> Iterator[ast.expr]:
        """What the order in memory of an expression's value may come from."""
        if isinstance(node, ast.Name):
            yield from self._bound(node)
        elif isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            yield from (node.left, node.right)
        elif isinstance(node, ast.IfExp):
            yield from (node.body, node.orelse)
        elif isinstance(node, (ast.Tuple, ast.List)):
            yield from node.elts
        elif isinstance(node, (ast.UnaryOp, ast.Starred, ast.NamedExpr, ast.Subscript)):
            yield node.operand if isinstance(node, ast.UnaryOp) else node.value
        elif isinstance(node, ast.Attribute):
            if node.attr in _PERMUTES or node.attr in ("data", "values", "real"):
                yield node.value
        elif isinstance(node, ast.Call) and self._keeps(node):
            if isinstance(node.func, ast.Attribute) and path_of(self.module, node.func) is None:
                yield node.func.value
            yield from node.args

    def _keeps(self, call: ast.Call) -> bool:
        """Whether the result of a call lies in memory as what it is given does."""
        layer = self.values.get(call.func)
        if isinstance(layer, Instance):
            return layer.path.rpartition(".")[2] in _LAYERS
        called = called_name(call)
        own = isinstance(call.func, ast.Name) and called in self.module.functions
        if own or called in _ANEW:
            return False
        return called in VIEWS | _PERMUTES or called.rstrip("_") in _POINTWISE

    def _bound(self, name: ast.Name) -> Iterator[ast.expr]:
        """What a name may be bound to where it is read."""
        at: ast.AST = name
        while at is not self.function and at in self.parents:
            above = self.parents[at]
            if isinstance(at, ast.stmt):
                block = block_of(above, at)
                for earlier in reversed(block[: block.index(at)]):
                    values = list(_values(earlier, name.id))
                    yield from values
                    if values and isinstance(earlier, (ast.Assign, ast.AnnAssign)):
                        return
            if isinstance(above, _LOOPS):
                yield from _values(above, name.id)
            at = above

    def _written(self, copied: ast.Call, base: ast.expr) -> bool:
        """Whether something is written afterwards into ``copied``, a view or a copy of ``base``,
        and ``base`` is read, or the other way round."""
        memory = self._shared(base)

        def side(node: ast.expr) -> str | None:
            shared = self._shared(node)
            return "copy" if copied in shared else "base" if shared & memory else None

        later = [n for n in self._targets() if self._later(n, copied)]
        written = {side(n) for n in later} - {None}
        if not written:
            return False
        inside = set(everything_in(copied))
        read = {
            side(n) for n in descendants(self.function)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n not in inside
            and self._later(n, copied)
        }  # fmt: skip
        return ("copy" in written and "base" in read) or ("base" in written and "copy" in read)

    def _later(self, node: ast.expr, copied: ast.expr) -> bool:
        """Whether ``node`` may run after ``copied``."""
        if node.lineno >= copied.lineno:
            return True
        at: ast.AST = copied
        while at is not self.function and at in self.parents:
            at = self.parents[at]
            if isinstance(at, _LOOPS) and node in descendants(at):
                return True
        return False

    def _shared(self, node: ast.expr) -> set[ast.expr]:
        """What ``node`` may share its memory with."""
        waiting, seen = [node], set[ast.expr]()
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            held = isinstance(at, (ast.Name, ast.Subscript, ast.Attribute, ast.NamedExpr))
            if held or (
                isinstance(at, ast.Call) and does(self.module, at) in (Does.VIEW, Does.WRITES)
            ):
                waiting += self._operands(at)
        return seen

    def _targets(self) -> Iterator[ast.expr]:
        """What the function changes in place."""
        for node in descendants(self.function):
            if isinstance(node, ast.AugAssign):
                target = node.target
                yield target.value if isinstance(target, ast.Subscript) else target
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                yield node.value
            elif isinstance(node, ast.Call) and does(self.module, node) is Does.WRITES:
                if isinstance(node.func, ast.Attribute):
                    yield node.func.value
                yield from (*node.args, *(k.value for k in node.keywords if k.arg == "out"))


def _same(made: ast.expr) -> _Ends:
    return lambda node: node is made


def _values(node: ast.AST, name: str) -> Iterator[ast.expr]:
    """What is bound to ``name`` in a statement."""
    for part in everything_in(node):
        if isinstance(part, ast.Assign):
            targets = part.targets
        elif isinstance(part, ast.AnnAssign) and part.value is not None:
            targets = [part.target]
        else:
            continue
        named = (n for t in targets for n in everything_in(t) if isinstance(n, ast.Name))
        if any(n.id == name and isinstance(n.ctx, ast.Store) for n in named):
            assert part.value is not None
            yield part.value
