"""What the plain code survives, the kernels survive: writes after the call, gradients of gradients,
every dtype, sequences without steps."""

from __future__ import annotations

import importlib

import pytest
import torch

from auditor import kernels

linear = importlib.import_module("auditor.kernels.linear_scan")
selective = importlib.import_module("auditor.kernels.selective_scan")
delta = importlib.import_module("auditor.kernels.delta_rule")
matrices = importlib.import_module("auditor.kernels.linear_attention")
softmax = importlib.import_module("auditor.kernels.online_softmax")
attention = importlib.import_module("auditor.kernels.flash_attention")


@pytest.fixture(autouse=True)
def operators_for_short_sequences(monkeypatch):
    monkeypatch.setattr(linear, "SHORT_SEQUENCE", 0)
    monkeypatch.setattr(selective, "SHORT_SEQUENCE", 0)
    monkeypatch.setattr(matrices, "SHORT_SEQUENCE", 0)
    monkeypatch.setattr(delta, "SHORT_SEQUENCE", 0)
    torch.manual_seed(0)


def leaf(*shape):
    return torch.randn(shape, dtype=torch.float64, requires_grad=True)


def gradients(function, operands, overwritten, place=None):
    """Gradients of a call whose operand or result was overwritten before the backward pass, or
    the error that this is.

    `place` is the number of the operand, None the result. `overwritten` writes to a tensor.
    """
    # results of an operation each, as operands are: a leaf cannot be written to
    given = [each.clone() if isinstance(each, torch.Tensor) else each for each in operands]
    with torch.enable_grad():
        result = function(*given)
        overwritten(result if place is None else given[place])
    wanted = [each for each in operands if isinstance(each, torch.Tensor) and each.requires_grad]
    try:
        return torch.autograd.grad(result.square().sum(), wanted, allow_unused=True)
    except RuntimeError as error:
        assert "modified by an inplace" in str(error) or "modified inplace" in str(error)
        return str(error)


def add(tensor):
    tensor += 1


def fill_a_view(tensor):
    tensor[..., :1] = 0


def unrecorded(tensor):
    with torch.no_grad():
        tensor.mul_(2)


WRITES = [add, fill_a_view, unrecorded]


def survives(kernel, plain, operands, write, place):
    """Whether the plain code survives the write; then the kernel has to, with its gradients."""
    expected = gradients(plain, operands, write, place)
    if isinstance(expected, str):
        return False
    found = gradients(kernel, operands, write, place)
    assert not isinstance(found, str), found
    for some, other in zip(found, expected, strict=True):
        if other is None:
            assert some is None or not some.any()
        else:
            torch.testing.assert_close(some, other)
    return True


# ---------------------------------------------------------------------------------- attention


def attended(*, needs="qkv", mask=None):
    shapes = {"q": (2, 3, 5, 4), "k": (2, 3, 6, 4), "v": (2, 3, 6, 4)}
    operands = [leaf(*shape).requires_grad_(name in needs) for name, shape in shapes.items()]
    if mask is not None:
        operands.append(mask)
    return operands


def called(function, **options):
    def call(q, k, v, mask=None):
        return function(q, k, v, attn_mask=mask, **options)

    return call


MASKS = {
    "none": lambda: None,
    "kept": lambda: torch.rand(5, 6) < 0.7,
    "added": lambda: torch.randn(5, 6, dtype=torch.float64),
    "repeated": lambda: torch.randn(1, 1, 5, 6, dtype=torch.float64).expand(2, 3, 5, 6),
    "learned": lambda: leaf(3, 5, 6),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("needs", ["qkv", "q", "k", "v", "qk", "qv", "kv", ""])
@pytest.mark.parametrize("mask", MASKS)
def test_attention_survives_the_writes_that_the_formula_survives(mask, needs, write):
    operands = attended(needs=needs, mask=MASKS[mask]())
    if not any(each.requires_grad for each in operands):
        return
    survived = [
        survives(
            called(kernels.flash_attention), called(attention.reference), operands, write, place
        )
        for place in (None, *range(len(operands)))
        if not (place == 3 and mask == "kept")
    ]
    assert survived[0]
    if needs == "qkv":
        assert not any(survived[1:4])


def test_attention_survives_a_write_to_a_boolean_mask():
    keep = torch.rand(5, 6) < 0.7
    operands = attended()
    out = kernels.flash_attention(*operands, attn_mask=keep)
    plain = attention.reference(*operands, attn_mask=keep.clone())
    keep.logical_not_()
    for create_graph in (False, True):
        found, expected = (
            torch.autograd.grad(each.sum(), operands, create_graph=create_graph, retain_graph=True)
            for each in (out, plain)
        )
        for some, other in zip(found, expected, strict=True):
            torch.testing.assert_close(some, other)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_attention_fills_with_what_the_dtype_holds(dtype):
    """-1e9 as float16 is -inf, as `torch.where` casts it; bfloat16 reaches it."""
    q, k, v = (each.detach().to(dtype) for each in attended())
    keep = torch.rand(5, 6) < 0.7
    keep[2] = False
    scores = torch.where(keep, q @ k.mT * 0.5, torch.tensor(-1e9))
    plain = scores.softmax(-1) @ v
    found = kernels.flash_attention(q, k, v, attn_mask=keep, fill=-1e9, scale=0.5)
    assert plain.isnan().any() == (dtype == torch.float16)
    torch.testing.assert_close(found, plain, equal_nan=True, rtol=0.02, atol=0.02)


SECOND = {
    "plain": {},
    "causal": {"is_causal": True},
    "scale": {"scale": 0.3},
    "groups": {"enable_gqa": True},
    "fill": {"attn_mask": torch.arange(6) < 4, "fill": -1e9},
}


@pytest.mark.parametrize("case", SECOND)
def test_attention_has_gradients_of_gradients(case):
    options = SECOND[case]
    heads = 1 if "enable_gqa" in options else 2
    operands = [leaf(1, 2, 3, 2), leaf(1, heads, 6, 2), leaf(1, heads, 6, 2)]

    def run(q, k, v):
        return kernels.flash_attention(q, k, v, **options)

    assert torch.autograd.gradcheck(run, operands)
    assert torch.autograd.gradgradcheck(run, operands)


def test_attention_has_gradients_of_gradients_of_all_it_takes():
    operands = [leaf(2, 3, 2), leaf(2, 4, 2), leaf(2, 4, 2), leaf(3, 4), leaf(1)]

    def run(q, k, v, mask, scale):
        return kernels.flash_attention(q, k, v, attn_mask=mask, scale=scale)

    assert torch.autograd.gradgradcheck(run, operands)
    assert torch.autograd.gradgradcheck(lambda x: kernels.flash_attention(x, x, x), leaf(1, 3, 2))


def test_a_gradient_penalty_of_attention_is_that_of_the_formula():
    operands = attended()
    found, expected = (
        torch.autograd.grad(
            sum(
                each.square().sum()
                for each in torch.autograd.grad(
                    function(*operands).square().sum(), operands, create_graph=True
                )
            ),
            operands,
        )
        for function in (kernels.flash_attention, attention.reference)
    )
    for some, other in zip(found, expected, strict=True):
        torch.testing.assert_close(some, other)


def test_attention_first_gradients_are_those_of_torch():
    operands = [leaf(2, 3, 40, 16).float().detach().requires_grad_() for _ in range(3)]
    dout = torch.randn(2, 3, 40, 16)
    fused = torch.nn.functional.scaled_dot_product_attention
    out = kernels.flash_attention(*operands)
    expected = torch.autograd.grad(fused(*operands), operands, dout)
    for retain in (True, False):
        found = torch.autograd.grad(out, operands, dout, retain_graph=retain)
        assert all(torch.equal(some, other) for some, other in zip(found, expected, strict=True))


def test_attention_keeps_nothing_that_a_saving_hook_does_not_see():
    alive = []

    def pack(tensor):
        alive.append(tensor.shape)
        return tensor

    operands = attended()
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        kernels.flash_attention(*operands)
    assert (2, 3, 5, 4) in [tuple(shape) for shape in alive]
    expected = torch.autograd.grad(attention.reference(*operands).sum(), operands)
    out = torch.utils.checkpoint.checkpoint(kernels.flash_attention, *operands, use_reentrant=False)
    for some, other in zip(torch.autograd.grad(out.sum(), operands), expected, strict=True):
        torch.testing.assert_close(some, other)


def test_attention_in_the_transforms_of_functions():
    operands = attended()
    detached = [each.detach() for each in operands]

    def total(function):
        return lambda q, k, v: function(q, k, v).square().sum()

    for transform in (
        lambda f: torch.func.grad(total(f))(*detached),
        lambda f: torch.func.vmap(f)(*detached),
        lambda f: torch.func.vmap(torch.func.grad(total(f)))(*detached),
        lambda f: torch.func.grad(lambda *x: torch.func.grad(total(f))(*x).sum())(*detached),
        lambda f: torch.func.jvp(f, tuple(detached), tuple(detached))[1],
        lambda f: torch.func.hessian(total(f))(*detached),
        lambda f: torch.func.jacrev(torch.func.jacrev(total(f)))(*detached),
    ):
        torch.testing.assert_close(
            transform(kernels.flash_attention), transform(attention.reference)
        )


def test_attention_compiles():
    operands = attended()
    compiled = torch.compile(
        lambda q, k, v: kernels.flash_attention(q, k, v), fullgraph=True, backend="aot_eager"
    )
    expected = torch.autograd.grad(attention.reference(*operands).sum(), operands)
    for some, other in zip(
        torch.autograd.grad(compiled(*operands).sum(), operands), expected, strict=True
    ):
        torch.testing.assert_close(some, other)


# ------------------------------------------------------------------------------------- softmax


def shifted_logsumexp(x, dim):
    """The plain code that does not keep its operand."""
    m = x.max(dim, keepdim=True).values
    return (m + torch.log(torch.exp(x - m).sum(dim, keepdim=True))).squeeze(dim)


def shifted_softmax(x, dim):
    weights = torch.exp(x - x.max(dim, keepdim=True).values)
    return weights / weights.sum(dim, keepdim=True)


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("place", [None, 0])
def test_logsumexp_survives_every_write(write, place):
    operands = [leaf(4, 5), 1]
    assert survives(kernels.logsumexp, shifted_logsumexp, operands, write, place)


@pytest.mark.parametrize("write", WRITES)
def test_softmax_survives_writes_to_its_operand(write):
    assert survives(kernels.online_softmax, shifted_softmax, [leaf(4, 5), 1], write, 0)


SOFTMAX = [
    (kernels.online_softmax, lambda x: torch.exp(x) / torch.exp(x).sum(0, keepdim=True)),
    (kernels.logsumexp, lambda x: torch.log(torch.exp(x).sum(0))),
]


@pytest.mark.parametrize("kernel, plain", SOFTMAX)
@pytest.mark.parametrize("default", [torch.float32, torch.float64])
@pytest.mark.parametrize("kind", ["bool", "uint8", "int8", "int16", "int32", "int64", "uint16"])
def test_softmax_takes_integers_as_the_exponential_does(kernel, plain, default, kind):
    torch.set_default_dtype(default)
    try:
        x = torch.tensor([[0, 1], [1, 1], [3, 0]]).to(getattr(torch, kind))
        for each in (x, x[:, 0]):
            found, expected = kernel(each, 0), plain(each)
            assert found.dtype == expected.dtype
            torch.testing.assert_close(found, expected)
    finally:
        torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("kernel, plain", SOFTMAX)
@pytest.mark.parametrize("kind", [torch.complex64, torch.complex128])
def test_softmax_takes_complex_numbers(kernel, plain, kind):
    x = torch.randn(4, 3, dtype=kind, requires_grad=True)
    found, expected = kernel(x, 0), plain(x)
    assert found.dtype == expected.dtype
    torch.testing.assert_close(found, expected)
    some, other = (torch.autograd.grad(each.abs().sum(), x) for each in (found, expected))
    torch.testing.assert_close(some, other)


@pytest.mark.parametrize("kernel, plain", SOFTMAX)
@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (3, 0), (1, 1)])
@pytest.mark.parametrize("needs", [False, True])
def test_softmax_of_any_extent(kernel, plain, shape, needs):
    x = torch.randn(shape, requires_grad=needs)
    if x.ndim:
        torch.testing.assert_close(kernel(x, -x.ndim), plain(x))
    torch.testing.assert_close(kernel(x, 0), plain(x))
    with pytest.raises(IndexError):
        kernel(x, max(x.ndim, 1))


@pytest.mark.parametrize("row", [("-inf", "-inf"), ("inf", "0"), ("nan", "1"), ("-inf", "0")])
def test_logsumexp_of_special_rows_with_gradients(row):
    x = torch.tensor([float(each) for each in row], requires_grad=True)
    found, expected = kernels.logsumexp(x, 0), torch.logsumexp(x, 0)
    torch.testing.assert_close(found, expected, equal_nan=True)
    some, other = (torch.autograd.grad(each, x) for each in (found, expected))
    torch.testing.assert_close(some, other, equal_nan=True)


# ------------------------------------------------------------------------------------- the scans


def scans():
    a, b = torch.rand(6, 2, dtype=torch.float64), torch.randn(6, 2, dtype=torch.float64)
    yield kernels.linear_scan, linear.reference, (a, b, torch.randn(2).double()), {"dim": 0}
    shapes = ((1, 6, 2), (1, 6, 2), (2, 3), (1, 6, 3), (1, 6, 3), (1, 2, 3))
    operands = tuple(torch.randn(shape, dtype=torch.float64) / 2 for shape in shapes)
    yield kernels.selective_scan, selective.reference, operands, {}


@pytest.mark.parametrize("number", [0, 1])
def test_scans_in_the_transforms_of_functions(number):
    kernel, plain, operands, options = list(scans())[number]
    many = tuple(torch.stack((each, each / 2)) for each in operands)
    for transform in (
        lambda f: torch.func.grad(lambda *x: f(*x).square().sum())(*operands),
        lambda f: torch.func.vmap(f)(*many),
        lambda f: torch.func.jvp(f, operands, operands)[1],
        lambda f: torch.func.hessian(lambda *x: f(*x).square().sum())(*operands),
        lambda f: torch.func.jacrev(torch.func.jacrev(lambda *x: f(*x).sum()))(*operands),
    ):
        found, expected = (transform(lambda *x, f=f: f(*x, **options)) for f in (kernel, plain))
        torch.testing.assert_close(found, expected)


def scan_calls(which):
    if which == "linear":
        operands = [leaf(6, 2).detach().sigmoid().requires_grad_(), leaf(6, 2), leaf(2)]
        return kernels.linear_scan, linear.reference, operands, {"dim": 0}
    if which == "matrix":
        shapes = ((1, 6, 2, 3), (1, 6, 2, 3), (1, 6, 2, 2), (1, 6, 2, 3, 1), (1, 2, 3, 2))
        kernel, plain = (
            lambda q, k, v, a, s, f=function: f(q, k, v, decay=a, initial_state=s)
            for function in (kernels.linear_attention, matrices.reference)
        )
        return kernel, plain, [leaf(*shape) for shape in shapes], {}
    if which == "delta":
        shapes = ((1, 6, 2, 3), (1, 6, 2, 3), (1, 6, 2, 2), (1, 6, 2), (1, 6, 2), (1, 2, 3, 2))
        kernel, plain = (
            lambda q, k, v, b, a, s, f=function: f(q, k, v, b, decay=a, initial_state=s)
            for function in (kernels.delta_rule, delta.reference)
        )
        return (
            kernel,
            plain,
            [leaf(*shape).detach().div(3).requires_grad_() for shape in shapes],
            {},
        )
    shapes = ((1, 6, 2), (1, 6, 2), (2, 3), (1, 6, 3), (1, 6, 3), (1, 2, 3))
    return kernels.selective_scan, selective.reference, [leaf(*shape) for shape in shapes], {}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize(
    "which, frozen",
    [("linear", each) for each in ((), (0,), (1,), (2,), (1, 2), (0, 2), (0, 1))]
    + [("matrix", (*each,)) for each in ("", *"01234", "1234", "134", "0134", "012", "034", "234")]
    + [("delta", (*each,)) for each in ("", *"012345", "12345", "1345", "01345", "0235", "0124")]
    + [("selective", (*each,)) for each in ((), *map(tuple, "012345"), "02", "12", "34", "0125")],
)
def test_scans_survive_the_writes_that_the_loop_survives(which, frozen, write):
    kernel, plain, operands, options = scan_calls(which)
    for number in frozen:
        operands[int(number)].requires_grad_(False)
    survived = [
        survives(
            lambda *each: kernel(*each, **options),
            lambda *each: plain(*each, **options),
            operands,
            write,
            place,
        )
        for place in (None, *range(len(operands)))
    ]
    assert survived[0]
    if which == "linear":
        assert survived[2]


@pytest.mark.parametrize("frozen", [(), (0,), (0, 1), (0, 2), (1,), (2,)])
def test_linear_scan_has_gradients_of_gradients_with_operands_frozen(frozen):
    kernel, _, operands, options = scan_calls("linear")
    for number in frozen:
        operands[number].requires_grad_(False)
    assert torch.autograd.gradcheck(lambda *x: kernel(*x, **options), operands)
    assert torch.autograd.gradgradcheck(lambda *x: kernel(*x, **options), operands)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    "initial",
    [0.5, 2, torch.randn(3).double(), torch.zeros(1), torch.tensor(1), torch.ones(3).bool()],
)
def test_linear_scan_without_steps_leaves_the_state_as_it_is(initial, reverse):
    for a in (torch.rand(4, 0, 3), 0.5):
        out, final = kernels.linear_scan(
            a,
            torch.rand(4, 0, 3).half(),
            initial,
            dim=1,
            reverse=reverse,
            output_final_state=True,
        )
        assert final is initial
        assert out.shape == (4, 0, 3)
        steps = torch.ones(4, 2, 3) if isinstance(a, torch.Tensor) else a
        assert (
            out.dtype == linear.reference(steps, torch.ones(4, 2, 3).half(), initial, dim=1).dtype
        )


def test_linear_scan_without_steps_or_state_is_zero():
    out, final = kernels.linear_scan(
        torch.rand(0, 3), torch.rand(2, 0, 3).half(), dim=1, output_final_state=True
    )
    assert out.shape == (2, 0, 3)
    assert torch.equal(final, torch.zeros(2, 3))


@pytest.mark.parametrize("kind", [torch.float16, torch.float32, torch.float64])
@pytest.mark.parametrize("number", [1, 0.5])
def test_scans_begin_with_a_number(kind, number):
    x, delta = (torch.rand(2, 9, 3).to(kind) for _ in range(2))
    B, C = (torch.rand(2, 9, 4).to(kind) for _ in range(2))
    A = -torch.rand(3, 4)
    found = kernels.selective_scan(x, delta, A, B, C, number)
    expected = selective.reference(x, delta, A, B, C, torch.full((2, 3, 4), float(number)))
    torch.testing.assert_close(found, expected, rtol=2e-3, atol=2e-3)
    k, v = B[:, :, None], x[:, :, None]
    for decay in (0.9, None, delta[:, :, :1, None, None]):
        found = kernels.linear_attention(k, k, v, decay=decay, initial_state=number)
        state = torch.full((2, 1, 4, 3), number, dtype=kind)
        expected = matrices.reference(k, k, v, decay=decay, initial_state=state)
        assert found.dtype == expected.dtype
        torch.testing.assert_close(found, expected, rtol=2e-2, atol=2e-2)


def test_numbers_beside_a_wider_state_are_not_rounded():
    def step(state, element):
        return element[0] * state + element[1]

    def combine(first, second):
        return second[0] * first[0], second[0] * first[1] + second[1]

    x, state = torch.randn(500, 3), torch.zeros(3, dtype=torch.float64)
    given = {"dim": 0, "step": step, "initial_state": state}
    found = kernels.associative_scan(combine, (0.9999, x), **given)
    for row, each in zip(x, found, strict=True):
        state = 0.9999 * state + row
        assert each.dtype == torch.float64
        torch.testing.assert_close(each, state, rtol=1e-12, atol=1e-12)


def test_selective_scan_without_steps_leaves_the_state_as_it_is():
    shapes = ((1, 0, 2), (1, 0, 2), (2, 3), (1, 0, 3), (1, 0, 3), (1, 2, 3))
    operands = [leaf(*shape) for shape in shapes]
    operands[5] = operands[5].detach().float().requires_grad_()
    y, final = kernels.selective_scan(*operands, output_final_state=True)
    assert y.shape == (1, 0, 2)
    assert final is operands[5]
    first = torch.autograd.grad(y.sum() + final.square().sum(), operands, create_graph=True)
    (second,) = torch.autograd.grad(first[5].sum(), operands[5])
    assert torch.equal(second, torch.full_like(second, 2))


def test_kernels_carry_the_tangents_of_forward_mode():
    calls = [scan_calls("linear"), scan_calls("selective")]
    calls.append((kernels.flash_attention, attention.reference, attended(), {}))
    calls.append((kernels.logsumexp, softmax.logsumexp_reference, [leaf(3, 4)], {"dim": 1}))
    calls.append((kernels.online_softmax, softmax.reference, [leaf(3, 4)], {"dim": 1}))
    for kernel, plain, operands, options in calls:
        with torch.autograd.forward_ad.dual_level():
            duals = [
                torch.autograd.forward_ad.make_dual(each.detach(), torch.ones_like(each))
                for each in operands
            ]
            found, expected = (
                torch.autograd.forward_ad.unpack_dual(function(*duals, **options)).tangent
                for function in (kernel, plain)
            )
            torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("hooks", [True, False])
def test_attention_is_differentiable_twice_with_and_without_a_hook(hooks, monkeypatch):
    if not hooks:
        monkeypatch.setattr(attention, "_FUSED_ON_CPU", "")
    for options in ({}, {"attn_mask": torch.arange(6) < 4}, {"is_causal": True, "scale": 0.2}):
        operands = attended()
        found, expected = (
            torch.autograd.grad(function(*operands, **options).sum(), operands, create_graph=True)
            for function in (kernels.flash_attention, attention.reference)
        )
        assert all(each.requires_grad for each in found)
        for some, other in zip(found, expected, strict=True):
            torch.testing.assert_close(some, other)
        pairs = zip(found, expected, strict=True)
        for some, other in pairs:
            for one, plain in zip(
                *(
                    torch.autograd.grad(
                        g.square().sum(),
                        operands,
                        retain_graph=True,
                        allow_unused=True,
                        materialize_grads=True,
                    )
                    for g in (some, other)
                ),
                strict=True,
            ):
                torch.testing.assert_close(one, plain)


def test_attention_keeps_nothing_alive_that_torch_does_not():
    import gc
    import weakref

    operands = attended()
    values = operands[2] * 1
    alive = weakref.ref(values)
    kernels.flash_attention(operands[0], operands[1], values).sum().backward()
    del values
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("kind", [torch.complex64, torch.complex128])
@pytest.mark.parametrize("keys", [0, 3])
def test_attention_takes_complex_numbers_by_its_formula(kind, keys):
    q = torch.randn(2, 4, 5, dtype=kind, requires_grad=True)
    k, v = (torch.randn(2, keys, 5, dtype=kind) for _ in range(2))
    exponentials = torch.exp(q @ k.mT)
    expected = exponentials / exponentials.sum(-1, keepdim=True) @ v
    found = kernels.flash_attention(q, k, v, scale=1.0)
    torch.testing.assert_close(found, expected)
    some, other = (torch.autograd.grad(each.abs().sum(), q)[0] for each in (found, expected))
    torch.testing.assert_close(some, other, rtol=1e-3, atol=1e-4)
