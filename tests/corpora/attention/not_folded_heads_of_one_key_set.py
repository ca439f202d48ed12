# refuse: the keys may be those of one batch and one head, which `@` broadcasts
import torch


def attend(q, k, v, pad, heads: int):
    # q: (batch * heads, n, d); k, v: (batch * heads, m, d) or (1, m, d)
    groups, n, d = q.shape
    m = k.shape[1]
    scores = q @ k.transpose(1, 2) * d**-0.5
    scores = scores.view(groups // heads, heads, n, m)
    scores = scores.masked_fill(pad[:, None, None, :], float("-inf"))
    return scores.view(groups, n, m).softmax(-1) @ v


def cases(rng):
    for batch in (4, 1):
        made = [rng.standard_normal((size, 5, 6)) for size in (4, batch, batch)]
        q, k, v = (torch.tensor(each, dtype=torch.float32, requires_grad=True) for each in made)
        yield "attend", (q, k, v, torch.tensor([[False] * 5, [False, True] * 2 + [True]]), 2), {}
