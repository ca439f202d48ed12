# refuse: ASC109 each query attends to other keys, and not to those up to its own place
import torch


def of_lengths(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, lengths: list[int]):
    b, n, d = q.shape
    b, n, d = k.shape
    b, n, e = v.shape
    out = []
    for i in range(b):
        s = q[i] @ k[i, : lengths[i]].T
        out.append(s.softmax(-1) @ v[i, : lengths[i]])
    return torch.stack(out)


def from_itself(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    n, d = q.shape
    n, d = k.shape
    n, e = v.shape
    out = []
    for i in range(n):
        s = k[i:] @ q[i] / d**0.5
        out.append(s.softmax(-1) @ v[i:])
    return torch.stack(out)


def cases(rng):
    yield "of_lengths", (*(torch.randn(2, 4, 3) for _ in range(3)), [2, 3]), {}
    yield "from_itself", tuple(torch.randn(5, 3) for _ in range(3)), {}
