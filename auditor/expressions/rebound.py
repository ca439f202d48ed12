"""Expressions of values whose names were bound again on the way: ``x = self.head(x)``, of whose
rows few are used, can be said with the first ``x``, once that statement is gone."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from auditor.expressions.region import ExpressionRegion, Text
from auditor.expressions.removal import Removal
from auditor.notation import Value
from auditor.surroundings.restored import Restored


class ReboundRegion(ExpressionRegion):
    """An expression that is replaced by one of such values too. The new text must come with the
    names that its parts read, and be written where ``removal`` does not refuse."""

    @cached_property
    def restored(self) -> Restored:
        return Restored(self)

    def say(self, value: Value) -> Text | None:
        """``value`` as code at the expression, by a name that meant it before where none does."""
        return super().say(value) or self.restored.say(value)

    def source_text(self, node: ast.expr) -> Text | None:
        said = super().source_text(node)
        restored = {name for name, _ in self.restored.names}
        return None if said is None else replace(said, reads=said.reads - restored)

    def steady(self, values: Iterable[Value], said: Iterable[Text]) -> bool:
        names = (name for name, _ in self.restored.names)
        return super().steady(values, [*said, *(Text(name, frozenset({name})) for name in names)])

    def removal(
        self,
        replaced: Mapping[ast.expr, Text],
        alive: Iterable[ast.stmt] = (),
        loops: Iterable[ast.stmt] = (),
    ) -> Removal:
        """The statements that only served the replaced expressions, those among them that bound
        the names again. Raises ``Refused`` where one of these stays."""
        found = super().removal(replaced, {*alive, *self.restored.alive}, loops)
        self.restored.require_unbound(found.gone)
        return found
