"""Inputs for a function that nobody described: sizes, ranks and values that its code accepts.

What the front end infers about a function (ranks, equal extents, dtypes) narrows the choice; the
rest is a search over small recipes until the original code runs on them. A recipe is a few numbers
from which the same inputs can be made again, larger or in another precision.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from auditor import lift
from auditor.lift.facts import Facts
from auditor.lift.tables.effects import METHODS
from auditor.notation import Apply, Const, Read, Symbol, Term, Value, walk
from auditor.tree import everything_in

PRIMES = (3, 5, 7, 11)
EVENS = (4, 6, 8, 10)
MORE = (6, 4, 11, 9, 8, 13, 10, 12)
BATCH, HEADS, FEATURES, OTHERS = 8, 16, 128, 64
"""How far extents grow for timing: the first of three or more axes, the second and the last of
four, and what the first array does not have (a state, a codebook); the others as far as it takes.
"""

_SIZES = re.compile(r"(^|_)(dim|axis|dims|axes)$")
_HEADS = re.compile(r"head|group|layer|expert|depth|stride|pad|dilation")
_INTEGERS = re.compile(r"(^|_)(idx|index|indices|ids?|tokens?|labels?|targets?|positions?)$")
_MASKS = re.compile(r"mask|(^|_)(is|has|use)_")
_FLAGS = re.compile(r"^(causal|bias|training|inplace|verbose|debug|return_|use_|is_)")
_SMALL = re.compile(r"eps|epsilon")
_RATES = re.compile(r"dropout|drop_|rate|prob|(^|_)p$|momentum")
_FLOAT_NAMES = re.compile(r"(^|_)(eps|epsilon|lr|dropout|rate|temperature|momentum|scale|scaling)$")
_INTEGER_NAMES = re.compile(
    r"^(n|k|num|steps|base|mod|modulus|modulo|exponent|(num|n)_\w+|\w+_(size|steps|length|len|heads|groups))$"
)
_SEQUENCE = re.compile(r"(?i)list|sequence|iterable|tuple|array|any|union")
_TEXT = re.compile(r"(^|\W)str(\W|$)")
_ARRAY = re.compile(r"Tensor|ndarray|NDArray|ArrayLike")
_ATTRIBUTES = frozenset(
    """
    shape dtype device ndim T mT H real imag data requires_grad grad is_cuda nbytes numpy cpu cuda
    is_contiguous stride append extend pop keys values items get index zero_ fill_
""".split()
)


def _of_arrays(attributes: frozenset[str]) -> bool:
    """Whether one of some attributes is one that arrays have, or lists and dicts of them."""
    return any(name in _ATTRIBUTES or name.rstrip("_") in METHODS for name in attributes)


@dataclass(frozen=True)
class Parameter:
    """What is known about one parameter. ``kind`` is ``array``, ``int``, ``float``, ``bool``,
    ``text``, ``object`` or ``callable``; arrays have ``lead`` and ``tail`` extents around axes of
    unknown number, or exactly ``lead`` where ``exact``. A kind that only the name suggests is
    ``guessed``: it may be an array after all. ``dtypes`` are those that an array may have for a
    change."""

    name: str
    kind: str
    value: Value | None = None
    lead: tuple[Term, ...] = ()
    tail: tuple[Term, ...] = ()
    exact: bool = False
    dtype: str | None = None
    library: str | None = None
    optional: bool = False
    nullable: bool = False
    guessed: bool = False
    keyword: bool = False
    attributes: tuple[str, ...] = ()
    called: frozenset[str] = frozenset()
    dtypes: tuple[str | None, ...] = ("int64", "bool", None)


@dataclass(frozen=True)
class Signature:
    """A function as the generator sees it. ``state`` are the attributes of self that it reads,
    ``looped`` the extents that its loops run over; ``broadcasts`` says that one extent may be 1."""

    parameters: tuple[Parameter, ...]
    facts: Facts
    libraries: tuple[str, ...]
    state: tuple[Parameter, ...] = ()
    looped: frozenset[Term] = frozenset()
    method: bool = False
    broadcasts: bool = True

    @property
    def open_ranks(self) -> bool:
        return any((p.kind == "array" and not p.exact) or p.guessed for p in self.parameters)


@dataclass(frozen=True)
class Recipe:
    """How one set of inputs is made; equal recipes make equal inputs. ``seed`` decides sizes,
    ``draw`` the values."""

    library: str = "torch"
    extra: int = 0
    policy: str = "aligned"
    pool: tuple[int, ...] = PRIMES
    seed: int = 0
    draw: int = 0
    optional: bool = False
    alternate: bool = False
    broadcast: bool = False
    strided: bool = False
    values: str = "normal"
    scale: int = 1
    capped: bool = True
    width: int = 0


def signature(text: str, scope: str, ranks: Mapping[str, int] | None = None) -> Signature | None:
    """Read the function ``scope`` of a file, where parameters have numbers of axes; None where the
    file has no such function."""
    module = lift.read(text)
    found = next((entry for entry in lift.functions(module) if entry[0] == scope), None)
    if found is None:
        return None
    _, node, klass = found
    facts, leaves, known, looped = Facts(), {}, {}, frozenset[Term]()
    try:
        for name, rank in (ranks or {}).items():
            facts.of(name).rank = rank
        lifted = lift.lift(module, scope, node, klass, facts=facts)
        facts, leaves, known = lifted.facts, lifted.lifter.leaves, lifted.parameters
        looped = frozenset(term for loop in lifted.lifter.loops for term in walk(loop.step.extent))
    except Exception:  # what cannot be lifted is searched for without its help
        if ranks:
            return signature(text, scope)
    roots = [path.split(".")[0] for path in module.names.values()]
    if "einops" in roots:
        roots.append("torch")
    libraries = [name for name in ("torch", "numpy") if name in roots]
    method = klass is not None and not any(
        isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list
    )
    spec = node.args
    positional = [*spec.posonlyargs, *spec.args]
    defaulted = {a.arg for a in positional[len(positional) - len(spec.defaults) :]}
    defaulted |= {
        a.arg for a, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d is not None
    }
    parameters = []
    for arg in [*positional[1 if method else 0 :], *spec.kwonlyargs]:
        leaf = leaves.get(arg.arg, known.get(arg.arg))
        parameters.append(
            replace(
                _parameter(arg, leaf if isinstance(leaf, Value) else None, node),
                optional=arg.arg in defaulted,
                nullable=_nullable(arg, node),
                keyword=arg in spec.kwonlyargs,
            )
        )
    state = _state(node, leaves, positional[0].arg) if method and positional else ()
    # Lists are tried last, and first where the file knows no array library.
    return Signature(tuple(parameters), facts, (*libraries, "python"), state, looped, method)


def _parameter(arg: ast.arg, leaf: Value | None, node: ast.FunctionDef) -> Parameter:
    annotation = ast.unparse(arg.annotation) if arg.annotation is not None else ""
    return describe(arg.arg, annotation, leaf, *_uses(node, (arg.arg,)))


def _nullable(arg: ast.arg, node: ast.FunctionDef) -> bool:
    """Whether None is among the values that a parameter is meant to take."""
    annotation = ast.unparse(arg.annotation) if arg.annotation is not None else ""
    return (
        "Optional" in annotation
        or "None" in annotation
        or any(
            isinstance(inner, ast.Compare)
            and dotted(inner.left) == (arg.arg,)
            and isinstance(inner.ops[0], (ast.Is, ast.IsNot))
            for inner in everything_in(node)
        )
    )


def describe(
    name: str,
    annotation: str,
    leaf: Value | None,
    attributes: frozenset[str] = frozenset(),
    called: frozenset[str] = frozenset(),
    is_called: bool = False,
    indexes: bool = False,
) -> Parameter:
    """One parameter or attribute, from its annotation, its notation and its uses."""
    kind = _kind(name, annotation, leaf, attributes, is_called)
    lead: tuple[Term, ...] = ()
    tail: tuple[Term, ...] = ()
    exact, dtype, library = False, None, None
    if leaf is not None and kind == "array":
        group = next((p for p, axis in enumerate(leaf.axes) if axis.group), None)
        extents = tuple(axis.extent for axis in leaf.axes)
        exact = group is None
        lead, tail = (extents, ()) if group is None else (extents[:group], extents[group + 1 :])
        dtype, library = leaf.dtype, leaf.library
    if dtype is None and kind == "array":
        if indexes or _INTEGERS.search(name):
            dtype = "int64"
        elif _MASKS.search(name):
            dtype = "bool"
    guessed = kind in ("int", "float") and not annotation and leaf is not None and bool(leaf.axes)
    return Parameter(
        name, kind, leaf, lead, tail, exact, dtype, library,
        guessed=guessed, attributes=tuple(sorted(attributes)), called=called,
    )  # fmt: skip


def _kind(
    name: str, annotation: str, leaf: Value | None, attributes: frozenset[str], is_called: bool
) -> str:
    if is_called or "Callable" in annotation:
        return "callable"
    if _TEXT.search(annotation):
        return "text"
    if _ARRAY.search(annotation):
        return "array"
    for kind in ("bool", "int", "float"):
        if annotation.split(" |")[0].removeprefix("Optional[").rstrip("]") == kind:
            return kind
    if attributes and not _of_arrays(attributes):
        return "object"
    if leaf is not None and not leaf.axes:
        if leaf.dtype in ("bool", "int", "float"):
            return leaf.dtype
        return "float" if _FLOAT_NAMES.search(name) else "int"
    bare = leaf is None or (len(leaf.axes) == 1 and leaf.axes[0].group)
    if bare and not attributes:
        for kind, pattern in (("float", _FLOAT_NAMES), ("int", _INTEGER_NAMES)):
            if pattern.search(name):
                return kind
    if annotation and not _of_arrays(attributes) and not _SEQUENCE.search(annotation):
        return "object"
    return "array"


def _uses(
    node: ast.AST, path: tuple[str, ...]
) -> tuple[frozenset[str], frozenset[str], bool, bool]:
    """The attributes of a name that are read and those that are called, whether it is called
    itself, and whether it stands in a subscript."""
    attributes, called, is_called, indexes = set(), set(), False, False
    for inner in everything_in(node):
        if isinstance(inner, ast.Attribute) and dotted(inner.value) == path:
            attributes.add(inner.attr)
        elif isinstance(inner, ast.Call):
            where = dotted(inner.func)
            is_called |= where == path
            if where is not None and where[:-1] == path:
                called.add(where[-1])
        elif isinstance(inner, ast.Subscript):
            items = inner.slice.elts if isinstance(inner.slice, ast.Tuple) else [inner.slice]
            indexes |= any(dotted(item) == path for item in items)
    return frozenset(attributes), frozenset(called), is_called, indexes


def dotted(node: ast.AST) -> tuple[str, ...] | None:
    """``a.b.c`` as its names."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, ast.Name) else None


def _state(node: ast.FunctionDef, leaves: dict[str, Value], self: str) -> tuple[Parameter, ...]:
    """The attributes of self that a method reads."""
    found: dict[str, Parameter] = {}
    for inner in everything_in(node):
        path = dotted(inner)
        if path is None or len(path) < 2 or path[0] != self or path[1] in found:
            continue
        name = path[1]
        leaf = next((v for key, v in leaves.items() if key.split("@")[0] == f"self.{name}"), None)
        found[name] = describe(name, "", leaf, *_uses(node, (self, name)))
    return tuple(found.values())


# -- recipes


def recipes(signature: Signature, width: int = 0, limit: int = 160) -> Iterator[Recipe]:
    """Recipes to try, the likeliest first."""
    extras = (0, 1, 2, 3) if signature.open_ranks else (0,)
    seen = set()
    plans = [("aligned", PRIMES), ("distinct", PRIMES), ("aligned", EVENS), ("equal", (4,))]
    for library in signature.libraries:
        for policy, pool in plans:
            for extra in extras:
                made = Recipe(library, extra, policy, pool, width=width)
                seen.add(made)
                yield made
    for library in signature.libraries[:1]:
        yield Recipe(library, alternate=True, width=width)
    for seed in range(1, max(limit - len(seen), 40)):
        rng = random.Random(seed)
        yield Recipe(
            library=rng.choice(signature.libraries[:2]),
            extra=rng.choice(extras),
            policy=rng.choice(("aligned", "mostly", "distinct", "equal")),
            pool=rng.choice((PRIMES, EVENS)),
            seed=seed,
            optional=rng.random() < 0.3,
            alternate=rng.random() < 0.4,
            width=width,
        )


def variations(recipe: Recipe) -> Iterator[Recipe]:
    """Other inputs of the kind that has worked: unlike each other, to see different behaviour."""
    seed = recipe.seed
    yield replace(recipe, values="ties", draw=1)
    yield replace(recipe, values="ties", extra=recipe.extra + 2, draw=2)
    yield replace(recipe, values="unit", draw=3, strided=True)
    yield replace(recipe, extra=recipe.extra + 1, draw=4)
    for policy, pool in ((recipe.policy, recipe.pool), ("equal", (4,)), ("aligned", EVENS)):
        yield replace(recipe, policy=policy, pool=pool, draw=5, optional=True)
    yield replace(recipe, policy="mostly", seed=seed + 103)
    yield replace(recipe, pool=EVENS if recipe.pool == PRIMES else PRIMES, seed=seed + 105)
    yield replace(recipe, policy="distinct", seed=seed + 107)
    yield replace(recipe, broadcast=True, draw=6)
    for more in range(1, 17):
        policy = ("mostly", recipe.policy)[more % 2]
        yield replace(recipe, policy=policy, seed=seed + 200 + more, optional=more % 4 < 2)


TIES = ("ties", "counts")
VALUES = ("normal", "signed", "unit", "small")
"""Distributions in the order in which they are tried until the original's results are finite."""


# -- sizes


@dataclass
class Sizes:
    """A size for every extent, equal where the code makes them equal."""

    facts: Facts
    recipe: Recipe
    fixed: dict[Term, int] = field(default_factory=dict)
    most: dict[Term, int] = field(default_factory=dict)
    _known: dict[Term, int] = field(default_factory=dict)
    _keys: dict[object, int] = field(default_factory=dict)
    _members: dict[Term, list[Term]] = field(default_factory=dict)
    _active: set[Term] = field(default_factory=set)

    def __post_init__(self) -> None:
        for term, size in self.fixed.items():
            self._known.setdefault(self.facts.extent(term), size)
        for term in self.facts.extents:
            self._members.setdefault(self.facts.extent(term), []).append(term)

    def of(self, term: Term, key: object = None, owner: str = "") -> int:
        """The size of an extent; ``key`` names the place that free extents share."""
        term = self.facts.extent(term)
        if isinstance(term, Const):
            return int(term.value) if isinstance(term.value, (int, float)) else 1
        if term not in self._known:
            self._known[term] = self._solve(term, key, owner)
        return self._known[term]

    def _solve(self, term: Term, key: object, owner: str) -> int:
        self._active.add(term)
        try:
            if isinstance(term, Apply):
                found = self._arithmetic(term)
                if found is not None and found > 0:
                    return found
            for member in self._members.get(term, ()):
                # The class of `c` may hold `heads * width`: then those two decide.
                atoms = {self.facts.extent(t) for t in walk(member) if t is not member}
                if isinstance(member, Apply) and not atoms & self._active:
                    found = self._arithmetic(member)
                    if found is not None and found > 0:
                        return found
            return self._choose(term, key, owner)
        finally:
            self._active.discard(term)

    def _arithmetic(self, term: Apply) -> int | None:
        values = [self.of(arg) for arg in term.args]
        if term.op in ("add", "mul"):
            total = values[0]
            for value in values[1:]:
                total = total + value if term.op == "add" else total * value
            return total
        if len(values) == 2 and term.op in ("sub", "floordiv", "mod", "max", "min"):
            a, b = values
            if term.op in ("floordiv", "mod"):
                return (a // b if term.op == "floordiv" else a % b) if b else None
            return {"sub": a - b, "max": max(a, b), "min": min(a, b)}[term.op]
        return None

    def _choose(self, term: Term, key: object, owner: str) -> int:
        recipe = self.recipe
        rng = random.Random(f"{recipe.seed} {term}" if recipe.policy == "mostly" else recipe.seed)
        if recipe.policy == "equal":
            key = ""
        elif recipe.policy == "distinct" or key is None:
            key = str(term)
        elif recipe.policy == "mostly" and rng.random() < 0.3:
            # Some parameters differ from the others at one place.
            chooser = random.Random(recipe.seed)
            side = random.Random(f"{recipe.seed} {owner}").random() < 0.5
            key = (key, "differs") if side and chooser.random() < 0.8 else key
        if key not in self._keys:
            pool = [*recipe.pool]
            if recipe.seed:
                random.Random(recipe.seed).shuffle(pool)
            pool += [size for size in MORE if size not in pool]
            self._keys[key] = pool[len(self._keys) % len(pool)]
        size = self._keys[key] * recipe.scale
        if recipe.capped and term in self.most:
            size = min(size, max(self.most[term], self._keys[key]))
        return size


@dataclass(frozen=True)
class Shaped:
    """A parameter of a recipe: what is to be made for it."""

    parameter: Parameter
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    number: int | float | bool | None = None
    omitted: bool = False


def shapes(signature: Signature, recipe: Recipe, fixed: dict[Term, int]) -> list[Shaped]:
    """The shape of every array and the value of every number, by a recipe."""
    everything = [_decided(p, recipe) for p in (*signature.parameters, *signature.state)]
    arrays = [p for p in everything if p.kind == "array"]
    widest = max((len(p.lead) + len(p.tail) for p in arrays), default=0)
    axes = {p.name: _axes(p, recipe, widest) for p in arrays}
    facts = signature.facts
    sizes = Sizes(facts, recipe, fixed, _most(signature, list(axes.values())))
    rng = random.Random(recipe.seed)
    result = []
    for parameter in everything:
        if parameter.optional and not _offered(parameter, recipe):
            result.append(Shaped(parameter, omitted=True))
        elif parameter.nullable and recipe.alternate and rng.random() < 0.5:
            result.append(Shaped(parameter))
        elif parameter.kind == "array":
            shape = tuple(
                recipe.width
                if recipe.width and place == _wide_axis(recipe, len(axes[parameter.name]))
                and facts.extent(term) not in sizes._known
                else sizes.of(term, (len(axes[parameter.name]), place), parameter.name)
                for place, term in enumerate(axes[parameter.name])
            )  # fmt: skip
            dtype = parameter.dtype
            if recipe.alternate and rng.random() < 0.3:
                dtype = rng.choice(parameter.dtypes)
            result.append(Shaped(parameter, shape, dtype))
        else:
            result.append(Shaped(parameter, number=_number(parameter, recipe, sizes, rng)))
    if recipe.broadcast and signature.broadcasts:
        result = _one_axis_of_one(result, rng)
    return result


def _decided(parameter: Parameter, recipe: Recipe) -> Parameter:
    """A guessed number, or an array for a change: of any shape, or of one element."""
    if not parameter.guessed or not recipe.alternate:
        return parameter
    if random.Random(f"{recipe.seed} {parameter.name}").random() < 0.5:
        return replace(parameter, kind="array", exact=True, lead=(), tail=())
    return replace(parameter, kind="array")


def _most(signature: Signature, arrays: list[tuple[Term, ...]]) -> dict[Term, int]:
    """How large each extent may grow, by the places where it occurs."""
    facts = signature.facts
    most: dict[Term, int] = {}
    looped = set(map(facts.extent, signature.looped))
    free = set(looped)
    for terms in arrays:
        for place, term in enumerate(map(facts.extent, terms)):
            rank = len(terms)
            if place == 0 and rank >= 3:
                most.setdefault(term, BATCH)
            elif rank == 4 and place in (1, 3):
                most.setdefault(term, HEADS if place == 1 else FEATURES)
            else:
                free.add(term)
    first = {facts.extent(term) for term in arrays[0]} if arrays else set()
    limits = {term: limit for term, limit in most.items() if term not in free}
    if len(first) >= 3:
        limits.update(dict.fromkeys(free - first - looped, OTHERS))
    return limits


def _offered(parameter: Parameter, recipe: Recipe) -> bool:
    """Whether a parameter with a default is given all the same: all of them, or some."""
    if not recipe.optional or parameter.kind in ("text", "object"):
        return False
    return not recipe.seed or random.Random(f"{recipe.seed} {parameter.name}").random() < 0.6


def _wide_axis(recipe: Recipe, rank: int) -> int:
    """Where a built module's own width goes: the last axis, or the channels of an image."""
    return 1 if recipe.policy == "equal" and rank >= 3 else rank - 1


def _axes(parameter: Parameter, recipe: Recipe, widest: int) -> tuple[Term, ...]:
    if parameter.exact:
        return parameter.lead
    count = recipe.extra
    if not parameter.lead and not parameter.tail and widest:
        # Nothing is known: shaped as the widest of the others, unless told otherwise.
        count = widest + recipe.extra if not recipe.alternate else recipe.extra
    if not parameter.lead and not parameter.tail and not widest:
        count = (1, 2, 0, 3)[recipe.extra % 4]
    name = parameter.name
    middle = tuple(Symbol(f"{name}.shape[{len(parameter.lead) + k}]") for k in range(count))
    return (*parameter.lead, *middle, *parameter.tail)


def _one_axis_of_one(items: list[Shaped], rng: random.Random) -> list[Shaped]:
    """One extent of one array becomes 1, as broadcasting allows."""
    places = [n for n, item in enumerate(items) if item.shape]
    if not places:
        return items
    chosen = rng.choice(places)
    shape = list(items[chosen].shape or ())
    shape[rng.randrange(len(shape))] = 1
    changed = replace(items[chosen], shape=tuple(shape))
    return [changed if n == chosen else item for n, item in enumerate(items)]


def _number(
    parameter: Parameter, recipe: Recipe, sizes: Sizes, rng: random.Random
) -> int | float | bool | None:
    name = parameter.name
    if parameter.kind == "bool":
        return rng.random() < 0.5 if recipe.optional or recipe.alternate else False
    if parameter.kind == "float":
        return number_like(name, recipe.seed)
    if parameter.kind != "int":
        return None
    if _SIZES.search(name):
        return rng.choice((-1, 0, 1)) if recipe.alternate else -1
    if parameter.value is not None:
        term = Read(parameter.value, ())
        known = sizes.facts.extent(term)
        if known is not term or known in sizes._known or known in sizes._members:
            return sizes.of(term)
    small = rng.choice((1, 2, 3, 4)) if recipe.seed else 2
    return small if _HEADS.search(name) else small * (recipe.scale if recipe.capped else 1)


def number_like(name: str, seed: int = 0) -> float:
    """A number such as parameters of this name take."""
    if _SMALL.search(name):
        return 1e-5
    if _RATES.search(name):
        return 0.0
    return 0.9 if seed == 0 else round(random.Random(f"{seed} {name}").uniform(0.1, 0.95), 3)


def constructor_number(name: str, annotation: str, width: int) -> int | float | bool | None:
    """A value for an argument of a class that has no default; None where no number fits."""
    if annotation == "bool" or _FLAGS.search(name):
        return False
    if annotation == "float" or _SMALL.search(name) or _RATES.search(name):
        return number_like(name)
    if annotation in ("int", "") or "int" in annotation:
        return 2 if _HEADS.search(name) else width
    return None
