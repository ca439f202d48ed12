"""Who may import whom, read off the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = {"auditor": ROOT / "auditor", "auditor.rewrites": ROOT / "rewrites"}
KERNELS = ROOT / "kernels"
NAMELESS = {"utils", "util", "helpers", "helper", "common", "misc"}
LONGEST = 1000


def modules() -> Iterator[tuple[str, Path]]:
    """Every module of the three rooms by its installed name."""
    for package, folder in {**ROOMS, "auditor.kernels": KERNELS}.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            yield ".".join((package, *(p for p in parts if p != "__init__"))), path


MODULES = dict(modules())


def absolute(path: Path, node: ast.ImportFrom) -> str:
    """The module that a ``from`` import names, relative ones resolved."""
    name = next(name for name, other in MODULES.items() if other == path)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for _ in range(node.level - 1):
        package = package.rpartition(".")[0]
    parts = (package if node.level else "", node.module or "")
    return ".".join(part for part in parts if part)


@cache
def imported(path: Path, late: bool = True, typing: bool = False) -> frozenset[str]:
    """The modules that a file imports; ``late`` includes imports inside functions, ``typing``
    those for type checkers only."""
    found: set[str] = set()
    stack: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = absolute(path, node)
            found.add(module)
            found |= {f"{module}.{alias.name}" for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not late:
            continue
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test) and not typing:
            stack.extend(node.orelse)
            continue
        stack.extend(ast.iter_child_nodes(node))
    return frozenset(found)


def uses(path: Path, package: str, **which: bool) -> bool:
    return any(
        name == package or name.startswith(f"{package}.") for name in imported(path, **which)
    )


def within(name: str, *rooms: str) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def analysis() -> list[tuple[str, Path]]:
    return [(name, path) for name, path in MODULES.items() if not within(name, "auditor.kernels")]


@pytest.mark.parametrize("name, path", analysis())
def test_libraries_stay_in_their_rooms(name: str, path: Path) -> None:
    rooms = {
        "sympy": ("auditor.algebra", "auditor.properties"),
        "libcst": (
            "auditor.source",
            "auditor.lift",
            "auditor.writing.emit",
            "auditor.writing.edits",
        ),
        "click": ("auditor.cli",),
        "black": ("auditor.writing.layout",),
        "rich": (),
    }
    for library, allowed in rooms.items():
        if not within(name, *allowed):
            assert not uses(path, library, typing=True), f"{name} imports {library}"


@pytest.mark.parametrize("name, path", analysis())
def test_auditing_imports_neither_torch_nor_kernels(name: str, path: Path) -> None:
    for library in ("torch", "triton", "auditor.kernels"):
        assert not uses(path, library, late=False), f"{name} imports {library}"


@pytest.mark.parametrize("name", ["auditor.notation", "auditor.verdict"])
def test_the_shared_types_need_the_standard_library_only(name: str) -> None:
    import sys

    for module in imported(MODULES[name], typing=True):
        own = within(module, "auditor.notation")
        assert own or module.split(".")[0] in sys.stdlib_module_names, f"{name} imports {module}"


@pytest.mark.parametrize(
    "name, path", [m for m in MODULES.items() if within(m[0], "auditor.rewrites")]
)
def test_a_rewrite_knows_neither_its_siblings_nor_the_shell(name: str, path: Path) -> None:
    shell = ("auditor.cli", "auditor.engine", "auditor.report")
    for module in imported(path, typing=True):
        assert not within(module, *shell), f"{name} imports {module}"
        if name != "auditor.rewrites" and MODULES.get(module, path) != path:
            assert not within(module, "auditor.rewrites"), f"{name} imports {module}"


@pytest.mark.parametrize(
    "name, path", [m for m in MODULES.items() if within(m[0], "auditor.kernels")]
)
def test_kernels_know_nothing_of_the_auditor(name: str, path: Path) -> None:
    for module in imported(path, typing=True):
        assert not within(module, "auditor") or within(module, "auditor.kernels"), (
            f"{name} imports {module}"
        )


@pytest.mark.parametrize("name, path", analysis())
def test_only_the_command_line_prints_writes_and_exits(name: str, path: Path) -> None:
    # The worker is a program of its own: its standard output is a pipe to the process that asked.
    if within(name, "auditor.cli", "auditor.verify.worker"):
        pytest.skip("may print")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in {"print", "sys.exit", "exit", "quit", "os._exit"}, name
            assert not called.startswith(("sys.stdout", "sys.stderr")), name
        assert not (isinstance(node, ast.Name) and node.id == "SystemExit"), name


@pytest.mark.parametrize("name, path", MODULES.items())
def test_modules_are_named_for_a_subject_and_of_a_readable_size(name: str, path: Path) -> None:
    assert path.stem not in NAMELESS
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST, name


@pytest.mark.parametrize("name, path", MODULES.items())
def test_every_module_says_what_it_is(name: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not text.strip() or ast.get_docstring(ast.parse(text)), f"{name} has no docstring"


def test_every_package_is_packed() -> None:
    listed = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for name, path in MODULES.items():
        if path.name == "__init__.py":
            assert f'"{name}",' in listed, f"{name} is missing in pyproject.toml"


@pytest.mark.parametrize("name, path", analysis())
def test_trees_are_walked_in_one_way(name: str, path: Path) -> None:
    """``ast.walk`` takes twice as long as ``auditor.tree``, which shows in an audit."""
    if name != "auditor.tree":
        text = path.read_text(encoding="utf-8")
        assert "ast.walk(" not in text and "ast.iter_child_nodes(" not in text, name


@pytest.mark.parametrize("room", sorted(p.parent.name for p in ROOT.glob("auditor/*/__init__.py")))
def test_every_room_is_in_the_guide(room: str) -> None:
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"`auditor/{room}/`" in table or f", `{room}/`" in table
