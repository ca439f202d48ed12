"""A loop run with two of its steps exchanged."""

from __future__ import annotations

import numpy as np

from auditor.algebra.evaluate import evaluate
from auditor.algebra.limits import CannotEvaluate
from auditor.algebra.sampling import inputs
from auditor.algebra.subterms import everything
from auditor.notation import Const, Index, Read, Scan, Symbol, Term, Trace
from auditor.verdict import Verdict


def exchanged_steps(scan: Scan) -> Verdict:
    """Run the loop with its first two steps exchanged."""
    last = Const(2)
    finals: list[tuple[str, Term, tuple[Index, ...]]] = [
        (carry.name, Trace(scan, slot, last, carry.state.axes), carry.state.axes)
        for slot, carry in enumerate(scan.carries)
    ]
    try:
        steps = scan.step.extent
        three = {steps: 3} if isinstance(steps, Symbol) else None
        given = inputs([term for _, term, _ in finals], 3, 7, three)
        swapped = dict(given.env)
        moved = False
        for node in everything(term for _, term, _ in finals):
            if isinstance(node, Read) and node.value in swapped and scan.step in node.subs:
                axis = node.subs.index(scan.step)
                array = np.array(given.env[node.value])
                if axis < array.ndim and array.shape[axis] >= 2:
                    order = [1, 0, *range(2, array.shape[axis])]
                    swapped[node.value] = np.take(array, order, axis)
                    moved = True
        if not moved:
            return Verdict("fails", "structure", "no input is indexed by the step alone")
        for name, term, axes in finals:
            one = evaluate(term, given.env, given.sizes, axes=axes, groups=given.groups)
            two = evaluate(term, swapped, given.sizes, axes=axes, groups=given.groups)
            if not (np.isfinite(one).any() and np.isfinite(two).any()):
                return Verdict("unknown", None, f"{name} is not finite on a sampled input")
            if not np.allclose(one, two, rtol=1e-9, atol=1e-12, equal_nan=True):
                place = int(np.abs(np.nan_to_num(one - two)).argmax())
                return Verdict(
                    "fails", "counterexample",
                    f"with its first two steps exchanged {name} ends at "
                    f"{float(np.ravel(two)[place]):.4g} instead of "
                    f"{float(np.ravel(one)[place]):.4g} on a sampled input of 3 steps",
                )  # fmt: skip
    except CannotEvaluate as missing:
        return Verdict("unknown", None, f"the loop could not be run: {missing}")
    return Verdict("partial", "probe", "exchanging two steps changed nothing on a sampled input")
