# refuse: SPA405 no gradients pass through the scores that are kept
import torch


def attend(q, k, v, top: int = 2):
    scores = q @ k.transpose(-2, -1)
    best, places = torch.topk(scores, top, dim=-1)
    with torch.no_grad():
        kept = torch.full_like(scores, float("-inf")).scatter(-1, places, best)
    return torch.softmax(kept, dim=-1) @ v


def cases(rng):
    draw = lambda: torch.tensor(rng.normal(size=(5, 4)), dtype=torch.float32).requires_grad_()
    yield "attend", (draw(), draw(), draw()), {}
