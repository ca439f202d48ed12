# refuse: softmax over both axes, multiplied
import torch


def mutual_matches(a, b, features):
    sim = torch.einsum("nd,md->nm", a, b) / 0.1
    confidence = sim.softmax(dim=0) * sim.softmax(dim=1)
    return confidence @ features


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    yield "mutual_matches", (draw(5, 4), draw(7, 4), draw(7, 3)), {}
