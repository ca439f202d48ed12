"""The generated module: the monoid, the loop that it came from, a test of one against the other,
and the same fold on an engine's own aggregation interface. Self-contained: it imports nothing of
the audit."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from textwrap import dedent, indent

from auditor.derive.array_functions import NAMES
from auditor.derive.beside import beside_functions
from auditor.derive.definitions import needed
from auditor.derive.elements import drawn_element, drawn_option, row_size
from auditor.derive.engines import ENGINES, Engine
from auditor.derive.expression import source
from auditor.derive.found import Derived
from auditor.derive.functions import loop_text
from auditor.derive.several import functions_of
from auditor.tree import everything_in

TARGETS = ("python", *ENGINES)


def program(derived: Derived, path: str, target: str) -> str:
    """The module for ``target``, one of ``TARGETS``. ``path`` is where the loop was read."""
    return _Module(derived, path, ENGINES.get(target)).text()


class _Module:
    def __init__(self, derived: Derived, path: str, engine: Engine | None) -> None:
        self.derived, self.fold, self.path, self.engine = derived, derived.fold, path, engine
        self.functions = functions_of(derived)

    def text(self) -> str:
        functions = self.functions.text()
        body = [functions, self._pieces(), self._loop(), self._engine(), self._test()]
        fold = self.fold
        beside = beside_functions(fold, functions)
        copied = needed(fold.tree, fold.function, [*body, *beside, *fold.prepare], self._own())
        imports, definitions = _parted(copied)
        body.insert(0, definitions)
        if "logaddexp(" in functions:
            body.insert(0, _LOGADDEXP)
        body[:0] = beside
        parts = [self._head(), self._imports(imports, body), *(part for part in body if part)]
        text = "\n\n\n".join(part.strip("\n") for part in parts if part.strip())
        return f"{text}\n"

    def _own(self) -> set[str]:
        own = set(
            "State Entry init update combine finish piece merge loop init_entry update_entry "
            "combine_entry fold scan outputs carried Any dataclass".split()
        )
        if self.fold.arrays is not None:
            own |= NAMES
        return own | {*self.functions.options, *self.fold.names}

    def _head(self) -> str:
        fold, monoid = self.fold, self.derived.monoid
        where = f"`{fold.scope}` ({self.path}:{fold.node.lineno})"
        lines = [
            f'"""The loop in {where} as a monoid: pieces of its data apart, then combined.',
            "",
            "    update(combine(a, b), x) == combine(a, update(b, x))",
            "",
            f"Floating point: {GRADES[monoid.numerics]}.",
        ]
        if not monoid.commutes or fold.containers:
            lines.append("The order of the pieces matters: combine neighbours, left before right.")
        for assumption in fold.assumptions:
            lines.append(f"Assumes that {assumption}.")
        return "\n".join([*lines, '"""']).replace("\\", "\\\\")

    def _imports(self, copied: list[str], body: Iterable[str]) -> str:
        text = "\n".join(body)
        names = {n.id for n in everything_in(ast.parse(text)) if isinstance(n, ast.Name)}
        lines = ["from collections.abc import Iterable", "from dataclasses import dataclass",
                 "from functools import partial, reduce", "from typing import Any"]  # fmt: skip
        if self.engine is not None:
            lines += [line for line in self.engine.imports if line not in lines]
        if "math" in names:
            lines.append("import math")
        if "operator" in names:
            lines.append("import operator")
        if "accumulate" in names:
            lines.append("from itertools import accumulate")
        if "repeat" in names:
            lines.append("from itertools import repeat")
        if "copy" in names:
            lines.append("from copy import copy")
        if "SimpleNamespace" in names:
            lines.append("from types import SimpleNamespace")
        standard = sorted({*lines, *(c for c in copied if not c.startswith("from __future__"))},
                          key=lambda line: (line.startswith("from"), line))  # fmt: skip
        if "partial" not in names:
            standard = [line.replace("partial, ", "") for line in standard]
        third = ["from hypothesis import given, reject, settings", "from hypothesis import "
                 "strategies as st"]  # fmt: skip
        if "np" in names and "import numpy as np" not in standard:
            third.append("import numpy as np")
        if self.engine is not None:
            used = {*names, "dist"}
            third = [line for line in self.engine.third_party if line.split()[-1] in used]
        head = "from __future__ import annotations\n\n"
        return head + "\n".join(standard) + ("\n\n" + "\n".join(third) if third else "")

    def _pieces(self) -> str:
        f = self.functions
        state, options = f.state_type, f.update_options
        scan = self._scan() if f.running is not None and self.engine is None else ""
        extra = f", *, {', '.join(f'{o}: Any' for o in options)}" if options else ""
        given = "".join(f", {o}={o}" for o in options)
        return dedent(f'''\
            def piece(elements: Iterable[Any]{extra}) -> {state}:
                """The state of some elements: any iterable, read once."""
                {f.state} = init()
                for element in elements:
                    {f.state} = update({f.state}, element{given})
                return {f.state}


            def merge(states: Iterable[{state}]) -> {state}:
                """The state of pieces that follow one another."""
                return reduce(combine, states, init())
            ''') + scan  # fmt: skip

    def _scan(self) -> str:
        """The loop's running values, piece by piece."""
        f = self.functions
        given = {o: "".join(f", {name}={name}" for name in options) for o, options in (
            ("update", f.update_options), ("finish", f.finish_options),
            ("outputs", f.output_options))}  # fmt: skip
        extra = f", *, {', '.join(f'{o}: Any' for o in f.options)}" if f.options else ""
        return dedent(f'''\


            def scan(pieces: Iterable[Iterable[Any]]{extra}) -> list[Any]:
                """What the loop appends to `{f.running}`: a piece goes on from what the pieces
                before it leave, which takes no more than their states."""
                pieces = [list(one) for one in pieces]
                states = [piece(one{given["update"]}) for one in pieces]
                kept = []
                for one, before in zip(pieces, accumulate(states, combine, initial=init())):
                    kept += outputs(one, finish(before{given["finish"]}){given["outputs"]})
                return kept
            ''')  # fmt: skip

    def _loop(self) -> str:
        """The user's loop as it stands, over any elements."""
        f, fold = self.functions, self.fold
        options = f.options
        extra = f", *, {', '.join(f'{o}: Any' for o in options)}" if options else ""
        lines = [f"def loop(elements: Iterable[Any]{extra}) -> Any:",
                 '    """The loop as it was written."""']  # fmt: skip
        for name, text in fold.starts.items():
            if name not in (*options, f.running):
                lines.append(f"    {name} = {text}")
        if f.running is not None:
            lines.append(f"    {f.running} = []")
        grown = {n.func.value.id for n in everything_in(fold.node) if isinstance(n, ast.Call)
                 and isinstance(n.func, ast.Attribute) and isinstance(n.func.value, ast.Name)
                 and n.func.attr in ("append", "extend", "add", "update")}  # fmt: skip
        for name in dict.fromkeys([*(held.name for held in fold.containers), *sorted(grown)]):
            if name in options:
                lines.append(f"    {name} = copy({name})")
        lines.append(indent(loop_text(fold), "    "))
        tail = f.running or f.tail()
        if tail is None:
            tail = ", ".join(fold.live) or "None"
        lines.append(f"    return {tail}")
        return "\n".join(lines)

    def _engine(self) -> str:
        if self.engine is None:
            return ""
        return self.engine.text(self.functions, self.derived.monoid.commutes)

    def _test(self) -> str:
        if self.engine is not None:
            return ""
        f = self.functions
        options = f.options
        given = "".join(f", {o}={self._option(o)}" for o in options)
        names = "".join(f", {o}: Any" for o in options)
        pass_all = "".join(f", {o}={o}" for o in options)
        pass_update = "".join(f", {o}={o}" for o in f.update_options)
        pass_finish = "".join(f", {o}={o}" for o in f.finish_options)
        element, most = drawn_element(self.fold)
        own = "cuts cut expected places states start stop".split()
        cuts, cut, expected, places, states, start, stop = (
            f"{name}_" if name in options else name for name in own
        )
        each, whole = f"elements[{start}:{stop}]", f"scan({states}{pass_all})"
        if f.running is None:
            each, whole = f"piece({each}{pass_update})", f"finish(merge({states}){pass_finish})"
        return dedent(f'''\
            ELEMENT = {element}
            ELEMENTS = st.lists(ELEMENT, max_size={most}) | st.lists(
                ELEMENT, min_size={most // 2}, max_size={most}
            )
            CUTS = st.lists(st.integers(0, 40), max_size=4)


            @settings(max_examples=200, deadline=None)
            @given(elements=ELEMENTS, {cuts}=CUTS{given})
            def test_pieces_give_what_the_loop_gives(elements: Any, {cuts}: Any{names}) -> None:
                try:
                    {expected} = loop(elements{pass_all})
                except Exception:
                    reject()
                {places} = sorted(min({cut}, len(elements)) for {cut} in {cuts})
                {places} = [0, *{places}, len(elements)]
                {states} = [
                    {each}
                    for {start}, {stop} in zip({places}, {places}[1:])
                ]
                assert alike({whole}, {expected})


            def alike(a: Any, b: Any) -> bool:
                """Equal, numbers up to rounding; arrays by what they hold."""
                a, b = (one.tolist() if hasattr(one, "tolist") else one for one in (a, b))
                if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
                    return len(a) == len(b) and all(map(alike, a, b))
                if isinstance(a, dict) and isinstance(b, dict):
                    return a.keys() == b.keys() and all(alike(a[key], b[key]) for key in a)
                if isinstance(a, complex) or isinstance(b, complex):
                    return alike(a.real, b.real) and alike(a.imag, b.imag)
                if isinstance(a, float) or isinstance(b, float):
                    if a != a or b != b:
                        return bool(a != a and b != b)
                    return a == b or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
                return bool(a == b)
            ''')  # fmt: skip

    def _option(self, name: str) -> str:
        """A strategy for what the loop takes from around it."""
        if name in self.fold.begun and self.fold.library is not None and self.fold.rows is not None:
            kind, _, library = self.fold.library.partition(" ")
            value, typed = source(self.fold.begun[name]), f"{library}.float64"
            if value in ("True", "False"):
                typed = f"{library}.bool" if kind == "torch" else "bool"
            size = row_size(self.fold)
            return f"st.just({library}.full(({size},), {value}, dtype={typed}))"
        held = next((one for one in self.fold.containers if one.name == name), None)
        if held is not None:
            made = held.absent
            if made is not None:
                return f"st.dictionaries(st.integers(0, 4), st.just({source(made)}))"
            return "st.lists(st.integers(-3, 3), min_size=50, max_size=50)"
        return drawn_option(self.fold, name)


GRADES = {
    "exact": "exact, whatever the elements, but NaN",
    "reassociated": "exact on integers; floats are added in another order",
    "conditioned": "integers exact where only added and multiplied; floats round, and products may "
    "overflow, otherwise than in the loop",
}


_LOGADDEXP = '''\
def logaddexp(a: float, b: float) -> float:
    """log(exp(a) + exp(b)), without overflow."""
    high, low = max(a, b), min(a, b)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))
'''


def _parted(copied: list[str]) -> tuple[list[str], str]:
    """Import statements, and everything else."""
    imports = [c for c in copied if c.startswith(("import ", "from "))]
    rest = [c for c in copied if c not in imports]
    return imports, "\n\n\n".join(rest)
