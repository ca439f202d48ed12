# expect: ASC109 safe scope=of_the_mirrored_query
# expect: ASC109 safe scope=backwards
# expect: ASC109 safe scope=before_itself
import torch


def of_the_mirrored_query(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    n, d = k.shape
    n, e = v.shape
    out = []
    for i in range(n):
        s = k[: i + 1] @ q[n - 1 - i] / d**0.5
        out.append(s.softmax(-1) @ v[: i + 1])
    return torch.stack(out)


def backwards(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    n, d = k.shape
    n, e = v.shape
    out = []
    for i in reversed(range(n)):
        s = k[: i + 1] @ q[i] / d**0.5
        out.append(s.softmax(-1) @ v[: i + 1])
    return torch.stack(out)


def before_itself(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    n, d = k.shape
    n, e = v.shape
    out = []
    for i in range(1, n):
        s = k[:i] @ q[i] / d**0.5
        out.append(s.softmax(-1) @ v[:i])
    return torch.stack(out)


def cases(rng):
    for name in ("of_the_mirrored_query", "backwards", "before_itself"):
        yield name, tuple(torch.randn(5, 3) for _ in range(3)), {}
