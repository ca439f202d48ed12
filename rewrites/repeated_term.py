"""Equal costly terms of a function, computed once.

Finds a product, reduction, sort, exponential, softmax or solution of equations that is computed
where the same one certainly was: in the same statement, later in the block, in a branch or loop
below. Terms are equal by the operations and arrays they stand for, not by their text: through
names, views, helper functions of the file and other spellings (``a @ b``, ``torch.matmul``,
``einsum``). Numbers, shapes and arithmetic element by element are left alone.

Legal because both are the same function of the same values: what is equal over the reals only (a
softmax with and without its maximum) is not taken for the same.

Pays always: one of them is no work any more.

Safe means: the same values, gradients and errors. Nothing between the two changes what they read:
no write in place, under whatever name, and no call made for its effect or with it. Another call in
between (a step of training, of which only the loss is used) makes the fix unsafe where it may hold
what the terms read: an argument, an attribute, what was given to a call. The two results were two
objects and become one: neither is changed in place, and not both are returned or kept. A call that
may do anything with a result makes the fix unsafe, too, and so do values that leave the function
apart, one resting on the first term and one on the other: gradients of the two may be taken one
after the other, and would meet in one graph. So does a guess at how many axes arrays have, where
the two read other arrays; where they name the axes in different ways that is not guessed. Random
numbers are never shared. A linear layer, a convolution or a norm that the class makes is called
once for both where it has no hooks, which is left to the user.

Sources: Cocke, "Global common subexpression elimination" (1970); Alpern, Wegman and Zadeck,
"Detecting equality of variables in programs" (1988), for numbering values.
"""

from __future__ import annotations

import ast
import re

from auditor.again.apart import assumed_apart
from auditor.again.costly import costly_word
from auditor.again.places import (
    begins_line,
    certainly_evaluated,
    comes_first,
    line_before,
    new_name,
)
from auditor.again.results import separate_outputs
from auditor.again.terms import Terms, terms
from auditor.again.walked import walked_again
from auditor.arrays.facts import Arrays
from auditor.assumed import about_ranks, assuming
from auditor.lift import Module
from auditor.lift.own_layers import layers_in
from auditor.notation import Computation, Value
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.syntax import is_name, same
from auditor.tree import everything_in
from auditor.verdict import Edit, Verdict

_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.If, ast.For)
_CONTIGUOUS = ("matmul", "mm", "bmm", "mv", "dot", "linear")
_LAID = re.compile(r"einsum|tensordot|transpose|permute|\.T\b|\.mT\b|\.t\(|swapaxes|movedim|kron")


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    if not site.again or site.node is None:
        return None
    found = terms(site.lifted)
    group = found.groups.get(site.node)
    return None if group is None else _Sharing(site, found, group).match()


class _Sharing:
    """Equal terms, the first of which comes before the others."""

    def __init__(self, site: Site, found: Terms, group: list[ast.expr]) -> None:
        self.site, self.terms = site, found
        self.first, self.later = group[0], group[1:]
        self.statement = found.statement_of(self.first)

    def match(self) -> Match | None:
        site, terms, first = self.site, self.terms, self.first
        if not isinstance(self.statement, _SIMPLE):
            return None
        if not certainly_evaluated(terms, first, self.statement):
            return None
        self.later = [node for node in self.later if self._counted_alike(node)]
        if not self.later:
            return None
        steady = [node for node in self.later if not terms.disturbed(first, node)]
        if not steady:
            line = terms.disturbed(first, self.later[0])
            site.require(False, "effects", f"line {line} may change what both terms read")
            steady = self.later
        self.later = steady
        if any(terms.effects_in(n) or terms.strangers([n]) or terms.asks(n)
               for n in (first, *steady)):  # fmt: skip
            return None
        site.require(
            all(terms.withs(node) == terms.withs(first) for node in steady),
            "gradients",
            "the terms are computed under different `with` blocks",
        )
        doubts = self._doubts()
        edits = self._edits()
        if edits is None:
            return None
        lines = ", ".join(dict.fromkeys(str(node.lineno) for node in steady))
        message = f"`{terms.brief(first)}` is computed twice"
        if lines != str(first.lineno):
            shown = f"`{terms.brief(first)}` (line {first.lineno})"
            message = f"{shown} is computed again at line {lines}"
        return Match(
            span=terms.module.span(steady[0]),
            message=message,
            computation=self._computation(),
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            numerics="exact" if all(same(first, node) for node in steady) else "reassociated",
            safe=not doubts,
            reason="; ".join(doubts) or assuming([*self._apart(), *self._unchanging()]),
            covers=tuple(terms.module.span(node) for node in (first, *steady[1:])),
            gains={"any": 2.0},
            counted=True,
            verdicts={"redundancy": Verdict("holds", "structure", message)},
        )

    def _computation(self) -> Computation:
        """All of the equal terms, where they have notation."""
        values = [self.terms.values.get(node) for node in (self.first, *self.later)]
        known = tuple(v for v in values if isinstance(v, Value) and v.body is not None)
        whole = self.site.computation
        return Computation("expression", whole.scope, whole.span, known)

    def _doubts(self) -> list[str]:
        site, terms = self.site, self.terms
        every = [self.first, *self.later]
        uses = [terms.uses_of([node]) for node in every]
        changed = [line for one in uses for line in one.changed]
        site.require(
            not changed,
            "mutated",
            f"line {min(changed, default=0)} changes one of the results in place",
        )
        site.require(
            not self._leave() or self._number(),
            "identity",
            "two results leave the function, which would be one object",
        )
        apart = min((line for one in uses for line in one.told_apart), default=0)
        site.require(not apart, "identity", f"line {apart} asks which object a result is")
        odd = [node for node in every if not same(node, self.first)]
        laid = costly_word(terms.module, self.first) not in _CONTIGUOUS
        laid = laid and bool(_LAID.search(terms.module.source(self.first)))
        site.require(
            not odd or not laid,
            "layout",
            "the first result may lie in memory in another way, which a view of it would see",
        )
        doubts = []
        objects = terms.objects(self.first)
        if any(terms.objects(node) != objects for node in odd):
            doubts += [guess for guess in site.assumptions if about_ranks(guess)][:1]
        reached = [name for node in self.later if (name := terms.reached(self.first, node))]
        if reached:
            doubts.append(f"`{reached[0]}` must not change what `{terms.brief(self.first)}` reads")
        doubts += [f"`{name}` must have no hooks, which would run once" for name in
                   dict.fromkeys(layers_in(terms.module, self.first))]  # fmt: skip
        given = [call for one in uses for call in one.given]
        if given:
            name = terms.module.brief(given[0].func)
            doubts.append(f"`{name}` must not change in place what it is given")
        if terms.differentiated(self.first):
            groups = [[node] for node in every]
            if separate_outputs(terms.module, terms.lifted.node, groups):
                doubts.append("gradients of what leaves the function must not be taken one by one")
        return doubts

    def _counted_alike(self, node: ast.expr) -> bool:
        """Whether a term names axes as the first one does, or how many there are is known: only
        then are all of them the last one, say."""
        if _places(self.terms.module, node) == _places(self.terms.module, self.first):
            return True
        arrays = Arrays(self.terms)
        read = [self.terms.values.get(n) for n in everything_in(node) if isinstance(n, ast.expr)]
        return all(
            arrays.rank_of(value) is not None for value in read
            if isinstance(value, Value) and value.axes
        )  # fmt: skip

    def _apart(self) -> list[str]:
        """What is assumed of arrays from outside that are written between the terms."""
        terms, last = self.terms, self.later[-1]
        whole = [self.first, *self.later]
        apart = assumed_apart(terms, whole, terms.between(self.first, last))
        return [*apart, *walked_again(terms, [self.first])]

    def _leave(self) -> bool:
        """Whether several of the results leave the function, where one may be changed."""
        uses = (self.terms.uses_of([node]) for node in (self.first, *self.later))
        return sum(bool(one.leaves or one.kept) for one in uses) > 1

    def _unchanging(self) -> list[str]:
        """What must hold of a sum for it to be no array, which somebody may write into."""
        first = self.first
        summed = isinstance(first, ast.Call) and is_name(first.func, "sum")
        if not summed or not self._leave() or self.terms.is_number(first):
            return []
        return [f"`{self.terms.brief(first)}` is a number"]

    def _number(self) -> bool:
        """Whether the results are numbers of Python, which nothing can change."""
        called = self.first.func if isinstance(self.first, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in ("sum", "max", "min", "any", "all"):
            return True
        return self.terms.is_number(self.first)

    def _edits(self) -> list[Edit] | None:
        terms, first, statement = self.terms, self.first, self.statement
        name = self._named()
        replaced = [Edit(terms.without_brackets(node), name or "") for node in self.later]
        if name is not None:
            return replaced
        if not begins_line(terms, statement) or not comes_first(terms, first, statement):
            return None
        word = costly_word(terms.module, first) or "share"
        name = new_name(terms.lifted, word, first)
        text = terms.module.source(first)
        if "\n" in text or "#" in text:
            text = ast.unparse(first)
        edits = [Edit(terms.without_brackets(node), name) for node in (first, *self.later)]
        return [line_before(terms, statement, f"{name} = {text}"), *edits]

    def _named(self) -> str | None:
        """The name that the first term has wherever the others stand."""
        terms, statement = self.terms, self.statement
        if not isinstance(statement, ast.Assign) or statement.value is not self.first:
            return None
        (target, *others) = statement.targets
        if others or not isinstance(target, ast.Name):
            return None
        if terms.candidates.single.get(target.id) is not statement:
            return None
        return None if target.id in terms.module.shared_names else target.id


def _places(module: Module, node: ast.AST, seen: frozenset[str] = frozenset()) -> list[str]:
    """The axes and places that an expression names by numbers, colons and dots, in the functions
    of the file that it calls as well."""
    found: list[str] = []
    for part in everything_in(node):
        number = isinstance(part, ast.Constant) and not isinstance(part.value, str)
        if number or isinstance(part, (ast.USub, ast.Slice)):
            found.append(ast.dump(part))
        elif isinstance(part, ast.Name) and part.id in module.functions.keys() - seen:
            found += _places(module, module.functions[part.id].body[-1], seen | {part.id})
    return sorted(found)


_BEFORE = """\
import torch


def doubt(x: torch.Tensor, w: torch.Tensor):
    p = torch.softmax(x @ w, dim=-1)
    entropy = -(p * torch.log(p + 1e-6)).sum(dim=-1)
    return entropy - torch.matmul(x, w).softmax(-1).amax(dim=-1)
"""

_AFTER = _BEFORE.replace("torch.matmul(x, w).softmax(-1)", "p")

_SAME = """\
import torch


def gate(x: torch.Tensor, y: torch.Tensor, g: torch.Tensor):
    return (1 - torch.sigmoid(g)) * x + torch.sigmoid(g) * y
"""

_SAME_AFTER = """\
import torch


def gate(x: torch.Tensor, y: torch.Tensor, g: torch.Tensor):
    sigmoid = torch.sigmoid(g)
    return (1 - sigmoid) * x + sigmoid * y
"""

_SOLVED = """\
import numpy as np


def spectrum(a: np.ndarray):
    values = np.linalg.eigvalsh(a)
    spread = values[-1] - values[0]
    return spread / np.linalg.eigvalsh(a).sum()
"""

_SOLVED_AFTER = _SOLVED.replace("np.linalg.eigvalsh(a).sum()", "values.sum()")

REWRITE = Rewrite(
    code="RED502",
    name="repeated-term",
    summary="the same costly term is computed once",
    doc=__doc__,
    properties=("redundancy",),
    find=find,
    seeks=("again",),
    becomes="term = ...; ... term ... term ...",
    examples=(
        Example("one softmax in two spellings", _BEFORE, _AFTER,
                "((torch.randn(3, 4), torch.randn(4, 5)), (torch.ones(1, 1), torch.ones(1, 1)))"),
        Example("twice in one expression", _SAME, _SAME_AFTER,
                "((torch.randn(3), torch.randn(3), torch.randn(3)),)"),
        Example("eigenvalues", _SOLVED, _SOLVED_AFTER,
                "((np.diag([1.0, 2.0, 4.0]),), (np.ones((1, 1)),))"),
    ),
    refused=(
        RefusedExample("effects", _SOLVED.replace("    spread", "    refresh(a)\n    spread")),
        RefusedExample("mutated", _SOLVED.replace(
            "    return", "    values -= values[0]\n    return")),
        RefusedExample("identity", _SOLVED.replace(
            "spread / np.linalg.eigvalsh(a).sum()", "values, np.linalg.eigvalsh(a)")),
        RefusedExample("gradients", _BEFORE.replace(
            "    return entropy - torch", "    with torch.no_grad():\n"
            "        return entropy - torch")),
        RefusedExample("layout", _BEFORE.replace("x @ w", 'torch.einsum("kj,ik->ij", w, x)')),
    ),
    unmatched=(
        _SOLVED.replace("np.linalg.eigvalsh(a).sum()", "np.linalg.eigvalsh(a + 1).sum()"),
        _SOLVED.replace("    spread", "    a = a * 2\n    spread"),
        _SAME.replace("torch.sigmoid(g)", "(g * 2)"),
        _SAME.replace("torch.sigmoid(g)", "torch.rand_like(g)"),
        _BEFORE.replace("torch.matmul(x, w)", "torch.matmul(x + 1, w)"),
        _BEFORE.replace("torch.matmul(x, w).softmax(-1)", "torch.matmul(x, w.T).softmax(-1)"),
        _AFTER,
    ),
    again=True,
)  # fmt: skip
