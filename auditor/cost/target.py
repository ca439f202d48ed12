"""The machines that profit is judged for, each described by a small file of measured rates."""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from auditor.cost.work import RESOURCES, Sizes, Work, evaluate
from auditor.targets import TARGETS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_FOLDER = Path(__file__).parent / "targets"


class BadTarget(ValueError):
    """A description that cannot be used; the text says why."""


@dataclass(frozen=True)
class Target:
    """A machine, of which ``device`` is a ``cpu`` or ``cuda``. Seconds for a step of the
    interpreter, for an object that a builtin walks, for calling NumPy and launching an operation of
    torch, for a view of either; bytes a second from memory and, for arrays of up to ``cache``
    bytes, from the cache; operations, exponentials and multiplications of matrix products a
    second."""

    name: str
    source: str
    device: str
    step: float
    item: float
    call: float
    launch: float
    view: float
    numpy_view: float
    bandwidth: float
    cache: float
    cache_bandwidth: float
    operations: float
    specials: float
    products: float

    def seconds(self, works: tuple[Work, ...], sizes: Sizes) -> dict[str, float]:
        """How long the work takes, by the resource that it waits for: the interpreter (with
        NumPy's calls), launches, memory or arithmetic. A roofline for each operation (Williams,
        Waterman and Patterson, "Roofline", CACM 2009) with a cost to start it."""
        spent = dict.fromkeys(("interpreter", "launch", "bandwidth", "compute"), 0.0)
        for work in works:
            used = {name: evaluate(getattr(work, name), sizes) for name in RESOURCES}
            times = evaluate(work.times, sizes)
            moving = used["bytes"] / self._bandwidth(used["bytes"])
            computing = (
                used["operations"] / self.operations
                + used["specials"] / self.specials
                + used["products"] / self.products
            )
            spent["interpreter"] += times * (
                used["steps"] * self.step + used["items"] * self.item
                + used["calls"] * self.call + used["numpy_views"] * self.numpy_view
            )  # fmt: skip
            spent["launch"] += times * (used["launches"] * self.launch + used["views"] * self.view)
            spent["bandwidth" if moving >= computing else "compute"] += times * max(
                moving, computing
            )
        return spent

    def _bandwidth(self, size: float) -> float:
        return self.cache_bandwidth if size <= self.cache else self.bandwidth


@cache
def target(name: str) -> Target:
    """The machine of that name, or the one that a TOML file describes; ``auto`` is the CPU, since
    auditing does not look for a GPU. Raises ``BadTarget``."""
    named = f"{'cpu' if name == 'auto' else name}.toml"
    path = _FOLDER / named if name in TARGETS else Path(name)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadTarget(f"{name}: cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadTarget(f"{name}: not a TOML file: {error}") from None
    return _described(name, data)


def _described(name: str, data: dict[str, Any]) -> Target:
    wanted = [field.name for field in fields(Target)]
    for key in wanted:
        if key not in data:
            raise BadTarget(f"{name}: `{key}` is missing")
        if key in ("name", "source", "device"):
            if not isinstance(data[key], str):
                raise BadTarget(f"{name}: `{key}` has to be a text")
        elif isinstance(data[key], bool) or not isinstance(data[key], (int, float)):
            raise BadTarget(f"{name}: `{key}` has to be a number")
        elif not data[key] > 0:
            raise BadTarget(f"{name}: `{key}` has to be above 0")
    if data["device"] not in ("cpu", "cuda"):
        raise BadTarget(f"{name}: `device` has to be cpu or cuda")
    unknown = sorted(data.keys() - set(wanted))
    if unknown:
        raise BadTarget(f"{name}: `{unknown[0]}` is not known")
    return Target(**data)
