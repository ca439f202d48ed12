"""A mixture that was read, as a call that runs the chosen experts: what is said of its operands
where it stands, which statements go, and what speaks against it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.experts.composed import functions
from auditor.experts.each_row import Doubt, doubt_of
from auditor.experts.found import Found
from auditor.experts.layers import Holder, Layers
from auditor.experts.over_experts import puts
from auditor.experts.reading import Reader
from auditor.experts.spoken import Spoken, stored
from auditor.experts.values import Expert, Matrices, Places, Plain, Routing, Slots
from auditor.lift.module import ClassScope
from auditor.notation import Value
from auditor.rewrite import Site
from auditor.surroundings.purity import is_pure
from auditor.surroundings.region import Region
from auditor.tree import everything_in
from auditor.verdict import Edit

_RANKS = (None, 1, 2, 3)


def mixtures(site: Site, klass: ClassScope | None, method: ast.FunctionDef) -> Iterator[Mixed]:
    """The mixtures of experts that a function computes: of lists of modules, which a class holds,
    or of arrays."""
    module = site.lifted.module
    holder = None if klass is None else Holder(module, klass)
    holds = "ModuleList" in module.text or "ModuleDict" in module.text
    listed = _attributes(method) if holder is not None and holds else []
    made = {} if holder is None else {name: holder.layers(name) for name in listed}
    held = {name: layers for name, layers in made.items() if layers is not None}
    if not held and "einsum" not in module.source(method):
        return
    region, seen = Region(site.lifted), set[ast.AST]()
    for rank in _RANKS:
        reader = Reader(module, holder, held, rank)
        for found in reader.read(method):
            mixed = Mixed(site, region, reader, found)
            if found.node in seen or not mixed.fits():
                continue
            seen.add(found.node)
            yield mixed


def _attributes(method: ast.FunctionDef) -> list[str]:
    return list(dict.fromkeys(
        node.attr for node in everything_in(method)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    ))  # fmt: skip


def _walked(name: str, layers: Layers) -> str:
    """The modules that an attribute holds, as what is walked."""
    return f"self.{name}" if layers.keys is None else f"self.{name}.values()"


def far_above(low: str) -> str:
    """What a finite number that stands for minus infinity supposes."""
    return f"a score that is chosen lies far above {low}"


class Mixed(Spoken):
    """A mixture, and the code around it."""

    def __init__(self, site: Site, region: Region, reader: Reader, found: Found) -> None:
        super().__init__(region, reader, found.names, found.statement)
        self.found = found
        self.assumed: list[str] = []

    def fits(self) -> bool:
        """Whether it is a mixture of chosen experts whose axes lie as was supposed."""
        mixture = self.found.mixture
        routing = mixture.routing
        if routing is None or not isinstance(mixture.tokens, Plain):
            return False
        if mixture.stack is not None and not mixture.stack.whole:
            return False
        if routing.gate is not None and routing.gate.tied:
            return False
        if routing.gate is not None and routing.gate.low:
            self.assumed.append(far_above(routing.gate.low))
        if routing.width is not None:
            self.assumed.append(f"an expert gives `{ast.unparse(routing.width)}` numbers a token")
        return self._ranks_agree()

    def _ranks_agree(self) -> bool:
        rank = self.reader.rank
        if rank is None:
            return True
        if self.found.mixture.stack is not None:  # the letters of `einsum` say it of the tokens
            self._routed_by_tokens(rank)
            return True
        known = self._known_rank()
        if known is not None:
            return known == rank + 1
        said = self.say(self.found.mixture.tokens)
        self.assumed.append(f"`{said}` has {rank + 1} axes")
        return said is not None

    def _routed_by_tokens(self, rank: int) -> None:
        """Assume that the places have the axes of the tokens and one more, which a product with an
        array that may be a stack of matrices does not say."""
        routing = self.found.mixture.routing
        assert routing is not None
        held = self.region.scope(self.found.statement)
        for name, thing in self.found.names.items():
            value = held.get(name)
            if thing is routing.places and isinstance(value, Value) and (
                any(axis.group for axis in value.axes)
            ):  # fmt: skip
                self.assumed.append(f"`{name}` has {rank + 1} axes")

    def _known_rank(self) -> int | None:
        """How many axes the tokens have, where the code says so."""
        for name, thing in self.found.names.items():
            if thing is self.found.mixture.tokens:
                held = self.region.scope(self.found.statement).get(name)
                stated = self.region.lifted.facts.assumptions
                if isinstance(held, Value) and held.name not in stated:
                    if not any(axis.group for axis in held.axes):
                        return len(held.axes)
        return None

    # -- what is said

    def operands(self) -> tuple[str, str, str, str] | None:
        """The experts, the tokens, the places and the weights as code. Experts that are arrays are
        said by the first of them."""
        mixture, routing = self.found.mixture, self.found.mixture.routing
        assert routing is not None
        tokens, places = self.say(mixture.tokens), self._places(routing.places)
        weights = None if places is None else self._weights(routing, places)
        if tokens is None or places is None or weights is None:
            return None
        stack = mixture.stack
        experts = self._modules() if stack is None else self._matrices(stack.first)
        return None if experts is None else (experts, tokens, places, weights)

    def _modules(self) -> str | None:
        """The list of modules, or of functions that call modules of several."""
        mixture, held = self.found.mixture, self.reader.held
        walked = {name: _walked(name, held[name]) for name in mixture.lists}
        if mixture.composed is not None:
            return functions(mixture.composed, walked)
        keyed = held[mixture.of].keys is not None
        return f"list({walked[mixture.of]})" if keyed else walked[mixture.of]

    def options(self) -> str | None:
        """What a call of experts that are arrays is told besides its operands."""
        stack = self.found.mixture.stack
        assert stack is not None
        said = ""
        if stack.last is not None:
            last = self._matrices(stack.last)
            if last is None:
                return None
            said = f", {last}"
        if stack.gate is not None:
            gate = self._matrices(stack.gate)
            if gate is None:
                return None
            said += f", w_gate={gate}"
        return f"{said}, activation={stack.activation}" if stack.activation else said

    def _matrices(self, matrices: Matrices) -> str | None:
        if isinstance(matrices.held.node, ast.Attribute) and any(
            isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
            and node.attr == matrices.held.node.attr for node in self.region.nodes
        ):  # fmt: skip
            return None  # bound again
        said = self.say(matrices.held)
        return said if said is None or not matrices.turned else f"{said}.mT"

    def _places(self, places: Places) -> str | None:
        said = self.say(places) or (None if places.of is None else self.say(places.of))
        if said is None or places.layout == (*self.reader.leading, "k"):
            return said
        return f"{said}.unsqueeze(-1)" if places.layout == self.reader.leading else None

    def _weights(self, routing: Routing, places: str) -> str | None:
        if routing.weights is None and routing.gate is None:
            tokens = self.say(self.found.mixture.tokens)
            if routing.widened and tokens is not None and not self._wide(tokens):
                self.assumed.append(f"`{tokens}` is no narrower than float32")
            if not isinstance(self.found.node, ast.For):
                self.assumed.append(f"the experts give numbers of the type of `{tokens}`")
            return f"torch.ones_like({places}, dtype={tokens}.dtype)" if self._torch() else None
        if routing.weights is not None:
            said = self.say(routing.weights)
            beside = routing.weights
            if isinstance(beside, Slots) and beside.layout == self.reader.leading:
                said = None if said is None else f"{said}.unsqueeze(-1)"
            if routing.widened and said is not None and not self._wide(said):
                self.assumed.append(f"`{said}` is no narrower than float32")
            return said
        gate = routing.gate
        if gate is None or gate.layout != (*self.reader.leading, "n") or not gate.places.distinct:
            return None
        said = self.say(gate)
        return None if said is None else f"{said}.gather(-1, {places})"

    def _torch(self) -> bool:
        return self.module.names.get("torch") == "torch"

    def _wide(self, name: str) -> bool:
        held = self.region.scope(self.found.statement).get(name)
        return isinstance(held, Value) and held.dtype in ("float32", "float64")

    def doubt(self) -> Doubt | None:
        """What may go wrong where the modules see some of the rows only."""
        if self.found.mixture.stack is not None:
            return None
        holder = self.reader.holder
        assert holder is not None
        for name in self.found.mixture.lists:
            layers = holder.layers(name)
            assert layers is not None
            doubt = doubt_of(holder, layers)
            if doubt is not None:
                return doubt
        return None

    # -- what goes

    @property
    def goes(self) -> tuple[ast.stmt, ...]:
        """The statements of which nothing is left."""
        return self.found.chain

    def elsewhere(self) -> str | None:
        """What uses the experts' results besides the mixture."""
        found, region = self.found, self.region
        whole = (found.node, *found.chain)
        for statement in found.chain:
            for name in stored(statement):
                for load in region.loads.get(name, []):
                    if not any(region.within(load, part) for part in whole):
                        if load.lineno > statement.lineno:
                            return f"`{name}` is also used at line {load.lineno}"
        if isinstance(found.node, ast.For):
            left = set(stored(found.node)) - self._total_name()
            for name in sorted(left):
                for load in region.loads.get(name, []):
                    if load.lineno > found.node.lineno and not region.within(load, found.node):
                        return f"`{name}` of the loop is also used at line {load.lineno}"
        return None

    def _total_name(self) -> set[str]:
        total = self.found.total
        put = None if total is None else puts(total)
        if put is not None:
            return {put[0]}
        return set(stored(total)) if total is not None else set()

    def effect(self) -> str | None:
        """What the code that goes does besides computing what the experts give."""
        parts: list[ast.AST] = [*self.found.chain, self.found.node]
        for part in parts:
            for call in everything_in(part):
                if not isinstance(call, ast.Call) or is_pure(self.module, call):
                    continue
                if isinstance(call.func, ast.Name) and call.func.id in _PLAIN:
                    continue
                if isinstance(call.func, ast.Attribute) and call.func.attr in _PLAIN_METHODS:
                    continue
                if not self._applies(call):
                    return f"`{self.module.brief(call, 40)}` may do more than compute"
        return None

    def _applies(self, call: ast.Call) -> bool:
        """``expert(x)``, ``self.experts[i](x)``."""
        function = call.func
        if isinstance(function, ast.Subscript):
            held = function.value
            return isinstance(held, ast.Attribute) and held.attr in self.found.mixture.lists
        return isinstance(function, ast.Name) and isinstance(
            self.reader.read_as.get(function), Expert
        )

    def other_context(self) -> bool:
        """Whether the experts run in another block than the one that the mixture stands in."""
        found, block = self.found, self.region.siblings(self.found.statement)
        return found.mixture.around is not found.around or any(
            self.region.siblings(statement) is not block for statement in found.chain
        )

    def edits(self, call: str) -> list[Edit]:
        found, region = self.found, self.region
        text = call
        if isinstance(found.node, ast.For):
            total = found.total
            assert total is not None
            (name,) = self._total_name()
            grown = isinstance(total, ast.Assign) and isinstance(total.targets[0], ast.Name)
            text = f"{name} {f'= {name} +' if grown else '+='} {call}"
        gone = region.drops([*found.chain, *self.unread(text, found.node, found.chain)])
        if isinstance(found.node, ast.For):
            return [*gone, region.replace_lines(found.node, [text])]
        return [*gone, region.replace(found.node, text)]


_PLAIN = frozenset(("zip", "enumerate", "range", "len", "int"))
_PLAIN_METHODS = frozenset(
    (
        "append",
        "values",
        "items",
        "unbind",
        "split",
        "type_as",
        "mul",
        "bmm",
        "eq",
        "cat",
        "stack",
        "expand",
        "repeat",
        "index_add_",
        "numel",
        "item",
        "nonzero",
    )
)
