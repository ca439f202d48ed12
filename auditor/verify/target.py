"""What is called: the two versions of a file as modules, the function in them that holds the
region, and the inputs that the file itself offers. Runs in the worker process."""

from __future__ import annotations

import inspect
import linecache
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.verify import values
from auditor.verify.compare import is_tensor
from auditor.verify.measure import Function, Interrupted


@dataclass(frozen=True)
class Job:
    """What to verify: two texts of one file, the region that differs, and what is assumed of the
    inputs."""

    path: str
    scope: str
    first: int
    last: int
    before: str
    after: str
    report: str
    numerics: str = "reassociated"
    memory: int | None = None
    timing: bool = True
    device: str = "auto"
    assumed: str = ""


class NotVerified(Exception):
    """The two could not be compared; the text says why."""


def load(job: Job, side: str) -> types.ModuleType:
    """One of the two texts as a module, which believes that it lies where the file lies."""
    source = job.before if side == "before" else job.after
    path = Path(job.path).resolve()
    root, parts = path.parent, [path.stem]
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    name = ".".join([*parts[:-1], f"{parts[-1]}__{side}"])
    module = types.ModuleType(name)
    module.__file__ = str(path)
    module.__package__ = ".".join(parts[:-1])
    sys.modules[name] = module
    text = Path(source).read_text(encoding="utf-8")
    linecache.cache[source] = (len(text), None, text.splitlines(keepends=True), source)
    exec(compile(text, source, "exec", dont_inherit=True), module.__dict__)
    return module


def loaded(job: Job, side: str) -> types.ModuleType:
    try:
        values.seed_all()
        return load(job, side)
    except BaseException as error:  # code may leave by sys.exit too
        what = "the file" if side == "before" else "the rewritten file"
        raise NotVerified(f"cannot run {what}: {said(error)}") from error


def said(error: BaseException) -> str:
    text = " ".join(str(error).split())
    name = type(error).__name__
    if isinstance(error, Interrupted):
        return text
    return f"{name}: {text[:200]}" if text else name


@dataclass(frozen=True)
class Target:
    """The callable that holds the region: a function, or the method ``name`` of a class."""

    scope: str
    name: str
    owners: tuple[Any, Any] | None
    functions: tuple[Any, Any]

    def function(self, side: str) -> Function:
        if self.owners is None:
            found = self.functions[0 if side == "before" else 1]
            return lambda holder: found
        return lambda holder: getattr(holder, self.name)


def resolve(scope: str, before: types.ModuleType, after: types.ModuleType) -> Target:
    """The outermost function of ``scope``: of a nested one, the one that contains it."""
    parts = scope.split(".")
    found: list[Any] = []
    for module in (before, after):
        owner: Any = None
        here: Any = module
        used = 0
        for part in parts:
            following = vars(here).get(part) if isinstance(here, type) else getattr(
                here, part, None)  # fmt: skip
            if following is None:
                raise NotVerified(f"`{scope}` is not there once the file has run")
            owner, here, used = here, following, used + 1
            if not isinstance(here, type):
                break
        found.append((owner, here, used))
    (owner, here, used), (owner2, here2, _) = found
    path = ".".join(parts[:used])
    if isinstance(owner, type) and not isinstance(here, staticmethod):
        name = parts[used - 1]
        if isinstance(here, classmethod):
            return Target(path, name, None, (getattr(owner, name), getattr(owner2, name)))
        return Target(path, name, (owner, owner2), (here, here2))
    if isinstance(here, staticmethod):
        here, here2 = here.__func__, here2.__func__
    if not callable(here):
        raise NotVerified(f"`{path}` is not a function once the file has run")
    return Target(path, parts[used - 1], None, (here, here2))


Offer = Callable[[str], tuple[Any, Any, Any]]
"""From a device to arguments and the instances before and after."""


def offers(
    target: Target, before: types.ModuleType, after: types.ModuleType
) -> Iterator[tuple[Target, Offer]]:
    """Inputs that the file itself offers: ``f_inputs()`` and, for a method, ``C_m_inputs()`` with
    the object first, or ``Model`` with ``get_inputs()``."""
    name = f"{target.scope.replace('.', '_')}_inputs"
    makers = getattr(before, name, None), getattr(after, name, None)
    if all(map(callable, makers)):
        yield target, (_of_method if target.owners is not None else _of_function)(target, makers)
    models = (getattr(before, "Model", None), getattr(after, "Model", None))
    get_inputs = getattr(before, "get_inputs", None)
    if all(isinstance(model, type) for model in models) and callable(get_inputs):
        get_init = getattr(before, "get_init_inputs", list)
        forward = (getattr(models[0], "forward", None), getattr(models[1], "forward", None))

        def make(device: str) -> tuple[Any, Any, Any]:
            init = list(get_init())
            holders = values.instances(models, lambda klass: klass(*init), device)
            values.seed_all()
            return get_inputs(), *holders

        yield Target("Model", "__call__", models, forward), make


def _of_function(target: Target, makers: tuple[Any, Any]) -> Offer:
    return lambda _: (makers[0](), None, None)


def _of_method(target: Target, makers: tuple[Any, Any]) -> Offer:
    def make(device: str) -> tuple[Any, Any, Any]:
        given: list[Any] = []

        def holder(maker: Any) -> Any:
            found, *args = maker()
            given.append(args)
            return found

        holders = values.instances(makers, holder, device)
        assert target.owners is not None
        for each, owner in zip(holders, target.owners, strict=True):
            if not isinstance(each, owner):
                raise TypeError(f"`{makers[0].__name__}` gives no {owner.__name__} first")
        return given[0], *holders

    return make


def names_bound(module: types.ModuleType) -> dict[str, Any]:
    """The data that a module binds: no modules, functions or classes."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("__")
        and not callable(value)
        and not isinstance(value, types.ModuleType)
        and (not hasattr(value, "__dict__") or hasattr(value, "shape"))
    }


def parameter_names(function: Any, method: bool) -> tuple[str, ...]:
    try:
        found = tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()
    return found[1:] if method else found


def moved(given: Any, device: str) -> Any:
    if is_tensor(given):
        return given.to(device)
    if type(given) in (list, tuple):
        return type(given)(moved(item, device) for item in given)
    if isinstance(given, dict):
        return {key: moved(item, device) for key, item in given.items()}
    return given
