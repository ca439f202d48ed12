"""The finite number that masked scores are replaced by, as it is said at a call."""

from __future__ import annotations

import ast

from auditor.attention.operands import OperandRegion
from auditor.attention.reading import Filled, as_limit, limit
from auditor.expressions.region import Text, text_of
from auditor.notation import Const, Read, Term, Value
from auditor.rewrite import Refused
from auditor.tree import everything_in
from auditor.writing.layout import literal


class FillRegion(OperandRegion):
    """Attention at an expression some of whose scores a number replaces."""

    def finite(self, mask: Filled) -> Text:
        """The number that masked scores are replaced by, as it is said at the statement."""
        return self._literal(mask) or self._told_limit(mask) or self._fill(mask.fill)

    def _literal(self, mask: Filled) -> Text | None:
        """The number as the code writes it."""
        node = self._filling(mask)
        if not isinstance(mask.fill, Const) or node is None:
            return None
        for given in (*node.args, *(word.value for word in node.keywords)):
            try:
                if ast.literal_eval(given) == mask.fill.value:
                    return text_of(self.one_line(given))
            except (ValueError, TypeError):
                continue
        return None

    def _filling(self, mask: Filled) -> ast.Call | None:
        """The call that fills in the number, in place or not."""
        if mask.at is None:
            return None
        nodes = [node for node in self.nodes if isinstance(node, ast.Call)]
        filling = self.origin(mask.at) or next(
            (node for node in nodes if self.module.span(node) == mask.at.span), None
        )
        return filling if isinstance(filling, ast.Call) else None

    def _told_limit(self, mask: Filled) -> Text | None:
        """A limit of the scores' dtype that a function of the file tells, asked of the queries."""
        node = self._filling(mask)
        if node is None or not limit(mask.fill) or self.found.score_casts:
            return None
        scores, query = {value.name for value in self.found.opened.values}, self._query_name()
        for given in (*node.args, *(word.value for word in node.keywords)):
            if isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and query:
                asked = [arg.id for arg in given.args if isinstance(arg, ast.Name)]
                alone = len(asked) == len(given.args) == 1 and not given.keywords
                if alone and asked[0] in scores and given.func.id in self.module.functions:
                    text = f"{given.func.id}({query})"
                    return Text(text, frozenset((given.func.id, query)))
        return None

    def _fill(self, term: Term) -> Text:
        """The number that masked scores are replaced by."""
        if isinstance(term, Const):
            return text_of(literal(term.value))
        text, term = None, as_limit(term)
        if isinstance(term, Read):
            made = term.value.uid  # a tensor that was made of it kept that
            known = (value for value in self.origins if isinstance(value, Value))
            node = next((self.origin(value) for value in known if value.uid == made), None)
            if node is not None:
                text = self._retyped(node)
            text = text or self.say(term.value)
        text = text or self.number(term)
        if text is None:
            raise Refused("fill", f"the fill `{term}` cannot be said at the call")
        return text

    def _retyped(self, node: ast.expr) -> Text | None:
        """The text of a number that asks the scores for their dtype, which the queries have."""
        scores = {value.name for value in self.found.opened.values}
        source = self.one_line(node)
        tree = ast.parse(source, mode="eval").body
        query = self._query_name()
        changed = False
        for inner in everything_in(tree):
            if isinstance(inner, ast.Attribute) and inner.attr in ("dtype", "device"):
                base = inner.value
                if isinstance(base, ast.Name) and base.id in scores and query is not None:
                    base.id, changed = query, True
        if not changed or self.found.score_casts:
            return None
        return text_of(ast.unparse(tree))

    def _query_name(self) -> str | None:
        text, _ = self.query()
        return text.text if text.named else None
