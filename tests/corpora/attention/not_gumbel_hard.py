# refuse: straight-through selection: forward takes the largest weight, backward the soft one
import torch


def hard_attention(q, k, v):
    soft = (q @ k.transpose(-2, -1)).softmax(dim=-1)
    hard = torch.zeros_like(soft).scatter(-1, soft.argmax(-1, keepdim=True), 1.0)
    return (hard - soft.detach() + soft) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    yield "hard_attention", (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 4)), {}
