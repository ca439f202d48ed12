# refuse: LOC304 the places are data
# may: ASC109 safe scope=at
import torch


def at(q, k, v, place, window: int):
    ahead = place[:, None] - place[None, :]
    s = (q @ k.mT).masked_fill((ahead < 0) | (ahead > window), -1e9)
    return s.softmax(-1) @ v


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    place = torch.tensor([0, 3, 4, 4, 9, 1])
    yield "at", (draw(2, 6, 4), draw(2, 6, 4), draw(2, 6, 4), place, 4), {}
