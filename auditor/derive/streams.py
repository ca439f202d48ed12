"""What is said of a loop over a stream, where its notation does not decide: the reader of streams
takes elements for scalars and follows text, containers and early exits, which notation leaves open.
"""

from __future__ import annotations

import ast
import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.algebra.affine import inline
from auditor.algebra.bit_tables import as_bits, tables_in
from auditor.algebra.kinds import UNKNOWN, Kinds
from auditor.algebra.states import Dependence
from auditor.algebra.summary import WIDTHS, fixed_width
from auditor.derive.byte_numbers import of_byte_numbers
from auditor.derive.contents import contents
from auditor.lift.late import late
from auditor.lift.module import Module
from auditor.notation import Const, Scan
from auditor.plain import keeps_together
from auditor.properties import audit_table
from auditor.rewrite import Site
from auditor.surroundings.each_step import at_each_step
from auditor.tree import everything_in
from auditor.verdict import Verdict, Verdicts
from auditor.whole_file.own_arithmetic import Own, own_operator
from auditor.written import written

if TYPE_CHECKING:
    from auditor.derive.found import Derived

_PLAINER = 2
"""How many plainer spellings of a loop are asked about."""
_WHOLE = frozenset(("int", "bool", "bytes", "bytearray"))  # bytes go through numbers
_TEXTS = frozenset(("str",))
_LISTS = frozenset(("list", "List", "Sequence", "Iterable", "tuple", "Tuple", "Iterator"))


def verdicts(site: Site) -> Verdicts:
    """The six verdicts on a site's computation."""
    table = _of_numbers(site)
    node, loop = site.lifted.node, site.loop
    if loop is None or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return table
    own = own_operator(site.lifted.module.tree, node, loop.node)
    return table if own is None else _of_objects(table, own)


def _of_objects(table: Verdicts, own: Own) -> Verdicts:
    """The verdicts where what is taken for numbers may be objects with operators of their own."""
    made = dict(table)
    for name in ("associativity", "symmetry"):
        verdict = table[name]
        if verdict.verdict == "holds" and own.told:
            made[name] = Verdict("unknown", None, own.said)
        elif verdict.verdict == "holds" and own.supposed not in verdict.evidence:
            text = f"{verdict.evidence}; supposes that {own.supposed}"
            made[name] = replace(verdict, evidence=text)
    return made


def _of_numbers(site: Site) -> Verdicts:
    given = kinds(site.lifted.node)
    site = of_byte_numbers(site)
    table = audit_table(at_each_step(site, site.computation), given, written(site))
    loop = site.loop
    if (
        loop is None
        or not isinstance(loop.node, (ast.For, ast.While))
        or not _open(table["associativity"])
    ):
        return table
    # few loops are asked, and most audits ask none
    from auditor.properties.refused import asked_whole, told

    found = derived(site.lifted.module, loop.node)
    if found is None and not loop.scan.carries:
        return _of_steps(table, loop.node)
    if found is None:
        return _with_tables(table, site)
    fold, monoid = found.fold, found.monoid
    begun = " ".join(fold.starts.values())
    if any(map(fixed_width, loop.scan.carries)) or any(name in begun for name in WIDTHS):
        return table  # numbers that wrap around
    whole = sorted(value.name for value in asked_whole(monoid))
    if (
        whole
        and not names_in(found.fold.node.iter) - {"zip", "enumerate", "reversed"} <= given.whole
    ):
        return table
    text = told(monoid)
    if fold.containers:
        names = " and ".join(held.name for held in fold.containers)
        text = f"each entry of {names} by itself: {text}"
    if whole:
        text += f"; where {', '.join(whole)} is whole"
    if fold.assumptions:
        text += f"; supposes that {'; '.join(fold.assumptions)}"
    made = {**table, "associativity": Verdict("holds", "proof", text, monoid.numerics)}
    counted = names_in(found.fold.node.iter) & {"enumerate", "range"}
    numbers = all(
        isinstance(c.init, Const) and isinstance(c.init.value, (int, float))
        for c in fold.scan.carries
    )  # of texts a sum minds the order
    apart = monoid.commutes and fold.running is None  # running values come in the order of steps
    if table["symmetry"].verdict == "unknown" and apart and numbers and not counted:
        left = ", ".join(fold.live)
        text = f"the combine commutes: the order of the elements does not change {left}"
        made["symmetry"] = Verdict("holds", "proof", text)
    return made


def _with_tables(table: Verdicts, site: Site) -> Verdicts:
    """The verdicts where tables of the file hold what it makes them of."""
    computation = site.computation
    scan, tree = computation.scan, site.lifted.module.tree
    if scan is None or table["associativity"].verdict == "fails":
        return table
    states, dependence = frozenset(carry.state for carry in scan.carries), Dependence()
    updates = [inline(carry.update, states, dependence) for carry in scan.carries]
    looked_up = sorted({name for update in updates for name in tables_in(update, states)})
    held = {name: made for name in looked_up if (made := contents(tree, name)) is not None}
    if not held:
        return table
    known = Scan(scan.step)
    known.carries = tuple(
        replace(carry, update=as_bits(update, held))
        for carry, update in zip(scan.carries, updates, strict=True)
    )
    found = audit_table(replace(computation, scan=known))["associativity"]
    if found.verdict != "holds":
        return table
    text = f"{found.evidence}; where {' and '.join(held)} is as the file makes it"
    return {**table, "associativity": replace(found, evidence=text)}


def _of_steps(table: Verdicts, node: ast.For | ast.While) -> Verdicts:
    """The verdicts on a loop of which nothing is known, with what is not known of its steps."""
    said = table["associativity"].evidence
    if not isinstance(node, ast.While) or ":" in said:
        return table
    test = ast.unparse(node.test)
    text = f"{said}: how often `while {test}` (line {node.lineno}) runs shows only as it runs"
    return {**table, "associativity": Verdict("unknown", None, text)}


def derived(module: Module, loop: ast.For | ast.While) -> Derived | None:
    """The monoid of a loop, also where its states are kept in a tuple or a dict."""
    from auditor.derive.found import Derived, derive_loop
    from auditor.derive.places import NoLoop, loop_in
    from auditor.derive.respelled import plainly

    walked = everything_in(loop.iter) if isinstance(loop, ast.For) else ()
    if any(late(module, part) is not None for part in walked):
        return None  # its elements may be others after other steps
    try:
        place = loop_in(module.tree, loop.lineno)
        if place.loop is not loop:
            return None
        plainer = plainly(module.text, loop.lineno) if keeps_together(loop) else iter(())
        for one in itertools.chain([place], itertools.islice(plainer, _PLAINER)):
            found = derive_loop(one)
            if isinstance(found, Derived):
                return found
    except (NoLoop, RecursionError):
        pass
    return None


def names_in(node: ast.expr) -> set[str]:
    return {inner.id for inner in everything_in(node) if isinstance(inner, ast.Name)}


def kinds(node: ast.AST) -> Kinds:
    """What the parameters of a function hold, or are, as they say."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return UNKNOWN
    every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    said = {arg.arg: names_in(arg.annotation) for arg in every if arg.annotation is not None}
    whole, texts = (
        frozenset(name for name, words in said.items() if words & own and not words - own - _LISTS)
        for own in (_WHOLE, _TEXTS)
    )
    return Kinds(whole, texts)


def _open(verdict: Verdict) -> bool:
    """Is it neither proven nor refuted by a run, though something is carried, or proven in several
    passes?"""
    if verdict.verdict == "unknown" or "scans in turn" in verdict.evidence:
        return True
    stated = verdict.verdict == "fails" and verdict.basis == "structure"
    return stated and not verdict.evidence.startswith("not applicable")
