"""What the rewrites of running values share: the loop, its one fold, and the match they end in."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from auditor.assumed import assuming
from auditor.folds.loop import Collected, Fold, FoldLoop
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.verdict import Edit

_WORDS = {"sum": "sum", "prod": "product", "max": "maximum", "min": "minimum",
          "logsumexp": "logsumexp"}  # fmt: skip


@dataclass
class Plan:
    """A loop with one fold, and where it keeps what it has so far. ``reasons`` are what is
    assumed."""

    site: Site
    region: Region
    loop: FoldLoop
    fold: Fold
    kept: Collected
    reasons: list[str] = field(default_factory=list)

    def require(self, holds: bool, condition: str, reason: str) -> None:
        """As ``Site.require``."""
        self.site.require(holds, condition, reason)

    def finish(self, edits: list[Edit], imports: tuple[tuple[str, str | None], ...] = ()) -> Match:
        """The match, with the counter of a ``while`` loop dropped where it can be."""
        region, loop, word = self.region, self.loop, self.fold.op
        if loop.counter_start is not None and isinstance(loop.node, ast.While):
            assert isinstance(loop.node.test, ast.Compare)
            name = ast.unparse(loop.node.test.left)
            binding = region.binding_before(loop.node, name)
            if binding is not None and binding.alone and binding.unread:
                edits.append(region.drop(loop.counter_start))
        return Match(
            span=region.module.span(loop.node),
            message=self._message(),
            computation=self.site.computation,
            edits=tuple(sorted(edits)),
            imports=imports,
            numerics="exact" if word in ("max", "min") else "reassociated",
            reason=assuming(self.reasons),
        )

    def told(self, why: str) -> Match:
        """What the loop keeps, where the code for it depends on what is not known."""
        span = self.region.module.span(self.loop.node)
        message = f"{self._message()}; not applied here: {why}"
        return Match(span, message, self.site.computation)

    def _message(self) -> str:
        return f"`{self.fold.name}` is a running {_WORDS[self.fold.op]}, kept at every step"

    def dropped(self, name: str) -> list[Edit]:
        """Drop the start's own statement, where it binds nothing else and is not read."""
        binding = self.region.binding_before(self.loop.node, name)
        if binding is None or not binding.alone or not binding.unread:
            return []
        return [self.region.drop(binding.statement)]
