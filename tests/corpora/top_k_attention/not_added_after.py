# refuse: SPA405 something is added to the weights
import torch


def attend(q, k, v, top: int = 2):
    scale = q.size(-1) ** -0.5
    sim = torch.einsum("bhid,bhjd->bhij", q, k) * scale
    best, where = sim.topk(top, dim=-1)
    sparse = torch.full_like(sim, float("-inf"))
    sparse.scatter_(-1, where, best)
    attn = sparse.softmax(dim=-1)
    attn = attn + 0.1
    return torch.einsum("bhij,bhjd->bhid", attn, v)


def normal(rng, *shape):
    return torch.tensor(rng.standard_normal(shape)).float().requires_grad_()


def cases(rng):
    yield "attend", (normal(rng, 2, 3, 5, 4), normal(rng, 2, 3, 9, 4), normal(rng, 2, 3, 9, 6)), {}
    yield (
        "attend",
        (normal(rng, 1, 2, 4, 4), normal(rng, 1, 2, 130, 4), normal(rng, 1, 2, 130, 2)),
        {},
    )
    yield "attend", (normal(rng, 1, 1, 1, 2), normal(rng, 1, 1, 2, 2), normal(rng, 1, 1, 2, 1)), {}
