# expect: ASC103 safe scope=recall
import torch


def recall(q, k, v, initial):
    b, l, d = q.shape
    memory = initial
    found = []
    for t in range(l):
        found.append(torch.einsum("bd,bde->be", q[:, t], memory))
        memory = 0.5 * memory + torch.einsum("bd,be->bde", k[:, t], v[:, t])
    return torch.stack(found, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 66)):
        yield "recall", (draw(b, l, 4), draw(b, l, 4), draw(b, l, 3), draw(b, 4, 3)), {}
