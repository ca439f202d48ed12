# refuse: the list that the loop fills is the history that the module shows
import torch
from torch import nn


class Tracker(nn.Module):
    def forward(self, r):
        steps, width = r.shape
        self.history = out = []
        level = torch.zeros(width)
        for t in range(steps):
            level = r[t] + 0.5 * level
            out.append(level)
        return torch.stack(out)


def run(r):
    tracker = Tracker()
    return tracker(r), len(tracker.history)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.random(s), dtype=torch.float32)
    yield "run", (draw(5, 3),), {}
    yield "run", (draw(1, 3),), {}
