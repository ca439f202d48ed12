# expect: ASC109 safe scope=up_to_itself
# expect: ASC109 safe scope=one_head
import torch


def up_to_itself(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, h, d = q.shape
    out = []
    for i in range(n):
        s = torch.einsum("bhd,bmhd->bhm", q[:, i], k[:, : i + 1]) / d**0.5
        out.append(torch.einsum("bhm,bmhd->bhd", s.softmax(-1), v[:, : i + 1]))
    return torch.stack(out, 1)


def one_head(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    n, d = k.shape
    n, e = v.shape
    out = []
    for i in range(n):
        s = k[: i + 1] @ q[i] / d**0.5
        out.append(s.softmax(-1) @ v[: i + 1])
    return torch.stack(out)


def cases(rng):
    four = [torch.randn(2, 5, 2, 3) for _ in range(3)]
    yield "up_to_itself", tuple(four), {}
    yield "one_head", tuple(torch.randn(5, 3) for _ in range(3)), {}
    yield "one_head", tuple(torch.randn(6, 2, requires_grad=True) for _ in range(3)), {}
