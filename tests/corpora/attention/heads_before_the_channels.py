# expect: ASC109 safe scope=f
import torch


def f(z_q, z_k, z_v, b):
    a = torch.einsum("...ihc,...jhc->...hij", z_q, z_k) / z_q.shape[-1] ** 0.5
    a = torch.softmax(a + b, dim=-1)
    return torch.einsum("...hij,...jhc->...ihc", a, z_v)


def cases(rng):
    yield (
        "f",
        (
            torch.randn(3, 5, 2, 4, requires_grad=True),
            torch.randn(3, 5, 2, 4, requires_grad=True),
            torch.randn(3, 5, 2, 4, requires_grad=True),
            torch.randn(2, 5, 5, requires_grad=True),
        ),
        {},
    )
