# refuse: ASC103 the memory is read in half precision, which the result then has
import torch


def attended(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    b, n, d = q.shape
    b, n, e = v.shape
    memory = torch.zeros(b, d, e)
    out = []
    for t in range(n):
        memory = memory + k[:, t, :, None].float() * v[:, t, None, :].float()
        out.append((q[:, t, :, None] * memory.half()).sum(1))
    return torch.stack(out, 1)


def cases(rng):
    yield "attended", tuple(torch.randn(1, 4, 3).half() for _ in range(3)), {}
