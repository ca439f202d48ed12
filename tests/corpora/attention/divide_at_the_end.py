# expect: ASC109 safe scope=unnormalised_attention
import torch


def unnormalised_attention(q, k, v):
    """Weights the values first and divides by the mass of each row afterwards."""
    scores = torch.einsum("...id,...jd->...ij", q, k) * (q.size(-1) ** -0.5)
    weights = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    mixed = torch.einsum("...ij,...jd->...id", weights, v)
    return mixed / weights.sum(dim=-1, keepdim=True)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    yield "unnormalised_attention", (draw(2, 9, 4), draw(2, 8, 4), draw(2, 8, 4)), {}
