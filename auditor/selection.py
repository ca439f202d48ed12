"""Which rules are on: by code (ASC101), prefix (ASC, ASC1) or name (linear-recurrence)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

EVERY_RULE = "ALL"
_CODE = re.compile(r"[A-Z]{3}\d{0,3}\Z")


class UnknownRule(ValueError):
    """A selector that names no rule; its text is one line for the user."""

    def __init__(self, selector: str, rules: Sequence[Rule]) -> None:
        super().__init__(f"no rule {selector!r}{_suggestion(selector, rules)}")
        self.selector = selector


@dataclass(frozen=True)
class Rule:
    """What selection needs to know of a rewrite."""

    code: str
    name: str


def specificity(selector: str, rule: Rule) -> int:
    """How exactly ``selector`` names ``rule``: 0 not at all, more for a longer prefix."""
    if selector == EVERY_RULE:
        return 1
    if selector.lower() == rule.name:
        return 100
    prefix = selector.upper()
    return 1 + len(prefix) if _CODE.match(prefix) and rule.code.startswith(prefix) else 0


def enabled(rule: Rule, select: Iterable[str], ignore: Iterable[str]) -> bool:
    """Whether ``rule`` is on: the more exact selector decides, and ``ignore`` wins a tie."""
    wanted = max((specificity(selector, rule) for selector in select), default=0)
    unwanted = max((specificity(selector, rule) for selector in ignore), default=0)
    return wanted > unwanted


def check_selectors(selectors: Iterable[str], rules: Sequence[Rule]) -> None:
    """Raise ``UnknownRule`` for the first selector that no rule answers to."""
    for selector in selectors:
        if selector != EVERY_RULE and not any(specificity(selector, rule) for rule in rules):
            raise UnknownRule(selector, rules)


def find_rule(selector: str, rules: Sequence[Rule]) -> Rule:
    """The one rule that ``selector`` names in full."""
    for rule in rules:
        if selector.upper() == rule.code or selector.lower() == rule.name:
            return rule
    raise UnknownRule(selector, rules)


def _suggestion(selector: str, rules: Sequence[Rule]) -> str:
    known = {rule.code.lower(): rule.code for rule in rules} | {r.name: r.name for r in rules}
    near = difflib.get_close_matches(selector.lower(), known, n=1)
    return f" (did you mean {known[near[0]]}?)" if near else " ('audit catalog' lists them)"
