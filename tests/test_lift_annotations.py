"""Ranks and sizes from jaxtyping annotations and docstrings."""

from __future__ import annotations

import ast

import pytest

from auditor import lift
from auditor.lift.offered import offered_sizes


def lifted(source: str) -> lift.Lifted:
    module = lift.read(source)
    ((scope, node, klass),) = lift.functions(module)
    return lift.lift(module, scope, node, klass)


@pytest.mark.parametrize(
    ("annotation", "rank"),
    [
        ('Float[Tensor, "b t d"]', 3),
        ('jaxtyping.Float[torch.Tensor, "batch 3"]', 2),
        ('Float32[np.ndarray, ""]', 0),
        ('Bool[Tensor, "_ dim=4"]', 2),
        ('Float[Tensor, "... t d"]', None),
        ('Float[Tensor, "*batch t"]', None),
        ('dict[str, "a b"]', None),
        ("Tensor", None),
    ],
)
def test_annotation(annotation: str, rank: int | None) -> None:
    facts = lifted(f"def f(x: {annotation}):\n    return x\n").facts
    assert facts.of("x").rank == rank


def test_equal_names_are_equal_sizes() -> None:
    source = 'def f(x: Float[Tensor, "b t"], y: Float[Tensor, "t 4"]):\n    return x @ y\n'
    facts = lifted(source).facts
    sizes = {str(left): str(right) for left, right in facts.extents.items()}
    assert "x.shape[1]" in {*sizes, *sizes.values()}
    assert sizes.get("y.shape[1]") == "4"


@pytest.mark.parametrize(
    ("line", "rank"),
    [
        ("x: (B, T, D)", 3),
        ("x (Tensor): input of shape (batch, dim)", 2),
        ("x: r(B D L)", 3),
        (":param x: [B, C, H, W] images", 4),
        ("x: tensor (optional)", None),
        ("x: (batch size, length)", None),
        ("x: see (Foo, the paper)", None),
        ("x: a value in (0, 1)", None),
        ("other: (B, T)", None),
        ("idx: (N,), x: (N, D)", 2),
        ("q, x, v: (B, H, T, E)", 4),
        ("table (V, D), x (N,)", 1),
        ("w of shape (D, E) and x of shape (N, D)", 2),
        ("x is an N x 3 matrix of positions", 2),
        ("masses of the bodies in x (eagerly, once)", None),
        ("w: (D, E), x: (N, D) or (D,)", None),
        ("takes x (rows, columns apart)", None),
        ("6 x 9 blocks of x", None),
    ],
)
def test_docstring(line: str, rank: int | None) -> None:
    source = f'def f(x):\n    """Something.\n\n    {line}\n    """\n    return x\n'
    assert lifted(source).facts.of("x").rank == rank


@pytest.mark.parametrize(
    ("line", "rank"),
    [
        ("y: an array of shape (N, D)", None),
        ("x: an array of shape (N, D)", 2),
        ("x (np.ndarray): the rows, of shape (N, D)", 2),
        ("x:\n            (N, D), the rows", 2),
        ("x: a value in (0, 1)", None),
    ],
)
def test_docstring_below_a_heading(line: str, rank: int | None) -> None:
    source = (
        f'def f(x, y):\n    """Something.\n\n    Args:\n        {line}\n    """\n    return x\n'
    )
    assert lifted(source).facts.of("x").rank == rank


@pytest.mark.parametrize(
    ("head", "rank"),
    [
        ("def f(x):\n    # x: (B, T, D)\n", 3),
        ("def f(x, y):\n    # x (batch, time), y (time,)\n", 2),
        ("def f(y, x):\n    # y, x: [B, H, T, D]\n", 4),
        ("def f(\n    x,  # (B, C, H, W)\n    y,\n):\n", 4),
        ("def f(x):\n    # a call of x(B, T)\n", None),
        ("def f(x):\n    # x: (optional, ignored)\n", None),
        ("def f(x):\n    z = 0\n    # x: (B, T)\n", None),
        ("def f(x):\n    # scaled by (B, T)\n", None),
        ("def f(x):\n    # x: (D,)\n", 1),
        ("def f(x):\n    # x: (D)\n", None),
        ("def f(x):\n    # x: (optional,)\n", None),
    ],
)
def test_comment(head: str, rank: int | None) -> None:
    facts = lifted(f"{head}    return x\n").facts
    assert facts.of("x").rank == rank
    said = [s for s in facts.assumptions.values() if "as a comment says" in s]
    assert bool(said) is (rank is not None)


@pytest.mark.parametrize(
    ("made", "ranks"),
    [
        ("[torch.rand(N), torch.rand(N, M)]", (1, 2)),
        ("(torch.randn(N, 3, 4).abs(), torch.zeros(()))", (3, 0)),
        ("[torch.rand(N), 0.5]", (1, None)),
        ("[torch.rand(N, *AXES), torch.randint(0, 2, (N, M)).bool()]", (3, 2)),
        ("[torch.randint(9, (N,)), torch.randint(high=9, size=(N, M))]", (1, 2)),
        ("[torch.rand(*SHAPE), torch.rand(N)]", (None, 1)),
        ("list(map(torch.rand, (N, M)))", (1, 1)),
        ("made()", (None, None)),
    ],
)
def test_inputs_that_a_file_makes(made: str, ranks: tuple[int | None, ...]) -> None:
    source = (
        "import torch\n\nN, M = 4, 5\nL = 3\nAXES = (2, L)\nSHAPE = load()\n\n\n"
        "class Model(torch.nn.Module):\n"
        "    def forward(self, x, y):\n        return x, y\n\n\n"
        f"def get_inputs():\n    return {made}\n"
    )
    module = lift.read(source)
    scope, node, klass = next(iter(lift.functions(module)))
    facts = lift.lift(module, scope, node, klass).facts
    assert (facts.of("x").rank, facts.of("y").rank) == ranks
    said = "`x` has 1 axis, as `get_inputs` says"
    assert (said in facts.assumptions.values()) is (ranks[0] == 1)


def test_sizes_that_a_file_makes() -> None:
    source = (
        "import torch\n\nN = 4\nAXES = (3,)\n\n\nclass Model(torch.nn.Module):\n"
        "    def __init__(self, width, share):\n        super().__init__()\n"
        "    def forward(self, x, mask):\n        return x, mask\n\n\n"
        "def get_inputs():\n    x = torch.randn(N * 2, *AXES)\n"
        "    return [x, torch.randint(0, 2, x.shape).bool()]\n\n\n"
        "def get_init_inputs():\n    return [N + 1, 0.5]\n"
    )
    module = lift.read(source)
    _, node, klass = list(lift.functions(module))[1]
    assert isinstance(node, ast.FunctionDef)
    assert offered_sizes(module, node, klass) == {
        "x.shape[0]": 8, "x.shape[1]": 3, "mask.shape[0]": 8, "mask.shape[1]": 3, "width": 5,
    }  # fmt: skip


def test_numbers_that_a_model_keeps() -> None:
    source = (
        "import torch\n\n\nclass Heads(torch.nn.Module):\n"
        "    def __init__(self, d, n):\n        super().__init__()\n        self.each = d // n\n"
        "    def forward(self, x):\n        return x\n\n\nclass Model(torch.nn.Module):\n"
        "    def __init__(self, d, n, step=2, rate=0.5):\n        super().__init__()\n"
        "        each = d // n\n        self.n, self.each = n, each\n"
        "        self.step: int = step\n        self.rate, self.seen, self.x = rate, 1, load()\n"
        "        self.heads = Heads(d, 4)\n        if step:\n            self.late = 1\n"
        "    def forward(self, x):\n        self.seen += 1\n        return self.heads(x)\n\n\n"
        "def get_inputs():\n    return [torch.randn(8)]\n\n\n"
        "def get_init_inputs():\n    return [64, 8]\n"
    )
    module = lift.read(source)
    sizes = {
        scope: offered_sizes(module, node, klass)
        for scope, node, klass in lift.functions(module)
        if isinstance(node, ast.FunctionDef) and node.name == "forward"
    }
    assert sizes["Heads.forward"] == {"d": 64, "n": 4, "self.each": 16}
    assert sizes["Model.forward"] == {
        "x.shape[0]": 8, "d": 64, "n": 8, "self.n": 8, "self.each": 8, "self.step": 2,
    }  # fmt: skip


def test_inputs_of_another_function() -> None:
    source = (
        "import torch\n\n\nclass Other(torch.nn.Module):\n    def forward(self, x):\n"
        "        return x\n\n\ndef get_inputs():\n    return [torch.rand(4)]\n"
    )
    module = lift.read(source)
    scope, node, klass = next(iter(lift.functions(module)))
    assert lift.lift(module, scope, node, klass).facts.of("x").rank is None


@pytest.mark.parametrize(
    ("statement", "rank"),
    [
        ("assert x.ndim == 2", 2),
        ("assert x.dim() == 3", 3),
        ("assert len(x.shape) == 1 and x.shape[0] > 2", 1),
        ("if x.ndim != 2:\n        raise ValueError", 2),
        ("if 1 != x.ndim or flag:\n        raise ValueError", 1),
        ("if x.ndim == 2:\n        raise ValueError", None),
        ("if x.ndim != 2 and flag:\n        raise ValueError", None),
        ("if flag:\n        assert x.ndim == 2", None),
        ("if flag:\n        return x\n    assert x.ndim == 2", None),
        ("if flag:\n        if x.ndim != 2:\n            raise ValueError", None),
        ("x = x[0]\n    assert x.ndim == 2", None),
    ],
)
def test_number_of_axes_that_is_asserted(statement: str, rank: int | None) -> None:
    source = f"import torch\n\n\ndef f(x: torch.Tensor, flag):\n    {statement}\n    return x * 2\n"
    assert lifted(source).facts.of("x").rank == rank
