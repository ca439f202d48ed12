# expect: ASC109 safe scope=pool
import torch


def pool(q, k, v):
    """(b, n, d) each; the product is spelled out and summed."""
    scores = (q[:, :, None, :] * k[:, None, :, :]).sum(dim=-1) / q.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return (weights[..., None] * v[:, None]).sum(dim=2)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    yield "pool", (draw(2, 6, 4), draw(2, 9, 4), draw(2, 9, 5)), {}
