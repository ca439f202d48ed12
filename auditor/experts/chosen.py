"""Products with a matrix that is zero but at the places of a top-k, as calls that gather what these
meet."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.experts.found import Product
from auditor.experts.layers import Holder
from auditor.experts.reading import Reader
from auditor.experts.spoken import Spoken
from auditor.experts.values import GATHERED
from auditor.rewrite import Site
from auditor.surroundings.region import Region
from auditor.verdict import Edit

_RANKS = (None, 1, 2, 3)


def chosen(site: Site, function: ast.FunctionDef) -> Iterator[Chosen]:
    """Such products of a function."""
    module, klass = site.lifted.module, site.lifted.lifter.klass
    holder = None if klass is None else Holder(module, klass)
    region, seen = Region(site.lifted), set[ast.AST]()
    for rank in _RANKS:
        reader = Reader(module, holder, {}, rank)
        reader.read(function)
        for product in reader.products:
            spelled = rank is None or _spelled(product.node)
            if product.node in seen or not (spelled or rank == 1):
                continue
            seen.add(product.node)
            yield Chosen(region, reader, product, None if spelled else rank)


def _spelled(node: ast.expr) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", "")) == "einsum"


class Chosen(Spoken):
    """A product, and the code around it."""

    def __init__(
        self, region: Region, reader: Reader, product: Product, supposed: int | None = None
    ) -> None:
        super().__init__(region, reader, product.names, product.statement)
        self.product = product
        self.supposed = supposed
        """How many axes the weights are taken to have before the last, where nothing says so."""

    def operands(self) -> tuple[str, str, str] | None:
        """The weights at the places, the places and the values as code."""
        gate = self.product.made.gate
        places, values = self.say(gate.places), self.say(self.product.made.values)
        if places is None or values is None or gate.places.layout != (*self.reader.leading, "k"):
            return None
        ways = (*gate.said, (gate, GATHERED))
        said = [(text, done) for thing, done in ways if (text := self.say(thing)) is not None]
        if not said:
            return None
        # what has a name is not computed again
        text, done = next((way for way in said if way[0].isidentifier()), said[0])
        return text + done.format(places=places), places, values

    def edits(self, text: str) -> list[Edit]:
        node = self.product.node
        return [*self.region.drops(self.unread(text, node)), self.region.replace(node, text)]
