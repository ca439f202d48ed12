"""The types in which loops over scores start what they keep."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.arrays.wider_start import stated_type, type_of_start
from auditor.expressions.region import ExpressionRegion
from auditor.lift.loops import Loop
from auditor.notation import Value


def starting_types(region: ExpressionRegion, loops: Iterable[Loop]) -> list[str]:
    """What must hold of the types that loops start in for their results to have those of what they
    walk. Raises ``Refused`` where a start is given a type of its own."""
    assumed: list[str] = []
    for loop in loops:
        for carry in loop.scan.carries:
            start = loop.before.get(carry.name)
            rows = any(not axis.group for axis in carry.state.axes)
            if not isinstance(start, Value) or (rows and not start.axes):
                continue  # beside an array the type of a number does not count
            bound = region.binding_before(loop.node, carry.name)  # type: ignore[arg-type]
            given = stated_type(start, bound.value if bound is not None else None)
            region.site.require(
                given is None,
                "types",
                f"`{carry.name}` is kept in {given}, whatever it is combined with",
            )
            if start.dtype == "float32":
                assumed += type_of_start(carry.name, start)
    return assumed
