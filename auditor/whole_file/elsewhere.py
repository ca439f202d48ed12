"""What a file does elsewhere that shows what a fix changes here: functions of a library that it
replaces, hooks on modules, regions of other precision, code that runs where an attribute is set."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from auditor.lift.module import Module
from auditor.lift.objects import Instance, Named
from auditor.lift.tables import computes
from auditor.rewrite import Match, Site
from auditor.syntax import called_name, constant, is_name
from auditor.tree import everything_in

_WORD = re.compile(r"[A-Za-z_]\w*")


def replaced_function(site: Site, match: Match) -> str | None:
    """A function or method of a library that the file replaces and the old or the new code names:
    other spellings of it (``x.softmax``, ``F.softmax``) may run what was put there too."""
    module = site.lifted.module
    if not module.patched:
        return None
    told = " ".join([*(edit.content for edit in match.edits), *_old(module, match)])
    words = set(_WORD.findall(told))
    for path in sorted(module.patched):
        name = path.rpartition(".")[2]
        if name in words and (computes(path) or path.startswith("torch.Tensor.")):
            return f"the file sets `{path}`"
    return None


def _old(module: Module, match: Match) -> list[str]:
    return [module.slice(edit.span) for edit in match.edits]


def doubts(site: Site, match: Match) -> list[str]:
    """Why a fix is not safe in this file, whatever is around its place."""
    if not match.edits:
        return []
    found = (
        _hooked(site, match),
        _other_precision(site, match),
        _watched(site, match),
        _recorded(site, match),
        _held(site, match),
        _may_be_missing(site, match),
    )
    return [doubt for doubt in found if doubt is not None]


def _hooked(site: Site, match: Match) -> str | None:
    """A module of a library that is called less often, where hooks may count its calls."""
    lifter, module = site.lifted.lifter, site.lifted.module
    if not module.hooks:
        return None
    spans = [edit.span for edit in match.edits]
    new = "".join("".join(edit.content for edit in match.edits).split())
    once = site.loop is None and not site.again
    lost: Counter[str] = Counter()
    for node in everything_in(site.lifted.node):
        if isinstance(node, ast.Call) and isinstance(lifter.values.get(node.func), Instance):
            if any(span.covers(module.span(node)) for span in spans):
                called = "".join(module.source(node).split())
                lost[called] += 1
                if not once or new.count(called) < lost[called]:
                    seen = module.brief(node.func, 40)
                    return f"the file puts hooks on modules, which see the call of `{seen}`"
    return None


_CALLED = re.compile(r"\.(\w+)\(")
_ASKED = re.compile(r"""\bhasattr\([^()]+,\s*["'](\w+)["']\)""")


def _may_be_missing(site: Site, match: Match) -> str | None:
    """An operation that the file asks for before it uses it: an older library lacks it."""
    module = site.lifted.module
    asked = {*_ASKED.findall(module.text)}
    if not asked:
        return None
    used = {name for edit in match.edits for name in _CALLED.findall(edit.content)}
    old = {name for edit in match.edits for name in _CALLED.findall(module.slice(edit.span))}
    new = sorted(asked & (used - old))
    return f"the file asks whether there is a `{new[0]}`" if new else None


_OPERATION = re.compile(r"\.\w+\(|@|\*\*")


def _other_precision(site: Site, match: Match) -> str | None:
    """Operations of torch under ``autocast`` somewhere: each has a dtype of its own there. What is
    computed again is computed by the same operations, and builtins add and compare as loops do."""
    module = site.lifted.module
    if not match.imports and not any(_OPERATION.search(edit.content) for edit in match.edits):
        return None
    if site.again or not module.autocast:
        return None
    outputs = site.computation.outputs
    if outputs and all(value.library in ("numpy", "python") for value in outputs):
        return None
    if "torch" not in {path.partition(".")[0] for path in module.names.values()}:
        return None
    return "the file uses autocast, under which other operations give other dtypes"


def _watched(site: Site, match: Match) -> str | None:
    """An attribute that the old code sets, where setting one of that name may run code."""
    module, klass = site.lifted.module, site.lifted.lifter.klass
    spans = [edit.span for edit in match.edits]
    for node in everything_in(site.lifted.node):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if any(span.covers(module.span(node)) for span in spans):
                own = klass.node if klass is not None and is_name(node.value, "self") else None
                for one in module.setters(node.attr, own):
                    return f"setting `{module.source(node)}` may run code of `{one.name}`"
    return None


def _recorded(site: Site, match: Match) -> str | None:
    """Warnings that are kept, of which a loop gives one a step and what takes its place one."""
    module = site.lifted.module
    for node in everything_in(site.lifted.node):
        if isinstance(node, ast.With) and module.span(node).covers(match.span):
            if any(_keeps_warnings(item.context_expr) for item in node.items):
                return f"line {node.lineno} records warnings, and there may be fewer of them"
    return None


def _keeps_warnings(context: ast.expr) -> bool:
    if not isinstance(context, ast.Call) or called_name(context) != "catch_warnings":
        return False
    records = (word.value for word in context.keywords if word.arg == "record")
    return any(constant(value) is not False for value in records)


def _held(site: Site, match: Match) -> str | None:
    """A function that an object holds, as ``self.inverse = np.linalg.inv`` keeps one, and the new
    code does not call: it is held there to be set to another."""
    module, values = site.lifted.module, site.lifted.lifter.values
    new = "".join(" ".join(edit.content for edit in match.edits).split())
    for call in _calls_gone(site, match):
        function = values.get(call.func)
        if isinstance(call.func, ast.Attribute) and isinstance(function, Named):
            holder = values.get(call.func.value)
            ours = isinstance(holder, Named) and holder.path == "self"
            if (
                ours
                and not function.path.startswith("self.")
                and "".join(module.source(call).split()) not in new
            ):
                return f"`{module.source(call.func)}` may be set to another function"
    return None


def _calls_gone(site: Site, match: Match) -> Iterator[ast.Call]:
    """The calls in the old code, and in what gave a value to names that only the old code reads."""
    module, nodes = site.lifted.module, everything_in(site.lifted.node)
    kept = set(_WORD.findall(" ".join(edit.content for edit in match.edits)))
    for node in nodes:
        if isinstance(node, ast.Call):
            if any(edit.span.covers(module.span(node)) for edit in match.edits):
                yield node
    gone = set(_WORD.findall(" ".join(_old(module, match)))) - kept
    given = [node for node in nodes if isinstance(node, ast.Assign)]
    waiting = [*gone]
    for name in waiting:  # grows while it is walked
        for node in given:
            if any(is_name(target, name) for target in node.targets):
                inside = everything_in(node.value)
                yield from (inner for inner in inside if isinstance(inner, ast.Call))
                more = {inner.id for inner in inside if isinstance(inner, ast.Name)} - kept - gone
                gone |= more
                waiting += more
