# refuse: LOC304 the keys of the query's own block, not those around it
# may: ASC109 safe scope=blocks
import torch


def blocks(q, k, v, size: int):
    block = torch.arange(q.shape[-2]) // size
    s = (q @ k.mT).masked_fill(block[:, None] != block[None, :], float("-inf"))
    return s.softmax(-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for n in (1, 2, 9, 150):
        yield "blocks", (draw(2, 2, n, 4), draw(2, 2, n, 4), draw(2, 2, n, 6), 4), {}
