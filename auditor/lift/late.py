"""What is evaluated late: the elements of a generator expression, and what ``map`` and ``filter``
call, one at each step of whoever walks them, from the names and arrays as they are by then.

Such an element may be read as evaluated where it is written only where nothing that it reads can
have changed in between. That is asked here of the text: who walks the generator, and what else is
executed from the place where it is made to the last step. What is walked at once and whole
(``sum``, ``list``) leaves no time for anything; a ``for`` does what its body does; of what is
returned, kept or handed on nobody knows.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from auditor.lift.bound import COMPREHENSIONS, free_names, own_names
from auditor.lift.changes import Changes, base, changes, dotted
from auditor.lift.module import Module
from auditor.lift.reaching import FUNCTIONS, Reaching, root_of, walks
from auditor.syntax import called_name, path_of
from auditor.tree import block_of, children, descendants

_SCOPES = (*FUNCTIONS, ast.Module)
_MAKING = (ast.GeneratorExp, ast.Call, ast.Assign, ast.AnnAssign)
_CALLING = frozenset(("map", "filter"))
_AT_ONCE = frozenset(
    "sum list tuple set frozenset dict sorted max min any all next bytes bytearray".split()
)
_TAKING = frozenset(
    """
join extend extendleft update union intersection difference symmetric_difference writelines
intersection_update difference_update symmetric_difference_update issubset issuperset isdisjoint
fromkeys
""".split()
)
_GROWING = frozenset(("extend", "extendleft", "update"))
_LIBRARIES = ("torch", "numpy", "math", "collections", "statistics", "scipy")
_KEEPING = ("torch.utils", "numpy.array", "numpy.asarray", "numpy.asanyarray")


@dataclass(frozen=True)
class Late:
    """Why an element may not be read where it is written; ``names`` are those that it reads and
    that may stand for something else by then. ``overlapping`` says that it may be read there if
    what the function is given shares no memory."""

    reason: str
    names: frozenset[str]
    overlapping: bool = False


def late(module: Module, node: ast.AST, overlapping: bool = False) -> Late | None:
    """What forbids to read the elements of a generator as evaluated where it is written; None for
    anything else, too. ``overlapping`` says that arguments may share memory."""
    if not isinstance(node, (ast.GeneratorExp, ast.Call)):
        return None
    around = module.outermost(node)
    found = None if around is None else _known(module, around).get(node)
    if found is None:  # also where it stands in what a definition evaluates
        found = _known(module, module.tree).get(node)
    return None if found is not None and found.overlapping and not overlapping else found


def _known(module: Module, root: ast.AST) -> Mapping[ast.AST, Late]:
    """What is late in a function and those within it, or in the statements outside of functions:
    most functions are never asked about."""
    if root not in module.late:
        nodes = (root,) if isinstance(root, ast.Module) else descendants(root)
        if len(nodes) > 1 and not _any_late(module, nodes):
            nodes = ()
        scopes = (node for node in nodes if isinstance(node, _SCOPES))
        module.late[root] = {n: one for scope in scopes for n, one in _in_scope(module, scope)}
    return module.late[root]


def _in_scope(module: Module, scope: ast.AST) -> Iterator[tuple[ast.AST, Late]]:
    nodes = list(_own_nodes(scope))
    if not _any_late(module, nodes):
        return
    every = dict(_Scope(module, scope, nodes, False).every())
    certain = dict(_Scope(module, scope, nodes, True).every()) if every else {}
    for node, found in every.items():
        yield node, certain.get(node) or replace(found, overlapping=True)


def _any_late(module: Module, nodes: Iterable[ast.AST]) -> bool:
    """Whether any of some nodes makes something late, or gives it a name."""
    return any(isinstance(node, _MAKING) and _may_be_late(module, node) for node in nodes)


def _may_be_late(module: Module, node: ast.AST) -> bool:
    """Whether a node makes something late, or gives it a name."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return isinstance(node.value, ast.Call) and walks(module, node.value)
    if isinstance(node, ast.Call) and walks(module, node):
        return not isinstance(node.func, ast.Name) or node.func.id in _CALLING
    return isinstance(node, ast.GeneratorExp)


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """What a scope evaluates itself: the bodies of functions within it left out."""
    waiting = list(getattr(scope, "body", ()))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, FUNCTIONS):
            waiting += [*node.decorator_list, node.args]  # its defaults
        else:
            waiting += children(node)


@dataclass
class _Reads:
    """What an element reads when it is evaluated: ``paths`` of names and attributes; ``contents``
    are objects that are looked up at once and of which the items are read late."""

    paths: set[str] = field(default_factory=set)
    contents: set[str] = field(default_factory=set)

    @property
    def names(self) -> set[str]:
        return {root_of(path) for path in self.paths}


@dataclass
class _Walk:
    """How a generator is walked: what is executed ``meanwhile``, the names that its elements are
    given (``targets``) and those that grow, what stands between it and whoever takes the elements
    (``through``)."""

    meanwhile: list[ast.AST] = field(default_factory=list)
    targets: set[str] = field(default_factory=set)
    grows: set[str] = field(default_factory=set)
    through: list[ast.expr] = field(default_factory=list)


class _Scope:
    """The generators of one function, or of the statements outside of functions."""

    def __init__(self, module: Module, scope: ast.AST, nodes: list[ast.AST], apart: bool) -> None:
        self._module, self._scope, self._nodes = module, scope, nodes
        self._parents = {child: node for node in nodes for child in children(node)}
        self._parents |= dict.fromkeys(getattr(scope, "body", ()), scope)
        self._bound: set[str] = set()
        if isinstance(scope, FUNCTIONS):
            self._bound = set(own_names(scope))
        self._inner = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
        self._inner_lambdas = {
            target.id: node.value
            for node in nodes
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        self._reaching = Reaching(module, scope, nodes, self._bound, apart)

    def every(self) -> Iterator[tuple[ast.AST, Late]]:
        for node in self._nodes:
            if isinstance(node, ast.GeneratorExp) or (
                isinstance(node, ast.Call) and walks(self._module, node)
            ):
                found = self._late(node)
                if found is not None:
                    yield from ((one, found[0]) for one in (node, *found[1]))

    # -- one generator

    def _late(self, node: ast.GeneratorExp | ast.Call) -> tuple[Late, list[ast.expr]] | None:
        """Why one is late, and what it is walked through."""
        reads = self._read_by(node)
        plain = isinstance(node, ast.Call) and not reads.paths
        walk = self._walk_of(node)
        holder = self._holder(node)
        if plain and holder is None:
            return None  # what is walked is followed where it is walked
        if walk is None and holder is not None:
            walk = self._walk_of_name(holder, nested=plain)
        if walk is None:
            reason = "walks what is evaluated at an unknown time"
            return Late(reason, frozenset(self._unsettled(reads))), []
        found = changes(self._module, walk.meanwhile)
        found.grown |= walk.grows
        touched = self._touched(found, reads) or self._touched_by(node, walk)
        if touched is None:
            return None
        reason = f"a generator reads `{touched}` only as it goes on, when it may have changed"
        names = {name for name in reads.names if self._touched(found, _Reads({name})) is not None}
        return Late(reason, frozenset(names | {touched})), walk.through

    def _touched_by(self, node: ast.GeneratorExp | ast.Call, walk: _Walk) -> str | None:
        """What the elements change, as they are evaluated, of what is read in between."""
        if isinstance(node, ast.GeneratorExp):
            parts = _late_parts(node)
        else:
            lambdas = (each.body for each in node.args if isinstance(each, ast.Lambda))
            parts = [*lambdas, *_runs(node)]
        if not parts or not walk.meanwhile:
            return None
        read = _Reads({path for part in walk.meanwhile for path in _paths(part)})
        read.paths = {path for path in read.paths if root_of(path) not in walk.targets}
        return self._touched(changes(self._module, parts), read)

    def _read_by(self, node: ast.GeneratorExp | ast.Call) -> _Reads:
        found = _Reads()
        if isinstance(node, ast.GeneratorExp):
            own = {name for each in node.generators for name in _named(each.target)}
            for part in _late_parts(node):
                found.paths |= self._paths_read(part)
            found.paths = {path for path in found.paths if root_of(path) not in own}
            found.contents = set(self._reaching.held(node.generators[0].iter))
            return found
        given = list(node.args)
        called = isinstance(node.func, ast.Name) and node.func.id in _CALLING
        if given and (called or not isinstance(node.func, ast.Name)):
            function = given.pop(0) if called else None
            found.paths = set(self._free(function)) if function is not None else set()
            for each in given:
                if isinstance(each, ast.Lambda):
                    found.paths |= self._free(each)
        for each in given:
            found.contents |= set(self._reaching.held(each))
        return found

    def _paths_read(self, node: ast.AST) -> set[str]:
        """The paths that an expression reads, those that functions in view read as well."""
        found = _paths(node)
        for name in {path for path in found if "." not in path}:
            found |= self._free(ast.Name(name, ast.Load()))
        return {path for path in found if root_of(path) not in self._module.names}

    def _free(self, function: ast.expr) -> set[str]:
        """What a function reads besides its arguments."""
        if isinstance(function, ast.Name):
            known: ast.FunctionDef | ast.Lambda | None = self._inner.get(function.id)
            known = known or self._inner_lambdas.get(function.id)
            known = known or self._module.functions.get(function.id)
            if known is None:
                return set()
            return set(free_names(known)) - self._settled
        if isinstance(function, ast.Lambda):
            return {path for path in _paths(function.body) if root_of(path) in free_names(function)}
        return {root_of(path) for path in _paths(function)} - self._module.names.keys()

    @property
    def _settled(self) -> set[str]:
        """The names that nothing binds anew."""
        known = self._module.functions.keys() | self._module.classes.keys()
        return {*known, *self._module.names, *dir(builtins)} - self._bound

    # -- who walks it

    def _walk_of(self, node: ast.expr) -> _Walk | None:
        """How the elements of an expression are taken; None where that is not known."""
        walk, at = _Walk(), node
        while True:
            above = self._parents.get(at)
            if isinstance(above, ast.comprehension) and above.iter is at:
                whole = self._parents[above]
                assert isinstance(whole, COMPREHENSIONS)
                walk.targets |= _named(above.target)
                walk.meanwhile += _late_parts(whole)
                if not isinstance(whole, ast.GeneratorExp):
                    return walk
                walk.through.append(whole)
                at = whole
            elif isinstance(above, ast.For) and above.iter is at:
                walk.targets |= _named(above.target)
                walk.meanwhile += [above.target, *above.body]
                return walk
            elif isinstance(above, ast.Starred):
                unpacked = (ast.Call, ast.List, ast.Tuple, ast.Set)
                return walk if isinstance(self._parents.get(above), unpacked) else None
            elif isinstance(above, ast.Compare):
                return walk
            elif isinstance(above, ast.Assign):
                several = all(isinstance(t, (ast.Tuple, ast.List)) for t in above.targets)
                return walk if several else None
            elif isinstance(above, ast.Call) and at in above.args:
                others = [arg for arg in above.args if arg is not at]
                if walks(self._module, above):
                    walk.meanwhile += [*others, *_runs(above)]
                    walk.through.append(above)
                    at = above
                    continue
                if not self._takes_all(above):
                    return None
                walk.meanwhile += [*others, *above.keywords, *_runs(above)]
                if isinstance(above.func, ast.Attribute) and above.func.attr in _GROWING:
                    walk.grows.add(base(above.func.value) or "")
                return walk
            else:
                return None

    def _takes_all(self, call: ast.Call) -> bool:
        """Whether a call takes all elements that it is given before it does anything else."""
        path = path_of(self._module, call.func)
        if path is not None:
            known = path.partition(".")[0] in _LIBRARIES or path == "functools.reduce"
            return known and not path.startswith(_KEEPING)
        if isinstance(call.func, ast.Name):
            return call.func.id in _AT_ONCE and call.func.id not in {
                *self._module.bound, *self._bound
            }  # fmt: skip
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in _TAKING:
            return False
        return not self._module.called(call.func.attr)

    def _holder(self, node: ast.expr) -> tuple[str, ast.stmt, list[ast.expr]] | None:
        """The name that a generator, or what walks it, is given, and nothing else is."""
        at, through = node, list[ast.expr]()
        while True:
            above = self._parents.get(at)
            if isinstance(above, ast.Call) and at in above.args and walks(self._module, above):
                through.append(above)
                at = above
            elif isinstance(above, ast.comprehension) and above.iter is at:
                whole = self._parents[above]
                if not isinstance(whole, ast.GeneratorExp):
                    return None
                through.append(whole)
                at = whole
            else:
                break
        targets: list[ast.expr] = []
        if isinstance(above, ast.Assign):
            targets = above.targets
        elif isinstance(above, ast.AnnAssign) and above.value is at:
            targets = [above.target]
        if len(targets) != 1 or not isinstance(targets[0], ast.Name):
            return None
        assert isinstance(above, ast.stmt)
        return targets[0].id, above, through

    def _walk_of_name(
        self, holder: tuple[str, ast.stmt, list[ast.expr]], nested: bool
    ) -> _Walk | None:
        """What is executed from where a generator is given a name to its last step. ``nested`` says
        that it may be walked within a later statement of the block."""
        name, statement, through = holder
        every = [
            node for node in descendants(self._scope)
            if isinstance(node, ast.Name) and node.id == name
        ]  # fmt: skip
        loads = [node for node in every if isinstance(node.ctx, ast.Load)]
        if not loads or len(every) != len(loads) + 1 or name in self._module.inner_names:
            return None
        block = block_of(self._parents[statement], statement)
        start, last = block.index(statement), -1
        walk = _Walk(through=list(through))
        for load in loads:
            one = self._walk_of(load) if load in self._parents else None
            if one is None:
                return None
            at: ast.AST | None = load
            while at is not None and at not in block:
                if not nested and isinstance(at, ast.stmt):
                    return None
                at = self._parents.get(at)
            if at is None or block.index(at) <= start:
                return None
            last = max(last, block.index(at))
            walk.through += one.through
        walk.meanwhile += block[start + 1 : last + 1]
        return walk

    # -- what may have changed

    def _touched(self, found: Changes, reads: _Reads) -> str | None:
        """A name of what is read that is bound anew, or leads to what is written."""
        bound = sorted(path for path in reads.paths if root_of(path) in found.bound)
        if bound:
            return root_of(bound[0])
        for path in sorted(reads.paths | reads.contents):
            if any(self._reaching.is_part(path, other) for other in found.written):
                return root_of(path)
            if any(self._reaching.is_same(path, other) for other in found.grown):
                return root_of(path)
            elsewhere = "." in path or root_of(path) not in self._bound
            elsewhere |= root_of(path) in self._module.inner_names
            if found.calls and (elsewhere or any(self._given(call, path) for call in found.calls)):
                return root_of(path)
            if found.hands_over:
                return root_of(path)
        return None

    def _given(self, call: ast.Call, path: str) -> bool:
        names = {node.id for node in descendants(call) if isinstance(node, ast.Name)}
        if isinstance(call.func, ast.Name):
            names |= self._free(call.func)
        return any(self._reaching.linked(path, name) for name in names)

    def _unsettled(self, reads: _Reads) -> set[str]:
        """The names among those read that the scope binds more than once, or writes into."""
        body = getattr(self._scope, "body", [])
        found = changes(self._module, body)
        counted: dict[str, int] = {}
        for node in descendants(self._scope):
            if isinstance(node, ast.arg):
                counted[node.arg] = counted.get(node.arg, 0) + 1
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                counted[node.id] = counted.get(node.id, 0) + 1
        found.bound = {name for name in found.bound if counted.get(name, 0) > 1}
        found.calls, found.hands_over = [], False
        return {name for name in reads.names if self._touched(found, _Reads({name}))}


def _runs(call: ast.Call) -> list[ast.AST]:
    """The calls that a call makes of functions it is given, for its elements."""
    name = called_name(call)
    given = [word.value for word in call.keywords if word.arg in ("key", "func")]
    given += call.args[:2] if name in _RUNNING else []
    return [
        ast.copy_location(ast.Call(function, [], []), function)
        for function in given
        if isinstance(function, (ast.Name, ast.Attribute))
    ]


_RUNNING = frozenset(
    "map filter reduce starmap accumulate takewhile dropwhile filterfalse groupby".split()
)


def _named(target: ast.expr) -> set[str]:
    return {node.id for node in descendants(target) if isinstance(node, ast.Name)}


def _paths(node: ast.AST) -> set[str]:
    """The names and attributes of names that an expression or statement reads."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        at = waiting.pop()
        path = dotted(at)
        if path is None:
            waiting += children(at)
            if isinstance(at, ast.Call) and isinstance(at.func, ast.Attribute):
                waiting.append(at.func.value)  # a method reads its object
        elif isinstance(getattr(at, "ctx", None), ast.Load):
            found.add(path)
    return found


def _late_parts(node: ast.expr) -> list[ast.AST]:
    """What a comprehension evaluates at each step."""
    assert isinstance(node, COMPREHENSIONS)
    parts: list[ast.AST] = []
    for place, each in enumerate(node.generators):
        parts += [*([each.iter] if place else []), *each.ifs]
    return [*parts, *([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])]
