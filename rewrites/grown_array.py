"""Arrays that a loop makes longer by joining them with what is new.

Finds ``out = np.append(out, x)``, ``out = np.concatenate([out, part])``, ``np.vstack``,
``torch.cat((out, h[None]))`` and the like in loops, at either end, in one or both branches of a
choice, in loops within loops, where the loop has no other use for the array: what is new is kept
in a list, and all of it joined once behind the loop.

Legal because joining is associative: the parts one after the other are the same whichever are
joined first.

Pays with the length: n steps copy n (n + 1) / 2 parts instead of n.

Safe means the same elements and the same type, the list keeping each part itself: a part whose
memory the loop writes to later is refused, and where what it calls may do so, the fix is unsafe. Of
parts of several types NumPy may find another common type where it takes them all at once; where the
array does not begin as one of 64 bits the fix says that it assumes one type. Where the loop makes
no step the array is a copy of what it was before: the fix is unsafe unless that is a new array of
the right shape anyway, which nothing else holds.

Sources: the documentation of ``numpy.append`` and ``numpy.concatenate``; van der Walt, Colbert and
Varoquaux, "The NumPy Array" (2011).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.again.aliases import aliases
from auditor.again.grown import Grown, grown, mentions
from auditor.again.places import begins_line, new_name
from auditor.assumed import assuming
from auditor.lift.call_effects import Does, does
from auditor.lift.managers import swallows
from auditor.notation import Span, Value
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region
from auditor.syntax import is_name
from auditor.tree import ancestors, descendants
from auditor.verdict import Edit, Verdict

_LISTED = re.compile(r"(?i)list|tuple|sequence|array|tensor|dict|mapping|set|str|bytes")
_WIDEST = ("float", "float64", "complex", "complex128", "int", "int64")


def find(site: Site) -> Match | None:
    """The match of a loop, or None. Raises ``Refused``."""
    if site.loop is None or not isinstance(site.loop.node, (ast.For, ast.While)):
        return None
    loop, region = site.loop.node, Region(site.lifted)
    found = [
        one for one in grown(region.module, loop)
        if _outermost(region, loop, one.name) and not _caught(region, loop, one)
    ]  # fmt: skip
    return _Collected(site, region, loop).match(found) if found else None


def _outermost(region: Region, loop: ast.stmt, name: str) -> bool:
    """Whether no loop around does nothing else with an array either."""
    own = mentions(loop, name)
    return not any(
        isinstance(at, (ast.For, ast.While)) and mentions(at, name) == own
        for at in ancestors(loop, region.parents)
    )


def _caught(region: Region, loop: ast.stmt, one: Grown) -> bool:
    """Whether what a join raises may be caught, and the loop go on with what there is so far; or a
    step joins in another context (``torch.no_grad()``) than stands behind the loop."""
    return any(
        isinstance(at, ast.Try)
        or swallows(region.module, at)
        or (isinstance(at, ast.With) and region.within(at, loop))
        for join in one.joins
        for at in ancestors(join.statement, region.parents)
    )


def _of_self(node: ast.AST) -> bool:
    """``self.step()``, ``self.parts.step()``."""
    if not isinstance(node, ast.Call):
        return False
    at = node.func
    while isinstance(at, ast.Attribute):
        at = at.value
    return is_name(at, "self")


def _walked(walked: ast.expr) -> Iterator[ast.Name]:
    """The names of what a loop walks, through ``zip``, ``enumerate`` and the like."""
    if isinstance(walked, ast.Call) and isinstance(walked.func, ast.Name):
        if walked.func.id != "range":
            for given in walked.args:
                yield from _walked(given)
    elif isinstance(walked, ast.Name):
        yield walked


class _Collected:
    """The arrays of one loop, each kept as a list of its parts."""

    def __init__(self, site: Site, region: Region, loop: ast.For | ast.While) -> None:
        self.site, self.region, self.loop = site, region, loop
        self.assumed: list[str] = []
        self.doubts: list[str] = []

    def match(self, found: list[Grown]) -> Match | None:
        region, loop = self.region, self.loop
        end = (loop.end_lineno or loop.lineno) + 1
        if not begins_line(region, loop) or loop.body[0].lineno == loop.lineno:
            return None
        if self._yields() or not region.module.lines[end - 2].endswith("\n"):
            return None
        edits = [edit for one in found for edit in self._edits(one)]
        first = [f"{self._parts(one)} = [{one.name}]" for one in found]
        edits += [self._beside(first, loop.lineno), self._beside([*map(self._whole, found)], end)]
        names = " and ".join(f"`{one.name}`" for one in found)
        copied = f"every step copies all that the steps before it have put into {names}"
        return Match(
            span=self.site.computation.span,
            message=f"{copied}: what is new can be kept in a list and joined once",
            computation=self.site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            numerics="exact",
            safe=not self.doubts,
            reason="; ".join([*self.doubts, *filter(None, [assuming(self.assumed)])]) or None,
            gains={"any": min(_ROWS if not one.joins[0].flat else _NUMBERS for one in found)},
            verdicts={
                "redundancy": Verdict(
                    "holds", "structure", f"{copied}: n * (n + 1) / 2 parts instead of n"
                )
            },
        )

    def _yields(self) -> bool:
        """Whether others run while the loop does, or see its names."""
        inside = descendants(self.loop)
        return any(isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)) for node in inside)

    def _edits(self, one: Grown) -> list[Edit]:
        """Each place where the array is made longer; raises ``Refused``."""
        self._require_own_name(one.name)
        for part in (piece for each in one.joins for piece in each.pieces):
            self._require_kept(part)
        self._begins(one)
        module, edits = self.region.module, []
        for each in one.joins:
            shown = [module.source(piece) for piece in each.pieces]
            kept = f"append({shown[0]})" if len(shown) == 1 else f"extend([{', '.join(shown)}])"
            edits.append(Edit(module.span(each.statement), f"{self._parts(one)}.{kept}"))
        return edits

    def _parts(self, one: Grown) -> str:
        return new_name(self.region.lifted, f"{one.name}_parts", (self.loop, one.name))

    def _whole(self, one: Grown) -> str:
        """What joins the parts."""
        join, parts = one.joins[0], self._parts(one)
        called = self.region.module.source(join.call.func)
        listed = f"{parts}[::-1]" if join.front else parts
        if join.path == "numpy.append":
            module = called.removesuffix("append")
            called = f"{module}concatenate"
            listed = f"[{module}ravel(part) for part in {parts}]" if join.flat else listed
        word = "dim" if join.path.startswith("torch.") else "axis"
        along = "" if join.axis is None else f", {word}={ast.unparse(join.axis)}"
        return f"{one.name} = {called}({listed}{along})"

    def _beside(self, lines: list[str], line: int) -> Edit:
        """Lines of their own where the loop begins or behind it."""
        indent = self.region.indent(self.loop)
        return Edit(Span(line, 1, line, 1), "".join(f"{indent}{text}\n" for text in lines))

    def _require_own_name(self, name: str) -> None:
        inner = [
            node for node in self.region.nodes
            if isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.Global))
            and node is not self.region.lifted.node
        ]  # fmt: skip
        own = not isinstance(self.region.lifted.node, ast.Module)
        self.site.require(
            (own or name not in self.region.module.shared_names)
            and not any(mentions(node, name) for node in inner),
            "names",
            f"`{name}` is also read by a function within",
        )

    def _require_kept(self, part: ast.expr) -> None:
        """What is kept in the list must be the same at the end of the loop."""
        known, held = aliases(self.region), aliases(self.region).held(part)
        start = (self.loop.lineno, self.loop.col_offset)
        stop = (self.loop.end_lineno or 0, self.loop.end_col_offset or 0)
        writes = f"may write to `{self.region.module.brief(part)}` after that was joined"
        self.site.require(
            not known.changed(held, start, stop, calls=False), "aliasing", f"the loop {writes}"
        )
        own = "self" in known.reached(held) and any(map(_of_self, descendants(self.loop)))
        if own or known.changed(held, start, stop):
            self.doubts.append(f"what the loop calls {writes}")
        elif isinstance(self.loop, ast.For) and not known.reached(held).isdisjoint(
            node.id for node in descendants(self.loop.target) if isinstance(node, ast.Name)
        ):
            self._require_walked(self.loop.iter)

    def _require_walked(self, walked: ast.expr) -> None:
        """What a generator gives may be one array that it changes."""
        calls = [node for node in descendants(walked) if isinstance(node, ast.Call)]
        module = self.region.module
        if any(does(module, call) is Does.ANYTHING for call in calls):
            self.doubts.append(f"what `{module.brief(walked)}` gives must be new at every step")
        for name in dict.fromkeys(_walked(walked)):
            if not self._holds_items(name):
                self.assumed.append(f"each item of `{name.id}` is an object of its own")

    def _holds_items(self, name: ast.Name) -> bool:
        """Whether a name stands for a list or an array, by its annotation or by what the function
        made it; of a generator all items may be one array."""
        lifted = self.region.lifted
        if name.id in lifted.parameters and isinstance(lifted.node, ast.FunctionDef):
            given = lifted.node.args
            every = (*given.posonlyargs, *given.args, *given.kwonlyargs)
            annotation = next((one.annotation for one in every if one.arg == name.id), None)
            return annotation is not None and bool(_LISTED.search(ast.unparse(annotation)))
        held = self.region.values.get(name)
        return isinstance(held, Value) and held.kind not in ("opaque", "free")

    def _begins(self, one: Grown) -> None:
        """What the array is before the loop: what else holds it, its shape and its type."""
        join, region = one.joins[0], self.region
        bound = region.binding_before(self.loop, one.name)
        made = bound.value if bound is not None and bound.alone else None
        value = region.values.get(made) if made is not None else None
        fresh = made is not None and isinstance(value, Value) and not aliases(region).held(made)
        axes = value.axes if isinstance(value, Value) else ()
        counted = not any(axis.group for axis in axes) and len(axes) >= join.least
        if not fresh or not counted or (join.flat and len(axes) > 1):
            self.doubts.append(
                f"where the loop makes no step, `{one.name}` is a new array instead of what it was"
            )
        dtype = value.dtype if isinstance(value, Value) else None
        if not join.path.startswith("torch.") and dtype not in _WIDEST:
            self.assumed.append(f"what is joined to `{one.name}` has its type")


_NUMBERS, _ROWS = 2.0, 70.0
"""Of 1000 steps that join a number or a row of 64, as measured on a CPU."""

_DRAWS = """\
import numpy as np


def simulated(start: float, shocks: list[float], drift: float):
    path = np.array([start])
    value = start
    for shock in shocks:
        if value < 0:
            break
        value = value + drift * np.tanh(value) + shock
        path = np.append(path, value)
    return path
"""

_DRAWS_AFTER = """\
import numpy as np


def simulated(start: float, shocks: list[float], drift: float):
    path = np.array([start])
    value = start
    path_parts = [path]
    for shock in shocks:
        if value < 0:
            break
        value = value + drift * np.tanh(value) + shock
        path_parts.append(value)
    path = np.concatenate([np.ravel(part) for part in path_parts])
    return path
"""

_STATES = """\
import torch


def encoded(cell, frames: torch.Tensor, state: torch.Tensor):
    states = torch.empty(0, state.shape[1])
    outputs = torch.empty(0, state.shape[1])
    for frame in frames:
        state = cell(frame, state)
        states = torch.cat((state * 0.5, states), dim=0)
        outputs = torch.cat([outputs, state.relu(), state.tanh()])
    return states, outputs
"""

_STATES_AFTER = """\
import torch


def encoded(cell, frames: torch.Tensor, state: torch.Tensor):
    states = torch.empty(0, state.shape[1])
    outputs = torch.empty(0, state.shape[1])
    states_parts = [states]
    outputs_parts = [outputs]
    for frame in frames:
        state = cell(frame, state)
        states_parts.append(state * 0.5)
        outputs_parts.extend([state.relu(), state.tanh()])
    states = torch.cat(states_parts[::-1], dim=0)
    outputs = torch.cat(outputs_parts)
    return states, outputs
"""

REWRITE = Rewrite(
    code="RED511",
    name="grown-array",
    summary="an array that each step of a loop makes longer is joined once, from a list",
    doc=__doc__,
    properties=("redundancy",),
    find=find,
    seeks=("loop",),
    becomes="parts.append(x) ... np.concatenate(parts)",
    examples=(
        Example("a path of unknown length", _DRAWS, _DRAWS_AFTER,
                "((1.0, [0.5, -0.25, -4.0, 1.0], 0.1), (2.0, [], 0.1))"),
        Example("tensors at both ends", _STATES, _STATES_AFTER,
                "((lambda f, s: torch.sin(s) + f, torch.randn(3, 2), torch.randn(1, 2)),"
                " (lambda f, s: s + f, torch.randn(0, 2), torch.randn(1, 2)))"),
    ),
    refused=(
        RefusedExample("aliasing", _STATES.replace("state * 0.5", "state").replace(
            "state = cell(frame, state)", "state.add_(frame)")),
        RefusedExample("names", _DRAWS.replace("    value = start\n",
            "    value = start\n    so_far = lambda: len(path)\n")),
    ),
    unmatched=(
        _DRAWS.replace("if value < 0", "if len(path) > 3"),
        _DRAWS.replace("np.append(path, value)", "np.append(value, path)"),
        _DRAWS.replace("np.append(path, value)", "np.append(path, path[-1])"),
        _STATES.replace("dim=0", "dim=0, out=states").replace("[outputs, ", "[outputs[:1], "),
        _DRAWS_AFTER,
    ),
)  # fmt: skip
