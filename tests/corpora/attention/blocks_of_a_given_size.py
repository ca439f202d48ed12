# expect: ASC109 safe scope=into_slices
# expect: ASC109 safe scope=up_to_the_end
# expect: ASC109 safe scope=causal
import torch


def into_slices(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, size: int = 2):
    out = torch.empty_like(q)
    for i in range(0, q.shape[1], size):
        s = q[:, i : i + size] @ k.transpose(1, 2)
        out[:, i : i + size] = torch.softmax(s * q.shape[-1] ** -0.5, dim=-1) @ v
    return out


def up_to_the_end(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, size: int = 2):
    n = q.shape[1]
    parts = []
    for i in range(0, n, size):
        e = min(i + size, n)
        s = q[:, i:e] @ k.transpose(1, 2)
        parts.append(torch.softmax(s, dim=-1) @ v)
    return torch.cat(parts, dim=1)


def causal(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, size: int = 2):
    n = q.shape[1]
    out = torch.zeros_like(q)
    for i in range(0, n, size):
        e = min(i + size, n)
        s = q[:, i:e] @ k[:, :e].transpose(1, 2)
        later = torch.arange(i, e)[:, None] < torch.arange(e)[None]
        s = s.masked_fill(later, float("-inf"))
        out[:, i:e] = torch.softmax(s, dim=-1) @ v[:, :e]
    return out


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.normal(size=shape), dtype=torch.float32)

    for n in (7, 1):
        for name in ("into_slices", "up_to_the_end", "causal"):
            for size in (2, 3, 9):
                yield name, tuple(draw(2, n, 4) for _ in range(3)), {"size": size}
    grown = tuple(draw(2, 7, 4).requires_grad_() for _ in range(3))
    yield "up_to_the_end", grown, {"size": 3}
