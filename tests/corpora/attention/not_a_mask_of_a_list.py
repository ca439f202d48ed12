# refuse: ASC109 what the mask is made of is a list by then
import torch


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, window: int):
    T = q.shape[-2]
    i = torch.arange(T)
    s = q @ k.mT - 5.0 * ((i[:, None] - i).abs() > window)
    i = list(i)
    return s.softmax(-1) @ v, i


def cases(rng):
    q, k, v = (torch.tensor(rng.standard_normal((2, 6, 4))) for _ in range(3))
    yield "attend", (q, k, v, 2), {}
